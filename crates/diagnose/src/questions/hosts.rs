//! Which host was asked when the pull ended, and what the words alone say of it.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, PROBE, Question, Seen};
use crate::questions::words::quote;
use crate::subject::Subject;
use facts::Why;
use formats::url::{path_of, scheme_of};
use report::{Evidence, Say};
use std::net::IpAddr;
use vocabulary::Phase;

/// Docker Hub's own hosts: asking them for `docker.io` is no detour.
const HUB: &[&str] = &["docker.io", "registry-1.docker.io", "index.docker.io", "auth.docker.io"];

/// A host without its port.
pub fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether two hosts (with or without port) are the same registry.
pub fn same_host(a: &str, b: &str) -> bool {
    name_of(a) == name_of(b) || (HUB.contains(&name_of(a)) && HUB.contains(&name_of(b)))
}

/// Whether the URL is one of the registry API.
pub fn is_api(url: &str) -> bool {
    scheme_of(url).is_some() && is_api_path(path_of(url))
}

/// Whether the path is one of the registry API.
pub fn is_api_path(path: &str) -> bool {
    path.starts_with("/v2/") || path == "/v2"
}

fn blob_elsewhere(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for o in &pull.observations {
        let (Some(url), Some(host)) = (o.reading.url.as_deref(), o.reading.endpoint_host.as_deref()) else {
            continue;
        };
        if o.reading.phase == Some(Phase::Token) {
            continue;
        }
        let elsewhere = !pull.registry.is_empty() && !same_host(host, &pull.registry);
        let blob = o.reading.phase == Some(Phase::Blob) || !is_api(url);
        if elsewhere && blob && !url.contains("/manifests/") {
            return Seen::yes(quote(
                o,
                Say::new("evidence-blob-host").with("host", host).with("registry", pull.registry.clone()),
            ));
        }
        if url.contains("/manifests/") {
            return Seen::no(quote(o, Say::new("evidence-manifest-request").with("host", host)));
        }
    }
    Seen::Blind(Why::NotAsked)
}

/// Did the pull end at a host to which the registry sends clients for its blobs?
pub static BLOB_ELSEWHERE: Question = Question { id: "ask-blob-elsewhere", ask: blob_elsewhere, test: PROBE };

