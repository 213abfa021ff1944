//! Kubernetes objects, JSON or YAML, into the slim types of `facts`: one reader for saved files and live lists.
//!
//! Any object of any shape is an answer: what cannot be read of it is empty. Which objects make a Snapshot, and in which
//! order, is left to the collectors.

mod account;
mod audit;
mod envelope;
mod event;
mod lenient;
mod meta;
mod node;
mod other;
mod pod;

use account::RawSecret;
pub use envelope::{Envelope, envelope, guess};
pub use event::container_of;
pub use lenient::bounded;
pub use other::LONGEST_OBJECT;
pub use pod::LONGEST_MESSAGE;

use crate::docker_config::Sameness;
use facts::{AuditEntry, Event, Node, Origin, OtherObject, Pod, Secret, ServiceAccount};
use jiff::Timestamp;
use lenient::Or;
use serde::Deserialize;
use serde::de::Deserializer;
use serde_json::Value;

/// The kinds that have facts of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A pod.
    Pod,
    /// An event of either API.
    Event,
    /// A service account.
    ServiceAccount,
    /// A secret.
    Secret,
    /// A node.
    Node,
    /// An audit log's entry.
    Audit,
    /// A list of objects.
    List,
    /// Anything else.
    Other,
}

impl Kind {
    /// Which kind an `apiVersion` and `kind` name.
    pub fn of(api_version: &str, kind: &str) -> Self {
        let group = api_version.split_once('/').map_or("", |(group, _)| group);
        match (group, kind) {
            ("", "Pod") => Self::Pod,
            ("" | "events.k8s.io", "Event") => Self::Event,
            ("audit.k8s.io", "Event") => Self::Audit,
            ("", "ServiceAccount") => Self::ServiceAccount,
            ("", "Secret") => Self::Secret,
            ("", "Node") => Self::Node,
            (_, "List") => Self::List,
            (_, kind) if kind.len() > 4 && kind.ends_with("List") => Self::List,
            _ => Self::Other,
        }
    }
}

/// One object's facts.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A pod.
    Pod(Box<Pod>),
    /// A pod of which nothing is left to pull, where only its sum is wanted.
    Settled(Settled),
    /// An event.
    Event(Box<Event>),
    /// A service account.
    ServiceAccount(Box<ServiceAccount>),
    /// A secret.
    Secret(Box<Secret>),
    /// A node.
    Node(Box<Node>),
    /// An audit log's entry.
    Audit(Box<AuditEntry>),
    /// Another object.
    Other(Box<OtherObject>),
    /// An object that says nothing about pulls.
    Nothing,
}

/// What is kept of a pod that is well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// Its namespace.
    pub namespace: String,
    /// Its name.
    pub name: String,
    /// Its node.
    pub node: String,
    /// The images that it runs, as the spec names them.
    pub images: Vec<String>,
}

/// How much of settled pods is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Every pod in full.
    #[default]
    Full,
    /// Settled pods as [`Item::Settled`].
    Sum,
}

/// An object and the newest time that it states.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// Its facts.
    pub item: Item,
    /// The newest time in it.
    pub newest: Option<Timestamp>,
}

/// One object from JSON. The kind is the object's own, else that of `hint` (a list's items have none on the wire).
///
/// # Errors
///
/// The text is no JSON.
pub fn from_json(
    json: &[u8],
    hint: &Envelope<'_>,
    origin: Origin,
    detail: Detail,
    same: &mut Sameness,
) -> serde_json::Result<Read> {
    let own = envelope(json).or_hint(hint);
    match Kind::of(&own.api_version, &own.kind) {
        Kind::Other | Kind::List => {
            if other::is_silent(&own.kind) {
                return Ok(Read { item: Item::Nothing, newest: None });
            }
            let value: Value = serde_json::from_slice(json)?;
            Ok(from_other(&own, value, origin))
        }
        kind => read(kind, &mut serde_json::Deserializer::from_slice(json), origin, detail, same),
    }
}

/// One object from a value (YAML, or JSON that was parsed before).
pub fn from_value(value: &Value, hint: &Envelope<'_>, origin: Origin, same: &mut Sameness) -> Read {
    let own = Envelope::of_value(value).or_hint(hint);
    match Kind::of(&own.api_version, &own.kind) {
        Kind::Other | Kind::List => {
            if other::is_silent(&own.kind) {
                return Read { item: Item::Nothing, newest: None };
            }
            from_other(&own, value.clone(), origin)
        }
        kind => read(kind, value, origin, Detail::Full, same)
            .unwrap_or(Read { item: Item::Nothing, newest: None }),
    }
}

fn from_other(own: &Envelope<'_>, value: Value, origin: Origin) -> Read {
    let newest = value
        .get("metadata")
        .and_then(|m| Or::<meta::RawMeta<'_>>::deserialize(m).ok())
        .and_then(|m| m.0.newest());
    let object = other::facts(&own.api_version, &own.kind, value, origin);
    Read { item: Item::Other(Box::new(object)), newest }
}

fn read<'de, D: Deserializer<'de>>(
    kind: Kind,
    from: D,
    origin: Origin,
    detail: Detail,
    same: &mut Sameness,
) -> Result<Read, D::Error> {
    Ok(match kind {
        Kind::Pod => {
            let raw = Or::<pod::RawPod<'de>>::deserialize(from)?.0;
            let newest = raw.newest();
            let item = if detail == Detail::Sum && raw.is_settled() {
                Item::Settled(Settled {
                    namespace: raw.namespace().to_owned(),
                    name: raw.name().to_owned(),
                    node: raw.node().to_owned(),
                    images: raw.images().map(str::to_owned).collect(),
                })
            } else {
                Item::Pod(Box::new(raw.facts(origin)))
            };
            Read { item, newest }
        }
        Kind::Event => {
            let raw = Or::<event::RawEvent<'de>>::deserialize(from)?.0;
            Read { newest: raw.newest(), item: Item::Event(Box::new(raw.facts(origin))) }
        }
        Kind::ServiceAccount => {
            let raw = Or::<account::RawAccount<'de>>::deserialize(from)?.0;
            Read { newest: raw.newest(), item: Item::ServiceAccount(Box::new(raw.facts(origin))) }
        }
        Kind::Secret => {
            let raw = Or::<RawSecret<'de>>::deserialize(from)?.0;
            Read { newest: raw.newest(), item: Item::Secret(Box::new(raw.facts(origin, same))) }
        }
        Kind::Node => {
            let raw = Or::<node::RawNode<'de>>::deserialize(from)?.0;
            Read { newest: raw.newest(), item: Item::Node(Box::new(raw.facts(origin))) }
        }
        Kind::Audit => {
            let raw = Or::<audit::RawAudit<'de>>::deserialize(from)?.0;
            let entry = raw.facts(origin);
            let newest = entry.as_ref().and_then(|e| e.at);
            Read { item: entry.map_or(Item::Nothing, |e| Item::Audit(Box::new(e))), newest }
        }
        Kind::List | Kind::Other => Read { item: Item::Nothing, newest: None },
    })
}

/// Whether a pod has nothing left to pull: it runs or has run, and no container waits.
pub fn is_settled(pod: &Pod) -> bool {
    matches!(pod.phase.as_str(), "Running" | "Succeeded")
        && pod.containers.iter().any(|c| c.started)
        && pod
            .containers
            .iter()
            .filter(|c| c.kind != facts::ContainerKind::ImageVolume)
            .all(|c| c.started && c.waiting.is_none())
}

#[cfg(test)]
mod tests;
