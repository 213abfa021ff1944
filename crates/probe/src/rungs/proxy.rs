//! Connect, where the environment names a proxy: the proxy's own name, address and answer to CONNECT.
//!
//! Everything that fails here is the proxy's affair, never the registry's, and is said so.

use crate::credentials::basic;
use crate::note::{Note, Step};
use crate::origin::Origin;
use crate::request::Families;
use crate::rungs::socks::{self, Refused};
use crate::rungs::{connect, dns};
use crate::surroundings::Surroundings;
use crate::trouble::{Trouble, broken};
use crate::wire::tls::{self, Duplex, Hello, Wire};
use emulate::go::proxy::Proxy;
use emulate::go::x509;
use facts::{Outcome, seen};
use secrecy::{ExposeSecret, SecretString};
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;
use vocabulary::{Cause, Stage};

/// The most bytes of the proxy's answer to CONNECT.
const MOST_BYTES: usize = 64 * 1024;

/// A way through a proxy.
pub(crate) struct Tunnel {
    pub(crate) wire: Wire,
    pub(crate) local: Option<SocketAddr>,
    pub(crate) peer: SocketAddr,
    /// Whether requests are handed to the proxy whole, as plain ones are to an HTTP proxy.
    pub(crate) forwards: bool,
    /// The proxy's own credentials, for plain requests.
    pub(crate) authorization: Option<SecretString>,
}

/// Opens a way to `target` through a proxy: a tunnel for TLS, the connection itself for plain HTTP.
pub(crate) async fn climb(
    proxy: &Proxy,
    variable: &str,
    target: &Origin,
    around: &Surroundings,
    limit: Duration,
) -> Step<Tunnel> {
    let mut note = Note::of(Stage::Connect);
    note.see(seen::PROXY, proxy);
    note.see(seen::PROXY_VARIABLE, variable);
    match open(proxy, target, around, limit, &mut note).await {
        Ok(tunnel) => note.passed(tunnel),
        Err(trouble) => note.failed(&trouble),
    }
}

async fn open(
    proxy: &Proxy,
    target: &Origin,
    around: &Surroundings,
    limit: Duration,
    note: &mut Note,
) -> Result<Tunnel, Trouble> {
    let misconfigured = |words: String| Trouble::new(Stage::Connect, Cause::ProxyMisconfigured, words);
    if let Some(problem) = &proxy.problem {
        return Err(misconfigured(format!("proxyconnect tcp: {problem}")));
    }
    let found = dns::climb(&proxy.host, around, Families::Both, limit).await;
    note.extend(found.rung.seen);
    let Some(addresses) = found.held else {
        let words =
            if let Outcome::Failed { error, .. } = found.rung.outcome { error } else { String::new() };
        return Err(Trouble::new(
            Stage::Connect,
            Cause::ProxyUnreachable,
            format!("proxyconnect tcp: dial tcp: {words}"),
        ));
    };
    let socket = connect::connect(&addresses, proxy.port, limit, note).await.map_err(|t| {
        Trouble::new(Stage::Connect, Cause::ProxyUnreachable, format!("proxyconnect tcp: {}", t.words))
    })?;
    let (local, peer) = (socket.local, socket.peer);
    let mut wire: Wire = Box::new(socket.stream);
    if proxy.scheme == "https" {
        wire = to_proxy_over_tls(wire, proxy, around, (local, peer), limit).await?;
    }
    if proxy.scheme.starts_with("socks") {
        let login = proxy.user.as_ref().map(|(user, password)| (user.as_str(), password.as_str()));
        note.see(seen::PROXY_AUTHORIZATION_SENT, if login.is_some() { "yes" } else { "no" });
        let said = timeout(limit, socks::ask(&mut wire, &target.host, target.port, login)).await;
        by_socks(said, proxy, target, (local, peer), note)?;
        return Ok(Tunnel { wire, local, peer, forwards: false, authorization: None });
    }
    let authorization =
        proxy.user.as_ref().map(|(user, password)| basic(user, &SecretString::from(password.clone())));
    note.see(seen::PROXY_AUTHORIZATION_SENT, if authorization.is_some() { "yes" } else { "no" });
    if target.https {
        let said = timeout(limit, ask(&mut wire, target, authorization.as_ref())).await;
        let answer = match said {
            Err(_) => {
                let words = format!("proxyconnect tcp: read tcp {peer}: i/o timeout");
                return Err(Trouble::new(Stage::Connect, Cause::ProxyUnreachable, words));
            }
            Ok(Err(error)) => {
                let trouble = broken(&error, Stage::Connect, local, peer);
                let words = if trouble.symptom == Cause::NetEof { "unexpected EOF" } else { &trouble.words };
                return Err(Trouble::new(Stage::Connect, Cause::ProxyUpstreamFailed, words));
            }
            Ok(Ok(answer)) => answer,
        };
        judge(&answer, note)?;
    }
    Ok(Tunnel { wire, local, peer, forwards: !target.https, authorization })
}

/// What a SOCKS5 proxy's answer comes to. Go puts the way before the words.
fn by_socks(
    said: Result<std::io::Result<Result<(), Refused>>, tokio::time::error::Elapsed>,
    proxy: &Proxy,
    target: &Origin,
    (local, peer): (Option<SocketAddr>, SocketAddr),
    note: &mut Note,
) -> Result<(), Trouble> {
    let way = format!("socks connect tcp {}:{}->{}", proxy.host, proxy.port, target.address());
    let trouble =
        |symptom, words: &str| Err(Trouble::new(Stage::Connect, symptom, format!("{way}: {words}")));
    match said {
        Ok(Ok(Ok(()))) => {
            note.see(seen::PROXY_STATUS, "succeeded");
            Ok(())
        }
        Ok(Ok(Err(refused))) => {
            note.see(seen::PROXY_STATUS, refused.words());
            let symptom = match refused {
                Refused::Login(_) => Cause::ProxyAuthRequired,
                Refused::Rules => Cause::ProxyRejected,
                Refused::Upstream(_) => Cause::ProxyUpstreamFailed,
                Refused::NotSocks(_) => Cause::ProxyMisconfigured,
            };
            trouble(symptom, &refused.words())
        }
        Ok(Err(error)) => {
            trouble(Cause::ProxyUpstreamFailed, &broken(&error, Stage::Connect, local, peer).words)
        }
        Err(_) => trouble(Cause::ProxyUnreachable, "i/o timeout"),
    }
}

