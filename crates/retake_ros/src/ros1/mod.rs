//! A node of ROS 1: XML-RPC with the master and other nodes, messages over TCPROS.
//!
//! No ROS needs to be installed. The node listens on 127.0.0.1 only, so nodes of this machine find
//! it. It tells the master again what it has when the master was started anew, and takes it back at
//! its end.

mod announced;
mod connection;
mod http;
mod listening;
mod tcpros;
pub mod wire;
mod xmlrpc;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::hub::{Graph, Hub};
use listening::Listening;
use xmlrpc::Value;

/// Name of the node.
const NODE: &str = "/retake";

/// Address where a master is looked for.
pub const DEFAULT_MASTER: &str = "http://127.0.0.1:11311";

/// How often the master is asked whether it still knows the node.
const LOOK: Duration = Duration::from_secs(1);
/// Connections at once; further ones are closed unheard.
const MOST: usize = 256;

/// Checks the address of a master.
pub(crate) fn check_master(uri: &str) -> Result<(), String> {
    http::host_of(uri).map(|_| ())
}

/// Where the node listens.
pub(crate) struct Doors {
    /// For XML-RPC.
    pub(crate) api: TcpListener,
    /// For TCPROS.
    pub(crate) data: TcpListener,
}

struct Node {
    master: String,
    hub: Hub,
    api_port: u16,
    data_port: u16,
    listening: Listening,
}

/// Is a node until `ending` becomes true; ends when the master knows of nothing any more.
pub(crate) async fn run(doors: Doors, master: String, hub: Hub, ending: watch::Receiver<bool>) {
    let port = |door: &TcpListener| door.local_addr().map_or(0, |address| address.port());
    let (api_port, data_port) = (port(&doors.api), port(&doors.data));
    let listening = Listening::default();
    let node = Arc::new(Node { master, hub, api_port, data_port, listening });
    tokio::select! {
        () = accept(doors.api, Arc::clone(&node), Door::Api) => {}
        () = accept(doors.data, Arc::clone(&node), Door::Data) => {}
        () = stay_known(node, ending) => {}
    }
}

#[derive(Clone, Copy)]
enum Door {
    Api,
    Data,
}

async fn accept(listener: TcpListener, node: Arc<Node>, door: Door) {
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        match (listener.accept().await, Arc::clone(&places).try_acquire_owned()) {
            (Ok((stream, _)), Ok(place)) => {
                let node = Arc::clone(&node);
                tokio::spawn(async move {
                    let served = match door {
                        Door::Api => {
                            http::answer(stream, |method, params| node.answer(&method, &params))
                                .await
                        }
                        Door::Data => connection::serve(stream, node.hub.clone()).await,
                    };
                    if let Err(reason) = served {
                        tracing::debug!(reason, "a node was not served");
                    }
                    drop(place);
                });
            }
            (Ok(_), Err(_)) => tracing::warn!("{MOST} nodes are connected already"),
            (Err(cause), _) => {
                tracing::warn!(%cause, "a connection could not be accepted");
                tokio::time::sleep(LOOK).await;
            }
        }
    }
}

/// Keeps the master told of all that there is, until the end.
async fn stay_known(node: Arc<Node>, mut ending: watch::Receiver<bool>) {
    let mut told: BTreeSet<Registration> = BTreeSet::new();
    let mut complained = false;
    loop {
        let known = node.call_master("lookupNode", &[Value::text(NODE)]).await;
        match known {
            Err(reason) => {
                if !complained {
                    let master = &node.master;
                    tracing::warn!(master, reason, "the master of ROS is not there: tried again");
                }
                complained = true;
                told.clear();
            }
            Ok(found) => {
                complained = false;
                // Another address is that of an earlier run.
                if found.as_text() != Some(node.api().as_str()) {
                    told.clear();
                }
                node.register(&mut told).await;
            }
        }
        // Nobody is left to say that it goes on when it cannot be said any more.
        if tokio::time::timeout(LOOK, ending.wait_for(|ending| *ending)).await.is_ok() {
            break;
        }
    }
    for gone in &told {
        node.take_back(gone).await;
    }
}

/// Something that the master is told.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Registration {
    Parameter(String, String),
    SimulatedTime,
    Publisher(String, String),
    Subscriber(String, String),
    Service(String),
}

impl Node {
    fn api(&self) -> String {
        format!("http://127.0.0.1:{}/", self.api_port)
    }

    fn service_place(&self) -> String {
        format!("rosrpc://127.0.0.1:{}", self.data_port)
    }

    /// Calls the master; what it answers is checked and unpacked.
    async fn call_master(&self, method: &str, params: &[Value]) -> Result<Value, String> {
        let params: Vec<Value> =
            std::iter::once(Value::text(NODE)).chain(params.iter().cloned()).collect();
        let answer = http::call(&self.master, method, &params).await?;
        match answer.as_array() {
            [Value::Int(_), _, value] => Ok(value.clone()),
            _ => Err(format!("the master answers {answer:?} to {method}")),
        }
    }

    /// Tells the master what it was not told yet, and takes back what is gone.
    async fn register(&self, told: &mut BTreeSet<Registration>) {
        let wanted = registrations(&self.hub);
        for gone in told.difference(&wanted).cloned().collect::<Vec<_>>() {
            self.take_back(&gone).await;
            told.remove(&gone);
        }
        for new in wanted.difference(told).cloned().collect::<Vec<_>>() {
            match self.tell(&new).await {
                Ok(()) => drop(told.insert(new)),
                Err(reason) => {
                    tracing::warn!(?new, reason, "the master was not told");
                    return;
                }
            }
        }
    }

