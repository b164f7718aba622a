//! User commands: the only door for edits by a person. One file each.

mod command_joint;
mod copy_entity;
mod create_profile;
mod delete_entities;
mod insert_entity;
mod load_profiles;
mod move_entities;
mod move_entity;
mod numbers;
mod remove_profile;
mod replace_profile;
mod scale_entity;
mod set_current_profile;
mod set_joint_position;
mod set_profile_param;
mod snap_entity;

use retake_components::LookupError;
use retake_ecm::{Ecm, EntityId, MergeError, NoSuchEntity};
use retake_msgs::entity_ref::By;
use retake_msgs::{EntityRef, user_cmd};
use thiserror::Error;

use crate::PresetError;
use crate::preparation::{Preparer, ReadyInsert};
pub(crate) use insert_entity::is_unprintable;

/// What a command did.
pub(crate) struct Applied {
    /// What a person reads in the history.
    pub(crate) description: String,
    /// Entities that it made or changed.
    pub(crate) entities: Vec<EntityId>,
}

impl Applied {
    /// A change of the world itself.
    pub(crate) fn to_world(description: String) -> Self {
        Self { description, entities: Vec::new() }
    }
}

/// Why a command was refused; nothing was changed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CommandError {
    /// The command is empty.
    #[error("The command does not say what to do")]
    Empty,
    /// A field that must be there is missing.
    #[error("{field} is missing")]
    Missing {
        /// Path of the field.
        field: &'static str,
    },
    /// A number cannot be used.
    #[error("{field} is {value}; {expected}")]
    BadNumber {
        /// Path of the field.
        field: &'static str,
        /// What was given.
        value: f64,
        /// What would have been accepted.
        expected: String,
    },
    /// No entity has the name or id.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The entity went away.
    #[error(transparent)]
    Gone(#[from] NoSuchEntity),
    /// The entity is of a kind that the command cannot change.
    #[error("{name:?} is a {kind}; {expected}")]
    WrongKind {
        /// Path of the entity.
        name: String,
        /// What it is.
        kind: String,
        /// What would have been accepted.
        expected: &'static str,
    },
    /// The edit does not fit the world any more.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// The name is taken.
    #[error("There is an entity named {name:?} already. Choose another name or allow renaming")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// The physics profiles cannot be changed so.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// The physics engine cannot do it.
    #[error("{reason}")]
    Engine {
        /// What it said, with the entity's name.
        reason: String,
    },
    /// The SDF text cannot be used.
    #[error("The SDF text cannot be used: {findings}")]
    BadSdf {
        /// What is wrong with it, each with its place.
        findings: String,
    },
}

/// Applies a command to the Ecm; an insertion that is not `ready` is prepared first.
///
/// The caller puts the Ecm back when this fails, so that a refused command changes nothing.
pub(crate) fn apply(
    ecm: &mut Ecm,
    command: &user_cmd::Command,
    preparer: &Preparer,
    ready: Option<ReadyInsert>,
) -> Result<Applied, CommandError> {
    use user_cmd::Command;
    match command {
        Command::MoveEntity(command) => move_entity::apply(ecm, command),
        Command::MoveEntities(command) => move_entities::apply(ecm, command),
        Command::CopyEntity(command) => copy_entity::apply(ecm, command),
        Command::ScaleEntity(command) => scale_entity::apply(ecm, command),
        Command::SnapEntity(command) => snap_entity::apply(ecm, command),
        Command::InsertEntity(command) => {
            let ready = ready.unwrap_or_else(|| preparer.prepare(command, &|_| {}));
            insert_entity::apply(ecm, command, ready)
        }
        Command::DeleteEntities(command) => delete_entities::apply(ecm, command),
        Command::SetJointPosition(command) => set_joint_position::apply(ecm, command),
        Command::CommandJoint(command) => command_joint::apply(ecm, command),
        Command::SetCurrentProfile(command) => set_current_profile::apply(ecm, command),
        Command::SetProfileParam(command) => set_profile_param::apply(ecm, command),
        Command::CreateProfile(command) => create_profile::apply(ecm, command),
        Command::RemoveProfile(command) => remove_profile::apply(ecm, command),
        Command::ReplaceProfile(command) => replace_profile::apply(ecm, command),
        Command::LoadProfiles(command) => load_profiles::apply(ecm, command),
        Command::SetComponent(_) => Err(CommandError::Empty),
        // A reset swaps the whole state, which only the simulation can do.
        Command::ResetWorld(_) => Err(CommandError::Empty),
    }
}

/// Says whether what an edit of a copy touched can be part of the world.
pub(crate) fn check(
    _before: &Ecm,
    _after: &Ecm,
    _touched: &[EntityId],
    _preparer: &Preparer,
) -> Result<(), CommandError> {
    Ok(())
}

/// Says whether a command is about physics profiles.
pub(crate) fn changes_profiles(command: &user_cmd::Command) -> bool {
    use user_cmd::Command;
    matches!(
        command,
        Command::SetCurrentProfile(_)
            | Command::SetProfileParam(_)
            | Command::CreateProfile(_)
            | Command::RemoveProfile(_)
            | Command::ReplaceProfile(_)
            | Command::LoadProfiles(_)
    )
}

/// Finds the entity that a reference names.
fn find(
    ecm: &Ecm,
    reference: Option<&EntityRef>,
    field: &'static str,
) -> Result<EntityId, CommandError> {
    match reference.and_then(|reference| reference.by.as_ref()) {
        Some(By::Id(id)) => Ok(retake_components::resolve(ecm, &format!("#{id}"))?),
        Some(By::Name(name)) => Ok(retake_components::resolve(ecm, name)?),
        None => Err(CommandError::Missing { field }),
    }
}
