//! Events of both APIs (`v1` and `events.k8s.io/v1`), with their series folded in.

use super::lenient::{Count, Or, Text, bounded};
use super::meta::{RawMeta, time};
use super::pod::LONGEST_MESSAGE;
use crate::redact;
use facts::{Event, Origin};
use jiff::Timestamp;
use serde::Deserialize;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct RawEvent<'a> {
    #[serde(borrow)]
    metadata: Or<RawMeta<'a>>,
    #[serde(borrow, alias = "regarding")]
    involved_object: Or<RawReference<'a>>,
    #[serde(borrow)]
    reason: Text<'a>,
    #[serde(borrow, alias = "note")]
    message: Text<'a>,
    #[serde(borrow, rename = "type")]
    type_: Text<'a>,
    #[serde(borrow, alias = "deprecatedSource")]
    source: Or<RawSource<'a>>,
    #[serde(borrow, alias = "reportingController")]
    reporting_component: Text<'a>,
    #[serde(borrow)]
    reporting_instance: Text<'a>,
    #[serde(borrow, alias = "deprecatedFirstTimestamp")]
    first_timestamp: Text<'a>,
    #[serde(borrow, alias = "deprecatedLastTimestamp")]
    last_timestamp: Text<'a>,
    #[serde(borrow)]
    event_time: Text<'a>,
    #[serde(alias = "deprecatedCount")]
    count: Count,
    #[serde(borrow)]
    series: Or<RawSeries<'a>>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawReference<'a> {
    #[serde(borrow)]
    kind: Text<'a>,
    #[serde(borrow)]
    namespace: Text<'a>,
    #[serde(borrow)]
    name: Text<'a>,
    #[serde(borrow)]
    uid: Text<'a>,
    #[serde(borrow)]
    field_path: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct RawSource<'a> {
    #[serde(borrow)]
    component: Text<'a>,
    #[serde(borrow)]
    host: Text<'a>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct RawSeries<'a> {
    count: Count,
    #[serde(borrow)]
    last_observed_time: Text<'a>,
}

impl RawEvent<'_> {
    /// The newest time that it states.
    pub fn newest(&self) -> Option<Timestamp> {
        self.last().max(self.first()).max(self.metadata.0.newest())
    }

    fn first(&self) -> Option<Timestamp> {
        time(&self.first_timestamp).or_else(|| time(&self.event_time))
    }

    fn last(&self) -> Option<Timestamp> {
        time(&self.series.0.last_observed_time).max(time(&self.last_timestamp)).max(time(&self.event_time))
    }

    /// The facts of it.
    pub fn facts(&self, origin: Origin) -> Event {
        let about = &self.involved_object.0;
        let source = &self.source.0;
        let component =
            if source.component.is_empty() { &self.reporting_component } else { &source.component };
        // The kubelet reports its node as the instance; other components report their pod.
        let host = match (&source.host, component.as_str()) {
            (host, _) if !host.is_empty() => host.owned(),
            (_, "kubelet") => self.reporting_instance.owned(),
            _ => String::new(),
        };
        let mut meta = self.metadata.0.facts(origin);
        meta.managers.clear();
        Event {
            kind: about.kind.owned(),
            namespace: if about.namespace.is_empty() {
                meta.namespace.clone()
            } else {
                about.namespace.owned()
            },
            name: about.name.owned(),
            uid: about.uid.owned(),
            container: container_of(about.field_path.as_str()).to_owned(),
            reason: self.reason.owned(),
            severity: self.type_.owned(),
            message: redact::text(bounded(self.message.as_str(), LONGEST_MESSAGE)).into_owned(),
            component: component.owned(),
            host,
            count: self.count.0.max(self.series.0.count.0).max(1),
            first: self.first().or_else(|| time(&self.metadata.0.creation_timestamp)),
            last: self.last().or_else(|| time(&self.metadata.0.creation_timestamp)),
            meta,
        }
    }
}

/// The container's name in `spec.containers{app}` and its like.
/// Source: kubernetes pkg/kubelet/container/ref.go, 1.36.
pub fn container_of(field_path: &str) -> &str {
    field_path.split_once('{').map_or("", |(_, rest)| rest.trim_end_matches('}'))
}
