//! The Snapshot while it grows: what was read is put where it belongs, bounded.

use crate::archive::Count;
use crate::limits::Limits;
use crate::place::Root;
use facts::{BlindSpot, Coverage, NodeFacts, NodeFile, Pod, Snapshot, Why};
use formats::docker_config::Sameness;
use formats::kube::{Item, Read, Settled};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Blind spots that are named one by one.
const BLIND_SPOTS: usize = 1_000;
/// Images of settled pods that are remembered, and nodes of each.
const IMAGES: usize = 2_000;
const NODES: usize = 5;

/// A node's root under the mark that stands for its name until that is known.
pub fn node_mark(root: &Root) -> String {
    format!("\u{1}{}", root.path)
}

/// What was read so far.
pub struct Builder {
    /// The bounds.
    pub limits: Limits,
    /// The facts.
    pub snapshot: Snapshot,
    /// Tells equal credentials.
    pub same: Sameness,
    /// The newest time seen.
    pub newest: Option<Timestamp>,
    /// Nodes by their root's path.
    pub nodes: BTreeMap<String, (Root, NodeFacts)>,
    /// When files of nodes were changed: the root's path, the file's, the time.
    pub modified: Vec<(String, String, Timestamp)>,
    /// Pods that only a table shows to wait, which count where nothing else speaks of them.
    pub listed: Vec<Pod>,
    /// Pods of nodes' manifest files, under the root's path: they have the node's name in theirs.
    pub manifests: Vec<(String, Pod)>,
    /// Namespace and name of settled pods that were only summed.
    pub summed: HashSet<u64>,
    /// Settled pods kept in full.
    pub settled: usize,
    /// Bytes of texts kept.
    pub texts: usize,
    /// The sources in which a list was read to its end.
    pub whole: BTreeSet<String>,
    /// The namespaces of settled pods that were only summed, by their source.
    pub summed_in: BTreeMap<String, BTreeSet<String>>,
    /// Files looked at.
    pub entries: usize,
    /// Bytes that archives unpacked to.
    pub unpacked: Count,
    /// Bundles that were read.
    pub bundles: u32,
    /// What bundles say of their lists.
    pub coverage: Option<Coverage>,
    /// What was left alone on purpose, by its reason: the first path, and how many in all.
    skipped: BTreeMap<&'static str, (String, u32)>,
    dropped: BTreeMap<&'static str, u64>,
}

impl Builder {
    /// An empty one.
    pub fn new(limits: Limits) -> Self {
        let mut snapshot = Snapshot::default();
        snapshot.scope.source = "saved".to_owned();
        Self {
            limits,
            snapshot,
            same: Sameness::default(),
            newest: None,
            nodes: BTreeMap::new(),
            modified: Vec::new(),
            listed: Vec::new(),
            manifests: Vec::new(),
            summed: HashSet::new(),
            settled: 0,
            texts: 0,
            whole: BTreeSet::new(),
            summed_in: BTreeMap::new(),
            entries: 0,
            unpacked: Count::default(),
            bundles: 0,
            coverage: None,
            skipped: BTreeMap::new(),
            dropped: BTreeMap::new(),
        }
    }

    /// Notes what was not seen.
    pub fn blind(&mut self, what: &str, why: Why, detail: impl Into<String>, needs: &str) {
        let detail = detail.into();
        let spot = BlindSpot {
            what: what.to_owned(),
            why,
            detail: formats::redact::text(&detail).into_owned(),
            needs: needs.to_owned(),
        };
        let known = &self.snapshot.blind_spots;
        if known.len() >= BLIND_SPOTS {
            self.drop("blind spots");
        } else if !known.contains(&spot) {
            self.snapshot.blind_spots.push(spot);
        }
    }

    /// Whether something was said of a source already.
    pub fn is_blind(&self, source: &str, why: Why) -> bool {
        self.snapshot.blind_spots.iter().any(|b| b.why == why && b.what == source)
    }

    /// A time that the input states.
    pub fn time(&mut self, at: Option<Timestamp>) {
        // A year beyond is a mistake of the source, and would make everything else look old.
        if at.is_some_and(|t| t.as_second() < 7_258_118_400) {
            self.newest = self.newest.max(at);
        }
    }

