//! Registries for which a node's own configuration holds credentials: containerd's `registry.configs."HOST".auth` and
//! `registry.auths`, in whatever file they stand. Values are not looked at.

use regex::Regex;
use std::sync::LazyLock;

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static TABLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"^\s*\[.*\bregistry\.(?:configs\.(?:"([^"]+)"|'([^']+)'|([A-Za-z0-9_-]+))\.auth|auths\.(?:"([^"]+)"|'([^']+)'))\s*\]"#)
        .expect("constant pattern")
});

/// The hosts, as written, with the line (from 1) of the table's head.
pub fn hosts(text: &str) -> Vec<(String, u32)> {
    (1..)
        .zip(text.lines())
        .filter_map(|(number, line)| {
            let found = TABLE.captures(line)?;
            let host = found.iter().skip(1).flatten().next()?;
            Some((host.as_str().to_owned(), number))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_tables_name_the_hosts() {
        let text = "[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = \"\"\n\n  [plugins.\"io.containerd.grpc.v1.cri\".registry.configs.\"docker.io\".auth]\n    username = \"u\"\n[plugins.cri.registry.configs.'r.example.com:5000'.auth]\n[plugins.cri.registry.configs.\"x\".tls]\n[plugins.cri.registry.auths.\"https://a.example.com\"]";
        let wanted = [("docker.io", 4), ("r.example.com:5000", 6), ("https://a.example.com", 8)];
        let got = hosts(text);
        assert_eq!(got.iter().map(|(h, l)| (h.as_str(), *l)).collect::<Vec<_>>(), wanted);
    }
}
