//! Small images: real manifests, configurations and layers.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const CONFIG: &str = "application/vnd.oci.image.config.v1+json";
const LAYER: &str = "application/vnd.oci.image.layer.v1.tar";
const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const INDEX: &str = "application/vnd.oci.image.index.v1+json";

/// The digest of some bytes.
pub fn digest_of(bytes: &[u8]) -> String {
    let hex: String = Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect();
    format!("sha256:{hex}")
}

/// An image or index, and everything that it names.
#[derive(Clone, Debug)]
pub struct Image {
    /// The media type of the manifest or index.
    pub media_type: String,
    /// Its bytes.
    pub manifest: Vec<u8>,
    /// Configurations and layers.
    pub blobs: Vec<Vec<u8>>,
    /// The images of an index.
    pub children: Vec<Image>,
}

impl Image {
    /// One image for a platform like `linux/amd64`, with a layer of some hundred KiB.
    pub fn single(platform: &str) -> Self {
        Self::with_layer(platform, &layer(300 * 1024))
    }

    /// One image with this layer.
    pub fn with_layer(platform: &str, layer: &[u8]) -> Self {
        let (os, architecture) = platform.split_once('/').expect("os/architecture");
        let config = json!({
            "os": os, "architecture": architecture, "config": {},
            "rootfs": { "type": "layers", "diff_ids": [digest_of(layer)] },
        });
        let config = config.to_string().into_bytes();
        let manifest = json!({
            "schemaVersion": 2, "mediaType": MANIFEST,
            "config": descriptor(CONFIG, &config),
            "layers": [descriptor(LAYER, layer)],
        });
        Self {
            media_type: MANIFEST.to_owned(),
            manifest: manifest.to_string().into_bytes(),
            blobs: vec![config, layer.to_vec()],
            children: Vec::new(),
        }
    }

    /// An index of images for these platforms, with a build attestation beside them.
    pub fn index(platforms: &[&str]) -> Self {
        let children: Vec<Self> = platforms.iter().map(|p| Self::single(p)).collect();
        let mut entries: Vec<Value> = children
            .iter()
            .zip(platforms)
            .map(|(child, platform)| {
                let (os, architecture) = platform.split_once('/').expect("os/architecture");
                let mut entry = descriptor(MANIFEST, &child.manifest);
                entry["platform"] = json!({ "os": os, "architecture": architecture });
                entry
            })
            .collect();
        let attestation = Self::single("unknown/unknown");
        let mut entry = descriptor(MANIFEST, &attestation.manifest);
        entry["platform"] = json!({ "os": "unknown", "architecture": "unknown" });
        entry["annotations"] = json!({ "vnd.docker.reference.type": "attestation-manifest" });
        entries.push(entry);
        let manifest = json!({ "schemaVersion": 2, "mediaType": INDEX, "manifests": entries });
        Self {
            media_type: INDEX.to_owned(),
            manifest: manifest.to_string().into_bytes(),
            blobs: Vec::new(),
            children: children.into_iter().chain([attestation]).collect(),
        }
    }

    /// An artifact: a manifest whose configuration is no image's.
    pub fn artifact() -> Self {
        let manifest = json!({ "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": "application/vnd.example.thing" });
        Self {
            media_type: MANIFEST.to_owned(),
            manifest: manifest.to_string().into_bytes(),
            blobs: Vec::new(),
            children: Vec::new(),
        }
    }

    /// The digest of the manifest or index.
    pub fn digest(&self) -> String {
        digest_of(&self.manifest)
    }
}

/// Bytes of a layer. They need not unpack: nothing here unpacks them.
fn layer(length: usize) -> Vec<u8> {
    (0..length).map(|i| (i % 251) as u8).collect()
}

fn descriptor(media_type: &str, bytes: &[u8]) -> Value {
    json!({ "mediaType": media_type, "digest": digest_of(bytes), "size": bytes.len() })
}
