//! A certificate's extensions.

use super::{Certificate, CertificateError};
use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use x509_parser::extensions::{GeneralName, GeneralSubtree, ParsedExtension, X509Extension};

/// One extension, as it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// Dotted.
    pub oid: String,
    /// Whether a client that does not know it must refuse.
    pub critical: bool,
    /// What it holds.
    pub value: Vec<u8>,
}

/// The alternative names of the subject.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AltNames {
    /// DNS names, verbatim.
    pub dns: Vec<String>,
    /// Addresses.
    pub ips: Vec<IpAddr>,
    /// Mail addresses.
    pub emails: Vec<String>,
    /// URIs.
    pub uris: Vec<String>,
    /// How many names of other kinds there are.
    pub others: usize,
}

/// Whether a certificate may sign others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BasicConstraints {
    /// It may.
    pub ca: bool,
    /// How many intermediates may stand below it.
    pub path_len: Option<u32>,
}

/// The names that a certificate authority is held to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameConstraints {
    /// Only these.
    pub permitted: Subtrees,
    /// Never these.
    pub excluded: Subtrees,
}

/// Names by kind.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subtrees {
    /// DNS domains.
    pub dns: Vec<String>,
    /// Networks.
    pub ips: Vec<IpRange>,
    /// Mail addresses or domains.
    pub emails: Vec<String>,
    /// Hosts of URIs.
    pub uris: Vec<String>,
    /// How many there are of other kinds.
    pub others: usize,
}

/// A network of a name constraint: address and mask of 4 or 16 bytes each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IpRange {
    /// The address's bytes.
    pub address: Vec<u8>,
    /// The mask's bytes.
    pub mask: Vec<u8>,
}

pub(super) fn read_all(
    certificate: &mut Certificate,
    extensions: &[X509Extension<'_>],
) -> Result<(), CertificateError> {
    let mut known = HashSet::new();
    for extension in extensions {
        let oid = extension.oid.to_id_string();
        if !known.insert(oid.clone()) {
            return Err(CertificateError::DuplicateExtension(oid));
        }
        read(certificate, &oid, extension.parsed_extension())?;
        certificate.extensions.push(Extension {
            oid,
            critical: extension.critical,
            value: extension.value.to_vec(),
        });
    }
    Ok(())
}

fn read(
    certificate: &mut Certificate,
    oid: &str,
    parsed: &ParsedExtension<'_>,
) -> Result<(), CertificateError> {
    let bad = || CertificateError::BadExtension(oid.to_owned());
    match parsed {
        ParsedExtension::SubjectAlternativeName(names) => {
            certificate.alt_names = Some(alt_names(&names.general_names).ok_or_else(bad)?);
        }
        ParsedExtension::BasicConstraints(basic) => {
            certificate.basic = Some(BasicConstraints { ca: basic.ca, path_len: basic.path_len_constraint });
        }
        ParsedExtension::KeyUsage(usage) => certificate.key_usage = Some(usage.flags),
        ParsedExtension::ExtendedKeyUsage(usage) => {
            let named = [
                (usage.any, "2.5.29.37.0"),
                (usage.server_auth, "1.3.6.1.5.5.7.3.1"),
                (usage.client_auth, "1.3.6.1.5.5.7.3.2"),
                (usage.code_signing, "1.3.6.1.5.5.7.3.3"),
                (usage.email_protection, "1.3.6.1.5.5.7.3.4"),
                (usage.time_stamping, "1.3.6.1.5.5.7.3.8"),
                (usage.ocsp_signing, "1.3.6.1.5.5.7.3.9"),
            ];
            let mut all: Vec<String> =
                named.iter().filter(|(given, _)| *given).map(|(_, oid)| (*oid).to_owned()).collect();
            all.extend(usage.other.iter().map(|oid| oid.to_id_string()));
            certificate.extended_key_usage = Some(all);
        }
        ParsedExtension::NameConstraints(constraints) => {
            let permitted = constraints.permitted_subtrees.as_deref().unwrap_or_default();
            let excluded = constraints.excluded_subtrees.as_deref().unwrap_or_default();
            certificate.name_constraints = Some(NameConstraints {
                permitted: subtrees(permitted).ok_or_else(bad)?,
                excluded: subtrees(excluded).ok_or_else(bad)?,
            });
        }
        ParsedExtension::SubjectKeyIdentifier(id) => certificate.subject_key_id = id.0.to_vec(),
        ParsedExtension::AuthorityKeyIdentifier(id) => {
            certificate.authority_key_id =
                id.key_identifier.as_ref().map(|id| id.0.to_vec()).unwrap_or_default();
        }
        ParsedExtension::AuthorityInfoAccess(access) => {
            for description in
                access.iter().filter(|d| d.access_method.to_id_string() == "1.3.6.1.5.5.7.48.2")
            {
                if let GeneralName::URI(uri) = &description.access_location {
                    certificate.issuer_urls.push((*uri).to_owned());
                }
            }
        }
        // Only what a verifier reads makes it refuse the whole certificate.
        ParsedExtension::ParseError { .. } if READ_BY_VERIFIERS.contains(&oid) => return Err(bad()),
        _ => {}
    }
    Ok(())
}

const READ_BY_VERIFIERS: &[&str] =
    &["2.5.29.14", "2.5.29.15", "2.5.29.17", "2.5.29.19", "2.5.29.30", "2.5.29.35", "2.5.29.37"];

fn alt_names(names: &[GeneralName<'_>]) -> Option<AltNames> {
    let mut all = AltNames::default();
    for name in names {
        match name {
            GeneralName::DNSName(dns) if dns.is_ascii() => all.dns.push((*dns).to_owned()),
            GeneralName::RFC822Name(mail) if mail.is_ascii() => all.emails.push((*mail).to_owned()),
            GeneralName::URI(uri) if uri.is_ascii() => all.uris.push((*uri).to_owned()),
            GeneralName::IPAddress(bytes) => all.ips.push(address(bytes)?),
            GeneralName::DNSName(_) | GeneralName::RFC822Name(_) | GeneralName::URI(_) => return None,
            // Of the kinds that are read, one that is not even text.
            GeneralName::Invalid(tag, _) if matches!(tag.0, 1 | 2 | 6) => return None,
            _ => all.others += 1,
        }
    }
    Some(all)
}

fn address(bytes: &[u8]) -> Option<IpAddr> {
    if let Ok(four) = <[u8; 4]>::try_from(bytes) {
        return Some(IpAddr::V4(Ipv4Addr::from(four)));
    }
    <[u8; 16]>::try_from(bytes).ok().map(|sixteen| IpAddr::V6(Ipv6Addr::from(sixteen)))
}

fn subtrees(trees: &[GeneralSubtree<'_>]) -> Option<Subtrees> {
    let mut all = Subtrees::default();
    for tree in trees {
        match &tree.base {
            GeneralName::DNSName(dns) => all.dns.push((*dns).to_owned()),
            GeneralName::RFC822Name(mail) => all.emails.push((*mail).to_owned()),
            GeneralName::URI(uri) => all.uris.push((*uri).to_owned()),
            GeneralName::IPAddress(bytes) if matches!(bytes.len(), 8 | 32) => {
                let (address, mask) = bytes.split_at(bytes.len() / 2);
                all.ips.push(IpRange { address: address.to_vec(), mask: mask.to_vec() });
            }
            GeneralName::IPAddress(_) => return None,
            GeneralName::Invalid(tag, _) if matches!(tag.0, 1 | 2 | 6) => return None,
            _ => all.others += 1,
        }
    }
    Some(all)
}
