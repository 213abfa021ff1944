//! `--help` in the reader's language. The English stands beside the arguments that it describes; this puts the Korean of
//! `locales/help-ko.txt` in its place, and adds examples and the exit statuses.

use crate::exit::Exit;
use clap::error::{ContextKind, ErrorKind};
use clap::{Arg, Command};
use render::Lang;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::LazyLock;

static KOREAN: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    let lines = include_str!("../locales/help-ko.txt").lines();
    lines.filter(|l| !l.starts_with('#')).filter_map(|l| l.split_once(" = ")).collect()
});

/// Lines worth copying: the command, the key of what it shows, and the English of that.
const EXAMPLES: [(&str, &str, &str); 6] = [
    ("pullproof -n shop", "!example-namespace", "why pulls fail in a namespace"),
    ("pullproof deployment/web -n shop", "!example-workload", "one workload"),
    ("pullproof --from case/ pod.yaml", "!example-saved", "saved objects, nodes' files, logs"),
    ("kubectl describe pod web-0 | pullproof explain", "!example-explain", "what one error text means"),
    ("pullproof probe registry.example.com/app:1.0", "!example-probe", "the registry, seen from here"),
    ("pullproof demo", "!example-demo", "a try without a cluster"),
];

/// The words under a key in this language, else the English ones.
fn word(lang: Lang, key: &str, english: &str) -> String {
    match lang {
        Lang::En => english.to_owned(),
        Lang::Ko => KOREAN.get(key).map_or_else(|| english.to_owned(), |w| (*w).to_owned()),
    }
}

/// The command line's help in this language.
pub fn speak(command: Command, lang: Lang) -> Command {
    let command = command.after_help(endnotes(lang));
    if lang == Lang::En {
        return command;
    }
    let mut command = command;
    // Adds what clap adds itself (--help, the help command), so that it is translated too.
    command.build();
    let names: Vec<String> = command.get_subcommands().map(|c| c.get_name().to_owned()).collect();
    for name in names {
        command = command.mut_subcommand(&name, |c| translate(c, &name));
    }
    translate(command, "pullproof")
}

fn translate(command: Command, name: &str) -> Command {
    let usage = word(Lang::Ko, "!usage", "Usage:");
    let mut command = command
        .help_template(format!("{{about-with-newline}}\n{usage} {{usage}}\n\n{{all-args}}{{after-help}}"))
        .subcommand_help_heading(word(Lang::Ko, "!commands", "Commands"));
    if let Some(about) = KOREAN.get(name) {
        command = command.about(*about);
    }
    command.mut_args(|arg| argument(arg, name))
}

fn argument(arg: Arg, command: &str) -> Arg {
    let id = arg.get_id().to_string();
    let own = format!("{command}.{id}");
    let words = KOREAN.get(own.as_str()).or_else(|| KOREAN.get(format!(".{id}").as_str()));
    let heading = match (arg.get_help_heading(), arg.is_positional()) {
        (Some(heading), _) => word(Lang::Ko, &format!("!{heading}"), heading),
        (None, true) => word(Lang::Ko, "!arguments", "Arguments"),
        (None, false) => word(Lang::Ko, "!options", "Options"),
    };
    let arg = arg.help_heading(heading);
    match words {
        Some(words) => arg.help(*words),
        None => arg,
    }
}

/// Why a command line was refused, where the reader's language is not the parser's own. `None` for help itself, and for
/// refusals that are not translated.
pub fn refusal(error: &clap::Error, lang: Lang) -> Option<String> {
    if lang == Lang::En || !error.use_stderr() {
        return None;
    }
    let said = |kind| error.get(kind).map(|v| render::plain(&v.to_string()));
    let (argument, value) = (said(ContextKind::InvalidArg), said(ContextKind::InvalidValue));
    let (key, about) = match error.kind() {
        ErrorKind::UnknownArgument => ("!error-unknown", argument?),
        ErrorKind::InvalidSubcommand => ("!error-command", said(ContextKind::InvalidSubcommand)?),
        ErrorKind::MissingRequiredArgument => ("!error-missing", argument?),
        ErrorKind::InvalidValue if value.as_deref() == Some("") => ("!error-no-value", argument?),
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            ("!error-value", format!("{} {}", argument?, value?))
        }
        ErrorKind::ArgumentConflict => {
            ("!error-conflict", format!("{}, {}", argument?, said(ContextKind::PriorArg)?))
        }
        _ => return None,
    };
    let mut words = format!("{} {} {about}", word(lang, "!error", "error:"), KOREAN.get(key)?);
    for (kind, key) in [
        (ContextKind::ValidValue, "!error-possible"),
        (ContextKind::SuggestedArg, "!error-similar"),
        (ContextKind::SuggestedValue, "!error-similar"),
        (ContextKind::SuggestedSubcommand, "!error-similar"),
    ] {
        if let Some(found) = said(kind).filter(|f| !f.is_empty()) {
            // Writing into a string cannot fail.
            let _ = write!(words, "\n  {} {found}", KOREAN.get(key)?);
        }
    }
    let _ = write!(words, "\n\n{}", KOREAN.get("!error-help")?);
    Some(words)
}

fn endnotes(lang: Lang) -> String {
    let mut notes = word(lang, "!examples", "Examples:") + "\n";
    let widest = EXAMPLES.iter().map(|e| e.0.len()).max().unwrap_or(0);
    for (line, key, english) in EXAMPLES {
        // Writing into a string cannot fail.
        let _ = writeln!(notes, "  {line:widest$}  {}", word(lang, key, english));
    }
    let _ = writeln!(notes, "\n{}", word(lang, "!status", "Exit status:"));
    for exit in Exit::ALL {
        let meaning = word(lang, &format!("!status-{}", exit.code()), exit.meaning());
        let _ = writeln!(notes, "  {}  {meaning}", exit.code());
    }
    notes.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_that_help_says_is_said_in_korean_too() {
        let mut whole = crate::args::definition();
        whole.build();
        let mut missing = Vec::new();
        for command in std::iter::once(&whole).chain(whole.get_subcommands()) {
            let name = command.get_name();
            if !KOREAN.contains_key(name) {
                missing.push(name.to_owned());
            }
            for arg in command.get_arguments().filter(|a| !a.is_hide_set()) {
                let (own, shared) = (format!("{name}.{}", arg.get_id()), format!(".{}", arg.get_id()));
                if !KOREAN.contains_key(own.as_str()) && !KOREAN.contains_key(shared.as_str()) {
                    missing.push(own);
                }
                if let Some(heading) = arg.get_help_heading() {
                    assert!(KOREAN.contains_key(format!("!{heading}").as_str()), "{heading}");
                }
            }
        }
        assert_eq!(missing, Vec::<String>::new());
        for exit in Exit::ALL {
            assert!(KOREAN.contains_key(format!("!status-{}", exit.code()).as_str()));
        }
    }

    #[test]
    fn korean_help_is_korean() {
        let help = speak(crate::args::definition(), Lang::Ko).render_help().to_string();
        assert!(help.contains("사용법: pullproof"), "{help}");
        assert!(help.contains("종료 상태:"), "{help}");
        assert!(
            !help.contains("Usage:") && !help.contains("Commands:") && !help.contains("Options:"),
            "{help}"
        );
    }
}
