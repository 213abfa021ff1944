//! Settings for the registry that containerd does not have: why not.

use super::aim::Provides;
use super::intent::{self, Intent};
use super::names::{self, Fit};
use super::{Fault, Faults, Scene, reload, remedy};
use crate::node_view::{dumped, generates};
use emulate::containerd::{At, Endpoint, Note, PullPath, Resolution, Settings, State, Version};
use formats::url::host_of;
use report::{Evidence, Say};
use vocabulary::Cause;

/// Faults whose absence a resolved configuration shows.
const EXCLUDED: &[Cause] = &[
    Cause::ConfigPathListUnsupported,
    Cause::ConfigWrongSection,
    Cause::ConfigVersionMismatch,
    Cause::ConfigPathUnset,
    Cause::ConfigMirrorsAndConfigPath,
    Cause::ConfigHostsTomlInvalid,
];

/// Looks for them.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let (Some(r), Some(version)) = (&scene.view.resolution, &scene.view.version) else { return };
    refused(scene, r, faults);
    let intents = intent::of_node(scene, version);
    for intent in &intents {
        if r.host_dir.as_deref() == Some(intent.dir.as_str()) {
            taken(scene, intent, faults);
            read_nowhere(scene, intent, faults);
            server_in_a_table(scene, r, intent, faults);
        } else if scene.aim.needs(&intent.provides) {
            not_taken(scene, r, intent, faults);
        }
    }
    unread_tables(scene, r, faults);
    inline(scene, r, version, faults);
    let served = intents.iter().any(|i| r.host_dir.as_deref() == Some(i.dir.as_str()) && i.dropped.is_none());
    if scene.view.certain && (served || intents.is_empty() && r.unread.is_empty()) {
        let says = Say::new("evidence-config-read").with("file", scene.view.config.clone());
        let shown = scene.view.shows(&scene.view.file(&scene.view.config), says);
        faults.exclude(EXCLUDED, &shown);
        if r.settings.mirrors.is_empty() && r.settings.hosts.is_empty() && r.unread.is_empty() {
            faults.exclude(&[Cause::ConfigLegacyInlineIgnored], &shown);
        }
    }
}

/// A configuration with which no pull is served at all.
fn refused(scene: &Scene<'_, '_>, r: &Resolution, faults: &mut Faults) {
    let (error, at) = match &r.state {
        State::Ok => return,
        State::DaemonFails { error, at } | State::CriNotLoaded { error, at } => (error, at),
    };
    let cause = if error.contains("cannot be set when") {
        Cause::ConfigMirrorsAndConfigPath
    } else if error.contains("config version") {
        Cause::ConfigVersionMismatch
    } else {
        return;
    };
    let at = at.clone().unwrap_or_else(|| At::whole(&scene.view.config));
    let says = Say::new("evidence-config-refused").with("error", error.clone());
    let symptom = scene.aim.symptom;
    // A pull that reached a registry was served by a daemon that had loaded something else.
    let fits = matches!(symptom, Cause::RuntimeConfigInvalid | Cause::RuntimeUnavailable | Cause::Unknown)
        || symptom == cause;
    if fits {
        faults.add(Fault {
            cause,
            subject: remedy::file(scene, &at.path),
            evidence: vec![scene.view.shows(&at, says)],
            certain: symptom != Cause::Unknown,
            remedies: remedy::mirrors_or_path(scene, &at),
        });
    }
}

/// The directory that is taken: whether what stands in it is read.
fn taken(scene: &Scene<'_, '_>, intent: &Intent, faults: &mut Faults) {
    if let Some((at, reason)) = &intent.dropped {
        if scene.aim.needs(&intent.provides) {
            let says = Say::new("evidence-file-dropped").with("reason", reason.clone());
            let mut evidence = vec![scene.view.shows(at, says)];
            evidence.extend(logged_drop(scene));
            faults.add(Fault {
                cause: Cause::ConfigHostsTomlInvalid,
                subject: remedy::file(scene, &at.path),
                evidence,
                certain: scene.view.certain && !scene.aim.rests_on_unseen(&intent.provides),
                remedies: remedy::mend_hosts_toml(scene, intent),
            });
        }
    } else if !intent.well_named && scene.aim.needs(&intent.provides) {
        wrong_name(scene, intent, faults);
    }
}

