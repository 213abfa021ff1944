//! Clocks: a node's own, the registry's, the token service's. Which one a flow consults is the row's business.

use crate::case::Case;
use crate::lines::Line;
use crate::pull::{Observation, Pull};
use crate::question::{Answer, PROBE, Question, Seen, Test};
use crate::questions::climbs;
use crate::questions::hosts::same_host;
use crate::questions::words::quote;
use crate::requests::Request;
use crate::subject::Subject;
use facts::{Event, NodeFacts, Why};
use formats::transcript::{line_time, when};
use jiff::Timestamp;
use report::{Evidence, Locator, Say};

/// Clocks that differ by no more than this many seconds are taken for the same: files are not all collected at once.
const SAME: i64 = 300;
/// What one input holds was collected within this many seconds, a day: less says nothing about a clock.
const COLLECTED_WITHIN: i64 = 86_400;

/// What a token service and a registry say when their clocks disagree about a token's window, in their programs' words
/// (golang-jwt, docker/libtrust, distribution token).
const WINDOW: &[&str] = &[
    "token is not valid yet",
    "token used before issued",
    "not to be used before",
    "Token used before",
    "issued in the future",
];

fn says(node: &NodeFacts) -> Option<Timestamp> {
    node.clock.seen().and_then(|c| c.says)
}

fn shows(node: &NodeFacts, key: &'static str, by: i64) -> Evidence {
    let clock = node.clock.seen();
    let quote = clock.and_then(|c| c.says).map(|t| t.to_string()).unwrap_or_default();
    Evidence {
        at: Locator::Output {
            vantage: node.name.clone(),
            command: "timedatectl".into(),
            source: String::new(),
            line: 0,
        },
        says: Say::new(key).with("node", node.name.clone()).with("seconds", by.to_string()),
        quote,
    }
}

/// What the words of a certificate check state: the node's time, and the limit that it missed.
struct Checked {
    own: Timestamp,
    limit: Timestamp,
    /// Whether the certificate had run out by then, or was not valid yet.
    too_late: bool,
}

/// `current time 2019-06-01T00:03:12Z is before 2026-02-01T00:00:00Z`. Source: Go crypto/x509 verify.go.
fn checked(text: &str) -> Option<Checked> {
    let mut words = text.split_once("current time ")?.1.split_whitespace();
    let own = words.next()?.parse().ok()?;
    let too_late = match (words.next()?, words.next()?) {
        ("is", "after") => true,
        ("is", "before") => false,
        _ => return None,
    };
    let limit = words.next()?.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()).parse().ok()?;
    Some(Checked { own, limit, too_late })
}

/// The end (or the beginning) of a certificate's validity that the words of a check state.
pub fn limit(text: &str) -> Option<Timestamp> {
    checked(text).map(|c| c.limit)
}

/// Whether a right clock would have found the certificate valid: else the clock is not why it was refused.
fn explains(pull: &Pull<'_>, right: Timestamp) -> bool {
    let stated = pull.observations.iter().find_map(|o| checked(o.text));
    stated.is_none_or(|c| if c.too_late { right < c.limit } else { right >= c.limit })
}

/// When the API server had the pod, and the event that has these words: attempts are repeated for days, so that no other
/// event says anything of the time of this one.
fn had(case: &Case<'_>, pull: &Pull<'_>, o: &Observation<'_>) -> Option<Timestamp> {
    let events = case.events_of(pull.namespace, pull.pod_name).iter();
    let own = events.filter(|e| e.message == o.text).filter_map(|e| e.meta.created);
    own.chain(pull.pod.and_then(|p| p.meta.created)).max()
}

/// The time by which the words that name the node's own are judged; see [`had`].
pub fn known_by(case: &Case<'_>, pull: &Pull<'_>) -> Option<Timestamp> {
    pull.observations.iter().find(|o| checked(o.text).is_some()).and_then(|o| had(case, pull, o))
}

/// The node says that it is earlier than the moment at which the API server had the pod, or its event, already: then its
/// clock is behind. Later proves nothing.
fn behind_the_cluster(case: &Case<'_>, pull: &Pull<'_>) -> Option<Seen> {
    let (o, stated) = pull.observations.iter().find_map(|o| Some((o, checked(o.text)?)))?;
    let known = had(case, pull, o)?;
    let by = known.as_second() - stated.own.as_second();
    let says = Say::new("evidence-node-clock-off").with("node", pull.node).with("seconds", by.to_string());
    (by > SAME && explains(pull, known)).then(|| Seen::yes(quote(o, says)))
}

