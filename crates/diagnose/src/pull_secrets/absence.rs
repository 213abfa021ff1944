//! What shows that a secret is not there. Absence from the input alone never does.

use super::listing;
use crate::case::Case;
use crate::lines::told;
use crate::pull::Pull;
use regex::Regex;
use report::{Evidence, Locator, Say};
use std::sync::LazyLock;

/// What shows that the pull's namespace has no secret of this name; empty where nothing does.
pub fn absent(case: &Case<'_>, pull: &Pull<'_>, name: &str) -> Vec<Evidence> {
    let namespace = pull.namespace;
    let mut shown: Vec<Evidence> = kubelet_event(case, pull, name).into_iter().collect();
    shown.extend(not_found_line(case, pull, name));
    shown.extend(listing::lists_without(case, namespace, name));
    shown.extend(deleted(case, namespace, name));
    if case.snapshot.coverage.secrets && !namespace.is_empty() {
        shown.push(Evidence {
            at: Locator::Object {
                kind: "Secret".into(),
                namespace: namespace.to_owned(),
                name: name.to_owned(),
                field: String::new(),
            },
            says: Say::new("evidence-secret-not-in-namespace")
                .with("name", name)
                .with("namespace", namespace),
            quote: String::new(),
        });
    }
    shown
}

/// The kubelet's own event (1.28 and newer) names the secrets that it could not retrieve.
fn kubelet_event(case: &Case<'_>, pull: &Pull<'_>, name: &str) -> Option<Evidence> {
    let events = case.events_of(pull.namespace, pull.pod_name);
    let event = events.iter().find(|e| {
        e.reason == "FailedToRetrieveImagePullSecret"
            && e.message
                .split_once('(')
                .and_then(|(_, rest)| rest.split_once(')'))
                .is_some_and(|(list, _)| list.split(',').any(|listed| listed.trim() == name))
    })?;
    Some(told(event, Say::new("evidence-kubelet-cannot-retrieve").with("name", name)))
}

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static NOT_FOUND: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#"secrets? \\?"([^"\\]+)\\?" not found"#).expect("constant pattern"));

/// A line of a log or of kubectl that says so, for this namespace.
fn not_found_line(case: &Case<'_>, pull: &Pull<'_>, name: &str) -> Option<Evidence> {
    let lines = case.lines_with(name);
    let line = lines.iter().find(|l| {
        let says_so = NOT_FOUND.captures_iter(l.text).any(|c| c.get(1).is_some_and(|m| m.as_str() == name));
        says_so && listing::line_is_about(l, pull.namespace)
    })?;
    Some(line.shows(Say::new("evidence-secret-not-found-line").with("name", name)))
}

/// The audit log's last word on it is a deletion.
fn deleted(case: &Case<'_>, namespace: &str, name: &str) -> Option<Evidence> {
    let last = case
        .audit_of("secrets", namespace, name)
        .filter(|a| {
            (200..300).contains(&a.status)
                && matches!(a.verb.as_str(), "create" | "update" | "patch" | "delete")
        })
        .max_by_key(|a| a.at)?;
    (last.verb == "delete").then(|| crate::questions::history::audit_evidence(last))
}
