"""Token services: unreachable, with another time, or with an answer that grants nothing."""
from nodes import NOBODY
from scenario import Scenario as S, docker_config, likely, pull_secret


def with_token(name, title, verdict, backend="token", user="puller", image="", **more):
    """A registry that asks for a token, and a pod with a valid account."""
    more = {"full": None} | more
    return S(name, title, [verdict], host={"backend": backend}, image=image, pull_secrets=("regcred",),
             secrets=(pull_secret("regcred", docker_config(f"{name}.example.com", user=user)),), log_of=backend, **more)


def by_hand(repository, host, user, service="token-service.example.com"):
    """A manifest of a repository asked for with curl, with a token for an account whose password is $PASSWORD."""
    at = f"/run/token-{host}-{repository.rsplit('/', 1)[1]}"
    return (f"""curl -sS -u {user}:$PASSWORD "https://{service}/token?service=lab&scope=repository:{repository}:pull" | sed 's/.*"token": "\\([^"]*\\)".*/\\1/' > {at}""",
            f"""curl -sS -o /dev/null -w '%{{http_code}}\\n' -H 'Accept: application/vnd.oci.image.manifest.v1+json' -H "Authorization: Bearer $(cat {at})" https://{host}/v2/{repository}/manifests/1""")


def scenarios(_):
    down = f"""add_header WWW-Authenticate 'Bearer realm="https://auth.example.com:{NOBODY}/token",service="lab"' always; return 401;"""
    # containerd's words are the same for every 401 after a token: the registry's log tells them apart
    refused = likely("auth.unauthorized", "auth.bad-credentials", "auth.token-rejected", "auth.insufficient-scope", "authz.denied-or-missing")
    right = {"host": {}, "secrets": (), "pull_secrets": ()}
    return [
        S("token-down", "the token service is unreachable while the registry answers", [likely("auth.token-endpoint-unreachable")], well=True, nodes=("a", "b"), stored="nothing",
          host={"location": down}),
        with_token("clock-ahead", "the token service's clock is two hours ahead", refused, "token-ahead", well=True, nodes=("a", "b"), full=[likely("auth.clock-skew")], off=right),
        with_token("clock-behind", "the token service's clock is two hours behind: its tokens have expired", refused, "token-behind", full=[likely("auth.clock-skew")], off=right),
        with_token("account-without-access", "the account is valid and may not pull", refused, user="outsider", nodes=("a", "c"), full=[refused],
                   look=by_hand("team/account-without-access", "account-without-access.example.com", "outsider") + by_hand("team/base", "account-without-access.example.com", "outsider")),
        with_token("missing-as-401", "the repository does not exist, which is answered with 401", refused, nodes=("b",), image="missing-as-401.example.com/team/none:1",
                   stored="nothing", full=[likely("auth.repository-missing-as-401")], off={"image": "", "stored": "image"},
                   look=by_hand("team/none", "missing-as-401.example.com", "puller") + by_hand("team/base", "missing-as-401.example.com", "puller")),
        S("token-wrong-password", "the token service refuses the password", [likely("auth.bad-credentials", "auth.unauthorized", "auth.token-rejected")], nodes=("a", "b"),
          host={"backend": "token"}, pull_secrets=("regcred",), secrets=(pull_secret("regcred", docker_config("token-wrong-password.example.com", password="0ld-lab-pw")),)),
    ]
