//! What runs on the node: its processes, the sockets of its runtimes, its kubelet; and where that differs from its files.

use crate::cri::{self, Told, Trouble};
use crate::kubelet;
use crate::processes::{self, Program, Running};
use crate::recording::Recording;
use crate::runtime::{Chosen, plain_path, services};
use crate::tree::{HostTree, Look};
use crate::{Options, clients, units};
use emulate::containerd::At;
use emulate::lint::{Finding, Lint};
use facts::{BlindSpot, Observed, Why};
use formats::redact;
use jiff::{SignedDuration, Timestamp};
use report::node::{Cri, Kubelet, Machine, NodeReport};
use secrecy::ExposeSecret;
use std::io::ErrorKind;
use std::rc::Rc;

/// Where runtimes listen: packages, k3s, microk8s, k0s. Source: kubeadm's `constants.go`, and the distributions' own docs.
const SOCKETS: &[&str] = &[
    "/run/containerd/containerd.sock",
    "/run/crio/crio.sock",
    "/run/cri-dockerd.sock",
    "/run/k3s/containerd/containerd.sock",
    "/var/snap/microk8s/common/run/containerd.sock",
    "/run/k0s/containerd.sock",
];
/// Go's places for system roots, of which the first readable file counts. Source: crypto/x509 root_linux.go, Go 1.27.
const ROOTS: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
];
/// Variables that matter to pulls.
pub const VARIABLES: &[&str] = &[
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "NO_PROXY",
    "https_proxy",
    "http_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];

/// What was seen to run; empty for a copied file tree.
#[derive(Default)]
pub struct Seen {
    /// The processes that have to do with pulls.
    pub processes: Vec<Running>,
    /// The kubelet.
    pub kubelet: Option<Kubelet>,
    asked: Vec<(String, Result<Told, Trouble>)>,
}

impl Seen {
    /// Who answered, the kubelet's own first.
    pub fn answers(&self) -> Vec<(&str, &Told)> {
        self.asked.iter().filter_map(|(s, t)| Some((s.as_str(), t.as_ref().ok()?))).collect()
    }

    /// The name under which the kubelet registered the node, where its arguments say so.
    pub fn node_name(&self) -> Option<&str> {
        let kubelet = self.processes.iter().find(|r| r.program == Program::Kubelet)?;
        kubelet.flag(&["--hostname-override", "--node-name"])
    }

    fn told(&self, socket: Option<&str>) -> Option<&Told> {
        let (_, told) = self.asked.iter().find(|(s, _)| Some(s.as_str()) == socket)?;
        told.as_ref().ok()
    }

    /// The directory of the image store.
    pub fn store(&self) -> Option<String> {
        let first = self.answers().first().and_then(|(_, t)| t.store.clone());
        first.or_else(|| {
            let root = |p: Program| match p {
                Program::Containerd => Some("/var/lib/containerd"),
                Program::Crio => Some("/var/lib/containers/storage"),
                Program::Docker => Some("/var/lib/docker"),
                _ => None,
            };
            self.processes.iter().find_map(|r| root(r.program)).map(str::to_owned)
        })
    }

    /// The images that the kubelet sees.
    pub fn images(&self) -> Observed<Vec<String>> {
        match self.answers().first() {
            Some((_, told)) if told.has_cri => match &told.images {
                Ok(names) => Observed::Seen(names.clone()),
                Err(trouble) => Observed::Blind(why(trouble)),
            },
            _ => Observed::Blind(Why::NotAsked),
        }
    }

    /// The CRI side of the runtime at this socket, or of the one that did not answer.
    pub fn cri(&self, socket: Option<&str>) -> Option<Cri> {
        let (socket, told) = match socket {
            Some(socket) => self.asked.iter().find(|(s, _)| s == socket)?,
            None => self.asked.first()?,
        };
        let mut cri = Cri { socket: socket.clone(), ..Cri::default() };
        match told {
            Ok(told) if told.has_cri => {
                cri.state = "answers".into();
                cri.conditions.clone_from(&told.conditions);
                cri.images = told.images.as_ref().ok().map(|_| told.count);
                cri.image_present = told.present.as_ref().and_then(|p| p.as_ref().ok().copied());
                cri.image_elsewhere.clone_from(&told.elsewhere);
            }
            Ok(_) | Err(Trouble::Unimplemented(_)) => cri.state = "no-cri".into(),
            Err(Trouble::Silent(_)) => cri.state = "silent".into(),
            Err(_) => cri.state = "refused".into(),
        }
        Some(cri)
    }

    /// What the running process itself says is its `config_path`.
    pub fn reported_config_path(&self, socket: Option<&str>) -> Option<String> {
        self.told(socket)?.config_path.clone()
    }
}

/// Looks at what runs.
pub fn look(options: &Options, tree: &HostTree, files: &Recording<'_>, blind: &mut Vec<BlindSpot>) -> Seen {
    if let Some(told) = &options.told {
        let by_files = kubelet::look(files, &[]);
        let kubelet = told.report.machine.as_ref().and_then(|m| m.kubelet.clone()).or(by_files);
        return Seen { processes: told.running().into_iter().collect(), kubelet, asked: Vec::new() };
    }
    if !options.live {
        return Seen { kubelet: kubelet::look(files, &[]), ..Seen::default() };
    }
    let processes = processes::running(&options.root.join("proc"), blind);
    let kubelet = kubelet::look(files, &processes);
    let mut sockets: Vec<String> = options.socket.iter().map(|s| plain_path(s).to_owned()).collect();
    if sockets.is_empty() {
        let endpoint = kubelet.as_ref().and_then(|k| k.endpoint.as_deref()).map(plain_path);
        let own = processes.iter().filter_map(|r| r.flag(&["--address", "-a", "--listen"])).map(plain_path);
        sockets.extend(endpoint.into_iter().chain(own).chain(SOCKETS.iter().copied()).map(str::to_owned));
        sockets.retain(|s| s.starts_with('/'));
        let mut seen = Vec::new();
        sockets.retain(|s| {
            let new = !seen.contains(s);
            seen.push(s.clone());
            new && matches!(tree.look(s), Look::Socket | Look::Blind(..))
        });
    }
    let asked = ask(tree, &sockets, options.image.as_deref(), blind);
    Seen { processes, kubelet, asked }
}

/// Asks all sockets at once, so that a silent one costs its deadline once.
fn ask(
    tree: &HostTree,
    sockets: &[String],
    image: Option<&str>,
    blind: &mut Vec<BlindSpot>,
) -> Vec<(String, Result<Told, Trouble>)> {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            let what = "the runtime's socket".to_owned();
            blind.push(BlindSpot { what, why: Why::Failed, detail: error.to_string(), needs: String::new() });
            return Vec::new();
        }
    };
    let image = image.map(str::to_owned);
    let asked = runtime.block_on(async {
        let tasks: Vec<_> = sockets
            .iter()
            .map(|socket| {
                let at = tree.on_this_machine(socket);
                let image = image.clone();
                tokio::spawn(async move {
                    let gone = || Trouble::Connect("it is not there".to_owned(), ErrorKind::NotFound);
                    cri::ask(&at.ok_or_else(gone)?, image.as_deref(), cri::DEADLINE).await
                })
            })
            .collect();
        let mut asked = Vec::new();
        for (socket, task) in sockets.iter().zip(tasks) {
            let told = task.await.unwrap_or_else(|e| Err(Trouble::Protocol(e.to_string())));
            asked.push((socket.clone(), told));
        }
        asked
    });
    for (socket, told) in &asked {
        let trouble = match told {
            Ok(told) => told.images.as_ref().err(),
            Err(trouble) => Some(trouble),
        };
        if let Some(trouble) = trouble {
            let needs = if why(trouble) == Why::Forbidden { "run as root" } else { "" };
            blind.push(BlindSpot {
                what: socket.clone(),
                why: why(trouble),
                detail: redact::owned(trouble.to_string()),
                needs: needs.into(),
            });
        }
    }
    asked
}

