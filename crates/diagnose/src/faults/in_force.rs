//! Settings that are in force and lead astray: endpoints that may not be asked, whose path or address is wrong, or that leave
//! no way to the registry itself.

use super::aim::{Asked, Provides, same_endpoint};
use super::attempts::{self, Met};
use super::{Fault, Faults, Scene, names, reload, remedy};
use crate::node_view::generates;
use emulate::containerd::{At, Capability, Endpoint, Source};
use formats::reference::Reference;
use formats::transcript::curl::Curl;
use report::{Evidence, Say};
use vocabulary::{Cause, Stage};

/// Looks for them.
pub fn look(scene: &Scene<'_, '_>, faults: &mut Faults) {
    let endpoints = &scene.view.endpoints;
    if endpoints.is_empty() {
        return;
    }
    let facts = Known { met: attempts::met(scene), curls: attempts::curls(scene) };
    if let Some(r) = &scene.view.resolution {
        reload::look(scene, &r.files, &Provides::of(endpoints, scene.aim), faults);
    }
    for endpoint in endpoints.iter().filter(|e| e.source != Source::Default) {
        capabilities(scene, endpoint, &facts, faults);
        path(scene, endpoint, &facts, faults);
        address(scene, endpoint, &facts, faults);
    }
    no_way_back(scene, &facts, faults);
    hidden(scene, &facts, faults);
}

/// What is known of the endpoints' answers.
struct Known {
    met: Vec<Met>,
    curls: Vec<(Curl, Evidence)>,
}

impl Known {
    /// What somebody got by hand from an endpoint for this image's manifest.
    fn by_hand<'k>(&'k self, scene: &Scene<'_, '_>, e: &Endpoint) -> Option<(&'k Curl, &'k Evidence)> {
        let want = manifest_path(scene, e);
        let fits =
            |c: &Curl| attempts::asked(c, &e.host) && c.path().split('?').next() == Some(want.as_str());
        self.curls.iter().find(|(c, _)| fits(c)).map(|(c, e)| (c, e))
    }

    /// What the runtime met at an endpoint.
    fn at(&self, host: &str) -> Option<&Met> {
        self.met.iter().rev().find(|m| same_endpoint(&m.host, host))
    }
}

/// The path under which an endpoint is asked for the image's manifest.
fn manifest_path(scene: &Scene<'_, '_>, e: &Endpoint) -> String {
    match Reference::parse(&scene.pull.image) {
        Ok(r) => format!("{}/{}/manifests/{}", e.path.trim_end_matches('/'), r.repository(), r.by()),
        Err(_) => String::new(),
    }
}

fn by_digest(scene: &Scene<'_, '_>) -> bool {
    scene.pull.image.contains('@')
}

fn at_of(scene: &Scene<'_, '_>, e: &Endpoint) -> At {
    e.at.clone().unwrap_or_else(|| scene.view.file(&scene.view.config))
}

/// An endpoint that would have had the image, and may not be asked for it.
fn capabilities(scene: &Scene<'_, '_>, e: &Endpoint, facts: &Known, faults: &mut Faults) {
    let pull = e.capabilities.has(Capability::Pull);
    let eligible = pull && (by_digest(scene) || e.capabilities.has(Capability::Resolve));
    let Some(at) = e.capabilities_at.clone().filter(|_| !eligible) else { return };
    let own = same_endpoint(&e.host, &scene.aim.host);
    let gives = Provides {
        mirror: !same_endpoint(&e.host, &scene.aim.own_host),
        ca: own && !e.ca.is_empty(),
        skip_verify: own && e.skip_verify,
        http: own && e.scheme == "http",
        client: own && !e.client.is_empty(),
        ..Provides::default()
    };
    let skipped = matches!(scene.aim.symptom.stage(), Stage::Manifest) && scene.aim.url.is_empty();
    if !scene.aim.needs(&gives) && !skipped {
        return;
    }
    let words = e.capabilities.words().join(", ");
    let lacks = if pull { "resolve" } else { "pull" };
    let says = Say::new("evidence-capability-lacking")
        .with("host", e.host.clone())
        .with("has", words)
        .with("lacks", lacks);
    let mut evidence = vec![scene.view.shows(&at, says)];
    let answered = facts.by_hand(scene, e).filter(|(c, _)| c.status() == Some(200));
    evidence.extend(answered.map(|(_, e)| e.clone()));
    faults.add(Fault {
        cause: Cause::ConfigCapabilities,
        subject: remedy::file(scene, &at.path),
        evidence,
        certain: scene.view.certain && (answered.is_some() || gives.client || gives.ca),
        remedies: remedy::capability(scene, &at, lacks),
    });
}

