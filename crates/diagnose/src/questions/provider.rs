//! Credential provider plugins of the kubelet: whether one covers the image, and what the kubelet says of its runs.

use crate::case::Case;
use crate::lines::Line;
use crate::naming::names;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen, Test};
use crate::subject::Subject;
use emulate::kubelet::keyring::Miss;
use emulate::kubelet::{image_name, provider};
use facts::Why;
use formats::credential_provider::{self, Provider};
use formats::transcript::line_time;
use jiff::SignedDuration;
use report::{Evidence, Locator, Say};

/// The provider configurations that are known for the pull's node: where each stands, and its plugins.
fn configurations(case: &Case<'_>, pull: &Pull<'_>) -> Vec<(Locator, Vec<Provider>)> {
    let files = case.node_facts(pull.node).into_iter().flat_map(|node| {
        node.files.iter().filter_map(|(path, file)| {
            let providers = credential_provider::read(file.text.seen()?)?;
            Some((at_file(&node.name, path), providers))
        })
    });
    let documents = case
        .snapshot
        .documents
        .iter()
        .filter_map(|d| Some((at_file("", &d.origin.source), credential_provider::read(&d.text)?)));
    let others = case
        .snapshot
        .others
        .iter()
        .filter(|o| o.kind == "CredentialProviderConfig")
        .filter_map(|o| Some((at_file("", &o.meta.origin.source), credential_provider::read(&o.json)?)));
    files.chain(documents).chain(others).collect()
}

pub(super) fn at_file(node: &str, path: &str) -> Locator {
    Locator::File { node: node.to_owned(), path: path.to_owned(), line: 0, column: 0, snippet: String::new() }
}

/// `Yes` where a plugin is asked about the image, `Mismatch` where one was meant for it and misses it by its port,
/// `No` where none is.
fn covered(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Ok(name) = image_name::lookup_name(&pull.image) else { return Seen::Blind(Why::NotAsked) };
    let all = configurations(case, pull);
    let (mut near, mut shown) = (false, Vec::new());
    for (at, providers) in &all {
        for plugin in providers {
            let patterns = plugin.match_images.iter().map(String::as_str);
            let says = |key: &'static str| Evidence {
                at: at.clone(),
                says: Say::new(key).with("provider", &*plugin.name).with("image", &*pull.image),
                quote: plugin.match_images.iter().take(12).cloned().collect::<Vec<_>>().join(", "),
            };
            match provider::covers(patterns, &name) {
                Ok(()) => return Seen::yes(says("evidence-provider-covers")),
                Err(misses) => {
                    near |= misses.contains(&Miss::Port) && fits_without_port(plugin, &name);
                    shown.push(says("evidence-provider-covers-not"));
                }
            }
        }
    }
    match (shown.is_empty(), near) {
        (true, _) => Seen::Blind(Why::NotAsked),
        (false, true) => Seen::Is(Answer::Mismatch, shown),
        (false, false) => Seen::Is(Answer::No, shown),
    }
}

/// Whether the kubelet asks a plugin about an image of this name.
pub(super) fn is_asked(plugin: &Provider, name: &str) -> bool {
    provider::covers(plugin.match_images.iter().map(String::as_str), name).is_ok()
}

/// Whether a pattern would cover the name if ports did not count.
fn fits_without_port(plugin: &Provider, name: &str) -> bool {
    let bare = |text: &str| match text.split_once('/') {
        Some((host, path)) => format!("{}/{path}", host.split(':').next().unwrap_or_default()),
        None => text.split(':').next().unwrap_or_default().to_owned(),
    };
    let patterns: Vec<String> = plugin.match_images.iter().map(|p| bare(p)).collect();
    provider::covers(patterns.iter().map(String::as_str), &bare(name)).is_ok()
}

