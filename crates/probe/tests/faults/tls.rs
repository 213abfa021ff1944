//! Certificates and handshakes.

use crate::support::stage::{Front, Sound};
use crate::support::{Machine, concludes, ends, fact, request};
use facts::seen;
use std::io::Write;
use std::time::Duration;
use testkit::{Authority, Interceptor, Issued, Leaf, Peer, Registry, RegistryOptions, SelfSigned, Shelf};
use vocabulary::{Cause, Confidence, Stage};

fn missing() -> bool {
    testkit::missing(&["docker-registry", "nginx"])
}

/// A registry with this certificate, as a machine that trusts the authority sees it.
async fn presented(
    tls: &Issued,
    authority: &Authority,
    symptom: Cause,
    sure: Confidence,
) -> (String, facts::Ladder) {
    presented_as("registry.example.com", tls, authority, symptom, sure).await
}

async fn presented_as(
    host: &str,
    tls: &Issued,
    authority: &Authority,
    symptom: Cause,
    sure: Confidence,
) -> (String, facts::Ladder) {
    let shelf = Shelf::with_app();
    let registry = Registry::start(&RegistryOptions { tls: Some(tls), ..RegistryOptions::plain(&shelf) });
    let image = format!("{host}:{}/team/app:v1", registry.port);
    let ladder = Machine::new().trusting(authority).climbs(&request(&image)).await;
    let words = ends(&ladder, Stage::Tls, symptom);
    concludes(&ladder, symptom, sure);
    assert!(
        !registry.log().contains("http.request.method"),
        "nothing is asked over an unverified connection"
    );
    (words, ladder)
}

#[tokio::test]
async fn the_authority_is_unknown() {
    if missing() {
        return;
    }
    let tls = Authority::root("Their Root").issue(&Leaf::default());
    let (words, ladder) =
        presented(&tls, &Authority::root("Our Root"), Cause::TlsUnknownAuthority, Confidence::Likely).await;
    assert!(words.ends_with("x509: certificate signed by unknown authority"), "{words}");
    assert_eq!(fact(&ladder, Stage::Tls, seen::CERTIFICATE_ISSUER), "CN=Their Root,O=Example");
    assert_eq!(fact(&ladder, Stage::Tls, seen::CHAIN_MISSING_ISSUER), "CN=Their Root,O=Example");
}

#[tokio::test]
async fn the_authority_was_made_anew_under_its_old_name() {
    if missing() {
        return;
    }
    let tls = Authority::root("Example Root").issue(&Leaf::default());
    let (words, _) =
        presented(&tls, &Authority::root("Example Root"), Cause::TlsUnknownAuthority, Confidence::Likely)
            .await;
    assert!(words.contains("possibly because of"), "{words}");
}

#[tokio::test]
async fn the_certificate_signs_itself() {
    if missing() {
        return;
    }
    let tls = SelfSigned::issue(&Leaf::default());
    let (_, ladder) =
        presented(&tls, &Authority::root("Our Root"), Cause::TlsSelfSigned, Confidence::Likely).await;
    assert_eq!(fact(&ladder, Stage::Tls, seen::CERTIFICATE_SELF_ISSUED), "yes");
}

#[tokio::test]
async fn an_intermediate_is_not_sent() {
    if missing() {
        return;
    }
    let root = Authority::root("Example Root");
    let tls = root.intermediate("Example Intermediate").issue(&Leaf::default());
    let (_, ladder) = presented(&tls, &root, Cause::TlsUnknownAuthority, Confidence::Likely).await;
    assert_eq!(fact(&ladder, Stage::Tls, seen::CHAIN_MISSING_ISSUER), "CN=Example Intermediate,O=Example");
    assert_eq!(fact(&ladder, Stage::Tls, seen::CHAIN_LENGTH), "1");
}

#[tokio::test]
async fn an_intermediate_that_is_sent_does_no_harm() {
    if missing() {
        return;
    }
    let root = Authority::root("Example Root");
    let intermediate = root.intermediate("Example Intermediate");
    let tls = intermediate.issue(&Leaf::default()).followed_by(intermediate.pem());
    let shelf = Shelf::with_app();
    let registry = Registry::start(&RegistryOptions { tls: Some(&tls), ..RegistryOptions::plain(&shelf) });
    let image = format!("registry.example.com:{}/team/app:v1", registry.port);
    crate::support::passes(&Machine::new().trusting(&root).climbs(&request(&image)).await);
}

#[tokio::test]
async fn the_certificate_has_expired() {
    if missing() {
        return;
    }
    let root = Authority::root("Example Root");
    let tls = root.issue(&Leaf { begins: -30, ends: -1, ..Leaf::default() });
    let (words, _) = presented(&tls, &root, Cause::TlsExpired, Confidence::Likely).await;
    assert!(words.contains("certificate has expired or is not yet valid: current time"), "{words}");
}

