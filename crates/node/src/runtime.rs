//! Which runtime serves the kubelet, and what it does with the node's files.

use crate::live::Seen;
use crate::processes::{Program, Running};
use crate::recording::Recording;
use crate::way::Way;
use crate::{Error, Options, containerd, containers, docker, endpoints, live, units};
use emulate::containerd::Version;
use emulate::distribution::{self, Defaults};
use emulate::lint::Finding;
use facts::{BlindSpot, Why};
use report::node::{NodeReport, OtherRuntime, Process, Runtime};
use secrecy::ExposeSecret;

/// A runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Name {
    /// containerd 1.6 to 2.4.
    Containerd,
    /// CRI-O.
    Crio,
    /// podman, which serves no kubelet.
    Podman,
    /// Docker Engine.
    Docker,
}

impl Name {
    /// Its name, as CRI and every output have it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Containerd => "containerd",
            Self::Crio => "cri-o",
            Self::Podman => "podman",
            Self::Docker => "docker",
        }
    }

    /// By the name that a CRI socket gives.
    pub fn of_cri(name: &str) -> Option<Self> {
        Some(match name {
            "containerd" => Self::Containerd,
            "cri-o" | "crio" => Self::Crio,
            "docker" => Self::Docker,
            _ => return None,
        })
    }

    /// By the program that runs.
    pub const fn of_program(program: Program) -> Option<Self> {
        Some(match program {
            Program::Containerd => Self::Containerd,
            Program::Crio => Self::Crio,
            Program::Docker | Program::CriDockerd => Self::Docker,
            Program::Kubelet => return None,
        })
    }

    /// In facts.
    pub const fn runtime(self) -> vocabulary::Runtime {
        match self {
            Self::Containerd => vocabulary::Runtime::Containerd,
            Self::Crio => vocabulary::Runtime::CriO,
            Self::Podman => vocabulary::Runtime::Podman,
            Self::Docker => vocabulary::Runtime::Docker,
        }
    }

    /// The program that runs as it.
    pub const fn program(self) -> Option<Program> {
        match self {
            Self::Containerd => Some(Program::Containerd),
            Self::Crio => Some(Program::Crio),
            Self::Podman => None,
            Self::Docker => Some(Program::Docker),
        }
    }

    const fn services(self) -> &'static [&'static str] {
        match self {
            Self::Containerd => &["containerd"],
            Self::Crio => &["crio"],
            Self::Podman => &[],
            Self::Docker => &["docker"],
        }
    }
}

/// The runtime that is looked at.
#[derive(Clone, Debug)]
pub struct Chosen {
    /// Which.
    pub name: Name,
    /// Its version.
    pub version: String,
    /// The socket that it answered at.
    pub socket: Option<String>,
}

impl Chosen {
    /// Its process. Where several run, the one that serves the socket.
    pub fn running<'s>(&self, seen: &'s Seen) -> Option<&'s Running> {
        let mine: Vec<&Running> =
            seen.processes.iter().filter(|r| Some(r.program) == self.name.program()).collect();
        let serves = |r: &&&Running| {
            let named = r.flag(&["--address", "-a", "--listen"]).map(plain_path);
            named.is_some() && named == self.socket.as_deref().map(plain_path)
        };
        mine.iter().find(serves).or_else(|| mine.first()).copied()
    }
}

/// A socket's path, with `/run` for `/var/run`.
pub fn plain_path(address: &str) -> &str {
    let path = address.strip_prefix("unix://").unwrap_or(address);
    path.strip_prefix("/var").filter(|p| p.starts_with("/run/")).unwrap_or(path)
}

