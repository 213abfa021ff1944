//! The containerd emulator against what the real releases did with the same files.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use emulate::containerd::{
    DEFAULT_CONFIG, Endpoint, Note, Outcome, PullPath, Resolution, State, Version, reported, resolve,
};
use emulate::files::{Entry, Files};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use support::{Node, material};

mod support;

#[derive(Deserialize)]
struct Vector {
    id: String,
    kind: String,
    pull_path: Option<String>,
    image: String,
    config_path: Option<String>,
    #[serde(default)]
    files: BTreeMap<String, String>,
    #[serde(default)]
    dirs: Vec<String>,
    verified_with: Vec<String>,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    host_dir: Option<String>,
    endpoints: Option<Vec<Wanted>>,
    #[serde(default)]
    errors: Vec<String>,
    #[serde(default)]
    file_discarded: bool,
    daemon: Option<String>,
    cri_plugin: Option<String>,
    pull_path: Option<String>,
    hosts_that_received_requests: Option<Vec<String>>,
}

#[derive(Deserialize, Debug, PartialEq, Eq)]
struct Wanted {
    url: String,
    capabilities: BTreeSet<String>,
    ca: Vec<String>,
    skip_verify: bool,
    client: Vec<Pair>,
    headers: BTreeMap<String, Vec<String>>,
    override_path: bool,
    http_fallback: bool,
}

#[derive(Deserialize, Debug, PartialEq, Eq)]
struct Pair {
    cert: String,
    key: Option<String>,
}

fn wanted(e: &Endpoint) -> Wanted {
    Wanted {
        url: e.url(),
        capabilities: e.capabilities.words().into_iter().map(str::to_owned).collect(),
        ca: e.ca.clone(),
        skip_verify: e.skip_verify,
        client: e.client.iter().map(|p| Pair { cert: p.cert.clone(), key: p.key.clone() }).collect(),
        headers: e.headers.clone(),
        override_path: e.override_path,
        http_fallback: e.http_fallback,
    }
}

fn replaced(text: &str, material: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for (mark, value) in material {
        while let Some(i) = bytes.windows(mark.len()).position(|w| w == mark.as_bytes()) {
            bytes.splice(i..i + mark.len(), value.iter().copied());
        }
    }
    bytes
}

/// The node of a vector; a hosts directory alone is given a configuration that leads to it.
fn lay(v: &Vector, version: &str, material: &[(&str, Vec<u8>)]) -> Node {
    let mut node = Node::default();
    if v.kind == "hosts-dir" {
        let path = format!("{:?}", v.config_path.as_deref().unwrap_or_default());
        let config = if version.starts_with("1.") {
            format!("version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\nconfig_path = {path}\n")
        } else {
            let local = v.pull_path.as_deref() == Some("local") && !version.starts_with("2.0");
            let local = if local { "use_local_image_pull = true\n" } else { "" };
            format!(
                "version = 3\n[plugins.\"io.containerd.cri.v1.images\"]\n{local}[plugins.\"io.containerd.cri.v1.images\".registry]\nconfig_path = {path}\n"
            )
        };
        node.write(DEFAULT_CONFIG, config.as_bytes());
    }
    for dir in &v.dirs {
        node.mkdir(dir);
    }
    for (path, content) in &v.files {
        node.write(path, &replaced(content, material));
    }
    node
}

