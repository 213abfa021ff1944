//! What a climb is for, and within which bounds.

use crate::origin::Origin;
use facts::Vantage;
use formats::manifest::Platform;
use secrecy::SecretString;
use std::time::Duration;

/// One image to climb for.
#[derive(Clone, Debug)]
pub struct Request {
    /// The reference, verbatim.
    pub image: String,
    /// Where to ask, in order; empty for the registry that the reference names.
    pub endpoints: Vec<Endpoint>,
    /// The platform that the image must have.
    pub platform: Platform,
    /// How long any one step may take: a lookup, a connection, a handshake, an answer.
    pub timeout: Duration,
    /// Whether the registry speaks plain HTTP. Without it, only loopback is tried in plain, after TLS was answered with
    /// HTTP, as Docker and containerd do.
    pub plain_http: bool,
    /// Hosts to which a token realm may point although they are loopback, link-local or plain HTTP.
    pub realms: Vec<String>,
    /// Which addresses are used.
    pub families: Families,
    /// Whether blobs are asked for.
    pub blobs: bool,
    /// Who climbs.
    pub vantage: Vantage,
}

/// The address families that are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Families {
    /// Both, as the system has them.
    #[default]
    Both,
    /// IPv4 only.
    V4,
    /// IPv6 only.
    V6,
}

/// One URL that a client would try for an image, where it is not the reference's own.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Scheme, host and port.
    pub origin: Origin,
    /// The path below which the API lives, without a trailing slash: `/v2`.
    pub api_path: String,
    /// The registry's name as a mirror is told it (`ns=`); `None` for the registry itself.
    pub namespace: Option<String>,
    /// How it is asked.
    pub manner: Manner,
}

/// What an emulated client's configuration says of how one endpoint is asked.
#[derive(Clone, Debug, Default)]
pub struct Manner {
    /// Whether it stands in that configuration: it and the hosts that it leads to get the client certificate, and it gets
    /// the image's credentials, though the reference names another host.
    pub configured: bool,
    /// Whether certificates are not verified. No credential is sent then.
    pub unverified: bool,
    /// Whether plain HTTP follows where TLS was answered with HTTP. No credential is sent then, but to loopback.
    pub http_fallback: bool,
    /// Headers that are added, to this origin alone; their values may be secrets.
    pub headers: Vec<(String, SecretString)>,
}

impl Endpoint {
    /// The registry itself: `/v2` at this origin.
    pub fn of(origin: Origin) -> Self {
        Self { origin, api_path: "/v2".to_owned(), namespace: None, manner: Manner::default() }
    }

    /// From a URL like `https://mirror.example.com/v2`; an error where it is no http or https URL.
    pub fn parse(text: &str) -> Result<Self, RequestError> {
        let refuse = || RequestError::Endpoint(text.to_owned());
        let (origin, path) = Origin::of_endpoint(text).ok_or_else(refuse)?;
        let api_path = if path.ends_with("/v2") { path } else { format!("{path}/v2") };
        Ok(Self { origin, api_path, namespace: None, manner: Manner::default() })
    }
}

/// Why a request cannot be made of its parts.
#[derive(Debug, thiserror::Error)]
pub enum RequestError {
    /// Not an http or https URL.
    #[error(
        "reading the endpoint {0:?}: it is no http or https URL; give one like https://registry.example.com"
    )]
    Endpoint(String),
}

impl Request {
    /// The deadline and the rest as they are when nothing else is said.
    pub fn new(image: &str) -> Self {
        Self {
            image: image.to_owned(),
            endpoints: Vec::new(),
            platform: Self::own_platform(),
            timeout: Duration::from_secs(10),
            plain_http: false,
            realms: Vec::new(),
            families: Families::Both,
            blobs: true,
            vantage: Vantage { client: "pullproof".to_owned(), place: String::new() },
        }
    }

    /// This machine's, as image indexes name it; Linux, since containers are.
    fn own_platform() -> Platform {
        let architecture = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            "x86" => "386",
            "powerpc64" => "ppc64le",
            other => other,
        };
        Platform { os: "linux".to_owned(), architecture: architecture.to_owned(), variant: String::new() }
    }
}
