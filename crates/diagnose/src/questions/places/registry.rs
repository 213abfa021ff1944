//! What the registry answered to requests made by hand: whether it has the repository, and the tag or digest.

use super::control;
use crate::case::Case;
use crate::next_test::CONTROL_IMAGE;
use crate::pull::Pull;
use crate::question::{Answer, Question, Seen, Test};
use crate::questions::climbs;
use crate::requests::Request;
use crate::subject::Subject;
use facts::Why;
use formats::reference::repository_of;
use formats::transcript::curl::Curl;
use report::Say;
use vocabulary::Stage;

/// Names under which a registry answers: Docker Hub's API, index and website are one registry, and
/// GitHub's API lists the packages of its own.
pub(super) fn is_of(registry: &str, host: &str) -> bool {
    host == registry
        || (registry == "docker.io"
            && matches!(host, "registry-1.docker.io" | "index.docker.io" | "hub.docker.com" | "docker.io"))
        || (registry == "ghcr.io" && host == "api.github.com")
}

/// The repository's path in its registry: `team/app`.
fn path_of(image: &str) -> String {
    let whole = repository_of(image);
    whole.split_once('/').map_or(whole.clone(), |(_, path)| path.to_owned())
}

/// What is asked for in the repository: the digest that the words name, else the image's own digest or tag.
fn wanted(pull: &Pull<'_>) -> Vec<String> {
    let image = &pull.image;
    let mut all: Vec<String> = pull
        .observations
        .iter()
        .filter_map(|o| {
            let (_, rest) = o.text.split_once("/manifests/sha256:")?;
            let hex: String = rest.chars().take_while(char::is_ascii_hexdigit).collect();
            (hex.len() == 64).then(|| format!("sha256:{hex}"))
        })
        .collect();
    all.dedup();
    if all.is_empty() {
        let last = image.rsplit('/').next().unwrap_or(image);
        let own = match last.split_once('@') {
            Some((_, digest)) => digest,
            None => last.split_once(':').map_or("latest", |(_, tag)| tag),
        };
        all.push(own.to_owned());
    }
    all
}

fn has_error(request: &Request<'_>, code: &str) -> bool {
    request.curl.body.contains(code)
}

/// Whether a body holds a name as a whole word: in JSON or as a line.
fn names(body: &str, name: &str) -> bool {
    body.split(|c: char| !(c.is_ascii_alphanumeric() || "._-/".contains(c))).any(|w| w == name)
}

/// One answer about the repository: `Some(true)` where it is there.
fn repository_by(request: &Request<'_>, path: &str) -> Option<bool> {
    let curl = &request.curl;
    let (url_path, status) = (curl.path(), curl.status());
    let bare = url_path.split('?').next().unwrap_or_default();
    let of_api = bare
        .strip_prefix("/v2/")
        .and_then(|rest| rest.strip_prefix(path))
        .is_some_and(|r| r.starts_with('/'));
    if of_api {
        // Harbor: "project NAME not found", with a 401 whatever the credentials (src/server/middleware/v2auth/auth.go).
        let project = path.split('/').next().unwrap_or(path);
        if has_error(request, "NAME_UNKNOWN") || has_error(request, &format!("project {project} not found")) {
            return Some(false);
        }
        if status == Some(200) || has_error(request, "MANIFEST_UNKNOWN") || curl.body.contains("\"tags\":[\"")
        {
            return Some(true);
        }
        return None;
    }
    if bare.trim_end_matches('/').ends_with(&format!("/repositories/{path}")) {
        return match status {
            Some(200) => Some(true),
            Some(404) => Some(false),
            // Docker Hub's words for what there is not, where the status was not printed.
            None if curl.body.contains("object not found") => Some(false),
            _ => None,
        };
    }
    listed(curl, path)
}

/// What a registry gives on one page where nothing was asked for: Distribution and Harbor's copy of it 100
/// (registry/handlers/catalog.go), Harbor's and Docker Hub's own APIs 10 (goharbor/harbor api/v2.0/swagger.yaml).
/// GitHub's REST API 30 (docs.github.com/en/rest/packages/packages).
fn usual_page(url_path: &str) -> usize {
    if url_path.contains("/api/v2.0/") || url_path.contains("/v2/repositories/") {
        10
    } else if is_packages(url_path) {
        30
    } else {
        100
    }
}

