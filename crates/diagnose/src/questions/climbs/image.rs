//! What the registry has: the repository, the tag, and whether it lets the same account pull another image.

use super::{blind, has_failed, of_image, own, shows};
use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, Seen};
use crate::questions::places::are_siblings;
use facts::{Ladder, Outcome, Rung, seen};
use report::{Evidence, Say};
use vocabulary::{Cause, Stage};

/// How the registry took the credentials in the end: `accepted` or `refused`. A password that `/v2/` accepted may be
/// refused for the image.
fn outcome<'l>(ladder: &'l Ladder, word: &str) -> Option<(&'l Rung, &'l str)> {
    let rung = ladder.rung(Stage::Authorization)?;
    let outcome = rung.all(seen::CREDENTIALS_OUTCOME).last()?;
    outcome.starts_with(word).then_some((rung, outcome))
}

fn credentials(ladder: &Ladder) -> Option<(&str, &str)> {
    let rung = ladder.rung(Stage::Credentials)?;
    Some((rung.fact(seen::CREDENTIALS_USER)?, rung.fact(seen::CREDENTIALS_SOURCE)?))
}

/// The same registry let the same account pull another image of the project, and refuses this one: the credentials are
/// sound.
pub fn control(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<Evidence>> {
    let registry = formats::reference::registry_of(&pull.image)?;
    let repository = formats::reference::repository_of(&pull.image);
    let refused = own(case, pull)?;
    let (rung, words) = outcome(refused, "refused")?;
    let passes = |l: &&Ladder| {
        formats::reference::registry_of(&l.image).as_deref() == Some(registry.as_str())
            && are_siblings(&formats::reference::repository_of(&l.image), &repository)
            && credentials(l).is_some()
            && credentials(l) == credentials(refused)
            && l.rung(Stage::Manifest).is_some_and(|r| r.outcome == Outcome::Passed)
    };
    let (control, accepted, accepted_words) = case
        .snapshot
        .ladders
        .iter()
        .filter(passes)
        .find_map(|l| outcome(l, "accepted").map(|(rung, words)| (l, rung, words)))?;
    Some(vec![
        shows(refused, rung, Say::new("evidence-refused-here").with("image", pull.image.clone()), words),
        shows(
            control,
            accepted,
            Say::new("evidence-control-passes").with("image", control.image.clone()),
            accepted_words,
        ),
    ])
}

/// Whether the registry has the repository: a manifest of it was served, or its list of tags was.
pub fn has_repository(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    of_image(case, pull).find_map(|ladder| {
        let rung = ladder.rung(Stage::Manifest)?;
        let listed = rung.fact(seen::REPOSITORY_EXISTS) == Some("yes");
        let path = ladder.rung(Stage::Reference).and_then(|r| r.fact(seen::REPOSITORY)).unwrap_or_default();
        let says = Say::new("evidence-repository-is-there").with("repository", path);
        (listed || rung.outcome == Outcome::Passed).then(|| shows(ladder, rung, says, ""))
    })
}

/// Whether the registry serves the image to who sends nothing: yes where a climb without credentials passed, no where it was
/// refused.
pub fn public(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let unsigned =
        |l: &&Ladder| l.rung(Stage::Credentials).is_some_and(|r| r.fact(seen::CREDENTIALS_USER).is_none());
    let repository = formats::reference::repository_of(&pull.image);
    let met = of_image(case, pull).filter(unsigned).find_map(|l| {
        let passed = l.rung(Stage::Manifest).filter(|r| r.outcome == Outcome::Passed);
        let refused = || l.rung(Stage::Authorization).filter(|r| has_failed(r));
        passed.map(|r| (l, r, true)).or_else(|| refused().map(|r| (l, r, false)))
    });
    match met {
        Some((ladder, rung, true)) => {
            let says = Say::new("evidence-served-to-anybody").with("repository", repository);
            Seen::yes(shows(ladder, rung, says, ""))
        }
        Some((ladder, rung, false)) => {
            let says = Say::new("evidence-refused-to-anybody").with("repository", repository);
            Seen::no(shows(ladder, rung, says, ""))
        }
        None => blind(),
    }
}

/// Whether the registry has the tag or digest. That it has not counts where the registry said so to this very client, and
/// not where a mirror may have been asked.
pub fn has_tag(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    let served = of_image(case, pull)
        .find_map(|l| l.rung(Stage::Manifest).filter(|r| r.outcome == Outcome::Passed).map(|r| (l, r)));
    let name = |l: &Ladder| {
        l.rung(Stage::Reference).and_then(|r| r.fact(seen::REFERENCE)).unwrap_or_default().to_owned()
    };
    if let Some((ladder, rung)) = served {
        let says = Say::new("evidence-tag-is-there").with("reference", name(ladder));
        return Seen::yes(shows(ladder, rung, says, rung.fact(seen::DIGEST).unwrap_or_default()));
    }
    let Some(ladder) = own(case, pull) else { return blind() };
    let Some(rung) = ladder.rung(Stage::Manifest).filter(|r| has_failed(r)) else { return blind() };
    let unknown = matches!(&rung.outcome, Outcome::Failed { symptom: Cause::ManifestUnknown, .. });
    // GET is asked on the rung before, where HEAD was no success.
    let asked = [Stage::Manifest, Stage::Authorization].into_iter().filter_map(|s| ladder.rung(s));
    let said = asked.into_iter().find(|r| r.all(seen::ERROR_CODE).any(|code| code == "MANIFEST_UNKNOWN"));
    let Some(said) = said.filter(|_| unknown) else { return blind() };
    let mut all = vec![shows(
        ladder,
        rung,
        Say::new("evidence-tag-is-not-there").with("reference", name(ladder)),
        said.fact(seen::ERROR_MESSAGE).unwrap_or_default(),
    )];
    let near: Vec<&str> = rung.all(seen::TAGS_NEAR).collect();
    if !near.is_empty() {
        let says = Say::new("evidence-tags-near").with("tags", near.join(", "));
        all.push(shows(ladder, rung, says, ""));
    }
    Seen::Is(Answer::Missing, all)
}

#[cfg(test)]
mod tests {
    use super::super::testing::*;
    use super::*;

    fn own_ladder() -> Ladder {
        let refused = refused(&[
            (seen::CREDENTIALS_OUTCOME, "accepted basic"),
            (seen::CREDENTIALS_OUTCOME, "refused basic"),
        ]);
        ladder(IMAGE, vec![account("joe"), refused])
    }

    fn other(user: &str) -> Ladder {
        other_image("registry.example.com/team/base:1", user)
    }

    fn other_image(image: &str, user: &str) -> Ladder {
        let accepted = [(seen::CREDENTIALS_OUTCOME, "accepted basic")];
        let rungs = vec![
            account(user),
            rung(Stage::Authorization, Outcome::Passed, &accepted),
            rung(Stage::Manifest, Outcome::Passed, &[]),
        ];
        ladder(image, rungs)
    }

    #[test]
    fn a_control_counts_only_for_the_same_account() {
        assert_eq!(with(vec![own_ladder(), other("joe")], control).map(|e| e.len()), Some(2));
        assert_eq!(with(vec![own_ladder(), other("ann")], control), None);
        assert_eq!(with(vec![own_ladder()], control), None);
        // A robot of another project is refused here for what it is.
        let elsewhere = other_image("registry.example.com/public/base:1", "joe");
        assert_eq!(with(vec![own_ladder(), elsewhere], control), None);
    }

    #[test]
    fn what_another_machine_was_refused_says_nothing_of_the_kubelets_account() {
        let ladders = vec![own_ladder(), other("joe")];
        let scene = crate::testing::Scene::pod(IMAGE, &[]).change(|s| s.ladders = ladders);
        assert_eq!(control(&Case::new(&scene.snapshot), &scene.pull()), None);
    }

    #[test]
    fn a_tag_is_missing_by_the_registrys_own_word() {
        let climbed = |code: &str| {
            let facts = [(seen::ERROR_CODE, code), (seen::TAGS_NEAR, "1.0")];
            let outcome = failed(Cause::ManifestUnknown);
            with(vec![ladder(IMAGE, vec![rung(Stage::Manifest, outcome, &facts)])], has_tag)
        };
        assert!(matches!(climbed("MANIFEST_UNKNOWN"), Seen::Is(Answer::Missing, shown) if shown.len() == 2));
        assert_eq!(climbed("OTHER"), blind());
    }
}
