"""Docker's engine, asked through its API on a node where the kubelet's containerd fails in its own words."""
from nodes import NOBODY
from scenario import Scenario as S, likely

# What the API says, as `docker pull` prints it
PULL = """until curl -sf --unix-socket /run/docker.sock http://docker/_ping > /dev/null; do sleep 0.2; done
curl -sS --unix-socket /run/docker.sock -X POST 'http://docker/v1.44/images/create?fromImage=IMAGE&tag=TAG' |
  python3 -c 'import json, sys; [print("Error response from daemon:", d.get("message") or d["error"]) for d in map(json.loads, sys.stdin) if "message" in d or "error" in d]'"""


def pulls(name, title, cause, image="", **more):
    image = image or f"docker-{name}.example.com/team/docker-{name}:1"
    repository, tag = image.rsplit(":", 1)
    return S(f"docker-{name}", f"Docker: {title}", [likely(cause)], nodes=("docker",), image=image, quick=False, needs=("moby",),
             clients=(("shell", PULL.replace("IMAGE", repository).replace("TAG", tag)),), **more)


def scenarios(_):
    return [
        pulls("private-ca", "the registry's CA is unknown", "tls.unknown-authority", host={"pki": "private"}),
        pulls("refused", "nothing listens at the port", "net.refused", f"docker-refused.example.com:{NOBODY}/team/app:1", stored="nothing"),
        pulls("tag-missing", "the tag does not exist", "manifest.unknown", "docker-tag-missing.example.com/team/docker-tag-missing:2", host={}, off={"image": ""}),
        pulls("no-secret", "nobody has logged in", "auth.no-credentials", host={"backend": "basic"}),
    ]
