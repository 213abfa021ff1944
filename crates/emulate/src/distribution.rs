//! What differs from upstream on the nodes of distributions and clouds: where the runtime's files lie, who writes them, and
//! where a change belongs so that it lasts. One more distribution is one more row.
//!
//! Rows without a file as source follow the vendor's documentation as of 2026-08.

use crate::containerd::DEFAULT_CONFIG;

/// Whose node it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Distribution {
    /// Packages of upstream or of an operating system.
    Plain,
    /// k3s.
    K3s,
    /// RKE2.
    Rke2,
    /// microk8s.
    Microk8s,
    /// k0s.
    K0s,
    /// Talos.
    Talos,
    /// Bottlerocket.
    Bottlerocket,
    /// OpenShift.
    OpenShift,
    /// Amazon EKS on Amazon Linux.
    Eks,
    /// Google GKE.
    Gke,
    /// Azure AKS.
    Aks,
    /// kind.
    Kind,
    /// minikube.
    Minikube,
}

/// What becomes of a change that is made by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kept {
    /// The file is written anew at the next start of the node or of its service.
    UntilStart,
    /// The node is replaced by a fresh one at the next upgrade, repair or scaling.
    UntilReplaced,
    /// The cluster puts it back, or calls the node degraded.
    PutBack,
    /// It cannot be made: the file system is read-only.
    ReadOnly,
}

impl Kept {
    /// Its word, as outputs and the catalogue have it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::UntilStart => "until-start",
            Self::UntilReplaced => "until-replaced",
            Self::PutBack => "put-back",
            Self::ReadOnly => "read-only",
        }
    }
}

