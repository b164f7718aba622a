//! Choosing knots.
//!
//! All segments that are off get a knot in the same round, so that the whole recording is compared a
//! few dozen times, however long it is. Whether a knot is needless is seen in a window around it,
//! because the curve changes only there; what windows leave out is found by comparing all once more.

use std::ops::RangeInclusive;

use super::Recorded;
use crate::Interpolation;
use crate::curve::slopes::{self, Path};

/// Rounds in which segments that are off get the sample that is farthest off; later ones give them
/// their middle as well, so that they get short soon.
const PATIENT_ROUNDS: usize = 40;
/// How often all knots are looked at for needless ones.
const DROPPING_ROUNDS: usize = 8;
/// How many knots in a row are tried to be dropped at once.
const LONGEST_RUN: usize = 8;
/// How many parts the way between two neighbours is cut into when one knot is to stand for both.
const PLACES: usize = 4;
/// Standing at least so long makes edges, in s.
const STANDSTILL_SECS: f64 = 0.25;
/// What of the tolerance counts, so that others who compute the curve find it kept.
const KEPT: f64 = 1.0 - 1e-9;

/// A recording, joint by joint.
pub(super) struct Recording {
    interpolation: Interpolation,
    tolerance: f64,
    times: Vec<f64>,
    columns: Vec<Vec<f64>>,
}

impl Recording {
    pub(super) fn new(path: &[Recorded], tolerance: f64, interpolation: Interpolation) -> Self {
        let joints = path.first().map_or(0, |first| first.positions.len());
        let column = |joint: usize| path.iter().map(|sample| sample.positions[joint]).collect();
        Self {
            interpolation,
            tolerance: tolerance * KEPT,
            times: path.iter().map(|sample| sample.time_secs).collect(),
            columns: (0..joints).map(column).collect(),
        }
    }

    pub(super) fn fit(&self) -> Vec<usize> {
        let edges = self.edges();
        let mut turns: Vec<usize> = self
            .columns
            .iter()
            .flat_map(|column| self.turns(column))
            .chain(edges.clone())
            .collect();
        sort(&mut turns);
        let (few, other) = (self.fit_from(edges), self.fit_from(turns));
        if other.len() < few.len() { other } else { few }
    }

    /// Adds knots that are missing, and drops those that are needless then.
    fn fit_from(&self, knots: Vec<usize>) -> Vec<usize> {
        let mut fewer = self.refine(knots);
        for _ in 0..DROPPING_ROUNDS {
            let before = fewer.len();
            fewer = self.join_neighbours(&self.drop_needless(&fewer));
            if fewer.len() == before {
                break;
            }
        }
        self.refine(fewer)
    }

    /// Returns both ends and where all joints begin or cease to stand.
    fn edges(&self) -> Vec<usize> {
        let last = self.times.len() - 1;
        let mut edges = vec![0];
        let mut from = 0;
        while from < last {
            let stands = |to: &usize| {
                let near =
                    |column: &Vec<f64>| (column[*to] - column[from]).abs() <= 0.5 * self.tolerance;
                self.columns.iter().all(near)
            };
            let to = (from + 1..=last).take_while(stands).last().unwrap_or(from);
            if self.times[to] - self.times[from] >= STANDSTILL_SECS {
                edges.extend([from, to]);
            }
            // Half of what stands together is gone over again: a bound for long recordings.
            from += ((to - from) / 2).max(1);
        }
        edges.push(last);
        sort(&mut edges);
        edges
    }

    /// Returns where a joint turns back, by more than what may be a tremor.
    fn turns(&self, column: &[f64]) -> Vec<usize> {
        let (mut turns, mut extreme, mut rising) = (Vec::new(), 0, None);
        for (at, position) in column.iter().enumerate() {
            let way = position - column[extreme];
            let goes_on = rising.is_some_and(|rising| (way > 0.0) == rising);
            let is_far = way.abs() > 2.0 * self.tolerance;
            if is_far && !goes_on {
                turns.extend(rising.map(|_| extreme));
                rising = Some(way > 0.0);
            }
            if is_far || goes_on {
                extreme = at;
            }
        }
        turns
    }

    /// Adds knots until the curve is within the tolerance everywhere.
    fn refine(&self, mut knots: Vec<usize>) -> Vec<usize> {
        // Every round adds at least one.
        for round in 0..self.times.len() {
            let worst = self.worst(&knots);
            let mut more: Vec<usize> = worst.iter().flatten().copied().collect();
            if more.is_empty() {
                break;
            }
            if round >= PATIENT_ROUNDS {
                let off = worst.iter().zip(knots.windows(2)).filter(|(worst, _)| worst.is_some());
                more.extend(off.map(|(_, pair)| usize::midpoint(pair[0], pair[1])));
            }
            knots.extend(more);
            sort(&mut knots);
        }
        knots
    }

    /// Returns of each segment the sample that is farthest off, if one is beyond the tolerance.
    fn worst(&self, knots: &[usize]) -> Vec<Option<usize>> {
        let mut worst = vec![(self.tolerance, None); knots.len() - 1];
        for column in &self.columns {
            let curve = self.curve(column, knots);
            for (segment, (most, at)) in worst.iter_mut().enumerate() {
                let inner = knots[segment] + 1..knots[segment + 1];
                for sample in inner {
                    let error = curve.error(segment, sample);
                    if error > *most {
                        (*most, *at) = (error, Some(sample));
                    }
                }
            }
        }
        worst.into_iter().map(|(_, at)| at).collect()
    }

