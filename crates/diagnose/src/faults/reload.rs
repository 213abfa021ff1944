//! Whether a file was changed after the process that reads it only at its start: what it says is then not in force.

use super::aim::{Provides, same_endpoint};
use super::{Fault, Faults, Scene, remedy};
use crate::lines::Line;
use crate::lines::output_at;
use emulate::containerd::{At, Resolution};
use formats::transcript::{openssl, when};
use jiff::Timestamp;
use report::{Evidence, Say};
use vocabulary::Cause;

/// How much newer than the process's start a file must be, in seconds. `ps` computes a start from the time of boot, which
/// it knows in whole seconds (procps, `library/readproc.c`): seen 2 s too early where the file was written just before.
pub(crate) const APART: i64 = 5;

/// When something happened, and the line that says so.
pub struct Moment {
    /// When.
    pub at: Timestamp,
    /// What says so, where a line does.
    pub shown: Option<Evidence>,
}

/// When the runtime's process started.
pub fn started(scene: &Scene<'_, '_>) -> Option<Moment> {
    if let Some(at) = scene.view.facts.process.seen().and_then(|p| p.started) {
        let shown = said(scene, &["ActiveEnterTimestamp=", "ExecMainStartTimestamp=", "lstart"], at);
        return Some(Moment { at, shown });
    }
    for key in ["ExecMainStartTimestamp=", "ActiveEnterTimestamp="] {
        for line in own_lines(scene, key) {
            let value = line.text.split_once('=').map(|(_, v)| v).unwrap_or_default();
            if let Some(at) = when::read(value) {
                return Some(Moment { at, shown: Some(line.shows(Say::new("evidence-process-started"))) });
            }
        }
    }
    None
}

/// When a file was last changed.
pub fn changed(scene: &Scene<'_, '_>, path: &str) -> Option<Moment> {
    let line = own_lines(scene, path).into_iter().find_map(|line| Some((moment_of(line.text, path)?, line)));
    if let Some((at, line)) = line {
        return Some(Moment {
            at,
            shown: Some(line.shows(Say::new("evidence-file-changed").with("file", path.to_owned()))),
        });
    }
    let at = scene.view.facts.files.get(path)?.modified?;
    let says = Say::new("evidence-file-changed").with("file", path.to_owned());
    Some(Moment { at, shown: Some(scene.view.shows(&At::whole(path), says)) })
}

/// When a line says that a file was changed. `stat -c "%n %y"`: the path, then the time. `ls -l --time-style=full-iso`: the
/// time, then the path.
pub(crate) fn moment_of(line: &str, path: &str) -> Option<Timestamp> {
    let (before, after) = line.split_once(path)?;
    let year = |t: &str| t.contains("20") && t.contains(':');
    if year(after) {
        when::read(after)
    } else if year(before) {
        tail_time(before)
    } else {
        None
    }
}

/// The date and time at the end of the columns of a long listing.
fn tail_time(before: &str) -> Option<Timestamp> {
    let words: Vec<&str> = before.split_whitespace().collect();
    let first = words.iter().position(|w| w.len() == 10 && w.bytes().filter(|b| *b == b'-').count() == 2)?;
    when::read(&words.get(first..)?.join(" "))
}

pub(super) fn own_lines<'a>(scene: &Scene<'_, 'a>, word: &str) -> Vec<Line<'a>> {
    let node = &scene.view.facts.name;
    let several = scene.case.snapshot.node_facts.len() > 1;
    let own = |l: &&Line<'_>| !several || l.node().is_some_and(|n| n == node);
    scene.case.lines_with(word).iter().filter(own).copied().collect()
}

fn said(scene: &Scene<'_, '_>, words: &[&str], at: Timestamp) -> Option<Evidence> {
    let hit = words.iter().find_map(|w| {
        own_lines(scene, w)
            .into_iter()
            .find(|l| l.text.split_once('=').and_then(|(_, v)| when::read(v)).is_some_and(|t| t == at))
    });
    hit.map(|l| l.shows(Say::new("evidence-process-started")))
}

/// Whether none of the files is known to be newer than the process: what they say is then what runs.
pub fn current(scene: &Scene<'_, '_>, files: &[(String, i64)]) -> bool {
    newer(scene, files).is_none() && contradiction(scene).is_none()
}

/// A file that is newer than the process, with both moments.
pub fn newer(scene: &Scene<'_, '_>, files: &[(String, i64)]) -> Option<(String, Vec<Evidence>)> {
    let start = started(scene)?;
    files.iter().find_map(|(path, _)| {
        let change = changed(scene, path)?;
        (change.at.as_second() - start.at.as_second() > APART).then(|| {
            let shown: Vec<Evidence> = change.shown.into_iter().chain(start.shown.clone()).collect();
            (path.clone(), shown)
        })
    })
}

