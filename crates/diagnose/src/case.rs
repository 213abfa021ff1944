//! A Snapshot with its indexes: every lookup that a question makes is by key, so that cost does not grow with pods.

use crate::faults::Faults;
use crate::lines::Line;
use crate::lookups::LookedUp;
use crate::node_view::NodeView;
use crate::once::Once;
use crate::requests::Request;
use facts::{AuditEntry, CommandOutput, Event, Node, NodeFacts, Pod, Secret, ServiceAccount, Snapshot};
use formats::message::{self, Reading};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// An object's namespace and name.
pub type Key<'a> = (&'a str, &'a str);

/// What questions look at.
pub struct Case<'a> {
    /// Everything that was seen.
    pub snapshot: &'a Snapshot,
    pods: HashMap<Key<'a>, &'a Pod>,
    events: HashMap<Key<'a>, Vec<&'a Event>>,
    secrets: HashMap<Key<'a>, &'a Secret>,
    secrets_by_name: HashMap<&'a str, Vec<&'a Secret>>,
    accounts: HashMap<Key<'a>, &'a ServiceAccount>,
    nodes: HashMap<&'a str, &'a Node>,
    node_facts: HashMap<&'a str, &'a NodeFacts>,
    audit: HashMap<(&'a str, &'a str, &'a str), Vec<&'a AuditEntry>>,
    successes: HashMap<&'a str, Vec<&'a Event>>,
    events_beside: Vec<&'a Event>,
    readings: RefCell<HashMap<&'a str, Rc<Reading>>>,
    /// What follows from the Snapshot alone; see `once`.
    pub(crate) once: Once<'a>,
    /// The lines already looked for, by word; see `lines`.
    pub(crate) lines: RefCell<HashMap<String, Rc<Vec<Line<'a>>>>>,
    /// The requests that were made by hand; see `requests`.
    pub(crate) requests: OnceCell<Vec<Request<'a>>>,
    /// The names that were looked up by hand; see `lookups`.
    pub(crate) lookups: OnceCell<Vec<LookedUp<'a>>>,
    /// Nodes already looked at, by their name and the image; see `node_view`.
    pub(crate) views: RefCell<HashMap<(String, String), Rc<NodeView<'a>>>>,
    /// Faults already looked for, by node, image and what was met; see `faults`.
    pub(crate) faults: RefCell<HashMap<String, Rc<Faults>>>,
}

impl<'a> Case<'a> {
    /// Indexes a Snapshot.
    pub fn new(snapshot: &'a Snapshot) -> Self {
        let mut events: HashMap<Key<'a>, Vec<&'a Event>> = HashMap::new();
        let mut successes: HashMap<&'a str, Vec<&'a Event>> = HashMap::new();
        let mut events_beside = Vec::new();
        for event in &snapshot.events {
            if event.kind == "Pod" {
                events.entry((&event.namespace, &event.name)).or_default().push(event);
            } else {
                events_beside.push(event);
            }
            if event.reason == "Pulled" {
                successes.entry(&event.namespace).or_default().push(event);
            }
        }
        let mut audit: HashMap<_, Vec<&'a AuditEntry>> = HashMap::new();
        for entry in &snapshot.audit {
            audit.entry((&*entry.resource, &*entry.namespace, &*entry.name)).or_default().push(entry);
        }
        let mut secrets_by_name: HashMap<&'a str, Vec<&'a Secret>> = HashMap::new();
        for secret in &snapshot.secrets {
            secrets_by_name.entry(&secret.meta.name).or_default().push(secret);
        }
        Self {
            snapshot,
            pods: snapshot.pods.iter().map(|p| ((&*p.meta.namespace, &*p.meta.name), p)).collect(),
            events,
            secrets: snapshot.secrets.iter().map(|s| ((&*s.meta.namespace, &*s.meta.name), s)).collect(),
            secrets_by_name,
            accounts: snapshot
                .service_accounts
                .iter()
                .map(|a| ((&*a.meta.namespace, &*a.meta.name), a))
                .collect(),
            nodes: snapshot.nodes.iter().map(|n| (&*n.meta.name, n)).collect(),
            node_facts: snapshot.node_facts.iter().map(|n| (&*n.name, n)).collect(),
            audit,
            successes,
            events_beside,
            once: Once::default(),
            readings: RefCell::default(),
            lines: RefCell::default(),
            requests: OnceCell::new(),
            lookups: OnceCell::new(),
            views: RefCell::default(),
            faults: RefCell::default(),
        }
    }

