//! Hears what the plots need: filters of managers, topics, jumps in time.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use retake_board::Board;
use retake_introspection::fields::message_descriptor;
use retake_introspection::{IntrospectionClient, Sampled, Watch};
use retake_math::SimTime;
use retake_msgs::PlotLayoutState;
use retake_sim::systems::registry;
use retake_transport::{Bus, Guard, MessageRef, Name};
use tokio::sync::{broadcast, watch};

use super::log_feed::LogFeed;
use crate::link::{Event, ServerLink};
use crate::lock::locked;

/// How often jumps in time are looked for, and filters that are behind.
const LOOK: Duration = Duration::from_millis(40);
/// How often everything is looked after.
const CARE: Duration = Duration::from_millis(500);

/// Which filter: the manager, none being that of the world, and samples per second in thousandths.
type FilterKey = (Option<String>, u64);

/// The thread that hears for a board.
pub(super) struct Keeper {
    board: Arc<Mutex<Board>>,
    link: Arc<dyn ServerLink>,
    states: watch::Sender<Arc<PlotLayoutState>>,
    events: broadcast::Receiver<Event>,
    heard: Option<Heard>,
    /// Of a log, in place of a bus.
    log: Option<LogFeed>,
    cared: Option<Instant>,
    all_heard: watch::Sender<bool>,
}

/// What is heard on one bus.
struct Heard {
    bus: Arc<dyn Bus>,
    watches: BTreeMap<FilterKey, Watch>,
    topics: BTreeMap<String, Guard>,
    /// Topics that nobody publishes yet.
    topics_missing: usize,
}

impl Keeper {
    /// Starts the thread; it ends when the sender that is returned is gone.
    pub(super) fn start(
        board: Arc<Mutex<Board>>,
        link: Arc<dyn ServerLink>,
        states: watch::Sender<Arc<PlotLayoutState>>,
    ) -> (SyncSender<()>, watch::Receiver<bool>) {
        let (wake, woken) = sync_channel(1);
        let (all_heard, heard) = watch::channel(false);
        let events = link.events();
        let log = link.log().map(|log| LogFeed::new(log, registry()));
        let keeper = Self { board, link, states, events, heard: None, log, cared: None, all_heard };
        let thread = std::thread::Builder::new().name("retake-plots".to_owned());
        if let Err(error) = thread.spawn(move || keeper.run(&woken)) {
            tracing::error!(%error, "no thread for plots; they stay empty");
        }
        (wake, heard)
    }

