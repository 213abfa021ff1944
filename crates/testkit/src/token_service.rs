//! A token service that a real registry trusts, and that can be told to be wrong.

use crate::peer::Peer;
use crate::pki::Issued;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jiff::Timestamp;
use rcgen::{CertificateParams, KeyPair, PKCS_ECDSA_P256_SHA256, SigningKey};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};

/// What its tokens say.
#[derive(Clone, Debug)]
pub struct Claims {
    /// What is granted, whatever was asked for; `None` grants what was asked.
    pub actions: Option<Vec<String>>,
    /// Seconds by which its clock is ahead.
    pub clock: i64,
    /// Who it says it is.
    pub issuer: String,
}

/// How it answers.
#[derive(Clone)]
pub struct TokenOptions<'a> {
    /// Its certificate; plain HTTP without.
    pub tls: Option<&'a Issued>,
    /// User and password that it wants; everyone is served without.
    pub user: Option<(&'a str, &'a str)>,
    /// What its tokens say.
    pub claims: Claims,
    /// An answer instead of tokens: status line, type, body.
    pub instead: Option<(&'a str, &'a str, &'a str)>,
}

impl Default for TokenOptions<'_> {
    fn default() -> Self {
        let claims = Claims { actions: None, clock: 0, issuer: "auth.example.com".to_owned() };
        Self { tls: None, user: None, claims, instead: None }
    }
}

/// A running token service.
pub struct TokenService {
    /// Its port.
    pub port: u16,
    certificate: String,
    requests: Arc<Mutex<Vec<String>>>,
    _peer: Peer,
}

struct Service {
    key: KeyPair,
    certificate: Vec<u8>,
    claims: Claims,
    user: Option<String>,
    instead: Option<(String, String, String)>,
    requests: Arc<Mutex<Vec<String>>>,
}

impl TokenService {
    /// Starts one.
    pub fn start(options: &TokenOptions<'_>) -> Self {
        let key = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).expect("a key");
        let signed = CertificateParams::new(vec!["auth.example.com".to_owned()])
            .expect("names")
            .self_signed(&key)
            .expect("a certificate");
        let certificate = signed.pem();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let service = Service {
            key,
            certificate: signed.der().to_vec(),
            claims: options.claims.clone(),
            user: options
                .user
                .map(|(user, password)| format!("Basic {}", STANDARD.encode(format!("{user}:{password}")))),
            instead: options
                .instead
                .map(|(status, kind, body)| (status.to_owned(), kind.to_owned(), body.to_owned())),
            requests: Arc::clone(&requests),
        };
        let tls = options.tls.map(|issued| Arc::new(server_config(issued)));
        let peer = Peer::start(move |stream| match &tls {
            Some(config) => {
                let Ok(connection) = ServerConnection::new(Arc::clone(config)) else { return };
                service.serve(&mut StreamOwned::new(connection, stream));
            }
            None => service.serve(&mut { stream }),
        });
        Self { port: peer.port, certificate, requests, _peer: peer }
    }

    /// The certificate with which its tokens are signed, in PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// The heads of the requests that came.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().expect("the requests").clone()
    }
}

/// A TLS server's configuration from its files.
pub(crate) fn server_config(issued: &Issued) -> ServerConfig {
    let chain: Vec<CertificateDer<'static>> = CertificateDer::pem_file_iter(&issued.certificate)
        .expect("certificates")
        .collect::<Result<_, _>>()
        .expect("certificates");
    let key = PrivateKeyDer::from_pem_file(&issued.key).expect("a key");
    ServerConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .expect("a certificate and its key")
}

impl Service {
    fn serve<S: Read + Write>(&self, stream: &mut S) {
        loop {
            let head = Peer::head(stream);
            let Some(line) = head.lines().next().filter(|l| !l.is_empty()) else { return };
            let target = line.split(' ').nth(1).unwrap_or_default().to_owned();
            self.requests.lock().expect("the requests").push(head.clone());
            let authorization = head
                .lines()
                .find_map(|l| l.split_once(": ").filter(|(n, _)| n.eq_ignore_ascii_case("authorization")));
            let known =
                self.user.as_deref().is_none_or(|user| authorization.is_some_and(|(_, value)| value == user));
            let (status, kind, body) = match &self.instead {
                Some(instead) => instead.clone(),
                None if !known => (
                    "401 Unauthorized".to_owned(),
                    "application/json".to_owned(),
                    r#"{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}"#.to_owned(),
                ),
                None => {
                    let token = self.token(&target);
                    let body = json!({ "token": token, "expires_in": 300 }).to_string();
                    ("200 OK".to_owned(), "application/json".to_owned(), body)
                }
            };
            let date = self.now().strftime("%a, %d %b %Y %H:%M:%S GMT");
            let answer = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nDate: {date}\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            );
            if stream.write_all(answer.as_bytes()).and_then(|()| stream.flush()).is_err() {
                return;
            }
        }
    }

    fn now(&self) -> Timestamp {
        Timestamp::from_second(Timestamp::now().as_second() + self.claims.clock).expect("a time")
    }

    fn token(&self, target: &str) -> String {
        let query = target.split_once('?').map(|(_, query)| query).unwrap_or_default();
        let scope = query.split('&').find_map(|p| p.strip_prefix("scope=")).unwrap_or_default();
        let scope = scope.replace("%3A", ":").replace("%2F", "/").replace("%2C", ",");
        let mut parts = scope.splitn(3, ':');
        let (kind, name, asked) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        let actions =
            self.claims.actions.clone().unwrap_or_else(|| asked.split(',').map(str::to_owned).collect());
        let access = if actions.is_empty() {
            json!([])
        } else {
            json!([{ "type": kind, "name": name, "actions": actions }])
        };
        let now = self.now().as_second();
        let claims = json!({
            "iss": self.claims.issuer, "sub": "", "aud": "registry.example.com",
            "exp": now + 300, "nbf": now - 10, "iat": now, "jti": "1", "access": access,
        });
        let header = json!({ "typ": "JWT", "alg": "ES256", "x5c": [STANDARD.encode(&self.certificate)] });
        let signed = format!(
            "{}.{}",
            URL_SAFE_NO_PAD.encode(header.to_string()),
            URL_SAFE_NO_PAD.encode(claims.to_string())
        );
        let signature = self.key.sign(signed.as_bytes()).expect("a signature");
        format!("{signed}.{}", URL_SAFE_NO_PAD.encode(raw_signature(&signature)))
    }
}

/// From the DER of an ECDSA signature to its two numbers of 32 bytes, as JWT wants them.
fn raw_signature(der: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 2;
    for _ in 0..2 {
        let length = usize::from(der[at + 1]);
        let number = &der[at + 2..at + 2 + length];
        let number = &number[number.len().saturating_sub(32)..];
        out.extend(std::iter::repeat_n(0, 32 - number.len()));
        out.extend_from_slice(number);
        at += 2 + length;
    }
    out
}

/// A TLS stream of a raw one, for peers that speak TLS and then misbehave.
pub fn accept_tls(issued: &Issued, stream: TcpStream) -> StreamOwned<ServerConnection, TcpStream> {
    let connection = ServerConnection::new(Arc::new(server_config(issued))).expect("a connection");
    StreamOwned::new(connection, stream)
}
