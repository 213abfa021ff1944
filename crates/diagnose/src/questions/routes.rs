//! The way from a node to a host: path MTU, the machine that is its own load balancer, other nodes' way.

use crate::case::Case;
use crate::lines::output_at;
use crate::pull::{Observation, Pull};
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::climbs;
use crate::questions::hosts::{is_private, is_served_to_many, same_host};
use crate::questions::words::quote;
use crate::requests::Request;
use crate::subject::Subject;
use facts::{CommandOutput, Why};
use report::{Evidence, Locator, Say};

fn shows(o: &CommandOutput, line: &str, says: Say) -> Evidence {
    Evidence { at: output_at(o, o.origin.line), says, quote: line.trim().to_owned() }
}

/// Every `mtu N` (or `pmtu N`) that a command printed on the pull's node.
fn mtus<'c, 'a>(
    case: &'c Case<'a>,
    pull: &'c Pull<'_>,
    programs: &'c [&'c str],
    word: &'c str,
) -> impl Iterator<Item = (u32, &'a CommandOutput, &'a str)> {
    let outputs =
        case.outputs_on(pull.node).filter(move |o| programs.iter().any(|p| o.command.starts_with(p)));
    outputs.flat_map(move |o| {
        o.text.lines().filter_map(move |line| {
            let after = line.rsplit_once(word)?.1;
            let number = after.split_whitespace().next()?.parse().ok()?;
            Some((number, o, line))
        })
    })
}

/// A ping that may not be broken up (`-M do`, `-D`): its size with headers, and whether it came back.
fn unbroken_ping(o: &CommandOutput) -> Option<(u32, bool)> {
    let command = formats::transcript::command(&o.command);
    let unbroken = command.flag("-M") == Some("do") || command.has("-D");
    let size: u32 = command.flag("-s").filter(|_| command.program == "ping" && unbroken)?.parse().ok()?;
    let lost = o.text.contains("100% packet loss") || o.text.contains("too long");
    let back = o.text.contains(" bytes from ") || o.text.contains(", 0% packet loss");
    (lost != back).then_some((size.saturating_add(HEADERS), back))
}

/// What IPv4 and ICMP put in front of a ping's bytes.
const HEADERS: u32 = 28;
/// What an Ethernet takes where nobody says otherwise.
const USUAL_MTU: u32 = 1500;

/// A large packet that is lost without a word, and a smaller one that passes to the same host.
fn large_ones_lost(case: &Case<'_>, pull: &Pull<'_>) -> Option<Seen> {
    let pings: Vec<_> = case.outputs_on(pull.node).filter_map(|o| Some((unbroken_ping(o)?, o))).collect();
    let passes = pings.iter().filter(|((_, back), _)| *back).max_by_key(|((size, _), _)| *size)?;
    // What the node's own link takes is sent as one packet, and so are the segments of a connection.
    let takes = links(case, pull).map(|(mtu, ..)| mtu).min().unwrap_or_default().max(USUAL_MTU);
    let lost = pings
        .iter()
        .filter(|((size, back), _)| !back && *size > passes.0.0 && *size <= takes)
        .min_by_key(|((size, _), _)| *size)?;
    let says = |key, size: u32| Say::new(key).with("mtu", size.to_string());
    Some(Seen::Is(
        Answer::Yes,
        vec![
            shows(lost.1, &lost.1.command, says("evidence-packet-lost", lost.0.0)),
            shows(passes.1, &passes.1.command, says("evidence-packet-passes", passes.0.0)),
        ],
    ))
}

/// The MTU of the node's links, the loopback left out.
fn links<'c, 'a>(
    case: &'c Case<'a>,
    pull: &'c Pull<'_>,
) -> impl Iterator<Item = (u32, &'a CommandOutput, &'a str)> {
    mtus(case, pull, &["ip -o link", "ip link", "ip addr", "ip a"], " mtu ")
        .filter(|(_, _, l)| !l.contains(" lo:"))
}

/// How Go says that a connection did not come about (net/dial.go, syscall errors): its packets are small.
const NOT_CONNECTED: &[&str] = &[
    ": i/o timeout",
    "connection refused",
    "no route to host",
    "network is unreachable",
    "host is unreachable",
    "connection timed out",
];

/// The words of an attempt that ended while connecting.
fn never_connected<'o, 'a>(pull: &'o Pull<'a>) -> Option<&'o Observation<'a>> {
    pull.deciding().filter(|o| {
        let after = o.text.rsplit_once("dial tcp ").map(|(_, after)| after);
        after.is_some_and(|a| !a.starts_with("lookup ") && NOT_CONNECTED.iter().any(|w| a.contains(w)))
    })
}

