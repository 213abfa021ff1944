//! Which of a pull's observations are of its newest attempt. What an earlier one met is shown, and decides nothing: the
//! pod that was refused at nine and does not reach the registry at ten has another cause now.

use super::{carries, own, states_failure};
use crate::pull::{Observation, Pull};
use report::Locator;
use std::mem;

/// Other clients' lines of one attempt may stand this many seconds before the kubelet says how it ended: mirrors that are
/// not reached are waited for, one after the other.
const ONE_ATTEMPT: i64 = 600;

/// Puts aside what earlier attempts met, where the newest ended otherwise.
pub fn set_aside(pull: &mut Pull<'_>) {
    let speaks = |o: &&Observation<'_>| carries(o) && states_failure(o) && o.ladder.is_none();
    let all = || pull.observations.iter().filter(speaks);
    let Some(newest) = all().max_by_key(|o| (own(o), age_rank(o))) else { return };
    let (cause, rank, of_client) = (newest.reading.cause, age_rank(newest), own(newest));
    let is_past = |o: &Observation<'_>| {
        let slack = if own(o) == of_client { 0 } else { ONE_ATTEMPT };
        let before = match (age_rank(o), rank) {
            (Some(Age::At(then)), Some(Age::At(now))) => then.as_second() + slack < now.as_second(),
            (Some(Age::At(_)), Some(Age::Now)) => own(o) && of_client,
            _ => false,
        };
        before && speaks(&o) && o.reading.cause != cause
    };
    let (past, now) = mem::take(&mut pull.observations).into_iter().partition(is_past);
    (pull.earlier, pull.observations) = (past, now);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Age {
    At(jiff::Timestamp),
    /// A container's status says what its last attempt met.
    Now,
}

/// How new it is; `None` where nothing says so.
fn age_rank(o: &Observation<'_>) -> Option<Age> {
    match (&o.at, o.when) {
        (Locator::Object { kind, .. }, None) if kind == "Pod" => Some(Age::Now),
        (_, when) => when.map(Age::At),
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{Scene, at, secret};
    use vocabulary::{Cause, Confidence};

    const IMAGE: &str = "harbor.example.com/shop/web:2";
    const REFUSED: &str = "Failed to pull image \"harbor.example.com/shop/web:2\": failed to pull and unpack image \"harbor.example.com/shop/web:2\": failed to resolve reference \"harbor.example.com/shop/web:2\": pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials";
    const UNTRUSTED: &str = "Failed to pull image \"harbor.example.com/shop/web:2\": failed to pull and unpack image \"harbor.example.com/shop/web:2\": failed to resolve reference \"harbor.example.com/shop/web:2\": failed to do request: Head \"https://harbor.example.com/v2/shop/web/manifests/2\": tls: failed to verify certificate: x509: certificate signed by unknown authority";

    fn opaque() -> Scene {
        let mut opaque = secret("shop", "regcred", "harbor.example.com");
        opaque.type_ = "Opaque".into();
        Scene::pod(IMAGE, &["regcred"]).secret(opaque)
    }

    fn verdict(scene: &Scene) -> (Cause, Confidence) {
        let report = crate::diagnose(&scene.snapshot);
        assert_eq!(report.incidents.len(), 1);
        (report.incidents[0].cause, report.incidents[0].confidence)
    }

    fn events(first: (&str, &str), second: (&str, &str)) -> Scene {
        let scene = opaque().event("Failed", first.1).event("Failed", second.1);
        scene.change(|s| {
            s.events[0].last = at(first.0);
            s.events[1].last = at(second.0);
        })
    }

    #[test]
    fn the_newest_attempt_decides_and_not_an_older_one() {
        let wrong_type = (Cause::CredentialsWrongType, Confidence::Confirmed);
        assert_eq!(verdict(&opaque().event("Failed", REFUSED)), wrong_type);
        let now_refused = events(("09:00:00", UNTRUSTED), ("10:00:00", REFUSED));
        assert_eq!(verdict(&now_refused), wrong_type);
        let now_untrusted = events(("09:00:00", REFUSED), ("10:00:00", UNTRUSTED));
        assert_eq!(verdict(&now_untrusted).0, Cause::TlsUnknownAuthority);
        let report = crate::diagnose(&now_untrusted.snapshot);
        assert!(
            report.incidents[0].evidence.iter().any(|e| e.quote.contains("no basic auth")),
            "it is shown"
        );
    }

    #[test]
    fn what_a_containers_status_says_is_newer_than_its_events() {
        let scene = opaque().event("Failed", REFUSED).change(|s| {
            let waiting = s.pods[0].containers[0].waiting.as_mut();
            waiting.unwrap().message = format!("Back-off pulling image: ErrImagePull: {UNTRUSTED}");
        });
        assert_eq!(verdict(&scene).0, Cause::TlsUnknownAuthority);
    }
}
