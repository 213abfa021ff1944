"""token_service.py RUN PORT KEY CERTIFICATE SECONDS: a token service as Distribution's specification has it.

Answers `GET /token` with a signed token that grants what the account may do: `puller` pulls every repository that is
stored, `outsider` nothing, and nobody without a password. Its clock is SECONDS off, which no real service lets one set.
Source: distribution/distribution, docs/content/spec/auth/{jwt,token}.md.
"""
import base64
import hashlib
import json
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlparse

run, port, key, certificate, off = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3], Path(sys.argv[4]), int(sys.argv[5])
PASSWORDS = {"puller": "s3cret-lab-pw", "outsider": "s3cret-lab-pw"}
encoded = lambda data: base64.urlsafe_b64encode(data).rstrip(b"=").decode()
chain = ["".join(certificate.read_text().split("-----")[2].split())]


def granted(user, scopes):
    stored = run / "services" / "storage" / "docker" / "registry" / "v2" / "repositories"
    for scope in scopes:
        kind, name, actions = scope.split(":")[0], ":".join(scope.split(":")[1:-1]), scope.split(":")[-1]
        if user == "puller" and (stored / name).is_dir():
            yield {"type": kind, "name": name, "actions": [a for a in actions.split(",") if a == "pull"]}


class Handler(BaseHTTPRequestHandler):
    def answer(self, status, document):
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):  # the OAuth2 form, which clients try first: they fall back to GET
        self.answer(405, {"errors": [{"code": "UNSUPPORTED", "message": "use GET"}]})

    def do_GET(self):
        query = parse_qs(urlparse(self.path).query)
        user = ""
        if self.headers.get("Authorization", "").startswith("Basic "):
            user, _, password = base64.b64decode(self.headers["Authorization"][6:]).decode().partition(":")
            if PASSWORDS.get(user) != password:
                return self.answer(401, {"errors": [{"code": "UNAUTHORIZED", "message": "incorrect username or password"}]})
        now = int(time.time()) + off
        scopes = [s for text in query.get("scope", []) for s in text.split()]
        claims = {"iss": "lab", "sub": user, "aud": query.get("service", ["lab"])[0], "iat": now, "nbf": now, "exp": now + 300,
                  "jti": hashlib.sha256(f"{now}{user}{scopes}".encode()).hexdigest()[:16], "access": list(granted(user, scopes))}
        head = {"typ": "JWT", "alg": "RS256", "x5c": chain}
        signed = f"{encoded(json.dumps(head).encode())}.{encoded(json.dumps(claims).encode())}"
        signature = subprocess.run(["openssl", "dgst", "-sha256", "-sign", key], input=signed.encode(), capture_output=True, check=True).stdout
        token = f"{signed}.{encoded(signature)}"
        self.answer(200, {"token": token, "access_token": token, "expires_in": 300})

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()