fn mtu_above_path(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some(o) = never_connected(pull) {
        return Seen::no(quote(o, Say::new("evidence-never-connected")));
    }
    if let Some(seen) = large_ones_lost(case, pull) {
        return seen;
    }
    let narrow = mtus(case, pull, &["tracepath"], "pmtu ").min_by_key(|(n, ..)| *n);
    let link = links(case, pull).min_by_key(|(n, ..)| *n);
    let route = mtus(case, pull, &["ip route", "ip r"], " mtu ").max_by_key(|(n, ..)| *n);
    let wide = route.or(link);
    if let (Some((narrow, o, line)), Some((wide, wide_o, wide_line))) = (narrow, wide)
        && wide > narrow
    {
        return Seen::Is(
            Answer::Yes,
            vec![
                shows(wide_o, wide_line, Say::new("evidence-mtu-set").with("mtu", wide.to_string())),
                shows(o, line, Say::new("evidence-mtu-path").with("mtu", narrow.to_string())),
            ],
        );
    }
    for words in ["Frag needed", "Message too long", "frag needed", "message too long"] {
        let here =
            |l: &&crate::lines::Line<'_>| l.node().is_none_or(|n| pull.node.is_empty() || n == pull.node);
        if let Some(line) = case.lines_with(words).iter().find(here) {
            return Seen::yes(line.shows(Say::new("evidence-packet-too-big")));
        }
    }
    climbs::way::large_packets_lost(case, pull)
}

/// Are packets larger than the path takes?
pub static MTU_ABOVE_PATH: Question = Question {
    id: "ask-mtu",
    ask: mtu_above_path,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, pull, _| {
            format!("tracepath -n {}; ip route", crate::questions::hosts::name_of(pull.asked_host()))
        },
    }),
};

