//! A proxy that the files of the runtime's unit give it, and with which the process does not run: it was started before.

use super::{Fault, Faults, Scene, reload, remedy};
use crate::lines::Line;
use crate::questions::proxies::{self, Variable};
use crate::questions::words::quote;
use emulate::containerd::At;
use emulate::go::url::split_port;
use formats::systemd_unit;
use formats::url::host_of;
use report::{Evidence, Locator, Say};
use std::collections::BTreeMap;
use std::net::IpAddr;
use vocabulary::{Cause, Stage};

/// Looks for it.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    if !matches!(scene.aim.symptom.stage(), Stage::Dns | Stage::Connect) || scene.aim.marked {
        return;
    }
    said_by_systemd(scene, faults);
    differs_from_what_runs(scene, faults);
}

/// How systemd says that a unit's files are not what runs (systemd src/systemctl/systemctl-show.c).
const CHANGED_ON_DISK: &str = "changed on disk. Run 'systemctl daemon-reload'";

/// A drop-in that gives the runtime a proxy, of a unit that systemd itself says was changed since.
fn said_by_systemd(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let services = scene.view.distribution.services;
    let of_runtime = |l: &Line<'_>| {
        l.text.contains(&format!("{}.service", scene.view.service()))
            || services.iter().any(|s| l.text.contains(&format!("{s}.service")))
    };
    let line = reload::own_lines(scene, CHANGED_ON_DISK).into_iter().find(of_runtime);
    let Some(line) = line.filter(|_| scene.aim.at_registry()) else { return };
    let drop_in = scene.view.facts.files.iter().find(|(path, file)| {
        let text = file.text.seen().map(|t| t.to_ascii_uppercase()).unwrap_or_default();
        path.contains(&format!("{}.service.d/", scene.view.service())) && text.contains("HTTPS_PROXY=")
    });
    let Some((path, _)) = drop_in else { return };
    let says = Say::new("evidence-unit-changed-on-disk");
    faults.add(Fault {
        cause: Cause::ConfigNotReloaded,
        subject: remedy::file(scene, path),
        evidence: vec![line.shows(says.clone()), scene.view.shows(&At::whole(path), says)],
        certain: scene.aim.is_known(),
        remedies: remedy::restart(scene),
    });
}

/// A unit's file whose proxy is not the one that the process has, or that the words show to be asked.
fn differs_from_what_runs(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let unit = proxies::of_unit(scene.case, scene.pull);
    // A drop-in without its section is passed over: that is another fault.
    let Some((file, path)) = unit.iter().rev().find_map(|v| Some((v, in_service(scene, v)?))) else { return };
    if started_since(scene, path) {
        return;
    }
    let through = proxies::goes_through(&unit, scene.pull);
    let shown = match proxies::of_process(scene.case, scene.pull) {
        Some((process, at)) => (values(&process) != values(&unit)
            && (through || proxies::goes_through(&process, scene.pull)))
        .then(|| {
            let says = Say::new("evidence-process-without-units-proxy");
            let quote =
                process.iter().map(|v| format!("{}={}", v.name, v.value)).collect::<Vec<_>>().join(" ");
            Evidence { at, says, quote }
        }),
        None => by_words(scene, &unit, through),
    };
    let Some(shown) = shown else { return };
    let newer = reload::newer(scene, &[(path.to_owned(), 0)]).map(|(_, shown)| shown).unwrap_or_default();
    let certain = !newer.is_empty() && scene.aim.is_known();
    let says = Say::new("evidence-unit-gives-proxy").with("file", path.to_owned());
    let given = Evidence { at: file.at.clone(), says, quote: format!("{}={}", file.name, file.value) };
    faults.add(Fault {
        cause: Cause::ConfigNotReloaded,
        subject: remedy::file(scene, path),
        evidence: [given, shown].into_iter().chain(newer).collect(),
        certain,
        remedies: remedy::restart(scene),
    });
}

