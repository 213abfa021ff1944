//! The requests that a text names: method, URL, host; and whether a registry would be asked that.

/// One URL in a text, with what stands around it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Request<'t> {
    /// The URL, verbatim.
    pub url: &'t str,
    /// Host with port.
    pub host: &'t str,
    /// From the first slash after the host; empty without one.
    pub path: &'t str,
    /// A method stands before it: it was asked.
    pub asked: bool,
    /// `Head`, and a blob or upload: what only a push does.
    pub pushes: bool,
    token: bool,
    /// Where the URL begins and ends in the text.
    pub start: usize,
    pub end: usize,
}

const METHODS: &[&str] = &[
    "Get", "Head", "Post", "Put", "Patch", "Delete", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "get",
    "head", "post", "put", "Ping",
];

/// At most this many URLs of one text are looked at.
const MOST: usize = 64;

/// The URLs of a text in order.
pub(crate) fn all(text: &str) -> Vec<Request<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(text.as_bytes().get(from..).unwrap_or_default(), b"://") {
        let mark = from + at;
        from = mark + 3;
        let start = if text[..mark].ends_with("https") {
            mark - 5
        } else if text[..mark].ends_with("http") {
            mark - 4
        } else {
            continue;
        };
        found.push(one(text, start, from));
        if found.len() == MOST {
            break;
        }
    }
    found
}

fn one(text: &str, start: usize, after_scheme: usize) -> Request<'_> {
    let ends = |b: u8| {
        b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'>' | b'<' | b')' | b',' | b'}')
    };
    let tail = &text[after_scheme..];
    let length = tail.bytes().position(ends).unwrap_or(tail.len());
    let mut end = after_scheme + length;
    // Unquoted URLs run into the next link: `https://a/v2/: x509`, `.../1.10:x509`.
    while text[..end].ends_with([':', '.']) && end > after_scheme {
        end -= 1;
    }
    let url = &text[start..end];
    let rest = &text[after_scheme..end];
    let slash = rest.find(['/', '?']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(slash);
    let host = host.rsplit_once('@').map_or(host, |(_, h)| h);
    let before = text[..start].trim_end_matches(['"', '\'', '`', ' ']);
    let before = before.strip_suffix("request to").map_or(before, str::trim_end);
    let before = before.strip_suffix(" from").or_else(|| before.strip_suffix(" at")).unwrap_or(before);
    let method = METHODS.iter().find(|m| before.ends_with(**m)).copied();
    let is = |m: &str| method.is_some_and(|method| method.eq_ignore_ascii_case(m));
    let token = is_token(path) && !IDENTITY.contains(&host);
    let pushes = path.contains("/blobs/") && (path.contains("/blobs/uploads") || is("head"))
        || path.starts_with("/v2/") && (is("put") || is("patch") || is("post"))
        || path.starts_with("/v1/") && is("put")
        || token && (asks_to_push(path) || text[end..].starts_with(",push"));
    Request { url, host, path, asked: method.is_some(), pushes, token, start, end }
}

/// Services that give tokens for anything but a registry.
const IDENTITY: &[&str] = &[
    "accounts.google.com",
    "login.microsoftonline.com",
    "login.windows.net",
    "oauth2.googleapis.com",
    "www.googleapis.com",
];

/// Whether a token for more than reading was asked for: `scope=repository:team/app:pull,push`.
fn asks_to_push(path: &str) -> bool {
    let action = |before: &str| {
        let before = before.to_ascii_lowercase();
        [":", ",", "%3a", "%2c"].iter().any(|b| before.ends_with(b))
    };
    path.split_once("scope=").is_some_and(|(_, scope)| {
        scope.match_indices("push").any(|(at, _)| action(scope.get(..at).unwrap_or_default()))
    })
}

/// Whether a token service has such paths.
fn is_token(whole: &str) -> bool {
    const ENDS: &[&str] = &["/token", "/jwt/auth", "/oauth2/", "/oauth/", "/proxy_auth", "/auth"];
    let path = whole.split('?').next().unwrap_or_default();
    ENDS.iter().any(|p| path.ends_with(p))
        || path.contains("/oauth2/")
        || path.contains("/openshift/token")
        || whole.contains("scope=repository")
}

