//! The next test: the unanswered question with the least cost times worst-case survivors.

use crate::case::Case;
use crate::engine::Hypothesis;
use crate::pull::Pull;
use crate::question::Answer;
use crate::row::How;
use crate::shell;
use facts::{Ladder, seen};
use formats::reference::same;
use formats::transcript;
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

/// What splits the living hypotheses best.
#[derive(Default)]
pub struct Choice {
    /// The test for a person.
    pub test: Option<NextTest>,
    /// The best of those that this program may make itself, where one is left.
    pub climb: Option<NextClimb>,
}

/// A climb of the ladder from this machine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NextClimb {
    /// The image.
    pub image: String,
    /// Whether without credentials.
    pub anonymous: bool,
}

impl NextClimb {
    /// The climbs of a test's command, which is the one source of what is asked: the image's own, then the control's.
    fn of(command: &str) -> Vec<Self> {
        let words = transcript::command(command);
        let Some(("probe", rest)) = words.arguments.split_first().map(|(verb, rest)| (*verb, rest)) else {
            return Vec::new();
        };
        let anonymous = words.has("--anonymous");
        let image = rest.first().filter(|_| words.program == "pullproof").copied();
        let control = words.flag("--control").filter(|c| *c != CONTROL_IMAGE);
        let all = image.into_iter().chain(control).filter(|i| !i.is_empty() && *i != shell::IMAGE);
        all.map(|image| Self { image: image.to_owned(), anonymous }).collect()
    }

    /// Whether it was made, or tried: nothing is asked twice.
    fn is_done(&self, case: &Case<'_>) -> bool {
        let tried = format!("probe of {}", self.image);
        let signed = |l: &Ladder| {
            let rung = l.rung(Stage::Credentials);
            rung.is_some_and(|r| r.fact(seen::CREDENTIALS_USER).is_some())
        };
        let made = |l: &Ladder| same(&l.image, &self.image) && !(self.anonymous && signed(l));
        case.snapshot.ladders.iter().any(made) || case.snapshot.blind_spots.iter().any(|b| b.what == tried)
    }
}

/// Stands in a command for an image that whoever asks has to choose.
pub const CONTROL_IMAGE: &str = "CONTROL_IMAGE";

/// Chooses among what the living hypotheses leave open: the least cost times worst-case survivors.
pub fn choose(case: &Case<'_>, pull: &Pull<'_>, alive: &[&Hypothesis]) -> Choice {
    let open = alive
        .iter()
        .flat_map(|h| h.open.iter().map(move |e| (*h, *e)))
        .filter(|(_, e)| !matches!(e.how, How::Hint(_)));
    let mut priced: Vec<_> = open
        .filter_map(|(h, e)| {
            let test = e.q.test.as_ref()?;
            let worst = ANSWERS
                .iter()
                .filter(|a| alive.iter().any(|h| predicts(h, e.q.id, **a) == Some(true)))
                .map(|a| alive.iter().filter(|h| predicts(h, e.q.id, *a) != Some(false)).count())
                .max()?;
            Some((usize::from(test.cost) * worst.max(1), e.q.id, h, e.q, test))
        })
        .collect();
    priced.sort_by(|a, b| (a.0, a.1, &a.2.subject).cmp(&(b.0, b.1, &b.2.subject)));
    let mut choice = Choice::default();
    let spoken = shell::pull(pull);
    for (_, id, h, question, test) in priced {
        let command = (test.command)(case, &spoken, &shell::subject(&h.subject));
        let climbs = NextClimb::of(&command);
        let left = climbs.iter().find(|c| !c.is_done(case)).cloned();
        // What was climbed need not be climbed again, unless for a control that somebody has to name.
        let is_new = climbs.is_empty() || left.is_some() || command.contains(CONTROL_IMAGE);
        if choice.test.is_none() && is_new {
            let mut splits: Vec<Cause> =
                alive.iter().filter(|h| h.open.iter().any(|o| o.q.id == id)).map(|h| h.row.cause).collect();
            splits.sort_unstable();
            splits.dedup();
            let vantage = test.vantage.to_owned();
            choice.test = Some(NextTest { asks: question.says(), vantage, command, splits });
        }
        choice.climb = choice.climb.or(left);
        if choice.test.is_some() && choice.climb.is_some() {
            break;
        }
    }
    choice
}

