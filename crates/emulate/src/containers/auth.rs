//! Which entry of the auth files serves a name: the most specific key, by whole parts and without wildcards. Source:
//! `pkg/docker/config/config.go` (`findCredentialsInFile`, `authKeyLookupOrder`).

/// Auth files of root, in the order in which they are asked.
pub const FILES: &[&str] = &[
    "/run/containers/0/auth.json",
    "/root/.config/containers/auth.json",
    "/root/.docker/config.json",
    "/root/.dockercfg",
];

/// The position of the key that serves `host[:port]/path`, as the client looks them up.
pub fn credentials<'k>(keys: impl IntoIterator<Item = &'k str>, name: &str) -> Option<usize> {
    let keys: Vec<&str> = keys.into_iter().collect();
    let mut scope = name;
    loop {
        if let Some(at) = keys.iter().position(|k| *k == scope) {
            return Some(at);
        }
        scope = scope.rsplit_once('/')?.0;
        if !scope.contains('/') {
            break;
        }
    }
    let host = scope;
    if let Some(at) = keys.iter().position(|k| *k == host) {
        return Some(at);
    }
    // Old keys are URLs: only their host counts.
    keys.iter().position(|k| normalized(k) == normalized(host))
}

fn normalized(key: &str) -> &str {
    let bare = key.strip_prefix("https://").or_else(|| key.strip_prefix("http://")).unwrap_or(key);
    let host = bare.split('/').next().unwrap_or(bare);
    if matches!(host, "registry-1.docker.io" | "docker.io") { "index.docker.io" } else { host }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_specific_key_serves() {
        let of = |keys: &[&str], name: &str| credentials(keys.iter().copied(), name);
        assert_eq!(of(&["r:5000", "r:5000/team"], "r:5000/team/app"), Some(1));
        assert_eq!(of(&["r:5000", "r:5000/tea"], "r:5000/team/app"), Some(0));
        assert_eq!(of(&["https://index.docker.io/v1/"], "docker.io/library/nginx"), Some(0));
        assert_eq!(of(&["*.example.com"], "a.example.com/x"), None);
        assert_eq!(of(&["https://r/v2/"], "r/x"), Some(0));
    }
}
