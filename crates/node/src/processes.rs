//! The processes that matter to pulls, from `/proc`: which, started when, with which arguments and environment.
//!
//! A container's processes are not the node's: those in another mount namespace than process 1 are passed over.

use crate::live::VARIABLES;
use crate::system;
use facts::{BlindSpot, Observed, Process, Why};
use formats::{redact, transcript};
use jiff::Timestamp;
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::io::{Error, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// At most this many processes are looked at.
const MOST: usize = 100_000;
/// No environment or command line is longer (`ARG_MAX` of Linux, per string 128 KiB).
const BYTES: u64 = 2 << 20;

/// A program of a node that has to do with pulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// containerd, also the one that k3s and RKE2 start.
    Containerd,
    /// CRI-O.
    Crio,
    /// Docker Engine.
    Docker,
    /// The CRI in front of Docker Engine.
    CriDockerd,
    /// The kubelet, also within k3s and RKE2.
    Kubelet,
}

/// Names of programs as the kernel has them, which cuts at 15 characters.
const NAMES: &[(&str, Program)] = &[
    ("containerd", Program::Containerd),
    ("crio", Program::Crio),
    ("dockerd", Program::Docker),
    ("cri-dockerd", Program::CriDockerd),
    ("kubelet", Program::Kubelet),
    ("k3s-server", Program::Kubelet),
    ("k3s-agent", Program::Kubelet),
    ("rke2-server", Program::Kubelet),
    ("rke2-agent", Program::Kubelet),
    ("k0s", Program::Kubelet),
    ("kubelite", Program::Kubelet),
];

/// One of them, running.
#[derive(Clone, Debug)]
pub struct Running {
    /// Which.
    pub program: Program,
    /// Number, start, arguments; the environment is empty where it could not be read.
    pub process: Process,
    /// Whether the environment was read.
    pub environment: Observed<()>,
    /// Those of its variables that matter to pulls, as they are.
    pub secrets: BTreeMap<String, SecretString>,
    /// Whether its program was replaced on disk since it started.
    pub replaced: bool,
}

impl Running {
    /// The value of a flag, `--config FILE` or `--config=FILE`.
    pub fn flag(&self, names: &[&str]) -> Option<&str> {
        let mut args = self.process.args.iter().map(String::as_str);
        while let Some(arg) = args.next() {
            if names.contains(&arg) {
                return args.next();
            }
            if let Some((name, value)) = arg.split_once('=')
                && names.contains(&name)
            {
                return Some(value);
            }
        }
        None
    }
}

/// The programs that run on the node whose `/proc` this is.
pub fn running(proc: &Path, blind: &mut Vec<BlindSpot>) -> Vec<Running> {
    let boot = boot_time(proc);
    let namespace = |process: &str| fs_err::read_link(proc.join(process).join("ns/mnt")).ok();
    // Without the right to look at process 1, our own stands for the node's, where this is our own machine.
    let ours = namespace("1").or_else(|| namespace("self").filter(|_| proc == Path::new("/proc")));
    let Ok(entries) = fs_err::read_dir(proc) else {
        blind.push(spot("/proc", Why::Failed, "no process could be listed", "run on the node itself"));
        return Vec::new();
    };
    let mut found = Vec::new();
    for entry in entries.filter_map(Result::ok).take(MOST) {
        let Some(pid) = entry.file_name().to_str().and_then(|n| n.parse::<u32>().ok()) else { continue };
        let dir = entry.path();
        let name = read(&dir.join("comm")).map(|b| String::from_utf8_lossy(&b).trim().to_owned());
        let Some((_, program)) = NAMES.iter().find(|(n, _)| name.as_ref().is_ok_and(|name| name == n)) else {
            continue;
        };
        if let (Some(ours), Ok(theirs)) = (&ours, fs_err::read_link(dir.join("ns/mnt")))
            && *ours != theirs
        {
            continue;
        }
        found.push(one(&dir, pid, *program, boot, blind));
    }
    found.sort_by_key(|r| r.process.pid);
    found
}

