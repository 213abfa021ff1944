//! A proxy that connects to whatever it is asked for, and remembers how it was asked.

#![allow(clippy::unwrap_used, reason = "a failure here is a failed test")]

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A running one; its threads end with their connections.
pub struct Relay {
    /// Where it listens.
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Relay {
    /// Starts one on loopback.
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&asked);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let seen = Arc::clone(&seen);
                // A connection that breaks is the client's matter.
                thread::spawn(move || drop(serve(client, &seen)));
            }
        });
        Self { address, asked }
    }

    /// The heads of the requests so far.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(mut client: TcpStream, asked: &Mutex<Vec<String>>) -> io::Result<()> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") && head.len() < 16 << 10 {
        client.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let to = head.split(' ').nth(1).unwrap_or_default().to_owned();
    asked.lock().unwrap().push(head);
    let mut server = TcpStream::connect(to)?;
    client.write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")?;
    let (mut up, mut down) = (client.try_clone()?, server.try_clone()?);
    let back = thread::spawn(move || {
        let _ = io::copy(&mut down, &mut client);
        let _ = client.shutdown(Shutdown::Both);
    });
    let _ = io::copy(&mut up, &mut server);
    let _ = server.shutdown(Shutdown::Both);
    let _ = back.join();
    Ok(())
}
