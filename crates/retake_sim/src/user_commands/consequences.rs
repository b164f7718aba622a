//! What follows from a changed component, so that the world stays one.

use std::collections::BTreeSet;

use retake_components::names::scope_in;
use retake_components::{
    AxisCommand, EntityName, Extras, FrameScope, JointCommand, JointEffort, JointPosition,
    JointSpec, JointVelocity, Kind, LocalPose, PluginConfig, RestPose, keep_rest_poses,
    mend_canonical_links, path_of, pose_within, resolve, set_world_pose, top_level_model,
    world_pose,
};
use retake_description::JointKind;
use retake_ecm::{Component, Ecm, EntityId, NoSuchEntity, Parent};

use super::CommandError;
use super::move_entity::bring_to_rest;
use super::set_joint_position::check_limits;

/// Brings everything in line with the changed component of an entity; returns what else changed.
pub(super) fn follow(
    before: &Ecm,
    ecm: &mut Ecm,
    entity: EntityId,
    component: &str,
) -> Result<Vec<EntityId>, CommandError> {
    let mut touched = match component {
        LocalPose::NAME => moved(before, ecm, entity),
        Parent::NAME => held_by_another(before, ecm, entity)?,
        JointSpec::NAME => joint_changed(before, ecm, entity)?,
        JointPosition::NAME => joint_set(before, ecm, entity)?,
        PluginConfig::NAME => plugin_named(ecm, entity)?,
        EntityName::NAME => Vec::new(),
        _ => return Ok(Vec::new()),
    };
    if [EntityName::NAME, Parent::NAME].contains(&component) {
        touched.extend(keep_named(before, ecm)?);
    }
    Ok(touched)
}

/// Something was put elsewhere: it is at rest there, and what hangs on joints is where it was.
fn moved(before: &Ecm, ecm: &mut Ecm, entity: EntityId) -> Vec<EntityId> {
    bring_to_rest(ecm, entity);
    let mut touched = ecm.with_descendants(entity);
    touched.extend(rest_kept(before, ecm, entity));
    touched
}

/// Lets rest poses follow in the model of an entity, and the places of joints.
pub(super) fn rest_kept(before: &Ecm, ecm: &mut Ecm, entity: EntityId) -> Vec<EntityId> {
    let Some(model) = top_level_model(ecm, entity) else { return Vec::new() };
    if model == entity {
        // All of it moved, and nothing in it.
        return Vec::new();
    }
    rested(before, ecm, model)
}

/// Parts came into `holder` or left it: models are carried by links that they have, and what hangs
/// on joints is where it was. Returns what else changed.
pub(super) fn parts_changed(before: &Ecm, ecm: &mut Ecm, holder: EntityId) -> Vec<EntityId> {
    let around: Vec<EntityId> = ecm.with_holders(holder).collect();
    let mut touched = mend_canonical_links(ecm, around);
    if let Some(model) = top_level_model(ecm, holder) {
        touched.extend(rested(before, ecm, model));
    }
    touched
}

/// Lets rest poses follow in a model, and the places of joints.
fn rested(before: &Ecm, ecm: &mut Ecm, model: EntityId) -> Vec<EntityId> {
    let mut touched = keep_rest_poses(before, ecm, model);
    let links: BTreeSet<EntityId> = touched.iter().copied().collect();
    let joints = ecm.iter::<JointSpec>().filter(|(_, spec)| links.contains(&spec.child));
    let joints: Vec<EntityId> = joints.map(|(joint, _)| joint).collect();
    for joint in joints {
        place_joint(ecm, joint);
        touched.push(joint);
    }
    touched
}

/// Puts a joint where the file would have it: on its child, with every joint at zero.
fn place_joint(ecm: &mut Ecm, joint: EntityId) {
    let Some(spec) = ecm.get::<JointSpec>(joint) else { return };
    let holder = ecm.get::<Parent>(joint).map(|parent| parent.0);
    let child_holder = ecm.get::<Parent>(spec.child).map(|parent| parent.0);
    let rest = ecm.get::<RestPose>(spec.child).map(|rest| rest.0);
    let (Some(holder), Some(child_holder), Some(rest)) = (holder, child_holder, rest) else {
        return;
    };
    let place = match holder == child_holder {
        true => rest * spec.child_from_joint,
        false => pose_within(ecm, holder, child_holder) * rest * spec.child_from_joint,
    };
    // The joint was just found.
    ecm.set(joint, LocalPose(place)).ok();
}

/// Something has another holder: it stays where it is in the world.
fn held_by_another(
    before: &Ecm,
    ecm: &mut Ecm,
    entity: EntityId,
) -> Result<Vec<EntityId>, CommandError> {
    let mut touched = Vec::new();
    let kind = ecm.get::<Kind>(entity).copied();
    if kind == Some(Kind::Joint) {
        place_joint(ecm, entity);
    } else if ecm.get::<LocalPose>(entity).is_some() {
        set_world_pose(ecm, entity, world_pose(before, entity))?;
    }
    if kind == Some(Kind::Frame) {
        scope_frame(ecm, entity)?;
    }
    if matches!(kind, Some(Kind::Link | Kind::Model)) {
        for part in ecm.with_descendants(entity) {
            let frame = ecm.get::<FrameScope>(part).map(|scope| scope.0);
            let lost = |scope: &EntityId| !ecm.with_holders(part).any(|around| around == *scope);
            if frame.is_some_and(|scope| lost(&scope)) {
                scope_frame(ecm, part)?;
                touched.push(part);
            }
        }
        let around: Vec<EntityId> = before.with_holders(entity).skip(1).collect();
        let now: Vec<EntityId> = ecm.with_holders(entity).skip(1).collect();
        touched.extend(mend_canonical_links(ecm, around.iter().chain(&now).copied()));
        for model in [around.first(), now.first()].into_iter().flatten() {
            touched.extend(rest_kept_in(before, ecm, *model));
        }
    }
    Ok(touched)
}

