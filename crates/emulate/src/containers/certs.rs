//! Certificate directories of containers/image: the first that exists for the exact host and port is used alone. Sources:
//! `docker/docker_client.go` (`dockerCertDir`), `pkg/tlsclientconfig` (`SetupCertificates`).

use crate::containerd::{At, ClientPair};
use crate::files::{Entry, Files, join};
use crate::lint::{self, Finding, Lint};
use formats::pem;

/// Roots of certificate directories, in their order; the user's own come before these.
const ROOTS: &[&str] =
    &["/root/.config/containers/certs.d", "/etc/containers/certs.d", "/etc/docker/certs.d"];

/// What stands in a host's directory.
#[derive(Default)]
pub struct Certs {
    /// The directory that is taken.
    pub dir: Option<String>,
    /// Files that are added to the system's roots.
    pub ca: Vec<String>,
    /// Client certificates.
    pub client: Vec<ClientPair>,
    /// What fails this endpoint.
    pub error: Option<String>,
    /// What is worth a word.
    pub findings: Vec<Finding>,
}

/// Whether a directory that is not taken has a file that the other has not, or has otherwise.
fn adds(files: &dyn Files, hidden: &str, taken: &str) -> bool {
    let read = |name: &&String| [".crt", ".cert", ".key"].iter().any(|e| name.ends_with(e));
    files
        .list(hidden)
        .iter()
        .filter(read)
        .any(|n| files.entry(&join(hidden, n)) != files.entry(&join(taken, n)))
}

/// Looks for the directory of a host with its port; Docker Hub's is `docker.io`.
pub fn look(files: &dyn Files, host: &str) -> Certs {
    let mut certs = Certs::default();
    let mut there = ROOTS.iter().map(|r| join(r, host)).filter(|d| matches!(files.entry(d), Entry::Dir));
    let Some(dir) = there.next() else { return certs };
    certs.findings.extend(there.filter(|other| adds(files, other, &dir)).map(|other| {
        let finding = Finding::new(Lint::DirShadowed, Some(At::whole(&other)));
        finding.with("dir", other).with("by", &dir)
    }));
    let names = files.list(&dir);
    for name in &names {
        let path = join(&dir, name);
        if name.ends_with(".crt") {
            match files.entry(&path) {
                // What is no PEM is passed over without a word.
                Entry::File(bytes) if pem::certificates(&bytes).is_empty() => {
                    let at = Some(At::whole(&path));
                    certs.findings.push(Finding::new(Lint::CaNotPemSkipped, at).with("file", &path));
                }
                Entry::File(_) | Entry::Opaque | Entry::Unknown => {
                    certs.findings.extend(lint::certificate_files(files, std::slice::from_ref(&path)));
                    certs.ca.push(path);
                }
                _ => {}
            }
        } else if let Some(base) = name.strip_suffix(".cert") {
            let key = format!("{base}.key");
            if !names.contains(&key) {
                certs.error.get_or_insert_with(|| format!(
                    "missing key {key} for client certificate {name}. Note that CA certificates should use the extension .crt"
                ));
                continue;
            }
            let pair = super::pair(path.clone(), join(&dir, &key));
            if let Err(error) = crate::containerd::check_client(files, std::slice::from_ref(&pair)) {
                certs.error.get_or_insert(error);
            }
            certs.client.push(pair);
        } else if let Some(base) = name.strip_suffix(".key") {
            let cert = format!("{base}.cert");
            if !names.contains(&cert) {
                certs.error.get_or_insert(format!("missing client certificate {cert} for key {name}"));
            }
        }
    }
    if let Some(error) = &certs.error {
        certs.findings.push(Finding::new(Lint::ClientUnusable, Some(At::whole(&dir))).with("error", error));
    }
    certs.dir = Some(dir);
    certs
}
