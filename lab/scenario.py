"""What a scenario is: which nodes, which registry, what is broken, which pods, and what must be found. See docs/lab.md."""
import base64
import json
from dataclasses import dataclass, field, replace

from nodes import CERTS_D, PLAIN_NODES

USER, PASSWORD = "puller", "s3cret-lab-pw"
BASE = "good.example.com/team/base:1"


@dataclass(frozen=True)
class Verdict:
    """One incident that must be reported: its cause (best first, more than one only where the evidence leaves it open),
    how sure the report must be at least, and the pods it must blame (default: all that are not fine)."""
    causes: tuple
    confidence: str = "likely"
    pods: tuple = None

    def __str__(self):
        return f"{' or '.join(self.causes)} ({self.confidence})"


def likely(*causes, pods=None):
    return Verdict(causes, "likely", pods)


def confirmed(*causes, pods=None):
    return Verdict(causes, "confirmed", pods)


@dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    # What must be found
    api: tuple                       # Verdicts from the API's objects and messages alone; () where nothing is broken
    full: tuple = None               # Verdicts with the nodes' facts and other vantages too; default: as api
    says: tuple = None               # what the words alone carry, for `explain`; default: the causes of api
    pending: str = ""                # why `full` is not reached yet
    # What is there
    nodes: tuple = ("a",)            # one pod on each; kinds of nodes.py
    image: str = ""                  # default: NAME.example.com/team/NAME:1
    host: dict = None                # arguments of Services.host; None: no host of its own
    stored: str = "image"            # image, nothing, index-arm64, attestation, no-layer, short-layer, other-layer
    bulk_mib: int = 0                # the image's size
    files: dict = field(default_factory=dict)      # path below /etc/containerd/certs.d, or absolute -> text
    files_on: tuple = ()             # nodes that get them; default: `nodes`
    secrets: tuple = ()              # manifests
    pull_secrets: tuple = ()         # names in the pod
    vault: str = ""                  # what OpenBao holds for the pull secret `regcred`, which a controller keeps equal to it
    account: dict = field(default_factory=dict)    # imagePullSecrets of the account `default`: {"before": [...], "after": [...]}
    # The pods
    policy: str = "Always"
    count: int = 1                   # pods on each node
    pod: dict = field(default_factory=dict)        # merged into the pod's spec
    container: dict = field(default_factory=dict)  # merged into its container
    init: bool = False               # the image stands in an init container
    more: tuple = ()                 # further (image, nodes) in the same namespace
    seed: tuple = ()                 # (pull secrets) of a pod on the first node that pulls the image before the others are made
    cached_on: tuple = ()            # nodes into whose store the image was built, without a registry
    well: bool = False               # a pod that is well stands beside
    fine: tuple = ()                 # pods that are well though they look like the others
    gone: tuple = ()                 # pods that are deleted when they have failed: only their events stay
    events: tuple = ("Failed", "InspectFailed", "ErrImageNeverPull", "FailedCreatePodSandBox")  # by one of these it shows
    # What else is saved beside
    look: tuple = ()                 # shell commands on each node
    clients: tuple = ()              # (folder, shell command) on the first node: pushes, pulls by other clients
    log_of: str = ""                 # the backend whose registry's log is kept
    front: bool = False              # the front end's configuration of this host is kept
    # How it is kept
    off: dict = field(default_factory=dict)        # what turns the fault off, besides what `cured` does
    needs: tuple = ()                # components that not every machine has
    quick: bool = True               # part of every CI run

    def __post_init__(self):
        fill = lambda key, value: object.__setattr__(self, key, value)
        fill("image", self.image or f"{self.name}.example.com/team/{self.name}:1")
        if self.full is None:
            fill("full", self.api)
        if self.says is None:
            fill("says", tuple(c for v in self.api for c in v.causes))

    @property
    def namespace(self):
        return f"s-{self.name}".replace(".", "-")

    @property
    def well_on(self):
        return next((n for n in self.nodes if n in PLAIN_NODES), "a")

    @property
    def own_nodes(self):
        return sorted({*self.nodes, *(n for _, nodes in self.more for n in nodes)})

    @property
    def all_nodes(self):
        return sorted({*self.own_nodes, *((self.well_on,) if self.well else ())})

    def cured(self):
        """The same without its fault: a good certificate, a whole image, no odd configuration, a right secret."""
        change = {"api": (), "full": (), "says": (), "pending": "", "files": {}, "more": (), "count": 1, "bulk_mib": 0, "account": {},
                  "pull_secrets": (), "secrets": (), "vault": "", "container": {}, "pod": {}, "seed": (), "cached_on": (), "clients": (), "gone": (), "fine": ("*",), "init": False,
                  "policy": "Always"}
        if self.host is None:
            change |= {"image": BASE, "stored": "nothing"}
        else:
            host = {k: v for k, v in self.host.items() if k in ("backend", "port")}
            change |= {"host": host, "stored": "image"}
            if "backend" in host and host["backend"] != "open":
                registry = self.image.split("/")[0]
                change |= {"secrets": (pull_secret("right", docker_config(registry)),), "pull_secrets": ("right",)}
        return replace(self, **change | self.off)


