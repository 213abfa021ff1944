//! Pulls that no question can tell apart, so that they are weighed once however many they are.
//!
//! Two pulls are alike when one becomes the other by exchanging their own names (node, namespace, pod), and nothing else
//! in the Snapshot speaks of these names. A question compares names whole or looks things up by them, so of two such pulls
//! it cannot but say the same: answers differ in the names that evidence and subjects carry, and in nothing else. A name
//! that anything beside the pulls speaks of stays what it is, and so does a time where there is another to compare it
//! with. What is left out of the comparison is left out by name below: a new fact has to be thought of.

mod spoken;
#[cfg(test)]
mod tests;

use crate::case::Case;
use crate::pull::{Observation, Pull, Timeline};
use crate::questions::clocks;
use facts::{Container, Ladder, Pod};
use jiff::Timestamp;
use report::Locator;
use spoken::Spoken;
use std::borrow::Cow;
use std::collections::HashMap;
use vocabulary::Operation;

/// For each pull the first one that is like it: itself where there is none before it.
pub fn first_alike<'a>(case: &Case<'a>, pulls: &[Pull<'a>]) -> Vec<usize> {
    let spoken = Spoken::find(case, pulls);
    let mut view = View { case, spoken: &spoken, machines: HashMap::new(), kinds: HashMap::new() };
    let mut firsts: HashMap<Likeness<'_>, usize> = HashMap::new();
    pulls.iter().enumerate().map(|(n, pull)| *firsts.entry(view.of(pull)).or_insert(n)).collect()
}

/// Everything of a pull that a question may read. Names that stay unknown elsewhere are `None`.
#[derive(PartialEq, Eq, Hash)]
struct Likeness<'p> {
    image: &'p str,
    registry: &'p str,
    operation: Operation,
    container_name: &'p str,
    namespace: Option<&'p str>,
    pod_name: Option<&'p str>,
    node: Option<&'p str>,
    machine: Option<usize>,
    pod: Option<PodLikeness<'p>>,
    container: Option<&'p Container>,
    said: Vec<Said<'p>>,
    events: Vec<Told<'p>>,
    already_present: bool,
    times: Vec<Option<Timestamp>>,
}

/// A pod without its names.
#[derive(PartialEq, Eq, Hash)]
struct PodLikeness<'p> {
    service_account: &'p str,
    pull_secrets: &'p [String],
    phase: &'p str,
    containers: &'p [Container],
    is_static: bool,
    host_network: bool,
    unmet: &'p [String],
    misplaced: &'p [String],
    printed: bool,
}

/// A node without its name.
#[derive(PartialEq, Eq, Hash)]
struct Machine<'p> {
    texts: [&'p str; 5],
    addresses: Vec<&'p str>,
    images: &'p [String],
    images_truncated: bool,
    conditions: &'p [String],
}

/// What an observation says. Its reading follows from its words.
#[derive(PartialEq, Eq, Hash)]
struct Said<'p> {
    client: &'p str,
    place: Option<&'p str>,
    text: &'p str,
    at: Place<'p>,
    when: Option<Timestamp>,
    /// A ladder is like itself only.
    ladder: Option<*const Ladder>,
}

/// Where words stand: in an object of the pull's own, or elsewhere.
#[derive(PartialEq, Eq, Hash)]
enum Place<'p> {
    Own(&'p str, &'p str),
    Elsewhere(&'p Locator),
}

/// An event about the pod; of one that is no warning, its reason.
#[derive(PartialEq, Eq, Hash)]
struct Told<'p> {
    reason: &'p str,
    severity: &'p str,
    container: &'p str,
    message: Cow<'p, str>,
}

/// What is needed to see pulls without their names.
struct View<'v, 'a, 'p> {
    case: &'v Case<'a>,
    spoken: &'v Spoken<'p>,
    /// The kind of each node, by its name.
    machines: HashMap<&'p str, usize>,
    kinds: HashMap<Machine<'p>, usize>,
}