    /// Puts one object where it belongs.
    pub fn object(&mut self, read: Read) {
        self.time(read.newest);
        let s = &mut self.snapshot;
        match read.item {
            Item::Pod(pod) => {
                let settled = formats::kube::is_settled(&pod);
                if settled {
                    s.healthy.pods += 1;
                    if self.settled >= self.limits.settled {
                        self.sum(&Settled {
                            namespace: pod.meta.namespace.clone(),
                            name: pod.meta.name.clone(),
                            node: pod.node.clone(),
                            images: pod.containers.iter().map(|c| c.image.clone()).collect(),
                        });
                        return;
                    }
                    self.settled += 1;
                    let images: Vec<String> = pod.containers.iter().map(|c| c.image.clone()).collect();
                    self.images(&images, &pod.node);
                }
                if self.snapshot.pods.len() < self.limits.pods {
                    self.snapshot.pods.push(*pod);
                } else {
                    self.drop("pods");
                }
            }
            Item::Settled(settled) => {
                s.healthy.pods += 1;
                self.sum(&settled);
            }
            Item::Event(event) if s.events.len() < self.limits.events => s.events.push(*event),
            Item::Event(_) => self.drop("events"),
            Item::ServiceAccount(account) => s.service_accounts.push(*account),
            Item::Secret(secret) => s.secrets.push(*secret),
            Item::Node(node) => s.nodes.push(*node),
            Item::Audit(entry) => s.audit.push(*entry),
            Item::Other(object) if s.others.len() < self.limits.others => s.others.push(*object),
            Item::Other(_) => self.drop("objects"),
            Item::Nothing => {}
        }
    }

    fn sum(&mut self, settled: &Settled) {
        self.summed.insert(key(&settled.namespace, &settled.name));
        self.images(&settled.images, &settled.node);
    }

    fn images(&mut self, images: &[String], node: &str) {
        let healthy = &mut self.snapshot.healthy;
        for image in images.iter().filter(|i| !i.is_empty()) {
            if let Some(nodes) = healthy.images.get_mut(image) {
                if nodes.len() < NODES && !nodes.iter().any(|n| n == node) {
                    nodes.push(node.to_owned());
                }
            } else if healthy.images.len() < IMAGES {
                healthy.images.insert(image.clone(), vec![node.to_owned()]);
            } else {
                healthy.truncated = true;
            }
        }
    }

    fn drop(&mut self, what: &'static str) {
        *self.dropped.entry(what).or_default() += 1;
    }

    /// The node of a root.
    pub fn node(&mut self, root: &Root) -> &mut NodeFacts {
        let entry = self.nodes.entry(root.path.clone());
        &mut entry.or_insert_with(|| (root.clone(), NodeFacts::default())).1
    }

    /// A file of a node.
    pub fn node_file(&mut self, root: &Root, below: &str, file: NodeFile) {
        let path = format!("/{below}");
        let node = self.node(root);
        let mut folder = path.as_str();
        while let Some((outer, _)) = folder.rsplit_once('/') {
            if outer.is_empty() || node.dirs.iter().any(|d| d == outer) {
                break;
            }
            node.dirs.push(outer.to_owned());
            folder = outer;
        }
        node.files.insert(path, file);
    }

    /// At most what the bounds leave of a text: its beginning and its end.
    pub fn bounded(&mut self, source: &str, text: String) -> String {
        let left = self.limits.texts.saturating_sub(self.texts).min(self.limits.text);
        if text.len() <= left {
            self.texts += text.len();
            return text;
        }
        if !self.is_blind(source, Why::Truncated) {
            let detail = format!("{} bytes, of which the beginning and the end were kept", text.len());
            self.blind(source, Why::Truncated, detail, "");
        }
        let (head, tail) = (floor(&text, left / 2), text.len().saturating_sub(left / 2));
        let tail = (tail..=text.len()).find(|n| text.is_char_boundary(*n)).unwrap_or(text.len());
        let kept = format!(
            "{}\n[...]\n{}",
            text.get(..head).unwrap_or_default(),
            text.get(tail..).unwrap_or_default()
        );
        self.texts += kept.len();
        kept
    }

    /// A path that is left alone on purpose, and why.
    pub fn skip(&mut self, path: &str, why: &'static str) {
        let (_, count) = self.skipped.entry(why).or_insert_with(|| (path.to_owned(), 0));
        *count += 1;
    }

    /// What was left out because a bound was reached.
    pub fn note_dropped(&mut self) {
        for (why, (first, count)) in std::mem::take(&mut self.skipped) {
            let more = if count > 1 { format!(", and {} more", count - 1) } else { String::new() };
            self.blind(&first, Why::NotAsked, format!("{why}{more}"), "");
        }
        for (what, count) in std::mem::take(&mut self.dropped) {
            let detail = format!("{count} more than are kept");
            let spot = BlindSpot { what: what.to_owned(), why: Why::Truncated, detail, needs: String::new() };
            self.snapshot.blind_spots.push(spot);
        }
    }
}

/// A settled pod's key in [`Builder::summed`].
pub fn key(namespace: &str, name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (namespace, name).hash(&mut hasher);
    hasher.finish()
}

fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|n| text.is_char_boundary(*n)).unwrap_or(0)
}
