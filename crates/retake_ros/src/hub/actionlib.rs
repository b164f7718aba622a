//! Actions as ROS 1 has them: five topics, and a table of goals and their states.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::feed::Mail;
use super::goals::{GoalEnd, GoalEvent};
use super::graph::{Graph, actionlib_types};
use super::worker::Worker;
use crate::clock::RosTime;

/// How often the table is told, changed or not.
const STATUS_PERIOD: Duration = Duration::from_millis(200);
/// How long goals stay in the table after their end.
const KEPT: Duration = Duration::from_secs(5);
/// Most goals in a table, and most cancels that wait for their goal; the oldest are forgotten.
const MOST: usize = 256;

const PENDING: u8 = 0;
const ACTIVE: u8 = 1;
const PREEMPTED: u8 = 2;
const SUCCEEDED: u8 = 3;
const ABORTED: u8 = 4;
const REJECTED: u8 = 5;
const PREEMPTING: u8 = 6;
const RECALLING: u8 = 7;
const RECALLED: u8 = 8;

/// What came of a goal that was sent by topics.
pub(super) struct ActionlibEvent {
    action: String,
    id: String,
    event: GoalEvent,
}

/// The tables of all actions.
#[derive(Default)]
pub(super) struct Actionlib {
    tables: BTreeMap<String, Table>,
    told_at: Option<Instant>,
    made: u64,
}

#[derive(Default)]
struct Table {
    goals: VecDeque<Tracked>,
    /// Cancels of goals that have not come yet.
    early: VecDeque<String>,
    /// All goals up to this time are cancelled.
    cancelled_until: RosTime,
}

struct Tracked {
    /// The client's own id, with its stamp.
    id: String,
    stamp: Value,
    /// The id that the robot's player has.
    own: String,
    status: u8,
    text: String,
    over: Option<Instant>,
}

impl Tracked {
    fn message(&self) -> Value {
        let id = json!({"stamp": self.stamp, "id": self.id});
        json!({"goal_id": id, "status": self.status, "text": self.text})
    }
}

impl Worker {
    /// Takes a message, when it is one of an action.
    pub(super) fn take_actionlib(&mut self, topic: &str, message: &Value) -> bool {
        let graph = Graph::of(&self.robots);
        let Some((action, part)) = topic.rsplit_once('/') else { return false };
        if graph.action(action).is_none() {
            return false;
        }
        match part {
            "goal" => self.take_actionlib_goal(action, message),
            "cancel" => self.take_actionlib_cancel(action, message),
            _ => return false,
        }
        self.tell_statuses();
        true
    }

    fn take_actionlib_goal(&mut self, action: &str, message: &Value) {
        let given = message["goal_id"]["id"].as_str().unwrap_or_default();
        self.actionlib.made += 1;
        let now = self.told_now();
        let id = match given {
            "" => format!("retake-{}", self.actionlib.made),
            given => given.to_owned(),
        };
        let table = self.actionlib.tables.entry(action.to_owned()).or_default();
        if table.goals.iter().any(|goal| goal.id == id) {
            tracing::warn!(action, id, "a goal with this id is there already: left out");
            return;
        }
        let mut stamp = message["goal_id"]["stamp"].clone();
        let sent = RosTime::from_message(&stamp);
        if sent == RosTime::default() {
            stamp = now.message();
        }
        let early = table.early.iter().position(|early| *early == id);
        let recalled = early.is_some() || (sent > RosTime(0) && sent <= table.cancelled_until);
        early.map(|place| table.early.remove(place));
        let own = format!("ros-{}", uuid::Uuid::now_v7());
        let (status, over) = (PENDING, None);
        let text = String::new();
        if table.goals.len() >= MOST {
            table.goals.pop_front();
        }
        table.goals.push_back(Tracked {
            id: id.clone(),
            stamp,
            own: own.clone(),
            status,
            text,
            over,
        });
        if recalled {
            let event = GoalEvent::Ended(
                GoalEnd::Canceled,
                json!({"error_code": 0, "error_string": "cancelled before it came"}),
            );
            return self.finish(action, &id, RECALLED, event);
        }
        let (feed, of, sent_id) = (self.feed(), action.to_owned(), id);
        let watcher = Arc::new(move |event| {
            let (action, id) = (of.clone(), sent_id.clone());
            feed.tell(Mail::Actionlib(ActionlibEvent { action, id, event }));
        });
        self.take_goal(action, &message["goal"], own, watcher);
    }

