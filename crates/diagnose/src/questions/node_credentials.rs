//! Credentials that the runtime holds by itself, or would need: for a mirror, for the registry's real host.

use crate::case::Case;
use crate::faults::release;
use crate::pull::{Observation, Pull};
use crate::pull_secrets::{self, Presence};
use crate::question::{Answer, Question, Seen};
use crate::subject::Subject;
use emulate::containerd::At;
use emulate::kubelet::{image_name, keyring};
use facts::Why;
use formats::url::host_of;
use formats::{reference, registries_conf, registries_yaml, runtime_auth};
use report::{Evidence, Locator, Say};
use vocabulary::{Phase, Runtime};

/// The host that the runtime asks for an image's registry: Docker Hub's API has a name of its own.
fn api_host(registry: &str) -> &str {
    if registry == "docker.io" { "registry-1.docker.io" } else { registry }
}

/// Tables of credentials in the node's own files: where, and for which host.
fn tables(case: &Case<'_>, pull: &Pull<'_>) -> Vec<(String, Locator)> {
    let Some(node) = case.node_facts(pull.node) else { return Vec::new() };
    let mut found = Vec::new();
    for (path, file) in &node.files {
        let Some(text) = file.text.seen() else { continue };
        // k3s and RKE2 write the keys of `configs` into containerd's tables as they stand (k3s pkg/agent/templates).
        let of_rancher = path.contains("/rancher/") && path.ends_with("/registries.yaml");
        let by_yaml = || registries_yaml::parse(text).configs.into_iter().filter(|c| c.has_auth);
        let from_yaml: Vec<(String, u32)> =
            if of_rancher { by_yaml().map(|c| (c.host, c.line)).collect() } else { Vec::new() };
        for (host, line) in runtime_auth::hosts(text).into_iter().chain(from_yaml) {
            let snippet = text.lines().nth(line as usize - 1).unwrap_or_default().to_owned();
            let at = Locator::File { node: node.name.clone(), path: path.clone(), line, column: 0, snippet };
            found.push((host, at));
        }
    }
    found
}

/// Files with such tables, as subjects.
pub fn files_with_tables(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    let mut files: Vec<Subject> = tables(case, pull)
        .into_iter()
        .filter_map(|(_, at)| match at {
            Locator::File { node, path, .. } => Some(Subject::File { node, path }),
            _ => None,
        })
        .collect();
    files.dedup();
    files
}

