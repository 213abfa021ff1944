//! What `probe` and `diagnose --probe` share: the machine that climbs, what it trusts, and whose credentials it has.

use crate::exit::Failure;
use anyhow::Context;
use clap::Args;
use diagnose::{FailingImage, NextClimb};
use facts::{BlindSpot, Ladder, Outcome, Snapshot, Why};
use formats::manifest::Platform;
use probe::{ClientCertificate, Credentials, Request, Surroundings};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use vocabulary::Cause;

/// What a climb from this machine trusts and sends.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "The way from this machine")]
pub struct WayArgs {
    /// Trust the certificates of this file beside the system's (may be given again)
    #[arg(long, value_name = "FILE")]
    pub ca: Vec<PathBuf>,
    /// Use the credentials of this file: a docker configuration, or one line USER:PASSWORD
    #[arg(long, value_name = "FILE", conflicts_with = "creds_stdin")]
    pub creds_file: Option<PathBuf>,
    /// Read the credentials from standard input, in the same forms
    #[arg(long)]
    pub creds_stdin: bool,
    /// Use no credentials, also not those of docker and podman
    #[arg(long, conflicts_with_all = ["creds_file", "creds_stdin"])]
    pub anonymous: bool,
    /// Show this certificate to the registry where it asks for one, and to no other host
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,
    /// Its private key
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
}

impl WayArgs {
    /// Whether any of them was given.
    pub fn given(&self) -> bool {
        !self.ca.is_empty()
            || self.creds_file.is_some()
            || self.creds_stdin
            || self.anonymous
            || self.cert.is_some()
    }

    /// Whether it is said whose credentials are sent, or that none are.
    pub const fn names_credentials(&self) -> bool {
        self.creds_file.is_some() || self.creds_stdin || self.anonymous
    }

    /// The same without credentials.
    fn without_credentials(&self) -> Self {
        Self { creds_file: None, creds_stdin: false, anonymous: true, ..self.clone() }
    }

    /// This machine, with these.
    ///
    /// # Errors
    /// A file that was named and holds nothing: it would only make the verdict look like the registry's fault.
    pub fn surroundings(&self) -> Result<Surroundings, Failure> {
        let variable = |name: &str| std::env::var(name).ok();
        let around = Surroundings::of_machine(Path::new("/"), variable)
            .with_credentials(self.credentials()?)
            .with_ca_files(self.ca.clone());
        let around = match (&self.cert, &self.key) {
            (Some(cert), Some(key)) => around.with_client_certificate(
                ClientCertificate::from_files(cert, key).map_err(anyhow::Error::from)?,
            ),
            _ => around,
        };
        match around.unusable_ca().first() {
            Some(problem) => Err(Failure::CannotLook(anyhow::anyhow!(
                "reading the certificates in {}: {}",
                problem.what,
                problem.detail
            ))),
            None => Ok(around),
        }
    }

    /// The credentials that are named, else those of the person who asks.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn credentials(&self) -> Result<Credentials, Failure> {
        if self.anonymous {
            return Ok(Credentials::none());
        }
        if let Some(file) = &self.creds_file {
            return Ok(Credentials::from_file(file)?);
        }
        if self.creds_stdin {
            let mut bytes = Vec::new();
            // No configuration is larger; more is somebody's mistake, and memory is finite.
            let mut stdin = std::io::stdin().lock().take(4 * 1024 * 1024);
            stdin.read_to_end(&mut bytes).context("reading the credentials from standard input")?;
            return Ok(Credentials::given("standard input", &bytes)?);
        }
        Ok(Credentials::of_person(|name| std::env::var(name).ok()))
    }
}

/// Runs something that waits for the network.
///
/// # Errors
/// The system gives no event queue.
pub fn wait_for<T>(work: impl Future<Output = T>) -> Result<T, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the network runtime")?;
    Ok(runtime.block_on(work))
}

/// Images that are climbed to for one diagnosis, the first time.
const MOST_CLIMBS: usize = 32;
/// How often what was seen is weighed again, and what is left to ask is asked.
const MOST_ROUNDS: usize = 4;
/// Climbs at a time: registries count requests.
const AT_ONCE: usize = 4;
/// No climb has more steps that wait than this.
const MOST_STEPS: u32 = 20;

