#!/usr/bin/env python3
"""A real Kubernetes cluster of several nodes on one machine, in ten seconds.

etcd, kube-apiserver, kube-controller-manager and kube-scheduler run in one network namespace; each node is a network,
mount, PID and UTS namespace with its own /etc, /run, /var/lib/containerd, containerd (of any version) and kubelet.
Nothing outside of these namespaces is touched, and everything ends with `down`. Needs root on Linux.

    scripts/lab components                                  # once: builds the real programs
    scripts/lab up --node a=2.2.1 --node b=1.7.35           # then: scripts/lab kubectl get nodes
    scripts/lab exec a cat /etc/containerd/config.toml      # a command on a node
    scripts/lab down

What it takes on a small machine (each of these was found the hard way):
- `ip netns exec` mounts a fresh /sys that hides the cgroups, and the kubelet then fails with "failed to find cgroup
  mounts": enter with `nsenter --net` instead.
- cgroup v1: kubelet 1.35 and later want failCgroupV1: false. cgroupsPerQOS: false keeps several kubelets apart.
- Without CAP_SYS_RESOURCE runc cannot lower oom_score_adj ("can't get final child's PID from pipe: EOF"), so
  containerd's CRI plugin needs restrict_oom_score_adj = true.
- Dummy links may be missing, but veth and bridge work. Without CNI only hostNetwork pods start; pulls happen after the
  sandbox, so ErrImagePull needs a sandbox image that is already there: it is imported before the kubelet starts.
- containerd's address must be an absolute path ("invalid (non-empty) authority").
- A node's files must be changed from inside (`exec`): the upper side of a mounted overlay is not to be touched.
- kube-apiserver stops gracefully and slowly: wait for it, or the next one finds its port taken.
"""
import argparse
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from images import Image

SUBNET, API = "10.99.0", "10.99.0.1"
PAUSE = "lab.example.com/pause:1"
PAUSE_GO = """package main
import ("os"; "os/signal"; "syscall")
func main() { c := make(chan os.Signal, 1); signal.Notify(c, syscall.SIGINT, syscall.SIGTERM); <-c }
"""


def components() -> Path:
    """Where the real programs lie: PULLPROOF_LAB, else below the cache folder."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("PULLPROOF_LAB") or cache / "pullproof" / "lab").resolve()


def sh(*argv, check=True, **kw):
    done = subprocess.run([str(a) for a in argv], text=True, capture_output=True, **kw)
    if check and done.returncode != 0:
        raise SystemExit(f"lab: {' '.join(map(str, argv))[:200]}: exit {done.returncode}: {done.stderr.strip()[-500:]}")
    return done


def until(ready, seconds, what, pause=0.2):
    """Asks `ready` again and again; gives up loudly."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if ready():
                return
        except Exception:  # not there yet is the normal case
            pass
        time.sleep(pause)
    raise SystemExit(f"lab: {what}: not ready in {seconds} s")


