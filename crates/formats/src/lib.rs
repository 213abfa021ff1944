//! Foreign text into facts. Every parser is total: any bytes in, a value and its problems out, never a panic.

pub mod api_error;
pub mod certificate;
pub mod challenge;
pub mod credential_provider;
pub mod docker_config;
pub mod hosts_file;
pub mod interceptors;
pub mod kube;
pub mod kubectl_table;
pub mod log;
pub mod manifest;
pub mod message;
pub mod nsswitch;
pub mod pem;
pub mod redact;
pub mod reference;
pub mod registries_conf;
pub mod registries_yaml;
pub mod registry_token;
pub mod resolv_conf;
pub mod runtime_auth;
pub mod systemd_unit;
pub mod toml_tree;
pub mod transcript;
pub mod url;
pub mod yaml;
