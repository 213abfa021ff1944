//! Kubernetes objects out of JSON of any size: boundaries on one thread, objects on the others, put together in the order
//! of the input whatever finishes first.

use crate::builder::Builder;
use crate::json_items::{self, Batch, Summary};
use facts::{Origin, Why};
use formats::docker_config::Sameness;
use formats::kube::{self, Detail, Envelope, Item, Kind, Read as ObjectRead, Settled};
use jiff::Timestamp;
use std::io::{self, Read};
use std::sync::{Mutex, mpsc};

/// What one batch came to.
#[derive(Default)]
struct Part {
    objects: Vec<ObjectRead>,
    /// Secrets, still to be read: only one thread can tell which credentials are equal.
    secrets: Vec<(Vec<u8>, Envelope<'static>, Origin)>,
    settled: Vec<Settled>,
    newest: Option<Timestamp>,
    /// Items that are no Kubernetes objects.
    strange: u64,
    /// Items that do not parse: the line and what is wrong.
    broken: Vec<(u32, String)>,
}

/// What a JSON text was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Was {
    /// Objects, as far as it could be read; and the logs that stand between them, with the line of each.
    Objects(Vec<(u32, String)>),
    /// JSON of another kind.
    OtherJson,
    /// Not JSON.
    NotJson,
}

/// Threads beside the one that reads.
const WORKERS: usize = 2;
/// Sizes from which these are worth their start.
const LARGE: u64 = 16 << 20;

/// Reads a JSON text into the Snapshot.
///
/// # Errors
///
/// Reading fails.
pub fn read(
    builder: &mut Builder,
    source: &str,
    size: Option<u64>,
    guess: &Envelope<'static>,
    reader: impl Read,
) -> io::Result<Was> {
    let longest = builder.limits.object;
    let job = Job { source, guess };
    let mut parts: Vec<Part> = Vec::new();
    let mut summary = if size.is_some_and(|s| s < LARGE) {
        json_items::read(reader, longest, &mut |batch| {
            parts.push(job.part(&batch, Detail::Full));
        })?
    } else {
        parallel(&job, reader, longest, &mut parts)?
    };
    let objects: usize = parts.iter().map(|p| p.objects.len() + p.secrets.len() + p.settled.len()).sum();
    let broken = parts.iter().map(|p| p.broken.len()).sum::<usize>();
    let strange: u64 = parts.iter().map(|p| p.strange).sum();
    if objects == 0 && broken == 0 && summary.lists.is_empty() {
        // Whoever cut it off, there may have been objects in it; prose that begins with a bracket ends otherwise.
        if let Some((line, what)) = summary.problem.as_ref().filter(|(_, what)| what == json_items::CUT) {
            builder.blind(source, Why::Unreadable, format!("line {line}: {what}"), "");
        }
        return Ok(if summary.items == 0 || strange == 0 { Was::NotJson } else { Was::OtherJson });
    }
    note(builder, source, &summary);
    for part in parts {
        add(builder, source, part);
    }
    Ok(Was::Objects(std::mem::take(&mut summary.logs)))
}

fn parallel(job: &Job<'_>, reader: impl Read, longest: usize, parts: &mut Vec<Part>) -> io::Result<Summary> {
    let (give, take) = mpsc::sync_channel::<(usize, Batch)>(WORKERS * 2);
    let take = Mutex::new(take);
    let done: Mutex<Vec<(usize, Part)>> = Mutex::default();
    let summary = std::thread::scope(|scope| {
        for _ in 0..WORKERS {
            scope.spawn(|| {
                loop {
                    let next = match take.lock() {
                        Ok(queue) => queue.recv(),
                        Err(_) => return,
                    };
                    let Ok((n, batch)) = next else { return };
                    let part = job.part(&batch, if n == 0 { Detail::Full } else { Detail::Sum });
                    drop(batch);
                    if let Ok(mut done) = done.lock() {
                        done.push((n, part));
                    }
                }
            });
        }
        let mut n = 0;
        let summary = json_items::read(reader, longest, &mut |batch| {
            // The receivers end only after this sender does.
            let _ = give.send((n, batch));
            n += 1;
        });
        drop(give);
        summary
    })?;
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(n, _)| *n);
    parts.extend(done.into_iter().map(|(_, part)| part));
    Ok(summary)
}

struct Job<'j> {
    source: &'j str,
    guess: &'j Envelope<'static>,
}