impl<'t> Request<'t> {
    /// Whether a pull or push would ask this: the registry's API of either version, a token service, a blob store.
    pub(crate) fn is_registry(&self) -> bool {
        let path = self.path;
        self.is_api()
            || ["/v1/_ping", "/v1/repositories", "/v1/images", "/v0/"].iter().any(|p| path.starts_with(p))
            || ["/manifests/", "/blobs/", "/_ping", "/registry-v2/", "/registry/v2/", "sha256"]
                .iter()
                .any(|p| path.contains(p))
            || self.is_token()
            || is_hub(self.host)
    }

    /// Whether it is the registry API of the second version: its root, what repositories have below it, or a path that was
    /// cut or blotted out. Many a service has a second version.
    pub(crate) fn is_api(&self) -> bool {
        const BELOW: &[&str] =
            &["/manifests", "/blobs", "/tags", "/referrers", "/_catalog", "/token", "/auth", "//"];
        let Some(rest) = self.path.strip_prefix("/v2") else { return false };
        let below = rest.split('?').next().unwrap_or_default();
        below.trim_matches('/').is_empty()
            || below.starts_with('/')
                && (BELOW.iter().any(|b| below.contains(b))
                    || below.contains([':', '*', '<', '[', '\u{2026}'])
                    || below.contains("..."))
    }

    /// Whether a token service is asked.
    pub(crate) fn is_token(&self) -> bool {
        self.token
    }

    /// Whether a token for a repository is asked for.
    pub(crate) fn scoped(&self) -> bool {
        self.token && self.path.contains("scope=repository")
    }

    /// The first request to `/v2/` or its elder.
    pub(crate) fn is_ping(&self) -> bool {
        matches!(self.path.trim_end_matches('/'), "/v2" | "/v1/_ping" | "/v1" | "/v0")
    }

    pub(crate) fn is_manifest(&self) -> bool {
        self.path.contains("/manifests/")
    }

    pub(crate) fn is_blob(&self) -> bool {
        self.path.contains("/blobs/")
            || !self.path.starts_with("/v2/") && !self.is_token() && self.path.contains("sha256")
    }

    /// The registry that a mirror was asked for: `?ns=docker.io`.
    pub(crate) fn namespace(&self) -> Option<&'t str> {
        let query = self.path.split_once('?')?.1;
        let value = query.split('&').find_map(|p| p.strip_prefix("ns="))?;
        (!value.contains('%') && !value.is_empty()).then_some(value)
    }
}

/// Docker Hub's own hosts.
pub(crate) fn is_hub(host: &str) -> bool {
    let name = host.split(':').next().unwrap_or_default();
    name == "docker.io"
        || name.ends_with(".docker.io")
        || name.starts_with("production.") && name.ends_with(".docker.com")
        || name.starts_with("docker-images-prod.")
        // Docker Hub's blobs before 2018.
        || name == "dseasb33srnrn.cloudfront.net"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_bare_and_run_together() {
        let text = "Head \"https://m.example.com:5000/v2/a/manifests/v1?ns=docker.io\": EOF; Get https://a.example.com/v2/: x; \
                    unexpected status from HEAD request to https://b.example.com/v2/p/blobs/sha256:00: 401; see https://docs.example.com/x.";
        let all = all(text);
        let hosts: Vec<_> = all.iter().map(|r| (r.host, r.asked, r.is_registry())).collect();
        assert_eq!(
            hosts,
            [
                ("m.example.com:5000", true, true),
                ("a.example.com", true, true),
                ("b.example.com", true, true),
                ("docs.example.com", false, false)
            ]
        );
        assert_eq!(all[0].namespace(), Some("docker.io"));
        assert!(all[0].is_manifest() && all[1].is_ping() && all[2].is_blob() && all[2].pushes);
    }
}
