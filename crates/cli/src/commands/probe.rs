//! `pullproof probe IMAGE`: the ladder from this machine.

use crate::args::ReportArgs;
use crate::exit::{Failure, Outcome};
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use facts::{Scope, Snapshot};
use formats::manifest::Platform;
use probe::{Credentials, Endpoint, Families, Request, Surroundings};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What `probe` takes.
#[derive(Debug, Args)]
pub struct Probe {
    /// The image reference, as the pod names it
    #[arg(value_name = "IMAGE")]
    pub image: String,
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
    /// The registry speaks plain HTTP. Without this, only loopback is tried so, after TLS was answered with HTTP
    #[arg(long)]
    pub plain_http: bool,
    /// Ask here instead of at the registry that the image names, which gets no credentials (may be given again)
    #[arg(long, value_name = "URL", value_parser = endpoint)]
    pub endpoint: Vec<Endpoint>,
    /// Send the credentials to a token service at this host though it is loopback, link-local or plain HTTP
    #[arg(long, value_name = "HOST")]
    pub allow_realm: Vec<String>,
    /// The platform that the image must have
    #[arg(long, value_name = "OS/ARCH", value_parser = platform)]
    pub platform: Option<Platform>,
    /// Use IPv4 only
    #[arg(short = '4', long, conflicts_with = "ipv6")]
    pub ipv4: bool,
    /// Use IPv6 only
    #[arg(short = '6', long)]
    pub ipv6: bool,
    /// Ask for no configuration and no layer
    #[arg(long)]
    pub no_blobs: bool,
    /// How long any one step may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = crate::commands::diagnose::seconds)]
    pub timeout: Duration,
    /// Print what was seen instead of what it means
    #[arg(long, hide = true)]
    pub snapshot: bool,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

fn endpoint(text: &str) -> Result<Endpoint, String> {
    Endpoint::parse(text).map_err(|e| e.to_string())
}

fn platform(text: &str) -> Result<Platform, String> {
    Platform::parse(text).ok_or_else(|| "give it as linux/amd64 or linux/arm/v7".to_owned())
}

/// Climbs and shows.
pub fn run(args: &Probe, out: &mut Output) -> Outcome {
    let snapshot = collect(args)?;
    if args.snapshot {
        out.print(&(serde_json::to_string_pretty(&snapshot)? + "\n"))?;
    } else {
        let report = diagnose::diagnose(&snapshot);
        out.print(&render::report(&report, args.report.output, out.look()))?;
    }
    Ok(args.report.exit(snapshot.ladders.iter().any(|l| l.ended_at().is_some())))
}

fn collect(args: &Probe) -> Result<Snapshot, Failure> {
    let variable = |name: &str| std::env::var(name).ok();
    let around = Surroundings::of_machine(Path::new("/"), variable)
        .with_credentials(credentials(args)?)
        .with_ca_files(args.ca.clone());
    let mut request = Request::new(&args.image);
    request.endpoints.clone_from(&args.endpoint);
    request.realms.clone_from(&args.allow_realm);
    request.timeout = args.timeout;
    request.plain_http = args.plain_http;
    request.blobs = !args.no_blobs;
    request.families = match (args.ipv4, args.ipv6) {
        (true, _) => Families::V4,
        (_, true) => Families::V6,
        _ => Families::Both,
    };
    if let Some(platform) = &args.platform {
        request.platform = platform.clone();
    }
    around.machine().clone_into(&mut request.vantage.place);
    // A file that was named and holds nothing would only make the verdict look like the registry's fault.
    if let Some(problem) = around.unusable_ca().first() {
        return Err(Failure::CannotLook(anyhow::anyhow!(
            "reading the certificates in {}: {}",
            problem.what,
            problem.detail
        )));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the network runtime")?;
    let ladders = runtime.block_on(probe::climb(&request, &around));
    Ok(Snapshot {
        taken_at: Some(around.now()),
        scope: Scope { source: "probe".to_owned(), target: args.image.clone(), ..Scope::default() },
        blind_spots: around.blind_spots().into_iter().chain(probe::blind_spots(&ladders)).collect(),
        ladders,
        ..Snapshot::default()
    })
}

fn credentials(args: &Probe) -> Result<Credentials, Failure> {
    if args.anonymous {
        return Ok(Credentials::none());
    }
    if let Some(file) = &args.creds_file {
        return Ok(Credentials::from_file(file)?);
    }
    if args.creds_stdin {
        let mut bytes = Vec::new();
        // No configuration is larger; more is somebody's mistake, and memory is finite.
        let mut stdin = std::io::stdin().lock().take(4 * 1024 * 1024);
        stdin.read_to_end(&mut bytes).context("reading the credentials from standard input")?;
        return Ok(Credentials::given("standard input", &bytes)?);
    }
    Ok(Credentials::of_person(|name| std::env::var(name).ok()))
}
