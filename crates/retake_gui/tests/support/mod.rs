//! A host with a made-up server, and pages that speak with it.
#![allow(clippy::unwrap_used, dead_code, reason = "tests, each of which uses a part")]

pub mod fake_server;

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use prost::Message as _;
use retake_components::{EntityName, JointPosition, Kind, LocalPose, ModelProperties, WorldClock};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_gui::{
    Connection, Feed, FeedLink, Host, HostGuard, HostOptions, LinkRequest, ReplyTo, ShowTo, Shown,
    View, WorldTitle,
};
use retake_math::{Pose, SimTime, Vec3};
use retake_msgs::host_message::Message as Body;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{
    Hello, HostMessage, LogStatus, PROTOCOL_VERSION, PageMessage, PastRequest, SerializedState,
    UserCmdStats, Watch,
};
use retake_transport::Bus;
use tokio::net::TcpSocket;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, client_async};

/// Longer than any healthy machine needs; only a failing test waits this long.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Stands for the code of a farewell that has none, as in RFC 6455; without a farewell it is 0.
pub const NO_CODE: u16 = 1005;

/// A world: the ground that never moves, a car with a chassis, and the car's joint.
pub struct Scene {
    pub ecm: Ecm,
    pub world: EntityId,
    pub ground: EntityId,
    pub car: EntityId,
    pub chassis: EntityId,
    pub joint: EntityId,
    pub history: Arc<UserCmdStats>,
    pub recording: Arc<LogStatus>,
    pub playback: Option<Arc<Shown>>,
}

impl Scene {
    pub fn new() -> Self {
        let mut ecm = Ecm::new(retake_components::registry().build());
        let world = ecm.create();
        ecm.set(world, Kind::World).unwrap();
        ecm.set(world, EntityName("test".into())).unwrap();
        ecm.set(world, WorldClock::default()).unwrap();
        let (ground, car, chassis, joint) = (world, world, world, world);
        let history = Arc::default();
        let (recording, playback) = (Arc::default(), None);
        let mut scene =
            Self { ecm, world, ground, car, chassis, joint, history, recording, playback };
        scene.ground = scene.add(world, Kind::Model, "ground");
        scene.set_static(scene.ground, true);
        scene.add(scene.ground, Kind::Link, "plane");
        scene.car = scene.add_model("car");
        scene.chassis = scene.add(scene.car, Kind::Link, "chassis");
        scene.joint = scene.add(scene.car, Kind::Joint, "wheel");
        scene.ecm.set(scene.joint, JointPosition(vec![0.0])).unwrap();
        scene
    }

    pub fn add(&mut self, parent: EntityId, kind: Kind, name: &str) -> EntityId {
        let entity = self.ecm.create();
        self.ecm.set(entity, kind).unwrap();
        self.ecm.set(entity, EntityName(name.into())).unwrap();
        self.ecm.set(entity, Parent(parent)).unwrap();
        self.ecm.set(entity, LocalPose(Pose::IDENTITY)).unwrap();
        entity
    }

    pub fn add_model(&mut self, name: &str) -> EntityId {
        let model = self.add(self.world, Kind::Model, name);
        self.set_static(model, false);
        model
    }

    pub fn set_static(&mut self, model: EntityId, is_static: bool) {
        let properties = ModelProperties {
            is_static,
            self_collide: false,
            allow_auto_disable: true,
            enable_wind: false,
        };
        self.ecm.set(model, properties).unwrap();
    }

    pub fn put(&mut self, entity: EntityId, position: Vec3) {
        self.ecm.set(entity, LocalPose(Pose::from_position(position))).unwrap();
    }

    pub fn view(&mut self) -> View {
        let ecm = self.ecm.snapshot();
        self.ecm.close_tick();
        let world = WorldTitle { name: "test".into(), file: "worlds/test.sdf".into() };
        View {
            world: Arc::new(world),
            ecm,
            stats: retake_msgs::WorldStatistics::default(),
            history: Arc::clone(&self.history),
            timeline: Arc::default(),
            pending: Arc::default(),
            recording: Arc::clone(&self.recording),
            playback: self.playback.clone(),
            connection: Connection::Connected,
        }
    }

