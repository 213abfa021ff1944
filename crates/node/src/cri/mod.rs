//! What the running runtime says of itself through its CRI socket. Only questions are asked that change nothing, but for
//! `pull`, which has a file of its own.

mod messages;
mod pull;
mod wire;

pub use pull::{AuthKind, PullAuth, pull};
pub use wire::Trouble;

use messages::{
    Empty, GetImage, ImageFsInfo, ImageSpec, ImageStatus, ImageStatusRequest, Images, Namespaces, OwnVersion,
    Status, StatusRequest, Version,
};
use std::path::Path;
use std::time::Duration;
use wire::Connection;

/// How long a socket may take to answer one question.
pub const DEADLINE: Duration = Duration::from_secs(2);
/// containerd's namespace that the kubelet sees.
const KUBELETS: &str = "k8s.io";
/// At most this many namespaces of containerd are asked for an image.
const NAMESPACES: usize = 16;
/// At most this many names of images are kept.
const NAMES: usize = 5_000;

const RUNTIME: &str = "/runtime.v1.RuntimeService";
const IMAGE: &str = "/runtime.v1.ImageService";

/// Everything that the socket told; what it did not tell has its reason.
#[derive(Debug)]
pub struct Told {
    /// `containerd`, `cri-o`, `docker`.
    pub name: String,
    /// The version of the running program, without a leading `v`.
    pub version: String,
    /// Whether the CRI service is there at all.
    pub has_cri: bool,
    /// Conditions that do not hold.
    pub conditions: Vec<String>,
    /// `config` of the verbose status, as far as it is about registries: the `config_path` in force (containerd 1.x).
    pub config_path: Option<String>,
    /// The names of all images, or why not.
    pub images: Result<Vec<String>, Trouble>,
    /// How many images.
    pub count: usize,
    /// Whether the image is there, or why that is not known; `None` where none was asked for.
    pub present: Option<Result<bool, Trouble>>,
    /// Other namespaces of containerd in which the image is.
    pub elsewhere: Vec<String>,
    /// The directory of the image store.
    pub store: Option<String>,
}

/// Asks a socket everything. The error is that of the first question: who does not say its version says nothing.
pub async fn ask(socket: &Path, image: Option<&str>, deadline: Duration) -> Result<Told, Trouble> {
    let connection = Connection::open(socket, deadline).await?;
    let asked = connection.call::<_, Version>(&format!("{RUNTIME}/Version"), None, &Empty {}).await;
    let (version, has_cri) = match asked {
        Ok(version) => (version, true),
        // containerd answers without its CRI service where that did not load; its own version service is there.
        Err(Trouble::Unimplemented(words)) => {
            let method = "/containerd.services.version.v1.Version/Version";
            let own: Result<OwnVersion, _> = connection.call(method, None, &Empty {}).await;
            let own = own.map_err(|_| Trouble::Unimplemented(words))?;
            (Version { runtime_name: "containerd".into(), runtime_version: own.version }, false)
        }
        Err(other) => return Err(other),
    };
    let mut told = Told {
        name: version.runtime_name,
        version: version.runtime_version.trim_start_matches('v').to_owned(),
        has_cri,
        conditions: Vec::new(),
        config_path: None,
        images: Ok(Vec::new()),
        count: 0,
        present: None,
        elsewhere: Vec::new(),
        store: None,
    };
    if !has_cri {
        return Ok(told);
    }
    let verbose = StatusRequest { verbose: true };
    if let Ok(status) = connection.call::<_, Status>(&format!("{RUNTIME}/Status"), None, &verbose).await {
        told.conditions = conditions(&status);
        told.config_path = status.info.get("config").and_then(|c| config_path(c));
    }
    let listed: Result<Images, _> = connection.call(&format!("{IMAGE}/ListImages"), None, &Empty {}).await;
    told.images = listed.map(|listed| {
        told.count = listed.images.len();
        let names = listed.images.into_iter().flat_map(|i| i.repo_tags.into_iter().chain(i.repo_digests));
        names.take(NAMES).collect()
    });
    if let Ok(info) =
        connection.call::<_, ImageFsInfo>(&format!("{IMAGE}/ImageFsInfo"), None, &Empty {}).await
    {
        told.store = info.image_filesystems.into_iter().find_map(|f| f.fs_id).map(|id| id.mountpoint);
    }
    if let Some(image) = image {
        let question = ImageStatusRequest { image: Some(ImageSpec { image: image.to_owned() }) };
        let answer: Result<ImageStatus, _> =
            connection.call(&format!("{IMAGE}/ImageStatus"), None, &question).await;
        told.present = Some(answer.map(|a| a.image.is_some()));
        if told.name == "containerd" {
            told.elsewhere = elsewhere(&connection, image).await;
        }
    }
    Ok(told)
}

/// Other namespaces of containerd that have the image: `ctr` without `-n` and `nerdctl` put it there.
async fn elsewhere(connection: &Connection, image: &str) -> Vec<String> {
    let listed: Result<Namespaces, _> =
        connection.call("/containerd.services.namespaces.v1.Namespaces/List", None, &Empty {}).await;
    let names = listed.map(|l| l.namespaces).unwrap_or_default();
    let question = GetImage { name: formats::reference::normalized(image) };
    let mut found = Vec::new();
    for name in names.into_iter().map(|n| n.name).filter(|n| n != KUBELETS).take(NAMESPACES) {
        let method = "/containerd.services.images.v1.Images/Get";
        if connection.call::<_, Empty>(method, Some(&name), &question).await.is_ok() {
            found.push(name);
        }
    }
    found
}

fn conditions(status: &Status) -> Vec<String> {
    let all = status.status.as_ref().map(|s| s.conditions.as_slice()).unwrap_or_default();
    let words = |c: &messages::Condition| {
        let message: String = c.message.chars().take(2_000).collect();
        let parts = [c.kind.as_str(), c.reason.as_str(), message.as_str()];
        formats::redact::owned(parts.iter().filter(|p| !p.is_empty()).copied().collect::<Vec<_>>().join(": "))
    };
    all.iter().filter(|c| !c.status).map(words).collect()
}

/// `registry.configPath` of containerd 1.x; 2.x shows only the runtime plugin's configuration, which has none. Everything
/// else in it may hold passwords and is not looked at.
fn config_path(config: &str) -> Option<String> {
    let value: serde_json::Value = serde_json::from_str(config).ok()?;
    Some(value.get("registry")?.get("configPath")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_path_is_taken_from_the_configuration() {
        let one = r#"{"registry":{"configPath":"/etc/c","configs":{"r":{"auth":{"password":"p"}}}}}"#;
        assert_eq!(config_path(one).as_deref(), Some("/etc/c"));
        assert_eq!(config_path(r#"{"containerd":{}}"#), None);
    }
}
