//! The engine: hypotheses, what rules them out, what shows them, and the verdict. It knows no cause by name.

use crate::case::Case;
use crate::likeness;
use crate::next_test::{self, Choice, NextClimb};
use crate::pull::Pull;
use crate::question::{Question, Seen};
use crate::row::{Expect, How, Row};
use crate::shell;
use crate::subject::Subject;
use facts::Why;
use report::{Evidence, NextTest, Possible, Remedy, RuledOut, Say};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use vocabulary::{Cause, Confidence, Operation, Stage};

/// At most this many other causes are named: more would be no help.
const ALSO_POSSIBLE: usize = 4;

/// What was concluded about one pull.
pub struct Verdict {
    /// The deepest cause that the evidence reaches.
    pub cause: Cause,
    /// What it concerns.
    pub subject: Subject,
    /// How sure.
    pub confidence: Confidence,
    /// What shows it, beside the observation itself.
    pub evidence: Vec<Evidence>,
    /// What a fact excludes.
    pub ruled_out: Vec<RuledOut>,
    /// What remains possible, best first.
    pub also_possible: Vec<Possible>,
    /// The test that would decide best.
    pub next_test: Option<NextTest>,
    /// The best test that this program may make itself.
    pub climb: Option<NextClimb>,
    /// What removes the cause.
    pub remedies: Vec<Remedy>,
}

/// One root cause with one subject, and how the facts treat it.
pub struct Hypothesis {
    /// The row.
    pub row: &'static Row,
    /// What it would concern.
    pub subject: Subject,
    state: State,
    score: i32,
    evidence: Vec<Evidence>,
    /// The predictions that no fact answered.
    pub open: Vec<&'static Expect>,
}

enum State {
    RuledOut(&'static Question, Vec<Evidence>),
    Alive,
    Shown,
    Decided,
}

impl Hypothesis {
    fn alive(&self) -> bool {
        !matches!(self.state, State::RuledOut(..))
    }

    fn shown(&self) -> bool {
        matches!(self.state, State::Shown | State::Decided)
    }

