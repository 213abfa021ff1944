//! Entries of API server audit logs about objects that matter to pulls.

use super::lenient::{Count, List, Named, Or, Text};
use super::meta::time;
use facts::{AuditEntry, Origin};
use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct RawAudit<'a> {
    #[serde(borrow)]
    stage: Text<'a>,
    #[serde(borrow)]
    verb: Text<'a>,
    #[serde(borrow)]
    user: Or<RawUser<'a>>,
    #[serde(borrow)]
    object_ref: Or<RawObject<'a>>,
    response_status: Or<RawStatus>,
    #[serde(borrow)]
    request_object: Or<RawBody<'a>>,
    #[serde(borrow)]
    request_received_timestamp: Text<'a>,
    #[serde(borrow)]
    stage_timestamp: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawUser<'a> {
    #[serde(borrow)]
    username: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawObject<'a> {
    #[serde(borrow)]
    resource: Text<'a>,
    #[serde(borrow)]
    namespace: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawStatus {
    code: Count,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawBody<'a> {
    #[serde(borrow)]
    image_pull_secrets: Option<List<Named<'a>>>,
    #[serde(borrow)]
    spec: Or<RawBodySpec<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawBodySpec<'a> {
    #[serde(borrow)]
    image_pull_secrets: Option<List<Named<'a>>>,
}

/// Verbs that change something.
const WRITES: &[&str] = &["create", "update", "patch", "delete", "deletecollection"];
/// Resources that decide which credentials a pull has.
const RESOURCES: &[&str] = &["secrets", "serviceaccounts", "pods", "namespaces"];

impl RawAudit<'_> {
    /// The facts of it; `None` for reads, other resources, and stages before the answer.
    pub fn facts(&self, origin: Origin) -> Option<AuditEntry> {
        let object = &self.object_ref.0;
        let done = self.stage.is_empty() || self.stage.as_str() == "ResponseComplete";
        if !done || !WRITES.contains(&self.verb.as_str()) || !RESOURCES.contains(&object.resource.as_str()) {
            return None;
        }
        let body = &self.request_object.0;
        let secrets = body.image_pull_secrets.as_ref().or(body.spec.0.image_pull_secrets.as_ref());
        Some(AuditEntry {
            at: time(&self.stage_timestamp).or_else(|| time(&self.request_received_timestamp)),
            verb: self.verb.owned(),
            user: self.user.0.username.owned(),
            resource: object.resource.owned(),
            namespace: object.namespace.owned(),
            name: object.name.owned(),
            status: u16::try_from(self.response_status.0.code.0).unwrap_or_default(),
            pull_secrets: secrets.map(|l| l.0.iter().map(|s| s.name.owned()).collect()),
            origin,
        })
    }
}
