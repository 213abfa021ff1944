//! What a connection meets before any request: TLS as it should be, or one of the ways in which it never comes to that.

use crate::Fault;
use crate::body::Handled;
use http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rustls::ServerConfig;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

/// The most connections at a time; the next one waits.
const MOST: usize = 64;

/// How connections are met.
#[derive(Clone)]
pub(crate) enum Door {
    /// TLS, then HTTP.
    Tls(Arc<ServerConfig>),
    /// HTTP without TLS.
    Plain,
    /// Reset as soon as the client has spoken.
    Reset,
    /// Closed as soon as the client has spoken.
    Closed,
    /// Silence.
    Silent,
    /// Another protocol, whose server speaks first.
    Banner,
    /// The alert of a server that knows none of the client's versions.
    Alert,
}

impl Door {
    /// The registry's door.
    pub(crate) fn of(fault: Fault, tls: &Arc<ServerConfig>) -> Self {
        match fault {
            Fault::Reset => Self::Reset,
            Fault::Closed => Self::Closed,
            Fault::HandshakeStalls => Self::Silent,
            Fault::PlainHttp => Self::Plain,
            Fault::NotTls => Self::Banner,
            Fault::OldTls => Self::Alert,
            _ => Self::Tls(Arc::clone(tls)),
        }
    }
}

/// Meets connections until it is dropped, which ends them all.
pub(crate) async fn serve<H, F>(listener: TcpListener, door: Door, handler: H)
where
    H: Fn(Request<Incoming>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Handled> + Send + 'static,
{
    let mut connections = JoinSet::new();
    loop {
        while connections.len() >= MOST {
            connections.join_next().await;
        }
        // What cannot be accepted is the client's to try again.
        let Ok((stream, _)) = listener.accept().await else {
            tokio::task::yield_now().await;
            continue;
        };
        // Small answers must not wait for Nagle.
        let _ = stream.set_nodelay(true);
        let (door, handler) = (door.clone(), handler.clone());
        connections.spawn(async move {
            // How a client ends a connection is its own affair.
            let _ = meet(stream, door, handler).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

async fn meet<H, F>(mut stream: TcpStream, door: Door, handler: H) -> io::Result<()>
where
    H: Fn(Request<Incoming>) -> F,
    F: Future<Output = Handled>,
{
    let mut first = [0u8; 1];
    match door {
        Door::Tls(config) => {
            // Servers of the usual kinds answer a plain request at their TLS port in plain words.
            if stream.peek(&mut first).await? == 1 && first.first().is_some_and(u8::is_ascii_uppercase) {
                return told_to_use_tls(stream).await;
            }
            talk(TlsAcceptor::from(config).accept(stream).await?, handler).await
        }
        Door::Plain => talk(stream, handler).await,
        Door::Reset => {
            stream.peek(&mut first).await?;
            stream.set_zero_linger()
        }
        Door::Closed => {
            read_something(&mut stream).await?;
            stream.shutdown().await
        }
        Door::Silent => std::future::pending().await,
        Door::Banner => {
            stream.write_all(b"SSH-2.0-OpenSSH_9.6\r\n").await?;
            read_to_the_end(&mut stream).await
        }
        Door::Alert => {
            read_something(&mut stream).await?;
            // A record of type alert, fatal, protocol_version (RFC 8446, 6).
            stream.write_all(&[21, 3, 3, 0, 2, 2, 70]).await?;
            read_to_the_end(&mut stream).await
        }
    }
}

async fn talk<S, H, F>(stream: S, handler: H) -> io::Result<()>
where
    S: AsyncRead + AsyncWrite + Unpin,
    H: Fn(Request<Incoming>) -> F,
    F: Future<Output = Handled>,
{
    let service = service_fn(handler);
    http1::Builder::new().serve_connection(TokioIo::new(stream), service).await.map_err(io::Error::other)
}

async fn told_to_use_tls(mut stream: TcpStream) -> io::Result<()> {
    read_something(&mut stream).await?;
    let words = "Client sent an HTTP request to an HTTPS server.\n";
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{words}",
        words.len()
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await
}

/// Takes what the client sends first: closing with bytes unread would be a reset.
async fn read_something(stream: &mut TcpStream) -> io::Result<()> {
    let mut bytes = vec![0u8; 16 * 1024];
    stream.read(&mut bytes).await.map(drop)
}

async fn read_to_the_end(stream: &mut TcpStream) -> io::Result<()> {
    let mut bytes = vec![0u8; 16 * 1024];
    while stream.read(&mut bytes).await? > 0 {}
    Ok(())
}
