"""Nothing is wrong with a pull here, or more than one thing."""
from nodes import NOBODY
from scenario import BASE, Scenario as S, likely
from services import PLAIN


EXPIRED = {"start": "20240101000000Z", "end": "20250101000000Z"}


def c(name, image, **more):
    return {"name": name, "image": image, "imagePullPolicy": "Always"} | more


def scenarios(_):
    started = {"image": BASE, "stored": "nothing", "policy": "IfNotPresent"}
    x509 = 'Get "https://app.example.com:8443/healthz": tls: failed to verify certificate: x509: certificate signed by unknown authority'
    probe = {"exec": {"command": ["/app", x509]}, "periodSeconds": 1}
    return [
        S("two-at-once", "an unknown name and an expired certificate in one namespace",
          [likely("dns.not-found", pods=("app-a", "app-b")), likely("tls.expired", pods=("app2-b", "app2-c"))], well=True, nodes=("a", "b"),
          image="registry.nowhere.example.net/team/app:2", stored="nothing", more=(("two-at-once.example.com/team/app:1", ("b", "c")),),
          host={"start": "20240101000000Z", "end": "20250101000000Z"}, off={"image": BASE, "host": None, "stored": "nothing"}),
        S("five-at-once", "five causes on the same nodes: a name, a certificate, a port, plain HTTP, and on one node alone a tag",
          [likely("dns.not-found", pods=("app-a", "app-b", "app-c")), likely("tls.expired", pods=("app2-a", "app2-b")), likely("net.refused", pods=("app3-b", "app3-c")),
           likely("tls.http-response-to-https", pods=("app4-a", "app4-c")), likely("manifest.unknown", "repository.unknown", pods=("app5-b",))], well=True, nodes=("a", "b", "c"),
          image="registry.nowhere.example.net/team/app:2", stored="nothing", host={"start": "20240101000000Z", "end": "20250101000000Z"},
          more=(("five-at-once.example.com/team/app:1", ("a", "b")), (f"refused.example.com:{NOBODY}/team/app:1", ("b", "c")),
                (f"plain-http.example.com:{PLAIN}/team/app:1", ("a", "c")), ("good.example.com/team/base:3", ("b",))),
          off={"image": BASE, "host": None, "stored": "nothing"}),
        S("two-containers", "two containers of one pod fail for two reasons, a third one runs",
          [likely("dns.not-found", pods=("app-b",)), likely("tls.expired", pods=("app-b",))], nodes=("b",), stored="nothing", host=EXPIRED, off={"image": BASE, "host": None},
          pod={"containers": [c("one", "registry.nowhere.example.net/team/app:2"), c("two", "two-containers.example.com/team/app:1"), c("three", BASE)]}),
        S("sidecar", "an init container that goes on running: its tag is missing", [likely("manifest.unknown")], nodes=("a", "c"), image=BASE, stored="nothing",
          pod={"initContainers": [c("mesh", "good.example.com/team/base:2", restartPolicy="Always")]}),
        S("image-volume", "the tag of a volume's image is missing; every container waits for it", [likely("manifest.unknown")], nodes=("a", "c"), well=True, image=BASE, stored="nothing",
          pod={"volumes": [{"name": "data", "image": {"reference": "good.example.com/team/base:3"}}]}, container={"volumeMounts": [{"name": "data", "mountPath": "/data"}]}),
        S("deleted-pod", "the pod that failed was deleted: only its events are left", [], well=True, nodes=("a",), image="registry.nowhere.example.net/team/app:3", stored="nothing", gone=("app-a",),
          says=("dns.not-found",), off={"image": BASE}),
        S("missing-configmap", "the image is there and a ConfigMap is not", [], well=True, nodes=("a", "b"), container={"envFrom": [{"configMapRef": {"name": "none"}}]}, **started),
        S("cannot-start", "a command that is not in the image", [], well=True, events=("BackOff", "Failed"), container={"command": ["/nowhere"]}, **started),
        S("crash-loop", "a container that ends again and again, with a TLS error in its log", [], well=True, events=("BackOff",), nodes=("a", "b"), container={"args": [x509]}, **started),
        S("failing-probe", "a readiness probe that fails with an x509 error", [], events=("Unhealthy",), nodes=("b", "c"), container={"readinessProbe": probe}, **started),
        S("unschedulable", "a pod that fits no node", [], well=True, events=("FailedScheduling",), nodes=(), more=(("unscheduled", ()),), **started),
        S("cni-fails", "the pod's network cannot be set up", [likely("sandbox.cni")], well=True, nodes=("a", "b"), pod={"hostNetwork": False}, **started),
    ]
