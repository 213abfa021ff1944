//! `curl` (and `wget`, `gh api`): what was asked, by which way, and what came back.

use super::command::command;
use crate::api_error;
use crate::url;

/// One run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Curl {
    /// The URL, verbatim.
    pub url: String,
    /// `GET`, `HEAD`, `POST`.
    pub method: String,
    /// The proxy that the command names (`-x`).
    pub proxy: Option<String>,
    /// Whether the command shuts proxies out (`--noproxy`).
    pub no_proxy: bool,
    /// Whether certificates were not verified.
    pub insecure: bool,
    /// The CA file that the command names.
    pub ca: Option<String>,
    /// Whether a client certificate was given.
    pub client_cert: bool,
    /// Whether a credential was sent: `-u` or an Authorization header.
    pub with_credential: bool,
    /// Whether that was a bearer token.
    pub with_token: bool,
    /// The pod, host or container in which a wrapper ran it.
    pub inside: Option<String>,
    /// The status lines, in order; a `-w %{http_code}` counts as one.
    pub statuses: Vec<u16>,
    /// The headers of the last answer, names in lower case.
    pub headers: Vec<(String, String)>,
    /// curl's own error: its number and words.
    pub error: Option<(u16, String)>,
    /// The body, as far as it was printed.
    pub body: String,
    /// The certificate's issuer, which `-v` prints.
    pub issuer: Option<String>,
}

impl Curl {
    /// The last status.
    pub fn status(&self) -> Option<u16> {
        self.statuses.last().copied().filter(|s| *s > 0)
    }

    /// A header of the last answer.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    /// The scheme; `http` where the URL has none, as curl takes it.
    pub fn scheme(&self) -> &str {
        url::scheme_of(&self.url).unwrap_or("http")
    }

    /// Host and port, as they stand in the URL.
    pub fn host(&self) -> &str {
        url::host_of(&self.url)
    }

    /// The path and query.
    pub fn path(&self) -> &str {
        url::path_of(&self.url)
    }

    /// Whether a proxy opened no tunnel, so that the last answer is the proxy's: the words of curl
    /// 7.69 and of 8.0.
    pub fn no_tunnel(&self) -> bool {
        self.error.as_ref().is_some_and(|(_, words)| {
            words.contains("from proxy after CONNECT") || words.contains("CONNECT tunnel failed")
        })
    }

    /// Whether the registry's API answered: by its header, a challenge, or a body in its form.
    pub fn is_registry(&self) -> bool {
        self.header("docker-distribution-api-version").is_some()
            || self.header("docker-content-digest").is_some()
            || self
                .header("www-authenticate")
                .is_some_and(|c| c.contains("service=") || c.starts_with("Basic"))
            || !self.api_errors().is_empty()
            || self.body.contains("\"schemaVersion\"")
            || self.body.contains("\"tags\"")
    }

    /// Whether a web page came back.
    pub fn is_html(&self) -> bool {
        self.header("content-type").is_some_and(|t| t.contains("text/html"))
            || api_error::kind(self.body.as_bytes()) == api_error::BodyKind::Html
    }

    /// The errors of the body, in the registry API's form.
    pub fn api_errors(&self) -> Vec<api_error::ApiError> {
        let json = self.body.find('{').and_then(|i| self.body.get(i..)).unwrap_or_default();
        api_error::errors(json.trim().as_bytes())
    }
}

/// Flags that take a value.
const VALUED: &[&str] = &[
    "-x",
    "--proxy",
    "-H",
    "--header",
    "-o",
    "--output",
    "-w",
    "--write-out",
    "-m",
    "--max-time",
    "-u",
    "--user",
    "-X",
    "--request",
    "-d",
    "--data",
    "--data-urlencode",
    "--connect-timeout",
    "--cacert",
    "--capath",
    "-E",
    "--cert",
    "--key",
    "--noproxy",
    "--resolve",
    "-A",
    "--user-agent",
    "-e",
    "--retry",
    "-b",
    "-c",
    "-D",
    "--dump-header",
    "--interface",
    "-T",
    "--upload-file",
    "-r",
    "--range",
    "--url",
    "--proxy-user",
    "-U",
    "--tls-max",
    "--ciphers",
    "--timeout",
    "--tries",
    "-O",
    "--ca-certificate",
    "--limit-rate",
    "-C",
    "--max-redirs",
];

