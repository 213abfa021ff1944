"""All scenarios, one file for each family. Each file has one function, `scenarios(ca)`: `ca.private` is the PEM of the
authority that no node trusts, `ca.namesake` of another one with the same name."""
from types import SimpleNamespace

from . import config, credentials, decoys, docker, image, network, node, proxy, push, registry, tokens, trust

FAMILIES = (trust, config, network, proxy, tokens, credentials, image, registry, push, node, docker, decoys)


def family(module) -> str:
    return module.__name__.rsplit(".", 1)[1]


def everything(private="", namesake=""):
    """(family, scenario) of each; without authorities where only their descriptions are asked for."""
    ca = SimpleNamespace(private=private, namesake=namesake)
    found = [(family(m), s) for m in FAMILIES for s in m.scenarios(ca)]
    names = [s.name for _, s in found]
    twice = {n for n in names if names.count(n) > 1}
    if twice:
        raise SystemExit(f"lab: scenarios of one name: {', '.join(sorted(twice))}")
    return found