/// A CA or `skip_verify` of a file that is read, which counts for no host: below a table with another name, below `header`, at
/// the top beside host tables, or under the key of another program's file (containerd core/remotes/docker/config/hosts.go,
/// parseHostsFile).
fn read_nowhere(scene: &Scene<'_, '_>, intent: &Intent, faults: &mut Faults) {
    let any = |has: fn(&Endpoint) -> bool| scene.view.endpoints.iter().any(has);
    let lost = |line: &str| match line.split_once('=').map(|(key, value)| (key.trim(), value.trim())) {
        Some(("ca" | "ca_file", _)) => !any(|e| !e.ca.is_empty()),
        Some(("skip_verify" | "insecure_skip_verify" | "insecure", value)) => {
            value.starts_with("true") && !any(|e| e.skip_verify)
        }
        _ => false,
    };
    let meant = Provides { ca: true, skip_verify: true, ..Provides::default() };
    let read = intent.dropped.is_none() && intent.well_named;
    if !read || !scene.aim.needs(&meant) || !scene.aim.at_registry() {
        return;
    }
    let text = scene.view.text(&intent.file).unwrap_or_default();
    let Some((n, _)) = (1..).zip(text.lines().map(str::trim)).find(|(_, line)| lost(line)) else { return };
    let at = At { path: intent.file.as_str().into(), line: n, column: 0 };
    faults.add(Fault {
        cause: Cause::ConfigHostsTomlInvalid,
        subject: remedy::file(scene, &intent.file),
        evidence: vec![scene.view.shows(&at, Say::new("evidence-setting-read-nowhere"))],
        certain: false,
        remedies: remedy::mend_hosts_toml(scene, intent),
    });
}

/// A `server` that stands below a host table's line belongs to that table, where it means nothing: the registry's default
/// host is asked in its place (containerd core/remotes/docker/config/hosts.go).
fn server_in_a_table(scene: &Scene<'_, '_>, r: &Resolution, intent: &Intent, faults: &mut Faults) {
    let meant = Provides { mirror: true, ..Provides::default() };
    if intent.dropped.is_some() || !scene.aim.is_known() || !scene.aim.needs(&meant) {
        return;
    }
    let mut table = false;
    for (n, line) in (1..).zip(scene.view.text(&intent.file).unwrap_or_default().lines().map(str::trim)) {
        table |= line.starts_with("[host.");
        let value = line.strip_prefix("server").map(str::trim_start).and_then(|l| l.strip_prefix('='));
        let Some(url) = value.filter(|_| table).map(|v| v.trim().trim_matches(['"', '\''])) else { continue };
        let host = host_of(url);
        if host.is_empty() || super::aim::same_endpoint(host, &scene.aim.own_host) {
            continue;
        }
        let at = At { path: intent.file.as_str().into(), line: n, column: 0 };
        let says = Say::new("evidence-server-in-host-table").with("url", url.to_owned());
        faults.add(Fault {
            cause: Cause::ConfigHostsTomlInvalid,
            subject: remedy::file(scene, &intent.file),
            evidence: vec![scene.view.shows(&at, says)],
            certain: scene.view.certain && reload::current(scene, &r.files),
            remedies: remedy::mend_hosts_toml(scene, intent),
        });
    }
}

fn wrong_name(scene: &Scene<'_, '_>, intent: &Intent, faults: &mut Faults) {
    let at = At::whole(&intent.file);
    let says = Say::new("evidence-file-name-not-read").with("file", intent.file.clone());
    faults.add(Fault {
        cause: Cause::ConfigWrongFileName,
        subject: remedy::file(scene, &intent.file),
        evidence: vec![scene.view.shows(&at, says)],
        certain: scene.view.certain
            && scene.nothing_guessed()
            && !scene.aim.rests_on_unseen(&intent.provides),
        remedies: remedy::rename(scene, &intent.file, intent.file.ends_with("toml").then_some("hosts.toml")),
    });
}

