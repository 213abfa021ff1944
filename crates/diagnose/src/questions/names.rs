//! To which address a name leads, asked from where and of whom: resolvers that disagree, addresses that are not the
//! registry's.

use crate::case::Case;
use crate::lookups::LookedUp;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::hosts::{name_of, same_host};
use crate::questions::routes::dialled;
use crate::questions::words::quote;
use crate::questions::{chains, climbs};
use crate::subject::Subject;
use facts::{NodeFacts, Why};
use formats::transcript::resolver::LookupResult;
use formats::{hosts_file, resolv_conf};
use report::{Evidence, Locator, Say};
use std::net::IpAddr;
use vocabulary::{Cause, Stage};

/// The lookups of the host that was asked. An alias of the search list counts: it is what the system would take.
fn of_host<'c, 'a>(case: &'c Case<'a>, pull: &Pull<'_>) -> Vec<&'c LookedUp<'a>> {
    let host = name_of(pull.asked_host()).to_ascii_lowercase();
    case.lookups().iter().filter(|l| l.lookup.name == host).collect()
}

/// Whether an output is the pull's own node's: a probe without a place was made there, as long as no other node is known.
fn here(l: &LookedUp<'_>, pull: &Pull<'_>) -> bool {
    l.lookup.inside.is_none()
        && match l.output.node.as_deref() {
            Some(node) => pull.node.is_empty() || node == pull.node || node == "node",
            None => l.output.vantage.place.is_empty() || l.output.vantage.place == "probe",
        }
}

/// The name servers in a node's files.
fn servers_of(node: &NodeFacts) -> Vec<IpAddr> {
    const FILES: &[&str] =
        &["/etc/resolv.conf", "/run/systemd/resolve/resolv.conf", "/run/resolvconf/resolv.conf"];
    let texts = FILES.iter().filter_map(|f| node.files.get(*f)).filter_map(|f| f.text.seen());
    texts.flat_map(|text| resolv_conf::parse(text).servers).collect()
}

/// The name servers that the node has, as its resolv.conf or systemd-resolved lists them.
fn servers(case: &Case<'_>, pull: &Pull<'_>) -> Vec<IpAddr> {
    let mut all: Vec<IpAddr> = Vec::new();
    all.extend(case.node_facts(pull.node).into_iter().flat_map(servers_of));
    for o in case.outputs_on(pull.node) {
        if o.command.contains("resolv.conf") {
            all.extend(resolv_conf::parse(&o.text).servers);
        }
        // `resolvectl status`, `resolvectl dns`, `nmcli device show`.
        let stated =
            |l: &&str| ["DNS Servers:", "DNS Server:", "Link ", "IP4.DNS"].iter().any(|w| l.contains(w));
        if ["resolvectl", "systemd-resolve", "nmcli"].iter().any(|p| o.command.contains(p)) {
            let words = o.text.lines().filter(stated).flat_map(str::split_whitespace);
            all.extend(words.filter_map(|w| w.parse::<IpAddr>().ok()));
        }
    }
    all.retain(|a| !a.is_loopback());
    all.sort_unstable();
    all.dedup();
    all
}

/// What one lookup says, as far as it can disagree with another: a server that does not answer has no view.
fn view<'l>(l: &'l LookedUp<'_>) -> Option<Option<&'l IpAddr>> {
    match l.lookup.result {
        LookupResult::Found => Some(l.lookup.addresses.iter().min()),
        LookupResult::NotFound => Some(None),
        LookupResult::ServerFailure | LookupResult::Timeout => None,
    }
}

