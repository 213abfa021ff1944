//! A node report for a terminal: the runtime and its way, the endpoints in their order, what is wrong in which line, what
//! was not seen.

use super::canvas::{Canvas, Span, cells, span};
use super::paint::Label;
use super::section::Section;
use super::{Detail, climbs, evidence, spots};
use crate::Look;
use crate::hostile::plain;
use crate::words::Words;
use report::Climb;
use report::node::{Client, Endpoint, Finding, Machine, NodeReport, Pull, PullOutcome, Runtime, Said};

/// The whole report.
pub fn node(report: &NodeReport, climbs: &[Climb], look: &Look) -> String {
    let words = Words::of(look.lang);
    let mut canvas = Canvas::new(look.width, look.color);
    head(&mut canvas, words, report);
    if let Some(runtime) = &report.runtime {
        canvas.gap();
        about(&mut canvas, words, report, runtime);
    }
    if let Some(machine) = &report.machine {
        around(&mut canvas, words, machine);
    }
    if report.image.is_some() && report.runtime.is_some() {
        canvas.gap();
        endpoints(&mut canvas, words, report);
    }
    if !report.clients.is_empty() {
        canvas.gap();
        others(&mut canvas, words, &report.clients);
    }
    for climb in climbs {
        canvas.gap();
        climbs::alone(&mut canvas, words, climb);
    }
    if let Some(pull) = &report.pull {
        canvas.gap();
        pulled(&mut canvas, words, pull);
    }
    if !report.errors.is_empty() {
        canvas.gap();
        let mut section = Section::new(&canvas, words, "head-node-errors");
        for error in &report.errors {
            section.put(&mut canvas, &[span(Label::Failed, plain(error))]);
        }
    }
    if !report.findings.is_empty() {
        canvas.gap();
        findings(&mut canvas, words, &report.findings);
    }
    spots::draw(&mut canvas, words, &report.blind_spots, Detail::Full);
    canvas.finish()
}

fn head(canvas: &mut Canvas, words: &Words, report: &NodeReport) {
    let node = if report.node.is_empty() { words.get("node-unnamed") } else { plain(&report.node) };
    let state = match &report.runtime {
        None => words.get("node-no-runtime"),
        Some(r) => {
            let name = format!("{} {}", r.name, r.version);
            words.with(&format!("node-state-{}", r.state), &[("runtime", name.trim())])
        }
    };
    let bad = report.runtime.as_ref().is_none_or(|r| r.state != "ok");
    let label = if bad { Label::Failed } else { Label::Strong };
    let mut parts = vec![span(Label::Strong, format!("{node} · ")), span(label, state)];
    if let Some(at) = report.taken_at {
        parts.push(span(Label::Faint, format!("\u{a0}\u{a0} {}", at.strftime("%Y-%m-%d %H:%M:%SZ"))));
    }
    canvas.text(0, &parts);
}

/// One row of a section with named rows.
struct Row(String, Vec<Span>);

fn rows(canvas: &mut Canvas, words: &Words, head: &str, rows: Vec<Row>) {
    let widest = rows.iter().map(|r| cells(&r.0)).max().unwrap_or(0);
    let mut section = Section::new(canvas, words, head);
    for Row(name, body) in rows {
        section.put_named(canvas, &name, widest, &body);
    }
}

