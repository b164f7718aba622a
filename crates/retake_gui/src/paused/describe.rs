//! What others are told of an action.

use retake_components::{EntityName, Kind};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_msgs::pending_entity::Change;
use retake_msgs::{EntityState, GuiPending, PausedAction, PendingAction, PendingEntity};

/// Entities of one action that are told.
const MAX_ENTITIES: usize = 32;
/// Actions that are told one by one.
const MAX_TOLD: usize = 256;

/// Describes an action that led to `ecm`.
pub(super) fn pending(action: &PausedAction, ecm: &Ecm) -> PendingAction {
    let command = action.command.clone().unwrap_or_default();
    let states = action.state.iter().flat_map(|state| &state.entities);
    PendingAction {
        id: command.id,
        author: command.author,
        description: command.description,
        entity: states.take(MAX_ENTITIES).map(|state| touched(state, ecm)).collect(),
        refused: String::new(),
    }
}

/// Tells of the newest, and counts the rest.
pub(super) fn newest<'a>(
    gui: u64,
    actions: impl DoubleEndedIterator<Item = &'a PendingAction> + Clone,
) -> GuiPending {
    let more = actions.clone().count().saturating_sub(MAX_TOLD);
    let action = actions.skip(more).cloned().collect();
    GuiPending { gui, action, more: more as u64, ..GuiPending::default() }
}

fn touched(state: &EntityState, ecm: &Ecm) -> PendingEntity {
    let id = EntityId::from_raw(state.id);
    let change = match (state.removed, state.replaced) {
        (true, _) => Change::Removed,
        (false, true) => Change::Made,
        (false, false) => Change::Changed,
    };
    let mut told = PendingEntity { id: state.id, ..PendingEntity::default() };
    told.set_change(change);
    if change == Change::Made {
        told.name = ecm.get::<EntityName>(id).map(|name| name.0.clone()).unwrap_or_default();
        told.kind = ecm.get::<Kind>(id).map(ToString::to_string).unwrap_or_default();
        told.parent = ecm.get::<Parent>(id).map_or(0, |parent| parent.0.raw());
    }
    told
}
