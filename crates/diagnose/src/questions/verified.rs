//! Kubelets that let a pod use an image of the node only if its own credentials may pull it.
//! Source: KEP-2535; gate KubeletEnsureSecretPulledImages, on from 1.35.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen};
use crate::subject::Subject;
use facts::Why;
use report::{Evidence, Locator, Say};

/// The minor version of the pull's kubelet, and where it stands.
fn kubelet(case: &Case<'_>, pull: &Pull<'_>) -> Option<(u32, Evidence)> {
    let of_node = case.node(pull.node).filter(|n| !n.kubelet.is_empty()).map(|n| {
        (
            n.kubelet.as_str(),
            Locator::Object {
                kind: "Node".into(),
                namespace: String::new(),
                name: n.meta.name.clone(),
                field: "status.nodeInfo.kubeletVersion".into(),
            },
        )
    });
    let stated = || {
        let v = case
            .snapshot
            .versions
            .iter()
            .find(|v| v.program == "kubelet" && v.node.as_deref().is_none_or(|n| n == pull.node))?;
        let at = Locator::File {
            node: String::new(),
            path: v.origin.source.clone(),
            line: v.origin.line,
            column: 0,
            snippet: String::new(),
        };
        Some((v.version.as_str(), at))
    };
    let (version, at) = of_node.or_else(stated)?;
    let minor = version.trim_start_matches('v').split('.').nth(1)?.parse().ok()?;
    Some((
        minor,
        Evidence {
            at,
            says: Say::new("evidence-kubelet-version").with("version", version),
            quote: version.to_owned(),
        },
    ))
}

fn verifies(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    match kubelet(case, pull) {
        Some((minor, evidence)) => {
            Seen::Is(if minor >= 35 { Answer::Yes } else { Answer::No }, vec![evidence])
        }
        None => Seen::Blind(Why::NotAsked),
    }
}

fn not_always(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let (Some(pod), Some(container)) = (pull.pod, pull.container) else { return Seen::Blind(Why::NotAsked) };
    if container.pull_policy.is_empty() {
        return Seen::Blind(Why::NotAsked);
    }
    let answer = if container.pull_policy == "Always" { Answer::No } else { Answer::Yes };
    Seen::Is(
        answer,
        vec![Evidence {
            at: Locator::Object {
                kind: "Pod".into(),
                namespace: pod.meta.namespace.clone(),
                name: pod.meta.name.clone(),
                field: format!("spec.containers[{}].imagePullPolicy", container.name),
            },
            says: Say::new("evidence-pull-policy").with("policy", &*container.pull_policy),
            quote: container.pull_policy.clone(),
        }],
    )
}

/// Does this kubelet verify credentials for images that are on the node?
pub static KUBELET_VERIFIES: Question = Question { id: "ask-kubelet-verifies", ask: verifies, test: None };

/// Would the image on the node do, by the pull policy?
pub static NOT_ALWAYS: Question = Question { id: "ask-policy-not-always", ask: not_always, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use facts::{Meta, Node};

    #[test]
    fn kubelets_verify_from_1_35_on() {
        let ask = |version: &str| {
            let node = Node {
                meta: Meta { name: "worker-1".into(), ..Meta::default() },
                kubelet: version.into(),
                ..Node::default()
            };
            Scene::pod("r.example.com/a:1", &[])
                .change(|s| s.nodes.push(node))
                .ask(&KUBELET_VERIFIES, &Subject::Cluster)
        };
        assert_eq!(ask("v1.35.0"), Some(Answer::Yes));
        assert_eq!(ask("v1.34.2-eks"), Some(Answer::No));
        assert_eq!(ask(""), None);
    }

    #[test]
    fn the_default_policy_says_nothing() {
        let ask = |policy: &str| {
            Scene::pod("r.example.com/a:1", &[])
                .change(|s| s.pods[0].containers[0].pull_policy = policy.into())
                .ask(&NOT_ALWAYS, &Subject::Cluster)
        };
        assert_eq!(
            (ask("Always"), ask("IfNotPresent"), ask("")),
            (Some(Answer::No), Some(Answer::Yes), None)
        );
    }
}
