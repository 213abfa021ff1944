//! Proxies: what the runtime's own environment names, what others name, and which hosts go past it.

use crate::case::Case;
use crate::lines::output_at;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::climbs;
use crate::questions::hosts::{name_of, same_host};
use crate::requests::Request;
use crate::subject::Subject;
use emulate::distribution::Distribution;
use emulate::go::proxy::{Decision, Environment};
use facts::{CommandOutput, NodeFacts, Why};
use report::{Evidence, Locator, Say};
use vocabulary::Runtime;

/// The programs whose environment decides over pulls.
const RUNTIMES: &[&str] = &["containerd", "dockerd", "docker", "crio", "cri-o", "k3s", "rke2"];

/// A variable, its value, and where it stands.
pub struct Variable<'a> {
    /// Its name, as it is written.
    pub name: &'a str,
    /// Its value.
    pub value: &'a str,
    /// Where it stands.
    pub at: Locator,
}

/// Whether a command prints the runtime's own environment: that of its process, of its unit, or what it reports itself.
fn of_runtime(o: &CommandOutput) -> bool {
    let line = &o.command;
    let program =
        RUNTIMES.iter().any(|r| line.contains(r) || o.origin.source.contains(&format!("environ-{r}")));
    let of_process = line.contains("/environ") && !line.contains("/proc/1/");
    let of_unit = line.contains("systemctl show") && o.text.lines().any(|l| l.starts_with("Environment="));
    program && (of_process || of_unit || line.contains("docker info"))
}

/// The proxy variables of a line: `A=b`, `export A=b`, `Environment="A=b" "C=d e"`, and `HTTPS Proxy: b` of docker info.
fn proxy_variables(line: &str) -> Vec<(&str, &str)> {
    let line = line.trim().trim_start_matches("Environment=").trim_start_matches("export ");
    let printed =
        [("HTTP Proxy: ", "HTTP_PROXY"), ("HTTPS Proxy: ", "HTTPS_PROXY"), ("No Proxy: ", "NO_PROXY")];
    if let Some((value, name)) =
        printed.iter().find_map(|(label, name)| Some((line.strip_prefix(label)?, *name)))
    {
        return vec![(name, value.trim())];
    }
    let mut all = Vec::new();
    for word in quoted_words(line) {
        let Some((name, value)) = word.split_once('=') else { continue };
        let known = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"].iter().any(|k| k.eq_ignore_ascii_case(name));
        let value = value.trim_matches(['"', '\'']);
        if known && !value.is_empty() {
            all.push((name, value));
        }
    }
    all
}

/// The words of a line; quotes hold one together, wherever they begin in it.
fn quoted_words(line: &str) -> Vec<&str> {
    let (mut words, mut start, mut quote) = (Vec::new(), 0, None);
    for (at, c) in line.char_indices() {
        match (quote, c) {
            (Some(q), c) if c == q => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, c) if c.is_whitespace() => {
                words.push(line.get(start..at).unwrap_or_default());
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    words.push(line.get(start..).unwrap_or_default());
    words.into_iter().map(|w| w.trim_matches(['"', '\''])).filter(|w| !w.is_empty()).collect()
}

fn from_output(o: &CommandOutput) -> Vec<Variable<'_>> {
    let at = |line: usize| output_at(o, o.origin.line + 1 + line as u32);
    let all = o.text.lines().enumerate();
    all.flat_map(|(n, l)| {
        proxy_variables(l).into_iter().map(move |(name, value)| Variable { name, value, at: at(n) })
    })
    .collect()
}

fn from_files<'a>(node: &'a NodeFacts, which: impl Fn(&str, &str) -> bool) -> Vec<Variable<'a>> {
    let mut all = Vec::new();
    for (path, file) in &node.files {
        let Some(text) = file.text.seen().filter(|t| which(path, t)) else { continue };
        for (n, line) in text.lines().enumerate() {
            for (name, value) in proxy_variables(line) {
                let at = Locator::File {
                    node: node.name.clone(),
                    path: path.clone(),
                    line: n as u32 + 1,
                    column: 0,
                    snippet: line.to_owned(),
                };
                all.push(Variable { name, value, at });
            }
        }
    }
    all
}

