//! What the registry's side answered to requests made by hand, in headers and words: a policy that withholds, a
//! challenge that is missing, an upload address that leads elsewhere.

use crate::case::Case;
use crate::lines::Line;
use crate::pull::{Observation, Pull};
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::hosts::{is_private, name_of, same_host};
use crate::questions::words::quote;
use crate::requests::Request;
use crate::subject::Subject;
use facts::{Place, Why};
use formats::challenge;
use formats::message;
use formats::reference::repository_of;
use formats::url::{host_of, scheme_of};
use formats::yaml;
use report::Say;
use vocabulary::{Cause, Operation};

const PROBE: Option<Test> =
    Some(Test { cost: 1, vantage: "here", command: |_, pull, _| format!("pullproof probe {}", pull.image) });

/// Requests to the pull's registry.
fn to_registry<'c>(case: &'c Case<'_>, pull: &'c Pull<'_>) -> impl Iterator<Item = &'c Request<'c>> {
    case.requests().iter().filter(|r| same_host(r.curl.host(), &pull.registry))
}

/// Whether a request is about the pull's repository.
fn about(request: &Request<'_>, pull: &Pull<'_>) -> bool {
    let whole = repository_of(&pull.image);
    let path = whole.split_once('/').map_or(whole.as_str(), |(_, path)| path);
    !path.is_empty() && request.curl.path().contains(&format!("/{path}/"))
}

/// What an answer says of itself: its body, and the phrase of its status line, where some products write the reason.
fn reasons<'r>(request: &'r Request<'_>) -> impl Iterator<Item = String> + 'r {
    let phrases = request.output.text.lines().filter_map(|l| {
        let (_, status) = l.trim_start_matches(['<', ' ']).strip_prefix("HTTP/")?.split_once(' ')?;
        Some(format!("unexpected status from GET request to {}: {status}", request.curl.url))
    });
    std::iter::once(request.curl.body.clone()).chain(phrases)
}

