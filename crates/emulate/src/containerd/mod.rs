//! containerd.
