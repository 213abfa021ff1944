//! The ladder to each endpoint of a node, as its runtime would go: its trust, client certificate, proxy, headers, and the
//! credentials that it would send there.

use crate::exit::Failure;
use crate::probing::{password_refused, wait_for};
use facts::{BlindSpot, Ladder, Why};
use formats::reference::Reference;
use node::{HostTree, Inspection};
use probe::{ClientCertificate, Credentials, Endpoint, Manner, Origin, Request, Rule, Surroundings};
use report::node::{Endpoint as Reported, NodeReport};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use vocabulary::Stage;

/// No more endpoints are climbed to.
const MOST: usize = 16;
/// No climb has more steps that wait than this.
const MOST_STEPS: u32 = 20;
/// All climbs together take no longer than this.
const ALL: Duration = Duration::from_secs(120);

/// What the person says of the climbs.
pub struct Given<'a> {
    /// The folder that is the node's root.
    pub root: &'a Path,
    /// Credentials instead of the node's own.
    pub credentials: Option<&'a Path>,
    /// Whether none are sent.
    pub anonymous: bool,
    /// How long one step may take.
    pub timeout: Duration,
}

/// What was climbed, a ladder for each endpoint that could be asked, and why there is none to the others.
#[derive(Default)]
pub struct Climbed {
    /// The ladders, in the order of the endpoints.
    pub ladders: Vec<Ladder>,
    /// What was not seen.
    pub blind_spots: Vec<BlindSpot>,
}

/// Climbs to the endpoints of an inspection, one after the other, as a pull would.
///
/// # Errors
/// Credentials that were named and cannot be used; no event queue.
pub fn climb(inspection: &Inspection, given: &Given<'_>) -> Result<Climbed, Failure> {
    let report = &inspection.report;
    let mut climbed = Climbed::default();
    let Some(image) = report.image.as_deref().filter(|_| report.errors.is_empty()) else {
        return Ok(climbed);
    };
    let Some(environment) = inspection.way.environment() else {
        let detail = "the runtime's environment decides where it goes, and cannot be read";
        climbed.blind_spots.push(spot("the way to the endpoints", Why::Forbidden, detail, "run as root"));
        return Ok(climbed);
    };
    let Ok(reference) = Reference::parse(image) else { return Ok(climbed) };
    let begun = Instant::now();
    let (mut digest, mut refused) = (None, false);
    for (n, endpoint) in report.endpoints.iter().enumerate() {
        if n >= MOST || begun.elapsed() > ALL {
            let detail = format!("no more than {MOST} endpoints within {ALL:?}");
            climbed.blind_spots.push(spot(&endpoint.url, Why::Truncated, &detail, "--no-probe"));
            continue;
        }
        let may = |what: &str| endpoint.capabilities.iter().any(|c| c == what);
        let asked = match (may("resolve") || reference.digest.is_some(), &digest) {
            (true, _) => name_there(endpoint, &reference),
            // What may not say which digest a tag has is asked by the digest that another one said.
            (false, Some(digest)) => format!("{}@{digest}", reference.name()),
            (false, None) => {
                let detail = "it is not asked for a tag, and no endpoint before it told the digest";
                climbed.blind_spots.push(spot(&endpoint.url, Why::NotAsked, detail, "an image by digest"));
                continue;
            }
        };
        let Some(way) = way(endpoint, n, inspection, &reference) else {
            climbed.blind_spots.push(spot(&endpoint.url, Why::Unreadable, "no URL that can be asked", ""));
            continue;
        };
        let around = surroundings(endpoint, report, given, &environment, &mut climbed.blind_spots)?;
        // A password that was refused is not sent again: accounts lock.
        let around = if refused { around.with_credentials(Credentials::none()) } else { around };
        let mut request = Request::new(&asked);
        request.endpoints = vec![way];
        request.timeout = given.timeout;
        request.blobs = may("pull");
        request.vantage.place.clone_from(&report.node);
        let limit = (given.timeout * MOST_STEPS).min(ALL);
        let work = async { tokio::time::timeout(limit, probe::climb(&request, &around)).await };
        let Ok(mut ladders) = wait_for(work)? else {
            climbed.blind_spots.push(spot(&endpoint.url, Why::TimedOut, "", "--timeout"));
            continue;
        };
        for ladder in &mut ladders {
            let found = ladder.rung(Stage::Manifest).and_then(|r| r.fact(facts::seen::DIGEST));
            digest = digest.or_else(|| found.map(str::to_owned));
            if password_refused(ladder) && !refused {
                refused = true;
                let detail = "the password was refused, and is not sent to the endpoints after it";
                let what = format!("{} with credentials", endpoint.url);
                climbed.blind_spots.push(spot(&what, Why::NotAsked, detail, "--creds-file"));
            }
            renamed(ladder, image);
        }
        climbed.blind_spots.extend(around.blind_spots().into_iter().chain(probe::blind_spots(&ladders)));
        climbed.ladders.append(&mut ladders);
    }
    climbed.blind_spots.sort();
    climbed.blind_spots.dedup();
    Ok(climbed)
}

