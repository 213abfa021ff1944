//! What the runtime, its release and the distribution exclude by themselves, with or without a file of the node.

use super::{Aim, Faults};
use crate::case::Case;
use crate::node_view::{by_name, generates};
use crate::pull::Pull;
use crate::questions::words::quote;
use emulate::containerd::Version;
use facts::StatedVersion;
use report::{Evidence, Locator, Say};
use vocabulary::{Cause, Runtime};

/// Faults that only containerd's own configuration can have.
const OF_CONTAINERD: &[Cause] = &[
    Cause::ConfigLegacyInlineIgnored,
    Cause::ConfigWrongSection,
    Cause::ConfigPathUnset,
    Cause::ConfigPathListUnsupported,
    Cause::ConfigVersionMismatch,
    Cause::ConfigMirrorsAndConfigPath,
    Cause::ConfigRegistriesYamlStructure,
];

/// Excludes what this pull's runtime cannot have.
pub fn look(case: &Case<'_>, pull: &Pull<'_>, aim: &Aim, faults: &mut Faults) {
    if pull.is_probe() {
        return;
    }
    match of_pull(case, pull) {
        Some((Runtime::Docker | Runtime::CriO, _, shown)) => faults.exclude(OF_CONTAINERD, &shown),
        Some((Runtime::Containerd, version, shown)) => {
            let older = |major, minor| version.as_ref().is_some_and(|v| !v.since(major, minor, 0));
            if older(2, 0) {
                faults.exclude(&[Cause::ConfigLegacyInlineIgnored], &shown);
            }
            if older(2, 1) {
                faults.exclude(&[Cause::ConfigPathListUnsupported], &shown);
            }
        }
        _ => {}
    }
    if let Some(shown) = no_rancher(case, pull) {
        faults.exclude(&[Cause::ConfigRegistriesYamlStructure], &shown);
    }
    // The way back to the registry was taken, and an image service that does not load takes up no pull.
    if let Some(o) = pull.deciding().filter(|_| aim.is_known()) {
        let says = Say::new("evidence-registry-itself-asked").with("host", aim.host.clone());
        if aim.at_registry() && !aim.marked {
            faults.exclude(&[Cause::ConfigDefaultNoFallback], &quote(o, says.clone()));
        }
        faults.exclude(&[Cause::ConfigMirrorsAndConfigPath], &quote(o, says));
    }
}

/// The runtime that made the pull, its release, and what says so. `None` where nothing does, or two things differ.
pub fn of_pull(case: &Case<'_>, pull: &Pull<'_>) -> Option<(Runtime, Option<Version>, Evidence)> {
    let says = |text: &str| Say::new("evidence-made-by-runtime").with("runtime", text);
    if let Some(node) = case.node(pull.node)
        && let Some((kind, version)) = node.runtime.split_once("://")
    {
        let at = Locator::Object {
            kind: "Node".into(),
            namespace: String::new(),
            name: node.meta.name.clone(),
            field: "status.nodeInfo.containerRuntimeVersion".into(),
        };
        let shown = Evidence { at, says: says(&node.runtime), quote: node.runtime.clone() };
        return Some((by_name(kind)?, Version::parse(version), shown));
    }
    let here = case.snapshot.versions.iter().filter(|v| v.node.as_deref().is_none_or(|n| n == pull.node));
    let mut stated = here.filter_map(|v| Some((by_name(&v.program)?, v)));
    let (runtime, v) = stated.next()?;
    if stated.any(|(other, w)| other != runtime || w.version != v.version) {
        return None;
    }
    let text = format!("{} {}", v.program, v.version);
    Some((runtime, Version::parse(&v.version), stated_at(v, says(&text), text)))
}

fn stated_at(v: &StatedVersion, says: Say, quote: String) -> Evidence {
    let at = Locator::File {
        node: v.node.clone().unwrap_or_default(),
        path: v.origin.source.clone(),
        line: v.origin.line,
        column: 0,
        snippet: quote.clone(),
    };
    Evidence { at, says, quote }
}

/// A kubelet that is neither k3s's nor RKE2's: theirs say so in their version.
fn no_rancher(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    if case.view(pull).is_some_and(|v| generates(v.distribution)) {
        return None;
    }
    let ranchers = |version: &str| version.contains("k3s") || version.contains("rke2");
    let own = case.snapshot.versions.iter().filter(|v| v.node.as_deref().is_none_or(|n| n == pull.node));
    let versions: Vec<&StatedVersion> = own.collect();
    if versions.iter().any(|v| ranchers(&v.version))
        || case.snapshot.nodes.iter().any(|n| ranchers(&n.kubelet) || ranchers(&n.runtime))
    {
        return None;
    }
    let says = |version: &str| Say::new("evidence-kubelet-of").with("version", version);
    if let Some(node) = case.node(pull.node).filter(|n| !n.kubelet.is_empty()) {
        let at = Locator::Object {
            kind: "Node".into(),
            namespace: String::new(),
            name: node.meta.name.clone(),
            field: "status.nodeInfo.kubeletVersion".into(),
        };
        return Some(Evidence { at, says: says(&node.kubelet), quote: node.kubelet.clone() });
    }
    let kubelet = versions.iter().find(|v| v.program == "kubelet")?;
    Some(stated_at(kubelet, says(&kubelet.version), kubelet.version.clone()))
}

#[cfg(test)]
mod tests {
    use crate::case::Case;
    use crate::testing::Scene;
    use facts::{Origin, StatedVersion};
    use vocabulary::Cause;

    fn excluded(versions: &[(&str, &str)]) -> Vec<Cause> {
        let scene = Scene::pod("registry.example.com/a:1", &[]).symptom(Cause::TlsUnknownAuthority);
        let scene = scene.change(|s| {
            s.versions = versions
                .iter()
                .map(|(program, version)| StatedVersion {
                    program: (*program).into(),
                    version: (*version).into(),
                    node: None,
                    origin: Origin { source: "environment.txt".into(), line: 1 },
                })
                .collect();
        });
        Case::new(&scene.snapshot).faults(&scene.pull()).excluded.iter().map(|(c, _)| *c).collect()
    }

    #[test]
    fn a_runtime_cannot_have_the_faults_of_anothers_files() {
        let docker = excluded(&[("kubelet", "1.20.4"), ("docker", "20.10.5")]);
        assert!(
            docker.contains(&Cause::ConfigLegacyInlineIgnored) && docker.contains(&Cause::ConfigPathUnset)
        );
        assert!(!docker.contains(&Cause::ConfigHostDirMismatch), "it has directories for hosts, too");
        let old = excluded(&[("kubelet", "1.29.1"), ("containerd", "1.7.13")]);
        assert!(old.contains(&Cause::ConfigLegacyInlineIgnored) && !old.contains(&Cause::ConfigPathUnset));
        let new = excluded(&[("kubelet", "1.34.1"), ("containerd", "2.1.4")]);
        assert!(!new.contains(&Cause::ConfigLegacyInlineIgnored));
        assert_eq!(excluded(&[("docker", "20.10.5"), ("containerd", "2.1.4")]), []);
    }

    #[test]
    fn only_k3s_and_rke2_read_registries_yaml() {
        assert!(excluded(&[("kubelet", "1.29.1")]).contains(&Cause::ConfigRegistriesYamlStructure));
        for versions in [[("kubelet", "1.29.1+k3s1")], [("containerd", "1.7.7-k3s1")]] {
            assert!(!excluded(&versions).contains(&Cause::ConfigRegistriesYamlStructure), "{versions:?}");
        }
    }
}
