//! The hub's thread: carries out what comes, in order.

use std::collections::BTreeMap;
use std::sync::Arc;

use retake_ecm::EntityId;
use retake_math::SimTime;
use retake_msgs::{TimeJumped, UserCmd, UserCmdReply, user_cmd};
use retake_sim::{Request, Response, View};
use serde_json::{Value, json};

use super::actionlib::Actionlib;
use super::executed::Executed;
use super::feed::{Ask, Mail, Then};
use super::goals::Goals;
use super::graph::{Graph, JUMPS};
use super::{Hub, Sample, services};
use crate::clock::{ClockPolicy, RosClock};
use crate::robot::Robot;

/// What the hub's thread knows.
pub(super) struct Worker {
    /// Not a way to keep the hub alive: it ends with its last front.
    shared: std::sync::Weak<super::Shared>,
    feed: super::Feed,
    pub(super) clock: RosClock,
    pub(super) view: Option<View>,
    pub(super) robots: Vec<Robot>,
    models: Vec<(EntityId, Vec<EntityId>)>,
    pub(super) goals: Goals,
    pub(super) executed: BTreeMap<String, Executed>,
    /// Replies that wait until so many steps were made.
    pub(super) steppers: Vec<(u64, super::ServiceReply)>,
    /// Replies that wait until something inserted can be seen.
    pub(super) spawned: Vec<(EntityId, super::ServiceReply)>,
    /// Replies that wait until what was done can be seen, with how many views are to come.
    seen_soon: Vec<(u8, Box<dyn FnOnce() + Send>)>,
    pub(super) actionlib: Actionlib,
    /// Where frames that do not move were told to be.
    pub(super) fixed_frames: Option<Vec<retake_math::Pose>>,
    /// The stamp that was told last.
    pub(super) told: Option<crate::clock::RosTime>,
}

impl Worker {
    pub(super) fn new(hub: Hub, policy: ClockPolicy) -> Self {
        Self {
            feed: hub.shared.feed.clone(),
            shared: Arc::downgrade(&hub.shared),
            clock: RosClock::new(policy),
            view: None,
            robots: Vec::new(),
            models: Vec::new(),
            goals: Goals::default(),
            executed: BTreeMap::new(),
            steppers: Vec::new(),
            spawned: Vec::new(),
            seen_soon: Vec::new(),
            actionlib: Actionlib::default(),
            fixed_frames: None,
            told: None,
        }
    }

    pub(super) fn run(mut self) {
        loop {
            let post = self.feed.take(self.actionlib_patience());
            post.mail.into_iter().for_each(|mail| self.deal_with(mail));
            if let Some(view) = post.view {
                self.see(view);
            }
            self.tell_actionlib_when_due();
            if post.ended {
                self.goals.give_up("The world has ended");
                return;
            }
        }
    }

    fn deal_with(&mut self, mail: Mail) {
        match mail {
            Mail::Asked(Ask::Publish { topic, message }) => self.take_message(&topic, &message),
            Mail::Asked(Ask::Call { service, request, reply }) => {
                services::call(self, &service, &request, reply);
            }
            Mail::Asked(Ask::Goal { action, goal, id, watcher }) => {
                self.take_goal(&action, &goal, id, watcher);
            }
            Mail::Asked(Ask::Cancel { id }) => self.cancel(&id),
            Mail::Jumped(jump) => self.jump(&jump),
            Mail::Feedback(feedback) => self.tell_feedback(&feedback),
            Mail::Ended(result) => self.end_goal(&result),
            Mail::Answered(response, then) => then(self, response),
            Mail::Actionlib(event) => self.follow_actionlib(event),
        }
    }

    /// Returns the way to this thread.
    pub(super) fn feed(&self) -> super::Feed {
        self.feed.clone()
    }

    /// Asks the server; what it answers is dealt with on this thread.
    pub(super) fn ask(&self, request: Request, then: Then) {
        let Some(shared) = self.shared.upgrade() else { return };
        let feed = self.feed.clone();
        shared.inbox.send(request, Box::new(move |response| feed.answer(response, then)));
    }

    /// Sends an edit.
    pub(super) fn command(
        &self,
        command: user_cmd::Command,
        then: impl FnOnce(&mut Self, UserCmdReply) + Send + 'static,
    ) {
        let command = UserCmd {
            id: uuid::Uuid::now_v7().to_string(),
            author: "ros".to_owned(),
            command: Some(command),
            ..UserCmd::default()
        };
        let then = Box::new(|worker: &mut Self, response: Response| {
            then(worker, response.into_reply());
        });
        self.ask(Request::Command(Box::new(command)), then);
    }

