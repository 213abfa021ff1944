//! Nodes, as the API server has them.

use crate::api::Api;
use crate::list::{self, Ended, List, Sink};
use crate::pods::live;
use facts::{BlindSpot, Node};
use formats::docker_config::Sameness;
use formats::kube::{Detail, Envelope, Item, from_json};

#[derive(Default)]
struct Nodes(Vec<Node>);

impl Sink for Nodes {
    fn take(&mut self, page: &[u8]) -> Result<(), String> {
        let hint = Envelope { api_version: "v1".into(), kind: "Node".into() };
        for item in list::items(page)? {
            let read =
                from_json(item.get().as_bytes(), &hint, live(), Detail::Full, &mut Sameness::default());
            if let Item::Node(node) = read.map_err(|e| e.to_string())?.item {
                self.0.push(*node);
            }
        }
        Ok(())
    }

    fn restart(&mut self) {
        self.0.clear();
    }
}

/// All nodes, and whether they are all.
pub(crate) async fn read(api: &Api, blind: &mut Vec<BlindSpot>) -> (Vec<Node>, bool) {
    let mut nodes = Nodes::default();
    let list = List::of("v1", "nodes", "");
    match list::pages(api, &list, &mut nodes).await {
        Ended::Complete => (nodes.0, true),
        Ended::Cut(_, failure) => {
            blind.push(list.blind(&failure));
            (nodes.0, false)
        }
    }
}
