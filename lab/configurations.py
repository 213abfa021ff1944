"""Configurations at random, for lab/differential.py: {"image", "files": {path: text}}, of what people write and get wrong."""
import json

NAMES = ["reg.test", "mirror.test", "other.test", "third.test"]
# Docker Engine takes loopback for insecure, containerd the name localhost: not all may be either.
ADDRESS = {"reg.test": "198.51.100.1", "mirror.test": "198.51.100.2", "other.test": "198.51.100.3", "third.test": "127.0.7.4",
           "registry-1.docker.io": "198.51.100.9", "localhost": "127.0.0.1", "198.51.100.1": "198.51.100.1"}
TLS_PORTS, PLAIN_PORTS = (443, 5443), (80, 5000)
DIGEST = "sha256:" + "ab" * 32


def url(r, plain=0.5):
    name = r.choice(NAMES)
    if r.random() < plain:
        scheme, port = r.choice([("http", ":5000"), ("http", ""), ("https", ":5000"), ("http", ":80")])
    else:
        scheme, port = r.choice([("https", ""), ("https", ":5443"), ("https", ":443")])
    path = r.choice(["", "", "", "/", "/v2", "/v2/proxy", "/proxy", "/v2/"])
    return f"{scheme}://{name}{port}{path}" if r.random() < 0.95 else f"{name}{port}{path}"


def options(r, indent=""):
    lines = []
    if r.random() < 0.35:
        lines.append('ca = ' + r.choice(['"ca.crt"', '"/etc/pki-test/ca.crt"', '["ca.crt"]', '"other.crt"', '["other.crt", "ca.crt"]']))
    if r.random() < 0.2:
        lines.append(f"skip_verify = {r.choice(['true', 'false'])}")
    if r.random() < 0.4:
        lines.append("capabilities = " + r.choice(['["pull", "resolve"]', '["pull"]', '["pull", "resolve", "push"]', '["Pull", "RESOLVE"]', "[]", '["pull", "resolve", "referrers"]']))
    if r.random() < 0.15:
        lines.append(f"override_path = {r.choice(['true', 'false'])}")
    if r.random() < 0.1:
        lines.append("client = " + r.choice(['"both.pem"', '[["x.cert", "x.key"]]', '[["x.cert", ""]]', '"/etc/pki-test/both.pem"', '["both.pem"]', '[["missing.cert", "x.key"]]']))
    if r.random() < 0.05:
        lines.append(r.choice(['skip_verify = "true"', 'dial_timeout = "3s"', "unknown = 1", 'ca = 7', 'dial_timeout = "x"']))
    return "".join(f"{indent}{line}\n" for line in lines)


def hosts_toml(r):
    text = options(r) if r.random() < 0.3 else ""
    if r.random() < 0.7:
        text = f'server = "{url(r)}"\n' + text
    for _ in range(r.choice([0, 1, 1, 2, 3])):
        text += f'\n[host."{url(r)}"]\n' + options(r, "  ")
    return text


def directory_names(r, registry):
    host, _, port = registry.partition(":")
    good = [f"{host}_{port}_", registry] if port else [registry]
    return r.choice(good + good + ["_default", host, f"{host}_443_", "https:"])


def hosts_tree(r, root, registry, pki, files):
    for name in {directory_names(r, registry) for _ in range(r.choice([1, 1, 2]))}:
        at = f"{root}/{name}"
        if r.random() < 0.85:
            files[f"{at}/hosts.toml"] = hosts_toml(r)
        if r.random() < 0.6:
            files[f"{at}/ca.crt"] = pki["ca"]
        if r.random() < 0.5:
            files[f"{at}/other.crt"] = r.choice([pki["other"], "no certificate\n"])
        if r.random() < 0.2:
            client_pair(r, at, pki, files)
        files.setdefault(f"{at}/keep", "")