fn why(trouble: &Trouble) -> Why {
    match trouble {
        Trouble::Silent(_) => Why::TimedOut,
        Trouble::Connect(_, ErrorKind::PermissionDenied) => Why::Forbidden,
        Trouble::TooLarge => Why::Truncated,
        _ => Why::Failed,
    }
}

/// What other clients here would do: those of a shell with its variables, Docker Engine's with its own.
pub fn clients(
    options: &Options,
    files: &Recording<'_>,
    tree: &HostTree,
    seen: &Seen,
    report: &NodeReport,
) -> Vec<report::node::Client> {
    // What a login gives where this shell has nothing: pam_env(8).
    let logins = files.text("/etc/environment").unwrap_or_default();
    let of_login = |name: &str| {
        let all = formats::systemd_unit::variables(&logins);
        all.into_iter().find(|(n, _, _)| n == name).map(|(_, value, _)| value)
    };
    let unit = units::look(files, &["docker"]);
    let running = seen.processes.iter().find(|r| r.program == Program::Docker);
    let docker = |name: &str| match running {
        Some(r) => r.secrets.get(name).map(|v| v.expose_secret().to_owned()),
        None => unit.environment.get(name).map(|v| v.value.clone()),
    };
    let shell = |name: &str| options.shell.get(name).cloned().or_else(|| of_login(name));
    clients::look(files, tree, &clients::Surroundings { shell: &shell, docker: &docker }, report)
}

