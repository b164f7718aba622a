//! Lets fluids carry what is in them, as Gazebo's Buoyancy: one fluid everywhere, or layers.
//!
//! The force on a link is the weight of the fluid that its collision shapes take the place of, at
//! the centre of that volume. Boxes, balls, cylinders, capsules, cones and ellipsoids are known;
//! meshes, planes and terrain are not carried.

mod displaced;
mod fluid;
mod solids;

use retake_components::{
    Kind, ModelProperties, Shape, ShapeSurface, path_of, pose_within, top_level_model, world_pose,
};
use retake_ecm::{Ecm, EntityId};
use retake_math::{Pose, Vec3};

use super::push::push_at;
use super::{Attachment, SystemKind};
use crate::presets::gravity_in_force;
use crate::system::{StepInfo, System, SystemError};
use fluid::Fluid;
use solids::Solid;

pub(super) const KIND: SystemKind = SystemKind {
    names: &["gz::sim::systems::Buoyancy", "ignition::gazebo::systems::Buoyancy"],
    // It remembers nothing: its forces follow from where things are.
    register: |builder| builder,
    make: |attachment, _| Buoyancy::make(attachment),
};

struct Buoyancy {
    fluid: Fluid,
    /// Paths of models and links that are carried; empty for all.
    enabled: Vec<String>,
    /// What is carried: a cache over the shapes of the world.
    carried: Vec<(EntityId, Vec<(Pose, Solid)>)>,
    /// Shapes up to this tick are known.
    seen: u64,
}

impl Buoyancy {
    fn make(at: &Attachment) -> Result<Box<dyn System>, SystemError> {
        let params = at.params();
        let enabled = params.texts("enable").into_iter();
        Ok(Box::new(Self {
            fluid: Fluid::read(&params)?,
            enabled: enabled.map(|name| name.trim().replace('/', "::")).collect(),
            carried: Vec::new(),
            seen: 0,
        }))
    }

    /// Finds what is carried, when shapes came, went or changed.
    fn follow(&mut self, ecm: &Ecm) {
        let gone = ecm.removed_since(self.seen).is_none_or(|removed| !removed.is_empty());
        let changed = ecm.column::<Shape>().any_changed_since(self.seen)
            || ecm.column::<ShapeSurface>().any_changed_since(self.seen)
            || ecm.column::<ModelProperties>().any_changed_since(self.seen);
        // What is written in the present tick is looked at again.
        self.seen = ecm.tick().saturating_sub(1);
        if !gone && !changed {
            return;
        }
        let links = ecm.iter::<Kind>().filter(|(_, kind)| **kind == Kind::Link);
        let carried = links.filter(|(link, _)| self.carries(ecm, *link));
        let carried = carried.map(|(link, _)| (link, solids_of(ecm, link)));
        self.carried = carried.filter(|(_, solids)| !solids.is_empty()).collect();
    }

    fn carries(&self, ecm: &Ecm, link: EntityId) -> bool {
        let model = top_level_model(ecm, link).and_then(|model| ecm.get::<ModelProperties>(model));
        if model.is_none_or(|model| model.is_static) {
            return false;
        }
        let path = path_of(ecm, link);
        let is_in = |name: &String| {
            path.strip_prefix(name.as_str())
                .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        self.enabled.is_empty() || self.enabled.iter().any(is_in)
    }
}

/// Returns the solids of a link with their poses in it.
fn solids_of(ecm: &Ecm, link: EntityId) -> Vec<(Pose, Solid)> {
    let collisions =
        ecm.children(link).iter().filter(|part| ecm.get::<ShapeSurface>(**part).is_some());
    let solid = |part: &EntityId| {
        let solid = Solid::of(&ecm.get::<Shape>(*part)?.0)?;
        Some((pose_within(ecm, link, *part), solid))
    };
    collisions.filter_map(solid).collect()
}

impl System for Buoyancy {
    fn pre_update(&mut self, _: &StepInfo, ecm: &mut Ecm) -> Result<(), SystemError> {
        self.follow(ecm);
        let gravity = gravity_in_force(ecm);
        for (link, solids) in &self.carried {
            let world_from_link = world_pose(ecm, *link);
            for (link_from_solid, solid) in solids {
                let world_from_solid = world_from_link * *link_from_solid;
                let moved = self.fluid.displaced_by(solid, &world_from_solid);
                if let Some((mass_kg, centre)) = moved {
                    push_at(ecm, *link, centre, gravity * -mass_kg, Vec3::ZERO);
                }
            }
        }
        Ok(())
    }
}
