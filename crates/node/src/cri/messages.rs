//! The messages of the few calls that are made, with the fields that are read. Unknown fields are passed over.
//! Sources: kubernetes cri-api `pkg/apis/runtime/v1/api.proto` (1.36) and containerd `api/services/{images,namespaces}/v1`
//! (2.2).

use prost::Message;
use std::collections::HashMap;

/// An empty message.
#[derive(Clone, PartialEq, Message)]
pub struct Empty {}

/// `VersionResponse`.
#[derive(Clone, PartialEq, Message)]
pub struct Version {
    /// `containerd`, `cri-o`, `docker`.
    #[prost(string, tag = "2")]
    pub runtime_name: String,
    /// `v2.2.1`.
    #[prost(string, tag = "3")]
    pub runtime_version: String,
}

/// containerd's own `VersionResponse`.
#[derive(Clone, PartialEq, Message)]
pub struct OwnVersion {
    /// `v2.2.1`.
    #[prost(string, tag = "1")]
    pub version: String,
}

/// `StatusRequest`.
#[derive(Clone, PartialEq, Message)]
pub struct StatusRequest {
    /// Whether `info` is wanted.
    #[prost(bool, tag = "1")]
    pub verbose: bool,
}

/// `StatusResponse`.
#[derive(Clone, PartialEq, Message)]
pub struct Status {
    /// The conditions.
    #[prost(message, optional, tag = "1")]
    pub status: Option<RuntimeStatus>,
    /// More, by name: texts in JSON.
    #[prost(map = "string, string", tag = "2")]
    pub info: HashMap<String, String>,
}

/// `RuntimeStatus`.
#[derive(Clone, PartialEq, Message)]
pub struct RuntimeStatus {
    /// The conditions.
    #[prost(message, repeated, tag = "1")]
    pub conditions: Vec<Condition>,
}

/// `RuntimeCondition`.
#[derive(Clone, PartialEq, Message)]
pub struct Condition {
    /// `RuntimeReady`, `NetworkReady`, `ContainerdHasNoDeprecationWarnings`.
    #[prost(string, tag = "1")]
    pub kind: String,
    /// Whether it holds.
    #[prost(bool, tag = "2")]
    pub status: bool,
    /// Why not.
    #[prost(string, tag = "3")]
    pub reason: String,
    /// In words, or in JSON.
    #[prost(string, tag = "4")]
    pub message: String,
}

/// `ImageSpec`.
#[derive(Clone, PartialEq, Message)]
pub struct ImageSpec {
    /// The reference.
    #[prost(string, tag = "1")]
    pub image: String,
}

/// `ImageStatusRequest`.
#[derive(Clone, PartialEq, Message)]
pub struct ImageStatusRequest {
    /// Which image.
    #[prost(message, optional, tag = "1")]
    pub image: Option<ImageSpec>,
}

/// `ImageStatusResponse`.
#[derive(Clone, PartialEq, Message)]
pub struct ImageStatus {
    /// The image, where it is there.
    #[prost(message, optional, tag = "1")]
    pub image: Option<Image>,
}

/// `ListImagesResponse`.
#[derive(Clone, PartialEq, Message)]
pub struct Images {
    /// All images.
    #[prost(message, repeated, tag = "1")]
    pub images: Vec<Image>,
}

/// `Image`.
#[derive(Clone, PartialEq, Message)]
pub struct Image {
    /// Its id.
    #[prost(string, tag = "1")]
    pub id: String,
    /// Its names with a tag.
    #[prost(string, repeated, tag = "2")]
    pub repo_tags: Vec<String>,
    /// Its names with a digest.
    #[prost(string, repeated, tag = "3")]
    pub repo_digests: Vec<String>,
}

/// `ImageFsInfoResponse`.
#[derive(Clone, PartialEq, Message)]
pub struct ImageFsInfo {
    /// Where images lie.
    #[prost(message, repeated, tag = "1")]
    pub image_filesystems: Vec<FilesystemUsage>,
}

/// `FilesystemUsage`.
#[derive(Clone, PartialEq, Message)]
pub struct FilesystemUsage {
    /// Which.
    #[prost(message, optional, tag = "2")]
    pub fs_id: Option<FilesystemIdentifier>,
}

/// `FilesystemIdentifier`.
#[derive(Clone, PartialEq, Message)]
pub struct FilesystemIdentifier {
    /// A directory on it.
    #[prost(string, tag = "1")]
    pub mountpoint: String,
}

/// containerd's `ListNamespacesResponse`.
#[derive(Clone, PartialEq, Message)]
pub struct Namespaces {
    /// All namespaces.
    #[prost(message, repeated, tag = "1")]
    pub namespaces: Vec<Namespace>,
}

/// containerd's `Namespace`.
#[derive(Clone, PartialEq, Message)]
pub struct Namespace {
    /// Its name.
    #[prost(string, tag = "1")]
    pub name: String,
}

/// containerd's `GetImageRequest`.
#[derive(Clone, PartialEq, Message)]
pub struct GetImage {
    /// The name.
    #[prost(string, tag = "1")]
    pub name: String,
}

/// `AuthConfig`. Never shown: it holds a password.
#[derive(Clone, PartialEq, Message)]
#[prost(skip_debug)]
pub struct AuthConfig {
    /// The user.
    #[prost(string, tag = "1")]
    pub username: String,
    /// The password.
    #[prost(string, tag = "2")]
    pub password: String,
    /// A refresh token.
    #[prost(string, tag = "5")]
    pub identity_token: String,
    /// A token for the registry itself.
    #[prost(string, tag = "6")]
    pub registry_token: String,
}

impl std::fmt::Debug for AuthConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AuthConfig(..)")
    }
}

/// `PullImageRequest`.
#[derive(Clone, PartialEq, Message)]
pub struct PullImageRequest {
    /// Which image.
    #[prost(message, optional, tag = "1")]
    pub image: Option<ImageSpec>,
    /// As whom.
    #[prost(message, optional, tag = "2")]
    pub auth: Option<AuthConfig>,
}

/// `PullImageResponse`.
#[derive(Clone, PartialEq, Message)]
pub struct PullImage {
    /// The image as the runtime knows it now.
    #[prost(string, tag = "1")]
    pub image_ref: String,
}
