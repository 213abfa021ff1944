//! Where Go looks for the system's roots on Linux (`crypto/x509/root_linux.go` and `root_unix.go`).

/// The files: the first that can be read is taken, the others are not looked at.
pub const SYSTEM_ROOT_FILES: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// The directories: every file in each is read beside the file above, but for links that stay inside the directory.
pub const SYSTEM_ROOT_DIRECTORIES: &[&str] = &["/etc/ssl/certs", "/etc/pki/tls/certs"];

/// The places that are in force for a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CertificatePlaces {
    /// The first readable one counts.
    pub files: Vec<String>,
    /// All of them count.
    pub directories: Vec<String>,
}

impl CertificatePlaces {
    /// The places, given the process's environment. `SSL_CERT_FILE` replaces the files and `SSL_CERT_DIR` (a list
    /// with colons) the directories; each leaves the other in force, and an empty one counts as not set.
    pub fn from_environment(ssl_cert_file: Option<&str>, ssl_cert_dir: Option<&str>) -> Self {
        let owned = |list: &[&str]| list.iter().map(|place| (*place).to_owned()).collect();
        Self {
            files: match ssl_cert_file.filter(|file| !file.is_empty()) {
                Some(file) => vec![file.to_owned()],
                None => owned(SYSTEM_ROOT_FILES),
            },
            directories: match ssl_cert_dir.filter(|dir| !dir.is_empty()) {
                Some(list) => list.split(':').map(str::to_owned).collect(),
                None => owned(SYSTEM_ROOT_DIRECTORIES),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_variable_replaces_its_own_places_only() {
        let places = CertificatePlaces::from_environment(Some("/ca.pem"), None);
        assert_eq!(places.files, ["/ca.pem"]);
        assert_eq!(places.directories, SYSTEM_ROOT_DIRECTORIES);
        let places = CertificatePlaces::from_environment(Some(""), Some("/a:/b"));
        assert_eq!(places.files, SYSTEM_ROOT_FILES);
        assert_eq!(places.directories, ["/a", "/b"]);
    }
}
