//! The registry's API and the token service's, as far as pulls need them.

use crate::Fault;
use crate::body::{Answer, Handled};
use crate::image::{Content, INDEX, Image, SCHEMA1};
use crate::site::{CONTROL, REPOSITORY, Scheme, Site, answer, dated, error, set};
use crate::token::{self, Access, Refusal, SERVICE};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, Method, Request, Response, StatusCode, header};
use hyper::body::Incoming;
use serde_json::json;

const HTML: &str = "text/html; charset=utf-8";
const VERSION: HeaderName = HeaderName::from_static("docker-distribution-api-version");
const DIGEST: HeaderName = HeaderName::from_static("docker-content-digest");

/// Answers the registry's requests.
pub(crate) async fn registry(site: &Site, mut request: Request<Incoming>) -> Handled {
    if site.fault == Fault::NeverAnswers {
        std::future::pending::<()>().await;
    }
    if site.fault == Fault::StripsAuthorization {
        request.headers_mut().remove(header::AUTHORIZATION);
    }
    let mut response = match in_front(site, &request) {
        Some(response) => response,
        None => {
            let mut response = routed(site, &request);
            set(&mut response, VERSION, "registry/2.0");
            response
        }
    };
    if request.method() == Method::HEAD {
        response = without_body(response);
    }
    dated(response, site.registry_now())
}

/// What stands before the registry answers, where the fault is one of its own.
fn in_front(site: &Site, request: &Request<Incoming>) -> Option<Response<Answer>> {
    let path = request.uri().path();
    Some(match site.fault {
        Fault::LoginPage => answer(StatusCode::OK, HTML, LOGIN_PAGE),
        Fault::NotARegistry => answer(StatusCode::NOT_FOUND, HTML, "<html><h1>404 Not Found</h1></html>\n"),
        Fault::RedirectLoop => {
            let mut response = answer(StatusCode::TEMPORARY_REDIRECT, HTML, "");
            set(&mut response, header::LOCATION, &format!("https://{}{path}", site.registry));
            response
        }
        Fault::Unavailable => {
            answer(StatusCode::SERVICE_UNAVAILABLE, HTML, "<html><h1>503 Service Unavailable</h1></html>\n")
        }
        Fault::BlockedByGateway if path != "/v2/" => answer(StatusCode::FORBIDDEN, HTML, BLOCK_PAGE),
        Fault::HeadRefused if request.method() == Method::HEAD => {
            answer(StatusCode::FORBIDDEN, HTML, BLOCK_PAGE)
        }
        _ => return None,
    })
}

const LOGIN_PAGE: &str = "<!DOCTYPE html><html><head><title>Sign in</title></head>\
    <body><form action=\"/login\"><input name=\"user\"></form></body></html>\n";
const BLOCK_PAGE: &str = "<!DOCTYPE html><html><head><title>Request blocked</title></head>\
    <body>The request was blocked by policy.</body></html>\n";

