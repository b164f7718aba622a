//! What pages and the tools of others send over WebSockets, to a whole program in one process.
//!
//! One client says anything; another one, which is polite, must have its answer all the same.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use fastrand::Rng;
use prost::Message as _;
use retake_gui::{BusLink, BusLinkGuard, Host, HostGuard, HostOptions};
use retake_msgs::host_message::Message as Told;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{
    Hello, HostMessage, PROTOCOL_VERSION, PageMessage, Request, WorldControl, descriptor_pool,
    request,
};
use retake_ros::{BridgeOptions, Bridges};
use retake_sim::{BusFront, Runner, RunnerHandle, View, inbox};
use retake_transport::{Bus, InProcessBus};
use serde_json::json;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Error, Message, WebSocket};

use super::messages::{Author, Stage, seeded};
use super::{Seen, Verdict};
use crate::damage::damaged;
use crate::samples::texts;

/// Messages of one input.
const MESSAGES: usize = 60;
/// Longest that the polite one waits.
const PATIENCE: Duration = Duration::from_secs(60);

const ROSBRIDGE: &[&str] = &[
    r#"{"op":"subscribe","id":"s1","topic":"/joint_states","type":"sensor_msgs/JointState","throttle_rate":10,"queue_length":1}"#,
    r#"{"op":"unsubscribe","id":"s1","topic":"/joint_states"}"#,
    r#"{"op":"advertise","topic":"/arm/joint_command","type":"trajectory_msgs/JointTrajectory"}"#,
    r#"{"op":"publish","topic":"/cmd_vel","msg":{"linear":{"x":1.0,"y":0,"z":0},"angular":{"z":0.5}}}"#,
    r#"{"op":"call_service","id":"c1","service":"/rosapi/topics","args":{}}"#,
    r#"{"op":"call_service","id":"c2","service":"/retake/pause","args":{"data":true}}"#,
    r#"{"op":"call_service","id":"c3","service":"/spawn_entity","args":{"name":"n","xml":"<sdf/>"}}"#,
    r#"{"op":"send_action_goal","id":"g1","action":"/arm/follow_joint_trajectory","action_type":"control_msgs/action/FollowJointTrajectory","feedback":true,"args":{"trajectory":{"joint_names":["elbow"],"points":[{"positions":[0.5],"time_from_start":{"sec":1,"nanosec":0}}]}}}"#,
    r#"{"op":"cancel_action_goal","id":"g1","action":"/arm/follow_joint_trajectory"}"#,
    r#"{"op":"set_level","level":"info"}"#,
];

const FOXGLOVE: &[&str] = &[
    r#"{"op":"subscribe","subscriptions":[{"id":1,"channelId":0},{"id":2,"channelId":3}]}"#,
    r#"{"op":"unsubscribe","subscriptionIds":[1,2]}"#,
    r#"{"op":"advertise","channels":[{"id":1,"topic":"/cmd_vel","encoding":"json","schemaName":"geometry_msgs/Twist"}]}"#,
    r#"{"op":"unadvertise","channelIds":[1]}"#,
];

/// A program: a server on a bus, a host with a copy, and bridges.
struct Site {
    words: Vec<String>,
    host: HostGuard,
    bridges: Bridges,
    runner: RunnerHandle,
    _link: BusLinkGuard,
    _front: BusFront,
    _stage: tempfile::TempDir,
}

