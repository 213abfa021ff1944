"""The node itself: its disk, its kubelet's limits, its pause image, its mirrors."""
from nodes import NOBODY
from scenario import BASE, Scenario as S, likely

MIRROR = """server = "https://{0}"

[host."https://broken-mirror.example.com"]
  capabilities = ["pull", "resolve"]
"""


def scenarios(_):
    pause = {"image": BASE, "stored": "nothing", "policy": "IfNotPresent", "off": {"nodes": ("a",)}}
    return [
        S("no-pause", "the pause image cannot be had",[likely("sandbox.image")], says=(), well=True, nodes=("no-pause",), **pause),
        S("pause-refused", "the pause image's registry refuses connections", [likely("net.refused", "sandbox.image")], nodes=("pause-refused",), **pause),
        S("disk-full", "the node's store has no room for the image",[likely("storage.disk-full")], well=True, nodes=("small-disk",), host={}, bulk_mib=64),
        S("pull-limit", "the kubelet's own limit for pulls is reached",[likely("kubelet.pull-qps", pods=("*",))], well=True, nodes=("pull-limit",), count=16, host={}),
        S("mirror-error", "a mirror's error hides what the registry says: the tag is missing", [likely("registry.mirror-unhealthy", "registry.server-error", "manifest.unknown")], says=("registry.server-error", "manifest.unknown"),
          full=[likely("registry.mirror-unhealthy", "config.mirror-masks-upstream")], nodes=("a", "b", "c"),
          host={}, image="mirror-error.example.com/team/mirror-error:1.0.1", off={"image": ""}, files={"mirror-error.example.com/hosts.toml": MIRROR.format("mirror-error.example.com")}),
        # It goes on to the registry, whose 404 is no error that it would show
        S("mirror-refused", "a mirror is down, and the registry lacks the tag: 1.x shows the mirror's error", [likely("net.refused")], full=[likely("config.mirror-masks-upstream")], nodes=("b",),
          host={}, image="mirror-refused.example.com/team/mirror-refused:1.0.1", off={"image": ""},
          files={"mirror-refused.example.com/hosts.toml": MIRROR.format("mirror-refused.example.com").replace("broken-mirror.example.com", f"broken-mirror.example.com:{NOBODY}")}),
    ]
