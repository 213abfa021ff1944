#!/usr/bin/env python3
"""The emulators against the real programs: generated configurations, and the endpoints that were really asked.

    scripts/test differential                          # all programs, the number of CI
    lab/differential.py --pullproof FILE [--seed N] [--cases N] [--only containerd|podman|cri-o|docker]

Runs in a network and mount namespace of its own, with registries on addresses of their own that write down who asked them
for what. Each case is a tree of files; the real program pulls with them, `pullproof node IMAGE --root TREE` says what it
would do, and both must agree: which addresses, in which order, verified or not, under which path. A case that differs is
made as small as still differs, and printed; `--vectors FILE` adds it there with the real program's answer, as
crates/emulate/tests/data/differential.jsonl has them (`--every`: also those that agree, one for each way). Needs root, and the programs
that scripts/lab builds.
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
from urllib.parse import quote

from cluster import Pki, components
from configurations import ADDRESS, PLAIN_PORTS, TLS_PORTS, containerd_case, docker_case, podman_case

LINES = ["1.7.35", "2.0.13", "2.1.9", "2.2.1", "2.4.2"]
# Where the real programs read; each case gets these directories anew.
OWNED = ["/etc/containerd", "/etc/docker", "/etc/containers"]


class Recorder:
    """Registries that have nothing, on every address and port; they know who came, in which order, and how."""

    def __init__(self, crt, key):
        self.seen, self.open, self.changed = [], 0, threading.Condition()
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(crt, key)
        for address in sorted(set(ADDRESS.values())):
            for port in TLS_PORTS + PLAIN_PORTS:
                listener = socket.create_server((address, port), backlog=64)
                threading.Thread(target=self.serve, args=(listener, address, port), daemon=True).start()

    def take(self):
        """What was seen since the last time, once every connection has come to its end or to a request."""
        with self.changed:
            self.changed.wait_for(lambda: self.open == 0, timeout=60)
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
            connection.settimeout(30)
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


def listens(path):
    """Whether a daemon is ready: each of these opens its socket when its plugins are loaded."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as s:
        s.connect(str(path))
        return True
    return False


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
    name = "containerd"

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
        daemon = Daemon(self.work, [program / "containerd", "--root", self.work / "root", "--state", self.work / "state", "--address", sock], lambda: listens(sock))
        try:
            if not daemon.runs:
                return "daemon-fails", []
            recorder.take()
            pull = [self.bin / "crictl" / "crictl", "-t", "60s", "--runtime-endpoint", f"unix://{sock}", "--image-endpoint", f"unix://{sock}", "pull", case["image"]]
            done = subprocess.run(pull, text=True, capture_output=True, timeout=120)
            while "not initialized yet" in done.stderr:
                done = subprocess.run(pull, text=True, capture_output=True, timeout=120)
            seen = recorder.take()
            if "unknown service runtime.v1" in done.stderr:
                return "cri-not-loaded", []
            return "ok", seen
        finally:
            daemon.stop()


class Podman:
    name = "podman"

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


class Crio(Podman):
    """The library that CRI-O pulls with, in its version: CRI-O itself is not to be had."""
    name = "cri-o"

    def __init__(self, work, bin):
        super().__init__(work)
        self.program = bin / "image-source" / "image-source"

    def label(self):
        return "cri-o's library"

    def flags(self):
        return ["--runtime", "cri-o"]

    def pull(self, case, recorder):
        lay(case)
        recorder.take()
        done = subprocess.run([self.program, case["image"]], text=True, capture_output=True, timeout=120)
        # CRI-O reads registries.conf at its start, and does not start with one that the library refuses.
        return "daemon-fails" if "loading registries configuration" in done.stderr else "ok", recorder.take()


def request(sock, method, path):
    """What a daemon answers to a request on its socket, until it closes."""
    with socket.socket(socket.AF_UNIX) as s:
        s.settimeout(120)
        s.connect(str(sock))
        s.sendall(f"{method} {path} HTTP/1.0\r\nHost: docker\r\nContent-Length: 0\r\n\r\n".encode())
        parts = iter(lambda: s.recv(65536), b"")
        return b"".join(parts)


class Docker:
    """Docker Engine with one of its two stores, each with data of its own."""


    def __init__(self, work, bin, image_store):
        self.name = "docker-image-store" if image_store else "docker-graphdriver"
        self.work, self.bin = work / self.name, bin
        (self.work / "containerd").mkdir(parents=True)
        at = self.work / "containerd"
        program, self.socket = bin / "containerd-2.2.1", at / "sock"
        lay({"files": {"/etc/containerd/config.toml": "version = 3\ndisabled_plugins = ['io.containerd.grpc.v1.cri']\n"}})
        self.containerd = Daemon(at, [program / "containerd", "--root", at / "root", "--state", at / "state", "--address", self.socket],
                                 lambda: listens(self.socket))

    def label(self):
        return f"docker 29 ({self.name.removeprefix('docker-')})"

    def flags(self):
        return ["--runtime", "docker", "--runtime-version", "29.0.0"]

    def pull(self, case, recorder):
        lay(case)
        sock = self.work / "docker.sock"
        daemon = Daemon(self.work, [self.bin / "moby" / "dockerd", "--bridge", "none", "--iptables=false", "--ip6tables=false", "--userland-proxy=false",
                                    "--data-root", self.work / "data", "--exec-root", self.work / "exec", "--pidfile", self.work / "pid", "-H", f"unix://{sock}",
                                    "--containerd", self.socket], lambda: listens(sock) and b" 200 " in request(sock, "GET", "/_ping"))
        try:
            if not daemon.runs:
                return "daemon-fails", []
            recorder.take()
            name, _, tail = case["image"].rpartition("@" if "@" in case["image"] else ":")
            request(sock, "POST", f"/images/create?fromImage={quote(name)}&tag={quote(tail)}")
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