impl Job<'_> {
    fn part(&self, batch: &Batch, detail: Detail) -> Part {
        let mut part = Part::default();
        let list = Envelope {
            api_version: batch.list.api_version.as_str().into(),
            kind: batch.list.kind.as_str().into(),
        };
        let items = list.of_items();
        let hint = if items.kind.is_empty() { self.guess } else { &items };
        // Only secrets need it, and these are put aside.
        let mut same = Sameness::default();
        for (item, line) in batch.items.iter().zip(json_items::lines(batch)) {
            let bytes = batch.bytes.get(item.clone()).unwrap_or_default();
            self.one(bytes, line, hint, detail, &mut same, &mut part);
        }
        part
    }

    fn one(
        &self,
        bytes: &[u8],
        line: u32,
        hint: &Envelope<'_>,
        detail: Detail,
        same: &mut Sameness,
        part: &mut Part,
    ) {
        let origin = Origin { source: self.source.to_owned(), line };
        let mut own = kube::envelope(bytes).or_hint(hint);
        if own.kind.is_empty() {
            own = kube::guess(bytes);
        }
        if own.kind.is_empty() {
            match serde_json::from_slice::<serde::de::IgnoredAny>(bytes) {
                Ok(_) => part.strange += 1,
                Err(error) => part.broken.push((line, error.to_string())),
            }
            return;
        }
        match Kind::of(&own.api_version, &own.kind) {
            Kind::Secret => {
                let own = Envelope {
                    api_version: own.api_version.into_owned().into(),
                    kind: own.kind.into_owned().into(),
                };
                part.secrets.push((bytes.to_vec(), own, origin));
            }
            _ => match kube::from_json(bytes, &own, origin, detail, same) {
                Ok(ObjectRead { item: Item::Settled(settled), newest }) => {
                    part.newest = part.newest.max(newest);
                    part.settled.push(settled);
                }
                Ok(ObjectRead { item: Item::Nothing, newest }) => part.newest = part.newest.max(newest),
                Ok(read) => part.objects.push(read),
                Err(error) => part.broken.push((line, error.to_string())),
            },
        }
    }
}

fn add(builder: &mut Builder, source: &str, part: Part) {
    builder.time(part.newest);
    for object in part.objects {
        builder.object(object);
    }
    for (bytes, own, origin) in part.secrets {
        match kube::from_json(&bytes, &own, origin, Detail::Full, &mut builder.same) {
            Ok(read) => builder.object(read),
            Err(error) => builder.blind(source, Why::Unreadable, error.to_string(), ""),
        }
    }
    for settled in part.settled {
        let of_source = builder.summed_in.entry(source.to_owned()).or_default();
        if !of_source.contains(&settled.namespace) {
            of_source.insert(settled.namespace.clone());
        }
        builder.object(ObjectRead { item: Item::Settled(settled), newest: None });
    }
    for (line, what) in part.broken.iter().take(20) {
        builder.blind(source, Why::Unreadable, format!("line {line}: {what}"), "");
    }
}

fn note(builder: &mut Builder, source: &str, summary: &Summary) {
    if let Some((line, what)) = &summary.problem {
        builder.blind(source, Why::Unreadable, format!("line {line}: {what}"), "");
    }
    for (head, partial) in &summary.lists {
        if *partial {
            builder.blind(source, Why::Truncated, format!("one page of a {} that has more", head.kind), "");
        }
    }
    if summary.logs_left_out > 0 {
        let what = format!("{} bytes of containers' logs", summary.logs_left_out);
        builder.blind(source, Why::Truncated, what, "");
    }
    if summary.problem.is_none() && summary.lists.iter().any(|(_, partial)| !partial) {
        builder.whole.insert(source.to_owned());
    }
}

/// The kind that a file's place names, for objects that do not say theirs: `pods/shop.json`, `nodes.json`.
pub fn guess_kind(path: &str) -> Envelope<'static> {
    let path = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let kind = path.rsplit('/').take(2).find_map(|part| match part {
        "pods" | "pod" => Some("Pod"),
        "events" => Some("Event"),
        "nodes" => Some("Node"),
        "secrets" => Some("Secret"),
        "serviceaccounts" => Some("ServiceAccount"),
        _ => None,
    });
    kind.map_or_else(Envelope::default, |k| Envelope { api_version: "v1".into(), kind: k.into() })
}
