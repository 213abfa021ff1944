//! How Go's own resolver finds a host's addresses: which sources in which order, which questions to which servers, and
//! what it makes of the answers.
//!
//! Follows `net/conf.go` and `net/dnsclient_unix.go` (Go 1.26) for programs built without cgo, as containerd's and
//! the kubelet's releases are. Asking is left to the caller.

use formats::resolv_conf::ResolvConf;
use formats::{hosts_file, nsswitch};
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use vocabulary::Cause;

/// The order of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Hosts file, then servers.
    FilesDns,
    /// Servers, then hosts file.
    DnsFiles,
    /// Only the hosts file.
    Files,
    /// Only servers.
    Dns,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::FilesDns => "files dns",
            Self::DnsFiles => "dns files",
            Self::Files => "files",
            Self::Dns => "dns",
        })
    }
}

/// What there is to ask for one host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// The host is an address: nothing to ask.
    Literal(IpAddr),
    /// A name.
    Lookup(Lookup),
}

/// The sources of one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    /// The name as it was given.
    pub host: String,
    /// The order of sources.
    pub order: Order,
    /// What the hosts file has.
    pub files: Vec<IpAddr>,
    /// The names that are asked for, one after the other until one has addresses; without trailing dots.
    pub names: Vec<String>,
    /// The servers, in order.
    pub servers: Vec<IpAddr>,
}

impl Lookup {
    /// Whether servers are asked at all.
    pub fn asks(&self) -> bool {
        match self.order {
            Order::Files => false,
            Order::FilesDns => self.files.is_empty(),
            Order::DnsFiles | Order::Dns => true,
        }
    }
}

/// Makes the plan for a host from the texts of the three files (`None`: the file does not exist) and the machine's name.
pub fn plan(host: &str, conf: &ResolvConf, hosts: &str, nsswitch: Option<&str>, machine: &str) -> Plan {
    if let Ok(address) = host.split('%').next().unwrap_or_default().parse() {
        return Plan::Literal(address);
    }
    Plan::Lookup(Lookup {
        host: host.to_owned(),
        order: order(nsswitch),
        files: hosts_file::addresses(hosts, host),
        names: names(host, conf, machine),
        servers: conf.servers.clone(),
    })
}

fn order(nsswitch: Option<&str>) -> Order {
    let sources = nsswitch.and_then(nsswitch::hosts).unwrap_or_default();
    // Sources that Go does not know (mdns, resolve, myhostname) stand for the servers where nothing else does.
    let asks = sources.iter().any(|s| s.name == "dns");
    let known = |s: &&nsswitch::Source| s.name == "files" || s.name == "dns" || !asks;
    let mut known = sources.iter().filter(known).map(|s| s.name == "files");
    let Some(first_is_files) = known.next() else { return Order::FilesDns };
    match (first_is_files, known.any(|files| files != first_is_files)) {
        (true, true) => Order::FilesDns,
        (true, false) => Order::Files,
        (false, true) => Order::DnsFiles,
        (false, false) => Order::Dns,
    }
}

pub(crate) fn names(host: &str, conf: &ResolvConf, machine: &str) -> Vec<String> {
    let rooted = host.ends_with('.');
    let bare = host.strip_suffix('.').unwrap_or(host);
    let usable =
        |name: &str| !name.is_empty() && name.len() <= 253 && !name.to_ascii_lowercase().ends_with(".onion");
    if rooted || !is_domain_name(bare) {
        return if usable(bare) && is_domain_name(bare) { vec![bare.to_owned()] } else { Vec::new() };
    }
    let search: Vec<String> = if conf.search.is_empty() {
        machine
            .split_once('.')
            .map(|(_, domain)| domain.to_owned())
            .filter(|d| !d.is_empty())
            .into_iter()
            .collect()
    } else {
        conf.search.clone()
    };
    let enough_dots = bare.matches('.').count() >= conf.ndots;
    let mut names = Vec::new();
    if enough_dots {
        names.push(bare.to_owned());
    }
    names.extend(search.iter().map(|suffix| format!("{bare}.{suffix}")));
    if !enough_dots {
        names.push(bare.to_owned());
    }
    names.retain(|name| usable(name));
    names.truncate(MOST_NAMES);
    names
}

