//! Vantages beside each other: who asked for what, from where, with which credentials, and what came back.
//!
//! Rows are facts of the Snapshot that differ from the failing pull in one thing: another client on the same node, the same
//! on another node, another image of the same registry. The last kind is the control, picked from what is known to have
//! been pulled.

use crate::case::Case;
use crate::pull::Pull;
use crate::questions::hosts::{name_of, same_host};
use crate::questions::places::are_siblings;
use facts::seen;
use formats::reference::{registry_of, repository_of};
use report::{Comparison, Say};
use std::collections::{BTreeSet, HashMap};
use vocabulary::Stage;

/// At most this many rows of each kind.
const ROWS: usize = 3;

/// The table of an incident; `None` where nothing stands beside the failing pull.
pub fn table(case: &Case<'_>, pull: &Pull<'_>) -> Option<Comparison> {
    let mut rows = vec![own(pull)?];
    rows.extend(other_clients(pull));
    rows.extend(probes(case, pull));
    rows.extend(by_hand(case, pull));
    rows.extend(other_tags(case, pull));
    rows.extend(other_pulls(case, pull));
    rows.extend(whole_registry(case, pull));
    let mut known = BTreeSet::new();
    rows.retain(|r| known.insert(r.clone()));
    let columns = ["compare-who", "compare-what", "compare-answer"];
    (rows.len() > 1).then(|| Comparison { columns: columns.into_iter().map(Say::new).collect(), rows })
}

fn row(who: &str, place: &str, what: &str, answer: &str) -> Vec<String> {
    let short = |s: &str| s.chars().take(80).collect::<String>();
    let vantage = if place.is_empty() { who.to_owned() } else { format!("{who}@{place}") };
    [vantage.as_str(), what, answer]
        .into_iter()
        .map(|s| if s.is_empty() { "-".to_owned() } else { short(s) })
        .collect()
}

fn own(pull: &Pull<'_>) -> Option<Vec<String>> {
    let o = pull.deciding()?;
    Some(row(&o.vantage.client, place_of(&o.vantage.place, pull), &pull.image, o.reading.cause.id()))
}

fn place_of<'p>(place: &'p str, pull: &'p Pull<'_>) -> &'p str {
    if place.is_empty() { pull.node } else { place }
}

/// The same image, by another client.
fn other_clients(pull: &Pull<'_>) -> Vec<Vec<String>> {
    let first = pull.deciding().map(|o| o.vantage.clone());
    let others = pull.observations.iter().skip(1).filter(|o| Some(&o.vantage) != first.as_ref());
    others
        .filter(|o| !matches!(o.reading.cause, vocabulary::Cause::Unknown))
        .take(ROWS)
        .map(|o| row(&o.vantage.client, place_of(&o.vantage.place, pull), &pull.image, o.reading.cause.id()))
        .collect()
}

