//! Whether a certificate is for a host: Go's `(*Certificate).VerifyHostname` and the words of its `HostnameError`.

use super::Why;
use crate::go::GoVersion;
use formats::certificate::Certificate;
use std::net::IpAddr;

/// How many names Go lists at most.
const MAX_LISTED: usize = 100;

/// Checks the host's name or address against the alternative names. The common name is not looked at, but for the
/// words of the refusal.
pub(super) fn check(go: GoVersion, certificate: &Certificate, host: &str) -> Result<(), Why> {
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).filter(|bare| !bare.is_empty());
    let candidate = bare.unwrap_or(host);
    if let Ok(address) = candidate.parse::<IpAddr>() {
        let known = addresses(certificate).any(|ip| ip == address.to_canonical());
        return if known { Ok(()) } else { Err(refusal(go, certificate, candidate)) };
    }
    let wanted = host.to_ascii_lowercase();
    let valid = is_valid(wanted.strip_suffix('.').unwrap_or(&wanted), false);
    let matches = |pattern: &String| {
        if valid && is_valid(pattern, true) {
            matches_labels(pattern, &wanted)
        } else {
            matches_exactly(pattern, &wanted)
        }
    };
    if dns_names(certificate).iter().any(matches) { Ok(()) } else { Err(refusal(go, certificate, host)) }
}

fn refusal(go: GoVersion, certificate: &Certificate, host: &str) -> Why {
    let common_name = certificate.subject.common_name().unwrap_or_default();
    if certificate.alt_names.is_none() && matches_labels(common_name, host) {
        return Why::LegacyCommonName;
    }
    let too_many = |count: usize| go.bounds_names() && count >= MAX_LISTED;
    let host_owned = || host.to_owned();
    if host.parse::<IpAddr>().is_ok() {
        let listed: Vec<String> = addresses(certificate).map(|ip| ip.to_string()).collect();
        return match listed.len() {
            0 => Why::NoAddresses { host: host_owned() },
            count if too_many(count) => Why::ManyOtherNames { count, what: "IP SANs", host: host_owned() },
            _ => Why::OtherNames { valid_for: listed.join(", "), host: host_owned() },
        };
    }
    let names = dns_names(certificate);
    let joined = names.join(", ");
    match names.len() {
        count if too_many(count) => Why::ManyOtherNames { count, what: "names", host: host_owned() },
        _ if joined.is_empty() => Why::NoNames { host: host_owned() },
        _ => Why::OtherNames { valid_for: joined, host: host_owned() },
    }
}

fn dns_names(certificate: &Certificate) -> &[String] {
    certificate.alt_names.as_ref().map(|names| names.dns.as_slice()).unwrap_or_default()
}

/// Go prints and compares an IPv4 address in IPv6 form as the IPv4 address that it is.
fn addresses(certificate: &Certificate) -> impl Iterator<Item = IpAddr> + '_ {
    certificate.alt_names.iter().flat_map(|names| &names.ips).map(IpAddr::to_canonical)
}

/// Whether wildcards and the trailing dot are looked at for this name.
fn is_valid(host: &str, is_pattern: bool) -> bool {
    if host.is_empty() || host == "*" {
        return false;
    }
    host.split('.').enumerate().all(|(index, label)| {
        if is_pattern && index == 0 && label == "*" {
            return true;
        }
        !label.is_empty()
            && label
                .char_indices()
                .all(|(at, c)| c.is_ascii_alphanumeric() || c == '_' || (c == '-' && at != 0))
    })
}

fn matches_labels(pattern: &str, host: &str) -> bool {
    let pattern = pattern.to_ascii_lowercase();
    let host = host.to_ascii_lowercase();
    let host = host.strip_suffix('.').unwrap_or(&host);
    if pattern.is_empty() {
        return false;
    }
    let pattern: Vec<&str> = pattern.split('.').collect();
    let host: Vec<&str> = host.split('.').collect();
    pattern.len() == host.len()
        && pattern.iter().zip(&host).enumerate().all(|(index, (p, h))| (index == 0 && *p == "*") || p == h)
}

fn matches_exactly(a: &str, b: &str) -> bool {
    let empty = |s: &str| s.is_empty() || s == ".";
    !empty(a) && !empty(b) && a.eq_ignore_ascii_case(b)
}
