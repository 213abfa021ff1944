//! Images on machines, by what their runtimes and the API server list.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Question, Seen, Test};
use crate::subject::Subject;
use facts::{CommandOutput, Why};
use formats::kubectl_table;
use formats::reference;
use formats::transcript;
use report::{Evidence, Locator, Say};

/// One list of images: whose, and whether it is whole.
struct List<'a> {
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

fn at_output(output: &CommandOutput, line: u32) -> Locator {
    Locator::Output {
        vantage: output.vantage.to_string(),
        command: output.command.clone(),
        source: output.origin.source.clone(),
        line: output.origin.line + line,
    }
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
        images.push((name, Evidence { at: at_output(output, line + 1), says, quote: row.join("  ") }));
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
            at: at_output(output, 0),
            says: Say::new("evidence-image-not-listed").with("place", place),
            quote: output.command.clone(),
        },
    })
}

fn lists<'a>(case: &Case<'a>) -> Vec<List<'a>> {
    let printed = case.snapshot.outputs.iter().filter_map(printed);
    let of_api = case.snapshot.nodes.iter().map(|node| {
        let at = || Locator::Object {
            kind: "Node".into(),
            namespace: String::new(),
            name: node.meta.name.clone(),
            field: "status.images".into(),
        };
        let evidence = |key: &'static str, image: &str| Evidence {
            at: at(),
            says: Say::new(key).with("image", image).with("place", &*node.meta.name),
            quote: image.to_owned(),
        };
        List {
            place: &node.meta.name,
            whole: !node.images_truncated && !node.images.is_empty(),
            builds: false,
            images: node.images.iter().map(|i| (i.clone(), evidence("evidence-image-listed", i))).collect(),
            shown: evidence("evidence-image-not-listed", ""),
        }
    });
    printed.chain(of_api).collect()
}

fn on_node(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let mut absent = None;
    for list in lists(case).into_iter().filter(|l| !pull.node.is_empty() && l.place == pull.node) {
        if let Some((_, evidence)) =
            list.images.into_iter().find(|(name, _)| reference::same(name, &pull.image))
        {
            return Seen::yes(evidence);
        }
        if list.whole {
            absent = Some(list.shown);
        }
    }
    absent.map_or(Seen::Blind(Why::NotAsked), Seen::no)
}

/// Where else the image is, on a machine that builds images or under a name that no pull can have given it.
pub fn on_builders(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Evidence> {
    let local = is_local_name(&pull.image);
    lists(case)
        .into_iter()
        .filter(|l| !l.place.is_empty() && l.place != pull.node && (l.builds || local))
        .filter_map(|l| l.images.into_iter().find(|(name, _)| reference::same(name, &pull.image)))
        .map(|(_, evidence)| evidence)
        .take(4)
        .collect()
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
