//! `kubectl describe pod` and the tables of `kubectl get`: objects as far as people paste them.

use crate::kube::{LONGEST_MESSAGE, bounded, container_of};
use crate::redact;
use facts::{Container, ContainerKind, Event, Meta, Node, Origin, Pod, Waiting};

/// A pod and the events below it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Described {
    /// The pod.
    pub pod: Pod,
    /// Its events, without times: the text has only ages.
    pub events: Vec<Event>,
}

/// Pods read of one text at most.
const MOST: usize = 2_000;

/// Every pod that a text describes.
pub fn pods(text: &str, source: &str, first: u32) -> Vec<Described> {
    let mut all: Vec<Described> = Vec::new();
    let mut section = Section::Top;
    let mut is_pod = false;
    for (number, line) in (first..).zip(text.lines()) {
        let indent = line.len() - line.trim_start().len();
        let body = line.trim();
        if indent == 0 {
            if let Some(name) = body.strip_prefix("Name:") {
                if all.len() >= MOST {
                    break;
                }
                is_pod = true;
                let origin = Origin { source: source.to_owned(), line: number };
                let meta = Meta { name: name.trim().to_owned(), origin, ..Meta::default() };
                all.push(Described {
                    pod: Pod { meta, service_account: "default".into(), printed: true, ..Pod::default() },
                    ..Described::default()
                });
            }
            section = Section::of(body);
        }
        let Some(now) = all.last_mut().filter(|_| is_pod) else { continue };
        match section {
            Section::Top => top(now, body),
            Section::Containers(kind) => container(now, kind, indent, body),
            Section::Conditions => condition(now, body),
            Section::Events => now.events.extend(described_event(&now.pod, body, source, number)),
            Section::Other => {}
        }
    }
    // Other objects are described in the same words; only pods have containers.
    all.retain(|d| !d.pod.containers.is_empty());
    all
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Top,
    Containers(ContainerKind),
    Conditions,
    Events,
    Other,
}

impl Section {
    fn of(line: &str) -> Self {
        match line.split(':').next().unwrap_or_default() {
            "Containers" => Self::Containers(ContainerKind::App),
            "Init Containers" => Self::Containers(ContainerKind::Init),
            "Ephemeral Containers" => Self::Containers(ContainerKind::Ephemeral),
            "Conditions" => Self::Conditions,
            "Events" => Self::Events,
            "Volumes" | "QoS Class" | "Node-Selectors" | "Tolerations" | "Labels" | "Annotations" => {
                Self::Other
            }
            _ => Self::Top,
        }
    }
}

fn top(now: &mut Described, body: &str) {
    let Some((name, value)) = body.split_once(':') else { return };
    let value = value.trim().to_owned();
    match name {
        "Namespace" => now.pod.meta.namespace = value,
        "Node" => {
            now.pod.node =
                value.split('/').next().filter(|n| !n.starts_with('<')).unwrap_or_default().to_owned()
        }
        "Service Account" => now.pod.service_account = value,
        "Status" => now.pod.phase = value,
        "Start Time" => now.pod.meta.created = super::when::read(&value),
        "Image Pull Secrets" => {
            now.pod.pull_secrets =
                value.split([',', ' ']).filter(|s| !s.is_empty()).map(str::to_owned).collect()
        }
        _ => {}
    }
}

fn container(now: &mut Described, kind: ContainerKind, indent: usize, body: &str) {
    let Some((name, value)) = body.split_once(':') else { return };
    let value = value.trim();
    if indent == 2 && value.is_empty() {
        now.pod.containers.push(Container { kind, name: name.to_owned(), ..Container::default() });
        return;
    }
    let Some(container) = now.pod.containers.last_mut() else { return };
    match (indent, name) {
        (4, "Image") => container.image = value.to_owned(),
        (4, "Image ID") => container.image_id = value.to_owned(),
        (4, "State") => match value {
            "Waiting" => container.waiting = Some(Waiting::default()),
            "Running" | "Terminated" => container.started = true,
            _ => {}
        },
        (4, "Last State") => container.started |= value == "Terminated",
        (4, "Restart Count") => container.restarts = value.parse().unwrap_or_default(),
        (_, "Reason") if indent > 4 => {
            if let Some(w) = container.waiting.as_mut().filter(|w| w.reason.is_empty()) {
                value.clone_into(&mut w.reason);
            }
        }
        (_, "Message") if indent > 4 => {
            if let Some(w) = container.waiting.as_mut().filter(|w| w.message.is_empty()) {
                w.message = redact::text(bounded(value, LONGEST_MESSAGE)).into_owned();
            }
        }
        _ => {}
    }
}

