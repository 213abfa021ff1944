//! Nodes beside each other: only what differs and matters to a pull, the odd ones out against the majority.

use crate::{SavedReport, met};
use facts::Ladder;
use report::node::{Comparison, Difference, Endpoint, Group, NodeReport};
use std::collections::BTreeMap;

/// At most this many nodes are compared.
pub const MOST: usize = 10_000;

/// What differs between these nodes. The order of the reports does not matter.
pub fn compare(saved: &[SavedReport]) -> Comparison {
    let reports: Vec<&NodeReport> = saved.iter().map(|s| &s.report).collect();
    let mut nodes: Vec<String> = reports.iter().map(|r| r.node.clone()).collect();
    nodes.sort();
    let mut images: Vec<&String> = reports.iter().filter_map(|r| r.image.as_ref()).collect();
    images.sort();
    images.dedup();
    let mut differences: Vec<Difference> = Vec::new();
    // What is compared, and how a report says it; what it does not know is no difference.
    let mut of = |what: &str, value: &dyn Fn(&NodeReport) -> Option<String>| {
        differences.extend(difference(what, "", saved.iter().filter_map(|s| Some((s, value(&s.report)?)))));
    };
    of("runtime", &|r| r.runtime.as_ref().map(|x| format!("{} {}", x.name, x.version)));
    of("state", &|r| r.runtime.as_ref().map(|x| x.state.clone()));
    of("pull-path", &|r| r.runtime.as_ref()?.pull_path.clone());
    of("config-path", &|r| Some(r.runtime.as_ref()?.config.config_path.clone().unwrap_or_default()));
    of("mirrors", &|r| Some(r.runtime.as_ref()?.config.mirrors.join(" ")));
    if images.len() == 1 {
        of("host-dir", &|r| sure(r).then(|| r.host_dir.clone().unwrap_or_default()));
        of("endpoints", &|r| sure(r).then(|| each(r, |e| e.url.clone())));
        of("capabilities", &|r| sure(r).then(|| each(r, |e| e.capabilities.join("+"))));
        of("trust", &|r| sure(r).then(|| each(r, trust)));
        of("client", &|r| sure(r).then(|| each(r, client)));
        of("headers", &|r| sure(r).then(|| each(r, headers)));
        of("proxy", &|r| {
            let known = r.endpoints.iter().all(|e| !e.proxy_because.is_empty());
            known.then(|| each(r, |e| e.proxy.clone().unwrap_or_else(|| e.proxy_because.clone())))
        });
        of("credentials", &|r| sure(r).then(|| each(r, credentials)));
        of("image", &|r| {
            let present = r.runtime.as_ref()?.cri.as_ref()?.image_present?;
            Some(if present { "present" } else { "absent" }.to_owned())
        });
        of("pull", &|r| {
            let pull = r.pull.as_ref()?;
            Some(pull.error.clone().unwrap_or_else(|| pull.outcome.word().to_owned()))
        });
    }
    of("errors", &|r| r.runtime.as_ref().map(|_| r.errors.join("; ")));
    of("findings", &|r| {
        let mut ids: Vec<&str> =
            r.findings.iter().filter(|f| f.level != "note").map(|f| f.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        r.runtime.as_ref().map(|_| ids.join(" "))
    });
    of("system-roots", &|r| {
        let roots = r.machine.as_ref()?.system_roots.as_ref()?;
        let short = roots.sha256.get(..16).unwrap_or(&roots.sha256);
        Some(format!("{} ({}, SHA-256 {short})", roots.path, roots.certificates))
    });
    of("name-servers", &|r| r.machine.as_ref().map(|m| m.name_servers.join(" ")));
    of("search", &|r| r.machine.as_ref().map(|m| m.search.join(" ")));
    of("resolver-options", &|r| Some(r.machine.as_ref()?.resolver_options.as_ref()?.join(" ")));
    of("lookup-order", &|r| r.machine.as_ref()?.lookup_order.clone());
    of("hosts-file", &|r| r.machine.as_ref().map(|m| m.hosts_entries.join(", ")));
    of("routes", &|r| r.machine.as_ref().map(|m| m.default_routes.join(", ")));
    of("clock", &|r| {
        let kept = r.machine.as_ref()?.clock_synchronized?;
        Some(if kept { "synchronised" } else { "not synchronised" }.to_owned())
    });
    differences.extend(by_key("route", saved, |s| {
        let routes = s.report.machine.iter().flat_map(|m| &m.routes);
        routes.map(|r| (r.to.clone(), r.way.clone())).collect()
    }));
    for (what, value) in [
        ("dns-answers", met::answers as fn(&Ladder) -> Option<String>),
        ("certificate", met::certificate),
        ("clock-offset", met::offset),
        ("end", met::end),
    ] {
        differences.extend(by_key(what, saved, |s| {
            let all = met::all(&s.ladders);
            all.into_iter().filter_map(|l| Some((met::host(l, what), value(l)?))).collect()
        }));
    }
    Comparison {
        image: images.first().filter(|_| images.len() == 1).map(|i| (*i).clone()),
        several_images: images.len() > 1,
        nodes,
        differences,
    }
}

/// What differs about things that have names of their own: a host, an address.
fn by_key(
    what: &str,
    saved: &[SavedReport],
    of: impl Fn(&SavedReport) -> Vec<(String, String)>,
) -> Vec<Difference> {
    let mut keys: BTreeMap<String, Vec<(&SavedReport, String)>> = BTreeMap::new();
    for report in saved {
        let mut own: BTreeMap<String, String> = BTreeMap::new();
        for (key, value) in of(report) {
            own.entry(key).or_insert(value);
        }
        for (key, value) in own {
            keys.entry(key).or_default().push((report, value));
        }
    }
    keys.into_iter().filter_map(|(key, values)| difference(what, &key, values.into_iter())).collect()
}

/// Whether all that decides about the endpoints was read.
const fn sure(report: &NodeReport) -> bool {
    report.runtime.is_some() && report.assumed.is_empty()
}

fn each(report: &NodeReport, of: impl Fn(&Endpoint) -> String) -> String {
    report.endpoints.iter().map(of).collect::<Vec<_>>().join(" | ")
}

fn trust(e: &Endpoint) -> String {
    if e.skip_verify {
        return "not verified".to_owned();
    }
    // Two nodes may keep one CA in two files, and two CAs in files of one name: the certificates count.
    match (e.ca.is_empty(), e.ca_fingerprints.is_empty()) {
        (true, _) => "system".to_owned(),
        (false, true) => e.ca.join(" "),
        (false, false) => e.ca_fingerprints.join(" "),
    }
}

fn client(e: &Endpoint) -> String {
    e.client.iter().map(|p| p.cert.clone()).collect::<Vec<_>>().join(" ")
}

fn headers(e: &Endpoint) -> String {
    e.headers.iter().map(|(n, vs)| format!("{n}: {}", vs.join(", "))).collect::<Vec<_>>().join("; ")
}

fn credentials(e: &Endpoint) -> String {
    let shown = |c: &report::node::Credential| format!("{} ({})", c.key, c.user.as_deref().unwrap_or("?"));
    e.credentials.iter().map(shown).collect::<Vec<_>>().join(" ")
}

/// The values and who has each, the most frequent first; `None` where all that are known agree.
fn difference<'s>(
    what: &str,
    about: &str,
    values: impl Iterator<Item = (&'s SavedReport, String)>,
) -> Option<Difference> {
    let mut groups: Vec<Group> = Vec::new();
    for (SavedReport { report, .. }, value) in values {
        match groups.iter_mut().find(|g| g.value == value) {
            Some(group) => group.nodes.push(report.node.clone()),
            None => groups.push(Group { value, nodes: vec![report.node.clone()] }),
        }
    }
    if groups.len() < 2 {
        return None;
    }
    for group in &mut groups {
        group.nodes.sort();
    }
    groups.sort_by(|a, b| b.nodes.len().cmp(&a.nodes.len()).then_with(|| a.nodes.cmp(&b.nodes)));
    let most = groups.first().map_or(0, |g| g.nodes.len());
    let has_majority = groups.get(1).is_none_or(|g| g.nodes.len() < most);
    Some(Difference { what: what.to_owned(), about: about.to_owned(), has_majority, groups })
}

#[cfg(test)]
mod tests {
    use super::*;
    use report::node::{Machine, Route, Runtime};

    fn node(name: &str, version: &str, ca: &str) -> SavedReport {
        let report = NodeReport {
            node: name.into(),
            image: Some("r/a:1".into()),
            runtime: Some(Runtime {
                name: "containerd".into(),
                version: version.into(),
                ..Runtime::default()
            }),
            endpoints: vec![Endpoint {
                url: "https://r/v2".into(),
                ca: vec!["/ca".into()],
                ca_fingerprints: vec![ca.into()],
                ..Endpoint::default()
            }],
            machine: Some(Machine { name_servers: vec!["192.0.2.1".into()], ..Machine::default() }),
            ..NodeReport::default()
        };
        SavedReport { report, facts: facts::NodeFacts::default(), ladders: Vec::new() }
    }

    #[test]
    fn the_odd_one_out_is_named_against_the_majority() {
        let mut all = [node("a", "2.2.1", "aa"), node("b", "2.2.1", "bb"), node("c", "2.2.1", "aa")];
        let found = compare(&all);
        let [trust] = found.differences.as_slice() else { panic!("{found:?}") };
        assert_eq!((trust.what.as_str(), trust.has_majority), ("trust", true));
        assert_eq!(trust.groups[0].nodes, ["a", "c"]);
        assert_eq!((trust.groups[1].value.as_str(), trust.groups[1].nodes[0].as_str()), ("bb", "b"));
        all.reverse();
        assert_eq!(compare(&all), found);
    }

    #[test]
    fn what_is_not_known_is_no_difference() {
        let mut blind = node("b", "2.2.1", "aa");
        blind.report.machine = None;
        assert_eq!(compare(&[node("a", "2.2.1", "aa"), blind]).differences, []);
        let two = compare(&[node("a", "2.2.1", "aa"), node("b", "1.7.35", "aa")]);
        assert_eq!((two.differences.len(), two.differences[0].has_majority), (1, false));
    }

    #[test]
    fn a_way_is_compared_by_its_address() {
        let with = |name: &str, way: &str| {
            let mut of = node(name, "2.2.1", "aa");
            let routes = vec![Route { to: "192.0.2.9".into(), way: way.into() }];
            of.report.machine = Some(Machine { routes, ..of.report.machine.clone().unwrap() });
            of
        };
        let all = [
            with("a", "dev eth0"),
            with("b", "unreachable"),
            with("c", "dev eth0"),
            node("d", "2.2.1", "aa"),
        ];
        let found = compare(&all).differences;
        let [route] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((route.what.as_str(), route.about.as_str()), ("route", "192.0.2.9"));
        assert_eq!((route.groups[1].value.as_str(), route.groups[1].nodes[0].as_str()), ("unreachable", "b"));
    }
}
