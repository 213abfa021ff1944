//! A real API server: what is seen with which rights, and what is said where it cannot be seen.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, clippy::print_stderr)]

mod apiserver;
mod expiring;
mod relay;

use apiserver::{ADMIN, ApiServer, LOGIN, NOBODY};
use base64::Engine;
use cluster::{ConnectError, Namespaces, Options, collect};
use facts::{Observed, Snapshot, Why};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;
use testkit::{Socks, SocksRules};

const CANARY: &str = "c4nary-passw0rd";

/// One server serves every check: it takes seconds to start.
#[tokio::test]
async fn a_live_cluster() {
    let Some(mut server) = apiserver::start("cluster::live") else { return };
    fill(&server);
    namespaces(&server).await;
    failing_pod(&server).await;
    secrets_in_their_places(&server).await;
    no_value_is_kept(&server).await;
    forbidden(&server).await;
    published_roles_suffice(&server).await;
    expired_events(&server).await;
    targets(&server).await;
    plugin(&server).await;
    oidc(&server).await;
    through_a_proxy(&server).await;
    many_pods(&server).await;
    expired_pages(&mut server).await;
    own_account(&server);
    unusable(&server).await;
}

fn options(server: &ApiServer) -> Options {
    Options {
        kubeconfig: Some(server.kubeconfig_path()),
        timeout: Duration::from_secs(60),
        ..Options::default()
    }
}

fn named(server: &ApiServer, namespace: &str) -> Options {
    Options { namespaces: Namespaces::Named(namespace.to_owned()), ..options(server) }
}

async fn snapshot(options: &Options) -> Snapshot {
    collect(options).await.unwrap()
}

fn pod(namespace: &str, name: &str, image: &str, spec: &str) -> String {
    format!(
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: {name}, namespace: {namespace}, labels: {{app: web}}}}\n\
         spec: {{nodeName: n1, serviceAccountName: default, containers: [{{name: main, image: '{image}'}}]{spec}}}\n"
    )
}

fn fill(server: &ApiServer) {
    let config = format!(
        "{{\"auths\":{{\"registry.example.com\":{{\"username\":\"robot\",\"password\":\"{CANARY}\"}}}}}}"
    );
    let config = base64::engine::general_purpose::STANDARD.encode(config);
    let secret = |namespace: &str, name: &str| {
        format!(
            "---\napiVersion: v1\nkind: Secret\nmetadata: {{name: {name}, namespace: {namespace}}}\n\
             type: kubernetes.io/dockerconfigjson\ndata: {{.dockerconfigjson: {config}}}\n"
        )
    };
    let mut all = String::new();
    for namespace in ["shop", "empty", "other", "crowd"] {
        let _ = write!(all, "---\napiVersion: v1\nkind: Namespace\nmetadata: {{name: {namespace}}}\n");
    }
    server.apply(&all);
    all.clear();
    all.push_str(
        "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {kubernetes.io/arch: arm64}}\n",
    );
    all.push_str("---\napiVersion: v1\nkind: ServiceAccount\nmetadata: {name: default, namespace: shop}\nimagePullSecrets: [{name: attached}]\n");
    all.push_str(&secret("shop", "named"));
    all.push_str(&secret("shop", "attached"));
    all.push_str(&secret("shop", "unrelated"));
    all.push_str(&secret("other", "elsewhere"));
    all.push_str(&pod(
        "shop",
        "broken",
        "registry.example.com/team/app:1",
        ", imagePullSecrets: [{name: named}, {name: elsewhere}]",
    ));
    all.push_str(&pod("shop", "well", "registry.example.com/team/well:1", ""));
    all.push_str(&pod("other", "away", "registry.example.com/team/away:1", ""));
    all.push_str(
        "---\napiVersion: v1\nkind: Event\nmetadata: {name: broken.1, namespace: shop}\n\
         involvedObject: {kind: Pod, namespace: shop, name: broken, fieldPath: 'spec.containers{main}'}\n\
         reason: Failed\ntype: Warning\nmessage: 'Failed to pull image \"registry.example.com/team/app:1\": not found'\n\
         count: 3\nfirstTimestamp: 2026-01-01T00:00:00Z\nlastTimestamp: 2026-01-01T00:05:00Z\nsource: {component: kubelet, host: n1}\n\
         ---\napiVersion: events.k8s.io/v1\nkind: Event\nmetadata: {name: broken.2, namespace: shop}\n\
         regarding: {kind: Pod, namespace: shop, name: broken}\nreason: BackOff\ntype: Normal\naction: Pulling\n\
         note: Back-off pulling image\neventTime: 2026-01-01T00:00:00.000000Z\nreportingController: kubelet\nreportingInstance: n1\n\
         series: {count: 9, lastObservedTime: 2026-01-01T00:09:00.000000Z}\n\
         ---\napiVersion: v1\nkind: Event\nmetadata: {name: gone.1, namespace: shop}\n\
         involvedObject: {kind: Pod, namespace: shop, name: gone}\nreason: Failed\ntype: Warning\n\
         message: 'Failed to pull image \"registry.example.com/team/old:1\": not found'\nlastTimestamp: 2026-01-01T00:05:00Z\n",
    );
    server.apply(&all);
    let waiting = "{\"phase\":\"Pending\",\"containerStatuses\":[{\"name\":\"main\",\"image\":\"registry.example.com/team/app:1\",\
        \"imageID\":\"\",\"ready\":false,\"restartCount\":0,\"state\":{\"waiting\":{\"reason\":\"ImagePullBackOff\",\"message\":\"Back-off\"}}}]}";
    server.set_status("shop", "broken", waiting);
    for (namespace, name) in [("shop", "well"), ("other", "away")] {
        server.set_status(namespace, name, RUNNING);
    }
}

