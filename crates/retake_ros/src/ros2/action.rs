//! Actions of ROS 2: three services and two topics, and a table of goals and their states.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rustdds::Timestamp;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::domain::{Domain, Promise, Raw, Writer};
use super::names;
use super::service::{Answer, Server};
use crate::clock::RosTime;
use crate::hub::{ActionEntry, GoalEnd, GoalEvent, GoalHandle, Hub};
use crate::message::{Flavour, library};

/// How long results are kept after the end, as `rcl_action` does.
const KEPT: Duration = Duration::from_secs(10);
/// Most goals in a table, most who wait for one result, and most messages that wait to be sent.
const MOST: usize = 256;
/// Messages of feedback that wait for slow listeners, as ROS 2 has it.
const DEPTH: i32 = 10;

const UNKNOWN: i8 = 0;
const EXECUTING: i8 = 2;
const CANCELING: i8 = 3;
const SUCCEEDED: i8 = 4;
const CANCELED: i8 = 5;
const ABORTED: i8 = 6;

/// Return codes of `CancelGoal`.
const CANCEL_ACCEPTED: i8 = 0;
const CANCEL_REJECTED: i8 = 1;
const NO_SUCH_GOAL: i8 = 2;
const ALREADY_OVER: i8 = 3;

/// The id that a client gives its goal.
type GoalId = [u8; 16];

/// The five ends of an action.
pub(super) struct Ends {
    pub(super) send_goal: Server,
    pub(super) cancel_goal: Server,
    pub(super) get_result: Server,
    pub(super) feedback: Writer,
    pub(super) status: Writer,
}

impl Ends {
    /// Makes the ends of an action.
    ///
    /// # Errors
    /// A line for people.
    pub(super) fn new(domain: &Domain, action: &ActionEntry) -> Result<Self, String> {
        let ros2 = library(Flavour::Ros2);
        let server = |name: &str, types: String| {
            let name = format!("{}/_action/{name}", action.name);
            Server::new(domain, &name, format!("{types}_Request"), format!("{types}_Response"))
        };
        let topic = |name: &str, type_name: &str, promise| {
            let name = names::topic(&format!("{}/_action/{name}", action.name));
            domain.writer(&name, &names::type_name(ros2, type_name), promise)
        };
        let kind = action.type_name;
        let feedback = format!("{kind}_FeedbackMessage");
        Ok(Self {
            send_goal: server("send_goal", format!("{kind}_SendGoal"))?,
            cancel_goal: server("cancel_goal", "action_msgs/CancelGoal".to_owned())?,
            get_result: server("get_result", format!("{kind}_GetResult"))?,
            feedback: topic("feedback", &feedback, Promise::FromNow(DEPTH))?,
            status: topic("status", "action_msgs/GoalStatusArray", Promise::LastToo)?,
        })
    }

    /// Serves the action until the future is dropped.
    pub(super) async fn serve(self, hub: Hub, action: ActionEntry) {
        let (out, told) = mpsc::channel(MOST);
        let feedback_type = format!("{}_FeedbackMessage", action.type_name);
        let table = Arc::new(Table { hub, action: action.name, out, goals: Mutex::default() });
        let [sending, cancelling, asking] = [0; 3].map(|_| Arc::clone(&table));
        tokio::join!(
            self.send_goal.serve(Arc::new(move |request, answer| sending.send(&request, answer))),
            self.cancel_goal
                .serve(Arc::new(move |request, answer| cancelling.cancel(&request, answer))),
            self.get_result.serve(Arc::new(move |request, answer| asking.ask(&request, answer))),
            tell(told, self.feedback, self.status, &feedback_type),
        );
    }
}

/// What is told of goals.
enum Told {
    Feedback(Value),
    Status(Value),
}

