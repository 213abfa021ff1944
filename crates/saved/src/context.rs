//! Where a text was found, and so whose it is.

use crate::builder::node_mark;
use crate::place::{self, Root, Roots};
use facts::{Origin, Place, Vantage};
use jiff::Timestamp;

/// A text's surroundings.
#[derive(Clone, Debug)]
pub struct Context {
    /// Its path for people.
    pub source: String,
    /// Its path with the names of what was given.
    pub path: String,
    /// The node's root that it lies in, and its path below that.
    pub root: Option<(Root, String)>,
    /// Whose side it shows.
    pub place: Place,
    /// When the file was last changed, where the source says.
    pub modified: Option<Timestamp>,
}

impl Context {
    /// The surroundings of a path.
    pub fn new(source: &str, path: &str, roots: &Roots) -> Self {
        let root = roots.of(path).map(|(root, below)| (root.clone(), below.to_owned()));
        let place = if root.is_some() { Place::Node } else { place::place(path) };
        Self { source: source.to_owned(), path: path.to_owned(), root, place, modified: None }
    }

    /// The file's name.
    pub fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// The mark that stands for its node until the name is known.
    pub fn node(&self) -> Option<String> {
        self.root.as_ref().map(|(root, _)| node_mark(root))
    }

    /// Its path below the node's root, where it is a file of the node and not something collected beside these.
    pub fn node_file(&self) -> Option<(&Root, &str)> {
        let (root, below) = self.root.as_ref()?;
        place::is_node_file(below).then_some((root, below.as_str()))
    }

    /// A client there. `inside` is where a wrapper (`kubectl exec`, `ssh`) ran it.
    pub fn vantage(&self, client: &str, inside: Option<&str>) -> Vantage {
        let place = match (inside, self.node(), self.place) {
            (Some(inside), _, _) => inside.to_owned(),
            (_, Some(node), _) => node,
            (_, _, Place::Registry) => "registry".to_owned(),
            (_, _, Place::Ci) => "ci".to_owned(),
            (_, _, Place::Shell) => "shell".to_owned(),
            (_, _, Place::Probe) => "probe".to_owned(),
            (_, _, Place::Kube | Place::Node | Place::Elsewhere) => String::new(),
        };
        Vantage { client: client.to_owned(), place }
    }

    /// A line of it.
    pub fn origin(&self, line: u32) -> Origin {
        Origin { source: self.source.clone(), line }
    }
}