const RUNNING: &str = "{\"phase\":\"Running\",\"containerStatuses\":[{\"name\":\"main\",\"image\":\"i\",\"imageID\":\"i@sha256:1\",\
    \"ready\":true,\"restartCount\":0,\"state\":{\"running\":{\"startedAt\":\"2026-01-01T00:00:00Z\"}}}]}";

fn blind_at<'a>(snapshot: &'a Snapshot, what: &str) -> &'a facts::BlindSpot {
    let found = snapshot.blind_spots.iter().find(|b| b.what.contains(what));
    found.unwrap_or_else(|| panic!("no blind spot {what:?} in {:#?}", snapshot.blind_spots))
}

async fn namespaces(server: &ApiServer) {
    let shop = snapshot(&options(server)).await;
    assert_eq!(
        (shop.scope.namespace.as_str(), shop.healthy.pods, shop.pods.len()),
        ("shop", 1, 1),
        "the context's own"
    );
    assert!(shop.coverage.pods && shop.blind_spots.is_empty(), "{:?}", shop.blind_spots);
    let all = snapshot(&Options { namespaces: Namespaces::All, ..options(server) }).await;
    assert_eq!((all.scope.namespace.as_str(), all.healthy.pods), ("", 2));
    assert_eq!(all.healthy.images.get("registry.example.com/team/away:1"), Some(&vec!["n1".to_owned()]));
    let empty = snapshot(&named(server, "empty")).await;
    assert!(
        empty.coverage.pods && empty.pods.is_empty() && empty.healthy.pods == 0,
        "looked, and nothing is there"
    );
    let none = collect(&named(server, "no-such")).await.unwrap_err();
    assert!(matches!(none, ConnectError::NoNamespace { .. }), "{none}");
    let picked = snapshot(&Options { selector: Some("app=web,app!=db".into()), ..options(server) }).await;
    assert_eq!(picked.pods.len(), 1);
    let unpicked = snapshot(&Options { selector: Some("app=db".into()), ..options(server) }).await;
    assert!(
        unpicked.pods.is_empty() && unpicked.events.iter().all(|e| e.kind != "Pod"),
        "events follow their pods"
    );
    let wrong = collect(&Options { selector: Some("app in (".into()), ..options(server) }).await.unwrap_err();
    assert!(matches!(wrong, ConnectError::BadSelector { .. }), "{wrong}");
}

async fn failing_pod(server: &ApiServer) {
    let seen = snapshot(&options(server)).await;
    let broken = &seen.pods[0];
    assert_eq!((broken.meta.name.as_str(), broken.node.as_str()), ("broken", "n1"));
    assert_eq!(broken.pull_secrets, ["named", "elsewhere"]);
    let counts: Vec<(&str, u32)> = seen.events.iter().map(|e| (e.reason.as_str(), e.count)).collect();
    assert_eq!(
        counts,
        [("Failed", 3), ("BackOff", 9)],
        "both APIs, the series, and nothing of a pod that is gone"
    );
    assert_eq!(seen.events[1].host, "n1");
    assert_eq!(seen.nodes[0].meta.name, "n1");
    assert!(seen.versions.iter().any(|v| v.program == "kube-apiserver" && v.version.starts_with("1.")));
    assert_eq!(seen.service_accounts[0].pull_secrets, ["attached"]);
    assert!(!seen.service_accounts[0].meta.managers.is_empty(), "who wrote the account matters");
}

