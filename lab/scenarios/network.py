"""Names, addresses, routes: the registry is not reached at all."""
from nodes import NOBODY
from scenario import BASE, Scenario as S, likely
from services import EOF, RESET


def asks(name, title, cause, image, **more):
    """An image at a place where no registry answers."""
    return S(name, title, [likely(cause)], image=image, stored="nothing", **more)


def scenarios(_):
    plain = {"off": {"nodes": ("a",), "image": BASE}}
    return [
        asks("name-unknown", "the registry's name does not exist","dns.not-found", "registry.nowhere.example.net/team/app:1", well=True, nodes=("a", "b"), init=True),
        asks("resolver-refuses", "the name server refuses to answer", "dns.server-failure", "registry.corp.example.org/team/app:1", nodes=("c",)),
        asks("resolver-dead", "the node's name server is not there", "dns.timeout", "good.example.com/team/base:1", nodes=("resolver-dead",), **plain),
        asks("refused", "nothing listens at the port","net.refused", f"refused.example.com:{NOBODY}/team/app:1", well=True, nodes=("b", "c")),
        asks("blackholed", "packets to the registry are lost", "net.timeout", "192.0.2.10/team/app:1"),
        asks("unreachable", "no host at the address", "net.unreachable", "10.99.0.250/team/app:1", nodes=("b",)),
        S("hosts-line", "the hosts file of one node of two leads to an address where nobody is", [likely("net.unreachable", pods=("app-hosts-line",))],
          full=[likely("dns.wrong-address", pods=("app-hosts-line",))], says=("net.unreachable",), nodes=("a", "hosts-line"), fine=("app-a",), host={}, off={"nodes": ("a",)}),
        asks("reset", "the connection is reset", "net.reset", f"reset.example.com:{RESET}/team/app:1", nodes=("a", "c")),
        asks("eof", "the connection is closed without an answer", "net.eof", f"eof.example.com:{EOF}/team/app:1"),
        S("mtu-blackhole", "large packets are lost on the way, and nobody says so", [likely("tls.handshake-timeout", "net.mtu-blackhole")],
          full=[likely("net.mtu-blackhole")], nodes=("a", "b"), host={},
          look=("ip -o link show eth0", *(f"ping -c 2 -W 1 -M do -s {size} mtu-blackhole.example.com 2>&1" for size in (1200, 1472))), off={"image": BASE, "host": None, "stored": "nothing"}),
    ]
