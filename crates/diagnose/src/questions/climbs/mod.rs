//! What a probe's ladders show beside each other, and from rung to rung: a control image, a token's window, a header
//! that did not arrive, an issuer that was not sent.
//!
//! These are answers for the questions of other files, which ask texts first or after; this leaves what they mean to
//! the rows.

use crate::case::Case;
use crate::pull::Pull;
use facts::{Ladder, Outcome, Rung, seen};
use report::{Evidence, Locator, Say};
use vocabulary::Stage;

/// The ladders that climbed for this pull's image, at the registry itself.
fn own<'a>(case: &Case<'a>, pull: &Pull<'_>) -> impl Iterator<Item = &'a Ladder> {
    let image = pull.image.clone();
    case.snapshot.ladders.iter().filter(move |l| formats::reference::same(&l.image, &image))
}

/// A rung as evidence.
fn shows(ladder: &Ladder, rung: &Rung, says: Say, quote: &str) -> Evidence {
    let at =
        Locator::Step { vantage: ladder.vantage.to_string(), url: ladder.url.clone(), stage: rung.stage };
    Evidence { at, says, quote: quote.to_owned() }
}

fn has_failed(rung: &Rung) -> bool {
    matches!(rung.outcome, Outcome::Failed { .. })
}

/// How the registry took the credentials: `accepted` or `refused`, where they were sent.
fn outcome<'l>(ladder: &'l Ladder, word: &str) -> Option<(&'l Rung, &'l str)> {
    let rung = ladder.rung(Stage::Authorization)?;
    let outcome = rung.fact(seen::CREDENTIALS_OUTCOME)?;
    outcome.starts_with(word).then_some((rung, outcome))
}

fn credentials(ladder: &Ladder) -> Option<(&str, &str)> {
    let rung = ladder.rung(Stage::Credentials)?;
    Some((rung.fact(seen::CREDENTIALS_USER)?, rung.fact(seen::CREDENTIALS_SOURCE)?))
}

/// The same registry let the same account pull another image, and refuses this one: the credentials are sound.
pub fn control(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    let registry = formats::reference::registry_of(&pull.image)?;
    let repository = formats::reference::repository_of(&pull.image);
    let (refused, rung, words) =
        own(case, pull).find_map(|l| outcome(l, "refused").map(|(rung, words)| (l, rung, words)))?;
    let passes = |l: &&Ladder| {
        formats::reference::registry_of(&l.image).as_deref() == Some(registry.as_str())
            && formats::reference::repository_of(&l.image) != repository
            && credentials(l).is_some()
            && credentials(l) == credentials(refused)
            && l.rung(Stage::Manifest).is_some_and(|r| r.outcome == Outcome::Passed)
    };
    let (control, accepted, accepted_words) = case
        .snapshot
        .ladders
        .iter()
        .filter(passes)
        .find_map(|l| outcome(l, "accepted").map(|(rung, words)| (l, rung, words)))?;
    Some(vec![
        shows(refused, rung, Say::new("evidence-refused-here").with("image", pull.image.clone()), words),
        shows(
            control,
            accepted,
            Say::new("evidence-control-passes").with("image", control.image.clone()),
            accepted_words,
        ),
    ])
}

/// Whether the registry has the repository, as its list of tags says.
pub fn repository(case: &Case<'_>, pull: &Pull<'_>) -> Option<(bool, Evidence)> {
    own(case, pull).find_map(|ladder| {
        let rung = ladder.rung(Stage::Manifest)?;
        let exists = rung.fact(seen::REPOSITORY_EXISTS)? == "yes";
        let key = if exists { "evidence-repository-is-there" } else { "evidence-repository-is-not-there" };
        let path = ladder.rung(Stage::Reference).and_then(|r| r.fact(seen::REPOSITORY)).unwrap_or_default();
        Some((exists, shows(ladder, rung, Say::new(key).with("repository", path), "")))
    })
}

/// A token that grants what was asked, and an answer as if none had come: no error, the bare challenge again.
pub fn authorization_dropped(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    own(case, pull).find_map(|ladder| {
        let token = ladder.rung(Stage::Token).filter(|r| r.fact(seen::TOKEN_SUFFICES) == Some("yes"))?;
        let refused = ladder.rung(Stage::Authorization).filter(|r| has_failed(r))?;
        let bare = refused.fact(seen::CHALLENGE).is_some() && refused.fact(seen::CHALLENGE_ERROR).is_none();
        let sent = refused.all(seen::AUTHORIZATION_SENT).any(|s| s == "bearer");
        let unauthorized = refused.fact(seen::STATUS).is_some_and(|s| s.starts_with("401"));
        (bare && sent && unauthorized).then(|| {
            let grants = token.fact(seen::TOKEN_GRANTS).unwrap_or_default();
            vec![
                shows(ladder, token, Say::new("evidence-token-grants"), grants),
                shows(
                    ladder,
                    refused,
                    Say::new("evidence-bare-challenge"),
                    refused.fact(seen::CHALLENGE).unwrap_or_default(),
                ),
            ]
        })
    })
}

