//! Name constraints of authorities: Go's `checkChainConstraints`, with the words of its details.
//!
//! Every name in the chain is held to them, not only the host's.

use crate::go::{GoVersion, quoted};
use formats::certificate::{Certificate, IpRange, NameConstraints, Subtrees};
use std::net::IpAddr;
use std::sync::Arc;

/// Checks every certificate's names against the constraints of those above it; Go's detail where one is broken.
pub(super) fn check(go: GoVersion, chain: &[Arc<Certificate>]) -> Result<(), String> {
    for (index, certificate) in chain.iter().enumerate() {
        let above = chain.iter().skip(index + 1).filter_map(|c| c.name_constraints.as_ref());
        for constraints in above {
            check_names(go, certificate, constraints)?;
        }
    }
    Ok(())
}

/// Checks the names of a chain so far against the constraints of the one that would come next.
pub(super) fn check_below(
    go: GoVersion,
    below: &[Arc<Certificate>],
    constraints: &NameConstraints,
) -> Result<(), String> {
    below.iter().try_for_each(|certificate| check_names(go, certificate, constraints))
}

fn check_names(
    go: GoVersion,
    certificate: &Certificate,
    constraints: &NameConstraints,
) -> Result<(), String> {
    let Some(names) = &certificate.alt_names else { return Ok(()) };
    for ip in &names.ips {
        check_ip(*ip, constraints)?;
    }
    for name in &names.dns {
        if !is_domain(name) {
            return Err(format!("x509: cannot parse dnsName {}", quoted(name)));
        }
        check_domain(go, ("DNS name", name), name, constraints, |trees| &trees.dns)?;
    }
    for uri in &names.uris {
        let host = uri_host(uri)?;
        check_domain(go, ("URI", uri), &host, constraints, |trees| &trees.uris)?;
    }
    for mail in &names.emails {
        check_mail(mail, constraints)?;
    }
    Ok(())
}

fn not_permitted(kind: &str, name: &str) -> String {
    format!("{kind} {} is not permitted by any constraint", quoted(name))
}

fn excluded(kind: &str, name: &str, constraint: &str) -> String {
    format!("{kind} {} is excluded by constraint {}", quoted(name), quoted(constraint))
}

fn check_ip(ip: IpAddr, constraints: &NameConstraints) -> Result<(), String> {
    let shown = ip.to_canonical().to_string();
    let bytes = match ip {
        IpAddr::V4(v4) => v4.octets().to_vec(),
        IpAddr::V6(v6) => v6.octets().to_vec(),
    };
    let permitted = &constraints.permitted.ips;
    if !permitted.is_empty() && !permitted.iter().any(|range| contains(range, &bytes)) {
        return Err(not_permitted("IP address", &shown));
    }
    match constraints.excluded.ips.iter().find(|range| contains(range, &bytes)) {
        Some(range) => Err(excluded("IP address", &shown, &network(range))),
        None => Ok(()),
    }
}

fn contains(range: &IpRange, address: &[u8]) -> bool {
    range.address.len() == address.len()
        && range
            .address
            .iter()
            .zip(&range.mask)
            .zip(address)
            .all(|((network, mask), a)| network & mask == a & mask)
}

fn network(range: &IpRange) -> String {
    let ones: u32 = range.mask.iter().map(|byte| byte.count_ones()).sum();
    let address = match (<[u8; 4]>::try_from(&range.address[..]), <[u8; 16]>::try_from(&range.address[..])) {
        (Ok(four), _) => IpAddr::from(four).to_string(),
        (_, Ok(sixteen)) => IpAddr::from(sixteen).to_string(),
        _ => String::new(),
    };
    format!("{address}/{ones}")
}

fn check_domain(
    go: GoVersion,
    (kind, shown): (&str, &str),
    domain: &str,
    constraints: &NameConstraints,
    of: fn(&Subtrees) -> &Vec<String>,
) -> Result<(), String> {
    let permitted = of(&constraints.permitted);
    if !permitted.is_empty() && !permitted.iter().any(|constraint| is_below(domain, constraint)) {
        return Err(not_permitted(kind, shown));
    }
    // Of several that hold, Go names the widest.
    let matching = of(&constraints.excluded)
        .iter()
        .filter(|constraint| {
            is_below(domain, constraint) || (go.bounds_names() && wildcard_reaches(domain, constraint))
        })
        .min_by_key(|constraint| constraint.len());
    match matching {
        Some(constraint) => Err(excluded(kind, shown, constraint)),
        None => Ok(()),
    }
}

