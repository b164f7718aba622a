//! The models that come with the program.
//!
//! A world takes models from folders, so they are put into one: in the runtime folder, under a name
//! that their content gives, so that programs of other versions have others.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;

use anyhow::Context;
use retake_ecm::StateHash;
use retake_transport::rendezvous::runtime_dir;

/// What people read as the source of these models.
const FOLDER: &str = "Retake";

macro_rules! files {
    ($($name:literal),+ $(,)?) => {
        [$(($name, include_str!(concat!("../../../worlds/models/", $name)))),+]
    };
}

/// The files, by their names in the folder.
const FILES: [(&str, &str); 14] = files![
    "ball.sdf",
    "barrel.sdf",
    "cone.sdf",
    "crate.sdf",
    "pallet/model.config",
    "pallet/model.sdf",
    "ramp/model.config",
    "ramp/model.sdf",
    "rover/model.config",
    "rover/model.sdf",
    "shelf/model.config",
    "shelf/model.sdf",
    "table/model.config",
    "table/model.sdf",
];

/// Returns the folder that holds them; puts them there when they are not. There is none without a
/// runtime folder, and whoever cannot do without that says why.
///
/// # Errors
/// When the runtime folder cannot be written.
pub(crate) fn folder() -> anyhow::Result<Option<PathBuf>> {
    runtime_dir().ok().map(|runtime| unpacked(&runtime)).transpose()
}

fn unpacked(runtime: &Path) -> anyhow::Result<PathBuf> {
    let mut hash = StateHash::new();
    for (name, text) in FILES {
        // Hashing writes nowhere, so that it cannot fail.
        hash.write_all(name.as_bytes()).and_then(|()| hash.write_all(text.as_bytes())).ok();
    }
    let place = runtime.join(format!("models-{hash}"));
    let folder = place.join(FOLDER);
    if !folder.is_dir() {
        // Made elsewhere and then moved, so that nobody ever sees a part of it.
        let made = runtime.join(format!("models-{}.making", process::id()));
        let moved = write_all(&made.join(FOLDER)).and_then(|()| fs::rename(&made, &place));
        if moved.is_err() {
            // What is left of it helps nobody; the error below says the rest.
            fs::remove_dir_all(&made).ok();
        }
        // Another program may have been faster, which is as good.
        if !folder.is_dir() {
            moved.with_context(|| format!("could not write models to {}", runtime.display()))?;
        }
    }
    Ok(folder)
}

fn write_all(folder: &Path) -> io::Result<()> {
    for (name, text) in FILES {
        let file = folder.join(name);
        fs::create_dir_all(file.parent().unwrap_or(folder))?;
        fs::write(file, text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use retake_assets::ResourceRoots;
    use retake_diag::Diagnostics;
    use retake_sdf::{LibraryLimits, list_models, parse_part};

    use super::*;

    #[test]
    fn all_models_can_be_inserted() {
        let runtime = tempfile::tempdir().unwrap();
        let folder = unpacked(runtime.path()).unwrap();
        let mut roots = ResourceRoots::new();
        roots.add(&folder).unwrap();
        let library = list_models(&roots, &LibraryLimits::default(), &|| true);
        let names: Vec<&str> = library.models.iter().map(|model| model.name.as_str()).collect();
        let expected =
            ["ball", "barrel", "cone", "crate", "Pallet", "Ramp", "Rover", "Shelf", "Table"];
        assert_eq!(names, expected);
        for model in &library.models {
            assert!(!model.description.is_empty(), "{}", model.uri);
            assert_eq!((model.source.as_str(), &model.problem), ("Retake", &None));
            let text = format!("<include><uri>{}</uri></include>", model.uri);
            let mut found = Diagnostics::new();
            assert!(parse_part(&text, "part", &roots, &mut found).is_some(), "{found}");
            assert!(found.items().is_empty(), "{found}");
        }
    }

    #[test]
    fn they_are_put_there_once_and_whole() {
        let runtime = tempfile::tempdir().unwrap();
        let folder = unpacked(runtime.path()).unwrap();
        let note = folder.join("note");
        fs::write(&note, "").unwrap();
        assert_eq!(unpacked(runtime.path()).unwrap(), folder);
        assert!(note.is_file(), "it was made anew");
        let left: Vec<_> = fs::read_dir(runtime.path()).unwrap().collect();
        assert_eq!(left.len(), 1);
        let no_folder = note;
        let error = unpacked(&no_folder).unwrap_err().to_string();
        assert!(error.starts_with("could not write models to"), "{error}");
    }
}
