//! Image references, verbatim and as the runtimes complete them.

/// The registry that a reference asks, with its port: `docker.io` for names without a host. `None` for an empty text.
/// Source: distribution/reference `splitDockerDomain`, v0.6.
pub fn registry_of(reference: &str) -> Option<String> {
    if reference.is_empty() {
        return None;
    }
    let Some((first, _)) = reference.split_once('/') else { return Some("docker.io".into()) };
    let is_host = first.contains(['.', ':']) || first == "localhost" || first.chars().any(char::is_uppercase);
    Some(match first {
        "index.docker.io" => "docker.io".into(),
        _ if is_host => first.to_owned(),
        _ => "docker.io".into(),
    })
}

/// The reference with registry, `library/` and tag filled in, as runtimes print it.
pub fn normalized(reference: &str) -> String {
    let host = registry_of(reference).unwrap_or_default();
    let rest = match reference.split_once('/') {
        Some((first, rest)) if first == host || first == "index.docker.io" => rest,
        _ => reference,
    };
    let rest =
        if host == "docker.io" && !rest.contains('/') { format!("library/{rest}") } else { rest.to_owned() };
    let last = rest.rsplit('/').next().unwrap_or_default();
    let tagged = rest.contains('@') || last.contains(':');
    if tagged { format!("{host}/{rest}") } else { format!("{host}/{rest}:latest") }
}

/// Registry and repository, without tag and digest.
pub fn repository_of(reference: &str) -> String {
    let full = normalized(reference);
    let full = full.split('@').next().unwrap_or_default();
    match full.rsplit_once(':') {
        Some((name, tag)) if !tag.contains('/') => name.to_owned(),
        _ => full.to_owned(),
    }
}

/// Whether two references name the same image, however complete each is.
pub fn same(a: &str, b: &str) -> bool {
    a == b || normalized(a) == normalized(b)
}
