//! Writing a motion into the folder of a robot's player.
//!
//! A file is written whole or not at all. A motion of another format stays in it, unless that cannot
//! carry all of the new one. What leads out of the folder by a link is left alone.

use std::fs;
use std::path::{Path, PathBuf};

use retake_assets::{WriteError, write_whole};
use retake_diag::{Diagnostics, Severity};
use retake_motion::Motion;
use retake_motion::file::{Format, MAX_FILE_BYTES, MAX_NAME_BYTES, is_plain_name, read_as, write};
use retake_msgs::{MotionSaveRequest, MotionSaved};

use super::PlayerShelf;

/// Why nothing was written.
enum Refused {
    /// There is one of that name.
    Exists(PathBuf),
    Because(String),
}

impl From<String> for Refused {
    fn from(reason: String) -> Self {
        Self::Because(reason)
    }
}

impl PlayerShelf {
    /// Writes a motion.
    pub(super) fn save(&self, request: &MotionSaveRequest) -> MotionSaved {
        match self.try_save(request) {
            Ok(file) => MotionSaved { ok: true, file: shown(&file), ..MotionSaved::default() },
            Err(Refused::Exists(file)) => {
                let (name, file) = (&request.name, shown(&file));
                let message = format!(
                    "A motion named {name:?} exists: {file}. Replace it, or choose another name"
                );
                MotionSaved { ok: false, message, file, exists: true }
            }
            Err(Refused::Because(message)) => MotionSaved { message, ..MotionSaved::default() },
        }
    }

    fn try_save(&self, request: &MotionSaveRequest) -> Result<PathBuf, Refused> {
        let name = &request.name;
        if !is_plain_name(name) {
            return Err(not_a_name(name).into());
        }
        let motion = parsed(name, &request.text)?;
        let folder = self.first_folder()?;
        let (paths, _) = self.folders()?;
        match self.present(name, &paths) {
            None => {
                let file = folder.join(format!("{name}{}", Format::Native.ending()));
                put(&file, &request.text)?;
                Ok(file)
            }
            Some(file) if !request.replace => Err(Refused::Exists(file)),
            Some(file) => {
                let target = inside(&file)?;
                let text = text_for(&file, &motion, &request.text)?;
                put(&target, &text)?;
                Ok(file)
            }
        }
    }

    /// The folder that new motions go to.
    fn first_folder(&self) -> Result<PathBuf, String> {
        let named = self.folders.as_ref().map_err(Clone::clone)?;
        let (paths, missing) = self.preparer.motion_folders(named.get(..1).unwrap_or_default());
        let folder = paths.into_iter().next().ok_or_else(|| missing.join("; "))?;
        match folder.is_dir() {
            true => Ok(folder),
            false => Err(format!("<trajectories_path>: {} is no folder", shown(&folder))),
        }
    }

    /// Returns the file that has a motion of that name, whether it can be read or not.
    fn present(&self, name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
        let readable = self.preparer.shelves().with(folders.to_vec(), |shelf| {
            let mut motions = shelf.motions();
            motions.find(|(known, ..)| *known == name).map(|(_, file, _)| file.to_owned())
        });
        readable.or_else(|| folders.iter().find_map(|folder| named_so(folder, name)))
    }
}

fn not_a_name(name: &str) -> String {
    if name.len() > MAX_NAME_BYTES {
        return format!(
            "A motion cannot have a name of {} letters; write a shorter one",
            name.len()
        );
    }
    format!("{name:?} is not the name of a motion; write a name without folders")
}

/// Reads the text that is to be saved.
fn parsed(name: &str, text: &str) -> Result<Motion, String> {
    let mut found = Diagnostics::new();
    let file = format!("{name}{}", Format::Native.ending());
    let motion = read_as(Format::Native, text, &file, &mut found).pop();
    let mut items = found.items().iter();
    if let Some(error) = items.find(|item| item.severity == Severity::Error) {
        return Err(error.to_string());
    }
    motion.ok_or_else(|| format!("{file}: there is no motion in the text"))
}

/// Finds a file in a folder by the name that its motion would have, in any format.
fn named_so(folder: &Path, name: &str) -> Option<PathBuf> {
    // A folder that cannot be read has nothing that could be replaced; writing will say why.
    let entries = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let is_so = |path: &PathBuf| {
        let file = path.file_name().and_then(|file| file.to_str());
        file.is_some_and(|file| Format::of_name(file).is_some() && Format::stem(file) == name)
    };
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_so).collect();
    found.sort();
    found.into_iter().next()
}

/// Returns the file that is really replaced: a link is followed as long as it stays in its folder.
fn inside(file: &Path) -> Result<PathBuf, String> {
    let failed = |error: std::io::Error| format!("{}: {error}", shown(file));
    let known = fs::symlink_metadata(file).map_err(failed)?;
    let target = match known.is_symlink() {
        false => file.to_owned(),
        true => {
            let out = || {
                let file = shown(file);
                format!("{file}: the link leads out of the folder. Choose another name")
            };
            let folder = file.parent().ok_or_else(out)?.canonicalize().map_err(failed)?;
            let target = file.canonicalize().map_err(|_| out())?;
            if !target.starts_with(folder) {
                return Err(out());
            }
            target
        }
    };
    let known = fs::metadata(&target).map_err(failed)?;
    if !known.is_file() {
        return Err(format!("{} is no file. Choose another name", shown(file)));
    }
    match known.permissions().readonly() {
        true => Err(format!("{} may not be written: it is read-only", shown(file))),
        false => Ok(target),
    }
}

/// Returns what a file that is there is to hold instead, in its own format.
fn text_for(file: &Path, motion: &Motion, native: &str) -> Result<String, String> {
    let name = file.to_string_lossy();
    let bytes = fs::metadata(file).map_or(0, |known| known.len());
    let text = match bytes <= MAX_FILE_BYTES as u64 {
        true => fs::read(file).map_err(|error| format!("{}: {error}", shown(file)))?,
        false => Vec::new(),
    };
    let text = String::from_utf8_lossy(&text);
    let format = match Format::of(&name, &text) {
        None | Some(Format::Native) => return Ok(native.to_owned()),
        Some(format) => format,
    };
    let words = |what: &str| {
        let file = shown(file);
        format!("{file} is {}, {what}. Save the motion by another name", format.word())
    };
    let mut found = Diagnostics::new();
    let there = read_as(format, &text, &name, &mut found);
    if format == Format::PlayMotionYaml && (there.len() != 1 || found.has_errors()) {
        return Err(words("and has other motions, too"));
    }
    let written = write(motion, format).map_err(|error| error.to_string())?;
    match written.lost.is_empty() {
        true => Ok(written.text),
        false => Err(words(&format!("which cannot carry {}", written.lost.join(", ")))),
    }
}

/// Puts a text in the place of a file, or changes nothing.
fn put(file: &Path, text: &str) -> Result<(), String> {
    write_whole(file, text).map_err(|refused| match refused {
        WriteError::Io { source, .. } => format!("{} cannot be written: {source}", shown(file)),
        other => other.to_string(),
    })
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
