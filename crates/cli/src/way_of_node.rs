//! The ladder to each endpoint of a node, as its runtime would go: its trust, client certificate, proxy, headers, and the
//! credentials that it would send there.

use crate::exit::Failure;
use crate::probing::{password_refused, wait_for};
use facts::{BlindSpot, Ladder, Why};
use formats::redact;
use formats::reference::Reference;
use formats::url::host_of;
use node::{CertificatePlaces, Entry, Files as _, HostTree, Inspection};
use probe::{
    ClientCertificate, Credential, Credentials, Endpoint, Found, Kind, Manner, Origin, Request, Rule,
    Surroundings, Trust,
};
use report::node::{Credential as Shown, Endpoint as Reported};
use std::path::Path;
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
    /// The node's files.
    pub tree: &'a HostTree,
    /// Where the climbs begin.
    pub start: Start<'a>,
    /// Whose credentials are sent.
    pub login: Whose<'a>,
    /// Everything of a request but its image and endpoint.
    pub request: Request,
}

/// Where the climbs begin: whose network, names and clock they have.
pub enum Start<'a> {
    /// On the node, whose root is this folder.
    Node(&'a Path),
    /// On this machine.
    Here,
}

/// Whose credentials are sent.
pub enum Whose<'a> {
    /// The node's own.
    Node,
    /// These.
    Given(&'a Credentials),
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
/// The system gives no event queue.
pub fn climb(inspection: &Inspection, given: &Given<'_>) -> Result<Climbed, Failure> {
    let report = &inspection.report;
    let mut climbed = Climbed::default();
    let Some(image) = report.image.as_deref().filter(|_| report.errors.is_empty()) else {
        return Ok(climbed);
    };
    if !report.assumed.is_empty() {
        let detail = format!("which they are is not sure without {}", report.assumed.join(", "));
        climbed.blind_spots.push(spot("the way to the endpoints", Why::Unreadable, &detail, "run as root"));
        return Ok(climbed);
    }
    let Some(environment) = inspection.way.environment() else {
        let detail = "the runtime's environment decides where it goes, and cannot be read";
        climbed.blind_spots.push(spot("the way to the endpoints", Why::Forbidden, detail, "run as root"));
        return Ok(climbed);
    };
    let Ok(reference) = Reference::parse(image) else { return Ok(climbed) };
    let hides = |name: &&&str| environment(name).is_some_and(|v| v.contains(redact::MARK));
    if let Some(name) = node::VARIABLES.iter().find(hides).filter(|_| given.tree.is_told()) {
        let detail = "a node report has no password of a proxy, and nothing passes without it";
        climbed.blind_spots.push(spot(name, Why::NotAsked, detail, "--as-node with the node's files"));
        return Ok(climbed);
    }
    if report.endpoints.iter().any(|e| e.proxy_because.is_empty()) {
        let detail = "nothing tells the runtime's environment: no proxy is used here";
        climbed.blind_spots.push(spot("the runtime's proxy", Why::NotAsked, detail, "its unit file"));
    }
    let bare = Node::new(inspection, given, &environment, &mut climbed.blind_spots);
    let begun = Instant::now();
    let (mut digest, mut refused) = (None, Vec::new());
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
        let Some(way) = way(endpoint, n, inspection, &reference, given.tree.is_told()) else {
            climbed.blind_spots.push(spot(&endpoint.url, Why::Unreadable, "no URL that can be asked", ""));
            continue;
        };
        if let Some(path) = endpoint.ca.iter().find(|path| bare.bytes(path).is_none()) {
            let detail = format!("{path} cannot be read, and without it nobody would be trusted");
            climbed.blind_spots.push(spot(&endpoint.url, Why::Unreadable, &detail, path));
            continue;
        }
        let around = bare.surroundings(n, endpoint, &refused, &mut climbed.blind_spots);
        let mut request = Request { image: asked, endpoints: vec![way], ..given.request.clone() };
        request.blobs &= may("pull");
        let limit = (request.timeout * MOST_STEPS).min(ALL);
        let work = async { tokio::time::timeout(limit, probe::climb(&request, &around)).await };
        let Ok(mut ladders) = wait_for(work)? else {
            climbed.blind_spots.push(spot(&endpoint.url, Why::TimedOut, "", "--timeout"));
            continue;
        };
        for ladder in &mut ladders {
            let found = ladder.rung(Stage::Manifest).and_then(|r| r.fact(facts::seen::DIGEST));
            digest = digest.or_else(|| found.map(str::to_owned));
            if password_refused(ladder) {
                refused.push(sent(ladder));
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

/// Source and key of the credential that was sent.
fn sent(ladder: &Ladder) -> (String, String) {
    let rung = ladder.rung(Stage::Credentials);
    let fact = |name| rung.and_then(|r| r.fact(name)).unwrap_or_default().to_owned();
    (fact(facts::seen::CREDENTIALS_SOURCE), fact(facts::seen::CREDENTIALS_KEY))
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
    let host = host_of(&endpoint.url);
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
    is_told: bool,
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
            headers: headers(n, inspection, is_told),
        },
        origin,
    })
}

/// An endpoint's headers; those that a report hides are not known.
fn headers(n: usize, inspection: &Inspection, is_told: bool) -> node::Headers {
    let all = inspection.way.headers.get(n).cloned().unwrap_or_default();
    all.into_iter().filter(|(name, _)| !is_told || !redact::is_secret_header(name)).collect()
}

/// What all climbs to a node's endpoints share.
struct Node<'a> {
    inspection: &'a Inspection,
    given: &'a Given<'a>,
    /// The system's roots, as the runtime has them.
    roots: Trust,
    environment: &'a dyn Fn(&str) -> Option<String>,
}

