"""Pull secrets: which one the kubelet takes, if any. The API's objects show the cause by themselves."""
import json

from nodes import SERVER
from scenario import PASSWORD, Scenario as S, confirmed, docker_config, likely, pull_secret
from services import BACKENDS

# The runtime's words say that there was no credential, or that the registry wants one
WORDS = ("auth.no-credentials", "auth.unauthorized", "auth.bad-credentials")
BASIC = {"backend": "basic"}


def asks(name, title, verdict, secret=None, **more):
    """A registry that wants a password. `secret`: the content of the pull secret that the pod names."""
    more = {"says": WORDS, "host": BASIC} | more
    if secret:
        more |= {"pull_secrets": ("regcred",), "secrets": (pull_secret("regcred", secret),)}
    return S(name, title, [verdict], **more)


def host_of(name):
    return f"{name}.example.com"


def scenarios(_):
    mismatch = confirmed("credentials.host-mismatch")
    # the secret of another registry may be meant for another image
    foreign = likely("credentials.host-mismatch")
    refusing = lambda body: {"location": f"default_type application/json; return 403 '{body}';"}
    return [
        asks("no-secret", "nobody names a pull secret", likely("auth.no-credentials"), well=True, nodes=("a", "b")),
        asks("secret-missing", "the pod names a secret that does not exist", likely("credentials.secret-missing"), well=True, nodes=("a", "b"), pull_secrets=("regcred",)),
        asks("other-namespace", "the secret is in another namespace", likely("credentials.wrong-namespace"), pull_secrets=("other-regcred",),
             secrets=(pull_secret("other-regcred", docker_config(host_of("other-namespace")), namespace="default"),)),
        asks("opaque", "the secret has the type Opaque", confirmed("credentials.wrong-type"), nodes=("a", "c"), pull_secrets=("regcred",),
             secrets=(pull_secret("regcred", docker_config(host_of("opaque")), kind="Opaque"),)),
        # The API refuses a dockerconfigjson secret without its key, so the wrong name comes with the wrong type
        asks("wrong-key-name", "the secret's key is config.json", confirmed("credentials.wrong-type", "credentials.wrong-key"), nodes=("b",), pull_secrets=("regcred",),
             secrets=(pull_secret("regcred", docker_config(host_of("wrong-key-name")), kind="Opaque", key="config.json"),)),
        asks("broken-base64", "the secret's auth does not decode", confirmed("credentials.malformed"), docker_config(host_of("broken-base64"), auth="cHVsbGVyOnNl*!"), nodes=("b",),
             says=("credentials.malformed", *WORDS)),
        asks("encoded-newline", "a newline was encoded with the password", confirmed("credentials.username-mangled"), docker_config(host_of("encoded-newline"), password=PASSWORD + "\n"), nodes=("a", "c")),
        # The kubelet reads what is below `auths`, and passes over all else without a word
        asks("no-auths", "the secret's entries stand without `auths`", confirmed("credentials.malformed"), json.dumps(json.loads(docker_config(host_of("no-auths")))["auths"]), nodes=("a", "b")),
        # A right one that nobody names stands beside: what the pod names was meant to serve
        asks("auths-in-dockercfg", "a secret of the old type has auths, which the old layout has not", confirmed("credentials.malformed"), nodes=("a", "c"), pull_secrets=("old",),
             secrets=(pull_secret("old", docker_config(host_of("auths-in-dockercfg")), kind="kubernetes.io/dockercfg", key=".dockercfg"),
                      pull_secret("right", docker_config(host_of("auths-in-dockercfg"))))),
        # The registry answers 404 to whoever asks: no credential would change that
        S("secret-missing-tag-missing", "the pod names a secret that does not exist, and a tag that does not", [likely("manifest.unknown")], host={}, nodes=("a", "b"),
          image="secret-missing-tag-missing.example.com/team/secret-missing-tag-missing:2", pull_secrets=("regcred",), off={"image": ""}),
        asks("no-port", "the secret's host has no port", mismatch, docker_config(host_of("no-port")), nodes=("a", "b"), image="no-port.example.com:8443/team/no-port:1",
             host={"port": 8443, **BASIC}),
        asks("address-for-name", "the secret names the registry's address, the image its name", foreign, docker_config(SERVER), nodes=("a", "c")),
        asks("scheme-and-path", "the secret's key is a URL of another path", mismatch, docker_config("https://scheme-and-path.example.com/other/team"), nodes=("b",)),
        asks("docker-hub-key", "the secret's key is Docker Hub's", foreign, docker_config("https://index.docker.io/v1/"), nodes=("a", "b")),
        asks("trailing-dot", "the secret's host ends with a dot", confirmed("credentials.host-mismatch"),
             docker_config("trailing-dot.example.com."), nodes=("a", "b")),
        asks("wrong-password", "the password is wrong", likely("auth.bad-credentials", "auth.unauthorized"), docker_config(host_of("wrong-password"), password="0ld-lab-pw"), well=True, nodes=("a", "b")),
        asks("auth-stripped", "a front end drops what authorises the request", likely("auth.bad-credentials", "auth.unauthorized"), docker_config(host_of("auth-stripped")), nodes=("a", "b"),
             full=[likely("proxy.strips-authorization")], front=True,
             host=BASIC | {"location": f"proxy_pass http://127.0.0.1:{BACKENDS['basic'][0]}; proxy_set_header Host $http_host; proxy_set_header Authorization '';"}),
        asks("reverted", "a controller puts back the old password of its vault", likely("auth.bad-credentials", "auth.unauthorized"),
             full=[likely("credentials.reverted-by-controller")], nodes=("a",), pull_secrets=("regcred",),
             vault=docker_config(host_of("reverted"), password="0ld-lab-pw"), needs=("openbao",), quick=False),
        asks("expired-token", "the secret holds a cloud token that has expired", likely("authz.denied", "credentials.expired"), docker_config(host_of("expired-token"), user="AWS", password="0ld-lab-t0ken"),
             nodes=("a", "b"), stored="nothing", says=("authz.denied",), full=[likely("credentials.expired")],
             look=("curl -sS -i https://expired-token.example.com/v2/team/expired-token/manifests/1",),
             host=refusing('{"errors":[{"code":"DENIED","message":"Your authorization token has expired. Reauthenticate and try again."}]}')),
        asks("account-denied", "the account is valid and has no right to this repository, which is answered with 403", likely("authz.denied"), docker_config(host_of("account-denied")),
             nodes=("b", "c"), stored="nothing", says=("authz.denied",), host=refusing('{"errors":[{"code":"DENIED","message":"access to the requested resource is not authorized"}]}')),
        asks("overridden", "the pod's own list hides the service account's", confirmed("credentials.overridden-by-pod", "credentials.host-mismatch"), well=True, pull_secrets=("mine",),
             account={"before": ["regcred"]},
             secrets=(pull_secret("regcred", docker_config(host_of("overridden"))), pull_secret("mine", docker_config("else.example.com")))),
        asks("predates", "the service account was mended after the pod was made", confirmed("credentials.pod-predates-secret"), account={"after": ["regcred"]},
             secrets=(pull_secret("regcred", docker_config(host_of("predates"))),)),
        asks("not-attached", "the secret is there and nobody names it", likely("auth.no-credentials", "credentials.not-attached"), full=[confirmed("credentials.not-attached")],
             secrets=(pull_secret("regcred", docker_config(host_of("not-attached"))),)),
        # The kubelet tries every entry for the host in turn, so the second serves
        S("two-secrets", "two secrets for one host, the first with a wrong password: the kubelet tries both", [], nodes=("a", "b"), host=BASIC, fine=("*",),
          pull_secrets=("first", "second"), secrets=(pull_secret("first", docker_config(host_of("two-secrets"), password="0ld-lab-pw")),
                                                    pull_secret("second", docker_config(host_of("two-secrets"))))),
        # KubeletEnsureSecretPulledImages (KEP-2535) is on from 1.35: the image is on the node, and only who could pull it may use it
        S("others-image-1.36", "the image is on the node, and this pod has no credentials for it", [likely("policy.credentials-not-verified", "credentials.not-attached")],
          full=[confirmed("policy.credentials-not-verified", "credentials.not-attached")],
          says=("policy.credentials-not-verified", *WORDS), host=BASIC, policy="IfNotPresent", seed=("regcred",), fine=("seed",),
          secrets=(pull_secret("regcred", docker_config("others-image-1.36.example.com")),)),
        S("others-image-1.34", "the same under a kubelet that does not verify: the pod starts", [], nodes=("old-kubelet",), host=BASIC, policy="IfNotPresent", seed=("regcred",), fine=("*",),
          secrets=(pull_secret("regcred", docker_config("others-image-1.34.example.com")),), needs=("kube-1.34",), quick=False),
        asks("no-secret-1.34", "nobody names a pull secret, as an older kubelet says it", likely("auth.no-credentials"), nodes=("old-kubelet",), needs=("kube-1.34",), quick=False),
    ]
