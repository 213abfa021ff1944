"""The faults: what is broken for which pod, and which cause Pullproof must name from the cluster's API alone.

Each is one namespace with at least one pod whose real kubelet and containerd fail to pull, and (if `well`) a pod beside
it that is well. `expect` holds the acceptable causes of each incident, best first: more than one only where the API's
objects and messages leave it open. `full` is the cause that the node's own files show.
"""
import json
from dataclasses import dataclass, field

from services import EOF, GARBAGE, PLAIN, REFUSED, RESET, SERVER, SLOW, docker_config

BASE = "good.example.com/team/base:1"


@dataclass
class Fault:
    name: str
    title: str
    expect: list                     # one tuple of acceptable causes per incident
    image: str = ""                  # default: NAME.example.com/team/NAME:1
    nodes: tuple = ("a",)
    full: str = ""
    host: dict = None                # arguments of Services.host; None: no host of its own
    stored: str = "image"            # image, index-arm64, nothing, no-layer, other-layer
    files: dict = field(default_factory=dict)     # path below /etc/containerd/certs.d -> text
    files_on: tuple = ()             # nodes that get them; default: `nodes`
    secrets: list = field(default_factory=list)   # manifests
    pull_secrets: tuple = ()         # names in the pod
    account: dict = None             # imagePullSecrets of the service account `default`: {"before": [...], "after": [...]}
    pod: dict = field(default_factory=dict)       # merged into the pod's spec
    container: dict = field(default_factory=dict)  # merged into its container
    init: bool = False               # the image stands in an init container
    more: tuple = ()                 # further (image, nodes) in the same namespace
    well: bool = True                # a pod that is well stands beside
    fine: tuple = ()                 # pods that are well though they look like the others
    policy: str = "Always"

    def __post_init__(self):
        self.image = self.image or f"{self.name}.example.com/team/{self.name}:1"

    @property
    def namespace(self):
        return f"f-{self.name}"


def hosts_toml(host, ca="/etc/containerd/certs.d/{host}/ca.crt"):
    return f'server = "https://{host}"\n\n[host."https://{host}"]\n  capabilities = ["pull", "resolve"]\n  ca = "{ca.format(host=host)}"\n'


def pull_secret(name, config, namespace=None, kind="kubernetes.io/dockerconfigjson"):
    meta = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": "v1", "kind": "Secret", "type": kind, "metadata": meta, "stringData": {".dockerconfigjson": config}}


