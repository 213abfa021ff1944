//! Connections.

use crate::support::{Machine, concludes, ends, fact, request};
use facts::seen;
use std::net::TcpStream;
use std::time::Duration;
use testkit::{Peer, free_port};
use vocabulary::{Cause, Confidence, Stage};

fn image(port: u16) -> String {
    format!("registry.example.com:{port}/team/app:v1")
}

#[tokio::test]
async fn nothing_listens() {
    let port = free_port();
    let ladder = Machine::new().climbs(&request(&image(port))).await;
    let words = ends(&ladder, Stage::Connect, Cause::NetRefused);
    concludes(&ladder, Cause::NetRefused, Confidence::Confirmed);
    assert_eq!(
        words,
        format!(
            "Head \"https://registry.example.com:{port}/v2/team/app/manifests/v1\": dial tcp 127.0.0.1:{port}: connect: connection refused"
        )
    );
    assert_eq!(fact(&ladder, Stage::Connect, seen::ADDRESS_OUTCOME), "refused");
}

#[tokio::test]
async fn packets_are_dropped() {
    let (port, _filling, _listener) = testkit::deaf_port();
    let mut request = request(&image(port));
    request.timeout = Duration::from_millis(600);
    let ladder = Machine::new().climbs(&request).await;
    let words = ends(&ladder, Stage::Connect, Cause::NetTimeout);
    concludes(&ladder, Cause::NetTimeout, Confidence::Confirmed);
    assert!(words.ends_with(&format!("dial tcp 127.0.0.1:{port}: i/o timeout")), "{words}");
}

#[tokio::test]
async fn no_route_leads_there() {
    let machine = Machine::new();
    // The broadcast address takes no connections on any machine, and nothing is sent for the attempt.
    machine.file("etc/hosts", "255.255.255.255 registry.example.com\n");
    let ladder = machine.climbs(&request(&image(443))).await;
    let words = ends(&ladder, Stage::Connect, Cause::NetUnreachable);
    concludes(&ladder, Cause::NetUnreachable, Confidence::Likely);
    assert!(words.contains("connect: network is unreachable"), "{words}");
}

#[tokio::test]
async fn the_connection_is_reset() {
    let peer = Peer::start(reset);
    let ladder = Machine::new().climbs(&request(&image(peer.port))).await;
    let words = ends(&ladder, Stage::Tls, Cause::NetReset);
    concludes(&ladder, Cause::NetReset, Confidence::Confirmed);
    assert!(words.ends_with("read: connection reset by peer"), "{words}");
}

/// Closes with what was received unread, which resets.
fn reset(stream: TcpStream) {
    let mut one = [0u8; 1];
    let _ = stream.peek(&mut one);
    drop(stream);
}

#[tokio::test]
async fn the_connection_is_closed_without_an_answer() {
    let peer = Peer::start(|mut stream| {
        use std::io::Read;
        let mut hello = [0u8; 16 * 1024];
        // Everything is read, so that closing says goodbye instead of resetting.
        let _ = stream.read(&mut hello);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        while stream.read(&mut hello).is_ok_and(|n| n > 0) {}
    });
    let ladder = Machine::new().climbs(&request(&image(peer.port))).await;
    let words = ends(&ladder, Stage::Tls, Cause::NetEof);
    concludes(&ladder, Cause::NetEof, Confidence::Confirmed);
    assert!(words.ends_with(": EOF"), "{words}");
}

#[tokio::test]
async fn one_of_two_addresses_is_dead() {
    if testkit::missing(&["docker-registry"]) {
        return;
    }
    let sound = crate::support::stage::Sound::open();
    let machine = Machine::new().trusting(&sound.authority);
    machine.file("etc/hosts", "::1 registry.example.com\n127.0.0.1 registry.example.com\n");
    let ladder = machine.climbs(&request(&sound.image())).await;
    crate::support::passes(&ladder);
    let outcomes: Vec<&str> = ladder.rung(Stage::Connect).unwrap().all(seen::ADDRESS_OUTCOME).collect();
    assert_eq!(outcomes, ["refused", "connected"]);
}
