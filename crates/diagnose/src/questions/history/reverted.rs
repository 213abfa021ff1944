//! Whether somebody put the right thing there and a controller took it back.

use super::actor::{Actor, actor, audit_evidence};
use super::succeeded;
use crate::case::Case;
use crate::naming::names_object;
use crate::pull::Pull;
use crate::pull_secrets;
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::attachment;
use crate::subject::Subject;
use facts::{AuditEntry, Why};
use formats::transcript::line_time;
use jiff::{SignedDuration, Timestamp};
use report::{Evidence, Say};

fn reverted(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match subject {
        Subject::ServiceAccount { namespace, name } => account_reverted(case, pull, namespace, name),
        Subject::Secret { namespace, name } => secret_reverted(case, pull, namespace, name),
        _ => Seen::Blind(Why::NotAsked),
    }
}

fn account_reverted(case: &Case<'_>, pull: &Pull<'_>, namespace: &str, name: &str) -> Seen {
    let Some(account) = case.account(namespace, name) else { return Seen::Blind(Why::NotAsked) };
    let mut entries: Vec<&AuditEntry> =
        case.audit_of("serviceaccounts", namespace, name).filter(succeeded).collect();
    entries.sort_by_key(|a| a.at);
    let dropped = |secrets: &[String]| secrets.iter().any(|s| !account.pull_secrets.contains(s));
    for (n, given) in entries.iter().enumerate() {
        let gave = given.pull_secrets.as_ref().is_some_and(|s| !s.is_empty() && dropped(s));
        let may_have = given.pull_secrets.is_none()
            && actor(&given.user) == Actor::Person
            && account.pull_secrets.is_empty();
        if !gave && !may_have {
            continue;
        }
        // What was taken away after the last failure is not why it failed.
        let in_time =
            |a: &&&AuditEntry| a.at.zip(pull.timeline.last_failed).is_none_or(|(at, failed)| at <= failed);
        let taken = entries.iter().skip(n + 1).filter(in_time).find(|a| {
            a.user != given.user
                && actor(&a.user) != Actor::Person
                && matches!(a.verb.as_str(), "update" | "patch" | "create" | "delete")
                && a.pull_secrets.as_ref().is_none_or(|s| {
                    given.pull_secrets.as_ref().is_none_or(|g| g.iter().any(|x| !s.contains(x)))
                })
        });
        if let Some(taken) = taken {
            let mut evidence = vec![audit_evidence(given), audit_evidence(taken)];
            evidence.push(attachment::list_shown(account));
            return Seen::Is(Answer::Yes, evidence);
        }
    }
    patched_and_gone(case, pull, account)
}

