//! Failing pulls of pods: the container's waiting message and its events, joined into one timeline.

use crate::case::Case;
use crate::lines::event_at;
use crate::pull::{Observation, Pull, Timeline};
use facts::{Container, ContainerKind, Event, Pod, Vantage, Waiting};
use formats::message::Reading;
use formats::reference::same;
use report::Locator;
use std::collections::BTreeMap;
use std::rc::Rc;
use vocabulary::{Cause, Operation};

/// Waiting reasons that only an image, or its sandbox, can bring about. None of them names a cause.
/// Source: kubernetes pkg/kubelet/images/types.go, 1.36.
const PULL_REASONS: &[&str] = &[
    "ErrImagePull",
    "ImagePullBackOff",
    "ErrImageNeverPull",
    "InvalidImageName",
    "ImageInspectError",
    "RegistryUnavailable",
    "SignatureValidationFailed",
    "ErrImageNotVerified",
];

/// One pull for each failing container, from pods and from events of pods that are not in the Snapshot.
pub fn pulls<'a>(case: &Case<'a>) -> Vec<Pull<'a>> {
    let mut all = Vec::new();
    for pod in &case.snapshot.pods {
        let events = case.events_of(&pod.meta.namespace, &pod.meta.name);
        for container in &pod.containers {
            all.extend(container_pull(case, pod, container, events));
        }
    }
    for ((namespace, name), events) in case.pods_in_events() {
        if case.pod(namespace, name).is_none() {
            all.extend(event_pulls(case, namespace, name, events));
        }
    }
    all
}

fn container_pull<'a>(
    case: &Case<'a>,
    pod: &'a Pod,
    container: &'a Container,
    events: &[&'a Event],
) -> Option<Pull<'a>> {
    let own: Vec<_> = events
        .iter()
        .copied()
        .filter(|e| e.uid.is_empty() || pod.meta.uid.is_empty() || e.uid == pod.meta.uid)
        .filter(|e| e.container.is_empty() || e.container == container.name)
        .collect();
    let (holder, waits) = waiting(case, pod, container);
    let waits_for_image = waits.is_some_and(|w| PULL_REASONS.contains(&w.reason.as_str()));
    let mut observations = Vec::new();
    if let Some(w) = waits.filter(|w| !w.message.is_empty()) {
        let said = case.read(&w.message);
        let reading = if waits_for_image { of_failing_pull(said) } else { said };
        // From 1.33 on the reason itself may be the error's text, so the message is judged by what it says.
        if (waits_for_image || speaks_of_pull(reading.cause)) && !of_another(pod, container, &reading) {
            observations.push(Observation {
                vantage: kubelet(&pod.node),
                text: &w.message,
                reading,
                at: Locator::Object {
                    kind: "Pod".into(),
                    namespace: pod.meta.namespace.clone(),
                    name: pod.meta.name.clone(),
                    field: format!("status.containerStatuses[{holder}].state.waiting.message"),
                },
                when: None,
                ladder: None,
            });
        }
    }
    let said = event_observations(case, &own);
    let foreign = |o: &Observation<'_>| of_another(pod, container, &o.reading);
    // Where the words are another's, those that only say that something failed are, too.
    let another = said.iter().any(foreign);
    let bare = |o: &Observation<'_>| !speaks_of_pull(o.reading.cause);
    observations.extend(said.into_iter().filter(|o| !(foreign(o) || another && bare(o))));
    let timeline = timeline(case, &own);
    let stuck = !container.started && container.image_id.is_empty();
    // What was pulled since waits for something else, unless the status itself says otherwise.
    let since = timeline.pulled.is_some() && timeline.pulled > timeline.last_failed;
    let open = observations.iter().any(|o| o.when.is_none() || !since);
    let failing = waits_for_image || (stuck && open);
    // Every container waits for the pod's image volumes, and is told why.
    let volumes = pod.containers.iter().any(|c| c.kind == ContainerKind::ImageVolume);
    if !failing || observations.is_empty() && volumes {
        return None;
    }
    if observations.is_empty() {
        // The status says that it waits, and nobody says why.
        let w = waits?;
        observations.push(Observation {
            vantage: kubelet(&pod.node),
            text: &w.reason,
            reading: case.read(&w.reason),
            at: Locator::Object {
                kind: "Pod".into(),
                namespace: pod.meta.namespace.clone(),
                name: pod.meta.name.clone(),
                field: format!("status.containerStatuses[{}].state.waiting.reason", container.name),
            },
            when: None,
            ladder: None,
        });
    }
    let (image, operation) = what_for(&observations, container.image.clone());
    Some(Pull {
        pod: Some(pod),
        container: Some(container),
        namespace: &pod.meta.namespace,
        pod_name: &pod.meta.name,
        container_name: &container.name,
        node: &pod.node,
        registry: formats::reference::registry_of(&image).unwrap_or_default(),
        image,
        operation,
        observations,
        earlier: Vec::new(),
        timeline,
    })
}

