//! The languages that sentences come in.

use std::str::FromStr;

/// A language of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lang {
    /// English.
    En,
    /// Korean.
    Ko,
}

impl Lang {
    /// Every language.
    pub const ALL: &[Self] = &[Self::En, Self::Ko];

    /// The word of `--lang`, an ISO 639 code.
    pub const fn word(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Ko => "ko",
        }
    }

    /// The language of a POSIX locale, `ko_KR.UTF-8`; English for all that there is no catalogue for.
    pub fn of_locale(locale: &str) -> Self {
        let language = locale.split(['_', '.', '@', '-']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("ko") || language.eq_ignore_ascii_case("korean") {
            Self::Ko
        } else {
            Self::En
        }
    }
}

impl FromStr for Lang {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .iter()
            .copied()
            .find(|l| l.word() == word)
            .ok_or_else(|| format!("no catalogue for {word:?}"))
    }
}