async fn to_proxy_over_tls(
    wire: Wire,
    proxy: &Proxy,
    around: &Surroundings,
    way: (Option<SocketAddr>, SocketAddr),
    limit: Duration,
) -> Result<Wire, Trouble> {
    let prefixed = |t: Trouble| {
        // A proxy that speaks no TLS has the wrong scheme in its variable.
        let wrong = matches!(t.symptom, Cause::TlsNotTls | Cause::TlsHttpResponseToHttps);
        let symptom = if wrong { Cause::ProxyMisconfigured } else { t.symptom };
        Trouble::new(Stage::Connect, symptom, format!("proxyconnect tcp: {}", t.words))
    };
    let shaken = tls::handshake(wire, &proxy.host, way, Hello::AsGo(None), limit).await;
    let secured = shaken.result.map_err(prefixed)?;
    match x509::verify(&shaken.presented.chain, &around.trust().roots, &proxy.host, around.now()) {
        x509::Verdict::Accepted(_) => Ok(secured),
        x509::Verdict::Refused(refusal) => {
            Err(prefixed(Trouble::new(Stage::Connect, refusal.cause, refusal.text)))
        }
        x509::Verdict::Undecided(why) => {
            Err(prefixed(Trouble::new(Stage::Connect, Cause::TlsHandshake, why)))
        }
    }
}

/// What the proxy said to CONNECT.
struct Said {
    status: u16,
    reason: String,
    authenticate: Vec<String>,
    line: String,
}

async fn ask(
    wire: &mut Wire,
    target: &Origin,
    authorization: Option<&SecretString>,
) -> std::io::Result<Said> {
    let address = target.address();
    let mut request = format!(
        "CONNECT {address} HTTP/1.1\r\nHost: {address}\r\nUser-Agent: pullproof/{}\r\n",
        env!("CARGO_PKG_VERSION")
    );
    if let Some(value) = authorization {
        request.push_str(&format!("Proxy-Authorization: {}\r\n", value.expose_secret()));
    }
    request.push_str("\r\n");
    wire.write_all(request.as_bytes()).await?;
    let mut head = Vec::new();
    // Byte by byte, so that nothing of what the tunnel carries is swallowed.
    while !head.ends_with(b"\r\n\r\n") && !head.ends_with(b"\n\n") {
        if head.len() >= MOST_BYTES {
            return Err(std::io::ErrorKind::InvalidData.into());
        }
        head.push(byte(wire).await?);
    }
    Ok(read(&String::from_utf8_lossy(&head)))
}

async fn byte(wire: &mut (impl Duplex + ?Sized)) -> std::io::Result<u8> {
    wire.read_u8().await
}

fn read(head: &str) -> Said {
    let mut lines = head.lines();
    let line = lines.next().unwrap_or_default().to_owned();
    let mut words = line.splitn(3, ' ');
    let is_http = words.next().is_some_and(|version| version.starts_with("HTTP/"));
    let status = words.next().filter(|_| is_http).and_then(|code| code.parse().ok()).unwrap_or(0);
    let reason = words.next().unwrap_or_default().trim().to_owned();
    let authenticate = lines
        .filter_map(|l| l.split_once(':'))
        .filter(|(name, _)| name.trim().eq_ignore_ascii_case("proxy-authenticate"))
        .filter_map(|(_, value)| value.split_ascii_whitespace().next().map(str::to_owned))
        .take(8)
        .collect();
    Said { status, reason, authenticate, line }
}

fn judge(answer: &Said, note: &mut Note) -> Result<(), Trouble> {
    note.see(seen::PROXY_STATUS, &answer.line);
    for scheme in &answer.authenticate {
        note.see(seen::PROXY_AUTHENTICATE, scheme);
    }
    let symptom = match answer.status {
        200 => return Ok(()),
        407 => Cause::ProxyAuthRequired,
        500..=599 => Cause::ProxyUpstreamFailed,
        0 => Cause::ProxyMisconfigured,
        _ => Cause::ProxyRejected,
    };
    // Go prints the phrase alone.
    let words = if answer.status == 0 {
        format!("proxyconnect tcp: malformed HTTP response {:?}", answer.line)
    } else if answer.reason.is_empty() {
        "unknown status code".to_owned()
    } else {
        answer.reason.clone()
    };
    Err(Trouble::new(Stage::Connect, symptom, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_to_connect_are_told_apart() {
        for (line, symptom) in [
            ("HTTP/1.1 407 Proxy Authentication Required", Some(Cause::ProxyAuthRequired)),
            ("HTTP/1.1 403 Forbidden", Some(Cause::ProxyRejected)),
            ("HTTP/1.1 503 Service Unavailable", Some(Cause::ProxyUpstreamFailed)),
            ("HTTP/1.0 200 Connection established", None),
            ("SSH-2.0-OpenSSH_9.2", Some(Cause::ProxyMisconfigured)),
        ] {
            let said = read(&format!("{line}\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n"));
            let judged = judge(&said, &mut Note::of(Stage::Connect));
            assert_eq!(judged.err().map(|t| t.symptom), symptom, "{line}");
        }
    }
}
