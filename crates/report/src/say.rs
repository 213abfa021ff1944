//! A sentence that is not yet in any language.

use serde::Serialize;

/// A message of the catalogue in `render/locales/*.ftl`, and its arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Say {
    /// The key, `evidence-event-message`.
    pub key: &'static str,
    /// The arguments by name. Values come from outside: renderers neutralise them.
    pub args: Vec<(&'static str, String)>,
}

impl Say {
    /// A sentence without arguments.
    pub fn new(key: &'static str) -> Self {
        Self { key, args: Vec::new() }
    }

    /// The same with one more argument.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.args.push((name, value.into()));
        self
    }
}
