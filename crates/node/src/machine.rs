//! The machine around the runtime: resolver, hosts file, routes, clock, and the file system of the image store.

use crate::clock;
use crate::recording::Recording;
use crate::system;
use crate::tree::{HostTree, Look};
use emulate::lookup::{self, Around, Client, Step};
use facts::{BlindSpot, Clock, Why};
use formats::{hosts_file, resolv_conf};
use jiff::Timestamp;
use report::node::{Lookup, Machine};
use std::net::{Ipv4Addr, Ipv6Addr};

/// What matters to pulls. `hosts` are the names of the endpoints.
pub fn look(files: &Recording<'_>, tree: &HostTree, hosts: &[String], store: Option<&str>) -> Machine {
    let resolver = files.text("/etc/resolv.conf").map(|t| resolv_conf::parse(&t)).unwrap_or_default();
    let entries = files.text("/etc/hosts").unwrap_or_default();
    for path in ["/etc/hostname", "/etc/os-release"] {
        files.look(path);
    }
    let nsswitch = files.text("/etc/nsswitch.conf");
    let machine = system::name();
    let around =
        Around { conf: &resolver, hosts: &entries, nsswitch: nsswitch.as_deref(), machine: &machine };
    Machine {
        lookups: hosts.iter().filter_map(|host| lookup(host, around)).collect(),
        name_servers: resolver.servers.iter().map(ToString::to_string).collect(),
        search: resolver.search,
        hosts_entries: hosts
            .iter()
            .flat_map(|h| hosts_file::addresses(&entries, h).into_iter().map(move |a| format!("{h} {a}")))
            .collect(),
        default_routes: routes(tree),
        clock_synchronized: synchronized(tree),
        clock_error_ms: None,
        store: store.and_then(|s| system::file_system(&tree.on_this_machine(s)?, s)),
        kubelet: None,
    }
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

/// Default routes as the kernel lists them (`/proc/net/route` and `ipv6_route`, see proc(5)).
fn routes(tree: &HostTree) -> Vec<String> {
    let v4 = tree.text("/proc/net/route").unwrap_or_default();
    let v6 = tree.text("/proc/net/ipv6_route").unwrap_or_default();
    v4.lines().skip(1).filter_map(v4_default).chain(v6.lines().filter_map(v6_default)).take(16).collect()
}

fn v4_default(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[device, "00000000", gateway, _, _, _, _, "00000000", ..] = words.as_slice() else { return None };
    let gateway = Ipv4Addr::from(u32::from_str_radix(gateway, 16).ok()?.swap_bytes());
    Some(format!("via {gateway} dev {device}"))
}

fn v6_default(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let &[to, "00", _, _, gateway, .., device] = words.as_slice() else { return None };
    let zero = "00000000000000000000000000000000";
    if to != zero || device == "lo" || gateway == zero {
        return None;
    }
    Some(format!("via {} dev {device}", Ipv6Addr::from(u128::from_str_radix(gateway, 16).ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_routes_of_both_families() {
        let v4 = "eth0\t00000000\t0100630A\t0003\t0\t0\t0\t00000000\t0\t0\t0";
        assert_eq!(v4_default(v4).as_deref(), Some("via 10.99.0.1 dev eth0"));
        assert_eq!(v4_default("eth0\t0000630A\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0"), None);
        let v6 = "00000000000000000000000000000000 00 00000000000000000000000000000000 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 eth0";
        assert_eq!(v6_default(v6).as_deref(), Some("via fe80::1 dev eth0"));
        assert_eq!(v6_default("x"), None);
    }
}
