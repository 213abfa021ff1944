//! The kubelet's own endpoints through the API server: its configuration, and the runtime's log where the kubelet serves
//! logs. Nothing is made and nothing runs; what may not be asked is a blind spot with the rule that would let it.
//!
//! Sources: kubernetes pkg/kubelet/server/server.go (`/configz`, `/logs/`), KEP-2258 (node log query), 1.36.

use crate::Options;
use crate::api::{Api, As, Failure};
use crate::connect::connect;
use crate::error::ConnectError;
use facts::{BlindSpot, Why};

/// The rule that these take. It is a strong one: whoever has it can ask the kubelet for everything.
const RULE: &str = "get on nodes/proxy";
/// At most this many lines and bytes of a log are kept.
const LINES: u32 = 5_000;
const BYTES: usize = 8 << 20;

/// What a node's kubelet told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Its configuration in force, as JSON.
    pub configuration: Option<String>,
    /// The end of the runtime's log.
    pub log: Option<String>,
    /// What it did not tell.
    pub blind_spots: Vec<BlindSpot>,
}

/// Asks the kubelet of a node; `unit` is the runtime's service, `containerd`. Each question has the deadline of the options.
///
/// # Errors
/// No connection to the API server.
pub async fn read(options: &Options, node: &str, unit: &str) -> Result<Told, ConnectError> {
    let api = Api::new(connect(options).await?.client, options.timeout);
    let base = format!("/api/v1/nodes/{}/proxy", crate::api::escaped(node));
    let mut told = Told::default();
    match text(&api, &format!("{base}/configz")).await {
        Ok(text) => told.configuration = Some(text),
        Err(failure) => told.blind_spots.push(spot(node, "the kubelet's configuration", &failure)),
    }
    let query = format!("{base}/logs/?query={}&tailLines={LINES}", crate::api::escaped(unit));
    let what = format!("the log of {unit}");
    match text(&api, &query).await {
        // Without the log query the same path lists the files of /var/log.
        Ok(text) if text.trim_start().starts_with('<') => {
            told.blind_spots.push(off(node, &what, "the kubelet lists files instead of answering the query"));
        }
        Ok(text) => told.log = Some(text),
        Err(failure @ Failure::Status { code: 404 | 405 | 501, .. }) => {
            told.blind_spots.push(off(node, &what, &failure.words()));
        }
        Err(failure) => told.blind_spots.push(spot(node, &what, &failure)),
    }
    Ok(told)
}

/// An answer as text, its end where it is too long.
async fn text(api: &Api, path: &str) -> Result<String, Failure> {
    let bytes = api.get(path, As::Text).await?;
    let from = bytes.len().saturating_sub(BYTES);
    Ok(String::from_utf8_lossy(bytes.get(from..).unwrap_or_default()).into_owned())
}

fn spot(node: &str, what: &str, failure: &Failure) -> BlindSpot {
    let why = failure.why();
    let needs = if why == Why::Forbidden { RULE } else { "" };
    BlindSpot {
        what: format!("{what} on node {node}"),
        why,
        detail: failure.words(),
        needs: needs.to_owned(),
    }
}

/// The kubelet does not serve logs by query.
fn off(node: &str, what: &str, detail: &str) -> BlindSpot {
    BlindSpot {
        what: format!("{what} on node {node}"),
        why: Why::Unreadable,
        detail: detail.to_owned(),
        needs: "enableSystemLogHandler and enableSystemLogQuery in the kubelet's configuration, or --node-access=pod"
            .to_owned(),
    }
}
