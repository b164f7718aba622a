//! From the Ecm to the engine: what changed since the last look.

use std::collections::BTreeSet;
use std::sync::Arc;

use retake_components::{
    AxisCommand, BodyTwist, CanonicalLink, CurrentProfile, Gravity, Inertia, JointCommand,
    JointPosition, JointSpec, JointVelocity, Kind, LinkProperties, LocalPose, ModelProperties,
    PhysicsProfiles, Pull, Shape, ShapeSurface, path_of, top_level_model, world_entity, world_pose,
};
use retake_ecm::{Component, ComponentSet, Ecm, EntityId, Parent};
use retake_math::Twist;

use super::assemble::{assembly_of, joint_of};
use super::index::{takes_part, top_level_models};
use super::live;
use super::profile::{current_profile, gravity_in_force, settings_of_profile};
use super::{Followed, Physics};
use crate::keys::{TPE, engine_for};
use crate::{AfterTeleport, EngineError, EngineNote, EngineSettings, JointDrive, JointState};

/// Damping of a velocity drive: high enough to hold any speed that the effort limit allows, low
/// enough to stay far from the rounding of the solver.
const VELOCITY_DRIVE_DAMPING: f64 = 1e4;

/// Lists whatever [`follow`] looks at: when none of these changed and nothing was removed, there is
/// nothing to follow.
pub(super) fn followed_components(ecm: &Ecm) -> ComponentSet {
    let of_worlds = ComponentSet::of(ecm).with::<PhysicsProfiles>().with::<CurrentProfile>();
    let structure = of_worlds.with::<Gravity>().with::<Kind>().with::<Parent>().with::<Shape>();
    let models = structure.with::<ModelProperties>().with::<CanonicalLink>().with::<JointSpec>();
    let properties = models.with::<LinkProperties>().with::<Inertia>().with::<ShapeSurface>();
    let motion = properties.with::<LocalPose>().with::<BodyTwist>();
    let joints = motion.with::<JointPosition>().with::<JointVelocity>().with::<JointCommand>();
    joints.with::<Pull>()
}

pub(super) fn follow(physics: &mut Physics, ecm: &Ecm) -> Followed {
    let mut followed = Followed::default();
    let switched = follow_world(physics, ecm, &mut followed);
    let dirty = match switched {
        true => top_level_models(ecm).into_iter().collect(),
        false => live::change_in_place(physics, ecm, dirty_models(physics, ecm), &mut followed),
    };
    let rebuilt = rebuild_models(physics, ecm, dirty, &mut followed);
    let mut follower = Follower { physics, ecm, rebuilt, followed };
    follower.move_models();
    follower.stop_models();
    follower.set_twists();
    follower.set_joints();
    follower.drive_joints();
    follower.check_pulls();
    follower.followed
}

impl Followed {
    /// Takes note of what came of telling the engine something about `entity`.
    pub(super) fn take(
        &mut self,
        ecm: &Ecm,
        entity: EntityId,
        outcome: Result<Vec<EngineNote>, EngineError>,
    ) {
        self.acted = true;
        match outcome {
            Ok(remarks) => self.remarks.extend(remarks),
            Err(error) => self.refuse(entity, in_names(ecm, entity, &error)),
        }
    }

    fn refuse(&mut self, entity: EntityId, message: String) {
        self.refusals.push(EngineNote { entity, message });
    }
}

/// The engine knows entities by their numbers, and people by their names.
fn in_names(ecm: &Ecm, about: EntityId, error: &EngineError) -> String {
    error.in_names(about, |entity| path_of(ecm, entity))
}

/// Brings gravity and the profile to the engine, and says whether it became another engine.
fn follow_world(physics: &mut Physics, ecm: &Ecm, followed: &mut Followed) -> bool {
    let Some(world) = world_entity(ecm) else { return false };
    let profile_changed = ecm.column::<PhysicsProfiles>().any_changed_since(physics.seen)
        || ecm.column::<CurrentProfile>().any_changed_since(physics.seen);
    let switched = profile_changed && follow_profile(physics, ecm, world, followed);
    let gravity_changed = ecm.column::<Gravity>().any_changed_since(physics.seen);
    if !(switched || profile_changed || gravity_changed) {
        return false;
    }
    // The profile may have one of its own, or have had one.
    if let Some(gravity) = gravity_in_force(ecm, world) {
        let set = physics.engine.set_gravity(gravity);
        followed.take(ecm, world, set.map(|()| Vec::new()));
    }
    switched
}

