//! The kubelet of a node: its configuration file and flags, as far as they are about images, and its credential plugins.

use crate::processes::{Program, Running};
use crate::recording::Recording;
use crate::tree::HostTree;
use emulate::containerd::At;
use emulate::files::{Files, join};
use emulate::lint::{Finding, Lint};
use facts::{AuthEntry, DockerConfig, NodeFacts};
use formats::{credential_provider, yaml};
use report::node::Kubelet;
use serde_json::Value;
use std::collections::BTreeMap;

/// Settings of `KubeletConfiguration` that are about images. Source: kubernetes pkg/kubelet/apis/config/types.go, 1.36.
const SETTINGS: &[&str] = &[
    "containerRuntimeEndpoint",
    "imageServiceEndpoint",
    "serializeImagePulls",
    "maxParallelImagePulls",
    "registryPullQPS",
    "registryBurst",
    "imagePullCredentialsVerificationPolicy",
    "imageMinimumGCAge",
    "imageMaximumGCAge",
    "imageGCHighThresholdPercent",
    "imageGCLowThresholdPercent",
    "runtimeRequestTimeout",
    "resolvConf",
];
/// Where distributions keep the file, for a node whose kubelet's arguments are not known.
const USUAL: &[&str] = &["/var/lib/kubelet/config.yaml", "/etc/kubernetes/kubelet/config.json"];
/// Where the kubelet looks for a docker configuration of the node. Source: pkg/credentialprovider/config.go, 1.36.
const DOCKER_CONFIGS: &[&str] = &[
    "/var/lib/kubelet/config.json",
    "/root/.docker/config.json",
    "/.docker/config.json",
    "/var/lib/kubelet/.dockercfg",
    "/root/.dockercfg",
    "/.dockercfg",
];

/// The docker configuration that the kubelet takes: the first that is valid, alone.
pub fn docker_config(facts: &NodeFacts) -> Option<(&'static str, &DockerConfig)> {
    valid_docker_configs(facts).next()
}

fn valid_docker_configs(facts: &NodeFacts) -> impl Iterator<Item = (&'static str, &DockerConfig)> {
    let known = |path: &&'static str| Some((*path, facts.docker_configs.get(*path)?));
    DOCKER_CONFIGS.iter().filter_map(known).filter(|(_, config)| config.problem.is_none())
}

/// Credentials of docker configurations that the kubelet does not take, and that the one it takes has not so.
pub fn disagreements(facts: &NodeFacts) -> Vec<Finding> {
    let mut valid = valid_docker_configs(facts);
    let Some((taken, config)) = valid.next() else { return Vec::new() };
    let differs = |e: &&AuthEntry| config.entries.iter().all(|t| t.key != e.key || t.same != e.same);
    valid
        .flat_map(|(path, other)| other.entries.iter().filter(differs).map(move |e| (path, e)))
        .map(|(path, e)| {
            let finding = Finding::new(Lint::FilesDisagree, Some(At::whole(taken)));
            finding.with("what", format!("auths {}", e.key)).with("other", path)
        })
        .collect()
}

/// What is known of the kubelet; `None` where there is none.
pub fn look(files: &Recording<'_>, processes: &[Running]) -> Option<Kubelet> {
    let running = processes.iter().find(|r| r.program == Program::Kubelet);
    let named = running.and_then(|r| r.flag(&["--config"])).map(str::to_owned);
    let mut found = Kubelet::default();
    let candidates = named.into_iter().chain(USUAL.iter().map(|p| (*p).to_owned()));
    for path in candidates {
        if let Some(text) = files.text(&path) {
            found.settings = settings(&text);
            found.config = Some(path);
            break;
        }
    }
    for path in DOCKER_CONFIGS {
        files.look(path);
    }
    let flag = |names: &[&str]| running.and_then(|r| r.flag(names)).map(str::to_owned);
    if let Some(providers) = flag(&["--image-credential-provider-config"]) {
        found.providers = provider_files(files, &providers)
            .iter()
            .filter_map(|p| files.text(p))
            .filter_map(|text| credential_provider::read(&text))
            .flatten()
            .map(|p| (p.name, p.match_images))
            .collect();
        found.provider_config = Some(providers);
    }
    found.provider_dir = flag(&["--image-credential-provider-bin-dir"]);
    let flagged = flag(&["--container-runtime-endpoint"]);
    found.endpoint = flagged.or_else(|| found.settings.get("containerRuntimeEndpoint").cloned());
    (running.is_some() || found.config.is_some()).then_some(found)
}

/// Plugins without a program: the kubelet does not start then. Source: pkg/credentialprovider/plugin, 1.36.
pub fn findings(tree: &HostTree, kubelet: &Kubelet) -> Vec<Finding> {
    let Some(dir) = &kubelet.provider_dir else { return Vec::new() };
    let missing = |name: &&String| !tree.on_this_machine(&join(dir, name)).is_some_and(|p| p.is_file());
    let names = kubelet.providers.iter().map(|(name, _)| name).filter(missing);
    let at = kubelet.provider_config.as_ref().map(|p| At::whole(p));
    names.map(|n| Finding::new(Lint::PluginMissing, at.clone()).with("file", join(dir, n))).collect()
}

/// A file, or since 1.34 a directory of files.
fn provider_files(files: &Recording<'_>, path: &str) -> Vec<String> {
    if files.look(path) != crate::tree::Look::Dir {
        return vec![path.to_owned()];
    }
    let mut names = files.list(path);
    names.retain(|n| [".json", ".yaml", ".yml"].iter().any(|e| n.ends_with(e)));
    names.iter().map(|n| join(path, n)).collect()
}

fn settings(text: &str) -> BTreeMap<String, String> {
    let Ok(value) = yaml::parse_text(text) else { return BTreeMap::new() };
    let word = |v: &Value| match v {
        Value::String(s) => Some(s.clone()),
        Value::Number(_) | Value::Bool(_) => Some(v.to_string()),
        _ => None,
    };
    SETTINGS.iter().filter_map(|name| Some(((*name).to_owned(), word(value.get(*name)?)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kubelet_that_runs_nowhere_is_known_by_its_file() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::create_dir_all(dir.path().join("var/lib/kubelet")).unwrap();
        let text = "kind: KubeletConfiguration\nserializeImagePulls: false\nregistryPullQPS: 2\ncontainerRuntimeEndpoint: unix:///run/c.sock\n";
        fs_err::write(dir.path().join("var/lib/kubelet/config.yaml"), text).unwrap();
        let tree = HostTree::new(dir.path());
        let found = look(&Recording::new(&tree), &[]).unwrap();
        assert_eq!(found.endpoint.as_deref(), Some("unix:///run/c.sock"));
        assert_eq!(found.settings["serializeImagePulls"], "false");
        assert_eq!(found.settings["registryPullQPS"], "2");
    }

    #[test]
    fn a_plugin_without_its_program() {
        let dir = tempfile::tempdir().unwrap();
        fs_err::create_dir_all(dir.path().join("bin")).unwrap();
        fs_err::write(dir.path().join("bin/here"), "").unwrap();
        let kubelet = Kubelet {
            providers: vec![("here".into(), Vec::new()), ("gone".into(), Vec::new())],
            provider_dir: Some("/bin".into()),
            ..Kubelet::default()
        };
        let found = findings(&HostTree::new(dir.path()), &kubelet);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].args, [("file", "/bin/gone".to_owned())]);
    }

    #[test]
    fn no_kubelet() {
        let dir = tempfile::tempdir().unwrap();
        let tree = HostTree::new(dir.path());
        assert_eq!(look(&Recording::new(&tree), &[]), None);
    }
}
