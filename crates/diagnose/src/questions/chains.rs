//! The certificates that a server was seen to present, from any vantage.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::climbs;
use crate::questions::hosts::name_of;
use crate::subject::Subject;
use facts::{CommandOutput, Ladder, Why};
use formats::transcript::openssl::{self, Presented};
use report::{Evidence, Locator, Say};

/// Words in the issuer that the certificates of known inspecting devices carry.
/// Source: their documentation and public reports, as collected 2026-11.
const INSPECTORS: &[&str] = &[
    "Zscaler",
    "goskope",
    "Netskope",
    "Cisco Umbrella",
    "FortiGate",
    "Fortinet",
    "Palo Alto",
    "Blue Coat",
    "Symantec Web",
    "Forcepoint",
    "Websense",
    "Sophos",
    "Check Point",
    "McAfee Web",
    "Skyhigh",
    "Menlo Security",
    "iboss",
    "mitmproxy",
    "Squid",
    "Cloudflare Gateway",
    "Barracuda",
    "WatchGuard",
    "SonicWall",
    "Untangle",
    "Securly",
    "Lightspeed",
];
/// Words by which home-made inspection names itself.
const INSPECTING: &[&str] =
    &["Inspect", "inspect", "Interception", "Decrypt", "MITM", "SSL Proxy", "Proxy CA", "TLS Proxy"];

fn shown<'a>(case: &Case<'a>, host: &str) -> Vec<(&'a CommandOutput, Presented)> {
    let all = case.snapshot.outputs.iter();
    all.filter_map(|o| Some((o, openssl::read(&o.command, &o.text)?)))
        .filter(|(_, p)| !p.chain.is_empty() && (p.target.is_empty() || name_of(&p.target) == name_of(host)))
        .collect()
}

fn evidence(o: &CommandOutput, says: Say, quote: &str) -> Evidence {
    Evidence {
        at: Locator::Output {
            vantage: o.vantage.to_string(),
            command: o.command.clone(),
            source: o.origin.source.clone(),
            line: o.origin.line,
        },
        says,
        quote: quote.to_owned(),
    }
}

/// The issuers of a ladder's chain, and where they stand.
fn ladder_issuers<'a>(pull: &Pull<'a>) -> impl Iterator<Item = (&'a Ladder, &'a str)> {
    let ladders = pull.observations.iter().filter_map(|o| o.ladder);
    ladders.flat_map(|l| {
        let facts = l
            .rungs
            .iter()
            .flat_map(|r| &r.seen)
            .filter(|f| f.name.starts_with("certificate") && f.name.ends_with("issuer"));
        facts.map(move |f| (l, f.value.as_str()))
    })
}

fn inspects(issuer: &str) -> bool {
    INSPECTORS.iter().chain(INSPECTING).any(|w| issuer.contains(w))
}

fn intercepted(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for (o, presented) in shown(case, pull.asked_host()) {
        if let Some(found) = presented.chain.iter().find(|c| inspects(&c.issuer)) {
            let says = Say::new("evidence-inspecting-issuer").with("issuer", found.issuer.clone());
            return Seen::yes(evidence(o, says, &found.issuer));
        }
    }
    for (ladder, issuer) in ladder_issuers(pull) {
        if inspects(issuer) {
            return Seen::yes(Evidence {
                at: Locator::Step {
                    vantage: ladder.vantage.to_string(),
                    url: ladder.url.clone(),
                    stage: vocabulary::Stage::Tls,
                },
                says: Say::new("evidence-inspecting-issuer").with("issuer", issuer),
                quote: issuer.to_owned(),
            });
        }
    }
    issuers_differ(case, pull)
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
    climbs::issuer_not_sent(case, pull).map_or(Seen::Blind(Why::NotAsked), Seen::yes)
}

/// Does the server leave out an intermediate certificate?
pub static CHAIN_INCOMPLETE: Question =
    Question { id: "ask-chain-incomplete", ask: chain_incomplete, test: INTERCEPTED_TEST };

const INTERCEPTED_TEST: Option<Test> =
    Some(Test { cost: 1, vantage: "here", command: |_, pull, _| format!("pullproof probe {}", pull.image) });
