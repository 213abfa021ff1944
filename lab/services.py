"""What the nodes of a cluster talk to: a name server, registries, their TLS front, a proxy, and servers that misbehave.

All run in the cluster's own network namespaces: the name server beside the control plane, the device that intercepts TLS
in one of its own, everything else in one more with the addresses SERVER, BEHIND (the same, past that device) and NARROW,
whose path loses large packets.
Names below example.com lead to SERVER; example.net does not exist; outside.example.org has an address that leads nowhere;
any other name is refused by the name server.
"""
import subprocess
import sys
from pathlib import Path

from cluster import API, RSA, Cluster, Pki, sh, until
from images import Storage
from nodes import BEHIND, INTERCEPTOR, NARROW, NOBODY, PROXY, SERVER

USER, PASSWORD = "puller", "s3cret-lab-pw"

# Ports of the odd servers below, on SERVER
RESET, EOF, PLAIN, GARBAGE, SLOW, CLIENT_CERT, CUT = 7001, 7002, 7003, 7004, 7005, 7006, 7007
# HAProxy in front of nothing, and of one that never answers
NO_SERVER, NO_ANSWER = 7010, 7011
# Registries behind the front end: their port, and how they ask for credentials: not at all, with a password, with a
# token of a service whose clock is so many seconds off. `replica` is two of them that share no storage.
BACKENDS = {"open": (5000, None), "basic": (5001, "htpasswd"), "token": (5002, 0), "token-ahead": (5003, 7200), "token-behind": (5004, -7200),
            "replica": (5005, None), "other-replica": (5006, None), "readonly": (5007, None)}
TOKEN_PORT = 1000  # a token service listens this far above its registry

ODD = r"""
import socket, struct, sys, threading, time
# [run folder] so that whoever started it can tell it apart
def serve(port, act):
    s = socket.create_server(("0.0.0.0", port), backlog=64)
    def loop():
        while True:
            c, _ = s.accept()
            threading.Thread(target=act, args=(c,), daemon=True).start()
    threading.Thread(target=loop, daemon=True).start()
def reset(c):
    c.recv(1)
    c.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    c.close()
def eof(c):
    c.recv(65536)
    c.close()
def plain(c):
    c.recv(65536)
    body = b"plain\n"
    c.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body))
    c.close()
def garbage(c):
    c.recv(65536)
    c.sendall(b"220 mail.example.com ESMTP ready\r\n")
    c.close()
def slow(c):
    time.sleep(600)
def cut(c):
    # half of what the registry answers, and never a later part
    asked = b"\r\n".join(l for l in c.recv(65536).split(b"\r\n") if not l.lower().startswith(b"range:"))
    r = socket.create_connection(("127.0.0.1", 5000))
    r.sendall(asked)
    answer = b"".join(iter(lambda: r.recv(65536), b""))
    head, _, body = answer.partition(b"\r\n\r\n")
    c.sendall(head + b"\r\n\r\n" + body[:len(body) // 2])
    c.close()
for port, act in zip(map(int, sys.argv[2].split(",")), (reset, eof, plain, garbage, slow, cut)):
    serve(port, act)
print("ready", flush=True)
threading.Event().wait()
"""


