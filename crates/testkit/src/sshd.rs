//! OpenSSH's server for one test: its own keys, its own port, one account.

use crate::process::{Running, start};
use crate::programs::find;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A running sshd, and an `ssh` that knows its way there.
pub struct Sshd {
    running: Running,
}

impl Sshd {
    /// Starts one that lets this user in by a key of its own.
    pub fn start() -> Self {
        // Debian's sshd keeps an empty folder there for the process that has not logged in yet.
        if rustix::process::geteuid().is_root() {
            std::fs::create_dir_all("/run/sshd").expect("a folder");
        }
        let (running, _) = start("sshd", "127.0.0.1", |folder, port| {
            for name in ["host", "user"] {
                keygen(&folder.join(name));
            }
            std::fs::copy(folder.join("user.pub"), folder.join("authorized")).expect("a file");
            let at = folder.display();
            let server = format!(
                "ListenAddress 127.0.0.1:{port}\nHostKey {at}/host\nAuthorizedKeysFile {at}/authorized\nPidFile {at}/pid\n\
                 StrictModes no\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin yes\nPermitUserEnvironment no\nAcceptEnv TMPDIR\n"
            );
            std::fs::write(folder.join("sshd_config"), server).expect("a file");
            let client = format!(
                "Host w7\n  HostName 127.0.0.1\n  Port {port}\n  IdentityFile {at}/user\n  IdentitiesOnly yes\n  UserKnownHostsFile {at}/known\n  \
                 StrictHostKeyChecking accept-new\n  SendEnv TMPDIR\n"
            );
            std::fs::write(folder.join("ssh_config"), client).expect("a file");
            let script = format!("#!/bin/sh\nexec /usr/bin/ssh -F {at}/ssh_config \"$@\"\n");
            std::fs::create_dir_all(folder.join("bin")).expect("a folder");
            std::fs::write(folder.join("bin/ssh"), script).expect("a file");
            let executable = std::fs::Permissions::from_mode(0o755);
            std::fs::set_permissions(folder.join("bin/ssh"), executable).expect("permissions");
            let config = folder.join("sshd_config").display().to_string();
            ["-D", "-e", "-f", &config].map(str::to_owned).to_vec()
        });
        Self { running }
    }

    /// A folder with the `ssh` that reaches it as `w7`, for the front of a PATH.
    pub fn bin(&self) -> PathBuf {
        self.running.folder.path().join("bin")
    }
}

fn keygen(at: &Path) {
    if at.exists() {
        return;
    }
    let program = find("ssh-keygen").expect("ssh-keygen is not installed");
    let done = Command::new(program).args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(at).status();
    assert!(done.expect("ssh-keygen").success(), "ssh-keygen made no key");
}
