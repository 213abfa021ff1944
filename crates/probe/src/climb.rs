//! The climb: rungs one after the other, until one fails.

use crate::credentials::Credential;
use crate::note::{Step, not_reached};
use crate::origin::Origin;
use crate::reach::{self, Climb, Line, STAGES};
use crate::request::{Endpoint, Manner, Request};
use crate::rungs::manifest::Place;
use crate::rungs::{authorization, blob, credentials, http, manifest, platform, reference, token};
use crate::surroundings::Surroundings;
use facts::{BlindSpot, Fact, Ladder, Outcome, Rung, Why, seen};
use formats::reference::Reference;
use vocabulary::{Cause, Phase, Stage};

/// All rungs of the registry's own ladder.
const RUNGS: [Stage; 11] = [
    Stage::Reference,
    Stage::Credentials,
    Stage::Dns,
    Stage::Connect,
    Stage::Tls,
    Stage::Http,
    Stage::Token,
    Stage::Authorization,
    Stage::Manifest,
    Stage::Platform,
    Stage::Blob,
];

/// Climbs for one image: a ladder for each endpoint, each complete, the rungs that were not reached included.
///
/// Every step ends by [`Request::timeout`]. Nothing is written anywhere.
pub async fn climb(request: &Request, around: &Surroundings) -> Vec<Ladder> {
    let plain = Manner::default();
    let climb = Climb { request, around, own: None, manner: &plain };
    let step = reference::climb(&request.image);
    let Some(parsed) = step.held else {
        let mut ladder = empty(climb, String::new());
        ladder.rungs.push(step.rung);
        return vec![complete(ladder)];
    };
    let endpoints = if request.endpoints.is_empty() {
        match Origin::of_host(parsed.api_host(), !request.plain_http) {
            Some(origin) => vec![Endpoint::of(origin)],
            None => {
                let mut ladder = empty(climb, String::new());
                ladder.rungs.push(unusable_host(step.rung, parsed.api_host()));
                return vec![complete(ladder)];
            }
        }
    } else {
        request.endpoints.clone()
    };
    let own = Origin::of_host(parsed.api_host(), true);
    let climb = Climb { own: own.as_ref().map(|o| (o.host.as_str(), o.port)), ..climb };
    let chosen = credentials::climb(&around.credentials, &parsed, request.timeout).await;
    let credential = chosen.held.flatten();
    let begun = [step.rung, chosen.rung];
    let mut ladders = Vec::new();
    for endpoint in &endpoints {
        let climb = Climb { manner: &endpoint.manner, ..climb };
        ladders.push(one(climb, &parsed, credential.as_ref(), endpoint, &begun).await);
    }
    ladders
}

/// What could not be seen on these ladders: credential helpers that failed or did not answer.
pub fn blind_spots(ladders: &[Ladder]) -> Vec<BlindSpot> {
    let unreadable = ladders.iter().flat_map(|l| &l.rungs).flat_map(|r| r.all(seen::CREDENTIALS_UNREADABLE));
    let mut all: Vec<BlindSpot> = unreadable
        .map(|fact| {
            let (what, detail) = fact.split_once(": ").unwrap_or((fact, ""));
            let why = if detail.contains("did not answer") { Why::TimedOut } else { Why::Failed };
            BlindSpot {
                what: what.to_owned(),
                why,
                detail: detail.to_owned(),
                needs: "--creds-file".to_owned(),
            }
        })
        .collect();
    // Every endpoint's ladder begins with the same rung.
    all.dedup();
    all
}

/// The parsed reference can name a host that no URL can: a port beyond 65535.
fn unusable_host(mut rung: Rung, host: &str) -> Rung {
    rung.outcome = Outcome::Failed {
        symptom: Cause::ReferenceInvalid,
        error: format!("parse \"https://{host}/v2/\": invalid host or port"),
    };
    rung
}

fn empty(climb: Climb<'_>, url: String) -> Ladder {
    Ladder {
        vantage: climb.request.vantage.clone(),
        phase: Phase::Manifest,
        url,
        image: climb.request.image.clone(),
        at: Some(climb.around.now()),
        alternative: false,
        rungs: Vec::new(),
        branches: Vec::new(),
    }
}

/// With the rungs that were not reached, in their order.
fn complete(mut ladder: Ladder) -> Ladder {
    for stage in RUNGS {
        if ladder.rung(stage).is_none() {
            ladder.rungs.push(not_reached(stage));
        }
    }
    ladder
}

