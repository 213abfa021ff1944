//! Bodies that end as they should, break off, or never end.

use hyper::body::{Body, Bytes, Frame, SizeHint};
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

/// What comes after the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The end.
    Whole,
    /// The connection breaks.
    Cut,
    /// The same bytes, again and again.
    Never,
}

/// An answer's body.
pub(crate) struct Answer {
    bytes: Bytes,
    sent: bool,
    /// Whether the writer was given the time to send what it has, which a break would take with it.
    flushed: bool,
    end: End,
}

impl Answer {
    /// Just these bytes.
    pub(crate) fn whole(bytes: impl Into<Bytes>) -> Self {
        Self { bytes: bytes.into(), sent: false, flushed: false, end: End::Whole }
    }

    /// These bytes, and then the connection breaks. The length has to be promised by a header.
    pub(crate) fn cut(bytes: impl Into<Bytes>) -> Self {
        Self { end: End::Cut, ..Self::whole(bytes) }
    }

    /// These bytes without end.
    pub(crate) fn endless(bytes: impl Into<Bytes>) -> Self {
        Self { end: End::Never, ..Self::whole(bytes) }
    }
}

impl Body for Answer {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if !self.sent {
            self.sent = self.end != End::Never;
            return Poll::Ready(Some(Ok(Frame::data(self.bytes.clone()))));
        }
        if self.end == End::Cut && !self.flushed {
            self.flushed = true;
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        Poll::Ready(match self.end {
            End::Whole | End::Never => None,
            End::Cut => Some(Err(io::ErrorKind::ConnectionAborted.into())),
        })
    }

    fn is_end_stream(&self) -> bool {
        self.end == End::Whole && (self.sent || self.bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match self.end {
            End::Whole if self.sent => SizeHint::with_exact(0),
            End::Whole => SizeHint::with_exact(self.bytes.len() as u64),
            End::Cut | End::Never => SizeHint::default(),
        }
    }
}

/// What a handler returns: it never fails, whatever it answers.
pub(crate) type Handled = Result<http::Response<Answer>, Infallible>;
