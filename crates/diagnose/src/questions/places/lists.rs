//! Images on machines, by what their runtimes and the API server list.

use crate::case::Case;
use crate::lines::output_at;
use crate::once::Holder;
use crate::pull::Pull;
use crate::question::{Question, Seen, Test};
use crate::subject::Subject;
use facts::{CommandOutput, Node, NodeFacts, Why};
use formats::kubectl_table;
use formats::reference;
use formats::transcript;
use report::{Evidence, Locator, Say};
use std::collections::HashMap;
use std::rc::Rc;

/// One list of images that a command printed: whose, and whether it is whole.
pub struct List<'a> {
    /// The node or machine; empty where unknown.
    place: &'a str,
    whole: bool,
    /// Whether the program that lists them builds images too.
    builds: bool,
    /// References, each with its evidence.
    images: Vec<(String, Evidence)>,
    /// The list itself as evidence.
    shown: Evidence,
}

/// `docker images`, `crictl images`, `nerdctl images`, `podman images`, `ctr images ls`.
fn printed(output: &CommandOutput) -> Option<List<'_>> {
    let command = transcript::command(&output.command);
    let lists = match command.program {
        "docker" | "podman" | "nerdctl" | "crictl" | "ctr" | "buildah" | "k3s" | "microk8s" => {
            command.arguments.iter().any(|a| matches!(*a, "images" | "image" | "img" | "i"))
        }
        _ => false,
    };
    let table = kubectl_table::read(&output.text).filter(|_| lists)?;
    let place = output.node.as_deref().unwrap_or(&output.vantage.place);
    let mut images = Vec::new();
    for (line, row) in &table.rows {
        let cell = |heads: &[&str]| heads.iter().find_map(|h| table.cell(row, h));
        let Some(name) = cell(&["REPOSITORY", "IMAGE", "REF"]).filter(|n| !n.is_empty() && *n != "<none>")
        else {
            continue;
        };
        let name = match cell(&["TAG"]).filter(|t| !t.is_empty() && *t != "<none>") {
            Some(tag) => format!("{name}:{tag}"),
            None => name.to_owned(),
        };
        let says = Say::new("evidence-image-listed").with("image", &*name).with("place", place);
        images.push((
            name,
            Evidence { at: output_at(output, output.origin.line + line + 1), says, quote: row.join("  ") },
        ));
    }
    let filtered =
        output.command.contains('|') || command.arguments.iter().any(|a| a.starts_with("--filter"));
    let names_one =
        command.arguments.iter().any(|a| a.contains('/') && !a.starts_with('/') && !a.starts_with('-'));
    Some(List {
        place,
        whole: !filtered && !names_one,
        builds: matches!(command.program, "docker" | "podman" | "buildah" | "nerdctl"),
        images,
        shown: Evidence {
            at: output_at(output, output.origin.line),
            says: Say::new("evidence-image-not-listed").with("place", place),
            quote: output.command.clone(),
        },
    })
}

fn lists<'s, 'a>(case: &'s Case<'a>) -> &'s [List<'a>] {
    case.once.image_lists.get_or_init(|| {
        let printed = case.snapshot.outputs.iter().filter_map(printed);
        printed.chain(case.snapshot.node_facts.iter().filter_map(of_runtime)).collect()
    })
}

/// At this many names a node's own report is cut.
const REPORTED: usize = 5_000;

/// What the node's runtime itself shows to the kubelet.
fn of_runtime(facts: &NodeFacts) -> Option<List<'_>> {
    let names = facts.images.seen()?;
    let evidence = |key: &'static str, image: &str| Evidence {
        at: Locator::Output {
            vantage: facts.name.clone(),
            command: "ListImages".into(),
            source: String::new(),
            line: 0,
        },
        says: Say::new(key).with("image", image).with("place", &*facts.name),
        quote: image.to_owned(),
    };
    Some(List {
        place: &facts.name,
        whole: names.len() < REPORTED,
        builds: false,
        images: names.iter().map(|i| (i.clone(), evidence("evidence-image-listed", i))).collect(),
        shown: evidence("evidence-image-not-listed", ""),
    })
}

/// What the API server lists of a node as evidence.
fn listed(node: &Node, key: &'static str, image: &str) -> Evidence {
    Evidence {
        at: Locator::Object {
            kind: "Node".into(),
            namespace: String::new(),
            name: node.meta.name.clone(),
            field: "status.images".into(),
        },
        says: Say::new(key).with("image", image).with("place", &*node.meta.name),
        quote: image.to_owned(),
    }
}

/// The node's own name for an image.
fn held<'n>(node: &'n Node, image: &str) -> Option<&'n str> {
    node.images.iter().map(String::as_str).find(|name| reference::same(name, image))
}

/// An image that runs on a node, and the namespace and name of its pod; both empty where only sums were kept.
pub type Runs<'a> = (&'a str, &'a str, &'a str);

