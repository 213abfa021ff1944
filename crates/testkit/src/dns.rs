//! A name server with answers by name, for what a resolver may be found to say.

use hickory_proto::op::{Message, MessageType, ResponseCode};
use hickory_proto::rr::rdata::{A, AAAA};
use hickory_proto::rr::{RData, Record, RecordType};
use std::net::{IpAddr, SocketAddr, UdpSocket};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// What a server says of every name.
#[derive(Clone, Debug)]
pub enum Says {
    /// These addresses.
    Addresses(Vec<IpAddr>),
    /// No such name.
    NoSuchName,
    /// The name exists, without addresses.
    NoAddress,
    /// It failed.
    Failure,
    /// It refuses to answer.
    Refused,
    /// Bytes that are no DNS message.
    Garbage,
    /// Nothing.
    Silence,
}

/// A running name server.
pub struct NameServer {
    /// Its port.
    pub port: u16,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl NameServer {
    /// Starts one at this loopback address, on this port or on any.
    pub fn start(address: IpAddr, port: u16, says: Says) -> Self {
        let socket = UdpSocket::bind(SocketAddr::new(address, port)).expect("a loopback port");
        socket.set_read_timeout(Some(Duration::from_millis(100))).expect("a timeout");
        let port = socket.local_addr().expect("its address").port();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = std::thread::spawn(move || {
            let mut buffer = [0u8; 2048];
            while !stopped.load(Ordering::SeqCst) {
                let Ok((length, from)) = socket.recv_from(&mut buffer) else { continue };
                if let Some(answer) = answer(&buffer[..length], &says) {
                    let _ = socket.send_to(&answer, from);
                }
            }
        });
        Self { port, stop, thread: Some(thread) }
    }
}

impl Drop for NameServer {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn answer(bytes: &[u8], says: &Says) -> Option<Vec<u8>> {
    let mut message = Message::from_vec(bytes).ok()?;
    let query = message.queries.first()?.clone();
    message.metadata.message_type = MessageType::Response;
    message.metadata.recursion_available = true;
    message.additionals.clear();
    match says {
        Says::Silence => return None,
        Says::Garbage => return Some(b"this is no answer".to_vec()),
        Says::NoSuchName => message.metadata.response_code = ResponseCode::NXDomain,
        Says::Failure => message.metadata.response_code = ResponseCode::ServFail,
        Says::Refused => message.metadata.response_code = ResponseCode::Refused,
        Says::NoAddress => {}
        Says::Addresses(addresses) => {
            for address in addresses {
                let data = match (address, query.query_type()) {
                    (IpAddr::V4(v4), RecordType::A) => RData::A(A(*v4)),
                    (IpAddr::V6(v6), RecordType::AAAA) => RData::AAAA(AAAA(*v6)),
                    _ => continue,
                };
                message.answers.push(Record::from_rdata(query.name().clone(), 60, data));
            }
        }
    }
    message.to_vec().ok()
}