/// A shell shows that the list was patched, the account has no list, and a controller has written since.
fn patched_and_gone(case: &Case<'_>, _: &Pull<'_>, account: &facts::ServiceAccount) -> Seen {
    let (namespace, name) = (account.meta.namespace.as_str(), account.meta.name.as_str());
    let lines = case.lines_with("imagePullSecrets");
    let patched = lines.iter().find(|l| {
        let verb = ["patch", "edit", "replace", "apply"].iter().any(|v| l.text.contains(v));
        verb && (l.text.contains("serviceaccount") || l.text.contains(" sa "))
            && names_object(l.text, namespace, name)
    });
    // It must have written after the patch; where the shell gives no times, at least after the account was made, since
    // who makes accounts takes nothing back.
    let since = patched.and_then(|l| line_time(l.text)).or(account.meta.created);
    let writer = account.meta.managers.iter().max_by_key(|m| m.time).filter(|m| !is_hand(&m.manager));
    let writer = writer.filter(|m| m.time.zip(since).is_some_and(|(wrote, since)| wrote > since));
    match (patched, writer) {
        (Some(line), Some(writer)) if account.pull_secrets.is_empty() => {
            let at = writer.time.map(|t| t.to_string()).unwrap_or_default();
            Seen::Is(
                Answer::Yes,
                vec![
                    line.shows(Say::new("evidence-list-was-patched")),
                    attachment::list_shown(account),
                    Evidence {
                        at: attachment::account_at(
                            account,
                            &format!("metadata.managedFields[{}]", writer.manager),
                        ),
                        says: Say::new("evidence-written-by")
                            .with("manager", &*writer.manager)
                            .with("at", &*at),
                        quote: format!("{} {at}", writer.manager),
                    },
                ],
            )
        }
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// Controllers that renew what they keep do so within this time: most within an hour.
const SOON: SignedDuration = SignedDuration::from_hours(24);

/// Whether a field manager is a person's tool. Names: kubernetes staging apiserver pkg/endpoints/handlers/create.go.
fn is_hand(manager: &str) -> bool {
    manager.starts_with("kubectl")
        || matches!(manager, "oc" | "Mozilla" | "k9s" | "lens" | "node-fetch" | "dashboard")
}

/// A secret that was made by hand once and is kept by a controller since is in the normal life of a secret: it was taken
/// back where somebody wrote it because pulls failed, or where the controller came soon after.
fn took_back(pull: &Pull<'_>, mended: Option<Timestamp>, put_back: Option<Timestamp>) -> bool {
    let Some((mended, put_back)) = mended.zip(put_back) else { return false };
    let failed = pull.timeline.first_failed.or(pull.pod.and_then(|p| p.meta.created));
    let soon = put_back.duration_since(mended) <= SOON;
    put_back > mended && (soon || failed.is_some_and(|t| mended > t))
}

fn secret_reverted(case: &Case<'_>, pull: &Pull<'_>, namespace: &str, name: &str) -> Seen {
    let mut entries: Vec<&AuditEntry> = case.audit_of("secrets", namespace, name).filter(succeeded).collect();
    entries.sort_by_key(|a| a.at);
    let by_hand = entries.iter().rposition(|a| actor(&a.user) == Actor::Person && a.verb != "delete");
    let after = by_hand.and_then(|n| {
        let given = entries.get(n)?;
        let taken = entries.iter().skip(n + 1).find(|a| actor(&a.user) == Actor::Controller)?;
        Some((given, taken))
    });
    if let Some((given, taken)) = after.filter(|(given, taken)| took_back(pull, given.at, taken.at)) {
        return Seen::Is(Answer::Yes, vec![audit_evidence(given), audit_evidence(taken)]);
    }
    let Some(secret) = case.secret(namespace, name) else { return Seen::Blind(Why::NotAsked) };
    let wrote = |hand: bool| -> Option<(&str, Timestamp)> {
        let of_data =
            |f: &&facts::FieldManager| f.fields.is_empty() || f.fields.iter().any(|x| x.contains("data"));
        secret
            .meta
            .managers
            .iter()
            .filter(of_data)
            .filter(|m| is_hand(&m.manager) == hand)
            .filter_map(|m| Some((m.manager.as_str(), m.time?)))
            .max_by_key(|(_, at)| *at)
    };
    let (Some((hand, mended)), Some((controller, put_back))) = (wrote(true), wrote(false)) else {
        return Seen::Blind(Why::NotAsked);
    };
    if !took_back(pull, Some(mended), Some(put_back)) {
        return Seen::Blind(Why::NotAsked);
    }
    let shown = |manager: &str, at: Timestamp| Evidence {
        at: pull_secrets::secret_at(secret, &format!("metadata.managedFields[{manager}]")),
        says: Say::new("evidence-written-by").with("manager", manager).with("at", at.to_string()),
        quote: format!("{manager} {at}"),
    };
    let mut evidence = vec![shown(hand, mended), shown(controller, put_back)];
    evidence.extend(secret.meta.owners.first().map(|owner| Evidence {
        at: pull_secrets::secret_at(secret, "metadata.ownerReferences"),
        says: Say::new("evidence-owned-by").with("kind", &*owner.kind).with("name", &*owner.name),
        quote: format!("{}/{}", owner.kind, owner.name),
    }));
    Seen::Is(Answer::Yes, evidence)
}

/// Did a controller take back what somebody had put right?
pub static REVERTED: Question = Question {
    id: "ask-reverted-by-controller",
    ask: reverted,
    test: Some(Test {
        cost: 5,
        vantage: "kubectl",
        command: |_, pull, subject| match subject {
            Subject::ServiceAccount { namespace, name } => {
                format!("pullproof watch serviceaccount/{name} -n {namespace}")
            }
            Subject::Secret { namespace, name } => format!("pullproof watch secret/{name} -n {namespace}"),
            _ => format!("pullproof watch -n {}", pull.namespace),
        },
    }),
};

/// The secrets from which the pull's node has its docker configuration, where no secret of the pod's own counts: a
/// provider's global secret has the same keys as the node's file, and none of them is for the image.
pub fn node_secrets(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull_secrets::named(case, pull).is_none_or(|named| !named.is_empty()) {
        return Vec::new();
    }
    let Some(node) = case.node_facts(pull.node) else { return Vec::new() };
    let sorted = |mut keys: Vec<String>| {
        keys.sort_unstable();
        keys
    };
    let files: Vec<Vec<String>> = node
        .docker_configs
        .values()
        .map(|c| sorted(c.entries.iter().map(|e| e.key.clone()).collect()))
        .collect();
    let is_source = |s: &&facts::Secret| {
        let Some(config) = s.docker_config.seen() else { return false };
        let keys = sorted(config.entries.iter().map(|e| e.key.clone()).collect());
        !keys.is_empty()
            && files.contains(&keys)
            && s.meta.namespace != pull.namespace
            && pull_secrets::content_matches(s, &pull.image).is_none()
    };
    let sources = case.snapshot.secrets.iter().filter(is_source);
    sources
        .map(|s| Subject::Secret { namespace: s.meta.namespace.clone(), name: s.meta.name.clone() })
        .collect()
}

fn node_secret_reverted(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Subject::Secret { namespace, name } = subject else { return Seen::Blind(Why::NotAsked) };
    let Some(secret) = case.secret(namespace, name).filter(|_| node_secrets(case, pull).contains(subject))
    else {
        return Seen::Blind(Why::NotAsked);
    };
    match secret_reverted(case, pull, namespace, name) {
        Seen::Is(Answer::Yes, mut evidence) => {
            let entries = secret.docker_config.seen().map_or(&[][..], |c| &c.entries);
            let says = Say::new("evidence-no-entry-serves").with("image", &*pull.image);
            evidence.push(pull_secrets::keys_shown(secret, entries, says));
            Seen::Is(Answer::Yes, evidence)
        }
        seen => seen,
    }
}

/// Did a controller take back what somebody had put into the secret of all nodes?
pub static NODE_SECRET_REVERTED: Question =
    Question { id: "ask-reverted-by-controller@nodes", ask: node_secret_reverted, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, account, at, audit, manager, secret};

    const IMAGE: &str = "harbor.example.com/shop/web:1";

    fn about(name: &str) -> Subject {
        Subject::Secret { namespace: "shop".into(), name: name.into() }
    }

    fn of_account() -> Subject {
        Subject::ServiceAccount { namespace: "shop".into(), name: "default".into() }
    }

    #[test]
    fn a_list_that_a_controller_overwrote_is_seen() {
        let mut given = audit("08:05:00", "patch", "admin", "serviceaccounts", "default");
        given.pull_secrets = Some(vec!["regcred".into()]);
        let taken = audit(
            "09:00:00",
            "update",
            "system:serviceaccount:olm:olm-operator",
            "serviceaccounts",
            "default",
        );
        let scene = |list: &[&str]| {
            Scene::pod(IMAGE, &[]).account(account("default", list)).audit(given.clone()).audit(taken.clone())
        };
        assert_eq!(scene(&[]).ask(&REVERTED, &of_account()), Some(Answer::Yes));
        assert_eq!(scene(&["regcred"]).ask(&REVERTED, &of_account()), None, "it is still there");
        let only_given = Scene::pod(IMAGE, &[]).account(account("default", &[])).audit(given.clone());
        assert_eq!(only_given.ask(&REVERTED, &of_account()), None);
        let taken_first = Scene::pod(IMAGE, &[])
            .account(account("default", &[]))
            .audit(audit(
                "07:00:00",
                "update",
                "system:serviceaccount:olm:olm-operator",
                "serviceaccounts",
                "default",
            ))
            .audit(given.clone());
        assert_eq!(taken_first.ask(&REVERTED, &of_account()), None);
    }

    #[test]
    fn a_patch_in_a_shell_and_a_later_manager_show_it_too() {
        let line = r#"$ kubectl patch serviceaccount default -n shop -p '{"imagePullSecrets":[{"name":"regcred"}]}'"#;
        let scene = Scene::pod(IMAGE, &[]).account(account("default", &[])).document(
            facts::Place::Shell,
            "shell/history",
            line,
        );
        assert_eq!(scene.ask(&REVERTED, &of_account()), None);
        let written =
            scene.change(|s| s.service_accounts[0].meta.managers.push(manager("catalog", "09:00:00")));
        assert_eq!(written.ask(&REVERTED, &of_account()), Some(Answer::Yes));
        let other = written.clone().change(|s| s.documents[0].text = line.replace("-n shop", "-n billing"));
        assert_eq!(other.ask(&REVERTED, &of_account()), None, "another namespace's account");
        let at_birth = written.change(|s| s.service_accounts[0].meta.managers[0].time = at("08:00:00"));
        assert_eq!(at_birth.ask(&REVERTED, &of_account()), None, "it was written when it was made");
    }

    #[test]
    fn a_secret_written_by_hand_and_then_by_its_controller_was_put_back() {
        let scene = |hand: &str, controller: &str| {
            let mut s = secret("shop", "regcred", "harbor.example.com");
            s.meta.created = at("07:00:00");
            s.meta.managers = vec![
                manager("kubectl-edit", hand),
                manager("externalsecrets.external-secrets.io/regcred", controller),
            ];
            Scene::pod(IMAGE, &["regcred"]).secret(s)
        };
        assert_eq!(scene("08:00:00", "09:00:00").ask(&REVERTED, &about("regcred")), Some(Answer::Yes));
        assert_eq!(scene("09:00:00", "08:00:00").ask(&REVERTED, &about("regcred")), None);
        let rotated = scene("08:00:00", "09:00:00").change(|s| {
            s.secrets[0].meta.managers[0].time = "2026-09-01T08:00:00Z".parse().ok();
        });
        assert_eq!(
            rotated.ask(&REVERTED, &about("regcred")),
            None,
            "a controller keeps what was made by hand"
        );
    }

    #[test]
    fn the_secret_of_all_nodes_is_put_back_where_the_nodes_file_is_made_of_it() {
        let scene = |named: &[&str], of_node: &str, hand: &str, controller: &str| {
            let by = "system:serviceaccount:kube-system:config-operator";
            let in_system = |mut entry: AuditEntry| {
                entry.namespace = "kube-system".into();
                entry
            };
            Scene::pod(IMAGE, named)
                .secret(secret("kube-system", "global", "quay.io"))
                .audit(in_system(audit(hand, "patch", "admin", "secrets", "global")))
                .audit(in_system(audit(controller, "update", by, "secrets", "global")))
                .change(|s| {
                    let config = secret("", "", of_node).docker_config.seen().cloned().unwrap_or_default();
                    let mut node =
                        facts::NodeFacts { name: "worker-1".into(), ..facts::NodeFacts::default() };
                    node.docker_configs.insert("/var/lib/kubelet/config.json".into(), config);
                    s.node_facts.push(node);
                })
                .ask(
                    &NODE_SECRET_REVERTED,
                    &Subject::Secret { namespace: "kube-system".into(), name: "global".into() },
                )
        };
        assert_eq!(scene(&[], "quay.io", "09:00:00", "09:00:09"), Some(Answer::Yes));
        assert_eq!(scene(&[], "quay.io", "09:00:09", "09:00:00"), None, "nobody took it back");
        assert_eq!(
            scene(&[], "docker.io", "09:00:00", "09:00:09"),
            None,
            "not what the node's file is made of"
        );
        assert_eq!(scene(&["regcred"], "quay.io", "09:00:00", "09:00:09"), None, "the pod names its own");
    }

    #[test]
    fn what_was_written_long_before_any_failure_was_not_a_mending() {
        let scene = |hand: &str| {
            let by = "system:serviceaccount:external-secrets:external-secrets";
            let mut written = audit("09:00:00", "update", "admin", "secrets", "regcred");
            written.at = hand.parse().ok();
            Scene::pod(IMAGE, &["regcred"])
                .secret(secret("shop", "regcred", "harbor.example.com"))
                .audit(written)
                .audit(audit("09:50:00", "update", by, "secrets", "regcred"))
                .ask(&REVERTED, &about("regcred"))
        };
        assert_eq!(scene("2026-11-30T09:00:00Z"), Some(Answer::Yes));
        assert_eq!(scene("2026-09-01T09:00:00Z"), None, "the normal life of a secret");
    }

    #[test]
    fn an_account_that_was_emptied_after_the_failure_is_not_why_it_failed() {
        let scene = |emptied: &str| {
            let by = "system:serviceaccount:olm:olm-operator";
            let mut given = audit("08:05:00", "patch", "admin", "serviceaccounts", "default");
            given.pull_secrets = Some(vec!["regcred".into()]);
            Scene::pod(IMAGE, &[])
                .account(account("default", &[]))
                .audit(given)
                .audit(audit(emptied, "update", by, "serviceaccounts", "default"))
                .ask(&REVERTED, &of_account())
        };
        assert_eq!(scene("09:00:00"), Some(Answer::Yes));
        assert_eq!(scene("10:30:00"), None);
    }
}
