//! containerd's side of a node report.

use crate::containers::own_repository;
use crate::endpoints;
use crate::recording::Recording;
use crate::way::Way;
use emulate::containerd::{self, At, Endpoint, Login, Resolution, State, Version};
use emulate::distribution::{self, Defaults};
use emulate::k3s;
use emulate::lint::{self, Finding, Lint};
use formats::registries_yaml;
use report::node::{Config, Credential, NodeReport, Runtime};

/// The main file: as given, else the distribution's, else the first of any distribution that there is.
pub fn config(files: &Recording<'_>, given: Option<&str>, distribution: &Defaults) -> String {
    let there = |path: &&str| files.look(path) != crate::tree::Look::Absent;
    let usual = [distribution.config, containerd::DEFAULT_CONFIG];
    let any =
        usual.into_iter().chain(distribution::ALL.iter().map(|d| d.config)).filter(|p| p.ends_with(".toml"));
    given.or_else(|| any.into_iter().find(there)).unwrap_or(containerd::DEFAULT_CONFIG).to_owned()
}

/// What containerd of this version does with these files.
pub fn inspect(
    files: &Recording<'_>,
    version: &Version,
    config: &str,
    report: &mut NodeReport,
    findings: &mut Vec<Finding>,
) -> Way {
    // Without an image the endpoints of no registry are computed; any name gives the runtime's own state.
    let image = report.image.clone();
    let name = image.as_deref().unwrap_or("docker.io/library/none");
    let mut r = containerd::resolve(files, version, config, name);
    let (state, failure) = match &r.state {
        State::Ok => ("ok", None),
        State::DaemonFails { error, .. } => ("daemon-fails", Some(error.clone())),
        State::CriNotLoaded { error, .. } => ("cri-not-loaded", Some(error.clone())),
    };
    // What is asked later about another image must find its files in the report.
    for root in r.settings.config_path.iter().flat_map(|s| s.value.split(':')).filter(|d| !d.is_empty()) {
        files.walk(root, 2);
    }
    for path in k3s::PATHS {
        findings.extend(files.text(path).iter().flat_map(|text| lint::registries_yaml(files, path, text)));
    }
    findings.extend(lint::containerd(files, version, &r));
    findings.extend(made_at_start(files, version, &mut r));
    findings.extend(image.as_ref().and_then(|_| made_otherwise(files, version, &r)));
    report.errors = failure.into_iter().chain(r.errors.iter().filter(|_| image.is_some()).cloned()).collect();
    report.runtime = Some(Runtime {
        state: state.to_owned(),
        pull_path: Some(r.pull_path.word().to_owned()),
        config: settings(&r),
        ..Runtime::default()
    });
    if image.is_none() {
        return Way::default();
    }
    report.assumed.clone_from(&r.assumed);
    report.registry = Some(r.registry.clone());
    report.host_dir.clone_from(&r.host_dir);
    let own = own_repository(name);
    let there = |e: &Endpoint| Some(k3s::rewritten(&e.rewrites, &own)).filter(|name| *name != own);
    report.endpoints = r.endpoints.iter().map(|e| endpoints::shown(e, there(e))).collect();
    let mut way = Way::with_headers(r.endpoints.iter());
    way.logins = r.endpoints.iter().map(|e| login(&r, &e.host)).collect();
    way
}

/// The login that the configuration has for an endpoint, by its host and port.
fn login(r: &Resolution, host: &str) -> Option<(Credential, Login)> {
    let (table, login) = r.settings.login(host)?;
    let user = Some(login.user.clone()).filter(|u| !u.is_empty());
    let shown = Credential { from: table.at.path.to_string(), key: table.host.clone(), user };
    Some((shown, login.clone()))
}

/// registries.yaml of k3s or RKE2 where nothing was made of it yet, as in a copy of some files: its endpoints are those that
/// the agent's next start gives.
fn made_at_start(files: &Recording<'_>, version: &Version, r: &mut Resolution) -> Option<Finding> {
    let (path, text) = k3s::PATHS.iter().find_map(|p| Some((*p, files.text(p)?)))?;
    let file = registries_yaml::parse(&text);
    if !r.files.is_empty() || file.refused.is_some() {
        return None;
    }
    r.endpoints = k3s::endpoints(&file, path, &r.registry, version);
    Some(Finding::new(Lint::MadeAtStart, Some(At::whole(path))))
}

/// registries.yaml of k3s or RKE2 that says otherwise than the hosts.toml that was made of one.
fn made_otherwise(files: &Recording<'_>, version: &Version, r: &Resolution) -> Option<Finding> {
    let hosts =
        format!("{}/hosts.toml", r.host_dir.as_ref().filter(|d| d.contains("/agent/etc/containerd/"))?);
    let (path, text) = k3s::PATHS.iter().find_map(|p| Some((*p, files.text(p)?)))?;
    let file = registries_yaml::parse(&text);
    let mirror = k3s::mirror_of(&file, &r.registry).filter(|_| file.refused.is_none())?;
    let urls = |all: &[Endpoint]| all.iter().map(Endpoint::url).collect::<Vec<_>>();
    let (meant, made) = (urls(&k3s::endpoints(&file, path, &r.registry, version)), urls(&r.endpoints));
    // The registry itself may be left out by an option.
    let same = made == meant || meant.split_last().is_some_and(|(_, mirrors)| made == mirrors);
    let finding = Finding::new(Lint::FilesDisagree, Some(At::whole(&hosts))).with("what", &r.registry);
    (!same).then(|| finding.with("other", format!("{path}:{}", mirror.line)))
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
