//! A peer that misbehaves as no real program can be made to: one function for each connection.

use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// A listener whose connections are handed to a function, one thread each.
pub struct Peer {
    /// Its port.
    pub port: u16,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Peer {
    /// Listens on IPv4.
    pub fn start(serve: impl Fn(TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port");
        let port = listener.local_addr().expect("its address").port();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let serve = Arc::new(serve);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if stopped.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let _ = stream.set_read_timeout(Some(Duration::from_secs(60)));
                let serve = Arc::clone(&serve);
                std::thread::spawn(move || serve(stream));
            }
        });
        Self { port, stop, thread: Some(thread) }
    }

    /// Reads a request's head, up to its empty line.
    pub fn head(stream: &mut (impl Read + ?Sized)) -> String {
        let mut head = Vec::new();
        let mut byte = [0];
        while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n == 1) {
            head.push(byte[0]);
        }
        String::from_utf8_lossy(&head).into_owned()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        // Wakes the listener, which then sees that it shall stop.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A port whose queue of connections is full: the first packet of another one is dropped, as by a firewall. The
/// connections that fill it are returned, and must live as long as it is to be deaf.
pub fn deaf_port() -> (u16, Vec<TcpStream>, TcpListener) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port");
    let address = listener.local_addr().expect("its address");
    let mut filling = Vec::new();
    // Until a connection is no longer answered at once.
    while let Ok(stream) = TcpStream::connect_timeout(&address, Duration::from_millis(300)) {
        filling.push(stream);
        assert!(filling.len() < 10_000, "the queue of a listener has no end here");
    }
    (address.port(), filling, listener)
}