/// An endpoint whose path leads to something that is not the API, or to another repository.
fn path(scene: &Scene<'_, '_>, e: &Endpoint, facts: &Known, faults: &mut Faults) {
    if !e.is_asked() {
        return;
    }
    let at = at_of(scene, e);
    let doubled = e.path.starts_with("/v2/") && e.path.ends_with("/v2") && e.path.len() > 4;
    let rootless = !e.path.contains("/v2");
    let tried = facts.at(&e.host);
    let hand = facts.by_hand(scene, e);
    // The mirror's own answer: not found, or not the API at all.
    let missed = tried.filter(|m| m.status == Some(404)).map(|m| m.evidence.clone());
    let page = hand.filter(|(c, _)| c.is_html() || c.status() == Some(404)).map(|(_, e)| e.clone());
    let here = same_endpoint(&scene.aim.host, &e.host)
        && (scene.aim.symptom.stage() == Stage::Manifest
            || matches!(scene.aim.symptom, Cause::RegistryBadResponse | Cause::RegistryNotARegistry));
    let html = scene.aim.symptom == Cause::RegistryBadResponse;
    if doubled || rootless {
        let after = scene.aim.at_registry() && !same_endpoint(&e.host, &scene.aim.own_host);
        if !(missed.is_some() || page.is_some() || here || html || after) {
            return;
        }
        let below = facts.curls.iter().find(|(c, _)| answers_below(c, e));
        let cause = match (doubled, e.source) {
            (true, _) => Cause::ConfigOverridePathMissing,
            (false, Source::HostTable | Source::Server) if e.override_path && e.path.is_empty() => {
                Cause::ConfigOverridePathMissing
            }
            // With the API's own root behind it, the same address is the API.
            (false, Source::HostTable | Source::Server) if e.override_path && below.is_some() => {
                Cause::ConfigOverridePathMissing
            }
            _ => Cause::ConfigMirrorPathWrong,
        };
        let says = Say::new(if doubled { "evidence-path-doubled" } else { "evidence-path-not-api" })
            .with("url", format!("{}{}", e.url(), manifest_path(scene, e).trim_start_matches(&e.path)));
        let mut evidence = vec![scene.view.shows(&at, says)];
        let proof = missed.is_some() || page.is_some() || scene.aim.url.contains("/v2/") && here;
        evidence.extend(missed.into_iter().chain(page));
        evidence.extend(below.filter(|_| cause == Cause::ConfigOverridePathMissing).map(|(_, e)| e.clone()));
        faults.add(Fault {
            cause,
            subject: remedy::file(scene, &at.path),
            evidence,
            certain: proof && reload_ok(scene) && source_seen(scene),
            remedies: remedy::path(scene, e, &at, doubled),
        });
        return;
    }
    // The same host has the image under another path, and answers 404 under this one.
    let Some((elsewhere, shown)) = other_path(scene, e, facts) else { return };
    if missed.is_none() && page.is_none() && !here {
        return;
    }
    let says = Say::new("evidence-image-under-other-path")
        .with("asked", manifest_path(scene, e))
        .with("there", elsewhere.path().to_owned());
    let mut evidence = vec![scene.view.shows(&at, says), shown.clone()];
    evidence.extend(missed.into_iter().chain(page));
    faults.add(Fault {
        cause: Cause::ConfigMirrorPathWrong,
        subject: remedy::file(scene, &at.path),
        evidence,
        certain: source_seen(scene),
        remedies: remedy::path(scene, e, &at, false),
    });
}

/// Whether the registry's API answers at the endpoint's own address with `/v2/` behind it.
fn answers_below(c: &Curl, e: &Endpoint) -> bool {
    let below =
        c.path().strip_prefix(e.path.trim_end_matches('/')).is_some_and(|rest| rest.starts_with("/v2/"));
    let answers = c.is_registry() || c.status() == Some(200) && !c.is_html();
    !e.path.is_empty() && attempts::asked(c, &e.host) && below && answers
}

