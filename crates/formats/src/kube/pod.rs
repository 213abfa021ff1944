//! Pods: what a pull depends on, and whether the pod is settled.

use super::lenient::{Count, Flag, List, Named, Or, Present, Text, bounded};
use super::meta::{RawMeta, time};
use crate::redact;
use facts::{Container, ContainerKind, Origin, Pod, Waiting};
use jiff::Timestamp;
use serde::Deserialize;

/// Bytes kept of a message.
pub const LONGEST_MESSAGE: usize = 8192;

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct RawPod<'a> {
    #[serde(borrow)]
    metadata: Or<RawMeta<'a>>,
    #[serde(borrow)]
    spec: Or<RawSpec<'a>>,
    #[serde(borrow)]
    status: Or<RawStatus<'a>>,
    #[serde(rename = "imagePullSecrets")]
    stray_pull_secrets: Present,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawSpec<'a> {
    #[serde(borrow)]
    node_name: Text<'a>,
    #[serde(borrow)]
    service_account_name: Text<'a>,
    #[serde(borrow)]
    service_account: Text<'a>,
    #[serde(borrow)]
    image_pull_secrets: List<Named<'a>>,
    #[serde(borrow)]
    containers: List<Or<RawContainer<'a>>>,
    #[serde(borrow)]
    init_containers: List<Or<RawContainer<'a>>>,
    #[serde(borrow)]
    ephemeral_containers: List<Or<RawContainer<'a>>>,
    #[serde(borrow)]
    volumes: List<Or<RawVolume<'a>>>,
    host_network: Flag,
    #[serde(rename = "imagePullSecret")]
    singular: Present,
    #[serde(rename = "pullSecrets")]
    short: Present,
    image_pull_policy: Present,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawContainer<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    image: Text<'a>,
    #[serde(borrow)]
    image_pull_policy: Text<'a>,
    image_pull_secrets: Present,
    #[serde(rename = "imagePullSecret")]
    singular: Present,
    service_account_name: Present,
    node_name: Present,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawVolume<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    image: Option<Or<RawImageVolume<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawImageVolume<'a> {
    #[serde(borrow)]
    reference: Text<'a>,
    #[serde(borrow)]
    pull_policy: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawStatus<'a> {
    #[serde(borrow)]
    phase: Text<'a>,
    #[serde(borrow)]
    start_time: Text<'a>,
    #[serde(borrow)]
    conditions: List<Or<RawCondition<'a>>>,
    #[serde(borrow)]
    container_statuses: List<Or<RawContainerStatus<'a>>>,
    #[serde(borrow)]
    init_container_statuses: List<Or<RawContainerStatus<'a>>>,
    #[serde(borrow)]
    ephemeral_container_statuses: List<Or<RawContainerStatus<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct RawCondition<'a> {
    #[serde(borrow, rename = "type")]
    pub type_: Text<'a>,
    #[serde(borrow)]
    pub status: Text<'a>,
    #[serde(borrow)]
    pub reason: Text<'a>,
    #[serde(borrow)]
    pub message: Text<'a>,
    #[serde(borrow)]
    pub last_transition_time: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawContainerStatus<'a> {
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    image: Text<'a>,
    #[serde(borrow, rename = "imageID")]
    image_id: Text<'a>,
    restart_count: Count,
    started: Flag,
    #[serde(borrow)]
    state: Or<RawState<'a>>,
    #[serde(borrow)]
    last_state: Or<RawState<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawState<'a> {
    #[serde(borrow)]
    waiting: Option<Or<RawWaiting<'a>>>,
    #[serde(borrow)]
    running: Option<Or<RawRan<'a>>>,
    #[serde(borrow)]
    terminated: Option<Or<RawRan<'a>>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawWaiting<'a> {
    #[serde(borrow)]
    reason: Text<'a>,
    #[serde(borrow)]
    message: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawRan<'a> {
    #[serde(borrow)]
    started_at: Text<'a>,
    #[serde(borrow)]
    finished_at: Text<'a>,
}

