//! Docker configurations (`auths`) of secrets, node files and homes, reduced to their shape as the kubelet reads them.
//!
//! Values are looked at and dropped here: what leaves is which registries, which user, lengths, expiry, and which
//! credentials equal each other. Whether an entry serves an image is `emulate::kubelet::keyring`.
//! Follows kubernetes `pkg/credentialprovider/config.go` and `secrets/secrets.go`, 1.36.

mod auth;
mod expiry;
mod json;

use facts::{AuthEntry, DockerConfig};
use json::Pairs;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};

/// The layout in which entries stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// `{"auths": {KEY: ENTRY}}`: `.dockerconfigjson`, `config.json`.
    Auths,
    /// `{KEY: ENTRY}`: `.dockercfg`.
    Flat,
}

/// Tells which credentials of one Snapshot equal each other. Holds them, so it must not outlive the collection; it has
/// no `Debug` for the same reason.
#[derive(Default)]
pub struct Sameness {
    known: HashMap<(String, Vec<u8>), u32>,
}

impl Sameness {
    fn number(&mut self, user: &str, password: &[u8]) -> u32 {
        if user.is_empty() && password.is_empty() {
            return 0;
        }
        let next = u32::try_from(self.known.len() + 1).unwrap_or(u32::MAX);
        *self.known.entry((user.to_owned(), password.to_vec())).or_insert(next)
    }
}

/// The data keys under which a docker configuration is looked for, the kubelet's own first.
const KEYS: &[(&str, Layout)] = &[
    (".dockerconfigjson", Layout::Auths),
    (".dockercfg", Layout::Flat),
    ("config.json", Layout::Auths),
    ("dockerconfigjson", Layout::Auths),
    (".dockerconfig", Layout::Auths),
    ("config", Layout::Auths),
];

/// What a docker configuration in a secret says, whatever the secret's type: under the key that the kubelet would read,
/// else under one that people take for it. `found_in` stays empty where there is none.
pub fn of_secret(data: &BTreeMap<String, Vec<u8>>, same: &mut Sameness) -> DockerConfig {
    let known = KEYS.iter().find_map(|(key, layout)| Some((*key, *layout, data.get(*key)?)));
    let by_content = || {
        let (key, value) = data.iter().find(|(_, value)| has_auths(value))?;
        Some((key.as_str(), Layout::Auths, value))
    };
    match known.or_else(by_content) {
        Some((key, layout, value)) => read(key, layout, value, same),
        None => DockerConfig::default(),
    }
}

fn has_auths(value: &[u8]) -> bool {
    serde_json::from_slice::<Pairs>(value)
        .is_ok_and(|p| p.get("auths").is_some_and(|v| matches!(v, Value::Object(_))))
}

/// The registry keys of a configuration with `auths`, in order; also where its values were made unreadable.
pub fn keys(text: &str) -> Vec<String> {
    let whole: Pairs = match serde_json::from_str(text) {
        Ok(whole) => whole,
        Err(_) => return Vec::new(),
    };
    whole.auths(text.as_bytes()).map(|a| a.0.into_iter().map(|(k, _)| k).collect()).unwrap_or_default()
}

/// Where a file holds docker credentials: their layout, and the part of the text that has it.
pub fn layout(path: &str, text: &str) -> Option<(Layout, String)> {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name == ".dockercfg" {
        return Some((Layout::Flat, text.to_owned()));
    }
    let telling = name == "config.json" && (path.contains("kubelet") || path.contains("docker"));
    if !telling && !text.trim_start().starts_with('{') {
        return None;
    }
    if telling || name == "auth.json" {
        return Some((Layout::Auths, text.to_owned()));
    }
    let value: Value = serde_json::from_str(text).ok()?;
    if value.get("auths").is_some_and(Value::is_object) {
        return Some((Layout::Auths, text.to_owned()));
    }
    // A credential provider's answer that is kept as a file has the flat layout below `auth`.
    let is_answer = value.get("kind").and_then(Value::as_str) == Some("CredentialProviderResponse");
    is_answer.then(|| (Layout::Flat, value.get("auth").map(ToString::to_string).unwrap_or_default()))
}

