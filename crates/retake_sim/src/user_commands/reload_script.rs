//! Gives a script another text while the world runs.

use std::sync::Arc;

use retake_components::{Kind, PluginConfig, path_of};
use retake_ecm::{Ecm, EntityId};
use retake_msgs::{EntityRef, ReloadScript};

use super::{Applied, CommandError, find};
use crate::systems::script::{self, ScriptSource};

pub(super) fn apply(ecm: &mut Ecm, command: &ReloadScript) -> Result<Applied, CommandError> {
    let plugin = find_script(ecm, command.plugin.as_ref(), "reload_script.plugin")?;
    let text = command.text.as_deref();
    let text = text.ok_or(CommandError::Missing { field: "reload_script.text" })?;
    let uri = script::uri_of(ecm, plugin);
    // What cannot run at all does not take the place of what does.
    script::check_text(&uri, text).map_err(|reason| CommandError::Unfit { reason })?;
    let before = ecm.get::<ScriptSource>(plugin);
    let path = before.map(|source| source.path.clone()).unwrap_or_default();
    // Even the same text counts as a change, so that a script that was stopped goes on.
    let reloads = before.map_or(0, |source| source.reloads) + 1;
    let text = Arc::from(text);
    ecm.set(plugin, ScriptSource { uri, path, text, fault: String::new(), reloads })?;
    if command.restart {
        script::forget(ecm, plugin);
    }
    let verb = if command.restart { "Restart" } else { "Reload" };
    let description = format!("{verb} script {}", path_of(ecm, plugin));
    Ok(Applied { description, entities: vec![plugin] })
}

/// Finds the plugin of a script.
pub(super) fn find_script(
    ecm: &Ecm,
    plugin: Option<&EntityRef>,
    field: &'static str,
) -> Result<EntityId, CommandError> {
    let plugin = find(ecm, plugin, field)?;
    if ecm.get::<PluginConfig>(plugin).is_some_and(|config| script::is_script(&config.0)) {
        return Ok(plugin);
    }
    let kind = ecm.get::<Kind>(plugin).map(ToString::to_string).unwrap_or_default();
    let name = path_of(ecm, plugin);
    let expected = "name a plugin with filename=\"retake-script\"";
    Err(CommandError::WrongKind { name, kind, expected })
}
