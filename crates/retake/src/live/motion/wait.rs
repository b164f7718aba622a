//! Waiting for the end of a goal.

use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use anyhow::bail;
use retake_msgs::motion_result::State;
use retake_msgs::{MotionResult, StatisticsRequest, WorldStatistics, names};
use retake_sim::systems::motion::{MotionGoals, MotionOutcomes};
use retake_transport::{Bus, Guard, typed};
use serde_json::json;

use crate::link::Link;
use crate::output::{Outcome, Printer};
use crate::replica;

/// How often it is looked whether the server is still there.
const PERIOD: Duration = Duration::from_secs(2);

/// Hears how a goal ends.
pub(super) struct Watch {
    robot: String,
    goal_id: String,
    results: Receiver<MotionResult>,
    _subscription: Guard,
}

impl Watch {
    /// Begins to listen, before the goal is sent.
    pub(super) fn begin(bus: &dyn Bus, robot: String, goal_id: String) -> anyhow::Result<Self> {
        let (sender, results) = sync_channel(16);
        let wanted = goal_id.clone();
        let subscription =
            typed::subscribe(bus, &names::motion_result(&robot), move |result: MotionResult| {
                if result.goal_id == wanted {
                    // A goal ends once; nobody misses what does not fit.
                    sender.try_send(result).ok();
                }
            })?;
        Ok(Self { robot, goal_id, results, _subscription: subscription })
    }

    /// Waits until the goal has ended, and prints how.
    pub(super) fn end(
        self,
        link: &mut dyn Link,
        printer: &mut Printer<'_>,
    ) -> anyhow::Result<Outcome> {
        let mut told_paused = false;
        let result = loop {
            match self.results.recv_timeout(PERIOD) {
                Ok(result) => break result,
                Err(RecvTimeoutError::Disconnected) => bail!("the bus was closed"),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(result) = self.look(link)? {
                        break result;
                    }
                    let stats: WorldStatistics =
                        link.call(&names::stats_get(&link.world()), &StatisticsRequest {})?;
                    if stats.paused && !std::mem::replace(&mut told_paused, true) {
                        tracing::warn!("the world is paused; the motion goes on with it");
                    }
                }
            }
        };
        let state = State::try_from(result.state).unwrap_or(State::Unknown);
        let value = json!({
            "state": state.as_str_name().to_lowercase(),
            "error_code": result.error_code,
            "error_string": result.error_string,
        });
        printer.print(&value, |out| {
            let text = state.as_str_name().to_lowercase();
            match result.error_string.as_str() {
                "" => writeln!(out, "{text}"),
                why => writeln!(out, "{text}: {why}"),
            }
        })?;
        Ok(if state == State::Succeeded { Outcome::Done } else { Outcome::Failed })
    }

    /// Looks into the world itself: a result may be lost, and undo takes a goal away without one.
    fn look(&self, link: &mut dyn Link) -> anyhow::Result<Option<MotionResult>> {
        let (ecm, _) = replica::fetch(link)?;
        let robot = retake_components::find(&ecm, &self.robot);
        let goals = robot.and_then(|robot| ecm.get::<MotionGoals>(robot));
        if goals.is_some_and(|goals| goals.0.find_goal(&self.goal_id).is_some()) {
            return Ok(None);
        }
        let outcomes = robot.and_then(|robot| ecm.get::<MotionOutcomes>(robot));
        let mut outcomes = outcomes.into_iter().flat_map(|all| &all.0);
        match outcomes.find(|outcome| outcome.goal_id == self.goal_id) {
            Some(outcome) => Ok(Some(retake_sim::motion_result(outcome))),
            None => {
                bail!("the goal is gone: somebody undid it, reset the world or deleted the robot")
            }
        }
    }
}
