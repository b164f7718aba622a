//! User commands on a copy of the world that no engine follows: the Ecm of a GUI.

use retake_assets::ResourceRoots;
use retake_ecm::{Ecm, EntityId};
use retake_msgs::user_cmd;

use crate::CommandError;
use crate::preparation::Preparer;
use crate::user_commands::{self, Applied, changes_profiles};

/// Carries commands out on any Ecm, by the same code as the server.
pub struct Editor {
    preparer: Preparer,
}

/// What a command did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edited {
    /// What a person reads in the history.
    pub description: String,
    /// Entities that it made or changed.
    pub entities: Vec<EntityId>,
}

impl Editor {
    /// Makes an editor whose insertions may take files from `roots`.
    pub fn new(roots: ResourceRoots) -> Self {
        Self { preparer: Preparer::without_shapes(roots) }
    }

    /// Says whether a command needs more than an Ecm: the start of the world, or an engine.
    pub fn needs_server(command: &user_cmd::Command) -> bool {
        use user_cmd::Command;
        let of_engine = ["joint_position", "joint_velocity"];
        match command {
            Command::ResetWorld(_)
            | Command::ResumeTimeline(_)
            | Command::SetJointPosition(_)
            | Command::SetJointPositions(_)
            | Command::StartMotion(_)
            | Command::CancelMotion(_)
            | Command::SetMotionSpeed(_)
            | Command::SetTorque(_)
            | Command::ReloadScript(_) => true,
            Command::SetComponent(set) => of_engine.contains(&set.component.as_str()),
            other => changes_profiles(other),
        }
    }

    /// Carries a command out, whole or not at all.
    ///
    /// # Errors
    /// [`CommandError`] when it is refused; the Ecm is as it was.
    pub fn apply(
        &self,
        ecm: &mut Ecm,
        command: &user_cmd::Command,
    ) -> Result<Edited, CommandError> {
        if matches!(command, user_cmd::Command::PullLink(_)) {
            return Err(CommandError::Standing { what: "a link can be pulled" });
        }
        let before = ecm.snapshot();
        match user_commands::apply(ecm, command, &self.preparer, None) {
            Ok(Applied { description, entities }) => Ok(Edited { description, entities }),
            Err(error) => {
                ecm.restore(&before);
                Err(error)
            }
        }
    }
}
