//! What is known of registry products: which of them hide from an account that a repository is missing.
//!
//! `data/registry-answers.json` is a table of product and situation with the answer that is known, and where from. What
//! no row speaks of is unknown.

use crate::case::Case;
use crate::pull::{Observation, Pull};
use crate::question::{Answer, Question, Seen};
use crate::questions::hosts::{name_of, same_host};
use crate::questions::places::REPOSITORY_THERE;
use crate::questions::words::quote;
use crate::subject::Subject;
use facts::{Why, seen};
use formats::challenge;
use report::Say;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// How a product is known.
#[derive(Deserialize)]
struct Product {
    product: String,
    /// As an operator, a probe or the `Server` header calls it, in lower case.
    names: Vec<String>,
    /// Ends of its hosts' names, where it is a service.
    hosts: Vec<String>,
    /// The scheme that it asks for, where two products differ in that alone; else empty.
    scheme: String,
}

/// What a product answers in a situation.
#[derive(Deserialize)]
struct Known {
    product: String,
    situation: String,
    request: String,
    status: u16,
}

#[derive(Default, Deserialize)]
struct Table {
    products: Vec<Product>,
    answers: Vec<Known>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../data/registry-answers.json")).unwrap_or_default()
});

/// What is answered where the repository is missing: to an account, and to nobody.
const MISSING: &[&str] = &["repo_missing_valid_creds", "project_missing", "repo_missing_scope_withheld"];
const MISSING_TO_NOBODY: &[&str] = &["repo_missing_anonymous"];

/// The statuses of a product in some situations, for the request of a manifest and, where no token is to be had, of that.
fn statuses(product: &str, situations: &[&str]) -> BTreeSet<u16> {
    let of = |k: &&Known| k.product == product && situations.contains(&k.situation.as_str());
    let answers = TABLE.answers.iter().filter(of);
    // A token that is given, with nothing granted in it, is no answer yet.
    answers.filter(|k| k.request.contains("manifest") || k.status >= 400).map(|k| k.status).collect()
}

/// The product, by its host, else by what it says of itself, else by the operator's word.
fn product_of(case: &Case<'_>, pull: &Pull<'_>) -> Option<&'static Product> {
    let host = name_of(&pull.registry);
    let ends = |end: &String| match end.strip_prefix('.') {
        Some(_) => host.ends_with(end.as_str()),
        None => host == end,
    };
    if let Some(known) = TABLE.products.iter().find(|p| p.hosts.iter().any(ends)) {
        return Some(known);
    }
    let ladders = || pull.observations.iter().filter_map(|o| o.ladder);
    let requests = || case.requests().iter().filter(|r| same_host(r.curl.host(), &pull.registry));
    let probed = ladders().flat_map(|l| &l.rungs).filter_map(|r| r.fact(seen::PRODUCT)).map(str::to_owned);
    let answered = requests().filter_map(|r| r.curl.header("server")).map(str::to_owned);
    let schemes: Vec<String> = ladders()
        .flat_map(|l| &l.rungs)
        .filter_map(|r| r.fact(seen::CHALLENGE))
        .map(str::to_owned)
        .chain(
            requests()
                .filter_map(|r| r.curl.header("www-authenticate"))
                .flat_map(|header| challenge::parse(header).into_iter().map(|c| c.scheme)),
        )
        .collect();
    let asks = |p: &Product| {
        p.scheme.is_empty() || schemes.iter().any(|scheme| scheme.eq_ignore_ascii_case(&p.scheme))
    };
    let word = |name: &str, text: &str| {
        text.to_ascii_lowercase().split(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).any(|w| w == name)
    };
    let called = |names: &[String]| {
        TABLE
            .products
            .iter()
            .find(|p| asks(p) && p.names.iter().any(|name| names.iter().any(|text| word(name, text))))
    };
    let own: Vec<String> = probed.chain(answered).collect();
    let stated: Vec<String> = case.snapshot.versions.iter().map(|v| v.program.clone()).collect();
    called(&own).or_else(|| called(&stated))
}

/// Whether the words say that the request which was refused had no account: containerd calls its token an anonymous one.
fn was_anonymous(o: &Observation<'_>) -> bool {
    o.text.to_ascii_lowercase().contains("anonymous token")
}