/// Reads one configuration.
pub fn read(found_in: &str, layout: Layout, text: &[u8], same: &mut Sameness) -> DockerConfig {
    let mut config = DockerConfig { found_in: found_in.to_owned(), ..DockerConfig::default() };
    if text.is_empty() {
        return config;
    }
    let whole: Pairs = match serde_json::from_slice(text) {
        Ok(whole) => whole,
        Err(error) => {
            config.problem = Some(json::problem(text, &error));
            return config;
        }
    };
    config.has_auths = whole.get("auths").is_some();
    config.creds_store = whole.get("credsStore").and_then(Value::as_str).map(str::to_owned);
    if let Some(Value::Object(helpers)) = whole.get("credHelpers") {
        config.cred_helpers =
            helpers.iter().filter_map(|(k, v)| Some((k.clone(), v.as_str()?.to_owned()))).collect();
    }
    config.misplaced = misplaced(layout, &whole);
    match layout {
        Layout::Flat => config.entries = whole.0.iter().map(|(k, v)| entry(k, v, same)).collect(),
        Layout::Auths => {
            match whole.auths(text) {
                Ok(auths) => config.entries = auths.0.iter().map(|(k, v)| entry(k, v, same)).collect(),
                Err(kind) => {
                    config.problem = Some(json::wrong_kind(
                        kind,
                        "DockerConfigJSON.auths",
                        "credentialprovider.DockerConfig",
                    ));
                }
            }
            if let Some(Value::Object(headers)) = whole.get("HttpHeaders")
                && let Some((name, value)) =
                    headers.iter().find(|(_, v)| !matches!(v, Value::String(_) | Value::Null))
            {
                let field = format!("DockerConfigJSON.HttpHeaders.{name}");
                config.problem = Some(json::wrong_kind(json::kind(value), &field, "string"));
            }
        }
    }
    config
}

/// The keys of entries outside of the place that the layout has for them: at the top or below a misspelt `auths` in the
/// one, below any member in the other. Go reads the members it knows in any case, and passes over all others.
fn misplaced(layout: Layout, whole: &Pairs) -> Vec<String> {
    if layout == Layout::Auths && whole.0.iter().any(|(k, _)| k.eq_ignore_ascii_case("auths")) {
        return Vec::new();
    }
    let top = whole.0.iter().filter(|(_, v)| layout == Layout::Auths && is_entry(v)).map(|(k, _)| k);
    let below = whole.0.iter().filter_map(|(_, v)| v.as_object()).flatten().filter(|(_, v)| is_entry(v));
    top.chain(below.map(|(k, _)| k)).cloned().collect()
}

/// Whether a value has what makes an entry, whatever it says.
fn is_entry(value: &Value) -> bool {
    let telling =
        |name: &String| ["auth", "username", "password"].iter().any(|t| name.eq_ignore_ascii_case(t));
    value.as_object().is_some_and(|members| members.iter().any(|(k, v)| telling(k) && v.is_string()))
}

fn entry(key: &str, value: &Value, same: &mut Sameness) -> AuthEntry {
    let mut entry = AuthEntry { key: key.to_owned(), ..AuthEntry::default() };
    let Value::Object(members) = value else {
        if !value.is_null() {
            entry.problem =
                Some(json::wrong_kind(json::kind(value), "", "credentialprovider.dockerConfigEntryWithAuth"));
        }
        return entry;
    };
    // Go matches member names in any case.
    let member = |name: &str| members.iter().find(|(k, _)| k.eq_ignore_ascii_case(name)).map(|(_, v)| v);
    let mut text = |name: &str| match member(name) {
        None | Some(Value::Null) => "",
        Some(Value::String(s)) => s.as_str(),
        Some(other) => {
            let field = format!("dockerConfigEntryWithAuth.{name}");
            entry.problem.get_or_insert_with(|| json::wrong_kind(json::kind(other), &field, "string"));
            ""
        }
    };
    let (user, password, auth) = (text("username"), text("password"), text("auth"));
    let (user, password) = if auth.is_empty() {
        (user.to_owned(), password.as_bytes().to_vec())
    } else {
        match auth::decode(auth) {
            Ok(decoded) => decoded,
            Err(problem) => {
                entry.problem.get_or_insert(problem);
                (user.to_owned(), password.as_bytes().to_vec())
            }
        }
    };
    let token = |name: &str| member(name).and_then(Value::as_str).is_some_and(|t| !t.is_empty());
    entry.has_token = token("identitytoken") || token("registrytoken");
    entry.password_len = password.len();
    let blank = |b: Option<&u8>| b.is_some_and(u8::is_ascii_whitespace);
    entry.password_has_outer_blank = blank(password.first()) || blank(password.last());
    entry.password_is_placeholder = std::str::from_utf8(&password).is_ok_and(is_placeholder);
    entry.password_hours = expiry::hours_of_form(&password);
    entry.expires = expiry::of(&password);
    entry.same = same.number(&user, &password);
    entry.user = Some(user).filter(|u| !u.is_empty());
    entry
}

/// Whether a value is a variable's name and nothing else, as shells, Kubernetes, Helm and Azure pipelines write them.
pub fn is_placeholder(value: &str) -> bool {
    let name = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let within = |open: &str, close: &str| value.strip_prefix(open).and_then(|v| v.strip_suffix(close));
    let shouted = |n: &str| n.len() > 2 && !n.contains(|c: char| c.is_ascii_lowercase());
    within("${", "}").is_some_and(name)
        || within("$(", ")").is_some_and(name)
        || within("{{", "}}").is_some_and(|v| !v.contains(['{', '}']) && v.trim().contains(name_start))
        || value.strip_prefix('$').is_some_and(|n| name(n) && shouted(n))
        || is_reference(value)
}

