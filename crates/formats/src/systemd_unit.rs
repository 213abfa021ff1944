//! What systemd unit files say of a service's environment. Follows systemd.exec(5) and systemd.syntax(7), version 252:
//! later assignments win, an empty one takes all earlier ones back, files of variables win over assignments.

/// One assignment of a variable, or a file that holds some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// `Environment=NAME=value`.
    Variable {
        /// The name.
        name: String,
        /// The value.
        value: String,
        /// The line, from 1.
        line: u32,
    },
    /// `Environment=`: everything before is taken back.
    Reset,
    /// `EnvironmentFile=`; a leading `-` (which only excuses a missing file) is taken off.
    File(String),
    /// `EnvironmentFile=`: all files before are taken back.
    ResetFiles,
    /// `UnsetEnvironment=NAME`.
    Unset(String),
}

/// The lines about the environment in a unit's `[Service]` section, in order.
pub fn environment(text: &str) -> Vec<Line> {
    let mut found = Vec::new();
    let mut in_service = false;
    for (number, line) in logical_lines(text) {
        let line = line.trim();
        if line.starts_with('[') {
            in_service = line == "[Service]";
            continue;
        }
        let Some((key, value)) = line.split_once('=').filter(|_| in_service) else { continue };
        let value = value.trim();
        match key.trim() {
            "Environment" if value.is_empty() => found.push(Line::Reset),
            "Environment" => found.extend(words(value).into_iter().filter_map(|w| {
                let (name, value) = w.split_once('=')?;
                Some(Line::Variable { name: name.to_owned(), value: value.to_owned(), line: number })
            })),
            "EnvironmentFile" if value.is_empty() => found.push(Line::ResetFiles),
            "EnvironmentFile" => found.push(Line::File(value.trim_start_matches('-').to_owned())),
            "UnsetEnvironment" => {
                found.extend(
                    words(value).into_iter().map(|w| {
                        Line::Unset(w.split_once('=').map_or(w.clone(), |(name, _)| name.to_owned()))
                    }),
                );
            }
            _ => {}
        }
    }
    found
}

/// The variables of an environment file: name, value, line.
pub fn variables(text: &str) -> Vec<(String, String, u32)> {
    let assignment = |(number, line): (u32, String)| {
        let line = line.trim();
        if line.starts_with(['#', ';']) {
            return None;
        }
        let (name, value) = line.split_once('=')?;
        let name = name.trim().trim_start_matches("export ").trim();
        let value = value.trim();
        let bare = ['"', '\''].iter().find_map(|q| value.strip_prefix(*q)?.strip_suffix(*q));
        (!name.is_empty()).then(|| (name.to_owned(), bare.unwrap_or(value).to_owned(), number))
    };
    logical_lines(text).into_iter().filter_map(assignment).collect()
}

/// Lines with those that end in a backslash joined, without comments; the number is that of the first.
fn logical_lines(text: &str) -> Vec<(u32, String)> {
    let mut all: Vec<(u32, String)> = Vec::new();
    let mut joins = false;
    // A byte order mark at the beginning is passed over (systemd src/shared/conf-parser.c, config_parse)
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with(['#', ';']) {
            continue;
        }
        let (part, goes_on) = match line.strip_suffix('\\') {
            Some(part) => (part, true),
            None => (line, false),
        };
        match all.last_mut().filter(|_| joins) {
            Some((_, whole)) => {
                whole.push(' ');
                whole.push_str(part);
            }
            None => all.push((number, part.to_owned())),
        }
        joins = goes_on;
    }
    all
}

/// Words, with quotes taken off; `%%` is one percent sign.
fn words(value: &str) -> Vec<String> {
    let (mut all, mut word, mut quote, mut open) = (Vec::new(), String::new(), None, false);
    let mut chars = value.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => word.extend(chars.next()),
            ('%', _) => {
                word.push('%');
                chars.next_if_eq(&'%');
            }
            (c, Some(q)) if c == q => quote = None,
            (c, Some(_)) => word.push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                open = true;
            }
            (c, None) if c.is_whitespace() => {
                if open || !word.is_empty() {
                    all.push(std::mem::take(&mut word));
                }
                open = false;
            }
            (c, None) => word.push(c),
        }
    }
    if open || !word.is_empty() {
        all.push(word);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_a_drop_in() {
        let text = "[Unit]\nEnvironment=NOT=this\n[Service]\n# Environment=NOR=that\nEnvironment=\"HTTPS_PROXY=http://p:3128\" 'NO_PROXY=a, b'\nEnvironment=A=1 \\\n  B=50%%\nEnvironmentFile=-/etc/default/x\nUnsetEnvironment=A\n";
        let got = environment(text);
        let variable =
            |name: &str, value: &str, line| Line::Variable { name: name.into(), value: value.into(), line };
        let want = [
            variable("HTTPS_PROXY", "http://p:3128", 5),
            variable("NO_PROXY", "a, b", 5),
            variable("A", "1", 6),
            variable("B", "50%", 6),
            Line::File("/etc/default/x".into()),
            Line::Unset("A".into()),
        ];
        assert_eq!(got, want);
        assert_eq!(environment("[Service]\nEnvironment=\n"), [Line::Reset]);
    }

    #[test]
    fn variables_of_a_file() {
        let got = variables("# no\nHTTP_PROXY=\"http://p\"\n; no\n X = 1\nbroken\n");
        assert_eq!(got, [("HTTP_PROXY".into(), "http://p".into(), 2), ("X".into(), "1".into(), 4)]);
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "(\\[Service\\]|Environment(File)?=|\\PC{0,5}|\n|\"|\\\\){0,30}") {
            let _ = (environment(&text), variables(&text));
        }
    }
}