fn hides_missing(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    // What was seen of this very registry weighs more than what its product is known for.
    if let Seen::Is(Answer::Missing, _) = (REPOSITORY_THERE.ask)(case, pull, subject) {
        return Seen::Blind(Why::NotAsked);
    }
    let (Some(o), Some(product)) = (pull.deciding(), product_of(case, pull)) else {
        return Seen::Blind(Why::NotAsked);
    };
    // Without an account there is the same answer for all that is not public; it speaks where no other is known.
    let of_accounts = statuses(&product.product, MISSING);
    let of_nobody = of_accounts.is_empty();
    let known = if of_nobody { statuses(&product.product, MISSING_TO_NOBODY) } else { of_accounts };
    let met = o.reading.status.filter(|s| matches!(s, 401 | 403));
    let refusals = known.iter().filter(|s| met.map_or(matches!(**s, 401 | 403), |met| met == **s));
    let list = known.iter().map(u16::to_string).collect::<Vec<_>>().join(", ");
    match (known.is_empty(), refusals.count()) {
        (true, _) => Seen::Blind(Why::NotAsked),
        // What nobody is told says nothing of what an account is told.
        (false, 0) if of_nobody && !was_anonymous(o) => Seen::Blind(Why::NotAsked),
        (false, 0) => {
            let says = Say::new("evidence-product-tells").with("product", product.product.as_str());
            Seen::no(quote(o, says.with("statuses", list)))
        }
        (false, _) => {
            let says = Say::new("evidence-product-hides").with("product", product.product.as_str());
            Seen::yes(quote(o, says.with("statuses", list)))
        }
    }
}

/// Does this product answer for a missing repository as if access were refused?
pub static HIDES_MISSING: Question = Question { id: "ask-hides-missing", ask: hides_missing, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Answer;
    use crate::testing::Scene;

    #[test]
    fn the_table_is_whole() {
        assert!(TABLE.products.len() >= 15 && TABLE.answers.len() >= 60);
        for known in &TABLE.answers {
            assert!(TABLE.products.iter().any(|p| p.product == known.product), "{}", known.product);
            assert!((200..600).contains(&known.status));
        }
    }

    #[test]
    fn a_product_is_known_by_its_host_or_its_name() {
        let asked = |s: Scene| s.ask(&HIDES_MISSING, &Subject::Cluster);
        assert_eq!(asked(Scene::pod("1.dkr.ecr.eu-west-1.amazonaws.com/a:1", &[])), Some(Answer::No));
        assert_eq!(asked(Scene::pod("nginx:1", &[])), Some(Answer::Yes), "Docker Hub hides");
        assert_eq!(asked(Scene::pod("quay.io/acme/a:1", &[])), Some(Answer::Yes));
        let own = Scene::pod("reg.example.com/a:1", &[]);
        assert_eq!(asked(own.clone()), None);
        let answers = |headers: &str| {
            let text = format!("HTTP/1.1 401 Unauthorized\n{headers}\n");
            asked(own.clone().output("curl -sSI https://reg.example.com/v2/", &text))
        };
        assert_eq!(answers("Server: zot"), Some(Answer::No));
        assert_eq!(answers("Server: nginx"), None);
    }

    #[test]
    fn what_a_product_tells_nobody_excludes_nothing_for_an_account() {
        let asked = |words: &str| {
            Scene::pod("ghcr.io/acme/a:1", &[]).stating(words).ask(&HIDES_MISSING, &Subject::Cluster)
        };
        let manifest =
            "unexpected status from HEAD request to https://ghcr.io/v2/acme/a/manifests/1: 403 Forbidden";
        let token = "failed to fetch anonymous token: unexpected status from GET request to https://ghcr.io/token?scope=a: ";
        assert_eq!(asked(manifest), None, "its 401 is known of requests without an account");
        assert_eq!(asked(&format!("{token}403 Forbidden")), Some(Answer::No));
        assert_eq!(asked(&format!("{token}401 Unauthorized")), Some(Answer::Yes));
    }

    #[test]
    fn what_differs_in_the_scheme_alone_is_told_by_it() {
        let asked = |scheme: &str| {
            let text = format!("HTTP/1.1 401 Unauthorized\nWww-Authenticate: {scheme} realm=\"r\"\n");
            Scene::pod("reg.example.com/team/a:1", &[])
                .change(|s| {
                    s.versions.push(facts::StatedVersion {
                        program: "Distribution".into(),
                        version: "3.0.0".into(),
                        node: None,
                        origin: facts::Origin::default(),
                    });
                })
                .output("curl -sSI https://reg.example.com/v2/", &text)
                .ask(&HIDES_MISSING, &Subject::Cluster)
        };
        assert_eq!(asked("Basic"), Some(Answer::No), "no rights of repositories there");
        assert_eq!(asked("Bearer"), Some(Answer::Yes));
    }
}
