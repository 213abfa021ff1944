//! Whole pulls against hand-made node files: each fault with its twin that has none.

mod unread;
mod unseen;

use facts::{
    CommandOutput, Event, Meta, NodeFacts, NodeFile, Observed, Origin, RuntimeVersion, Snapshot, Vantage,
};
use vocabulary::{Cause, Confidence, Runtime};

const X509: &str = "tls: failed to verify certificate: x509: certificate signed by unknown authority";
const PLAIN: &str = "http: server gave HTTP response to HTTPS client";

struct Node(Snapshot);

/// A failing pull of `r.example.com:5000/a:1`, asked at the registry itself.
fn node(version: &str, met: &str) -> Node {
    failing("r.example.com:5000/a:1", "https://r.example.com:5000/v2/a/manifests/1", version, met)
}

fn failing(image: &str, url: &str, version: &str, met: &str) -> Node {
    let message = format!(
        "Failed to pull image \"{image}\": failed to pull and unpack image \"{image}\": failed to resolve reference \"{image}\": failed to do request: Head \"{url}\": {met}"
    );
    let event = Event {
        meta: Meta { namespace: "shop".into(), name: "web.1".into(), ..Meta::default() },
        kind: "Pod".into(),
        namespace: "shop".into(),
        name: "web".into(),
        container: "app".into(),
        reason: "Failed".into(),
        severity: "Warning".into(),
        message,
        component: "kubelet".into(),
        host: "w1".into(),
        count: 4,
        last: "2026-11-30T10:00:00Z".parse().ok(),
        ..Event::default()
    };
    let facts = NodeFacts {
        name: "w1".into(),
        name_given: true,
        runtime: Some(RuntimeVersion { runtime: Runtime::Containerd, version: version.into() }),
        ..NodeFacts::default()
    };
    Node(Snapshot { events: vec![event], node_facts: vec![facts], ..Snapshot::default() })
}

impl Node {
    fn file(mut self, path: &str, text: &str) -> Self {
        let file = NodeFile { text: Observed::Seen(text.into()), ..NodeFile::default() };
        self.0.node_facts[0].files.insert(path.into(), file);
        self
    }

    fn change(mut self, change: impl FnOnce(&mut Snapshot)) -> Self {
        change(&mut self.0);
        self
    }

    fn output(mut self, command: &str, text: &str) -> Self {
        self.0.outputs.push(CommandOutput {
            vantage: Vantage { client: "x".into(), place: "w1".into() },
            node: Some("w1".into()),
            command: command.into(),
            text: text.into(),
            origin: Origin { source: "node/out.txt".into(), line: 1 },
        });
        self
    }

    fn verdict(&self) -> (Cause, Confidence) {
        let report = crate::diagnose(&self.0);
        report.incidents.first().map_or((Cause::Unknown, Confidence::Possible), |i| (i.cause, i.confidence))
    }

    fn is(&self, cause: Cause) {
        assert_eq!(self.verdict(), (cause, Confidence::Confirmed));
    }

    fn runs(self, runtime: Runtime) -> Self {
        let known = RuntimeVersion { runtime, version: "26.1.4".into() };
        self.change(|s| s.node_facts[0].runtime = Some(known))
    }

    /// No fault of the configuration is claimed.
    fn is_clean(&self) {
        let (cause, _) = self.verdict();
        assert_ne!(cause.area(), "config", "{cause}");
    }
}

const HOSTS: &str = "/etc/containerd/certs.d/r.example.com:5000/hosts.toml";
const CONFIG: &str = "/etc/containerd/config.toml";
const WITH_CA: &str =
    "server = \"https://r.example.com:5000\"\n[host.\"https://r.example.com:5000\"]\n  skip_verify = true\n";
const PLAIN_HOST: &str = "[host.\"http://r.example.com:5000\"]\n  capabilities = [\"pull\", \"resolve\"]\n";

fn old(path: &str) -> String {
    format!("version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = \"{path}\"\n")
}

fn new(path: &str) -> String {
    format!("version = 3\n[plugins.\"io.containerd.cri.v1.images\".registry]\n  config_path = \"{path}\"\n")
}

