//! What a probe's ladders show, rung by rung and beside each other: answers for the questions of other files, which ask
//! texts first or after. What they mean is the rows' business.
//!
//! A ladder that was climbed elsewhere says nothing of the way from a node, nor of the credentials that it sends: only
//! what the registry itself has counts for every pull of the image.

mod image;
mod refusal;
#[cfg(test)]
pub mod testing;
pub mod way;

pub use image::{control, has_repository, has_tag, public};
pub use refusal::{
    authorization_dropped, by_another_than_the_api, head_refused, realm_gives_none, token_invalid,
    window_missed,
};

use crate::case::Case;
use crate::pull::Pull;
use crate::question::Seen;
use facts::{Ladder, Outcome, Rung, Why};
use report::{Evidence, Locator, Say};

/// The ladders that climbed for this pull's image, from anywhere.
fn of_image<'a>(case: &Case<'a>, pull: &Pull<'_>) -> impl Iterator<Item = &'a Ladder> {
    let image = pull.image.clone();
    case.snapshot.ladders.iter().filter(move |l| formats::reference::same(&l.image, &image))
}

/// The ladder that is this pull, where a probe was its only client.
fn own<'a>(case: &Case<'a>, pull: &Pull<'_>) -> Option<&'a Ladder> {
    of_image(case, pull).filter(|_| pull.is_probe()).find(|l| l.ended_at().is_some())
}

/// A rung as evidence.
fn shows(ladder: &Ladder, rung: &Rung, says: Say, quote: &str) -> Evidence {
    let at =
        Locator::Step { vantage: ladder.vantage.to_string(), url: ladder.url.clone(), stage: rung.stage };
    Evidence { at, says, quote: quote.to_owned() }
}

fn has_failed(rung: &Rung) -> bool {
    matches!(rung.outcome, Outcome::Failed { .. })
}

const fn blind() -> Seen {
    Seen::Blind(Why::NotAsked)
}
