//! Failing pulls and pushes in texts: outputs of clients, journals, logs of builds.
//!
//! What a line says is read by `formats::message`. A registry's own log is its side of somebody else's attempt, and a
//! probe made by hand is evidence about a pull, not a pull: neither is a sighting.

use crate::builder::Builder;
use crate::context::Context;
use crate::versions;
use facts::{Place, Sighting};
use formats::message::{self, Reading};
use formats::redact;
use formats::transcript::{Command, Form};
use vocabulary::{Cause, Operation, Runtime};

/// Bytes kept of one sighting.
const LONGEST: usize = 4096;

/// What a command was about.
#[derive(Clone, Debug, Default)]
struct About<'a> {
    program: &'a str,
    inside: Option<&'a str>,
    operation: Option<Operation>,
    image: &'a str,
}

/// The failures that a command's output shows. `line` is the first of the output.
pub fn output(
    builder: &mut Builder,
    context: &Context,
    command: Option<&Command<'_>>,
    text: &str,
    line: u32,
) {
    let Some(about) = command.and_then(about) else { return };
    lines(builder, context, &about, text, line);
}

/// The failures that a text without a command shows.
pub fn loose(builder: &mut Builder, context: &Context, form: Form, text: &str, line: u32) {
    let searched = match form {
        Form::Log | Form::PullOrPush => true,
        // A job's log, or what somebody noted; configurations say such words in comments.
        Form::Unknown => {
            let noted = matches!(context.place, Place::Ci | Place::Shell | Place::Elsewhere | Place::Kube);
            noted && ![".yaml", ".yml", ".json", ".toml", ".conf"].iter().any(|e| context.name().ends_with(e))
        }
        _ => false,
    };
    if searched && context.place != Place::Registry {
        lines(builder, context, &About::default(), text, line);
    }
}

/// The clients whose outputs are attempts, and what they were about.
fn about<'a>(command: &Command<'a>) -> Option<About<'a>> {
    let words = command.operands();
    let after = |verb: &str| {
        let at = words.iter().position(|w| *w == verb)?;
        words.get(at + 1).copied()
    };
    let (operation, image) = match command.program {
        "crictl" | "nerdctl" | "docker" | "podman" | "ctr" | "buildah" | "k3s" | "rke2" | "microk8s"
        | "minikube" => match (after("pull"), after("push"), after("run").or(after("build"))) {
            (Some(image), ..) => (Some(Operation::Pull), image),
            (_, Some(image), _) => (Some(Operation::Push), destination(command.program, &words, image)),
            (_, _, Some(_)) => (None, ""),
            _ if command.has("journalctl") || command.has("logs") || command.has("events") => (None, ""),
            _ => return None,
        },
        "skopeo" | "crane" | "oras" | "regctl" => match command.verb() {
            "copy" | "cp" | "sync" => (None, ""),
            "pull" => (Some(Operation::Pull), after("pull").unwrap_or_default()),
            "push" => {
                let first = after("push").unwrap_or_default();
                (Some(Operation::Push), destination(command.program, &words, first))
            }
            _ => return None,
        },
        "kubectl" | "oc" => match command.verb() {
            // Objects that describe and get print are facts of their own.
            "logs" => (None, ""),
            _ => return None,
        },
        "journalctl" | "kaniko" | "executor" | "docker-compose" | "systemctl" | "kubeadm" | "kind"
        | "img" | "buildctl" => (None, ""),
        "cat" | "tail" | "grep" | "head" | "less" | "zcat" => (None, ""),
        _ => return None,
    };
    let image = image.trim_start_matches("docker://");
    Some(About { program: command.program, inside: command.inside, operation, image })
}

/// What a push's command calls the image in the registry. buildah, podman and crane take the local name or file before it
/// (buildah-push(1) and podman-push(1): `IMAGE [DESTINATION]`; crane push: `PATH IMAGE`); the others name only the one.
fn destination<'a>(program: &str, words: &[&'a str], first: &'a str) -> &'a str {
    let pushed = words.iter().position(|w| *w == "push").and_then(|at| words.get(at + 2));
    match program {
        "buildah" | "podman" | "crane" => pushed.copied().unwrap_or(first),
        _ => first,
    }
}

