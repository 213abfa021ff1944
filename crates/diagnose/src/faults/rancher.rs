//! registries.yaml of k3s and RKE2: its name, its place, its keys.

use super::aim::{Provides, same_endpoint};
use super::not_in_force::key_meant;
use super::rancher_settings::{registries_file, setting};
use super::{Fault, Faults, Scene, reload, remedy};
use crate::node_view::generates;
use crate::questions::places::on_a_peer;
use emulate::containerd::At;
use emulate::k3s;
use formats::registries_yaml::{self, HostConfig, RegistriesYaml};
use formats::url::host_of;
use report::Say;
use std::rc::Rc;
use vocabulary::{Cause, Stage};

/// Looks at it.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    if !generates(scene.view.distribution) {
        return;
    }
    misnamed(scene, faults);
    unknown_to_peers(scene, faults);
    let Some((path, file)) = &scene.view.registries else { return };
    structure(scene, path, file, faults);
    keyed_otherwise(scene, path, file, faults);
    let rc: Rc<str> = Rc::from(*path);
    let ats: Vec<At> =
        file.mirrors.iter().map(|m| At { path: Rc::clone(&rc), line: m.line, column: 0 }).collect();
    let entries: Vec<(&str, &At, &[String])> =
        file.mirrors.iter().zip(&ats).map(|(m, at)| (m.name.as_str(), at, m.endpoints.as_slice())).collect();
    if let Some((name, at)) = key_meant(scene, &entries) {
        faults.add(Fault {
            cause: Cause::ConfigMirrorKeyMismatch,
            subject: remedy::file(scene, path),
            evidence: vec![scene.view.shows(at, remedy::key_words(scene, name))],
            certain: scene.aim.is_known() && !scene.aim.marked,
            remedies: remedy::key(scene, at, name, &scene.aim.registry),
        });
    }
    let provides = provides(scene, file);
    reload::look(scene, &[((*path).to_owned(), 0)], &provides, faults);
}

/// What a file would provide for the pull's registry.
pub fn provides(scene: &Scene<'_, '_>, file: &RegistriesYaml) -> Provides {
    let mut p = Provides::default();
    if let Some(mirror) = k3s::mirror_of(file, &scene.aim.registry) {
        for e in &mirror.endpoints {
            if same_endpoint(host_of(e), &scene.aim.own_host) {
                p.http |= e.starts_with("http://");
            } else {
                p.mirror = true;
            }
        }
    }
    for config in file.configs.iter().filter(|c| c.host == scene.aim.host) {
        add(&mut p, config);
    }
    p
}

/// What an entry of `configs` gives to the host that it is for.
fn add(p: &mut Provides, config: &HostConfig) {
    p.auth |= config.has_auth;
    if let Some(tls) = &config.tls {
        p.ca |= !tls.ca_file.is_empty();
        p.skip_verify |= tls.skip_verify;
        p.client |= !tls.cert_file.is_empty();
    }
}

/// An entry of `configs` under a URL, with the default port that the endpoint has not, or under the registry's name where a
/// mirror of it is asked: it is looked up by the host of the endpoint as it is written (k3s-io/k3s pkg/agent/containerd,
/// containerd pkg/cri/server/image_pull.go).
fn keyed_otherwise(scene: &Scene<'_, '_>, path: &str, file: &RegistriesYaml, faults: &mut Faults) {
    let asked = &scene.aim.host;
    if file.configs.iter().any(|c| c.host == *asked) {
        return;
    }
    let mirrored = k3s::mirror_of(file, &scene.aim.registry)
        .is_some_and(|m| m.endpoints.iter().any(|e| same_endpoint(host_of(e), asked)));
    for config in &file.configs {
        let mut provides = Provides::default();
        add(&mut provides, config);
        // Credentials under another key are a question of their own.
        provides.auth = false;
        let own = same_endpoint(host_of(&config.host), asked);
        let of_upstream = mirrored && same_endpoint(host_of(&config.host), &scene.aim.registry);
        if !(own || of_upstream) || !scene.aim.needs(&provides) {
            continue;
        }
        let at = At { path: Rc::from(path), line: config.line, column: 0 };
        let fault = |cause, says, to: &str, certain: bool| Fault {
            cause,
            subject: remedy::file(scene, path),
            evidence: vec![scene.view.shows(&at, says)],
            certain: certain && scene.aim.is_known() && !scene.aim.rests_on_unseen(&provides),
            remedies: remedy::key(scene, &at, &config.host, to),
        };
        faults.add(if own {
            let words = remedy::key_words(scene, &config.host);
            fault(Cause::ConfigMirrorKeyMismatch, words, &scene.aim.registry, true)
        } else {
            let says = Say::new("evidence-settings-of-upstream").with("key", config.host.clone());
            // What stands under the registry's name may have been meant for the registry.
            fault(Cause::ConfigRegistriesYamlStructure, says.with("host", asked.clone()), asked, false)
        });
    }
}