#[test]
fn a_list_is_taken_for_one_directory() {
    let list = "/etc/containerd/certs.d:/etc/docker/certs.d";
    node("2.2.1", X509).file(CONFIG, &new(list)).file(HOSTS, WITH_CA).is(Cause::ConfigPathListUnsupported);
    // The client that splits the list reads the file: what it met has another reason.
    node("2.0.4", X509).file(CONFIG, &new(list)).file(HOSTS, WITH_CA).is_clean();
    let local =
        format!("{}[plugins.\"io.containerd.cri.v1.images\"]\n  use_local_image_pull = true\n", new(list));
    node("2.2.1", X509).file(CONFIG, &local).file(HOSTS, WITH_CA).is_clean();
}

#[test]
fn sections_and_versions() {
    let mixed = new("/etc/containerd/certs.d").replace("version = 3", "version = 2");
    node("1.7.20", X509).file(CONFIG, &mixed).file(HOSTS, WITH_CA).is(Cause::ConfigWrongSection);
    let mixed = old("/etc/containerd/certs.d").replace("version = 2", "version = 3");
    node("2.1.5", X509).file(CONFIG, &mixed).file(HOSTS, WITH_CA).is(Cause::ConfigVersionMismatch);
    node("2.1.5", X509).file(CONFIG, &old("/etc/containerd/certs.d")).file(HOSTS, WITH_CA).is_clean();
}

#[test]
fn a_configuration_without_tables_has_none_that_are_ignored() {
    let excluded = |more: &str| {
        let scene = node("2.2.1", X509).file(CONFIG, &format!("{}{more}", new("/etc/containerd/certs.d")));
        let report = crate::diagnose(&scene.0);
        report.incidents[0].ruled_out.iter().any(|r| r.cause == Cause::ConfigLegacyInlineIgnored)
    };
    let table = "[plugins.\"io.containerd.cri.v1.images\".registry.configs.\"r.example.com:5000\".tls]\n  ca_file = \"/etc/ca.crt\"\n";
    assert!(excluded(""));
    assert!(!excluded(table));
}

#[test]
fn no_directory_and_another_one() {
    node("1.7.20", X509).file(CONFIG, "version = 2\n").file(HOSTS, WITH_CA).is(Cause::ConfigPathUnset);
    let there = "/opt/certs.d/r.example.com:5000/hosts.toml";
    let elsewhere =
        || node("1.7.20", X509).file(CONFIG, &old("/etc/containerd/certs.d")).file(there, WITH_CA);
    let gone = "ls: cannot access '/etc/containerd/certs.d': No such file or directory\n";
    elsewhere().output("ls /etc/containerd/certs.d", gone).is(Cause::ConfigWrongFileLocation);
    // What was not collected may be there as well.
    assert_eq!(elsewhere().verdict(), (Cause::ConfigWrongFileLocation, Confidence::Likely));
}

#[test]
fn a_ca_that_nobody_has_seen_is_no_answer_to_a_chain_that_everybody_can_see() {
    let ca = "[host.\"https://r.example.com:5000\"]\n  ca = \"/etc/ca.crt\"\n";
    let unset = || node("1.7.20", X509).file(CONFIG, "version = 2\n").file(HOSTS, ca);
    let chain = |issuer: &str| {
        let text = format!("subject=CN = r.example.com\nissuer={issuer}\n");
        let line =
            "openssl s_client -connect r.example.com:5000 </dev/null | openssl x509 -noout -subject -issuer";
        unset().output(line, &text).verdict()
    };
    unset().is(Cause::ConfigPathUnset);
    assert_eq!(chain("O = Zscaler Inc., CN = Zscaler Intermediate Root CA").0, Cause::TlsInterception);
    let unknown = chain("O = Elsewhere, CN = Other CA");
    assert!(unknown.1 != Confidence::Confirmed, "{unknown:?}");
}

#[test]
fn a_directory_of_another_program_on_the_node_is_in_no_wrong_place() {
    let ca = "/etc/containerd/certs.d/r.example.com:5000/ca.crt";
    let with = |runtime| node("", X509).runs(runtime).file(ca, "-----BEGIN CERTIFICATE-----\n");
    assert_eq!(with(Runtime::CriO).verdict(), (Cause::ConfigWrongFileLocation, Confidence::Likely));
    let gone = "ls: cannot access '/etc/containers/certs.d': No such file or directory\n\
                ls: cannot access '/etc/docker/certs.d': No such file or directory\n";
    with(Runtime::CriO)
        .output("ls /etc/containers/certs.d /etc/docker/certs.d", gone)
        .is(Cause::ConfigWrongFileLocation);
    with(Runtime::CriO).file(CONFIG, "version = 2\n").is_clean();
    with(Runtime::Docker).file(CONFIG, "disabled_plugins = [\"cri\"]\n").is_clean();
    // A containerd runs below every dockerd: whose directory it is stays open.
    assert_eq!(with(Runtime::Docker).verdict(), (Cause::ConfigWrongFileLocation, Confidence::Likely));
    // A directory without a CA would not have helped.
    let mirror = "[host.\"https://mirror.example.com\"]\n";
    let verdict = node("", X509).runs(Runtime::CriO).file(HOSTS, mirror).verdict();
    assert_ne!(verdict.1, Confidence::Confirmed);
}

