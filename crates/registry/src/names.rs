//! A name server of a few lines: it knows no name at all, fails, or keeps silent.

use std::net::SocketAddr;
use tokio::net::UdpSocket;

/// What it does with a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// The name does not exist.
    NotFound,
    /// It cannot say (SERVFAIL).
    Fails,
    /// Nothing.
    Silent,
}

/// The header's length in bytes (RFC 1035, 4.1.1).
const HEADER: usize = 12;

/// Answers until it is dropped.
pub(crate) async fn serve(socket: UdpSocket, manner: Manner) {
    let mut packet = [0u8; 512];
    loop {
        // A client that went away shows as an error of the next call; the next question comes all the same.
        let Ok((length, from)) = socket.recv_from(&mut packet).await else {
            tokio::task::yield_now().await;
            continue;
        };
        if let Some(answer) = packet.get(..length).and_then(|question| answer(question, manner)) {
            send(&socket, &answer, from).await;
        }
    }
}

async fn send(socket: &UdpSocket, answer: &[u8], to: SocketAddr) {
    // Nobody waits for an answer that cannot be sent.
    let _ = socket.send_to(answer, to).await;
}

/// The question with the answer's flags; its additional records are left out.
fn answer(question: &[u8], manner: Manner) -> Option<Vec<u8>> {
    let code = match manner {
        Manner::NotFound => 3,
        Manner::Fails => 2,
        Manner::Silent => return None,
    };
    let mut end = HEADER;
    loop {
        let length = usize::from(*question.get(end)?);
        end += 1 + length;
        if length == 0 {
            break;
        }
    }
    let asked = question.get(HEADER..end + 4)?;
    let [id1, id2, flags, ..] = question else { return None };
    // An answer, recursion desired as it was asked and available; one question, no records.
    let header = [*id1, *id2, 0x80 | (flags & 0x01), 0x80 | code, 0, 1, 0, 0, 0, 0, 0, 0];
    Some([&header, asked].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    const QUESTION: &[u8] =
        b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01\x01a\x07example\x00\x00\x01\x00\x01rest";

    #[test]
    fn the_question_comes_back_with_a_code() {
        let reply = answer(QUESTION, Manner::NotFound).unwrap();
        assert_eq!(&reply[..4], b"\x12\x34\x81\x83");
        assert_eq!(&reply[12..], b"\x01a\x07example\x00\x00\x01\x00\x01");
        assert_eq!(answer(QUESTION, Manner::Fails).unwrap()[3], 0x82);
        assert_eq!(answer(QUESTION, Manner::Silent), None);
        assert_eq!(answer(&QUESTION[..14], Manner::Fails), None);
    }
}
