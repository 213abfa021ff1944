//! The way to the registry, as the probe that pulled found it: resolvers, addresses, proxy, size of packets, chain.

use super::{blind, has_failed, own, shows};
use crate::case::Case;
use crate::pull::Pull;
use crate::question::Seen;
use facts::{Ladder, Outcome, Rung, seen};
use formats::interceptors;
use report::{Evidence, Say};
use std::net::SocketAddr;
use vocabulary::{Cause, Stage};

/// An answer that came this soon, in milliseconds, waited for no lost packet: TCP repeats one after a second or more.
const PROMPT: u64 = 900;

/// `Yes` where the machine's resolvers answered, and one knows the name that another denies; `No` where all that it asks
/// say the same, its hosts file included.
pub fn names_disagree(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some(ladder) = own(case, pull) else { return blind() };
    let Some(dns) = ladder.rung(Stage::Dns).filter(|r| climbed(r)) else { return blind() };
    let answers: Vec<(&str, &str)> = dns.all(seen::RESOLVER).zip(dns.all(seen::RESOLVER_ANSWER)).collect();
    let quote = answers.iter().map(|(who, what)| format!("{who} {what}")).collect::<Vec<_>>().join(", ");
    if dns.fact(seen::RESOLVERS_DIFFER).is_some() {
        return Seen::yes(shows(ladder, dns, Say::new("evidence-resolvers-differ"), &quote));
    }
    if answers.iter().any(|(_, what)| matches!(*what, "servfail" | "refused" | "timeout")) {
        return blind();
    }
    Seen::no(shows(ladder, dns, Say::new("evidence-names-agree"), &quote))
}

/// `No` where each resolver answered: what they say of the name, and whether they agree, is another question.
pub fn resolver_broken(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some((ladder, dns)) = failed_at(case, pull, Stage::Dns) else { return blind() };
    let answers = || dns.all(seen::RESOLVER).zip(dns.all(seen::RESOLVER_ANSWER));
    match answers().find(|(_, what)| matches!(*what, "nxdomain" | "nodata")) {
        Some((who, what)) => {
            Seen::no(shows(ladder, dns, Say::new("evidence-resolver-answers").with("resolver", who), what))
        }
        None => blind(),
    }
}

/// `No` where the registry's API answered the probe.
pub fn another_program(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some(ladder) = own(case, pull) else { return blind() };
    match ladder.rung(Stage::Http) {
        Some(http) if http.outcome == Outcome::Passed => {
            let says = Say::new("evidence-registry-answers").with("host", pull.asked_host());
            Seen::no(shows(ladder, http, says, http.fact(seen::STATUS).unwrap_or_default()))
        }
        _ => blind(),
    }
}

/// Whether requests went through a proxy.
pub fn through_proxy(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some(ladder) = own(case, pull) else { return blind() };
    let Some(connect) = ladder.rung(Stage::Connect).filter(|r| climbed(r)) else { return blind() };
    match connect.fact(seen::PROXY) {
        Some(proxy) => {
            let says = Say::new("evidence-goes-through-proxy").with("host", pull.registry.clone());
            Seen::yes(shows(ladder, connect, says, proxy))
        }
        None => {
            let says = Say::new("evidence-no-proxy-used").with("host", pull.registry.clone());
            Seen::no(shows(ladder, connect, says, connect.fact(seen::PROXY_BYPASSED).unwrap_or_default()))
        }
    }
}

/// Whether the registry's address is one of the machine's own. Loopback is no way out and back.
pub fn own_address(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some(ladder) = own(case, pull) else { return blind() };
    let Some(connect) = ladder.rung(Stage::Connect).filter(|r| climbed(r)) else { return blind() };
    if connect.outcome == Outcome::Passed {
        let peer = connect.fact(seen::PEER).unwrap_or_default();
        return Seen::no(shows(ladder, connect, Say::new("evidence-connects"), peer));
    }
    let mut tried = connect.all(seen::ADDRESS).map(|a| a.parse::<SocketAddr>());
    let first = connect.fact(seen::ADDRESS).unwrap_or_default();
    if !first.is_empty() && tried.all(|a| a.is_ok_and(|a| a.ip().is_loopback())) {
        return Seen::no(shows(ladder, connect, Say::new("evidence-loopback"), first));
    }
    match connect.fact(seen::OWN_ADDRESS) {
        Some("yes") => {
            let says = Say::new("evidence-own-address").with("address", first);
            Seen::yes(shows(ladder, connect, says, first))
        }
        Some("no") => Seen::no(shows(ladder, connect, Say::new("evidence-not-own-address"), first)),
        _ => blind(),
    }
}