    fn run(mut self, woken: &Receiver<()>) {
        loop {
            match woken.recv_timeout(LOOK) {
                Ok(()) => self.cared = None,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.log.is_some() {
                self.follow_log();
                continue;
            }
            self.hear_jumps();
            let due = self.cared.is_none_or(|last| last.elapsed() >= CARE);
            if due {
                self.cared = Some(Instant::now());
                self.care();
            }
            self.keep_watches(due);
        }
    }

    /// Gives the plots what they want of a log, over its whole length.
    fn follow_log(&mut self) {
        let now = self.link.views().borrow().stats.sim_time;
        let revision = {
            let mut board = locked(&self.board);
            board.set_present(now.as_ref().map(SimTime::from).unwrap_or_default().as_nanos());
            board.revision()
        };
        let due = self.cared.is_none_or(|last| last.elapsed() >= CARE);
        let Some(log) = self.log.as_mut().filter(|_| due) else { return };
        self.cared = Some(Instant::now());
        let board = &self.board;
        let same = || locked(board).revision() == revision;
        let fed = log.feed(&mut |give| give(&mut locked(board)), &same);
        if let Err(error) = fed {
            tracing::warn!(%error, "the log cannot be plotted");
            // Reading it again and again would not help.
            self.log = None;
        }
        let board = &self.board;
        locked(board).realign();
        self.tell_state();
        self.all_heard.send_replace(same());
    }

    fn hear_jumps(&mut self) {
        loop {
            match self.events.try_recv() {
                Ok(Event::TimeJumped(jump)) => locked(&self.board).jump(&jump),
                Ok(Event::Notification(_) | Event::Conflict(_) | Event::TextCommand(_)) => {}
                // What was missed shows by the number of the stretch that samples belong to.
                Err(broadcast::error::TryRecvError::Lagged(_)) => {}
                Err(_) => return,
            }
        }
    }

    /// Follows the layout and the server, and tells pages what changed.
    fn care(&mut self) {
        self.follow_bus();
        let now = self.link.views().borrow().stats.sim_time;
        let wanted = {
            let mut board = locked(&self.board);
            board.settle();
            board.realign();
            board.follow_time(now.as_ref().map(SimTime::from).unwrap_or_default().as_nanos());
            board.wanted().with_clock()
        };
        let world = self.link.views().borrow().world.name.clone();
        if let Some(heard) = &mut self.heard {
            heard.want_items(&wanted.items, &world, &self.board);
            heard.topics.retain(|topic, _| wanted.topics.contains(topic));
            for topic in &wanted.topics {
                heard.want_topic(topic, &self.board);
            }
            heard.topics_missing = wanted.topics.len() - heard.topics.len();
        }
        self.tell_state();
    }

    fn tell_state(&self) {
        let state = Arc::new(locked(&self.board).state());
        self.states.send_if_modified(|known| {
            let changed = **known != *state;
            *known = state;
            changed
        });
    }

    fn follow_bus(&mut self) {
        let bus = self.link.bus();
        let same = match (&self.heard, &bus) {
            (Some(heard), Some(bus)) => Arc::ptr_eq(&heard.bus, bus),
            (None, None) => true,
            _ => false,
        };
        if !same {
            self.heard = bus.map(|bus| Heard {
                bus,
                watches: BTreeMap::new(),
                topics: BTreeMap::new(),
                topics_missing: 0,
            });
        }
    }

    fn keep_watches(&mut self, all: bool) {
        let Some(heard) = &mut self.heard else { return };
        let mut complete = heard.topics_missing == 0;
        for ((manager, rate_mhz), watch) in &mut heard.watches {
            if !all && !watch.is_behind() {
                continue;
            }
            match watch.keep() {
                Ok(()) => {
                    if let Some(filter) = watch.filter() {
                        locked(&self.board).describe((manager.as_deref(), *rate_mhz), &filter);
                    }
                }
                Err(error) => {
                    // It is asked again soon; until then its curves are shown as gone.
                    tracing::debug!(manager, %error, "a filter cannot be kept up");
                    complete = false;
                }
            }
        }
        self.all_heard.send_replace(complete);
    }
}

impl Heard {
    fn want_items(
        &mut self,
        wanted: &BTreeMap<FilterKey, Vec<String>>,
        world: &str,
        board: &Arc<Mutex<Board>>,
    ) {
        self.watches.retain(|key, _| wanted.contains_key(key));
        let client = IntrospectionClient::new(Arc::clone(&self.bus));
        for (key, items) in wanted {
            let watch = self.watches.entry(key.clone()).or_insert_with(|| {
                let (board, key) = (Arc::clone(board), key.clone());
                let manager = key.0.clone().unwrap_or_else(|| world.to_owned());
                client.watch(&manager, move |sampled: &Sampled<'_>| {
                    let from = (key.0.as_deref(), key.1);
                    locked(&board).take(from, sampled.filter, sampled.sample);
                })
            });
            watch.want(items.clone(), key.1 as f64 / 1000.0);
        }
    }

    fn want_topic(&mut self, topic: &str, board: &Arc<Mutex<Board>>) {
        if self.topics.contains_key(topic) {
            return;
        }
        match self.listen(topic, board) {
            Ok(Some(guard)) => {
                self.topics.insert(topic.to_owned(), guard);
            }
            // Nobody publishes it yet.
            Ok(None) => {}
            Err(error) => tracing::debug!(topic, error, "a topic cannot be plotted"),
        }
    }

    fn listen(&self, topic: &str, board: &Arc<Mutex<Board>>) -> Result<Option<Guard>, String> {
        let topics = self.bus.topics().map_err(|error| error.to_string())?;
        let Some(found) = topics.into_iter().find(|known| known.name == topic) else {
            return Ok(None);
        };
        let descriptor = message_descriptor(self.bus.as_ref(), &found.type_name);
        let descriptor = descriptor.map_err(|error| error.to_string())?;
        locked(board).learn_topic(topic, descriptor);
        let (board, name) = (Arc::clone(board), topic.to_owned());
        let take = move |message: MessageRef<'_>| {
            if message.type_name == found.type_name {
                locked(&board).take_message(&name, message.bytes);
            }
        };
        let name = Name::new(topic).map_err(|error| error.to_string())?;
        self.bus.subscribe(&name, Arc::new(take)).map(Some).map_err(|error| error.to_string())
    }
}
