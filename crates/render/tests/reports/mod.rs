//! Reports made by hand, as realistic as they come: what every form is tried on.

use report::*;
use vocabulary::{Cause, Confidence, Operation, Phase, Stage};

const REGISTRY: &str = "registry.example.com:5000";
const IMAGE: &str = "registry.example.com:5000/shop/web:1.4.2";

fn rungs(failed: Stage) -> Vec<Rung> {
    let passed = [Stage::Reference, Stage::Dns, Stage::Connect, Stage::Tls, Stage::Http];
    let all = Stage::ALL.iter().filter(|s| **s != Stage::Other);
    all.map(|&stage| {
        let state = match stage.cmp(&failed) {
            std::cmp::Ordering::Equal => RungState::Failed,
            std::cmp::Ordering::Greater => RungState::NotReached,
            std::cmp::Ordering::Less if passed.contains(&stage) => RungState::Passed,
            std::cmp::Ordering::Less => RungState::NotSeen,
        };
        Rung { stage, state, took_ms: None, says: None }
    })
    .collect()
}

fn title(cause: Cause, subject: &str, image: &str, registry: &str, host: &str, node: &str) -> Say {
    Say::new("incident-title")
        .with("cause", cause.id())
        .with("subject", subject)
        .with("image", image)
        .with("registry", registry)
        .with("host", host)
        .with("node", node)
}

fn event(name: &str, cause: Cause, vantage: &str, quote: &str) -> Evidence {
    Evidence {
        at: Locator::Object {
            kind: "Event".to_owned(),
            namespace: "shop".to_owned(),
            name: name.to_owned(),
            field: "message".to_owned(),
        },
        says: Say::new("evidence-observed").with("vantage", vantage).with("cause", cause.id()),
        quote: quote.to_owned(),
    }
}

fn pods(count: usize, node: impl Fn(usize) -> String) -> Vec<AffectedPod> {
    (0..count)
        .map(|i| AffectedPod {
            namespace: "shop".to_owned(),
            name: format!("web-7d9f5c6b8-{:05x}", i * 7919 + 4097),
            container: "web".to_owned(),
            node: node(i),
        })
        .collect()
}

fn base(cause: Cause, confidence: Confidence, ended_at: Stage, title: Say) -> Incident {
    Incident {
        id: "9f2c11d0a4e7b356".to_owned(),
        cause,
        stage: cause.stage(),
        ended_at,
        phase: None,
        operation: Operation::Pull,
        confidence,
        title,
        affected: Affected::default(),
        evidence: Vec::new(),
        ladder: rungs(ended_at),
        comparison: None,
        ruled_out: Vec::new(),
        also_possible: Vec::new(),
        next_test: None,
        remedies: Vec::new(),
        verify: None,
    }
}

fn live() -> Report {
    Report {
        generated_at: "2026-11-30T07:11:09Z".parse().ok(),
        scope: Scope {
            source: "live".to_owned(),
            context: "prod-seoul".to_owned(),
            namespace: "shop".to_owned(),
            ..Scope::default()
        },
        incidents: Vec::new(),
        healthy: Healthy { pods: 231, pods_seen: true },
        climbs: Vec::new(),
        blind_spots: Vec::new(),
    }
}