/// Where no hypothesis is left to split: the test that shows most of what stands behind a symptom.
pub fn by_symptom(case: &Case<'_>, pull: &Pull<'_>, symptom: Cause) -> Option<NextTest> {
    let pull = &*shell::pull(pull);
    let (key, vantage, command) = match symptom {
        Cause::Unknown | Cause::NotAPullFailure => return None,
        Cause::SandboxCni => ("ask-network-plugins", "node", "ls -l /etc/cni/net.d /opt/cni/bin".to_owned()),
        Cause::TlsCaFileUnreadable => {
            ("ask-node-endpoints", "node", format!("pullproof node {}", pull.image))
        }
        // Whether it fails as it lies in the registry, or only on this node.
        Cause::StorageLayerCorrupt => {
            ("ask-pull-elsewhere", "node", format!("ctr images pull {}", pull.image))
        }
        _ if symptom.stage() < Stage::Dns || symptom.stage() > Stage::Blob => return None,
        _ => ("ask-each-rung", "here", format!("pullproof probe {}", pull.image)),
    };
    let known = symptom == Cause::SandboxCni || !pull.image.is_empty();
    let climbs = NextClimb::of(&command);
    let is_new = climbs.is_empty() || climbs.iter().any(|c| !c.is_done(case));
    (known && is_new).then(|| NextTest {
        asks: Say::new(key),
        vantage: vantage.to_owned(),
        command,
        splits: Vec::new(),
    })
}

/// Whether a hypothesis would survive this answer; `None` where it does not care.
fn predicts(h: &Hypothesis, question: &str, answer: Answer) -> Option<bool> {
    let e = h.open.iter().find(|e| e.q.id == question && !matches!(e.how, How::Hint(_)))?;
    Some(e.allows.holds(answer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::questions::climbs::testing::{IMAGE, account, ladder, refused, rung};
    use crate::testing::Scene;
    use facts::Outcome;

    #[test]
    fn a_command_says_what_is_climbed() {
        let of = |command: &str| {
            NextClimb::of(command).into_iter().map(|c| (c.image, c.anonymous)).collect::<Vec<_>>()
        };
        assert_eq!(of("pullproof probe r/a:1 --anonymous"), [("r/a:1".to_owned(), true)]);
        assert_eq!(of("pullproof probe r/a:1 --control r/b:2").len(), 2);
        assert_eq!(of("pullproof probe r/a:1 --control CONTROL_IMAGE").len(), 1);
        assert!(of("kubectl get secrets").is_empty() && of("pullproof creds r/a:1").is_empty());
    }

    #[test]
    fn climbs_go_on_until_nothing_is_left_to_ask() {
        let words = format!(
            "Failed to pull image \"{IMAGE}\": failed to resolve reference \"{IMAGE}\": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed"
        );
        let control = "registry.example.com/team/base:2";
        let mut scene = Scene::pod(IMAGE, &[])
            .event("Failed", &words)
            .event("Pulled", &format!("Successfully pulled image \"{control}\" in 1s"));
        let mut asked = Vec::new();
        for _ in 0..8 {
            for climb in crate::next_climbs(&scene.snapshot) {
                let nobody = || rung(Stage::Credentials, Outcome::Passed, &[]);
                let who = if climb.anonymous { nobody() } else { account("joe") };
                scene.snapshot.ladders.push(ladder(&climb.image, vec![who, refused(&[])]));
                asked.push((climb.image, climb.anonymous));
            }
        }
        asked.sort();
        let all = [(IMAGE.to_owned(), false), (IMAGE.to_owned(), true), (control.to_owned(), false)];
        assert_eq!(asked, all, "each once");
    }
}
