//! Who answered: the registry's API, another program at that host, a device in front of it, or a cache that repeats what
//! its upstream said.

use crate::case::Case;
use crate::lines::Line;
use crate::pull::Pull;
use crate::question::{Answer, PROBE, Question, Seen, Test};
use crate::questions::climbs;
use crate::questions::hosts::{is_api, is_api_path, name_of, same_host};
use crate::questions::words::quote;
use crate::requests::Request;
use crate::subject::Subject;
use facts::{Place, Why};
use report::{Evidence, Say};
use vocabulary::Cause;

/// The requests to the API's root of the host that was asked, at the port that was asked.
fn to_root<'c, 'a>(case: &'c Case<'a>, host: &'c str) -> impl Iterator<Item = &'c Request<'a>> {
    case.requests().iter().filter(move |r| {
        let path = r.curl.path().split('?').next().unwrap_or_default();
        same_host(r.curl.host(), host)
            && port_of(r.curl.host()) == port_of(host)
            && matches!(path.trim_end_matches('/'), "/v2")
    })
}

fn port_of(host: &str) -> Option<&str> {
    host.strip_prefix(name_of(host)).filter(|p| !matches!(*p, "" | ":443" | ":80"))
}

fn not_a_registry(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let host = pull.asked_host();
    let of_host = case
        .requests()
        .iter()
        .filter(|r| same_host(r.curl.host(), host) && port_of(r.curl.host()) == port_of(host));
    if let Some(r) = of_host.into_iter().find(|r| r.curl.is_registry()) {
        return Seen::no(r.shows(Say::new("evidence-registry-answers").with("host", host)));
    }
    // Somebody's page at the API's root: neither refused (a device may do that) nor out of order. A redirect's own page says
    // nothing: where it leads does, and to the API again leads whoever asks for https.
    let leads_away =
        |r: &&Request<'_>| r.curl.header("location").is_some_and(|to| !(is_api(to) || is_api_path(to)));
    let page = |r: &&Request<'_>| {
        r.curl.is_html()
            && match r.curl.status() {
                Some(200 | 404 | 405 | 406 | 410) => true,
                Some(301..=303) => leads_away(r),
                _ => false,
            }
    };
    match to_root(case, host).find(page) {
        Some(r) => {
            let server = r.curl.header("server").unwrap_or("-").to_owned();
            Seen::yes(
                r.shows(Say::new("evidence-page-at-api-root").with("host", host).with("server", server)),
            )
        }
        None => climbs::way::another_program(case, pull),
    }
}

/// Does another program than a registry answer at the API's root?
pub static NOT_A_REGISTRY: Question = Question {
    id: "ask-not-a-registry",
    ask: not_a_registry,
    test: Some(Test {
        cost: 1,
        vantage: "here",
        command: |_, pull, _| format!("curl -sSi https://{}/v2/", pull.asked_host()),
    }),
};

/// How a registry's log says that somebody else refused it.
const REFUSED: &[&str] = &[
    "401",
    "403",
    "nauthorized",
    "UNAUTHORIZED",
    "enied",
    "DENIED",
    "orbidden",
    "incorrect username or password",
];

/// The hosts that a line names as a URL's.
fn hosts_in(line: &str) -> impl Iterator<Item = &str> {
    line.split("://").skip(1).map(|rest| {
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || ".-:_".contains(c))).unwrap_or(rest.len());
        rest.get(..end).unwrap_or_default().trim_end_matches(':')
    })
}

fn is_foreign(pull: &Pull<'_>, host: &str) -> bool {
    host.contains('.') && !same_host(host, &pull.registry) && !same_host(host, pull.asked_host())
}

fn is_bad(line: &str) -> bool {
    let level = line.to_ascii_lowercase();
    ["error", "warn", "fail", "fatal"].iter().any(|w| level.contains(w))
}

fn upstream_refuses(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for scheme in ["https://", "http://"] {
        let of_it = |l: &&Line<'_>| l.place() == Some(Place::Registry) && case.is_of_registry(l, pull);
        for line in case.lines_with(scheme).iter().filter(of_it) {
            let refused = REFUSED.iter().any(|w| line.text.contains(w));
            let foreign = hosts_in(line.text).find(|h| is_foreign(pull, h));
            if let Some(host) = foreign.filter(|_| is_bad(line.text) && refused) {
                return Seen::yes(line.shows(Say::new("evidence-upstream-refuses").with("host", host)));
            }
        }
    }
    fetch_refused(case, pull).unwrap_or(Seen::Blind(Why::NotAsked))
}

