#!/usr/bin/env python3
"""The emulators against the real programs: generated configurations, and the endpoints that were really asked.

    scripts/test differential                          # all programs, the number of CI
    lab/differential.py --pullproof FILE [--seed N] [--cases N] [--only containerd|podman|docker] [--keep DIR]

Runs in a network and mount namespace of its own, with registries on loopback addresses that write down who asked them for
what. Each case is a tree of files; the real program pulls with them, `pullproof node IMAGE --root TREE` says what it
would do, and both must agree: which addresses, in which order, verified or not, under which path. A case that differs is
made as small as still differs, and printed. Needs root, and the programs that scripts/lab builds.
"""
import argparse
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from cluster import Pki, components, until

LINES = ["1.7.35", "2.0.13", "2.1.9", "2.2.1", "2.4.2"]
NAMES = ["reg.test", "mirror.test", "other.test", "third.test"]
ADDRESS = {name: f"127.0.7.{n + 1}" for n, name in enumerate(NAMES)} | {"registry-1.docker.io": "127.0.7.9"}
TLS_PORTS, PLAIN_PORTS = (443, 5443), (80, 5000)
DIGEST = "sha256:" + "ab" * 32
# Where the real programs read; each case gets these directories anew.
OWNED = ["/etc/containerd", "/etc/docker", "/etc/containers"]


class Recorder:
    """Registries that have nothing, on every address and port; they know who came, in which order, and how."""

    def __init__(self, crt, key):
        self.seen, self.open, self.changed = [], 0, threading.Condition()
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(crt, key)
        for address in ADDRESS.values():
            for port in TLS_PORTS + PLAIN_PORTS:
                listener = socket.create_server((address, port), backlog=64)
                threading.Thread(target=self.serve, args=(listener, address, port), daemon=True).start()

    def take(self):
        """What was seen since the last time, once every connection has come to its end or to a request."""
        with self.changed:
            self.changed.wait_for(lambda: self.open == 0, timeout=10)
            seen, self.seen = self.seen, []
        return [event for visit in seen for event in visit]

    def serve(self, listener, address, port):
        while True:
            connection, _ = listener.accept()
            # The place in the order is that of the connection, whenever it is known what became of it.
            visit = []
            with self.changed:
                self.seen.append(visit)
                self.open += 1
            threading.Thread(target=self.visit, args=(connection, address, port, visit), daemon=True).start()

    def visit(self, connection, address, port, visit):
        settled = [False]

        def settle():
            if not settled[0]:
                settled[0] = True
                with self.changed:
                    self.open -= 1
                    self.changed.notify_all()
        with contextlib.suppress(OSError), connection:
            connection.settimeout(10)
            self.one(connection, address, port, visit, settle)
        settle()

    def one(self, connection, address, port, visit, settle):
        first = connection.recv(1, socket.MSG_PEEK)
        if not first:
            return
        if first == b"\x16" and port in PLAIN_PORTS:
            visit.append(("hello", address, port))
            connection.recv(65536)
            connection.sendall(b"HTTP/1.0 400 Bad Request\r\n\r\n")
            return
        if port not in TLS_PORTS:
            return self.requests(connection, "http", address, port, visit, settle)
        try:
            connection = self.tls.wrap_socket(connection, server_side=True)
            # With TLS 1.3 a client's refusal comes after the server's own end of the handshake.
            self.requests(connection, "https", address, port, visit, settle)
        except (ssl.SSLError, ConnectionError):
            visit.append(("refused", address, port))

    def requests(self, connection, scheme, address, port, visit, settle):
        buffer = b""
        while True:
            while b"\r\n\r\n" not in buffer:
                part = connection.recv(65536)
                if not part:
                    return
                buffer += part
            head, buffer = buffer.split(b"\r\n\r\n", 1)
            method, target = head.split(b"\r\n")[0].decode().split()[:2]
            path = target.split("?")[0]
            visit.append((scheme, address, port, path))
            settle()
            # A ping of /v2/ is answered well, else nobody would ask further.
            if path == "/v2/":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
                continue
            body = b"" if method == "HEAD" else b'{"errors":[{"code":"MANIFEST_UNKNOWN","message":"manifest unknown"}]}'
            connection.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