fn is_own_address(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if pull.is_probe() {
        return climbs::way::own_address(case, pull);
    }
    // What somebody serves to the public does not run on this machine, unless a private address says otherwise; and the
    // address behind `proxyconnect` is the proxy's.
    let dialled_private = pull.observations.iter().filter_map(|o| dialled(o.text)).any(is_private);
    let at_proxy = pull.deciding().is_some_and(|o| o.text.contains("proxyconnect"));
    if let Some(o) =
        pull.deciding().filter(|_| at_proxy || is_served_to_many(pull.asked_host()) && !dialled_private)
    {
        return Seen::no(quote(o, Say::new("evidence-elsewhere-served").with("host", pull.asked_host())));
    }
    // The innermost words may be the refusal alone: the address stands before it.
    let Some(address) = pull.observations.iter().find_map(|o| dialled(o.text)) else {
        return Seen::Blind(Why::NotAsked);
    };
    for o in case
        .outputs_on(pull.node)
        .filter(|o| o.command.starts_with("hostname") || o.command.starts_with("ip "))
    {
        if pull.node.is_empty() && o.node.is_none() {
            continue;
        }
        let line = o.text.lines().find(|l| l.split([' ', '/', '\t']).any(|w| w == address));
        if let Some(line) = line {
            return Seen::yes(shows(o, line, Say::new("evidence-own-address").with("address", address)));
        }
    }
    // What a service on the internet says to the node of itself: the address behind which its network stands.
    let of_node = |r: &&Request<'_>| {
        r.output.node.as_deref().is_some_and(|n| n == pull.node) && r.curl.body.trim() == address
    };
    if let Some(r) = case.requests().iter().find(of_node) {
        return Seen::yes(r.shows(Say::new("evidence-own-address").with("address", address)));
    }
    match case.node(pull.node) {
        Some(node) if node.addresses.iter().any(|a| a == address) => Seen::yes(Evidence {
            at: Locator::Object {
                kind: "Node".into(),
                namespace: String::new(),
                name: node.meta.name.clone(),
                field: "status.addresses".into(),
            },
            says: Say::new("evidence-own-address").with("address", address),
            quote: address.to_owned(),
        }),
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// The address in `dial tcp 203.0.113.21:443: ...`.
pub fn dialled(leaf: &str) -> Option<&str> {
    let after = leaf.split_once("dial tcp ")?.1;
    let end = after.find(": ")?;
    after.get(..end)?.rsplit_once(':').map(|(address, _)| address.trim_matches(['[', ']']))
}

/// Is the registry's address one of the node's own?
pub static OWN_ADDRESS: Question = Question {
    id: "ask-own-address",
    ask: is_own_address,
    test: Some(Test { cost: 5, vantage: "node", command: |_, _, _| "hostname -I".into() }),
};

fn others_pass(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let reached = case.requests().iter().find(|r| {
        same_host(r.curl.host(), pull.asked_host())
            && r.curl.status().is_some()
            && r.output.node.as_deref().is_some_and(|n| n != pull.node)
    });
    match reached {
        Some(r) => Seen::yes(r.shows(Say::new("evidence-other-node-reaches"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Does another node reach the same host?
pub static OTHERS_PASS: Question = Question { id: "ask-others-pass", ask: others_pass, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use vocabulary::Cause;

    fn pinged(lost: &str) -> Scene {
        Scene::pod("r.example.com/a:1", &[])
            .symptom(Cause::TlsHandshakeTimeout)
            .output("ping -c 2 -M do -s 1372 r.example.com", "1380 bytes from 203.0.113.1: icmp_seq=1\n")
            .output(lost, "2 packets transmitted, 0 received, 100% packet loss\n")
    }

    #[test]
    fn only_a_larger_packet_that_may_not_be_broken_up_shows_a_narrow_path() {
        let asked = |lost: &str| pinged(lost).ask(&MTU_ABOVE_PATH, &Subject::Cluster);
        assert_eq!(asked("ping -c 2 -M do -s 1472 r.example.com"), Some(Answer::Yes));
        assert_eq!(asked("ping -c 2 -s 1472 r.example.com"), None);
        assert_eq!(asked("ping -c 2 -M do -s 1000 r.example.com"), None);
        let jumbo = |mtu: u32| {
            pinged("ping -c 2 -M do -s 4000 r.example.com")
                .output("ip -o link show eth0", &format!("2: eth0: <UP> mtu {mtu} qdisc mq state UP\n"))
                .ask(&MTU_ABOVE_PATH, &Subject::Cluster)
        };
        assert_eq!(jumbo(9000), Some(Answer::Yes), "the link itself sends such packets");
        assert_eq!(jumbo(1500), None);
        // Nobody expects jumbo frames to pass.
        assert_eq!(asked("ping -c 2 -M do -s 8972 r.example.com"), None);
    }

    #[test]
    fn a_connection_that_never_came_about_lost_no_large_packet() {
        let asked = |words: &str| {
            let scene = pinged("ping -c 2 -M do -s 1472 r.example.com").words(words);
            scene.symptom(Cause::NetTimeout).ask(&MTU_ABOVE_PATH, &Subject::Cluster)
        };
        assert_eq!(asked("dial tcp 203.0.113.7:443: i/o timeout"), Some(Answer::No));
        assert_eq!(asked("read tcp 10.0.0.5:40112->203.0.113.7:443: i/o timeout"), Some(Answer::Yes));
        assert_eq!(asked("dial tcp: lookup r.example.com: i/o timeout"), Some(Answer::Yes));
    }

    #[test]
    fn a_registry_of_everybody_is_not_on_this_machine() {
        let asked = |image: &str, words: &str| {
            let scene = Scene::pod(image, &[]).symptom(Cause::NetRefused).words(words);
            scene.ask(&OWN_ADDRESS, &Subject::Cluster)
        };
        let refused = |address: &str| format!("dial tcp {address}:443: connect: connection refused");
        assert_eq!(asked("quay.io/a/b:1", &refused("203.0.113.7")), Some(Answer::No));
        assert_ne!(asked("quay.io/a/b:1", &refused("10.4.0.7")), Some(Answer::No));
        assert_ne!(asked("r.example.com/a/b:1", &refused("203.0.113.7")), Some(Answer::No));
        assert_eq!(
            asked("r.example.com/a/b:1", &format!("proxyconnect tcp: {}", refused("10.4.0.7"))),
            Some(Answer::No)
        );
    }

    #[test]
    fn the_address_behind_which_a_node_stands_is_its_own() {
        let with = |answer: &str, node: &str| {
            let words = "dial tcp 203.0.113.77:443: i/o timeout";
            Scene::pod("r.example.com/a:1", &[])
                .words(words)
                .output("curl -sS https://ifconfig.example.net", answer)
                .change(|s| s.outputs[0].node = Some(node.into()))
                .ask(&OWN_ADDRESS, &Subject::Cluster)
        };
        assert_eq!(with("203.0.113.77\n", "worker-1"), Some(Answer::Yes));
        assert_eq!(with("198.51.100.1\n", "worker-1"), None);
        assert_eq!(with("203.0.113.77\n", "worker-2"), None);
    }
}
