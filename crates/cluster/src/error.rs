//! Why no connection was made: the only errors of this crate. Everything later is a blind spot in the Snapshot.

use std::path::PathBuf;
use thiserror::Error;

/// Why nothing could be looked at. Each message is one line: what was tried, on what, why not, what to do.
#[derive(Debug, Error)]
pub enum ConnectError {
    /// There is no kubeconfig anywhere.
    #[error("no kubeconfig: {looked}; name one with --kubeconfig, or read saved objects with --from")]
    NoConfig {
        /// Where one was looked for.
        looked: String,
    },
    /// A kubeconfig cannot be read or understood.
    #[error("cannot use the kubeconfig {path}: {why}", path = .path.display())]
    BadConfig {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// No context was named, and the kubeconfig has no current one.
    #[error("the kubeconfig has no current context; name one with --context (it has: {known})")]
    NoContext {
        /// The contexts that it has.
        known: String,
    },
    /// The context does not exist.
    #[error("the kubeconfig has no context {name:?} (it has: {known})")]
    UnknownContext {
        /// What was asked for.
        name: String,
        /// The contexts that it has.
        known: String,
    },
    /// The context's cluster is missing, or says no server.
    #[error("context {context:?} of the kubeconfig leads to no server: {why}")]
    NoServer {
        /// The context.
        context: String,
        /// What is missing.
        why: String,
    },
    /// The credentials that the kubeconfig describes cannot be had.
    #[error("cannot get credentials for context {context:?}: {why}")]
    Credentials {
        /// The context.
        context: String,
        /// What went wrong, without anything that the plugin printed to its standard output.
        why: String,
    },
    /// What the context says of the way there cannot be followed: its proxy, its certificates.
    #[error("context {context:?} of the kubeconfig cannot be used: {why}")]
    Unusable {
        /// The context.
        context: String,
        /// What is wrong.
        why: String,
    },
    /// The API server was not reached.
    #[error("cannot reach the API server {server}: {why}")]
    Unreachable {
        /// Its URL.
        server: String,
        /// What went wrong.
        why: String,
    },
    /// The API server does not accept the credentials.
    #[error("the API server {server} refuses the credentials of context {context:?} (401); log in again")]
    Unauthorized {
        /// Its URL.
        server: String,
        /// The context.
        context: String,
    },
    /// The namespace does not exist.
    #[error("there is no namespace {name:?} in this cluster")]
    NoNamespace {
        /// What was asked for.
        name: String,
    },
    /// The pod or workload does not exist.
    #[error("there is no {target} in namespace {namespace:?}")]
    NoTarget {
        /// What was asked for.
        target: String,
        /// Where.
        namespace: String,
    },
    /// The pod or workload cannot be read.
    #[error("cannot read {target} in namespace {namespace:?}: {why}")]
    TargetUnread {
        /// What was asked for.
        target: String,
        /// Where.
        namespace: String,
        /// What went wrong.
        why: String,
    },
    /// The API server does not take the label selector.
    #[error("the API server does not take the selector {selector:?}: {why}")]
    BadSelector {
        /// What was asked for.
        selector: String,
        /// Its words.
        why: String,
    },
}

/// One line of plain text: control characters become blanks, and what is too long is cut.
pub(crate) fn plain(text: &str) -> String {
    let mut line: String =
        text.trim().chars().take(400).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.trim().chars().count() > 400 {
        line.push_str(" ...");
    }
    line
}

/// An error and what it comes from, in one line: the outer words of an HTTP client seldom say why.
pub(crate) fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut words = plain(&error.to_string());
    let mut source = error.source();
    while let Some(inner) = source {
        let more = plain(&inner.to_string());
        if !words.contains(&more) {
            words = format!("{words}: {more}");
        }
        source = inner.source();
    }
    words
}
