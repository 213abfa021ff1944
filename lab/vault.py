"""vault.py RUN NAMESPACE: keeps the pull secret `regcred` of a namespace equal to what OpenBao holds, as a controller does.

The vault is real; the controller is this loop, which writes as the external-secrets operator does: by server-side apply,
under its own field manager and service account.
"""
import base64
import json
import os
import subprocess
import sys
import time
import urllib.request

PORT, TOKEN, SECRET = 8200, "lab", "regcred"
MANAGER = "external-secrets"  # and its account and namespace


def asked(method, path, document=None):
    data = json.dumps(document).encode() if document else None
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}/v1/{path}", data, {"X-Vault-Token": TOKEN, "Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request, timeout=10) as answer:
        text = answer.read()
    return json.loads(text) if text else {}


def encoded(text):
    return base64.b64encode(text.encode()).decode()


def manifest(namespace, config):
    return json.dumps({"apiVersion": "v1", "kind": "Secret", "type": "kubernetes.io/dockerconfigjson", "metadata": {"name": SECRET, "namespace": namespace},
                       "data": {".dockerconfigjson": encoded(config)}})


def keep(cluster, s):
    """Gives the vault what is wrong, starts the controller, and mends the secret by hand; returns when that was undone."""
    from cluster import until
    from scenario import docker_config
    command = lambda *argv, **kw: subprocess.run(cluster.enter(sys.executable, __file__, cluster.run, s.namespace, *argv), text=True, check=True, timeout=60, **kw)
    cluster.spawn("vault", cluster.bin / "openbao" / "bao", "server", "-dev", f"-dev-root-token-id={TOKEN}", f"-dev-listen-address=127.0.0.1:{PORT}", f"-log-file={cluster.run}/log/bao.log",
                  env={**os.environ, "HOME": str(cluster.run)})
    until(lambda: command("put", input=s.vault, capture_output=True), 60, "OpenBao")
    cluster.kubectl("create", "namespace", MANAGER)
    cluster.kubectl("-n", MANAGER, "create", "serviceaccount", MANAGER)
    cluster.kubectl("-n", s.namespace, "create", "rolebinding", MANAGER, "--clusterrole=edit", f"--serviceaccount={MANAGER}:{MANAGER}")
    config = json.loads(cluster.kubeconfig("", ""))
    config["users"][0]["user"] = {"token": cluster.kubectl("-n", MANAGER, "create", "token", MANAGER).stdout.strip()}
    (cluster.run / "vault.kubeconfig").write_text(json.dumps(config))
    cluster.spawn("vault-controller", sys.executable, __file__, cluster.run, s.namespace)
    read = lambda: json.loads(cluster.kubectl("-n", s.namespace, "get", "secret", SECRET, "-o", "json", check=False).stdout)["data"][".dockerconfigjson"]
    until(lambda: read() == encoded(s.vault), 60, "the vault's secret in the cluster")
    # as most do it; no trace of it is left in the object once the controller owns the field again
    cluster.kubectl("apply", "-f", "-", input=manifest(s.namespace, docker_config(s.image.split("/")[0])))
    until(lambda: read() == encoded(s.vault), 60, "the controller")


def main(run, namespace, put=None):
    if put:
        return asked("POST", f"secret/data/{namespace}", {"data": {"config": sys.stdin.read()}})
    from cluster import components
    kubectl = [str(components() / "bin/kube-1.36/kubectl"), "--kubeconfig", f"{run}/vault.kubeconfig", "-n", namespace]
    while True:
        wanted = asked("GET", f"secret/data/{namespace}")["data"]["data"]["config"]
        there = subprocess.run([*kubectl, "get", "secret", SECRET, "-o", "jsonpath={.data.\\.dockerconfigjson}"], text=True, capture_output=True, timeout=60)
        if there.returncode != 0 or base64.b64decode(there.stdout).decode() != wanted:
            time.sleep(1.1)  # the API server writes whole seconds: what comes later must be seen to
            subprocess.run([*kubectl, "apply", "--server-side", "--force-conflicts", f"--field-manager={MANAGER}", "-f", "-"],
                           input=manifest(namespace, wanted), text=True, check=True, timeout=60)
        time.sleep(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
