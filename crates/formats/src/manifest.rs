//! Manifests, indexes and image configurations: what a client needs of them, whatever their media type says.
//!
//! Follows the OCI image specification and Docker's schema 2. Schema 1 and artifacts are recognised, not read.

use serde::Deserialize;

/// The media types that clients accept for a manifest, in the order in which containerd sends them.
pub const ACCEPT: &str = "application/vnd.docker.distribution.manifest.v2+json, application/vnd.docker.distribution.manifest.list.v2+json, application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json, */*";

/// What a manifest's bytes turned out to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Manifest {
    /// An index or manifest list.
    Index(Vec<Child>),
    /// One image.
    Image(Image),
    /// Docker's schema 1, which current runtimes refuse.
    Schema1,
    /// JSON without the fields of any of these: an artifact, or something else.
    Other,
    /// No JSON, or fields of a wrong kind, in the parser's words.
    Broken(String),
}

/// One entry of an index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Child {
    /// Digest, size and media type.
    pub what: Descriptor,
    /// The platform; `None` where the entry names none.
    pub platform: Option<Platform>,
    /// Whether it is a build attestation, which is no image.
    pub attestation: bool,
}

/// One image's manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// `mediaType`, where the manifest states it.
    pub media_type: String,
    /// The configuration.
    pub config: Descriptor,
    /// The layers, lowest first.
    pub layers: Vec<Descriptor>,
}

/// A reference to content.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Descriptor {
    /// `application/vnd.oci.image.layer.v1.tar+gzip`.
    pub media_type: String,
    /// `sha256:...`.
    pub digest: String,
    /// Bytes.
    pub size: u64,
    /// Where foreign layers are to be had.
    pub urls: Vec<String>,
}

/// Operating system and architecture.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(default)]
pub struct Platform {
    /// `linux`.
    pub os: String,
    /// `amd64`.
    pub architecture: String,
    /// `v8`; empty where there is none.
    pub variant: String,
}

impl std::fmt::Display for Platform {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}", self.os, self.architecture)?;
        if self.variant.is_empty() { Ok(()) } else { write!(f, "/{}", self.variant) }
    }
}

