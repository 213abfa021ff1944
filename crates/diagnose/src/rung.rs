//! What was seen on one rung of a probe's ladder, in one sentence: the facts that a person would ask for first.

use facts::{Ladder, Outcome, Rung, seen};
use report::Say;
use vocabulary::Stage;

/// The sentence; `None` where the rung was not reached, or ended before anything was seen.
pub fn says(ladder: &Ladder, rung: &Rung) -> Option<Say> {
    match rung.outcome {
        Outcome::Passed => passed(rung),
        Outcome::Failed { .. } => failed(rung),
        Outcome::Skipped => Some(skipped(ladder, rung)),
        Outcome::NotReached => None,
    }
}

/// A sentence whose arguments are facts of the rung; `None` where one is missing.
fn of(rung: &Rung, key: &'static str, args: &[(&'static str, &str)]) -> Option<Say> {
    args.iter().try_fold(Say::new(key), |say, (name, fact)| Some(say.with(name, rung.fact(fact)?)))
}

/// The fact, or a word that sentences choose by.
fn or_none(rung: &Rung, name: &str) -> String {
    rung.fact(name).unwrap_or("none").to_owned()
}

fn joined(rung: &Rung, name: &str) -> String {
    rung.all(name).take(4).collect::<Vec<_>>().join(", ")
}

fn passed(rung: &Rung) -> Option<Say> {
    match rung.stage {
        Stage::Reference => {
            let args =
                [("repository", seen::REPOSITORY), ("host", seen::HOST), ("reference", seen::REFERENCE)];
            of(rung, "rung-reference", &args)
        }
        Stage::Credentials => {
            let user = rung.fact(seen::CREDENTIALS_USER).filter(|u| !u.is_empty());
            let name = user.or(rung.fact(seen::CREDENTIALS_KIND))?;
            Some(of(rung, "rung-credentials", &[("source", seen::CREDENTIALS_SOURCE)])?.with("user", name))
        }
        Stage::Dns => {
            let key = if rung.fact(seen::RESOLVERS_DIFFER).is_some() {
                "rung-dns-differ"
            } else if rung.fact(seen::RESOLVER).is_some() {
                "rung-dns"
            } else {
                "rung-dns-file"
            };
            Some(
                Say::new(key)
                    .with("addresses", joined(rung, seen::ADDRESS))
                    .with("resolver", joined(rung, seen::RESOLVER)),
            )
        }
        Stage::Connect if rung.fact(seen::PROXY).is_some() => {
            of(rung, "rung-connect-proxy", &[("proxy", seen::PROXY), ("variable", seen::PROXY_VARIABLE)])
        }
        Stage::Connect => match tried(rung, |how| how != "connected") {
            failed if failed.is_empty() => of(rung, "rung-connect", &[("peer", seen::PEER)]),
            failed => Some(of(rung, "rung-connect-some", &[("peer", seen::PEER)])?.with("failed", failed)),
        },
        Stage::Tls => match rung.fact(seen::TLS_NOT_VERIFIED) {
            Some(why) => Some(Say::new("rung-tls-unverified").with("why", why)),
            None => chain(rung, "rung-tls"),
        },
        Stage::Http => Some(
            of(rung, "rung-http", &[("status", seen::STATUS)])?
                .with("scheme", or_none(rung, seen::CHALLENGE))
                .with("product", or_none(rung, seen::PRODUCT))
                .with("clock", clock_off(rung).unwrap_or_else(|| "none".to_owned())),
        ),
        Stage::Token => match rung.fact(seen::TOKEN_GRANTS) {
            Some(grants) => Some(
                Say::new("rung-token")
                    .with("grants", grants)
                    .with("until", or_none(rung, seen::TOKEN_EXPIRES)),
            ),
            None if rung.fact(seen::TOKEN_KIND) == Some("jwt") => Some(Say::new("rung-token-grants-nothing")),
            None => Some(Say::new("rung-token-opaque")),
        },
        Stage::Authorization => match rung.fact(seen::CREDENTIALS_OUTCOME) {
            Some(_) => of(rung, "rung-authorization", &[("scheme", seen::AUTHORIZATION_SENT)]),
            None => Some(Say::new("rung-authorization-open")),
        },
        Stage::Manifest => {
            let args = [("digest", seen::DIGEST), ("size", seen::SIZE), ("kind", seen::MEDIA_TYPE)];
            of(rung, "rung-manifest", &args)
        }
        Stage::Platform => of(rung, "rung-platform", &[("platform", seen::PLATFORM_WANTED)]),
        Stage::Blob => {
            let blobs = rung.all(seen::BLOB).count();
            let bytes: u64 = rung.all(seen::SIZE).filter_map(|s| s.parse::<u64>().ok()).sum();
            let say = Say::new("rung-blob").with("count", blobs.to_string()).with("bytes", bytes.to_string());
            (blobs > 0).then_some(say)
        }
        _ => None,
    }
}