/// A manifest of this image's name and tag that the endpoint's host has under another path.
fn other_path<'k>(scene: &Scene<'_, '_>, e: &Endpoint, facts: &'k Known) -> Option<(&'k Curl, &'k Evidence)> {
    let want = manifest_path(scene, e);
    let r = Reference::parse(&scene.pull.image).ok()?;
    let repository = r.repository();
    let end = format!("{}/manifests/{}", repository.rsplit('/').next().unwrap_or_default(), r.by());
    let fits = |c: &Curl| {
        let path = c.path().split('?').next().unwrap_or_default();
        attempts::asked(c, &e.host) && c.status() == Some(200) && path != want && path.ends_with(&end)
    };
    facts.curls.iter().find(|(c, _)| fits(c)).map(|(c, e)| (c, e))
}

/// An endpoint of a file whose scheme, host or port is not where the registry answers.
fn address(scene: &Scene<'_, '_>, e: &Endpoint, facts: &Known, faults: &mut Faults) {
    let s = scene.aim.symptom;
    let hub = e.host == "docker.io" || e.host == "hub.docker.com";
    // "not found" names no host: every one said so, the last in the list too.
    let other_port = other_port(scene, e, facts);
    let astray = hub || foreign_server(scene, e) || other_port.is_some();
    let unnamed = astray && !scene.aim.is_known() && s.stage() == Stage::Manifest;
    if !(same_endpoint(&e.host, &scene.aim.host) || unnamed) || !e.is_asked() {
        return;
    }
    let at = at_of(scene, e);
    let other_scheme = |scheme: &str| {
        facts.curls.iter().find(|(c, _)| {
            let bare = |h: &str| h.rsplit_once(':').map_or(h.to_owned(), |(n, _)| n.to_owned());
            c.scheme() == scheme && bare(c.host()) == bare(&e.host) && c.is_registry()
        })
    };
    let at_hub = facts.curls.iter().find(|(c, _)| {
        same_endpoint(c.host(), &scene.aim.own_host)
            && c.path().contains("/manifests/")
            && c.status() == Some(200)
    });
    let (wrong, proof) = match s {
        Cause::TlsHttpResponseToHttps | Cause::TlsNotTls if e.scheme == "https" && !e.http_fallback => {
            (true, other_scheme("http"))
        }
        Cause::TlsHttpsRequired | Cause::RegistryUnexpectedStatus if e.scheme == "http" => {
            (true, other_scheme("https"))
        }
        _ if other_port.is_some() && s.stage() == Stage::Manifest => (true, other_port),
        _ if unnamed && !hub => (at_hub.is_some(), at_hub),
        _ if unnamed => (true, at_hub),
        _ if hub => (true, None),
        // `server` stands for the registry itself: another host that cannot be had is no mirror that is down.
        _ if e.source == Source::Server
            && matches!(s.stage(), Stage::Dns | Stage::Connect)
            && !same_endpoint(&e.host, &scene.aim.own_host) =>
        {
            let own = |c: &Curl| attempts::asked(c, &scene.aim.own_host) && c.is_registry();
            (true, facts.curls.iter().find(|(c, _)| own(c)))
        }
        _ => (false, None),
    };
    if !wrong {
        return;
    }
    // The registry's own host under its own scheme is no wrong address: the client lacks what is said elsewhere.
    let says = Say::new("evidence-endpoint-address").with("url", e.url());
    let mut evidence = vec![scene.view.shows(&at, says)];
    evidence.extend(proof.map(|(_, e)| e.clone()));
    evidence.extend(other_port.and_then(|_| facts.by_hand(scene, e)).map(|(_, e)| e.clone()));
    faults.add(Fault {
        cause: Cause::ConfigServerWrong,
        subject: remedy::file(scene, &at.path),
        evidence,
        certain: scene.view.certain && (proof.is_some() || hub && !unnamed) && reload_ok(scene),
        remedies: remedy::address(scene, e, &at),
    });
}

/// The image at another port of an endpoint's host, while the port that is set answers for it as no registry does: the user
/// interface of a product whose registry listens beside it.
fn other_port<'k>(scene: &Scene<'_, '_>, e: &Endpoint, facts: &'k Known) -> Option<&'k (Curl, Evidence)> {
    let no_registry = |c: &Curl| c.is_html() && c.status() != Some(200) && !c.is_registry();
    facts.by_hand(scene, e).filter(|(c, _)| no_registry(c))?;
    let r = Reference::parse(&scene.pull.image).ok()?;
    let (manifest, tags) =
        (format!("/v2/{}/manifests/{}", r.repository(), r.by()), format!("/v2/{}/tags/list", r.repository()));
    let (name, port) = names::parts(&e.host);
    let has = |c: &Curl| {
        let (other, at) = names::parts(c.host());
        let path = c.path().split('?').next().unwrap_or_default();
        let listed = c.body.contains("\"tags\"") && c.body.contains(&format!("\"{}\"", r.by()));
        other.eq_ignore_ascii_case(name)
            && at.unwrap_or("443") != port.unwrap_or("443")
            && (path == manifest && c.status() == Some(200) && !c.is_html() || path == tags && listed)
    };
    facts.curls.iter().find(|(c, _)| has(c))
}

