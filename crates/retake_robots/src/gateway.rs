//! The thread that all commands to real robots pass.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use retake_msgs::{
    FollowJointTrajectoryWithActions, JointPose, RobotArm, RobotCommand, RobotList, RobotReply,
    motion_goal, names, robot_command,
};
use retake_transport::{Bus, BusError, Delivery, Guard, Publisher};

use crate::link::{RobotEvent, RobotLink};
use crate::mailbox::{Mail, Mailbox, Post, Reply, Teller};
use crate::services;
use crate::twin::{Twin, refused};

/// How often the gateway looks what is due while there are robots.
const TICK: Duration = Duration::from_millis(10);
/// Joints are told at most this often.
const JOINTS_PERIOD: Duration = Duration::from_micros(16_600);
/// How long robots have to answer that they stop when the gateway ends.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Motions that may wait to be looked up; beyond it commands are refused.
const LOOKUPS: usize = 16;

/// Finds a stored motion of a robot of this world by name; may wait for the disk.
pub type Motions =
    Box<dyn Fn(&str, &str) -> Result<FollowJointTrajectoryWithActions, String> + Send>;

/// A model of this world, and how the link to its twin outside is made.
pub struct Bound {
    /// Model of this world.
    pub robot: String,
    /// Longest time without joint states after which the robot counts as lost.
    pub lost_after: Duration,
    /// Makes the link, given where to tell what it hears.
    pub link: Box<dyn FnOnce(Teller) -> Box<dyn RobotLink> + Send>,
}

/// The only way from here to real robots; dropping it disarms them all.
pub struct RobotGateway {
    mailbox: Mailbox,
    thread: Option<JoinHandle<()>>,
    _services: Vec<Guard>,
}

impl RobotGateway {
    /// Starts the gateway of the world called `world`, with its services on `bus`.
    ///
    /// # Errors
    /// [`BusError`] when a name on the bus is taken, or no thread can be started.
    pub fn start(
        bus: &Arc<dyn Bus>,
        world: &str,
        robots: Vec<Bound>,
        motions: Motions,
    ) -> Result<Self, BusError> {
        let mailbox = Mailbox::default();
        let mut twins = Vec::new();
        for (at, Bound { robot, lost_after, link }) in robots.into_iter().enumerate() {
            let topic = names::joints_real(&robot);
            let joints = Publisher::new(bus.as_ref(), &topic, Delivery::Newest)?;
            let link = link(mailbox.teller(at));
            let twin = Twin::new(robot, lost_after, link, Instant::now());
            twins.push(Place { twin, joints, told_at: None });
        }
        let (lookups, wanted) = sync_channel(LOOKUPS);
        let back = mailbox.clone();
        spawn("robot-motions", move || look_up_all(&wanted, &motions, &back))?;
        let work = Work { mailbox: mailbox.clone(), twins, lookups };
        let thread = Some(spawn("robots", move || work.run())?);
        let services = services::serve(bus.as_ref(), world, &mailbox)?;
        Ok(Self { mailbox, thread, _services: services })
    }

    /// Tells how it is with all robots.
    pub fn list(&self, reply: impl FnOnce(RobotList) + Send + 'static) {
        services::list(&self.mailbox, Box::new(reply));
    }

    /// Arms or disarms a robot.
    pub fn arm(&self, request: RobotArm, reply: impl FnOnce(RobotReply) + Send + 'static) {
        services::arm(&self.mailbox, request, Box::new(reply));
    }

    /// Commands a robot; refused unless it is armed, except for stopping.
    pub fn command(&self, command: RobotCommand, reply: impl FnOnce(RobotReply) + Send + 'static) {
        services::command(&self.mailbox, command, Box::new(reply));
    }
}

impl Drop for RobotGateway {
    fn drop(&mut self) {
        self.mailbox.end();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread of the real robots panicked");
        }
    }
}

/// A robot and what is told of it.
struct Place {
    twin: Twin,
    joints: Publisher<JointPose>,
    told_at: Option<Instant>,
}

struct Work {
    mailbox: Mailbox,
    twins: Vec<Place>,
    lookups: SyncSender<Lookup>,
}

/// A command whose motion is to be looked up.
struct Lookup {
    robot: String,
    command: Box<RobotCommand>,
    reply: Reply<RobotReply>,
}

impl Work {
    fn run(mut self) {
        let patience = (!self.twins.is_empty()).then_some(TICK);
        loop {
            let post = self.mailbox.take(patience);
            let ended = post.ended;
            self.turn(Instant::now(), post);
            if ended {
                return self.finish();
            }
        }
    }

    fn turn(&mut self, now: Instant, post: Post) {
        self.twins.iter_mut().for_each(|place| place.twin.wake(now));
        for (at, joints) in post.joints {
            self.hear(now, at, RobotEvent::Joints(joints));
        }
        self.deal(now, post.mail);
        self.twins.iter_mut().for_each(|place| place.twin.tick(now));
    }

