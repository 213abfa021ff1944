//! Pods: those that are not settled in full, the rest as sums, so that memory grows with trouble and not with the cluster.

use crate::list::{self, Sink};
use facts::{Healthy, Origin, Pod};
use formats::docker_config::Sameness;
use formats::kube::{Detail, Envelope, Item, Settled, from_json};

/// Images of healthy pods that are remembered as controls.
const MOST_IMAGES: usize = 5000;
/// Nodes that are remembered of one image.
const MOST_NODES: usize = 8;

/// Waiting reasons that are not about an image. Anything else is, or may be: from Kubernetes 1.33 on an unusable pull
/// secret stands in the reason's place with its own words. Source: pkg/kubelet/kuberuntime and pkg/kubelet/images, 1.36.
const OTHER_REASONS: &[&str] = &[
    "ContainerCreating",
    "PodInitializing",
    "CrashLoopBackOff",
    "CreateContainerConfigError",
    "CreateContainerError",
    "RunContainerError",
    "PreCreateHookError",
    "PreStartHookError",
    "PostStartHookError",
];

/// Whether a container of the pod waits for its image, or may.
pub(crate) fn waits_for_image(pod: &Pod) -> bool {
    let unusual = |reason: &str| !reason.is_empty() && !OTHER_REASONS.contains(&reason);
    pod.containers.iter().any(|c| c.waiting.as_ref().is_some_and(|w| unusual(&w.reason)))
}

/// The pods of a list.
#[derive(Default)]
pub(crate) struct Pods {
    /// Those that are not settled.
    pub kept: Vec<Pod>,
    /// The others.
    pub healthy: Healthy,
}

impl Pods {
    fn add(&mut self, settled: Settled) {
        self.healthy.pods += 1;
        for image in settled.images {
            let full = self.healthy.images.len() >= MOST_IMAGES;
            if full && !self.healthy.images.contains_key(&image) {
                self.healthy.truncated = true;
                continue;
            }
            let nodes = self.healthy.images.entry(image).or_default();
            if !settled.node.is_empty() && nodes.len() < MOST_NODES && !nodes.contains(&settled.node) {
                nodes.push(settled.node.clone());
            }
        }
    }
}

impl Sink for Pods {
    fn take(&mut self, page: &[u8]) -> Result<(), String> {
        let hint = Envelope { api_version: "v1".into(), kind: "Pod".into() };
        let mut same = Sameness::default();
        for item in list::items(page)? {
            let read = from_json(item.get().as_bytes(), &hint, live(), Detail::Sum, &mut same);
            match read.map_err(|e| e.to_string())?.item {
                Item::Pod(pod) => self.kept.push(*pod),
                Item::Settled(settled) => self.add(settled),
                _ => {}
            }
        }
        Ok(())
    }

    fn restart(&mut self) {
        *self = Self::default();
    }
}

/// Where everything here comes from.
pub(crate) fn live() -> Origin {
    Origin { source: "live".to_owned(), line: 0 }
}
