//! Configuration files merged into one tree, each value with the file and line that it comes from.

use formats::toml_tree::{Spot, TomlTable, TomlValue};
use std::rc::Rc;

/// A place in a node's file. Line and column count from 1; 0 for the whole file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct At {
    /// The absolute path.
    pub path: Rc<str>,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl At {
    /// A spot in a file.
    pub fn new(path: &Rc<str>, spot: Spot) -> Self {
        Self { path: Rc::clone(path), line: spot.line, column: spot.column }
    }

    /// A file as a whole.
    pub fn whole(path: &str) -> Self {
        Self { path: Rc::from(path), line: 0, column: 0 }
    }
}

/// A value that came from somewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting<T> {
    /// The value.
    pub value: T,
    /// Where it stands; `None` where it is built in.
    pub at: Option<At>,
}

/// A table of the merged configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Branch {
    /// Keys with their places and values, in the order in which they came.
    pub entries: Vec<(String, At, Tree)>,
}

/// A node of the merged configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// A value that is no table.
    Leaf(TomlValue),
    /// A table.
    Branch(Branch),
}

impl Branch {
    /// A file's table.
    pub fn of(table: &TomlTable, path: &Rc<str>) -> Self {
        let entries = table
            .entries
            .iter()
            .map(|e| {
                let tree = match &e.value {
                    TomlValue::Table(t) => Tree::Branch(Self::of(t, path)),
                    other => Tree::Leaf(other.clone()),
                };
                (e.key.clone(), At::new(path, e.key_at), tree)
            })
            .collect();
        Self { entries }
    }

    /// A key's place and value.
    pub fn get(&self, key: &str) -> Option<(&At, &Tree)> {
        self.entries.iter().find(|(k, ..)| k == key).map(|(_, at, tree)| (at, tree))
    }

    /// The table under a path of keys.
    pub fn branch(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |b, key| match b.get(key)? {
            (_, Tree::Branch(inner)) => Some(inner),
            _ => None,
        })
    }

    /// Puts a value under a key, in place of what was there.
    pub fn set(&mut self, key: &str, at: At, tree: Tree) {
        match self.entries.iter_mut().find(|(k, ..)| k == key) {
            Some(entry) => {
                entry.1 = at;
                entry.2 = tree;
            }
            None => self.entries.push((key.to_owned(), at, tree)),
        }
    }

    /// Takes a key out.
    pub fn take(&mut self, key: &str) -> Option<(At, Tree)> {
        let i = self.entries.iter().position(|(k, ..)| k == key)?;
        let (_, at, tree) = self.entries.remove(i);
        Some((at, tree))
    }

    /// The single values that a later file's table replaces by others: key, the place that is lost, the place that counts.
    pub fn replaced<'a>(&'a self, from: &'a Self) -> Vec<(&'a str, &'a At, &'a At)> {
        let mut found = Vec::new();
        for (key, at, tree) in &from.entries {
            match (self.get(key), tree) {
                (Some((_, Tree::Branch(mine))), Tree::Branch(theirs)) => found.extend(mine.replaced(theirs)),
                // Lists grow.
                (Some((_, Tree::Leaf(TomlValue::List(_)))), _) => {}
                (Some((old, Tree::Leaf(mine))), Tree::Leaf(theirs)) if mine != theirs => {
                    found.push((key, old, at));
                }
                _ => {}
            }
        }
        found
    }

    /// Merges a later file's table into this one as containerd 2.x does: tables deeply, lists appended without
    /// duplicates, everything else replaced. Follows `mergeConfig` (mergo with override and its slice transformer).
    pub fn merge(&mut self, from: &Self) {
        for (key, at, tree) in &from.entries {
            match (self.entries.iter_mut().find(|(k, ..)| k == key), tree) {
                (Some((_, _, Tree::Branch(mine))), Tree::Branch(theirs)) => mine.merge(theirs),
                (Some((_, _, Tree::Leaf(TomlValue::List(mine)))), Tree::Leaf(TomlValue::List(theirs))) => {
                    for item in theirs {
                        if mine.iter().all(|(v, _)| *v != item.0) {
                            mine.push(item.clone());
                        }
                    }
                }
                (Some(entry), _) => {
                    entry.1 = at.clone();
                    entry.2 = tree.clone();
                }
                (None, _) => self.entries.push((key.clone(), at.clone(), tree.clone())),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(text: &str, path: &str) -> Branch {
        Branch::of(&formats::toml_tree::parse(text).unwrap().root, &Rc::from(path))
    }

    #[test]
    fn later_files_win_by_key_and_lists_grow() {
        let mut a = branch("[p]\nx = 1\nl = [1, 2]\n[p.q]\ny = 1\n", "/a");
        a.merge(&branch("[p]\nx = 2\nl = [2, 3]\n[p.q]\nz = 1\n", "/b"));
        let p = a.branch(&["p"]).unwrap();
        let (at, x) = p.get("x").unwrap();
        assert_eq!((&*at.path, at.line), ("/b", 2));
        assert_eq!(*x, Tree::Leaf(TomlValue::Int(2)));
        let Some((_, Tree::Leaf(TomlValue::List(l)))) = p.get("l") else { panic!() };
        assert_eq!(l.len(), 3);
        assert_eq!(p.branch(&["q"]).unwrap().entries.len(), 2);
    }
}
