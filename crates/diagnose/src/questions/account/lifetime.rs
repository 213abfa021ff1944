//! Credentials that were right once: tokens with a lifetime, accounts that run out.

use super::{entry_in_use, known};
use crate::case::Case;
use crate::lines::told;
use crate::pull::Pull;
use crate::pull_secrets;
use crate::question::{Answer, Question, Seen, Test};
use crate::requests::Request;
use crate::subject::Subject;
use facts::{AuthEntry, Secret, Why};
use jiff::{SignedDuration, Timestamp};
use report::{Evidence, Say};
use vocabulary::Cause;

/// User names under which clouds hand out tokens, and the longest that one lives by default.
/// Sources: cloud.google.com/artifact-registry docker authentication (access tokens, one hour); AWS ECR
/// GetAuthorizationToken (twelve hours); Azure ACR token exchange (three hours); docs.gitlab.com CI/CD job token (its job).
const TOKEN_USERS: &[(&str, i64)] = &[
    ("oauth2accesstoken", 1),
    ("_dcgcloud_token", 1),
    ("_token", 1),
    ("AWS", 12),
    ("00000000-0000-0000-0000-000000000000", 3),
    ("gitlab-ci-token", 1),
];

/// When the pull failed: the last time, else the Snapshot's now.
pub(super) fn failed_at(case: &Case<'_>, pull: &Pull<'_>) -> Option<Timestamp> {
    pull.timeline.first_failed.or(pull.timeline.last_failed).or(case.snapshot.taken_at)
}

/// When the secret's content was last written, as far as its metadata tells.
pub(super) fn written(secret: &Secret) -> Option<Timestamp> {
    let of_data =
        |m: &&facts::FieldManager| m.fields.is_empty() || m.fields.iter().any(|f| f.contains("data"));
    let by_managers = secret.meta.managers.iter().filter(of_data).filter_map(|m| m.time).max();
    by_managers.max(secret.meta.created)
}

fn expired(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some((secret, entry)) = entry_in_use(case, pull, subject) else { return Seen::Blind(Why::NotAsked) };
    let Some(failed) = failed_at(case, pull) else { return Seen::Blind(Why::NotAsked) };
    if let Some(seen) = by_own_word(secret, entry, failed) {
        return seen;
    }
    if let Some(user) = &entry.user
        && let Some(seen) = by_registry(case, user, failed)
    {
        return seen;
    }
    by_answer(case, pull).unwrap_or_else(|| by_kind_of_token(secret, entry, failed))
}

/// The registry's own words in an answer to the request that the pull made, where the pull has the status alone.
fn by_answer(case: &Case<'_>, pull: &Pull<'_>) -> Option<Seen> {
    let asked = pull.reading()?;
    let (url, status) = (asked.url.as_deref()?, asked.status?);
    let same = |r: &&Request<'_>| {
        r.curl.url.split('?').next() == url.split('?').next() && r.curl.status() == Some(status)
    };
    let said =
        case.requests().iter().filter(same).find(|r| r.means().any(|c| c == Cause::CredentialsExpired));
    let says = Say::new("evidence-answer-says-expired").with("status", status.to_string());
    said.map(|r| Seen::Is(Answer::Stale, vec![r.shows(says)]))
}

/// The expiry as the token or the registry states it, where it has passed.
fn stated(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some((secret, entry)) = entry_in_use(case, pull, subject) else { return Seen::Blind(Why::NotAsked) };
    let Some(failed) = failed_at(case, pull) else { return Seen::Blind(Why::NotAsked) };
    let by_registry = || by_registry(case, entry.user.as_deref()?, failed);
    match by_own_word(secret, entry, failed).or_else(by_registry) {
        Some(seen @ Seen::Is(Answer::Stale, _)) => seen,
        _ => Seen::Blind(Why::NotAsked),
    }
}

