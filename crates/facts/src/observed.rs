//! Absence has a reason: a fact that could not be had is a fact too.

use serde::{Deserialize, Serialize};

/// Why something was not seen. A question may conclude from a value, never from one of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The API server or the file system refused.
    Forbidden,
    /// No answer within the deadline.
    TimedOut,
    /// Nobody asked.
    NotAsked,
    /// It is there and cannot be read or understood.
    Unreadable,
    /// The source failed in another way.
    Failed,
    /// A bound was reached; there was more.
    Truncated,
}

impl Why {
    /// The word used in every output.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Forbidden => "forbidden",
            Self::TimedOut => "timed-out",
            Self::NotAsked => "not-asked",
            Self::Unreadable => "unreadable",
            Self::Failed => "failed",
            Self::Truncated => "truncated",
        }
    }
}

/// A value, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observed<T> {
    /// It was seen.
    Seen(T),
    /// It was not.
    Blind(Why),
}

impl<T> Observed<T> {
    /// The value, where there is one.
    pub fn seen(&self) -> Option<&T> {
        match self {
            Self::Seen(value) => Some(value),
            Self::Blind(_) => None,
        }
    }
}

impl<T> Default for Observed<T> {
    fn default() -> Self {
        Self::Blind(Why::NotAsked)
    }
}

/// What was not observed, why, and what it would take.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BlindSpot {
    /// What would have been looked at: `secrets in namespace shop`, `inputs/kube/pod.yaml`.
    pub what: String,
    /// Why it was not seen.
    pub why: Why,
    /// The source's own words, bounded and without secrets; empty where it said nothing.
    pub detail: String,
    /// What would give it: an RBAC rule, a flag, a command. Empty where nothing would.
    pub needs: String,
}
