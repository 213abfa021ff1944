//! `pullproof node` on another machine: this program is streamed there over ssh, run once, and removed.

use crate::exit::Failure;
use anyhow::{Context, anyhow};
use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

/// No node report is larger.
const MOST: u64 = 64 << 20;

/// Runs there: takes the program from standard input into a file of its own, and removes it however it ends.
const SCRIPT: &str = "set -e; umask 077; f=$(mktemp); \
trap 'rm -f \"$f\"' EXIT; trap 'exit 130' HUP INT TERM; cat >\"$f\"; chmod 700 \"$f\"";

/// The node report, as JSON, and the status of the run there. `arguments` follow `node`.
pub fn node(host: &str, sudo: bool, arguments: &[String]) -> Result<(String, i32), Failure> {
    if host.is_empty() || host.starts_with('-') {
        return Err(Failure::Usage(format!("{host:?} is no host: give it as HOST or USER@HOST")));
    }
    let program = std::env::current_exe().context("finding this program's own file")?;
    let mut line = format!("{SCRIPT}; s=0; {}\"$f\" node -o json", if sudo { "sudo -n " } else { "" });
    for argument in arguments {
        line.push(' ');
        line.push_str(&quoted(argument));
    }
    line.push_str(" </dev/null || s=$?; exit $s");
    let mut child = Command::new("ssh")
        // It must end by itself: no questions, and no waiting for a machine that is gone.
        .args(["-o", "BatchMode=yes", "-o", "ConnectTimeout=10"])
        .args(["-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3", "--", host, &line])
        .stdin(File::open(&program).context("reading this program's own file")?)
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("running ssh to {host}"))?;
    let mut text = String::new();
    let read = match child.stdout.take() {
        Some(stdout) => stdout.take(MOST).read_to_string(&mut text),
        None => Ok(0),
    };
    let status = child.wait().with_context(|| format!("waiting for ssh to {host}"))?;
    read.with_context(|| format!("reading the node report from {host}"))?;
    match status.code() {
        Some(code @ 0..=3) if !text.is_empty() => Ok((text, code)),
        Some(126) => Err(cannot(host, "its temporary folder lets nothing run: set TMPDIR there")),
        Some(255) => Err(cannot(host, "ssh could not connect or log in: its own words stand above")),
        Some(code) => Err(cannot(
            host,
            &format!("the program did not run there (status {code}): its words stand above"),
        )),
        None => Err(cannot(host, "ssh was ended by a signal")),
    }
}

fn cannot(host: &str, why: &str) -> Failure {
    Failure::CannotLook(anyhow!("looking at {host}: {why}"))
}

/// One word for a shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stay_words() {
        assert_eq!(quoted("a b"), "'a b'");
        assert_eq!(quoted("it's $HOME"), r"'it'\''s $HOME'");
    }

    #[test]
    fn a_flag_is_no_host() {
        assert!(matches!(node("-oProxyCommand=x", false, &[]), Err(Failure::Usage(_))));
    }
}
