//! One viewer.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::wire::{self, Told};
use crate::hub::{Graph, Hub, HubGuard, Sample};
use crate::message::{Flavour, library, schema_text};
use crate::web::{Out, Outbox, Socket, is_taken};

/// Most subscriptions, and most channels, of one viewer.
const MOST: usize = 256;
/// Number of the subscription to the clock, which is told as time; viewers count from 0 up.
const CLOCK: u32 = u32::MAX;

/// Serves a viewer until it leaves.
pub(super) async fn run(socket: Socket, hub: Hub) {
    let (mut sink, mut stream) = socket.split();
    let outbox: Outbox<Message> = Outbox::default();
    let mut session = Session::begin(hub.clone(), outbox.clone());
    loop {
        tokio::select! {
            heard = stream.next() => match heard {
                Some(Ok(Message::Text(text))) => session.hear(&text),
                Some(Ok(Message::Binary(bytes))) => session.take(&bytes),
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
            out = outbox.next() => {
                let message = match out {
                    Some(Out::Message(message)) => message,
                    Some(Out::Newest(number, sample)) => match encoded(number, &sample, &hub) {
                        Some(message) => message,
                        None => continue,
                    },
                    None => break,
                };
                if !is_taken(sink.send(message)).await {
                    break;
                }
            }
        }
    }
    outbox.close();
}

/// Numbers of channels and services, given once and kept while the viewer is there.
#[derive(Default)]
struct Numbers {
    channels: Vec<String>,
    advertised: Vec<String>,
}

struct Session {
    hub: Hub,
    outbox: Outbox<Message>,
    numbers: Arc<Mutex<Numbers>>,
    subscriptions: BTreeMap<u32, HubGuard>,
    /// Channels of the viewer: topic and encoding.
    own: BTreeMap<u32, (String, String)>,
    _clock: HubGuard,
    _graph: HubGuard,
}

impl Session {
    fn begin(hub: Hub, outbox: Outbox<Message>) -> Self {
        say(
            &outbox,
            &json!({
                "op": "serverInfo",
                "name": "retake",
                "capabilities": ["time", "clientPublish", "services"],
                "supportedEncodings": ["cdr", "json"],
                "metadata": {"ROS_DISTRO": "jazzy"},
                "sessionId": uuid::Uuid::now_v7().to_string(),
            }),
        );
        let numbers: Arc<Mutex<Numbers>> = Arc::default();
        let graph = hub.graph();
        say(&outbox, &services(&graph));
        advertise(&numbers, &outbox, &graph);
        let (known, theirs) = (Arc::clone(&numbers), outbox.clone());
        let watcher = move |graph: &Arc<Graph>| advertise(&known, &theirs, graph);
        let _graph = hub.watch_graph(Arc::new(watcher));
        let clock = outbox.clone();
        let listener = move |sample: &Arc<Sample>| clock.newest(CLOCK, sample);
        let _clock = hub.subscribe("/clock", Arc::new(listener));
        let (subscriptions, own) = (BTreeMap::new(), BTreeMap::new());
        Self { hub, outbox, numbers, subscriptions, own, _clock, _graph }
    }

    fn hear(&mut self, text: &str) {
        let message: Value = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => return self.complain(&format!("This is no JSON: {error}")),
        };
        // Whoever is cut off in the middle of a list has what is left of it for nothing.
        let outbox = self.outbox.clone();
        let list = |name: &str| {
            let list = message[name].as_array().cloned().unwrap_or_default();
            list.into_iter().take_while(|_| !outbox.is_closed())
        };
        match message["op"].as_str().unwrap_or_default() {
            "subscribe" => list("subscriptions").for_each(|one| self.subscribe(&one)),
            "unsubscribe" => list("subscriptionIds").for_each(|id| {
                self.subscriptions.remove(&number(&id));
            }),
            "advertise" => list("channels").for_each(|channel| self.take_channel(&channel)),
            "unadvertise" => list("channelIds").for_each(|id| {
                self.own.remove(&number(&id));
            }),
            other => self.complain(&format!("op is {other:?}, which is not understood here")),
        }
    }

    fn subscribe(&mut self, asked: &Value) {
        let (id, channel) = (number(&asked["id"]), number(&asked["channelId"]));
        let topic = lock(&self.numbers).channels.get(channel as usize).cloned();
        let graph = self.hub.graph();
        let Some(topic) = topic.as_deref().and_then(|name| graph.topic(name)) else {
            return self.complain(&format!("There is no channel {channel}"));
        };
        if self.subscriptions.len() >= MOST {
            return self.complain(&format!("{MOST} subscriptions are there already"));
        }
        let (outbox, each) = (self.outbox.clone(), topic.counts_each);
        let listener = move |sample: &Arc<Sample>| match each {
            true => outbox.push(Out::Newest(id, Arc::clone(sample))),
            false => outbox.newest(id, sample),
        };
        self.subscriptions.insert(id, self.hub.subscribe(&topic.name, Arc::new(listener)));
    }

    fn take_channel(&mut self, channel: &Value) {
        let word = |name: &str| channel[name].as_str().unwrap_or_default().to_owned();
        let (topic, encoding) = (word("topic"), word("encoding"));
        let graph = self.hub.graph();
        let Some(input) = graph.input(&topic) else {
            let known: Vec<&str> = graph.inputs.iter().map(|input| input.name.as_str()).collect();
            let known = known.join(", ");
            return self.complain(&format!("Nobody listens to {topic:?}. Listened to: {known}"));
        };
        let (named, full) = (word("schemaName"), library(Flavour::Ros2).full_name(input.type_name));
        if named != full && named != input.type_name {
            return self.complain(&format!("{topic} takes {full}, not {named:?}"));
        }
        if self.own.len() >= MOST {
            return self.complain(&format!("{MOST} channels are there already"));
        }
        self.own.insert(number(&channel["id"]), (topic, encoding));
    }

    fn take(&mut self, bytes: &[u8]) {
        match wire::read(bytes) {
            Ok(Told::Message { channel, payload }) => {
                if let Err(reason) = self.publish(channel, payload) {
                    self.complain(&reason);
                }
            }
            Ok(Told::Call { service, call, encoding, payload }) => {
                self.call(service, call, encoding, payload);
            }
            Err(reason) => self.complain(reason),
        }
    }

    fn publish(&self, channel: u32, payload: &[u8]) -> Result<(), String> {
        let own = self.own.get(&channel);
        let (topic, encoding) = own.ok_or(format!("Channel {channel} was not advertised"))?;
        let graph = self.hub.graph();
        let input = graph.input(topic).ok_or(format!("Nobody listens to {topic:?} any more"))?;
        let message = decode(input.type_name, encoding, payload)?;
        self.hub.publish(topic, message)
    }

    fn call(&self, service: u32, call: u32, encoding: &str, payload: &[u8]) {
        let outbox = self.outbox.clone();
        let fail = move |reason: String| {
            say(
                &outbox,
                &json!({
                    "op": "serviceCallFailure", "serviceId": service, "callId": call, "message": reason,
                }),
            );
        };
        let graph = self.hub.graph();
        let Some(entry) = graph.services.get(service as usize) else {
            return fail(format!("There is no service {service}"));
        };
        let types = library(Flavour::Ros2).service(entry.type_name);
        let request = match decode(&types.request, encoding, payload) {
            Ok(request) => request,
            Err(reason) => return fail(reason),
        };
        let (outbox, encoding) = (self.outbox.clone(), encoding.to_owned());
        let reply = move |answer: Result<Value, String>| {
            let bytes = answer.and_then(|value| encode(&types.response, &encoding, &value));
            match bytes {
                Ok(bytes) => {
                    let bytes = wire::response(service, call, &encoding, &bytes);
                    outbox.push(Out::Message(Message::binary(bytes)));
                }
                Err(reason) => fail(reason),
            }
        };
        self.hub.call(&entry.name, request, Box::new(reply));
    }

    fn complain(&self, reason: &str) {
        say(&self.outbox, &json!({"op": "status", "level": 2, "message": reason}));
    }
}

