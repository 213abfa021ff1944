//! What other clients on the node would do differently for the same image: why a pull by hand proves little of the kubelet's.
//!
//! Sources: containerd docs/hosts.md and cmd/ctr (2.2), cri-tools docs/crictl.md, nerdctl docs/{config,registry}.md (2.0),
//! curl's manual (8.14). podman's and Docker Engine's ways are `emulate`'s answers.

use crate::endpoints;
use crate::recording::Recording;
use crate::tree::HostTree;
use emulate::containerd::{self, Version};
use emulate::files::Files;
use emulate::{containers, docker};
use formats::toml_tree::{self, TomlValue};
use report::node::{Client, ClientDifference, Endpoint, NodeReport, Said};

/// Where programs lie: the usual PATH of root, and those of distributions.
const PATH: &[&str] = &[
    "/usr/local/sbin",
    "/usr/local/bin",
    "/usr/sbin",
    "/usr/bin",
    "/sbin",
    "/bin",
    "/opt/bin",
    "/snap/bin",
    "/var/lib/rancher/rke2/bin",
];
/// What nerdctl reads of its own, and where it and docker keep root's logins.
const NERDCTL: &str = "/etc/nerdctl/nerdctl.toml";
const DOCKER_LOGINS: &str = "/root/.docker/config.json";

/// A client that people try.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Curl,
    Ctr,
    Crictl,
    Nerdctl,
    Podman,
    Docker,
}

const ALL: &[(&str, Kind)] = &[
    ("curl", Kind::Curl),
    ("ctr", Kind::Ctr),
    ("crictl", Kind::Crictl),
    ("nerdctl", Kind::Nerdctl),
    ("podman", Kind::Podman),
    ("docker", Kind::Docker),
];

/// The proxy that a shell's variables, or those of a daemon, name.
pub struct Surroundings<'a> {
    /// A variable of a login shell.
    pub shell: &'a dyn Fn(&str) -> Option<String>,
    /// A variable of Docker Engine.
    pub docker: &'a dyn Fn(&str) -> Option<String>,
}

/// How a client would pull: each part in a word, with what it is about.
#[derive(Clone)]
struct Manner {
    endpoints: Said,
    trust: Said,
    proxy: Said,
    credentials: Said,
    store: Said,
}

/// The clients that are there, each with what it would do differently from the runtime. Empty without an image.
pub fn look(
    files: &Recording<'_>,
    tree: &HostTree,
    around: &Surroundings<'_>,
    report: &NodeReport,
) -> Vec<Client> {
    let (Some(image), Some(_)) = (report.image.as_deref(), report.endpoints.last()) else {
        return Vec::new();
    };
    let Some(runtime) = of_runtime(report) else { return Vec::new() };
    let there = |name: &str| {
        PATH.iter()
            .map(|d| format!("{d}/{name}"))
            .find(|p| tree.on_this_machine(p).is_some_and(|p| p.is_file()))
    };
    let found = ALL.iter().filter_map(|(name, kind)| {
        let path = there(name)?;
        let manner = of_client(files, *kind, image, around, report, &runtime)?;
        Some(Client { name: (*name).to_owned(), path, differences: differences(&runtime, &manner) })
    });
    found.collect()
}

fn said(word: &str, value: impl Into<String>) -> Said {
    Said { word: word.to_owned(), value: value.into() }
}

fn differences(runtime: &Manner, client: &Manner) -> Vec<ClientDifference> {
    let pairs = [
        ("endpoints", &runtime.endpoints, &client.endpoints),
        ("trust", &runtime.trust, &client.trust),
        ("proxy", &runtime.proxy, &client.proxy),
        ("credentials", &runtime.credentials, &client.credentials),
        ("store", &runtime.store, &client.store),
    ];
    let differing = pairs.into_iter().filter(|(_, a, b)| a != b);
    differing
        .map(|(what, a, b)| ClientDifference { what: what.into(), runtime: a.clone(), client: b.clone() })
        .collect()
}

fn of_runtime(report: &NodeReport) -> Option<Manner> {
    let runtime = report.runtime.as_ref()?;
    let store = match runtime.name.as_str() {
        "containerd" => said("namespace", "k8s.io"),
        "docker" => said("docker-store", ""),
        _ => said("containers-store", ""),
    };
    Some(Manner {
        endpoints: urls(&report.endpoints),
        trust: trust(&report.endpoints),
        proxy: proxy(report.endpoints.last()?),
        credentials: if runtime.name == "podman" {
            logins(&containers::AUTH_FILES.join(", "))
        } else {
            said("kubelet", "")
        },
        store,
    })
}