#[test]
fn names_of_directories_and_files() {
    let config = old("/etc/containerd/certs.d");
    let near = "/etc/containerd/certs.d/r.example.com/hosts.toml";
    let with = |path: &str, text: &str| node("1.7.20", PLAIN).file(CONFIG, &config).file(path, text);
    assert_eq!(with(near, PLAIN_HOST).verdict(), (Cause::ConfigHostDirMismatch, Confidence::Likely));
    let root = "ls /etc/containerd/certs.d";
    with(near, PLAIN_HOST).output(root, "r.example.com\n").is(Cause::ConfigHostDirMismatch);
    let wrong = "/etc/containerd/certs.d/r.example.com:5000/host.toml";
    assert_eq!(with(wrong, PLAIN_HOST).verdict(), (Cause::ConfigWrongFileName, Confidence::Likely));
    let both = "/etc/containerd/certs.d:\nr.example.com:5000\n\n\
                /etc/containerd/certs.d/r.example.com:5000:\nhost.toml\n";
    with(wrong, PLAIN_HOST).output("ls -R /etc/containerd/certs.d", both).is(Cause::ConfigWrongFileName);
    // A file that names the registry as its server, below another host of which no image is known.
    let strange = "/etc/containerd/certs.d/r.example.net/hosts.toml";
    let server = format!("server = \"http://r.example.com:5000\"\n{PLAIN_HOST}");
    with(strange, &server).output(root, "r.example.net\n").is(Cause::ConfigHostDirMismatch);
    with(strange, PLAIN_HOST).output(root, "r.example.net\n").is_clean();
    let other = "/etc/containerd/certs.d/quay.io/hosts.toml";
    node("1.7.20", PLAIN).file(CONFIG, &config).file(other, PLAIN_HOST).is_clean();
}

#[test]
fn a_directory_with_a_typing_error_in_its_name_and_within_alike() {
    let config = old("/etc/containerd/certs.d");
    let with = |name: &str| {
        let toml =
            format!("server = \"https://{name}\"\n[host.\"https://{name}\"]\n  ca = \"/etc/corp.pem\"\n");
        failing("harbor.example.com/a:1", "https://harbor.example.com/v2/a/manifests/1", "1.7.20", X509)
            .file(CONFIG, &config)
            .file(&format!("/etc/containerd/certs.d/{name}/hosts.toml"), &toml)
    };
    assert_eq!(with("habror.example.com").verdict(), (Cause::ConfigHostDirMismatch, Confidence::Likely));
    // A registry of its own, one that has a directory, and one of which images are pulled
    assert_ne!(with("harbor2.example.com").verdict().0, Cause::ConfigHostDirMismatch);
    let beside = with("habror.example.com").file(
        "/etc/containerd/certs.d/harbor.example.com/hosts.toml",
        "server = \"https://harbor.example.com\"\n",
    );
    assert_ne!(beside.verdict().0, Cause::ConfigHostDirMismatch);
    let known = with("habror.example.com")
        .change(|s| drop(s.healthy.images.insert("habror.example.com/b:1".into(), vec!["w2".into()])));
    assert_ne!(known.verdict().0, Cause::ConfigHostDirMismatch);
}

