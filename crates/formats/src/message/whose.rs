//! Whose words these are, and what was being done: the runtime, the operation, the phase.

use super::decide::Verdict;
use super::marks::Mark;
use super::request::Request;
use vocabulary::{Cause, Operation, Phase, Runtime};

/// The program, by what only it prints; nothing where several would print the same.
pub(crate) fn runtime(marks: u64) -> Option<Runtime> {
    let has = |m: Mark| marks & m.bit() != 0;
    let node = has(Mark::Kubelet) || has(Mark::Node);
    [
        (has(Mark::Kaniko), Runtime::Kaniko),
        (has(Mark::Buildkit), Runtime::Buildkit),
        (has(Mark::Buildah), Runtime::Buildah),
        (has(Mark::CriO), Runtime::CriO),
        (has(Mark::Docker), Runtime::Docker),
        (has(Mark::Containerd), Runtime::Containerd),
        (has(Mark::Skopeo), Runtime::Skopeo),
        (has(Mark::ContainersImage) && node, Runtime::CriO),
        (has(Mark::Podman), Runtime::Podman),
        (has(Mark::Kubelet), Runtime::Kubelet),
    ]
    .into_iter()
    .find_map(|(is, runtime)| is.then_some(runtime))
}

/// What was being done, from the deciding record's scenery first and from the whole text's second.
pub(crate) fn operation(v: &Verdict, record: u64, all: u64, pushes: bool) -> Operation {
    let has = |m: Mark| record & m.bit() != 0;
    match v.cause {
        Cause::PolicyNeverPull => return Operation::Start,
        Cause::RuntimeNameReserved if !has(Mark::Sandbox) || has(Mark::Start) => return Operation::Start,
        Cause::SandboxCni | Cause::SandboxImage => return Operation::Sandbox,
        c if c.area() == "push" => return Operation::Push,
        _ => {}
    }
    if pushes || has(Mark::Push) {
        Operation::Push
    } else if has(Mark::Sandbox) {
        Operation::Sandbox
    } else if all & Mark::Push.bit() != 0 && !has(Mark::PullFailed) {
        Operation::Push
    } else {
        Operation::Pull
    }
}

/// Which request was under way.
pub(crate) fn phase(operation: Operation, record: u64, request: Option<&Request<'_>>) -> Option<Phase> {
    let has = |m: Mark| record & m.bit() != 0;
    if has(Mark::Token) || request.is_some_and(Request::is_token) {
        Some(Phase::Token)
    } else if operation == Operation::Sandbox {
        Some(Phase::Sandbox)
    } else if operation == Operation::Push {
        Some(Phase::Push)
    } else if request.is_some_and(Request::is_ping) {
        Some(Phase::Challenge)
    } else if request.is_some_and(Request::is_blob)
        || has(Mark::Blob) && !request.is_some_and(Request::is_manifest)
    {
        Some(Phase::Blob)
    } else if request.is_some_and(Request::is_manifest) {
        Some(Phase::Manifest)
    } else {
        None
    }
}