/// What a container waits for, and whose status says so. An image volume has no status of its own: what the kubelet says of
/// it stands in that of every container (kubernetes pkg/kubelet/kuberuntime/kuberuntime_manager.go, getImageVolumes, 1.36).
fn waiting<'a>(case: &Case<'a>, pod: &'a Pod, container: &'a Container) -> (&'a str, Option<&'a Waiting>) {
    if container.kind != ContainerKind::ImageVolume {
        return (&container.name, container.waiting.as_ref());
    }
    let names_it =
        |w: &'a Waiting| case.read(&w.message).image.as_deref().is_some_and(|i| same(i, &container.image));
    let mut told = pod.containers.iter().filter_map(|c| Some((c.name.as_str(), c.waiting.as_ref()?)));
    match told.find(|&(_, w)| names_it(w)) {
        Some((holder, waits)) => (holder, Some(waits)),
        None => (&container.name, None),
    }
}

/// Whether words name the image of another container of the pod, and not this one's.
fn of_another(pod: &Pod, container: &Container, reading: &Reading) -> bool {
    let Some(image) = reading.image.as_deref() else { return false };
    let is_its = |c: &Container| same(image, &c.image);
    !is_its(container) && pod.containers.iter().any(is_its)
}

/// The container waits for its image: words that no table knows do not undo that a pull fails, they only say nothing of why.
fn of_failing_pull(said: Rc<Reading>) -> Rc<Reading> {
    match said.cause {
        Cause::NotAPullFailure => {
            let unknown = Reading { cause: Cause::Unknown, operation: Operation::Pull, ..(*said).clone() };
            Rc::new(unknown)
        }
        _ => said,
    }
}

/// The image that is pulled, and for what: the sandbox comes before the container's own image, and is another.
fn what_for(observations: &[Observation<'_>], own: String) -> (String, Operation) {
    let speak = observations.iter().filter(|o| speaks_of_pull(o.reading.cause));
    let last = speak.max_by_key(|o| (o.when.is_none(), o.when)).map(|o| &*o.reading);
    match last.filter(|r| r.operation == Operation::Sandbox).and_then(|r| r.image.clone()) {
        Some(image) => (image, Operation::Sandbox),
        None => (own, Operation::Pull),
    }
}

/// Pulls of a pod that only its events know.
fn event_pulls<'a>(
    case: &Case<'a>,
    namespace: &'a str,
    name: &'a str,
    events: &[&'a Event],
) -> Vec<Pull<'a>> {
    let mut by_container: BTreeMap<&'a str, Vec<&'a Event>> = BTreeMap::new();
    for event in events {
        by_container.entry(&event.container).or_default().push(event);
    }
    let whole = if by_container.len() > 1 { by_container.remove("").unwrap_or_default() } else { Vec::new() };
    let mut pulls = Vec::new();
    for (container_name, mut own) in by_container {
        own.extend(&whole);
        let observations = event_observations(case, &own);
        let timeline = timeline(case, &own);
        let recovered = timeline.pulled.is_some() && timeline.pulled > timeline.last_failed;
        let (image, operation) = what_for(&observations, image_of(&observations, &own));
        if observations.is_empty()
            || (recovered && own.iter().all(|e| e.reason != "BackOff") && !recurs(case, &image))
        {
            continue;
        }
        pulls.push(Pull {
            pod: None,
            container: None,
            namespace,
            pod_name: name,
            container_name,
            node: own.iter().map(|e| e.host.as_str()).find(|h| !h.is_empty()).unwrap_or_default(),
            registry: formats::reference::registry_of(&image).unwrap_or_default(),
            image,
            operation,
            observations,
            earlier: Vec::new(),
            timeline,
        });
    }
    pulls
}

/// Whether a loop of requests to the image's registry was answered well and badly in turn: the failure comes and goes, and
/// an attempt that went well does not end it.
fn recurs(case: &Case<'_>, image: &str) -> bool {
    let registry = formats::reference::registry_of(image).unwrap_or_default();
    case.requests().iter().any(|r| {
        r.curl.host() == registry
            && r.curl.statuses.iter().any(|s| (200..300).contains(s))
            && r.curl.statuses.iter().any(|s| *s == 401 || *s == 403 || (500..600).contains(s))
    })
}