    /// The pod of this name.
    pub fn pod(&self, namespace: &str, name: &str) -> Option<&'a Pod> {
        self.pods.get(&(namespace, name)).copied()
    }

    /// The events about a pod, in the order of the Snapshot.
    pub fn events_of<'s>(&'s self, namespace: &'s str, name: &'s str) -> &'s [&'a Event] {
        self.events.get(&(namespace, name)).map_or(&[], Vec::as_slice)
    }

    /// Every pod that events speak of, with the events, in a stable order.
    pub fn pods_in_events(&self) -> Vec<(Key<'a>, &[&'a Event])> {
        let mut all: Vec<_> = self.events.iter().map(|(k, v)| (*k, v.as_slice())).collect();
        all.sort_by_key(|(k, _)| *k);
        all
    }

    /// The secret of this name.
    pub fn secret(&self, namespace: &str, name: &str) -> Option<&'a Secret> {
        self.secrets.get(&(namespace, name)).copied()
    }

    /// The secrets of this name in any namespace.
    pub fn secrets_named<'s>(&'s self, name: &'s str) -> &'s [&'a Secret] {
        self.secrets_by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// The service account of this name.
    pub fn account(&self, namespace: &str, name: &str) -> Option<&'a ServiceAccount> {
        self.accounts.get(&(namespace, name)).copied()
    }

    /// The node, as the API server has it.
    pub fn node(&self, name: &str) -> Option<&'a Node> {
        self.nodes.get(name).copied()
    }

    /// The node's own files and commands. A single node without a name of its own serves for any.
    pub fn node_facts(&self, name: &str) -> Option<&'a NodeFacts> {
        self.node_facts.get(name).copied().or(match self.snapshot.node_facts.as_slice() {
            [only] if name.is_empty() || !only.name_given => Some(only),
            _ => None,
        })
    }

    /// What commands printed on a node; with an empty name, all of them.
    pub fn outputs_on<'s>(&'s self, node: &'s str) -> impl Iterator<Item = &'a CommandOutput> + 's {
        self.snapshot
            .outputs
            .iter()
            .filter(move |o| node.is_empty() || o.node.as_deref().is_none_or(|n| n == node))
    }

    /// Audit entries about one object.
    pub fn audit_of<'s>(
        &'s self,
        resource: &'s str,
        namespace: &'s str,
        name: &'s str,
    ) -> impl Iterator<Item = &'a AuditEntry> + 's {
        self.audit.get(&(resource, namespace, name)).into_iter().flatten().copied()
    }

    /// Events of pulls that went well in a namespace, in the order of the Snapshot.
    pub fn successes_in<'s>(&'s self, namespace: &'s str) -> &'s [&'a Event] {
        self.successes.get(namespace).map_or(&[], Vec::as_slice)
    }

    /// Events about anything but pods, in the order of the Snapshot.
    pub fn events_beside_pods(&self) -> &[&'a Event] {
        &self.events_beside
    }

    /// Whether an image of a registry runs on a node.
    pub fn gets_images(&self, registry: &str, node: &str) -> bool {
        let of_registry = |image: &str| formats::reference::registry_of(image).is_some_and(|r| r == registry);
        let here = self.snapshot.pods.iter().filter(|p| p.node == node);
        here.flat_map(|p| &p.containers).any(|c| c.started && of_registry(&c.image))
            || self
                .snapshot
                .healthy
                .images
                .iter()
                .any(|(i, nodes)| of_registry(i) && nodes.iter().any(|n| n == node))
    }

    /// Reads a text once, however many pods say it.
    pub fn read(&self, text: &'a str) -> Rc<Reading> {
        if let Some(known) = self.readings.borrow().get(text) {
            return Rc::clone(known);
        }
        let fresh = Rc::new(message::read(text));
        self.readings.borrow_mut().insert(text, Rc::clone(&fresh));
        fresh
    }
}