fn differs(v: &Vector, r: &Resolution) -> Option<String> {
    let x = &v.expect;
    if let Some(endpoints) = &x.endpoints {
        if !x.errors.is_empty() {
            return (r.errors != x.errors).then(|| format!("errors {:?}, expected {:?}", r.errors, x.errors));
        }
        let got: Vec<_> = r.endpoints.iter().map(wanted).collect();
        if got != *endpoints {
            return Some(format!("endpoints {got:#?}\nexpected {endpoints:#?}\nnotes {:?}", r.notes));
        }
        if r.host_dir != x.host_dir {
            return Some(format!("host_dir {:?}, expected {:?}", r.host_dir, x.host_dir));
        }
        let dropped = r.notes.iter().any(|n| matches!(n, Note::FileDropped { .. }));
        return (dropped != x.file_discarded).then(|| format!("dropped {dropped}"));
    }
    let state = match r.state {
        State::Ok => ("starts", Some("loaded")),
        State::DaemonFails { .. } => ("exits", None),
        State::CriNotLoaded { .. } => ("starts", Some("not loaded")),
    };
    if (Some(state.0), state.1) != (x.daemon.as_deref(), x.cri_plugin.as_deref()) {
        return Some(format!("state {:?}, expected {:?} {:?}", r.state, x.daemon, x.cri_plugin));
    }
    if let Some(path) = &x.pull_path
        && path != r.pull_path.word()
    {
        return Some(format!("pull path {:?}, expected {path}", r.pull_path));
    }
    // The first endpoint is the one that a working server answered at; none of them when nothing was reached.
    let reached = x.hosts_that_received_requests.as_ref()?.first()?;
    let url = r.endpoints.first().map(|e| format!("{}://{}", e.scheme, e.host)).unwrap_or_default();
    // A bare name is asked over the scheme that the real daemon settled on after its fall-back.
    let same =
        url == *reached || url.split_once("://").map(|u| u.1) == reached.split_once("://").map(|u| u.1);
    (!same).then(|| format!("first endpoint {url}, expected {reached}; notes {:?}", r.notes))
}

fn vectors() -> Vec<Vector> {
    let text = include_str!("data/containerd-vectors.jsonl");
    text.lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

#[test]
fn endpoints_and_states_are_those_of_the_real_releases() {
    let material = material();
    let (mut count, mut wrong) = (0, Vec::new());
    for v in vectors() {
        for version in &v.verified_with {
            count += 1;
            let node = lay(&v, version, &material);
            let r = resolve(&node, &Version::parse(version).unwrap(), DEFAULT_CONFIG, &v.image);
            if let Some(why) = differs(&v, &r) {
                wrong.push(format!("{} @ {version}: {why}", v.id));
            }
        }
    }
    assert!(count > 4000, "{count}");
    assert!(
        wrong.is_empty(),
        "{} of {count} wrong\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
}

#[test]
fn the_error_that_is_shown_is_the_real_one() {
    #[derive(Deserialize)]
    struct Table {
        tested_1x: Vec<String>,
        tested_2x: Vec<String>,
        pairs: Vec<Row>,
    }
    #[derive(Deserialize)]
    struct Row {
        mirror: String,
        upstream: String,
        reported_1x: String,
        reported_2x: String,
    }
    let table: Table = serde_json::from_str(include_str!("data/containerd-error-precedence.json")).unwrap();
    let outcome = |name: &str| match name {
        "404" => Outcome::NotFound,
        "401plain" | "403" | "429" | "503" | "500" => Outcome::Status,
        "401basic" | "refused" | "x509" | "plainhttp" | "bearer-token-endpoint-401" => Outcome::Transport,
        other => panic!("unknown outcome {other}"),
    };
    assert!(table.pairs.len() > 100);
    for row in &table.pairs {
        let both = [outcome(&row.mirror), outcome(&row.upstream)];
        for (versions, expected) in
            [(&table.tested_1x, &row.reported_1x), (&table.tested_2x, &row.reported_2x)]
        {
            for version in versions {
                let i = reported(&Version::parse(version).unwrap(), &both).unwrap();
                assert_eq!(
                    ["mirror", "upstream"][i],
                    expected,
                    "{} {} @ {version}",
                    row.mirror,
                    row.upstream
                );
            }
        }
    }
}

#[test]
fn what_nobody_looked_at_is_assumed_not_to_be_there_and_said_so() {
    struct Nothing;
    impl Files for Nothing {
        fn entry(&self, _: &str) -> Entry<'_> {
            Entry::Unknown
        }
        fn list(&self, _: &str) -> Vec<String> {
            Vec::new()
        }
    }
    let v = Version::parse("1.7.20").unwrap();
    let r = resolve(&Nothing, &v, DEFAULT_CONFIG, "harbor.example.com/a:1");
    assert_eq!(r.state, State::Ok);
    assert_eq!(r.pull_path, PullPath::Local);
    assert_eq!(r.assumed, [DEFAULT_CONFIG]);
    assert_eq!(r.endpoints.len(), 1);
}
