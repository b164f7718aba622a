//! Goals of actions: sent to the robot's player, followed to their end.

use std::collections::BTreeMap;
use std::sync::Arc;

use retake_msgs::motion_result::State;
use retake_msgs::{
    CancelMotion, FollowJointTrajectoryWithActions, MotionFeedback, MotionResult, StartMotion,
    UserCmd, UserCmdReply, names, user_cmd,
};
use retake_sim::systems::motion::{MotionGoals, MotionOutcomes};
use retake_sim::{Request, Response, motion_result};
use serde_json::{Value, json};

use super::executed::Executed;
use super::graph::{ActionEntry, TEXT};
use super::trajectory::{feedback, trajectory_goal};
use super::worker::Worker;

/// Code of a goal that makes no sense.
pub(super) const INVALID_GOAL: i32 = -1;

/// Most goals that are followed at once; further ones are refused.
const MOST: usize = 256;

/// How a goal ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoalEnd {
    /// All was done.
    Succeeded,
    /// Somebody cancelled it.
    Canceled,
    /// The player gave up.
    Aborted,
    /// Another goal took its joints.
    Preempted,
}

/// What comes of a goal.
#[derive(Clone, Debug, PartialEq)]
pub enum GoalEvent {
    /// The robot follows it.
    Accepted,
    /// The robot does not; the codes are those of `FollowJointTrajectory`.
    Rejected {
        /// For programs.
        code: i32,
        /// For people.
        text: String,
    },
    /// How far it has come: the feedback of its action.
    Feedback(Value),
    /// It is over: the result of its action.
    Ended(GoalEnd, Value),
}

/// Called with what comes of a goal, in order; the last is a refusal or the end.
pub type GoalWatcher = Arc<dyn Fn(GoalEvent) + Send + Sync>;

/// Goals that are not over.
#[derive(Default)]
pub(super) struct Goals(BTreeMap<String, Followed>);

struct Followed {
    robot: String,
    is_text: bool,
    watcher: GoalWatcher,
    accepted: bool,
    /// It was cancelled before it was accepted.
    unwanted: bool,
    /// After a jump in time it may not be there any more.
    in_doubt: bool,
    executed: Option<Executed>,
}

impl Goals {
    /// After a jump in time, goals may be gone.
    pub(super) fn doubt(&mut self) {
        self.0.values_mut().for_each(|goal| goal.in_doubt = true);
    }

    /// Ends all goals.
    pub(super) fn give_up(&mut self, text: &str) {
        for goal in std::mem::take(&mut self.0).into_values() {
            (goal.watcher)(GoalEvent::Ended(GoalEnd::Aborted, result(INVALID_GOAL, text)));
        }
    }
}

fn result(code: i32, text: &str) -> Value {
    json!({"error_code": code, "error_string": text})
}

impl Worker {
    pub(super) fn take_goal(
        &mut self,
        action: &str,
        goal: &Value,
        id: String,
        watcher: GoalWatcher,
    ) {
        let refuse = |text: String| watcher(GoalEvent::Rejected { code: INVALID_GOAL, text });
        let graph = super::Graph::of(&self.robots);
        let Some(action) = graph.action(action) else {
            let known: Vec<&str> = graph.actions.iter().map(|one| one.name.as_str()).collect();
            return refuse(format!("No action {action:?}. Known: {}", known.join(", ")));
        };
        if self.goals.0.len() >= MOST {
            return refuse(format!("{MOST} goals are followed already. Cancel some"));
        }
        let start = match self.start_of(action, goal, id.clone()) {
            Ok(start) => start,
            Err(text) => return refuse(text),
        };
        let trajectory = start.goal.as_ref();
        let executed = trajectory.and_then(|goal| self.begin_of(&action.robot, goal));
        let followed = Followed {
            robot: action.robot.clone(),
            is_text: action.type_name == TEXT,
            watcher,
            accepted: false,
            unwanted: false,
            in_doubt: false,
            executed,
        };
        self.goals.0.insert(id.clone(), followed);
        let command = user_cmd::Command::StartMotion(Box::new(start));
        self.ask(
            by_program(&action.robot, command),
            Box::new(move |worker, response| {
                worker.started(&id, response);
            }),
        );
    }

    /// Makes the command that a goal stands for.
    fn start_of(
        &self,
        action: &ActionEntry,
        goal: &Value,
        goal_id: String,
    ) -> Result<StartMotion, String> {
        let robot = action.robot.clone();
        if action.type_name != TEXT {
            let goal = trajectory_goal(goal, &self.clock)?;
            return Ok(StartMotion { robot, goal_id, goal: Some(goal), ..StartMotion::default() });
        }
        let word = |name: &str| goal["command"][name].as_str().unwrap_or_default().to_owned();
        let kind = word("type");
        if kind != names::PLAYS_MOTION {
            return Err(format!("type is {kind:?}; write {:?}", names::PLAYS_MOTION));
        }
        Ok(StartMotion { robot, goal_id, motion: word("command"), ..StartMotion::default() })
    }

    /// Notes a trajectory with where its joints are when it begins.
    fn begin_of(&self, path: &str, goal: &FollowJointTrajectoryWithActions) -> Option<Executed> {
        let robot = self.robots.iter().find(|robot| robot.path == path)?;
        Some(Executed::begin(goal.clone(), robot, &self.view.as_ref()?.ecm))
    }

