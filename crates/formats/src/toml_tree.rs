//! TOML text into a tree in which every key and value knows its line and column, and the order of the file is kept.
//!
//! What a program makes of the tree (which keys it knows, which dialect it reads) is left to `emulate`.

use std::ops::Range;
use toml_edit::{Document, Item};

/// A place in a text; both count from 1, the column in characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

/// Why a text is no TOML.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlProblem {
    /// Where.
    pub at: Spot,
    /// What is wrong there, one line.
    pub message: String,
}

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub enum TomlValue {
    /// A string.
    Text(String),
    /// An integer.
    Int(i64),
    /// A float.
    Real(f64),
    /// A boolean.
    Flag(bool),
    /// A date or time, as written.
    Time(String),
    /// A list; each element with its place.
    List(Vec<(TomlValue, Spot)>),
    /// A table of any form.
    Table(TomlTable),
    /// `[[name]]` tables.
    Tables(Vec<TomlTable>),
}

impl TomlValue {
    /// The text, where it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(t) => Some(t),
            _ => None,
        }
    }

    /// The table, where it is one.
    pub fn as_table(&self) -> Option<&TomlTable> {
        match self {
            Self::Table(t) => Some(t),
            _ => None,
        }
    }
}

/// How a table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableForm {
    /// `[name]`.
    #[default]
    Header,
    /// Only its sub-tables have headers.
    Implied,
    /// `name.key = value`.
    Dotted,
    /// `{ key = value }`.
    Inline,
}

/// A table with its entries in the order of the file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TomlTable {
    /// How it is written.
    pub form: TableForm,
    /// Its entries.
    pub entries: Vec<TomlEntry>,
}

/// One key and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct TomlEntry {
    /// The key, unquoted.
    pub key: String,
    /// Where the key stands.
    pub key_at: Spot,
    /// Where the value stands.
    pub value_at: Spot,
    /// The value.
    pub value: TomlValue,
}

impl TomlTable {
    /// The entry of this key.
    pub fn entry(&self, key: &str) -> Option<&TomlEntry> {
        self.entries.iter().find(|e| e.key == key)
    }

    /// The value of this key.
    pub fn get(&self, key: &str) -> Option<&TomlValue> {
        self.entry(key).map(|e| &e.value)
    }

    /// The table under a path of keys.
    pub fn table(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |t, key| t.get(key)?.as_table())
    }

    /// The entry at the end of a path of keys.
    pub fn find(&self, path: &[&str]) -> Option<&TomlEntry> {
        let (last, before) = path.split_last()?;
        self.table(before)?.entry(last)
    }
}

/// A `[a.b]` or `[[a.b]]` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TomlHeader {
    /// Its parts, unquoted.
    pub parts: Vec<String>,
    /// Where its last part stands.
    pub at: Spot,
    /// Whether it is `[[..]]`.
    pub array: bool,
}

/// A parsed text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TomlTree {
    /// The root table.
    pub root: TomlTable,
    /// The header lines, in the order of the file.
    pub headers: Vec<TomlHeader>,
}

/// Parses a text, a byte order mark at its beginning passed over.
pub fn parse(text: &str) -> Result<TomlTree, TomlProblem> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = Lines::of(text);
    let document = Document::parse(text).map_err(|e| TomlProblem {
        at: lines.spot(e.span().map_or(0, |s| s.start)),
        message: e.message().lines().next().unwrap_or_default().to_owned(),
    })?;
    let mut headers = Vec::new();
    let root = table(document.as_table(), TableForm::Header, &lines, &mut Vec::new(), &mut headers);
    headers.sort_by_key(|h: &TomlHeader| h.at);
    Ok(TomlTree { root, headers })
}

/// Where lines begin, so that an offset becomes a line and a column.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let starts = std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i + 1));
        Self { text, starts: starts.collect() }
    }

    fn spot(&self, offset: usize) -> Spot {
        let line = self.starts.partition_point(|s| *s <= offset).max(1);
        let start = self.starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or_default();
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Spot { line: count(line), column: count(before.chars().count() + 1) }
    }

    fn start(&self, span: Option<Range<usize>>) -> Spot {
        self.spot(span.map_or(0, |s| s.start))
    }
}

