//! `retake motion …`

mod check;
mod record;
mod status;
mod store;
mod wait;

use std::path::Path;

use anyhow::{Context, bail};
use retake_msgs::{
    CancelMotion, MotionList, MotionListRequest, SetJointPositions, SetMotionSpeed, SetTorque,
    StartMotion, UserCmdReply, names, user_cmd,
};
use serde_json::{Value, json};

use super::print_reply;
use crate::cli::{MotionCommand, RobotArg, StartArgs};
use crate::link::Link;
use crate::motions;
use crate::output::{Outcome, Printer, write_table};

pub(super) fn run(
    command: &MotionCommand,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    match command {
        MotionCommand::List { robot } => list(robot.as_deref(), link, printer),
        MotionCommand::Play { motion, start } => {
            let command = StartMotion { motion: motion.clone(), ..StartMotion::default() };
            play(command, start, link, printer)
        }
        MotionCommand::Goal { file, start } => {
            let command = StartMotion { goal: Some(trajectory(file)?), ..StartMotion::default() };
            play(command, start, link, printer)
        }
        MotionCommand::Stop { robot, goal, release } => {
            let goal_id = goal.clone().unwrap_or_default();
            let cancel = CancelMotion { robot: name_of(robot), goal_id, release: *release };
            tell(user_cmd::Command::CancelMotion(cancel), link, printer)
        }
        MotionCommand::Speed { factor, robot } => {
            let speed = SetMotionSpeed { robot: name_of(robot), factor: *factor };
            tell(user_cmd::Command::SetMotionSpeed(speed), link, printer)
        }
        MotionCommand::Status { robot } => status::show(robot.as_deref(), link, printer),
        MotionCommand::Pose { joints, robot } => {
            let set = SetJointPositions {
                robot: named_model(robot, link)?,
                name: joints.iter().map(|(joint, _)| joint.clone()).collect(),
                position: joints.iter().map(|(_, position)| *position).collect(),
            };
            tell(user_cmd::Command::SetJointPositions(set), link, printer)
        }
        MotionCommand::Torque { state, joints, robot } => {
            let robot = named_model(robot, link)?;
            let torque = SetTorque { robot, joint: joints.clone(), on: state == "on" };
            tell(user_cmd::Command::SetTorque(torque), link, printer)
        }
        MotionCommand::Show { motion, robot } => {
            motions::show(&[store::read(motion, robot, link)?], printer)
        }
        MotionCommand::Import(args) => store::import(args, link, printer),
        MotionCommand::Export(args) => store::export(args, link, printer),
        MotionCommand::Record(args) => record::run(args, link, printer),
        MotionCommand::Check { files, against: Some(robot) } => {
            check::run(files, robot, link, printer)
        }
        about_files => motions::run(about_files, printer),
    }
}

fn tell(
    command: user_cmd::Command,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    print_reply(&link.command(command)?, printer)?;
    Ok(Outcome::Done)
}

fn name_of(robot: &RobotArg) -> String {
    robot.robot.clone().unwrap_or_default()
}

/// Returns the model that is named, or the only one with a player.
fn named_model(robot: &RobotArg, link: &mut dyn Link) -> anyhow::Result<String> {
    match &robot.robot {
        Some(name) => Ok(name.clone()),
        None => only_robot(robot, link),
    }
}

/// Returns the path of the robot that is named, or of the only one with a player.
fn only_robot(robot: &RobotArg, link: &mut dyn Link) -> anyhow::Result<String> {
    let all = robots(None, link)?;
    let known = || all.robot.iter().map(|r| r.robot.as_str()).collect::<Vec<_>>().join(", ");
    match (&robot.robot, all.robot.as_slice()) {
        (None, [only]) => Ok(only.robot.clone()),
        (None, []) => bail!("No robot here has a motion player"),
        (None, _) => bail!("Say which robot: --robot NAME, one of {}", known()),
        (Some(name), robots) => {
            let path = name.replace('/', "::");
            match robots.iter().find(|robot| robot.robot == path) {
                Some(robot) => Ok(robot.robot.clone()),
                None => bail!("{name:?} has no motion player. Robots with players: {}", known()),
            }
        }
    }
}

