//! What `probe` and `diagnose --probe` share: the machine that climbs, what it trusts, and whose credentials it has.

use crate::exit::Failure;
use anyhow::Context;
use clap::Args;
use diagnose::FailingImage;
use facts::{BlindSpot, Ladder, Snapshot, Why};
use probe::{ClientCertificate, Credentials, Request, Surroundings};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a climb from this machine trusts and sends.
#[derive(Debug, Default, Args)]
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

    fn credentials(&self) -> Result<Credentials, Failure> {
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

/// Repositories that are climbed to for one diagnosis.
const MOST_CLIMBS: usize = 32;
/// Climbs at a time: registries count requests.
const AT_ONCE: usize = 4;
/// No climb has more steps that wait than this.
const MOST_STEPS: u32 = 20;

/// Climbs once to each repository of the Snapshot's failing pulls, and puts what was seen beside them.
///
/// # Errors
/// As [`WayArgs::surroundings`].
pub fn beside(snapshot: &mut Snapshot, way: &WayArgs, timeout: Duration) -> Result<(), Failure> {
    let around = way.surroundings()?;
    let images = diagnose::failing_images(snapshot);
    let (now, left) = images.split_at(images.len().min(MOST_CLIMBS));
    let ladders = wait_for(climb_all(now, &around, timeout))?;
    for (failing, climbed) in now.iter().zip(ladders) {
        match climbed {
            Some(ladders) => {
                snapshot.blind_spots.extend(probe::blind_spots(&ladders));
                snapshot.ladders.extend(ladders);
            }
            None => snapshot.blind_spots.push(spot(failing, Why::TimedOut, "--timeout")),
        }
    }
    snapshot.blind_spots.extend(around.blind_spots());
    snapshot
        .blind_spots
        .extend(left.iter().map(|failing| spot(failing, Why::NotAsked, "pullproof probe IMAGE")));
    Ok(())
}

fn spot(failing: &FailingImage, why: Why, needs: &str) -> BlindSpot {
    BlindSpot {
        what: format!("probe of {}", failing.image),
        why,
        detail: String::new(),
        needs: needs.to_owned(),
    }
}

/// A few at a time; `None` for a climb that outran all its steps.
async fn climb_all(
    images: &[FailingImage],
    around: &Surroundings,
    step: Duration,
) -> Vec<Option<Vec<Ladder>>> {
    let mut all = Vec::new();
    for some in images.chunks(AT_ONCE) {
        let climbs = some.iter().map(|failing| async move {
            let mut request = Request::new(&failing.image);
            request.timeout = step;
            // The node has to run it, not this machine.
            if let Some(platform) = &failing.platform {
                request.platform.clone_from(platform);
            }
            around.machine().clone_into(&mut request.vantage.place);
            tokio::time::timeout(step * MOST_STEPS, probe::climb(&request, around)).await.ok()
        });
        all.extend(probe::together(climbs.collect()).await);
    }
    all
}
