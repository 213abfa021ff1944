"""What the nodes of a cluster talk to: a name server, registries, their TLS front, a proxy, and servers that misbehave.

All run in the cluster's own network namespaces: the name server beside the control plane, everything else in one more
namespace with the address SERVER. Names below example.com lead there; nowhere.example.net does not exist; any other
name is refused by the name server.
"""
import json
import subprocess
import sys
from pathlib import Path

from cluster import API, SUBNET, Cluster, Pki, sh, until
from images import Storage

SERVER = f"{SUBNET}.200"
USER, PASSWORD = "puller", "s3cret-lab-pw"

# Ports of the odd servers below, on SERVER
RESET, EOF, PLAIN, GARBAGE, REFUSED, SLOW, CLIENT_CERT = 7001, 7002, 7003, 7004, 7009, 7005, 7006
PROXY = 3128

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
for port, act in zip(map(int, sys.argv[2].split(",")), (reset, eof, plain, garbage, slow)):
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
        self.hosts = []

    def host(self, names, location="", port=443, pki=None, subject=None, ext=None, start=None, end=None, backend="open", extra=""):
        """A TLS host: its certificate, and what stands in its `location /` instead of the registry behind it."""
        names = [names] if isinstance(names, str) else names
        tag = f"{names[0]}-{port}"
        ext = ext or "subjectAltName=" + ",".join(f"DNS:{n}" for n in names)
        crt, key = (pki or self.public).issue(tag, subject or f"/CN={names[0]}", ext, start, end)
        upstream = {"open": 5000, "basic": 5001}[backend]
        proxied = f"proxy_pass http://127.0.0.1:{upstream}; proxy_set_header Host $http_host; proxy_set_header X-Forwarded-Proto https;"
        self.hosts.append(f"""server {{
  listen {port} ssl; server_name {' '.join(names)};
  ssl_certificate {crt}; ssl_certificate_key {key};
  client_max_body_size 0; {extra}
  location / {{ {location or proxied} }}
}}""")
        return self

    def up(self):
        c, d = self.c, self.dir
        c.link(self.netns, SERVER)
        self.dns()
        for port, auth in ((5000, ""), (5001, f"auth: {{htpasswd: {{realm: lab, path: {d}/htpasswd}}}}")):
            config = d / f"registry-{port}.yml"
            config.write_text(f"version: 0.1\nlog: {{level: warn}}\nstorage: {{filesystem: {{rootdirectory: {d}/storage}}}}\n"
                              f"http: {{addr: '127.0.0.1:{port}', secret: lab}}\n{auth}\n")
        sh("htpasswd", "-Bbc", d / "htpasswd", USER, PASSWORD)
        for port in (5000, 5001):
            c.spawn(f"registry-{port}", "docker-registry", "serve", d / f"registry-{port}.yml", netns=self.netns)
        self.nginx()
        self.squid()
        self.client_cert_server()
        c.spawn("odd", sys.executable, "-c", ODD, c.run, ",".join(map(str, (RESET, EOF, PLAIN, GARBAGE, SLOW))), netns=self.netns)
        for port in (443, 5000, 5001, RESET, CLIENT_CERT, PROXY):
            until(lambda: self.listening(port), 30, f"a service at port {port}")

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
                        f"address=/example.com/{SERVER}\nlocal=/example.net/\npid-file=\nlog-facility=-\nuser=root\n")
        self.c.spawn("dnsmasq", "dnsmasq", "--conf-file=" + str(conf))

    def nginx(self):
        d = self.dir
        (d / "nginx").mkdir()
        servers = "\n".join(self.hosts)
        (d / "nginx.conf").write_text(f"""daemon off; worker_processes 1; pid {d}/nginx/pid; error_log {d}/nginx/error.log; user root;
events {{}}
http {{
  access_log {d}/nginx/access.log; default_type application/octet-stream; server_names_hash_bucket_size 128;
  client_body_temp_path {d}/nginx/b; proxy_temp_path {d}/nginx/p; fastcgi_temp_path {d}/nginx/f; uwsgi_temp_path {d}/nginx/u; scgi_temp_path {d}/nginx/s;
{servers}
}}
""")
        self.c.spawn("nginx", "nginx", "-e", d / "nginx" / "error.log", "-c", d / "nginx.conf", netns=self.netns)

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
acl denied dstdomain denied.example.org
http_access deny denied
http_access deny asks !known
http_access allow all
""")
        self.c.spawn("squid", "squid", "-N", "-f", conf, netns=self.netns)


def registry_missing():
    """The programs of the operating system that are not there."""
    names = ["docker-registry", "nginx", "htpasswd", "dnsmasq", "squid", "openssl", "nsenter", "ip", "ss", "runc", "go"]
    return [n for n in names if subprocess.run(["sh", "-c", f"command -v {n}"], capture_output=True).returncode != 0]


def docker_config(key, user=USER, password=PASSWORD, auth=None):
    """The JSON of a pull secret with one entry."""
    import base64
    auth = auth if auth is not None else base64.b64encode(f"{user}:{password}".encode()).decode()
    return json.dumps({"auths": {key: {"auth": auth}}})