/// The node says that it is later, by a day and more, than the moment at which the API server was told so: then its clock is
/// ahead. The words have the second of the attempt, so each attempt has an event of its own; one that combines several is
/// as old as the first of them (client-go tools/record/events_cache.go).
fn ahead_of_the_cluster(case: &Case<'_>, pull: &Pull<'_>) -> Option<Seen> {
    let events = case.events_of(pull.namespace, pull.pod_name);
    let (o, own, told) = pull.observations.iter().find_map(|o| {
        let single = |e: &&&Event| e.message == o.text && !e.message.starts_with("(combined from similar");
        Some((o, checked(o.text)?.own, events.iter().filter(single).filter_map(|e| e.meta.created).max()?))
    })?;
    let by = own.as_second() - told.as_second();
    let says = Say::new("evidence-node-clock-off").with("node", pull.node).with("seconds", by.to_string());
    (by > COLLECTED_WITHIN && explains(pull, told)).then(|| Seen::yes(quote(o, says)))
}

fn node_clock_off(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let against_cluster = || behind_the_cluster(case, pull).or_else(|| ahead_of_the_cluster(case, pull));
    let by_words = || against_cluster().unwrap_or(Seen::Blind(Why::NotAsked));
    let Some(node) = case.node_facts(pull.node) else { return by_words() };
    let Some(own) = says(node) else { return by_words() };
    if let Some(reference) = node.clock.seen().and_then(|c| c.reference) {
        return judged(pull, node, own, reference, SAME);
    }
    // Another node that says it is synchronised is the better clock; else the newest time in sight.
    let others = case.snapshot.node_facts.iter().filter(|n| n.name != node.name);
    let kept = others.filter(|n| n.clock.seen().and_then(|c| c.synchronized) != Some(false)).filter_map(says);
    // Those were read at another moment: only a node that is known to run free is held to the same minutes.
    let slack = match node.clock.seen().and_then(|c| c.synchronized) {
        Some(true) => i64::MAX,
        Some(false) => SAME,
        None => COLLECTED_WITHIN,
    };
    let others_say = kept.max();
    // The newest time of an input may be of another collection, made at another time: the API server had the pod when its
    // node's clock said about the same.
    let near = |t: Timestamp| (t.as_second() - own.as_second()).abs() < COLLECTED_WITHIN;
    if others_say.is_none() && api_times(case, pull).any(near) && !case.snapshot.taken_at.is_some_and(near) {
        return by_words();
    }
    match others_say.or(case.snapshot.taken_at) {
        Some(reference) => match judged(pull, node, own, reference, slack) {
            Seen::Blind(_) => by_words(),
            seen => seen,
        },
        None => by_words(),
    }
}

/// When the API server wrote what it has of the pull's pod.
fn api_times<'c>(case: &'c Case<'_>, pull: &'c Pull<'_>) -> impl Iterator<Item = Timestamp> + 'c {
    let events = case.events_of(pull.namespace, pull.pod_name).iter().filter_map(|e| e.meta.created);
    events.chain(pull.pod.and_then(|p| p.meta.created))
}

/// `Yes` where the clocks differ by more than the slack, and the difference explains what the words say.
fn judged(pull: &Pull<'_>, node: &NodeFacts, own: Timestamp, reference: Timestamp, slack: i64) -> Seen {
    let by = (own.as_second() - reference.as_second()).abs();
    if by <= SAME {
        Seen::no(shows(node, "evidence-node-clock-right", by))
    } else if by > slack && explains(pull, reference) {
        Seen::yes(shows(node, "evidence-node-clock-off", by))
    } else {
        Seen::Blind(Why::NotAsked)
    }
}

/// Is the node's clock wrong?
pub static NODE_CLOCK_OFF: Question = Question {
    id: "ask-node-clock",
    ask: node_clock_off,
    test: Some(Test { cost: 5, vantage: "node", command: |_, _, _| "timedatectl; date -u".into() }),
};

fn window_refused(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for words in WINDOW {
        if let Some(line) = case.lines_with(words).iter().find(|l| case.is_of_registry(l, pull)) {
            return Seen::yes(line.shows(Say::new("evidence-token-window")));
        }
    }
    issued_in_the_past(case, pull)
        .or_else(|| signed_late(case, pull))
        .unwrap_or_else(|| climbs::window_missed(case, pull))
}