/// Reads one run from its command line and output. `None` where the program is another one.
pub fn read(line: &str, text: &str) -> Option<Curl> {
    let found = command(line);
    if found.program == "gh" {
        return gh(&found.arguments, found.inside, text);
    }
    if !matches!(found.program, "curl" | "wget") {
        return None;
    }
    let mut run = Curl { method: "GET".into(), inside: found.inside.map(str::to_owned), ..Curl::default() };
    let mut arguments = found.arguments.iter().copied();
    while let Some(word) = arguments.next() {
        let (flag, inline) = match word.split_once('=').filter(|_| word.starts_with("--")) {
            Some((flag, value)) => (flag, Some(value)),
            None => (word, None),
        };
        if let Some(short) = bundle(flag) {
            run.method = if short.contains('I') { "HEAD".into() } else { run.method };
            run.insecure |= short.contains('k');
            // The last letter of a bundle may take the next word: `-sSo /dev/null`.
            let last = short.chars().last().map(|c| format!("-{c}")).unwrap_or_default();
            if VALUED.contains(&last.as_str()) && found.program == "curl" {
                let value = arguments.next().unwrap_or_default();
                run.option(&last, value);
            }
            continue;
        }
        if flag.starts_with('-') {
            let takes = VALUED.contains(&flag) && !(found.program == "wget" && flag == "-S");
            let value = match inline {
                Some(value) => value,
                None if takes => arguments.next().unwrap_or_default(),
                None => "",
            };
            run.option(flag, value);
        } else if run.url.is_empty() {
            run.url = word.to_owned();
        }
    }
    if run.url.is_empty() {
        return None;
    }
    run.output(text, line.contains("http_code") || line.contains("response_code"));
    Some(run)
}

/// `gh api PATH`: GitHub's REST API, asked as who is logged in (cli.github.com/manual/gh_api).
fn gh(arguments: &[&str], inside: Option<&str>, text: &str) -> Option<Curl> {
    const VALUED: &[&str] =
        &["-q", "--jq", "-t", "--template", "-H", "--header", "-X", "--method", "-f", "-F", "-p", "--cache"];
    let mut arguments = arguments.iter().copied();
    arguments.next().filter(|word| *word == "api")?;
    let mut path = None;
    while let Some(word) = arguments.next() {
        if VALUED.contains(&word) {
            arguments.next();
        } else if !word.starts_with('-') {
            path = path.or(Some(word));
        }
    }
    let mut run = Curl {
        url: format!("https://api.github.com/{}", path?.trim_start_matches('/')),
        method: "GET".into(),
        with_credential: true,
        with_token: true,
        inside: inside.map(str::to_owned),
        ..Curl::default()
    };
    run.output(text, false);
    Some(run)
}

/// The letters of `-sSI`; `None` for a long flag or one letter that takes a value.
fn bundle(flag: &str) -> Option<&str> {
    let letters = flag.strip_prefix('-').filter(|l| !l.starts_with('-') && !l.is_empty())?;
    if letters.len() == 1 && VALUED.contains(&flag) {
        return None;
    }
    letters.chars().all(|c| c.is_ascii_alphanumeric() || c == '#').then_some(letters)
}