    fn take_actionlib_cancel(&mut self, action: &str, message: &Value) {
        let id = message["id"].as_str().unwrap_or_default();
        let stamp = RosTime::from_message(&message["stamp"]);
        let all = id.is_empty() && stamp == RosTime::default();
        let table = self.actionlib.tables.entry(action.to_owned()).or_default();
        let meant = |goal: &Tracked| {
            let before = stamp != RosTime::default() && RosTime::from_message(&goal.stamp) <= stamp;
            goal.over.is_none() && (all || goal.id == id || before)
        };
        let mut cancelled = Vec::new();
        for goal in table.goals.iter_mut().filter(|goal| meant(goal)) {
            goal.status = match goal.status {
                PENDING => RECALLING,
                ACTIVE => PREEMPTING,
                other => other,
            };
            cancelled.push(goal.own.clone());
        }
        let known = table.goals.iter().any(|goal| goal.id == id);
        if !id.is_empty() && !known {
            if table.early.len() >= MOST {
                table.early.pop_front();
            }
            table.early.push_back(id.to_owned());
        }
        table.cancelled_until = table.cancelled_until.max(stamp);
        cancelled.iter().for_each(|own| self.cancel(own));
    }

    /// Takes what came of a goal.
    pub(super) fn follow_actionlib(&mut self, told: ActionlibEvent) {
        let ActionlibEvent { action, id, event } = told;
        match &event {
            GoalEvent::Accepted => {
                if let Some(goal) = self.tracked(&action, &id) {
                    let recalling = goal.status == RECALLING;
                    goal.status = if recalling { PREEMPTING } else { ACTIVE };
                }
                self.tell_statuses();
            }
            GoalEvent::Feedback(_) => self.tell_part(&action, &id, &event),
            GoalEvent::Rejected { .. } => self.finish(&action, &id, REJECTED, event),
            GoalEvent::Ended(end, _) => {
                let status = match end {
                    GoalEnd::Succeeded => SUCCEEDED,
                    GoalEnd::Canceled | GoalEnd::Preempted => PREEMPTED,
                    GoalEnd::Aborted => ABORTED,
                };
                self.finish(&action, &id, status, event);
            }
        }
    }

    fn finish(&mut self, action: &str, id: &str, status: u8, event: GoalEvent) {
        let text = match &event {
            GoalEvent::Rejected { text, .. } => text.clone(),
            GoalEvent::Ended(_, result) => {
                result["error_string"].as_str().unwrap_or_default().to_owned()
            }
            _ => String::new(),
        };
        if let Some(goal) = self.tracked(action, id) {
            (goal.status, goal.text, goal.over) = (status, text, Some(Instant::now()));
        }
        // The state first: a client that has the result may look at the state.
        self.tell_statuses();
        self.tell_part(action, id, &event);
    }

    /// Publishes feedback or result of a goal.
    fn tell_part(&mut self, action: &str, id: &str, event: &GoalEvent) {
        let header = json!({"stamp": self.told_now().message(), "frame_id": ""});
        let Some(status) = self.tracked(action, id).map(|goal| goal.message()) else { return };
        let graph = Graph::of(&self.robots);
        let Some(entry) = graph.action(action) else { return };
        let [_, result_type, feedback_type] = actionlib_types(entry.type_name);
        let (part, type_name, content) = match event {
            GoalEvent::Feedback(content) => ("feedback", feedback_type, content.clone()),
            GoalEvent::Ended(_, content) => ("result", result_type, content.clone()),
            GoalEvent::Rejected { code, text } => {
                ("result", result_type, json!({"error_code": code, "error_string": text}))
            }
            GoalEvent::Accepted => return,
        };
        self.publish(
            &format!("{action}/{part}"),
            type_name,
            false,
            || json!({"header": header, "status": status, part: content}),
        );
    }

    fn tracked(&mut self, action: &str, id: &str) -> Option<&mut Tracked> {
        self.actionlib.tables.get_mut(action)?.goals.iter_mut().find(|goal| goal.id == id)
    }

    /// How long the thread may wait before the table is told again; goals age even when the world
    /// stands still.
    pub(super) fn actionlib_patience(&self) -> Option<Duration> {
        let told = self.actionlib.told_at?;
        Some(STATUS_PERIOD.saturating_sub(told.elapsed()))
    }

    pub(super) fn tell_actionlib_when_due(&mut self) {
        if self.actionlib.told_at.is_none_or(|told| told.elapsed() >= STATUS_PERIOD) {
            for table in self.actionlib.tables.values_mut() {
                let is_kept = |goal: &Tracked| goal.over.is_none_or(|over| over.elapsed() < KEPT);
                table.goals.retain(is_kept);
            }
            self.tell_statuses();
        }
    }

    fn tell_statuses(&mut self) {
        self.actionlib.told_at = Some(Instant::now());
        let stamp = self.told_now().message();
        for action in Graph::of(&self.robots).actions {
            let goals = self.actionlib.tables.get(&action.name);
            let list: Vec<Value> =
                goals.into_iter().flat_map(|table| &table.goals).map(Tracked::message).collect();
            self.publish(
                &format!("{}/status", action.name),
                "actionlib_msgs/GoalStatusArray",
                true,
                || json!({"header": {"stamp": stamp, "frame_id": ""}, "status_list": list}),
            );
        }
    }
}
