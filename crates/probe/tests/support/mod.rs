//! A small machine around a climb: its hosts file, its roots, its proxy variables; and what a ladder says.
#![allow(dead_code, reason = "each test program uses its part")]

pub mod stage;

use facts::{Ladder, Outcome, Scope, Snapshot};
use probe::{Credentials, Request, Surroundings};
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use testkit::Authority;
use vocabulary::{Cause, Confidence, Stage};

/// The machine that climbs.
pub struct Machine {
    root: TempDir,
    variables: Vec<(String, String)>,
    ca_files: Vec<PathBuf>,
    credentials: Credentials,
    dns_port: u16,
    certificate: Option<probe::ClientCertificate>,
}

impl Machine {
    /// With names for loopback in its hosts file, and with roots that sign nothing here.
    pub fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let machine = Self {
            root,
            variables: Vec::new(),
            ca_files: Vec::new(),
            credentials: Credentials::none(),
            dns_port: 53,
            certificate: None,
        };
        machine.file(
            "etc/hosts",
            "127.0.0.1 localhost registry.example.com auth.example.com blobs.example.com\n::1 localhost six.example.com\n",
        );
        machine.file("etc/nsswitch.conf", "hosts: files dns\n");
        machine.file("etc/resolv.conf", "nameserver 127.0.0.1\n");
        machine.file("etc/ssl/certs/ca-certificates.crt", Authority::root("Some Public Root").pem());
        machine
    }

    pub fn file(&self, path: &str, text: &str) {
        let path = self.root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn trusting(mut self, authority: &Authority) -> Self {
        self.ca_files.push(authority.file());
        self
    }

    pub fn trusting_file(mut self, file: PathBuf) -> Self {
        self.ca_files.push(file);
        self
    }

    pub fn with(mut self, variable: &str, value: &str) -> Self {
        self.variables.push((variable.to_owned(), value.to_owned()));
        self
    }

    pub fn knowing(mut self, user: &str, password: &str) -> Self {
        self.credentials = Credentials::given("test", format!("{user}:{password}").as_bytes()).unwrap();
        self
    }

    pub fn with_credentials(mut self, credentials: Credentials) -> Self {
        self.credentials = credentials;
        self
    }

    /// With a client certificate.
    pub fn showing(mut self, issued: &testkit::Issued) -> Self {
        self.certificate =
            Some(probe::ClientCertificate::from_files(&issued.certificate, &issued.key).unwrap());
        self
    }

    /// Asking this name server, which listens on loopback.
    pub fn asking(mut self, servers: &[&str], port: u16) -> Self {
        let text: String = servers.iter().map(|s| format!("nameserver {s}\n")).collect();
        self.file("etc/resolv.conf", &text);
        self.file("etc/hosts", "127.0.0.1 localhost\n");
        self.dns_port = port;
        self
    }

    pub async fn climbs(self, request: &Request) -> Ladder {
        let get = |name: &str| self.variables.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
        let around = Surroundings::of_machine(self.root.path(), get)
            .with_credentials(self.credentials)
            .with_ca_files(self.ca_files)
            .with_dns_port(self.dns_port);
        let around = match self.certificate {
            Some(certificate) => around.with_client_certificate(certificate),
            None => around,
        };
        let mut ladders = probe::climb(request, &around).await;
        assert_eq!(ladders.len(), 1);
        let ladder = ladders.remove(0);
        assert_complete(&ladder);
        ladder
    }
}

/// A request for an image of amd64, with a short deadline.
pub fn request(image: &str) -> Request {
    let mut request = Request::new(image);
    request.platform = formats::manifest::Platform::parse("linux/amd64").unwrap();
    request.timeout = Duration::from_secs(8);
    request
}

/// A request in plain HTTP.
pub fn plain(image: &str) -> Request {
    Request { plain_http: true, ..request(image) }
}

