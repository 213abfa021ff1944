"""Saves a scenario as people would send it, small and without passwords; what is saved can be judged without the lab.

    DIR/NAME/scenario.json                                   what is to be found, and what the runtimes said
    DIR/NAME/kube/{pods,events}.yaml, {serviceaccounts,secrets,nodes}.json
    DIR/NAME/nodes/NODE/etc/..., outputs.txt                 the node's files, and what commands say there
    DIR/NAME/{ci,shell,registry,control-plane}/...           other clients, other vantages
"""
import base64
import json
import os
import re
import shutil
from pathlib import Path

from nodes import CERTS_D, KINDS, PLAIN_NODES
from scenario import PASSWORD

KEEP_MANAGERS = ("Secret", "ServiceAccount")
VOLATILE = ("resourceVersion", "generation", "selfLink")
# What is asked on each node: its clock, when its runtime started and with which proxy, when its files were changed
LOOK = ("date -u", "ps -o pid,lstart,args -C containerd",
        "cat /proc/$(cat /run/containerd.pid)/environ | tr '\\0' '\\n' | grep -iE '_proxy|^PATH'",
        "find /etc/containerd /etc/environment /etc/systemd/system/containerd.service.d -type f -exec stat -c '%n %y' {} + 2>/dev/null")
VANTAGES = ("kube", "nodes", "ci", "shell", "registry", "control-plane")


def redacted(config: str) -> str:
    """A docker configuration with each password replaced by as many x's, its blanks kept; what does not decode stays as it is."""
    document = json.loads(config)
    for entry in document.get("auths", document).values():
        try:
            user, _, password = base64.b64decode(entry["auth"], validate=True).decode().partition(":")
        except ValueError:
            continue
        hidden = re.sub(r"\S", "x", password)
        entry["auth"] = base64.b64encode(f"{user}:{hidden}".encode()).decode()
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
        item["status"]["nodeInfo"] |= {k: "" for k in ("machineID", "systemUUID", "bootID")}
    return item


def messages(events) -> list:
    """What was said of failing pulls, each once, without the lines that only say that one failed."""
    told = (e["message"] for e in events if e["reason"] in ("Failed", "InspectFailed", "ErrImageNeverPull", "FailedCreatePodSandBox", "FailedToRetrieveImagePullSecret"))
    first = {}
    for m in told:
        m = m.removeprefix("(combined from similar events): ")
        first.setdefault(re.sub(r"[0-9a-f]{64}", "", m), m)  # the id of a sandbox is another each time
    return [m for m in first.values() if not m.startswith(("Error: ", "Unable to retrieve some image pull secrets"))]


def save(lab, s, at: Path) -> Path:
    """Writes the scenario's folder below `at`, anew; returns it."""
    home, cluster = at / s.name, lab.cluster
    shutil.rmtree(home, ignore_errors=True)
    (home / "kube").mkdir(parents=True)
    for kind in ("pods", "events"):  # as people have them
        (home / "kube" / f"{kind}.yaml").write_text(cluster.kubectl("-n", s.namespace, "get", kind, "-o", "yaml").stdout)
    items = {"serviceaccounts": [], "secrets": []}
    for namespace in sorted({s.namespace} | {x["metadata"].get("namespace", s.namespace) for x in s.secrets}):
        got = cluster.kubectl("-n", namespace, "get", "serviceaccounts,secrets", "-o", "json", "--show-managed-fields")
        for item in json.loads(got.stdout)["items"]:
            if item["kind"] == "Secret" or namespace == s.namespace:
                items["serviceaccounts" if item["kind"] == "ServiceAccount" else "secrets"].append(slim(item))
    nodes = json.loads(cluster.kubectl("get", "nodes", "-o", "json").stdout)["items"]
    items["nodes"] = [slim(n) for n in nodes if n["metadata"]["name"] in s.own_nodes]
    for kind, found in items.items():
        (home / "kube" / f"{kind}.json").write_text(json.dumps({"apiVersion": "v1", "kind": "List", "items": found}, indent=1) + "\n")
    for node in s.own_nodes:
        save_node(cluster.nodes[node], s, home / "nodes" / node)
    save_others(lab, s, home)
    write_scenario(lab, s, home)
    return home


