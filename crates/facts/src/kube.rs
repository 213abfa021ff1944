//! Kubernetes objects, slim: what a pull depends on, and no more. The same types serve live lists and saved files.

use crate::{Observed, Origin};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What names an object, and who wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meta {
    /// Empty for cluster-wide objects.
    pub namespace: String,
    /// The object's name.
    pub name: String,
    /// The object's uid; empty in hand-written files.
    pub uid: String,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// When its deletion was asked for.
    pub deleting: Option<Timestamp>,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its annotations, without `last-applied-configuration` and the like.
    pub annotations: BTreeMap<String, String>,
    /// Its owners.
    pub owners: Vec<Owner>,
    /// Who wrote which fields when.
    pub managers: Vec<FieldManager>,
    /// Where it was found.
    pub origin: Origin,
}

/// One owner reference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Owner {
    /// `ReplicaSet`, `Job`, `ClusterServiceVersion`.
    pub kind: String,
    /// The owner's name.
    pub name: String,
    /// Whether it is the managing controller.
    pub controller: bool,
}

/// One entry of `metadata.managedFields`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldManager {
    /// `kubectl-patch`, `argocd-controller`, `catalog`.
    pub manager: String,
    /// `Update` or `Apply`.
    pub operation: String,
    /// When it last wrote.
    pub time: Option<Timestamp>,
    /// The top-level field paths it owns, `f:imagePullSecrets`; empty where the source leaves them out.
    pub fields: Vec<String>,
}

/// A pod, as far as pulls are concerned.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pod {
    /// Name and origin.
    pub meta: Meta,
    /// Its node; empty while unscheduled.
    pub node: String,
    /// `default` where the object names none.
    pub service_account: String,
    /// The pull secrets that the pod itself names, in order.
    pub pull_secrets: Vec<String>,
    /// `Pending`, `Running`.
    pub phase: String,
    /// Containers of all kinds, and image volumes.
    pub containers: Vec<Container>,
    /// Whether the kubelet made it from a file (the mirror annotation).
    pub is_static: bool,
    /// `spec.hostNetwork`.
    pub host_network: bool,
    /// The conditions that are not `True`, as `Type: reason: message`.
    pub unmet: Vec<String>,
    /// Unknown or misplaced fields worth a word, as their path: `spec.containers[0].imagePullSecrets`.
    pub misplaced: Vec<String>,
    /// Whether only a printed form was seen, which leaves parts of the spec out: its pull secrets, for one.
    #[serde(default)]
    pub printed: bool,
}

/// Which list of the pod a container stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContainerKind {
    /// `spec.containers`.
    #[default]
    App,
    /// `spec.initContainers`.
    Init,
    /// `spec.ephemeralContainers`.
    Ephemeral,
    /// A volume of kind `image`.
    ImageVolume,
}

/// One container (or image volume) and its status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Container {
    /// Which list it stands in.
    pub kind: ContainerKind,
    /// Its name.
    pub name: String,
    /// The image reference of the spec, verbatim.
    pub image: String,
    /// `Always`, `IfNotPresent`, `Never`; empty where the object leaves it to the default.
    pub pull_policy: String,
    /// The image that the status reports; empty without a status.
    pub status_image: String,
    /// The imageID that the status reports; empty until it was pulled.
    pub image_id: String,
    /// `status.state.waiting`.
    pub waiting: Option<Waiting>,
    /// Whether it runs or has run.
    pub started: bool,
    /// `restartCount`.
    pub restarts: u32,
}

/// Why a container waits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Waiting {
    /// `ErrImagePull`, `ImagePullBackOff`, `CreateContainerConfigError`. No cause is derived from it.
    pub reason: String,
    /// The kubelet's words.
    pub message: String,
}

/// An event of either API, with its series folded in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Name and origin.
    pub meta: Meta,
    /// `Pod`, `Node`, `ServiceAccount`.
    pub kind: String,
    /// The object's namespace.
    pub namespace: String,
    /// The object's name.
    pub name: String,
    /// The object's uid; empty in hand-written files.
    pub uid: String,
    /// The container, from `fieldPath`; empty where the event is about the whole object.
    pub container: String,
    /// `Failed`, `Pulling`, `Pulled`, `BackOff`, `FailedCreatePodSandBox`.
    pub reason: String,
    /// `Normal` or `Warning`.
    pub severity: String,
    /// The words, verbatim and bounded.
    pub message: String,
    /// The component that said so: `kubelet`, `default-scheduler`.
    pub component: String,
    /// The node of that component; empty where the source does not say.
    pub host: String,
    /// How often.
    pub count: u32,
    /// The first time.
    pub first: Option<Timestamp>,
    /// The last time.
    pub last: Option<Timestamp>,
}

