//! Redirects, as Go's client follows them: ten at most, without the authorization once the origin changes.

use crate::origin::{Origin, shown};
use crate::reach::{Climb, Line, reach, with_request};
use crate::trouble::Trouble;
use crate::wire::conversation::{Answer, Ask};
use facts::Ladder;
use url::Url;
use vocabulary::{Cause, Phase, Stage};

/// Go's limit.
const MOST: usize = 10;

/// The last answer, and what was met on the way to it.
pub(crate) struct Followed {
    pub(crate) answer: Answer,
    /// Where redirects led, one after the other, as they may be shown.
    pub(crate) hops: Vec<String>,
    /// Ladders to other origins.
    pub(crate) branches: Vec<Ladder>,
}

/// Why a redirect could not be followed: the trouble, and what was met before.
pub(crate) struct Lost {
    pub(crate) trouble: Trouble,
    pub(crate) hops: Vec<String>,
    pub(crate) branches: Vec<Ladder>,
}

/// Asks, and follows where the answers lead.
pub(crate) async fn follow(
    line: &mut Line,
    climb: Climb<'_>,
    ask: Ask<'_>,
    phase: Phase,
) -> Result<Followed, Lost> {
    let (mut hops, mut branches) = (Vec::new(), Vec::new());
    let mut elsewhere: Option<Line> = None;
    let mut target = ask.target.to_owned();
    let method = ask.method.clone();
    for _ in 0..=MOST {
        let current = elsewhere.as_mut().unwrap_or(line);
        let authorization = if hops.is_empty() || branches.is_empty() { ask.authorization } else { None };
        let here = current.conversation.origin.clone();
        let answer = match current.ask(climb, Ask { target: &target, authorization, ..ask.clone() }).await {
            Ok(answer) => answer,
            Err(trouble) => return Err(Lost { trouble, hops, branches }),
        };
        let Some(next) = answer.is_redirect().then(|| next(&here, &target, &answer)).flatten() else {
            return Ok(Followed { answer, hops, branches });
        };
        hops.push(shown(&next));
        let Some(origin) = Origin::of_url(&next) else {
            let words = format!("unsupported protocol scheme {:?}", next.scheme());
            let trouble = Trouble::new(Stage::Http, Cause::RegistryBadResponse, words);
            return Err(Lost { trouble: trouble.asking(method.as_str(), &shown(&next)), hops, branches });
        };
        target = path_and_query(&next);
        if origin != here {
            let mut reached = reach(climb, &origin).await;
            with_request(&mut reached.rungs, method.as_str(), &shown(&next));
            branches.push(Ladder {
                vantage: climb.request.vantage.clone(),
                phase,
                url: shown(&next),
                image: climb.request.image.clone(),
                at: Some(climb.around.now()),
                alternative: false,
                rungs: reached.rungs,
                branches: Vec::new(),
            });
            match reached.line {
                Ok(other) => elsewhere = Some(other),
                Err(trouble) => {
                    return Err(Lost {
                        trouble: trouble.asking(method.as_str(), &shown(&next)),
                        hops,
                        branches,
                    });
                }
            }
        }
    }
    let last = hops.last().cloned().unwrap_or_default();
    let trouble = Trouble::new(Stage::Http, Cause::RegistryRedirectLoop, "stopped after 10 redirects");
    Err(Lost { trouble: trouble.asking(method.as_str(), &last), hops, branches })
}

/// The URL that an answer redirects to.
pub(crate) fn next(here: &Origin, target: &str, answer: &Answer) -> Option<Url> {
    let base = Url::parse(&format!("{here}{target}")).ok()?;
    base.join(&answer.header("location")?).ok()
}

pub(crate) fn path_and_query(url: &Url) -> String {
    url.query().map_or_else(|| url.path().to_owned(), |query| format!("{}?{query}", url.path()))
}