impl Site {
    fn open(rng: &mut Rng) -> Result<Self, String> {
        let Stage { mut server, words, folder } = Stage::new(rng)?;
        let bus: Arc<dyn Bus> = Arc::new(InProcessBus::new());
        let (sender, inbox) = inbox();
        let opened = BusFront::open(&bus, server.world_name(), &sender);
        let (front, feed) = opened.map_err(|error| error.to_string())?;
        let first = View {
            ecm: server.view(),
            stats: server.statistics(),
            history: Arc::clone(server.history()),
            timeline: server.timeline(),
            pending: Arc::clone(server.pending()),
            recording: Arc::default(),
        };
        let options =
            BridgeOptions { rosbridge: Some(0), foxglove: Some(0), ..BridgeOptions::default() };
        let started = Bridges::start(&options, first, sender.clone());
        let (bridges, sink) = started.map_err(|error| error.to_string())?;
        let runner = Runner::new(server, inbox, vec![feed, sink]).guis(front.guis(PATIENCE));
        let runner = runner.spawn().map_err(|error| error.to_string())?;
        let registry = retake_sim::systems::registry();
        let roots = retake_assets::ResourceRoots::new();
        let shared = Arc::clone(&bus);
        let (link, _link) = BusLink::start(registry, roots, move || Ok(Arc::clone(&shared)))?;
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let host = Host::bind(address, Arc::new(link), HostOptions::default());
        let host = host.and_then(Host::spawn).map_err(|error| error.to_string())?;
        Ok(Self { words, host, bridges, runner, _link, _front: front, _stage: folder })
    }

    /// Returns where a bridge is.
    fn bridge(&self, name: &str) -> Result<SocketAddr, String> {
        let line = self.bridges.addresses().iter().find(|line| line.starts_with(name));
        let address = line.and_then(|line| line.split("//").nth(1)?.parse().ok());
        address.ok_or_else(|| format!("no {name}"))
    }

    fn close(self) -> Result<(), String> {
        let Self { host, bridges, runner, .. } = self;
        drop((host, bridges));
        runner.stop();
        runner.join().map(|_| ())
    }
}

/// A line to a socket.
struct Line(WebSocket<TcpStream>);

impl Line {
    fn open(address: SocketAddr, path: &str, protocol: Option<&str>) -> Result<Self, String> {
        let told = |error: &dyn std::fmt::Display| format!("no connection: {error}");
        let stream = TcpStream::connect(address).map_err(|error| told(&error))?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(|error| told(&error))?;
        let request = format!("ws://{address}{path}").into_client_request();
        let mut request = request.map_err(|error| told(&error))?;
        if let Some(protocol) = protocol.and_then(|protocol| protocol.parse().ok()) {
            request.headers_mut().insert("Sec-WebSocket-Protocol", protocol);
        }
        let (socket, _) = tungstenite::client(request, stream).map_err(|error| told(&error))?;
        Ok(Self(socket))
    }

    /// Sends something; says whether the other side still listens.
    fn say(&mut self, message: Message) -> bool {
        self.0.send(message).is_ok() && self.drain()
    }

    /// Reads what is there, so that nobody has to wait for this one.
    fn drain(&mut self) -> bool {
        self.0.get_ref().set_read_timeout(Some(Duration::from_micros(200))).ok();
        loop {
            match self.0.read() {
                Ok(_) => {}
                Err(Error::Io(error))
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    return true;
                }
                Err(_) => return false,
            }
        }
    }

    /// Reads until something comes that was waited for.
    fn until(&mut self, wanted: impl Fn(&Message) -> bool) -> Result<(), String> {
        self.0.get_ref().set_read_timeout(Some(PATIENCE)).ok();
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            let message = self.0.read().map_err(|error| format!("the polite one: {error}"))?;
            if wanted(&message) {
                return Ok(());
            }
        }
        Err("the polite one has no answer".to_owned())
    }
}

fn framed(said: &PageMessage) -> Vec<u8> {
    [1u32.to_le_bytes().to_vec(), said.encode_to_vec()].concat()
}

fn page(address: SocketAddr) -> Result<Line, String> {
    let mut line = Line::open(address, "/ws", None)?;
    let hello = Hello { protocol_version: PROTOCOL_VERSION, client_name: "fuzz".to_owned() };
    line.say(Message::Binary(framed(&PageMessage { message: Some(Said::Hello(hello)) }).into()));
    Ok(line)
}

