//! Where an image is: in the registry, on nodes, only on the machine that built it; and how it came to be gone.

mod artifacts;
mod control;
mod lists;
mod push;
mod registry;
mod removal;
mod storage;

pub use control::{are_siblings, user};
pub use lists::{IMAGE_ON_NODE, List, Runs, on_a_peer, pause_by_another_name};
pub use push::{LOCAL_ONLY, LOCAL_ONLY_SEEN};
pub use registry::{MISSING_OR_HIDDEN, PUBLIC, REPOSITORY_THERE, TAG_THERE};
pub use removal::{NOT_ELSEWHERE, REMOVED_HERE};
pub use storage::{LOSS_SEEN, STORAGE_LOST, Storage, is_registry};