/// Whether packets above some size are lost. They are where a small hello passes and a large one is never answered; they
/// are not where nothing large was sent, or the peer answered at once, if only by closing.
pub fn large_packets_lost(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    if let Some((ladder, rung)) = failed_at(case, pull, Stage::Dns).or(failed_at(case, pull, Stage::Connect))
    {
        return Seen::no(shows(ladder, rung, Say::new("evidence-nothing-large-sent"), ""));
    }
    let Some((ladder, tls)) = failed_at(case, pull, Stage::Tls) else { return blind() };
    let Outcome::Failed { symptom, error } = &tls.outcome else { return blind() };
    let small = tls.fact(seen::TLS_SMALL_HELLO);
    match symptom {
        Cause::TlsHandshakeTimeout if small == Some("yes") => {
            Seen::yes(shows(ladder, tls, Say::new("evidence-small-hello-passes"), ""))
        }
        Cause::TlsHandshakeTimeout | Cause::NetTimeout => blind(),
        _ if small == Some("yes") => {
            Seen::no(shows(ladder, tls, Say::new("evidence-small-hello-passes-large-refused"), error))
        }
        _ if tls.took_ms < PROMPT => {
            Seen::no(shows(ladder, tls, Say::new("evidence-answered-at-once"), error))
        }
        _ => blind(),
    }
}

/// An issuer in the chain that is a product which signs for hosts of others. Other words in it may be anybody's.
pub fn inspected(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let (ladder, tls) = deepest_tls(own(case, pull)?)?;
    let issuer = tls.all(seen::CERTIFICATE_ISSUER).find(|issuer| interceptors::product(issuer).is_some())?;
    Some(shows(ladder, tls, Say::new("evidence-inspecting-issuer").with("issuer", issuer), issuer))
}

/// `Yes` where the server's certificate came alone, its issuer is neither sent nor trusted, and it says where that can be
/// had; `No` where others came with it.
pub fn issuer_not_sent(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let Some((ladder, tls)) = own(case, pull).and_then(deepest_tls) else { return blind() };
    // What a device signs lacks no intermediate of the server's.
    if let Some(evidence) = inspected(case, pull) {
        return Seen::no(evidence);
    }
    let count = tls.fact(seen::CHAIN_LENGTH).unwrap_or_default();
    match (count, tls.fact(seen::CHAIN_MISSING_ISSUER), tls.fact(seen::CERTIFICATE_ISSUER_AT)) {
        ("1", Some(missing), Some(at)) => {
            Seen::yes(shows(ladder, tls, Say::new("evidence-leaf-alone").with("issuer", missing), at))
        }
        ("" | "1", ..) => blind(),
        _ => Seen::no(shows(ladder, tls, Say::new("evidence-chain-sent").with("count", count), "")),
    }
}

/// The chain that did not verify: the registry's own, or that of the host which it needed.
fn deepest_tls(ladder: &Ladder) -> Option<(&Ladder, &Rung)> {
    let own = ladder.rung(Stage::Tls).filter(|r| has_failed(r)).map(|r| (ladder, r));
    own.or_else(|| ladder.branches.iter().find_map(deepest_tls))
}

fn climbed(rung: &Rung) -> bool {
    matches!(rung.outcome, Outcome::Passed | Outcome::Failed { .. })
}