fn follow_profile(
    physics: &mut Physics,
    ecm: &Ecm,
    world: EntityId,
    followed: &mut Followed,
) -> bool {
    let Some(profile) = current_profile(ecm, world) else { return false };
    let switched = engine_for(&profile.engine) != physics.engine.name();
    if switched && let Err(error) = physics.switch_engine(&profile.engine) {
        followed.refuse(world, error.to_string());
        return false;
    }
    let in_force = physics.engine.settings();
    let worker_threads = in_force.worker_threads;
    let wanted = settings_of_profile(profile);
    match wanted.map(|settings| EngineSettings { worker_threads, ..settings }) {
        // Another profile was edited; what is in force must not notice.
        Ok(settings) if settings == in_force => {}
        Ok(settings) => {
            let set = physics.engine.set_settings(&settings);
            followed.take(ecm, world, set.map(|_| Vec::new()));
        }
        Err(error) => followed.refuse(world, error.to_string()),
    }
    switched
}

/// Rebuilds the models whose structure changed, and returns them.
fn rebuild_models(
    physics: &mut Physics,
    ecm: &Ecm,
    dirty: BTreeSet<EntityId>,
    followed: &mut Followed,
) -> BTreeSet<EntityId> {
    remove_world_joints(physics, ecm, followed);
    let mut loose_joints = changed_world_joints(physics, ecm, &dirty);
    // All go before any comes back: a link may have moved from one to the other.
    for model in &dirty {
        if !physics.index.contains_model(*model) {
            continue;
        }
        // What the index has but the engine refused is simply not there.
        let hanging = physics.engine.remove_assembly(*model).unwrap_or_default();
        loose_joints.extend(hanging);
        Arc::make_mut(&mut physics.index).remove(*model);
        physics.room = None;
        followed.acted = true;
    }
    for model in dirty.iter().filter(|model| top_level_model(ecm, **model) == Some(**model)) {
        followed.acted = true;
        if let Err(error) = physics.make_room(ecm, *model) {
            followed.take(ecm, *model, Err(error));
            continue;
        }
        let (shapes, remarks) = (&physics.shapes, &mut followed.remarks);
        let Some(assembly) = assembly_of(ecm, *model, shapes, remarks) else { continue };
        Arc::make_mut(&mut physics.index).add(ecm, *model);
        let inserted = physics.engine.insert_assembly(&assembly);
        let is_there = inserted.is_ok();
        followed.take(ecm, *model, inserted);
        if is_there {
            restore_drives(physics, ecm, *model, followed);
        } else {
            physics.room = None;
        }
    }
    insert_world_joints(physics, ecm, loose_joints, followed);
    index_carriers(physics, ecm, &dirty);
    dirty
}

/// Takes note of models that another link carries now.
fn index_carriers(physics: &mut Physics, ecm: &Ecm, rebuilt: &BTreeSet<EntityId>) {
    for (model, _) in ecm.changed_since::<CanonicalLink>(physics.seen) {
        if physics.index.contains_model(model) && !rebuilt.contains(&model) {
            let index = Arc::make_mut(&mut physics.index);
            index.remove(model);
            index.add(ecm, model);
        }
    }
}

/// Takes joints out of the engine that the world held and no longer has.
fn remove_world_joints(physics: &mut Physics, ecm: &Ecm, followed: &mut Followed) {
    let removed = ecm.removed_since(physics.seen).unwrap_or_default();
    let unowned = removed.into_iter().filter(|entity| physics.index.owner(*entity).is_none());
    for entity in unowned.collect::<Vec<_>>() {
        // Most removed entities were never joints, and the engine says so.
        followed.acted |= physics.engine.remove_joint(entity).is_ok();
    }
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
    changed.retain(|entity| takes_part(ecm, *entity));
    let left: Vec<EntityId> =
        changed.iter().filter_map(|entity| physics.index.owner(*entity)).collect();
    changed_entities::<ModelProperties>(ecm, physics.seen, &mut changed);
    let shapes = ecm.changed_since::<Shape>(physics.seen).map(|(entity, _)| entity);
    changed.extend(shapes.filter(|shape| ecm.get::<ShapeSurface>(*shape).is_some()));
    let poses = ecm.changed_since::<LocalPose>(physics.seen).map(|(entity, _)| entity);
    changed.extend(poses.filter(|entity| is_built_in(ecm, *entity)));
    let of_changed = changed.into_iter().filter_map(|entity| top_level_model(ecm, entity));
    let of_removed = removed.into_iter().filter_map(|entity| physics.index.owner(entity));
    of_changed.chain(of_removed).chain(left).collect()
}

