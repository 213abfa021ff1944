//! A running runtime, as `systemctl`, `ps` and `/proc/PID/environ` show it.

use super::command::Command;
use super::when;
use crate::redact;
use facts::Process;
use jiff::Timestamp;
use std::collections::BTreeMap;

/// Units and programs that pull images for a kubelet.
const RUNTIMES: &[&str] = &[
    "containerd",
    "crio",
    "cri-o",
    "docker",
    "dockerd",
    "cri-dockerd",
    "k3s",
    "k3s-agent",
    "rke2",
    "rke2-server",
    "rke2-agent",
    "snap.microk8s.daemon-containerd",
    "k0scontroller",
    "k0sworker",
];

/// What one output says of a runtime's process; parts that it does not say are `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Its number.
    pub pid: Option<u32>,
    /// When it (or its unit) started.
    pub started: Option<Timestamp>,
    /// Its command line.
    pub args: Option<Vec<String>>,
    /// Its variables, as far as they matter to pulls.
    pub environment: Option<BTreeMap<String, String>>,
}

impl Seen {
    /// Puts what was seen into a process.
    pub fn into_process(self, process: &mut Process) {
        if let Some(pid) = self.pid {
            process.pid = pid;
        }
        process.started = self.started.or(process.started);
        if let Some(args) = self.args {
            process.args = args;
        }
        if let Some(environment) = self.environment {
            process.environment = environment;
        }
    }

    fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// What a command's output says of the runtime; `None` where it is about something else.
pub fn read(command: &Command<'_>, text: &str) -> Option<Seen> {
    let seen = match command.program {
        "systemctl" if command.has("show") && names_runtime(&command.arguments) => show(text),
        "systemctl" if command.has("status") && names_runtime(&command.arguments) => status(text),
        "ps" => ps(command, text)?,
        _ if reads_environ(command) => {
            Seen { environment: Some(environment(text)?), pid: pid_of_path(command), ..Seen::default() }
        }
        _ => return None,
    };
    (!seen.is_empty()).then_some(seen)
}

/// What a text of such a form says; its unit or program stands in it.
pub fn by_form(form: super::Form, text: &str) -> Option<Seen> {
    let seen = match form {
        super::Form::SystemctlShow => show(text),
        super::Form::SystemctlStatus => {
            let unit = text.lines().next()?.trim_start_matches("● ").split_whitespace().next()?;
            if !is_runtime(unit) {
                return None;
            }
            status(text)
        }
        _ => return None,
    };
    (!seen.is_empty()).then_some(seen)
}

fn names_runtime(words: &[&str]) -> bool {
    words.iter().any(|w| is_runtime(w))
}

fn is_runtime(unit: &str) -> bool {
    let name = unit.rsplit('/').next().unwrap_or(unit);
    RUNTIMES.contains(&name.trim_end_matches(".service"))
}

/// `NAME=value` lines of `systemctl show`.
fn show(text: &str) -> Seen {
    let mut seen = Seen::default();
    for (name, value) in text.lines().filter_map(|l| l.trim().split_once('=')) {
        match name {
            "MainPID" | "ExecMainPID" => seen.pid = value.parse().ok().filter(|p| *p != 0).or(seen.pid),
            "ActiveEnterTimestamp" | "ExecMainStartTimestamp" => {
                seen.started = seen.started.or_else(|| when::read(value))
            }
            "Environment" => seen.environment = Some(words_to_environment(value)),
            "ExecStart" => {
                if let Some(args) =
                    value.split_once("argv[]=").map(|(_, rest)| rest.split(" ; ").next().unwrap_or(rest))
                {
                    seen.args = Some(args.split_whitespace().map(shown).collect());
                }
            }
            _ => {}
        }
    }
    seen
}

/// `Active: active (running) since Fri 2024-02-16 01:42:07 UTC; 8min ago`, `Main PID: 129 (containerd)`.
fn status(text: &str) -> Seen {
    let mut seen = Seen::default();
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("Active:") {
            let since = rest.split_once(" since ").map(|(_, at)| at.split(';').next().unwrap_or(at));
            if rest.contains("active (running)") {
                seen.started = since.and_then(when::read);
            }
        } else if let Some(rest) = line.strip_prefix("Main PID:") {
            seen.pid = rest.split_whitespace().next().and_then(|p| p.parse().ok());
        }
    }
    seen
}

