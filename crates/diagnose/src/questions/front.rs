//! What stands in front of a registry, and how it answers other clients: realms, methods, headers, limits.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, PROBE, Question, Seen};
use crate::questions::climbs;
use crate::questions::hosts::{is_private, name_of, same_host};
use crate::questions::words::quote;
use crate::requests::Request;
use crate::subject::Subject;
use facts::Place;
use formats::url::host_of;
use report::{Evidence, Say};
use vocabulary::Phase;

/// The realm of a Bearer challenge.
fn realm(request: &Request<'_>) -> Option<String> {
    let challenge = request.curl.header("www-authenticate")?;
    let rest = challenge.split_once("realm=\"")?.1;
    rest.split('"').next().map(str::to_owned)
}

fn realm_wrong(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for request in case.requests().iter().filter(|r| same_host(r.curl.host(), &pull.registry)) {
        let Some(realm) = realm(request).filter(|r| r.contains("://")) else { continue };
        let asked_securely = request.curl.scheme() == "https";
        let downgraded = asked_securely && realm.starts_with("http://");
        let elsewhere = is_private(host_of(&realm)) && name_of(host_of(&realm)) != name_of(&pull.registry);
        let says = Say::new("evidence-realm").with("realm", realm.clone());
        if downgraded || elsewhere {
            return Seen::yes(request.shows(says));
        }
        return Seen::no(request.shows(says));
    }
    // The words alone: a token service at an address that is private, and not the registry's own.
    let token = pull.observations.iter().find(|o| o.reading.phase == Some(Phase::Token));
    if let Some(o) = token
        && let Some(host) = o.reading.endpoint_host.as_deref()
        && is_private(host)
        && !pull.registry.is_empty()
        && name_of(host) != name_of(&pull.registry)
    {
        return Seen::yes(quote(o, Say::new("evidence-realm").with("realm", host)));
    }
    climbs::realm_gives_none(case, pull)
}

/// Does the challenge send clients to a token service that they cannot or must not use?
pub static REALM_WRONG: Question = Question { id: "ask-realm-wrong", ask: realm_wrong, test: PROBE };

fn through_proxy(request: &Request<'_>) -> bool {
    request.curl.proxy.is_some()
}

fn sends_credentials(request: &Request<'_>) -> bool {
    request.curl.with_credential
}

/// The same token for the same path: refused at the registry's public name, taken where it listens inside.
fn refused_in_front<'c>(case: &'c Case<'_>, pull: &Pull<'_>) -> Option<(&'c Request<'c>, &'c Request<'c>)> {
    let inside = |r: &Request<'_>| {
        let name = name_of(r.curl.host());
        !same_host(name, &pull.registry)
            && (!name.contains('.') || name.contains(".svc") || name.ends_with(".local") || is_private(name))
    };
    let tokens = || case.requests().iter().filter(|r| r.curl.with_token && r.curl.path().starts_with("/v2/"));
    tokens().filter(|r| same_host(r.curl.host(), &pull.registry) && r.curl.status() == Some(401)).find_map(
        |front| {
            let behind = tokens().find(|r| {
                inside(r)
                    && r.curl.path() == front.curl.path()
                    && r.curl.status().is_some_and(|s| (200..300).contains(&s))
            })?;
            Some((front, behind))
        },
    )
}

fn authorization_dropped(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let sent: Vec<_> = case.requests().iter().filter(|r| sends_credentials(r)).collect();
    for through in sent.iter().filter(|r| through_proxy(r) && r.curl.status() == Some(401)) {
        let direct = sent.iter().find(|d| {
            !through_proxy(d) && d.curl.url == through.curl.url && d.curl.status().is_some_and(|s| s < 300)
        });
        if let Some(direct) = direct {
            return Seen::Is(
                Answer::Yes,
                vec![
                    through.shows(Say::new("evidence-refused-through-proxy")),
                    direct.shows(Say::new("evidence-accepted-directly")),
                ],
            );
        }
    }
    if let Some((front, behind)) = refused_in_front(case, pull) {
        return Seen::Is(
            Answer::Yes,
            vec![
                front.shows(Say::new("evidence-refused-in-front")),
                behind.shows(Say::new("evidence-accepted-behind")),
            ],
        );
    }
    for words in [
        "proxy_set_header Authorization",
        "RequestHeader unset Authorization",
        "http-request del-header Authorization",
    ] {
        let lines = case.lines_with(words);
        let in_front = |l: &&crate::lines::Line<'_>| {
            matches!(l.place(), Some(Place::Registry | Place::Node))
                && !l.text.contains("$http_authorization")
                && case.is_of_registry(l, pull)
        };
        if let Some(line) = lines.iter().find(in_front) {
            return Seen::yes(line.shows(Say::new("evidence-front-replaces-authorization")));
        }
    }
    climbs::authorization_dropped(case, pull)
}