fn lines(builder: &mut Builder, context: &Context, about: &About<'_>, text: &str, first: u32) {
    let mut pushes_to: Option<String> = None;
    let mut lines = (first..).zip(text.lines()).peekable();
    while let Some((number, line)) = lines.next() {
        if let Some(repository) = pushed_repository(line) {
            pushes_to = Some(repository.to_owned());
        }
        builder.time(formats::transcript::line_time(line));
        versions::log_line(builder, context, line, number);
        if !message::looks_like_failure(line.as_bytes()) || is_chatter(line) {
            continue;
        }
        let line = formats::kube::bounded(line, LONGEST);
        let reading = message::read(line);
        if says_nothing(&reading) {
            if let Some((whole, said)) = pushes_to.as_deref().and_then(|r| within_push(r, line)) {
                add(builder, context, about, pushes_to.as_deref(), &whole, number, &said);
            }
            continue;
        }
        if let Some((whole, said)) = lines.peek().and_then(|(_, next)| with_words(line, next, &reading)) {
            lines.next();
            add(builder, context, about, pushes_to.as_deref(), &whole, number, &said);
            continue;
        }
        add(builder, context, about, pushes_to.as_deref(), line, number, &reading);
    }
}

/// A status and, on the line below it, the registry's own words: containerd and BuildKit print them so since 2.1.3
/// (core/remotes/errors/errors.go). One failure, told best by both.
fn with_words(line: &str, next: &str, reading: &Reading) -> Option<(String, Reading)> {
    let words = next.trim();
    let begins_anew = words.is_empty()
        || words.starts_with(['#', '$', '>', '{'])
        || words.contains("msg=")
        || formats::transcript::line_time(words).is_some();
    if reading.cause != Cause::RegistryUnexpectedStatus || begins_anew {
        return None;
    }
    let whole = format!("{line}: {words}");
    let said = message::read(&whole);
    let better =
        !matches!(said.cause, Cause::RegistryUnexpectedStatus | Cause::Unknown | Cause::NotAPullFailure);
    better.then_some((whole, said))
}

fn says_nothing(reading: &Reading) -> bool {
    matches!(reading.cause, Cause::NotAPullFailure | Cause::Unknown)
}

/// A line that says only by what stands above it that it is about a push: docker ends one with the bare error
/// (docker/cli cli/command/image/push.go).
fn within_push(repository: &str, line: &str) -> Option<(String, Reading)> {
    let whole = format!("The push refers to repository [{repository}]\n{line}");
    let said = message::read(&whole);
    (!says_nothing(&said)).then_some((whole, said))
}

/// `The push refers to repository [registry.example.com/team/app]`.
fn pushed_repository(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("The push refers to ")?;
    rest.split_once('[')?.1.split_once(']').map(|(name, _)| name)
}

/// Lines that tell of one host's turn or of details: the attempt may still succeed, and its end has a line of its own.
fn is_chatter(line: &str) -> bool {
    ["level=info", "level=debug", "level=trace", "\"level\":\"info\"", "\"level\":\"debug\""]
        .iter()
        .any(|l| line.contains(l))
}

fn add(
    builder: &mut Builder,
    context: &Context,
    about: &About<'_>,
    pushes_to: Option<&str>,
    line: &str,
    number: u32,
    reading: &Reading,
) {
    let operation = about.operation.or(pushes_to.map(|_| Operation::Push));
    let image = if about.image.is_empty() { pushes_to.unwrap_or_default() } else { about.image };
    let client = client(context, about, line, reading);
    let node = context.node();
    let at = formats::transcript::line_time(line);
    let text = redact::text(line.trim()).into_owned();
    let same = builder.snapshot.sightings.iter_mut().rev().take(50).find(|s| {
        s.node == node
            && s.operation == operation
            && s.image == image
            && s.vantage.client == client
            && says_the_same(&s.text, &text, reading)
    });
    if let Some(same) = same {
        same.count = same.count.saturating_add(1);
        same.at = same.at.max(at);
        return;
    }
    if builder.snapshot.sightings.len() >= builder.limits.sightings {
        builder.blind(&context.source, facts::Why::Truncated, "more distinct failures than are kept", "");
        return;
    }
    builder.snapshot.sightings.push(Sighting {
        vantage: context.vantage(&client, about.inside),
        node,
        text,
        image: image.to_owned(),
        operation,
        at,
        count: 1,
        origin: context.origin(number),
    });
}

