//! A machine's clock, as `date`, `timedatectl` and `chronyc` show it.

use super::command::Command;
use super::{Form, when};
use facts::Clock;
use jiff::{SignedDuration, Timestamp};

/// What an output says of a clock; `None` where it is about something else.
pub fn read(command: &Command<'_>, text: &str) -> Option<Clock> {
    let clock = match command.program {
        "date" => date(text),
        "timedatectl" => timedatectl(text),
        "chronyc" => chronyc(text),
        "hwclock" => return None,
        _ => return None,
    };
    (clock != Clock::default()).then_some(clock)
}

/// The same for a text without a command.
pub fn by_form(form: Form, text: &str) -> Option<Clock> {
    let clock = match form {
        Form::Date => date(text),
        Form::Timedatectl => timedatectl(text),
        _ => return None,
    };
    (clock != Clock::default()).then_some(clock)
}

/// Puts what one output says into what others said.
pub fn join(clock: &mut Clock, other: Clock) {
    clock.says = clock.says.or(other.says);
    clock.reference = clock.reference.or(other.reference);
    clock.synchronized = clock.synchronized.or(other.synchronized);
}

fn date(text: &str) -> Clock {
    let line = text.lines().find(|l| !l.trim().is_empty()).unwrap_or_default().trim();
    let seconds =
        line.parse::<i64>().ok().filter(|s| *s > 1_000_000_000).and_then(|s| Timestamp::from_second(s).ok());
    Clock { says: seconds.or_else(|| when::read(line)), ..Clock::default() }
}

fn timedatectl(text: &str) -> Clock {
    let mut clock = Clock::default();
    let mut local = None;
    for (name, value) in text.lines().filter_map(|l| l.trim().split_once(':')) {
        match name {
            "Universal time" => clock.says = when::read(value),
            "Local time" => local = when::read(value),
            "System clock synchronized" | "NTP synchronized" => {
                clock.synchronized = Some(value.trim() == "yes")
            }
            _ => {}
        }
    }
    clock.says = clock.says.or(local);
    clock
}

/// `System time     : 3.201 seconds slow of NTP time`, `Leap status     : Normal`, `Ref time (UTC)  : ...`.
fn chronyc(text: &str) -> Clock {
    let mut clock = Clock::default();
    let mut offset = None;
    for (name, value) in text.lines().filter_map(|l| l.split_once(':')) {
        match name.trim() {
            "System time" => {
                let words: Vec<&str> = value.split_whitespace().collect();
                let seconds: Option<f64> = words.first().and_then(|w| w.parse().ok());
                offset = seconds.map(|s| if words.contains(&"slow") { s } else { -s });
            }
            "Leap status" => clock.synchronized = Some(value.trim() == "Normal"),
            "Ref time (UTC)" => clock.says = when::read(value).filter(|t| t.as_second() > 86_400),
            _ => {}
        }
    }
    if let (Some(says), Some(offset)) = (clock.says, offset)
        && offset.abs() < 1e9
    {
        clock.reference = says.checked_add(SignedDuration::from_secs_f64(offset)).ok();
    }
    clock
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transcript::command;

    #[test]
    fn clocks_of_several_programs() {
        let date = read(&command("date -u"), "Sun Aug 30 08:00:00 UTC 2020\n").unwrap();
        assert_eq!(date.says.map(|t| t.to_string()).as_deref(), Some("2020-08-30T08:00:00Z"));
        let epoch = read(&command("date +%s"), "1598774400\n").unwrap();
        assert_eq!(epoch.says, date.says);
        let td = by_form(Form::Timedatectl, "   Local time: Wed 2021-11-17 11:11:09 KST\n  Universal time: Wed 2021-11-17 02:11:09 UTC\nSystem clock synchronized: no\n").unwrap();
        assert_eq!(td.says.map(|t| t.to_string()).as_deref(), Some("2021-11-17T02:11:09Z"));
        assert_eq!(td.synchronized, Some(false));
        let chrony = read(&command("chronyc tracking"), "Ref time (UTC)  : Wed Nov 17 02:11:09 2021\nSystem time     : 10.5 seconds slow of NTP time\nLeap status     : Normal\n").unwrap();
        assert_eq!(chrony.reference.map(|t| t.to_string()).as_deref(), Some("2021-11-17T02:11:19.5Z"));
        assert_eq!(read(&command("date"), "date: not found\n"), None);
    }

    proptest::proptest! {
        #[test]
        fn never_panics(text in "\\PC{0,100}|[A-Za-z ]+: [0-9.]{0,30} seconds slow") {
            for line in ["date", "timedatectl", "chronyc tracking"] {
                let _ = read(&command(line), &text);
            }
        }
    }
}
