//! From a URL to a connection that requests can be sent on: lookup, connection, TLS, each a rung of its own.
//!
//! The registry, its token service and its blob store are all reached by this one way, each with its own rungs.

use crate::note::not_reached;
use crate::origin::Origin;
use crate::request::{Manner, Request};
use crate::rungs::{connect, dns, proxy, tls};
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::wire::conversation::{Answer, Ask, Conversation, Forward};
use crate::wire::tls::Wire;
use emulate::go::proxy::{Decision, Reason};
use facts::{Fact, Outcome, Rung, seen};
use rustls::sign::CertifiedKey;
use secrecy::SecretString;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;
use vocabulary::{Cause, Stage};

/// What every part of a climb needs.
#[derive(Clone, Copy)]
pub(crate) struct Climb<'a> {
    pub(crate) request: &'a Request,
    pub(crate) around: &'a Surroundings,
    /// The host and port that the reference names: no other sees the client certificate.
    pub(crate) own: Option<(&'a str, u16)>,
    /// How the endpoint is asked.
    pub(crate) manner: &'a Manner,
}

impl Climb<'_> {
    /// The certificate to offer there.
    fn certificate_for(&self, origin: &Origin) -> Option<Arc<CertifiedKey>> {
        // Go's client shows the one certificate of its transport to whoever asks.
        let own = self.manner.configured || self.own == Some((origin.host.as_str(), origin.port));
        self.around.client_certificate.as_ref().filter(|_| own).map(|c| Arc::clone(&c.0))
    }

    pub(crate) fn limit(&self) -> Duration {
        self.request.timeout
    }
}

/// The rungs from lookup to TLS.
pub(crate) const STAGES: [Stage; 3] = [Stage::Dns, Stage::Connect, Stage::Tls];

/// How far it went.
pub(crate) struct Reached {
    /// One rung for each of [`STAGES`].
    pub(crate) rungs: Vec<Rung>,
    /// The way, or why there is none.
    pub(crate) line: Result<Line, Trouble>,
}

/// A way to an origin that renews its connection where the peer closed it.
pub(crate) struct Line {
    pub(crate) conversation: Conversation,
}

impl Line {
    /// Sends a request. A connection that the peer has closed meanwhile is opened once more, with all checks.
    pub(crate) async fn ask(&mut self, climb: Climb<'_>, ask: Ask<'_>) -> Result<Answer, Trouble> {
        if !self.conversation.is_open() {
            self.renew(climb).await?;
        }
        let first = self.conversation.ask(ask.clone(), climb.limit()).await;
        match first {
            Err(trouble)
                if matches!(trouble.symptom, Cause::NetEof | Cause::NetReset)
                    && self.conversation.has_answered() =>
            {
                self.renew(climb).await?;
                self.conversation.ask(ask, climb.limit()).await
            }
            done => done,
        }
    }

    async fn renew(&mut self, climb: Climb<'_>) -> Result<(), Trouble> {
        let pinned = (self.conversation.forward.is_none() && !self.conversation.tunnelled)
            .then(|| self.conversation.peer.ip());
        let origin = self.conversation.origin.clone();
        let reached = reach_pinned(climb, &origin, pinned).await;
        let headers = std::mem::take(&mut self.conversation.headers);
        *self = reached.line?;
        self.conversation.headers = headers;
        Ok(())
    }
}

/// Reaches an origin. The words of a failure carry no request.
pub(crate) async fn reach(climb: Climb<'_>, origin: &Origin) -> Reached {
    reach_pinned(climb, origin, None).await
}

async fn reach_pinned(climb: Climb<'_>, origin: &Origin, pinned: Option<IpAddr>) -> Reached {
    let mut rungs = Vec::new();
    let line = ascend(climb, origin, pinned, &mut rungs).await;
    let done = rungs.len();
    rungs.extend(STAGES.iter().skip(done).map(|stage| not_reached(*stage)));
    Reached { rungs, line }
}

/// A stream on its way, and what is to be known of it.
struct Way {
    wire: Wire,
    ends: (Option<SocketAddr>, SocketAddr),
    tunnelled: bool,
    forward: Option<Forward>,
}