impl RawContainerStatus<'_> {
    fn has_run(&self) -> bool {
        let ran = |s: &RawState<'_>| s.running.is_some() || s.terminated.is_some();
        self.started.0 || self.restart_count.0 > 0 || ran(&self.state.0) || ran(&self.last_state.0)
    }
}

impl<'a> RawPod<'a> {
    pub fn namespace(&self) -> &str {
        self.metadata.0.namespace.as_str()
    }

    pub fn name(&self) -> &str {
        self.metadata.0.name.as_str()
    }

    pub fn node(&self) -> &str {
        self.spec.0.node_name.as_str()
    }

    /// Whether every container runs or has run, and none waits: nothing is left to pull.
    pub fn is_settled(&self) -> bool {
        let status = &self.status.0;
        if !matches!(status.phase.as_str(), "Running" | "Succeeded") {
            return false;
        }
        let statuses = status.container_statuses.0.iter().chain(&status.init_container_statuses.0);
        let mut all = statuses.chain(&status.ephemeral_container_statuses.0);
        !status.container_statuses.0.is_empty() && all.all(|s| s.0.state.0.waiting.is_none() && s.0.has_run())
    }

    /// The images that its containers run, as the spec names them.
    pub fn images(&self) -> impl Iterator<Item = &str> {
        let spec = &self.spec.0;
        let containers = spec.containers.0.iter().chain(&spec.init_containers.0);
        containers.map(|c| c.0.image.as_str()).filter(|i| !i.is_empty())
    }

    /// The newest time that it states.
    pub fn newest(&self) -> Option<Timestamp> {
        let status = &self.status.0;
        let conditions = status.conditions.0.iter().map(|c| time(&c.0.last_transition_time));
        let statuses = status.container_statuses.0.iter().chain(&status.init_container_statuses.0);
        let ran = statuses.flat_map(|s| [&s.0.state.0, &s.0.last_state.0]).flat_map(|s| {
            let ended = s.terminated.as_ref().and_then(|t| time(&t.0.finished_at));
            let started = s.running.as_ref().and_then(|r| time(&r.0.started_at));
            [ended, started]
        });
        conditions.chain(ran).flatten().max().max(time(&status.start_time)).max(self.metadata.0.newest())
    }

    /// The facts of it.
    pub fn facts(&self, origin: Origin) -> Pod {
        let (spec, status) = (&self.spec.0, &self.status.0);
        let account = [&spec.service_account_name, &spec.service_account].into_iter().find(|a| !a.is_empty());
        let mut containers = Vec::new();
        for (kind, list, statuses) in [
            (ContainerKind::Init, &spec.init_containers, &status.init_container_statuses),
            (ContainerKind::App, &spec.containers, &status.container_statuses),
            (ContainerKind::Ephemeral, &spec.ephemeral_containers, &status.ephemeral_container_statuses),
        ] {
            joined(kind, list, statuses, &mut containers);
        }
        containers.extend(spec.volumes.0.iter().filter_map(|v| image_volume(&v.0)));
        let mut meta = self.metadata.0.facts(origin);
        // Which status fields the kubelet owns says nothing about pulls, and there are many pods.
        meta.managers.iter_mut().for_each(|m| m.fields.clear());
        Pod {
            is_static: meta.annotations.contains_key("kubernetes.io/config.mirror")
                || meta.annotations.get("kubernetes.io/config.source").is_some_and(|s| s != "api"),
            meta,
            node: spec.node_name.owned(),
            service_account: account.map_or_else(|| "default".to_owned(), Text::owned),
            pull_secrets: spec.image_pull_secrets.0.iter().map(|s| s.name.owned()).collect(),
            phase: status.phase.owned(),
            containers,
            host_network: spec.host_network.0,
            unmet: status.conditions.0.iter().filter_map(|c| unmet(&c.0)).collect(),
            misplaced: self.misplaced(),
            printed: false,
        }
    }

