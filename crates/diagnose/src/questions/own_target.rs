//! The machine that a balancer sends its own request back to: the registry behind the address runs on this node alone.

use crate::case::Case;
use crate::lines::output_at;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::climbs;
use crate::questions::hosts::{is_private, same_host};
use crate::questions::places::is_registry;
use crate::questions::routes::dialled;
use crate::subject::Subject;
use facts::{CommandOutput, Why};
use formats::{kubectl_table, transcript};
use report::{Evidence, Say};

/// The registry that a list of running containers shows: `crictl ps`, `docker ps` and their like. `None` where it is no such
/// list; the evidence is empty where it shows none.
fn listed(o: &CommandOutput) -> Option<Option<Evidence>> {
    let command = transcript::command(&o.command);
    let lists = matches!(command.program, "crictl" | "docker" | "podman" | "nerdctl")
        && command.arguments.iter().any(|a| matches!(*a, "ps" | "ls"));
    let table = kubectl_table::read(&o.text).filter(|_| lists)?;
    let runs = |row: &[&str]| {
        let cell = |heads: &[&str]| heads.iter().find_map(|h| table.cell(row, h));
        let up = cell(&["STATE", "STATUS"]).is_some_and(|s| s == "Running" || s.starts_with("Up "));
        let image = cell(&["IMAGE"]).unwrap_or_default();
        let image = image.rsplit('/').next().unwrap_or_default().split([':', '@']).next().unwrap_or_default();
        up && (cell(&["NAME", "NAMES"]).is_some_and(is_registry) || is_registry(image))
    };
    let row = table.rows.iter().find(|(_, row)| runs(row));
    Some(row.map(|(line, row)| Evidence {
        at: output_at(o, o.origin.line + line + 1),
        says: Say::new("evidence-registry-runs-here"),
        quote: row.join("  "),
    }))
}

fn only_target(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    // A machine that is no node has no part of a cluster behind a balancer; its own address is another question.
    if pull.is_probe() && pull.node.is_empty() {
        let own = climbs::way::own_address(case, pull);
        return if matches!(own, Seen::Is(Answer::No, _)) { own } else { Seen::Blind(Why::NotAsked) };
    }
    let behind = pull.observations.iter().filter_map(|o| dialled(o.text)).any(is_private);
    if pull.node.is_empty() || !behind {
        return Seen::Blind(Why::NotAsked);
    }
    let on = |node: &str, o: &CommandOutput| o.node.as_deref() == Some(node);
    let outputs = || case.snapshot.outputs.iter();
    let Some(here) = outputs().filter(|o| on(pull.node, o)).find_map(|o| listed(o)?) else {
        return Seen::Blind(Why::NotAsked);
    };
    // A node that is served, and has no registry of its own.
    let others = case.requests().iter().filter(|r| {
        same_host(r.curl.host(), pull.asked_host()) && r.curl.status().is_some() && !on(pull.node, r.output)
    });
    let without = others.filter_map(|r| r.output.node.as_deref()).find_map(|node| {
        let lists: Vec<_> = outputs().filter(|o| on(node, o)).filter_map(|o| Some((o, listed(o)?))).collect();
        let (shown, _) = lists.first().filter(|_| lists.iter().all(|(_, found)| found.is_none()))?;
        Some(Evidence {
            at: output_at(shown, shown.origin.line),
            says: Say::new("evidence-registry-runs-not-there").with("node", node),
            quote: shown.command.clone(),
        })
    });
    match without {
        Some(without) => Seen::Is(Answer::Yes, vec![here, without]),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Does the registry run on the node that does not reach it, and not on another that does?
pub static ONLY_TARGET: Question = Question {
    id: "ask-only-target",
    ask: only_target,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, _, _| "crictl ps --name registry -o table".into(),
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use vocabulary::{Cause, Confidence};

    const HEADS: &str = "CONTAINER      IMAGE        CREATED      STATE     NAME       POD ID\n";
    const ROW: &str = "7c1d2e3f4a5b   2a0e1f7c9b   9 days ago   Running   registry   11aa22bb33cc\n";

    fn scene(address: &str, here: &str, there: &str) -> Scene {
        let on = |scene: Scene, node: &'static str, command: &str, text: &str| {
            scene.output(command, text).change(|s| {
                if let Some(o) = s.outputs.last_mut() {
                    o.node = Some(node.into());
                }
            })
        };
        let scene = Scene::pod("r.example.com/a:1", &[])
            .symptom(Cause::NetTimeout)
            .words(&format!("dial tcp {address}:443: i/o timeout"));
        let scene = on(scene, "worker-1", "crictl ps --name registry -o table", here);
        let scene = on(scene, "worker-2", "crictl ps --name registry -o table", there);
        on(scene, "worker-2", "curl -sS -o /dev/null -w %{http_code} https://r.example.com/v2/", "401\n")
    }

    #[test]
    fn the_one_node_that_runs_the_registry_is_sent_back_to_itself() {
        let both = format!("{HEADS}{ROW}");
        let asked = |address: &str, here: &str, there: &str| {
            scene(address, here, there).ask(&ONLY_TARGET, &Subject::Cluster)
        };
        assert_eq!(asked("10.0.4.90", &both, HEADS), Some(Answer::Yes));
        assert_eq!(asked("10.0.4.90", HEADS, &both), None, "it runs where it is reached");
        assert_eq!(asked("10.0.4.90", &both, &both), None, "on both");
        assert_eq!(asked("203.0.113.90", &both, HEADS), None, "what the internet serves is not on a node");
        assert_eq!(asked("10.0.4.90", &both.replace("Running", "Exited "), HEADS), None);
        assert_eq!(asked("10.0.4.90", &both.replace("   registry", "   web     "), HEADS), None);
        let docker = "CONTAINER ID   IMAGE        COMMAND   CREATED   STATUS      PORTS   NAMES\n7c1d2e3f4a5b   registry:2   \"/e\"      2d        Up 2 days           store\n";
        assert_eq!(asked("10.0.4.90", docker, HEADS), Some(Answer::Yes));
        assert_eq!(scene("10.0.4.90", &both, HEADS).verdict(), (Cause::NetHairpin, Confidence::Likely));
    }
}
