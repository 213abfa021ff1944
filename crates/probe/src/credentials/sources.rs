//! Where credentials are looked for, in which order, and what could not be read.

use super::docker_file::{self, DockerFile, docker_choice, docker_key, podman_choice};
use super::{Credential, Found, Kind, helper};
use emulate::kubelet::{image_name, keyring};
use facts::{BlindSpot, Why};
use formats::reference::Reference;
use secrecy::SecretString;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The largest file that is read.
const MOST_BYTES: u64 = 4 * 1024 * 1024;

/// Why credentials that were named cannot be used. No message quotes a value.
#[derive(Debug, thiserror::Error)]
pub enum CredentialError {
    /// The file cannot be read.
    #[error("reading the credentials in {path}: {why}")]
    Unreadable {
        /// The file.
        path: String,
        /// The system's words.
        why: String,
    },
    /// The content is neither a docker configuration nor one line of user and password.
    #[error(
        "reading the credentials from {source_name}: {problem}; give a docker configuration or one line USER:PASSWORD"
    )]
    Malformed {
        /// Where it came from.
        source_name: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// The credentials at hand.
#[derive(Clone, Default)]
pub struct Credentials {
    sources: Vec<Source>,
    /// Sources that could not be read.
    pub blind_spots: Vec<BlindSpot>,
}

#[derive(Clone)]
struct Source {
    name: String,
    rule: Rule,
    file: DockerFile,
    /// One credential, whatever the registry's name.
    only: Option<Credential>,
}

/// Whose rules choose among a file's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// The kubelet's, for pull secrets and a node's own files.
    Kubelet,
    /// The docker command's.
    Docker,
    /// Those of podman, skopeo, buildah and CRI-O.
    Podman,
}

impl Credentials {
    /// None at all.
    pub fn none() -> Self {
        Self::default()
    }

    /// From the content of `--creds-file` or standard input: a docker configuration, chosen from as the kubelet chooses
    /// from a pull secret, or one line `USER:PASSWORD` for the image's registry.
    pub fn given(name: &str, bytes: &[u8]) -> Result<Self, CredentialError> {
        let malformed =
            |problem: String| CredentialError::Malformed { source_name: name.to_owned(), problem };
        let text = std::str::from_utf8(bytes).map_err(|_| malformed("it is no text".to_owned()))?;
        let trimmed = text.trim_start_matches('\u{feff}').trim();
        let mut source =
            Source { name: name.to_owned(), rule: Rule::Kubelet, file: DockerFile::default(), only: None };
        if trimmed.starts_with('{') {
            source.file = docker_file::parse(bytes).map_err(malformed)?;
        } else {
            let (user, password) = trimmed
                .split_once(':')
                .filter(|(user, _)| !user.is_empty() && !trimmed.contains(['\n', '\r']))
                .ok_or_else(|| malformed("it is neither JSON nor one line with a colon".to_owned()))?;
            source.only = Some(Credential {
                user: user.to_owned(),
                secret: SecretString::from(password.to_owned()),
                kind: Kind::Password,
                found: Found { source: name.to_owned(), key: String::new() },
            });
        }
        Ok(Self { sources: vec![source], blind_spots: Vec::new() })
    }

    /// From a file that was named.
    pub fn from_file(path: &Path) -> Result<Self, CredentialError> {
        let shown = path.display().to_string();
        let bytes = read(path).map_err(|why| CredentialError::Unreadable { path: shown.clone(), why })?;
        Self::given(&shown, &bytes)
    }

    /// From the files that podman and docker keep for a person, podman's first, as far as they exist.
    pub fn of_person(variable: impl Fn(&str) -> Option<String>) -> Self {
        let variable = |name: &str| variable(name).filter(|v| !v.is_empty());
        let home = variable("HOME");
        let under = |base: &Option<String>, rest: &str| base.as_ref().map(|b| PathBuf::from(b).join(rest));
        let podman = match variable("REGISTRY_AUTH_FILE") {
            Some(file) => vec![PathBuf::from(file)],
            None => [
                under(&variable("XDG_RUNTIME_DIR"), "containers/auth.json"),
                under(&variable("XDG_CONFIG_HOME"), "containers/auth.json"),
                under(&home, ".config/containers/auth.json"),
            ]
            .into_iter()
            .flatten()
            .collect(),
        };
        let docker =
            under(&variable("DOCKER_CONFIG"), "config.json").or_else(|| under(&home, ".docker/config.json"));
        let mut all = Self::default();
        for (path, rule) in
            podman.into_iter().map(|p| (p, Rule::Podman)).chain(docker.map(|p| (p, Rule::Docker)))
        {
            all.take(&path, rule);
        }
        all
    }

    /// This one, for whatever registry is asked: it was chosen already.
    pub fn only(credential: Credential) -> Self {
        let source = Source {
            name: credential.found.source.clone(),
            rule: Rule::Kubelet,
            file: DockerFile::default(),
            only: Some(credential),
        };
        Self { sources: vec![source], blind_spots: Vec::new() }
    }

    /// The entry under this key of a docker configuration, with the name that the configuration is known by; `None` where
    /// it has none.
    ///
    /// # Errors
    /// The text is no docker configuration.
    pub fn entry(
        name: &str,
        text: &[u8],
        key: &str,
        rule: Rule,
    ) -> Result<Option<Credential>, CredentialError> {
        let file = docker_file::parse(text)
            .map_err(|problem| CredentialError::Malformed { source_name: name.to_owned(), problem })?;
        let found = file.entries.iter().find(|(k, entry)| k == key && !entry.is_empty());
        Ok(found.map(|(key, entry)| match rule {
            // The kubelet passes user and password on, and no token. Source: pkg/credentialprovider/config.go, 1.36.
            Rule::Kubelet => entry.password(name, key),
            Rule::Docker | Rule::Podman => entry.credential(name, key),
        }))
    }