def hosts_toml(host, ca="ca.crt", scheme="https"):
    """A hosts.toml for one registry, its CA beside it."""
    return f'server = "{scheme}://{host}"\n\n[host."{scheme}://{host}"]\n  capabilities = ["pull", "resolve"]\n  ca = "{ca}"\n'


def with_ca(host, ca, folder=None):
    """The files of a host directory that makes a registry trusted."""
    folder = folder or host
    return {f"{folder}/hosts.toml": hosts_toml(host, f"{CERTS_D}/{folder}/ca.crt"), f"{folder}/ca.crt": ca}


def docker_config(*keys, user=USER, password=PASSWORD, auth=None):
    """The JSON of a pull secret with an entry for each key."""
    auth = auth if auth is not None else base64.b64encode(f"{user}:{password}".encode()).decode()
    return json.dumps({"auths": {key: {"auth": auth} for key in keys}})


def pull_secret(name, config, namespace=None, kind="kubernetes.io/dockerconfigjson", key=".dockerconfigjson"):
    meta = {"name": name} | ({"namespace": namespace} if namespace else {})
    return {"apiVersion": "v1", "kind": "Secret", "type": kind, "metadata": meta, "stringData": {key: config}}


def pod(s, name, image, node, policy, spec=None, container=None, init=False):
    c = {"name": "app", "image": image, "imagePullPolicy": policy, "resources": {}} | (container or {})
    body = {"hostNetwork": True, "terminationGracePeriodSeconds": 0, "nodeName": node,
            "tolerations": [{"operator": "Exists"}], "containers": [c]} | (spec or {})
    if init:
        body |= {"initContainers": [c], "containers": [{"name": "main", "image": BASE}]}
    if not node:
        del body["nodeName"]
        body["nodeSelector"] = {"example.com/none": "here"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": s.namespace, "labels": {"app": name.split("-")[0]}}, "spec": body}


def named(secrets):
    return {"imagePullSecrets": [{"name": n} for n in secrets]} if secrets else {}


def groundwork(s) -> list:
    """What must be there before the pods: secrets, and the service account as it is then."""
    objects = []
    for secret in s.secrets:
        objects.append(secret | {"metadata": {"namespace": s.namespace} | secret["metadata"]})
    return objects


def seeds(s) -> list:
    """Pods that must have pulled before the others are made."""
    return [pod(s, "seed", s.image, s.nodes[0], s.policy, spec=named(s.seed))] if s.seed else []


def pods(s) -> list:
    made = []
    for node in s.nodes:
        for i in range(s.count):
            name = f"app-{node}" if s.count == 1 else f"app-{node}-{i + 1}"
            made.append(pod(s, name.replace(".", "-"), s.image, node, s.policy, s.pod | named(s.pull_secrets), s.container, init=s.init))
    for i, (image, nodes) in enumerate(s.more, 2):
        for node in nodes or ("",):
            made.append(pod(s, f"app{i}-{node or 'x'}", BASE if not node else image, node, s.policy))
    if s.well:
        made.append(pod(s, "well", BASE, s.well_on, "IfNotPresent"))
    return made
