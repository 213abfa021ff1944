//! Starting and ending: the sockets, the names that lead to them, and what a client has to know.

use crate::api;
use crate::door::{self, Door};
use crate::fault::Fault;
use crate::image::Image;
use crate::names::{self, Manner};
use crate::pki::{AUTH, BLOBS, Pki, REGISTRY};
use crate::site::{CONTROL, REPOSITORY, Site};
use crate::token::Signer;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::{TcpListener, TcpSocket, UdpSocket};
use tokio::task::JoinSet;
use vocabulary::Cause;

/// Why it could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A socket.
    #[error("opening a socket on 127.0.0.1: {0}")]
    Socket(#[from] io::Error),
    /// A certificate.
    #[error("minting a certificate: {0}")]
    Certificate(#[from] rcgen::Error),
    /// The TLS side.
    #[error("setting up TLS: {0}")]
    Tls(#[from] rustls::Error),
    /// The check of client certificates.
    #[error("setting up the check of client certificates: {0}")]
    Clients(#[from] rustls::server::VerifierBuilderError),
    /// The source of chance.
    #[error("drawing a key: the system gave no random bytes")]
    Chance,
}

/// A user and a password. The password never shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Login {
    /// The user's name.
    pub user: String,
    /// The password, drawn anew at each start.
    pub password: String,
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

/// The registry that is to be started.
#[derive(Debug)]
pub struct Registry;

/// A registry that runs until this value is dropped.
#[derive(Debug)]
pub struct Running {
    /// What is broken.
    pub fault: Fault,
    /// Where the registry listens, or would.
    pub address: SocketAddr,
    /// Its name and port, as images name it.
    pub host: String,
    /// The image to pull.
    pub image: String,
    /// Another image of the same registry, which the same credentials can pull; for faults of one repository.
    pub control_image: Option<String>,
    /// The roots that the client trusts, as PEM.
    pub ca_pem: String,
    /// What the client logs in with; with a wrong password where that is the fault.
    pub credentials: Option<Login>,
    /// Whether the client has to be told that the registry speaks plain HTTP, which it does not.
    pub plain_http: bool,
    /// The names that lead to loopback, as in a hosts file. Without the registry's where that is the fault.
    pub names: Vec<&'static str>,
    /// The name server to ask for all others.
    pub name_server: SocketAddr,
    _tasks: JoinSet<()>,
    /// Bound and not listening: refuses, and nobody else can take the port meanwhile.
    _kept: Vec<TcpSocket>,
}

impl Running {
    /// The cause that a diagnosis has to name; `None` where nothing is broken.
    pub const fn expected(&self) -> Option<Cause> {
        self.fault.expected()
    }

    /// The names as lines of a hosts file.
    pub fn hosts_file(&self) -> String {
        self.names.iter().map(|name| format!("127.0.0.1 {name}\n")).collect()
    }
}

impl Registry {
    /// Starts the registry with a fault, at a port that is free.
    ///
    /// # Errors
    /// When loopback gives no socket or a certificate cannot be made.
    pub async fn start(fault: Fault) -> Result<Running, StartError> {
        Self::start_at(fault, 0).await
    }

    /// The same, at this port if it is free.
    ///
    /// # Errors
    /// When loopback gives no socket or a certificate cannot be made.
    pub async fn start_at(fault: Fault, port: u16) -> Result<Running, StartError> {
        let pki = Pki::mint(fault)?;
        let mut kept = Vec::new();
        let mut closed = || -> Result<SocketAddr, StartError> {
            let socket = TcpSocket::new_v4()?;
            socket.bind(loopback(0))?;
            let address = socket.local_addr()?;
            kept.push(socket);
            Ok(address)
        };
        let (listener, address) = match fault {
            Fault::Refused => (None, closed()?),
            _ => {
                let listener = listen(port).await?;
                let address = listener.local_addr()?;
                (Some(listener), address)
            }
        };
        let (service, service_address) = match fault {
            Fault::TokenServiceDown => (None, closed()?),
            _ => {
                let listener = listen(0).await?;
                let address = listener.local_addr()?;
                (Some(listener), address)
            }
        };
        let store = closed()?;
        let name_server = UdpSocket::bind(loopback(0)).await?;
        let name_server_address = name_server.local_addr()?;

        let login = Login { user: "demo".to_owned(), password: draw_password()? };
        let host = match fault {
            Fault::AddressWithoutSan => address.to_string(),
            _ => format!("{REGISTRY}:{}", address.port()),
        };
        let site = Arc::new(Site {
            fault,
            registry: host.clone(),
            service: format!("{AUTH}:{}", service_address.port()),
            store: format!("{BLOBS}:{}", store.port()),
            image: Image::build(fault),
            control: Image::build(Fault::None),
            signer: Signer::new(fault, &draw()?),
            login: login.clone(),
        });
        let mut tasks = JoinSet::new();
        if let Some(listener) = listener {
            let site = Arc::clone(&site);
            tasks.spawn(door::serve(listener, Door::of(fault, &pki.registry), move |request| {
                let site = Arc::clone(&site);
                async move { api::registry(&site, request).await }
            }));
        }
        if let Some(listener) = service {
            let site = Arc::clone(&site);
            tasks.spawn(door::serve(listener, Door::Tls(Arc::clone(&pki.service)), move |request| {
                let site = Arc::clone(&site);
                async move { api::service(&site, &request) }
            }));
        }
        tasks.spawn(names::serve(name_server, manner(fault)));

        let tag = if fault == Fault::TagMissing { "1.4.3" } else { "1.4.2" };
        Ok(Running {
            fault,
            address,
            image: format!("{host}/{REPOSITORY}:{tag}"),
            control_image: (fault == Fault::RepositoryAs401).then(|| format!("{host}/{CONTROL}:1.4.2")),
            host,
            ca_pem: pki.trusted,
            credentials: credentials(fault, login),
            plain_http: fault == Fault::HttpsRequired,
            names: match fault {
                Fault::NameNotFound | Fault::NameServerFails | Fault::NameServerSilent => vec![AUTH, BLOBS],
                _ => vec![REGISTRY, AUTH, BLOBS],
            },
            name_server: name_server_address,
            _tasks: tasks,
            _kept: kept,
        })
    }
}

/// What the client logs in with.
fn credentials(fault: Fault, right: Login) -> Option<Login> {
    match fault {
        Fault::NoCredentials => None,
        Fault::WrongPassword => Some(Login { password: format!("{}-old", right.password), ..right }),
        _ => Some(right),
    }
}

fn manner(fault: Fault) -> Manner {
    match fault {
        Fault::NameServerFails => Manner::Fails,
        Fault::NameServerSilent => Manner::Silent,
        _ => Manner::NotFound,
    }
}

fn loopback(port: u16) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, port).into()
}

/// The port if it is free, else any.
async fn listen(port: u16) -> io::Result<TcpListener> {
    match TcpListener::bind(loopback(port)).await {
        Err(_) if port != 0 => TcpListener::bind(loopback(0)).await,
        other => other,
    }
}

fn draw<const N: usize>() -> Result<[u8; N], StartError> {
    let mut bytes = [0; N];
    aws_lc_rs::rand::fill(&mut bytes).map_err(|_| StartError::Chance)?;
    Ok(bytes)
}

fn draw_password() -> Result<String, StartError> {
    Ok(draw::<12>()?.iter().map(|byte| format!("{byte:02x}")).collect())
}