/// The services that may run the runtime of the pull's node: where it is known, another's unit is not its own.
fn services(case: &Case<'_>, pull: &Pull<'_>) -> &'static [&'static str] {
    let Some(view) = case.view(pull) else { return RUNTIMES };
    match (view.distribution.of, view.runtime) {
        (Distribution::K3s, _) => &["k3s"],
        (Distribution::Rke2, _) => &["rke2"],
        (Distribution::Plain, Some(Runtime::Containerd)) => &["containerd"],
        (Distribution::Plain, Some(Runtime::Docker)) => &["docker", "dockerd"],
        (Distribution::Plain, Some(Runtime::CriO)) => &["crio", "cri-o"],
        _ => RUNTIMES,
    }
}

/// Whether a file is part of the unit of one of these services, or the environment file that distributions give it.
fn is_unit(services: &[&str], path: &str) -> bool {
    let of_unit =
        |r: &&str| ["", "-agent", "-server"].iter().any(|a| path.contains(&format!("/{r}{a}.service")));
    let of_file = |r: &&str| {
        ["/etc/default/", "/etc/sysconfig/"].iter().any(|dir| {
            path.strip_prefix(dir).is_some_and(|name| name == *r || name.starts_with(&format!("{r}-")))
        })
    };
    path.contains("/systemd/system/") && services.iter().any(of_unit) || services.iter().any(of_file)
}

/// Whether systemd takes assignments from a unit's file: of a drop-in folder only `*.conf` is read, and what stands outside
/// a section is passed over (systemd.unit(5), systemd.syntax(7)).
fn is_taken(path: &str, text: &str) -> bool {
    let drop_in = path.contains(".service.d/");
    let named = !drop_in || path.ends_with(".conf");
    let of_systemd = drop_in || path.ends_with(".service");
    named && (!of_systemd || text.lines().any(|l| l.trim() == "[Service]"))
}

/// Whether a file is the server's on a node of which a command shows that it runs the agent: each reads its own.
fn of_other_role(case: &Case<'_>, pull: &Pull<'_>, path: &str) -> bool {
    let Some(service) = path.rsplit('/').next().and_then(|n| n.strip_suffix("-server")) else { return false };
    let agent = format!("{service}-agent");
    matches!(service, "k3s" | "rke2")
        && case.outputs_on(pull.node).any(|o| o.command.contains("systemctl") && o.command.contains(&agent))
}

/// What the runtime runs with: its process's environment where it was read, else its unit's files. `None` where neither
/// was seen; an environment that was read and names no proxy is an empty list.
fn in_force<'a>(case: &Case<'a>, pull: &Pull<'_>) -> Option<(Vec<Variable<'a>>, Locator)> {
    if let Some(o) = case.snapshot.outputs.iter().find(|o| of_runtime(o) && on_node(o, pull)) {
        let at = output_at(o, o.origin.line);
        return Some((from_output(o), at));
    }
    let unit = of_unit(case, pull);
    let at = unit.first().map(|v| v.at.clone())?;
    Some((unit, at))
}

/// The proxy variables that the files of the runtime's unit give it.
pub fn of_unit<'a>(case: &Case<'a>, pull: &Pull<'_>) -> Vec<Variable<'a>> {
    let Some(node) = case.node_facts(pull.node) else { return Vec::new() };
    let services = services(case, pull);
    from_files(node, |p, text| is_unit(services, p) && is_taken(p, text) && !of_other_role(case, pull, p))
}

/// The proxy variables that the runtime's process was seen to run with, and where. `None` where nobody looked.
pub fn of_process<'a>(case: &Case<'a>, pull: &Pull<'_>) -> Option<(Vec<Variable<'a>>, Locator)> {
    let read = |o: &&CommandOutput| of_runtime(o) && o.command.contains("/environ") && on_node(o, pull);
    let output = case.snapshot.outputs.iter().find(read)?;
    Some((from_output(output), output_at(output, output.origin.line)))
}

/// The proxies that the runtime of the pull's node has, as they are written.
pub fn of_runtime_on(case: &Case<'_>, pull: &Pull<'_>) -> Vec<String> {
    let own = in_force(case, pull).map(|(own, _)| own).unwrap_or_default();
    own.iter().filter(|v| is_proxy(v)).map(|v| v.value.to_owned()).collect()
}