impl Curl {
    fn option(&mut self, flag: &str, value: &str) {
        match flag {
            "-x" | "--proxy" => self.proxy = Some(value.to_owned()),
            "--noproxy" | "--no-proxy" => self.no_proxy = true,
            "--cacert" | "--ca-certificate" => self.ca = Some(value.to_owned()),
            "-E" | "--cert" | "--key" => self.client_cert = true,
            "-k" | "--insecure" | "--no-check-certificate" => self.insecure = true,
            "-I" | "--head" | "--spider" => self.method = "HEAD".into(),
            "-X" | "--request" => self.method = value.to_uppercase(),
            "-d" | "--data" | "--data-urlencode" if self.method == "GET" => self.method = "POST".into(),
            "-u" | "--user" | "--basic" => self.with_credential = true,
            "-H" | "--header" => {
                let lower = value.to_ascii_lowercase();
                if let Some(rest) = lower.strip_prefix("authorization:") {
                    self.with_credential = true;
                    self.with_token |= rest.trim_start().starts_with("bearer");
                }
            }
            "--url" => self.url = value.to_owned(),
            _ => {}
        }
    }

    fn output(&mut self, text: &str, prints_status: bool) {
        // Behind a filter (`| grep -i www-auth`) nothing but headers is left of what `-I` prints.
        let mut in_headers = self.method == "HEAD" && !text.contains("HTTP/");
        for line in text.lines() {
            let bare = line.trim_start_matches(['<', ' ', '\t']).trim_end();
            if let Some(status) = status_line(bare) {
                self.statuses.push(status);
                self.headers.clear();
                in_headers = true;
                continue;
            }
            if let Some((number, words)) = own_error(line.trim()) {
                self.error = Some((number, words.to_owned()));
                continue;
            }
            if let Some(rest) = line.trim_start().strip_prefix("* ") {
                if let Some(issuer) = rest.trim_start().strip_prefix("issuer:") {
                    self.issuer = Some(issuer.trim().to_owned());
                }
                continue;
            }
            if in_headers {
                if bare.is_empty() {
                    in_headers = false;
                } else if let Some((name, value)) = bare.split_once(':').filter(|(n, _)| !n.contains(' ')) {
                    self.headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
                    continue;
                } else {
                    in_headers = false;
                }
            }
            if prints_status
                && !line.trim().is_empty()
                && line.split_whitespace().all(|w| w.len() == 3 && w.bytes().all(|b| b.is_ascii_digit()))
            {
                self.statuses.extend(line.split_whitespace().filter_map(|w| w.parse::<u16>().ok()));
                continue;
            }
            if let Some(status) = waited(line) {
                self.statuses.push(status);
                continue;
            }
            if !line.starts_with(['>', '{', '}']) || line.starts_with('{') {
                self.body.push_str(line);
                self.body.push('\n');
            }
        }
        let end = self.body.trim_end().len();
        self.body.truncate(end);
    }
}

/// `HTTP/1.1 401 Unauthorized`.
fn status_line(line: &str) -> Option<u16> {
    let rest = line.strip_prefix("HTTP/")?;
    let mut words = rest.split_whitespace();
    words.next().filter(|v| v.starts_with(['1', '2', '3']))?;
    words.next()?.parse().ok().filter(|s| (100..600).contains(s))
}

/// `curl: (28) Connection timed out`, and wget's own words by the number that curl has for them.
fn own_error(line: &str) -> Option<(u16, &str)> {
    if let Some(rest) = line.strip_prefix("curl: (") {
        let (number, words) = rest.split_once(')')?;
        return Some((number.parse().ok()?, words.trim()));
    }
    let number = if line.contains("unable to resolve host") || line.contains("bad address") {
        6
    } else if line.contains("failed: Connection refused") || line.contains("can't connect to remote host") {
        7
    } else if line.contains("failed: Connection timed out") || line.contains("download timed out") {
        28
    } else if line.starts_with("ERROR: cannot verify") {
        60
    } else {
        return None;
    };
    Some((number, line))
}

