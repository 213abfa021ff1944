//! Pushes that went well, as build jobs tell of them: what was in the registry, and since when.

use crate::case::Case;
use crate::lines::Line;
use facts::Sighting;
use formats::reference::{repository_of, same};
use formats::transcript::line_time;
use jiff::Timestamp;
use report::{Evidence, Say};

/// One accepted push.
pub struct Pushed<'a> {
    /// Repository and tag.
    pub image: String,
    /// When, where the line says.
    pub at: Option<Timestamp>,
    line: Line<'a>,
}

impl Pushed<'_> {
    /// The line as evidence.
    pub fn shows(&self) -> Evidence {
        self.line.shows(Say::new("evidence-pushed").with("image", &*self.image))
    }
}

/// Every accepted push. docker and podman print the repository first and `TAG: digest: sha256:...` when the registry has
/// taken the manifest (docker/cli cli/command/image/push.go, moby distribution/push_v2.go).
pub fn all<'c, 'a>(case: &'c Case<'a>) -> &'c [Pushed<'a>] {
    case.once.pushed.get_or_init(|| find(case))
}

fn find<'a>(case: &Case<'a>) -> Vec<Pushed<'a>> {
    let begun = case.lines_with("The push refers to repository [");
    let mut found = Vec::new();
    for line in case.lines_with(": digest: sha256:").iter() {
        let tag = line.text.split(": digest: ").next().and_then(|t| t.split_whitespace().last());
        let began = begun.iter().rfind(|b| b.path() == line.path() && b.number < line.number);
        let repository = began
            .and_then(|b| b.text.split_once('['))
            .and_then(|(_, rest)| rest.split_once(']'))
            .map(|(name, _)| name);
        if let (Some(tag), Some(repository)) = (tag, repository) {
            found.push(Pushed {
                image: format!("{repository}:{tag}"),
                at: line_time(line.text),
                line: *line,
            });
        }
    }
    found
}

/// Whether a push that failed was made good: this image was pushed to the same repository after it.
pub fn made_good<'a>(case: &Case<'a>, failed: &'a Sighting, image: &str) -> bool {
    let reading = case.read(&failed.text);
    let named = Some(failed.image.as_str()).filter(|i| !i.is_empty()).or(reading.image.as_deref());
    let of_it = named.is_none_or(|n| repository_of(n) == repository_of(image));
    let later = |p: &Pushed<'_>| match (failed.at, p.at) {
        (Some(failed), Some(pushed)) => pushed > failed,
        _ => p.line.path() == failed.origin.source && p.line.number > failed.origin.line,
    };
    of_it && all(case).iter().any(|p| same(&p.image, image) && later(p))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use facts::{Origin, Place, Vantage};

    const IMAGE: &str = "r.example.com/team/app:6";

    fn good(clock: &str) -> Scene {
        let text = format!(
            "2026-11-30T{clock}Z The push refers to repository [r.example.com/team/app]\n2026-11-30T{clock}Z 6: digest: sha256:9d2c size: 947"
        );
        Scene::pod(IMAGE, &[]).document(Place::Ci, "ci/second.log", &text)
    }

    fn failed() -> Sighting {
        Sighting {
            vantage: Vantage { client: "docker".into(), place: "ci".into() },
            node: None,
            text: "denied: adding 1.2 GiB of storage resource will exceed the configured upper limit".into(),
            image: "r.example.com/team/app".into(),
            operation: Some(vocabulary::Operation::Push),
            at: crate::testing::at("08:00:00"),
            count: 1,
            origin: Origin { source: "ci/first.log".into(), line: 2 },
        }
    }

    #[test]
    fn a_later_push_of_the_same_image_makes_good_what_failed() {
        let made = |scene: &Scene, image: &str| {
            let failed = failed();
            made_good(&Case::new(&scene.snapshot), &failed, image)
        };
        assert!(made(&good("09:00:00"), IMAGE));
        assert!(!made(&good("07:00:00"), IMAGE), "it went well before");
        assert!(!made(&good("09:00:00"), "r.example.com/team/app:7"), "another tag");
        assert!(!made(&Scene::pod(IMAGE, &[]), IMAGE));
    }
}
