//! The kubelet: which credentials a pull is made with.

pub mod admission;
pub mod image_name;
pub mod keyring;
pub mod provider;
mod registry_url;
pub mod secret;
