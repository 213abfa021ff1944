//! k3s and RKE2: from registries.yaml to the endpoints of their own containerd.
//!
//! Follows `pkg/agent/containerd/config.go` of k3s (`getHostConfigs`, `normalizeEndpointAddress`, `configForHost`), 2026-08:
//! each mirror's endpoints in order, each once, the registry itself last. A path in an endpoint is the API's root, nothing
//! is appended to it.

use crate::containerd::{At, Capabilities, ClientPair, Endpoint, Source, Version};
use crate::go::url;
use formats::registries_yaml::{Mirror, RegistriesYaml};
use std::rc::Rc;

/// Where k3s and RKE2 look for the file.
pub const PATHS: [&str; 2] = ["/etc/rancher/k3s/registries.yaml", "/etc/rancher/rke2/registries.yaml"];

/// The entry of `mirrors` that serves a registry: its own, else `*`.
pub fn mirror_of<'f>(file: &'f RegistriesYaml, registry: &str) -> Option<&'f Mirror> {
    file.mirrors.iter().find(|m| m.name == registry).or_else(|| file.mirrors.iter().find(|m| m.name == "*"))
}

/// The endpoints of a registry, in the order in which they are tried.
pub fn endpoints(file: &RegistriesYaml, path: &str, registry: &str, version: &Version) -> Vec<Endpoint> {
    let name: Rc<str> = Rc::from(path);
    let mut all = Vec::new();
    if let Some(mirror) = mirror_of(file, registry) {
        for address in &mirror.endpoints {
            let Ok(u) = url::parse(&with_scheme(address)) else { continue };
            let host = if u.host == "docker.io" { HUB.to_owned() } else { u.host };
            let path = match u.path.trim_end_matches('/') {
                "" => "/v2".to_owned(),
                path => path.to_owned(),
            };
            let at = At { path: Rc::clone(&name), line: mirror.line, column: 0 };
            let mut next = endpoint(file, u.scheme, host, path, Source::Mirror, Some(at), version);
            next.rewrites.clone_from(&mirror.rewrites);
            if all.iter().all(|e: &Endpoint| e.url() != next.url()) {
                all.push(next);
            }
        }
    }
    let own = if registry == "docker.io" { HUB } else { registry };
    if all.iter().all(|e| e.host != own) {
        all.push(endpoint(
            file,
            "https".into(),
            own.to_owned(),
            "/v2".into(),
            Source::Default,
            None,
            version,
        ));
    }
    all
}

/// Where Docker Hub's images are.
const HUB: &str = "registry-1.docker.io";

/// An address without scheme is HTTPS, but for this machine's own odd ports.
fn with_scheme(address: &str) -> String {
    let authority = address.split('/').next().unwrap_or_default();
    let odd_port = url::split_port(authority).is_some_and(|(_, port)| port != "443");
    match address.contains("://") {
        true => address.to_owned(),
        false if odd_port && url::is_localhost(authority) => format!("http://{address}"),
        false => format!("https://{address}"),
    }
}

fn endpoint(
    file: &RegistriesYaml,
    scheme: String,
    host: String,
    path: String,
    source: Source,
    at: Option<At>,
    version: &Version,
) -> Endpoint {
    let configured = |name: &str| file.configs.iter().find(|c| c.host == name);
    let config = configured(&host).or_else(|| configured("docker.io").filter(|_| host == HUB));
    let tls = config.and_then(|c| c.tls.clone()).unwrap_or_default();
    let key = (!tls.key_file.is_empty()).then(|| tls.key_file.clone());
    Endpoint {
        override_path: path != "/v2",
        scheme,
        host,
        path,
        capabilities: Capabilities::of_mirror(version),
        capabilities_at: None,
        ca: if tls.ca_file.is_empty() { Vec::new() } else { vec![tls.ca_file] },
        client: if tls.cert_file.is_empty() {
            Vec::new()
        } else {
            vec![ClientPair { cert: tls.cert_file, key }]
        },
        skip_verify: tls.skip_verify,
        headers: Default::default(),
        http_fallback: false,
        rewrites: Vec::new(),
        source,
        at,
    }
}

/// A repository after rewrite rules: the first pattern that matches replaces.
pub fn rewritten(rules: &[(String, String)], repository: &str) -> String {
    for (pattern, replacement) in rules {
        let Ok(regex) = regex::RegexBuilder::new(pattern).size_limit(1 << 20).build() else { continue };
        if regex.is_match(repository) {
            return regex.replace_all(repository, replacement.as_str()).into_owned();
        }
    }
    repository.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::registries_yaml::parse;

    fn urls(text: &str, registry: &str) -> Vec<String> {
        let version = Version::parse("1.7.11-k3s2").unwrap();
        endpoints(&parse(text), PATHS[0], registry, &version).iter().map(Endpoint::url).collect()
    }

    #[test]
    fn mirrors_then_the_registry_itself() {
        let text = "mirrors:\n  docker.io:\n    endpoint: [\"https://m\", \"http://n:5000/proxy/\"]\n  \"*\":\n    endpoint: [\"http://any\"]\n  r:5000:\n    endpoint: [\"http://r:5000\"]\n";
        assert_eq!(
            urls(text, "docker.io"),
            ["https://m/v2", "http://n:5000/proxy", "https://registry-1.docker.io/v2"]
        );
        assert_eq!(urls(text, "quay.io"), ["http://any/v2", "https://quay.io/v2"]);
        assert_eq!(urls(text, "r:5000"), ["http://r:5000/v2"]);
        assert_eq!(urls("", "quay.io"), ["https://quay.io/v2"]);
        let odd =
            "mirrors:\n  r:\n    endpoint: [localhost:5000, \"https://m\", \"https://m/\", docker.io]\n";
        assert_eq!(
            urls(odd, "r"),
            ["http://localhost:5000/v2", "https://m/v2", "https://registry-1.docker.io/v2", "https://r/v2"]
        );
    }

    #[test]
    fn settings_of_docker_hub_by_either_name() {
        for name in ["docker.io", "registry-1.docker.io"] {
            let text = format!("configs:\n  {name}:\n    tls:\n      ca_file: /ca\n");
            let version = Version::parse("2.1.4-k3s1").unwrap();
            let all = endpoints(&parse(&text), PATHS[0], "docker.io", &version);
            assert_eq!(all[0].ca, ["/ca"], "{name}");
        }
    }

    #[test]
    fn rewrites() {
        let file = parse(
            "mirrors:\n  docker.io:\n    rewrite:\n      \"^library/(.*)\": \"hub/$1\"\n      \"(\": x\n",
        );
        assert_eq!(rewritten(&file.mirrors[0].rewrites, "library/nginx"), "hub/nginx");
        assert_eq!(rewritten(&file.mirrors[0].rewrites, "team/app"), "team/app");
    }
}
