//! What holds of a list at all times.

use std::collections::BTreeSet;

use super::limits::{MAX_POINTS, MAX_TEXTS_BYTES};
use super::{EditError, ListPoint, WaypointsList};
use crate::Tolerance;
use crate::file::{MAX_ACTIONS, MAX_JOINTS, MAX_NUMBERS, MAX_TEXT_BYTES, is_plain_name};
use crate::player::{FARTHEST, MAX_SECS};

impl WaypointsList {
    /// Checks all that holds of a list at all times, as [`WaypointsList`] tells it.
    ///
    /// # Errors
    /// The first [`EditError`]; never of a list that was made and changed by its own functions.
    pub fn check(&self) -> Result<(), EditError> {
        self.check_amounts()?;
        self.check_texts()?;
        self.check_head()?;
        self.check_joints()?;
        self.points.iter().enumerate().try_for_each(|(at, point)| self.check_point(at, point))?;
        self.check_times()?;
        self.check_actions()?;
        self.check_markers()
    }

    fn check_amounts(&self) -> Result<(), EditError> {
        let most = [
            ("joints", self.joints.len(), MAX_JOINTS),
            ("waypoints", self.points.len(), MAX_POINTS),
            ("numbers", self.points.iter().map(numbers).sum(), MAX_NUMBERS),
            ("text actions", self.actions.len(), MAX_ACTIONS),
            ("bytes in all texts", self.texts().map(str::len).sum(), MAX_TEXTS_BYTES),
        ];
        match most.into_iter().find(|(_, count, most)| count > most) {
            Some((what, count, most)) => Err(EditError::TooMuch { what, count, most }),
            None => Ok(()),
        }
    }

    fn check_texts(&self) -> Result<(), EditError> {
        let mut texts = self.texts().zip(0..);
        let Some((text, at)) = texts.find(|(text, _)| text.len() > MAX_TEXT_BYTES) else {
            return Ok(());
        };
        // The order is that of `texts`.
        let (joints, notes) = (self.joints.len(), self.points.len());
        let what = match at {
            at if at < joints => "the name of a joint".to_owned(),
            at if at < joints + notes => format!("the note of waypoint {}", at - joints + 1),
            at if at == joints + notes => "the description".to_owned(),
            _ => "a text of an action".to_owned(),
        };
        Err(EditError::TooLong { what, bytes: text.len() })
    }

    /// Returns all texts: names of joints, notes, the description, then those of actions.
    fn texts(&self) -> impl Iterator<Item = &str> {
        let joints = self.joints.iter().map(|joint| &joint.name);
        let commands = self.actions.iter().map(|action| &action.command);
        let commands = commands.flat_map(|text| [&text.kind, &text.command, &text.options]);
        let notes = self.points.iter().map(|point| &point.note);
        let texts = joints.chain(notes).chain([&self.description]).chain(commands);
        texts.map(String::as_str)
    }

    /// Returns how much memory it takes, in bytes, about.
    pub(super) fn weight(&self) -> usize {
        const ROW: usize = 128;
        let numbers: usize = self.points.iter().map(numbers).sum();
        let rows = self.points.len() + self.actions.len() + self.joints.len() + 1;
        8 * numbers + ROW * rows + self.texts().map(str::len).sum::<usize>()
    }

    fn check_head(&self) -> Result<(), EditError> {
        if !is_plain_name(&self.name) {
            return Err(EditError::Name { name: shortened(&self.name) });
        }
        let limits =
            [("fastest speed", self.max_velocity), ("hardest acceleration", self.max_acceleration)];
        for (what, value) in limits {
            if let Some(value) = value.filter(|value| !(value.is_finite() && *value > 0.0)) {
                return Err(EditError::Limit { what, value });
            }
        }
        match self.goal_time_tolerance_secs.filter(|secs| !(-MAX_SECS..=MAX_SECS).contains(secs)) {
            Some(secs) => Err(EditError::GoalTime { secs }),
            None => Ok(()),
        }
    }

