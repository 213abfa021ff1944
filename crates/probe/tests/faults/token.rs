//! Challenges and token services.

use crate::support::stage::{Front, Sound, sound_realm};
use crate::support::{Machine, concludes, ends, fact, passes, request};
use facts::{Outcome, seen};
use testkit::{Authority, Claims, Leaf, TokenOptions};
use vocabulary::{Cause, Confidence, Phase, Stage};

fn missing() -> bool {
    testkit::missing(&["docker-registry", "nginx"])
}

fn claims() -> Claims {
    TokenOptions::default().claims
}

#[tokio::test]
async fn its_name_does_not_exist() {
    if missing() {
        return;
    }
    let sound = Sound::with_tokens(&TokenOptions::default(), |port| {
        format!("https://auth-old.example.com:{port}/token")
    });
    let machine = Machine::new().trusting(&sound.authority);
    machine.file("etc/nsswitch.conf", "hosts: files\n");
    let ladder = machine.climbs(&request(&sound.image())).await;
    let words = ends(&ladder, Stage::Token, Cause::AuthTokenEndpointUnreachable);
    concludes(&ladder, Cause::AuthTokenEndpointUnreachable, Confidence::Likely);
    assert!(
        words.starts_with(
            "failed to authorize: failed to fetch anonymous token: Get \"https://auth-old.example.com"
        ),
        "{words}"
    );
    let branch = ladder.branches.iter().find(|b| b.phase == Phase::Token).unwrap();
    ends(branch, Stage::Dns, Cause::DnsNotFound);
}

#[tokio::test]
async fn nothing_listens_there() {
    if missing() {
        return;
    }
    let sound = Sound::with_tokens(&TokenOptions::default(), |_| sound_realm(testkit::free_port()));
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Token, Cause::AuthTokenEndpointUnreachable);
    concludes(&ladder, Cause::AuthTokenEndpointUnreachable, Confidence::Likely);
    ends(&ladder.branches[0], Stage::Connect, Cause::NetRefused);
}

#[tokio::test]
async fn its_certificate_is_not_trusted() {
    if missing() {
        return;
    }
    let theirs = Authority::root("Their Root").issue(&Leaf::default());
    let sound =
        Sound::with_tokens(&TokenOptions { tls: Some(&theirs), ..TokenOptions::default() }, sound_realm);
    let machine = Machine::new().trusting(&sound.authority).knowing("joe", "s3cret");
    let ladder = machine.climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Token, Cause::TlsUnknownAuthority);
    concludes(&ladder, Cause::TlsUnknownAuthority, Confidence::Likely);
    ends(&ladder.branches[0], Stage::Tls, Cause::TlsUnknownAuthority);
    assert!(sound.service.unwrap().requests().is_empty());
}

#[tokio::test]
async fn it_refuses_the_password() {
    if missing() {
        return;
    }
    let options = TokenOptions { user: Some(("joe", "s3cret")), ..TokenOptions::default() };
    let sound = Sound::with_tokens(&options, sound_realm);
    let machine = Machine::new().trusting(&sound.authority).knowing("joe", "wrong");
    let ladder = machine.climbs(&request(&sound.image())).await;
    let words = ends(&ladder, Stage::Token, Cause::AuthBadCredentials);
    concludes(&ladder, Cause::AuthBadCredentials, Confidence::Likely);
    assert!(words.contains("failed to fetch oauth token"), "{words}");
    assert_eq!(sound.service.unwrap().requests().len(), 1, "accounts lock: once is enough");
}

#[tokio::test]
async fn it_serves_no_strangers() {
    if missing() {
        return;
    }
    let options = TokenOptions { user: Some(("joe", "s3cret")), ..TokenOptions::default() };
    let sound = Sound::with_tokens(&options, sound_realm);
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Token, Cause::AuthNoCredentials);
    concludes(&ladder, Cause::AuthNoCredentials, Confidence::Likely);
}

#[tokio::test]
async fn it_fails() {
    if missing() {
        return;
    }
    let options = TokenOptions {
        instead: Some(("503 Service Unavailable", "text/plain", "down")),
        ..TokenOptions::default()
    };
    let sound = Sound::with_tokens(&options, sound_realm);
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Token, Cause::AuthTokenRejected);
    concludes(&ladder, Cause::AuthTokenRejected, Confidence::Likely);
}

#[tokio::test]
async fn a_page_comes_instead_of_json() {
    if missing() {
        return;
    }
    let authority = Authority::root("Example Root");
    let tls = authority.issue(&Leaf::default());
    let portal = Front::new(
        &tls,
        "default_type text/html; location / { return 200 '<html><title>Sign in</title></html>'; }",
    );
    let sound = Sound::with_tokens(&TokenOptions::default(), |_| sound_realm(portal.nginx.port));
    let machine = Machine::new().trusting(&sound.authority).trusting(&authority);
    let ladder = machine.climbs(&request(&sound.image())).await;
    let words = ends(&ladder, Stage::Token, Cause::RegistryBadResponse);
    concludes(&ladder, Cause::RegistryBadResponse, Confidence::Likely);
    assert!(words.contains("invalid character '<' looking for beginning of value"), "{words}");
    assert_eq!(fact(&ladder, Stage::Token, seen::BODY_KIND), "html");
}

