//! What a server does about scripts beyond carrying commands out.

use retake_components::resolve;
use retake_ecm::EntityId;
use retake_msgs::entity_ref::By;
use retake_msgs::{UserCmd, UserCmdReply, user_cmd};

use super::Server;
use crate::preparation::Prepared;
use crate::systems::script::uri_of;

impl Server {
    /// Returns what the file of a script is called that a command wants read again.
    pub(crate) fn script_file(&self, command: &UserCmd) -> Option<String> {
        let Some(user_cmd::Command::ReloadScript(reload)) = &command.command else { return None };
        if reload.text.is_some() {
            return None;
        }
        // Whatever else is wrong is found when it is carried out.
        let ecm = self.simulation.ecm();
        let plugin = match reload.plugin.as_ref()?.by.as_ref()? {
            By::Id(id) => EntityId::from_raw(*id),
            By::Name(name) => resolve(ecm, name).ok()?,
        };
        Some(uri_of(ecm, plugin)).filter(|uri| !uri.is_empty())
    }

    /// Reads a script from its file, and puts it in place.
    pub(super) fn read_and_carry_out(&mut self, mut command: UserCmd, uri: &str) -> UserCmdReply {
        let read = match &mut command.command {
            Some(user_cmd::Command::ReloadScript(reload)) => {
                self.simulation.preparer().read_script(reload, uri)
            }
            _ => Ok(()),
        };
        match read {
            // It has its text now, so that it is not read again, here or from a log.
            Ok(()) => self.carry_out(&command, Prepared::Nothing),
            Err(error) => self.refuse(&command, &error),
        }
    }
}
