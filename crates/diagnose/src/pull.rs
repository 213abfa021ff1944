//! One failing pull (or push), with everything that was said about it.

use facts::{Ladder, Vantage};
use formats::message::Reading;
use jiff::Timestamp;
use report::Locator;
use std::rc::Rc;
use vocabulary::{Cause, Operation};

/// One failing pull: one container of one pod, or one attempt that a text shows.
#[derive(Clone, Debug)]
pub struct Pull<'a> {
    /// The pod, where there is one.
    pub pod: Option<&'a facts::Pod>,
    /// The container in it.
    pub container: Option<&'a facts::Container>,
    /// The namespace; empty for an attempt outside the cluster.
    pub namespace: &'a str,
    /// The pod's name, also where only events know it; empty for an attempt outside the cluster.
    pub pod_name: &'a str,
    /// The container's name; empty where unknown.
    pub container_name: &'a str,
    /// The node; empty where unknown.
    pub node: &'a str,
    /// The image, verbatim; empty where no source names it.
    pub image: String,
    /// The image's registry with its port; empty where unknown.
    pub registry: String,
    /// What was being done.
    pub operation: Operation,
    /// What was said, the deciding one first.
    pub observations: Vec<Observation<'a>>,
    /// What earlier attempts met that ended otherwise: it is shown, and decides nothing.
    pub earlier: Vec<Observation<'a>>,
    /// The same image and node, pulled with success later or elsewhere in the timeline.
    pub timeline: Timeline,
}

/// When what happened to this container's image.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// The first failure.
    pub first_failed: Option<Timestamp>,
    /// The last failure.
    pub last_failed: Option<Timestamp>,
    /// The last success (`Pulled`), of any pod of this name.
    pub pulled: Option<Timestamp>,
    /// Whether the kubelet said that the image was already there.
    pub already_present: bool,
}

/// One text (or ladder), who said it, and what it says.
#[derive(Clone, Debug)]
pub struct Observation<'a> {
    /// Who observed.
    pub vantage: Vantage,
    /// The words.
    pub text: &'a str,
    /// What they carry.
    pub reading: Rc<Reading>,
    /// Where they stand.
    pub at: Locator,
    /// When, the last time.
    pub when: Option<Timestamp>,
    /// The ladder that it is, where it is one.
    pub ladder: Option<&'a Ladder>,
}

impl<'a> Pull<'a> {
    /// The observation that decides: gathered pulls always have one.
    pub fn deciding(&self) -> Option<&Observation<'a>> {
        self.observations.first()
    }

    /// Whether a probe was its only client: no pod, no node, no runtime stands behind it.
    pub fn is_probe(&self) -> bool {
        self.pod_name.is_empty() && self.observations.iter().all(|o| o.ladder.is_some())
    }

    /// The symptom that was observed; `Unknown` without words.
    pub fn symptom(&self) -> Cause {
        self.deciding().map_or(Cause::Unknown, |o| o.reading.cause)
    }

    /// What the words carry.
    pub fn reading(&self) -> Option<&Reading> {
        self.deciding().map(|o| &*o.reading)
    }

    /// The host that was asked last, with its port; the registry where the words name none.
    pub fn asked_host(&self) -> &str {
        self.reading().and_then(|r| r.endpoint_host.as_deref()).unwrap_or(&self.registry)
    }
}
