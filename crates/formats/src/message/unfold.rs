//! Line breaks that a printer put in: YAML folds long strings at blanks, indented deeper than their key.

use super::records::opens;
use std::borrow::Cow;

/// Shorter lines were not folded.
const LEAST: usize = 50;

/// Joins each folded line to the one before it, by one blank.
pub(crate) fn unfold(text: &str) -> Cow<'_, str> {
    if !text.contains("\n  ") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    // How deep the line that was folded stands, and how the last one ends.
    let (mut depth, mut before) = (0, "");
    for line in text.split_inclusive('\n') {
        let next = line.trim();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let open = before.trim().len() >= LEAST && !before.trim_end().ends_with(['{', '[', '|', '>']);
        if open && indent > depth && !next.is_empty() && !opens(next) {
            let kept = out.trim_end().trim_end_matches('\\').trim_end().len();
            out.truncate(kept);
            out.push(' ');
            out.push_str(line.trim_start().trim_start_matches('\\').trim_start());
        } else {
            depth = indent;
            out.push_str(line);
        }
        before = line;
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::unfold;

    #[test]
    fn a_folded_string_is_one_line() {
        let yaml = "      waiting:\n        message: 'rpc error: code = Unknown desc = failed to pull and unpack image\n          \"registry.example.com/web:1\": x509: certificate signed by\n          unknown authority'\n        reason: ErrImagePull\n";
        let unfolded = unfold(yaml);
        assert!(unfolded.contains("image \"registry.example.com/web:1\": x509"), "{unfolded}");
        assert!(
            unfolded.contains("signed by unknown authority'\n        reason: ErrImagePull\n"),
            "{unfolded}"
        );
    }

    #[test]
    fn rows_and_lists_stay() {
        let table = "  Type     Reason   Age                From     Message that is long\n    Warning  Failed   4s (x2 over 20s)  kubelet  Error: ErrImagePull\n";
        assert_eq!(unfold(table), table);
        assert_eq!(unfold("short:\n    deeper\n"), "short:\n    deeper\n");
    }
}
