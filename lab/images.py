"""Small OCI images: as an archive for `ctr images import`, and laid into the folder of a Distribution registry.

Writing the registry's folder directly (its layout is documented as `registry/storage/paths.go`) needs no client and no
network, and lets a scenario hold what no client would push: a blob that is missing, or has other bytes than its digest.
"""
import hashlib
import io
import json
import tarfile
from pathlib import Path

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
INDEX = "application/vnd.oci.image.index.v1+json"


def digest(data: bytes) -> str:
    return "sha256:" + hashlib.sha256(data).hexdigest()


def tar(entries) -> bytes:
    """(name, bytes, mode) of each file."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as t:
        for name, data, mode in entries:
            info = tarfile.TarInfo(name)
            info.size, info.mode = len(data), mode
            t.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


class Image:
    """One layer, one configuration, one manifest."""

    def __init__(self, files: dict, entrypoint: list, arch="amd64"):
        self.arch = arch
        self.layer = tar([(n, d, 0o755) for n, d in files.items()])
        self.config = json.dumps({"architecture": arch, "os": "linux", "config": {"Entrypoint": entrypoint},
                                  "rootfs": {"type": "layers", "diff_ids": [digest(self.layer)]}}).encode()
        self.manifest = json.dumps({"schemaVersion": 2, "mediaType": MANIFEST,
                                    "config": self.described("application/vnd.oci.image.config.v1+json", self.config),
                                    "layers": [self.described("application/vnd.oci.image.layer.v1.tar", self.layer)]}).encode()

    @staticmethod
    def described(media_type, data, **more):
        return {"mediaType": media_type, "digest": digest(data), "size": len(data), **more}

    def index(self, **annotations):
        """An index that holds this image alone."""
        platform = {"architecture": self.arch, "os": "linux"}
        more = {"annotations": annotations} if annotations else {}
        return json.dumps({"schemaVersion": 2, "mediaType": INDEX,
                           "manifests": [self.described(MANIFEST, self.manifest, platform=platform, **more)]}).encode()

    def attestation(self):
        """An index whose only entry is an attestation, as BuildKit marks it: no platform, and whose it is."""
        mark = {"vnd.docker.reference.type": "attestation-manifest", "vnd.docker.reference.digest": digest(self.layer)}
        platform = {"architecture": "unknown", "os": "unknown"}
        return json.dumps({"schemaVersion": 2, "mediaType": INDEX,
                           "manifests": [self.described(MANIFEST, self.manifest, platform=platform, annotations=mark)]}).encode()

    def folder(self, path: Path):
        """The form that skopeo calls `dir:`."""
        path.mkdir()
        (path / "version").write_text("Directory Transport Version: 1.1\n")
        (path / "manifest.json").write_bytes(self.manifest)
        for blob in (self.layer, self.config):
            (path / digest(blob)[7:]).write_bytes(blob)

    def archive(self, path: Path, name: str):
        index = self.index(**{"io.containerd.image.name": name, "org.opencontainers.image.ref.name": name.rsplit(":", 1)[1]})
        blobs = [(f"blobs/sha256/{digest(b)[7:]}", b, 0o644) for b in (self.layer, self.config, self.manifest)]
        path.write_bytes(tar([("oci-layout", b'{"imageLayoutVersion":"1.0.0"}', 0o644), ("index.json", index, 0o644), *blobs]))


class Storage:
    """The folder of a Distribution registry (filesystem driver)."""

    def __init__(self, root: Path):
        self.v2 = root / "docker" / "registry" / "v2"

    def blob_path(self, d: str) -> Path:
        return self.v2 / "blobs" / "sha256" / d[7:9] / d[7:] / "data"

    def write(self, path: Path, data: bytes):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def blob(self, data: bytes) -> str:
        self.write(self.blob_path(digest(data)), data)
        return digest(data)

    def put(self, repository: str, tag: str, image: Image, index: bytes = None):
        """Stores an image under a tag, as its manifest or below an index."""
        home = self.v2 / "repositories" / repository
        for data in (image.layer, image.config):
            d = self.blob(data)
            self.write(home / "_layers" / "sha256" / d[7:] / "link", d.encode())
        top = index or image.manifest
        for data in {image.manifest, top}:
            d = self.blob(data)
            self.write(home / "_manifests" / "revisions" / "sha256" / d[7:] / "link", d.encode())
        d = digest(top)
        self.write(home / "_manifests" / "tags" / tag / "current" / "link", d.encode())
        self.write(home / "_manifests" / "tags" / tag / "index" / "sha256" / d[7:] / "link", d.encode())
