//! What k3s and RKE2 were told: in their config.yaml, in their unit, on their command line.

use crate::case::Case;
use crate::lines::{Line, Source};

/// The value of a setting on a node, or on any, and the line that has it: the command line counts before the file
/// (k3s-io/k3s pkg/configfilearg). What a flag without a value says is `true`.
pub fn setting<'a>(case: &Case<'a>, node: Option<&str>, key: &str) -> Option<(String, Line<'a>)> {
    let lines = case.lines_with(key);
    let here = |l: &&Line<'a>| node.is_none_or(|n| l.node().is_none_or(|own| own.is_empty() || own == n));
    let own = || lines.iter().filter(here);
    let flag = own().find_map(|l| Some((of_flag(l, key)?, *l)));
    flag.or_else(|| own().find_map(|l| Some((of_file(l, key)?, *l))))
}

/// `key: value` at the top of a config.yaml.
fn of_file(line: &Line<'_>, key: &str) -> Option<String> {
    let Source::File(_, path) = line.source else { return None };
    let is_config = path.starts_with("/etc/rancher/") && path.contains("/config.yaml");
    let value = line.text.strip_prefix(key).filter(|_| is_config)?.strip_prefix(':')?;
    let value = value.split(" #").next().unwrap_or_default();
    Some(value.trim().trim_matches(['"', '\'']).to_owned())
}

/// `--key=value`, `--key value` or `--key` of a process or of a unit, which the installer writes with one word on a line.
fn of_flag(line: &Line<'_>, key: &str) -> Option<String> {
    let words: Vec<&str> =
        line.text.split_whitespace().map(|w| w.trim_matches(['"', '\''])).filter(|w| *w != "\\").collect();
    let program =
        |w: &str| matches!(w.rsplit(['/', '=']).next(), Some("k3s" | "rke2" | "k3s-server" | "k3s-agent"));
    let is_own = match line.source {
        Source::File(_, path) => {
            let mut folders = path.split('/').filter(|f| f.contains(".service"));
            folders.any(|f| f.starts_with("k3s") || f.starts_with("rke2"))
                && !line.text.trim().starts_with('#')
        }
        _ => words.windows(2).any(|w| program(w[0]) && matches!(w[1], "server" | "agent")),
    };
    let at =
        words.iter().position(|w| w.strip_prefix("--").is_some_and(|w| w.split('=').next() == Some(key)))?;
    if !is_own {
        return None;
    }
    match words[at].split_once('=') {
        Some((_, value)) => Some(value.trim_matches(['"', '\'']).to_owned()),
        None => Some(words.get(at + 1).filter(|w| !w.starts_with('-')).map_or("true", |w| w).to_owned()),
    }
}

/// The file that registries are read from in place of the default one.
pub fn registries_file<'a>(case: &Case<'a>, node: &str) -> Option<(String, Line<'a>)> {
    setting(case, Some(node), "private-registry")
        .filter(|(path, _)| path.starts_with('/') && !emulate::k3s::PATHS.contains(&path.as_str()))
}
