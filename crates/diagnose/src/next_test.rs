//! The next test: the unanswered question with the least cost times worst-case survivors.

use crate::case::Case;
use crate::engine::Hypothesis;
use crate::pull::Pull;
use crate::question::Answer;
use crate::row::How;
use report::NextTest;
use vocabulary::Cause;

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

/// Whether a hypothesis would survive this answer; `None` where it does not care.
fn predicts(h: &Hypothesis, question: &str, answer: Answer) -> Option<bool> {
    let e = h.open.iter().find(|e| e.q.id == question && !matches!(e.how, How::Hint(_)))?;
    Some(e.allows.holds(answer))
}
