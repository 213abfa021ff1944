//! How seldom a byte stands in logs.

/// By how often lines of logs have them, the most frequent first; what is not here is rarest.
const FREQUENT: &[u8] = b" etaoinsrdlcumpfgh-:./\"0123456789wbvykxjqz";

const RARITY: [u8; 256] = {
    let mut rarity = [FREQUENT.len() as u8; 256];
    let mut n = 0;
    while n < FREQUENT.len() {
        rarity[FREQUENT[n] as usize] = n as u8;
        n += 1;
    }
    rarity
};

/// The larger the rarer; of letters, the small ones are asked for.
pub(crate) fn rarity(byte: u8) -> u32 {
    u32::from(RARITY[usize::from(byte)])
}
