//! One client of rosbridge.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

use super::offers::{Client, Offers};
use super::rosapi;
use crate::hub::{GoalEnd, GoalEvent, GoalHandle, Hub, HubGuard, Sample};
use crate::message::{Flavour, library};
use crate::web::{Out, Outbox, Socket, is_taken};

/// Most subscriptions, and most goals, of one client.
const MOST: usize = 256;

/// States of goals in ROS 2.
const SUCCEEDED: u8 = 4;
const CANCELED: u8 = 5;
const ABORTED: u8 = 6;

/// Serves a client until it leaves.
pub(super) async fn run(socket: Socket, hub: Hub, offers: Offers) {
    let (mut sink, mut stream) = socket.split();
    let outbox: Outbox<Message> = Outbox::default();
    let mut session = Session {
        hub,
        outbox: outbox.clone(),
        flavour: Flavour::Ros2,
        subscriptions: BTreeMap::new(),
        shapes: Arc::default(),
        goals: Arc::default(),
        number: offers.number(),
        offers,
        made: 0,
    };
    let shapes = Arc::clone(&session.shapes);
    loop {
        tokio::select! {
            heard = stream.next() => match heard {
                Some(Ok(Message::Text(text))) => session.hear(&text),
                Some(Ok(Message::Binary(bytes))) => match std::str::from_utf8(&bytes) {
                    Ok(text) => session.hear(text),
                    Err(_) => session.complain(None, "Binary messages are not understood: send JSON"),
                },
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                Some(Ok(_)) => {}
            },
            out = outbox.next() => {
                let message = match out {
                    Some(Out::Message(message)) => message,
                    Some(Out::Newest(number, sample)) => match shaped(&shapes, number, &sample) {
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
    session.leave();
}

/// What a subscription makes of messages.
#[derive(Clone, Copy)]
struct Shape {
    flavour: Flavour,
    /// Least time between two messages.
    throttle: Duration,
    last: Option<Instant>,
}

type Shapes = Arc<Mutex<BTreeMap<u32, Shape>>>;

struct Session {
    hub: Hub,
    outbox: Outbox<Message>,
    /// Which ROS the client seems to be used to.
    flavour: Flavour,
    /// By topic: the id that the client gave, and what ends the subscription.
    subscriptions: BTreeMap<String, Vec<(Option<String>, u32, HubGuard)>>,
    shapes: Shapes,
    goals: Arc<Mutex<BTreeMap<String, GoalHandle>>>,
    /// Services of clients, and the number of this one.
    offers: Offers,
    number: u64,
    made: u32,
}

impl Session {
    fn hear(&mut self, text: &str) {
        let message: Value = match serde_json::from_str(text) {
            Ok(message) => message,
            Err(error) => return self.complain(None, &format!("This is no JSON: {error}")),
        };
        let id = message["id"].as_str().map(str::to_owned);
        let done = match message["op"].as_str().unwrap_or_default() {
            "subscribe" => self.subscribe(&message, id.clone()),
            "unsubscribe" => self.unsubscribe(&message, id.as_deref()),
            "advertise" => self.advertise(&message),
            "unadvertise" | "set_level" | "auth" => Ok(()),
            "publish" => self.publish(&message),
            "call_service" => self.call_service(&message, id.clone()),
            "advertise_service" => self.offer_service(&message),
            "unadvertise_service" => self.withdraw_service(&message),
            "service_response" => self.offers.answer(self.number, &message),
            "send_action_goal" => self.send_goal(&message, id.clone()),
            "cancel_action_goal" => self.cancel_goal(id.as_deref()),
            other => Err(format!(
                "op is {other:?}; understood are subscribe, unsubscribe, advertise, unadvertise, \
                 publish, call_service, advertise_service, unadvertise_service, service_response, \
                 send_action_goal, cancel_action_goal"
            )),
        };
        if let Err(reason) = done {
            self.complain(id.as_deref(), &reason);
        }
    }

    fn complain(&self, id: Option<&str>, reason: &str) {
        let mut status = json!({"op": "status", "level": "error", "msg": reason});
        if let Some(id) = id {
            status["id"] = json!(id);
        }
        self.say(&status);
    }

    fn say(&self, message: &Value) {
        self.outbox.push(text(message));
    }

    /// Takes the flavour that a type is written in, and checks that the type is right.
    fn check_type(&mut self, message: &Value, field: &str, known: &str) -> Result<(), String> {
        let Some(given) = message[field].as_str().filter(|given| !given.is_empty()) else {
            return Ok(());
        };
        let parts: Vec<&str> = given.split('/').collect();
        self.flavour = if parts.len() == 3 { Flavour::Ros2 } else { Flavour::Ros1 };
        let plain = [parts.first(), parts.last()].map(|part| part.copied().unwrap_or_default());
        if plain.join("/") != known {
            return Err(format!("{field} is {given:?}; here it is {known:?}"));
        }
        Ok(())
    }

    fn subscribe(&mut self, message: &Value, id: Option<String>) -> Result<(), String> {
        let name = named(message, "topic")?;
        let graph = self.hub.graph();
        let Some(topic) = graph.topic(&name) else {
            let known: Vec<&str> = graph.topics.iter().map(|topic| topic.name.as_str()).collect();
            return Err(format!("No topic {name:?}. Known: {}", known.join(", ")));
        };
        self.check_type(message, "type", topic.type_name)?;
        if self.subscriptions.values().map(Vec::len).sum::<usize>() >= MOST {
            return Err(format!("{MOST} subscriptions are there already. Unsubscribe some"));
        }
        self.made += 1;
        let number = self.made;
        let throttle = message["throttle_rate"].as_u64().unwrap_or(0).min(1_000_000);
        let flavour = if topic.only_ros1 { Flavour::Ros1 } else { self.flavour };
        let shape = Shape { flavour, throttle: Duration::from_millis(throttle), last: None };
        lock(&self.shapes).insert(number, shape);
        let (outbox, each) = (self.outbox.clone(), topic.counts_each);
        let listener = move |sample: &Arc<Sample>| match each {
            true => outbox.push(Out::Newest(number, Arc::clone(sample))),
            false => outbox.newest(number, sample),
        };
        let guard = self.hub.subscribe(&name, Arc::new(listener));
        self.subscriptions.entry(name).or_default().push((id, number, guard));
        Ok(())
    }

    fn unsubscribe(&mut self, message: &Value, id: Option<&str>) -> Result<(), String> {
        let name = named(message, "topic")?;
        if let Some(all) = self.subscriptions.get_mut(&name) {
            // Without an id, all of the topic.
            all.retain(|(own, number, _)| {
                let stays = id.is_some() && own.as_deref() != id;
                if !stays {
                    lock(&self.shapes).remove(number);
                }
                stays
            });
        }
        self.subscriptions.retain(|_, all| !all.is_empty());
        Ok(())
    }

    fn advertise(&mut self, message: &Value) -> Result<(), String> {
        let name = named(message, "topic")?;
        let graph = self.hub.graph();
        let Some(input) = graph.input(&name) else { return Err(nobody_listens(&self.hub, &name)) };
        self.check_type(message, "type", input.type_name)
    }

    fn publish(&mut self, message: &Value) -> Result<(), String> {
        let name = named(message, "topic")?;
        let graph = self.hub.graph();
        let Some(input) = graph.input(&name) else { return Err(nobody_listens(&self.hub, &name)) };
        let flavour = if input.only_ros1 { Flavour::Ros1 } else { self.flavour };
        let content = library(flavour).from_json(input.type_name, &message["msg"]);
        self.hub.publish(&name, content.map_err(|error| format!("{name}: {error}"))?)
    }

    fn call_service(&mut self, message: &Value, id: Option<String>) -> Result<(), String> {
        let name = named(message, "service")?;
        if let Some(answer) = rosapi::answer(&self.hub, &name, &message["args"], self.flavour) {
            self.say(&response(&name, id.as_deref(), answer));
            return Ok(());
        }
        let graph = self.hub.graph();
        let Some(service) = graph.service(&name) else {
            if self.offers.call(self.client(), &name, id.clone(), &message["args"]).is_some() {
                return Ok(());
            }
            let known: Vec<&str> = graph.services.iter().map(|s| s.name.as_str()).collect();
            let text = format!("No service {name:?}. Known: {}", known.join(", "));
            self.say(&response(&name, id.as_deref(), Err(text)));
            return Ok(());
        };
        self.check_type(message, "type", service.type_name)?;
        let types = library(self.flavour).service(service.type_name);
        // What is asked may be left out when it has no fields.
        let args = if message["args"].is_null() { json!({}) } else { message["args"].clone() };
        let request = match library(self.flavour).from_json(&types.request, &args) {
            Ok(request) => request,
            Err(error) => {
                self.say(&response(&name, id.as_deref(), Err(error.to_string())));
                return Ok(());
            }
        };
        let (outbox, flavour, called) = (self.outbox.clone(), self.flavour, name.clone());
        let reply = move |answer: Result<Value, String>| {
            let shape = |value: Value| {
                let told = library(flavour).to_json(&types.response, &value);
                told.map_err(|error| error.to_string())
            };
            outbox.push(text(&response(&called, id.as_deref(), answer.and_then(shape))));
        };
        self.hub.call(&name, request, Box::new(reply));
        Ok(())
    }

    fn client(&self) -> Client {
        Client { number: self.number, outbox: self.outbox.clone() }
    }

    fn offer_service(&self, message: &Value) -> Result<(), String> {
        let name = named(message, "service")?;
        if self.hub.graph().service(&name).is_some() || name.starts_with("/rosapi/") {
            return Err(format!("{name:?} is a service of the world. Offer another name"));
        }
        self.offers.offer(self.client(), &name)
    }

    fn withdraw_service(&self, message: &Value) -> Result<(), String> {
        self.offers.withdraw(self.number, &named(message, "service")?);
        Ok(())
    }

    fn send_goal(&mut self, message: &Value, id: Option<String>) -> Result<(), String> {
        let name = named(message, "action")?;
        let id = id.ok_or("id is missing: it is how the goal is spoken of later")?;
        let graph = self.hub.graph();
        let Some(action) = graph.action(&name) else {
            let known: Vec<&str> = graph.actions.iter().map(|a| a.name.as_str()).collect();
            return Err(format!("No action {name:?}. Known: {}", known.join(", ")));
        };
        self.check_type(message, "action_type", action.type_name)?;
        let flavour = self.flavour;
        let parts = ["Goal", "Result", "Feedback"]
            .map(|part| library(flavour).action_part(action.type_name, part));
        let [goal_type, result_type, feedback_type] = parts;
        let goal = library(flavour).from_json(&goal_type, &message["args"]);
        let goal = goal.map_err(|error| format!("{name}: {error}"))?;
        if lock(&self.goals).len() >= MOST {
            return Err(format!("{MOST} goals are followed already. Cancel some"));
        }
        let wants_feedback = message["feedback"].as_bool().unwrap_or(false);
        let (outbox, goals, own) = (self.outbox.clone(), Arc::clone(&self.goals), id.clone());
        let watcher = move |event: GoalEvent| {
            let told = match event {
                GoalEvent::Accepted => return,
                GoalEvent::Feedback(_) if !wants_feedback => return,
                GoalEvent::Feedback(value) => {
                    let values = library(flavour).to_json(&feedback_type, &value);
                    let values = values.unwrap_or_default();
                    json!({"op": "action_feedback", "action": name, "id": own, "values": values})
                }
                GoalEvent::Rejected { code, text } => {
                    lock(&goals).remove(&own);
                    let value = json!({"error_code": code, "error_string": text});
                    let values = library(flavour).to_json(&result_type, &value);
                    result(&name, &own, false, ABORTED, values.unwrap_or_default())
                }
                GoalEvent::Ended(end, value) => {
                    lock(&goals).remove(&own);
                    let status = match end {
                        GoalEnd::Succeeded => SUCCEEDED,
                        GoalEnd::Canceled => CANCELED,
                        GoalEnd::Aborted | GoalEnd::Preempted => ABORTED,
                    };
                    let values = library(flavour).to_json(&result_type, &value);
                    result(&name, &own, true, status, values.unwrap_or_default())
                }
            };
            outbox.push(text(&told));
        };
        // Noted first, so that its end finds it.
        let name = self.hub.name_goal();
        lock(&self.goals).insert(id, name.clone());
        self.hub.send_goal(&name, &action.name, goal, Arc::new(watcher));
        Ok(())
    }

    fn cancel_goal(&mut self, id: Option<&str>) -> Result<(), String> {
        let id = id.ok_or("id is missing: which goal is meant?")?;
        let goal = lock(&self.goals).get(id).cloned();
        let goal = goal.ok_or_else(|| format!("No goal {id:?} is followed"))?;
        self.hub.cancel_goal(&goal);
        Ok(())
    }

    /// Ends what the client has left behind: nobody is there who could stop its goals.
    fn leave(&self) {
        self.outbox.close();
        self.offers.leave(self.number);
        let goals: Vec<GoalHandle> = lock(&self.goals).values().cloned().collect();
        goals.iter().for_each(|goal| self.hub.cancel_goal(goal));
    }
}

/// Encodes the message of a subscription, unless it comes too soon.
fn shaped(shapes: &Shapes, number: u32, sample: &Sample) -> Option<Message> {
    let flavour = {
        let mut shapes = lock(shapes);
        let shape = shapes.get_mut(&number)?;
        if shape.last.is_some_and(|last| last.elapsed() < shape.throttle) {
            return None;
        }
        shape.last = Some(Instant::now());
        shape.flavour
    };
    match library(flavour).to_json(sample.type_name, &sample.message) {
        Ok(message) => {
            let told = json!({"op": "publish", "topic": sample.topic, "msg": message});
            Some(Message::text(told.to_string()))
        }
        Err(error) => {
            tracing::error!(topic = sample.topic, %error, "a message cannot be told");
            None
        }
    }
}

fn text(message: &Value) -> Out<Message> {
    Out::Message(Message::text(message.to_string()))
}

fn named(message: &Value, field: &str) -> Result<String, String> {
    let name = message[field].as_str().ok_or_else(|| format!("{field} is missing"))?;
    match name.starts_with('/') {
        true => Ok(name.to_owned()),
        false => Ok(format!("/{name}")),
    }
}

fn nobody_listens(hub: &Hub, name: &str) -> String {
    let graph = hub.graph();
    let known: Vec<&str> = graph.inputs.iter().map(|input| input.name.as_str()).collect();
    format!("Nobody listens to {name:?}. Listened to: {}", known.join(", "))
}

fn response(service: &str, id: Option<&str>, answer: Result<Value, String>) -> Value {
    let (ok, values) = match answer {
        Ok(values) => (true, values),
        Err(reason) => (false, json!(reason)),
    };
    let mut told =
        json!({"op": "service_response", "service": service, "values": values, "result": ok});
    if let Some(id) = id {
        told["id"] = json!(id);
    }
    told
}

fn result(action: &str, id: &str, ok: bool, status: u8, values: Value) -> Value {
    json!({
        "op": "action_result", "action": action, "id": id,
        "values": values, "status": status, "result": ok,
    })
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // Nothing under the locks can panic half way.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
