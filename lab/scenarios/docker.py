"""Docker's engine, asked through its API on a node where the kubelet's containerd fails in its own words."""
from nodes import NOBODY
from scenario import Scenario as S, likely

# What the API says, as `docker pull` prints it
PULL = """until curl -sf --unix-socket /run/docker.sock http://docker/_ping > /dev/null; do sleep 0.2; done
curl -sS --unix-socket /run/docker.sock -X POST 'http://docker/API/images/create?fromImage=IMAGE&tag=TAG' |
  python3 -c 'import json, sys; said = ["Error response from daemon: " + (d.get("message") or d["error"]) for d in map(json.loads, sys.stdin) if "message" in d or "error" in d]; sys.exit("\\n".join(said))' 2>&1"""


def pulls(name, title, cause, image="", node="docker", **more):
    title, api = {"docker": (f"Docker: {title}", "v1.44"), "docker-old": (f"Docker 20.10: {title}", "v1.41")}[node]
    name = f"{node}-{name}"
    image = image or f"{name}.example.com/team/{name}:1"
    repository, tag = image.rsplit(":", 1)
    command = PULL.replace("IMAGE", repository).replace("TAG", tag).replace("API", api)
    return S(name, title, [likely(cause)], nodes=(node,), image=image, quick=False, clients=(("shell", command),), **more)


def scenarios(_):
    return [
        pulls("private-ca", "the registry's CA is unknown", "tls.unknown-authority", host={"pki": "private"}),
        pulls("refused", "nothing listens at the port", "net.refused", f"docker-refused.example.com:{NOBODY}/team/app:1", stored="nothing"),
        pulls("tag-missing", "the tag does not exist", "manifest.unknown", "docker-tag-missing.example.com/team/docker-tag-missing:2", host={}, off={"image": ""}),
        pulls("no-secret", "nobody has logged in", "auth.no-credentials", host={"backend": "basic"}),
        pulls("private-ca", "the registry's CA is unknown", "tls.unknown-authority", node="docker-old", host={"pki": "private"}),
        pulls("tag-missing", "the tag does not exist", "manifest.unknown", "docker-old-tag-missing.example.com/team/docker-old-tag-missing:2", node="docker-old",
              host={}, off={"image": ""}),
        pulls("no-secret", "nobody has logged in", "auth.no-credentials", node="docker-old", host={"backend": "basic"}),
    ]
