//! What was seen, and nothing concluded.
//!
//! A [`Snapshot`] is the one thing that every collector makes and that `diagnose` reads: live run, saved folder,
//! pasted text and probe alike. It is serialisable, and holds no secret: values are reduced to their shape by the
//! collector, before they get here.

mod kube;
mod ladder;
mod node;
mod observed;
mod snapshot;
mod text;

pub use kube::*;
pub use ladder::*;
pub use node::*;
pub use observed::*;
pub use snapshot::*;
pub use text::*;
