"""Nothing is wrong with a pull here, or more than one thing."""
from nodes import NOBODY
from scenario import BASE, Scenario as S, likely
from services import PLAIN


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
        S("cannot-start", "a command that is not in the image", [], well=True, events=("BackOff", "Failed"), container={"command": ["/nowhere"]}, **started),
        S("crash-loop", "a container that ends again and again, with a TLS error in its log", [], well=True, events=("BackOff",), nodes=("a", "b"), container={"args": [x509]}, **started),
        S("failing-probe", "a readiness probe that fails with an x509 error", [], events=("Unhealthy",), nodes=("b", "c"), container={"readinessProbe": probe}, **started),
        S("unschedulable", "a pod that fits no node", [], well=True, events=("FailedScheduling",), nodes=(), more=(("unscheduled", ()),), **started),
        S("cni-fails", "the pod's network cannot be set up", [likely("sandbox.cni")], well=True, nodes=("a", "b"), pod={"hostNetwork": False}, **started),
    ]
