//! Where a program looks a name up: Go's own resolver, Go with the C library, and the C library itself go different ways on
//! the same machine, so `curl` may find what containerd does not, and the other way round.
//!
//! Follows Go 1.26 `net/conf.go` (`hostLookupOrder`), glibc 2.36 `nss/nss_database.c`, `resolv/res_query.c`
//! (`__res_context_search`), nss-mdns 0.15 and systemd 252 (`nss-resolve`, `nss-myhostname`). What only a running service
//! decides (whether systemd-resolved answers) is left open.

use crate::go::resolve::{self, Order, Plan};
use formats::hosts_file;
use formats::nsswitch::{self, Source};
use formats::resolv_conf::ResolvConf;
use std::net::{IpAddr, Ipv4Addr};

/// A kind of program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Client {
    /// Go without cgo: static builds of containerd, the kubelet, CRI tools.
    PureGo,
    /// Go with cgo: builds of distributions that are linked against the C library.
    Cgo,
    /// Programs of the C library: curl, openssl, getent.
    Glibc,
}

/// The files that decide, and the machine's name.
#[derive(Clone, Copy, Debug)]
pub struct Around<'a> {
    /// resolv.conf.
    pub conf: &'a ResolvConf,
    /// The text of the hosts file; empty where there is none.
    pub hosts: &'a str,
    /// The text of nsswitch.conf; `None` where there is none.
    pub nsswitch: Option<&'a str>,
    /// The machine's name.
    pub machine: &'a str,
}

/// One place that is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The hosts file, which has these addresses; none where the name is not in it.
    Hosts(Vec<IpAddr>),
    /// These names, one after the other until one has addresses, of these servers in order.
    Dns {
        /// The names, without trailing dots.
        names: Vec<String>,
        /// The servers.
        servers: Vec<IpAddr>,
    },
    /// A module of the C library that asks elsewhere: `resolve` (systemd-resolved, which has servers of its own), `mdns4_minimal`
    /// (multicast), `myhostname` (the machine itself).
    Module(String),
}

/// The way of one name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// The places in order, up to the one after which surely nothing is asked.
    pub steps: Vec<Step>,
    /// The module that has the last word where its service runs; what follows it counts only where it does not.
    pub unless_runs: Option<String>,
}

impl Step {
    /// Its form in reports: `files`, `dns NAME NAME`, `resolve`.
    pub fn word(&self) -> String {
        match self {
            Self::Hosts(_) => "files".to_owned(),
            Self::Dns { names, .. } => format!("dns {}", names.join(" ")),
            Self::Module(name) => name.clone(),
        }
    }
}

/// The way of a host; `None` where it is an address.
pub fn way(client: Client, host: &str, around: Around<'_>) -> Option<Way> {
    let plan = resolve::plan(host, around.conf, around.hosts, around.nsswitch, around.machine);
    let Plan::Lookup(lookup) = plan else { return None };
    let by_c = match client {
        Client::PureGo => false,
        Client::Cgo => leaves_it_to_c(host, around),
        Client::Glibc => true,
    };
    if by_c {
        return Some(glibc(host, around));
    }
    let files = || Step::Hosts(lookup.files.clone());
    let dns = || Step::Dns { names: lookup.names.clone(), servers: lookup.servers.clone() };
    let steps = match lookup.order {
        Order::FilesDns if !lookup.files.is_empty() => vec![files()],
        Order::FilesDns => vec![files(), dns()],
        Order::DnsFiles => vec![dns(), files()],
        Order::Files => vec![files()],
        Order::Dns => vec![dns()],
    };
    Some(Way { steps, unless_runs: None })
}

/// Whether a Go program with cgo gives this name to the C library.
fn leaves_it_to_c(host: &str, around: Around<'_>) -> bool {
    if !around.conf.unknown_options.is_empty() {
        return true;
    }
    let sources = around.nsswitch.and_then(nsswitch::hosts).unwrap_or_default();
    sources.iter().any(|source| match source.name.as_str() {
        "files" | "dns" => !source.is_standard(),
        "myhostname" => is_own(host, around.machine),
        mdns if mdns.starts_with("mdns") => is_local(host),
        _ => true,
    })
}

