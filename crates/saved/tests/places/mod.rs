//! The places of `tests/data/canary/places.txt`, each with a password of its own.

use base64::Engine as _;
use std::path::Path;

/// An input full of passwords.
pub struct Places {
    /// Where it lies.
    pub folder: tempfile::TempDir,
    /// Every file's name and text.
    pub texts: Vec<(String, String)>,
    /// What must not show: the place, and a form of its password.
    needles: Vec<(String, String)>,
}

/// Writes the input.
pub fn plant() -> Places {
    let table = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/canary/places.txt");
    let table = std::fs::read_to_string(table).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (mut texts, mut needles) = (Vec::new(), Vec::new());
    for (n, part) in table.split("\n=== ").skip(1).enumerate() {
        let (name, text) = part.split_once('\n').unwrap();
        let password = format!("c4n4ry{n:03}Zq9w");
        let pair = base64(&format!("puller:{password}"));
        let auths = base64(&format!(
            r#"{{"auths":{{"registry.example.com":{{"username":"puller","password":"{password}","auth":"{pair}"}}}}}}"#
        ));
        let alone = base64(&password);
        // The last group of base64 may differ with what follows; what is before it gives the password away.
        for form in [&password, &pair, &alone, &auths] {
            let form = form.trim_end_matches('=');
            needles.push((name.to_owned(), form[..form.len() - 2].to_owned()));
        }
        let mut text = text
            .replace("{plain}", &password)
            .replace("{pair}", &pair)
            .replace("{b64}", &alone)
            .replace("{auths}", &auths)
            .replace("{percent}", &format!("p%40{password}%2F"))
            + "\n";
        if name.ends_with("/environ") {
            text = text.replace('\n', "\0");
        }
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, &text).unwrap();
        texts.push((name.to_owned(), text));
    }
    Places { folder, texts, needles }
}

impl Places {
    /// The places whose passwords a text shows, with what stands around them.
    pub fn leaks(&self, text: &str) -> Vec<String> {
        let found = |(name, needle): &(String, String)| {
            let at = text.find(needle.as_str())?;
            let around = (at.saturating_sub(60)..=at).find(|n| text.is_char_boundary(*n))?;
            Some(format!("{name}: {}", &text[around..at + needle.len()]))
        };
        let mut all: Vec<String> = self.needles.iter().filter_map(found).collect();
        all.dedup_by(|a, b| a.split(':').next() == b.split(':').next());
        all
    }
}

fn base64(text: &str) -> String {
    base64::engine::general_purpose::STANDARD.encode(text)
}
