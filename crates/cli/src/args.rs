//! The command line: flags that several commands share, and which command a line means.
//!
//! What only one command takes stands in that command's file.

use crate::commands::{causes, compare, completions, demo, diagnose, explain, man, node, probe, schema};
use crate::exit::Exit;
use crate::{help, language};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use render::{Format, Lang};
use std::ffi::OsString;
use std::path::PathBuf;

/// Finds the one reason why a Kubernetes image pull fails, shows the evidence, and proves the fix.
#[derive(Debug, Parser)]
#[command(name = "pullproof", version, max_term_width = 110, subcommand_required = true)]
pub struct Cli {
    /// What every command takes.
    #[command(flatten)]
    pub common: Common,
    /// What to do; `diagnose` where the line names no command.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands. Each is a file of its own.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Find why pulls fail, in the cluster or in saved input (the default command)
    Diagnose(diagnose::Diagnose),
    /// Say what one error, event, log or describe output means
    Explain(explain::Explain),
    /// Climb the ladder to a registry from this machine, rung by rung
    Probe(probe::Probe),
    /// Watch a real pull fail and be explained: needs no cluster and no network
    Demo(demo::Demo),
    /// Say what this node's runtime does for an image, and what is wrong in its files
    Node(node::Node),
    /// Name what differs between nodes, from their reports
    Compare(compare::Compare),
    /// List every cause, and by what each is told from the others
    Causes(causes::Causes),
    /// Print the JSON Schema of the report
    Schema(schema::Schema),
    /// Print a completion script for a shell
    Completions(completions::Completions),
    /// Print the manual page
    Man(man::Man),
}

/// What every command takes.
#[derive(Debug, Args)]
pub struct Common {
    /// The language of all sentences: en or ko; else the locale decides (LC_ALL, LC_MESSAGES, LANG)
    #[arg(long, global = true, value_name = "LANG", value_parser = langs())]
    pub lang: Option<Lang>,
    /// When to colour; NO_COLOR is honoured
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = ColorChoice::Auto)]
    pub color: ColorChoice,
    /// Say nothing about progress
    #[arg(short, long, global = true)]
    pub quiet: bool,
}

/// When to colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    // No documentation on these: help would list them one by one.
    Auto,
    Always,
    Never,
}

/// What every command takes that prints a report.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Report")]
pub struct ReportArgs {
    /// The form of the report
    #[arg(short, long, value_name = "FORMAT", default_value = "text", value_parser = formats())]
    pub output: Format,
    /// Exit with 0 also where something was found
    #[arg(long)]
    pub exit_zero: bool,
}

impl ReportArgs {
    /// The status for a report: whether it has incidents, unless the caller wants no status.
    pub const fn exit(&self, found: bool) -> Exit {
        if found && !self.exit_zero { Exit::Found } else { Exit::Clear }
    }
}

/// How a cluster is found and what of it is looked at: kubectl's flags.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Cluster")]
pub struct KubeArgs {
    /// The namespace to look at; else that of the context
    #[arg(short, long, value_name = "NAME")]
    pub namespace: Option<String>,
    /// Look at all namespaces
    #[arg(short = 'A', long, conflicts_with = "namespace")]
    pub all_namespaces: bool,
    /// Only pods whose labels match, as kubectl has it: app=web,tier!=db
    #[arg(short = 'l', long, value_name = "SELECTOR")]
    pub selector: Option<String>,
    /// The kubeconfig's context to use
    #[arg(long, value_name = "NAME")]
    pub context: Option<String>,
    /// The kubeconfig to use; else KUBECONFIG, else ~/.kube/config, else the pod's own account
    #[arg(long, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,
    /// Act as this user
    #[arg(long = "as", value_name = "USER")]
    pub as_user: Option<String>,
    /// Act as a member of this group (may be given again)
    #[arg(long = "as-group", value_name = "GROUP")]
    pub as_groups: Vec<String>,
}

fn langs() -> impl TypedValueParser<Value = Lang> {
    PossibleValuesParser::new(Lang::ALL.iter().map(|l| l.word())).try_map(|word| word.parse::<Lang>())
}

fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.iter().map(|f| f.word())).try_map(|word| word.parse::<Format>())
}

/// The command line as it is defined, in English and without what `help` adds.
pub fn definition() -> clap::Command {
    Cli::command()
}

/// The whole command line, for completions and the manual page.
pub fn command() -> clap::Command {
    help::speak(definition(), Lang::En)
}

/// Reads a command line, the program's own name included.
pub fn parse(mut line: Vec<OsString>) -> Result<Cli, clap::Error> {
    let mut command = help::speak(definition(), language(&line));
    let name = if as_plugin(line.first()) { "kubectl pullproof" } else { "pullproof" };
    command = command.bin_name(name).override_usage(format!("{name} [OPTIONS] [COMMAND]"));
    let rest = line.split_off(1.min(line.len()));
    let first = first_word(&command, &rest);
    line.extend(name_the_command(&command, rest));
    let matches = command.try_get_matches_from_mut(line).map_err(|e| mistyped(&command, first, e))?;
    Cli::from_arg_matches(&matches)
}

/// The first word that is no flag and no flag's value.
fn first_word(command: &clap::Command, rest: &[OsString]) -> Option<String> {
    let mut at = 0;
    while let Some(word) = rest.get(at).map(|w| w.to_string_lossy()).filter(|w| w != "--") {
        if !word.starts_with('-') {
            return Some(word.into_owned());
        }
        at += 1 + usize::from(takes_the_next(command, &word));
    }
    None
}

/// A line that is refused, and whose first word is nearly a command: that word was meant to be one.
fn mistyped(command: &clap::Command, first: Option<String>, refusal: clap::Error) -> clap::Error {
    let word = first.filter(|_| refusal.kind() == ErrorKind::UnknownArgument).unwrap_or_default();
    let Some(meant) = near_command(&word) else { return refusal };
    let mut error = clap::Error::new(ErrorKind::InvalidSubcommand).with_cmd(command);
    error.insert(ContextKind::InvalidSubcommand, ContextValue::String(word));
    error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![meant]));
    error
}

/// The command that a word may have been meant to be; none where it is one, or like none.
pub fn near_command(word: &str) -> Option<String> {
    let names: Vec<String> = definition().get_subcommands().map(|c| c.get_name().to_owned()).collect();
    let edits = |name: &String| strsim::osa_distance(word, name);
    let nearest = names.into_iter().min_by_key(edits)?;
    (1..=2).contains(&edits(&nearest)).then_some(nearest).filter(|n| n.len() > 4 || edits(n) == 1)
}

/// The language of a line's help and errors: what it asks for, else the locale's.
pub fn language(line: &[OsString]) -> Lang {
    language::choose(asked_language(line), |v| std::env::var(v).ok())
}

/// The language that a line asks for: help is shown before the line is understood.
fn asked_language(line: &[OsString]) -> Option<Lang> {
    let mut words = line.iter().map(|w| w.to_string_lossy());
    while let Some(word) = words.next() {
        match word.strip_prefix("--lang") {
            Some("") => return words.next()?.parse().ok(),
            Some(value) => return value.strip_prefix('=')?.parse().ok(),
            None => {}
        }
    }
    None
}

fn as_plugin(program: Option<&OsString>) -> bool {
    let stem =
        program.map(PathBuf::from).and_then(|p| p.file_stem().map(|s| s.to_string_lossy().into_owned()));
    stem.is_some_and(|s| s.starts_with("kubectl-"))
}

/// Puts the command's name first, as kubectl users need not: `-n shop probe x` is `probe -n shop x`, and a line that
/// names no command is `diagnose`'s. Only `--help` and `--version` alone are the program's own.
fn name_the_command(command: &clap::Command, mut rest: Vec<OsString>) -> Vec<OsString> {
    let mut at = 0;
    let mut only_own = true;
    while let Some(word) = rest.get(at).map(|w| w.to_string_lossy().into_owned()) {
        if word == "--" {
            break;
        }
        if word == "help" || command.find_subcommand(&word).is_some() {
            let name = rest.remove(at);
            rest.insert(0, name);
            return rest;
        }
        if !word.starts_with('-') || word == "-" {
            only_own = false;
            break;
        }
        only_own &= SHOWS.contains(&word.as_str()) || command.get_arguments().any(|a| is_flag(a, &word));
        at += 1 + usize::from(takes_the_next(command, &word));
    }
    if only_own && rest.iter().any(|w| SHOWS.iter().any(|s| w == s)) {
        return rest;
    }
    rest.insert(0, "diagnose".into());
    rest
}