class Pki:
    """A certificate authority in a folder."""

    def __init__(self, at: Path, name="lab-ca"):
        self.at = at
        at.mkdir(parents=True, exist_ok=True)
        self.ca, self.key = at / "ca.crt", at / "ca.key"
        if not self.ca.exists():
            sh("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.key, "-out", self.ca,
               "-subj", f"/CN={name}", "-days", "3650", "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def issue(self, name, subject, ext, start=None, end=None):
        """(certificate, key) for an OpenSSL subject and lines of extensions; valid between two times, or ten years."""
        crt, key, csr, cnf = (self.at / f"{name}.{e}" for e in ("crt", "key", "csr", "ext"))
        if crt.exists():
            return crt, key
        sh("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", csr, "-subj", subject)
        cnf.write_text(ext + "\n")
        if start is None:
            sh("openssl", "x509", "-req", "-in", csr, "-CA", self.ca, "-CAkey", self.key, "-CAcreateserial",
               "-days", 3650, "-out", crt, "-extfile", cnf)
            return crt, key
        # `openssl x509 -req` cannot set the start: that takes the `ca` command and its database
        db = self.at / f"{name}.db"
        db.mkdir()
        (db / "index.txt").write_text("")
        (db / "ca.cnf").write_text(f"[ca]\ndefault_ca=d\n[d]\ndatabase={db}/index.txt\nnew_certs_dir={db}\nrand_serial=yes\n"
                                   "default_md=sha256\npolicy=p\n[p]\ncommonName=optional\norganizationName=optional\n")
        sh("openssl", "ca", "-batch", "-config", db / "ca.cnf", "-in", csr, "-cert", self.ca, "-keyfile", self.key,
           "-startdate", start, "-enddate", end, "-out", crt, "-extfile", cnf, "-notext")
        return crt, key


class Node:
    """One node: its namespaces, its containerd and its kubelet."""

    def __init__(self, cluster, name, containerd, index):
        self.c, self.name, self.version, self.ip = cluster, name, containerd, f"{SUBNET}.{10 + index}"
        self.netns, self.dir = f"{cluster.netns}-{name}", cluster.run / "nodes" / name
        self.bin = cluster.bin / f"containerd-{containerd}"

    @property
    def pid(self):
        """The node's PID 1, as this machine numbers it."""
        return int((self.dir / "pid").read_text())

    def enter(self, *argv):
        return ["nsenter", "-t", str(self.pid), "--net", "--mount", "--pid", "--uts", *map(str, argv)]

    def exec(self, *argv, check=True, **kw):
        return sh(*self.enter(*argv), check=check, **kw)

    def write(self, path, text):
        self.exec("sh", "-c", f'mkdir -p "$(dirname {path})" && cat > {path}', input=text)

    def containerd_config(self, config_path="/etc/containerd/certs.d"):
        if self.version.startswith("1."):
            cri = "plugins.'io.containerd.grpc.v1.cri'"
            return (f"version = 2\n[{cri}]\nrestrict_oom_score_adj = true\nsandbox_image = '{PAUSE}'\n"
                    f"[{cri}.registry]\nconfig_path = '{config_path}'\n")
        runtime, images = "plugins.'io.containerd.cri.v1.runtime'", "plugins.'io.containerd.cri.v1.images'"
        return (f"version = 3\n[{runtime}]\nrestrict_oom_score_adj = true\n[{images}.pinned_images]\nsandbox = '{PAUSE}'\n"
                f"[{images}.registry]\nconfig_path = '{config_path}'\n")

    def up(self, config=None, kubelet="", env=None, roots=None, config_path="/etc/containerd/certs.d"):
        """Starts the node. `roots`: certificates added to its system roots; `env`: containerd's environment;
        `kubelet`: more lines of its configuration."""
        d = self.dir
        shutil.rmtree(d, ignore_errors=True)
        for sub in ("etc.up", "etc.work", "run", "containerd", "kubelet", "log"):
            (d / sub).mkdir(parents=True)
        crt, key = self.c.pki.issue(f"kubelet-{self.name}", f"/O=system:nodes/CN=system:node:{self.name}",
                                    f"subjectAltName=IP:{self.ip},DNS:{self.name}")
        files = {
            "config.toml": config or self.containerd_config(config_path),
            "hosts": f"127.0.0.1 localhost\n{API} api\n",
            "resolv.conf": f"nameserver {API}\noptions timeout:1 attempts:1\n",
            "kubelet.kubeconfig": self.c.kubeconfig(crt, key),
            "env": "".join(f"export {k}='{v}'\n" for k, v in (env or {}).items()),
            "roots.pem": "".join(Path(p).read_text() for p in roots or []),
            "kubelet.yaml": f"""apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failSwapOn: false
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
evictionHard: {{imagefs.available: "0%", imagefs.inodesFree: "0%", memory.available: "0%", nodefs.available: "0%", nodefs.inodesFree: "0%"}}
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
authentication: {{anonymous: {{enabled: false}}, webhook: {{enabled: true}}, x509: {{clientCAFile: {self.c.pki.ca}}}}}
authorization: {{mode: Webhook}}
tlsCertFile: {crt}
tlsPrivateKeyFile: {key}
resolvConf: /etc/resolv.conf
{kubelet}""",
        }
        for name, text in files.items():
            (d / name).write_text(text)
        # PID 1 of the node: everything dies with it, and its private mounts go too
        (d / "init").write_text(f"""set -e
mount --make-rprivate /
mount -t overlay node-etc -o lowerdir=/etc,upperdir={d}/etc.up,workdir={d}/etc.work /etc
mount -t tmpfs run /run
mkdir -p /var/lib/containerd /var/lib/kubelet /etc/containerd/certs.d /run/containerd
mount --bind {d}/containerd /var/lib/containerd
mount --bind {d}/kubelet /var/lib/kubelet
mount --make-rshared /var/lib/kubelet
cp {d}/config.toml /etc/containerd/config.toml; cp {d}/hosts /etc/hosts
rm -f /etc/resolv.conf; cp {d}/resolv.conf /etc/resolv.conf
cat {d}/roots.pem >> /etc/ssl/certs/ca-certificates.crt
hostname {self.name}
. {d}/env
export PATH={self.bin}:$PATH
containerd() {{ {self.bin}/containerd >> {d}/log/containerd.log 2>&1 & echo $! > /run/containerd.pid; }}
containerd
until {self.bin}/ctr version > /dev/null 2>&1; do sleep 0.1; done
{self.bin}/ctr -n k8s.io images import {self.c.run}/pause.tar > /dev/null
{self.c.kube}/kubelet --config {d}/kubelet.yaml --kubeconfig {d}/kubelet.kubeconfig --hostname-override {self.name} --node-ip {self.ip} > {d}/log/kubelet.log 2>&1 &
# `kill -HUP 1` restarts containerd with what is on disk then
trap 'kill $(cat /run/containerd.pid); while kill -0 $(cat /run/containerd.pid) 2>/dev/null; do sleep 0.1; done; . {d}/env; containerd' HUP
trap 'exit 0' TERM
while :; do sleep 86400 & wait $! || true; done
""")
        self.c.link(self.netns, self.ip)
        with open(d / "log" / "init.log", "w") as log:
            p = subprocess.Popen(
                ["nsenter", f"--net=/run/netns/{self.netns}", "unshare", "--mount", "--pid", "--uts", "--fork",
                 "--kill-child", "--mount-proc", "bash", str(d / "init")],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)

        def forked():  # the forked child is the node's PID 1, once it runs bash
            children = Path(f"/proc/{p.pid}/task/{p.pid}/children").read_text().split()
            if not children or "unshare" in Path(f"/proc/{children[0]}/cmdline").read_text().split("\0")[0]:
                return False
            (d / "pid").write_text(children[0])
            return True
        until(forked, 10, f"node {self.name}", pause=0.05)

    def restart_containerd(self):
        before = self.exec("cat", "/run/containerd.pid").stdout
        os.kill(self.pid, signal.SIGHUP)
        until(lambda: self.exec("cat", "/run/containerd.pid").stdout != before
              and self.exec(self.bin / "ctr", "version", check=False).returncode == 0, 30, f"containerd on {self.name}")


class Cluster:
    """One cluster. Several may stand beside each other: each has its own name, folder and namespaces."""

    def __init__(self, at: Path = None, name="default", minor="1.36"):
        at = at or components()
        self.run, self.bin = at / "run" / name, at / "bin"
        self.kube = self.bin / f"kube-{minor}"
        self.netns = "pp-" + hashlib.sha256(str(self.run).encode()).hexdigest()[:6]
        self.pki = Pki(self.run / "pki") if self.run.exists() else None
        self.nodes = {}

    def missing(self, nodes):
        """The programs that are not there, by what `build-components` calls them."""
        want = {"etcd": self.bin / "etcd/v3", self.kube.name: self.kube / "kubelet"}
        want |= {f"containerd-{v}": self.bin / f"containerd-{v}" / "containerd" for v in nodes.values()}
        return [name for name, path in want.items() if not path.exists()]

    def load(self):
        for i, (name, version) in enumerate(json.loads((self.run / "nodes.json").read_text()).items()):
            self.nodes[name] = Node(self, name, version, i)
        return self

    def link(self, netns, ip):
        """A namespace on the cluster's bridge."""
        sh("ip", "netns", "del", netns, check=False)
        sh("ip", "netns", "add", netns)
        # named by its address: a link's name has 15 characters at most, and all lie in one namespace
        host = "v" + ip.replace(".", "")
        sh("ip", "-n", self.netns, "link", "add", host, "type", "veth", "peer", "name", "eth0", "netns", netns)
        sh("ip", "-n", self.netns, "link", "set", host, "master", "br0")
        sh("ip", "-n", self.netns, "link", "set", host, "up")
        sh("ip", "-n", netns, "link", "set", "lo", "up")
        sh("ip", "-n", netns, "addr", "add", f"{ip}/24", "dev", "eth0")
        sh("ip", "-n", netns, "link", "set", "eth0", "up")
        sh("ip", "-n", netns, "route", "add", "default", "via", API)

    def kubeconfig(self, crt, key, server=f"https://{API}:6443"):
        return json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "lab",
            "contexts": [{"name": "lab", "context": {"cluster": "lab", "user": "lab"}}],
            "clusters": [{"name": "lab", "cluster": {"server": server, "certificate-authority": str(self.pki.ca)}}],
            "users": [{"name": "lab", "user": {"client-certificate": str(crt), "client-key": str(key)}}]})

    def enter(self, *argv, netns=None):
        """A command line that runs in the control plane's network, or in another of this cluster's."""
        return ["nsenter", f"--net=/run/netns/{netns or self.netns}", *map(str, argv)]

    def spawn(self, name, *argv, netns=None, **kw):
        """A process that `down` ends, its log in run/log. Its command line must name the run folder."""
        with open(self.run / "log" / f"{name}.log", "w") as log:
            p = subprocess.Popen(self.enter(*argv, netns=netns), stdout=log, stderr=log, stdin=subprocess.DEVNULL,
                                 start_new_session=True, **kw)
        with open(self.run / "pids", "a") as f:
            f.write(f"{p.pid}\n")
        return p

    def kubectl(self, *argv, check=True, **kw):
        return sh(*self.enter(self.kube / "kubectl", "--kubeconfig", self.run / "admin.kubeconfig", *argv), check=check, **kw)

    def up(self, nodes: dict, options=None, before_nodes=lambda: None):
        """Brings up the control plane and the nodes {name: containerd version}; `options`: of Node.up, by node."""
        missing = self.missing(nodes)
        if missing:
            raise SystemExit(f"lab: not built: {', '.join(missing)}; run scripts/lab components {' '.join(missing)}")
        self.down()
        r = self.run
        (r / "log").mkdir(parents=True)
        self.pki = Pki(r / "pki")
        (r / "pause.go").write_text(PAUSE_GO)
        sh("go", "build", "-ldflags", "-s -w", "-o", r / "pause", r / "pause.go", env={**os.environ, "CGO_ENABLED": "0"})
        Image({"pause": (r / "pause").read_bytes()}, ["/pause"]).archive(r / "pause.tar", PAUSE)
        sh("ip", "netns", "add", self.netns)
        for words in ("link set lo up", "link add br0 type bridge", f"addr add {API}/24 dev br0", "link set br0 up"):
            sh("ip", "-n", self.netns, *words.split())
        self.control_plane()
        before_nodes()
        (r / "nodes.json").write_text(json.dumps(nodes))
        for n in self.load().nodes.values():
            n.up(**(options or {}).get(n.name, {}))
        ready = "jsonpath={range .items[*]}{.status.conditions[?(@.type=='Ready')].status} {end}"
        until(lambda: self.kubectl("get", "nodes", "-o", ready).stdout.split() == ["True"] * len(nodes), 90, "nodes")
        until(lambda: self.kubectl("get", "serviceaccount", "default", check=False).returncode == 0, 30, "service account")

    def control_plane(self):
        r, client = self.run, "extendedKeyUsage=clientAuth"
        for n, subject in {"admin": "/O=system:masters/CN=admin", "kcm": "/CN=system:kube-controller-manager",
                           "scheduler": "/CN=system:kube-scheduler"}.items():
            (r / f"{n}.kubeconfig").write_text(self.kubeconfig(*self.pki.issue(n, subject, client)))
        crt, key = self.pki.issue("apiserver", "/CN=kube-apiserver", f"subjectAltName=IP:127.0.0.1,IP:{API},IP:10.96.0.1")
        admin, admin_key = self.pki.issue("admin", "", client)
        sh("openssl", "genrsa", "-out", r / "sa.key", "2048")
        sh("openssl", "rsa", "-in", r / "sa.key", "-pubout", "-out", r / "sa.pub")
        self.spawn("etcd", self.bin / "etcd/v3", "--data-dir", r / "etcd", "--unsafe-no-fsync", "--log-level", "warn")
        self.spawn("apiserver", self.kube / "kube-apiserver", "--etcd-servers", "http://127.0.0.1:2379",
                   "--secure-port", 6443, "--advertise-address", API, "--tls-cert-file", crt, "--tls-private-key-file", key,
                   "--client-ca-file", self.pki.ca, "--authorization-mode", "Node,RBAC",
                   "--service-cluster-ip-range", "10.96.0.0/16", "--service-account-issuer", "https://lab",
                   "--service-account-key-file", r / "sa.pub", "--service-account-signing-key-file", r / "sa.key",
                   "--kubelet-client-certificate", admin, "--kubelet-client-key", admin_key,
                   "--kubelet-certificate-authority", self.pki.ca, "--allow-privileged")
        until(lambda: self.kubectl("get", "--raw", "/readyz", check=False).stdout == "ok", 90, "kube-apiserver")
        self.spawn("kcm", self.kube / "kube-controller-manager", "--kubeconfig", r / "kcm.kubeconfig",
                   "--service-account-private-key-file", r / "sa.key", "--root-ca-file", self.pki.ca,
                   "--use-service-account-credentials", "--leader-elect=false")
        self.spawn("scheduler", self.kube / "kube-scheduler", "--kubeconfig", r / "scheduler.kubeconfig", "--leader-elect=false")

    def down(self):
        """Ends what `up` started, and nothing else: the recorded processes, the nodes' PID namespaces, the namespaces."""
        if (self.run / "nodes.json").exists():
            for n in self.load().nodes.values():
                try:
                    os.kill(n.pid, signal.SIGKILL)
                except (ProcessLookupError, FileNotFoundError):
                    pass
        pids = [int(p) for p in (self.run / "pids").read_text().split()] if (self.run / "pids").exists() else []

        def mine(p):  # a number may have been given to another process since
            try:
                return str(self.run) in Path(f"/proc/{p}/cmdline").read_text()
            except OSError:
                return False
        for sig, wait in ((signal.SIGTERM, 3), (signal.SIGKILL, 2)):
            for p in filter(mine, pids):
                os.kill(p, sig)
            end = time.monotonic() + wait
            while any(map(mine, pids)) and time.monotonic() < end:
                time.sleep(0.1)
        for line in sh("ip", "netns", "list").stdout.splitlines():
            ns = line.split()[0]
            if ns == self.netns or ns.startswith(self.netns + "-"):
                sh("ip", "netns", "del", ns, check=False)
        for left in Path("/tmp").glob(f"{self.netns}-*"):
            shutil.rmtree(left, ignore_errors=True)
        shutil.rmtree(self.run, ignore_errors=True)


