"""The lab: real kubelets, real runtimes, real registries, one injected fault at a time.

    scripts/lab list                        the scenarios
    scripts/lab run NAME...                 breaks, asks Pullproof, judges; --all for everything, --quick for CI's part
    scripts/lab mutate [NAME...]            turns the faults off, and expects nothing; a part of them by default
    scripts/lab mutate --expectation        keeps the faults and falsifies what is expected of each fixture: each must fail
    scripts/lab up NAME                     leaves one standing to look at, and says how; `down` ends it
    scripts/lab kubectl ARGUMENT...         kubectl in the cluster that stands
    scripts/lab exec NODE COMMAND...        a command on one of its nodes
    scripts/lab page [--check]              writes docs/lab-scenarios.md from the fixtures
    scripts/lab components [NAME...]        builds the real programs, once

`run` prints one line for each scenario and ends with `N passed, N failed, N skipped`. See docs/lab.md.
"""
import argparse
import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import judge
import page
from bundle import save
from cluster import Cluster, components
from nodes import KINDS, PLAIN_NODES
from run import Lab, PATIENCE
from scenarios import everything
from services import registry_missing

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "tests" / "data" / "lab"
STANDING = "standing"
ODD_NODES = 9  # beside the plain ones, in one cluster
# One of each family: CI turns their faults off, too
SAMPLE = ("private-ca", "not-restarted", "name-unknown", "proxy-asks", "clock-ahead", "wrong-password", "overridden", "tag-missing", "blob-cut", "body-limit", "disk-full", "crash-loop")


def listed():
    for family, s in everything():
        wanted = "; ".join(map(str, s.api)) or "nothing failing"
        deeper = "" if s.full == s.api else f" -> {'; '.join(map(str, s.full))}"
        print(f"{family:12} {s.name:22} {s.title}: {wanted}{deeper}")


def chosen(args):
    """The scenarios that are asked for, and those that this machine cannot run, with the reason."""
    known = {s.name: s for _, s in everything()}
    unknown = [n for n in args.names if n not in known]
    if unknown:
        raise SystemExit(f"lab: no scenario is called {', '.join(unknown)}; scripts/lab list shows them")
    names = args.names or [n for n, s in known.items() if getattr(args, "all", False) or s.quick]
    base, skipped, fit = registry_missing(), [], []
    if os.geteuid() != 0:
        base = ["root"]
    for name in names:
        missing = sorted({*base, *Cluster(STANDING).missing(known[name].all_nodes, known[name].needs)})
        if missing:
            skipped.append((name, ", ".join(missing)))
        else:
            fit.append(name)
    return fit, skipped


