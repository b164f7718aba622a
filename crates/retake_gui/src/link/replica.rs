//! A copy of the server's Ecm, kept up to date by deltas.

use std::sync::Arc;

use retake_ecm::{ApplyError, Ecm, Registry};
use retake_msgs::StampedState;

/// The copy, with the server's tick that it is at.
pub(super) struct Replica {
    pub(super) ecm: Ecm,
    tick: u64,
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

impl Replica {
    pub(super) fn new(registry: &Arc<Registry>) -> Self {
        Self { ecm: Ecm::new(Arc::clone(registry)), tick: 0 }
    }

    /// Lays a state over the copy if it fits.
    ///
    /// # Errors
    /// [`ApplyError`] when the state is inconsistent; the copy is as it was.
    pub(super) fn follow(&mut self, stamped: &StampedState) -> Result<Followed, ApplyError> {
        let Some(state) = &stamped.state else { return Ok(Followed::Known) };
        if !state.full && state.base_tick > self.tick {
            return Ok(Followed::Gap);
        }
        if !state.full && state.tick < self.tick {
            // It was under way when the full state was asked for.
            return Ok(Followed::Known);
        }
        self.ecm.apply(state)?;
        self.ecm.close_tick();
        self.tick = state.tick;
        Ok(Followed::Applied)
    }
}

#[cfg(test)]
mod tests {
    use retake_components::EntityName;

    use super::*;

    fn stamped(state: retake_msgs::SerializedState) -> StampedState {
        StampedState { state: Some(state), ..StampedState::default() }
    }

    #[test]
    fn follows_deltas_and_notices_gaps() {
        let registry = retake_components::registry().build();
        let mut server = Ecm::new(Arc::clone(&registry));
        let mut replica = Replica::new(&registry);
        let entity = server.create();
        let full = stamped(server.encode_full());
        let mut deltas = Vec::new();
        for name in ["one", "two", "three"] {
            let base = server.close_tick();
            server.set(entity, EntityName(name.to_owned())).unwrap();
            deltas.push(stamped(server.encode_since(base)));
        }
        let name = |replica: &Replica| replica.ecm.get::<EntityName>(entity).map(|n| n.0.clone());

        assert_eq!(replica.follow(&deltas[0]), Ok(Followed::Gap));
        assert_eq!(replica.follow(&full), Ok(Followed::Applied));
        assert_eq!(replica.follow(&deltas[0]), Ok(Followed::Applied));
        assert_eq!(name(&replica).as_deref(), Some("one"));
        assert_eq!(replica.follow(&deltas[2]), Ok(Followed::Gap));
        assert_eq!(name(&replica).as_deref(), Some("one"));
        assert_eq!(replica.follow(&deltas[1]), Ok(Followed::Applied));
        assert_eq!(replica.follow(&deltas[2]), Ok(Followed::Applied));
        assert_eq!(replica.follow(&deltas[0]), Ok(Followed::Known));
        assert_eq!(name(&replica).as_deref(), Some("three"));
    }
}
