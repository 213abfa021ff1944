//! A real kube-apiserver with its etcd, on loopback, for one test. Ends with it.
//!
//! The programs are those of `lab/` (PULLPROOF_LAB, else the cache folder); without them the test is skipped, loudly, and
//! counted; where CI is set a skip is a failure.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a failure here is a failed test, and a skip is said"
)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use testkit::free_port;

/// The token of a member of system:masters.
pub const ADMIN: &str = "admin-token";
/// The same user's as a login has it: a JWT that ends in 2100, of which only its user and the server think anything.
pub const LOGIN: &str = "eyJhbGciOiJub25lIn0.eyJleHAiOjQxMDI0NDQ4MDB9.c2ln";
/// The token of a user without rights of its own.
pub const NOBODY: &str = "nobody-token";

/// A running API server.
pub struct ApiServer {
    children: Vec<Child>,
    kubectl: PathBuf,
    /// Where etcd speaks HTTP.
    etcd: u16,
    /// Its folder: kubeconfigs may be put there.
    pub dir: tempfile::TempDir,
    /// Its address.
    pub url: String,
}

impl Drop for ApiServer {
    fn drop(&mut self) {
        for child in &mut self.children {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The folder of the lab's programs, if both are there.
fn programs() -> Option<(PathBuf, PathBuf)> {
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(std::env::home_dir()?.join(".cache")));
    let lab = std::env::var_os("PULLPROOF_LAB")
        .map(PathBuf::from)
        .or_else(|| Some(cache?.join("pullproof/lab")))?;
    let (etcd, kube) = (lab.join("bin/etcd/v3"), lab.join("bin/kube-1.36"));
    (etcd.exists() && kube.join("kube-apiserver").exists() && kube.join("kubectl").exists())
        .then_some((etcd, kube))
}

/// Starts them; `None` (said and counted) where the programs are missing.
pub fn start(test: &str) -> Option<ApiServer> {
    let Some((etcd, kube)) = programs() else {
        skip(&format!("{test}: no kube-apiserver or etcd; scripts/setup lab builds them"));
        return None;
    };
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let (client, peer, secure) = (free_port(), free_port(), free_port());
    keys(dir.path());
    let log = |name: &str| Stdio::from(fs::File::create(dir.path().join(name)).unwrap());
    let etcd = Command::new(etcd)
        .args(["--data-dir", at("etcd").to_str().unwrap(), "--unsafe-no-fsync", "--log-level", "error"])
        .args(["--listen-client-urls", &format!("http://127.0.0.1:{client}")])
        .args(["--advertise-client-urls", &format!("http://127.0.0.1:{client}")])
        .args(["--listen-peer-urls", &format!("http://127.0.0.1:{peer}")])
        .args(["--initial-advertise-peer-urls", &format!("http://127.0.0.1:{peer}")])
        .args(["--initial-cluster", &format!("default=http://127.0.0.1:{peer}")])
        .stderr(log("etcd.log"))
        .spawn()
        .unwrap();
    let mut server = ApiServer {
        children: vec![etcd],
        kubectl: kube.join("kubectl"),
        etcd: client,
        url: format!("https://127.0.0.1:{secure}"),
        dir,
    };
    let at = |name: &str| server.dir.path().join(name).display().to_string();
    fs::write(
        at("tokens.csv"),
        format!("{ADMIN},admin,1,system:masters\n{LOGIN},login,3,system:masters\n{NOBODY},nobody,2\n"),
    )
    .unwrap();
    let api = Command::new(kube.join("kube-apiserver"))
        .args(["--etcd-servers", &format!("http://127.0.0.1:{client}"), "--etcd-compaction-interval", "0"])
        .args([
            "--bind-address",
            "127.0.0.1",
            "--secure-port",
            &secure.to_string(),
            "--advertise-address",
            "127.0.0.1",
        ])
        .args(["--tls-cert-file", &at("tls.crt"), "--tls-private-key-file", &at("tls.key")])
        .args(["--token-auth-file", &at("tokens.csv"), "--authorization-mode", "RBAC"])
        .args([
            "--service-cluster-ip-range",
            "10.96.0.0/16",
            "--service-account-issuer",
            "https://lab.example.com",
        ])
        .args([
            "--service-account-key-file",
            &at("sa.pub"),
            "--service-account-signing-key-file",
            &at("sa.key"),
        ])
        // pages come from etcd, whose history can be cut, and not from the server's memory of it
        .args(["--feature-gates", "ListFromCacheSnapshot=false"])
        // there is no controller that makes service accounts: pods are taken without
        .args(["--disable-admission-plugins", "ServiceAccount", "--cert-dir", &at("certs")])
        .stderr(Stdio::from(fs::File::create(at("apiserver.log")).unwrap()))
        .spawn()
        .unwrap();
    server.children.push(api);
    fs::write(server.kubeconfig_path(), server.kubeconfig(ADMIN)).unwrap();
    let end = Instant::now() + Duration::from_secs(90);
    while !server.try_kubectl(&["get", "--raw", "/readyz"], "").is_ok_and(|said| said == "ok") {
        let log = fs::read_to_string(server.dir.path().join("apiserver.log")).unwrap_or_default();
        assert!(
            Instant::now() < end,
            "kube-apiserver is not ready: {}",
            log.lines().last().unwrap_or_default()
        );
        std::thread::yield_now();
    }
    Some(server)
}

/// Says, and counts, that something was not tested.
pub fn skip(words: &str) {
    assert!(std::env::var_os("CI").is_none(), "a skip is a failure in CI: {words}");
    println!("SKIPPED {words}");
    if let Some(file) = std::env::var_os("PULLPROOF_SKIPS") {
        let mut file = fs::OpenOptions::new().append(true).open(file).unwrap();
        writeln!(file, "{words}").unwrap();
    }
}

/// A certificate authority, the server's certificate, and the key that signs service accounts' tokens.
fn keys(dir: &Path) {
    let ca_key = rcgen::KeyPair::generate().unwrap();
    let mut ca = rcgen::CertificateParams::new(Vec::new()).unwrap();
    ca.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let ca = rcgen::CertifiedIssuer::self_signed(ca, ca_key).unwrap();
    let key = rcgen::KeyPair::generate().unwrap();
    let server = rcgen::CertificateParams::new(vec!["127.0.0.1".to_owned(), "localhost".to_owned()]).unwrap();
    let server = server.signed_by(&key, &ca).unwrap();
    let signing = rcgen::KeyPair::generate().unwrap();
    for (name, text) in [
        ("ca.crt", ca.pem()),
        ("tls.crt", server.pem()),
        ("tls.key", key.serialize_pem()),
        ("sa.key", signing.serialize_pem()),
        ("sa.pub", signing.public_key_pem()),
    ] {
        fs::write(dir.join(name), text).unwrap();
    }
}

impl ApiServer {
    /// The administrator's kubeconfig.
    pub fn kubeconfig_path(&self) -> PathBuf {
        self.dir.path().join("kubeconfig")
    }

    /// A kubeconfig for a token.
    pub fn kubeconfig(&self, token: &str) -> String {
        self.kubeconfig_with(&format!("{{token: {token}}}"))
    }

    /// A kubeconfig with this `user`, as flow YAML.
    pub fn kubeconfig_with(&self, user: &str) -> String {
        format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: lab\n\
             contexts: [{{name: lab, context: {{cluster: lab, user: me, namespace: shop}}}}]\n\
             clusters: [{{name: lab, cluster: {{server: '{}', certificate-authority: ca.crt}}}}]\n\
             users: [{{name: me, user: {user}}}]\n",
            self.url
        )
    }

    /// `kubectl proxy`, which serves the API in plain HTTP, and its address.
    pub fn plainly(&mut self) -> SocketAddr {
        let mut proxy = Command::new(&self.kubectl)
            .arg("--kubeconfig")
            .arg(self.kubeconfig_path())
            .args(["proxy", "--port", "0"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        // `Starting to serve on 127.0.0.1:40123`
        BufReader::new(proxy.stdout.take().unwrap()).read_line(&mut said).unwrap();
        self.children.push(proxy);
        said.trim().rsplit(' ').next().unwrap().parse().unwrap_or_else(|_| panic!("kubectl proxy: {said}"))
    }

    /// Cuts etcd's history here and now: what was listed before cannot be gone on with.
    pub fn cut_history(etcd: u16) {
        let ask = |what: &str, body: &str| {
            let mut stream = TcpStream::connect(("127.0.0.1", etcd)).unwrap();
            let length = body.len();
            write!(
                stream,
                "POST /v3/kv/{what} HTTP/1.1\r\nHost: etcd\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
            )
            .unwrap();
            let mut said = String::new();
            stream.read_to_string(&mut said).unwrap();
            assert!(said.starts_with("HTTP/1.1 200"), "etcd: {what}: {said}");
            said
        };
        // A revision of its own, after everything that was listed: the key is `pullproof` in base64.
        let said = ask("put", "{\"key\":\"cHVsbHByb29m\",\"value\":\"\"}");
        let revision = said.split("\"revision\":\"").nth(1).and_then(|r| r.split('"').next()).unwrap();
        ask("compaction", &format!("{{\"revision\":\"{revision}\",\"physical\":true}}"));
    }

    /// Where etcd speaks HTTP.
    pub fn etcd(&self) -> u16 {
        self.etcd
    }

    /// kubectl as administrator, its standard output.
    fn try_kubectl(&self, args: &[&str], input: &str) -> Result<String, String> {
        let mut child = Command::new(&self.kubectl)
            .arg("--kubeconfig")
            .arg(self.kubeconfig_path())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
    }

    /// Creates or updates objects.
    pub fn apply(&self, objects: &str) {
        self.try_kubectl(&["apply", "--server-side", "--validate=ignore", "-f", "-"], objects).unwrap();
    }

    /// Sets a status, as a kubelet would.
    pub fn set_status(&self, namespace: &str, pod: &str, status: &str) {
        let patch = format!("{{\"status\":{status}}}");
        self.try_kubectl(
            &["-n", namespace, "patch", "pod", pod, "--subresource=status", "--type=merge", "-p", &patch],
            "",
        )
        .unwrap();
    }

    /// kubectl, which must succeed.
    pub fn kubectl(&self, args: &[&str]) -> String {
        self.try_kubectl(args, "").unwrap()
    }
}
