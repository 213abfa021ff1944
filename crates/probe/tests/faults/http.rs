//! The API: what answers at `/v2/`.

use crate::support::stage::{Front, Sound};
use crate::support::{Machine, concludes, ends, fact, passes, request};
use facts::{Outcome, seen};
use std::io::Write;
use std::time::Duration;
use testkit::{Authority, Leaf, Peer};
use vocabulary::{Cause, Confidence, Stage};

fn missing() -> bool {
    testkit::missing(&["docker-registry", "nginx"])
}

async fn front(directives: &str, stage: Stage, symptom: Cause, sure: Confidence) -> facts::Ladder {
    let authority = Authority::root("Example Root");
    let tls = authority.issue(&Leaf::default());
    let front = Front::new(&tls, directives);
    let ladder = Machine::new().trusting(&authority).climbs(&request(&front.image())).await;
    ends(&ladder, stage, symptom);
    concludes(&ladder, symptom, sure);
    ladder
}

#[tokio::test]
async fn a_page_comes_instead() {
    if missing() {
        return;
    }
    let page = "default_type text/html; location / { return 200 '<!DOCTYPE html><html><title>Sign in</title></html>'; }";
    let ladder = front(page, Stage::Http, Cause::RegistryBadResponse, Confidence::Likely).await;
    assert_eq!(fact(&ladder, Stage::Http, "header.content-type"), "text/html");
}

#[tokio::test]
async fn it_is_no_registry() {
    if missing() {
        return;
    }
    front("root /nonexistent;", Stage::Http, Cause::RegistryNotARegistry, Confidence::Likely).await;
}

#[tokio::test]
async fn the_front_end_has_lost_its_registry() {
    if missing() {
        return;
    }
    let dead = crate::support::stage::passing_on(testkit::free_port());
    front(&dead, Stage::Http, Cause::RegistryUnavailable, Confidence::Confirmed).await;
}

#[tokio::test]
async fn the_registry_fails() {
    if missing() {
        return;
    }
    front("return 500;", Stage::Http, Cause::RegistryServerError, Confidence::Confirmed).await;
}

#[tokio::test]
async fn redirects_never_end() {
    if missing() {
        return;
    }
    front(
        "return 301 https://$http_host$request_uri;",
        Stage::Http,
        Cause::RegistryRedirectLoop,
        Confidence::Likely,
    )
    .await;
}

#[tokio::test]
async fn a_filter_refuses_everything() {
    if missing() {
        return;
    }
    let ladder = front("deny all;", Stage::Http, Cause::AuthzBlockedByGateway, Confidence::Likely).await;
    assert_eq!(fact(&ladder, Stage::Http, seen::BODY_KIND), "html");
}

#[tokio::test]
async fn the_address_is_not_let_in() {
    if missing() {
        return;
    }
    let says = r#"default_type application/json; location / { return 403 '{"errors":[{"code":"DENIED","message":"client with IP \'127.0.0.1\' is not allowed access."}]}'; }"#;
    front(says, Stage::Http, Cause::AuthzIpBlocked, Confidence::Confirmed).await;
}

#[tokio::test]
async fn nothing_more_is_asked_after_429() {
    if missing() {
        return;
    }
    let ladder = front(
        "add_header Retry-After 30 always; return 429;",
        Stage::Http,
        Cause::RateLimited,
        Confidence::Confirmed,
    )
    .await;
    let http = ladder.rung(Stage::Http).unwrap();
    assert_eq!(http.all(seen::REQUEST).count(), 1);
    assert_eq!(http.fact(seen::RETRY_AFTER), Some("30"));
}

#[tokio::test]
async fn a_limit_is_reached_at_the_manifest() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let front = sound.behind("location ~ /manifests/ { return 429; }");
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    ends(&ladder, Stage::Manifest, Cause::RateLimited);
    concludes(&ladder, Cause::RateLimited, Confidence::Confirmed);
    let asked: usize = ladder.rungs.iter().map(|r| r.all(seen::REQUEST).count()).sum();
    assert_eq!(asked, 2, "/v2/ and one HEAD");
}