/// The line of the runtime's log that says that a file was dropped.
fn logged_drop(scene: &Scene<'_, '_>) -> Option<Evidence> {
    let lines = scene.case.lines_with("failed to decode");
    let line = lines.iter().find(|l| l.text.contains("hosts.toml"))?;
    Some(line.shows(Say::new("evidence-runtime-dropped-file")))
}

/// A directory that would help and is not looked at: the first reason on the way to it.
fn not_taken(scene: &Scene<'_, '_>, r: &Resolution, intent: &Intent, faults: &mut Faults) {
    let file = At::whole(&intent.file);
    let there =
        scene.view.shows(&file, Say::new("evidence-file-would-help").with("file", intent.file.clone()));
    // The names of roots in a list that is split, and the whole of one that is not.
    let in_roots = r.roots.iter().any(|root| same_dir(root, &intent.root));
    let own_dir = r.host_dir.as_ref().is_some_and(|d| !d.ends_with("/_default"));
    if intent.misspelt && (own_dir || !in_roots) {
        return;
    }
    // Below a directory that is read, beside the registry's own, lies what somebody put aside.
    let aside =
        |root: &String| intent.root.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'));
    if own_dir && r.roots.iter().any(aside) {
        return;
    }
    let (cause, at, says) = if in_roots {
        if !intent.well_named && intent.fit == Fit::Exact {
            return wrong_name(scene, intent, faults);
        }
        if intent.fit == Fit::Exact && r.host_dir.is_some() {
            let taken = r.host_dir.clone().unwrap_or_default();
            let says = Say::new("evidence-other-directory-taken").with("dir", taken);
            (Cause::ConfigHostDirMismatch, file.clone(), says)
        } else if intent.fit == Fit::Any && r.host_dir.is_some() {
            // A directory of the registry's own hides the catch-all: that is its purpose.
            return;
        } else {
            let says = Say::new("evidence-directory-name-not-looked-for")
                .with("dir", intent.dir.clone())
                .with("registry", scene.aim.registry.clone());
            // A catch-all has the name that it must have: releases before it came to be look nowhere for it.
            let cause = match intent.fit {
                Fit::Any => Cause::ConfigWrongFileLocation,
                _ => Cause::ConfigHostDirMismatch,
            };
            (cause, file.clone(), says)
        }
    } else {
        match not_rooted(scene, r, intent) {
            Some(reason) => reason,
            None => return,
        }
    };
    let mut evidence = vec![there];
    let shown = scene.view.shows(&at, says);
    if !evidence.contains(&shown) {
        evidence.insert(0, shown);
    }
    if scene.view.text(&scene.view.config).is_none() {
        let gone = scene.view.absent.shown(&scene.view.config);
        let not_there = Say::new("evidence-not-there").with("file", scene.view.config.clone());
        evidence.extend(printed(scene).or_else(|| gone.map(|g| g.evidence(not_there))));
    }
    evidence.extend(reload::running(scene, r));
    // Certain where the file that decides was collected, and the words show that the registry itself was asked.
    let certain = scene.view.certain && scene.aim.is_known() && !scene.aim.marked && intent.fit != Fit::Any
        || (scene.view.certain && scene.aim.is_known() && !scene.aim.marked && scene.aim.at_registry());
    faults.add(Fault {
        cause,
        subject: remedy::file(
            scene,
            if cause == Cause::ConfigHostDirMismatch { &intent.dir } else { &at.path },
        ),
        evidence,
        // A directory of the registry's own that is read makes a copy elsewhere a leftover, as often as not.
        certain: certain
            && (in_roots || !own_dir)
            && !intent.misspelt
            && scene.nothing_guessed()
            && reload::current(scene, &r.files)
            && !scene.aim.rests_on_unseen(&intent.provides),
        remedies: remedy::not_taken(scene, cause, intent, r),
    });
}

