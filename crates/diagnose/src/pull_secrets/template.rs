//! Workloads: the pod template that a pull's pod was made from, where the pod itself is not in the Snapshot; and pull
//! secrets that stand where nothing reads them.

use crate::case::Case;
use crate::pull::Pull;
use facts::OtherObject;
use report::{Evidence, Locator, Say};
use serde_json::Value;
use std::collections::HashMap;

/// The pull secrets of the template that holds the pull's image, else those of its service account; `None` where no
/// template is known.
pub fn names(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<(String, Locator)>> {
    let Template { object, spec, path } = template_of(case, pull)?;
    let own = secret_names(spec);
    let place = |field: String| Locator::Object {
        kind: object.kind.clone(),
        namespace: object.meta.namespace.clone(),
        name: object.meta.name.clone(),
        field,
    };
    if !own.is_empty() {
        let named = own
            .into_iter()
            .enumerate()
            .map(|(n, s)| (s, place(format!("{path}.imagePullSecrets[{n}].name"))));
        return Some(named.collect());
    }
    let account = spec.get("serviceAccountName").and_then(Value::as_str).unwrap_or("default");
    let account = case.account(pull.namespace, account)?;
    let named = account.pull_secrets.iter().enumerate().map(|(n, s)| {
        let at = Locator::Object {
            kind: "ServiceAccount".into(),
            namespace: account.meta.namespace.clone(),
            name: account.meta.name.clone(),
            field: format!("imagePullSecrets[{n}].name"),
        };
        (s.clone(), at)
    });
    Some(named.collect())
}

/// A workload's pod template.
pub struct Template<'a> {
    object: &'a OtherObject,
    spec: Value,
    path: &'static str,
}

/// The workload whose template holds the pull's image, in its namespace.
fn template_of<'s, 'a>(case: &'s Case<'a>, pull: &Pull<'_>) -> Option<&'s Template<'a>> {
    let all = case.once.templates.get_or_init(|| templates(case));
    all.get(pull.namespace)?.iter().find(|template| {
        ["containers", "initContainers"].iter().any(|list| {
            template.spec.get(*list).and_then(Value::as_array).is_some_and(|cs| {
                cs.iter().any(|c| c.get("image").and_then(Value::as_str) == Some(pull.image.as_str()))
            })
        })
    })
}

fn templates<'a>(case: &Case<'a>) -> HashMap<&'a str, Vec<Template<'a>>> {
    let mut all: HashMap<&str, Vec<Template<'_>>> = HashMap::new();
    for object in &case.snapshot.others {
        let Ok(json) = serde_json::from_str::<Value>(&object.json) else { continue };
        if let Some((spec, path)) = pod_spec(&json) {
            let template = Template { object, spec: spec.clone(), path };
            all.entry(&object.meta.namespace).or_default().push(template);
        }
    }
    all
}

/// The pod spec in a workload.
fn pod_spec(object: &Value) -> Option<(&Value, &'static str)> {
    for (pointer, path) in [
        ("/spec/template/spec", "spec.template.spec"),
        ("/spec/jobTemplate/spec/template/spec", "spec.jobTemplate.spec.template.spec"),
    ] {
        if let Some(spec) = object.pointer(pointer) {
            return Some((spec, path));
        }
    }
    None
}

fn secret_names(spec: &Value) -> Vec<String> {
    let list = spec.get("imagePullSecrets").and_then(Value::as_array);
    list.into_iter().flatten().filter_map(|s| s.get("name")?.as_str().map(str::to_owned)).collect()
}

/// `imagePullSecrets` that stand in a container, where nothing reads them.
pub fn misplaced(pull: &Pull<'_>) -> Option<Evidence> {
    let pod = pull.pod?;
    let path = pod.misplaced.iter().find(|p| p.to_ascii_lowercase().contains("pullsecrets"))?;
    Some(Evidence {
        at: Locator::Object {
            kind: "Pod".into(),
            namespace: pod.meta.namespace.clone(),
            name: pod.meta.name.clone(),
            field: path.clone(),
        },
        says: Say::new("evidence-pull-secrets-misplaced"),
        quote: path.clone(),
    })
}