/// How a cache says that it was fetching from somebody else. Sources: Harbor src/server/middleware/repoproxy/proxy.go,
/// Distribution registry/proxy.
const FETCHING: &[&str] = &["failed to proxy", "proxying", "from upstream", "from remote", "remote registry"];
const UNKNOWN_ACCOUNT: &[&str] =
    &["authentication credentials", "unauthorized", "incorrect username or password", "access denied"];

/// A line about this very image that names no host: the cache was refused where it fetches.
fn fetch_refused(case: &Case<'_>, pull: &Pull<'_>) -> Option<Seen> {
    let lines = case.lines_with(&path_of(&pull.image));
    let line = lines.iter().filter(|l| l.place() == Some(Place::Registry)).find(|l| {
        let lower = l.text.to_ascii_lowercase();
        let says = |list: &[&str]| list.iter().any(|w| lower.contains(w));
        says(FETCHING) && says(UNKNOWN_ACCOUNT)
    })?;
    Some(Seen::yes(line.shows(Say::new("evidence-fetch-refused"))))
}

/// How a registry says that it may not ask more often for now. Source: Docker Hub's 429, RFC 6585.
const LIMITED: &[&str] = &["toomanyrequests", "429 Too Many Requests", "pull rate limit", "TOOMANYREQUESTS"];

/// The registry's log of a fetch of its own, from another, that met a limit.
fn upstream_limits(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for word in LIMITED {
        let fetched = |l: &&Line<'_>| {
            let lower = l.text.to_ascii_lowercase();
            l.place() == Some(Place::Registry)
                && is_bad(l.text)
                && case.is_of_registry(l, pull)
                && (FETCHING.iter().any(|w| lower.contains(w))
                    || hosts_in(l.text).any(|h| is_foreign(pull, h) && !is_advice(h)))
        };
        if let Some(line) = case.lines_with(word).iter().find(fetched) {
            return Seen::yes(line.shows(Say::new("evidence-upstream-limits")));
        }
    }
    Seen::Blind(Why::NotAsked)
}

/// Hosts of pages that the sentence about a limit points to.
fn is_advice(host: &str) -> bool {
    matches!(host, "www.docker.com" | "docs.docker.com" | "docker.com")
}

/// Does the registry's own log say that its upstream limits it?
pub static UPSTREAM_LIMITS: Question =
    Question { id: "ask-upstream-limits", ask: upstream_limits, test: None };

/// How programs say that a connection of theirs came to nothing: Java's HttpClient, Go's net, curl.
const NOT_REACHED: &[&str] = &[
    "connect timed out",
    "Connection timed out",
    "i/o timeout",
    "Connection refused",
    "connection refused",
    "UnknownHostException",
    "no such host",
    "Could not resolve host",
];

/// The registry's log of a request that it made itself, to another host, and that came to nothing.
fn upstream_not_reached(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for words in NOT_REACHED {
        for line in case.lines_with(words).iter().filter(|l| l.place() == Some(Place::Registry)) {
            // `dial tcp: lookup HOST`, `Connect to HOST:443`, `Get "https://HOST/`
            let words =
                line.text.split([' ', '"', '\'', '/', '=', ',']).map(|w| w.trim_matches([':', '(', ')']));
            let host = words.filter(|w| w.contains('.') && !w.ends_with('.')).find(|w| {
                let name = name_of(w);
                is_foreign(pull, w)
                    && name
                        .split('.')
                        .next_back()
                        .is_some_and(|t| t.len() > 1 && t.bytes().all(|b| b.is_ascii_alphabetic()))
                    && name
                        .bytes()
                        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-'))
            });
            if let Some(host) = host.filter(|_| is_bad(line.text)) {
                let says = Say::new("evidence-upstream-not-reached").with("host", host);
                return Seen::yes(line.shows(says));
            }
        }
    }
    Seen::Blind(Why::NotAsked)
}