fn condition(now: &mut Described, body: &str) {
    if let [name, "False"] = body.split_whitespace().collect::<Vec<_>>().as_slice() {
        now.pod.unmet.push(format!("{name}: : "));
    }
}

/// `Warning  Failed  30s (x4 over 2m)  kubelet  Failed to pull image ...`.
fn described_event(pod: &Pod, body: &str, source: &str, line: u32) -> Option<Event> {
    let [severity, reason, age, from, message] = columns::<5>(body)?;
    if !matches!(severity, "Normal" | "Warning") {
        return None;
    }
    let (component, host) = from.split_once(", ").unwrap_or((from, ""));
    let (container, message) = subject(message);
    let host = match (host, component) {
        ("", "kubelet") => pod.node.clone(),
        (host, _) => host.to_owned(),
    };
    Some(Event {
        meta: Meta {
            namespace: pod.meta.namespace.clone(),
            origin: Origin { source: source.to_owned(), line },
            ..Meta::default()
        },
        kind: "Pod".into(),
        namespace: pod.meta.namespace.clone(),
        name: pod.meta.name.clone(),
        container: container.to_owned(),
        reason: reason.to_owned(),
        severity: severity.to_owned(),
        message: redact::text(bounded(message, LONGEST_MESSAGE)).into_owned(),
        component: component.to_owned(),
        host,
        count: count_of(age),
        ..Event::default()
    })
}

/// Newer kubectls put the container before the message: `spec.containers{app}: Pulling image ...`.
fn subject(message: &str) -> (&str, &str) {
    match message.split_once("}: ") {
        Some((path, rest)) if path.starts_with("spec.") && !path.contains(' ') => (container_of(path), rest),
        _ => ("", message),
    }
}

/// `30s (x4 over 2m)`: four times.
fn count_of(age: &str) -> u32 {
    age.split_once("(x").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok()).unwrap_or(1)
}

/// The columns of a row that are two blanks or more apart; the last takes what is left.
fn columns<const N: usize>(line: &str) -> Option<[&str; N]> {
    let mut found = [""; N];
    let mut rest = line.trim();
    for (n, slot) in found.iter_mut().enumerate() {
        if n + 1 == N {
            *slot = rest;
            break;
        }
        let gap = rest.find("  ").or_else(|| rest.find('\t'))?;
        *slot = rest.get(..gap)?;
        rest = rest.get(gap..)?.trim_start();
    }
    (!rest.is_empty()).then_some(found)
}

/// The events of a table that `kubectl get events` printed. Times are ages and so unknown; the namespace is the table's
/// own, else the command's, else empty.
pub fn events(text: &str, namespace: &str, source: &str, first: u32) -> Vec<Event> {
    let mut heads: Vec<&str> = Vec::new();
    let mut all = Vec::new();
    for (number, line) in (first..).zip(text.lines()) {
        if line.contains("LAST SEEN") && line.contains("MESSAGE") {
            heads = line.split("  ").map(str::trim).filter(|h| !h.is_empty()).collect();
            continue;
        }
        if heads.is_empty() || line.trim().is_empty() || all.len() >= MOST * 10 {
            continue;
        }
        let Some(cells) = cells(line, &heads) else { continue };
        let get = |head: &str| {
            heads.iter().position(|h| *h == head).and_then(|at| cells.get(at).copied()).unwrap_or("")
        };
        let Some((kind, name)) = get("OBJECT").split_once('/') else { continue };
        let (component, host) = get("SOURCE").split_once(", ").unwrap_or((get("SOURCE"), ""));
        let own = get("NAMESPACE");
        let namespace = if own.is_empty() { namespace } else { own };
        all.push(Event {
            meta: Meta {
                namespace: namespace.to_owned(),
                name: get("NAME").to_owned(),
                origin: Origin { source: source.to_owned(), line: number },
                ..Meta::default()
            },
            kind: kind_of(kind),
            namespace: namespace.to_owned(),
            name: name.to_owned(),
            container: container_of(get("SUBOBJECT")).to_owned(),
            reason: get("REASON").to_owned(),
            severity: get("TYPE").to_owned(),
            message: redact::text(bounded(get("MESSAGE"), LONGEST_MESSAGE)).into_owned(),
            component: component.to_owned(),
            host: host.to_owned(),
            count: get("COUNT").parse().unwrap_or_else(|_| count_of(get("LAST SEEN"))),
            ..Event::default()
        });
    }
    all
}

