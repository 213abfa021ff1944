//! Events. The API server keeps one set of them and shows it through two APIs, so one list has all, series included; the
//! other API is asked only where RBAC refuses the first.

use crate::api::Api;
use crate::list::{self, Ended, List, Sink};
use crate::pods::live;
use facts::{BlindSpot, Event, Pod};
use formats::docker_config::Sameness;
use formats::kube::{Detail, Envelope, Item, from_json};
use std::collections::BTreeSet;

/// Successes of pods that are well, remembered as controls.
const MOST_PULLED: usize = 20_000;

/// Reasons of pods' events that speak of the image step or of what comes before it.
/// Source: pkg/kubelet/events/event.go, 1.36.
const REASONS: &[&str] = &[
    "BackOff",
    "ErrImageNeverPull",
    "Failed",
    "FailedCreatePodSandBox",
    "FailedMount",
    "FailedScheduling",
    "FailedToRetrieveImagePullSecret",
    "InspectFailed",
    "NetworkNotReady",
    "Pulled",
    "Pulling",
];

/// The events of a list that matter to pulls.
#[derive(Default)]
pub(crate) struct Events {
    /// In the order of the list.
    pub kept: Vec<Event>,
}

impl Sink for Events {
    fn take(&mut self, page: &[u8]) -> Result<(), String> {
        let hint = Envelope { api_version: "v1".into(), kind: "Event".into() };
        let mut same = Sameness::default();
        for item in list::items(page)? {
            let read = from_json(item.get().as_bytes(), &hint, live(), Detail::Full, &mut same);
            if let Item::Event(event) = read.map_err(|e| e.to_string())?.item
                && (event.kind != "Pod" || REASONS.contains(&event.reason.as_str()))
            {
                self.kept.push(*event);
            }
        }
        Ok(())
    }

    fn restart(&mut self) {
        self.kept.clear();
    }
}

impl Events {
    /// Leaves out what is settled: with all pods of the scope at hand, an event about another pod speaks of the past.
    /// Its `Pulled` stays, as a control.
    pub fn forget_others(&mut self, pods: &[Pod]) {
        let here: BTreeSet<(&str, &str)> =
            pods.iter().map(|p| (p.meta.namespace.as_str(), p.meta.name.as_str())).collect();
        let mut pulled = 0;
        self.kept.retain(|e| {
            if e.kind != "Pod" || here.contains(&(e.namespace.as_str(), e.name.as_str())) {
                return true;
            }
            pulled += usize::from(e.reason == "Pulled");
            e.reason == "Pulled" && pulled <= MOST_PULLED
        });
    }
}

/// All events of a namespace (empty: of all), and whether they are all.
pub(crate) async fn read(api: &Api, namespace: &str, blind: &mut Vec<BlindSpot>) -> (Events, bool) {
    let mut events = Events::default();
    let list = List::of("v1", "events", namespace);
    let Ended::Cut(pages, failure) = list::pages(api, &list, &mut events).await else {
        return (events, true);
    };
    if failure.code() == Some(403) && pages == 0 {
        let other = List::of("events.k8s.io/v1", "events", namespace);
        if list::pages(api, &other, &mut events).await == Ended::Complete {
            return (events, true);
        }
    }
    blind.push(list.blind(&failure));
    (events, false)
}
