//! A robot that another Retake simulates, reached over its bus.
//!
//! A thread of its own finds the other server and calls it, so that nobody waits here: neither the
//! gateway, which must tell the robot in time that it is there, nor anybody else.

use std::net::SocketAddrV4;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use retake_msgs::{
    JointPose, MotionCancel, MotionFeedback, MotionGoal, MotionKeepAlive, MotionResult, ServerInfo,
    ServerInfoRequest, SetTorque, UserCmd, UserCmdReply, names, user_cmd,
};
use retake_transport::rendezvous::{ServerRecord, find_servers};
use retake_transport::{Bus, CallError, Delivery, Guard, Publisher, ZenohBus, typed};

use crate::RobotAddress;
use crate::link::{Answer, Ask, Order, RobotEvent, RobotLink};
use crate::mailbox::Teller;

/// How often the other server is looked for.
const LOOK: Duration = Duration::from_millis(250);
/// How long the other server may take to answer.
const TIMEOUT: Duration = Duration::from_secs(1);
/// Orders that may wait; beyond it they are refused.
const ORDERS: usize = 32;

/// A robot in another Retake world.
pub struct BusRobot {
    address: String,
    orders: SyncSender<(Instant, Ask)>,
    teller: Teller,
    speaker: Speaker,
}

/// Where we say that we are there, while there is a link.
type Speaker = Arc<Mutex<Option<Publisher<MotionKeepAlive>>>>;

impl BusRobot {
    /// Begins to look for the robot, and goes on until it is dropped.
    ///
    /// What cannot be sent within `too_late` is not sent at all, except for stopping.
    pub fn new(address: RobotAddress, too_late: Duration, teller: Teller) -> Self {
        let (orders, asked) = sync_channel(ORDERS);
        let speaker = Speaker::default();
        let text = address.to_string();
        let courier = Courier {
            address,
            too_late,
            teller: teller.clone(),
            speaker: Arc::clone(&speaker),
            link: None,
        };
        let spawned = thread::Builder::new().name("robot-link".to_owned());
        if let Err(error) = spawned.spawn(move || courier.run(&asked)) {
            teller.tell(RobotEvent::Link(format!("no thread for its link: {error}")));
        }
        Self { address: text, orders, teller, speaker }
    }
}

impl RobotLink for BusRobot {
    fn address(&self) -> String {
        self.address.clone()
    }

    fn ask(&mut self, ask: Ask) {
        let refused = match self.orders.try_send((Instant::now(), ask)) {
            Ok(()) => return,
            Err(TrySendError::Full((_, ask)) | TrySendError::Disconnected((_, ask))) => ask,
        };
        let text = "the link to the robot is busy. Try again".to_owned();
        let answer = Answer::Refused { code: 0, text };
        self.teller.tell(RobotEvent::Answered(refused.ticket, answer));
    }

    fn keep_alive(&mut self, goal_id: &str) {
        if let Some(publisher) = lock(&self.speaker).as_ref() {
            // A robot that does not hear it stops, which is what it is for.
            publisher.publish(&MotionKeepAlive { goal_id: goal_id.to_owned() }).ok();
        }
    }
}

/// Finds the other server and calls it.
struct Courier {
    address: RobotAddress,
    too_late: Duration,
    teller: Teller,
    speaker: Speaker,
    link: Option<Link>,
}

/// A connection to the other server.
struct Link {
    bus: Arc<dyn Bus>,
    world: String,
    server: (u32, SocketAddrV4),
    _guards: Vec<Guard>,
}

