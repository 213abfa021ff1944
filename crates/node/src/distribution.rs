//! Whose node it is, told from its files, its kubelet and its runtime.

use crate::recording::Recording;
use crate::runtime::Chosen;
use crate::tree::Look;
use emulate::distribution::{self, Defaults, Signs};
use formats::systemd_unit;
use report::node::Distribution;

/// The row of this node.
pub fn of(files: &Recording<'_>, chosen: Option<&Chosen>) -> &'static Defaults {
    let release = files.text("/etc/os-release").unwrap_or_default();
    let variables = systemd_unit::variables(&release);
    distribution::of(&Signs {
        os: variables.iter().filter(|(name, ..)| name == "ID").map(|(_, id, _)| id.as_str()).collect(),
        // Labels and the kubelet's version are the API server's to tell.
        kubelet: Vec::new(),
        runtime: chosen.iter().map(|c| c.version.as_str()).collect(),
        labels: Vec::new(),
        path: &|path| !matches!(files.look(path), Look::Absent),
    })
}

/// The row as a report has it; none for a node without marks.
pub fn shown(row: &Defaults) -> Option<Distribution> {
    (row.of != distribution::Distribution::Plain).then(|| Distribution {
        id: row.id.to_owned(),
        name: row.name.to_owned(),
        kept: row.kept.iter().map(|(path, kept)| ((*path).to_owned(), kept.word().to_owned())).collect(),
        change: row.change.to_owned(),
        source: row.source.to_owned(),
    })
}