/// A list in config_path on one node, proved by the file's line.
pub fn path_list() -> Incident {
    let cause = Cause::ConfigPathListUnsupported;
    let file = "worker-7:/etc/containerd/config.toml";
    let mut incident = base(
        cause,
        Confidence::Confirmed,
        Stage::Tls,
        title(cause, file, IMAGE, REGISTRY, REGISTRY, "worker-7"),
    );
    let line = r#"      config_path = "/etc/containerd/certs.d:/etc/docker/certs.d""#;
    let config = Evidence {
        at: Locator::File {
            node: "worker-7".to_owned(),
            path: "/etc/containerd/config.toml".to_owned(),
            line: 54,
            column: 21,
            snippet: line.to_owned(),
        },
        says: Say::new("evidence-words-state").with("cause", cause.id()),
        quote: String::new(),
    };
    incident.phase = Some(Phase::Manifest);
    incident.affected = Affected {
        pulls: 12,
        pods: pods(8, |_| "worker-7".to_owned()),
        nodes: vec!["worker-7".to_owned()],
        images: vec![IMAGE.to_owned(), "registry.example.com:5000/shop/api:2.0.0".to_owned()],
        registries: vec![REGISTRY.to_owned()],
        truncated: false,
    };
    incident.evidence = vec![
        event(
            "web-7d9f5c6b8-01001.187c2f0a3b",
            Cause::TlsUnknownAuthority,
            "kubelet@worker-7",
            "Failed to pull image \"registry.example.com:5000/shop/web:1.4.2\": failed to do request: Head \
             \"https://registry.example.com:5000/v2/shop/web/manifests/1.4.2\": tls: failed to verify certificate: \
             x509: certificate signed by unknown authority",
        ),
        config.clone(),
    ];
    incident.ruled_out = vec![
        RuledOut {
            cause: Cause::TlsInterception,
            why: Say::new("chain-same-elsewhere"),
            evidence: vec![event("api-0.187c2f0a3c", Cause::TlsUnknownAuthority, "kubelet@worker-2", "")],
        },
        RuledOut { cause: Cause::ConfigNotReloaded, why: Say::new("file-in-force"), evidence: vec![config] },
    ];
    incident.remedies = vec![Remedy {
        says: Say::new("remedy-one-directory"),
        scope: Say::new("scope-one-node"),
        risk: Say::new("risk-restart"),
        steps: vec![
            Step::Run("sudo cp -a /etc/containerd/config.toml /etc/containerd/config.toml.before".to_owned()),
            Step::Run(
                "sudo sed -i 's|config_path = .*|config_path = \"/etc/containerd/certs.d\"|' /etc/containerd/config.toml"
                    .to_owned(),
            ),
            Step::Run("sudo systemctl restart containerd".to_owned()),
            Step::Write {
                path: "/etc/containerd/certs.d/registry.example.com:5000/hosts.toml".to_owned(),
                content: "server = \"https://registry.example.com:5000\"\n\n[host.\"https://registry.example.com:5000\"]\n  \
                          ca = \"/etc/ssl/registry-ca.crt\"\n"
                    .to_owned(),
            },
        ],
        undo: vec![Step::Run(
            "sudo cp -a /etc/containerd/config.toml.before /etc/containerd/config.toml && sudo systemctl restart containerd"
                .to_owned(),
        )],
    }];
    incident.verify = Some(Command {
        says: Say::new("verify-fresh-pull"),
        command: format!("pullproof verify {IMAGE} -n shop --node worker-7"),
    });
    incident
}

/// A symptom that many nodes share, with rivals alive.
pub fn unauthorized() -> Incident {
    let cause = Cause::AuthUnauthorized;
    let image = "harbor.example.com/platform/gateway@sha256:9b2f3c0d1e4a5b6c7d8e9f00112233445566778899aabbccddeeff0011223344";
    let mut incident = base(
        cause,
        Confidence::Possible,
        Stage::Authorization,
        title(cause, "harbor.example.com", image, "harbor.example.com", "harbor.example.com", "worker-1"),
    );
    incident.phase = Some(Phase::Manifest);
    incident.affected = Affected {
        pulls: 800,
        pods: pods(50, |i| format!("worker-{}", i % 9)),
        nodes: (0..9).map(|i| format!("worker-{i}")).collect(),
        images: vec![image.to_owned()],
        registries: vec!["harbor.example.com".to_owned()],
        truncated: true,
    };
    incident.evidence = vec![event(
        "gateway-5b7c.187c2f0a3d",
        cause,
        "kubelet@worker-1",
        "failed to authorize: failed to fetch oauth token: unexpected status from GET request to \
         https://harbor.example.com/service/token: 401 Unauthorized",
    )];
    incident.also_possible = vec![
        Possible { cause: Cause::CredentialsExpired, why: Say::new("possible-fits") },
        Possible { cause: Cause::AuthRepositoryMissingAs401, why: Say::new("possible-words") },
        Possible { cause: Cause::CredentialsUsernameMangled, why: Say::new("possible-not-excluded") },
    ];
    incident.next_test = Some(NextTest {
        asks: Say::new("control-image"),
        vantage: "kubectl".to_owned(),
        command: "pullproof probe harbor.example.com/platform/base:stable --secret shop/harbor-pull"
            .to_owned(),
        splits: vec![Cause::CredentialsExpired, Cause::AuthRepositoryMissingAs401],
    });
    incident
}

