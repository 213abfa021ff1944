"""The registry answers, and the image is not there as asked."""
from scenario import Scenario as S, confirmed, likely

SCHEMA1 = "application/vnd.docker.distribution.manifest.v1+prettyjws"
MANIFEST1 = '{"schemaVersion":1,"name":"team/schema1","tag":"1","architecture":"amd64","fsLayers":[{"blobSum":"sha256:a3ed95caeb02ffe68cdd9fd84406680ae93d633cb16422d00e8a7c22955b46d4"}],"history":[{"v1Compatibility":"{}"}],"signatures":[]}'


def scenarios(_):
    return [
        S("tag-missing", "the tag does not exist, a near one does",[likely("manifest.unknown")], well=True, nodes=("a", "b"), host={}, image="tag-missing.example.com/team/tag-missing:1.0.1",
          off={"image": ""}),
        S("repository-missing", "the repository does not exist", [likely("manifest.unknown", "repository.unknown")], host={}, image="repository-missing.example.com/team/none:1", stored="nothing",
          off={"image": ""}),
        S("digest-gone", "the digest does not exist", [likely("manifest.unknown")], nodes=("c",), host={}, image="digest-gone.example.com/team/digest-gone@sha256:" + "ab" * 32, off={"image": ""}),
        S("wrong-platform", "the image has no variant for the node",[confirmed("manifest.platform-missing")], well=True, nodes=("a", "b"), host={}, stored="index-arm64"),
        S("attestation-only", "the index holds an attestation and no image", [likely("manifest.platform-missing")], nodes=("a", "b", "c"), host={}, stored="attestation"),
        S("schema1", "the manifest is of schema 1, which this runtime no longer reads", [likely("manifest.unsupported-type")], nodes=("a", "c"), stored="nothing",
          host={"extra": f"location ~ ^/v2/team/schema1/manifests/ {{ default_type {SCHEMA1}; return 200 '{MANIFEST1}'; }}"}),
        S("never-pull", "the policy is Never and the image is not on the node",[likely("policy.never-pull")], well=True, host={}, policy="Never"),
        S("bad-reference", "the image reference does not parse", [confirmed("reference.invalid")], nodes=("b",), image="https://bad-reference.example.com/team/app:1", stored="nothing"),
        S("upper-case", "the image's repository is written in capitals", [confirmed("reference.invalid")], image="upper-case.example.com/Team/App:1", stored="nothing"),
        S("short-layer", "the registry's storage lost the end of a layer", [likely("blob.truncated", "blob.digest-mismatch")], nodes=("a", "b"), host={}, stored="short-layer"),
        S("blob-missing", "the registry has lost a layer", [likely("blob.unknown")], nodes=("a", "b", "c"), host={}, stored="no-layer"),
        S("digest-mismatch", "a layer has other bytes than its digest", [likely("blob.digest-mismatch")], host={}, stored="other-layer"),
    ]
