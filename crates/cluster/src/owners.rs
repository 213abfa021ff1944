//! The workloads that failing pods belong to, two steps up (ReplicaSet, then Deployment), as a fix is made there.

use crate::TargetKind;
use crate::api::{Api, As};
use crate::list;
use crate::pods::live;
use facts::{Meta, OtherObject, Pod};
use formats::docker_config::Sameness;
use formats::kube::{Detail, Envelope, Item, from_json};
use std::collections::BTreeSet;

/// Objects that are read in one run: a cluster in which everything fails has the same few causes.
const MOST: usize = 40;

/// Reads them. What cannot be read is left out: nothing is concluded from an owner that is not there.
pub(crate) async fn read(api: &Api, pods: &[&Pod]) -> Vec<OtherObject> {
    let mut wanted: BTreeSet<(String, TargetKind, String)> =
        pods.iter().filter_map(|pod| controller(&pod.meta)).collect();
    let mut found: Vec<OtherObject> = Vec::new();
    let mut asked = BTreeSet::new();
    while let Some(next) = wanted.pop_first() {
        if asked.len() >= MOST || !asked.insert(next.clone()) {
            continue;
        }
        let (namespace, kind, name) = &next;
        let path = list::resource_path(kind.group_version(), kind.plural(), namespace, Some(name));
        let Ok(bytes) = api.get(&path, As::Objects).await else { continue };
        let hint = Envelope { api_version: kind.group_version().into(), kind: kind.kind().into() };
        let read = from_json(&bytes, &hint, live(), Detail::Full, &mut Sameness::default());
        if let Ok(Item::Other(object)) = read.map(|r| r.item) {
            wanted.extend(controller(&object.meta));
            found.push(*object);
        }
    }
    found
}

fn controller(meta: &Meta) -> Option<(String, TargetKind, String)> {
    let owner = meta.owners.iter().find(|o| o.controller)?;
    Some((meta.namespace.clone(), TargetKind::of_owner(&owner.kind)?, owner.name.clone()))
}
