//! The node report: what a node's runtime, of its version, with its files, will do for an image, and what is wrong with
//! these files. `pullproof node` makes it, `compare` reads it. Paths are as on the node; nothing in it is a secret.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use vocabulary::Cause;

/// The form's version, first in every node report.
pub const NODE_SCHEMA: &str = "pullproof.node/1";

/// What a node's runtime would do for an image.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NodeReport {
    /// [`NODE_SCHEMA`].
    pub schema: String,
    /// The node's name; empty where it is not known.
    pub node: String,
    /// The node's own clock at the time; `None` for a copied file tree.
    pub taken_at: Option<Timestamp>,
    /// Whose node it is, where it is a distribution's or a cloud's.
    #[serde(default)]
    pub distribution: Option<Distribution>,
    /// The runtime that serves the kubelet; `None` where there is none.
    pub runtime: Option<Runtime>,
    /// Other runtimes on the node: what they do is not what the kubelet gets.
    pub others: Vec<OtherRuntime>,
    /// The image that was asked for.
    pub image: Option<String>,
    /// The image's registry with its port: what host directories are looked up by.
    pub registry: Option<String>,
    /// The hosts directory that is taken.
    pub host_dir: Option<String>,
    /// The endpoints, in the order in which they are tried.
    pub endpoints: Vec<Endpoint>,
    /// Files that may say otherwise and could not be read: the endpoints are those that there would be without them.
    #[serde(default)]
    pub assumed: Vec<String>,
    /// What fails every pull of this image before any request, in the runtime's words.
    pub errors: Vec<String>,
    /// What is wrong or worth a word in the files, worst first.
    pub findings: Vec<Finding>,
    /// Other clients on the node, and what each would do differently for the image.
    #[serde(default)]
    pub clients: Vec<Client>,
    /// What the runtime answered when it was asked to pull; `None` where it was not.
    #[serde(default)]
    pub pull: Option<Pull>,
    /// The machine; `None` for a copied file tree.
    pub machine: Option<Machine>,
    /// What was not seen, and what it would take.
    pub blind_spots: Vec<super::BlindSpot>,
}

/// A distribution or cloud that writes files of its nodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distribution {
    /// `eks`, `k3s`.
    pub id: String,
    /// What people call it.
    pub name: String,
    /// What it writes, by path, and what becomes of a change there: `until-start`, `until-replaced`, `put-back`,
    /// `read-only`.
    pub kept: Vec<(String, String)>,
    /// Where a change belongs so that it lasts: files, settings and commands.
    pub change: String,
    /// Where this was read.
    pub source: String,
}

/// The runtime and its configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Runtime {
    /// `containerd`, `cri-o`, `podman`, `docker`.
    pub name: String,
    /// Its version: the running one's, else as given.
    pub version: String,
    /// What a daemon started on these files does: `ok`, `daemon-fails`, `cri-not-loaded`.
    pub state: String,
    /// `local` or `transfer`; `None` for runtimes that have one way only.
    pub pull_path: Option<String>,
    /// The settings in force.
    pub config: Config,
    /// The running process; `None` where none was seen.
    pub process: Option<Process>,
    /// Its socket and what answered there; `None` where it was not asked.
    pub cri: Option<Cri>,
}

/// A runtime that is there and does not serve the kubelet.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OtherRuntime {
    /// Its name.
    pub name: String,
    /// Its version; empty where it did not say.
    pub version: String,
    /// The process or socket that showed it.
    pub shown_by: String,
}

/// The settings in force.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Config {
    /// The files in the order in which they are read, each with its version (0 where it has none).
    pub files: Vec<(String, i64)>,
    /// `config_path`, as it stands.
    pub config_path: Option<String>,
    /// The names of inline mirrors.
    pub mirrors: Vec<String>,
    /// The hosts of inline tables; whether they hold credentials is all that is said of these.
    pub hosts: Vec<String>,
    /// What forces the local pull path.
    pub local_because: Option<String>,
    /// The pause image.
    pub sandbox_image: Option<String>,
    /// What the running process itself says is its `config_path` (containerd 1.x), where it says so.
    pub reported_config_path: Option<String>,
}

/// A running runtime.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// Its number.
    pub pid: u32,
    /// When it started.
    pub started: Option<Timestamp>,
    /// Its command line.
    pub args: Vec<String>,
    /// The variables that matter to pulls, with user information in URLs hidden.
    pub environment: BTreeMap<String, String>,
    /// Whether its program was replaced on disk since it started.
    pub replaced: bool,
}

/// The CRI side of a runtime.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Cri {
    /// The socket.
    pub socket: String,
    /// `answers`, `no-cri` (it answers, and has no CRI service), `silent`, `refused`.
    pub state: String,
    /// Conditions that do not hold, as `Type: reason: message`.
    pub conditions: Vec<String>,
    /// How many images the kubelet sees; `None` where it was not told.
    pub images: Option<usize>,
    /// Whether the image asked for is among them.
    pub image_present: Option<bool>,
    /// Namespaces of containerd in which the image is, and where the kubelet does not see it.
    pub image_elsewhere: Vec<String>,
}

