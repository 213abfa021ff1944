//! squid as the proxy of a company, and mitmproxy as a device that intercepts TLS.

use crate::pki::Issued;
use crate::process::{Running, start};
use crate::registry::htpasswd;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// Whom squid lets through.
#[derive(Clone, Copy)]
pub enum SquidRules<'a> {
    /// Everyone.
    Open,
    /// Those who know this user and password.
    Users(&'a str, &'a str),
    /// Nobody.
    Denied,
}

/// A running squid.
pub struct Squid {
    /// Its port.
    pub port: u16,
    _running: Running,
}

impl Squid {
    /// Starts one.
    pub fn start(rules: SquidRules<'_>) -> Self {
        Self::listening(rules, None)
    }

    /// Starts one that its clients speak TLS to (`https://` in their variable).
    pub fn over_tls(rules: SquidRules<'_>, tls: &Issued) -> Self {
        Self::listening(rules, Some(tls))
    }

    fn listening(rules: SquidRules<'_>, tls: Option<&Issued>) -> Self {
        let (running, port) = start("squid", "127.0.0.1", |folder, port| {
            // Started by root it becomes another user, who must be let in.
            std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).expect("permissions");
            let rules = match rules {
                SquidRules::Open => "http_access allow all\n".to_owned(),
                SquidRules::Denied => "http_access deny all\n".to_owned(),
                SquidRules::Users(user, password) => {
                    let file = folder.join("users");
                    std::fs::write(&file, htpasswd(user, password)).expect("a file");
                    format!(
                        "auth_param basic program /usr/lib/squid/basic_ncsa_auth {}\nauth_param basic children 1\n\
                         auth_param basic realm company\nacl known proxy_auth REQUIRED\nhttp_access allow known\n\
                         http_access deny all\n",
                        file.display()
                    )
                }
            };
            let listen = tls.map_or_else(
                || format!("http_port 127.0.0.1:{port}"),
                |tls| {
                    let both = folder.join("proxy.pem");
                    let key = std::fs::read_to_string(&tls.key).expect("a key");
                    std::fs::write(&both, format!("{}{key}", tls.pem)).expect("a file");
                    format!("https_port 127.0.0.1:{port} tls-cert={}", both.display())
                },
            );
            let text = format!(
                "{listen}\npid_filename none\ncache deny all\ncache_mem 0\naccess_log none\n\
                 cache_log {0}/cache.log\ncache_store_log none\ncoredump_dir {0}\nnetdb_filename none\npinger_enable off\n\
                 shutdown_lifetime 0 seconds\ndns_nameservers 127.0.0.1\nhosts_file {0}/hosts\n\
                visible_hostname proxy.example.com\n{rules}",
                folder.display()
            );
            std::fs::write(
                folder.join("hosts"),
                "127.0.0.1 registry.example.com auth.example.com blobs.example.com\n",
            )
            .expect("a file");
            let file = folder.join("squid.conf");
            std::fs::write(&file, text).expect("a file");
            // Its shared memory has the name of the service: each needs its own.
            vec![
                "-N".to_owned(),
                "-n".to_owned(),
                format!("s{port}"),
                "-f".to_owned(),
                file.display().to_string(),
            ]
        });
        Self { port, _running: running.asked_to_end() }
    }
}

/// A running mitmproxy, in front of one server.
pub struct Interceptor {
    /// Its port.
    pub port: u16,
    running: Running,
}

impl Interceptor {
    /// Starts one that terminates TLS for `registry.example.com` with its own authority, in front of a loopback port.
    pub fn start(upstream: u16) -> Self {
        let (running, port) = start("mitmdump", "127.0.0.1", |folder, port| {
            [
                "--quiet",
                "--mode",
                &format!("reverse:https://localhost:{upstream}"),
                "--listen-host",
                "127.0.0.1",
                "--listen-port",
                &port.to_string(),
                "--ssl-insecure",
                "--set",
                &format!("confdir={}", folder.display()),
            ]
            .map(str::to_owned)
            .into()
        });
        Self { port, running }
    }

    /// The certificate of its authority.
    pub fn authority(&self) -> PathBuf {
        self.running.folder.path().join("mitmproxy-ca-cert.pem")
    }
}
