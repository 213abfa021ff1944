#!/usr/bin/env python3
"""Breaks real pulls in a real cluster, one fault at a time, and holds Pullproof's verdict against what was broken.

    scripts/live-faults                     # everything: brings the cluster up, injects, judges, takes it down
    scripts/live-faults --only expired      # one or more faults
    scripts/live-faults --list              # what there is
    scripts/live-faults --save DIR          # also saves each fault's objects and node files, as fixtures for --from
    scripts/live-faults --keep              # leaves the cluster standing (scripts/lab --name faults kubectl get pods -A)
    scripts/live-faults --standing          # judges again there; scripts/lab --name faults down ends it

Prints one line per fault and ends with `N passed, N failed, N skipped`. Exit status 0 if all are right.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import fixtures
from cluster import Cluster, until
from faults import all_faults, manifests
from images import Image, digest
from services import PROXY, REFUSED, SERVER, Services, registry_missing

NODES = {"a": "2.2.1", "b": "1.7.35", "c": "2.4.2", "d": "2.2.1", "e": "2.0.13"}
# What is pulled at once would else hit the kubelet's own limits, which are another fault
KUBELET = "serializeImagePulls: false\nregistryPullQPS: 0\neventRecordQPS: 0\n"
INTERNAL = "localhost,127.0.0.1,10.96.0.0/16,10.99.0.0/24,example.com,example.net"
ROOT = Path(__file__).resolve().parent.parent


def node_options():
    """How each node is set up: d has a path list and a proxy, e a proxy that is down."""
    options = {n: {"kubelet": KUBELET} for n in NODES}
    proxied = lambda port: {"HTTPS_PROXY": f"http://{SERVER}:{port}", "NO_PROXY": INTERNAL}
    options["d"] |= {"config_path": "/etc/containerd/certs.d:/etc/docker/certs.d", "env": proxied(PROXY)}
    options["e"] |= {"env": proxied(REFUSED)}
    return options


def store(services, fault, binary):
    """Lays the fault's image into the registry, whole or broken."""
    if fault.stored == "nothing":
        return
    reference = fault.image.split("/", 1)[1].split("@")[0]
    repository, _, _ = reference.partition(":")
    tag = "1.0.0" if fault.name == "tag-missing" else "1"
    image = Image({"app": binary, "id": fault.name.encode()}, ["/app"], "arm64" if fault.stored == "index-arm64" else "amd64")
    services.storage.put(repository, tag, image, as_index=fault.stored == "index-arm64")
    layer = services.storage.blob_path(digest(image.layer))
    if fault.stored == "no-layer":
        layer.unlink()
    elif fault.stored == "other-layer":
        data = bytearray(layer.read_bytes())
        data[-2000] ^= 1
        layer.write_bytes(bytes(data))


def bring_up(cluster):
    """The cluster, and what is pulled from; returns the faults."""
    started, options, faults = time.monotonic(), node_options(), []

    def registries():
        services = Services(cluster)
        for o in options.values():
            o["roots"] = [services.public.ca]
        faults.extend(all_faults(services.private.ca.read_text()))
        binary = (cluster.run / "pause").read_bytes()
        services.storage.put("team/base", "1", Image({"app": binary, "id": b"base"}, ["/app"]))
        services.host("good.example.com")
        for f in faults:
            if f.host is not None:
                services.host(f"{f.name}.example.com", **f.host | {"pki": getattr(services, f.host.get("pki", "public"))})
            store(services, f, binary)
        services.up()
    cluster.up(NODES, options, before_nodes=registries)
    print(f"# {len(NODES)} nodes and their registries in {time.monotonic() - started:.0f} s", flush=True)
    return faults


def inject(cluster, fault):
    for node in fault.files_on or fault.nodes:
        for path, text in fault.files.items():
            cluster.nodes[node].write(f"/etc/containerd/certs.d/{path}", text)
    ns = fault.namespace
    cluster.kubectl("create", "namespace", ns)
    until(lambda: cluster.kubectl("-n", ns, "get", "serviceaccount", "default", check=False).returncode == 0, 20, f"service account in {ns}")
    account = fault.account or {}
    attach = lambda names: cluster.kubectl("-n", ns, "patch", "serviceaccount", "default", "-p", json.dumps({"imagePullSecrets": [{"name": n} for n in names]}))
    if "before" in account:
        attach(account["before"])
    cluster.kubectl("apply", "-f", "-", input=json.dumps({"apiVersion": "v1", "kind": "List", "items": manifests(fault)}))
    if "after" in account:
        attach(account["after"])


def shows(cluster, fault):
    """Whether every pod of the fault has got as far as it will."""
    get = lambda what: json.loads(cluster.kubectl("-n", fault.namespace, "get", what, "-o", "json").stdout)["items"]
    pods, events = get("pods"), get("events")
    return bool(pods) and all(pod_shows(fault, p, {e["reason"] for e in events if e["involvedObject"]["name"] == p["metadata"]["name"]}) for p in pods)


def pod_shows(fault, pod, told):
    name, status = pod["metadata"]["name"], pod["status"]
    statuses = status.get("containerStatuses", []) + status.get("initContainerStatuses", [])
    if name == "well" or name in fault.fine:
        return bool(statuses) and all(s["ready"] for s in statuses)
    if not fault.expect:
        return bool(told & {"Failed", "BackOff", "FailedScheduling"})
    waiting = [s["state"]["waiting"] for s in statuses if "waiting" in s["state"]]
    # a pull secret that does not decode shows as its own words in the reason's place
    refused = any(w["reason"] not in ("ContainerCreating", "PodInitializing") for w in waiting)
    return refused and bool(told & {"Failed", "InspectFailed", "ErrImageNeverPull"})