/// What can be said of a rung that failed beside its error, which the evidence quotes.
fn failed(rung: &Rung) -> Option<Say> {
    match rung.stage {
        Stage::Dns => {
            let asked = rung.all(seen::RESOLVER).zip(rung.all(seen::RESOLVER_ANSWER));
            let answers: Vec<String> = asked.take(4).map(|(who, what)| format!("{who} {what}")).collect();
            let differ = rung.fact(seen::RESOLVERS_DIFFER).is_some();
            let key = if differ { "rung-dns-differ-failed" } else { "rung-dns-failed" };
            (!answers.is_empty()).then(|| Say::new(key).with("answers", answers.join(", ")))
        }
        Stage::Connect => match rung.fact(seen::PROXY_STATUS).zip(rung.fact(seen::PROXY)) {
            Some((status, proxy)) => {
                Some(Say::new("rung-proxy-answers").with("proxy", proxy).with("status", status))
            }
            None => {
                let all = tried(rung, |_| true);
                (!all.is_empty()).then(|| Say::new("rung-connect-failed").with("failed", all))
            }
        },
        Stage::Tls => chain(rung, "rung-tls-failed"),
        _ => of(rung, "rung-answer", &[("request", seen::REQUEST), ("status", seen::STATUS)]),
    }
}

fn skipped(ladder: &Ladder, rung: &Rung) -> Say {
    let plain = ladder.url.starts_with("http://");
    match rung.stage {
        Stage::Credentials => Say::new("rung-credentials-none"),
        Stage::Dns => {
            let proxied = ladder.rung(Stage::Connect).is_some_and(|r| r.fact(seen::PROXY).is_some());
            Say::new(if proxied { "rung-dns-by-proxy" } else { "rung-skipped" })
        }
        Stage::Tls if plain => Say::new("rung-tls-plain"),
        Stage::Token if ladder.rung(Stage::Http).is_some_and(|r| r.fact(seen::CHALLENGE).is_some()) => {
            Say::new("rung-token-basic")
        }
        _ => Say::new("rung-skipped"),
    }
}

/// Addresses and how each was met, where that is of this kind.
fn tried(rung: &Rung, kind: impl Fn(&str) -> bool) -> String {
    let pairs = rung.all(seen::ADDRESS).zip(rung.all(seen::ADDRESS_OUTCOME));
    let shown: Vec<String> =
        pairs.filter(|(_, how)| kind(how)).take(4).map(|(at, how)| format!("{at} {how}")).collect();
    shown.join(", ")
}

/// The server's own certificate; with the product that signed it, where that is one that signs anew.
fn chain(rung: &Rung, key: &'static str) -> Option<Say> {
    let args = [
        ("subject", seen::CERTIFICATE),
        ("issuer", seen::CERTIFICATE_ISSUER),
        ("until", seen::CERTIFICATE_NOT_AFTER),
    ];
    Some(
        of(rung, key, &args)?
            .with("version", or_none(rung, seen::TLS_VERSION))
            .with("product", or_none(rung, seen::CHAIN_INTERCEPTOR)),
    )
}

/// Seconds by which the registry's clock is off, where that is worth a word.
fn clock_off(rung: &Rung) -> Option<String> {
    let seconds: i64 = rung.fact(seen::CLOCK_OFFSET)?.parse().ok()?;
    (seconds.abs() > 60).then(|| seconds.to_string())
}
