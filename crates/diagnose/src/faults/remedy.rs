//! What mends a node's registry configuration: the corrected content, the restart, and the way back.

use super::Scene;
use super::intent::Intent;
use crate::shell::word;
use crate::subject::Subject;
use emulate::containerd::{At, Endpoint, Resolution, Version};
use emulate::distribution::Kept;
use facts::NodeFacts;
use formats::registries_yaml::RegistriesYaml;
use report::{Remedy, Say, Step};
use vocabulary::Cause;

/// A file as a subject: one for all nodes that have the same path, so that one fault is one incident.
pub fn file(_: &Scene<'_, '_>, path: &str) -> Subject {
    Subject::File { node: String::new(), path: path.to_owned() }
}

fn service(scene: &Scene<'_, '_>) -> &'static str {
    scene.view.service()
}

fn restart_step(scene: &Scene<'_, '_>) -> Step {
    Step::Run(format!("systemctl restart {}", service(scene)))
}

/// Where the distribution has its hosts directories.
fn hosts(scene: &Scene<'_, '_>) -> String {
    scene.view.distribution.hosts.first().copied().unwrap_or("/etc/containerd/certs.d").to_owned()
}

fn backup(path: &str) -> Step {
    Step::Run(format!("cp -a {} {}", word(path), word(&format!("{path}.before"))))
}

fn restore(path: &str) -> Step {
    Step::Run(format!("cp -a {} {}", word(&format!("{path}.before")), word(path)))
}

/// Lines to put into a file that holds more than these: it is never written anew, since nobody knows what would be lost.
fn put_lines(path: &str, content: &str) -> Step {
    let lines: Vec<&str> = content.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    Step::Ask(Say::new("step-put-lines").with("file", path.to_owned()).with("lines", lines.join("  |  ")))
}

/// A remedy on one node first; containers go on running through a restart of the runtime.
fn remedy(scene: &Scene<'_, '_>, says: Say, steps: Vec<Step>, undo: Vec<Step>) -> Vec<Remedy> {
    let node = if scene.view.facts.name.is_empty() { scene.pull.node } else { &scene.view.facts.name };
    let (mut steps, mut undo) = (steps, undo);
    if let Some((step, in_vain)) = lasting(scene, &steps) {
        if in_vain {
            steps.clear();
            undo.clear();
        }
        steps.push(step);
    }
    let restarts = steps.iter().any(|s| matches!(s, Step::Run(c) if c.contains("systemctl restart")));
    vec![Remedy {
        says,
        scope: Say::new("scope-one-node-first").with("node", node.to_owned()),
        risk: Say::new(if restarts { "risk-runtime-restart" } else { "risk-none-running-pods" }),
        steps,
        undo,
    }]
}

/// On nodes whose files somebody writes: where the same change belongs so that it lasts, and whether it is in vain on the
/// node: k3s and RKE2 write theirs at the very restart that would bring it into force.
fn lasting(scene: &Scene<'_, '_>, steps: &[Step]) -> Option<(Step, bool)> {
    let row = scene.view.distribution;
    let names = |step: &Step, path: &str| match step {
        Step::Run(command) => command.contains(path),
        Step::Write { path: written, .. } => written.starts_with(path),
        Step::Ask(say) => say.args.iter().any(|(_, v)| v.starts_with(path)),
    };
    let (path, kept) = row.kept.iter().find(|(path, _)| steps.iter().any(|s| names(s, path)))?;
    let says = Say::new(match kept {
        Kept::UntilStart => "step-kept-until-start",
        Kept::UntilReplaced => "step-kept-until-replaced",
        Kept::PutBack => "step-kept-put-back",
        Kept::ReadOnly => "step-kept-read-only",
    });
    let in_vain = match kept {
        Kept::ReadOnly | Kept::PutBack => true,
        Kept::UntilStart => !row.services.is_empty(),
        Kept::UntilReplaced => false,
    };
    let step = Step::Ask(says.with("name", row.name).with("path", *path).with("change", row.change));
    Some((step, in_vain))
}

