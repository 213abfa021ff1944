//! hosts.toml files and the certificates beside them.

use super::{Finding, Lint, certificates};
use crate::containerd::{At, HostEntry, Version, decode_hosts};
use crate::files::{Entry, Files, join};
use crate::go::url;
use formats::toml_tree::{self, TomlTable};
use std::rc::Rc;

/// The keys of the file's root and of a host's table. Source: remotes/docker/config/hosts.go (`hostFileConfig`).
const KEYS: &[&str] =
    &["capabilities", "ca", "client", "skip_verify", "header", "override_path", "dial_timeout"];

/// What is to be said of one hosts directory.
pub fn lint(files: &dyn Files, dir: &str, version: &Version) -> Vec<Finding> {
    let path = join(dir, "hosts.toml");
    let text = match files.entry(&path) {
        Entry::File(bytes) if !bytes.is_empty() => String::from_utf8_lossy(&bytes).into_owned(),
        Entry::File(_) | Entry::Absent => return without_file(files, dir),
        _ => return Vec::new(),
    };
    let hosts = match decode_hosts(&text, &path, dir, version) {
        Ok(hosts) => hosts,
        Err((reason, at)) => {
            let mut found = vec![Finding::new(Lint::FileDropped, Some(at)).with("reason", reason)];
            found.extend(keys(&text, &path));
            return found;
        }
    };
    let mut found = keys(&text, &path);
    for host in &hosts {
        found.extend(of_host(files, host));
    }
    found.extend(server_without_ca(dir, &hosts));
    found.extend(unused_certificates(files, dir, &hosts));
    found
}

fn of_host(files: &dyn Files, host: &HostEntry) -> Vec<Finding> {
    let mut found = Vec::new();
    let at = || Some(host.at.clone());
    for (n, ca) in host.ca.iter().flatten().enumerate() {
        found.extend(certificates::ca(files, ca, host.ca_at.get(n).unwrap_or(&host.at)));
    }
    if let Err(error) = crate::containerd::check_client(files, &host.client) {
        found.push(Finding::new(Lint::ClientUnusable, at()).with("error", error));
    }
    let local = url::is_localhost(&host.host);
    if host.skip_verify == Some(true) && !local {
        let at = host.skip_verify_at.clone().or_else(at);
        let name = if host.host.is_empty() { "server" } else { &host.host };
        found.push(Finding::new(Lint::SkipVerify, at).with("host", name));
    }
    if host.written.is_empty() {
        return found;
    }
    let names_it = |lint| Finding::new(lint, at()).with("url", &host.written);
    let odd = host.host.is_empty() || host.host.ends_with(':') || !matches!(&*host.scheme, "http" | "https");
    if odd {
        found.push(names_it(Lint::AddressUnusable));
        return found;
    }
    if host.scheme == "http" && !local {
        found.push(Finding::new(Lint::PlainHttp, at()).with("host", &host.host));
    }
    if host.path.starts_with("/v2/") && host.path.ends_with("/v2") && !host.override_path {
        found.push(names_it(Lint::PathDoubled));
    }
    if matches!(&*host.host, "docker.io" | "hub.docker.com") {
        found.push(names_it(Lint::ServerWithoutApi).with("instead", "https://registry-1.docker.io"));
    }
    found
}

/// A host that is asked with a CA, and at the end again without it.
fn server_without_ca(dir: &str, hosts: &[HostEntry]) -> Option<Finding> {
    let (server, before) = hosts.split_last()?;
    let name = dir.rsplit('/').next().unwrap_or_default();
    let registry = super::hosts_dirs::serves(name).ok().flatten();
    let host = match server.host.as_str() {
        "" => registry?,
        named => named.to_owned(),
    };
    if server.ca.is_some() || server.skip_verify == Some(true) || server.scheme == "http" {
        return None;
    }
    let same = |h: &&HostEntry| h.ca.is_some() && without_port_443(&h.host) == without_port_443(&host);
    let with = before.iter().find(same)?;
    let at = with.ca_at.first().unwrap_or(&with.at).clone();
    Some(Finding::new(Lint::CaNotForServer, Some(at)).with("host", host))
}

fn without_port_443(host: &str) -> &str {
    host.strip_suffix(":443").unwrap_or(host)
}

/// Keys that stand where nothing reads them.
fn keys(text: &str, path: &str) -> Vec<Finding> {
    let Ok(tree) = toml_tree::parse(text) else { return Vec::new() };
    let name: Rc<str> = Rc::from(path);
    let mut found = unknown(&tree.root, &name, &["server", "host"]);
    for entry in tree.root.table(&["host"]).map(|t| t.entries.as_slice()).unwrap_or_default() {
        let Some(table) = entry.value.as_table() else { continue };
        for inner in &table.entries {
            if inner.key == "server" {
                let at = Some(At::new(&name, inner.key_at));
                found.push(Finding::new(Lint::KeyInHostTable, at).with("key", &inner.key));
            }
        }
        found.extend(unknown(table, &name, &["server"]));
    }
    found
}

fn unknown(table: &TomlTable, name: &Rc<str>, also: &[&str]) -> Vec<Finding> {
    let known = |key: &str| KEYS.contains(&key) || also.contains(&key);
    let mut found = Vec::new();
    for entry in table.entries.iter().filter(|e| !known(&e.key)) {
        let at = Some(At::new(name, entry.key_at));
        let mut finding = Finding::new(Lint::UnknownKey, at).with("key", &entry.key);
        let plain = |k: &str| k.to_ascii_lowercase().replace(['-', '_'], "");
        let near = |k: &&&str| plain(k) == plain(&entry.key).trim_end_matches('s');
        if let Some(meant) =
            KEYS.iter().find(near).or_else(|| KEYS.iter().find(|k| plain(k) == plain(&entry.key)))
        {
            finding = finding.with("instead", *meant);
        }
        found.push(finding);
    }
    found
}

/// Certificates in Docker's layout beside a hosts.toml, which then are not looked at.
fn unused_certificates(files: &dyn Files, dir: &str, hosts: &[HostEntry]) -> Vec<Finding> {
    let names = files.list(dir).into_iter().filter(|n| n.ends_with(".crt")).map(|n| join(dir, &n));
    let used = |path: &String| hosts.iter().flat_map(|h| h.ca.iter().flatten()).any(|ca| ca == path);
    names
        .filter(|path| !used(path))
        .map(|path| Finding::new(Lint::CertBesideHostsFile, Some(At::whole(&path))).with("file", path))
        .collect()
}

/// A directory in Docker's layout.
fn without_file(files: &dyn Files, dir: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    for name in files.list(dir) {
        let path = join(dir, &name);
        if name.ends_with(".crt") {
            found.extend(certificates::ca(files, &path, &At::whole(&path)));
        } else if name.ends_with(".toml") && name != "hosts.toml" {
            found.push(Finding::new(Lint::HostsFileMisplaced, Some(At::whole(&path))));
        }
    }
    found
}
