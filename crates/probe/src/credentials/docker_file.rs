//! Docker's `config.json` and podman's `auth.json` with their values, and the rules by which these tools choose.
//!
//! Follows docker/cli `cli/config/configfile` and containers/image `pkg/docker/config` (`auth.json(5)`). What the
//! kubelet makes of the same file in a pull secret is `emulate::kubelet`'s; its shape for a Snapshot `formats`'.

use super::{Credential, Found, Kind};
use base64::Engine;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use secrecy::SecretString;
use serde::Deserialize;
use std::collections::BTreeMap;

/// One file's entries and helpers.
#[derive(Clone, Default)]
pub(super) struct DockerFile {
    pub(super) entries: Vec<(String, Entry)>,
    /// `credsStore`.
    pub(super) store: Option<String>,
    /// `credHelpers`: registry to helper.
    pub(super) helpers: BTreeMap<String, String>,
}

/// One entry with its values.
#[derive(Clone)]
pub(super) struct Entry {
    user: String,
    password: SecretString,
    identity_token: Option<SecretString>,
    registry_token: Option<SecretString>,
}

impl Entry {
    pub(super) fn is_empty(&self) -> bool {
        use secrecy::ExposeSecret;
        self.user.is_empty()
            && self.password.expose_secret().is_empty()
            && self.identity_token.is_none()
            && self.registry_token.is_none()
    }

    /// User and password alone.
    pub(super) fn password(&self, source: &str, key: &str) -> Credential {
        let found = Found { source: source.to_owned(), key: key.to_owned() };
        Credential { user: self.user.clone(), secret: self.password.clone(), kind: Kind::Password, found }
    }

    pub(super) fn credential(&self, source: &str, key: &str) -> Credential {
        let found = Found { source: source.to_owned(), key: key.to_owned() };
        let (secret, kind) = match (&self.registry_token, &self.identity_token) {
            (Some(token), _) => (token.clone(), Kind::RegistryToken),
            (None, Some(token)) => (token.clone(), Kind::IdentityToken),
            (None, None) => (self.password.clone(), Kind::Password),
        };
        Credential { user: self.user.clone(), secret, kind, found }
    }
}

#[derive(Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[derive(Default)]
struct RawFile {
    auths: Option<BTreeMap<String, Option<RawEntry>>>,
    creds_store: Option<String>,
    cred_helpers: Option<BTreeMap<String, String>>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct RawEntry {
    auth: Option<SecretString>,
    username: Option<String>,
    password: Option<SecretString>,
    identitytoken: Option<SecretString>,
    registrytoken: Option<SecretString>,
}

/// Decodes with and without padding, as the tools do.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads a file's bytes; the error says what is wrong without quoting it.
pub(super) fn parse(bytes: &[u8]) -> Result<DockerFile, String> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let raw: RawFile = serde_json::from_slice(bytes).map_err(|e| {
        format!("not the JSON of a docker configuration (line {}, column {})", e.line(), e.column())
    })?;
    let auths = match raw.auths {
        Some(auths) => auths,
        // The old layout has the entries at the top.
        None if raw.creds_store.is_none() && raw.cred_helpers.is_none() => {
            serde_json::from_slice(bytes).unwrap_or_default()
        }
        None => BTreeMap::new(),
    };
    let mut file = DockerFile {
        entries: Vec::new(),
        store: raw.creds_store.filter(|s| !s.is_empty()),
        helpers: raw.cred_helpers.unwrap_or_default(),
    };
    for (key, entry) in auths {
        let entry =
            entry.unwrap_or_default().decoded().map_err(|problem| format!("the entry {key:?}: {problem}"))?;
        file.entries.push((key, entry));
    }
    Ok(file)
}

impl RawEntry {
    fn decoded(self) -> Result<Entry, &'static str> {
        use secrecy::ExposeSecret;
        let mut entry = Entry {
            user: self.username.unwrap_or_default(),
            password: self.password.unwrap_or_else(|| SecretString::from("")),
            identity_token: self.identitytoken.filter(|t| !t.expose_secret().is_empty()),
            registry_token: self.registrytoken.filter(|t| !t.expose_secret().is_empty()),
        };
        if let Some(auth) = self.auth.filter(|a| !a.expose_secret().is_empty()) {
            let bytes = LENIENT.decode(auth.expose_secret().trim()).map_err(|_| "its auth is not base64")?;
            let text = String::from_utf8(bytes).map_err(|_| "its auth does not decode to text")?;
            let (user, password) = text.split_once(':').ok_or("its auth does not decode to user:password")?;
            entry.user = user.to_owned();
            entry.password = SecretString::from(password.trim_end_matches('\0').to_owned());
        }
        Ok(entry)
    }
}

