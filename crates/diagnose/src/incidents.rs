//! Verdicts into incidents: one for each cause and subject, however many pulls it hits.

use crate::case::Case;
use crate::comparison;
use crate::engine::{Outcome, Verdicts};
use crate::ladder;
use crate::pull::{Observation, Pull};
use crate::subject::Subject;
use report::{Affected, AffectedPod, Command, Evidence, Incident, Say};
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use vocabulary::{Cause, Confidence, Operation, Stage};

/// At most this many names are listed of each kind: all that a large cluster has. Forms for people show the first few.
const LISTED: usize = 100_000;
/// At most this many pieces of evidence are kept.
const EVIDENCE: usize = 12;
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

/// The pulls of one incident, by their numbers, and how sure each is.
type Members = Vec<(usize, Confidence)>;

/// Groups verdicts, and orders the incidents by pulls, then id.
pub fn group<'a>(case: &Case<'a>, pulls: &[Pull<'a>], mut verdicts: Verdicts) -> Vec<Incident> {
    let mut groups: BTreeMap<(Cause, Subject), Members> = BTreeMap::new();
    for (n, Outcome { cause, subject, confidence }) in
        std::mem::take(&mut verdicts.outcomes).into_iter().enumerate()
    {
        groups.entry((cause, subject)).or_default().push((n, confidence));
    }
    let mut incidents: Vec<_> = groups
        .into_iter()
        .filter_map(|((cause, subject), members)| {
            incident(case, pulls, &mut verdicts, cause, &subject, &members)
        })
        .collect();
    incidents.sort_by(|a, b| b.affected.pulls.cmp(&a.affected.pulls).then_with(|| a.id.cmp(&b.id)));
    incidents
}

fn incident<'a>(
    case: &Case<'a>,
    pulls: &[Pull<'a>],
    verdicts: &mut Verdicts,
    cause: Cause,
    subject: &Subject,
    members: &Members,
) -> Option<Incident> {
    let of_members: Vec<&Pull<'_>> = members.iter().filter_map(|(n, _)| pulls.get(*n)).collect();
    let affected = affected(&of_members);
    // The least sure member speaks for all: nobody is told more than was shown of each.
    let confidence = members.iter().map(|(_, c)| *c).min().unwrap_or(Confidence::Possible);
    let (spokesman, _) = members.iter().find(|(_, c)| *c == confidence)?;
    let pull = pulls.get(*spokesman)?;
    let verdict = verdicts.of(case, pulls, *spokesman)?;
    debug_assert_eq!((verdict.cause, &verdict.subject, verdict.confidence), (cause, subject, confidence));
    let deciding = pull.deciding();
    let mut evidence: Vec<Evidence> = deciding.map(observed).into_iter().collect();
    // An observer who says the same again, or only that it failed, adds nothing.
    let others = pull.observations.iter().skip(1).filter(|o| carries(o)).map(observed);
    let others: Vec<Evidence> =
        others.filter(|o| evidence.first().is_none_or(|first| first.says != o.says)).collect();
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
        title: title(cause, subject, pull),
        affected,
        evidence,
        ladder: ladder::rungs(case, pull),
        comparison: comparison::table(case, pull),
        ruled_out: verdict.ruled_out,
        also_possible: verdict.also_possible,
        next_test: verdict.next_test,
        remedies: verdict.remedies,
        verify: verify(case, pull),
    })
}

/// The rung at which the pull was seen to end: measured where a probe climbed, else where its words usually end.
fn ended_at(pull: &Pull<'_>) -> Stage {
    let measured = pull.deciding().and_then(|o| o.ladder).and_then(facts::Ladder::ended_at);
    measured.map_or_else(|| pull.symptom().stage(), |rung| rung.stage)
}

fn title(cause: Cause, subject: &Subject, pull: &Pull<'_>) -> Say {
    Say::new("incident-title")
        .with("cause", cause.id())
        .with("subject", subject.to_string())
        .with("image", pull.image.clone())
        .with("registry", pull.registry.clone())
        .with("host", pull.asked_host())
        .with("node", pull.node)
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
fn verify(_: &Case<'_>, pull: &Pull<'_>) -> Option<Command> {
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