/// A `server` that is neither the registry nor one of the mirrors: who falls back to it comes to a third place.
fn foreign_server(scene: &Scene<'_, '_>, e: &Endpoint) -> bool {
    let listed = |o: &&Endpoint| o.source != Source::Server && same_endpoint(&o.host, &e.host);
    e.source == Source::Server
        && !same_endpoint(&e.host, &scene.aim.own_host)
        && !scene.view.endpoints.iter().any(|o| listed(&o))
}

/// A `server` that is one of the mirrors again: the registry itself is never asked.
fn server_is_the_mirror(scene: &Scene<'_, '_>) -> bool {
    let all = &scene.view.endpoints;
    let last = all.last().filter(|e| e.source == Source::Server);
    last.is_some_and(|s| all.iter().any(|e| e.source == Source::HostTable && same_endpoint(&e.host, &s.host)))
        && !all.iter().any(|e| same_endpoint(&e.host, &scene.aim.own_host))
}

/// Whether what the configuration is made from was collected: k3s and RKE2 generate theirs, and the fault may lie in
/// their source.
fn source_seen(scene: &Scene<'_, '_>) -> bool {
    !generates(scene.view.distribution) || scene.view.registries.is_some()
}

fn reload_ok(scene: &Scene<'_, '_>) -> bool {
    scene.view.resolution.as_ref().is_none_or(|r| reload::current(scene, &r.files))
}

/// A catch-all mirror after which nothing is asked.
fn no_way_back(scene: &Scene<'_, '_>, facts: &Known, faults: &mut Faults) {
    let catch_all = scene
        .view
        .resolution
        .as_ref()
        .and_then(|r| r.host_dir.as_deref())
        .is_some_and(|d| d.ends_with("/_default"))
        || scene.view.registries.as_ref().is_some_and(|(_, f)| {
            emulate::k3s::mirror_of(f, &scene.aim.registry).is_some_and(|m| m.name == "*")
        })
        || scene.view.resolution.as_ref().is_some_and(|r| {
            r.settings.mirrors.iter().any(|m| m.name == "*")
                && r.settings.mirrors.iter().all(|m| m.name != scene.aim.registry)
        });
    if !catch_all && !server_is_the_mirror(scene) {
        return;
    }
    let Some(mirror) = scene.view.endpoints.first().filter(|e| !same_endpoint(&e.host, &scene.aim.own_host))
    else {
        return;
    };
    let own_listed = scene.view.endpoints.iter().any(|e| same_endpoint(&e.host, &scene.aim.own_host));
    // 2.x says of the endpoint after which there is none that it failed; a registry that was asked has a line of its own.
    let last = facts.met.iter().find(|m| m.last && same_endpoint(&m.host, &mirror.host));
    let own_asked =
        facts.at(&scene.aim.own_host).is_some() || (scene.aim.is_known() && scene.aim.at_registry());
    if own_asked || (own_listed && last.is_none()) {
        return;
    }
    let at = at_of(scene, mirror);
    let says = Say::new("evidence-catch-all-without-way-back")
        .with("host", mirror.host.clone())
        .with("registry", scene.aim.own_host.clone());
    let mut evidence = vec![scene.view.shows(&at, says)];
    evidence.extend(last.map(|m| m.evidence.clone()));
    let there = facts.curls.iter().find(|(c, _)| {
        same_endpoint(c.host(), &scene.aim.own_host)
            && c.path().contains("/manifests/")
            && c.status() == Some(200)
    });
    let absent = facts.by_hand(scene, mirror).filter(|(c, _)| c.status() == Some(404));
    // A mirror that is meant to stand alone is at fault where it lacks what the registry has, and not before.
    if !catch_all && there.is_none() {
        return;
    }
    evidence.extend(absent.map(|(_, e)| e.clone()));
    evidence.extend(there.map(|(_, e)| e.clone()));
    faults.add(Fault {
        cause: Cause::ConfigDefaultNoFallback,
        subject: remedy::file(scene, &at.path),
        evidence,
        certain: there.is_some() && (last.is_some() || !own_listed && scene.nothing_guessed()),
        remedies: remedy::way_back(scene, &at),
    });
}

