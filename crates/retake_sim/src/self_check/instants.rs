//! When to look at a trajectory: often where it moves fast, seldom where it stands.

use retake_motion::curve::{CurveSet, Sample};

/// How far a joint may turn between two looks, in rad.
pub(super) const STEP_RAD: f64 = 0.02;
/// How far a joint may slide between two looks, in m.
pub(super) const STEP_M: f64 = 0.005;
/// Looks at most; a way that would need more is looked at more coarsely.
pub(super) const MAX_INSTANTS: usize = 20_000;
/// Pieces that the way between two points is measured in: a curve can go there and back.
const PIECES: usize = 8;

/// A way of joints.
pub(super) struct Way<'a> {
    curves: &'a CurveSet,
    /// How far each joint may go between two looks.
    steps: Vec<f64>,
}

impl<'a> Way<'a> {
    /// Takes curves of joints, and which of them slide.
    pub(super) fn new(curves: &'a CurveSet, linear: Vec<bool>) -> Self {
        let step = |is_linear| if is_linear { STEP_M } else { STEP_RAD };
        Self { curves, steps: linear.into_iter().map(step).collect() }
    }

    /// Returns when to look, from the first of `times` to the last, and how many times farther than
    /// wanted joints go between two looks, if they do.
    pub(super) fn instants(&self, times: &[f64]) -> (Vec<f64>, Option<f64>) {
        let pieces = self.pieces(times);
        let ways = pieces.windows(2).map(|piece| self.way(&self.at(piece[0]), &self.at(piece[1])));
        let mut factor = (ways.sum::<f64>() / MAX_INSTANTS as f64).max(1.0);
        loop {
            match self.looks(&pieces, factor) {
                Some(looks) => return (looks, (factor > 1.0).then_some(factor)),
                // At most as often as it takes for one step to go beyond all numbers.
                None => factor *= 1.5,
            }
        }
    }

    /// Cuts the way at its points and in between.
    fn pieces(&self, times: &[f64]) -> Vec<f64> {
        let pieces = (MAX_INSTANTS / times.len().max(1)).clamp(1, PIECES);
        let between = times.windows(2).flat_map(|span| {
            let (from, to) = (span[0], span[1]);
            (0..pieces).map(move |piece| from + (to - from) * piece as f64 / pieces as f64)
        });
        between.chain(times.last().copied()).collect()
    }

    /// Returns when to look when steps are `factor` times as long; none when that is too often.
    fn looks(&self, pieces: &[f64], factor: f64) -> Option<Vec<f64>> {
        let mut looks: Vec<f64> = pieces.first().copied().into_iter().collect();
        for piece in pieces.windows(2) {
            let (from, to) = (piece[0], piece[1]);
            let way = self.way(&self.at(from), &self.at(to)) / factor;
            // More often than needed, since the speed is not the same all along the piece.
            let parts = (4.0 * way).ceil().max(1.0);
            if parts > 4.0 * MAX_INSTANTS as f64 {
                return None;
            }
            for part in 1..=parts as usize {
                let time = from + (to - from) * (part as f64 / parts);
                // Left out while the next one would do.
                if self.way(&self.at(*looks.last()?), &self.at(time)) > 0.5 * factor {
                    self.look_up_to(time, factor, &mut looks);
                }
                if looks.len() > MAX_INSTANTS {
                    return None;
                }
            }
        }
        if let Some(end) = pieces.last().filter(|end| looks.last() != Some(end)) {
            looks.push(*end);
        }
        Some(looks)
    }

    /// Looks at a time, and in between as often as joints go too far since the last look.
    fn look_up_to(&self, time: f64, factor: f64, looks: &mut Vec<f64>) {
        let mut ahead = vec![time];
        while let (Some(next), Some(last)) = (ahead.last().copied(), looks.last().copied()) {
            let middle = last + (next - last) * 0.5;
            let is_too_far = self.way(&self.at(last), &self.at(next)) > factor;
            // Two times that have none between them are as close as can be.
            if is_too_far && last < middle && middle < next && looks.len() <= MAX_INSTANTS {
                ahead.push(middle);
            } else {
                ahead.pop();
                looks.push(next);
            }
        }
    }

    fn at(&self, time: f64) -> Vec<Sample> {
        let mut samples = vec![Sample::default(); self.curves.len()];
        self.curves.sample_all(time, &mut samples);
        samples
    }

