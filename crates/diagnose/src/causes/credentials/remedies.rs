//! What mends credentials: commands to copy, with placeholders where a value would stand.

use crate::case::Case;
use crate::pull::Pull;
use crate::questions::attachment;
use crate::shell::is_plain;
use crate::subject::Subject;
use report::{Remedy, Say, Step};

fn run(command: String) -> Step {
    Step::Run(command)
}

/// The secret's namespace and name; the usual name where the subject is no secret.
fn of(pull: &Pull<'_>, subject: &Subject) -> (String, String) {
    match subject {
        Subject::Secret { namespace, name } => (namespace.clone(), name.clone()),
        _ => (pull.namespace.to_owned(), "regcred".into()),
    }
}

/// The registry as `--docker-server` takes it: Docker Hub's entry has a name of its own.
fn server<'p>(pull: &'p Pull<'_>) -> &'p str {
    if pull.registry == "docker.io" { "https://index.docker.io/v1/" } else { &pull.registry }
}

fn create(pull: &Pull<'_>, namespace: &str, name: &str) -> String {
    format!(
        "kubectl create secret docker-registry {name} -n {namespace} --docker-server='{}' --docker-username='USER' --docker-password=\"$(cat PASSWORD_FILE)\"",
        server(pull)
    )
}

fn backup(namespace: &str, name: &str) -> String {
    format!("(umask 077; kubectl get secret {name} -n {namespace} -o yaml > {name}.backup.yaml)")
}

/// A secret of this name, made anew where none is.
pub fn create_secret(_: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let (namespace, name) = of(pull, subject);
    vec![Remedy {
        says: Say::new("remedy-create-secret").with("name", &*name).with("namespace", &*namespace),
        scope: Say::new("scope-pods-naming-secret").with("name", &*name).with("namespace", &*namespace),
        risk: Say::new("risk-none-running-pods"),
        steps: vec![run(create(pull, &namespace, &name))],
        undo: vec![run(format!("kubectl delete secret {name} -n {namespace}"))],
    }]
}

/// The secret copied to the pod's namespace, without what would make others claim it.
pub fn copy_secret(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let (namespace, name) = of(pull, subject);
    let source =
        case.secrets_named(&name).iter().map(|s| s.meta.namespace.as_str()).find(|n| *n != namespace);
    let source = source.unwrap_or("SOURCE_NAMESPACE");
    vec![Remedy {
        says: Say::new("remedy-copy-secret")
            .with("name", &*name)
            .with("from", source)
            .with("namespace", &*namespace),
        scope: Say::new("scope-pods-naming-secret").with("name", &*name).with("namespace", &*namespace),
        risk: Say::new("risk-copy-has-no-owner"),
        steps: vec![run(format!(
            "kubectl get secret {name} -n {source} -o json | jq '{{apiVersion,kind,type,data,metadata:{{name:.metadata.name,namespace:\"{namespace}\"}}}}' | kubectl create -f -"
        ))],
        undo: vec![run(format!("kubectl delete secret {name} -n {namespace}"))],
    }]
}

/// A secret's type cannot be changed: it is made anew from the same content.
pub fn retype_secret(_: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let (namespace, name) = of(pull, subject);
    vec![Remedy {
        says: Say::new("remedy-retype-secret").with("name", &*name),
        scope: Say::new("scope-pods-naming-secret").with("name", &*name).with("namespace", &*namespace),
        risk: Say::new("risk-owner-makes-it-again"),
        steps: vec![
            run(backup(&namespace, &name)),
            run(format!(
                "kubectl get secret {name} -n {namespace} -o json | jq '{{apiVersion,kind,metadata:{{name:.metadata.name,namespace:.metadata.namespace}},type:\"kubernetes.io/dockerconfigjson\",data:{{\".dockerconfigjson\":(.data[\".dockerconfigjson\"] // (.data|to_entries[0].value))}}}}' | kubectl replace --force -f -"
            )),
        ],
        undo: vec![run(format!("kubectl replace --force -f {name}.backup.yaml"))],
    }]
}

/// The content made anew.
pub fn recreate_secret(_: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let (namespace, name) = of(pull, subject);
    vec![Remedy {
        says: Say::new("remedy-recreate-secret").with("name", &*name),
        scope: Say::new("scope-pods-naming-secret").with("name", &*name).with("namespace", &*namespace),
        risk: Say::new("risk-other-entries-are-lost"),
        steps: vec![
            run(backup(&namespace, &name)),
            run(format!(
                "{} --dry-run=client -o yaml | kubectl replace --force -f -",
                create(pull, &namespace, &name)
            )),
        ],
        undo: vec![run(format!("kubectl replace --force -f {name}.backup.yaml"))],
    }]
}

