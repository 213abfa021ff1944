//! Lookup.

use crate::support::{Machine, concludes, ends, fact, request};
use facts::seen;
use std::net::{IpAddr, Ipv4Addr};
use testkit::{NameServer, Says, free_port};
use vocabulary::{Cause, Confidence, Stage};

const IMAGE: &str = "registry.corp.example.com/team/app:v1";
const HERE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

async fn asks(says: Says, symptom: Cause, sure: Confidence) -> String {
    let server = NameServer::start(HERE, 0, says);
    let machine = Machine::new().asking(&["127.0.0.1"], server.port);
    let mut request = request(IMAGE);
    request.timeout = std::time::Duration::from_millis(700);
    let ladder = machine.climbs(&request).await;
    concludes(&ladder, symptom, sure);
    ends(&ladder, Stage::Dns, symptom)
}

#[tokio::test]
async fn the_name_does_not_exist() {
    let words = asks(Says::NoSuchName, Cause::DnsNotFound, Confidence::Confirmed).await;
    assert!(words.contains("dial tcp: lookup registry.corp.example.com on 127.0.0.1:"), "{words}");
    assert!(words.ends_with(": no such host"), "{words}");
}

#[tokio::test]
async fn the_name_has_no_address() {
    asks(Says::NoAddress, Cause::DnsNotFound, Confidence::Confirmed).await;
}

#[tokio::test]
async fn the_resolver_fails() {
    let words = asks(Says::Failure, Cause::DnsServerFailure, Confidence::Likely).await;
    assert!(words.ends_with(": server misbehaving"), "{words}");
}

#[tokio::test]
async fn the_resolver_refuses() {
    asks(Says::Refused, Cause::DnsServerFailure, Confidence::Likely).await;
}

#[tokio::test]
async fn the_resolver_is_silent() {
    let words = asks(Says::Silence, Cause::DnsTimeout, Confidence::Likely).await;
    assert!(words.contains("read udp 127.0.0.1:") && words.ends_with(": i/o timeout"), "{words}");
}

#[tokio::test]
async fn the_resolver_talks_garbage() {
    asks(Says::Garbage, Cause::DnsServerFailure, Confidence::Likely).await;
}

#[tokio::test]
async fn no_resolver_listens() {
    let machine = Machine::new().asking(&["127.0.0.1"], free_port());
    let ladder = machine.climbs(&request(IMAGE)).await;
    let words = ends(&ladder, Stage::Dns, Cause::DnsServerFailure);
    concludes(&ladder, Cause::DnsServerFailure, Confidence::Likely);
    assert!(words.contains("connection refused"), "{words}");
}

#[tokio::test]
async fn resolvers_have_different_views() {
    let first = NameServer::start(HERE, 0, Says::NoSuchName);
    let other: IpAddr = Ipv4Addr::new(127, 0, 0, 2).into();
    let _second = NameServer::start(other, first.port, Says::Addresses(vec![HERE]));
    let machine = Machine::new().asking(&["127.0.0.1", "127.0.0.2"], first.port);
    let ladder = machine.climbs(&request(IMAGE)).await;
    ends(&ladder, Stage::Dns, Cause::DnsNotFound);
    concludes(&ladder, Cause::DnsInconsistentResolvers, Confidence::Confirmed);
    assert_eq!(fact(&ladder, Stage::Dns, seen::RESOLVERS_DIFFER), "yes");
    let asked: Vec<&str> = ladder.rung(Stage::Dns).unwrap().all(seen::RESOLVER_ANSWER).collect();
    assert_eq!(asked, ["nxdomain", "127.0.0.1"]);
}

#[tokio::test]
async fn a_failing_resolver_before_a_sound_one_does_no_harm() {
    let first = NameServer::start(HERE, 0, Says::Failure);
    let other: IpAddr = Ipv4Addr::new(127, 0, 0, 2).into();
    let _second = NameServer::start(other, first.port, Says::Addresses(vec![HERE]));
    let machine = Machine::new().asking(&["127.0.0.1", "127.0.0.2"], first.port);
    let image = format!("registry.corp.example.com:{}/team/app:v1", free_port());
    let ladder = machine.climbs(&request(&image)).await;
    ends(&ladder, Stage::Connect, Cause::NetRefused);
    assert_eq!(fact(&ladder, Stage::Dns, seen::ADDRESS), "127.0.0.1");
}
