//! The pause image: the runtime pulls it by itself, with no pod's credentials.

use super::words;
use crate::case::Case;
use crate::lines::Line;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen};
use crate::questions::places::pause_by_another_name;
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

/// Whether a line is cri-dockerd's own: its command, and no mention of its socket.
fn is_of_cri_dockerd(line: &Line<'_>) -> bool {
    line.text.split([' ', '\t', '=']).any(|w| w.rsplit('/').next() == Some("cri-dockerd"))
}

/// Whether the runtime decides by itself. dockershim was a part of the kubelet and took its flag; cri-dockerd has a flag of
/// the same name (Mirantis/cri-dockerd config/flags.go), without which it takes the image that it was built with.
fn decides_itself(case: &Case<'_>, pull: &Pull<'_>, here: &dyn Fn(&Line<'_>) -> bool) -> bool {
    match case.view(pull).and_then(|v| v.runtime) {
        Some(Runtime::Containerd | Runtime::CriO) => true,
        Some(Runtime::Docker) => {
            let lines = case.lines_with("cri-dockerd");
            let mut all = lines.iter().filter(|l| here(l)).peekable();
            all.peek().is_some() && !all.any(|l| is_of_cri_dockerd(l) && l.text.contains(FLAG))
        }
        _ => false,
    }
}

fn set_for_kubelet(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let here = |l: &Line<'_>| l.node().is_none_or(|n| n.is_empty() || pull.node.is_empty() || n == pull.node);
    if pull.operation != Operation::Sandbox || !decides_itself(case, pull, &here) {
        return Seen::Blind(Why::NotAsked);
    }
    let other = |l: &&Line<'_>| {
        let image = l.text.split_once(FLAG).and_then(|(_, rest)| rest.split([' ', '"', '\'']).next());
        here(l) && !is_of_cri_dockerd(l) && image.is_some_and(|i| !i.is_empty() && i != pull.image)
    };
    match case.lines_with(FLAG).iter().find(other) {
        Some(line) => {
            let mut shown = vec![line.shows(Say::new("evidence-pause-image-for-kubelet"))];
            shown.extend(pause_by_another_name(case, pull));
            Seen::Is(Answer::Yes, shown)
        }
        None => Seen::Blind(Why::NotAsked),
    }
}

/// The pause image that was put on the node, under a name that is not the one which the runtime asks for.
fn under_another_name(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    match pause_by_another_name(case, pull).filter(|_| pull.operation == Operation::Sandbox) {
        Some(shown) => Seen::yes(shown),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Is the pause image on the node under another name?
pub static PAUSE_BY_ANOTHER_NAME: Question =
    Question { id: "ask-pause-image-by-another-name", ask: under_another_name, test: None };

/// Is another pause image set where only the kubelet looks?
pub static PAUSE_SET_FOR_KUBELET: Question =
    Question { id: "ask-pause-image-for-kubelet", ask: set_for_kubelet, test: None };

#[cfg(test)]
mod tests {
    use super::*;
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
        let socket = format!("{flag} --container-runtime-endpoint=unix:///var/run/cri-dockerd.sock");
        let own =
            |flags: &str| format!("{socket}\n/usr/bin/cri-dockerd --container-runtime-endpoint fd://{flags}");
        assert_eq!(with(Runtime::Docker, &own("")), Some(Answer::Yes), "cri-dockerd takes its own alone");
        assert_eq!(with(Runtime::Docker, &socket), Some(Answer::Yes));
        assert_eq!(
            with(Runtime::Docker, &own(" --pod-infra-container-image=registry.k8s.io/pause:3.8")),
            None
        );
    }

    #[test]
    fn the_pause_image_of_a_closed_network_has_another_name() {
        let with = |repository: &str| {
            let mut scene = Scene::pod("registry.k8s.io/pause:3.8", &[]).symptom(Cause::NetTimeout);
            scene.operation = Operation::Sandbox;
            let table =
                format!("REPOSITORY                TAG   IMAGE ID\n{repository:<25} 3.8   e6f181688397\n");
            scene
                .output("docker images", &table)
                .change(|s| s.outputs[0].node = Some("worker-1".into()))
                .ask(&PAUSE_BY_ANOTHER_NAME, &Subject::Cluster)
        };
        assert_eq!(with("m.example.com/k8s/pause"), Some(Answer::Yes));
        assert_eq!(with("registry.k8s.io/pause"), None);
        assert_eq!(with("m.example.com/k8s/etcd"), None);
    }
}
