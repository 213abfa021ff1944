//! What stands in front of a registry, and how it answers other clients: realms, methods, headers, limits.

use crate::case::Case;
use crate::pull::{Observation, Pull};
use crate::question::{Answer, PROBE, Question, Seen};
use crate::questions::hosts::{is_private, name_of, same_host};
use crate::questions::places::user;
use crate::questions::words::quote;
use crate::questions::{climbs, proxies};
use crate::requests::Request;
use crate::subject::Subject;
use facts::{Place, Why};
use formats::url::host_of;
use report::{Evidence, Say};
use vocabulary::{Cause, Phase, Stage};

/// The realm of a Bearer challenge.
fn realm(request: &Request<'_>) -> Option<String> {
    let challenge = request.curl.header("www-authenticate")?;
    let rest = challenge.split_once("realm=\"")?.1;
    rest.split('"').next().map(str::to_owned)
}

/// Whether the attempt ended before any answer, on the way to a request for the image itself: a token service was not asked.
fn before_any_token<'o, 'a>(pull: &'o Pull<'a>) -> Option<&'o Observation<'a>> {
    let o = pull.deciding()?;
    let url = o.reading.url.as_deref()?;
    let for_image = ["/manifests/", "/blobs/"].iter().any(|p| url.contains(p)) && url.contains("/v2/")
        || url.ends_with("/v2/");
    let on_the_way = matches!(o.reading.cause.stage(), Stage::Dns | Stage::Connect | Stage::Tls);
    (for_image && on_the_way && o.reading.phase != Some(Phase::Token)).then_some(o)
}

