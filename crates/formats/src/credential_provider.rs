//! The kubelet's `CredentialProviderConfig`: which plugins it asks, and about which images.
//! Source: kubernetes pkg/kubelet/apis/config/types.go, 1.36; JSON and YAML are both taken.

use crate::yaml;
use serde_json::Value;

/// One plugin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Provider {
    /// The name of its binary.
    pub name: String,
    /// The patterns of images that it is asked about.
    pub match_images: Vec<String>,
    /// For whom the service account token is that it is handed (`tokenAttributes.serviceAccountTokenAudience`); empty for none.
    pub audience: String,
}

/// The plugins of a configuration; `None` where the text is no such configuration.
pub fn read(text: &str) -> Option<Vec<Provider>> {
    if !text.contains("CredentialProviderConfig") {
        return None;
    }
    let mut found = None;
    for document in yaml::documents(text) {
        let Ok(value) = yaml::parse(document) else { continue };
        if value.get("kind").and_then(Value::as_str) == Some("CredentialProviderConfig") {
            let providers = value.get("providers").and_then(Value::as_array);
            found.get_or_insert_with(Vec::new).extend(providers.into_iter().flatten().map(provider));
        }
    }
    found
}

fn provider(value: &Value) -> Provider {
    let strings = |name: &str| -> Vec<String> {
        let list = value.get(name).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(|v| v.as_str().map(str::to_owned)).collect()
    };
    Provider {
        name: value.get("name").and_then(Value::as_str).unwrap_or_default().to_owned(),
        match_images: strings("matchImages"),
        audience: value
            .pointer("/tokenAttributes/serviceAccountTokenAudience")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_and_their_patterns_are_read() {
        let text = "apiVersion: kubelet.config.k8s.io/v1\nkind: CredentialProviderConfig\nproviders:\n- name: ecr\n  matchImages:\n  - '*.dkr.ecr.*.amazonaws.com'\n";
        let wanted = Provider {
            name: "ecr".into(),
            match_images: vec!["*.dkr.ecr.*.amazonaws.com".into()],
            audience: String::new(),
        };
        assert_eq!(read(text), Some(vec![wanted]));
        let with_token = format!("{text}  tokenAttributes: {{serviceAccountTokenAudience: bridge}}\n");
        assert_eq!(read(&with_token).unwrap()[0].audience, "bridge");
        assert_eq!(read("kind: CredentialProviderConfig"), Some(Vec::new()));
        for other in
            ["", "kind: KubeletConfiguration", "CredentialProviderConfig: [", "- CredentialProviderConfig"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
