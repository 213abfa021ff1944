//! Images that never reached a registry: a push of theirs failed, or only the machine that built them has them.

use super::lists::{is_local_name, on_builders};
use crate::case::Case;
use crate::naming::{names_image, repository_and_tag};
use crate::pull::Pull;
use crate::pushed;
use crate::question::{Answer, Question, Seen};
use crate::subject::Subject;
use facts::Why;
use formats::reference::repository_of;
use report::{Evidence, Locator, Say};
use vocabulary::Operation;

/// A failing push of the pull's repository, or one beside a line that names it.
fn failed(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if pull.operation != Operation::Pull || pull.image.is_empty() {
        return Seen::Blind(Why::NotAsked);
    }
    let (repository, tag) = repository_and_tag(&pull.image);
    let tag = tag.as_deref();
    for sighting in &case.snapshot.sightings {
        let reading = case.read(&sighting.text);
        if sighting.operation.unwrap_or(reading.operation) != Operation::Push {
            continue;
        }
        let image = Some(sighting.image.as_str()).filter(|i| !i.is_empty()).or(reading.image.as_deref());
        let same = match image {
            Some(image) => repository_of(image) == repository && tag_of(image).is_none_or(|t| Some(t) == tag),
            None => names_it(case, &sighting.origin.source, &repository, tag),
        };
        if same && !pushed::made_good(case, sighting, &pull.image) {
            return Seen::yes(Evidence {
                at: Locator::File {
                    node: sighting.node.clone().unwrap_or_default(),
                    path: sighting.origin.source.clone(),
                    line: sighting.origin.line,
                    column: 0,
                    snippet: String::new(),
                },
                says: Say::new("evidence-push-failed").with("cause", reading.cause.id()),
                quote: sighting.text.chars().take(300).collect(),
            });
        }
    }
    Seen::Blind(Why::NotAsked)
}

/// The tag that stands in a reference.
fn tag_of(image: &str) -> Option<&str> {
    let name = image.split('@').next().unwrap_or_default();
    name.rsplit_once(':').map(|(_, tag)| tag).filter(|tag| !tag.contains('/'))
}

/// Whether the text that holds the failing push also names the image, or its repository and no other tag.
fn names_it(case: &Case<'_>, source: &str, repository: &str, tag: Option<&str>) -> bool {
    let documents =
        case.snapshot.documents.iter().filter(|d| d.origin.source == source).map(|d| d.text.as_str());
    let outputs = case.snapshot.outputs.iter().filter(|o| o.origin.source == source);
    documents
        .chain(outputs.flat_map(|o| [o.command.as_str(), o.text.as_str()]))
        .any(|t| names_image(t, repository, tag))
}

/// `Yes` where a push failed, `Elsewhere` where only another machine has it.
fn local_only(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let pushed = failed(case, pull, subject);
    if matches!(pushed, Seen::Is(..)) || pull.operation != Operation::Pull {
        return pushed;
    }
    let shown = on_builders(case, pull);
    if shown.is_empty() { Seen::Blind(Why::NotAsked) } else { Seen::Is(Answer::Elsewhere, shown) }
}

/// The same, where no pull can have put it there: the push's failure was seen, or the name is one that builds give.
fn local_only_seen(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match local_only(case, pull, subject) {
        seen @ Seen::Is(Answer::Yes, _) => seen,
        Seen::Is(_, shown) if is_local_name(&pull.image) => Seen::Is(Answer::Yes, shown),
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// Is the image only on the machine that built it?
pub static LOCAL_ONLY: Question = Question {
    id: "ask-image-only-local",
    ask: local_only,
    test: Some(crate::question::Test {
        cost: 3,
        vantage: "here",
        command: |_, pull, _| {
            format!("pullproof probe {}; docker images {}", pull.image, repository_of(&pull.image))
        },
    }),
};

/// Was it seen that it never was anywhere else?
pub static LOCAL_ONLY_SEEN: Question =
    Question { id: "ask-image-only-local-seen", ask: local_only_seen, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, at};
    use facts::{Origin, Place, Sighting, Vantage};

    const ANY: Subject = Subject::Cluster;

    fn pushed(text: &str) -> Scene {
        Scene::pod("registry.example.com/team/app:1", &[])
            .document(
                Place::Ci,
                "ci/push.log",
                "The push refers to repository [registry.example.com/team/app]",
            )
            .change(|s| {
                s.sightings.push(Sighting {
                    vantage: Vantage { client: "docker".into(), place: "ci".into() },
                    node: None,
                    text: text.into(),
                    image: String::new(),
                    operation: None,
                    at: at("09:00:00"),
                    count: 1,
                    origin: Origin { source: "ci/push.log".into(), line: 2 },
                });
            })
    }

    #[test]
    fn a_failed_push_of_the_repository_counts_and_a_failed_pull_does_not() {
        let failed = pushed(
            "error parsing HTTP 413 response body: invalid character '<' looking for beginning of value: \"<html>413 Request Entity Too Large\"",
        );
        let operation = formats::message::read(&failed.snapshot.sightings[0].text).operation;
        let expected = (operation == Operation::Push).then_some(Answer::Yes);
        assert_eq!(failed.ask(&LOCAL_ONLY, &ANY), expected);
        let named = |log: &str| {
            let scene = pushed("denied: quota exceeded").change(|s| {
                s.documents[0].text = log.into();
                s.sightings[0].operation = Some(Operation::Push);
            });
            scene.ask(&LOCAL_ONLY, &ANY)
        };
        assert_eq!(named("docker push registry.example.com/team/app:1"), Some(Answer::Yes));
        assert_eq!(named("docker push registry.example.com/team/app:2"), None, "another tag");
        assert_eq!(named("docker push registry.example.com/team/app-ui:1"), None, "another repository");
        let pull = pushed("Failed to pull image \"registry.example.com/team/app:1\": not found");
        assert_eq!(pull.ask(&LOCAL_ONLY, &ANY), None);
    }
}
