//! A node of ROS 2 over DDS, without ROS.
//!
//! Names, types and promises are those that nodes of ROS 2 use, so that they find each other.
//! Nothing leaves this machine: sockets are tied to loopback, and others are looked for there.
//! Deliberately not here: parameters of the node, and the hashes of types, which RustDDS has no place
//! for; nodes of ROS 2 do without both.

mod action;
mod domain;
mod loopback;
mod names;
mod presence;
mod service;
mod topic;

use std::collections::BTreeMap;
use std::future::Future;
use std::sync::Arc;

use rustdds::{GUID, RTPSEntity};
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::hub::{ActionEntry, Graph, Hub, ServiceEntry, TopicEntry};
use crate::message::{Flavour, library};
pub(crate) use domain::Domain;
use domain::Promise;
use presence::Presence;
use service::{Handler, Server};

/// Highest number of a domain whose ports are there.
pub(crate) const HIGHEST_DOMAIN: u16 = 232;

/// Is a node until the future is dropped.
pub(crate) async fn run(domain: Domain, hub: Hub) {
    let presence = match Presence::new(&domain) {
        Ok(presence) => presence,
        Err(reason) => return tracing::error!(reason, "ROS 2 cannot be told of the node"),
    };
    let changed = Arc::new(Notify::new());
    let notified = Arc::clone(&changed);
    let _watching = hub.watch_graph(Arc::new(move |_| notified.notify_one()));
    let mut node = Node { domain, hub, parts: BTreeMap::new() };
    loop {
        let graph = node.hub.graph();
        node.follow(&graph);
        presence.tell(node.parts.values().flat_map(|part| &part.ends)).await;
        changed.notified().await;
    }
}

/// What a part of the node is for, so that it is known again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Topic(String, &'static str),
    Input(String, &'static str),
    Service(String, &'static str),
    Action(String, &'static str),
}

/// A part of the node, which serves until it is dropped.
struct Part {
    ends: Vec<End>,
    task: JoinHandle<()>,
}

impl Drop for Part {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// One of the node's ends of topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Reader(GUID),
    Writer(GUID),
}

struct Node {
    domain: Domain,
    hub: Hub,
    parts: BTreeMap<Key, Part>,
}

impl Node {
    /// Has just the parts that a graph asks for.
    fn follow(&mut self, graph: &Graph) {
        let topics = graph.topics.iter().filter(|topic| !topic.only_ros1);
        let inputs = graph.inputs.iter().filter(|topic| !topic.only_ros1);
        let wanted: BTreeMap<Key, Wanted<'_>> = (topics.map(Wanted::Topic))
            .chain(inputs.map(Wanted::Input))
            .chain(graph.services.iter().map(Wanted::Service))
            .chain(graph.actions.iter().map(Wanted::Action))
            .map(|wanted| (wanted.key(), wanted))
            .collect();
        self.parts.retain(|key, part| wanted.contains_key(key) && !part.task.is_finished());
        for (key, wanted) in wanted {
            if self.parts.contains_key(&key) {
                continue;
            }
            match self.make(&wanted) {
                Ok(part) => drop(self.parts.insert(key, part)),
                Err(reason) => tracing::error!(?key, reason, "ROS 2 cannot be told of it"),
            }
        }
    }

    fn make(&self, wanted: &Wanted<'_>) -> Result<Part, String> {
        match wanted {
            Wanted::Topic(topic) => self.make_topic(topic),
            Wanted::Input(topic) => self.make_input(topic),
            Wanted::Service(service) => self.make_service(service),
            Wanted::Action(action) => self.make_action(action),
        }
    }

    fn make_topic(&self, topic: &TopicEntry) -> Result<Part, String> {
        let type_name = names::type_name(library(Flavour::Ros2), topic.type_name);
        let promise = topic::promise(topic);
        let writer = self.domain.writer(&names::topic(&topic.name), &type_name, promise)?;
        let ends = vec![End::Writer(writer.guid())];
        Ok(part(ends, topic::tell(writer, self.hub.clone(), topic.clone())))
    }

    fn make_input(&self, topic: &TopicEntry) -> Result<Part, String> {
        let type_name = names::type_name(library(Flavour::Ros2), topic.type_name);
        let promise = Promise::FromNow(10);
        let reader = self.domain.reader(&names::topic(&topic.name), &type_name, promise)?;
        let ends = vec![End::Reader(reader.guid())];
        Ok(part(ends, topic::hear(reader, self.hub.clone(), topic.clone())))
    }

    fn make_service(&self, service: &ServiceEntry) -> Result<Part, String> {
        let types = library(Flavour::Ros2).service(service.type_name);
        let server = Server::new(&self.domain, &service.name, types.request, types.response)?;
        let (hub, name) = (self.hub.clone(), service.name.clone());
        let handler: Handler = Arc::new(move |request, who| {
            let called = name.clone();
            let reply = move |answer| match answer {
                Ok(response) => who.give(response),
                // Services of ROS 2 have no word for it: the caller is left waiting.
                Err(reason) => tracing::warn!(service = called, reason, "a call has no answer"),
            };
            hub.call(&name, request, Box::new(reply));
        });
        Ok(part(ends_of(&server).to_vec(), server.serve(handler)))
    }

    fn make_action(&self, action: &ActionEntry) -> Result<Part, String> {
        let made = action::Ends::new(&self.domain, action)?;
        let servers = [&made.send_goal, &made.cancel_goal, &made.get_result];
        let topics = [&made.feedback, &made.status].map(|writer| End::Writer(writer.guid()));
        let ends = servers.into_iter().flat_map(ends_of).chain(topics).collect();
        Ok(part(ends, made.serve(self.hub.clone(), action.clone())))
    }
}

enum Wanted<'g> {
    Topic(&'g TopicEntry),
    Input(&'g TopicEntry),
    Service(&'g ServiceEntry),
    Action(&'g ActionEntry),
}

impl Wanted<'_> {
    fn key(&self) -> Key {
        match self {
            Self::Topic(topic) => Key::Topic(topic.name.clone(), topic.type_name),
            Self::Input(topic) => Key::Input(topic.name.clone(), topic.type_name),
            Self::Service(service) => Key::Service(service.name.clone(), service.type_name),
            Self::Action(action) => Key::Action(action.name.clone(), action.type_name),
        }
    }
}

fn ends_of(server: &Server) -> [End; 2] {
    let (requests, replies) = server.ends();
    [End::Reader(requests), End::Writer(replies)]
}

fn part(ends: Vec<End>, serving: impl Future<Output = ()> + Send + 'static) -> Part {
    Part { ends, task: tokio::spawn(serving) }
}
