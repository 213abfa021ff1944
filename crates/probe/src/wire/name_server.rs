//! One question to one name server: over UDP, and over TCP where the answer is cut, as Go's resolver asks.
//!
//! The socket is connected, so that a port where nothing listens shows at once instead of as a timeout.

use crate::trouble::system_words;
use emulate::go::resolve::Reply;
use hickory_proto::op::{Edns, Message, MessageType, OpCode, Query, ResponseCode};
use hickory_proto::rr::{Name, RData, RecordType};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpStream, UdpSocket};
use tokio::time::timeout;

/// The size that Go's resolver advertises.
const PACKET: u16 = 1232;

/// An answer, and the canonical names on the way to it.
pub(crate) struct Answered {
    pub(crate) reply: Reply,
    pub(crate) canonical: Vec<String>,
}

/// Asks a server for a name's addresses of one kind, at most twice, each time within the limit.
pub(crate) async fn ask(
    server: SocketAddr,
    name: &str,
    kind: RecordType,
    only_tcp: bool,
    limit: Duration,
) -> Answered {
    let bare = |reply| Answered { reply, canonical: Vec::new() };
    let Ok(query) = question(name, kind) else { return bare(Reply::NoSuchName) };
    let Ok(bytes) = query.to_vec() else { return bare(Reply::NoSuchName) };
    let mut local = None;
    for _ in 0..2 {
        match timeout(limit, exchange(server, &query, &bytes, only_tcp, &mut local)).await {
            Err(_) => {}
            Ok(Ok(message)) => return read(&message, kind),
            Ok(Err(error)) if error.kind() == io::ErrorKind::InvalidData => return bare(Reply::Garbage),
            Ok(Err(error)) => return bare(Reply::Unasked(format!("read: {}", system_words(&error)))),
        }
    }
    bare(Reply::Timeout(local))
}

fn question(name: &str, kind: RecordType) -> Result<Message, hickory_proto::ProtoError> {
    let mut name = Name::from_str(name)?;
    name.set_fqdn(true);
    let mut message = Message::query();
    message.metadata.op_code = OpCode::Query;
    message.metadata.recursion_desired = true;
    message.add_query(Query::query(name, kind));
    let mut edns = Edns::new();
    edns.set_max_payload(PACKET);
    message.set_edns(edns);
    Ok(message)
}

async fn exchange(
    server: SocketAddr,
    query: &Message,
    bytes: &[u8],
    only_tcp: bool,
    local: &mut Option<SocketAddr>,
) -> io::Result<Message> {
    if !only_tcp {
        let any = if server.is_ipv4() {
            IpAddr::V4(Ipv4Addr::UNSPECIFIED)
        } else {
            IpAddr::V6(Ipv6Addr::UNSPECIFIED)
        };
        let socket = UdpSocket::bind(SocketAddr::new(any, 0)).await?;
        socket.connect(server).await?;
        *local = socket.local_addr().ok();
        socket.send(bytes).await?;
        let mut buffer = [0u8; 4096];
        loop {
            let length = socket.recv(&mut buffer).await?;
            let message = parsed(buffer.get(..length).unwrap_or_default())?;
            // A late or forged packet is passed over, as Go does.
            if !belongs(&message, query) {
                continue;
            }
            if !message.metadata.truncation {
                return Ok(message);
            }
            break;
        }
    }
    let mut stream = TcpStream::connect(server).await?;
    let length = u16::try_from(bytes.len()).map_err(|_| io::ErrorKind::InvalidInput)?;
    stream.write_all(&[&length.to_be_bytes(), bytes].concat()).await?;
    let length = usize::from(stream.read_u16().await?);
    let mut buffer = vec![0u8; length];
    stream.read_exact(&mut buffer).await?;
    let message = parsed(&buffer)?;
    if belongs(&message, query) { Ok(message) } else { Err(io::ErrorKind::InvalidData.into()) }
}

fn parsed(bytes: &[u8]) -> io::Result<Message> {
    Message::from_vec(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
}

fn belongs(answer: &Message, query: &Message) -> bool {
    answer.metadata.id == query.metadata.id
        && answer.metadata.message_type == MessageType::Response
        && answer.queries.first().map(|q| (q.name().to_lowercase(), q.query_type()))
            == query.queries.first().map(|q| (q.name().to_lowercase(), q.query_type()))
}

fn read(message: &Message, kind: RecordType) -> Answered {
    let mut canonical = Vec::new();
    let mut addresses = Vec::new();
    for record in message.answers.iter().take(64) {
        match &record.data {
            RData::A(a) if kind == RecordType::A => addresses.push(IpAddr::V4(a.0)),
            RData::AAAA(a) if kind == RecordType::AAAA => addresses.push(IpAddr::V6(a.0)),
            RData::CNAME(name) => canonical.push(name.0.to_string().trim_end_matches('.').to_owned()),
            _ => {}
        }
    }
    let lame = !message.metadata.authoritative
        && !message.metadata.recursion_available
        && message.answers.is_empty()
        && message.edns.is_none();
    let reply = match message.metadata.response_code {
        ResponseCode::NoError if !addresses.is_empty() => Reply::Addresses(addresses),
        ResponseCode::NoError if lame => Reply::Lame,
        ResponseCode::NoError => Reply::NoAddress,
        ResponseCode::NXDomain => Reply::NoSuchName,
        ResponseCode::ServFail => Reply::ServerFailure,
        ResponseCode::Refused => Reply::Misbehaving("REFUSED".to_owned()),
        other => Reply::Misbehaving(other.to_str().to_owned()),
    };
    Answered { reply, canonical }
}
