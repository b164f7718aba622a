//! The files of a log's world on this machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use retake_assets::read_file;
use retake_ecm::Ecm;
use retake_gui::relocate;
use retake_log::Log;
use retake_sim::RESOURCES;
use tempfile::TempDir;

use crate::output::remark;

/// Where the files of a log are on this machine; what was unpacked is gone when it is dropped.
pub(crate) struct Files {
    places: BTreeMap<PathBuf, PathBuf>,
    _folder: Option<TempDir>,
}

impl Files {
    /// Unpacks the files that are not where they were when the log was recorded, or are others now.
    ///
    /// Where one still is as it was, its neighbours are too: textures that a mesh names, for one.
    pub(crate) fn unpack(log: &Log) -> anyhow::Result<Self> {
        let known = log.metadata(RESOURCES).cloned().unwrap_or_default();
        let mut unpacking = Unpacking { log, folder: None, unpacked: BTreeMap::new() };
        let mut places = BTreeMap::new();
        for (path, attachment) in known {
            if let Some(place) = unpacking.place_of(Path::new(&path), &attachment)? {
                places.insert(PathBuf::from(path), place);
            }
        }
        Ok(Self { places, _folder: unpacking.folder })
    }

    /// Lets entities name the files that there are; `tick` is that of what is right already.
    pub(crate) fn relocate(&self, ecm: &mut Ecm, tick: u64) {
        relocate(ecm, |path| self.places.get(path).cloned(), tick);
    }

    /// Returns where each file of the log is.
    pub(crate) fn places(&self) -> &BTreeMap<PathBuf, PathBuf> {
        &self.places
    }
}

/// Files of a log on their way to this machine.
struct Unpacking<'a> {
    log: &'a Log,
    /// Made when there is something to unpack.
    folder: Option<TempDir>,
    /// Where attachments are; a log may name one for many files.
    unpacked: BTreeMap<String, PathBuf>,
}

impl Unpacking<'_> {
    /// Returns where a file is, or its copy; none when there is neither, which is remarked.
    fn place_of(&mut self, path: &Path, attachment: &str) -> anyhow::Result<Option<PathBuf>> {
        if let Some(place) = self.unpacked.get(attachment) {
            return Ok(Some(place.clone()));
        }
        let data = match self.log.attachment(attachment) {
            Ok(data) => data,
            Err(error) => {
                remark(format!("{} is not shown: {error}", path.display()));
                return Ok(None);
            }
        };
        let is_there = read_file(path, data.len() as u64).is_ok_and(|there| there == data);
        if is_there {
            return Ok(Some(path.to_owned()));
        }
        let place = self.write(attachment, &data)?;
        self.unpacked.insert(attachment.to_owned(), place.clone());
        Ok(Some(place))
    }

    fn write(&mut self, attachment: &str, data: &[u8]) -> anyhow::Result<PathBuf> {
        if self.folder.is_none() {
            let folder = TempDir::with_prefix("retake-log-");
            self.folder = Some(folder.context("Could not make a folder")?);
        }
        let folder = self.folder.as_ref().map_or(Path::new(""), TempDir::path);
        // The name in the log is only taken for its last part: it may not lead elsewhere.
        let name = Path::new(attachment).file_name().unwrap_or_default();
        let place = folder.join(self.unpacked.len().to_string()).join(name);
        let written = place.parent().map_or(Ok(()), std::fs::create_dir_all);
        let written = written.and_then(|()| std::fs::write(&place, data));
        written.with_context(|| format!("Could not unpack {attachment}"))?;
        Ok(place)
    }
}
