"""A node's registry configuration that is there and not in force. The API shows the symptom, the node's files the cause."""
from nodes import CERTS_D, NOBODY
from scenario import Scenario as S, confirmed, hosts_toml, likely, with_ca

ROOTS = "/etc/ssl/certs/ca-certificates.crt"
UNKNOWN = [likely("tls.unknown-authority")]
PRIVATE = {"pki": "private"}


def private(name, title, cause, files, nodes=("a",), **more):
    """A registry with a private CA, which the node's files were to make trusted."""
    return S(name, title, UNKNOWN, full=[confirmed(*([cause] if isinstance(cause, str) else cause))], files=files, nodes=nodes, **{"host": PRIVATE} | more)


def scenarios(ca):
    # As *.crt beside a hosts.toml that is not read, the CA would be found in another way: it lies elsewhere then
    elsewhere = {"_corp/ca.pem": ca.private}
    corp = f"{CERTS_D}/_corp/ca.pem"
    return [
        private("ca-wrong-dir", "the CA lies in another host's directory", "config.host-dir-mismatch", with_ca("ca-wrong-dir.example.com", ca.private, "ca-wrong-dir.example.net"),
                nodes=("a", "b")),
        private("dir-without-port", "the host's directory has no port", "config.host-dir-mismatch", with_ca("dir-without-port.example.com:8447", ca.private, "dir-without-port.example.com"),
                nodes=("a", "b"), image="dir-without-port.example.com:8447/team/dir-without-port:1", host=PRIVATE | {"port": 8447}),
        S("dir-misspelt", "the directory's name has a typing error, and the file in it the same", UNKNOWN, full=[likely("config.host-dir-mismatch")], nodes=("a", "b"), host=PRIVATE,
          files=with_ca("dir-mispselt.example.com", ca.private)),
        # 1.x shows the first error that is no 404: that of the server, which is asked again without the CA
        S("fallback-without-ca", "the tag is missing, and the registry is asked again as the server, without the CA", UNKNOWN, full=[likely("manifest.unknown", pods=("app-b",))], nodes=("b",),
          host=PRIVATE, image="fallback-without-ca.example.com/team/fallback-without-ca:2", files=with_ca("fallback-without-ca.example.com", ca.private),
          more=(("fallback-without-ca.example.com/team/fallback-without-ca:1", ("b",)),), fine=("app2-b",), off={"image": ""}),
        S("roots-not-reloaded", "the CA was added to the system's roots when the runtime had read them", UNKNOWN, full=[likely("config.not-reloaded")], nodes=("roots-read",), host=PRIVATE,
          files={ROOTS: ca.private}, look=(f"stat -c '%n %y' {ROOTS}",), quick=False),
        S("roots-in-force", "the system's roots are older than the runtime, and lack the CA", UNKNOWN, nodes=("a",), host=PRIVATE, look=(f"stat -c '%n %y' {ROOTS}",)),
        private("path-list", "config_path is a list, and the pull goes through the transfer service", "config.path-list-unsupported",
                with_ca("path-list.example.com", ca.private), nodes=("path-list",)),
        private("wrong-section", "config_path stands under a plugin that this version does not read for pulls", ("config.wrong-section", "config.version-mismatch"),
                with_ca("wrong-section.example.com", ca.private), nodes=("wrong-section",)),
        private("config-path-unset", "the host's directory is there, and no config_path", "config.path-unset", with_ca("config-path-unset.example.com", ca.private), nodes=("no-config-path",)),
        private("not-restarted", "config_path was set and containerd not restarted", "config.not-reloaded", with_ca("not-restarted.example.com", ca.private), nodes=("not-restarted",)),
        private("drop-in", "a drop-in for the sandbox's image takes the place of the section with config_path", "config.path-unset", with_ca("drop-in.example.com", ca.private), nodes=("drop-in",)),
        private("docker-dir", "the CA lies where Docker reads it", "config.wrong-file-location", {"/etc/docker/certs.d/docker-dir.example.com/ca.crt": ca.private}, nodes=("a", "b", "c")),
        S("server-port", "hosts.toml names a port where nothing listens", [likely("net.refused")], full=[likely("config.server-wrong")], nodes=("a", "b"), host={},
          files={"server-port.example.com/hosts.toml": hosts_toml(f"server-port.example.com:{NOBODY}").replace('  ca = "ca.crt"\n', "")}),
        private("hosts-toml-misnamed", "the file is called host.toml", "config.wrong-file-name",
                elsewhere | {"hosts-toml-misnamed.example.com/host.toml": hosts_toml("hosts-toml-misnamed.example.com", corp)}, nodes=("a", "c")),
        # containerd says so in its log and goes on
        private("hosts-toml-broken", "hosts.toml does not parse", "config.hosts-toml-invalid",
                elsewhere | {"hosts-toml-broken.example.com/hosts.toml": hosts_toml("hosts-toml-broken.example.com", corp).replace('com"]', 'com"')}, nodes=("a", "b", "c")),
        # 2.x takes the mark for the beginning of a key (pelletier/go-toml v2), 1.x passes over it
        private("hosts-toml-marked", "hosts.toml begins with a byte order mark", "config.hosts-toml-invalid", nodes=("a", "b", "c"), fine=("app-b",),
                files={"hosts-toml-marked.example.com/hosts.toml": "\ufeff" + hosts_toml("hosts-toml-marked.example.com", corp)} | elsewhere),
        S("hosts-toml-plural", "the table in hosts.toml is called hosts", UNKNOWN, full=[likely("config.hosts-toml-invalid")], nodes=("a", "b"), host=PRIVATE,
          files={"hosts-toml-plural.example.com/hosts.toml": hosts_toml("hosts-toml-plural.example.com", corp).replace("[host.", "[hosts.")} | elsewhere),
        S("ca-file-missing", "hosts.toml names a CA file that is not there", [likely("tls.ca-file-unreadable")], nodes=("a", "b"), host=PRIVATE,
          files={"ca-file-missing.example.com/hosts.toml": hosts_toml("ca-file-missing.example.com", "/etc/ssl/corp/missing.pem")}),
        S("ca-not-pem", "hosts.toml names a CA file that is not PEM", [likely("tls.ca-file-unreadable", "tls.unknown-authority")], nodes=("a", "b", "c"), host=PRIVATE,
          files=with_ca("ca-not-pem.example.com", "this is no certificate\n")),
    ]