/// Tells a viewer of topics that came and went.
fn advertise(numbers: &Mutex<Numbers>, outbox: &Outbox<Message>, graph: &Graph) {
    let mut numbers = lock(numbers);
    let there: Vec<&str> = graph
        .topics
        .iter()
        .filter(|topic| !topic.only_ros1)
        .map(|topic| topic.name.as_str())
        .collect();
    let gone: Vec<usize> = numbers
        .advertised
        .iter()
        .filter(|topic| !there.contains(&topic.as_str()))
        .filter_map(|topic| numbers.channels.iter().position(|known| known == topic))
        .collect();
    if !gone.is_empty() {
        say(outbox, &json!({"op": "unadvertise", "channelIds": gone}));
        numbers.advertised.retain(|topic| there.contains(&topic.as_str()));
    }
    let mut channels = Vec::new();
    for topic in graph.topics.iter().filter(|topic| !topic.only_ros1) {
        if numbers.advertised.contains(&topic.name) {
            continue;
        }
        let known = numbers.channels.iter().position(|known| *known == topic.name);
        let id = known.unwrap_or(numbers.channels.len());
        if known.is_none() {
            numbers.channels.push(topic.name.clone());
        }
        numbers.advertised.push(topic.name.clone());
        channels.push(json!({
            "id": id,
            "topic": topic.name,
            "encoding": "cdr",
            "schemaName": library(Flavour::Ros2).full_name(topic.type_name),
            "schemaEncoding": "ros2msg",
            "schema": schema_text(library(Flavour::Ros2), topic.type_name),
        }));
    }
    if !channels.is_empty() {
        say(outbox, &json!({"op": "advertise", "channels": channels}));
    }
}

