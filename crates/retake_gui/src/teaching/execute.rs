//! Plays drafts, on the robot in the simulation and on the one outside.

use std::time::Duration;

use retake_motion::Goal;
use retake_motion::edit::Way;
use retake_msgs::{
    CancelMotion, ExecuteDraft, MotionCancel, MotionGoal, RobotArm, RobotCommand, RobotReply,
    SetJointPositions, SetTorque, StartMotion, TeachAnswer, Twin, UserCmd, UserCmdReply,
    motion_goal, names, robot_command, user_cmd,
};
use retake_sim::trajectory_message;
use retake_transport::typed;
use uuid::Uuid;

use super::desk::Desk;
use super::robot::SeenRobot;
use super::runs::{RunWay, TaughtRun};
use super::{Answered, Teaching, live};
use crate::link::LinkRequest;

/// How fast a robot goes to where a draft begins, in rad/s or m/s, and how long it takes at least.
const APPROACH_SPEED: f64 = 0.5;
const APPROACH_SECS: f64 = 0.5;
/// How long the robot outside may take to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

impl Teaching {
    /// Plays the draft from its start to its end marker.
    pub(super) fn execute(&self, robot: &str, request: &ExecuteDraft, author: &str) -> Answered {
        let twin = request.twin();
        let (goal, way) = self.with_desk(robot, |desk| self.goal(desk, robot, request))?;
        let found = self.collisions(robot)?.1;
        let touches = found.first().map(|warning| warning.text.clone());
        if let (Twin::Real, Some(touches)) = (twin, &touches) {
            return Err(format!("Not sent to the real robot: {touches}. Change the waypoints"));
        }
        let goal_id = format!("taught-{}", Uuid::now_v7());
        let sent = match twin {
            Twin::Virtual => self.start_virtual(robot, &goal_id, &goal, author),
            Twin::Real => self.start_real(robot, &goal_id, &goal, author),
        };
        let run = match &sent {
            Ok(()) => TaughtRun::begun(goal_id, way, touches.unwrap_or_default()),
            Err(text) => TaughtRun::refused(goal_id, way, text.clone()),
        };
        self.with_desk(robot, |desk| {
            *desk.run(twin) = Some(run);
            Ok(())
        })?;
        self.changed();
        sent.map(|()| TeachAnswer::default())
    }

    /// Makes the goal, with the way to where it begins when that is wanted and needed.
    fn goal(
        &self,
        desk: &Desk,
        robot: &str,
        request: &ExecuteDraft,
    ) -> Result<(Goal, RunWay), String> {
        let list = desk.draft.list();
        let speed = if request.speed == 0.0 { 1.0 } else { request.speed };
        let (backward, loops) = (request.backward, request.loops);
        let time = |id: Option<u64>| {
            let point = list.points().iter().find(|point| Some(point.id) == id);
            point.map_or(0.0, |point| point.time_secs)
        };
        let mut way = RunWay {
            speed,
            backward,
            loops,
            approach_secs: 0.0,
            from_secs: time(list.start()),
            to_secs: time(list.end()),
        };
        let goal = list.goal(Way { speed, backward, loops }).map_err(|error| error.to_string())?;
        let first = if backward { list.end() } else { list.start() };
        let view = self.view();
        let seen = SeenRobot::find(&view.ecm, robot);
        let twin = self.twins.of(robot);
        let position = |name: &str| match request.twin() {
            Twin::Virtual => seen.as_ref()?.position(name),
            Twin::Real => live::position_of(twin.as_ref()?, name),
        };
        let is_there = first.is_some_and(|first| list.is_at(first, &position));
        if !request.approach || is_there {
            return Ok((goal, way));
        }
        way.approach_secs = approach_secs(&goal, &position);
        // The way back of a loop is the way to where it begins.
        let once = list.goal(Way { speed, backward, loops: false });
        let mut goal = once.map_err(|error| error.to_string())?;
        goal.repeat = loops;
        goal.points.iter_mut().for_each(|point| point.time_secs += way.approach_secs);
        goal.actions.iter_mut().for_each(|action| action.time_secs += way.approach_secs);
        Ok((goal, way))
    }

    fn start_virtual(
        &self,
        robot: &str,
        goal_id: &str,
        goal: &Goal,
        author: &str,
    ) -> Result<(), String> {
        let start = StartMotion {
            robot: robot.to_owned(),
            goal_id: goal_id.to_owned(),
            goal: Some(trajectory_message(goal)),
            ..StartMotion::default()
        };
        self.command(user_cmd::Command::StartMotion(Box::new(start)), author)
    }

    fn start_real(
        &self,
        robot: &str,
        goal_id: &str,
        goal: &Goal,
        author: &str,
    ) -> Result<(), String> {
        let goal = MotionGoal {
            robot: robot.to_owned(),
            goal_id: goal_id.to_owned(),
            what: Some(motion_goal::What::Trajectory(trajectory_message(goal))),
            ..MotionGoal::default()
        };
        self.command_real(robot, robot_command::Command::Goal(Box::new(goal)), author)
    }