    /// Goes one step on.
    pub fn step(&mut self) -> View {
        let mut clock = *self.ecm.get::<WorldClock>(self.world).unwrap();
        clock.iterations += 1;
        clock.sim_time = SimTime::from_secs_f64(clock.iterations as f64 / 1000.0);
        self.ecm.set(self.world, clock).unwrap();
        self.view()
    }
}

/// A host, what it shows, and what pages ask of it.
pub struct Bench {
    pub scene: Scene,
    pub feed: Arc<Feed>,
    pub requests: mpsc::Receiver<(LinkRequest, ReplyTo)>,
    pub looks: mpsc::Receiver<(PastRequest, ShowTo)>,
    pub host: HostGuard,
    pub runtime: tokio::runtime::Runtime,
}

pub fn bench() -> Bench {
    bench_with(HostOptions::default(), Scene::new())
}

pub fn bench_with(options: HostOptions, scene: Scene) -> Bench {
    bench_on(None, options, scene)
}

/// A host whose server is on a bus.
pub fn bench_on(bus: Option<Arc<dyn Bus>>, options: HostOptions, mut scene: Scene) -> Bench {
    let feed = Arc::new(Feed::new(scene.view()));
    let (send, requests) = mpsc::channel();
    let send = Mutex::new(send);
    let link = FeedLink::new(Arc::clone(&feed), move |request, reply| {
        send.lock().unwrap().send((request, reply)).ok();
    });
    let (look, looks) = mpsc::channel();
    let look = Mutex::new(look);
    let link = link.looking_back(move |request, show| {
        look.lock().unwrap().send((request, show)).ok();
    });
    let link = match bus {
        Some(bus) => link.on_bus(bus),
        None => link,
    };
    let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let host = Host::bind(address, Arc::new(link), options).unwrap().spawn().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    Bench { scene, feed, requests, looks, host, runtime }
}

