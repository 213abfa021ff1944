//! `localhost` and a node port as a registry's address: it works only where kube-proxy serves node ports on loopback.
//!
//! Source: kubernetes.io, "Virtual IPs and Service Proxies" (1.33): `iptables` serves IPv4 loopback unless
//! `iptables.localhostNodePorts` is false; `ipvs` and `nftables` never do. Cilium's replacement does so only through
//! its socket load balancer.

use crate::case::Case;
use crate::lines::output_at;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::hosts::{name_of, same_host};
use crate::subject::Subject;
use facts::{OtherObject, Why};
use report::{Evidence, Locator, Say};
use serde_json::Value;

/// Whether a host (with or without port) is the machine itself.
pub fn is_loopback(host: &str) -> bool {
    let name = name_of(host).trim_matches(['[', ']']);
    name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|a| a.is_loopback())
}

/// The port of the registry, where that is the machine itself.
pub fn local_port(pull: &Pull<'_>) -> Option<u16> {
    let (_, port) = pull.registry.rsplit_once(':').filter(|_| is_loopback(&pull.registry))?;
    port.parse().ok()
}

/// A Service that has this node port.
fn service(object: &OtherObject, port: u16) -> Option<Evidence> {
    if object.kind != "Service" {
        return None;
    }
    let json: Value = serde_json::from_str(&object.json).ok()?;
    let ports = json.pointer("/spec/ports")?.as_array()?;
    ports.iter().any(|p| p.get("nodePort").and_then(Value::as_u64) == Some(u64::from(port))).then(|| {
        Evidence {
            at: Locator::Object {
                kind: "Service".into(),
                namespace: object.meta.namespace.clone(),
                name: object.meta.name.clone(),
                field: "spec.ports[].nodePort".into(),
            },
            says: Say::new("evidence-node-port").with("port", port.to_string()),
            quote: port.to_string(),
        }
    })
}

fn is_node_port(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some(port) = local_port(pull) else { return Seen::Blind(Why::NotAsked) };
    if let Some(evidence) = case.snapshot.others.iter().find_map(|o| service(o, port)) {
        return Seen::yes(evidence);
    }
    // `5000:31000/TCP`, as kubectl prints it.
    let printed = format!(":{port}/TCP");
    match case.lines_with(&printed).first() {
        Some(line) => Seen::yes(line.shows(Say::new("evidence-node-port").with("port", port.to_string()))),
        None => Seen::Blind(Why::NotAsked),
    }
}

/// Is the local port one that a Service opens on every node?
pub static IS_NODE_PORT: Question = Question {
    id: "ask-node-port",
    ask: is_node_port,
    test: Some(Test {
        cost: 3,
        vantage: "kubectl",
        command: |_, pull, _| {
            format!("kubectl get svc -A | grep ':{}/'", pull.registry.rsplit(':').next().unwrap_or_default())
        },
    }),
};

/// The proxy mode that a line states, where it states one.
fn mode(line: &str) -> Option<&'static str> {
    let line = line.trim().trim_matches(['"', '\'']).to_ascii_lowercase();
    let value = |l: &str| {
        let rest = l.split_once("mode:").or_else(|| l.split_once("--proxy-mode="))?.1;
        Some(rest.trim().trim_matches(['"', '\'', ',', '\\']).split([' ', '"', ',']).next()?.to_owned())
    };
    let stated = value(&line).unwrap_or(line.clone());
    let using = ["ipvs", "nftables", "iptables"];
    let by_value = using.into_iter().find(|m| stated == *m);
    // kube-proxy's own words at its start: `Using ipvs Proxier`.
    by_value.or_else(|| using.into_iter().find(|m| line.contains(&format!("using {m} proxier"))))
}

