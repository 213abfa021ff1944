//! What the real component would decide, given its files: pure re-tellings of upstream code, each with the upstream
//! symbol it follows and a table of inputs with the real component's answers.

pub mod containerd;
pub mod containers;
pub mod distribution;
pub mod docker;
pub mod files;
pub mod go;
pub mod k3s;
pub mod kubelet;
pub mod lint;
pub mod lookup;
