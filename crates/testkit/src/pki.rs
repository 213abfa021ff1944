//! Certificates of every kind that a registry may be found with.

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer,
    KeyPair, KeyUsagePurpose, SanType,
};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// A certificate authority.
pub struct Authority {
    pem: String,
    issuer: Issuer<'static, KeyPair>,
    folder: TempDir,
}

/// What a server's certificate shall be like.
pub struct Leaf {
    /// DNS names and addresses.
    pub names: Vec<String>,
    /// Days from now to its begin.
    pub begins: i64,
    /// Days from now to its end.
    pub ends: i64,
    /// Whether it is for servers; else for clients only.
    pub for_servers: bool,
}

impl Default for Leaf {
    fn default() -> Self {
        let names = [
            "registry.example.com",
            "auth.example.com",
            "blobs.example.com",
            "localhost",
            "127.0.0.1",
            "::1",
        ];
        Self { names: names.map(str::to_owned).into(), begins: -1, ends: 30, for_servers: true }
    }
}

/// A certificate and its key, as PEM files.
pub struct Issued {
    /// The certificate, with intermediates where there are any.
    pub certificate: PathBuf,
    /// The private key.
    pub key: PathBuf,
    /// The certificate's PEM.
    pub pem: String,
    folder: TempDir,
}

impl Issued {
    fn write(pem: String, key: &KeyPair) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (certificate, key_file) = (folder.path().join("tls.crt"), folder.path().join("tls.key"));
        std::fs::write(&certificate, &pem).expect("a file");
        std::fs::write(&key_file, key.serialize_pem()).expect("a file");
        Self { certificate, key: key_file, pem, folder }
    }

    /// With other certificates behind its own, as servers send intermediates.
    pub fn followed_by(self, pem: &str) -> Self {
        let whole = format!("{}{pem}", self.pem);
        std::fs::write(&self.certificate, &whole).expect("a file");
        Self { pem: whole, ..self }
    }

    /// The folder of its files.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// A certificate that signs itself.
pub struct SelfSigned;

impl SelfSigned {
    /// For a server of these names.
    pub fn issue(leaf: &Leaf) -> Issued {
        let key = KeyPair::generate().expect("a key");
        let certificate = params(leaf, "registry.example.com").self_signed(&key).expect("a certificate");
        Issued::write(certificate.pem(), &key)
    }
}

fn name(common_name: &str) -> DistinguishedName {
    let mut name = DistinguishedName::new();
    name.push(DnType::OrganizationName, "Example");
    name.push(DnType::CommonName, common_name);
    name
}

fn day(days: i64) -> std::time::SystemTime {
    let now = std::time::SystemTime::now();
    let span = Duration::from_secs(days.unsigned_abs() * 86_400);
    if days < 0 { now - span } else { now + span }
}

fn params(leaf: &Leaf, common_name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = name(common_name);
    params.subject_alt_names = leaf
        .names
        .iter()
        .map(|name| match name.parse() {
            Ok(ip) => SanType::IpAddress(ip),
            Err(_) => SanType::DnsName(name.as_str().try_into().expect("a DNS name")),
        })
        .collect();
    params.not_before = day(leaf.begins).into();
    params.not_after = day(leaf.ends).into();
    let usage = if leaf.for_servers {
        ExtendedKeyUsagePurpose::ServerAuth
    } else {
        ExtendedKeyUsagePurpose::ClientAuth
    };
    params.extended_key_usages = vec![usage];
    params.use_authority_key_identifier_extension = true;
    params
}

fn authority_params(common_name: &str) -> CertificateParams {
    let mut params = CertificateParams::default();
    params.distinguished_name = name(common_name);
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params.not_before = day(-1).into();
    params.not_after = day(3650).into();
    params
}

impl Authority {
    /// A root.
    pub fn root(common_name: &str) -> Self {
        let key = KeyPair::generate().expect("a key");
        let params = authority_params(common_name);
        let certificate = params.self_signed(&key).expect("a certificate");
        Self::of(certificate.pem(), params, key)
    }

    /// An intermediate of this authority.
    pub fn intermediate(&self, common_name: &str) -> Self {
        let key = KeyPair::generate().expect("a key");
        let params = authority_params(common_name);
        let certificate = params.signed_by(&key, &self.issuer).expect("a certificate");
        Self::of(certificate.pem(), params, key)
    }

    fn of(pem: String, params: CertificateParams, key: KeyPair) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("ca.crt"), &pem).expect("a file");
        Self { pem, issuer: Issuer::new(params, key), folder }
    }

    /// A server's certificate.
    pub fn issue(&self, leaf: &Leaf) -> Issued {
        let key = KeyPair::generate().expect("a key");
        let certificate =
            params(leaf, "registry.example.com").signed_by(&key, &self.issuer).expect("a certificate");
        Issued::write(certificate.pem(), &key)
    }

    /// The authority's certificate in PEM.
    pub fn pem(&self) -> &str {
        &self.pem
    }

    /// The same as a file.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("ca.crt")
    }
}
