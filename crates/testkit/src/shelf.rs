//! A registry's storage, laid out as Distribution's filesystem driver keeps it, so that what a registry serves can be
//! prepared, and damaged, without asking it.
//!
//! Follows distribution `registry/storage/paths.go`.

use crate::image::{Image, digest_of};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A storage folder.
pub struct Shelf {
    folder: TempDir,
}

impl Default for Shelf {
    fn default() -> Self {
        Self::new()
    }
}

impl Shelf {
    /// An empty one.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder") }
    }

    /// With an image for amd64 as `team/app:v1`.
    pub fn with_app() -> Self {
        Self::holding("team/app", "v1", &Image::single("linux/amd64"))
    }

    /// With this image.
    pub fn holding(repository: &str, tag: &str, image: &Image) -> Self {
        let shelf = Self::new();
        shelf.put(repository, Some(tag), image);
        shelf
    }

    /// The root of the storage.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Puts an image into a repository.
    pub fn put(&self, repository: &str, tag: Option<&str>, image: &Image) {
        for child in &image.children {
            self.put(repository, None, child);
        }
        let home = self.root().join("docker/registry/v2/repositories").join(repository);
        for blob in &image.blobs {
            let digest = digest_of(blob);
            self.write(&self.blob(&digest), blob);
            self.write(&home.join("_layers").join(slashed(&digest)).join("link"), digest.as_bytes());
        }
        let digest = image.digest();
        self.write(&self.blob(&digest), &image.manifest);
        let manifests = home.join("_manifests");
        self.write(&manifests.join("revisions").join(slashed(&digest)).join("link"), digest.as_bytes());
        if let Some(tag) = tag {
            let tag = manifests.join("tags").join(tag);
            self.write(&tag.join("current/link"), digest.as_bytes());
            self.write(&tag.join("index").join(slashed(&digest)).join("link"), digest.as_bytes());
        }
    }

    /// The file that holds a blob's bytes.
    pub fn blob(&self, digest: &str) -> PathBuf {
        let hex = digest.trim_start_matches("sha256:");
        self.root().join("docker/registry/v2/blobs/sha256").join(&hex[..2]).join(hex).join("data")
    }

    fn write(&self, path: &Path, bytes: &[u8]) {
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, bytes).expect("a file");
    }
}

fn slashed(digest: &str) -> String {
    digest.replace(':', "/")
}