    fn check_joints(&self) -> Result<(), EditError> {
        let mut seen = BTreeSet::new();
        for joint in &self.joints {
            if joint.name.is_empty() {
                return Err(EditError::NamelessJoint);
            }
            if !seen.insert(joint.name.as_str()) {
                return Err(EditError::DoubleJoint { joint: shortened(&joint.name) });
            }
            let Tolerance { path, goal } = joint.tolerance;
            for (what, value) in [("path", path), ("goal", goal)] {
                if let Some(value) = value.filter(|value| value.is_nan() || *value < 0.0) {
                    let joint = shortened(&joint.name);
                    return Err(EditError::Tolerance { what, joint, value });
                }
            }
        }
        match self.joints.is_empty() && !self.points.is_empty() {
            true => Err(EditError::NoJoints),
            false => Ok(()),
        }
    }

    fn check_point(&self, at: usize, point: &ListPoint) -> Result<(), EditError> {
        let number = at + 1;
        let lists = [
            ("position", &point.positions),
            ("velocity", &point.velocities),
            ("acceleration", &point.accelerations),
        ];
        for (what, list) in lists {
            let left_out = list.is_empty() && what != "position";
            if list.len() != self.joints.len() && !left_out {
                let (count, joints) = (list.len(), self.joints.len());
                return Err(EditError::Size { number, what, count, joints });
            }
            let bad = |(_, value): &(_, &f64)| !(-FARTHEST..=FARTHEST).contains(*value);
            if let Some((joint, value)) = self.joints.iter().zip(list).find(bad) {
                let (joint, value) = (shortened(&joint.name), *value);
                return Err(EditError::Number { what, number, joint, value });
            }
        }
        match (0.0..=MAX_SECS).contains(&point.time_secs) {
            true => Ok(()),
            false => Err(EditError::Time { number, secs: point.time_secs }),
        }
    }

    fn check_times(&self) -> Result<(), EditError> {
        let mut pairs = self.points.windows(2).zip(1..);
        match pairs.find(|(pair, _)| pair[1].time_secs <= pair[0].time_secs) {
            Some((pair, number)) => Err(EditError::Order {
                number,
                secs: pair[0].time_secs,
                next: number + 1,
                next_secs: pair[1].time_secs,
            }),
            None => Ok(()),
        }
    }

    fn check_actions(&self) -> Result<(), EditError> {
        let bad = self.actions.iter().find(|action| !(0.0..=MAX_SECS).contains(&action.time_secs));
        if let Some(action) = bad {
            let (action, secs) = (shortened(&action.command.to_string()), action.time_secs);
            return Err(EditError::ActionTime { action, secs });
        }
        match self.actions.is_sorted_by(|a, b| a.time_secs <= b.time_secs) {
            true => Ok(()),
            false => Err(EditError::ActionOrder),
        }
    }

    fn check_markers(&self) -> Result<(), EditError> {
        let mut counting = self.points.iter().filter(|point| point.enabled);
        let first = counting.next();
        let (Some(first), several) = (first, counting.next().is_some()) else {
            return match (self.start, self.end) {
                (None, None) => Ok(()),
                _ => Err(EditError::Markers),
            };
        };
        let time = |marker: Option<u64>| {
            let point = marker.and_then(|id| self.point(id)).filter(|point| point.enabled);
            point.map(|point| point.time_secs)
        };
        let whole = match (time(self.start), time(self.end)) {
            (Some(start), Some(end)) if several => start < end,
            (Some(start), Some(end)) => start == first.time_secs && start == end,
            _ => false,
        };
        if whole { Ok(()) } else { Err(EditError::Markers) }
    }
}

fn numbers(point: &ListPoint) -> usize {
    point.positions.len() + point.velocities.len() + point.accelerations.len()
}

/// Returns the beginning of a text, for a message.
pub(super) fn shortened(text: &str) -> String {
    crate::file::shortened(text)
}
