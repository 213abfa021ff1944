//! What several tests of the emulators share: a file tree in memory, and key material.

#![allow(dead_code, reason = "each test uses its part")]

use emulate::files::{Entry, Files, parent};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A tree of which everything is known.
#[derive(Default)]
pub struct Node {
    files: BTreeMap<String, Vec<u8>>,
    dirs: BTreeSet<String>,
}

impl Node {
    pub fn write(&mut self, path: &str, content: &[u8]) {
        self.files.insert(path.to_owned(), content.to_vec());
        self.mkdir(parent(path));
    }

    pub fn mkdir(&mut self, path: &str) {
        let mut path = path;
        while path != "/" {
            self.dirs.insert(path.to_owned());
            path = parent(path);
        }
    }
}

impl Files for Node {
    fn entry(&self, path: &str) -> Entry<'_> {
        if let Some(content) = self.files.get(path) {
            return Entry::File(Cow::Borrowed(content));
        }
        if path == "/" || self.dirs.contains(path) {
            return Entry::Dir;
        }
        let mut above = path;
        while above != "/" {
            above = parent(above);
            if self.files.contains_key(above) {
                return Entry::NotADirectory;
            }
        }
        Entry::Absent
    }

    fn list(&self, dir: &str) -> Vec<String> {
        let all = self.files.keys().chain(&self.dirs);
        let names = all.filter(|p| parent(p) == dir && *p != dir).filter_map(|p| p.rsplit('/').next());
        names.map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Key material by the placeholder that stands for it.
pub fn material() -> Vec<(&'static str, Vec<u8>)> {
    let rsa = || rcgen::KeyPair::generate_for(&rcgen::PKCS_RSA_SHA256).unwrap();
    let ca_key = rcgen::KeyPair::generate().unwrap();
    let ca = rcgen::CertificateParams::new(vec!["ca".into()]).unwrap().self_signed(&ca_key).unwrap();
    let key = rsa();
    let client = rcgen::CertificateParams::new(vec!["client".into()]).unwrap().self_signed(&key).unwrap();
    vec![
        ("@PEM_CLIENT_BOTH", (client.pem() + &key.serialize_pem()).into_bytes()),
        ("@PEM_CLIENT_CERT", client.pem().into_bytes()),
        ("@PEM_CLIENT_KEY", key.serialize_pem().into_bytes()),
        ("@PEM_OTHER_KEY", rsa().serialize_pem().into_bytes()),
        ("@PEM_CA", ca.pem().into_bytes()),
        ("@DER_CA", ca.der().to_vec()),
    ]
}
