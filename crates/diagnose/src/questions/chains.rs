//! The certificates that a server was seen to present, from any vantage.

use crate::case::Case;
use crate::lines::output_at;
use crate::pull::Pull;
use crate::question::{Answer, PROBE, Question, Seen, Test};
use crate::questions::climbs;
use crate::questions::hosts::name_of;
use crate::subject::Subject;
use facts::{CommandOutput, Why};
use formats::interceptors::inspects;
use formats::transcript::openssl::{self, Presented};
use report::{Evidence, Say};

fn shown<'a>(case: &Case<'a>, host: &str) -> Vec<(&'a CommandOutput, Presented)> {
    let all = case.snapshot.outputs.iter();
    all.filter_map(|o| Some((o, openssl::read(&o.command, &o.text)?)))
        .filter(|(_, p)| !p.chain.is_empty() && (p.target.is_empty() || name_of(&p.target) == name_of(host)))
        .collect()
}

/// The issuers of every certificate that a host was seen to present.
pub fn issuers(case: &Case<'_>, host: &str) -> Vec<String> {
    let chains = shown(case, host).into_iter().flat_map(|(_, p)| p.chain);
    chains.map(|c| c.issuer).filter(|i| !i.is_empty()).collect()
}

fn evidence(o: &CommandOutput, says: Say, quote: &str) -> Evidence {
    Evidence { at: output_at(o, o.origin.line), says, quote: quote.to_owned() }
}

fn intercepted(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for (o, presented) in shown(case, pull.asked_host()) {
        if let Some(found) = presented.chain.iter().find(|c| inspects(&c.issuer)) {
            let says = Say::new("evidence-inspecting-issuer").with("issuer", found.issuer.clone());
            return Seen::yes(evidence(o, says, &found.issuer));
        }
    }
    climbs::way::inspected(case, pull).map_or_else(|| issuers_differ(case, pull), Seen::yes)
}

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
