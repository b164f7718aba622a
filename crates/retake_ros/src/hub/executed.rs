//! What was executed, to be saved as a motion.

use retake_components::JointPosition;
use retake_ecm::Ecm;
use retake_motion::file::{Format, is_plain_name, write};
use retake_motion::{Interpolation, Motion, Tolerance, Waypoint};
use retake_msgs::{FollowJointTrajectoryWithActions, JointTolerance, MotionSaveRequest};
use retake_sim::{Request, Response};
use serde_json::{Value, json};

use super::ServiceReply;
use super::worker::Worker;
use crate::robot::Robot;

/// A trajectory that was followed to its end, with where it began.
pub(super) struct Executed {
    goal: FollowJointTrajectoryWithActions,
    /// Where its joints were when it came.
    began: Vec<f64>,
}

impl Executed {
    pub(super) fn begin(goal: FollowJointTrajectoryWithActions, robot: &Robot, ecm: &Ecm) -> Self {
        let position = |name: &String| {
            let (_, joint) = robot.joints.iter().find(|(known, _)| known == name)?;
            ecm.get::<JointPosition>(*joint)?.0.first().copied()
        };
        let joints = goal.trajectory.iter().flat_map(|trajectory| &trajectory.joint_names);
        let began = joints.map(|joint| position(joint).unwrap_or(0.0)).collect();
        Self { goal, began }
    }

    /// Makes a motion of it: what was asked for, from where the joints were.
    fn motion(&self, name: &str) -> Motion {
        let trajectory = self.goal.trajectory.clone().unwrap_or_default();
        let joints = trajectory.joint_names;
        let waypoint = |point: retake_msgs::JointTrajectoryPoint| Waypoint {
            time_secs: point.time_from_start,
            positions: point.positions,
            velocities: point.velocities,
            accelerations: point.accelerations,
            enabled: true,
            ..Waypoint::default()
        };
        let mut waypoints: Vec<Waypoint> = trajectory.points.into_iter().map(waypoint).collect();
        // A goal goes to its first point from wherever the joints are; a motion says from where.
        if waypoints.first().is_some_and(|first| first.time_secs > 0.0) {
            let first = &waypoints[0];
            let still = |given: &[f64]| vec![0.0; if given.is_empty() { 0 } else { joints.len() }];
            let start = Waypoint {
                positions: self.began.clone(),
                velocities: still(&first.velocities),
                accelerations: still(&first.accelerations),
                enabled: true,
                ..Waypoint::default()
            };
            waypoints.insert(0, start);
        }
        let tolerance = |joint: &String| Tolerance {
            path: of_joint(&self.goal.path_tolerance, joint),
            goal: of_joint(&self.goal.goal_tolerance, joint),
        };
        let goal_time = self.goal.goal_time_tolerance;
        Motion {
            name: name.to_owned(),
            description: "Executed on request of ROS".to_owned(),
            interpolation: Interpolation::Hermite,
            tolerances: joints.iter().map(tolerance).collect(),
            joints,
            goal_time_tolerance_secs: (goal_time != 0.0).then_some(goal_time),
            waypoints,
            ..Motion::default()
        }
    }
}

/// What a goal says of a joint: 0 is the default, negative any distance.
fn of_joint(given: &[JointTolerance], joint: &str) -> Option<f64> {
    let position = given.iter().find(|one| one.name == joint)?.position;
    match position {
        0.0 => None,
        negative if negative < 0.0 => Some(f64::INFINITY),
        other => Some(other),
    }
}

/// Saves what a robot executed last.
pub(super) fn save(worker: &mut Worker, request: &Value, reply: ServiceReply) {
    let word = |name: &str| request[name].as_str().unwrap_or_default().to_owned();
    let refuse = |text: String| Ok(json!({"success": false, "message": text, "file": ""}));
    let (wanted, name) = (word("robot"), word("name"));
    let mut robots = worker.robots.iter();
    let robot = match wanted.as_str() {
        "" if worker.robots.len() == 1 => robots.next(),
        _ => robots.find(|robot| robot.name == wanted || robot.path == wanted),
    };
    let Some(robot) = robot else {
        let known: Vec<&str> = worker.robots.iter().map(|robot| robot.name.as_str()).collect();
        return reply(refuse(format!("No robot {wanted:?}. Known: {}", known.join(", "))));
    };
    let Some(executed) = worker.executed.get(&robot.path) else {
        let text = format!("{} has executed nothing yet. Send it a goal first", robot.name);
        return reply(refuse(text));
    };
    if !is_plain_name(&name) {
        return reply(refuse(format!("{name:?} cannot be the name of a motion")));
    }
    let written = match write(&executed.motion(&name), Format::Native) {
        Ok(written) => written,
        Err(error) => return reply(refuse(error.to_string())),
    };
    let request = MotionSaveRequest {
        robot: robot.path.clone(),
        name,
        text: written.text,
        replace: request["replace"].as_bool().unwrap_or(false),
    };
    worker.ask(
        Request::SaveMotion(request),
        Box::new(move |_, response| {
            reply(Ok(match response {
                Response::MotionSaved(saved) => {
                    json!({"success": saved.ok, "message": saved.message, "file": saved.file})
                }
                other => {
                    json!({"success": false, "message": other.into_reply().message, "file": ""})
                }
            }));
        }),
    );
}
