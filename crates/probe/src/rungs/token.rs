//! Token: the challenge is answered, by a token from its realm, which is a ladder of its own, or by Basic.
//!
//! A credential is sent to the token service once, and only where the registry's word for the realm is believable.

use crate::credentials::{Authorization, Credential, Kind};
use crate::judge::{self, About};
use crate::note::{Note, Step};
use crate::origin::{Origin, shown};
use crate::reach::{self, Climb, Line, STAGES};
use crate::redirect;
use crate::rungs::http::Door;
use crate::sight;
use crate::trouble::Trouble;
use crate::wire::conversation::{Answer, Ask, End};
use facts::{Ladder, Outcome, Rung, seen};
use formats::challenge::Challenge;
use formats::reference::Reference;
use formats::registry_token::{self, Claims};
use http::Method;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use std::net::IpAddr;
use url::Url;
use vocabulary::{Cause, Phase, Stage};

/// The most bytes of a token service's answer.
const MOST_BYTES: usize = 1024 * 1024;

/// What a token is asked for with.
pub(crate) struct Asking<'a> {
    pub(crate) reference: &'a Reference<'a>,
    pub(crate) credential: Option<&'a Credential>,
    pub(crate) door: &'a Door,
}

/// Answers the challenge. `None` is held where nothing is sent.
pub(crate) async fn climb(
    line: &mut Line,
    climb: Climb<'_>,
    asking: Asking<'_>,
) -> (Step<Option<Authorization>>, Option<Ladder>) {
    let mut note = Note::of(Stage::Token);
    if let Some(credential) = asking.credential.filter(|c| c.kind == Kind::RegistryToken) {
        return (note.skipped(Some(Authorization::Bearer(credential.secret.clone()))), None);
    }
    let challenges = &asking.door.challenges;
    if let Some(bearer) = challenges.iter().find(|c| c.is("bearer")) {
        return fetch(line, climb, &asking, bearer, note).await;
    }
    if challenges.iter().any(|c| c.is("basic")) {
        let basic = asking.credential.filter(|c| c.kind == Kind::Password);
        let basic = basic.map(|c| Authorization::Basic { user: c.user.clone(), secret: c.secret.clone() });
        return (note.skipped(basic), None);
    }
    if asking.door.asks {
        for challenge in challenges {
            note.see(seen::CHALLENGE, &challenge.scheme);
        }
        let url = format!("{}/v2/", line.conversation.origin);
        let words = format!("unexpected status from GET request to {url}: 401 Unauthorized");
        return (note.failed(&Trouble::new(Stage::Token, Cause::AuthChallengeInvalid, words)), None);
    }
    (note.skipped(None), None)
}

async fn fetch(
    line: &mut Line,
    climb: Climb<'_>,
    asking: &Asking<'_>,
    challenge: &Challenge,
    mut note: Note,
) -> (Step<Option<Authorization>>, Option<Ladder>) {
    let realm = match realm(&line.conversation.origin, challenge) {
        Ok(realm) => realm,
        Err(trouble) => {
            note.see(seen::CHALLENGE_REALM, challenge.get("realm").unwrap_or_default());
            return (note.failed(&trouble), None);
        }
    };
    let mut ladder = Ladder {
        vantage: climb.request.vantage.clone(),
        phase: Phase::Token,
        url: shown(&realm.url),
        image: climb.request.image.clone(),
        at: Some(climb.around.now()),
        alternative: false,
        rungs: Vec::new(),
        branches: Vec::new(),
    };
    let kind = if asking.credential.is_some() { "oauth" } else { "anonymous" };
    // Behind a proxy the peer is the proxy, which says nothing of where the registry is.
    let peer = (!line.conversation.tunnelled).then(|| line.conversation.peer.ip());
    let registry = Registry { origin: line.conversation.origin.clone(), peer };
    // The token service often is the registry itself: then its connection will do.
    let mut own = None;
    let service = if realm.origin == registry.origin {
        ladder.rungs.extend(STAGES.map(|stage| Rung {
            stage,
            outcome: Outcome::Skipped,
            took_ms: 0,
            seen: Vec::new(),
        }));
        line
    } else {
        let mut reached = reach::reach(climb, &realm.origin).await;
        reach::with_request(&mut reached.rungs, "GET", &ladder.url);
        ladder.rungs.extend(reached.rungs);
        match reached.line {
            Ok(line) => own.insert(line),
            Err(trouble) => {
                ladder.rungs.push(crate::note::not_reached(Stage::Token));
                note.see(seen::CHALLENGE_REALM, &ladder.url);
                let trouble = of_service(trouble.asking("GET", &ladder.url), kind);
                return (note.failed(&trouble), Some(ladder));
            }
        }
    };
    let mut inner = Note::of(Stage::Token);
    let fetched = exchange(service, climb, asking, &realm, &registry, &mut inner).await;
    let step = match fetched {
        Ok(token) => inner.passed(token),
        Err(trouble) => inner.failed(&of_service(trouble, kind)),
    };
    // The registry's ladder shows the same: what its token is, or why it has none.
    let rung = Rung { seen: step.rung.seen.clone(), ..step.rung.clone() };
    ladder.rungs.push(step.rung);
    let held = step.held.map(|token| Some(Authorization::Bearer(token)));
    (Step { rung, held, belongs_to: None }, Some(ladder))
}