fn of_client(
    files: &Recording<'_>,
    kind: Kind,
    image: &str,
    around: &Surroundings<'_>,
    report: &NodeReport,
    runtime: &Manner,
) -> Option<Manner> {
    let registry = formats::reference::registry_of(image)?;
    let name = report.runtime.as_ref().map_or("", |r| r.name.as_str());
    let version = report.runtime.as_ref().and_then(|r| Version::parse(&r.version));
    let hosts = |roots: &[String]| -> Vec<Endpoint> {
        let Some(version) = version.as_ref().filter(|_| name == "containerd") else { return Vec::new() };
        let found = containerd::resolve_hosts(files, roots, &registry, version);
        found.map(|(_, all)| all.iter().map(|e| endpoints::shown(e, None)).collect()).unwrap_or_default()
    };
    let in_shell = |endpoints: Vec<Endpoint>| with_proxy(endpoints, around.shell);
    let manner = match kind {
        Kind::Curl => {
            let host = if registry == "docker.io" { "registry-1.docker.io" } else { registry.as_str() };
            let own = Endpoint { url: format!("https://{host}/v2"), ..Endpoint::default() };
            Manner {
                credentials: said("given", "-u"),
                store: said("no-store", ""),
                ..of(&in_shell(vec![own]))?
            }
        }
        // It asks the runtime itself, and knows no pod.
        Kind::Crictl => Manner { credentials: said("given", "--creds"), ..runtime.clone() },
        Kind::Ctr => {
            // From 2.0 on the daemon pulls for it.
            let daemon_pulls = version.as_ref().is_some_and(|v| v.since(2, 0, 0));
            let all = hosts(&[]);
            let own = of(&in_shell(all))?;
            Manner {
                proxy: if daemon_pulls { runtime.proxy.clone() } else { own.proxy.clone() },
                credentials: said("given", "-u"),
                store: said("namespace", "default"),
                ..own
            }
        }
        Kind::Nerdctl => {
            let settings = nerdctl(files);
            Manner {
                credentials: logins(DOCKER_LOGINS),
                store: said("namespace", settings.namespace.as_str()),
                ..of(&in_shell(hosts(&settings.hosts_dirs)))?
            }
        }
        Kind::Podman => {
            let r = containers::resolve(files, image);
            let all = r.endpoints.iter().map(|(e, _)| endpoints::shown(e, None)).collect();
            Manner {
                credentials: logins(&containers::AUTH_FILES.join(", ")),
                store: said("containers-store", ""),
                ..of(&in_shell(all))?
            }
        }
        Kind::Docker => {
            let r = docker::resolve(files, None, image);
            let configured = |n: &str| {
                let key = n.to_ascii_lowercase().replace('_', "-");
                r.settings.proxies.iter().find(|(name, _)| *name == key).map(|(_, v)| v.clone())
            };
            let all: Vec<Endpoint> = r.endpoints.iter().map(|e| endpoints::shown(e, None)).collect();
            let all = with_proxy(all, &|n| configured(n).or_else(|| (around.docker)(n)));
            Manner { credentials: logins(DOCKER_LOGINS), store: said("docker-store", ""), ..of(&all)? }
        }
    };
    Some(manner)
}

/// What follows from endpoints alone; `None` where there is none.
fn of(all: &[Endpoint]) -> Option<Manner> {
    Some(Manner {
        endpoints: urls(all),
        trust: trust(all),
        proxy: proxy(all.last()?),
        credentials: Said::default(),
        store: Said::default(),
    })
}

fn with_proxy(mut all: Vec<Endpoint>, variable: &dyn Fn(&str) -> Option<String>) -> Vec<Endpoint> {
    endpoints::proxies(&mut all, variable);
    all
}

fn urls(all: &[Endpoint]) -> Said {
    said("urls", all.iter().map(|e| e.url.as_str()).collect::<Vec<_>>().join(", "))
}

fn trust(all: &[Endpoint]) -> Said {
    let mut files: Vec<&str> = all.iter().flat_map(|e| &e.ca).map(String::as_str).collect();
    files.sort_unstable();
    files.dedup();
    match (all.iter().any(|e| e.skip_verify), files.is_empty()) {
        (true, _) => said("unverified", ""),
        (false, true) => said("system", ""),
        (false, false) => said("system-and", files.join(", ")),
    }
}

