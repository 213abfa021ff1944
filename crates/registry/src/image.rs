//! The image that the registry holds: small, and right to the last digest.

use crate::Fault;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

pub(crate) const INDEX: &str = "application/vnd.oci.image.index.v1+json";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar";
pub(crate) const SCHEMA1: &str = "application/vnd.docker.distribution.manifest.v1+prettyjws";

/// The layer's size in bytes: more than one packet, and more than one window of a slow start.
const LAYER_BYTES: usize = 256 * 1024;

/// Some content and its media type.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub media_type: &'static str,
    pub bytes: Vec<u8>,
}

/// One repository's content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Image {
    /// By digest: index and manifests.
    pub manifests: BTreeMap<String, Content>,
    /// By digest: configurations and layers.
    pub blobs: BTreeMap<String, Content>,
    /// Tag to digest.
    pub tags: BTreeMap<String, String>,
    /// The digests of the layers.
    pub layers: Vec<String>,
    /// The digests of the configurations.
    pub configs: Vec<String>,
}

impl Image {
    /// An image of a few tags, with variants for the usual platforms, or for others only.
    pub(crate) fn build(fault: Fault) -> Self {
        let platforms: &[(&str, &str)] = match fault {
            Fault::WrongPlatform => &[("linux", "s390x"), ("windows", "amd64")],
            _ => &[("linux", "amd64"), ("linux", "arm64")],
        };
        let mut image = Self::default();
        let layer = image.blob(LAYER, layer());
        image.layers.push(digest_of(&layer));
        let mut variants = Vec::new();
        for (os, architecture) in platforms {
            let config = json!({
                "architecture": architecture, "os": os,
                "config": { "Entrypoint": ["/hello"], "Labels": { "org.opencontainers.image.title": "app" } },
                "rootfs": { "type": "layers", "diff_ids": [digest_of(&layer)] },
                "history": [{ "created_by": "COPY hello /hello" }],
            });
            let config = image.blob(CONFIG, config.to_string().into_bytes());
            image.configs.push(digest_of(&config));
            let manifest = json!({
                "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": [layer],
            });
            let mut variant = image.manifest(MANIFEST, manifest.to_string().into_bytes());
            if let Some(entry) = variant.as_object_mut() {
                entry.insert("platform".to_owned(), json!({ "architecture": architecture, "os": os }));
            }
            variants.push(variant);
        }
        let index = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": variants });
        let index = image.manifest(INDEX, index.to_string().into_bytes());
        for tag in ["1.4.0", "1.4.1", "1.4.2", "latest"] {
            image.tags.insert(tag.to_owned(), digest_of(&index));
        }
        image
    }

    /// What a tag or digest names, and its digest.
    pub(crate) fn find(&self, reference: &str) -> Option<(&str, &Content)> {
        let digest = self.tags.get(reference).map_or(reference, String::as_str);
        self.manifests.get_key_value(digest).map(|(digest, content)| (digest.as_str(), content))
    }

    fn blob(&mut self, media_type: &'static str, bytes: Vec<u8>) -> Value {
        keep(&mut self.blobs, media_type, bytes)
    }

    fn manifest(&mut self, media_type: &'static str, bytes: Vec<u8>) -> Value {
        keep(&mut self.manifests, media_type, bytes)
    }
}

fn keep(store: &mut BTreeMap<String, Content>, media_type: &'static str, bytes: Vec<u8>) -> Value {
    let digest = digest(&bytes);
    let descriptor = json!({ "mediaType": media_type, "digest": digest, "size": bytes.len() });
    store.insert(digest, Content { media_type, bytes });
    descriptor
}

fn digest_of(descriptor: &Value) -> String {
    descriptor.get("digest").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// `sha256:` and the hex of the content's hash.
pub(crate) fn digest(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}

/// A tar of one file that says hello: header, content, two empty blocks.
fn layer() -> Vec<u8> {
    let content = b"hello\n".repeat(LAYER_BYTES / 6);
    let mut header = vec![0u8; 512];
    let mut write = |at: usize, text: &str| {
        if let Some(field) = header.get_mut(at..at + text.len()) {
            field.copy_from_slice(text.as_bytes());
        }
    };
    write(0, "hello");
    write(100, "0000755");
    write(108, "0000000");
    write(116, "0000000");
    write(124, &format!("{:011o}", content.len()));
    write(136, "00000000000");
    write(148, "        ");
    write(156, "0");
    write(257, "ustar");
    write(263, "00");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    if let Some(field) = header.get_mut(148..156) {
        field.copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    }
    let padding = content.len().next_multiple_of(512) - content.len();
    [header, content, vec![0; padding + 1024]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digest_is_that_of_its_content_and_every_descriptor_leads_somewhere() {
        let image = Image::build(Fault::None);
        for (stated, content) in image.manifests.iter().chain(&image.blobs) {
            assert_eq!(*stated, digest(&content.bytes));
        }
        let (_, index) = image.find("1.4.2").unwrap();
        let index: Value = serde_json::from_slice(&index.bytes).unwrap();
        for entry in index["manifests"].as_array().unwrap() {
            let (_, manifest) = image.find(&digest_of(entry)).unwrap();
            assert_eq!(entry["size"], manifest.bytes.len());
            let manifest: Value = serde_json::from_slice(&manifest.bytes).unwrap();
            for blob in [&manifest["config"], &manifest["layers"][0]] {
                assert_eq!(blob["size"], image.blobs[&digest_of(blob)].bytes.len());
            }
        }
    }
}
