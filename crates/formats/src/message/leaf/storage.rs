//! Unpacking and the disk: space, read-only stores, broken layers, snapshotters and storage drivers.

use super::super::marks::Mark;
use super::super::row::Row;
use vocabulary::Cause::{self, *};

const DRIVER: &[Cause] = &[StorageSnapshotter];
const LAYER: &[Cause] = &[StorageLayerCorrupt];

/// Before a layer is unpacked, its snapshot is made.
const SNAPSHOT: &[&str] = &[
    "failed to prepare",
    "prepare snapshot",
    "create snapshot",
    "stat snapshot",
    "commit snapshot",
    "failed to mount",
    // A program that unpacks is missing, and no file of the layer.
    "fork/exec",
];

pub(crate) const ROWS: &[Row] = &[
    Row::sentence(&["no space left on device"], StorageDiskFull).states(),
    Row::sentence(&["disk quota exceeded"], StorageDiskFull).states(),
    Row::sentence(&["not enough space on the disk"], StorageDiskFull).states(),
    Row::sentence(&["enospc"], StorageDiskFull),
    Row::sentence(&["insufficient disk space"], StorageDiskFull),
    Row::sentence(&["thin pool has", "free data blocks"], StorageDiskFull),
    Row::sentence(&["read-only file system"], StorageReadOnly).states(),
    // Tar, compression, and paths of the layer.
    Row::fact(&["invalid tar header"], StorageLayerCorrupt),
    Row::fact(&["archive/tar:"], StorageLayerCorrupt),
    Row::fact(&["gzip: invalid"], StorageLayerCorrupt).also(&[BlobDigestMismatch]),
    Row::fact(&["flate: corrupt input"], StorageLayerCorrupt).also(&[BlobDigestMismatch]),
    Row::fact(&["unpigz:"], StorageLayerCorrupt)
        .also(&[BlobTruncated])
        .unless(&["fork/exec", "executable file not found"]),
    Row::fact(&["unpigz", "fork/exec"], StorageSnapshotter).also(LAYER),
    Row::fact(&["zstd:"], StorageLayerCorrupt),
    Row::fact(&["zlib: invalid"], StorageLayerCorrupt).also(DRIVER),
    Row::fact(&["failed to decompress"], StorageLayerCorrupt).also(DRIVER),
    Row::fact(&["magic number mismatch"], StorageLayerCorrupt),
    Row::fact(&["invalid compression"], StorageLayerCorrupt),
    Row::fact(&["wrong diff id"], StorageLayerCorrupt),
    Row::fact(&["don't match image configuration"], StorageLayerCorrupt).also(&[ManifestInvalid]),
    Row::fact(&["mismatched image rootfs and manifest layers"], StorageLayerCorrupt)
        .also(&[ManifestUnsupportedType, ManifestInvalid]),
    Row::hint(&["processing tar file"], StorageLayerCorrupt).also(DRIVER),
    Row::fact(&["duplicates of file paths not supported"], StorageLayerCorrupt),
    // Which system call failed while a layer was being unpacked: one about a path is the layer's fault, one that was
    // refused is the driver's.
    Row::fact(&["directory not empty"], StorageLayerCorrupt)
        .during(Mark::Unpack)
        .also(DRIVER)
        .unless(SNAPSHOT),
    Row::fact(&["no such file or directory"], StorageLayerCorrupt)
        .during(Mark::Unpack)
        .also(DRIVER)
        .unless(SNAPSHOT),
    Row::fact(&["file exists"], StorageLayerCorrupt).during(Mark::Unpack).also(DRIVER).unless(SNAPSHOT),
    Row::fact(&["not a directory"], StorageLayerCorrupt).during(Mark::Unpack).also(DRIVER).unless(SNAPSHOT),
    Row::fact(&["file name too long"], StorageLayerCorrupt)
        .during(Mark::Unpack)
        .also(DRIVER)
        .unless(SNAPSHOT),
    Row::fact(&["is a directory"], StorageLayerCorrupt).during(Mark::Unpack).also(DRIVER).unless(SNAPSHOT),
    Row::fact(&["too many levels of symbolic links"], StorageLayerCorrupt)
        .during(Mark::Unpack)
        .also(DRIVER)
        .unless(SNAPSHOT),
    Row::fact(&["invalid cross-device link"], StorageLayerCorrupt)
        .during(Mark::Unpack)
        .also(DRIVER)
        .unless(SNAPSHOT),
    Row::fact(&["text file busy"], StorageLayerCorrupt).during(Mark::Unpack).also(DRIVER).unless(SNAPSHOT),
    Row::fact(&["unexpected end of file"], StorageLayerCorrupt)
        .during(Mark::Unpack)
        .also(DRIVER)
        .unless(SNAPSHOT),
    // What a layer brings stands below its own root; these are places of the driver's store.
    Row::fact(&["no such file or directory", "/aufs/"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["no such file or directory", "/overlay2/"], StorageSnapshotter)
        .during(Mark::Unpack)
        .also(LAYER),
    Row::fact(&["file exists", "/layerdb/"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["no such file or directory", "/layerdb/"], StorageSnapshotter)
        .during(Mark::Unpack)
        .also(LAYER),
    Row::fact(&["windowsfilter"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["content digest sha256", "not found"], StorageSnapshotter)
        .during(Mark::Unpack)
        .near()
        .also(&[BlobUnknown, StorageLayerCorrupt]),
    Row::fact(&["already exists"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["operation not permitted"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["permission denied"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["invalid argument"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["operation not supported"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["not supported"], StorageSnapshotter)
        .during(Mark::Unpack)
        .also(LAYER)
        .unless(&["duplicates of file paths"]),
    Row::fact(&["function not implemented"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["no such device"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["device or resource busy"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["resource temporarily unavailable"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["cannot allocate memory"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["too many links"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["value too large for defined data type"], StorageSnapshotter)
        .during(Mark::Unpack)
        .also(LAYER),
    Row::fact(&["stale file handle"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["bad file descriptor"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["no data available"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["protocol error"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["key has expired"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["signal: killed"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["transport endpoint is not connected"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::fact(&["numerical result out of range"], StorageSnapshotter).during(Mark::Unpack).also(LAYER),
    Row::hint(&["mount callback failed on"], StorageLayerCorrupt).also(DRIVER),
    Row::hint(&["failed to register layer"], StorageLayerCorrupt).also(DRIVER),
    Row::hint(&["failed to extract layer"], StorageSnapshotter).also(LAYER),
    Row::hint(&["failed to unpack layer"], StorageLayerCorrupt).also(DRIVER),
    Row::hint(&["while applying layer"], StorageLayerCorrupt).also(DRIVER),
    Row::hint(&["failed to unpack image on snapshotter"], StorageSnapshotter).also(LAYER),
    // Mounts, snapshots, refused system calls.
    Row::fact(&["lchown "], StorageSnapshotter).also(LAYER),
    Row::fact(&["insufficient uids or gids"], StorageSnapshotter).also(LAYER),
    // moby `pkg/idtools`.
    Row::fact(&["cannot be mapped to a host id"], StorageSnapshotter).also(LAYER),
    Row::fact(&["cannot be mapped to a container id"], StorageSnapshotter).also(LAYER),
    Row::fact(&["lsetxattr "], StorageSnapshotter).also(LAYER),
    Row::fact(&["failed to mount"], StorageSnapshotter).also(LAYER).unless(&[
        "mountvolume",
        "configmap",
        "secret",
    ]),
    Row::fact(&["failed to prepare extraction snapshot"], StorageSnapshotter),
    Row::fact(&["failed to stat snapshot"], StorageSnapshotter),
    Row::fact(&["prepare snapshot"], StorageSnapshotter),
    Row::fact(&["commit snapshot"], StorageSnapshotter),
    Row::fact(&["create snapshot"], StorageSnapshotter),
    Row::fact(&["snapshotter not loaded"], StorageSnapshotter).also(&[RuntimeConfigInvalid]),
    Row::fact(&["snapshotter", "not found"], StorageSnapshotter)
        .also(&[RuntimeConfigInvalid])
        .unless(&["unexpected media type", "no match for platform"]),
    Row::fact(&["snapshot", "does not exist"], StorageSnapshotter),
    Row::fact(&["parent snapshot"], StorageSnapshotter),
    Row::fact(&["parent bucket"], StorageSnapshotter),
    Row::fact(&["failed to create active"], StorageSnapshotter),
    Row::fact(&["failed to prepare extraction"], StorageSnapshotter),
    Row::fact(&["error creating overlay mount"], StorageSnapshotter),
    Row::fact(&["driver", "failed to create image rootfs"], StorageSnapshotter),
    Row::fact(&["creating read-write layer with id"], StorageSnapshotter),
    Row::fact(&["layer not known"], StorageSnapshotter),
    Row::fact(&["layer does not exist"], StorageSnapshotter),
    Row::fact(&["error locating layer"], StorageSnapshotter),
    Row::fact(&["image-metadata", "no such file or directory"], StorageSnapshotter),
    Row::fact(&["input/output error"], StorageSnapshotter).also(LAYER),
    Row::fact(&["structure needs cleaning"], StorageSnapshotter).also(LAYER),
    Row::fact(&["too many open files"], StorageSnapshotter).also(&[RuntimeUnavailable]),
    Row::fact(&["max depth exceeded"], StorageSnapshotter).also(LAYER),
    Row::fact(&["devicemapper:"], StorageSnapshotter),
    Row::fact(&["hcsshim"], StorageSnapshotter).also(LAYER),
    Row::fact(&["hcsimportlayer"], StorageSnapshotter).also(LAYER),
    Row::hint(&["re-exec error"], StorageLayerCorrupt).also(DRIVER),
    // Windows could not start what unpacks: an NTSTATUS of severity "error", in decimal.
    Row::fact(&["re-exec error", "exit status 32212"], StorageSnapshotter).near().also(LAYER),
    Row::fact(&["storage driver", "layer"], StorageSnapshotter).also(LAYER),
];