    /// Looks at the world as it is now, and tells what is listened to.
    pub(super) fn see(&mut self, view: View) {
        let models = crate::robot::robot_models(&view.ecm);
        if models != self.models || self.view.is_none() {
            self.models = models;
            self.robots = Robot::all(&view.ecm);
            self.change_graph();
        }
        let sim_time = view.stats.sim_time.as_ref().map_or(SimTime::ZERO, SimTime::from);
        self.view = Some(view);
        self.check_goals();
        self.answer_steppers();
        self.answer_spawners();
        self.answer_seen();
        self.tell_fixed_frames(sim_time);
        self.tell_view(sim_time);
    }

    /// Replies to an edit once others would see it: whoever asks next must not be told of before.
    pub(super) fn reply_when_seen(&mut self, reply: super::ServiceReply, said: &UserCmdReply) {
        let answer = super::simulation::done(said);
        // The next view may have been on its way already; the one after it cannot have been.
        self.seen_soon.push((2, Box::new(move || reply(answer))));
    }

    fn answer_seen(&mut self) {
        let waiting = std::mem::take(&mut self.seen_soon);
        for (views, reply) in waiting {
            match views {
                0 | 1 => reply(),
                more => self.seen_soon.push((more - 1, reply)),
            }
        }
    }

    fn change_graph(&mut self) {
        for robot in &self.robots {
            robot.notes.iter().for_each(|note| tracing::info!(robot = robot.name, "{note}"));
        }
        let graph = Arc::new(Graph::of(&self.robots));
        let Some(shared) = self.shared.upgrade() else { return };
        let watchers: Vec<_> = {
            let mut board = shared.board();
            board.topics.retain(|name| graph.topics.iter().any(|topic| topic.name == name));
            board.graph = Arc::clone(&graph);
            board.watchers.iter().map(|(_, watcher)| Arc::clone(watcher)).collect()
        };
        watchers.iter().for_each(|watcher| watcher(&graph));
        self.fixed_frames = None;
        self.tell_descriptions();
    }

    fn jump(&mut self, jump: &TimeJumped) {
        let time = |time: Option<&retake_msgs::Time>| time.map_or(SimTime::ZERO, SimTime::from);
        let (from, to) = (time(jump.from.as_ref()), time(jump.to.as_ref()));
        self.clock.jumped(from, to);
        self.goals.doubt();
        let words = match self.clock.policy() {
            ClockPolicy::Jump => "stamps jump too",
            ClockPolicy::Monotonic => "stamps go on",
        };
        let text = format!("{}: the world went from {from} to {to}; {words}", jump.cause);
        tracing::warn!("{text}");
        self.publish(JUMPS, "std_msgs/String", false, || json!({"data": text}));
        let steppers = std::mem::take(&mut self.steppers).into_iter().map(|(_, reply)| reply);
        let spawners = std::mem::take(&mut self.spawned).into_iter().map(|(_, reply)| reply);
        for reply in steppers.chain(spawners) {
            reply(Err("the world went to another time".to_owned()));
        }
    }

    /// Publishes a message, when somebody listens or may listen later.
    pub(super) fn publish(
        &self,
        topic: &str,
        type_name: &'static str,
        keeps_last: bool,
        message: impl FnOnce() -> Value,
    ) {
        let Some(shared) = self.shared.upgrade() else { return };
        if !keeps_last && !shared.board().topics.is_heard(topic) {
            return;
        }
        let sample = Arc::new(Sample { topic: topic.to_owned(), type_name, message: message() });
        let listeners = {
            let mut board = shared.board();
            if keeps_last {
                board.topics.keep(&sample);
            }
            board.topics.listeners(topic)
        };
        listeners.iter().for_each(|listener| listener(&sample));
    }

    /// Returns what time it is for others.
    pub(super) fn told_now(&self) -> crate::clock::RosTime {
        let time = self.view.as_ref().and_then(|view| view.stats.sim_time.as_ref());
        self.clock.told(time.map_or(SimTime::ZERO, SimTime::from))
    }

    /// Notes what time it is for others.
    pub(super) fn set_now(&self, now: crate::clock::RosTime) {
        if let Some(shared) = self.shared.upgrade() {
            shared.board().now = now;
        }
    }
}