/// One endpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Endpoint {
    /// Scheme, host, path.
    pub url: String,
    /// The name under which the image is asked for there, where it is not its own.
    pub repository: Option<String>,
    /// `pull`, `resolve`, `push`, `referrers`.
    pub capabilities: Vec<String>,
    /// Files with certificates that are trusted beside the system's.
    pub ca: Vec<String>,
    /// The SHA-256 of the certificates in these files, in their order, those that could be read.
    #[serde(default)]
    pub ca_fingerprints: Vec<String>,
    /// Whether nothing is verified.
    pub skip_verify: bool,
    /// Client certificates.
    pub client: Vec<ClientPair>,
    /// Headers that are added; secret ones are hidden.
    pub headers: BTreeMap<String, Vec<String>>,
    /// Whether the path replaces `/v2`.
    pub override_path: bool,
    /// Whether plain HTTP is tried after TLS failed.
    pub http_fallback: bool,
    /// The proxy that is used, without user and password; `None` for none, or where it is not known.
    pub proxy: Option<String>,
    /// Why this proxy, or none: `HTTPS_PROXY`, `NO_PROXY .example.com`, `none set`; empty where it is not known.
    pub proxy_because: String,
    /// The node's own credentials that would go there; those of pods are not known to a node.
    pub credentials: Vec<Credential>,
}

/// A client certificate and its key.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientPair {
    /// The certificate's file.
    pub cert: String,
    /// The key's, where it has one of its own.
    pub key: Option<String>,
}

/// The shape of a credential.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Credential {
    /// The file that holds it, or the plugin that is asked for it.
    pub from: String,
    /// Its key, or the pattern that covers the image.
    pub key: String,
    /// The user, where it has one.
    pub user: Option<String>,
}

/// A client that people try by hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// `curl`, `ctr`, `crictl`, `nerdctl`, `podman`, `docker`.
    pub name: String,
    /// Where it lies.
    pub path: String,
    /// What it would do differently from the runtime.
    pub differences: Vec<ClientDifference>,
}

/// One thing that a client does differently.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientDifference {
    /// `endpoints`, `trust`, `proxy`, `credentials`, `store`.
    pub what: String,
    /// What the runtime does.
    pub runtime: Said,
    /// What the client does.
    pub client: Said,
}

/// A word for what is done, with what it is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Said {
    /// `urls`, `system`, `system-and`, `unverified`, `proxy`, `direct`, `unknown`, `kubelet`, `given`, `logins`,
    /// `namespace`, `docker-store`, `containers-store`, `no-store`.
    pub word: String,
    /// The URLs, files, proxy, flag or namespace; empty where the word says all.
    pub value: String,
}

/// A pull that the runtime was asked for, through CRI as the kubelet asks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pull {
    /// The image, verbatim.
    pub image: String,
    /// The user whose credentials went with it; `None` for none.
    pub user: Option<String>,
    /// How it went.
    pub outcome: PullOutcome,
    /// What the runtime calls the image now, where it was pulled.
    pub image_ref: Option<String>,
    /// The runtime's own words, where it failed.
    pub error: Option<String>,
    /// The cause that these words show.
    pub cause: Option<Cause>,
    /// Milliseconds it took.
    pub took_ms: u64,
}

/// How a pull went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PullOutcome {
    /// The image is there.
    Pulled,
    /// The runtime says no.
    Failed,
    /// It did not answer within the deadline; the pull ends with the question.
    NoAnswer,
    /// It could not be asked.
    #[default]
    NotAsked,
}

impl PullOutcome {
    /// Its word, in reports and in the catalogue.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pulled => "pulled",
            Self::Failed => "failed",
            Self::NoAnswer => "no-answer",
            Self::NotAsked => "not-asked",
        }
    }
}

/// Something in a file that is wrong or worth a word.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// What: `path-list-as-one-directory`.
    pub id: String,
    /// `error`: it keeps pulls from working; `warning`: it is not in force, or unsafe; `note`.
    pub level: String,
    /// The file; empty where it is about none.
    pub path: String,
    /// The line, from 1; 0 for the whole file.
    pub line: u32,
    /// The column, from 1; 0 for the whole line.
    pub column: u32,
    /// The line itself, without secrets.
    pub snippet: String,
    /// What its sentence names.
    pub args: BTreeMap<String, String>,
    /// Where upstream's defect is described, where it is one.
    pub reference: Option<String>,
}