    /// Whether the other one is what this one shows as: a root may stand behind a root, as the controller that deletes
    /// a secret behind the secret that is missing.
    fn explains(&self, other: &Self) -> bool {
        self.row.cause != other.row.cause && self.row.shows_as.contains(&other.row.cause)
    }
}

/// Questions already answered, by question and subject; one for each pull, since answers depend on it.
struct Asked<'c, 'a> {
    case: &'c Case<'a>,
    pull: &'c Pull<'a>,
    known: RefCell<HashMap<(&'static str, Subject), Rc<Seen>>>,
}

impl Asked<'_, '_> {
    fn ask(&self, q: &'static Question, subject: &Subject) -> Rc<Seen> {
        let key = (q.id, subject.clone());
        if let Some(seen) = self.known.borrow().get(&key) {
            return Rc::clone(seen);
        }
        // An answer without evidence is no answer.
        let seen = match (q.ask)(self.case, self.pull, subject) {
            Seen::Is(_, evidence) if evidence.is_empty() => Seen::Blind(Why::NotAsked),
            seen => seen,
        };
        let seen = Rc::new(seen);
        self.known.borrow_mut().insert(key, Rc::clone(&seen));
        seen
    }
}

/// What a pull's verdict comes to for its incident.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The deepest cause that the evidence reaches.
    pub cause: Cause,
    /// What it concerns.
    pub subject: Subject,
    /// How sure.
    pub confidence: Confidence,
    /// The failing push whose words show it: what was never pushed cannot be pulled, so that both are one failure.
    pub after: Option<usize>,
}

/// The verdicts on all pulls; see [`judge`].
pub struct Verdicts {
    /// What each pull's verdict comes to, in their order.
    pub outcomes: Vec<Outcome>,
    weighed: BTreeMap<usize, Verdict>,
}

impl Verdicts {
    /// The whole verdict on one pull, which is weighed for it where only one like it was.
    pub fn of<'a>(&mut self, case: &Case<'a>, pulls: &[Pull<'a>], n: usize) -> Option<Verdict> {
        self.weighed.remove(&n).or_else(|| Some(verdict(case, pulls.get(n)?)))
    }
}

/// What would split the causes that remain best, of all that this program may ask itself: one climb for each kind of pull
/// at most.
pub fn climbs<'a>(case: &Case<'a>, pulls: &[Pull<'a>]) -> Vec<NextClimb> {
    let mut all: Vec<NextClimb> = judge(case, pulls).weighed.into_values().filter_map(|v| v.climb).collect();
    all.sort();
    all.dedup();
    all
}

/// Weighs every pull: those that no question can tell apart, once.
pub fn judge<'a>(case: &Case<'a>, pulls: &[Pull<'a>]) -> Verdicts {
    let found = |p: &Pull<'_>| (case.collection_of(p).unwrap_or_default().to_owned(), p.registry.clone());
    case.once.registries.get_or_init(|| pulls.iter().map(found).collect());
    judge_by(case, pulls, &likeness::first_alike(case, pulls))
}

/// The same, with the first pull that is like each.
pub fn judge_by<'a>(case: &Case<'a>, pulls: &[Pull<'a>], first_alike: &[usize]) -> Verdicts {
    let mut all = Verdicts { outcomes: Vec::new(), weighed: BTreeMap::new() };
    let is_push = |p: &(usize, &Pull<'_>)| p.1.operation == Operation::Push;
    let pushes: Vec<(usize, &Pull<'_>)> = pulls.iter().enumerate().filter(is_push).collect();
    for (pull, first) in pulls.iter().zip(first_alike) {
        let Some(speaker) = pulls.get(*first) else { continue };
        let verdict = all.weighed.entry(*first).or_insert_with(|| verdict(case, speaker));
        all.outcomes.push(Outcome {
            cause: verdict.cause,
            subject: verdict.subject.of_another(speaker, pull),
            confidence: verdict.confidence,
            after: (pull.operation != Operation::Push).then(|| told_by(&pushes, verdict)).flatten(),
        });
    }
    all
}

/// The push in whose words a verdict's evidence stands.
fn told_by(pushes: &[(usize, &Pull<'_>)], verdict: &Verdict) -> Option<usize> {
    let tells = |p: &Pull<'_>| verdict.evidence.iter().any(|e| p.observations.iter().any(|o| o.at == e.at));
    pushes.iter().find(|(_, p)| tells(p)).map(|(n, _)| *n)
}

fn verdict<'a>(case: &Case<'a>, pull: &Pull<'a>) -> Verdict {
    let asked = Asked { case, pull, known: RefCell::default() };
    let mut all: Vec<Hypothesis> = Vec::new();
    let end = climbed_to(case, pull);
    for row in rows_for(pull).filter(|row| applies(row, pull) && row.cause.stage() <= end) {
        all.extend((row.about)(case, pull).into_iter().map(|subject| weigh(&asked, row, subject)));
    }
    // Best first; the vocabulary's order settles a tie, so that the same facts give the same report.
    all.sort_by(|a, b| {
        rank(b)
            .cmp(&rank(a))
            .then_with(|| a.row.cause.cmp(&b.row.cause))
            .then_with(|| a.subject.cmp(&b.subject))
    });
    match deepest(&all) {
        Some(i) => {
            let winner = all.remove(i);
            // What the winner explains is true with it, and no rival of it.
            all.retain(|h| !winner.explains(h) || !h.alive());
            let rival_left = all.iter().any(|h| h.alive() && h.row.cause != winner.row.cause);
            // Who knows nothing of the failure but that there was one knows no rivals either.
            let told = pull.symptom() != Cause::Unknown;
            let sure = matches!(winner.state, State::Decided) || !rival_left && told;
            let confidence = if sure { Confidence::Confirmed } else { Confidence::Likely };
            let next = if sure {
                Choice::default()
            } else {
                next_test::choose(case, pull, &alive(&all, Some(&winner)))
            };
            let also_possible = if sure { Vec::new() } else { possible(pull, &all, Some(winner.row.cause)) };
            Verdict {
                cause: winner.row.cause,
                confidence,
                ruled_out: ruled_out(&all, winner.row.cause),
                next_test: next.test,
                climb: next.climb,
                remedies: (winner.row.remedy)(case, &shell::pull(pull), &shell::subject(&winner.subject)),
                also_possible,
                subject: winner.subject,
                evidence: winner.evidence,
            }
        }
        None => symptom_verdict(case, pull, &all),
    }
}

/// The best hypothesis that is shown and that no other shown one explains: a report names the deepest cause. `all` is
/// sorted, best first.
fn deepest(all: &[Hypothesis]) -> Option<usize> {
    let on_top = |h: &Hypothesis| !all.iter().any(|other| other.shown() && other.explains(h));
    all.iter().position(|h| h.shown() && on_top(h)).or_else(|| all.iter().position(Hypothesis::shown))
}

/// No root is shown by more than words: what the words say is reported, with what may stand behind it. Where they name
/// a root outright, that is the verdict.
fn symptom_verdict(case: &Case<'_>, pull: &Pull<'_>, all: &[Hypothesis]) -> Verdict {
    let cause = pull.symptom();
    let left = all.iter().any(|h| h.alive() && h.row.cause != cause);
    let words = pull.reading().map_or(Confidence::Possible, |r| r.confidence);
    let confidence = match words {
        _ if matches!(cause, Cause::Unknown) => Confidence::Possible,
        Confidence::Confirmed if !left || cause.is_root() => Confidence::Confirmed,
        _ => Confidence::Likely,
    };
    let stated = all.iter().find(|h| h.row.cause == cause && h.alive());
    let next = next_test::choose(case, pull, &alive(all, None));
    let sure = confidence == Confidence::Confirmed;
    Verdict {
        cause,
        subject: stated.map_or_else(|| crate::incidents::symptom_subject(cause, pull), |h| h.subject.clone()),
        confidence,
        evidence: Vec::new(),
        ruled_out: ruled_out(all, cause),
        also_possible: possible(pull, all, None),
        next_test: next.test.or_else(|| if sure { None } else { next_test::by_symptom(case, pull, cause) }),
        climb: next.climb.filter(|_| !sure),
        remedies: stated
            .map(|h| (h.row.remedy)(case, &shell::pull(pull), &shell::subject(&h.subject)))
            .unwrap_or_default(),
    }
}

/// The rows that can stand behind a pull: those of nodes and pods are none for a probe, which has neither.
fn rows_for(pull: &Pull<'_>) -> impl Iterator<Item = &'static Row> {
    let areas = if pull.is_probe() { crate::causes::OF_PROBES } else { crate::causes::ALL };
    areas.iter().flat_map(|area| area.iter())
}

/// The last stage at which a root can lie: where a probe measured that later rungs were not reached, none of theirs.
fn climbed_to(case: &Case<'_>, pull: &Pull<'_>) -> Stage {
    let own = case.snapshot.ladders.iter().filter(|l| pull.is_probe() && l.image == pull.image);
    own.filter_map(facts::Ladder::ended_at).map(|rung| rung.stage).next().unwrap_or(Stage::Other)
}

/// Whether a root can stand behind what was observed. Beside the deciding words, back-off lines say nothing, and the
/// kubelet's word on secrets that it could not retrieve says nothing of the attempt.
fn applies(row: &Row, pull: &Pull<'_>) -> bool {
    let silent = |c: Cause| matches!(c, Cause::Unknown | Cause::CredentialsSecretMissing);
    pull.observations.iter().enumerate().filter(|(n, o)| *n == 0 || !silent(o.reading.cause)).any(|(_, o)| {
        let r = &o.reading;
        let fits = |c: &Cause| row.cause == *c || row.shows_as.contains(c);
        fits(&r.cause) || r.also_possible.iter().any(fits)
    })
}

fn weigh(asked: &Asked<'_, '_>, row: &'static Row, subject: Subject) -> Hypothesis {
    let (mut score, mut needed, mut decided, mut assured) = (0, 0, false, true);
    let (mut evidence, mut open, mut any_proof) = (Vec::new(), Vec::new(), false);
    for expect in row.expects {
        any_proof |= matches!(expect.how, How::Proof | How::Decides);
        match (&*asked.ask(expect.q, &subject), expect.how) {
            (Seen::Is(answer, shows), How::Hint(weight)) => {
                let fits = expect.allows.holds(*answer);
                score += if fits { i32::from(weight) } else { -i32::from(weight) };
                if fits {
                    evidence.extend(shows.iter().cloned());
                }
            }
            (Seen::Is(answer, shows), how) if expect.allows.holds(*answer) => {
                score += if matches!(how, How::Must | How::Assures) { 3 } else { 10 };
                decided |= matches!(how, How::Decides | How::Settles);
                evidence.extend(shows.iter().cloned());
            }
            (Seen::Is(_, shows), _) => {
                let state = State::RuledOut(expect.q, shows.clone());
                return Hypothesis { row, subject, state, score: 0, evidence: Vec::new(), open: Vec::new() };
            }
            (Seen::Blind(_), how) => {
                needed += usize::from(matches!(how, How::Proof | How::Decides));
                assured &= how != How::Assures;
                open.push(expect);
            }
        }
    }
    let state = match (any_proof && needed == 0, decided && assured) {
        (true, true) => State::Decided,
        (true, false) => State::Shown,
        (false, _) => State::Alive,
    };
    Hypothesis { row, subject, state, score, evidence, open }
}

fn rank(h: &Hypothesis) -> (u8, i32) {
    let state = match h.state {
        State::Decided => 3,
        State::Shown => 2,
        State::Alive => 1,
        State::RuledOut(..) => 0,
    };
    (state, h.score)
}

fn alive<'h>(all: &'h [Hypothesis], winner: Option<&'h Hypothesis>) -> Vec<&'h Hypothesis> {
    winner.into_iter().chain(all.iter().filter(|h| h.alive())).collect()
}

fn possible(pull: &Pull<'_>, all: &[Hypothesis], winner: Option<Cause>) -> Vec<Possible> {
    let mut list: Vec<Possible> = Vec::new();
    let mut add = |cause: Cause, why: &'static str| {
        let new = Some(cause) != winner
            && (winner.is_some() || cause != pull.symptom())
            && list.iter().all(|p| p.cause != cause);
        if new && list.len() < ALSO_POSSIBLE {
            list.push(Possible { cause, why: Say::new(why) });
        }
    };
    for h in all.iter().filter(|h| h.alive() && (h.score > 0 || h.shown())) {
        add(h.row.cause, "possible-fits");
    }
    let out: Vec<Cause> = all.iter().filter(|h| !h.alive()).map(|h| h.row.cause).collect();
    for cause in pull.reading().map(|r| r.also_possible.clone()).unwrap_or_default() {
        if !out.contains(&cause) {
            add(cause, "possible-words");
        }
    }
    // Of those that nothing speaks for, a cause that shows as little else says more than one that shows as anything.
    let mut left: Vec<&Hypothesis> = all.iter().filter(|h| h.alive()).collect();
    left.sort_by_key(|h| (std::cmp::Reverse(h.score), h.row.shows_as.len()));
    for h in left {
        add(h.row.cause, "possible-not-excluded");
    }
    list
}

/// What the facts exclude: causes of which no hypothesis is left.
fn ruled_out(all: &[Hypothesis], winner: Cause) -> Vec<RuledOut> {
    let mut list: Vec<RuledOut> = Vec::new();
    for h in all {
        let State::RuledOut(q, evidence) = &h.state else { continue };
        let cause = h.row.cause;
        let other_left = all.iter().any(|o| o.row.cause == cause && o.alive());
        if cause != winner && !other_left && list.iter().all(|r| r.cause != cause) {
            list.push(RuledOut { cause, why: q.says(), evidence: evidence.clone() });
        }
    }
    list
}
