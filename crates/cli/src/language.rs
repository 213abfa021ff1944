//! Which language a person reads: what they asked for, else what their locale says.

use render::Lang;

/// The variables that name a locale, the strongest first, as POSIX orders them.
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

/// The language to speak: the flag's, else the locale's, else English.
pub fn choose(asked: Option<Lang>, variable: impl Fn(&str) -> Option<String>) -> Lang {
    asked.unwrap_or_else(|| {
        VARIABLES
            .iter()
            .filter_map(|name| variable(name))
            .find(|locale| !locale.is_empty())
            .map_or(Lang::En, |locale| Lang::of_locale(&locale))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(set: &[(&str, &str)]) -> Lang {
        choose(None, |name| set.iter().find(|(n, _)| *n == name).map(|(_, v)| (*v).to_owned()))
    }

    #[test]
    fn the_strongest_variable_that_is_set_decides() {
        assert_eq!(with(&[]), Lang::En);
        assert_eq!(with(&[("LANG", "ko_KR.UTF-8")]), Lang::Ko);
        assert_eq!(with(&[("LANG", "ko_KR.UTF-8"), ("LC_ALL", "C")]), Lang::En);
        assert_eq!(with(&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "ko")]), Lang::Ko);
        assert_eq!(with(&[("LC_ALL", ""), ("LANG", "ko_KR.EUC-KR")]), Lang::Ko);
    }

    #[test]
    fn a_flag_beats_the_locale() {
        assert_eq!(choose(Some(Lang::En), |_| Some("ko_KR.UTF-8".to_owned())), Lang::En);
    }
}
