//! Whether the node itself removed the image: the kubelet's garbage collection, or a hand.

use super::lists::is_local_name;
use crate::case::Case;
use crate::lines::Line;
use crate::naming::{names_image, repository_and_tag};
use crate::pull::Pull;
use crate::question::{Question, Seen, Test};
use crate::subject::Subject;
use facts::Why;
use report::Say;
use vocabulary::Operation;

/// The image that could not be had: for a sandbox, the one that the words name.
fn image_of<'p>(pull: &'p Pull<'_>) -> &'p str {
    pull.reading().and_then(|r| r.image.as_deref()).unwrap_or(&pull.image)
}

/// Words by which a runtime or a kubelet tells that an image was removed. Sources: containerd's `ImageDelete` event;
/// kubernetes pkg/kubelet/images/image_gc_manager.go; CRI-O and dockerd logs.
const REMOVED: &[&str] = &[
    "ImageDelete",
    "images/delete",
    "Removing image",
    "Removed image",
    "Deleted image",
    "removed image",
    "RemoveImage",
    "untag",
];

fn of_node(line: &Line<'_>, pull: &Pull<'_>) -> bool {
    line.node().is_none_or(|n| n.is_empty() || pull.node.is_empty() || n == pull.node)
}

fn removed(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let image = image_of(pull);
    if image.is_empty() {
        return Seen::Blind(Why::NotAsked);
    }
    let (repository, tag) = repository_and_tag(image);
    let tag = tag.as_deref();
    let lines = case.lines_with(&repository);
    let own: Vec<Line<'_>> =
        lines.iter().filter(|l| names_image(l.text, &repository, tag)).copied().collect();
    let told = own
        .iter()
        .find(|l| of_node(l, pull) && REMOVED.iter().any(|w| l.text.contains(w)) && !had_again(&own, l));
    let told = told.copied().or_else(|| removed_by_id(case, pull, &own));
    let Some(told) = told else { return Seen::Blind(Why::NotAsked) };
    let mut evidence = vec![told.shows(Say::new("evidence-image-removed").with("image", image))];
    for word in ["Removing image", "image_gc_manager", "imageGCManager", "ImageGCManager"] {
        let collecting = case.lines_with(word);
        if let Some(line) = collecting.iter().find(|l| of_node(l, pull)) {
            evidence.push(line.shows(Say::new("evidence-garbage-collection-ran")));
            break;
        }
    }
    Seen::Is(crate::question::Answer::Yes, evidence)
}

/// Words by which a runtime tells that it has an image (containerd's `ImageCreate` event, its CRI service and others').
const HAD: &[&str] = &["ImageCreate", "Pulled image", "returns image reference"];

/// Whether a later line of the same log shows that the image was had again.
fn had_again(own: &[Line<'_>], removed: &Line<'_>) -> bool {
    own.iter().any(|l| {
        l.path() == removed.path() && l.number > removed.number && HAD.iter().any(|w| l.text.contains(w))
    })
}

/// The kubelet names what it removes by its id: a line that names the image gives the id away.
fn removed_by_id<'a>(case: &Case<'a>, pull: &Pull<'_>, own: &[Line<'a>]) -> Option<Line<'a>> {
    let here = own.iter().filter(|l| of_node(l, pull));
    let ids = here.flat_map(|l| l.text.split(|c: char| !c.is_ascii_hexdigit())).filter(|w| w.len() >= 12);
    for id in ids {
        let lines = case.lines_with(id);
        if let Some(line) =
            lines.iter().find(|l| of_node(l, pull) && REMOVED.iter().any(|w| l.text.contains(w)))
        {
            return Some(*line);
        }
    }
    None
}

/// Whether the image cannot be had again the usual way: a sandbox's is pulled without credentials, and a name that a
/// build gave leads nowhere.
fn not_elsewhere(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let sandbox = pull.operation == Operation::Sandbox;
    match pull.deciding().filter(|_| sandbox || is_local_name(image_of(pull))) {
        Some(o) => {
            let key = if sandbox {
                "evidence-sandbox-without-credentials"
            } else {
                "evidence-name-without-registry"
            };
            Seen::yes(crate::questions::words::quote(o, Say::new(key).with("image", image_of(pull))))
        }
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Is it an image that no pull can bring back?
pub static NOT_ELSEWHERE: Question =
    Question { id: "ask-image-not-elsewhere", ask: not_elsewhere, test: None };

/// Did the node remove the image?
pub static REMOVED_HERE: Question = Question {
    id: "ask-image-removed-here",
    ask: removed,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, _, _| {
            "journalctl -u kubelet -u containerd | grep -E 'image_gc_manager|ImageDelete'".into()
        },
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Answer;
    use crate::testing::Scene;

    #[test]
    fn the_runtimes_log_tells_which_image_was_removed() {
        let scene = Scene::pod("registry.example.com/pause:3.9", &[]);
        let any = Subject::Cluster;
        let told =
            scene.clone().log("msg=\"ImageDelete event &ImageDelete{Name:registry.example.com/pause:3.9}\"");
        assert_eq!(told.ask(&REMOVED_HERE, &any), Some(Answer::Yes));
        let newer = scene.clone().log(r#"msg="ImageDelete event name:\"registry.example.com/pause:3.9\"""#);
        assert_eq!(newer.ask(&REMOVED_HERE, &any), Some(Answer::Yes));
        let other =
            scene.clone().log("msg=\"ImageDelete event &ImageDelete{Name:registry.example.com/other:3.9}\"");
        assert_eq!(other.ask(&REMOVED_HERE, &any), None);
        let older =
            scene.clone().log("msg=\"ImageDelete event &ImageDelete{Name:registry.example.com/pause:3.6}\"");
        assert_eq!(older.ask(&REMOVED_HERE, &any), None, "another tag");
        let again = "msg=\"ImageDelete event &ImageDelete{Name:registry.example.com/pause:3.9}\"\n\
                     msg=\"ImageCreate event &ImageCreate{Name:registry.example.com/pause:3.9}\"";
        assert_eq!(scene.clone().log(again).ask(&REMOVED_HERE, &any), None, "it was had again");
        let pulled = scene.log("PullImage \"registry.example.com/pause:3.9\"");
        assert_eq!(pulled.ask(&REMOVED_HERE, &any), None);
    }
}
