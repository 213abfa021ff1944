//! Authorization: the first request for the manifest, by HEAD, with what the token rung holds. What HEAD cannot say is
//! asked by GET, but never again with a credential that was refused.

use crate::credentials::Authorization;
use crate::judge::{self, About};
use crate::note::{Note, Step};
use crate::reach::{Climb, Line};
use crate::redirect::{self, Followed, Lost};
use crate::sight;
use crate::trouble::Trouble;
use crate::wire::conversation::{Answer, Ask};
use facts::{Ladder, seen};
use formats::manifest::ACCEPT;
use vocabulary::{Cause, Phase, Stage};

/// The largest manifest that is read: containerd's limit is 8 MiB.
pub(crate) const MOST_BYTES: usize = 8 * 1024 * 1024;

/// The registry let it in: its answers to both methods, as far as they were asked.
pub(crate) struct Entered {
    pub(crate) head: Answer,
    /// Asked here already, where HEAD was no success.
    pub(crate) get: Option<Answer>,
}

/// Asks for the manifest. `api` is `/v2/` where that asked for a password: there a password is proved alone, before
/// the repository can hide behind the same 401.
pub(crate) async fn climb(
    line: &mut Line,
    climb: Climb<'_>,
    api: Option<&str>,
    manifest: &str,
    authorization: Option<&Authorization>,
) -> (Step<Entered>, Vec<Ladder>) {
    let mut note = Note::of(Stage::Authorization);
    if let (Some(api), Some(Authorization::Basic { .. })) = (api, authorization)
        && let Some(trouble) = password_refused(line, climb, api, authorization, &mut note).await
    {
        return (note.failed(&trouble), Vec::new());
    }
    let ask = Ask { accept: Some(ACCEPT), authorization, ..Ask::head(manifest) };
    let (head, mut branches) = match followed(line, climb, ask, &mut note).await {
        Ok(done) => done,
        Err((trouble, branches)) => return (note.failed(&trouble), branches),
    };
    if head.is_success() {
        see_outcome(authorization, "accepted", &mut note);
        return (note.passed(Entered { head, get: None }), branches);
    }
    // Nothing more after 429, and no password a second time where it may be what was refused.
    let refused = head.status == 401 && matches!(authorization, Some(Authorization::Basic { .. }));
    if head.status == 429 || refused {
        return (ended(head, None, authorization, note), branches);
    }
    let ask = Ask { accept: Some(ACCEPT), authorization, ..Ask::get(manifest, MOST_BYTES) };
    match followed(line, climb, ask, &mut note).await {
        Ok((get, more)) => {
            branches.extend(more);
            (ended(head, Some(get), authorization, note), branches)
        }
        Err((trouble, more)) => {
            branches.extend(more);
            (note.failed(&trouble), branches)
        }
    }
}

/// Whether `/v2/` refuses the password, or answers nothing at all.
async fn password_refused(
    line: &mut Line,
    climb: Climb<'_>,
    api: &str,
    authorization: Option<&Authorization>,
    note: &mut Note,
) -> Option<Trouble> {
    let ask = Ask { authorization, ..Ask::get(api, 64 * 1024) };
    let answer = match line.ask(climb, ask).await {
        Ok(answer) => answer,
        Err(trouble) => return Some(trouble),
    };
    sight::see(&answer, note);
    match answer.status {
        401 => {
            see_outcome(authorization, "refused", note);
            let words =
                format!("unexpected status from GET request to {}: {}", answer.url, answer.status_line());
            Some(Trouble::new(Stage::Authorization, Cause::AuthBadCredentials, words))
        }
        429 => Some(judge::status(&answer, About::Api, Stage::Authorization)),
        _ => {
            if answer.is_success() {
                see_outcome(authorization, "accepted", note);
            }
            None
        }
    }
}

type Failed = (Trouble, Vec<Ladder>);

async fn followed(
    line: &mut Line,
    climb: Climb<'_>,
    ask: Ask<'_>,
    note: &mut Note,
) -> Result<(Answer, Vec<Ladder>), Failed> {
    match redirect::follow(line, climb, ask, Phase::Manifest).await {
        Ok(Followed { answer, hops, branches }) => {
            for hop in hops {
                note.see(seen::LOCATION, hop);
            }
            sight::see(&answer, note);
            Ok((answer, branches))
        }
        Err(Lost { trouble, hops, branches }) => {
            for hop in hops {
                note.see(seen::LOCATION, hop);
            }
            Err((trouble, branches))
        }
    }
}

fn ended(
    head: Answer,
    get: Option<Answer>,
    authorization: Option<&Authorization>,
    mut note: Note,
) -> Step<Entered> {
    let deciding = get.as_ref().unwrap_or(&head);
    match deciding.status {
        401 => {
            see_outcome(authorization, "refused", &mut note);
            note.failed(&unauthorized(&head, deciding, authorization))
        }
        403 => {
            see_outcome(authorization, "refused", &mut note);
            let mut trouble = judge::status(deciding, About::Manifest, Stage::Authorization);
            trouble.words = containerd_words(&head, &trouble.words);
            note.failed(&trouble)
        }
        // What they answer says nothing about who may ask.
        429 | 500..=599 => note.skipped(Entered { head, get }),
        _ => {
            see_outcome(authorization, "accepted", &mut note);
            note.passed(Entered { head, get })
        }
    }
}

fn see_outcome(authorization: Option<&Authorization>, word: &str, note: &mut Note) {
    if let Some(authorization) = authorization {
        note.see(seen::CREDENTIALS_OUTCOME, format!("{word} {}", authorization.scheme()));
    }
}

/// containerd asks by HEAD, and says so, whatever GET then gives.
fn containerd_words(head: &Answer, words: &str) -> String {
    let said = words.split_once('\n').map(|(_, message)| format!("\n{message}")).unwrap_or_default();
    format!("unexpected status from HEAD request to {}: {}{said}", head.url, head.status_line())
}

fn unauthorized(head: &Answer, deciding: &Answer, authorization: Option<&Authorization>) -> Trouble {
    let challenges = sight::challenges(deciding);
    let error = challenges.iter().find_map(|c| c.get("error")).unwrap_or_default();
    let asks_basic = challenges.iter().any(|c| c.is("basic")) && !challenges.iter().any(|c| c.is("bearer"));
    let denied = "pull access denied, repository does not exist or may require authorization";
    let plain = || containerd_words(head, "");
    let (symptom, words) = match (error, authorization) {
        ("insufficient_scope", _) => (
            Cause::AuthInsufficientScope,
            format!("{denied}: server message: insufficient_scope: authorization failed"),
        ),
        ("invalid_token", _) => (
            Cause::AuthTokenRejected,
            format!("{denied}: server message: invalid_token: authorization failed"),
        ),
        (_, None) if asks_basic => {
            (Cause::AuthNoCredentials, format!("{denied}: authorization failed: no basic auth credentials"))
        }
        // Refused here, though `/v2/` took the password, or has never been asked for it.
        _ => (Cause::AuthUnauthorized, plain()),
    };
    Trouble::new(Stage::Authorization, symptom, words)
}
