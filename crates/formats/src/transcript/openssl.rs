//! `openssl s_client` and `openssl x509`: the chain that a server sent, and the verdict on it.

use super::when;
use jiff::Timestamp;

/// What one run shows of a server's certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Presented {
    /// Host and port that were connected to; empty where the command does not say.
    pub target: String,
    /// The proxy that the command names.
    pub proxy: Option<String>,
    /// The certificates in the order in which they were sent, the leaf first.
    pub chain: Vec<Certificate>,
    /// Verification errors: number and words.
    pub errors: Vec<(u32, String)>,
    /// Whether the whole chain was printed (`s_client`), and not just one certificate of it (`x509`).
    pub whole: bool,
    /// Why there was no connection.
    pub failed: Option<String>,
}

/// One certificate of a chain, as far as the text tells.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The subject, blanks around `=` taken out.
    pub subject: String,
    /// The issuer, likewise.
    pub issuer: String,
    /// From when on it is valid.
    pub not_before: Option<Timestamp>,
    /// Until when.
    pub not_after: Option<Timestamp>,
    /// Subject alternative names, where they were printed.
    pub names: Vec<String>,
}

impl Certificate {
    /// Whether it is its own issuer.
    pub fn is_self_issued(&self) -> bool {
        !self.subject.is_empty() && self.subject == self.issuer
    }
}

/// Reads a run. `None` where the text shows no certificate and no failure of a connection.
pub fn read(line: &str, text: &str) -> Option<Presented> {
    let mut shown = Presented {
        whole: text.contains("Certificate chain") || filtered(line, text),
        ..Presented::default()
    };
    if let Some(rest) = line.split_once("-connect ").map(|(_, r)| r) {
        shown.target =
            rest.split_whitespace().next().unwrap_or_default().trim_matches(['"', '\'']).to_owned();
    }
    if let Some(rest) = line.split_once("-proxy ").map(|(_, r)| r) {
        shown.proxy = rest.split_whitespace().next().map(str::to_owned);
    }
    let mut errors = Vec::new();
    for raw in text.lines() {
        let l = raw.trim();
        if let Some(rest) = l.strip_prefix("verify error:num=") {
            if let Some((number, words)) = rest.split_once(':') {
                errors.push((number.parse().unwrap_or(0), words.trim().to_owned()));
            }
        } else if let Some(rest) = l.strip_prefix("Verify return code: ") {
            let (number, words) = rest.split_once(' ').unwrap_or((rest, ""));
            let number = number.parse().unwrap_or(0);
            if number != 0 {
                errors.push((number, words.trim_matches(['(', ')']).to_owned()));
            }
        } else if l.contains("connect:errno") || l.contains("BIO_connect") || l.contains("connect:Connection")
        {
            shown.failed.get_or_insert_with(|| l.to_owned());
        } else {
            certificate_line(&mut shown, raw, l);
        }
    }
    errors.dedup();
    errors.sort();
    errors.dedup();
    shown.errors = errors;
    (!shown.chain.is_empty() || shown.failed.is_some()).then_some(shown)
}

/// Whether only lines of the chain were picked out of a run (`| grep "s:"`): all of them, as nothing cuts them off.
fn filtered(line: &str, text: &str) -> bool {
    let cuts = ["head", "tail", "sed", "awk", "grep -m"].iter().any(|w| line.contains(w));
    line.contains("s_client")
        && line.contains("grep")
        && !cuts
        && text.lines().any(|l| l.trim_start().starts_with("0 s:"))
}