# ---- cases: {"image", "files": {path: text}} -------------------------------------------------------------------------

def url(r, plain=0.5):
    name = r.choice(NAMES)
    if r.random() < plain:
        scheme, port = r.choice([("http", ":5000"), ("http", ""), ("https", ":5000"), ("http", ":80")])
    else:
        scheme, port = r.choice([("https", ""), ("https", ":5443"), ("https", ":443")])
    path = r.choice(["", "", "", "/", "/v2", "/v2/proxy", "/proxy", "/v2/"])
    return f"{scheme}://{name}{port}{path}" if r.random() < 0.95 else f"{name}{port}{path}"


def options(r, indent=""):
    lines = []
    if r.random() < 0.35:
        lines.append('ca = ' + r.choice(['"ca.crt"', '"/etc/pki-test/ca.crt"', '["ca.crt"]', '"other.crt"', '["other.crt", "ca.crt"]']))
    if r.random() < 0.2:
        lines.append(f"skip_verify = {r.choice(['true', 'false'])}")
    if r.random() < 0.4:
        lines.append("capabilities = " + r.choice(['["pull", "resolve"]', '["pull"]', '["pull", "resolve", "push"]', '["Pull", "RESOLVE"]', "[]", '["pull", "resolve", "referrers"]']))
    if r.random() < 0.15:
        lines.append(f"override_path = {r.choice(['true', 'false'])}")
    if r.random() < 0.05:
        lines.append(r.choice(['skip_verify = "true"', 'dial_timeout = "3s"', "unknown = 1", 'ca = 7', 'dial_timeout = "x"']))
    return "".join(f"{indent}{line}\n" for line in lines)


def hosts_toml(r):
    text = options(r) if r.random() < 0.3 else ""
    if r.random() < 0.7:
        text = f'server = "{url(r)}"\n' + text
    for _ in range(r.choice([0, 1, 1, 2, 3])):
        text += f'\n[host."{url(r)}"]\n' + options(r, "  ")
    return text


def directory_names(r, registry):
    host, _, port = registry.partition(":")
    good = [f"{host}_{port}_", registry] if port else [registry]
    return r.choice(good + good + ["_default", host, f"{host}_443_", "https:"])


def hosts_tree(r, root, registry, pki, files):
    for name in {directory_names(r, registry) for _ in range(r.choice([1, 1, 2]))}:
        at = f"{root}/{name}"
        if r.random() < 0.85:
            files[f"{at}/hosts.toml"] = hosts_toml(r)
        if r.random() < 0.6:
            files[f"{at}/ca.crt"] = pki["ca"]
        if r.random() < 0.5:
            files[f"{at}/other.crt"] = r.choice([pki["other"], "no certificate\n"])
        files.setdefault(f"{at}/keep", "")


def image(r):
    registry = r.choice(["reg.test", "reg.test:5000", "reg.test:5443", "docker.io", "other.test:443"])
    name = r.choice(["app", "team/app"]) if registry != "docker.io" else r.choice(["library/app", "team/app"])
    return registry, f"{registry}/{name}" + (f"@{DIGEST}" if r.random() < 0.15 else ":1")


