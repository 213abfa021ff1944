//! Versions of programs, where the input states them.

use crate::builder::Builder;
use crate::context::Context;
use facts::StatedVersion;
use formats::transcript::Command;
use regex::Regex;
use std::sync::LazyLock;

#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static PROGRAM: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*([A-Za-z][A-Za-z0-9 ._/+-]*?)\s*(?:version)?\s*[:=]?\s+v?(\d+(?:\.\d+)+[\w.+~-]*)\s*(?:\(.*\))?\s*$")
        .expect("constant pattern")
});
#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static STARTING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"msg="starting containerd".*?\bversion="?v?([\w.+~-]+)"#).expect("constant pattern")
});
#[expect(clippy::expect_used, reason = "a constant pattern, compiled by every test")]
static PRINTED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:^|\s|:|/|containerd\.io)v?(\d+\.\d+(?:\.\d+)?[\w.+~-]*)").expect("constant pattern")
});

/// `environment.txt`: one program and its version a line, and the registry's product as the operator calls it.
pub fn environment(builder: &mut Builder, context: &Context, text: &str) {
    for (n, line) in (1_u32..).zip(text.lines()) {
        if let Some((what, product)) = line.split_once(':')
            && what.to_ascii_lowercase().contains("registry")
        {
            let (name, version) = product_and_version(product.trim());
            push(builder, context, name, version, n);
        } else if let Some(found) = PROGRAM.captures(line) {
            let get = |i| found.get(i).map_or("", |m| m.as_str());
            push(builder, context, program(get(1)), get(2), n);
        }
    }
}

/// `Harbor 2.2.2`, `Nexus 3.77.1-01 (OSS)`, `in-cluster registry`.
fn product_and_version(product: &str) -> (&str, &str) {
    let is_version =
        |w: &str| w.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit()) && w.contains('.');
    match product.split_whitespace().find(|w| is_version(w)) {
        Some(version) => {
            let name = product.split(version).next().unwrap_or(product).trim();
            (name, version.trim_start_matches('v'))
        }
        None => (product, ""),
    }
}

/// The usual name of a program that goes by several.
fn program(name: &str) -> &str {
    let name = name.trim().trim_end_matches("version").trim();
    match name.to_ascii_lowercase().as_str() {
        "crio" | "cri-o" => "cri-o",
        "docker engine" | "docker-ce" | "dockerd" | "docker" => "docker",
        "kubernetes" | "kubelet" => "kubelet",
        "containerd" | "containerd.io" => "containerd",
        _ => name,
    }
}

/// `containerd --version`, `crictl version`, `docker version`.
pub fn output(builder: &mut Builder, context: &Context, command: &Command<'_>, text: &str) {
    let asks = command.has("--version") || command.has("version") || command.has("-v");
    let known = matches!(
        command.program,
        "containerd" | "crio" | "docker" | "kubelet" | "k3s" | "rke2" | "podman" | "buildah" | "skopeo"
    );
    if !asks || !known {
        return;
    }
    let first = text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default();
    if let Some(version) = PRINTED.captures(first).and_then(|c| c.get(1)) {
        push(builder, context, program(command.program), version.as_str(), 0);
    }
}

/// What a runtime's log says of its own version at its start. The last start counts.
pub fn log_line(builder: &mut Builder, context: &Context, line: &str, number: u32) {
    if !line.contains("starting containerd") {
        return;
    }
    if let Some(version) = STARTING.captures(line).and_then(|c| c.get(1)) {
        push(builder, context, "containerd", version.as_str(), number);
    }
}

fn push(builder: &mut Builder, context: &Context, program: &str, version: &str, line: u32) {
    if program.is_empty() || builder.snapshot.versions.len() >= 1_000 {
        return;
    }
    builder.snapshot.versions.push(StatedVersion {
        program: program.to_owned(),
        version: version.trim_start_matches('v').to_owned(),
        node: context.node(),
        origin: context.origin(line),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::place::Roots;

    #[test]
    fn programs_and_products() {
        let mut builder = Builder::new(Limits::default());
        let context = Context::new("environment.txt", "in/environment.txt", &Roots::default());
        let text = "kubelet v1.29.2+k3s1\ncontainerd v1.7.11-k3s2\nCRI-O: 1.34.1\nregistry product (as stated by the operator): Harbor 2.2.2\nOS: Ubuntu\n";
        environment(&mut builder, &context, text);
        let got: Vec<_> =
            builder.snapshot.versions.iter().map(|v| (v.program.as_str(), v.version.as_str())).collect();
        assert_eq!(
            got,
            [
                ("kubelet", "1.29.2+k3s1"),
                ("containerd", "1.7.11-k3s2"),
                ("cri-o", "1.34.1"),
                ("Harbor", "2.2.2")
            ]
        );
        assert_eq!(product_and_version("in-cluster registry"), ("in-cluster registry", ""));
    }

    #[test]
    fn a_log_says_which_containerd_started() {
        let line = r#"time="2026-04-11T07:40:12Z" level=info msg="starting containerd" version=v2.2.1"#;
        let mut builder = Builder::new(Limits::default());
        let context = Context::new("journal.txt", "in/journal.txt", &Roots::default());
        log_line(&mut builder, &context, line, 1);
        assert_eq!(builder.snapshot.versions[0].version, "2.2.1");
    }
}