/// The line of a printed configuration in force, where its file was not collected.
fn printed(scene: &Scene<'_, '_>) -> Option<Evidence> {
    let without = scene.view.absent.shown(&scene.view.config).is_some();
    let dump = || dumped(scene.case, scene.view.facts, without);
    scene.view.text(&scene.view.config).is_none().then(dump)?.map(|(_, e)| e)
}

/// Why the directory that holds it is not one in which directories are looked for.
fn not_rooted(scene: &Scene<'_, '_>, r: &Resolution, intent: &Intent) -> Option<(Cause, At, Say)> {
    let config = At::whole(&scene.view.config);
    let in_list = |value: &str| value.split(':').any(|d| same_dir(d, &intent.root));
    for note in &r.notes {
        if let Note::ListAsOneDirectory { at, value } = note
            && in_list(value)
        {
            let says = Say::new("evidence-list-as-one-directory").with("value", value.clone());
            return Some((Cause::ConfigPathListUnsupported, at.clone().unwrap_or(config), says));
        }
    }
    if !scene.view.certain && printed(scene).is_none() {
        // Without a file the release's own defaults count: none is set before 2.2. Another file may have been named.
        let without =
            scene.view.absent.shown(&scene.view.config).is_some() && !generates(scene.view.distribution);
        let says = Say::new("evidence-not-there").with("file", scene.view.config.clone());
        return (without && r.roots.is_empty()).then_some((Cause::ConfigPathUnset, config, says));
    }
    for (section, settings) in &r.unread {
        let Some(path) = settings.config_path.as_ref().filter(|p| in_list(&p.value)) else { continue };
        let at = path.at.clone().unwrap_or_else(|| config.clone());
        return Some((unread_cause(scene, section), at, unread_words(section, r)));
    }
    if let Some(note) = r.notes.iter().find_map(|n| match n {
        Note::SectionReplaced { by, .. } => Some(by.clone()),
        _ => None,
    }) {
        return Some((Cause::ConfigPathUnset, note, Say::new("evidence-section-replaced")));
    }
    let unset = r.roots.is_empty() || r.settings.config_path.as_ref().is_some_and(|p| p.at.is_none());
    if let Some(at) = unset.then(|| not_imported(scene, r, &in_list)).flatten() {
        let says = Say::new("evidence-file-not-imported").with("file", at.path.to_string());
        return Some((Cause::ConfigWrongFileLocation, at, says));
    }
    if let Some((at, table)) = unset.then(|| in_another_table(scene, r, &in_list)).flatten() {
        return Some((Cause::ConfigWrongSection, at, unread_words(&table, r)));
    }
    if unset {
        let says = Say::new("evidence-no-config-path").with("file", scene.view.config.clone());
        return Some((Cause::ConfigPathUnset, config, says));
    }
    // A template's variable says nothing of where the path leads.
    let set = r.settings.config_path.as_ref().filter(|p| !p.value.contains('$'))?;
    let says = Say::new("evidence-config-path-elsewhere").with("value", set.value.clone());
    Some((Cause::ConfigWrongFileLocation, set.at.clone().unwrap_or(config), says))
}

/// A file of containerd's settings that names the directory, and that no file which is read imports.
fn not_imported(scene: &Scene<'_, '_>, r: &Resolution, names_it: &impl Fn(&str) -> bool) -> Option<At> {
    let main = &scene.view.config;
    // What lies beside the main file under nearly its name is a copy that somebody kept.
    let copy = |p: &str| {
        let name = p.rsplit('/').next().unwrap_or_default();
        emulate::files::parent(p) == emulate::files::parent(main) && name.starts_with("config")
    };
    let unread = |p: &&String| p.ends_with(".toml") && !copy(p) && r.files.iter().all(|(read, _)| read != *p);
    scene.view.facts.files.keys().filter(unread).find_map(|path| {
        let lines = (1..).zip(scene.view.text(path)?.lines());
        let mut settings = lines.filter_map(|(n, line)| Some((n, line.trim().strip_prefix("config_path")?)));
        settings.find_map(|(n, rest)| {
            let value = rest.trim_start().strip_prefix('=')?.trim().trim_matches(['"', '\'']);
            names_it(value).then(|| At { path: path.as_str().into(), line: n, column: 0 })
        })
    })
}

