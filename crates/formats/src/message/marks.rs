//! Words that say nothing by themselves and set the scene for the words that do: what was under way, and whose words
//! these are.

/// One kind of scenery; a set of them is a `u64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Mark {
    /// An image or a registry is spoken of.
    Pullish,
    /// It says that a pull, or one of its steps, failed.
    Pulling,
    /// A push, or one of its steps.
    Push,
    /// The pod sandbox.
    Sandbox,
    /// A token was being fetched.
    Token,
    /// A layer was being unpacked.
    Unpack,
    /// A configuration or layer was being fetched.
    Blob,
    /// A name was being looked up.
    Lookup,
    /// The resolver was spoken to.
    Udp,
    /// The connection to a proxy.
    ProxyConnect,
    /// Another subject.
    Decoy,
    /// A plugin or helper that gets credentials.
    Provider,
    /// Docker's wrapper around its own API, whose status is not a registry's.
    DaemonApi,
    /// What only a start does.
    Start,
    Containerd,
    CriO,
    Docker,
    Podman,
    Buildah,
    Skopeo,
    Buildkit,
    Kaniko,
    Kubelet,
}

impl Mark {
    pub(crate) const fn bit(self) -> u64 {
        1 << self as u8
    }
}

use Mark::*;

pub(crate) const MARKS: &[(Mark, &[&str])] = &[
    (
        Pullish,
        &[
            "|pull",
            "image",
            "registr",
            "manifest",
            "/v2/",
            "/v1/_ping",
            "/v1/repositories",
            "blob",
            "docker",
            "repositor",
            "layer",
            "containerd",
            "crictl",
            "|ctr",
            "podman",
            "skopeo",
            "kaniko",
            "buildx",
            "buildkit",
            "|push",
            "bearer token",
        ],
    ),
    (
        Pulling,
        &[
            "failed to pull",
            "|pulling",
            "pullimage",
            "pull image",
            "image pull",
            "imagepull",
            "trying to pull",
            "failed to resolve reference",
            "failed to resolve image",
            "initializing source",
            "unable to pull",
            "docker pull",
            "error response from daemon: get",
            "error response from daemon: head",
            "/manifests/",
            "/blobs/",
            "/v2/",
            "reading manifest",
            "pinging",
            "failed to copy",
            "pull access denied",
        ],
    ),
    (
        Push,
        &[
            "|push|",
            "|pushing|",
            "|pushed|",
            "pushimage",
            "imagepush",
            "layer already exists",
            ": preparing",
            "at destination",
            "initiating layer upload",
            "/blobs/uploads",
            "blobs/uploads/",
            "uploading",
            "upload to",
            "layer upload",
            "writing manifest: uploading",
            "push access",
            "error checking push",
            "blob upload",
            "_uploads/",
        ],
    ),
    (Sandbox, &["sandbox"]),
    (
        Token,
        &[
            "failed to fetch anonymous token",
            "failed to fetch oauth token",
            "failed to fetch token",
            "requesting bearer token",
            "unable to retrieve auth token",
            "token exchange failed",
            "failed to authorize",
            "fetching token",
            "error getting token",
            "failed to get token",
        ],
    ),
    (
        Unpack,
        &[
            "failed to extract layer",
            "failed to register layer",
            "mount callback failed",
            "applying layer",
            "applylayer",
            "failed to unpack image",
            "untar",
            "processing tar file",
            "adding layer with blob",
            "re-exec error",
        ],
    ),
    (
        Blob,
        &[
            "pulling image configuration",
            "image configuration",
            "reading blob",
            "fetching blob",
            "writing blob",
            "/blobs/",
            "httpreadseeker",
            "httpreaderseeker",
            "config blob",
            "download failed",
            "failed to copy",
            "production.cloudflare.docker.com",
            "/blobs/sha256",
        ],
    ),
    (Lookup, &["lookup "]),
    (Udp, &[" udp "]),
    (ProxyConnect, &["proxyconnect", "error connecting to proxy", "http: error connecting"]),
    (
        Provider,
        &[
            "credential provider",
            "credentialprovider",
            "docker-credential-",
            "credential-provider",
            "error getting credentials",
        ],
    ),
    (DaemonApi, &["api error (", "(http code ", "server error - ", "server error: internal server error"]),
    (Start, &["failed to reserve container name", "pull policy of never", "errimageneverpull"]),
    (
        Containerd,
        &[
            "failed to pull and unpack image",
            "httpreadseeker",
            "httpreaderseeker",
            "|ctr:",
            "containerd",
            "failed to resolve image:",
            "failed to authorize",
        ],
    ),
    (
        CriO,
        &[
            "|crio",
            "cri-o",
            "copying system image from manifest list",
            "unable to pull image or oci artifact",
            "mirrors also failed",
        ],
    ),
    (
        Docker,
        &[
            "error response from daemon",
            "|docker:",
            "error pulling image configuration",
            "the push refers to",
            "dockerd",
            "docker login",
            "docker daemon",
            "docker-cli",
        ],
    ),
    (Podman, &["podman", "trying to pull"]),
    (Buildah, &["buildah"]),
    (
        Skopeo,
        &[
            "skopeo",
            "level=fatal msg=\"initializing",
            "level=fatal msg=\"reading",
            "level=fatal msg=\"writing",
            "level=fatal msg=\"copying",
        ],
    ),
    (Buildkit, &["failed to solve", "buildkit", "buildx", "load metadata for", "|frontend|"]),
    (
        Kaniko,
        &[
            "kaniko",
            "error checking push permissions",
            "error pushing image: failed to push to destination",
            "checking push permission",
        ],
    ),
    (
        Kubelet,
        &[
            "kubelet",
            "pull qps",
            "image pull secrets",
            "pull policy of never",
            "back-off pulling",
            "credential provider",
        ],
    ),
];

/// What stands directly before an image reference.
pub(crate) const INTRODUCERS: &[&str] = &[
    "image \"",
    "image '",
    "image ",
    "image: \"",
    "image: ",
    "image:",
    "image=\"",
    "image=",
    "\"image\":\"",
    "\"image\": \"",
    "reference \"",
    "reference ",
    "pullimage \"",
    "trying to pull ",
    "trying to pull repository ",
    "docker://",
    "repository [",
    "denied for ",
    "manifest for ",
    "pull failed for ",
    "|pulling ",
    "|pull ",
    "|push ",
    "|pushing ",
    "to push ",
    "destination ",
    "permission for \"",
    "metadata for ",
    "failed to solve: ",
    "|in ",
    "|from ",
    "|for ",
    "|get ",
    "|inspect ",
    "such image: ",
    "find image '",
    "exists in ",
    "|to ",
    "|ref \"",
    "|(",
    "|copying ",
];