    /// How many steps the joint that moves farthest makes between two places.
    fn way(&self, from: &[Sample], to: &[Sample]) -> f64 {
        let ways = from.iter().zip(to).zip(&self.steps);
        ways.map(|((a, b), step)| (b.position - a.position).abs() / step).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use retake_motion::Interpolation;
    use retake_motion::curve::Knots;

    use super::*;

    fn curves(interpolation: Interpolation, times: &[f64], joints: &[&[f64]]) -> CurveSet {
        let knots = joints.iter().map(|positions| Knots {
            positions,
            velocities: &[],
            accelerations: &[],
            stepwise: false,
        });
        let knots: Vec<Knots<'_>> = knots.collect();
        CurveSet::new(interpolation, times, &knots).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn no_joint_goes_farther_than_a_step_between_two_looks(
            spans in prop::collection::vec(0.01..5.0f64, 1..6),
            turns in prop::collection::vec(-3.0..3.0f64, 7),
            slides in prop::collection::vec(-0.2..0.2f64, 7),
            way in 0..5usize,
        ) {
            check_looks(Interpolation::ALL[way].0, &spans, &turns, &slides)?;
        }
    }

    /// Checks that no joint goes farther between two looks than promised, and that only a way that
    /// is truly long is looked at more coarsely.
    fn check_looks(
        interpolation: Interpolation,
        spans: &[f64],
        turns: &[f64],
        slides: &[f64],
    ) -> Result<(), TestCaseError> {
        let starts = std::iter::once(&0.0).chain(spans);
        let times: Vec<f64> = starts
            .scan(0.5, |at, span| {
                *at += span;
                Some(*at)
            })
            .collect();
        let curves =
            curves(interpolation, &times, &[&turns[..times.len()], &slides[..times.len()]]);
        let way = Way::new(&curves, vec![false, true]);
        let (looks, coarser) = way.instants(&times);
        prop_assert_eq!((looks.first(), looks.last()), (times.first(), times.last()));
        prop_assert!(looks.len() <= MAX_INSTANTS + 1, "{} looks", looks.len());
        for pair in looks.windows(2) {
            prop_assert!(pair[0] < pair[1]);
            let steps = way.way(&way.at(pair[0]), &way.at(pair[1]));
            let most = coarser.unwrap_or(1.0);
            prop_assert!(steps <= most, "{} steps from {} to {}", steps, pair[0], pair[1]);
        }
        let length = length(&way, &times);
        prop_assert!(
            coarser.is_none() || length > MAX_INSTANTS as f64 / 4.0,
            "{length} steps in all are looked at {coarser:?} times more coarsely"
        );
        Ok(())
    }

    /// Measures the whole way, in steps, by small pieces.
    fn length(way: &Way<'_>, times: &[f64]) -> f64 {
        let fine = |span: &[f64]| {
            let (from, to) = (span[0], span[1]);
            let at = move |piece: u32| from + (to - from) * f64::from(piece) / 1000.0;
            (0..1000).map(|piece| way.way(&way.at(at(piece)), &way.at(at(piece + 1)))).sum::<f64>()
        };
        times.windows(2).map(fine).sum()
    }

    #[test]
    fn a_spline_that_swings_far_beyond_its_points_is_looked_at_more_coarsely() {
        let turns = [2.641_236_498_816_426_5, 0.0, 0.0];
        let spans = [0.01, 2.361_087_794_340_581_2];
        check_looks(Interpolation::ALL[2].0, &spans, &turns, &[0.0; 3]).unwrap();
    }

    #[test]
    fn a_point_is_one_look_and_standing_two() {
        let one = curves(Interpolation::Monotone, &[2.0], &[&[1.0]]);
        assert_eq!(Way::new(&one, vec![false]).instants(&[2.0]), (vec![2.0], None));
        let times = [2.0, 60.0];
        let still = curves(Interpolation::Monotone, &times, &[&[1.0, 1.0]]);
        assert_eq!(Way::new(&still, vec![false]).instants(&times), (times.to_vec(), None));
    }

    #[test]
    fn a_way_beyond_all_measure_has_an_end() {
        for far in [1e4, 1e9, 1e300] {
            let times = [0.0, 1.0, 2.0];
            let long = curves(Interpolation::Linear, &times, &[&[0.0, far, -far]]);
            let (looks, coarser) = Way::new(&long, vec![false]).instants(&times);
            assert!(looks.len() <= MAX_INSTANTS + 1, "{}", looks.len());
            assert!(looks.len() > MAX_INSTANTS / 4, "{}", looks.len());
            assert!(coarser.unwrap() > 1.0);
        }
    }
}