def containerd_case(r, pki):
    registry, named = image(r)
    version = r.choice(["", "1", "2", "2", "2", "3", "3", "4"])
    right = {"": "cri", "1": "cri", "2": '"io.containerd.grpc.v1.cri"'}.get(version, '"io.containerd.cri.v1.images"')
    section = right if r.random() < 0.85 else r.choice(['"io.containerd.grpc.v1.cri"', '"io.containerd.cri.v1.images"', "cri"])
    roots = ["/etc/containerd/certs.d", "/etc/docker/certs.d", "/etc/containerd/more.d"]
    files, text = {"/etc/pki-test/ca.crt": pki["ca"]}, f"version = {version}\n" if version else ""
    drop_in = ""
    if r.random() < 0.15:
        text += 'imports = ["/etc/containerd/conf.d/*.toml"]\n'
    body = ""
    if r.random() < 0.12:
        body += r.choice([f"[plugins.{section}]\nmax_concurrent_downloads = 5\n", f"[plugins.{section}]\nuse_local_image_pull = true\n",
                          f"[plugins.{section}]\ndiscard_unpacked_layers = true\n",
                          f"[plugins.{section}.containerd]\ndiscard_unpacked_layers = true\n",
                          f"[plugins.{section}.containerd]\ndiscard_unpacked_layers = true\n[plugins.{section}.containerd.runtimes.runc]\nruntime_type = 'io.containerd.runc.v2'\n"])
    if r.random() < 0.75:
        path = r.choice([roots[0], roots[0], roots[0], ":".join(roots[:2]), roots[2], ""])
        body += f"[plugins.{section}.registry]\nconfig_path = '{path}'\n"
        for root in path.split(":"):
            if root:
                hosts_tree(r, root, registry, pki, files)
    elif r.random() < 0.6:
        body += "".join(f"[plugins.{section}.registry.mirrors.'{r.choice([registry, registry, '*'])}']\nendpoint = [{', '.join(repr(url(r)) for _ in range(r.choice([0, 1, 2])))}]\n" for _ in range(1))
        if r.random() < 0.4:
            host = r.choice(NAMES) + r.choice(["", ":5443", ":5000"])
            body += f"[plugins.{section}.registry.configs.'{host}'.tls]\n" + r.choice(["insecure_skip_verify = true\n", "ca_file = '/etc/pki-test/ca.crt'\n"])
    else:
        hosts_tree(r, roots[0], registry, pki, files)
    if "imports" in text and r.random() < 0.8:
        drop_in, body = body, ""
        files["/etc/containerd/conf.d/10.toml"] = r.choice([text.splitlines()[0] + "\n" if version else "", ""]) + drop_in
        if r.random() < 0.5:
            text += f"[plugins.{right}]\nmax_concurrent_downloads = 3\n"
    files["/etc/containerd/config.toml"] = text + body
    return {"image": named, "files": files}


def certs_d(r, root, pki, files, hosts):
    for host in hosts:
        if r.random() < 0.5:
            files[f"{root}/{host}/{r.choice(['ca.crt', 'ca.crt', 'ca.pem', 'x.crt'])}"] = r.choice([pki["ca"], pki["ca"], pki["other"], "nothing\n"])


def podman_case(r, pki):
    registry, named = image(r)
    repository = named.split("@")[0].rsplit(":", 1)[0]
    location = lambda: r.choice(NAMES) + r.choice(["", ":5443", ":5000"]) + r.choice(["", "/proxy", "/a/b"])
    text = 'unqualified-search-registries = ["reg.test"]\n' if r.random() < 0.3 else ""
    for _ in range(r.choice([0, 1, 1, 2, 3])):
        prefix = r.choice([registry, registry, repository, repository.rsplit("/", 1)[0], "*.test", registry.split(":")[0], "third.test"])
        text += "\n[[registry]]\n" + (f'prefix = "{prefix}"\n' if r.random() < 0.8 else "")
        text += f'location = "{r.choice([prefix.replace("*.", "mirror."), location()])}"\n' if r.random() < 0.9 else ""
        text += "insecure = true\n" if r.random() < 0.4 else ""
        text += "blocked = true\n" if r.random() < 0.06 else ""
        text += "mirror-by-digest-only = true\n" if r.random() < 0.15 else ""
        for _ in range(r.choice([0, 1, 2])):
            text += f'[[registry.mirror]]\nlocation = "{location()}"\n' + ("insecure = true\n" if r.random() < 0.5 else "")
            text += f'pull-from-mirror = "{r.choice(["all", "digest-only", "tag-only"])}"\n' if r.random() < 0.2 else ""
    files = {"/etc/containers/registries.conf": text, "/etc/containers/policy.json": '{"default":[{"type":"insecureAcceptAnything"}]}\n'}
    if r.random() < 0.3:
        files["/etc/containers/registries.conf.d/50.conf"] = f'[[registry]]\nprefix = "{registry}"\nlocation = "{location()}"\ninsecure = true\n'
    hosts = [n + p for n in NAMES for p in ("", ":5443", ":443")]
    certs_d(r, "/etc/containers/certs.d", pki, files, hosts)
    certs_d(r, "/etc/docker/certs.d", pki, files, hosts)
    return {"image": named, "files": files}


