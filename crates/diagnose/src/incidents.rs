//! Verdicts into incidents: one for each cause and subject, however many pulls it hits.

use crate::case::Case;
use crate::comparison;
use crate::engine::{Outcome, Verdicts};
use crate::ladder;
use crate::pull::{Observation, Pull};
use crate::shell;
use crate::subject::Subject;
use report::{Affected, AffectedPod, Command, Evidence, Incident, Say};
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use vocabulary::{Cause, Confidence, Operation, Stage};

/// At most this many names are listed of each kind: all that a large cluster has. Forms for people show the first few.
const LISTED: usize = 100_000;
/// At most this many pieces of evidence are kept.
const EVIDENCE: usize = 12;
/// At most this many nodes stand in a title.
const TITLED: usize = 3;
/// At most this many characters of a quoted text.
const QUOTE: usize = 600;

/// What a symptom concerns, where no root is shown: the thing that failing pulls of its stage have in common.
pub fn symptom_subject(cause: Cause, pull: &Pull<'_>) -> Subject {
    match cause.stage() {
        Stage::Dns | Stage::Connect | Stage::Tls | Stage::Http | Stage::Token => {
            Subject::Host(pull.asked_host().to_owned())
        }
        Stage::Authorization if cause.area() == "authz" => {
            Subject::Repository(formats::reference::repository_of(&pull.image))
        }
        Stage::Authorization | Stage::Credentials => Subject::Registry(pull.registry.clone()),
        Stage::Unpack | Stage::Runtime | Stage::Sandbox => Subject::Node(pull.node.to_owned()),
        Stage::Reference | Stage::Policy | Stage::Manifest | Stage::Platform | Stage::Blob | Stage::Other => {
            Subject::Image(pull.image.clone())
        }
    }
}

/// One pull of an incident, by its number, and what was concluded of it alone.
struct Member<'o> {
    n: usize,
    outcome: &'o Outcome,
    /// Whether it failed only because another member did: what could not be pushed cannot be pulled.
    follows: bool,
}

/// Groups verdicts, and orders the incidents by pulls, then id.
pub fn group<'a>(case: &Case<'a>, pulls: &[Pull<'a>], mut verdicts: Verdicts) -> Vec<Incident> {
    let outcomes = std::mem::take(&mut verdicts.outcomes);
    let mut groups: BTreeMap<(Cause, Subject), Vec<Member<'_>>> = BTreeMap::new();
    for (n, outcome) in outcomes.iter().enumerate() {
        let cause = outcome.after.and_then(|m| outcomes.get(m));
        let root = cause.unwrap_or(outcome);
        let member = Member { n, outcome, follows: cause.is_some() };
        groups.entry((root.cause, wide(&root.subject))).or_default().push(member);
    }
    let mut incidents: Vec<_> =
        groups.into_values().filter_map(|members| incident(case, pulls, &mut verdicts, &members)).collect();
    incidents.sort_by(|a, b| b.affected.pulls.cmp(&a.affected.pulls).then_with(|| a.id.cmp(&b.id)));
    incidents
}

/// One incident for all nodes that one cause concerns.
fn wide(subject: &Subject) -> Subject {
    match subject {
        Subject::Node(_) => Subject::Node(String::new()),
        other => other.clone(),
    }
}

