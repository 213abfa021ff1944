//! Blob: the configuration whole, and the begin of one layer, wherever the registry sends for them.

use crate::credentials::Authorization;
use crate::judge::{self, About};
use crate::note::{Note, Step, not_reached};
use crate::origin::{Origin, shown};
use crate::reach::{self, Climb, Line, STAGES};
use crate::redirect;
use crate::rungs::manifest::{Place, sha256};
use crate::rungs::platform::Picked;
use crate::sight;
use crate::trouble::Trouble;
use crate::wire::conversation::{Answer, Ask, End};
use facts::{Fact, Ladder, seen};
use formats::manifest::Descriptor;
use vocabulary::{Cause, Phase, Stage};

/// The largest configuration that is read whole.
const MOST_BYTES: usize = 4 * 1024 * 1024;
/// How much of a layer is read: enough for paths that lose large packets to show it.
const LAYER_BYTES: u64 = 64 * 1024;
/// How many redirects of one blob are followed.
const MOST_HOPS: usize = 10;

/// One blob, as far as it was had.
pub(crate) struct Piece {
    /// Its bytes, where they are whole and of the right digest.
    pub(crate) body: Option<Vec<u8>>,
    facts: Vec<Fact>,
    trouble: Option<Trouble>,
    branches: Vec<Ladder>,
}

pub(crate) async fn climb(
    line: &mut Line,
    climb: Climb<'_>,
    place: Place<'_>,
    authorization: Option<&Authorization>,
    picked: Picked,
) -> (Step<()>, Vec<Ladder>) {
    let mut note = Note::of(Stage::Blob);
    if !climb.request.blobs {
        return (note.skipped(()), Vec::new());
    }
    let config = match picked.config {
        Some(config) => config,
        None => fetch(line, climb, place, authorization, &picked.image.config, None).await,
    };
    note.extend(config.facts);
    let mut branches = config.branches;
    if let Some(trouble) = config.trouble {
        return (note.failed(&trouble), branches);
    }
    // Foreign layers are had from elsewhere, by their own URLs.
    if let Some(layer) = picked.image.layers.iter().find(|l| l.urls.is_empty()) {
        let piece = fetch(line, climb, place, authorization, layer, Some(LAYER_BYTES)).await;
        note.extend(piece.facts);
        branches.extend(piece.branches);
        if let Some(trouble) = piece.trouble {
            return (note.failed(&trouble), branches);
        }
    }
    (note.passed(()), branches)
}

/// Fetches a blob, whole or its first bytes, and follows where the registry sends for it, without authorization.
pub(crate) async fn fetch(
    line: &mut Line,
    climb: Climb<'_>,
    place: Place<'_>,
    authorization: Option<&Authorization>,
    blob: &Descriptor,
    first: Option<u64>,
) -> Piece {
    let mut note = Note::of(Stage::Blob);
    note.see(seen::BLOB, &blob.digest);
    let mut branches = Vec::new();
    let done = had(line, climb, place, authorization, blob, first, &mut note, &mut branches).await;
    let (body, trouble) = match done {
        Ok(body) => (body, None),
        Err(trouble) => (None, Some(trouble)),
    };
    let facts = note.passed(()).rung.seen;
    Piece { body, facts, trouble, branches }
}

#[expect(clippy::too_many_arguments, reason = "one request and the two records that it writes to")]
async fn had(
    line: &mut Line,
    climb: Climb<'_>,
    place: Place<'_>,
    authorization: Option<&Authorization>,
    blob: &Descriptor,
    first: Option<u64>,
    note: &mut Note,
    branches: &mut Vec<Ladder>,
) -> Result<Option<Vec<u8>>, Trouble> {
    let wanted = first.filter(|bytes| *bytes < blob.size);
    let limit = wanted.and_then(|b| usize::try_from(b).ok()).unwrap_or(MOST_BYTES);
    let mut target = place.blob(&blob.digest);
    let mut elsewhere: Option<Line> = None;
    for _ in 0..=MOST_HOPS {
        let away = elsewhere.is_some();
        let current = elsewhere.as_mut().unwrap_or(line);
        let here = current.conversation.origin.clone();
        let authorization = authorization.filter(|_| !away);
        let ask = Ask { range: wanted, authorization, ..Ask::get(&target, limit) };
        let answer = match current.ask(climb, ask).await {
            Ok(answer) => answer,
            Err(trouble) => return Err(there(away, trouble, branches)),
        };
        sight::see(&answer, note);
        let Some(next) = answer.is_redirect().then(|| redirect::next(&here, &target, &answer)).flatten()
        else {
            return judged(&answer, blob, wanted, note).map_err(|trouble| there(away, trouble, branches));
        };
        target = redirect::path_and_query(&next);
        let Some(origin) = Origin::of_url(&next) else {
            let words = format!("unsupported protocol scheme {:?}", next.scheme());
            return Err(
                Trouble::new(Stage::Blob, Cause::BlobRedirectFailed, words).asking("GET", &shown(&next))
            );
        };
        if origin != here {
            elsewhere = Some(reached(climb, &origin, &next, branches).await?);
        }
    }
    let words = "stopped after 10 redirects";
    Err(Trouble::new(Stage::Blob, Cause::RegistryRedirectLoop, words).asking("GET", &target))
}

