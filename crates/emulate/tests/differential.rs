//! The emulators against what the real programs asked on generated configurations: `lab/differential.py --vectors` writes
//! down the answers, and what once differed stays here, made small.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use emulate::containerd::{self, Capability, DEFAULT_CONFIG, Endpoint, State, Version};
use emulate::files::clean;
use emulate::go::url::split_port;
use emulate::{containers, docker};
use formats::reference::Reference;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use support::{Node, material};

mod support;

/// One line of the file.
#[derive(Deserialize)]
struct Vector {
    id: String,
    runtime: String,
    version: String,
    image: String,
    files: BTreeMap<String, String>,
    state: String,
    asked: Vec<String>,
}

/// The names of the lab's registries, as in `lab/configurations.py`.
const HOSTS: &str = "198.51.100.1 reg.test\n198.51.100.2 mirror.test\n198.51.100.3 other.test\n127.0.7.4 third.test\n198.51.100.9 registry-1.docker.io\n127.0.0.1 localhost\n";
/// The ports on which these speak TLS, and those on which they do not.
const TLS: &[&str] = &["443", "5443"];
const PLAIN: &[&str] = &["80", "5000"];

fn lay(v: &Vector, material: &[(&str, Vec<u8>)]) -> Node {
    let of = |mark: &str| material.iter().find(|(m, _)| *m == mark).map(|(_, bytes)| bytes.clone()).unwrap();
    let mut node = Node::default();
    node.write("/etc/hosts", HOSTS.as_bytes());
    for (path, text) in &v.files {
        let bytes = match text.as_str() {
            "@CA" | "@OTHER" => of("@PEM_CA"),
            "@CLIENT" => of("@PEM_CLIENT_CERT"),
            "@CLIENT-KEY" => of("@PEM_CLIENT_KEY"),
            "@BOTH" => of("@PEM_CLIENT_BOTH"),
            text => text.as_bytes().to_vec(),
        };
        node.write(path, &bytes);
    }
    node
}

/// What an emulator says: the state, and the endpoints with the name of the image there; none where the pull fails before.
fn said(v: &Vector, node: &Node) -> (&'static str, Vec<(Endpoint, String)>) {
    let own = Reference::parse(&v.image).unwrap().repository();
    let named = |all: Vec<Endpoint>| all.into_iter().map(|e| (e, own.clone())).collect();
    let (state, errors, endpoints) = match v.runtime.as_str() {
        "containerd" => {
            let r = containerd::resolve(node, &Version::parse(&v.version).unwrap(), DEFAULT_CONFIG, &v.image);
            let state = match r.state {
                State::Ok => "ok",
                State::DaemonFails { .. } => "daemon-fails",
                State::CriNotLoaded { .. } => "cri-not-loaded",
            };
            (state, r.errors, named(r.endpoints))
        }
        "docker" => {
            let r = docker::resolve(node, Version::parse(&v.version).as_ref(), &v.image);
            let state = if r.settings.invalid.is_some() { "daemon-fails" } else { "ok" };
            (state, r.errors, named(r.endpoints))
        }
        library => {
            let r = containers::resolve(node, &v.image);
            let fails = library == "cri-o" && r.config.invalid.is_some();
            (if fails { "daemon-fails" } else { "ok" }, r.errors, r.endpoints)
        }
    };
    (state, if state == "ok" && errors.is_empty() { endpoints } else { Vec::new() })
}

/// What the registries would see of these endpoints, each thing once, in order.
fn seen(v: &Vector, endpoints: &[(Endpoint, String)]) -> Vec<String> {
    let by_digest = v.image.split_once('@').map(|(_, digest)| digest);
    let tail = by_digest.or_else(|| v.image.rsplit_once(':').map(|(_, tag)| tag)).unwrap();
    let mut seen: Vec<String> = Vec::new();
    let mut add = |event: String| {
        if !seen.contains(&event) {
            seen.push(event);
        }
    };
    for (e, repository) in endpoints {
        let resolves = by_digest.is_some() || e.capabilities.has(Capability::Resolve);
        if !e.capabilities.has(Capability::Pull) || !resolves {
            continue;
        }
        let usual = if e.scheme == "https" { "443" } else { "80" };
        let (name, port) = split_port(&e.host).unwrap_or((&e.host, usual));
        let known = HOSTS.lines().filter_map(|l| l.split_once(' ')).find(|(a, n)| *n == name || *a == name);
        let Some((address, _)) = known else { continue };
        let at = format!("{address}:{port}");
        let path = clean(&format!("{}/{repository}/manifests/{tail}", e.path));
        let trusted = e.skip_verify || e.ca.iter().any(|ca| v.files.get(ca).is_some_and(|t| t == "@CA"));
        // A client that speaks plain HTTP to a TLS port gets nowhere, and is not written down.
        let plain = |add: &mut dyn FnMut(String)| {
            if !TLS.contains(&port) {
                add(format!("http {at} {path}"));
            }
        };
        if e.scheme == "http" {
            plain(&mut add);
        } else if PLAIN.contains(&port) {
            add(format!("hello {at}"));
            if e.http_fallback {
                plain(&mut add);
            }
        } else if trusted {
            add(format!("https {at} {path}"));
        } else {
            add(format!("refused {at}"));
        }
    }
    seen
}

#[test]
fn the_registries_that_are_asked_are_those_that_the_real_programs_asked() {
    let material = material();
    let (mut count, mut wrong, mut programs) = (0, Vec::new(), BTreeSet::new());
    for line in include_str!("data/differential.jsonl").lines() {
        let v: Vector = serde_json::from_str(line).unwrap();
        count += 1;
        programs.insert(format!("{} {}", v.runtime, v.version));
        let node = lay(&v, &material);
        let (state, endpoints) = said(&v, &node);
        let would = seen(&v, &endpoints);
        if (state, &would) != (v.state.as_str(), &v.asked) {
            wrong.push(format!("{}: {state} {would:#?}, really {} {:#?}", v.id, v.state, v.asked));
        }
    }
    assert!(count > 200 && programs.len() >= 8, "{count} {programs:?}");
    assert!(wrong.is_empty(), "{} of {count} wrong\n{}", wrong.len(), wrong.join("\n"));
}
