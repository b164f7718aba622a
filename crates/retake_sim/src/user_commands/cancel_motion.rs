//! Ends motions of a robot.

use retake_components::path_of;
use retake_ecm::Ecm;
use retake_motion::{ErrorCode, Refusal};
use retake_msgs::CancelMotion;

use super::{Applied, CommandError};
use crate::systems::motion::{find_robot, operate};

pub(super) fn apply(ecm: &mut Ecm, command: &CancelMotion) -> Result<Applied, CommandError> {
    let robot = find_robot(ecm, &command.robot)?;
    let done = operate(ecm, robot, |cycle| {
        let ended = cycle.cancel(&command.goal_id);
        if command.release {
            cycle.release();
        }
        ended
    });
    let ended = done.unwrap_or_default();
    let path = path_of(ecm, robot);
    if ended == 0 && !command.goal_id.is_empty() {
        let text = format!("no goal {:?} is being followed", command.goal_id);
        let refusal = Refusal::new(ErrorCode::InvalidGoal, text);
        return Err(CommandError::Motion { what: "cancelling".to_owned(), robot: path, refusal });
    }
    let verb = if command.release { "Stop and release" } else { "Stop" };
    Ok(Applied { description: format!("{verb} {path}"), entities: vec![robot] })
}