/// Words by which the kubelet's log names a plugin. Sources: kubernetes pkg/credentialprovider/plugin/plugin.go 1.26 to
/// 1.36; pkg/credentialprovider/aws, gcp, azure up to 1.30.
const ABOUT: &[&str] = &[
    "credential provider",
    "ECR credentials",
    "aws_credentials",
    "ecr-credential-provider",
    "acr-credential-provider",
    "gcp-credential-provider",
    "auth-provider-gcp",
    "provide credentials",
    "CredentialProvider",
    "azure_credentials",
    "service principal token",
    TOKEN_REFUSED,
];

/// Words of the API server, which gives the kubelet no service account token for the audience that a plugin is set up
/// with. Source: kubernetes plugin/pkg/admission/noderestriction, 1.33 to 1.36 (ServiceAccountNodeAudienceRestriction).
const TOKEN_REFUSED: &str = "to request tokens for this audience";

/// Words of a plugin that may not, or cannot at all, do its work.
const REFUSED: &[&str] = &[
    "accessdenied",
    "not authorized",
    "unauthorized",
    "forbidden",
    "permission",
    "no identity-based policy",
    "invalid_client",
    "no such file",
    "not found",
    "executable file",
    "exec format",
    "unsupported",
    "apiversion",
    "no valid",
    "nocredentialproviders",
    "could not find",
];

/// Words of a plugin that failed this time.
const FAILED: &[&str] = &[
    "timeout",
    "timed out",
    "deadline",
    "connection",
    "throttl",
    "unavailable",
    "refused",
    "failed",
    "error",
];

/// Words of a cloud whose own account for the plugin has run out: nothing is set up wrongly, it has to be renewed.
/// Source: learn.microsoft.com, Microsoft Entra authentication error codes (AADSTS7000222).
const RUN_OUT: &[&str] = &["keys are expired", "keys for app", "AADSTS7000222", "secret has expired"];

/// Whether a cloud refused the account with which the kubelet would fetch a credential because it has run out.
pub fn run_out(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let here =
        |l: &&Line<'_>| l.node().is_some_and(|n| n.is_empty() || pull.node.is_empty() || n == pull.node);
    let by_plugin = |l: &&Line<'_>| {
        ABOUT.iter().any(|w| l.text.contains(w)) && l.text.to_ascii_lowercase().contains("expired")
    };
    RUN_OUT.iter().find_map(|word| {
        let lines = case.lines_with(word);
        let line = lines.iter().find(|l| here(l) && by_plugin(l))?;
        Some(line.shows(Say::new("evidence-provider-failed")))
    })
}

/// What Azure's own check says of the kubelet's identity (`az aks check-acr`, Azure/aks-canipull).
const MAY_NOT_PULL: &str = "Validating image pull permission: FAILED";

/// The kubelet's command line on the pull's node, where a command printed it, and names no plugins.
/// Source: kubernetes cmd/kubelet/app/options (`--image-credential-provider-config`).
fn not_handed_over(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let of_ps = |o: &&facts::CommandOutput| o.node.is_some() && o.command.starts_with("ps ");
    case.outputs_on(pull.node).filter(of_ps).find_map(|o| {
        let runs = |l: &&str| {
            l.split_whitespace().any(|w| w == "kubelet" || w.ends_with("/kubelet"))
                && (l.contains("--kubeconfig") || l.contains("--config"))
        };
        let line = o.text.lines().find(runs)?;
        (!line.contains("--image-credential-provider-config")).then(|| Evidence {
            at: crate::lines::output_at(o, o.origin.line),
            says: Say::new("evidence-kubelet-without-providers"),
            quote: line.trim().chars().take(400).collect(),
        })
    })
}

/// Another node's kubelet, which had the image, is told of plugins, where this one's command line names none.
fn handed_over_elsewhere(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let of_ps = |o: &&facts::CommandOutput| {
        o.node.as_deref().is_some_and(|n| n != pull.node) && o.command.starts_with("ps ")
    };
    case.snapshot.outputs.iter().filter(of_ps).find_map(|o| {
        let line = o.text.lines().find(|l| l.contains("--image-credential-provider-config"))?;
        let pulled = case.successes_in(pull.namespace).iter().any(|e| {
            Some(e.host.as_str()) == o.node.as_deref()
                && e.message.starts_with("Successfully pulled image")
                && e.message.split('"').nth(1) == Some(pull.image.as_str())
        });
        if !pulled {
            return None;
        }
        Some(Evidence {
            at: crate::lines::output_at(o, o.origin.line),
            says: Say::new("evidence-other-kubelet-has-providers")
                .with("node", o.node.clone().unwrap_or_default()),
            quote: line.trim().chars().take(400).collect(),
        })
    })
}