/// The runtime is restarted, so that it reads what is there.
pub fn restart(scene: &Scene<'_, '_>) -> Vec<Remedy> {
    remedy(
        scene,
        Say::new("remedy-restart-runtime").with("service", service(scene)),
        vec![restart_step(scene)],
        Vec::new(),
    )
}

/// The section and the version that this release reads, with one directory.
fn config_with(version: Option<&Version>, root: &str) -> String {
    let new = version.is_some_and(|v| v.since(2, 0, 0));
    if new {
        format!("version = 3\n\n[plugins.'io.containerd.cri.v1.images'.registry]\n  config_path = '{root}'\n")
    } else {
        format!(
            "version = 2\n\n[plugins.\"io.containerd.grpc.v1.cri\".registry]\n  config_path = \"{root}\"\n"
        )
    }
}

/// What brings a directory into force.
pub fn not_taken(scene: &Scene<'_, '_>, cause: Cause, intent: &Intent, r: &Resolution) -> Vec<Remedy> {
    match cause {
        Cause::ConfigHostDirMismatch => {
            let to = format!("{}/{}", intent.root.trim_end_matches('/'), scene.aim.registry);
            remedy(
                scene,
                Say::new("remedy-rename-directory").with("from", intent.dir.clone()).with("to", to.clone()),
                vec![Step::Run(format!("mv {} {}", word(&intent.dir), word(&to)))],
                vec![Step::Run(format!("mv {} {}", word(&to), word(&intent.dir)))],
            )
        }
        Cause::ConfigWrongFileLocation => {
            let root = r.roots.first().map_or_else(|| hosts(scene), String::clone);
            let to = format!("{}/{}", root.trim_end_matches('/'), scene.aim.registry);
            // What is in it, since the directory may be there already
            let copied = Step::Run(format!(
                "mkdir -p {} && cp -a {} {}",
                word(&to),
                word(&format!("{}/.", intent.dir)),
                word(&to)
            ));
            let (mut steps, mut undo) = (vec![copied], vec![Step::Run(format!("rm -r {}", word(&to)))]);
            if r.host_dir.as_ref() == Some(&to) {
                steps.insert(0, backup(&to));
                undo.push(restore(&to));
            }
            let says = Say::new("remedy-move-directory").with("from", intent.dir.clone()).with("to", to);
            remedy(scene, says, steps, undo)
        }
        _ => {
            let path = &scene.view.config;
            remedy(
                scene,
                Say::new("remedy-set-config-path")
                    .with("file", path.clone())
                    .with("dir", intent.root.clone()),
                vec![
                    backup(path),
                    put_lines(path, &config_with(scene.view.version.as_ref(), &intent.root)),
                    restart_step(scene),
                ],
                vec![restore(path), restart_step(scene)],
            )
        }
    }
}

/// hosts.toml in a form that every release takes.
pub fn mend_hosts_toml(scene: &Scene<'_, '_>, intent: &Intent) -> Vec<Remedy> {
    let generated = intent.dir.contains("/agent/etc/containerd/");
    if generated {
        return remedy(
            scene,
            Say::new("remedy-mend-source-of-generated").with("file", intent.file.clone()),
            vec![Step::Ask(Say::new("step-mend-registries-yaml")), restart_step(scene)],
            Vec::new(),
        );
    }
    remedy(
        scene,
        Say::new("remedy-mend-file").with("file", intent.file.clone()),
        vec![backup(&intent.file), put_lines(&intent.file, &hosts_toml(scene))],
        vec![restore(&intent.file)],
    )
}

/// A hosts.toml with a table of its own for the registry.
fn hosts_toml(scene: &Scene<'_, '_>) -> String {
    let host = &scene.aim.own_host;
    format!(
        "server = \"https://{host}\"\n\n[host.\"https://{host}\"]\n  capabilities = [\"pull\", \"resolve\"]\n  ca = \"ca.crt\"\n"
    )
}

