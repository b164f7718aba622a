//! A path while it is being recorded, along a time that may go back.

use super::{FitError, MAX_SAMPLES, Recorded, fit, trim};
use crate::Interpolation;

/// Shortest time between two samples, in s.
const PERIOD_SECS: f64 = 0.015;
/// A joint that stays within this does not move, in rad or m.
const STILL: f64 = 0.01;

/// Where joints were since a recording began. It holds [`MAX_SAMPLES`]; then it stands still.
#[derive(Clone, Debug, Default)]
pub struct RecordedPath {
    joints: Vec<String>,
    samples: Vec<Recorded>,
}

impl RecordedPath {
    /// Begins to record joints.
    pub fn new(joints: Vec<String>) -> Self {
        Self { joints, samples: Vec::new() }
    }

    /// Returns the joints, in the order of every list of positions.
    pub fn joints(&self) -> &[String] {
        &self.joints
    }

    /// Returns how many samples there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Says whether nothing was recorded.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Returns the time from the first sample to the last, in s.
    pub fn duration_secs(&self) -> f64 {
        let time = |sample: Option<&Recorded>| sample.map_or(0.0, |sample| sample.time_secs);
        time(self.samples.last()) - time(self.samples.first())
    }

    /// Takes where the joints are at a time, unless it took that just before.
    pub fn take(&mut self, time_secs: f64, position: &dyn Fn(&str) -> Option<f64>) {
        let last = self.samples.last().map(|sample| sample.time_secs);
        if last.is_some_and(|last| time_secs < last) {
            // Time went back: what came after this instant did not happen.
            self.samples.retain(|sample| sample.time_secs < time_secs);
        } else if last.is_some_and(|last| time_secs < last + PERIOD_SECS) {
            return;
        }
        let positions: Option<Vec<f64>> = self.joints.iter().map(|joint| position(joint)).collect();
        // An instant at which a joint is not known is none that could be a waypoint.
        let Some(positions) = positions else { return };
        if self.samples.len() < MAX_SAMPLES {
            self.samples.push(Recorded { time_secs, positions });
        }
    }

    /// Returns few samples that stand for all within `tolerance`, in rad or m, without the pauses at
    /// both ends; times begin at 0.
    ///
    /// # Errors
    /// [`FitError::Still`] when nothing moved, and as [`fit`].
    pub fn fitted(
        &self,
        tolerance: f64,
        interpolation: Interpolation,
    ) -> Result<Vec<Recorded>, FitError> {
        let path = self.samples.get(trim(&self.samples, STILL)).unwrap_or_default();
        let [began, _, ..] = path else { return Err(FitError::Still) };
        let kept = fit(path, tolerance, interpolation)?;
        let since = |sample: &Recorded| Recorded {
            time_secs: sample.time_secs - began.time_secs,
            positions: sample.positions.clone(),
        };
        Ok(kept.into_iter().filter_map(|at| path.get(at)).map(since).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A joint that is at its time, in s, times ten.
    fn led(times: &[f64]) -> RecordedPath {
        let mut path = RecordedPath::new(vec!["elbow".to_owned()]);
        for time in times {
            path.take(*time, &|name| (name == "elbow").then_some(time * 10.0));
        }
        path
    }

    #[test]
    fn what_a_jump_back_took_away_is_not_recorded() {
        let path = led(&[1.0, 1.1, 1.105, 1.2, 1.3, 1.15, 1.25]);
        let times: Vec<f64> = path.samples.iter().map(|sample| sample.time_secs).collect();
        assert_eq!(times, [1.0, 1.1, 1.15, 1.25], "1.105 came too soon after 1.1");
        assert!((path.duration_secs() - 0.25).abs() < 1e-12);
    }

    #[test]
    fn a_straight_way_is_two_waypoints_and_begins_at_zero() {
        let times: Vec<f64> = (0..50).map(|step| 3.0 + f64::from(step) * 0.02).collect();
        let fitted = led(&times).fitted(0.02, Interpolation::Linear).unwrap();
        assert_eq!(fitted.len(), 2);
        assert_eq!(fitted[0], Recorded { time_secs: 0.0, positions: vec![30.0] });
        assert!((fitted[1].time_secs - 0.98).abs() < 1e-9);
    }

    #[test]
    fn what_stands_still_or_is_not_known_is_nothing() {
        let mut path = RecordedPath::new(vec!["elbow".to_owned()]);
        assert_eq!(path.fitted(0.02, Interpolation::Monotone), Err(FitError::Still));
        for step in 0..200 {
            path.take(f64::from(step) * 0.02, &|_| Some(0.5));
        }
        assert_eq!(path.fitted(0.02, Interpolation::Monotone), Err(FitError::Still));
        let mut unknown = RecordedPath::new(vec!["wing".to_owned()]);
        unknown.take(0.0, &|_| None);
        assert!(unknown.is_empty());
    }
}
