//! The forms that a report comes in.

use std::str::FromStr;

macro_rules! formats {
    ($($(#[$doc:meta])* $variant:ident = $word:literal,)*) => {
        /// A form of the report, as `-o` names it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Format {
            $($(#[$doc])* $variant,)*
        }

        impl Format {
            /// Every form, in the order in which help lists them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The word of `-o`.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }
    };
}

formats! {
    /// For a terminal.
    Text = "text",
    /// For a terminal, with everything that `text` leaves out.
    Wide = "wide",
    /// JSON of a published schema.
    Json = "json",
    /// The same as YAML.
    Yaml = "yaml",
    /// For an issue or a chat.
    Markdown = "markdown",
    /// One file for a browser.
    Html = "html",
    /// For code scanning.
    Sarif = "sarif",
    /// For a CI job's test view.
    Junit = "junit",
    /// Only what fails and the cause, a line each.
    Name = "name",
}

impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|f| f.word() == word).ok_or_else(|| format!("no form named {word:?}"))
    }
}
