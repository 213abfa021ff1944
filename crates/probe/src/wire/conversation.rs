//! HTTP/1.1 on one connection: one question, one answer, each bounded in time and size.
//!
//! The connection is driven by whoever asks, so that nothing runs detached and dropping it ends it. HTTP/1.1 without
//! ALPN is what containerd, Docker and the containers/image tools speak: their transports are built in a way that
//! turns HTTP/2 off.

use crate::credentials::Authorization;
use crate::origin::Origin;
use crate::trouble::{Trouble, broken};
use crate::wire::tap::{Heard, Tap, as_go_shows};
use crate::wire::tls::{Wire, alert_trouble, alert_words, rustls_error};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HOST, HeaderMap, HeaderValue, RANGE, USER_AGENT};
use http::{Method, Request};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use secrecy::{ExposeSecret, SecretString};
use std::future::{Future, poll_fn};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::{Duration, Instant};
use tokio::time::timeout;
use vocabulary::{Cause, Stage};

type Driver = Pin<Box<dyn Future<Output = hyper::Result<()>> + Send>>;

/// The most bytes of a header section.
const HEADERS: usize = 256 * 1024;

/// A connection that requests are sent on.
pub(crate) struct Conversation {
    /// Where it leads.
    pub(crate) origin: Origin,
    /// The addresses on both sides; the proxy's where one is between.
    pub(crate) local: Option<SocketAddr>,
    pub(crate) peer: SocketAddr,
    /// The value of `Proxy-Authorization`, for plain requests through a proxy, which carry the whole URL.
    pub(crate) forward: Option<Forward>,
    /// Whether a proxy is between, so that `peer` is its address.
    pub(crate) tunnelled: bool,
    /// Whether the server asked for a client certificate and got none.
    pub(crate) client_certificate_asked: bool,
    /// Headers that every request here carries, beside its own.
    pub(crate) headers: Vec<(String, SecretString)>,
    sender: http1::SendRequest<Full<Bytes>>,
    driver: Option<Driver>,
    heard: Heard,
    answered: bool,
}

/// A proxy that takes whole URLs.
#[derive(Clone)]
pub(crate) struct Forward {
    pub(crate) authorization: Option<SecretString>,
}

/// One request.
#[derive(Clone)]
pub(crate) struct Ask<'a> {
    pub(crate) method: Method,
    /// Path and query.
    pub(crate) target: &'a str,
    pub(crate) accept: Option<&'static str>,
    /// The first bytes that are wanted, this many.
    pub(crate) range: Option<u64>,
    pub(crate) authorization: Option<&'a Authorization>,
    /// A form for POST.
    pub(crate) form: Option<SecretString>,
    /// The most bytes of the body that are read.
    pub(crate) limit: usize,
}

impl<'a> Ask<'a> {
    pub(crate) fn get(target: &'a str, limit: usize) -> Self {
        Self {
            method: Method::GET,
            target,
            accept: None,
            range: None,
            authorization: None,
            form: None,
            limit,
        }
    }

    pub(crate) fn head(target: &'a str) -> Self {
        Self { method: Method::HEAD, ..Self::get(target, 0) }
    }
}

/// How a body ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// It is whole.
    Whole,
    /// The bound was reached; there was more.
    More,
    /// The connection broke in the middle.
    Cut(Trouble),
}

/// One answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) method: Method,
    /// The URL as it may be shown.
    pub(crate) url: String,
    pub(crate) status: u16,
    /// The status line's phrase, else the usual one.
    pub(crate) reason: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    pub(crate) end: End,
    /// What was sent as authorization: `none`, `basic`, `bearer`.
    pub(crate) sent: &'static str,
    /// From the request's first byte to the headers' last.
    pub(crate) took: Duration,
}

impl Answer {
    /// A header as text; bytes that are no text are replaced.
    pub(crate) fn header(&self, name: &str) -> Option<String> {
        self.headers.get(name).map(|v| String::from_utf8_lossy(v.as_bytes()).into_owned())
    }

    /// All values of a header.
    pub(crate) fn all(&self, name: &str) -> Vec<String> {
        self.headers
            .get_all(name)
            .iter()
            .map(|v| String::from_utf8_lossy(v.as_bytes()).into_owned())
            .collect()
    }