fn proxy(own: &Endpoint) -> Said {
    match (&own.proxy, own.proxy_because.as_str()) {
        (Some(proxy), _) => said("proxy", proxy.as_str()),
        (None, "") => said("unknown", ""),
        (None, _) => said("direct", ""),
    }
}

fn logins(files: &str) -> Said {
    said("logins", files)
}

struct Nerdctl {
    namespace: String,
    hosts_dirs: Vec<String>,
}

fn nerdctl(files: &Recording<'_>) -> Nerdctl {
    let tree = match files.entry(NERDCTL) {
        emulate::files::Entry::File(bytes) => toml_tree::parse(&String::from_utf8_lossy(&bytes)).ok(),
        _ => None,
    };
    let value = |key: &str| tree.as_ref().and_then(|t| t.root.find(&[key])).map(|e| &e.value);
    let namespace = match value("namespace") {
        Some(TomlValue::Text(text)) => text.clone(),
        _ => "default".to_owned(),
    };
    let hosts_dirs = match value("hosts_dir") {
        Some(TomlValue::List(all)) => {
            let text = |(v, _): &(TomlValue, _)| match v {
                TomlValue::Text(text) => Some(text.clone()),
                _ => None,
            };
            all.iter().filter_map(text).collect()
        }
        _ => vec!["/etc/containerd/certs.d".to_owned(), "/etc/docker/certs.d".to_owned()],
    };
    Nerdctl { namespace, hosts_dirs }
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::node::Runtime;

    /// A node whose containerd reads a mirror's hosts.toml, with these programs.
    fn look_at(version: &str, programs: &[&str]) -> Vec<Client> {
        let dir = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let at = dir.path().join(path);
            fs_err::create_dir_all(at.parent().unwrap()).unwrap();
            fs_err::write(at, text).unwrap();
        };
        for program in programs {
            put(&format!("usr/bin/{program}"), "");
        }
        put("etc/containerd/certs.d/r.example.com/hosts.toml", "[host.\"https://m.example.com\"]\n");
        put("etc/nerdctl/nerdctl.toml", "namespace = \"k8s.io\"\n");
        let tree = HostTree::new(dir.path());
        let files = Recording::new(&tree);
        let (parsed, roots) = (Version::parse(version).unwrap(), ["/etc/containerd/certs.d".to_owned()]);
        let (_, hosts) = containerd::resolve_hosts(&files, &roots, "r.example.com", &parsed).unwrap();
        let mut report = NodeReport {
            image: Some("r.example.com/a:1".into()),
            endpoints: hosts.iter().map(|e| endpoints::shown(e, None)).collect(),
            runtime: Some(Runtime {
                name: "containerd".into(),
                version: version.into(),
                ..Runtime::default()
            }),
            ..NodeReport::default()
        };
        endpoints::proxies(&mut report.endpoints, |_| None);
        let shell = |name: &str| (name == "HTTPS_PROXY").then(|| "http://u:pw@p:3128".to_owned());
        look(&files, &tree, &Surroundings { shell: &shell, docker: &|_| None }, &report)
    }

    fn differs(client: &Client) -> Vec<&str> {
        client.differences.iter().map(|d| d.what.as_str()).collect()
    }

    #[test]
    fn each_client_differs_in_its_own_way() {
        let all = look_at("1.7.35", &["curl", "ctr", "crictl", "nerdctl", "podman"]);
        let [curl, ctr, crictl, nerdctl, podman] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(differs(curl), ["endpoints", "proxy", "credentials", "store"]);
        assert_eq!(differs(ctr), ["endpoints", "proxy", "credentials", "store"]);
        assert_eq!(differs(crictl), ["credentials"]);
        assert_eq!(differs(nerdctl), ["proxy", "credentials"], "the same hosts directory and namespace");
        assert_eq!(differs(podman), ["endpoints", "proxy", "credentials", "store"]);
        assert_eq!(ctr.differences[1].client, said("proxy", "http://p:3128"), "without the password");
    }

    #[test]
    fn from_2_0_on_the_daemon_pulls_for_ctr() {
        assert_eq!(differs(&look_at("2.2.1", &["ctr"])[0]), ["endpoints", "credentials", "store"]);
        assert_eq!(look_at("2.2.1", &[]), []);
    }
}
