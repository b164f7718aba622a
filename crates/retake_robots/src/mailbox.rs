//! What waits for the gateway's thread.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use retake_msgs::{JointPose, RobotArm, RobotCommand, RobotList, RobotReply};

use crate::link::RobotEvent;

/// Takes the answer to one request.
pub(crate) type Reply<M> = Box<dyn FnOnce(M) + Send>;

/// Requests and events that may wait; beyond it requests are refused and events lost, which is
/// logged. Of joints only the newest of each robot waits.
const MOST: usize = 1024;

/// Something for the gateway to deal with.
pub(crate) enum Mail {
    Heard(usize, Box<RobotEvent>),
    List(Reply<RobotList>),
    Arm(RobotArm, Reply<RobotReply>),
    Command(Box<RobotCommand>, Reply<RobotReply>),
    /// A command whose motion was looked up, or why it could not be.
    LookedUp(Result<Box<RobotCommand>, String>, Reply<RobotReply>),
}

/// All that came since the gateway looked last.
pub(crate) struct Post {
    pub(crate) mail: VecDeque<Mail>,
    pub(crate) joints: BTreeMap<usize, JointPose>,
    pub(crate) ended: bool,
}

/// The gateway's mailbox; cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Mailbox(Arc<Shared>);

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    mail: VecDeque<Mail>,
    joints: BTreeMap<usize, JointPose>,
    ended: bool,
}

/// The way by which a link tells what it hears of its robot; any thread may have one.
#[derive(Clone)]
pub struct Teller {
    mailbox: Mailbox,
    robot: usize,
}

impl Teller {
    /// Tells the gateway; never waits.
    pub fn tell(&self, event: RobotEvent) {
        let mut waiting = self.mailbox.lock();
        match event {
            RobotEvent::Joints(joints) => drop(waiting.joints.insert(self.robot, joints)),
            event if waiting.mail.len() < MOST => {
                waiting.mail.push_back(Mail::Heard(self.robot, Box::new(event)));
            }
            event => tracing::error!(?event, "too much waits; this of a robot is lost"),
        }
        drop(waiting);
        self.mailbox.0.changed.notify_one();
    }
}

impl Mailbox {
    /// Returns the way by which one robot's link tells what it hears.
    pub(crate) fn teller(&self, robot: usize) -> Teller {
        Teller { mailbox: self.clone(), robot }
    }

    /// Puts a request in; gives it back when there is no room or nobody to read it.
    pub(crate) fn put(&self, mail: Mail) -> Result<(), Mail> {
        let mut waiting = self.lock();
        if waiting.mail.len() >= MOST || waiting.ended {
            return Err(mail);
        }
        waiting.mail.push_back(mail);
        drop(waiting);
        self.0.changed.notify_one();
        Ok(())
    }

    /// Takes no more requests, and tells the gateway to end.
    pub(crate) fn end(&self) {
        self.lock().ended = true;
        self.0.changed.notify_one();
    }

    /// Returns what came, after at most `patience`; without one, when something comes.
    pub(crate) fn take(&self, patience: Option<Duration>) -> Post {
        let nothing = |waiting: &mut Waiting| {
            waiting.mail.is_empty() && waiting.joints.is_empty() && !waiting.ended
        };
        let (waiting, changed) = (self.lock(), &self.0.changed);
        let mut waiting = match patience {
            Some(patience) => {
                let woken = changed.wait_timeout_while(waiting, patience, nothing);
                woken.unwrap_or_else(PoisonError::into_inner).0
            }
            None => changed.wait_while(waiting, nothing).unwrap_or_else(PoisonError::into_inner),
        };
        let Waiting { mail, joints, ended } = &mut *waiting;
        Post { mail: std::mem::take(mail), joints: std::mem::take(joints), ended: *ended }
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        // Nothing under the lock can panic half way.
        self.0.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
