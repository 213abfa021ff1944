//! Hand-made scenes for the tests of questions and rows: one pod that fails to pull, and what is put beside it.

use crate::case::Case;
use crate::pull::{Observation, Pull, Timeline};
use crate::question::{Answer, Question, Seen};
use crate::subject::Subject;
use facts::{
    AuditEntry, AuthEntry, CommandOutput, Container, DockerConfig, Document, Event, FieldManager, Meta,
    Observed, Origin, OtherObject, Place, Pod, Secret, ServiceAccount, Snapshot, Vantage, Waiting,
};
use formats::message::Reading;
use report::Locator;
use std::collections::BTreeMap;
use std::rc::Rc;
use vocabulary::{Cause, Confidence, Operation};

/// A Snapshot with one failing pull: pod `web` in namespace `shop` on `worker-1`.
#[derive(Clone, Debug)]
pub struct Scene {
    pub snapshot: Snapshot,
    pub image: String,
    pub symptom: Cause,
    pub words: String,
    pub operation: Operation,
    /// Whether the reading is the words' own, and not made up.
    as_read: bool,
    with_pod: bool,
}

/// A time of 30 November 2026.
pub fn at(clock: &str) -> Option<jiff::Timestamp> {
    format!("2026-11-30T{clock}Z").parse().ok()
}

/// A pull secret whose one entry has this key.
pub fn secret(namespace: &str, name: &str, key: &str) -> Secret {
    Secret {
        meta: Meta { namespace: namespace.into(), name: name.into(), ..Meta::default() },
        type_: "kubernetes.io/dockerconfigjson".into(),
        keys: vec![".dockerconfigjson".into()],
        immutable: false,
        docker_config: Observed::Seen(DockerConfig {
            found_in: ".dockerconfigjson".into(),
            has_auths: true,
            entries: vec![AuthEntry {
                key: key.into(),
                user: Some("puller".into()),
                password_len: 12,
                same: 1,
                ..AuthEntry::default()
            }],
            ..DockerConfig::default()
        }),
    }
}

/// The first entry of a secret made by [`secret`].
pub fn entry(secret: &mut Secret) -> &mut AuthEntry {
    match &mut secret.docker_config {
        Observed::Seen(config) => &mut config.entries[0],
        Observed::Blind(_) => panic!("made by `secret`"),
    }
}

/// A service account with these pull secrets.
pub fn account(name: &str, secrets: &[&str]) -> ServiceAccount {
    ServiceAccount {
        meta: Meta {
            namespace: "shop".into(),
            name: name.into(),
            created: at("08:00:00"),
            ..Meta::default()
        },
        pull_secrets: secrets.iter().map(|s| (*s).to_owned()).collect(),
    }
}

/// A field manager that wrote at this time.
pub fn manager(name: &str, clock: &str) -> FieldManager {
    FieldManager { manager: name.into(), operation: "Update".into(), time: at(clock), fields: Vec::new() }
}

/// A successful request of the audit log.
pub fn audit(clock: &str, verb: &str, user: &str, resource: &str, name: &str) -> AuditEntry {
    AuditEntry {
        at: at(clock),
        verb: verb.into(),
        user: user.into(),
        resource: resource.into(),
        namespace: "shop".into(),
        name: name.into(),
        status: 200,
        pull_secrets: None,
        origin: Origin { source: "kube/audit.log".into(), line: 1 },
    }
}

impl Scene {
    /// The pod names these pull secrets.
    pub fn pod(image: &str, secrets: &[&str]) -> Self {
        let pod = Pod {
            meta: Meta {
                namespace: "shop".into(),
                name: "web".into(),
                created: at("10:00:00"),
                ..Meta::default()
            },
            node: "worker-1".into(),
            service_account: "default".into(),
            pull_secrets: secrets.iter().map(|s| (*s).to_owned()).collect(),
            phase: "Pending".into(),
            containers: vec![Container {
                name: "app".into(),
                image: image.into(),
                waiting: Some(Waiting { reason: "ImagePullBackOff".into(), message: String::new() }),
                ..Container::default()
            }],
            ..Pod::default()
        };
        Self {
            snapshot: Snapshot { pods: vec![pod], ..Snapshot::default() },
            with_pod: true,
            ..Self::events_only(image)
        }
    }

    /// Only events speak of the pod.
    pub fn events_only(image: &str) -> Self {
        Self {
            snapshot: Snapshot::default(),
            image: image.into(),
            symptom: Cause::AuthUnauthorized,
            words: "401 Unauthorized".into(),
            operation: Operation::Pull,
            as_read: false,
            with_pod: false,
        }
    }

    pub fn symptom(mut self, cause: Cause) -> Self {
        self.symptom = cause;
        self
    }