def docker_case(r, pki):
    registry, named = image(r)
    daemon, files = {"features": {"containerd-snapshotter": r.random() < 0.5}}, {"/etc/pki-test/ca.crt": pki["ca"]}
    if r.random() < 0.5:
        daemon["registry-mirrors"] = [url(r).split("/v2")[0].rstrip("/") for _ in range(r.choice([1, 2]))]
        daemon["registry-mirrors"] = [m if m.startswith("http") else f"https://{m}" for m in daemon["registry-mirrors"]]
    if r.random() < 0.5:
        daemon["insecure-registries"] = [r.choice(NAMES) + r.choice(["", ":5443", ":5000", ":443"]) for _ in range(2)]
    files["/etc/docker/daemon.json"] = json.dumps(daemon, indent=2)
    certs_d(r, "/etc/docker/certs.d", pki, files, [n + p for n in NAMES for p in ("", ":5443", ":443", ":5000")] + ["docker.io"])
    if r.random() < 0.4:
        hosts_tree(r, "/etc/docker/certs.d", registry, pki, files)
    return {"image": named, "files": files}


# ---- the real programs -----------------------------------------------------------------------------------------------

def put(root: Path, files):
    for path, text in files.items():
        at = root / path.lstrip("/")
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_text(text)


def lay(case):
    for owned in OWNED + ["/etc/pki-test"]:
        for entry in Path(owned).iterdir():
            shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
    put(Path("/"), case["files"])


