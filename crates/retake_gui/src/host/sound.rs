//! Sounds of robots, for the page to play.
//!
//! A page names a player and a sound, never a file: what is served lies in a folder that the player's
//! `<sounds_path>` names, under the resource folders.

use std::io::Read;
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;

use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use retake_assets::ResourceRoots;
use retake_components::PluginConfig;
use retake_ecm::{Ecm, EntityId};

use super::hub::Hub;

/// Largest sound that is served, in bytes.
const MAX_BYTES: u64 = 8 * 1024 * 1024;
/// Longest name of a sound, in bytes.
const MAX_NAME: usize = 128;
/// Endings in the order in which they are tried, with what they are.
const KINDS: [(&str, &str); 3] =
    [(".wav", "audio/wav"), (".ogg", "audio/ogg"), (".mp3", "audio/mpeg")];

/// A sound as it is served.
type Sound = (&'static str, Vec<u8>);

/// Serves a sound of a player by its name, with or without the ending.
pub(super) async fn serve(
    State(hub): State<Arc<Hub>>,
    names: Result<Path<(u64, String)>, PathRejection>,
) -> Response {
    let Ok(Path((player, name))) = names else {
        return (StatusCode::NOT_FOUND, "No such sound").into_response();
    };
    let read = tokio::task::spawn_blocking(move || {
        let folders = folders_of(&hub.view().ecm, EntityId::from_raw(player))?;
        let mut roots = hub.options.roots.clone();
        for folder in hub.link.folders() {
            // A server on another machine has other folders.
            roots.add(&folder).ok();
        }
        find(&roots, &folders, &name)
    });
    match read.await.unwrap_or_else(|_| Err("The sound could not be read".to_owned())) {
        Ok((kind, bytes)) => {
            ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], bytes).into_response()
        }
        Err(reason) => (StatusCode::NOT_FOUND, reason).into_response(),
    }
}

/// Returns the folders that a player has its sounds in, as the world names them: its own, or those of
/// the other plugins of its robot. Whoever plays a motion, its sounds are those of the robot.
fn folders_of(ecm: &Ecm, player: EntityId) -> Result<Vec<String>, String> {
    let config = ecm.get::<PluginConfig>(player).ok_or("No such player")?;
    let named = |config: &PluginConfig| {
        let named = config.0.body.iter().filter(|element| element.name == "sounds_path");
        named.map(|element| element.text.trim().to_owned()).collect::<Vec<_>>()
    };
    let own = named(config);
    if !own.is_empty() {
        return Ok(own);
    }
    let siblings = ecm.with_holders(player).nth(1).map_or(&[][..], |robot| ecm.children(robot));
    let others = siblings.iter().filter_map(|plugin| ecm.get::<PluginConfig>(*plugin));
    let folders: Vec<String> = others.flat_map(named).collect();
    match folders.is_empty() {
        true => Err(format!("{} has no <sounds_path>, nor has its robot", config.0.name)),
        false => Ok(folders),
    }
}

/// Reads the first sound of a name in these folders.
fn find(roots: &ResourceRoots, folders: &[String], name: &str) -> Result<Sound, String> {
    let is_hidden = name.starts_with('.') || name.len() > MAX_NAME;
    if is_hidden || name.contains(['/', '\\']) || name.contains(char::is_control) {
        return Err("A sound has a plain name, without folders".to_owned());
    }
    let mut problems = Vec::new();
    for folder in folders {
        let found = match roots.folder(folder) {
            Ok(folder) => in_folder(roots, &folder, name),
            Err(error) => {
                problems.push(format!("<sounds_path>: {error}"));
                continue;
            }
        };
        if let Some((path, kind)) = found {
            return read(&path).map(|bytes| (kind, bytes));
        }
    }
    let tried = format!("No sound {name:?} in {}", folders.join(", "));
    Err(problems.into_iter().fold(tried, |text, problem| format!("{text}; {problem}")))
}

fn in_folder(
    roots: &ResourceRoots,
    folder: &FilePath,
    name: &str,
) -> Option<(PathBuf, &'static str)> {
    let whole = KINDS.iter().filter(|(ending, _)| name.ends_with(ending));
    let whole = whole.map(|(_, kind)| (name.to_owned(), *kind));
    let ended = KINDS.iter().map(|(ending, kind)| (format!("{name}{ending}"), *kind));
    let mut candidates = whole.chain(ended);
    candidates.find_map(|(file, kind)| Some((roots.file_in(folder, &file)?, kind)))
}

fn read(path: &FilePath) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).map_err(|cause| cause.to_string())?;
    // One more than allowed shows that there is more, whatever the system said before.
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|cause| cause.to_string())?;
    match bytes.len() as u64 > MAX_BYTES {
        true => Err(format!("The sound is larger than {} MiB", MAX_BYTES / (1024 * 1024))),
        false => Ok(bytes),
    }
}