fn on_node(o: &CommandOutput, pull: &Pull<'_>) -> bool {
    pull.node.is_empty() || o.node.as_deref().is_none_or(|n| n.is_empty() || n == pull.node || n == "node")
}

/// Whether a variable names the proxy of the pull's requests: those by https go by HTTPS_PROXY alone
/// (golang.org/x/net/http/httpproxy).
fn is_for(v: &Variable<'_>, pull: &Pull<'_>) -> bool {
    let plain = pull.reading().and_then(|r| r.url.as_deref()).is_some_and(|u| u.starts_with("http://"));
    let other = if plain { "HTTPS_PROXY" } else { "HTTP_PROXY" };
    is_proxy(v) && !v.name.eq_ignore_ascii_case(other)
}

/// Whether a variable names a proxy, and not what goes past it.
pub fn is_proxy(v: &Variable<'_>) -> bool {
    !v.name.eq_ignore_ascii_case("NO_PROXY")
}

/// The last variable of its kind: of several assignments it is the one in force.
fn last<'v, 'a>(set: &'v [Variable<'a>], fits: impl Fn(&Variable<'_>) -> bool) -> Option<&'v Variable<'a>> {
    set.iter().rev().find(|v| fits(v))
}

fn set_elsewhere(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some((own, own_at)) = in_force(case, pull) else { return Seen::Blind(Why::NotAsked) };
    if let Some(v) = last(&own, |v| is_for(v, pull)) {
        return Seen::no(Evidence {
            at: v.at.clone(),
            says: Say::new("evidence-runtime-has-proxy"),
            quote: v.value.to_owned(),
        });
    }
    if let Some(v) = last(&own, is_proxy) {
        let says = Say::new("evidence-proxy-of-other-scheme").with("name", v.name.to_owned());
        return Seen::yes(Evidence { at: v.at.clone(), says, quote: v.value.to_owned() });
    }
    // What another node's runtime has, this one lacks.
    let others = |o: &&CommandOutput| !of_runtime(o) || !on_node(o, pull);
    let outputs = case.snapshot.outputs.iter().filter(others).map(from_output);
    let services = services(case, pull);
    let elsewhere =
        |p: &str, text: &str| !is_unit(services, p) || !is_taken(p, text) || of_other_role(case, pull, p);
    let files = case.node_facts(pull.node).into_iter().flat_map(|n| {
        n.files.keys().map(move |path| from_files(n, |p, text| p == path && elsewhere(p, text)))
    });
    let mut past = None;
    for set in outputs.chain(files) {
        let Some(v) = set.iter().find(|v| is_proxy(v)) else { continue };
        // A proxy that this registry is not asked through, there either, is not what the runtime lacks.
        if !goes_through(&set, pull) {
            let no_proxy = set.iter().find(|v| !is_proxy(v)).unwrap_or(v);
            let says = Say::new("evidence-goes-past-proxy").with("host", pull.registry.clone());
            past.get_or_insert(Evidence { at: no_proxy.at.clone(), says, quote: no_proxy.value.to_owned() });
            continue;
        }
        return Seen::Is(
            Answer::Yes,
            vec![
                Evidence {
                    at: own_at,
                    says: Say::new("evidence-runtime-without-proxy"),
                    quote: String::new(),
                },
                Evidence {
                    at: v.at.clone(),
                    says: Say::new("evidence-proxy-set-elsewhere"),
                    quote: v.value.to_owned(),
                },
            ],
        );
    }
    past.map_or(Seen::Blind(Why::NotAsked), Seen::no)
}

/// Whether Go would ask the pull's registry through a proxy with these variables; of two assignments the later one counts.
pub fn goes_through(set: &[Variable<'_>], pull: &Pull<'_>) -> bool {
    let environment =
        Environment::read(|name| set.iter().rfind(|v| v.name == name).map(|v| v.value.to_owned()));
    let host = name_of(&pull.registry);
    let port =
        pull.registry.strip_prefix(host).and_then(|p| p.strip_prefix(':')).and_then(|p| p.parse().ok());
    matches!(environment.decide(true, host, port.unwrap_or(443)), Decision::Through { .. })
}

/// Is a proxy set elsewhere, and not for the runtime?
pub static PROXY_ELSEWHERE: Question = Question {
    id: "ask-proxy-elsewhere",
    ask: set_elsewhere,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, _, _| "tr '\\0' '\\n' < /proc/$(pidof containerd)/environ | grep -i proxy".into(),
    }),
};