/// What runs on each node.
fn running<'s, 'a>(case: &'s Case<'a>) -> &'s HashMap<&'a str, Vec<Runs<'a>>> {
    case.once.running.get_or_init(|| {
        let mut all: HashMap<&str, Vec<Runs<'_>>> = HashMap::new();
        for pod in case.snapshot.pods.iter().filter(|p| !p.node.is_empty()) {
            let started = pod.containers.iter().filter(|c| c.started && !c.image_id.is_empty());
            let runs = started.map(|c| (&*c.image, &*pod.meta.namespace, &*pod.meta.name));
            all.entry(&pod.node).or_default().extend(runs);
        }
        for (image, nodes) in &case.snapshot.healthy.images {
            for node in nodes.iter().filter(|n| !n.is_empty()) {
                all.entry(node).or_default().push((image, "", ""));
            }
        }
        all
    })
}

/// A pod that runs the image on the pull's node. The API server's list of a node's images follows later
/// (kubernetes pkg/kubelet/kubelet_node_status.go), so what runs weighs more than it.
fn run_there(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let here = running(case).get(pull.node)?;
    let (_, namespace, name) = here.iter().find(|(image, ..)| reference::same(image, &pull.image))?;
    Some(Evidence {
        at: Locator::Object {
            kind: "Pod".into(),
            namespace: (*namespace).into(),
            name: (*name).into(),
            field: "status.containerStatuses".into(),
        },
        says: Say::new("evidence-image-runs").with("image", &*pull.image).with("place", pull.node),
        quote: pull.image.clone(),
    })
}

fn on_node(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some(evidence) = run_there(case, pull) {
        return Seen::yes(evidence);
    }
    let mut absent = None;
    for list in lists(case).iter().filter(|l| !pull.node.is_empty() && l.place == pull.node) {
        if let Some((_, evidence)) = list.images.iter().find(|(name, _)| reference::same(name, &pull.image)) {
            return Seen::yes(evidence.clone());
        }
        if list.whole {
            absent = Some(list.shown.clone());
        }
    }
    if let Some(node) = case.node(pull.node) {
        if let Some(name) = held(node, &pull.image) {
            return Seen::yes(listed(node, "evidence-image-listed", name));
        }
        if !node.images_truncated && !node.images.is_empty() {
            absent = Some(listed(node, "evidence-image-not-listed", ""));
        }
    }
    absent.map_or(Seen::Blind(Why::NotAsked), Seen::no)
}

/// At most this many places that have an image are shown.
const PLACES: usize = 4;

/// The first nodes that the API server lists with an image: one more than are shown, since the pull's own does not count.
fn holders<'a>(case: &Case<'a>, image: &str) -> Rc<Vec<Holder<'a>>> {
    let mut known = case.once.holders.borrow_mut();
    let holders = known.entry(image.to_owned()).or_insert_with(|| {
        let all = case.snapshot.nodes.iter().filter(|n| !n.meta.name.is_empty());
        let all = all.filter_map(|node| {
            let name = held(node, image)?;
            Some((node.meta.name.as_str(), listed(node, "evidence-image-listed", name)))
        });
        Rc::new(all.take(PLACES + 1).collect())
    });
    Rc::clone(holders)
}

/// Where else the image is, on a machine that builds images or under a name that no pull can have given it.
pub fn on_builders(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Evidence> {
    let local = is_local_name(&pull.image);
    let printed = lists(case)
        .iter()
        .filter(|l| !l.place.is_empty() && l.place != pull.node && (l.builds || local))
        .filter_map(|l| l.images.iter().find(|(name, _)| reference::same(name, &pull.image)))
        .map(|(_, evidence)| evidence.clone());
    let mut found: Vec<Evidence> = printed.take(PLACES).collect();
    if local && found.len() < PLACES {
        let holders = holders(case, &pull.image);
        found.extend(holders.iter().filter(|(node, _)| *node != pull.node).map(|(_, e)| e.clone()));
        found.truncate(PLACES);
    }
    found
}

/// Another node that has the image, by its own list or by the API server's.
pub fn on_a_peer(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let others = lists(case).iter().filter(|l| !l.place.is_empty() && l.place != pull.node);
    let named = |l: &List<'_>| {
        l.images.iter().find(|(name, _)| reference::same(name, &pull.image)).map(|(_, e)| e.clone())
    };
    let printed = others.into_iter().find_map(named);
    printed.or_else(|| {
        let holders = holders(case, &pull.image);
        holders.iter().find(|(node, _)| *node != pull.node).map(|(_, e)| e.clone())
    })
}

/// The pause image on the pull's node under another name than the one that is asked for.
pub fn pause_by_another_name(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let last = |image: &str| {
        let repository = reference::repository_of(image);
        repository.rsplit('/').next().unwrap_or_default().to_owned()
    };
    let own = last(&pull.image);
    let mine = lists(case).iter().filter(|l| !pull.node.is_empty() && l.place == pull.node);
    let named = |l: &List<'_>| {
        let other = |name: &str| last(name) == own && !reference::same(name, &pull.image);
        l.images.iter().find(|(name, _)| other(name)).map(|(_, e)| e.clone())
    };
    mine.into_iter().find_map(named).filter(|_| !own.is_empty())
}

