//! The request to the people who run the network: every host and port with its purpose, what was met there, and the
//! exemption that is needed. It is one sentence with arguments, so that it exists in every language.

use crate::case::Case;
use crate::pull::Pull;
use crate::questions::hosts::name_of;
use report::Say;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use vocabulary::{Phase, Stage};

/// What a host is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// The registry's API.
    Registry,
    /// Tokens.
    Token,
    /// Layers and configurations.
    Blobs,
}

fn purpose(phase: Option<Phase>) -> Purpose {
    match phase {
        Some(Phase::Token) => Purpose::Token,
        Some(Phase::Blob) => Purpose::Blobs,
        _ => Purpose::Registry,
    }
}

/// Every host that this pull is known to need, with its port, and what for.
pub fn hosts(case: &Case<'_>, pull: &Pull<'_>) -> BTreeMap<String, Purpose> {
    let mut all = BTreeMap::new();
    let mut add = |host: &str, what: Purpose| {
        if !host.is_empty() {
            let port = if name_of(host) == host { ":443" } else { "" };
            all.entry(format!("{host}{port}")).or_insert(what);
        }
    };
    for o in &pull.observations {
        let blob = o.reading.url.as_deref().is_some_and(|u| u.contains("/blobs/") || u.contains("X-Amz-"));
        let phase = if blob { Some(Phase::Blob) } else { o.reading.phase };
        add(o.reading.endpoint_host.as_deref().unwrap_or_default(), purpose(phase));
        for rung in o.ladder.into_iter().flat_map(|l| &l.branches) {
            let host = rung.url.split("://").nth(1).and_then(|r| r.split('/').next()).unwrap_or_default();
            add(host, purpose(Some(rung.phase)));
        }
    }
    let registry = if pull.registry == "docker.io" { "registry-1.docker.io" } else { &pull.registry };
    add(registry, Purpose::Registry);
    for (host, what) in beside(&pull.registry) {
        add(&host, what);
    }
    for request in case.requests() {
        if let Some(to) = request.curl.header("location").filter(|_| request.curl.path().contains("/blobs/"))
        {
            add(to.split("://").nth(1).and_then(|r| r.split('/').next()).unwrap_or_default(), Purpose::Blobs);
        }
    }
    all
}

/// The hosts of one registry that is served to many, with `<name>` where they differ from tenant to tenant.
#[derive(Deserialize)]
struct Served {
    api: Vec<String>,
    token: Vec<String>,
    blobs: Vec<String>,
}

/// The products' own lists for firewalls, as of 2026-11.
static SERVED: LazyLock<Vec<Served>> =
    LazyLock::new(|| serde_json::from_str(include_str!("../data/registry-hosts.json")).unwrap_or_default());

/// What stands for each `<name>` of a pattern, where the host fits it.
fn bound<'t>(pattern: &'t str, host: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
    let Some((before, rest)) = pattern.split_once('<') else { return (pattern == host).then(Vec::new) };
    let (name, after) = rest.split_once('>')?;
    let host = host.strip_prefix(before)?;
    let next = after.split('<').next().unwrap_or_default();
    let at = if next.is_empty() { host.len() } else { host.find(next)? };
    let (value, left) = host.split_at_checked(at).filter(|(v, _)| !v.is_empty())?;
    let mut all = bound(after, left)?;
    all.push((name, value));
    Some(all)
}

/// A pattern with what is known put in; `*` stands for the rest.
fn filled(pattern: &str, known: &[(&str, &str)]) -> String {
    let mut text = pattern.to_owned();
    for (name, value) in known {
        text = text.replace(&format!("<{name}>"), value);
    }
    while let Some((before, rest)) = text.split_once('<') {
        text = format!("{before}*{}", rest.split_once('>').map_or("", |(_, after)| after));
    }
    text
}

/// The other hosts of a registry that is served to many.
fn beside(registry: &str) -> Vec<(String, Purpose)> {
    let host = if registry == "docker.io" { "registry-1.docker.io" } else { name_of(registry) };
    for served in SERVED.iter() {
        let Some(known) = served.api.iter().find_map(|p| bound(p, host)) else { continue };
        let of = |list: &[String], what| list.iter().map(|p| (filled(p, &known), what)).collect::<Vec<_>>();
        let mut all = of(&served.token, Purpose::Token);
        all.extend(of(&served.blobs, Purpose::Blobs));
        return all;
    }
    Vec::new()
}

/// The request as one sentence.
pub fn write(case: &Case<'_>, pull: &Pull<'_>) -> Say {
    let all = hosts(case, pull);
    let of = |what: Purpose| {
        let list: Vec<&str> = all.iter().filter(|(_, w)| **w == what).map(|(h, _)| h.as_str()).collect();
        if list.is_empty() { "-".to_owned() } else { list.join(", ") }
    };
    let words = pull.deciding();
    let met = words.map(|o| o.reading.leaf.chars().take(200).collect::<String>()).unwrap_or_default();
    let from = words.map(|o| o.vantage.to_string()).unwrap_or_default();
    let when = words.and_then(|o| o.when).map(|t| t.to_string()).unwrap_or_default();
    let inspected = pull.symptom().stage() == Stage::Tls;
    Say::new(if inspected { "request-exempt-from-inspection" } else { "request-let-through" })
        .with("registry", of(Purpose::Registry))
        .with("token", of(Purpose::Token))
        .with("blobs", of(Purpose::Blobs))
        .with("met", met)
        .with("from", from)
        .with("when", when)
        .with("host", pull.asked_host())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;

    #[test]
    fn a_public_registry_needs_its_token_service_and_its_blobs_too() {
        let scene = Scene::pod("nginx:1", &[]);
        let found = hosts(&Case::new(&scene.snapshot), &scene.pull());
        assert_eq!(found.get("registry-1.docker.io:443"), Some(&Purpose::Registry));
        assert_eq!(found.get("auth.docker.io:443"), Some(&Purpose::Token));
        assert_eq!(found.get("production.cloudflare.docker.com:443"), Some(&Purpose::Blobs));
        let ecr = Scene::pod("1234.dkr.ecr.eu-west-1.amazonaws.com/a:1", &[]);
        let found = hosts(&Case::new(&ecr.snapshot), &ecr.pull());
        let bucket = "prod-eu-west-1-starport-layer-bucket.s3.eu-west-1.amazonaws.com:443";
        assert_eq!(found.get(bucket), Some(&Purpose::Blobs));
        let own = Scene::pod("reg.example.com:5000/a:1", &[]).output(
            "curl -sSI https://reg.example.com:5000/v2/a/blobs/sha256:00",
            "HTTP/1.1 307 Temporary Redirect\nLocation: https://store.example.com/x\n",
        );
        let found = hosts(&Case::new(&own.snapshot), &own.pull());
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["reg.example.com:5000", "store.example.com:443"]);
    }
}