/// A line of the settings that are read which names the directory, in a table where no directory is looked for.
fn in_another_table(
    scene: &Scene<'_, '_>,
    r: &Resolution,
    names_it: &impl Fn(&str) -> bool,
) -> Option<(At, String)> {
    r.files.iter().find_map(|(path, _)| {
        let mut table = "";
        (1..).zip(scene.view.text(path)?.lines().map(str::trim)).find_map(|(n, line)| {
            if let Some(head) = line.strip_prefix('[') {
                table = head.split(" #").next().unwrap_or(head).trim().trim_end_matches(']');
            }
            let (key, value) = line.split_once('=').filter(|(key, _)| !key.starts_with('#'))?;
            let (within, key) = key.trim().rsplit_once('.').unwrap_or(("", key.trim()));
            let value = value.split(" #").next().unwrap_or(value).trim().trim_matches(['"', '\'']);
            let at = At { path: path.as_str().into(), line: n, column: 0 };
            let section =
                [table, within].iter().filter(|s| !s.is_empty()).copied().collect::<Vec<_>>().join(".");
            (key == "config_path" && names_it(value))
                .then(|| (at, if section.is_empty() { "/".into() } else { section }))
        })
    })
}

/// Whether a section would be read with another `version`, or never by this release.
fn unread_cause(scene: &Scene<'_, '_>, section: &str) -> Cause {
    let old = scene.view.version.as_ref().is_some_and(|v| !v.since(2, 0, 0));
    match section {
        "io.containerd.grpc.v1.cri" => Cause::ConfigVersionMismatch,
        "io.containerd.cri.v1.images" if old => Cause::ConfigWrongSection,
        "cri" => Cause::ConfigVersionMismatch,
        _ => Cause::ConfigWrongSection,
    }
}

fn unread_words(section: &str, r: &Resolution) -> Say {
    let versions: Vec<String> = r.files.iter().map(|(p, v)| format!("{p}: {v}")).collect();
    Say::new("evidence-section-not-read")
        .with("section", section.to_owned())
        .with("versions", versions.join(", "))
}

/// Mirrors and hosts in sections that are not read, and TLS tables that this release does not know.
fn unread_tables(scene: &Scene<'_, '_>, r: &Resolution, faults: &mut Faults) {
    if !scene.view.certain {
        return;
    }
    for (section, settings) in &r.unread {
        if let Some((at, provides)) = table_for(scene, settings)
            && scene.aim.needs(&provides)
        {
            let evidence = vec![scene.view.shows(&at, unread_words(section, r))];
            faults.add(Fault {
                cause: unread_cause(scene, section),
                subject: remedy::file(scene, &at.path),
                evidence,
                certain: scene.aim.is_known()
                    && !scene.aim.marked
                    && reload::current(scene, &r.files)
                    && !scene.aim.rests_on_unseen(&provides),
                remedies: remedy::section(scene, &at, section),
            });
        }
    }
    for note in &r.notes {
        let Note::TlsTableNotRead { at, host } = note else { continue };
        let own = super::aim::same_endpoint(host, &scene.aim.host);
        let tls = r.settings.hosts.iter().find(|h| h.host == *host).and_then(|h| h.tls.clone());
        let provides = tls.map(|t| Provides {
            ca: !t.ca_file.is_empty(),
            skip_verify: t.skip_verify,
            client: !t.cert_file.is_empty(),
            ..Default::default()
        });
        if let Some(provides) = provides.filter(|p| own && scene.aim.needs(p)) {
            let says = Say::new("evidence-tls-table-not-read").with("host", host.clone());
            faults.add(Fault {
                cause: Cause::ConfigLegacyInlineIgnored,
                subject: remedy::file(scene, &at.path),
                evidence: vec![scene.view.shows(at, says)],
                certain: reload::current(scene, &r.files) && !scene.aim.rests_on_unseen(&provides),
                remedies: remedy::to_hosts_toml(scene, r),
            });
        }
    }
}