fn loopback_served(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some(port) = local_port(pull) else { return Seen::Blind(Why::NotAsked) };
    // Somebody reached it there: then it is served.
    let reached = case.requests().iter().find(|r| {
        same_host(r.curl.host(), &pull.registry)
            && r.curl.host().ends_with(&format!(":{port}"))
            && is_loopback(r.curl.host())
            && r.curl.status().is_some()
    });
    if let Some(r) = reached {
        return Seen::yes(r.shows(Say::new("evidence-local-port-answers")));
    }
    let v6 = pull.observations.iter().any(|o| o.text.contains(&format!("[::1]:{port}")));
    let says = |mode: &str| Say::new("evidence-proxy-mode").with("mode", mode);
    for word in ["localhostNodePorts", "localhost-nodeports", "route_localnet"] {
        for line in case.lines_with(word).iter() {
            if line.text.contains("false") || line.text.trim_end().ends_with("= 0") {
                return Seen::no(line.shows(says("iptables")));
            }
        }
    }
    for o in case.outputs_on(pull.node).filter(|o| o.command.contains("proxyMode")) {
        if let Some(found) = mode(&o.text) {
            let evidence =
                Evidence { at: output_at(o, o.origin.line), says: says(found), quote: found.to_owned() };
            return by_mode(found, v6, evidence);
        }
    }
    for object in
        case.snapshot.others.iter().filter(|o| o.kind == "ConfigMap" && o.meta.name.contains("kube-proxy"))
    {
        // The configuration is one string in the object: its lines are parted by an escaped line end.
        if let Some(found) = object.json.split("\\n").filter(|l| l.contains("mode")).find_map(mode) {
            let evidence = Evidence {
                at: Locator::Object {
                    kind: "ConfigMap".into(),
                    namespace: object.meta.namespace.clone(),
                    name: object.meta.name.clone(),
                    field: "data.config.conf".into(),
                },
                says: says(found),
                quote: format!("mode: {found}"),
            };
            return by_mode(found, v6, evidence);
        }
    }
    for word in ["Proxier", "proxy-mode"] {
        for line in case.lines_with(word).iter() {
            if let Some(found) = mode(line.text) {
                return by_mode(found, v6, line.shows(says(found)));
            }
        }
    }
    Seen::Blind(Why::NotAsked)
}

fn by_mode(mode: &str, v6: bool, evidence: Evidence) -> Seen {
    let served = mode == "iptables" && !v6;
    Seen::Is(if served { Answer::Yes } else { Answer::No }, vec![evidence])
}

/// Does this cluster serve node ports on the loopback address?
pub static LOOPBACK_SERVED: Question = Question {
    id: "ask-loopback-served",
    ask: loopback_served,
    test: Some(Test {
        cost: 5,
        vantage: "node",
        command: |_, _, _| "curl -s localhost:10249/proxyMode".into(),
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use vocabulary::{Cause, Confidence};

    fn refused(image: &str) -> Scene {
        Scene::pod(image, &[])
            .symptom(Cause::NetRefused)
            .words("dial tcp 127.0.0.1:31000: connect: connection refused")
    }

    fn service(scene: Scene) -> Scene {
        scene.output("kubectl get svc -A", "infra registry NodePort 10.96.0.9 <none> 5000:31000/TCP 1d\n")
    }

    #[test]
    fn a_node_port_on_loopback_needs_a_mode_that_serves_it() {
        let asked = |mode: &str| {
            service(refused("localhost:31000/a:1")).output("curl -s localhost:10249/proxyMode", mode)
        };
        assert_eq!(asked("nftables").verdict(), (Cause::NetLocalhostNodeport, Confidence::Confirmed));
        assert_eq!(asked("ipvs\n").verdict(), (Cause::NetLocalhostNodeport, Confidence::Confirmed));
        assert_ne!(asked("iptables").verdict().0, Cause::NetLocalhostNodeport);
    }

    #[test]
    fn what_is_no_node_port_or_no_loopback_is_not_it() {
        let mode = |s: Scene| s.output("curl -s localhost:10249/proxyMode", "nftables");
        assert_ne!(mode(refused("localhost:31000/a:1")).verdict().0, Cause::NetLocalhostNodeport);
        assert_ne!(mode(service(refused("10.0.0.7:31000/a:1"))).verdict().0, Cause::NetLocalhostNodeport);
    }

    #[test]
    fn modes_are_read_from_what_states_them() {
        let table = [
            ("    mode: nftables", Some("nftables")),
            ("mode: \"ipvs\"", Some("ipvs")),
            ("- --proxy-mode=iptables", Some("iptables")),
            ("I0302 server_linux.go:132] \"Using ipvs Proxier\"", Some("ipvs")),
            ("ipvs", Some("ipvs")),
            ("mode: \"\"", None),
        ];
        for (line, found) in table {
            assert_eq!(mode(line), found, "{line}");
        }
    }
}
