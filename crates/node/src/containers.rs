//! CRI-O's and podman's side of a node report: both pull with the same library.

use crate::endpoints;
use crate::recording::Recording;
use crate::runtime::Name;
use emulate::containerd::Version;
use emulate::containers::{self, Verdict};
use emulate::files::{Files, join};
use emulate::lint::Finding;
use facts::NodeFacts;
use formats::reference::{Reference, normalized};
use formats::toml_tree::{self, TomlValue};
use report::node::{Config, Credential, NodeReport, Runtime};

/// CRI-O's own configuration. Source: cri-o pkg/config/config.go.
const CRIO: &str = "/etc/crio/crio.conf";
const CRIO_DROP_INS: &str = "/etc/crio/crio.conf.d";

/// What the library does with these files.
pub fn inspect(
    files: &Recording<'_>,
    name: Name,
    version: Option<&Version>,
    report: &mut NodeReport,
    findings: &mut Vec<Finding>,
) {
    let image = report.image.clone();
    let asked = image.as_deref().unwrap_or("docker.io/library/none");
    let crio = if name == Name::Crio { crio(files) } else { Crio::default() };
    let mut r = match name {
        Name::Crio => containers::resolve_in_mode(files, asked, Some(crio.short_name_mode(version))),
        _ => containers::resolve(files, asked),
    };
    if name == Name::Crio {
        r.errors.iter_mut().for_each(|error| in_its_words(error, asked));
    }
    for dir in ["/etc/containers/certs.d", "/etc/docker/certs.d"] {
        files.walk(dir, 2);
    }
    for path in containers::AUTH_FILES {
        files.look(path);
    }
    findings.extend(r.findings);
    report.errors = r.errors;
    let invalid = r.config.invalid.is_some();
    if image.is_none() && !invalid {
        report.errors.clear();
    }
    let mut read: Vec<(String, i64)> = r.config.files.iter().map(|p| (p.clone(), 0)).collect();
    read.extend(crio.files.iter().map(|p| (p.clone(), 0)));
    report.runtime = Some(Runtime {
        // CRI-O does not start with a registries.conf that it cannot read.
        state: if invalid && name == Name::Crio { "daemon-fails" } else { "ok" }.to_owned(),
        config: Config {
            files: read,
            mirrors: r
                .config
                .registries
                .iter()
                .filter(|g| !g.mirrors.is_empty())
                .map(|g| g.prefix.clone())
                .collect(),
            sandbox_image: crio.pause_image,
            ..Config::default()
        },
        ..Runtime::default()
    });
    let Some(image) = image else { return };
    report.assumed.clone_from(&r.config.assumed);
    report.registry = Some(r.registry).filter(|g| !g.is_empty());
    report.host_dir = r.cert_dir;
    let own = own_repository(&image);
    for (endpoint, repository) in &r.endpoints {
        let other = (*repository != own).then(|| repository.clone());
        report.endpoints.push(endpoints::shown(endpoint, other));
    }
    if let Verdict::Rejects(words) = containers::verdict(files, &normalized(&image)) {
        report.errors.push(words);
    }
}

/// CRI-O says of an ambiguous name what the library says of a missing terminal. Source: internal/storage/image.go.
fn in_its_words(error: &mut String, image: &str) {
    if error.ends_with("cannot prompt without a TTY") {
        *error = format!("short name mode is enforcing, but image name {image} returns ambiguous list");
    }
}

/// The image's name within its registry.
pub fn own_repository(image: &str) -> String {
    Reference::parse(&normalized(image)).map(|r| r.repository()).unwrap_or_default()
}

/// The credentials for each endpoint: what the kubelet brings goes to the image's own host alone, and the auth files are
/// asked by the endpoint's own name, unlike containerd. Source: docker/docker_image_src.go.
pub fn credentials(
    report: &mut NodeReport,
    facts: &NodeFacts,
    global: Option<&str>,
    kubelets: &[Credential],
) {
    let image = report.image.as_deref().map(normalized).unwrap_or_default();
    let own = own_repository(&image);
    let registry = formats::reference::registry_of(&image);
    for endpoint in &mut report.endpoints {
        let host = endpoint.url.split("://").nth(1).and_then(|r| r.split('/').next()).unwrap_or_default();
        let host = if host == "registry-1.docker.io" { "docker.io" } else { host };
        let name = format!("{host}/{}", endpoint.repository.as_deref().unwrap_or(&own));
        let files: Vec<&str> = match global {
            Some(global) => vec![global],
            None => containers::AUTH_FILES.to_vec(),
        };
        let found = files.iter().find_map(|path| {
            let config = facts.docker_configs.get(*path)?;
            let at = containers::credentials(config.entries.iter().map(|e| e.key.as_str()), &name)?;
            let entry = config.entries.get(at)?;
            Some(Credential { from: (*path).to_owned(), key: entry.key.clone(), user: entry.user.clone() })
        });
        let brought = kubelets.iter().filter(|_| Some(host) == registry.as_deref());
        endpoint.credentials = brought.cloned().collect();
        if endpoint.credentials.iter().all(|c| !c.from.starts_with('/')) {
            endpoint.credentials.extend(found);
        }
    }
}

/// What crio.conf and its drop-ins say that matters to pulls.
#[derive(Default)]
pub struct Crio {
    files: Vec<String>,
    pause_image: Option<String>,
    short_name_mode: Option<String>,
    /// `global_auth_file`: the only auth file that counts where it is set.
    pub global_auth_file: Option<String>,
}

impl Crio {
    /// What it does with names without a registry: since 1.34 it asks for clear ones, unless its own files say otherwise,
    /// and does not look at the mode of registries.conf. Source: pkg/config/config.go (`short_name_mode`), cri-o pull
    /// request 9401.
    fn short_name_mode(&self, version: Option<&Version>) -> &str {
        let old = version.is_some_and(|v| !v.since(1, 34, 0));
        self.short_name_mode.as_deref().filter(|_| !old).unwrap_or(if old { "disabled" } else { "enforcing" })
    }
}

/// Reads CRI-O's own files; later ones win.
pub fn crio(files: &Recording<'_>) -> Crio {
    let mut found = Crio::default();
    let drop_ins = files.list(CRIO_DROP_INS).into_iter().map(|n| join(CRIO_DROP_INS, &n));
    for path in [CRIO.to_owned()].into_iter().chain(drop_ins) {
        let Some(text) = files.text(&path) else { continue };
        found.files.push(path);
        let Ok(tree) = toml_tree::parse(&text) else { continue };
        let image = |key: &str| {
            let entry = tree.root.find(&["crio", "image", key])?;
            match &entry.value {
                TomlValue::Text(text) => Some(text.clone()),
                _ => None,
            }
        };
        found.pause_image = image("pause_image").or(found.pause_image);
        found.short_name_mode = image("short_name_mode").filter(|m| !m.is_empty()).or(found.short_name_mode);
        found.global_auth_file =
            image("global_auth_file").filter(|f| !f.is_empty()).or(found.global_auth_file);
    }
    if let Some(path) = &found.global_auth_file {
        files.look(path);
    }
    found
}
