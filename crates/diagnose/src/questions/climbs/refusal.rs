//! A refusal, rung by rung: whether the header arrived, the token's window, its realm, the method.

use super::{blind, has_failed, own, shows};
use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, Seen};
use facts::{Outcome, Rung, seen};
use report::Say;
use vocabulary::Stage;

/// Seconds by which clocks may differ without harm: registries allow some, and `Date` counts whole seconds.
const LEEWAY: i64 = 60;

/// `Yes` where a token that grants what was asked met an answer as if none had come: no error, the bare challenge again.
/// `No` where nothing was sent, or the answer speaks of what was sent.
pub fn authorization_dropped(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some(ladder) = own(case, pull) else { return blind() };
    let Some(refused) = ladder.rung(Stage::Authorization).filter(|r| has_failed(r)) else { return blind() };
    let sent: Vec<&str> = refused.all(seen::AUTHORIZATION_SENT).collect();
    if !sent.is_empty() && sent.iter().all(|s| *s == "none") {
        return Seen::no(shows(ladder, refused, Say::new("evidence-nothing-sent"), ""));
    }
    if let Some(error) = refused.fact(seen::CHALLENGE_ERROR) {
        return Seen::no(shows(ladder, refused, Say::new("evidence-answer-names-token"), error));
    }
    if let Some(accepted) = refused.all(seen::CREDENTIALS_OUTCOME).find(|o| o.starts_with("accepted")) {
        return Seen::no(shows(ladder, refused, Say::new("evidence-accepted-before"), accepted));
    }
    let token = ladder.rung(Stage::Token).filter(|r| r.fact(seen::TOKEN_SUFFICES) == Some("yes"));
    let unauthorized = refused.fact(seen::STATUS).is_some_and(|s| s.starts_with("401"));
    match (token, refused.fact(seen::CHALLENGE)) {
        (Some(token), Some(challenge)) if unauthorized && sent.contains(&"bearer") => {
            let grants = token.fact(seen::TOKEN_GRANTS).unwrap_or_default();
            Seen::Is(
                Answer::Yes,
                vec![
                    shows(ladder, token, Say::new("evidence-token-grants"), grants),
                    shows(ladder, refused, Say::new("evidence-bare-challenge"), challenge),
                ],
            )
        }
        _ => blind(),
    }
}

/// `No` where the refusal is the registry API's own: it names an error of the API, or of the token that was sent.
pub fn by_another_than_the_api(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let refused = own(case, pull).and_then(|l| Some((l, l.ended_at()?)));
    let Some((ladder, rung)) = refused else { return blind() };
    match rung.fact(seen::ERROR_CODE).or(rung.fact(seen::CHALLENGE_ERROR)) {
        Some(error) => {
            let says = Say::new("evidence-registry-answers").with("host", pull.asked_host());
            Seen::no(shows(ladder, rung, says, error))
        }
        None => blind(),
    }
}

/// `Yes` where the token's window does not hold the registry's own time, by the clock of the registry's answers; `No`
/// where it does, and where no token is in play.
pub fn window_missed(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some(ladder) = own(case, pull) else { return blind() };
    let Some(http) = ladder.rung(Stage::Http) else { return blind() };
    let Some(token) = ladder.rung(Stage::Token) else { return blind() };
    if token.outcome == Outcome::Skipped {
        return Seen::no(shows(ladder, token, Say::new("evidence-no-token-in-play"), ""));
    }
    let offset = http.fact(seen::CLOCK_OFFSET).and_then(|o| o.parse::<i64>().ok());
    let (Some(offset), Some(at)) = (offset, ladder.at) else { return blind() };
    let registry = at.as_second().saturating_add(offset);
    let time = |name: &str| -> Option<(i64, &str)> {
        let text = token.fact(name)?;
        Some((text.parse::<jiff::Timestamp>().ok()?.as_second(), text))
    };
    let early = time(seen::TOKEN_NOT_BEFORE).filter(|(at, _)| *at > registry + LEEWAY);
    let late = time(seen::TOKEN_EXPIRES).filter(|(at, _)| *at < registry - LEEWAY);
    let (key, (at, text)) = match (early, late, time(seen::TOKEN_EXPIRES)) {
        (Some(found), ..) => ("evidence-token-not-yet", found),
        (None, Some(found), _) => ("evidence-token-over", found),
        (None, None, Some((_, text))) => {
            return Seen::no(shows(ladder, token, Say::new("evidence-token-in-time"), text));
        }
        (None, None, None) => return blind(),
    };
    let Some(refused) = ladder.rung(Stage::Authorization).filter(|r| has_failed(r)) else { return blind() };
    let says = Say::new(key).with("seconds", (at - registry).abs().to_string());
    let error = refused.fact(seen::CHALLENGE_ERROR).unwrap_or_default();
    Seen::Is(
        Answer::Yes,
        vec![
            shows(ladder, token, says, text),
            shows(ladder, refused, Say::new("evidence-token-refused-by-registry"), error),
        ],
    )
}

/// `No` where the realm gave a token, and where no token was asked for. That a realm gives none has other reasons too.
pub fn realm_gives_none(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some(ladder) = own(case, pull) else { return blind() };
    match ladder.rung(Stage::Token) {
        Some(token) if token.outcome == Outcome::Passed => {
            Seen::no(shows(ladder, token, Say::new("evidence-realm-gives-tokens"), ""))
        }
        Some(token) if token.outcome == Outcome::Skipped => {
            Seen::no(shows(ladder, token, Say::new("evidence-no-token-in-play"), ""))
        }
        _ => blind(),
    }
}