/// What the failing events say. `Error: ErrImagePull` and back-off lines carry nothing beside a fuller one.
fn event_observations<'a>(case: &Case<'a>, events: &[&'a Event]) -> Vec<Observation<'a>> {
    let mut all: Vec<Observation<'a>> = Vec::new();
    for event in events {
        if event.severity == "Normal" && event.reason != "BackOff" {
            continue;
        }
        let reading = case.read(&event.message);
        let bare = reading.cause == Cause::Unknown && pull_reason(&event.reason, &event.message);
        if !bare && !speaks_of_pull(reading.cause) {
            continue;
        }
        all.push(Observation {
            vantage: kubelet(&event.host),
            text: &event.message,
            reading,
            at: event_at(event),
            when: event.last.or(event.first),
            ladder: None,
        });
    }
    all
}

fn speaks_of_pull(cause: Cause) -> bool {
    !matches!(cause, Cause::Unknown | Cause::NotAPullFailure)
}

fn pull_reason(reason: &str, message: &str) -> bool {
    matches!(reason, "Failed" | "BackOff" | "ErrImageNeverPull" | "InspectFailed")
        && (message.contains("image") || PULL_REASONS.iter().any(|r| message.contains(r)))
}

fn image_of(observations: &[Observation<'_>], events: &[&Event]) -> String {
    // `Pulling image "X"` has the reference verbatim, as the pod's spec has it.
    let quoted = |e: &&Event| e.message.split('"').nth(1).filter(|s| !s.is_empty()).map(str::to_owned);
    events
        .iter()
        .filter(|e| e.reason == "Pulling")
        .find_map(quoted)
        .or_else(|| observations.iter().find_map(|o| o.reading.image.clone()))
        .unwrap_or_default()
}

fn timeline<'a>(case: &Case<'a>, events: &[&'a Event]) -> Timeline {
    let mut line = Timeline::default();
    for event in events {
        let (first, last) = (event.first.or(event.last), event.last.or(event.first));
        // Of a missing ConfigMap, or a program that is not in the image, the kubelet says `Failed`, too.
        if event.reason == "Failed" && case.read(&event.message).cause == Cause::NotAPullFailure {
            continue;
        }
        match event.reason.as_str() {
            "Failed" | "ErrImageNeverPull" | "InspectFailed" | "FailedCreatePodSandBox" => {
                line.first_failed = [line.first_failed, first].into_iter().flatten().min();
                line.last_failed = line.last_failed.max(last);
            }
            "Pulled" => {
                line.pulled = line.pulled.max(last);
                line.already_present |= event.message.contains("already present on machine");
            }
            _ => {}
        }
    }
    line
}

fn kubelet(node: &str) -> Vantage {
    Vantage { client: "kubelet".into(), place: node.to_owned() }
}

#[cfg(test)]
mod tests {
    use facts::{CommandOutput, Container, ContainerKind, Event, Meta, Origin, Snapshot, Vantage, Waiting};
    use vocabulary::Cause;

    fn event(reason: &str, message: &str, clock: &str) -> Event {
        Event {
            meta: Meta { namespace: "a".into(), name: format!("p.{clock}"), ..Meta::default() },
            kind: "Pod".into(),
            namespace: "a".into(),
            name: "p".into(),
            container: "app".into(),
            reason: reason.into(),
            severity: if reason == "Failed" { "Warning" } else { "Normal" }.into(),
            message: message.into(),
            count: 1,
            last: format!("2026-11-30T{clock}Z").parse().ok(),
            ..Event::default()
        }
    }

    #[test]
    fn who_waits_for_an_image_fails_to_pull_it_whatever_the_words() {
        let container = Container {
            name: "app".into(),
            image: "r.example.com/app:1".into(),
            waiting: Some(Waiting { reason: "ErrImagePull".into(), message: "frobnicated".into() }),
            ..Default::default()
        };
        let pod = facts::Pod {
            meta: Meta { namespace: "a".into(), name: "p".into(), ..Meta::default() },
            containers: vec![container],
            ..Default::default()
        };
        let report = crate::diagnose(&Snapshot { pods: vec![pod], ..Snapshot::default() });
        assert_eq!(report.incidents.iter().map(|i| i.cause).collect::<Vec<_>>(), [Cause::Unknown]);
    }

    #[test]
    fn a_sandbox_is_another_image_than_the_container() {
        let failed = "Failed to create pod sandbox: rpc error: code = NotFound desc = failed to start sandbox \"ab\": failed to get sandbox image \"r.example.com/pause:3.10\": failed to pull image \"r.example.com/pause:3.10\": failed to pull and unpack image \"r.example.com/pause:3.10\": failed to resolve image: r.example.com/pause:3.10: not found";
        let mut said = event("FailedCreatePodSandBox", failed, "10:00:00");
        said.severity = "Warning".into();
        said.container = String::new();
        let container =
            Container { name: "app".into(), image: "r.example.com/app:1".into(), ..Default::default() };
        let pod = facts::Pod {
            meta: Meta { namespace: "a".into(), name: "p".into(), ..Meta::default() },
            node: "n1".into(),
            containers: vec![container],
            ..Default::default()
        };
        let report =
            crate::diagnose(&Snapshot { pods: vec![pod], events: vec![said], ..Snapshot::default() });
        let found: Vec<_> = report.incidents.iter().map(|i| (i.cause, i.affected.images.clone())).collect();
        assert_eq!(found, [(Cause::SandboxImage, vec!["r.example.com/pause:3.10".to_owned()])]);
    }

    #[test]
    fn what_was_pulled_and_waits_for_something_else_is_no_failing_pull() {
        let pulls = |events: Vec<Event>, reason: &str| {
            let waiting =
                Some(Waiting { reason: reason.into(), message: "configmap \"none\" not found".into() });
            let container = Container {
                name: "app".into(),
                image: "r.example.com/a:1".into(),
                waiting,
                ..Container::default()
            };
            let meta = Meta { namespace: "a".into(), name: "p".into(), ..Meta::default() };
            let pod =
                facts::Pod { meta, node: "n1".into(), containers: vec![container], ..Default::default() };
            crate::diagnose(&Snapshot { pods: vec![pod], events, ..Snapshot::default() }).incidents.len()
        };
        let failed = event(
            "Failed",
            "Failed to pull image \"r.example.com/a:1\": r.example.com/a:1: not found",
            "10:00:00",
        );
        let pulled = event("Pulled", "Successfully pulled image \"r.example.com/a:1\" in 1s", "10:01:00");
        let config = event("Failed", "Error: configmap \"none\" not found", "10:02:00");
        assert_eq!(pulls(vec![config.clone()], "CreateContainerConfigError"), 0);
        assert_eq!(pulls(vec![failed.clone(), pulled, config.clone()], "CreateContainerConfigError"), 0);
        assert_eq!(pulls(vec![failed, config], "ImagePullBackOff"), 1);
    }

    #[test]
    fn an_image_volume_fails_once_and_not_with_every_container_that_waits_for_it() {
        let said = "rpc error: code = NotFound desc = failed to pull and unpack image \"r.example.com/data:9\": failed to resolve image: r.example.com/data:9: not found";
        let container = |kind, name: &str, image: &str, waits: bool| Container {
            kind,
            name: name.into(),
            image: image.into(),
            waiting: waits.then(|| Waiting { reason: "ErrImagePull".into(), message: said.into() }),
            ..Container::default()
        };
        let pulls = |volume: &str| {
            let containers = vec![
                container(ContainerKind::App, "app", "r.example.com/app:1", true),
                container(ContainerKind::App, "side", "r.example.com/side:1", true),
                container(ContainerKind::ImageVolume, "v", volume, false),
            ];
            let meta = Meta { namespace: "a".into(), name: "p".into(), ..Meta::default() };
            let pod = facts::Pod { meta, node: "n1".into(), containers, ..Default::default() };
            let mut failed = event(
                "Failed",
                &format!("Failed to pull image \"r.example.com/data:9\": {said}"),
                "10:00:00",
            );
            failed.container = String::new();
            let bare = Event { message: "Error: ErrImagePull".into(), ..failed.clone() };
            let with_event = Snapshot { pods: vec![pod], events: vec![failed, bare], ..Snapshot::default() };
            let without = Snapshot { events: Vec::new(), ..with_event.clone() };
            [with_event, without].map(|snapshot| {
                let all = crate::diagnose(&snapshot).incidents;
                all.iter().flat_map(|i| &i.affected.pods).map(|p| p.container.clone()).collect::<Vec<_>>()
            })
        };
        assert_eq!(pulls("r.example.com/data:9"), [["v"], ["v"]]);
        // Words of an image that no container has are the container's that waits.
        assert_eq!(pulls("r.example.com/data:8")[1], ["app", "side"]);
    }

    #[test]
    fn a_pull_that_went_well_counts_where_the_failure_comes_and_goes() {
        let failed = "Failed to pull image \"r.example.com/a:1\": failed to authorize: failed to fetch oauth token: unexpected status: 401 Unauthorized";
        let mut snapshot = Snapshot {
            events: vec![
                event("Pulling", "Pulling image \"r.example.com/a:1\"", "10:00:00"),
                event("Failed", failed, "10:00:01"),
                event("Pulled", "Successfully pulled image \"r.example.com/a:1\"", "10:01:00"),
            ],
            ..Snapshot::default()
        };
        assert!(crate::diagnose(&snapshot).incidents.is_empty());
        snapshot.outputs.push(CommandOutput {
            vantage: Vantage { client: "curl".into(), place: "probe".into() },
            node: None,
            command:
                "for i in 1 2 3; do curl -s -o /dev/null -w \"%{http_code} \" https://r.example.com/v2/; done"
                    .into(),
            text: "200 401 200\n".into(),
            origin: Origin { source: "probe/loop.txt".into(), line: 1 },
        });
        assert_eq!(crate::diagnose(&snapshot).incidents.len(), 1);
    }
}