def seconds(cluster, fault):
    """From the making of a pod to the kubelet's first word of failure, the slowest pod's."""
    events = json.loads(cluster.kubectl("-n", fault.namespace, "get", "events", "-o", "json").stdout)["items"]
    at = lambda text: datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    first, failed = {}, {}
    for e in events:
        name, when = e["involvedObject"]["name"], e.get("firstTimestamp") or e["eventTime"]
        if when:
            first[name] = min(first.get(name, at(when)), at(when))
            if e["reason"] == "Failed":
                failed[name] = min(failed.get(name, at(when)), at(when))
    return max((failed[n] - first[n] for n in failed), default=0)


def judge(cluster, pullproof, fault):
    """(right, what it said)"""
    done = subprocess.run(cluster.enter(pullproof, "diagnose", "--kubeconfig", cluster.run / "admin.kubeconfig", "-n", fault.namespace, "-o", "json"),
                          text=True, capture_output=True, timeout=120)
    if done.returncode not in (0, 1):
        return False, f"exit {done.returncode}: {done.stderr.strip()[:300]}"
    try:
        report = json.loads(done.stdout)
    except ValueError as e:
        return False, f"no JSON ({e}): {done.stdout[:200]!r}"
    said = [(i["cause"], i["confidence"], sorted({p["name"] for p in i["affected"]["pods"]})) for i in report["incidents"]]
    words = ", ".join(f"{c} ({k})" for c, k, _ in said) or "nothing failing"
    left, wrong_confirmed = [list(e) for e in fault.expect], False
    for cause, confidence, _ in said:
        fits = next((e for e in left if cause in e), None)
        if fits:
            left.remove(fits)
        elif confidence == "confirmed":
            wrong_confirmed = True
    right = not left and len(said) == len(fault.expect) and done.returncode == (1 if fault.expect else 0)
    if any("well" in pods for _, _, pods in said):
        right, words = False, words + "; blames a pod that is well"
    if wrong_confirmed:
        words += "; WRONG AND CONFIRMED"
    return right, words


def main():
    a = argparse.ArgumentParser(prog="scripts/live-faults", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--only", action="append", default=[], metavar="NAME")
    a.add_argument("--list", action="store_true")
    a.add_argument("--keep", action="store_true")
    a.add_argument("--standing", action="store_true", help="judge again in the cluster that --keep left standing")
    a.add_argument("--save", type=Path, metavar="DIR")
    a.add_argument("--no-judge", action="store_true", help="inject and save only")
    a.add_argument("--pullproof", type=Path, default=os.environ.get("PULLPROOF"), help="the program; default: cargo build")
    args = a.parse_args()
    if args.list:
        for f in all_faults(""):
            print(f"{f.name:20} {f.title}: {'; '.join(' or '.join(e) for e in f.expect) or 'no incident'}")
        return 0
    cluster = Cluster(name="faults")
    missing = cluster.missing(NODES) + registry_missing()
    if missing or os.geteuid() != 0:
        count = len(args.only) or len(all_faults(""))
        why = f"not there: {', '.join(missing)}" if missing else "needs root"
        print(f"SKIPPED all faults: {why} (scripts/setup installs, scripts/lab components builds)")
        print(f"0 passed, 0 failed, {count} skipped")
        return 1 if os.environ.get("CI") == "true" else 0
    pullproof = args.pullproof
    if not pullproof and not args.no_judge:
        subprocess.run(["cargo", "build", "-q", "-p", "pullproof"], cwd=ROOT, check=True)
        pullproof = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "debug" / "pullproof"
    for s in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(s, lambda n, _: sys.exit(128 + n))
    passed = failed = 0
    try:
        everything = all_faults("") if args.standing else bring_up(cluster)
        faults = [f for f in everything if not args.only or f.name in args.only]
        if args.standing:
            cluster.load()
        else:
            for f in faults:
                inject(cluster, f)
        # Time-outs take their time: whoever shows first is judged first
        waiting, deadline = list(faults), time.monotonic() + 180
        while waiting:
            ready = [f for f in waiting if shows(cluster, f)]
            if not ready and time.monotonic() > deadline:
                for f in waiting:
                    failed += 1
                    print(f"FAILED {f.name:20} the fault did not show within 180 s", flush=True)
                break
            for f in ready:
                waiting.remove(f)
                shown = seconds(cluster, f)
                if args.save:
                    fixtures.save(cluster, f, args.save)
                if args.no_judge:
                    print(f"SHOWN  {f.name:20} after {shown:.0f} s", flush=True)
                    continue
                right, words = judge(cluster, pullproof, f)
                passed, failed = passed + right, failed + (not right)
                want = "; ".join(" or ".join(e) for e in f.expect) or "nothing failing"
                print(f"{'right ' if right else 'WRONG '} {f.name:20} {words}{'' if right else f' | expected {want}'} | {shown:.0f} s", flush=True)
            time.sleep(0.5)
    finally:
        if not args.keep and not args.standing:
            cluster.down()
    if not args.no_judge:
        print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