/// Climbs to each repository of the Snapshot's failing pulls, then makes the climbs that split best what remains possible
/// (a control image, the image without credentials), until one cause is left for each pull, nothing more can be asked from
/// here, or the time is over. Puts what was seen beside the pulls.
///
/// No climb is made twice, and no credential goes to a registry that has refused it: accounts lock.
///
/// # Errors
/// As [`WayArgs::surroundings`].
pub fn beside(snapshot: &mut Snapshot, way: &WayArgs, timeout: Duration) -> Result<(), Failure> {
    let (signed, unsigned) = (way.surroundings()?, way.without_credentials().surroundings()?);
    let images = diagnose::failing_images(snapshot);
    let (now, left) = images.split_at(images.len().min(MOST_CLIMBS));
    let mut climbs: Vec<NextClimb> =
        now.iter().map(|failing| NextClimb { image: failing.image.clone(), anonymous: false }).collect();
    let ends = Instant::now() + timeout * MOST_STEPS * 2;
    wait_for(async {
        for _ in 0..MOST_ROUNDS {
            let (refused, allowed): (Vec<_>, Vec<_>) =
                climbs.drain(..).partition(|c| !c.anonymous && is_locked_out(&snapshot.ladders, &c.image));
            let words = "the registry has refused the credentials, and they are not sent again";
            snapshot.blind_spots.extend(refused.iter().map(|c| BlindSpot {
                detail: words.to_owned(),
                ..spot(&c.image, Why::NotAsked, "--creds-file")
            }));
            for anonymous in [false, true] {
                let around = if anonymous { &unsigned } else { &signed };
                let some: Vec<FailingImage> = allowed
                    .iter()
                    .filter(|c| c.anonymous == anonymous)
                    .map(|c| FailingImage { image: c.image.clone(), platform: platform_for(&images, c) })
                    .collect();
                let climbed = climb_all(&some, around, timeout, ends).await;
                keep(snapshot, &some, climbed);
            }
            climbs = diagnose::next_climbs(snapshot);
            if climbs.is_empty() || Instant::now() >= ends {
                break;
            }
        }
    })?;
    snapshot.blind_spots.extend(signed.blind_spots());
    let not_asked = left.iter().map(|failing| spot(&failing.image, Why::NotAsked, "pullproof probe IMAGE"));
    snapshot.blind_spots.extend(not_asked);
    Ok(())
}

/// The platform that a climb asks for: the node's that pulls the image, for a control the one of the others.
fn platform_for(images: &[FailingImage], climb: &NextClimb) -> Option<Platform> {
    let own = images.iter().find(|failing| failing.image == climb.image);
    own.or(images.first()).and_then(|failing| failing.platform.clone())
}

fn keep(snapshot: &mut Snapshot, images: &[FailingImage], climbed: Vec<Option<Vec<Ladder>>>) {
    for (failing, ladders) in images.iter().zip(climbed) {
        match ladders {
            Some(ladders) => {
                snapshot.blind_spots.extend(probe::blind_spots(&ladders));
                snapshot.ladders.extend(ladders);
            }
            None => snapshot.blind_spots.push(spot(&failing.image, Why::TimedOut, "--timeout")),
        }
    }
}

/// Whether the image's registry has refused this machine's password.
fn is_locked_out(ladders: &[Ladder], image: &str) -> bool {
    let registry = formats::reference::registry_of(image);
    ladders.iter().any(|l| formats::reference::registry_of(&l.image) == registry && password_refused(l))
}

/// Whether a password was refused on the way.
pub fn password_refused(ladder: &Ladder) -> bool {
    let refused = |l: &Ladder| {
        l.rungs
            .iter()
            .any(|r| matches!(r.outcome, Outcome::Failed { symptom: Cause::AuthBadCredentials, .. }))
    };
    refused(ladder) || ladder.branches.iter().any(refused)
}

fn spot(image: &str, why: Why, needs: &str) -> BlindSpot {
    BlindSpot { what: format!("probe of {image}"), why, detail: String::new(), needs: needs.to_owned() }
}

/// A few at a time; `None` for a climb that outran all its steps, or that there was no time for.
async fn climb_all(
    images: &[FailingImage],
    around: &Surroundings,
    step: Duration,
    ends: Instant,
) -> Vec<Option<Vec<Ladder>>> {
    let mut all = Vec::new();
    for some in images.chunks(AT_ONCE) {
        let left = ends.saturating_duration_since(Instant::now());
        let climbs = some.iter().map(|failing| async move {
            let mut request = Request::new(&failing.image);
            request.timeout = step;
            // The node has to run it, not this machine.
            if let Some(platform) = &failing.platform {
                request.platform.clone_from(platform);
            }
            around.machine().clone_into(&mut request.vantage.place);
            tokio::time::timeout(left.min(step * MOST_STEPS), probe::climb(&request, around)).await.ok()
        });
        all.extend(probe::together(climbs.collect()).await);
    }
    all
}