/// Tells of the services; they are the same whatever robots there are.
fn services(graph: &Graph) -> Value {
    let ros2 = library(Flavour::Ros2);
    let part = |type_name: &str| {
        json!({
            "encoding": "cdr",
            "schemaName": ros2.full_name(type_name),
            "schemaEncoding": "ros2msg",
            "schema": schema_text(ros2, type_name),
        })
    };
    let service = |(id, entry): (usize, &crate::hub::ServiceEntry)| {
        let types = ros2.service(entry.type_name);
        json!({
            "id": id,
            "name": entry.name,
            "type": entry.type_name.replacen('/', "/srv/", 1),
            "request": part(&types.request),
            "response": part(&types.response),
        })
    };
    let all: Vec<Value> = graph.services.iter().enumerate().map(service).collect();
    json!({"op": "advertiseServices", "services": all})
}

/// Encodes the message of a subscription.
fn encoded(subscription: u32, sample: &Sample, hub: &Hub) -> Option<Message> {
    let now = u64::try_from(hub.now().0).unwrap_or(0);
    if subscription == CLOCK {
        return Some(Message::binary(wire::time(now)));
    }
    match library(Flavour::Ros2).to_cdr(sample.type_name, &sample.message) {
        Ok(bytes) => Some(Message::binary(wire::message(subscription, now, &bytes))),
        Err(error) => {
            tracing::error!(topic = sample.topic, %error, "a message cannot be told");
            None
        }
    }
}

fn decode(type_name: &str, encoding: &str, payload: &[u8]) -> Result<Value, String> {
    let ros2 = library(Flavour::Ros2);
    match encoding {
        "cdr" => ros2.from_cdr(type_name, payload).map_err(|error| error.to_string()),
        "json" => {
            let value = serde_json::from_slice(payload);
            let value: Value = value.map_err(|error| format!("This is no JSON: {error}"))?;
            ros2.from_json(type_name, &value).map_err(|error| error.to_string())
        }
        other => Err(format!("The encoding is {other:?}; write \"cdr\" or \"json\"")),
    }
}

fn encode(type_name: &str, encoding: &str, value: &Value) -> Result<Vec<u8>, String> {
    let ros2 = library(Flavour::Ros2);
    match encoding {
        "json" => {
            let shaped = ros2.to_json(type_name, value).map_err(|error| error.to_string())?;
            Ok(shaped.to_string().into_bytes())
        }
        _ => ros2.to_cdr(type_name, value).map_err(|error| error.to_string()),
    }
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|number| u32::try_from(number).ok()).unwrap_or(u32::MAX - 1)
}

fn say(outbox: &Outbox<Message>, message: &Value) {
    outbox.push(Out::Message(Message::text(message.to_string())));
}

fn lock(numbers: &Mutex<Numbers>) -> MutexGuard<'_, Numbers> {
    // Nothing under the lock can panic half way.
    numbers.lock().unwrap_or_else(PoisonError::into_inner)
}
