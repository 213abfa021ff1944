//! A pull by hand against the registry that has no fault, and what every fault has in common.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

use base64::Engine;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Empty};
use hyper::body::Bytes;
use hyper_util::rt::TokioIo;
use registry::{Fault, Login, Registry, Running};
use rustls::pki_types::ServerName;
use rustls::pki_types::pem::PemObject;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// One request over a connection of its own.
async fn ask(running: &Running, url: &str, method: Method, authorization: Option<&str>) -> Response<Bytes> {
    let rest = url.strip_prefix("https://").unwrap();
    let (authority, path) = rest.split_once('/').unwrap();
    let (name, port) = authority.rsplit_once(':').unwrap();
    let mut roots = rustls::RootCertStore::empty();
    roots.add(rustls::pki_types::CertificateDer::from_pem_slice(running.ca_pem.as_bytes()).unwrap()).unwrap();
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let stream =
        TcpStream::connect(("127.0.0.1".parse::<std::net::IpAddr>().unwrap(), port.parse().unwrap()));
    let name = ServerName::try_from(name.to_owned()).unwrap();
    let tls = TlsConnector::from(Arc::new(config)).connect(name, stream.await.unwrap()).await.unwrap();
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(tls)).await.unwrap();
    let driver = tokio::spawn(connection);
    let mut request =
        Request::builder().method(method).uri(format!("/{path}")).header(header::HOST, authority);
    if let Some(authorization) = authorization {
        request = request.header(header::AUTHORIZATION, authorization);
    }
    let response = sender.send_request(request.body(Empty::<Bytes>::new()).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    driver.abort();
    Response::from_parts(parts, bytes)
}

fn json(response: &Response<Bytes>) -> serde_json::Value {
    serde_json::from_slice(response.body()).unwrap()
}

fn basic(login: &Login) -> String {
    let packed =
        base64::engine::general_purpose::STANDARD.encode(format!("{}:{}", login.user, login.password));
    format!("Basic {packed}")
}

fn digest(bytes: &[u8]) -> String {
    format!("sha256:{}", Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect::<String>())
}

#[tokio::test]
async fn an_image_can_be_pulled_from_challenge_to_layer() {
    let running = Registry::start(Fault::None).await.unwrap();
    let api = format!("https://{}/v2/", running.host);
    let refused = ask(&running, &api, Method::GET, None).await;
    assert_eq!(refused.status(), StatusCode::UNAUTHORIZED);
    let challenge = refused.headers()[header::WWW_AUTHENTICATE].to_str().unwrap();
    let realm = challenge.strip_prefix("Bearer realm=\"").unwrap().split('"').next().unwrap();

    let token = format!("{realm}?service=Example%20Registry&scope=repository%3Ateam%2Fapp%3Apull");
    let login = basic(running.credentials.as_ref().unwrap());
    let token = json(&ask(&running, &token, Method::GET, Some(&login)).await);
    let bearer = format!("Bearer {}", token["token"].as_str().unwrap());

    let manifest = format!("{api}team/app/manifests/1.4.2");
    let head = ask(&running, &manifest, Method::HEAD, Some(&bearer)).await;
    let index = ask(&running, &manifest, Method::GET, Some(&bearer)).await;
    assert_eq!(head.headers()["docker-content-digest"].to_str().unwrap(), digest(index.body()));
    assert_eq!(head.headers()[header::CONTENT_LENGTH], index.body().len().to_string().as_str());
    let index = json(&index);
    let variant = index["manifests"][0]["digest"].as_str().unwrap();
    let variant =
        json(&ask(&running, &format!("{api}team/app/manifests/{variant}"), Method::GET, Some(&bearer)).await);
    for blob in [&variant["config"]["digest"], &variant["layers"][0]["digest"]] {
        let wanted = blob.as_str().unwrap();
        let got = ask(&running, &format!("{api}team/app/blobs/{wanted}"), Method::GET, Some(&bearer)).await;
        assert_eq!(digest(got.body()), wanted);
    }
}

#[tokio::test]
async fn a_wrong_password_and_a_token_for_something_else_are_refused() {
    let running = Registry::start(Fault::None).await.unwrap();
    let wrong = Login { user: "demo".into(), password: "wrong".into() };
    let api = format!("https://{}/v2/", running.host);
    let challenge = ask(&running, &api, Method::GET, None).await;
    let challenge = challenge.headers()[header::WWW_AUTHENTICATE].to_str().unwrap().to_owned();
    let realm = challenge.strip_prefix("Bearer realm=\"").unwrap().split('"').next().unwrap();
    let token = format!("{realm}?scope=repository:team/base:pull");
    assert_eq!(
        ask(&running, &token, Method::GET, Some(&basic(&wrong))).await.status(),
        StatusCode::UNAUTHORIZED
    );
    let right = basic(running.credentials.as_ref().unwrap());
    let token = json(&ask(&running, &token, Method::GET, Some(&right)).await);
    let bearer = format!("Bearer {}", token["token"].as_str().unwrap());
    let other = ask(&running, &format!("{api}team/app/manifests/1.4.2"), Method::GET, Some(&bearer)).await;
    assert_eq!(other.status(), StatusCode::UNAUTHORIZED);
    assert!(other.headers()[header::WWW_AUTHENTICATE].to_str().unwrap().contains("insufficient_scope"));
}

#[tokio::test]
async fn every_fault_starts_on_loopback_and_shows_no_password() {
    for fault in Fault::ALL {
        let running = Registry::start(*fault).await.unwrap();
        assert!(running.address.ip().is_loopback() && running.name_server.ip().is_loopback(), "{fault}");
        assert!(running.image.starts_with(&running.host), "{fault}");
        let shown = format!("{running:?}");
        if let Some(login) = &running.credentials {
            assert!(!shown.contains(&login.password), "{fault}");
        }
    }
}

#[tokio::test]
async fn a_port_is_free_again_after_the_end() {
    let running = Registry::start(Fault::None).await.unwrap();
    let address = running.address;
    drop(running);
    // The task that holds the socket ends at its next turn.
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
}