/// The same entry under the key that matches.
pub fn rekey_secret(_: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let (namespace, name) = of(pull, subject);
    vec![Remedy {
        says: Say::new("remedy-rekey-secret").with("name", &*name).with("server", server(pull)),
        scope: Say::new("scope-pods-naming-secret").with("name", &*name).with("namespace", &*namespace),
        risk: Say::new("risk-other-entries-are-lost"),
        steps: vec![
            run(backup(&namespace, &name)),
            run(format!("{} --dry-run=client -o yaml | kubectl apply -f -", create(pull, &namespace, &name))),
        ],
        undo: vec![run(format!("kubectl apply -f {name}.backup.yaml"))],
    }]
}

/// What makes the pod anew: its controller does, where it has one.
fn remake(pull: &Pull<'_>) -> Step {
    run(format!("kubectl delete pod {} -n {}", pull.pod_name, pull.namespace))
}

/// Where the pod's service account stands in a command.
fn account_name<'p>(pull: &'p Pull<'_>) -> &'p str {
    pull.pod.map_or("default", |p| p.service_account.as_str())
}

/// The secret added to the account's list, which no patch but a JSON patch leaves whole; then a new pod.
pub fn attach_secret(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let (namespace, name) = of(pull, subject);
    let account = account_name(pull);
    let has_list = attachment::account_of(case, pull).is_some_and(|a| !a.pull_secrets.is_empty());
    let patch = if has_list {
        format!("[{{\"op\":\"add\",\"path\":\"/imagePullSecrets/-\",\"value\":{{\"name\":\"{name}\"}}}}]")
    } else {
        format!("[{{\"op\":\"add\",\"path\":\"/imagePullSecrets\",\"value\":[{{\"name\":\"{name}\"}}]}}]")
    };
    vec![Remedy {
        says: Say::new("remedy-attach-secret").with("name", &*name).with("account", account),
        scope: Say::new("scope-new-pods-of-account").with("account", account).with("namespace", &*namespace),
        risk: Say::new("risk-none-running-pods"),
        steps: vec![
            run(format!("kubectl patch serviceaccount {account} -n {namespace} --type=json -p '{patch}'")),
            remake(pull),
        ],
        undo: vec![run(format!("kubectl edit serviceaccount {account} -n {namespace}"))],
    }]
}

/// The pod's own list hides the account's: both in one list, or none in the pod.
pub fn name_accounts_secrets_too(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let names: Vec<String> = pull
        .pod
        .map(|p| p.pull_secrets.clone())
        .unwrap_or_default()
        .into_iter()
        .chain(attachment::account_of(case, pull).map(|a| a.pull_secrets.clone()).unwrap_or_default())
        .collect();
    let list: Vec<String> =
        names.iter().filter(|n| is_plain(n)).map(|n| format!("{{\"name\":\"{n}\"}}")).collect();
    let patch =
        format!("{{\"spec\":{{\"template\":{{\"spec\":{{\"imagePullSecrets\":[{}]}}}}}}}}", list.join(","));
    vec![Remedy {
        says: Say::new("remedy-name-both-lists").with("names", names.join(", ")),
        scope: Say::new("scope-workload-of-pod").with("pod", pull.pod_name),
        risk: Say::new("risk-rollout"),
        steps: vec![run(format!("kubectl patch WORKLOAD -n {} -p '{patch}'", pull.namespace))],
        undo: vec![run(format!("kubectl rollout undo WORKLOAD -n {}", pull.namespace))],
    }]
}

/// A new pod gets the account's list of now.
pub fn remake_pod(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    vec![Remedy {
        says: Say::new("remedy-remake-pod").with("pod", pull.pod_name),
        scope: Say::new("scope-one-pod").with("pod", pull.pod_name),
        risk: Say::new("risk-pod-restarts"),
        steps: vec![remake(pull)],
        undo: Vec::new(),
    }]
}

/// The copy without the tool's marks, and the source kept out of its pruning.
pub fn keep_from_pruning(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let (namespace, name) = of(pull, subject);
    let mut all = vec![Remedy {
        says: Say::new("remedy-keep-from-pruning").with("name", &*name),
        scope: Say::new("scope-pods-naming-secret").with("name", &*name).with("namespace", &*namespace),
        risk: Say::new("risk-tool-no-longer-prunes"),
        steps: vec![
            Step::Ask(Say::new("ask-generator-drops-marks").with("name", &*name)),
            run(format!(
                "kubectl annotate secret {name} -n {namespace} argocd.argoproj.io/sync-options=Prune=false argocd.argoproj.io/compare-options=IgnoreExtraneous kustomize.toolkit.fluxcd.io/prune=disabled"
            )),
        ],
        undo: vec![run(format!(
            "kubectl annotate secret {name} -n {namespace} argocd.argoproj.io/sync-options- argocd.argoproj.io/compare-options- kustomize.toolkit.fluxcd.io/prune-"
        ))],
    }];
    all.extend(copy_secret(case, pull, subject));
    all
}