impl Platform {
    /// Reads `linux/arm64/v8`; `None` where it is no platform.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('/');
        let (os, architecture) = (parts.next()?, parts.next()?);
        let variant = parts.next().unwrap_or_default();
        let sound = |p: &str| p.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b));
        let whole = parts.next().is_none()
            && !os.is_empty()
            && !architecture.is_empty()
            && sound(text.replace('/', "").as_str());
        whole.then(|| Self {
            os: os.to_owned(),
            architecture: architecture.to_owned(),
            variant: variant.to_owned(),
        })
    }

    /// With the usual names and variants, as containerd's `platforms.Normalize`.
    pub fn normalized(&self) -> Self {
        let lower = |t: &str| t.to_ascii_lowercase();
        let (architecture, variant) =
            match (lower(&self.architecture).as_str(), lower(&self.variant).as_str()) {
                ("x86_64" | "x86-64" | "amd64", "v1" | "") => ("amd64".to_owned(), String::new()),
                ("x86_64" | "x86-64" | "amd64", v) => ("amd64".to_owned(), v.to_owned()),
                ("aarch64" | "arm64", "8" | "v8" | "") => ("arm64".to_owned(), String::new()),
                ("aarch64" | "arm64", v) => ("arm64".to_owned(), v.to_owned()),
                ("armhf", _) => ("arm".to_owned(), "v7".to_owned()),
                ("armel", _) => ("arm".to_owned(), "v6".to_owned()),
                ("arm", "" | "7") => ("arm".to_owned(), "v7".to_owned()),
                ("arm", v @ ("5" | "6" | "8")) => ("arm".to_owned(), format!("v{v}")),
                ("i386", _) => ("386".to_owned(), String::new()),
                (a, v) => (a.to_owned(), v.to_owned()),
            };
        let os = match lower(&self.os).as_str() {
            "macos" => "darwin".to_owned(),
            os => os.to_owned(),
        };
        Self { os, architecture, variant }
    }

    /// Whether a machine of this platform runs images of that one: lower variants of amd64 and arm, arm on arm64,
    /// 386 on amd64, as containerd's `platforms.Only`.
    pub fn runs(&self, image: &Self) -> bool {
        let (machine, image) = (self.normalized(), image.normalized());
        let level = |v: &str| v.trim_start_matches('v').parse::<u32>().ok();
        if machine.os != image.os {
            return false;
        }
        match (machine.architecture.as_str(), image.architecture.as_str()) {
            ("amd64", "amd64") => level(&image.variant).unwrap_or(1) <= level(&machine.variant).unwrap_or(1),
            ("amd64", "386") => true,
            ("arm64", "arm64") => level(&image.variant).unwrap_or(8) <= level(&machine.variant).unwrap_or(8),
            ("arm64", "arm") => level(&image.variant).is_none_or(|v| v <= 8),
            ("arm", "arm") => level(&image.variant).unwrap_or(7) <= level(&machine.variant).unwrap_or(7),
            (a, b) => a == b && machine.variant == image.variant,
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Raw {
    schema_version: Option<u64>,
    media_type: String,
    manifests: Option<Vec<RawChild>>,
    config: Option<Descriptor>,
    layers: Option<Vec<Descriptor>>,
    fs_layers: Option<serde::de::IgnoredAny>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawChild {
    #[serde(rename = "mediaType")]
    media_type: String,
    digest: String,
    size: u64,
    platform: Option<Platform>,
    annotations: Option<std::collections::BTreeMap<String, String>>,
}

/// Reads a manifest's bytes.
pub fn parse(body: &[u8]) -> Manifest {
    let raw: Raw = match serde_json::from_slice(body) {
        Ok(raw) => raw,
        Err(error) => return Manifest::Broken(error.to_string()),
    };
    if let Some(children) = raw.manifests {
        return Manifest::Index(children.into_iter().map(child).collect());
    }
    match (raw.config, raw.layers) {
        (Some(config), layers) => {
            Manifest::Image(Image { media_type: raw.media_type, config, layers: layers.unwrap_or_default() })
        }
        _ if raw.schema_version == Some(1) || raw.fs_layers.is_some() => Manifest::Schema1,
        _ => Manifest::Other,
    }
}

fn child(raw: RawChild) -> Child {
    let attestation = raw
        .annotations
        .as_ref()
        .and_then(|a| a.get("vnd.docker.reference.type"))
        .is_some_and(|t| t == "attestation-manifest");
    Child {
        what: Descriptor { media_type: raw.media_type, digest: raw.digest, size: raw.size, urls: Vec::new() },
        platform: raw.platform,
        attestation,
    }
}

/// The platform of an image's configuration; `None` where it is no such configuration.
pub fn config_platform(body: &[u8]) -> Option<Platform> {
    let platform: Platform = serde_json::from_slice(body).ok()?;
    (!platform.os.is_empty() && !platform.architecture.is_empty()).then_some(platform)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tells_what_a_manifest_is() {
        let index = br#"{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[
            {"mediaType":"m","digest":"sha256:aa","size":7,"platform":{"os":"linux","architecture":"amd64"}},
            {"digest":"sha256:bb","size":7,"platform":{"os":"unknown","architecture":"unknown"},"annotations":{"vnd.docker.reference.type":"attestation-manifest"}}]}"#;
        let Manifest::Index(children) = parse(index) else { panic!("no index") };
        assert_eq!(children[0].platform.as_ref().unwrap().to_string(), "linux/amd64");
        assert!(!children[0].attestation && children[1].attestation);
        let Manifest::Image(image) = parse(br#"{"schemaVersion":2,"config":{"mediaType":"c","digest":"sha256:cc","size":2},"layers":[{"digest":"sha256:dd","size":3}]}"#) else { panic!("no image") };
        assert_eq!((image.config.size, image.layers.len()), (2, 1));
        assert_eq!(parse(br#"{"schemaVersion":1,"fsLayers":[]}"#), Manifest::Schema1);
        assert_eq!(parse(b"{}"), Manifest::Other);
        assert!(matches!(parse(b"<html>"), Manifest::Broken(_)));
        assert!(matches!(parse(br#"{"config":7}"#), Manifest::Broken(_)));
    }

    #[test]
    fn platforms_match_as_containerd_matches_them() {
        let p = |t: &str| Platform::parse(t).unwrap();
        for (machine, image, runs) in [
            ("linux/amd64", "linux/amd64", true),
            ("linux/amd64", "linux/x86_64", true),
            ("linux/amd64", "linux/386", true),
            ("linux/amd64", "linux/amd64/v3", false),
            ("linux/amd64", "linux/arm64", false),
            ("linux/arm64", "linux/arm64/v8", true),
            ("linux/arm64", "linux/arm/v7", true),
            ("linux/arm/v6", "linux/arm/v7", false),
            ("windows/amd64", "linux/amd64", false),
            ("linux/s390x", "linux/s390x", true),
        ] {
            assert_eq!(p(machine).runs(&p(image)), runs, "{image} on {machine}");
        }
        assert_eq!(Platform::parse("linux"), None);
        assert_eq!(Platform::parse("linux/amd64/v1/x"), None);
        assert_eq!(Platform::parse("linux/a b"), None);
    }

    proptest! {
        #[test]
        fn never_panics(body in proptest::collection::vec(any::<u8>(), 0..300), text in ".{0,40}") {
            parse(&body);
            config_platform(&body);
            Platform::parse(&text);
        }
    }
}