    async fn tell(&self, what: &Registration) -> Result<(), String> {
        let text = |text: &String| Value::text(text.clone());
        let api = Value::text(self.api());
        match what {
            Registration::Parameter(name, value) => {
                self.call_master("setParam", &[text(name), text(value)]).await?;
            }
            Registration::SimulatedTime => {
                let params = [Value::text("/use_sim_time"), Value::Bool(true)];
                self.call_master("setParam", &params).await?;
            }
            Registration::Publisher(topic, kind) => {
                self.call_master("registerPublisher", &[text(topic), text(kind), api]).await?;
            }
            Registration::Subscriber(topic, kind) => {
                let params = [text(topic), text(kind), api];
                let publishers = self.call_master("registerSubscriber", &params).await?;
                self.listening.follow(&self.hub, topic, publishers.as_array());
            }
            Registration::Service(name) => {
                let place = Value::text(self.service_place());
                self.call_master("registerService", &[text(name), place, api]).await?;
            }
        }
        Ok(())
    }

    async fn take_back(&self, what: &Registration) {
        let api = Value::text(self.api());
        let done = match what {
            Registration::Publisher(topic, _) => {
                self.call_master("unregisterPublisher", &[Value::text(topic), api]).await
            }
            Registration::Subscriber(topic, _) => {
                self.listening.follow(&self.hub, topic, &[]);
                self.call_master("unregisterSubscriber", &[Value::text(topic), api]).await
            }
            Registration::Parameter(name, _) => {
                self.call_master("deleteParam", &[Value::text(name)]).await
            }
            Registration::Service(name) => {
                let place = Value::text(self.service_place());
                self.call_master("unregisterService", &[Value::text(name), place]).await
            }
            // Whoever starts without a simulator would wait for its clock for ever.
            Registration::SimulatedTime => {
                self.call_master("deleteParam", &[Value::text("/use_sim_time")]).await
            }
        };
        if let Err(reason) = done {
            tracing::debug!(?what, reason, "the master was not told that it is gone");
        }
    }

    /// Answers what the master and other nodes ask.
    fn answer(&self, method: &str, params: &[Value]) -> Value {
        let fine = |value| Value::Array(vec![Value::Int(1), Value::text(""), value]);
        let text = |place: usize| params.get(place).and_then(Value::as_text).unwrap_or_default();
        match method {
            "requestTopic" if self.hub.graph().topic(text(1)).is_some() => {
                let port = Value::Int(self.data_port.into());
                let place = vec![Value::text("TCPROS"), Value::text("127.0.0.1"), port];
                fine(Value::Array(place))
            }
            "requestTopic" => {
                let reason = format!("nobody publishes {} here", text(1));
                Value::Array(vec![Value::Int(0), Value::text(reason), Value::Int(0)])
            }
            "publisherUpdate" => {
                let publishers = params.get(2).map_or(&[][..], Value::as_array);
                self.listening.follow(&self.hub, text(1), publishers);
                fine(Value::Int(0))
            }
            "paramUpdate" => fine(Value::Int(0)),
            "getPid" => fine(Value::Int(i32::try_from(std::process::id()).unwrap_or(0))),
            "getMasterUri" => fine(Value::text(self.master.clone())),
            "getName" => fine(Value::text(NODE)),
            "getBusInfo" | "getBusStats" => fine(Value::Array(Vec::new())),
            "getPublications" => fine(pairs(&self.hub.graph().topics)),
            "getSubscriptions" => fine(pairs(&self.hub.graph().inputs)),
            "shutdown" => {
                tracing::warn!("ROS asks the node to end; the world goes on, and so does the node");
                fine(Value::Int(0))
            }
            other => {
                let reason = format!("no method {other:?}");
                Value::Array(vec![Value::Int(-1), Value::text(reason), Value::Int(0)])
            }
        }
    }
}

fn pairs(topics: &[crate::hub::TopicEntry]) -> Value {
    let pair = |topic: &crate::hub::TopicEntry| {
        Value::Array(vec![Value::text(&topic.name), Value::text(topic.type_name)])
    };
    Value::Array(topics.iter().map(pair).collect())
}

fn registrations(hub: &Hub) -> BTreeSet<Registration> {
    let graph: Arc<Graph> = hub.graph();
    let mut all = BTreeSet::from([Registration::SimulatedTime]);
    for topic in &graph.topics {
        // MoveIt 1 and rviz read descriptions of robots as parameters.
        if let Some(urdf) =
            hub.kept(&topic.name).filter(|_| topic.name.ends_with("robot_description"))
        {
            let urdf = urdf.message["data"].as_str().unwrap_or_default().to_owned();
            all.insert(Registration::Parameter(topic.name.clone(), urdf));
        }
        all.insert(Registration::Publisher(topic.name.clone(), topic.type_name.to_owned()));
    }
    for input in &graph.inputs {
        all.insert(Registration::Subscriber(input.name.clone(), input.type_name.to_owned()));
    }
    all.extend(graph.services.iter().map(|service| Registration::Service(service.name.clone())));
    all
}