fn withheld(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let told = to_registry(case, pull)
        .filter(|r| about(r, pull))
        .find(|r| reasons(r).any(|text| message::read(&text).cause == Cause::ManifestBlocked));
    let by_log = || withheld_by_log(case, pull).map(|l| l.shows(Say::new("evidence-policy-withholds")));
    match told.map(|r| r.shows(Say::new("evidence-policy-withholds"))).or_else(by_log) {
        Some(shown) => Seen::yes(shown),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// A line of the registry's log by which a policy keeps this very image back. Artifactory answers `manifest unknown` for
/// what Xray blocks and says why in its log alone (JFrog, "Blocked downloads").
fn withheld_by_log<'a>(case: &Case<'a>, pull: &Pull<'_>) -> Option<Line<'a>> {
    let whole = repository_of(&pull.image);
    let path = whole.split_once('/').map_or(whole.as_str(), |(_, path)| path);
    // The repository that keeps the image has another name than the virtual one that is asked.
    let name = path.split_once('/').map_or(path, |(_, name)| name);
    let tag = pull.image.strip_prefix(whole.as_str())?.trim_start_matches([':', '@']);
    let lines = case.lines_with(name);
    let line = lines.iter().find(|l| {
        let lower = l.text.to_ascii_lowercase();
        l.place() == Some(Place::Registry)
            && !tag.is_empty()
            && l.text.contains(tag)
            && lower.contains("polic")
            && ["blocked", "rejected", "quarantine"].iter().any(|w| lower.contains(w))
    });
    line.copied()
}

/// Does the registry say, asked by hand, that a policy withholds the image?
pub static WITHHELD: Question = Question { id: "ask-policy-withholds", ask: withheld, test: PROBE };

/// A line of the registry's log: it had no room for what was sent for this repository.
fn registry_full(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let whole = repository_of(&pull.image);
    let path = whole.split_once('/').map_or(whole.as_str(), |(_, path)| path);
    let about =
        |l: &&Line<'_>| l.place() == Some(Place::Registry) && !path.is_empty() && l.text.contains(path);
    let line = ["no space left on device", "disk quota exceeded", "No space left on device"]
        .iter()
        .find_map(|words| case.lines_with(words).iter().find(about).copied());
    match line {
        Some(line) => Seen::yes(line.shows(Say::new("evidence-registry-full"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Does the registry's log say that it has no room?
pub static REGISTRY_FULL: Question = Question { id: "ask-registry-full", ask: registry_full, test: None };

/// Whether a 401 came without a challenge. Only headers that were printed whole tell.
fn challenge_missing(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let whole = |r: &&Request<'_>| {
        r.curl.status() == Some(401)
            && r.curl.headers.len() > 1
            && !r.output.command.contains('|')
            && r.curl.path().starts_with("/v2/")
    };
    let mut all = to_registry(case, pull).filter(whole);
    let Some(first) = all.next() else { return Seen::Blind(Why::NotAsked) };
    let schemes = |r: &Request<'_>| -> Vec<String> {
        let headers = r.curl.headers.iter().filter(|(name, _)| name == "www-authenticate");
        headers.flat_map(|(_, value)| challenge::parse(value)).map(|c| c.scheme).collect()
    };
    let has = |r: &Request<'_>| r.curl.header("www-authenticate").is_some();
    match std::iter::once(first).chain(all).find(|r| has(r)) {
        Some(request) => match schemes(request).as_slice() {
            [] => Seen::no(request.shows(Say::new("evidence-challenge-sent"))),
            all if all.iter().any(|s| ANSWERED.iter().any(|a| s.eq_ignore_ascii_case(a))) => {
                Seen::no(request.shows(Say::new("evidence-challenge-sent")))
            }
            all => Seen::yes(
                request.shows(Say::new("evidence-challenge-unknown").with("schemes", all.join(", "))),
            ),
        },
        None => Seen::yes(first.shows(Say::new("evidence-challenge-missing"))),
    }
}

/// The schemes that container clients answer. Sources: containerd core/remotes/docker/auth, moby registry/auth.go,
/// containers/image docker/docker_client.go.
const ANSWERED: &[&str] = &["basic", "bearer"];

/// Is a 401 sent without a challenge that says how to log in?
pub static CHALLENGE_MISSING: Question =
    Question { id: "ask-challenge-missing", ask: challenge_missing, test: PROBE };

/// The front end takes the challenge away. Sources: nginx ngx_http_proxy_module, Apache mod_headers, HAProxy.
const HIDES: &[&str] = &[
    "proxy_hide_header WWW-Authenticate",
    "proxy_hide_header Www-Authenticate",
    "proxy_hide_header www-authenticate",
    "Header unset WWW-Authenticate",
    "del-header WWW-Authenticate",
];

fn challenge_hidden(case: &Case<'_>, _: &Pull<'_>, _: &Subject) -> Seen {
    let line = HIDES.iter().find_map(|w| case.lines_with(w).iter().find(|l| !is_comment(l.text)).copied());
    match line {
        Some(line) => Seen::yes(line.shows(Say::new("evidence-front-hides-challenge"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Does a front end take the challenge out of the answers?
pub static CHALLENGE_HIDDEN: Question =
    Question { id: "ask-challenge-hidden", ask: challenge_hidden, test: None };

/// Whether an upload is sent to an address that is not the registry's own: another scheme than the one asked.
fn location_wrong(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    for request in to_registry(case, pull).filter(|r| r.curl.path().contains("/blobs/uploads")) {
        let Some(location) = request.curl.header("location") else { continue };
        let Some(scheme) = scheme_of(location) else { continue };
        let host = host_of(location);
        let says = Say::new("evidence-upload-location")
            .with("location", location.split('?').next().unwrap_or_default());
        let downgraded =
            request.curl.scheme() == "https" && scheme == "http" && same_host(host, request.curl.host());
        return if downgraded { Seen::yes(request.shows(says)) } else { Seen::no(request.shows(says)) };
    }
    match sent_inside(pull) {
        Some((o, url)) => {
            let location = url.split('?').next().unwrap_or_default();
            Seen::yes(quote(o, Say::new("evidence-upload-location").with("location", location)))
        }
        None => Seen::Blind(Why::NotAsked),
    }
}

/// An upload that went to a host which only the registry's own network knows: the client took the address from the
/// registry's answer (distribution-spec, end-4a: `Location`).
fn sent_inside<'o, 'a>(pull: &'o Pull<'a>) -> Option<(&'o Observation<'a>, &'o str)> {
    pull.observations.iter().find_map(|o| {
        let url = o.reading.url.as_deref().filter(|u| u.contains("/blobs/uploads/"))?;
        let host = name_of(host_of(url));
        let inner = !host.contains('.') || host.contains(".svc") || is_private(host);
        let public = name_of(&pull.registry).contains('.') && !is_private(&pull.registry);
        (inner && public && !same_host(host, &pull.registry)).then_some((o, url))
    })
}

/// Does the registry's answer send the upload to another scheme?
pub static LOCATION_WRONG: Question =
    Question { id: "ask-upload-location", ask: location_wrong, test: PROBE };

/// The registry's own configuration has its read-only mode on. Sources: Distribution docs/configuration.md
/// (`maintenance.readonly.enabled`), Harbor's configuration API (`read_only`).
fn read_only_set(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let of_it = |l: &&Line<'_>| l.place() == Some(Place::Registry) && case.is_of_registry(l, pull);
    for line in case.lines_with("readonly:").iter().filter(of_it) {
        let crate::lines::Source::Document(document) = line.source else { continue };
        let Ok(value) = yaml::parse_text(&document.text) else { continue };
        let enabled = value.pointer("/storage/maintenance/readonly/enabled");
        if enabled.is_some_and(yaml::is_true) {
            return Seen::yes(line.shows(Say::new("evidence-registry-read-only")));
        }
    }
    let on = |l: &&Line<'_>| {
        let compact = l.text.replace(' ', "");
        compact.contains("\"read_only\":true") || compact.contains("\"read_only\":{\"value\":true")
    };
    let lines = case.lines_with("\"read_only\"");
    match lines.iter().filter(of_it).find(on) {
        Some(line) => Seen::yes(line.shows(Say::new("evidence-registry-read-only"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Is the registry set to read-only?
pub static READ_ONLY_SET: Question =
    Question { id: "ask-registry-read-only", ask: read_only_set, test: None };

/// How a front end says, or is told, how large a body may be. Sources: nginx ngx_http_core_module and its error log, Apache
/// core (AH00588), ingress-nginx annotations, Traefik's buffering middleware.
const LIMITS: &[&str] = &[
    "client intended to send too large body",
    "is larger than the configured limit",
    "client_max_body_size",
    "LimitRequestBody",
    "nginx.ingress.kubernetes.io/proxy-body-size",
    "maxRequestBodyBytes",
];

/// A limit of 0 is none.
fn body_limited(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let limits = |l: &&Line<'_>, word: &str| {
        let value = l.text.split_once(word).map(|(_, rest)| rest).unwrap_or_default();
        let value = value.trim_start_matches([':', '=', ' ', '"', '\'', '\t']);
        let none = value.starts_with('0') && !value.starts_with("0.");
        let of_registry = matches!(l.place(), Some(Place::Registry)) && case.is_of_registry(l, pull);
        of_registry && !is_comment(l.text) && (word.contains(' ') || !none && !value.is_empty())
    };
    let line = LIMITS.iter().find_map(|w| case.lines_with(w).iter().find(|l| limits(l, w)).copied());
    match line {
        Some(line) => Seen::yes(line.shows(Say::new("evidence-front-limits-body"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Does a front end limit the size of what is sent?
pub static BODY_LIMITED: Question = Question { id: "ask-body-limited", ask: body_limited, test: None };

/// Whether the words show an upload over plain HTTP to the registry's own host, with no port of its own.
fn uploads_plainly(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let plain = pull.observations.iter().find(|o| {
        let url = o.reading.url.as_deref().unwrap_or_default();
        let host = url.strip_prefix("http://").and_then(|r| r.split('/').next()).unwrap_or_default();
        url.contains("/blobs/uploads/")
            && host == name_of(host)
            && !host.is_empty()
            && name_of(&pull.registry) == host
    });
    let sent = plain.or_else(|| sent_inside(pull).map(|(o, _)| o));
    match sent.filter(|_| pull.operation == Operation::Push) {
        Some(o) => Seen::Is(Answer::Yes, vec![quote(o, Say::new("evidence-upload-plain"))]),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Was the upload sent over plain HTTP to the registry's own host?
pub static UPLOADS_PLAINLY: Question = Question { id: "ask-upload-plain", ask: uploads_plainly, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use vocabulary::Confidence;

    const ANY: Subject = Subject::Cluster;
    const MANIFEST: &str = "curl -sS -i https://r.example.com/v2/team/app/manifests/1";

    fn scene(cause: Cause) -> Scene {
        Scene::pod("r.example.com/team/app:1", &[]).symptom(cause)
    }

    #[test]
    fn a_registry_without_room_says_so_in_its_log() {
        let logged = |place: Place, line: &str| {
            let scene = scene(Cause::RegistryServerError).document(place, "registry/registry.log", line);
            scene.verdict().0
        };
        let line = "level=error err.detail=\"filesystem: write /data/repositories/team/app/_uploads/1/data: no space left on device\"";
        assert_eq!(logged(Place::Registry, line), Cause::StorageDiskFull);
        assert_ne!(logged(Place::Node, line), Cause::StorageDiskFull, "another machine's log");
        assert_ne!(logged(Place::Registry, &line.replace("team/app", "team/other")), Cause::StorageDiskFull);
    }

    #[test]
    fn a_policy_may_tell_of_itself_in_the_log_alone() {
        let logged = |line: &str| {
            scene(Cause::ManifestUnknown)
                .document(Place::Registry, "registry/service.log", line)
                .ask(&WITHHELD, &ANY)
        };
        assert_eq!(
            logged("WARN download of docker-local/app/1/manifest.json rejected: blocked by policy x"),
            Some(Answer::Yes)
        );
        assert_eq!(
            logged("WARN download of docker-local/app/2/manifest.json rejected: blocked by policy x"),
            None
        );
        assert_eq!(logged("INFO download of docker-local/app/1/manifest.json, policy x passed"), None);
    }

    #[test]
    fn a_policy_that_withholds_is_read_from_the_body() {
        let answer = |command: &str, code: &str| {
            let body = format!(
                "HTTP/1.1 412 Precondition Failed\n\n{{\"errors\":[{{\"code\":\"{code}\",\"message\":\"m\"}}]}}"
            );
            scene(Cause::RegistryUnexpectedStatus).output(command, &body)
        };
        let told = answer(MANIFEST, "PROJECTPOLICYVIOLATION");
        assert_eq!(told.verdict(), (Cause::ManifestBlocked, Confidence::Confirmed));
        assert_eq!(answer(MANIFEST, "PRECONDITION").ask(&WITHHELD, &ANY), None);
        let phrase = |phrase: &str| {
            scene(Cause::AuthzDenied).output(MANIFEST, &format!("HTTP/1.1 403 {phrase}\nServer: x\n"))
        };
        assert_eq!(
            phrase("REQUESTED ITEM IS QUARANTINED -- SEE https://q").ask(&WITHHELD, &ANY),
            Some(Answer::Yes)
        );
        assert_eq!(phrase("Forbidden").ask(&WITHHELD, &ANY), None);
        let other = "curl -sS -i https://r.example.com/v2/team/other/manifests/1";
        assert_eq!(answer(other, "PROJECTPOLICYVIOLATION").ask(&WITHHELD, &ANY), None);
    }

    #[test]
    fn a_challenge_is_missing_where_all_headers_were_printed() {
        let ask = |command: &str, extra: &str| {
            let text = format!("HTTP/1.1 401 Unauthorized\nServer: nginx\nContent-Length: 87\n{extra}\n{{}}");
            scene(Cause::AuthUnauthorized).output(command, &text).ask(&CHALLENGE_MISSING, &ANY)
        };
        assert_eq!(ask(MANIFEST, ""), Some(Answer::Yes));
        assert_eq!(ask(MANIFEST, "WWW-Authenticate: Basic realm=\"x\"\n"), Some(Answer::No));
        assert_eq!(ask(&format!("{MANIFEST} | head -3"), ""), None);
        assert_eq!(ask("curl -sS -i https://other.example.com/v2/", ""), None);
    }

    #[test]
    fn a_front_end_that_limits_bodies_says_so_in_its_log_or_its_configuration() {
        let told = |place: Place, line: &str| {
            let mut scene = scene(Cause::PushTooLarge).document(place, "registry/front.conf", line);
            scene.operation = Operation::Push;
            scene
        };
        let log =
            "[core:error] AH00588: Requested content-length of 9 is larger than the configured limit of 5";
        assert_eq!(told(Place::Registry, log).verdict().0, Cause::RegistryBodyLimit);
        assert_eq!(
            told(Place::Registry, "client_max_body_size 1m;").ask(&BODY_LIMITED, &ANY),
            Some(Answer::Yes)
        );
        for none in ["client_max_body_size 0;", "# client_max_body_size 1m;", "LimitRequestBody 0"] {
            assert_eq!(told(Place::Registry, none).ask(&BODY_LIMITED, &ANY), None, "{none}");
        }
        assert_eq!(told(Place::Ci, log).ask(&BODY_LIMITED, &ANY), None);
    }

    #[test]
    fn a_registry_in_maintenance_takes_no_push() {
        let set = |place: Place, enabled: bool| {
            let text = format!(
                "storage:\n  maintenance:\n    readonly:\n      enabled: {enabled}\n    uploadpurging:\n      enabled: true\n"
            );
            let mut scene =
                scene(Cause::RegistryUnexpectedStatus).document(place, "registry/config.yml", &text);
            scene.operation = Operation::Push;
            scene
        };
        assert_eq!(set(Place::Registry, true).verdict().0, Cause::PushReadOnly);
        assert_eq!(set(Place::Registry, false).ask(&READ_ONLY_SET, &ANY), None);
        assert_eq!(set(Place::Node, true).ask(&READ_ONLY_SET, &ANY), None);
    }

    #[test]
    fn a_challenge_that_no_container_client_answers_is_none() {
        let told = |scheme: &str| {
            let text = format!(
                "HTTP/1.1 401 Unauthorized\nServer: IIS\nWWW-Authenticate: Negotiate\nWWW-Authenticate: {scheme}\n"
            );
            scene(Cause::AuthUnauthorized).output("curl -sSI https://r.example.com/v2/", &text)
        };
        assert_eq!(told("NTLM").verdict().0, Cause::AuthChallengeInvalid);
        assert_eq!(told("Basic realm=\"x\"").ask(&CHALLENGE_MISSING, &ANY), Some(Answer::No));
        assert_eq!(
            told("Bearer realm=\"https://t/\",service=\"x\"").ask(&CHALLENGE_MISSING, &ANY),
            Some(Answer::No)
        );
    }

    #[test]
    fn an_upload_address_that_lost_its_s() {
        let ask = |location: &str| {
            scene(Cause::NetRefused)
                .output(
                    "curl -sS -i -X POST https://r.example.com/v2/team/app/blobs/uploads/",
                    &format!("HTTP/2 202\nserver: nginx\nlocation: {location}\n"),
                )
                .ask(&LOCATION_WRONG, &ANY)
        };
        assert_eq!(ask("http://r.example.com/v2/team/app/blobs/uploads/1?_state=x"), Some(Answer::Yes));
        assert_eq!(ask("https://r.example.com/v2/team/app/blobs/uploads/1"), Some(Answer::No));
        assert_eq!(ask("/v2/team/app/blobs/uploads/1"), None);
    }
}
