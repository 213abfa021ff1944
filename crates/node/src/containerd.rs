//! containerd's side of a node report.

use crate::endpoints;
use crate::recording::Recording;
use emulate::containerd::{self, Resolution, State, Version};
use emulate::lint::{self, Finding};
use report::node::{Config, NodeReport, Runtime};

/// Where a main file may lie that no process names: the package's, k3s's, RKE2's, microk8s's, Talos's.
const CONFIGS: &[&str] = &[
    containerd::DEFAULT_CONFIG,
    "/var/lib/rancher/k3s/agent/etc/containerd/config.toml",
    "/var/lib/rancher/rke2/agent/etc/containerd/config.toml",
    "/var/snap/microk8s/current/args/containerd-template.toml",
    "/etc/cri/containerd.toml",
];

/// The main file: as given, else the first that there is.
pub fn config(files: &Recording<'_>, given: Option<&str>) -> String {
    let there = |path: &&&str| files.look(path) != crate::tree::Look::Absent;
    match given {
        Some(path) => path.to_owned(),
        None => CONFIGS.iter().find(there).map_or(containerd::DEFAULT_CONFIG, |p| *p).to_owned(),
    }
}

/// What containerd of this version does with these files.
pub fn inspect(
    files: &Recording<'_>,
    version: &Version,
    config: &str,
    report: &mut NodeReport,
    findings: &mut Vec<Finding>,
) {
    // Without an image the endpoints of no registry are computed; any name gives the runtime's own state.
    let image = report.image.clone();
    let r = containerd::resolve(files, version, config, image.as_deref().unwrap_or("docker.io/library/none"));
    let (state, failure) = match &r.state {
        State::Ok => ("ok", None),
        State::DaemonFails { error, .. } => ("daemon-fails", Some(error)),
        State::CriNotLoaded { error, .. } => ("cri-not-loaded", Some(error)),
    };
    // What is asked later about another image must find its files in the report.
    for root in r.settings.config_path.iter().flat_map(|s| s.value.split(':')).filter(|d| !d.is_empty()) {
        files.walk(root, 2);
    }
    for path in emulate::k3s::PATHS {
        files.look(path);
    }
    findings.extend(lint::containerd(files, version, &r));
    report.errors = failure.into_iter().chain(r.errors.iter().filter(|_| image.is_some())).cloned().collect();
    report.runtime = Some(Runtime {
        state: state.to_owned(),
        pull_path: Some(r.pull_path.word().to_owned()),
        config: settings(&r),
        ..Runtime::default()
    });
    if image.is_some() {
        report.registry = Some(r.registry.clone());
        report.host_dir.clone_from(&r.host_dir);
        report.endpoints = r.endpoints.iter().map(|e| endpoints::shown(e, None)).collect();
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
        reported_config_path: None,
    }
}
