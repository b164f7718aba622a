//! Makes the motions of a robot faster or slower while they run.

use retake_components::path_of;
use retake_ecm::Ecm;
use retake_motion::player::FASTEST;
use retake_msgs::SetMotionSpeed;

use super::{Applied, CommandError};
use crate::systems::motion::{find_robot, operate};

pub(super) fn apply(ecm: &mut Ecm, command: &SetMotionSpeed) -> Result<Applied, CommandError> {
    let robot = find_robot(ecm, &command.robot)?;
    let path = path_of(ecm, robot);
    if !(0.0..=FASTEST).contains(&command.factor) {
        let expected = format!("write a number from 0 to {FASTEST}");
        let (field, value) = ("set_motion_speed.factor", command.factor);
        return Err(CommandError::BadNumber { field, value, expected });
    }
    let done = operate(ecm, robot, |cycle| cycle.set_speed(command.factor));
    match done.unwrap_or(Ok(())) {
        Ok(()) => {
            let description = format!("Set the motion speed of {path} to {}", command.factor);
            Ok(Applied { description, entities: vec![robot] })
        }
        Err(refusal) => {
            Err(CommandError::Motion { what: "the speed".to_owned(), robot: path, refusal })
        }
    }
}