/// The machine, as far as it matters to pulls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// Name servers, in their order.
    pub name_servers: Vec<String>,
    /// Search domains.
    pub search: Vec<String>,
    /// What the hosts file says of the hosts of the endpoints, `NAME ADDRESS`.
    pub hosts_entries: Vec<String>,
    /// Endpoints' names that programs of the C library (curl) look up otherwise than Go programs (the runtime).
    #[serde(default)]
    pub lookups: Vec<Lookup>,
    /// Options of the resolver, as they stand; `None` where the report does not tell.
    #[serde(default)]
    pub resolver_options: Option<Vec<String>>,
    /// The sources of names in nsswitch.conf; `None` where there is none.
    #[serde(default)]
    pub lookup_order: Option<String>,
    /// Default routes, `via GATEWAY dev DEVICE`.
    pub default_routes: Vec<String>,
    /// The way to each address that is asked: name servers, proxies, endpoints.
    #[serde(default)]
    pub routes: Vec<Route>,
    /// The certificates that the system trusts, as a Go program finds them.
    #[serde(default)]
    pub system_roots: Option<SystemRoots>,
    /// Whether a time service says that the clock is synchronised; `None` where none says anything.
    pub clock_synchronized: Option<bool>,
    /// How far off the clock may be at most, in milliseconds, as the kernel has it from the service that keeps it.
    #[serde(default)]
    pub clock_error_ms: Option<u64>,
    /// The image store's file system.
    pub store: Option<Store>,
    /// The kubelet; `None` where none runs.
    pub kubelet: Option<Kubelet>,
}

/// The way to an address by the kernel's own tables.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// The address.
    pub to: String,
    /// `via GATEWAY dev DEVICE`, `dev DEVICE`, `unreachable`, `none`.
    pub way: String,
}

/// A file of trusted certificates.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemRoots {
    /// The file.
    pub path: String,
    /// How many it has.
    pub certificates: usize,
    /// The SHA-256 of the whole file, hexadecimal.
    pub sha256: String,
}

/// One name, and where it is looked up: `files`, `dns NAME...`, or a module of nsswitch.conf.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Lookup {
    /// The name.
    pub host: String,
    /// By Go's own resolver.
    pub go: Vec<String>,
    /// By the C library.
    pub glibc: Vec<String>,
}

/// A file system.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Store {
    /// The directory.
    pub path: String,
    /// Bytes in all.
    pub bytes: u64,
    /// Bytes that are free.
    pub bytes_free: u64,
    /// Inodes in all; 0 where the file system does not count them.
    pub inodes: u64,
    /// Inodes that are free.
    pub inodes_free: u64,
}

/// The kubelet, as far as it matters to pulls.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Kubelet {
    /// Its configuration file.
    pub config: Option<String>,
    /// The runtime's address that it uses.
    pub endpoint: Option<String>,
    /// Its settings about images, those that are set.
    pub settings: BTreeMap<String, String>,
    /// Credential providers: name and the patterns of images that they are asked about.
    pub providers: Vec<(String, Vec<String>)>,
    /// The file or directory that names them.
    #[serde(default)]
    pub provider_config: Option<String>,
    /// Where their programs are to lie, `--image-credential-provider-bin-dir`.
    #[serde(default)]
    pub provider_dir: Option<String>,
    /// Its records of pulls; `None` where it keeps none.
    #[serde(default)]
    pub records: Option<PullRecords>,
}

/// What the kubelet keeps of its pulls.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRecords {
    /// Images whose pull it has begun and not ended.
    pub pulling: Vec<String>,
    /// How many pulled images it knows.
    pub pulled: usize,
    /// What it knows of the image that was asked for.
    pub of_image: Vec<PullRecord>,
}

/// By whose credentials an image came: pods with others must pull anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PullRecord {
    /// The image, without tag.
    pub image: String,
    /// The runtime's id of it.
    pub image_ref: String,
    /// Whether every pod of the node may use it.
    pub for_all: bool,
    /// The secrets that brought it, `NAMESPACE/NAME`.
    pub secrets: Vec<String>,
    /// The service accounts that brought it, `NAMESPACE/NAME`.
    pub accounts: Vec<String>,
}

/// What differs between nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// The image, where all reports are about one.
    pub image: Option<String>,
    /// Whether the reports are about several images, so that endpoints were not compared.
    pub several_images: bool,
    /// All nodes.
    pub nodes: Vec<String>,
    /// What differs.
    pub differences: Vec<Difference>,
}

/// One thing that is not the same everywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// What: `trust`, `proxy`.
    pub what: String,
    /// The host or address that it is about; empty where it is about the node as a whole.
    #[serde(default)]
    pub about: String,
    /// Whether the first group is larger than every other, so that the others are the odd ones out.
    pub has_majority: bool,
    /// The values, the most frequent first.
    pub groups: Vec<Group>,
}

/// One value, and the nodes that have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// The value; empty for none.
    pub value: String,
    /// The nodes, by name.
    pub nodes: Vec<String>,
}
