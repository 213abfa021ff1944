//! Accounts as the registry itself lists them, in what it answered or was exported from it.

use crate::case::Case;
use crate::lines::output_at;
use jiff::Timestamp;
use report::{Evidence, Locator, Say};
use serde_json::Value;

/// One account of the registry.
#[derive(Clone, Debug)]
pub struct Account {
    /// Its name, as the registry spells it.
    pub name: String,
    /// When it runs out; `None` where it does not, or the list does not say.
    pub expires: Option<Timestamp>,
    /// Whether the list calls it run out.
    pub over: bool,
    /// When it, or its secret, was last changed.
    pub changed: Option<Timestamp>,
    /// What it may do, as the list spells it; empty where it does not say.
    pub scopes: Vec<String>,
    /// Where it is listed.
    pub shown: Evidence,
}

/// At most this many accounts are looked at.
const MOST: usize = 500;

/// Every account in JSON lists of the registry's side: objects with a name beside an expiry or a switch.
pub fn accounts<'s>(case: &'s Case<'_>) -> &'s [Account] {
    case.once.accounts.get_or_init(|| read(case))
}

fn read(case: &Case<'_>) -> Vec<Account> {
    let documents = case.snapshot.documents.iter().map(|d| {
        let at = Locator::File {
            node: d.node.clone().unwrap_or_default(),
            path: d.origin.source.clone(),
            line: 0,
            column: 0,
            snippet: String::new(),
        };
        (d.text.as_str(), at)
    });
    let outputs = case.snapshot.outputs.iter().map(|o| {
        let at = output_at(o, o.origin.line);
        (o.text.as_str(), at)
    });
    let mut found = Vec::new();
    for (text, at) in documents.chain(outputs) {
        if !text.trim_start().starts_with(['{', '[']) {
            continue;
        }
        if let Ok(value) = serde_json::from_str::<Value>(text) {
            collect(&value, &at, &mut found);
        }
    }
    found
}

/// Names of members that tell when an account runs out.
const EXPIRIES: &[&str] =
    &["expires_at", "expiresAt", "expiration", "expires", "expiry", "expire_at", "expiration_date"];
/// Names of members that tell when an account was last changed.
const CHANGES: &[&str] = &["secret_updated_at", "update_time", "updated_at", "updatedAt"];
/// Names of members that only accounts have.
const SWITCHES: &[&str] =
    &["disable", "disabled", "enabled", "robot", "creation_time", "last_login", "secret_expires_at"];

fn collect(value: &Value, at: &Locator, found: &mut Vec<Account>) {
    match value {
        Value::Array(all) => all.iter().for_each(|v| collect(v, at, found)),
        Value::Object(members) => {
            // A GitLab token has a label (`name`) beside the user name with which it logs in (doc/api/deploy_tokens.md).
            let name = ["username", "user", "login", "name"].iter().find_map(|n| members.get(*n)?.as_str());
            let expiry = EXPIRIES.iter().find_map(|n| members.get(*n));
            let is_account = expiry.is_some() || SWITCHES.iter().any(|n| members.contains_key(*n));
            if let Some(name) = name.filter(|_| is_account && found.len() < MOST) {
                found.push(Account {
                    name: name.to_owned(),
                    expires: expiry.and_then(time),
                    changed: CHANGES.iter().find_map(|n| members.get(*n)).and_then(time),
                    scopes: members.get("scopes").map(words).unwrap_or_default(),
                    over: members.get("expired") == Some(&Value::Bool(true)),
                    shown: Evidence {
                        at: at.clone(),
                        says: Say::new("evidence-registry-lists-account").with("name", name),
                        quote: name.to_owned(),
                    },
                });
            }
            members.values().for_each(|v| collect(v, at, found));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The words of a list.
fn words(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Seconds since 1970 (nothing at or below zero runs out), or a date.
fn time(value: &Value) -> Option<Timestamp> {
    match value {
        Value::Number(n) => Timestamp::from_second(n.as_i64().filter(|s| *s > 0)?).ok(),
        Value::String(s) => s.parse().ok(),
        _ => None,
    }
}
