//! What a node met on its way to its endpoints, in words that can be compared between nodes: answers of name servers,
//! presented certificates, clocks, and where the way ended.

use facts::{Ladder, Outcome, Rung, seen};
use formats::url::host_of;
use std::net::{IpAddr, SocketAddr};
use vocabulary::Stage;

/// By less than this many seconds no clock is off: an answer's date is whole seconds, and its way takes time.
const SECONDS: i64 = 5;

/// The ladders and those to other hosts that they needed.
pub fn all(ladders: &[Ladder]) -> Vec<&Ladder> {
    ladders.iter().flat_map(|l| [l].into_iter().chain(all(&l.branches))).collect()
}

/// The addresses that were tried.
pub fn addresses(ladders: &[Ladder]) -> Vec<IpAddr> {
    let rungs = all(ladders).into_iter().filter_map(|l| l.rung(Stage::Connect));
    let tried = rungs.flat_map(|r| r.all(seen::ADDRESS)).filter_map(|a| a.parse::<SocketAddr>().ok());
    tried.map(|a| a.ip()).collect()
}

/// What a value is about: the name that was looked up, else the host that was asked.
pub fn host(ladder: &Ladder, what: &str) -> String {
    let name = ladder.rung(Stage::Dns).and_then(|r| r.fact(seen::NAME)).filter(|_| what == "dns-answers");
    name.unwrap_or_else(|| host_of(&ladder.url)).to_owned()
}

/// The addresses of a name, in no order: servers rotate them. Or the answer that has none.
pub fn answers(ladder: &Ladder) -> Option<String> {
    let rung = ladder.rung(Stage::Dns).filter(|r| r.fact(seen::NAME).is_some())?;
    let mut all: Vec<&str> = rung.all(seen::RESOLVER_ANSWER).chain(rung.all(seen::HOSTS_FILE)).collect();
    all = all.into_iter().flat_map(str::split_whitespace).collect();
    all.sort_unstable();
    all.dedup();
    (!all.is_empty()).then(|| all.join(" "))
}

/// Issuer, serial number and key of the certificate that was presented: an odd one on one node is an interception.
pub fn certificate(ladder: &Ladder) -> Option<String> {
    let rung = ladder.rung(Stage::Tls)?;
    let fact = |name| rung.fact(name).unwrap_or("?");
    rung.fact(seen::CERTIFICATE)?;
    let print = fact(seen::CERTIFICATE_FINGERPRINT);
    Some(format!(
        "{}, serial {}, {}, SHA-256 {}",
        fact(seen::CERTIFICATE_ISSUER),
        fact(seen::CERTIFICATE_SERIAL),
        fact(seen::CERTIFICATE_KEY),
        print.get(..16).unwrap_or(print)
    ))
}

/// How far off the node's clock is by the clock of whoever answered.
pub fn offset(ladder: &Ladder) -> Option<String> {
    let told = |r: &Rung| r.fact(seen::CLOCK_OFFSET).and_then(|v| v.parse::<i64>().ok());
    let seconds = ladder.rungs.iter().find_map(told)?;
    Some(if seconds.abs() <= SECONDS { "0 s".to_owned() } else { format!("{} s", -seconds) })
}

/// The rung at which the way ended, and what was met there.
pub fn end(ladder: &Ladder) -> Option<String> {
    let Some(rung) = ladder.ended_at() else { return Some("passed".to_owned()) };
    let Outcome::Failed { symptom, .. } = &rung.outcome else { return None };
    Some(format!("{} {}", rung.stage, symptom.id()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use facts::{Fact, Vantage};
    use vocabulary::{Cause, Phase};

    fn ladder(rungs: &[(Stage, &[(&str, &str)])]) -> Ladder {
        let rung = |&(stage, facts): &(Stage, &[(&str, &str)])| Rung {
            stage,
            outcome: Outcome::Passed,
            took_ms: 1,
            seen: facts.iter().map(|&(n, v)| Fact { name: n.into(), value: v.into() }).collect(),
        };
        Ladder {
            vantage: Vantage { client: "pullproof".into(), place: "a".into() },
            phase: Phase::Manifest,
            url: "https://r:5000/v2/a/manifests/1?ns=x".into(),
            image: "r:5000/a:1".into(),
            at: None,
            alternative: true,
            rungs: rungs.iter().map(rung).collect(),
            branches: Vec::new(),
        }
    }

    #[test]
    fn answers_have_no_order() {
        let of = |answer: &str| {
            answers(&ladder(&[(Stage::Dns, &[(seen::NAME, "r"), (seen::RESOLVER_ANSWER, answer)])]))
        };
        assert_eq!(of("192.0.2.2 192.0.2.1"), of("192.0.2.1 192.0.2.2"));
        assert_eq!(of("nxdomain").as_deref(), Some("nxdomain"));
        assert_eq!(answers(&ladder(&[(Stage::Dns, &[])])), None);
    }

    #[test]
    fn clocks_that_are_nearly_right_are_right() {
        let of = |s: &str| offset(&ladder(&[(Stage::Http, &[(seen::CLOCK_OFFSET, s)])])).unwrap();
        assert_eq!((of("3"), of("-4"), of("600")), ("0 s".into(), "0 s".into(), "-600 s".into()));
    }

    #[test]
    fn an_end_is_a_stage_and_a_cause() {
        let mut failing = ladder(&[(Stage::Tls, &[])]);
        assert_eq!(end(&failing).as_deref(), Some("passed"));
        failing.rungs[0].outcome =
            Outcome::Failed { symptom: Cause::TlsUnknownAuthority, error: "x509".into() };
        assert_eq!(end(&failing).as_deref(), Some("tls tls.unknown-authority"));
        assert_eq!(host(&failing, "end"), "r:5000");
    }
}
