//! Tells a script something.

use retake_components::path_of;
use retake_ecm::Ecm;
use retake_msgs::CommandScript;

use super::reload_script::find_script;
use super::{Applied, CommandError};
use crate::systems::script::ScriptCommands;

/// Longest text that a script is told, in bytes.
const MAX_BYTES: usize = 4096;
/// How much of the text the history shows, in characters.
const SHOWN: usize = 40;

pub(super) fn apply(ecm: &mut Ecm, command: &CommandScript) -> Result<Applied, CommandError> {
    let plugin = find_script(ecm, command.plugin.as_ref(), "command_script.plugin")?;
    let path = path_of(ecm, plugin);
    let unfit = |reason: String| CommandError::Unfit { reason };
    if command.text.len() > MAX_BYTES {
        return Err(unfit(format!("A script takes at most {MAX_BYTES} bytes at once")));
    }
    let mut waiting = ecm.get::<ScriptCommands>(plugin).cloned().unwrap_or_default();
    if waiting.0.len() >= ScriptCommands::MOST {
        let most = ScriptCommands::MOST;
        return Err(unfit(format!("{most} commands wait for {path} already; let the world run")));
    }
    waiting.0.push(command.text.clone());
    ecm.set(plugin, waiting)?;
    let shown: String = command.text.chars().take(SHOWN).collect();
    Ok(Applied { description: format!("Tell {path} {shown:?}"), entities: vec![plugin] })
}
