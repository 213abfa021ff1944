"""Proxies: the runtime's environment names the wrong one, none, or one that says no."""
from scenario import BASE, Scenario as S, likely


def asks(name, title, verdict, image, node="proxied", **more):
    return S(name, title, [verdict], image=image, nodes=(node,), stored="nothing", **more)


def scenarios(_):
    return [
        asks("proxy-asks", "the proxy asks for credentials", likely("proxy.auth-required"), "asks.example.org/team/app:1", well=True),
        asks("proxy-denies", "the proxy forbids the host", likely("proxy.rejected"), "denied.example.org/team/app:1"),
        asks("proxy-cannot", "the proxy cannot find the host", likely("proxy.upstream-failed"), "down.example.org/team/app:1"),
        asks("proxy-dead", "the proxy itself is down", likely("proxy.unreachable"), "any.example.org/team/app:1", "proxy-dead"),
        asks("proxy-changed", "the unit was given another proxy, and the runtime not restarted", likely("proxy.unreachable"), "any.example.org/team/app:1", "proxy-changed",
             full=[likely("config.not-reloaded")], quick=False),
        asks("no-proxy-missing", "NO_PROXY does not name the internal registry, which the proxy refuses", likely("proxy.rejected"), "internal.example.org/team/app:1",
             full=[likely("proxy.no-proxy-missing")],
             look=("curl -sS -o /dev/null -w '%{http_code}' -k --noproxy '*' https://internal.example.org/v2/ 2>&1",)),
        asks("proxy-in-shell", "the proxy is in the shell's environment and not in the service's", likely("net.timeout"), "outside.example.org/team/app:1", "proxy-in-shell",
             full=[likely("proxy.not-in-unit")], off={"nodes": ("a",), "image": BASE}),
    ]
