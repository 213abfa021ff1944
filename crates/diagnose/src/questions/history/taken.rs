//! Who took a secret away: a GitOps tool that prunes, or garbage collection.

use super::actor::{Actor, actor, audit_evidence, is_gitops};
use super::{secret_of, succeeded};
use crate::case::Case;
use crate::naming::names_object;
use crate::pull::Pull;
use crate::pull_secrets;
use crate::question::{Answer, Question, Seen, Test};
use crate::subject::Subject;
use facts::{AuditEntry, Event, Meta, Why};
use formats::transcript::line_time;
use jiff::Timestamp;
use report::{Evidence, Locator, Say};

fn deletion_by<'a>(case: &Case<'a>, subject: &Subject, by: Actor) -> Option<&'a AuditEntry> {
    let (namespace, name) = secret_of(subject)?;
    case.audit_of("secrets", namespace, name)
        .filter(succeeded)
        .filter(|a| a.verb == "delete" && actor(&a.user) == by)
        .max_by_key(|a| a.at)
}

/// Words in which controllers tell that they deleted something.
const DELETED: &[&str] = &["prun", "Prun", "delet", "Delet"];

/// Events of the secret itself, or of others that name it, in words of deletion, by a tool whose name fits.
fn deletion_event<'a>(
    case: &Case<'a>,
    (namespace, name): (&str, &str),
    fits: fn(&Event) -> bool,
) -> Option<&'a Event> {
    case.events_beside_pods().iter().copied().filter(|e| fits(e)).find(|e| {
        let of_it = e.kind == "Secret" && e.name == name && e.namespace == namespace;
        let told = DELETED.iter().any(|w| e.message.contains(w) || e.reason.contains(w));
        let other = e.kind == "Secret" && e.namespace != namespace;
        told && (of_it || !other && names_object(&e.message, namespace, name))
    })
}

fn event_evidence(event: &Event) -> Evidence {
    Evidence {
        at: Locator::Object {
            kind: "Event".into(),
            namespace: event.meta.namespace.clone(),
            name: event.meta.name.clone(),
            field: "message".into(),
        },
        says: Say::new("evidence-event").with("reason", &*event.reason).with("object", &*event.name),
        quote: event.message.clone(),
    }
}

/// What shows that the secret was there again before the pull first failed: it was made after this deletion.
fn there_again(
    case: &Case<'_>,
    pull: &Pull<'_>,
    (namespace, name): (&str, &str),
    deleted: Option<Timestamp>,
) -> Option<Evidence> {
    let (deleted, failed) = (deleted?, pull.timeline.first_failed?);
    let between = |at: Option<Timestamp>| at.is_some_and(|at| deleted < at && at < failed);
    let made = case
        .audit_of("secrets", namespace, name)
        .filter(succeeded)
        .find(|a| matches!(a.verb.as_str(), "create" | "update" | "patch") && between(a.at))
        .map(audit_evidence);
    made.or_else(|| {
        let secret = case.secret(namespace, name).filter(|s| between(s.meta.created))?;
        let at = secret.meta.created.map(|t| t.to_string()).unwrap_or_default();
        Some(Evidence {
            at: pull_secrets::secret_at(secret, "metadata.creationTimestamp"),
            says: Say::new("evidence-secret-made").with("at", &*at),
            quote: at,
        })
    })
}

/// The secret is there, and was made before the pull first failed: nobody has taken it away, for then it would be younger.
fn there_since(case: &Case<'_>, pull: &Pull<'_>, (namespace, name): (&str, &str)) -> Option<Evidence> {
    let failed = pull.timeline.first_failed?;
    let secret = case.secret(namespace, name)?;
    let at = secret.meta.created.filter(|made| *made < failed)?.to_string();
    Some(Evidence {
        at: pull_secrets::secret_at(secret, "metadata.creationTimestamp"),
        says: Say::new("evidence-secret-made").with("at", &*at),
        quote: at,
    })
}

