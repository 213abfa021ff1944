//! Whether an account has the right to read images at all, by what the registry lists of it.

use super::{entry_in_use, known};
use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen};
use crate::subject::Subject;
use facts::Why;
use report::Say;

/// Scopes with which images may be read, and those that name none of it. Sources: GitLab doc/user/project/deploy_tokens and
/// doc/user/profile/personal_access_tokens; GitHub docs, "Scopes for OAuth apps".
const READ: &[&str] = &["read_registry", "write_registry", "api", "read:packages", "write:packages", "repo"];

fn lack(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let user = entry_in_use(case, pull, subject).and_then(|(_, e)| e.user.as_deref());
    let account = user.and_then(|user| known::accounts(case).iter().find(|a| a.name == user));
    let Some(account) = account.filter(|a| !a.scopes.is_empty()) else { return Seen::Blind(Why::NotAsked) };
    let reads = account.scopes.iter().any(|s| READ.contains(&s.as_str()));
    let mut shown = account.shown.clone();
    shown.says = Say::new("evidence-account-scopes").with("name", &*account.name);
    shown.quote = account.scopes.join(", ");
    Seen::Is(if reads { Answer::No } else { Answer::Yes }, vec![shown])
}

/// Does the account lack the scope with which images are read?
pub static SCOPES_LACK: Question = Question { id: "ask-account-scopes", ask: lack, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, secret};
    use vocabulary::Cause;

    #[test]
    fn a_token_for_the_code_alone_reads_no_images() {
        let scene = |scopes: &str| {
            let list =
                format!(r#"[{{"username":"puller","expires_at":null,"revoked":false,"scopes":[{scopes}]}}]"#);
            Scene::pod("g.example.com:5050/a/b:1", &["regcred"])
                .secret(secret("shop", "regcred", "g.example.com:5050"))
                .symptom(Cause::AuthTokenRejected)
                .output("curl -sS https://g.example.com/api/v4/deploy_tokens", &list)
        };
        let about = Subject::Secret { namespace: "shop".into(), name: "regcred".into() };
        assert_eq!(scene(r#""read_repository""#).verdict().0, Cause::AuthInsufficientScope);
        assert_eq!(scene(r#""read_repository","read_registry""#).ask(&SCOPES_LACK, &about), Some(Answer::No));
        assert_eq!(scene("").ask(&SCOPES_LACK, &about), None);
    }
}