class Daemon:
    def __init__(self, work, argv, ready):
        self.log = open(work / "log", "w")
        self.process = subprocess.Popen([str(a) for a in argv], stdout=self.log, stderr=self.log, stdin=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while time.monotonic() < end and self.process.poll() is None and not ready():
            time.sleep(0.05)
        self.runs = self.process.poll() is None

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.log.close()


class Containerd:
    name, asked = "containerd", 0

    def __init__(self, work, version, bin):
        self.work, self.version, self.bin = work / version, version, bin
        self.work.mkdir()

    def label(self):
        return f"containerd {self.version}"

    def flags(self):
        return ["--runtime", "containerd", "--runtime-version", self.version]

    def pull(self, case, recorder):
        lay(case)
        sock = self.work / "sock"
        program = self.bin / f"containerd-{self.version}"
        answers = lambda: subprocess.run([program / "ctr", "--address", sock, "version"], capture_output=True).returncode == 0
        daemon = Daemon(self.work, [program / "containerd", "--root", self.work / "root", "--state", self.work / "state", "--address", sock], answers)
        try:
            if not daemon.runs:
                return "daemon-fails", []
            recorder.take()
            done = subprocess.run([self.bin / "crictl" / "crictl", "-t", "60s", "--runtime-endpoint", f"unix://{sock}", "--image-endpoint", f"unix://{sock}", "pull", case["image"]],
                                  text=True, capture_output=True, timeout=120)
            seen = recorder.take()
            if "unknown service runtime.v1" in done.stderr:
                return "cri-not-loaded", []
            return "ok", seen
        finally:
            daemon.stop()


class Podman:
    name, asked = "podman", 0

    def __init__(self, work):
        self.work = work

    def label(self):
        return "podman"

    def flags(self):
        return ["--runtime", "podman"]

    def pull(self, case, recorder):
        lay(case)
        recorder.take()
        subprocess.run(["skopeo", "--command-timeout", "60s", "copy", f"docker://{case['image']}", f"dir:{self.work}/copy"], capture_output=True, timeout=120)
        return "ok", recorder.take()


class Docker:
    name, asked = "docker", 0

    def __init__(self, work, bin):
        self.work, self.bin = work / "docker", bin
        (self.work / "containerd").mkdir(parents=True)
        at = self.work / "containerd"
        program, self.socket = bin / "containerd-2.2.1", at / "sock"
        lay({"files": {"/etc/containerd/config.toml": "version = 3\ndisabled_plugins = ['io.containerd.grpc.v1.cri']\n"}})
        self.containerd = Daemon(at, [program / "containerd", "--root", at / "root", "--state", at / "state", "--address", self.socket],
                                 lambda: subprocess.run([program / "ctr", "--address", self.socket, "version"], capture_output=True).returncode == 0)

    def label(self):
        return "docker 29"

    def flags(self):
        return ["--runtime", "docker", "--runtime-version", "29.0.0"]

    def pull(self, case, recorder):
        lay(case)
        sock = self.work / "docker.sock"
        ask = lambda *a: subprocess.run(["docker", "-H", f"unix://{sock}", *a], capture_output=True, timeout=120)
        daemon = Daemon(self.work, [self.bin / "moby" / "dockerd", "--bridge", "none", "--iptables=false", "--ip6tables=false", "--userland-proxy=false",
                                    "--data-root", self.work / "data", "--exec-root", self.work / "exec", "--pidfile", self.work / "pid", "-H", f"unix://{sock}",
                                    "--containerd", self.socket], lambda: ask("version").returncode == 0)
        try:
            if not daemon.runs:
                return "daemon-fails", []
            recorder.take()
            ask("pull", case["image"])
            return "ok", recorder.take()
        finally:
            daemon.stop()


# ---- what is predicted -----------------------------------------------------------------------------------------------

def predict(program, case, pullproof, work, pki):
    root = work / "tree"
    shutil.rmtree(root, ignore_errors=True)
    put(root, case["files"] | {"/etc/hosts": Path("/etc/hosts").read_text()})
    done = subprocess.run([pullproof, "node", case["image"], "--root", root, *program.flags(), "-o", "json"], text=True, capture_output=True, timeout=60)
    if done.returncode not in (0, 1):
        return f"exit {done.returncode}: {done.stderr.strip()}", []
    report = json.loads(done.stdout)
    state = report["runtime"]["state"]
    if state != "ok" or report["errors"]:
        return state, []
    tail = case["image"].rpartition("@")[2] if "@" in case["image"] else case["image"].rpartition(":")[2]
    own = case["image"].split("@")[0].split("/", 1)[1].rpartition(":")[0] if "@" not in case["image"] else case["image"].split("@")[0].split("/", 1)[1]
    events = []

    def add(*event):
        if not events or events[-1] != event:
            events.append(event)
    for e in report["endpoints"]:
        needs = {"pull"} if "@" in case["image"] else {"pull", "resolve"}
        if not needs <= set(e["capabilities"]):
            continue
        scheme, rest = e["url"].split("://", 1)
        authority, slash, path = rest.partition("/")
        host, _, port = authority.partition(":")
        address, port = ADDRESS.get(host), int(port or (443 if scheme == "https" else 80))
        if address is None:
            continue
        path = f"/{path}" if slash else ""
        # containerd cleans the path of a request.
        asked = os.path.normpath(f"{path}/{e['repository'] or own}/manifests/{tail}").replace("//", "/")
        trusted = e["skip_verify"] or any(case["files"].get(ca) == pki["ca"] for ca in e["ca"])

        def http(plain):
            if port in TLS_PORTS and plain:
                add("hello-http", address, port)
            else:
                add(plain and "http" or "https", address, port, asked)
        if scheme == "http":
            http(True)
        elif port in PLAIN_PORTS:
            add("hello", address, port)
            if e["http_fallback"]:
                http(True)
        elif trusted:
            http(False)
        else:
            add("refused", address, port)
    return state, events


def comparable(events):
    """Each event once, in order of the first time: retries, pings and second passes are not the subject."""
    kept = []
    for event in events:
        if len(event) == 4 and event[3].endswith("/v2/") or event[0] == "hello-http":
            continue
        if len(event) == 4 and "/blobs/" in event[3]:
            continue
        if event not in kept:
            kept.append(event)
    return kept


def differs(program, case, recorder, pullproof, work, pki):
    state, seen = program.pull(case, recorder)
    said, want = predict(program, case, pullproof, work, pki)
    real = (state, comparable(seen))
    # A client that speaks plain HTTP to a TLS port gets nowhere, and is not written down.
    program.asked += bool(real[1])
    return None if real == (said, comparable(want)) else {"real": real, "said": (said, comparable(want))}


def shrink(case, fails):
    """Takes lines and files away as long as the case still fails."""
    changed = True
    while changed:
        changed = False
        for path in list(case["files"]):
            lines = case["files"][path].splitlines(keepends=True)
            smaller = [{k: v for k, v in case["files"].items() if k != path}]
            smaller += [case["files"] | {path: "".join(lines[:n] + lines[n + 1:])} for n in range(len(lines))] if "BEGIN" not in case["files"][path] else []
            for files in smaller:
                candidate = case | {"files": files}
                if fails(candidate):
                    case, changed = candidate, True
                    break
            if changed:
                break
    return case


def inside(args):
    """In the namespaces: one program after the other."""
    bin = components() / "bin"
    work = Path(tempfile.mkdtemp(prefix="pullproof-differential-"))
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    for owned in OWNED + ["/etc/pki-test"]:
        os.makedirs(owned, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", owned], check=True)
    hosts = work / "hosts"
    hosts.write_text("127.0.0.1 localhost\n" + "".join(f"{a} {n}\n" for n, a in ADDRESS.items()))
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    os.environ.update({"HOME": str(work), "XDG_RUNTIME_DIR": str(work / "run")})
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        os.environ.pop(name, None)
    ours, other = Pki(work / "pki"), Pki(work / "pki-other", name="other-ca")
    crt, key = ours.issue("server", "/CN=server", "subjectAltName=" + ",".join(f"DNS:{n}" for n in ADDRESS))
    pki = {"ca": ours.ca.read_text(), "other": other.ca.read_text()}
    recorder = Recorder(crt, key)
    programs = [(Containerd(work, v, bin), containerd_case) for v in LINES if args.only in (None, "containerd")]
    if args.only in (None, "podman"):
        programs.append((Podman(work), podman_case))
    if args.only in (None, "docker"):
        programs.append((Docker(work, bin), docker_case))
    passed = failed = 0
    for program, generate in programs:
        for n in range(args.start, args.start + args.cases):
            case = generate(random.Random(f"{args.seed}-{program.name}-{n}"), pki)
            check = lambda c: differs(program, c, recorder, args.pullproof, work, pki)
            difference = check(case)
            if difference is None:
                passed += 1
                continue
            failed += 1
            small = shrink(case, check) if args.shrink else case
            print(f"FAILED {program.label()}: seed {args.seed}, case {n}: {small['image']}")
            for path, text in small["files"].items():
                print(f"--- {path}\n{text if 'BEGIN' not in text else '(a certificate)'}")
            for side, what in (check(small) or difference).items():
                print(f"  {side}: {what[0]} {what[1]}")
            sys.stdout.flush()
        print(f"{program.label()}: {args.cases} configurations, seed {args.seed}; somebody was asked in {program.asked}", flush=True)
    shutil.rmtree(work, ignore_errors=True)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--pullproof", default="target/debug/pullproof", type=lambda p: str(Path(p).resolve()))
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--start", type=int, default=0, help="the number of the first case")
    a.add_argument("--cases", type=int, default=20, help="of each program")
    a.add_argument("--only", choices=["containerd", "podman", "docker"])
    a.add_argument("--line", action="append", help="of containerd; all where not given")
    a.add_argument("--no-shrink", dest="shrink", action="store_false")
    a.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    args = a.parse_args()
    if args.line:
        LINES[:] = args.line
    if args.inside:
        inside(args)
    os.execvp("unshare", ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc", sys.executable, __file__, "--inside", *sys.argv[1:]])


if __name__ == "__main__":
    main()
