//! What a probe saw on its way to one image, rung by rung, whether or not anything failed.

use crate::{Rung, RungState};
use vocabulary::Phase;

/// One climb from one vantage to one host, and the climbs to other hosts that it needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Climb {
    /// Who climbed, from where.
    pub vantage: String,
    /// The image that it was for, verbatim.
    pub image: String,
    /// What was asked for.
    pub url: String,
    /// Which request it served.
    pub phase: Phase,
    /// The rungs, those not reached included.
    pub rungs: Vec<Rung>,
    /// The words of the rung that failed.
    pub error: Option<String>,
    /// The token service, the blob store: hosts of their own.
    pub branches: Vec<Climb>,
}

impl Climb {
    /// Whether every rung held: the pull would work from there.
    pub fn holds(&self) -> bool {
        self.rungs.iter().all(|r| !matches!(r.state, RungState::Failed | RungState::NotReached))
    }
}