#[tokio::test]
async fn the_token_grants_nothing() {
    if missing() {
        return;
    }
    let options =
        TokenOptions { claims: Claims { actions: Some(Vec::new()), ..claims() }, ..TokenOptions::default() };
    let sound = Sound::with_tokens(&options, sound_realm);
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Authorization, Cause::AuthInsufficientScope);
    concludes(&ladder, Cause::AuthInsufficientScope, Confidence::Likely);
    assert_eq!(fact(&ladder, Stage::Token, seen::TOKEN_SUFFICES), "no");
    assert_eq!(ladder.rung(Stage::Token).unwrap().outcome, Outcome::Passed);
}

#[tokio::test]
async fn its_clock_is_ahead() {
    if missing() {
        return;
    }
    let options = TokenOptions { claims: Claims { clock: 900, ..claims() }, ..TokenOptions::default() };
    let sound = Sound::with_tokens(&options, sound_realm);
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Authorization, Cause::AuthTokenRejected);
    concludes(&ladder, Cause::AuthClockSkew, Confidence::Confirmed);
    let ahead: i64 = fact(&ladder, Stage::Token, seen::CLOCK_TOKEN_AGAINST_REGISTRY).parse().unwrap();
    assert!((895..=905).contains(&ahead), "{ahead}");
    assert_eq!(fact(&ladder, Stage::Token, seen::TOKEN_SUFFICES), "yes");
}

#[tokio::test]
async fn its_tokens_are_for_others() {
    if missing() {
        return;
    }
    let options = TokenOptions {
        claims: Claims { issuer: "somebody else".to_owned(), ..claims() },
        ..TokenOptions::default()
    };
    let sound = Sound::with_tokens(&options, sound_realm);
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Authorization, Cause::AuthTokenRejected);
    concludes(&ladder, Cause::AuthTokenRejected, Confidence::Confirmed);
    assert_eq!(fact(&ladder, Stage::Token, seen::TOKEN_ISSUER), "somebody else");
}

#[tokio::test]
async fn the_realm_is_in_the_clear() {
    if missing() {
        return;
    }
    let sound =
        Sound::with_tokens(&TokenOptions::default(), |port| format!("http://auth.example.com:{port}/token"));
    let machine = Machine::new().trusting(&sound.authority).knowing("joe", "s3cret");
    let ladder = machine.climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Token, Cause::AuthRealmMisconfigured);
    concludes(&ladder, Cause::AuthRealmMisconfigured, Confidence::Likely);
    assert!(fact(&ladder, Stage::Token, seen::REALM_REFUSED).contains("plain HTTP"));
    assert!(sound.service.unwrap().requests().is_empty());
}

#[tokio::test]
async fn the_realm_has_no_scheme_that_clients_know() {
    if missing() {
        return;
    }
    let sound = Sound::with_tokens(&TokenOptions::default(), |_| "null://auth.example.com/token".to_owned());
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&sound.image())).await;
    let words = ends(&ladder, Stage::Token, Cause::AuthRealmMisconfigured);
    concludes(&ladder, Cause::AuthRealmMisconfigured, Confidence::Confirmed);
    assert!(words.contains("unsupported protocol scheme"), "{words}");
}

#[tokio::test]
async fn the_challenge_is_lost_on_the_way() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let front = sound.behind("proxy_hide_header WWW-Authenticate;");
    let ladder = Machine::new()
        .trusting(&sound.authority)
        .knowing("joe", "s3cret")
        .climbs(&request(&front.image()))
        .await;
    ends(&ladder, Stage::Token, Cause::AuthChallengeInvalid);
    concludes(&ladder, Cause::AuthChallengeInvalid, Confidence::Likely);
}

#[tokio::test]
async fn the_challenge_is_of_another_kind() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let front =
        sound.behind("proxy_hide_header WWW-Authenticate; add_header WWW-Authenticate Negotiate always;");
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    ends(&ladder, Stage::Token, Cause::AuthChallengeInvalid);
    concludes(&ladder, Cause::AuthChallengeInvalid, Confidence::Likely);
    assert_eq!(fact(&ladder, Stage::Http, seen::CHALLENGE), "Negotiate");
}

#[tokio::test]
async fn a_named_realm_is_trusted_with_the_password() {
    if missing() {
        return;
    }
    let plain = TokenOptions { user: Some(("joe", "s3cret")), ..TokenOptions::default() };
    let sound = Sound::with_plain_tokens(&plain, |port| format!("http://auth.example.com:{port}/token"));
    let mut request = request(&sound.image());
    request.realms.push("auth.example.com".to_owned());
    passes(&Machine::new().trusting(&sound.authority).knowing("joe", "s3cret").climbs(&request).await);
}
