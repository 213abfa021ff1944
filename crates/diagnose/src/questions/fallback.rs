//! A registry that a hosts.toml names twice: with what it needs, and again without, as its own fallback.
//!
//! containerd 1.x shows the first error that is not a 404 (remotes/docker/resolver.go, 1.7.35): where the first entry
//! answers that the image is not there, the words are those of the second, which cannot even connect.

use crate::case::Case;
use crate::faults::release;
use crate::lines::told;
use crate::node_view::NodeView;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen};
use crate::questions::hosts::same_host;
use crate::subject::Subject;
use emulate::containerd::Endpoint;
use facts::Why;
use report::{Evidence, Say};
use vocabulary::{Cause, Runtime};

/// The entry that has a CA or asks for none, and the later one of the same host that has neither.
fn twice<'v>(view: &'v NodeView<'_>, host: &str) -> Option<(&'v Endpoint, &'v Endpoint)> {
    let old = view.version.as_ref().is_some_and(|v| !v.since(2, 0, 0));
    if !old || !view.certain {
        return None;
    }
    let trusted = |e: &Endpoint| !e.ca.is_empty() || e.skip_verify;
    let mut own = view.endpoints.iter().filter(|e| e.scheme == "https" && same_host(&e.host, host));
    let first = own.next().filter(|e| trusted(e))?;
    Some((first, own.find(|e| !trusted(e))?))
}

fn absent_behind_fallback(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some((runtime, version, shown)) = release::of_pull(case, pull) {
        let newer = version.is_some_and(|v| v.since(2, 0, 0));
        if runtime != Runtime::Containerd || newer {
            return Seen::no(shown);
        }
    }
    let Some(view) = case.view(pull) else { return Seen::Blind(Why::NotAsked) };
    let Some((first, second)) = twice(&view, pull.asked_host()) else {
        let says = Say::new("evidence-config-read").with("file", view.config.clone());
        let known = view.certain && view.version.is_some();
        return if known {
            Seen::no(view.shows(&view.file(&view.config), says))
        } else {
            Seen::Blind(Why::NotAsked)
        };
    };
    let shows = |e: &Endpoint, says: &'static str| {
        // The registry itself stands last where no `server` is named
        let at = e.at.clone().or_else(|| first.at.clone()).unwrap_or_else(|| view.file(&view.config));
        view.shows(&at, Say::new(says).with("host", e.host.clone()))
    };
    let mut evidence =
        vec![shows(first, "evidence-first-entry-trusts"), shows(second, "evidence-fallback-without-ca")];
    // The CA that the first entry names is the right one, or another node was told what this one was not.
    if let Some(told) = said_elsewhere(case, pull) {
        evidence.push(told);
    } else if !case.gets_images(&pull.registry, pull.node) {
        return Seen::Blind(Why::NotAsked);
    }
    Seen::Is(Answer::Yes, evidence)
}

/// What another node was told of the same image: that it is not there.
fn said_elsewhere(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let failed = format!("Failed to pull image \"{}\"", pull.image);
    let event = case.snapshot.events.iter().find(|e| {
        e.host != pull.node
            && e.message.starts_with(&failed)
            && case.read(&e.message).cause == Cause::ManifestUnknown
    })?;
    Some(told(event, Say::new("evidence-absent-elsewhere").with("node", &*event.host)))
}

/// Did the entry that the registry's CA belongs to answer that the image is not there, and is the error its fallback's?
pub static ABSENT_BEHIND_FALLBACK: Question =
    Question { id: "ask-absent-behind-fallback", ask: absent_behind_fallback, test: None };
