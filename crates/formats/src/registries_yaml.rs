//! k3s's and RKE2's registries.yaml: mirrors, hosts, and what stands where nothing is read.
//!
//! Follows `pkg/agent/containerd` and `github.com/rancher/wharfie/pkg/registries` (Registry, Mirror, RegistryConfig): keys
//! that these types lack are passed over in silence. What the settings come to is left to `emulate`.

use crate::yaml;
use serde_json::{Map, Value};

/// One file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RegistriesYaml {
    /// `mirrors`, in the order of the file.
    pub mirrors: Vec<Mirror>,
    /// `configs`.
    pub configs: Vec<HostConfig>,
    /// What is not read, or stands at the wrong place.
    pub misplaced: Vec<Misplaced>,
    /// Why the whole file is refused.
    pub refused: Option<Refused>,
}

/// One entry of `mirrors`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mirror {
    /// Its key: a registry's name, or `*`.
    pub name: String,
    /// The line of the key, from 1.
    pub line: u32,
    /// `endpoint`, in order.
    pub endpoints: Vec<String>,
    /// `rewrite`: pattern and replacement.
    pub rewrites: Vec<(String, String)>,
}

/// One entry of `configs`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostConfig {
    /// Its key: an endpoint's host and port.
    pub host: String,
    /// The line of the key, from 1.
    pub line: u32,
    /// Whether `auth` holds something.
    pub has_auth: bool,
    /// `tls`, where it is there.
    pub tls: Option<Tls>,
}

/// `configs.*.tls`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    /// `ca_file`; empty for none.
    pub ca_file: String,
    /// `cert_file`; empty for none.
    pub cert_file: String,
    /// `key_file`; empty for none.
    pub key_file: String,
    /// `insecure_skip_verify`.
    pub skip_verify: bool,
    /// The lines of `ca_file` and `insecure_skip_verify`; 0 where they could not be found.
    pub lines: (u32, u32),
}

/// A key that is not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Misplaced {
    /// Its line, from 1; 0 where it could not be found.
    pub line: u32,
    /// The keys that lead to it.
    pub path: Vec<String>,
    /// The registry (or host) entry below which it stands; empty where it is at the top.
    pub entry: String,
    /// Whether the key is one that is read elsewhere in this file: `rewrite` among the mirrors.
    pub known_elsewhere: bool,
}

/// Why a file is refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong, one line.
    pub message: String,
}

const TOP: &[&str] = &["mirrors", "configs", "auths"];
const OF_MIRROR: &[&str] = &["endpoint", "rewrite"];
const OF_CONFIG: &[&str] = &["auth", "tls"];
const OF_AUTH: &[&str] = &["username", "password", "auth", "identity_token"];
const OF_TLS: &[&str] = &["ca_file", "cert_file", "key_file", "insecure_skip_verify"];

/// The key that one at the top, which nobody reads, was meant to be: another number or another spelling of it.
pub fn meant_at_top(key: &str) -> Option<&'static str> {
    meant_of(TOP, key)
}

/// The key of this file that one which nobody reads was meant to be: `insecureSkipVerify`, `ca-file`, `endpoints`.
pub fn meant(key: &str) -> Option<&'static str> {
    [TOP, OF_MIRROR, OF_CONFIG, OF_AUTH, OF_TLS].iter().find_map(|list| meant_of(list, key))
}