/// Whether the registry refuses the token as such, whatever it is for.
pub fn token_invalid(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some(ladder) = own(case, pull) else { return blind() };
    let Some(refused) = ladder.rung(Stage::Authorization).filter(|r| has_failed(r)) else { return blind() };
    match refused.fact(seen::CHALLENGE_ERROR) {
        Some("invalid_token") => {
            Seen::yes(shows(ladder, refused, Say::new("evidence-token-refused-by-registry"), "invalid_token"))
        }
        Some(error) => Seen::no(shows(ladder, refused, Say::new("evidence-answer-names-token"), error)),
        None => blind(),
    }
}

/// Whether HEAD is refused for the manifest where GET passes. Both were asked of the same URL.
pub fn head_refused(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some(ladder) = own(case, pull) else { return blind() };
    let stages = [Stage::Authorization, Stage::Manifest];
    let asked: Vec<(&Rung, &str, &str)> = stages
        .iter()
        .filter_map(|stage| ladder.rung(*stage))
        .flat_map(|r| r.all(seen::REQUEST).zip(r.all(seen::STATUS)).map(move |(what, how)| (r, what, how)))
        .collect();
    let answer = |method: &str| {
        asked.iter().rev().find(|(_, what, _)| what.starts_with(method) && what.contains("/manifests/"))
    };
    let (Some((at, _, head)), Some((rung, _, get))) = (answer("HEAD "), answer("GET ")) else {
        return blind();
    };
    match (is_good(head), is_good(get)) {
        (false, true) => Seen::Is(
            Answer::Yes,
            vec![
                shows(ladder, at, Say::new("evidence-head-refused"), head),
                shows(ladder, rung, Say::new("evidence-get-passes"), get),
            ],
        ),
        _ => Seen::no(shows(ladder, rung, Say::new("evidence-get-is-answered-alike"), get)),
    }
}

fn is_good(status: &str) -> bool {
    status.starts_with('2')
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use vocabulary::Cause;

    fn says(seen: Seen) -> Option<Answer> {
        match seen {
            Seen::Is(answer, _) => Some(answer),
            Seen::Blind(_) => None,
        }
    }

    #[test]
    fn a_bare_challenge_after_a_good_token_is_told_from_a_refused_token() {
        let token = || rung(Stage::Token, Outcome::Passed, &[(seen::TOKEN_SUFFICES, "yes")]);
        let answer = |error: &str, sent: &str| {
            let mut facts = vec![
                (seen::STATUS, "401 Unauthorized"),
                (seen::AUTHORIZATION_SENT, sent),
                (seen::CHALLENGE, "Bearer"),
            ];
            if !error.is_empty() {
                facts.push((seen::CHALLENGE_ERROR, error));
            }
            says(with(vec![ladder(IMAGE, vec![token(), refused(&facts)])], authorization_dropped))
        };
        assert_eq!(answer("", "bearer"), Some(Answer::Yes));
        assert_eq!(answer("invalid_token", "bearer"), Some(Answer::No));
        assert_eq!(answer("", "none"), Some(Answer::No));
        assert_eq!(answer("", "basic"), None);
    }

    #[test]
    fn a_window_is_judged_by_the_registrys_clock() {
        let climbed = |offset: &str, nbf: &str, exp: &str| {
            ladder(
                IMAGE,
                vec![
                    rung(Stage::Http, Outcome::Passed, &[(seen::CLOCK_OFFSET, offset)]),
                    rung(
                        Stage::Token,
                        Outcome::Passed,
                        &[(seen::TOKEN_NOT_BEFORE, nbf), (seen::TOKEN_EXPIRES, exp)],
                    ),
                    refused(&[(seen::CHALLENGE_ERROR, "invalid_token")]),
                ],
            )
        };
        let asked = |offset, nbf, exp| says(with(vec![climbed(offset, nbf, exp)], window_missed));
        assert_eq!(asked("0", "2026-11-30T10:20:00Z", "2026-11-30T10:25:00Z"), Some(Answer::Yes));
        assert_eq!(asked("1200", "2026-11-30T10:20:00Z", "2026-11-30T10:25:00Z"), Some(Answer::No));
        assert_eq!(asked("1200", "2026-11-30T10:00:00Z", "2026-11-30T10:05:00Z"), Some(Answer::Yes));
        assert_eq!(asked("30", "2026-11-30T10:01:00Z", "2026-11-30T10:06:00Z"), Some(Answer::No));
        assert_eq!(asked("0", "soon", "later"), None);
    }

    #[test]
    fn methods_are_compared_at_the_manifest_alone() {
        let climbed = |head: &str, get: &str| {
            let facts = [
                (seen::REQUEST, "GET https://registry.example.com/v2/"),
                (seen::STATUS, "200 OK"),
                (seen::REQUEST, "HEAD https://registry.example.com/v2/team/app/manifests/1"),
                (seen::STATUS, head),
                (seen::REQUEST, "GET https://registry.example.com/v2/team/app/manifests/1"),
                (seen::STATUS, get),
            ];
            let refused = rung(Stage::Authorization, failed(Cause::AuthzDenied), &facts);
            says(with(vec![ladder(IMAGE, vec![refused])], head_refused))
        };
        assert_eq!(climbed("403 Forbidden", "200 OK"), Some(Answer::Yes));
        assert_eq!(climbed("403 Forbidden", "403 Forbidden"), Some(Answer::No));
    }
}