/// Flags that show something about the program itself, where the line names no command.
const SHOWS: [&str; 4] = ["-h", "--help", "-V", "--version"];

fn is_flag(arg: &clap::Arg, word: &str) -> bool {
    match word.strip_prefix("--") {
        Some(long) => arg.get_long() == Some(long.split('=').next().unwrap_or_default()),
        None => word.chars().count() == 2 && arg.get_short() == word.chars().nth(1),
    }
}

/// Whether a flag's value is the next word: some command knows the flag, and it has no value of its own.
fn takes_the_next(command: &clap::Command, word: &str) -> bool {
    let mut all =
        command.get_arguments().chain(command.get_subcommands().flat_map(clap::Command::get_arguments));
    !word.contains('=') && all.any(|a| is_flag(a, word) && a.get_action().takes_values())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<Cli, clap::Error> {
        parse(std::iter::once("pullproof").chain(line.split_whitespace()).map(OsString::from).collect())
    }

    #[test]
    fn the_definition_holds_together() {
        command().debug_assert();
    }

    #[test]
    fn a_line_without_a_command_is_diagnose() {
        for (line, target) in [("", None), ("-A", None), ("deployment/web -n shop", Some("deployment/web"))] {
            let Command::Diagnose(d) = parsed(line).unwrap().command else { panic!("{line}: not diagnose") };
            assert_eq!(d.target.as_deref(), target, "{line}");
        }
    }

    #[test]
    fn flags_may_stand_before_the_command() {
        let cli = parsed("--lang ko -n shop diagnose web-0").unwrap();
        assert_eq!(cli.common.lang, Some(Lang::Ko));
        let Command::Diagnose(d) = cli.command else { panic!("not diagnose") };
        assert_eq!((d.kube.namespace.as_deref(), d.target.as_deref()), (Some("shop"), Some("web-0")));
    }

    #[test]
    fn a_flags_value_is_not_taken_for_a_command() {
        let Command::Diagnose(d) = parsed("-n probe").unwrap().command else { panic!("not diagnose") };
        assert_eq!(d.kube.namespace.as_deref(), Some("probe"));
    }

    #[test]
    fn nonsense_is_a_usage_error_and_help_is_none() {
        assert!(parsed("--no-such-flag").unwrap_err().use_stderr());
        assert!(parsed("-o sculpture").unwrap_err().use_stderr());
        for line in ["--help", "--lang ko --help", "-h --color=never"] {
            let shown = parsed(line).unwrap_err();
            assert!(!shown.use_stderr() && shown.to_string().contains("completions"), "{line}");
        }
        assert!(!parsed("--version").unwrap_err().use_stderr());
        assert!(!parsed("probe --help").unwrap_err().use_stderr());
    }

    #[test]
    fn a_word_that_is_nearly_a_command() {
        for (word, meant) in [
            ("explian", Some("explain")),
            ("diagnoes", Some("diagnose")),
            ("prob", Some("probe")),
            ("explain", None),
            ("web-0", None),
            ("redis", None),
            ("", None),
        ] {
            assert_eq!(near_command(word).as_deref(), meant, "{word}");
        }
        for line in ["explian --jsonl", "-n shop prbe a b", "explian two words"] {
            let refusal = parsed(line).unwrap_err();
            assert_eq!(refusal.kind(), ErrorKind::InvalidSubcommand, "{line}: {refusal}");
        }
        assert_eq!(parsed("web-0 --jsonl").unwrap_err().kind(), ErrorKind::UnknownArgument);
    }

    #[test]
    fn help_lists_every_exit_status() {
        let help = command().render_long_help().to_string();
        for exit in Exit::ALL {
            assert!(help.contains(&format!("{}  {}", exit.code(), exit.meaning())), "{help}");
        }
    }
}
