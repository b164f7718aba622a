//! The files that a world needs, so that its log can be shown elsewhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use retake_assets::read_file;
use retake_components::{Shape, VisualMaterial};
use retake_description::Geometry;
use retake_ecm::Ecm;
use retake_log::{LogError, LogWriter, MAX_LOGGED_BYTES};
use retake_msgs::WorldSource;

/// Largest file that is put into a log.
const MAX_FILE_BYTES: u64 = MAX_LOGGED_BYTES as u64 / 2;
/// Metadata that says which attachment is which file.
pub const RESOURCES: &str = "resources";

/// Files that are in the log.
#[derive(Default)]
pub(super) struct Resources {
    /// Attachment of each file; none when it could not be read.
    files: BTreeMap<PathBuf, Option<String>>,
}

impl Resources {
    /// Puts the world file into the log.
    pub(super) fn attach_world(
        &mut self,
        log: &mut LogWriter,
        source: &WorldSource,
    ) -> Result<(), LogError> {
        match source.path.is_empty() {
            true => Ok(()),
            false => self.attach(log, Path::new(&source.path), "world"),
        }
    }

    /// Puts the files into the log that shapes and materials name since `tick`.
    pub(super) fn attach_new(
        &mut self,
        log: &mut LogWriter,
        ecm: &Ecm,
        tick: Option<u64>,
    ) -> Result<(), LogError> {
        let since = tick.unwrap_or(0);
        let shapes = ecm.changed_since::<Shape>(since).filter_map(|(_, shape)| file_of(&shape.0));
        let materials = ecm.changed_since::<VisualMaterial>(since);
        let textures =
            materials.filter_map(|(_, material)| material.0.pbr.as_ref()?.albedo_path.as_deref());
        let new: Vec<PathBuf> = shapes
            .chain(textures)
            .filter(|path| !path.as_os_str().is_empty() && !self.files.contains_key(*path))
            .map(Path::to_owned)
            .collect();
        if new.is_empty() {
            return Ok(());
        }
        for path in &new {
            if !self.files.contains_key(path) {
                let folder = format!("resources/{}", self.files.len());
                self.attach(log, path, &folder)?;
            }
        }
        let known = self.files.iter().filter_map(|(path, name)| Some((path, name.as_ref()?)));
        let entries = known.map(|(path, name)| (path.display().to_string(), name.clone()));
        log.metadata(RESOURCES, entries.collect())
    }

    fn attach(&mut self, log: &mut LogWriter, path: &Path, folder: &str) -> Result<(), LogError> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = format!("{folder}/{}", name.unwrap_or_default());
        let name = match read_file(path, MAX_FILE_BYTES) {
            Ok(data) => {
                log.attach(&name, "application/octet-stream", &data)?;
                Some(name)
            }
            Err(error) => {
                // The world runs without it, and so does what is seen of its log.
                tracing::warn!(%error, "a file of the world is not in the log");
                None
            }
        };
        self.files.insert(path.to_owned(), name);
        Ok(())
    }
}

fn file_of(geometry: &Geometry) -> Option<&Path> {
    match geometry {
        Geometry::Mesh { path, .. } | Geometry::Heightmap { path, .. } => Some(path),
        _ => None,
    }
}