/// The unit's file of a variable, where it stands in the section that systemd reads.
fn in_service<'v>(scene: &Scene<'_, '_>, variable: &'v Variable<'_>) -> Option<&'v str> {
    let Locator::File { path, .. } = &variable.at else { return None };
    let text = scene.view.text(path)?;
    (!path.contains("/systemd/") || !systemd_unit::environment(text).is_empty()).then_some(path)
}

/// Whether the process is known to have started after the file was last changed.
fn started_since(scene: &Scene<'_, '_>, path: &str) -> bool {
    let both = reload::started(scene).zip(reload::changed(scene, path));
    both.is_some_and(|(start, change)| change.at < start.at)
}

/// The last value of each variable, whatever its case, without the user of a URL.
fn values(set: &[Variable<'_>]) -> BTreeMap<String, String> {
    let bare = |value: &str| value.rsplit('@').next().unwrap_or_default().to_owned();
    set.iter().map(|v| (v.name.to_ascii_uppercase(), bare(v.value))).collect()
}

/// What the words show of the way that was taken, where nobody looked at the process: Go names the proxy of a connection that
/// does not come about (net/http transport.go, `proxyconnect`), and a proxy's refusal is its own.
fn by_words(scene: &Scene<'_, '_>, unit: &[Variable<'_>], through: bool) -> Option<Evidence> {
    // What goes past the proxy for the registry may not for its token service.
    let words = scene.pull.deciding().filter(|_| scene.aim.at_registry())?;
    let asked_proxy = words.text.contains("proxyconnect") || scene.aim.symptom.area() == "proxy";
    let way = words.text.rsplit_once("dial tcp").map(|(_, way)| way.trim_start_matches([' ', ':']));
    let other = match (through, asked_proxy) {
        (false, asked) => asked && scene.aim.is_known(),
        (true, false) => way.is_some(),
        (true, true) => is_another(way?, unit),
    };
    let says = if asked_proxy { "evidence-words-of-other-proxy" } else { "evidence-words-of-direct-way" };
    other.then(|| quote(words, Say::new(says)))
}

/// Whether `203.0.113.7:3128: connect: ...` is no proxy of these: another port, or another address where both are addresses;
/// or `lookup proxy.example.com on 10.0.0.10:53: ...` with another name.
fn is_another(way: &str, unit: &[Variable<'_>]) -> bool {
    let proxies = unit.iter().filter(|v| proxies::is_proxy(v));
    let named: Vec<_> = proxies.filter_map(|v| split_port(host_of(v.value))).collect();
    if named.is_empty() {
        return false;
    }
    if let Some(name) = way.strip_prefix("lookup ").and_then(|w| w.split([' ', ':']).next()) {
        return named.iter().all(|(other, _)| !other.eq_ignore_ascii_case(name.trim_end_matches('.')));
    }
    let Some((host, port)) = way.split_once(": ").and_then(|(address, _)| split_port(address)) else {
        return false;
    };
    let apart =
        |other: &str| other != host && other.parse::<IpAddr>().is_ok() && host.parse::<IpAddr>().is_ok();
    named.iter().all(|(other, at)| *at != port || apart(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proxy_is_another_by_its_port_or_by_its_address() {
        let unit =
            |value: &'static str| [Variable { name: "HTTPS_PROXY", value, at: Locator::Text { line: 0 } }];
        let refused = "203.0.113.7:3128: connect: connection refused";
        for other in ["http://203.0.113.8:3128", "http://203.0.113.7:8080", "http://proxy.example.com:8080"] {
            assert!(is_another(refused, &unit(other)), "{other}");
        }
        for same in ["http://u:p@203.0.113.7:3128", "http://proxy.example.com:3128", "nonsense"] {
            assert!(!is_another(refused, &unit(same)), "{same}");
        }
        for unknown in [
            "lookup proxy.example.com on 10.0.0.10:53: no such host",
            "lookup proxy.example.com: i/o timeout",
        ] {
            assert!(!is_another(unknown, &unit("http://Proxy.example.com:3128")), "{unknown}");
            assert!(is_another(unknown, &unit("http://old.example.com:3128")), "{unknown}");
            assert!(is_another(unknown, &unit("http://203.0.113.7:3128")), "{unknown}");
        }
    }
}
