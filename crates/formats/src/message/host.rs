//! Which registry, where no image says so: the requests, and the places where programs print a registry's host.

use super::request::{Request, is_hub};

/// The registry that was asked: never a mirror, where the request says whom it was asked for.
pub(crate) fn registry<'t>(requests: &[Request<'t>], text: &'t str) -> Option<&'t str> {
    let asked = |r: &&Request<'t>| r.is_registry();
    // A front end's log names the host that was asked for beside the upstream that it asked.
    if let Some(front) =
        text.split(", host: \"").nth(1).and_then(|rest| rest.split('"').next()).filter(|h| is_host(h))
    {
        return Some(hub(front));
    }
    if let Some(ns) = requests.iter().rev().find_map(Request::namespace) {
        return Some(hub(ns));
    }
    let api = requests.iter().filter(asked).rfind(|r| {
        !r.is_token() && (r.path.starts_with("/v2") || r.path.starts_with("/v1") || r.path.starts_with("/v0"))
    });
    let any =
        || requests.iter().rfind(|r| r.is_token() && (r.asked || r.is_api() || r.scoped()) || is_hub(r.host));
    api.or_else(any).map(|r| hub(r.host)).or_else(|| spoken_of(text))
}

/// Docker Hub by its one name.
pub(crate) fn hub(host: &str) -> &str {
    if is_hub(host) { "docker.io" } else { host }
}

/// What stands directly before a registry's host.
const CUES: &[&str] = &[
    "http.request.host=",
    "ping registry ",
    "Remote host ",
    "container registry ",
    "docker registry ",
    "from host ",
    "docker login ",
    "certs.d/",
    "credentials for \"",
    "creds for \"",
    "token for ",
    "/blobs/uploads/ in ",
    "authorities: ",
    "logging into \"",
    "logging in to ",
    "login to ",
    "admins of the ",
    "in registry ",
    "registry ",
    "host=\"",
    "host=",
    "for registry ",
    "server \"",
    "Building stage '",
];

fn spoken_of(text: &str) -> Option<&str> {
    CUES.iter().find_map(|cue| {
        let at = text.rfind(cue)? + cue.len();
        let rest = text.get(at..)?.trim_start_matches(['"', '\'', ' ']);
        let rest = rest.strip_prefix("https://").or_else(|| rest.strip_prefix("http://")).unwrap_or(rest);
        let length = rest
            .bytes()
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b':' | b'[' | b']'))
            .count();
        let host = rest.get(..length)?.trim_end_matches(['.', ':', '-']);
        is_host(host).then(|| hub(host))
    })
}

/// `registry.example.com`, `registry:5000`, `192.0.2.1:5000`: a dot between labels, or a port.
fn is_host(host: &str) -> bool {
    let (name, port) = host.rsplit_once(':').map_or((host, None), |(n, p)| (n, Some(p)));
    let port_fits = port.is_none_or(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
    let dotted = name.contains('.') && name.split('.').all(|l| !l.is_empty());
    port_fits
        && name.len() > 2
        && (dotted && name.rsplit('.').next().is_some_and(|l| l.len() > 1 || port.is_some())
            || port.is_some() && !name.contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::request;

    fn of(text: &str) -> Option<&str> {
        registry(&request::all(text), text)
    }

    #[test]
    fn from_requests_and_cues() {
        assert_eq!(of("Get \"https://registry-1.docker.io/v2/\": EOF"), Some("docker.io"));
        assert_eq!(of("Head \"https://m.example.com/v2/x/manifests/1?ns=quay.io\": EOF"), Some("quay.io"));
        assert_eq!(of("pinging container registry r.example.com:5000: denied"), Some("r.example.com:5000"));
        assert_eq!(
            of(
                "Head \"https://r.example.com/v2/a/manifests/1\": Get \"https://auth.example.com/token?scope=repository\": EOF"
            ),
            Some("r.example.com")
        );
        assert_eq!(of("dial tcp: i/o timeout"), None);
    }
}
