//! The controller's side of worlds whose steps wait for controllers.
//!
//! A world that was started with `--lockstep NAME` makes no step before the controller of that name
//! has answered its turn. What a controller sends goes with its answer, so that it takes effect in
//! just this step, however fast either side is.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

use retake_msgs::{
    LockstepDone, LockstepJoin, LockstepMessage, LockstepReply, LockstepTurn, names,
};
use thiserror::Error;

use crate::bus::{Bus, Guard};
use crate::error::{BusError, CallError};
use crate::typed::{Typed, call, subscribe};

/// Turns that may wait to be looked at: the world waits for the answer to each.
const CAPACITY: usize = 64;

/// A controller that a world waits for.
pub struct LockstepController {
    bus: Arc<dyn Bus>,
    world: String,
    name: String,
    timeout: Duration,
    turns: Receiver<LockstepTurn>,
    /// A turn that came with a reply.
    waiting: Option<LockstepTurn>,
    /// The last turn that was looked at.
    seen: Option<(u64, u64)>,
    _listens: Guard,
    _presence: Guard,
}

/// What became of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answered {
    /// It was taken; the text says what is to be known of it.
    Taken(String),
    /// The world was at another instant by then; it is asked anew with the next turn.
    TooLate(String),
}

/// Why a controller cannot go on.
#[derive(Debug, Error)]
pub enum LockstepError {
    /// The world does not wait for a controller of this name.
    #[error("{message}")]
    Refused {
        /// What the world said.
        message: String,
    },
    /// The bus gave an error.
    #[error(transparent)]
    Bus(#[from] BusError),
    /// The world could not be asked.
    #[error(transparent)]
    Call(#[from] CallError),
}

impl LockstepController {
    /// Joins the world called `world` as the controller called `name`, which hears what systems
    /// publish on the topics `hear`. Calls have `timeout`.
    ///
    /// # Errors
    /// [`LockstepError`] when there is no such world, or it does not wait for this controller.
    pub fn join(
        bus: &Arc<dyn Bus>,
        (world, name): (&str, &str),
        hear: &[&str],
        timeout: Duration,
    ) -> Result<Self, LockstepError> {
        let (sender, turns) = sync_channel(CAPACITY);
        let topic = names::lockstep_turn(world, name);
        let listens = subscribe(bus.as_ref(), &topic, move |turn: LockstepTurn| {
            // Turns that nobody looks at are over: the world tells the present one when asked.
            sender.try_send(turn).ok();
        })?;
        let presence = bus.join(name)?;
        let hear = hear.iter().map(|topic| (*topic).to_owned()).collect();
        let join = LockstepJoin { controller: name.to_owned(), hear };
        let service = names::lockstep_join(world);
        let reply: LockstepReply = call(bus.as_ref(), &service, &join, timeout)?;
        if !reply.ok {
            return Err(LockstepError::Refused { message: reply.message });
        }
        Ok(Self {
            bus: Arc::clone(bus),
            world: world.to_owned(),
            name: name.to_owned(),
            timeout,
            turns,
            waiting: reply.turn,
            seen: None,
            _listens: listens,
            _presence: presence,
        })
    }

    /// Waits for the next turn; none when there was none for `most`.
    pub fn next_turn(&mut self, most: Duration) -> Option<LockstepTurn> {
        loop {
            let turn = match self.waiting.take() {
                Some(turn) => turn,
                None => match self.turns.recv_timeout(most) {
                    Ok(turn) => turn,
                    Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
                },
            };
            let number = (turn.epoch, turn.iterations);
            // The same turn may have come with a reply, and on the topic.
            if self.seen.is_none_or(|seen| seen < number) {
                self.seen = Some(number);
                return Some(turn);
            }
        }
    }

    /// Answers a turn with messages for systems; the step is made once all controllers have.
    ///
    /// # Errors
    /// [`LockstepError`] when the world is gone or refuses the answer.
    pub fn answer(
        &mut self,
        turn: &LockstepTurn,
        message: Vec<LockstepMessage>,
    ) -> Result<Answered, LockstepError> {
        let done = LockstepDone {
            controller: self.name.clone(),
            epoch: turn.epoch,
            iterations: turn.iterations,
            message,
        };
        let service = names::lockstep_done(&self.world);
        let reply: LockstepReply = call(self.bus.as_ref(), &service, &done, self.timeout)?;
        let is_new =
            |turn: &LockstepTurn| self.seen.is_none_or(|seen| seen < (turn.epoch, turn.iterations));
        let next = reply.turn.filter(is_new);
        self.waiting = next.or_else(|| self.waiting.take());
        match reply.ok {
            true => Ok(Answered::Taken(reply.message)),
            // It was given up while it was answered, or time has jumped.
            false if reply.too_late => Ok(Answered::TooLate(reply.message)),
            false => Err(LockstepError::Refused { message: reply.message }),
        }
    }
}

/// Encodes a message for a topic of a system.
pub fn message<M: Typed>(topic: &str, message: &M) -> LockstepMessage {
    LockstepMessage {
        topic: topic.to_owned(),
        r#type: M::full_name(),
        data: message.encode_to_vec(),
    }
}
