//! Trajectories of ROS as those of the motion players, and back.

use retake_math::SimTime;
use retake_msgs::{
    FollowJointTrajectoryWithActions, JointTolerance, JointTrajectory, JointTrajectoryPoint,
    MotionFeedback,
};
use serde_json::{Value, json};

use crate::clock::{RosClock, RosTime};

/// What people read of a goal that has no name of its own.
const NAME: &str = "trajectory of ROS";

/// Reads the goal of `FollowJointTrajectory`.
///
/// # Errors
/// What it asks for that no player does; all else players check.
pub(super) fn trajectory_goal(
    goal: &Value,
    clock: &RosClock,
) -> Result<FollowJointTrajectoryWithActions, String> {
    let is_empty = |value: &Value| value.as_array().is_none_or(Vec::is_empty);
    if !is_empty(&goal["multi_dof_trajectory"]["points"]) {
        return Err("multi_dof_trajectory has points: joints with one axis are moved".to_owned());
    }
    if !is_empty(&goal["component_path_tolerance"]) || !is_empty(&goal["component_goal_tolerance"])
    {
        return Err("component tolerances are for joints with several axes".to_owned());
    }
    let trajectory = &goal["trajectory"];
    let stamp = RosTime::from_message(&trajectory["header"]["stamp"]);
    let points = list(&trajectory["points"]).iter().map(|point| JointTrajectoryPoint {
        positions: numbers(&point["positions"]),
        velocities: numbers(&point["velocities"]),
        accelerations: numbers(&point["accelerations"]),
        effort: numbers(&point["effort"]),
        time_from_start: secs(&point["time_from_start"]),
    });
    Ok(FollowJointTrajectoryWithActions {
        trajectory: Some(JointTrajectory {
            stamp: (stamp != RosTime::default()).then(|| clock.meant(stamp).into()),
            joint_names: texts(&trajectory["joint_names"]),
            points: points.collect(),
        }),
        path_tolerance: tolerances(&goal["path_tolerance"]),
        goal_tolerance: tolerances(&goal["goal_tolerance"]),
        goal_time_tolerance: secs(&goal["goal_time_tolerance"]),
        name: NAME.to_owned(),
        ..FollowJointTrajectoryWithActions::default()
    })
}

/// Tells how far a goal has come, as the feedback of `FollowJointTrajectory`.
pub(super) fn feedback(message: &MotionFeedback, clock: &RosClock) -> Value {
    let stamp = message.stamp.as_ref().map_or(SimTime::ZERO, SimTime::from);
    let point = |point: Option<&JointTrajectoryPoint>| {
        let point = point.cloned().unwrap_or_default();
        json!({
            "positions": point.positions,
            "velocities": point.velocities,
            "accelerations": point.accelerations,
            "effort": point.effort,
            "time_from_start": duration(point.time_from_start),
        })
    };
    json!({
        "header": {"stamp": clock.told(stamp).message(), "frame_id": ""},
        "joint_names": message.joint_names,
        "desired": point(message.desired.as_ref()),
        "actual": point(message.actual.as_ref()),
        "error": point(message.error.as_ref()),
    })
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn numbers(value: &Value) -> Vec<f64> {
    // What is no number is refused by players, which name the point.
    list(value).iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect()
}

fn texts(value: &Value) -> Vec<String> {
    list(value).iter().map(|text| text.as_str().unwrap_or_default().to_owned()).collect()
}

fn tolerances(value: &Value) -> Vec<JointTolerance> {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let read = |tolerance: &Value| JointTolerance {
        name: tolerance["name"].as_str().unwrap_or_default().to_owned(),
        position: number(&tolerance["position"]),
        velocity: number(&tolerance["velocity"]),
        acceleration: number(&tolerance["acceleration"]),
    };
    list(value).iter().map(read).collect()
}

fn secs(value: &Value) -> f64 {
    let part = |name: &str| value[name].as_f64().unwrap_or(0.0);
    part("sec") + part("nanosec") / 1e9
}

fn duration(secs: f64) -> Value {
    RosTime(SimTime::from_secs_f64(secs).as_nanos()).message()
}
