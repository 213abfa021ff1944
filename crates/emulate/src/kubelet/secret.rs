//! Which secrets the kubelet takes for pull secrets. Follows kubernetes
//! `pkg/credentialprovider/secrets/secrets.go` (`MakeDockerKeyring`), 1.25 to 1.36.

/// The data key that the kubelet reads in a secret of this type; `None` where it passes over secrets of the type,
/// without event or log.
pub fn data_key(type_: &str) -> Option<&'static str> {
    match type_ {
        "kubernetes.io/dockerconfigjson" => Some(".dockerconfigjson"),
        "kubernetes.io/dockercfg" => Some(".dockercfg"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_two_types_are_read() {
        assert_eq!(data_key("kubernetes.io/dockerconfigjson"), Some(".dockerconfigjson"));
        assert_eq!(data_key("kubernetes.io/dockercfg"), Some(".dockercfg"));
        for other in ["Opaque", "", "kubernetes.io/dockerconfig", "kubernetes.io/basic-auth"] {
            assert_eq!(data_key(other), None, "{other}");
        }
    }
}
