//! Random numbers whose state is plain data.

use serde::{Deserialize, Serialize};

/// A generator that can be stored in a component: SplitMix64.
///
/// Small on purpose: its whole state is one number, so that a keyframe brings it back exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    /// Starts a generator from the world's seed and a stream number that sets users apart.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mut start = Self { state: seed };
        Self { state: start.next() ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15) }
    }

    /// Returns its whole state, for a generator of another kind to begin with.
    pub(crate) fn bits(&self) -> u64 {
        self.state
    }

    /// Returns a number from the standard normal distribution.
    pub(crate) fn normal(&mut self) -> f64 {
        // Box and Muller; the first uniform number is kept away from zero for the logarithm.
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// Returns a number from 0 up to but not including 1.
    fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_numbers_have_the_right_mean_and_spread() {
        let mut random = Random::new(1, 2);
        let all: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        let variance = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / all.len() as f64;
        // Four standard errors of the mean and of the variance of 20,000 samples.
        assert!(mean.abs() < 4.0 / 20_000f64.sqrt(), "{mean}");
        assert!((variance - 1.0).abs() < 4.0 * (2.0 / 20_000f64).sqrt(), "{variance}");
    }

    #[test]
    fn seeds_and_streams_differ() {
        let first = |seed, stream| Random::new(seed, stream).normal();
        assert_ne!(first(1, 1), first(2, 1));
        assert_ne!(first(1, 1), first(1, 2));
        assert_eq!(first(1, 1), first(1, 1));
    }
}
