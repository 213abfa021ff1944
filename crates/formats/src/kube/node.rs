//! Nodes, as the API server has them.

use super::lenient::{List, Or, Text, bounded};
use super::meta::{RawMeta, time};
use super::pod::RawCondition;
use facts::{Node, Origin};
use jiff::Timestamp;
use serde::Deserialize;

/// Images kept of one node: the kubelet lists 50 unless told otherwise. Source: kubernetes nodeStatusMaxImages.
const MOST_IMAGES: usize = 100;
/// What the kubelet's default lets a list hold.
const KUBELET_LISTS: usize = 50;

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct RawNode<'a> {
    #[serde(borrow)]
    metadata: Or<RawMeta<'a>>,
    spec: Or<RawNodeSpec>,
    #[serde(borrow)]
    status: Or<RawNodeStatus<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawNodeSpec {
    unschedulable: super::lenient::Flag,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawNodeStatus<'a> {
    #[serde(borrow)]
    addresses: List<Or<RawAddress<'a>>>,
    #[serde(borrow)]
    conditions: List<Or<RawCondition<'a>>>,
    #[serde(borrow)]
    node_info: Or<RawNodeInfo<'a>>,
    #[serde(borrow)]
    images: Option<List<Or<RawImage<'a>>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawAddress<'a> {
    #[serde(borrow, rename = "type")]
    type_: Text<'a>,
    #[serde(borrow)]
    address: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawNodeInfo<'a> {
    #[serde(borrow)]
    architecture: Text<'a>,
    #[serde(borrow)]
    container_runtime_version: Text<'a>,
    #[serde(borrow)]
    kubelet_version: Text<'a>,
    #[serde(borrow)]
    operating_system: Text<'a>,
    #[serde(borrow)]
    os_image: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawImage<'a> {
    #[serde(borrow)]
    names: List<Text<'a>>,
}

impl RawNode<'_> {
    /// The newest time that it states, heartbeats aside.
    pub fn newest(&self) -> Option<Timestamp> {
        let conditions = self.status.0.conditions.0.iter();
        conditions.filter_map(|c| time(&c.0.last_transition_time)).max().max(self.metadata.0.newest())
    }

    /// The facts of it.
    pub fn facts(&self, origin: Origin) -> Node {
        let status = &self.status.0;
        let info = &status.node_info.0;
        let mut meta = self.metadata.0.facts(origin);
        meta.managers.clear();
        let label = |name: &str| meta.labels.get(name).cloned().unwrap_or_default();
        let or_label = |text: &Text<'_>, name: &str| if text.is_empty() { label(name) } else { text.owned() };
        let listed = status.images.as_ref().map(|i| i.0.as_slice());
        let mut conditions: Vec<String> = status.conditions.0.iter().filter_map(|c| unusual(&c.0)).collect();
        if self.spec.0.unschedulable.0 {
            conditions.push("Unschedulable=True: : ".into());
        }
        Node {
            os: or_label(&info.operating_system, "kubernetes.io/os"),
            arch: or_label(&info.architecture, "kubernetes.io/arch"),
            runtime: info.container_runtime_version.owned(),
            kubelet: info.kubelet_version.owned(),
            os_image: info.os_image.owned(),
            addresses: status
                .addresses
                .0
                .iter()
                .filter(|a| a.0.type_.as_str() != "Hostname")
                .map(|a| a.0.address.owned())
                .collect(),
            images: listed
                .unwrap_or_default()
                .iter()
                .take(MOST_IMAGES)
                .flat_map(|i| i.0.names.0.iter().map(Text::owned))
                .collect(),
            images_truncated: listed.is_none_or(|l| l.len() >= KUBELET_LISTS),
            conditions,
            meta,
        }
    }
}

/// A condition that is not as it should be, as `Type=Status: reason: message`.
fn unusual(c: &RawCondition<'_>) -> Option<String> {
    let wanted = if c.type_.as_str() == "Ready" { "True" } else { "False" };
    if c.status.as_str() == wanted || c.type_.is_empty() {
        return None;
    }
    Some(format!(
        "{}={}: {}: {}",
        c.type_.as_str(),
        c.status.as_str(),
        c.reason.as_str(),
        bounded(c.message.as_str(), 512)
    ))
}