fn robots(robot: Option<&str>, link: &mut dyn Link) -> anyhow::Result<MotionList> {
    let request = MotionListRequest { robot: robot.unwrap_or_default().to_owned() };
    link.call(&names::motion_list(&link.world()), &request)
}

/// Reads the only motion of a file as a goal.
pub(super) fn trajectory(
    file: &Path,
) -> anyhow::Result<retake_msgs::FollowJointTrajectoryWithActions> {
    let mut read = motions::read(file)?;
    match (read.pop(), read.is_empty()) {
        (Some(motion), true) => Ok(retake_sim::trajectory_message(&motion.goal())),
        (None, _) => bail!("{} holds no motion", file.display()),
        _ => bail!("{} holds several motions; convert one of them first", file.display()),
    }
}

fn play(
    command: StartMotion,
    args: &StartArgs,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let goal_id = args.goal.clone();
    // Scenarios have no other programs to be told from, and the same ids each time.
    let goal_id = goal_id.or_else(|| link.bus().map(|_| uuid::Uuid::now_v7().to_string()));
    let goal_id = goal_id.unwrap_or_default();
    let start = StartMotion {
        robot: name_of(&args.robot),
        goal_id: goal_id.clone(),
        speed: args.speed,
        ..command
    };
    let watch = match link.bus().filter(|_| !args.no_wait) {
        Some(bus) => {
            let robot = only_robot(&args.robot, link)?;
            Some(wait::Watch::begin(bus.as_ref(), robot, goal_id).context("the results")?)
        }
        None => None,
    };
    let command = user_cmd::Command::StartMotion(Box::new(start));
    let reply: UserCmdReply = link.command(command)?;
    print_reply(&reply, printer)?;
    match watch {
        Some(watch) => watch.end(link, printer),
        None => Ok(Outcome::Done),
    }
}

fn list(
    robot: Option<&str>,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let all = robots(robot, link)?;
    let value: Vec<Value> = all.robot.iter().map(robot_json).collect();
    printer.print(&value, |out| {
        if all.robot.is_empty() {
            return writeln!(out, "No robot here has a motion player");
        }
        let mut rows = vec![
            ["robot", "motion", "seconds", "joints", "description"].map(str::to_owned).to_vec(),
        ];
        for robot in &all.robot {
            rows.extend(robot.motion.iter().map(|motion| {
                vec![
                    robot.robot.clone(),
                    motion.name.clone(),
                    format!("{:.2}", motion.duration_secs),
                    motion.joint.len().to_string(),
                    motion.description.clone(),
                ]
            }));
        }
        write_table(out, &rows)?;
        let problems = all.robot.iter().flat_map(|robot| &robot.problem);
        problems.into_iter().try_for_each(|problem| writeln!(out, "{problem}"))
    })?;
    let broken = all.robot.iter().any(|robot| !robot.problem.is_empty());
    Ok(if broken { Outcome::Failed } else { Outcome::Done })
}

fn robot_json(robot: &retake_msgs::RobotMotions) -> Value {
    json!({
        "robot": robot.robot,
        "folders": robot.folder,
        "problems": robot.problem,
        "groups": robot.group.iter().map(|group| json!({
            "name": group.name, "joints": group.joint,
        })).collect::<Vec<_>>(),
        "motions": robot.motion.iter().map(|motion| json!({
            "name": motion.name,
            "description": motion.description,
            "file": motion.file,
            "seconds": motion.duration_secs,
            "joints": motion.joint,
            "waypoints": motion.waypoints,
            "actions": motion.actions,
        })).collect::<Vec<_>>(),
    })
}
