//! The certificates that a server was seen to present, from any vantage.

use crate::case::Case;
use crate::lines::output_at;
use crate::pull::Pull;
use crate::question::{Answer, PROBE, Question, Seen, Test};
use crate::questions::hosts::name_of;
use crate::questions::{climbs, clocks};
use crate::subject::Subject;
use facts::{CommandOutput, Why};
use formats::interceptors::inspects;
use formats::transcript::openssl::{self, Presented};
use report::{Evidence, Say};
use vocabulary::Cause;

fn shown<'a>(case: &Case<'a>, host: &str) -> Vec<(&'a CommandOutput, Presented)> {
    let all = case.snapshot.outputs.iter();
    all.filter_map(|o| Some((o, openssl::read(&o.command, &o.text)?)))
        .filter(|(o, p)| {
            let by_server =
                if p.target.is_empty() { !reads_a_file(o) } else { name_of(&p.target) == name_of(host) };
            !p.chain.is_empty() && by_server
        })
        .collect()
}

/// Whether a command shows a certificate that it was handed, and none that a server presents.
fn reads_a_file(o: &CommandOutput) -> bool {
    let command = formats::transcript::command(&o.command);
    command.program != "openssl" || command.has("-in")
}

/// The issuers of every certificate that a host was seen to present.
pub fn issuers(case: &Case<'_>, host: &str) -> Vec<String> {
    let chains = shown(case, host).into_iter().flat_map(|(_, p)| p.chain);
    chains.map(|c| c.issuer).filter(|i| !i.is_empty()).collect()
}

/// A certificate that was seen by hand at the host that was asked, with the very limit that the words state: the client
/// reached the same server.
pub fn seen_by_hand(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let stated = pull.deciding().and_then(|o| clocks::limit(o.text))?;
    shown(case, pull.asked_host()).into_iter().find_map(|(o, presented)| {
        let same =
            presented.chain.iter().find(|c| c.not_after == Some(stated) || c.not_before == Some(stated))?;
        let says = Say::new("evidence-same-certificate").with("host", pull.asked_host());
        Some(evidence(o, says, &same.subject))
    })
}

fn evidence(o: &CommandOutput, says: Say, quote: &str) -> Evidence {
    Evidence { at: output_at(o, o.origin.line), says, quote: quote.to_owned() }
}

/// An inspecting issuer that `curl -v` printed for the host.
fn by_curl(case: &Case<'_>, host: &str) -> Option<Evidence> {
    let of_host = case.requests().iter().filter(|r| name_of(r.curl.host()) == name_of(host));
    of_host.into_iter().find_map(|r| {
        let issuer = r.curl.issuer.as_deref().filter(|i| inspects(i))?;
        Some(evidence(r.output, Say::new("evidence-inspecting-issuer").with("issuer", issuer), issuer))
    })
}

fn intercepted(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some(shown) = by_curl(case, pull.asked_host()) {
        return Seen::yes(shown);
    }
    for (o, presented) in shown(case, pull.asked_host()) {
        if let Some(found) = presented.chain.iter().find(|c| inspects(&c.issuer)) {
            let says = Say::new("evidence-inspecting-issuer").with("issuer", found.issuer.clone());
            return Seen::yes(evidence(o, says, &found.issuer));
        }
    }
    climbs::way::inspected(case, pull).map_or_else(|| issuers_differ(case, pull), Seen::yes)
}

/// An inspecting issuer, where what the client met is the certificate itself.
fn inspector_seen(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let by_certificate = matches!(
        pull.symptom(),
        Cause::TlsUnknownAuthority | Cause::TlsSelfSigned | Cause::TlsHostnameMismatch
    );
    let found = shown(case, pull.asked_host()).into_iter().find_map(|(o, presented)| {
        let issuer = presented.chain.iter().find(|c| inspects(&c.issuer))?.issuer.clone();
        let says = Say::new("evidence-inspecting-issuer").with("issuer", issuer.clone());
        Some(evidence(o, says, &issuer))
    });
    let found = found.or_else(|| by_curl(case, pull.asked_host()));
    found.filter(|_| by_certificate).map_or(Seen::Blind(Why::NotAsked), Seen::yes)
}

/// Is the certificate that the client refused a known inspector's?
pub static INSPECTOR_SEEN: Question = Question { id: "ask-inspector-seen", ask: inspector_seen, test: None };

