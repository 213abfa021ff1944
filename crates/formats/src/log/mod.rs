//! Many texts at once: lines of `{"id","text"}`, and whole logs. Constant memory, whatever the input.
//!
//! What one text says is left to `message`.

mod groups;
pub mod jsonl;
mod memory;
mod time;

pub use groups::{Group, Groups};
pub use time::time_of;

/// How much of an input decides whether it is a log; what is longer is one.
pub const SAMPLE: usize = 64 * 1024;

/// Whether a short input is a log: lines with a time of their own, most of them. One pasted error may have a few such
/// lines around it and is read as a whole.
pub fn is_log(input: &str) -> bool {
    let (mut lines, mut timed) = (0_usize, 0_usize);
    for line in input.lines().filter(|l| !l.trim().is_empty()) {
        lines += 1;
        timed += usize::from(!time_of(line).is_empty());
    }
    timed >= 6 && timed * 2 >= lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_error_is_no_log() {
        let describe =
            "Events:\n  Type  Reason  Age\n  Normal  Pulling  6s  kubelet  Pulling image \"a\"\n".repeat(4);
        assert!(!is_log(&describe));
        assert!(!is_log("E0606 13:30:13.436089 7210 x.go:180] failed\nFATA[0000] pulling image: failed"));
        assert!(is_log(&"time=\"2026-11-30T03:00:00Z\" level=info msg=ok\n".repeat(10)));
    }
}
