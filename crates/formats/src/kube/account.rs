//! Service accounts and secrets. A secret's values are reduced to their shape as soon as they are read.

use super::lenient::{Flag, List, Members, Named, Or, Text};
use super::meta::RawMeta;
use crate::docker_config::{self, Sameness};
use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use facts::{DockerConfig, Observed, Origin, Secret, ServiceAccount};
use jiff::Timestamp;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct RawAccount<'a> {
    #[serde(borrow)]
    metadata: Or<RawMeta<'a>>,
    #[serde(borrow)]
    image_pull_secrets: List<Named<'a>>,
}

impl RawAccount<'_> {
    /// The newest time that it states.
    pub fn newest(&self) -> Option<Timestamp> {
        self.metadata.0.newest()
    }

    /// The facts of it.
    pub fn facts(&self, origin: Origin) -> ServiceAccount {
        ServiceAccount {
            meta: self.metadata.0.facts(origin),
            pull_secrets: self.image_pull_secrets.0.iter().map(|s| s.name.owned()).collect(),
        }
    }
}

/// A secret as it stands in the input, values included: read, reduced, dropped.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
pub struct RawSecret<'a> {
    #[serde(borrow)]
    metadata: Or<RawMeta<'a>>,
    #[serde(borrow, rename = "type")]
    type_: Text<'a>,
    immutable: Flag,
    #[serde(borrow)]
    data: Option<Members<'a, Text<'a>>>,
    #[serde(borrow)]
    string_data: Members<'a, Text<'a>>,
}

/// Go's decoder takes padded text only, and skips line breaks; `base64` needs them taken out first.
const PADDED: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::RequireCanonical)
        .with_decode_allow_trailing_bits(true),
);

impl RawSecret<'_> {
    /// The newest time that it states.
    pub fn newest(&self) -> Option<Timestamp> {
        self.metadata.0.newest()
    }

    /// The shape of it. Values go no further than this function.
    pub fn facts(&self, origin: Origin, same: &mut Sameness) -> Secret {
        let mut data = BTreeMap::new();
        let mut broken = None;
        let encoded = self.data.as_ref().map(|d| d.0.as_slice()).unwrap_or_default();
        for (key, value) in encoded {
            let packed: String = value.as_str().chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
            match PADDED.decode(packed.as_bytes()) {
                Ok(bytes) => {
                    data.insert(key.owned(), bytes);
                }
                Err(error) => {
                    broken.get_or_insert_with(|| (key.owned(), problem(&error)));
                    data.insert(key.owned(), Vec::new());
                }
            }
        }
        for (key, value) in &self.string_data.0 {
            data.insert(key.owned(), value.as_str().as_bytes().to_vec());
        }
        let mut config = docker_config::of_secret(&data, same);
        if let Some((key, problem)) = broken
            && (config.found_in.is_empty() || config.found_in == key)
        {
            config = DockerConfig { found_in: key, problem: Some(problem), ..DockerConfig::default() };
        }
        // A list of metadata has no data at all, which is not the same as a secret without keys.
        let has_values = self.data.is_some() || !self.string_data.0.is_empty();
        Secret {
            meta: self.metadata.0.facts(origin),
            type_: if self.type_.is_empty() { "Opaque".to_owned() } else { self.type_.owned() },
            keys: data.into_keys().collect(),
            immutable: self.immutable.0,
            docker_config: if has_values || !self.type_.is_empty() {
                Observed::Seen(config)
            } else {
                Observed::default()
            },
        }
    }
}

/// What is wrong, as Go says it, without a byte of the value.
fn problem(error: &base64::DecodeError) -> String {
    match error {
        base64::DecodeError::InvalidByte(at, _) | base64::DecodeError::InvalidLastSymbol(at, _) => {
            format!("illegal base64 data at input byte {at}")
        }
        _ => "illegal base64 data".to_owned(),
    }
}
