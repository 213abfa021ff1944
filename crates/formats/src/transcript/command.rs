//! A command line, as far as one must understand it: the program, its arguments, and where it really ran.

/// A command line without what wraps it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command<'a> {
    /// The line as it stands.
    pub line: &'a str,
    /// The program's name without its path: `curl`, `crictl`, `kubectl`.
    pub program: &'a str,
    /// Its arguments, quotes removed, up to the first pipe, redirection or `;`.
    pub arguments: Vec<&'a str>,
    /// Where a wrapper ran it: the pod of `kubectl exec POD`, the host of `ssh HOST`, the container of `docker exec NAME`.
    pub inside: Option<&'a str>,
}

impl<'a> Command<'a> {
    /// The first argument that is no flag: `pull` of `crictl pull x`.
    pub fn verb(&self) -> &str {
        self.arguments.iter().find(|a| !a.starts_with('-')).copied().unwrap_or_default()
    }

    /// Its arguments without the flags and without what belongs to them, such as `user:password` of `--creds`.
    pub fn operands(&self) -> Vec<&'a str> {
        let mut all = self.arguments.iter().copied();
        let mut found = Vec::new();
        while let Some(one) = all.next() {
            if CLIENT_FLAGS.contains(&one) {
                all.next();
            } else if !one.starts_with('-') {
                found.push(one);
            }
        }
        found
    }

    /// The value of a flag, in any of `--flag value`, `--flag=value`.
    pub fn flag(&self, name: &str) -> Option<&'a str> {
        let mut all = self.arguments.iter().copied();
        while let Some(one) = all.next() {
            if one == name {
                return all.next();
            }
            if let Some(value) = one.strip_prefix(name).and_then(|rest| rest.strip_prefix('=')) {
                return Some(value);
            }
        }
        None
    }

    /// Whether an argument stands there as it is.
    pub fn has(&self, argument: &str) -> bool {
        self.arguments.contains(&argument)
    }
}

/// Flags of clients that pull and push which take a value. Sources: the help of crictl 1.36, ctr 2.2, nerdctl 2, docker
/// 29, podman 5, skopeo 1.20, crane 0.20.
const CLIENT_FLAGS: &[&str] = &[
    "--creds",
    "--auth",
    "--user",
    "-u",
    "--username",
    "--password",
    "--src-creds",
    "--dest-creds",
    "--authfile",
    "--cert-dir",
    "--platform",
    "--config",
    "--context",
    "-H",
    "--host",
    "-n",
    "--namespace",
    "--address",
    "--hosts-dir",
    "--snapshotter",
    "-r",
    "--runtime-endpoint",
    "--image-endpoint",
    "--timeout",
    "--pod-config",
    "--annotation",
    "--tlscacert",
    "--tlscert",
    "--tlskey",
    "--label",
    "--arch",
    "--os",
    "--variant",
    "--retry",
    "--log-level",
    "--root",
    "--format",
    "-f",
    "--file",
    "-t",
    "--tag",
    "--build-arg",
];

/// Programs that run another one.
const WRAPPERS: &[&str] =
    &["sudo", "time", "timeout", "env", "nohup", "watch", "stdbuf", "chroot", "nsenter"];
/// The flags that take a value, of each program that runs another.
fn valued(program: &str) -> &'static [&'static str] {
    match program {
        "kubectl" | "oc" | "k" => {
            &["-n", "--namespace", "-c", "--container", "--context", "--kubeconfig", "--image"]
        }
        "docker" | "podman" | "nerdctl" => &["-u", "--user", "-e", "--env", "-w", "--workdir"],
        "ssh" => &["-p", "-i", "-l", "-o", "-F", "-J"],
        "sudo" => &["-u", "--user", "-g", "-h"],
        "nsenter" => &["-t", "--target"],
        "timeout" => &["-k", "-s"],
        "minikube" => &["-p", "-n"],
        _ => &[],
    }
}

/// Reads a command line.
pub fn command(line: &str) -> Command<'_> {
    let words = words(line);
    let mut rest = words.as_slice();
    let mut inside = None;
    // Each turn takes one wrapper off; a line has few.
    for _ in 0..8 {
        rest = skip_assignments(rest);
        let Some((first, after)) = rest.split_first() else { break };
        let name = base(first);
        if WRAPPERS.contains(&name) {
            rest = skip_flags(after, valued(name));
            if matches!(name, "chroot" | "timeout") {
                rest = rest.get(1..).unwrap_or_default();
            }
            continue;
        }
        if let Some((place, inner)) = remote(name, after) {
            inside = Some(place);
            rest = inner;
            continue;
        }
        return Command { line, program: name, arguments: after.to_vec(), inside };
    }
    Command { line, ..Command::default() }
}