impl<'a> Node<'a> {
    fn new(
        inspection: &'a Inspection,
        given: &'a Given<'a>,
        environment: &'a dyn Fn(&str) -> Option<String>,
        blind: &mut Vec<BlindSpot>,
    ) -> Self {
        let (file, dir) = (environment("SSL_CERT_FILE"), environment("SSL_CERT_DIR"));
        let places = CertificatePlaces::from_environment(file.as_deref(), dir.as_deref());
        let roots = Trust::of_files(given.tree, &places).unwrap_or_else(|| match given.start {
            Start::Node(_) => Trust::unreadable(),
            Start::Here => {
                let detail = "what is given has none of them: this machine's stand for them";
                blind.push(spot("the node's system certificates", Why::NotAsked, detail, "/etc/ssl/certs"));
                Surroundings::of_machine(Path::new("/"), |_| None).system_trust()
            }
        });
        Self { inspection, given, roots, environment }
    }

    /// What is around the climb to one endpoint.
    fn surroundings(
        &self,
        n: usize,
        endpoint: &Reported,
        refused: &[(String, String)],
        blind: &mut Vec<BlindSpot>,
    ) -> Surroundings {
        let root = match self.given.start {
            Start::Node(root) => root,
            Start::Here => Path::new("/"),
        };
        let credentials = match self.given.login {
            // A password that was refused is not sent again: accounts lock.
            Whose::Given(_) if !refused.is_empty() => Credentials::none(),
            Whose::Given(login) => login.clone(),
            Whose::Node => self.credentials(n, endpoint, refused, blind),
        };
        let mut trust = self.roots.clone();
        for path in &endpoint.ca {
            trust.add(path, self.bytes(path).as_deref());
        }
        let around =
            Surroundings::of_machine(root, self.environment).with_credentials(credentials).with_trust(trust);
        let Some(pair) = endpoint.client.first() else { return around };
        let key = pair.key.as_deref().unwrap_or(&pair.cert);
        let Some((cert, secret)) = self.bytes(&pair.cert).zip(self.bytes(key)) else {
            blind.push(spot(&pair.cert, Why::Unreadable, "the client certificate is not sent", key));
            return around;
        };
        match ClientCertificate::from_pem((Path::new(&pair.cert), &cert), (Path::new(key), &secret)) {
            Ok(certificate) => around.with_client_certificate(certificate),
            Err(error) => {
                blind.push(spot(&pair.cert, Why::Unreadable, &error.to_string(), ""));
                around
            }
        }
    }

    fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        match self.given.tree.entry(path) {
            Entry::File(bytes) => Some(bytes.into_owned()),
            _ => None,
        }
    }

    /// The first of the node's own credentials for this endpoint. A plugin is not run: it would ask a cloud for a token.
    fn credentials(
        &self,
        n: usize,
        endpoint: &Reported,
        refused: &[(String, String)],
        blind: &mut Vec<BlindSpot>,
    ) -> Credentials {
        let was_refused = |c: &&Shown| refused.iter().any(|(from, key)| *from == c.from && *key == c.key);
        for shown in endpoint.credentials.iter().filter(|c| !was_refused(c)) {
            let told = self.given.tree.is_told();
            let found = match self.inspection.way.login(n, shown) {
                _ if told => Err("a node report has no secrets".to_owned()),
                Some(login) => Ok(Some(of_runtime(shown, login))),
                None if shown.from.starts_with('/') => self.entry(shown),
                None => Err("a credential plugin is not run here".to_owned()),
            };
            match found {
                Ok(Some(credential)) => return Credentials::only(credential),
                Ok(None) => {}
                Err(detail) => blind.push(spot(&shown.from, Why::NotAsked, &detail, "--creds-file")),
            }
            if told {
                break;
            }
        }
        Credentials::none()
    }

    /// The entry of an auth file.
    fn entry(&self, shown: &Shown) -> Result<Option<Credential>, String> {
        let runtime = self.inspection.report.runtime.as_ref().map(|r| r.name.as_str());
        let of_library = matches!(runtime, Some("cri-o" | "podman"));
        let rule = if of_library { Rule::Podman } else { Rule::Kubelet };
        let text = self.bytes(&shown.from).ok_or("it cannot be read")?;
        Credentials::entry(&shown.from, &text, &shown.key, rule).map_err(|e| e.to_string())
    }
}

/// A login of the runtime's own configuration.
fn of_runtime(shown: &Shown, login: &node::Login) -> Credential {
    Credential {
        user: login.user.clone(),
        secret: login.secret.clone(),
        kind: if login.user.is_empty() { Kind::IdentityToken } else { Kind::Password },
        found: Found { source: shown.from.clone(), key: shown.key.clone() },
    }
}
