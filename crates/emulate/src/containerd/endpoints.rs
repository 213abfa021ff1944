//! Hosts into endpoints: defaults filled in, certificates checked, the scheme settled.
//!
//! Follows `ConfigureHosts` (remotes/docker/config/hosts.go) and, for the `mirrors` table, `registryHosts` and
//! `registryEndpoints` (CRI image_pull.go).

use super::endpoint::{Capabilities, Endpoint, HostEntry, Source};
use super::settings::Settings;
use super::trust;
use super::version::{HttpWithTls, Localhost, Version};
use crate::files::Files;
use crate::go::url;

/// The endpoints of a hosts directory (or of none), in the order in which they are tried.
pub fn of_hosts(
    files: &dyn Files,
    hosts: Option<Vec<HostEntry>>,
    registry: &str,
    version: &Version,
    assumed: &mut Vec<String>,
) -> Result<Vec<Endpoint>, String> {
    let mut hosts = hosts.unwrap_or_else(|| vec![HostEntry { is_server: true, ..HostEntry::default() }]);
    let count = hosts.len();
    if let Some(last) = hosts.last_mut().filter(|h| h.host.is_empty()) {
        fill_default(last, registry, version);
    }
    let mut endpoints = Vec::with_capacity(count);
    for (i, host) in hosts.into_iter().enumerate() {
        if let Some(ca) = &host.ca {
            trust::check_ca(files, ca, assumed)?;
        }
        trust::check_client(files, &host.client, assumed)?;
        endpoints.push(endpoint(host, i + 1 == count, version));
    }
    Ok(endpoints)
}

/// Fills in the registry itself where the last host has no address.
fn fill_default(host: &mut HostEntry, registry: &str, version: &Version) {
    host.written.clear();
    host.path = "/v2".into();
    host.capabilities = Capabilities::all(version);
    host.capabilities_at = None;
    host.override_path = false;
    host.scheme = "https".into();
    if registry == "docker.io" {
        host.host = "registry-1.docker.io".into();
        return;
    }
    host.host = registry.to_owned();
    if !url::is_localhost(registry) {
        return;
    }
    let port = url::split_port(registry).map_or("", |(_, port)| port);
    match version.localhost() {
        Localhost::LikeRemote => {}
        Localhost::Http => {
            // The scheme is settled: TLS settings do not bring HTTPS back.
            host.scheme = "http".into();
            host.skip_verify = Some(true);
        }
        Localhost::HttpsThenHttp => {
            host.scheme = "http".into();
            host.skip_verify = Some(true);
        }
        Localhost::ByPort => {
            if !(port.is_empty() || port == "443") {
                host.scheme = "http".into();
            }
            if port != "80" {
                host.skip_verify = Some(true);
            }
        }
    }
}

fn endpoint(host: HostEntry, is_last: bool, version: &Version) -> Endpoint {
    let source = match (host.is_server && is_last, host.written.is_empty()) {
        (true, true) => Source::Default,
        (true, false) => Source::Server,
        (false, _) => Source::HostTable,
    };
    let tls = host.ca.is_some()
        || !host.client.is_empty()
        || host.skip_verify.is_some()
        || (host.has_dial_timeout && version.dial_timeout_is_tls());
    let fallback = host.scheme == "http" && tls && {
        let port = url::split_port(&host.host).map_or("", |(_, port)| port);
        match version.http_with_tls() {
            HttpWithTls::Plain => false,
            HttpWithTls::AnyPort => true,
            HttpWithTls::ExplicitPort => !port.is_empty() && port != "80",
            HttpWithTls::AnyPortBut80 => port != "80",
        }
    };
    Endpoint {
        scheme: if fallback { "https".into() } else { host.scheme },
        host: host.host,
        path: host.path,
        capabilities: host.capabilities,
        capabilities_at: host.capabilities_at,
        ca: host.ca.unwrap_or_default(),
        client: host.client,
        skip_verify: host.skip_verify.unwrap_or(false),
        headers: host.headers,
        override_path: host.override_path,
        http_fallback: fallback,
        rewrites: host.rewrites,
        source,
        at: (source != Source::Default).then_some(host.at),
    }
}

