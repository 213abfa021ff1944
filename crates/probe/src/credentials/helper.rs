//! A credential helper: the program that a docker configuration names, asked over its standard input.
//!
//! Follows docker/docker-credential-helpers `client`: `docker-credential-NAME get`, the server's address in, JSON out.

use super::{Credential, Found, Kind};
use secrecy::SecretString;
use serde::Deserialize;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::time::timeout;

/// The most that is read from a helper.
const MOST: u64 = 64 * 1024;

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Answer {
    #[serde(default)]
    username: String,
    secret: SecretString,
}

/// Asks a helper for a server's credential. `Ok(None)` where it has none; the error says why it could not be asked.
pub(super) async fn ask(name: &str, server: &str, limit: Duration) -> Result<Option<Credential>, String> {
    let program = format!("docker-credential-{name}");
    if name.is_empty() || name.contains(['/', '\\', '\0']) {
        return Err("the name of the helper is no program's name".to_owned());
    }
    match timeout(limit, run(&program, server)).await {
        Ok(answer) => answer,
        Err(_) => Err(format!("{program} did not answer within {} s", limit.as_secs())),
    }
}

async fn run(program: &str, server: &str) -> Result<Option<Credential>, String> {
    let mut child = Command::new(program)
        .arg("get")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        // Past the deadline this is dropped, and the helper must not outlive it.
        .kill_on_drop(true)
        .spawn()
        .map_err(|e| format!("{program} cannot be started: {}", e.kind()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A helper that has no need of its input may have ended already.
        let _ = stdin.write_all(server.as_bytes()).await;
    }
    let mut output = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(MOST).read_to_end(&mut output).await.map_err(|e| format!("{program}: {}", e.kind()))?;
    }
    let status = child.wait().await.map_err(|e| format!("{program}: {}", e.kind()))?;
    if !status.success() {
        let nothing = String::from_utf8_lossy(&output).contains("credentials not found");
        return if nothing { Ok(None) } else { Err(format!("{program} failed ({status})")) };
    }
    let answer: Answer = serde_json::from_slice(&output)
        .map_err(|_| format!("{program} answered something else than a credential"))?;
    let kind = if answer.username == "<token>" { Kind::IdentityToken } else { Kind::Password };
    let found = Found { source: format!("helper {program}"), key: server.to_owned() };
    Ok(Some(Credential { user: answer.username, secret: answer.secret, kind, found }))
}