fn about(canvas: &mut Canvas, words: &Words, report: &NodeReport, runtime: &Runtime) {
    let mut all = Vec::new();
    let mut row = |key: &str, text: String| {
        all.push(Row(words.get(key), vec![span(Label::Plain, plain(&text))]));
    };
    let config = &runtime.config;
    if let Some(distribution) = &report.distribution {
        row("node-row-distribution", distribution.name.clone());
        for (path, kept) in &distribution.kept {
            row("node-row-kept", words.with(&format!("kept-{kept}"), &[("path", path)]));
        }
        if !distribution.change.is_empty() {
            row("node-row-change", distribution.change.clone());
        }
    }
    if let Some(path) = &runtime.pull_path {
        let because = config.local_because.as_deref().unwrap_or("none");
        let key = format!("node-pull-path-{path}");
        row("node-row-pull-path", words.with(&key, &[("because", because)]));
    }
    let files: Vec<&str> = config.files.iter().map(|(p, _)| p.as_str()).collect();
    let none = if report.assumed.is_empty() { "node-no-files" } else { "node-files-unread" };
    row("node-row-files", if files.is_empty() { words.get(none) } else { files.join(", ") });
    if let Some(path) = &config.config_path {
        row("node-row-config-path", if path.is_empty() { words.get("node-none") } else { path.clone() });
    }
    for (key, list) in [("node-row-mirrors", &config.mirrors), ("node-row-hosts", &config.hosts)] {
        if !list.is_empty() {
            row(key, list.join(", "));
        }
    }
    if let Some(image) = &config.sandbox_image {
        row("node-row-sandbox", image.clone());
    }
    if let Some(process) = &runtime.process {
        let started = process.started.map(|s| s.strftime("%Y-%m-%d %H:%M:%SZ").to_string());
        let pid = process.pid.to_string();
        row(
            "node-row-process",
            words.with("node-process", &[("pid", &pid), ("started", started.as_deref().unwrap_or("?"))]),
        );
        let proxies: Vec<String> = process
            .environment
            .iter()
            .filter(|(n, _)| n.to_ascii_uppercase().ends_with("_PROXY"))
            .map(|(n, v)| format!("{n}={v}"))
            .collect();
        row(
            "node-row-proxy",
            if proxies.is_empty() { words.get("node-proxy-none-set") } else { proxies.join(" ") },
        );
    }
    if let Some(cri) = &runtime.cri {
        let state = words.get(&format!("node-cri-{}", cri.state));
        let images = cri.images.map(|n| words.with("node-images", &[("count", &n.to_string())]));
        let parts = [Some(cri.socket.clone()), Some(state), images];
        row("node-row-cri", parts.into_iter().flatten().collect::<Vec<_>>().join(" · "));
        for condition in &cri.conditions {
            row("node-row-condition", condition.clone());
        }
    }
    for other in &report.others {
        row("node-row-other", format!("{} {} ({})", other.name, other.version, other.shown_by));
    }
    rows(canvas, words, "head-node-runtime", all);
}

fn around(canvas: &mut Canvas, words: &Words, machine: &Machine) {
    let mut all = Vec::new();
    let mut row = |key: &str, text: String| {
        all.push(Row(words.get(key), vec![span(Label::Plain, plain(&text))]));
    };
    if !machine.name_servers.is_empty() {
        row("node-row-dns", machine.name_servers.join(", "));
    }
    for entry in &machine.hosts_entries {
        row("node-row-hosts-file", entry.clone());
    }
    for lookup in &machine.lookups {
        let (go, glibc) = (lookup.go.join(", "), lookup.glibc.join(", "));
        let args = [("host", lookup.host.as_str()), ("go", &go), ("glibc", &glibc)];
        row("node-row-lookup", words.with("node-lookup", &args));
    }
    let none = || words.get("node-none");
    row(
        "node-row-route",
        if machine.default_routes.is_empty() { none() } else { machine.default_routes.join(", ") },
    );
    if let Some(ms) = machine.clock_error_ms {
        row("node-row-clock", words.with("node-clock-bound", &[("ms", ms.to_string().as_str())]));
    } else if let Some(synchronized) = machine.clock_synchronized {
        row("node-row-clock", words.get(if synchronized { "node-clock-kept" } else { "node-clock-free" }));
    }
    if let Some(store) = &machine.store {
        let gib = |bytes: u64| format!("{:.1}", bytes as f64 / f64::from(1 << 30));
        let args =
            [("path", store.path.as_str()), ("free", &gib(store.bytes_free)), ("all", &gib(store.bytes))];
        row("node-row-store", words.with("node-store", &args));
    }
    if let Some(kubelet) = &machine.kubelet {
        let settings: Vec<String> = kubelet.settings.iter().map(|(n, v)| format!("{n}={v}")).collect();
        if !settings.is_empty() {
            row("node-row-kubelet", settings.join(" "));
        }
        for (name, patterns) in &kubelet.providers {
            row("node-row-provider", format!("{name}: {}", patterns.join(", ")));
        }
        if let Some(records) = &kubelet.records {
            let (pulled, pulling) = (records.pulled.to_string(), records.pulling.len().to_string());
            row(
                "node-row-records",
                words.with("node-records", &[("pulled", pulled.as_str()), ("pulling", &pulling)]),
            );
            for record in &records.of_image {
                let who = [record.secrets.as_slice(), &record.accounts].concat().join(", ");
                let key = if record.for_all { "node-record-for-all" } else { "node-record-for" };
                row("node-row-records", words.with(key, &[("image", record.image.as_str()), ("who", &who)]));
            }
        }
    }
    canvas.gap();
    rows(canvas, words, "head-node-machine", all);
}

