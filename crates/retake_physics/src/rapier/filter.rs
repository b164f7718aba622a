//! Which colliders of one model touch each other, and how contacts differ from the engine's own.

use rapier3d_f64::prelude::{
    ContactModificationContext, PairFilterContext, PhysicsHooks, RigidBodyHandle, RigidBodySet,
    SolverFlags,
};
use retake_ecm::EntityId;

use super::surfaces;
use super::tables::Tables;

/// What a collider carries in the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tag {
    pub(super) collision: EntityId,
    /// Tells assemblies apart.
    pub(super) assembly: u32,
    pub(super) self_collide: bool,
}

impl Tag {
    pub(super) fn pack(self) -> u128 {
        u128::from(self.collision.raw())
            | u128::from(self.assembly) << 64
            | u128::from(self.self_collide) << 96
    }

    pub(super) fn unpack(packed: u128) -> Self {
        Self {
            collision: EntityId::from_raw(packed as u64),
            assembly: (packed >> 64) as u32,
            self_collide: packed >> 96 & 1 == 1,
        }
    }
}

/// Asked about pairs of colliders where the engine's own rules are not enough.
pub(super) struct ContactRules<'a> {
    pub(super) tables: &'a Tables,
}

impl PhysicsHooks for ContactRules<'_> {
    fn modify_solver_contacts(&self, context: &mut ContactModificationContext<'_>) {
        surfaces::modify(self.tables, context);
    }

    fn filter_contact_pair(&self, context: &PairFilterContext<'_>) -> Option<SolverFlags> {
        let first = Tag::unpack(context.colliders[context.collider1].user_data);
        let second = Tag::unpack(context.colliders[context.collider2].user_data);
        if first.assembly != second.assembly {
            return Some(SolverFlags::default());
        }
        let slots = [context.rigid_body1, context.rigid_body2]
            .map(|handle| handle.map_or(u32::MAX, |handle| slot(context.bodies, handle)));
        let jointed = self.tables.separated.contains(&ordered(slots[0], slots[1]));
        let wanted = first.self_collide || second.self_collide;
        (wanted && !jointed).then(SolverFlags::default)
    }
}

/// Puts the lower slot first.
pub(super) fn ordered(a: u32, b: u32) -> (u32, u32) {
    (a.min(b), a.max(b))
}

/// The slot of a body.
pub(super) fn slot(bodies: &RigidBodySet, handle: RigidBodyHandle) -> u32 {
    bodies[handle].user_data as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_survive_packing() {
        let tag = Tag { collision: EntityId::from_raw(u64::MAX), assembly: 7, self_collide: true };
        assert_eq!(Tag::unpack(tag.pack()), tag);
        let plain = Tag { self_collide: false, ..tag };
        assert_eq!(Tag::unpack(plain.pack()), plain);
    }
}
