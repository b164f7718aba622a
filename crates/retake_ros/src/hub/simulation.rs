//! Services about the simulation as a whole.

use retake_msgs::{ResetWorld, UndoRedo, UserCmdReply, WorldControl, WorldStatistics, user_cmd};
use retake_sim::{Request, Response};
use serde_json::{Value, json};

use super::ServiceReply;
use super::worker::Worker;

const OK: u8 = 1;
pub(super) const NOT_FOUND: u8 = 2;
const INCORRECT_STATE: u8 = 3;
const FAILED: u8 = 4;
pub(super) const UNSUPPORTED: u8 = 0;

const STOPPED: u64 = 0;
const PLAYING: u64 = 1;
const PAUSED: u64 = 2;

/// Most steps at once; beyond it a caller had better let the world play.
const MOST_STEPS: u64 = 1_000_000;

/// Makes a `simulation_interfaces/Result`.
pub(super) fn outcome(code: u8, text: &str) -> Value {
    json!({"result": code, "error_message": text})
}

/// Makes the response of a service that has only a result.
pub(super) fn only(code: u8, text: &str) -> Result<Value, String> {
    Ok(json!({"result": outcome(code, text)}))
}

/// Makes the result of what the server said to a command.
pub(super) fn outcome_of(reply: &UserCmdReply) -> Value {
    match reply.ok {
        true => outcome(OK, ""),
        false => outcome(FAILED, &reply.message),
    }
}

/// A response that tells only success.
pub(super) fn done(reply: &UserCmdReply) -> Result<Value, String> {
    Ok(json!({"result": outcome_of(reply)}))
}

pub(super) fn features(_: &mut Worker, _: &Value, reply: ServiceReply) {
    // Spawning (also from text), deleting, categories, entity states, reset (all, time, state,
    // spawned), simulation state with pause, single and several steps.
    let features = [0, 1, 8, 9, 10, 11, 20, 21, 22, 23, 24, 25, 26, 31, 32];
    reply(Ok(json!({"features": {
        "features": features,
        "spawn_formats": ["sdf", "urdf"],
        "custom_info": "Retake: undo and redo are /retake/undo and /retake/redo",
    }})));
}

impl Worker {
    /// Asks for the statistics of now: the last view may be older than what was asked before.
    fn stats(
        &self,
        reply: ServiceReply,
        then: impl FnOnce(&mut Self, &WorldStatistics, ServiceReply) + Send + 'static,
    ) {
        self.ask(
            Request::Stats,
            Box::new(|worker, response| match response {
                Response::Stats(stats) => then(worker, &stats, reply),
                other => reply(Err(other.into_reply().message)),
            }),
        );
    }

    fn control(
        &self,
        control: WorldControl,
        then: impl FnOnce(&mut Self, UserCmdReply) + Send + 'static,
    ) {
        self.ask(
            Request::Control(control),
            Box::new(|worker, response| then(worker, response.into_reply())),
        );
    }

    /// Answers those whose steps are made.
    pub(super) fn answer_steppers(&mut self) {
        let made = self.view.as_ref().map_or(0, |view| view.stats.iterations);
        let waiting = std::mem::take(&mut self.steppers);
        for (until, reply) in waiting {
            match until <= made {
                true => reply(only(OK, "")),
                false => self.steppers.push((until, reply)),
            }
        }
    }
}

pub(super) fn state(worker: &mut Worker, _: &Value, reply: ServiceReply) {
    worker.stats(reply, |_, stats, reply| {
        let state = if stats.paused { PAUSED } else { PLAYING };
        reply(Ok(json!({"state": {"state": state}, "result": outcome(OK, "")})));
    });
}

pub(super) fn set_state(worker: &mut Worker, request: &Value, reply: ServiceReply) {
    let pause = |pause| WorldControl { pause: Some(pause), ..WorldControl::default() };
    match request["state"]["state"].as_u64() {
        Some(PLAYING) => worker.control(pause(false), |_, said| reply(done(&said))),
        Some(PAUSED) => worker.control(pause(true), |_, said| reply(done(&said))),
        Some(STOPPED) => worker.control(pause(true), |worker, _| reset_world(worker, reply)),
        _ => reply(only(UNSUPPORTED, "The state can be set to stopped, playing or paused")),
    }
}

pub(super) fn step(worker: &mut Worker, request: &Value, reply: ServiceReply) {
    let steps = request["steps"].as_u64().unwrap_or(0);
    if steps == 0 || steps > MOST_STEPS {
        return reply(only(FAILED, &format!("steps is {steps}; it must be 1 to {MOST_STEPS}")));
    }
    worker.stats(reply, move |worker, stats, reply| {
        if !stats.paused {
            return reply(only(INCORRECT_STATE, "The world plays. Pause it to make single steps"));
        }
        let until = stats.iterations + steps;
        let control =
            WorldControl { multi_step: u32::try_from(steps).ok(), ..WorldControl::default() };
        worker.control(control, move |worker, said| match said.ok {
            true => worker.steppers.push((until, reply)),
            false => reply(done(&said)),
        });
    });
}

pub(super) fn reset(worker: &mut Worker, _: &Value, reply: ServiceReply) {
    // Time, state and what was spawned go back together: there is one state of the world.
    reset_world(worker, reply);
}

fn reset_world(worker: &mut Worker, reply: ServiceReply) {
    let reset = user_cmd::Command::ResetWorld(ResetWorld::default());
    worker.command(reset, |worker, said| worker.reply_when_seen(reply, &said));
}

pub(super) fn undo(worker: &mut Worker, _: &Value, reply: ServiceReply) {
    travel(worker, true, reply);
}

pub(super) fn redo(worker: &mut Worker, _: &Value, reply: ServiceReply) {
    travel(worker, false, reply);
}

/// Asks what there is before it is undone: what this bridge saw last may be from before the last
/// request.
fn travel(worker: &mut Worker, undo: bool, reply: ServiceReply) {
    worker.ask(
        Request::History,
        Box::new(move |worker, response| {
            let list = match response {
                Response::History(history) if undo => history.undo.last().cloned(),
                Response::History(history) => history.redo.last().cloned(),
                other => return reply(told(&other.into_reply())),
            };
            match list {
                Some(head) => travel_to(worker, undo, head.id, reply),
                None => {
                    let word = if undo { "undo" } else { "redo" };
                    let message = format!("There is nothing to {word}");
                    reply(told(&UserCmdReply { message, ..UserCmdReply::default() }));
                }
            }
        }),
    );
}

fn travel_to(worker: &mut Worker, undo: bool, id: String, reply: ServiceReply) {
    let request = UndoRedo {
        id,
        undo,
        author: "ros".to_owned(),
        request_id: uuid::Uuid::now_v7().to_string(),
        ..UndoRedo::default()
    };
    worker.ask(
        Request::UndoRedo(request),
        Box::new(move |_, response| reply(told(&response.into_reply()))),
    );
}

fn told(said: &UserCmdReply) -> Result<Value, String> {
    Ok(json!({"success": said.ok, "message": said.message}))
}