fn endpoints(canvas: &mut Canvas, words: &Words, report: &NodeReport) {
    let mut section = Section::new(canvas, words, "head-node-endpoints");
    let registry = report.registry.clone().unwrap_or_else(|| words.get("node-none"));
    let image = report.image.as_deref().unwrap_or_default();
    let dir = report.host_dir.clone().unwrap_or_else(|| words.get("node-none"));
    section.put(
        canvas,
        &[span(
            Label::Faint,
            words.with("node-asked-for", &[("image", image), ("registry", &registry), ("dir", &dir)]),
        )],
    );
    if !report.assumed.is_empty() {
        let unread = words.with("node-assumed", &[("files", &report.assumed.join(", "))]);
        section.put(canvas, &[span(Label::Doubtful, unread)]);
    }
    for (n, e) in report.endpoints.iter().enumerate() {
        section.put(canvas, &[span(Label::Strong, format!("{}. {}", n + 1, plain(&e.url)))]);
        for line in details(words, e) {
            section.put_within(canvas, 3, &line);
        }
    }
    if let Some(present) = report.runtime.as_ref().and_then(|r| r.cri.as_ref()).and_then(|c| c.image_present)
    {
        let key = if present { "node-image-present" } else { "node-image-absent" };
        section.put(canvas, &[span(Label::Plain, words.get(key))]);
    }
}

/// What other clients here would do differently.
fn others(canvas: &mut Canvas, words: &Words, clients: &[Client]) {
    let mut section = Section::new(canvas, words, "head-node-clients");
    let value = |said: &Said| words.with(&format!("client-{}", said.word), &[("value", said.value.as_str())]);
    for client in clients {
        let key = if client.differences.is_empty() { "client-same" } else { "client-differs" };
        let line = words.with(key, &[("name", client.name.as_str()), ("path", &client.path)]);
        section.put(canvas, &[span(Label::Strong, line)]);
        for d in &client.differences {
            let what = words.get(&format!("client-what-{}", d.what));
            let args =
                [("what", what.as_str()), ("client", &value(&d.client)), ("runtime", &value(&d.runtime))];
            section.put_within(canvas, 2, &[span(Label::Plain, words.with("client-difference", &args))]);
        }
    }
}

fn pulled(canvas: &mut Canvas, words: &Words, pull: &Pull) {
    let mut section = Section::new(canvas, words, "head-node-pull");
    let user = pull.user.as_deref().unwrap_or("none");
    let seconds = format!("{:.1}", pull.took_ms as f64 / 1000.0);
    let image = pull.image_ref.as_deref().unwrap_or(&pull.image);
    let said = words.with(
        &format!("node-pull-{}", pull.outcome.word()),
        &[("image", image), ("user", user), ("seconds", &seconds)],
    );
    let label = if pull.outcome == PullOutcome::Pulled { Label::Passed } else { Label::Failed };
    section.put(canvas, &[span(label, said)]);
    if let Some(error) = &pull.error {
        section.put_within(canvas, 2, &[span(Label::Plain, plain(error))]);
    }
    if let Some(cause) = pull.cause {
        let line = format!("{}: {}", cause.id(), words.meaning(cause));
        section.put_within(canvas, 2, &[span(Label::Faint, line)]);
    }
}

