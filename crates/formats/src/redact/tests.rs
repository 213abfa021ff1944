//! What goes, what stays, and a planted secret in every place that may hold one.

use super::*;
use proptest::prelude::*;
use serde_json::json;

const CANARY: &str = "Canary-Pa55w0rd-9f3";

/// Texts with `{}` where a secret stands.
const PLACES: &[&str] = &[
    "password: {}",
    "  password: \"{}\"",
    "    - name: DB_PASSWORD\n      value: {}\n",
    "password: |\n  {}\nusername: u",
    "password = '{}'",
    "\"password\": \"{}\",",
    "{\"auths\":{\"a\":{\"username\":\"u\",\"password\":\"{}\",\"identitytoken\":\"{}\"}}}",
    "msg=\"body: {\\\"token\\\":\\\"{}\\\"}\"",
    "> Authorization: Basic {}",
    "> Proxy-Authorization: Basic {}",
    "* [HTTP/2] [1] [authorization: Bearer {}]",
    "curl -H \"Authorization: Bearer {}\" https://registry.example.com/v2/",
    "curl -H 'PRIVATE-TOKEN: {}' https://gitlab.example.com",
    "curl -u puller:{} https://registry.example.com/v2/",
    "curl -upuller:{} https://registry.example.com/v2/",
    "curl --user 'puller:{}' https://registry.example.com/v2/",
    "curl --proxy-user puller:{} -x http://proxy.example.com:3128 https://r.example.com",
    "crictl pull --creds puller:{} registry.example.com/a:1",
    "skopeo copy --src-creds=puller:{} docker://a docker://b",
    "kubectl create secret docker-registry x --docker-username=u --docker-password={} -n a",
    "kubectl create secret docker-registry x --docker-password '{}'",
    "docker login registry.example.com -u u -p {}",
    "docker login registry.example.com -p={}",
    "echo {} | docker login -u u --password-stdin",
    "echo -n 'u:{}' | base64",
    "export REGISTRY_PASSWORD={}",
    "HTTPS_PROXY=http://user:{}@proxy.example.com:3128",
    "Environment=\"HTTPS_PROXY=http://user:{}@proxy.example.com:3128\"",
    "proxy = \"http://user:a/{}@proxy.example.com:3128\"",
    "https://{}@github.com/a/b.git",
    "Location: https://s3.example.com/b?X-Amz-Credential={}&X-Amz-Signature={}&x=1",
    "https://acct.blob.example.net/c?sv=2020&sig={}&se=2020",
    "https://auth.example.com/token?service=x&client_secret={}",
    "registry_token: {}",
    "[plugins.\"x\".registry.configs.\"r\".auth]\n  password = \"{}\"\n  auth = \"{}\"\n  identitytoken = \"{}\"",
    "[host.\"https://r.example.com\".header]\n  Authorization = [\"Basic {}\"]",
    "  authorization = \"Basic {}\"",
    "-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n{}\n",
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: x\ndata:\n  .dockerconfigjson: {}\n  other: {}\ntype: x",
    "apiVersion: v1\ndata:\n  a: {}\nkind: Secret\n",
    "machine r.example.com login u password {}",
    "Set-Cookie: sid={}; Path=/",
    "client_secret={}&grant_type=refresh_token",
    "harborAdminPassword: {}",
    "secretKey: {}",
    "Annotations:      note/password: {}",
    "[ERROR] basic auth failed, password: {}",
    "users:\n- user: {client-key-data: \"{}\", token: \"{}\"}",
    "  X-Registry-Token = [\"{}\"]",
    "  x-custom = [\"Bearer {}\"]",
    "  args: [\"--password\", \"{}\"]",
    "  args: [--token, {}]",
    "  args:\n  - --password\n  - {}\n  - --verbose",
    "    env: [{name: TOKEN, value: \"{}\"}]",
    "\"env\": [{\"name\":\"API_TOKEN\",\"value\":\"{}\"}",
    "note: \"[{\\\"name\\\":\\\"API_TOKEN\\\",\\\"value\\\":\\\"{}\\\"}]\"",
    "http: {secret: \"{}\", addr: \":5000\"}",
    "storage: {s3: {accesskey: {}, secretkey: {}}}",
    "  proxy_set_header Authorization \"Basic {}\";",
    "  proxy_set_header X-Api-Key {};",
    "htpasswd -bnB puller {}",
    "request headers: map[Authorization:[Basic {}] Accept:[*/*]]",
    "we sent Bearer {} and got 401",
    "time=x level=error msg=config password = \"{}\" auth = \"{}\" identitytoken = \"{}\"",
    "login with auth:{Username:u Password:{}} failed",
    "connect user=u pass={} host=h",
    "user u pw: {}",
    "values: adminPassword: {}",
    "      DB_PASSWORD:  {}",
    "found aws_secret_access_key = {} in the profile",
    "using token {} for r.example.com",
    "robot secret {} is set",
    "kubectl create secret generic x --from-literal=password={}",
    "DOCKER_AUTH_CONFIG={}",
    "curl -b 'sid={}' https://r.example.com/v2/",
    "> Cookie: a=1; sid={}",
    "> X-JFrog-Art-Api: {}",
    "> X-Registry-Config: {}",
    "DefaultEndpointsProtocol=https;AccountKey={};x=1",
    "SharedAccessSignature=sig={}",
    "AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature={}",
    "[plugins.\"x\".registry.configs.\"r\".auth]\n  pasword = \"{}\"\n  username = \"u\"\n",
    "[plugins.\"x\".registry.configs.\"r\".auth]\n  pasword = {}\n",
    "configs:\n  r.example.com:\n    auth:\n      username: u\n      pasword: {}\n",
    "[host.\"https://r.example.com\".header]\n  x-custom = [\"{}\"]\n",
];

