//! Connect: each address is tried, all at once, and the first in Go's order that answered is used.

use crate::note::{Note, Step};
use crate::rungs::together;
use crate::trouble::{Dialled, Trouble};
use crate::wire::socket::{self, Attempt};
use facts::seen;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpStream;
use vocabulary::{Cause, Stage};

/// An open connection and both its ends.
pub(crate) struct Socket {
    pub(crate) stream: TcpStream,
    pub(crate) local: Option<SocketAddr>,
    pub(crate) peer: SocketAddr,
}

/// Connects to a port of these addresses. The words of a failure begin with `dial tcp`.
pub(crate) async fn climb(addresses: &[IpAddr], port: u16, limit: Duration) -> Step<Socket> {
    let mut note = Note::of(Stage::Connect);
    match connect(addresses, port, limit, &mut note).await {
        Ok(socket) => note.passed(socket),
        Err(trouble) => note.failed(&trouble),
    }
}

/// The same for a rung that has more to do: the proxy's.
pub(crate) async fn connect(
    addresses: &[IpAddr],
    port: u16,
    limit: Duration,
    note: &mut Note,
) -> Result<Socket, Trouble> {
    let attempts = addresses.iter().map(|address| socket::dial(SocketAddr::new(*address, port), limit));
    let mut attempts = together(attempts.collect()).await;
    for attempt in &attempts {
        note.see(seen::ADDRESS, attempt.address);
        note.see(seen::ADDRESS_OUTCOME, outcome(attempt));
    }
    let best = attempts.iter_mut().find_map(|a| Some((a.address, a.stream.take()?)));
    if let Some((peer, stream)) = best {
        let local = stream.local_addr().ok();
        note.see(seen::PEER, peer);
        if let Some(local) = local {
            note.see(seen::LOCAL, local.ip());
        }
        return Ok(Socket { stream, local, peer });
    }
    if let Some(own) = attempts.first().and_then(|a| is_own(a.address)) {
        note.see(seen::OWN_ADDRESS, if own { "yes" } else { "no" });
    }
    // Go reports the first address of the preferred family.
    Err(attempts.first().map_or_else(
        || Trouble::new(Stage::Connect, Cause::NetUnreachable, "dial tcp: no address to connect to"),
        |first| {
            let symptom = first.outcome.symptom().unwrap_or(Cause::NetUnreachable);
            Trouble::new(Stage::Connect, symptom, format!("dial tcp {}: {}", first.address, first.words))
        },
    ))
}

/// Whether an address is this machine's own: the system would send to it from itself. Nothing is sent to find out.
fn is_own(address: SocketAddr) -> Option<bool> {
    let any: IpAddr =
        if address.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = std::net::UdpSocket::bind((any, 0)).ok()?;
    socket.connect(address).ok()?;
    Some(socket.local_addr().ok()?.ip() == address.ip())
}

fn outcome(attempt: &Attempt) -> String {
    match attempt.outcome {
        // What is wrong with an address differs: say it.
        Dialled::Unreachable => format!("unreachable: {}", attempt.words.trim_start_matches("connect: ")),
        other => other.word().to_owned(),
    }
}