/// `kubectl exec POD -- command`, `docker exec NAME command`, `ssh HOST command`, `kubectl debug node/X -- command`.
fn remote<'w, 'a>(program: &str, words: &'w [&'a str]) -> Option<(&'a str, &'w [&'a str])> {
    match program {
        "kubectl" | "oc" | "k" => {
            let at = words.iter().position(|w| matches!(*w, "exec" | "debug" | "run"))?;
            let end = words.iter().position(|w| *w == "--")?;
            let place = skip_flags(words.get(at + 1..end)?, valued(program)).first()?;
            Some((place.trim_start_matches("pod/").trim_start_matches("node/"), words.get(end + 1..)?))
        }
        "docker" | "podman" | "nerdctl" => {
            let (verb, rest) = words.split_first()?;
            let rest = skip_flags(rest, valued(program));
            let (place, inner) = rest.split_first()?;
            (*verb == "exec" && !inner.is_empty()).then_some((*place, inner))
        }
        "ssh" | "minikube" => {
            let rest = skip_flags(words, valued(program));
            let (place, inner) = rest.split_first()?;
            let inner = inner.strip_prefix(&["--"]).unwrap_or(inner);
            (!inner.is_empty()).then_some((place.rsplit('@').next().unwrap_or(place), inner))
        }
        _ => None,
    }
}

fn skip_flags<'w, 'a>(mut words: &'w [&'a str], valued: &[&str]) -> &'w [&'a str] {
    while let Some((first, rest)) = words.split_first() {
        if *first == "--" {
            return rest;
        }
        if !first.starts_with('-') {
            return words;
        }
        words = if valued.contains(first) && !first.contains('=') && rest.len() > 1 {
            rest.get(1..).unwrap_or_default()
        } else {
            rest
        };
    }
    words
}

/// `NAME=value command`, `TOKEN=$(command ...)`, `for i in ...; do command`, `echo x | command`.
fn skip_assignments<'w, 'a>(mut words: &'w [&'a str]) -> &'w [&'a str] {
    while let Some((first, rest)) = words.split_first() {
        let assigns = first.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        if assigns && !rest.is_empty() {
            words = rest;
        } else {
            break;
        }
    }
    words
}

fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// The words of the first command of the line, quotes removed where they enclose a whole word.
fn words(line: &str) -> Vec<&str> {
    let line = match line.split_once("; do ") {
        Some((head, body)) if head.starts_with("for ") || head.starts_with("while ") => body,
        _ => line,
    };
    let line = line.split_once("=$(").filter(|(n, _)| !n.contains(' ')).map_or(line, |(_, inner)| inner);
    let bytes = line.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() && words.len() < 256 {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let start = at;
        let mut quote = None;
        while let Some(&b) = bytes.get(at) {
            match quote {
                Some(q) if b == q => quote = None,
                Some(_) => {}
                None if matches!(b, b'"' | b'\'') => quote = Some(b),
                None if b.is_ascii_whitespace() || matches!(b, b'|' | b';') => break,
                None => {}
            }
            at += 1;
        }
        if let Some(word) = line.get(start..at).filter(|w| !w.is_empty()) {
            if matches!(word, "&&" | "<" | "<<<") || word.starts_with(['>', '<']) || word.starts_with("2>") {
                break;
            }
            let bare = word.trim_end_matches(')');
            words.push(unquoted(if word.contains('(') { word } else { bare }));
        }
        if bytes.get(at).is_some_and(|b| matches!(b, b'|' | b';')) {
            break;
        }
    }
    words
}

fn unquoted(word: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(inner) = word.strip_prefix(quote).and_then(|w| w.strip_suffix(quote)) {
            return inner;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_to_a_flag_is_no_operand() {
        for line in [
            "crictl pull --creds u:p r.example.com/a:1",
            "crictl pull --auth abc r.example.com/a:1",
            "ctr -n k8s.io images pull --user u:p r.example.com/a:1",
            "docker pull --platform linux/arm64 r.example.com/a:1",
            "podman pull --creds=u:p r.example.com/a:1",
        ] {
            let operands = command(line).operands();
            assert_eq!(operands.last().copied(), Some("r.example.com/a:1"), "{line}");
            assert!(operands.iter().all(|o| !o.contains("u:p") && *o != "abc"), "{line}");
        }
    }

    #[test]
    fn wrappers_come_off() {
        for (line, program, verb, inside) in [
            ("crictl pull docker.io/library/node:12", "crictl", "pull", None),
            ("sudo -n /usr/local/bin/crictl pull x", "crictl", "pull", None),
            ("HTTPS_PROXY=http://p:1 curl -sS https://r/v2/", "curl", "https://r/v2/", None),
            ("TOKEN=$(curl -sS \"https://a/token\" | jq -r .token)", "curl", "https://a/token", None),
            (
                "kubectl -n harbor exec harbor-core-0 -- date -u +%T.%N",
                "date",
                "+%T.%N",
                Some("harbor-core-0"),
            ),
            (
                "kubectl exec -it -n x pod/netshoot -- curl -sSI https://r",
                "curl",
                "https://r",
                Some("netshoot"),
            ),
            ("docker exec harbor-nginx nginx -v", "nginx", "", Some("harbor-nginx")),
            ("ssh root@worker-1 crictl info", "crictl", "info", Some("worker-1")),
            ("for i in $(seq 10); do curl -s https://r/v2/; done", "curl", "https://r/v2/", None),
            ("chroot /host crictl images", "crictl", "images", None),
            (
                "openssl s_client -connect r:443 </dev/null 2>/dev/null | openssl x509",
                "openssl",
                "s_client",
                None,
            ),
            ("", "", "", None),
        ] {
            let got = command(line);
            assert_eq!((got.program, got.verb(), got.inside), (program, verb, inside), "{line}");
        }
    }

    #[test]
    fn flags_have_values() {
        let got = command("kubectl get secrets -n shop --context=a");
        assert_eq!(got.flag("-n"), Some("shop"));
        assert_eq!(got.flag("--context"), Some("a"));
        assert_eq!(got.flag("-A"), None);
    }

    proptest::proptest! {
        #[test]
        fn never_panics(line in "\\PC{0,80}|[a-z$ ()'\"|;=-]{0,80}") {
            let _ = command(&line);
        }
    }
}