/// A token whose window does not hold the registry's own time, by the clock of the registry's answers.
pub fn window_missed(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    own(case, pull).find_map(|ladder| {
        let refused = ladder.rung(Stage::Authorization).filter(|r| has_failed(r))?;
        let token = ladder.rung(Stage::Token)?;
        let offset: i64 = ladder.rung(Stage::Http)?.fact(seen::CLOCK_OFFSET)?.parse().ok()?;
        let registry = ladder.at?.as_second().saturating_add(offset);
        let time = |name: &str| -> Option<(i64, &str)> {
            let text = token.fact(name)?;
            Some((text.parse::<jiff::Timestamp>().ok()?.as_second(), text))
        };
        let early = time(seen::TOKEN_NOT_BEFORE).filter(|(at, _)| *at > registry + LEEWAY);
        let late = time(seen::TOKEN_EXPIRES).filter(|(at, _)| *at < registry - LEEWAY);
        let (key, (at, text)) = match (early, late) {
            (Some(found), _) => ("evidence-token-not-yet", found),
            (None, Some(found)) => ("evidence-token-over", found),
            (None, None) => return None,
        };
        let says = Say::new(key).with("seconds", (at - registry).abs().to_string());
        let error = refused.fact(seen::CHALLENGE_ERROR).unwrap_or_default();
        Some(vec![
            shows(ladder, token, says, text),
            shows(ladder, refused, Say::new("evidence-token-refused-by-registry"), error),
        ])
    })
}

/// Seconds by which clocks may differ without harm: registries allow some, and `Date` counts whole seconds.
const LEEWAY: i64 = 60;

/// A server's certificate alone, whose issuer is neither sent nor trusted, and which says where that can be had.
pub fn issuer_not_sent(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    own(case, pull).find_map(|ladder| {
        let rung = ladder.rung(Stage::Tls).filter(|r| has_failed(r))?;
        let missing = rung.fact(seen::CHAIN_MISSING_ISSUER)?;
        let alone = rung.fact(seen::CHAIN_LENGTH) == Some("1");
        let at = rung.fact(seen::CERTIFICATE_ISSUER_AT)?;
        alone.then(|| shows(ladder, rung, Say::new("evidence-leaf-alone").with("issuer", missing), at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, at};
    use facts::{Fact, Vantage};
    use vocabulary::{Cause, Phase};

    const IMAGE: &str = "registry.example.com/team/app:1";

    fn rung(stage: Stage, outcome: Outcome, facts: &[(&str, &str)]) -> Rung {
        let seen = facts.iter().map(|(n, v)| Fact { name: (*n).into(), value: (*v).into() }).collect();
        Rung { stage, outcome, took_ms: 1, seen }
    }

    fn failed(symptom: Cause) -> Outcome {
        Outcome::Failed { symptom, error: "401 Unauthorized".into() }
    }

    fn ladder(image: &str, rungs: Vec<Rung>) -> Ladder {
        Ladder {
            vantage: Vantage { client: "pullproof".into(), place: "laptop".into() },
            phase: Phase::Manifest,
            url: "https://registry.example.com/v2/".into(),
            image: image.into(),
            at: at("10:00:00"),
            rungs,
            branches: Vec::new(),
        }
    }

    fn account(user: &str) -> Rung {
        let facts = [(seen::CREDENTIALS_USER, user), (seen::CREDENTIALS_SOURCE, "config.json")];
        rung(Stage::Credentials, Outcome::Passed, &facts)
    }

    fn refused(facts: &[(&str, &str)]) -> Rung {
        rung(Stage::Authorization, failed(Cause::AuthUnauthorized), facts)
    }

    fn with<T>(ladders: Vec<Ladder>, ask: impl Fn(&Case<'_>, &Pull<'_>) -> T) -> T {
        let scene = Scene::pod(IMAGE, &[]).change(|s| s.ladders = ladders);
        ask(&Case::new(&scene.snapshot), &scene.pull())
    }

    #[test]
    fn a_control_counts_only_for_the_same_account() {
        let own = || {
            let refused = refused(&[(seen::CREDENTIALS_OUTCOME, "refused basic")]);
            ladder(IMAGE, vec![account("joe"), refused])
        };
        let other = |user: &str| {
            let accepted = [(seen::CREDENTIALS_OUTCOME, "accepted basic")];
            let rungs = vec![
                account(user),
                rung(Stage::Authorization, Outcome::Passed, &accepted),
                rung(Stage::Manifest, Outcome::Passed, &[]),
            ];
            ladder("registry.example.com/team/base:1", rungs)
        };
        assert_eq!(with(vec![own(), other("joe")], control).map(|e| e.len()), Some(2));
        assert_eq!(with(vec![own(), other("ann")], control), None);
        assert_eq!(with(vec![own()], control), None);
    }

    #[test]
    fn a_bare_challenge_after_a_good_token_is_told_from_a_refused_token() {
        let token = || rung(Stage::Token, Outcome::Passed, &[(seen::TOKEN_SUFFICES, "yes")]);
        let answer = |error: &str| {
            let mut facts = vec![
                (seen::STATUS, "401 Unauthorized"),
                (seen::AUTHORIZATION_SENT, "bearer"),
                (seen::CHALLENGE, "Bearer"),
            ];
            if !error.is_empty() {
                facts.push((seen::CHALLENGE_ERROR, error));
            }
            ladder(IMAGE, vec![token(), refused(&facts)])
        };
        assert!(with(vec![answer("")], authorization_dropped).is_some());
        assert!(with(vec![answer("invalid_token")], authorization_dropped).is_none());
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
        let asked = |offset, nbf, exp| with(vec![climbed(offset, nbf, exp)], window_missed).is_some();
        assert!(asked("0", "2026-11-30T10:20:00Z", "2026-11-30T10:25:00Z"));
        assert!(!asked("1200", "2026-11-30T10:20:00Z", "2026-11-30T10:25:00Z"));
        assert!(asked("1200", "2026-11-30T10:00:00Z", "2026-11-30T10:05:00Z"));
        assert!(!asked("30", "2026-11-30T10:01:00Z", "2026-11-30T10:06:00Z"));
    }
}
