//! What a pull had in hand: the secrets its pod names, whether they are there, what the kubelet makes of them, and
//! which of their entries serve the image. Facts put together; what follows from them is for the questions.

mod absence;
mod listing;
mod template;

use crate::case::Case;
use crate::pull::Pull;
use emulate::kubelet::{image_name, keyring, secret};
use facts::{AuthEntry, Observed, Pod, Secret, Why};
use report::{Evidence, Locator, Say};

pub use absence::absent;
pub use listing::{SecretList, listed, listed_everywhere};
pub use template::{Template, misplaced};

/// One pull secret that a pod (or its workload's template) names.
#[derive(Clone, Debug)]
pub struct Named<'a> {
    /// Its name.
    pub name: String,
    /// Where it is named.
    pub at: Locator,
    /// Whether it is there.
    pub presence: Presence<'a>,
}

/// Whether an object is there.
#[derive(Clone, Debug)]
pub enum Presence<'a> {
    /// It was seen.
    There(&'a Secret),
    /// Something shows that it is not there.
    Gone(Vec<Evidence>),
    /// Nothing shows it either way.
    Unknown,
}

/// What the kubelet makes of a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Made<'a> {
    /// Entries for its keyring.
    Entries(&'a [AuthEntry]),
    /// Nothing: it does not read this type.
    WrongType,
    /// Nothing: the data key that goes with the type is missing.
    WrongKey,
    /// An error that ends every pull of the pod, in its words.
    Broken(String),
    /// Only metadata was seen.
    Blind(Why),
}

/// Whether a pod says which secrets it names: a printed one does not.
pub fn says_its_own(pod: &Pod) -> bool {
    !pod.printed || !pod.pull_secrets.is_empty()
}

/// The pull secrets that a pull was made with, in order; `None` where neither pod nor template is known.
pub fn named<'a>(case: &Case<'a>, pull: &Pull<'_>) -> Option<Vec<Named<'a>>> {
    let list: Vec<(String, Locator)> = match pull.pod {
        Some(pod) if says_its_own(pod) => {
            let place = |n: usize| Locator::Object {
                kind: "Pod".into(),
                namespace: pod.meta.namespace.clone(),
                name: pod.meta.name.clone(),
                field: format!("spec.imagePullSecrets[{n}].name"),
            };
            pod.pull_secrets.iter().enumerate().map(|(n, name)| (name.clone(), place(n))).collect()
        }
        _ => template::names(case, pull)?,
    };
    let named = list.into_iter().filter(|(name, _)| !name.is_empty()).map(|(name, at)| {
        let presence = presence(case, pull, &name);
        Named { name, at, presence }
    });
    Some(named.collect())
}

/// Whether a secret of this name is there in the pull's namespace.
pub fn presence<'a>(case: &Case<'a>, pull: &Pull<'_>, name: &str) -> Presence<'a> {
    if let Some(there) = case.secret(pull.namespace, name) {
        return Presence::There(there);
    }
    match absent(case, pull, name) {
        gone if gone.is_empty() => Presence::Unknown,
        gone => Presence::Gone(gone),
    }
}

/// What the kubelet makes of a secret.
pub fn made(secret: &Secret) -> Made<'_> {
    let Some(key) = secret::data_key(&secret.type_) else { return Made::WrongType };
    let config = match &secret.docker_config {
        Observed::Seen(config) => config,
        Observed::Blind(why) => return Made::Blind(*why),
    };
    if config.found_in != key && !secret.keys.iter().any(|k| k == key) {
        return Made::WrongKey;
    }
    let broken = config.problem.clone().or_else(|| config.entries.iter().find_map(|e| e.problem.clone()));
    match broken {
        Some(words) => Made::Broken(words),
        None => Made::Entries(&config.entries),
    }
}

/// The entries of these secrets that serve an image, in the kubelet's order.
pub fn serving<'s>(secrets: &[&'s Secret], image: &str) -> Vec<(&'s Secret, &'s AuthEntry)> {
    let all: Vec<(&Secret, &AuthEntry)> = secrets
        .iter()
        .filter_map(|s| match made(s) {
            Made::Entries(entries) => Some(entries.iter().map(|e| (*s, e))),
            _ => None,
        })
        .flatten()
        .collect();
    matching(&all, image)
}

/// The first entry that matches an image, if the kubelet read the secret, whatever its type.
pub fn content_matches<'s>(secret: &'s Secret, image: &str) -> Option<&'s AuthEntry> {
    let config = secret.docker_config.seen()?;
    let all: Vec<((), &AuthEntry)> = config.entries.iter().map(|e| ((), e)).collect();
    matching(&all, image).into_iter().map(|(_, e)| e).next()
}

fn matching<'s, S: Copy>(all: &[(S, &'s AuthEntry)], image: &str) -> Vec<(S, &'s AuthEntry)> {
    let Ok(name) = image_name::lookup_name(image) else { return Vec::new() };
    keyring::lookup(all.iter().map(|(_, e)| e.key.as_str()), &name)
        .into_iter()
        .filter_map(|at| all.get(at).copied())
        .collect()
}

/// An entry of a secret, as a place.
pub fn entry_at(secret: &Secret, entry: &AuthEntry) -> Locator {
    let found = secret.docker_config.seen().map_or("", |c| c.found_in.as_str());
    secret_at(secret, &format!("data[{found}].auths[{}]", entry.key))
}

/// A field of a secret, as a place.
pub fn secret_at(secret: &Secret, field: &str) -> Locator {
    Locator::Object {
        kind: "Secret".into(),
        namespace: secret.meta.namespace.clone(),
        name: secret.meta.name.clone(),
        field: field.to_owned(),
    }
}

/// The keys of a secret's entries, as evidence.
pub fn keys_shown(secret: &Secret, entries: &[AuthEntry], says: Say) -> Evidence {
    let keys: Vec<&str> = entries.iter().map(|e| e.key.as_str()).take(12).collect();
    let found = secret.docker_config.seen().map_or("", |c| c.found_in.as_str());
    Evidence { at: secret_at(secret, &format!("data[{found}].auths")), says, quote: keys.join(", ") }
}
