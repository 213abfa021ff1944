//! Endpoints as a report shows them: with the proxy that the process would use and the node's own credentials.

use crate::tree::HostTree;
use emulate::containerd;
use emulate::go::proxy::{Decision, Environment, Reason};
use emulate::kubelet::{keyring, provider};
use facts::NodeFacts;
use formats::certificate::Certificate;
use formats::pem;
use report::node::{ClientPair, Credential, Endpoint, Kubelet};
use std::collections::BTreeMap;

/// One endpoint; `repository` where the image has another name there.
pub fn shown(e: &containerd::Endpoint, repository: Option<String>) -> Endpoint {
    Endpoint {
        url: e.url(),
        repository,
        capabilities: e.capabilities.words().iter().map(|w| (*w).to_owned()).collect(),
        ca: e.ca.clone(),
        skip_verify: e.skip_verify,
        client: e.client.iter().map(|p| ClientPair { cert: p.cert.clone(), key: p.key.clone() }).collect(),
        headers: hidden(&e.headers),
        override_path: e.override_path,
        http_fallback: e.http_fallback,
        ..Endpoint::default()
    }
}

fn hidden(headers: &BTreeMap<String, Vec<String>>) -> BTreeMap<String, Vec<String>> {
    let value = |name: &str, v: &String| {
        if formats::redact::is_secret_header(name) { "(hidden)".to_owned() } else { v.clone() }
    };
    headers.iter().map(|(n, vs)| (n.clone(), vs.iter().map(|v| value(n, v)).collect())).collect()
}

/// The hosts of endpoints and of their proxies, without ports, each once.
pub fn hosts(endpoints: &[Endpoint]) -> Vec<String> {
    let urls = endpoints.iter().flat_map(|e| [Some(&e.url), e.proxy.as_ref()]).flatten();
    let mut all: Vec<String> = urls.filter_map(|url| authority(url)).map(|(_, host, _)| host).collect();
    all.sort();
    all.dedup();
    all
}

/// Whether it is HTTPS, the host without brackets, the port.
fn authority(url: &str) -> Option<(bool, String, u16)> {
    let (scheme, rest) = url.split_once("://")?;
    let authority = rest.split('/').next()?;
    let https = scheme == "https";
    let default = if https { 443 } else { 80 };
    let (host, port) = match emulate::go::url::split_port(authority) {
        Some((host, port)) => (host, port.parse().ok()?),
        None => (authority.trim_matches(['[', ']']), default),
    };
    Some((https, host.to_owned(), port))
}

/// Puts to each endpoint the certificates that its files hold.
pub fn fingerprints(tree: &HostTree, endpoints: &mut [Endpoint]) {
    for endpoint in endpoints {
        let texts = endpoint.ca.iter().take(64).filter_map(|path| tree.text(path));
        let all = texts.flat_map(|text| pem::certificates(text.as_bytes()));
        let read = all.filter_map(|der| Certificate::from_der(&der).ok());
        endpoint.ca_fingerprints = read.map(|c| c.fingerprint()).take(256).collect();
    }
}

/// Puts the proxy to each endpoint that a process with these variables uses.
pub fn proxies(endpoints: &mut [Endpoint], variable: impl Fn(&str) -> Option<String>) {
    let environment = Environment::read(variable);
    for endpoint in endpoints {
        let Some((https, host, port)) = authority(&endpoint.url) else { continue };
        let (proxy, because) = match environment.decide(https, &host, port) {
            Decision::Direct(Reason::NoneSet) => (None, "none-set".to_owned()),
            Decision::Direct(Reason::Loopback) => (None, "loopback".to_owned()),
            Decision::Direct(Reason::NoProxy(entry)) => (None, format!("NO_PROXY {entry}")),
            Decision::Through { variable, proxy } => (Some(proxy.to_string()), variable.to_owned()),
            Decision::Refused => (None, "HTTP_PROXY refused".to_owned()),
        };
        endpoint.proxy = proxy;
        endpoint.proxy_because = because;
    }
}

/// The node's own credentials for an image, as the kubelet chooses them: its docker configuration, then its plugins.
/// containerd offers them to every endpoint that asks.
pub fn credentials(facts: &NodeFacts, kubelet: Option<&Kubelet>, image: &str) -> Vec<Credential> {
    let Ok(name) = emulate::kubelet::image_name::lookup_name(image) else { return Vec::new() };
    let taken = crate::kubelet::docker_config(facts);
    let entries: Vec<(&str, &facts::AuthEntry)> =
        taken.iter().flat_map(|(path, config)| config.entries.iter().map(move |e| (*path, e))).collect();
    let found = keyring::lookup(entries.iter().map(|(_, e)| e.key.as_str()), &name);
    let mut all: Vec<Credential> = found
        .into_iter()
        .filter_map(|at| entries.get(at))
        .map(|(path, e)| Credential { from: (*path).to_owned(), key: e.key.clone(), user: e.user.clone() })
        .collect();
    for (plugin, patterns) in kubelet.map(|k| k.providers.as_slice()).unwrap_or_default() {
        let covering = patterns.iter().find(|p| provider::covers([p.as_str()], &name).is_ok());
        all.extend(covering.map(|p| Credential { from: plugin.clone(), key: p.clone(), user: None }));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_decided_for_each_endpoint() {
        let of = |url: &str| Endpoint { url: url.into(), ..Endpoint::default() };
        let mut all = [of("https://r.example.com:5000/v2"), of("http://[::1]:80/v2"), of("https://m/v2")];
        let set = |name: &str| match name {
            "HTTPS_PROXY" => Some("http://u:p@proxy:3128".to_owned()),
            "NO_PROXY" => Some("m".to_owned()),
            _ => None,
        };
        proxies(&mut all, set);
        assert_eq!(all[0].proxy.as_deref(), Some("http://proxy:3128"));
        assert_eq!(all[0].proxy_because, "HTTPS_PROXY");
        assert_eq!((all[1].proxy.clone(), all[1].proxy_because.as_str()), (None, "none-set"));
        assert_eq!(all[2].proxy_because, "NO_PROXY m");
        assert_eq!(hosts(&all), ["::1", "m", "proxy", "r.example.com"]);
    }
}
