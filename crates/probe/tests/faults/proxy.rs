//! The proxy of a company, by squid.

use crate::support::stage::{Sound, sound_realm};
use crate::support::{Machine, concludes, ends, fact, passes, request};
use facts::seen;
use testkit::{Authority, Leaf, Socks, SocksRules, Squid, SquidRules, TokenOptions, free_port};
use vocabulary::{Cause, Confidence, Stage};

fn missing() -> bool {
    testkit::missing(&["docker-registry", "squid", "htpasswd"])
}

#[tokio::test]
async fn it_lets_everything_through() {
    if missing() {
        return;
    }
    let (sound, squid) = (Sound::open(), Squid::start(SquidRules::Open));
    let machine = Machine::new()
        .trusting(&sound.authority)
        .with("HTTPS_PROXY", &format!("http://127.0.0.1:{}", squid.port));
    let ladder = machine.climbs(&request(&sound.image())).await;
    passes(&ladder);
    assert!(fact(&ladder, Stage::Connect, seen::PROXY_STATUS).contains("200"));
}

#[tokio::test]
async fn it_knows_the_user() {
    if missing() {
        return;
    }
    let (sound, squid) = (Sound::open(), Squid::start(SquidRules::Users("joe", "s3cret")));
    let proxy = format!("http://joe:s3cret@127.0.0.1:{}", squid.port);
    let ladder = Machine::new()
        .trusting(&sound.authority)
        .with("HTTPS_PROXY", &proxy)
        .climbs(&request(&sound.image()))
        .await;
    passes(&ladder);
    assert!(!crate::support::shown(&ladder).contains("s3cret"));
}

#[tokio::test]
async fn it_wants_credentials() {
    if missing() {
        return;
    }
    let (sound, squid) = (Sound::open(), Squid::start(SquidRules::Users("joe", "s3cret")));
    let machine = Machine::new()
        .trusting(&sound.authority)
        .with("HTTPS_PROXY", &format!("http://127.0.0.1:{}", squid.port));
    let ladder = machine.climbs(&request(&sound.image())).await;
    let words = ends(&ladder, Stage::Connect, Cause::ProxyAuthRequired);
    concludes(&ladder, Cause::ProxyAuthRequired, Confidence::Confirmed);
    assert!(words.ends_with(": Proxy Authentication Required"), "{words}");
    assert_eq!(fact(&ladder, Stage::Connect, seen::PROXY_AUTHENTICATE), "Basic");
}

#[tokio::test]
async fn it_denies_the_host() {
    if missing() {
        return;
    }
    let (sound, squid) = (Sound::open(), Squid::start(SquidRules::Denied));
    let machine =
        Machine::new().trusting(&sound.authority).with("HTTPS_PROXY", &format!("127.0.0.1:{}", squid.port));
    let ladder = machine.climbs(&request(&sound.image())).await;
    let words = ends(&ladder, Stage::Connect, Cause::ProxyRejected);
    concludes(&ladder, Cause::ProxyRejected, Confidence::Confirmed);
    assert!(words.ends_with(": Forbidden"), "{words}");
}

#[tokio::test]
async fn it_cannot_reach_the_host() {
    if missing() {
        return;
    }
    let squid = Squid::start(SquidRules::Open);
    let machine = Machine::new().with("https_proxy", &format!("http://127.0.0.1:{}", squid.port));
    let ladder = machine.climbs(&request(&format!("registry.example.com:{}/team/app:v1", free_port()))).await;
    ends(&ladder, Stage::Connect, Cause::ProxyUpstreamFailed);
    concludes(&ladder, Cause::ProxyUpstreamFailed, Confidence::Likely);
}

#[tokio::test]
async fn it_is_down() {
    let machine = Machine::new().with("HTTPS_PROXY", &format!("http://127.0.0.1:{}", free_port()));
    let ladder = machine.climbs(&request("registry.example.com/team/app:v1")).await;
    let words = ends(&ladder, Stage::Connect, Cause::ProxyUnreachable);
    concludes(&ladder, Cause::ProxyUnreachable, Confidence::Confirmed);
    assert!(words.contains("proxyconnect tcp: dial tcp 127.0.0.1:"), "{words}");
}

#[tokio::test]
async fn it_is_spoken_to_over_tls() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let tls = sound.authority.issue(&Leaf { names: vec!["localhost".into()], ..Leaf::default() });
    let squid = Squid::over_tls(SquidRules::Users("joe", "s3cret"), &tls);
    let machine = |host: &str, login: &str| {
        let machine = Machine::new().trusting(&sound.authority);
        machine.with("HTTPS_PROXY", &format!("https://{login}{host}:{}", squid.port))
    };
    let ladder = machine("localhost", "joe:s3cret@").climbs(&request(&sound.image())).await;
    passes(&ladder);
    assert!(fact(&ladder, Stage::Connect, seen::PROXY_STATUS).contains("200"));

    let ladder = machine("localhost", "").climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Connect, Cause::ProxyAuthRequired);

    let ladder = machine("127.0.0.1", "joe:s3cret@").climbs(&request(&sound.image())).await;
    let words = ends(&ladder, Stage::Connect, Cause::TlsNoSan);
    assert!(words.contains("proxyconnect tcp: tls: failed to verify certificate: x509: "), "{words}");
}

