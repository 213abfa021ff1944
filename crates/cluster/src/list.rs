//! Lists, page by page, so that no cluster is too large; and what is said when a list, or a page of it, cannot be had.

use crate::api::{Api, As, Failure, escaped};
use facts::BlindSpot;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::fmt::Write;

/// Objects in one page: what kubectl asks for.
const PAGE: u32 = 500;
/// How often a list is begun anew after its continuation expired (410) before it counts as cut.
const RESTARTS: u32 = 1;

/// One list of the API.
#[derive(Clone, Debug)]
pub(crate) struct List {
    /// `v1`, `apps/v1`.
    pub group_version: &'static str,
    /// `pods`.
    pub resource: &'static str,
    /// Empty for all namespaces, and for what has none.
    pub namespace: String,
    /// A field selector; empty for none.
    pub fields: String,
    /// A label selector; empty for none.
    pub labels: String,
    /// In which form.
    pub form: As,
}

impl List {
    /// All objects of a resource in a namespace; an empty namespace is all of them.
    pub fn of(group_version: &'static str, resource: &'static str, namespace: &str) -> Self {
        Self {
            group_version,
            resource,
            namespace: namespace.to_owned(),
            fields: String::new(),
            labels: String::new(),
            form: As::Objects,
        }
    }

    fn path(&self, continue_at: Option<&str>) -> String {
        let mut path = resource_path(self.group_version, self.resource, &self.namespace, None);
        let _ = write!(path, "?limit={PAGE}");
        for (name, value) in [("fieldSelector", &self.fields), ("labelSelector", &self.labels)] {
            if !value.is_empty() {
                let _ = write!(path, "&{name}={}", escaped(value));
            }
        }
        if let Some(token) = continue_at {
            let _ = write!(path, "&continue={}", escaped(token));
        }
        path
    }

    /// The place in words: `pods in namespace shop`, `nodes`.
    pub fn what(&self) -> String {
        let which = if self.fields.is_empty() { String::new() } else { format!(" ({})", self.fields) };
        if self.namespace.is_empty() {
            format!("{}{which}", self.resource)
        } else {
            format!("{}{which} in namespace {}", self.resource, self.namespace)
        }
    }

    /// The blind spot that a failure leaves, with the RBAC rule that would mend it.
    pub fn blind(&self, failure: &Failure) -> BlindSpot {
        let needs = match failure.why() {
            facts::Why::Forbidden => rule(self.group_version, self.resource, "list", None, &self.namespace),
            facts::Why::TimedOut => "--timeout with more seconds".to_owned(),
            _ => String::new(),
        };
        BlindSpot { what: self.what(), why: failure.why(), detail: failure.words(), needs }
    }
}

/// `/api/v1/namespaces/shop/pods/web`, or without namespace and name.
pub(crate) fn resource_path(
    group_version: &str,
    resource: &str,
    namespace: &str,
    name: Option<&str>,
) -> String {
    let root = if group_version == "v1" { "api" } else { "apis" };
    let mut path = format!("/{root}/{group_version}");
    if !namespace.is_empty() {
        let _ = write!(path, "/namespaces/{}", escaped(namespace));
    }
    let _ = write!(path, "/{resource}");
    if let Some(name) = name {
        let _ = write!(path, "/{}", escaped(name));
    }
    path
}

/// An RBAC rule in one line of YAML, and where it belongs.
pub(crate) fn rule(
    group_version: &str,
    resource: &str,
    verb: &str,
    name: Option<&str>,
    namespace: &str,
) -> String {
    let group = group_version.split_once('/').map_or("", |(group, _)| group);
    let names = name.map(|n| format!(", resourceNames: [\"{n}\"]")).unwrap_or_default();
    let place = if namespace.is_empty() {
        "ClusterRole".to_owned()
    } else {
        format!("Role in namespace {namespace}")
    };
    format!(
        "{place}: - {{apiGroups: [\"{group}\"], resources: [\"{resource}\"], verbs: [\"{verb}\"]{names}}}"
    )
}

/// What every page says about itself; its items are read by whoever wants them.
#[derive(Default, Deserialize)]
#[serde(default)]
struct PageHead {
    metadata: PageMeta,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct PageMeta {
    #[serde(rename = "continue")]
    continue_at: String,
}

/// How a list ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Every page was read.
    Complete,
    /// It broke off after this many pages.
    Cut(u32, Failure),
}

/// Takes the pages of a list.
pub(crate) trait Sink {
    /// One page.
    ///
    /// # Errors
    /// The page is no list: why.
    fn take(&mut self, page: &[u8]) -> Result<(), String>;

    /// Forget everything: the list is begun anew.
    fn restart(&mut self);
}

/// Reads a list page by page.
///
/// A continuation lives as long as etcd's history (five minutes by default). When it has expired, the list is begun anew
/// once; after that the server's offer to go on with what is there now is taken: pods that come and go meanwhile may be
/// missed, so the list does not count as complete.
pub(crate) async fn pages(api: &Api, list: &List, sink: &mut impl Sink) -> Ended {
    let mut token: Option<String> = None;
    let (mut read, mut restarts, mut inconsistent) = (0, 0, None);
    loop {
        match api.get(&list.path(token.as_deref()), list.form).await {
            Ok(page) => {
                let head: Result<PageHead, _> = serde_json::from_slice(&page);
                match head.map_err(|e| e.to_string()).and_then(|head| sink.take(&page).map(|()| head)) {
                    Ok(head) => {
                        read += 1;
                        token = Some(head.metadata.continue_at).filter(|t| !t.is_empty());
                        if token.is_none() {
                            return inconsistent.map_or(Ended::Complete, |f| Ended::Cut(read, f));
                        }
                    }
                    Err(words) => {
                        return Ended::Cut(read, Failure::Broken(format!("the answer is no list: {words}")));
                    }
                }
            }
            Err(failure) if failure.code() == Some(410) && token.is_some() => {
                if restarts < RESTARTS {
                    (restarts, read, token, inconsistent) = (restarts + 1, 0, None, None);
                    sink.restart();
                    continue;
                }
                match &failure {
                    Failure::Status { continue_at: Some(next), .. } if inconsistent.is_none() => {
                        token = Some(next.clone());
                        inconsistent = Some(failure);
                    }
                    _ => return Ended::Cut(read, failure),
                }
            }
            Err(failure) => return Ended::Cut(read, failure),
        }
    }
}

/// The items of a page, each as its own text.
///
/// # Errors
/// The page has no list of items.
pub(crate) fn items(page: &[u8]) -> Result<Vec<&RawValue>, String> {
    #[derive(Deserialize)]
    struct Page<'a> {
        // a list without items is written as null by some servers
        #[serde(borrow)]
        items: Option<Vec<&'a RawValue>>,
    }
    serde_json::from_slice::<Page<'_>>(page).map(|p| p.items.unwrap_or_default()).map_err(|e| e.to_string())
}