fn resolvers_disagree(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let own = servers(case, pull);
    if own.len() < 2 {
        return climbs::way::names_disagree(case, pull);
    }
    let asked: Vec<_> = of_host(case, pull)
        .into_iter()
        .filter_map(|l| Some((l, l.lookup.server.parse::<IpAddr>().ok()?, view(l)?)))
        .filter(|(_, server, _)| own.contains(server))
        .collect();
    let Some((first, server, one)) = asked.first() else { return Seen::Blind(Why::NotAsked) };
    let says = |l: &LookedUp<'_>| Say::new("evidence-resolver-says").with("server", l.lookup.server.clone());
    // Two addresses of one name may be one service; a name that is not there for one of them is another view.
    let other = asked.iter().find(|(_, s, view)| s != server && view.is_some() != one.is_some());
    if let Some((other, ..)) = other {
        return Seen::Is(Answer::Yes, vec![first.shows(says(first)), other.shows(says(other))]);
    }
    let agree = own.iter().all(|s| asked.iter().any(|(_, a, _)| a == s));
    if agree { Seen::no(first.shows(says(first))) } else { Seen::Blind(Why::NotAsked) }
}

/// Do the node's own name servers give different answers for the host?
pub static RESOLVERS_DISAGREE: Question = Question {
    id: "ask-resolvers-disagree",
    ask: resolvers_disagree,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, pull, _| {
            format!(
                "for s in $(awk '/^nameserver/ {{print $2}}' /etc/resolv.conf); do dig +short {} @$s; done",
                name_of(pull.asked_host())
            )
        },
    }),
};

/// What a lookup shows of the node's own resolver, where it was asked: its own servers, or whatever the system takes.
fn resolver_fails(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some(o) = pull.observations.iter().find(|o| asks_nobody(o.text)) {
        return Seen::yes(quote(o, Say::new("evidence-dead-resolver")));
    }
    let own = servers(case, pull);
    let asked: Vec<_> = of_host(case, pull);
    let by_node = |l: &&&LookedUp<'_>| {
        here(l, pull)
            && l.output.node.is_some()
            && (l.lookup.server.is_empty() || l.lookup.server.parse().is_ok_and(|s| own.contains(&s)))
    };
    let by_other = |l: &&&LookedUp<'_>| {
        let elsewhere =
            l.output.node.as_deref().is_some_and(|n| !pull.node.is_empty() && n != pull.node && n != "node");
        l.lookup.inside.is_some() || elsewhere
    };
    let fails = asked.iter().filter(by_node).find(|l| l.lookup.result != LookupResult::Found);
    if let Some(works) = asked.iter().filter(by_node).find(|l| l.lookup.result == LookupResult::Found) {
        if fails.is_none() {
            return Seen::no(works.shows(Say::new("evidence-lookup-works-here")));
        }
        return climbs::way::resolver_broken(case, pull);
    }
    // A server that another node has, and this one has not.
    let theirs: Vec<IpAddr> = case.snapshot.node_facts.iter().flat_map(servers_of).collect();
    let by_theirs = |l: &&&LookedUp<'_>| {
        !own.is_empty()
            && l.lookup.server.parse::<IpAddr>().is_ok_and(|s| theirs.contains(&s) && !own.contains(&s))
    };
    let found = |l: &&&LookedUp<'_>| l.lookup.result == LookupResult::Found;
    let works = asked.iter().filter(|l| by_other(l) || by_theirs(l)).find(found);
    match (fails, works) {
        (Some(fails), Some(works)) => Seen::Is(
            Answer::Yes,
            vec![
                fails.shows(Say::new("evidence-lookup-fails-here")),
                works.shows(Say::new("evidence-lookup-works-elsewhere")),
            ],
        ),
        _ => climbs::way::resolver_broken(case, pull),
    }
}

/// Whether the words say that a resolver was asked at an address where none is: Go's default without resolv.conf is
/// `[::1]:53` and `127.0.0.1:53`.
fn asks_nobody(words: &str) -> bool {
    // Other hosts may be looked up in the same text, each by a resolver of its own: the last is the one that counts.
    let last = words.rsplit_once("lookup ").map_or(words, |(_, last)| last);
    last.contains("on [::1]:53")
        || last.contains("read udp") && last.contains(":53") && last.contains("refused")
}

