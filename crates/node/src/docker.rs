//! Docker Engine's side of a node report.

use crate::endpoints;
use crate::recording::Recording;
use crate::tree::Look;
use crate::way::Way;
use emulate::containerd::Version;
use emulate::docker;
use emulate::lint::Finding;
use report::node::{Config, NodeReport, Runtime};

/// What Docker Engine of this version does with these files. Returns the proxies that daemon.json names.
pub fn inspect(
    files: &Recording<'_>,
    version: Option<&Version>,
    report: &mut NodeReport,
    findings: &mut Vec<Finding>,
) -> (Vec<(String, String)>, Way) {
    let image = report.image.clone();
    let r = docker::resolve(files, version, image.as_deref().unwrap_or("docker.io/library/none"));
    files.walk("/etc/docker/certs.d", 2);
    findings.extend(r.findings);
    let fails = r.settings.invalid.is_some();
    report.errors = if image.is_some() || fails { r.errors } else { Vec::new() };
    report.runtime = Some(Runtime {
        state: if fails { "daemon-fails" } else { "ok" }.to_owned(),
        pull_path: Some(r.store.word().to_owned()),
        config: Config {
            files: r.settings.found.then(|| (docker::DAEMON_JSON.to_owned(), 0)).into_iter().collect(),
            mirrors: r.settings.mirrors.iter().map(|m| m.value.clone()).collect(),
            hosts: r.settings.insecure.iter().map(|i| i.value.clone()).collect(),
            ..Config::default()
        },
        ..Runtime::default()
    });
    let mut way = Way::default();
    if image.is_some() {
        let unread = matches!(files.look(docker::DAEMON_JSON), Look::Blind(..));
        report.assumed.extend(unread.then(|| docker::DAEMON_JSON.to_owned()));
        way = Way::with_headers(r.endpoints.iter());
        report.registry = Some(r.registry);
        report.host_dir = r.host_dir;
        report.endpoints = r.endpoints.iter().map(|e| endpoints::shown(e, None)).collect();
    }
    (r.settings.proxies, way)
}