/// The clouds' plugins by the words of their lines, and what the names of their registries have.
const FAMILIES: &[(&[&str], &[&str])] = &[
    (&["ecr", "aws"], &["amazonaws.com", "public.ecr.aws"]),
    (&["acr"], &["azurecr."]),
    (&["gcp", "gcr"], &["gcr.io", "pkg.dev"]),
];

/// Whether a line about a plugin can be about the pull's registry: it names it, or a plugin that is asked about the
/// image; and where it names an image of another registry, or is of another cloud's plugin, it is not.
fn concerns(case: &Case<'_>, pull: &Pull<'_>, line: &str) -> bool {
    if names(line, &pull.registry) {
        return true;
    }
    if line.contains(TOKEN_REFUSED) {
        return is_for_plugin(case, pull, line);
    }
    if said_image(line).is_some_and(|said| said != pull.registry) {
        return false;
    }
    let all = configurations(case, pull);
    let mut named = all.iter().flat_map(|(_, p)| p).filter(|p| names(line, &p.name)).peekable();
    if named.peek().is_some() {
        let image = image_name::lookup_name(&pull.image).unwrap_or_default();
        let asked = |p: &Provider| is_asked(p, &image) || fits_without_port(p, &image);
        return named.any(asked);
    }
    let lower = line.to_ascii_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let of = FAMILIES.iter().find(|(plugin, _)| plugin.iter().any(|w| words.contains(w)));
    of.is_none_or(|(_, hosts)| hosts.iter().any(|h| pull.registry.contains(h)))
}

/// Whether an audience that a line quotes is that of a plugin which is asked about the image.
fn is_for_plugin(case: &Case<'_>, pull: &Pull<'_>, line: &str) -> bool {
    let Ok(image) = image_name::lookup_name(&pull.image) else { return false };
    let all = configurations(case, pull);
    all.iter().flat_map(|(_, plugins)| plugins).any(|p| {
        !p.audience.is_empty()
            && line.split('"').any(|w| w.trim_end_matches('\\') == p.audience)
            && is_asked(p, &image)
    })
}

/// The registry of the image that a line names: `for image 123.dkr.ecr.example/a`, `image="registry.example.com/a"`.
fn said_image(line: &str) -> Option<String> {
    let (_, rest) = line.split_once("image")?;
    let word = rest.split(|c: char| c.is_whitespace() || "\"'=:".contains(c)).find(|w| !w.is_empty())?;
    let host = word.split_once('/').map_or(word, |(host, _)| host);
    host.contains('.').then(|| host.to_owned())
}

/// Longer before the failure than this, a plugin failed at another time.
const LATELY: SignedDuration = SignedDuration::from_hours(24);

fn is_old(pull: &Pull<'_>, line: &str) -> bool {
    let first = pull.timeline.first_failed.or(pull.timeline.last_failed);
    first.zip(line_time(line)).is_some_and(|(failed, said)| failed.duration_since(said) > LATELY)
}