/// The host that blobs are redirected to is a ladder of its own.
async fn reached(
    climb: Climb<'_>,
    origin: &Origin,
    next: &url::Url,
    branches: &mut Vec<Ladder>,
) -> Result<Line, Trouble> {
    let url = shown(next);
    let at = climb.around.now();
    let mut reached = reach::reach(climb, origin).await;
    reach::with_request(&mut reached.rungs, "GET", &url);
    debug_assert_eq!(reached.rungs.len(), STAGES.len());
    let mut rungs = reached.rungs;
    rungs.push(match &reached.line {
        Ok(_) => Note::of(Stage::Blob).passed(()).rung,
        Err(_) => not_reached(Stage::Blob),
    });
    branches.push(Ladder {
        vantage: climb.request.vantage.clone(),
        phase: Phase::Blob,
        url: url.clone(),
        image: climb.request.image.clone(),
        at: Some(at),
        alternative: false,
        rungs,
        branches: Vec::new(),
    });
    reached.line.map_err(|trouble| {
        // The registry itself is sound: what fails is the way to the store that it names.
        Trouble::new(Stage::Blob, Cause::BlobRedirectFailed, trouble.asking("GET", &url).words)
    })
}

/// A trouble at a host that blobs are redirected to belongs to its ladder too.
fn there(away: bool, trouble: Trouble, branches: &mut [Ladder]) -> Trouble {
    let trouble = Trouble { stage: Stage::Blob, ..trouble };
    if away && let Some(rung) = branches.last_mut().and_then(|b| b.rungs.last_mut()) {
        *rung = Note::of(Stage::Blob).failed::<()>(&trouble).rung;
    }
    trouble
}

/// Whether the answer is the blob; its bytes, where they are whole.
fn judged(
    answer: &Answer,
    blob: &Descriptor,
    wanted: Option<u64>,
    note: &mut Note,
) -> Result<Option<Vec<u8>>, Trouble> {
    let trouble = |symptom, words: String| Err(Trouble::new(Stage::Blob, symptom, words));
    if !answer.is_success() {
        let mut trouble = judge::status(answer, About::Blob, Stage::Blob);
        if answer.status == 404 && !judge::is_foreign(answer) {
            trouble.words =
                format!("could not fetch content descriptor {} from remote: not found", blob.digest);
        }
        return Err(trouble);
    }
    note.see(seen::SIZE, answer.body.len());
    let expected = wanted.unwrap_or(blob.size);
    let got = answer.body.len() as u64;
    if let End::Cut(cut) = &answer.end {
        note.see(seen::SIZE_EXPECTED, expected);
        // A silence is another thing than an end.
        let symptom = if cut.symptom == Cause::NetTimeout { Cause::NetTimeout } else { Cause::BlobTruncated };
        return trouble(symptom, format!("failed to copy: httpReadSeeker: failed open: {}", cut.words));
    }
    let whole = answer.end == End::Whole && wanted.is_none();
    if whole && got != blob.size && blob.size > 0 {
        note.see(seen::SIZE_EXPECTED, blob.size);
        let symptom = if got < blob.size { Cause::BlobTruncated } else { Cause::BlobDigestMismatch };
        let words = format!(
            "failed commit on ref \"layer-{}\": \"layer-{}\" failed size validation: {got} != {}: failed precondition",
            blob.digest, blob.digest, blob.size
        );
        return trouble(symptom, words);
    }
    if !whole {
        return Ok(None);
    }
    let digest = format!("sha256:{}", sha256(&answer.body));
    if blob.digest.starts_with("sha256:") && digest != blob.digest {
        note.see(seen::DIGEST, &digest);
        note.see(seen::DIGEST_EXPECTED, &blob.digest);
        let words = format!(
            "failed commit on ref \"layer-{}\": unexpected commit digest {digest}, expected {}: failed precondition",
            blob.digest, blob.digest
        );
        return trouble(Cause::BlobDigestMismatch, words);
    }
    Ok(Some(answer.body.clone()))
}
