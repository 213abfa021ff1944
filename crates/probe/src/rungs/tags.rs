//! Tags: when the one that was asked for is missing, whether the repository is there and which tags are near.

use crate::credentials::Authorization;
use crate::note::Note;
use crate::reach::{Climb, Line};
use crate::redirect;
use crate::rungs::manifest::Place;
use crate::sight;
use crate::wire::conversation::{Answer, Ask};
use facts::seen;
use serde::Deserialize;

/// The most pages, and bytes of one, that are read.
const MOST_PAGES: usize = 5;
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// How many near names are shown.
const MOST_SHOWN: usize = 5;
/// The most tags that names are compared with.
const MOST_TAGS: usize = 20_000;

#[derive(Deserialize)]
struct Page {
    tags: Option<Vec<String>>,
}

/// Keeps what the tag list says. A failing list proves nothing, and is kept as its answer only.
pub(crate) async fn see(
    line: &mut Line,
    climb: Climb<'_>,
    place: Place<'_>,
    authorization: Option<&Authorization>,
    note: &mut Note,
) {
    let separator = if place.query.is_empty() { "?" } else { "&" };
    let mut target = format!(
        "{}/{}/tags/list{}{separator}n=1000",
        place.api_path,
        place.reference.repository(),
        place.query
    );
    let mut tags: Vec<String> = Vec::new();
    for page in 0..MOST_PAGES {
        let ask = Ask { authorization, ..Ask::get(&target, MOST_BYTES) };
        let Ok(answer) = line.ask(climb, ask).await else { break };
        if page == 0 || !answer.is_success() {
            sight::see(&answer, note);
        }
        if !answer.is_success() {
            let errors = sight::errors(&answer);
            let unknown = errors.iter().any(|e| matches!(e.code.as_str(), "NAME_UNKNOWN" | "NOT_FOUND"));
            if page == 0 && answer.status == 404 && unknown {
                note.see(seen::REPOSITORY_EXISTS, "no");
            }
            return;
        }
        let Ok(read) = serde_json::from_slice::<Page>(&answer.body) else { break };
        tags.extend(read.tags.unwrap_or_default().into_iter().take(MOST_TAGS.saturating_sub(tags.len())));
        match next(line, &target, &answer) {
            Some(next) if tags.len() < MOST_TAGS => target = next,
            _ => break,
        }
    }
    if tags.is_empty() {
        note.see(seen::TAGS_COUNT, 0);
        return;
    }
    note.see(seen::REPOSITORY_EXISTS, "yes");
    note.see(seen::TAGS_COUNT, tags.len());
    for tag in nearest(place.reference.by(), &tags) {
        note.see(seen::TAGS_NEAR, tag);
    }
}

/// The next page, on the same host only.
fn next(line: &Line, target: &str, answer: &Answer) -> Option<String> {
    let link = answer.header("link")?;
    let (url, rest) = link.trim_start().strip_prefix('<')?.split_once('>')?;
    if !rest.replace([' ', '"'], "").contains("rel=next") {
        return None;
    }
    let base = url::Url::parse(&format!("{}{target}", line.conversation.origin)).ok()?;
    let next = base.join(url).ok()?;
    let same = crate::origin::Origin::of_url(&next).is_some_and(|o| o == line.conversation.origin);
    let target_of_next = redirect::path_and_query(&next);
    (same && target_of_next != target).then_some(target_of_next)
}

/// The tags whose names are nearest, best first.
fn nearest<'t>(wanted: &str, tags: &'t [String]) -> Vec<&'t str> {
    let folded = |tag: &str| tag.trim_start_matches(['v', 'V']).to_lowercase();
    let wanted = folded(wanted);
    let mut ranked: Vec<(usize, &str)> =
        tags.iter().map(|tag| (distance(&wanted, &folded(tag)), tag.as_str())).collect();
    ranked.sort();
    let near = wanted.chars().count().max(4) / 2;
    let mut best: Vec<&str> =
        ranked.iter().filter(|(d, _)| *d <= near).map(|(_, tag)| *tag).take(MOST_SHOWN).collect();
    // With nothing near, the last few of the list still show how its tags look.
    if best.is_empty() {
        best = tags.iter().rev().take(3).map(String::as_str).collect();
    }
    best
}

/// Levenshtein's distance. Tags have 128 characters at most.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(128).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(128).enumerate() {
        let mut diagonal = i;
        let mut left = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row.get(j + 1).copied().unwrap_or(usize::MAX - 1);
            let value = (above + 1).min(left + 1).min(diagonal + usize::from(x != *y));
            if let Some(cell) = row.get_mut(j) {
                *cell = left;
            }
            diagonal = above;
            left = value;
        }
        if let Some(cell) = row.last_mut() {
            *cell = left;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_counted_in_edits() {
        for (a, b, edits) in [
            ("", "", 0),
            ("a", "", 1),
            ("", "ab", 2),
            ("1.27", "1.27.1", 2),
            ("latest", "lates", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(a, b), edits, "{a} {b}");
        }
    }

    #[test]
    fn near_names_come_first() {
        let tags: Vec<String> =
            ["v1.27.0", "v1.27.1", "v2.0.0", "latest", "nightly"].map(str::to_owned).into();
        assert_eq!(nearest("1.27.1", &tags)[0], "v1.27.1");
        assert_eq!(nearest("lastest", &tags), ["latest"]);
        assert_eq!(nearest("zzzzzzzzzzzzzzz", &tags), ["nightly", "latest", "v2.0.0"]);
    }
}
