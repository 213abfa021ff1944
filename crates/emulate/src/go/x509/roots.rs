//! The pool of trusted certificates, filled the way Go fills a `CertPool`.

use super::parse;
use crate::go::GoVersion;
use formats::certificate::Certificate;
use formats::pem::blocks;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::sync::Arc;

/// Trusted certificates: authorities as a rule, but an intermediate or a server's own will do for Go.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    certificates: Vec<Arc<Certificate>>,
    known: HashSet<[u8; 32]>,
    missing: bool,
    go: GoVersion,
}

/// What became of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// Certificates that are in the pool now.
    pub taken: usize,
    /// Certificates that were in it already.
    pub duplicates: usize,
    /// Blocks that Go passes over without a word: other kinds, broken ones, with headers.
    pub passed_over: usize,
}

impl Roots {
    /// An empty pool: everything is unknown to it.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty pool of one release of Go, which decides what can be parsed.
    pub fn of(go: GoVersion) -> Self {
        Self { go, ..Self::default() }
    }

    /// What a client has that could read no root file at all: it does not even begin to verify.
    pub fn unreadable() -> Self {
        Self { missing: true, ..Self::default() }
    }

    /// Adds what a PEM file holds.
    pub fn add_pem(&mut self, text: &[u8]) -> Added {
        let mut added = Added::default();
        for block in blocks(text) {
            if block.label == "CERTIFICATE" {
                self.add(&block.bytes, &mut added);
            } else {
                added.passed_over += 1;
            }
        }
        added
    }

    /// Adds one certificate from DER.
    pub fn add_der(&mut self, der: &[u8]) -> Added {
        let mut added = Added::default();
        self.add(der, &mut added);
        added
    }

    fn add(&mut self, der: &[u8], added: &mut Added) {
        match parse::parse(self.go, der) {
            Ok(certificate) => {
                self.missing = false;
                if self.known.insert(Sha256::digest(der).into()) {
                    self.certificates.push(Arc::new(certificate));
                    added.taken += 1;
                } else {
                    added.duplicates += 1;
                }
            }
            Err(_) => added.passed_over += 1,
        }
    }

    /// What is in it, in order.
    pub fn certificates(&self) -> &[Arc<Certificate>] {
        &self.certificates
    }

    /// Whether this very certificate is in it.
    pub fn contains(&self, certificate: &Certificate) -> bool {
        let digest: [u8; 32] = Sha256::digest(&certificate.der).into();
        self.known.contains(&digest)
    }

    pub(super) fn is_missing(&self) -> bool {
        self.missing
    }
}
