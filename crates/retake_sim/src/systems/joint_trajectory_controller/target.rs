//! Which point of a trajectory is aimed at.

use retake_math::SimTime;
use retake_msgs::{JointTrajectory, JointTrajectoryPoint};

use super::{Aim, TrajectoryPoint, TrajectoryPoints, TrajectoryState};

/// Greatest number that is taken.
const GREATEST: f64 = 1e9;

impl TrajectoryState {
    /// Aims at the point of this time; returns how much of the trajectory is done when that
    /// changed.
    pub(super) fn advance(&mut self, all: &TrajectoryPoints, now: SimTime) -> Option<f64> {
        let last = all.0.len().checked_sub(1)?;
        let passed_secs = (now - self.start).as_secs_f64();
        if passed_secs < 0.0 {
            return None;
        }
        let before = self.point;
        let mut point = before.unwrap_or(0);
        while point < last && all.0[point].until_secs < passed_secs {
            point += 1;
        }
        if before == Some(point) {
            return None;
        }
        self.point = Some(point);
        for (joint, aim) in &all.0[point].joints {
            if let Some(target) = self.targets.get_mut(*joint) {
                target.aim = *aim;
            }
        }
        Some((point + 1) as f64 / all.0.len() as f64)
    }
}

/// Reads the points of a message for the joints called `names`; others are left alone.
pub(super) fn points_of(
    message: &JointTrajectory,
    names: &[&str],
) -> Result<Vec<TrajectoryPoint>, String> {
    if message.points.len() > TrajectoryPoints::MOST {
        return Err(format!("it has more than {} points", TrajectoryPoints::MOST));
    }
    let known = |name: &String| names.iter().position(|known| known == name);
    let joints: Vec<Option<usize>> = message.joint_names.iter().map(known).collect();
    if joints.iter().all(Option::is_none) {
        return Err(format!("it names none of the joints {}", names.join(", ")));
    }
    message.points.iter().map(|point| point_of(point, &joints)).collect()
}

fn point_of(
    point: &JointTrajectoryPoint,
    joints: &[Option<usize>],
) -> Result<TrajectoryPoint, String> {
    let numbers = [&point.positions, &point.velocities, &point.effort];
    let all = numbers.iter().flat_map(|all| all.iter()).chain([&point.time_from_start]);
    if let Some(wild) = all.copied().find(|number| number.is_nan() || number.abs() > GREATEST) {
        return Err(format!("{wild} is no number within ±{GREATEST:e}"));
    }
    let at = |all: &[f64], index: usize| all.get(index).copied().unwrap_or(0.0);
    let aim = |index: usize| Aim {
        position: at(&point.positions, index),
        velocity: at(&point.velocities, index),
        effort: at(&point.effort, index),
    };
    let ours = joints.iter().enumerate().filter_map(|(index, joint)| Some(((*joint)?, aim(index))));
    Ok(TrajectoryPoint { until_secs: point.time_from_start, joints: ours.collect() })
}