fn kind_of(resource: &str) -> String {
    match resource {
        "pod" | "pods" => "Pod".into(),
        "node" => "Node".into(),
        "serviceaccount" => "ServiceAccount".into(),
        "replicaset" => "ReplicaSet".into(),
        "deployment" => "Deployment".into(),
        "job" => "Job".into(),
        other => other.to_owned(),
    }
}

/// As many cells as heads, two blanks or more apart; one column may hold such blanks itself: `MESSAGE`.
fn cells<'a>(line: &'a str, heads: &[&str]) -> Option<Vec<&'a str>> {
    let message = heads.iter().position(|h| *h == "MESSAGE")?;
    let parts: Vec<&str> = line.split("  ").map(str::trim).filter(|p| !p.is_empty()).collect();
    if parts.len() == heads.len() {
        return Some(parts);
    }
    if parts.len() < heads.len() {
        return None;
    }
    let after = heads.len() - message - 1;
    let (before, rest) = parts.split_at_checked(message)?;
    let (words, last) = rest.split_at_checked(rest.len() - after)?;
    let (start, end) = (words.first()?, words.last()?);
    let from = start.as_ptr() as usize - line.as_ptr() as usize;
    let to = end.as_ptr() as usize - line.as_ptr() as usize + end.len();
    let mut all = before.to_vec();
    all.push(line.get(from..to)?);
    all.extend_from_slice(last);
    Some(all)
}

/// Pods that a table of `kubectl get pods` lists as waiting for an image, without their containers' names.
pub fn waiting_pods(text: &str, namespace: &str, source: &str, first: u32) -> Vec<Pod> {
    let Some(table) = crate::kubectl_table::read(text) else { return Vec::new() };
    if table.cell(&table.heads, "STATUS").is_none() || table.cell(&table.heads, "RESTARTS").is_none() {
        return Vec::new();
    }
    let waits = |status: &str| {
        let status = status.strip_prefix("Init:").unwrap_or(status);
        let pulls = matches!(
            status,
            "ErrImagePull"
                | "ImagePullBackOff"
                | "ErrImageNeverPull"
                | "InvalidImageName"
                | "ImageInspectError"
                | "RegistryUnavailable"
        );
        pulls.then(|| status.to_owned())
    };
    let row = |(line, row): &(u32, Vec<&str>)| {
        let get = |head: &str| table.cell(row, head).unwrap_or_default();
        let reason = waits(get("STATUS"))?;
        let own = get("NAMESPACE");
        Some(Pod {
            meta: Meta {
                namespace: if own.is_empty() { namespace } else { own }.to_owned(),
                name: get("NAME").to_owned(),
                origin: Origin { source: source.to_owned(), line: first + line },
                ..Meta::default()
            },
            node: Some(get("NODE")).filter(|n| !n.starts_with('<')).unwrap_or_default().to_owned(),
            service_account: "default".into(),
            printed: true,
            phase: "Pending".into(),
            containers: vec![Container {
                waiting: Some(Waiting { reason, message: String::new() }),
                ..Container::default()
            }],
            ..Pod::default()
        })
    };
    table.rows.iter().filter_map(row).collect()
}