/// The runtime: as given, else the one behind the kubelet's socket, else one that answers, else one that runs.
pub fn choose(options: &Options, seen: &Seen, blind: &mut Vec<BlindSpot>) -> Result<Option<Chosen>, Error> {
    if let Some((name, told)) = options.told.as_ref().and_then(|t| t.runtime()) {
        let name = options.runtime.unwrap_or(name);
        let version = options.version.clone().unwrap_or_else(|| told.version.clone());
        return valid(Chosen { name, version, socket: None }).map(Some);
    }
    let told = seen.answers();
    let wanted = options.runtime;
    let answer = told.iter().find(|(_, t)| wanted.is_none() || Name::of_cri(&t.name) == wanted);
    let running = seen.processes.iter().find_map(|r| Name::of_program(r.program));
    let by_answer = answer.and_then(|(_, t)| Name::of_cri(&t.name));
    let Some(name) = wanted.or(by_answer).or(running).or((!options.live).then_some(Name::Containerd)) else {
        blind.push(BlindSpot {
            what: "the node's runtime".into(),
            why: Why::Failed,
            detail: "no runtime runs, and no socket of one is there".into(),
            needs: "--runtime and --runtime-version, to read the files alone".into(),
        });
        return Ok(None);
    };
    let socket = answer.map(|(socket, _)| (*socket).to_owned());
    let version = options.version.clone().or_else(|| answer.map(|(_, t)| t.version.clone()));
    match version {
        Some(version) => Ok(Some(Chosen { name, version, socket })),
        // The rules of these do not differ between versions.
        None if name != Name::Containerd => Ok(Some(Chosen { name, version: String::new(), socket })),
        None if options.live => {
            blind.push(BlindSpot {
                what: "the runtime's version".into(),
                why: Why::NotAsked,
                detail: "its socket did not answer, and the rules differ between versions".into(),
                needs: "run as root, or give --runtime-version".into(),
            });
            Ok(None)
        }
        None => Err(Error::NoVersion(name.word())),
    }
    .and_then(|chosen| chosen.map(valid).transpose())
}

/// One whose version is one, where that decides.
fn valid(chosen: Chosen) -> Result<Chosen, Error> {
    match chosen.name {
        Name::Containerd if Version::parse(&chosen.version).is_none() => {
            Err(Error::Version(chosen.name.word(), chosen.version))
        }
        _ => Ok(chosen),
    }
}

/// Runtimes beside the chosen one.
pub fn others(seen: &Seen, chosen: Option<&Chosen>) -> Vec<OtherRuntime> {
    let mut all: Vec<OtherRuntime> = seen
        .answers()
        .iter()
        .filter(|(socket, _)| Some(*socket) != chosen.and_then(|c| c.socket.as_deref()))
        .map(|(socket, told)| OtherRuntime {
            name: told.name.clone(),
            version: told.version.clone(),
            shown_by: (*socket).to_owned(),
        })
        .collect();
    let mine = chosen.and_then(|c| c.running(seen)).map(|r| r.process.pid);
    for running in seen.processes.iter().filter(|r| Some(r.process.pid) != mine) {
        let Some(name) = Name::of_program(running.program) else { continue };
        if all.iter().any(|o| o.name == name.word()) {
            continue;
        }
        all.push(OtherRuntime {
            name: name.word().to_owned(),
            version: String::new(),
            shown_by: format!("pid {}", running.process.pid),
        });
    }
    all
}

