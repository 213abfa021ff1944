//! Docker Engine: daemon.json, `/etc/docker/certs.d`, and the two image stores, which find endpoints in different ways.
//!
//! Follows moby v2.0.0-beta: `daemon/hosts.go`, `daemon/pkg/registry/{config,service,service_v2,registry}.go`, and
//! containerd's hosts code, which the newer store uses.

mod settings;

pub use settings::{DAEMON_JSON, Settings, Store};

use crate::containerd::{At, Capabilities, Capability, ClientPair, Endpoint, Source, Version, resolve_hosts};
use crate::files::{Entry, Files, join};
use crate::go::url;
use crate::lint::{Finding, Lint};
use formats::pem;
use std::collections::BTreeMap;
use std::net::IpAddr;

/// Where certificates (and for the newer store hosts.toml files) are looked for.
const CERTS: &str = "/etc/docker/certs.d";
/// The release of containerd whose hosts code the newer store has.
const HOSTS_CODE: &str = "2.2.0";

/// What a node's files come to for one image.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolution {
    /// daemon.json as it counts.
    pub settings: Settings,
    /// Which store pulls.
    pub store: Store,
    /// The registry's name, with its port.
    pub registry: String,
    /// The directory of the registry itself that is taken.
    pub host_dir: Option<String>,
    /// The endpoints, in the order in which they are tried.
    pub endpoints: Vec<Endpoint>,
    /// What fails every pull of this image, or keeps the daemon from starting.
    pub errors: Vec<String>,
    /// What is wrong or worth a word.
    pub findings: Vec<Finding>,
}

/// Resolves one image on a node. `version` decides which store a new installation has; `None` for a new one.
pub fn resolve(files: &dyn Files, version: Option<&Version>, image: &str) -> Resolution {
    let registry = formats::reference::registry_of(image).unwrap_or_default();
    let settings = settings::load(files);
    let store = settings.store(files, version);
    let mut r = Resolution { settings, store, registry, ..Resolution::default() };
    if let Some((error, at)) = &r.settings.invalid {
        r.errors.push(error.clone());
        r.findings.push(Finding::new(Lint::DaemonFails, at.clone()).with("error", error));
        return r;
    }
    match store {
        Store::Containerd => image_store(files, &mut r),
        Store::Graphdriver => graphdriver(files, &mut r),
    }
    for endpoint in r.endpoints.iter().filter(|e| e.at.is_some()) {
        r.findings.extend(crate::lint::insecure(endpoint));
    }
    r.findings.extend(words_of(&r.settings));
    r
}

/// What is to be said of daemon.json whatever the image.
fn words_of(settings: &Settings) -> Vec<Finding> {
    let local = |named: &str| url::is_localhost(named) || named.starts_with("127.") || named == "::1/128";
    let insecure = settings.insecure.iter().filter(|i| !local(&i.value));
    let unread = settings.unread.iter().map(|(key, meant, at)| {
        Finding::new(Lint::UnknownKey, at.clone()).with("key", key).with("instead", *meant)
    });
    insecure
        .map(|i| Finding::new(Lint::SkipVerify, i.at.clone()).with("host", &i.value))
        .chain(unread)
        .collect()
}

/// The newer store: containerd's hosts code, and daemon.json only where that found one endpoint.
fn image_store(files: &dyn Files, r: &mut Resolution) {
    let Some(version) = Version::parse(HOSTS_CODE) else { return };
    let roots = [CERTS.to_owned()];
    let (dir, endpoints) = match resolve_hosts(files, &roots, &r.registry, &version) {
        Ok(found) => found,
        Err(error) => {
            r.errors.push(error);
            return;
        }
    };
    r.findings.extend(crate::lint::hosts_dir(files, dir.as_deref(), &version));
    r.host_dir = dir;
    r.endpoints = endpoints;
    // Even loopback is secure here where daemon.json names neither mirrors nor insecure registries.
    if r.settings.mirrors.is_empty() && r.settings.insecure.is_empty() {
        return;
    }
    let [own] = r.endpoints.as_slice() else { return };
    let own = own.clone();
    if r.registry == "docker.io" && !r.settings.mirrors.is_empty() {
        let mut all: Vec<Endpoint> =
            r.settings.mirrors.iter().filter_map(|m| hub_mirror(&m.value, m.at.as_ref(), &own)).collect();
        all.push(own);
        r.endpoints = all;
    }
    // All endpoints share one client, so one that is insecure makes them all so. Source: `mergeLegacyConfig`, which copies
    // the first host with its client.
    let insecure = r.endpoints.iter().any(|e| is_insecure(files, &r.settings, &e.host));
    if insecure {
        for endpoint in &mut r.endpoints {
            endpoint.skip_verify = true;
            endpoint.http_fallback |= endpoint.scheme == "https";
        }
    }
}

/// A mirror of Docker Hub as the newer store asks it: everything but the address is the hub's own, its CA included.
fn hub_mirror(written: &str, at: Option<&At>, own: &Endpoint) -> Option<Endpoint> {
    let full = if written.contains("://") { written.to_owned() } else { format!("https://{written}") };
    let u = url::parse(&full).ok()?;
    let path = u.path.trim_end_matches('/');
    let mut endpoint = own.clone();
    endpoint.scheme = u.scheme;
    endpoint.host = u.host;
    endpoint.path = if path.ends_with("/v2") { path.to_owned() } else { format!("{path}/v2") };
    endpoint.capabilities = Capabilities::default();
    for capability in [Capability::Pull, Capability::Resolve, Capability::Referrers] {
        endpoint.capabilities.add(capability);
    }
    endpoint.source = Source::Mirror;
    endpoint.at = at.cloned();
    Some(endpoint)
}

