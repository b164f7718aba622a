//! All that varies, and what is made from it.

use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::io::Write;
use std::sync::Arc;

use retake_ecm::EntityId;
use retake_math::{Pose, Quat, Vec3};
use serde::Serialize;

use super::contacts::Touch;
use super::model::{AxisPlace, Closure, Model};
use super::place::{BodyNow, Drive, Now};
use crate::{EngineError, EngineSettings};

/// A model and where it is.
#[derive(Clone)]
pub(super) struct Simulated {
    pub(super) model: Arc<Model>,
    pub(super) now: Now,
}

/// A joint between models, and what is remembered of it.
#[derive(Clone)]
pub(super) struct Bond {
    pub(super) closure: Arc<Closure>,
    pub(super) axes: usize,
    pub(super) seen: f64,
}

/// Everything that a snapshot keeps.
#[derive(Clone)]
pub(super) struct State {
    pub(super) settings: EngineSettings,
    pub(super) gravity: Vec3,
    pub(super) models: BTreeMap<EntityId, Simulated>,
    pub(super) bonds: BTreeMap<EntityId, Bond>,
    /// Which model a link or a joint is of.
    pub(super) owners: Arc<BTreeMap<EntityId, EntityId>>,
    pub(super) contacts: Vec<Touch>,
}

impl State {
    /// Finds the model of a link or a joint.
    pub(super) fn owner(
        &self,
        entity: EntityId,
        what: &'static str,
    ) -> Result<&Simulated, EngineError> {
        let owner = self.owners.get(&entity).and_then(|owner| self.models.get(owner));
        owner.ok_or(EngineError::Unknown { entity, what })
    }

    /// Finds the model of a link or a joint, to change it.
    pub(super) fn owner_mut(
        &mut self,
        entity: EntityId,
        what: &'static str,
    ) -> Result<&mut Simulated, EngineError> {
        let owner = self.owners.get(&entity).and_then(|owner| self.models.get_mut(owner));
        owner.ok_or(EngineError::Unknown { entity, what })
    }

    /// Returns where a link is and how fast; none is the world.
    fn link(&self, link: Option<EntityId>) -> Option<BodyNow> {
        let Some(link) = link else { return Some(BodyNow::default()) };
        let simulated = self.owner(link, "link").ok()?;
        let (body, offset) = Now::find(&simulated.model, link)?;
        let state = simulated.now.bodies[body].link(&offset);
        Some(BodyNow { pose: state.world_from_link, twist: state.twist })
    }

    /// Angle and speed of a joint that closes a loop, on the turn nearest to `seen`.
    pub(super) fn closure_angle(&self, closure: &Closure, seen: f64) -> Option<(f64, f64)> {
        let (parent, child) = (self.link(closure.parent.0)?, self.link(Some(closure.child.0))?);
        let world_from_near: Pose = parent.pose * closure.parent.1;
        let turned: Quat =
            world_from_near.rotation.inverse() * (child.pose * closure.child.1).rotation;
        let angle = 2.0 * turned.x.atan2(turned.w);
        let axis = world_from_near.transform_vector(Vec3::X);
        let speed = (child.twist.angular - parent.twist.angular).dot(axis);
        Some((angle + TAU * ((seen - angle) / TAU).round(), speed))
    }

    /// Counts the turns of joints that close loops.
    pub(super) fn follow_closures(&mut self) {
        let mut seen: Vec<(EntityId, usize, f64)> = Vec::new();
        for (entity, simulated) in self.models.iter().filter(|(_, s)| !s.model.closures.is_empty())
        {
            let axes = simulated.model.joints.iter().flat_map(|joint| &joint.axes).enumerate();
            for (number, axis) in axes {
                let AxisPlace::Closure { index } = axis.place else { continue };
                let closure = &simulated.model.closures[index];
                let found = self.closure_angle(closure, simulated.now.drives[number].seen);
                seen.extend(found.map(|(angle, _)| (*entity, number, angle)));
            }
        }
        for (entity, number, angle) in seen {
            if let Some(simulated) = self.models.get_mut(&entity) {
                simulated.now.drives[number].seen = angle;
            }
        }
        let angles = self.bonds.iter().filter_map(|(joint, bond)| {
            Some((*joint, self.closure_angle(&bond.closure, bond.seen)?.0))
        });
        for (joint, angle) in angles.collect::<Vec<_>>() {
            if let Some(bond) = self.bonds.get_mut(&joint) {
                bond.seen = angle;
            }
        }
    }

    /// About how many bytes it keeps.
    pub(super) fn bytes(&self) -> usize {
        let of = |simulated: &Simulated| {
            let now = &simulated.now;
            let numbers = now.positions.len() + now.velocities.len() + now.warm.len();
            numbers * size_of::<f64>()
                + now.bodies.len() * size_of::<BodyNow>()
                + now.drives.len() * size_of::<Drive>()
                + size_of::<Simulated>()
        };
        self.models.values().map(of).sum::<usize>() + size_of::<Self>()
    }

    /// Writes all that decides about the future.
    pub(super) fn write_hashed(&self, sink: &mut dyn Write) -> Result<(), EngineError> {
        let mut sink = sink;
        write(&mut sink, &self.gravity)?;
        for (entity, simulated) in &self.models {
            write(&mut sink, &(entity, &simulated.now))?;
        }
        for (joint, bond) in &self.bonds {
            write(&mut sink, &(joint, bond.seen))?;
        }
        Ok(())
    }
}

/// Writes one value.
pub(super) fn write(sink: &mut dyn Write, value: &impl Serialize) -> Result<(), EngineError> {
    let mut sink = sink;
    rmp_serde::encode::write(&mut sink, value)
        .map_err(|error| EngineError::Encode { reason: error.to_string() })
}
