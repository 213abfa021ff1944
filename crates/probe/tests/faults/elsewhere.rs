//! What other hosts receive: never a credential that the emulated client would not send there.

use crate::support::stage::{Sound, sound_realm};
use crate::support::{Machine, request};
use std::io::Write;
use std::sync::{Arc, Mutex};
use testkit::{Authority, Leaf, Peer, TokenOptions};

fn missing() -> bool {
    testkit::missing(&["docker-registry", "nginx", "htpasswd"])
}

/// A host that keeps every request's head, and has nothing.
struct Recorder {
    peer: Peer,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Recorder {
    fn with_tls(authority: &Authority) -> Self {
        let tls = authority.issue(&Leaf::default());
        Self::start(move |stream, keep| serve(&mut testkit::accept_tls(&tls, stream), keep))
    }

    fn plain() -> Self {
        Self::start(|mut stream, keep| serve(&mut stream, keep))
    }

    fn start(with: impl Fn(std::net::TcpStream, &Mutex<Vec<String>>) + Send + Sync + 'static) -> Self {
        let heads = Arc::new(Mutex::new(Vec::new()));
        let keep = Arc::clone(&heads);
        Self { peer: Peer::start(move |stream| with(stream, &keep)), heads }
    }

    /// That it was asked, and that nothing in what it received is a credential.
    #[track_caller]
    fn received_no_credential(&self) {
        let heads = self.heads.lock().unwrap();
        assert!(!heads.is_empty(), "it was never asked");
        for head in heads.iter() {
            let lower = head.to_lowercase();
            assert!(!lower.contains("authorization") && !lower.contains("cookie"), "{head}");
            assert!(!head.contains("s3cret") && !head.contains("am9lOnMzY3JldA"), "{head}");
        }
    }
}

fn serve(stream: &mut (impl std::io::Read + Write), keep: &Mutex<Vec<String>>) {
    loop {
        let head = Peer::head(stream);
        if head.is_empty() {
            return;
        }
        keep.lock().unwrap().push(head);
        let answer = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
        if stream.write_all(answer).and_then(|()| stream.flush()).is_err() {
            return;
        }
    }
}

#[tokio::test]
async fn a_password_does_not_follow_a_redirect_to_another_host() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let other = Recorder::with_tls(&sound.authority);
    let to = format!("https://blobs.example.com:{}", other.peer.port);
    let front = sound.behind(&format!("location ~ /manifests/ {{ return 307 {to}$request_uri; }}"));
    let machine = Machine::new().trusting(&sound.authority).knowing("joe", "s3cret");
    machine.climbs(&request(&front.image())).await;
    other.received_no_credential();
}

#[tokio::test]
async fn a_token_does_not_follow_a_redirect_to_another_port_of_the_same_host() {
    if missing() {
        return;
    }
    let sound = Sound::with_tokens(&TokenOptions::default(), sound_realm);
    let other = Recorder::with_tls(&sound.authority);
    let to = format!("https://registry.example.com:{}", other.peer.port);
    let front = sound.behind(&format!("location ~ /manifests/ {{ return 307 {to}$request_uri; }}"));
    Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    other.received_no_credential();
}

#[tokio::test]
async fn a_password_does_not_follow_a_redirect_into_the_clear() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let other = Recorder::plain();
    let to = format!("http://registry.example.com:{}", other.peer.port);
    let front = sound.behind(&format!("location ~ /(manifests|blobs)/ {{ return 307 {to}$request_uri; }}"));
    let machine = Machine::new().trusting(&sound.authority).knowing("joe", "s3cret");
    machine.climbs(&request(&front.image())).await;
    other.received_no_credential();
}

#[tokio::test]
async fn an_endpoint_that_the_reference_does_not_name_gets_no_password() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let mirror = Recorder::with_tls(&sound.authority);
    let mut request = request(&sound.image());
    let url = format!("https://blobs.example.com:{}", mirror.peer.port);
    request.endpoints.push(probe::Endpoint::parse(&url).unwrap());
    let machine = Machine::new().trusting(&sound.authority).knowing("joe", "s3cret");
    machine.climbs(&request).await;
    mirror.received_no_credential();
}

#[tokio::test]
async fn the_token_service_gets_the_password_and_the_registry_the_token() {
    if missing() {
        return;
    }
    let options = TokenOptions { user: Some(("joe", "s3cret")), ..TokenOptions::default() };
    let sound = Sound::with_tokens(&options, sound_realm);
    // What the registry receives is seen by a front end that lets no password through.
    let front = sound.behind("if ($http_authorization ~* \"^Basic\") { return 418; }");
    let machine = Machine::new().trusting(&sound.authority).knowing("joe", "s3cret");
    let ladder = machine.climbs(&request(&front.image())).await;
    crate::support::passes(&ladder);
    assert_eq!(sound.service.unwrap().requests().len(), 1, "the password goes out once");
}

#[tokio::test]
async fn a_client_certificate_is_for_the_registry_alone() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let client = sound.authority.issue(&Leaf { for_servers: false, ..Leaf::default() });
    let asks = format!(
        "ssl_client_certificate {}; ssl_verify_client optional; add_header X-Client $ssl_client_verify always;",
        sound.authority.file().display()
    );
    // The store refuses who shows one; the registry's front end refuses who shows none.
    let store = sound.behind(&format!("{asks} if ($ssl_client_verify != NONE) {{ return 403; }}"));
    let front = sound.behind(&format!(
        "{asks} if ($ssl_client_verify != SUCCESS) {{ return 403; }} \
         location ~ /blobs/ {{ return 307 https://blobs.example.com:{}$request_uri; }}",
        store.nginx.port
    ));
    let with =
        Machine::new().trusting(&sound.authority).showing(&client).climbs(&request(&front.image())).await;
    crate::support::passes(&with);
    let sent = crate::support::fact(&with, vocabulary::Stage::Tls, facts::seen::TLS_CLIENT_CERTIFICATE_SENT);
    assert_eq!(sent, "yes");
    let without = Machine::new().trusting(&sound.authority).climbs(&request(&front.image())).await;
    assert!(crate::support::failure(&without).is_some());
}