    fn take(&mut self, path: &Path, rule: Rule) {
        if path.exists() {
            self.read(path.display().to_string(), path, rule);
        }
    }

    fn read(&mut self, name: String, path: &Path, rule: Rule) {
        match read(path).and_then(|bytes| docker_file::parse(&bytes)) {
            Ok(file) => self.sources.push(Source { name, rule, file, only: None }),
            Err(detail) => self.blind_spots.push(BlindSpot {
                what: name,
                why: Why::Unreadable,
                detail,
                needs: "--creds-file".to_owned(),
            }),
        }
    }

    /// The credential that a client with these sources sends for an image; `None` where there is none, or the text is no
    /// reference. A helper has this long to answer.
    pub async fn for_image(&self, image: &str, limit: Duration) -> Option<Credential> {
        let reference = Reference::parse(image).ok()?;
        self.choose(reference.registry(), &reference.repository(), limit).await.0
    }

    /// The credential that a client with these sources sends to an image's registry, and the helpers that failed.
    pub(crate) async fn choose(
        &self,
        domain: &str,
        path: &str,
        limit: Duration,
    ) -> (Option<Credential>, Vec<(String, String)>) {
        let mut failed = Vec::new();
        for source in &self.sources {
            if let Some(found) = source.entry(domain, path) {
                return (Some(found), failed);
            }
            if let Some(name) = source.helper(domain) {
                match helper::ask(name, docker_key(domain), limit).await {
                    Ok(Some(found)) => return (Some(found), failed),
                    Ok(None) => {}
                    Err(problem) => failed.push((source.name.clone(), problem)),
                }
            }
        }
        (None, failed)
    }

    /// The names of the sources, for the evidence.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.sources.iter().map(|s| s.name.as_str())
    }
}

impl Source {
    fn entry(&self, domain: &str, path: &str) -> Option<Credential> {
        if let Some(only) = &self.only {
            return Some(only.clone());
        }
        let (key, entry) = match self.rule {
            Rule::Docker => docker_choice(&self.file, domain)?,
            Rule::Podman => podman_choice(&self.file, domain, path)?,
            Rule::Kubelet => {
                let name = image_name::lookup_name(&format!("{domain}/{path}")).ok()?;
                let keys = self.file.entries.iter().map(|(key, _)| key.as_str());
                let best = keyring::lookup(keys, &name).into_iter().find_map(|i| self.file.entries.get(i));
                best.filter(|(_, entry)| !entry.is_empty())?
            }
        };
        Some(entry.credential(&self.name, key))
    }

    fn helper(&self, domain: &str) -> Option<&str> {
        let helpers = &self.file.helpers;
        let own = helpers.get(domain).or_else(|| helpers.get(docker_key(domain)));
        own.or(self.file.store.as_ref()).map(String::as_str)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    use std::io::Read;
    let file = std::fs::File::open(path).map_err(|e| e.kind().to_string())?;
    let mut bytes = Vec::new();
    file.take(MOST_BYTES).read_to_end(&mut bytes).map_err(|e| e.kind().to_string())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choose(credentials: &Credentials, domain: &str, path: &str) -> Option<Credential> {
        credentials.sources.iter().find_map(|s| s.entry(domain, path))
    }

    #[test]
    fn a_line_is_for_whatever_registry_the_image_names() {
        let given = Credentials::given("standard input", b"joe:pa:ss\n").unwrap();
        let found = choose(&given, "registry.example.com:5000", "team/app").unwrap();
        assert_eq!((found.user.as_str(), found.kind), ("joe", Kind::Password));
    }

    #[test]
    fn a_given_file_is_chosen_from_as_the_kubelet_does() {
        let text = br#"{"auths":{"*.example.com":{"username":"glob","password":"x"},"registry.example.com/team":{"username":"team","password":"y"}}}"#;
        let given = Credentials::given("secret", text).unwrap();
        assert_eq!(choose(&given, "registry.example.com", "team/app").unwrap().user, "team");
        assert_eq!(choose(&given, "other.example.com", "app").unwrap().user, "glob");
        assert!(choose(&given, "registry.example.com:5000", "team/app").is_none());
    }

    #[test]
    fn what_is_neither_is_refused_without_quoting_it() {
        for text in [&b"canary"[..], b"canary:a\ncanary:b", b":canary", b"\xff\xfe", b"{canary"] {
            let error = Credentials::given("standard input", text).err().unwrap().to_string();
            assert!(!error.contains("canary"), "{error}");
        }
    }

    #[test]
    fn unreadable_files_of_a_person_are_blind_spots() {
        let home = tempfile::tempdir().unwrap();
        std::fs::create_dir(home.path().join(".docker")).unwrap();
        std::fs::write(home.path().join(".docker/config.json"), "{").unwrap();
        let home = home.path().display().to_string();
        let all = Credentials::of_person(|name| (name == "HOME").then(|| home.clone()));
        assert_eq!(all.blind_spots.len(), 1);
        assert_eq!(all.blind_spots[0].why, Why::Unreadable);
    }
}
