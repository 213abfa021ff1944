//! Whether the kubelet runs with the provider configuration that stands on its node: it reads the file once, at its start.

use crate::case::Case;
use crate::faults::reload::{APART, moment_of};
use crate::lines::Line;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::provider::is_asked;
use crate::subject::Subject;
use emulate::kubelet::image_name;
use facts::Why;
use formats::credential_provider;
use formats::transcript::when;
use jiff::Timestamp;
use report::{Evidence, Say};

/// When the kubelet of the pull's node began.
fn started(case: &Case<'_>, pull: &Pull<'_>) -> Option<(Timestamp, Evidence)> {
    case.outputs_on(pull.node).filter(|o| o.node.is_some() && o.command.contains("kubelet")).find_map(|o| {
        let (number, line) = o.text.lines().enumerate().find(|(_, l)| {
            l.starts_with("ActiveEnterTimestamp=") || l.starts_with("ExecMainStartTimestamp=")
        })?;
        let at = when::read(line.split_once('=')?.1)?;
        let place = crate::lines::output_at(o, o.origin.line + u32::try_from(number).unwrap_or_default() + 1);
        let says = Say::new("evidence-process-started");
        Some((at, Evidence { at: place, says, quote: line.to_owned() }))
    })
}

/// `Stale` where a configuration that covers the image is newer than the kubelet's process.
fn newer(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let blind = Seen::Blind(Why::NotAsked);
    let Some((start, begun)) = started(case, pull) else { return blind };
    let Ok(name) = image_name::lookup_name(&pull.image) else { return blind };
    let covers = |text: &str| {
        let plugins = credential_provider::read(text).unwrap_or_default();
        plugins.iter().any(|p| is_asked(p, &name))
    };
    let Some(node) = case.node_facts(pull.node) else { return blind };
    let files = node.files.iter().filter(|(_, f)| f.text.seen().is_some_and(|t| covers(t)));
    let here = |l: &&Line<'_>| l.node().is_some_and(|n| n == node.name);
    for (path, file) in files {
        let lines = case.lines_with(path);
        let shown = lines.iter().filter(here).find_map(|l| Some((moment_of(l.text, path)?, l)));
        let says = || Say::new("evidence-file-changed").with("file", path.clone());
        let (changed, evidence) = match (shown, file.modified) {
            (Some((at, line)), _) => (at, line.shows(says())),
            (None, Some(at)) => (
                at,
                Evidence {
                    at: super::provider::at_file(&node.name, path),
                    says: says(),
                    quote: at.to_string(),
                },
            ),
            (None, None) => continue,
        };
        let stale = changed.as_second() - start.as_second() > APART;
        return Seen::Is(if stale { Answer::Stale } else { Answer::No }, vec![evidence, begun]);
    }
    blind
}

/// Was the kubelet's provider configuration changed after the kubelet had read it?
pub static PROVIDERS_NEWER: Question = Question {
    id: "ask-providers-newer",
    ask: newer,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, _, _| {
            "systemctl show kubelet -p ActiveEnterTimestamp; ps -o args= -C kubelet; stat -c '%n %y' PROVIDER_CONFIG".into()
        },
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use facts::{NodeFacts, NodeFile, Observed};
    use vocabulary::Cause;

    const PATH: &str = "/etc/kubernetes/providers.yaml";

    fn scene(pattern: &str, changed: &str) -> Scene {
        let text = format!(
            "apiVersion: kubelet.config.k8s.io/v1\nkind: CredentialProviderConfig\nproviders:\n- name: p\n  apiVersion: credentialprovider.kubelet.k8s.io/v1\n  matchImages:\n  - \"{pattern}\"\n"
        );
        let scene =
            Scene::pod("1.dkr.ecr.eu-west-1.amazonaws.com/a:1", &[]).symptom(Cause::AuthNoCredentials);
        let scene = scene
            .output(
                "systemctl show kubelet -p ActiveEnterTimestamp",
                "ActiveEnterTimestamp=Mon 2026-11-30 05:00:00 UTC\n",
            )
            .output(
                &format!("stat -c '%n %y' {PATH}"),
                &format!("{PATH} 2026-11-30 {changed}.000000000 +0000\n"),
            );
        scene.change(move |s| {
            s.outputs.iter_mut().for_each(|o| o.node = Some("worker-1".into()));
            let file = NodeFile { text: Observed::Seen(text), ..NodeFile::default() };
            s.node_facts.push(NodeFacts {
                name: "worker-1".into(),
                name_given: true,
                files: [(PATH.to_owned(), file)].into(),
                ..NodeFacts::default()
            });
        })
    }

    #[test]
    fn a_configuration_that_came_after_the_kubelet_is_not_in_force() {
        let asked =
            |pattern: &str, changed: &str| scene(pattern, changed).ask(&PROVIDERS_NEWER, &Subject::Cluster);
        assert_eq!(asked("*.dkr.ecr.*.amazonaws.com", "07:00:00"), Some(Answer::Stale));
        assert_eq!(asked("*.dkr.ecr.*.amazonaws.com", "04:00:00"), Some(Answer::No));
        assert_eq!(asked("*.azurecr.io", "07:00:00"), None, "it would not help");
        assert_eq!(scene("*.dkr.ecr.*.amazonaws.com", "07:00:00").verdict().0, Cause::ConfigNotReloaded);
    }
}
