//! The API server's name into addresses.
//!
//! `getaddrinfo` in a static glibc binary loads NSS modules at run time, and a mismatch crashes (rust-lang/rust 100711).
//! On Linux /etc/hosts and the name servers of /etc/resolv.conf are read instead; elsewhere the system is asked.

use hyper_util::client::legacy::connect::dns::Name;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};

/// A resolver for the HTTP connector.
#[derive(Clone)]
pub(crate) struct Resolver;

impl tower::Service<Name> for Resolver {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, io::Error>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), io::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        Box::pin(async move { look_up(name.as_str()).await.map(Vec::into_iter) })
    }
}

#[cfg(target_os = "linux")]
async fn look_up(name: &str) -> io::Result<Vec<SocketAddr>> {
    // The connector sets the port
    if name.eq_ignore_ascii_case("localhost") {
        return Ok(vec![([127, 0, 0, 1], 0).into(), ([0u16, 0, 0, 0, 0, 0, 0, 1], 0).into()]);
    }
    let resolver = hickory_resolver::TokioResolver::builder_tokio()
        .and_then(|b| b.build())
        .map_err(|e| io::Error::other(format!("cannot read /etc/resolv.conf: {e}")))?;
    match resolver.lookup_ip(name).await {
        Ok(found) => Ok(found.iter().map(|address| SocketAddr::new(address, 0)).collect()),
        Err(e) => Err(io::Error::other(format!("cannot look up {name}: {e}"))),
    }
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::disallowed_methods, reason = "only a static glibc binary must not ask the system")]
async fn look_up(name: &str) -> io::Result<Vec<SocketAddr>> {
    tokio::net::lookup_host((name, 0)).await.map(Iterator::collect)
}