/// Go has no limit of its own; Kubernetes allows 32 search domains.
const MOST_NAMES: usize = 33;

fn is_domain_name(name: &str) -> bool {
    !name.is_empty()
        && name.split('.').all(|label| {
            !label.is_empty()
                && label.len() <= 63
                && !label.starts_with('-')
                && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        })
        && name.bytes().any(|b| b.is_ascii_alphabetic() || b == b'_')
}

/// What one server answered to one question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// These addresses.
    Addresses(Vec<IpAddr>),
    /// NXDOMAIN.
    NoSuchName,
    /// No error, and no address of this kind.
    NoAddress,
    /// SERVFAIL.
    ServerFailure,
    /// Any other code, by its name: `REFUSED`.
    Misbehaving(String),
    /// A referral, or something that is no answer.
    Lame,
    /// The bytes are no DNS message.
    Garbage,
    /// No answer in time; the local address that waited.
    Timeout(Option<SocketAddr>),
    /// The system's words for why it could not be asked: `connection refused`.
    Unasked(String),
}

impl Reply {
    /// The word used in facts.
    pub fn word(&self) -> String {
        match self {
            Self::Addresses(all) => all.iter().map(IpAddr::to_string).collect::<Vec<_>>().join(" "),
            Self::NoSuchName => "nxdomain".to_owned(),
            Self::NoAddress => "nodata".to_owned(),
            Self::ServerFailure => "servfail".to_owned(),
            Self::Misbehaving(code) => code.to_ascii_lowercase(),
            Self::Lame => "no answer in it".to_owned(),
            Self::Garbage => "garbage".to_owned(),
            Self::Timeout(_) => "timeout".to_owned(),
            Self::Unasked(words) => words.clone(),
        }
    }
}

/// One server's answers about one name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Which server.
    pub server: IpAddr,
    /// Which name, without trailing dot.
    pub name: String,
    /// To the question for IPv4 addresses.
    pub v4: Reply,
    /// To the question for IPv6 addresses.
    pub v6: Reply,
}

impl Asked {
    /// All addresses of both kinds.
    pub fn addresses(&self) -> Vec<IpAddr> {
        let of = |reply: &Reply| if let Reply::Addresses(all) = reply { all.clone() } else { Vec::new() };
        let mut all = of(&self.v4);
        all.extend(of(&self.v6));
        all
    }
}

/// Why there is no address, in Go's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoAddresses {
    /// The symptom.
    pub cause: Cause,
    /// `lookup registry.example.com on 192.0.2.53:53: no such host`.
    pub words: String,
}

/// What Go makes of the answers: addresses in the order of preference, or its error.
pub fn decide(lookup: &Lookup, asked: &[Asked], port: u16) -> Result<Vec<IpAddr>, NoAddresses> {
    if matches!(lookup.order, Order::FilesDns | Order::Files) && !lookup.files.is_empty() {
        return Ok(sorted(lookup.files.clone()));
    }
    let bare = |words: &str| NoAddresses {
        cause: Cause::DnsNotFound,
        words: format!("lookup {}: {words}", lookup.host),
    };
    if lookup.order == Order::Files {
        return Err(bare("no such host"));
    }
    let mut last: Option<NoAddresses> = None;
    for name in &lookup.names {
        let mut addresses = Vec::new();
        for question in [|a: &Asked| a.v4.clone(), |a: &Asked| a.v6.clone()] {
            match one_question(lookup, name, asked, question, port) {
                Ok(found) => addresses.extend(found),
                Err(error) if last.is_none() || *name == lookup.host => last = error.or(last),
                Err(_) => {}
            }
        }
        if !addresses.is_empty() {
            return Ok(sorted(addresses));
        }
    }
    if lookup.order == Order::DnsFiles && !lookup.files.is_empty() {
        return Ok(sorted(lookup.files.clone()));
    }
    Err(last.unwrap_or_else(|| bare("no such host")))
}