/// wget's `HTTP request sent, awaiting response... 401 Unauthorized`.
fn waited(line: &str) -> Option<u16> {
    let (_, rest) = line.split_once("awaiting response... ")?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn run(line: &str, text: &str) -> Curl {
        read(line, text).unwrap()
    }

    #[test]
    fn headers_behind_a_filter() {
        let r = run(
            "curl -sSI https://h.example.com/v2/ | grep -i www",
            "www-authenticate: Bearer realm=\"https://t/x\"\n",
        );
        assert_eq!(r.header("www-authenticate"), Some("Bearer realm=\"https://t/x\""));
        assert_eq!(r.status(), None);
        let body = run("curl -sS https://h.example.com/v2/", "location: x\n");
        assert_eq!((body.header("location"), body.body.as_str()), (None, "location: x"));
        let status = run("curl -sSI -o /dev/null -w %{http_code} https://h.example.com/v2/", "401\n");
        assert_eq!(status.status(), Some(401));
    }

    #[test]
    fn what_was_asked() {
        let r = run(
            "curl -sSI -u r:x https://h.example.com:5000/v2/a?b",
            "HTTP/1.1 307 Temporary Redirect\r\nLocation: http://s3/x\r\n",
        );
        assert_eq!(
            (r.method.as_str(), r.host(), r.path(), r.scheme()),
            ("HEAD", "h.example.com:5000", "/v2/a?b", "https")
        );
        assert_eq!(
            (r.status(), r.header("location"), r.with_credential),
            (Some(307), Some("http://s3/x"), true)
        );
        let r = run(
            "curl -sS -o /dev/null -w \"%{http_code}\\n\" --noproxy \"*\" -H \"Authorization: Bearer $T\" https://r/v2/",
            "200\n",
        );
        assert_eq!((r.status(), r.no_proxy, r.with_token), (Some(200), true, true));
        let r =
            run("curl -x http://p:3128 -k https://r/v2/", "curl: (56) CONNECT tunnel failed, response 407\n");
        assert_eq!((r.proxy.as_deref(), r.insecure), (Some("http://p:3128"), true));
        assert_eq!(r.error.unwrap().0, 56);
        let r = run("kubectl exec netshoot -- curl -sSI https://r/v2/", "HTTP/2 200\n");
        assert_eq!((r.inside.as_deref(), r.status()), (Some("netshoot"), Some(200)));
    }

    #[test]
    fn what_came_back() {
        let r = run(
            "curl -sS http://r/v2/a/tags/list",
            "{\"errors\":[{\"code\":\"NAME_UNKNOWN\",\"message\":\"x\"}]}\n",
        );
        assert_eq!(r.api_errors()[0].code, "NAME_UNKNOWN");
        assert!(r.is_registry() && r.status().is_none());
        let r = run(
            "curl -sSi https://h/x",
            "HTTP/1.1 200 OK\nContent-Type: text/html\n\n<!DOCTYPE html>\n<html>\n",
        );
        assert!(r.is_html() && !r.is_registry());
        let r = run(
            "for i in $(seq 10); do curl -s -o /dev/null -w \"%{http_code} \" https://h/v2/; done",
            "200 401 200\n",
        );
        assert_eq!(r.statuses, [200, 401, 200]);
        let r = run(
            "curl -v https://h/v2/",
            "*   Trying 192.0.2.1:443...\n*  issuer: CN=Example CA\n> GET /v2/ HTTP/1.1\n< HTTP/1.1 401 Unauthorized\n< Www-Authenticate: Basic realm=\"x\"\n<\n",
        );
        assert_eq!((r.status(), r.issuer.as_deref()), (Some(401), Some("CN=Example CA")));
        assert!(r.is_registry());
        let r =
            run("wget -S https://h/v2/", "Connecting to h|192.0.2.1|:443... failed: Connection refused.\n");
        assert_eq!(r.error.unwrap().0, 7);
        assert!(read("dig x", "").is_none());
    }

    proptest! {
        #[test]
        fn never_panics(line in "curl [a-z:/ \"'=$()-]{0,60}", text in any::<String>()) {
            if let Some(r) = read(&line, &text) {
                let _ = (r.host(), r.path(), r.is_registry(), r.is_html());
            }
        }
    }
}