#[test]
fn the_error_of_a_fallback_without_the_ca_hides_that_the_image_is_not_there() {
    let config = old("/etc/containerd/certs.d");
    let table = "server = \"https://harbor.example.com\"\n[host.\"https://harbor.example.com\"]\n";
    let with = |version: &str, more: &str| {
        failing("harbor.example.com/a:9", "https://harbor.example.com/v2/a/manifests/9", version, X509)
            .file(CONFIG, &config)
            .file("/etc/containerd/certs.d/harbor.example.com/hosts.toml", &format!("{table}{more}"))
    };
    let ca = "  ca = \"/etc/corp.pem\"\n";
    let runs =
        |s: &mut Snapshot| drop(s.healthy.images.insert("harbor.example.com/b:1".into(), vec!["w1".into()]));
    assert_eq!(with("1.7.20", ca).change(runs).verdict(), (Cause::ManifestUnknown, Confidence::Likely));
    // Told to another node of the same image
    let told = |s: &mut Snapshot| {
        let mut other = s.events[0].clone();
        (other.host, other.name) = ("w2".into(), "web-2".into());
        other.message = "Failed to pull image \"harbor.example.com/a:9\": rpc error: code = NotFound desc = failed to \
             pull and unpack image \"harbor.example.com/a:9\": failed to resolve image: harbor.example.com/a:9: not found"
            .into();
        s.events.push(other);
    };
    let report = crate::diagnose(&with("1.7.20", ca).change(told).0);
    let causes: Vec<Cause> = report.incidents.iter().map(|i| i.cause).collect();
    assert_eq!(causes, [Cause::ManifestUnknown]);
    // Nothing shows that the CA is the right one; no CA at all; a release that shows the 404
    let open = |scene: &Node| {
        let report = crate::diagnose(&scene.0);
        report.incidents.iter().any(|i| i.also_possible.iter().any(|c| c.cause == Cause::ManifestUnknown))
    };
    let unseen = with("1.7.20", ca);
    assert_ne!(unseen.verdict().0, Cause::ManifestUnknown);
    assert!(open(&unseen));
    for none in [with("1.7.20", "").change(runs), with("2.1.9", ca).change(runs)] {
        assert_ne!(none.verdict().0, Cause::ManifestUnknown);
        assert!(!open(&none));
    }
}

#[test]
fn a_proxy_that_the_unit_was_given_after_the_start() {
    const DROP_IN: &str = "/etc/systemd/system/containerd.service.d/http-proxy.conf";
    let unit = |proxy: &str| {
        format!("[Service]\nEnvironment=\"HTTPS_PROXY=http://{proxy}\" \"NO_PROXY=127.0.0.1\"\n")
    };
    let met = |words: &str| node("2.1.9", words).file(CONFIG, &new("/etc/containerd/certs.d"));
    let direct = "dial tcp 203.0.113.9:5000: i/o timeout";
    let old = "proxyconnect tcp: dial tcp 203.0.113.7:3128: connect: connection refused";
    let environ = "cat /proc/$(pidof containerd)/environ | tr '\\0' '\\n'";
    let likely = (Cause::ConfigNotReloaded, Confidence::Likely);
    // The words alone, and the process as it runs
    assert_eq!(met(direct).file(DROP_IN, &unit("203.0.113.8:3128")).verdict(), likely);
    assert_eq!(met(old).file(DROP_IN, &unit("203.0.113.8:3128")).verdict(), likely);
    let none = met(direct).file(DROP_IN, &unit("203.0.113.8:3128")).output(environ, "PATH=/usr/bin\n");
    assert_eq!(none.verdict(), likely);
    // In force, passed over by systemd, for other registries, and started since
    let in_force = met(old).file(DROP_IN, &unit("203.0.113.7:3128"));
    let without_section = met(direct).file(DROP_IN, &unit("203.0.113.8:3128").replace("[Service]", ""));
    let past = met(direct).file(DROP_IN, &unit("203.0.113.8:3128").replace("127.0.0.1", "example.com"));
    let restarted = met(direct)
        .file(DROP_IN, &unit("203.0.113.8:3128"))
        .output("systemctl show containerd", "ExecMainStartTimestamp=Mon 2026-11-30 09:00:00 UTC\n")
        .output("stat -c '%n %y'", &format!("{DROP_IN} 2026-11-30 08:00:00.000000000 +0000\n"));
    // The token service goes through the proxy that the registry goes past
    let token = failing("r.example.com:5000/a:1", "https://auth.example.com/token?service=r", "2.1.9", old)
        .file(CONFIG, &new("/etc/containerd/certs.d"))
        .file(DROP_IN, &unit("203.0.113.7:3128").replace("127.0.0.1", "r.example.com"));
    for twin in [in_force, without_section, past, restarted, token] {
        assert_ne!(twin.verdict().0, Cause::ConfigNotReloaded);
    }
}