/// Does something on the way drop or replace the Authorization header?
pub static AUTHORIZATION_DROPPED: Question =
    Question { id: "ask-authorization-dropped", ask: authorization_dropped, test: PROBE };

/// Basic is what is asked for: no token is fetched, and whether tokens are accepted plays no part.
fn asks_basic(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let basic = |r: &&Request<'_>| {
        same_host(r.curl.host(), &pull.registry)
            && r.curl.header("www-authenticate").is_some_and(|c| {
                let all = formats::challenge::parse(c);
                !all.is_empty() && all.iter().all(|c| c.is("basic"))
            })
    };
    let says = Say::new("evidence-asks-basic");
    case.requests().iter().find(basic).map(|r| r.shows(says))
}

fn token_realm_off(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some(evidence) = asks_basic(case, pull) {
        return Seen::no(evidence);
    }
    for line in case.lines_with("DockerToken").iter().filter(|l| case.is_of_registry(l, pull)) {
        // The list of active realms is what counts; `available` lists what could be switched on.
        let crate::lines::Source::Document(document) = line.source else { continue };
        let Some(active) = document.text.split_once("\"active\"").map(|(_, rest)| rest) else { continue };
        let active = active.split(']').next().unwrap_or_default();
        let says = Say::new("evidence-active-realms");
        return if active.contains("DockerToken") {
            Seen::no(line.shows(says))
        } else {
            Seen::yes(line.shows(says))
        };
    }
    // Basic passes where the token service refuses the same account: the token source is off.
    let of_registry = || {
        case.requests().iter().filter(|r| same_host(r.curl.host(), &pull.registry) && sends_credentials(r))
    };
    let refused = of_registry().find(|r| r.curl.path().contains("token") && r.curl.status() == Some(401));
    let passed =
        of_registry().find(|r| r.curl.path().contains("/manifests/") && r.curl.status() == Some(200));
    match (refused, passed) {
        (Some(refused), Some(passed)) => Seen::Is(
            Answer::Yes,
            vec![
                refused.shows(Say::new("evidence-token-refused")),
                passed.shows(Say::new("evidence-basic-passes")),
            ],
        ),
        _ => climbs::realm_gives_none(case, pull),
    }
}

/// Is the registry's token realm switched off?
pub static TOKEN_REALM_OFF: Question =
    Question { id: "ask-token-realm-off", ask: token_realm_off, test: PROBE };

fn head_refused(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let of_registry = || case.requests().iter().filter(|r| same_host(r.curl.host(), pull.asked_host()));
    let is_head = |r: &Request<'_>| r.curl.method == "HEAD";
    for head in of_registry().filter(|r| is_head(r) && r.curl.status().is_some_and(|s| s >= 400 && s != 401))
    {
        let get = of_registry()
            .find(|r| !is_head(r) && r.curl.url == head.curl.url && r.curl.status() == Some(200));
        if let Some(get) = get {
            return Seen::Is(
                Answer::Yes,
                vec![
                    head.shows(Say::new("evidence-head-refused")),
                    get.shows(Say::new("evidence-get-passes")),
                ],
            );
        }
    }
    climbs::head_refused(case, pull)
}

/// Is HEAD refused where GET passes?
pub static HEAD_REFUSED: Question = Question { id: "ask-head-refused", ask: head_refused, test: PROBE };

fn token_invalid(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    climbs::token_invalid(case, pull)
}

/// Does the registry refuse the token itself, whatever it is for?
pub static TOKEN_INVALID: Question = Question { id: "ask-token-invalid", ask: token_invalid, test: None };