fn pruned(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some((namespace, name)) = secret_of(subject) else { return Seen::Blind(Why::NotAsked) };
    if let Some(entry) = deletion_by(case, subject, Actor::Gitops) {
        if let Some(made) = there_again(case, pull, (namespace, name), entry.at) {
            return Seen::Is(Answer::No, vec![audit_evidence(entry), made]);
        }
        let mut evidence = vec![audit_evidence(entry)];
        evidence.extend(tracked_source(case, namespace, name).map(|(e, _)| e));
        return Seen::Is(Answer::Yes, evidence);
    }
    if let Some(event) = deletion_event(case, (namespace, name), |e| is_gitops(&e.component)) {
        if let Some(made) = there_again(case, pull, (namespace, name), event.last.or(event.first)) {
            return Seen::Is(Answer::No, vec![event_evidence(event), made]);
        }
        return Seen::yes(event_evidence(event));
    }
    let lines = case.lines_with(name);
    let told = lines.iter().find(|l| {
        let tool = is_gitops(l.text) || is_gitops(&source_name(l));
        tool && DELETED.iter().any(|w| l.text.contains(w))
            && l.text.to_ascii_lowercase().contains("secret")
            && names_object(l.text, namespace, name)
    });
    if let Some(line) = told {
        let shown = line.shows(Say::new("evidence-tool-deleted").with("name", name));
        return match there_again(case, pull, (namespace, name), line_time(line.text)) {
            Some(made) => Seen::Is(Answer::No, vec![shown, made]),
            None => Seen::yes(shown),
        };
    }
    if let Some(there) = there_since(case, pull, (namespace, name)) {
        return Seen::no(there);
    }
    // Nobody saw it happen: the copy is gone, and what it was copied from carries the tool's marks.
    match tracked_source(case, namespace, name) {
        Some((source, true)) => Seen::Is(Answer::Stale, vec![source]),
        _ => Seen::Blind(Why::NotAsked),
    }
}

fn source_name(line: &crate::lines::Line<'_>) -> String {
    match line.at() {
        Locator::File { path, .. } => path,
        Locator::Output { command, .. } => command,
        _ => String::new(),
    }
}

/// Marks by which GitOps tools know what is theirs. Sources: argo-cd common/common.go, fluxcd/pkg ssa/manager.go.
fn gitops_mark(meta: &Meta) -> Option<(String, String)> {
    let is_mark = |key: &str| {
        key.starts_with("argocd.argoproj.io/tracking-id")
            || key == "app.kubernetes.io/instance"
            || key.starts_with("kustomize.toolkit.fluxcd.io/name")
            || key.starts_with("helm.toolkit.fluxcd.io/name")
            || key.starts_with("objectset.rio.cattle.io")
    };
    meta.labels.iter().chain(&meta.annotations).find(|(k, _)| is_mark(k)).map(|(k, v)| (k.clone(), v.clone()))
}

/// The secret of this name in another namespace that a GitOps tool tracks, and whether an automatic pruning is set.
fn tracked_source(case: &Case<'_>, namespace: &str, name: &str) -> Option<(Evidence, bool)> {
    let source = case
        .secrets_named(name)
        .iter()
        .filter(|s| s.meta.namespace != namespace)
        .find_map(|s| Some((s, gitops_mark(&s.meta)?)));
    let (secret, (key, value)) = source?;
    let prunes = case.snapshot.others.iter().any(|o| {
        matches!(o.kind.as_str(), "Application" | "ApplicationSet" | "Kustomization" | "GitRepo" | "Bundle")
            && o.json.contains("\"prune\":true")
    });
    let evidence = Evidence {
        at: pull_secrets::secret_at(secret, &format!("metadata[{key}]")),
        says: Say::new("evidence-tracked-by").with("key", &*key).with("value", &*value),
        quote: format!("{key}: {value}"),
    };
    Some((evidence, prunes))
}

fn pruning_seen(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match pruned(case, pull, subject) {
        seen @ Seen::Is(Answer::Yes, _) => seen,
        _ => Seen::Blind(Why::NotAsked),
    }
}

