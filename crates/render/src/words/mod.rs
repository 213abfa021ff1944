//! The words: two catalogues, one for each language, and how a key becomes a sentence.
//!
//! A key that no catalogue has is shown as it is: a missing sentence must not cost the reader the report. Values are
//! made harmless on their way in, so a sentence never needs it again.

mod causes;
#[cfg(test)]
mod tests;

use crate::Lang;
use crate::hostile::plain;
use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource, FluentValue};
use report::Say;
use std::borrow::Cow;
use std::sync::LazyLock;
use unic_langid::LanguageIdentifier;

/// The catalogues: sentences, the causes, what the demo says, what a node and a probe show.
const EN: [&str; 6] = [
    include_str!("../../locales/en.ftl"),
    include_str!("../../locales/en-causes.ftl"),
    include_str!("../../locales/en-demo.ftl"),
    include_str!("../../locales/en-node.ftl"),
    include_str!("../../locales/en-inspect.ftl"),
    include_str!("../../locales/en-ladder.ftl"),
];
const KO: [&str; 6] = [
    include_str!("../../locales/ko.ftl"),
    include_str!("../../locales/ko-causes.ftl"),
    include_str!("../../locales/ko-demo.ftl"),
    include_str!("../../locales/ko-node.ftl"),
    include_str!("../../locales/ko-inspect.ftl"),
    include_str!("../../locales/ko-ladder.ftl"),
];

static ENGLISH: LazyLock<Words> = LazyLock::new(|| Words::load(Lang::En, &EN));
static KOREAN: LazyLock<Words> = LazyLock::new(|| Words::load(Lang::Ko, &KO));

/// Variables that a sentence may name though the fact is not known: then the sentence says "the registry", "the node".
const NAMEABLE: [&str; 6] = ["image", "registry", "host", "node", "namespace", "subject"];

/// The words of one language.
pub struct Words {
    lang: Lang,
    bundle: FluentBundle<FluentResource>,
    /// What stands for a fact that is not known, by variable.
    unnamed: Vec<(&'static str, String)>,
}

impl Words {
    /// The words of this language.
    pub fn of(lang: Lang) -> &'static Self {
        match lang {
            Lang::En => &ENGLISH,
            Lang::Ko => &KOREAN,
        }
    }

    fn load(lang: Lang, texts: &[&str]) -> Self {
        let id: LanguageIdentifier = lang.word().parse().unwrap_or_default();
        let mut bundle = FluentBundle::new_concurrent(vec![id]);
        // Isolation marks would end up in terminals and in what people copy.
        bundle.set_use_isolating(false);
        for text in texts {
            // What does not parse is left out and shows as its key; a test holds the catalogues to being whole.
            let resource = FluentResource::try_new((*text).to_owned()).unwrap_or_else(|(partial, _)| partial);
            bundle.add_resource_overriding(resource);
        }
        let mut words = Self { lang, bundle, unnamed: Vec::new() };
        words.unnamed = NAMEABLE.iter().map(|name| (*name, words.get(&format!("some-{name}")))).collect();
        words
    }

    /// A sentence without arguments.
    pub fn get(&self, key: &str) -> String {
        self.with(key, &[])
    }

    /// The head of a section as a heading of a document, which begins with a capital.
    pub fn heading(&self, key: &str) -> String {
        let head = self.get(key);
        let mut rest = head.chars();
        rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
    }

    /// A sentence with arguments.
    pub fn with(&self, key: &str, args: &[(&str, &str)]) -> String {
        self.find(key, args).unwrap_or_else(|| plain(key))
    }

    /// What a report says.
    pub fn say(&self, say: &Say) -> String {
        let args: Vec<(&str, &str)> = say.args.iter().map(|(name, value)| (*name, value.as_str())).collect();
        if say.key == "incident-title" {
            return self.incident_title(&args);
        }
        self.find(say.key, &args)
            // A question is named by its id; how a person asks it stands under `ask-`.
            .or_else(|| self.find(&format!("ask-{}", say.key), &args))
            .unwrap_or_else(|| plain(say.key))
    }

    /// The sentence in this language, else in English, else nothing.
    fn find(&self, key: &str, args: &[(&str, &str)]) -> Option<String> {
        let words = if self.lang == Lang::En || self.bundle.has_message(key) { self } else { &*ENGLISH };
        let message = words.bundle.get_message(key)?;
        let mut values = FluentArgs::new();
        for (name, text) in &words.unnamed {
            values.set(*name, FluentValue::from(text.as_str()));
        }
        for (name, value) in args.iter().filter(|(_, value)| !value.is_empty()) {
            values.set(*name, words.value(name, value));
        }
        let mut problems = Vec::new();
        let said = words.bundle.format_pattern(message.value()?, Some(&values), &mut problems);
        Some(words.without_empty_end(&said).to_owned())
    }

    /// A sentence without a last `: the image`, which would name nothing.
    fn without_empty_end<'s>(&self, said: &'s str) -> &'s str {
        let named = said.rsplit_once(": ");
        match named {
            Some((rest, last)) if self.unnamed.iter().any(|(_, general)| general == last) => rest,
            _ => said,
        }
    }

    /// What a sentence says in the place of a name that differs from pull to pull: "several nodes".
    pub fn several(&self, variable: &str) -> String {
        self.get(&format!("many-{variable}"))
    }

    /// Counts choose plurals; everything else is text, however much it looks like a number.
    fn value(&self, name: &str, text: &str) -> FluentValue<'static> {
        match text.parse::<u64>() {
            Ok(number) if name == "count" || name.ends_with("-count") => FluentValue::from(number),
            _ if name == "subject" => FluentValue::from(self.subject(text)),
            _ => FluentValue::String(Cow::Owned(plain(text))),
        }
    }

    /// A subject with its kind in this language: `secret shop/regcred`.
    pub fn subject(&self, text: &str) -> String {
        match text.split_once(' ') {
            Some((kind @ ("secret" | "serviceaccount" | "pod"), name)) => {
                format!("{} {}", self.get(&format!("kind-{kind}")), plain(name))
            }
            _ if text == "cluster" => self.get("kind-cluster"),
            _ => plain(text),
        }
    }

    /// The language of these words.
    pub const fn lang(&self) -> Lang {
        self.lang
    }
}
