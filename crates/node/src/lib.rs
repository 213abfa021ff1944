//! A node's own side: what its runtime, of its version, with its files, will do for an image.
//!
//! Reads files and never writes; what was concluded from them is `emulate`'s, what it means for a failing pull
//! `diagnose`'s.

mod containerd;
mod report;
mod tree;

pub use report::{ClientPair, Endpoint, NodeReport, Note, Runtime};
pub use tree::HostTree;

use std::path::PathBuf;

/// What to look at.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that is the node's `/`.
    pub root: PathBuf,
    /// The image; without it only the runtime's own state is read.
    pub image: Option<String>,
    /// The runtime's version, `2.2.1`.
    pub version: String,
    /// The runtime's main configuration file, as on the node; its usual place where not given.
    pub config: Option<String>,
}

/// Why a node could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The version is none.
    #[error("containerd's version {0:?} is none: give it as 2.2.1")]
    Version(String),
    /// The root is no folder.
    #[error("reading the node's files below {0}: it is no folder that can be read")]
    Root(PathBuf),
}

/// What containerd would do on a node with these files.
pub fn inspect_containerd(options: &Options) -> Result<NodeReport, Error> {
    if !options.root.is_dir() {
        return Err(Error::Root(options.root.clone()));
    }
    let version = emulate::containerd::Version::parse(&options.version)
        .ok_or_else(|| Error::Version(options.version.clone()))?;
    Ok(containerd::inspect(&HostTree::new(&options.root), &version, options))
}