fn told(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    if let Some(shown) = run_out(case, pull) {
        return Seen::Is(Answer::Stale, vec![shown]);
    }
    if let Some(line) = case.lines_with(MAY_NOT_PULL).first() {
        return Seen::Is(Answer::Mismatch, vec![line.shows(Say::new("evidence-provider-refused"))]);
    }
    let mut lines: Vec<Line<'_>> = Vec::new();
    for word in ABOUT {
        lines.extend(
            case.lines_with(word)
                .iter()
                .filter(|l| l.node().is_some_and(|n| n.is_empty() || pull.node.is_empty() || n == pull.node))
                .filter(|l| concerns(case, pull, l.text) && !is_old(pull, l.text))
                .copied(),
        );
    }
    let says = |line: &Line<'_>, words: &[&str]| {
        let lower = line.text.to_ascii_lowercase();
        words.iter().any(|w| lower.contains(w))
    };
    if let Some(line) = lines.iter().find(|l| says(l, FAILED) && says(l, REFUSED)) {
        return Seen::Is(Answer::Mismatch, vec![line.shows(Say::new("evidence-provider-refused"))]);
    }
    match lines.iter().find(|l| says(l, FAILED)) {
        Some(line) => Seen::Is(Answer::Stale, vec![line.shows(Say::new("evidence-provider-failed"))]),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// A helper of the docker command line, by its name, where the kubelet wants a plugin: it speaks another protocol
/// (docker/docker-credential-helpers; kubernetes.io, "Configure a kubelet image credential provider").
fn helper_of_docker(case: &Case<'_>, pull: &Pull<'_>) -> Option<Evidence> {
    let name = image_name::lookup_name(&pull.image).ok()?;
    configurations(case, pull).into_iter().find_map(|(at, plugins)| {
        let plugin =
            plugins.into_iter().find(|p| p.name.starts_with("docker-credential-") && is_asked(p, &name))?;
        let says = Say::new("evidence-provider-is-docker-helper").with("provider", &*plugin.name);
        Some(Evidence { at, says, quote: plugin.name })
    })
}

/// Whether a plugin stands in the way: by its configuration or by what the kubelet's log says.
fn at_fault(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    if let Some(shown) = helper_of_docker(case, pull) {
        return Seen::Is(Answer::Mismatch, vec![shown]);
    }
    let told = told(case, pull, subject);
    if matches!(told, Seen::Is(Answer::Mismatch, _)) {
        return told;
    }
    match covered(case, pull, subject) {
        seen @ Seen::Is(Answer::Mismatch | Answer::No, _) => seen,
        Seen::Is(_, mut shown) if not_handed_over(case, pull).is_some() => {
            shown.extend(not_handed_over(case, pull));
            Seen::Is(Answer::Mismatch, shown)
        }
        Seen::Is(_, shown) if matches!(told, Seen::Blind(_)) => Seen::Is(Answer::Yes, shown),
        Seen::Blind(_) if matches!(told, Seen::Blind(_)) => {
            let pair = not_handed_over(case, pull).zip(handed_over_elsewhere(case, pull));
            pair.map_or(told, |(here, there)| Seen::Is(Answer::Mismatch, vec![here, there]))
        }
        _ => told,
    }
}

/// The same, where it leaves no doubt: a refusal in the log, or a pattern that misses by its port.
fn fault_seen(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match at_fault(case, pull, subject) {
        seen @ Seen::Is(Answer::Mismatch, _) => seen,
        _ => Seen::Blind(Why::NotAsked),
    }
}

fn failed(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match told(case, pull, subject) {
        seen @ Seen::Is(Answer::Stale, _) => seen,
        Seen::Is(_, shown) => Seen::Is(Answer::No, shown),
        blind => blind,
    }
}

/// Is a credential provider misconfigured for this image?
pub static AT_FAULT: Question = Question {
    id: "ask-provider-covers-image",
    ask: at_fault,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, _, _| {
            "journalctl -u kubelet --since -1h | grep -iE 'credential.?provider|ecr|acr|gcr'".into()
        },
    }),
};

/// Was the fault itself seen?
pub static FAULT_SEEN: Question = Question { id: "ask-provider-fault-seen", ask: fault_seen, test: None };