def answers(program, case, recorder):
    """What the real program did: its state, and what the registries saw."""
    state, seen = program.pull(case, recorder)
    return state, comparable(seen)


def differs(program, case, recorder, pullproof, work, pki):
    real = answers(program, case, recorder)
    said, want = predict(program, case, pullproof, work, pki)
    # A client that speaks plain HTTP to a TLS port gets nowhere, and is not written down.
    return real, None if real == (said, comparable(want)) else (said, comparable(want))


def vector(program, case, real, pki, name):
    """One line of crates/emulate/tests/data/differential.jsonl."""
    names = {text: f"@{name.upper()}" for name, text in pki.items()} | {pki["client"] + pki["client-key"]: "@BOTH"}
    files = {path: names.get(text, text) for path, text in case["files"].items()}
    asked = [f"{e[0]} {e[1]}:{e[2]}{' ' + e[3] if len(e) == 4 else ''}" for e in real[1]]
    runtime, version = (program.flags() + ["", ""])[1:4:2]
    return json.dumps({"id": name, "runtime": runtime, "version": version, "image": case["image"], "files": files, "state": real[0], "asked": asked})


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
    for address in sorted({a for a in ADDRESS.values() if not a.startswith("127.")}):
        subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], check=True)
    # Several runs side by side would take each other's sockets.
    for owned in OWNED + ["/etc/pki-test", "/run/containerd", "/run/nri"]:
        os.makedirs(owned, exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", owned], check=True)
    hosts = work / "hosts"
    hosts.write_text("".join(f"{a} {n}\n" for n, a in ADDRESS.items() if n != a))
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    os.environ.update({"HOME": str(work), "XDG_RUNTIME_DIR": str(work / "run")})
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR"):
        os.environ.pop(name, None)
    ours, other = Pki(work / "pki"), Pki(work / "pki-other", name="other-ca")
    crt, key = ours.issue("server", "/CN=server", "subjectAltName=" + ",".join(f"{'IP' if n[0].isdigit() else 'DNS'}:{n}" for n in ADDRESS))
    client, client_key = ours.issue("client", "/CN=client", "extendedKeyUsage=clientAuth")
    pki = {"ca": ours.ca.read_text(), "other": other.ca.read_text(), "client": client.read_text(), "client-key": client_key.read_text()}
    recorder = Recorder(crt, key)
    programs = [(Containerd(work, v, bin), containerd_case) for v in LINES if args.only in (None, "containerd")]
    if args.only in (None, "podman"):
        programs.append((Podman(work), podman_case))
    if args.only in (None, "cri-o"):
        programs.append((Crio(work, bin), podman_case))
    if args.only in (None, "docker"):
        for image_store in (True, False):
            if args.store in (None, "image-store" if image_store else "graphdriver"):
                programs.append((Docker(work, bin, image_store), lambda r, pki, store=image_store: docker_case(r, pki, store)))
    passed = failed = 0
    for program, generate in programs:
        reached, ways, drawn, tried = 0, set(), set(), args.start
        while len(drawn) < args.cases:
            case = generate(random.Random(f"{args.seed}-{program.name}-{tried}"), pki)
            n, tried, key = tried, tried + 1, json.dumps(case, sort_keys=True)
            if key in drawn:
                continue
            drawn.add(key)
            check = lambda c: differs(program, c, recorder, args.pullproof, work, pki)
            real, said = check(case)
            new = (real[0], *real[1]) not in ways
            ways.add((real[0], *real[1]))
            reached += bool(real[1])
            passed, failed = passed + (said is None), failed + (said is not None)
            small = shrink(case, lambda c: check(c)[1] is not None) if said is not None and args.shrink else case
            if args.vectors and (said is not None or args.every and new):
                again = real if small is case else answers(program, small, recorder)
                with open(args.vectors, "a") as f:
                    print(vector(program, small, again, pki, f"{program.label()}, seed {args.seed}, case {n}"), file=f)
            if said is None:
                continue
            print(f"FAILED {program.label()}: seed {args.seed}, case {n}: {small['image']}")
            for path, text in small["files"].items():
                print(f"--- {path}\n{text if 'BEGIN' not in text else '(a certificate)'}")
            real, said = check(small) if small is not case else (real, said)
            print(f"  real: {real[0]} {real[1]}\n  said: {said and said[0]} {said and said[1]}", flush=True)
        print(f"{program.label()}: {len(drawn)} distinct configurations, seed {args.seed}; somebody was asked in {reached}, in {len(ways)} distinct ways", flush=True)
    shutil.rmtree(work, ignore_errors=True)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed else 0)


def main():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("--pullproof", default="target/debug/pullproof", type=lambda p: str(Path(p).resolve()))
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--start", type=int, default=0, help="the number of the first case")
    a.add_argument("--cases", type=int, default=20, help="of each program")
    a.add_argument("--only", choices=["containerd", "podman", "cri-o", "docker"])
    a.add_argument("--store", choices=["image-store", "graphdriver"], help="of Docker Engine; both where not given")
    a.add_argument("--vectors", type=lambda p: str(Path(p).resolve()), help="adds what differs to this file")
    a.add_argument("--every", action="store_true", help="with --vectors: adds what agrees, too, one for each way in which somebody was asked")
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
