//! Names without a registry: aliases, then the search list. Source: `pkg/shortnames` (`Resolve`).

use super::registries::Config;
use formats::reference::Reference;

/// The full names that are tried, in order; for a name with a registry, that alone.
///
/// A program without a terminal cannot ask: with `enforcing` and several candidates it fails.
pub fn candidates(config: &Config, image: &str) -> Result<Vec<String>, String> {
    let reference = Reference::parse(image)
        .map_err(|_| format!("parsing reference {image:?}: invalid reference format"))?;
    if !is_short(image) {
        return Ok(vec![full(image, &reference)]);
    }
    let (name, rest) = split(image);
    if let Some(alias) = config.aliases.get(name) {
        return Ok(vec![with_tag(&format!("{alias}{rest}"))]);
    }
    let names: Vec<String> =
        config.search.iter().map(|registry| with_tag(&qualified(registry, image))).collect();
    if names.is_empty() {
        return Err(format!(
            "short-name {image:?} did not resolve to an alias and no unqualified-search registries are defined in {:?}",
            super::MAIN
        ));
    }
    let enforcing = matches!(config.short_name_mode.as_str(), "enforcing");
    if names.len() > 1 && enforcing {
        return Err(format!("short-name {image:?} resolution enforced but cannot prompt without a TTY"));
    }
    Ok(names)
}

/// Without a domain in front: no `.` or `:` before the first slash, and not localhost.
pub fn is_short(image: &str) -> bool {
    match image.split_once('/') {
        None => true,
        Some((first, _)) => !first.contains(['.', ':']) && first != "localhost",
    }
}

/// A name of Docker Hub with one part lies below `library`.
fn qualified(registry: &str, image: &str) -> String {
    if registry == "docker.io" && !image.contains('/') {
        format!("docker.io/library/{image}")
    } else {
        format!("{registry}/{image}")
    }
}

fn full(image: &str, reference: &Reference<'_>) -> String {
    // `docker.io/nginx` is `docker.io/library/nginx`; the parser fills that in.
    let (_, rest) = split(image);
    with_tag(&format!("{}/{}{rest}", reference.registry(), reference.repository()))
}

/// The name, and tag and digest with their marks.
fn split(image: &str) -> (&str, &str) {
    let digest = image.find('@').unwrap_or(image.len());
    let before = image.get(..digest).unwrap_or(image);
    let tag = before.rfind(':').filter(|at| !before.get(*at..).unwrap_or_default().contains('/'));
    image.split_at(tag.unwrap_or(digest))
}

/// `latest` where neither tag nor digest stands; with a digest the tag is dropped.
fn with_tag(name: &str) -> String {
    let (bare, rest) = split(name);
    match (rest.is_empty(), rest.find('@')) {
        (true, _) => format!("{bare}:latest"),
        (false, Some(at)) => format!("{bare}{}", rest.get(at..).unwrap_or_default()),
        (false, None) => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(search: &[&str], mode: &str) -> Config {
        let aliases = [("fedora".to_owned(), "registry.fedoraproject.org/fedora".to_owned())];
        Config {
            search: search.iter().map(|s| (*s).to_owned()).collect(),
            short_name_mode: mode.to_owned(),
            aliases: aliases.into_iter().collect(),
            ..Config::default()
        }
    }

    #[test]
    fn names_are_completed() {
        let of = |image: &str, search: &[&str], mode: &str| candidates(&config(search, mode), image);
        assert_eq!(of("fedora:40", &[], "").unwrap(), ["registry.fedoraproject.org/fedora:40"]);
        assert_eq!(of("nginx", &["docker.io"], "enforcing").unwrap(), ["docker.io/library/nginx:latest"]);
        assert_eq!(
            of("a/b", &["docker.io", "q.io"], "").unwrap(),
            ["docker.io/a/b:latest", "q.io/a/b:latest"]
        );
        assert!(of("nginx", &["docker.io", "quay.io"], "enforcing").unwrap_err().contains("without a TTY"));
        assert!(of("nginx", &[], "").unwrap_err().contains("did not resolve to an alias"));
        assert_eq!(of("docker.io/nginx", &[], "").unwrap(), ["docker.io/library/nginx:latest"]);
        assert_eq!(of("r:5000/a:1", &[], "").unwrap(), ["r:5000/a:1"]);
    }
}
