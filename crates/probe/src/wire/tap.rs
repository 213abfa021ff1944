//! A stream that remembers the first bytes it received: what a peer that speaks something else said.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// How many bytes are kept.
const KEPT: usize = 256;

/// How much is handed on at once: the HTTP library takes one answer `100 Continue` after the other before it looks up, and
/// an endless row of them must not outlast a deadline.
const AT_ONCE: usize = 16 * 1024;

/// What was received.
#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Vec<u8>>>);

impl Heard {
    /// The first bytes since the last [`Heard::forget`].
    pub(crate) fn begin(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Starts anew, before the next answer.
    pub(crate) fn forget(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn hear(&self, bytes: &[u8]) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let room = KEPT.saturating_sub(kept.len()).min(bytes.len());
        kept.extend_from_slice(bytes.get(..room).unwrap_or_default());
    }
}

/// A stream and what was heard on it.
pub(crate) struct Tap<S> {
    stream: S,
    heard: Heard,
}

impl<S> Tap<S> {
    pub(crate) fn on(stream: S) -> (Self, Heard) {
        let heard = Heard::default();
        (Self { stream, heard: heard.clone() }, heard)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Tap<S> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let room = buf.remaining().min(AT_ONCE);
        let mut part = ReadBuf::new(buf.initialize_unfilled_to(room));
        let polled = Pin::new(&mut this.stream).poll_read(cx, &mut part);
        this.heard.hear(part.filled());
        let read = part.filled().len();
        buf.advance(read);
        polled
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Tap<S> {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.get_mut().stream).poll_write(cx, bytes)
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(cx)
    }
}

/// The first bytes as a Go string literal shows them, without its quotes, up to the first line's end.
pub(crate) fn as_go_shows(bytes: &[u8]) -> String {
    let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
    let mut out = String::new();
    for byte in line.strip_suffix(b"\r").unwrap_or(line) {
        match byte {
            b'"' | b'\\' => out.extend(['\\', char::from(*byte)]),
            0x20..=0x7e => out.push(char::from(*byte)),
            other => out.push_str(&format!("\\x{other:02x}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_show_as_in_go() {
        assert_eq!(as_go_shows(b"\x15\x03\x01\x00\x02"), "\\x15\\x03\\x01\\x00\\x02");
        assert_eq!(as_go_shows(b"SSH-2.0-x\r\nmore"), "SSH-2.0-x");
    }
}
