//! What the kubelet keeps of its pulls (1.33 and later): pulls that it has begun, and by whose credentials an image came. A
//! pod without such credentials must pull anew, although the image is there.
//!
//! Source: kubernetes pkg/kubelet/images/pullmanager and pkg/kubelet/apis/config/types.go, 1.36. The credentials' hashes in
//! these files are left where they are.

use crate::tree::{HostTree, Look};
use emulate::files::{Files, join};
use facts::{BlindSpot, Why};
use formats::reference::repository_of;
use report::node::{PullRecord, PullRecords};
use serde::Deserialize;
use std::collections::BTreeMap;

const DIR: &str = "/var/lib/kubelet/image_manager";
/// At most this many records of each kind are read.
const MOST: usize = 2_000;

#[derive(Deserialize)]
struct Intent {
    image: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pulled {
    image_ref: String,
    #[serde(default)]
    credential_mapping: BTreeMap<String, Access>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Access {
    node_pods_accessible: bool,
    kubernetes_secrets: Vec<Named>,
    kubernetes_service_accounts: Vec<Named>,
}

#[derive(Deserialize)]
struct Named {
    namespace: String,
    name: String,
}

/// The records; those of pulled images for this image only. `None` where the kubelet keeps none.
pub fn look(tree: &HostTree, image: Option<&str>, blind: &mut Vec<BlindSpot>) -> Option<PullRecords> {
    if let Look::Blind(why, detail) = tree.look(DIR) {
        blind.push(spot(DIR, why, detail));
        return None;
    }
    let mut found = PullRecords::default();
    let mut known = false;
    for text in texts(tree, "pulling", &mut known, blind) {
        found.pulling.extend(serde_json::from_str::<Intent>(&text).ok().map(|i| i.image));
    }
    for text in texts(tree, "pulled", &mut known, blind) {
        let Ok(pulled) = serde_json::from_str::<Pulled>(&text) else { continue };
        found.pulled += 1;
        let wanted = |name: &str| image.is_some_and(|i| repository_of(i) == repository_of(name));
        for (name, access) in pulled.credential_mapping.into_iter().filter(|(n, _)| wanted(n)) {
            let names =
                |all: Vec<Named>| all.into_iter().map(|n| format!("{}/{}", n.namespace, n.name)).collect();
            found.of_image.push(PullRecord {
                image: name,
                image_ref: pulled.image_ref.clone(),
                for_all: access.node_pods_accessible,
                secrets: names(access.kubernetes_secrets),
                accounts: names(access.kubernetes_service_accounts),
            });
        }
    }
    known.then_some(found)
}

/// The texts of one kind's records.
fn texts(tree: &HostTree, kind: &str, known: &mut bool, blind: &mut Vec<BlindSpot>) -> Vec<String> {
    let dir = join(DIR, kind);
    match tree.look(&dir) {
        Look::Dir => *known = true,
        Look::Blind(why, detail) => blind.push(spot(&dir, why, detail)),
        _ => return Vec::new(),
    }
    let mut names = tree.list(&dir);
    names.retain(|n| n.starts_with("sha256-"));
    if names.len() > MOST {
        blind.push(spot(&dir, Why::Truncated, format!("{} records; {MOST} are read", names.len())));
    }
    names.iter().take(MOST).filter_map(|n| tree.text(&join(&dir, n))).collect()
}

fn spot(what: &str, why: Why, detail: String) -> BlindSpot {
    let needs = if why == Why::Forbidden { "run as root" } else { "" };
    BlindSpot { what: what.to_owned(), why, detail, needs: needs.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whose_credentials_brought_an_image() {
        let dir = tempfile::tempdir().unwrap();
        let put = |path: &str, text: &str| {
            let at = dir.path().join("var/lib/kubelet/image_manager").join(path);
            fs_err::create_dir_all(at.parent().unwrap()).unwrap();
            fs_err::write(at, text).unwrap();
        };
        put("pulling/sha256-1", r#"{"kind":"ImagePullIntent","image":"r.example.com/b:1"}"#);
        put("pulling/.tmp", "{");
        put(
            "pulled/sha256-2",
            r#"{"kind":"ImagePulledRecord","imageRef":"sha256:2","credentialMapping":{"r.example.com/a":{"kubernetesSecrets":
            [{"uid":"u","namespace":"shop","name":"login","credentialHash":"canary"}]},"r.example.com/c":{"nodePodsAccessible":true}}}"#,
        );
        put("pulled/sha256-3", "no json");
        let tree = HostTree::new(dir.path());
        let found = look(&tree, Some("r.example.com/a:7"), &mut Vec::new()).unwrap();
        assert_eq!((found.pulling.as_slice(), found.pulled), (&["r.example.com/b:1".to_owned()][..], 1));
        assert_eq!(found.of_image.len(), 1);
        assert_eq!((found.of_image[0].for_all, found.of_image[0].secrets[0].as_str()), (false, "shop/login"));
        assert!(!format!("{found:?}").contains("canary"));
    }

    #[test]
    fn a_kubelet_that_keeps_none() {
        let dir = tempfile::tempdir().unwrap();
        let mut blind = Vec::new();
        assert_eq!(look(&HostTree::new(dir.path()), None, &mut blind), None);
        assert_eq!(blind, []);
    }
}