/// What the chosen runtime does with the node's files, into the report.
pub fn emulate(
    files: &Recording<'_>,
    chosen: &Chosen,
    distribution: &Defaults,
    options: &Options,
    seen: &Seen,
    report: &mut NodeReport,
    findings: &mut Vec<Finding>,
) -> Way {
    let running = chosen.running(seen);
    let told = options.told.as_ref().and_then(|t| t.report.runtime.as_ref()?.config.files.first());
    let flag = || running.and_then(|r| r.flag(&["--config", "-c"]));
    let named = options.config.as_deref().or_else(flag).or(told.map(|(path, _)| path.as_str()));
    let version = Version::parse(&chosen.version);
    // daemon.json's proxies win over the environment.
    let mut proxies = Vec::new();
    let mut way = Way::default();
    match (chosen.name, version) {
        (Name::Containerd, Some(version)) => {
            let config = containerd::config(files, named, distribution);
            way = containerd::inspect(files, &version, &config, report, findings);
        }
        (Name::Crio | Name::Podman, version) => {
            containers::inspect(files, chosen.name, version.as_ref(), report, findings);
        }
        (Name::Docker, version) => {
            (proxies, way) = docker::inspect(files, version.as_ref(), report, findings);
        }
        (Name::Containerd, None) => {}
    }
    let unit = units::look(files, services(chosen, report));
    let configured = |name: &str| {
        let key = name.to_ascii_lowercase().replace('_', "-");
        proxies.iter().find(|(n, _)| *n == key).map(|(_, v)| v.clone())
    };
    let environment = |name: &str| match running.filter(|r| r.environment.seen().is_some()) {
        _ if configured(name).is_some() => configured(name),
        Some(running) => running.process.environment.get(name).cloned(),
        None if options.live => None,
        None => unit.environment.get(name).map(|v| v.value.clone()),
    };
    let known = running.is_some_and(|r| r.environment.seen().is_some())
        || (!options.live && !unit.files.is_empty())
        || !proxies.is_empty();
    if known {
        endpoints::proxies(&mut report.endpoints, environment);
    }
    // Of a runtime that does not run, the unit says what its environment would be.
    let raw = |name: &str| match running {
        _ if configured(name).is_some() => configured(name),
        Some(running) => running.secrets.get(name).map(|v| v.expose_secret().to_owned()),
        None => unit.environment.get(name).map(|v| v.value.clone()),
    };
    if known || running.is_none() {
        way.set_environment(live::VARIABLES.iter().filter_map(|n| Some(((*n).to_owned(), raw(n)?))));
    }
    credentials(files, chosen, seen, report, &way);
    let runtime = report.runtime.get_or_insert_with(|| Runtime { state: "ok".into(), ..Runtime::default() });
    chosen.name.word().clone_into(&mut runtime.name);
    runtime.version.clone_from(&chosen.version);
    runtime.process = running.map(|r| Process {
        pid: r.process.pid,
        started: r.process.started,
        args: r.process.args.clone(),
        environment: r.process.environment.clone(),
        replaced: r.replaced,
    });
    runtime.cri = seen.cri(chosen.socket.as_deref());
    runtime.config.reported_config_path = seen.reported_config_path(chosen.socket.as_deref());
    way
}

/// Puts to each endpoint the node's own credentials that would go there.
fn credentials(files: &Recording<'_>, chosen: &Chosen, seen: &Seen, report: &mut NodeReport, way: &Way) {
    let Some(image) = report.image.clone() else { return };
    let kubelets = || files.with_facts(|f| endpoints::credentials(f, seen.kubelet.as_ref(), &image));
    match chosen.name {
        Name::Crio => {
            let global = containers::crio(files).global_auth_file;
            files.with_facts(|f| containers::credentials(report, f, global.as_deref(), &kubelets()));
        }
        Name::Podman => files.with_facts(|f| containers::credentials(report, f, None, &[])),
        Name::Containerd | Name::Docker => {
            let kubelets = kubelets();
            for (n, endpoint) in report.endpoints.iter_mut().enumerate() {
                endpoint.credentials.clone_from(&kubelets);
                // The runtime's own login is for pulls that bring none; whether a plugin gives one is not known.
                let own = way.logins.get(n).and_then(|login| login.as_ref());
                if kubelets.iter().all(|c| !c.from.starts_with('/')) {
                    endpoint.credentials.extend(own.map(|(shown, _)| shown.clone()));
                }
            }
        }
    }
}

/// The services whose environment the runtime has. k3s and RKE2 start containerd themselves.
pub fn services(chosen: &Chosen, report: &NodeReport) -> &'static [&'static str] {
    let config = report.runtime.as_ref().and_then(|r| r.config.files.first()).map_or("", |(p, _)| p);
    // By the file that is read: one machine may have a package's containerd beside k3s's.
    let starts = distribution::ALL.iter().find(|d| d.config == config && !d.services.is_empty());
    match starts {
        Some(row) if chosen.name == Name::Containerd => row.services,
        _ => chosen.name.services(),
    }
}