/// As [`rest_kept`], also when `holder` is the whole model.
fn rest_kept_in(before: &Ecm, ecm: &mut Ecm, holder: EntityId) -> Vec<EntityId> {
    top_level_model(ecm, holder)
        .map(|model| keep_rest_poses(before, ecm, model))
        .unwrap_or_default()
}

/// Notes whose frame a frame is when that is not what holds it.
fn scope_frame(ecm: &mut Ecm, frame: EntityId) -> Result<(), NoSuchEntity> {
    let Some(Parent(holder)) = ecm.get::<Parent>(frame).copied() else { return Ok(()) };
    let scope = scope_in(ecm, holder, Kind::Frame);
    if scope != holder {
        return ecm.set(frame, FrameScope(scope));
    }
    ecm.remove::<FrameScope>(frame);
    Ok(())
}

/// A joint is another now: what is known for each axis fits its kind, and links stay where they are.
fn joint_changed(
    before: &Ecm,
    ecm: &mut Ecm,
    joint: EntityId,
) -> Result<Vec<EntityId>, CommandError> {
    let (Some(old), Some(new)) = (before.get::<JointSpec>(joint), ecm.get::<JointSpec>(joint))
    else {
        return Ok(Vec::new());
    };
    let count = new.kind.axis_count();
    let turns_on = |kind: JointKind| match kind {
        // Only the limits make the difference.
        JointKind::Continuous => JointKind::Revolute,
        other => other,
    };
    let begins_anew = turns_on(old.kind) != turns_on(new.kind)
        || (old.parent, old.child) != (new.parent, new.child);
    let child = new.child;
    if begins_anew {
        let zeros = vec![0.0; count];
        ecm.set(joint, JointPosition(zeros.clone()))?;
        ecm.set(joint, JointVelocity(zeros.clone()))?;
        ecm.set(joint, JointEffort(zeros))?;
        ecm.set(joint, JointCommand(vec![AxisCommand::Free; count]))?;
    }
    let mut touched = rest_kept_in(before, ecm, child);
    place_joint(ecm, joint);
    touched.extend(ecm.get::<JointSpec>(joint).map(|spec| spec.child));
    Ok(touched)
}

/// A joint was put somewhere: within its limits, and at rest.
fn joint_set(before: &Ecm, ecm: &mut Ecm, joint: EntityId) -> Result<Vec<EntityId>, CommandError> {
    let old = before.get::<JointPosition>(joint).map(|all| all.0.clone()).unwrap_or_default();
    let new = ecm.get::<JointPosition>(joint).map(|all| all.0.clone()).unwrap_or_default();
    let changed =
        new.iter().enumerate().filter(|(axis, position)| old.get(*axis) != Some(position));
    for (axis, position) in changed {
        check_limits(ecm, joint, axis, *position)?;
        let velocities = ecm.get_mut::<JointVelocity>(joint);
        if let Some(velocity) = velocities.and_then(|all| all.0.get_mut(axis)) {
            *velocity = 0.0;
        }
    }
    Ok(Vec::new())
}

/// A plugin is called as its configuration says.
fn plugin_named(ecm: &mut Ecm, plugin: EntityId) -> Result<Vec<EntityId>, CommandError> {
    if let Some(config) = ecm.get::<PluginConfig>(plugin) {
        let name = EntityName(config.0.name.clone());
        ecm.set(plugin, name)?;
    }
    Ok(Vec::new())
}

/// Joints that name others go on to name the same ones.
fn keep_named(before: &Ecm, ecm: &mut Ecm) -> Result<Vec<EntityId>, CommandError> {
    let mut touched = Vec::new();
    let joints: Vec<EntityId> = ecm.iter::<JointSpec>().map(|(joint, _)| joint).collect();
    for joint in joints {
        let Some(holder) = before.get::<Parent>(joint).map(|parent| parent.0) else { continue };
        let renamed = |name: &str| {
            let meant = resolve(before, &format!("{}::{name}", path_of(before, holder))).ok()?;
            let now = scoped_name(ecm, ecm.get::<Parent>(joint)?.0, meant)?;
            (now != name).then_some(now)
        };
        let Some(mut spec) = ecm.get::<JointSpec>(joint).cloned() else { continue };
        let mut changed = false;
        for mimic in spec.axes.iter_mut().filter_map(|axis| axis.mimic.as_mut()) {
            if let Some(name) = renamed(&mimic.joint) {
                mimic.joint = name;
                changed = true;
            }
        }
        let extras = ecm.get::<Extras>(joint).cloned();
        let reference = extras.and_then(|mut extras| {
            let body = extras.0.iter_mut().find(|e| e.name == "gearbox_reference_body")?;
            body.text = renamed(body.text.trim())?;
            Some(extras)
        });
        if changed {
            ecm.set(joint, spec)?;
            touched.push(joint);
        }
        if let Some(extras) = reference {
            ecm.set(joint, extras)?;
            touched.push(joint);
        }
    }
    Ok(touched)
}

/// Name of an entity scoped from what holds it; none when that does not.
fn scoped_name(ecm: &Ecm, holder: EntityId, entity: EntityId) -> Option<String> {
    let inside: Vec<EntityId> =
        ecm.with_holders(entity).take_while(|around| *around != holder).collect();
    let outermost = ecm.get::<Parent>(*inside.last()?)?.0;
    let names = inside.iter().rev().map(|part| Some(ecm.get::<EntityName>(*part)?.0.as_str()));
    let names: Option<Vec<&str>> = names.collect();
    names.filter(|_| outermost == holder).map(|names| names.join("::"))
}