#[test]
fn a_planted_secret_is_removed_everywhere() {
    for place in PLACES {
        let before = place.replace("{}", CANARY);
        let after = text(&before);
        assert!(!after.contains(CANARY), "{before}\n->\n{after}");
        assert!(after.contains(MARK), "{before}\n->\n{after}");
    }
}

#[test]
fn a_second_pass_changes_nothing() {
    for place in PLACES {
        let once = text(&place.replace("{}", CANARY)).into_owned();
        assert_eq!(text(&once), once, "{place}");
    }
}

#[test]
fn what_a_diagnosis_needs_stays() {
    for line in [
        "failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://r.example.com/v2/token?scope=repository%3Aa%3Apull&service=x: 401 Unauthorized",
        "failed to fetch anonymous token: unexpected status: 403 Forbidden",
        "pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials",
        "Www-Authenticate: Bearer realm=\"https://auth.example.com/token\",service=\"registry.example.com\",scope=\"repository:a/b:pull\"",
        "www-authenticate: Basic realm=\"Registry Realm\"",
        "curl -H \"Authorization: Bearer $TOKEN\" https://registry.example.com/v2/a/manifests/1",
        "TOKEN=$(curl -sS https://auth.example.com/token)",
        "curl -u acme:*** https://registry.example.com",
        "imagePullSecrets:\n- name: regcred",
        "secretName: ca-issuer-ca",
        "imagePullSecret: regcred",
        "automountServiceAccountToken: false",
        "Pulling image \"registry.example.com/team/app@sha256:cbbf241eebedba6fd5e657b3c560fc9dd63c0d3e0de6f816be60e86157ec872c\"",
        "docker://quay.io/a@sha256:cbbf241eebedba6fd5e657b3c560fc9dd63c0d3e0de6f816be60e86157ec872c",
        "tls: failed to verify certificate: x509: certificate signed by unknown authority",
        "  [plugins.\"io.containerd.grpc.v1.cri\".registry.configs.\"r.example.com\".auth]",
        "Environment=\"HTTPS_PROXY=http://proxy.example.com:3128\"",
        "serviceAccountName: default",
        "kubectl create secret docker-registry x --docker-server=r.example.com --docker-username=robot$puller",
        "Unable to retrieve pull secret aqua/csp for aqua/gw due to secret \"csp\" not found.",
        "token: unexpected status from GET request",
        "proxy_set_header Authorization $dockerAuth;",
        "realm = https://auth.example.com/token",
        "pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed",
        "Www-Authenticate: Bearer realm=\"https://auth.example.com/token\"",
        "error: Basic authentication required; Bearer challenge missing",
        "failed to fetch oauth token: EOF",
        "reading the password: EOF",
        "env: [{name: LOG_LEVEL, value: debug}]",
        "  args: [--verbose, --output, json]",
        "imagePullSecrets: [{name: regcred}]",
        "volumes: [{name: creds, secret: {secretName: regcred}}]",
        "htpasswd -nB puller",
    ] {
        assert_eq!(text(line), line);
    }
}

#[test]
fn a_shell_that_expands_a_password_still_shows() {
    let got = text("kubectl create secret docker-registry x --docker-password=\"pa$$word\"");
    assert!(got.ends_with("--docker-password=\"***$***\""), "{got}");
    let quoted = text("kubectl create secret docker-registry x --docker-password='pa$$word'");
    assert!(quoted.ends_with("--docker-password='***'"), "{quoted}");
}

#[test]
fn json_is_redacted_by_member() {
    let mut value = json!({
        "kind": "Deployment",
        "spec": {"env": [{"name": "REGISTRY_PASSWORD", "value": CANARY}, {"name": "A", "value": "kept"}],
                 "args": ["--token", CANARY, format!("--password={CANARY}"), "--verbose"]},
        "config": {"auth": {"password": CANARY, "username": "u", "auth": CANARY}, "tokens": [1]},
        "url": format!("https://u:{CANARY}@r.example.com/"),
    });
    json(&mut value);
    let shown = value.to_string();
    assert!(!shown.contains(CANARY), "{shown}");
    assert!(shown.contains("kept") && shown.contains("--verbose") && shown.contains("\"u\""), "{shown}");
    let mut secret = json!({"kind": "Secret", "data": {"a": CANARY}, "stringData": {"b": CANARY}});
    json(&mut secret);
    assert!(!secret.to_string().contains(CANARY));
}

proptest! {
    #[test]
    fn never_panics_and_is_stable(input in "(?s)([ -~\n]|\\PC|password|: |://|@|=|\"|Secret|data:){0,60}") {
        let once = text(&input).into_owned();
        let twice = text(&once).into_owned();
        prop_assert_eq!(text(&twice), twice.as_str());
    }
}
