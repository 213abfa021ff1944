//! Settings that would help and are not read: another name, another key, another machine; each with its twin.

use super::*;
use facts::{AuthEntry, DockerConfig, Document, Place};
use report::Step;

const INSECURE: &str = "{\"insecure-registries\": [\"r.example.com:5000\"]}";
const DAEMON: &str = "/etc/docker/daemon.json";

/// Another machine with this file.
fn beside(node: Node, name: &str, path: &str, text: &str) -> Node {
    node.change(|s| {
        let mut other = NodeFacts { name: name.into(), name_given: true, ..s.node_facts[0].clone() };
        other.files.clear();
        let file = NodeFile { text: Observed::Seen(text.into()), ..NodeFile::default() };
        other.files.insert(path.into(), file);
        s.node_facts.push(other);
    })
}

#[test]
fn the_file_that_dockerd_reads_has_one_name() {
    let docker = || node("", PLAIN).runs(Runtime::Docker);
    let misspelt = || docker().file("/etc/docker/deamon.json", INSECURE);
    misspelt().output("ls /etc/docker", "deamon.json\n").is(Cause::ConfigWrongFileName);
    assert_eq!(misspelt().verdict(), (Cause::ConfigWrongFileName, Confidence::Likely), "nobody looked");
    let told = "dockerd --config-file=/opt/daemon.json\n";
    docker()
        .file(DAEMON, INSECURE)
        .output("ps -o args= -C dockerd", told)
        .file("/opt/daemon.json", "{}")
        .is(Cause::ConfigWrongFileLocation);
    // A copy beside the file that is read, and a file for another registry.
    docker().file(DAEMON, "{}").file("/etc/docker/daemon.json.old", INSECURE).is_clean();
    misspelt().file(DAEMON, INSECURE).is_clean();
    docker().file("/etc/docker/deamon.json", &INSECURE.replace("5000", "5001")).is_clean();
}

#[test]
fn what_dockerd_takes_over_when_it_is_told_to_read_again() {
    let started = "ActiveEnterTimestamp=Mon 2026-11-30 08:00:00 UTC\n";
    let changed = "/etc/docker/daemon.json 2026-11-30 09:00:00.000000000 +0000\n";
    let reload = |at: &str| {
        format!(
            "Nov 30 {at} w1 dockerd[9]: time=\"2026-11-30T{at}Z\" level=info msg=\"Got signal to reload configuration, reloading from: /etc/docker/daemon.json\"\n"
        )
    };
    let with = |met: &str, text: &str, log: &str| {
        node("24.0.7", met)
            .runs(Runtime::Docker)
            .file(DAEMON, text)
            .output("systemctl show docker", started)
            .output("stat -c '%n %y' /etc/docker/daemon.json", changed)
            .output("journalctl -u docker", log)
            .verdict()
            .0
    };
    let proxies = "{\"proxies\": {\"https-proxy\": \"http://proxy.corp:3128\", \"no-proxy\": \"localhost\"}}";
    let late = Cause::ConfigNotReloaded;
    let direct = "dial tcp 203.0.113.9:5000: i/o timeout";
    assert_eq!(with(PLAIN, INSECURE, ""), late);
    assert_ne!(with(PLAIN, INSECURE, &reload("09:01:00")), late);
    assert_eq!(with(PLAIN, INSECURE, &reload("08:59:00")), late);
    // Proxies are read at the start alone
    assert_eq!(with(direct, proxies, &reload("09:01:00")), late);
    assert_ne!(with(direct, &proxies.replace("localhost", "r.example.com"), ""), late);
    assert_ne!(with(PLAIN, proxies, ""), late);
}

#[test]
fn what_another_machine_has_for_its_docker_and_its_crio() {
    let docker = || node("", PLAIN).runs(Runtime::Docker).file(DAEMON, "{}");
    beside(docker(), "w2", DAEMON, INSECURE).is(Cause::ConfigMissingOnNode);
    beside(docker(), "w2", DAEMON, "{\"debug\": true}").is_clean();
    let conf = "/etc/containers/registries.conf.d/lab.conf";
    let table = "[[registry]]\nlocation = \"r.example.com:5000\"\ninsecure = true\n";
    let crio = || node("", PLAIN).runs(Runtime::CriO);
    beside(crio(), "w2", conf, table)
        .output("ls /etc/containers/registries.conf.d", "000-shortnames.conf\n")
        .is(Cause::ConfigMissingOnNode);
    beside(crio().file(conf, table), "w2", conf, table).is_clean();
}

