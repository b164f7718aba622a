//! When waypoints and actions are.

use std::collections::BTreeMap;

use crate::edit::limits::{FASTEST, SLOWEST};
use crate::edit::{EditError, WaypointsList};

impl WaypointsList {
    pub(super) fn set_time(&mut self, id: u64, time_secs: f64) -> Result<(), EditError> {
        self.point_mut(id)?.time_secs = time_secs;
        Ok(())
    }

    pub(super) fn move_points(&mut self, ids: &[u64], by_secs: f64) -> Result<(), EditError> {
        let moved = self.known_points(ids, "move")?;
        if !by_secs.is_finite() {
            return Err(EditError::Shift { secs: by_secs });
        }
        let moved = self.points.iter_mut().filter(|point| moved.contains(&point.id));
        moved.for_each(|point| point.time_secs += by_secs);
        Ok(())
    }

    pub(super) fn scale_speed(&mut self, factor: f64) -> Result<(), EditError> {
        if !(SLOWEST..=FASTEST).contains(&factor) {
            return Err(EditError::Speed { speed: factor });
        }
        for point in &mut self.points {
            point.time_secs /= factor;
            point.velocities.iter_mut().for_each(|velocity| *velocity *= factor);
            point.accelerations.iter_mut().for_each(|value| *value *= factor * factor);
        }
        self.actions.iter_mut().for_each(|action| action.time_secs /= factor);
        Ok(())
    }

    pub(super) fn reverse(&mut self) -> Result<(), EditError> {
        let points = self.points.iter().map(|point| point.time_secs);
        let times = points.chain(self.actions.iter().map(|action| action.time_secs));
        // Actions count too, so that those outside of the waypoints stay as far outside.
        let (first, last) = times
            .fold((f64::INFINITY, 0.0), |(first, last), time| (time.min(first), time.max(last)));
        // The ends meet exactly, whatever is rounded in between.
        let mirrored = |time: f64| match time == first {
            true => last,
            false => (first + (last - time)).min(last),
        };
        for point in &mut self.points {
            point.time_secs = mirrored(point.time_secs);
            point.velocities.iter_mut().for_each(|velocity| *velocity = -*velocity);
        }
        self.actions.iter_mut().for_each(|action| action.time_secs = mirrored(action.time_secs));
        self.points.reverse();
        self.actions.reverse();
        std::mem::swap(&mut self.start, &mut self.end);
        Ok(())
    }

    pub(super) fn set_times(&mut self, times: &[(u64, f64)]) -> Result<(), EditError> {
        let ids: Vec<u64> = times.iter().map(|(id, _)| *id).collect();
        self.known_points(&ids, "retime")?;
        let times: BTreeMap<u64, f64> = times.iter().copied().collect();
        let named = |id: u64, was: f64| times.get(&id).map(|time| (was, *time));
        let knots = self.points.iter().filter_map(|point| named(point.id, point.time_secs));
        let knots: Vec<(f64, f64)> = knots.collect();
        for point in &mut self.points {
            // A named one is exactly where it is told to be.
            let moved = times.get(&point.id).copied();
            point.time_secs = moved.unwrap_or_else(|| moved_along(&knots, point.time_secs));
        }
        for action in &mut self.actions {
            action.time_secs = moved_along(&knots, action.time_secs);
        }
        self.sort_actions();
        Ok(())
    }
}

/// Returns when something is that moves along with waypoints whose old and new times are `knots`.
fn moved_along(knots: &[(f64, f64)], time: f64) -> f64 {
    let after = knots.partition_point(|(was, _)| *was <= time);
    let before = after.checked_sub(1).map(|at| knots[at]);
    match (before, knots.get(after)) {
        (None, _) => time,
        (Some((was, is)), None) => is + (time - was),
        (Some((was, is)), Some((next_was, next_is))) => {
            is + (time - was) / (next_was - was) * (next_is - is)
        }
    }
}