/// Did a plugin fail this time?
pub static FAILED_NOW: Question = Question { id: "ask-provider-failed", ask: failed, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;

    const ANY: Subject = Subject::Cluster;
    const IMAGE: &str = "192.0.2.60:5000/library/nginx:1.27";

    fn config(patterns: &str) -> String {
        format!("kind: CredentialProviderConfig\nproviders:\n- name: p\n  matchImages: [{patterns}]\n")
    }

    #[test]
    fn patterns_cover_nearly_or_not_at_all() {
        let ask = |patterns: &str| {
            let text = config(patterns);
            Scene::pod(IMAGE, &[])
                .document(facts::Place::Node, "node/etc/kubernetes/providers.yaml", &text)
                .ask(&AT_FAULT, &ANY)
        };
        assert_eq!(ask("'192.0.2.60:5000'"), Some(Answer::Yes));
        assert_eq!(ask("'*.*.*.*'"), Some(Answer::Mismatch));
        assert_eq!(ask("'*.dkr.ecr.*.amazonaws.com'"), Some(Answer::No));
        assert_eq!(Scene::pod(IMAGE, &[]).ask(&AT_FAULT, &ANY), None);
    }

    #[test]
    fn a_plugin_of_which_the_kubelet_is_not_told_covers_nothing() {
        let ask = |line: &str| {
            Scene::pod(IMAGE, &[])
                .document(
                    facts::Place::Node,
                    "node/etc/kubernetes/providers.yaml",
                    &config("'192.0.2.60:5000'"),
                )
                .output("ps -o args= -C kubelet", line)
                .change(|s| s.outputs[0].node = Some("worker-1".into()))
                .ask(&FAULT_SEEN, &ANY)
        };
        assert_eq!(
            ask("/usr/bin/kubelet --kubeconfig /var/lib/kubelet/kubeconfig --v=2"),
            Some(Answer::Mismatch)
        );
        let told = "/usr/bin/kubelet --kubeconfig=/k --image-credential-provider-config=/etc/kubernetes/providers.yaml";
        assert_eq!(ask(told), None);
        assert_eq!(ask("/usr/bin/containerd --config /etc/containerd/config.toml"), None);
    }

    #[test]
    fn an_account_of_the_cloud_that_has_run_out_is_no_wrong_setting() {
        let ask = |line: &str| Scene::pod(IMAGE, &[]).log(line);
        let over = ask(
            "azure_credentials.go:170] \"Failed\" err=\"invalid_client: AADSTS7000222: The provided client secret keys for app 'a' are expired.\"",
        );
        assert_eq!(over.ask(&FAILED_NOW, &ANY), Some(Answer::Stale));
        assert_eq!(over.ask(&FAULT_SEEN, &ANY), None);
        let other = ask(
            "azure_credentials.go:170] \"Failed\" err=\"invalid_client: AADSTS7000215: Invalid client secret provided.\"",
        );
        assert_eq!(other.ask(&FAULT_SEEN, &ANY), Some(Answer::Mismatch));
    }

    #[test]
    fn the_kubelets_log_tells_refusal_from_failure() {
        let ask = |line: &str| Scene::pod(IMAGE, &[]).log(line);
        let ecr = |line: &str| Scene::pod("123456789012.dkr.ecr.eu-west-1.amazonaws.com/a:1", &[]).log(line);
        let refused = ecr(
            "\"Failed to get ECR credentials\" err=\"AccessDeniedException: not authorized to perform: ecr:GetAuthorizationToken\"",
        );
        assert_eq!(refused.ask(&FAULT_SEEN, &ANY), Some(Answer::Mismatch));
        let slow = ask(
            "Failed getting credential from external registry credential provider: error execing credential provider plugin: context deadline exceeded",
        );
        assert_eq!(slow.ask(&FAILED_NOW, &ANY), Some(Answer::Stale));
        assert_eq!(slow.ask(&FAULT_SEEN, &ANY), None);
        let elsewhere = "credential provider plugin ecr-credential-provider for image 123456789012.dkr.ecr.eu-west-1.amazonaws.com/a:1 failed: AccessDenied";
        assert_eq!(ask(elsewhere).ask(&AT_FAULT, &ANY), None, "it is about another registry");
        assert_eq!(ecr(elsewhere).ask(&FAULT_SEEN, &ANY), Some(Answer::Mismatch));
        assert_eq!(
            ecr(&format!("2026-09-30T10:00:00Z {elsewhere}")).ask(&FAULT_SEEN, &ANY),
            None,
            "long ago"
        );
        assert_eq!(ask("Registered credential provider \"p\"").ask(&AT_FAULT, &ANY), None);
    }

    #[test]
    fn a_token_that_the_kubelet_may_not_have_is_a_plugin_that_cannot_work() {
        let ask = |pattern: &str, audience: &str| {
            let config =
                format!("{}  tokenAttributes: {{serviceAccountTokenAudience: bridge}}\n", config(pattern));
            let said = format!(
                "plugin.go:412] \"Failed to get a token\" err=\"serviceaccounts \\\"puller\\\" is forbidden: audience \\\"{audience}\\\" not found in pod spec volume, system:node:w1 is not authorized to request tokens for this audience\""
            );
            Scene::pod(IMAGE, &[])
                .document(facts::Place::Node, "node/etc/kubernetes/providers.yaml", &config)
                .log(&said)
                .ask(&FAULT_SEEN, &ANY)
        };
        assert_eq!(ask("'192.0.2.60:5000'", "bridge"), Some(Answer::Mismatch));
        assert_eq!(ask("'192.0.2.60:5000'", "vault"), None, "another program's token");
        // What fits no image is at fault by its pattern, and not by the token
        assert_eq!(ask("'*.dkr.ecr.*.amazonaws.com'", "bridge"), None);
    }

    #[test]
    fn a_node_that_had_the_image_and_is_told_of_a_plugin_shows_what_this_one_lacks() {
        let asked = |there: &str, image: &str| {
            let of = |node: &str| Some(node.to_owned());
            let (here, there) = ("/usr/bin/kubelet --kubeconfig=/k --v=2", there.to_owned());
            let message = format!("Successfully pulled image \"{image}\" in 1.2s");
            Scene::pod("123456789012.dkr.ecr.eu-west-1.amazonaws.com/a:1", &[])
                .output("ps -o args= -C kubelet", here)
                .output("ps -o args= -C kubelet", &there)
                .event("Pulled", &message)
                .change(|s| {
                    s.outputs[0].node = of("worker-1");
                    s.outputs[1].node = of("worker-2");
                    s.events[0].host = "worker-2".into();
                    s.events[0].severity = "Normal".into();
                    s.events[0].name = "web-2".into();
                })
                .ask(&FAULT_SEEN, &ANY)
        };
        let told =
            "/usr/bin/kubelet --kubeconfig=/k --image-credential-provider-config=/etc/kubernetes/p.yaml";
        let image = "123456789012.dkr.ecr.eu-west-1.amazonaws.com/a:1";
        assert_eq!(asked(told, image), Some(Answer::Mismatch));
        assert_eq!(asked("/usr/bin/kubelet --kubeconfig=/k", image), None);
        assert_eq!(asked(told, "docker.io/library/nginx:1"), None, "another image");
    }

    #[test]
    fn a_helper_of_the_docker_command_is_no_plugin() {
        let with = |name: &str, pattern: &str| {
            let text = format!(
                "kind: CredentialProviderConfig\napiVersion: kubelet.config.k8s.io/v1\nproviders:\n- name: {name}\n  matchImages:\n  - \"{pattern}\"\n"
            );
            Scene::pod("1.dkr.ecr.eu.amazonaws.com/a:1", &[])
                .document(facts::Place::Node, "node/etc/kubernetes/ecr.yaml", &text)
                .ask(&FAULT_SEEN, &Subject::Cluster)
        };
        assert_eq!(with("docker-credential-ecr-login", "*.dkr.ecr.*.amazonaws.com"), Some(Answer::Mismatch));
        assert_eq!(with("docker-credential-ecr-login", "*.azurecr.io"), None);
        assert_eq!(with("ecr-credential-provider", "*.dkr.ecr.*.amazonaws.com"), None);
    }
}