fn not_excepted(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some((own, own_at)) = in_force(case, pull) else { return climbs::way::through_proxy(case, pull) };
    if !own.iter().any(is_proxy) {
        return Seen::no(Evidence {
            at: own_at,
            says: Say::new("evidence-runtime-without-proxy"),
            quote: String::new(),
        });
    }
    let goes = goes_through(&own, pull);
    let no_proxy = last(&own, |v| !is_proxy(v));
    let (at, quote) = no_proxy.map_or((own_at, String::new()), |v| (v.at.clone(), v.value.to_owned()));
    let key = if goes { "evidence-goes-through-proxy" } else { "evidence-goes-past-proxy" };
    let evidence = Evidence { at, says: Say::new(key).with("host", pull.registry.clone()), quote };
    Seen::Is(if goes { Answer::Yes } else { Answer::No }, vec![evidence])
}

/// Does the runtime's proxy setting send the registry's requests through the proxy?
pub static THROUGH_PROXY: Question = Question { id: "ask-through-proxy", ask: not_excepted, test: None };

/// Whether a request was made without a proxy on purpose: `--noproxy`, or with the variable taken away.
fn shuts_proxies_out(r: &Request<'_>) -> bool {
    let line = r.output.command.to_ascii_lowercase();
    r.curl.no_proxy
        || ["-u https_proxy", "https_proxy= ", "https_proxy=\"\" "].iter().any(|w| line.contains(w))
}

