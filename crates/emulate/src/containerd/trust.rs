//! Whether an endpoint's certificate files can be loaded: what cannot fails the pull before any request.
//!
//! Follows `tlsConfigFromHost` (remotes/docker/config/hosts.go) and Go's `tls.X509KeyPair`.

use super::endpoint::ClientPair;
use crate::files::{Entry, Files};
use formats::pem;

/// Whether every CA file holds a certificate that parses.
pub fn check_ca(files: &dyn Files, paths: &[String], assumed: &mut Vec<String>) -> Result<(), String> {
    for path in paths {
        if let Some(bytes) = read(files, path, "CA cert", assumed)?
            && pem::certificates(&bytes).is_empty()
        {
            return Err(format!("unable to load CA cert {path:?}"));
        }
    }
    Ok(())
}

/// Whether every client certificate has its key.
pub fn check_client(
    files: &dyn Files,
    pairs: &[ClientPair],
    assumed: &mut Vec<String>,
) -> Result<(), String> {
    for pair in pairs {
        let cert = read(files, &pair.cert, "CERT file", assumed)?;
        let key = match &pair.key {
            Some(path) => read(files, path, "CERT file", assumed)?,
            None => cert.clone(),
        };
        let (Some(cert), Some(key)) = (cert, key) else { continue };
        if let Some(problem) = pem::pair_problem(&cert, &key) {
            return Err(format!("failed to load X509 key pair: {problem}"));
        }
    }
    Ok(())
}

fn read(
    files: &dyn Files,
    path: &str,
    what: &str,
    assumed: &mut Vec<String>,
) -> Result<Option<Vec<u8>>, String> {
    let failed = |verb: &str, why: &str| Err(format!("unable to read {what} {path:?}: {verb} {path}: {why}"));
    match files.entry(path) {
        Entry::File(bytes) => Ok(Some(bytes.into_owned())),
        Entry::Absent => failed("open", "no such file or directory"),
        Entry::NotADirectory => failed("open", "not a directory"),
        Entry::Dir => failed("read", "is a directory"),
        Entry::Opaque => Ok(None),
        Entry::Unknown => {
            assumed.push(path.to_owned());
            Ok(None)
        }
    }
}