/// A service account.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServiceAccount {
    /// Name and origin.
    pub meta: Meta,
    /// Its pull secrets, in order.
    pub pull_secrets: Vec<String>,
}

/// A secret, reduced to its shape. No value is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Secret {
    /// Name and origin.
    pub meta: Meta,
    /// `kubernetes.io/dockerconfigjson`, `Opaque`.
    pub type_: String,
    /// The names of its data keys.
    pub keys: Vec<String>,
    /// `immutable: true`.
    pub immutable: bool,
    /// What a docker configuration in it says, whatever its type; `Blind` where only metadata was read.
    pub docker_config: Observed<DockerConfig>,
}

/// A docker configuration (`auths`), reduced to its shape. From a secret, a node's file or a person's home.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DockerConfig {
    /// The data key or file it came from; empty where none was found.
    pub found_in: String,
    /// Whether it has the layout with `auths` (else the old one).
    pub has_auths: bool,
    /// Its entries, in order.
    pub entries: Vec<AuthEntry>,
    /// The keys of entries that stand where this layout has none: without `auths`, or with it in the old layout. The
    /// kubelet passes over them without a word.
    #[serde(default)]
    pub misplaced: Vec<String>,
    /// `credsStore`, where named.
    pub creds_store: Option<String>,
    /// `credHelpers`: registry to helper.
    pub cred_helpers: BTreeMap<String, String>,
    /// What keeps the whole from being read, in the kubelet's words where it has some.
    pub problem: Option<String>,
}

/// One entry of a docker configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthEntry {
    /// The registry key, verbatim.
    pub key: String,
    /// The user name that a client would send; `None` where there is none.
    pub user: Option<String>,
    /// Length of the password in bytes.
    pub password_len: usize,
    /// Whether the password begins or ends with a blank or a line break.
    pub password_has_outer_blank: bool,
    /// Whether the password is nothing but the name of a variable that somebody should have filled in.
    #[serde(default)]
    pub password_is_placeholder: bool,
    /// Hours that a password of this form lives by default: the tokens of CI jobs.
    #[serde(default)]
    pub password_hours: Option<u8>,
    /// Whether an identity or registry token stands in it (which the kubelet does not read).
    pub has_token: bool,
    /// Where the password is a token with a readable expiry (JWT, ECR), that.
    pub expires: Option<Timestamp>,
    /// What keeps the entry from being used, in the kubelet's words where it has some.
    pub problem: Option<String>,
    /// A number that equal credentials of one Snapshot share. It reveals nothing else.
    pub same: u32,
}

/// A node, as the API server has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// Name and origin.
    pub meta: Meta,
    /// `linux`, `windows`.
    pub os: String,
    /// `amd64`, `arm64`.
    pub arch: String,
    /// `containerd://2.2.1`.
    pub runtime: String,
    /// `v1.36.3`.
    pub kubelet: String,
    /// `Ubuntu 24.04`.
    pub os_image: String,
    /// Internal addresses.
    pub addresses: Vec<String>,
    /// The images it lists (the kubelet lists 50 at most): every name.
    pub images: Vec<String>,
    /// Whether `images` may be incomplete (50 or more, or not listed at all).
    pub images_truncated: bool,
    /// Conditions other than usual: `DiskPressure`, `NotReady`, as `Type=Status: reason: message`.
    pub conditions: Vec<String>,
}

/// One entry of an audit log, about an object that matters to pulls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// When.
    pub at: Option<Timestamp>,
    /// `create`, `update`, `patch`, `delete`.
    pub verb: String,
    /// Who.
    pub user: String,
    /// `serviceaccounts`, `secrets`, `pods`.
    pub resource: String,
    /// The object's namespace.
    pub namespace: String,
    /// The object's name.
    pub name: String,
    /// `responseStatus.code`.
    pub status: u16,
    /// Where the request's body names pull secrets, these; `None` where it has no such field.
    pub pull_secrets: Option<Vec<String>>,
    /// Where it was found.
    pub origin: Origin,
}

/// Another object that says something about pulls: a Deployment, an Argo CD Application, an image mirror rule.
/// Its document is kept as JSON text, redacted and bounded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherObject {
    /// `apps/v1`.
    pub api_version: String,
    /// `Deployment`.
    pub kind: String,
    /// Name and origin.
    pub meta: Meta,
    /// The object as compact JSON.
    pub json: String,
}
