//! How much of an input is looked at. Every bound that is reached leaves a blind spot.

/// The bounds. The defaults take what clusters of 5,000 nodes and their bundles need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Files and archive members in all.
    pub entries: usize,
    /// Folders below each other, and archives within archives count as one.
    pub depth: usize,
    /// Bytes that all archives of the input may unpack to.
    pub unpacked: u64,
    /// Archives within archives.
    pub nested: usize,
    /// Bytes of one text that are kept; of more, the beginning and the end.
    pub text: usize,
    /// Bytes of all texts that are kept.
    pub texts: usize,
    /// Bytes of one text that are searched for failures.
    pub searched: u64,
    /// Bytes of one Kubernetes object.
    pub object: usize,
    /// Settled pods that are kept in full, for comparison.
    pub settled: usize,
    /// Pods that are kept in all.
    pub pods: usize,
    /// Events that are kept in all.
    pub events: usize,
    /// Objects of other kinds that are kept in all.
    pub others: usize,
    /// Distinct failures that texts may show.
    pub sightings: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            entries: 100_000,
            depth: 40,
            unpacked: 8 << 30,
            nested: 2,
            text: 1 << 20,
            texts: 96 << 20,
            searched: 4 << 30,
            object: 32 << 20,
            settled: 200,
            pods: 200_000,
            events: 400_000,
            others: 5_000,
            sightings: 5_000,
        }
    }
}
