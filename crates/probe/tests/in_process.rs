//! The registry of this workspace, one fault after the other: what no real program can be made to show is in it too.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a failure here is a failed test")]

mod support;

use facts::Ladder;
use probe::{Credentials, Request, Surroundings, Trust};
use registry::{Fault, Registry, Running};
use std::time::Duration;
use support::{failure, passes, shown};
use vocabulary::Cause;

async fn climbed(running: &Running) -> Ladder {
    let mut around = Surroundings::apart(&running.hosts_file(), running.name_server)
        .with_trust(Trust::of_pem("test", running.ca_pem.as_bytes()));
    if let Some(login) = &running.credentials {
        let line = format!("{}:{}", login.user, login.password);
        around = around.with_credentials(Credentials::given("test", line.as_bytes()).unwrap());
    }
    let request = Request {
        plain_http: running.plain_http,
        // Long enough for everything that answers, short enough for what never does.
        timeout: Duration::from_millis(1500),
        ..support::request(&running.image)
    };
    let ladder = probe::climb(&request, &around).await.remove(0);
    if let Some(login) = &running.credentials {
        assert!(!shown(&ladder).contains(&login.password), "{}: a password shows", running.fault);
    }
    ladder
}

/// What a root shows as on a ladder alone; symptoms, and roots that one look shows, are themselves.
fn symptom(fault: Fault) -> Cause {
    match fault {
        Fault::MissingIntermediate => Cause::TlsUnknownAuthority,
        Fault::ClockSkew => Cause::AuthTokenRejected,
        Fault::RepositoryAs401 => Cause::AuthUnauthorized,
        Fault::StripsAuthorization => Cause::AuthUnauthorized,
        other => other.expected().unwrap(),
    }
}

#[tokio::test]
async fn without_a_fault_every_rung_holds() {
    let running = Registry::start(Fault::None).await.unwrap();
    passes(&climbed(&running).await);
}

#[tokio::test]
async fn each_fault_shows_as_its_symptom() {
    let mut wrong = Vec::new();
    for fault in Fault::ALL {
        let running = Registry::start(*fault).await.unwrap();
        let ladder = climbed(&running).await;
        let found = failure(&ladder);
        if found.as_ref().map(|f| f.1) != Some(symptom(*fault)) {
            wrong.push(format!("{fault}: {found:?}\n{}", shown(&ladder)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), Fault::ALL.len(), wrong.join("\n"));
}
