//! A Snapshot with less in it: an object, a file, a field of one, a line of a log.

use facts::{Observed, Snapshot, Why};

/// What takes one thing away.
pub type Loss = Box<dyn Fn(&mut Snapshot)>;

/// Every way to leave out one object, event, log or output of a Snapshot.
pub fn without_one(snapshot: &Snapshot) -> Vec<(String, Snapshot)> {
    let mut all = Vec::new();
    macro_rules! each {
        ($($list:ident),*) => {$(
            for n in 0..snapshot.$list.len() {
                let mut less = snapshot.clone();
                less.$list.remove(n);
                all.push((format!("{}[{n}]", stringify!($list)), less));
            }
        )*};
    }
    each!(pods, events, service_accounts, secrets, nodes, node_facts, audit, others, outputs, documents);
    all
}

/// The fields of a Snapshot's objects, where one without it says that it was not seen, and not that it is empty.
pub fn fields(snapshot: &Snapshot) -> Vec<(String, Loss)> {
    let mut all: Vec<(String, Loss)> = Vec::new();
    macro_rules! of {
        ($list:ident, $($what:literal => |$one:ident| $loss:expr),* $(,)?) => {
            for n in 0..snapshot.$list.len() {
                $(all.push((
                    format!("{}[{n}]: {}", stringify!($list), $what),
                    Box::new(move |s: &mut Snapshot| { let $one = &mut s.$list[n]; $loss; }),
                ));)*
            }
        };
    }
    of!(pods,
        "node" => |p| p.node.clear(),
        "uid" => |p| p.meta.uid.clear(),
        "created" => |p| p.meta.created = None,
        "owners" => |p| p.meta.owners.clear(),
        "labels" => |p| p.meta.labels.clear(),
        "managers" => |p| p.meta.managers.clear(),
        "phase" => |p| p.phase.clear(),
        "conditions" => |p| p.unmet.clear(),
        "status" => |p| p.containers.iter_mut().for_each(|c| c.waiting = None),
        "pull secrets, as a printed pod has none" => |p| {
            p.printed = true;
            p.pull_secrets.clear();
            p.service_account.clear();
        },
    );
    of!(events,
        "uid" => |e| e.uid.clear(),
        "container" => |e| e.container.clear(),
        "host" => |e| e.host.clear(),
        "component" => |e| e.component.clear(),
        "first" => |e| e.first = None,
        "last" => |e| e.last = None,
        "created" => |e| e.meta.created = None,
    );
    of!(service_accounts,
        "created" => |a| a.meta.created = None,
        "managers" => |a| a.meta.managers.clear(),
        "owners" => |a| a.meta.owners.clear(),
    );
    of!(secrets,
        "created" => |x| x.meta.created = None,
        "managers" => |x| x.meta.managers.clear(),
        "owners" => |x| x.meta.owners.clear(),
        "annotations" => |x| x.meta.annotations.clear(),
        "content" => |x| x.docker_config = Observed::Blind(Why::NotAsked),
    );
    of!(nodes,
        "platform" => |n| { n.os.clear(); n.arch.clear(); },
        "runtime" => |n| n.runtime.clear(),
        "kubelet" => |n| n.kubelet.clear(),
        "addresses" => |n| n.addresses.clear(),
        "conditions" => |n| n.conditions.clear(),
        "images" => |n| { n.images.clear(); n.images_truncated = true; },
    );
    of!(node_facts,
        "runtime" => |n| n.runtime = None,
        "process" => |n| n.process = Observed::default(),
        "clock" => |n| n.clock = Observed::default(),
        "images" => |n| n.images = Observed::default(),
        "what is absent" => |n| n.absent.clear(),
        "what is listed" => |n| n.listed.clear(),
        "its name" => |n| n.name_given = false,
        "times of its files" => |n| n.files.values_mut().for_each(|f| f.modified = None),
        "contents of its files" => |n| n.files.values_mut().for_each(|f| f.text = Observed::Blind(Why::Forbidden)),
    );
    of!(audit, "at" => |a| a.at = None);
    of!(sightings,
        "image" => |x| x.image.clear(),
        "operation" => |x| x.operation = None,
        "at" => |x| x.at = None,
        "node" => |x| x.node = None,
    );
    of!(ladders, "branches" => |l| l.branches.clear(), "at" => |l| l.at = None);
    for (n, node) in snapshot.node_facts.iter().enumerate() {
        let paths: Vec<String> = node.files.keys().cloned().collect();
        for path in paths {
            all.push((
                format!("content of {}:{path}", node.name),
                Box::new(move |s| {
                    if let Some(file) = s.node_facts[n].files.get_mut(&path) {
                        file.text = Observed::Blind(Why::Forbidden);
                    }
                    s.node_facts[n].docker_configs.remove(&path);
                }),
            ));
        }
    }
    macro_rules! one {
        ($($what:literal => |$s:ident| $loss:expr),* $(,)?) => {
            $(all.push(($what.to_owned(), Box::new(|$s: &mut Snapshot| { $loss; })));)*
        };
    }
    one!(
        "now" => |s| s.taken_at = None,
        "healthy pods" => |s| { s.healthy.images.clear(); s.healthy.truncated = true; },
        "coverage of pods" => |s| s.coverage.pods = false,
        "coverage of events" => |s| s.coverage.events = false,
        "coverage of accounts" => |s| s.coverage.service_accounts = false,
        "coverage of secrets" => |s| { s.coverage.secrets = false; s.coverage.secrets_elsewhere = false; },
        "coverage of nodes" => |s| s.coverage.nodes = false,
    );
    all
}

