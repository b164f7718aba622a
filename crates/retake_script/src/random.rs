//! Random numbers whose state is one number of the memory.

/// Draws the next 64 bits: SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Returns a number from 0 up to but not including 1.
pub(crate) fn uniform(state: &mut u64) -> f64 {
    (next(state) >> 11) as f64 / (1u64 << 53) as f64
}

/// Returns a whole number from `low` to `high`, both included.
pub(crate) fn between(state: &mut u64, low: i64, high: i64) -> i64 {
    // Wide enough for every pair; the part that does not divide evenly is below 2^-64 of it.
    let count = (i128::from(high) - i128::from(low) + 1) as u128;
    let scaled = (u128::from(next(state)) * count) >> 64;
    low.wrapping_add(scaled as i64)
}