#[tokio::test]
async fn its_authority_is_unknown() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let other = Authority::root("Example Proxy Root");
    let tls = other.issue(&Leaf { names: vec!["localhost".into()], ..Leaf::default() });
    let squid = Squid::over_tls(SquidRules::Open, &tls);
    let machine = Machine::new()
        .trusting(&sound.authority)
        .with("HTTPS_PROXY", &format!("https://localhost:{}", squid.port));
    let ladder = machine.climbs(&request(&sound.image())).await;
    let words = ends(&ladder, Stage::Connect, Cause::TlsUnknownAuthority);
    assert!(words.contains("proxyconnect tcp: "), "{words}");
}

#[tokio::test]
async fn its_scheme_is_wrong() {
    if missing() {
        return;
    }
    let squid = Squid::start(SquidRules::Open);
    let machine = Machine::new().with("HTTPS_PROXY", &format!("https://127.0.0.1:{}", squid.port));
    let ladder = machine.climbs(&request("registry.example.com/team/app:v1")).await;
    ends(&ladder, Stage::Connect, Cause::ProxyMisconfigured);
    concludes(&ladder, Cause::ProxyMisconfigured, Confidence::Confirmed);
}

#[tokio::test]
async fn no_proxy_leads_past_it() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let machine = Machine::new()
        .trusting(&sound.authority)
        .with("HTTPS_PROXY", &format!("http://127.0.0.1:{}", free_port()))
        .with("NO_PROXY", "other.example.org, .example.com");
    let ladder = machine.climbs(&request(&sound.image())).await;
    passes(&ladder);
    assert_eq!(fact(&ladder, Stage::Connect, seen::PROXY_BYPASSED), ".example.com");
}

#[tokio::test]
async fn a_realm_that_leads_inward_gets_no_password() {
    if missing() {
        return;
    }
    // Through the proxy the registry is anywhere; its realm claims a service on this very machine.
    let sound = Sound::with_tokens(
        &TokenOptions { user: Some(("joe", "s3cret")), ..TokenOptions::default() },
        |port| format!("https://localhost:{port}/token"),
    );
    let squid = Squid::start(SquidRules::Open);
    let machine = Machine::new()
        .trusting(&sound.authority)
        .knowing("joe", "s3cret")
        .with("HTTPS_PROXY", &format!("http://127.0.0.1:{}", squid.port));
    let ladder = machine.climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Token, Cause::AuthRealmMisconfigured);
    concludes(&ladder, Cause::AuthRealmMisconfigured, Confidence::Likely);
    assert!(fact(&ladder, Stage::Token, seen::REALM_REFUSED).contains("loopback"));
    assert!(sound.service.unwrap().requests().is_empty());
}

#[tokio::test]
async fn only_the_token_service_is_behind_a_dead_proxy() {
    if missing() {
        return;
    }
    let sound = Sound::with_tokens(&TokenOptions::default(), sound_realm);
    let machine = Machine::new()
        .trusting(&sound.authority)
        .with("HTTPS_PROXY", &format!("http://127.0.0.1:{}", free_port()))
        .with("NO_PROXY", "registry.example.com");
    let ladder = machine.climbs(&request(&sound.image())).await;
    ends(&ladder, Stage::Token, Cause::ProxyUnreachable);
    concludes(&ladder, Cause::ProxyUnreachable, Confidence::Confirmed);
}

#[tokio::test]
async fn socks_proxies_look_names_up_themselves() {
    if missing() {
        return;
    }
    for scheme in ["socks5", "socks5h"] {
        let (sound, socks) = (Sound::open(), Socks::start(SocksRules::Users("joe", "s3cret")));
        let machine = Machine::new()
            .trusting(&sound.authority)
            .with("HTTPS_PROXY", &format!("{scheme}://joe:s3cret@127.0.0.1:{}", socks.port));
        // Only the proxy knows the name.
        machine.file("etc/hosts", "127.0.0.1 localhost\n");
        let ladder = machine.climbs(&request(&sound.image())).await;
        passes(&ladder);
        assert_eq!(socks.asked(), ["registry.example.com"], "by name, and once");
        assert!(!crate::support::shown(&ladder).contains("s3cret"));
    }
}

#[tokio::test]
async fn socks_refusals_are_told_apart() {
    for (rules, symptom, words, sure) in [
        (
            SocksRules::Users("joe", "s3cret"),
            Cause::ProxyAuthRequired,
            "no acceptable authentication methods",
            Confidence::Confirmed,
        ),
        (
            SocksRules::Replies(2),
            Cause::ProxyRejected,
            "unknown error connection not allowed by ruleset",
            Confidence::Confirmed,
        ),
        (
            SocksRules::Replies(5),
            Cause::ProxyUpstreamFailed,
            "unknown error connection refused",
            Confidence::Likely,
        ),
    ] {
        let socks = Socks::start(rules);
        let machine = Machine::new().with("HTTPS_PROXY", &format!("socks5://127.0.0.1:{}", socks.port));
        let ladder = machine.climbs(&request("registry.example.com/team/app:v1")).await;
        let said = ends(&ladder, Stage::Connect, symptom);
        let way = format!("socks connect tcp 127.0.0.1:{}->registry.example.com:443: {words}", socks.port);
        assert!(said.ends_with(&way), "{said}");
        concludes(&ladder, symptom, sure);
    }
}

#[tokio::test]
async fn a_socks_login_that_is_refused_is_said_so() {
    let socks = Socks::start(SocksRules::Users("joe", "s3cret"));
    let machine = Machine::new().with("HTTPS_PROXY", &format!("socks5://joe:wrong@127.0.0.1:{}", socks.port));
    let ladder = machine.climbs(&request("registry.example.com/team/app:v1")).await;
    let words = ends(&ladder, Stage::Connect, Cause::ProxyAuthRequired);
    assert!(words.ends_with("username/password authentication failed"), "{words}");
    assert!(socks.asked().is_empty());
}