/// The keys that docker looks under for a registry: its host, or Docker Hub's old address.
pub(super) fn docker_key(domain: &str) -> &str {
    if domain == "docker.io" { "https://index.docker.io/v1/" } else { domain }
}

/// Docker's choice: the exact key, else the first whose host is the registry's.
pub(super) fn docker_choice<'f>(file: &'f DockerFile, domain: &str) -> Option<&'f (String, Entry)> {
    let wanted = docker_key(domain);
    let host = hostname(wanted);
    file.entries
        .iter()
        .find(|(key, _)| key == wanted)
        .or_else(|| file.entries.iter().find(|(key, _)| hostname(key) == host))
        .filter(|(_, entry)| !entry.is_empty())
}

/// podman's choice: the longest prefix of `host/path`, each whole component, down to the host.
pub(super) fn podman_choice<'f>(
    file: &'f DockerFile,
    domain: &str,
    path: &str,
) -> Option<&'f (String, Entry)> {
    let mut wanted = format!("{domain}/{path}");
    loop {
        let found = file.entries.iter().find(|(key, _)| *key == wanted).filter(|(_, e)| !e.is_empty());
        if found.is_some() {
            return found;
        }
        match wanted.rsplit_once('/') {
            Some((parent, _)) => wanted = parent.to_owned(),
            None => return docker_choice(file, domain),
        }
    }
}

/// docker's `ConvertToHostname`: without these schemes, and the path.
fn hostname(key: &str) -> &str {
    let key = key.strip_prefix("https://").or_else(|| key.strip_prefix("http://")).unwrap_or(key);
    key.split('/').next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::STANDARD;
    use secrecy::ExposeSecret;

    fn file(text: &str) -> DockerFile {
        parse(text.as_bytes()).unwrap_or_else(|problem| panic!("{problem}"))
    }

    fn entry(user_and_password: &str) -> String {
        format!(r#"{{"auth":"{}"}}"#, STANDARD.encode(user_and_password))
    }

    #[test]
    fn docker_matches_hosts_and_podman_prefixes() {
        let text = format!(
            r#"{{"auths":{{"https://registry.example.com/v1/":{},"registry.example.com/team":{},"https://index.docker.io/v1/":{}}}}}"#,
            entry("whole:a"),
            entry("team:b"),
            entry("hub:c")
        );
        let file = file(&text);
        let docker = |domain| docker_choice(&file, domain).map(|(k, e)| e.credential("f", k).user);
        assert_eq!(docker("docker.io").as_deref(), Some("hub"));
        assert_eq!(docker("registry.example.com").as_deref(), Some("whole"));
        assert_eq!(docker("registry.example.com:5000"), None);
        let podman =
            |path| podman_choice(&file, "registry.example.com", path).map(|(k, e)| e.credential("f", k).user);
        assert_eq!(podman("team/app").as_deref(), Some("team"));
        assert_eq!(podman("teams/app").as_deref(), Some("whole"));
    }

    #[test]
    fn passwords_keep_their_colons_and_tokens_come_first() {
        let file = file(&format!(
            r#"{{"auths":{{"a.example.com":{},"b.example.com":{{"auth":"{}","identitytoken":"t"}}}}}}"#,
            entry("u:p:q"),
            STANDARD.encode("00000000-0000-0000-0000-000000000000:")
        ));
        let (key, found) = docker_choice(&file, "a.example.com").unwrap();
        assert_eq!(found.credential("f", key).secret.expose_secret(), "p:q");
        let (key, found) = docker_choice(&file, "b.example.com").unwrap();
        assert_eq!(found.credential("f", key).kind, Kind::IdentityToken);
    }

    #[test]
    fn problems_do_not_quote_values() {
        for text in [
            r#"{"auths":{"r.example.com":{"auth":"canary-not-base64!"}}}"#,
            r#"{"auths":{"r.example.com":{"auth":"Y2FuYXJ5"}}}"#,
            r#"{"auths": canary"#,
        ] {
            let problem = parse(text.as_bytes()).err().unwrap();
            assert!(!problem.contains("canary") && !problem.contains("Y2Fu"), "{problem}");
        }
    }

    #[test]
    fn entries_without_values_are_none() {
        let file = file(r#"{"auths":{"r.example.com":{}},"credsStore":"pass"}"#);
        assert!(docker_choice(&file, "r.example.com").is_none());
        assert_eq!(file.store.as_deref(), Some("pass"));
    }
}