    /// `401 Unauthorized`.
    pub(crate) fn status_line(&self) -> String {
        format!("{} {}", self.status, self.reason).trim_end().to_owned()
    }

    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    pub(crate) fn is_redirect(&self) -> bool {
        matches!(self.status, 301 | 302 | 303 | 307 | 308) && self.headers.contains_key("location")
    }
}

impl Conversation {
    /// Begins to speak HTTP on a stream.
    pub(crate) async fn begin(
        wire: Wire,
        origin: Origin,
        (local, peer): (Option<SocketAddr>, SocketAddr),
    ) -> Result<Self, Trouble> {
        let (tapped, heard) = Tap::on(wire);
        let (sender, connection) = http1::Builder::new()
            .max_buf_size(HEADERS)
            .handshake(TokioIo::new(tapped))
            .await
            .map_err(|e| Trouble::new(Stage::Http, Cause::RegistryBadResponse, e.to_string()))?;
        Ok(Self {
            origin,
            local,
            peer,
            forward: None,
            tunnelled: false,
            client_certificate_asked: false,
            headers: Vec::new(),
            sender,
            driver: Some(Box::pin(connection)),
            heard,
            answered: false,
        })
    }

    /// Whether another request can be sent on it.
    pub(crate) fn is_open(&self) -> bool {
        self.driver.is_some() && !self.sender.is_closed()
    }

    /// Whether an answer came on it before: a connection that breaks then may only have been idle too long.
    pub(crate) fn has_answered(&self) -> bool {
        self.answered
    }

    /// Sends one request and reads its answer. The words of an error carry method and URL.
    pub(crate) async fn ask(&mut self, ask: Ask<'_>, limit: Duration) -> Result<Answer, Trouble> {
        let url = format!("{}{}", self.origin, ask.target);
        let url = url::Url::parse(&url).map_or(url, |u| crate::origin::shown(&u));
        let method = ask.method.clone();
        let sent = ask.authorization.map_or("none", Authorization::scheme);
        let body_limit = ask.limit;
        let request = self.request(ask).map_err(|t| t.asking(method.as_str(), &url))?;
        self.heard.forget();
        let begun = Instant::now();
        let sending = self.sender.send_request(request);
        let response = match timeout(limit, drive(&mut self.driver, sending)).await {
            Err(_) => {
                let words = "net/http: timeout awaiting response headers";
                return Err(Trouble::new(Stage::Http, Cause::NetTimeout, words).asking(method.as_str(), &url));
            }
            Ok(Err(error)) => return Err(self.failure(&error).asking(method.as_str(), &url)),
            Ok(Ok(response)) => response,
        };
        self.answered = true;
        let took = begun.elapsed();
        let (parts, incoming) = response.into_parts();
        let reason = parts.extensions.get::<hyper::ext::ReasonPhrase>().map_or_else(
            || parts.status.canonical_reason().unwrap_or_default().to_owned(),
            |phrase| String::from_utf8_lossy(phrase.as_bytes()).into_owned(),
        );
        let (body, end) = self.read(incoming, body_limit, limit).await;
        Ok(Answer {
            method,
            url,
            status: parts.status.as_u16(),
            reason,
            headers: parts.headers,
            body,
            end,
            sent,
            took,
        })
    }

    fn request(&self, ask: Ask<'_>) -> Result<Request<Full<Bytes>>, Trouble> {
        // A proxy for plain HTTP is told the whole URL.
        let target = match &self.forward {
            Some(_) => format!("{}{}", self.origin, ask.target),
            None => ask.target.to_owned(),
        };
        let mut request =
            Request::builder().method(ask.method).uri(target).header(HOST, self.origin.authority());
        request = request.header(USER_AGENT, concat!("pullproof/", env!("CARGO_PKG_VERSION")));
        if let Some(accept) = ask.accept {
            request = request.header(ACCEPT, accept);
        }
        if let Some(bytes) = ask.range {
            request = request.header(RANGE, format!("bytes=0-{}", bytes.saturating_sub(1)));
        }
        let secret = |text: &SecretString| {
            let mut value = HeaderValue::from_str(text.expose_secret()).ok()?;
            value.set_sensitive(true);
            Some(value)
        };
        let refused = || {
            Trouble::new(
                Stage::Http,
                Cause::CredentialsMalformed,
                "net/http: invalid header field value for \"Authorization\"",
            )
        };
        let is_set = |name: &str| {
            name.eq_ignore_ascii_case("host")
                || (ask.authorization.is_some() && name.eq_ignore_ascii_case("authorization"))
        };
        for (name, value) in self.headers.iter().filter(|(n, _)| !is_set(n)) {
            let invalid = || {
                let words = format!("net/http: invalid header field value for {name:?}");
                Trouble::new(Stage::Http, Cause::ConfigHostsTomlInvalid, words)
            };
            request = request.header(name, secret(value).ok_or_else(invalid)?);
        }
        if let Some(authorization) = ask.authorization {
            request = request.header(AUTHORIZATION, secret(&authorization.value()).ok_or_else(refused)?);
        }
        if let Some(Forward { authorization: Some(value) }) = &self.forward {
            request = request.header("proxy-authorization", secret(value).ok_or_else(refused)?);
        }
        let body = match &ask.form {
            Some(form) => {
                request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded; charset=utf-8");
                Full::new(Bytes::from(form.expose_secret().to_owned()))
            }
            None => Full::default(),
        };
        request.body(body).map_err(|e| Trouble::new(Stage::Http, Cause::RegistryBadResponse, e.to_string()))
    }

