//! Configurations and layers.

use crate::support::stage::{Front, Sound};
use crate::support::{Machine, concludes, ends, fact, passes, request};
use facts::{Outcome, seen};
use std::time::Duration;
use testkit::{Authority, Image, Leaf, digest_of};
use vocabulary::{Cause, Confidence, Phase, Stage};

fn missing() -> bool {
    testkit::missing(&["docker-registry", "nginx"])
}

async fn climbed(sound: &Sound, image: &str) -> facts::Ladder {
    Machine::new().trusting(&sound.authority).climbs(&request(image)).await
}

fn layer() -> String {
    digest_of(&Image::single("linux/amd64").blobs[1])
}

fn config() -> String {
    digest_of(&Image::single("linux/amd64").blobs[0])
}

#[tokio::test]
async fn the_layer_is_gone() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    std::fs::remove_file(sound.shelf.blob(&layer())).unwrap();
    let ladder = climbed(&sound, &sound.image()).await;
    let words = ends(&ladder, Stage::Blob, Cause::BlobUnknown);
    concludes(&ladder, Cause::BlobUnknown, Confidence::Confirmed);
    assert_eq!(words, format!("could not fetch content descriptor {} from remote: not found", layer()));
}

#[tokio::test]
async fn the_content_is_not_what_its_digest_says() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let file = sound.shelf.blob(&config());
    let sound_bytes = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, sound_bytes.replace("amd64", "amd46")).unwrap();
    let ladder = climbed(&sound, &sound.image()).await;
    let words = ends(&ladder, Stage::Blob, Cause::BlobDigestMismatch);
    concludes(&ladder, Cause::BlobDigestMismatch, Confidence::Confirmed);
    assert!(words.contains("unexpected commit digest"), "{words}");
}

#[tokio::test]
async fn the_download_ends_too_early() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    // What it states is longer than what it sends.
    let store = testkit::Peer::start(|mut stream| {
        use std::io::Write;
        testkit::Peer::head(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 206 Partial Content\r\nContent-Length: 65536\r\n\r\nonly this");
    });
    let front = sound.behind(&format!(
        "location ~ /blobs/{} {{ proxy_pass http://127.0.0.1:{}; }}",
        layer(),
        store.port
    ));
    let ladder = climbed(&sound, &front.image()).await;
    ends(&ladder, Stage::Blob, Cause::BlobTruncated);
    concludes(&ladder, Cause::BlobTruncated, Confidence::Confirmed);
}

#[tokio::test]
async fn the_download_stalls() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let store = testkit::Peer::start(|mut stream| {
        use std::io::Write;
        testkit::Peer::head(&mut stream);
        let _ = stream.write_all(b"HTTP/1.1 206 Partial Content\r\nContent-Length: 65536\r\n\r\nonly this");
        testkit::Peer::head(&mut stream);
    });
    let front = sound.behind(&format!(
        "location ~ /blobs/{} {{ proxy_buffering off; proxy_pass http://127.0.0.1:{}; }}",
        layer(),
        store.port
    ));
    let mut request = request(&front.image());
    request.timeout = Duration::from_millis(900);
    let ladder = Machine::new().trusting(&sound.authority).climbs(&request).await;
    ends(&ladder, Stage::Blob, Cause::NetTimeout);
    concludes(&ladder, Cause::NetTimeout, Confidence::Likely);
}

#[tokio::test]
async fn the_store_has_no_address() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let front = sound.behind(
        "location ~ /blobs/ { return 307 https://store.example.net$request_uri?X-Amz-Signature=canary; }",
    );
    let machine = Machine::new().trusting(&sound.authority);
    machine.file("etc/nsswitch.conf", "hosts: files\n");
    let ladder = machine.climbs(&request(&front.image())).await;
    ends(&ladder, Stage::Blob, Cause::BlobRedirectFailed);
    concludes(&ladder, Cause::BlobRedirectFailed, Confidence::Confirmed);
    let branch = ladder.branches.iter().find(|b| b.phase == Phase::Blob).unwrap();
    ends(branch, Stage::Dns, Cause::DnsNotFound);
    assert!(!crate::support::shown(&ladder).contains("canary"), "signed URLs are secrets");
}

#[tokio::test]
async fn the_store_is_not_trusted() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let theirs = Authority::root("Their Root").issue(&Leaf::default());
    let store = Front::new(&theirs, "return 204;");
    let front = sound.behind(&format!(
        "location ~ /blobs/ {{ return 307 https://blobs.example.com:{}$request_uri; }}",
        store.nginx.port
    ));
    let ladder = climbed(&sound, &front.image()).await;
    ends(&ladder, Stage::Blob, Cause::BlobRedirectFailed);
    concludes(&ladder, Cause::BlobRedirectFailed, Confidence::Confirmed);
    ends(&ladder.branches[0], Stage::Tls, Cause::TlsUnknownAuthority);
}

#[tokio::test]
async fn the_store_refuses() {
    if missing() {
        return;
    }
    let sound = Sound::open();
    let says = "default_type application/xml; return 403 '<?xml version=\"1.0\"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>';";
    let store = Front::new(&sound.tls, says);
    let front = sound.behind(&format!(
        "location ~ /blobs/ {{ return 307 https://blobs.example.com:{}$request_uri; }}",
        store.nginx.port
    ));
    let ladder = climbed(&sound, &front.image()).await;
    ends(&ladder, Stage::Blob, Cause::AuthzBlockedByGateway);
    concludes(&ladder, Cause::AuthzBlockedByGateway, Confidence::Likely);
}

#[tokio::test]
async fn a_sound_store_is_a_ladder_of_its_own() {
    if missing() {
        return;
    }
    let sound = Sound::with_password();
    let store = sound.behind(
        "if ($http_authorization) { return 400; } proxy_set_header Authorization 'Basic am9lOnMzY3JldA==';",
    );
    let front = sound.behind(&format!(
        "location ~ /blobs/ {{ return 307 https://blobs.example.com:{}$request_uri; }}",
        store.nginx.port
    ));
    let machine = Machine::new().trusting(&sound.authority).knowing("joe", "s3cret");
    let ladder = machine.climbs(&request(&front.image())).await;
    passes(&ladder);
    let branch = ladder.branches.iter().find(|b| b.phase == Phase::Blob).unwrap();
    assert_eq!(branch.rung(Stage::Tls).unwrap().outcome, Outcome::Passed);
    assert_eq!(fact(branch, Stage::Connect, seen::PEER), format!("127.0.0.1:{}", store.nginx.port));
}