    pub fn words(mut self, words: &str) -> Self {
        self.words = words.into();
        self
    }

    /// Words that are read as the gatherer would read them.
    pub fn stating(mut self, words: &str) -> Self {
        self.words = words.into();
        self.as_read = true;
        self
    }

    pub fn secret(mut self, secret: Secret) -> Self {
        self.snapshot.secrets.push(secret);
        self
    }

    pub fn account(mut self, account: ServiceAccount) -> Self {
        self.snapshot.service_accounts.push(account);
        self
    }

    pub fn audit(mut self, entry: AuditEntry) -> Self {
        self.snapshot.audit.push(entry);
        self
    }

    pub fn event(mut self, reason: &str, message: &str) -> Self {
        let name = format!("web.{}", self.snapshot.events.len());
        self.snapshot.events.push(Event {
            meta: Meta { namespace: "shop".into(), name, ..Meta::default() },
            kind: "Pod".into(),
            namespace: "shop".into(),
            name: "web".into(),
            reason: reason.into(),
            severity: "Warning".into(),
            message: message.into(),
            component: "kubelet".into(),
            host: "worker-1".into(),
            count: 3,
            last: at("10:05:00"),
            ..Event::default()
        });
        self
    }

    /// A line of the node's journal.
    pub fn log(self, line: &str) -> Self {
        self.document(Place::Node, "node/journal-kubelet.txt", line)
    }

    pub fn document(mut self, place: Place, source: &str, text: &str) -> Self {
        self.snapshot.documents.push(Document {
            place,
            node: (place == Place::Node).then(|| "worker-1".to_owned()),
            origin: Origin { source: source.into(), line: 1 },
            text: text.into(),
        });
        self
    }

    pub fn output(mut self, command: &str, text: &str) -> Self {
        let client = command.split_whitespace().next().unwrap_or_default();
        self.snapshot.outputs.push(CommandOutput {
            vantage: Vantage { client: client.into(), place: String::new() },
            node: None,
            command: command.into(),
            text: text.into(),
            origin: Origin { source: "kube/out.txt".into(), line: 1 },
        });
        self
    }

    pub fn other(mut self, kind: &str, namespace: &str, name: &str, json: &str) -> Self {
        self.snapshot.others.push(OtherObject {
            api_version: String::new(),
            kind: kind.into(),
            meta: Meta {
                namespace: namespace.into(),
                name: name.into(),
                labels: BTreeMap::new(),
                ..Meta::default()
            },
            json: json.into(),
        });
        self
    }

    pub fn change(mut self, change: impl FnOnce(&mut Snapshot)) -> Self {
        change(&mut self.snapshot);
        self
    }

    fn made_up(&self) -> Reading {
        Reading {
            cause: self.symptom,
            confidence: Confidence::Likely,
            operation: self.operation,
            leaf: self.words.clone(),
            ..formats::message::read("")
        }
    }

    /// The failing pull, as the gatherer would make it.
    pub fn pull(&self) -> Pull<'_> {
        let pod = self.snapshot.pods.first().filter(|_| self.with_pod);
        Pull {
            pod,
            container: pod.and_then(|p| p.containers.first()),
            namespace: "shop",
            pod_name: "web",
            container_name: "app",
            node: "worker-1",
            image: self.image.clone(),
            registry: formats::reference::registry_of(&self.image).unwrap_or_default(),
            operation: self.operation,
            observations: vec![Observation {
                vantage: Vantage { client: "kubelet".into(), place: "worker-1".into() },
                text: &self.words,
                reading: Rc::new(if self.as_read {
                    formats::message::read(&self.words)
                } else {
                    self.made_up()
                }),
                at: Locator::Text { line: 1 },
                when: at("10:05:00"),
                ladder: None,
            }],
            earlier: Vec::new(),
            timeline: Timeline {
                first_failed: at("10:00:30"),
                last_failed: at("10:05:00"),
                ..Timeline::default()
            },
        }
    }

    /// What a question answers; `None` where it is blind.
    pub fn ask(&self, question: &Question, subject: &Subject) -> Option<Answer> {
        match (question.ask)(&Case::new(&self.snapshot), &self.pull(), subject) {
            Seen::Is(answer, evidence) => {
                assert!(!evidence.is_empty(), "{} answered {answer:?} without evidence", question.id);
                Some(answer)
            }
            Seen::Blind(_) => None,
        }
    }

    /// The verdict of the engine.
    pub fn verdict(&self) -> (Cause, Confidence) {
        let case = Case::new(&self.snapshot);
        let verdicts = crate::engine::judge(&case, &[self.pull()]);
        verdicts.outcomes.first().map_or((Cause::Unknown, Confidence::Possible), |v| (v.cause, v.confidence))
    }
}
