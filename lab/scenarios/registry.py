"""The registry, or what stands in front of it, answers wrongly."""
from scenario import Scenario as S, likely
from services import CUT, NO_ANSWER, NO_SERVER

# Whether the registry answers a GET where it refuses a HEAD
ASKED = tuple(f"curl -sS {how} -H 'Accept: application/vnd.oci.image.manifest.v1+json' https://{{0}}.example.com/v2/team/{{0}}/manifests/1" for how in ("-i", "-I"))


def answers(name, title, cause, status, body="", **more):
    host = {"location": f"default_type application/json; return {status} '{body}';"}
    return S(name, title, [likely(cause)], stored="nothing", host=host, **more)


def scenarios(_):
    html = 'default_type text/html; return 200 "<!doctype html><html><head><title>Sign in</title></head><body><form action=/login></form></body></html>";'
    blobs = lambda what: {"extra": f"location ~ /blobs/ {{ {what} }}"}
    return [
        answers("rate-limited", "429", "rate.limited", 429, '{"errors":[{"code":"TOOMANYREQUESTS","message":"rate limit exceeded"}]}', well=True, nodes=("a", "b")),
        answers("error-500", "500", "registry.server-error", 500, nodes=("b",)),
        answers("error-503", "503", "registry.unavailable", 503, well=True, nodes=("c",)),
        answers("forbidden", "403", "authz.denied", 403, '{"errors":[{"code":"DENIED","message":"requested access to the resource is denied"}]}', nodes=("a", "b"),
                look=tuple(command.format("forbidden") for command in ASKED)),
        S("haproxy-no-server", "HAProxy knows no server that is up", [likely("registry.unavailable")], nodes=("a", "b"), stored="nothing",
          image=f"haproxy-no-server.example.com:{NO_SERVER}/team/app:1", look=(f"curl -sS -i https://haproxy-no-server.example.com:{NO_SERVER}/v2/",)),
        S("haproxy-no-answer", "HAProxy waits for the registry in vain", [likely("registry.unavailable")], nodes=("c",), stored="nothing",
          image=f"haproxy-no-answer.example.com:{NO_ANSWER}/team/app:1"),
        S("html-login", "a login page answers instead of the registry", [likely("registry.bad-response", "registry.not-a-registry")], nodes=("a", "b"), stored="nothing", host={"location": html}),
        S("head-refused", "HEAD is refused where GET passes", [likely("authz.denied", "registry.head-blocked", "authz.blocked-by-gateway")], full=[likely("registry.head-blocked")],
          host={"extra": "if ($request_method = HEAD) { return 403; }"},
          look=tuple(command.format("head-refused") for command in ASKED)),
        S("blob-redirect", "blobs are redirected to a host that is not there", [likely("blob.redirect-failed", "dns.not-found")], says=("dns.not-found", "blob.redirect-failed"), nodes=("a", "b", "c"),
          host=blobs("return 307 https://blobs.nowhere.example.net$request_uri;")),
        S("blob-cut", "the download of a layer is cut", [likely("blob.truncated", "net.eof", "blob.digest-mismatch")], nodes=("a", "c"), host=blobs(f"proxy_pass http://127.0.0.1:{CUT};")),
    ]
