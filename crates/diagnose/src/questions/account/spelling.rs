//! User names and passwords that were changed on their way into a secret: by a shell, an escape, a line break.

use super::{entry_in_use, known};
use crate::case::Case;
use crate::pull::Pull;
use crate::pull_secrets;
use crate::question::{Answer, Question, Seen};
use crate::subject::Subject;
use facts::Why;
use formats::docker_config::is_placeholder;
use report::{Evidence, Say};

/// What a shell makes of a word: the value that the program gets, with every unset variable empty, and the word as it
/// was meant, with quotes off.
#[derive(Debug, PartialEq, Eq)]
struct Word {
    got: String,
    meant: String,
}

/// Reads one word of a POSIX shell from the start of a text.
fn shell_word(text: &str) -> Word {
    let mut word = Word { got: String::new(), meant: String::new() };
    let mut chars = text.chars().peekable();
    let (mut single, mut double) = (false, false);
    while let Some(c) = chars.next() {
        match c {
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            ' ' | '\t' | '\n' | ';' | '|' | '&' | '>' | '<' if !single && !double => break,
            '\\' if !single => {
                if let Some(next) = chars.next() {
                    if double && !matches!(next, '$' | '`' | '"' | '\\') {
                        word.got.push('\\');
                    }
                    word.got.push(next);
                    word.meant.push(next);
                }
            }
            '$' if !single => {
                word.meant.push('$');
                let braced = chars.peek() == Some(&'{');
                let mut name = String::new();
                if braced {
                    chars.next();
                    word.meant.push('{');
                }
                while let Some(&n) = chars.peek() {
                    let positional = name.is_empty()
                        && (n.is_ascii_digit() || matches!(n, '$' | '?' | '!' | '#' | '*' | '@'));
                    let named = n == '_'
                        || (n.is_ascii_alphanumeric() && !name.starts_with(|f: char| f.is_ascii_digit()));
                    if !positional && !named {
                        break;
                    }
                    name.push(n);
                    word.meant.push(n);
                    chars.next();
                    if positional {
                        break;
                    }
                }
                if braced && chars.peek() == Some(&'}') {
                    chars.next();
                    word.meant.push('}');
                }
                if name.is_empty() && !braced {
                    word.got.push('$');
                }
            }
            _ => {
                word.got.push(c);
                word.meant.push(c);
            }
        }
    }
    word
}

/// The flags that take a user name, in programs that make secrets or log in.
const USER_FLAGS: &[&str] = &["--docker-username", "--username", "--from-literal=username", "-u"];

/// The user words of a command line.
fn user_words(line: &str) -> Vec<Word> {
    let mut found = Vec::new();
    for flag in USER_FLAGS {
        for (at, _) in line.match_indices(flag) {
            let before = line.get(..at).and_then(|b| b.chars().next_back());
            let rest = line.get(at + flag.len()..).unwrap_or_default();
            let value = rest.strip_prefix('=').or_else(|| rest.strip_prefix(' ')).map(str::trim_start);
            if let (true, Some(value)) = (before.is_none_or(char::is_whitespace), value) {
                found.push(shell_word(value));
            }
        }
    }
    found
}

/// A line that made the secret, or logged in to its registry, with a user name that the shell changed to what the secret
/// holds.
fn typed(case: &Case<'_>, pull: &Pull<'_>, secret: &str, user: &str) -> Option<Evidence> {
    let made = case.lines_with(secret);
    let logged_in = case.lines_with("login");
    let lines = made.iter().chain(logged_in.iter().filter(|l| l.text.contains(&pull.registry)));
    let line =
        lines.into_iter().find(|l| user_words(l.text).iter().any(|w| w.got == user && w.meant != w.got))?;
    Some(line.shows(Say::new("evidence-shell-changed-user").with("user", user)))
}

/// Forms that a name takes when it is escaped once too often.
fn unescaped(user: &str) -> String {
    let mut text =
        user.trim().replace("%24", "$").replace("%2B", "+").replace("&#36;", "$").replace("\\u0024", "$");
    text.retain(|c| !matches!(c, '\\' | '"' | '\'' | '`') && !c.is_whitespace());
    while text.contains("$$") {
        text = text.replace("$$", "$");
    }
    text
}

/// The registry's account of which this user name is what is left.
fn account_meant(case: &Case<'_>, user: &str) -> Option<(String, Evidence)> {
    let all = known::accounts(case);
    if all.iter().any(|a| a.name == user) {
        return None;
    }
    let meant = all.iter().find(|a| {
        let eaten = a.name.contains('$') && shell_word(&a.name).got == user;
        let unprefixed = a.name.split_once('$').is_some_and(|(_, rest)| rest == user);
        eaten || unprefixed || unescaped(user) == a.name || unescaped(user) == unescaped(&a.name)
    })?;
    Some((meant.name.clone(), meant.shown.clone()))
}

