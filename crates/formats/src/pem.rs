//! PEM blocks: which of them are certificates, and whether a key belongs to one. Bounded, and blind to what is in between.
//!
//! What a certificate says is left to those who ask.

use base64::Engine;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, general_purpose};
use x509_parser::prelude::{FromDer, X509Certificate};

/// Decodes with and without padding, as files in the wild have it.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// At most this many blocks are read: the largest bundles hold a few hundred.
const MAX_BLOCKS: usize = 2000;

/// One block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// `CERTIFICATE`, `PRIVATE KEY`.
    pub label: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// The blocks of a text that decode, as Go's `pem.Decode` finds them one after the other.
pub fn blocks(text: &[u8]) -> Vec<Block> {
    let text = String::from_utf8_lossy(text);
    let mut found = Vec::new();
    let mut rest = &*text;
    while let Some(start) = rest.find("-----BEGIN ") {
        let after = rest.get(start + 11..).unwrap_or_default();
        let Some((label, body)) = after.split_once("-----") else { break };
        let end = format!("-----END {label}-----");
        let Some((body, next)) = body.split_once(&end) else {
            rest = after;
            continue;
        };
        rest = next;
        // Headers, as in encrypted keys, are lines with a colon.
        if label.contains('\n') || body.contains(':') {
            continue;
        }
        let packed: String = body.split_whitespace().collect();
        if let Ok(bytes) = LENIENT.decode(packed) {
            found.push(Block { label: label.to_owned(), bytes });
        }
        if found.len() >= MAX_BLOCKS {
            break;
        }
    }
    found
}

/// What people write where they leave out the inside of a block before they hand it on: marks that base64 has not, and
/// words whose letters it has.
const MARKS: &[&str] = &["...", "…", "<", "["];
const WORDS: &[&str] = &["redacted", "omitted", "snip", "removed"];
/// Shorter than this, a line with such a word is no line of base64: PEM breaks it after 64.
const SHORT: usize = 40;

/// Whether somebody left out the inside of a block: its content is hidden then, and not broken.
pub fn is_abridged(text: &str) -> bool {
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("-----BEGIN ") {
        let body = after.split_once("-----").map_or(after, |(_, body)| body);
        let body = body.split_once("-----END").map_or(body, |(body, _)| body);
        let lower = body.to_ascii_lowercase();
        let has = |line: &str, of: &[&str]| of.iter().any(|w| line.contains(w));
        let says = |line: &str| has(line, MARKS) || line.len() < SHORT && has(line, WORDS);
        if lower.lines().any(says) {
            return true;
        }
        rest = after;
    }
    false
}

/// The certificates of a text that parse; broken neighbours are passed over. Follows Go's `AppendCertsFromPEM`.
pub fn certificates(text: &[u8]) -> Vec<Vec<u8>> {
    let mut found = blocks(text);
    found.retain(|b| b.label == "CERTIFICATE" && X509Certificate::from_der(&b.bytes).is_ok());
    found.into_iter().map(|b| b.bytes).collect()
}

/// What keeps a certificate and a key from being a pair, in Go's words. `None` also where the kinds are not known here.
/// Follows `tls.X509KeyPair`.
pub fn pair_problem(cert: &[u8], key: &[u8]) -> Option<String> {
    let certs = blocks(cert);
    let Some(leaf) = certs.iter().find(|b| b.label == "CERTIFICATE") else {
        let labels: Vec<_> = certs.iter().map(|b| b.label.as_str()).collect();
        return Some(match labels.as_slice() {
            [] => "tls: failed to find any PEM data in certificate input".into(),
            [one] if one.ends_with("PRIVATE KEY") => {
                "tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched".into()
            }
            _ => "tls: failed to find \"CERTIFICATE\" PEM block in certificate input".into(),
        });
    };
    let keys = blocks(key);
    let Some(key) = keys.iter().find(|b| b.label == "PRIVATE KEY" || b.label.ends_with(" PRIVATE KEY"))
    else {
        return Some(match keys.first() {
            None => "tls: failed to find any PEM data in key input".into(),
            Some(b) if b.label == "CERTIFICATE" => {
                "tls: found a certificate rather than a key in the PEM for the private key".into()
            }
            Some(_) => {
                "tls: failed to find PEM block with type ending in \"PRIVATE KEY\" in key input".into()
            }
        });
    };
    let Ok((_, leaf)) = X509Certificate::from_der(&leaf.bytes) else {
        return Some("x509: malformed certificate".into());
    };
    let spki = leaf.public_key();
    let modulus = rsa_modulus(&spki.subject_public_key.data, 0);
    let private = private_modulus(&key.bytes);
    match (modulus, private) {
        (Some(a), Some(b)) if a != b => Some("tls: private key does not match public key".into()),
        _ => None,
    }
}