fn direct_works(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let direct = case.requests().iter().find(|r| {
        shuts_proxies_out(r) && same_host(r.curl.host(), &pull.registry) && r.curl.status().is_some()
    });
    match direct {
        Some(r) => Seen::yes(r.shows(Say::new("evidence-direct-works"))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Does the registry answer when no proxy is used?
pub static DIRECT_WORKS: Question = Question {
    id: "ask-direct-works",
    ask: direct_works,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, pull, _| {
            format!("curl -sS -o /dev/null -w '%{{http_code}}' --noproxy '*' https://{}/v2/", pull.registry)
        },
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use vocabulary::Cause;

    #[test]
    fn variables_are_found_in_every_form() {
        let table: &[(&str, &[(&str, &str)])] = &[
            ("HTTPS_PROXY=http://p:1", &[("HTTPS_PROXY", "http://p:1")]),
            ("export no_proxy='a, b'", &[("no_proxy", "a, b")]),
            (
                "Environment=\"HTTPS_PROXY=http://p:1\" \"NO_PROXY=a,b\"",
                &[("HTTPS_PROXY", "http://p:1"), ("NO_PROXY", "a,b")],
            ),
            (
                "Environment=HTTP_PROXY=http://p:1 NO_PROXY=a",
                &[("HTTP_PROXY", "http://p:1"), ("NO_PROXY", "a")],
            ),
            (" HTTPS Proxy: http://p:1", &[("HTTPS_PROXY", "http://p:1")]),
            ("Environment=", &[]),
            ("ExecStart=/usr/bin/crio", &[]),
        ];
        for (line, found) in table {
            assert_eq!(proxy_variables(line), *found, "{line}");
        }
    }

    #[test]
    fn the_unit_of_another_service_is_elsewhere() {
        let units = |path: &str| is_unit(&["containerd"], path);
        assert!(units("/etc/systemd/system/containerd.service.d/proxy.conf"));
        assert!(!units("/etc/systemd/system/docker.service.d/proxy.conf"));
        let server = |command: &str| {
            let scene = Scene::pod("quay.io/a:1", &[]).output(command, "").change(|s| {
                s.outputs.iter_mut().for_each(|o| o.node = Some("worker-1".into()));
            });
            of_other_role(&Case::new(&scene.snapshot), &scene.pull(), "/etc/default/rke2-server")
        };
        assert!(server("systemctl cat rke2-agent"));
        assert!(!server("systemctl cat rke2-server"));
    }

    #[test]
    fn a_unit_without_a_proxy_is_told_from_a_shell_with_one() {
        let scene = Scene::pod("quay.io/a:1", &[])
            .symptom(Cause::NetTimeout)
            .words("dial tcp 203.0.113.1:443: i/o timeout")
            .output("env", "HTTPS_PROXY=http://p:1\n");
        assert_eq!(scene.ask(&PROXY_ELSEWHERE, &Subject::Cluster), None);
        let seen = scene.clone().output("systemctl show crio --property=Environment", "Environment=\n");
        assert_eq!(seen.ask(&PROXY_ELSEWHERE, &Subject::Cluster), Some(Answer::Yes));
        let except = |hosts: &str| {
            let shell = format!("HTTPS_PROXY=http://p:1\nNO_PROXY={hosts}\n");
            let scene = Scene::pod("quay.io/a:1", &[]).symptom(Cause::NetTimeout).output("env", &shell);
            scene
                .output("systemctl show crio --property=Environment", "Environment=\n")
                .ask(&PROXY_ELSEWHERE, &Subject::Cluster)
        };
        assert_eq!(except("quay.io,10.0.0.0/8"), Some(Answer::No), "not asked through it there either");
        assert_eq!(except("example.com"), Some(Answer::Yes));
        let of_node =
            |scene: Scene, n: usize, node: &str| scene.change(|s| s.outputs[n].node = Some(node.into()));
        let bare =
            Scene::pod("quay.io/a:1", &[]).output("systemctl show crio -p Environment", "Environment=\n");
        let both = of_node(bare, 0, "worker-1")
            .output("systemctl show crio -p Environment", "Environment=HTTPS_PROXY=http://p:1\n");
        assert_eq!(of_node(both, 1, "worker-2").ask(&PROXY_ELSEWHERE, &Subject::Cluster), Some(Answer::Yes));
        let set = scene.output("systemctl show crio -p Environment", "Environment=HTTPS_PROXY=http://p:1\n");
        assert_eq!(set.ask(&PROXY_ELSEWHERE, &Subject::Cluster), Some(Answer::No));
    }

    #[test]
    fn what_systemd_passes_over_is_not_in_force() {
        let drop_in = |name: &str| format!("/etc/systemd/system/containerd.service.d/{name}");
        let line = "Environment=HTTPS_PROXY=http://p:1\n";
        let whole = format!("[Service]\n{line}");
        assert!(is_taken(&drop_in("proxy.conf"), &whole));
        assert!(!is_taken(&drop_in("proxy.conf"), line), "outside of a section");
        assert!(!is_taken(&drop_in("proxy.conf.txt"), &whole), "no name that is read");
        assert!(is_taken("/etc/default/k3s", "HTTPS_PROXY=http://p:1\n"));
    }

    #[test]
    fn only_the_proxy_of_the_requests_scheme_counts() {
        let with = |environment: &str| {
            Scene::pod("quay.io/a:1", &[])
                .symptom(Cause::NetTimeout)
                .output("systemctl show containerd -p Environment", environment)
                .ask(&PROXY_ELSEWHERE, &Subject::Cluster)
        };
        assert_eq!(with("Environment=HTTP_PROXY=http://p:1\n"), Some(Answer::Yes));
        assert_eq!(with("Environment=HTTPS_PROXY=http://p:1\n"), Some(Answer::No));
        assert_eq!(with("Environment=HTTP_PROXY=http://p:1 HTTPS_PROXY=http://p:1\n"), Some(Answer::No));
    }

    #[test]
    fn of_two_assignments_the_later_is_in_force() {
        let text = |first: &str, second: &str| {
            format!(
                "Environment=HTTPS_PROXY=http://p:1\nEnvironment=NO_PROXY={first}\nEnvironment=NO_PROXY={second}\n"
            )
        };
        let with = |first: &str, second: &str| {
            Scene::pod("r.example.com/a:1", &[])
                .output("systemctl show containerd -p Environment", &text(first, second))
                .ask(&THROUGH_PROXY, &Subject::Cluster)
        };
        assert_eq!(with("r.example.com", "10.0.0.0/8"), Some(Answer::Yes));
        assert_eq!(with("10.0.0.0/8", "r.example.com"), Some(Answer::No));
    }
}
