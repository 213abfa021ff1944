//! What only a push meets: uploads, quotas, immutable tags, read-only registries, body limits. A refusal that a pull can
//! meet as well becomes `push.denied` in `decide`.

use super::super::marks::Mark;
use super::super::row::Row;
use vocabulary::Cause::*;

pub(crate) const ROWS: &[Row] = &[
    Row::sentence(&["request entity too large"], PushTooLarge).also(&[RegistryBodyLimit]),
    Row::sentence(&["payload too large"], PushTooLarge).also(&[RegistryBodyLimit]),
    Row::sentence(&["content too large"], PushTooLarge).also(&[RegistryBodyLimit]),
    Row::sentence(&["client intended to send too large body"], PushTooLarge).also(&[RegistryBodyLimit]),
    Row::sentence(&["http: request body too large"], PushTooLarge).also(&[RegistryBodyLimit]),
    Row::sentence(&["quota exceeded when processing"], PushQuota).states(),
    Row::sentence(&["will exceed the configured upper limit"], PushQuota).states(),
    Row::sentence(&["quota has been exceeded"], PushQuota).states(),
    Row::sentence(&["exceeds", "storage quota"], PushQuota).states(),
    Row::sentence(&["storage quota", "exceed"], PushQuota),
    Row::sentence(&["quota", "exceed", "push"], PushQuota).unless(&["quota metric", "disk quota"]),
    Row::sentence(&["over the quota"], PushQuota),
    Row::sentence(&["storage limit"], PushQuota),
    Row::sentence(&["insufficient quota"], PushQuota),
    Row::sentence(&["maximum number of images"], PushQuota),
    Row::sentence(&["plan limit"], PushQuota).also(&[AuthzDenied, RateLimited]),
    Row::sentence(&["is immutable"], PushImmutableTag).states(),
    Row::sentence(&["configured as immutable"], PushImmutableTag).states(),
    Row::sentence(&["tag_immutable"], PushImmutableTag),
    Row::sentence(&["cannot be overwritten"], PushImmutableTag),
    Row::sentence(&["tag invalid", "already exists"], PushImmutableTag),
    Row::sentence(&["does not allow updating assets"], PushImmutableTag),
    Row::sentence(&["cannot be updated", "manifest"], PushImmutableTag),
    Row::sentence(&["permissions to overwrite"], PushImmutableTag).also(&[PushDenied]),
    Row::sentence(&["to delete/overwrite artifact"], PushImmutableTag).also(&[PushDenied]),
    Row::sentence(&["read only mode"], PushReadOnly),
    Row::sentence(&["read-only mode"], PushReadOnly),
    Row::sentence(&["can not push artifact to a proxy project"], PushReadOnly),
    Row::sentence(&["proxy project", "push"], PushReadOnly),
    Row::sentence(&["repository is read-only"], PushReadOnly),
    Row::sentence(&["repository is read only"], PushReadOnly),
    Row::sentence(&["registry is read-only"], PushReadOnly),
    Row::sentence(&["the operation is unsupported"], PushReadOnly)
        .during(Mark::Push)
        .also(&[RegistryUnexpectedStatus]),
    Row::fact(&["blob upload unknown"], PushUploadUnknown),
    Row::fact(&["blob_upload_unknown"], PushUploadUnknown),
    // Of a manifest it is Nexus's word for a tag that is there already; the sentence may stand on a line of its own.
    Row::fact(&["push image manifest", "blob upload invalid"], PushImmutableTag)
        .also(&[PushDenied, RegistryUnexpectedStatus]),
    // "Encountered an error and can no longer proceed" (OCI distribution-spec): any error of an upload.
    Row::fact(&["blob upload invalid"], PushUploadUnknown).also(&[RegistryUnexpectedStatus]),
    Row::fact(&["blob_upload_invalid"], PushUploadUnknown).also(&[RegistryUnexpectedStatus]),
    Row::fact(&["range_invalid"], PushUploadUnknown).also(&[RegistryUnexpectedStatus]),
    Row::fact(&["range invalid"], PushUploadUnknown).also(&[RegistryUnexpectedStatus]),
    Row::fact(&["requested range not satisfiable"], PushUploadUnknown)
        .during(Mark::Push)
        .also(&[RegistryUnexpectedStatus]),
    Row::fact(&["no upload session"], PushUploadUnknown),
    Row::fact(&["createonpush permission"], PushDenied).also(&[RepositoryUnknown, AuthzDenied]),
    Row::fact(&["create_package"], PushDenied).also(&[AuthzDenied]),
    Row::fact(&["write_package"], PushDenied).also(&[AuthzDenied]),
    Row::fact(&["installation not allowed to"], PushDenied).also(&[AuthzDenied]),
];