/// Does the node's resolver fail where others' works?
pub static RESOLVER_FAILS: Question = Question {
    id: "ask-dead-resolver",
    ask: resolver_fails,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, pull, _| format!("getent hosts {}; cat /etc/resolv.conf", name_of(pull.asked_host())),
    }),
};

/// Where the node's requests went: the address that the words name, its hosts file, what its system resolves.
fn taken(case: &Case<'_>, pull: &Pull<'_>) -> Vec<(IpAddr, Evidence)> {
    let host = name_of(pull.asked_host());
    let mut all = Vec::new();
    for o in &pull.observations {
        if let Some(address) = dialled(o.text).and_then(|a| a.parse().ok()) {
            all.push((address, quote(o, Say::new("evidence-address-asked").with("host", host))));
        }
    }
    all.extend(case.node_facts(pull.node).into_iter().flat_map(|n| in_hosts_file(n, host)));
    for l in of_host(case, pull).into_iter().filter(|l| here(l, pull) && l.output.node.is_some()) {
        if l.lookup.as_system {
            let says = Say::new("evidence-address-asked").with("host", host);
            all.extend(l.lookup.addresses.iter().map(|a| (*a, l.shows(says.clone()))));
        }
    }
    all
}

/// The addresses that a node's hosts file gives to a name, each with its line.
fn in_hosts_file(node: &NodeFacts, host: &str) -> Vec<(IpAddr, Evidence)> {
    let Some(text) = hosts_text(node) else { return Vec::new() };
    let line = text.lines().position(|l| !hosts_file::addresses(l, host).is_empty()).unwrap_or_default();
    let snippet = text.lines().nth(line).unwrap_or_default();
    let shown =
        hosts_shown(node, line as u32 + 1, snippet, Say::new("evidence-hosts-file-line").with("host", host));
    hosts_file::addresses(text, host).into_iter().map(|a| (a, shown.clone())).collect()
}

const HOSTS: &str = "/etc/hosts";

fn hosts_text(node: &NodeFacts) -> Option<&str> {
    node.files.get(HOSTS)?.text.seen().map(String::as_str)
}

fn hosts_shown(node: &NodeFacts, line: u32, snippet: &str, says: Say) -> Evidence {
    let at = Locator::File {
        node: node.name.clone(),
        path: HOSTS.into(),
        line,
        column: 0,
        snippet: snippet.to_owned(),
    };
    Evidence { at, says, quote: snippet.trim().to_owned() }
}

/// Other nodes whose hosts file was collected.
fn others<'c>(case: &'c Case<'_>, pull: &'c Pull<'_>) -> impl Iterator<Item = &'c NodeFacts> {
    let own = pull.node;
    case.snapshot
        .node_facts
        .iter()
        .filter(move |n| !own.is_empty() && n.name != own && hosts_text(n).is_some())
}

/// Another node that gets images of the registry without a line for it in its hosts file: where nobody looked the name up,
/// the line is what the two differ in.
fn without_the_line(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let host = name_of(pull.asked_host());
    let other = others(case, pull)
        .find(|n| in_hosts_file(n, host).is_empty() && case.gets_images(&pull.registry, &n.name))?;
    let says = Say::new("evidence-hosts-file-without").with("host", host).with("node", &*other.name);
    Some(hosts_shown(other, 0, "", says))
}

/// What others were given for the same name: another node, another name server.
fn given(case: &Case<'_>, pull: &Pull<'_>) -> Vec<(IpAddr, Evidence)> {
    let says = || Say::new("evidence-address-elsewhere").with("host", name_of(pull.asked_host()));
    let others_asked = of_host(case, pull).into_iter().filter(|l| !(here(l, pull) && l.lookup.as_system));
    let asked = others_asked.flat_map(|l| l.lookup.addresses.iter().map(move |a| (*a, l.shows(says()))));
    asked.chain(others(case, pull).flat_map(|n| in_hosts_file(n, name_of(pull.asked_host())))).collect()
}