async fn secrets_in_their_places(server: &ApiServer) {
    let seen = snapshot(&options(server)).await;
    let find = |namespace: &str, name: &str| {
        seen.secrets.iter().find(|s| s.meta.namespace == namespace && s.meta.name == name)
    };
    for name in ["named", "attached"] {
        let secret = find("shop", name).unwrap();
        let config = secret.docker_config.seen().unwrap();
        assert_eq!(config.entries[0].key, "registry.example.com");
        assert_eq!(
            (config.entries[0].user.as_deref(), config.entries[0].password_len),
            (Some("robot"), CANARY.len())
        );
    }
    let unrelated = find("shop", "unrelated").unwrap();
    assert_eq!(
        unrelated.docker_config,
        Observed::Blind(Why::NotAsked),
        "nobody names it, so its values stay where they are"
    );
    assert_eq!(
        (unrelated.type_.as_str(), unrelated.keys.as_slice()),
        ("kubernetes.io/dockerconfigjson", &[".dockerconfigjson".to_owned()][..])
    );
    assert!(find("shop", "elsewhere").is_none() && seen.coverage.secrets, "it is known not to be there");
    assert!(seen.coverage.secrets_elsewhere);
    let away = find("other", "elsewhere").unwrap();
    assert_eq!(
        away.docker_config,
        Observed::Blind(Why::NotAsked),
        "no failing pod names it: its content is not read"
    );
    assert_eq!(away.type_, "kubernetes.io/dockerconfigjson");
}

async fn no_value_is_kept(server: &ApiServer) {
    let all = snapshot(&Options { namespaces: Namespaces::All, ..options(server) }).await;
    let text = serde_json::to_string(&all).unwrap();
    assert!(!text.contains(CANARY) && !text.contains(ADMIN));
}

async fn forbidden(server: &ApiServer) {
    let as_nobody = Options { as_user: Some("nobody".into()), ..options(server) };
    let seen = snapshot(&as_nobody).await;
    assert!(!seen.coverage.pods && seen.pods.is_empty(), "seeing no pods is not seeing that there are none");
    let pods = blind_at(&seen, "pods in namespace shop");
    assert_eq!(pods.why, Why::Forbidden);
    assert_eq!(
        pods.needs,
        "Role in namespace shop: - {apiGroups: [\"\"], resources: [\"pods\"], verbs: [\"list\"]}"
    );
    assert_eq!(
        blind_at(&seen, "nodes").needs,
        "ClusterRole: - {apiGroups: [\"\"], resources: [\"nodes\"], verbs: [\"list\"]}"
    );
    assert!(!seen.coverage.events && !seen.coverage.nodes);

    // Everything but secrets: the commonest grant
    server.apply(&fs::read_to_string(root().join("deploy/rbac.yaml")).unwrap());
    bind(server, "pullproof", "reader");
    let seen = snapshot(&Options { as_user: Some("reader".into()), ..options(server) }).await;
    assert!(seen.coverage.pods && seen.coverage.service_accounts && !seen.coverage.secrets);
    assert_eq!(seen.pods.len(), 1);
    assert!(seen.secrets.is_empty());
    let secret = blind_at(&seen, "secret shop/named");
    assert!(
        secret.needs.contains("resourceNames: [\"named\"]") && secret.needs.contains("\"get\""),
        "{}",
        secret.needs
    );

    let group =
        Options { as_user: Some("x".into()), as_groups: vec!["system:masters".into()], ..options(server) };
    assert!(snapshot(&group).await.blind_spots.is_empty(), "acting as a group");
    let file = server.dir.path().join("nobody");
    fs::write(&file, server.kubeconfig(NOBODY)).unwrap();
    let own = snapshot(&Options { kubeconfig: Some(file), ..options(server) }).await;
    assert_eq!(blind_at(&own, "pods").why, Why::Forbidden);
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn bind(server: &ApiServer, role: &str, user: &str) {
    server.kubectl(&[
        "create",
        "clusterrolebinding",
        &format!("{role}-{user}"),
        "--clusterrole",
        role,
        "--user",
        user,
    ]);
}

async fn published_roles_suffice(server: &ApiServer) {
    bind(server, "pullproof", "full");
    bind(server, "pullproof-pull-secrets", "full");
    for namespaces in [Namespaces::Current, Namespaces::All] {
        let seen = snapshot(&Options { as_user: Some("full".into()), namespaces, ..options(server) }).await;
        assert!(seen.blind_spots.is_empty(), "{:#?}", seen.blind_spots);
        assert!(seen.coverage.secrets && seen.coverage.nodes);
    }
}

async fn expired_events(server: &ApiServer) {
    server.kubectl(&["-n", "shop", "delete", "events", "--all"]);
    let seen = snapshot(&options(server)).await;
    assert!(seen.coverage.events && seen.events.is_empty());
    assert_eq!(seen.pods[0].containers[0].waiting.as_ref().unwrap().reason, "ImagePullBackOff");
}

async fn targets(server: &ApiServer) {
    server.apply(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: shop}\n\
         spec: {selector: {matchLabels: {app: web}, matchExpressions: [{key: app, operator: Exists}]},\n\
         template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}\n\
         ---\napiVersion: batch/v1\nkind: CronJob\nmetadata: {name: night, namespace: shop}\n\
         spec: {schedule: '0 3 * * *', jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: i}]}}}}}\n",
    );
    let at = |target: &str| Options { target: Some(target.parse().unwrap()), ..options(server) };
    for (target, pods) in [("broken", 1), ("pod/well", 0), ("deploy/web", 1)] {
        let seen = snapshot(&at(target)).await;
        assert_eq!(seen.pods.len(), pods, "{target}");
        assert_eq!(seen.scope.namespace, "shop");
    }
    for (target, missing) in [("pod/none", true), ("sts/none", true), ("cronjob/night", false)] {
        let error = collect(&at(target)).await.unwrap_err();
        assert_eq!(matches!(error, ConnectError::NoTarget { .. }), missing, "{target}: {error}");
    }
}

