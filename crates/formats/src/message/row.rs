//! What one pattern says: a row of the tables in `leaf`.
//!
//! A row never names a whole sentence of one program: it names the few words that carry the meaning, and where they must
//! stand. Which row wins, and what the words around change about it, is decided in `decide`.

use super::marks::Mark;
use vocabulary::Cause;

/// How much the words of a row carry. The heaviest row of a record wins; among equals the innermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    /// Says that something failed, and no more: back-off lines, follow-ups.
    Echo,
    /// Could be the end of many stories: `not found`, `context canceled`.
    Hint,
    /// The stock words of a registry's code; they add nothing to a wrapper.
    Stock,
    /// The name of a registry's code, with or without its stock words.
    Code,
    /// A wrapper's guess at what may be behind.
    Guess,
    /// A status without a meaning of its own.
    Status,
    /// The form of a body that is not the registry API's.
    Form,
    /// A symptom that is stated.
    Fact,
    /// A sentence that states the reason; it wins over status and form.
    Sentence,
}

/// Where a row's first words must stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// Anywhere in the record.
    Anywhere,
    /// They are a link of the chain by themselves: between `: ` or a quote and the end, a quote or the next link.
    Link,
    /// They begin a link: after `: `, a quote or a line's start.
    Begin,
    /// Directly after the URL of a request, and nothing follows.
    AfterUrl,
}

/// One pattern. `words` stand all in the record, the first of them is where the row matches; a `|` at a word's end
/// means that no letter, digit or name character touches it there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub words: &'static [&'static str],
    pub unless: &'static [&'static str],
    pub at: At,
    /// Only where this was under way.
    pub during: Option<Mark>,
    /// The other words follow the first one, in order, and close by.
    pub near: bool,
    pub weight: Weight,
    pub cause: Cause,
    pub also: &'static [Cause],
    /// The words state a root that needs nothing else.
    pub states: bool,
}

impl Row {
    const fn new(weight: Weight, words: &'static [&'static str], cause: Cause) -> Self {
        Self {
            words,
            unless: &[],
            at: At::Anywhere,
            near: false,
            during: None,
            weight,
            cause,
            also: &[],
            states: false,
        }
    }

    pub const fn echo(words: &'static [&'static str], cause: Cause) -> Self {
        Self::new(Weight::Echo, words, cause)
    }

    pub const fn hint(words: &'static [&'static str], cause: Cause) -> Self {
        Self::new(Weight::Hint, words, cause)
    }

    pub const fn stock(words: &'static [&'static str], cause: Cause) -> Self {
        Self::new(Weight::Stock, words, cause)
    }

    pub const fn code(words: &'static [&'static str], cause: Cause) -> Self {
        Self::new(Weight::Code, words, cause)
    }

    pub const fn guess(words: &'static [&'static str], cause: Cause) -> Self {
        Self::new(Weight::Guess, words, cause)
    }

    pub const fn form(words: &'static [&'static str], cause: Cause) -> Self {
        Self::new(Weight::Form, words, cause)
    }

    pub const fn fact(words: &'static [&'static str], cause: Cause) -> Self {
        Self::new(Weight::Fact, words, cause)
    }

    pub const fn sentence(words: &'static [&'static str], cause: Cause) -> Self {
        Self::new(Weight::Sentence, words, cause)
    }

    pub const fn also(mut self, also: &'static [Cause]) -> Self {
        self.also = also;
        self
    }

    pub const fn unless(mut self, unless: &'static [&'static str]) -> Self {
        self.unless = unless;
        self
    }

    pub const fn during(mut self, mark: Mark) -> Self {
        self.during = Some(mark);
        self
    }

    pub const fn near(mut self) -> Self {
        self.near = true;
        self
    }

    pub const fn link(mut self) -> Self {
        self.at = At::Link;
        self
    }

    pub const fn begin(mut self) -> Self {
        self.at = At::Begin;
        self
    }

    pub const fn after_url(mut self) -> Self {
        self.at = At::AfterUrl;
        self
    }

    pub const fn states(mut self) -> Self {
        self.states = true;
        self
    }
}
