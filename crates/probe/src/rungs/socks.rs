//! SOCKS5 as Go's net/http speaks it: the name goes to the proxy as it is, for `socks5` and `socks5h` alike.
//!
//! Source of flow and words: golang.org/x/net/internal/socks, and net/http/transport.go (`dialConn`), Go 1.25.

use crate::wire::tls::Wire;
use std::io;
use std::net::IpAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const VERSION: u8 = 5;
const NO_AUTHENTICATION: u8 = 0;
const PASSWORD: u8 = 2;
const NO_METHOD: u8 = 0xff;

/// How the proxy refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It wants a login, or does not accept the one that came.
    Login(&'static str),
    /// Its rules forbid the host.
    Rules,
    /// It could not reach the host: its words.
    Upstream(&'static str),
    /// It speaks something else.
    NotSocks(String),
}

impl Refused {
    /// Go's words.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Login(words) => (*words).to_owned(),
            Self::Rules => "unknown error connection not allowed by ruleset".to_owned(),
            Self::Upstream(words) => format!("unknown error {words}"),
            Self::NotSocks(words) => words.clone(),
        }
    }
}

/// Asks for a way to a host; the login is sent only where the proxy asks for one.
///
/// # Errors
/// What broke the connection; what the proxy refused is in the inner result.
pub(crate) async fn ask(
    wire: &mut Wire,
    host: &str,
    port: u16,
    login: Option<(&str, &str)>,
) -> io::Result<Result<(), Refused>> {
    let methods: &[u8] = if login.is_some() { &[NO_AUTHENTICATION, PASSWORD] } else { &[NO_AUTHENTICATION] };
    let mut hello = vec![VERSION, u8::try_from(methods.len()).unwrap_or(0)];
    hello.extend(methods);
    wire.write_all(&hello).await?;
    let version = wire.read_u8().await?;
    if version != VERSION {
        return Ok(Err(Refused::NotSocks(format!("unexpected protocol version {version}"))));
    }
    match (wire.read_u8().await?, login) {
        (NO_AUTHENTICATION, _) => {}
        (PASSWORD, Some((user, password))) => {
            if let Err(refused) = log_in(wire, user, password).await? {
                return Ok(Err(refused));
            }
        }
        (NO_METHOD, _) => return Ok(Err(Refused::Login("no acceptable authentication methods"))),
        (method, _) => {
            return Ok(Err(Refused::NotSocks(format!("unsupported authentication method {method}"))));
        }
    }
    connect(wire, host, port).await
}

/// RFC 1929.
async fn log_in(wire: &mut Wire, user: &str, password: &str) -> io::Result<Result<(), Refused>> {
    let (Ok(user_len), Ok(password_len)) = (u8::try_from(user.len()), u8::try_from(password.len())) else {
        return Ok(Err(Refused::Login("invalid username/password")));
    };
    if user_len == 0 || password_len == 0 {
        return Ok(Err(Refused::Login("invalid username/password")));
    }
    let mut request = vec![1, user_len];
    request.extend(user.as_bytes());
    request.push(password_len);
    request.extend(password.as_bytes());
    wire.write_all(&request).await?;
    let _version = wire.read_u8().await?;
    let accepted = wire.read_u8().await? == 0;
    Ok(if accepted { Ok(()) } else { Err(Refused::Login("username/password authentication failed")) })
}

/// RFC 1928, section 4 and 6.
async fn connect(wire: &mut Wire, host: &str, port: u16) -> io::Result<Result<(), Refused>> {
    let mut request = vec![VERSION, 1, 0];
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(ip)) => {
            request.push(1);
            request.extend(ip.octets());
        }
        Ok(IpAddr::V6(ip)) => {
            request.push(4);
            request.extend(ip.octets());
        }
        Err(_) => {
            let Ok(length) = u8::try_from(host.len()) else {
                return Ok(Err(Refused::NotSocks("FQDN too long".to_owned())));
            };
            request.extend([3, length]);
            request.extend(host.as_bytes());
        }
    }
    request.extend(port.to_be_bytes());
    wire.write_all(&request).await?;
    let mut head = [0; 4];
    wire.read_exact(&mut head).await?;
    let [version, reply, _, kind] = head;
    if version != VERSION {
        return Ok(Err(Refused::NotSocks(format!("unexpected protocol version {version}"))));
    }
    if let Some(refused) = refusal(reply) {
        return Ok(Err(refused));
    }
    let length = match kind {
        1 => 4,
        4 => 16,
        3 => usize::from(wire.read_u8().await?),
        other => return Ok(Err(Refused::NotSocks(format!("unknown address type {other}")))),
    };
    let mut bound = [0; 255 + 2];
    let Some(bound) = bound.get_mut(..length + 2) else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    wire.read_exact(bound).await?;
    Ok(Ok(()))
}

fn refusal(reply: u8) -> Option<Refused> {
    Some(match reply {
        0 => return None,
        1 => Refused::Upstream("general SOCKS server failure"),
        2 => Refused::Rules,
        3 => Refused::Upstream("network unreachable"),
        4 => Refused::Upstream("host unreachable"),
        5 => Refused::Upstream("connection refused"),
        6 => Refused::Upstream("TTL expired"),
        7 => Refused::NotSocks("unknown error command not supported".to_owned()),
        8 => Refused::NotSocks("unknown error address type not supported".to_owned()),
        other => Refused::NotSocks(format!("unknown error unknown code: {other}")),
    })
}
