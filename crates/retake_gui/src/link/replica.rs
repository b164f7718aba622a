//! A copy of the server's Ecm, kept up to date by deltas.
//!
//! Deltas come in order, so after the first that was laid over the copy every other must start
//! exactly where the copy is. Whatever does not, whether it was lost, doubled or made up, is a gap,
//! and the full state is asked for again: a wrong tick can't hold the copy up for long.

use std::sync::Arc;
use std::time::{Duration, Instant};

use retake_ecm::{ApplyError, Ecm, Registry};
use retake_msgs::{SerializedState, StampedState};
use thiserror::Error;

/// Deltas that may have been under way when the full state was asked for; more are a gap.
const MAX_UNDER_WAY: usize = 256;

/// Shortest time between two requests for the full state because of gaps.
const RESYNC_AFTER: Duration = Duration::from_millis(250);

/// The copy, with the server's tick that it is at.
pub(super) struct Replica {
    pub(super) ecm: Ecm,
    tick: u64,
    stage: Stage,
}

/// How the copy came to its tick.
enum Stage {
    /// By a full state that was asked for; deltas that were under way then are still coming in.
    Joining { expected: usize },
    /// By the stream of deltas.
    Following,
}

/// What became of a delta.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Followed {
    /// It was laid over the copy.
    Applied,
    /// The copy already had it.
    Known,
    /// Something between the copy and this delta is missing; a full state is needed.
    Gap,
}

/// A reply that the copy cannot start from.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum ReplicaError {
    /// The reply is not a full state.
    #[error("The server was asked for its full state and sent something else")]
    NotFull,
    /// The state is inconsistent.
    #[error("The server's state cannot be used: {0}")]
    Refused(#[from] ApplyError),
}

impl Replica {
    pub(super) fn new(registry: &Arc<Registry>) -> Self {
        let ecm = Ecm::new(Arc::clone(registry));
        Self { ecm, tick: 0, stage: Stage::Joining { expected: 0 } }
    }

    /// Returns the server's tick that the copy is at.
    pub(super) fn tick(&self) -> u64 {
        self.tick
    }

    /// Starts from a full state that was asked for.
    ///
    /// # Errors
    /// [`ReplicaError`] when it is none, or is inconsistent; the copy is as it was.
    pub(super) fn join(&mut self, stamped: &StampedState) -> Result<(), ReplicaError> {
        let full = stamped.state.as_ref().filter(|state| state.full);
        self.lay(full.ok_or(ReplicaError::NotFull)?)?;
        self.stage = Stage::Joining { expected: MAX_UNDER_WAY };
        Ok(())
    }

    /// Lays a state of the stream over the copy if it fits.
    ///
    /// # Errors
    /// [`ApplyError`] when the state is inconsistent; the copy is as it was.
    pub(super) fn follow(&mut self, stamped: &StampedState) -> Result<Followed, ApplyError> {
        let Some(state) = &stamped.state else { return Ok(Followed::Known) };
        if !state.full {
            match self.place(state) {
                Followed::Applied => {}
                other => return Ok(other),
            }
        }
        self.lay(state)?;
        self.stage = Stage::Following;
        Ok(Followed::Applied)
    }

    /// Says what is to become of a delta.
    fn place(&mut self, delta: &SerializedState) -> Followed {
        let (from, to) = (delta.base_tick, delta.tick);
        match &mut self.stage {
            _ if to < from => Followed::Gap,
            Stage::Joining { expected: 0 } if to < self.tick => Followed::Gap,
            Stage::Joining { expected } if to < self.tick => {
                *expected -= 1;
                Followed::Known
            }
            Stage::Joining { .. } if from <= self.tick => Followed::Applied,
            Stage::Following if from == self.tick => Followed::Applied,
            Stage::Joining { .. } | Stage::Following => Followed::Gap,
        }
    }

    fn lay(&mut self, state: &SerializedState) -> Result<(), ApplyError> {
        self.ecm.apply(state)?;
        self.ecm.close_tick();
        self.tick = state.tick;
        Ok(())
    }
}

/// Decides when the full state is asked for again, so that bad deltas cannot make it a flood.
#[derive(Default)]
pub(super) struct Resync {
    wanted: bool,
    last: Option<Instant>,
}

impl Resync {
    /// Notes that the copy has a gap.
    pub(super) fn want(&mut self) {
        self.wanted = true;
    }

    /// Notes that the full state is being asked for.
    pub(super) fn begin(&mut self, now: Instant) {
        *self = Self { wanted: false, last: Some(now) };
    }

    /// Returns how long to wait before the full state is asked for; none when there is no gap.
    pub(super) fn due_in(&self, now: Instant) -> Option<Duration> {
        let rest = |last| RESYNC_AFTER.saturating_sub(now.saturating_duration_since(last));
        self.wanted.then(|| self.last.map_or(Duration::ZERO, rest))
    }
}

#[cfg(test)]
mod tests {
    use retake_components::EntityName;
    use retake_ecm::EntityId;

    use super::*;

