//! registries.yaml of k3s and RKE2: what its reader refuses or passes over, and what is unsafe.

use super::{Finding, Lint, certificates};
use crate::containerd::At;
use crate::files::Files;
use formats::registries_yaml;
use std::rc::Rc;

/// What is to be said of one file.
pub fn lint(files: &dyn Files, path: &str, text: &str) -> Vec<Finding> {
    let name: Rc<str> = Rc::from(path);
    let at = |line: u32| Some(At { path: Rc::clone(&name), line, column: 0 });
    let file = registries_yaml::parse(text);
    if let Some(refused) = file.refused {
        return vec![Finding::new(Lint::Syntax, at(refused.line)).with("error", refused.message)];
    }
    let mut found = Vec::new();
    for key in &file.misplaced {
        found.push(Finding::new(Lint::KeyNotRead, at(key.line)).with("key", key.path.join(".")));
    }
    for host in &file.configs {
        let Some(tls) = &host.tls else { continue };
        let (ca, skip) = tls.lines;
        if tls.skip_verify {
            found.push(Finding::new(Lint::SkipVerify, at(skip)).with("host", &host.host));
        }
        if let Some(at) = at(ca).filter(|_| !tls.ca_file.is_empty()) {
            found.extend(certificates::ca(files, &tls.ca_file, &at));
        }
    }
    for mirror in &file.mirrors {
        for plain in mirror.endpoints.iter().filter_map(|e| e.strip_prefix("http://")) {
            let host = plain.split('/').next().unwrap_or_default();
            if !crate::go::url::is_localhost(host) {
                found.push(Finding::new(Lint::PlainHttp, at(mirror.line)).with("host", host));
            }
        }
    }
    found
}
