//! Where the words of a row stand: as a link of the chain, at its beginning, behind a URL, close to each other.

use super::row::At;
use super::scan::Hit;
use super::scene::Scene;

/// How far apart the words of a row may stand that wants them near.
const NEAR: usize = 200;
/// No word of a table is longer (a test holds them to it), so that none that is near ends farther away.
pub(crate) const LONGEST: usize = 200;

/// Whether the other words follow in order and close by, with no URL between.
pub(crate) fn follow(scene: &Scene<'_>, hits: &[Hit], key: &Hit, others: &[u16]) -> bool {
    // Hits stand by their ends: a line of nothing but such words must not be searched whole for each of them.
    let behind = hits.get(hits.partition_point(|h| h.end <= key.end)..).unwrap_or_default();
    let far = key.end as usize + NEAR + LONGEST;
    let close = behind.get(..behind.partition_point(|h| h.end as usize <= far)).unwrap_or_default();
    let mut end = key.end;
    for other in others {
        let next = close.iter().find(|h| h.needle == *other && h.start >= end);
        match next {
            Some(h) if (h.start - key.end) as usize <= NEAR => end = h.end,
            _ => return false,
        }
    }
    !scene.text.get(key.end as usize..end as usize).unwrap_or_default().contains("://")
}

/// Whether a word stands where its row wants it.
pub(crate) fn stands(scene: &Scene<'_>, hit: &Hit, at: At) -> bool {
    let (start, end) = (hit.start as usize, hit.end as usize);
    let before = scene.text.get(..start).unwrap_or_default();
    let after = scene.text.get(end..).unwrap_or_default();
    match at {
        At::Anywhere => true,
        At::Begin => begins_link(before),
        At::Link => begins_link(before) && ends_link(after),
        At::AfterUrl => {
            // `Forbidden`, a phrase; not `FORBIDDEN`, a registry's code.
            let letters = scene.text.as_bytes().get(start..start + 2);
            let proper = letters.is_some_and(|l| l[0].is_ascii_uppercase() && l[1].is_ascii_lowercase());
            let url = scene.requests.iter().rev().find(|r| r.end <= start);
            proper
                && ends_link(after)
                && url.is_some_and(|r| {
                    r.asked
                        && scene
                            .text
                            .get(r.end..start)
                            .is_some_and(|b| b.trim_matches(['"', '\'', ':', ' ']).is_empty())
                })
        }
    }
}

fn begins_link(before: &str) -> bool {
    let trimmed = before.trim_end_matches([' ', '\t']);
    trimmed.is_empty()
        || trimmed.ends_with([':', '"', '\'', '=', '[', '{', '(', '`', '>', '\n', '*', ';', '|'])
        || trimmed.ends_with("errors")
}

fn ends_link(after: &str) -> bool {
    // A sentence of advice follows.
    let advice = after.strip_prefix(". ").is_some_and(|a| a.starts_with(|c: char| c.is_ascii_uppercase()));
    if advice {
        return true;
    }
    let trimmed = after.trim_start_matches(['.', '!']);
    // Blanks up to a line's end, and a box's border there.
    let padded = trimmed.trim_start_matches(' ').trim_start_matches('│').starts_with(['\n', '\r', '"']);
    trimmed.is_empty()
        || padded
        || trimmed.starts_with(['"', '\'', '\n', '\r', ',', ')', ']', '}', ':', ';', '`', '<'])
        || trimmed.trim().is_empty()
        || field_follows(trimmed)
}

/// ` host=registry.example.com`, ` image="..."`: fields of a log line.
fn field_follows(after: &str) -> bool {
    after.strip_prefix(' ').is_some_and(|rest| {
        let rest = rest.trim_start();
        let name = rest.bytes().take_while(|b| b.is_ascii_lowercase() || *b == b'_').count();
        name > 0 && rest.as_bytes().get(name) == Some(&b'=')
    })
}
