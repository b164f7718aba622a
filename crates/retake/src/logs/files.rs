//! The files of a log's world on this machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use retake_ecm::Ecm;
use retake_gui::relocate;
use retake_log::Log;
use retake_sim::RESOURCES;
use tempfile::TempDir;

use crate::output::remark;

/// Files that the log has and this machine does not; gone when it is dropped.
pub(crate) struct Files {
    places: BTreeMap<PathBuf, PathBuf>,
    _folder: Option<TempDir>,
}

impl Files {
    /// Unpacks the files that are not where they were when the log was recorded.
    ///
    /// Where one still is, its neighbours are too: textures that a mesh names, for one.
    pub(crate) fn unpack(log: &Log) -> anyhow::Result<Self> {
        let known = log.metadata(RESOURCES).cloned().unwrap_or_default();
        let missing: Vec<_> = known.iter().filter(|(path, _)| !Path::new(path).is_file()).collect();
        if missing.is_empty() {
            return Ok(Self { places: BTreeMap::new(), _folder: None });
        }
        let folder = TempDir::with_prefix("retake-log-").context("Could not make a folder")?;
        let mut places = BTreeMap::new();
        for (number, (path, attachment)) in missing.into_iter().enumerate() {
            let data = match log.attachment(attachment) {
                Ok(data) => data,
                Err(error) => {
                    remark(format!("{path} is not shown: {error}"));
                    continue;
                }
            };
            // The name in the log is only taken for its last part: it may not lead elsewhere.
            let name = Path::new(attachment).file_name().unwrap_or_default();
            let place = folder.path().join(number.to_string()).join(name);
            let write = || -> std::io::Result<()> {
                std::fs::create_dir_all(place.parent().unwrap_or(folder.path()))?;
                std::fs::write(&place, &data)
            };
            write().with_context(|| format!("Could not unpack {attachment}"))?;
            places.insert(PathBuf::from(path), place);
        }
        Ok(Self { places, _folder: Some(folder) })
    }

    /// Lets entities name the files that there are; `tick` is that of what is right already.
    pub(crate) fn relocate(&self, ecm: &mut Ecm, tick: u64) {
        if !self.places.is_empty() {
            relocate(ecm, &self.places, tick);
        }
    }

    /// Returns where files are that were elsewhere when the log was recorded.
    pub(crate) fn places(&self) -> &BTreeMap<PathBuf, PathBuf> {
        &self.places
    }
}