/// A file under the name that is read.
pub fn rename(scene: &Scene<'_, '_>, path: &str, name: Option<&str>) -> Vec<Remedy> {
    let dir = emulate::files::parent(path);
    let to = format!("{dir}/{}", name.unwrap_or("ca.crt"));
    move_file(scene, path, &to)
}

/// A file at the place that is read.
pub fn move_file(scene: &Scene<'_, '_>, from: &str, to: &str) -> Vec<Remedy> {
    let mut steps = vec![Step::Run(format!(
        "mkdir -p {} && mv {} {}",
        word(emulate::files::parent(to)),
        word(from),
        word(to)
    ))];
    if ["registries.yaml", "daemon.json", ".conf"].iter().any(|name| to.ends_with(name)) {
        steps.push(restart_step(scene));
    }
    remedy(
        scene,
        Say::new("remedy-move-file").with("from", from.to_owned()).with("to", to.to_owned()),
        steps,
        vec![Step::Run(format!("mv {} {}", word(to), word(from)))],
    )
}

/// A file of another machine, on this one too.
pub fn copy_file(scene: &Scene<'_, '_>, path: &str, other: &NodeFacts) -> Vec<Remedy> {
    let content = other.files.get(path).and_then(|f| f.text.seen()).cloned().unwrap_or_default();
    let mut steps = vec![Step::Write { path: path.to_owned(), content }];
    if path.ends_with("registries.yaml") {
        steps.push(restart_step(scene));
    }
    remedy(
        scene,
        Say::new("remedy-copy-file").with("file", path.to_owned()).with("machine", other.name.clone()),
        steps,
        vec![Step::Run(format!("rm {}", word(path)))],
    )
}

/// Either mirrors or config_path.
pub fn mirrors_or_path(scene: &Scene<'_, '_>, at: &At) -> Vec<Remedy> {
    let path = at.path.to_string();
    remedy(
        scene,
        Say::new("remedy-mirrors-or-path").with("file", path.clone()),
        vec![
            backup(&path),
            Step::Ask(Say::new("step-move-mirrors-to-hosts-toml").with("line", at.line.to_string())),
            restart_step(scene),
        ],
        vec![restore(&path), restart_step(scene)],
    )
}

/// The section that is read.
pub fn section(scene: &Scene<'_, '_>, at: &At, section: &str) -> Vec<Remedy> {
    let path = at.path.to_string();
    let new = scene.view.version.as_ref().is_some_and(|v| v.since(2, 0, 0));
    let (version, name) =
        if new { ("3", "io.containerd.cri.v1.images") } else { ("2", "io.containerd.grpc.v1.cri") };
    remedy(
        scene,
        Say::new("remedy-move-section").with("from", section.to_owned()).with("to", name),
        vec![
            backup(&path),
            Step::Ask(Say::new("step-section-and-version").with("section", name).with("version", version)),
            restart_step(scene),
        ],
        vec![restore(&path), restart_step(scene)],
    )
}

/// TLS settings as files that are read at each pull.
pub fn to_hosts_toml(scene: &Scene<'_, '_>, r: &Resolution) -> Vec<Remedy> {
    let root = &r.roots.first().map_or_else(|| hosts(scene), String::clone);
    let path = format!("{root}/{}/hosts.toml", scene.aim.registry);
    let mut steps = vec![Step::Write { path: path.clone(), content: hosts_toml(scene) }];
    if r.roots.is_empty() {
        steps.push(put_lines(&scene.view.config, &config_with(scene.view.version.as_ref(), root)));
        steps.push(restart_step(scene));
    }
    remedy(
        scene,
        Say::new("remedy-write-hosts-toml").with("file", path.clone()),
        steps,
        vec![Step::Run(format!("rm {}", word(&path)))],
    )
}

/// The key as what it is looked up by is named.
pub fn key(scene: &Scene<'_, '_>, at: &At, name: &str, to: &str) -> Vec<Remedy> {
    let path = at.path.to_string();
    remedy(
        scene,
        Say::new("remedy-key").with("from", name.to_owned()).with("to", to.to_owned()),
        vec![
            backup(&path),
            Step::Ask(Say::new("step-key").with("line", at.line.to_string()).with("key", to.to_owned())),
            restart_step(scene),
        ],
        vec![restore(&path), restart_step(scene)],
    )
}

