"""Certificates: who signed them, for whom, and when."""
from nodes import SERVER
from scenario import Scenario as S, hosts_toml, likely, with_ca
from services import GARBAGE, PLAIN, SLOW

# What one asks on a node about the certificate that a server shows
SHOWN = "openssl s_client -connect {0}:443 -servername {0} -showcerts </dev/null 2>&1"


def scenarios(ca):
    private = {"pki": "private"}
    return [
        S("private-ca", "the registry's CA is unknown to the runtime",[likely("tls.unknown-authority")], well=True, nodes=("a", "b", "c"), host=private),
        S("ca-namesake", "the configured CA has the right name and another key", [likely("tls.unknown-authority")], nodes=("a", "b"), host=private,
          files=with_ca("ca-namesake.example.com", ca.namesake)),
        S("ca-missing-on-node", "the CA is on two nodes of three",[likely("tls.unknown-authority", "config.missing-on-node")],
          well=True, full=[likely("config.missing-on-node")], says=("tls.unknown-authority",), nodes=("a", "b", "c"), host=private, files_on=("a", "b"),
          fine=("app-a", "app-b"), files=with_ca("ca-missing-on-node.example.com", ca.private)),
        S("intermediate-missing", "the server does not send the intermediate certificate", [likely("tls.unknown-authority")],
          full=[likely("tls.incomplete-chain")], nodes=("a", "c"), host={"pki": "below"}, look=(SHOWN.format("intermediate-missing.example.com"),),
          files=with_ca("intermediate-missing.example.com", ca.private)),
        S("intercepted", "a device signs anew on the way of one node of three", [likely("tls.unknown-authority")], full=[likely("tls.interception")],
          nodes=("a", "b", "intercepted"), fine=("app-a", "app-b"), host={}, look=(SHOWN.format("intercepted.example.com"),), off={"nodes": ("a", "b")}),
        S("expired", "the certificate has expired",[likely("tls.expired")], well=True, nodes=("a", "b"), host={"start": "20240101000000Z", "end": "20250101000000Z"}),
        S("not-yet-valid", "the certificate is not valid yet", [likely("tls.not-yet-valid")], host={"start": "20450101000000Z", "end": "20460101000000Z"}),
        S("wrong-name", "the certificate is for another name", [likely("tls.hostname-mismatch")], nodes=("b",), host={"ext": "subjectAltName=DNS:other.example.com"}),
        S("node-clock-behind", "one node's clock is a day behind", [likely("tls.not-yet-valid", "clock.node", pods=("app-clock-behind",))],
          full=[likely("clock.node", pods=("app-clock-behind",))], says=("tls.not-yet-valid", "clock.node"), nodes=("a", "clock-behind"), fine=("app-a",), host={}, quick=False, off={"nodes": ("a",)}),
        S("node-clock-ahead", "one node's clock is twenty years ahead", [likely("tls.expired", "clock.node", pods=("app-clock-ahead",))],
          full=[likely("clock.node", pods=("app-clock-ahead",))], says=("tls.expired", "clock.node"), nodes=("a", "clock-ahead"), fine=("app-a",), host={}, quick=False, off={"nodes": ("a",)}),
        S("podman-trusts", "podman's own directory has the CA, the kubelet's runtime reads another", [likely("tls.unknown-authority")],
          full=[likely("config.wrong-file-location", "tls.unknown-authority")], nodes=("a",), host=private, files={"/etc/containers/certs.d/podman-trusts.example.com/ca.crt": ca.private},
          clients=(("shell", "podman pull podman-trusts.example.com/team/podman-trusts:1 2>&1"),)),
        S("podman-distrusts", "podman does not know the registry's CA either", [likely("tls.unknown-authority")], nodes=("c",), host=private,
          clients=(("shell", "podman pull podman-distrusts.example.com/team/podman-distrusts:1 2>&1"),)),
        # "It works on that node" is said of a node that never asked
        S("cached-proves-nothing", "the image is on one node, which never asked; no node knows the CA", [likely("tls.unknown-authority")], nodes=("a", "b", "c"),
          host=private, policy="IfNotPresent", cached_on=("a",), fine=("app-a",)),
        S("cn-only", "the certificate has a common name and no alternative one", [likely("tls.no-san")], nodes=("c",), host={"ext": "basicConstraints=CA:FALSE"}),
        S("ip-no-san", "the registry is asked by its address, which the certificate does not name", [likely("tls.no-san")],
          image=f"{SERVER}:8444/team/ip-no-san:1", host={"port": 8444, "ext": "subjectAltName=DNS:ip-no-san.example.com"},
          off={"image": "", "host": {}}),
        S("client-cert", "the server demands a client certificate", [likely("tls.client-cert-required")], image="client-cert.example.com:7006/team/app:1", stored="nothing"),
        S("plain-http", "plain HTTP where HTTPS is asked", [likely("tls.http-response-to-https")], nodes=("a", "b"), image=f"plain-http.example.com:{PLAIN}/team/app:1", stored="nothing"),
        S("https-required", "the node's configuration asks a TLS port with plain HTTP",[likely("registry.unexpected-status", "tls.https-required")], well=True,
          full=[likely("config.server-wrong", "tls.https-required")],
          nodes=("a", "b"), host={}, files={"https-required.example.com/hosts.toml": hosts_toml("https-required.example.com:443", scheme="http").replace('  ca = "ca.crt"\n', "")}),
        S("not-tls", "another protocol at the port", [likely("tls.not-tls")], image=f"not-tls.example.com:{GARBAGE}/team/app:1", stored="nothing"),
        S("handshake-timeout", "the handshake is never answered", [likely("tls.handshake-timeout")], nodes=("c",), image=f"slow.example.com:{SLOW}/team/app:1", stored="nothing"),
    ]
