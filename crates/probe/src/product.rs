//! Which product answers, told from host, headers and challenge. A hint for people and for `diagnose`, never a verdict:
//! products sit behind front ends, and headers can be set by anyone.
//!
//! Sources: the products' source code and documentation, and public logs; Distribution 2.8.2 measured.

use crate::wire::conversation::Answer;
use formats::challenge::Challenge;

/// What gives a product away.
enum Sign {
    /// The host ends like this.
    Host(&'static str),
    /// A header is there and contains this, without regard to case.
    Header(&'static str, &'static str),
    /// The challenge's realm contains this.
    Realm(&'static str),
    /// The challenge's service is this.
    Service(&'static str),
}

use Sign::{Header, Host, Realm, Service};

/// The products, the most telling signs first: hosted services by their names, then marks of their own, then what many
/// share. Any one sign is enough.
const PRODUCTS: &[(&str, &[Sign])] = &[
    ("docker-hub", &[Host("registry-1.docker.io"), Service("registry.docker.io")]),
    ("ecr-public", &[Host("public.ecr.aws")]),
    ("ecr", &[Host(".amazonaws.com"), Host(".amazonaws.com.cn"), Host(".on.aws"), Realm(".dkr.ecr.")]),
    ("gcr", &[Host("gcr.io"), Host(".pkg.dev"), Host("registry.k8s.io")]),
    ("acr", &[Host(".azurecr.io"), Host("mcr.microsoft.com"), Header("server", "azurecontainerregistry")]),
    ("ghcr", &[Host("ghcr.io")]),
    ("ngc", &[Host("nvcr.io")]),
    ("quay", &[Host("quay.io"), Header("server", "quay"), Realm("/v2/auth")]),
    ("gitlab", &[Realm("/jwt/auth"), Header("gitlab-container-registry-version", "")]),
    ("harbor", &[Service("harbor-registry"), Header("set-cookie", "_harbor"), Realm("/service/token")]),
    ("nexus", &[Realm("sonatype nexus"), Header("server", "nexus")]),
    (
        "artifactory",
        &[
            Header("x-jfrog-version", ""),
            Header("x-artifactory-id", ""),
            Header("x-artifactory-node-id", ""),
            Header("server", "artifactory"),
            Realm("/artifactory/api/docker"),
        ],
    ),
    ("gitea", &[Service("container_registry")]),
    ("openshift", &[Realm("/openshift/token"), Header("x-registry-supports-signatures", "1")]),
    ("zot", &[Header("server", "zot"), Realm("authorization required")]),
    ("distribution", &[Header("docker-distribution-api-version", "registry/2.0")]),
];

/// The product that an answer looks like, and what shows it.
pub(crate) fn product(
    host: &str,
    answer: &Answer,
    challenges: &[Challenge],
) -> Option<(&'static str, String)> {
    PRODUCTS.iter().find_map(|(product, signs)| {
        let shown = signs.iter().find_map(|sign| shows(sign, host, answer, challenges))?;
        Some((*product, shown))
    })
}

fn shows(sign: &Sign, host: &str, answer: &Answer, challenges: &[Challenge]) -> Option<String> {
    let parameter = |name: &str, fits: &dyn Fn(&str) -> bool| {
        let value =
            challenges.iter().filter_map(|c| c.get(name)).find(|value| fits(&value.to_lowercase()))?;
        Some(format!("{name} {value:?}"))
    };
    match sign {
        Host(end) => {
            let whole = end.trim_start_matches('.');
            let fits = host == whole || host.ends_with(&format!(".{whole}"));
            (fits && !(end.starts_with('.') && host == whole)).then(|| format!("host {host}"))
        }
        Header(name, part) => {
            let value = answer.all(name).into_iter().find(|value| value.to_lowercase().contains(part))?;
            // Cookies hold secrets: their name says enough.
            let value = if *name == "set-cookie" { (*part).to_owned() } else { value };
            Some(format!("header {name}: {value}"))
        }
        Realm(part) => parameter("realm", &|realm| realm.contains(part)),
        Service(whole) => parameter("service", &|service| service == *whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::conversation::End;
    use http::{HeaderMap, HeaderName, HeaderValue, Method};
    use std::time::Duration;

    fn answer(headers: &[(&'static str, &'static str)]) -> Answer {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        Answer {
            method: Method::GET,
            url: String::new(),
            status: 401,
            reason: String::new(),
            headers: map,
            body: Vec::new(),
            end: End::Whole,
            sent: "none",
            took: Duration::ZERO,
        }
    }

    fn told(host: &str, headers: &[(&'static str, &'static str)], challenge: &str) -> Option<&'static str> {
        product(host, &answer(headers), &formats::challenge::parse(challenge)).map(|(p, _)| p)
    }

    #[test]
    fn products_are_told_by_their_marks() {
        const API: (&str, &str) = ("docker-distribution-api-version", "registry/2.0");
        for (host, headers, challenge, product) in [
            ("registry-1.docker.io", &[API][..], "", Some("docker-hub")),
            ("123456789012.dkr.ecr.eu-west-1.amazonaws.com", &[API], "", Some("ecr")),
            ("eu.gcr.io", &[], "", Some("gcr")),
            ("notgcr.io.example.com", &[], "", None),
            (
                "r.example.com",
                &[API],
                r#"Bearer realm="https://r.example.com/service/token",service="harbor-registry""#,
                Some("harbor"),
            ),
            (
                "r.example.com",
                &[API],
                r#"Bearer realm="https://gitlab.example.com/jwt/auth",service="container_registry""#,
                Some("gitlab"),
            ),
            (
                "r.example.com",
                &[],
                r#"Bearer realm="https://git.example.com/v2/token",service="container_registry""#,
                Some("gitea"),
            ),
            ("r.example.com", &[], r#"BASIC realm="Sonatype Nexus Repository Manager""#, Some("nexus")),
            ("r.example.com", &[("x-jfrog-version", "Artifactory/7.90")], "", Some("artifactory")),
            (
                "r.example.com",
                &[API],
                r#"Bearer realm="https://auth.example.com/token",service="r""#,
                Some("distribution"),
            ),
            ("r.example.com", &[("server", "nginx")], "", None),
        ] {
            assert_eq!(told(host, headers, challenge), product, "{host} {challenge}");
        }
    }

    #[test]
    fn cookies_do_not_show() {
        let (_, shown) =
            product("r.example.com", &answer(&[("set-cookie", "_harbor_sid=canary")]), &[]).unwrap();
        assert!(!shown.contains("canary"));
    }
}
