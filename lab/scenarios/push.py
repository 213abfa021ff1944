"""Pushes that failed, and the pods that wait for what was pushed. The pod sees a missing tag; the builder's log says why: one
incident, the push's."""
from scenario import Scenario as S, likely

MISSING = [likely("manifest.unknown", "repository.unknown")]


def pushed(name, title, cause, host, **more):
    """The image lies in a folder on the first node, and its push by skopeo fails."""
    push = f"skopeo --insecure-policy copy dir:/run/built-{name} docker://{name}.example.com/team/{name}:1 2>&1"
    return S(name, title, MISSING, full=[likely(cause)], says=(cause, *MISSING[0].causes), stored="built", host=host, nodes=("b",), clients=(("ci", push),), **more)


def scenarios(_):
    return [
        pushed("body-limit", "the front end limits the size of an upload", "push.too-large", {"extra": "client_max_body_size 64k;"}),
        pushed("upload-lost", "two replicas share no storage: the upload's session is unknown to the other", "push.upload-unknown", {"backend": "replica"}, off={"host": {}}),
        S("buildah-read-only", "buildah pushes to a registry that takes no writes", MISSING, full=[likely("push.read-only")],
          says=("push.read-only", "registry.unexpected-status", *MISSING[0].causes), stored="built", host={"backend": "readonly"}, nodes=("a",), off={"host": {}},
          clients=(("ci", "buildah tag $(buildah pull -q dir:/run/built-buildah-read-only) app"),
                   ("ci", "buildah push app docker://buildah-read-only.example.com/team/buildah-read-only:1 2>&1"))),
        S("built-here", "the push failed, and the image is only on the node that built it", MISSING, says=("push.too-large", *MISSING[0].causes),
          full=[likely("push.too-large")], nodes=("a", "b"), stored="built",
          host={"extra": "client_max_body_size 64k;"}, policy="IfNotPresent", cached_on=("a",), fine=("app-a",),
          clients=(("ci", "skopeo --insecure-policy copy dir:/run/built-built-here docker://built-here.example.com/team/built-here:1 2>&1"),)),
    ]