fn routed(site: &Site, request: &Request<Incoming>) -> Response<Answer> {
    match site.fault {
        Fault::ServerError => return error(StatusCode::INTERNAL_SERVER_ERROR, "UNKNOWN", "unknown error"),
        Fault::RateLimited => {
            let mut response = error(
                StatusCode::TOO_MANY_REQUESTS,
                "TOOMANYREQUESTS",
                "pull rate limit exceeded: 100 per 6 hours",
            );
            set(&mut response, header::RETRY_AFTER, "1800");
            return response;
        }
        _ => {}
    }
    let path = request.uri().path();
    let Some(rest) = path.strip_prefix("/v2/") else {
        return answer(StatusCode::NOT_FOUND, "text/plain", "404 page not found\n");
    };
    let place = place(rest);
    let repository = place.as_ref().map(|(repository, ..)| *repository);
    if let Some(refused) = refused(site, request.headers(), repository) {
        return refused;
    }
    let Some((repository, kind, reference)) = place else {
        return answer(StatusCode::OK, "application/json", "{}");
    };
    let Some(image) = image(site, repository) else {
        return error(StatusCode::NOT_FOUND, "NAME_UNKNOWN", "repository name not known to registry");
    };
    if site.fault == Fault::Denied && repository == REPOSITORY {
        return error(StatusCode::FORBIDDEN, "DENIED", "requested access to the resource is denied");
    }
    // The other repository is sound, whatever is wrong with this one.
    let fault = if repository == REPOSITORY { site.fault } else { Fault::None };
    match kind {
        Kind::Tags => {
            let tags: Vec<&String> = image.tags.keys().collect();
            answer(
                StatusCode::OK,
                "application/json",
                json!({ "name": repository, "tags": tags }).to_string(),
            )
        }
        Kind::Manifest => manifest(fault, image, reference),
        Kind::Blob => blob(site, fault, image, request, reference),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Manifest,
    Blob,
    Tags,
}

/// `team/app/manifests/1.4.2`.
fn place(rest: &str) -> Option<(&str, Kind, &str)> {
    if let Some(repository) = rest.strip_suffix("/tags/list") {
        return Some((repository, Kind::Tags, ""));
    }
    let kinds = [("/manifests/", Kind::Manifest), ("/blobs/", Kind::Blob)];
    kinds.iter().find_map(|(between, kind)| {
        let (repository, reference) = rest.rsplit_once(between)?;
        Some((repository, *kind, reference))
    })
}

fn image<'a>(site: &'a Site, repository: &str) -> Option<&'a Image> {
    match repository {
        REPOSITORY if matches!(site.fault, Fault::RepositoryMissing | Fault::RepositoryAs401) => None,
        REPOSITORY => Some(&site.image),
        CONTROL => Some(&site.control),
        _ => None,
    }
}