/// GitHub's list of an owner's images: `/orgs/OWNER/packages?package_type=container`, `/users/OWNER/packages?...`.
fn is_packages(url_path: &str) -> bool {
    let bare = url_path.split('?').next().unwrap_or_default().trim_end_matches('/');
    let of_images = url_path.contains("package_type=container");
    of_images && bare.ends_with("/packages") && (bare.starts_with("/orgs/") || bare.starts_with("/users/"))
}

/// Whether a list is but a part: a later page, a selection, one that says that more follows, or one as long as a page is.
fn is_part(curl: &Curl) -> bool {
    let (url_path, body) = (curl.path(), &curl.body);
    let query = || url_path.split_once('?').map_or("", |(_, q)| q).split('&');
    let later = |pair: &str| {
        ["last=", "marker=", "offset=", "cursor=", "q=", "name="].iter().any(|w| pair.starts_with(w))
            || pair.strip_prefix("page=").is_some_and(|page| page != "1")
    };
    if query().any(later) || curl.header("link").is_some() {
        return true;
    }
    let asked = ["n=", "page_size=", "per_page=", "limit="]
        .iter()
        .find_map(|w| query().find_map(|pair| pair.strip_prefix(w))?.parse::<usize>().ok());
    let named = body.matches("\"name\"").count();
    let of_objects = named > 0 && !body.contains("\"tags\"");
    let listed = match body.split_once('[') {
        _ if of_objects => named,
        Some((_, inside)) => inside.split(']').next().unwrap_or_default().matches(',').count() + 1,
        None => body.lines().filter(|l| !l.trim().is_empty()).count(),
    };
    let compact = body.replace(' ', "");
    listed >= asked.unwrap_or(usual_page(url_path)) || compact.contains("\"next\":\"http")
}

/// Lists of repositories: `_catalog`, and the product's own APIs, of the same project or of all.
fn listed(curl: &Curl, path: &str) -> Option<bool> {
    let (url_path, body, status) = (curl.path(), &curl.body, curl.status());
    let bare = url_path.split('?').next().unwrap_or_default().trim_end_matches('/');
    let (project, last) = path.rsplit_once('/').unwrap_or(("", path));
    let of_all = bare.ends_with("/_catalog");
    let of_project = bare.ends_with("/repositories") || bare.ends_with(&format!("/repositories/{project}"));
    let of_owner = is_packages(url_path)
        && bare.split('/').nth(2).is_some_and(|owner| path.starts_with(&format!("{owner}/")));
    // A package below the owner may have a path of its own, which the list gives whole.
    let last = if of_owner { path.split_once('/').map_or(last, |(_, name)| name) } else { last };
    let about_it = of_all
        || of_owner
        || (of_project && (project.is_empty() || format!("{bare}/").contains(&format!("/{project}/"))));
    if !about_it || body.trim().is_empty() || status.is_some_and(|s| s != 200) || body.contains("\"errors\"")
    {
        return None;
    }
    let there = names(body, path) || names(body, last);
    (there || !is_part(curl)).then_some(there)
}

/// Whether it was a list of repositories that was asked for.
fn is_list(request: &Request<'_>) -> bool {
    let bare = request.curl.path().split('?').next().unwrap_or_default().trim_end_matches('/');
    bare.ends_with("/_catalog") || bare.contains("/repositories") || is_packages(request.curl.path())
}

pub(super) fn repository_there(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let path = path_of(&pull.image);
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    let refused =
        pull.reading().is_some_and(|r| matches!(r.cause.stage(), Stage::Token | Stage::Authorization));
    for request in case.requests().iter().filter(|r| is_of(&pull.registry, r.curl.host())) {
        match repository_by(request, &path) {
            // A list for strangers leaves out what only members see.
            Some(false) if refused && is_list(request) && !request.curl.with_credential => {}
            Some(true) => {
                yes.push(request.shows(Say::new("evidence-repository-is-there").with("repository", &*path)))
            }
            Some(false) => no
                .push(request.shows(Say::new("evidence-repository-is-not-there").with("repository", &*path))),
            None => {}
        }
    }
    match (yes.is_empty(), no.is_empty()) {
        (false, _) => Seen::Is(Answer::Yes, yes),
        (true, false) => {
            // A token for it that was refused says the same from the other side.
            no.extend(refused_token(case, pull, &path));
            Seen::Is(Answer::Missing, no)
        }
        (true, true) => climbed(case, pull),
    }
}

