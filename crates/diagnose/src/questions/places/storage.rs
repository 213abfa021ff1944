//! Whether the registry lost what was pushed to it: it keeps it in a volume that ends with its pod, and it was
//! restarted after the image was there.

use super::artifacts;
use super::registry::{repository_there, tag_there};
use crate::case::Case;
use crate::lines::told;
use crate::naming::{names, names_image};
use crate::pull::Pull;
use crate::pushed;
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::hosts::{is_served_to_many, name_of, same_host};
use crate::requests::Request;
use crate::subject::Subject;
use facts::{Event, OtherObject, Why};
use formats::reference::{self, normalized, repository_of};
use jiff::Timestamp;
use report::{Evidence, Locator, Say};
use serde_json::Value;

/// Words in the names of programs that are registries.
const REGISTRIES: &[&str] =
    &["registry", "harbor", "nexus", "nexus3", "quay", "artifactory", "zot", "gitea", "distribution"];
/// Words that make something else of such a name: a registry of schemas, what is beside a registry.
const OTHERS: &[&str] = &["schema", "schemas", "ui", "operator", "proxy", "browser", "exporter", "cleaner"];

/// Whether a name is one of a program that keeps images: one of its words says so, and none says otherwise.
pub fn is_registry(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let has = |words: &[&str]| lower.split(|c: char| !c.is_ascii_alphanumeric()).any(|w| words.contains(&w));
    has(REGISTRIES) && !has(OTHERS)
}

/// Whether an image is a registry's: by its own name, not by the host that it comes from.
fn runs_registry(image: &str) -> bool {
    is_registry(repository_of(image).rsplit('/').next().unwrap_or_default())
}

/// Whether this object of a registry belongs to the one that was asked: it, or its namespace, bears the host's name, or
/// an object of its namespace gives out that host.
fn serves(case: &Case<'_>, object: &OtherObject, registry: &str) -> bool {
    let host = registry.split(':').next().unwrap_or_default();
    let label = host.split('.').next().unwrap_or_default();
    let gives_out = |o: &&OtherObject| {
        matches!(
            o.kind.as_str(),
            "Service" | "Ingress" | "Route" | "HTTPRoute" | "Gateway" | "VirtualService"
        ) && o.meta.namespace == object.meta.namespace
            && names(&o.json, host)
    };
    let words = |name: &str| name == label || name.split('-').any(|w| w == label);
    !label.is_empty() && (words(&object.meta.name) || words(&object.meta.namespace))
        || case.snapshot.others.iter().any(|o| gives_out(&o))
}

/// A workload that runs a registry and keeps its data on the disk of whatever node it is on.
fn on_its_node(object: &OtherObject) -> Option<Evidence> {
    let json: Value = serde_json::from_str(&object.json).ok()?;
    let spec = json.pointer("/spec/template/spec")?;
    let containers = spec.get("containers").and_then(Value::as_array)?;
    containers.iter().find(|c| c.get("image").and_then(Value::as_str).is_some_and(runs_registry))?;
    let pinned = spec.get("nodeName").is_some() || spec.get("nodeSelector").is_some();
    let volumes = spec.get("volumes").and_then(Value::as_array)?;
    let path = volumes.iter().find_map(|v| v.pointer("/hostPath/path")?.as_str()).filter(|_| !pinned)?;
    Some(Evidence {
        at: Locator::Object {
            kind: object.kind.clone(),
            namespace: object.meta.namespace.clone(),
            name: object.meta.name.clone(),
            field: "spec.template.spec.volumes".into(),
        },
        says: Say::new("evidence-registry-storage-ends-with-pod").with("volume", path),
        quote: format!("hostPath: {path}"),
    })
}