/// Does the registry's own log say that it could not reach its upstream?
pub static UPSTREAM_NOT_REACHED: Question =
    Question { id: "ask-upstream-not-reached", ask: upstream_not_reached, test: None };

/// Does the registry's own log say that its upstream refused it?
pub static UPSTREAM_REFUSES: Question = Question {
    id: "ask-upstream-refuses",
    ask: upstream_refuses,
    test: Some(Test {
        cost: 9,
        vantage: "registry",
        command: |_, pull, _| {
            format!("docker logs REGISTRY 2>&1 | grep -E '{}|401|403'", path_of(&pull.image))
        },
    }),
};

fn path_of(image: &str) -> String {
    let whole = formats::reference::repository_of(image);
    whole.split_once('/').map_or(whole.clone(), |(_, path)| path.to_owned())
}

/// What a front end writes when its own list of addresses refuses. Sources: nginx ngx_http_access_module, Apache
/// mod_authz_core, HAProxy.
const BY_ADDRESS: &[&str] = &["access forbidden by rule", "client denied by server configuration"];

/// One request of two machines, with no name given by either: refused here, and served there.
fn served_to_another(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    let named = |r: &Request<'_>| {
        let line = r.output.command.to_ascii_lowercase();
        [" -u ", "--user", "authorization"].iter().any(|w| line.contains(w))
    };
    let bare = case.requests().iter().filter(|r| same_host(r.curl.host(), pull.asked_host()) && !named(r));
    let all: Vec<&Request<'_>> = bare.collect();
    let of = |r: &Request<'_>| r.output.node.clone().filter(|n| !n.is_empty());
    let here = |r: &&&Request<'_>| of(r).is_some_and(|n| n == pull.node) && r.curl.status() == Some(403);
    all.iter().filter(here).find_map(|refused| {
        let same = |r: &&&Request<'_>| {
            of(r).is_some_and(|n| n != pull.node)
                && r.curl.path() == refused.curl.path()
                && matches!(r.curl.status(), Some(200 | 401))
        };
        let served = all.iter().find(same)?;
        let says = |key| Say::new(key).with("host", pull.asked_host().to_owned());
        Some(vec![
            refused.shows(says("evidence-address-refused")),
            served.shows(says("evidence-other-node-reaches")),
        ])
    })
}

fn address_refused(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some(shown) = served_to_another(case, pull) {
        return Seen::Is(Answer::Yes, shown);
    }
    if let Some(o) = pull.observations.iter().find(|o| o.reading.cause == Cause::AuthzIpBlocked) {
        return Seen::yes(quote(o, Say::new("evidence-address-refused")));
    }
    for word in BY_ADDRESS {
        let of_it = |l: &&Line<'_>| l.place() == Some(Place::Registry) && case.is_of_registry(l, pull);
        if let Some(line) = case.lines_with(word).iter().find(of_it) {
            return Seen::yes(line.shows(Say::new("evidence-address-refused")));
        }
    }
    // The body of an answer, read like any other words.
    let mut of_host = case.requests().iter().filter(|r| same_host(r.curl.host(), pull.asked_host()));
    let said = of_host.find(|r| r.means().any(|c| c == Cause::AuthzIpBlocked));
    match said {
        Some(r) => Seen::yes(r.shows(Say::new("evidence-address-refused"))),
        None => climbs::by_another_than_the_api(case, pull),
    }
}

/// Is it the client's address that is refused?
pub static ADDRESS_REFUSED: Question =
    Question { id: "ask-address-refused", ask: address_refused, test: PROBE };

fn front_refuses(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let refused = |r: &&Request<'_>| {
        same_host(r.curl.host(), pull.asked_host())
            && matches!(r.curl.status(), Some(401 | 403 | 406 | 429 | 451))
    };
    // A proxy that opens no tunnel let nothing through: neither a front end nor the registry was asked.
    let all: Vec<_> = case.requests().iter().filter(refused).filter(|r| !r.curl.no_tunnel()).collect();
    if let Some(r) = all.iter().find(|r| r.curl.status() == Some(403) && r.curl.is_registry()) {
        return Seen::no(r.shows(Say::new("evidence-registry-answers").with("host", pull.asked_host())));
    }
    match all.iter().find(|r| r.curl.status() != Some(401) && r.curl.is_html()) {
        Some(r) => {
            let server = r.curl.header("server").unwrap_or("-").to_owned();
            let host = pull.asked_host().to_owned();
            Seen::yes(r.shows(Say::new("evidence-page-refuses").with("host", host).with("server", server)))
        }
        None => climbs::by_another_than_the_api(case, pull),
    }
}