def program(args) -> Path:
    if args.pullproof:
        return args.pullproof.resolve()
    subprocess.run(["cargo", "build", "-q", "-p", "pullproof"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "debug" / "pullproof"


def contained(argv, program=__file__):
    """Runs this program again in PID and mount namespaces of its own: whatever ends it, the kernel ends all it started."""
    if os.environ.get("PULLPROOF_LAB_INSIDE") == "1" or os.geteuid() != 0:
        return
    os.environ["PULLPROOF_LAB_INSIDE"] = "1"
    # several runs may stand beside each other; what one that was killed left behind is nobody's
    os.environ["PULLPROOF_LAB_RUN"] = f"run-{os.getpid()}"
    for left in (components() / "run").glob("run-*"):
        if not Path(f"/proc/{left.name[4:]}").exists():
            Cluster(left.name).forget()
    # the names of network namespaces are mounts: in a mount namespace of its own they end with it, too
    inside = "mkdir -p /run/netns && mount -t tmpfs netns /run/netns && mount --make-shared /run/netns && exec \"$@\""
    # PR_SET_PDEATHSIG: should this process be killed, `unshare` is, too. Ending it gently would leave it waiting
    die_with_me = lambda: ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    child = subprocess.Popen(["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", "sh", "-c", inside, "sh", sys.executable, program, *argv],
                             preexec_fn=die_with_me)
    try:
        status = child.wait()
    except BaseException:
        child.kill()
        raise
    sys.exit(status)


def run(args):
    pullproof = program(args)
    contained(["run", *args.names, "--pullproof", str(pullproof), *(["--all"] if args.all else []), *(["--save"] if args.save else [])])
    names, skipped = chosen(args)
    passed = failed = pending = 0
    for name, why in skipped:
        print(f"SKIPPED {name:22} not there: {why}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        at = FIXTURES if args.save else Path(scratch)

        def act(lab, s, after):
            if after is None:
                return s, None, None
            home = save(lab, s, at)
            judged = judge.judge(pullproof, home, lab.question(pullproof, s))
            return s, after, judged
        for s, after, judged in rounds(names, act):
            if judged is None:
                failed += 1
                print(f"FAILED  {s.name:22} the fault did not show within {PATIENCE} s", flush=True)
                continue
            failed, passed = failed + bool(judged.wrong), passed + (not judged.wrong)
            pending += bool(judged.pending)
            deeper = "" if list(map(str, judged.full)) == list(map(str, judged.api)) else f" -> {judge.words(judged.full)}"
            note = f" | pending: {judged.pending}" if judged.pending else ""
            print(f"{'wrong  ' if judged.wrong else 'right  '} {s.name:22} {judge.words(judged.api)}{deeper} | {after:.0f} s{note}", flush=True)
            for w in judged.wrong:
                print(f"          {w}", flush=True)
    print(f"# {pending} pending: what is not found yet, with the reason in its line")
    return total(passed, failed, skipped)


def rounds(names, act, cured=False):
    """Yields act(lab, scenario, seconds) of each, in as many clusters one after another as the kernel's limit of inotify
    instances for one user (128 by default) allows: a node takes about seven."""
    odd = [n for n in KINDS if n not in PLAIN_NODES]
    place = {s.name: max((odd.index(n) for n in s.all_nodes if n in odd), default=0) // ODD_NODES for _, s in everything()}
    for number in sorted({place[n] for n in names}):
        lab = Lab([n for n in names if place[n] == number], os.environ.get("PULLPROOF_LAB_RUN", "run"), cured)
        try:
            print(f"# {len(lab.nodes)} nodes and their registries in {lab.up():.0f} s", flush=True)
            yield from lab.each(lambda s, after, lab=lab: act(lab, s, after))
        finally:
            lab.down()


def total(passed, failed, skipped):
    print(f"{passed} passed, {failed} failed, {len(skipped)} skipped")
    return 1 if failed or (skipped and os.environ.get("CI")) else 0


def mutate_expectations(pullproof, names):
    """Without a cluster: holds what Pullproof says of the fixtures against wrong expectations."""
    homes = [h for h in sorted(FIXTURES.iterdir()) if not names or h.name in names]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda home: judge.fooled(pullproof, home), homes))
    for home, (tried, accepted) in zip(homes, answers):
        print(f"{'wrong  ' if accepted else 'right  '} {home.name:22} {tried} wrong expectations" + (f": accepted: {', '.join(accepted)}" if accepted else " fail"))
    failed = sum(bool(accepted) for _, accepted in answers)
    return total(len(answers) - failed, failed, [])


def mutate(args):
    pullproof = program(args)
    if args.expectation:
        return mutate_expectations(pullproof, args.names)
    args.names = args.names or ([] if args.all else list(SAMPLE))
    contained(["mutate", *args.names, "--pullproof", str(pullproof), *(["--all"] if args.all else [])])
    names, skipped = chosen(args)
    passed = failed = 0

    def act(lab, s, after):
        if after is None:
            return s, f"its pods are not well after {PATIENCE} s"
        try:
            incidents = judge.ask(lab.question(pullproof, s))
        except judge.Failed as e:
            return s, str(e)
        return s, judge.words(incidents) if incidents else ""
    for s, wrong in rounds(names, act, cured=True):
        failed, passed = failed + bool(wrong), passed + (not wrong)
        print(f"{'wrong  ' if wrong else 'right  '} {s.name:22} without its fault: {wrong or 'nothing failing'}", flush=True)
    return total(passed, failed, skipped)


def forward(cluster) -> int:
    """Lets this machine's loopback reach the API server: a listener made here, served from within the cluster's network."""
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    cluster.spawn("forward", sys.executable, Path(__file__).parent / "forward.py", cluster.run, listener.fileno(), pass_fds=[listener.fileno()])
    return port


def up(args):
    names, skipped = chosen(args)
    for name, why in skipped:
        raise SystemExit(f"lab: {name} cannot run here: not there: {why}; scripts/setup lab")
    lab = Lab(names, STANDING)
    try:
        lab.up()
        for s, after in lab.shown():
            print(f"# {s.name}: {s.title}: " + ("did not show" if after is None else f"shows after {after:.0f} s"))
        config = json.loads((lab.cluster.run / "admin.kubeconfig").read_text())
        config["clusters"][0]["cluster"]["server"] = f"https://127.0.0.1:{forward(lab.cluster)}"
        config["contexts"][0]["context"]["namespace"] = lab.scenarios[0].namespace
        path = lab.cluster.run / "kubeconfig"
        path.write_text(json.dumps(config))
    except BaseException:
        lab.down()
        raise
    print(f"export KUBECONFIG={path}\nexport PATH={lab.cluster.kube}:$PATH\n# then: kubectl get pods; pullproof; at last: scripts/lab down")


def standing():
    cluster = Cluster(STANDING)
    if not cluster.run.exists():
        raise SystemExit("lab: nothing stands; scripts/lab up NAME first")
    return cluster.load()


def main():
    argv = sys.argv[1:]
    if argv[:1] == ["components"]:
        build = Path(__file__).parent / "build-components"
        os.execv(build, [str(build), str(components()), *argv[1:]])
    if argv[:1] == ["kubectl"]:
        c = standing()
        command = c.enter(c.kube / "kubectl", "--kubeconfig", c.run / "admin.kubeconfig", *argv[1:])
        os.execvp(command[0], command)
    if argv[:1] == ["exec"] and len(argv) > 2:
        nodes = standing().nodes
        if argv[1] not in nodes:
            raise SystemExit(f"lab: no node {argv[1]}: {', '.join(nodes)}")
        command = nodes[argv[1]].enter(*argv[2:])
        os.execvp(command[0], command)
    a = argparse.ArgumentParser(prog="scripts/lab", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = a.add_subparsers(dest="command", required=True)
    add = {name: commands.add_parser(name) for name in ("list", "run", "mutate", "up", "down", "page")}
    for name in ("run", "mutate", "up"):
        add[name].add_argument("names", nargs="+" if name == "up" else "*", metavar="NAME")
    for name in ("run", "mutate"):
        add[name].add_argument("--all", action="store_true", help="every scenario, not CI's part")
        add[name].add_argument("--quick", action="store_true", help="CI's part (the default)")
        add[name].add_argument("--pullproof", type=Path, default=os.environ.get("PULLPROOF"), help="the program; default: cargo build")
    add["mutate"].add_argument("--expectation", action="store_true", help="falsifies what is expected of the fixtures, not the cluster")
    add["run"].add_argument("--save", action="store_true", help="also writes the fixtures in tests/data/lab")
    add["page"].add_argument("--check", action="store_true", help="only says whether it is stale")
    add["page"].add_argument("--pullproof", type=Path, default=os.environ.get("PULLPROOF"))
    args = a.parse_args(argv)
    for s in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(s, lambda n, _: sys.exit(128 + n))
    match args.command:
        case "list":
            return listed()
        case "down":
            return Cluster(STANDING).down()
        case "page":
            return page.write(program(args), FIXTURES, ROOT / "docs" / "lab-scenarios.md", args.check)
    return {"run": run, "mutate": mutate, "up": up}[args.command](args)


if __name__ == "__main__":
    sys.exit(main())
