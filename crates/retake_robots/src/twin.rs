//! One robot outside, and what may be sent to it.
//!
//! Everything here is told the time, so that tests can tell it too.

use std::collections::{BTreeMap, VecDeque};
use std::time::{Duration, Instant};

use retake_msgs::motion_result::State;
use retake_msgs::{
    JointPose, MotionGoal, MotionResult, RealRobot, RobotArm, RobotCommand, RobotReply,
    motion_goal, robot_command,
};

use crate::check::{self, Fault};
use crate::link::{Answer, Ask, Order, Permit, RobotEvent, RobotLink};
use crate::mailbox::Reply;

/// How often a robot hears from us while it may go on without.
const BEATS: u32 = 4;
/// A goal that the robot tells nothing of for so long is over; longer for robots that tell seldom.
const FORGOTTEN_AFTER: Duration = Duration::from_secs(2);
/// How many ended goals are told of.
const ENDED: usize = 8;
/// Longest name of whoever arms, in characters.
const AUTHOR: usize = 100;

/// Most joints of a robot; poses of more are left out.
const MOST_JOINTS: usize = 4096;
/// Longest text of a robot that is kept, in characters.
const TEXT: usize = 1000;
const NOT_ARMED: &str = "not armed";

/// A robot outside and how it is with it.
pub(crate) struct Twin {
    /// Model of this world.
    pub(crate) robot: String,
    /// Longest time without joint states.
    lost_after: Duration,
    link: Box<dyn RobotLink>,
    joints: Option<JointPose>,
    /// When joints were heard last, while they are.
    heard_at: Option<Instant>,
    armed: Option<Arming>,
    goal: Option<Sent>,
    asked: BTreeMap<u64, Asked>,
    tickets: u64,
    /// What it does, or why it does nothing; empty until it was heard once.
    state: String,
    /// What the link says of itself.
    link_state: String,
    ended: VecDeque<MotionResult>,
    woke_at: Instant,
}

/// Leave to command it, given by a person.
struct Arming {
    author: String,
    permit: Permit,
}

/// A goal that was sent.
struct Sent {
    goal_id: String,
    name: String,
    keep_alive: Duration,
    spoke_at: Instant,
    /// When the robot told of it last.
    heard_at: Instant,
    /// Whether it is to end: then the robot hears no more of us.
    leaving: bool,
}

/// Somebody who waits for an answer.
struct Asked {
    reply: Option<Reply<RobotReply>>,
    /// The goal that was sent, if one was.
    goal_id: Option<String>,
}

impl Twin {
    pub(crate) fn new(
        robot: String,
        lost_after: Duration,
        link: Box<dyn RobotLink>,
        now: Instant,
    ) -> Self {
        Self {
            robot,
            lost_after,
            link,
            joints: None,
            heard_at: None,
            armed: None,
            goal: None,
            asked: BTreeMap::new(),
            tickets: 0,
            state: String::new(),
            link_state: "it is looked for".to_owned(),
            ended: VecDeque::new(),
            woke_at: now,
        }
    }

    /// Tells how it is with the robot.
    pub(crate) fn status(&self) -> RealRobot {
        RealRobot {
            robot: self.robot.clone(),
            address: self.link.address(),
            connected: self.heard_at.is_some(),
            armed: self.armed.is_some(),
            armed_by: self.armed.as_ref().map(|arming| arming.author.clone()).unwrap_or_default(),
            joints: self.joints.clone(),
            state: self.state(),
            goal_id: self.goal.as_ref().map(|goal| goal.goal_id.clone()).unwrap_or_default(),
            ended: self.ended.iter().cloned().collect(),
        }
    }