async fn one(
    climb: Climb<'_>,
    parsed: &Reference<'_>,
    credential: Option<&Credential>,
    endpoint: &Endpoint,
    begun: &[Rung],
) -> Ladder {
    let query = endpoint.namespace.as_ref().map(|ns| format!("?ns={ns}")).unwrap_or_default();
    let place = Place { api_path: &endpoint.api_path, reference: parsed, query: &query };
    let target = place.manifest(parsed.by());
    let mut ladder = empty(climb, format!("{}{target}", endpoint.origin));
    ladder.alternative = endpoint.manner.configured;
    ladder.rungs.extend(begun.iter().cloned());
    let own = Origin::of_host(parsed.api_host(), endpoint.origin.https);
    let is_own = own.is_some_and(|own| own.host == endpoint.origin.host && own.port == endpoint.origin.port);
    let Some(mut line) = reached(climb, endpoint, &target, &mut ladder).await else {
        return complete(ladder);
    };
    let may_show_secrets = is_confidential(climb, &line.conversation.origin);
    let kept_back = if !is_own && !endpoint.manner.configured {
        Some("another host than the reference names")
    } else {
        (!may_show_secrets).then_some("nothing proves who answers there")
    };
    if let (Some(why), Some(_)) = (kept_back, credential) {
        let value = format!("not-sent {why}");
        if let Some(rung) = ladder.rungs.iter_mut().find(|r| r.stage == Stage::Credentials) {
            rung.seen.push(Fact { name: seen::CREDENTIALS_OUTCOME.to_owned(), value });
        }
    }
    let credential = credential.filter(|_| kept_back.is_none());
    let headers = endpoint.manner.headers.iter();
    line.conversation.headers = headers
        .filter(|(name, _)| may_show_secrets || !formats::redact::is_secret_header(name))
        .cloned()
        .collect();
    above(&mut line, climb, place, credential, &mut ladder).await;
    complete(ladder)
}

/// Whether a secret may be sent there: over a verified connection, to this machine itself, or where the person says that
/// the registry speaks plain HTTP.
fn is_confidential(climb: Climb<'_>, origin: &Origin) -> bool {
    let verified = origin.https && !climb.manner.unverified;
    verified || origin.is_loopback() || climb.request.plain_http
}

/// Lookup, connection and TLS; in plain where a loopback registry turns out to speak no TLS.
async fn reached(climb: Climb<'_>, endpoint: &Endpoint, target: &str, ladder: &mut Ladder) -> Option<Line> {
    let mut reached = reach::reach(climb, &endpoint.origin).await;
    let speaks_plain =
        reached.line.as_ref().err().is_some_and(|t| t.symptom == Cause::TlsHttpResponseToHttps);
    if speaks_plain && (endpoint.origin.is_loopback() || endpoint.manner.http_fallback) {
        let origin = Origin { https: false, ..endpoint.origin.clone() };
        reached = reach::reach(climb, &origin).await;
        if let Some(rung) = reached.rungs.iter_mut().find(|r| r.stage == Stage::Tls) {
            rung.seen.push(Fact { name: seen::PLAIN_FALLBACK.to_owned(), value: "yes".to_owned() });
        }
        ladder.url = format!("{origin}{target}");
    }
    reach::with_request(&mut reached.rungs, "HEAD", &ladder.url);
    debug_assert_eq!(reached.rungs.len(), STAGES.len());
    ladder.rungs.extend(reached.rungs);
    reached.line.ok()
}

/// The rungs that need a connection.
async fn above(
    line: &mut Line,
    climb: Climb<'_>,
    place: Place<'_>,
    credential: Option<&Credential>,
    ladder: &mut Ladder,
) -> Option<()> {
    let target = place.manifest(place.reference.by());
    let (step, branches) = http::climb(line, climb, place.api_path, &target).await;
    ladder.branches.extend(branches);
    let door = held(step, ladder)?;

    let asking = token::Asking { reference: place.reference, credential, door: &door };
    let (step, branch) = token::climb(line, climb, asking).await;
    ladder.branches.extend(branch);
    let authorization = held(step, ladder)?;
    let authorization = authorization.as_ref();

    let api = format!("{}/", place.api_path);
    let api = door.asks.then_some(api.as_str());
    let (step, branches) = authorization::climb(line, climb, api, &target, authorization).await;
    ladder.branches.extend(branches);
    let entered = held(step, ladder)?;
    let found = held(manifest::climb(line, climb, place, authorization, entered, &door).await, ladder)?;
    let picked = held(platform::climb(line, climb, place, authorization, found).await, ladder)?;
    let (step, branches) = blob::climb(line, climb, place, authorization, picked).await;
    ladder.branches.extend(branches);
    held(step, ladder)
}

/// Keeps a rung; one whose failure belongs to an earlier one (a TLS alert that came late) fails that one instead.
fn held<T>(step: Step<T>, ladder: &mut Ladder) -> Option<T> {
    let earlier = step.belongs_to.and_then(|stage| ladder.rungs.iter_mut().find(|r| r.stage == stage));
    match earlier {
        Some(rung) => {
            rung.outcome = step.rung.outcome;
            rung.seen.extend(step.rung.seen);
        }
        None => ladder.rungs.push(step.rung),
    }
    step.held
}