/// Is it a page of a front end that refuses, and not the registry's API?
pub static FRONT_REFUSES: Question = Question { id: "ask-front-refuses", ask: front_refuses, test: PROBE };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Answer;
    use crate::testing::Scene;
    use vocabulary::Confidence;

    const IMAGE: &str = "reg.example.com/team/app:1";
    const PAGE: &str =
        "HTTP/1.1 404 Not Found\nContent-Type: text/html\nServer: nginx\n\n<html><title>404</title></html>\n";
    const API: &str = "HTTP/1.1 401 Unauthorized\nDocker-Distribution-Api-Version: registry/2.0\n\n";

    fn scene(symptom: Cause) -> Scene {
        Scene::pod(IMAGE, &[]).symptom(symptom).words("unexpected status")
    }

    #[test]
    fn a_cache_that_cannot_reach_its_upstream_says_so() {
        let logged = |place: Place, line: &str| {
            scene(Cause::BlobUnknown)
                .document(place, "registry/service.log", line)
                .ask(&UPSTREAM_NOT_REACHED, &Subject::Cluster)
        };
        let line = "[WARN ] IO error: ConnectTimeoutException: Connect to blobs.example.net:443 failed: connect timed out";
        assert_eq!(logged(Place::Registry, line), Some(Answer::Yes));
        assert_eq!(logged(Place::Node, line), None, "another program's log");
        assert_eq!(logged(Place::Registry, &line.replace("blobs.example.net", "reg.example.com")), None);
        assert_eq!(
            logged(Place::Registry, "level=error msg=\"redis: dial tcp 10.0.0.3:6379: i/o timeout\""),
            None
        );
    }

    #[test]
    fn a_cache_that_is_limited_upstream_says_so() {
        let logged = |place: Place, line: &str| {
            scene(Cause::ManifestUnknown).document(place, "registry/service.log", line)
        };
        let line = "level=error msg=\"Error fetching from remote: toomanyrequests: You have reached your pull rate limit\"";
        assert_eq!(logged(Place::Registry, line).verdict().0, Cause::RateLimited);
        assert_eq!(logged(Place::Node, line).ask(&UPSTREAM_LIMITS, &Subject::Cluster), None);
        let own = "level=error msg=\"client 10.0.0.9: 429 Too Many Requests\"";
        assert_eq!(logged(Place::Registry, own).ask(&UPSTREAM_LIMITS, &Subject::Cluster), None);
    }

    #[test]
    fn a_page_at_the_apis_root_is_no_registry() {
        let asked = |url: &str, text: &str| {
            scene(Cause::RegistryBadResponse).output(&format!("curl -sSi {url}"), text)
        };
        let page = asked("https://reg.example.com/v2/", PAGE);
        assert_eq!(page.verdict().0, Cause::RegistryNotARegistry);
        let both = page.output("curl -sSI https://reg.example.com/v2/", API);
        assert_eq!(both.ask(&NOT_A_REGISTRY, &Subject::Cluster), Some(Answer::No));
        // A redirect to the API's own root says nothing of who is there; one to a page does.
        let moved = |to: &str| {
            let text = format!("HTTP/2 301\ncontent-type: text/html\nlocation: {to}\n");
            asked("https://reg.example.com/v2/", &text).ask(&NOT_A_REGISTRY, &Subject::Cluster)
        };
        assert_eq!(moved("https://reg.example.com/v2/"), None);
        assert_eq!(moved("/v2"), None);
        assert_eq!(moved("https://reg.example.com/login?next=/v2/"), Some(Answer::Yes));
        // Another path, another port: nothing is said of the API's root.
        assert_eq!(asked("https://reg.example.com/", PAGE).ask(&NOT_A_REGISTRY, &Subject::Cluster), None);
        assert_eq!(
            asked("https://reg.example.com:8443/v2/", PAGE).ask(&NOT_A_REGISTRY, &Subject::Cluster),
            None
        );
    }

    #[test]
    fn a_page_that_refuses_is_a_front_ends() {
        let page = PAGE.replace("404 Not Found", "403 Forbidden");
        let front = scene(Cause::AuthzDenied).output("curl -sSi https://reg.example.com/v2/", &page);
        assert_eq!(front.verdict().0, Cause::AuthzBlockedByGateway);
        assert_ne!(front.verdict().1, Confidence::Confirmed, "an address may be what it refuses");
        for words in
            ["Received HTTP code 403 from proxy after CONNECT", "CONNECT tunnel failed, response 403"]
        {
            let tunnel =
                format!("< HTTP/1.1 403 Forbidden\n< Content-Type: text/html\n< \ncurl: (56) {words}\n");
            let proxy = scene(Cause::AuthzDenied)
                .output("curl -v -x http://p.example.com:3128 https://reg.example.com/v2/", &tunnel);
            assert_eq!(proxy.ask(&FRONT_REFUSES, &Subject::Cluster), None, "the proxy's own: {words}");
        }
        let own = "HTTP/1.1 403 Forbidden\n\n{\"errors\":[{\"code\":\"DENIED\",\"message\":\"no\"}]}\n";
        let own = scene(Cause::AuthzDenied).output("curl -sSi https://reg.example.com/v2/", own);
        assert_eq!(own.ask(&FRONT_REFUSES, &Subject::Cluster), Some(Answer::No));
    }

    #[test]
    fn a_list_of_addresses_is_told_from_a_refused_account() {
        let rule = "access forbidden by rule, client: 203.0.113.7, server: reg.example.com";
        let by_rule = scene(Cause::AuthzDenied).document(Place::Registry, "registry/error.log", rule);
        assert_eq!(by_rule.verdict().0, Cause::AuthzIpBlocked);
        let elsewhere = scene(Cause::AuthzDenied).document(Place::Ci, "ci/build.log", rule);
        assert_ne!(elsewhere.verdict().0, Cause::AuthzIpBlocked);
    }

    #[test]
    fn a_caches_log_names_the_upstream_that_refused() {
        let logged = |line: &str| {
            let scene = scene(Cause::RegistryServerError);
            scene
                .document(Place::Registry, "registry/core.log", line)
                .ask(&UPSTREAM_REFUSES, &Subject::Cluster)
        };
        let refused = "level=error msg=\"Get https://registry-1.docker.io/v2/a: unauthorized\"";
        assert_eq!(logged(refused), Some(Answer::Yes));
        assert_eq!(logged("level=error msg=\"Get https://registry-1.docker.io/v2/a: timeout\""), None);
        assert_eq!(logged("level=error msg=\"https://reg.example.com/v2/a 401 unauthorized\""), None);
        assert_eq!(logged("level=info msg=\"https://registry-1.docker.io/v2/ 401\""), None);
        let own = "[ERROR] failed to proxy manifest, fallback to local, request uri: /v2/team/app/manifests/1, error: ";
        let login = "login to hub error: {\"detail\":\"Incorrect authentication credentials\"}";
        assert_eq!(logged(&format!("{own}{login}")), Some(Answer::Yes));
        assert_eq!(logged(&format!("{own}connection refused")), None);
    }

    #[test]
    fn the_same_request_of_another_machine_shows_that_the_address_is_refused() {
        let with = |command: &str, here: &str, there: &str| {
            let scene = Scene::pod("r.example.com/a:1", &[])
                .output(command, &format!("HTTP/2 {here}\n"))
                .output(command, &format!("HTTP/2 {there}\n"));
            scene
                .change(|s| {
                    s.outputs[0].node = Some("worker-1".into());
                    s.outputs[1].node = Some("worker-2".into());
                })
                .ask(&ADDRESS_REFUSED, &Subject::Cluster)
        };
        let bare = "curl -sSi https://r.example.com/v2/a/manifests/1";
        assert_eq!(with(bare, "403", "200"), Some(Answer::Yes));
        assert_ne!(with(bare, "403", "403"), Some(Answer::Yes));
        let named = "curl -sSi -u u:p https://r.example.com/v2/a/manifests/1";
        assert_ne!(with(named, "403", "200"), Some(Answer::Yes), "another account, maybe");
    }
}
