//! The next test: the unanswered question with the least cost times worst-case survivors.

use crate::case::Case;
use crate::engine::Hypothesis;
use crate::pull::Pull;
use crate::question::Answer;
use crate::row::How;
use report::{NextTest, Say};
use vocabulary::{Cause, Stage};

const ANSWERS: [Answer; 8] = [
    Answer::Yes,
    Answer::No,
    Answer::Missing,
    Answer::WrongKind,
    Answer::Elsewhere,
    Answer::Mismatch,
    Answer::Malformed,
    Answer::Stale,
];

/// Chooses among what the living hypotheses leave open.
pub fn choose(case: &Case<'_>, pull: &Pull<'_>, alive: &[&Hypothesis]) -> Option<NextTest> {
    let open = alive
        .iter()
        .flat_map(|h| h.open.iter().map(move |e| (h, *e)))
        .filter(|(_, e)| !matches!(e.how, How::Hint(_)));
    let best = open
        .filter_map(|(h, e)| {
            let test = e.q.test.as_ref()?;
            // A probe need not be told to probe.
            if pull.is_probe()
                && (test.command)(case, pull, &h.subject) == format!("pullproof probe {}", pull.image)
            {
                return None;
            }
            let worst = ANSWERS
                .iter()
                .filter(|a| alive.iter().any(|h| predicts(h, e.q.id, **a) == Some(true)))
                .map(|a| alive.iter().filter(|h| predicts(h, e.q.id, *a) != Some(false)).count())
                .max()?;
            Some((usize::from(test.cost) * worst.max(1), e.q.id, h, e))
        })
        .min_by_key(|(price, id, h, _)| (*price, *id, h.subject.clone()));
    let (_, id, h, e) = best?;
    let test = e.q.test.as_ref()?;
    let mut splits: Vec<Cause> =
        alive.iter().filter(|h| h.open.iter().any(|o| o.q.id == id)).map(|h| h.row.cause).collect();
    splits.sort_unstable();
    splits.dedup();
    Some(NextTest {
        asks: e.q.says(),
        vantage: test.vantage.to_owned(),
        command: (test.command)(case, pull, &h.subject),
        splits,
    })
}

/// Where no hypothesis is left to split: the test that shows most of what stands behind a symptom.
pub fn by_symptom(pull: &Pull<'_>, symptom: Cause) -> Option<NextTest> {
    let (key, vantage, command) = match symptom {
        Cause::Unknown | Cause::NotAPullFailure => return None,
        Cause::SandboxCni => ("ask-network-plugins", "node", "ls -l /etc/cni/net.d /opt/cni/bin".to_owned()),
        Cause::TlsCaFileUnreadable => {
            ("ask-node-endpoints", "node", format!("pullproof node {}", pull.image))
        }
        _ if symptom.stage() < Stage::Dns || symptom.stage() > Stage::Blob => return None,
        _ => ("ask-each-rung", "here", format!("pullproof probe {}", pull.image)),
    };
    let known = symptom == Cause::SandboxCni || !pull.image.is_empty();
    known.then(|| NextTest { asks: Say::new(key), vantage: vantage.to_owned(), command, splits: Vec::new() })
}

/// Whether a hypothesis would survive this answer; `None` where it does not care.
fn predicts(h: &Hypothesis, question: &str, answer: Answer) -> Option<bool> {
    let e = h.open.iter().find(|e| e.q.id == question && !matches!(e.how, How::Hint(_)))?;
    Some(e.allows.holds(answer))
}
