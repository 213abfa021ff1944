//! What the lints say of files, each with a twin that is well.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failure here is a failed test")]

use emulate::containerd::{self, Version};
use emulate::files::{Entry, Files};
use emulate::lint::{self, Lint};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Files by path; directories are what lies above them.
#[derive(Clone, Default)]
struct Tree(BTreeMap<String, Vec<u8>>);

impl Files for Tree {
    fn entry(&self, path: &str) -> Entry<'_> {
        let below = format!("{}/", path.trim_end_matches('/'));
        match self.0.get(path) {
            Some(bytes) => Entry::File(Cow::Borrowed(bytes)),
            None if self.0.keys().any(|p| p.starts_with(&below)) => Entry::Dir,
            None => Entry::Absent,
        }
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let below = format!("{}/", dir.trim_end_matches('/'));
        let name = |p: &String| p.strip_prefix(&below).and_then(|r| r.split('/').next()).map(str::to_owned);
        self.0.keys().filter_map(name).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// A certificate: `ca` for a root, an intermediate of it, or a server's own.
fn certificate(kind: &str) -> String {
    let root_key = rcgen::KeyPair::generate().unwrap();
    let mut root = rcgen::CertificateParams::new(Vec::new()).unwrap();
    root.distinguished_name.push(rcgen::DnType::CommonName, "root");
    root.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    if kind == "root" {
        return root.self_signed(&root_key).unwrap().pem();
    }
    let issuer = rcgen::Issuer::new(root, root_key);
    let key = rcgen::KeyPair::generate().unwrap();
    let mut params = rcgen::CertificateParams::new(vec!["r.example.com".into()]).unwrap();
    params.distinguished_name.push(rcgen::DnType::CommonName, kind);
    if kind == "intermediate" {
        params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    }
    params.signed_by(&key, &issuer).unwrap().pem()
}

/// A node whose hosts directories are read.
fn node(files: &[(&str, &str)]) -> Tree {
    let config = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\nconfig_path = \"/c\"\n";
    let mut tree = Tree::default();
    tree.0.insert("/etc/containerd/config.toml".into(), config.into());
    for (path, text) in files {
        tree.0.insert((*path).to_owned(), text.as_bytes().to_vec());
    }
    tree
}

fn found(tree: &Tree, version: &str) -> Vec<lint::Finding> {
    let version = Version::parse(version).unwrap();
    let r = containerd::resolve(tree, &version, containerd::DEFAULT_CONFIG, "r.example.com/a:1");
    lint::containerd(tree, &version, &r)
}

fn ids(tree: &Tree, version: &str) -> Vec<(Lint, u32, u32)> {
    let place = |f: &lint::Finding| f.at.as_ref().map_or((0, 0), |a| (a.line, a.column));
    found(tree, version).iter().map(|f| (f.lint, place(f).0, place(f).1)).collect()
}

const HOSTS: &str = "/c/r.example.com/hosts.toml";

#[test]
fn a_sound_node_has_no_findings() {
    let ca = certificate("root");
    let text = "server = \"https://r.example.com\"\nca = \"ca.crt\"\n[host.\"https://m.example.com\"]\n  ca = \"/c/r.example.com/ca.crt\"\n";
    for version in ["1.7.35", "2.2.1", "2.4.2"] {
        assert_eq!(ids(&node(&[(HOSTS, text), ("/c/r.example.com/ca.crt", &ca)]), version), [], "{version}");
    }
}

#[test]
fn faults_of_a_hosts_file_and_where_they_stand() {
    for (text, want) in [
        ("server = \"https://r\"\nx = [\n", vec![(Lint::FileDropped, 2, 6)]),
        ("[host.\"https://m\"]\n  skip_verify = true\n", vec![(Lint::SkipVerify, 2, 3)]),
        ("[host.\"http://m\"]\n", vec![(Lint::PlainHttp, 1, 7)]),
        ("[host.\"https://m\"]\n  skip-verify = true\n", vec![(Lint::UnknownKey, 2, 3)]),
        ("[host.\"https://m\"]\n  ca = \"none.crt\"\n", vec![(Lint::CaMissing, 2, 8)]),
        ("[host.\"https://m/v2/p\"]\n", vec![(Lint::PathDoubled, 1, 7)]),
        ("[host.\"https://m/v2/p\"]\n  override_path = true\n", vec![]),
        ("[host.\"https://m\"]\nserver = \"https://r\"\n", vec![(Lint::KeyInHostTable, 2, 1)]),
        ("server = \"https://docker.io\"\n[host]\n", vec![(Lint::ServerWithoutApi, 1, 1)]),
        ("server = \"HTTPS://r.example.com\"\n[host]\n", vec![(Lint::AddressUnusable, 1, 1)]),
    ] {
        assert_eq!(ids(&node(&[(HOSTS, text)]), "1.7.35"), want, "{text}");
    }
}

#[test]
fn certificates_by_what_a_chain_can_end_at() {
    let text = "server = \"https://r.example.com\"\nca = \"ca.crt\"\n[host]\n";
    for (kind, want) in [
        ("root", vec![]),
        ("intermediate", vec![(Lint::CaIntermediateOnly, 2, 6)]),
        ("leaf", vec![(Lint::CaLeafOnly, 2, 6)]),
    ] {
        let pem = certificate(kind);
        assert_eq!(ids(&node(&[(HOSTS, text), ("/c/r.example.com/ca.crt", &pem)]), "2.2.1"), want, "{kind}");
    }
    let junk = node(&[(HOSTS, text), ("/c/r.example.com/ca.crt", "nothing\n")]);
    assert_eq!(ids(&junk, "2.2.1"), [(Lint::CaNotPem, 2, 6)]);
}

#[test]
fn the_ca_of_a_host_is_not_the_servers() {
    let ca = certificate("root");
    let files =
        [(HOSTS, "[host.\"https://r.example.com\"]\n  ca = \"ca.crt\"\n"), ("/c/r.example.com/ca.crt", &*ca)];
    assert_eq!(ids(&node(&files), "2.2.1"), [(Lint::CaNotForServer, 2, 8)]);
}

#[test]
fn directories_that_nobody_takes() {
    let tree = node(&[
        ("/c/r.example.com_5000/hosts.toml", "server = \"https://r\"\n[host]\n"),
        ("/c/q.example.com:5000/hosts.toml", "server = \"https://q\"\n[host]\n"),
        ("/c/q.example.com_5000_/hosts.toml", "server = \"https://q\"\n[host]\n"),
        ("/c/hosts.toml", "server = \"https://r\"\n[host]\n"),
    ]);
    let lints: Vec<Lint> = found(&tree, "2.2.1").iter().map(|f| f.lint).collect();
    assert_eq!(lints, [Lint::HostsFileMisplaced, Lint::DirShadowed, Lint::DirNeverMatches]);
}

#[test]
fn an_upstream_defect_is_named_with_its_reference() {
    let mut tree = node(&[(HOSTS, "server = \"https://r.example.com\"\n")]);
    let old = found(&tree, "1.7.31");
    assert_eq!((old.len(), old[0].lint), (1, Lint::FileDropped));
    assert!(old[0].defect.unwrap().reference.ends_with("/10027"));
    assert_eq!(found(&tree, "1.7.35"), []);
    let list = "version = 2\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\nconfig_path = \"/c:/d\"\n";
    tree.0.insert("/etc/containerd/config.toml".into(), list.into());
    let new = found(&tree, "2.3.0");
    assert_eq!(new[0].lint, Lint::PathListAsOneDirectory);
    assert!(new[0].defect.unwrap().reference.ends_with("/12415"));
    assert_eq!(found(&tree, "2.0.13"), []);
}