impl Bench {
    pub fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(async { tokio::time::timeout(PATIENCE, work).await.unwrap() })
    }

    /// Connects a page without greeting.
    pub async fn connect(&self, origin: Option<&str>) -> Result<Page, tungstenite::Error> {
        connect(self.host.address(), origin, None).await
    }

    /// Connects and greets a page, and takes everything up to the first statistics.
    pub async fn page(&self) -> Page {
        let mut page = self.connect(None).await.unwrap();
        page.hello(PROTOCOL_VERSION).await;
        page.until(|got| matches!(got, Got::Said(Body::Stats(_)))).await;
        page
    }

    /// Sends raw text and returns the whole answer.
    pub fn http(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(self.host.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    pub fn get(&self, path: &str) -> String {
        self.http(&format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n",
            self.host.address()
        ))
    }

    pub fn get_bytes(&self, path: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(self.host.address()).unwrap();
        let address = self.host.address();
        let request =
            format!("GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let split = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
        let body = answer.split_off(split);
        (String::from_utf8(answer).unwrap(), body)
    }
}

/// What a page got.
#[derive(Clone, Debug, PartialEq)]
pub enum Got {
    Said(Body),
    Poses { set_id: u32, time_secs: f64, numbers: Vec<f32> },
    Closed { code: u16, reason: String },
}

pub struct Page {
    socket: WebSocketStream<tokio::net::TcpStream>,
}

pub async fn connect(
    address: SocketAddr,
    origin: Option<&str>,
    receive_buffer: Option<u32>,
) -> Result<Page, tungstenite::Error> {
    let headers: Vec<_> = origin.into_iter().map(|origin| ("origin", origin)).collect();
    connect_with(address, &headers, receive_buffer).await
}

pub async fn connect_with(
    address: SocketAddr,
    headers: &[(&'static str, &str)],
    receive_buffer: Option<u32>,
) -> Result<Page, tungstenite::Error> {
    let socket = TcpSocket::new_v4().unwrap();
    if let Some(size) = receive_buffer {
        socket.set_recv_buffer_size(size).unwrap();
    }
    let stream = socket.connect(address).await.unwrap();
    let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    let (socket, _) = client_async(request, stream).await?;
    Ok(Page { socket })
}

impl Page {
    /// Returns the bare line, for what no client would send.
    pub fn stream(&mut self) -> &mut tokio::net::TcpStream {
        self.socket.get_mut()
    }

    pub async fn say(&mut self, said: Said) {
        let message = PageMessage { message: Some(said) };
        let mut bytes = 1u32.to_le_bytes().to_vec();
        message.encode(&mut bytes).unwrap();
        self.send(Message::Binary(bytes.into())).await;
    }

    pub async fn send(&mut self, message: Message) {
        self.try_send(message).await.unwrap();
    }

    pub async fn try_send(&mut self, message: Message) -> Result<(), tungstenite::Error> {
        self.socket.send(message).await
    }

    pub async fn hello(&mut self, protocol_version: u32) {
        self.say(Said::Hello(Hello { protocol_version, client_name: "tester".into() })).await;
    }

    pub async fn watch(&mut self, entities: &[EntityId]) {
        let entity = entities.iter().map(|entity| entity.raw()).collect();
        self.say(Said::Watch(Watch { entity })).await;
    }

    pub async fn next(&mut self) -> Got {
        loop {
            match self.socket.next().await {
                Some(Ok(Message::Binary(bytes))) => return read(&bytes),
                Some(Ok(Message::Close(Some(frame)))) => {
                    return Got::Closed {
                        code: frame.code.into(),
                        reason: frame.reason.to_string(),
                    };
                }
                Some(Ok(Message::Close(None))) => {
                    return Got::Closed { code: NO_CODE, reason: String::new() };
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(other)) => panic!("not in the protocol: {other:?}"),
                Some(Err(_)) | None => return Got::Closed { code: 0, reason: String::new() },
            }
        }
    }

    /// Takes messages up to the first that fits, which is returned.
    pub async fn until(&mut self, fits: impl Fn(&Got) -> bool) -> Got {
        loop {
            let got = self.next().await;
            if fits(&got) {
                return got;
            }
            assert!(!matches!(got, Got::Closed { .. }), "{got:?}");
        }
    }

    pub async fn state(&mut self) -> SerializedState {
        match self.until(|got| matches!(got, Got::Said(Body::State(_)))).await {
            Got::Said(Body::State(state)) => state,
            other => panic!("{other:?}"),
        }
    }

    pub async fn poses(&mut self) -> (u32, f64, Vec<f32>) {
        match self.until(|got| matches!(got, Got::Poses { .. })).await {
            Got::Poses { set_id, time_secs, numbers } => (set_id, time_secs, numbers),
            other => panic!("{other:?}"),
        }
    }

    pub async fn pose_set(&mut self) -> (u32, Vec<u64>) {
        match self.until(|got| matches!(got, Got::Said(Body::PoseSet(_)))).await {
            Got::Said(Body::PoseSet(set)) => (set.set_id, set.entity),
            other => panic!("{other:?}"),
        }
    }

    pub async fn closed(&mut self) -> (u16, String) {
        loop {
            if let Got::Closed { code, reason } = self.next().await {
                return (code, reason);
            }
        }
    }
}

fn read(bytes: &[u8]) -> Got {
    let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
    match u32::from_le_bytes(word(0)) {
        1 => Got::Said(HostMessage::decode(&bytes[4..]).unwrap().message.unwrap()),
        2 => Got::Poses {
            set_id: u32::from_le_bytes(word(4)),
            time_secs: f64::from_le_bytes(bytes[8..16].try_into().unwrap()),
            numbers: bytes[16..]
                .chunks(4)
                .map(|n| f32::from_le_bytes(n.try_into().unwrap()))
                .collect(),
        },
        kind => panic!("unknown kind {kind}"),
    }
}

/// Names of the components that a state has for an entity; none when the entity is not in it.
pub fn components(state: &SerializedState, entity: EntityId) -> Option<Vec<&str>> {
    let found = state.entities.iter().find(|found| found.id == entity.raw())?;
    let name = |index: u32| state.types[index as usize].name.as_str();
    let mut names: Vec<_> = found.components.iter().map(|c| name(c.type_index)).collect();
    names.sort_unstable();
    Some(names)
}
