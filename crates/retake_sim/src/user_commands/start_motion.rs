//! Lets a robot play a stored motion or follow a trajectory.

use retake_components::path_of;
use retake_ecm::{Ecm, EntityId};
use retake_motion::player::{Order, Start};
use retake_motion::{ErrorCode, Goal, Refusal};
use retake_msgs::StartMotion;

use super::{Applied, CommandError, numbers};
use crate::systems::motion::{
    MotionGoals, PlayerKind, find_player, find_robot, goal_of_message, operate,
};

/// Fastest that a motion is played, against the taught speed.
const FASTEST: f64 = 10.0;
/// Longest time between two signs of life of a sender, in s; 0 asks for none.
const LONGEST_SILENCE: f64 = 1e6;

pub(super) fn apply(ecm: &mut Ecm, command: &StartMotion) -> Result<Applied, CommandError> {
    let robot = find_robot(ecm, &command.robot)?;
    let is_stored = !command.motion.is_empty();
    let kind = if is_stored { PlayerKind::Stored } else { PlayerKind::Trajectory };
    let (plugin, player) = find_player(ecm, robot, kind)?;
    let message = command.goal.as_ref();
    let message = message.ok_or(CommandError::Missing { field: "start_motion.motion" })?;
    let speed = speed_of(command)?;
    let keep_alive_secs =
        numbers::up_to("start_motion.keep_alive_secs", command.keep_alive_secs, LONGEST_SILENCE)?;
    let goal = read(message, speed)?;
    let nested = command.nested.iter().map(|message| read(message, speed));
    let what = match goal.name.as_str() {
        "" => "a trajectory".to_owned(),
        name => name.to_owned(),
    };
    let goal_id = match command.goal_id.as_str() {
        "" => next_goal_id(ecm, robot),
        given => given.to_owned(),
    };
    let order = Order {
        goal_id,
        player: plugin.raw(),
        rules: player.rules,
        goal,
        nested: nested.collect::<Result<_, _>>()?,
        keep_alive_secs,
    };
    let done = operate(ecm, robot, |cycle| cycle.start(&order));
    let path = path_of(ecm, robot);
    match done {
        Some(Ok(Start::Begun)) => {
            Ok(Applied { description: format!("Play {what} on {path}"), entities: vec![robot] })
        }
        Some(Ok(Start::Later)) => {
            let description = format!("Play {what} on {path} when its time comes");
            Ok(Applied { description, entities: vec![robot] })
        }
        Some(Err(refusal)) => Err(CommandError::Motion { what, robot: path, refusal }),
        None => {
            let text = "what it was doing does not belong to its joints; reset the world";
            let refusal = Refusal::new(ErrorCode::InvalidGoal, text);
            Err(CommandError::Motion { what, robot: path, refusal })
        }
    }
}

/// Makes an id that no goal of the robot has.
fn next_goal_id(ecm: &Ecm, robot: EntityId) -> String {
    format!("goal-{}", ecm.get::<MotionGoals>(robot).map_or(0, |goals| goals.0.taken) + 1)
}

fn speed_of(command: &StartMotion) -> Result<f64, CommandError> {
    match command.speed {
        0.0 => Ok(1.0),
        speed if speed > 0.0 && speed <= FASTEST => Ok(speed),
        value => Err(CommandError::BadNumber {
            field: "start_motion.speed",
            value,
            expected: format!("write a number above 0, at most {FASTEST}"),
        }),
    }
}

fn read(
    message: &retake_msgs::FollowJointTrajectoryWithActions,
    speed: f64,
) -> Result<Goal, CommandError> {
    let goal = goal_of_message(message).map_err(|text| CommandError::Motion {
        what: message.name.clone(),
        robot: "the robot".to_owned(),
        refusal: Refusal::new(ErrorCode::InvalidGoal, text),
    })?;
    Ok(goal.at_speed(speed))
}
