//! Why a rung does not hold: the symptom, and the words in which a Go client would print it.

use std::io;
use std::net::SocketAddr;
use vocabulary::{Cause, Stage};

/// What went wrong on one rung.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// The rung it belongs to, which may be an earlier one than that where it showed: TLS alerts come late.
    pub(crate) stage: Stage,
    /// What the observation shows.
    pub(crate) symptom: Cause,
    /// The error in Go's words.
    pub(crate) words: String,
}

impl Trouble {
    pub(crate) fn new(stage: Stage, symptom: Cause, words: impl Into<String>) -> Self {
        Self { stage, symptom, words: words.into() }
    }

    /// With Go's `url.Error` around it: `Head "https://...": EOF`.
    pub(crate) fn asking(mut self, method: &str, url: &str) -> Self {
        self.words = format!("{} \"{url}\": {}", verb(method), self.words);
        self
    }
}

/// `HEAD` as `url.Error` writes it: `Head`.
fn verb(method: &str) -> String {
    let (first, rest) = method.split_at(method.len().min(1));
    format!("{first}{}", rest.to_ascii_lowercase())
}

/// How an attempt to connect ended, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialled {
    Connected,
    Refused,
    Unreachable,
    Reset,
    Timeout,
}

impl Dialled {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Connected => "connected",
            Self::Refused => "refused",
            Self::Unreachable => "unreachable",
            Self::Reset => "reset",
            Self::Timeout => "timeout",
        }
    }

    pub(crate) fn of(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::ConnectionRefused => Self::Refused,
            io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => Self::Reset,
            io::ErrorKind::TimedOut => Self::Timeout,
            // What remains is about the address itself: no route, no such network, not permitted, not usable.
            _ => Self::Unreachable,
        }
    }

    /// The symptom; `None` for a connection.
    pub(crate) fn symptom(self) -> Option<Cause> {
        match self {
            Self::Connected => None,
            Self::Refused => Some(Cause::NetRefused),
            Self::Unreachable => Some(Cause::NetUnreachable),
            Self::Reset => Some(Cause::NetReset),
            Self::Timeout => Some(Cause::NetTimeout),
        }
    }
}

/// The system's words for an error, as Go prints them: `connection refused`.
pub(crate) fn system_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::ConnectionRefused => "connection refused".to_owned(),
        io::ErrorKind::ConnectionReset => "connection reset by peer".to_owned(),
        io::ErrorKind::NetworkUnreachable => "network is unreachable".to_owned(),
        io::ErrorKind::HostUnreachable => "no route to host".to_owned(),
        io::ErrorKind::TimedOut => "connection timed out".to_owned(),
        io::ErrorKind::BrokenPipe => "broken pipe".to_owned(),
        _ => {
            let text = error.to_string();
            let words = text.split(" (os error").next().unwrap_or_default();
            words.chars().take(200).collect::<String>().to_lowercase()
        }
    }
}

/// A connection that broke while it was read or written.
pub(crate) fn broken(
    error: &io::Error,
    stage: Stage,
    local: Option<SocketAddr>,
    peer: SocketAddr,
) -> Trouble {
    let way = local.map_or_else(|| peer.to_string(), |local| format!("{local}->{peer}"));
    match error.kind() {
        io::ErrorKind::UnexpectedEof => Trouble::new(stage, Cause::NetEof, "EOF"),
        io::ErrorKind::ConnectionReset | io::ErrorKind::ConnectionAborted => {
            Trouble::new(stage, Cause::NetReset, format!("read tcp {way}: read: connection reset by peer"))
        }
        io::ErrorKind::BrokenPipe => {
            Trouble::new(stage, Cause::NetReset, format!("write tcp {way}: write: broken pipe"))
        }
        io::ErrorKind::TimedOut => {
            Trouble::new(stage, Cause::NetTimeout, format!("read tcp {way}: i/o timeout"))
        }
        _ => Trouble::new(
            stage,
            Cause::NetUnreachable,
            format!("read tcp {way}: read: {}", system_words(error)),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_gos() {
        let peer: SocketAddr = "192.0.2.1:443".parse().unwrap();
        let reset = broken(&io::ErrorKind::ConnectionReset.into(), Stage::Tls, None, peer);
        assert_eq!(
            reset.asking("HEAD", "https://registry.example.com/v2/").words,
            "Head \"https://registry.example.com/v2/\": read tcp 192.0.2.1:443: read: connection reset by peer"
        );
        assert_eq!(system_words(&io::Error::from_raw_os_error(101)), "network is unreachable");
        assert_eq!(Dialled::of(&io::Error::from_raw_os_error(113)), Dialled::Unreachable);
        assert_eq!(Dialled::of(&io::Error::from_raw_os_error(111)), Dialled::Refused);
    }
}
