//! The pause image: the runtime pulls it by itself, with no pod's credentials.

use super::words;
use crate::case::Case;
use crate::lines::Line;
use crate::pull::Pull;
use crate::question::{Question, Seen};
use crate::subject::Subject;
use facts::Why;
use report::Say;
use vocabulary::{Cause, Operation, Runtime, Stage};

fn anonymous(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    // A name that does not resolve, or a connection that does not come about, has nothing to do with who asks.
    let answered = |c: Cause| matches!(c.stage(), Stage::Token | Stage::Authorization | Stage::Manifest);
    let sandbox =
        pull.deciding().filter(|o| o.reading.operation == Operation::Sandbox && answered(o.reading.cause));
    match sandbox {
        Some(o) => Seen::yes(words::quote(
            o,
            Say::new("evidence-sandbox-without-credentials").with("image", &*pull.image),
        )),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Was it the sandbox's image, which is pulled without a pod's credentials?
pub static SANDBOX_ANONYMOUS: Question = Question { id: "ask-sandbox-image", ask: anonymous, test: None };

/// The flag by which people set the pause image for the kubelet: since it has no runtime of its own, the image only
/// escapes its garbage collection (kubernetes cmd/kubelet/app/options, `--pod-infra-container-image`).
const FLAG: &str = "--pod-infra-container-image=";

fn set_for_kubelet(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let by_runtime =
        case.view(pull).is_some_and(|v| matches!(v.runtime, Some(Runtime::Containerd | Runtime::CriO)));
    if pull.operation != Operation::Sandbox || !by_runtime {
        return Seen::Blind(Why::NotAsked);
    }
    let other = |l: &&Line<'_>| {
        let here = l.node().is_none_or(|n| n.is_empty() || pull.node.is_empty() || n == pull.node);
        let image = l.text.split_once(FLAG).and_then(|(_, rest)| rest.split([' ', '"', '\'']).next());
        here && image.is_some_and(|i| !i.is_empty() && i != pull.image)
    };
    match case.lines_with(FLAG).iter().find(other) {
        Some(line) => Seen::yes(line.shows(Say::new("evidence-pause-image-for-kubelet"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Is another pause image set where only the kubelet looks?
pub static PAUSE_SET_FOR_KUBELET: Question =
    Question { id: "ask-pause-image-for-kubelet", ask: set_for_kubelet, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Answer;
    use crate::testing::Scene;

    #[test]
    fn a_flag_of_the_kubelet_sets_no_pause_image() {
        let with = |runtime: Runtime, flag: &str| {
            let mut scene = Scene::pod("registry.k8s.io/pause:3.8", &[]).symptom(Cause::NetTimeout);
            scene.operation = Operation::Sandbox;
            scene
                .change(|s| {
                    s.node_facts.push(facts::NodeFacts {
                        name: "worker-1".into(),
                        name_given: true,
                        runtime: Some(facts::RuntimeVersion { runtime, version: "1.7.20".into() }),
                        ..Default::default()
                    });
                })
                .log(flag)
                .ask(&PAUSE_SET_FOR_KUBELET, &Subject::Cluster)
        };
        let other = "FLAG: --pod-infra-container-image=\"\"";
        let flag = "kubelet --pod-infra-container-image=m.example.com/pause:3.8";
        assert_eq!(with(Runtime::Containerd, flag), Some(Answer::Yes));
        assert_eq!(with(Runtime::Docker, flag), None, "dockershim takes it");
        assert_eq!(
            with(Runtime::Containerd, "kubelet --pod-infra-container-image=registry.k8s.io/pause:3.8"),
            None
        );
        assert_eq!(with(Runtime::Containerd, other), None, "an empty one");
    }
}