fn meant_of(list: &[&'static str], key: &str) -> Option<&'static str> {
    let plain = |k: &str| {
        let letters: String = k.chars().filter(|c| !matches!(c, '_' | '-' | ' ')).collect();
        letters.to_ascii_lowercase().trim_end_matches('s').to_owned()
    };
    list.iter().copied().find(|k| *k != key && plain(k) == plain(key))
}

/// Reads a file.
pub fn parse(text: &str) -> RegistriesYaml {
    let mut file = RegistriesYaml::default();
    // A value that a collector has hidden would read as a YAML alias.
    let quoted = text.replace(": ***", ": '***'");
    let text = quoted.as_str();
    let Some(document) = yaml::documents(text).into_iter().next() else { return file };
    let value = match yaml::parse(document) {
        Ok(value) => value,
        Err(problem) => {
            file.refused = Some(Refused { line: problem.line, message: problem.message });
            return file;
        }
    };
    let Value::Object(top) = value else {
        file.refused = Some(Refused { line: 1, message: "not a mapping".into() });
        return file;
    };
    let mut reader = Reader { text, file };
    reader.unread(&top, TOP, &[]);
    reader.each(&top, "mirrors", Reader::mirror);
    reader.each(&top, "configs", Reader::config);
    reader.file
}

struct Reader<'t> {
    text: &'t str,
    file: RegistriesYaml,
}

impl Reader<'_> {
    fn refuse(&mut self, path: &[&str], wanted: &str) {
        let line = line_of(self.text, path);
        let message = format!("{} is no {wanted}", path.join("."));
        self.file.refused.get_or_insert(Refused { line, message });
    }

    /// Notes the keys of a mapping that its type lacks.
    fn unread(&mut self, map: &Map<String, Value>, known: &[&str], path: &[&str]) {
        for key in map.keys().filter(|k| !known.contains(&k.as_str())) {
            let full: Vec<&str> = path.iter().copied().chain([key.as_str()]).collect();
            let line = line_of(self.text, &full);
            let bare = key.trim_matches(['"', '\'', ' ', ':']);
            self.file.misplaced.push(Misplaced {
                line,
                entry: path.get(1).map(|e| (*e).to_owned()).unwrap_or_default(),
                known_elsewhere: [TOP, OF_MIRROR, OF_CONFIG, OF_AUTH, OF_TLS]
                    .iter()
                    .any(|l| l.contains(&bare))
                    || meant(bare).is_some(),
                path: full.into_iter().map(str::to_owned).collect(),
            });
        }
    }

    fn each(&mut self, top: &Map<String, Value>, key: &str, read: fn(&mut Self, &str, &Map<String, Value>)) {
        match top.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::Object(entries)) => {
                let empty = Map::new();
                for (name, entry) in entries {
                    match entry {
                        Value::Object(map) => read(self, name, map),
                        Value::Null => read(self, name, &empty),
                        _ => self.refuse(&[key, name], "mapping"),
                    }
                }
            }
            Some(_) => self.refuse(&[key], "mapping"),
        }
    }

    fn mirror(&mut self, name: &str, map: &Map<String, Value>) {
        let line = line_of(self.text, &["mirrors", name]);
        // A key of this file's own language is no registry's name: it slipped out of its entry.
        if [OF_MIRROR, OF_CONFIG, OF_AUTH, OF_TLS, TOP].iter().any(|l| l.contains(&name)) {
            self.file.misplaced.push(Misplaced {
                line,
                path: vec!["mirrors".into(), name.to_owned()],
                entry: String::new(),
                known_elsewhere: true,
            });
            return;
        }
        self.unread(map, OF_MIRROR, &["mirrors", name]);
        let mut mirror = Mirror { name: name.to_owned(), line, ..Mirror::default() };
        match map.get("endpoint") {
            None | Some(Value::Null) => {}
            Some(Value::Array(list)) => {
                mirror.endpoints = list.iter().filter_map(|v| v.as_str().map(str::to_owned)).collect();
            }
            Some(_) => self.refuse(&["mirrors", name, "endpoint"], "list"),
        }
        match map.get("rewrite") {
            None | Some(Value::Null) => {}
            Some(Value::Object(rules)) => {
                let pair = |(k, v): (&String, &Value)| Some((k.clone(), v.as_str()?.to_owned()));
                mirror.rewrites = rules.iter().filter_map(pair).collect();
            }
            Some(_) => self.refuse(&["mirrors", name, "rewrite"], "mapping"),
        }
        self.file.mirrors.push(mirror);
    }

    fn config(&mut self, host: &str, map: &Map<String, Value>) {
        self.unread(map, OF_CONFIG, &["configs", host]);
        let line = line_of(self.text, &["configs", host]);
        let mut config = HostConfig { host: host.to_owned(), line, ..HostConfig::default() };
        if let Some(Value::Object(auth)) = map.get("auth") {
            self.unread(auth, OF_AUTH, &["configs", host, "auth"]);
            config.has_auth = OF_AUTH.iter().any(|k| auth.get(*k).is_some_and(|v| !v.is_null()));
        }
        if let Some(Value::Object(tls)) = map.get("tls") {
            self.unread(tls, OF_TLS, &["configs", host, "tls"]);
            let text = |key: &str| tls.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
            let line = |key: &str| line_of(self.text, &["configs", host, "tls", key]);
            config.tls = Some(Tls {
                lines: (line("ca_file"), line("insecure_skip_verify")),
                ca_file: text("ca_file"),
                cert_file: text("cert_file"),
                key_file: text("key_file"),
                skip_verify: tls.get("insecure_skip_verify").and_then(Value::as_bool).unwrap_or(false),
            });
        }
        self.file.configs.push(config);
    }
}

