//! Stands before an API server in plain HTTP and cuts etcd's history whenever a list is to be gone on with.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use crate::apiserver::ApiServer;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A running one; its threads end with their connections.
pub struct Expiring {
    /// Where it listens.
    pub address: SocketAddr,
    left: Arc<AtomicUsize>,
}

impl Expiring {
    /// Before the server at `api`, whose store is at `etcd`; the history is cut `times` times.
    pub fn start(api: SocketAddr, etcd: u16, times: usize) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let left = Arc::new(AtomicUsize::new(times));
        let counted = Arc::clone(&left);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let left = Arc::clone(&counted);
                // A connection that breaks is the client's matter.
                thread::spawn(move || drop(serve(client, api, etcd, &left)));
            }
        });
        Self { address, left }
    }

    /// How many times it would still cut.
    pub fn left(&self) -> usize {
        self.left.load(Ordering::SeqCst)
    }
}

/// One request and its answer.
fn serve(mut client: TcpStream, api: SocketAddr, etcd: u16, left: &AtomicUsize) -> io::Result<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && head.len() < 64 << 10 {
        client.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let goes_on = head.lines().next().is_some_and(|line| line.contains("&continue="));
    if goes_on && left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok() {
        ApiServer::cut_history(etcd);
    }
    let mut server = TcpStream::connect(api)?;
    server.write_all(head.replacen("\r\n", "\r\nConnection: close\r\n", 1).as_bytes())?;
    io::copy(&mut server, &mut client)?;
    client.shutdown(Shutdown::Both)
}
