//! Lists that kubectl printed: which namespace they are of, and whether they are whole.

use crate::case::Case;
use crate::lines::output_at;
use crate::lines::{Line, Source};
use facts::CommandOutput;
use formats::kubectl_table::{self, Table};
use formats::transcript;
use report::{Evidence, Say};

/// What a command line asks kubectl for, as far as lists are concerned.
struct Asked<'c> {
    namespace: Option<&'c str>,
    everywhere: bool,
    /// Words that are no options: `get`, `secrets`, names. Empty where the program is no kubectl.
    words: Vec<&'c str>,
    /// Whether the list is a selection: a selector, or a filter behind a pipe.
    selected: bool,
}

/// Programs that speak kubectl's language.
const CLIENTS: &[&str] = &["kubectl", "oc", "k", "kubecolor", "microk8s.kubectl"];
/// Their options that take a value of no interest here.
const VALUED: &[&str] = &["-o", "--output", "--context", "--kubeconfig", "--sort-by"];

fn read_command(line: &str) -> Asked<'_> {
    let command = transcript::command(line);
    let mut asked =
        Asked { namespace: None, everywhere: false, words: Vec::new(), selected: line.contains('|') };
    let mut parts = command.arguments.iter().copied();
    while let Some(part) = parts.next() {
        match part {
            "-A" | "--all-namespaces" | "--all-namespaces=true" => asked.everywhere = true,
            "-n" | "--namespace" => asked.namespace = parts.next(),
            "-l" | "--selector" | "--field-selector" => {
                asked.selected = true;
                parts.next();
            }
            _ if VALUED.contains(&part) => {
                parts.next();
            }
            _ if part.starts_with("-l")
                || part.starts_with("--selector")
                || part.starts_with("--field-selector") =>
            {
                asked.selected = true;
            }
            _ => match part.strip_prefix("--namespace=").or_else(|| part.strip_prefix("-n")) {
                Some(namespace) => asked.namespace = Some(namespace.trim_start_matches('=')),
                None if part.starts_with('-') => {}
                None => asked.words.push(part),
            },
        }
    }
    // `k3s kubectl get`, `microk8s kubectl get`: the client is an argument.
    let wrapper = matches!(command.program, "k3s" | "rke2" | "microk8s" | "minikube");
    let wrapped = wrapper && asked.words.first().is_some_and(|w| CLIENTS.contains(w));
    if wrapped {
        asked.words.remove(0);
    } else if !CLIENTS.contains(&command.program) {
        asked.words.clear();
    }
    asked
}

/// Whether a command line asks for a list of secrets: `kubectl get secrets`, `oc get secret -A`.
fn asks_for_secrets(asked: &Asked<'_>) -> bool {
    match asked.words.as_slice() {
        ["get", kinds] => kinds.split(',').any(|k| matches!(k, "secret" | "secrets")),
        _ => false,
    }
}

/// Whole lists of a namespace's secrets in which the name does not stand.
pub fn lists_without(case: &Case<'_>, namespace: &str, name: &str) -> Option<Evidence> {
    whole_lists(case).find_map(|SecretList { output, asked, table }| {
        let covers = asked.everywhere || asked.namespace == Some(namespace);
        let mut of_namespace = table.as_ref().map_or(&[][..], |t| &t.rows).iter().filter(|(_, row)| {
            table.as_ref().is_some_and(|t| t.cell(row, "NAMESPACE").is_none_or(|n| n == namespace))
        });
        let stands = of_namespace
            .any(|(_, row)| table.as_ref().and_then(|t| t.cell(row, "NAME")).is_some_and(|n| n == name));
        (covers && !stands).then(|| Evidence {
            at: output_at(output, output.origin.line),
            says: Say::new("evidence-secret-not-in-list").with("name", name).with("namespace", namespace),
            quote: output.command.clone(),
        })
    })
}

/// Rows of lists, of parts too: namespace, name, type of every secret that kubectl listed under this name, with the line.
pub fn listed(case: &Case<'_>, name: &str) -> Vec<(String, String, Evidence)> {
    let mut found = Vec::new();
    for SecretList { output, asked, table } in all_lists(case) {
        let Some(table) = table else { continue };
        for (line, row) in table.rows.iter().filter(|(_, row)| table.cell(row, "NAME") == Some(name)) {
            let namespace = table.cell(row, "NAMESPACE").or(asked.namespace).unwrap_or_default();
            let type_ = table.cell(row, "TYPE").unwrap_or_default();
            let says = Say::new("evidence-secret-listed").with("name", name).with("namespace", namespace);
            found.push((
                namespace.to_owned(),
                type_.to_owned(),
                Evidence {
                    at: output_at(output, output.origin.line + *line + 1),
                    says,
                    quote: row.join("  "),
                },
            ));
        }
    }
    found
}

/// Whether kubectl listed the secrets of every namespace.
pub fn listed_everywhere(case: &Case<'_>) -> bool {
    case.snapshot.coverage.secrets_elsewhere || whole_lists(case).any(|l| l.asked.everywhere)
}