/// Nodes that a table of `kubectl get nodes -o wide` lists.
pub fn nodes(text: &str, source: &str, first: u32) -> Vec<Node> {
    let Some(table) = crate::kubectl_table::read(text) else { return Vec::new() };
    if table.cell(&table.heads, "ROLES").is_none() {
        return Vec::new();
    }
    let row = |(line, row): &(u32, Vec<&str>)| {
        let get = |head: &str| table.cell(row, head).unwrap_or_default();
        let status = get("STATUS");
        Node {
            meta: Meta {
                name: get("NAME").to_owned(),
                origin: Origin { source: source.to_owned(), line: first + line },
                ..Meta::default()
            },
            runtime: get("CONTAINER-RUNTIME").to_owned(),
            kubelet: get("VERSION").to_owned(),
            os_image: get("OS-IMAGE").to_owned(),
            addresses: Some(get("INTERNAL-IP"))
                .filter(|a| a.contains(['.', ':']))
                .map(str::to_owned)
                .into_iter()
                .collect(),
            images_truncated: true,
            conditions: if status.contains("NotReady") { vec!["Ready=False: : ".into()] } else { Vec::new() },
            ..Node::default()
        }
    };
    table.rows.iter().map(row).filter(|n| !n.meta.name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
Name:             web-0
Namespace:        shop
Service Account:  robot
Node:             worker-1/10.0.0.5
Start Time:       Mon, 01 Jan 2024 10:00:00 +0900
Labels:           app=web
Annotations:      <none>
Status:           Pending
Containers:
  app:
    Container ID:
    Image:          r.example.com/app:1
    Image ID:
    State:          Waiting
      Reason:       ImagePullBackOff
    Ready:          False
    Restart Count:  0
    Environment:
      A:  b
Conditions:
  Type              Status
  Initialized       True
  Ready             False
Volumes:
  v:
    Type:  Projected
Events:
  Type     Reason     Age                From               Message
  ----     ------     ----               ----               -------
  Normal   Scheduled  2m                 default-scheduler  Successfully assigned shop/web-0 to worker-1
  Warning  Failed     30s (x4 over 2m)   kubelet            spec.containers{app}: Failed to pull image \"r.example.com/app:1\": not  found
";

    #[test]
    fn a_described_pod_with_its_events() {
        let all = pods(TEXT, "stdin", 1);
        let [one] = all.as_slice() else { panic!("{all:?}") };
        assert_eq!(
            (one.pod.meta.namespace.as_str(), one.pod.node.as_str(), one.pod.service_account.as_str()),
            ("shop", "worker-1", "robot")
        );
        assert_eq!(one.pod.meta.created.map(|t| t.to_string()).as_deref(), Some("2024-01-01T01:00:00Z"));
        let container = &one.pod.containers[0];
        assert_eq!((container.name.as_str(), container.image.as_str()), ("app", "r.example.com/app:1"));
        assert_eq!(container.waiting.as_ref().map(|w| w.reason.as_str()), Some("ImagePullBackOff"));
        let failed = &one.events[1];
        assert_eq!((failed.count, failed.container.as_str(), failed.host.as_str()), (4, "app", "worker-1"));
        assert!(failed.message.ends_with("not  found"), "{failed:?}");
        assert_eq!(one.pod.unmet, ["Ready: : "]);
    }

    #[test]
    fn other_objects_are_no_pods() {
        assert!(pods("Name:  x\nNamespace: y\nType: Opaque\n\nData\n====\n", "s", 1).is_empty());
    }

    #[test]
    fn event_tables() {
        let text = "LAST SEEN   TYPE      REASON    OBJECT      MESSAGE\n2m          Warning   Failed    pod/web-0   Failed to pull image  \"x\"\n";
        let all = events(text, "shop", "s", 1);
        assert_eq!(all.len(), 1);
        assert_eq!(
            (all[0].kind.as_str(), all[0].namespace.as_str(), all[0].message.as_str()),
            ("Pod", "shop", "Failed to pull image  \"x\"")
        );
        let wide = "NAMESPACE   LAST SEEN   TYPE      REASON   OBJECT      SUBOBJECT              SOURCE              MESSAGE   FIRST SEEN   COUNT   NAME\nn   2m   Warning   Failed   pod/web-0   spec.containers{app}   kubelet, worker-1   Failed  x   5m   7   web-0.1\n";
        let all = events(wide, "", "s", 1);
        assert_eq!(
            (all[0].container.as_str(), all[0].host.as_str(), all[0].count, all[0].message.as_str()),
            ("app", "worker-1", 7, "Failed  x")
        );
    }

    #[test]
    fn pod_and_node_tables() {
        let text = "NAME    READY   STATUS                  RESTARTS   AGE   IP       NODE\nweb-0   0/1     Init:ImagePullBackOff   0          1m    <none>   w1\nok-0    1/1     Running                 0          1m    1.2.3.4  w1\n";
        let all = waiting_pods(text, "n", "s", 1);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].meta.name.as_str(), all[0].node.as_str()), ("web-0", "w1"));
        let text = "NAME   STATUS   ROLES    AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE       KERNEL-VERSION   CONTAINER-RUNTIME\nw1     Ready    <none>   1d    v1.34.2   10.0.0.5      <none>        Ubuntu 24.04   6.8              containerd://2.2.1\n";
        let all = nodes(text, "s", 1);
        assert_eq!((all[0].runtime.as_str(), all[0].kubelet.as_str()), ("containerd://2.2.1", "v1.34.2"));
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "(?s)(Name: |Containers:\n  |Events:\n|LAST SEEN  MESSAGE\n|NAME  STATUS  RESTARTS\n|  |\n|\\PC){0,40}") {
            let _ = (pods(&text, "", 1), events(&text, "", "", 1), waiting_pods(&text, "", "", 1), nodes(&text, "", 1));
        }
    }
}