#[test]
fn a_name_in_the_hosts_file_of_another_node() {
    let unknown = || {
        node("1.7.20", "dial tcp: lookup r.example.com on 192.0.2.53:53: no such host")
            .file("/etc/hosts", "127.0.0.1 localhost\n")
    };
    let has = "127.0.0.1 localhost\n192.0.2.9 r.example.com\n";
    beside(unknown(), "w2", "/etc/hosts", has).is(Cause::ConfigMissingOnNode);
    beside(unknown().file("/etc/hosts", has), "w2", "/etc/hosts", has).is_clean();
    beside(unknown(), "w2", "/etc/hosts", "192.0.2.9 s.example.com\n").is_clean();
}

#[test]
fn mirrors_in_a_folder_that_crio_does_not_read() {
    let mirror = "[[registry]]\nlocation = \"r.example.com:5000\"\n[[registry.mirror]]\nlocation = \"m.example.com\"\n";
    let crio = || node("", "dial tcp 192.0.2.1:5000: i/o timeout").runs(Runtime::CriO);
    let main = "/etc/containers/registries.conf";
    let away = "/etc/containers/registries.d/mirror.conf";
    crio().file(away, mirror).file(main, "").is(Cause::ConfigWrongFileLocation);
    crio().file(away, mirror).file(main, mirror).is_clean();
    crio().file(away, &mirror.replace("r.example", "s.example")).file(main, "").is_clean();
}

#[test]
fn a_mirror_of_crio_that_has_the_image_under_another_path() {
    let mirror = "[[registry]]\nprefix = \"r.example.com:5000/team\"\nlocation = \"r.example.com:5000/team\"\n[[registry.mirror]]\nlocation = \"m.example.com\"\n";
    let words = "(Mirrors also failed: [m.example.com/a:1: reading manifest 1 in m.example.com/a: manifest unknown]): r.example.com:5000/team/a:1: pinging container registry r.example.com:5000: Get \"https://r.example.com:5000/v2/\": dial tcp 192.0.2.1:5000: i/o timeout";
    let crio = || {
        let image = "r.example.com:5000/team/a:1";
        failing(image, "https://r.example.com:5000/v2/team/a/manifests/1", "", "x")
            .runs(Runtime::CriO)
            .file("/etc/containers/registries.conf", mirror)
            .change(|s| s.events[0].message = format!("Failed to pull image \"{image}\": {words}"))
    };
    let lists = "curl -sS https://m.example.com/v2/team/a/tags/list";
    crio().output(lists, "{\"name\":\"team/a\",\"tags\":[\"1\"]}\n").is(Cause::ConfigMirrorPathWrong);
    crio().is_clean();
    let same = "curl -sS https://m.example.com/v2/a/tags/list";
    crio().output(same, "{\"name\":\"a\",\"tags\":[\"1\"]}\n").is_clean();
}

