//! Why a command gave up, in Korean. The English stands where the error is made; `locales/errors-ko.txt` has the Korean
//! of each, with a place for what differs. What it does not have stays English: a missing word costs no message.

use crate::exit::Failure;
use std::sync::LazyLock;

/// What stands for a part that differs.
const OPEN: &str = "{}";
/// Values are said in Korean too, to this depth: each is shorter than what holds it.
const DEEPEST: usize = 4;

/// The English between what differs, and the Korean.
struct Sentence {
    english: Vec<&'static str>,
    korean: &'static str,
}

static SENTENCES: LazyLock<Vec<Sentence>> = LazyLock::new(|| {
    let lines = include_str!("../locales/errors-ko.txt").lines().filter(|l| !l.starts_with('#'));
    let mut all: Vec<Sentence> = lines
        .filter_map(|l| l.split_once(" = "))
        .map(|(english, korean)| Sentence { english: english.split(OPEN).collect(), korean })
        .collect();
    // The one that says most first: `reading {}` would take every other that begins so.
    all.sort_by_key(|s| std::cmp::Reverse(s.english.iter().map(|e| e.len()).sum::<usize>()));
    all
});

/// One line, link by link of the chain.
pub fn of(failure: &Failure) -> String {
    match failure {
        Failure::Usage(words) => said(words, 0),
        Failure::CannotLook(error) => {
            error.chain().map(|link| said(&link.to_string(), 0)).collect::<Vec<_>>().join(": ")
        }
    }
}

/// The Korean of a message, else the message.
fn said(words: &str, depth: usize) -> String {
    let found = SENTENCES.iter().find_map(|s| Some((s, values(&s.english, words)?)));
    let Some((sentence, values)) = found.filter(|_| depth < DEEPEST) else { return words.to_owned() };
    let mut korean = sentence.korean.to_owned();
    // From the last to the first, so that a value is not taken for a place.
    let mut places: Vec<(usize, usize)> =
        (0..values.len()).filter_map(|n| Some((korean.find(&format!("{{{}}}", n + 1))?, n))).collect();
    places.sort_unstable();
    for (at, n) in places.into_iter().rev() {
        korean.replace_range(at..at + OPEN.len() + 1, &said(values[n], depth + 1));
    }
    korean
}

/// What stands between these words, where the message is made of them.
fn values<'m>(english: &[&str], message: &'m str) -> Option<Vec<&'m str>> {
    let (first, others) = english.split_first()?;
    let mut rest = message.strip_prefix(first)?;
    let Some((last, middle)) = others.split_last() else { return rest.is_empty().then(Vec::new) };
    let mut found = Vec::new();
    for words in middle {
        let (value, after) = rest.split_once(words)?;
        found.push(value);
        rest = after;
    }
    found.push(rest.strip_suffix(last)?);
    found.iter().all(|value| !value.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn each_link_and_each_value_is_said() {
        let error = Err::<(), _>(anyhow::anyhow!("No such file or directory (os error 2)"))
            .context("reading /tmp/x = {1}")
            .unwrap_err();
        assert_eq!(
            of(&Failure::CannotLook(error)),
            "읽기, /tmp/x = {1}: 그런 파일이나 폴더가 없습니다(os error 2)"
        );
        let nested = "no kubeconfig: KUBECONFIG names /a, which is not there, and this is no pod with a service account; \
                      name one with --kubeconfig, or read saved objects with --from";
        let korean = of(&Failure::Usage(nested.to_owned()));
        assert!(
            korean.contains("KUBECONFIG에 적힌 파일이 없습니다: /a.") && !korean.contains("which"),
            "{korean}"
        );
        assert_eq!(of(&Failure::Usage("what nobody wrote".to_owned())), "what nobody wrote");
    }

    #[test]
    fn every_error_of_a_cluster_and_of_a_node_is_said() {
        use cluster::{BadTarget, ConnectError as E};
        let x = || "x".to_owned();
        let errors: Vec<anyhow::Error> = vec![
            E::NoConfig { looked: x() }.into(),
            E::BadConfig { path: x().into(), why: x() }.into(),
            E::NoContext { known: x() }.into(),
            E::UnknownContext { name: x(), known: x() }.into(),
            E::NoServer { context: x(), why: x() }.into(),
            E::Credentials { context: x(), why: x() }.into(),
            E::Unusable { context: x(), why: x() }.into(),
            E::Unreachable { server: x(), why: x() }.into(),
            E::Unauthorized { server: x(), context: x() }.into(),
            E::NoNamespace { name: x() }.into(),
            E::NoTarget { target: x(), namespace: x() }.into(),
            E::TargetUnread { target: x(), namespace: x(), why: x() }.into(),
            E::BadSelector { selector: x(), why: x() }.into(),
            BadTarget::Kind(x()).into(),
            BadTarget::Name(x()).into(),
            node::Error::Version("x", x()).into(),
            node::Error::NoVersion("x").into(),
            node::Error::NoCri.into(),
            node::Error::Root(x().into()).into(),
        ];
        for error in errors {
            let korean = of(&Failure::CannotLook(error));
            assert!(korean.chars().any(|c| ('가'..='힣').contains(&c)), "{korean}");
        }
    }

    #[test]
    fn every_place_has_its_value() {
        for Sentence { english, korean } in SENTENCES.iter() {
            let named = (1..=9).filter(|n| korean.contains(&format!("{{{n}}}"))).count();
            assert_eq!(named, english.len() - 1, "{korean}");
        }
    }
}
