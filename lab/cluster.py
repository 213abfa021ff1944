"""A real Kubernetes cluster of several nodes on one machine, in ten seconds.

etcd, kube-apiserver, kube-controller-manager and kube-scheduler run in one network namespace; each node is a network,
mount, PID and UTS namespace with its own /etc, /run, /var/lib/containerd, containerd (of any version) and kubelet.
Nothing outside of these namespaces is touched, and everything ends with `down`. Needs root on Linux.

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
- Each kubelet sees the cgroups of all: what it measures for evictions and statistics grows with the square of the nodes,
  so both are off (localStorageCapacityIsolation, --housekeeping-interval).
- kube-apiserver stops gracefully and slowly: wait for it, or the next one finds its port taken.
"""
import hashlib
import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

from images import Image
from nodes import KINDS, PAUSE

SUBNET, API = "10.99.0", "10.99.0.1"
# Waits until it is told to end; with words, says them and fails
PAUSE_GO = """package main
import ("fmt"; "os"; "os/signal"; "syscall")
func main() {
	if len(os.Args) > 1 { fmt.Println(os.Args[1]); os.Exit(1) }
	c := make(chan os.Signal, 1); signal.Notify(c, syscall.SIGINT, syscall.SIGTERM); <-c
}
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


EC = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256")
RSA = ("-newkey", "rsa:2048")


class Pki:
    """A certificate authority in a folder."""

    def __init__(self, at: Path, name="lab-ca", by=None):
        """`by`: the authority that signs this one."""
        self.at = at
        at.mkdir(parents=True, exist_ok=True)
        self.ca, self.key = at / "ca.crt", at / "ca.key"
        if by and not self.ca.exists():
            crt, key = by.issue(name.replace(" ", "-"), f"/CN={name}", "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign,cRLSign")
            shutil.copy(crt, self.ca)
            shutil.copy(key, self.key)
        if not self.ca.exists():
            sh("openssl", "req", "-x509", *EC, "-nodes", "-keyout", self.key, "-out", self.ca,
               "-subj", f"/CN={name}", "-days", "3650", "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def issue(self, name, subject, ext, start=None, end=None, kind=EC):
        """(certificate, key) for an OpenSSL subject and lines of extensions; valid between two times, or ten years."""
        crt, key, csr, cnf = (self.at / f"{name}.{e}" for e in ("crt", "key", "csr", "ext"))
        if crt.exists():
            return crt, key
        sh("openssl", "req", *kind, "-nodes", "-keyout", key, "-out", csr, "-subj", subject)
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
    """One node of a kind: its namespaces, its containerd and its kubelet."""

    def __init__(self, cluster, name, index):
        self.c, self.name, self.kind, self.ip = cluster, name, KINDS[name], f"{SUBNET}.{10 + index}"
        self.netns, self.dir = f"{cluster.netns}-{name}", cluster.run / "nodes" / name
        self.bin = cluster.bin / self.kind.build

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

    def up(self, roots):
        """Starts the node. `roots`: certificates added to its system roots."""
        d, kind = self.dir, self.kind
        shutil.rmtree(d, ignore_errors=True)
        for sub in ("etc.up", "etc.work", "run", "containerd", "kubelet", "log"):
            (d / sub).mkdir(parents=True)
        crt, key = self.c.pki.issue(f"kubelet-{self.name}", f"/O=system:nodes/CN=system:node:{self.name}",
                                    f"subjectAltName=IP:{self.ip},DNS:{self.name}")
        files = {
            "config.toml": kind.containerd_config(),
            "hosts": f"127.0.0.1 localhost\n{API} api\n",
            "resolv.conf": f"nameserver {kind.resolver or API}\noptions {'timeout:1 attempts:1' if kind.resolver else 'timeout:5 attempts:3'}\n",
            "cni.conflist": json.dumps({"cniVersion": "1.0.0", "name": "lab", "plugins": [{"type": "bridge", "ipam": {"type": "host-local", "subnet": "10.88.0.0/16"}}]}),
            "kubelet.kubeconfig": self.c.kubeconfig(crt, key),
            "env": "".join(f"export {k}='{v}'\n" for k, v in kind.environment.items()),
            # podman's and buildah's store, else the machine's own
            "storage.conf": '[storage]\ndriver = "vfs"\ngraphroot = "/run/containers/storage"\nrunroot = "/run/containers/run"\n',
            "date": f'#!/bin/sh\nexec /run/date -d "{kind.clock} seconds" "$@"\n',
            "roots.pem": "".join(Path(p).read_text() for p in roots),
            "kubelet.yaml": f"""apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failSwapOn: false
