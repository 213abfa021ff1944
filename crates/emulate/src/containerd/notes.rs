//! What is worth a word about a node's files: settings that are there and have no effect, and why.

use super::tree::At;

/// One finding of the emulator. It concludes nothing about a failing pull.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A file imports others; how many were found.
    Imports {
        /// The importing file.
        from: At,
        /// How many files.
        found: usize,
    },
    /// A section that this release, with this file version, does not read for pulls.
    SectionNotRead {
        /// Its first setting.
        at: At,
        /// Its plugin.
        section: String,
    },
    /// A later file's section replaced an earlier one as a whole (1.x).
    SectionReplaced {
        /// What was lost.
        lost: At,
        /// The section that replaced it.
        by: At,
    },
    /// A key that a later file gives another value.
    Overridden {
        /// Which.
        key: String,
        /// The value that is lost.
        lost: At,
        /// The value that counts.
        by: At,
    },
    /// A key that is not read where it stands.
    KeyNotRead {
        /// Where.
        at: At,
        /// Which.
        key: String,
    },
    /// A key that the migration from version 2 drops because its table has no `runtimes`.
    LostInMigration {
        /// Where.
        at: At,
        /// Which.
        key: String,
    },
    /// `config_path` under the transfer plugin, which nobody reads.
    TransferConfigPath {
        /// Where.
        at: At,
    },
    /// `registry.configs.*.tls`, which 2.x does not know.
    TlsTableNotRead {
        /// Where.
        at: At,
        /// The host it is for.
        host: String,
    },
    /// A list of directories that is taken for one.
    ListAsOneDirectory {
        /// Where; `None` for the built-in value.
        at: Option<At>,
        /// The value.
        value: String,
    },
    /// A hosts.toml that is dropped as a whole; only the log says so.
    FileDropped {
        /// The file, and where it is wrong.
        at: At,
        /// In the runtime's words.
        reason: String,
    },
}
