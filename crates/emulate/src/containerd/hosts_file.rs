//! hosts.toml as a release decodes it: the endpoints that it names, or why it is dropped as a whole.
//!
//! Follows `parseHostsFile`, `parseHostConfig` and `getSortedHosts` (remotes/docker/config/hosts.go, from 2.0 on below core/).

use super::endpoint::{Capabilities, Capability, ClientPair, HostEntry};
use super::tree::At;
use super::version::Version;
use crate::files::join;
use crate::go::{duration, url};
use formats::toml_tree::{self, TomlTable, TomlTree, TomlValue};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Why a file is dropped: the runtime's words, and the place.
pub type Dropped = (String, At);

/// The endpoints of one file, the server (or the place that the default fills) last.
pub fn decode(text: &str, path: &str, dir: &str, version: &Version) -> Result<Vec<HostEntry>, Dropped> {
    let name: Rc<str> = Rc::from(path);
    let whole = || At::whole(path);
    if !version.has_old_toml() && text.starts_with('\u{feff}') {
        return Err(("toml: invalid character at start of key: U+FEFF".into(), whole()));
    }
    let tree = toml_tree::parse(text).map_err(|p| {
        let words = if version.has_old_toml() {
            format!("failed to parse TOML: ({}, {}): {}", p.at.line, p.at.column, p.message)
        } else {
            format!("toml: {}", p.message)
        };
        (words, At::new(&name, p.at))
    })?;
    let hosts =
        if version.has_old_toml() { old_order(&tree, &name, version)? } else { new_order(&tree, &name)? };
    let mut all = Vec::new();
    let reader = Reader { name: &name, dir, version };
    let empty = TomlTable::default();
    let tables = tree.root.table(&["host"]).unwrap_or(&empty);
    // All of the file is typed before any host is looked at.
    reader.types(&tree.root)?;
    match tree.root.get("server") {
        None | Some(TomlValue::Text(_)) => {}
        Some(_) => return Err(reader.wrong(&tree.root, "server")),
    }
    for entry in &tables.entries {
        match &entry.value {
            TomlValue::Table(t) => reader.types(t)?,
            _ => return Err((format!("wrong type of host {:?}", entry.key), At::new(&name, entry.key_at))),
        }
    }
    for (host, at) in hosts {
        let table = tables.get(&host).and_then(TomlValue::as_table).unwrap_or(&empty);
        all.push(reader.host(&host, at, table)?);
    }
    let server = tree.root.entry("server");
    let address = server.and_then(|e| e.value.as_text()).unwrap_or_default();
    let at = server.map_or_else(whole, |e| At::new(&name, e.key_at));
    let mut last = reader.host(address, at, &tree.root)?;
    last.is_server = true;
    all.push(last);
    Ok(all)
}

/// 1.x: the tables under `host`, by the line at which each begins.
fn old_order(tree: &TomlTree, name: &Rc<str>, version: &Version) -> Result<Vec<(String, At)>, Dropped> {
    // The reader of 1.x takes a header up to the first bracket, quotes or not.
    if let Some(h) = tree.headers.iter().find(|h| h.parts.iter().any(|p| p.contains(['[', ']']))) {
        let words = format!(
            "failed to parse TOML: ({}, {}): table keys cannot contain '[' character",
            h.at.line, h.at.column
        );
        return Err((words, At::new(name, h.at)));
    }
    let invalid = |at| Err(("invalid `host` tree".to_owned(), at));
    match tree.root.entry("host") {
        None if version.needs_host_table() => invalid(At::whole(name)),
        None => Ok(Vec::new()),
        Some(e) => match &e.value {
            TomlValue::Table(table) => {
                let mut hosts: Vec<_> =
                    table.entries.iter().map(|e| (e.key.clone(), At::new(name, e.key_at))).collect();
                hosts.sort_by_key(|(_, at)| at.line);
                Ok(hosts)
            }
            _ => invalid(At::new(name, e.key_at)),
        },
    }
}