def save_node(node, s, at: Path):
    """The files that a pull on this node depends on; of certs.d only the directories that the scenario itself laid down."""
    hosts = {p.split("/")[0] for p in s.files} - {""}
    elsewhere = [p for p in s.files if p.startswith("/")]
    mine = lambda path: path in elsewhere or "certs.d" not in Path(path).parts or Path(path).parts[4] in hosts
    listing = node.exec("sh", "-c", "find /etc/containerd /etc/systemd/system/containerd.service.d -type f 2>/dev/null; ls /etc/hosts /etc/resolv.conf; test -s /etc/environment && echo /etc/environment; true").stdout.split()
    listing += [p for p in elsewhere if node.exec("test", "-f", p, check=False).returncode == 0]
    for path in filter(mine, listing):
        to = at / path.lstrip("/")
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(node.exec("cat", path).stdout)
    said = []
    # What is looked for and not there: a directory that was not saved may be there.
    registry = s.image.split("/")[0]
    names = (registry, registry.replace(":", "_") + "_", "_default")
    asked = " ".join(f"{CERTS_D}/{h}" for h in names if h not in hosts)
    for command in (*LOOK, *(f"ls -l {CERTS_D}/{h} 2>&1" for h in sorted(hosts)), f"ls -d {asked} 2>&1", *s.look):
        text = neutral(node.exec("timeout", "20", "sh", "-c", command, check=False, env=os.environ | {"PASSWORD": PASSWORD}).stdout, node)
        if command.startswith("find"):
            text = "".join(line + "\n" for line in text.splitlines() if mine(line.split()[0]))
        said.append(f"$ {command}\n{text}")
    at.mkdir(parents=True, exist_ok=True)
    (at / "outputs.txt").write_text("\n".join(said))


def neutral(text: str, node) -> str:
    """Without the paths that only this machine has."""
    return re.sub(r"^PATH=.*", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", text.replace(f"{node.bin}/", "/usr/bin/"), flags=re.M)


def save_others(lab, s, home: Path):
    for i, (folder, command) in enumerate(s.clients, 1):
        (home / folder).mkdir(exist_ok=True)
        (home / folder / f"client-{i}.txt").write_text(f"$ {command}\n{lab.told[s.name][i - 1][0]}")
    if s.vault:
        log = (lab.cluster.run / "log" / "audit.log").read_text().splitlines()
        (home / "control-plane").mkdir()
        (home / "control-plane" / "audit.log").write_text("".join(f"{line}\n" for line in log if f'"namespace":"{s.namespace}"' in line and '"resource":"secrets"' in line))
    if s.front:
        servers = (lab.cluster.run / "services" / "nginx.conf").read_text().split("server {\n")
        block = next(b for b in servers if f"server_name {s.name}.example.com;" in b).split("\n}")[0]
        (home / "registry").mkdir()
        (home / "registry" / "nginx.conf").write_text(f"server {{\n{block}\n}}\n".replace(f"{lab.cluster.run}/services/", "/etc/nginx/"))
    if s.log_of:
        log = (lab.cluster.run / "log" / f"registry-{s.log_of}.log").read_text()
        (home / "registry").mkdir()
        lines = [line for line in log.splitlines() if (s.name in line and "level=info" not in line) or 'msg="token' in line]
        (home / "registry" / "registry.log").write_text("".join(line + "\n" for line in lines[-20:]))


def write_scenario(lab, s, home: Path):
    items = json.loads(lab.cluster.kubectl("-n", s.namespace, "get", "events,pods", "-o", "json").stdout)["items"]
    events = [i for i in items if i["kind"] == "Event"]
    # a secret that does not decode is told in the pod's status alone
    statuses = [c for i in items if i["kind"] == "Pod" for c in i["status"].get("containerStatuses", [])]
    events += [{"reason": "Failed", "message": w["message"]} for c in statuses if (w := c["state"].get("waiting", {})).get("message") and not w["message"].startswith("Back-off")]
    describe(s, lab.family[s.name], messages(events) + [text for text, passed in lab.told.get(s.name, []) if text and not passed], home)


def describe(s, family, texts, home: Path):
    """Writes what a scenario is and what is to be found in it."""
    verdicts = lambda wanted: [{"causes": list(v.causes), "confidence": v.confidence, "pods": blamed(s, v)} for v in wanted]
    described = {n: f"containerd {KINDS[n].containerd}, kubelet {KINDS[n].kubelet}" + ("" if n in PLAIN_NODES else ", odd") for n in s.own_nodes}
    document = {"title": s.title, "family": family, "nodes": described, "api": verdicts(s.api), "full": verdicts(s.full), "pending": s.pending,
                "says": list(s.says), "messages": texts}
    (home / "scenario.json").write_text(json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def blamed(s, verdict) -> list:
    """The names of the pods that a verdict must blame."""
    from scenario import pods
    names = [p["metadata"]["name"] for p in pods(s)]
    return list(verdict.pods) if verdict.pods is not None else sorted(n for n in names if n != "well" and n not in (*s.fine, *s.gone))
