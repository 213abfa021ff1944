//! Configuration and layers on the wire: missing, different, cut short.

use super::super::row::Row;
use vocabulary::Cause::*;

pub(crate) const ROWS: &[Row] = &[
    Row::fact(&["blob unknown"], BlobUnknown),
    Row::fact(&["blob_unknown"], BlobUnknown),
    Row::fact(&["unknown blob"], BlobUnknown),
    Row::fact(&["blob not found"], BlobUnknown),
    Row::fact(&["no such blob"], BlobUnknown),
    Row::fact(&["could not fetch content descriptor"], BlobUnknown),
    Row::fact(&["content at ", "/blobs/", "not found"], BlobUnknown),
    Row::fact(&["content digest sha256", "not found"], BlobUnknown).near().also(&[StorageSnapshotter]),
    Row::sentence(&["nosuchkey"], BlobUnknown).also(&[RegistryBadResponse, BlobRedirectFailed]),
    Row::fact(&["failed commit on ref", "unexpected commit digest"], BlobDigestMismatch),
    Row::sentence(&["unexpected commit digest sha256:e3b0c44298fc1c149afbf4c8996fb924"], BlobDigestMismatch)
        .also(&[BlobTruncated]),
    Row::fact(&["unexpected commit digest"], BlobDigestMismatch),
    Row::fact(&["unexpected commit size"], BlobDigestMismatch).also(&[BlobTruncated]),
    Row::fact(&["failed size validation"], BlobDigestMismatch).also(&[BlobTruncated]),
    Row::fact(&["read past expected size"], BlobDigestMismatch).also(&[BlobTruncated]),
    Row::fact(&["digest did not match"], BlobDigestMismatch),
    Row::fact(&["did not match expected digest"], BlobDigestMismatch),
    Row::fact(&["digest mismatch"], BlobDigestMismatch),
    Row::fact(&["digest_invalid"], BlobDigestMismatch),
    Row::fact(&["digest invalid"], BlobDigestMismatch),
    Row::fact(&["did not match uploaded content"], BlobDigestMismatch),
    Row::fact(&["layer verification failed"], BlobDigestMismatch),
    Row::fact(&["config verification failed"], BlobDigestMismatch),
    Row::fact(&["verification failed for digest"], BlobDigestMismatch),
    Row::fact(&["does not match expected sha256"], BlobDigestMismatch),
    Row::fact(&["digest sha256", "does not match"], BlobDigestMismatch),
    Row::fact(&["error verifying sha256 checksum"], BlobDigestMismatch),
    Row::fact(&["error verifying size"], BlobDigestMismatch).also(&[BlobTruncated]),
    Row::fact(&["size_invalid"], BlobDigestMismatch).also(&[BlobTruncated]),
    Row::fact(&["exceeds expected size"], BlobDigestMismatch).also(&[BlobTruncated]),
    Row::fact(&["size mismatch"], BlobDigestMismatch).also(&[BlobTruncated]),
    // Fewer bytes than there should be. Where it happens while a layer is unpacked, and directly after a request's URL,
    // `decide` says otherwise.
    Row::fact(&["unexpected eof"], BlobTruncated).also(&[NetEof]),
    Row::fact(&["short read"], BlobTruncated).also(&[NetEof]),
    Row::fact(&["failed to read expected number of bytes"], BlobTruncated).also(&[NetEof]),
    Row::fact(&["content-length", "but got"], BlobTruncated),
    Row::fact(&["transfer closed with outstanding"], BlobTruncated).also(&[NetEof]),
    Row::fact(&["http: unexpected eof reading trailer"], BlobTruncated).also(&[NetEof]),
];