def client_pair(r, at, pki, files):
    """A client certificate with its key in two files and in one, or one of them missing."""
    pair = {f"{at}/x.cert": pki["client"], f"{at}/x.key": pki["client-key"], f"{at}/both.pem": pki["client"] + pki["client-key"]}
    if r.random() < 0.25:
        pair.pop(r.choice(sorted(pair)))
    files.update(pair)


def image(r, hub=0.2):
    registry = r.choice(["reg.test", "reg.test", "reg.test:5000", "reg.test:5000", "reg.test:5443", "other.test:443", "localhost:5000", "198.51.100.1:5443"])
    registry = "docker.io" if r.random() < hub else registry
    name = r.choice(["app", "team/app"]) if registry != "docker.io" else r.choice(["library/app", "team/app"])
    return registry, f"{registry}/{name}" + (f"@{DIGEST}" if r.random() < 0.15 else ":1")


def containerd_case(r, pki):
    registry, named = image(r)
    version = r.choice(["", "1", "2", "2", "2", "3", "3", "4"])
    right = {"": "cri", "1": "cri", "2": '"io.containerd.grpc.v1.cri"'}.get(version, '"io.containerd.cri.v1.images"')
    section = right if r.random() < 0.85 else r.choice(['"io.containerd.grpc.v1.cri"', '"io.containerd.cri.v1.images"', "cri"])
    roots = ["/etc/containerd/certs.d", "/etc/docker/certs.d", "/etc/containerd/more.d"]
    files, text = {"/etc/pki-test/ca.crt": pki["ca"]}, f"version = {version}\n" if version else ""
    drop_in = ""
    if r.random() < 0.15:
        text += 'imports = ["/etc/containerd/conf.d/*.toml"]\n'
    body = ""
    if r.random() < 0.12:
        body += r.choice([f"[plugins.{section}]\nmax_concurrent_downloads = 5\n", f"[plugins.{section}]\nuse_local_image_pull = true\n",
                          f"[plugins.{section}]\ndiscard_unpacked_layers = true\n",
                          f"[plugins.{section}.containerd]\ndiscard_unpacked_layers = true\n",
                          f"[plugins.{section}.containerd]\ndiscard_unpacked_layers = true\n[plugins.{section}.containerd.runtimes.runc]\nruntime_type = 'io.containerd.runc.v2'\n"])
    if r.random() < 0.75:
        path = r.choice([roots[0], roots[0], roots[0], ":".join(roots[:2]), roots[2], ""])
        body += f"[plugins.{section}.registry]\nconfig_path = '{path}'\n"
        for root in path.split(":"):
            if root:
                hosts_tree(r, root, registry, pki, files)
    elif r.random() < 0.6:
        body += "".join(f"[plugins.{section}.registry.mirrors.'{r.choice([registry, registry, '*'])}']\nendpoint = [{', '.join(repr(url(r)) for _ in range(r.choice([0, 1, 2])))}]\n" for _ in range(1))
        if r.random() < 0.4:
            host = r.choice(NAMES) + r.choice(["", ":5443", ":5000"])
            body += f"[plugins.{section}.registry.configs.'{host}'.tls]\n" + r.choice(["insecure_skip_verify = true\n", "ca_file = '/etc/pki-test/ca.crt'\n"])
    else:
        hosts_tree(r, roots[0], registry, pki, files)
    if "imports" in text and r.random() < 0.8:
        drop_in, body = body, ""
        files["/etc/containerd/conf.d/10.toml"] = r.choice([text.splitlines()[0] + "\n" if version else "", ""]) + drop_in
        if r.random() < 0.5:
            text += f"[plugins.{right}]\nmax_concurrent_downloads = 3\n"
    files["/etc/containerd/config.toml"] = text + body
    return {"image": named, "files": files}


def certs_d(r, root, pki, files, hosts, share=0.5):
    for host in hosts:
        if r.random() < share:
            files[f"{root}/{host}/{r.choice(['ca.crt', 'ca.crt', 'ca.crt', 'ca.pem', 'x.crt'])}"] = r.choice([pki["ca"], pki["ca"], pki["ca"], pki["other"], "nothing\n"])
            if r.random() < 0.15:
                client_pair(r, f"{root}/{host}", pki, files)


