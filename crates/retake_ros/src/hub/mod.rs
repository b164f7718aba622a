//! A world as a graph of topics, services and actions, whatever protocol shows it.
//!
//! Protocols are fronts around a [`Hub`]: they listen to topics, publish, call services and send
//! goals, all in values of [`crate::message`]. The hub is fed by the runner like any other client
//! of the server, and asks it through the inbox: edits are user commands, goals are commands of
//! programs. One thread carries everything out in order. Deliberately not here: sockets.

mod actionlib;
mod entities;
mod executed;
mod feed;
mod goals;
mod graph;
mod services;
mod simulation;
mod topics;
mod trajectory;
mod view;
mod worker;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retake_sim::{InboxSender, View, ViewSink};
use serde_json::Value;

use crate::clock::ClockPolicy;
use feed::{Ask, Feed};
pub use goals::{GoalEnd, GoalEvent, GoalWatcher};
pub use graph::{ActionEntry, Graph, ServiceEntry, TopicEntry};
use topics::Topics;
pub use topics::{Listener, Sample};

/// A world as a graph; cheap to clone.
#[derive(Clone)]
pub struct Hub {
    shared: Arc<Shared>,
}

struct Shared {
    feed: Feed,
    inbox: InboxSender,
    /// What fronts ask without waiting for the worker.
    board: Mutex<Board>,
    /// Numbers of listeners and goals.
    next: AtomicU64,
}

/// What everybody may look at.
struct Board {
    topics: Topics,
    graph: Arc<Graph>,
    now: crate::clock::RosTime,
    watchers: Vec<(u64, GraphWatcher)>,
}

/// Called when topics, services or actions came or went.
pub type GraphWatcher = Arc<dyn Fn(&Arc<Graph>) + Send + Sync>;

/// Takes the answer of a service: its response, or why there is none.
pub type ServiceReply = Box<dyn FnOnce(Result<Value, String>) + Send>;

/// Ends what it stands for when it is dropped.
#[must_use = "dropping the guard ends at once what it keeps alive"]
pub struct HubGuard {
    shared: Arc<Shared>,
    number: u64,
}

/// A goal that was sent.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GoalHandle(String);

impl Hub {
    /// Makes a hub of a world that is about to run, and what the runner feeds it by.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        first: View,
        inbox: InboxSender,
        policy: ClockPolicy,
    ) -> std::io::Result<(Self, Box<dyn ViewSink>)> {
        let feed = Feed::default();
        let board = Board {
            topics: Topics::default(),
            graph: Arc::default(),
            now: crate::clock::RosTime::default(),
            watchers: Vec::new(),
        };
        let shared = Arc::new(Shared {
            feed: feed.clone(),
            inbox,
            board: Mutex::new(board),
            next: AtomicU64::new(1),
        });
        let hub = Self { shared };
        let mut worker = worker::Worker::new(hub.clone(), policy);
        worker.see(first);
        let thread = std::thread::Builder::new().name("bridges".to_owned());
        thread.spawn(move || worker.run())?;
        Ok((hub, Box::new(feed.sink())))
    }

    /// Returns what there is.
    pub fn graph(&self) -> Arc<Graph> {
        Arc::clone(&self.board().graph)
    }

    /// Returns the last message of a topic that keeps it.
    pub fn kept(&self, topic: &str) -> Option<Arc<Sample>> {
        self.board().topics.kept(topic)
    }

    /// Returns the time that was told last.
    pub fn now(&self) -> crate::clock::RosTime {
        self.board().now
    }

    /// Calls `watcher` at each change of the graph, until the guard is dropped.
    pub fn watch_graph(&self, watcher: GraphWatcher) -> HubGuard {
        let number = self.number();
        self.board().watchers.push((number, watcher));
        HubGuard { shared: Arc::clone(&self.shared), number }
    }

    /// Calls `listener` with every message on a topic until the guard is dropped; with the last one
    /// at once, when the topic keeps it. Listeners run on the worker's thread and must be quick.
    pub fn subscribe(&self, topic: &str, listener: Listener) -> HubGuard {
        let number = self.number();
        let kept = self.board().topics.listen(topic, number, Arc::clone(&listener));
        if let Some(sample) = kept {
            listener(&sample);
        }
        HubGuard { shared: Arc::clone(&self.shared), number }
    }

    /// Takes a message for a topic that the world listens to.
    ///
    /// # Errors
    /// A line for people: no such topic, or too much waits.
    pub fn publish(&self, topic: &str, message: Value) -> Result<(), String> {
        let known = self.graph().inputs.iter().any(|input| input.name == topic);
        if !known {
            let graph = self.graph();
            let inputs: Vec<&str> = graph.inputs.iter().map(|input| input.name.as_str()).collect();
            return Err(format!(
                "Nobody listens to {topic:?} here. Listened to: {}",
                inputs.join(", ")
            ));
        }
        self.shared.feed.ask(Ask::Publish { topic: topic.to_owned(), message })
    }

    /// Calls a service; `reply` is called once, from any thread.
    pub fn call(&self, service: &str, request: Value, reply: ServiceReply) {
        let ask = Ask::Call { service: service.to_owned(), request, reply };
        if let Err((ask, reason)) = self.shared.feed.try_ask(ask)
            && let Ask::Call { reply, .. } = ask
        {
            reply(Err(reason));
        }
    }

    /// Gives a goal a name, before it is sent.
    pub fn name_goal(&self) -> GoalHandle {
        GoalHandle(format!("ros-{}", uuid::Uuid::now_v7()))
    }

    /// Sends a goal to an action; `watcher` hears what comes of it, on the worker's thread, or at
    /// once when too much waits.
    pub fn send_goal(&self, name: &GoalHandle, action: &str, goal: Value, watcher: GoalWatcher) {
        let ask = Ask::Goal {
            action: action.to_owned(),
            goal,
            id: name.0.clone(),
            watcher: Arc::clone(&watcher),
        };
        if let Err((_, reason)) = self.shared.feed.try_ask(ask) {
            watcher(GoalEvent::Rejected { code: goals::INVALID_GOAL, text: reason });
        }
    }

    /// Ends a goal; its watcher hears of it. One that is over is left so.
    pub fn cancel_goal(&self, goal: &GoalHandle) {
        if let Err(reason) = self.shared.feed.ask(Ask::Cancel { id: goal.0.clone() }) {
            tracing::warn!(reason, "a goal cannot be cancelled");
        }
    }

    fn number(&self) -> u64 {
        self.shared.next.fetch_add(1, Ordering::Relaxed)
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.shared.board()
    }
}

impl Shared {
    fn board(&self) -> MutexGuard<'_, Board> {
        // Nothing under the lock can panic half way.
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for HubGuard {
    fn drop(&mut self) {
        let mut board = self.shared.board();
        board.topics.forget(self.number);
        board.watchers.retain(|(number, _)| *number != self.number);
    }
}

/// Lets the hub's thread end once the last front is gone.
impl Drop for Shared {
    fn drop(&mut self) {
        self.feed.end();
    }
}