/// The modulus of an RSA key: the integer with this number in the outermost sequence.
fn rsa_modulus(der: &[u8], number: usize) -> Option<Vec<u8>> {
    let (tag, body, _) = element(der)?;
    let mut rest = (tag == 0x30).then_some(body)?;
    for _ in 0..number {
        let (tag, _, after) = element(rest)?;
        rest = (tag == 0x02).then_some(after)?;
    }
    let (tag, integer, _) = element(rest)?;
    (tag == 0x02 && integer.len() >= 64).then(|| integer.to_vec())
}

/// The modulus of a private key in PKCS #1 or, wrapped, in PKCS #8.
fn private_modulus(der: &[u8]) -> Option<Vec<u8>> {
    if let Some(modulus) = rsa_modulus(der, 1) {
        return Some(modulus);
    }
    let (_, body, _) = element(der)?;
    let (_, _, after_version) = element(body)?;
    let (tag, _, after_algorithm) = element(after_version)?;
    let (octets, inner, _) = element(after_algorithm)?;
    (tag == 0x30 && octets == 0x04).then_some(inner).and_then(|inner| rsa_modulus(inner, 1))
}

/// The first element of some DER: tag, content, and what follows.
fn element(der: &[u8]) -> Option<(u8, &[u8], &[u8])> {
    let (&tag, rest) = der.split_first()?;
    let (&first, rest) = rest.split_first()?;
    let (length, rest) = if first < 0x80 {
        (usize::from(first), rest)
    } else {
        let count = usize::from(first & 0x7f);
        let bytes = rest.get(..count).filter(|_| count <= 4)?;
        let length = bytes.iter().fold(0_usize, |n, b| (n << 8) | usize::from(*b));
        (length, rest.get(count..)?)
    };
    Some((tag, rest.get(..length)?, rest.get(length..)?))
}

/// The standard alphabet with padding, for callers that write PEM.
pub fn encode(label: &str, bytes: &[u8]) -> String {
    let packed = general_purpose::STANDARD.encode(bytes);
    let mut out = format!("-----BEGIN {label}-----\n");
    for line in packed.as_bytes().chunks(64) {
        out.push_str(&String::from_utf8_lossy(line));
        out.push('\n');
    }
    out + &format!("-----END {label}-----\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_somebody_left_out_is_hidden_and_not_broken() {
        let block = |body: &str| format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
        for body in ["...", "(redacted)", "MIIB\n[snip]\nzzz=", "<corporate root>", "…"] {
            assert!(is_abridged(&block(body)), "{body}");
            assert!(is_abridged(&format!("# corp\n{}{}", block("MIIBszCCAVmg"), block(body))), "{body}");
        }
        for body in ["MIIBszCCAVmg", "", &"redacted/snip+".repeat(4)] {
            assert!(!is_abridged(&block(body)), "{body}");
        }
        assert!(!is_abridged("no block ... at all") && !is_abridged(""));
    }

    #[test]
    fn blocks_among_other_lines() {
        let text = format!("note\n{}x{}", encode("CERTIFICATE", &[1, 2, 3]), encode("PRIVATE KEY", &[4]));
        let labels: Vec<_> = blocks(text.as_bytes()).into_iter().map(|b| (b.label, b.bytes)).collect();
        assert_eq!(labels, [("CERTIFICATE".into(), vec![1, 2, 3]), ("PRIVATE KEY".into(), vec![4])]);
        assert!(certificates(text.as_bytes()).is_empty());
        assert!(blocks(b"-----BEGIN A-----\nx").is_empty());
    }

    #[test]
    fn a_certificate_is_no_key() {
        let cert = encode("CERTIFICATE", &[1]);
        let problem = pair_problem(cert.as_bytes(), cert.as_bytes()).unwrap();
        assert!(problem.contains("rather than a key"), "{problem}");
        assert!(pair_problem(b"", b"").unwrap().contains("any PEM data"));
    }

    proptest! {
        #[test]
        fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = blocks(&bytes);
            let _ = element(&bytes);
            let text = encode("CERTIFICATE", &bytes);
            prop_assert_eq!(&blocks(text.as_bytes())[0].bytes, &bytes);
            let _ = certificates(text.as_bytes());
            let _ = pair_problem(text.as_bytes(), encode("PRIVATE KEY", &bytes).as_bytes());
        }
    }
}