/// What shows a distribution. Each is enough.
#[derive(Clone, Copy, Debug)]
enum Mark {
    /// Something stands at or below this path.
    Path(&'static str),
    /// `ID` of os-release is this, or the node's `osImage` begins with it, in any case.
    Os(&'static str),
    /// The kubelet's version holds this.
    Kubelet(&'static str),
    /// The runtime's version holds this.
    Runtime(&'static str),
    /// The node has a label that begins so.
    Label(&'static str),
}

/// One row.
#[derive(Debug)]
pub struct Defaults {
    /// Whose.
    pub of: Distribution,
    /// Its id in outputs.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    marks: &'static [Mark],
    /// The runtime's main file.
    pub config: &'static str,
    /// Where hosts directories, or certificates by host, are looked for; the first is the one to write to.
    pub hosts: &'static [&'static str],
    /// The services of which the first that there is has the runtime's environment; empty for the runtime's own.
    pub services: &'static [&'static str],
    /// What is written for the node, and what becomes of a change there: the first that a path begins with.
    pub kept: &'static [(&'static str, Kept)],
    /// Where a change belongs: files, settings and commands, untranslated.
    pub change: &'static str,
    /// Where this was read.
    pub source: &'static str,
}

impl Defaults {
    /// What becomes of a change to a file; `None` where it stays.
    pub fn kept(&self, path: &str) -> Option<Kept> {
        self.kept.iter().find(|(from, _)| path.starts_with(from)).map(|(_, kept)| *kept)
    }
}

const CERTS: &str = "/etc/containerd/certs.d";

/// All rows; the first that a node shows counts, so what is built on another comes before it.
pub const ALL: &[Defaults] = &[
    Defaults {
        of: Distribution::Rke2,
        id: "rke2",
        name: "RKE2",
        marks: &[
            Mark::Path("/etc/rancher/rke2"),
            Mark::Path("/var/lib/rancher/rke2"),
            Mark::Kubelet("+rke2"),
        ],
        config: "/var/lib/rancher/rke2/agent/etc/containerd/config.toml",
        hosts: &["/var/lib/rancher/rke2/agent/etc/containerd/certs.d"],
        services: &["rke2-agent", "rke2-server"],
        kept: &[("/var/lib/rancher/rke2/agent/etc/containerd", Kept::UntilStart)],
        change: "/etc/rancher/rke2/registries.yaml",
        source: "k3s-io/k3s pkg/agent/containerd/config.go (writeContainerdConfig, writeContainerdHosts), 2026-08",
    },
    Defaults {
        of: Distribution::K3s,
        id: "k3s",
        name: "k3s",
        marks: &[
            Mark::Path("/etc/rancher/k3s"),
            Mark::Path("/var/lib/rancher/k3s"),
            Mark::Kubelet("+k3s"),
            Mark::Runtime("k3s"),
        ],
        config: "/var/lib/rancher/k3s/agent/etc/containerd/config.toml",
        hosts: &["/var/lib/rancher/k3s/agent/etc/containerd/certs.d"],
        services: &["k3s", "k3s-agent"],
        kept: &[("/var/lib/rancher/k3s/agent/etc/containerd", Kept::UntilStart)],
        change: "/etc/rancher/k3s/registries.yaml",
        source: "k3s-io/k3s pkg/agent/containerd/config.go (writeContainerdConfig, writeContainerdHosts), 2026-08",
    },
    Defaults {
        of: Distribution::Microk8s,
        id: "microk8s",
        name: "MicroK8s",
        marks: &[Mark::Path("/var/snap/microk8s")],
        config: "/var/snap/microk8s/current/args/containerd-template.toml",
        hosts: &["/var/snap/microk8s/current/args/certs.d"],
        services: &["snap.microk8s.daemon-containerd"],
        kept: &[],
        change: "",
        source: "microk8s.io docs, Working with private registries",
    },
    Defaults {
        of: Distribution::K0s,
        id: "k0s",
        name: "k0s",
        marks: &[Mark::Path("/etc/k0s"), Mark::Kubelet("+k0s")],
        // It imports the drop-ins of /etc/k0s/containerd.d
        config: "/etc/k0s/containerd.toml",
        hosts: &[],
        services: &["k0sworker", "k0scontroller"],
        kept: &[("/etc/k0s/containerd.toml", Kept::UntilStart)],
        change: "/etc/k0s/containerd.d/*.toml",
        source: "docs.k0sproject.io, runtime.md (k0s-managed dynamic runtime configuration)",
    },
    Defaults {
        of: Distribution::Talos,
        id: "talos",
        name: "Talos",
        marks: &[Mark::Os("talos"), Mark::Path("/etc/cri/conf.d")],
        config: "/etc/cri/containerd.toml",
        hosts: &["/etc/cri/conf.d/hosts"],
        services: &[],
        kept: &[("/etc/", Kept::ReadOnly)],
        change: "talosctl patch machineconfig: machine.registries, from 1.12 on RegistryMirrorConfig and RegistryTLSConfig documents",
        source: "siderolabs/talos internal/pkg/containers/cri/containerd/{config,hosts}.go, 2026-08",
    },
    Defaults {
        of: Distribution::Bottlerocket,
        id: "bottlerocket",
        name: "Bottlerocket",
        marks: &[Mark::Os("bottlerocket"), Mark::Runtime("bottlerocket")],
        config: DEFAULT_CONFIG,
        hosts: &[],
        services: &[],
        kept: &[("/etc/", Kept::ReadOnly)],
        change: "apiclient set, or the user data: settings.container-registry.mirrors and .credentials, settings.pki.NAME for a CA, settings.network.https-proxy and .no-proxy",
        source: "bottlerocket-core-kit packages/containerd/containerd-config-toml_k8s_containerd_sock; bottlerocket.dev settings reference",
    },
    Defaults {
        of: Distribution::OpenShift,
        id: "openshift",
        name: "OpenShift",
        marks: &[
            Mark::Os("rhcos"),
            Mark::Os("red hat enterprise linux coreos"),
            Mark::Os("centos stream coreos"),
            Mark::Label("node.openshift.io/"),
            Mark::Path("/etc/machine-config-daemon"),
        ],
        config: "/etc/crio/crio.conf",
        hosts: &["/etc/docker/certs.d", "/etc/containers/certs.d"],
        services: &[],
        kept: &[
            ("/etc/containers/", Kept::PutBack),
            ("/etc/docker/certs.d", Kept::PutBack),
            ("/etc/crio/", Kept::PutBack),
            ("/var/lib/kubelet/config.json", Kept::PutBack),
        ],
        change: "image.config.openshift.io/cluster (additionalTrustedCA, registrySources), ImageDigestMirrorSet, ImageTagMirrorSet, secret openshift-config/pull-secret, or a MachineConfig",
        source: "openshift/machine-config-operator pkg/controller/container-runtime-config; openshift-docs, Image configuration resources",
    },
    Defaults {
        of: Distribution::Gke,
        id: "gke",
        name: "GKE",
        marks: &[Mark::Kubelet("-gke."), Mark::Label("cloud.google.com/gke-")],
        config: DEFAULT_CONFIG,
        hosts: &["/etc/containerd/hosts.d"],
        services: &[],
        // Container-Optimized OS builds /etc anew at each start.
        kept: &[("/etc/", Kept::UntilStart)],
        change: "the node pool's containerd configuration (gcloud container node-pools update --containerd-config-from-file): registryHosts, privateRegistryAccessConfig",
        source: "cloud.google.com/kubernetes-engine docs, Customize containerd configuration; API ContainerdConfig.RegistryHostConfig",
    },
    Defaults {
        of: Distribution::Eks,
        id: "eks",
        name: "EKS",
        marks: &[Mark::Kubelet("-eks-"), Mark::Path("/etc/eks"), Mark::Label("eks.amazonaws.com/")],
        config: DEFAULT_CONFIG,
        hosts: &[CERTS, "/etc/docker/certs.d"],
        services: &[],
        kept: &[(DEFAULT_CONFIG, Kept::UntilStart), ("/etc/", Kept::UntilReplaced)],
        change: "the launch template's user data: a NodeConfig (spec.containerd.config), and a script that writes /etc/containerd/certs.d",
        source: "awslabs/amazon-eks-ami nodeadm/internal/containerd/{config.go,config.template.toml,config2.template.toml} v20260724",
    },
    Defaults {
        of: Distribution::Aks,
        id: "aks",
        name: "AKS",
        marks: &[Mark::Label("kubernetes.azure.com/"), Mark::Path("/opt/azure/containers")],
        config: DEFAULT_CONFIG,
        hosts: &[CERTS],
        services: &[],
        kept: &[("/etc/", Kept::UntilReplaced)],
        change: "a DaemonSet that writes /etc/containerd/certs.d on each node, or az aks update --custom-ca-trust-certificates for a CA",
        source: "Azure/AgentBaker parts/linux/cloud-init (containerd configuration template), 2026-08; learn.microsoft.com, Custom certificate authority in AKS",
    },
    Defaults {
        of: Distribution::Kind,
        id: "kind",
        name: "kind",
        marks: &[Mark::Path("/kind")],
        config: DEFAULT_CONFIG,
        hosts: &[CERTS],
        services: &[],
        kept: &[("/etc/", Kept::UntilReplaced)],
        change: "the cluster's configuration: containerdConfigPatches, and extraMounts for /etc/containerd/certs.d",
        source: "kubernetes-sigs/kind images/base/files/etc/containerd/config.toml@fed26882; kind.sigs.k8s.io, Local registry",
    },
    Defaults {
        of: Distribution::Minikube,
        id: "minikube",
        name: "minikube",
        marks: &[Mark::Path("/var/lib/minikube"), Mark::Label("minikube.k8s.io/")],
        config: DEFAULT_CONFIG,
        hosts: &[CERTS],
        services: &[],
        kept: &[("/etc/", Kept::UntilStart)],
        change: "minikube start --insecure-registry or --registry-mirror, files below ~/.minikube/files/etc/containerd/certs.d, a CA in ~/.minikube/certs",
        source: "kubernetes/minikube pkg/minikube/cruntime/containerd.go, 2026-08; minikube.sigs.k8s.io, File sync",
    },
];

/// A node without marks.
pub const PLAIN: &Defaults = &Defaults {
    of: Distribution::Plain,
    id: "plain",
    name: "",
    marks: &[],
    config: DEFAULT_CONFIG,
    hosts: &[CERTS],
    services: &[],
    kept: &[],
    change: "",
    source: "containerd defaults/defaults_unix.go",
};

/// What is known of a node.
pub struct Signs<'a> {
    /// `ID` of os-release, and the node's `osImage`.
    pub os: Vec<&'a str>,
    /// Versions of the kubelet.
    pub kubelet: Vec<&'a str>,
    /// Versions of the runtime.
    pub runtime: Vec<&'a str>,
    /// The names of the node's labels.
    pub labels: Vec<&'a str>,
    /// Whether something stands at or below a path.
    pub path: &'a dyn Fn(&str) -> bool,
}

