//! What scripts can do.

use retake_components::{AxisCommand, Kind, path_of, top_level_model};
use retake_math::Twist;
use retake_msgs::names;
use retake_script::Value;
use retake_transport::Name;

use super::host::{Args, Effect, WorldHost};
use super::messages::message_of;
use super::reads::{joint_and_axis, link_of, named_or_holder};
use crate::OutMessage;
use crate::systems::VelocityCommand;

type Answer = Result<Vec<Value>, String>;

/// Longest name of a number that is shown.
const MAX_ITEM_NAME: usize = 64;

/// `api.set_effort(joint, effort [, axis])`.
pub(super) fn set_effort(host: &mut WorldHost, args: &[Value]) -> Answer {
    let effort = Args(args).number(1, "effort")?;
    drive(host, args, 2, AxisCommand::Effort { effort })
}

/// `api.set_joint_velocity(joint, velocity [, max_effort [, axis]])`.
pub(super) fn set_joint_velocity(host: &mut WorldHost, args: &[Value]) -> Answer {
    let target = Args(args).number(1, "velocity")?;
    let max_effort = max_effort(args, 2)?;
    drive(host, args, 3, AxisCommand::Velocity { target, max_effort })
}

/// `api.set_position(joint, position, stiffness, damping [, max_effort [, axis]])`.
pub(super) fn set_position(host: &mut WorldHost, args: &[Value]) -> Answer {
    let command = AxisCommand::Position {
        target: Args(args).number(1, "position")?,
        stiffness: Args(args).number(2, "stiffness")?,
        damping: Args(args).number(3, "damping")?,
        max_effort: max_effort(args, 4)?,
    };
    drive(host, args, 5, command)
}

/// `api.free(joint [, axis])`.
pub(super) fn free(host: &mut WorldHost, args: &[Value]) -> Answer {
    drive(host, args, 1, AxisCommand::Free)
}

fn max_effort(args: &[Value], at: usize) -> Result<f64, String> {
    match args.get(at) {
        None | Some(Value::Nil) => Ok(f64::INFINITY),
        Some(_) => Args(args).number(at, "max_effort"),
    }
}

fn drive(host: &mut WorldHost, args: &[Value], axis_at: usize, command: AxisCommand) -> Answer {
    let (joint, axis) = joint_and_axis(host, args, axis_at)?;
    if !command.is_valid() {
        return Err("stiffness, damping and max_effort must not be negative".to_owned());
    }
    host.want(Effect::Drive { joint, axis, command })
}

/// `api.push(link, fx, fy, fz [, tx, ty, tz])`: at its centre of mass, in world axes, for one step.
pub(super) fn push(host: &mut WorldHost, args: &[Value]) -> Answer {
    let entity = named_or_holder(host, args)?;
    let link = link_of(&host.ecm, entity)?;
    let force = Args(args).vector_or_zero(1, "force")?;
    let torque = Args(args).vector_or_zero(4, "torque")?;
    host.want(Effect::Push { link, force, torque })
}

/// `api.set_velocity(link, x, y, z [, wx, wy, wz])`: at once, in world axes.
pub(super) fn set_velocity(host: &mut WorldHost, args: &[Value]) -> Answer {
    let entity = named_or_holder(host, args)?;
    let link = link_of(&host.ecm, entity)?;
    let linear = Args(args).vector_or_zero(1, "velocity")?;
    let angular = Args(args).vector_or_zero(4, "angular velocity")?;
    host.want(Effect::Move { link, twist: Twist { linear, angular } })
}

/// `api.drive(linear, angular [, model])`: tells the drive of a vehicle how fast to go.
pub(super) fn drive_vehicle(host: &mut WorldHost, args: &[Value]) -> Answer {
    let linear = Args(args).number(0, "linear")?;
    let angular = Args(args).number(1, "angular")?;
    let model = match Args(args).text_or_nothing(2, "model")? {
        Some(name) => host.find(name)?,
        None => top_level_model(&host.ecm, host.holder)
            .ok_or("the script is not on a model; name the one to drive")?,
    };
    if host.ecm.get::<Kind>(model) != Some(&Kind::Model) {
        return Err(format!("{:?} is no model", path_of(&host.ecm, model)));
    }
    let command = VelocityCommand { linear, angular };
    match command.is_valid() {
        true => host.want(Effect::Steer { model, command }),
        false => Err("nothing drives that fast".to_owned()),
    }
}

/// `api.publish(topic, type, message)`.
pub(super) fn publish(host: &mut WorldHost, args: &[Value]) -> Answer {
    let topic = Args(args).text(0, "topic")?;
    Name::new(topic).map_err(|error| error.to_string())?;
    if names::is_of_server(topic) {
        return Err(format!("{topic:?} is where the server speaks; write one as /arm/error"));
    }
    let (type_name, bytes) = message_of(Args(args).text(1, "type")?, args.get(2))?;
    host.want(Effect::Publish(OutMessage::encoded(topic.to_owned(), type_name, bytes)))
}

/// `api.show(name, number)`: a number that can be watched and plotted.
pub(super) fn show(host: &mut WorldHost, args: &[Value]) -> Answer {
    let name = Args(args).text(0, "name")?;
    let usable = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    if name.is_empty() || name.len() > MAX_ITEM_NAME || !name.chars().all(usable) {
        return Err(format!("{name:?} is no name; use letters, digits, _ - and ."));
    }
    // What cannot be drawn is told as it is: a gap in the curve.
    let number = match args.get(1) {
        Some(Value::Number(number)) => *number,
        _ => Args(args).number(1, "number")?,
    };
    host.want(Effect::Show { name: name.to_owned(), number })
}
