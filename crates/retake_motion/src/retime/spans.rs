//! The spans of a motion, and how near its joints are to their limits.
//!
//! A span that changes bends the curve only nearby: of most interpolations a neighbour or two, of
//! those with continuous acceleration all of it, but each knot farther away by half at most. So a
//! change is tried within a window, and the number of waypoints does not count.

use std::ops::RangeInclusive;

use crate::Interpolation;
use crate::curve::slopes::{self, CurveEnd, Path};

/// Knots to each side of a span that a curve of continuous acceleration is solved anew for: beyond
/// them a change is less than 2⁻²⁴ of what it was, and as a rule far less.
const SMOOTH_REACH: usize = 24;

/// A joint that moves.
#[derive(Clone, Debug)]
pub(super) struct Column {
    positions: Vec<f64>,
    max_velocity: f64,
    max_acceleration: f64,
    /// At each knot; zeros of lines.
    velocities: Vec<f64>,
}

impl Column {
    pub(super) fn new(positions: Vec<f64>, max_velocity: f64, max_acceleration: f64) -> Self {
        let velocities = vec![0.0; positions.len()];
        Self { positions, max_velocity, max_acceleration, velocities }
    }

    /// Returns how many times slower it would have to be in a span, whose ends it passes with
    /// velocities unless it goes straight.
    fn load(&self, is_straight: bool, segment: usize, span_secs: f64, ends: [f64; 2]) -> f64 {
        let way = self.positions[segment + 1] - self.positions[segment];
        let mean = way / span_secs;
        if is_straight {
            return mean.abs() / self.max_velocity;
        }
        let [from, to] = ends;
        // The acceleration of a cubic goes evenly from one to the other.
        let first = (6.0 * mean - 4.0 * from - 2.0 * to) / span_secs;
        let last = (4.0 * to + 2.0 * from - 6.0 * mean) / span_secs;
        let mut speed = from.abs().max(to.abs());
        if first * last < 0.0 {
            let turn_secs = span_secs * (first / (first - last));
            speed = speed.max((from + 0.5 * first * turn_secs).abs());
        }
        let change = first.abs().max(last.abs());
        let load = (speed / self.max_velocity).max((change / self.max_acceleration).sqrt());
        if change.is_finite() { load } else { f64::INFINITY }
    }
}

/// The spans between waypoints, with the curves that they make.
#[derive(Clone, Debug)]
pub(super) struct Spans {
    interpolation: Interpolation,
    secs: Vec<f64>,
    columns: Vec<Column>,
    /// Of each span, the joint that was in the way last: it most likely is again.
    blockers: Vec<usize>,
    /// Velocities that a change would bring, of all joints; and its times.
    scratch: Vec<Vec<f64>>,
    times: Vec<f64>,
}

impl Spans {
    pub(super) fn new(interpolation: Interpolation, secs: Vec<f64>, columns: Vec<Column>) -> Self {
        let (blockers, scratch) = (vec![0; secs.len()], vec![Vec::new(); columns.len()]);
        Self { interpolation, secs, columns, blockers, scratch, times: Vec::new() }
    }

    pub(super) fn secs(&self) -> &[f64] {
        &self.secs
    }

    /// Changes all spans, and the curves with them.
    pub(super) fn set(&mut self, secs: &[f64]) {
        self.secs.clear();
        self.secs.extend_from_slice(secs);
        let mut times = vec![0.0];
        for span_secs in secs {
            times.push(times[times.len() - 1] + span_secs);
        }
        for column in &mut self.columns {
            let path = Path { times: &times, positions: &column.positions };
            if let Some(velocities) = slopes::chosen(self.interpolation, path) {
                column.velocities = velocities;
            }
        }
    }

    /// Returns how many times slower each span would have to be, alone and with nothing else bent:
    /// 1 is at a limit, less is within. The joint that is nearest to its limits is noted.
    pub(super) fn loads(&mut self, loads: &mut Vec<f64>) {
        loads.clear();
        let is_straight = self.is_straight();
        for (segment, span_secs) in self.secs.iter().enumerate() {
            let mut load = 0.0;
            for (at, column) in self.columns.iter().enumerate() {
                let ends = [column.velocities[segment], column.velocities[segment + 1]];
                let own = column.load(is_straight, segment, *span_secs, ends);
                if own > load {
                    (load, self.blockers[segment]) = (own, at);
                }
            }
            loads.push(load);
        }
    }