fn by_own_word(secret: &Secret, entry: &AuthEntry, failed: Timestamp) -> Option<Seen> {
    let ends = entry.expires?;
    let evidence = Evidence {
        at: pull_secrets::entry_at(secret, entry),
        says: Say::new("evidence-token-ends").with("at", ends.to_string()).with("failed", failed.to_string()),
        quote: ends.to_string(),
    };
    Some(Seen::Is(if ends <= failed { Answer::Stale } else { Answer::No }, vec![evidence]))
}

fn by_registry(case: &Case<'_>, user: &str, failed: Timestamp) -> Option<Seen> {
    let account = known::accounts(case).iter().find(|a| a.name == user);
    if let Some(account) = account {
        let shown = |says: Say, quote: String| {
            let mut evidence = account.shown.clone();
            evidence.says = says;
            evidence.quote = quote;
            vec![evidence]
        };
        if let Some(ends) = account.expires {
            let says = Say::new("evidence-account-ends").with("name", user).with("at", ends.to_string());
            let answer = if ends <= failed { Answer::Stale } else { Answer::No };
            return Some(Seen::Is(answer, shown(says, format!("{user}: {ends}"))));
        }
        if account.over {
            let says = Say::new("evidence-registry-says-expired").with("name", user);
            return Some(Seen::Is(Answer::Stale, shown(says, format!("{user}: expired"))));
        }
    }
    let lines = case.lines_with(user);
    let line = lines.iter().find(|l| {
        let lower = l.text.to_ascii_lowercase();
        user.len() > 2 && says_expired(&lower) && !lower.contains("certificate")
    })?;
    Some(Seen::Is(
        Answer::Stale,
        vec![line.shows(Say::new("evidence-registry-says-expired").with("name", user))],
    ))
}

/// Whether a line in lower case says that something has expired. The name of a member or of a setting says nothing but what
/// stands behind it, and a denial is none.
fn says_expired(line: &str) -> bool {
    line.match_indices("expired").any(|(at, word)| {
        let (before, after) = (line[..at].trim_end(), &line[at + word.len()..]);
        let value = after.trim_start_matches(['"', '\'']).trim_start();
        let denied = ["not", "never", "isn't", "un"].iter().any(|d| before.ends_with(d));
        let is_member = before.ends_with(['"', '\'']) || value.starts_with('=');
        match value.strip_prefix([':', '=']).map(str::trim_start) {
            Some(value) if value.starts_with("true") => true,
            Some(value) if is_member || value.starts_with("false") => false,
            _ => !denied,
        }
    })
}

fn by_kind_of_token(secret: &Secret, entry: &AuthEntry, failed: Timestamp) -> Seen {
    let of_form = entry.password_hours.map(i64::from);
    let of_user = || {
        entry.user.as_deref().and_then(|u| TOKEN_USERS.iter().find(|(name, _)| *name == u)).map(|(_, h)| *h)
    };
    let hours = of_form.or_else(of_user);
    let (Some(hours), Some(written)) = (hours, written(secret)) else { return Seen::Blind(Why::NotAsked) };
    let age = failed.duration_since(written);
    let evidence = vec![
        Evidence {
            at: pull_secrets::entry_at(secret, entry),
            says: match of_form {
                Some(_) => Say::new("evidence-password-is-job-token").with("hours", hours.to_string()),
                None => Say::new("evidence-user-is-token")
                    .with("user", entry.user.clone().unwrap_or_default())
                    .with("hours", hours.to_string()),
            },
            quote: entry.user.clone().unwrap_or_default(),
        },
        Evidence {
            at: pull_secrets::secret_at(secret, "metadata.creationTimestamp"),
            says: Say::new("evidence-written-at")
                .with("at", written.to_string())
                .with("failed", failed.to_string()),
            quote: written.to_string(),
        },
    ];
    Seen::Is(if age > SignedDuration::from_hours(hours) { Answer::Stale } else { Answer::No }, evidence)
}

