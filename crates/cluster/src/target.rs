//! `TARGET` on the command line: a pod or a workload, in the words of kubectl.

use std::fmt;
use std::str::FromStr;

/// A pod or workload of one namespace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// What kind of object.
    pub kind: TargetKind,
    /// Its name.
    pub name: String,
}

macro_rules! kinds {
    ($($variant:ident: $kind:literal, $group:literal, $plural:literal, [$($word:literal),*];)*) => {
        /// The kinds whose pods can be asked for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum TargetKind {
            $(#[doc = concat!("`", $kind, "`.")] $variant,)*
        }

        impl TargetKind {
            /// The kind as objects name it.
            pub fn kind(self) -> &'static str {
                match self { $(Self::$variant => $kind,)* }
            }

            /// Group and version below `/api` or `/apis`.
            pub(crate) fn group_version(self) -> &'static str {
                match self { $(Self::$variant => $group,)* }
            }

            /// The resource in a URL, and in an RBAC rule.
            pub(crate) fn plural(self) -> &'static str {
                match self { $(Self::$variant => $plural,)* }
            }

            /// The kind that a word of kubectl's means.
            fn of(word: &str) -> Option<Self> {
                match word { $($($word)|* | $plural => Some(Self::$variant),)* _ => None }
            }

            /// The workload kind that owns pods under this name in `ownerReferences`.
            pub(crate) fn of_owner(kind: &str) -> Option<Self> {
                match kind { $($kind => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

kinds! {
    Pod: "Pod", "v1", "pods", ["pod", "po"];
    Deployment: "Deployment", "apps/v1", "deployments", ["deployment", "deploy"];
    ReplicaSet: "ReplicaSet", "apps/v1", "replicasets", ["replicaset", "rs"];
    StatefulSet: "StatefulSet", "apps/v1", "statefulsets", ["statefulset", "sts"];
    DaemonSet: "DaemonSet", "apps/v1", "daemonsets", ["daemonset", "ds"];
    Job: "Job", "batch/v1", "jobs", ["job"];
    CronJob: "CronJob", "batch/v1", "cronjobs", ["cronjob", "cj"];
    ReplicationController: "ReplicationController", "v1", "replicationcontrollers", ["replicationcontroller", "rc"];
}

/// Why a word is no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTarget {
    /// The kind is none that has pods.
    #[error(
        "{0:?} is no kind with pods: use pod/NAME, deployment/NAME, sts/NAME, ds/NAME, rs/NAME, job/NAME or cronjob/NAME"
    )]
    Kind(String),
    /// The name cannot be an object's.
    #[error("{0:?} cannot be the name of an object: lower-case letters, digits, '-' and '.' only")]
    Name(String),
}

impl FromStr for Target {
    type Err = BadTarget;

    /// `NAME` (a pod), `KIND/NAME`, or `KIND.GROUP/NAME` as kubectl prints it.
    fn from_str(text: &str) -> Result<Self, BadTarget> {
        let (kind, name) = match text.split_once('/') {
            None => (TargetKind::Pod, text),
            Some((word, name)) => {
                let lower = word.to_ascii_lowercase();
                let plain = lower.split('.').next().unwrap_or_default();
                (TargetKind::of(plain).ok_or_else(|| BadTarget::Kind(word.to_owned()))?, name)
            }
        };
        // DNS-1123 subdomain, as the API server checks it; anything else would also change the URL
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '.';
        if name.is_empty() || name.len() > 253 || !name.chars().all(fits) || name.starts_with(['.', '-']) {
            return Err(BadTarget::Name(name.to_owned()));
        }
        Ok(Self { kind, name: name.to_owned() })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind.kind().to_ascii_lowercase(), self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_words_of_kubectl() {
        for (text, kind, name) in [
            ("web-1", TargetKind::Pod, "web-1"),
            ("pod/web-1", TargetKind::Pod, "web-1"),
            ("deploy/web", TargetKind::Deployment, "web"),
            ("deployments/web", TargetKind::Deployment, "web"),
            ("Deployment.apps/web", TargetKind::Deployment, "web"),
            ("sts/db", TargetKind::StatefulSet, "db"),
            ("cj/night.ly", TargetKind::CronJob, "night.ly"),
        ] {
            assert_eq!(text.parse(), Ok(Target { kind, name: name.into() }), "{text}");
        }
    }

    #[test]
    fn refuses_what_would_change_the_request() {
        for text in ["", "pod/", "svc/web", "pod/../nodes", "pod/a?x=1", "pod/A", "a/b/c", "pod/\u{1b}[31m"] {
            assert!(text.parse::<Target>().is_err(), "{text:?}");
        }
    }
}