/// A registry on its node's own disk that came to another node after the image was known to be in it.
fn moved(case: &Case<'_>, pull: &Pull<'_>) -> Option<Seen> {
    let (workload, volume) = case.snapshot.others.iter().find_map(|o| Some((o, on_its_node(o)?)))?;
    let (since, image) = known_since(case, pull)?;
    let kept = |r: &Request<'_>| {
        same_host(r.curl.host(), &pull.registry)
            && r.curl.body.contains("\"repositories\"")
            && !is_empty_catalog(r)
    };
    if case.requests().iter().any(kept) {
        return None;
    }
    let of_it = |e: &&Event| {
        e.kind == "Pod" && e.namespace == workload.meta.namespace && e.name.starts_with(&workload.meta.name)
    };
    let node_of = |e: &Event| match e.message.strip_prefix("Successfully assigned ") {
        Some(rest) => rest.split_once(" to ").map(|(_, node)| node.to_owned()),
        None => Some(e.host.clone()).filter(|h| !h.is_empty()),
    };
    let of_pods: Vec<(&Event, String)> =
        case.snapshot.events.iter().filter(of_it).filter_map(|e| Some((e, node_of(e)?))).collect();
    let (event, at) = of_pods.iter().find_map(|(e, node)| {
        let at = e.first.or(e.last).filter(|at| e.reason == "Scheduled" && *at > since)?;
        of_pods.iter().any(|(o, other)| o.name != e.name && other != node).then_some((*e, at))
    })?;
    let came = told(event, Say::new("evidence-registry-moved").with("at", at.to_string()));
    let mut shown = vec![volume, came, image];
    let empty = empty_catalog(case, pull);
    let answer =
        if empty.is_some() && serves(case, workload, &pull.registry) { Answer::Yes } else { Answer::Stale };
    shown.extend(empty);
    Some(Seen::Is(answer, shown))
}

/// A workload that runs a registry and keeps its data in a volume that goes with the pod.
fn volatile(object: &OtherObject) -> Option<Evidence> {
    let json: Value = serde_json::from_str(&object.json).ok()?;
    let spec = json.pointer("/spec/template/spec")?;
    let containers = spec.get("containers").and_then(Value::as_array)?;
    let runs =
        containers.iter().find(|c| c.get("image").and_then(Value::as_str).is_some_and(runs_registry))?;
    let volumes = spec.get("volumes").and_then(Value::as_array).cloned().unwrap_or_default();
    let lasting = |v: &Value| {
        v.get("persistentVolumeClaim").is_some()
            || v.get("hostPath").is_some()
            || v.get("nfs").is_some()
            || v.get("csi").is_some()
    };
    let mounts = runs.get("volumeMounts").and_then(Value::as_array).cloned().unwrap_or_default();
    let mounted = |v: &&Value| {
        let name = v.get("name").and_then(Value::as_str);
        mounts.iter().any(|m| m.get("name").and_then(Value::as_str) == name)
    };
    let kept = object.json.contains("volumeClaimTemplates") || volumes.iter().filter(mounted).any(lasting);
    let passing = volumes.iter().filter(mounted).find(|v| v.get("emptyDir").is_some())?;
    if kept {
        return None;
    }
    let name = passing.get("name").and_then(Value::as_str).unwrap_or_default();
    Some(Evidence {
        at: Locator::Object {
            kind: object.kind.clone(),
            namespace: object.meta.namespace.clone(),
            name: object.meta.name.clone(),
            field: format!("spec.template.spec.volumes[{name}].emptyDir"),
        },
        says: Say::new("evidence-registry-storage-ends-with-pod").with("volume", name),
        quote: "emptyDir".into(),
    })
}

/// When the registry's pod began, where it is newer than something that shows the image.
fn restarted<'a>(case: &Case<'a>, registry: &OtherObject) -> Option<(Timestamp, Evidence)> {
    let of_it = case.snapshot.pods.iter().filter(|p| {
        p.meta.namespace == registry.meta.namespace && p.meta.name.starts_with(&registry.meta.name)
    });
    let youngest = of_it.filter_map(|p| Some((p, p.meta.created?))).max_by_key(|(_, at)| *at)?;
    let (pod, at) = youngest;
    Some((
        at,
        Evidence {
            at: Locator::Object {
                kind: "Pod".into(),
                namespace: pod.meta.namespace.clone(),
                name: pod.meta.name.clone(),
                field: "metadata.creationTimestamp".into(),
            },
            says: Say::new("evidence-registry-pod-began").with("at", at.to_string()),
            quote: at.to_string(),
        },
    ))
}

