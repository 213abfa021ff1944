//! A Snapshot with less in it.

use facts::Snapshot;

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
