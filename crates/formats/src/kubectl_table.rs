//! Tables as `kubectl get` (and other Go programs with `tabwriter`) print them: cells below their heads.
//!
//! Which table is meant, and whether it is complete, is for the reader of the command line to say.

/// A table, its heads in capitals as printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table<'a> {
    /// The heads.
    pub heads: Vec<&'a str>,
    /// The rows, with the line of the text (from 0) each stood on.
    pub rows: Vec<(u32, Vec<&'a str>)>,
}

/// At most this many rows are read.
const ROWS: usize = 20_000;

/// Reads the first table of a text. `None` where no line of at least two heads in capitals begins one.
pub fn read(text: &str) -> Option<Table<'_>> {
    let mut lines = (0_u32..).zip(text.lines());
    let (_, head) = lines.find(|(_, l)| is_head(l))?;
    let starts: Vec<usize> = column_starts(head);
    let heads = cells(head, &starts);
    let rows = lines
        .take_while(|(_, l)| !l.trim().is_empty())
        .take(ROWS)
        .map(|(n, l)| (n, row(l, &starts)))
        .collect();
    Some(Table { heads, rows })
}

impl<'a> Table<'a> {
    /// The cell of a row below a head; `None` where the table has no such head.
    pub fn cell<'t>(&'t self, row: &'t [&'a str], head: &str) -> Option<&'a str> {
        let at = self.heads.iter().position(|h| *h == head)?;
        row.get(at).copied()
    }
}

/// Heads are words in capitals, apart by two blanks or more (or tabs).
fn is_head(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let capital = |w: &&str| {
        w.bytes().any(|b| b.is_ascii_uppercase())
            && w.bytes().all(|b| !b.is_ascii_lowercase() && b.is_ascii_graphic())
    };
    words.len() >= 2 && words.iter().all(capital) && line.is_ascii()
}

fn column_starts(head: &str) -> Vec<usize> {
    let bytes = head.as_bytes();
    let mut starts = Vec::new();
    let mut gap = 2;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b' ' => gap += 1,
            b'\t' => gap += 2,
            _ => {
                // A single blank belongs to the head: `NOMINATED NODE`.
                if gap >= 2 {
                    starts.push(at);
                }
                gap = 0;
            }
        }
    }
    starts
}

fn cells<'a>(line: &'a str, starts: &[usize]) -> Vec<&'a str> {
    let ends = starts.iter().skip(1).copied().chain([line.len()]);
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| line.get(*start..end.min(line.len())).unwrap_or("").trim())
        .collect()
}

/// A row by the heads' places; where its cells do not stand below their heads (a pasted table that lost its blanks),
/// by words.
fn row<'a>(line: &'a str, starts: &[usize]) -> Vec<&'a str> {
    let aligned = starts
        .iter()
        .skip(1)
        .all(|start| line.as_bytes().get(start.wrapping_sub(1)).is_none_or(|b| matches!(b, b' ' | b'\t')));
    if aligned && line.is_ascii() { cells(line, starts) } else { line.split_whitespace().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stand_below_their_heads() {
        let text = "NAMESPACE   NAME         TYPE                             DATA   AGE\n\
                    default     registrykey  kubernetes.io/dockerconfigjson   1      1h\n\
                    kube-system token                                         3      20d\n\nother";
        let table = read(text).expect("a table");
        assert_eq!(table.heads, ["NAMESPACE", "NAME", "TYPE", "DATA", "AGE"]);
        assert_eq!(table.rows.len(), 2);
        let (line, first) = &table.rows[0];
        assert_eq!((*line, table.cell(first, "TYPE")), (1, Some("kubernetes.io/dockerconfigjson")));
        assert_eq!(table.cell(&table.rows[1].1, "TYPE"), Some(""));
        assert_eq!(table.cell(first, "STATUS"), None);
    }

    #[test]
    fn a_table_that_lost_its_blanks_is_read_by_words() {
        let table = read("NAME  TYPE  DATA\na-very-long-name kubernetes.io/dockercfg 1").expect("a table");
        assert_eq!(table.rows[0].1, ["a-very-long-name", "kubernetes.io/dockercfg", "1"]);
    }

    #[test]
    fn prose_is_no_table() {
        for text in [
            "",
            "Error from server (NotFound): secrets \"x\" not found",
            "No resources found in a namespace.",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_answered(text in "(?s).{0,300}") {
            let _ = read(&text);
        }
    }
}
