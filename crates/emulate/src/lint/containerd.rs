//! containerd's files: what its version makes of them, turned into findings.

use super::{Finding, Lint, certificates, defects, hosts_dirs, hosts_files, ordered};
use crate::containerd::{Endpoint, HostTable, Note, Resolution, Source, State, Version};
use crate::files::Files;
use formats::url::without_scheme;

/// Everything that is to be said of a node's containerd configuration. `resolution` may be that of any image.
pub fn lint(files: &dyn Files, version: &Version, resolution: &Resolution) -> Vec<Finding> {
    let mut found = Vec::new();
    match &resolution.state {
        State::Ok => {}
        State::DaemonFails { error, at } => {
            found.push(Finding::new(Lint::DaemonFails, at.clone()).with("error", error));
        }
        State::CriNotLoaded { error, at } => {
            found.push(Finding::new(Lint::CriNotLoaded, at.clone()).with("error", error));
        }
    }
    found.extend(resolution.notes.iter().filter_map(note));
    if resolution.state == State::Ok {
        for endpoint in resolution.endpoints.iter().filter(|e| e.source == Source::Mirror) {
            found.extend(insecure(endpoint));
        }
        for table in &resolution.settings.hosts {
            if let Some(tls) = table.tls.as_ref().filter(|t| version.reads_tls_tables() && t.skip_verify) {
                found.push(Finding::new(Lint::SkipVerify, Some(tls.at.clone())).with("host", &table.host));
            }
        }
        for path in resolution.settings.hosts.iter().filter_map(|h| h.tls.as_ref()) {
            if version.reads_tls_tables() && !path.ca_file.is_empty() {
                found.extend(certificates::ca(files, &path.ca_file, &path.at));
            }
        }
        found.extend(resolution.settings.hosts.iter().filter(|t| t.has_auth).filter_map(login));
        // A list that is taken for one directory still tells what its author meant.
        let meant = resolution.settings.config_path.as_ref();
        let roots: Vec<String> = meant
            .map(|s| s.value.split(':').filter(|d| !d.is_empty()).map(str::to_owned).collect())
            .unwrap_or_default();
        found.extend(hosts_dirs::lint(files, &roots, version));
        for dir in hosts_dirs::dirs(files, &roots) {
            found.extend(hosts_files::lint(files, &dir, version));
        }
    }
    for finding in &mut found {
        defects::name(finding, version);
    }
    ordered(found)
}

/// A login that goes nowhere: endpoints have a host and a port, and Docker Hub's has its own name.
fn login(table: &HostTable) -> Option<Finding> {
    let host = &table.host;
    let bare = without_scheme(host).split('/').next().unwrap_or_default();
    let meant = match bare {
        "docker.io" | "index.docker.io" => "registry-1.docker.io",
        bare => bare,
    };
    let at = Some(table.at.clone());
    if meant != host || host == "*" {
        let finding = Finding::new(Lint::LoginNeverSent, at).with("host", host);
        return Some(if meant == host { finding } else { finding.with("instead", meant) });
    }
    table.login.is_none().then(|| Finding::new(Lint::LoginUnusable, at).with("host", host))
}

/// Settings that leave an endpoint open to whoever sits in between.
pub fn insecure(endpoint: &Endpoint) -> Vec<Finding> {
    let at = || endpoint.at.clone();
    let mut found = Vec::new();
    let host = &endpoint.host;
    if endpoint.skip_verify && !crate::go::url::is_localhost(host) {
        found.push(Finding::new(Lint::SkipVerify, at()).with("host", host));
    }
    if endpoint.scheme == "http" && !crate::go::url::is_localhost(host) {
        found.push(Finding::new(Lint::PlainHttp, at()).with("host", host));
    }
    found
}

fn note(note: &Note) -> Option<Finding> {
    let at = |lint, at: &crate::containerd::At| Finding::new(lint, Some(at.clone()));
    Some(match note {
        Note::Imports { .. } => return None,
        // Found again where every hosts directory is read.
        Note::FileDropped { .. } => return None,
        Note::SectionNotRead { at: place, section } => {
            at(Lint::SectionNotRead, place).with("section", section)
        }
        Note::SectionReplaced { lost, by } => {
            let (path, line) = (&lost.path, lost.line);
            at(Lint::SectionReplaced, by).with("lost", format!("{path}:{line}"))
        }
        Note::Overridden { key, lost, by } => at(Lint::FilesDisagree, by)
            .with("what", key)
            .with("other", format!("{}:{}", lost.path, lost.line)),
        Note::KeyNotRead { at: place, key } => at(Lint::KeyNotRead, place).with("key", key),
        Note::LostInMigration { at: place, key } => at(Lint::LostInMigration, place).with("key", key),
        Note::TransferConfigPath { at: place } => at(Lint::TransferConfigPath, place),
        Note::TlsTableNotRead { at: place, host } => at(Lint::TlsTableNotRead, place).with("host", host),
        Note::ListAsOneDirectory { at: place, value } => {
            Finding::new(Lint::PathListAsOneDirectory, place.clone()).with("value", value)
        }
    })
}
