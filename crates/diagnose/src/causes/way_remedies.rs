//! What mends the way to a registry and what stands in front of it: commands to copy on the node, and the request that
//! another team can act on.

use crate::case::Case;
use crate::network_request;
use crate::pull::Pull;
use crate::questions::hosts::{is_served_to_many, name_of};
use crate::subject::Subject;
use report::{Remedy, Say, Step};

fn run(command: impl Into<String>) -> Step {
    Step::Run(command.into())
}

fn ask(key: &'static str) -> Say {
    Say::new(key)
}

/// On one node first.
fn on_node(pull: &Pull<'_>, says: Say, risk: &'static str, steps: Vec<Step>, undo: Vec<Step>) -> Vec<Remedy> {
    let scope = Say::new("scope-one-node-first").with("node", pull.node);
    vec![Remedy { says, scope, risk: Say::new(risk), steps, undo }]
}

/// At the registry, or at what stands in front of it: other hands.
fn at_registry(pull: &Pull<'_>, says: Say, risk: &'static str, steps: Vec<Step>) -> Vec<Remedy> {
    let scope = Say::new("scope-registry").with("registry", &*pull.registry);
    vec![Remedy { says, scope, risk: Say::new(risk), steps, undo: Vec::new() }]
}

/// The unit that runs the runtime, as far as the node shows.
fn unit(case: &Case<'_>, pull: &Pull<'_>) -> &'static str {
    case.view(pull).map_or("containerd", |v| v.service())
}

/// A request to the people who run the network, with everything that they would ask back for.
fn request(case: &Case<'_>, pull: &Pull<'_>) -> Step {
    Step::Ask(network_request::write(case, pull))
}

/// A registry's name that nodes resolve.
pub fn name_for_nodes(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = name_of(pull.asked_host()).to_owned();
    let service = host.split('.').next().unwrap_or_default().to_owned();
    let namespace = host.split('.').nth(1).unwrap_or_default().to_owned();
    on_node(
        pull,
        Say::new("remedy-name-for-nodes").with("host", &*host),
        "risk-none-running-pods",
        vec![
            run(format!("kubectl get svc {service} -n {namespace} -o wide")),
            Step::Ask(ask("ask-name-that-nodes-resolve").with("host", &*host)),
        ],
        Vec::new(),
    )
}

/// A resolver that answers.
pub fn mend_resolver(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = name_of(pull.asked_host());
    on_node(
        pull,
        Say::new("remedy-mend-resolver").with("node", pull.node),
        "risk-node-names",
        vec![
            run("cat /etc/resolv.conf; resolvectl status 2>/dev/null"),
            Step::Ask(ask("ask-name-servers-that-answer")),
            run(format!("getent hosts {host}")),
        ],
        Vec::new(),
    )
}

/// One view for all of the node's resolvers.
pub fn one_view(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = name_of(pull.asked_host());
    on_node(
        pull,
        Say::new("remedy-one-view").with("node", pull.node),
        "risk-node-names",
        vec![
            run(format!(
                "for s in $(awk '/^nameserver/ {{print $2}}' /etc/resolv.conf); do echo $s; dig +short {host} @$s; done"
            )),
            Step::Ask(ask("ask-resolvers-of-one-view").with("host", host)),
        ],
        Vec::new(),
    )
}

/// The right address.
pub fn right_address(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = name_of(pull.asked_host());
    on_node(
        pull,
        Say::new("remedy-right-address").with("host", host),
        "risk-node-names",
        vec![
            run(format!("grep -n {host} /etc/hosts; getent ahosts {host}; dig +short {host}")),
            Step::Ask(ask("ask-correct-record").with("host", host)),
        ],
        Vec::new(),
    )
}

/// A node's own address instead of loopback.
pub fn address_of_node(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let port = pull.registry.rsplit(':').next().unwrap_or_default();
    on_node(
        pull,
        Say::new("remedy-not-loopback").with("registry", &*pull.registry),
        "risk-rollout",
        vec![
            run("kubectl get nodes -o wide"),
            run(format!("curl -sS -o /dev/null -w '%{{http_code}}\\n' http://NODE_ADDRESS:{port}/v2/")),
            Step::Ask(ask("ask-name-registry-by-node-address").with("registry", &*pull.registry)),
        ],
        Vec::new(),
    )
}