/// The registry that named the realm.
struct Registry {
    origin: Origin,
    peer: Option<IpAddr>,
}

struct Realm {
    url: Url,
    origin: Origin,
    service: Option<String>,
}

fn realm(registry: &Origin, challenge: &Challenge) -> Result<Realm, Trouble> {
    let Some(text) = challenge.get("realm").filter(|r| !r.is_empty()) else {
        let words = "failed to authorize: no realm specified for token auth challenge";
        return Err(Trouble::new(Stage::Token, Cause::AuthChallengeInvalid, words));
    };
    let wrong = |why: String| {
        let words = format!("failed to authorize: invalid token auth challenge realm: {why}");
        Trouble::new(Stage::Token, Cause::AuthRealmMisconfigured, words)
    };
    let base = Url::parse(&format!("{registry}/")).map_err(|e| wrong(e.to_string()))?;
    let url = base.join(text).map_err(|e| wrong(format!("{text:?}: {e}")))?;
    let origin = Origin::of_url(&url)
        .ok_or_else(|| wrong(format!("unsupported protocol scheme {:?}", url.scheme())))?;
    Ok(Realm { url, origin, service: challenge.get("service").map(str::to_owned) })
}

/// Why the credentials must not go to this realm: a registry's answer may not send them to this machine's own services,
/// to metadata services, or in the clear, unless the registry itself is there or the person says so.
fn kept_back(climb: Climb<'_>, realm: &Realm, registry: &Registry, peer: Option<IpAddr>) -> Option<String> {
    if climb.request.realms.contains(&realm.origin.host) {
        return None;
    }
    if !realm.origin.https && registry.origin.https {
        return Some("its realm is plain HTTP, and the registry is not".to_owned());
    }
    let inward = |ip: IpAddr| match ip {
        IpAddr::V4(ip) => ip.is_loopback() || ip.is_link_local() || ip.is_unspecified(),
        IpAddr::V6(ip) => {
            let mapped = ip.to_ipv4_mapped().is_some_and(|ip| ip.is_loopback() || ip.is_link_local());
            ip.is_loopback() || ip.is_unspecified() || ip.segments()[0] & 0xffc0 == 0xfe80 || mapped
        }
    };
    let named = realm.origin.ip().is_some_and(inward) || realm.origin.host == "localhost";
    let leads_inward = named || peer.is_some_and(inward);
    let registry_is_inward = registry.peer.is_some_and(inward) || registry.origin.is_loopback();
    (leads_inward && !registry_is_inward)
        .then(|| "its realm leads to a loopback or link-local address, and the registry does not".to_owned())
}

async fn exchange(
    service: &mut Line,
    climb: Climb<'_>,
    asking: &Asking<'_>,
    realm: &Realm,
    registry: &Registry,
    note: &mut Note,
) -> Result<SecretString, Trouble> {
    let scope = format!("repository:{}:pull", asking.reference.repository());
    note.see(seen::CHALLENGE_REALM, shown(&realm.url));
    note.see(seen::TOKEN_ASKED, &scope);
    if asking.credential.is_some() {
        let peer = (!service.conversation.tunnelled).then(|| service.conversation.peer.ip());
        if let Some(why) = kept_back(climb, realm, registry, peer) {
            note.see(seen::REALM_REFUSED, &why);
            let words = format!("credentials are not sent to {}: {why}", realm.origin);
            return Err(Trouble::new(Stage::Token, Cause::AuthRealmMisconfigured, words));
        }
    }
    let answer = ask(service, climb, asking.credential, realm, &scope, note).await?;
    sight::see(&answer, note);
    see_clocks(&answer, climb, asking.door, note);
    if let End::Cut(trouble) = &answer.end {
        return Err(trouble.clone().asking(answer.method.as_str(), &answer.url));
    }
    if !answer.is_success() {
        return Err(refused(&answer, asking.credential));
    }
    read(&answer, asking, note)
}

async fn ask(
    service: &mut Line,
    climb: Climb<'_>,
    credential: Option<&Credential>,
    realm: &Realm,
    scope: &str,
    note: &mut Note,
) -> Result<Answer, Trouble> {
    let mut url = realm.url.clone();
    if let Some(token) = credential.filter(|c| c.kind == Kind::IdentityToken) {
        let form = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("grant_type", "refresh_token")
            .append_pair("service", realm.service.as_deref().unwrap_or_default())
            .append_pair("client_id", "pullproof")
            .append_pair("scope", scope)
            .append_pair("refresh_token", token.secret.expose_secret())
            .finish();
        let target = redirect::path_and_query(&url);
        let ask = Ask {
            method: Method::POST,
            form: Some(SecretString::from(form)),
            ..Ask::get(&target, MOST_BYTES)
        };
        // Sent once: nothing is followed and nothing repeated.
        return service.ask(climb, ask).await;
    }
    if let Some(service) = &realm.service {
        url.query_pairs_mut().append_pair("service", service);
    }
    url.query_pairs_mut().append_pair("scope", scope);
    let target = redirect::path_and_query(&url);
    let basic = credential.map(|c| Authorization::Basic { user: c.user.clone(), secret: c.secret.clone() });
    let ask = Ask { authorization: basic.as_ref(), ..Ask::get(&target, MOST_BYTES) };
    match redirect::follow(service, climb, ask, Phase::Token).await {
        Ok(followed) => {
            for hop in followed.hops {
                note.see(seen::LOCATION, hop);
            }
            Ok(followed.answer)
        }
        Err(lost) => Err(lost.trouble),
    }
}

