//! What of the cluster is looked at: a target's pods as a selector, and whether namespace and target exist at all.

use crate::api::{Api, As, Failure};
use crate::connect::Connected;
use crate::error::{ConnectError, plain};
use crate::list::{self, Ended, List, Sink};
use crate::{Namespaces, Options, Target, TargetKind};
use serde_json::Value;

/// The pods that are asked for.
pub(crate) struct Scope {
    /// Empty for all.
    pub namespace: String,
    /// For the list of pods; empty for all.
    pub fields: String,
    /// For the list of pods; empty for all.
    pub labels: String,
}

/// From options to lists.
///
/// # Errors
/// The target does not exist, or cannot be read.
pub(crate) async fn resolve(
    api: &Api,
    options: &Options,
    connected: &Connected,
) -> Result<Scope, ConnectError> {
    let namespace = match &options.namespaces {
        Namespaces::Current => connected.namespace.clone(),
        Namespaces::Named(name) => name.clone(),
        Namespaces::All => String::new(),
    };
    let mut labels: Vec<String> = options.selector.iter().filter(|s| !s.trim().is_empty()).cloned().collect();
    let mut fields = String::new();
    if let Some(target) = &options.target {
        // A name belongs to one namespace, also under -A
        let home = if namespace.is_empty() { connected.namespace.clone() } else { namespace.clone() };
        match target.kind {
            TargetKind::Pod => {
                object(api, target, &home).await?;
                fields = format!("metadata.name={}", target.name);
            }
            _ => labels.push(selector(api, target, &home).await?),
        }
        return Ok(Scope { namespace: home, fields, labels: labels.join(",") });
    }
    Ok(Scope { namespace, fields, labels: labels.join(",") })
}

/// Whether a namespace is there: asked only when it shows no pods, since "nothing is failing" would be a wrong answer for
/// one that does not exist.
///
/// # Errors
/// It does not exist. A refusal says nothing.
pub(crate) async fn exists(api: &Api, namespace: &str) -> Result<(), ConnectError> {
    let path = list::resource_path("v1", "namespaces", "", Some(namespace));
    match api.get(&path, As::Objects).await {
        Err(Failure::Status { code: 404, .. }) => Err(ConnectError::NoNamespace { name: plain(namespace) }),
        _ => Ok(()),
    }
}

async fn object(api: &Api, target: &Target, namespace: &str) -> Result<Value, ConnectError> {
    let path =
        list::resource_path(target.kind.group_version(), target.kind.plural(), namespace, Some(&target.name));
    let unread = |why: String| ConnectError::TargetUnread {
        target: target.to_string(),
        namespace: plain(namespace),
        why,
    };
    match api.get(&path, As::Objects).await {
        Ok(bytes) => serde_json::from_slice(&bytes).map_err(|_| unread("the answer is no object".to_owned())),
        Err(Failure::Status { code: 404, .. }) => {
            exists(api, namespace).await?;
            Err(ConnectError::NoTarget { target: target.to_string(), namespace: plain(namespace) })
        }
        Err(Failure::Status { code: 403, .. }) => {
            let rule = list::rule(target.kind.group_version(), target.kind.plural(), "get", None, namespace);
            Err(unread(format!("it takes {rule}")))
        }
        Err(failure) => Err(unread(failure.words())),
    }
}

/// The label selector of a workload's pods.
async fn selector(api: &Api, target: &Target, namespace: &str) -> Result<String, ConnectError> {
    let found = object(api, target, namespace).await?;
    let selector = match target.kind {
        TargetKind::CronJob => jobs_of(api, target, namespace).await?,
        TargetKind::ReplicationController => equalities(found.pointer("/spec/selector")),
        _ => of_selector(found.pointer("/spec/selector")),
    };
    // An empty selector would mean every pod of the namespace
    if selector.is_empty() {
        let why = "it selects no pods".to_owned();
        return Err(ConnectError::TargetUnread {
            target: target.to_string(),
            namespace: plain(namespace),
            why,
        });
    }
    Ok(selector)
}

/// `metav1.LabelSelector` as the query writes it.
fn of_selector(selector: Option<&Value>) -> String {
    let mut terms: Vec<String> = Vec::new();
    terms.extend(Some(equalities(selector.and_then(|s| s.get("matchLabels")))).filter(|t| !t.is_empty()));
    let expressions = selector.and_then(|s| s.get("matchExpressions")).and_then(Value::as_array);
    for expression in expressions.into_iter().flatten() {
        let text = |name: &str| expression.get(name).and_then(Value::as_str).unwrap_or_default();
        let values: Vec<&str> = expression
            .get("values")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let (key, values) = (text("key"), values.join(","));
        match text("operator") {
            "In" => terms.push(format!("{key} in ({values})")),
            "NotIn" => terms.push(format!("{key} notin ({values})")),
            "Exists" => terms.push(key.to_owned()),
            "DoesNotExist" => terms.push(format!("!{key}")),
            _ => {}
        }
    }
    terms.join(",")
}

fn equalities(labels: Option<&Value>) -> String {
    let pairs = labels.and_then(Value::as_object).into_iter().flatten();
    let terms: Vec<String> = pairs.filter_map(|(k, v)| v.as_str().map(|v| format!("{k}={v}"))).collect();
    terms.join(",")
}

/// The pods of a cron job are those of its jobs, which carry the job's name as a label.
async fn jobs_of(api: &Api, target: &Target, namespace: &str) -> Result<String, ConnectError> {
    struct Jobs<'a>(&'a str, Vec<String>);
    impl Sink for Jobs<'_> {
        fn take(&mut self, page: &[u8]) -> Result<(), String> {
            for item in list::items(page)? {
                let job: Value = serde_json::from_str(item.get()).map_err(|e| e.to_string())?;
                let owners = job.pointer("/metadata/ownerReferences").and_then(Value::as_array);
                let own = owners.into_iter().flatten().any(|o| {
                    o.get("kind").and_then(Value::as_str) == Some("CronJob")
                        && o.get("name").and_then(Value::as_str) == Some(self.0)
                });
                if own {
                    self.1.extend(job.pointer("/metadata/name").and_then(Value::as_str).map(str::to_owned));
                }
            }
            Ok(())
        }

        fn restart(&mut self) {
            self.1.clear();
        }
    }
    let mut jobs = Jobs(&target.name, Vec::new());
    let list = List::of("batch/v1", "jobs", namespace);
    if let Ended::Cut(_, failure) = list::pages(api, &list, &mut jobs).await {
        let spot = list.blind(&failure);
        let why = if spot.needs.is_empty() { spot.detail } else { format!("it takes {}", spot.needs) };
        return Err(ConnectError::TargetUnread {
            target: target.to_string(),
            namespace: plain(namespace),
            why,
        });
    }
    if jobs.1.is_empty() {
        return Ok(String::new());
    }
    Ok(format!("job-name in ({})", jobs.1.join(",")))
}

#[cfg(test)]
mod tests {
    use super::of_selector;
    use serde_json::json;

    #[test]
    fn writes_a_selector_as_the_query_does() {
        let selector = json!({
            "matchLabels": { "app": "web" },
            "matchExpressions": [
                { "key": "tier", "operator": "In", "values": ["a", "b"] },
                { "key": "old", "operator": "DoesNotExist" },
                { "key": "x", "operator": "NotIn", "values": ["y"] },
                { "key": "z", "operator": "Exists" },
            ],
        });
        assert_eq!(of_selector(Some(&selector)), "app=web,tier in (a,b),!old,x notin (y),z");
        assert_eq!(of_selector(Some(&json!({}))), "");
    }
}