#[tokio::test]
async fn the_certificate_is_not_valid_yet() {
    if missing() {
        return;
    }
    let root = Authority::root("Example Root");
    let tls = root.issue(&Leaf { begins: 1, ends: 30, ..Leaf::default() });
    presented(&tls, &root, Cause::TlsNotYetValid, Confidence::Likely).await;
}

#[tokio::test]
async fn the_certificate_is_for_another_host() {
    if missing() {
        return;
    }
    let root = Authority::root("Example Root");
    let tls = root.issue(&Leaf { names: vec!["harbor.example.com".to_owned()], ..Leaf::default() });
    let (words, _) = presented(&tls, &root, Cause::TlsHostnameMismatch, Confidence::Likely).await;
    assert!(
        words.ends_with("certificate is valid for harbor.example.com, not registry.example.com"),
        "{words}"
    );
}

#[tokio::test]
async fn the_certificate_has_only_a_common_name() {
    if missing() {
        return;
    }
    let root = Authority::root("Example Root");
    let tls = root.issue(&Leaf { names: Vec::new(), ..Leaf::default() });
    let (words, _) = presented(&tls, &root, Cause::TlsNoSan, Confidence::Confirmed).await;
    assert!(words.ends_with("relies on legacy Common Name field, use SANs instead"), "{words}");
}

#[tokio::test]
async fn the_certificate_has_no_address() {
    if missing() {
        return;
    }
    let root = Authority::root("Example Root");
    let tls = root.issue(&Leaf { names: vec!["registry.example.com".to_owned()], ..Leaf::default() });
    let (words, _) = presented_as("127.0.0.1", &tls, &root, Cause::TlsNoSan, Confidence::Confirmed).await;
    assert!(
        words.ends_with("cannot validate certificate for 127.0.0.1 because it doesn't contain any IP SANs"),
        "{words}"
    );
}

#[tokio::test]
async fn the_certificate_is_for_clients() {
    if missing() {
        return;
    }
    let root = Authority::root("Example Root");
    let tls = root.issue(&Leaf { for_servers: false, ..Leaf::default() });
    presented(&tls, &root, Cause::TlsWrongUsage, Confidence::Confirmed).await;
}

#[tokio::test]
async fn the_port_speaks_plain_http() {
    if missing() {
        return;
    }
    let shelf = Shelf::with_app();
    let registry = Registry::start(&RegistryOptions::plain(&shelf));
    let ladder =
        Machine::new().climbs(&request(&format!("registry.example.com:{}/team/app:v1", registry.port))).await;
    let words = ends(&ladder, Stage::Tls, Cause::TlsHttpResponseToHttps);
    concludes(&ladder, Cause::TlsHttpResponseToHttps, Confidence::Confirmed);
    assert!(words.ends_with("http: server gave HTTP response to HTTPS client"), "{words}");
}

#[tokio::test]
async fn the_port_speaks_something_else() {
    let peer = Peer::start(|mut stream| {
        let _ = stream.write_all(b"SSH-2.0-OpenSSH_9.2\r\n");
        let mut head = [0u8; 1024];
        while std::io::Read::read(&mut stream, &mut head).is_ok_and(|n| n > 0) {}
    });
    let ladder =
        Machine::new().climbs(&request(&format!("registry.example.com:{}/team/app:v1", peer.port))).await;
    ends(&ladder, Stage::Tls, Cause::TlsNotTls);
    concludes(&ladder, Cause::TlsNotTls, Confidence::Confirmed);
    assert_eq!(fact(&ladder, Stage::Tls, seen::FIRST_BYTES), "SSH-2.0-OpenSSH_9.2");
}

#[tokio::test]
async fn the_handshake_never_ends() {
    let peer = Peer::start(|mut stream| {
        let mut hello = [0u8; 1024];
        while std::io::Read::read(&mut stream, &mut hello).is_ok_and(|n| n > 0) {}
    });
    let mut request = request(&format!("registry.example.com:{}/team/app:v1", peer.port));
    request.timeout = Duration::from_millis(500);
    let ladder = Machine::new().climbs(&request).await;
    let words = ends(&ladder, Stage::Tls, Cause::TlsHandshakeTimeout);
    concludes(&ladder, Cause::TlsHandshakeTimeout, Confidence::Likely);
    assert!(words.ends_with("net/http: TLS handshake timeout"), "{words}");
    assert_eq!(fact(&ladder, Stage::Tls, seen::TLS_SMALL_HELLO), "no");
}

