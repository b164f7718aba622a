//! Bringing the texts of scripts into the world.

use std::path::Path;
use std::sync::Arc;

use retake_assets::{ResourceRoots, read_file};
use retake_components::PluginConfig;
use retake_ecm::{Ecm, EntityId};
use retake_script::Limits;

use super::components::ScriptSource;
use super::{is_script, uri_of};

/// Reads the text of every script whose plugin has none yet, or names another file now.
///
/// A text that cannot be read is told by the system that lacks it, not here.
pub(crate) fn read_sources(ecm: &mut Ecm, roots: &ResourceRoots) {
    let wanted: Vec<(EntityId, String)> = ecm
        .iter::<PluginConfig>()
        .filter(|(_, config)| is_script(&config.0))
        .map(|(plugin, _)| (plugin, uri_of(ecm, plugin)))
        .filter(|(plugin, uri)| {
            ecm.get::<ScriptSource>(*plugin).is_none_or(|source| source.uri != *uri)
        })
        .collect();
    for (plugin, uri) in wanted {
        let source = source_of(&uri, roots);
        // The plugin was just found.
        ecm.set(plugin, source).ok();
    }
}

fn source_of(uri: &str, roots: &ResourceRoots) -> ScriptSource {
    let empty = |fault: String| ScriptSource {
        uri: uri.to_owned(),
        path: String::new(),
        text: Arc::from(""),
        fault,
        reloads: 0,
    };
    match read_text(uri, roots) {
        Ok((path, text)) => ScriptSource { path, text: Arc::from(text), ..empty(String::new()) },
        Err(fault) => empty(fault),
    }
}

/// Reads the text of a script from under the resource roots; returns the file's path too.
pub(crate) fn read_text(uri: &str, roots: &ResourceRoots) -> Result<(String, String), String> {
    if uri.is_empty() {
        return Err("<script> is missing; write the name of a Luau file".to_owned());
    }
    let path = roots.resolve(uri, None).map_err(|error| format!("<script>: {error}"))?;
    let most = Limits::default().text_bytes as u64;
    let bytes = read_file(&path, most).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{uri} is not UTF-8 text"))?;
    Ok((path.display().to_string(), text))
}

/// Returns what errors call a script: the name of its file.
pub(super) fn file_name(uri: &str) -> String {
    let name = Path::new(uri).file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "script".to_owned())
}