fn see_clocks(answer: &Answer, climb: Climb<'_>, door: &Door, note: &mut Note) {
    let Some(offset) = sight::clock_offset(answer, climb.around.now()) else { return };
    note.see(seen::CLOCK_OFFSET, offset);
    if let Some(registry) = door.clock_offset {
        note.see(seen::CLOCK_TOKEN_AGAINST_REGISTRY, offset - registry);
    }
}

fn refused(answer: &Answer, credential: Option<&Credential>) -> Trouble {
    let mut trouble = judge::status(answer, About::Token, Stage::Token);
    if trouble.symptom == Cause::AuthUnauthorized {
        trouble.symptom =
            if credential.is_some() { Cause::AuthBadCredentials } else { Cause::AuthNoCredentials };
    }
    trouble
}

#[derive(Deserialize)]
struct TokenAnswer {
    token: Option<SecretString>,
    access_token: Option<SecretString>,
    expires_in: Option<f64>,
    issued_at: Option<String>,
}

fn read(answer: &Answer, asking: &Asking<'_>, note: &mut Note) -> Result<SecretString, Trouble> {
    let failed = |cause, words: &str| Err(Trouble::new(Stage::Token, cause, words.to_owned()));
    let Ok(parsed) = serde_json::from_slice::<TokenAnswer>(&answer.body) else {
        sight::see_body(answer, note);
        let first = String::from_utf8_lossy(&answer.body).trim_start().chars().next();
        return match first {
            Some(c) if c != '{' => failed(
                Cause::RegistryBadResponse,
                &format!(
                    "unable to decode token response: invalid character {c:?} looking for beginning of value"
                ),
            ),
            _ => failed(
                Cause::RegistryBadResponse,
                "unable to decode token response: unexpected end of JSON input",
            ),
        };
    };
    let token = parsed.token.or(parsed.access_token).filter(|t| !t.expose_secret().is_empty());
    let Some(token) = token else {
        return failed(
            Cause::AuthTokenRejected,
            "authorization server did not include a token in the response",
        );
    };
    if let Some(seconds) = parsed.expires_in {
        note.see(seen::TOKEN_LIFETIME, seconds);
    }
    if let Some(at) = parsed.issued_at {
        note.see(seen::TOKEN_ISSUED, at);
    }
    see_claims(registry_token::claims(token.expose_secret()), asking, note);
    Ok(token)
}

fn see_claims(claims: Option<Claims>, asking: &Asking<'_>, note: &mut Note) {
    let Some(claims) = claims else {
        note.see(seen::TOKEN_KIND, "opaque");
        note.see(seen::TOKEN_SUFFICES, "unknown");
        return;
    };
    note.see(seen::TOKEN_KIND, "jwt");
    note.see(seen::TOKEN_ISSUER, &claims.issuer);
    note.see(seen::TOKEN_SUBJECT, &claims.subject);
    for audience in claims.audience.iter().take(8) {
        note.see(seen::TOKEN_AUDIENCE, audience);
    }
    let times = [
        (seen::TOKEN_EXPIRES, claims.expires),
        (seen::TOKEN_NOT_BEFORE, claims.not_before),
        (seen::TOKEN_ISSUED, claims.issued),
    ];
    for (name, time) in times {
        if let Some(time) = time {
            note.see(name, time);
        }
    }
    let Some(access) = claims.access else {
        note.see(seen::TOKEN_SUFFICES, "unknown");
        return;
    };
    for entry in access.iter().take(16) {
        note.see(seen::TOKEN_GRANTS, format!("{}:{}:{}", entry.kind, entry.name, entry.actions.join(",")));
    }
    let suffices = access.iter().any(|a| a.allows("repository", &asking.reference.repository(), "pull"));
    note.see(seen::TOKEN_SUFFICES, if suffices { "yes" } else { "no" });
}

/// In containerd's words, and as the token service's trouble where no answer came.
fn of_service(trouble: Trouble, kind: &str) -> Trouble {
    let no_answer = matches!(
        trouble.symptom,
        Cause::DnsNotFound
            | Cause::DnsServerFailure
            | Cause::DnsTimeout
            | Cause::NetRefused
            | Cause::NetTimeout
            | Cause::NetUnreachable
            | Cause::NetReset
            | Cause::NetEof
    );
    let symptom = if no_answer { Cause::AuthTokenEndpointUnreachable } else { trouble.symptom };
    let words = format!("failed to authorize: failed to fetch {kind} token: {}", trouble.words);
    Trouble::new(Stage::Token, symptom, words)
}
