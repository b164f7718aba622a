//! What a world asks for that the engine does not do.

use std::collections::BTreeSet;

use retake_components::{path_of, registry, spawn_world};
use retake_description::World;
use retake_ecm::Ecm;

use crate::{EngineSettings, Physics, RapierEngine};

/// Something in a world that is not simulated as the file says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Remark {
    /// The entity, by its names from the world down, as in `arm::wrist::collision`.
    pub path: String,
    /// What is not done as asked, one sentence without a period.
    pub message: String,
}

/// Lists everything in a world that will not be simulated as its file says, each thing once.
///
/// The world is built for a moment, so that the list is what a run would tell; meshes are read.
pub fn unsupported(world: &World) -> Vec<Remark> {
    let mut ecm = Ecm::new(registry().build());
    if let Err(error) = spawn_world(&mut ecm, world, 0) {
        return vec![Remark { path: world.name.clone(), message: error.to_string() }];
    }
    let engine = match RapierEngine::new(EngineSettings::default()) {
        Ok(engine) => engine,
        Err(error) => return vec![Remark { path: world.name.clone(), message: error.to_string() }],
    };
    let followed = Physics::new(Box::new(engine)).follow(&mut ecm);
    let mut told = BTreeSet::new();
    let notes = followed.remarks.into_iter().chain(followed.refusals);
    let remarks =
        notes.map(|note| Remark { path: path_of(&ecm, note.entity), message: note.message });
    remarks.filter(|remark| told.insert(remark.clone())).collect()
}