/// What a controller writes is mended where the controller reads it.
pub fn mend_at_source(_: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let object = match subject {
        Subject::ServiceAccount { namespace, name } => format!("serviceaccount {name} -n {namespace}"),
        Subject::Secret { namespace, name } => format!("secret {name} -n {namespace}"),
        _ => format!("serviceaccount default -n {}", pull.namespace),
    };
    vec![Remedy {
        says: Say::new("remedy-mend-at-source"),
        scope: Say::new("scope-controller-of-object").with("object", &*object),
        risk: Say::new("risk-controller-writes-all-its-copies"),
        steps: vec![
            run(format!("kubectl get {object} -o yaml --show-managed-fields")),
            Step::Ask(Say::new("ask-mend-in-controllers-source").with("object", &*object)),
        ],
        undo: Vec::new(),
    }]
}

/// A new token, and something that renews it before it runs out.
pub fn renew(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let mut all = rekey_secret(case, pull, subject);
    for remedy in &mut all {
        remedy.says = Say::new("remedy-renew-credential").with("registry", &*pull.registry);
        remedy.steps.push(Step::Ask(Say::new("ask-renew-automatically")));
    }
    all
}

/// A robot account, which has no session, in place of a person's.
pub fn robot_instead(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let mut all = rekey_secret(case, pull, subject);
    for remedy in &mut all {
        remedy.says = Say::new("remedy-robot-account").with("registry", &*pull.registry);
        remedy
            .steps
            .insert(0, Step::Ask(Say::new("ask-make-robot-account").with("registry", &*pull.registry)));
    }
    all
}

/// The plugin's patterns, binary or rights.
pub fn mend_provider(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    vec![Remedy {
        says: Say::new("remedy-mend-provider").with("registry", &*pull.registry),
        scope: Say::new("scope-one-node-first").with("node", pull.node),
        risk: Say::new("risk-kubelet-restarts"),
        steps: vec![
            Step::Ask(Say::new("ask-provider-pattern-or-right").with("registry", &*pull.registry)),
            run("sudo systemctl restart kubelet".into()),
        ],
        undo: vec![Step::Ask(Say::new("ask-put-file-back")), run("sudo systemctl restart kubelet".into())],
    }]
}

/// The kubelet reads its provider configuration at its start only.
pub fn restart_kubelet(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    vec![Remedy {
        says: Say::new("remedy-restart-kubelet").with("node", pull.node),
        scope: Say::new("scope-one-node-first").with("node", pull.node),
        risk: Say::new("risk-kubelet-restarts"),
        steps: vec![run("sudo systemctl restart kubelet".into())],
        undo: Vec::new(),
    }]
}

/// The runtime's own credentials under the host that it asks; better a pull secret.
pub fn rename_runtime_table(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let host = if pull.registry == "docker.io" { "registry-1.docker.io" } else { &pull.registry };
    let mut all = vec![Remedy {
        says: Say::new("remedy-rename-runtime-credentials").with("host", host),
        scope: Say::new("scope-one-node-first").with("node", pull.node),
        risk: Say::new("risk-runtime-restarts"),
        steps: vec![
            Step::Ask(
                Say::new("ask-rename-runtime-table").with("host", host).with("file", subject.to_string()),
            ),
            run("sudo systemctl restart containerd".into()),
        ],
        undo: vec![Step::Ask(Say::new("ask-put-file-back")), run("sudo systemctl restart containerd".into())],
    }];
    all.extend(create_secret(case, pull, subject));
    all
}

/// The mirror's credentials where the runtime looks for them.
pub fn node_credentials_for_mirror(_: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Vec<Remedy> {
    let mirror = subject.to_string();
    vec![Remedy {
        says: Say::new("remedy-node-credentials-for-mirror").with("mirror", &*mirror),
        scope: Say::new("scope-one-node-first").with("node", pull.node),
        risk: Say::new("risk-credential-for-all-pods"),
        steps: vec![
            Step::Ask(Say::new("ask-add-mirror-to-node-pull-secret").with("mirror", &*mirror)),
            run("oc get secret/pull-secret -n openshift-config -o json | jq '.data[\".dockerconfigjson\"] |= (@base64d | fromjson | .auths | keys)'".into()),
        ],
        undo: vec![Step::Ask(Say::new("ask-put-file-back"))],
    }]
}