impl<'a: 'p, 'p> View<'_, 'a, 'p> {
    fn name(&self, name: &'p str) -> Option<&'p str> {
        Some(name).filter(|n| self.spoken.keeps(n))
    }

    fn time(&self, at: Option<Timestamp>) -> Option<Timestamp> {
        at.filter(|_| self.spoken.dated)
    }

    fn of(&mut self, pull: &'p Pull<'a>) -> Likeness<'p> {
        let Pull {
            pod,
            container,
            namespace,
            pod_name,
            container_name,
            node,
            image,
            registry,
            operation,
            observations,
            earlier: _,
            timeline: Timeline { first_failed, last_failed, pulled, already_present },
        } = pull;
        let made = pod.and_then(|p| p.meta.created);
        // Words that name the node's time are compared with what the API server had by then.
        let had = clocks::known_by(self.case, pull);
        Likeness {
            image,
            registry,
            operation: *operation,
            container_name,
            namespace: self.name(namespace),
            pod_name: self.name(pod_name),
            node: self.name(node),
            machine: self.machine(node),
            pod: pod.map(without_names),
            container: *container,
            said: observations.iter().map(|o| self.said(pull, o)).collect(),
            events: self.told(pull),
            already_present: *already_present,
            times: [*first_failed, *last_failed, *pulled, made]
                .map(|t| self.time(t))
                .into_iter()
                .chain([had])
                .collect(),
        }
    }

    fn machine(&mut self, name: &'p str) -> Option<usize> {
        if let Some(known) = self.machines.get(name) {
            return Some(*known);
        }
        // Of what names a node and who wrote it, no question asks.
        let facts::Node {
            meta: _,
            os,
            arch,
            runtime,
            kubelet,
            os_image,
            addresses,
            images,
            images_truncated,
            conditions,
        } = self.case.node(name)?;
        let kind = Machine {
            texts: [os, arch, runtime, kubelet, os_image],
            addresses: addresses.iter().map(String::as_str).filter(|a| self.spoken.keeps(a)).collect(),
            images,
            images_truncated: *images_truncated,
            conditions,
        };
        let next = self.kinds.len();
        let number = *self.kinds.entry(kind).or_insert(next);
        self.machines.insert(name, number);
        Some(number)
    }

    fn said(&self, pull: &'p Pull<'a>, o: &'p Observation<'a>) -> Said<'p> {
        let Observation { vantage, text, reading: _, at, when, ladder } = o;
        let own = match at {
            Locator::Object { kind, namespace, name: _, field } if namespace == pull.namespace => {
                Place::Own(kind, field)
            }
            at => Place::Elsewhere(at),
        };
        Said {
            client: &vantage.client,
            place: Some(vantage.place.as_str()).filter(|p| *p != pull.node || self.spoken.keeps(p)),
            text,
            at: own,
            when: self.time(*when),
            ladder: ladder.map(std::ptr::from_ref),
        }
    }

    fn told(&self, pull: &'p Pull<'a>) -> Vec<Told<'p>> {
        let own = [pull.pod_name, pull.node, pull.namespace];
        let events = self.case.events_of(pull.namespace, pull.pod_name).iter().copied();
        events
            .map(|e| Told {
                reason: &e.reason,
                severity: &e.severity,
                container: &e.container,
                message: if e.severity == "Warning" { unnamed(&e.message, own) } else { "".into() },
            })
            .collect()
    }
}

/// What is compared of a pod: not its names, nor who owns, labelled or wrote it, of which no question asks.
fn without_names(pod: &Pod) -> PodLikeness<'_> {
    let Pod {
        meta: _,
        node: _,
        service_account,
        pull_secrets,
        phase,
        containers,
        is_static,
        host_network,
        unmet,
        misplaced,
        printed,
    } = pod;
    PodLikeness {
        service_account,
        pull_secrets,
        phase,
        containers,
        is_static: *is_static,
        host_network: *host_network,
        unmet,
        misplaced,
        printed: *printed,
    }
}

/// A message with marks in place of the pull's own names.
fn unnamed<'t>(message: &'t str, own: [&str; 3]) -> Cow<'t, str> {
    let mut text = Cow::Borrowed(message);
    for (name, mark) in own.into_iter().zip(["\u{1}p", "\u{1}n", "\u{1}s"]) {
        if !name.is_empty() && text.contains(name) {
            text = text.replace(name, mark).into();
        }
    }
    text
}