fn address_differs(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let host = name_of(pull.asked_host());
    if host.is_empty() || host.parse::<IpAddr>().is_ok() {
        return Seen::Blind(Why::NotAsked);
    }
    let (taken, given) = (taken(case, pull), given(case, pull));
    // 0.0.0.0 is nobody's address: filtering resolvers answer it.
    if let Some((_, evidence)) = taken.iter().find(|(a, _)| a.is_unspecified()) {
        let mut shown = vec![evidence.clone()];
        shown.extend(given.iter().find(|(a, _)| !a.is_unspecified()).map(|(_, e)| e.clone()));
        return Seen::Is(Answer::Yes, shown);
    }
    if pull.is_probe() {
        return match climbs::way::names_disagree(case, pull) {
            Seen::Is(Answer::No, evidence) => Seen::Is(Answer::No, evidence),
            _ => Seen::Blind(Why::NotAsked),
        };
    }
    if let Some(shown) = served_elsewhere(case, pull) {
        return Seen::Is(Answer::Yes, shown);
    }
    let Some((_, first)) = taken.first() else { return the_right_one(case, pull) };
    if taken.iter().any(|(a, _)| given.iter().any(|(b, _)| a == b)) {
        return Seen::no(first.clone());
    }
    // Public services rotate their addresses: of those, only a line of the hosts file is telling.
    let by_file = |e: &Evidence| matches!(e.at, Locator::File { .. });
    let pair = taken.iter().find_map(|(a, e)| {
        let other = given.iter().find(|(b, _)| by_file(e) || inside(*a) || inside(*b))?;
        Some(vec![e.clone(), other.1.clone()])
    });
    let pair = pair.or_else(|| {
        let (_, line) = taken.iter().find(|(_, e)| by_file(e)).filter(|_| given.is_empty())?;
        Some(vec![line.clone(), without_the_line(case, pull)?])
    });
    pair.map_or_else(|| the_right_one(case, pull), |shown| Seen::Is(Answer::Yes, shown))
}