    /// Fields about pulls that stand where nobody reads them.
    fn misplaced(&self) -> Vec<String> {
        let spec = &self.spec.0;
        let mut found = Vec::new();
        let mut note = |there: bool, path: String| {
            if there {
                found.push(path);
            }
        };
        note(self.stray_pull_secrets.0, "imagePullSecrets".into());
        note(self.metadata.0.image_pull_secrets.0, "metadata.imagePullSecrets".into());
        note(spec.singular.0, "spec.imagePullSecret".into());
        note(spec.short.0, "spec.pullSecrets".into());
        note(spec.image_pull_policy.0, "spec.imagePullPolicy".into());
        for (n, secret) in spec.image_pull_secrets.0.iter().enumerate() {
            note(secret.plain, format!("spec.imagePullSecrets[{n}]"));
        }
        for (list, name) in [(&spec.containers, "containers"), (&spec.init_containers, "initContainers")] {
            for (n, c) in list.0.iter().enumerate() {
                note(c.0.image_pull_secrets.0, format!("spec.{name}[{n}].imagePullSecrets"));
                note(c.0.singular.0, format!("spec.{name}[{n}].imagePullSecret"));
                note(c.0.service_account_name.0, format!("spec.{name}[{n}].serviceAccountName"));
                note(c.0.node_name.0, format!("spec.{name}[{n}].nodeName"));
            }
        }
        found
    }
}

/// Containers of one kind with their statuses; a status without a container (an ephemeral one of an older client) too.
fn joined(
    kind: ContainerKind,
    list: &List<Or<RawContainer<'_>>>,
    statuses: &List<Or<RawContainerStatus<'_>>>,
    into: &mut Vec<Container>,
) {
    let status_of = |name: &str| statuses.0.iter().map(|s| &s.0).find(|s| s.name.as_str() == name);
    for c in list.0.iter().map(|c| &c.0) {
        let mut container = Container {
            kind,
            name: c.name.owned(),
            image: c.image.owned(),
            pull_policy: c.image_pull_policy.owned(),
            ..Container::default()
        };
        if let Some(status) = status_of(c.name.as_str()) {
            add_status(&mut container, status);
        }
        into.push(container);
    }
    for status in statuses.0.iter().map(|s| &s.0) {
        if !list.0.iter().any(|c| c.0.name.as_str() == status.name.as_str()) {
            let mut container = Container {
                kind,
                name: status.name.owned(),
                image: status.image.owned(),
                ..Container::default()
            };
            add_status(&mut container, status);
            into.push(container);
        }
    }
}

fn add_status(container: &mut Container, status: &RawContainerStatus<'_>) {
    container.status_image = status.image.owned();
    container.image_id = status.image_id.owned();
    container.restarts = status.restart_count.0;
    container.started = status.has_run();
    container.waiting = status.state.0.waiting.as_ref().map(|w| Waiting {
        reason: bounded(w.0.reason.as_str(), LONGEST_MESSAGE).to_owned(),
        message: redact::text(bounded(w.0.message.as_str(), LONGEST_MESSAGE)).into_owned(),
    });
}

fn image_volume(volume: &RawVolume<'_>) -> Option<Container> {
    let image = &volume.image.as_ref()?.0;
    Some(Container {
        kind: ContainerKind::ImageVolume,
        name: volume.name.owned(),
        image: image.reference.owned(),
        pull_policy: image.pull_policy.owned(),
        ..Container::default()
    })
}

/// A condition that is not `True`, as `Type: reason: message`.
fn unmet(c: &RawCondition<'_>) -> Option<String> {
    if c.status.as_str() == "True" || c.type_.is_empty() {
        return None;
    }
    Some(format!("{}: {}: {}", c.type_.as_str(), c.reason.as_str(), bounded(c.message.as_str(), 512)))
}
