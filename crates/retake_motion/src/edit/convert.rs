//! From a motion to a list and back.

use super::check::shortened;
use super::{EditError, ListAction, ListJoint, ListPoint, WaypointsList};
use crate::{KeptJoint, Motion, TimedAction, Tolerance, Waypoint};

impl WaypointsList {
    /// Makes the list of a motion: first the joints that move, then, muted, those that are kept.
    /// All of it is played: markers are at the first and the last waypoint that count.
    ///
    /// # Errors
    /// [`EditError`] when it is not whole, or beyond what is played.
    pub fn from_motion(motion: &Motion) -> Result<Self, EditError> {
        let tolerances =
            motion.tolerances.iter().copied().chain(std::iter::repeat(Tolerance::default()));
        let moved = motion.joints.iter().zip(tolerances).map(|(name, tolerance)| {
            let name = name.clone();
            ListJoint { name, tolerance, muted: false }
        });
        let kept = motion.kept.iter().map(|KeptJoint { name, tolerance }| {
            let (name, tolerance) = (name.clone(), *tolerance);
            ListJoint { name, tolerance, muted: true }
        });
        let mut list = Self {
            description: motion.description.clone(),
            interpolation: motion.interpolation,
            goal_time_tolerance_secs: motion.goal_time_tolerance_secs,
            joints: moved.chain(kept).collect(),
            ..Self::without_joints(motion.name.clone())
        };
        for (number, waypoint) in (1..).zip(&motion.waypoints) {
            let sizes = (waypoint.positions.len(), waypoint.kept.len());
            if sizes != (motion.joints.len(), motion.kept.len()) {
                let (count, joints) = (sizes.0 + sizes.1, list.joints.len());
                return Err(EditError::Size { number, what: "position", count, joints });
            }
            let id = list.fresh_id();
            list.points.push(point(id, waypoint));
        }
        for action in &motion.actions {
            let id = list.fresh_id();
            let (time_secs, command) = (action.time_secs, action.command.clone());
            list.actions.push(ListAction { id, time_secs, command });
        }
        list.sort_actions();
        list.mark_all();
        list.check()?;
        Ok(list)
    }

    /// Makes the motion that is saved: all waypoints, whatever is marked, and the positions of muted
    /// joints kept. Derivatives of muted joints, markers and limits are not part of a motion.
    pub fn to_motion(&self) -> Motion {
        let waypoint = |point: &ListPoint| Waypoint {
            time_secs: point.time_secs,
            positions: self.of_joints(&point.positions, false),
            velocities: self.of_joints(&point.velocities, false),
            accelerations: self.of_joints(&point.accelerations, false),
            enabled: point.enabled,
            note: point.note.clone(),
            kept: self.of_joints(&point.positions, true),
        };
        let kept = self
            .joints
            .iter()
            .filter(|joint| joint.muted)
            .map(|joint| KeptJoint { name: joint.name.clone(), tolerance: joint.tolerance });
        Motion {
            waypoints: self.points.iter().map(waypoint).collect(),
            actions: self.actions.iter().map(timed).collect(),
            kept: kept.collect(),
            ..self.empty_motion()
        }
    }

    /// Makes the motion of what moves, without waypoints and actions.
    pub(super) fn empty_motion(&self) -> Motion {
        let moved = || self.joints.iter().filter(|joint| !joint.muted);
        Motion {
            name: self.name.clone(),
            description: self.description.clone(),
            interpolation: self.interpolation,
            joints: moved().map(|joint| joint.name.clone()).collect(),
            tolerances: moved().map(|joint| joint.tolerance).collect(),
            goal_time_tolerance_secs: self.goal_time_tolerance_secs,
            ..Motion::default()
        }
    }

    /// Returns the numbers of those joints that are muted, or of those that are not.
    pub(super) fn of_joints(&self, numbers: &[f64], muted: bool) -> Vec<f64> {
        let pairs = self.joints.iter().zip(numbers).filter(|(joint, _)| joint.muted == muted);
        pairs.map(|(_, number)| *number).collect()
    }

    /// Gives all waypoints and actions ids after `last_id`.
    pub(super) fn renumber(&mut self, last_id: u64) {
        self.last_id += last_id;
        self.points.iter_mut().for_each(|point| point.id += last_id);
        self.actions.iter_mut().for_each(|action| action.id += last_id);
        self.start = self.start.map(|id| id + last_id);
        self.end = self.end.map(|id| id + last_id);
    }

    pub(super) fn sort_actions(&mut self) {
        self.actions.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
    }

    /// Returns the column of a joint.
    pub(super) fn known_column(&self, joint: &str) -> Result<usize, EditError> {
        self.column(joint).ok_or_else(|| EditError::NoSuchJoint { joint: shortened(joint) })
    }
}

pub(super) fn timed(action: &ListAction) -> TimedAction {
    TimedAction { time_secs: action.time_secs, command: action.command.clone() }
}

fn point(id: u64, waypoint: &Waypoint) -> ListPoint {
    let Waypoint { time_secs, positions, velocities, accelerations, enabled, note, kept } =
        waypoint;
    // A kept joint has no derivatives; at rest is what it is, should it move one day.
    let derived = |list: &Vec<f64>| match list.is_empty() {
        true => Vec::new(),
        false => list.iter().copied().chain(kept.iter().map(|_| 0.0)).collect(),
    };
    ListPoint {
        id,
        time_secs: *time_secs,
        positions: positions.iter().chain(kept).copied().collect(),
        velocities: derived(velocities),
        accelerations: derived(accelerations),
        enabled: *enabled,
        note: note.clone(),
    }
}
