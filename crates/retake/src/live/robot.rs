//! `retake robot …`

use std::time::Duration;

use anyhow::bail;
use retake_msgs::motion_result::State;
use retake_msgs::{
    MotionCancel, MotionGoal, MotionResult, RealRobot, RobotArm, RobotCommand as Command,
    RobotList, RobotListRequest, RobotReply, SetTorque, TextCommand, motion_goal, names,
    robot_command,
};
use serde_json::{Value, json};

use super::motion::trajectory;
use crate::cli::{RobotCommand, SendArgs, Switch};
use crate::link::Link;
use crate::output::{Outcome, Printer, printable, write_table};

/// How often is looked whether a goal is over.
const LOOK: Duration = Duration::from_millis(50);

pub(super) fn run(
    command: &RobotCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    match command {
        RobotCommand::List => list(link, printer)?,
        RobotCommand::State { robot } => state(robot.as_deref(), link, printer)?,
        RobotCommand::Arm { robot } => arm(robot.as_ref(), true, link, printer)?,
        RobotCommand::Disarm { robot } => arm(robot.as_ref(), false, link, printer)?,
        RobotCommand::Play { motion, send } => {
            let text = TextCommand {
                r#type: names::PLAYS_MOTION.to_owned(),
                command: motion.clone(),
                options: String::new(),
            };
            return follow(motion_goal::What::Text(text), send, link, printer);
        }
        RobotCommand::Goal { file, send } => {
            let goal = motion_goal::What::Trajectory(trajectory(file)?);
            return follow(goal, send, link, printer);
        }
        RobotCommand::Stop { robot } => {
            let cancel = robot_command::Command::Cancel(MotionCancel::default());
            let reply = command_robot(robot.as_ref(), cancel, link)?;
            print_reply(&reply, printer)?;
        }
        RobotCommand::Torque { switch, joints, robot } => {
            let on = *switch == Switch::On;
            let torque = SetTorque { robot: String::new(), joint: joints.clone(), on };
            let torque = robot_command::Command::Torque(torque);
            let reply = command_robot(robot.as_ref(), torque, link)?;
            print_reply(&reply, printer)?;
        }
    }
    Ok(Outcome::Done)
}

fn robots(link: &mut dyn Link) -> anyhow::Result<Vec<RealRobot>> {
    let listed: RobotList = link.call(&names::robot_list(&link.world()), &RobotListRequest {})?;
    Ok(listed.robot)
}

fn list(link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let robots = robots(link)?;
    let value: Vec<Value> = robots.iter().map(as_json).collect();
    let row = |robot: &RealRobot| {
        let connected = if robot.connected { "connected" } else { "not connected" };
        let armed = if robot.armed { "armed" } else { "not armed" };
        let words = [&robot.robot, &robot.address, connected, armed, &robot.state];
        words.map(str::to_owned).to_vec()
    };
    printer.print(&value, |out| write_table(out, &robots.iter().map(row).collect::<Vec<_>>()))
}

/// Finds a robot by name; without one, the only one.
fn find(name: Option<&str>, robots: Vec<RealRobot>) -> anyhow::Result<RealRobot> {
    let known: Vec<String> = robots.iter().map(|robot| robot.robot.clone()).collect();
    let mut fitting = robots.into_iter().filter(|robot| name.is_none_or(|n| n == robot.robot));
    match (fitting.next(), fitting.next(), name) {
        (Some(only), None, _) => Ok(only),
        (None, ..) if known.is_empty() => {
            bail!(
                "This server knows no real robot. Start it with: --robot MODEL=retake:WORLD/MODEL"
            )
        }
        (None, _, Some(name)) => bail!("No real robot for {name:?}. Known: {}", known.join(", ")),
        _ => bail!("Say which robot: {}", known.join(", ")),
    }
}

fn state(name: Option<&str>, link: &mut dyn Link, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let robot = find(name, robots(link)?)?;
    printer.print(&as_json(&robot), |out| {
        writeln!(out, "{} at {}", printable(&robot.robot), printable(&robot.address))?;
        writeln!(out, "{}", printable(&robot.state))?;
        let joints = robot.joints.unwrap_or_default();
        let rows: Vec<Vec<String>> = joints
            .name
            .iter()
            .zip(&joints.position)
            .map(|(name, position)| vec![format!("  {name}"), format!("{position:.4}")])
            .collect();
        write_table(out, &rows)
    })
}