/// The older store. Source: `lookupV2Endpoints`.
fn graphdriver(files: &dyn Files, r: &mut Resolution) {
    let mut addresses = Vec::new();
    let is_hub = matches!(r.registry.as_str(), "docker.io" | "index.docker.io");
    if is_hub {
        for mirror in &r.settings.mirrors {
            let written = &mirror.value;
            let full =
                if written.starts_with("http") { written.clone() } else { format!("https://{written}") };
            if let Ok(u) = url::parse(&full) {
                let path = u.path.trim_end_matches('/').to_owned();
                addresses.push((u.scheme, u.host, path, mirror.at.clone(), Source::Mirror));
            }
        }
        addresses.push(("https".into(), "registry-1.docker.io".into(), String::new(), None, Source::Default));
    } else {
        addresses.push(("https".into(), r.registry.clone(), String::new(), None, Source::Default));
    }
    for (scheme, host, path, at, source) in addresses {
        let hub = is_hub && source == Source::Default;
        let insecure = !hub && is_insecure(files, &r.settings, &host);
        let mut endpoint = Endpoint {
            http_fallback: insecure && scheme == "https" && source == Source::Default,
            scheme,
            path: format!("{path}/v2"),
            capabilities: Capabilities::default(),
            capabilities_at: None,
            ca: Vec::new(),
            client: Vec::new(),
            skip_verify: insecure,
            headers: BTreeMap::new(),
            override_path: false,
            rewrites: Vec::new(),
            source,
            at,
            host,
        };
        endpoint.capabilities.add(Capability::Pull);
        endpoint.capabilities.add(Capability::Resolve);
        // Docker Hub itself is asked with the system's roots alone; an insecure registry's directory is not read.
        if !hub && !insecure {
            certificates(files, r, &mut endpoint);
        }
        r.endpoints.push(endpoint);
    }
}

/// Source: `ReadCertsDirectory`.
fn certificates(files: &dyn Files, r: &mut Resolution, endpoint: &mut Endpoint) {
    let dir = join(CERTS, &endpoint.host);
    if !matches!(files.entry(&dir), Entry::Dir) {
        return;
    }
    let names = files.list(&dir);
    for name in &names {
        let path = join(&dir, name);
        if name.ends_with(".crt") {
            if let Entry::File(bytes) = files.entry(&path)
                && pem::certificates(&bytes).is_empty()
            {
                let at = Some(At::whole(&path));
                r.findings.push(Finding::new(Lint::CaNotPemSkipped, at).with("file", &path));
                continue;
            }
            r.findings.extend(crate::lint::certificate_files(files, std::slice::from_ref(&path)));
            endpoint.ca.push(path);
        } else if let Some(base) = name.strip_suffix(".cert") {
            let key = format!("{base}.key");
            if !names.contains(&key) {
                r.errors.push(format!(
                    "missing key {key} for client certificate {name}. CA certificates must use the extension .crt"
                ));
                continue;
            }
            let pair = ClientPair { cert: path, key: Some(join(&dir, &key)) };
            if let Err(error) = crate::containerd::check_client(files, std::slice::from_ref(&pair)) {
                r.errors.push(error);
            }
            endpoint.client.push(pair);
        } else if let Some(base) = name.strip_suffix(".key") {
            let cert = format!("{base}.cert");
            if !names.contains(&cert) {
                r.errors.push(format!("missing client certificate {cert} for key {name}"));
            }
        }
    }
    r.host_dir = r.host_dir.take().or(Some(dir));
}

/// Whether a registry may be asked without TLS or verification: named with its port, or with an address in a listed
/// range. Names are looked up for that; only what the hosts file says is known here. Source: `isSecureIndex`.
fn is_insecure(files: &dyn Files, settings: &Settings, host: &str) -> bool {
    if settings.insecure.iter().any(|i| i.value == host) {
        return true;
    }
    let name = url::split_port(host).map_or(host, |(name, _)| name).trim_matches(['[', ']']);
    let addresses: Vec<IpAddr> = match name.parse() {
        Ok(address) => vec![address],
        Err(_) if name == "localhost" => vec![IpAddr::from([127, 0, 0, 1])],
        Err(_) => match files.entry("/etc/hosts") {
            Entry::File(bytes) => formats::hosts_file::addresses(&String::from_utf8_lossy(&bytes), name),
            _ => Vec::new(),
        },
    };
    addresses.iter().any(|a| a.is_loopback() || settings.insecure.iter().any(|i| in_range(&i.value, *a)))
}

/// Whether an address lies in `192.0.2.0/24`.
fn in_range(range: &str, address: IpAddr) -> bool {
    let Some((base, bits)) = range.split_once('/') else { return false };
    let (Ok(base), Ok(bits)) = (base.parse::<IpAddr>(), bits.parse::<u32>()) else { return false };
    let same = |a: u128, b: u128, width: u32| bits <= width && (bits == 0 || (a ^ b) >> (width - bits) == 0);
    match (base, address) {
        (IpAddr::V4(a), IpAddr::V4(b)) => same(u128::from(a.to_bits()), u128::from(b.to_bits()), 32),
        (IpAddr::V6(a), IpAddr::V6(b)) => same(a.to_bits(), b.to_bits(), 128),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_both_families() {
        let has = |range: &str, address: &str| in_range(range, address.parse().unwrap());
        assert!(has("192.0.2.0/24", "192.0.2.9") && !has("192.0.2.0/24", "192.0.3.9"));
        assert!(has("0.0.0.0/0", "203.0.113.1") && has("2001:db8::/32", "2001:db8::1"));
        assert!(!has("192.0.2.0/24", "2001:db8::1") && !has("nonsense", "192.0.2.1"));
    }
}