/// Files that look like it and are not read: another name, another place.
fn misnamed(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let told = registries_file(scene.case, &scene.view.facts.name);
    let read = told.as_ref().map_or(scene.view.distribution.change, |(path, _)| path.as_str());
    for (path, file) in &scene.view.facts.files {
        let name = path.rsplit('/').next().unwrap_or_default();
        let alike = matches!(
            name,
            "registries.yaml"
                | "registries.yml"
                | "registry.yaml"
                | "registry.yml"
                | "registries.json"
                | "registries"
                | "registries.conf"
                | "registries.yaml.txt"
                | "registries.yaml.bak"
        );
        let is_read = match &told {
            Some((read, _)) => read == path,
            None => k3s::PATHS.contains(&path.as_str()),
        };
        if !alike || is_read {
            continue;
        }
        let Some(text) = file.text.seen() else { continue };
        let parsed = registries_yaml::parse(text);
        if parsed.mirrors.is_empty() && parsed.configs.is_empty() {
            continue;
        }
        let provides = provides(scene, &parsed);
        if !scene.aim.needs(&provides) {
            continue;
        }
        // One that is read beside it, and says something for this registry, is what counts.
        let beside =
            scene.view.facts.files.get(read).and_then(|f| f.text.seen()).map(|t| registries_yaml::parse(t));
        if beside.as_ref().is_some_and(|b| k3s::mirror_of(b, &scene.aim.registry).is_some()) {
            continue;
        }
        // What is read was seen, or shown not to be there.
        let seen = beside.is_some() || scene.view.absent.shown(read).is_some();
        let same_dir = emulate::files::parent(path) == emulate::files::parent(read);
        let cause = if same_dir { Cause::ConfigWrongFileName } else { Cause::ConfigWrongFileLocation };
        let says = Say::new("evidence-file-not-read").with("file", path.clone()).with("read", read);
        let mut evidence = vec![scene.view.shows(&At::whole(path), says)];
        evidence.extend(told.iter().map(|(_, l)| l.shows(Say::new("evidence-file-named-on-command-line"))));
        let gone = scene.view.absent.shown(read);
        evidence.extend(gone.map(|g| g.evidence(Say::new("evidence-not-there").with("file", read))));
        faults.add(Fault {
            cause,
            subject: remedy::file(scene, path),
            evidence,
            certain: scene.aim.is_known()
                && !scene.aim.marked
                && seen
                && !scene.aim.rests_on_unseen(&provides),
            remedies: remedy::move_file(scene, path, read),
        });
    }
}

/// The nodes' own registry gives out the images of those registries that are keys below `mirrors`, with endpoints or
/// without (docs.k3s.io "Embedded Registry Mirror"; k3s-io/k3s pkg/spegel).
fn unknown_to_peers(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let registry = &scene.aim.registry;
    let file = scene.view.registries.as_ref();
    let keyed = file.is_some_and(|(_, f)| f.refused.is_some() || k3s::mirror_of(f, registry).is_some());
    if keyed || !scene.aim.needs(&Provides { mirror: true, ..Provides::default() }) {
        return;
    }
    let on = setting(scene.case, None, "embedded-registry").filter(|(value, _)| value == "true");
    let Some((_, on)) = on else { return };
    let told = registries_file(scene.case, &scene.view.facts.name);
    let read = told.as_ref().map_or(scene.view.distribution.change, |(path, _)| path.as_str());
    let says = Say::new("evidence-no-key-for-peers").with("registry", registry.clone());
    let (path, lacks) = match file {
        Some((path, f)) => {
            let line = f.mirrors.first().map_or(0, |m| m.line);
            (*path, scene.view.shows(&At { path: Rc::from(*path), line, column: 0 }, says))
        }
        None => match scene.view.absent.shown(read) {
            Some(gone) => (read, gone.evidence(says)),
            None => return,
        },
    };
    let peer = on_a_peer(scene.case, scene.pull);
    // Who cannot reach the registry at all was to be served by a peer; an answer of the registry has reasons of its own.
    if peer.is_none() && !matches!(scene.aim.symptom.stage(), Stage::Dns | Stage::Connect) {
        return;
    }
    // `latest` is asked of the registry itself, unless that is set otherwise.
    let latest = scene.pull.image.ends_with(":latest") || !scene.pull.image.contains([':', '@']);
    let certain = peer.is_some() && !latest && scene.aim.is_known();
    let mut evidence = vec![lacks, on.shows(Say::new("evidence-peers-give-images"))];
    evidence.extend(peer);
    faults.add(Fault {
        cause: Cause::ConfigMirrorKeyMismatch,
        subject: remedy::file(scene, path),
        evidence,
        certain,
        remedies: Vec::new(),
    });
}

