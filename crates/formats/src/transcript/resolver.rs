//! `dig`, `nslookup`, `host`, `getent`, `resolvectl query`: which name was asked, of whom, and what came back.

use super::command::command;
use std::net::IpAddr;

/// One question to a name server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lookup {
    /// The name that was asked for, without a final dot.
    pub name: String,
    /// The server that was asked; empty where the command leaves it to the system.
    pub server: String,
    /// The addresses that came back.
    pub addresses: Vec<IpAddr>,
    /// How it went.
    pub result: LookupResult,
    /// The pod, host or container in which a wrapper ran it.
    pub inside: Option<String>,
    /// Whether it asked as programs do (hosts file and search list), and not one server.
    pub as_system: bool,
}

/// How a lookup went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LookupResult {
    /// Addresses.
    Found,
    /// The name does not exist, or has no address.
    #[default]
    NotFound,
    /// SERVFAIL or REFUSED.
    ServerFailure,
    /// No answer.
    Timeout,
}

/// Reads one run. `None` where the program is another one or no name was asked for.
pub fn read(line: &str, text: &str) -> Option<Lookup> {
    let found = command(line);
    let mut lookup = Lookup { inside: found.inside.map(str::to_owned), ..Lookup::default() };
    let mut words = found.arguments.iter().copied().filter(|w| !w.starts_with(['-', '+']));
    match found.program {
        "dig" | "kdig" => {
            for word in words {
                if let Some(server) = word.strip_prefix('@') {
                    lookup.server = server.to_owned();
                } else if lookup.name.is_empty() && !is_type(word) {
                    lookup.name = word.to_owned();
                }
            }
        }
        "nslookup" | "host" => {
            lookup.name = words.next()?.to_owned();
            lookup.server = words.next().unwrap_or_default().to_owned();
        }
        "getent" => {
            words.next()?;
            lookup.name = words.next()?.to_owned();
            lookup.as_system = true;
        }
        "resolvectl" | "systemd-resolve" => {
            lookup.name = words.find(|w| *w != "query")?.to_owned();
            lookup.as_system = true;
        }
        _ => return None,
    }
    lookup.name = lookup.name.trim_end_matches('.').to_ascii_lowercase();
    if lookup.name.is_empty() {
        return None;
    }
    let short = found.program == "dig" && line.contains("+short");
    for l in text.lines() {
        let l = l.trim();
        // The server's own address stands in lines of their own.
        if l.starts_with(";;") || l.starts_with("Server:") || l.contains('#') {
            if let Some(rest) = l.strip_prefix(";; SERVER: ").or_else(|| l.strip_prefix("Server:")) {
                let server = rest.trim().split(['#', '(', ' ']).next().unwrap_or_default();
                if lookup.server.is_empty() {
                    lookup.server = server.to_owned();
                }
            }
            continue;
        }
        let address = l.split_whitespace().find_map(|w| w.parse::<IpAddr>().ok());
        let answers = short || l.contains(" IN A") || l.contains("\tA\t") || l.contains("\tAAAA\t");
        let answers = answers || l.starts_with("Address") || l.contains("has address") || lookup.as_system;
        if let Some(address) = address.filter(|_| answers) {
            lookup.addresses.push(address);
        }
    }
    let has = |words: &[&str]| words.iter().any(|w| text.contains(w));
    lookup.result = if !lookup.addresses.is_empty() {
        LookupResult::Found
    } else if has(&["SERVFAIL", "REFUSED", "server failure"]) {
        LookupResult::ServerFailure
    } else if has(&["timed out", "no servers could be reached", "connection refused"]) {
        LookupResult::Timeout
    } else {
        LookupResult::NotFound
    };
    Some(lookup)
}

fn is_type(word: &str) -> bool {
    matches!(
        word.to_ascii_uppercase().as_str(),
        "A" | "AAAA" | "ANY" | "MX" | "NS" | "SOA" | "IN" | "CNAME" | "TXT"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lookups_of_several_programs() {
        let table = [
            (
                "dig +short r.example.com @192.0.2.1",
                "",
                "r.example.com",
                "192.0.2.1",
                LookupResult::NotFound,
                0,
            ),
            ("dig +short r.example.com", "172.30.81.10\n", "r.example.com", "", LookupResult::Found, 1),
            (
                "dig r @10.0.0.1",
                ";; ->>HEADER<<- opcode: QUERY, status: SERVFAIL, id: 1\n",
                "r",
                "10.0.0.1",
                LookupResult::ServerFailure,
                0,
            ),
            (
                "dig r",
                ";; ANSWER SECTION:\nr.\t300\tIN\tA\t192.0.2.9\n;; SERVER: 10.0.0.53#53(10.0.0.53)\n",
                "r",
                "10.0.0.53",
                LookupResult::Found,
                1,
            ),
            (
                "nslookup r.example.com 192.0.2.53",
                "Server:\t\t192.0.2.53\nAddress:\t192.0.2.53#53\n\n** server can't find r.example.com: NXDOMAIN\n",
                "r.example.com",
                "192.0.2.53",
                LookupResult::NotFound,
                0,
            ),
            (
                "nslookup r",
                "Server: 10.0.0.1\nAddress: 10.0.0.1#53\n\nName: r\nAddress: 192.0.2.7\n",
                "r",
                "10.0.0.1",
                LookupResult::Found,
                1,
            ),
            ("getent hosts r", "192.0.2.7       r\n", "r", "", LookupResult::Found, 1),
            (
                "kubectl exec p -- nslookup r",
                "** server can't find r: NXDOMAIN\n",
                "r",
                "",
                LookupResult::NotFound,
                0,
            ),
            (
                "dig +short r @10.0.0.9",
                ";; connection timed out; no servers could be reached\n",
                "r",
                "10.0.0.9",
                LookupResult::Timeout,
                0,
            ),
        ];
        for (line, text, name, server, result, count) in table {
            let l = read(line, text).unwrap();
            assert_eq!(
                (l.name.as_str(), l.server.as_str(), l.result, l.addresses.len()),
                (name, server, result, count),
                "{line}"
            );
        }
        assert!(read("curl x", "").is_none());
    }

    proptest! {
        #[test]
        fn never_panics(line in "(dig|host|getent) [a-z@.+ -]{0,40}", text in any::<String>()) {
            let _ = read(&line, &text);
        }
    }
}