/// A certificate of the chain that the host presents had run out when the pull failed, by the API server's time.
fn run_out_seen(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let known = clocks::known_by(case, pull).or(pull.timeline.last_failed);
    let Some(known) = known else { return Seen::Blind(Why::NotAsked) };
    let stated = pull.deciding().and_then(|o| clocks::limit(o.text));
    let found = shown(case, pull.asked_host()).into_iter().find_map(|(o, presented)| {
        let out = presented
            .chain
            .iter()
            .find(|c| c.not_after.is_some_and(|end| end < known && stated.is_none_or(|s| s == end)))?;
        let end = out.not_after.map(|t| t.to_string()).unwrap_or_default();
        Some(evidence(o, Say::new("evidence-certificate-ran-out").with("at", &*end), &out.subject))
    });
    found.map_or(Seen::Blind(Why::NotAsked), Seen::yes)
}

/// Was a certificate of the host seen that had run out?
pub static RUN_OUT_SEEN: Question = Question { id: "ask-run-out-seen", ask: run_out_seen, test: PROBE };

/// Different issuers for one host from different vantages: something between them signs anew.
fn issuers_differ(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let all = shown(case, pull.asked_host());
    let Some((first, one)) = all.first() else { return Seen::Blind(Why::NotAsked) };
    let issuer = |p: &Presented| p.chain.first().map(|c| c.issuer.clone()).unwrap_or_default();
    match all.iter().find(|(o, p)| o.vantage != first.vantage && issuer(p) != issuer(one)) {
        Some((o, other)) => {
            let says = |p: &Presented| Say::new("evidence-issuers-differ").with("issuer", issuer(p));
            Seen::Is(
                Answer::Yes,
                vec![evidence(first, says(one), &issuer(one)), evidence(o, says(other), &issuer(other))],
            )
        }
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Does a device on the way present certificates of its own?
pub static INTERCEPTED: Question = Question {
    id: "ask-intercepted",
    ask: intercepted,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, pull, _| {
            let host = pull.asked_host();
            let port = if name_of(host) == host { ":443" } else { "" };
            format!(
                "openssl s_client -connect {host}{port} -servername {} -showcerts </dev/null",
                name_of(host)
            )
        },
    }),
};

fn chain_incomplete(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for (o, p) in shown(case, pull.asked_host()) {
        let leaf_alone = p.whole && p.chain.len() == 1 && p.chain.iter().all(|c| !c.is_self_issued());
        let first_unverified = p.errors.iter().any(|(n, _)| *n == 21);
        if leaf_alone && first_unverified && !p.chain.iter().any(|c| inspects(&c.issuer)) {
            let issuer = p.chain.first().map(|c| c.issuer.clone()).unwrap_or_default();
            return Seen::yes(evidence(
                o,
                Say::new("evidence-leaf-alone").with("issuer", issuer.clone()),
                &issuer,
            ));
        }
        // What comes with the leaf did not sign it: an intermediate of another issue.
        let unverified = p.errors.iter().any(|(n, _)| matches!(n, 20 | 21));
        if let Some(leaf) = p.chain.first().filter(|leaf| p.whole && unverified && !leaf.issuer.is_empty())
            && p.chain.len() > 1
            && p.chain.iter().all(|c| c.subject != leaf.issuer && !inspects(&c.issuer))
        {
            let says = Say::new("evidence-issuer-not-sent").with("issuer", leaf.issuer.clone());
            return Seen::yes(evidence(o, says, &leaf.issuer));
        }
        if p.whole && p.chain.len() > 1 {
            let says = Say::new("evidence-chain-sent").with("count", p.chain.len().to_string());
            return Seen::no(evidence(o, says, ""));
        }
    }
    climbs::way::issuer_not_sent(case, pull)
}