/// When the image is known to have been in the registry: an object that refers to it, or a pull that worked.
fn known_since(case: &Case<'_>, pull: &Pull<'_>) -> Option<(Timestamp, Evidence)> {
    let (repository, whole) = (repository_of(&pull.image), normalized(&pull.image));
    let by = whole.strip_prefix(&repository).map(|rest| rest.trim_start_matches([':', '@']));
    let by_object = case.snapshot.others.iter().filter(|o| {
        o.kind.contains("Image")
            && names_image(&o.json, &repository, None)
            && by.is_none_or(|by| names(&o.json, by) || o.json.contains(&format!("@{by}")))
    });
    let by_object = by_object.filter_map(|o| {
        let at = o.meta.created?;
        Some((
            at,
            Evidence {
                at: Locator::Object {
                    kind: o.kind.clone(),
                    namespace: o.meta.namespace.clone(),
                    name: o.meta.name.clone(),
                    field: "metadata.creationTimestamp".into(),
                },
                says: Say::new("evidence-image-known-since")
                    .with("image", &*pull.image)
                    .with("at", at.to_string()),
                quote: at.to_string(),
            },
        ))
    });
    let by_event = case.snapshot.events.iter().filter(|e| {
        e.reason == "Pulled"
            && e.message.starts_with("Successfully pulled")
            && e.message.split('"').nth(1).is_some_and(|i| reference::same(i, &pull.image))
    });
    let by_event = by_event.filter_map(|e| {
        let at = e.last.or(e.first)?;
        Some((
            at,
            told(
                e,
                Say::new("evidence-image-known-since").with("image", &*pull.image).with("at", at.to_string()),
            ),
        ))
    });
    let by_push = pushed::all(case).iter().filter(|p| reference::same(&p.image, &pull.image));
    let by_push = by_push.filter_map(|p| Some((p.at?, p.shows())));
    let by_own_word = artifacts::pushed(case, pull);
    by_object.chain(by_event).chain(by_push).chain(by_own_word).min_by_key(|(at, _)| *at)
}

/// What a registry keeps beside its images: a new claim for these loses none.
const BESIDE: &[&str] = &["redis", "database", "postgres", "trivy", "jobservice", "-db", "cache"];

/// A claim of a registry that is younger than an image which was in it: the volume was made anew.
fn replaced(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some((since, image)) = known_since(case, pull) else { return Seen::Blind(Why::NotAsked) };
    let of_registry = |o: &&OtherObject| {
        o.kind == "PersistentVolumeClaim"
            && (is_registry(&o.meta.name) || is_registry(&o.meta.namespace))
            && !BESIDE.iter().any(|w| o.meta.name.contains(w))
            && serves(case, o, &pull.registry)
    };
    let claims = case.snapshot.others.iter().filter(of_registry);
    let Some((claim, at)) = claims.filter_map(|o| Some((o, o.meta.created?))).find(|(_, at)| *at > since)
    else {
        return Seen::Blind(Why::NotAsked);
    };
    let made = Evidence {
        at: Locator::Object {
            kind: claim.kind.clone(),
            namespace: claim.meta.namespace.clone(),
            name: claim.meta.name.clone(),
            field: "metadata.creationTimestamp".into(),
        },
        says: Say::new("evidence-registry-volume-made").with("at", at.to_string()),
        quote: at.to_string(),
    };
    let gone = [repository_there(case, pull, subject), tag_there(case, pull, subject)]
        .into_iter()
        .find_map(|seen| if let Seen::Is(Answer::Missing, shown) = seen { Some(shown) } else { None });
    match gone {
        Some(gone) => Seen::Is(Answer::Yes, [vec![made, image], gone].concat()),
        None => Seen::Is(Answer::Stale, vec![made, image]),
    }
}