def podman_case(r, pki):
    registry, named = image(r)
    repository = named.split("@")[0].rsplit(":", 1)[0]
    location = lambda: r.choice(NAMES) + r.choice(["", ":5443", ":5000"]) + r.choice(["", "/proxy", "/a/b"])
    text = 'unqualified-search-registries = ["reg.test"]\n' if r.random() < 0.3 else ""
    for _ in range(r.choice([0, 1, 1, 2, 3])):
        prefix = r.choice([registry, registry, repository, repository.rsplit("/", 1)[0], "*.test", registry.split(":")[0], "third.test"])
        text += "\n[[registry]]\n" + (f'prefix = "{prefix}"\n' if r.random() < 0.8 else "")
        text += f'location = "{r.choice([prefix.replace("*.", "mirror."), location()])}"\n' if r.random() < 0.9 else ""
        text += "insecure = true\n" if r.random() < 0.4 else ""
        text += "blocked = true\n" if r.random() < 0.06 else ""
        text += "mirror-by-digest-only = true\n" if r.random() < 0.15 else ""
        for _ in range(r.choice([0, 1, 2])):
            text += f'[[registry.mirror]]\nlocation = "{location()}"\n' + ("insecure = true\n" if r.random() < 0.5 else "")
            text += f'pull-from-mirror = "{r.choice(["all", "digest-only", "tag-only"])}"\n' if r.random() < 0.2 else ""
    files = {"/etc/containers/registries.conf": text, "/etc/containers/policy.json": '{"default":[{"type":"insecureAcceptAnything"}]}\n'}
    if r.random() < 0.3:
        files["/etc/containers/registries.conf.d/50.conf"] = f'[[registry]]\nprefix = "{registry}"\nlocation = "{location()}"\ninsecure = true\n'
    hosts = [n + p for n in NAMES for p in ("", ":5443", ":443")]
    certs_d(r, "/etc/containers/certs.d", pki, files, hosts)
    certs_d(r, "/etc/docker/certs.d", pki, files, hosts)
    return {"image": named, "files": files}


def docker_mirror(r):
    if r.random() < 0.04:
        return r.choice(["ftp://mirror.test", "https://u:p@mirror.test", "https://mirror.test/?a=b", "https://mirror.test#x", "http://"])
    return url(r)


def docker_case(r, pki, image_store):
    registry, named = image(r, hub=0.45)
    daemon, files = {}, {"/etc/pki-test/ca.crt": pki["ca"]}
    # The image store is what a new installation of 29 has.
    if not image_store or r.random() < 0.5:
        daemon["features"] = {"containerd-snapshotter": image_store}
    if r.random() < (0.7 if registry == "docker.io" else 0.3):
        daemon["registry-mirrors"] = [docker_mirror(r) for _ in range(r.choice([1, 1, 2, 3]))]
    if r.random() < 0.5:
        listed = [n + p for n in [*NAMES, registry.split(":")[0]] for p in ("", ":5443", ":5000", ":443", ":80")]
        listed += ["198.51.100.0/24", "198.51.100.2/32", "198.51.100.0/30", "127.0.0.0/8", "http://reg.test:5000", "https://mirror.test", registry]
        daemon["insecure-registries"] = [r.choice(listed) for _ in range(r.choice([1, 1, 2, 3]))]
    if daemon or r.random() < 0.5:
        files["/etc/docker/daemon.json"] = json.dumps(daemon, indent=2)
    hosts = [n + p for n in NAMES for p in ("", ":5443", ":443", ":5000", ":80")]
    certs_d(r, "/etc/docker/certs.d", pki, files, hosts, share=0.3)
    certs_d(r, "/etc/docker/certs.d", pki, files, [registry, "docker.io", "registry-1.docker.io"], share=0.6)
    if r.random() < 0.4:
        hosts_tree(r, "/etc/docker/certs.d", registry, pki, files)
    return {"image": named, "files": files}
