#!/usr/bin/env python3
"""`pullproof node` on real nodes: beside a kubelet and three lines of containerd, through the runtime's own pull, through a pod
on a node on which nothing can be pulled, and through the kubelet's endpoints. Afterwards nothing of it may be left.

lab/on_nodes.py --pullproof FILE     ends with `N passed, N failed, N skipped`
"""
import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

import main
from cluster import until
from nodes import KINDS, UNLIMITED, Kind
from run import Lab

# A kubelet that answers log queries. Without a journal it looks for /var/log/UNIT.log
KINDS["log-query"] = Kind("2.2.1", kubelet_config=UNLIMITED + "enableSystemLogHandler: true\nenableSystemLogQuery: true\nfeatureGates: {NodeLogQuery: true}\n",
                          before="mount -t tmpfs log /var/log; ln -s $(dirname $0)/log/containerd.log /var/log/containerd.log")
SCENARIOS = ["private-ca", "resolver-dead"]
GOOD, MISSING = "good.example.com/team/base:1", "good.example.com/team/nothing-here:1"
FAILED, PASSED = [], []


class OnNodes(Lab):
    @property
    def nodes(self):
        return list(dict.fromkeys([*super().nodes, "a", "b", "c", "log-query"]))


def check(name, holds, shown=""):
    (PASSED if holds else FAILED).append(name)
    print(f"{'right  ' if holds else 'wrong  '} {name}" + ("" if holds else f"\n          {str(shown)[-1500:]}"), flush=True)


def run(*argv, **kw):
    return subprocess.run([str(a) for a in argv], text=True, capture_output=True, timeout=180, **kw)


def tree(node):
    """What could have been changed or left on a node: names, sizes and times below what is its own (all else is this
    machine's), and its processes. What containerd keeps writing to is left out."""
    files = node.exec("sh", "-c", r"find /etc /run -xdev -not -path '/run/containerd*' -printf '%p %s %T@\n' | sort").stdout
    return files, [p for p in node.exec("ps", "-eo", "comm").stdout.split() if "pullproof" in p]


def images(node):
    return sorted(node.exec(node.bin / "ctr", "-n", "k8s.io", "images", "ls", "-q").stdout.split())


def looks(pullproof, node):
    """The command itself, on a node that works."""
    before, had = tree(node), images(node)
    seen = run(*node.enter(pullproof, "node", GOOD, "-o", "json"))
    try:
        report = json.loads(seen.stdout)
    except ValueError:
        return check(f"{node.name}: a report", False, seen.stdout + seen.stderr)
    runtime, kubelet = report["runtime"] or {}, (report["machine"] or {}).get("kubelet") or {}
    check(f"{node.name}: containerd {node.kind.containerd} answers", runtime.get("name") == "containerd" and runtime.get("version", "").split("+")[0] == node.kind.containerd, runtime)
    check(f"{node.name}: its process and its kubelet", bool(runtime.get("process")) and report["node"] == node.name and kubelet.get("endpoint", "").endswith("containerd.sock"), kubelet)
    check(f"{node.name}: the kubelet's pull records", (kubelet.get("records") or {}).get("pulled") is not None, kubelet)
    check(f"{node.name}: every rung to the registry holds", report["ladders"] and all(r["outcome"] in ("passed", "skipped") for l in report["ladders"] for r in l["rungs"]), report["ladders"])
    check(f"{node.name}: nothing was changed or left", (tree(node), images(node)) == (before, had), [set(a.splitlines()) ^ set(b.splitlines()) for a, b in [(before[0], tree(node)[0])]])


def pulls(pullproof, node):
    """--pull: the runtime's own answer, both ways."""
    done = run(*node.enter(pullproof, "node", GOOD, "--pull", "--no-probe", "-o", "json"))
    report = json.loads(done.stdout or "{}").get("pull") or {}
    check(f"{node.name}: the runtime pulls when it is asked", report.get("outcome") == "pulled" and GOOD in images(node), done)
    check(f"{node.name}: it says before what it does", GOOD in done.stderr and "containerd.sock" in done.stderr, done.stderr)
    node.exec(node.bin / "ctr", "-n", "k8s.io", "images", "rm", *[i for i in images(node) if "team/base" in i])
    done = run(*node.enter(pullproof, "node", MISSING, "--pull", "--no-probe", "-o", "json"))
    report = json.loads(done.stdout or "{}").get("pull") or {}
    words = (report.get("error") or "")
    check(f"{node.name}: the runtime's own words when it cannot", report.get("outcome") == "failed" and "not found" in words and done.returncode == 1, done)
    check(f"{node.name}: and what they mean", report.get("cause") in ("manifest.unknown", "repository.unknown"), report)