/// A registry whose volume ends with its pod.
pub struct Storage {
    /// The workload that runs it.
    workload: OtherObject,
    volume: Evidence,
    /// When its pod began.
    began: Option<(Timestamp, Evidence)>,
}

fn storage<'s>(case: &'s Case<'_>) -> Option<&'s Storage> {
    let find = || {
        let (registry, volume) = case.snapshot.others.iter().find_map(|o| Some((o, volatile(o)?)))?;
        Some(Storage { workload: registry.clone(), volume, began: restarted(case, registry) })
    };
    case.once.storage.get_or_init(find).as_ref()
}

fn lost(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    // The cluster's own registry is not the one that was asked.
    if is_served_to_many(&pull.registry) {
        return Seen::Blind(Why::NotAsked);
    }
    let Some(Storage { workload, volume, began }) = storage(case) else {
        return match replaced(case, pull, subject) {
            Seen::Blind(_) => moved(case, pull).unwrap_or_else(|| emptied(case, pull)),
            seen => seen,
        };
    };
    let volume = volume.clone();
    let Some((began, pod)) = began.clone() else {
        let mut shown = vec![volume];
        shown.extend(empty_catalog(case, pull));
        return Seen::Is(Answer::Stale, shown);
    };
    match known_since(case, pull) {
        Some((since, image)) if since < began && serves(case, workload, &pull.registry) => {
            Seen::Is(Answer::Yes, vec![volume, pod, image])
        }
        Some((since, image)) if since < began => Seen::Is(Answer::Stale, vec![volume, pod, image]),
        Some((_, image)) => Seen::Is(Answer::No, vec![pod, image]),
        None => Seen::Is(Answer::Stale, vec![volume, pod]),
    }
}

/// A registry that has nothing at all though the image was pushed to it, in a container that is shown to keep nothing. On
/// its own host it may be asked by another name, which shows less well that it is the one.
fn emptied(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let push = pushed::all(case).iter().find(|p| reference::same(&p.image, &pull.image));
    let own =
        |r: &&Request<'_>| matches!(name_of(r.curl.host()), "localhost" | "127.0.0.1") && is_empty_catalog(r);
    let by_itself = || case.requests().iter().find(own).map(|r| r.shows(Say::new("evidence-catalog-empty")));
    let by_name = empty_catalog(case, pull);
    let answer = if by_name.is_some() { Answer::Yes } else { Answer::Stale };
    let empty = by_name.or_else(by_itself);
    let unmounted = case.snapshot.outputs.iter().find_map(|o| {
        let asks = o.command.contains("inspect") && o.command.contains("Mounts") && is_registry(&o.command);
        let line = o.text.lines().find(|l| l.split_whitespace().any(|w| w == "[]"))?;
        asks.then(|| Evidence {
            at: crate::lines::output_at(o, o.origin.line),
            says: Say::new("evidence-registry-without-volume"),
            quote: line.trim().to_owned(),
        })
    });
    match (push, empty, unmounted) {
        (Some(push), Some(empty), Some(unmounted)) => Seen::Is(answer, vec![unmounted, empty, push.shows()]),
        _ => Seen::Blind(Why::NotAsked),
    }
}

fn is_empty_catalog(r: &Request<'_>) -> bool {
    r.curl.path().starts_with("/v2/_catalog") && r.curl.body.replace(' ', "").contains("\"repositories\":[]")
}

/// A registry that has nothing at all, as its own catalogue says.
fn empty_catalog(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let empty = |r: &&Request<'_>| same_host(r.curl.host(), &pull.registry) && is_empty_catalog(r);
    let found = case.requests().iter().find(empty)?;
    Some(found.shows(Say::new("evidence-catalog-empty")))
}

