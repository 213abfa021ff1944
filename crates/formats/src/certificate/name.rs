//! Distinguished names: who a certificate is for, and who signed it.

use std::fmt;
use x509_parser::asn1_rs::{Any, Tag};
use x509_parser::x509::X509Name;

/// A distinguished name. Two names are the same for a verifier when their DER is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Name {
    /// As it stands.
    pub der: Vec<u8>,
    /// Its attributes in order, most general first as a rule.
    pub attributes: Vec<Attribute>,
}

/// One part of a name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Attribute {
    /// Dotted.
    pub oid: String,
    /// Its text, decoded from whichever string type holds it.
    pub value: String,
}

const COMMON_NAME: &str = "2.5.4.3";
const ORGANIZATION: &str = "2.5.4.10";

/// The short names of RFC 4514, and the object identifiers that they stand for.
const SHORT: &[(&str, &str)] = &[
    (COMMON_NAME, "CN"),
    ("2.5.4.5", "SERIALNUMBER"),
    ("2.5.4.6", "C"),
    ("2.5.4.7", "L"),
    ("2.5.4.8", "ST"),
    ("2.5.4.9", "STREET"),
    (ORGANIZATION, "O"),
    ("2.5.4.11", "OU"),
    ("2.5.4.17", "POSTALCODE"),
    ("0.9.2342.19200300.100.1.25", "DC"),
    ("1.2.840.113549.1.9.1", "emailAddress"),
];

impl Name {
    pub(super) fn read(name: &X509Name<'_>) -> Self {
        let attributes = name
            .iter_attributes()
            .map(|a| Attribute { oid: a.attr_type().to_id_string(), value: text(a.attr_value()) })
            .collect();
        Self { der: name.as_raw().to_vec(), attributes }
    }

    /// The common name: the last one, as Go takes it.
    pub fn common_name(&self) -> Option<&str> {
        self.attributes.iter().rev().find(|a| a.oid == COMMON_NAME).map(|a| a.value.as_str())
    }

    /// The first organization.
    pub fn organization(&self) -> Option<&str> {
        self.attributes.iter().find(|a| a.oid == ORGANIZATION).map(|a| a.value.as_str())
    }
}

impl fmt::Display for Name {
    /// Most specific part first: `CN=Example Root,O=Example`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, attribute) in self.attributes.iter().rev().enumerate() {
            let short =
                SHORT.iter().find(|(oid, _)| *oid == attribute.oid).map_or(attribute.oid.as_str(), |s| s.1);
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{short}={}", escaped(&attribute.value))?;
        }
        Ok(())
    }
}

/// RFC 4514: what separates parts is escaped inside of them.
fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for (index, c) in value.char_indices() {
        let at_an_end = index == 0 || index + c.len_utf8() == value.len();
        let special = matches!(c, ',' | '+' | '"' | '\\' | '<' | '>' | ';')
            || (c == ' ' && at_an_end)
            || (c == '#' && index == 0);
        if special {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn text(value: &Any<'_>) -> String {
    match value.tag() {
        Tag::BmpString => {
            let units: Vec<u16> = value
                .data
                .chunks_exact(2)
                .map(|pair| {
                    u16::from_be_bytes([
                        pair.first().copied().unwrap_or(0),
                        pair.get(1).copied().unwrap_or(0),
                    ])
                })
                .collect();
            String::from_utf16_lossy(&units)
        }
        // T.61 is taken for Latin-1, as everyone does.
        Tag::T61String => value.data.iter().map(|byte| char::from(*byte)).collect(),
        _ => String::from_utf8_lossy(value.data).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(parts: &[(&str, &str)]) -> Name {
        let attributes = parts
            .iter()
            .map(|(oid, value)| Attribute { oid: (*oid).to_owned(), value: (*value).to_owned() })
            .collect();
        Name { der: Vec::new(), attributes }
    }

    #[test]
    fn the_most_specific_part_comes_first_and_separators_are_escaped() {
        let name = name(&[("2.5.4.10", "Example, Inc."), ("2.5.4.3", " Root"), ("1.2.3", "x")]);
        assert_eq!(name.to_string(), "1.2.3=x,CN=\\ Root,O=Example\\, Inc.");
    }

    #[test]
    fn of_two_common_names_the_last_counts() {
        assert_eq!(name(&[("2.5.4.3", "a"), ("2.5.4.3", "b")]).common_name(), Some("b"));
    }
}
