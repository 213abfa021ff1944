//! Names that somebody looked up by hand and whose answer was kept: every `dig`, `nslookup`, `getent` of the Snapshot.

use crate::case::Case;
use crate::lines::output_at;
use facts::CommandOutput;
use formats::transcript::resolver::{self, Lookup};
use report::{Evidence, Say};

/// One lookup and what came back.
#[derive(Clone, Debug)]
pub struct LookedUp<'a> {
    /// The output that holds it.
    pub output: &'a CommandOutput,
    /// What was asked and answered.
    pub lookup: Lookup,
}

impl LookedUp<'_> {
    /// The lookup as evidence; the quote is its addresses, or the beginning of its answer.
    pub fn shows(&self, says: Say) -> Evidence {
        let o = self.output;
        let addresses: Vec<String> = self.lookup.addresses.iter().take(4).map(ToString::to_string).collect();
        let first = o.text.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or_default();
        Evidence {
            at: output_at(o, o.origin.line),
            says,
            quote: if addresses.is_empty() { first.chars().take(200).collect() } else { addresses.join(" ") },
        }
    }
}

impl<'a> Case<'a> {
    /// Every lookup, in the order of the Snapshot.
    pub fn lookups(&self) -> &[LookedUp<'a>] {
        self.lookups.get_or_init(|| {
            let all = self.snapshot.outputs.iter();
            all.filter_map(|output| {
                Some(LookedUp { output, lookup: resolver::read(&output.command, &output.text)? })
            })
            .collect()
        })
    }
}