/// One name and kind: servers one after the other until one says yes or no.
fn one_question(
    lookup: &Lookup,
    name: &str,
    asked: &[Asked],
    question: fn(&Asked) -> Reply,
    port: u16,
) -> Result<Vec<IpAddr>, Option<NoAddresses>> {
    let mut last = None;
    for server in &lookup.servers {
        let Some(reply) = asked.iter().find(|a| a.server == *server && a.name == *name).map(question) else {
            continue;
        };
        let at = SocketAddr::new(*server, port);
        let said = |cause, words: String| NoAddresses {
            cause,
            words: format!("lookup {} on {at}: {words}", lookup.host),
        };
        last = Some(match reply {
            Reply::Addresses(found) => return Ok(found),
            // The name does not exist, so trying another server does not help.
            Reply::NoSuchName | Reply::NoAddress => {
                return Err(Some(said(Cause::DnsNotFound, "no such host".to_owned())));
            }
            Reply::ServerFailure | Reply::Misbehaving(_) => {
                said(Cause::DnsServerFailure, "server misbehaving".to_owned())
            }
            Reply::Lame => said(Cause::DnsServerFailure, "lame referral".to_owned()),
            Reply::Garbage => said(Cause::DnsServerFailure, "cannot unmarshal DNS message".to_owned()),
            Reply::Timeout(from) => {
                let way = from.map_or_else(|| format!("{at}"), |from| format!("{from}->{at}"));
                said(Cause::DnsTimeout, format!("read udp {way}: i/o timeout"))
            }
            Reply::Unasked(words) => said(Cause::DnsServerFailure, format!("read udp {at}: {words}")),
        });
    }
    Err(last)
}

/// The order in which Go dials: the policy table of RFC 6724, as far as it goes without a route.
fn sorted(mut addresses: Vec<IpAddr>) -> Vec<IpAddr> {
    let mut once = Vec::new();
    addresses.retain(|a| {
        !once.contains(a) && {
            once.push(*a);
            true
        }
    });
    addresses.sort_by_key(|address| std::cmp::Reverse(precedence(*address)));
    addresses
}

