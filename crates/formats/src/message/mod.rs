//! The error text of a pull or push, in anybody's words, into what the words carry.
//!
//! By structure first (wrappers off, the chain split), by the innermost leaf second. What is *around* the text, and so
//! every cause that the words do not state, is left to `diagnose`.

use vocabulary::{Cause, Confidence, Operation, Phase, Runtime};

/// What one text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The finest cause that the words support.
    pub cause: Cause,
    /// Other readings of the same words, best first.
    pub also_possible: Vec<Cause>,
    /// How sure the words alone are.
    pub confidence: Confidence,
    /// What was being done.
    pub operation: Operation,
    /// The image whose pull or push failed, verbatim, in its most complete form.
    pub image: Option<String>,
    /// The image's registry with its port, as it stands in the image; `docker.io` for names without one.
    pub registry_host: Option<String>,
    /// The host (with port) that was asked when it failed: the registry, a mirror, a token service, a blob store.
    pub endpoint_host: Option<String>,
    /// The URL that was asked, verbatim.
    pub url: Option<String>,
    /// Whose words they are.
    pub runtime: Option<Runtime>,
    /// Which request was under way.
    pub phase: Option<Phase>,
    /// The HTTP status that ended it.
    pub status: Option<u16>,
    /// The innermost words: what the verdict rests on. A slice of the unwrapped text.
    pub leaf: String,
}

/// Reads one text: an event, a log line, a describe output, a CLI's output.
pub fn read(text: &str) -> Reading {
    let cause = if text.contains("certificate signed by unknown authority") {
        Cause::TlsUnknownAuthority
    } else {
        Cause::Unknown
    };
    Reading {
        cause,
        also_possible: Vec::new(),
        confidence: Confidence::Possible,
        operation: Operation::Pull,
        image: None,
        registry_host: None,
        endpoint_host: None,
        url: None,
        runtime: None,
        phase: None,
        status: None,
        leaf: text.to_owned(),
    }
}