fn glibc(host: &str, around: Around<'_>) -> Way {
    let written = around.nsswitch.and_then(nsswitch::hosts);
    // What is built in where the file or its line is missing.
    let sources =
        written.or_else(|| nsswitch::hosts("hosts: dns [!UNAVAIL=return] files")).unwrap_or_default();
    let mut way = Way::default();
    for source in &sources {
        let (step, ends) = one(source, host, around);
        if matches!(step, Some(Step::Module(_))) && source.name == "resolve" && source.ends_after("notfound")
        {
            way.unless_runs = Some(source.name.clone());
        }
        way.steps.extend(step);
        if ends {
            break;
        }
    }
    way
}

/// What a source comes to, and whether nothing is asked after it. A source that does not care for the name is passed over.
fn one(source: &Source, host: &str, around: Around<'_>) -> (Option<Step>, bool) {
    match source.name.as_str() {
        "files" => {
            let found = hosts_file::addresses(around.hosts, host);
            let ends = source.ends_after(if found.is_empty() { "notfound" } else { "success" });
            (Some(Step::Hosts(found)), ends)
        }
        "dns" => {
            let servers = if around.conf.names_no_server {
                vec![IpAddr::V4(Ipv4Addr::LOCALHOST)]
            } else {
                around.conf.servers.clone()
            };
            let names = dns_names(host, around);
            // Found or not, a server that answers ends it where both say so; one that does not may leave it open.
            (
                Some(Step::Dns { names, servers }),
                source.ends_after("notfound") && source.ends_after("unavail"),
            )
        }
        "myhostname" if is_own(host, around.machine) => (Some(Step::Module(source.name.clone())), true),
        "myhostname" => (None, false),
        minimal if minimal.starts_with("mdns") && minimal.contains("minimal") && !is_local(host) => {
            (None, false)
        }
        mdns if mdns.starts_with("mdns") => {
            (Some(Step::Module(source.name.clone())), source.ends_after("notfound"))
        }
        other => (Some(Step::Module(other.to_owned())), false),
    }
}

/// The same order as Go's, of names that Go may refuse: glibc asks for `.onion` and for labels that are none.
fn dns_names(host: &str, around: Around<'_>) -> Vec<String> {
    let names = resolve::names(host, around.conf, around.machine);
    let bare = host.strip_suffix('.').unwrap_or(host);
    if names.is_empty() || host.to_ascii_lowercase().ends_with(".onion") {
        vec![bare.to_owned()]
    } else {
        names
    }
}

/// The names that `myhostname` answers.
fn is_own(host: &str, machine: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase();
    matches!(host.as_str(), "localhost" | "localhost.localdomain" | "_gateway" | "_outbound")
        || host.ends_with(".localhost")
        || host.ends_with(".localhost.localdomain")
        || host == machine.to_ascii_lowercase()
}

