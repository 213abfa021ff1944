//! A client certificate and its key, offered to the registry itself where it asks for one, and to no other host.

use rustls::crypto::aws_lc_rs;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::sign::CertifiedKey;
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The largest file that is read.
const MOST_BYTES: u64 = 1024 * 1024;

/// What a client shows where a server asks who it is.
#[derive(Clone)]
pub struct ClientCertificate(pub(crate) Arc<CertifiedKey>);

impl fmt::Debug for ClientCertificate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientCertificate(..)")
    }
}

/// Why a certificate cannot be used. Never holds what the files hold.
#[derive(Debug, thiserror::Error)]
pub enum ClientCertificateError {
    /// A file that cannot be read.
    #[error("reading {}: {why}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// The system's words.
        why: std::io::Error,
    },
    /// A file without what it should hold.
    #[error("{} holds no {what} in PEM form", path.display())]
    Without {
        /// Which.
        path: PathBuf,
        /// `certificate` or `private key`.
        what: &'static str,
    },
    /// Two that do not belong together, or of a kind that TLS does not know.
    #[error("the key of {} does not fit the certificate of {}: give the two that were made together", key.display(), certificate.display())]
    Mismatch {
        /// The certificate's file.
        certificate: PathBuf,
        /// The key's.
        key: PathBuf,
    },
}

impl ClientCertificate {
    /// From two PEM files: the certificate with its chain, and its private key.
    ///
    /// # Errors
    /// See [`ClientCertificateError`].
    pub fn from_files(certificate: &Path, key: &Path) -> Result<Self, ClientCertificateError> {
        Self::from_pem((certificate, &read(certificate)?), (key, &read(key)?))
    }

    /// From two PEM texts, each with the name of the file that it stands in.
    ///
    /// # Errors
    /// See [`ClientCertificateError`].
    pub fn from_pem(
        (certificate, text): (&Path, &[u8]),
        (key, secret): (&Path, &[u8]),
    ) -> Result<Self, ClientCertificateError> {
        let without = |path: &Path, what| ClientCertificateError::Without { path: path.to_owned(), what };
        let chain: Vec<CertificateDer<'static>> =
            CertificateDer::pem_slice_iter(text).filter_map(Result::ok).collect();
        if chain.is_empty() {
            return Err(without(certificate, "certificate"));
        }
        let private = PrivateKeyDer::from_pem_slice(secret).map_err(|_| without(key, "private key"))?;
        CertifiedKey::from_der(chain, private, &aws_lc_rs::default_provider())
            .map(|both| Self(Arc::new(both)))
            .map_err(|_| ClientCertificateError::Mismatch {
                certificate: certificate.to_owned(),
                key: key.to_owned(),
            })
    }
}

fn read(path: &Path) -> Result<Vec<u8>, ClientCertificateError> {
    let unreadable = |why| ClientCertificateError::Unreadable { path: path.to_owned(), why };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(unreadable)?;
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}