fn arm(
    robot: Option<&String>,
    arm: bool,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<()> {
    let robot = robot.cloned().unwrap_or_default();
    let request = RobotArm { robot, arm, author: link.author() };
    let reply: RobotReply = link.call(&names::robot_arm(&link.world()), &request)?;
    print_reply(&accepted(reply)?, printer)
}

fn command_robot(
    robot: Option<&String>,
    command: robot_command::Command,
    link: &mut dyn Link,
) -> anyhow::Result<RobotReply> {
    let request = Command {
        robot: robot.cloned().unwrap_or_default(),
        author: link.author(),
        command: Some(command),
    };
    accepted(link.call(&names::robot_command(&link.world()), &request)?)
}

/// Sends a goal, and waits for its end unless told otherwise.
fn follow(
    what: motion_goal::What,
    send: &SendArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let goal_id = uuid::Uuid::now_v7().to_string();
    let goal = MotionGoal {
        robot: String::new(),
        goal_id: goal_id.clone(),
        what: Some(what),
        speed: send.speed,
        keep_alive_secs: send.keep_alive,
    };
    let reply =
        command_robot(send.robot.as_ref(), robot_command::Command::Goal(Box::new(goal)), link)?;
    if send.no_wait {
        let value = json!({ "message": reply.message, "goal_id": goal_id });
        printer.print(&value, |out| writeln!(out, "{}", printable(&reply.message)))?;
        return Ok(Outcome::Done);
    }
    let result = wait(&goal_id, send.robot.as_deref(), link)?;
    let done = result.state() == State::Succeeded;
    let text = match done {
        true => format!("{} is done", printable(&result.motion)),
        false => printable(&format!("{} ended: {}", result.motion, result.error_string)),
    };
    printer.print(&result_as_json(&result), |out| writeln!(out, "{text}"))?;
    Ok(if done { Outcome::Done } else { Outcome::Failed })
}

/// Waits until a goal is over.
fn wait(goal_id: &str, robot: Option<&str>, link: &mut dyn Link) -> anyhow::Result<MotionResult> {
    loop {
        let robot = find(robot, robots(link)?)?;
        if let Some(result) = robot.ended.iter().rfind(|ended| ended.goal_id == goal_id) {
            return Ok(result.clone());
        }
        if robot.goal_id != goal_id {
            bail!("What became of the goal is not known. The robot: {}", robot.state);
        }
        std::thread::sleep(LOOK);
    }
}

fn accepted(reply: RobotReply) -> anyhow::Result<RobotReply> {
    match (reply.ok, reply.error_code) {
        (true, _) => Ok(reply),
        (false, 0) => bail!("{}", reply.message),
        (false, code) => bail!("{} (error {code})", reply.message),
    }
}

fn print_reply(reply: &RobotReply, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    let value = json!({ "message": reply.message });
    printer.print(&value, |out| writeln!(out, "{}", printable(&reply.message)))
}

fn as_json(robot: &RealRobot) -> Value {
    let joints = robot.joints.clone().unwrap_or_default();
    let joints: serde_json::Map<String, Value> =
        joints.name.into_iter().zip(joints.position.into_iter().map(Value::from)).collect();
    json!({
        "robot": robot.robot,
        "address": robot.address,
        "connected": robot.connected,
        "armed": robot.armed,
        "armed_by": robot.armed_by,
        "state": robot.state,
        "goal_id": robot.goal_id,
        "joints": joints,
        "ended": robot.ended.iter().map(result_as_json).collect::<Vec<_>>(),
    })
}

fn result_as_json(result: &MotionResult) -> Value {
    json!({
        "goal_id": result.goal_id,
        "motion": result.motion,
        "state": result.state().as_str_name().to_lowercase(),
        "error_code": result.error_code,
        "message": result.error_string,
    })
}