async fn plugin(server: &ApiServer) {
    let file = server.dir.path().join("plugin");
    let script =
        format!("echo '{{\"\"status\"\":{{\"\"token\"\":\"\"{ADMIN}\"\"}}}}'").replace("\"\"", "\\\"");
    let user = format!(
        "{{exec: {{apiVersion: client.authentication.k8s.io/v1, command: sh, args: ['-c', \"{}\"], interactiveMode: Never}}}}",
        script
    );
    fs::write(&file, server.kubeconfig_with(&user)).unwrap();
    let seen = snapshot(&Options { kubeconfig: Some(file.clone()), ..options(server) }).await;
    assert!(seen.coverage.pods);
    fs::write(&file, server.kubeconfig_with(&user.replace("echo", "exit 7; echo"))).unwrap();
    let error =
        collect(&Options { kubeconfig: Some(file), ..options(server) }).await.unwrap_err().to_string();
    assert!(error.contains("plugin sh ended with exit status: 7") && !error.contains(ADMIN), "{error}");
}

/// The login that kubelogin and older kubectl keep in the file: its id-token is what is sent.
async fn oidc(server: &ApiServer) {
    let file = server.dir.path().join("oidc");
    let of = |id_token: &str| {
        let user = format!(
            "{{auth-provider: {{name: oidc, config: {{client-id: lab, idp-issuer-url: 'https://sso.example.com', id-token: {id_token}, refresh-token: {CANARY}}}}}}}"
        );
        fs::write(&file, server.kubeconfig_with(&user)).unwrap();
        Options { kubeconfig: Some(file.clone()), ..options(server) }
    };
    assert!(snapshot(&of(LOGIN)).await.coverage.pods);
    let error = collect(&of("no-jwt")).await.unwrap_err().to_string();
    assert!(error.starts_with("cannot get credentials") && error.contains("OIDC"), "{error}");
    assert!(!error.contains(CANARY) && !error.contains('\n'), "{error}");
}