    /// Ends what was executed last; of the robot outside, whatever it does.
    pub(super) fn stop(&self, robot: &str, twin: Twin, author: &str) -> Answered {
        let goal_id = self.with_desk(robot, |desk| {
            Ok(desk.run(twin).as_ref().map(|run| run.goal_id.clone()).unwrap_or_default())
        })?;
        let robot_name = robot.to_owned();
        let stopped = match twin {
            Twin::Virtual => {
                let cancel = CancelMotion { robot: robot_name, goal_id, release: false };
                self.command(user_cmd::Command::CancelMotion(cancel), author)
            }
            Twin::Real => {
                let cancel = MotionCancel { robot: robot_name, goal_id: String::new() };
                self.command_real(robot, robot_command::Command::Cancel(cancel), author)
            }
        };
        stopped.map(|()| TeachAnswer::default())
    }

    /// Switches servos of all joints, or of those that the draft moves.
    pub(super) fn switch_torque(
        &self,
        robot: &str,
        request: &retake_msgs::DraftTorque,
        author: &str,
    ) -> Answered {
        let joint = match request.all {
            true => Vec::new(),
            false => self.with_desk(robot, |desk| {
                let moved = desk.draft.list().joints().iter().filter(|joint| !joint.muted);
                let joints: Vec<String> = moved.map(|joint| joint.name.clone()).collect();
                let none =
                    || "The draft moves no joint: take one into it, or switch all".to_owned();
                if joints.is_empty() { Err(none()) } else { Ok(joints) }
            })?,
        };
        let torque = SetTorque { robot: robot.to_owned(), joint, on: request.on };
        let switched = match request.twin() {
            Twin::Virtual => self.command(user_cmd::Command::SetTorque(torque), author),
            Twin::Real => self.command_real(robot, robot_command::Command::Torque(torque), author),
        };
        switched.map(|()| TeachAnswer::default())
    }

    /// Puts the virtual robot where a waypoint is.
    pub(super) fn put_pose(&self, robot: &str, waypoint: u64, author: &str) -> Answered {
        let (name, position) = self.with_desk(robot, |desk| {
            let list = desk.draft.list();
            let point = list.points().iter().find(|point| point.id == waypoint);
            let point = point.ok_or("There is no such waypoint any more")?;
            let joints = list.joints().iter().zip(&point.positions);
            let moved = joints.filter(|(joint, _)| !retake_motion::is_support(&joint.name));
            Ok(moved.map(|(joint, position)| (joint.name.clone(), *position)).unzip())
        })?;
        let set = SetJointPositions { robot: robot.to_owned(), name, position };
        let done = self.command(user_cmd::Command::SetJointPositions(set), author);
        done.map(|()| TeachAnswer::default())
    }

    /// Lets the robot outside be moved, or not any more.
    pub(super) fn arm(&self, robot: &str, arm: bool, author: &str) -> Answered {
        let request = RobotArm { robot: robot.to_owned(), arm, author: author.to_owned() };
        let (bus, world) = (self.bus()?, self.view().world.name.clone());
        let reply: RobotReply = typed::call(&*bus, &names::robot_arm(&world), &request, TIMEOUT)
            .map_err(|error| error.to_string())?;
        self.twins.look(self.link.as_ref());
        self.changed();
        if reply.ok { Ok(TeachAnswer::default()) } else { Err(reply.message) }
    }

    /// Sends a user command and waits for what comes of it.
    fn command(&self, command: user_cmd::Command, author: &str) -> Result<(), String> {
        let command = UserCmd {
            id: Uuid::now_v7().to_string(),
            author: author.to_owned(),
            command: Some(command),
            ..UserCmd::default()
        };
        let reply = self.link.request(LinkRequest::Command(command));
        let UserCmdReply { ok, message, .. } = tokio::runtime::Handle::current().block_on(reply);
        if ok { Ok(()) } else { Err(message) }
    }

    fn command_real(
        &self,
        robot: &str,
        command: robot_command::Command,
        author: &str,
    ) -> Result<(), String> {
        let command = RobotCommand {
            robot: robot.to_owned(),
            author: author.to_owned(),
            command: Some(command),
        };
        let (bus, world) = (self.bus()?, self.view().world.name.clone());
        let service = names::robot_command(&world);
        let reply: RobotReply =
            typed::call(&*bus, &service, &command, TIMEOUT).map_err(|error| error.to_string())?;
        if reply.ok { Ok(()) } else { Err(reply.message) }
    }
}

/// Returns how long joints take to where a goal begins, in s.
fn approach_secs(goal: &Goal, position: &dyn Fn(&str) -> Option<f64>) -> f64 {
    let first = goal.points.first().map_or(&[][..], |point| &point.positions);
    let ways = goal
        .joints
        .iter()
        .zip(first)
        .map(|(joint, wanted)| position(joint).map_or(0.0, |present| (wanted - present).abs()));
    (ways.fold(0.0, f64::max) / APPROACH_SPEED).max(APPROACH_SECS)
}