    fn deal(&mut self, now: Instant, mail: VecDeque<Mail>) {
        for mail in mail {
            match mail {
                Mail::Heard(at, event) => self.hear(now, at, *event),
                Mail::List(reply) => {
                    let robot = self.twins.iter().map(|place| place.twin.status()).collect();
                    reply(RobotList { robot });
                }
                Mail::Arm(request, reply) => reply(match self.find(&request.robot) {
                    Ok(twin) => twin.arm(&request),
                    Err(text) => refused(0, text),
                }),
                Mail::Command(command, reply) => self.command(now, command, reply),
                Mail::LookedUp(Ok(command), reply) => self.pass_on(now, *command, reply),
                Mail::LookedUp(Err(text), reply) => reply(refused(-1, text)),
            }
        }
    }

    fn hear(&mut self, now: Instant, at: usize, event: RobotEvent) {
        let Some(place) = self.twins.get_mut(at) else { return };
        if let RobotEvent::Joints(joints) = &event {
            place.tell_joints(now, joints);
        }
        place.twin.hear(now, event);
    }

    /// Passes a command on, by way of the lookup when it names a motion.
    fn command(&mut self, now: Instant, command: Box<RobotCommand>, reply: Reply<RobotReply>) {
        let Some(robot_command::Command::Goal(goal)) = &command.command else {
            return self.pass_on(now, *command, reply);
        };
        let Some(motion_goal::What::Text(_)) = &goal.what else {
            return self.pass_on(now, *command, reply);
        };
        let robot = match self.find(&command.robot) {
            Ok(twin) => match twin.obstacle() {
                Some(obstacle) => return reply(obstacle),
                None => twin.robot.clone(),
            },
            Err(text) => return reply(refused(0, text)),
        };
        match self.lookups.try_send(Lookup { robot, command, reply }) {
            Ok(()) => {}
            Err(TrySendError::Full(lookup) | TrySendError::Disconnected(lookup)) => {
                let text = format!("{LOOKUPS} motions wait to be looked up. Try again");
                (lookup.reply)(refused(0, text));
            }
        }
    }

    fn pass_on(&mut self, now: Instant, command: RobotCommand, reply: Reply<RobotReply>) {
        match self.find(&command.robot) {
            Ok(twin) => twin.command(now, command, reply),
            Err(text) => reply(refused(0, text)),
        }
    }

    /// Finds a robot by the name of its twin here; an empty name means the only one.
    fn find(&mut self, name: &str) -> Result<&mut Twin, String> {
        let known: Vec<String> = self.twins.iter().map(|place| place.twin.robot.clone()).collect();
        let at = match (name, known.as_slice()) {
            (_, []) => None,
            ("", [_]) => Some(0),
            (name, known) => known.iter().position(|robot| robot == name),
        };
        match at.and_then(|at| self.twins.get_mut(at)) {
            Some(place) => Ok(&mut place.twin),
            None if known.is_empty() => Err("This server knows no real robot. Start it with: \
                                             --robot VIRTUAL=retake:WORLD/MODEL"
                .to_owned()),
            None if name.is_empty() => Err(format!("Say which robot: {}", known.join(", "))),
            None => Err(format!("No real robot for {name:?}. Known: {}", known.join(", "))),
        }
    }

    /// Disarms all, and waits a little for them to say that they stop.
    fn finish(mut self) {
        let start = Instant::now();
        self.twins.iter_mut().for_each(|place| place.twin.disarm());
        while self.twins.iter().any(|place| place.twin.waits()) && start.elapsed() < LAST_WORDS {
            let post = Post { ended: false, ..self.mailbox.take(Some(TICK)) };
            self.turn(Instant::now(), post);
            // The mailbox no longer waits once it has ended.
            thread::sleep(TICK);
        }
    }
}

impl Place {
    fn tell_joints(&mut self, now: Instant, joints: &JointPose) {
        if self.told_at.is_some_and(|told| now.saturating_duration_since(told) < JOINTS_PERIOD) {
            return;
        }
        self.told_at = Some(now);
        if let Err(error) = self.joints.publish(joints) {
            tracing::debug!(%error, "joints of a real robot were not published");
        }
    }
}

/// Looks motions up until nobody asks any more.
fn look_up_all(wanted: &Receiver<Lookup>, motions: &Motions, back: &Mailbox) {
    for Lookup { robot, mut command, reply } in wanted {
        let looked_up = match look_up(&robot, &mut command, motions) {
            Ok(()) => Ok(command),
            Err(text) => Err(text),
        };
        if let Err(Mail::LookedUp(_, reply)) = back.put(Mail::LookedUp(looked_up, reply)) {
            reply(refused(0, services::BUSY.to_owned()));
        }
    }
}

/// Puts the trajectory of a motion in the place of its name.
fn look_up(robot: &str, command: &mut RobotCommand, motions: &Motions) -> Result<(), String> {
    let Some(robot_command::Command::Goal(goal)) = &mut command.command else { return Ok(()) };
    let Some(motion_goal::What::Text(text)) = &goal.what else { return Ok(()) };
    if text.r#type != names::PLAYS_MOTION {
        let kind = &text.r#type;
        return Err(format!("text.type is {kind:?}; write {:?}", names::PLAYS_MOTION));
    }
    goal.what = Some(motion_goal::What::Trajectory(motions(robot, &text.command)?));
    Ok(())
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, BusError> {
    let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map_err(|error| BusError::Network {
        doing: "start a thread for real robots",
        source: Box::new(error),
    })
}
