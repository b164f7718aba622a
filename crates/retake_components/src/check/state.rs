//! Whether what follows from edits can be simulated: velocities, rest poses, states of joints.

use retake_description::bounds::{self, Bound};
use retake_ecm::Component;
use retake_math::Pose;

use super::{Edit, EditError};
use crate::{
    BodyTwist, JointCommand, JointEffort, JointPosition, JointSpec, JointVelocity, LocalPose,
    RestPose,
};

pub(super) fn check(edit: &Edit<'_>, changed: &[String]) -> Result<(), EditError> {
    let differs = |name: &str| changed.iter().any(|changed| changed == name);
    let (ecm, entity) = (edit.after, edit.entity);
    if let Some(pose) = ecm.get::<LocalPose>(entity).filter(|_| differs(LocalPose::NAME)) {
        check_pose(edit, LocalPose::NAME, &pose.0)?;
    }
    if let Some(pose) = ecm.get::<RestPose>(entity).filter(|_| differs(RestPose::NAME)) {
        check_pose(edit, RestPose::NAME, &pose.0)?;
    }
    if let Some(twist) = ecm.get::<BodyTwist>(entity).filter(|_| differs(BodyTwist::NAME)) {
        let numbers = [twist.0.linear.to_array(), twist.0.angular.to_array()].concat();
        check_numbers(edit, BodyTwist::NAME, &numbers, &bounds::SPEED)?;
    }
    let of_joint = [
        JointSpec::NAME,
        JointPosition::NAME,
        JointVelocity::NAME,
        JointEffort::NAME,
        JointCommand::NAME,
    ];
    match of_joint.iter().any(|name| differs(name)) {
        true => check_axes(edit),
        false => Ok(()),
    }
}

/// How far the length of a quaternion may be from one.
const UNIT_TOLERANCE: f64 = 1e-6;

fn check_pose(edit: &Edit<'_>, component: &str, pose: &Pose) -> Result<(), EditError> {
    check_numbers(edit, component, &pose.position.to_array(), &bounds::COORDINATE_M)?;
    let length = pose.rotation.length();
    match (length - 1.0).abs() <= UNIT_TOLERANCE {
        true => Ok(()),
        false => {
            let field = format!("{component}, length of the rotation,");
            Err(edit.value(field, length, "it must be 1"))
        }
    }
}

/// A joint has one position, velocity, effort and command for each axis of its kind.
fn check_axes(edit: &Edit<'_>) -> Result<(), EditError> {
    let (ecm, entity) = (edit.after, edit.entity);
    let Some(spec) = ecm.get::<JointSpec>(entity) else { return Ok(()) };
    let count = spec.kind.axis_count();
    let positions = ecm.get::<JointPosition>(entity).map(|all| all.0.as_slice());
    let velocities = ecm.get::<JointVelocity>(entity).map(|all| all.0.as_slice());
    let efforts = ecm.get::<JointEffort>(entity).map(|all| all.0.as_slice());
    let commands = ecm.get::<JointCommand>(entity).map(|all| all.0.as_slice()).unwrap_or_default();
    let (positions, velocities, efforts) = (
        positions.unwrap_or_default(),
        velocities.unwrap_or_default(),
        efforts.unwrap_or_default(),
    );
    let lengths = [
        (JointSpec::NAME, spec.axes.len()),
        (JointPosition::NAME, positions.len()),
        (JointVelocity::NAME, velocities.len()),
        (JointEffort::NAME, efforts.len()),
        (JointCommand::NAME, commands.len()),
    ];
    if let Some((name, given)) = lengths.iter().find(|(_, given)| *given != count) {
        let expected = format!("a {} joint has {count} axes", spec.kind.name());
        return Err(edit.value(*name, format!("given for {given} axes"), expected));
    }
    check_numbers(edit, JointPosition::NAME, positions, &bounds::JOINT_POSITION)?;
    check_numbers(edit, JointVelocity::NAME, velocities, &bounds::SPEED)?;
    check_numbers(edit, JointEffort::NAME, efforts, &bounds::EFFORT)?;
    match commands.iter().all(crate::AxisCommand::is_valid) {
        true => Ok(()),
        false => {
            let expected = "gains and efforts must be numbers that are not negative";
            Err(edit.value(JointCommand::NAME, "not usable", expected))
        }
    }
}

fn check_numbers(
    edit: &Edit<'_>,
    component: &str,
    numbers: &[f64],
    bound: &Bound,
) -> Result<(), EditError> {
    match numbers.iter().find(|number| !bound.contains(**number)) {
        Some(number) => Err(edit.value(component, number, format!("it must be {}", bound.words))),
        None => Ok(()),
    }
}