impl Courier {
    fn run(mut self, asked: &Receiver<(Instant, Ask)>) {
        let mut looked_at: Option<Instant> = None;
        loop {
            if looked_at.is_none_or(|looked| looked.elapsed() >= LOOK) {
                self.look();
                looked_at = Some(Instant::now());
            }
            match asked.recv_timeout(LOOK) {
                Ok((asked_at, ask)) => {
                    let answer = self.carry_out(asked_at, &ask);
                    self.teller.tell(RobotEvent::Answered(ask.ticket, answer));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    /// Connects to the server that has the world now; one that is gone is let go of.
    fn look(&mut self) {
        let record = match self.find_server() {
            Ok(record) => record,
            Err(why) => {
                self.part();
                return self.teller.tell(RobotEvent::Link(why));
            }
        };
        let server = (record.pid, record.endpoint);
        if self.link.as_ref().is_some_and(|link| link.server == server) {
            return;
        }
        self.part();
        match connect(&self.address, &record, &self.teller) {
            Ok((link, publisher)) => {
                *lock(&self.speaker) = Some(publisher);
                self.link = Some(link);
                let text = format!(
                    "the world {:?} is there, but nothing is heard of {:?}: it must have a motion \
                     player, and the world must not be paused",
                    record.world, self.address.model
                );
                self.teller.tell(RobotEvent::Link(text));
            }
            Err(why) => self.teller.tell(RobotEvent::Link(why)),
        }
    }

    fn part(&mut self) {
        *lock(&self.speaker) = None;
        self.link = None;
    }

    /// Finds the one other server that is meant; this process is never the robot.
    fn find_server(&self) -> Result<ServerRecord, String> {
        let wanted = &self.address.server;
        let own = std::process::id();
        let meant = |server: &ServerRecord| {
            let by_name = server.world == *wanted || server.pid.to_string() == *wanted;
            server.pid != own && (by_name || server.endpoint.to_string() == *wanted)
        };
        let servers = find_servers().map_err(|error| error.to_string())?;
        let mut fitting = servers.into_iter().filter(meant);
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Ok(only),
            (None, _) => Err(format!("no other Retake server runs {wanted:?}")),
            (Some(_), Some(_)) => {
                Err(format!("several Retake servers run {wanted:?}: name one by process id"))
            }
        }
    }

    fn carry_out(&self, asked_at: Instant, ask: &Ask) -> Answer {
        let Some(link) = &self.link else {
            return refused(0, "the robot is not there");
        };
        let stops = matches!(ask.order, Order::Cancel(_));
        // Nobody expects a robot to move long after it was told to.
        if !stops && (!ask.permit.holds() || asked_at.elapsed() > self.too_late) {
            return refused(0, "it came too late to be sent");
        }
        match &ask.order {
            Order::Follow(goal) => {
                let goal =
                    MotionGoal { robot: self.address.model.clone(), ..MotionGoal::clone(goal) };
                link.call(&names::motion_goal(&link.world), &goal)
            }
            Order::Cancel(goal_id) => {
                let (robot, goal_id) = (self.address.model.clone(), goal_id.clone());
                link.call(&names::motion_cancel(&link.world), &MotionCancel { robot, goal_id })
            }
            Order::SetTorque { joints, on } => {
                let torque =
                    SetTorque { robot: self.address.model.clone(), joint: joints.clone(), on: *on };
                let command = UserCmd {
                    id: uuid::Uuid::now_v7().to_string(),
                    author: "robot gateway".to_owned(),
                    by_program: true,
                    command: Some(user_cmd::Command::SetTorque(torque)),
                    ..UserCmd::default()
                };
                link.call(&names::user_command(&link.world), &command)
            }
        }
    }
}

impl Link {
    fn call<Q: typed::Typed>(&self, service: &str, request: &Q) -> Answer {
        let reply: Result<UserCmdReply, CallError> =
            typed::call(self.bus.as_ref(), service, request, TIMEOUT);
        match reply {
            Ok(reply) if reply.ok => Answer::Done(reply.message),
            Ok(reply) => refused(reply.error_code, &reply.message),
            Err(CallError::Refused { message }) => refused(-1, &message),
            Err(error) => Answer::Unknown(error.to_string()),
        }
    }
}

fn connect(
    address: &RobotAddress,
    record: &ServerRecord,
    teller: &Teller,
) -> Result<(Link, Publisher<MotionKeepAlive>), String> {
    let bus = ZenohBus::connect(record.endpoint).map_err(|error| error.to_string())?;
    let info: ServerInfo = typed::call(&bus, names::SERVER_INFO, &ServerInfoRequest {}, TIMEOUT)
        .map_err(|error| error.to_string())?;
    let (theirs, ours) = (info.protocol_version, retake_msgs::PROTOCOL_VERSION);
    if theirs != ours {
        return Err(format!(
            "its server speaks protocol {theirs}, this one {ours}. Use the same version of both"
        ));
    }
    let linked = listen(&bus, &address.model, teller).map_err(|error| error.to_string());
    let (publisher, guards) = linked?;
    let server = (record.pid, record.endpoint);
    let link = Link { bus: Arc::new(bus), world: info.world, server, _guards: guards };
    Ok((link, publisher))
}

/// Hears what the robot tells, and prepares to tell it that we are there.
fn listen(
    bus: &ZenohBus,
    model: &str,
    teller: &Teller,
) -> Result<(Publisher<MotionKeepAlive>, Vec<Guard>), retake_transport::BusError> {
    let topic = names::motion_keep_alive(model);
    let publisher = Publisher::new(bus, &topic, Delivery::Newest)?;
    let (joints, ends, follows) = (teller.clone(), teller.clone(), teller.clone());
    let guards = vec![
        typed::subscribe(bus, &names::joints_virtual(model), move |pose: JointPose| {
            joints.tell(RobotEvent::Joints(pose));
        })?,
        typed::subscribe(bus, &names::motion_result(model), move |result: MotionResult| {
            ends.tell(RobotEvent::Ended(result));
        })?,
        typed::subscribe(bus, &names::motion_feedback(model), move |told: MotionFeedback| {
            follows.tell(RobotEvent::Follows(told.goal_id));
        })?,
    ];
    Ok((publisher, guards))
}

fn refused(code: i32, text: &str) -> Answer {
    Answer::Refused { code, text: text.to_owned() }
}

fn lock(speaker: &Speaker) -> MutexGuard<'_, Option<Publisher<MotionKeepAlive>>> {
    // Nothing under the lock can panic half way.
    speaker.lock().unwrap_or_else(PoisonError::into_inner)
}
