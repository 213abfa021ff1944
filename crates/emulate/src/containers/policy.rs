//! policy.json: whether an image may be used at all. Source: `signature/policy_config.go`, `policy_eval*.go`.

use crate::containerd::At;
use crate::files::{Entry, Files};
use crate::lint::{Finding, Lint};
use serde_json::Value;

/// The file. Without it nothing can be pulled.
pub const DEFAULT: &str = "/etc/containers/policy.json";

/// What it says of one image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Anything may be used.
    Accepts,
    /// Nothing may be used; in the library's words.
    Rejects(String),
    /// A signature is needed.
    NeedsSignature,
    /// Not known.
    Unknown,
}

/// Looks the image up by its full name, tag included: its own name first, then shorter ones, then the transport's and the file's default.
pub fn verdict(files: &dyn Files, name: &str) -> Verdict {
    let Entry::File(bytes) = files.entry(DEFAULT) else { return Verdict::Unknown };
    let Ok(policy) = serde_json::from_slice::<Value>(&bytes) else { return Verdict::Unknown };
    let docker = policy.get("transports").and_then(|t| t.get("docker"));
    let scoped = docker.and_then(|d| scopes(name).iter().find_map(|s| d.get(s)).or_else(|| d.get("")));
    let Some(requirements) = scoped.or_else(|| policy.get("default")).and_then(Value::as_array) else {
        return Verdict::Unknown;
    };
    let kinds: Vec<&str> =
        requirements.iter().filter_map(|r| r.get("type").and_then(Value::as_str)).collect();
    if kinds.contains(&"reject") {
        return Verdict::Rejects(format!(
            "Source image rejected: Running image docker://{name} is rejected by policy."
        ));
    }
    if kinds.iter().all(|k| *k == "insecureAcceptAnything") && !kinds.is_empty() {
        return Verdict::Accepts;
    }
    Verdict::NeedsSignature
}

/// From the full name down to the host, then wildcards of its domains. Source: `docker/policyconfiguration/naming.go`.
fn scopes(name: &str) -> Vec<String> {
    let mut all = vec![name.to_owned()];
    let end = name.find('@').unwrap_or(name.len());
    let bare = name.get(..end).unwrap_or(name);
    let tag = bare.rfind(':').filter(|at| !bare.get(*at..).unwrap_or_default().contains('/'));
    let mut scope = bare.get(..tag.unwrap_or(end)).unwrap_or(bare).to_owned();
    loop {
        all.push(scope.clone());
        match scope.rfind('/') {
            Some(at) => scope.truncate(at),
            None => break,
        }
    }
    let mut host = scope.split(':').next().unwrap_or_default();
    while let Some((_, parent)) = host.split_once('.') {
        all.push(format!("*.{parent}"));
        host = parent;
    }
    all
}

/// A policy that cannot be read.
pub fn lint(files: &dyn Files) -> Option<Finding> {
    let at = Some(At::whole(DEFAULT));
    match files.entry(DEFAULT) {
        Entry::Absent | Entry::NotADirectory => Some(Finding::new(Lint::PolicyMissing, at)),
        Entry::File(bytes) => serde_json::from_slice::<Value>(&bytes)
            .err()
            .map(|e| Finding::new(Lint::Syntax, at).with("error", format!("invalid policy: {e}"))),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_grow_shorter() {
        assert_eq!(
            scopes("r.example.com:5000/a/b:1"),
            [
                "r.example.com:5000/a/b:1",
                "r.example.com:5000/a/b",
                "r.example.com:5000/a",
                "r.example.com:5000",
                "*.example.com",
                "*.com"
            ]
        );
    }
}
