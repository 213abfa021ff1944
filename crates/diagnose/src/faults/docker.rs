//! `daemon.json` of Docker: whether what it says of registries is in force, and whether Docker makes the pulls at all.
//!
//! Source: docs.docker.com "dockerd", `insecure-registries` and `registry-mirrors`; moby registry/config.go.

use super::aim::{Provides, same_endpoint};
use super::{Fault, Faults, Scene, reload, remedy};
use crate::lines::Line;
use crate::questions::proxies::{self, Variable};
use emulate::containerd::{At, Source};
use formats::transcript::line_time;
use report::{Evidence, Say};
use serde_json::Value;
use vocabulary::{Cause, Runtime};

/// Where dockerd looks unless it is told otherwise.
pub const FILE: &str = "/etc/docker/daemon.json";

/// What the file would provide for the pull's registry.
pub fn provides(scene: &Scene<'_, '_>, text: &str) -> Option<Provides> {
    Some(of_settings(scene, &serde_json::from_str(text).ok()?))
}

fn of_settings(scene: &Scene<'_, '_>, json: &Value) -> Provides {
    let list = |key: &str| {
        let all = json.get(key).and_then(Value::as_array).into_iter().flatten();
        all.filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
    };
    let registry = &scene.aim.registry;
    let name = crate::questions::hosts::name_of(registry);
    let covers = |entry: &String| same_endpoint(entry, registry) || in_network(entry, name);
    let insecure = list("insecure-registries").iter().any(covers);
    let mirror = registry == "docker.io" && !list("registry-mirrors").is_empty();
    Provides { mirror, skip_verify: insecure, http: insecure, ..Provides::default() }
}

/// The proxies that the file gives to dockerd from 23.0 on, which reads them at its start alone.
/// Source: docs.docker.com "Daemon proxy configuration"; moby daemon/config (`Proxies`).
fn gives_proxy(scene: &Scene<'_, '_>, json: &Value) -> bool {
    let keys = [("http-proxy", "HTTP_PROXY"), ("https-proxy", "HTTPS_PROXY"), ("no-proxy", "NO_PROXY")];
    let set: Vec<Variable<'_>> = keys
        .iter()
        .filter_map(|(key, name)| {
            let value = json.get("proxies")?.get(key)?.as_str()?;
            Some(Variable { name, value, at: scene.view.at(&At::whole(FILE)) })
        })
        .collect();
    proxies::goes_through(&set, scene.pull)
}

/// Whether dockerd read its file again since it was changed: on SIGHUP it takes over mirrors and insecure registries.
/// Source: docs.docker.com "dockerd", configuration reload behavior.
fn read_again(scene: &Scene<'_, '_>) -> bool {
    let Some(change) = reload::changed(scene, FILE) else { return false };
    let lines = reload::own_lines(scene, "Got signal to reload configuration");
    // A journal's own time has no year: that of the message behind it counts
    let time = |l: &Line<'_>| line_time(l.text.split_once("]: ").map_or(l.text, |(_, said)| said));
    lines.iter().filter_map(time).any(|at| at >= change.at)
}

/// Whether an address is in a network of IPv4: `10.0.0.0/8`. A name would be resolved, which nothing here does.
fn in_network(network: &str, host: &str) -> bool {
    let parsed = network.split_once('/').and_then(|(net, bits)| {
        let net: std::net::Ipv4Addr = net.parse().ok()?;
        let bits: u32 = bits.parse().ok().filter(|b| *b <= 32)?;
        let host: std::net::Ipv4Addr = host.parse().ok()?;
        Some((u32::from(net), u32::from(host), bits))
    });
    parsed.is_some_and(|(net, host, bits)| {
        let mask = u32::MAX.checked_shl(32 - bits).unwrap_or(0);
        net & mask == host & mask
    })
}

/// Whether what the runtime does read was seen, and has nothing for the registry: a file that was not collected may.
fn says_nothing(scene: &Scene<'_, '_>, runtime: Runtime, read: &str) -> bool {
    let defaults = scene.view.endpoints.iter().all(|e| e.source == Source::Default);
    let seen = runtime == Runtime::Containerd && scene.view.certain && defaults && scene.nothing_guessed();
    seen || scene.view.absent.shown(read).is_some()
}

