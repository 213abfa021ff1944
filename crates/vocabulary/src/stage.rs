//! The rungs of the ladder, and what else an attempt is described by.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        pub enum $name {
            $($(#[$vdoc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The word used in every output.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.word())
            }
        }
    };
}

words! {
    /// The rung of the ladder at which a pull ended, in order.
    Stage {
        /// The image reference is parsed.
        Reference = "reference",
        /// Pull policy, signatures, the kubelet's own limits.
        Policy = "policy",
        /// The pod sandbox and its image.
        Sandbox = "sandbox",
        /// Pull secrets and credential providers are read.
        Credentials = "credentials",
        /// The registry's name is looked up.
        Dns = "dns",
        /// A connection is opened, through a proxy where one is set.
        Connect = "connect",
        /// The TLS handshake and the verdict on the certificate.
        Tls = "tls",
        /// The registry's API answers.
        Http = "http",
        /// A token is fetched from the token service.
        Token = "token",
        /// The registry accepts what was presented.
        Authorization = "authorization",
        /// The manifest is found and understood.
        Manifest = "manifest",
        /// The image has a variant for the node's platform.
        Platform = "platform",
        /// Configuration and layers are downloaded.
        Blob = "blob",
        /// Layers are unpacked on the node.
        Unpack = "unpack",
        /// The runtime itself.
        Runtime = "runtime",
        /// No rung: the text speaks of something else, or of nothing.
        Other = "other",
    }
}

words! {
    /// Which request was under way.
    Phase {
        /// The first request to `/v2/`.
        Challenge = "challenge",
        /// The request to the token service.
        Token = "token",
        /// The manifest or index.
        Manifest = "manifest",
        /// A configuration or layer.
        Blob = "blob",
        /// The pause image.
        Sandbox = "sandbox",
        /// An upload.
        Push = "push",
    }
}

words! {
    /// What was being done.
    Operation {
        /// An image is fetched.
        Pull = "pull",
        /// An image is uploaded.
        Push = "push",
        /// The pod's sandbox is made.
        Sandbox = "sandbox",
        /// A container is started: nothing is pulled or pushed.
        Start = "start",
    }
}

words! {
    /// How sure a conclusion is.
    Confidence {
        /// It fits, and so do others.
        Possible = "possible",
        /// It explains everything; another cannot be excluded.
        Likely = "likely",
        /// Its proof is in hand, and every rival is ruled out by a fact.
        Confirmed = "confirmed",
    }
}

words! {
    /// Whose words a text is.
    Runtime {
        /// containerd, through CRI or ctr.
        Containerd = "containerd",
        /// CRI-O.
        CriO = "cri-o",
        /// Docker Engine and cri-dockerd.
        Docker = "docker",
        /// podman.
        Podman = "podman",
        /// buildah.
        Buildah = "buildah",
        /// skopeo.
        Skopeo = "skopeo",
        /// BuildKit and buildx.
        Buildkit = "buildkit",
        /// kaniko.
        Kaniko = "kaniko",
        /// The kubelet itself.
        Kubelet = "kubelet",
        /// Another client.
        Other = "other",
    }
}