/// Does the server leave out an intermediate certificate?
pub static CHAIN_INCOMPLETE: Question =
    Question { id: "ask-chain-incomplete", ask: chain_incomplete, test: PROBE };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;

    fn chain(issuer: &str, until: &str) -> String {
        format!(
            "Certificate chain\n 0 s:CN = r.example.com\n   i:{issuer}\n   v:NotBefore: Jan  2 00:00:00 2026 GMT; NotAfter: {until}\n---\n"
        )
    }

    fn scene(cause: Cause, words: &str, shown: &str) -> Scene {
        let scene = Scene::pod("r.example.com/a:1", &[]).symptom(cause).words(words);
        scene.output("openssl s_client -connect r.example.com:443 -showcerts", shown)
    }

    #[test]
    fn an_inspectors_certificate_is_why_only_a_certificate_was_refused() {
        let asked = |cause, issuer: &str| {
            let shown = chain(issuer, "Jan  2 00:00:00 2027 GMT");
            scene(cause, "", &shown).ask(&INSPECTOR_SEEN, &Subject::Cluster)
        };
        assert_eq!(
            asked(Cause::TlsUnknownAuthority, "O = Zscaler Inc., CN = Zscaler Root CA"),
            Some(Answer::Yes)
        );
        assert_eq!(asked(Cause::TlsUnknownAuthority, "O = Example, CN = Example Root"), None);
        assert_eq!(asked(Cause::AuthUnauthorized, "O = Zscaler Inc., CN = Zscaler Root CA"), None);
    }

    #[test]
    fn a_certificate_had_run_out_by_the_servers_time_and_is_the_one_of_the_words() {
        let words = "x509: certificate has expired or is not yet valid: current time 2026-11-30T10:05:10Z is after 2026-11-29T00:00:00Z";
        let asked = |until: &str| {
            let shown = chain("CN = Example Root", until);
            scene(Cause::TlsExpired, words, &shown).ask(&RUN_OUT_SEEN, &Subject::Cluster)
        };
        assert_eq!(asked("Nov 29 00:00:00 2026 GMT"), Some(Answer::Yes));
        assert_eq!(asked("Nov 28 00:00:00 2026 GMT"), None, "another certificate than the client met");
        assert_eq!(asked("Jan  2 00:00:00 2027 GMT"), None);
    }

    #[test]
    fn an_intermediate_that_did_not_sign_the_leaf_leaves_the_issuer_out() {
        let asked = |second: &str, code: u8| {
            let shown = format!(
                "Certificate chain\n 0 s:CN = r.example.com\n   i:CN = R10\n 1 s:CN = {second}\n   i:CN = Root\n---\nVerify return code: {code} (words)\n"
            );
            scene(Cause::TlsUnknownAuthority, "", &shown).ask(&CHAIN_INCOMPLETE, &Subject::Cluster)
        };
        assert_eq!(asked("R3", 21), Some(Answer::Yes));
        assert_eq!(asked("R10", 20), Some(Answer::No), "the root is what the client lacks");
        assert_eq!(asked("R3", 0), Some(Answer::No));
    }

    #[test]
    fn what_curl_prints_of_the_issuer_counts_and_a_file_of_the_machine_does_not() {
        let printed = |issuer: &str| {
            let text = format!("*  subject: CN=r.example.com\n*  issuer: {issuer}\n");
            let scene = Scene::pod("r.example.com/a:1", &[]).symptom(Cause::TlsUnknownAuthority).words("");
            scene.output("curl -v https://r.example.com/v2/", &text)
        };
        assert_eq!(printed("O=Zscaler Inc.; CN=Zscaler Root CA").verdict().0, Cause::TlsInterception);
        assert_eq!(printed("O=Example; CN=Example Root").ask(&INTERCEPTED, &Subject::Cluster), None);
        let own =
            scene(Cause::TlsUnknownAuthority, "", &chain("CN = Example Root", "Jan  2 00:00:00 2027 GMT"));
        let with_file = own.output("openssl x509 -in /etc/ssl/ca.crt -noout -issuer", "issuer=CN = Other\n");
        assert_eq!(with_file.ask(&INTERCEPTED, &Subject::Cluster), None);
    }

    #[test]
    fn the_same_certificate_shows_the_same_server() {
        let words = "x509: certificate has expired or is not yet valid: current time 2026-11-30T10:05:10Z is after 2026-11-29T00:00:00Z";
        let same = |until: &str| {
            let scene = scene(Cause::TlsExpired, words, &chain("CN = Example Root", until));
            seen_by_hand(&Case::new(&scene.snapshot), &scene.pull()).is_some()
        };
        assert!(same("Nov 29 00:00:00 2026 GMT"));
        assert!(!same("Nov 30 00:00:00 2026 GMT"));
    }
}