fn failed_at<'a>(case: &Case<'a>, pull: &Pull<'_>, stage: Stage) -> Option<(&'a Ladder, &'a Rung)> {
    let ladder = own(case, pull)?;
    ladder.rung(stage).filter(|r| has_failed(r)).map(|r| (ladder, r))
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;
    use crate::question::Answer;

    fn asked(ask: fn(&Case<'_>, &Pull<'_>) -> Seen, rungs: Vec<Rung>) -> Option<Answer> {
        match with(vec![ladder(IMAGE, rungs)], ask) {
            Seen::Is(answer, _) => Some(answer),
            Seen::Blind(_) => None,
        }
    }

    #[test]
    fn resolvers_that_answer_agree_or_not_and_are_not_broken() {
        let dns = |ask: fn(&Case<'_>, &Pull<'_>) -> Seen, answers: &[&str], differ: bool| {
            let mut facts = Vec::new();
            for answer in answers {
                facts.extend([(seen::RESOLVER, "192.0.2.1:53"), (seen::RESOLVER_ANSWER, answer)]);
            }
            if differ {
                facts.push((seen::RESOLVERS_DIFFER, "yes"));
            }
            asked(ask, vec![rung(Stage::Dns, failed(Cause::DnsNotFound), &facts)])
        };
        assert_eq!(dns(names_disagree, &["nxdomain", "192.0.2.7"], true), Some(Answer::Yes));
        assert_eq!(dns(names_disagree, &["nxdomain", "nxdomain"], false), Some(Answer::No));
        assert_eq!(dns(names_disagree, &["nxdomain", "timeout"], false), None);
        assert_eq!(dns(resolver_broken, &["nxdomain", "192.0.2.7"], true), Some(Answer::No));
        assert_eq!(dns(resolver_broken, &["timeout"], false), None);
    }

    #[test]
    fn what_answers_as_a_registry_is_one() {
        let denied = || rung(Stage::Authorization, failed(Cause::AuthUnauthorized), &[]);
        let http = |outcome| asked(another_program, vec![rung(Stage::Http, outcome, &[]), denied()]);
        assert_eq!(http(Outcome::Passed), Some(Answer::No));
        assert_eq!(http(failed(Cause::RegistryBadResponse)), None);
    }

    #[test]
    fn sizes_are_blamed_only_for_silence() {
        let tls = |symptom, small| {
            let rungs = vec![rung(Stage::Tls, failed(symptom), &[(seen::TLS_SMALL_HELLO, small)])];
            asked(large_packets_lost, rungs)
        };
        assert_eq!(tls(Cause::TlsHandshakeTimeout, "yes"), Some(Answer::Yes));
        assert_eq!(tls(Cause::TlsHandshakeTimeout, "no"), None);
        assert_eq!(tls(Cause::NetReset, "yes"), Some(Answer::No));
        let refused = vec![rung(Stage::Connect, failed(Cause::NetRefused), &[])];
        assert_eq!(asked(large_packets_lost, refused), Some(Answer::No));
    }

    #[test]
    fn an_address_is_the_machines_own_or_not() {
        let connect = |address: &str, own: &str| {
            let facts = [(seen::ADDRESS, address), (seen::OWN_ADDRESS, own)];
            asked(own_address, vec![rung(Stage::Connect, failed(Cause::NetTimeout), &facts)])
        };
        assert_eq!(connect("192.0.2.1:443", "yes"), Some(Answer::Yes));
        assert_eq!(connect("192.0.2.1:443", "no"), Some(Answer::No));
        assert_eq!(connect("127.0.0.1:443", "yes"), Some(Answer::No));
    }

    #[test]
    fn a_proxy_is_on_the_way_or_not() {
        let connect = |facts: &[(&str, &str)]| {
            asked(through_proxy, vec![rung(Stage::Connect, failed(Cause::NetTimeout), facts)])
        };
        assert_eq!(connect(&[(seen::PROXY, "http://192.0.2.1:3128")]), Some(Answer::Yes));
        assert_eq!(connect(&[]), Some(Answer::No));
    }

    #[test]
    fn a_certificate_alone_lacks_its_issuer_where_it_says_where_that_is() {
        let tls = |count, at: &str| {
            let mut facts = vec![(seen::CHAIN_LENGTH, count), (seen::CHAIN_MISSING_ISSUER, "CN=X")];
            if !at.is_empty() {
                facts.push((seen::CERTIFICATE_ISSUER_AT, at));
            }
            let rungs = vec![rung(Stage::Tls, failed(Cause::TlsUnknownAuthority), &facts)];
            asked(issuer_not_sent, rungs)
        };
        assert_eq!(tls("1", "http://pki.example.com/x.crt"), Some(Answer::Yes));
        assert_eq!(tls("1", ""), None);
        assert_eq!(tls("2", ""), Some(Answer::No));
    }
}
