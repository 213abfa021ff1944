//! What rests on something that nobody has seen, and what systemd or the file itself says.

use super::*;

#[test]
fn a_misspelt_key_at_the_top_counts_where_it_would_have_served() {
    let text = |registry: &str| {
        format!("mirror:\n  \"{registry}\":\n    endpoint:\n      - \"http://r.example.com:5000\"\n")
    };
    let k3s =
        |registry: &str| node("1.7.11-k3s2", PLAIN).file("/etc/rancher/k3s/registries.yaml", &text(registry));
    assert_eq!(k3s("r.example.com:5000").verdict().0, Cause::ConfigRegistriesYamlStructure);
    k3s("other.example.com").is_clean();
}

#[test]
fn systemd_says_itself_that_a_units_files_are_not_what_runs() {
    let lost = "dial tcp 203.0.113.9:5000: i/o timeout";
    let warned = |unit: &str, met: &str| {
        let text = format!(
            "Warning: The unit file, source configuration file or drop-ins of {unit}.service changed on disk. Run 'systemctl daemon-reload' to reload units.\n"
        );
        node("1.7.20", met)
            .file(
                "/etc/systemd/system/containerd.service.d/proxy.conf",
                "[Service]\nEnvironment=\"HTTPS_PROXY=http://proxy.example.com:3128\"\n",
            )
            .output("systemctl status containerd", &text)
            .verdict()
    };
    assert_eq!(warned("containerd", lost), (Cause::ConfigNotReloaded, Confidence::Confirmed));
    // Of another unit it says nothing: what the words show of the way remains
    assert_eq!(warned("nginx", lost), (Cause::ConfigNotReloaded, Confidence::Likely));
    assert_ne!(warned("containerd", X509).0, Cause::ConfigNotReloaded);
}

/// A directory that no release of this configuration reads, whose file sends to a mirror.
fn mirrored(answer: &str, by_hand: &str) -> (Cause, Confidence) {
    let text = "[host.\"https://mirror.example.com\"]\n  capabilities = [\"pull\", \"resolve\"]\n";
    let url = "https://r.example.com:5000/v2/a/manifests/1";
    node("1.7.20", "x")
        .change(|s| {
            s.events[0].message = format!("Failed to pull image \"r.example.com:5000/a:1\": failed to pull and unpack image \"r.example.com:5000/a:1\": failed to resolve reference \"r.example.com:5000/a:1\": unexpected status from HEAD request to {url}: {answer}");
        })
        .file(CONFIG, "version = 2\n")
        .file(HOSTS, text)
        .output("curl -sSI https://mirror.example.com/v2/a/manifests/1", &format!("HTTP/2 {by_hand}\n"))
        .verdict()
}

#[test]
fn a_mirror_may_refuse_or_lack_the_image_as_the_registry_does() {
    for answer in ["403 Forbidden", "401 Unauthorized", "404 Not Found"] {
        let (cause, confidence) = mirrored(answer, "404");
        assert!(cause.area() != "config" || confidence != Confidence::Confirmed, "{answer}: {cause}");
        let (cause, confidence) = mirrored(answer, "200");
        assert_eq!((cause, confidence), (Cause::ConfigPathUnset, Confidence::Confirmed), "{answer}");
    }
}

#[test]
fn a_printed_configuration_is_the_one_in_force() {
    let dump = "containerd config dump | grep -A2 'cri\".registry\\]'";
    let printed = |value: &str| {
        format!("    [plugins.\"io.containerd.grpc.v1.cri\".registry]\n      config_path = \"{value}\"\n--\n")
    };
    let pull = |command: &str, text: &str| node("1.7.24", X509).file(HOSTS, WITH_CA).output(command, text);
    let unset = |confidence| (Cause::ConfigPathUnset, confidence);
    assert_eq!(pull(dump, &printed("")).verdict(), unset(Confidence::Likely), "a file may say why");
    let newer = "version = 3\n[plugins]\n  [plugins.'io.containerd.cri.v1.images']\n    [plugins.'io.containerd.cri.v1.images'.registry]\n      config_path = '/opt/certs.d'\n";
    let elsewhere = node("2.0.4", X509).file(HOSTS, WITH_CA).output("containerd config dump", newer);
    assert_eq!(elsewhere.verdict().0, Cause::ConfigWrongFileLocation);
    pull(dump, &printed("/etc/containerd/certs.d")).is_clean();
    // The defaults are in force where there is no file; a line of which nobody knows the table says nothing.
    let default = "containerd config default | grep -A2 registry";
    pull(default, &printed("")).is_clean();
    let without = |n: Node| {
        n.output("ls -la /etc/containerd", "total 4\ndrwxr-xr-x   3 root root 4096 Jan 20 15:10 certs.d\n")
    };
    without(pull(default, &printed(""))).is(Cause::ConfigPathUnset);
    without(pull(dump, &printed(""))).is(Cause::ConfigPathUnset);
    pull("containerd config dump | grep config_path", "      config_path = \"\"\n").is_clean();
}

#[test]
fn without_a_file_the_defaults_of_the_release_count() {
    let bare = |version: &str| {
        let node = node(version, X509).file(HOSTS, WITH_CA);
        node.output("ls -la /etc/containerd", "total 4\ndrwxr-xr-x   3 root root 4096 Jan 20 15:10 certs.d\n")
            .verdict()
    };
    assert_eq!(
        bare("1.7.24"),
        (Cause::ConfigPathUnset, Confidence::Likely),
        "another file may have been named"
    );
    assert_ne!(bare("2.2.1").0, Cause::ConfigPathUnset, "a directory is built in");
    node("1.7.24", X509).file(HOSTS, WITH_CA).is_clean();
}