/// The network's people let it through.
pub fn ask_network(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    on_node(
        pull,
        Say::new("remedy-ask-network").with("host", pull.asked_host()),
        "risk-none-running-pods",
        vec![request(case, pull)],
        Vec::new(),
    )
}

/// The device's CA where the runtime reads it, until the device leaves this host alone.
pub fn exempt_or_trust(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = pull.asked_host();
    let dir = format!("/etc/containerd/certs.d/{host}");
    let mut all = ask_network(case, pull, &Subject::Cluster);
    all.extend(on_node(
        pull,
        Say::new("remedy-trust-device").with("host", host),
        "risk-device-reads-all",
        vec![
            run(format!("mkdir -p {dir} && cp DEVICE_CA.pem {dir}/ca.crt")),
            Step::Ask(ask("ask-runtime-reads-that-ca").with("host", host)),
        ],
        vec![run(format!("rm {dir}/ca.crt"))],
    ));
    all
}

/// The clock set, and kept.
pub fn set_clock(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    on_node(
        pull,
        Say::new("remedy-set-clock").with("node", pull.node),
        "risk-clock-jumps",
        vec![
            run(
                "timedatectl set-ntp true && systemctl restart systemd-timesyncd || systemctl restart chronyd",
            ),
            run("timedatectl"),
        ],
        Vec::new(),
    )
}

/// The whole chain from the server.
pub fn send_chain(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = pull.asked_host();
    let port = if name_of(host) == host { ":443" } else { "" };
    at_registry(
        pull,
        Say::new("remedy-send-chain").with("host", host),
        "risk-registry-restarts",
        vec![
            run("cat server.crt intermediate.crt > fullchain.crt"),
            Step::Ask(ask("ask-serve-full-chain").with("host", host)),
            run(format!(
                "openssl s_client -connect {host}{port} -servername {} </dev/null | grep -c ' s:'",
                name_of(host)
            )),
        ],
    )
}

/// A certificate that is valid, on the host that serves it.
pub fn renew_certificate(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = pull.asked_host();
    at_registry(
        pull,
        Say::new("remedy-renew-certificate").with("host", host),
        "risk-registry-restarts",
        vec![Step::Ask(ask("ask-renew-certificate").with("host", host))],
    )
}

/// Packets that fit.
pub fn lower_mtu(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    on_node(
        pull,
        Say::new("remedy-lower-mtu").with("node", pull.node),
        "risk-network-blip",
        vec![
            run(format!("tracepath -n {}", name_of(pull.asked_host()))),
            run("ip link set dev INTERFACE mtu PATH_MTU"),
            Step::Ask(ask("ask-keep-mtu")),
        ],
        vec![run("ip link set dev INTERFACE mtu 1500")],
    )
}

/// A way that does not lead back.
pub fn not_through_itself(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = name_of(pull.asked_host());
    on_node(
        pull,
        Say::new("remedy-not-through-itself").with("node", pull.node).with("host", host),
        "risk-node-names",
        vec![Step::Ask(ask("ask-hairpin-or-inner-address").with("host", host))],
        Vec::new(),
    )
}

/// A drop-in with the proxy, in the runtime's own unit.
pub fn proxy_for_unit(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let unit = unit(case, pull);
    let dropin = format!("/etc/systemd/system/{unit}.service.d/http-proxy.conf");
    on_node(
        pull,
        Say::new("remedy-proxy-for-unit").with("service", unit),
        "risk-runtime-restarts",
        vec![
            Step::Write {
                path: dropin.clone(),
                content: "[Service]\nEnvironment=\"HTTPS_PROXY=http://PROXY:PORT\"\nEnvironment=\"HTTP_PROXY=http://PROXY:PORT\"\nEnvironment=\"NO_PROXY=localhost,127.0.0.1,.svc,.cluster.local,POD_CIDR,SERVICE_CIDR,INTERNAL_REGISTRIES\"\n".into(),
            },
            run(format!("systemctl daemon-reload && systemctl restart {unit}")),
        ],
        vec![run(format!("rm {dropin} && systemctl daemon-reload && systemctl restart {unit}"))],
    )
}