/// The sentence about a key that names another registry.
pub fn key_words(scene: &Scene<'_, '_>, name: &str) -> Say {
    Say::new("evidence-key-for-other-registry")
        .with("key", name.to_owned())
        .with("registry", scene.aim.registry.clone())
}

/// The capability that is lacking.
pub fn capability(scene: &Scene<'_, '_>, at: &At, lacks: &str) -> Vec<Remedy> {
    let path = at.path.to_string();
    remedy(
        scene,
        Say::new("remedy-capability").with("capability", lacks.to_owned()).with("file", path.clone()),
        vec![backup(&path), Step::Ask(Say::new("step-capabilities").with("line", at.line.to_string()))],
        vec![restore(&path)],
    )
}

/// The path under which the API lives.
pub fn path(scene: &Scene<'_, '_>, e: &Endpoint, at: &At, doubled: bool) -> Vec<Remedy> {
    let path = at.path.to_string();
    let step = if doubled {
        Say::new("step-override-path").with("line", at.line.to_string())
    } else {
        Say::new("step-mirror-path").with("line", at.line.to_string()).with("host", e.host.clone())
    };
    let mut steps = vec![backup(&path), Step::Ask(step)];
    let mut undo = vec![restore(&path)];
    if !path.ends_with("hosts.toml") {
        steps.push(restart_step(scene));
        undo.push(restart_step(scene));
    }
    remedy(scene, Say::new("remedy-mirror-path").with("host", e.host.clone()), steps, undo)
}

/// The address at which the registry answers.
pub fn address(scene: &Scene<'_, '_>, e: &Endpoint, at: &At) -> Vec<Remedy> {
    let path = at.path.to_string();
    remedy(
        scene,
        Say::new("remedy-endpoint-address").with("url", e.url()),
        vec![backup(&path), Step::Ask(Say::new("step-endpoint-address").with("line", at.line.to_string()))],
        vec![restore(&path)],
    )
}

/// A way to the registry itself.
pub fn way_back(scene: &Scene<'_, '_>, at: &At) -> Vec<Remedy> {
    let path = at.path.to_string();
    remedy(
        scene,
        Say::new("remedy-way-back").with("registry", scene.aim.own_host.clone()),
        vec![
            backup(&path),
            Step::Ask(
                Say::new("step-way-back")
                    .with("registry", scene.aim.registry.clone())
                    .with("url", format!("https://{}", scene.aim.own_host)),
            ),
            restart_step(scene),
        ],
        vec![restore(&path), restart_step(scene)],
    )
}

/// Keys at the place where they are read.
pub fn registries_yaml(scene: &Scene<'_, '_>, path: &str, _: &RegistriesYaml) -> Vec<Remedy> {
    let content = format!(
        "mirrors:\n  \"{}\":\n    endpoint:\n      - \"https://MIRROR\"\n    rewrite:\n      \"^(.*)$\": \"PREFIX/$1\"\nconfigs:\n  \"MIRROR\":\n    tls:\n      ca_file: /etc/rancher/ca.crt\n",
        scene.aim.registry
    );
    remedy(
        scene,
        Say::new("remedy-registries-yaml").with("file", path.to_owned()),
        vec![backup(path), put_lines(path, &content), restart_step(scene)],
        vec![restore(path), restart_step(scene)],
    )
}

/// The image by digest, or the mirror for tags too.
pub fn digest(scene: &Scene<'_, '_>, at: &At) -> Vec<Remedy> {
    let path = at.path.to_string();
    remedy(
        scene,
        Say::new("remedy-mirror-for-tags").with("file", path.clone()),
        vec![
            Step::Ask(Say::new("step-name-by-digest").with("image", scene.pull.image.clone())),
            Step::Ask(Say::new("step-mirror-for-tags").with("line", at.line.to_string())),
        ],
        Vec::new(),
    )
}