fn certificate_line(shown: &mut Presented, raw: &str, l: &str) {
    // ` 0 s:CN = x` opens an entry of the chain; `subject=` one of `x509`, which repeats the leaf of a chain.
    let numbered =
        l.split_once(" s:").filter(|(n, _)| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
    if let Some((_, subject)) = numbered {
        shown.chain.push(Certificate { subject: plain(subject), ..Certificate::default() });
        return;
    }
    if let Some(subject) = l.strip_prefix("subject=").or_else(|| l.strip_prefix("Subject: ")) {
        if !shown.whole {
            shown.chain.push(Certificate { subject: plain(subject), ..Certificate::default() });
        }
        return;
    }
    let whole = shown.whole;
    if let Some(issuer) = l.strip_prefix("i:") {
        if let Some(last) = shown.chain.last_mut() {
            last.issuer = plain(issuer);
        }
        return;
    }
    if let Some(issuer) = l.strip_prefix("issuer=").or_else(|| l.strip_prefix("Issuer: ")) {
        match shown.chain.last_mut() {
            Some(last) if !whole => last.issuer = plain(issuer),
            None if !whole => {
                shown.chain.push(Certificate { issuer: plain(issuer), ..Certificate::default() });
            }
            _ => {}
        }
        return;
    }
    let Some(last) = shown.chain.last_mut() else { return };
    if let Some(rest) = l.strip_prefix("v:NotBefore: ") {
        if let Some((from, until)) = rest.split_once("; NotAfter: ") {
            last.not_before = when::read(from);
            last.not_after = when::read(until);
        }
    } else if let Some(from) = l.strip_prefix("notBefore=").or_else(|| l.strip_prefix("Not Before: ")) {
        last.not_before = last.not_before.or_else(|| when::read(from));
    } else if let Some(until) = l
        .strip_prefix("notAfter=")
        .or_else(|| l.strip_prefix("Not After : "))
        .filter(|_| !whole || !raw.starts_with('n'))
    {
        last.not_after = last.not_after.or_else(|| when::read(until));
    } else if l.contains("DNS:") || l.contains("IP Address:") {
        let name = |n: &str| {
            let n = n.trim();
            n.strip_prefix("DNS:").or_else(|| n.strip_prefix("IP Address:")).map(|n| n.trim().to_owned())
        };
        last.names.extend(l.split(',').filter_map(name));
    }
}

/// A name without the blanks that some versions put around `=`.
fn plain(name: &str) -> String {
    name.trim().replace(" = ", "=")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_lines_of_a_chain_behind_a_filter_are_the_whole_of_it() {
        let picked = |filter: &str| {
            let text = " 0 s:CN = r.example.com\n   i:CN = R10\nVerify return code: 21 (unable to verify the first certificate)\n";
            read(&format!("openssl s_client -connect r.example.com:443 | {filter}"), text).unwrap().whole
        };
        assert!(picked("grep -E \"s:|i:|Verify\""));
        assert!(!picked("head -5"));
        assert!(!picked("grep s: | head -1"));
    }

    #[test]
    fn a_chain_with_its_verdict() {
        let text = "CONNECTED(00000003)\ndepth=0 CN = h\nverify error:num=20:unable to get local issuer certificate\nverify return:1\n---\nCertificate chain\n 0 s:CN = h\n   i:O = X, CN = Inspect CA\n   v:NotBefore: Jan  2 00:00:00 2019 GMT; NotAfter: Jan  2 00:00:00 2020 GMT\n---\nServer certificate\nsubject=CN = h\nissuer=O = X, CN = Inspect CA\n---\nVerify return code: 20 (unable to get local issuer certificate)\n";
        let p = read("openssl s_client -proxy p:3128 -connect h:443 -showcerts", text).unwrap();
        assert_eq!((p.target.as_str(), p.proxy.as_deref()), ("h:443", Some("p:3128")));
        assert_eq!(p.chain.len(), 1);
        assert_eq!(p.chain[0].issuer, "O=X, CN=Inspect CA");
        assert_eq!(p.chain[0].not_after.unwrap().to_string(), "2020-01-02T00:00:00Z");
        assert_eq!(p.errors, [(20, "unable to get local issuer certificate".to_owned())]);
        assert!(p.whole);
    }

    #[test]
    fn one_certificate_of_x509() {
        let text = "subject=CN = h\nissuer=CN = Public CA 2\nnotBefore=Nov 20 00:00:00 2021 GMT\nnotAfter=Nov 20 00:00:00 2022 GMT\nX509v3 Subject Alternative Name: \n    DNS:h, DNS:*.h\n";
        let p =
            read("openssl s_client -connect h:443 </dev/null | openssl x509 -noout -subject", text).unwrap();
        assert_eq!(p.chain[0].names, ["h", "*.h"]);
        assert_eq!(p.chain[0].not_before.unwrap().to_string(), "2021-11-20T00:00:00Z");
        assert!(!p.whole);
        assert!(read("openssl version", "OpenSSL 3.0").is_none());
    }

    proptest! {
        #[test]
        fn never_panics(line in any::<String>(), text in "(?s)( 0 s:CN=x\n|i:y\n|verify error:num=|Verify return code: |[0-9]| |\\PC){0,30}") {
            let _ = read(&line, &text);
        }
    }
}