/// The endpoints of the `mirrors` table, the registry itself last.
pub fn of_mirrors(
    files: &dyn Files,
    settings: &Settings,
    registry: &str,
    version: &Version,
    assumed: &mut Vec<String>,
) -> Result<Vec<Endpoint>, String> {
    let table = settings
        .mirrors
        .iter()
        .find(|m| m.name == registry)
        .or_else(|| settings.mirrors.iter().find(|m| m.name == "*"));
    let mut addresses = Vec::new();
    for endpoint in table.map(|t| t.endpoints.as_slice()).unwrap_or_default() {
        addresses.push((with_scheme(endpoint)?, Source::Mirror));
    }
    let parsed = |address: &str| {
        url::parse(address).map_err(|e| format!("get registry endpoints: parse endpoint url: {e}"))
    };
    let mut own = false;
    for (address, _) in &addresses {
        own |= parsed(address)?.host == registry;
    }
    if !own {
        let host = if registry == "docker.io" { "registry-1.docker.io" } else { registry };
        addresses.push((format!("{}://{host}", default_scheme(host)), Source::Default));
    }
    // An explicit empty path without mirrors is no mirrors table: the whole API is named. No pull can tell.
    let unset = settings.config_path.is_some() && table.is_none();
    let mut endpoints = Vec::new();
    for (address, source) in addresses {
        let u = parsed(&address)?;
        let tls = settings
            .hosts
            .iter()
            .find(|h| h.host == u.host)
            .and_then(|h| h.tls.as_ref())
            .filter(|_| version.reads_tls_tables());
        let mut endpoint = Endpoint {
            path: if u.path.is_empty() { "/v2".into() } else { u.path },
            capabilities: if unset { Capabilities::all(version) } else { Capabilities::of_mirror(version) },
            capabilities_at: None,
            ca: Vec::new(),
            client: Vec::new(),
            skip_verify: url::is_localhost(registry) && u.scheme == "http" && tls.is_none(),
            headers: settings.headers.iter().cloned().collect(),
            override_path: false,
            http_fallback: false,
            rewrites: Vec::new(),
            source,
            at: table
                .filter(|_| source == Source::Mirror)
                .map(|t| t.endpoints_at.clone().unwrap_or(t.at.clone())),
            scheme: u.scheme,
            host: u.host,
        };
        if let Some(tls) = tls {
            endpoint.skip_verify = tls.skip_verify;
            if !tls.ca_file.is_empty() {
                if let crate::files::Entry::Absent = files.entry(&tls.ca_file) {
                    return Err(format!(
                        "get TLSConfig for registry {address:?}: failed to load CA file: open {}: no such file or directory",
                        tls.ca_file
                    ));
                }
                endpoint.ca.push(tls.ca_file.clone());
            }
            if !tls.cert_file.is_empty() {
                let key = (!tls.key_file.is_empty()).then(|| tls.key_file.clone());
                endpoint.client.push(super::endpoint::ClientPair { cert: tls.cert_file.clone(), key });
                trust::check_client(files, &endpoint.client, assumed)?;
            }
        }
        endpoints.push(endpoint);
    }
    Ok(endpoints)
}

fn with_scheme(endpoint: &str) -> Result<String, String> {
    if endpoint.contains("://") {
        return Ok(endpoint.to_owned());
    }
    let u = url::parse(&format!("dummy://{endpoint}")).map_err(|e| format!("parse endpoint url: {e}"))?;
    Ok(format!("{}://{endpoint}", default_scheme(&u.host)))
}

fn default_scheme(host: &str) -> &'static str {
    if url::is_localhost(host) { "http" } else { "https" }
}
