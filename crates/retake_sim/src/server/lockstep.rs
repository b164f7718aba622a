//! Controllers in other programs that steps wait for.
//!
//! What they send comes with their answer to a turn, and is carried out for all of them at once, in
//! the order of their names: it does not matter who was faster. It is recorded as any message is.
//! How long somebody may take is not known here: that is the runner's, who has a clock.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZeroU64;
use std::time::Duration;

use retake_msgs::notification::Level;
use retake_msgs::{
    LockstepDone, LockstepJoin, LockstepMessage, LockstepReply, LockstepTurn, TimeJumped,
    WorldControl, logged_input, names,
};

use super::Server;
use crate::{Event, OutMessage};

/// Which controllers steps wait for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockstepOptions {
    /// Names of the controllers; none waits for nobody.
    pub controllers: Vec<String>,
    /// Steps from one turn to the next.
    pub every: NonZeroU64,
    /// What becomes of a step that somebody is late for.
    pub late: WhenLate,
}

impl Default for LockstepOptions {
    fn default() -> Self {
        Self { controllers: Vec::new(), every: NonZeroU64::MIN, late: WhenLate::default() }
    }
}

/// What becomes of a step that a controller is late for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenLate {
    /// The world pauses, and waits anew when it goes on.
    #[default]
    Pause,
    /// The step is made with what the others said.
    GoOn,
}

/// Messages that may wait for the next turn of one controller; beyond it the oldest is left out.
const MOST_HEARD: usize = 4096;
/// Messages that one answer may hold.
const MOST_SENT: usize = 1024;
/// Topics that one controller may hear.
const MOST_TOPICS: usize = 256;

/// An instant: the present stretch of time, and the steps made.
type Instant = (u64, u64);

/// The turns of the controllers. No part of the state: a jump in time begins another turn.
pub(super) struct Lockstep {
    controllers: BTreeMap<String, Controller>,
    every: NonZeroU64,
    late: WhenLate,
    /// The turn that is open, or was the last.
    turn: Option<Instant>,
    /// Whether the step after it may be made.
    settled: bool,
    /// The jump that the present stretch began with.
    jump: Option<TimeJumped>,
    /// Turns that are to be told.
    untold: Vec<OutMessage>,
    /// Who was late when that was last said.
    named: BTreeSet<String>,
}

#[derive(Default)]
struct Controller {
    joined: bool,
    hear: Vec<String>,
    heard: VecDeque<LockstepMessage>,
    left_out: u64,
    /// The stretch of its last turn.
    epoch: u64,
    /// Its turn, as it was told.
    turn: LockstepTurn,
    /// Its answer.
    done: Option<Vec<LockstepMessage>>,
}

impl Lockstep {
    pub(super) fn new(options: &LockstepOptions) -> Self {
        let named = options.controllers.iter().map(|name| (name.clone(), Controller::default()));
        Self {
            controllers: named.collect(),
            every: options.every,
            late: options.late,
            turn: None,
            settled: true,
            jump: None,
            untold: Vec::new(),
            named: BTreeSet::new(),
        }
    }

    /// Names those who have not answered the turn that is open.
    pub(super) fn late(&self) -> Vec<&str> {
        let late = self.controllers.iter().filter(|(_, one)| !self.settled && one.done.is_none());
        late.map(|(name, _)| name.as_str()).collect()
    }

    /// Keeps what systems published for the controllers that hear it.
    pub(super) fn hear(&mut self, messages: &[OutMessage]) {
        for controller in self.controllers.values_mut().filter(|one| !one.hear.is_empty()) {
            for message in
                messages.iter().filter(|message| controller.hear.contains(&message.topic))
            {
                if controller.heard.len() == MOST_HEARD {
                    controller.heard.pop_front();
                    controller.left_out += 1;
                }
                controller.heard.push_back(LockstepMessage {
                    topic: message.topic.clone(),
                    r#type: message.type_name.clone(),
                    data: message.bytes.clone(),
                });
            }
        }
    }

    /// Notes how the present stretch began; what was heard before belongs to another time.
    pub(super) fn note_jumps(&mut self, events: &[Event]) {
        for event in events {
            if let Event::TimeJumped(jump) = event
                && self.jump.as_ref().is_none_or(|known| known.epoch < jump.epoch)
            {
                self.jump = Some(jump.clone());
                self.controllers.values_mut().for_each(|controller| {
                    (controller.left_out, controller.done) = (0, None);
                    controller.heard.clear();
                });
            }
        }
    }
}

impl Server {
    /// Says whether the next step waits for controllers; asks them when it is their turn, and does
    /// what they said when all have answered.
    pub(crate) fn lockstep_waits(&mut self) -> bool {
        if self.lockstep.controllers.is_empty() {
            return false;
        }
        let clock = self.simulation.clock();
        let now = (self.simulation.epoch(), clock.iterations);
        if self.lockstep.turn != Some(now) {
            if !clock.iterations.is_multiple_of(self.lockstep.every.get()) {
                return false;
            }
            self.open_turn(now);
        }
        if !self.lockstep.settled && self.lockstep.late().is_empty() {
            self.settle_turn();
            self.lockstep.named.clear();
        }
        !self.lockstep.settled
    }

    /// Takes out the turns that controllers are to be told.
    pub(crate) fn take_turns(&mut self) -> Vec<OutMessage> {
        std::mem::take(&mut self.lockstep.untold)
    }

