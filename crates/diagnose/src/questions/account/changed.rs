//! Whether an account was changed at the registry after its password was written into the secret: the pulls before it
//! passed, those after it are refused.

use super::lifetime::{failed_at, worked_before, written};
use super::{entry_in_use, known};
use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Question, Seen};
use crate::subject::Subject;
use facts::Why;
use report::Say;

fn changed_since(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some((secret, entry)) = entry_in_use(case, pull, subject) else { return Seen::Blind(Why::NotAsked) };
    let (Some(user), Some(written), Some(failed)) = (&entry.user, written(secret), failed_at(case, pull))
    else {
        return Seen::Blind(Why::NotAsked);
    };
    let account = known::accounts(case).iter().find(|a| a.name == *user);
    let Some((account, at)) = account.and_then(|a| Some((a, a.changed?))) else {
        return Seen::Blind(Why::NotAsked);
    };
    // Any setting of an account counts as a change of it: only that the password served before shows which one.
    let Seen::Is(_, worked) = worked_before(case, pull, subject) else { return Seen::Blind(Why::NotAsked) };
    if at <= written || at >= failed {
        return Seen::Blind(Why::NotAsked);
    }
    let mut shown = account.shown.clone();
    shown.says = Say::new("evidence-account-changed").with("user", &**user).with("at", at.to_string());
    shown.quote = format!("{user}: {at}");
    Seen::Is(crate::question::Answer::Yes, std::iter::once(shown).chain(worked).collect())
}

/// Was the account changed after its password was stored, between a pull that passed and one that is refused?
pub static CHANGED_SINCE: Question = Question { id: "ask-account-changed", ask: changed_since, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Answer;
    use crate::testing::{Scene, at, secret};
    use vocabulary::Cause;

    fn scene(changed: &str, worked: bool) -> Scene {
        let mut own = secret("shop", "regcred", "h.example.com");
        own.meta.created = at("06:00:00");
        let list = format!(r#"[{{"name":"puller","disable":false,"update_time":"2026-11-30T{changed}Z"}}]"#);
        let scene = Scene::pod("h.example.com/team/app:2", &["regcred"])
            .secret(own)
            .symptom(Cause::AuthTokenRejected)
            .document(facts::Place::Registry, "registry/robots.json", &list);
        if !worked {
            return scene;
        }
        scene
            .event("Pulled", "Successfully pulled image \"h.example.com/team/app:1\" in 2s")
            .change(|s| s.events[0].last = at("08:00:00"))
    }

    #[test]
    fn a_change_between_a_pull_that_passed_and_one_that_is_refused() {
        let about = Subject::Secret { namespace: "shop".into(), name: "regcred".into() };
        let asked = |changed: &str, worked: bool| scene(changed, worked).ask(&CHANGED_SINCE, &about);
        assert_eq!(asked("09:00:00", true), Some(Answer::Yes));
        assert_eq!(asked("09:00:00", false), None, "any setting may have been changed");
        assert_eq!(asked("05:00:00", true), None, "before the password was stored");
        assert_eq!(asked("11:00:00", true), None, "after the failure");
        assert_eq!(scene("09:00:00", true).verdict().0, Cause::AuthBadCredentials);
    }
}