async fn ascend(
    climb: Climb<'_>,
    origin: &Origin,
    pinned: Option<IpAddr>,
    rungs: &mut Vec<Rung>,
) -> Result<Line, Trouble> {
    let way = connected(climb, origin, pinned, rungs).await?;
    let (ends, tunnelled, forward) = (way.ends, way.tunnelled, way.forward);
    let mut asked = false;
    let wire = if origin.https {
        let again = async || {
            let mut unseen = Vec::new();
            let pinned = pinned.or_else(|| (!tunnelled).then(|| ends.1.ip()));
            connected(climb, origin, pinned, &mut unseen).await.ok().map(|w| w.wire)
        };
        let server = tls::Server {
            host: &origin.host,
            way: ends,
            offer: climb.certificate_for(origin),
            unverified: climb.manner.unverified,
        };
        let step = tls::climb(way.wire, server, climb.around, climb.limit(), again).await;
        let trouble = trouble_of(&step.rung);
        rungs.push(step.rung);
        let secured = step.held.ok_or(trouble)?;
        asked = secured.client_certificate_asked;
        secured.wire
    } else {
        rungs.push(Rung { stage: Stage::Tls, outcome: Outcome::Skipped, took_ms: 0, seen: Vec::new() });
        way.wire
    };
    let mut conversation = Conversation::begin(wire, origin.clone(), ends).await?;
    conversation.forward = forward;
    conversation.tunnelled = tunnelled;
    conversation.client_certificate_asked = asked;
    Ok(Line { conversation })
}

async fn connected(
    climb: Climb<'_>,
    origin: &Origin,
    pinned: Option<IpAddr>,
    rungs: &mut Vec<Rung>,
) -> Result<Way, Trouble> {
    match climb.around.proxies.decide(origin.https, &origin.host, origin.port) {
        Decision::Through { variable, proxy } => {
            // The proxy looks the name up.
            rungs.push(Rung { stage: Stage::Dns, outcome: Outcome::Skipped, took_ms: 0, seen: Vec::new() });
            let step = proxy::climb(&proxy, variable, origin, climb.around, climb.limit()).await;
            let trouble = trouble_of(&step.rung);
            rungs.push(step.rung);
            let tunnel = step.held.ok_or(trouble)?;
            let authorization: Option<SecretString> = tunnel.authorization;
            Ok(Way {
                wire: tunnel.wire,
                ends: (tunnel.local, tunnel.peer),
                tunnelled: true,
                forward: tunnel.forwards.then_some(Forward { authorization }),
            })
        }
        Decision::Refused => {
            rungs.push(not_reached(Stage::Dns));
            let words = "refusing to use HTTP_PROXY value in CGI environment; see golang.org/s/cgihttpproxy";
            Err(Trouble::new(Stage::Connect, Cause::ProxyMisconfigured, words))
        }
        Decision::Direct(reason) => {
            let mut addresses = match pinned {
                Some(address) => vec![address],
                None => Vec::new(),
            };
            if addresses.is_empty() {
                let mut step =
                    dns::climb(&origin.host, climb.around, climb.request.families, climb.limit()).await;
                if let Outcome::Failed { error, .. } = &mut step.rung.outcome {
                    error.insert_str(0, "dial tcp: ");
                }
                let trouble = trouble_of(&step.rung);
                rungs.push(step.rung);
                addresses = step.held.ok_or(trouble)?;
            }
            let mut step = connect::climb(&addresses, origin.port, climb.limit()).await;
            if let Some(bypassed) = bypassed(&reason) {
                step.rung.seen.insert(0, Fact { name: seen::PROXY_BYPASSED.to_owned(), value: bypassed });
            }
            let trouble = trouble_of(&step.rung);
            rungs.push(step.rung);
            let socket = step.held.ok_or(trouble)?;
            Ok(Way {
                wire: Box::new(socket.stream),
                ends: (socket.local, socket.peer),
                tunnelled: false,
                forward: None,
            })
        }
    }
}

fn bypassed(reason: &Reason) -> Option<String> {
    match reason {
        Reason::NoneSet | Reason::Loopback => None,
        Reason::NoProxy(entry) => Some(entry.clone()),
    }
}

/// The trouble of a rung that failed; for one that did not, something that is never used.
fn trouble_of(rung: &Rung) -> Trouble {
    match &rung.outcome {
        Outcome::Failed { symptom, error } => Trouble::new(rung.stage, *symptom, error.clone()),
        Outcome::Passed | Outcome::NotReached | Outcome::Skipped => {
            Trouble::new(rung.stage, Cause::Unknown, "")
        }
    }
}

/// Puts `Head "URL": ` before the words of the rung that failed.
pub(crate) fn with_request(rungs: &mut [Rung], method: &str, url: &str) {
    for rung in rungs {
        if let Outcome::Failed { symptom, error } = &mut rung.outcome {
            let trouble = Trouble::new(rung.stage, *symptom, error.clone()).asking(method, url);
            *error = crate::note::bounded(&trouble.words);
        }
    }
}