/// A list of secrets that kubectl printed.
pub struct SecretList<'a> {
    output: &'a CommandOutput,
    asked: Asked<'a>,
    /// `None` where it has no row.
    table: Option<Table<'a>>,
}

/// The rows that `grep` or `--no-headers` leave of a table.
fn without_heads<'a>(text: &'a str, asked: &Asked<'_>) -> Option<Table<'a>> {
    const HEADS: &[&str] = &["NAMESPACE", "NAME", "TYPE", "DATA", "AGE"];
    let heads = if asked.everywhere { HEADS } else { &HEADS[1..] };
    let kind = heads.len() - 3;
    let cells = (0_u32..).zip(text.lines()).map(|(n, l)| (n, l.split_whitespace().collect::<Vec<_>>()));
    let rows: Vec<_> = cells
        .filter(|(_, row)| {
            row.len() == heads.len() && row.get(kind).is_some_and(|t| t.contains('/') || *t == "Opaque")
        })
        .collect();
    (!rows.is_empty()).then(|| Table { heads: heads.to_vec(), rows })
}

/// The lists of which nothing was left out.
fn whole_lists<'s, 'a>(case: &'s Case<'a>) -> impl Iterator<Item = &'s SecretList<'a>> {
    all_lists(case).iter().filter(|l| !l.asked.selected)
}

fn all_lists<'s, 'a>(case: &'s Case<'a>) -> &'s [SecretList<'a>] {
    let read = |output: &'a CommandOutput| {
        let asked = read_command(&output.command);
        if !asks_for_secrets(&asked) {
            return None;
        }
        let table = kubectl_table::read(&output.text).or_else(|| without_heads(&output.text, &asked));
        let is_table = table.as_ref().is_some_and(|t| t.heads.contains(&"NAME"));
        let none = output.text.trim_start().starts_with("No resources found");
        // What a part has not says nothing, and `-o yaml` is no table.
        (is_table || none && !asked.selected).then_some(SecretList { output, asked, table })
    };
    case.once.secret_lists.get_or_init(|| case.snapshot.outputs.iter().filter_map(read).collect())
}

/// Whether a line that names an object speaks of this namespace: it says so (`shop/regcred`, `pod="shop/web"`), the
/// command asked for it, or it says nothing of any namespace.
pub fn line_is_about(line: &Line<'_>, namespace: &str) -> bool {
    if let Source::Output(output) = line.source
        && let Some(asked) = read_command(&output.command).namespace
    {
        return asked == namespace;
    }
    let names_it = line
        .text
        .split(|c: char| !(c.is_ascii_alphanumeric() || "-./".contains(c)))
        .any(|word| word.split_once('/').is_some_and(|(ns, _)| ns == namespace) || word == namespace);
    // A log line of the kubelet always names the pod with its namespace; a bare kubectl error names none.
    names_it || line.text.contains("Error from server (NotFound)")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Scene;

    #[test]
    fn only_whole_lists_count() {
        for (command, whole) in [
            ("kubectl get secrets -n shop", true),
            ("kubectl get secret -A", true),
            ("oc get secrets --all-namespaces -o wide", true),
            ("kubectl -n shop get secrets,serviceaccounts", true),
            ("kubectl get secret regcred -n shop", false),
            ("kubectl get secrets -n shop -l app=x", false),
            ("kubectl get secrets -n shop | grep regcred", false),
            ("kubectl get pods -n shop", false),
            ("kubectl describe secrets -n shop", false),
            ("sudo k3s kubectl get secrets -n shop", true),
            ("cat kubectl get secrets", false),
        ] {
            let asked = read_command(command);
            assert_eq!(asks_for_secrets(&asked) && !asked.selected, whole, "{command}");
        }
        assert_eq!(read_command("kubectl get secret -nshop").namespace, Some("shop"));
        assert_eq!(read_command("kubectl --namespace=shop get secret").namespace, Some("shop"));
    }

    #[test]
    fn a_part_of_a_list_shows_what_is_there_and_nothing_else() {
        const HEADS: &str = "NAMESPACE   NAME     TYPE                             DATA   AGE\n";
        const ROW: &str = "runners     regcred  kubernetes.io/dockerconfigjson   1      3d\n";
        let found = |command: &str, text: &str| {
            let scene = Scene::pod("r.example.com/a:1", &["regcred"]).output(command, text);
            let case = Case::new(&scene.snapshot);
            let without = lists_without(&case, "shop", "regcred").is_some();
            (
                listed(&case, "regcred").into_iter().map(|(namespace, ..)| namespace).collect::<Vec<_>>(),
                without,
            )
        };
        let by_type = "kubectl get secrets -A --field-selector type=kubernetes.io/dockerconfigjson";
        assert_eq!(found(by_type, &format!("{HEADS}{ROW}")), (vec!["runners".to_owned()], false));
        assert_eq!(found("kubectl get secrets -A | grep regcred", ROW), (vec!["runners".to_owned()], false));
        assert_eq!(found("kubectl get secrets -A --no-headers", ROW), (vec!["runners".to_owned()], true));
        assert_eq!(found(by_type, "No resources found\n"), (vec![], false));
    }
}