/// What the running process itself reports of its registry settings, where it does (1.x `crictl info`): the line, where it
/// differs from what the files say.
fn contradiction(scene: &Scene<'_, '_>) -> Option<(String, Evidence)> {
    let r = scene.view.resolution.as_ref()?;
    let on_disk = r.settings.config_path.as_ref().map(|s| s.value.as_str()).unwrap_or_default();
    let line = own_lines(scene, "\"configPath\"").into_iter().next()?;
    let value = line
        .text
        .split_once(':')
        .map(|(_, v)| v.trim().trim_end_matches(',').trim_matches('"').to_owned())?;
    (value != on_disk).then(|| {
        let says = Say::new("evidence-running-config").with("value", value.clone());
        (value, line.shows(says))
    })
}

/// What the running process reports, as a second witness of a fault.
pub fn running(scene: &Scene<'_, '_>, r: &Resolution) -> Option<Evidence> {
    let line = own_lines(scene, "\"configPath\"").into_iter().next()?;
    let value = line.text.split_once(':').map(|(_, v)| v.trim().trim_end_matches(',').trim_matches('"'))?;
    let on_disk = r.settings.config_path.as_ref().map(|s| s.value.as_str()).unwrap_or_default();
    (value == on_disk)
        .then(|| line.shows(Say::new("evidence-running-config").with("value", value.to_owned())))
}

/// A configuration that would help, were it in force, and is newer than the process.
pub fn look(scene: &Scene<'_, '_>, files: &[(String, i64)], provides: &Provides, faults: &mut Faults) {
    if !scene.aim.needs(provides) || scene.aim.marked {
        return;
    }
    // What runs has the same directory as the file: the change was another one.
    if scene
        .view
        .resolution
        .as_ref()
        .is_some_and(|r| r.settings.config_path.is_some() && running(scene, r).is_some())
    {
        return;
    }
    let newer = newer(scene, files);
    let other = contradiction(scene);
    let path = match (&newer, &other) {
        (Some((path, _)), _) => path.clone(),
        (None, Some(_)) => scene.view.config.clone(),
        (None, None) => return,
    };
    let both = newer.is_some() && other.is_some();
    let mut evidence: Vec<Evidence> = newer.map(|(_, e)| e).unwrap_or_default();
    evidence.extend(other.map(|(_, e)| e));
    faults.add(Fault {
        cause: Cause::ConfigNotReloaded,
        subject: remedy::file(scene, &path),
        evidence,
        certain: (both || scene.aim.is_known()) && !scene.aim.rests_on_unseen(provides),
        remedies: remedy::restart(scene),
    });
}

/// The bundles that Go reads once, at its first verification. Source: crypto/x509 root_linux.go, 1.22.
const BUNDLES: &[&str] = &[
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/pki/tls/certs/ca-bundle.crt",
    "/etc/ssl/ca-bundle.pem",
    "/etc/pki/tls/cacert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/ssl/cert.pem",
];

/// System roots that are newer than the process, which has cached the old ones.
pub fn roots(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let own_ca =
        scene.view.endpoints.iter().any(|e| same_endpoint(&e.host, &scene.aim.own_host) && !e.ca.is_empty());
    let needed = Provides { ca: true, ..Provides::default() };
    if own_ca || !scene.aim.needs(&needed) || !scene.aim.at_registry() {
        return;
    }
    let files: Vec<(String, i64)> = BUNDLES.iter().map(|b| ((*b).to_owned(), 0)).collect();
    let Some((path, mut evidence)) = newer(scene, &files) else { return };
    let verified = verifies(scene);
    let certain = verified.is_some() && scene.aim.is_known();
    evidence.extend(verified);
    faults.add(Fault {
        cause: Cause::ConfigNotReloaded,
        subject: remedy::file(scene, &path),
        evidence,
        certain,
        remedies: remedy::restart(scene),
    });
}

/// A run of openssl on the node that verifies the registry's chain by the system's roots as they are now.
fn verifies(scene: &Scene<'_, '_>) -> Option<Evidence> {
    let by_system = |line: &str| match line.split_once("-CAfile ") {
        Some((_, rest)) => rest.split_whitespace().next().is_some_and(|f| BUNDLES.contains(&f)),
        None => !line.contains("-CApath ") || line.contains("-CApath /etc/ssl/certs"),
    };
    scene.case.outputs_on(&scene.view.facts.name).filter(|o| o.node.is_some()).find_map(|o| {
        let shown = openssl::read(&o.command, &o.text)?;
        let passed = o.text.contains("Verify return code: 0") || o.text.contains("Verification: OK");
        (passed
            && shown.errors.is_empty()
            && same_endpoint(&shown.target, &scene.aim.host)
            && by_system(&o.command))
        .then(|| Evidence {
            at: output_at(o, o.origin.line),
            says: Say::new("evidence-roots-verify-now").with("host", scene.aim.host.clone()),
            quote: "Verify return code: 0 (ok)".into(),
        })
    })
}
