//! Go's duration texts, `1m30s`. Follows `time.ParseDuration`.

/// What keeps a text from being a duration, in Go's words; `None` where it is one.
pub fn problem(text: &str) -> Option<String> {
    let invalid = || Some(format!("time: invalid duration {text:?}"));
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return None;
    }
    if rest.is_empty() {
        return invalid();
    }
    while !rest.is_empty() {
        let number = rest.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(number);
        if !digits.bytes().any(|b| b.is_ascii_digit()) || digits.bytes().filter(|b| *b == b'.').count() > 1 {
            return invalid();
        }
        let unit = after.find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(after.len());
        let (unit, next) = after.split_at(unit);
        match unit {
            "" => return Some(format!("time: missing unit in duration {text:?}")),
            "ns" | "us" | "µs" | "μs" | "ms" | "s" | "m" | "h" => rest = next,
            _ => return Some(format!("time: unknown unit {unit:?} in duration {text:?}")),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn durations_and_their_problems() {
        for good in ["0", "3s", "1m30s", "1.5h", "-2ms", "+5µs"] {
            assert_eq!(problem(good), None, "{good}");
        }
        assert_eq!(problem("3").unwrap(), "time: missing unit in duration \"3\"");
        assert_eq!(problem("3d").unwrap(), "time: unknown unit \"d\" in duration \"3d\"");
        assert_eq!(problem("").unwrap(), "time: invalid duration \"\"");
        assert_eq!(problem("x").unwrap(), "time: invalid duration \"x\"");
        assert_eq!(problem(".s").unwrap(), "time: invalid duration \".s\"");
    }
}