/// A pull from the same registry in the same namespace that worked while the credential was young.
pub(super) fn worked_before(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some((secret, _)) = entry_in_use(case, pull, subject) else { return Seen::Blind(Why::NotAsked) };
    let (Some(failed), Some(written)) = (failed_at(case, pull), written(secret)) else {
        return Seen::Blind(Why::NotAsked);
    };
    // A 403 may be the policy of one repository: that another one passed says nothing of it.
    let of_one = pull.reading().is_some_and(|r| r.status == Some(403));
    let same = |image: &str| {
        let ours = formats::reference::repository_of(&pull.image);
        formats::reference::registry_of(image).as_deref() == Some(&*pull.registry)
            && (!of_one || formats::reference::repository_of(image) == ours)
    };
    let worked = case.successes_in(pull.namespace).iter().find(|e| {
        let at = e.last.or(e.first);
        e.message.starts_with("Successfully pulled image")
            && at.is_some_and(|t| written <= t && t < failed)
            && e.message.split('"').nth(1).is_some_and(same)
    });
    match worked {
        Some(event) => {
            Seen::yes(told(event, Say::new("evidence-worked-before").with("registry", &*pull.registry)))
        }
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Had the credential run out when the pull failed?
pub static EXPIRED: Question = Question {
    id: "ask-credential-expired",
    ask: expired,
    test: Some(Test {
        cost: 3,
        vantage: "kubectl",
        command: |_, pull, _| format!("pullproof creds {} -n {} --check", pull.image, pull.namespace),
    }),
};

/// Does the token or the registry state an expiry that has passed?
pub static EXPIRY_STATED: Question = Question { id: "ask-expiry-stated", ask: stated, test: None };

/// Did it work while it was young?
pub static WORKED_BEFORE: Question =
    Question { id: "ask-credential-worked-before", ask: worked_before, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, at, entry, secret};

    const IMAGE: &str = "harbor.example.com/shop/web:1";

    fn about() -> Subject {
        Subject::Secret { namespace: "shop".into(), name: "regcred".into() }
    }

    fn scene(change: impl Fn(&mut Secret)) -> Scene {
        let mut s = secret("shop", "regcred", "harbor.example.com");
        change(&mut s);
        Scene::pod(IMAGE, &["regcred"]).secret(s)
    }

    #[test]
    fn a_token_says_when_it_ends() {
        let with = |clock| scene(|s| entry(s).expires = at(clock)).ask(&EXPIRED, &about());
        assert_eq!(with("09:00:00"), Some(Answer::Stale));
        assert_eq!(with("12:00:00"), Some(Answer::No));
    }

    #[test]
    fn a_clouds_token_user_has_a_lifetime() {
        let with = |user: &str, clock| {
            scene(|s| {
                entry(s).user = Some(user.into());
                s.meta.created = at(clock);
            })
            .ask(&EXPIRED, &about())
        };
        assert_eq!(with("oauth2accesstoken", "08:30:00"), Some(Answer::Stale));
        assert_eq!(with("oauth2accesstoken", "09:30:00"), Some(Answer::No));
        assert_eq!(with("AWS", "08:30:00"), Some(Answer::No));
        assert_eq!(with("puller", "08:30:00"), None);
    }

    #[test]
    fn a_secret_that_was_written_again_is_young() {
        let renewed = scene(|s| {
            entry(s).user = Some("oauth2accesstoken".into());
            s.meta.created = at("01:00:00");
            s.meta.managers.push(crate::testing::manager("renewer", "09:50:00"));
        });
        assert_eq!(renewed.ask(&EXPIRED, &about()), Some(Answer::No));
    }

    #[test]
    fn a_token_of_a_job_ends_with_it() {
        let asked = |created: &str, hours: Option<u8>| {
            let scene = scene(|s| {
                entry(s).password_hours = hours;
                s.meta.created = at(created);
            });
            scene.ask(&EXPIRED, &about())
        };
        assert_eq!(asked("01:00:00", Some(6)), Some(Answer::Stale));
        assert_eq!(asked("09:00:00", Some(6)), Some(Answer::No));
        assert_eq!(asked("01:00:00", None), None);
    }

    #[test]
    fn the_registry_knows_its_accounts_and_its_log_too() {
        let robots = |end: i64| {
            scene(|s| entry(s).user = Some("robot$puller".into())).document(
                facts::Place::Registry,
                "registry/robots.json",
                &format!(r#"[{{"name":"robot$puller","disable":false,"expires_at":{end}}}]"#),
            )
        };
        assert_eq!(robots(1_700_000_000).ask(&EXPIRED, &about()), Some(Answer::Stale));
        assert_eq!(robots(4_000_000_000).ask(&EXPIRED, &about()), Some(Answer::No));
        assert_eq!(robots(-1).ask(&EXPIRED, &about()), None);
        let logged = scene(|s| entry(s).user = Some("robot$puller".into())).document(
            facts::Place::Registry,
            "registry/core.log",
            "[ERROR] the robot account is expired: robot$puller",
        );
        assert_eq!(logged.ask(&EXPIRED, &about()), Some(Answer::Stale));
    }

    #[test]
    fn the_name_of_a_member_is_no_statement() {
        let token = |life: &str| {
            let list = format!(r#"[{{"id":7,"name":"pull","username":"token-7","revoked":false,{life}}}]"#);
            scene(|s| entry(s).user = Some("token-7".into()))
                .output("curl https://git.example.com/tokens", &list)
        };
        assert_eq!(token(r#""expires_at":null,"expired":false"#).ask(&EXPIRED, &about()), None);
        assert_eq!(token(r#""expires_at":null,"expired":true"#).ask(&EXPIRED, &about()), Some(Answer::Stale));
        let ends = r#""expires_at":"2026-11-01T00:00:00.000Z","expired":true"#;
        assert_eq!(token(ends).ask(&EXPIRED, &about()), Some(Answer::Stale));
        for (line, expected) in [
            ("token-7 expired=false", false),
            ("token-7: the secret has not expired", false),
            ("token-7 is expired: renew it", true),
            ("expired = true for token-7", true),
        ] {
            assert_eq!(says_expired(line), expected, "{line}");
        }
    }

    #[test]
    fn another_repositorys_success_says_nothing_of_a_403() {
        let asked = |status, image: &str| {
            let scene = scene(|s| s.meta.created = at("08:00:00"))
                .event("Pulled", &format!("Successfully pulled image \"{image}\" in 2s"))
                .change(|s| s.events[0].last = at("09:00:00"));
            let mut pull = scene.pull();
            let mut reading = (*pull.observations[0].reading).clone();
            reading.status = status;
            pull.observations[0].reading = std::rc::Rc::new(reading);
            matches!(
                (WORKED_BEFORE.ask)(&Case::new(&scene.snapshot), &pull, &about()),
                Seen::Is(Answer::Yes, _)
            )
        };
        let (own, other) = ("harbor.example.com/shop/web:0", "harbor.example.com/shop/other:1");
        assert!(asked(Some(401), own) && asked(Some(401), other) && asked(Some(403), own));
        assert!(!asked(Some(403), other));
    }

    #[test]
    fn an_earlier_success_counts_only_after_the_writing() {
        let with = |written, worked| {
            scene(|s| s.meta.created = at(written))
                .event("Pulled", "Successfully pulled image \"harbor.example.com/shop/other:1\" in 2s")
                .change(|s| s.events[0].last = at(worked))
                .ask(&WORKED_BEFORE, &about())
        };
        assert_eq!(with("08:00:00", "08:20:00"), Some(Answer::Yes));
        assert_eq!(with("08:00:00", "07:20:00"), None);
        assert_eq!(with("08:00:00", "11:20:00"), None);
    }
}