maxPods: 250
failCgroupV1: false
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
evictionHard: {{imagefs.available: "0%", imagefs.inodesFree: "0%", memory.available: "0%", nodefs.available: "0%", nodefs.inodesFree: "0%"}}
localStorageCapacityIsolation: false
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
authentication: {{anonymous: {{enabled: false}}, webhook: {{enabled: true}}, x509: {{clientCAFile: {self.c.pki.ca}}}}}
authorization: {{mode: Webhook}}
tlsCertFile: {crt}
tlsPrivateKeyFile: {key}
resolvConf: /etc/resolv.conf
{kind.kubelet_config}""",
        }
        store = f"mount -t tmpfs -o size={kind.store_mib}m store /var/lib/containerd" if kind.store_mib else f"mount --bind {d}/containerd /var/lib/containerd"
        # the kernel has one clock, so `date` is wrapped, and the runtime is built with an offset
        clock = f"cp /usr/bin/date /run/date; chmod +x {d}/date; mount --bind {d}/date /usr/bin/date" if kind.clock else ""
        for name, text in files.items():
            (d / name).write_text(text)
        # PID 1 of the node: everything dies with it, and its private mounts go too
        (d / "init").write_text(f"""set -e
mount --make-rprivate /
mount -t overlay node-etc -o lowerdir=/etc,upperdir={d}/etc.up,workdir={d}/etc.work /etc
mount -t tmpfs run /run
mkdir -p /var/lib/containerd /var/lib/kubelet /etc/containerd/certs.d /run/containerd
{store}
mount --bind {d}/kubelet /var/lib/kubelet
mount --make-rshared /var/lib/kubelet
cp {d}/config.toml /etc/containerd/config.toml; cp {d}/hosts /etc/hosts
# a network whose plugins are nowhere: the node is ready, and only pods on its own network start
mkdir -p /etc/cni/net.d; rm -f /etc/cni/net.d/*; cp {d}/cni.conflist /etc/cni/net.d/10-lab.conflist
rm -f /etc/resolv.conf; cp {d}/resolv.conf /etc/resolv.conf
mkdir -p /etc/containers; cp {d}/storage.conf /etc/containers/storage.conf
{clock}
cat {d}/roots.pem >> /etc/ssl/certs/ca-certificates.crt
hostname {self.name}
{kind.before}
. {d}/env
export PATH={self.bin}:$PATH
LAB_CLOCK={kind.clock} {self.bin}/containerd >> {d}/log/containerd.log 2>&1 & echo $! > /run/containerd.pid
until {self.bin}/ctr version > /dev/null 2>&1; do sleep 0.1; done
{self.bin}/ctr -n k8s.io images import {self.c.run}/pause.tar > /dev/null
BIN={self.c.bin}
{kind.after}
{self.c.bin}/kube-{kind.kubelet}/kubelet --config {d}/kubelet.yaml --kubeconfig {d}/kubelet.kubeconfig --hostname-override {self.name} --node-ip {self.ip} --housekeeping-interval 10m > {d}/log/kubelet.log 2>&1 &
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
        until(forked, 60, f"node {self.name}", pause=0.05)


def removed(group: Path) -> bool:
    """Removes a control group; False while a process is in it."""
    try:
        group.rmdir()
    except FileNotFoundError:
        pass
    except OSError:
        return False
    return True


class Cluster:
    """One cluster. Several may stand beside each other: each has its own name, folder and namespaces."""

    def __init__(self, name="default"):
        at = components()
        self.run, self.bin = at / "run" / name, at / "bin"
        self.kube = self.bin / "kube-1.36"
        self.netns = "pp-" + hashlib.sha256(str(self.run).encode()).hexdigest()[:6]
        self.pki = Pki(self.run / "pki") if self.run.exists() else None
        self.nodes = {}

    def missing(self, nodes, needs=()):
        """The programs that are not there, by what `build-components` calls them."""
        want = {name: self.bin / name for name in needs} | {"etcd": self.bin / "etcd/v3", "kube-1.36": self.kube / "kube-apiserver"}
        for kind in (KINDS[n] for n in nodes):
            want[kind.build] = self.bin / kind.build / "containerd"
            if kind.program:
                want[kind.program.split("/")[0]] = self.bin / kind.program
            want[f"kube-{kind.kubelet}"] = self.bin / f"kube-{kind.kubelet}" / "kubelet"
        return sorted(name for name, path in want.items() if not path.exists())

    def load(self):
        self.nodes = {}
        for i, name in enumerate(json.loads((self.run / "nodes.json").read_text())):
            self.nodes[name] = Node(self, name, i)
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

    def up(self, nodes: list, registries=lambda: []):
        """Brings up the control plane and the nodes; `registries` starts what they pull from, and returns their roots."""
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
        roots = registries()
        (r / "nodes.json").write_text(json.dumps(list(nodes)))
        for n in self.load().nodes.values():
            n.up(roots)
        ready = "jsonpath={range .items[*]}{.status.conditions[?(@.type=='Ready')].status} {end}"
        until(lambda: self.kubectl("get", "nodes", "-o", ready).stdout.split() == ["True"] * len(nodes), 300, "nodes")
        until(lambda: self.kubectl("get", "serviceaccount", "default", check=False).returncode == 0, 120, "service account")

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
        # who wrote what pulls depend on, without what was written
        (r / "audit.yaml").write_text(json.dumps({"apiVersion": "audit.k8s.io/v1", "kind": "Policy", "omitStages": ["RequestReceived"], "rules": [
            {"level": "Metadata", "verbs": ["create", "update", "patch", "delete"], "resources": [{"resources": ["secrets", "serviceaccounts"]}]},
            {"level": "None"}]}))
        self.spawn("apiserver", self.kube / "kube-apiserver", "--etcd-servers", "http://127.0.0.1:2379",
                   "--secure-port", 6443, "--advertise-address", API, "--tls-cert-file", crt, "--tls-private-key-file", key,
                   "--client-ca-file", self.pki.ca, "--authorization-mode", "Node,RBAC",
                   "--service-cluster-ip-range", "10.96.0.0/16", "--service-account-issuer", "https://lab",
                   "--service-account-key-file", r / "sa.pub", "--service-account-signing-key-file", r / "sa.key",
                   "--kubelet-preferred-address-types", "InternalIP", "--kubelet-client-certificate", admin, "--kubelet-client-key", admin_key,
                   "--kubelet-certificate-authority", self.pki.ca, "--allow-privileged",
                   "--audit-policy-file", r / "audit.yaml", "--audit-log-path", r / "log" / "audit.log")
        until(lambda: self.kubectl("get", "--raw", "/readyz", check=False).stdout == "ok", 180, "kube-apiserver")
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
        self.forget()

    def forget(self):
        """Removes the files of a cluster whose processes have ended."""
        # runc leaves the control groups of containers that were killed with their node, and every kubelet watches all of them
        ids = [kept.name for kept in self.run.glob("nodes/*/containerd/io.containerd.grpc.v1.cri/*/*")]
        groups = [g for i in ids for g in (*Path("/sys/fs/cgroup").glob(f"*/k8s.io/{i}"), *Path("/sys/fs/cgroup").glob(f"k8s.io/{i}"))]
        end = time.monotonic() + 10  # what was killed leaves its group a little later
        while groups and time.monotonic() < end:
            groups = [g for g in groups if not removed(g)]
            time.sleep(0.2 if groups else 0)
        for left in Path("/tmp").glob(f"{self.netns}-*"):
            shutil.rmtree(left, ignore_errors=True)
        shutil.rmtree(self.run, ignore_errors=True)