    /// A server, and what it sent.
    struct Sender {
        registry: Arc<Registry>,
        ecm: Ecm,
        entity: EntityId,
    }

    impl Sender {
        fn new() -> Self {
            let registry = retake_components::registry().build();
            let mut ecm = Ecm::new(Arc::clone(&registry));
            let entity = ecm.create();
            Self { registry, ecm, entity }
        }

        fn full(&self) -> StampedState {
            stamped(self.ecm.encode_full())
        }

        fn delta(&mut self, name: &str) -> StampedState {
            // As the server does: a delta starts at the tick that the last one led to.
            let base = self.ecm.close_tick();
            self.ecm.set(self.entity, EntityName(name.to_owned())).unwrap();
            stamped(self.ecm.encode_since(base))
        }

        fn joined(&self) -> Replica {
            let mut replica = Replica::new(&self.registry);
            replica.join(&self.full()).unwrap();
            replica
        }

        fn name_in(&self, replica: &Replica) -> String {
            replica.ecm.get::<EntityName>(self.entity).map(|n| n.0.clone()).unwrap_or_default()
        }
    }

    fn stamped(state: SerializedState) -> StampedState {
        StampedState { state: Some(state), ..StampedState::default() }
    }

    fn with_tick(mut stamped: StampedState, tick: u64) -> StampedState {
        stamped.state.as_mut().unwrap().tick = tick;
        stamped
    }

    #[test]
    fn follows_deltas_and_notices_gaps() {
        let mut sender = Sender::new();
        let full = sender.full();
        let deltas = ["one", "two", "three"].map(|name| sender.delta(name));
        let mut replica = Replica::new(&sender.registry);

        assert_eq!(replica.follow(&deltas[0]), Ok(Followed::Gap));
        assert_eq!(replica.join(&full), Ok(()));
        assert_eq!(replica.follow(&deltas[0]), Ok(Followed::Applied));
        assert_eq!(sender.name_in(&replica), "one");
        assert_eq!(replica.follow(&deltas[2]), Ok(Followed::Gap));
        assert_eq!(sender.name_in(&replica), "one");
        assert_eq!(replica.follow(&deltas[1]), Ok(Followed::Applied));
        assert_eq!(replica.follow(&deltas[2]), Ok(Followed::Applied));
        assert_eq!(sender.name_in(&replica), "three");
        assert_eq!(replica.join(&deltas[1]), Err(ReplicaError::NotFull));
    }

    #[test]
    fn deltas_that_were_under_way_are_known_but_not_for_ever() {
        let mut sender = Sender::new();
        let early = ["one", "two"].map(|name| sender.delta(name));
        let mut replica = sender.joined();
        let next = sender.delta("three");
        assert_eq!(replica.follow(&early[0]), Ok(Followed::Known));
        assert_eq!(replica.follow(&next), Ok(Followed::Applied));
        // The stream has gone on; nothing older comes after that.
        assert_eq!(replica.follow(&early[1]), Ok(Followed::Gap));

        let mut replica = sender.joined();
        for _ in 0..MAX_UNDER_WAY {
            assert_eq!(replica.follow(&early[0]), Ok(Followed::Known));
        }
        assert_eq!(replica.follow(&early[0]), Ok(Followed::Gap));
    }

    #[test]
    fn an_odd_tick_is_a_gap_and_does_not_freeze_the_copy() {
        for tick in [0, 1_000_000, u64::MAX] {
            let mut sender = Sender::new();
            let mut replica = sender.joined();
            assert_eq!(replica.follow(&sender.delta("one")), Ok(Followed::Applied));
            // Taken at its word when it fits, and found out with the next delta.
            let forged = with_tick(sender.delta("forged"), tick);
            let taken = replica.follow(&forged).unwrap();
            assert_eq!(taken, if tick == 0 { Followed::Gap } else { Followed::Applied });
            assert_eq!(replica.follow(&sender.delta("two")), Ok(Followed::Gap));
            let forged = with_tick(sender.full(), tick);
            assert_eq!(replica.follow(&forged), Ok(Followed::Applied));
            assert_eq!(replica.follow(&sender.delta("three")), Ok(Followed::Gap));
            replica.join(&sender.full()).unwrap();
            assert_eq!(replica.follow(&sender.delta("four")), Ok(Followed::Applied));
            assert_eq!(sender.name_in(&replica), "four");
        }
    }

    #[test]
    fn the_full_state_is_asked_for_at_once_and_then_at_a_bounded_rate() {
        let mut resync = Resync::default();
        let start = Instant::now();
        assert_eq!(resync.due_in(start), None);
        resync.want();
        assert_eq!(resync.due_in(start), Some(Duration::ZERO));
        resync.begin(start);
        assert_eq!(resync.due_in(start), None);
        resync.want();
        let a_little = Duration::from_millis(50);
        assert_eq!(resync.due_in(start + a_little), Some(RESYNC_AFTER - a_little));
        assert_eq!(resync.due_in(start + RESYNC_AFTER), Some(Duration::ZERO));
    }
}