/// Says whether moving this entity changes the shape of its model rather than moving it.
fn is_built_in(ecm: &Ecm, entity: EntityId) -> bool {
    match ecm.get::<Kind>(entity) {
        Some(Kind::Link | Kind::Collision) => true,
        Some(Kind::Model) => top_level_model(ecm, entity) != Some(entity),
        _ => false,
    }
}

pub(super) fn changed_entities<T: Component>(ecm: &Ecm, since: u64, into: &mut Vec<EntityId>) {
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
    if changed.is_empty() && dirty.is_empty() {
        // As in most steps: no need to look at every joint.
        return BTreeSet::new();
    }
    let joints = ecm.iter::<JointSpec>().filter(|(joint, _)| is_world_joint(ecm, *joint));
    joints
        .filter(|(joint, spec)| {
            changed.contains(joint) || touches(spec.parent) || touches(Some(spec.child))
        })
        .map(|(joint, _)| joint)
        .collect()
}

pub(super) fn is_world_joint(ecm: &Ecm, joint: EntityId) -> bool {
    let holder = ecm.get::<Parent>(joint).map(|parent| parent.0);
    holder.is_some_and(|holder| ecm.get::<Kind>(holder) == Some(&Kind::World))
}

fn insert_world_joints(
    physics: &mut Physics,
    ecm: &Ecm,
    joints: BTreeSet<EntityId>,
    followed: &mut Followed,
) {
    for joint in joints {
        // It may be there still, or be gone with a model it hung on: both are fine here.
        physics.engine.remove_joint(joint).ok();
        let Some(spec) = joint_of(ecm, joint) else { continue };
        let inserted = physics.engine.insert_joint(&spec);
        let is_there = inserted.is_ok();
        followed.take(ecm, joint, inserted);
        if let Some(command) = ecm.get::<JointCommand>(joint).filter(|_| is_there) {
            drive(physics, (ecm, joint), command, followed);
        }
    }
}

/// A rebuilt model has lost what drove its joints; the Ecm still knows.
fn restore_drives(physics: &mut Physics, ecm: &Ecm, model: EntityId, followed: &mut Followed) {
    for entity in ecm.with_descendants(model) {
        if let Some(command) = ecm.get::<JointCommand>(entity) {
            drive(physics, (ecm, entity), command, followed);
        }
    }
}