    /// Says whether an answer of the robot is still to come.
    pub(crate) fn waits(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Notices that nobody looked for a while; called before anything that came meanwhile is heard,
    /// so that it cannot seem to be news.
    pub(crate) fn wake(&mut self, now: Instant) {
        let asleep = now.saturating_duration_since(std::mem::replace(&mut self.woke_at, now));
        let goal_stopped = self.goal.as_ref().is_some_and(|goal| asleep > goal.keep_alive);
        if goal_stopped || (asleep > self.lost_after && self.armed.is_some()) {
            let secs = asleep.as_secs_f64();
            self.give_up(&format!("this program stood still for {secs:.1} s"));
        }
        if asleep > self.lost_after {
            // That nothing was heard meanwhile says nothing of the link.
            self.heard_at = self.heard_at.map(|_| now);
        }
    }

    /// Does what is due: notices a lost link, and tells the robot that we are there.
    pub(crate) fn tick(&mut self, now: Instant) {
        let silent = |since: Instant| now.saturating_duration_since(since);
        if self.heard_at.is_some_and(|heard| silent(heard) > self.lost_after) {
            self.heard_at = None;
            let secs = self.lost_after.as_secs_f64();
            self.give_up(&format!("link lost: its joints were not heard for {secs} s"));
        }
        let forgotten_after = FORGOTTEN_AFTER.max(2 * self.lost_after);
        if self.goal.as_ref().is_some_and(|goal| silent(goal.heard_at) > forgotten_after) {
            self.give_up("it tells nothing of its goal any more");
        }
        let Some(goal) = self.goal.as_mut().filter(|goal| !goal.leaving) else { return };
        if silent(goal.spoke_at) >= goal.keep_alive / BEATS {
            goal.spoke_at = now;
            self.link.keep_alive(&goal.goal_id);
        }
    }

    /// Takes in what the robot tells.
    pub(crate) fn hear(&mut self, now: Instant, event: RobotEvent) {
        match event {
            RobotEvent::Joints(joints) => self.hear_joints(now, joints),
            RobotEvent::Follows(goal_id) => {
                let goal = self.goal.as_mut().filter(|goal| goal.goal_id == goal_id);
                goal.into_iter().for_each(|goal| goal.heard_at = now);
            }
            RobotEvent::Ended(result) => self.hear_end(result),
            RobotEvent::Answered(ticket, answer) => self.hear_answer(ticket, answer),
            RobotEvent::Link(text) => self.link_state = text,
        }
    }

    /// Arms or disarms; returns what to answer.
    pub(crate) fn arm(&mut self, request: &RobotArm) -> RobotReply {
        let robot = &self.robot;
        if !request.arm {
            let text = match (self.armed.is_some(), &self.goal) {
                (false, _) => format!("{robot} was not armed"),
                (true, None) => format!("{robot} is disarmed"),
                (true, Some(_)) => format!("{robot} is disarmed and stops"),
            };
            self.disarm();
            self.state = NOT_ARMED.to_owned();
            return done(text);
        }
        if self.heard_at.is_none() {
            return refused(0, format!("{robot} cannot be armed: {}", self.state()));
        }
        let author: String = request.author.chars().take(AUTHOR).collect();
        let author = if author.is_empty() { "somebody".to_owned() } else { author };
        let text = format!("{robot} is armed: commands move the real robot");
        // Whoever armed it before need not be asked: the latest is who answers for it.
        let permit = self.armed.take().map(|before| before.permit).unwrap_or_default();
        self.state = format!("armed by {author}");
        self.armed = Some(Arming { author, permit });
        done(text)
    }

    /// Says why nothing can be sent now, if so.
    pub(crate) fn obstacle(&self) -> Option<RobotReply> {
        if self.heard_at.is_none() {
            return Some(refused(0, format!("{} is not there: {}", self.robot, self.state())));
        }
        if self.armed.is_none() {
            let robot = &self.robot;
            let text = format!("The robot is not armed: retake robot arm {robot}");
            return Some(refused(0, text));
        }
        None
    }

    /// Carries a command out or refuses it; `reply` is called when it is known which.
    pub(crate) fn command(
        &mut self,
        now: Instant,
        command: RobotCommand,
        reply: Reply<RobotReply>,
    ) {
        let obstacle = self.obstacle();
        match (command.command, obstacle) {
            // Stopping is always allowed.
            (Some(robot_command::Command::Cancel(cancel)), _) => self.stop(cancel.goal_id, reply),
            (_, Some(obstacle)) => reply(obstacle),
            (Some(robot_command::Command::Goal(goal)), None) => self.follow(now, *goal, reply),
            (Some(robot_command::Command::Torque(torque)), None) => {
                let order = Order::SetTorque { joints: torque.joint, on: torque.on };
                self.ask(order, Asked { reply: Some(reply), goal_id: None });
            }
            (None, None) => reply(refused(0, "The command is empty".to_owned())),
        }
    }

    /// Ends what we have begun and lets nothing more through.
    pub(crate) fn disarm(&mut self) {
        if let Some(arming) = self.armed.take() {
            arming.permit.revoke();
        }
        if let Some(goal) = self.goal.as_mut().filter(|goal| !goal.leaving) {
            goal.leaving = true;
            let order = Order::Cancel(goal.goal_id.clone());
            self.ask(order, Asked { reply: None, goal_id: None });
        }
    }

    fn hear_joints(&mut self, now: Instant, joints: JointPose) {
        if joints.name.len() != joints.position.len() || joints.name.len() > MOST_JOINTS {
            return;
        }
        let stamp = |joints: &JointPose| joints.stamp.map(|stamp| (stamp.sec, stamp.nsec));
        let went_back = self.joints.as_ref().is_some_and(|before| stamp(before) > stamp(&joints));
        if self.heard_at.replace(now).is_none() {
            let first = self.joints.is_none();
            self.state =
                if first { NOT_ARMED } else { "not armed since the link was lost" }.to_owned();
        } else if went_back && (self.goal.is_some() || self.armed.is_some()) {
            self.give_up("its time went back");
        }
        self.joints = Some(joints);
    }

    fn hear_end(&mut self, result: MotionResult) {
        let Some(goal) = self.goal.take_if(|goal| goal.goal_id == result.goal_id) else { return };
        let result = MotionResult { error_string: shortened(&result.error_string), ..result };
        let text = match result.state() {
            State::Succeeded => format!("{} is done", goal.name),
            _ => format!("{} ended: {}", goal.name, result.error_string),
        };
        self.state = match self.armed {
            Some(_) => text,
            None => format!("{text}; not armed"),
        };
        self.keep_end(result);
    }

    fn hear_answer(&mut self, ticket: u64, answer: Answer) {
        let Some(Asked { reply, goal_id }) = self.asked.remove(&ticket) else { return };
        let is_goal =
            self.goal.as_ref().is_some_and(|goal| Some(&goal.goal_id) == goal_id.as_ref());
        let told = match answer {
            Answer::Done(text) => done(text),
            Answer::Refused { code, text } => {
                let text = shortened(&text);
                if is_goal {
                    self.not_begun(code, &text);
                }
                refused(code, text)
            }
            Answer::Unknown(text) => {
                let text = shortened(&text);
                if is_goal {
                    self.give_up(&text);
                }
                refused(0, text)
            }
        };
        if let Some(reply) = reply {
            reply(told);
        }
    }

    fn not_begun(&mut self, error_code: i32, why: &str) {
        let Some(goal) = self.goal.take() else { return };
        self.state = format!("{} was not begun: {why}", goal.name);
        self.keep_end(MotionResult {
            goal_id: goal.goal_id,
            motion: goal.name,
            state: State::Rejected as i32,
            error_code,
            error_string: why.to_owned(),
            ..MotionResult::default()
        });
    }

    fn follow(&mut self, now: Instant, goal: MotionGoal, reply: Reply<RobotReply>) {
        if self.goal.as_ref().is_some_and(|sent| sent.goal_id == goal.goal_id) {
            // Whoever missed the first answer asks again.
            return reply(done(format!("{} has this goal already", self.robot)));
        }
        match self.check(goal) {
            Ok(goal) => self.send_goal(now, goal, reply),
            Err((code, text)) => reply(refused(code, text)),
        }
    }

    fn check(&self, goal: MotionGoal) -> Result<MotionGoal, Fault> {
        if let Some(busy) = &self.goal {
            let (robot, name) = (&self.robot, &busy.name);
            let text = format!("{robot} still follows {name}. Wait, or stop it: retake robot stop");
            return Err((0, text));
        }
        if self.ended.iter().any(|ended| ended.goal_id == goal.goal_id) {
            return Err((-1, format!("the goal {:?} was sent before", goal.goal_id)));
        }
        let joints = self.joints.as_ref().map(|joints| joints.name.as_slice());
        check::ready(goal, joints.unwrap_or_default())
    }

    fn send_goal(&mut self, now: Instant, goal: MotionGoal, reply: Reply<RobotReply>) {
        let name = match &goal.what {
            Some(motion_goal::What::Trajectory(what)) if !what.name.is_empty() => {
                shortened(&what.name)
            }
            _ => "a trajectory".to_owned(),
        };
        self.state = format!("follows {name}");
        self.goal = Some(Sent {
            goal_id: goal.goal_id.clone(),
            name,
            keep_alive: Duration::from_secs_f64(goal.keep_alive_secs),
            spoke_at: now,
            heard_at: now,
            leaving: false,
        });
        let asked = Asked { reply: Some(reply), goal_id: Some(goal.goal_id.clone()) };
        self.ask(Order::Follow(Box::new(goal)), asked);
    }

    fn stop(&mut self, goal_id: String, reply: Reply<RobotReply>) {
        let meant = |goal: &&mut Sent| goal_id.is_empty() || goal.goal_id == goal_id;
        if let Some(goal) = self.goal.as_mut().filter(meant) {
            // Should the robot not hear this, it will stop as it hears nothing else either.
            goal.leaving = true;
        }
        self.ask(Order::Cancel(goal_id), Asked { reply: Some(reply), goal_id: None });
    }

    fn ask(&mut self, order: Order, asked: Asked) {
        self.tickets += 1;
        let permit = match (&order, &self.armed) {
            (Order::Cancel(_), _) | (_, None) => Permit::default(),
            (_, Some(arming)) => arming.permit.clone(),
        };
        self.asked.insert(self.tickets, asked);
        self.link.ask(Ask { ticket: self.tickets, order, permit });
    }

    /// Takes the goal for over, whatever became of it, and needs a person to arm again.
    fn give_up(&mut self, why: &str) {
        let was_armed = self.armed.is_some();
        self.disarm();
        if let Some(goal) = self.goal.take() {
            self.keep_end(MotionResult {
                goal_id: goal.goal_id,
                motion: goal.name,
                state: State::Unknown as i32,
                error_string: format!("what became of it is not known: {why}"),
                ..MotionResult::default()
            });
        }
        self.state = match was_armed {
            true => format!("{why}; it was disarmed"),
            false => why.to_owned(),
        };
        tracing::warn!(robot = self.robot, why, was_armed, "a real robot is given up");
    }

    fn keep_end(&mut self, result: MotionResult) {
        if self.ended.len() == ENDED {
            self.ended.pop_front();
        }
        self.ended.push_back(result);
    }

    fn state(&self) -> String {
        match (self.heard_at, self.state.as_str()) {
            (Some(_), state) => state.to_owned(),
            (None, "") => self.link_state.clone(),
            (None, state) => format!("{state}; {}", self.link_state),
        }
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(TEXT).collect()
}

fn done(message: String) -> RobotReply {
    RobotReply { ok: true, message, error_code: 0 }
}

pub(crate) fn refused(error_code: i32, message: String) -> RobotReply {
    RobotReply { ok: false, message, error_code }
}

#[cfg(test)]
mod tests;
