//! Which entity is which body, and back.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rapier3d_f64::prelude::{ImpulseJointHandle, MultibodyJointHandle, RigidBodyHandle};
use retake_description::{JointAxis, VelocityDecay};
use retake_ecm::EntityId;
use retake_math::{Pose, Vec3};
use serde::{Deserialize, Serialize};

use super::live::JointFrame;
use super::surfaces::SpecialSurface;
use crate::{EngineError, JointDrive};

/// Structure: changes only when something is inserted or removed, so snapshots share it.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(super) struct Tables {
    /// Bodies by slot; a body's `user_data` is its slot. Slots are never used twice.
    pub(super) bodies: BTreeMap<u32, BodyRecord>,
    /// Where each link is.
    pub(super) links: BTreeMap<EntityId, LinkPlace>,
    /// What each model consists of.
    pub(super) assemblies: BTreeMap<EntityId, AssemblyRecord>,
    /// Slots of bodies that a joint connects although no body stands between them in the engine.
    pub(super) separated: BTreeSet<(u32, u32)>,
    /// Bodies with joints that lose velocity by themselves.
    pub(super) decaying: BTreeMap<u32, VelocityDecay>,
    /// Collisions that contacts must be asked about.
    pub(super) surfaces: BTreeMap<EntityId, SpecialSurface>,
    /// What the shapes of collisions are made from, when a library of shapes made them.
    pub(super) shapes: BTreeMap<EntityId, u128>,
    /// The next free slot.
    pub(super) next_slot: u32,
}

/// A rigid body: links that never move against each other.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct BodyRecord {
    pub(super) handle: RigidBodyHandle,
    pub(super) model: EntityId,
    pub(super) links: Vec<LinkOffset>,
    pub(super) held: Held,
    /// Whether it may sleep when the settings allow it.
    pub(super) may_sleep: bool,
}

/// A link in its body.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct LinkOffset {
    pub(super) link: EntityId,
    pub(super) body_from_link: Pose,
    /// Centre of mass of the link alone, in the body's frame.
    pub(super) body_com: Vec3,
}

/// What decides about a body's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Held {
    /// It is on its own, or fixed, or kinematic.
    Alone,
    /// It is the free root of a multibody.
    FreeRoot,
    /// It is a link or a fixed root of a multibody.
    InMultibody,
}

/// Where a link is.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(super) struct LinkPlace {
    pub(super) slot: u32,
    pub(super) index: usize,
}

/// What a model consists of.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct AssemblyRecord {
    /// All bodies, anchors and helpers too.
    pub(super) slots: Vec<u32>,
    /// Roots of its multibodies.
    pub(super) roots: Vec<RigidBodyHandle>,
    /// Its joints.
    pub(super) joints: Vec<EntityId>,
}

/// A joint.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct JointRecord {
    /// The model it is part of; none for a joint between models.
    pub(super) model: Option<EntityId>,
    /// Slots of the bodies that it connects; the anchor's when it hangs on the world.
    pub(super) slots: [u32; 2],
    /// What of it cannot change in place.
    pub(super) frame: JointFrame,
    /// Where the engine keeps it when it is not in a multibody.
    pub(super) impulse: Option<ImpulseJointHandle>,
    /// The second one, which only brakes, when such a joint has friction.
    pub(super) brake: Option<ImpulseJointHandle>,
    pub(super) axes: Vec<AxisRecord>,
}

/// An axis of a joint.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct AxisRecord {
    pub(super) axis: Arc<JointAxis>,
    pub(super) place: AxisPlace,
    pub(super) drive: JointDrive,
}

/// Where the coordinate of an axis is.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum AxisPlace {
    /// In a multibody.
    Multibody {
        handle: MultibodyJointHandle,
        /// 0 is the translation along x, 3 the rotation about it.
        spatial: usize,
        /// Index among the free coordinates of that joint.
        dof: usize,
    },
    /// Between two bodies.
    Impulse {
        handle: ImpulseJointHandle,
        /// 0 is the translation along x, 3 the rotation about it.
        spatial: usize,
        /// The position, whole turns counted.
        position: f64,
    },
    /// It cannot move.
    Frozen { position: f64 },
}

impl Tables {
    pub(super) fn link(&self, link: EntityId) -> Result<(&BodyRecord, &LinkOffset), EngineError> {
        let unknown = EngineError::Unknown { entity: link, what: "link" };
        let place = self.links.get(&link).ok_or(unknown)?;
        let body = self.body(place.slot);
        Ok((body, &body.links[place.index]))
    }

    pub(super) fn body(&self, slot: u32) -> &BodyRecord {
        &self.bodies[&slot]
    }

    pub(super) fn add_body(&mut self, record: BodyRecord) -> u32 {
        let slot = self.next_slot;
        self.next_slot += 1;
        for (index, offset) in record.links.iter().enumerate() {
            self.links.insert(offset.link, LinkPlace { slot, index });
        }
        self.bodies.insert(slot, record);
        slot
    }

    pub(super) fn remove_body(&mut self, slot: u32) -> Option<BodyRecord> {
        let record = self.bodies.remove(&slot)?;
        for offset in &record.links {
            self.links.remove(&offset.link);
        }
        self.decaying.remove(&slot);
        self.separated.retain(|(a, b)| *a != slot && *b != slot);
        Some(record)
    }

    pub(super) fn assembly(&self, model: EntityId) -> Result<&AssemblyRecord, EngineError> {
        self.assemblies.get(&model).ok_or(EngineError::Unknown { entity: model, what: "model" })
    }
}