fn drive(
    physics: &mut Physics,
    (ecm, joint): (&Ecm, EntityId),
    command: &JointCommand,
    followed: &mut Followed,
) {
    for (axis, command) in command.0.iter().enumerate() {
        let driven = physics.engine.set_joint_drive(joint, axis, drive_of(command));
        // A joint that cannot be driven is free already.
        if let Some(error) = driven.err().filter(|_| *command != AxisCommand::Free) {
            followed.refuse(joint, in_names(ecm, joint, &error));
        }
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

/// Brings changes of state to models that stay as they are built.
struct Follower<'a> {
    physics: &'a mut Physics,
    ecm: &'a Ecm,
    rebuilt: BTreeSet<EntityId>,
    followed: Followed,
}

impl Follower<'_> {
    fn move_models(&mut self) {
        let seen = self.physics.seen;
        for (model, _) in self.ecm.changed_since::<LocalPose>(seen) {
            let moved = self.physics.index.contains_model(model) && !self.rebuilt.contains(&model);
            if moved {
                let after = match is_at_rest(self.ecm, model) {
                    true => AfterTeleport::Rest,
                    false => AfterTeleport::KeepVelocities,
                };
                self.place(model, after);
            }
        }
    }

    /// What is moved to where it is already comes to rest there as well, and no pose tells of it.
    ///
    /// That is for models of several links, whose joints have to rest too; of a single one the
    /// velocity is all, also for whoever sets it in each step.
    fn stop_models(&mut self) {
        let seen = self.physics.seen;
        let stopped = self.ecm.changed_since::<BodyTwist>(seen).filter(|(link, twist)| {
            let still =
                self.physics.engine.body_state(*link).is_none_or(|now| now.twist == twist.0);
            twist.0 == Twist::ZERO && !still && !self.is_rebuilt(*link)
        });
        let models = stopped.filter_map(|(link, _)| top_level_model(self.ecm, link));
        let models: BTreeSet<EntityId> = models.collect();
        let has_several = |model: &EntityId| {
            let parts = self.ecm.with_descendants(*model).into_iter();
            parts.filter(|part| self.ecm.get(*part) == Some(&Kind::Link)).nth(1).is_some()
        };
        let models: Vec<EntityId> = models.into_iter().filter(has_several).collect();
        for model in models.into_iter().filter(|model| is_at_rest(self.ecm, *model)) {
            self.place(model, AfterTeleport::Rest);
        }
    }

    /// Puts a model where its canonical link is.
    fn place(&mut self, model: EntityId, after: AfterTeleport) {
        let Some(CanonicalLink(link)) = self.ecm.get(model) else { return };
        let world_from_link = world_pose(self.ecm, *link);
        let placed = self.physics.engine.set_assembly_pose(*link, world_from_link, after);
        self.take(model, placed);
    }

    fn set_twists(&mut self) {
        for (link, twist) in self.ecm.changed_since::<BodyTwist>(self.physics.seen) {
            let current = self.physics.engine.body_state(link).map(|state| state.twist);
            if self.is_rebuilt(link) || current == Some(twist.0) {
                continue;
            }
            let set = match self.physics.engine.set_body_twist(link, twist.0) {
                Err(EngineError::Unsupported { .. }) if self.stops_with_holder(link) => Ok(()),
                set => set,
            };
            self.take(link, set);
        }
    }

    /// Says whether a link is at rest with all of a model inside of another: that the joints in there
    /// stop is all that can be told of links that joints hold.
    fn stops_with_holder(&self, link: EntityId) -> bool {
        let holder = self.ecm.get::<Parent>(link).map(|parent| parent.0);
        let nested = holder.filter(|holder| top_level_model(self.ecm, link) != Some(*holder));
        nested.is_some_and(|holder| is_at_rest(self.ecm, holder))
    }

    fn set_joints(&mut self) {
        let seen = self.physics.seen;
        for (joint, positions) in self.ecm.changed_since::<JointPosition>(seen) {
            for (axis, position) in positions.0.iter().enumerate() {
                if !self.differs(joint, axis, *position, |state| state.position) {
                    continue;
                }
                let set = self.physics.engine.set_joint_position(joint, axis, *position);
                self.take(joint, set);
            }
        }
        for (joint, velocities) in self.ecm.changed_since::<JointVelocity>(seen) {
            for (axis, velocity) in velocities.0.iter().enumerate() {
                if !self.differs(joint, axis, *velocity, |state| state.velocity) {
                    continue;
                }
                let set = self.physics.engine.set_joint_velocity(joint, axis, *velocity);
                self.take(joint, set);
            }
        }
    }

    /// Drives move nothing by themselves, so that nothing needs to be read back.
    fn drive_joints(&mut self) {
        for (joint, command) in self.ecm.changed_since::<JointCommand>(self.physics.seen) {
            if !self.is_rebuilt(joint) {
                drive(self.physics, (self.ecm, joint), command, &mut self.followed);
            }
        }
    }

    /// Where nothing has a mass, nothing can be pulled; whoever begins to pull hears of it.
    fn check_pulls(&mut self) {
        if self.physics.engine.name() != TPE {
            return;
        }
        for (link, _) in self.ecm.changed_since::<Pull>(self.physics.seen) {
            let reason = "the engine tpe knows no forces. Choose a profile with another";
            self.followed.refuse(link, reason.to_owned());
        }
    }

    /// Says whether an axis must be told a new value.
    fn differs(
        &self,
        joint: EntityId,
        axis: usize,
        wanted: f64,
        read: fn(&JointState) -> f64,
    ) -> bool {
        if self.is_rebuilt(joint) {
            return false;
        }
        let states = self.physics.engine.joint_states(joint);
        states.and_then(|all| all.get(axis).map(read)) != Some(wanted)
    }

    fn take(&mut self, entity: EntityId, outcome: Result<(), EngineError>) {
        self.followed.take(self.ecm, entity, outcome.map(|()| Vec::new()));
    }

    fn is_rebuilt(&self, entity: EntityId) -> bool {
        top_level_model(self.ecm, entity).is_some_and(|model| self.rebuilt.contains(&model))
    }
}

/// Says whether the Ecm holds no velocity for any part of a model.
fn is_at_rest(ecm: &Ecm, model: EntityId) -> bool {
    ecm.with_descendants(model).into_iter().all(|part| {
        let still = ecm.get::<BodyTwist>(part).is_none_or(|twist| twist.0 == Twist::ZERO);
        let turning = ecm.get::<JointVelocity>(part).map_or(&[][..], |all| &all.0);
        still && turning.iter().all(|velocity| *velocity == 0.0)
    })
}
