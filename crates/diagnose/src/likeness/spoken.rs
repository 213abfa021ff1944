//! The names of pulls that something beside the pulls speaks of, wherever it stands in the Snapshot.

use crate::case::Case;
use crate::pull::Pull;
use aho_corasick::AhoCorasick;
use facts::Snapshot;
use serde::Serialize;
use std::collections::HashSet;

/// What has to stay as it is.
pub struct Spoken<'p> {
    names: Names<'p>,
    /// Whether there are times to compare a pull's with.
    pub dated: bool,
}

enum Names<'p> {
    All,
    These(HashSet<&'p str>),
}

impl<'p> Spoken<'p> {
    /// Looks for the pulls' names, and their nodes' addresses, in everything else.
    pub fn find<'a: 'p>(case: &Case<'a>, pulls: &'p [Pull<'a>]) -> Self {
        let dated = has_dates(case.snapshot);
        let mut own: HashSet<&'p str> = HashSet::new();
        for pull in pulls {
            own.extend([pull.namespace, pull.pod_name, pull.node]);
            own.extend(case.node(pull.node).into_iter().flat_map(|n| n.addresses.iter().map(String::as_str)));
        }
        // What JSON would escape could not be found in it.
        let plain = |name: &&str| name.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._:/".contains(&b));
        let (sought, mut spoken): (HashSet<&str>, HashSet<&str>) =
            own.into_iter().partition(|n| !n.is_empty() && plain(n));
        let sought: Vec<&str> = sought.into_iter().collect();
        let Ok(search) = AhoCorasick::new(&sought) else { return Self { names: Names::All, dated } };
        let mut look = |text: &[u8]| {
            let hits = search.find_overlapping_iter(text);
            spoken.extend(hits.filter_map(|hit| sought.get(hit.pattern().as_usize())));
        };
        let mut words: HashSet<&str> = HashSet::new();
        for observation in pulls.iter().flat_map(|p| &p.observations) {
            if words.insert(observation.text) {
                look(observation.text.as_bytes());
            }
        }
        beside_pulls(case.snapshot, &mut look);
        Self { names: Names::These(spoken), dated }
    }

    /// Whether the name has to stay.
    pub fn keeps(&self, name: &str) -> bool {
        match &self.names {
            Names::All => true,
            Names::These(names) => name.is_empty() || names.contains(name),
        }
    }
}

/// Whether something beside pods, their events and nodes may state a time.
fn has_dates(snapshot: &Snapshot) -> bool {
    let Snapshot {
        schema: _,
        taken_at: _,
        scope: _,
        pods: _,
        healthy: _,
        events,
        service_accounts,
        secrets,
        nodes: _,
        node_facts,
        audit,
        others,
        outputs,
        documents,
        sightings,
        versions: _,
        ladders,
        coverage: _,
        blind_spots: _,
    } = snapshot;
    events.iter().any(|e| e.kind != "Pod")
        || !service_accounts.is_empty()
        || !secrets.is_empty()
        || !node_facts.is_empty()
        || !audit.is_empty()
        || !others.is_empty()
        || !outputs.is_empty()
        || !documents.is_empty()
        || !sightings.is_empty()
        || !ladders.is_empty()
}

/// Hands on everything but pods, what events say of pods, and nodes: these are compared pull by pull.
fn beside_pulls(snapshot: &Snapshot, look: &mut dyn FnMut(&[u8])) {
    let Snapshot {
        schema: _,
        taken_at: _,
        scope,
        pods: _,
        healthy,
        events,
        service_accounts,
        secrets,
        nodes: _,
        node_facts,
        audit,
        others,
        outputs,
        documents,
        sightings,
        versions,
        ladders,
        coverage: _,
        blind_spots: _,
    } = snapshot;
    each(std::slice::from_ref(scope), look);
    each(std::slice::from_ref(healthy), look);
    each(events.iter().filter(|e| e.kind != "Pod"), look);
    each(service_accounts, look);
    each(secrets, look);
    each(node_facts, look);
    each(audit, look);
    each(others, look);
    each(outputs, look);
    each(documents, look);
    each(sightings, look);
    each(versions, look);
    each(ladders, look);
}

fn each<'s, T: Serialize + 's>(all: impl IntoIterator<Item = &'s T>, look: &mut dyn FnMut(&[u8])) {
    let mut text = Vec::new();
    for one in all {
        text.clear();
        // Into memory, from types without a map whose keys could fail.
        if serde_json::to_writer(&mut text, one).is_ok() {
            look(&text);
        }
    }
}
