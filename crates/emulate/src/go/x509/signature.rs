//! Whether a certificate's signature was made by a key: Go's `(*Certificate).CheckSignatureFrom`.

use super::Why;
use crate::go::GoVersion;
use aws_lc_rs::signature as algorithms;
use aws_lc_rs::signature::{UnparsedPublicKey, VerificationAlgorithm};
use formats::certificate::{Algorithm, CURVE_P256, CURVE_P384, CURVE_P521, Certificate, KeyKind};

/// How a check ended.
pub(super) enum Checked {
    /// The issuer's key made the signature.
    Good,
    /// Go says so and why.
    Bad(Why),
    /// Go can check it, and this library cannot.
    Undecided(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hash {
    Md5,
    Sha1,
    Sha256,
    Sha384,
    Sha512,
    /// Ed25519 has none of its own.
    None,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    Rsa,
    RsaPss,
    Dsa,
    Ecdsa,
    Ed25519,
}

/// The rows of Go's `signatureAlgorithmDetails`: object identifier, name, kind of key, hash.
const KNOWN: &[(&str, &str, Family, Hash)] = &[
    ("1.2.840.113549.1.1.4", "MD5-RSA", Family::Rsa, Hash::Md5),
    ("1.2.840.113549.1.1.5", "SHA1-RSA", Family::Rsa, Hash::Sha1),
    ("1.3.14.3.2.29", "SHA1-RSA", Family::Rsa, Hash::Sha1),
    ("1.2.840.113549.1.1.11", "SHA256-RSA", Family::Rsa, Hash::Sha256),
    ("1.2.840.113549.1.1.12", "SHA384-RSA", Family::Rsa, Hash::Sha384),
    ("1.2.840.113549.1.1.13", "SHA512-RSA", Family::Rsa, Hash::Sha512),
    ("1.2.840.10040.4.3", "DSA-SHA1", Family::Dsa, Hash::Sha1),
    ("2.16.840.1.101.3.4.3.2", "DSA-SHA256", Family::Dsa, Hash::Sha256),
    ("1.2.840.10045.4.1", "ECDSA-SHA1", Family::Ecdsa, Hash::Sha1),
    ("1.2.840.10045.4.3.2", "ECDSA-SHA256", Family::Ecdsa, Hash::Sha256),
    ("1.2.840.10045.4.3.3", "ECDSA-SHA384", Family::Ecdsa, Hash::Sha384),
    ("1.2.840.10045.4.3.4", "ECDSA-SHA512", Family::Ecdsa, Hash::Sha512),
    ("1.3.101.112", "Ed25519", Family::Ed25519, Hash::None),
];

const RSA_PSS: &str = "1.2.840.113549.1.1.10";

/// Checks `child`'s signature with `parent`'s key, and whether `parent` may sign at all.
pub(super) fn check(go: GoVersion, child: &Certificate, parent: &Certificate) -> Checked {
    let ca = parent.basic.map(|basic| basic.ca);
    if (parent.version == 3 && ca.is_none()) || ca == Some(false) {
        return Checked::Bad(Why::CannotSign);
    }
    const CERT_SIGN: u16 = 1 << 5;
    if parent.key_usage.is_some_and(|usage| usage != 0 && usage & CERT_SIGN == 0) {
        return Checked::Bad(Why::CannotSign);
    }
    let Some((name, family, hash)) = kind(&child.signature_algorithm) else {
        return Checked::Bad(Why::UnknownAlgorithm);
    };
    if hash == Hash::Md5 || (hash == Hash::Sha1 && go.refuses_sha1()) {
        return Checked::Bad(Why::InsecureAlgorithm(name));
    }
    if let Some(bad) = wrong_key(family, &parent.key.kind) {
        return Checked::Bad(bad);
    }
    if let KeyKind::Rsa { bits } = parent.key.kind
        && bits < 1024
        && go.refuses_small_rsa()
    {
        return Checked::Bad(Why::SmallIssuerKey { bits });
    }
    let Some(algorithm) = algorithm(family, hash, &parent.key.kind) else {
        return Checked::Undecided(format!(
            "a {name} signature by a key {} cannot be checked here",
            parent.key.kind
        ));
    };
    match UnparsedPublicKey::new(algorithm, &parent.key.bytes).verify(&child.signed_part, &child.signature) {
        Ok(()) => Checked::Good,
        Err(_) => Checked::Bad(Why::BadSignature(match family {
            Family::Rsa | Family::RsaPss | Family::Dsa => "crypto/rsa: verification error",
            Family::Ecdsa => "x509: ECDSA verification failure",
            Family::Ed25519 => "x509: Ed25519 verification failure",
        })),
    }
}

fn wrong_key(family: Family, key: &KeyKind) -> Option<Why> {
    let wanted = match family {
        Family::Rsa | Family::RsaPss => "RSA",
        Family::Dsa => "DSA",
        Family::Ecdsa => "ECDSA",
        Family::Ed25519 => "Ed25519",
    };
    let (has, go_type) = match key {
        KeyKind::Rsa { .. } => ("RSA", "*rsa.PublicKey"),
        KeyKind::Ec { .. } => ("ECDSA", "*ecdsa.PublicKey"),
        KeyKind::Ed25519 => ("Ed25519", "ed25519.PublicKey"),
        // Go has long stopped to check signatures of the others.
        KeyKind::Dsa | KeyKind::Other(_) => return Some(Why::UnknownAlgorithm),
    };
    (wanted != has).then_some(Why::AlgorithmMismatch { wanted, key: go_type })
}

fn kind(algorithm: &Algorithm) -> Option<(&'static str, Family, Hash)> {
    if algorithm.oid == RSA_PSS {
        return pss(algorithm);
    }
    let (_, name, family, hash) = KNOWN.iter().find(|(oid, ..)| *oid == algorithm.oid)?;
    // Ed25519 must come without parameters.
    let odd = *family == Family::Ed25519 && algorithm.parameters.is_some();
    (!odd).then_some((name, *family, *hash))
}

/// Go takes three sets of PSS parameters and no other: one hash for both uses, and a salt of its length.
fn pss(algorithm: &Algorithm) -> Option<(&'static str, Family, Hash)> {
    let (_, content) = algorithm.parameters.as_ref()?;
    let sets = [
        (1, 32, "SHA256-RSAPSS", Hash::Sha256),
        (2, 48, "SHA384-RSAPSS", Hash::Sha384),
        (3, 64, "SHA512-RSAPSS", Hash::Sha512),
    ];
    let content = content.strip_suffix(&[0xa3, 0x03, 0x02, 0x01, 0x01]).unwrap_or(content);
    sets.iter()
        .find(|(hash, salt, ..)| pss_parameters(*hash, *salt) == content)
        .map(|(_, _, name, hash)| (*name, Family::RsaPss, *hash))
}

/// The DER of one such set: `hash` is the last arc of the hash's object identifier.
fn pss_parameters(hash: u8, salt: u8) -> Vec<u8> {
    let hash_algorithm =
        [0x30, 0x0d, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, hash, 0x05, 0x00];
    let mgf1 = [0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x08];
    let mut der = vec![0xa0, 0x0f];
    der.extend(hash_algorithm);
    der.extend([0xa1, 0x1c, 0x30, 0x1a]);
    der.extend(mgf1);
    der.extend(hash_algorithm);
    der.extend([0xa2, 0x03, 0x02, 0x01, salt]);
    der
}

fn algorithm(family: Family, hash: Hash, key: &KeyKind) -> Option<&'static dyn VerificationAlgorithm> {
    Some(match (family, hash, key) {
        (Family::Rsa, _, KeyKind::Rsa { bits }) if *bits >= 2048 => match hash {
            Hash::Sha1 => &algorithms::RSA_PKCS1_2048_8192_SHA1_FOR_LEGACY_USE_ONLY,
            Hash::Sha256 => &algorithms::RSA_PKCS1_2048_8192_SHA256,
            Hash::Sha384 => &algorithms::RSA_PKCS1_2048_8192_SHA384,
            Hash::Sha512 => &algorithms::RSA_PKCS1_2048_8192_SHA512,
            Hash::Md5 | Hash::None => return None,
        },
        (Family::Rsa, _, KeyKind::Rsa { bits }) if *bits >= 1024 => match hash {
            Hash::Sha1 => &algorithms::RSA_PKCS1_1024_8192_SHA1_FOR_LEGACY_USE_ONLY,
            Hash::Sha256 => &algorithms::RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY,
            Hash::Sha512 => &algorithms::RSA_PKCS1_1024_8192_SHA512_FOR_LEGACY_USE_ONLY,
            Hash::Sha384 | Hash::Md5 | Hash::None => return None,
        },
        (Family::RsaPss, _, KeyKind::Rsa { bits }) if *bits >= 2048 => match hash {
            Hash::Sha256 => &algorithms::RSA_PSS_2048_8192_SHA256,
            Hash::Sha384 => &algorithms::RSA_PSS_2048_8192_SHA384,
            Hash::Sha512 => &algorithms::RSA_PSS_2048_8192_SHA512,
            Hash::Sha1 | Hash::Md5 | Hash::None => return None,
        },
        (Family::Ecdsa, _, KeyKind::Ec { curve }) => match (curve.as_str(), hash) {
            (CURVE_P256, Hash::Sha1) => &algorithms::ECDSA_P256_SHA1_ASN1,
            (CURVE_P256, Hash::Sha256) => &algorithms::ECDSA_P256_SHA256_ASN1,
            (CURVE_P256, Hash::Sha384) => &algorithms::ECDSA_P256_SHA384_ASN1,
            (CURVE_P256, Hash::Sha512) => &algorithms::ECDSA_P256_SHA512_ASN1,
            (CURVE_P384, Hash::Sha256) => &algorithms::ECDSA_P384_SHA256_ASN1,
            (CURVE_P384, Hash::Sha384) => &algorithms::ECDSA_P384_SHA384_ASN1,
            (CURVE_P384, Hash::Sha512) => &algorithms::ECDSA_P384_SHA512_ASN1,
            (CURVE_P521, Hash::Sha1) => &algorithms::ECDSA_P521_SHA1_ASN1,
            (CURVE_P521, Hash::Sha256) => &algorithms::ECDSA_P521_SHA256_ASN1,
            (CURVE_P521, Hash::Sha384) => &algorithms::ECDSA_P521_SHA384_ASN1,
            (CURVE_P521, Hash::Sha512) => &algorithms::ECDSA_P521_SHA512_ASN1,
            _ => return None,
        },
        (Family::Ed25519, _, KeyKind::Ed25519) => &algorithms::ED25519,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pss_salt_of_another_length_is_no_algorithm_for_go() {
        let with = |content| Algorithm { oid: RSA_PSS.to_owned(), parameters: Some((0x10, content)) };
        assert_eq!(kind(&with(pss_parameters(1, 32))).map(|k| k.0), Some("SHA256-RSAPSS"));
        assert_eq!(kind(&with(pss_parameters(1, 20))), None);
    }
}