#[test]
fn a_setting_of_hosts_toml_at_a_place_where_none_is_read() {
    let with = |toml: &str| {
        node("2.2.1", X509).file(CONFIG, &new("/etc/containerd/certs.d")).file(HOSTS, toml).verdict()
    };
    let host = "[host.\"https://r.example.com:5000\"]\n  capabilities = [\"pull\", \"resolve\"]\n";
    let likely = (Cause::ConfigHostsTomlInvalid, Confidence::Likely);
    for lost in [
        host.replace("[host.", "[hosts.") + "  ca = \"/etc/corp.pem\"\n",
        format!(
            "{host}  [host.\"https://r.example.com:5000\".header]\n  x-team = \"a\"\n  ca = \"/etc/corp.pem\"\n"
        ),
        format!("{host}  insecure_skip_verify = true\n"),
        format!("{host}  ca_file = \"/etc/corp.pem\"\n"),
    ] {
        assert_eq!(with(&lost), likely, "{lost}");
    }
    for read in [
        format!("{host}  ca = \"/etc/corp.pem\"\n"),
        format!("{host}# ca = \"/etc/corp.pem\"\n"),
        format!("{host}  skip_verify = false\n"),
    ] {
        assert_ne!(with(&read).0, Cause::ConfigHostsTomlInvalid, "{read}");
    }
}

#[test]
fn a_template_of_microk8s_is_read_as_it_is_filled_in() {
    let template = "/var/snap/microk8s/current/args/containerd-template.toml";
    let dir = |name: &str| format!("/var/snap/microk8s/current/args/certs.d/{name}/hosts.toml");
    let with = |name: &str| {
        node("1.7.20", PLAIN)
            .file(template, &old("${SNAP_DATA}/args/certs.d"))
            .file(&dir(name), PLAIN_HOST)
            .output("ls /var/snap/microk8s/current/args/certs.d", name)
    };
    with("r.example.com").is(Cause::ConfigHostDirMismatch);
    with("r.example.com:5000").is_clean();
    // What another variable stands for is not known.
    node("1.7.20", PLAIN).file(CONFIG, &old("${ROOT}/certs.d")).file(HOSTS, PLAIN_HOST).is_clean();
}

/// A pull by CRI-O that could not reach quay.io.
fn crio() -> Node {
    let message = "Failed to pull image \"quay.io/a:1\": initializing source docker://quay.io/a:1: pinging container registry quay.io: Get \"https://quay.io/v2/\": dial tcp 192.0.2.9:443: i/o timeout";
    failing("quay.io/a:1", "x", "", "y").runs(Runtime::CriO).change(|s| s.events[0].message = message.into())
}

const MIRRORED: &str =
    "[[registry]]\nlocation = \"quay.io\"\n[[registry.mirror]]\nlocation = \"m.example.com/quay\"\n";

#[test]
fn a_drop_in_of_cri_o_needs_its_ending() {
    crio().file("/etc/containers/registries.conf.d/mirror.toml", MIRRORED).is(Cause::ConfigWrongFileName);
    crio().file("/etc/containers/registries.conf.d/mirror.conf", MIRRORED).is_clean();
    let other = MIRRORED.replace("\"quay.io\"", "\"ghcr.io\"");
    crio().file("/etc/containers/registries.conf.d/mirror.toml", &other).is_clean();
}

#[test]
fn cri_o_reads_its_mirrors_at_its_start() {
    let path = "/etc/containers/registries.conf";
    let with = |changed: &str| {
        crio()
            .file(path, MIRRORED)
            .output("systemctl show crio", "ActiveEnterTimestamp=Mon 2026-11-30 09:00:00 UTC\n")
            .output(
                &format!("stat -c '%n %y' {path}"),
                &format!("{path} 2026-11-30 {changed}.000000000 +0000\n"),
            )
            .verdict()
    };
    assert_eq!(with("09:30:00"), (Cause::ConfigNotReloaded, Confidence::Likely));
    assert_ne!(with("08:30:00").0, Cause::ConfigNotReloaded);
}