/// Where what runs differs from what the files say.
pub fn findings(
    files: &Recording<'_>,
    chosen: Option<&Chosen>,
    seen: &Seen,
    report: &NodeReport,
    machine: &Machine,
) -> Vec<Finding> {
    let mut found = Vec::new();
    let Some((chosen, runtime)) = chosen.zip(report.runtime.as_ref()) else { return found };
    let told = seen.told(chosen.socket.as_deref());
    let unit = units::look(files, services(chosen, report));
    found.extend(disagreements(&unit));
    if let Some(running) = chosen.running(seen) {
        if let Some(started) = running.process.started {
            let read_at_start = runtime.config.files.iter().map(|(p, _)| p).chain(&unit.files);
            found.extend(read_at_start.filter_map(|path| newer(files, path, started)));
            found.extend(newer_roots(files, started));
        }
        if running.environment.seen().is_some() {
            found.extend(environment(&unit, running));
        }
        if running.replaced {
            found.push(Finding::new(Lint::ProgramReplaced, None));
        }
    }
    if let Some(told) = told {
        if !told.has_cri {
            found.push(Finding::new(Lint::RunningWithoutCri, None));
        }
        let on_disk = runtime.config.config_path.clone().unwrap_or_default();
        if let Some(path) =
            told.config_path.as_ref().filter(|p| **p != on_disk && told.version.starts_with("1."))
        {
            let at = runtime.config.files.first().map(|(p, _)| At::whole(p));
            found.push(Finding::new(Lint::RunningConfigDiffers, at).with("value", path));
        }
        let invisible = told.present.as_ref().is_some_and(|p| p == &Ok(false)) && !told.elsewhere.is_empty();
        if invisible {
            let namespaces = told.elsewhere.join(", ");
            found.push(Finding::new(Lint::ImageInvisible, None).with("namespaces", namespaces));
        }
    }
    found.extend(machine.store.as_ref().into_iter().flat_map(short_of_room));
    found
}

/// A file that is newer than the process that read it at its start. The start is known to the second, and the clock may
/// have been set in between.
fn newer(files: &Recording<'_>, path: &str, started: Timestamp) -> Option<Finding> {
    let changed = files.with_facts(|f| f.files.get(path).and_then(|f| f.modified))?;
    let later = changed.duration_since(started) > SignedDuration::from_secs(1);
    let at = Some(At::whole(path));
    later.then(|| {
        Finding::new(Lint::NewerThanProcess, at)
            .with("changed", changed.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
            .with("started", started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
    })
}

/// The system's roots are read once in a process's life.
fn newer_roots(files: &Recording<'_>, started: Timestamp) -> Option<Finding> {
    let path = ROOTS.iter().find(|p| matches!(files.look(p), Look::File { .. }))?;
    newer(files, path, started)
}

/// Variables that matter to pulls and that two files of the unit set differently.
fn disagreements(unit: &units::Unit) -> Vec<Finding> {
    let of_pulls = unit.disagreements().into_iter().filter(|(name, ..)| VARIABLES.contains(name));
    of_pulls
        .map(|(name, now, lost)| {
            let at = At { path: Rc::from(&*now.path), line: now.line, column: 0 };
            let finding = Finding::new(Lint::FilesDisagree, Some(at)).with("what", name);
            finding.with("other", format!("{}:{}", lost.path, lost.line))
        })
        .collect()
}

/// Variables of the unit that the process does not have so.
fn environment(unit: &units::Unit, running: &Running) -> Vec<Finding> {
    let differs = |name: &&&str| {
        let in_unit = unit.environment.get(**name).map(|v| redact::text(&v.value).into_owned());
        let in_process = running.process.environment.get(**name).cloned();
        !unit.files.is_empty() && in_unit.is_some() && in_unit != in_process
    };
    let finding = |name: &&str| {
        let at =
            unit.environment.get(*name).map(|v| At { path: Rc::from(&*v.path), line: v.line, column: 0 });
        Finding::new(Lint::EnvironmentNotInForce, at).with("name", *name)
    };
    VARIABLES.iter().filter(differs).map(finding).collect()
}

/// Less than a tenth of the bytes or a twentieth of the inodes: below that the kubelet collects or evicts
/// (imagefs.available<15%, imagefs.inodesFree<5% by default).
fn short_of_room(store: &report::node::Store) -> Vec<Finding> {
    let mut found = Vec::new();
    let mut short = |what: &str, free: u64, all: u64, share: u64| {
        if all > 0 && free.saturating_mul(share) < all {
            let percent = free.saturating_mul(100) / all;
            let at = Some(At::whole(&store.path));
            let finding = Finding::new(Lint::StoreFull, at).with("what", what);
            found.push(finding.with("free", format!("{percent} %")));
        }
    };
    short("bytes", store.bytes_free, store.bytes, 10);
    short("inodes", store.inodes_free, store.inodes, 20);
    found
}
