"""A lab that stands: the cluster with the nodes, registries and images that some scenarios need, and their faults."""
import hashlib
import json
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from datetime import datetime
from pathlib import Path

import vault
from cluster import Cluster, until
from images import Image, digest
from nodes import CERTS_D, KINDS
from scenario import groundwork, pods, seeds
from scenarios import everything
from services import Services

PATIENCE = 180  # seconds for a fault to show: a dial takes 30, and may be tried twice
AT_ONCE, BATCH = 20, 6  # scenarios: more than these would keep two cores from starting anything


class Lab:
    def __init__(self, names, name, cured=False):
        """`names`: of the scenarios; `cured`: each without its fault."""
        self.cluster, self.cured, self.chosen = Cluster(name), cured, names
        self.family = {s.name: f for f, s in everything()}
        self.scenarios, self.told = self.read(), {}

    def read(self, private="", namesake=""):
        found = {s.name: s for _, s in everything(private, namesake)}
        return [found[n].cured() if self.cured else found[n] for n in self.chosen]

    @property
    def nodes(self):
        """Those that are needed, in the order of their kinds."""
        wanted = {n for s in self.scenarios for n in s.all_nodes}
        return [n for n in KINDS if n in wanted]

    def up(self):
        started = time.monotonic()
        self.cluster.up(self.nodes, self.registries)
        return time.monotonic() - started

    def load(self):
        """Takes over a lab that stands."""
        self.cluster.load()
        services = self.cluster.run / "services"
        self.scenarios = self.read(*((services / pki / "ca.crt").read_text() for pki in ("private", "namesake")))
        return self

    def registries(self):
        services = Services(self.cluster)
        self.scenarios = self.read(services.private.ca.read_text(), services.namesake.ca.read_text())
        self.binary = (self.cluster.run / "pause").read_bytes()
        services.storage.put("team/base", "1", Image({"app": self.binary, "id": b"base"}, ["/app"]))
        services.host("good.example.com")
        services.host("broken-mirror.example.com", location="return 500;")
        for s in self.scenarios:
            if s.host is not None:
                services.host(f"{s.name}.example.com", **s.host)
            self.store(services.storage, s)
        services.up()
        if "intercepted" in self.nodes:
            services.intercept()
        return [services.public.ca]

    def image(self, s):
        # What is pushed and never run needs no program. Go's servers read up to 256 KiB of a body that they refuse; of more,
        # the rest would meet a closed connection, and the front end would say 502 where the registry said why
        program = hashlib.shake_256(s.name.encode()).digest(128 << 10) if s.stored == "built" and not s.cached_on else self.binary
        files = {"app": program, "id": s.name.encode()} | ({"bulk": bytes(s.bulk_mib << 20)} if s.bulk_mib else {})
        return Image(files, ["/app"], "arm64" if s.stored == "index-arm64" else "amd64")

    def store(self, storage, s):
        """Lays the scenario's image into the registry, whole or broken."""
        if s.stored in ("nothing", "built"):
            return
        image, tag = self.image(s), "1.0.0" if s.name == "tag-missing" and not self.cured else "1"
        index = {"index-arm64": image.index(), "attestation": image.attestation()}.get(s.stored)
        storage.put(f"team/{s.name}", tag, image, index)
        layer = storage.blob_path(digest(image.layer))
        if s.stored == "no-layer":
            layer.unlink()
        elif s.stored == "short-layer":
            layer.write_bytes(layer.read_bytes()[:-4096])
        elif s.stored == "other-layer":
            data = bytearray(layer.read_bytes())
            data[-2000] ^= 1
            layer.write_bytes(bytes(data))

    # What is broken

    def inject(self, scenarios):
        """Breaks what is to be broken: what must be there first, then the pods."""
        create = lambda objects: objects and self.cluster.kubectl("create", "-f", "-", input=json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}))
        create([{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": s.namespace}} for s in scenarios])
        mine = {s.namespace for s in scenarios}
        until(lambda: mine <= {i["metadata"]["namespace"] for i in self.get("serviceaccounts") if i["metadata"]["name"] == "default"}, 120, "service accounts")
        create([o for s in scenarios for o in groundwork(s)])
        for s in scenarios:
            for node in s.files_on or s.nodes:
                for path, text in s.files.items():
                    self.cluster.nodes[node].write(Path(CERTS_D, path), text)
            self.attach(s, "before")
            self.build(s)
            if s.vault:
                vault.keep(self.cluster, s)
        seeded = [s for s in scenarios if s.seed]
        create([o for s in seeded for o in seeds(s)])
        pulled = lambda: {p["metadata"]["namespace"] for p in self.get("pods") if p["metadata"]["name"] == "seed" and p["status"].get("phase") == "Running"}
        until(lambda: {s.namespace for s in seeded} <= pulled(), 120, "the pods that pull first")
        create([p for s in scenarios for p in pods(s)])
        for s in scenarios:
            self.attach(s, "after")

    def attach(self, s, when):
        if when in s.account:
            names = [{"name": n} for n in s.account[when]]
            self.cluster.kubectl("-n", s.namespace, "patch", "serviceaccount", "default", "-p", json.dumps({"imagePullSecrets": names}))

    def build(self, s):
        """Lays an image that no registry has onto nodes, and lets other clients do what they do."""
        place = self.cluster.run / "built" / s.name
        place.parent.mkdir(exist_ok=True)
        if s.stored == "built":
            self.image(s).folder(place)
            node = self.cluster.nodes[s.nodes[0]]
            node.exec("cp", "-r", place, f"/run/built-{s.name}")
        for name in s.cached_on:
            archive = place.with_suffix(".tar")
            self.image(s).archive(archive, s.image)
            node = self.cluster.nodes[name]
            node.exec(node.bin / "ctr", "-n", "k8s.io", "images", "import", archive)
        for _, command in s.clients:
            done = self.cluster.nodes[s.nodes[0]].exec("timeout", "60", "sh", "-c", command, check=False)
            self.told.setdefault(s.name, []).append((done.stdout, done.returncode == 0))

    # What shows

    def get(self, what):
        return json.loads(self.cluster.kubectl("get", what, "-A", "-o", "json").stdout)["items"]

    def shown(self):
        """Injects the scenarios and yields each, with the seconds it took, when all its pods have got as far as they will;
        (s, None) for one that does not show in time."""
        queue, waiting = list(self.scenarios), {}
        while queue or waiting:
            if queue and len(waiting) <= AT_ONCE - BATCH:
                batch, queue = queue[:BATCH], queue[BATCH:]
                self.inject(batch)
                waiting |= {s.name: (s, time.monotonic() + PATIENCE) for s in batch}
            there, told = {}, {}
            for i in self.get("pods,events"):
                if i["kind"] == "Pod":
                    there.setdefault(i["metadata"]["namespace"], []).append(i)
                else:
                    told.setdefault((i["metadata"]["namespace"], i["involvedObject"]["name"]), []).append(i)
            for s, deadline in list(waiting.values()):
                mine = [(p, told.get((s.namespace, p["metadata"]["name"]), [])) for p in there.get(s.namespace, [])]
                # of pods that come in a crowd, some fail and some come through
                enough = all if s.count == 1 else any
                if mine and enough(pod_shows(s, p, {e["reason"] for e in events}) for p, events in mine):
                    del waiting[s.name]
                    for gone in s.gone:
                        self.cluster.kubectl("-n", s.namespace, "delete", "pod", gone, "--wait")
                    yield s, max(seconds(events) for _, events in mine)
                elif time.monotonic() > deadline:
                    del waiting[s.name]
                    yield s, None
            time.sleep(1)

    def each(self, act, threads=2):
        """Calls act(scenario, seconds until it showed) for each when it shows; yields the answers as they come."""
        with ThreadPoolExecutor(threads) as pool:
            running = set()
            for s, after in self.shown():
                if s.count > 1:  # of a crowd, more come through while others are judged
                    yield act(s, after)
                    continue
                running.add(pool.submit(act, s, after))
                for f in [f for f in running if f.done()]:
                    running.remove(f)
                    yield f.result()
            yield from (f.result() for f in as_completed(running))

    def question(self, pullproof, s):
        """The command line that asks Pullproof about a scenario in the live cluster."""
        return self.cluster.enter(pullproof, "diagnose", "--kubeconfig", self.cluster.run / "admin.kubeconfig", "-n", s.namespace, "-o", "json")

    def down(self):
        self.cluster.down()


def pod_shows(s, pod, told):
    name, status = pod["metadata"]["name"], pod["status"]
    statuses = status.get("containerStatuses", []) + status.get("initContainerStatuses", [])
    if name in ("well", "seed") or name in s.fine or "*" in s.fine:
        return bool(statuses) and all(c["ready"] for c in statuses)
    if not s.api or "FailedCreatePodSandBox" in told:
        return bool(told & set(s.events))
    waiting = [c["state"]["waiting"] for c in statuses if "waiting" in c["state"]]
    # a pull secret that does not decode shows as its own words in the reason's place
    refused = any(w["reason"] not in ("ContainerCreating", "PodInitializing") for w in waiting)
    return bool(told & set(s.events)) and refused


def seconds(events):
    """From the first word of a pod to the kubelet's first word of its failure."""
    at = lambda e: datetime.fromisoformat((e.get("firstTimestamp") or e["eventTime"]).replace("Z", "+00:00")).timestamp()
    timed = [e for e in events if e.get("firstTimestamp") or e["eventTime"]]
    failed = [at(e) for e in timed if e["reason"].startswith("Failed")]
    return min(failed) - min(map(at, timed)) if failed else 0
