//! Debian's docker-registry: the real Distribution.

use crate::pki::Issued;
use crate::process::{Running, start};
use crate::programs::find;
use crate::shelf::Shelf;
use crate::token_service::TokenService;
use std::fmt::Write;
use std::process::Command;

/// How a registry asks for credentials.
#[derive(Clone, Copy)]
pub enum Auth<'a> {
    /// Not at all.
    None,
    /// Basic, for one user.
    Htpasswd(&'a str, &'a str),
    /// Tokens of this service; the realm is what the registry tells its clients.
    Token {
        /// Whose keys it trusts.
        service: &'a TokenService,
        /// Where it sends its clients.
        realm: &'a str,
    },
}

/// How a registry is started.
pub struct RegistryOptions<'a> {
    /// What it serves.
    pub shelf: &'a Shelf,
    /// Its certificate; plain HTTP without.
    pub tls: Option<&'a Issued>,
    /// Its credentials.
    pub auth: Auth<'a>,
    /// The address it listens on: `127.0.0.1` or `[::1]`.
    pub host: &'a str,
    /// More lines of its configuration.
    pub more: &'a str,
}

impl<'a> RegistryOptions<'a> {
    /// Plain HTTP on IPv4 without credentials.
    pub fn plain(shelf: &'a Shelf) -> Self {
        Self { shelf, tls: None, auth: Auth::None, host: "127.0.0.1", more: "" }
    }
}

/// A running registry.
pub struct Registry {
    /// Its port.
    pub port: u16,
    running: Running,
}

impl Registry {
    /// Starts one.
    pub fn start(options: &RegistryOptions<'_>) -> Self {
        let (running, port) = start("docker-registry", options.host, |folder, port| {
            let mut text = format!(
                "version: 0.1\nlog:\n  level: info\nstorage:\n  filesystem:\n    rootdirectory: {}\n  delete:\n    enabled: true\nhttp:\n  addr: \"{}:{port}\"\n",
                options.shelf.root().display(),
                options.host
            );
            if let Some(tls) = options.tls {
                // Copies: it reads them after it listens, when who started it may have dropped its own.
                let (certificate, key) = (folder.join("tls.crt"), folder.join("tls.key"));
                std::fs::copy(&tls.certificate, &certificate).expect("a file");
                std::fs::copy(&tls.key, &key).expect("a file");
                let _ = writeln!(
                    text,
                    "  tls:\n    certificate: {}\n    key: {}",
                    certificate.display(),
                    key.display()
                );
            }
            match options.auth {
                Auth::None => {}
                Auth::Htpasswd(user, password) => {
                    let file = folder.join("htpasswd");
                    std::fs::write(&file, htpasswd(user, password)).expect("a file");
                    let _ = writeln!(
                        text,
                        "auth:\n  htpasswd:\n    realm: example\n    path: {}",
                        file.display()
                    );
                }
                Auth::Token { service, realm } => {
                    let file = folder.join("token.crt");
                    std::fs::write(&file, service.certificate()).expect("a file");
                    let _ = writeln!(
                        text,
                        "auth:\n  token:\n    realm: {realm}\n    service: registry.example.com\n    issuer: auth.example.com\n    rootcertbundle: {}",
                        file.display()
                    );
                }
            }
            text.push_str(options.more);
            let file = folder.join("config.yml");
            std::fs::write(&file, text).expect("a file");
            vec!["serve".to_owned(), file.display().to_string()]
        });
        Self { port, running }
    }

    /// What it has logged: one line for each request among others.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.running.folder.path().join("output")).unwrap_or_default()
    }
}

/// One line of an htpasswd file.
pub(crate) fn htpasswd(user: &str, password: &str) -> String {
    let program = find("htpasswd").expect("htpasswd is not installed");
    let output = Command::new(program).args(["-nbB", user, password]).output().expect("htpasswd");
    String::from_utf8(output.stdout).expect("text")
}