/// Every ladder has all its rungs in order, and nothing after the one that failed was climbed.
fn assert_complete(ladder: &Ladder) {
    let stages: Vec<Stage> = ladder.rungs.iter().map(|r| r.stage).collect();
    let mut sorted = stages.clone();
    sorted.sort();
    assert_eq!(stages, sorted, "rungs are in order");
    assert_eq!(stages.len(), 11, "all rungs are there: {stages:?}");
    let failed = ladder.rungs.iter().position(|r| matches!(r.outcome, Outcome::Failed { .. }));
    if let Some(at) = failed {
        for rung in &ladder.rungs[at + 1..] {
            assert_eq!(rung.outcome, Outcome::NotReached, "{} after a failure", rung.stage);
        }
    }
}

/// The rung that failed, its symptom and words, in the ladder or else in a branch.
pub fn failure(ladder: &Ladder) -> Option<(Stage, Cause, String)> {
    ladder.ended_at().map(|rung| match &rung.outcome {
        Outcome::Failed { symptom, error } => (rung.stage, *symptom, error.clone()),
        _ => unreachable!(),
    })
}

/// Everything in a ladder and its branches, one line a fact, for messages of failed tests.
pub fn shown(ladder: &Ladder) -> String {
    let mut text = format!("{} {}\n", ladder.phase, ladder.url);
    for rung in &ladder.rungs {
        text.push_str(&format!("  {} {:?} {} ms\n", rung.stage, rung.outcome, rung.took_ms));
        for fact in &rung.seen {
            text.push_str(&format!("    {}: {}\n", fact.name, fact.value));
        }
    }
    ladder.branches.iter().fold(text, |text, branch| text + &shown(branch))
}

/// What is concluded from ladders alone.
pub fn report(ladders: &[Ladder]) -> report::Report {
    let snapshot = Snapshot {
        taken_at: ladders.first().and_then(|l| l.at),
        scope: Scope { source: "probe".to_owned(), ..Scope::default() },
        ladders: ladders.to_vec(),
        ..Snapshot::default()
    };
    diagnose::diagnose(&snapshot)
}

/// Asserts the verdict on a ladder: one incident, of this cause, as sure as this.
#[track_caller]
pub fn concludes(ladder: &Ladder, cause: Cause, confidence: Confidence) -> report::Incident {
    concludes_of(std::slice::from_ref(ladder), cause, confidence)
}

/// The same, where other ladders stand beside the one that failed.
#[track_caller]
pub fn concludes_of(ladders: &[Ladder], cause: Cause, confidence: Confidence) -> report::Incident {
    let mut report = report(ladders);
    assert_eq!(report.incidents.len(), 1, "{:?}", report.incidents);
    let incident = report.incidents.remove(0);
    let also: Vec<Cause> = incident.also_possible.iter().map(|p| p.cause).collect();
    assert_eq!(
        (incident.cause, incident.confidence),
        (cause, confidence),
        "or else {also:?}\n{}",
        shown(&ladders[0])
    );
    assert!(!incident.evidence.is_empty(), "a verdict without evidence");
    incident
}

/// Asserts that a ladder ended at a stage with a symptom.
#[track_caller]
pub fn ends(ladder: &Ladder, stage: Stage, symptom: Cause) -> String {
    let (at, cause, words) = failure(ladder).unwrap_or_else(|| panic!("it did not fail:\n{}", shown(ladder)));
    assert_eq!((at, cause), (stage, symptom), "{words}\n{}", shown(ladder));
    words
}

/// Asserts that a ladder passed.
#[track_caller]
pub fn passes(ladder: &Ladder) {
    assert!(failure(ladder).is_none(), "{}", shown(ladder));
    assert!(ladder.rungs.iter().all(|r| r.outcome != Outcome::NotReached), "{}", shown(ladder));
}

/// A fact of a rung.
#[track_caller]
pub fn fact<'l>(ladder: &'l Ladder, stage: Stage, name: &str) -> &'l str {
    let rung = ladder.rung(stage).expect("the rung");
    rung.fact(name).unwrap_or_else(|| panic!("no {name} on {stage}:\n{}", shown(ladder)))
}