    /// Leaves out knots without which the curve is still within the tolerance.
    fn drop_needless(&self, knots: &[usize]) -> Vec<usize> {
        let mut kept = vec![knots[0]];
        let (mut at, last) = (1, knots.len() - 1);
        while at < last {
            // Some are needed only because of others that are not.
            let mut runs = (1..=LONGEST_RUN.min(last - at)).rev();
            let needless = runs.find(|run| self.can_replace(&kept, None, &knots[at + run..]));
            kept.extend(needless.is_none().then_some(knots[at]));
            at += needless.unwrap_or(1);
        }
        kept.extend((last > 0).then_some(knots[last]));
        kept
    }

    /// Puts one knot in the place of two neighbours where that is enough.
    fn join_neighbours(&self, knots: &[usize]) -> Vec<usize> {
        let mut kept = vec![knots[0]];
        let (mut at, last) = (1, knots.len() - 1);
        while at <= last {
            let one = (at + 1 < last).then(|| self.instead(&kept, &knots[at..])).flatten();
            kept.push(one.unwrap_or(knots[at]));
            at += if one.is_some() { 2 } else { 1 };
        }
        kept
    }

    /// Returns a sample between the next two knots that can stand for both.
    fn instead(&self, kept: &[usize], rest: &[usize]) -> Option<usize> {
        let (from, to) = (rest[0], rest[1]);
        let mut between = (1..PLACES).map(|place| from + (to - from) * place / PLACES);
        between.find(|&one| one > from && one < to && self.can_replace(kept, Some(one), &rest[2..]))
    }

    /// Says whether a knot, or none, is enough between knots that are kept before and after it.
    fn can_replace(&self, kept: &[usize], one: Option<usize>, rest: &[usize]) -> bool {
        let (reach, more) = match self.interpolation {
            Interpolation::Linear | Interpolation::Hermite => (0, 1),
            Interpolation::Monotone => (1, 2),
            Interpolation::Akima => (2, 3),
            Interpolation::Natural | Interpolation::Clamped => (7, 13),
        };
        let before = kept.len().saturating_sub(reach + more);
        let after = rest.len().min(reach + more);
        let mut window = kept[before..].to_vec();
        let changed = window.len() - 1..=window.len() - 1 + usize::from(one.is_some());
        window.extend(one);
        window.extend(&rest[..after]);
        self.is_near(&window, changed, reach)
    }

    /// Says whether the curve through some knots is within the tolerance in segments that changed
    /// and in some to each side of them.
    fn is_near(&self, knots: &[usize], changed: RangeInclusive<usize>, reach: usize) -> bool {
        let last = knots.len() - 2;
        let around = changed.start().saturating_sub(reach)..=(changed.end() + reach).min(last);
        self.columns.iter().all(|column| {
            let curve = self.curve(column, knots);
            let holds = |segment: usize| {
                let mut inner = knots[segment] + 1..knots[segment + 1];
                inner.all(|sample| curve.error(segment, sample) <= self.tolerance)
            };
            // Where a knot is left out it most likely shows.
            changed.clone().all(holds)
                && around.clone().all(|other| changed.contains(&other) || holds(other))
        })
    }

    fn curve<'a>(&'a self, column: &'a [f64], knots: &'a [usize]) -> Curve<'a> {
        let times: Vec<f64> = knots.iter().map(|knot| self.times[*knot]).collect();
        let positions: Vec<f64> = knots.iter().map(|knot| column[*knot]).collect();
        let path = Path { times: &times, positions: &positions };
        let velocities = slopes::chosen(self.interpolation, path);
        Curve { times: &self.times, column, knots, velocities }
    }
}

fn sort(knots: &mut Vec<usize>) {
    knots.sort_unstable();
    knots.dedup();
}

/// The curve of a joint through some of its samples.
struct Curve<'a> {
    times: &'a [f64],
    column: &'a [f64],
    knots: &'a [usize],
    /// At the knots; none of lines.
    velocities: Option<Vec<f64>>,
}

impl Curve<'_> {
    /// Returns how far it is from a sample within a segment; what is no number is infinitely far.
    fn error(&self, segment: usize, sample: usize) -> f64 {
        let (from, to) = (self.knots[segment], self.knots[segment + 1]);
        let span_secs = self.times[to] - self.times[from];
        let share = (self.times[sample] - self.times[from]) / span_secs;
        let (start, end) = (self.column[from], self.column[to]);
        let position = match &self.velocities {
            None => start + share * (end - start),
            Some(velocities) => {
                let leaves = velocities[segment] * span_secs;
                let arrives = velocities[segment + 1] * span_secs;
                let square = 3.0 * (end - start) - 2.0 * leaves - arrives;
                let cube = leaves + arrives - 2.0 * (end - start);
                start + share * (leaves + share * (square + share * cube))
            }
        };
        let error = (position - self.column[sample]).abs();
        if error.is_nan() { f64::INFINITY } else { error }
    }
}
