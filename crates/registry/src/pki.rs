//! Certificates, minted anew at each start: nothing to renew, and nothing to steal.

use crate::Fault;
use crate::running::StartError;
use rcgen::{
    BasicConstraints, CertificateParams, CustomExtension, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose,
};
use rustls::ServerConfig;
use rustls::crypto::aws_lc_rs::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::server::WebPkiClientVerifier;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The registry's name.
pub(crate) const REGISTRY: &str = "registry.example.com";
/// The token service's.
pub(crate) const AUTH: &str = "auth.example.com";
/// The blob store's.
pub(crate) const BLOBS: &str = "blobs.example.com";

/// What the servers present, and what the client trusts.
pub(crate) struct Pki {
    /// The registry's side.
    pub registry: Arc<ServerConfig>,
    /// The token service's side: always sound.
    pub service: Arc<ServerConfig>,
    /// The client's roots, as PEM.
    pub trusted: String,
}

struct Authority {
    pem: String,
    der: CertificateDer<'static>,
    issuer: Issuer<'static, KeyPair>,
}

impl Pki {
    /// Certificates as the fault wants them.
    pub(crate) fn mint(fault: Fault) -> Result<Self, StartError> {
        let root = authority("Example Root CA", None)?;
        let registry = match fault {
            Fault::MissingIntermediate => {
                let middle = authority("Example Issuing CA", Some(&root))?;
                serve(fault, leaf(fault, &middle)?, &[], &root)?
            }
            Fault::SelfSigned => serve(fault, self_signed()?, &[], &root)?,
            // As many private registries do, the root is sent along: it helps nobody who does not trust it already.
            _ => serve(fault, leaf(fault, &root)?, &[&root], &root)?,
        };
        let service = match fault {
            Fault::PrivateCa | Fault::SelfSigned => Arc::clone(&registry),
            _ => serve(Fault::None, leaf(Fault::None, &root)?, &[&root], &root)?,
        };
        let trusted = match fault {
            Fault::PrivateCa | Fault::SelfSigned => authority("Example Public Root", None)?.pem,
            _ => root.pem,
        };
        Ok(Self { registry, service, trusted })
    }
}

fn params(common_name: &str, names: &[&str]) -> Result<CertificateParams, StartError> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut params = CertificateParams::new(names)?;
    params.distinguished_name.push(DnType::OrganizationName, "Example");
    params.distinguished_name.push(DnType::CommonName, common_name);
    let now = SystemTime::now();
    params.not_before = (now - DAY).into();
    params.not_after = (now + 90 * DAY).into();
    Ok(params)
}

fn authority(name: &str, above: Option<&Authority>) -> Result<Authority, StartError> {
    let key = KeyPair::generate()?;
    let mut params = params(name, &[])?;
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.use_authority_key_identifier_extension = above.is_some();
    let certificate = match above {
        Some(above) => params.signed_by(&key, &above.issuer)?,
        None => params.self_signed(&key)?,
    };
    let (pem, der) = (certificate.pem(), certificate.der().clone());
    Ok(Authority { pem, der, issuer: Issuer::new(params, key) })
}

type Presented = (CertificateDer<'static>, KeyPair);

fn leaf(fault: Fault, issuer: &Authority) -> Result<Presented, StartError> {
    let mut params = match fault {
        Fault::WrongName => params("old-registry.example.com", &["old-registry.example.com"])?,
        Fault::CommonNameOnly => params(REGISTRY, &[])?,
        _ => params(REGISTRY, &[REGISTRY, AUTH, BLOBS])?,
    };
    let now = SystemTime::now();
    match fault {
        Fault::Expired => {
            params.not_before = (now - 400 * DAY).into();
            params.not_after = (now - 3 * DAY).into();
        }
        Fault::NotYetValid => params.not_before = (now + 2 * DAY).into(),
        _ => {}
    }
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![match fault {
        Fault::WrongUsage => ExtendedKeyUsagePurpose::ClientAuth,
        _ => ExtendedKeyUsagePurpose::ServerAuth,
    }];
    params.use_authority_key_identifier_extension = true;
    if fault == Fault::MissingIntermediate {
        params.custom_extensions.push(issuer_at("http://pki.example.com/issuing-ca.crt"));
    }
    let key = KeyPair::generate()?;
    let certificate = params.signed_by(&key, &issuer.issuer)?;
    Ok((certificate.der().clone(), key))
}

/// Where the issuer's certificate can be had: the authority information access extension (RFC 5280, 4.2.2.1).
fn issuer_at(url: &str) -> CustomExtension {
    let ca_issuers = [0x06, 0x08, 0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x02];
    let uri = element(0x86, url.as_bytes());
    let description = element(0x30, &[&ca_issuers[..], &uri].concat());
    CustomExtension::from_oid_content(&[1, 3, 6, 1, 5, 5, 7, 1, 1], element(0x30, &description))
}

/// A DER element of less than 128 bytes.
fn element(tag: u8, content: &[u8]) -> Vec<u8> {
    let length = u8::try_from(content.len()).unwrap_or(0);
    [&[tag, length], content].concat()
}

fn self_signed() -> Result<Presented, StartError> {
    let key = KeyPair::generate()?;
    let certificate = params(REGISTRY, &[REGISTRY, AUTH, BLOBS])?.self_signed(&key)?;
    Ok((certificate.der().clone(), key))
}

fn serve(
    fault: Fault,
    (certificate, key): Presented,
    above: &[&Authority],
    root: &Authority,
) -> Result<Arc<ServerConfig>, StartError> {
    let provider = Arc::new(default_provider());
    let builder =
        ServerConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions()?;
    let builder = match fault {
        Fault::ClientCertificate => {
            let mut roots = rustls::RootCertStore::empty();
            roots.add(root.der.clone())?;
            builder.with_client_cert_verifier(
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?,
            )
        }
        _ => builder.with_no_client_auth(),
    };
    let chain = std::iter::once(certificate).chain(above.iter().map(|a| a.der.clone())).collect();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
    let mut config = builder.with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}
