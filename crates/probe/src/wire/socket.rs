//! One TCP connection to one address.

use crate::trouble::{Dialled, system_words};
use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::time::timeout;

/// How one attempt ended.
pub(crate) struct Attempt {
    pub(crate) address: SocketAddr,
    pub(crate) outcome: Dialled,
    /// Go's words after `dial tcp ADDRESS: `; empty for a connection.
    pub(crate) words: String,
    pub(crate) stream: Option<TcpStream>,
}

/// Connects to an address. Never takes a name, so that nothing here asks the C library's resolver.
pub(crate) async fn dial(address: SocketAddr, limit: Duration) -> Attempt {
    match timeout(limit, TcpStream::connect(address)).await {
        Ok(Ok(stream)) => {
            // Small requests must not wait for Nagle; failing to say so changes nothing that is observed.
            let _ = stream.set_nodelay(true);
            Attempt { address, outcome: Dialled::Connected, words: String::new(), stream: Some(stream) }
        }
        Ok(Err(error)) => failed(address, &error),
        Err(_) => {
            Attempt { address, outcome: Dialled::Timeout, words: "i/o timeout".to_owned(), stream: None }
        }
    }
}

fn failed(address: SocketAddr, error: &io::Error) -> Attempt {
    Attempt {
        address,
        outcome: Dialled::of(error),
        words: format!("connect: {}", system_words(error)),
        stream: None,
    }
}