    /// Takes what the server said of a goal.
    fn started(&mut self, id: &str, response: Response) {
        let reply: UserCmdReply = response.into_reply();
        let Some(goal) = self.goals.0.get_mut(id) else { return };
        if !reply.ok {
            let code = if reply.error_code == 0 { INVALID_GOAL } else { reply.error_code };
            (goal.watcher)(GoalEvent::Rejected { code, text: reply.message });
            self.goals.0.remove(id);
            return;
        }
        goal.accepted = true;
        (goal.watcher)(GoalEvent::Accepted);
        if goal.unwanted {
            self.cancel(id);
        }
    }

    pub(super) fn cancel(&mut self, id: &str) {
        let Some(goal) = self.goals.0.get_mut(id) else { return };
        if !goal.accepted {
            goal.unwanted = true;
            return;
        }
        let (robot, goal_id) = (goal.robot.clone(), id.to_owned());
        let cancel = CancelMotion { robot: robot.clone(), goal_id, release: false };
        let request = by_program(&robot, user_cmd::Command::CancelMotion(cancel));
        // How it ended is told by its result.
        self.ask(
            request,
            Box::new(|_, response| {
                let reply = response.into_reply();
                if !reply.ok {
                    tracing::info!(reason = reply.message, "a goal was not cancelled");
                }
            }),
        );
    }

    pub(super) fn tell_feedback(&mut self, message: &MotionFeedback) {
        let Some(goal) = self.goals.0.get(&message.goal_id) else { return };
        let told = match goal.is_text {
            true => {
                let done = message.desired.as_ref().map_or(0.0, |point| point.time_from_start);
                let (name, all) = (&message.motion, message.duration_secs);
                json!({"status": format!("{name}: {done:.2} of {all:.2} s")})
            }
            false => feedback(message, &self.clock),
        };
        (goal.watcher)(GoalEvent::Feedback(told));
    }

    pub(super) fn end_goal(&mut self, ended: &MotionResult) {
        let Some(goal) = self.goals.0.remove(&ended.goal_id) else { return };
        let end = match ended.state() {
            State::Succeeded => GoalEnd::Succeeded,
            State::Canceled => GoalEnd::Canceled,
            State::Preempted => GoalEnd::Preempted,
            State::Aborted | State::Rejected | State::Unknown => GoalEnd::Aborted,
        };
        if let Some(executed) = goal.executed.filter(|_| end == GoalEnd::Succeeded) {
            self.executed.insert(goal.robot.clone(), executed);
        }
        (goal.watcher)(GoalEvent::Ended(end, result(ended.error_code, &ended.error_string)));
    }

    /// After a jump in time: goals that are not there any more have an end too.
    pub(super) fn check_goals(&mut self) {
        let Some(view) = &self.view else { return };
        let ecm = &view.ecm;
        let mut over = Vec::new();
        let doubted = self.goals.0.iter_mut().filter(|(_, goal)| goal.in_doubt && goal.accepted);
        for (id, goal) in doubted {
            goal.in_doubt = false;
            let model = retake_components::find(ecm, &goal.robot);
            let runs = model.and_then(|model| ecm.get::<MotionGoals>(model));
            if runs.is_some_and(|goals| goals.0.find_goal(id).is_some()) {
                continue;
            }
            let ended = model.and_then(|model| ecm.get::<MotionOutcomes>(model));
            let ended = ended.into_iter().flat_map(|all| &all.0).find(|one| one.goal_id == *id);
            over.push(ended.map_or_else(
                || MotionResult {
                    goal_id: id.clone(),
                    state: State::Aborted.into(),
                    error_code: INVALID_GOAL,
                    error_string: "a jump in time took the goal away".to_owned(),
                    ..MotionResult::default()
                },
                motion_result,
            ));
        }
        over.iter().for_each(|ended| self.end_goal(ended));
    }

    /// Takes a message for a topic that robots listen to: of an action, or a trajectory that nobody
    /// follows up.
    pub(super) fn take_message(&mut self, topic: &str, message: &Value) {
        if self.take_actionlib(topic, message) {
            return;
        }
        let named =
            |robot: &&crate::robot::Robot| topic == format!("/{}/joint_trajectory", robot.name);
        let Some(robot) = self.robots.iter().find(named) else { return };
        let action = format!("/{}/follow_joint_trajectory", robot.name);
        let topic = topic.to_owned();
        let watcher: GoalWatcher = Arc::new(move |event| {
            if let GoalEvent::Rejected { text, .. } = event {
                tracing::warn!(topic, text, "a trajectory is not followed");
            }
        });
        let id = format!("ros-{}", uuid::Uuid::now_v7());
        self.take_goal(&action, &json!({"trajectory": message}), id, watcher);
    }
}

/// Makes a command that is no person's; those for one robot keep their order.
pub(super) fn by_program(robot: &str, command: user_cmd::Command) -> Request {
    let command = UserCmd {
        author: format!("ros {}", robot.chars().take(24).collect::<String>()),
        by_program: true,
        command: Some(command),
        ..UserCmd::default()
    };
    Request::Command(Box::new(command))
}