/// What a probe measured.
pub fn probed() -> Report {
    let cause = Cause::TlsExpired;
    let mut incident =
        base(cause, Confidence::Confirmed, Stage::Tls, title(cause, REGISTRY, IMAGE, REGISTRY, REGISTRY, ""));
    for rung in &mut incident.ladder {
        if matches!(rung.state, RungState::Passed | RungState::Failed) {
            rung.took_ms = Some(match rung.stage {
                Stage::Dns => 12,
                Stage::Tls => 1043,
                _ => 1,
            });
            rung.says = Some(match rung.stage {
                Stage::Dns => {
                    Say::new("rung-dns").with("addresses", "192.0.2.10").with("resolver", "192.0.2.53:53")
                }
                Stage::Tls => Say::new("rung-tls-failed")
                    .with("subject", "CN=registry.example.com")
                    .with("issuer", "CN=Example Root")
                    .with("until", "2026-11-01T00:00:00Z")
                    .with("product", "none"),
                _ => Say::new("rung-skipped"),
            });
        }
    }
    incident.affected = Affected {
        pulls: 1,
        images: vec![IMAGE.to_owned()],
        registries: vec![REGISTRY.to_owned()],
        ..Affected::default()
    };
    incident.evidence = vec![Evidence {
        at: Locator::Step {
            vantage: "pullproof@laptop".to_owned(),
            url: "https://registry.example.com:5000/v2/".to_owned(),
            stage: Stage::Tls,
        },
        says: Say::new("evidence-observed").with("vantage", "pullproof@laptop").with("cause", cause.id()),
        quote:
            "x509: certificate has expired or is not yet valid: current time 2026-11-30T07:11:09Z is after \
                2026-11-01T00:00:00Z"
                .to_owned(),
    }];
    incident.comparison = Some(Comparison {
        columns: vec![Say::new("column-vantage"), Say::new("column-result")],
        rows: vec![
            vec!["pullproof@laptop".to_owned(), "expired".to_owned()],
            vec!["containerd@worker-7".to_owned(), "만료".to_owned()],
        ],
    });
    Report {
        scope: Scope { source: "probe".to_owned(), target: IMAGE.to_owned(), ..Scope::default() },
        incidents: vec![incident],
        healthy: Healthy::default(),
        ..live()
    }
}

/// Two incidents of a namespace, with something not seen.
pub fn two() -> Report {
    Report {
        incidents: vec![unauthorized(), path_list()],
        blind_spots: vec![
            BlindSpot {
                what: "secrets in namespace shop".to_owned(),
                why: "forbidden".to_owned(),
                detail: "secrets is forbidden: User \"dev\" cannot list resource \"secrets\"".to_owned(),
                needs: "a Role with get on secrets in shop (deploy/rbac.yaml has it)".to_owned(),
            },
            BlindSpot {
                what: "inputs/node/journal.bin".to_owned(),
                why: "unreadable".to_owned(),
                detail: "not text".to_owned(),
                needs: String::new(),
            },
        ],
        ..live()
    }
}

/// Everything is well.
pub fn well() -> Report {
    live()
}

/// Nothing was found, and pods could not be listed.
pub fn unseen() -> Report {
    Report { healthy: Healthy::default(), ..live() }
}

/// Every string that comes from outside tries something.
pub fn hostile() -> Report {
    let evil = "\u{1b}[2J\u{1b}]0;owned\u{7}<script>alert(1)</script>\u{202e}|`*[x](http://bob:pl4nted@evil.example.com)`&\"'\r\n# head";
    let mut incident = path_list();
    incident.title = title(Cause::ManifestUnknown, evil, evil, evil, evil, evil);
    incident.cause = Cause::ManifestUnknown;
    incident.id = evil.to_owned();
    incident.affected.images = vec![evil.to_owned()];
    incident.affected.nodes = vec![evil.to_owned()];
    incident.affected.registries = vec![evil.to_owned()];
    incident.affected.pods = vec![AffectedPod {
        namespace: evil.to_owned(),
        name: evil.to_owned(),
        container: evil.to_owned(),
        node: evil.to_owned(),
    }];
    incident.evidence = vec![
        event(evil, Cause::ManifestUnknown, evil, evil),
        Evidence {
            at: Locator::File {
                node: evil.to_owned(),
                path: evil.to_owned(),
                line: 3,
                column: 9,
                snippet: evil.to_owned(),
            },
            says: Say::new("evidence-observed").with("vantage", evil).with("cause", evil),
            quote: evil.to_owned(),
        },
        Evidence {
            at: Locator::Output {
                vantage: evil.to_owned(),
                command: evil.to_owned(),
                source: evil.to_owned(),
                line: 1,
            },
            says: Say::new("evidence-observed").with("vantage", evil),
            quote: evil.to_owned(),
        },
    ];
    incident.remedies[0].steps.push(Step::Run(evil.to_owned()));
    incident.remedies[0].steps.push(Step::Write { path: evil.to_owned(), content: evil.to_owned() });
    incident.next_test = Some(NextTest {
        asks: Say::new("control-image").with("image", evil),
        vantage: evil.to_owned(),
        command: evil.to_owned(),
        splits: vec![Cause::ManifestUnknown, Cause::RepositoryUnknown],
    });
    incident.verify = Some(Command { says: Say::new("verify-fresh-pull"), command: evil.to_owned() });
    incident.comparison =
        Some(Comparison { columns: vec![Say::new("column-vantage")], rows: vec![vec![evil.to_owned()]] });
    Report {
        scope: Scope {
            source: evil.to_owned(),
            context: evil.to_owned(),
            namespace: evil.to_owned(),
            target: evil.to_owned(),
            selector: evil.to_owned(),
        },
        incidents: vec![incident],
        blind_spots: vec![BlindSpot {
            what: evil.to_owned(),
            why: evil.to_owned(),
            detail: evil.to_owned(),
            needs: evil.to_owned(),
        }],
        ..live()
    }
}
