//! User commands: the only door for edits by a person. One file each.

mod cancel_motion;
mod check;
mod command_joint;
mod command_script;
mod consequences;
mod copy_entity;
mod create_profile;
mod delete_entities;
mod insert_entity;
mod load_profiles;
mod move_entities;
mod move_entity;
mod numbers;
mod pull_link;
mod reload_script;
mod remove_profile;
mod replace_profile;
mod scale_entity;
mod set_component;
mod set_current_profile;
mod set_joint_position;
mod set_joint_positions;
mod set_motion_speed;
mod set_profile_param;
mod set_torque;
mod snap_entity;
mod start_motion;

use retake_assets::ResolveError;
use retake_components::fields::FieldError;
use retake_components::{EditError, LookupError, NameError};
use retake_ecm::{Ecm, EntityId, MergeError, NoSuchEntity};
use retake_motion::{ErrorCode, Refusal};
use retake_msgs::entity_ref::By;
use retake_msgs::numbers::WildNumber;
use retake_msgs::{EntityRef, user_cmd};
use thiserror::Error;

use crate::preparation::{Preparer, ReadyInsert};
use crate::systems::motion::NoPlayer;
use crate::{PresetError, TimelineError};
pub(crate) use check::check;
pub(crate) use retake_components::names::is_unprintable;

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
    /// A number is none, endless or beyond all reason.
    #[error(transparent)]
    Wild(#[from] WildNumber),
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
    /// The name cannot be used, or is taken.
    #[error(transparent)]
    Name(#[from] NameError),
    /// No component of that name can be edited.
    #[error("{component:?} of a {kind} cannot be edited. Known: {}", known.join(", "))]
    NoComponent {
        /// What was asked for.
        component: String,
        /// What the entity is.
        kind: String,
        /// What can be edited of it.
        known: Vec<&'static str>,
    },
    /// A field cannot be set so.
    #[error("{entity}: {cause}")]
    Field {
        /// Path of the entity.
        entity: String,
        /// What is wrong.
        cause: FieldError,
    },
    /// A value does not fit its component.
    #[error("{reason}")]
    Unfit {
        /// What the decoder said.
        reason: String,
    },
    /// A file cannot be used.
    #[error(transparent)]
    File(#[from] ResolveError),
    /// The world would not be one any more.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The physics profiles cannot be changed so.
    #[error(transparent)]
    Preset(#[from] PresetError),
    /// No player can be asked.
    #[error(transparent)]
    NoPlayer(#[from] NoPlayer),
    /// A player does not take a goal.
    #[error("{robot} does not take {what}: {refusal}")]
    Motion {
        /// What it was to do.
        what: String,
        /// The robot.
        robot: String,
        /// Why.
        refusal: Refusal,
    },
    /// The torque of a joint is off.
    #[error("the torque of joint {joint:?} is off; switch it on first")]
    Limp {
        /// Path of the joint.
        joint: String,
    },
    /// A stored motion cannot be found or read.
    #[error("{reason}")]
    NoMotion {
        /// Which, and why.
        reason: String,
    },
    /// The physics engine cannot do it.
    #[error("{reason}")]
    Engine {
        /// What it said, with the entity's name.
        reason: String,
    },
    /// The entity stays where it is, whatever pulls it.
    #[error("{name:?} {why}, so that nothing can pull it")]
    Immovable {
        /// Path of the entity.
        name: String,
        /// What keeps it there.
        why: &'static str,
    },
    /// Somebody lets go of what nobody pulls.
    #[error("Nothing pulls {name:?}, so that there is nothing to let go of")]
    NotPulled {
        /// Path of the link.
        name: String,
    },
    /// The world stands, and the command is for one that runs.
    #[error("Play first: {what} only while the world runs")]
    Standing {
        /// What can be done then.
        what: &'static str,
    },
    /// The timeline has no such instant or branch.
    #[error(transparent)]
    Timeline(#[from] TimelineError),
    /// An instant of the past cannot be come to.
    #[error("{reason}")]
    Past {
        /// Why not.
        reason: String,
    },
    /// The SDF text cannot be used.
    #[error("The SDF text cannot be used: {findings}")]
    BadSdf {
        /// What is wrong with it, each with its place.
        findings: String,
    },
}

impl CommandError {
    /// Returns the code of `FollowJointTrajectory` that tells programs why.
    pub(crate) fn code(&self) -> i32 {
        match self {
            Self::Motion { refusal, .. } => refusal.code.number(),
            _ => ErrorCode::InvalidGoal.number(),
        }
    }
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
    numbers::check_all(command)?;
    match command {
        Command::MoveEntity(command) => move_entity::apply(ecm, command),
        Command::MoveEntities(command) => move_entities::apply(ecm, command),
        Command::CopyEntity(command) => copy_entity::apply(ecm, command),
        Command::ScaleEntity(command) => scale_entity::apply(ecm, command),
        Command::SnapEntity(command) => snap_entity::apply(ecm, command),
        Command::InsertEntity(command) => {
            let ready = ready.unwrap_or_else(|| preparer.prepare(command, &|_| {}));
            insert_entity::apply(ecm, command, ready, preparer)
        }
        Command::DeleteEntities(command) => delete_entities::apply(ecm, command, preparer),
        Command::SetJointPosition(command) => set_joint_position::apply(ecm, command),
        Command::CommandJoint(command) => command_joint::apply(ecm, command),
        Command::SetCurrentProfile(command) => set_current_profile::apply(ecm, command),
        Command::SetProfileParam(command) => set_profile_param::apply(ecm, command),
        Command::CreateProfile(command) => create_profile::apply(ecm, command),
        Command::RemoveProfile(command) => remove_profile::apply(ecm, command),
        Command::ReplaceProfile(command) => replace_profile::apply(ecm, command),
        Command::LoadProfiles(command) => load_profiles::apply(ecm, command),
        Command::SetComponent(command) => set_component::apply(ecm, command, preparer),
        Command::PullLink(command) => pull_link::apply(ecm, command),
        Command::ReloadScript(command) => reload_script::apply(ecm, command),
        Command::CommandScript(command) => command_script::apply(ecm, command),
        // They swap the whole state, which only the simulation and the server can do.
        Command::ResetWorld(_) | Command::ResumeTimeline(_) => Err(CommandError::Empty),
        Command::StartMotion(command) => start_motion::apply(ecm, command),
        Command::CancelMotion(command) => cancel_motion::apply(ecm, command),
        Command::SetMotionSpeed(command) => set_motion_speed::apply(ecm, command),
        Command::SetTorque(command) => set_torque::apply(ecm, command),
        Command::SetJointPositions(command) => set_joint_positions::apply(ecm, command),
    }
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