/// Whether an earlier line told of the same failure: the same cause for the same image in the same innermost words.
fn says_the_same(known: &str, text: &str, reading: &Reading) -> bool {
    if known == text {
        return true;
    }
    let other = message::read(known);
    other.cause == reading.cause
        && (other.image == reading.image || other.image.is_none() || reading.image.is_none())
        && other.endpoint_host == reading.endpoint_host
}

/// Who said it: the command's program, the journal's tag, or whose words they are.
fn client(context: &Context, about: &About<'_>, line: &str, reading: &Reading) -> String {
    let is_reader = matches!(
        about.program,
        "" | "journalctl"
            | "cat"
            | "tail"
            | "grep"
            | "head"
            | "less"
            | "zcat"
            | "kubectl"
            | "oc"
            | "systemctl"
    );
    if !is_reader {
        return about.program.to_owned();
    }
    if let Some(tag) = formats::transcript::journal_tag(line) {
        return tag.to_owned();
    }
    let name = context.name();
    for program in ["kubelet", "containerd", "crio", "dockerd", "buildkit", "kaniko"] {
        if name.contains(program) {
            return program.to_owned();
        }
    }
    match reading.runtime {
        Some(Runtime::Other) | None => match context.place {
            Place::Ci => "ci".to_owned(),
            _ => "log".to_owned(),
        },
        Some(runtime) => runtime.word().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_status_is_read_with_the_push_above_it() {
        let read =
            |line: &str| within_push("r.example.com/team/app", line).map(|(_, r)| (r.cause, r.operation));
        let failed = "received unexpected HTTP status: 500 Internal Server Error";
        assert_eq!(read(failed), Some((Cause::RegistryServerError, Operation::Push)));
        assert_eq!(read("5f70bf18a086: Layer already exists"), None);
        assert_eq!(read("ERROR: Job failed: exit code 1"), None);
    }

    #[test]
    fn a_push_is_of_what_the_registry_calls_the_image() {
        let image = |line: &str| about(&formats::transcript::command(line)).map(|a| a.image.to_owned());
        let pushed = Some("r.example.com/team/app:1".to_owned());
        assert_eq!(image("buildah push app docker://r.example.com/team/app:1 2>&1"), pushed);
        assert_eq!(image("podman push --creds u:p app r.example.com/team/app:1"), pushed);
        assert_eq!(image("podman push r.example.com/team/app:1"), pushed);
        assert_eq!(image("docker push r.example.com/team/app:1"), pushed);
        assert_eq!(image("crane push app.tar r.example.com/team/app:1"), pushed);
        assert_eq!(
            image("ctr images push r.example.com/team/app:1 app:local"),
            pushed,
            "the other way round"
        );
    }

    #[test]
    fn a_status_and_the_words_below_it_are_one_failure() {
        let line = "#14 ERROR: failed to push r.example.com/dev/app:12: unexpected status from PUT request to https://r.example.com/v2/dev/app/manifests/12: 400 Bad Request";
        let joined = |next: &str| with_words(line, next, &message::read(line)).map(|(_, r)| r.cause);
        assert_eq!(joined("manifest invalid: manifest invalid"), Some(Cause::ManifestInvalid));
        assert_eq!(joined("------"), None);
        assert_eq!(joined("#15 [internal] load metadata"), None);
        assert_eq!(joined(""), None);
    }
}