fn precedence(address: IpAddr) -> u8 {
    match address {
        IpAddr::V4(_) => 35,
        IpAddr::V6(six) if six.is_loopback() => 50,
        IpAddr::V6(six) => match six.segments()[0] {
            0x2002 => 30,
            0x2001 if six.segments()[1] == 0 => 5,
            first if first & 0xfe00 == 0xfc00 => 3,
            first if first & 0xffc0 == 0xfec0 => 1,
            _ => 40,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::resolv_conf::parse;
    use proptest::prelude::*;

    const ONE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn lookup(host: &str, conf: &str, hosts: &str, nsswitch: Option<&str>) -> Lookup {
        match plan(host, &parse(conf), hosts, nsswitch, "worker-1.nodes.example.com") {
            Plan::Lookup(lookup) => lookup,
            Plan::Literal(address) => panic!("{address}"),
        }
    }

    fn reply(server: &str, name: &str, v4: Reply) -> Asked {
        let v6 = if matches!(v4, Reply::Addresses(_)) { Reply::NoAddress } else { v4.clone() };
        Asked { server: ip(server), name: name.to_owned(), v4, v6 }
    }

    #[test]
    fn an_address_needs_no_lookup() {
        assert_eq!(plan("::1", &parse(""), "", None, ""), Plan::Literal(ip("::1")));
    }

    #[test]
    fn names_follow_ndots_and_search() {
        let conf = "search a.example.com b.example.com\noptions ndots:2\nnameserver 192.0.2.1\n";
        assert_eq!(
            lookup("registry.example", conf, "", None).names,
            ["registry.example.a.example.com", "registry.example.b.example.com", "registry.example"]
        );
        assert_eq!(lookup("registry.example.com", conf, "", None).names[0], "registry.example.com");
        assert_eq!(lookup("registry.example.com.", conf, "", None).names, ["registry.example.com"]);
        assert_eq!(
            lookup("registry", "nameserver 192.0.2.1", "", None).names,
            ["registry.nodes.example.com", "registry"]
        );
        assert!(lookup("bad..name", conf, "", None).names.is_empty());
        assert!(
            lookup("x.onion", "nameserver 192.0.2.1\nsearch example.com", "", None)
                .names
                .iter()
                .all(|n| n != "x.onion")
        );
    }

    #[test]
    fn sources_come_in_the_order_of_nsswitch() {
        for (line, order) in [
            ("hosts: files dns", Order::FilesDns),
            ("hosts: dns files", Order::DnsFiles),
            ("hosts: files", Order::Files),
            ("hosts: dns", Order::Dns),
            ("hosts: mymachines resolve [!UNAVAIL=return] files myhostname dns", Order::FilesDns),
            ("hosts: resolve files", Order::DnsFiles),
            ("hosts: files resolve", Order::FilesDns),
            ("hosts: resolve myhostname", Order::Dns),
            ("hosts: resolve dns", Order::Dns),
            ("passwd: files", Order::FilesDns),
        ] {
            assert_eq!(lookup("r.example.com", "", "", Some(line)).order, order, "{line}");
        }
        assert_eq!(lookup("r.example.com", "", "", None).order, Order::FilesDns);
    }

    #[test]
    fn the_hosts_file_wins_where_it_comes_first() {
        let plan = lookup("r.example.com", "nameserver 192.0.2.1", "192.0.2.7 r.example.com", None);
        assert!(!plan.asks());
        assert_eq!(decide(&plan, &[], 53).unwrap(), [ip("192.0.2.7")]);
    }

    #[test]
    fn a_failing_server_is_passed_over_and_a_no_is_final() {
        let plan = lookup("r.example.com", "nameserver 192.0.2.1\nnameserver 192.0.2.2\nsearch .", "", None);
        let found = Reply::Addresses(vec![ip("192.0.2.10")]);
        let asked = |first, second| {
            [reply("192.0.2.1", "r.example.com", first), reply("192.0.2.2", "r.example.com", second)]
        };
        assert_eq!(
            decide(&plan, &asked(Reply::ServerFailure, found.clone()), 53).unwrap(),
            [ip("192.0.2.10")]
        );
        let no = decide(&plan, &asked(Reply::NoSuchName, found), 53).unwrap_err();
        assert_eq!(no.words, "lookup r.example.com on 192.0.2.1:53: no such host");
        assert_eq!(no.cause, Cause::DnsNotFound);
        let dead = decide(&plan, &asked(Reply::Timeout(None), Reply::Misbehaving("REFUSED".into())), 53)
            .unwrap_err();
        assert_eq!(dead.words, "lookup r.example.com on 192.0.2.2:53: server misbehaving");
    }

    #[test]
    fn the_error_of_the_name_itself_is_preferred() {
        let plan = lookup("r.example.com", "nameserver 192.0.2.1\nsearch a.example.com", "", None);
        let asked = [
            reply("192.0.2.1", "r.example.com", Reply::ServerFailure),
            reply("192.0.2.1", "r.example.com.a.example.com", Reply::NoSuchName),
        ];
        assert_eq!(decide(&plan, &asked, 53).unwrap_err().cause, Cause::DnsServerFailure);
    }

    #[test]
    fn loopback_and_global_ipv6_come_before_ipv4_and_local_ones_after() {
        assert_eq!(
            sorted(vec![ONE, ip("::1"), ip("fd00::1"), ip("2001:db8::1"), ONE]),
            [ip("::1"), ip("2001:db8::1"), ONE, ip("fd00::1")]
        );
    }

    proptest! {
        #[test]
        fn never_panics(host in ".{0,80}", conf in ".{0,80}", hosts in ".{0,80}", nsswitch in ".{0,80}") {
            if let Plan::Lookup(lookup) = plan(&host, &parse(&conf), &hosts, Some(&nsswitch), "m") {
                let _ = decide(&lookup, &[], 53);
            }
        }
    }
}