def all_faults(private_ca: str) -> list:
    """`private_ca`: the PEM of the certificate authority that no node trusts."""
    f = Fault
    html = 'default_type text/html; return 200 "<!doctype html><html><head><title>Sign in</title></head><body><form action=/login></form></body></html>";'
    refuse = lambda code, body="": f"default_type application/json; return {code} '{body}';"
    basic = {"backend": "basic"}
    return [
        # Trust
        f("private-ca", "the registry's CA is unknown to the runtime", [("tls.unknown-authority",)],
          nodes=("a", "b", "c"), host={"pki": "private"}),
        f("ca-wrong-dir", "the CA lies in another host's directory", [("tls.unknown-authority",)], full="config.host-dir-mismatch",
          nodes=("a", "b"), host={"pki": "private"}, files={"ca-wrong-dir.example.net/hosts.toml": hosts_toml("ca-wrong-dir.example.com", "ca.crt"),
                                                           "ca-wrong-dir.example.net/ca.crt": private_ca}),
        f("path-list", "config_path is a list, and the pull goes through the transfer service", [("tls.unknown-authority", "config.path-list-unsupported")],
          full="config.path-list-unsupported", nodes=("d",), host={"pki": "private"},
          files={"path-list.example.com/hosts.toml": hosts_toml("path-list.example.com"), "path-list.example.com/ca.crt": private_ca}),
        # containerd says so in its log and goes on: with the *.crt files of the directory, so the CA must not be one
        f("hosts-toml-broken", "hosts.toml does not parse", [("tls.unknown-authority",)], full="config.hosts-toml-invalid", nodes=("a", "b", "c"), host={"pki": "private"},
          files={"_corp/ca.pem": private_ca, "hosts-toml-broken.example.com/hosts.toml":
                 hosts_toml("hosts-toml-broken.example.com", "/etc/containerd/certs.d/_corp/ca.pem").replace('com"]', 'com"')}),
        f("ca-file-missing", "hosts.toml names a CA file that is not there", [("tls.ca-file-unreadable",)], nodes=("a", "b"), host={"pki": "private"},
          files={"ca-file-missing.example.com/hosts.toml": hosts_toml("ca-file-missing.example.com", "/etc/ssl/corp/missing.pem")}),
        f("one-node", "the CA is on two nodes of three", [("tls.unknown-authority", "config.missing-on-node")], full="config.missing-on-node",
          nodes=("a", "b", "c"), host={"pki": "private"}, files_on=("a", "b"), fine=("app-a", "app-b"),
          files={"one-node.example.com/hosts.toml": hosts_toml("one-node.example.com"), "one-node.example.com/ca.crt": private_ca}),
        f("expired", "the certificate has expired", [("tls.expired",)], nodes=("a", "b"),
          host={"start": "20240101000000Z", "end": "20250101000000Z"}),
        f("not-yet-valid", "the certificate is not valid yet", [("tls.not-yet-valid",)], host={"start": "20450101000000Z", "end": "20460101000000Z"}),
        f("wrong-name", "the certificate is for another name", [("tls.hostname-mismatch",)], nodes=("b",), host={"ext": "subjectAltName=DNS:other.example.com"}),
        f("cn-only", "the certificate has a common name and no alternative one", [("tls.no-san",)], nodes=("c",), host={"ext": "basicConstraints=CA:FALSE"}),
        f("ip-no-san", "the registry is asked by its address, which the certificate does not name", [("tls.no-san",)],
          image=f"{SERVER}:8444/team/ip-no-san:1", host={"port": 8444, "ext": "subjectAltName=DNS:ip-no-san.example.com"}),
        f("client-cert", "the server demands a client certificate", [("tls.client-cert-required",)], image="client-cert.example.com:7006/team/app:1", stored="nothing"),
        f("plain-http", "plain HTTP where HTTPS is asked", [("tls.http-response-to-https",)], nodes=("a", "b"), image=f"plain-http.example.com:{PLAIN}/team/app:1", stored="nothing"),
        f("not-tls", "another protocol at the port", [("tls.not-tls",)], image=f"not-tls.example.com:{GARBAGE}/team/app:1", stored="nothing"),
        f("handshake-timeout", "the handshake is never answered", [("tls.handshake-timeout",)], nodes=("c",), image=f"slow.example.com:{SLOW}/team/app:1", stored="nothing"),
        # Network
        f("name-unknown", "the registry's name does not exist", [("dns.not-found",)], nodes=("a", "b"), image="registry.nowhere.example.net/team/app:1", stored="nothing", init=True),
        f("resolver-refuses", "the name server refuses to answer", [("dns.server-failure",)], nodes=("c",), image="registry.corp.example.org/team/app:1", stored="nothing"),
        f("refused", "nothing listens at the port", [("net.refused",)], nodes=("b", "c"), image=f"refused.example.com:{REFUSED}/team/app:1", stored="nothing"),
        f("blackholed", "packets to the registry are lost", [("net.timeout",)], image="192.0.2.10/team/app:1", stored="nothing"),
        f("unreachable", "no host at the address", [("net.unreachable",)], nodes=("b",), image="10.99.0.250/team/app:1", stored="nothing"),
        f("reset", "the connection is reset", [("net.reset",)], nodes=("a", "c"), image=f"reset.example.com:{RESET}/team/app:1", stored="nothing"),
        f("eof", "the connection is closed without an answer", [("net.eof",)], image=f"eof.example.com:{EOF}/team/app:1", stored="nothing"),
        f("proxy-asks", "the proxy asks for credentials", [("proxy.auth-required",)], nodes=("d",), image="asks.example.org/team/app:1", stored="nothing"),
        f("proxy-denies", "the proxy forbids the host", [("proxy.rejected",)], nodes=("d",), image="denied.example.org/team/app:1", stored="nothing"),
        f("proxy-cannot", "the proxy cannot find the host", [("proxy.upstream-failed",)], nodes=("d",), image="down.example.org/team/app:1", stored="nothing"),
        f("proxy-dead", "the proxy itself is down", [("proxy.unreachable",)], nodes=("e",), image="any.example.org/team/app:1", stored="nothing"),
        f("token-down", "the token service is unreachable while the registry answers", [("auth.token-endpoint-unreachable",)], nodes=("a", "b"), stored="nothing",
          host={"location": f"""add_header WWW-Authenticate 'Bearer realm="https://auth.example.com:{REFUSED}/token",service="lab"' always; return 401;"""}),
        # Credentials
        f("no-secret", "nobody names a pull secret", [("auth.no-credentials",)], nodes=("a", "b"), host=basic),
        f("secret-missing", "the pod names a secret that does not exist", [("credentials.secret-missing",)], nodes=("a", "b"), host=basic, pull_secrets=("regcred",)),
        f("other-namespace", "the secret is in another namespace", [("credentials.wrong-namespace",)], host=basic, pull_secrets=("other-regcred",),
          secrets=[pull_secret("other-regcred", docker_config("other-namespace.example.com"), namespace="default")]),
        f("opaque", "the secret has the type Opaque", [("credentials.wrong-type",)], nodes=("a", "c"), host=basic, pull_secrets=("regcred",),
          secrets=[pull_secret("regcred", docker_config("opaque.example.com"), kind="Opaque")]),
        f("no-port", "the secret's host has no port", [("credentials.host-mismatch",)], nodes=("a", "b"), image="no-port.example.com:8443/team/no-port:1", host={"port": 8443, **basic},
          pull_secrets=("regcred",), secrets=[pull_secret("regcred", docker_config("no-port.example.com"))]),
        f("broken-base64", "the secret's auth does not decode", [("credentials.malformed",)], nodes=("b",), host=basic, pull_secrets=("regcred",),
          secrets=[pull_secret("regcred", docker_config("broken-base64.example.com", auth="cHVsbGVyOnNl*!"))]),
        f("wrong-password", "the password is wrong", [("auth.bad-credentials", "auth.unauthorized")], nodes=("a", "b"), host=basic, pull_secrets=("regcred",),
          secrets=[pull_secret("regcred", docker_config("wrong-password.example.com", password="0ld-lab-pw"))]),
        f("overridden", "the pod's own list hides the service account's", [("credentials.overridden-by-pod", "credentials.host-mismatch")], host=basic, pull_secrets=("mine",),
          account={"before": ["regcred"]}, secrets=[pull_secret("regcred", docker_config("overridden.example.com")), pull_secret("mine", docker_config("else.example.com"))]),
        f("predates", "the service account was mended after the pod was made", [("credentials.pod-predates-secret", "auth.no-credentials")], host=basic,
          account={"after": ["regcred"]}, secrets=[pull_secret("regcred", docker_config("predates.example.com"))]),
        f("not-attached", "the secret is there and nobody names it", [("credentials.not-attached", "auth.no-credentials")], host=basic,
          secrets=[pull_secret("regcred", docker_config("not-attached.example.com"))]),
        # Image
        f("tag-missing", "the tag does not exist, a near one does", [("manifest.unknown",)], nodes=("a", "b"), host={}, image="tag-missing.example.com/team/tag-missing:1.0.1"),
        f("repository-missing", "the repository does not exist", [("manifest.unknown", "repository.unknown")], host={}, image="repository-missing.example.com/team/none:1", stored="nothing"),
        f("digest-gone", "the digest does not exist", [("manifest.unknown",)], nodes=("c",), host={}, image="digest-gone.example.com/team/digest-gone@sha256:" + "ab" * 32),
        f("wrong-platform", "the image has no variant for the node", [("manifest.platform-missing",)], nodes=("a", "b"), host={}, stored="index-arm64"),
        f("never-pull", "the policy is Never and the image is not on the node", [("policy.never-pull",)], host={}, policy="Never"),
        f("bad-reference", "the image reference does not parse", [("reference.invalid",)], nodes=("b",), image="https://bad-reference.example.com/team/app:1", stored="nothing"),
        f("blob-missing", "the registry has lost a layer", [("blob.unknown",)], nodes=("a", "b", "c"), host={}, stored="no-layer"),
        f("digest-mismatch", "a layer has other bytes than its digest", [("blob.digest-mismatch",)], host={}, stored="other-layer"),
        # Registry
        f("rate-limited", "429", [("rate.limited",)], nodes=("a", "b"), stored="nothing", host={"location": refuse(429, '{"errors":[{"code":"TOOMANYREQUESTS","message":"rate limit exceeded"}]}')}),
        f("error-500", "500", [("registry.server-error",)], nodes=("b",), stored="nothing", host={"location": refuse(500)}),
        f("error-503", "503", [("registry.unavailable",)], nodes=("c",), stored="nothing", host={"location": refuse(503)}),
        f("forbidden", "403", [("authz.denied",)], nodes=("a", "b"), stored="nothing", host={"location": refuse(403, '{"errors":[{"code":"DENIED","message":"requested access to the resource is denied"}]}')}),
        f("html-login", "a login page answers instead of the registry", [("registry.bad-response", "registry.not-a-registry")], nodes=("a", "b"), stored="nothing", host={"location": html}),
        f("head-refused", "HEAD is refused where GET passes", [("registry.head-blocked", "authz.denied", "authz.blocked-by-gateway")], host={"extra": "if ($request_method = HEAD) { return 403; }"}),
        # Several at once, and none
        f("two-at-once", "an unknown name and an expired certificate in one namespace", [("dns.not-found",), ("tls.expired",)], nodes=("a", "b"),
          image="registry.nowhere.example.net/team/app:2", stored="nothing", more=(("expired.example.com/team/expired:1", ("b", "c")),)),
        f("decoys", "a start failure, a pod that fits no node, and a pod that is well", [], image=BASE, stored="nothing", policy="IfNotPresent",
          container={"command": ["/nowhere"]}, more=(("unscheduled", ()),)),
    ]


