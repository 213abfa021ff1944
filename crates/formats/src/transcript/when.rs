//! Times as commands print them.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Reads a time with its date, in any of the forms of `date`, `timedatectl`, `systemctl show`, `openssl`, HTTP headers,
/// `stat` and RFC 3339. A time without a zone is taken for UTC. `None` where a part is missing.
pub fn read(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(exact) = text.parse::<Timestamp>() {
        return Some(exact);
    }
    let (mut year, mut month, mut day, mut clock) = (None, None, None, None);
    let mut offset = Offset::UTC;
    // `T` parts a date from its clock only between digits: `KST` is a word.
    let parts = |w: &'_ str| {
        w.find('T').filter(|at| w.get(at + 1..).is_some_and(|r| r.starts_with(|c: char| c.is_ascii_digit())))
    };
    let words = text.split([' ', ',', '\t']).flat_map(|w| match parts(w) {
        Some(at) => [w.get(..at).unwrap_or(w), w.get(at + 1..).unwrap_or_default()],
        None => [w, ""],
    });
    for word in words.filter(|w| !w.is_empty()).take(10) {
        let lower = word.to_ascii_lowercase();
        if let Some(ymd) = date(word) {
            (year, month, day) = (Some(ymd.0), Some(ymd.1), Some(ymd.2));
        } else if word.contains(':') && clock.is_none() {
            let (time, zone) = split_zone(word);
            clock = self::clock(time);
            offset = zone.unwrap_or(offset);
        } else if let Some(zone) = self::offset(word).or_else(|| named_zone(word)) {
            offset = zone;
        } else if let Some(i) = MONTHS.iter().position(|m| lower.starts_with(m)) {
            month = month.or_else(|| i8::try_from(i + 1).ok());
        } else if let Ok(number) = word.parse::<i16>() {
            if number > 31 { year = year.or(Some(number)) } else { day = day.or(i8::try_from(number).ok()) }
        } else if lower == "pm" || lower == "am" {
            let (h, m, s, n) = clock?;
            let h = if lower == "pm" { h % 12 + 12 } else { h % 12 };
            clock = Some((h, m, s, n));
        }
    }
    let (h, m, s, n) = clock?;
    let civil = DateTime::new(year?, month?, day?, h, m, s, n).ok()?;
    civil.to_zoned(TimeZone::fixed(offset)).ok().map(|z| z.timestamp())
}

fn date(word: &str) -> Option<(i16, i8, i8)> {
    let mut parts = word.splitn(3, '-');
    let year = parts.next().filter(|y| y.len() == 4)?.parse().ok()?;
    Some((year, parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

fn clock(word: &str) -> Option<(i8, i8, i8, i32)> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
    let mut parts = whole.split(':');
    let (h, m) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
    let s = parts.next().map_or(Some(0), |s| s.parse().ok())?;
    let digits: String = fraction.chars().take_while(char::is_ascii_digit).take(9).collect();
    let nanos = format!("{digits:0<9}").parse().ok()?;
    Some((h, m, s, nanos))
}

/// `12:00:00Z`, `12:00:00+09:00`.
fn split_zone(word: &str) -> (&str, Option<Offset>) {
    if let Some(time) = word.strip_suffix(['Z', 'z']) {
        return (time, Some(Offset::UTC));
    }
    match word.rfind(['+', '-']) {
        Some(i) if i > 0 => (word.get(..i).unwrap_or(word), word.get(i..).and_then(offset)),
        _ => (word, None),
    }
}

/// Zones that go by one name only, in hours; others that share theirs (CST, IST) are not guessed at.
const ZONES: &[(&str, i32)] = &[
    ("KST", 9),
    ("JST", 9),
    ("CET", 1),
    ("CEST", 2),
    ("EET", 2),
    ("EEST", 3),
    ("MSK", 3),
    ("SGT", 8),
    ("HKT", 8),
    ("AEST", 10),
    ("EST", -5),
    ("EDT", -4),
    ("CDT", -5),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
];

fn named_zone(word: &str) -> Option<Offset> {
    let (_, hours) = ZONES.iter().find(|(name, _)| *name == word)?;
    Offset::from_hours(i8::try_from(*hours).ok()?).ok()
}

/// `+0900`, `-03:00`.
fn offset(word: &str) -> Option<Offset> {
    let sign = match word.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits: String = word.get(1..)?.chars().filter(|c| *c != ':').collect();
    if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let (h, m): (i32, i32) = (digits.get(..2)?.parse().ok()?, digits.get(2..)?.parse().ok()?);
    Offset::from_seconds(sign * (h * 3600 + m * 60)).ok()
}

#[cfg(test)]
mod tests {
    use super::read;
    use proptest::prelude::*;

    #[test]
    fn the_forms_of_many_programs() {
        for text in [
            "2021-11-17T02:11:09Z",
            "Wed 2021-11-17 02:11:09 UTC",
            "Wed Nov 17 02:11:09 UTC 2021",
            "Nov 17 02:11:09 2021 GMT",
            "Wed, 17 Nov 2021 02:11:09 GMT",
            "2021-11-17 02:11:09.000000000 +0000",
            "2021-11-17T11:11:09+09:00",
            "2021-11-16 23:11:09 -0300",
            "Wed Nov 17 02:11:09 AM UTC 2021",
            "Wed Nov 17 02:11:09 2021",
        ] {
            assert_eq!(read(text).map(|t| t.to_string()).as_deref(), Some("2021-11-17T02:11:09Z"), "{text}");
        }
        assert_eq!(
            read("Wed 2021-11-17 11:11:09 KST").map(|t| t.to_string()).as_deref(),
            Some("2021-11-17T02:11:09Z")
        );
        assert_eq!(read("09:05:10.114822101"), None);
        assert_eq!(read("Feb 31 10:00:00 2021"), None);
        assert_eq!(read(""), None);
    }

    proptest! {
        #[test]
        fn never_panics(text in any::<String>()) {
            let _ = read(&text);
        }

        #[test]
        fn never_panics_on_near_misses(text in "[0-9:TZ+. A-Za-z-]{0,40}") {
            let _ = read(&text);
        }
    }
}