/// The registry among what goes past the proxy.
pub fn past_proxy(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let unit = unit(case, pull);
    on_node(
        pull,
        Say::new("remedy-past-proxy").with("registry", &*pull.registry),
        "risk-runtime-restarts",
        vec![
            run(format!("systemctl cat {unit} | grep -in proxy")),
            Step::Ask(ask("ask-add-to-no-proxy").with("host", name_of(&pull.registry))),
            run(format!("systemctl daemon-reload && systemctl restart {unit}")),
        ],
        Vec::new(),
    )
}

/// Wait, sign in, or use a mirror.
pub fn under_the_limit(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    at_registry(
        pull,
        Say::new("remedy-under-the-limit").with("registry", &*pull.registry),
        "risk-none-running-pods",
        vec![
            Step::Ask(ask("ask-sign-in-or-mirror").with("registry", &*pull.registry)),
            run(format!(
                "kubectl create secret docker-registry regcred -n {} --docker-server='{}' --docker-username='USER' --docker-password=\"$(cat PASSWORD_FILE)\"",
                pull.namespace,
                if pull.registry == "docker.io" { "https://index.docker.io/v1/" } else { &pull.registry }
            )),
        ],
    )
}

/// The mirror back to work, or a way past it.
pub fn mend_mirror(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = pull.asked_host();
    at_registry(
        pull,
        Say::new("remedy-mend-mirror").with("host", host),
        "risk-registry-restarts",
        vec![
            run(format!("curl -sSi https://{host}/v2/")),
            Step::Ask(ask("ask-mend-or-pass-by-mirror").with("host", host)),
        ],
    )
}

/// The cache's own account at its upstream.
pub fn renew_upstream(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    at_registry(
        pull,
        Say::new("remedy-renew-upstream").with("registry", &*pull.registry),
        "risk-none-running-pods",
        vec![Step::Ask(ask("ask-renew-upstream-account").with("registry", &*pull.registry))],
    )
}

/// The host and port where the API is.
pub fn name_the_api(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let host = pull.asked_host();
    at_registry(
        pull,
        Say::new("remedy-name-the-api").with("host", host),
        "risk-rollout",
        vec![
            run(format!("curl -sSI https://{host}/v2/ | grep -i docker-distribution")),
            Step::Ask(ask("ask-find-the-api").with("host", host)),
        ],
    )
}

/// Another team lets the nodes' requests through.
pub fn let_through(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    let mut steps = vec![request(case, pull)];
    if is_served_to_many(&pull.registry) {
        steps.push(run("curl -sS https://api.ipify.org; echo"));
    }
    at_registry(
        pull,
        Say::new("remedy-let-through").with("registry", &*pull.registry),
        "risk-none-running-pods",
        steps,
    )
}

/// The realm switched on.
pub fn realm_on(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    at_registry(
        pull,
        Say::new("remedy-realm-on").with("registry", &*pull.registry),
        "risk-none-running-pods",
        vec![Step::Ask(ask("ask-switch-realm-on"))],
    )
}

/// The header left as it is.
pub fn keep_authorization(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    at_registry(
        pull,
        Say::new("remedy-keep-authorization").with("registry", &*pull.registry),
        "risk-registry-restarts",
        vec![
            run(
                "grep -rniE 'proxy_set_header +Authorization|unset Authorization|del-header Authorization' /etc/nginx /etc/httpd /etc/apache2 /etc/haproxy 2>/dev/null",
            ),
            Step::Ask(ask("ask-pass-authorization-on")),
        ],
    )
}

/// One time for registry and token service.
pub fn same_time(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    at_registry(
        pull,
        Say::new("remedy-same-time").with("registry", &*pull.registry),
        "risk-clock-jumps",
        vec![
            run(format!("date -u; curl -sSI https://{}/v2/ | grep -i '^date'", pull.registry)),
            Step::Ask(ask("ask-set-clocks-of-registry")),
        ],
    )
}

/// The address under which clients reach the token service.
pub fn right_realm(_: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Vec<Remedy> {
    at_registry(
        pull,
        Say::new("remedy-right-realm").with("registry", &*pull.registry),
        "risk-registry-restarts",
        vec![
            run(format!("curl -sSI https://{}/v2/ | grep -i '^www-authenticate'", pull.registry)),
            Step::Ask(ask("ask-set-external-url").with("registry", &*pull.registry)),
        ],
    )
}