/// Lines of `ps` that are about a runtime, by their header, or by the program that `-C` names.
fn ps(command: &Command<'_>, text: &str) -> Option<Seen> {
    let mut lines = text.lines().filter(|l| !l.trim().is_empty());
    let named = command.flag("-C").is_some_and(is_runtime);
    let columns = command.flag("-o").or_else(|| command.flag("-eo")).or_else(|| command.flag("-axo"));
    if let Some(columns) = columns.filter(|c| c.ends_with('=')) {
        return lines.find_map(|line| without_head(columns, line, named));
    }
    let head: Vec<&str> = lines.next()?.split_whitespace().collect();
    let place = |names: &[&str]| head.iter().position(|h| names.contains(h));
    let pid_at = place(&["PID"]);
    let started_at = place(&["STARTED"]);
    let args_at = place(&["COMMAND", "CMD", "ARGS"])?;
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        // A start with its date takes five words, `Fri Feb 16 01:42:07 2024`, and one head.
        let extra =
            if started_at.is_some_and(|s| words.get(s).is_some_and(|w| w.len() == 3)) { 4 } else { 0 };
        let shift = |at: usize| if started_at.is_some_and(|s| at > s) { at + extra } else { at };
        let Some(args) = words.get(shift(args_at)..) else { continue };
        if !args.first().is_some_and(|a| is_runtime(a)) {
            continue;
        }
        let started = started_at.and_then(|s| words.get(s..s + extra + 1)).map(|w| w.join(" "));
        return Some(Seen {
            pid: pid_at.and_then(|p| words.get(shift(p))?.parse().ok()),
            started: started.filter(|_| extra > 0).and_then(|s| when::read(&s)),
            args: Some(args.iter().map(|w| shown(w)).collect()),
            environment: None,
        });
    }
    None
}

/// A line of columns whose heads are shut off (`lstart=,args=`): a start has five words, arguments all that is left.
fn without_head(columns: &str, line: &str, named: bool) -> Option<Seen> {
    let mut words = line.split_whitespace();
    let (mut seen, mut of_runtime) = (Seen::default(), named);
    for column in columns.split(',').map(|c| c.trim_end_matches('=')) {
        match column {
            "args" | "cmd" | "command" => {
                let args: Vec<String> = words.by_ref().map(shown).collect();
                of_runtime |= args.first().is_some_and(|a| is_runtime(a));
                seen.args = Some(args);
            }
            "lstart" => {
                let start: Vec<&str> = words.by_ref().take(5).collect();
                seen.started = when::read(&start.join(" "));
            }
            "pid" => seen.pid = words.next()?.parse().ok(),
            _ => {
                words.next()?;
            }
        }
    }
    of_runtime.then_some(seen)
}

/// `tr "\0" "\n" < /proc/812/environ`, `cat /proc/$(pidof containerd)/environ`, but not that of process 1, which is no
/// runtime, nor that of a kubelet.
fn reads_environ(command: &Command<'_>) -> bool {
    let line = command.line;
    line.contains("/environ")
        && line.contains("/proc/")
        && !line.contains("/proc/1/")
        && !line.contains("/proc/self/")
        && !line.contains("kubelet")
}

fn pid_of_path(command: &Command<'_>) -> Option<u32> {
    command.line.split_once("/proc/")?.1.split('/').next()?.parse().ok()
}

/// `NAME=value` lines; `None` where a line is something else (an error message).
pub fn environment(text: &str) -> Option<BTreeMap<String, String>> {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let all: Option<Vec<(&str, &str)>> = lines.iter().map(|l| l.split_once('=')).collect();
    let all = all?;
    if all.iter().any(|(name, _)| name.is_empty() || name.contains([' ', ':', '/'])) {
        return None;
    }
    Some(kept(all.into_iter()))
}

/// `Environment=A=1 "B=2 3"` of `systemctl show`, as one line.
fn words_to_environment(value: &str) -> BTreeMap<String, String> {
    let mut all = Vec::new();
    let mut rest = value.trim();
    while !rest.is_empty() {
        let (word, after) = match rest.strip_prefix('"') {
            Some(inner) => inner.split_once('"').unwrap_or((inner, "")),
            None => rest.split_once(' ').unwrap_or((rest, "")),
        };
        all.extend(word.split_once('='));
        rest = after.trim_start();
    }
    kept(all.into_iter())
}

