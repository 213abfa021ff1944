"""Saves a fault's objects and its nodes' files, small and without passwords, so that they can be read with --from.

    DIR/NAME/kube/{pods,events}.yaml, {serviceaccounts,secrets,nodes}.json
    DIR/NAME/nodes/NODE/etc/...
    DIR/NAME/expect.json
"""
import base64
import json
import shutil
from pathlib import Path

KEEP_MANAGERS = ("Secret", "ServiceAccount")
VOLATILE = ("resourceVersion", "generation", "selfLink")


def redacted(config: str) -> str:
    """A docker configuration with each password replaced by as many x's; what does not decode stays as it is."""
    document = json.loads(config)
    for entry in document.get("auths", {}).values():
        try:
            user, _, password = base64.b64decode(entry["auth"], validate=True).decode().partition(":")
        except ValueError:
            continue
        entry["auth"] = base64.b64encode(f"{user}:{'x' * len(password)}".encode()).decode()
    return json.dumps(document)


def slim(item):
    meta = item["metadata"]
    for key in VOLATILE:
        meta.pop(key, None)
    if item["kind"] not in KEEP_MANAGERS:
        meta.pop("managedFields", None)
    meta.get("annotations", {}).pop("kubectl.kubernetes.io/last-applied-configuration", None)
    if item["kind"] == "Secret":
        for key, value in item.get("data", {}).items():
            text = base64.b64decode(value).decode()
            item["data"][key] = base64.b64encode(redacted(text).encode()).decode()
    if item["kind"] == "Node":
        status = item["status"]
        item["status"] = {k: status[k] for k in ("addresses", "conditions", "images", "nodeInfo") if k in status}
    return item


def save(cluster, fault, at: Path):
    home = at / fault.name
    shutil.rmtree(home, ignore_errors=True)
    (home / "kube").mkdir(parents=True)
    ns, elsewhere = fault.namespace, sorted({s["metadata"].get("namespace") for s in fault.secrets} - {None, fault.namespace})
    for kind in ("pods", "events"):  # as people have them
        shown = cluster.kubectl("-n", ns, "get", kind, "-o", "yaml").stdout
        (home / "kube" / f"{kind}.yaml").write_text(shown)
    for kind in ("serviceaccounts", "secrets"):
        items = []
        for namespace in (ns, *(elsewhere if kind == "secrets" else ())):
            got = cluster.kubectl("-n", namespace, "get", kind, "-o", "json", "--show-managed-fields")
            items += [slim(i) for i in json.loads(got.stdout)["items"]]
        write(home / "kube" / f"{kind}.json", items)
    nodes = json.loads(cluster.kubectl("get", "nodes", "-o", "json").stdout)["items"]
    write(home / "kube" / "nodes.json", [slim(n) for n in nodes if n["metadata"]["name"] in fault_nodes(fault)])
    for node in fault_nodes(fault):
        save_node(cluster.nodes[node], home / "nodes" / node, {p.split("/")[0] for p in fault.files})
    (home / "expect.json").write_text(json.dumps({"title": fault.title, "api": [list(e) for e in fault.expect], "full": fault.full}, indent=1) + "\n")


def write(path, items):
    path.write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": items}, indent=1) + "\n")


def fault_nodes(fault):
    return sorted({*fault.nodes, *(n for _, nodes in fault.more for n in nodes)})


def save_node(node, at: Path, hosts):
    """The files that a pull on this node depends on; of certs.d only the directories that the fault itself laid down."""
    listing = node.exec("sh", "-c", "find /etc/containerd -type f; echo /etc/hosts; echo /etc/resolv.conf").stdout.split()
    for path in listing:
        parts = Path(path).parts
        if "certs.d" in parts and parts[4] not in hosts:
            continue
        to = at / path.lstrip("/")
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(node.exec("cat", path).stdout)
