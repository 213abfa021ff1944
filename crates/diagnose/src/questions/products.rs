//! What is known of registry products: which of them hide from an account that a repository is missing.

use crate::case::Case;
use crate::pull::Pull;
use crate::question::{Question, Seen};
use crate::questions::hosts::{name_of, same_host};
use crate::questions::words::quote;
use crate::subject::Subject;
use facts::{Why, seen};
use report::Say;

/// A product that answers 404 to whoever may read and asks for a repository that is not there: its 401 and 403 are
/// about the account.
struct Tells {
    /// As the operator, a probe or the `Server` header calls it, in lower case.
    name: &'static str,
    /// Ends of its hosts' names, where it is a service.
    hosts: &'static [&'static str],
}

/// Sources: zot pkg/api (2.1); AWS ECR API reference and issues; gitea routers/api/packages/container (1.24).
const TELL: &[Tells] = &[
    Tells { name: "zot", hosts: &[] },
    Tells { name: "ecr", hosts: &[".amazonaws.com", ".amazonaws.com.cn", ".on.aws", "public.ecr.aws"] },
    Tells { name: "gitea", hosts: &[] },
];

fn hides_missing(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let Some(o) = pull.deciding() else { return Seen::Blind(Why::NotAsked) };
    let host = name_of(&pull.registry);
    let stated = case.snapshot.versions.iter().map(|v| v.program.to_ascii_lowercase());
    let probed = pull.observations.iter().filter_map(|o| o.ladder).flat_map(|l| &l.rungs);
    let probed = probed.filter_map(|r| r.fact(seen::PRODUCT)).map(str::to_ascii_lowercase);
    let answered = case.requests().iter().filter(|r| same_host(r.curl.host(), &pull.registry));
    let answered = answered.filter_map(|r| r.curl.header("server")).map(str::to_ascii_lowercase);
    let names: Vec<String> = stated.chain(probed).chain(answered).collect();
    let word = |name: &str, text: &str| text.split(|c: char| !c.is_ascii_alphanumeric()).any(|w| w == name);
    let known = TELL
        .iter()
        .find(|t| t.hosts.iter().any(|h| host.ends_with(h)) || names.iter().any(|n| word(t.name, n)));
    match known {
        Some(t) => Seen::no(quote(o, Say::new("evidence-product-tells").with("product", t.name))),
        None => Seen::Blind(Why::NotAsked),
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
    fn a_product_that_tells_is_known_by_its_host_or_its_name() {
        let asked = |s: Scene| s.ask(&HIDES_MISSING, &Subject::Cluster);
        assert_eq!(asked(Scene::pod("1.dkr.ecr.eu-west-1.amazonaws.com/a:1", &[])), Some(Answer::No));
        assert_eq!(asked(Scene::pod("nginx:1", &[])), None);
        let own = Scene::pod("reg.example.com/a:1", &[]);
        assert_eq!(asked(own.clone()), None);
        let zot =
            own.output("curl -sSI https://reg.example.com/v2/", "HTTP/1.1 401 Unauthorized\nServer: zot\n");
        assert_eq!(asked(zot), Some(Answer::No));
    }
}