fn one(dir: &Path, pid: u32, program: Program, boot: Option<i64>, blind: &mut Vec<BlindSpot>) -> Running {
    let words = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(bytes);
        text.split('\0').filter(|w| !w.is_empty()).take(512).map(|w| redact::text(w).into_owned()).collect()
    };
    let args = read(&dir.join("cmdline")).map(|b| words(&b)).unwrap_or_default();
    let (mut environment, mut secrets) = (BTreeMap::new(), BTreeMap::new());
    let read_environment = match read(&dir.join("environ")) {
        Ok(bytes) => {
            let text = String::from_utf8_lossy(&bytes).replace(['\n', '\r'], " ").replace('\0', "\n");
            // Lines that are no variables are passed over one by one: a process may set its name there.
            let lines: Vec<&str> = text.lines().filter(|l| is_variable(l)).collect();
            let known = lines.iter().filter_map(|l| l.split_once('=')).filter(|(n, _)| VARIABLES.contains(n));
            secrets.extend(known.map(|(n, v)| (n.to_owned(), SecretString::from(v))));
            environment = transcript::process::environment(&lines.join("\n")).unwrap_or_default();
            Observed::Seen(())
        }
        Err(error) => {
            let why = match error.kind() {
                ErrorKind::PermissionDenied => Why::Forbidden,
                _ => Why::Failed,
            };
            let what = format!("/proc/{pid}/environ");
            blind.push(spot(&what, why, "the process's own environment, its proxy", "run as root"));
            Observed::Blind(why)
        }
    };
    let replaced = fs_err::read_link(dir.join("exe"))
        .is_ok_and(|exe: PathBuf| exe.to_string_lossy().ends_with(" (deleted)"));
    let process = Process { pid, started: started(dir, boot), args, environment };
    Running { program, process, environment: read_environment, secrets, replaced }
}

fn is_variable(line: &str) -> bool {
    line.split_once('=').is_some_and(|(n, _)| {
        !n.is_empty() && n.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '.')
    })
}

/// When a process started, to the second: its ticks since the boot and the time of the boot.
fn started(dir: &Path, boot: Option<i64>) -> Option<Timestamp> {
    let stat = read(&dir.join("stat")).ok()?;
    let stat = String::from_utf8_lossy(&stat).into_owned();
    // The name before may hold blanks and brackets; what follows it is numbers. The start is field 22, see proc(5).
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks: i64 = rest.split_whitespace().nth(19)?.parse().ok()?;
    let millis = ticks.checked_mul(1000)? / system::ticks_per_second()?;
    Timestamp::from_millisecond(boot?.checked_mul(1000)?.checked_add(millis)?).ok()
}

fn boot_time(proc: &Path) -> Option<i64> {
    let stat = read(&proc.join("stat")).ok()?;
    let text = String::from_utf8_lossy(&stat).into_owned();
    text.lines().find_map(|l| l.strip_prefix("btime "))?.trim().parse().ok()
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    fs_err::File::open(path)?.take(BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn spot(what: &str, why: Why, detail: &str, needs: &str) -> BlindSpot {
    BlindSpot { what: what.into(), why, detail: detail.into(), needs: needs.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A `/proc` with one process.
    fn proc(comm: &str, cmdline: &str, environ: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let p = dir.path().join("812");
        fs_err::create_dir_all(&p).unwrap();
        fs_err::write(dir.path().join("stat"), "cpu 1 2\nbtime 1700000000\n").unwrap();
        fs_err::write(p.join("comm"), format!("{comm}\n")).unwrap();
        fs_err::write(p.join("cmdline"), cmdline).unwrap();
        fs_err::write(p.join("environ"), environ).unwrap();
        let rest = format!("S {}", (1..=18).map(|n| n.to_string()).collect::<Vec<_>>().join(" "));
        fs_err::write(p.join("stat"), format!("812 (a ) b) {rest} 12000 1 1\n")).unwrap();
        dir
    }

    #[test]
    fn a_runtime_with_its_start_and_its_proxy() {
        let dir = proc(
            "containerd",
            "/usr/bin/containerd\0-c\0/etc/x.toml\0",
            "PATH=/bin\0HTTPS_PROXY=http://u:pw@p:3128\0TOKEN=t\0odd line\0",
        );
        let mut blind = Vec::new();
        let found = running(dir.path(), &mut blind);
        assert!(blind.is_empty());
        let one = &found[0];
        assert_eq!((one.program, one.process.pid), (Program::Containerd, 812));
        assert_eq!(one.flag(&["--config", "-c"]), Some("/etc/x.toml"));
        assert_eq!(one.process.environment["HTTPS_PROXY"], "http://u:***@p:3128");
        assert!(!one.process.environment.contains_key("TOKEN"));
        let ticks = system::ticks_per_second().unwrap();
        assert_eq!(one.process.started.unwrap().as_millisecond(), 1_700_000_000_000 + 12_000_000 / ticks);
    }

    #[test]
    fn other_programs_are_none_of_ours() {
        for name in ["containerd-shim", "bash", "crictl"] {
            assert!(running(proc(name, "x\0", "A=1\0").path(), &mut Vec::new()).is_empty(), "{name}");
        }
    }

    #[test]
    fn a_node_without_proc_is_a_blind_spot() {
        let mut blind = Vec::new();
        assert!(running(Path::new("/nonexistent"), &mut blind).is_empty());
        assert_eq!(blind.len(), 1);
    }
}
