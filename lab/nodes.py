"""The kinds of nodes: which runtime, which kubelet, and what is odd about each.

A plain node has nothing odd. All others are named by what is wrong with them, and serve the scenarios that need just that.
"""
from dataclasses import dataclass, field

PAUSE = "lab.example.com/pause:1"
CERTS_D = "/etc/containerd/certs.d"
SERVER, INTERCEPTOR, BEHIND, NARROW = "10.99.0.200", "10.99.0.201", "10.99.0.202", "10.99.0.203"
PROXY, NOBODY = 3128, 7009   # ports of SERVER: the proxy, and one where nothing listens
INTERNAL = "localhost,127.0.0.1,10.96.0.0/16,10.99.0.0/24,example.com,example.net"
# 0 is client-go's default of five events a second (kubernetes#117101): the backlog of a busy node is minutes long
EVENTS = "eventRecordQPS: 1000\neventBurst: 2000\n"
# What is pulled at once would else hit the kubelet's own limits, which are another fault
UNLIMITED = "serializeImagePulls: false\nregistryPullQPS: 0\n" + EVENTS


@dataclass
class Kind:
    containerd: str
    kubelet: str = "1.36"
    config_path: str = CERTS_D
    sandbox: str = PAUSE
    section: str = ""          # the plugin under which config_path stands; default: the right one
    resolver: str = ""         # default: the cluster's
    environment: dict = field(default_factory=dict)  # containerd's
    kubelet_config: str = UNLIMITED
    store_mib: int = 0         # the size of containerd's store; default: the machine's disk
    before: str = ""           # shell, before containerd starts
    after: str = ""            # shell, when it runs; BIN is where the components lie
    program: str = ""          # one more component that must be there: NAME/FILE
    clock: int = 0             # seconds that the runtime's clock is off, and that of `date`

    @property
    def build(self):
        """The component that the runtime is: one with a clock of its own, or as released."""
        return f"containerd-{self.containerd}" + ("-clock" if self.clock else "")

    def containerd_config(self):
        if self.containerd.startswith("1."):
            cri = "plugins.'io.containerd.grpc.v1.cri'"
            return (f"version = 2\n[{cri}]\nrestrict_oom_score_adj = true\nsandbox_image = '{self.sandbox}'\n"
                    f"[{cri}.registry]\nconfig_path = '{self.config_path}'\n")
        runtime, images = "plugins.'io.containerd.cri.v1.runtime'", "plugins.'io.containerd.cri.v1.images'"
        registry = f"plugins.'{self.section}'" if self.section else images
        return (f"version = 3\n[{runtime}]\nrestrict_oom_score_adj = true\n[{images}.pinned_images]\nsandbox = '{self.sandbox}'\n"
                f"[{registry}.registry]\nconfig_path = '{self.config_path}'\n")


def proxied(port):
    return {"HTTPS_PROXY": f"http://{SERVER}:{port}", "NO_PROXY": INTERNAL}


def in_unit(port):
    """Shell that writes the proxy into a drop-in of containerd's unit."""
    folder, value = "/etc/systemd/system/containerd.service.d", proxied(port)
    lines = "".join(f'Environment="{k}={v}"\\n' for k, v in value.items())
    return f"mkdir -p {folder}; printf '[Service]\\n{lines}' > {folder}/http-proxy.conf"


def engine(program, more=""):
    """Docker's engine beside the kubelet's containerd: asked through its API."""
    return (f"$BIN/{program} --bridge none --iptables=false --ip6tables=false --userland-proxy=false -H unix:///run/docker.sock {more}"
            "--data-root /var/lib/containerd/docker --exec-root /run/docker --containerd /run/containerd/containerd.sock > /run/dockerd.log 2>&1 &")


DAY = 86400
PLAIN_NODES = ("a", "b", "c")
KINDS = {
    "a": Kind("2.2.1"),
    "b": Kind("1.7.35"),
    "c": Kind("2.4.2"),
    "old-kubelet": Kind("1.7.35", kubelet="1.34"),
    "path-list": Kind("2.2.1", config_path="/etc/containerd/certs.d:/etc/docker/certs.d"),
    "wrong-section": Kind("2.1.9", section="io.containerd.grpc.v1.cri"),
    "no-config-path": Kind("2.0.13", config_path=""),
    # config.toml is mended, the system's roots are too, and nobody restarts containerd
    "not-restarted": Kind("1.7.35", config_path="", after=f"sleep 10; sed -i \"s#config_path = .*#config_path = '{CERTS_D}'#\" /etc/containerd/config.toml"),
    # 1.x puts the section of an imported file in the place of the whole plugin's
    "drop-in": Kind("1.7.35", before="""sed -i "1a imports = ['/etc/containerd/conf.d/*.toml']" /etc/containerd/config.toml; mkdir /etc/containerd/conf.d
grep -v -e config_path -e registry -e imports /etc/containerd/config.toml > /etc/containerd/conf.d/50-sandbox.toml"""),
    "proxied": Kind("2.2.1", environment=proxied(PROXY)),
    # its unit gives it that same proxy: what is dead is in force
    "proxy-dead": Kind("2.0.13", environment=proxied(NOBODY), before=in_unit(NOBODY)),
    # the unit was given the right proxy when containerd ran, and nobody restarted it
    "proxy-changed": Kind("2.2.1", environment=proxied(NOBODY), after=f"sleep 10; {in_unit(PROXY)}"),
    # Go reads the system's roots once, at the first certificate that it verifies; `ps` knows the start within seconds only
    "roots-read": Kind("2.2.1", after="ctr -n k8s.io images pull good.example.com/team/base:1 > /dev/null; sleep 5"),
    "hosts-line": Kind("2.1.9", before="echo '10.99.0.240 hosts-line.example.com' >> /etc/hosts"),
    # the proxy is in the shell's environment, and the service has none
    "proxy-in-shell": Kind("2.0.13", before=f"echo 'HTTPS_PROXY=http://{SERVER}:{PROXY}' >> /etc/environment"),
    "resolver-dead": Kind("2.1.9", resolver="192.0.2.53"),
    "intercepted": Kind("2.2.1", before=f"ip route add {SERVER}/32 via {INTERCEPTOR}"),
    "no-pause": Kind("2.2.1", sandbox="good.example.com/team/pause:3.10"),
    "pause-refused": Kind("1.7.35", sandbox=f"pause.example.com:{NOBODY}/pause:3.10"),
    "small-disk": Kind("2.2.1", store_mib=32),
    "docker": Kind("2.2.1", program="moby/dockerd", after=engine("moby/dockerd")),
    "docker-old": Kind("1.7.35", program="docker-20.10/dockerd", after=engine("docker-20.10/dockerd", "--storage-driver vfs ")),
    # what was signed just now is of tomorrow for the one, and long over for the other
    "clock-behind": Kind("2.2.1", clock=-DAY),
    "clock-ahead": Kind("2.2.1", clock=20 * 365 * DAY),
    "pull-limit": Kind("2.2.1", kubelet_config="serializeImagePulls: false\nregistryPullQPS: 1\nregistryBurst: 1\n" + EVENTS),
}
