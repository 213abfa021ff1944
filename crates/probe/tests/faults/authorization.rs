//! Who is let in.

use crate::support::stage::{Sound, sound_realm};
use crate::support::{Machine, concludes, ends, fact, passes, request};
use facts::seen;
use testkit::TokenOptions;
use vocabulary::{Cause, Confidence, Stage};

fn missing() -> bool {
    testkit::missing(&["docker-registry", "nginx", "htpasswd"])
}

#[tokio::test]
async fn the_password_is_wrong() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let ladder = Machine::new()
        .trusting(&sound.authority)
        .knowing("joe", "wrong")
        .climbs(&request(&sound.image()))
        .await;
    ends(&ladder, Stage::Authorization, Cause::AuthBadCredentials);
    concludes(&ladder, Cause::AuthBadCredentials, Confidence::Likely);
    assert_eq!(fact(&ladder, Stage::Authorization, seen::CREDENTIALS_OUTCOME), "refused basic");
    let sent =
        ladder.rungs.iter().flat_map(|r| r.all(seen::AUTHORIZATION_SENT)).filter(|a| *a == "basic").count();
    assert_eq!(sent, 1, "a refused password is not sent again");
}

#[tokio::test]
async fn there_is_no_password() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&sound.image())).await;
    let words = ends(&ladder, Stage::Authorization, Cause::AuthNoCredentials);
    concludes(&ladder, Cause::AuthNoCredentials, Confidence::Confirmed);
    assert!(words.ends_with("authorization failed: no basic auth credentials"), "{words}");
}

#[tokio::test]
async fn a_front_end_drops_the_token() {
    if missing() {
        return;
    }
    let sound = Sound::with_tokens(&TokenOptions::default(), sound_realm);
    let front = sound.behind("proxy_set_header Authorization '';");
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    ends(&ladder, Stage::Authorization, Cause::AuthUnauthorized);
    concludes(&ladder, Cause::ProxyStripsAuthorization, Confidence::Likely);
    // A token that suffices was sent, and the registry speaks as if none had come.
    assert_eq!(fact(&ladder, Stage::Token, seen::TOKEN_SUFFICES), "yes");
    let rung = ladder.rung(Stage::Authorization).unwrap();
    assert_eq!(rung.fact(seen::AUTHORIZATION_SENT), Some("bearer"));
    assert_eq!(rung.fact(seen::CHALLENGE), Some("Bearer"));
    assert_eq!(rung.fact(seen::CHALLENGE_ERROR), None);
}

#[tokio::test]
async fn the_account_may_not() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let says = r#"location ~ /manifests/ { default_type application/json; return 403 '{"errors":[{"code":"DENIED","message":"requested access to the resource is denied"}]}'; }"#;
    let front = sound.behind(says);
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    let words = ends(&ladder, Stage::Authorization, Cause::AuthzDenied);
    concludes(&ladder, Cause::AuthzDenied, Confidence::Likely);
    assert!(words.contains("unexpected status from HEAD request to"), "{words}");
}

#[tokio::test]
async fn a_filter_refuses_the_path() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let front = sound.behind("location ~ /manifests/ { deny all; }");
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    ends(&ladder, Stage::Authorization, Cause::AuthzBlockedByGateway);
    concludes(&ladder, Cause::AuthzBlockedByGateway, Confidence::Likely);
}

#[tokio::test]
async fn credentials_of_another_registry_stay_at_home() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let file = br#"{"auths":{"other.example.com":{"username":"joe","password":"s3cret"}}}"#;
    let credentials = probe::Credentials::given("secret", file).unwrap();
    let ladder = Machine::new()
        .trusting(&sound.authority)
        .with_credentials(credentials)
        .climbs(&request(&sound.image()))
        .await;
    ends(&ladder, Stage::Authorization, Cause::AuthNoCredentials);
    concludes(&ladder, Cause::AuthNoCredentials, Confidence::Confirmed);
}

#[tokio::test]
async fn the_right_entry_of_several_is_sent() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let file = format!(
        r#"{{"auths":{{"registry.example.com":{{"username":"joe","password":"old"}},"registry.example.com:{}":{{"username":"joe","password":"s3cret"}}}}}}"#,
        sound.registry.port
    );
    let credentials = probe::Credentials::given("secret", file.as_bytes()).unwrap();
    let ladder = Machine::new()
        .trusting(&sound.authority)
        .with_credentials(credentials)
        .climbs(&request(&sound.image()))
        .await;
    passes(&ladder);
}
