//! Whether an edit, wherever it was made, leaves a world that can be simulated.

use std::path::Path;

use retake_components::{EditRules, Kind, path_of};
use retake_ecm::{Component, Ecm, EntityId};

use super::CommandError;
use crate::preparation::Preparer;
use crate::systems::UserDriven;
use crate::systems::joint_position_controller::JointPositionTarget;

/// Components of systems that commands change on entities that are there.
const COMMANDED: [&str; 2] = [UserDriven::NAME, JointPositionTarget::NAME];

/// Checks the entities that an edit made, changed or removed.
///
/// # Errors
/// What is wrong, with the entity's name and what would be right.
pub(crate) fn check(
    before: &Ecm,
    after: &Ecm,
    touched: &[EntityId],
    preparer: &Preparer,
) -> Result<(), CommandError> {
    let may_use_file = |path: &Path| preparer.may_use_file(path);
    let rules = EditRules { may_use_file: &may_use_file, commanded: &COMMANDED };
    retake_components::check_edit(before, after, touched, &rules)?;
    touched.iter().try_for_each(|entity| check_target(after, *entity))
}

/// A controller's aim is joints that are there, and numbers.
fn check_target(ecm: &Ecm, plugin: EntityId) -> Result<(), CommandError> {
    let Some(state) = ecm.get::<JointPositionTarget>(plugin) else { return Ok(()) };
    for controlled in &state.joints {
        if !controlled.target.is_finite() || !controlled.integral.is_finite() {
            let (value, expected) = (controlled.target, "write a finite number".to_owned());
            return Err(CommandError::BadNumber {
                field: JointPositionTarget::NAME,
                value,
                expected,
            });
        }
        let kind = ecm.get::<Kind>(controlled.joint);
        if let Some(kind) = kind.filter(|kind| **kind != Kind::Joint) {
            let (name, kind) = (path_of(ecm, controlled.joint), kind.to_string());
            return Err(CommandError::WrongKind { name, kind, expected: "name a joint" });
        }
    }
    Ok(())
}
