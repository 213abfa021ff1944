//! The table of causes as data for an index: every cause of the vocabulary, with what its rows say.

use crate::case::Case;
use crate::pull::{Pull, Timeline};
use crate::row::How;
use crate::subject::Subject;
use facts::Snapshot;
use report::{Asked, Sheet};
use vocabulary::{Cause, Operation};

/// One sheet for each cause, in the vocabulary's order.
pub fn sheets() -> Vec<Sheet> {
    Cause::ALL.iter().map(|cause| sheet(*cause)).collect()
}

fn sheet(cause: Cause) -> Sheet {
    let snapshot = Snapshot::default();
    let (case, pull) = (Case::new(&snapshot), placeholder());
    let mut sheet = Sheet { cause, shows_as: Vec::new(), behind: Vec::new(), questions: Vec::new() };
    for row in crate::rows() {
        if row.shows_as.contains(&cause) && !sheet.behind.contains(&row.cause) {
            sheet.behind.push(row.cause);
        }
        if row.cause != cause {
            continue;
        }
        for shown in row.shows_as.iter().filter(|c| !matches!(c, Cause::Unknown)) {
            if !sheet.shows_as.contains(shown) {
                sheet.shows_as.push(*shown);
            }
        }
        for expect in row.expects.iter().filter(|e| !matches!(e.how, How::Hint(_))) {
            let asked = Asked {
                says: expect.q.says(),
                proves: !matches!(expect.how, How::Must),
                command: expect
                    .q
                    .test
                    .as_ref()
                    .map(|t| (t.command)(&case, &pull, &Subject::Cluster))
                    .unwrap_or_default(),
            };
            if !sheet.questions.contains(&asked) {
                sheet.questions.push(asked);
            }
        }
    }
    sheet.shows_as.sort_unstable();
    sheet.behind.sort_unstable();
    sheet.questions.sort_by_key(|q| !q.proves);
    sheet
}

/// A pull whose every part is a word to replace.
fn placeholder() -> Pull<'static> {
    Pull {
        pod: None,
        container: None,
        namespace: "NAMESPACE",
        pod_name: "POD",
        container_name: "CONTAINER",
        node: "NODE",
        image: "IMAGE".into(),
        registry: "REGISTRY".into(),
        operation: Operation::Pull,
        observations: Vec::new(),
        earlier: Vec::new(),
        timeline: Timeline::default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_and_its_symptom_refer_to_each_other() {
        let all = sheets();
        let of = |cause: Cause| all.iter().find(|s| s.cause == cause).expect("every cause has a sheet");
        let root = of(Cause::DnsInconsistentResolvers);
        assert!(root.shows_as.contains(&Cause::DnsNotFound));
        assert!(root.questions.first().is_some_and(|q| q.proves && q.command.contains("dig")));
        assert!(of(Cause::DnsNotFound).behind.contains(&Cause::DnsInconsistentResolvers));
        assert_eq!(all.len(), Cause::ALL.len());
    }
}