/// Longer from the failure than this, a line of the registry's log is about another one.
const BESIDE: i64 = 3600;

/// Whether a line was written at the time of the failure.
pub fn is_beside(line: &Line<'_>, pull: &Pull<'_>) -> bool {
    let at = line_time(line.text);
    [pull.timeline.first_failed, pull.timeline.last_failed]
        .iter()
        .any(|t| at.zip(*t).is_some_and(|(a, t)| (a.as_second() - t.as_second()).abs() <= BESIDE))
}

/// The registry's own word on the window of a token, at the time of the failure.
fn window_logged(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let beside = |l: &&Line<'_>| case.is_of_registry(l, pull) && is_beside(l, pull);
    let line = WINDOW.iter().find_map(|words| case.lines_with(words).iter().find(beside).copied());
    line.map_or(Seen::Blind(Why::NotAsked), |l| Seen::yes(l.shows(Say::new("evidence-token-window"))))
}

/// Does the registry's log say so of the time of the failure?
pub static WINDOW_LOGGED: Question = Question { id: "ask-window-logged", ask: window_logged, test: None };

/// A client fetches a token when it is asked for one. At most this many seconds lie between the two.
const FRESH: i64 = 60;

/// A token that had run out when it was shown, though the registry had asked for it in that very minute: whoever issued it
/// is behind. Without that it may be an old one, which a client had kept.
/// Source: Distribution registry/auth/token/token.go (`Verify`), accesscontroller.go (`ErrTokenRequired`).
fn issued_in_the_past(case: &Case<'_>, pull: &Pull<'_>) -> Option<Seen> {
    let whole = formats::reference::repository_of(&pull.image);
    let (_, path) = whole.split_once('/')?;
    let challenges = case.lines_with("authorization token required");
    let run_out = case.lines_with("token not to be used after ");
    run_out.iter().find_map(|line| {
        let shown_at = line_time(line.text)?;
        let (_, rest) = line.text.split_once("token not to be used after ")?;
        let ended = when::read(rest.split(" - ").next()?)?;
        let by = shown_at.as_second() - ended.as_second();
        let just_before = |l: &&Line<'_>| {
            l.path() == line.path()
                && l.text.contains(path)
                && line_time(l.text)
                    .is_some_and(|t| (0..=FRESH).contains(&(shown_at.as_second() - t.as_second())))
        };
        let asked = challenges.iter().rfind(just_before).filter(|_| by > SAME)?;
        let minutes = (by / 60).to_string();
        let says = Say::new("evidence-token-run-out-when-fresh").with("minutes", minutes);
        let before = asked.shows(Say::new("evidence-challenged-just-before"));
        Some(Seen::Is(Answer::Yes, vec![line.shows(says), before]))
    })
}

/// An address that the registry signed for its blob store, run out when it was used, where the registry's clock is behind
/// the store's. Source: S3 error responses (`AccessDenied`, `Request has expired`, with `ServerTime`).
fn signed_late(case: &Case<'_>, pull: &Pull<'_>) -> Option<Seen> {
    let store = |r: &&Request<'_>| r.curl.body.contains("Request has expired");
    let refused = case.requests().iter().find(store)?;
    let theirs = refused.curl.body.split_once("<ServerTime>")?.1.split('<').next().and_then(when::read)?;
    let signs = |r: &&Request<'_>| {
        same_host(r.curl.host(), &pull.registry) && matches!(r.curl.status(), Some(302 | 303 | 307))
    };
    let (signer, own) = case
        .requests()
        .iter()
        .filter(signs)
        .find_map(|r| Some((r, r.curl.header("date").and_then(when::read)?)))?;
    let by = theirs.as_second() - own.as_second();
    (by > SAME).then(|| {
        let says = Say::new("evidence-signer-clock-behind").with("seconds", by.to_string());
        Seen::Is(Answer::Yes, vec![signer.shows(says), refused.shows(Say::new("evidence-signature-time"))])
    })
}

/// Did a registry say that a token's window does not fit its clock?
pub static WINDOW_REFUSED: Question = Question { id: "ask-token-window", ask: window_refused, test: PROBE };

/// How services that check signed requests say that the time of one is off. Source: AWS Signature Version 4, Alibaba
/// Cloud and S3 error lists.
const SIGNED: &[&str] = &[
    "Signature not yet current",
    "Signature expired",
    "RequestTimeTooSkewed",
    "RequestExpired",
    "InvalidTimeStamp.Expired",
];