/// Whether a name is the constraint's domain or below it; one with a leading dot wants at least one label more.
fn is_below(name: &str, constraint: &str) -> bool {
    let Some(split) = name.len().checked_sub(constraint.len()) else { return false };
    let (Some(head), Some(tail)) = (name.get(..split), name.get(split..)) else { return false };
    tail.eq_ignore_ascii_case(constraint)
        && (constraint.is_empty() || head.is_empty() || constraint.starts_with('.') || head.ends_with('.'))
}

/// `*.example.com` can stand for an excluded `a.example.com`.
fn wildcard_reaches(name: &str, constraint: &str) -> bool {
    let (Some(rest), Some((_, parent))) = (name.strip_prefix('*'), constraint.split_once('.')) else {
        return false;
    };
    rest.strip_prefix('.').is_some_and(|rest| rest.eq_ignore_ascii_case(parent))
}

fn check_mail(mail: &str, constraints: &NameConstraints) -> Result<(), String> {
    let Some((local, domain)) = mail.rsplit_once('@').filter(|(l, d)| !l.is_empty() && is_domain(d)) else {
        return Err(format!("cannot parse rfc822Name {}", quoted(mail)));
    };
    let shown = format!("{local}@{}", domain.to_ascii_lowercase());
    let matches = |constraint: &&String| match constraint.rsplit_once('@') {
        Some((l, d)) => l == local && d.eq_ignore_ascii_case(domain),
        None => is_below(domain, constraint),
    };
    let permitted = &constraints.permitted.emails;
    if !permitted.is_empty() && !permitted.iter().any(|constraint| matches(&constraint)) {
        return Err(not_permitted("email address", &shown));
    }
    match constraints.excluded.emails.iter().find(matches) {
        Some(constraint) => Err(excluded("email address", &shown, constraint)),
        None => Ok(()),
    }
}

fn uri_host(uri: &str) -> Result<String, String> {
    let authority = uri.split_once("//").map_or("", |(_, rest)| rest);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host).to_ascii_lowercase();
    if host.is_empty() {
        return Err(format!("URI with empty host ({}) cannot be matched against constraints", quoted(uri)));
    }
    let bare = match host.rsplit_once(':') {
        Some((name, port)) if !host.ends_with(']') && port.bytes().all(|b| b.is_ascii_digit()) => {
            name.to_owned()
        }
        _ => host,
    };
    if bare.parse::<IpAddr>().is_ok() || (bare.starts_with('[') && bare.ends_with(']')) {
        return Err(format!("URI with IP ({}) cannot be matched against constraints", quoted(uri)));
    }
    Ok(bare)
}

/// Go's `domainNameValid` for names: labels of printable ASCII, none of them empty.
fn is_domain(name: &str) -> bool {
    !name.is_empty()
        && name.split('.').all(|label| !label.is_empty() && label.bytes().all(|b| (33..=126).contains(&b)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leading_dot_wants_one_label_more() {
        for (name, constraint, below) in [
            ("example.com", "example.com", true),
            ("A.Example.com", "example.COM", true),
            ("badexample.com", "example.com", false),
            ("example.com", ".example.com", false),
            ("a.example.com", ".example.com", true),
            ("a.example.com", "", true),
            ("com", "example.com", false),
        ] {
            assert_eq!(is_below(name, constraint), below, "{name} {constraint}");
        }
    }

    #[test]
    fn a_wildcard_reaches_an_excluded_name_beside_it() {
        assert!(wildcard_reaches("*.example.com", "a.example.com"));
        assert!(!wildcard_reaches("b.example.com", "a.example.com"));
        assert!(!wildcard_reaches("*.example.com", "a.b.example.com"));
    }
}
