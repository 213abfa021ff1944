//! Upstream's defects that apply to a version: data, so that one more is one more row.

use super::{Finding, Lint};
use crate::containerd::Version;

/// One defect.
#[derive(Debug, PartialEq, Eq)]
pub struct Defect {
    /// What it shows as.
    pub lint: Lint,
    /// The first version that has it.
    pub since: (u32, u32, u32),
    /// The first of each line that does not have it any more; a line that is not named still has it.
    pub fixed: &'static [(u32, u32, u32)],
    /// A word that the finding's arguments hold, where the lint alone does not tell; empty for any.
    pub mark: &'static str,
    /// Where it is described in public.
    pub reference: &'static str,
}

/// All that are known for containerd.
pub const DEFECTS: &[Defect] = &[
    // The transfer service takes a list of directories for one; no release up to 2.4.2 splits it.
    Defect {
        lint: Lint::PathListAsOneDirectory,
        since: (2, 1, 0),
        fixed: &[],
        mark: "",
        reference: "https://github.com/containerd/containerd/issues/12415",
    },
    // A hosts.toml that has `server` and no `[host]` table is dropped as a whole.
    Defect {
        lint: Lint::FileDropped,
        since: (1, 6, 0),
        fixed: &[(1, 7, 32), (2, 0, 0)],
        mark: "invalid `host` tree",
        reference: "https://github.com/containerd/containerd/issues/10027",
    },
    // The built-in config_path is filled in before the check against mirrors.
    Defect {
        lint: Lint::CriNotLoaded,
        since: (2, 2, 0),
        fixed: &[(2, 2, 2)],
        mark: "`mirrors` cannot be set",
        reference: "https://github.com/containerd/containerd/issues/12612",
    },
];

/// Whether this version has it.
pub fn applies(defect: &Defect, version: &Version) -> bool {
    let (a, b, c) = defect.since;
    version.since(a, b, c)
        && !defect.fixed.iter().any(|(a, b, c)| {
            // A fix is carried to its own line; the newest one holds for all lines after it.
            let newest = defect.fixed.iter().max() == Some(&(*a, *b, *c));
            version.since(*a, *b, *c) && (newest || version.line(*a, *b))
        })
}

/// Names the defect behind a finding.
pub fn name(finding: &mut Finding, version: &Version) {
    finding.defect = DEFECTS.iter().find(|d| {
        d.lint == finding.lint
            && applies(d, version)
            && (d.mark.is_empty() || finding.args.iter().any(|(_, v)| v.contains(d.mark)))
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has(at: usize, version: &str) -> bool {
        applies(&DEFECTS[at], &Version::parse(version).unwrap())
    }

    #[test]
    fn versions_that_have_them() {
        for (at, version, want) in [
            (0, "2.0.9", false),
            (0, "2.1.0", true),
            (0, "2.4.2", true),
            (1, "1.6.39", true),
            (1, "1.7.31", true),
            (1, "1.7.32", false),
            (1, "2.2.0", false),
            (2, "2.1.9", false),
            (2, "2.2.1", true),
            (2, "2.2.2", false),
            (2, "2.3.0", false),
        ] {
            assert_eq!(has(at, version), want, "{at} {version}");
        }
    }
}