/// Whose node this is.
pub fn of(signs: &Signs<'_>) -> &'static Defaults {
    let shows = |mark: &Mark| match mark {
        Mark::Path(path) => (signs.path)(path),
        Mark::Os(os) => {
            signs.os.iter().any(|o| o.get(..os.len()).is_some_and(|o| o.eq_ignore_ascii_case(os)))
        }
        Mark::Kubelet(part) => signs.kubelet.iter().any(|k| k.contains(part)),
        Mark::Runtime(part) => signs.runtime.iter().any(|r| r.contains(part)),
        Mark::Label(start) => signs.labels.iter().any(|l| l.starts_with(start)),
    };
    ALL.iter().find(|row| row.marks.iter().any(shows)).unwrap_or(PLAIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(os: &str, kubelet: &str, runtime: &str, label: &str, there: &str) -> Distribution {
        let path = |p: &str| !there.is_empty() && there.starts_with(p);
        let signs = Signs {
            os: vec![os],
            kubelet: vec![kubelet],
            runtime: vec![runtime],
            labels: vec![label],
            path: &path,
        };
        of(&signs).of
    }

    #[test]
    fn nodes_are_told_by_what_they_show() {
        use Distribution::*;
        for (os, kubelet, runtime, label, there, want) in [
            ("Ubuntu 24.04", "v1.34.2", "2.2.1", "kubernetes.io/os", "/etc/containerd/certs.d", Plain),
            ("Ubuntu 24.04", "v1.30.4+k3s1", "1.7.20-k3s1", "", "", K3s),
            ("Ubuntu 24.04", "v1.30.4+rke2r1", "1.7.20-k3s1", "", "", Rke2),
            ("Talos (v1.11.2)", "v1.34.0", "2.1.4", "", "", Talos),
            (
                "Bottlerocket OS 1.44.0 (aws-k8s-1.33)",
                "v1.33.1-eks-b9364f6",
                "2.0.5+bottlerocket",
                "",
                "",
                Bottlerocket,
            ),
            ("Amazon Linux 2023.8.20250818", "v1.33.3-eks-3abbec1", "1.7.27", "", "", Eks),
            ("Container-Optimized OS from Google", "v1.33.5-gke.1201000", "2.0.6", "", "", Gke),
            ("Ubuntu 22.04.5 LTS", "v1.33.2", "1.7.27-1", "kubernetes.azure.com/cluster", "", Aks),
            ("Red Hat Enterprise Linux CoreOS 418.94.202410090804-0", "v1.31.1", "1.31.2", "", "", OpenShift),
            ("rhcos", "", "", "", "", OpenShift),
            ("debian", "v1.34.0", "2.1.3", "", "/kind/version", Kind),
            ("buildroot", "v1.34.0", "1.7.27", "minikube.k8s.io/version", "", Minikube),
            ("ubuntu", "", "", "", "/var/snap/microk8s/current/args", Microk8s),
            ("debian", "v1.33.4+k0s", "1.7.27", "", "", K0s),
        ] {
            assert_eq!(by(os, kubelet, runtime, label, there), want, "{os} {kubelet}");
        }
    }

    #[test]
    fn what_becomes_of_a_change_depends_on_the_file() {
        let row = |of| ALL.iter().find(|r| r.of == of).unwrap();
        assert_eq!(row(Distribution::Eks).kept("/etc/containerd/config.toml"), Some(Kept::UntilStart));
        assert_eq!(
            row(Distribution::Eks).kept("/etc/containerd/certs.d/r/hosts.toml"),
            Some(Kept::UntilReplaced)
        );
        assert_eq!(row(Distribution::K3s).kept("/etc/rancher/k3s/registries.yaml"), None);
        assert_eq!(PLAIN.kept("/etc/containerd/config.toml"), None);
    }

    #[test]
    fn every_row_has_an_id_of_its_own_and_says_where_a_change_belongs() {
        let mut ids: Vec<&str> = ALL.iter().map(|r| r.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), ALL.len());
        for row in ALL {
            assert!(!row.source.is_empty() && !row.marks.is_empty(), "{}", row.id);
            assert!(row.kept.is_empty() == row.change.is_empty(), "{}", row.id);
        }
    }
}