/// Marsaglia's xorshift: the same halves on every machine.
pub struct Random(u64);

impl Random {
    /// The draws of one Snapshot.
    pub fn new(seed: u64, n: usize) -> Self {
        Self(seed ^ (n as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn coin(&mut self) -> bool {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 63 == 1
    }

    /// A number below this one.
    #[allow(dead_code, reason = "not every property draws one")]
    pub fn below(&mut self, end: usize) -> usize {
        let drawn = (0..16).fold(0, |n, _| n << 1 | usize::from(self.coin()));
        drawn % end
    }
}

/// About half of everything that a Snapshot holds.
pub fn half(snapshot: &Snapshot, random: &mut Random) -> Snapshot {
    let mut less = snapshot.clone();
    macro_rules! each {
        ($($list:ident),*) => {$(less.$list.retain(|_| random.coin());)*};
    }
    each!(pods, events, service_accounts, secrets, nodes, node_facts, audit, others, outputs, documents);
    each!(sightings, versions, ladders);
    for node in &mut less.node_facts {
        node.files.retain(|_, _| random.coin());
    }
    less
}

/// All objects, with about half of their fields, and of the lines of logs.
pub fn half_of_fields(snapshot: &Snapshot, random: &mut Random) -> Snapshot {
    let mut less = snapshot.clone();
    for (_, loss) in fields(snapshot) {
        // A quarter: with half of all fields gone nearly nothing is concluded.
        if random.coin() && random.coin() {
            loss(&mut less);
        }
    }
    let mut thin = |text: &mut String| {
        *text = text.lines().filter(|_| random.coin()).map(|l| format!("{l}\n")).collect();
    };
    less.documents.iter_mut().for_each(|d| thin(&mut d.text));
    // Any line of a journal may be missing. A listing without a line would say that the file is not there.
    let logs =
        less.outputs.iter_mut().filter(|o| o.command.contains("journalctl") || o.command.contains(" logs "));
    logs.for_each(|o| thin(&mut o.text));
    less
}

/// A number from the environment: `PULLPROOF_SEED` and `PULLPROOF_HALVES` try others and more.
pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(usual)
}