#[test]
fn a_blocked_source_whose_mirrors_failed_has_no_way_back() {
    let with = |words: &str| {
        let text = MIRRORED.replace("[[registry.mirror]]", "blocked = true\n[[registry.mirror]]");
        crio()
            .file("/etc/containers/registries.conf", &text)
            .change(|s| s.events[0].message = format!("Failed to pull image \"quay.io/a:1\": initializing source docker://quay.io/a:1: {words}registry quay.io is blocked in /etc/containers/registries.conf or /etc/containers/registries.conf.d"))
    };
    with("(Mirrors also failed: [m.example.com/quay/a:1: reading manifest 1 in m.example.com/quay/a: manifest unknown]): quay.io/a:1: ")
        .is(Cause::ConfigDefaultNoFallback);
    with("").is_clean();
}

#[test]
fn a_drop_in_that_nothing_imports() {
    let apart = "/etc/containerd/conf.d/registry.toml";
    let with = |main: &str| {
        node("1.7.20", X509)
            .file(CONFIG, main)
            .file(apart, &old("/etc/containerd/certs.d"))
            .file(HOSTS, WITH_CA)
    };
    with("version = 2\n").is(Cause::ConfigWrongFileLocation);
    node("1.7.20", X509)
        .file(CONFIG, "version = 2\n")
        .file("/etc/containerd/config.old.toml", &old("/etc/containerd/certs.d"))
        .file(HOSTS, WITH_CA)
        .is(Cause::ConfigPathUnset);
    with("version = 2\nimports = [\"/etc/containerd/conf.d/*.toml\"]\n").is_clean();
}

#[test]
fn a_server_below_a_host_table_is_none() {
    let with = |hosts: &str| {
        failing(
            "quay.io/a:1",
            "https://quay.io/v2/a/manifests/1",
            "1.7.20",
            "dial tcp 192.0.2.1:443: i/o timeout",
        )
        .file(CONFIG, &old("/etc/containerd/certs.d"))
        .file("/etc/containerd/certs.d/quay.io/hosts.toml", hosts)
    };
    let host = "[host.\"https://a.example.com\"]\n  capabilities = [\"pull\", \"resolve\"]\n";
    with(&format!("{host}server = \"https://b.example.com\"\n")).is(Cause::ConfigHostsTomlInvalid);
    let (cause, _) = with(&format!("server = \"https://quay.io\"\n{host}")).verdict();
    assert_ne!(cause, Cause::ConfigHostsTomlInvalid);
}

#[test]
fn a_file_that_is_dropped() {
    let server_only = "server = \"https://r.example.com:5000\"\nskip_verify = true\n";
    let config = old("/etc/containerd/certs.d");
    node("1.7.20", X509).file(CONFIG, &config).file(HOSTS, server_only).is(Cause::ConfigHostsTomlInvalid);
    node("1.7.34", X509).file(CONFIG, &config).file(HOSTS, server_only).is_clean();
    // It would not have helped: the pull failed for want of something else.
    node("1.7.20", "dial tcp 192.0.2.1:5000: i/o timeout")
        .file(CONFIG, &config)
        .file(HOSTS, server_only)
        .is_clean();
}

#[test]
fn a_file_that_is_newer_than_the_process() {
    let with = |changed: &str| {
        node("1.7.20", X509)
            .file(CONFIG, &old("/etc/containerd/certs.d"))
            .file(HOSTS, WITH_CA)
            .output("systemctl show containerd", "ActiveEnterTimestamp=Mon 2026-11-30 09:00:00 UTC\n")
            .output(
                &format!("stat -c '%n %y' {CONFIG}"),
                &format!("{CONFIG} 2026-11-30 {changed}.000000000 +0000\n"),
            )
    };
    with("09:30:00").is(Cause::ConfigNotReloaded);
    with("08:30:00").is_clean();
    // Written just before the start, which `ps` puts a second or two too early.
    with("09:00:02").is_clean();
}

#[test]
fn registries_yaml_of_k3s() {
    let k3s = || node("1.7.11-k3s2", PLAIN);
    let text = "mirrors:\n  \"r.example.com:5000\":\n    endpoint:\n      - \"http://r.example.com:5000\"\n";
    let misnamed = || k3s().file("/etc/rancher/k3s/registries.yml", text);
    misnamed().output("ls /etc/rancher/k3s", "k3s.yaml\nregistries.yml\n").is(Cause::ConfigWrongFileName);
    assert_eq!(misnamed().verdict(), (Cause::ConfigWrongFileName, Confidence::Likely));
    let key = text.replace("\"r.example.com:5000\":", "docker.io:");
    k3s().file("/etc/rancher/k3s/registries.yaml", &key).is(Cause::ConfigMirrorKeyMismatch);
    let quote = text.replace("endpoint:", "endpoint\":");
    k3s().file("/etc/rancher/k3s/registries.yaml", &quote).is(Cause::ConfigRegistriesYamlStructure);
    k3s().file("/etc/rancher/k3s/registries.yaml", text).is_clean();
}

