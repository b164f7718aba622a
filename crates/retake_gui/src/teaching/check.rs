//! What would go wrong when a draft is played.

use std::time::Duration;

use retake_description::JointLimits as Limits;
use retake_motion::Motion;
use retake_motion::edit::WaypointsList;
use retake_motion::review::{Finding, FindingKind, JointLimits, review};
use retake_msgs::motion_warning::Kind;
use retake_msgs::{MotionCheckRequest, MotionChecked, MotionCollision, MotionWarning, names};
use retake_sim::trajectory_message;
use retake_transport::typed;

use super::robot::SeenRobot;
use super::{Answered, Teaching};

/// How long the server may take to look at the whole way.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Returns what joints of a motion are kept to: their own limits, and those of the draft.
pub(super) fn limits_of(
    motion: &Motion,
    list: &WaypointsList,
    robot: Option<&SeenRobot<'_>>,
) -> Vec<JointLimits> {
    let of_joint = |name: &String| {
        let facts = robot.and_then(|robot| robot.joint(name));
        let Limits { lower, upper, velocity, .. } =
            facts.as_ref().map(|facts| facts.limits).unwrap_or_default();
        let turns = facts.is_some_and(|facts| facts.continuous);
        let infinite = f64::INFINITY;
        JointLimits {
            lower: if turns { -infinite } else { lower },
            upper: if turns { infinite } else { upper },
            max_velocity: list.max_velocity().unwrap_or(infinite).min(velocity),
            max_acceleration: list.max_acceleration().unwrap_or(infinite),
        }
    };
    motion.joints.iter().map(of_joint).collect()
}

/// Returns what is wrong with a draft by its curves alone.
pub(super) fn warnings(list: &WaypointsList, robot: Option<&SeenRobot<'_>>) -> Vec<MotionWarning> {
    let motion = list.to_motion();
    let mut warnings = Vec::new();
    if let Some(robot) = robot {
        for joint in motion.moved_joints().filter(|joint| robot.joint(joint).is_none()) {
            warnings.push(MotionWarning {
                kind: Kind::UnknownJoint.into(),
                joint: joint.to_owned(),
                text: robot.no_joint(joint),
                refused: true,
                ..MotionWarning::default()
            });
        }
    }
    let found = review(&motion, &limits_of(&motion, list, robot));
    warnings.extend(found.iter().filter_map(|finding| warning(finding, &motion, robot)));
    warnings
}

fn warning(
    finding: &Finding,
    motion: &Motion,
    robot: Option<&SeenRobot<'_>>,
) -> Option<MotionWarning> {
    let joint = motion.joints.get(finding.joint)?;
    let unit = robot.and_then(|robot| robot.joint(joint)).map_or("rad", |facts| facts.unit);
    let kind = match finding.kind {
        FindingKind::Position => Kind::Position,
        FindingKind::Velocity => Kind::Velocity,
        FindingKind::Acceleration => Kind::Acceleration,
        FindingKind::Overshoot => Kind::Overshoot,
    };
    Some(MotionWarning {
        kind: kind.into(),
        joint: joint.clone(),
        time: finding.time_secs,
        value: finding.value,
        limit: finding.limit,
        text: finding.text(joint, unit),
        refused: kind == Kind::Position,
    })
}

impl Teaching {
    /// Looks at the whole way, with the server.
    pub(super) fn check(&self, robot: &str) -> Answered {
        let (revision, found) = self.collisions(robot)?;
        let desk_warnings = self.with_desk(robot, |desk| {
            desk.found = Some((revision, found.clone()));
            let view = self.view();
            Ok(warnings(desk.draft.list(), SeenRobot::find(&view.ecm, robot).as_ref()))
        })?;
        self.changed();
        let finding = desk_warnings.into_iter().chain(found).collect();
        Ok(retake_msgs::TeachAnswer { finding, ..Default::default() })
    }

    /// Asks the server where links of the robot would be in one place; tells of which revision.
    pub(super) fn collisions(&self, robot: &str) -> Result<(u64, Vec<MotionWarning>), String> {
        let (revision, stretch, start_secs) = self.with_desk(robot, |desk| {
            let list = desk.draft.list();
            let start = list.points().iter().find(|point| Some(point.id) == list.start());
            let start_secs = start.map_or(0.0, |point| point.time_secs);
            Ok((desk.draft.revision(), list.stretch(), start_secs))
        })?;
        let trajectory = Some(trajectory_message(&stretch.goal()));
        let request = MotionCheckRequest { robot: robot.to_owned(), trajectory };
        let (bus, world) = (self.bus()?, self.view().world.name.clone());
        let checked: MotionChecked =
            typed::call(&*bus, &names::motion_check(&world), &request, TIMEOUT)
                .map_err(|error| error.to_string())?;
        if !checked.ok {
            return Err(checked.message);
        }
        let told = checked.collision.iter().map(|hit| collision(hit, start_secs));
        Ok((revision, told.collect()))
    }
}

fn collision(hit: &MotionCollision, start_secs: f64) -> MotionWarning {
    let at = start_secs + hit.deepest;
    let MotionCollision { first, second, depth, .. } = hit;
    let depth = depth * 1000.0;
    MotionWarning {
        kind: Kind::Collision.into(),
        time: at,
        value: hit.depth,
        text: format!("{first} runs into {second} at {at:.2} s, {depth:.0} mm deep"),
        ..MotionWarning::default()
    }
}
