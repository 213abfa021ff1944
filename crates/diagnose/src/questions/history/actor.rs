//! Who stands behind a user name of the API server.

use facts::AuditEntry;
use report::{Evidence, Locator, Say};

/// Who stands behind a user name of the API server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Actor {
    /// A tool that makes the cluster equal to a repository.
    Gitops,
    /// The garbage collector.
    Collector,
    /// Another program in the cluster.
    Controller,
    /// A person, or a program that looks like one.
    Person,
}

/// Words in the names of GitOps tools' service accounts and namespaces.
const GITOPS: &[&str] = &[
    "argocd",
    "argo",
    "flux",
    "fluxcd",
    "kustomize",
    "gitops",
    "fleet",
    "werf",
    "rancher",
    "sveltos",
    "carvel",
    "kapp",
];

pub(super) fn is_gitops(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| GITOPS.contains(&word))
}

pub(super) fn actor(user: &str) -> Actor {
    match user.strip_prefix("system:serviceaccount:") {
        Some(account) if account.ends_with(":generic-garbage-collector") => Actor::Collector,
        Some(account) if is_gitops(account) => Actor::Gitops,
        Some(_) => Actor::Controller,
        None if user.starts_with("system:node:") || user.starts_with("system:kube-") => Actor::Controller,
        None if user.starts_with("system:controller:generic-garbage-collector") => Actor::Collector,
        None => Actor::Person,
    }
}

/// An entry of an audit log as evidence.
pub fn audit_evidence(entry: &AuditEntry) -> Evidence {
    Evidence {
        at: Locator::File {
            node: String::new(),
            path: entry.origin.source.clone(),
            line: entry.origin.line,
            column: 0,
            snippet: String::new(),
        },
        says: Say::new("evidence-audit")
            .with("user", &*entry.user)
            .with("verb", &*entry.verb)
            .with("object", format!("{} {}/{}", entry.resource, entry.namespace, entry.name))
            .with("at", entry.at.map(|t| t.to_string()).unwrap_or_default()),
        quote: format!("{} {} {}/{}", entry.user, entry.verb, entry.resource, entry.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn users_are_told_apart() {
        for (user, expected) in [
            ("system:serviceaccount:argocd:argocd-application-controller", Actor::Gitops),
            (
                "system:serviceaccount:openshift-gitops:openshift-gitops-argocd-application-controller",
                Actor::Gitops,
            ),
            ("system:serviceaccount:flux-system:kustomize-controller", Actor::Gitops),
            ("system:serviceaccount:cattle-fleet-system:fleet-agent", Actor::Gitops),
            ("system:serviceaccount:kube-system:generic-garbage-collector", Actor::Collector),
            ("system:serviceaccount:olm:olm-operator-serviceaccount", Actor::Controller),
            ("system:kube-controller-manager", Actor::Controller),
            ("admin", Actor::Person),
            ("alice@example.com", Actor::Person),
        ] {
            assert_eq!(actor(user), expected, "{user}");
        }
    }
}
