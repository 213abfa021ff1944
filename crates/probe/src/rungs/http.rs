//! HTTP: the API answers at `/v2/`, with its challenge, product and clock.

use crate::judge::{self, About};
use crate::note::{Note, Step};
use crate::product;
use crate::reach::{Climb, Line};
use crate::redirect::{self, Followed};
use crate::sight;
use crate::trouble::Trouble;
use crate::wire::conversation::{Answer, Ask};
use facts::{Ladder, seen};
use formats::challenge::Challenge;
use vocabulary::{Cause, Phase, Stage};

/// The most bytes of an answer that are read here.
const MOST_BYTES: usize = 64 * 1024;

/// What the first answer says of the registry.
pub(crate) struct Door {
    /// What it wants to see; empty where it is open, or says so later.
    pub(crate) challenges: Vec<Challenge>,
    /// Whether the first answer was 401.
    pub(crate) asks: bool,
    /// Seconds by which the registry's clock is ahead of the local one.
    pub(crate) clock_offset: Option<i64>,
    /// The product that it looks like.
    pub(crate) product: Option<&'static str>,
}

/// Asks `/v2/`. `manifest` is what a client that never asks `/v2/` begins with, and decides where that answers oddly.
pub(crate) async fn climb(
    line: &mut Line,
    climb: Climb<'_>,
    api_path: &str,
    manifest: &str,
) -> (Step<Door>, Vec<Ladder>) {
    let mut note = Note::of(Stage::Http);
    let target = format!("{api_path}/");
    let asked = redirect::follow(line, climb, Ask::get(&target, MOST_BYTES), Phase::Challenge).await;
    let (answer, branches) = match asked {
        Ok(Followed { answer, hops, branches }) => {
            for hop in hops {
                note.see(seen::LOCATION, hop);
            }
            (answer, branches)
        }
        Err(lost) => {
            note.see(seen::REQUEST, format!("GET {}{target}", line.conversation.origin));
            for hop in lost.hops {
                note.see(seen::LOCATION, hop);
            }
            return (note.failed(&lost.trouble), lost.branches);
        }
    };
    sight::see(&answer, &mut note);
    let offset = sight::clock_offset(&answer, climb.around.now());
    if let Some(offset) = offset {
        note.see(seen::CLOCK_OFFSET, offset);
    }
    let challenges = sight::challenges(&answer);
    let told = product::product(&line.conversation.origin.host, &answer, &challenges);
    if let Some((product, shown_by)) = &told {
        note.see(seen::PRODUCT, product);
        note.see(seen::PRODUCT_SHOWN_BY, shown_by);
    }
    let door =
        Door { challenges, asks: answer.status == 401, clock_offset: offset, product: told.map(|t| t.0) };
    let Some(trouble) = trouble(&answer) else { return (note.passed(door), branches) };
    // Clients of the newer kind never ask /v2/: a registry that hides it serves them all the same.
    if matches!(answer.status, 403..=405)
        && let Some(challenges) = serves_manifests(line, climb, manifest, &mut note).await
    {
        return (note.passed(Door { challenges, ..door }), branches);
    }
    (note.failed(&trouble), branches)
}

fn trouble(answer: &Answer) -> Option<Trouble> {
    match answer.status {
        401 => None,
        200 if judge::is_foreign(answer)
            && !answer.headers.contains_key("docker-distribution-api-version") =>
        {
            let words = format!(
                "{} {}: invalid character '<' looking for beginning of value",
                answer.method, answer.url
            );
            Some(Trouble::new(Stage::Http, Cause::RegistryBadResponse, words))
        }
        200..=299 => None,
        _ => Some(judge::status(answer, About::Api, Stage::Http)),
    }
}

/// Whether the manifest's URL answers as a registry does, and with which challenge.
async fn serves_manifests(
    line: &mut Line,
    climb: Climb<'_>,
    manifest: &str,
    note: &mut Note,
) -> Option<Vec<Challenge>> {
    let ask = Ask { accept: Some(formats::manifest::ACCEPT), ..Ask::head(manifest) };
    let answer = line.ask(climb, ask).await.ok()?;
    sight::see(&answer, note);
    let challenges = sight::challenges(&answer);
    let is_api = answer.headers.contains_key("docker-distribution-api-version")
        || answer.headers.contains_key("docker-content-digest");
    match answer.status {
        200 if is_api => Some(challenges),
        401 if challenges.iter().any(|c| c.is("bearer") || c.is("basic")) => Some(challenges),
        404 if is_api => Some(challenges),
        _ => None,
    }
}
