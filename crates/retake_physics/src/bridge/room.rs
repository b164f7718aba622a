//! Whether the shapes of a model have room in memory beside those of the others.

use retake_components::{Shape, ShapeSurface};
use retake_description::Geometry;
use retake_ecm::{Ecm, EntityId, Parent};

use super::Physics;
use crate::library::{MOST_SHAPES_MIB, ShapeRoom};
use crate::{EngineError, ShapeLibrary};

/// Returns the shapes of a model that take time and memory.
pub(super) fn shapes_of(ecm: &Ecm, model: EntityId) -> Vec<&Geometry> {
    let parts = ecm.with_descendants(model).into_iter();
    let colliding = parts.filter(|part| ecm.get::<ShapeSurface>(*part).is_some());
    let shapes = colliding.filter_map(|part| ecm.get::<Shape>(part)).map(|shape| &shape.0);
    shapes.filter(|shape| ShapeLibrary::is_slow(shape)).collect()
}

impl Physics {
    /// Refuses a model when there is no room for its shapes beside those in the engine, before any
    /// of them is made.
    pub(super) fn make_room(&mut self, ecm: &Ecm, model: EntityId) -> Result<(), EngineError> {
        let wanted = shapes_of(ecm, model);
        if wanted.is_empty() {
            return Ok(());
        }
        let mut room = self.room.take().unwrap_or_else(|| self.taken_room(ecm));
        let added = room.add(&self.shapes, wanted);
        self.room = Some(room);
        let most = MOST_SHAPES_MIB;
        added.map_err(|mebibytes| EngineError::TooManyShapes { model, mebibytes, most })
    }

    /// Looks for what the engine has: a model that it refused takes no room.
    fn taken_room(&self, ecm: &Ecm) -> ShapeRoom {
        let is_there = |collision: EntityId| {
            let link = ecm.get::<Parent>(collision).map(|parent| parent.0);
            link.is_some_and(|link| self.engine.body_state(link).is_some())
        };
        let colliding = ecm.iter::<ShapeSurface>().map(|(collision, _)| collision);
        let there = colliding.filter(|collision| is_there(*collision));
        let shapes = there.filter_map(|collision| ecm.get::<Shape>(collision));
        let mut room = ShapeRoom::default();
        room.fill(&self.shapes, shapes.map(|shape| &shape.0));
        room
    }
}