def manifests(fault: Fault) -> list:
    """The objects of one fault, but for what comes after the pods."""
    ns = fault.namespace

    def pod(name, image, node, spec=None, container=None, policy=fault.policy, init=False):
        c = {"name": "app", "image": image, "imagePullPolicy": policy, "resources": {}} | (container or {})
        body = {"hostNetwork": True, "terminationGracePeriodSeconds": 0, "nodeName": node,
                "tolerations": [{"operator": "Exists"}], "containers": [c]} | (spec or {})
        if init:
            body |= {"initContainers": [c], "containers": [{"name": "main", "image": BASE}]}
        if not node:
            del body["nodeName"]
            body["nodeSelector"] = {"example.com/none": "here"}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": ns, "labels": {"app": name.rsplit("-", 1)[0]}}, "spec": body}
    objects = []
    for secret in fault.secrets:
        secret = json.loads(json.dumps(secret))
        secret["metadata"].setdefault("namespace", ns)
        objects.append(secret)
    pulls = {"imagePullSecrets": [{"name": n} for n in fault.pull_secrets]} if fault.pull_secrets else {}
    for node in fault.nodes:
        objects.append(pod(f"app-{node}", fault.image, node, fault.pod | pulls, fault.container, init=fault.init))
    for i, (image, nodes) in enumerate(fault.more, 2):
        for node in nodes or ("",):
            objects.append(pod(f"app{i}-{node or 'x'}", BASE if not node else image, node))
    if fault.well:
        objects.append(pod("well", BASE, fault.nodes[0], policy="IfNotPresent"))
    return objects