/// Whether the name is one that builds give by themselves: without a registry and without an account, or of the machine
/// itself. Docker Hub's official images have such names too, so it never decides alone.
pub fn is_local_name(image: &str) -> bool {
    let name = image.split(['@', ':']).next().unwrap_or_default();
    !image.is_empty() && (!name.contains('/') || image.starts_with("localhost/"))
}

/// Is the image on the pull's node?
pub static IMAGE_ON_NODE: Question = Question {
    id: "ask-image-on-node",
    ask: on_node,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, pull, _| {
            format!(
                "crictl images | grep '{}'",
                pull.image
                    .rsplit('/')
                    .next()
                    .unwrap_or_default()
                    .split([':', '@'])
                    .next()
                    .unwrap_or_default()
            )
        },
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Answer;
    use crate::testing::Scene;
    use facts::{Meta, Node};

    const ANY: Subject = Subject::Cluster;
    const LISTED: &str =
        "REPOSITORY   TAG     IMAGE ID      SIZE\nmyimage      latest  8f1b2c3d4e5f  357 MB\n";

    fn on(place: &str, text: &str) -> Scene {
        Scene::pod("myimage", &[])
            .output("docker images", text)
            .change(|s| s.outputs[0].node = Some(place.into()))
    }

    #[test]
    fn lists_show_where_an_image_is() {
        assert_eq!(on("worker-1", LISTED).ask(&IMAGE_ON_NODE, &ANY), Some(Answer::Yes));
        let scene = on("master", LISTED);
        assert_eq!(on_builders(&Case::new(&scene.snapshot), &scene.pull()).len(), 1);
        assert_eq!(on("master", LISTED).ask(&IMAGE_ON_NODE, &ANY), None);
        let other = "REPOSITORY  TAG  IMAGE ID  SIZE\nother       1    abc       1 MB\n";
        assert_eq!(on("worker-1", other).ask(&IMAGE_ON_NODE, &ANY), Some(Answer::No));
        let ctr = "REF                              TYPE   DIGEST\ndocker.io/library/myimage:latest type   sha256:a\n";
        let scene = on("worker-1", ctr).change(|s| s.outputs[0].command = "ctr -n k8s.io images ls".into());
        assert_eq!(scene.ask(&IMAGE_ON_NODE, &ANY), Some(Answer::Yes));
    }

    #[test]
    fn a_cut_list_of_the_api_server_never_shows_absence() {
        let node = |truncated| {
            Scene::pod("myimage", &[]).change(|s| {
                s.nodes.push(Node {
                    meta: Meta { name: "worker-1".into(), ..Meta::default() },
                    images: vec!["docker.io/library/other:1".into()],
                    images_truncated: truncated,
                    ..Node::default()
                });
            })
        };
        assert_eq!(node(true).ask(&IMAGE_ON_NODE, &ANY), None);
        assert_eq!(node(false).ask(&IMAGE_ON_NODE, &ANY), Some(Answer::No));
    }

    #[test]
    fn what_runs_on_the_node_weighs_more_than_a_list_that_follows_later() {
        let listed = |image: &str| Node {
            meta: Meta { name: "worker-1".into(), ..Meta::default() },
            images: vec![image.into()],
            ..Node::default()
        };
        let beside = |node: &'static str, image: &'static str| {
            Scene::pod("r.example.com/a:1", &[]).change(move |s| {
                s.nodes.push(listed("docker.io/library/other:1"));
                let mut pod = s.pods[0].clone();
                (pod.meta.name, pod.node) = ("seed".into(), node.into());
                (pod.containers[0].image, pod.containers[0].started) = (image.into(), true);
                pod.containers[0].image_id = "sha256:1".into();
                s.pods.push(pod);
            })
        };
        assert_eq!(beside("worker-1", "r.example.com/a:1").ask(&IMAGE_ON_NODE, &ANY), Some(Answer::Yes));
        assert_eq!(beside("worker-2", "r.example.com/a:1").ask(&IMAGE_ON_NODE, &ANY), Some(Answer::No));
        assert_eq!(beside("worker-1", "r.example.com/a:2").ask(&IMAGE_ON_NODE, &ANY), Some(Answer::No));
        let in_sums = |node: &str| {
            Scene::pod("r.example.com/a:1", &[]).change(|s| {
                s.nodes.push(listed("docker.io/library/other:1"));
                s.healthy.images.insert("r.example.com/a:1".into(), vec![node.into()]);
            })
        };
        assert_eq!(in_sums("worker-1").ask(&IMAGE_ON_NODE, &ANY), Some(Answer::Yes));
        assert_eq!(in_sums("worker-2").ask(&IMAGE_ON_NODE, &ANY), Some(Answer::No));
    }

    #[test]
    fn names_of_builds_are_told_from_names_of_registries() {
        for (image, expected) in [
            ("myimage", true),
            ("myimage:1", true),
            ("localhost/a", true),
            ("acme/a", false),
            ("r.example.com/a:1", false),
            ("", false),
        ] {
            assert_eq!(is_local_name(image), expected, "{image}");
        }
    }
}
