//! Docker configurations of a node with an entry for the image: in a place where the kubelet does not look, or on another
//! node alone.

use super::aim::Provides;
use super::{Fault, Faults, Scene, remedy};
use crate::question::{Answer, Seen};
use crate::questions::sent::{IN_ROOTS_HOME, KUBELETS_OWN, SOMETHING_SERVES, looks_home};
use crate::subject::Subject;
use emulate::containerd::At;
use emulate::kubelet::{image_name, keyring};
use facts::NodeFacts;
use report::{Evidence, Locator, Say};
use vocabulary::{Cause, Runtime};

/// Looks at them, where credentials are what the pull lacked and no secret has any.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let lacks = scene.aim.needs(&Provides { auth: true, ..Provides::default() });
    // CRI-O reads files of its own user besides.
    if !lacks || scene.view.runtime == Some(Runtime::CriO) || !scene.aim.at_registry() {
        return;
    }
    let served = (SOMETHING_SERVES.ask)(scene.case, scene.pull, &Subject::Cluster);
    if matches!(served, Seen::Is(Answer::Yes, _)) {
        return;
    }
    in_the_home(scene, faults);
    on_another_node(scene, faults);
}

/// Whether a file has an entry for the image.
fn serves(scene: &Scene<'_, '_>, facts: &NodeFacts, path: &str) -> bool {
    let Ok(name) = image_name::lookup_name(&scene.pull.image) else { return false };
    let keys = facts.docker_configs.get(path).map(|c| &c.entries).into_iter().flatten();
    !keyring::lookup(keys.filter(|e| e.user.is_some()).map(|e| e.key.as_str()), &name).is_empty()
}

fn in_the_home(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let Some((false, shown)) = looks_home(scene.case, scene.pull) else { return };
    if !serves(scene, scene.view.facts, IN_ROOTS_HOME) {
        return;
    }
    let says = Say::new("evidence-file-not-read").with("file", IN_ROOTS_HOME).with("read", KUBELETS_OWN);
    faults.add(Fault {
        cause: Cause::ConfigWrongFileLocation,
        subject: remedy::file(scene, IN_ROOTS_HOME),
        evidence: vec![scene.view.shows(&At::whole(IN_ROOTS_HOME), says), shown],
        certain: true,
        remedies: remedy::move_file(scene, IN_ROOTS_HOME, KUBELETS_OWN),
    });
}

fn on_another_node(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let own = scene.view.facts;
    let Some(gone) = scene.view.absent.shown(KUBELETS_OWN) else { return };
    let others = scene.case.snapshot.node_facts.iter().filter(|f| f.name != own.name);
    for other in others.filter(|o| serves(scene, o, KUBELETS_OWN)) {
        let at = Locator::File {
            node: other.name.clone(),
            path: KUBELETS_OWN.to_owned(),
            line: 0,
            column: 0,
            snippet: String::new(),
        };
        let says = Say::new("evidence-other-machine-has")
            .with("machine", other.name.clone())
            .with("file", KUBELETS_OWN);
        faults.add(Fault {
            cause: Cause::ConfigMissingOnNode,
            subject: remedy::file(scene, KUBELETS_OWN),
            evidence: vec![
                gone.evidence(Say::new("evidence-not-there").with("file", KUBELETS_OWN)),
                Evidence { at, says, quote: String::new() },
            ],
            certain: scene.aim.is_known(),
            remedies: Vec::new(),
        });
    }
}