/// What probes of the same image met.
fn probes(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Vec<String>> {
    let of_image = |l: &&facts::Ladder| formats::reference::same(&l.image, &pull.image);
    let all = case.snapshot.ladders.iter().filter(|_| !pull.is_probe()).filter(of_image);
    all.take(ROWS)
        .map(|l| {
            let met = l.ended_at().map_or("-", |rung| match &rung.outcome {
                facts::Outcome::Failed { symptom, .. } => symptom.id(),
                _ => rung.stage.word(),
            });
            row(&l.vantage.client, &l.vantage.place, &l.image, met)
        })
        .collect()
}

/// Requests to the same host, one for each place, proxy and way of signing in.
fn by_hand(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Vec<String>> {
    let mut known = BTreeSet::new();
    let of_host = case
        .requests()
        .iter()
        .filter(|r| same_host(r.curl.host(), pull.asked_host()) || same_host(r.curl.host(), &pull.registry));
    let rows = of_host.filter_map(|r| {
        let status = r.curl.status().map(|s| s.to_string());
        let failed = r.curl.error.as_ref().map(|(number, _)| format!("curl: ({number})"));
        let answer = many(&r.curl.statuses).or(status).or(failed)?;
        let place = r.output.node.as_deref().unwrap_or(&r.output.vantage.place).to_owned();
        let proxied = if r.curl.proxy.is_some() { " -x" } else { "" };
        let signed = if r.curl.with_credential { " -u" } else { "" };
        let who = format!("curl{proxied}{signed}");
        let what = format!("{} {}", r.curl.method, r.curl.url.split('?').next().unwrap_or_default());
        known.insert((place.clone(), who.clone(), what.clone())).then(|| row(&who, &place, &what, &answer))
    });
    rows.take(2 * ROWS).collect()
}

/// The failing ratio of a loop of requests: `3 of 10: 401`.
fn many(statuses: &[u16]) -> Option<String> {
    let failing: Vec<u16> = statuses.iter().copied().filter(|s| *s >= 400).collect();
    let (first, both) = (failing.first()?, failing.len() < statuses.len() && statuses.len() > 2);
    both.then(|| format!("{}/{}: {first}", failing.len(), statuses.len()))
}

/// Other tags of the same repository, as the registry listed them to a probe.
fn other_tags(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Vec<String>> {
    let repository = repository_of(&pull.image);
    let of_it = case.snapshot.ladders.iter().filter(|l| repository_of(&l.image) == repository);
    let listed = of_it.filter_map(|l| {
        let rung = l.rung(Stage::Manifest)?;
        let count: u32 = rung.fact(seen::TAGS_COUNT)?.parse().ok()?;
        let near = rung.all(seen::TAGS_NEAR).collect::<Vec<_>>().join(", ");
        let what = format!("{repository}:{}", if near.is_empty() { "*" } else { &near });
        Some(row(&l.vantage.client, &l.vantage.place, &what, &count.to_string()))
    });
    listed.take(1).collect()
}

/// How many of all containers with an image of this registry wait for it: one image's failure is told from a registry's.
fn whole_registry(case: &Case<'_>, pull: &Pull<'_>) -> Option<Vec<String>> {
    let all = case.once.waiting.get_or_init(|| waiting(case));
    let (failing, of) = all.get(&pull.registry).filter(|(_, of)| *of > 1)?;
    Some(row("kubelet", "*", &format!("{}/*", pull.registry), &format!("{failing}/{of}")))
}

fn waiting(case: &Case<'_>) -> HashMap<String, (u32, u32)> {
    let mut all: HashMap<String, (u32, u32)> = HashMap::new();
    let mut add = |image: &str, failing: u32, of: u32| {
        if let Some(registry) = registry_of(image) {
            let sum = all.entry(registry).or_default();
            *sum = (sum.0 + failing, sum.1 + of);
        }
    };
    for c in case.snapshot.pods.iter().flat_map(|p| &p.containers) {
        let waits = !c.started && c.image_id.is_empty() && c.waiting.is_some();
        if waits || c.started {
            add(&c.image, u32::from(waits), 1);
        }
    }
    for (image, nodes) in &case.snapshot.healthy.images {
        add(image, 0, u32::try_from(nodes.len().max(1)).unwrap_or(1));
    }
    all
}

/// The same image elsewhere, other tags of it, and other images of the same registry, as events, nodes and healthy pods show them.
fn other_pulls(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Vec<String>> {
    let own = repository_of(&pull.image);
    let (mut same, mut controls) = (Vec::new(), Vec::new());
    let mut add = |image: &str, node: &str, answer: &str| {
        if registry_of(image).is_none_or(|r| name_of(&r) != name_of(&pull.registry)) {
            return;
        }
        let line = row("kubelet", node, image, answer);
        if repository_of(image) == own { same.push(line) } else { controls.push(line) }
    };
    for e in case.snapshot.events.iter().filter(|e| e.reason == "Pulled") {
        let Some(image) = e.message.split('"').nth(1) else { continue };
        let answer = if e.message.contains("already present") { "already present" } else { "Pulled" };
        add(image, &e.host, answer);
    }
    for (image, nodes) in &case.snapshot.healthy.images {
        for node in nodes.iter().take(2) {
            add(image, node, "running");
        }
    }
    for p in &case.snapshot.pods {
        for c in p.containers.iter().filter(|c| c.started && !c.image_id.is_empty()) {
            add(&c.image, &p.node, "running");
        }
    }
    same.truncate(ROWS);
    // One that was really pulled is the better control.
    controls.sort_by_key(|c| c.last().is_none_or(|a| a != "Pulled"));
    controls.truncate(ROWS);
    same.extend(controls);
    same
}

/// An image of the same project that is known to have been served: the control for a probe.
pub fn control(case: &Case<'_>, pull: &Pull<'_>) -> Option<String> {
    let own = repository_of(&pull.image);
    let rows = other_pulls(case, pull);
    let image =
        rows.iter().filter_map(|r| r.get(1)).find(|image| are_siblings(&repository_of(image), &own))?;
    Some(image.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;

    const IMAGE: &str = "reg.example.com/team/app:1";

    fn table_of(scene: &Scene) -> Option<Comparison> {
        table(&Case::new(&scene.snapshot), &scene.pull())
    }

    #[test]
    fn nothing_beside_a_pull_is_no_table() {
        assert_eq!(table_of(&Scene::pod(IMAGE, &[])), None);
    }

    #[test]
    fn a_control_is_another_image_of_the_same_registry() {
        let scene = Scene::pod(IMAGE, &[])
            .event("Pulled", "Successfully pulled image \"reg.example.com/team/base:2\" in 1s")
            .event("Pulled", "Successfully pulled image \"quay.io/other/thing:1\" in 1s");
        let table = table_of(&scene).expect("there is a control");
        assert_eq!(table.rows.len(), 2);
        assert_eq!(table.rows[1][1], "reg.example.com/team/base:2");
        assert_eq!(
            control(&Case::new(&scene.snapshot), &scene.pull()).as_deref(),
            Some("reg.example.com/team/base:2")
        );
        let elsewhere = Scene::pod(IMAGE, &[])
            .event("Pulled", "Successfully pulled image \"reg.example.com/public/base:2\" in 1s");
        let case = Case::new(&elsewhere.snapshot);
        assert_eq!(control(&case, &elsewhere.pull()), None, "another project says nothing");
    }

    #[test]
    fn one_images_failure_is_told_from_the_whole_registrys() {
        let ratio = |image: &str| {
            let other = facts::Container { image: image.into(), started: true, ..Default::default() };
            let scene = Scene::pod(IMAGE, &[]).change(|s| {
                s.pods[0].containers[0].waiting = Some(facts::Waiting::default());
                let containers = vec![other];
                s.pods.push(facts::Pod { containers, node: "w".into(), ..Default::default() });
            });
            table_of(&scene).and_then(|t| t.rows.last().and_then(|r| r.last().cloned()))
        };
        assert_eq!(ratio("reg.example.com/other/thing:2").as_deref(), Some("1/2"));
        assert_eq!(ratio("quay.io/other/thing:2"), None);
    }

    #[test]
    fn requests_by_hand_and_failing_ratios_stand_beside_it() {
        let command =
            "for i in 1 2 3; do curl -s -o /dev/null -w \"%{http_code} \" https://reg.example.com/v2/; done";
        let scene = Scene::pod(IMAGE, &[]).output(command, "200 401 200\n");
        let table = table_of(&scene).expect("somebody asked by hand");
        assert_eq!(table.rows[1].last().map(String::as_str), Some("1/3: 401"));
    }
}