/// What shows that the client was at the registry itself: the same certificate by hand, or the registry's own answer to
/// somebody on the node.
fn the_right_one(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    if let Some(shown) = chains::seen_by_hand(case, pull) {
        return Seen::no(shown);
    }
    let on_the_way = matches!(pull.symptom().stage(), Stage::Dns | Stage::Connect | Stage::Tls);
    let answered = case.requests().iter().find(|r| {
        let place = r.output.vantage.place.as_str();
        let here = r.output.node.as_deref().map_or(place.is_empty() || place == "probe", |n| n == pull.node);
        here && pinned(&r.output.command).is_none()
            && r.curl.proxy.is_none()
            && r.curl.host() == pull.asked_host()
            && r.curl.is_registry()
    });
    match answered.filter(|_| on_the_way) {
        Some(r) => Seen::no(r.shows(Say::new("evidence-registry-answers").with("host", pull.asked_host()))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Whether an address belongs to a network of one's own.
fn inside(address: IpAddr) -> bool {
    crate::questions::hosts::is_private(&address.to_string())
}

/// Does the name lead this node to another address than it leads others?
pub static ADDRESS_DIFFERS: Question = Question {
    id: "ask-address-differs",
    ask: address_differs,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, pull, _| {
            let host = name_of(pull.asked_host());
            format!("getent ahosts {host}; dig +short {host}")
        },
    }),
};

/// The address of `--resolve host:443:ADDRESS`, or of `--connect-to`.
fn pinned(command: &str) -> Option<IpAddr> {
    let after = command.split_once("--resolve ")?.1.trim_start().trim_start_matches(['"', '\'']);
    let value = after.split([' ', '"', '\'']).next()?;
    value.splitn(3, ':').nth(2)?.trim_matches(['[', ']']).parse().ok()
}

/// Two addresses of one name: at the one that the system or its own name server resolves the client met another host's
/// certificate, at the other the registry's API answers.
fn served_elsewhere(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    if pull.symptom() != Cause::TlsHostnameMismatch {
        return None;
    }
    let serves = |address: &IpAddr| {
        case.requests().iter().any(|r| {
            same_host(r.curl.host(), pull.asked_host())
                && pinned(&r.output.command) == Some(*address)
                && (r.curl.is_registry() || matches!(r.curl.status(), Some(200 | 401)))
        })
    };
    let (all, own) = (of_host(case, pull), servers(case, pull));
    let of_own = |l: &LookedUp<'_>| l.lookup.server.parse().is_ok_and(|server| own.contains(&server));
    let right = all.iter().find(|l| l.lookup.addresses.iter().any(serves))?;
    let wrong = all.iter().find(|l| {
        let addresses = &l.lookup.addresses;
        here(l, pull)
            && (l.lookup.server.is_empty() || of_own(l))
            && !addresses.is_empty()
            && !addresses.iter().any(serves)
    })?;
    let says = |key| Say::new(key).with("host", name_of(pull.asked_host()));
    Some(vec![wrong.shows(says("evidence-address-asked")), right.shows(says("evidence-address-elsewhere"))])
}

fn right_address_serves(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let taken = taken(case, pull);
    if taken.iter().any(|(a, _)| a.is_unspecified()) {
        return taken
            .into_iter()
            .find(|(a, _)| a.is_unspecified())
            .map_or(Seen::Blind(Why::NotAsked), |(_, e)| Seen::yes(e));
    }
    let serves = case.requests().iter().find(|r| {
        let answered = r.curl.is_registry() || matches!(r.curl.status(), Some(200 | 401));
        let at = pinned(&r.output.command);
        let elsewhere =
            r.output.node.as_deref().is_some_and(|n| !pull.node.is_empty() && n != pull.node && n != "node");
        same_host(r.curl.host(), pull.asked_host())
            && answered
            && (elsewhere || at.is_some_and(|at| taken.iter().all(|(a, _)| *a != at)))
    });
    match serves {
        Some(r) => Seen::yes(r.shows(Say::new("evidence-right-address-serves"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Does the registry answer at the address that the others use?
pub static RIGHT_ADDRESS_SERVES: Question =
    Question { id: "ask-right-address-serves", ask: right_address_serves, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use facts::{NodeFacts, NodeFile, Observed};
    use vocabulary::Confidence;

    const IMAGE: &str = "reg.lan/a:1";

    fn file(scene: Scene, path: &str, text: &str) -> Scene {
        let (path, text) = (path.to_owned(), text.to_owned());
        scene.change(|s| {
            if s.node_facts.is_empty() {
                s.node_facts.push(NodeFacts {
                    name: "worker-1".into(),
                    name_given: true,
                    ..NodeFacts::default()
                });
            }
            let file = NodeFile { text: Observed::Seen(text), ..NodeFile::default() };
            s.node_facts[0].files.insert(path, file);
        })
    }

    fn on(scene: Scene, node: &str, command: &str, text: &str) -> Scene {
        let node = node.to_owned();
        scene.output(command, text).change(|s| {
            if let Some(o) = s.outputs.last_mut() {
                o.node = Some(node);
            }
        })
    }

    fn two_servers(second: &str) -> Scene {
        let scene = Scene::pod(IMAGE, &[]).symptom(Cause::DnsNotFound).words("lookup reg.lan: no such host");
        file(scene, "/etc/resolv.conf", "nameserver 10.0.0.2\nnameserver 10.0.0.3\n")
            .output("dig +short reg.lan @10.0.0.2", "10.1.1.1\n")
            .output(&format!("dig +short reg.lan @{second}"), "\n")
    }

    #[test]
    fn only_the_nodes_own_servers_can_disagree() {
        assert_eq!(two_servers("10.0.0.3").ask(&RESOLVERS_DISAGREE, &Subject::Cluster), Some(Answer::Yes));
        assert_eq!(two_servers("9.9.9.9").ask(&RESOLVERS_DISAGREE, &Subject::Cluster), None);
        assert_eq!(
            two_servers("10.0.0.3").verdict(),
            (Cause::DnsInconsistentResolvers, Confidence::Confirmed)
        );
        assert_ne!(two_servers("9.9.9.9").verdict().0, Cause::DnsInconsistentResolvers);
        let agree = two_servers("10.0.0.3").change(|s| s.outputs[1].text = "10.1.1.1\n".into());
        assert_eq!(agree.ask(&RESOLVERS_DISAGREE, &Subject::Cluster), Some(Answer::No));
    }

    fn refused_at(address: &str) -> Scene {
        Scene::pod(IMAGE, &[])
            .symptom(Cause::NetRefused)
            .words(&format!("dial tcp {address}:443: connect: connection refused"))
    }

    #[test]
    fn a_public_address_is_wrong_where_the_registry_answers_at_another() {
        let asked = |symptom: Cause, resolve: &str| {
            let scene = Scene::pod("reg.example.com/a:1", &[]).symptom(symptom).words("x509");
            scene
                .output("dig +short reg.example.com", "203.0.113.9\n")
                .output("dig +short reg.example.com @ns1.example.com", "198.51.100.4\n")
                .output(
                    &format!("curl -sS --resolve reg.example.com:443:{resolve} -o /dev/null -w %{{http_code}} https://reg.example.com/v2/"),
                    "401\n",
                )
                .ask(&ADDRESS_DIFFERS, &Subject::Cluster)
        };
        assert_eq!(asked(Cause::TlsHostnameMismatch, "198.51.100.4"), Some(Answer::Yes));
        assert_eq!(asked(Cause::TlsHostnameMismatch, "203.0.113.9"), None, "services rotate their addresses");
        assert_eq!(asked(Cause::NetTimeout, "198.51.100.4"), None);
    }

    #[test]
    fn the_nodes_own_server_gives_the_wrong_address_where_the_registry_answers_at_another() {
        let asked = |nameserver: &str, right: &str| {
            Scene::pod("reg.example.com/a:1", &[])
                .symptom(Cause::TlsHostnameMismatch)
                .words("x509")
                .output("cat /etc/resolv.conf", &format!("nameserver {nameserver}\n"))
                .output("dig +short reg.example.com @10.0.0.2", "10.20.0.15\n")
                .output("dig +short reg.example.com @ns1.example.com", "10.20.0.40\n")
                .output(
                    &format!("curl -sSI --resolve reg.example.com:443:{right} https://reg.example.com/v2/"),
                    "HTTP/2 401\nwww-authenticate: Basic realm=\"r\"\n",
                )
                .ask(&ADDRESS_DIFFERS, &Subject::Cluster)
        };
        assert_eq!(asked("10.0.0.2", "10.20.0.40"), Some(Answer::Yes));
        assert_eq!(asked("10.0.0.2", "10.20.0.15"), None, "the registry is at the node's own");
        assert_eq!(asked("10.0.0.3", "10.20.0.40"), None, "no server of the node's");
    }

    #[test]
    fn an_address_that_only_this_node_has_is_wrong_where_the_others_serve() {
        let other = on(refused_at("10.9.9.9"), "worker-2", "getent hosts reg.lan", "10.1.1.1 reg.lan\n");
        assert_eq!(other.ask(&ADDRESS_DIFFERS, &Subject::Cluster), Some(Answer::Yes));
        assert_eq!(other.verdict(), (Cause::DnsWrongAddress, Confidence::Likely));
        let serves =
            on(other, "worker-2", "curl -sS -o /dev/null -w '%{http_code}' https://reg.lan/v2/", "401");
        assert_eq!(serves.verdict(), (Cause::DnsWrongAddress, Confidence::Confirmed));
    }

    #[test]
    fn a_host_that_is_down_at_its_right_address_is_no_wrong_address() {
        let same = on(refused_at("10.1.1.1"), "worker-2", "getent hosts reg.lan", "10.1.1.1 reg.lan\n");
        assert_eq!(same.ask(&ADDRESS_DIFFERS, &Subject::Cluster), Some(Answer::No));
        assert_ne!(same.verdict().0, Cause::DnsWrongAddress);
        assert_eq!(refused_at("10.1.1.1").ask(&ADDRESS_DIFFERS, &Subject::Cluster), None);
    }

    /// Two nodes' hosts files, and an image of the registry that runs on the other.
    fn two_hosts_files(own: &str, other: &str, runs_there: bool) -> Scene {
        let words = "dial tcp 10.9.9.9:443: connect: no route to host";
        let scene = Scene::pod(IMAGE, &[]).symptom(Cause::NetUnreachable).words(words);
        let other = NodeFile { text: Observed::Seen(other.into()), ..NodeFile::default() };
        file(scene, "/etc/hosts", own).change(|s| {
            let mut second = NodeFacts { name: "worker-2".into(), name_given: true, ..NodeFacts::default() };
            second.files.insert("/etc/hosts".into(), other);
            s.node_facts.push(second);
            if runs_there {
                s.healthy.images.insert(IMAGE.into(), ["worker-2".into()].into());
            }
        })
    }

    #[test]
    fn a_line_that_only_this_nodes_hosts_file_has_leads_astray_where_others_pull() {
        let wrong = "127.0.0.1 localhost\n10.9.9.9 reg.lan\n";
        for other in ["127.0.0.1 localhost\n", "10.1.1.1 reg.lan\n"] {
            let scene = two_hosts_files(wrong, other, true);
            assert_eq!(scene.verdict(), (Cause::DnsWrongAddress, Confidence::Likely), "{other}");
        }
    }

    #[test]
    fn equal_hosts_files_and_a_line_that_others_may_lack_for_good_say_nothing() {
        let wrong = "10.9.9.9 reg.lan\n";
        for (own, other, runs) in
            [(wrong, wrong, true), (wrong, "127.0.0.1 localhost\n", false), ("", "", true)]
        {
            let scene = two_hosts_files(own, other, runs);
            assert_eq!(scene.verdict().0, Cause::NetUnreachable, "{own} {other}");
        }
    }

    #[test]
    fn nobody_is_at_the_unspecified_address() {
        assert_eq!(refused_at("0.0.0.0").verdict(), (Cause::DnsWrongAddress, Confidence::Confirmed));
    }

    #[test]
    fn the_server_of_another_node_knows_the_name() {
        let with = |server: &str| {
            let scene =
                Scene::pod(IMAGE, &[]).symptom(Cause::DnsNotFound).words("lookup reg.lan: no such host");
            let scene = file(scene, "/etc/resolv.conf", "nameserver 9.9.9.9\n");
            let scene = on(scene, "worker-1", "dig +short reg.lan @9.9.9.9", "\n");
            let scene = on(scene, "worker-1", "dig +short reg.lan @10.0.0.2", "10.1.1.1\n");
            let text = format!("nameserver {server}\n");
            scene
                .change(|s| {
                    let file = NodeFile { text: Observed::Seen(text), ..NodeFile::default() };
                    let files = [("/etc/resolv.conf".to_owned(), file)].into();
                    s.node_facts.push(NodeFacts {
                        name: "worker-2".into(),
                        name_given: true,
                        files,
                        ..NodeFacts::default()
                    });
                })
                .ask(&RESOLVER_FAILS, &Subject::Cluster)
        };
        assert_eq!(with("10.0.0.2"), Some(Answer::Yes));
        assert_eq!(with("9.9.9.9"), None, "no node asks it");
    }
}
