//! A page: what a browser would be to a GUI host.

use std::collections::VecDeque;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use prost::Message as _;
use retake_msgs::host_message::Message as Told;
use retake_msgs::{
    EntityRef, Hello, HostMessage, MoveEntity, PageMessage, Reply, Request, UserCmd, Vector3,
    WorldControl, page_message, request, user_cmd,
};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

/// How long a host may be silent; it sends statistics several times a second.
const PATIENCE: Duration = Duration::from_secs(60);
/// How many messages may come before the one that is waited for.
const MESSAGES: usize = 3000;

pub struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    asked: u64,
    /// What came while a reply was waited for, and is still to be looked at.
    waiting: VecDeque<Told>,
    /// The newest poses: their set, the time they are of, 7 numbers each.
    poses: (u32, f64, Vec<f32>),
    /// The newest set of poses, and its entities.
    set: (u32, Vec<u64>),
}

impl Page {
    pub async fn open(address: &str) -> Self {
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        request.headers_mut().insert("Origin", format!("http://{address}").parse().unwrap());
        let (socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
        let (poses, set) = Default::default();
        let mut page = Self { socket, asked: 0, waiting: VecDeque::new(), poses, set };
        let hello = Hello {
            protocol_version: retake_msgs::PROTOCOL_VERSION,
            client_name: "test".to_owned(),
        };
        page.say(page_message::Message::Hello(hello)).await;
        page
    }

    /// Says something that has no reply.
    pub async fn say(&mut self, message: page_message::Message) {
        let mut bytes = 1u32.to_le_bytes().to_vec();
        bytes.extend(PageMessage { message: Some(message) }.encode_to_vec());
        self.socket.send(Message::Binary(bytes.into())).await.unwrap();
    }

    /// Asks for something without waiting for the reply.
    pub async fn ask(&mut self, request: request::Request) -> u64 {
        self.asked += 1;
        let request = Request { request_id: self.asked, request: Some(request) };
        self.say(page_message::Message::Request(request)).await;
        self.asked
    }

    /// Asks for something and waits for the reply.
    pub async fn call(&mut self, request: request::Request) -> Reply {
        let asked = self.ask(request).await;
        for _ in 0..MESSAGES {
            match self.receive().await {
                Some(Told::Reply(reply)) if reply.request_id == asked => return reply,
                told => self.waiting.extend(told),
            }
        }
        panic!("no reply came");
    }

    pub async fn control(&mut self, control: WorldControl) -> Reply {
        self.call(request::Request::Control(control)).await
    }

    /// Moves a model.
    pub async fn move_to(&mut self, name: &str, x: f64, y: f64) -> Reply {
        self.asked += 1;
        let command = UserCmd {
            id: format!("{name}-{}-{x}", self.asked),
            command: Some(user_cmd::Command::MoveEntity(MoveEntity {
                entity: Some(EntityRef::named(name)),
                position: Some(Vector3 { x, y, z: 0.0 }),
                ..MoveEntity::default()
            })),
            ..UserCmd::default()
        };
        self.call(request::Request::Command(Box::new(command))).await
    }

    /// Reads until something is told that `wanted` takes.
    pub async fn until<T>(&mut self, mut wanted: impl FnMut(&Told) -> Option<T>) -> T {
        for _ in 0..MESSAGES {
            let told = match self.waiting.pop_front() {
                Some(told) => Some(told),
                None => self.receive().await,
            };
            if let Some(found) = told.as_ref().and_then(&mut wanted) {
                return found;
            }
        }
        panic!("what was waited for did not come");
    }

    /// Reads the next message; none for poses.
    async fn receive(&mut self) -> Option<Told> {
        let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
        let message = next.expect("the host says nothing").expect("the host hung up").unwrap();
        let Message::Binary(bytes) = message else { return None };
        if bytes[..4] != 1u32.to_le_bytes() {
            let time = f64::from_le_bytes(bytes[8..16].try_into().unwrap());
            let numbers =
                bytes[16..].chunks_exact(4).map(|n| f32::from_le_bytes(n.try_into().unwrap()));
            self.poses =
                (u32::from_le_bytes(bytes[4..8].try_into().unwrap()), time, numbers.collect());
            return None;
        }
        let told = HostMessage::decode(&bytes[4..]).unwrap().message;
        if let Some(Told::PoseSet(set)) = &told {
            self.set = (set.set_id, set.entity.clone());
        }
        told
    }

    /// Returns the time of what the page sees, in seconds, and the place of an entity in it.
    pub fn seen(&self, entity: u64) -> (f64, [f32; 3]) {
        let (of, time, numbers) = &self.poses;
        assert_eq!(*of, self.set.0, "poses and their set belong together");
        let at = self.set.1.iter().position(|known| *known == entity).expect("the entity moves");
        (*time, numbers[at * 7..at * 7 + 3].try_into().unwrap())
    }

    /// Reads until what the page sees is of a time, in seconds.
    pub async fn until_seen(&mut self, secs: f64) {
        for _ in 0..MESSAGES {
            if (self.poses.1 - secs).abs() < 1e-9 && self.poses.0 == self.set.0 {
                return;
            }
            let told = self.receive().await;
            self.waiting.extend(told);
        }
        panic!("the page sees {} s and not {secs} s", self.poses.1);
    }

    /// Reads until the statistics say what is wanted.
    pub async fn until_paused(&mut self, paused: bool) {
        self.until(|told| match told {
            Told::Stats(stats) if stats.paused == paused => Some(()),
            _ => None,
        })
        .await;
    }

    /// Reads until GUIs hold just these actions.
    pub async fn until_pending(&mut self, expected: &[&str]) {
        self.until(|told| match told {
            Told::Pending(pending) => {
                let all = pending.gui.iter().flat_map(|gui| &gui.action);
                let found: Vec<&str> = all.map(|action| action.description.as_str()).collect();
                (found == expected).then_some(())
            }
            _ => None,
        })
        .await;
    }

    /// Reads until a notification has a text in it, and returns it whole.
    pub async fn until_told(&mut self, text: &str) -> String {
        self.until(|told| match told {
            Told::Notification(said) if said.text.contains(text) => Some(said.text.clone()),
            _ => None,
        })
        .await
    }
}