/// Whether a value points at a place in a secret store and was not replaced by what stands there: `<path:...#key>` of
/// argocd-vault-plugin, `vault:...#key` of bank-vaults, `ref+...` of vals, `ENC[...]` of sops.
fn is_reference(value: &str) -> bool {
    let keyed = |open: &str| value.strip_prefix(open).is_some_and(|v| v.contains('/') && v.contains('#'));
    value.ends_with('>') && keyed("<path:")
        || keyed("vault:")
        || value.starts_with("ref+") && value.contains("://")
        || value.starts_with("ENC[AES256_GCM,") && value.ends_with(']')
}

fn name_start(c: char) -> bool {
    c.is_ascii_alphabetic()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_variable_that_nobody_filled_in() {
        let of_stores = ["<path:kv/data/hub#password>", "vault:secret/data/hub#pw", "ref+awsssm://hub/pw"];
        let variables = ["${REGISTRY_PASSWORD}", "$CI_TOKEN", "$(pullPassword)", "{{ .Values.password }}"];
        for text in variables.into_iter().chain(of_stores) {
            assert!(is_placeholder(text), "{text}");
        }
        for text in [
            "", "$", "${}", "pa$$word", "$ecret", "x${A}", "${A}${B}", "{{}}", "$A1", "<path:>", "vault:x",
            "a#b/c",
        ] {
            assert!(!is_placeholder(text), "{text}");
        }
    }

    #[test]
    fn equal_credentials_share_a_number_and_others_do_not() {
        let text = br#"{"auths":{"a":{"username":"u","password":"p"},"b":{"auth":"dTpw"},"c":{"username":"u","password":"q"},"d":{}}}"#;
        let config = read("config.json", Layout::Auths, text, &mut Sameness::default());
        let numbers: Vec<u32> = config.entries.iter().map(|e| e.same).collect();
        assert_eq!(numbers, [1, 1, 2, 0]);
    }

    #[test]
    fn entries_outside_of_their_place_are_told_by_their_keys() {
        let at = |layout, text: &str| read("x", layout, text.as_bytes(), &mut Sameness::default()).misplaced;
        assert_eq!(at(Layout::Auths, r#"{"r.example.com":{"auth":"dTpw"}}"#), ["r.example.com"]);
        assert_eq!(
            at(Layout::Auths, r#"{"auth":{"r.example.com":{"username":"u","password":"p"}}}"#),
            ["r.example.com"]
        );
        assert_eq!(at(Layout::Flat, r#"{"auths":{"r.example.com":{"auth":"dTpw"}}}"#), ["r.example.com"]);
        for (layout, text) in [
            (Layout::Auths, r#"{"auths":{"r.example.com":{"auth":"dTpw"}},"HttpHeaders":{"x":"y"}}"#),
            (Layout::Auths, r#"{"Auths":{"r.example.com":{"auth":"dTpw"}}}"#),
            (Layout::Auths, r#"{"credsStore":"desktop","credHelpers":{"r.example.com":"ecr-login"}}"#),
            (Layout::Flat, r#"{"r.example.com":{"auth":"dTpw"}}"#),
        ] {
            assert!(at(layout, text).is_empty(), "{text}");
        }
    }

    #[test]
    fn a_configuration_is_found_under_a_key_of_any_name() {
        let value = br#"{"auths":{"registry.example.com":{"auth":"dTpw"}}}"#.to_vec();
        let data = BTreeMap::from([("63".to_owned(), value), ("note".to_owned(), b"{}".to_vec())]);
        let config = of_secret(&data, &mut Sameness::default());
        assert_eq!((config.found_in.as_str(), config.entries.len()), ("63", 1));
        assert_eq!(of_secret(&BTreeMap::new(), &mut Sameness::default()).found_in, "");
    }

    #[test]
    fn no_value_is_left_in_what_comes_out() {
        let text =
            br#"{"auths":{"a":{"username":"u","password":"hunter2-planted"},"b":{"auth":"?planted"}}}"#;
        let shown = format!("{:?}", read("config.json", Layout::Auths, text, &mut Sameness::default()));
        assert!(!shown.contains("planted"), "{shown}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read("x", Layout::Auths, &bytes, &mut Sameness::default());
            let _ = read("x", Layout::Flat, &bytes, &mut Sameness::default());
        }

        #[test]
        fn any_auth_text_is_answered(auth in ".{0,60}") {
            let text = serde_json::json!({"auths": {"a": {"auth": auth}}}).to_string();
            let _ = read("x", Layout::Auths, text.as_bytes(), &mut Sameness::default());
        }
    }
}