/// The words tell of an image that is not there and of no host: 2.x prefers a mirror's 404 to the registry's own failure
/// (core/remotes/docker/resolver.go). The log has both.
fn hidden_by_absence(scene: &Scene<'_, '_>, asked: &[&Endpoint], facts: &Known, faults: &mut Faults) {
    if !matches!(scene.aim.symptom, Cause::ManifestUnknown | Cause::RepositoryUnknown) {
        return;
    }
    let own = &scene.aim.own_host;
    let Some(mirror) = asked.iter().find(|e| !same_endpoint(&e.host, own)) else { return };
    let lacks = facts.at(&mirror.host).filter(|m| m.status == Some(404));
    let failed = facts.at(own).filter(|m| m.status != Some(404) && !m.error.is_empty());
    let (Some(lacks), Some(failed)) = (lacks, failed) else { return };
    let at = at_of(scene, mirror);
    let hosts: Vec<String> = asked.iter().map(|e| format!("{}://{}", e.scheme, e.host)).collect();
    let says = Say::new("evidence-several-endpoints")
        .with("hosts", hosts.join(", "))
        .with("shown", mirror.host.clone());
    faults.add(Fault {
        cause: Cause::ConfigMirrorMasksUpstream,
        subject: remedy::file(scene, &at.path),
        evidence: vec![scene.view.shows(&at, says), lacks.evidence.clone(), failed.evidence.clone()],
        certain: false,
        remedies: Vec::new(),
    });
}

/// Whether a mirror that cannot be reached is named, after which 1.x asks the others: the pull failed because they failed too,
/// and the first error that is no 404 is shown (remotes/docker/resolver.go, 1.7.35).
fn goes_on_after(scene: &Scene<'_, '_>, asked: &[&Endpoint]) -> bool {
    let old = scene.view.version.as_ref().is_some_and(|v| !v.since(2, 0, 0));
    let unreached = matches!(scene.aim.symptom.stage(), Stage::Dns | Stage::Connect | Stage::Tls);
    let last = asked.last().is_some_and(|e| same_endpoint(&e.host, &scene.aim.host));
    let named = asked.iter().any(|e| same_endpoint(&e.host, &scene.aim.host));
    old && unreached && named && !last && !scene.aim.at_registry() && scene.view.certain
}

/// Another endpoint's failure behind the one that is shown.
fn hidden(scene: &Scene<'_, '_>, facts: &Known, faults: &mut Faults) {
    let asked: Vec<&Endpoint> = scene.view.endpoints.iter().filter(|e| e.is_asked()).collect();
    if !scene.aim.is_known() {
        hidden_by_absence(scene, &asked, facts, faults);
        return;
    }
    let shown = |e: &Endpoint| same_endpoint(&e.host, &scene.aim.host) && e.scheme == scene.aim.scheme;
    // Old releases ask the same host over HTTPS after the endpoint of the file.
    let other: Vec<&&Endpoint> = asked.iter().filter(|e| !shown(e)).collect();
    if other.is_empty() {
        return;
    }
    let mut evidence = Vec::new();
    let mut by_runtime = false;
    for e in other {
        if let Some(m) = facts.at(&e.host).filter(|m| !m.error.is_empty() || m.status.is_some()) {
            // The same failure twice hides nothing.
            if !same_endpoint(&m.host, &scene.aim.host) {
                evidence.push(m.evidence.clone());
                by_runtime = true;
            }
        } else if let Some((c, shown)) = facts.by_hand(scene, e) {
            let refused = c.status().is_some_and(|s| matches!(s, 401 | 403 | 404 | 429 | 500..=599))
                && c.scheme() == e.scheme;
            if refused && !c.with_credential {
                evidence.push(shown.clone());
            }
        }
    }
    if evidence.is_empty() && !goes_on_after(scene, &asked) {
        return;
    }
    let at = asked.first().map(|e| at_of(scene, e)).unwrap_or_else(|| scene.view.file(&scene.view.config));
    let hosts: Vec<String> = asked.iter().map(|e| format!("{}://{}", e.scheme, e.host)).collect();
    let says = Say::new("evidence-several-endpoints")
        .with("hosts", hosts.join(", "))
        .with("shown", scene.aim.host.clone());
    evidence.insert(0, scene.view.shows(&at, says));
    faults.add(Fault {
        cause: Cause::ConfigMirrorMasksUpstream,
        subject: remedy::file(scene, &at.path),
        evidence,
        certain: by_runtime,
        remedies: Vec::new(),
    });
}