fn collected(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some((namespace, name)) = secret_of(subject) else { return Seen::Blind(Why::NotAsked) };
    if let Some(entry) = deletion_by(case, subject, Actor::Collector) {
        if let Some(made) = there_again(case, pull, (namespace, name), entry.at) {
            return Seen::Is(Answer::No, vec![audit_evidence(entry), made]);
        }
        return Seen::yes(audit_evidence(entry));
    }
    let told = case.events_beside_pods().iter().find(|e| {
        e.reason == "OwnerRefInvalidNamespace"
            && e.name == name
            && (e.namespace == namespace || e.namespace.is_empty())
            && matches!(e.kind.as_str(), "Secret" | "")
    });
    if let Some(event) = told {
        return Seen::yes(event_evidence(event));
    }
    let lines = case.lines_with(name);
    let line = lines.iter().find(|l| {
        let lower = l.text.to_ascii_lowercase();
        names_object(l.text, namespace, name)
            && lower.contains("secret")
            && (lower.contains("garbage") || lower.contains("ownerref"))
            && (lower.contains("delet") || lower.contains("does not exist"))
    });
    match line {
        Some(line) => Seen::yes(line.shows(Say::new("evidence-tool-deleted").with("name", name))),
        None => there_since(case, pull, (namespace, name)).map_or(Seen::Blind(Why::NotAsked), Seen::no),
    }
}

const fn kubectl(command: fn(&Case<'_>, &Pull<'_>, &Subject) -> String) -> Option<Test> {
    Some(Test { cost: 5, vantage: "kubectl", command })
}

