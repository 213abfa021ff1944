//! What the kernel says of its clock, without asking anybody: whether a time service keeps it, and how far off it may be.
//! Source: adjtimex(2); chronyd, ntpd and systemd-timesyncd all keep these values.

/// What the kernel says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// Whether some service synchronised it within the last hours.
    pub synchronized: bool,
    /// How far off it may be at most, in milliseconds, by the service that keeps it.
    pub error_ms: u64,
}

/// Asks the kernel; `None` where it does not say, and on other systems than Linux.
#[cfg(not(target_os = "linux"))]
pub const fn kernel() -> Option<Kernel> {
    None
}

/// Asks the kernel; `None` where it does not say.
#[cfg(target_os = "linux")]
pub fn kernel() -> Option<Kernel> {
    let (state, timex) = adjtimex()?;
    // TIME_ERROR, and STA_UNSYNC: nobody has said anything for more than 16 seconds of possible error.
    let synchronized = state != libc::TIME_ERROR && timex.status & libc::STA_UNSYNC == 0;
    Some(Kernel { synchronized, error_ms: u64::try_from(timex.maxerror).unwrap_or_default() / 1000 })
}

#[cfg(target_os = "linux")]
#[allow(
    unsafe_code,
    reason = "no library wraps this call; it fills a structure of ours and, with modes 0, changes nothing"
)]
fn adjtimex() -> Option<(i32, libc::timex)> {
    // SAFETY: a timex is numbers only, for which zero is a value; the call gets a valid pointer to one.
    let (state, timex) = unsafe {
        let mut timex: libc::timex = std::mem::zeroed();
        (libc::adjtimex(&raw mut timex), timex)
    };
    (state >= 0).then_some((state, timex))
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_kernel_answers_without_privileges() {
        let said = kernel().unwrap();
        assert!(said.error_ms <= 16_000, "{said:?}: the kernel stops counting there");
    }
}