/// 2.x: the `[host."..."]` lines in their order; a host that is taken up again after another comes twice.
fn new_order(tree: &TomlTree, name: &Rc<str>) -> Result<Vec<(String, At)>, Dropped> {
    if let Some(entry) = tree.root.entry("host").filter(|e| e.value.as_table().is_none()) {
        let words = match entry.value {
            TomlValue::Tables(_) => "toml: cannot store an array table in a map",
            _ => "toml: cannot decode TOML value into a map",
        };
        return Err((words.to_owned(), At::new(name, entry.key_at)));
    }
    let (mut order, mut current) = (Vec::new(), String::new());
    for header in tree.headers.iter().filter(|h| !h.array) {
        if let [first, host, ..] = header.parts.as_slice()
            && first == "host"
            && *host != current
        {
            current.clone_from(host);
            order.push((host.clone(), At::new(name, header.at)));
        }
    }
    Ok(order)
}

struct Reader<'r> {
    name: &'r Rc<str>,
    dir: &'r str,
    version: &'r Version,
}

impl Reader<'_> {
    fn at(&self, table: &TomlTable, key: &str) -> At {
        table.entry(key).map_or_else(|| At::whole(self.name), |e| At::new(self.name, e.value_at))
    }

    fn wrong(&self, table: &TomlTable, key: &str) -> Dropped {
        (format!("wrong type of {key:?}"), self.at(table, key))
    }

    /// Whether typed keys have their types; `ca`, `client` and header values are looked at later.
    fn types(&self, table: &TomlTable) -> Result<(), Dropped> {
        let texts = |v: &TomlValue| matches!(v, TomlValue::List(l) if l.iter().all(|(i, _)| matches!(i, TomlValue::Text(_))));
        for (key, fits) in [
            ("capabilities", &texts as &dyn Fn(&TomlValue) -> bool),
            ("skip_verify", &|v| matches!(v, TomlValue::Flag(_))),
            ("override_path", &|v| matches!(v, TomlValue::Flag(_))),
            ("header", &|v| matches!(v, TomlValue::Table(_))),
            ("dial_timeout", &|v| !self.version.knows_dial_timeout() || matches!(v, TomlValue::Text(_))),
        ] {
            if table.get(key).is_some_and(|v| !fits(v)) {
                return Err(self.wrong(table, key));
            }
        }
        Ok(())
    }

    fn host(&self, address: &str, at: At, table: &TomlTable) -> Result<HostEntry, Dropped> {
        let mut host = HostEntry { at, ..HostEntry::default() };
        host.override_path = matches!(table.get("override_path"), Some(TomlValue::Flag(true)));
        if !address.is_empty() {
            let full =
                if address.starts_with("http") { address.to_owned() } else { format!("https://{address}") };
            let u = url::parse(&full)
                .map_err(|e| (format!("unable to parse server {full}: {e}"), host.at.clone()))?;
            host.path = if u.path.is_empty() {
                if host.override_path { String::new() } else { "/v2".to_owned() }
            } else {
                let path = crate::files::clean(&u.path);
                if path.ends_with("/v2") || host.override_path { path } else { format!("{path}/v2") }
            };
            host.scheme = u.scheme;
            host.host = u.host;
            host.written = address.to_owned();
        }
        host.skip_verify = match table.get("skip_verify") {
            Some(TomlValue::Flag(f)) => Some(*f),
            _ => None,
        };
        host.skip_verify_at = table.entry("skip_verify").map(|e| At::new(self.name, e.key_at));
        host.capabilities = self.capabilities(table)?;
        host.capabilities_at = table.entry("capabilities").map(|e| At::new(self.name, e.key_at));
        host.ca = self.ca(table)?;
        host.ca_at = match table.get("ca") {
            Some(TomlValue::List(list)) => list.iter().map(|(_, spot)| At::new(self.name, *spot)).collect(),
            Some(_) => vec![self.at(table, "ca")],
            None => Vec::new(),
        };
        host.client = self.client(table)?;
        host.headers = self.headers(table)?;
        host.rewrites = self.rewrites(table);
        if self.version.knows_dial_timeout()
            && let Some(TomlValue::Text(text)) = table.get("dial_timeout")
            && !text.is_empty()
        {
            if let Some(problem) = duration::problem(text) {
                return Err((problem, self.at(table, "dial_timeout")));
            }
            host.has_dial_timeout = true;
        }
        Ok(host)
    }

    fn capabilities(&self, table: &TomlTable) -> Result<Capabilities, Dropped> {
        let mut found = Capabilities::default();
        if let Some(TomlValue::List(list)) = table.get("capabilities") {
            for (item, spot) in list {
                let word = item.as_text().unwrap_or_default();
                match Capability::parse(word)
                    .filter(|c| *c != Capability::Referrers || self.version.knows_referrers())
                {
                    Some(c) => found.add(c),
                    None => return Err((format!("unknown capability {word}"), At::new(self.name, *spot))),
                }
            }
        }
        Ok(if found.is_empty() { Capabilities::all(self.version) } else { found })
    }

    fn ca(&self, table: &TomlTable) -> Result<Option<Vec<String>>, Dropped> {
        match table.get("ca") {
            None => Ok(None),
            Some(TomlValue::Text(path)) => Ok(Some(vec![self.absolute(path)])),
            Some(TomlValue::List(list)) => self.paths(table, "ca", list).map(Some),
            Some(other) => Err((format!("invalid type {} for \"ca\"", shown(other)), self.at(table, "ca"))),
        }
    }

    fn client(&self, table: &TomlTable) -> Result<Vec<ClientPair>, Dropped> {
        let both = |path: &str| ClientPair { cert: self.absolute(path), key: None };
        match table.get("client") {
            None => Ok(Vec::new()),
            Some(TomlValue::Text(path)) => Ok(vec![both(path)]),
            Some(TomlValue::List(list)) => {
                let mut pairs = Vec::new();
                for (item, spot) in list {
                    match item {
                        TomlValue::Text(path) => pairs.push(both(path)),
                        TomlValue::List(inner) => {
                            let paths = self.paths(table, "client", inner)?;
                            let [cert, key] = paths.as_slice() else {
                                let words = format!("invalid pair {} for \"client\"", shown(item));
                                return Err((words, At::new(self.name, *spot)));
                            };
                            pairs.push(ClientPair { cert: cert.clone(), key: Some(key.clone()) });
                        }
                        other => {
                            let words = format!("invalid type {} for \"client\"", shown(other));
                            return Err((words, At::new(self.name, *spot)));
                        }
                    }
                }
                Ok(pairs)
            }
            Some(other) => {
                Err((format!("invalid type {} for \"client\"", shown(other)), self.at(table, "client")))
            }
        }
    }

    fn headers(&self, table: &TomlTable) -> Result<BTreeMap<String, Vec<String>>, Dropped> {
        let mut headers = BTreeMap::new();
        let Some(TomlValue::Table(given)) = table.get("header") else { return Ok(headers) };
        for entry in &given.entries {
            let values = match &entry.value {
                TomlValue::Text(text) => vec![text.clone()],
                TomlValue::List(list) if list.iter().all(|(v, _)| v.as_text().is_some()) => {
                    list.iter().filter_map(|(v, _)| v.as_text().map(str::to_owned)).collect()
                }
                other => {
                    let words = format!("invalid type {} for header {:?}", shown(other), entry.key);
                    return Err((words, At::new(self.name, entry.value_at)));
                }
            };
            headers.insert(entry.key.clone(), values);
        }
        Ok(headers)
    }

    /// Source: rancher's fork, remotes/docker/config/hosts.go (`rewrite`).
    fn rewrites(&self, table: &TomlTable) -> Vec<(String, String)> {
        let given =
            table.get("rewrite").filter(|_| self.version.is_of_rancher()).and_then(TomlValue::as_table);
        let pairs = given.iter().flat_map(|rules| &rules.entries);
        pairs.filter_map(|e| Some((e.key.clone(), e.value.as_text()?.to_owned()))).collect()
    }

    fn paths(
        &self,
        table: &TomlTable,
        key: &str,
        list: &[(TomlValue, toml_tree::Spot)],
    ) -> Result<Vec<String>, Dropped> {
        list.iter()
            .map(|(v, _)| match v {
                TomlValue::Text(path) => Ok(self.absolute(path)),
                other => Err((format!("unable to cast {} to string", shown(other)), self.at(table, key))),
            })
            .collect()
    }

    fn absolute(&self, path: &str) -> String {
        if path.starts_with('/') { path.to_owned() } else { join(self.dir, path) }
    }
}

/// A value as Go's `%v` prints it.
fn shown(value: &TomlValue) -> String {
    match value {
        TomlValue::Text(t) | TomlValue::Time(t) => t.clone(),
        TomlValue::Int(i) => i.to_string(),
        TomlValue::Real(f) => f.to_string(),
        TomlValue::Flag(b) => b.to_string(),
        TomlValue::List(list) => {
            format!("[{}]", list.iter().map(|(v, _)| shown(v)).collect::<Vec<_>>().join(" "))
        }
        TomlValue::Table(_) | TomlValue::Tables(_) => "map[]".to_owned(),
    }
}