#[tokio::test]
async fn garbage_comes_instead_of_http() {
    let peer = tls_peer(|stream| {
        Peer::head(stream);
        let _ = stream.write_all(b"garbage\r\n\r\n");
        let _ = stream.flush();
    });
    let ladder = peer.climbed(8_000).await;
    let words = ends(&ladder, Stage::Http, Cause::RegistryBadResponse);
    concludes(&ladder, Cause::RegistryBadResponse, Confidence::Likely);
    assert!(words.ends_with("malformed HTTP response \"garbage\""), "{words}");
}

#[tokio::test]
async fn no_answer_comes() {
    let peer = tls_peer(|stream| {
        Peer::head(stream);
        Peer::head(stream);
    });
    let ladder = peer.climbed(500).await;
    let words = ends(&ladder, Stage::Http, Cause::NetTimeout);
    concludes(&ladder, Cause::NetTimeout, Confidence::Likely);
    assert!(words.ends_with("timeout awaiting response headers"), "{words}");
}

#[tokio::test]
async fn headers_never_end() {
    let peer = tls_peer(|stream| {
        Peer::head(stream);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n");
        while stream.write_all(b"X-More: and more and more and more and more\r\n").is_ok() {}
    });
    let ladder = peer.climbed(3_000).await;
    let (stage, ..) = crate::support::failure(&ladder).unwrap();
    assert_eq!(stage, Stage::Http);
}

#[tokio::test]
async fn a_body_never_ends() {
    let peer = tls_peer(|stream| {
        Peer::head(stream);
        let _ = stream.write_all(b"HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n");
        while stream.write_all(b"4\r\nmore\r\n").is_ok() {}
    });
    let ladder = peer.climbed(2_000).await;
    ends(&ladder, Stage::Http, Cause::RegistryServerError);
    concludes(&ladder, Cause::RegistryServerError, Confidence::Confirmed);
}

/// Each byte comes in time, and their whole never does.
#[tokio::test]
async fn an_answer_drips() {
    let headers = tls_peer(|stream| {
        Peer::head(stream);
        drip(stream, b"HTTP/1.1 200 OK\r\nX-Slow: ");
    });
    let words = ends(&headers.climbed(700).await, Stage::Http, Cause::NetTimeout);
    assert!(words.ends_with("timeout awaiting response headers"), "{words}");
    let body = tls_peer(|stream| {
        Peer::head(stream);
        drip(stream, b"HTTP/1.1 500 Oh\r\nContent-Length: 100000\r\n\r\n");
    });
    ends(&body.climbed(700).await, Stage::Http, Cause::RegistryServerError);
}

/// Writes a beginning, and after it a byte at a time until nobody listens.
fn drip(stream: &mut dyn ReadWrite, begin: &[u8]) {
    let mut sent = stream.write_all(begin);
    while sent.is_ok() {
        std::thread::sleep(Duration::from_millis(20));
        sent = stream.write_all(b"a").and_then(|()| stream.flush());
    }
}

#[tokio::test]
async fn newer_clients_never_ask_for_the_hidden_root() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let front = sound.behind("location = /v2/ { return 404; }");
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    passes(&ladder);
    assert_eq!(ladder.rung(Stage::Http).unwrap().outcome, Outcome::Passed);
}

struct TlsPeer {
    authority: Authority,
    peer: Peer,
}

impl TlsPeer {
    async fn climbed(self, milliseconds: u64) -> facts::Ladder {
        let mut request = request(&format!("registry.example.com:{}/team/app:v1", self.peer.port));
        request.timeout = Duration::from_millis(milliseconds);
        Machine::new().trusting(&self.authority).climbs(&request).await
    }
}

fn tls_peer(serve: impl Fn(&mut dyn ReadWrite) + Send + Sync + 'static) -> TlsPeer {
    let authority = Authority::root("Example Root");
    let tls = authority.issue(&Leaf::default());
    let peer = Peer::start(move |stream| serve(&mut testkit::accept_tls(&tls, stream)));
    TlsPeer { authority, peer }
}

trait ReadWrite: std::io::Read + Write {}
impl<T: std::io::Read + Write> ReadWrite for T {}