    async fn read(&mut self, mut incoming: Incoming, bound: usize, limit: Duration) -> (Vec<u8>, End) {
        let mut body = Vec::new();
        let deadline = Instant::now() + limit;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match timeout(left, drive(&mut self.driver, incoming.frame())).await {
                Err(_) => {
                    let words = "context deadline exceeded (Client.Timeout or context cancellation while reading body)";
                    return (body, End::Cut(Trouble::new(Stage::Http, Cause::NetTimeout, words)));
                }
                Ok(None) => return (body, End::Whole),
                Ok(Some(Err(error))) => {
                    let mut trouble = self.failure(&error);
                    if trouble.symptom == Cause::NetEof {
                        trouble.words = "unexpected EOF".to_owned();
                    }
                    return (body, End::Cut(trouble));
                }
                Ok(Some(Ok(frame))) => {
                    let data = frame.into_data().unwrap_or_default();
                    let room = bound.saturating_sub(body.len());
                    body.extend_from_slice(data.get(..room.min(data.len())).unwrap_or_default());
                    if data.len() > room {
                        // What follows is not wanted: the connection is given up with it.
                        self.driver = None;
                        return (body, End::More);
                    }
                }
            }
        }
    }

    /// What an error of the HTTP library is in Go's words.
    fn failure(&self, error: &hyper::Error) -> Trouble {
        let mut source = std::error::Error::source(error);
        while let Some(inner) = source {
            if let Some(io) = inner.downcast_ref::<std::io::Error>() {
                if let Some(rustls::Error::AlertReceived(alert)) = rustls_error(io) {
                    return alert_trouble(alert_words(*alert), self.client_certificate_asked);
                }
                return broken(io, Stage::Http, self.local, self.peer);
            }
            source = inner.source();
        }
        let begin = self.heard.begin();
        if error.is_parse() || error.is_parse_status() {
            let symptom = match begin.first() {
                // A TLS record: the port speaks TLS, and plain HTTP was sent.
                Some(20..=24) => Cause::TlsHttpsRequired,
                _ => Cause::RegistryBadResponse,
            };
            let words = format!(
                "net/http: HTTP/1.x transport connection broken: malformed HTTP response \"{}\"",
                as_go_shows(&begin)
            );
            return Trouble::new(Stage::Http, symptom, words);
        }
        if begin.is_empty() {
            Trouble::new(Stage::Http, Cause::NetEof, "EOF")
        } else {
            Trouble::new(Stage::Http, Cause::NetEof, "unexpected EOF")
        }
    }
}

/// Polls the connection beside a future that needs it.
async fn drive<T>(driver: &mut Option<Driver>, wanted: impl Future<Output = T>) -> T {
    let mut wanted = pin!(wanted);
    poll_fn(|cx| {
        if let Some(connection) = driver
            && connection.as_mut().poll(cx).is_ready()
        {
            *driver = None;
        }
        match wanted.as_mut().poll(cx) {
            Poll::Ready(value) => Poll::Ready(value),
            Poll::Pending => {
                // The request may just have been queued: the connection has to see it.
                if let Some(connection) = driver
                    && connection.as_mut().poll(cx).is_ready()
                {
                    *driver = None;
                    return wanted.as_mut().poll(cx);
                }
                Poll::Pending
            }
        }
    })
    .await
}