/// The line of a key in block style: below each key of the path, the next deeper one. 0 where it cannot be found.
fn line_of(text: &str, path: &[&str]) -> u32 {
    let mut wanted = path.iter();
    let Some(mut key) = wanted.next() else { return 0 };
    let mut found = 0;
    let mut deeper_than: Option<usize> = None;
    for (number, line) in (1_u32..).zip(text.lines()) {
        let indent = line.len() - line.trim_start().len();
        let rest = line.trim_start().trim_start_matches("- ");
        if rest.is_empty() || rest.starts_with('#') || deeper_than.is_some_and(|d| indent <= d) {
            continue;
        }
        let bare = |k: &str| {
            let unquoted = |q: char| k.strip_prefix(q).and_then(|k| k.strip_suffix(q)).map(str::to_owned);
            unquoted('"').or_else(|| unquoted('\'')).unwrap_or_else(|| k.to_owned())
        };
        // The colon that ends the key is followed by a blank or by nothing.
        let ends = rest
            .match_indices(':')
            .find(|(i, _)| rest[i + 1..].chars().next().is_none_or(char::is_whitespace));
        let Some((end, _)) = ends else { continue };
        if bare(rest[..end].trim()) == *key {
            found = number;
            deeper_than = Some(indent);
            match wanted.next() {
                Some(next) => key = next,
                None => return found,
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn mirrors_rewrites_and_configs() {
        let file = parse(
            "mirrors:\n  docker.io:\n    endpoint:\n      - \"https://m:5000\"\n    rewrite:\n      \"^(.*)\": \"hub/$1\"\n  \"*\":\nconfigs:\n  \"m:5000\":\n    auth:\n      username: u\n    tls:\n      ca_file: /ca.pem\n  other:\n",
        );
        assert_eq!(file.refused, None);
        assert_eq!(file.mirrors[0].endpoints, ["https://m:5000"]);
        assert_eq!(file.mirrors[0].rewrites, [("^(.*)".into(), "hub/$1".into())]);
        assert_eq!((file.mirrors[1].name.as_str(), file.mirrors[1].line), ("*", 7));
        assert_eq!(file.configs[0].line, 9);
        assert!(file.configs[0].has_auth && file.configs[0].tls.as_ref().unwrap().ca_file == "/ca.pem");
        assert!(file.misplaced.is_empty());
    }

    #[test]
    fn keys_that_are_not_read() {
        let sibling = parse(
            "mirrors:\n  docker.io:\n    endpoint:\n      - http://m\n  rewrite:\n    \"(.*)\": \"x/$1\"\n",
        );
        assert_eq!(sibling.mirrors.len(), 1);
        assert_eq!((sibling.misplaced[0].line, sibling.misplaced[0].known_elsewhere), (5, true));
        let quote = parse("mirrors:\n  \"docker.io\":\n    endpoint\":\n      - http://m\n");
        assert_eq!(quote.mirrors[0].endpoints.len(), 0);
        assert_eq!(quote.misplaced[0].entry, "docker.io");
        assert!(quote.misplaced[0].known_elsewhere && quote.misplaced[0].line == 3);
        let tls = parse(
            "mirrors:\n  r:5000:\n    endpoint: [\"https://r:5000\"]\n    tls:\n      insecure_skip_verify: true\n",
        );
        assert_eq!(tls.misplaced[0].path, ["mirrors", "r:5000", "tls"]);
    }

    #[test]
    fn hidden_values_are_values() {
        let file = parse("configs:\n  r:\n    auth:\n      username: u\n      password: ***\n");
        assert_eq!(file.refused, None);
        assert!(file.configs[0].has_auth);
    }

    #[test]
    fn types_that_are_refused() {
        assert_eq!(parse("mirrors:\n  a:\n    endpoint: http://m\n").refused.unwrap().line, 3);
        assert!(parse("mirrors: [a]\n").refused.is_some());
        assert!(parse("a: b: c\n").refused.is_some());
        assert_eq!(parse(""), RegistriesYaml::default());
    }

    proptest! {
        #[test]
        fn never_panics(text in "[a-z:\\- \\n\"'\\[\\]{}#*&!|>é]{0,80}") {
            let _ = parse(&text);
        }

        #[test]
        fn never_panics_on_near_misses(text in "(mirrors|configs|endpoint|tls|[ ]{1,4}|:|\n|\"|- |x){0,30}") {
            let _ = parse(&text);
        }
    }
}
