//! Secrets: the few that failing pods (or their service accounts) name are read, and reduced to their shape at once; of
//! the others only what the server's table shows (name, type, number of keys), whose values never leave the server.
//!
//! A named secret that is not there is looked for by its name in other namespaces, in the table alone: no failing pod
//! names those, so their content stays where it is.

use crate::api::{Api, As, Failure};
use crate::list::{self, Ended, List, Sink};
use crate::pods::live;
use facts::{BlindSpot, Observed, Secret, Why};
use formats::docker_config::Sameness;
use formats::kube::{Detail, Envelope, Item, from_json, from_value};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Secrets that are read in full in one run.
const MOST_READ: usize = 200;
/// Missing secrets that are looked for in other namespaces.
const MOST_SOUGHT: usize = 20;

/// A secret that a failing pod names: namespace and name.
pub(crate) type Named = (String, String);

/// What was found of the secrets.
#[derive(Default)]
pub(crate) struct Secrets {
    /// Those that were read, then those of which the table speaks.
    pub all: Vec<Secret>,
    /// Whether the names of all secrets of the namespaces are known.
    pub complete: bool,
    /// Whether every named secret that is not there was looked for in all other namespaces.
    pub sought_everywhere: bool,
}

/// Reads the named secrets, and lists the rest of their namespaces.
pub(crate) async fn read(
    api: &Api,
    namespaces: &BTreeSet<String>,
    named: &BTreeSet<Named>,
    blind: &mut Vec<BlindSpot>,
) -> Secrets {
    let mut found = Secrets { all: Vec::new(), complete: true, sought_everywhere: true };
    for namespace in namespaces {
        let mut rows = Rows::default();
        let list = List { form: As::Table, ..List::of("v1", "secrets", namespace) };
        if let Ended::Cut(_, failure) = list::pages(api, &list, &mut rows).await {
            found.complete = false;
            blind.push(list.blind(&failure));
        }
        found.all.append(&mut rows.0);
    }
    let mut same = Sameness::default();
    let mut missing = BTreeSet::new();
    for (namespace, name) in named.iter().take(MOST_READ) {
        match one(api, namespace, name, &mut same).await {
            Ok(Some(secret)) => found.all.push(secret),
            Ok(None) => {}
            Err(Failure::Status { code: 404, .. }) => {
                missing.insert(name.clone());
            }
            Err(failure) => {
                let needs = match failure.why() {
                    Why::Forbidden => list::rule("v1", "secrets", "get", Some(name), namespace),
                    _ => String::new(),
                };
                blind.push(BlindSpot {
                    what: format!("secret {namespace}/{name}"),
                    why: failure.why(),
                    detail: failure.words(),
                    needs,
                });
            }
        }
    }
    if named.len() > MOST_READ {
        blind.push(BlindSpot {
            what: format!("{} more pull secrets", named.len() - MOST_READ),
            why: Why::Truncated,
            detail: String::new(),
            needs: "one namespace at a time: -n".to_owned(),
        });
    }
    found.sought_everywhere = named.len() <= MOST_READ && missing.len() <= MOST_SOUGHT;
    for name in missing.iter().take(MOST_SOUGHT) {
        match elsewhere(api, name).await {
            Ok(mut namesakes) => found.all.append(&mut namesakes),
            Err(spot) => {
                found.sought_everywhere = false;
                blind.push(spot);
            }
        }
    }
    // What was read comes before what only a table shows
    found
        .all
        .sort_by_key(|s| (s.meta.namespace.clone(), s.meta.name.clone(), s.docker_config.seen().is_none()));
    found.all.dedup_by(|a, b| a.meta.namespace == b.meta.namespace && a.meta.name == b.meta.name);
    found
}

/// One secret in full, reduced to its shape.
async fn one(api: &Api, namespace: &str, name: &str, same: &mut Sameness) -> Result<Option<Secret>, Failure> {
    let path = list::resource_path("v1", "secrets", namespace, Some(name));
    let bytes = api.get(&path, As::Objects).await?;
    let hint = Envelope { api_version: "v1".into(), kind: "Secret".into() };
    match from_json(&bytes, &hint, live(), Detail::Full, same) {
        Ok(read) => Ok(match read.item {
            Item::Secret(secret) => Some(*secret),
            _ => None,
        }),
        // serde_json's words may quote the text
        Err(_) => Err(Failure::Broken("the answer is no secret".to_owned())),
    }
}

/// Secrets of this name in any namespace: the commonest mistake is the right secret in the wrong one.
async fn elsewhere(api: &Api, name: &str) -> Result<Vec<Secret>, BlindSpot> {
    let mut rows = Rows::default();
    let list =
        List { form: As::Table, fields: format!("metadata.name={name}"), ..List::of("v1", "secrets", "") };
    if let Ended::Cut(_, failure) = list::pages(api, &list, &mut rows).await {
        let what = format!("secrets named {name} in other namespaces");
        return Err(BlindSpot { what, ..list.blind(&failure) });
    }
    Ok(rows.0)
}

/// Rows of a table of secrets.
#[derive(Default)]
struct Rows(Vec<Secret>);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Table {
    #[serde(default)]
    column_definitions: Vec<Column>,
    rows: Option<Vec<Row>>,
}

#[derive(Deserialize)]
struct Column {
    #[serde(default)]
    name: String,
}

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    cells: Vec<Value>,
    object: Value,
}

impl Sink for Rows {
    fn take(&mut self, page: &[u8]) -> Result<(), String> {
        let table: Table = serde_json::from_slice(page).map_err(|e| e.to_string())?;
        let column = table.column_definitions.iter().position(|c| c.name == "Type");
        for row in table.rows.unwrap_or_default() {
            let kind = column.and_then(|i| row.cells.get(i)).and_then(Value::as_str).unwrap_or_default();
            self.0.extend(shape(kind, row.object));
        }
        Ok(())
    }

    fn restart(&mut self) {
        self.0.clear();
    }
}

/// A secret from its metadata and type. Its keys are those that its writers declare, which may be fewer than it has (a
/// server-side apply with `stringData` declares none).
fn shape(kind: &str, mut object: Value) -> Option<Secret> {
    let metadata = object.get_mut("metadata").map(Value::take)?;
    let mut keys = BTreeSet::new();
    for manager in metadata.get("managedFields").and_then(Value::as_array).into_iter().flatten() {
        let data = manager.get("fieldsV1").and_then(|f| f.get("f:data")).and_then(Value::as_object);
        keys.extend(data.into_iter().flatten().filter_map(|(k, _)| k.strip_prefix("f:").map(str::to_owned)));
    }
    let document = json!({ "apiVersion": "v1", "kind": "Secret", "type": kind, "metadata": metadata });
    let read = from_value(&document, &Envelope::default(), live(), &mut Sameness::default());
    let Item::Secret(mut secret) = read.item else { return None };
    secret.keys = keys.into_iter().collect();
    secret.docker_config = Observed::Blind(Why::NotAsked);
    Some(*secret)
}
