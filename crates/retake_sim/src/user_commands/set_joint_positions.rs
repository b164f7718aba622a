//! Puts several joints of a robot somewhere at once.

use retake_components::{JointPosition, JointVelocity, path_of};
use retake_ecm::{Ecm, EntityId};
use retake_motion::curve::Sample;
use retake_msgs::SetJointPositions;

use super::set_joint_position::{axis_of, check_limits};
use super::{Applied, CommandError, numbers};
use crate::systems::motion::{PlayerDriven, hand_over, with_joints};

pub(super) fn apply(ecm: &mut Ecm, command: &SetJointPositions) -> Result<Applied, CommandError> {
    let model = retake_components::resolve(ecm, &command.robot)?;
    if command.name.len() != command.position.len() || command.name.is_empty() {
        return Err(CommandError::BadNumber {
            field: "set_joint_positions.position",
            value: command.position.len() as f64,
            expected: format!(
                "give one for each of {} joints, and at least one",
                command.name.len()
            ),
        });
    }
    let scope = path_of(ecm, model);
    let mut joints: Vec<(EntityId, f64)> = Vec::new();
    for (name, position) in command.name.iter().zip(&command.position) {
        let joint = retake_components::resolve(ecm, &format!("{scope}::{name}"))?;
        let axis = axis_of(ecm, joint, 0, "set_joint_positions.name")?;
        let position = numbers::finite("set_joint_positions.position", *position)?;
        check_limits(ecm, joint, axis, position)?;
        joints.push((joint, position));
    }
    for &(joint, position) in &joints {
        if let Some(positions) = ecm.get_mut::<JointPosition>(joint) {
            positions.0[0] = position;
        }
        if let Some(velocities) = ecm.get_mut::<JointVelocity>(joint) {
            velocities.0[0] = 0.0;
        }
    }
    let entities: Vec<EntityId> = joints.iter().map(|(joint, _)| *joint).collect();
    // Whoever drives them is to leave them there.
    with_joints(ecm, &entities, |cycle, places| cycle.hold_at(places));
    for &(joint, position) in &joints {
        if ecm.get::<PlayerDriven>(joint).is_none() {
            hand_over(ecm, joint, Sample { position, velocity: 0.0, acceleration: 0.0 });
        }
    }
    let description = format!("Set {} joints of {scope}", entities.len());
    Ok(Applied { description, entities })
}
