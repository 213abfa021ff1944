//! The library with which CRI-O, podman, skopeo and buildah pull: from registries.conf and its drop-ins to the endpoints
//! that are asked, in their order.
//!
//! Follows containers/image v5.36.1: `pkg/sysregistriesv2`, `pkg/shortnames`, `docker/docker_client.go`,
//! `docker/docker_image_src.go`, `pkg/tlsclientconfig`, `signature/policy_*.go`.

mod auth;
mod certs;
mod policy;
mod registries;
mod short_names;

pub use auth::{FILES as AUTH_FILES, credentials};
pub use policy::{DEFAULT as POLICY, Verdict, verdict};
pub use registries::{Config, Endpoint as Location, MAIN, Registry, Usage, load};

use crate::containerd::{Capabilities, Capability, ClientPair, Endpoint, Source};
use crate::files::Files;
use crate::lint::{Finding, Lint};
use formats::reference::Reference;
use std::collections::BTreeMap;

/// What a node's files come to for one image.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolution {
    /// registries.conf as it counts.
    pub config: Config,
    /// The registry that is asked last, or first where there is one: host and port.
    pub registry: String,
    /// The endpoints with the name under which each has the image, in the order in which they are tried.
    pub endpoints: Vec<(Endpoint, String)>,
    /// The first certificate directory that is taken.
    pub cert_dir: Option<String>,
    /// What fails every pull of this image.
    pub errors: Vec<String>,
    /// What is wrong or worth a word.
    pub findings: Vec<Finding>,
}

/// Resolves one image on a node.
pub fn resolve(files: &dyn Files, image: &str) -> Resolution {
    resolve_in_mode(files, image, None)
}

/// The same where the program has a mode for short names of its own, which goes before that of registries.conf.
pub fn resolve_in_mode(files: &dyn Files, image: &str, short_name_mode: Option<&str>) -> Resolution {
    let mut r = Resolution { config: load(files), ..Resolution::default() };
    if let Some(mode) = short_name_mode {
        mode.clone_into(&mut r.config.short_name_mode);
    }
    if let Some((error, at)) = &r.config.invalid {
        r.errors.push(error.clone());
        r.findings.push(Finding::new(Lint::Syntax, at.clone()).with("error", error));
        return r;
    }
    r.findings.extend(insecure(&r.config));
    r.findings.extend(
        r.config
            .unread
            .iter()
            .map(|(key, at)| Finding::new(Lint::KeyNotRead, Some(at.clone())).with("key", key)),
    );
    r.findings.extend(r.config.overridden.iter().map(|(what, lost, by)| {
        let finding = Finding::new(Lint::FilesDisagree, Some(by.clone())).with("what", what);
        finding.with("other", format!("{}:{}", lost.path, lost.line))
    }));
    let names = match short_names::candidates(&r.config, image) {
        Ok(names) => names,
        Err(error) => {
            r.errors.push(error);
            return r;
        }
    };
    for name in &names {
        one(files, name, &mut r);
    }
    r.findings.extend(policy::lint(files));
    r
}

/// One full name: what registries.conf makes of it.
fn one(files: &dyn Files, name: &str, r: &mut Resolution) {
    let serving = r.config.serving(name).cloned();
    let own = Location { location: String::new(), ..Location::default() };
    let by_digest = name.contains('@');
    let (sources, prefix): (Vec<Location>, &str) = match &serving {
        Some(registry) => (registry.sources(by_digest), &registry.prefix),
        None => (vec![own], ""),
    };
    let last = sources.len().saturating_sub(1);
    let mut refused = Vec::new();
    let before = r.endpoints.len();
    for (n, source) in sources.iter().enumerate() {
        let asked = match registries::rewritten(name, prefix, &source.location) {
            Ok(asked) => asked,
            Err(error) => {
                r.errors.push(error);
                continue;
            }
        };
        // One name that is none after the rewriting fails the whole pull. Source: `PullSourcesFromReference`.
        if short_names::is_short(&asked) {
            r.endpoints.truncate(before);
            r.errors.push("rewriting reference: repository name must be canonical".to_owned());
            return;
        }
        let Ok(reference) = Reference::parse(&asked) else {
            r.errors.push(format!("rewriting reference: {asked:?}: invalid reference format"));
            continue;
        };
        // What is blocked is looked up by the name that is asked, so a mirror elsewhere is tried all the same. Source:
        // `newDockerClient`, which gets the rewritten reference.
        if let Some(blocked) = r.config.serving(&asked).filter(|s| s.blocked) {
            refused.push(format!("registry {} is blocked in {}", blocked.prefix, r.config.wording()));
            continue;
        }
        let host = reference.registry().to_owned();
        let certs = certs::look(files, &host);
        r.findings.extend(certs.findings);
        if let Some(error) = certs.error {
            // One endpoint's certificates fail that endpoint, and the next is tried.
            refused.push(error);
            continue;
        }
        r.cert_dir = r.cert_dir.take().or(certs.dir);
        if n == last {
            r.registry.clone_from(&host);
        }
        let host = if host == "docker.io" { "registry-1.docker.io".to_owned() } else { host };
        let endpoint = Endpoint {
            scheme: "https".into(),
            host,
            path: "/v2".into(),
            capabilities: may_pull(),
            capabilities_at: None,
            ca: certs.ca,
            client: certs.client,
            skip_verify: source.insecure,
            headers: BTreeMap::new(),
            override_path: false,
            http_fallback: source.insecure,
            rewrites: Vec::new(),
            source: if n == last { Source::Default } else { Source::Mirror },
            at: source.at.clone(),
        };
        r.endpoints.push((endpoint, reference.repository()));
    }
    if r.endpoints.len() == before {
        r.errors.append(&mut refused);
    }
}

/// Registries and mirrors that may be asked without verification, whatever the image.
fn insecure(config: &Config) -> Vec<Finding> {
    let all = config
        .registries
        .iter()
        .flat_map(|r| [(&r.own, r.prefix.as_str())].into_iter().chain(r.mirrors.iter().map(|m| (m, ""))));
    all.filter(|(location, _)| location.insecure)
        .map(|(location, prefix)| {
            (location, if location.location.is_empty() { prefix } else { &location.location })
        })
        .filter(|(_, host)| !crate::go::url::is_localhost(host.split('/').next().unwrap_or_default()))
        .map(|(location, host)| {
            Finding::new(Lint::SkipVerify, location.insecure_at.clone()).with("host", host)
        })
        .collect()
}

fn may_pull() -> Capabilities {
    let mut all = Capabilities::default();
    all.add(Capability::Pull);
    all.add(Capability::Resolve);
    all
}

/// A client certificate of a directory.
fn pair(cert: String, key: String) -> ClientPair {
    ClientPair { cert, key: Some(key) }
}
