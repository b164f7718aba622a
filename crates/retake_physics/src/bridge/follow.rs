//! From the Ecm to the engine: what changed since the last look.

use std::collections::BTreeSet;

use retake_components::{
    AxisCommand, BodyTwist, CanonicalLink, CurrentProfile, Gravity, Inertia, JointCommand,
    JointPosition, JointSpec, JointVelocity, Kind, LinkProperties, LocalPose, ModelProperties,
    PhysicsProfiles, Shape, ShapeSurface, world_entity, world_pose,
};
use retake_ecm::{Component, Ecm, EntityId, Parent};
use retake_math::Twist;

use super::Physics;
use super::assemble::{assembly_of, joint_of};
use super::index::{top_level_model, top_level_models};
use super::profile::{current_profile, settings_of_profile};
use crate::{AfterTeleport, EngineError, EngineNote, JointDrive};

/// Damping of a velocity drive: high enough to hold any speed that the effort limit allows, low
/// enough to stay far from the rounding of the solver.
const VELOCITY_DRIVE_DAMPING: f64 = 1e4;

pub(super) fn follow(physics: &mut Physics, ecm: &Ecm) -> Vec<EngineNote> {
    let mut notes = Vec::new();
    follow_world(physics, ecm, &mut notes);
    let rebuilt = rebuild_models(physics, ecm, &mut notes);
    let mut link = Follower { physics, ecm, rebuilt, notes };
    link.move_models();
    link.set_twists();
    link.set_joints();
    link.drive_joints();
    link.notes
}

fn follow_world(physics: &mut Physics, ecm: &Ecm, notes: &mut Vec<EngineNote>) {
    let Some(world) = world_entity(ecm) else { return };
    let note = |error: String| EngineNote { entity: world, message: error };
    for (_, gravity) in ecm.changed_since::<Gravity>(physics.seen) {
        if let Err(error) = physics.engine.set_gravity(gravity.0) {
            notes.push(note(error.to_string()));
        }
    }
    let profiles_changed = ecm.column::<PhysicsProfiles>().any_changed_since(physics.seen);
    if !profiles_changed && !ecm.column::<CurrentProfile>().any_changed_since(physics.seen) {
        return;
    }
    let Some(profile) = current_profile(ecm, world) else { return };
    let threads = physics.engine.settings().worker_threads;
    match settings_of_profile(profile) {
        Ok(settings) => {
            let settings = crate::EngineSettings { worker_threads: threads, ..settings };
            if let Err(error) = physics.engine.set_settings(&settings) {
                notes.push(note(error.to_string()));
            }
        }
        Err(error) => notes.push(note(error.to_string())),
    }
}

/// Rebuilds every model whose structure changed, and returns them.
fn rebuild_models(
    physics: &mut Physics,
    ecm: &Ecm,
    notes: &mut Vec<EngineNote>,
) -> BTreeSet<EntityId> {
    let dirty = dirty_models(physics, ecm);
    let mut loose_joints = changed_world_joints(physics, ecm, &dirty);
    for model in &dirty {
        if physics.index.contains_model(*model) {
            // What the index has but the engine refused is simply not there.
            let hanging = physics.engine.remove_assembly(*model).unwrap_or_default();
            loose_joints.extend(hanging);
            physics.index.remove(*model);
        }
        let Some(assembly) = assembly_of(ecm, *model, &mut physics.meshes, notes) else { continue };
        physics.index.add(ecm, *model);
        match physics.engine.insert_assembly(&assembly) {
            Ok(remarks) => notes.extend(remarks),
            Err(error) => notes.push(EngineNote { entity: *model, message: error.to_string() }),
        }
        restore_drives(physics, ecm, *model, notes);
    }
    insert_world_joints(physics, ecm, loose_joints, notes);
    dirty
}