/// The same from a probe: the list of tags shows that it is there, a control image that it is missing or hidden.
fn climbed(case: &Case<'_>, pull: &Pull<'_>) -> Seen {
    if let Some(evidence) = climbs::has_repository(case, pull) {
        return Seen::yes(evidence);
    }
    if let Some(evidence) = control::by_hand(case, pull) {
        return Seen::Is(Answer::Missing, evidence);
    }
    climbs::control(case, pull)
        .map_or(Seen::Blind(Why::NotAsked), |evidence| Seen::Is(Answer::Missing, evidence))
}

fn refused_token(case: &Case<'_>, pull: &Pull<'_>, path: &str) -> Option<report::Evidence> {
    let request = case.requests().iter().find(|r| {
        is_of(&pull.registry, r.curl.host())
            && r.curl.with_credential
            && r.curl.path().contains(path)
            && (r.curl.status() == Some(401) || has_error(r, "UNAUTHORIZED") || has_error(r, "DENIED"))
    })?;
    Some(request.shows(Say::new("evidence-token-does-not-help").with("repository", path)))
}

/// One answer about a tag or digest.
fn tag_by(request: &Request<'_>, path: &str, reference: &str) -> Option<bool> {
    let curl = &request.curl;
    let bare = curl.path().split('?').next().unwrap_or_default();
    let rest = bare.strip_prefix("/v2/")?.strip_prefix(path)?;
    if rest == "/tags/list" && curl.body.contains("\"tags\"") && !reference.starts_with("sha256:") {
        // A page of a longer list shows what is there, not what is not.
        let there = names(&curl.body, reference);
        return (there || !is_part(curl)).then_some(there);
    }
    if rest.strip_prefix("/manifests/")? != reference {
        return None;
    }
    // An index is there and yet "unknown" to a client that does not say that it takes one: "OCI index found, but accept
    // header does not support OCI indexes" (distribution registry/handlers/manifests.go).
    if has_error(request, "MANIFEST_UNKNOWN") {
        return Some(curl.body.to_ascii_lowercase().contains("accept header"));
    }
    let takes_all = request.output.command.to_ascii_lowercase().contains("accept:");
    match curl.status() {
        Some(200) => Some(true),
        Some(404) if takes_all => Some(false),
        None if curl.body.contains("\"schemaVersion\"") => Some(true),
        _ => None,
    }
}

pub(super) fn tag_there(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let path = path_of(&pull.image);
    let (mut yes, mut no) = (Vec::new(), Vec::new());
    for reference in wanted(pull) {
        for request in case.requests().iter().filter(|r| is_of(&pull.registry, r.curl.host())) {
            match tag_by(request, &path, &reference) {
                Some(true) => {
                    yes.push(request.shows(Say::new("evidence-tag-is-there").with("reference", &*reference)))
                }
                Some(false) => no.push(
                    request.shows(Say::new("evidence-tag-is-not-there").with("reference", &*reference)),
                ),
                None => {}
            }
        }
    }
    match (yes.is_empty(), no.is_empty()) {
        (false, _) => Seen::Is(Answer::Yes, yes),
        (true, false) => Seen::Is(Answer::Missing, no),
        (true, true) => climbs::has_tag(case, pull),
    }
}

/// Has the registry the repository, asked with credentials that are good?
pub static REPOSITORY_THERE: Question = Question {
    id: "ask-repository-there",
    ask: repository_there,
    test: Some(Test {
        cost: 3,
        vantage: "here",
        command: |case, pull, _| {
            let control = crate::comparison::control(case, pull);
            format!(
                "pullproof probe {} --control {}",
                pull.image,
                control.as_deref().unwrap_or(CONTROL_IMAGE)
            )
        },
    }),
};

/// What answers the question above, or a control that shows the credentials to be sound: then it is missing, or hidden
/// from this account.
fn missing_or_hidden(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match repository_there(case, pull, subject) {
        Seen::Blind(why) => {
            control::by_kubelet(case, pull).map_or(Seen::Blind(why), |shown| Seen::Is(Answer::Missing, shown))
        }
        seen => seen,
    }
}

/// Does the registry hide the repository from an account that it serves others of the project?
pub static MISSING_OR_HIDDEN: Question =
    Question { id: "ask-repository-there@control", ask: missing_or_hidden, test: None };

fn public(case: &Case<'_>, pull: &Pull<'_>, _: &Subject) -> Seen {
    let whole = repository_of(&pull.image);
    let (_, path) = whole.split_once('/').unwrap_or_default();
    let by_hand = case.requests().iter().find(|r| {
        let of_it = r.curl.path().starts_with(&format!("/v2/{path}/manifests/"));
        let signed = r.curl.with_credential || r.curl.with_token;
        is_of(&pull.registry, r.curl.host()) && of_it && !signed && r.curl.status() == Some(200)
    });
    match by_hand {
        Some(r) if !path.is_empty() => {
            Seen::yes(r.shows(Say::new("evidence-served-to-anybody").with("repository", path)))
        }
        _ => climbs::public(case, pull),
    }
}