/// The file that the running dockerd was told to read, and the line that shows it: a snap has one of its own.
fn told_to_read(scene: &Scene<'_, '_>) -> Option<(String, Evidence)> {
    let node = scene.pull.node;
    let lines = scene.case.lines_with("--config-file");
    lines.iter().filter(|l| l.node().is_none_or(|n| node.is_empty() || n == node)).find_map(|l| {
        let mut words = l.text.split_whitespace().skip_while(|w| !w.ends_with("dockerd"));
        words.next()?;
        let path = words.find_map(|w| w.strip_prefix("--config-file="))?;
        Some((path.to_owned(), l.shows(Say::new("evidence-file-named-on-command-line"))))
    })
}

/// A file with settings for this registry that dockerd does not read: another name, another place.
fn not_read(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let told = told_to_read(scene);
    let read = told.as_ref().map_or(FILE, |(path, _)| path.as_str());
    let gives =
        |path: &str| scene.view.text(path).and_then(|t| provides(scene, t)).filter(|p| scene.aim.needs(p));
    if gives(read).is_some() {
        return;
    }
    let gone = scene.view.absent.shown(read);
    // Beside the file itself, what has its name and more is a copy that somebody kept.
    let kept = |p: &str| p.starts_with(read) && scene.view.text(read).is_some();
    for path in scene.view.facts.files.keys().filter(|p| !kept(p)) {
        let Some(provides) = gives(path) else { continue };
        let beside = emulate::files::parent(path) == emulate::files::parent(read);
        let cause = if beside { Cause::ConfigWrongFileName } else { Cause::ConfigWrongFileLocation };
        let says =
            Say::new("evidence-file-not-read").with("file", path.clone()).with("read", read.to_owned());
        let mut evidence = vec![scene.view.shows(&At::whole(path), says)];
        evidence.extend(told.iter().map(|(_, shown)| shown.clone()));
        let not_there = || Say::new("evidence-not-there").with("file", read.to_owned());
        evidence.extend(gone.map(|g| g.evidence(not_there())));
        faults.add(Fault {
            cause,
            subject: remedy::file(scene, path),
            evidence,
            certain: scene.aim.is_known()
                && (gone.is_some() || scene.view.text(read).is_some())
                && !scene.aim.rests_on_unseen(&provides),
            remedies: remedy::move_file(scene, path, read),
        });
    }
}

/// Looks at it.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    if scene.view.runtime == Some(Runtime::Docker) {
        not_read(scene, faults);
    }
    let Some(json) = scene.view.text(FILE).and_then(|t| serde_json::from_str(t).ok()) else { return };
    let provides = of_settings(scene, &json);
    match scene.view.runtime {
        Some(Runtime::Docker) => {
            let again = if read_again(scene) { Provides::default() } else { provides };
            let provides = Provides { proxy: gives_proxy(scene, &json), ..again };
            reload::look(scene, &[(FILE.to_owned(), 0)], &provides, faults);
        }
        Some(runtime) if scene.aim.needs(&provides) => {
            let (program, read) = match runtime {
                Runtime::CriO => ("CRI-O", "/etc/containers/registries.conf"),
                _ => ("containerd", "/etc/containerd/config.toml"),
            };
            let says =
                Say::new("evidence-file-of-another-runtime").with("file", FILE).with("runtime", program);
            faults.add(Fault {
                cause: Cause::ConfigWrongFileLocation,
                subject: remedy::file(scene, FILE),
                evidence: vec![scene.view.shows(&At::whole(FILE), says)],
                certain: scene.aim.is_known()
                    && scene.aim.at_registry()
                    && says_nothing(scene, runtime, read),
                remedies: Vec::new(),
            });
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::in_network;

    #[test]
    fn networks() {
        assert!(in_network("10.0.0.0/8", "10.8.0.5") && in_network("0.0.0.0/0", "192.0.2.1"));
        assert!(!in_network("10.0.0.0/16", "10.8.0.5") && !in_network("10.0.0.0/64", "10.0.0.1"));
        assert!(!in_network("10.0.0.0/8", "r.example.com") && !in_network("r:5000", "10.0.0.1"));
    }
}