fn realm_wrong(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some(o) = before_any_token(pull) {
        return Seen::no(quote(
            o,
            Say::new("evidence-registry-itself-asked").with("host", pull.asked_host()),
        ));
    }
    // The client could not even read the address that the challenge gave it.
    let no_url = |o: &&Observation<'_>| {
        o.reading.cause == Cause::AuthChallengeInvalid
            && o.text.contains("parse \"http")
            && o.text.contains("in host name")
    };
    if let Some(o) = pull.deciding().filter(no_url) {
        return Seen::yes(quote(o, Say::new("evidence-realm").with("realm", "")));
    }
    for request in case.requests().iter().filter(|r| same_host(r.curl.host(), &pull.registry)) {
        let Some(realm) = realm(request).filter(|r| r.contains("://")) else { continue };
        let asked_securely = request.curl.scheme() == "https";
        let downgraded = asked_securely && realm.starts_with("http://");
        let port_twice = host_of(&realm).matches(':').count() > 1 && !host_of(&realm).contains('[');
        let elsewhere = is_private(host_of(&realm)) && name_of(host_of(&realm)) != name_of(&pull.registry);
        let says = Say::new("evidence-realm").with("realm", realm.clone());
        // There is no such thing as a token service that is not found: another program answers there.
        let not_there = pull.deciding().is_some_and(|o| {
            o.reading.phase == Some(Phase::Token)
                && matches!(o.reading.status, Some(404 | 405 | 410))
                && o.reading.endpoint_host.as_deref().is_some_and(|h| same_host(h, host_of(&realm)))
                && !same_host(host_of(&realm), &pull.registry)
        });
        if downgraded || elsewhere || port_twice || not_there {
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

/// The pull ended on the way to the very token service that the challenge names, at an address which is none to be given.
fn realm_leads_nowhere(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let ended = pull.deciding().filter(|o| {
        o.reading.phase == Some(Phase::Token)
            && (o.reading.cause == Cause::AuthTokenEndpointUnreachable
                || matches!(o.reading.cause.stage(), Stage::Dns | Stage::Connect | Stage::Tls))
    });
    let Some(o) = ended else { return Seen::Blind(Why::NotAsked) };
    let challenge = case.requests().iter().filter(|r| same_host(r.curl.host(), &pull.registry)).find(|r| {
        realm(r).is_some_and(|realm| {
            let host = host_of(&realm);
            let no_address = is_private(host) || host.matches(':').count() > 1 && !host.contains('[');
            no_address && !same_host(host, &pull.registry) && o.text.contains(host)
        })
    });
    match challenge {
        Some(r) => {
            let says = Say::new("evidence-realm").with("realm", realm(r).unwrap_or_default());
            Seen::Is(Answer::Yes, vec![r.shows(says.clone()), quote(o, says)])
        }
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Did the pull end on the way to the address that the challenge gave?
pub static REALM_LEADS_NOWHERE: Question =
    Question { id: "ask-realm-leads-nowhere", ask: realm_leads_nowhere, test: None };

/// Does the challenge send clients to a token service that they cannot or must not use?
pub static REALM_WRONG: Question = Question { id: "ask-realm-wrong", ask: realm_wrong, test: PROBE };

fn through_proxy(request: &Request<'_>) -> bool {
    request.curl.proxy.is_some()
}

fn sends_credentials(request: &Request<'_>) -> bool {
    request.curl.with_credential
}

/// Headers with which a shared cache or a content delivery network marks the answers that go through it: RFC 9110 7.6.3
/// (`via`), Varnish and Fastly (`x-varnish`, `x-served-by`), CloudFront (`x-amz-cf-id`), Cloudflare (`cf-ray`).
const CACHES: &[&str] = &["via", "x-cache", "x-varnish", "x-served-by", "x-amz-cf-id", "cf-ray"];

/// The same credentials for the same path by two host names: refused where a cache stands in front, taken by a registry
/// behind none.
fn refused_by_cache<'c>(case: &'c Case<'_>, pull: &Pull<'_>) -> Option<(&'c Request<'c>, &'c Request<'c>)> {
    let by_cache = |r: &Request<'_>| CACHES.iter().any(|name| r.curl.header(name).is_some());
    let sent =
        || case.requests().iter().filter(|r| sends_credentials(r) && r.curl.path().starts_with("/v2/"));
    sent()
        .filter(|r| same_host(r.curl.host(), &pull.registry) && r.curl.status() == Some(401) && by_cache(r))
        .find_map(|front| {
            let behind = sent().find(|r| {
                !same_host(r.curl.host(), &pull.registry)
                    && r.curl.path() == front.curl.path()
                    && r.curl.with_token == front.curl.with_token
                    && user(&r.output.command) == user(&front.output.command)
                    && r.curl.status().is_some_and(|s| (200..300).contains(&s))
                    && !by_cache(r)
            })?;
            Some((front, behind))
        })
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

/// The same request with the same credential: refused through the runtime's own proxy, taken without it.
fn refused_through<'c>(case: &'c Case<'_>) -> Option<(&'c Request<'c>, &'c Request<'c>)> {
    let sent = || case.requests().iter().filter(|r| sends_credentials(r));
    sent().filter(|r| through_proxy(r) && r.curl.status() == Some(401)).find_map(|through| {
        let direct = sent().find(|d| {
            !through_proxy(d) && d.curl.url == through.curl.url && d.curl.status().is_some_and(|s| s < 300)
        })?;
        Some((through, direct))
    })
}

fn dropped_on_own_way(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some((through, direct)) = refused_through(case) else { return Seen::Blind(Why::NotAsked) };
    let by = through.curl.proxy.as_deref().map(host_of).unwrap_or_default();
    let own = proxies::of_runtime_on(case, pull).iter().any(|value| !by.is_empty() && host_of(value) == by);
    if !own || !same_host(through.curl.host(), &pull.registry) {
        return Seen::Blind(Why::NotAsked);
    }
    Seen::Is(
        Answer::Yes,
        vec![
            through.shows(Say::new("evidence-refused-through-proxy")),
            direct.shows(Say::new("evidence-accepted-directly")),
        ],
    )
}

/// Was it the runtime's own proxy that dropped the header of a request which the registry takes?
pub static DROPPED_ON_OWN_WAY: Question =
    Question { id: "ask-dropped-on-own-way", ask: dropped_on_own_way, test: None };

fn authorization_dropped(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some((through, direct)) = refused_through(case) {
        return Seen::Is(
            Answer::Yes,
            vec![
                through.shows(Say::new("evidence-refused-through-proxy")),
                direct.shows(Say::new("evidence-accepted-directly")),
            ],
        );
    }
    if let Some((front, behind)) = refused_in_front(case, pull).or_else(|| refused_by_cache(case, pull)) {
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
    match basic_passes(case, pull, &Subject::Cluster) {
        Seen::Blind(_) => climbs::realm_gives_none(case, pull),
        seen => seen,
    }
}

/// Basic passes where the token service refuses the same account: the token source is off.
fn basic_passes(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let of_registry = || {
        case.requests().iter().filter(|r| same_host(r.curl.host(), &pull.registry) && sends_credentials(r))
    };
    let refused = of_registry().find(|r| r.curl.path().contains("token") && r.curl.status() == Some(401));
    let passed = of_registry().find(|r| {
        r.curl.path().contains("/manifests/") && r.curl.status() == Some(200) && !r.curl.with_token
    });
    match (refused, passed) {
        (Some(refused), Some(passed)) => Seen::Is(
            Answer::Yes,
            vec![
                refused.shows(Say::new("evidence-token-refused")),
                passed.shows(Say::new("evidence-basic-passes")),
            ],
        ),
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// Does the registry take an account by Basic that its token service refuses?
pub static BASIC_PASSES: Question = Question { id: "ask-basic-passes", ask: basic_passes, test: None };

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;

    const ANY: Subject = Subject::Cluster;
    const PING: &str = "curl -sSI https://r.example.com/v2/";

    fn challenge(realm: &str) -> String {
        format!("HTTP/2 401\nwww-authenticate: Bearer realm=\"{realm}\",service=\"r\"\n")
    }

    /// A pull that ended so, with all that its words state.
    fn ended(words: &str) -> Scene {
        Scene::pod("r.example.com/a:1", &[]).stating(words)
    }

    #[test]
    fn who_never_came_to_the_registry_was_given_no_realm() {
        let manifest = "failed to do request: Head \"https://r.example.com/v2/a/manifests/1\": dial tcp 203.0.113.7:443: i/o timeout";
        let token = "failed to fetch anonymous token: Get \"https://auth.example.com/token?scope=a\": dial tcp 203.0.113.7:443: i/o timeout";
        assert_eq!(ended(manifest).ask(&REALM_WRONG, &ANY), Some(Answer::No));
        assert_ne!(ended(token).ask(&REALM_WRONG, &ANY), Some(Answer::No));
    }

    #[test]
    fn a_realm_with_two_ports_is_none() {
        let asked =
            |realm: &str| ended("401 Unauthorized").output(PING, &challenge(realm)).ask(&REALM_WRONG, &ANY);
        assert_eq!(asked("https://r.example.com:443:443/token"), Some(Answer::Yes));
        assert_eq!(asked("https://r.example.com:443/token"), Some(Answer::No));
    }

    #[test]
    fn a_pull_that_ends_at_the_address_of_the_challenge_shows_where_it_leads() {
        let words = "failed to authorize: failed to fetch anonymous token: Get \"https://10.9.0.4:8443/token?scope=a\": dial tcp 10.9.0.4:8443: i/o timeout";
        let asked =
            |realm: &str| ended(words).output(PING, &challenge(realm)).ask(&REALM_LEADS_NOWHERE, &ANY);
        assert_eq!(asked("https://10.9.0.4:8443/token"), Some(Answer::Yes));
        assert_eq!(asked("https://10.9.0.5:8443/token"), None, "another address than the pull ended at");
        assert_eq!(asked("https://auth.example.com/token"), None);
    }

    #[test]
    fn a_cache_that_forwards_no_credentials_is_seen_by_two_names() {
        let asked = |front: &str, who: &str, path: &str, behind: &str| {
            let at = |user: &str, host: &str, path: &str| {
                format!("curl -sSI -u {user}:*** https://{host}/v2/a/manifests/{path}")
            };
            ended("401 Unauthorized")
                .output(&at("puller", "r.example.com", "1"), &format!("HTTP/2 401\n{front}\n"))
                .output(&at(who, "origin.example.com", path), &format!("{behind}\n"))
                .ask(&AUTHORIZATION_DROPPED, &ANY)
        };
        let (via, ok) = ("via: 1.1 a1.cloudfront.net (CloudFront)", "HTTP/1.1 200 OK");
        assert_eq!(asked(via, "puller", "1", ok), Some(Answer::Yes));
        assert_eq!(asked("x-varnish: 32770", "puller", "1", ok), Some(Answer::Yes));
        assert_eq!(asked("server: nginx", "puller", "1", ok), None, "two registries may have two accounts");
        assert_eq!(asked(via, "admin", "1", ok), None, "another account");
        assert_eq!(asked(via, "puller", "2", ok), None, "another path");
        assert_eq!(asked(via, "puller", "1", "HTTP/1.1 401 Unauthorized"), None);
    }

    #[test]
    fn basic_passes_only_where_the_token_service_refuses() {
        let asked = |token: &str| {
            ended("401 Unauthorized")
                .output("curl -sS -i -u a:b https://r.example.com/service/token?scope=a", token)
                .output("curl -sS -i -u a:b https://r.example.com/v2/a/manifests/1", "HTTP/2 200\n\n{}\n")
                .ask(&BASIC_PASSES, &ANY)
        };
        assert_eq!(asked("HTTP/2 401\n\n{}\n"), Some(Answer::Yes));
        assert_eq!(asked("HTTP/2 200\n\n{}\n"), None);
    }
}