/// Is the repository served without credentials?
pub static PUBLIC: Question = Question {
    id: "ask-public",
    ask: public,
    test: Some(Test {
        cost: 1,
        vantage: "here",
        command: |_, pull, _| format!("pullproof probe {} --anonymous", pull.image),
    }),
};

/// Has the registry the tag or digest?
pub static TAG_THERE: Question = Question {
    id: "ask-tag-there",
    ask: tag_there,
    test: Some(Test {
        cost: 3,
        vantage: "here",
        command: |_, pull, _| format!("pullproof probe {}", pull.image),
    }),
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;
    use vocabulary::Cause;

    const ANY: Subject = Subject::Cluster;

    fn scene(command: &str, text: &str) -> Scene {
        Scene::pod("registry.example.com/team/app:1.2", &[]).output(command, text)
    }

    #[test]
    fn the_api_says_whether_the_repository_is_there() {
        let ask = |command: &str, text: &str| scene(command, text).ask(&REPOSITORY_THERE, &ANY);
        let tags = "curl -sS https://registry.example.com/v2/team/app/tags/list";
        assert_eq!(ask(tags, r#"{"name":"team/app","tags":["1.0"]}"#), Some(Answer::Yes));
        assert_eq!(ask(tags, r#"{"errors":[{"code":"NAME_UNKNOWN"}]}"#), Some(Answer::Missing));
        assert_eq!(ask(tags, r#"{"errors":[{"code":"UNAUTHORIZED"}]}"#), None);
        assert_eq!(
            ask(
                "curl -sS https://other.example.com/v2/team/app/tags/list",
                r#"{"errors":[{"code":"NAME_UNKNOWN"}]}"#
            ),
            None
        );
        let catalog = "curl -sS -u a:b https://registry.example.com/v2/_catalog";
        assert_eq!(ask(catalog, r#"{"repositories":["team/app2","team/other"]}"#), Some(Answer::Missing));
        assert_eq!(ask(catalog, r#"{"repositories":["team/app"]}"#), Some(Answer::Yes));
    }

    #[test]
    fn only_a_whole_list_of_the_right_place_says_what_is_missing() {
        let ask = |command: &str, text: &str| scene(command, text).ask(&REPOSITORY_THERE, &ANY);
        let catalog = "curl -sS -u a:b https://registry.example.com/v2/_catalog";
        let page: Vec<String> = (0..100).map(|i| format!("\"team/x{i}\"")).collect();
        let page = format!(r#"{{"repositories":[{}]}}"#, page.join(","));
        assert_eq!(ask(catalog, &page), None, "as long as a page is");
        assert_eq!(ask(&format!("{catalog}?n=1000"), &page), Some(Answer::Missing));
        assert_eq!(ask(&format!("{catalog}?last=team/app"), r#"{"repositories":["team/zed"]}"#), None);
        let project = |name: &str| {
            format!("curl -sS -u a:b https://registry.example.com/api/v2.0/projects/{name}/repositories")
        };
        assert_eq!(ask(&project("team"), r#"[{"name":"team/other"}]"#), Some(Answer::Missing));
        assert_eq!(ask(&project("team-old"), r#"[{"name":"team-old/other"}]"#), None);
    }

    #[test]
    fn what_a_stranger_is_not_shown_may_be_there() {
        let anonymous = "curl -sS https://registry.example.com/v2/_catalog";
        let asked = |cause| {
            let list = scene(anonymous, r#"{"repositories":["team/other"]}"#);
            list.symptom(cause).ask(&REPOSITORY_THERE, &ANY)
        };
        assert_eq!(
            asked(Cause::ManifestUnknown),
            Some(Answer::Missing),
            "the pull was a stranger's too, or was let in"
        );
        assert_eq!(asked(Cause::AuthUnauthorized), None);
    }

    #[test]
    fn a_repository_that_is_said_to_be_missing_was_not_refused() {
        let scene = |cause| {
            scene(
                "curl -sS https://registry.example.com/v2/team/app/tags/list",
                r#"{"errors":[{"code":"NAME_UNKNOWN"}]}"#,
            )
            .symptom(cause)
        };
        assert_eq!(scene(Cause::ManifestUnknown).verdict().0, Cause::RepositoryUnknown);
        assert_eq!(scene(Cause::AuthUnauthorized).verdict().0, Cause::AuthRepositoryMissingAs401);
    }

    #[test]
    fn githubs_list_of_packages_counts_for_its_registry() {
        let asked = |command: &str, listed: &str| {
            Scene::pod("ghcr.io/acme/shop/tool:1", &[]).output(command, listed).ask(&REPOSITORY_THERE, &ANY)
        };
        let of = |owner: &str, kind: &str| {
            format!(
                "curl -sS -H \"Authorization: Bearer $PAT\" \"https://api.github.com/orgs/{owner}/packages?package_type={kind}\" | jq -r .[].name"
            )
        };
        assert_eq!(asked(&of("acme", "container"), "other\nshop/third"), Some(Answer::Missing));
        assert_eq!(asked(&of("acme", "container"), "other\nshop/tool"), Some(Answer::Yes));
        let gh = "gh api --paginate \"/orgs/acme/packages?package_type=container\" --jq '.[].name'";
        assert_eq!(asked(gh, "other"), Some(Answer::Missing));
        assert_eq!(asked(&of("acme", "npm"), "other"), None, "no images");
        assert_eq!(asked(&of("acme-old", "container"), "other"), None, "another owner's");
        let page: String = (0..30).map(|n| format!("p{n}\n")).collect();
        assert_eq!(asked(&of("acme", "container"), &page), None, "as long as a page is");
    }

    #[test]
    fn docker_hubs_lists_count_for_docker_hub() {
        let scene = Scene::pod("acme/tool:1", &[]).output(
            "curl -sS -u acme:*** \"https://hub.docker.com/v2/repositories/acme/?page_size=10\" | jq -r .",
            "other\nthird",
        );
        assert_eq!(scene.ask(&REPOSITORY_THERE, &ANY), Some(Answer::Missing));
    }

    #[test]
    fn tags_and_digests_are_there_or_not() {
        let ask = |command: &str, text: &str| scene(command, text).ask(&TAG_THERE, &ANY);
        let tags = "curl -sS http://registry.example.com/v2/team/app/tags/list";
        assert_eq!(ask(tags, r#"{"name":"team/app","tags":["1.0","1.1"]}"#), Some(Answer::Missing));
        assert_eq!(ask(tags, r#"{"name":"team/app","tags":["1.0","1.2"]}"#), Some(Answer::Yes));
        let page = "curl -sS http://registry.example.com/v2/team/app/tags/list?n=2";
        assert_eq!(ask(page, r#"{"name":"team/app","tags":["1.0","1.1"]}"#), None);
        let manifest =
            "curl -sS -o /dev/null -w %{http_code} http://registry.example.com/v2/team/app/manifests/1.2";
        let takes = manifest.replace("curl", "curl -H 'Accept: application/vnd.oci.image.index.v1+json'");
        assert_eq!(ask(&takes, "404"), Some(Answer::Missing));
        assert_eq!(ask(manifest, "404"), None, "it may be an index, of which this request takes none");
        let get = "curl -sS http://registry.example.com/v2/team/app/manifests/1.2";
        let unknown =
            |message: &str| format!(r#"{{"errors":[{{"code":"MANIFEST_UNKNOWN","message":"{message}"}}]}}"#);
        assert_eq!(ask(get, &unknown("manifest unknown")), Some(Answer::Missing));
        let index = "OCI index found, but accept header does not support OCI indexes";
        assert_eq!(ask(get, &unknown(index)), Some(Answer::Yes));
        let later = "curl -sS http://registry.example.com/v2/team/app/tags/list?last=1.2";
        assert_eq!(ask(later, r#"{"name":"team/app","tags":["3"]}"#), None);
        assert_eq!(ask(manifest, "200"), Some(Answer::Yes));
        assert_eq!(ask(manifest, "401"), None);
    }

    #[test]
    fn a_project_that_is_not_there_has_no_repository() {
        let tags = "curl -sS https://registry.example.com/v2/team/app/tags/list";
        let ask = |project: &str| {
            let text = format!(
                r#"{{"errors":[{{"code":"UNAUTHORIZED","message":"project {project} not found: project {project} not found"}}]}}"#
            );
            scene(tags, &text).ask(&REPOSITORY_THERE, &ANY)
        };
        assert_eq!(ask("team"), Some(Answer::Missing));
        assert_eq!(ask("other"), None);
    }
}
