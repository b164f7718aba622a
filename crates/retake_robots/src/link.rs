//! The way to one robot: what can be asked of it, and what it tells.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use retake_msgs::{JointPose, MotionGoal, MotionResult};

/// A robot outside the simulation.
///
/// No method waits. What the robot tells and answers comes as [`RobotEvent`] to the
/// [`Teller`](crate::Teller) that the link was made with.
///
/// A robot that is worth the name stops by itself when it does not hear
/// [`keep_alive`](RobotLink::keep_alive) for as long as the goal says, because nobody can tell it to
/// once the link is gone.
pub trait RobotLink: Send {
    /// Says where the robot is, as people write it.
    fn address(&self) -> String;

    /// Asks the robot for something, once; exactly one [`RobotEvent::Answered`] with the ticket
    /// follows. Whoever sends it looks at the permit last.
    fn ask(&mut self, ask: Ask);

    /// Tells the robot that the sender of a goal is there; lost when there is no link.
    fn keep_alive(&mut self, goal_id: &str);
}

/// Something asked of a robot.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Comes back with the answer.
    pub ticket: u64,
    /// What is asked.
    pub order: Order,
    /// Whether it may still be sent.
    pub permit: Permit,
}

/// What a robot can be asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Follow a trajectory; the link fills the robot's own name in.
    Follow(Box<MotionGoal>),
    /// End goals and hold; an empty id means all of them.
    Cancel(String),
    /// Switch servos; no joints means all of them.
    SetTorque {
        /// Joints by name.
        joints: Vec<String>,
        /// On or limp.
        on: bool,
    },
}

/// What a robot tells.
#[derive(Clone, Debug, PartialEq)]
pub enum RobotEvent {
    /// Where its joints are.
    Joints(JointPose),
    /// It still follows this goal.
    Follows(String),
    /// A goal has ended.
    Ended(MotionResult),
    /// What came of something asked.
    Answered(u64, Answer),
    /// How the link is, in words, while nothing is heard of the robot.
    Link(String),
}

/// What came of something asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The robot does it.
    Done(String),
    /// It does not: the robot, or the link before it, said no.
    Refused {
        /// As in `FollowJointTrajectory`.
        code: i32,
        /// Why.
        text: String,
    },
    /// Nobody knows whether it does.
    Unknown(String),
}

/// Leave to send something; once it is revoked, what still waits is not sent.
#[derive(Clone, Debug, Default)]
pub struct Permit(Arc<AtomicBool>);

impl Permit {
    /// Says whether the permit still holds.
    pub fn holds(&self) -> bool {
        !self.0.load(Ordering::SeqCst)
    }

    /// Takes it back, from all who have it.
    pub fn revoke(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}