fn mangled(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    let Some((secret, entry)) = entry_in_use(case, pull, subject) else { return Seen::Blind(Why::NotAsked) };
    let user = entry.user.as_deref().unwrap_or_default();
    let at = |says: Say| Evidence { at: pull_secrets::entry_at(secret, entry), says, quote: user.to_owned() };
    let mut evidence = vec![at(Say::new("evidence-secret-holds-user").with("user", user))];
    evidence.extend(typed(case, pull, &secret.meta.name, user));
    if let Some((meant, shown)) = account_meant(case, user) {
        evidence.push(Evidence {
            says: Say::new("evidence-account-is-spelled").with("meant", meant).with("user", user),
            ..shown
        });
    }
    if evidence.len() > 1 {
        return Seen::Is(Answer::Yes, evidence);
    }
    if entry.password_is_placeholder || is_placeholder(user) {
        return Seen::yes(at(Say::new("evidence-variable-not-filled-in")));
    }
    if entry.password_has_outer_blank {
        return Seen::yes(at(Say::new("evidence-password-has-line-break")));
    }
    if known::accounts(case).iter().any(|a| a.name == user) {
        return Seen::no(at(Say::new("evidence-account-is-known").with("user", user)));
    }
    // The form alone: marks that no registry has in a name, or what is left of Harbor's `robot$name`.
    let escaped = unescaped(user) != user || user == "robot" || user.ends_with('$');
    if escaped { Seen::Is(Answer::Mismatch, evidence) } else { Seen::Blind(Why::NotAsked) }
}

fn mangling_seen(case: &Case<'_>, pull: &Pull<'_>, subject: &Subject) -> Seen {
    match mangled(case, pull, subject) {
        seen @ Seen::Is(Answer::Yes, _) => seen,
        _ => Seen::Blind(Why::NotAsked),
    }
}

/// Is the user name or password not as the registry has it, by its form?
pub static MANGLED: Question = Question { id: "ask-user-mangled", ask: mangled, test: None };

/// Is there a fact beside the form: the shell's line, the registry's spelling, a line break?
pub static MANGLING_SEEN: Question = Question { id: "ask-mangling-seen", ask: mangling_seen, test: None };

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Scene, entry, secret};
    use facts::Place;
    use proptest::prelude::*;

    fn about() -> Subject {
        Subject::Secret { namespace: "shop".into(), name: "regcred".into() }
    }

    fn scene(user: &str) -> Scene {
        let mut s = secret("shop", "regcred", "harbor.example.com");
        entry(&mut s).user = Some(user.into());
        Scene::pod("harbor.example.com/shop/web:1", &["regcred"]).secret(s)
    }

    #[test]
    fn a_variable_that_was_left_in_is_no_user() {
        assert_eq!(scene("${REGISTRY_USER}").ask(&MANGLING_SEEN, &about()), Some(Answer::Yes));
        assert_eq!(scene("robot$puller").ask(&MANGLING_SEEN, &about()), None);
        let password = scene("puller").change(|s| entry(&mut s.secrets[0]).password_is_placeholder = true);
        assert_eq!(password.ask(&MANGLING_SEEN, &about()), Some(Answer::Yes));
    }

    #[test]
    fn the_shell_expands_what_is_not_quoted() {
        for (text, got, meant) in [
            ("robot$puller --x", "robot", "robot$puller"),
            ("'robot$puller'", "robot$puller", "robot$puller"),
            ("\"robot$puller\"", "robot", "robot$puller"),
            ("robot\\$puller", "robot$puller", "robot$puller"),
            ("robot$team+ci", "robot+ci", "robot$team+ci"),
            ("robot${X}y", "roboty", "robot${X}y"),
            ("cost$", "cost$", "cost$"),
            ("a$1b", "ab", "a$1b"),
        ] {
            assert_eq!(shell_word(text), Word { got: got.into(), meant: meant.into() }, "{text}");
        }
    }

    #[test]
    fn a_shells_line_and_the_registrys_list_show_it() {
        let line = "$ kubectl create secret docker-registry regcred -n shop --docker-username=robot$puller --docker-password=x";
        let typed = scene("robot").document(Place::Shell, "shell/history.txt", line);
        let list = r#"[{"name":"robot$puller","disable":false,"expires_at":-1}]"#;
        let listed = |user| scene(user).document(Place::Registry, "registry/robots.json", list);
        for s in [
            typed,
            listed("robot"),
            listed("puller"),
            listed("robot\\$puller"),
            listed("robot$$puller"),
            listed("robot%24puller"),
        ] {
            assert_eq!(s.ask(&MANGLED, &about()), Some(Answer::Yes), "{s:?}");
            assert_eq!(s.ask(&MANGLING_SEEN, &about()), Some(Answer::Yes));
        }
        assert_eq!(listed("robot$puller").ask(&MANGLED, &about()), Some(Answer::No));
        assert_eq!(listed("somebody").ask(&MANGLED, &about()), None);
    }

    #[test]
    fn a_quoted_name_was_not_changed() {
        let line = "$ kubectl create secret docker-registry regcred --docker-username='robot$puller'";
        let s = scene("robot$puller").document(Place::Shell, "shell/history.txt", line);
        assert_eq!(s.ask(&MANGLED, &about()), None);
    }

    #[test]
    fn the_form_alone_makes_it_likely() {
        assert_eq!(scene("robot").ask(&MANGLED, &about()), Some(Answer::Mismatch));
        assert_eq!(scene("robot").ask(&MANGLING_SEEN, &about()), None);
        assert_eq!(scene("puller").ask(&MANGLED, &about()), None);
    }

    proptest! {
        #[test]
        fn any_line_is_read(line in ".{0,120}") {
            let _ = user_words(&line);
            let _ = shell_word(&line);
        }
    }
}