fn dirty_models(physics: &Physics, ecm: &Ecm) -> BTreeSet<EntityId> {
    let Some(removed) = ecm.removed_since(physics.seen) else {
        // Too much was removed to know what: everything is built anew.
        let known = physics.index.models();
        return known.chain(top_level_models(ecm)).collect();
    };
    let mut changed: Vec<EntityId> = Vec::new();
    changed_entities::<Kind>(ecm, physics.seen, &mut changed);
    changed_entities::<Parent>(ecm, physics.seen, &mut changed);
    changed_entities::<ModelProperties>(ecm, physics.seen, &mut changed);
    changed_entities::<LinkProperties>(ecm, physics.seen, &mut changed);
    changed_entities::<Inertia>(ecm, physics.seen, &mut changed);
    changed_entities::<ShapeSurface>(ecm, physics.seen, &mut changed);
    changed_entities::<JointSpec>(ecm, physics.seen, &mut changed);
    let shapes = ecm.changed_since::<Shape>(physics.seen).map(|(entity, _)| entity);
    changed.extend(shapes.filter(|shape| ecm.get::<ShapeSurface>(*shape).is_some()));
    let poses = ecm.changed_since::<LocalPose>(physics.seen).map(|(entity, _)| entity);
    changed.extend(poses.filter(|entity| is_built_in(ecm, *entity)));
    let of_changed = changed.into_iter().filter_map(|entity| top_level_model(ecm, entity));
    let of_removed = removed.into_iter().filter_map(|entity| physics.index.owner(entity));
    of_changed.chain(of_removed).collect()
}

/// Says whether moving this entity changes the shape of its model rather than moving it.
fn is_built_in(ecm: &Ecm, entity: EntityId) -> bool {
    match ecm.get::<Kind>(entity) {
        Some(Kind::Link | Kind::Collision) => true,
        Some(Kind::Model) => top_level_model(ecm, entity) != Some(entity),
        _ => false,
    }
}

fn changed_entities<T: Component>(ecm: &Ecm, since: u64, into: &mut Vec<EntityId>) {
    into.extend(ecm.changed_since::<T>(since).map(|(entity, _)| entity));
}

/// Joints that the world holds, when they or a model that they join changed.
fn changed_world_joints(
    physics: &Physics,
    ecm: &Ecm,
    dirty: &BTreeSet<EntityId>,
) -> BTreeSet<EntityId> {
    let touches = |link: Option<EntityId>| {
        link.and_then(|link| top_level_model(ecm, link)).is_some_and(|m| dirty.contains(&m))
    };
    let changed: BTreeSet<EntityId> =
        ecm.changed_since::<JointSpec>(physics.seen).map(|(joint, _)| joint).collect();
    let joints = ecm.iter::<JointSpec>().filter(|(joint, _)| is_world_joint(ecm, *joint));
    joints
        .filter(|(joint, spec)| {
            changed.contains(joint) || touches(spec.parent) || touches(Some(spec.child))
        })
        .map(|(joint, _)| joint)
        .collect()
}

fn is_world_joint(ecm: &Ecm, joint: EntityId) -> bool {
    let holder = ecm.get::<Parent>(joint).map(|parent| parent.0);
    holder.is_some_and(|holder| ecm.get::<Kind>(holder) == Some(&Kind::World))
}

fn insert_world_joints(
    physics: &mut Physics,
    ecm: &Ecm,
    joints: BTreeSet<EntityId>,
    notes: &mut Vec<EngineNote>,
) {
    for joint in joints {
        // It may be there still, or be gone with a model it hung on: both are fine here.
        physics.engine.remove_joint(joint).ok();
        let Some(spec) = joint_of(ecm, joint) else { continue };
        match physics.engine.insert_joint(&spec) {
            Ok(remarks) => notes.extend(remarks),
            Err(error) => notes.push(EngineNote { entity: joint, message: error.to_string() }),
        }
    }
}

/// A rebuilt model has lost what drove its joints; the Ecm still knows.
fn restore_drives(physics: &mut Physics, ecm: &Ecm, model: EntityId, notes: &mut Vec<EngineNote>) {
    for entity in ecm.with_descendants(model) {
        if let Some(command) = ecm.get::<JointCommand>(entity) {
            drive(physics, entity, command, notes);
        }
    }
}

fn drive(
    physics: &mut Physics,
    joint: EntityId,
    command: &JointCommand,
    notes: &mut Vec<EngineNote>,
) {
    for (axis, command) in command.0.iter().enumerate() {
        let outcome = physics.engine.set_joint_drive(joint, axis, drive_of(command));
        note_failure(outcome, joint, notes);
    }
}

