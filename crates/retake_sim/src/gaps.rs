//! Samples that readers miss: never without a word, and not a word for each.

use std::time::{Duration, Instant};

/// Clients are told of gaps at most this often.
const TELL_PERIOD: Duration = Duration::from_secs(5);

/// Counts samples that were left out until it is told.
#[derive(Default)]
pub(crate) struct Gaps {
    left_out: u64,
    told: Option<Instant>,
}

impl Gaps {
    pub(crate) fn add(&mut self, left_out: u64) {
        self.left_out = self.left_out.saturating_add(left_out);
    }

    /// Returns what clients should hear now.
    pub(crate) fn tell(&mut self, now: Instant) -> Option<String> {
        let is_due = |told: Instant| now.saturating_duration_since(told) >= TELL_PERIOD;
        if self.left_out == 0 || !self.told.is_none_or(is_due) {
            return None;
        }
        self.told = Some(now);
        let left_out = std::mem::take(&mut self.left_out);
        Some(format!(
            "{left_out} samples of watched values were left out, and curves have gaps: they come \
             faster than they can be sent. Watch fewer values, or fewer times a second"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_told_with_their_number_and_not_all_the_time() {
        let (mut gaps, start) = (Gaps::default(), Instant::now());
        assert_eq!(gaps.tell(start), None);
        gaps.add(3);
        assert!(gaps.tell(start).unwrap().starts_with("3 samples of watched values"));
        gaps.add(4);
        assert_eq!(gaps.tell(start + TELL_PERIOD / 2), None);
        gaps.add(5);
        assert!(gaps.tell(start + TELL_PERIOD).unwrap().starts_with("9 samples"));
        assert_eq!(gaps.tell(start + 3 * TELL_PERIOD), None);
    }
}
