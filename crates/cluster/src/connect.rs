//! A client for the API server: names looked up by our own resolver, nothing retried, nothing logged.

use crate::error::{ConnectError, chain, plain};
use crate::kubeconfig::Access;
use crate::resolve::Resolver;
use crate::{Options, exec, kubeconfig};
use hyper_util::client::legacy::connect::proxy::{SocksV5, Tunnel};
use hyper_util::client::legacy::connect::{Connection, HttpConnector};
use hyper_util::client::legacy::{Builder, Client as HyperClient};
use hyper_util::rt::TokioExecutor;
use kube::client::{Body, ConfigExt};
use kube::{Client, Config};
use tower::{BoxError, ServiceBuilder};

/// A connection that is ready to be asked.
pub(crate) struct Connected {
    /// The client.
    pub client: Client,
    /// The context's name.
    pub context: String,
    /// The context's namespace.
    pub namespace: String,
    /// The server's URL.
    pub server: String,
    /// The proxy on the way there, without its user.
    pub proxy: Option<String>,
}

/// Reads the kubeconfig, gets the credentials, and makes a client. Sends nothing yet.
///
/// # Errors
/// See [`ConnectError`].
pub(crate) async fn connect(options: &Options) -> Result<Connected, ConnectError> {
    let Access { mut config, context, namespace } = kubeconfig::access(options).await?;
    let credentials = |why: String| ConnectError::Credentials { context: plain(&context), why };
    exec::resolve(&mut config.auth_info, options.timeout).await.map_err(credentials)?;
    // The client's TLS takes the process's provider; without one it would have to choose. A second call changes nothing.
    let _ = rustls::crypto::aws_lc_rs::default_provider().install_default();
    let server = plain(&config.cluster_url.to_string()).trim_end_matches('/').to_owned();
    let proxy = config.proxy_url.as_ref().and_then(http::Uri::authority);
    let proxy = proxy.and_then(|a| a.as_str().rsplit('@').next()).map(plain);
    let client = client(&config, options)
        .map_err(|e| ConnectError::Unusable { context: plain(&context), why: chain(&*e) })?;
    Ok(Connected { client, context, namespace, server, proxy })
}

fn client(config: &Config, options: &Options) -> Result<Client, BoxError> {
    let mut tcp = HttpConnector::new_with_resolver(Resolver);
    tcp.enforce_http(false);
    tcp.set_connect_timeout(Some(options.timeout));
    let Some(proxy) = config.proxy_url.clone() else {
        return stack(config, tcp);
    };
    match proxy.scheme_str() {
        Some("http") => {
            let tunnel = Tunnel::new(proxy.clone(), tcp);
            stack(config, authorized(&proxy, tunnel)?)
        }
        Some("https") => {
            let tunnel = Tunnel::new(proxy.clone(), config.rustls_https_connector_with_connector(tcp)?);
            stack(config, authorized(&proxy, tunnel)?)
        }
        // The proxy looks the server's name up, as Go's net/http has it for both words
        Some("socks5" | "socks5h") => {
            let tunnel = SocksV5::new(with_port(&proxy, SOCKS_PORT)?, tcp);
            stack(
                config,
                match login(&proxy) {
                    Some((user, password)) => tunnel.with_auth(text(user), text(password)),
                    None => tunnel,
                },
            )
        }
        other => Err(format!(
            "a proxy of the kind {:?} is not supported: http, https and socks5 are",
            plain(other.unwrap_or_default())
        )
        .into()),
    }
}

/// Where a SOCKS proxy listens if its URL does not say.
const SOCKS_PORT: u16 = 1080;

fn with_port(proxy: &http::Uri, port: u16) -> Result<http::Uri, BoxError> {
    if proxy.port().is_some() {
        return Ok(proxy.clone());
    }
    let host = proxy.host().unwrap_or_default();
    Ok(http::Uri::builder()
        .scheme("socks5")
        .authority(format!("{host}:{port}"))
        .path_and_query("/")
        .build()?)
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The user and password of a proxy's URL.
fn login(proxy: &http::Uri) -> Option<(Vec<u8>, Vec<u8>)> {
    let (login, _) = proxy.authority()?.as_str().rsplit_once('@')?;
    let (user, password) = login.split_once(':').unwrap_or((login, ""));
    Some((percent_decoded(user), percent_decoded(password)))
}

/// The user and password of the proxy's URL, as a header.
fn authorized<C>(proxy: &http::Uri, tunnel: Tunnel<C>) -> Result<Tunnel<C>, BoxError> {
    use base64::Engine;
    let Some((user, password)) = login(proxy) else { return Ok(tunnel) };
    let basic = base64::engine::general_purpose::STANDARD.encode([user, password].join(&b':'));
    let mut header = http::HeaderValue::try_from(format!("Basic {basic}"))?;
    header.set_sensitive(true);
    Ok(tunnel.with_auth(header))
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = text.bytes();
    let mut out = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        let mut ahead = bytes.clone();
        let digit = |b: Option<u8>| b.and_then(|b| char::from(b).to_digit(16));
        match (byte, digit(ahead.next()), digit(ahead.next())) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).unwrap_or_default());
                bytes = ahead;
            }
            _ => out.push(byte),
        }
    }
    out
}

fn stack<C>(config: &Config, connector: C) -> Result<Client, BoxError>
where
    C: tower::Service<http::Uri> + Clone + Send + Sync + 'static,
    C::Response: Connection + hyper::rt::Read + hyper::rt::Write + Send + Unpin + 'static,
    C::Future: Send + 'static,
    C::Error: Into<BoxError>,
{
    let https = config.rustls_https_connector_with_connector(connector)?;
    let http: HyperClient<_, Body> = Builder::new(TokioExecutor::new()).build(https);
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(http);
    Ok(Client::new(service, config.default_namespace.clone()))
}

#[cfg(test)]
mod tests {
    use super::percent_decoded;

    #[test]
    fn decodes_only_whole_escapes() {
        for (text, bytes) in [("u:p%40ss", "u:p@ss"), ("100%", "100%"), ("%4", "%4"), ("%zz%41", "%zzA")] {
            assert_eq!(percent_decoded(text), bytes.as_bytes(), "{text}");
        }
    }
}