/// The table of some settings that is for this registry, and what it would provide.
fn table_for(scene: &Scene<'_, '_>, settings: &Settings) -> Option<(At, Provides)> {
    let provides = |endpoints: &[String]| {
        let mut p = Provides::default();
        for e in endpoints {
            if super::aim::same_endpoint(host_of(e), &scene.aim.own_host) {
                p.http |= e.starts_with("http://");
            } else {
                p.mirror = true;
            }
        }
        p
    };
    for mirror in &settings.mirrors {
        if matches!(names::of_key(&mirror.name, &scene.aim.registry), Some(Fit::Exact | Fit::Any)) {
            return Some((mirror.at.clone(), provides(&mirror.endpoints)));
        }
    }
    for host in &settings.hosts {
        if super::aim::same_endpoint(&host.host, &scene.aim.host) {
            let tls = host.tls.clone().unwrap_or_default();
            let p = Provides {
                ca: !tls.ca_file.is_empty(),
                skip_verify: tls.skip_verify,
                client: !tls.cert_file.is_empty(),
                auth: host.has_auth,
                ..Default::default()
            };
            return Some((host.at.clone(), p));
        }
    }
    None
}

/// The `mirrors` table in force, with no entry for this registry though one was meant for it.
fn inline(scene: &Scene<'_, '_>, r: &Resolution, _: &Version, faults: &mut Faults) {
    if r.pull_path != PullPath::Local || !r.roots.is_empty() || scene.view.registries.is_some() {
        return;
    }
    let names: Vec<(&str, &At, &[String])> =
        r.settings.mirrors.iter().map(|m| (m.name.as_str(), &m.at, m.endpoints.as_slice())).collect();
    if let Some((name, at)) = key_meant(scene, &names) {
        faults.add(Fault {
            cause: Cause::ConfigMirrorKeyMismatch,
            subject: remedy::file(scene, &at.path),
            evidence: vec![scene.view.shows(at, remedy::key_words(scene, name))],
            certain: scene.view.certain && scene.aim.is_known() && reload::current(scene, &r.files),
            remedies: remedy::key(scene, at, name, &scene.aim.registry),
        });
    }
}

/// An entry that was meant for the registry under another key: a near miss of its name, or another registry's entry
/// whose endpoint is this registry.
pub fn key_meant<'k>(
    scene: &Scene<'_, '_>,
    entries: &[(&'k str, &'k At, &[String])],
) -> Option<(&'k str, &'k At)> {
    let registry = &scene.aim.registry;
    let fits = |name: &str| names::of_key(name, registry);
    if entries.iter().any(|(n, ..)| matches!(fits(n), Some(Fit::Exact | Fit::Any))) {
        return None;
    }
    let helps = |endpoints: &[String]| {
        let mut p = Provides::default();
        for e in endpoints {
            if super::aim::same_endpoint(host_of(e), &scene.aim.own_host) {
                p.http |= e.starts_with("http://");
            } else {
                p.mirror = true;
            }
        }
        scene.aim.needs(&p)
    };
    let near = entries.iter().find(|(n, _, e)| fits(n) == Some(Fit::Near) && helps(e));
    let aimed = entries.iter().find(|(_, _, endpoints)| {
        endpoints.iter().any(|e| super::aim::same_endpoint(host_of(e), &scene.aim.own_host))
            && helps(endpoints)
    });
    near.or(aimed).map(|(n, at, _)| (*n, *at))
}

fn same_dir(a: &str, b: &str) -> bool {
    !a.is_empty() && a.trim_end_matches('/') == b.trim_end_matches('/')
}