/// `proxy-url` of the cluster, with a user: the server is asked through it, and the password shows nowhere.
async fn through_a_proxy(server: &ApiServer) {
    let relay = relay::Relay::start();
    let file = server.dir.path().join("proxied");
    let of = |proxy: &str| {
        let text = server
            .kubeconfig(ADMIN)
            .replace("certificate-authority:", &format!("proxy-url: '{proxy}', certificate-authority:"));
        fs::write(&file, text).unwrap();
        Options { kubeconfig: Some(file.clone()), timeout: Duration::from_secs(20), ..options(server) }
    };
    let seen = snapshot(&of(&format!("http://joe:{CANARY}@{}", relay.address))).await;
    assert!(seen.coverage.pods);
    assert!(!serde_json::to_string(&seen).unwrap().contains(CANARY));
    let basic = base64::engine::general_purpose::STANDARD.encode(format!("joe:{CANARY}"));
    let asked = relay.asked();
    assert!(!asked.is_empty());
    for head in asked {
        let to = server.url.trim_start_matches("https://");
        assert!(head.starts_with(&format!("CONNECT {to} ")), "{head}");
        assert!(head.contains(&format!("Basic {basic}")), "{head}");
    }
    let error = collect(&of(&format!("http://joe:{CANARY}@127.0.0.1:1"))).await.unwrap_err().to_string();
    assert!(error.contains("127.0.0.1:1") && !error.contains(CANARY), "{error}");
    let socks = Socks::start(SocksRules::Users("joe", CANARY));
    let seen = snapshot(&of(&format!("socks5://joe:{CANARY}@127.0.0.1:{}", socks.port))).await;
    assert!(seen.coverage.pods && !socks.asked().is_empty());
    for (proxy, words) in [
        (format!("socks5://joe:{CANARY}2@127.0.0.1:{}", socks.port), "127.0.0.1"),
        (format!("socks5://joe:{CANARY}@127.0.0.1:1"), "127.0.0.1:1"),
        (format!("gopher://joe:{CANARY}@127.0.0.1:1"), "kind \"gopher\" is not supported"),
    ] {
        let error = collect(&of(&proxy)).await.unwrap_err().to_string();
        assert!(error.contains(words) && !error.contains(CANARY), "{error}");
    }
}

async fn many_pods(server: &ApiServer) {
    let mut all = String::new();
    for i in 0..1203 {
        all.push_str(&pod("crowd", &format!("p{i:04}"), "registry.example.com/team/app:1", ""));
    }
    server.kubectl(&["-n", "crowd", "create", "serviceaccount", "default"]);
    let file = server.dir.path().join("crowd.yaml");
    fs::write(&file, all).unwrap();
    server.kubectl(&["create", "--validate=ignore", "-f", file.to_str().unwrap()]);
    let seen = snapshot(&named(server, "crowd")).await;
    assert!(seen.coverage.pods);
    assert_eq!(seen.pods.len() as u64 + seen.healthy.pods, 1203, "three pages");
}

/// A continuation that has expired (410): the list is begun anew, once; after that the server's offer to go on is taken,
/// and the list is no longer known to be whole.
async fn expired_pages(server: &mut ApiServer) {
    let api = server.plainly();
    let file = server.dir.path().join("expiring");
    for (times, whole) in [(1, true), (2, false), (usize::MAX, false)] {
        let front = expiring::Expiring::start(api, server.etcd(), times);
        let kubeconfig = server.kubeconfig(ADMIN).replace(&server.url, &format!("http://{}", front.address));
        fs::write(&file, kubeconfig).unwrap();
        let seen = snapshot(&Options { kubeconfig: Some(file.clone()), ..named(server, "crowd") }).await;
        let pods = seen.pods.len() as u64 + seen.healthy.pods;
        assert_eq!(seen.coverage.pods, whole, "{times}: {:?}", seen.blind_spots);
        if whole {
            assert!(seen.blind_spots.is_empty(), "{times}: {:?}", seen.blind_spots);
        } else {
            let spot = blind_at(&seen, "pods in namespace crowd");
            assert_eq!(spot.why, Why::Failed, "{times}: {spot:?}");
        }
        if times == usize::MAX {
            assert!((500..1203).contains(&pods), "{pods} pods: what was read before stays");
        } else {
            assert_eq!((pods, front.left()), (1203, 0), "{times}");
        }
    }
}