fn is_local(host: &str) -> bool {
    host.strip_suffix('.').unwrap_or(host).to_ascii_lowercase().ends_with(".local")
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::resolv_conf::parse;
    use proptest::prelude::*;

    const CONF: &str = "nameserver 192.0.2.1\nsearch corp.example.com\n";
    const UBUNTU: &str = "hosts: files mdns4_minimal [NOTFOUND=return] dns";
    const FEDORA: &str = "hosts: files myhostname resolve [!UNAVAIL=return] dns";

    fn words(client: Client, host: &str, conf: &str, hosts: &str, nsswitch: Option<&str>) -> Vec<String> {
        let conf = parse(conf);
        let around = Around { conf: &conf, hosts, nsswitch, machine: "worker-1" };
        way(client, host, around).unwrap().steps.iter().map(Step::word).collect()
    }

    #[test]
    fn a_local_name_is_multicast_for_the_c_library_alone() {
        let name = "registry.local";
        let dns = "dns registry.local registry.local.corp.example.com";
        assert_eq!(words(Client::PureGo, name, CONF, "", Some(UBUNTU)), ["files", dns]);
        for client in [Client::Cgo, Client::Glibc] {
            assert_eq!(words(client, name, CONF, "", Some(UBUNTU)), ["files", "mdns4_minimal"]);
        }
        // In the hosts file all find it.
        for client in [Client::PureGo, Client::Cgo, Client::Glibc] {
            let hosts = "192.0.2.9 registry.local";
            assert_eq!(words(client, name, CONF, hosts, Some(UBUNTU)), ["files"], "{client:?}");
        }
        let other = "registry.example.com";
        let same = words(Client::PureGo, other, CONF, "", Some(UBUNTU));
        assert_eq!(words(Client::Glibc, other, CONF, "", Some(UBUNTU)), same);
        assert_eq!(words(Client::Cgo, other, CONF, "", Some(UBUNTU)), same);
    }

    #[test]
    fn resolved_has_servers_of_its_own_and_the_last_word() {
        let name = "registry.example.com";
        let dns = "dns registry.example.com registry.example.com.corp.example.com";
        assert_eq!(words(Client::PureGo, name, CONF, "", Some(FEDORA)), ["files", dns]);
        assert_eq!(words(Client::Cgo, name, CONF, "", Some(FEDORA)), ["files", "resolve", dns]);
        let conf = parse(CONF);
        let around = Around { conf: &conf, hosts: "", nsswitch: Some(FEDORA), machine: "worker-1" };
        assert_eq!(way(Client::Glibc, name, around).unwrap().unless_runs.as_deref(), Some("resolve"));
        assert_eq!(words(Client::Glibc, "worker-1", CONF, "", Some(FEDORA)), ["files", "myhostname"]);
    }

    #[test]
    fn without_nsswitch_the_c_library_asks_servers_first() {
        let hosts = "192.0.2.9 r.example.com";
        assert_eq!(words(Client::PureGo, "r.example.com", CONF, hosts, None), ["files"]);
        let c = words(Client::Glibc, "r.example.com", CONF, hosts, None);
        assert!(c[0].starts_with("dns r.example.com") && c[1] == "files", "{c:?}");
    }

    #[test]
    fn without_servers_each_has_its_own_idea_of_loopback() {
        let conf = parse("");
        let around = Around { conf: &conf, hosts: "", nsswitch: Some("hosts: dns"), machine: "m" };
        let servers = |client| match way(client, "r.example.com", around).unwrap().steps.as_slice() {
            [Step::Dns { servers, .. }] => servers.len(),
            other => panic!("{other:?}"),
        };
        assert_eq!((servers(Client::PureGo), servers(Client::Glibc)), (2, 1));
    }

    #[test]
    fn an_option_that_go_does_not_know_leaves_it_to_c() {
        let nsswitch = Some("hosts: files mdns4 dns");
        let with = format!("{CONF}options no-aaaa\n");
        let plain = words(Client::Cgo, "r.example.com", CONF, "", nsswitch);
        assert!(!plain.contains(&"mdns4".to_owned()));
        assert!(words(Client::Cgo, "r.example.com", &with, "", nsswitch).contains(&"mdns4".to_owned()));
        assert!(words(Client::Glibc, "r.onion", CONF, "", nsswitch).contains(&"dns r.onion".to_owned()));
    }

    #[test]
    fn an_address_is_looked_up_by_nobody() {
        let conf = parse(CONF);
        let around = Around { conf: &conf, hosts: "", nsswitch: None, machine: "" };
        assert_eq!(way(Client::Glibc, "192.0.2.1", around), None);
    }

    proptest! {
        #[test]
        fn never_panics(host in ".{0,80}", conf in ".{0,80}", hosts in ".{0,80}", nsswitch in "hosts:.{0,80}") {
            let conf = parse(&conf);
            let around = Around { conf: &conf, hosts: &hosts, nsswitch: Some(&nsswitch), machine: "m" };
            for client in [Client::PureGo, Client::Cgo, Client::Glibc] {
                way(client, &host, around);
            }
        }
    }
}
