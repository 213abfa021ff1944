//! One gRPC connection over a unix socket: unary calls, each with a deadline and a bound. No reconnects, no retries: a
//! socket that does not answer is the fact that is wanted.

use crate::system;
use http::{HeaderMap, Request};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http2::{self, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use prost::Message;
use prost::bytes::{Buf, BufMut, Bytes, BytesMut};
use std::path::Path;
use std::time::Duration;
use tokio::task::JoinHandle;

/// At most this many bytes of an answer are read: a node with ten thousand images has five million.
const MOST: usize = 32 << 20;
/// At most this many characters of an error are kept: an error of a pull names every endpoint.
const WORDS: usize = 8_000;

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// No answer within the deadline.
    #[error("no answer within {0:?}")]
    Silent(Duration),
    /// The socket could not be opened.
    #[error("{0}")]
    Connect(String, std::io::ErrorKind),
    /// Something answers that is no gRPC server.
    #[error("no gRPC server: {0}")]
    Protocol(String),
    /// The server has no such service or method.
    #[error("{0}")]
    Unimplemented(String),
    /// The server answered with another status.
    #[error("status {0}: {1}")]
    Status(i32, String),
    /// The answer is larger than is read.
    #[error("the answer is larger than {MOST} bytes")]
    TooLarge,
}

/// An open connection. The task that drives it ends with this value.
pub struct Connection {
    send: SendRequest<Full<Bytes>>,
    driver: JoinHandle<()>,
    deadline: Duration,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Connection {
    /// Opens a socket; each call then has this deadline too.
    pub async fn open(socket: &Path, deadline: Duration) -> Result<Self, Trouble> {
        let open = async {
            let stream =
                system::connect(socket).await.map_err(|e| Trouble::Connect(e.to_string(), e.kind()))?;
            let (send, connection) = http2::handshake(TokioExecutor::new(), TokioIo::new(stream))
                .await
                .map_err(|e| Trouble::Protocol(e.to_string()))?;
            let driver = tokio::spawn(async move {
                // How it ended shows in the call that was under way.
                let _ = connection.await;
            });
            Ok(Self { send, driver, deadline })
        };
        tokio::time::timeout(deadline, open).await.unwrap_or(Err(Trouble::Silent(deadline)))
    }

    /// The same connection, whose calls have this deadline.
    pub fn within(self, deadline: Duration) -> Self {
        let mut this = self;
        this.deadline = deadline;
        this
    }

    /// One unary call: `/runtime.v1.RuntimeService/Version`. `namespace` is containerd's, where it matters.
    pub async fn call<A: Message, B: Message + Default>(
        &self,
        method: &str,
        namespace: Option<&str>,
        question: &A,
    ) -> Result<B, Trouble> {
        let deadline = self.deadline;
        tokio::time::timeout(deadline, self.ask(method, namespace, question))
            .await
            .unwrap_or(Err(Trouble::Silent(deadline)))
    }

    async fn ask<A: Message, B: Message + Default>(
        &self,
        method: &str,
        namespace: Option<&str>,
        question: &A,
    ) -> Result<B, Trouble> {
        let length = u32::try_from(question.encoded_len()).map_err(|_| Trouble::TooLarge)?;
        let mut frame = BytesMut::with_capacity(5 + question.encoded_len());
        frame.put_u8(0);
        frame.put_u32(length);
        question.encode(&mut frame).map_err(|e| Trouble::Protocol(e.to_string()))?;
        let protocol = |e: &dyn std::fmt::Display| Trouble::Protocol(e.to_string());
        let mut request = Request::post(format!("http://localhost{method}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .header("user-agent", concat!("pullproof/", env!("CARGO_PKG_VERSION")));
        if let Some(namespace) = namespace {
            request = request.header("containerd-namespace", namespace);
        }
        let request = request.body(Full::new(frame.freeze())).map_err(|e| protocol(&e))?;
        let response = self.send.clone().send_request(request).await.map_err(|e| protocol(&e))?;
        if let Some(trouble) = failed(response.headers()) {
            return Err(trouble);
        }
        if response.status() != 200 {
            return Err(Trouble::Protocol(format!("HTTP status {}", response.status())));
        }
        let mut body = response.into_body();
        let mut bytes = BytesMut::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|e| protocol(&e))?;
            if let Some(trailers) = frame.trailers_ref() {
                if let Some(trouble) = failed(trailers) {
                    return Err(trouble);
                }
            } else if let Ok(data) = frame.into_data() {
                if bytes.len() + data.len() > MOST {
                    return Err(Trouble::TooLarge);
                }
                bytes.extend_from_slice(&data);
            }
        }
        decode(bytes)
    }
}

/// The message of one frame: a flag for compression, the length, the bytes.
fn decode<B: Message + Default>(mut bytes: BytesMut) -> Result<B, Trouble> {
    if bytes.len() < 5 {
        return Err(Trouble::Protocol("an answer without a message".into()));
    }
    if bytes.get_u8() != 0 {
        return Err(Trouble::Protocol("a compressed answer".into()));
    }
    let length = bytes.get_u32() as usize;
    let message = bytes.get(..length).ok_or_else(|| Trouble::Protocol("an answer that is cut".into()))?;
    B::decode(message).map_err(|e| Trouble::Protocol(e.to_string()))
}

/// What the status says, where it is not 0 (OK). 12 is UNIMPLEMENTED.
fn failed(headers: &HeaderMap) -> Option<Trouble> {
    let text = |name: &str| headers.get(name).and_then(|v| v.to_str().ok());
    let code: i32 = text("grpc-status")?.parse().unwrap_or(2);
    // Bytes beyond printable ASCII, and `%`, are written %XX. Source: gRPC's PROTOCOL-HTTP2, `Percent-Encoded`.
    let words = percent_encoding::percent_decode_str(text("grpc-message").unwrap_or_default())
        .decode_utf8_lossy()
        .chars()
        .take(WORDS)
        .collect();
    match code {
        0 => None,
        12 => Some(Trouble::Unimplemented(words)),
        code => Some(Trouble::Status(code, words)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cri::messages::Version;

    #[test]
    fn answers_that_are_none() {
        let cut = BytesMut::from(&b"\0\0\0\0\x09ab"[..]);
        assert!(matches!(decode::<Version>(cut), Err(Trouble::Protocol(_))));
        assert!(matches!(decode::<Version>(BytesMut::new()), Err(Trouble::Protocol(_))));
        let mut headers = HeaderMap::new();
        headers.insert("grpc-status", "12".parse().unwrap());
        headers.insert("grpc-message", "unknown service runtime.v1.ImageService".parse().unwrap());
        assert!(matches!(failed(&headers), Some(Trouble::Unimplemented(w)) if w.contains("ImageService")));
        headers.insert("grpc-status", "5".parse().unwrap());
        headers.insert("grpc-message", "get %22a%2525b%22: %0Anot found".parse().unwrap());
        assert_eq!(failed(&headers), Some(Trouble::Status(5, "get \"a%25b\": \nnot found".into())));
        headers.insert("grpc-status", "0".parse().unwrap());
        assert_eq!(failed(&headers), None);
    }
}
