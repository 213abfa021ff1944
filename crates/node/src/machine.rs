//! The machine around the runtime: resolver, hosts file, routes, clock, and the file system of the image store.

use crate::clock;
use crate::recording::Recording;
use crate::routes::Table;
use crate::system;
use crate::tree::{HostTree, Look};
use emulate::go::x509::SYSTEM_ROOT_FILES;
use emulate::lookup::{self, Around, Client, Step};
use facts::{BlindSpot, Clock, Why};
use formats::{hosts_file, nsswitch, resolv_conf};
use jiff::Timestamp;
use report::node::{Lookup, Machine, Route, SystemRoots};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::net::IpAddr;

/// What matters to pulls. `hosts` are the names of the endpoints.
pub fn look(files: &Recording<'_>, tree: &HostTree, hosts: &[String], store: Option<&str>) -> Machine {
    let conf = files.text("/etc/resolv.conf");
    let resolver = conf.as_deref().map(resolv_conf::parse).unwrap_or_default();
    let entries = files.text("/etc/hosts").unwrap_or_default();
    for path in ["/etc/hostname", "/etc/os-release"] {
        files.look(path);
    }
    let nsswitch = files.text("/etc/nsswitch.conf");
    let machine = system::name();
    let around =
        Around { conf: &resolver, hosts: &entries, nsswitch: nsswitch.as_deref(), machine: &machine };
    let table = Table::read(tree);
    let mut asked: Vec<IpAddr> = resolver.servers.clone();
    asked.extend(hosts.iter().filter_map(|h| h.parse::<IpAddr>().ok()));
    asked.extend(hosts.iter().flat_map(|h| hosts_file::addresses(&entries, h)));
    Machine {
        resolver_options: conf.as_deref().map(options),
        lookup_order: nsswitch.as_deref().and_then(sources),
        default_routes: table.defaults(),
        routes: routes(&table, asked.into_iter()),
        system_roots: system_roots(tree),
        lookups: hosts.iter().filter_map(|host| lookup(host, around)).collect(),
        name_servers: resolver.servers.iter().map(ToString::to_string).collect(),
        search: resolver.search,
        hosts_entries: hosts
            .iter()
            .flat_map(|h| hosts_file::addresses(&entries, h).into_iter().map(move |a| format!("{h} {a}")))
            .collect(),
        clock_synchronized: synchronized(tree),
        clock_error_ms: None,
        store: store.and_then(|s| system::file_system(&tree.on_this_machine(s)?, s)),
        kubelet: None,
    }
}

/// The resolver's options, as they stand.
fn options(conf: &str) -> Vec<String> {
    let lines = conf.lines().filter_map(|l| l.trim().strip_prefix("options"));
    lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
}

/// The sources of names, as they stand in nsswitch.conf.
fn sources(text: &str) -> Option<String> {
    Some(nsswitch::hosts_line(text)?.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Where a name is looked up, if not all programs look in the same places.
fn lookup(host: &str, around: Around<'_>) -> Option<Lookup> {
    let words = |client| Some(lookup::way(client, host, around)?.steps.iter().map(Step::word).collect());
    let (go, glibc): (Vec<String>, Vec<String>) = (words(Client::PureGo)?, words(Client::Glibc)?);
    (go != glibc).then(|| Lookup { host: host.to_owned(), go, glibc })
}

/// The node's clock, and whether a time service keeps it: by what systemd's left, else by the kernel's own word, which is
/// this machine's.
pub fn clock(tree: &HostTree, machine: &mut Machine, blind: &mut Vec<BlindSpot>) -> Clock {
    let kernel = clock::kernel();
    let synchronized = synchronized(tree).or(kernel.map(|k| k.synchronized));
    machine.clock_synchronized = synchronized;
    machine.clock_error_ms = kernel.filter(|k| k.synchronized).map(|k| k.error_ms);
    if synchronized.is_none() {
        blind.push(BlindSpot {
            what: "whether the clock is synchronised".into(),
            why: Why::NotAsked,
            detail: "neither systemd nor the kernel says it".into(),
            needs: "chronyc tracking, or timedatectl".into(),
        });
    }
    Clock { says: Some(Timestamp::now()), reference: None, synchronized }
}

/// systemd-timesyncd leaves a file once the clock was set; where it runs and has not, there is its directory alone.
fn synchronized(tree: &HostTree) -> Option<bool> {
    if matches!(tree.look("/run/systemd/timesync/synchronized"), Look::File { .. }) {
        return Some(true);
    }
    (tree.look("/run/systemd/timesync") == Look::Dir).then_some(false)
}

/// The file of roots that Go takes, by its fingerprint.
fn system_roots(tree: &HostTree) -> Option<SystemRoots> {
    let found = SYSTEM_ROOT_FILES.iter().find_map(|path| match tree.look(path) {
        Look::File { bytes, .. } => Some((path, bytes)),
        _ => None,
    });
    let (path, bytes) = found?;
    let digest = Sha256::digest(&bytes);
    Some(SystemRoots {
        path: (*path).to_owned(),
        certificates: memchr::memmem::find_iter(&bytes, b"-----BEGIN CERTIFICATE-----").count(),
        sha256: digest.iter().map(|b| format!("{b:02x}")).collect(),
    })
}

/// The ways to addresses, each once; none where no table could be read.
pub fn routes(table: &Table, addresses: impl Iterator<Item = IpAddr>) -> Vec<Route> {
    if table.is_empty() {
        return Vec::new();
    }
    let all: BTreeSet<IpAddr> = addresses.filter(|a| !a.is_loopback()).take(64).collect();
    all.into_iter().map(|a| table.to(a)).collect()
}