def main():
    a = argparse.ArgumentParser(prog="scripts/lab", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--name", default="default", help="which cluster, where several stand")
    commands = a.add_subparsers(dest="command", required=True)
    up = commands.add_parser("up", help="starts a cluster")
    up.add_argument("--node", action="append", default=[], metavar="NAME=CONTAINERD")
    up.add_argument("--kube", default="1.36", help="the minor version of Kubernetes")
    for name, words in {"components": "builds the real programs", "kubectl": "kubectl as administrator",
                        "exec": "a command on a node: exec NODE COMMAND..."}.items():
        commands.add_parser(name, help=words, add_help=False)
    for name, words in {"down": "ends the cluster and all that it started", "kubeconfig": "prints the kubeconfig's path",
                        "netns": "prints the network namespace from which the API is reached"}.items():
        commands.add_parser(name, help=words)
    # what follows these three is another program's, flags and all
    argv = sys.argv[1:]
    end = next((i for i, word in enumerate(argv, 1) if word in ("components", "kubectl", "exec")), len(argv))
    args, rest = a.parse_args(argv[:end]), argv[end:]
    if args.command == "components":
        build = Path(__file__).parent / "build-components"
        os.execv(build, [str(build), str(components()), *rest])
    c = Cluster(name=args.name, minor=getattr(args, "kube", "1.36"))
    if args.command == "up":
        nodes = dict(n.split("=") for n in args.node or ["a=2.2.1"])
        print(f"lab: starting {len(nodes)} nodes in {c.run}", file=sys.stderr)
        c.up(nodes)
        print(c.kubectl("get", "nodes", "-o", "wide").stdout, end="")
    elif args.command == "down":
        c.down()
    elif not c.run.exists():
        raise SystemExit(f"lab: cluster {args.name} does not stand; run scripts/lab up")
    elif args.command == "kubeconfig":
        print(c.run / "admin.kubeconfig")
    elif args.command == "netns":
        print(c.netns)
    elif args.command == "kubectl":
        argv = c.enter(c.kube / "kubectl", "--kubeconfig", c.run / "admin.kubeconfig", *rest)
        os.execvp(argv[0], argv)
    else:
        argv = c.load().nodes[rest[0]].enter(*rest[1:])
        os.execvp(argv[0], argv)


if __name__ == "__main__":
    main()