#[test]
fn nothing_is_said_of_a_node_without_files() {
    node("2.2.1", X509).is_clean();
    node("1.7.20", X509).file(HOSTS, WITH_CA).is_clean();
}

#[test]
fn a_newer_file_that_says_what_runs_is_no_cause() {
    let edited = |running: &str| {
        node("1.7.18", X509)
            .file("/etc/containerd/config.toml", "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = \"/etc/containerd/certs.d\"\n")
            .file("/etc/containerd/certs.d/r.example.com:5000/hosts.toml", "[host.\"https://r.example.com:5000\"]\n  ca = \"/etc/ca.crt\"\n")
            .output("ls -l --time-style=full-iso /etc/containerd/config.toml", "-rw-r--r-- 1 root root 188 2026-11-20 08:00:00.000000000 +0000 /etc/containerd/config.toml")
            .output("systemctl show containerd -p ActiveEnterTimestamp", "ActiveEnterTimestamp=Thu 2026-11-19 08:00:00 UTC")
            .output("crictl info", &format!("{{\n \"config\": {{\n  \"registry\": {{\n   \"configPath\": \"{running}\"\n  }}\n }}\n}}"))
            .verdict()
    };
    assert_eq!(edited(""), (Cause::ConfigNotReloaded, Confidence::Confirmed));
    assert_ne!(edited("/etc/containerd/certs.d").0, Cause::ConfigNotReloaded);
}

#[test]
fn roots_that_are_newer_than_the_process_are_not_in_force() {
    let bundle = "/etc/ssl/certs/ca-certificates.crt";
    let installed = |at: &str, verdict: &str| {
        node("1.7.18", X509)
            .output("systemctl show containerd -p ActiveEnterTimestamp", "ActiveEnterTimestamp=Thu 2026-11-19 08:00:00 UTC")
            .output(&format!("ls -l --time-style=full-iso {bundle}"), &format!("-rw-r--r-- 1 root root 200061 {at}.000000000 +0000 {bundle}"))
            .output(&format!("openssl s_client -connect r.example.com:5000 -CAfile {bundle} </dev/null"), &format!("CONNECTED(00000003)\nCertificate chain\n 0 s:CN = r.example.com\n   i:CN = Root\n---\nVerify return code: {verdict}"))
            .verdict()
    };
    assert_eq!(installed("2026-11-20 08:00:00", "0 (ok)"), (Cause::ConfigNotReloaded, Confidence::Confirmed));
    assert_eq!(
        installed("2026-11-20 08:00:00", "19 (self-signed certificate in certificate chain)").1,
        Confidence::Likely
    );
    assert_ne!(installed("2026-11-18 08:00:00", "0 (ok)").0, Cause::ConfigNotReloaded);
}

#[test]
fn a_mirrors_absence_hides_what_the_registry_met() {
    let with = |own: &str| {
        failing("r.example.com/a:1", "x", "2.1.1", "y")
            .change(|s| s.events[0].message = "Failed to pull image \"r.example.com/a:1\": rpc error: code = NotFound desc = failed to pull and unpack image \"r.example.com/a:1\": failed to resolve image: r.example.com/a:1: not found".into())
            .file("/etc/containerd/config.toml", "version = 3\n[plugins.'io.containerd.cri.v1.images'.registry]\n  config_path = '/etc/containerd/certs.d'\n")
            .file("/etc/containerd/certs.d/_default/hosts.toml", "[host.\"http://127.0.0.1:30020\"]\n  capabilities = [\"pull\", \"resolve\"]\n")
            .output("journalctl -u containerd", &format!("time=\"x\" level=info msg=\"trying next host after status: 404 Not Found\" host=\"127.0.0.1:30020\"\ntime=\"x\" level=info msg=\"fetch failed{own} host=r.example.com\n"))
            .verdict()
            .0
    };
    let x509 = "\" error=\"failed to do request: tls: failed to verify certificate: x509: certificate signed by unknown authority\"";
    assert_eq!(with(x509), Cause::ConfigMirrorMasksUpstream);
    assert_ne!(with(" after status: 404 Not Found\""), Cause::ConfigMirrorMasksUpstream);
}