    /// Ends the wait for those who are late, and says so; says whether the step waits on.
    pub(crate) fn give_up_turn(&mut self, waited: Duration) -> bool {
        let late = self.lockstep.late().into_iter().map(str::to_owned).collect::<BTreeSet<_>>();
        let who: Vec<String> = late.iter().map(|name| self.describe_late(name)).collect();
        let who = format!("{} within {} s", who.join(", "), waited.as_secs_f64());
        match self.lockstep.late {
            WhenLate::Pause => {
                let text = format!("No answer of {who}: the world is paused. Play waits anew");
                self.notify(Level::Error, text);
                let pause = WorldControl { pause: Some(true), ..WorldControl::default() };
                let reply = self.control(&pause);
                self.note_input(|| logged_input::Input::Control(pause), Some(&reply));
                true
            }
            WhenLate::GoOn => {
                // Whoever stays away is named once, not in every step.
                if !late.is_subset(&self.lockstep.named) {
                    let text = format!("No answer of {who}: the world goes on without");
                    self.notify(Level::Warning, text);
                }
                self.settle_turn();
                self.lockstep.named = late;
                false
            }
        }
    }

    fn describe_late(&self, name: &str) -> String {
        let joined = self.lockstep.controllers.get(name).is_some_and(|one| one.joined);
        format!("controller {name:?}{}", if joined { "" } else { " (which has not joined)" })
    }

    fn open_turn(&mut self, now: Instant) {
        // What has not been told yet may hold the jump that this stretch began with.
        self.lockstep.note_jumps(self.simulation.events());
        let clock = self.simulation.clock();
        let (epoch, iterations) = now;
        let lockstep = &mut self.lockstep;
        (lockstep.turn, lockstep.settled) = (Some(now), false);
        for (name, controller) in &mut lockstep.controllers {
            let jump = lockstep.jump.clone().filter(|_| controller.epoch != epoch);
            controller.turn = LockstepTurn {
                epoch,
                iterations,
                sim_time: Some(clock.sim_time.into()),
                step_size_secs: clock.step_size.as_secs_f64(),
                message: controller.heard.drain(..).collect(),
                left_out: std::mem::take(&mut controller.left_out),
                jump,
            };
            (controller.epoch, controller.done) = (epoch, None);
            let topic = names::lockstep_turn(&self.world_name, name);
            lockstep.untold.push(OutMessage::of(&topic, &controller.turn));
        }
    }

    /// Does what controllers said, in the order of their names.
    fn settle_turn(&mut self) {
        self.lockstep.settled = true;
        let done = self.lockstep.controllers.values_mut().filter_map(|one| one.done.take());
        for message in done.flatten().collect::<Vec<_>>() {
            self.take_message(message.topic, message.data);
        }
    }

    pub(super) fn lockstep_join(&mut self, join: LockstepJoin) -> LockstepReply {
        if join.hear.len() > MOST_TOPICS {
            return refused(format!("a controller may hear {MOST_TOPICS} topics"));
        }
        match self.lockstep.controllers.get_mut(&join.controller) {
            Some(controller) => (controller.joined, controller.hear) = (true, join.hear),
            None => return refused(self.lockstep.unknown(&join.controller)),
        }
        self.lockstep_reply(&join.controller, format!("{:?} is waited for", join.controller))
    }

    pub(super) fn lockstep_done(&mut self, done: LockstepDone) -> LockstepReply {
        if done.message.len() > MOST_SENT {
            return refused(format!("an answer may hold {MOST_SENT} messages"));
        }
        let unheard: BTreeSet<&str> =
            done.message.iter().map(|message| message.topic.as_str()).collect();
        let unheard: Vec<&str> =
            unheard.into_iter().filter(|topic| !self.simulation.hears(topic)).collect();
        let text = match unheard.as_slice() {
            [] => String::new(),
            topics => format!("No system listens to {}", topics.join(", ")),
        };
        let lockstep = &mut self.lockstep;
        let Some(controller) = lockstep.controllers.get_mut(&done.controller) else {
            return refused(lockstep.unknown(&done.controller));
        };
        let now = (self.simulation.epoch(), self.simulation.clock().iterations);
        let is_open = lockstep.turn == Some(now) && !lockstep.settled;
        if !is_open || (done.epoch, done.iterations) != now {
            let (epoch, iterations) = now;
            let text = format!(
                "Turn {} of stretch {} is over: the world is at step {iterations} of stretch {epoch}",
                done.iterations, done.epoch
            );
            let reply = self.lockstep_reply(&done.controller, text);
            return LockstepReply { ok: false, too_late: true, ..reply };
        }
        if controller.done.is_some() {
            let text = "This turn was answered already".to_owned();
            return LockstepReply { ok: true, message: text, ..LockstepReply::default() };
        }
        (controller.joined, controller.done) = (true, Some(done.message));
        self.lockstep_reply(&done.controller, text)
    }

    /// Answers a controller, with the turn that waits for it.
    fn lockstep_reply(&self, name: &str, message: String) -> LockstepReply {
        let now = (self.simulation.epoch(), self.simulation.clock().iterations);
        let lockstep = &self.lockstep;
        let is_open = lockstep.turn == Some(now) && !lockstep.settled;
        let waiting = lockstep.controllers.get(name).filter(|one| is_open && one.done.is_none());
        let turn = waiting.map(|one| one.turn.clone());
        LockstepReply { ok: true, message, turn, too_late: false }
    }
}

impl Lockstep {
    fn unknown(&self, name: &str) -> String {
        let known: Vec<&str> = self.controllers.keys().map(String::as_str).collect();
        match known.as_slice() {
            [] => "This world waits for no controllers; start it with --lockstep NAME".to_owned(),
            known => format!("No controller is called {name:?}. Known: {}", known.join(", ")),
        }
    }
}

fn refused(message: String) -> LockstepReply {
    LockstepReply { message, ..LockstepReply::default() }
}
