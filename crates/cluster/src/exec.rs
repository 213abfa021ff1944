//! Credential plugins of a kubeconfig (`user.exec`, as EKS, GKE, AKS and OIDC logins use them).
//!
//! The client library can run them too, but without a deadline, and its error quotes what the plugin printed: that may
//! hold a token. Here the plugin has a deadline, ends with us, and only its standard error is ever repeated.
//! Contract: <https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins>.

use crate::error::plain;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kube::config::{AuthInfo, ExecConfig, ExecInteractiveMode};
use secrecy::SecretString;
use serde::Deserialize;
use std::io::IsTerminal;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, Command};

/// A person may have to log in in a browser; without a terminal nobody will.
const INTERACTIVE: Duration = Duration::from_secs(180);
/// A credential is a few kilobytes.
const OUTPUT_LIMIT: u64 = 1 << 20;

#[derive(Deserialize)]
struct ExecCredential {
    status: Option<Status>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Status {
    token: Option<SecretString>,
    client_certificate_data: Option<String>,
    client_key_data: Option<SecretString>,
}

/// Runs the plugin, if the user has one, and puts what it answers in its place.
///
/// # Errors
/// One line that says what failed, and the plugin's install hint where it has one.
pub(crate) async fn resolve(auth: &mut AuthInfo, timeout: Duration) -> Result<(), String> {
    // The library's own order: anything stated wins over a plugin
    let stated = auth.token.is_some()
        || auth.token_file.is_some()
        || (auth.username.is_some() && auth.password.is_some());
    let Some(exec) = auth.exec.take().filter(|_| !stated) else {
        return Ok(());
    };
    let status = run(&exec, timeout).await?;
    match (status.client_certificate_data, status.client_key_data) {
        (Some(certificate), Some(key)) => {
            use secrecy::ExposeSecret;
            auth.client_certificate_data = Some(STANDARD.encode(certificate));
            auth.client_key_data = Some(STANDARD.encode(key.expose_secret()).into());
        }
        (None, None) if status.token.is_none() => {
            return Err(format!("the plugin {} answered neither a token nor a certificate", name(&exec)));
        }
        _ => {}
    }
    auth.token = status.token;
    Ok(())
}

fn name(exec: &ExecConfig) -> String {
    plain(exec.command.as_deref().unwrap_or_default())
}

async fn run(exec: &ExecConfig, timeout: Duration) -> Result<Status, String> {
    let Some(program) = exec.command.as_deref().filter(|c| !c.is_empty()) else {
        return Err("the kubeconfig names a plugin without a command".to_owned());
    };
    let terminal = std::io::stdin().is_terminal();
    if exec.interactive_mode == Some(ExecInteractiveMode::Always) && !terminal {
        return Err(format!("the plugin {} wants a terminal, and standard input is none", name(exec)));
    }
    let interactive = terminal && exec.interactive_mode != Some(ExecInteractiveMode::Never);
    let info = serde_json::json!({
        "apiVersion": exec.api_version, "kind": "ExecCredential",
        "spec": { "interactive": interactive, "cluster": exec.cluster },
    });
    let mut command = Command::new(program);
    command.args(exec.args.iter().flatten()).env("KUBERNETES_EXEC_INFO", info.to_string());
    for variable in exec.env.iter().flatten() {
        if let (Some(name), Some(value)) = (variable.get("name"), variable.get("value")) {
            command.env(name, value);
        }
    }
    command.stdin(if interactive { Stdio::inherit() } else { Stdio::null() });
    command.stderr(if interactive { Stdio::inherit() } else { Stdio::piped() });
    command.stdout(Stdio::piped()).kill_on_drop(true);
    let mut child = command.spawn().map_err(|e| {
        let hint = exec.install_hint.as_deref().map(|h| format!("; {}", plain(h))).unwrap_or_default();
        format!("the plugin {} does not start: {}{hint}", name(exec), plain(&e.to_string()))
    })?;
    let limit = if interactive { INTERACTIVE.max(timeout) } else { timeout };
    let (status, answered, said) = tokio::time::timeout(limit, ended(&mut child))
        .await
        .map_err(|_| format!("the plugin {} did not answer within {} s", name(exec), limit.as_secs()))?
        .map_err(|e| format!("the plugin {} failed: {}", name(exec), plain(&e.to_string())))?;
    if answered.len() as u64 > OUTPUT_LIMIT {
        return Err(format!("the plugin {} answered more than a credential", name(exec)));
    }
    if !status.success() {
        let said = plain(&String::from_utf8_lossy(&said));
        let said = if said.is_empty() { String::new() } else { format!(": {said}") };
        return Err(format!("the plugin {} ended with {status}{said}", name(exec)));
    }
    // Some plugins answer YAML, which client-go's decoder takes too
    let answer: Option<ExecCredential> = serde_json::from_slice(&answered).ok();
    answer.and_then(|a| a.status).ok_or_else(|| {
        format!("the plugin {} answered something that is no ExecCredential with a status", name(exec))
    })
}

/// How it ended, and what it wrote: no more than the limit of either is kept, and who writes more meets a closed pipe.
async fn ended(child: &mut Child) -> std::io::Result<(ExitStatus, Vec<u8>, Vec<u8>)> {
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let (answered, said, status) = tokio::join!(bounded(stdout), bounded(stderr), child.wait());
    Ok((status?, answered?, said?))
}

async fn bounded(pipe: Option<impl AsyncRead + Unpin>) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if let Some(pipe) = pipe {
        pipe.take(OUTPUT_LIMIT + 1).read_to_end(&mut bytes).await?;
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use secrecy::ExposeSecret;

    fn plugin(script: &str) -> AuthInfo {
        let exec: ExecConfig = serde_json::from_value(serde_json::json!({
            "apiVersion": "client.authentication.k8s.io/v1", "command": "sh", "args": ["-c", script],
            "interactiveMode": "Never", "installHint": "apt install it",
        }))
        .unwrap();
        AuthInfo { exec: Some(exec), ..AuthInfo::default() }
    }

    async fn resolved(script: &str) -> Result<AuthInfo, String> {
        let mut auth = plugin(script);
        resolve(&mut auth, Duration::from_secs(5)).await.map(|()| auth)
    }

    #[tokio::test]
    async fn takes_the_token() {
        let auth = resolved(r#"echo '{"kind":"ExecCredential","status":{"token":"t0k3n"}}'"#).await.unwrap();
        assert_eq!(auth.token.unwrap().expose_secret(), "t0k3n");
        assert!(auth.exec.is_none());
    }

    #[tokio::test]
    async fn takes_a_certificate() {
        let auth =
            resolved(r#"echo '{"status":{"clientCertificateData":"C","clientKeyData":"K"}}'"#).await.unwrap();
        assert_eq!(auth.client_certificate_data.as_deref(), Some("Qw=="));
    }

    #[tokio::test]
    async fn repeats_what_went_wrong_and_never_what_was_printed() {
        let failed = resolved("echo hunter2; echo 'session expired' >&2; exit 3").await.unwrap_err();
        assert!(failed.contains("session expired") && !failed.contains("hunter2"), "{failed}");
        for garbage in
            ["echo hunter2", r#"echo '{"status":{"token":7,"x":"hunter2"}}'"#, r#"echo '{"status":{}}'"#]
        {
            let failed = resolved(garbage).await.unwrap_err();
            assert!(!failed.contains("hunter2"), "{failed}");
        }
    }

    #[tokio::test]
    async fn gives_the_hint_of_a_missing_plugin_and_has_a_deadline() {
        let mut auth = plugin("");
        if let Some(exec) = &mut auth.exec {
            exec.command = Some("/nowhere/kubelogin".into());
        }
        let failed = resolve(&mut auth, Duration::from_secs(5)).await.unwrap_err();
        assert!(failed.contains("/nowhere/kubelogin") && failed.contains("apt install it"), "{failed}");
        let endless = resolved("yes").await.unwrap_err();
        assert!(endless.contains("answered more than a credential"), "{endless}");
        let mut slow = plugin("sleep 60");
        let failed = resolve(&mut slow, Duration::from_millis(50)).await.unwrap_err();
        assert!(failed.contains("did not answer"), "{failed}");
    }
}