#[test]
fn a_mirror_that_cannot_be_reached_hides_why_the_registry_gave_nothing() {
    let refused = "dial tcp 203.0.113.7:443: connect: connection refused";
    let with = |version: &str, host: &str, server: &str| {
        let toml = format!(
            "server = \"https://{server}\"\n[host.\"https://mirror.example.com\"]\n  capabilities = [\"pull\", \"resolve\"]\n"
        );
        failing(
            "r.example.com:5000/a:1",
            &format!("https://{host}/v2/a/manifests/1?ns=r.example.com%3A5000"),
            version,
            refused,
        )
        .file(CONFIG, &old("/etc/containerd/certs.d"))
        .file(HOSTS, &toml)
        .verdict()
    };
    let hidden = (Cause::ConfigMirrorMasksUpstream, Confidence::Likely);
    assert_eq!(with("1.7.20", "mirror.example.com", "r.example.com:5000"), hidden);
    // 2.x shows what weighs more; the registry itself; the mirror stands last
    for (version, host, server) in [
        ("2.2.1", "mirror.example.com", "r.example.com:5000"),
        ("1.7.20", "r.example.com:5000", "r.example.com:5000"),
        ("1.7.20", "mirror.example.com", "mirror.example.com"),
    ] {
        assert_ne!(
            with(version, host, server).0,
            Cause::ConfigMirrorMasksUpstream,
            "{version} {host} {server}"
        );
    }
}

#[test]
fn a_remedy_says_where_a_change_lasts() {
    // A list that the transfer service takes for one directory, on nodes of several makers.
    let steps = |release: &str, mark: &str| {
        let config = "version = 3\n[plugins.'io.containerd.cri.v1.images'.registry]\n  config_path = '/etc/containerd/certs.d:/etc/docker/certs.d'\n";
        let node = node("2.2.1", X509)
            .file(CONFIG, config)
            .file(HOSTS, WITH_CA)
            .file("/etc/os-release", &format!("ID={release}\n"))
            .file(mark, "");
        let report = crate::diagnose(&node.0);
        let remedy = &report.incidents[0].remedies[0];
        let key = |s: &report::Step| match s {
            report::Step::Ask(say) => say.key.to_owned(),
            report::Step::Run(_) => "run".to_owned(),
            report::Step::Write { .. } => "write".to_owned(),
        };
        remedy.steps.iter().map(key).collect::<Vec<_>>()
    };
    let plain = steps("ubuntu", "/etc/hostname");
    assert!(
        plain.contains(&"run".to_owned()) && plain.iter().all(|s| !s.starts_with("step-kept")),
        "{plain:?}"
    );
    // Lost at the next start: done, and told where it lasts.
    let eks = steps("amzn", "/etc/eks/bootstrap.sh");
    assert!(
        eks.contains(&"run".to_owned()) && eks.ends_with(&["step-kept-until-start".to_owned()]),
        "{eks:?}"
    );
    // Nothing of it can be done on the node.
    assert_eq!(steps("bottlerocket", "/etc/hostname"), ["step-kept-read-only"]);
}

/// The folders of two nodes without a word of what is not in them: another node has the file, and gets images or not.
#[test]
fn a_file_that_only_the_node_that_gets_images_has() {
    let scene = |image: &str, config: bool| {
        let unlisted = node(
            "1.7.20",
            "tls: failed to verify certificate: x509: certificate signed by unknown authority",
        );
        let unlisted = if config { unlisted.file(CONFIG, &old("/etc/containerd/certs.d")) } else { unlisted };
        unlisted.change(|s| {
            let mut other = s.node_facts[0].clone();
            other.name = "w2".into();
            let has = |text: &str| NodeFile { text: Observed::Seen(text.into()), ..NodeFile::default() };
            other.files.insert(CONFIG.into(), has(&old("/etc/containerd/certs.d")));
            other.files.insert(HOSTS.into(), has(WITH_CA));
            s.node_facts.push(other);
            s.healthy.images.insert(image.into(), vec!["w2".into()]);
        })
    };
    let found = scene("r.example.com:5000/b:1", true).verdict();
    assert_eq!(found, (Cause::ConfigMissingOnNode, Confidence::Likely), "nothing lists the folder");
    scene("other.example.com/b:1", true).is_clean();
    scene("r.example.com:5000/b:1", false).is_clean();
}
