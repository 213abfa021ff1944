//! Whether a text names a thing: as a whole, since `regcred` is not `regcred-backup` and `shop/web` not `shop/web-ui`.

use formats::reference::{normalized, repository_of};

/// What may go on inside the name of an object, an account or a path's part.
fn goes_on(c: char) -> bool {
    c.is_alphanumeric() || "-_$+@".contains(c)
}

/// What may go on inside a part of an image's name, behind which a digest may stand.
fn goes_on_in_path(c: char) -> bool {
    c.is_alphanumeric() || "-_".contains(c)
}

/// Whether a name ends here; a full stop belongs to it only where something follows.
fn is_end(mut outside: impl Iterator<Item = char>, goes_on: fn(char) -> bool) -> bool {
    match outside.next() {
        None => true,
        Some('.') => !outside.next().is_some_and(goes_on),
        Some(c) => !goes_on(c),
    }
}

/// What stands before and after each place where the text has the name as a whole.
fn places<'t>(
    text: &'t str,
    name: &'t str,
    goes_on: fn(char) -> bool,
) -> impl Iterator<Item = (&'t str, &'t str)> {
    let whole = move |(before, after): &(&str, &str)| {
        is_end(before.chars().rev(), goes_on) && is_end(after.chars(), goes_on)
    };
    let named = (!name.is_empty()).then(|| text.match_indices(name)).into_iter().flatten();
    named.filter_map(move |(at, _)| Some((text.get(..at)?, text.get(at + name.len()..)?))).filter(whole)
}

/// Whether a text names an object, an account or an image.
pub fn names(text: &str, name: &str) -> bool {
    places(text, name, goes_on).next().is_some()
}

/// What stands before the slash of `secret/regcred` and is no namespace.
const KINDS: &[&str] = &["secret", "secrets", "serviceaccount", "serviceaccounts", "sa"];

/// Whether a text names this secret, or service account: where it says a namespace, the object's.
pub fn names_object(text: &str, namespace: &str, name: &str) -> bool {
    let elsewhere = said_namespace(text).is_some_and(|said| said != namespace);
    places(text, name, goes_on).any(|(before, _)| {
        let owner = before.strip_suffix('/').and_then(|b| b.rsplit(|c: char| !goes_on(c) && c != '.').next());
        match owner {
            Some(kind) if KINDS.iter().any(|k| kind.eq_ignore_ascii_case(k)) => !elsewhere,
            Some(owner) => owner == namespace,
            None => !elsewhere,
        }
    })
}

/// The namespace that a line gives: `namespace: shop`, `namespace="shop"`, `in namespace "shop"`, `-n shop`.
fn said_namespace(text: &str) -> Option<&str> {
    let mut words = text.split(|c: char| !goes_on(c) && c != '.').filter(|w| !w.is_empty());
    words.find(|w| w.eq_ignore_ascii_case("namespace") || *w == "-n")?;
    words.next()
}

/// An image's repository with its host, and the tag by which it is pulled; none where a digest stands there.
pub fn repository_and_tag(image: &str) -> (String, Option<String>) {
    let (repository, whole) = (repository_of(image), normalized(image));
    let tag = whole.strip_prefix(&repository).and_then(|rest| rest.strip_prefix(':')).map(str::to_owned);
    (repository, tag)
}

/// Whether a text names an image of this repository (host included), and where it gives tags, this one.
pub fn names_image(text: &str, repository: &str, tag: Option<&str>) -> bool {
    let mut bare = false;
    let mut other = false;
    for (before, after) in places(text, repository, goes_on_in_path) {
        if before.ends_with('/') && !before.ends_with("//") || after.starts_with('/') {
            continue; // part of a longer path
        }
        let said = after.strip_prefix(':').and_then(|t| t.split(|c: char| !goes_on(c) && c != '.').next());
        match said.filter(|said| !said.is_empty()) {
            None => bare = true,
            Some(said) if tag.is_none_or(|tag| said.trim_end_matches('.') == tag) => return true,
            Some(_) => other = true,
        }
    }
    bare && !other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_whole() {
        for text in ["secret regcred", "\"regcred\"", "shop/regcred:", "regcred.", "(regcred, x)"] {
            assert!(names(text, "regcred"), "{text}");
        }
        for text in ["regcred-backup", "my-regcred", "regcred2", "regcred.old", "regcred@x", "", "x"] {
            assert!(!names(text, "regcred"), "{text}");
        }
        assert!(!names("anything", ""));
        assert!(names("robot account robot$ci is expired", "robot$ci") && !names("robot$ci+x", "robot$ci"));
    }

    #[test]
    fn a_secret_is_of_its_namespace_where_one_is_said() {
        for text in [
            "Secret/shop/regcred pruned",
            "v1/Secret shop/regcred",
            "delete object [v1/Secret, namespace: shop, name: regcred]",
            "secret \"regcred\" deleted",
            "kubectl -n shop delete secret/regcred",
        ] {
            assert!(names_object(text, "shop", "regcred"), "{text}");
            assert!(!names_object(&text.replace("regcred", "regcred-backup"), "shop", "regcred"), "{text}");
        }
        for text in [
            "Secret/other/regcred pruned",
            "delete object [v1/Secret, namespace: other, name: regcred]",
            "kubectl -n other delete secret/regcred",
        ] {
            assert!(!names_object(text, "shop", "regcred"), "{text}");
        }
    }

    #[test]
    fn an_image_is_of_its_repository_and_tag() {
        let named = |text: &str| names_image(text, "r.example.com/team/app", Some("2"));
        for text in [
            "refers to [r.example.com/team/app]",
            "push r.example.com/team/app:2",
            "--destination=r.example.com/team/app:2",
        ] {
            assert!(named(text), "{text}");
        }
        for text in [
            "push r.example.com/team/app-ui",
            "push r.example.com/team/app:1",
            "mirror.r.example.com/team/app:2x",
            "x/r.example.com/team/app/ui:2",
        ] {
            assert!(!named(text), "{text}");
        }
        assert!(names_image(
            "push r.example.com/team/app:1 r.example.com/team/app:2",
            "r.example.com/team/app",
            Some("2")
        ));
    }
}