/// Sends what is told of goals.
async fn tell(
    mut told: mpsc::Receiver<Told>,
    feedback: Writer,
    status: Writer,
    feedback_type: &str,
) {
    while let Some(told) = told.recv().await {
        let (writer, type_name, message) = match &told {
            Told::Feedback(message) => (&feedback, feedback_type, message),
            Told::Status(message) => (&status, "action_msgs/GoalStatusArray", message),
        };
        let sent = match library(Flavour::Ros2).to_cdr(type_name, message) {
            Ok(bytes) => {
                let sent = writer.async_write(Raw::from_cdr(bytes), Some(Timestamp::now())).await;
                sent.map_err(|error| error.forget_data().to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        if let Err(reason) = sent {
            tracing::warn!(type_name, reason, "of a goal something is not told");
        }
    }
}

/// The goals of an action.
struct Table {
    hub: Hub,
    action: String,
    out: mpsc::Sender<Told>,
    goals: Mutex<VecDeque<Goal>>,
}

struct Goal {
    id: GoalId,
    handle: GoalHandle,
    /// When it was accepted.
    stamp: RosTime,
    status: i8,
    /// Who sent it, until it is accepted or refused.
    sender: Option<Answer>,
    /// Who waits for its result.
    waiting: Vec<Answer>,
    result: Value,
    over: Option<Instant>,
}

impl Goal {
    fn info(&self) -> Value {
        json!({"goal_id": {"uuid": self.id}, "stamp": self.stamp.message()})
    }

    fn result(&self) -> Value {
        json!({"status": self.status, "result": self.result})
    }
}

impl Table {
    /// Takes a goal.
    fn send(self: &Arc<Self>, request: &Value, sender: Answer) {
        let id = goal_id(&request["goal_id"]);
        let handle = self.hub.name_goal();
        {
            let mut goals = self.lock();
            goals.retain(|goal| goal.over.is_none_or(|over| over.elapsed() < KEPT));
            if goals.len() >= MOST || goals.iter().any(|goal| goal.id == id) {
                tracing::warn!(
                    action = self.action,
                    "a goal is refused: known already, or too many"
                );
                return sender.give(json!({"accepted": false}));
            }
            goals.push_back(Goal {
                id,
                handle: handle.clone(),
                stamp: RosTime::default(),
                status: UNKNOWN,
                sender: Some(sender),
                waiting: Vec::new(),
                result: json!({}),
                over: None,
            });
        }
        let table = Arc::clone(self);
        let watcher = Arc::new(move |event| table.follow(id, event));
        // Not under the lock: a goal that finds no place is refused at once.
        self.hub.send_goal(&handle, &self.action, request["goal"].clone(), watcher);
    }

    /// Takes what came of a goal.
    fn follow(&self, id: GoalId, event: GoalEvent) {
        let mut goals = self.lock();
        let Some(place) = goals.iter().position(|goal| goal.id == id) else { return };
        let goal = &mut goals[place];
        match event {
            GoalEvent::Accepted => {
                (goal.status, goal.stamp) = (EXECUTING, self.hub.now());
                let stamp = goal.stamp.message();
                let sender = goal.sender.take();
                self.tell_statuses(&goals);
                if let Some(sender) = sender {
                    sender.give(json!({"accepted": true, "stamp": stamp}));
                }
            }
            GoalEvent::Rejected { text, .. } => {
                // ROS 2 has no place for the reason.
                tracing::warn!(action = self.action, text, "a goal is refused");
                if let Some(goal) = goals.remove(place) {
                    let unknown = goal.result();
                    goal.sender.into_iter().for_each(|who| who.give(json!({"accepted": false})));
                    goal.waiting.into_iter().for_each(|who| who.give(unknown.clone()));
                }
            }
            GoalEvent::Feedback(feedback) => {
                let feedback = json!({"goal_id": {"uuid": id}, "feedback": feedback});
                self.say(Told::Feedback(feedback));
            }
            GoalEvent::Ended(end, result) => {
                goal.status = match end {
                    GoalEnd::Succeeded => SUCCEEDED,
                    GoalEnd::Canceled => CANCELED,
                    GoalEnd::Aborted | GoalEnd::Preempted => ABORTED,
                };
                (goal.result, goal.over) = (result, Some(Instant::now()));
                let (waiting, result) = (std::mem::take(&mut goal.waiting), goal.result());
                // The state first: a client that has the result may look at the state.
                self.tell_statuses(&goals);
                waiting.into_iter().for_each(|who| who.give(result.clone()));
            }
        }
    }

    /// Answers with the result of a goal, when it has one.
    fn ask(&self, request: &Value, who: Answer) {
        let id = goal_id(&request["goal_id"]);
        let mut goals = self.lock();
        match goals.iter_mut().find(|goal| goal.id == id) {
            Some(goal) if goal.over.is_none() && goal.waiting.len() < MOST => {
                goal.waiting.push(who);
            }
            Some(goal) => who.give(goal.result()),
            None => who.give(json!({"status": UNKNOWN, "result": {}})),
        }
    }

    /// Cancels the goals that are meant: by id, by time, or all.
    fn cancel(&self, request: &Value, who: Answer) {
        let info = &request["goal_info"];
        let (id, until) = (goal_id(&info["goal_id"]), RosTime::from_message(&info["stamp"]));
        let (named, timed) = (id != GoalId::default(), until != RosTime::default());
        let mut goals = self.lock();
        let meant = |goal: &Goal| {
            (named && goal.id == id) || (timed && goal.stamp <= until) || (!named && !timed)
        };
        let runs = |goal: &Goal| goal.over.is_none() && goal.status != UNKNOWN;
        let (mut infos, mut handles) = (Vec::new(), Vec::new());
        for goal in goals.iter_mut().filter(|goal| meant(goal) && runs(goal)) {
            goal.status = CANCELING;
            infos.push(goal.info());
            handles.push(goal.handle.clone());
        }
        let code = match goals.iter().find(|goal| goal.id == id) {
            // Who cancels all finds nothing wrong when there are none.
            _ if !infos.is_empty() || !named => CANCEL_ACCEPTED,
            None => NO_SUCH_GOAL,
            Some(goal) if goal.over.is_some() => ALREADY_OVER,
            Some(_) => CANCEL_REJECTED,
        };
        if !infos.is_empty() {
            self.tell_statuses(&goals);
        }
        drop(goals);
        who.give(json!({"return_code": code, "goals_canceling": infos}));
        handles.iter().for_each(|goal| self.hub.cancel_goal(goal));
    }

    fn tell_statuses(&self, goals: &VecDeque<Goal>) {
        let known = goals.iter().filter(|goal| goal.status != UNKNOWN);
        let list: Vec<Value> =
            known.map(|goal| json!({"goal_info": goal.info(), "status": goal.status})).collect();
        self.say(Told::Status(json!({"status_list": list})));
    }

    fn say(&self, told: Told) {
        if self.out.try_send(told).is_err() {
            tracing::warn!(action = self.action, "listeners are too slow: something is not told");
        }
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<Goal>> {
        // Nothing under the lock can panic half way.
        self.goals.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads `unique_identifier_msgs/UUID`; what is none is all zeros.
fn goal_id(message: &Value) -> GoalId {
    let bytes = message["uuid"].as_array().map_or(&[][..], Vec::as_slice);
    let mut id = GoalId::default();
    for (to, byte) in id.iter_mut().zip(bytes) {
        *to = byte.as_u64().and_then(|byte| u8::try_from(byte).ok()).unwrap_or(0);
    }
    id
}