#[test]
fn a_certificate_whose_inside_was_left_out_is_there() {
    let ca = "/etc/containerd/certs.d/r.example.com:5000/ca.crt";
    let toml = format!("[host.\"https://r.example.com:5000\"]\n  ca = \"{ca}\"\n");
    let with = |body: &str| {
        node("1.7.20", X509)
            .file(CONFIG, "version = 2\n")
            .file(HOSTS, &toml)
            .file(ca, &format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n"))
    };
    with("(redacted)").is(Cause::ConfigPathUnset);
    assert_ne!(with("MIIBszCCAVmgAwIBAgIU").verdict().0, Cause::ConfigPathUnset);
}

#[test]
fn what_lies_aside_of_a_directory_that_is_read_is_no_wrong_place() {
    let client = "server = \"https://r.example.com:5000\"\nclient = \"/etc/corp.pem\"\n";
    let mirror = "server = \"https://r.example.com:5000\"\n[host.\"http://m.example.com\"]\n";
    let with = |place: &str, own: Option<&str>| {
        let node = node("1.7.20", "remote error: tls: certificate required")
            .file(CONFIG, &old("/etc/containerd/certs.d"))
            .file(&format!("{place}/r.example.com:5000/hosts.toml"), client);
        own.into_iter().fold(node, |node, text| node.file(HOSTS, text))
    };
    let aside = "/etc/containerd/certs.d/_backup";
    assert_eq!(with(aside, Some(mirror)).verdict().0, Cause::TlsClientCertRequired);
    let elsewhere = with("/opt/certs.d", Some(mirror));
    assert_eq!(elsewhere.verdict(), (Cause::ConfigWrongFileLocation, Confidence::Likely));
    assert_eq!(with(aside, None).verdict().0, Cause::ConfigWrongFileLocation);
    // What is in the directory is copied: the registry's own is there already, and is kept
    let commands = |node: &Node| {
        let report = crate::diagnose(&node.0);
        let steps = report.incidents[0].remedies.iter().flat_map(|r| r.steps.iter().chain(&r.undo));
        steps.filter_map(|s| if let Step::Run(c) = s { Some(c.clone()) } else { None }).collect::<Vec<_>>()
    };
    let to = "/etc/containerd/certs.d/r.example.com:5000";
    let copied = format!("mkdir -p {to} && cp -a /opt/certs.d/r.example.com:5000/. {to}");
    assert_eq!(
        commands(&elsewhere),
        [
            format!("cp -a {to} {to}.before"),
            copied.clone(),
            format!("rm -r {to}"),
            format!("cp -a {to}.before {to}")
        ]
    );
    assert_eq!(commands(&with("/opt/certs.d", None)), [copied, format!("rm -r {to}")]);
}

#[test]
fn settings_under_the_registrys_name_are_not_those_of_its_mirror() {
    let text = |key: &str| {
        format!(
            "mirrors:\n  quay.io:\n    endpoint:\n      - \"https://m.example.com:9001\"\nconfigs:\n  \"{key}\":\n    tls:\n      insecure_skip_verify: true\n"
        )
    };
    let with = |key: &str, url: &str| {
        failing("quay.io/a:1", url, "2.1.4-k3s2", X509)
            .file("/etc/rancher/k3s/registries.yaml", &text(key))
            .verdict()
    };
    let of_mirror = "https://m.example.com:9001/v2/a/manifests/1?ns=quay.io";
    assert_eq!(with("quay.io", of_mirror), (Cause::ConfigRegistriesYamlStructure, Confidence::Likely));
    // Another registry's, and the registry itself was asked.
    let structure = Cause::ConfigRegistriesYamlStructure;
    assert_ne!(with("ghcr.io", of_mirror).0, structure);
    assert_ne!(with("quay.io", "https://quay.io/v2/a/manifests/1").0, structure);
    assert_ne!(with("m.example.com:9001", of_mirror).0, structure);
}

#[test]
fn keys_of_registries_yaml_in_another_spelling() {
    let k3s = |text: &str| node("1.7.20-k3s1", X509).file("/etc/rancher/k3s/registries.yaml", text);
    let with =
        |key: &str, line: &str| k3s(&format!("configs:\n  \"{key}\":\n    tls:\n      {line}: true\n"));
    with("r.example.com:5000", "insecureSkipVerify").is(Cause::ConfigRegistriesYamlStructure);
    with("https://r.example.com:5000", "insecure_skip_verify").is(Cause::ConfigMirrorKeyMismatch);
    with("s.example.com:5000", "insecureSkipVerify").is_clean();
    with("r.example.com:5000", "verbose").is_clean();
    with("https://s.example.com:5000", "insecure_skip_verify").is_clean();
}

#[test]
fn the_pause_image_under_a_key_of_the_release_before() {
    let config = |version: u8| {
        format!(
            "version = {version}\n[plugins.'io.containerd.cri.v1.images']\n  sandbox_image = 'm/pause:3.10'\n"
        )
    };
    let sandbox = |text: &str| {
        let message = "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to start sandbox \"a\": failed to get sandbox image \"registry.k8s.io/pause:3.10\": failed to pull image \"registry.k8s.io/pause:3.10\": failed to pull and unpack image \"registry.k8s.io/pause:3.10\": failed to resolve image: failed to do request: Head \"https://registry.k8s.io/v2/pause/manifests/3.10\": dial tcp 192.0.2.3:443: i/o timeout";
        node("2.1.4", "").file(CONFIG, text).change(|s| {
            s.events[0].reason = "FailedCreatePodSandBox".into();
            s.events[0].container = String::new();
            s.events[0].message = message.into();
        })
    };
    sandbox(&config(3)).is(Cause::ConfigWrongSection);
    sandbox(&config(3).replace("m/pause", "registry.k8s.io/pause")).is_clean();
    sandbox("version = 3\n").is_clean();
}

#[test]
fn a_login_of_root_that_the_kubelet_does_not_see() {
    let refused = "pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials";
    let login = |node: Node, n: usize, path: &str| {
        node.change(|s| {
            let entry = AuthEntry {
                key: "r.example.com:5000".into(),
                user: Some("u".into()),
                ..AuthEntry::default()
            };
            let config = DockerConfig { has_auths: true, entries: vec![entry], ..DockerConfig::default() };
            let text = "{\"auths\":{\"r.example.com:5000\":{}}}";
            let file = NodeFile { text: Observed::Seen(text.into()), ..NodeFile::default() };
            s.node_facts[n].files.insert(path.into(), file);
            s.node_facts[n].docker_configs.insert(path.into(), config);
        })
    };
    let home = || login(node("1.7.20", refused), 0, "/root/.docker/config.json");
    let environ = "tr \"\\0\" \"\\n\" < /proc/$(pidof kubelet)/environ";
    assert_eq!(home().output(environ, "PATH=/usr/bin\n").verdict().0, Cause::ConfigWrongFileLocation);
    home().is_clean();
    home().output(environ, "HOME=/root\n").is_clean();
    let read = "/var/lib/kubelet/config.json";
    let listed = || node("1.7.20", refused).output("ls /var/lib/kubelet", "config.yaml\npki\n");
    let other = login(beside(listed(), "w2", "/etc/hosts", ""), 1, read);
    assert_eq!(other.verdict().0, Cause::ConfigMissingOnNode);
    login(beside(listed(), "w2", "/etc/hosts", ""), 1, "/tmp/config.json").is_clean();
}

#[test]
fn a_log_that_says_that_the_runtime_refuses_its_configuration() {
    let down = |line: &str| {
        let words = "rpc error: code = Unknown desc = Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?";
        node("", "").runs(Runtime::Docker).change(|s| {
            s.events[0].message = format!("Failed to pull image \"r.example.com:5000/a:1\": {words}");
            s.documents.push(Document {
                place: Place::Node,
                node: Some("w1".into()),
                origin: Origin { source: "node/journal-docker.txt".into(), line: 1 },
                text: line.into(),
            });
        })
    };
    let refuses = "dockerd[1]: unable to configure the Docker daemon with file /etc/docker/daemon.json: invalid character '}' looking for beginning of object key string";
    assert_eq!(down(refuses).verdict().0, Cause::RuntimeConfigInvalid);
    assert_eq!(
        down("dockerd[1]: Daemon has completed initialization").verdict().0,
        Cause::RuntimeUnavailable
    );
    let printed = |command: &str| {
        let down = down("dockerd[1]: Daemon has completed initialization");
        let line = "Mar 14 12:58:11 w1 dockerd[2210]: unable to configure the Docker daemon with file /etc/docker/daemon.json: invalid mirror: path, query, or fragment at end of the URI";
        down.output(command, line).verdict().0
    };
    assert_eq!(printed("journalctl -u docker -n 20"), Cause::RuntimeConfigInvalid);
    assert_eq!(printed("cat /srv/notes/old-incident.txt"), Cause::RuntimeUnavailable, "no log");
}

#[test]
fn a_flag_names_the_registries_file_of_k3s() {
    let text = "mirrors:\n  r.example.com:5000:\n    endpoint: [\"http://r.example.com:5000\"]\n";
    let k3s = || node("1.7.20-k3s1", PLAIN).file("/etc/rancher/k3s/registries.yaml", text);
    let ps = |flag: &str| {
        k3s().output("ps -o args= -C k3s-server", &format!("/usr/local/bin/k3s server {flag}\n"))
    };
    let gone = |n: Node| n.output("ls /opt/k3s", "ls: cannot access '/opt/k3s': No such file or directory\n");
    gone(ps("--private-registry=/opt/k3s/registries.yaml")).is(Cause::ConfigWrongFileLocation);
    assert_eq!(
        ps("--private-registry /opt/k3s/registries.yaml").verdict(),
        (Cause::ConfigWrongFileLocation, Confidence::Likely),
        "nobody looked what the other file says"
    );
    let unit = "/etc/systemd/system/k3s.service";
    let installed = "[Service]\nExecStart=/usr/local/bin/k3s \\\n    server \\\n\t'--private-registry=/opt/k3s/registries.yaml' \\\n";
    gone(k3s().file(unit, installed)).is(Cause::ConfigWrongFileLocation);
    let config = "/etc/rancher/k3s/config.yaml";
    gone(k3s().file(config, "private-registry: \"/opt/k3s/registries.yaml\"\n"))
        .is(Cause::ConfigWrongFileLocation);
    // The default file by its name, another program's flag, and a file that is read and says the same.
    gone(ps("--private-registry=/etc/rancher/k3s/registries.yaml")).is_clean();
    gone(k3s().output("ps -ef", "/usr/bin/sync --private-registry=/opt/k3s/registries.yaml\n")).is_clean();
    ps("--private-registry=/opt/k3s/registries.yaml").file("/opt/k3s/registries.yaml", text).is_clean();
}

#[test]
fn the_nodes_own_registry_serves_the_keys_of_mirrors() {
    let image = "ghcr.io/team/app:2";
    let embedded = |config: &str, mirrors: &str, on_peer: &str| {
        let url = "https://ghcr.io/v2/team/app/manifests/2";
        let timed_out = failing(image, url, "1.7.23-k3s2", "dial tcp 198.51.100.33:443: i/o timeout");
        let table = format!(
            "IMAGE                     TAG   IMAGE ID        SIZE\n{on_peer:<25} 2     5c1a0f9d2e1b2   88MB\n"
        );
        timed_out
            .file("/etc/rancher/k3s/config.yaml", config)
            .file("/etc/rancher/k3s/registries.yaml", mirrors)
            .output("crictl images", &table)
            .change(|s| s.outputs[0].node = Some("w2".into()))
            .verdict()
    };
    let on = "embedded-registry: true\n";
    let others = "mirrors:\n  docker.io:\n  registry.k8s.io:\n";
    let mismatch = Cause::ConfigMirrorKeyMismatch;
    assert_eq!(embedded(on, others, "ghcr.io/team/app"), (mismatch, Confidence::Confirmed));
    assert_eq!(embedded(on, others, "docker.io/library/redis"), (mismatch, Confidence::Likely));
    for own in ["mirrors:\n  ghcr.io:\n", "mirrors:\n  \"*\":\n"] {
        assert_ne!(embedded(on, own, "ghcr.io/team/app").0, mismatch, "{own}");
    }
    assert_ne!(embedded("embedded-registry: false\n", others, "ghcr.io/team/app").0, mismatch);
}

#[test]
fn a_ca_under_the_name_of_a_client_certificate() {
    let says = |name: &str| {
        let words = format!(
            "rpc error: code = Unknown desc = Error response from daemon: missing key ca.key for client certificate {name}. Note that CA certificates should use the extension .crt"
        );
        node("", "")
            .runs(Runtime::Docker)
            .change(|s| {
                s.events[0].message = format!("Failed to pull image \"r.example.com:5000/a:1\": {words}")
            })
            .file("/etc/docker/certs.d/r.example.com:5000/ca.cert", "-----BEGIN CERTIFICATE-----\n")
            .verdict()
            .0
    };
    assert_eq!(says("ca.cert"), Cause::ConfigWrongFileName);
    assert_eq!(says("other.cert"), Cause::TlsCaFileUnreadable, "not the file that was seen");
}

#[test]
fn microk8s_looks_into_its_own_directory() {
    let root = "/var/snap/microk8s/current/args/certs.d";
    let put =
        |path: &str| node("1.6.36", PLAIN).file(&format!("{path}/r.example.com:5000/hosts.toml"), PLAIN_HOST);
    let lists = format!("ls {root}");
    put("/etc/containerd/certs.d").output(&lists, "docker.io\n").is(Cause::ConfigWrongFileLocation);
    put(root).is_clean();
}

#[test]
fn a_ca_that_the_machines_own_tool_does_not_take_up() {
    let pem = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
    let at = |path: &str| node("1.7.20", X509).file(path, pem);
    let given = |path: &str| {
        at(path).output(
            &format!(
                "curl -sS -o /dev/null -w \"%{{http_code}}\" --cacert {path} https://r.example.com:5000/v2/"
            ),
            "401",
        )
    };
    given("/usr/local/share/ca-certificates/corp.pem").is(Cause::ConfigWrongFileName);
    given("/etc/pki/ca-trust/source/corp.crt").is(Cause::ConfigWrongFileLocation);
    let (cause, confidence) = at("/usr/local/share/ca-certificates/corp.pem").verdict();
    assert_eq!((cause, confidence), (Cause::ConfigWrongFileName, Confidence::Likely), "of another CA, maybe");
    given("/usr/local/share/ca-certificates/corp.crt").is_clean();
    given("/etc/pki/ca-trust/source/anchors/corp.pem").is_clean();
}

#[test]
fn a_machine_of_another_collection_is_no_control() {
    let read = |ours: &str, theirs: &str| {
        let docker = node("", PLAIN).runs(Runtime::Docker).file(DAEMON, "{}");
        beside(docker, "w2", DAEMON, INSECURE).change(|s| {
            for (facts, source) in s.node_facts.iter_mut().zip([ours, theirs]) {
                facts
                    .files
                    .values_mut()
                    .for_each(|f| f.source = format!("{source}/nodes/w/etc/docker/daemon.json"));
            }
        })
    };
    read("a", "a").is(Cause::ConfigMissingOnNode);
    read("a", "b").is_clean();
}

#[test]
fn a_mirror_for_every_registry_that_another_node_has_is_no_proof() {
    let k3s = "/etc/rancher/k3s/registries.yaml";
    let own = "mirrors:\n  docker.io:\n    endpoint:\n      - \"http://m.example.com\"\n";
    let every = "mirrors:\n  \"*\":\n    endpoint:\n      - \"http://m.example.com\"\n";
    let (_, confidence) = beside(node("1.7.20-k3s1", PLAIN).file(k3s, own), "w2", k3s, every).verdict();
    assert_ne!(confidence, Confidence::Confirmed);
}

#[test]
fn a_host_directory_that_has_the_registrys_address() {
    let at = |dir: &str| format!("/etc/containerd/certs.d/{dir}/hosts.toml");
    let plain = "[host.\"http://192.0.2.61:5000\"]\n  capabilities = [\"pull\", \"resolve\"]\n";
    let named = |dir: &str| {
        let listed = format!("{dir}\n");
        let node = node("1.7.19", PLAIN).file(CONFIG, &old("/etc/containerd/certs.d")).file(&at(dir), plain);
        node.output("ls /etc/containerd/certs.d", &listed)
    };
    let asked = |n: Node| n.output("getent hosts r.example.com", "192.0.2.61      r.example.com\n");
    asked(named("192.0.2.61:5000")).is(Cause::ConfigHostDirMismatch);
    named("192.0.2.61:5000")
        .file("/etc/hosts", "192.0.2.61 r.example.com\n")
        .is(Cause::ConfigHostDirMismatch);
    // Nobody says whose address it is; another address; another port; a registry of its own under its address.
    named("192.0.2.61:5000").is_clean();
    asked(named("192.0.2.62:5000")).is_clean();
    asked(named("192.0.2.61:5001")).is_clean();
    asked(named("192.0.2.61:5000"))
        .change(|s| drop(s.healthy.images.insert("192.0.2.61:5000/b:1".into(), vec!["w1".into()])))
        .is_clean();
}

#[test]
fn an_endpoint_at_the_port_of_a_user_interface() {
    let set = "[host.\"https://r.example.com:8081\"]\n  capabilities = [\"pull\", \"resolve\"]\n";
    let with = |there: &str, url: &str, answer: &str| {
        let words = "rpc error: code = NotFound desc = failed to pull and unpack image \"r.example.com/a:1\": failed to resolve reference \"r.example.com/a:1\": r.example.com/a:1: not found";
        failing("r.example.com/a:1", "x", "1.7.16", "y")
            .change(|s| s.events[0].message = format!("Failed to pull image \"r.example.com/a:1\": {words}"))
            .file(CONFIG, &old("/etc/containerd/certs.d"))
            .file("/etc/containerd/certs.d/r.example.com/hosts.toml", set)
            .output("curl -sSI https://r.example.com:8081/v2/a/manifests/1", there)
            .output(&format!("curl -sS {url}"), answer)
            .verdict()
            .0
    };
    let page = "HTTP/1.1 404 Not Found\nContent-Type: text/html\n";
    let api = "HTTP/1.1 404 Not Found\nDocker-Distribution-Api-Version: registry/2.0\nContent-Type: application/json\n";
    let tags = r#"{"name":"a","tags":["0","1"]}"#;
    let beside = "https://r.example.com:8082/v2/a/tags/list";
    assert_eq!(with(page, beside, tags), Cause::ConfigServerWrong);
    assert_ne!(
        with(page, beside, r#"{"name":"a","tags":["0"]}"#),
        Cause::ConfigServerWrong,
        "not there either"
    );
    assert_ne!(with(api, beside, tags), Cause::ConfigServerWrong, "a registry that has it not");
    assert_ne!(
        with(page, "https://m.example.com/v2/a/tags/list", tags),
        Cause::ConfigServerWrong,
        "another host"
    );
}

#[test]
fn a_directory_that_is_set_in_a_table_where_none_is_looked_for_is_not_unset() {
    let config = |line: &str| {
        let text = format!("version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".containerd]\n{line}\n");
        node("1.7.20", X509).file(CONFIG, &text).file(HOSTS, WITH_CA)
    };
    config("  config_path = \"/etc/containerd/certs.d\"").is(Cause::ConfigWrongSection);
    config("  runtimes.config_path = \"/etc/containerd/certs.d\" # mirrors").is(Cause::ConfigWrongSection);
    config("  # config_path = \"/etc/containerd/certs.d\"").is(Cause::ConfigPathUnset);
    config("  config_path = \"/etc/cni/net.d\"").is(Cause::ConfigPathUnset);
}

#[test]
fn an_address_that_is_the_api_with_its_root_behind_it_lacks_only_that() {
    let hosts = "[host.\"https://m.example.com/art/x\"]\n  capabilities = [\"pull\", \"resolve\"]\n  override_path = true\n";
    let asked = |path: &str, status: &str| {
        let at = |path: &str| {
            format!(
                "curl -sS -o /dev/null -w \"%{{http_code}}\\n\" https://m.example.com{path}/a/manifests/1"
            )
        };
        node("1.7.20", "dial tcp 198.51.100.20:5000: i/o timeout")
            .file(CONFIG, &old("/etc/containerd/certs.d"))
            .file(HOSTS, hosts)
            .output(&at("/art/x"), "404\n")
            .output(&at(path), status)
            .verdict()
            .0
    };
    assert_eq!(asked("/art/x/v2", "200\n"), Cause::ConfigOverridePathMissing);
    assert_eq!(asked("/art/x/v2", "404\n"), Cause::ConfigMirrorPathWrong);
    assert_eq!(asked("/art/y/v2", "200\n"), Cause::ConfigMirrorPathWrong, "another repository's address");
}

#[test]
fn a_catch_all_lies_where_older_releases_do_not_look() {
    let with = |version: &str| {
        node(version, X509)
            .file(CONFIG, &old("/etc/containerd/certs.d"))
            .file("/etc/containerd/certs.d/_default/hosts.toml", WITH_CA)
            .output("ls /etc/containerd/certs.d", "_default\n")
    };
    with("1.5.9").is(Cause::ConfigWrongFileLocation);
    with("1.7.20").is_clean();
}