/// The answer to a request that shows no right to what it asks for.
fn refused(site: &Site, headers: &HeaderMap, repository: Option<&str>) -> Option<Response<Answer>> {
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let words = match (site.scheme(), given.split_once(' ')) {
        (Scheme::Basic, _) => {
            // A repository that is not there is answered like one that may not be seen.
            let hidden = repository.is_some_and(|name| image(site, name).is_none());
            if logs_in(site, given) && !hidden {
                return None;
            }
            None
        }
        (Scheme::Bearer, Some(("Bearer", token))) => {
            match site.signer.check(token, repository, site.registry_now()) {
                Ok(()) => return None,
                Err(Refusal::Invalid) => Some("invalid_token"),
                Err(Refusal::Insufficient) => Some("insufficient_scope"),
            }
        }
        (Scheme::Bearer, _) => None,
    };
    let mut response = error(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", "authentication required");
    if site.fault != Fault::NoChallenge {
        set(&mut response, header::WWW_AUTHENTICATE, &challenge(site, repository, words));
    }
    Some(response)
}

fn challenge(site: &Site, repository: Option<&str>, error: Option<&str>) -> String {
    if site.scheme() == Scheme::Basic {
        return format!("Basic realm=\"{SERVICE}\"");
    }
    let scheme = if site.fault == Fault::RealmScheme { "http" } else { "https" };
    let mut text = format!("Bearer realm=\"{scheme}://{}/token\",service=\"{SERVICE}\"", site.service);
    if let Some(repository) = repository {
        text.push_str(&format!(",scope=\"repository:{repository}:pull\""));
    }
    if let Some(error) = error {
        text.push_str(&format!(",error=\"{error}\""));
    }
    text
}

fn logs_in(site: &Site, given: &str) -> bool {
    let login = given.strip_prefix("Basic ").and_then(|packed| STANDARD.decode(packed).ok());
    login.is_some_and(|login| login == format!("{}:{}", site.login.user, site.login.password).into_bytes())
}

fn manifest(fault: Fault, image: &Image, reference: &str) -> Response<Answer> {
    let Some((digest, content)) = image.find(reference) else {
        return error(StatusCode::NOT_FOUND, "MANIFEST_UNKNOWN", "manifest unknown");
    };
    let is_index = content.media_type == INDEX;
    let mut response = match fault {
        Fault::Schema1 => {
            let old = json!({
                "schemaVersion": 1, "name": REPOSITORY, "tag": reference, "architecture": "amd64",
                "fsLayers": [], "history": [], "signatures": [],
            });
            let bytes = old.to_string().into_bytes();
            let digest = crate::image::digest(&bytes);
            let mut response = answer(StatusCode::OK, SCHEMA1, bytes);
            set(&mut response, DIGEST, &digest);
            return response;
        }
        Fault::Garbage if is_index => {
            let half = content.bytes.get(..content.bytes.len() / 2).unwrap_or_default().to_vec();
            // Without a digest, as caches that lose half of an answer lose its header too.
            return answer(StatusCode::OK, content.media_type, half);
        }
        Fault::Endless if is_index => {
            let mut response = Response::new(Answer::endless(vec![b' '; 64 * 1024]));
            set(&mut response, header::CONTENT_TYPE, content.media_type);
            response
        }
        _ => answer(StatusCode::OK, content.media_type, content.bytes.clone()),
    };
    set(&mut response, DIGEST, digest);
    response
}

fn blob(
    site: &Site,
    fault: Fault,
    image: &Image,
    request: &Request<Incoming>,
    digest: &str,
) -> Response<Answer> {
    let is_layer = image.layers.iter().any(|layer| layer == digest);
    let missing = || error(StatusCode::NOT_FOUND, "BLOB_UNKNOWN", "blob unknown to registry");
    let Some(content) = image.blobs.get(digest) else { return missing() };
    match fault {
        Fault::BlobMissing if is_layer => missing(),
        Fault::BlobStoreDown if is_layer => {
            let mut response = answer(StatusCode::TEMPORARY_REDIRECT, HTML, "");
            set(
                &mut response,
                header::LOCATION,
                &format!("https://{}/store/{digest}?signature=abc", site.store),
            );
            response
        }
        Fault::DigestMismatch if !is_layer => {
            let mut changed = content.clone();
            // One letter of a value: still JSON, still as long.
            if let Some(byte) = changed.bytes.iter_mut().rfind(|byte| byte.is_ascii_lowercase()) {
                *byte = if *byte == b'x' { b'y' } else { b'x' };
            }
            part(&changed, digest, request.headers(), false)
        }
        Fault::BlobTruncated if is_layer => part(content, digest, request.headers(), true),
        _ => part(content, digest, request.headers(), false),
    }
}

/// The content or the range of it that is asked for, whole or broken off in the middle.
fn part(content: &Content, digest: &str, headers: &HeaderMap, cut: bool) -> Response<Answer> {
    let total = content.bytes.len();
    let range =
        headers.get(header::RANGE).and_then(|value| value.to_str().ok()).and_then(|text| range(text, total));
    let (first, end) = range.unwrap_or((0, total));
    let bytes = content.bytes.get(first..end).unwrap_or_default();
    let body = if cut {
        Answer::cut(bytes.get(..bytes.len() / 3).unwrap_or_default().to_vec())
    } else {
        Answer::whole(bytes.to_vec())
    };
    let mut response = Response::new(body);
    set(&mut response, header::CONTENT_TYPE, "application/octet-stream");
    set(&mut response, header::CONTENT_LENGTH, &bytes.len().to_string());
    set(&mut response, header::ACCEPT_RANGES, "bytes");
    set(&mut response, DIGEST, digest);
    if range.is_some() {
        *response.status_mut() = StatusCode::PARTIAL_CONTENT;
        set(
            &mut response,
            header::CONTENT_RANGE,
            &format!("bytes {first}-{}/{total}", end.saturating_sub(1)),
        );
    }
    response
}

/// `bytes=0-65535` as the first byte and the one after the last.
fn range(text: &str, total: usize) -> Option<(usize, usize)> {
    let (first, last) = text.strip_prefix("bytes=")?.split_once('-')?;
    let first: usize = first.parse().ok()?;
    let end = if last.is_empty() { total } else { last.parse::<usize>().ok()?.checked_add(1)?.min(total) };
    (first < end).then_some((first, end))
}

fn without_body(response: Response<Answer>) -> Response<Answer> {
    let length = hyper::body::Body::size_hint(response.body()).exact();
    let (parts, _) = response.into_parts();
    let mut response = Response::from_parts(parts, Answer::whole(""));
    if let Some(length) = length
        && !response.headers().contains_key(header::CONTENT_LENGTH)
    {
        set(&mut response, header::CONTENT_LENGTH, &length.to_string());
    }
    response
}

/// Answers the token service's requests.
pub(crate) fn service(site: &Site, request: &Request<Incoming>) -> Handled {
    let now = site.service_now();
    if request.uri().path() != "/token" {
        return dated(answer(StatusCode::NOT_FOUND, "text/plain", "404 page not found\n"), now);
    }
    let given = request
        .headers()
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let user = if given.is_empty() { "" } else { &site.login.user };
    if !given.is_empty() && !logs_in(site, given) {
        let mut refused = error(StatusCode::UNAUTHORIZED, "UNAUTHORIZED", "incorrect username or password");
        set(&mut refused, header::WWW_AUTHENTICATE, &format!("Basic realm=\"{SERVICE}\""));
        return dated(refused, now);
    }
    let granted: Vec<Access> = scopes(request.uri().query().unwrap_or_default())
        .filter_map(|scope| token::asked(&scope))
        .map(|asked| grant(site, user, asked))
        .collect();
    let response = match site.signer.issue(user, granted, now) {
        Some(token) => {
            let issued_at = jiff::Timestamp::from_second(now).unwrap_or_default().to_string();
            let body =
                json!({ "token": token, "access_token": token, "expires_in": 300, "issued_at": issued_at });
            answer(StatusCode::OK, "application/json", body.to_string())
        }
        None => error(StatusCode::INTERNAL_SERVER_ERROR, "UNKNOWN", "unknown error"),
    };
    dated(response, now)
}

/// Of what is asked for, what the user may do: pull, unless the fault takes it away.
fn grant(site: &Site, user: &str, asked: Access) -> Access {
    let may = !user.is_empty() && site.fault != Fault::InsufficientScope;
    let actions = asked.actions.iter().filter(|action| may && *action == "pull").cloned().collect();
    Access { actions, ..asked }
}

/// The values of `scope` in a query. Scopes carry no other escapes than those of colon, slash and comma.
fn scopes(query: &str) -> impl Iterator<Item = String> + '_ {
    query.split('&').filter_map(|pair| pair.strip_prefix("scope=")).map(|scope| {
        let unescaped = [("%3A", ":"), ("%2F", "/"), ("%2C", ","), ("%3a", ":"), ("%2f", "/"), ("%2c", ",")];
        unescaped.iter().fold(scope.to_owned(), |text, (from, to)| text.replace(from, to))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_from_their_end() {
        assert_eq!(place("team/app/manifests/1.4.2"), Some(("team/app", Kind::Manifest, "1.4.2")));
        assert_eq!(place("a/blobs/b/blobs/sha256:1"), Some(("a/blobs/b", Kind::Blob, "sha256:1")));
        assert_eq!(place("team/app/tags/list"), Some(("team/app", Kind::Tags, "")));
        assert_eq!(place(""), None);
    }

    #[test]
    fn ranges_stay_inside_of_the_content() {
        assert_eq!(range("bytes=0-9", 100), Some((0, 10)));
        assert_eq!(range("bytes=90-", 100), Some((90, 100)));
        assert_eq!(range("bytes=0-18446744073709551615", 100), None);
        assert_eq!(range("bytes=200-300", 100), None);
        assert_eq!(range("items=0-9", 100), None);
    }
}
