//! New waypoints.

use std::collections::BTreeMap;

use crate::edit::check::shortened;
use crate::edit::limits::MAX_POINTS;
use crate::edit::{EditError, ListPoint, Pasted, Pose, WaypointsList};
use crate::motion::is_support;

/// How long the way to a waypoint is that is added after the last, in s.
const STEP_SECS: f64 = 1.0;

impl WaypointsList {
    /// Returns where a pose has the joints of the list. A pose is that of a robot and has no weights
    /// on limbs: those are as in `carried`, or none.
    pub(super) fn positions_of(
        &self,
        pose: &[(String, f64)],
        carried: Option<&[f64]>,
    ) -> Result<Vec<f64>, EditError> {
        let known: BTreeMap<&str, f64> =
            pose.iter().rev().map(|(joint, position)| (joint.as_str(), *position)).collect();
        let position = |(column, joint): (usize, &str)| match known.get(joint) {
            Some(position) => Ok(*position),
            None if is_support(joint) => Ok(carried.map_or(0.0, |carried| carried[column])),
            None => Err(EditError::MissingJoint { joint: shortened(joint) }),
        };
        let names = self.joints.iter().map(|joint| joint.name.as_str());
        names.enumerate().map(position).collect()
    }

    fn next_secs(&self) -> f64 {
        self.points.last().map_or(0.0, |last| last.time_secs + STEP_SECS)
    }

    pub(super) fn add_point(
        &mut self,
        time_secs: Option<f64>,
        pose: &[(String, f64)],
    ) -> Result<Vec<u64>, EditError> {
        let time_secs = time_secs.unwrap_or(self.next_secs());
        let before = self.points.iter().rfind(|point| point.time_secs < time_secs);
        let positions = self.positions_of(pose, before.map(|point| point.positions.as_slice()))?;
        let point = ListPoint { time_secs, positions, enabled: true, ..ListPoint::default() };
        self.insert(vec![point])
    }

    pub(super) fn append_points(&mut self, path: &[(f64, Pose)]) -> Result<Vec<u64>, EditError> {
        let Some((first, _)) = path.first() else {
            return Err(EditError::Nothing { what: "append" });
        };
        self.check_room(path.len())?;
        let begin = self.next_secs();
        let last = self.points.last().map(|point| point.positions.clone());
        let point = |(time, pose): &(f64, Pose)| {
            let positions = self.positions_of(pose, last.as_deref())?;
            let time_secs = begin + (time - first);
            Ok(ListPoint { time_secs, positions, enabled: true, ..ListPoint::default() })
        };
        let points = path.iter().map(point).collect::<Result<_, EditError>>()?;
        self.insert(points)
    }

    pub(super) fn paste(
        &mut self,
        joints: &[String],
        pasted: &[Pasted],
        at_secs: f64,
    ) -> Result<Vec<u64>, EditError> {
        let Some(first) = pasted.first() else {
            return Err(EditError::Nothing { what: "paste" });
        };
        self.check_room(pasted.len())?;
        let given: BTreeMap<&str, usize> =
            joints.iter().enumerate().rev().map(|(at, joint)| (joint.as_str(), at)).collect();
        let column = |joint: &str| {
            let column = given.get(joint).copied();
            column.ok_or_else(|| EditError::MissingJoint { joint: shortened(joint) })
        };
        let names = self.joints.iter().map(|joint| joint.name.as_str());
        let columns: Vec<usize> = names.map(column).collect::<Result<_, _>>()?;
        let mut points = Vec::new();
        for (number, copy) in (1..).zip(pasted) {
            check_sizes(number, copy, joints.len())?;
            let picked = |list: &Vec<f64>| match list.is_empty() {
                true => Vec::new(),
                false => columns.iter().map(|column| list[*column]).collect(),
            };
            points.push(ListPoint {
                id: 0,
                time_secs: at_secs + (copy.time_secs - first.time_secs),
                positions: picked(&copy.positions),
                velocities: picked(&copy.velocities),
                accelerations: picked(&copy.accelerations),
                enabled: copy.enabled,
                note: copy.note.clone(),
            });
        }
        self.insert(points)
    }

    /// Refuses more waypoints than fit before anything is made of them.
    fn check_room(&self, more: usize) -> Result<(), EditError> {
        let count = self.points.len().saturating_add(more);
        match count <= MAX_POINTS {
            true => Ok(()),
            false => Err(EditError::TooMuch { what: "waypoints", count, most: MAX_POINTS }),
        }
    }

    /// Puts waypoints in where their times say, and returns the ids that they get.
    fn insert(&mut self, points: Vec<ListPoint>) -> Result<Vec<u64>, EditError> {
        let marked = self.marked();
        for point in &points {
            let secs = point.time_secs;
            let at = self.points.partition_point(|other| other.time_secs < secs);
            if self.points.get(at).is_some_and(|other| other.time_secs == secs) {
                return Err(EditError::Taken { number: at + 1, secs });
            }
        }
        let first_id = self.last_id + 1;
        for mut point in points {
            point.id = self.fresh_id();
            self.points.push(point);
        }
        // New ones that are not in the order of time among themselves are put in it.
        self.points.sort_by(|a, b| a.time_secs.total_cmp(&b.time_secs));
        self.remark(&marked);
        let ids = self.points.iter().map(|point| point.id);
        Ok(ids.filter(|id| *id >= first_id).collect())
    }
}

fn check_sizes(number: usize, copy: &Pasted, joints: usize) -> Result<(), EditError> {
    let lists = [
        ("position", &copy.positions),
        ("velocity", &copy.velocities),
        ("acceleration", &copy.accelerations),
    ];
    let bad = |(what, list): &(&str, &Vec<f64>)| {
        list.len() != joints && !(list.is_empty() && *what != "position")
    };
    match lists.into_iter().find(bad) {
        Some((what, list)) => {
            let count = list.len();
            Err(EditError::CopySize { number, what, count, joints })
        }
        None => Ok(()),
    }
}
