//! Service accounts of the namespaces in which something fails.

use crate::api::Api;
use crate::list::{self, Ended, List, Sink};
use crate::pods::live;
use facts::{BlindSpot, ServiceAccount};
use formats::docker_config::Sameness;
use formats::kube::{Detail, Envelope, Item, from_json};
use std::collections::BTreeSet;

#[derive(Default)]
struct Accounts(Vec<ServiceAccount>);

impl Sink for Accounts {
    fn take(&mut self, page: &[u8]) -> Result<(), String> {
        let hint = Envelope { api_version: "v1".into(), kind: "ServiceAccount".into() };
        for item in list::items(page)? {
            let read =
                from_json(item.get().as_bytes(), &hint, live(), Detail::Full, &mut Sameness::default());
            if let Item::ServiceAccount(account) = read.map_err(|e| e.to_string())?.item {
                self.0.push(*account);
            }
        }
        Ok(())
    }

    fn restart(&mut self) {
        self.0.clear();
    }
}

/// The accounts of these namespaces, and whether they are all.
pub(crate) async fn read(
    api: &Api,
    namespaces: &BTreeSet<String>,
    blind: &mut Vec<BlindSpot>,
) -> (Vec<ServiceAccount>, bool) {
    let (mut all, mut complete) = (Vec::new(), true);
    for namespace in namespaces {
        let mut accounts = Accounts::default();
        let list = List::of("v1", "serviceaccounts", namespace);
        if let Ended::Cut(_, failure) = list::pages(api, &list, &mut accounts).await {
            complete = false;
            blind.push(list.blind(&failure));
        }
        all.append(&mut accounts.0);
    }
    (all, complete)
}