fn details(words: &Words, e: &Endpoint) -> Vec<Vec<Span>> {
    let mut lines = Vec::new();
    let mut line = |label: Label, text: String| lines.push(vec![span(label, plain(&text))]);
    if let Some(repository) = &e.repository {
        line(Label::Plain, words.with("node-endpoint-repository", &[("name", repository)]));
    }
    line(Label::Faint, words.with("node-endpoint-may", &[("list", &e.capabilities.join(", "))]));
    if e.skip_verify {
        line(Label::Doubtful, words.get("node-endpoint-unverified"));
    } else if e.url.starts_with("http:") {
        line(Label::Doubtful, words.get("node-endpoint-plain"));
    } else if e.ca.is_empty() {
        line(Label::Plain, words.get("node-endpoint-system-roots"));
    } else {
        line(Label::Plain, words.with("node-endpoint-ca", &[("files", &e.ca.join(", "))]));
    }
    if e.http_fallback {
        line(Label::Doubtful, words.get("node-endpoint-fallback"));
    }
    for pair in &e.client {
        let key = pair.key.as_deref().unwrap_or(&pair.cert);
        line(Label::Plain, words.with("node-endpoint-client", &[("cert", &pair.cert), ("key", key)]));
    }
    for (name, values) in &e.headers {
        line(Label::Faint, format!("{name}: {}", values.join(", ")));
    }
    match (&e.proxy, e.proxy_because.as_str()) {
        (Some(proxy), because) => {
            line(Label::Plain, words.with("node-endpoint-proxy", &[("proxy", proxy), ("because", because)]));
        }
        (None, "") => {}
        (None, "none-set") => line(Label::Faint, words.get("node-proxy-none-set")),
        (None, because) => {
            line(Label::Faint, words.with("node-endpoint-direct", &[("because", because)]));
        }
    }
    for c in &e.credentials {
        let user = c.user.as_deref().unwrap_or("?");
        let args = [("from", c.from.as_str()), ("key", &c.key), ("user", user)];
        line(Label::Plain, words.with("node-endpoint-credential", &args));
    }
    lines
}

fn findings(canvas: &mut Canvas, words: &Words, all: &[Finding]) {
    let mut section = Section::new(canvas, words, "head-node-findings");
    for f in all {
        let label = match f.level.as_str() {
            "error" => Label::Failed,
            "warning" => Label::Doubtful,
            _ => Label::Plain,
        };
        let level = words.get(&format!("level-{}", f.level));
        section.put(
            canvas,
            &[span(label, format!("{level}:")), span(Label::Plain, format!(" {}", sentence(words, f)))],
        );
        let mut place = plain(&f.path);
        for number in [f.line, f.column].into_iter().take_while(|n| *n > 0) {
            place.push_str(&format!(":{number}"));
        }
        if !place.is_empty() {
            section.put_within(canvas, 2, &[span(Label::Faint, place)]);
        }
        if !f.snippet.is_empty() {
            evidence::source_line(canvas, &section, f.line, f.column, &f.snippet);
        }
        if let Some(reference) = &f.reference {
            let words = words.with("node-defect", &[("reference", reference)]);
            section.put_within(canvas, 2, &[span(Label::Faint, words)]);
        }
    }
}

/// The sentence of a finding: `lint-<id>`, or `lint-<id>-<why>` where it has a reason of its own.
pub fn sentence(words: &Words, f: &Finding) -> String {
    let args: Vec<(&str, &str)> = f.args.iter().map(|(n, v)| (n.as_str(), v.as_str())).collect();
    let key = match f.args.get("why") {
        Some(why) => format!("lint-{}-{why}", f.id),
        None => format!("lint-{}", f.id),
    };
    let said = words.with(&key, &args);
    match f.args.get("instead") {
        Some(instead) => format!("{said}. {}", words.with("lint-instead", &[("instead", instead)])),
        None => said,
    }
}