fn signature_off(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let here =
        |l: &&Line<'_>| l.node().is_none_or(|n| n.is_empty() || pull.node.is_empty() || n == pull.node);
    for words in SIGNED {
        if let Some(line) = case.lines_with(words).iter().find(here) {
            return Seen::yes(line.shows(Say::new("evidence-signature-time")));
        }
    }
    Seen::Blind(Why::NotAsked)
}

/// Was a signed request of the node refused for its time?
pub static SIGNATURE_OFF: Question = Question { id: "ask-signature-time", ask: signature_off, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, at};
    use facts::{Clock, Observed, Place};

    fn clock(name: &str, says: &str, synchronized: bool) -> NodeFacts {
        let clock = Clock { says: at(says), reference: None, synchronized: Some(synchronized) };
        NodeFacts {
            name: name.into(),
            name_given: true,
            clock: Observed::Seen(clock),
            ..NodeFacts::default()
        }
    }

    fn asked(own: &str, other: &str) -> Option<Answer> {
        let scene = Scene::pod("r.example.com/a:1", &[]).change(|s| {
            s.node_facts = vec![clock("worker-1", own, false), clock("worker-2", other, true)];
        });
        scene.ask(&NODE_CLOCK_OFF, &Subject::Cluster)
    }

    #[test]
    fn an_address_that_had_run_out_when_it_was_signed_shows_a_late_clock() {
        let with = |date: &str| {
            Scene::pod("r.example.com/a:1", &[])
                .output(
                    "curl -sSI https://r.example.com/v2/a/blobs/sha256:ab",
                    &format!("HTTP/2 307\ndate: {date}\nlocation: https://s3.example.net/a?X-Amz-Expires=1200\n"),
                )
                .output(
                    "curl -sS -i https://s3.example.net/a?X-Amz-Expires=1200",
                    "HTTP/1.1 403 Forbidden\n\n<Error><Code>AccessDenied</Code><Message>Request has expired</Message><ServerTime>2026-11-30T10:05:00Z</ServerTime></Error>",
                )
                .ask(&WINDOW_REFUSED, &Subject::Cluster)
        };
        assert_eq!(with("Mon, 30 Nov 2026 09:34:00 GMT"), Some(Answer::Yes));
        assert_eq!(with("Mon, 30 Nov 2026 10:04:50 GMT"), None, "an old address by a right clock");
    }

    #[test]
    fn a_clock_is_judged_by_one_that_is_kept() {
        assert_eq!(asked("08:00:00", "10:00:00"), Some(Answer::Yes));
        assert_eq!(asked("10:01:00", "10:00:00"), Some(Answer::No));
        assert_eq!(Scene::pod("r.example.com/a:1", &[]).ask(&NODE_CLOCK_OFF, &Subject::Cluster), None);
    }

    #[test]
    fn a_node_that_is_earlier_than_its_pod_is_behind() {
        let asked = |time: &str| {
            let words = format!(
                "x509: certificate has expired or is not yet valid: current time {time} is before 2026-02-01T00:00:00Z"
            );
            Scene::pod("r.example.com/a:1", &[]).words(&words).ask(&NODE_CLOCK_OFF, &Subject::Cluster)
        };
        assert_eq!(asked("2019-06-01T00:03:12Z"), Some(Answer::Yes));
        assert_eq!(asked("2026-11-30T10:04:00Z"), None);
        assert_eq!(asked("2031-01-01T00:00:00Z"), None);
    }

    #[test]
    fn a_node_that_is_years_later_than_the_event_of_its_own_words_is_ahead() {
        let asked = |time: &str, limit: &str, combined: &str| {
            let words = format!(
                "{combined}Failed to pull image: x509: certificate has expired or is not yet valid: current time {time} is after {limit}"
            );
            let scene = Scene::pod("r.example.com/a:1", &[]).words(&words).event("Failed", &words);
            let scene = scene.change(|s| s.events[0].meta.created = at("10:01:00"));
            scene.ask(&NODE_CLOCK_OFF, &Subject::Cluster)
        };
        let (later, valid) = ("2046-11-25T10:00:59Z", "2036-11-27T00:00:00Z");
        assert_eq!(asked(later, valid, ""), Some(Answer::Yes));
        assert_eq!(
            asked(later, valid, "(combined from similar events): "),
            None,
            "it is as old as the first of them"
        );
        assert_eq!(asked("2026-11-30T10:00:59Z", "2026-11-01T00:00:00Z", ""), None, "the clock is right");
        assert_eq!(asked(later, "2026-11-01T00:00:00Z", ""), None, "expired by either clock");
    }

    #[test]
    fn collected_at_another_time_is_no_other_clock() {
        let words = |limit: &str| {
            format!(
                "x509: certificate has expired or is not yet valid: current time 2026-11-30T10:05:10Z is {limit}"
            )
        };
        let scene = |own: Option<bool>, limit: &str| {
            Scene::pod("r.example.com/a:1", &[]).words(&words(limit)).change(|s| {
                s.node_facts =
                    vec![clock("worker-1", "10:05:30", false), clock("worker-2", "12:00:00", true)];
                if let Observed::Seen(clock) = &mut s.node_facts[0].clock {
                    clock.synchronized = own;
                }
            })
        };
        let asked = |own, limit: &str| scene(own, limit).ask(&NODE_CLOCK_OFF, &Subject::Cluster);
        let not_yet = "before 2026-11-30T11:00:00Z";
        assert_eq!(
            asked(Some(false), not_yet),
            Some(Answer::Yes),
            "it runs free, and that explains the words"
        );
        assert_eq!(asked(Some(false), "after 2026-11-01T00:00:00Z"), None, "expired by either clock");
        assert_eq!(asked(None, not_yet), None, "read two hours apart");
        assert_eq!(asked(Some(true), not_yet), None, "it is synchronised");
    }

    #[test]
    fn a_later_event_says_nothing_of_the_time_of_this_one() {
        let words = "x509: certificate has expired or is not yet valid: current time 2026-11-30T10:05:10Z is before 2026-11-30T11:00:00Z";
        let scene = |message: &str| {
            let scene = Scene::pod("r.example.com/a:1", &[]).words(words).event("Failed", message);
            scene.change(|s| s.events[0].meta.created = at("12:00:00"))
        };
        assert_eq!(scene(words).ask(&NODE_CLOCK_OFF, &Subject::Cluster), Some(Answer::Yes));
        assert_eq!(scene("Back-off pulling image").ask(&NODE_CLOCK_OFF, &Subject::Cluster), None);
    }

    #[test]
    fn a_registrys_log_may_speak_of_the_window() {
        let scene = Scene::pod("r.example.com/a:1", &[]);
        assert_eq!(scene.ask(&WINDOW_REFUSED, &Subject::Cluster), None);
        let scene = scene.document(
            Place::Registry,
            "registry/core.log",
            "[ERROR] parse token error, token is not valid yet",
        );
        assert_eq!(scene.ask(&WINDOW_REFUSED, &Subject::Cluster), Some(Answer::Yes));
    }

    #[test]
    fn a_token_that_is_fresh_and_has_run_out_shows_an_issuer_that_is_behind() {
        let asked = |challenged: &str, ended: &str| {
            let log = format!(
                "time=\"2026-11-30T{challenged}Z\" level=warning msg=\"error authorizing context: authorization token required\" vars.name=team/a\n\
                 time=\"2026-11-30T10:00:22Z\" level=info msg=\"token not to be used after 2026-11-30 {ended} +0000 UTC - currently 2026-11-30 10:00:22 +0000 UTC\"\n"
            );
            Scene::pod("r.example.com/team/a:1", &[])
                .document(Place::Registry, "registry/registry.log", &log)
                .ask(&WINDOW_REFUSED, &Subject::Cluster)
        };
        assert_eq!(asked("10:00:21", "08:05:00"), Some(Answer::Yes));
        assert_eq!(asked("09:40:00", "08:05:00"), None, "it may have been kept");
        assert_eq!(asked("10:00:21", "09:58:00"), None, "it may have been issued with minutes to live");
    }

    #[test]
    fn a_registrys_word_on_the_window_counts_at_the_time_of_the_failure() {
        let asked = |time: &str| {
            let line =
                format!("time=\"2026-11-{time}Z\" level=info msg=\"token not to be used before 2026-11-30\"");
            Scene::pod("r.example.com/a:1", &[])
                .document(Place::Registry, "registry/registry.log", &line)
                .ask(&WINDOW_LOGGED, &Subject::Cluster)
        };
        assert_eq!(asked("30T10:00:40"), Some(Answer::Yes));
        assert_eq!(asked("30T06:00:40"), None);
        assert_eq!(asked("29T10:00:40"), None);
    }
}