    /// Says whether a span may have another length, within limits times `allowance`.
    pub(super) fn permits(&mut self, segment: usize, secs: f64, allowance: f64) -> bool {
        let window = self.window(segment);
        self.times.clear();
        self.times.push(0.0);
        for at in *window.start()..*window.end() {
            let span_secs = if at == segment { secs } else { self.secs[at] };
            self.times.push(self.times[self.times.len() - 1] + span_secs);
        }
        let first = self.blockers[segment].min(self.columns.len());
        for at in (first..self.columns.len()).chain(0..first) {
            if !self.permits_joint(at, segment, &window, allowance) {
                self.blockers[segment] = at;
                return false;
            }
        }
        true
    }

    /// Changes a span to what [`Spans::permits`] was asked about last.
    pub(super) fn take(&mut self, segment: usize, secs: f64) {
        self.secs[segment] = secs;
        let window = self.window(segment);
        let bent = self.bent(segment);
        for (column, scratch) in self.columns.iter_mut().zip(&self.scratch) {
            if !scratch.is_empty() {
                let from = bent.start() - window.start();
                let to = bent.end() - window.start();
                column.velocities[bent.clone()].copy_from_slice(&scratch[from..=to]);
            }
        }
    }

    /// Returns the spans whose curves change with one.
    pub(super) fn near(&self, segment: usize) -> RangeInclusive<usize> {
        let reach = self.reach();
        segment.saturating_sub(reach)..=(segment + reach).min(self.secs.len() - 1)
    }

    fn is_straight(&self) -> bool {
        matches!(self.interpolation, Interpolation::Linear | Interpolation::Hermite)
    }

    /// Returns how many knots to each side of a span get another velocity when it changes.
    fn reach(&self) -> usize {
        match self.interpolation {
            Interpolation::Linear | Interpolation::Hermite => 0,
            Interpolation::Monotone => 1,
            Interpolation::Akima => 2,
            Interpolation::Natural | Interpolation::Clamped => SMOOTH_REACH,
        }
    }

    /// Returns the knots whose velocities change with a span.
    fn bent(&self, segment: usize) -> RangeInclusive<usize> {
        let (reach, last) = (self.reach().max(1), self.secs.len());
        (segment + 1).saturating_sub(reach)..=(segment + reach).min(last)
    }

    /// Returns the knots from which these velocities follow.
    fn window(&self, segment: usize) -> RangeInclusive<usize> {
        let more = match self.interpolation {
            Interpolation::Natural | Interpolation::Clamped => 1,
            _ => 2,
        };
        let (bent, last) = (self.bent(segment), self.secs.len());
        bent.start().saturating_sub(more)..=(bent.end() + more).min(last)
    }

    fn permits_joint(
        &mut self,
        at: usize,
        segment: usize,
        window: &RangeInclusive<usize>,
        allowance: f64,
    ) -> bool {
        let (start, end) = (*window.start(), *window.end());
        let column = &self.columns[at];
        let path = Path { times: &self.times, positions: &column.positions[start..=end] };
        let fresh = self.velocities_within(column, path, start, end);
        let bent = self.bent(segment);
        let velocity = |knot: usize| match (&fresh, bent.contains(&knot)) {
            (Some(fresh), true) => fresh[knot - start],
            _ => column.velocities[knot],
        };
        let permits = self.near(segment).all(|near| {
            let span_secs = self.times[near + 1 - start] - self.times[near - start];
            let ends = [velocity(near), velocity(near + 1)];
            column.load(self.is_straight(), near, span_secs, ends) <= allowance
        });
        if permits {
            self.scratch[at] = fresh.unwrap_or_default();
        }
        permits
    }

    /// Returns the velocities that follow from the knots of a window, none of lines.
    fn velocities_within(
        &self,
        column: &Column,
        path: Path<'_>,
        start: usize,
        end: usize,
    ) -> Option<Vec<f64>> {
        let of_ends = match self.interpolation {
            Interpolation::Natural => CurveEnd::Natural,
            Interpolation::Clamped => CurveEnd::Moving(0.0),
            _ => return slopes::chosen(self.interpolation, path),
        };
        let first = if start == 0 { of_ends } else { CurveEnd::Moving(column.velocities[start]) };
        let is_end = end == self.secs.len();
        let last = if is_end { of_ends } else { CurveEnd::Moving(column.velocities[end]) };
        Some(slopes::continuous_acceleration(path, [first, last]))
    }
}
