//! The world's file: saved by chance, and always the old one or the new one.

use std::path::PathBuf;

use retake_assets::ResourceRoots;
use retake_components::{export_world, world_entity};
use retake_description::World;
use retake_diag::Diagnostics;
use retake_sdf::save::{Original, patched};
use retake_sim::Server;

use crate::store::Store;

/// The world's file, and what it may hold.
pub struct WorldFile {
    store: Store,
    path: PathBuf,
    /// What it holds; after a cut it may be any of these, and is the last otherwise.
    texts: Vec<String>,
}

impl WorldFile {
    /// Writes the file for the first time.
    pub fn new(store: &Store, text: String) -> Self {
        let (path, mut disk) = (PathBuf::from("w.sdf"), store.clone());
        retake_assets::replace(&mut disk, &path, text.as_bytes()).unwrap();
        Self { store: store.clone(), path, texts: vec![text] }
    }

    /// Saves the world of a server; says whether the disk took it.
    pub fn save(&mut self, server: &Server) -> Result<bool, String> {
        let ecm = server.simulation().ecm();
        let world = world_entity(ecm).and_then(|world| export_world(ecm, world));
        let world = world.ok_or("the server has no world")?;
        let now = self.texts.last().cloned().unwrap_or_default();
        let roots = ResourceRoots::new();
        let original = Original { text: &now, path: &self.path, roots: &roots };
        let made = patched(&original, &world);
        if made.is_exact && parsed(&made.text)? != world {
            return Err("what was saved is another world".to_owned());
        }
        let mut disk = self.store.clone();
        let saved = retake_assets::replace(&mut disk, &self.path, made.text.as_bytes());
        match &saved {
            // Whether its name is on the disk as well is not for sure when the disk just failed.
            Ok(()) if self.store.is_out() => self.texts.push(made.text),
            Ok(()) => self.texts = vec![made.text],
            Err(_) => {}
        }
        self.check(&now)?;
        let allowed = self.store.fails() || self.store.is_out() || self.store.free() < 1 << 20;
        match saved {
            Ok(()) => Ok(true),
            Err(_) if allowed => Ok(false),
            Err(error) => Err(format!("a save was refused although there was room: {error}")),
        }
    }

    /// The file is what it should be, and nothing else lies beside it.
    fn check(&self, before: &str) -> Result<(), String> {
        if self.store.is_out() {
            return Ok(());
        }
        let found = self.store.read(&self.path).ok_or("the world's file is gone")?;
        if self.texts.last().map(String::as_bytes) != Some(found.as_slice()) {
            let old = found == before.as_bytes();
            return Err(format!("a save left something else in the file; the old text: {old}"));
        }
        let is_part = |name: &PathBuf| name.to_string_lossy().ends_with(".part");
        // A disk that refuses everything cannot be tidied up either.
        if !self.store.fails() && self.store.names().iter().any(is_part) {
            return Err("a save left a part behind".to_owned());
        }
        Ok(())
    }

    /// The power was gone: reads what is there.
    pub fn after_a_cut(&mut self) -> Result<World, String> {
        let found = self.store.read(&self.path).ok_or("the world's file is gone after a cut")?;
        let found = String::from_utf8(found).map_err(|_| "the file is torn".to_owned())?;
        if !self.texts.contains(&found) {
            return Err(format!("after a cut the file is neither old nor new: {found}"));
        }
        // What was left behind by whoever was killed.
        for name in self.store.names() {
            if name.to_string_lossy().ends_with(".part") {
                self.store.remove_file(&name);
            }
        }
        let world = parsed(&found);
        self.texts = vec![found];
        world
    }
}

/// Reads a world that must be without fault.
pub fn parsed(text: &str) -> Result<World, String> {
    let mut found = Diagnostics::new();
    let roots = ResourceRoots::new();
    let world = retake_sdf::parse_world(text, "w.sdf", &roots, &mut found);
    match world.filter(|_| !found.has_errors()) {
        Some(world) => Ok(world),
        None => Err(format!("what was saved cannot be read: {:?}", found.items())),
    }
}