fn loss_seen(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match lost(case, pull, subject) {
        seen @ Seen::Is(Answer::Yes, _) => seen,
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// Was it restarted after the image was known to be there?
pub static LOSS_SEEN: Question = Question { id: "ask-registry-loss-seen", ask: loss_seen, test: None };

/// Did the registry lose its storage? `Stale` where it keeps it in a volume that ends with its pod, and nothing shows
/// when.
pub static STORAGE_LOST: Question = Question {
    id: "ask-registry-storage-lost",
    ask: lost,
    test: Some(Test {
        cost: 3,
        vantage: "kubectl",
        command: |_, _, _| {
            "kubectl get pods -A -o wide | grep -i registry; kubectl describe deploy -A | grep -iA3 emptydir"
                .into()
        },
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, at};
    use facts::{Meta, Pod};
    use vocabulary::Cause;

    const ANY: Subject = Subject::Cluster;

    #[test]
    fn a_registry_on_its_nodes_disk_that_moved_left_its_images_behind() {
        let asked = |nodes: [&str; 2], catalog: &str| {
            let event = |name: &str, reason: &str, message: String, host: &str, clock: &str| Event {
                kind: "Pod".into(),
                namespace: "infra".into(),
                name: name.into(),
                reason: reason.into(),
                message,
                host: host.into(),
                first: at(clock),
                ..Event::default()
            };
            let json = r#"{"spec":{"template":{"spec":{"containers":[{"image":"registry:2"}],"volumes":[{"name":"data","hostPath":{"path":"/srv"}}]}}}}"#;
            Scene::pod("registry.example.com/team/app:1", &[])
                .symptom(Cause::ManifestUnknown)
                .event("Pulled", "Successfully pulled image \"registry.example.com/team/app:1\" in 1s")
                .other("Deployment", "infra", "registry", json)
                .output("curl -sS https://registry.example.com/v2/_catalog", catalog)
                .change(|s| {
                    s.events[0].last = at("06:00:00");
                    let to = format!("Successfully assigned infra/registry-b to {}", nodes[1]);
                    s.events.push(event(
                        "registry-a",
                        "Killing",
                        "Stopping container".into(),
                        nodes[0],
                        "07:00:00",
                    ));
                    s.events.push(event("registry-b", "Scheduled", to, "", "07:00:01"));
                })
                .ask(&STORAGE_LOST, &ANY)
        };
        let empty = r#"{"repositories":[]}"#;
        assert_eq!(asked(["n1", "n2"], empty), Some(Answer::Yes));
        assert_eq!(asked(["n1", "n2"], r#"{"repositories":["a"]}"#), None);
        assert_eq!(asked(["n1", "n2"], ""), Some(Answer::Stale));
        assert_eq!(asked(["n1", "n1"], empty), None, "it came back to its disk");
    }

    fn scene(volume: &str, began: &str) -> Scene {
        let json = format!(
            r#"{{"spec":{{"template":{{"spec":{{"containers":[{{"image":"registry:2","volumeMounts":[{{"name":"data","mountPath":"/var/lib/registry"}}]}}],"volumes":[{{"name":"data",{volume}}}]}}}}}}}}"#
        );
        Scene::pod("registry.example.com/team/app:1", &[])
            .other("Deployment", "infra", "registry", &json)
            .change(|s| {
                s.pods.push(Pod {
                    meta: Meta {
                        namespace: "infra".into(),
                        name: "registry-7c9".into(),
                        created: at(began),
                        ..Meta::default()
                    },
                    ..Pod::default()
                });
            })
            .event("Pulled", "Successfully pulled image \"registry.example.com/team/app:1\" in 1s")
            .change(|s| s.events[0].last = at("08:00:00"))
    }

    #[test]
    fn a_volume_that_ends_with_the_pod_and_a_restart_after_the_push() {
        assert_eq!(scene("\"emptyDir\":{}", "09:00:00").ask(&STORAGE_LOST, &ANY), Some(Answer::Yes));
        assert_eq!(scene("\"emptyDir\":{}", "07:00:00").ask(&STORAGE_LOST, &ANY), Some(Answer::No));
        let lasting = "\"persistentVolumeClaim\":{\"claimName\":\"c\"}";
        assert_eq!(scene(lasting, "09:00:00").ask(&STORAGE_LOST, &ANY), None);
    }

    #[test]
    fn a_container_that_keeps_nothing_and_an_empty_list() {
        let pushed =
            "The push refers to repository [registry.example.com/team/app]\n1: digest: sha256:ab size: 9";
        let scene = |host: &str, mounts: &str, list: &str| {
            Scene::pod("registry.example.com/team/app:1", &[])
                .document(facts::Place::Ci, "ci/push.log", pushed)
                .output("docker inspect registry --format \"{{.Created}} {{json .Mounts}}\"", mounts)
                .output(&format!("curl -sS http://{host}/v2/_catalog"), list)
                .ask(&STORAGE_LOST, &ANY)
        };
        let empty = r#"{"repositories":[]}"#;
        let (own, local) = ("registry.example.com", "localhost:5000");
        assert_eq!(scene(own, "2026-11-30T09:00:00Z []", empty), Some(Answer::Yes));
        assert_eq!(scene(local, "2026-11-30T09:00:00Z []", empty), Some(Answer::Stale));
        assert_eq!(scene(local, "2026-11-30T09:00:00Z [{\"Type\":\"bind\"}]", empty), None);
        assert_eq!(scene(own, "2026-11-30T09:00:00Z []", r#"{"repositories":["team/app"]}"#), None);
    }

    #[test]
    fn a_claim_that_is_younger_than_the_push_and_an_empty_list() {
        let pushed = "2026-11-30T08:00:00Z The push refers to repository [registry.example.com/team/app]\n2026-11-30T08:00:09Z 1: digest: sha256:ab size: 9";
        let scene = |created: &str, claim: &str, list: &str| {
            Scene::pod("registry.example.com/team/app:1", &[])
                .symptom(Cause::ManifestUnknown)
                .document(facts::Place::Ci, "ci/push.log", pushed)
                .other("PersistentVolumeClaim", "registry", claim, "{}")
                .change(|s| s.others[0].meta.created = at(created))
                .output("curl -sS https://registry.example.com/v2/_catalog", list)
        };
        let empty = r#"{"repositories":[]}"#;
        let anew = scene("09:00:00", "registry-data", empty);
        assert_eq!(anew.verdict(), (Cause::RegistryStorageLost, vocabulary::Confidence::Confirmed));
        for other in [scene("07:00:00", "registry-data", empty), scene("09:00:00", "registry-redis", empty)] {
            assert_eq!(other.ask(&STORAGE_LOST, &ANY), None);
        }
        let there = scene("09:00:00", "registry-data", r#"{"repositories":["team/app"]}"#);
        assert_eq!(there.ask(&STORAGE_LOST, &ANY), Some(Answer::Stale));
    }

    #[test]
    fn only_the_registry_that_was_asked_can_have_lost_the_image() {
        let lost = |change: fn(&mut facts::Snapshot)| {
            scene("\"emptyDir\":{}", "09:00:00").change(change).ask(&STORAGE_LOST, &ANY)
        };
        assert_eq!(
            lost(|s| s.others[0].meta.name = "cache".into()),
            Some(Answer::Stale),
            "another one, maybe"
        );
        let web = |s: &mut facts::Snapshot| {
            s.others[0].json = s.others[0].json.replace("registry:2", "registry.example.com/team/app:1");
        };
        assert_eq!(lost(web), None, "an image that comes from a registry is none");
        let schemas = |s: &mut facts::Snapshot| {
            s.others[0].json = s.others[0].json.replace("registry:2", "confluent/schema-registry:7");
        };
        assert_eq!(lost(schemas), None);
        let other_tag = |s: &mut facts::Snapshot| {
            s.events[0].message = s.events[0].message.replace("app:1", "app:0");
        };
        assert_eq!(lost(other_tag), Some(Answer::Stale), "nothing says that this tag was there");
    }

    #[test]
    fn without_a_time_it_is_only_likely() {
        let scene = scene("\"emptyDir\":{}", "09:00:00").change(|s| s.events.clear());
        assert_eq!(scene.ask(&STORAGE_LOST, &ANY), Some(Answer::Stale));
    }
}