/// What matters to pulls; PATH too, so that an environment without the others is seen to have been read.
fn kept<'a>(all: impl Iterator<Item = (&'a str, &'a str)>) -> BTreeMap<String, String> {
    let matters = |name: &str| {
        let upper = name.to_ascii_uppercase();
        upper.ends_with("_PROXY")
            || upper.starts_with("SSL_CERT_")
            || upper.starts_with("CONTAINERD_")
            || upper.starts_with("K3S_") && !upper.contains("TOKEN")
            || matches!(
                upper.as_str(),
                "PATH" | "GODEBUG" | "HOME" | "TMPDIR" | "REGISTRY_AUTH_FILE" | "DOCKER_CONFIG"
            )
    };
    all.filter(|(name, _)| matters(name))
        .take(64)
        .map(|(name, value)| (name.to_owned(), shown(value)))
        .collect()
}

fn shown(word: &str) -> String {
    redact::text(word).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::command;

    fn seen(line: &str, text: &str) -> Option<Seen> {
        read(&command(line), text)
    }

    #[test]
    fn systemctl_says_when_and_which() {
        let show = seen("systemctl show containerd -p ActiveEnterTimestamp -p MainPID", "MainPID=129\nNRestarts=0\nActiveEnterTimestamp=Fri 2024-02-16 01:42:07 UTC\nEnvironment=A=1 \"HTTPS_PROXY=http://u:secretpw@p:3128\"\n").unwrap();
        assert_eq!(show.pid, Some(129));
        assert_eq!(show.started.map(|t| t.to_string()).as_deref(), Some("2024-02-16T01:42:07Z"));
        assert_eq!(show.environment.unwrap()["HTTPS_PROXY"], "http://u:***@p:3128");
        let status = seen("systemctl status containerd", "● containerd.service\n   Active: active (running) since Fri 2024-02-16 01:42:07 UTC; 8min ago\n Main PID: 129 (containerd)\n").unwrap();
        assert_eq!(status.pid, Some(129));
        assert!(status.started.is_some());
        assert_eq!(seen("systemctl show kubelet", "MainPID=1\n"), None);
    }

    #[test]
    fn ps_in_its_forms() {
        let bare = seen("ps -o args= -C containerd", "/usr/bin/containerd --config /etc/x.toml\n").unwrap();
        assert_eq!(bare.args.unwrap(), ["/usr/bin/containerd", "--config", "/etc/x.toml"]);
        assert_eq!(seen("ps -o args= -C kubelet", "/usr/bin/kubelet --x\n"), None);
        let several = seen("ps -eo pid=,lstart=,args=", "  1 Fri Feb 16 01:40:00 2024 /sbin/init\n 129 Fri Feb 16 01:42:07 2024 /usr/bin/containerd -l x\n").unwrap();
        assert_eq!((several.pid, several.args.unwrap().len()), (Some(129), 3));
        assert_eq!(several.started.map(|t| t.to_string()).as_deref(), Some("2024-02-16T01:42:07Z"));
        assert_eq!(
            seen("ps -o lstart=,args= -C kubelet", "Fri Feb 16 01:42:07 2024 /usr/bin/kubelet\n"),
            None
        );
        let table = seen("ps -eo pid,lstart,args", "    PID                  STARTED COMMAND\n      1 Fri Feb 16 01:40:00 2024 /sbin/init\n    129 Fri Feb 16 01:42:07 2024 /usr/bin/containerd\n").unwrap();
        assert_eq!(table.pid, Some(129));
        assert_eq!(table.started.map(|t| t.to_string()).as_deref(), Some("2024-02-16T01:42:07Z"));
        let aux = seen("ps aux", "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND\nroot 812 0.1 0.2 1 2 ? Ssl Feb16 0:01 /usr/bin/containerd\n").unwrap();
        assert_eq!((aux.pid, aux.started), (Some(812), None));
    }

    #[test]
    fn environments_of_runtimes_only() {
        let env =
            seen("tr \"\\0\" \"\\n\" < /proc/32530/environ", "HTTP_PROXY=http://p:1\nSECRET=x\nPATH=/bin\n")
                .unwrap();
        assert_eq!(env.pid, Some(32530));
        assert_eq!(
            env.environment.unwrap().keys().map(String::as_str).collect::<Vec<_>>(),
            ["HTTP_PROXY", "PATH"]
        );
        assert_eq!(seen("tr \"\\0\" \"\\n\" < /proc/1/environ", "A_PROXY=1\n"), None);
        assert_eq!(seen("cat /proc/812/environ", "cat: /proc/812/environ: Permission denied\n"), None);
    }

    proptest::proptest! {
        #[test]
        fn never_panics(line in "(ps|systemctl show|cat /proc/1) [a-z=-]{0,20}", text in "\\PC{0,200}|[A-Z]+=.{0,40}|PID +STARTED +CMD\n[0-9a-z :]{0,60}") {
            let _ = read(&command(&line), &text);
        }
    }
}