class Services:
    """Starts everything that is to be pulled from. `storage` is filled before `up`."""

    def __init__(self, cluster: Cluster):
        self.c, self.dir, self.netns = cluster, cluster.run / "services", f"{cluster.netns}-srv"
        self.dir.mkdir(parents=True)
        self.storage = Storage(self.dir / "storage")
        # `public` is in the nodes' system roots, `private` is not
        self.public, self.private = Pki(self.dir / "public", "Lab Public CA"), Pki(self.dir / "private", "Lab Private CA")
        # An authority below the private one, which a server must send along
        self.below = Pki(self.dir / "below", "Lab Issuing CA", by=self.private)
        # An authority with the private one's name and another key
        self.namesake = Pki(self.dir / "namesake", "Lab Private CA")
        self.hosts, self.backends = [], {"open"}

    def host(self, name, location="", port=443, pki="public", ext=None, start=None, end=None, backend="open", extra="", plain=False):
        """A host of the front end: its certificate, and what stands in its `location /` instead of the registry behind it."""
        crt, key = getattr(self, pki).issue(f"{name}-{port}", f"/CN={name}", ext or f"subjectAltName=DNS:{name}", start, end)
        self.backends.add(backend)
        upstream = "$replica" if backend == "replica" else f"127.0.0.1:{BACKENDS[backend][0]}"
        proxied = f"proxy_pass http://{upstream}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto https;"
        if backend == "replica":
            # A Go server that keeps the connection reads what it refuses to the end, where a closing one may reset it
            proxied += ' proxy_http_version 1.1; proxy_set_header Connection "";'
        tls = "" if plain else f"ssl_certificate {crt}; ssl_certificate_key {key};"
        limit = "" if "client_max_body_size" in extra else "client_max_body_size 0;"
        self.hosts.append(f"""server {{
  listen {port}{"" if plain else " ssl"}; server_name {name};
  {tls} {limit} {extra}
  location / {{ {location or proxied} }}
}}""")

    def up(self):
        c, d = self.c, self.dir
        c.link(self.netns, SERVER)
        self.dns()
        for address in (BEHIND, NARROW):
            sh("ip", "-n", self.netns, "addr", "add", f"{address}/24", "dev", "eth0")
        for chain, flag in (("INPUT", "-d"), ("OUTPUT", "-s")):  # and nobody says "fragmentation needed"
            sh(*c.enter("iptables", "-A", chain, flag, NARROW, "-m", "length", "--length", "1281:65535", "-j", "DROP", netns=self.netns))
        sh("htpasswd", "-Bbc", d / "htpasswd", USER, PASSWORD)
        if "replica" in self.backends:
            self.backends.add("other-replica")
        ports = [443, RESET, CLIENT_CERT, PROXY, NO_SERVER, NO_ANSWER]
        for name in sorted(self.backends):
            ports += self.registry(name)
        self.nginx()
        self.squid()
        self.haproxy()
        self.client_cert_server()
        c.spawn("odd", sys.executable, "-c", ODD, c.run, ",".join(map(str, (RESET, EOF, PLAIN, GARBAGE, SLOW, CUT))), netns=self.netns)
        for port in ports:
            until(lambda: self.listening(port), 120, f"a service at port {port}")

    def registry(self, name):
        """A registry, with the token service that it sends clients to; returns their ports."""
        d, (port, auth) = self.dir, BACKENDS[name]
        storage = d / name if "replica" in name else d / "storage"
        readonly = ", maintenance: {readonly: {enabled: true}}" if name == "readonly" else ""
        lines = ["version: 0.1", "log: {level: info}", f"storage: {{filesystem: {{rootdirectory: {storage}}}{readonly}}}", f"http: {{addr: '127.0.0.1:{port}', secret: lab}}"]
        # Distribution 3 where its component is built; Debian's 2.8 else
        program = [self.c.bin / "distribution" / "registry"]
        ports = [port]
        if auth == "htpasswd":
            lines.append(f"auth: {{htpasswd: {{realm: lab, path: {d}/htpasswd}}}}")
            program = ["docker-registry"]
        elif auth is not None:
            crt, key = self.private.issue("token-signer", "/CN=token-signer", "keyUsage=digitalSignature", kind=RSA)
            lines.append(f"auth: {{token: {{realm: 'https://{name}-service.example.com/token', service: lab, issuer: lab, rootcertbundle: {self.private.ca}}}}}")
            self.host(f"{name}-service.example.com", location=f"proxy_pass http://127.0.0.1:{port + TOKEN_PORT};")
            self.c.spawn(f"{name}-service", sys.executable, Path(__file__).parent / "token_service.py", self.c.run, port + TOKEN_PORT, key, crt, auth, netns=self.netns)
            ports.append(port + TOKEN_PORT)
        config = d / f"registry-{name}.yml"
        config.write_text("\n".join(lines) + "\n")
        self.c.spawn(f"registry-{name}", *program, "serve", config, netns=self.netns)
        return ports

    def intercept(self):
        """A real device that signs anew, on the way of those nodes that are routed through it: for them it has SERVER's address."""
        netns = f"{self.c.netns}-mitm"
        self.c.link(netns, INTERCEPTOR)
        for key in ("all", "eth0"):  # it must not claim that address on the bridge
            sh(*self.c.enter("sh", "-c", f"echo 1 > /proc/sys/net/ipv4/conf/{key}/arp_ignore; echo 2 > /proc/sys/net/ipv4/conf/{key}/arp_announce", netns=netns))
        sh("ip", "-n", netns, "addr", "add", f"{SERVER}/32", "dev", "lo")
        self.c.spawn("mitm", "mitmdump", "-q", "--set", f"confdir={self.dir}/mitm", "--mode", f"reverse:https://{BEHIND}", "--listen-port", 443,
                     "--ssl-insecure", netns=netns)
        until(lambda: ":443 " in sh(*self.c.enter("ss", "-Hltn", netns=netns)).stdout, 120, "the device that intercepts")

    def listening(self, port):
        return f":{port} " in sh(*self.c.enter("ss", "-Hltn", netns=self.netns)).stdout

    def client_cert_server(self):
        """A real TLS server that demands a client certificate in the handshake, as no front end with a friendly page does."""
        crt, key = self.public.issue("client-cert", "/CN=client-cert.example.com", "subjectAltName=DNS:client-cert.example.com")
        self.c.spawn("client-cert", "openssl", "s_server", "-accept", CLIENT_CERT, "-cert", crt, "-key", key, "-Verify", 1, "-verify_return_error",
                     "-CAfile", self.private.ca, "-WWW", "-quiet", netns=self.netns)

    def dns(self):
        """No upstream: what is not named here is REFUSED, and what is local and unknown does not exist."""
        conf = self.dir / "dnsmasq.conf"
        conf.write_text(f"keep-in-foreground\nno-resolv\nno-hosts\nno-daemon\nbind-interfaces\nlisten-address={API}\n"
                        f"address=/example.com/{SERVER}\naddress=/mtu-blackhole.example.com/{NARROW}\n"
                        f"address=/outside.example.org/192.0.2.10\naddress=/internal.example.org/{SERVER}\nlocal=/example.net/\npid-file=\nlog-facility=-\nuser=root\n")
        self.c.spawn("dnsmasq", "dnsmasq", "--conf-file=" + str(conf))

    def nginx(self):
        d = self.dir
        (d / "nginx").mkdir()
        servers = "\n".join(self.hosts)
        (d / "nginx.conf").write_text(f"""daemon off; worker_processes 1; pid {d}/nginx/pid; error_log {d}/nginx/error.log; user root;
events {{}}
http {{
  access_log {d}/nginx/access.log; default_type application/octet-stream; server_names_hash_bucket_size 128; server_names_hash_max_size 2048;
  # as taking turns does, but whatever else was asked before: who begins an upload goes on at the other replica
  map $request_method $replica {{ POST 127.0.0.1:{BACKENDS["replica"][0]}; default 127.0.0.1:{BACKENDS["other-replica"][0]}; }}
  client_body_temp_path {d}/nginx/b; proxy_temp_path {d}/nginx/p; fastcgi_temp_path {d}/nginx/f; uwsgi_temp_path {d}/nginx/u; scgi_temp_path {d}/nginx/s;
{servers}
}}
""")
        self.c.spawn("nginx", "nginx", "-e", d / "nginx" / "error.log", "-c", d / "nginx.conf", netns=self.netns)

    def haproxy(self):
        """Another front end: what it says itself when nothing behind it answers."""
        crt, key = self.public.issue("haproxy", "/CN=example.com", "subjectAltName=DNS:*.example.com")
        pem, conf = self.dir / "haproxy.pem", self.dir / "haproxy.cfg"
        pem.write_text(crt.read_text() + key.read_text())
        conf.write_text(f"""defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 2s
frontend none
  bind :{NO_SERVER} ssl crt {pem}
  default_backend none
frontend slow
  bind :{NO_ANSWER} ssl crt {pem}
  default_backend slow
backend none
  server registry 127.0.0.1:{NOBODY} check
backend slow
  server registry 127.0.0.1:{SLOW}
""")
        self.c.spawn("haproxy", "haproxy", "-db", "-f", conf, netns=self.netns)

    def squid(self):
        """A proxy that asks for a password for one domain, refuses another, and cannot reach a third."""
        # squid will not run as root: what it reads and writes must lie where its user may go
        d = Path("/tmp") / f"{self.c.netns}-squid"
        d.mkdir()
        d.chmod(0o755)
        (d / "squid").mkdir()
        (d / "squid").chmod(0o777)
        (d / "htpasswd").write_text((self.dir / "htpasswd").read_text())
        helper = next(p for p in ("/usr/lib/squid/basic_ncsa_auth", "/usr/libexec/squid/basic_ncsa_auth") if Path(p).exists())
        conf = self.dir / "squid.conf"
        conf.write_text(f"""http_port {PROXY}
pid_filename {d}/squid/pid
access_log none
cache_log {d}/squid/cache.log
cache deny all
coredump_dir {d}/squid
dns_nameservers {API}
shutdown_lifetime 1 seconds
auth_param basic program {helper} {d}/htpasswd
acl known proxy_auth REQUIRED
acl asks dstdomain asks.example.org
acl denied dstdomain denied.example.org internal.example.org
http_access deny denied
http_access deny asks !known
http_access allow all
""")
        self.c.spawn("squid", "squid", "-N", "-f", conf, netns=self.netns)


def registry_missing():
    """The programs of the operating system that are not there."""
    names = ["docker-registry", "nginx", "htpasswd", "dnsmasq", "squid", "openssl", "nsenter", "ip", "ss", "runc", "go", "iptables", "mitmdump", "skopeo", "curl", "haproxy", "podman", "buildah"]
    return [n for n in names if subprocess.run(["sh", "-c", f"command -v {n}"], capture_output=True).returncode != 0]
