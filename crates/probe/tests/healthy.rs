//! A sound registry: every rung holds, over IPv4 and IPv6, with and without TLS and credentials.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod support;

use facts::{Outcome, seen};
use support::{Machine, fact, passes, plain, request, shown};
use testkit::{Auth, Authority, Image, Leaf, Registry, RegistryOptions, Shelf, TokenOptions, TokenService};
use vocabulary::{Phase, Stage};

#[tokio::test]
async fn plain_http_without_credentials() {
    if testkit::missing(&["docker-registry"]) {
        return;
    }
    let shelf = Shelf::with_app();
    let registry = Registry::start(&RegistryOptions::plain(&shelf));
    let image = format!("registry.example.com:{}/team/app:v1", registry.port);
    let ladder = Machine::new().climbs(&plain(&image)).await;
    passes(&ladder);
    assert_eq!(fact(&ladder, Stage::Platform, seen::PLATFORM), "linux/amd64");
    assert_eq!(fact(&ladder, Stage::Http, seen::PRODUCT), "distribution");
    assert_eq!(ladder.rung(Stage::Tls).unwrap().outcome, Outcome::Skipped);
}

#[tokio::test]
async fn loopback_falls_back_to_plain_http() {
    if testkit::missing(&["docker-registry"]) {
        return;
    }
    let shelf = Shelf::with_app();
    let registry = Registry::start(&RegistryOptions::plain(&shelf));
    let ladder = Machine::new().climbs(&request(&format!("localhost:{}/team/app:v1", registry.port))).await;
    passes(&ladder);
    assert_eq!(fact(&ladder, Stage::Tls, seen::PLAIN_FALLBACK), "yes");
}

#[tokio::test]
async fn tls_and_basic() {
    if testkit::missing(&["docker-registry", "htpasswd"]) {
        return;
    }
    let authority = Authority::root("Example Root");
    let tls = authority.issue(&Leaf::default());
    let shelf = Shelf::with_app();
    let registry = Registry::start(&RegistryOptions {
        tls: Some(&tls),
        auth: Auth::Htpasswd("joe", "s3cret"),
        ..RegistryOptions::plain(&shelf)
    });
    let image = format!("registry.example.com:{}/team/app:v1", registry.port);
    let ladder = Machine::new().trusting(&authority).knowing("joe", "s3cret").climbs(&request(&image)).await;
    passes(&ladder);
    assert_eq!(fact(&ladder, Stage::Credentials, seen::CREDENTIALS_USER), "joe");
    assert_eq!(fact(&ladder, Stage::Authorization, seen::CREDENTIALS_OUTCOME), "accepted basic");
    assert!(!shown(&ladder).contains("s3cret"));
}

#[tokio::test]
async fn tls_and_tokens_of_another_host() {
    if testkit::missing(&["docker-registry"]) {
        return;
    }
    let authority = Authority::root("Example Root");
    let tls = authority.issue(&Leaf::default());
    let service = TokenService::start(&TokenOptions {
        tls: Some(&tls),
        user: Some(("joe", "s3cret")),
        ..TokenOptions::default()
    });
    let realm = format!("https://auth.example.com:{}/token", service.port);
    let shelf = Shelf::holding("team/app", "v1", &Image::index(&["linux/arm64", "linux/amd64"]));
    let registry = Registry::start(&RegistryOptions {
        tls: Some(&tls),
        auth: Auth::Token { service: &service, realm: &realm },
        ..RegistryOptions::plain(&shelf)
    });
    let image = format!("registry.example.com:{}/team/app:v1", registry.port);
    let ladder = Machine::new().trusting(&authority).knowing("joe", "s3cret").climbs(&request(&image)).await;
    passes(&ladder);
    assert_eq!(fact(&ladder, Stage::Token, seen::TOKEN_SUFFICES), "yes");
    assert_eq!(fact(&ladder, Stage::Token, seen::TOKEN_GRANTS), "repository:team/app:pull");
    let branch = ladder.branches.iter().find(|b| b.phase == Phase::Token).expect("a ladder of its own");
    assert_eq!(branch.rung(Stage::Tls).unwrap().outcome, Outcome::Passed);
    let platforms: Vec<&str> = ladder.rung(Stage::Platform).unwrap().all(seen::PLATFORM).collect();
    assert_eq!(platforms, ["linux/arm64", "linux/amd64"]);
    assert_eq!(service.requests().len(), 1, "each credential once");
    assert!(!shown(&ladder).contains("s3cret") && !shown(&ladder).contains("eyJ"));
}

#[tokio::test]
async fn ipv6() {
    if testkit::missing(&["docker-registry"]) {
        return;
    }
    let authority = Authority::root("Example Root");
    let tls = authority.issue(&Leaf::default());
    let shelf = Shelf::with_app();
    let registry = Registry::start(&RegistryOptions {
        tls: Some(&tls),
        host: "[::1]",
        ..RegistryOptions::plain(&shelf)
    });
    let image = format!("[::1]:{}/team/app:v1", registry.port);
    let ladder = Machine::new().trusting(&authority).climbs(&request(&image)).await;
    passes(&ladder);
    assert_eq!(fact(&ladder, Stage::Connect, seen::PEER), format!("[::1]:{}", registry.port));
}