fn spot(what: &str, why: Why, detail: &str, needs: &str) -> BlindSpot {
    BlindSpot { what: what.into(), why, detail: detail.into(), needs: needs.into() }
}

/// The image as it is asked for there: another name where registries.conf writes it anew.
fn name_there(endpoint: &Reported, reference: &Reference<'_>) -> String {
    let separator = if reference.digest.is_some() { '@' } else { ':' };
    let (host, repository) = match &endpoint.repository {
        Some(repository) => (host(endpoint), repository.clone()),
        None => (reference.registry(), reference.repository()),
    };
    format!("{host}/{repository}{separator}{}", reference.by())
}

/// Host and port of an endpoint as references have it.
fn host(endpoint: &Reported) -> &str {
    let host = endpoint.url.split("://").nth(1).and_then(|r| r.split('/').next()).unwrap_or_default();
    if host == "registry-1.docker.io" { "docker.io" } else { host }
}

/// A ladder is about the image that was asked for, whatever its name is there.
fn renamed(ladder: &mut Ladder, image: &str) {
    image.clone_into(&mut ladder.image);
    for branch in &mut ladder.branches {
        renamed(branch, image);
    }
}

fn way(
    endpoint: &Reported,
    n: usize,
    inspection: &Inspection,
    reference: &Reference<'_>,
) -> Option<Endpoint> {
    let (origin, path) = Origin::of_endpoint(&endpoint.url)?;
    let own = [reference.registry(), reference.api_host()].contains(&origin.authority().as_str());
    let runtime = inspection.report.runtime.as_ref()?;
    // containerd's hosts code tells every other host whose image it asks for.
    let tells = matches!(runtime.pull_path.as_deref(), Some("local" | "transfer" | "image-store"));
    Some(Endpoint {
        namespace: (tells && !own).then(|| reference.registry().to_owned()),
        api_path: path,
        manner: Manner {
            configured: true,
            unverified: endpoint.skip_verify,
            http_fallback: endpoint.http_fallback,
            headers: inspection.way.headers.get(n).cloned().unwrap_or_default(),
        },
        origin,
    })
}

/// The node around the climb to one endpoint.
fn surroundings(
    endpoint: &Reported,
    report: &NodeReport,
    given: &Given<'_>,
    environment: &impl Fn(&str) -> Option<String>,
    blind: &mut Vec<BlindSpot>,
) -> Result<Surroundings, Failure> {
    let tree = HostTree::new(given.root);
    let here = |path: &str| tree.on_this_machine(path);
    let credentials = match given.credentials {
        _ if given.anonymous => Credentials::none(),
        Some(file) => Credentials::from_file(file)?,
        None => of_node(endpoint, report, here, blind),
    };
    let around = Surroundings::of_machine(given.root, environment)
        .with_credentials(credentials)
        .with_ca_files(endpoint.ca.iter().filter_map(|p| here(p)).collect());
    let Some(pair) = endpoint.client.first() else { return Ok(around) };
    let key = pair.key.as_deref().unwrap_or(&pair.cert);
    let Some((cert, key)) = here(&pair.cert).zip(here(key)) else { return Ok(around) };
    match ClientCertificate::from_files(&cert, &key) {
        Ok(certificate) => Ok(around.with_client_certificate(certificate)),
        Err(error) => {
            blind.push(spot(&pair.cert, Why::Unreadable, &error.to_string(), ""));
            Ok(around)
        }
    }
}

/// The node's own credentials for this endpoint. A plugin is not run: it would ask a cloud for a token.
fn of_node(
    endpoint: &Reported,
    report: &NodeReport,
    here: impl Fn(&str) -> Option<PathBuf>,
    blind: &mut Vec<BlindSpot>,
) -> Credentials {
    let is_library = report.runtime.as_ref().is_some_and(|r| matches!(r.name.as_str(), "cri-o" | "podman"));
    let rule = if is_library { Rule::Podman } else { Rule::Kubelet };
    let mut files: Vec<(String, PathBuf)> = Vec::new();
    for credential in &endpoint.credentials {
        match here(&credential.from).filter(|_| credential.from.starts_with('/')) {
            Some(at) if files.iter().all(|(name, _)| *name != credential.from) => {
                files.push((credential.from.clone(), at));
            }
            Some(_) => {}
            None => {
                let detail = "a credential plugin is not run here";
                blind.push(spot(&credential.from, Why::NotAsked, detail, "--creds-file"));
            }
        }
    }
    Credentials::of_node(&files, rule)
}
