//! A SOCKS5 proxy that leads every name to loopback, so that made-up hosts can be reached through it.

use crate::Peer;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex};

/// Whom it lets through, and what it answers.
#[derive(Clone, Copy)]
pub enum SocksRules {
    /// Everyone.
    Open,
    /// Those who know this user and password.
    Users(&'static str, &'static str),
    /// Nobody: this reply code to every request.
    Replies(u8),
}

/// A running proxy.
pub struct Socks {
    /// Its port.
    pub port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    _peer: Peer,
}

impl Socks {
    /// Starts one.
    pub fn start(rules: SocksRules) -> Self {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&asked);
        let peer = Peer::start(move |stream| {
            let _ = serve(stream, rules, &record);
        });
        Self { port: peer.port, asked, _peer: peer }
    }

    /// The hosts that were asked for, as they came.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no test panicked here").clone()
    }
}

fn bytes(stream: &mut TcpStream, count: usize) -> std::io::Result<Vec<u8>> {
    let mut all = vec![0; count];
    stream.read_exact(&mut all)?;
    Ok(all)
}

fn serve(mut stream: TcpStream, rules: SocksRules, asked: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let count = bytes(&mut stream, 2)?[1];
    let methods = bytes(&mut stream, usize::from(count))?;
    if let SocksRules::Users(user, password) = rules {
        if !methods.contains(&2) {
            return stream.write_all(&[5, 0xff]);
        }
        stream.write_all(&[5, 2])?;
        let length = bytes(&mut stream, 2)?[1];
        let given_user = bytes(&mut stream, usize::from(length))?;
        let length = bytes(&mut stream, 1)?[0];
        let given_password = bytes(&mut stream, usize::from(length))?;
        let right = given_user == user.as_bytes() && given_password == password.as_bytes();
        stream.write_all(&[1, u8::from(!right)])?;
        if !right {
            return Ok(());
        }
    } else {
        stream.write_all(&[5, 0])?;
    }
    let head = bytes(&mut stream, 4)?;
    let host = match head[3] {
        1 => bytes(&mut stream, 4)?.iter().map(u8::to_string).collect::<Vec<_>>().join("."),
        3 => {
            let length = bytes(&mut stream, 1)?[0];
            String::from_utf8_lossy(&bytes(&mut stream, usize::from(length))?).into_owned()
        }
        _ => return Ok(()),
    };
    let port = bytes(&mut stream, 2)?;
    asked.lock().expect("no test panicked here").push(host);
    let refused = |code: u8| [5, code, 0, 1, 0, 0, 0, 0, 0, 0];
    if let SocksRules::Replies(code) = rules {
        return stream.write_all(&refused(code));
    }
    let Ok(upstream) = TcpStream::connect(("127.0.0.1", u16::from_be_bytes([port[0], port[1]]))) else {
        return stream.write_all(&refused(5));
    };
    stream.write_all(&refused(0))?;
    let (mut from, mut to) = (stream.try_clone()?, upstream.try_clone()?);
    let up = std::thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        let _ = to.shutdown(Shutdown::Write);
    });
    let (mut from, mut to) = (upstream, stream);
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
    let _ = up.join();
    Ok(())
}
