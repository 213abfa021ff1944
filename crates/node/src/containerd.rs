//! containerd's side of a node report.

use crate::Options;
use crate::report::{ClientPair, Config, Endpoint, NodeReport, Note, Runtime};
use emulate::containerd::{self, Resolution, State, Version};
use emulate::files::Files;
use std::collections::BTreeMap;

/// Headers whose values are credentials.
const SECRET: &[&str] =
    &["authorization", "cookie", "proxy-authorization", "x-jfrog-art-api", "private-token"];

/// What containerd of this version does with these files.
pub fn inspect(files: &dyn Files, version: &Version, options: &Options) -> NodeReport {
    let config = options.config.as_deref().unwrap_or(containerd::DEFAULT_CONFIG);
    // Without an image the endpoints of no registry are computed; any name gives the runtime's own state.
    let image = options.image.as_deref().unwrap_or("docker.io/library/none");
    let r = containerd::resolve(files, version, config, image);
    let for_image = options.image.is_some();
    let (state, failure) = match &r.state {
        State::Ok => ("ok", None),
        State::DaemonFails { error, .. } => ("daemon-fails", Some(error)),
        State::CriNotLoaded { error, .. } => ("cri-not-loaded", Some(error)),
    };
    let errors = failure.into_iter().chain(r.errors.iter().filter(|_| for_image)).cloned().collect();
    NodeReport {
        schema: "pullproof.node/1",
        runtime: Runtime {
            name: "containerd",
            version: options.version.clone(),
            state,
            pull_path: r.pull_path.word(),
            config: settings(&r),
        },
        image: options.image.clone(),
        registry: for_image.then(|| r.registry.clone()),
        host_dir: r.host_dir.clone().filter(|_| for_image),
        endpoints: r.endpoints.iter().filter(|_| for_image).map(endpoint).collect(),
        errors,
        notes: r.notes.iter().map(|n| Note { what: format!("{n:?}") }).collect(),
        blind_spots: r.assumed,
    }
}

fn settings(r: &Resolution) -> Config {
    let s = &r.settings;
    Config {
        files: r.files.clone(),
        config_path: s.config_path.as_ref().map(|p| p.value.clone()),
        mirrors: s.mirrors.iter().map(|m| m.name.clone()).collect(),
        hosts: s.hosts.iter().map(|h| h.host.clone()).collect(),
        local_because: s.local_because.as_ref().map(|(why, _)| why.clone()),
        sandbox_image: s.sandbox_image.as_ref().map(|i| i.value.clone()),
    }
}

fn endpoint(e: &containerd::Endpoint) -> Endpoint {
    Endpoint {
        url: e.url(),
        capabilities: e.capabilities.words(),
        ca: e.ca.clone(),
        skip_verify: e.skip_verify,
        client: e.client.iter().map(|p| ClientPair { cert: p.cert.clone(), key: p.key.clone() }).collect(),
        headers: hidden(&e.headers),
        override_path: e.override_path,
        http_fallback: e.http_fallback,
    }
}

fn hidden(headers: &BTreeMap<String, Vec<String>>) -> BTreeMap<String, Vec<String>> {
    let value = |name: &str, v: &String| {
        if SECRET.contains(&name.to_ascii_lowercase().as_str()) { "(hidden)".to_owned() } else { v.clone() }
    };
    headers.iter().map(|(n, vs)| (n.clone(), vs.iter().map(|v| value(n, v)).collect())).collect()
}
