//! `/etc/resolv.conf` as Go's own resolver reads it: which servers, which search list, which options.
//!
//! Follows `net/dnsconfig_unix.go` (Go 1.26). What a lookup makes of it is `emulate::go::resolve`'s.

use std::net::IpAddr;

/// What the file comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResolvConf {
    /// The first three servers that are addresses; loopback, IPv4 and IPv6, where there is none.
    pub servers: Vec<IpAddr>,
    /// The search list, without trailing dots.
    pub search: Vec<String>,
    /// Dots that a name needs to be asked as it stands first.
    pub ndots: usize,
    /// Seconds per question.
    pub timeout_s: u64,
    /// Rounds over all servers.
    pub attempts: u32,
    /// Whether the first server rotates.
    pub rotate: bool,
    /// Whether only TCP is used.
    pub tcp: bool,
    /// Whether the file names no server, so that `servers` are Go's own choice.
    pub names_no_server: bool,
    /// Options that Go does not know, in order.
    pub unknown_options: Vec<String>,
    /// Whether the C library asks for no IPv6 addresses (`no-aaaa`, glibc 2.36).
    pub no_aaaa: bool,
    /// Lines that were not understood or not taken, verbatim.
    pub ignored: Vec<String>,
}

impl Default for ResolvConf {
    fn default() -> Self {
        Self {
            servers: vec![IpAddr::from([127, 0, 0, 1]), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1u16])],
            search: Vec::new(),
            ndots: 1,
            timeout_s: 5,
            attempts: 2,
            rotate: false,
            tcp: false,
            names_no_server: false,
            unknown_options: Vec::new(),
            no_aaaa: false,
            ignored: Vec::new(),
        }
    }
}

/// The most servers that are taken, as in glibc.
const MOST_SERVERS: usize = 3;
/// The most lines kept as ignored.
const MOST_IGNORED: usize = 16;

/// Reads the file's text. Any text is fine; what is not understood is listed.
pub fn parse(text: &str) -> ResolvConf {
    let mut conf = ResolvConf { servers: Vec::new(), ..ResolvConf::default() };
    for line in text.lines() {
        if line.starts_with([';', '#']) {
            continue;
        }
        let mut fields = line.split([' ', '\t', '\r', '\n']).filter(|f| !f.is_empty());
        let understood = match fields.next() {
            None => true,
            Some("nameserver") => match fields.next().and_then(address) {
                Some(server) if conf.servers.len() < MOST_SERVERS => {
                    conf.servers.push(server);
                    true
                }
                _ => false,
            },
            Some("domain") => {
                if let Some(domain) = fields.next() {
                    conf.search = vec![unrooted(domain)];
                }
                true
            }
            Some("search") => {
                conf.search = fields.map(unrooted).filter(|name| !name.is_empty()).collect();
                true
            }
            Some("options") => fields.filter(|option| !conf.option(option)).count() == 0,
            Some(_) => false,
        };
        if !understood && conf.ignored.len() < MOST_IGNORED {
            conf.ignored.push(line.chars().take(200).collect());
        }
    }
    if conf.servers.is_empty() {
        conf.servers = ResolvConf::default().servers;
        conf.names_no_server = true;
    }
    conf
}

impl ResolvConf {
    fn option(&mut self, option: &str) -> bool {
        let number = |text: &str| {
            text.chars().take_while(char::is_ascii_digit).collect::<String>().parse::<u64>().unwrap_or(0)
        };
        if let Some(n) = option.strip_prefix("ndots:") {
            self.ndots = number(n).min(15) as usize;
        } else if let Some(n) = option.strip_prefix("timeout:") {
            self.timeout_s = number(n).max(1);
        } else if let Some(n) = option.strip_prefix("attempts:") {
            self.attempts = u32::try_from(number(n).max(1)).unwrap_or(u32::MAX);
        } else {
            match option {
                "rotate" => self.rotate = true,
                "use-vc" | "usevc" | "tcp" => self.tcp = true,
                "single-request" | "single-request-reopen" | "trust-ad" | "edns0" | "no-reload" => {}
                _ => {
                    self.no_aaaa |= option == "no-aaaa";
                    if self.unknown_options.len() < MOST_IGNORED {
                        self.unknown_options.push(option.chars().take(64).collect());
                    }
                    return false;
                }
            }
        }
        true
    }
}

/// An address with or without a zone; the zone is dropped, since it names an interface of one machine.
fn address(text: &str) -> Option<IpAddr> {
    text.split('%').next().unwrap_or_default().parse().ok()
}

fn unrooted(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_servers_search_and_options() {
        let conf = parse(
            "# made by dhcp\nsearch corp.example.com. example.com\nnameserver 192.0.2.53\nnameserver fe80::1%eth0\noptions ndots:5 timeout:2 attempts:3 rotate\n",
        );
        assert_eq!(conf.servers, ["192.0.2.53".parse::<IpAddr>().unwrap(), "fe80::1".parse().unwrap()]);
        assert_eq!(conf.search, ["corp.example.com", "example.com"]);
        assert_eq!((conf.ndots, conf.timeout_s, conf.attempts, conf.rotate), (5, 2, 3, true));
        assert!(conf.ignored.is_empty() && !conf.names_no_server);
        let conf = parse("options no-aaaa edns0 debug\n");
        assert!(conf.names_no_server && conf.no_aaaa);
        assert_eq!(conf.unknown_options, ["no-aaaa", "debug"]);
    }

    #[test]
    fn takes_three_servers_and_names_the_rest() {
        let conf = parse(
            "nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3\nnameserver 192.0.2.4\nnameserver dns.example.com\n",
        );
        assert_eq!(conf.servers.len(), 3);
        assert_eq!(conf.ignored, ["nameserver 192.0.2.4", "nameserver dns.example.com"]);
    }

    #[test]
    fn falls_back_to_loopback() {
        assert_eq!(parse("").servers, ResolvConf::default().servers);
        assert_eq!(parse("nameserver none\n").servers, ResolvConf::default().servers);
    }

    #[test]
    fn a_later_domain_replaces_the_search_list() {
        assert_eq!(
            parse("search a.example.com b.example.com\ndomain c.example.com\n").search,
            ["c.example.com"]
        );
    }

    proptest! {
        #[test]
        fn never_panics(text in ".{0,400}") {
            let conf = parse(&text);
            prop_assert!(!conf.servers.is_empty() && conf.servers.len() <= 3);
        }
    }
}
