//! Topics that this node listens to, at every node that publishes them.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::net::TcpStream;
use tokio::task::JoinHandle;

use super::NODE;
use super::http::{PATIENCE, call};
use super::tcpros::{header, read_header, read_message, write_header};
use super::xmlrpc::Value;
use crate::hub::Hub;
use crate::message::{Flavour, library, md5_sum};

/// Most publishers that one topic is heard from.
const MOST: usize = 32;

/// Connections to publishers, by topic and by the address of their node.
#[derive(Default)]
pub(super) struct Listening(Mutex<BTreeMap<(String, String), JoinHandle<()>>>);

impl Listening {
    /// Listens to just these nodes for a topic.
    pub(super) fn follow(&self, hub: &Hub, topic: &str, publishers: &[Value]) {
        let mut connections = self.lock();
        let nodes: Vec<String> =
            publishers.iter().filter_map(Value::as_text).take(MOST).map(str::to_owned).collect();
        connections.retain(|(known, node), task| {
            let stays = known != topic || (nodes.contains(node) && !task.is_finished());
            if !stays {
                task.abort();
            }
            stays
        });
        for node in nodes {
            let key = (topic.to_owned(), node.clone());
            connections.entry(key).or_insert_with(|| {
                let (hub, topic) = (hub.clone(), topic.to_owned());
                tokio::spawn(async move {
                    if let Err(reason) = listen(&hub, &topic, &node).await {
                        tracing::debug!(topic, node, reason, "a publisher is not heard any more");
                    }
                })
            });
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<(String, String), JoinHandle<()>>> {
        // Nothing under the lock can panic half way.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.lock().values().for_each(JoinHandle::abort);
    }
}

/// Takes the messages of one publisher until it is gone.
async fn listen(hub: &Hub, topic: &str, node: &str) -> Result<(), String> {
    let graph = hub.graph();
    let input = graph.input(topic).ok_or("nobody listens to it any more")?;
    let protocols = Value::Array(vec![Value::Array(vec![Value::text("TCPROS")])]);
    let asked = [Value::text(NODE), Value::text(topic), protocols];
    let answer = call(node, "requestTopic", &asked).await?;
    let [_, _, place] = answer.as_array() else { return Err(format!("{answer:?}")) };
    let [_, host, port] = place.as_array() else { return Err(format!("{place:?}")) };
    let (Some(host), Some(port)) = (host.as_text(), port.as_int()) else {
        return Err(format!("{place:?} is no place to connect to"));
    };
    let port = u16::try_from(port).map_err(|_| format!("{port} is no port"))?;
    let connecting = tokio::time::timeout(PATIENCE, TcpStream::connect((host, port))).await;
    let connected = connecting.map_err(|_| "it does not answer".to_owned())?;
    let mut stream = connected.map_err(|error| error.to_string())?;
    let library = library(Flavour::Ros1);
    let sum = md5_sum(library, input.type_name).map_err(|error| error.to_string())?;
    let told = header(&[
        ("callerid", NODE),
        ("topic", topic),
        ("type", input.type_name),
        ("md5sum", &sum),
        ("tcp_nodelay", "1"),
    ]);
    write_header(&mut stream, &told).await?;
    read_header(&mut stream).await?;
    loop {
        let bytes = read_message(&mut stream).await?;
        let taken = library.from_ros1(input.type_name, &bytes).map_err(|error| error.to_string());
        if let Err(reason) = taken.and_then(|message| hub.publish(topic, message)) {
            tracing::warn!(topic, reason, "a message is left out");
        }
    }
}