/// A page says anything, over and over.
pub(super) fn speak_as_page(input: &[u8]) -> Verdict {
    let mut rng = seeded(input);
    let site = Site::open(&mut rng)?;
    let (mut polite, mut rude) = (page(site.host.address())?, page(site.host.address())?);
    let kind = descriptor_pool().get_message_by_name("retake.msgs.PageMessage");
    let kind = kind.ok_or("no PageMessage")?;
    for _ in 0..MESSAGES {
        let made = Author { rng: &mut rng, words: &site.words }.message(kind.clone(), 0);
        let mut bytes = [1u32.to_le_bytes().to_vec(), made.encode_to_vec()].concat();
        let message = match rng.u8(..20) {
            0 => Message::Text(String::from_utf8_lossy(&bytes).into_owned().into()),
            1 | 2 => {
                bytes = damaged(&[bytes], &mut rng);
                Message::Binary(bytes.into())
            }
            _ => Message::Binary(bytes.into()),
        };
        if !rude.say(message) {
            rude = page(site.host.address())?;
        }
        polite.drain();
    }
    let control = WorldControl { pause: Some(true), ..WorldControl::default() };
    let request = request::Request::Control(control);
    let request = Request { request_id: 777, request: Some(request) };
    let said = PageMessage { message: Some(Said::Request(request)) };
    polite.0.send(Message::Binary(framed(&said).into())).map_err(|error| error.to_string())?;
    polite.until(|message| answers(message, 777))?;
    drop((polite, rude));
    site.close()?;
    Ok(Seen::Taken)
}

fn answers(message: &Message, request_id: u64) -> bool {
    let Message::Binary(bytes) = message else { return false };
    let told = bytes.get(4..).and_then(|rest| HostMessage::decode(rest).ok());
    matches!(
        told.and_then(|told| told.message),
        Some(Told::Reply(reply)) if reply.request_id == request_id
    )
}

/// A client of rosbridge says anything.
pub(super) fn speak_as_ros(input: &[u8]) -> Verdict {
    let mut rng = seeded(input);
    let site = Site::open(&mut rng)?;
    let address = site.bridge("rosbridge")?;
    let (mut polite, mut rude) = (Line::open(address, "/", None)?, Line::open(address, "/", None)?);
    let samples = texts(ROSBRIDGE);
    for _ in 0..MESSAGES {
        let bytes = damaged(&samples, &mut rng);
        let message = match rng.u8(..20) {
            0 => Message::Binary(bytes.into()),
            _ => Message::Text(String::from_utf8_lossy(&bytes).into_owned().into()),
        };
        if !rude.say(message) {
            rude = Line::open(address, "/", None)?;
        }
    }
    let call = json!({"op": "call_service", "id": "polite", "service": "/rosapi/topics"});
    polite.0.send(Message::Text(call.to_string().into())).map_err(|error| error.to_string())?;
    polite.until(|message| message.to_text().is_ok_and(|text| text.contains("\"polite\"")))?;
    drop((polite, rude));
    site.close()?;
    Ok(Seen::Taken)
}

/// A client of the Foxglove protocol says anything.
pub(super) fn speak_as_foxglove(input: &[u8]) -> Verdict {
    let mut rng = seeded(input);
    let site = Site::open(&mut rng)?;
    let address = site.bridge("Foxglove")?;
    let open = || Line::open(address, "/", Some("foxglove.sdk.v1"));
    let mut rude = open()?;
    let samples = texts(FOXGLOVE);
    for _ in 0..MESSAGES {
        let message = match rng.u8(..3) {
            // A message on a channel, or a call of a service: a letter and numbers.
            0 => {
                let head = [1 + rng.u8(..3), rng.u8(..4), 0, 0, 0];
                let rest: Vec<u8> = (0..rng.usize(..40)).map(|_| rng.u8(..)).collect();
                Message::Binary([head.to_vec(), rest].concat().into())
            }
            _ => {
                let bytes = damaged(&samples, &mut rng);
                Message::Text(String::from_utf8_lossy(&bytes).into_owned().into())
            }
        };
        if !rude.say(message) {
            rude = open()?;
        }
    }
    let mut polite = open()?;
    polite.until(|message| message.to_text().is_ok_and(|text| text.contains("serverInfo")))?;
    drop((polite, rude));
    site.close()?;
    Ok(Seen::Taken)
}
