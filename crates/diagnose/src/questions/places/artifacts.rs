//! When an image was pushed, by the registry's own database: Harbor's lists of artifacts.

use crate::case::Case;
use crate::lines::{Line, Source};
use crate::pull::Pull;
use formats::reference::{normalized, repository_of};
use formats::url::path_of;
use jiff::Timestamp;
use report::{Evidence, Say};
use serde_json::Value;

/// When the image's tag or digest was pushed, as an answer of `/projects/NAME/repositories/NAME/artifacts` tells
/// (goharbor/harbor api/v2.0/swagger.yaml, `Artifact` and `Tag`).
pub fn pushed(case: &Case<'_>, pull: &Pull<'_>) -> Option<(Timestamp, Evidence)> {
    let (repository, whole) = (repository_of(&pull.image), normalized(&pull.image));
    let (_, path) = repository.split_once('/')?;
    let by = whole.strip_prefix(&repository)?.trim_start_matches([':', '@']).to_owned();
    let mut read = "";
    case.lines_with("\"push_time\"").iter().find_map(|line| {
        // A text is read once, at its first line of the kind.
        if line.path() == read {
            return None;
        }
        read = line.path();
        let (text, url) = text_of(line)?;
        let json: Value = serde_json::from_str(text.get(text.find(['[', '{'])?..)?.trim()).ok()?;
        let all = json.as_array().map_or(std::slice::from_ref(&json), Vec::as_slice);
        let at = all.iter().filter(|a| is_of(a, url, path)).find_map(|a| when(a, &by))?;
        let says =
            Say::new("evidence-image-known-since").with("image", &*pull.image).with("at", at.to_string());
        Some((at, line.shows(says)))
    })
}

/// The whole text that a line stands in, and the URL that it is the answer to.
fn text_of<'a>(line: &Line<'a>) -> Option<(&'a str, &'a str)> {
    match line.source {
        Source::Document(d) => Some((&d.text, "")),
        Source::Output(o) => {
            let url = o.command.split([' ', '"', '\'']).find(|w| w.contains("/repositories/"))?;
            Some((&o.text, url))
        }
        Source::File(..) => None,
    }
}

/// Whether an artifact is of the repository: by its own word, else by what was asked. Slashes are encoded twice there.
fn is_of(artifact: &Value, url: &str, path: &str) -> bool {
    if let Some(name) = artifact.get("repository_name").and_then(Value::as_str) {
        return name == path;
    }
    let Some((project, name)) = path.split_once('/') else { return false };
    let asked = path_of(url).replace("%252F", "/").replace("%2F", "/");
    asked.contains(&format!("/projects/{project}/repositories/{name}/artifacts"))
}

/// When the artifact's tag was pushed; an artifact's own time where it is the digest that is asked for.
fn when(artifact: &Value, by: &str) -> Option<Timestamp> {
    let time = |v: &Value| v.get("push_time")?.as_str()?.parse().ok();
    if artifact.get("digest").and_then(Value::as_str) == Some(by) {
        return time(artifact);
    }
    let tags = artifact.get("tags")?.as_array()?;
    let tag = tags.iter().find(|t| t.get("name").and_then(Value::as_str) == Some(by))?;
    time(tag).or_else(|| time(artifact))
}

#[cfg(test)]
mod tests {
    use crate::question::Answer;
    use crate::questions::places::STORAGE_LOST;
    use crate::subject::Subject;
    use crate::testing::{Scene, at};
    use facts::Place;
    use vocabulary::Cause;

    const LISTED: &str = r#"[{"digest":"sha256:aa","push_time":"2026-11-30T07:00:00Z","repository_name":"web/shop","tags":[{"name":"210"}]}]"#;

    fn claimed(clock: &str) -> Scene {
        Scene::pod("harbor.example.com/web/shop:210", &[])
            .symptom(Cause::ManifestUnknown)
            .other("PersistentVolumeClaim", "harbor", "harbor-registry", "{}")
            .change(|s| s.others[0].meta.created = at(clock))
    }

    fn lost(scene: Scene) -> Option<Answer> {
        scene.ask(&STORAGE_LOST, &Subject::Cluster)
    }

    #[test]
    fn a_volume_that_is_younger_than_what_its_database_lists_is_another_one() {
        let listed =
            |clock: &str, text: &str| lost(claimed(clock).document(Place::Registry, "artifacts.json", text));
        assert_eq!(listed("08:00:00", LISTED), Some(Answer::Stale));
        assert_eq!(listed("06:00:00", LISTED), None, "it was there before");
        assert_eq!(listed("08:00:00", &LISTED.replace("210", "211")), None, "another tag");
        assert_eq!(listed("08:00:00", &LISTED.replace("web/shop", "web/other")), None);
        assert_eq!(listed("08:00:00", LISTED.trim_end_matches(']')), None, "cut off");
    }

    #[test]
    fn an_answer_without_the_repositorys_name_is_of_what_was_asked() {
        let nameless = LISTED.replace(r#""repository_name":"web/shop","#, "");
        let asked = |name: &str| {
            let command = format!(
                "curl -s https://harbor.example.com/api/v2.0/projects/web/repositories/{name}/artifacts"
            );
            lost(claimed("08:00:00").output(&command, &nameless))
        };
        assert_eq!(asked("shop"), Some(Answer::Stale));
        assert_eq!(asked("other"), None);
    }
}
