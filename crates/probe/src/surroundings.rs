//! What a climb finds around it: this machine's lookup files, proxy variables, trusted roots, credentials and clock.

use crate::client_certificate::ClientCertificate;
use crate::credentials::Credentials;
use crate::trust::Trust;
use emulate::go::proxy::Environment;
use emulate::go::x509::CertificatePlaces;
use facts::BlindSpot;
use formats::resolv_conf::{self, ResolvConf};
use jiff::Timestamp;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The port that name servers are asked at.
const DNS_PORT: u16 = 53;
/// The largest lookup file that is read.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// Everything outside of the request that a climb depends on.
pub struct Surroundings {
    pub(crate) proxies: Environment,
    pub(crate) resolv_conf: ResolvConf,
    pub(crate) hosts: String,
    pub(crate) nsswitch: Option<String>,
    pub(crate) machine: String,
    pub(crate) dns_port: u16,
    pub(crate) credentials: Credentials,
    pub(crate) client_certificate: Option<ClientCertificate>,
    trust: OnceLock<Trust>,
    places: CertificatePlaces,
    ca_files: Vec<PathBuf>,
    root: PathBuf,
    clock: fn() -> Timestamp,
}

impl Surroundings {
    /// This machine's, with a process's environment. `root` is where its files are: `/`, or the host's root as a
    /// container sees it.
    pub fn of_machine(root: &Path, variable: impl Fn(&str) -> Option<String>) -> Self {
        let text = |path: &str| read(&root.join(path));
        let (file, dir) = (variable("SSL_CERT_FILE"), variable("SSL_CERT_DIR"));
        Self {
            places: CertificatePlaces::from_environment(file.as_deref(), dir.as_deref()),
            proxies: Environment::read(variable),
            resolv_conf: resolv_conf::parse(&text("etc/resolv.conf").unwrap_or_default()),
            hosts: text("etc/hosts").unwrap_or_default(),
            nsswitch: text("etc/nsswitch.conf"),
            machine: text("etc/hostname").unwrap_or_default().trim().to_owned(),
            dns_port: DNS_PORT,
            credentials: Credentials::none(),
            client_certificate: None,
            trust: OnceLock::new(),
            ca_files: Vec::new(),
            root: root.to_path_buf(),
            clock: Timestamp::now,
        }
    }

    /// Nobody's machine: these lines of a hosts file, this name server, and nothing else; no proxy, no root, no
    /// credential.
    pub fn apart(hosts: &str, name_server: SocketAddr) -> Self {
        Self {
            places: CertificatePlaces { files: Vec::new(), directories: Vec::new() },
            proxies: Environment::read(|_| None),
            resolv_conf: resolv_conf::parse(&format!(
                "nameserver {}\noptions attempts:1\n",
                name_server.ip()
            )),
            hosts: hosts.to_owned(),
            nsswitch: Some("hosts: files dns\n".to_owned()),
            machine: String::new(),
            dns_port: name_server.port(),
            credentials: Credentials::none(),
            client_certificate: None,
            trust: OnceLock::from(Trust::none()),
            ca_files: Vec::new(),
            root: PathBuf::new(),
            clock: Timestamp::now,
        }
    }

    /// With these credentials.
    pub fn with_credentials(mut self, credentials: Credentials) -> Self {
        self.credentials = credentials;
        self
    }

    /// With a certificate for the registry that asks who it is.
    pub fn with_client_certificate(mut self, certificate: ClientCertificate) -> Self {
        self.client_certificate = Some(certificate);
        self
    }

    /// With the certificates of these files trusted beside the system's roots.
    pub fn with_ca_files(mut self, files: Vec<PathBuf>) -> Self {
        self.ca_files = files;
        self
    }

    /// With these roots instead of the system's.
    pub fn with_trust(mut self, trust: Trust) -> Self {
        self.trust = OnceLock::from(trust);
        self
    }

    /// With name servers at another port than 53.
    pub fn with_dns_port(mut self, port: u16) -> Self {
        self.dns_port = port;
        self
    }

    /// With another clock.
    pub fn with_clock(mut self, clock: fn() -> Timestamp) -> Self {
        self.clock = clock;
        self
    }

    /// The system's own roots, without those that were named beside them.
    pub fn system_trust(&self) -> Trust {
        Trust::of_machine(&self.root, &self.places, &[])
    }

    /// The roots, read when they are first needed: a registry in plain HTTP needs none.
    pub(crate) fn trust(&self) -> &Trust {
        self.trust.get_or_init(|| Trust::of_machine(&self.root, &self.places, &self.ca_files))
    }

    /// The time by the clock that certificates are judged by.
    pub fn now(&self) -> Timestamp {
        (self.clock)()
    }

    /// This machine's name; empty where it has none.
    pub fn machine(&self) -> &str {
        &self.machine
    }

    /// Files with authorities that were named and gave no certificate.
    pub fn unusable_ca(&self) -> &[BlindSpot] {
        let needed = !self.ca_files.is_empty();
        self.trust.get().or_else(|| needed.then(|| self.trust())).map_or(&[], |t| &t.problems)
    }

    /// What could not be read of all this.
    pub fn blind_spots(&self) -> Vec<BlindSpot> {
        self.credentials.blind_spots.iter().chain(self.unusable_ca()).cloned().collect()
    }
}

fn read(path: &Path) -> Option<String> {
    use std::io::Read;
    let mut bytes = Vec::new();
    std::fs::File::open(path).ok()?.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}
