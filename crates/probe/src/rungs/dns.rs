//! DNS: every resolver that the system would ask is asked, and Go's rules say what comes of their answers.

use crate::note::{Note, Step};
use crate::request::Families;
use crate::rungs::together;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::wire::name_server;
use emulate::go::resolve::{self, Asked, Lookup, Plan};
use facts::seen;
use hickory_proto::rr::RecordType;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use vocabulary::{Cause, Stage};

/// The most addresses of one name that are used.
const MOST_ADDRESSES: usize = 16;

/// Looks a host up. The words of a failure begin with `lookup`, as Go's do after `dial tcp: `.
pub(crate) async fn climb(
    host: &str,
    around: &Surroundings,
    families: Families,
    limit: Duration,
) -> Step<Vec<IpAddr>> {
    let mut note = Note::of(Stage::Dns);
    let nsswitch = around.nsswitch.as_deref();
    let lookup = match resolve::plan(host, &around.resolv_conf, &around.hosts, nsswitch, &around.machine) {
        Plan::Literal(address) => return note.skipped(vec![address]),
        Plan::Lookup(lookup) => lookup,
    };
    note.see(seen::NAME, host);
    note.see(seen::LOOKUP_ORDER, lookup.order);
    for address in &lookup.files {
        note.see(seen::HOSTS_FILE, address);
    }
    let asked = if lookup.asks() { ask_all(&lookup, around, limit, &mut note).await } else { Vec::new() };
    match resolve::decide(&lookup, &asked, around.dns_port) {
        Ok(mut addresses) => {
            addresses.retain(|address| match families {
                Families::Both => true,
                Families::V4 => address.is_ipv4(),
                Families::V6 => address.is_ipv6(),
            });
            addresses.truncate(MOST_ADDRESSES);
            if addresses.is_empty() {
                let words = format!("lookup {host}: no suitable address found");
                return note.failed(&Trouble::new(Stage::Dns, Cause::DnsNotFound, words));
            }
            for address in &addresses {
                note.see(seen::ADDRESS, address);
            }
            note.passed(addresses)
        }
        Err(error) => note.failed(&Trouble::new(Stage::Dns, error.cause, error.words)),
    }
}

/// Asks every server, all at once, for one name after the other, until one of them has addresses.
async fn ask_all(lookup: &Lookup, around: &Surroundings, limit: Duration, note: &mut Note) -> Vec<Asked> {
    let patience = limit.min(Duration::from_secs(around.resolv_conf.timeout_s));
    let mut all = Vec::new();
    for name in &lookup.names {
        let questions = lookup.servers.iter().map(|server| ask_one(*server, name, around, patience));
        let answers = together(questions.collect()).await;
        for (asked, canonical) in &answers {
            note.see(seen::RESOLVER, SocketAddr::new(asked.server, around.dns_port));
            if *name != lookup.host {
                note.see(seen::NAME, name);
            }
            note.see(seen::RESOLVER_ANSWER, shown(asked));
            for name in canonical {
                note.see(seen::CANONICAL_NAME, name);
            }
        }
        let found = answers.iter().any(|(asked, _)| !asked.addresses().is_empty());
        if differ(answers.iter().map(|(asked, _)| asked)) {
            note.see(seen::RESOLVERS_DIFFER, "yes");
        }
        all.extend(answers.into_iter().map(|(asked, _)| asked));
        if found {
            break;
        }
    }
    all
}

async fn ask_one(server: IpAddr, name: &str, around: &Surroundings, limit: Duration) -> (Asked, Vec<String>) {
    let at = SocketAddr::new(server, around.dns_port);
    let tcp = around.resolv_conf.tcp;
    let (v4, v6) = tokio::join!(
        name_server::ask(at, name, RecordType::A, tcp, limit),
        name_server::ask(at, name, RecordType::AAAA, tcp, limit)
    );
    let mut canonical = v4.canonical;
    canonical.extend(v6.canonical);
    canonical.dedup();
    canonical.truncate(8);
    (Asked { server, name: name.to_owned(), v4: v4.reply, v6: v6.reply }, canonical)
}

fn shown(asked: &Asked) -> String {
    let addresses = asked.addresses();
    if !addresses.is_empty() {
        return addresses.iter().map(IpAddr::to_string).collect::<Vec<_>>().join(" ");
    }
    if asked.v4 == asked.v6 {
        asked.v4.word()
    } else {
        format!("{}, AAAA {}", asked.v4.word(), asked.v6.word())
    }
}

/// Whether servers have different views: one has addresses where another says no, or quite other addresses.
fn differ<'a>(answers: impl Iterator<Item = &'a Asked>) -> bool {
    use resolve::Reply;
    let mut views = answers.filter_map(|asked| {
        let mut addresses = asked.addresses();
        addresses.sort();
        let said_no = matches!(asked.v4, Reply::NoSuchName | Reply::NoAddress);
        (!addresses.is_empty() || said_no).then_some(addresses)
    });
    let Some(first) = views.next() else { return false };
    // Answers that share an address are one view, served in turns.
    views.any(|view| {
        view.is_empty() != first.is_empty() || (!view.is_empty() && !view.iter().any(|a| first.contains(a)))
    })
}
