//! `pullproof demo [FAULT]`: a real registry with a chosen fault inside this process, and the real report about it.
//!
//! The ladder is the one of `probe` and the conclusions are those of `diagnose`; only the machine around them is made
//! up: its names lead to loopback, and it trusts one root.

use crate::args::ReportArgs;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use facts::{Ladder, Scope, Snapshot};
use probe::{Credentials, Request, Surroundings, Trust};
use registry::{Fault, Registry, Running};
use render::{Format, Words};
use std::time::Duration;

/// What `demo` takes.
#[derive(Debug, Args)]
pub struct Demo {
    /// The fault to show; without it, one that is worth seeing
    #[arg(value_name = "FAULT", value_parser = faults(), hide_possible_values = true)]
    pub fault: Option<Fault>,
    /// List the faults
    #[arg(long)]
    pub list: bool,
    /// The report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Where the registry listens when nothing else does: a port that reads well in a report.
const PORT: u16 = 8443;
/// How long one step may take. On loopback everything that answers does so at once.
const PATIENCE: Duration = Duration::from_secs(2);

fn faults() -> impl TypedValueParser<Value = Fault> {
    let ids = Fault::ALL.iter().chain([&Fault::None]).map(|fault| fault.id());
    PossibleValuesParser::new(ids).try_map(|id| id.parse::<Fault>())
}

/// Starts the registry, climbs, shows.
pub fn run(args: &Demo, out: &mut Output) -> Outcome {
    let words = Words::of(out.look().lang);
    if args.list {
        out.print(&list(words))?;
        return Ok(Exit::Clear);
    }
    let fault = args.fault.unwrap_or(Fault::TELLING);
    let snapshot = collect(fault)?;
    let report = diagnose::diagnose(&snapshot);
    let shown = render::report(&report, args.report.output, out.look());
    match args.report.output {
        Format::Text | Format::Wide => {
            let intro = if fault == Fault::None { "demo-intro-sound" } else { "demo-intro" };
            let intro = words.with(intro, &[("fault", fault.id()), ("meaning", &meaning(words, fault))]);
            out.print(&format!("{intro}\n\n{shown}\n{}\n", words.get("demo-more")))?;
        }
        _ => out.print(&shown)?,
    }
    Ok(Exit::Clear)
}

fn meaning(words: &Words, fault: Fault) -> String {
    words.get(&format!("fault-{fault}"))
}

/// The faults in the order of the rungs that they break, with the cause that each leads to.
fn list(words: &Words) -> String {
    let widest = Fault::ALL.iter().map(|fault| fault.id().len()).max().unwrap_or(0);
    Fault::ALL.iter().map(|fault| format!("{fault:widest$}  {}\n", meaning(words, *fault))).collect()
}

/// Breaks one thing, and looks.
fn collect(fault: Fault) -> Result<Snapshot, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .context("cannot start the network runtime")?;
    runtime.block_on(async {
        let running = Registry::start_at(fault, PORT).await.context("starting the demo's registry")?;
        let around = surroundings(&running)?;
        let mut ladders = climb(&running, &running.image, &around).await;
        if let Some(control) = &running.control_image {
            ladders.extend(climb(&running, control, &around).await);
        }
        Ok(Snapshot {
            taken_at: Some(around.now()),
            scope: Scope { source: "demo".to_owned(), target: running.image.clone(), ..Scope::default() },
            ladders,
            ..Snapshot::default()
        })
    })
}

/// The machine that pulls: it knows the names, trusts one root, and has the credentials.
fn surroundings(running: &Running) -> Result<Surroundings, Failure> {
    let credentials = match &running.credentials {
        Some(login) => {
            let pair = format!("{}:{}", login.user, login.password);
            Credentials::given("the demo's pull secret", pair.as_bytes())?
        }
        None => Credentials::none(),
    };
    Ok(Surroundings::apart(&running.hosts_file(), running.name_server)
        .with_trust(Trust::of_pem("the demo's trusted root", running.ca_pem.as_bytes()))
        .with_credentials(credentials))
}

async fn climb(running: &Running, image: &str, around: &Surroundings) -> Vec<Ladder> {
    let mut request = Request::new(image);
    request.timeout = PATIENCE;
    request.plain_http = running.plain_http;
    "demo".clone_into(&mut request.vantage.place);
    probe::climb(&request, around).await
}

#[cfg(test)]
mod tests {
    use super::*;
    use render::Lang;
    use vocabulary::{Cause, Confidence};

    /// How sure the verdict on a fault is: what a probe measures is sure, unless something that it cannot see would look
    /// the same from here.
    fn sureness(fault: Fault) -> Confidence {
        let another_looks_the_same = [
            // A resolver that fails for others too, or for this machine alone.
            Fault::NameServerFails,
            Fault::NameServerSilent,
            // Large packets that are lost, or a device that presents certificates of its own.
            Fault::HandshakeStalls,
            Fault::NeverAnswers,
            Fault::PrivateCa,
            Fault::MissingIntermediate,
            Fault::SelfSigned,
            Fault::WrongName,
            // This machine's own clock.
            Fault::Expired,
            Fault::NotYetValid,
            // A page says little of who put it there.
            Fault::NotARegistry,
            Fault::LoginPage,
            Fault::RedirectLoop,
            Fault::BlockedByGateway,
            // A realm that is wrong, or down; one that other clients would use.
            Fault::NoChallenge,
            Fault::TokenServiceDown,
            Fault::RealmScheme,
            // A repository that is hidden, a header that is dropped.
            Fault::WrongPassword,
            Fault::InsufficientScope,
            Fault::Denied,
            Fault::StripsAuthorization,
            Fault::RepositoryMissing,
        ];
        if another_looks_the_same.contains(&fault) { Confidence::Likely } else { Confidence::Confirmed }
    }

    #[test]
    fn each_fault_is_named() {
        let mut wrong = Vec::new();
        for fault in Fault::ALL {
            let report = diagnose::diagnose(&collect(*fault).unwrap());
            let found: Vec<(Cause, Confidence)> =
                report.incidents.iter().map(|i| (i.cause, i.confidence)).collect();
            let expected = vec![(fault.expected().unwrap(), sureness(*fault))];
            if found != expected {
                let also: Vec<_> = report.incidents.iter().flat_map(|i| &i.also_possible).collect();
                wrong.push(format!("{fault}: {found:?}, not {expected:?}; or else {also:?}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn without_a_fault_the_whole_ladder_is_shown() {
        let report = diagnose::diagnose(&collect(Fault::None).unwrap());
        assert!(report.incidents.is_empty() && report.is_well());
        let [climb] = report.climbs.as_slice() else { panic!("{:?}", report.climbs) };
        assert!(
            climb.rungs.iter().all(|r| r.state == report::RungState::Passed && r.says.is_some()),
            "{climb:?}"
        );
    }

    #[test]
    fn every_fault_is_described_in_both_languages() {
        for fault in Fault::ALL.iter().chain([&Fault::None]) {
            assert_eq!(meaning(Words::of(Lang::En), *fault), fault.meaning());
            let korean = meaning(Words::of(Lang::Ko), *fault);
            assert!(korean.ends_with("니다."), "{fault}: {korean}");
        }
    }
}
