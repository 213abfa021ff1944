//! From flags and environment to one API server and one identity, by kubectl's rules. Connects to nothing.

use crate::error::{ConnectError, chain, plain};
use crate::{Options, proxy};
use kube::Config;
use kube::config::{InClusterError, KubeConfigOptions, Kubeconfig, KubeconfigError};
use std::path::{Path, PathBuf};

/// Where to go and as whom.
pub(crate) struct Access {
    /// The client's configuration.
    pub config: Config,
    /// The context's name; `in-cluster` for a pod's own service account.
    pub context: String,
    /// The namespace that the context names.
    pub namespace: String,
}

/// Finds the kubeconfig, picks the context, and applies the flags.
///
/// # Errors
/// Whatever keeps a server from being named: see [`ConnectError`].
pub(crate) async fn access(options: &Options) -> Result<Access, ConnectError> {
    let mut access = match read(options.kubeconfig.as_deref())? {
        Found::File(path, file) => from_file(options, &path, *file).await?,
        Found::Nothing(looked) => in_cluster(&looked)?,
    };
    let auth = &mut access.config.auth_info;
    if let Some(user) = &options.as_user {
        auth.impersonate = Some(user.clone());
    }
    if !options.as_groups.is_empty() {
        auth.impersonate_groups = Some(options.as_groups.clone());
    }
    access.config.connect_timeout = Some(options.timeout);
    // A failure is what we are here to see
    access.config.default_retry = false;
    Ok(access)
}

/// Logins that client-go had until 1.26 (client-go `plugin/pkg/client/auth`), before plugins took their place.
const GONE: [&str; 2] = ["gcp", "azure"];

enum Found {
    File(PathBuf, Box<Kubeconfig>),
    /// Where was looked, in words.
    Nothing(String),
}

/// The kubeconfig that kubectl would read: the flag's file; else all of `KUBECONFIG`, files that are not there left out;
/// else `~/.kube/config`.
fn read(flag: Option<&Path>) -> Result<Found, ConnectError> {
    let load = |path: &Path| {
        Kubeconfig::read_from(path)
            .map_err(|e| ConnectError::BadConfig { path: path.to_owned(), why: why(&e) })
    };
    if let Some(path) = flag {
        return Ok(Found::File(path.to_owned(), Box::new(load(path)?)));
    }
    if let Some(list) = std::env::var_os("KUBECONFIG").filter(|v| !v.is_empty()) {
        let paths: Vec<PathBuf> =
            std::env::split_paths(&list).filter(|p| !p.as_os_str().is_empty()).collect();
        let mut merged: Option<(PathBuf, Kubeconfig)> = None;
        for path in paths.iter().filter(|p| p.exists()) {
            let next = load(path)?;
            merged = Some(match merged {
                None => (path.clone(), next),
                Some((first, before)) => {
                    let all = before
                        .merge(next)
                        .map_err(|e| ConnectError::BadConfig { path: path.clone(), why: why(&e) })?;
                    (first, all)
                }
            });
        }
        let names: Vec<String> = paths.iter().map(|p| p.display().to_string()).collect();
        return Ok(match merged {
            Some((path, file)) => Found::File(path, Box::new(file)),
            None => {
                Found::Nothing(format!("KUBECONFIG names {}, which is not there", plain(&names.join(", "))))
            }
        });
    }
    match std::env::home_dir().map(|home| home.join(".kube").join("config")) {
        Some(path) if path.exists() => Ok(Found::File(path.clone(), Box::new(load(&path)?))),
        Some(path) => {
            Ok(Found::Nothing(format!("KUBECONFIG is not set and {} is not there", path.display())))
        }
        None => Ok(Found::Nothing("neither KUBECONFIG nor HOME is set".to_owned())),
    }
}

async fn from_file(options: &Options, path: &Path, file: Kubeconfig) -> Result<Access, ConnectError> {
    let known = || {
        let names: Vec<&str> = file.contexts.iter().map(|c| c.name.as_str()).collect();
        if names.is_empty() { "none".to_owned() } else { plain(&names.join(", ")) }
    };
    let context =
        match options.context.clone().or_else(|| file.current_context.clone()).filter(|c| !c.is_empty()) {
            Some(name) => name,
            None => return Err(ConnectError::NoContext { known: known() }),
        };
    let Some(chosen) = file.contexts.iter().find(|c| c.name == context).and_then(|c| c.context.clone())
    else {
        return Err(ConnectError::UnknownContext { name: plain(&context), known: known() });
    };
    let no_server = |why: String| ConnectError::NoServer { context: plain(&context), why };
    let Some(cluster) =
        file.clusters.iter().find(|c| c.name == chosen.cluster).and_then(|c| c.cluster.clone())
    else {
        return Err(no_server(format!("it has no cluster {:?}", plain(&chosen.cluster))));
    };
    if cluster.server.as_deref().unwrap_or_default().is_empty() {
        return Err(no_server(format!("cluster {:?} has no server", plain(&chosen.cluster))));
    }
    let user = chosen.user.as_deref().unwrap_or_default();
    let login = file.auth_infos.iter().find(|u| u.name == user).and_then(|u| u.auth_info.as_ref());
    if let Some(gone) =
        login.and_then(|l| l.auth_provider.as_ref()).filter(|p| GONE.contains(&p.name.as_str()))
    {
        let why = format!(
            "the login of {:?} is none that kubectl still has (since 1.26): use its credential plugin",
            gone.name
        );
        return Err(ConnectError::Unusable { context: plain(&context), why });
    }
    let pick = KubeConfigOptions { context: Some(context.clone()), cluster: None, user: None };
    let mut config = Config::from_custom_kubeconfig(file, &pick).await.map_err(|e| match e {
        KubeconfigError::ParseClusterUrl(e) => no_server(format!("its server's address does not parse: {e}")),
        e => ConnectError::BadConfig { path: path.to_owned(), why: why(&e) },
    })?;
    if config.cluster_url.host().is_none() || config.cluster_url.scheme().is_none() {
        return Err(no_server(format!(
            "{:?} is no http(s):// address",
            plain(&config.cluster_url.to_string())
        )));
    }
    // kubectl takes the proxy that the kubeconfig names whatever NO_PROXY says, and else what Go's rules make of the
    // environment. The client library compares NO_PROXY with the proxy's own host, so that is done here.
    if cluster.proxy_url.as_deref().unwrap_or_default().is_empty() {
        config.proxy_url = proxy::from_environment(&config.cluster_url);
    }
    Ok(Access { namespace: config.default_namespace.clone(), config, context })
}

fn in_cluster(looked: &str) -> Result<Access, ConnectError> {
    let config = Config::incluster().map_err(|e| {
        let own = match e {
            InClusterError::ReadEnvironmentVariable(_) => "this is no pod with a service account".to_owned(),
            e => format!("the pod's own account cannot be used: {}", chain(&e)),
        };
        ConnectError::NoConfig { looked: format!("{looked}, and {own}") }
    })?;
    Ok(Access { namespace: config.default_namespace.clone(), config, context: "in-cluster".to_owned() })
}

/// The library's words without the rendering of the source, which would quote the file: it may hold tokens.
fn why(error: &KubeconfigError) -> String {
    match error {
        KubeconfigError::Parse(e) => match e.location() {
            Some(at) => format!("it is no valid YAML kubeconfig: line {}, column {}", at.line(), at.column()),
            None => "it is no valid YAML kubeconfig".to_owned(),
        },
        KubeconfigError::ReadConfig(e, _) => plain(&e.to_string()),
        e => plain(&e.to_string()),
    }
}