/// In a pod: the account's files at their fixed place, which a mount namespace of its own has, and the two variables.
fn own_account(server: &ApiServer) {
    server.kubectl(&[
        "create",
        "clusterrolebinding",
        "pullproof-own",
        "--clusterrole",
        "pullproof",
        "--serviceaccount",
        "shop:default",
    ]);
    let files = server.dir.path().join("account");
    fs::create_dir(&files).unwrap();
    fs::write(files.join("token"), server.kubectl(&["-n", "shop", "create", "token", "default"])).unwrap();
    fs::write(files.join("namespace"), "shop").unwrap();
    fs::copy(server.dir.path().join("ca.crt"), files.join("ca.crt")).unwrap();
    let unshare = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-ec", script, "sh"]);
        command.arg(&files).arg(std::env::current_exe().unwrap());
        command
    };
    if !unshare("mount -t tmpfs none /var/run").output().is_ok_and(|o| o.status.success()) {
        return apiserver::skip("cluster::live own_account: no mount namespaces here");
    }
    let inside = "mount -t tmpfs none /var/run; to=/var/run/secrets/kubernetes.io/serviceaccount; mkdir -p $to; cp $1/* $to; \
                  exec \"$2\" --exact --ignored in_a_pod";
    let (host, port) = server.url.trim_start_matches("https://").split_once(':').unwrap();
    let output = unshare(inside)
        .env("KUBERNETES_SERVICE_HOST", host)
        .env("KUBERNETES_SERVICE_PORT", port)
        .env("HOME", "/nonexistent")
        .env_remove("KUBECONFIG")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// What `own_account` runs where the files are.
#[tokio::test]
#[ignore = "needs the files of a pod's account"]
async fn in_a_pod() {
    let seen = snapshot(&Options { timeout: Duration::from_secs(60), ..Options::default() }).await;
    assert_eq!((seen.scope.context.as_str(), seen.scope.namespace.as_str()), ("in-cluster", "shop"));
    assert!(seen.coverage.pods && seen.pods.len() == 1, "{:?}", seen.blind_spots);
    let token = fs::read_to_string("/var/run/secrets/kubernetes.io/serviceaccount/token").unwrap();
    assert!(!serde_json::to_string(&seen).unwrap().contains(token.trim()));
    // What is wrong with the files is said, and not that this were no pod.
    fs::remove_file("/var/run/secrets/kubernetes.io/serviceaccount/ca.crt").unwrap();
    let error = collect(&Options::default()).await.unwrap_err().to_string();
    assert!(error.contains("the pod's own account cannot be used"), "{error}");
}

async fn unusable(server: &ApiServer) {
    let dir = server.dir.path();
    let of = |name: &str, text: &str| {
        let path = dir.join(name);
        fs::write(&path, text).unwrap();
        Options { kubeconfig: Some(path), timeout: Duration::from_secs(5), ..Options::default() }
    };
    let good = server.kubeconfig(ADMIN);
    let port = server.url.rsplit(':').next().unwrap();
    let cases = [
        (
            "no server",
            of("a", &good.replace(&format!("server: '{}', ", server.url), "")),
            "cluster \"lab\" has no server",
        ),
        (
            "no cluster",
            of("b", &good.replace("clusters: [{name: lab", "clusters: [{name: x")),
            "has no cluster \"lab\"",
        ),
        (
            "no context",
            of("c", &good.replace("current-context: lab", "current-context: ''")),
            "no current context",
        ),
        ("refused", of("d", &good.replace(port, "1")), "cannot reach the API server https://127.0.0.1:1"),
        ("unknown name", of("e", &good.replace("127.0.0.1", "api.invalid")), "cannot look up api.invalid"),
        (
            "other CA",
            of("f", &good.replace("certificate-authority: ca.crt", "certificate-authority: tls.crt")),
            "certificate",
        ),
        (
            "wrong token",
            of("g", &good.replace(ADMIN, "old")),
            "refuses the credentials of context \"lab\" (401)",
        ),
        ("no YAML", of("h", "{a: [hunter2"), "no valid YAML kubeconfig"),
        ("a missing CA file", of("i", &good.replace("ca.crt", "gone.crt")), "certificate authority"),
        ("not there", Options { kubeconfig: Some(dir.join("nope")), ..Options::default() }, "No such file"),
        (
            "unknown context",
            Options { context: Some("prod".into()), ..options(server) },
            "no context \"prod\" (it has: lab)",
        ),
    ];
    for (name, options, words) in cases {
        let error = collect(&options).await.unwrap_err().to_string();
        assert!(error.contains(words), "{name}: {error}");
        assert!(
            !error.contains('\n') && !error.contains("hunter2") && !error.contains(ADMIN),
            "{name}: {error}"
        );
    }
}