/// Whether a file would have something for the pull if a key at its top were spelt right.
fn would_serve(scene: &Scene<'_, '_>, path: &str, key: &str, meant: &str) -> bool {
    let Some(text) = scene.view.text(path) else { return false };
    let mended: Vec<String> = text
        .lines()
        .map(|l| {
            l.strip_prefix(key).filter(|r| r.starts_with(':')).map_or(l.to_owned(), |r| format!("{meant}{r}"))
        })
        .collect();
    let read = registries_yaml::parse(&mended.join("\n"));
    k3s::mirror_of(&read, &scene.aim.registry).is_some()
        || read.configs.iter().any(|c| same_endpoint(&c.host, &scene.aim.host))
}

/// Keys that nobody reads, in or around the entry that serves this registry.
fn structure(scene: &Scene<'_, '_>, path: &str, file: &RegistriesYaml, faults: &mut Faults) {
    let rc: Rc<str> = Rc::from(path);
    if let Some(refused) = &file.refused {
        let at = At { path: Rc::clone(&rc), line: refused.line, column: 0 };
        let says = Say::new("evidence-file-refused").with("reason", refused.message.clone());
        faults.add(Fault {
            cause: Cause::ConfigRegistriesYamlStructure,
            subject: remedy::file(scene, path),
            evidence: vec![scene.view.shows(&at, says)],
            certain: false,
            remedies: remedy::registries_yaml(scene, path, file),
        });
        return;
    }
    let registry = &scene.aim.registry;
    for wrong in &file.misplaced {
        let bare = wrong.path.last().map(|k| k.trim_matches(['"', '\'', ' ', ':'])).unwrap_or_default();
        let own = wrong.entry == *registry
            || wrong.entry == "*"
            || same_endpoint(&wrong.entry, &scene.aim.host)
            || scene.view.endpoints.iter().any(|e| same_endpoint(&wrong.entry, &e.host));
        let mirrored = k3s::mirror_of(file, registry).is_some();
        // What stands below a misspelt key at the top is read as if it were spelt right: does it speak of this registry?
        let meant = registries_yaml::meant_at_top(bare).filter(|_| wrong.path.len() == 1);
        if meant.is_some_and(|key| !would_serve(scene, path, bare, key)) {
            continue;
        }
        let bare = meant.or_else(|| registries_yaml::meant(bare)).unwrap_or(bare);
        let loose = wrong.entry.is_empty() && wrong.known_elsewhere;
        if !(own
            || loose && (mirrored || matches!(bare, "mirrors" | "configs" | "endpoint" | "auth" | "tls")))
        {
            continue;
        }
        // What the key was meant to do must be what the pull lacked.
        let lacks = match bare {
            "endpoint" | "endpoints" | "mirrors" | "mirror" => {
                scene.aim.needs(&Provides { mirror: true, http: true, ..Provides::default() })
            }
            "rewrite" | "rewrites" => {
                scene.aim.needs(&Provides { mirror: true, ..Provides::default() }) || !scene.aim.at_registry()
            }
            "tls"
            | "insecure_skip_verify"
            | "ca_file"
            | "cert_file"
            | "key_file"
            | "insecure"
            | "skip_verify" => scene.aim.needs(&Provides {
                ca: true,
                skip_verify: true,
                client: true,
                ..Provides::default()
            }),
            "auth" | "username" | "password" => {
                scene.aim.needs(&Provides { auth: true, ..Provides::default() })
            }
            _ => wrong.known_elsewhere,
        };
        if !lacks {
            continue;
        }
        let at = At { path: Rc::clone(&rc), line: wrong.line, column: 0 };
        let says = Say::new("evidence-key-not-read").with("key", wrong.path.join("."));
        faults.add(Fault {
            cause: Cause::ConfigRegistriesYamlStructure,
            subject: remedy::file(scene, path),
            evidence: vec![scene.view.shows(&at, says)],
            certain: wrong.known_elsewhere,
            remedies: remedy::registries_yaml(scene, path, file),
        });
    }
}
