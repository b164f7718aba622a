//! What a server does about stored motions beyond carrying commands out.

use retake_msgs::{UserCmd, UserCmdReply, user_cmd};

use super::Server;
use crate::motion_desk::MotionWork;
use crate::preparation::Prepared;
use crate::shelves::plays_others;
use crate::systems::motion::{PlayerKind, find_player, find_robot};
use crate::{CommandError, Request};

/// Says whether programs may send a command in the course of their work: it moves a robot.
pub(super) fn is_for_robots(command: &UserCmd) -> bool {
    use user_cmd::Command;
    matches!(
        command.command,
        Some(
            Command::StartMotion(_)
                | Command::CancelMotion(_)
                | Command::SetMotionSpeed(_)
                | Command::SetTorque(_)
                | Command::SetJointPositions(_)
        )
    )
}

impl Server {
    /// Returns the folders of motions that a command needs, when it has to be looked up there.
    pub(crate) fn motion_folders(&self, command: &UserCmd) -> Option<Vec<String>> {
        let Some(user_cmd::Command::StartMotion(start)) = &command.command else { return None };
        let lacks_goal = start.goal.is_none() && !start.motion.is_empty();
        let goal = start.goal.as_ref().filter(|_| start.nested.is_empty());
        if !lacks_goal && !goal.is_some_and(plays_others) {
            return None;
        }
        // Whatever else is wrong is found when it is carried out.
        let ecm = self.simulation.ecm();
        let robot = find_robot(ecm, &start.robot).ok()?;
        let (_, player) = find_player(ecm, robot, PlayerKind::Stored).ok()?;
        Some(player.folders)
    }

    /// Looks a stored motion up, and plays it.
    pub(super) fn look_up_and_carry_out(
        &mut self,
        mut command: UserCmd,
        folders: &[String],
    ) -> UserCmdReply {
        let found = match &mut command.command {
            Some(user_cmd::Command::StartMotion(start)) => {
                self.simulation.preparer().find_motion(start, folders)
            }
            _ => Err(CommandError::Empty),
        };
        match found {
            // It has its goal now, so that it is not looked up again.
            Ok(()) => self.carry_out(&command, Prepared::Nothing),
            Err(error) => self.refuse(&command, &error),
        }
    }

    /// Answers a command that cannot be carried out.
    pub(crate) fn refuse(&mut self, command: &UserCmd, error: &CommandError) -> UserCmdReply {
        let refused = UserCmdReply::refused(error.to_string());
        let reply = UserCmdReply { error_code: error.code(), ..refused };
        self.recent.remember(&command.author, &command.id, &reply);
        reply
    }

    /// Takes what a request about motions needs, so that it can be done on another thread.
    pub(crate) fn motion_work(&self, request: &Request) -> Option<MotionWork> {
        MotionWork::of(request, self.simulation.ecm(), || self.simulation.preparer())
    }
}