/// Another client comes no further at the host of the blobs, while the registry answers it. Where a proxy is spoken of, it
/// may be the way that both missed.
fn blob_host_dead(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let spoken_of = |word: &str| !case.lines_with(word).is_empty();
    if spoken_of("PROXY=") || spoken_of("proxy=") {
        return Seen::Blind(Why::NotAsked);
    }
    let host = pull.asked_host();
    let all = || case.requests().iter();
    let dead =
        all().find(|r| same_host(r.curl.host(), host) && r.curl.status().is_none() && r.curl.error.is_some());
    let lives = all().find(|r| {
        same_host(r.curl.host(), &pull.registry) && r.curl.status().is_some_and(|s| (200..400).contains(&s))
    });
    match dead.zip(lives) {
        Some((dead, lives)) if !same_host(host, &pull.registry) => Seen::Is(
            Answer::Yes,
            vec![
                dead.shows(
                    Say::new("evidence-blob-host").with("host", host).with("registry", pull.registry.clone()),
                ),
                lives.shows(Say::new("evidence-registry-answers").with("host", pull.registry.clone())),
            ],
        ),
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// Does another client fail at the host of the blobs, and not at the registry?
pub static BLOB_HOST_DEAD: Question = Question { id: "ask-blob-host-dead", ask: blob_host_dead, test: None };

fn cluster_name(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some(o) = pull.deciding() else { return Seen::Blind(Why::NotAsked) };
    let host = name_of(pull.asked_host());
    if host.is_empty() {
        return Seen::Blind(Why::NotAsked);
    }
    let labels: Vec<&str> = host.split('.').collect();
    // `name.namespace.svc[.cluster-domain]` is what the cluster's DNS serves. Source: kubernetes DNS specification 1.1.
    let of_cluster = labels.len() >= 3 && labels.get(2) == Some(&"svc") || host.ends_with(".cluster.local");
    let says = Say::new("evidence-cluster-name").with("host", host);
    if of_cluster {
        Seen::yes(quote(o, says))
    } else {
        Seen::no(quote(o, Say::new("evidence-public-name").with("host", host)))
    }
}

/// Is the name one that only the cluster's own DNS serves?
pub static CLUSTER_NAME: Question = Question { id: "ask-cluster-name", ask: cluster_name, test: None };

fn asked_a_mirror(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some(o) = pull.deciding() else { return Seen::Blind(Why::NotAsked) };
    let Some(host) = o.reading.endpoint_host.as_deref().or_else(|| repository_host(o.text)) else {
        return configured_mirror_fails(case, pull)
            .map_or(Seen::Blind(Why::NotAsked), |shown| Seen::Is(Answer::Yes, shown));
    };
    if pull.registry.is_empty() || o.reading.phase == Some(Phase::Token) {
        return Seen::Blind(Why::NotAsked);
    }
    let says = Say::new("evidence-mirror-asked").with("host", host).with("registry", pull.registry.clone());
    let answer = if same_host(host, &pull.registry) { Answer::No } else { Answer::Yes };
    Seen::Is(answer, vec![quote(o, says)])
}

/// The host of `reading manifest TAG in HOST/PATH: ...`, by which CRI-O and podman name the repository they asked.
/// Source: containers/image docker/docker_image_src.go.
fn repository_host(text: &str) -> Option<&str> {
    let (_, after) = text.split_once("reading manifest ")?.1.split_once(" in ")?;
    let host = after.split('/').next()?;
    host.contains(['.', ':']).then_some(host)
}

/// Where the words name no host: the mirror that the node's configuration puts first, which answers the same by hand.
fn configured_mirror_fails(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    let view = case.view(pull)?;
    let mirror = view.endpoints.first().filter(|e| !same_host(&e.host, &pull.registry))?;
    let failing = |s: u16| (500..600).contains(&s);
    let by_hand = case
        .requests()
        .iter()
        .find(|r| same_host(r.curl.host(), &mirror.host) && r.curl.status().is_some_and(failing))?;
    let says = Say::new("evidence-mirror-asked")
        .with("host", mirror.host.clone())
        .with("registry", pull.registry.clone());
    let at = mirror.at.clone().unwrap_or_else(|| view.file(&view.config));
    Some(vec![view.shows(&at, says.clone()), by_hand.shows(says)])
}

/// Was a mirror asked, and not the registry of the image?
pub static ASKED_A_MIRROR: Question = Question { id: "ask-mirror-asked", ask: asked_a_mirror, test: None };

/// Whether the host is an address that only its own network knows.
pub fn is_private(host: &str) -> bool {
    match name_of(host).trim_matches(['[', ']']).parse::<IpAddr>() {
        Ok(IpAddr::V4(v4)) => v4.is_private() || v4.is_loopback() || v4.is_link_local(),
        Ok(IpAddr::V6(v6)) => v6.is_loopback() || v6.is_unique_local() || v6.is_unicast_link_local(),
        Err(_) => false,
    }
}

/// Ends of the names of registries that somebody serves to the public or to tenants: none of them is one's own.
const SERVED: &[&str] = &[
    "docker.io",
    "ghcr.io",
    "quay.io",
    "gcr.io",
    "registry.k8s.io",
    "k8s.gcr.io",
    "mcr.microsoft.com",
    "public.ecr.aws",
    "nvcr.io",
    "registry.gitlab.com",
    "registry.redhat.io",
    "registry.access.redhat.com",
    ".azurecr.io",
    ".amazonaws.com",
    ".pkg.dev",
    ".gcr.io",
    ".aliyuncs.com",
    ".ocir.io",
    ".icr.io",
    ".jfrog.io",
];

/// Whether a registry is one of the public or of a cloud.
pub fn is_served_to_many(registry: &str) -> bool {
    let name = name_of(registry);
    HUB.contains(&name)
        || SERVED.iter().any(|s| if s.starts_with('.') { name.ends_with(s) } else { name == *s })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use vocabulary::Cause;

    fn scene(image: &str, words: &str) -> Scene {
        Scene::pod(image, &[]).symptom(Cause::DnsNotFound).words(words)
    }

    #[test]
    fn only_service_names_are_the_clusters() {
        let ask = |image: &str| scene(image, "no such host").ask(&CLUSTER_NAME, &Subject::Cluster);
        assert_eq!(ask("registry.tools.svc:5000/a:1"), Some(Answer::Yes));
        assert_eq!(ask("registry.tools.svc.cluster.local/a:1"), Some(Answer::Yes));
        assert_eq!(ask("svc.example.com/a:1"), Some(Answer::No));
        assert_eq!(ask("registry.example.com/a:1"), Some(Answer::No));
    }

    #[test]
    fn hub_hosts_are_one_registry_and_ports_do_not_part_hosts() {
        assert!(same_host("registry-1.docker.io", "docker.io"));
        assert!(same_host("a.example.com:443", "a.example.com"));
        assert!(!same_host("mirror.example.com", "docker.io"));
        assert!(is_private("10.1.2.3:80") && is_private("[::1]:53") && !is_private("203.0.113.1"));
    }
}
