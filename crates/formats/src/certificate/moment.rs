//! A point in time of a certificate. Certificates reach to the end of the year 9999, which is past the last instant
//! that `jiff::Timestamp` knows, so seconds are kept as they are.

use jiff::{SignedDuration, Timestamp, civil};
use std::fmt;

/// Seconds since 1970 in UTC. Shown as Go shows it, in RFC 3339 with a `Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(i64);

impl Moment {
    /// From seconds since 1970.
    pub const fn from_unix(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Seconds since 1970.
    pub const fn unix(self) -> i64 {
        self.0
    }

    /// Whether `now` lies before it.
    pub fn is_after(self, now: Timestamp) -> bool {
        now.as_nanosecond() < i128::from(self.0) * 1_000_000_000
    }

    /// Whether `now` lies behind it.
    pub fn is_before(self, now: Timestamp) -> bool {
        now.as_nanosecond() > i128::from(self.0) * 1_000_000_000
    }

    /// The same instant, or the nearest that a Timestamp can hold.
    pub fn timestamp(self) -> Timestamp {
        match Timestamp::from_second(self.0) {
            Ok(timestamp) => timestamp,
            Err(_) if self.0 < 0 => Timestamp::MIN,
            Err(_) => Timestamp::MAX,
        }
    }
}

impl From<Timestamp> for Moment {
    fn from(timestamp: Timestamp) -> Self {
        Self(timestamp.as_second())
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match civil::date(1970, 1, 1).at(0, 0, 0, 0).checked_add(SignedDuration::from_secs(self.0)) {
            Ok(at) => write!(
                f,
                "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
                at.year(),
                at.month(),
                at.day(),
                at.hour(),
                at.minute(),
                at.second()
            ),
            Err(_) => write!(f, "@{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_the_year_9999_is_kept() {
        let end = Moment::from_unix(253_402_300_799);
        assert_eq!(end.to_string(), "9999-12-31T23:59:59Z");
        assert_eq!(end.timestamp(), Timestamp::MAX);
        assert!(!end.is_before(Timestamp::MAX));
    }

    #[test]
    fn the_second_itself_is_neither_before_nor_after() {
        let at = Moment::from_unix(1_700_000_000);
        let now = Timestamp::from_second(1_700_000_000).unwrap();
        assert!(!at.is_before(now) && !at.is_after(now));
        assert!(at.is_before(Timestamp::new(1_700_000_000, 1).unwrap()));
    }
}
