//! Roots that lie in what node and kubelet know of credentials: plugins, the runtime's own tables, mirrors.

use super::{WITHOUT, remedies};
use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Answer, Answers};
use crate::questions::node_credentials::{
    MIRROR_ENTRY, MIRROR_ENTRY_SEEN, RUNTIME_TABLE, files_with_tables, mirrors, words_refuse,
};
use crate::questions::places::REPOSITORY_THERE;
use crate::questions::provider::{AT_FAULT, FAILED_NOW, FAULT_SEEN};
use crate::questions::provider_files::PROVIDERS_NEWER;
use crate::questions::sent::{IMAGE_WITHHELD, SENT, SOMETHING_SERVES};
use crate::row::{Row, assures, decides, must, proof, settles};
use crate::subject::Subject;
use vocabulary::{Cause, Operation};

fn node(_: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    if pull.operation != Operation::Pull { Vec::new() } else { vec![Subject::Node(pull.node.to_owned())] }
}

fn runtime_files(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    let files = files_with_tables(case, pull);
    if files.is_empty() { node(case, pull) } else { files }
}

fn refusing_mirrors(case: &Case<'_>, pull: &Pull<'_>) -> Vec<Subject> {
    let found = mirrors(case, pull);
    // Where the words speak of no refusal, no mirror refused.
    if found.is_empty() && words_refuse(pull) { node(case, pull) } else { found }
}

/// The rows.
pub static ROWS: &[Row] = &[
    Row {
        cause: Cause::CredentialsProviderMisconfigured,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthNoCredentials,
            Cause::AuthInsufficientScope,
            Cause::AuthTokenRejected,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
            Cause::CredentialsProviderFailed,
        ],
        about: node,
        expects: &[
            proof(&AT_FAULT, Answers::of(&[Answer::Mismatch, Answer::No])),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            settles(&FAULT_SEEN, Answers::MISMATCH),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::mend_provider,
    },
    Row {
        cause: Cause::CredentialsProviderFailed,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthNoCredentials,
            Cause::AuthTokenRejected,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
        ],
        about: node,
        expects: &[
            proof(&FAILED_NOW, Answers::STALE),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
        ],
        remedy: remedies::mend_provider,
    },
    Row {
        cause: Cause::ConfigNotReloaded,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthNoCredentials,
            Cause::AuthInsufficientScope,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
        ],
        about: node,
        expects: &[
            proof(&PROVIDERS_NEWER, Answers::STALE),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
        ],
        remedy: remedies::restart_kubelet,
    },
    Row {
        cause: Cause::CredentialsHostMismatch,
        shows_as: WITHOUT,
        about: runtime_files,
        expects: &[
            decides(&RUNTIME_TABLE, Answers::MISMATCH),
            must(&SOMETHING_SERVES, Answers::NO),
            must(&SENT, Answers::NO),
            must(&REPOSITORY_THERE, Answers::YES),
            assures(&IMAGE_WITHHELD, Answers::YES),
        ],
        remedy: remedies::rename_runtime_table,
    },
    Row {
        cause: Cause::CredentialsNotUsedForMirror,
        shows_as: &[
            Cause::AuthUnauthorized,
            Cause::AuthNoCredentials,
            Cause::AuthzDenied,
            Cause::AuthzDeniedOrMissing,
            Cause::NetTimeout,
            Cause::NetRefused,
            Cause::NetUnreachable,
            Cause::DnsNotFound,
            Cause::DnsTimeout,
            Cause::CredentialsHostMismatch,
            Cause::ConfigMirrorMasksUpstream,
        ],
        about: refusing_mirrors,
        expects: &[
            proof(&MIRROR_ENTRY, Answers::of(&[Answer::Yes, Answer::Elsewhere])),
            settles(&MIRROR_ENTRY_SEEN, Answers::YES),
        ],
        remedy: remedies::node_credentials_for_mirror,
    },
];