fn watch_secret(_: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> String {
    let (namespace, name) = secret_of(subject).unwrap_or((pull.namespace, "SECRET"));
    format!("pullproof watch secret/{name} -n {namespace}")
}

/// Did a GitOps tool prune it, or do marks say that it would?
pub static PRUNED: Question = Question { id: "ask-secret-pruned", ask: pruned, test: kubectl(watch_secret) };

/// Was the pruning itself seen?
pub static PRUNING_SEEN: Question = Question { id: "ask-pruning-seen", ask: pruning_seen, test: None };

/// Did garbage collection delete it?
pub static COLLECTED: Question =
    Question { id: "ask-secret-garbage-collected", ask: collected, test: kubectl(watch_secret) };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, audit, secret};

    const IMAGE: &str = "harbor.example.com/shop/web:1";
    const ARGO: &str = "system:serviceaccount:argocd:argocd-application-controller";
    const COLLECTOR: &str = "system:serviceaccount:kube-system:generic-garbage-collector";

    fn about(name: &str) -> Subject {
        Subject::Secret { namespace: "shop".into(), name: name.into() }
    }

    #[test]
    fn a_pruning_is_seen_in_the_audit_log_in_events_and_in_logs() {
        let pod = || Scene::pod(IMAGE, &["regcred"]);
        let audited = pod().audit(audit("10:03:00", "delete", ARGO, "secrets", "regcred"));
        let logged = pod().document(
            facts::Place::Kube,
            "kube/argocd-controller.log",
            "Pruned resource v1/Secret shop/regcred",
        );
        let told = pod().event("Progressing", "Secret/shop/regcred deleted").change(|s| {
            s.events[0].kind = "Kustomization".into();
            s.events[0].component = "kustomize-controller".into();
        });
        for scene in [audited, logged, told] {
            assert_eq!(scene.ask(&PRUNED, &about("regcred")), Some(Answer::Yes));
            assert_eq!(scene.ask(&PRUNING_SEEN, &about("regcred")), Some(Answer::Yes));
        }
        let by_hand = pod().audit(audit("10:03:00", "delete", "admin", "secrets", "regcred"));
        let other = pod().audit(audit("10:03:00", "delete", ARGO, "secrets", "regcred2"));
        for scene in [by_hand, other, pod()] {
            assert_eq!(scene.ask(&PRUNED, &about("regcred")), None);
        }
    }

    #[test]
    fn what_befell_another_secret_says_nothing_of_this_one() {
        let pod = || Scene::pod(IMAGE, &["regcred"]);
        let logged = |line: &str| pod().document(facts::Place::Kube, "kube/argocd-controller.log", line);
        let told = |kind: &str, namespace: &str, message: &str| {
            pod().event("Progressing", message).change(|s| {
                s.events[0].kind = kind.into();
                s.events[0].namespace = namespace.into();
                s.events[0].name = "regcred".into();
                s.events[0].component = "kustomize-controller".into();
            })
        };
        let scenes = [
            logged("Pruned resource v1/Secret other/regcred"),
            logged("Pruned resource v1/Secret shop/regcred-backup"),
            told("Kustomization", "flux-system", "Secret/other/regcred pruned"),
            told("Secret", "other", "Secret/regcred deleted"),
            told("Secret", "shop", "Secret/regcred created"),
        ];
        for scene in scenes {
            assert_eq!(scene.ask(&PRUNED, &about("regcred")), None);
        }
        let mine = told("Secret", "shop", "Secret/regcred deleted");
        assert_eq!(mine.ask(&PRUNED, &about("regcred")), Some(Answer::Yes));
        let collected = |line: &str| logged(line).ask(&COLLECTED, &about("regcred"));
        let line = "garbagecollector.go:550] \"Deleting item\" item=\"[v1/Secret, namespace: shop, name: regcred, uid: 1]\"";
        assert_eq!(collected(line), Some(Answer::Yes));
        assert_eq!(collected(&line.replace("shop", "other")), None);
        assert_eq!(collected(&line.replace("regcred", "regcred-backup")), None);
    }

    #[test]
    fn a_secret_that_was_made_again_before_the_pull_was_not_missing() {
        let pruned = |made: &str| {
            Scene::pod(IMAGE, &["regcred"])
                .audit(audit("08:00:00", "delete", ARGO, "secrets", "regcred"))
                .audit(audit(made, "create", "kubernetes-admin", "secrets", "regcred"))
        };
        assert_eq!(pruned("08:30:00").ask(&PRUNED, &about("regcred")), Some(Answer::No));
        assert_eq!(pruned("07:30:00").ask(&PRUNED, &about("regcred")), Some(Answer::Yes));
        assert_eq!(pruned("11:00:00").ask(&PRUNED, &about("regcred")), Some(Answer::Yes));
    }

    #[test]
    fn a_refused_deletion_deleted_nothing() {
        let mut refused = audit("10:03:00", "delete", ARGO, "secrets", "regcred");
        refused.status = 403;
        assert_eq!(Scene::pod(IMAGE, &["regcred"]).audit(refused).ask(&PRUNED, &about("regcred")), None);
    }

    #[test]
    fn a_tracked_source_and_automatic_pruning_make_it_likely() {
        let mut source = secret("platform", "regcred", "harbor.example.com");
        source.meta.labels.insert("app.kubernetes.io/instance".into(), "platform".into());
        let scene = Scene::pod(IMAGE, &["regcred"]).secret(source);
        assert_eq!(scene.ask(&PRUNED, &about("regcred")), None);
        let app = r#"{"spec":{"syncPolicy":{"automated":{"prune":true}}}}"#;
        let pruning = scene.other("Application", "argocd", "platform", app);
        assert_eq!(pruning.ask(&PRUNED, &about("regcred")), Some(Answer::Stale));
        assert_eq!(pruning.ask(&PRUNING_SEEN, &about("regcred")), None);
    }

    #[test]
    fn garbage_collection_is_seen_in_the_audit_log_and_in_its_event() {
        let pod = || Scene::pod(IMAGE, &["regcred"]);
        let audited = pod().audit(audit("10:03:00", "delete", COLLECTOR, "secrets", "regcred"));
        let told = pod()
            .event("OwnerRefInvalidNamespace", "ownerRef [x] does not exist in namespace \"shop\"")
            .change(|s| {
                s.events[0].kind = "Secret".into();
                s.events[0].name = "regcred".into();
            });
        for scene in [audited, told] {
            assert_eq!(scene.ask(&COLLECTED, &about("regcred")), Some(Answer::Yes));
        }
        assert_eq!(pod().ask(&COLLECTED, &about("regcred")), None);
    }

    #[test]
    fn what_is_there_since_before_the_failure_was_not_taken_away() {
        let asked = |made: &str, question: &Question| {
            let mut there = secret("shop", "regcred", "harbor.example.com");
            there.meta.created = crate::testing::at(made);
            Scene::pod(IMAGE, &["regcred"]).secret(there).ask(question, &about("regcred"))
        };
        for question in [&PRUNED, &COLLECTED] {
            assert_eq!(asked("09:00:00", question), Some(Answer::No));
            assert_eq!(asked("10:04:00", question), None, "it may have been away");
        }
    }
}
