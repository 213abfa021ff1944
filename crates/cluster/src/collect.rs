//! The whole run: connect, list, read what failing pods name. Once connected it always ends with a Snapshot.

use crate::api::{Api, As, Failure};
use crate::connect::{Connected, connect};
use crate::error::{ConnectError, plain};
use crate::list::{self, Ended, List};
use crate::pods::{Pods, live, waits_for_image};
use crate::secrets::Named;
use crate::{Options, accounts, events, nodes, owners, scope, secrets};
use facts::{BlindSpot, Coverage, Pod, ServiceAccount, Snapshot, StatedVersion, Why};
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Namespaces whose service accounts and secrets are listed.
const MOST_NAMESPACES: usize = 100;

/// Looks at a live cluster.
///
/// # Errors
/// Only where nothing could be looked at: no kubeconfig, no server, no such namespace or target. Whatever fails after that
/// is a blind spot in the Snapshot.
pub async fn collect(options: &Options) -> Result<Snapshot, ConnectError> {
    let connected = connect(options).await?;
    let api = Api::new(connected.client.clone(), options.timeout);
    let version = version(&api, &connected).await?;
    let scope = scope::resolve(&api, options, &connected).await?;

    let pod_list =
        List { fields: scope.fields, labels: scope.labels, ..List::of("v1", "pods", &scope.namespace) };
    let mut pods = Pods::default();
    let (mut blind_pods, mut blind_events, mut blind_nodes) = (Vec::new(), Vec::new(), Vec::new());
    let (ended, (mut events, events_complete), (nodes, nodes_complete)) = tokio::join!(
        list::pages(&api, &pod_list, &mut pods),
        events::read(&api, &scope.namespace, &mut blind_events),
        nodes::read(&api, &mut blind_nodes),
    );
    let pods_complete = ended == Ended::Complete;
    if let Ended::Cut(pages, failure) = &ended {
        bad_selector(options, failure)?;
        let mut spot = pod_list.blind(failure);
        if *pages > 0 {
            spot.what = format!("{} after the first {pages} pages", spot.what);
        }
        blind_pods.push(spot);
    } else if pods.kept.is_empty() && pods.healthy.pods == 0 && !scope.namespace.is_empty() {
        scope::exists(&api, &scope.namespace).await?;
    }
    if pods_complete {
        events.forget_others(&pods.kept);
    }

    let mut snapshot = Snapshot {
        taken_at: Some(Timestamp::now()),
        scope: facts::Scope {
            source: "live".to_owned(),
            context: plain(&connected.context),
            namespace: scope.namespace,
            target: options.target.as_ref().map(ToString::to_string).unwrap_or_default(),
            selector: options.selector.clone().unwrap_or_default(),
        },
        pods: pods.kept,
        healthy: pods.healthy,
        events: events.kept,
        nodes,
        versions: version.into_iter().collect(),
        coverage: Coverage {
            pods: pods_complete,
            events: events_complete,
            nodes: nodes_complete,
            ..Coverage::default()
        },
        blind_spots: [blind_pods, blind_events, blind_nodes].concat(),
        ..Snapshot::default()
    };
    credentials(&api, &mut snapshot).await;
    let failing: Vec<&Pod> = snapshot.pods.iter().filter(|p| waits_for_image(p)).collect();
    snapshot.others = owners::read(&api, &failing).await;
    Ok(snapshot)
}

/// Service accounts and secrets of the namespaces in which a pod waits for its image.
async fn credentials(api: &Api, snapshot: &mut Snapshot) {
    let failing: Vec<&Pod> = snapshot.pods.iter().filter(|p| waits_for_image(p)).collect();
    let mut namespaces: BTreeSet<String> = failing.iter().map(|p| p.meta.namespace.clone()).collect();
    let more = namespaces.len().saturating_sub(MOST_NAMESPACES);
    if more > 0 {
        namespaces = namespaces.into_iter().take(MOST_NAMESPACES).collect();
        snapshot.blind_spots.push(BlindSpot {
            what: format!("service accounts and secrets of {more} more namespaces"),
            why: Why::Truncated,
            detail: String::new(),
            needs: "one namespace at a time: -n".to_owned(),
        });
    }
    let (accounts, accounts_complete) = accounts::read(api, &namespaces, &mut snapshot.blind_spots).await;
    let named = named(&failing, &accounts, &namespaces);
    let found = secrets::read(api, &namespaces, &named, &mut snapshot.blind_spots).await;
    snapshot.service_accounts = accounts;
    snapshot.secrets = found.all;
    snapshot.coverage.service_accounts = accounts_complete && more == 0;
    snapshot.coverage.secrets = found.complete && more == 0;
    snapshot.coverage.secrets_elsewhere = found.sought_everywhere && more == 0;
}

/// The secrets that failing pods and their service accounts name.
fn named(failing: &[&Pod], accounts: &[ServiceAccount], namespaces: &BTreeSet<String>) -> BTreeSet<Named> {
    let mut all = BTreeSet::new();
    for pod in failing.iter().filter(|p| namespaces.contains(&p.meta.namespace)) {
        let account = accounts
            .iter()
            .find(|a| a.meta.namespace == pod.meta.namespace && a.meta.name == pod.service_account)
            .map(|a| a.pull_secrets.as_slice())
            .unwrap_or_default();
        let names = pod.pull_secrets.iter().chain(account).filter(|n| !n.is_empty());
        all.extend(names.map(|name| (pod.meta.namespace.clone(), name.clone())));
    }
    all
}

/// The first request: it shows whether the server is there, and whether it knows us.
async fn version(api: &Api, connected: &Connected) -> Result<Option<StatedVersion>, ConnectError> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Version {
        git_version: String,
    }
    let server = connected.server.clone();
    match api.get("/version", As::Objects).await {
        Ok(bytes) => Ok(serde_json::from_slice::<Version>(&bytes).ok().map(|v| StatedVersion {
            program: "kube-apiserver".to_owned(),
            version: plain(v.git_version.trim_start_matches('v')),
            node: None,
            origin: live(),
        })),
        Err(Failure::Status { code: 401, .. }) => {
            Err(ConnectError::Unauthorized { server, context: plain(&connected.context) })
        }
        Err(Failure::NoLogin(why)) => {
            Err(ConnectError::Credentials { context: plain(&connected.context), why })
        }
        // It answered: what may be read is seen at each list
        Err(Failure::Status { .. } | Failure::TooLarge) => Ok(None),
        Err(failure @ (Failure::TimedOut | Failure::Broken(_))) => {
            let way =
                connected.proxy.as_ref().map(|p| format!("through the proxy {p}: ")).unwrap_or_default();
            Err(ConnectError::Unreachable { server, why: way + &failure.words() })
        }
    }
}

/// A selector that the server cannot parse is the user's mistake, not a blind spot.
fn bad_selector(options: &Options, failure: &Failure) -> Result<(), ConnectError> {
    match (&options.selector, failure) {
        (Some(selector), Failure::Status { code: 400, message, .. }) => {
            Err(ConnectError::BadSelector { selector: plain(selector), why: message.clone() })
        }
        _ => Ok(()),
    }
}