fn incident<'a>(
    case: &Case<'a>,
    pulls: &[Pull<'a>],
    verdicts: &mut Verdicts,
    members: &[Member<'_>],
) -> Option<Incident> {
    let of_members: Vec<&Pull<'_>> = members.iter().filter_map(|m| pulls.get(m.n)).collect();
    let affected = affected(&of_members);
    // The least sure member speaks for all: nobody is told more than was shown of each.
    let own = || members.iter().filter(|m| !m.follows);
    let spokesman = own().min_by_key(|m| m.outcome.confidence)?;
    let confidence = members.iter().map(|m| m.outcome.confidence).min().unwrap_or(Confidence::Possible);
    let pull = pulls.get(spokesman.n)?;
    let cause = spokesman.outcome.cause;
    let all_one = own().all(|m| m.outcome.subject == spokesman.outcome.subject);
    let subject = if all_one { &spokesman.outcome.subject } else { &Subject::Cluster };
    let verdict = verdicts.of(case, pulls, spokesman.n)?;
    debug_assert_eq!((verdict.cause, verdict.confidence), (cause, spokesman.outcome.confidence));
    let deciding = pull.deciding();
    let mut evidence: Vec<Evidence> = deciding.map(observed).into_iter().collect();
    // An observer who says the same again, or only that it failed, adds nothing.
    let others = pull.observations.iter().skip(1).chain(&pull.earlier).filter(|o| carries(o)).map(observed);
    // What followed from it, as it showed.
    let after = members.iter().find(|m| m.follows).and_then(|m| pulls.get(m.n)?.deciding()).map(observed);
    let others: Vec<Evidence> =
        others.chain(after).filter(|o| evidence.first().is_none_or(|first| first.says != o.says)).collect();
    for piece in verdict.evidence.into_iter().chain(others) {
        let again = |e: &Evidence| *e == piece || e.says.key == OBSERVED && e.says == piece.says;
        if evidence.len() < EVIDENCE && !evidence.iter().any(again) {
            evidence.push(piece);
        }
    }
    Some(Incident {
        id: id(cause, subject),
        cause,
        stage: cause.stage(),
        ended_at: ended_at(pull),
        phase: pull.reading().and_then(|r| r.phase),
        operation: pull.operation,
        confidence,
        title: title(cause, subject, pull, &affected.nodes),
        affected,
        evidence,
        ladder: ladder::rungs(case, pull),
        comparison: comparison::table(case, pull),
        ruled_out: verdict.ruled_out,
        also_possible: verdict.also_possible,
        next_test: verdict.next_test,
        remedies: verdict.remedies,
        verify: verify(pull).or_else(|| of_members.iter().find_map(|p| verify(p))),
    })
}

/// The rung at which the pull was seen to end: measured where a probe climbed, else where its words usually end.
fn ended_at(pull: &Pull<'_>) -> Stage {
    let measured = pull.deciding().and_then(|o| o.ladder).and_then(facts::Ladder::ended_at);
    measured.map_or_else(|| pull.symptom().stage(), |rung| rung.stage)
}

fn title(cause: Cause, subject: &Subject, pull: &Pull<'_>, nodes: &[String]) -> Say {
    let node = match nodes {
        [] | [_] => pull.node.to_owned(),
        [.., _] if nodes.len() <= TITLED => nodes.join(", "),
        _ => format!("{}, +{}", nodes[..TITLED].join(", "), nodes.len() - TITLED),
    };
    Say::new("incident-title")
        .with("cause", cause.id())
        .with("subject", subject.to_string())
        .with("image", pull.image.clone())
        .with("registry", pull.registry.clone())
        .with("host", pull.asked_host())
        .with("node", node)
}

/// Whether an observation says why: a back-off line does not.
fn carries(o: &Observation<'_>) -> bool {
    !matches!(o.reading.cause, Cause::Unknown | Cause::NotAPullFailure)
}

/// The sentence that says who observed what.
const OBSERVED: &str = "evidence-observed";

fn observed(o: &Observation<'_>) -> Evidence {
    Evidence {
        at: o.at.clone(),
        says: Say::new(OBSERVED).with("vantage", o.vantage.to_string()).with("cause", o.reading.cause.id()),
        quote: o.text.chars().take(QUOTE).collect(),
    }
}

fn affected(members: &[&Pull<'_>]) -> Affected {
    let mut truncated = false;
    let mut pods: Vec<AffectedPod> = members
        .iter()
        .filter(|p| !p.pod_name.is_empty())
        .map(|p| AffectedPod {
            namespace: p.namespace.to_owned(),
            name: p.pod_name.to_owned(),
            container: p.container_name.to_owned(),
            node: p.node.to_owned(),
        })
        .collect();
    pods.sort();
    truncated |= pods.len() > LISTED;
    pods.truncate(LISTED);
    let mut names = |of: &dyn Fn(&Pull<'_>) -> String| -> Vec<String> {
        let all: BTreeSet<String> = members.iter().map(|p| of(p)).filter(|s| !s.is_empty()).collect();
        truncated |= all.len() > LISTED;
        all.into_iter().take(LISTED).collect()
    };
    let nodes = names(&|p| p.node.to_owned());
    let images = names(&|p| p.image.clone());
    let registries = names(&|p| p.registry.clone());
    Affected { pulls: members.len() as u64, pods, nodes, images, registries, truncated }
}

/// The command that proves the fix: a fresh pull, not a look at the old pod.
fn verify(pull: &Pull<'_>) -> Option<Command> {
    let pull = &*shell::pull(pull);
    if pull.is_probe() && !pull.image.is_empty() {
        let command = format!("pullproof probe {}", pull.image);
        return Some(Command { says: Say::new("verify-probe-again"), command });
    }
    if pull.image.is_empty() || pull.operation != Operation::Pull || pull.namespace.is_empty() {
        return None;
    }
    // A name of its own, pinned to the node and always pulled: an old pod in back-off, or an image already there, proves
    // nothing.
    let spec = match (pull.node, pull.pod.map(|p| p.service_account.as_str()).unwrap_or_default()) {
        ("", account) => account_field(account),
        (node, account) => {
            let rest = account_field(account);
            let comma = if rest.is_empty() { "" } else { "," };
            format!("\"nodeName\":\"{node}\"{comma}{rest}")
        }
    };
    let name = format!("fresh-pull-{}", pull.pod_name.chars().take(40).collect::<String>());
    Some(Command {
        says: Say::new("verify-fresh-pull"),
        command: format!(
            "kubectl run {name} -n {ns} --image={image} --image-pull-policy=Always --restart=Never \
             --overrides='{{\"spec\":{{{spec}}}}}' && kubectl get events -n {ns} -w --field-selector involvedObject.name={name}",
            ns = pull.namespace,
            image = pull.image,
        ),
    })
}

/// The service account of the pod, so that the fresh pull has the same pull secrets.
fn account_field(account: &str) -> String {
    if account.is_empty() { String::new() } else { format!("\"serviceAccountName\":\"{account}\"") }
}

/// A short hash of cause and scope: FNV-1a, whose value is the same on every machine and in every version.
fn id(cause: Cause, subject: &Subject) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in cause.id().bytes().chain([0]).chain(subject.to_string().bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use crate::testing::{Scene, at};
    use facts::{Origin, Sighting, Vantage};
    use report::Incident;
    use vocabulary::{Cause, Operation};

    const IMAGE: &str = "r.example.com/team/app:1";

    fn failed_push(image: &str, words: &str) -> Sighting {
        Sighting {
            vantage: Vantage { client: "skopeo".into(), place: "ci".into() },
            node: None,
            text: words.into(),
            image: image.into(),
            operation: Some(Operation::Push),
            at: at("09:00:00"),
            count: 1,
            origin: Origin { source: "ci/push.txt".into(), line: 3 },
        }
    }

    fn missing(pushes: Vec<Sighting>) -> Vec<Incident> {
        let words = format!(
            "Failed to pull image \"{IMAGE}\": rpc error: code = NotFound desc = failed to pull and unpack image \"{IMAGE}\": failed to resolve reference \"{IMAGE}\": {IMAGE}: not found"
        );
        let scene = Scene::pod(IMAGE, &[]).event("Failed", &words);
        crate::diagnose(&scene.change(|s| s.sightings = pushes).snapshot).incidents
    }

    #[test]
    fn a_failed_push_and_the_pull_of_what_was_pushed_are_one_incident() {
        let too_large = "writing blob: uploading layer chunked: StatusCode: 413, <html><title>413 Request Entity Too Large";
        let one = missing(vec![failed_push(IMAGE, too_large)]);
        assert_eq!(one.len(), 1, "{one:#?}");
        assert_eq!((one[0].cause, one[0].affected.pulls), (Cause::PushTooLarge, 2));
        assert_eq!(one[0].affected.pods.len(), 1);
        assert!(one[0].evidence.iter().any(|e| e.quote.contains("not found")), "how it shows");
        assert!(one[0].verify.is_some(), "the pull proves that it is mended");
        // A push of something else is a failure of its own.
        let two = missing(vec![failed_push("r.example.com/team/other:1", too_large)]);
        assert_eq!(two.len(), 2);
    }

    #[test]
    fn one_cause_on_several_nodes_is_one_incident() {
        let words = "Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox \"ab\": plugin type=\"bridge\" failed (add): failed to set bridge addr: could not add IP address";
        let mut scene = Scene::pod(IMAGE, &[]).event("FailedCreatePodSandBox", words);
        let (mut pod, mut event) = (scene.snapshot.pods[0].clone(), scene.snapshot.events[0].clone());
        pod.meta.name = "web-2".into();
        pod.node = "worker-2".into();
        event.name = "web-2".into();
        event.host = "worker-2".into();
        scene.snapshot.pods.push(pod);
        scene.snapshot.events.push(event);
        let incidents = crate::diagnose(&scene.snapshot).incidents;
        assert_eq!(incidents.len(), 1);
        assert_eq!(incidents[0].affected.nodes, ["worker-1", "worker-2"]);
        let node = incidents[0].title.args.iter().find(|(name, _)| *name == "node");
        assert_eq!(node.map(|(_, value)| value.as_str()), Some("worker-1, worker-2"));
    }
}