/// Whether the runtime's own credentials stand under the host that it asks: `Mismatch` where they are meant for the
/// registry and stand under another of its names, or without its port.
/// Source: containerd pkg/cri/server/image_pull.go (`registryHosts`): looked up by the host of the endpoint's URL.
fn runtime_table(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Subject::File { path: wanted, .. } = subject else {
        // Only containerd has such tables; Docker and CRI-O take what the kubelet gives, and files of the kubelet's form.
        return match release::of_pull(case, pull) {
            Some((Runtime::Docker | Runtime::CriO, _, shown)) => Seen::no(shown),
            _ => Seen::Blind(Why::NotAsked),
        };
    };
    // Looked up by the host of the endpoint that refused: where that was a mirror, by the mirror's.
    let refused = pull
        .reading()
        .filter(|r| r.phase != Some(Phase::Token) && words_refuse(pull))
        .and_then(|r| r.endpoint_host.as_deref());
    let asked = refused.unwrap_or_else(|| api_host(&pull.registry));
    let mut near = None;
    for (written, at) in tables(case, pull) {
        if !matches!(&at, Locator::File { path, .. } if path == wanted) {
            continue;
        }
        let host = host_of(&written);
        let shown = |key: &'static str| Evidence {
            at: at.clone(),
            says: Say::new(key).with("host", host).with("asked", asked),
            quote: written.clone(),
        };
        if host == asked {
            return Seen::yes(shown("evidence-runtime-credentials-fit"));
        }
        let hub = |h: &str| {
            matches!(h, "docker.io" | "index.docker.io" | "registry-1.docker.io" | "hub.docker.com")
        };
        let bare = |h: &str| h.split(':').next().unwrap_or_default().to_ascii_lowercase();
        if (hub(host) && hub(asked)) || bare(host) == bare(asked) {
            near = Some(shown("evidence-runtime-credentials-elsewhere"));
        }
    }
    match near {
        Some(evidence) => Seen::Is(Answer::Mismatch, vec![evidence]),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Words of a refusal for want of credentials, near a host's name.
const REFUSALS: &[&str] =
    &["unauthorized", "401", "authentication required", "no basic auth", "denied", "403"];

/// Whether anybody's words speak of a refusal.
pub fn words_refuse(pull: &Pull<'_>) -> bool {
    pull.observations.iter().any(|o| REFUSALS.iter().any(|w| o.text.contains(w)))
}

/// A host that refused and is not the image's registry: a mirror. With the words.
fn refusing_mirror<'o, 'a>(pull: &'o Pull<'a>, host: &str) -> Option<&'o Observation<'a>> {
    pull.observations.iter().find(|o| {
        o.text.match_indices(host).filter(|(at, _)| stands_alone(o.text, *at, host)).any(|(at, _)| {
            let after: String = o.text.get(at..).unwrap_or_default().chars().take(400).collect();
            REFUSALS.iter().any(|w| after.contains(w))
        })
    })
}

/// A host without its port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether a host in a text is the whole host: no longer name, and no port that it does not have.
fn stands_alone(text: &str, at: usize, host: &str) -> bool {
    let of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    let before = text.get(..at).and_then(|t| t.chars().next_back());
    let after = text.get(at + host.len()..).unwrap_or_default();
    let mut next = after.chars();
    let longer = match next.next() {
        Some(':') => next.next().is_some_and(|c| c.is_ascii_digit()),
        Some(c) => of_name(c) && c != '.' || c == '.' && next.next().is_some_and(of_name),
        None => false,
    };
    !longer && !before.is_some_and(of_name)
}

/// Entries of the pod's secrets that are for a mirror: their host stands in the words of the refusal, and the kubelet
/// does not choose them for the image's name.
fn mirror_entries(case: &Case<'_>, pull: &Pull<'_>) -> Vec<(String, Vec<Evidence>)> {
    let Ok(name) = image_name::lookup_name(&pull.image) else { return Vec::new() };
    let registry = api_host(&pull.registry);
    let mut found = Vec::new();
    for named in pull_secrets::named(case, pull).unwrap_or_default() {
        let Presence::There(secret) = named.presence else { continue };
        let Some(config) = secret.docker_config.seen() else { continue };
        for entry in config.entries.iter().filter(|e| e.user.is_some()) {
            let Some(host) = keyring::index_key(&entry.key).map(|k| host_of(&k).to_owned()) else { continue };
            if host.is_empty()
                || host == registry
                || host == pull.registry
                // the registry's own name with another port or none is a wrong key, not a mirror
                || name_of(&host) == name_of(&pull.registry)
                || keyring::serves(&entry.key, &name).is_ok()
            {
                continue;
            }
            if let Some(o) = refusing_mirror(pull, &host) {
                let shown = vec![
                    Evidence {
                        at: pull_secrets::entry_at(secret, entry),
                        says: Say::new("evidence-entry-is-for-mirror")
                            .with("host", &*host)
                            .with("image", &*pull.image),
                        quote: entry.key.clone(),
                    },
                    super::words::quote(o, Say::new("evidence-mirror-refused").with("host", &*host)),
                ];
                found.push((host, shown));
            }
        }
    }
    found
}

/// Where CRI-O's registries.conf has the image fetched from another host, which refused though the pod has an entry for
/// the image's own: the kubelet's credential goes to no other host (containers/image docker/docker_image_src.go). Whether
/// an auth file of the node holds one for that host, this does not show.
fn rewritten_entries(case: &Case<'_>, pull: &Pull<'_>) -> Vec<(String, Vec<Evidence>)> {
    let Some(view) = case.view(pull).filter(|v| v.runtime == Some(Runtime::CriO)) else { return Vec::new() };
    let Ok(name) = image_name::lookup_name(&pull.image) else { return Vec::new() };
    let image = reference::normalized(&pull.image);
    let entry = pull_secrets::named(case, pull).unwrap_or_default().into_iter().find_map(|named| {
        let Presence::There(secret) = named.presence else { return None };
        let entries = &secret.docker_config.seen()?.entries;
        let entry = entries.iter().find(|e| e.user.is_some() && keyring::serves(&e.key, &name).is_ok())?;
        Some(Evidence {
            at: pull_secrets::entry_at(secret, entry),
            says: Say::new("evidence-entry-serves").with("key", &*entry.key).with("image", &*pull.image),
            quote: entry.key.clone(),
        })
    });
    let Some(entry) = entry else { return Vec::new() };
    let files = view.facts.files.iter().filter(|(p, _)| p.starts_with("/etc/containers/registries.conf"));
    let rewrites = files.filter_map(|(path, file)| {
        let all = registries_conf::parse(file.text.seen()?).ok()?;
        let serving = registries_conf::serving(&all, &image)?;
        let host = serving.location.split('/').next().filter(|h| !h.is_empty() && *h != pull.registry)?;
        let refused = refusing_mirror(pull, host)?;
        let at = At { path: path.as_str().into(), line: serving.line, column: 0 };
        let says =
            Say::new("evidence-fetched-from-other-host").with("host", host).with("image", &*pull.image);
        let shown = vec![
            view.shows(&at, says),
            entry.clone(),
            super::words::quote(refused, Say::new("evidence-mirror-refused").with("host", host)),
        ];
        Some((host.to_owned(), shown))
    });
    rewrites.collect()
}

/// The mirrors that refused and for which the pod has an entry, and hosts to which its entry is not sent.
pub fn mirrors(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    let all = mirror_entries(case, pull).into_iter().chain(rewritten_entries(case, pull));
    all.map(|(host, _)| Subject::Host(host)).collect()
}

fn mirror_entry(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Subject::Host(host) = subject else { return Seen::Blind(Why::NotAsked) };
    match mirror_entries(case, pull).into_iter().find(|(h, _)| h == host) {
        Some((_, shown)) => Seen::Is(Answer::Yes, shown),
        None => match rewritten_entries(case, pull).into_iter().find(|(h, _)| h == host) {
            Some((_, shown)) => Seen::Is(Answer::Elsewhere, shown),
            None => Seen::Blind(Why::NotAsked),
        },
    }
}

fn mirror_entry_seen(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match mirror_entry(case, pull, subject) {
        seen @ Seen::Is(Answer::Yes, _) => seen,
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// Do the runtime's own credentials stand under the host that it asks?
pub static RUNTIME_TABLE: Question =
    Question { id: "ask-runtime-credentials-fit", ask: runtime_table, test: None };

/// Has the pod an entry for the very host that refused?
pub static MIRROR_ENTRY_SEEN: Question =
    Question { id: "ask-mirror-credentials-unused@seen", ask: mirror_entry_seen, test: None };

/// Has the pod an entry for the mirror that refused, which the image's name does not select? `Elsewhere` where its entry
/// is for the image's own host and another was asked.
pub static MIRROR_ENTRY: Question =
    Question { id: "ask-mirror-credentials-unused", ask: mirror_entry, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, secret};
    use facts::{NodeFacts, NodeFile, Observed};

    #[test]
    fn a_credential_does_not_follow_a_rewritten_name() {
        let scene = |location: &str, refused: &str| {
            let text = format!("[[registry]]\nprefix = \"r.example.com\"\nlocation = \"{location}\"\n");
            Scene::pod("r.example.com/app:1", &["pull"])
                .secret(secret("shop", "pull", "r.example.com"))
                .words(&format!("reading manifest 1 in {refused}/app: unauthorized: authentication required"))
                .change(|s| {
                    let file = NodeFile { text: Observed::Seen(text.clone()), ..NodeFile::default() };
                    s.node_facts.push(NodeFacts {
                        name: "worker-1".into(),
                        runtime: Some(facts::RuntimeVersion {
                            runtime: Runtime::CriO,
                            version: "1.29.1".into(),
                        }),
                        files: [("/etc/containers/registries.conf".to_owned(), file)].into(),
                        ..NodeFacts::default()
                    });
                })
                .ask(&MIRROR_ENTRY, &Subject::Host("m.example.com".into()))
        };
        assert_eq!(scene("m.example.com/r", "m.example.com/r"), Some(Answer::Elsewhere));
        assert_eq!(scene("r.example.com", "r.example.com"), None);
        assert_eq!(scene("m.example.com/r", "r.example.com"), None, "another host refused");
    }

    #[test]
    fn a_key_of_k3s_with_a_port_that_the_endpoint_has_not_is_not_found() {
        let path = "/etc/rancher/rke2/registries.yaml";
        let asked = |key: &str, entry: &str| {
            let text = format!("configs:\n  \"{key}\":\n    {entry}\n");
            let words = "unexpected status from HEAD request to https://m.example.com/v2/a/manifests/1?ns=quay.io: 401 Unauthorized";
            Scene::pod("quay.io/a:1", &[])
                .stating(words)
                .change(|s| {
                    let file = NodeFile { text: Observed::Seen(text.clone()), ..NodeFile::default() };
                    s.node_facts.push(NodeFacts {
                        name: "worker-1".into(),
                        files: [(path.to_owned(), file)].into(),
                        ..NodeFacts::default()
                    });
                })
                .ask(&RUNTIME_TABLE, &Subject::File { node: "worker-1".into(), path: path.into() })
        };
        let auth = "auth: {username: u, password: p}";
        assert_eq!(asked("m.example.com:443", auth), Some(Answer::Mismatch));
        assert_eq!(asked("m.example.com", auth), Some(Answer::Yes));
        assert_eq!(asked("other.example.com:443", auth), None);
        assert_eq!(asked("m.example.com:443", "tls: {insecure_skip_verify: true}"), None, "no credential");
    }

    #[test]
    fn credentials_under_docker_hubs_short_name_are_not_found() {
        let path = "/etc/cri/conf.d/01.part";
        let scene = |host: &str| {
            let text = format!("[plugins.cri.registry.configs.\"{host}\".auth]\nusername = \"u\"\n");
            Scene::pod("acme/tool:1", &[]).change(|s| {
                let file = NodeFile { text: Observed::Seen(text.clone()), ..NodeFile::default() };
                s.node_facts.push(NodeFacts {
                    name: "worker-1".into(),
                    files: [(path.to_owned(), file)].into(),
                    ..NodeFacts::default()
                });
            })
        };
        let about = Subject::File { node: "worker-1".into(), path: path.into() };
        assert_eq!(scene("docker.io").ask(&RUNTIME_TABLE, &about), Some(Answer::Mismatch));
        assert_eq!(scene("registry-1.docker.io").ask(&RUNTIME_TABLE, &about), Some(Answer::Yes));
        assert_eq!(scene("quay.io").ask(&RUNTIME_TABLE, &about), None);
    }

    #[test]
    fn an_entry_for_a_mirror_that_refused_was_not_used() {
        let scene = |words: &str| {
            Scene::pod("quay.io/org/app:1", &["mirror"])
                .secret(secret("shop", "mirror", "mirror.example.com:5000"))
                .words(words)
        };
        let about = Subject::Host("mirror.example.com:5000".into());
        let refused = "(Mirrors also failed: [mirror.example.com:5000/org/app:1: unauthorized: authentication required]): quay.io/org/app:1: i/o timeout";
        assert_eq!(scene(refused).ask(&MIRROR_ENTRY, &about), Some(Answer::Yes));
        assert_eq!(scene("mirror.example.com:5000/org/app:1: i/o timeout").ask(&MIRROR_ENTRY, &about), None);
        assert_eq!(scene("quay.io/org/app:1: unauthorized").ask(&MIRROR_ENTRY, &about), None);
        let longer = "not-mirror.example.com:5000/org/app:1: unauthorized: authentication required";
        assert_eq!(scene(longer).ask(&MIRROR_ENTRY, &about), None, "another host's name ends alike");
    }

    #[test]
    fn the_registrys_own_name_without_its_port_is_no_mirror() {
        let words = "failed to pull and unpack image \"r.example.com:8443/a:1\": authorization failed: no basic auth credentials";
        let scene = Scene::pod("r.example.com:8443/a:1", &["p"])
            .secret(secret("shop", "p", "r.example.com"))
            .words(words);
        assert_eq!(scene.ask(&MIRROR_ENTRY, &Subject::Host("r.example.com".into())), None);
    }
}