#[tokio::test]
async fn large_hellos_are_lost() {
    // A device that drops what does not fit one packet, and lets the small one pass.
    let authority = Authority::root("Example Root");
    let tls = authority.issue(&Leaf::default());
    let peer = Peer::start(move |stream| {
        let mut begin = [0u8; 5];
        while stream.peek(&mut begin).is_ok_and(|n| n < 5) {}
        if u16::from_be_bytes([begin[3], begin[4]]) > 1000 {
            drop(stream);
            return;
        }
        let mut stream = testkit::accept_tls(&tls, stream);
        Peer::head(&mut stream);
    });
    let ladder = Machine::new()
        .trusting(&authority)
        .climbs(&request(&format!("registry.example.com:{}/team/app:v1", peer.port)))
        .await;
    ends(&ladder, Stage::Tls, Cause::NetReset);
    concludes(&ladder, Cause::NetReset, Confidence::Confirmed);
    assert_eq!(fact(&ladder, Stage::Tls, seen::TLS_SMALL_HELLO), "yes");
}

#[tokio::test]
async fn the_server_is_too_old() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let front = sound.behind("ssl_protocols TLSv1.1; ssl_ciphers DEFAULT@SECLEVEL=0;");
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    let words = ends(&ladder, Stage::Tls, Cause::TlsProtocolVersion);
    concludes(&ladder, Cause::TlsProtocolVersion, Confidence::Confirmed);
    assert!(words.ends_with("remote error: tls: protocol version not supported"), "{words}");
}

#[tokio::test]
async fn no_cipher_is_common() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let front = sound.behind("ssl_protocols TLSv1.2; ssl_ciphers ECDHE-ECDSA-AES128-SHA;");
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    let words = ends(&ladder, Stage::Tls, Cause::TlsHandshake);
    concludes(&ladder, Cause::TlsHandshake, Confidence::Likely);
    assert!(words.ends_with("remote error: tls: handshake failure"), "{words}");
}

#[tokio::test]
async fn a_client_certificate_is_demanded() {
    if missing() {
        return;
    }
    let authority = Authority::root("Example Root");
    let tls = authority.issue(&Leaf::default());
    let shelf = Shelf::with_app();
    // Written in Go, it says so by an alert, which with TLS 1.3 comes with the first answer.
    let more = format!("    clientcas:\n      - {}\n", authority.file().display());
    let registry =
        Registry::start(&RegistryOptions { tls: Some(&tls), more: &more, ..RegistryOptions::plain(&shelf) });
    let image = format!("registry.example.com:{}/team/app:v1", registry.port);
    let ladder = Machine::new().trusting(&authority).climbs(&request(&image)).await;
    let words = ends(&ladder, Stage::Tls, Cause::TlsClientCertRequired);
    concludes(&ladder, Cause::TlsClientCertRequired, Confidence::Confirmed);
    assert!(words.contains("remote error: tls:"), "{words}");
    assert_eq!(fact(&ladder, Stage::Tls, seen::TLS_CLIENT_CERTIFICATE_ASKED), "yes");
}

#[tokio::test]
async fn a_front_end_demands_a_client_certificate() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let front = sound.behind(&format!(
        "ssl_client_certificate {}; ssl_verify_client on;",
        sound.authority.file().display()
    ));
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    ends(&ladder, Stage::Http, Cause::TlsClientCertRequired);
    concludes(&ladder, Cause::TlsClientCertRequired, Confidence::Confirmed);
}

#[tokio::test]
async fn a_device_intercepts() {
    if testkit::missing(&["docker-registry", "mitmdump"]) {
        return;
    }
    let sound = Sound::open();
    let device = Interceptor::start(sound.registry.port);
    let image = format!("registry.example.com:{}/team/app:v1", device.port);
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request(&image)).await;
    ends(&ladder, Stage::Tls, Cause::TlsUnknownAuthority);
    concludes(&ladder, Cause::TlsInterception, Confidence::Confirmed);
    assert_eq!(fact(&ladder, Stage::Tls, seen::CHAIN_INTERCEPTOR), "mitmproxy");
    let trusting = Machine::new().trusting_file(device.authority()).climbs(&request(&image)).await;
    assert_eq!(fact(&trusting, Stage::Tls, seen::CHAIN_INTERCEPTOR), "mitmproxy", "also where it is trusted");
}

#[tokio::test]
async fn plain_http_meets_tls() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let mut plain = request(&sound.image());
    plain.plain_http = true;
    let ladder = Machine::new().climbs(&plain).await;
    ends(&ladder, Stage::Http, Cause::TlsHttpsRequired);
    concludes(&ladder, Cause::TlsHttpsRequired, Confidence::Confirmed);
    let front = Front::new(&sound.tls, "return 204;");
    let mut plain = request(&front.image());
    plain.plain_http = true;
    ends(&Machine::new().climbs(&plain).await, Stage::Http, Cause::TlsHttpsRequired);
}