fn drive_of(command: &AxisCommand) -> JointDrive {
    match *command {
        AxisCommand::Free => JointDrive::Free,
        AxisCommand::Position { target, stiffness, damping, max_effort } => {
            JointDrive::Position { target, velocity: 0.0, stiffness, damping, max_effort }
        }
        AxisCommand::Velocity { target, max_effort } => {
            JointDrive::Velocity { target, damping: VELOCITY_DRIVE_DAMPING, max_effort }
        }
        AxisCommand::Effort { effort } => JointDrive::Effort(effort),
    }
}

fn note_failure(outcome: Result<(), EngineError>, entity: EntityId, notes: &mut Vec<EngineNote>) {
    if let Err(error) = outcome {
        notes.push(EngineNote { entity, message: error.to_string() });
    }
}

/// Brings changes of state to models that stay as they are built.
struct Follower<'a> {
    physics: &'a mut Physics,
    ecm: &'a Ecm,
    rebuilt: BTreeSet<EntityId>,
    notes: Vec<EngineNote>,
}

impl Follower<'_> {
    fn move_models(&mut self) {
        let seen = self.physics.seen;
        for (model, _) in self.ecm.changed_since::<LocalPose>(seen) {
            let moved = self.physics.index.contains_model(model) && !self.rebuilt.contains(&model);
            let Some(CanonicalLink(link)) = self.ecm.get(model).filter(|_| moved) else { continue };
            let rests = self.ecm.get::<BodyTwist>(*link).is_none_or(|t| t.0 == Twist::ZERO);
            let after = match rests {
                true => AfterTeleport::Rest,
                false => AfterTeleport::KeepVelocities,
            };
            let world_from_link = world_pose(self.ecm, *link);
            let moved = self.physics.engine.set_assembly_pose(*link, world_from_link, after);
            note_failure(moved, model, &mut self.notes);
        }
    }

    fn set_twists(&mut self) {
        for (link, twist) in self.ecm.changed_since::<BodyTwist>(self.physics.seen) {
            let current = self.physics.engine.body_state(link).map(|state| state.twist);
            if self.is_rebuilt(link) || current == Some(twist.0) {
                continue;
            }
            let set = self.physics.engine.set_body_twist(link, twist.0);
            note_failure(set, link, &mut self.notes);
        }
    }

    fn set_joints(&mut self) {
        let seen = self.physics.seen;
        for (joint, position) in self.ecm.changed_since::<JointPosition>(seen) {
            for (axis, position) in position.0.iter().enumerate() {
                if self.is_rebuilt(joint)
                    || self.axis(joint, axis, |s| s.position) == Some(*position)
                {
                    continue;
                }
                let set = self.physics.engine.set_joint_position(joint, axis, *position);
                note_failure(set, joint, &mut self.notes);
            }
        }
        for (joint, velocity) in self.ecm.changed_since::<JointVelocity>(seen) {
            for (axis, velocity) in velocity.0.iter().enumerate() {
                if self.is_rebuilt(joint)
                    || self.axis(joint, axis, |s| s.velocity) == Some(*velocity)
                {
                    continue;
                }
                let set = self.physics.engine.set_joint_velocity(joint, axis, *velocity);
                note_failure(set, joint, &mut self.notes);
            }
        }
    }

    fn drive_joints(&mut self) {
        for (joint, command) in self.ecm.changed_since::<JointCommand>(self.physics.seen) {
            if !self.is_rebuilt(joint) {
                drive(self.physics, joint, command, &mut self.notes);
            }
        }
    }

    fn axis(
        &self,
        joint: EntityId,
        axis: usize,
        read: fn(&crate::JointState) -> f64,
    ) -> Option<f64> {
        self.physics.engine.joint_states(joint)?.get(axis).map(read)
    }

    fn is_rebuilt(&self, entity: EntityId) -> bool {
        top_level_model(self.ecm, entity).is_some_and(|model| self.rebuilt.contains(&model))
    }
}