def through_pod(lab, pullproof):
    """A node whose name server is dead: no image can be pulled, and it is looked at all the same."""
    node, admin = lab.cluster.nodes["resolver-dead"], lab.cluster.run / "admin.kubeconfig"
    scenario = next(s for s in lab.scenarios if s.name == "resolver-dead")
    before, pods = tree(node), lambda: lab.cluster.kubectl("-n", "kube-system", "get", "pods", "-o", "name").stdout
    done = run(*lab.cluster.enter(pullproof, "diagnose", "--kubeconfig", admin, "-n", scenario.namespace, "--node-access=pod", "-o", "json"))
    check("pod: it is shown before it is made", "imagePullPolicy" in done.stderr, done)
    report = json.loads(done.stdout or "{}")
    blind = [b["what"] for b in report.get("blind_spots", [])]
    check("pod: the node was looked at", report.get("incidents") and not any(b == "node resolver-dead" for b in blind), (report.get("incidents"), blind, done.stderr[-800:]))
    check("pod: no pod is left", not pods().strip(), pods())
    left = lambda: node.exec("sh", "-c", "find /var/lib/kubelet/pods -name pullproof -type f 2>/dev/null; ps -eo args | grep -c '[p]ullproof node' || true").stdout.split()
    # a pod's volumes go when the kubelet next looks for those without a pod, every two minutes
    until(lambda: left() == ["0"], 180, "the kubelet to remove the pod's volume")
    check("pod: no program is left on the node", left() == ["0"], left())
    check("pod: nothing was changed or left", tree(node) == before, set(tree(node)[0].splitlines()) ^ set(before[0].splitlines()))


def through_kubelet(lab, pullproof):
    """The kubelet's own endpoints, with and without the right to them."""
    admin, kubectl = lab.cluster.run / "admin.kubeconfig", lab.cluster.kubectl
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "web", "namespace": "by-log"},
           "spec": {"nodeName": "log-query", "hostNetwork": True, "containers": [{"name": "main", "image": MISSING}]}}
    kubectl("create", "namespace", "by-log")
    until(lambda: kubectl("-n", "by-log", "get", "serviceaccount", "default", check=False).returncode == 0, 30, "service account")
    kubectl("create", "-f", "-", input=json.dumps(pod))
    failed = "jsonpath={.status.containerStatuses[0].state.waiting.reason}"
    until(lambda: "Pull" in kubectl("-n", "by-log", "get", "pod", "web", "-o", failed).stdout, 60, "the pod that fails")
    ask = lambda *more: run(*lab.cluster.enter(pullproof, "diagnose", "--kubeconfig", admin, "-n", "by-log", "--node-access=proxy", "-o", "json", *more))
    done = ask()
    report = json.loads(done.stdout or "{}")
    blind = [b for b in report.get("blind_spots", []) if "on node log-query" in b["what"]]
    check("proxy: configuration and log are served", report.get("incidents") and not blind, (blind, done.stderr))
    kubectl("apply", "-f", Path(__file__).parent.parent / "deploy" / "rbac.yaml")
    kubectl("create", "clusterrolebinding", "looker", "--clusterrole=pullproof", "--user=looker")
    blind = [b for b in json.loads(ask("--as", "looker").stdout or "{}").get("blind_spots", []) if "on node log-query" in b["what"]]
    check("proxy: what is forbidden names its rule", len(blind) == 2 and all(b["why"] == "forbidden" and "nodes/proxy" in b["needs"] for b in blind), blind)
    kubectl("create", "clusterrolebinding", "looker-proxy", "--clusterrole=pullproof-node-proxy", "--user=looker")
    until(lambda: not [b for b in json.loads(ask("--as", "looker").stdout or "{}").get("blind_spots", []) if "on node log-query" in b["what"]], 20, "the published role")
    check("proxy: the published role suffices", True)
    # a kubelet that does not answer log queries says so
    on_a = json.loads(run(*lab.cluster.enter(pullproof, "diagnose", "--kubeconfig", admin, "-n", next(s for s in lab.scenarios if s.name == "private-ca").namespace,
                                             "--node-access=proxy", "-o", "json")).stdout or "{}")
    off = [b for b in on_a.get("blind_spots", []) if b["what"].startswith("the log of containerd")]
    check("proxy: without the log query the report says what it takes", off and all("enableSystemLogQuery" in b["needs"] for b in off), on_a.get("blind_spots"))


def everything(pullproof):
    lab = OnNodes(SCENARIOS, os.environ.get("PULLPROOF_LAB_RUN", "run"))
    try:
        print(f"# {len(lab.nodes)} nodes in {lab.up():.0f} s", flush=True)
        for s, after in lab.shown():
            check(f"{s.name} shows", after is not None)
        for n in ("a", "b", "c"):
            looks(pullproof, lab.cluster.nodes[n])
        for n in ("a", "b"):
            pulls(pullproof, lab.cluster.nodes[n])
        through_pod(lab, pullproof)
        through_kubelet(lab, pullproof)
    finally:
        lab.down()


def begin():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--pullproof", type=Path, default=os.environ.get("PULLPROOF"), help="the program; default: cargo build")
    args = a.parse_args()
    pullproof = main.program(args)
    main.contained(["--pullproof", str(pullproof)], __file__)
    lab = OnNodes(SCENARIOS, "standing")
    missing = ["root"] if os.geteuid() != 0 else lab.cluster.missing(lab.nodes)
    if missing:
        print(f"SKIPPED on-nodes: not there: {', '.join(missing)}\n0 passed, 0 failed, 1 skipped")
        return 1 if os.environ.get("CI") else 0
    everything(pullproof)
    return main.total(len(PASSED), len(FAILED), [])


if __name__ == "__main__":
    sys.exit(begin())