fn table(
    from: &toml_edit::Table,
    form: TableForm,
    lines: &Lines<'_>,
    path: &mut Vec<String>,
    headers: &mut Vec<TomlHeader>,
) -> TomlTable {
    let mut entries = Vec::new();
    for (name, item) in from.iter() {
        let key_at = from.get_key_value(name).map_or_else(Spot::default, |(k, _)| lines.start(k.span()));
        path.push(name.to_owned());
        let value_at = lines.start(item.span());
        let value = match item {
            Item::None => None,
            Item::Value(v) => Some(scalar(v, lines)),
            Item::Table(t) => {
                let form = if t.is_dotted() {
                    TableForm::Dotted
                } else if t.is_implicit() {
                    TableForm::Implied
                } else {
                    headers.push(TomlHeader { parts: path.clone(), at: lines.start(t.span()), array: false });
                    TableForm::Header
                };
                Some(TomlValue::Table(table(t, form, lines, path, headers)))
            }
            Item::ArrayOfTables(list) => {
                let mut tables = Vec::new();
                for t in list {
                    headers.push(TomlHeader { parts: path.clone(), at: lines.start(t.span()), array: true });
                    tables.push(table(t, TableForm::Header, lines, path, headers));
                }
                Some(TomlValue::Tables(tables))
            }
        };
        path.pop();
        if let Some(value) = value {
            entries.push(TomlEntry { key: name.to_owned(), key_at, value_at, value });
        }
    }
    TomlTable { form, entries }
}

fn scalar(from: &toml_edit::Value, lines: &Lines<'_>) -> TomlValue {
    use toml_edit::Value;
    match from {
        Value::String(s) => TomlValue::Text(s.value().clone()),
        Value::Integer(i) => TomlValue::Int(*i.value()),
        Value::Float(f) => TomlValue::Real(*f.value()),
        Value::Boolean(b) => TomlValue::Flag(*b.value()),
        Value::Datetime(d) => TomlValue::Time(d.value().to_string()),
        Value::Array(list) => {
            TomlValue::List(list.iter().map(|v| (scalar(v, lines), lines.start(v.span()))).collect())
        }
        Value::InlineTable(t) => {
            let entries = t
                .iter()
                .map(|(name, v)| TomlEntry {
                    key: name.to_owned(),
                    key_at: t.get_key_value(name).map_or_else(Spot::default, |(k, _)| lines.start(k.span())),
                    value_at: lines.start(v.span()),
                    value: scalar(v, lines),
                })
                .collect();
            let form = if t.is_dotted() { TableForm::Dotted } else { TableForm::Inline };
            TomlValue::Table(TomlTable { form, entries })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn keys_values_and_headers_know_their_places() {
        let tree = parse("a = 1\n[host.\"https://x\"]\n  ca = [\"p\", \"q\"]\n[host.\"https://y\"]\n[host.\"https://x\".header]\n  k = \"v\"\n").unwrap();
        let ca = tree.root.find(&["host", "https://x", "ca"]).unwrap();
        assert_eq!(ca.key_at, Spot { line: 3, column: 3 });
        assert_eq!(ca.value_at, Spot { line: 3, column: 8 });
        let order: Vec<_> = tree.headers.iter().map(|h| (h.parts.join(" "), h.at.line)).collect();
        assert_eq!(
            order,
            [
                ("host https://x".to_owned(), 2),
                ("host https://y".to_owned(), 4),
                ("host https://x header".to_owned(), 5)
            ]
        );
        assert_eq!(tree.root.table(&["host"]).unwrap().form, TableForm::Implied);
    }

    #[test]
    fn a_problem_names_its_line() {
        let problem = parse("a = 1\n[t]\n[t]\n").unwrap_err();
        assert_eq!(problem.at.line, 3);
        assert!(problem.message.contains("duplicate"), "{problem:?}");
    }

    #[test]
    fn deep_nesting_is_refused_or_read_but_never_overflows() {
        let deep = "a.".repeat(50_000) + "b = 1\n";
        let _ = parse(&deep);
        let _ = parse(&format!("a = {}", "[".repeat(50_000)));
        let _ = parse(&format!("[{}b]\n", "a.".repeat(50_000)));
    }

    proptest! {
        #[test]
        fn never_panics(text in "[\\[\\]a-c.=\"'#{}, \\n\\r\\t0-9éx:/-]{0,80}") {
            let _ = parse(&text);
        }

        #[test]
        fn never_panics_on_anything(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
