//! Inserting, removing and moving things by hand.

use std::sync::Arc;

use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};

use super::compile;
use super::model::{self, Axis, AxisPlace, Freedom, Joint, Model};
use super::place::{Now, write_twist};
use super::saved::entities;
use super::state::{Bond, Simulated, State};
use super::ties::Place;
use crate::plan::Motion;
use crate::{AfterTeleport, Assembly, EngineError, EngineNote, JointDrive, JointSpec, check};

/// Inserts a model.
pub(super) fn insert(
    state: &mut State,
    assembly: &Assembly,
) -> Result<Vec<EngineNote>, EngineError> {
    let duplicate = |entity, what| Err(EngineError::Duplicate { entity, what });
    if state.models.contains_key(&assembly.model) {
        return duplicate(assembly.model, "model");
    }
    let mut notes = Vec::new();
    let model = model::model(assembly, &mut notes)?;
    let mut new: Vec<(EntityId, &'static str)> = entities(&model).collect();
    new.sort_unstable();
    let twice = new.windows(2).find(|pair| pair[0].0 == pair[1].0).map(|pair| pair[0]);
    let is_known =
        |entity: &EntityId| state.owners.contains_key(entity) || state.bonds.contains_key(entity);
    let known = new.iter().find(|(entity, _)| is_known(entity)).copied();
    if let Some((entity, what)) = twice.or(known) {
        return duplicate(entity, what);
    }
    // What MuJoCo does not take is refused here, before anything depends on it.
    compile::check(&model).map_err(|reason| EngineError::Unsupported {
        entity: assembly.model,
        what: format!("mujoco does not take the model: {reason}"),
    })?;
    let now = Now::of(&model, assembly);
    let owners = Arc::make_mut(&mut state.owners);
    owners.extend(new.into_iter().map(|(entity, _)| (entity, assembly.model)));
    state.models.insert(assembly.model, Simulated { model: Arc::new(model), now });
    Ok(notes)
}

/// Removes a model and returns the joints of others that hung on it.
pub(super) fn remove(state: &mut State, model: EntityId) -> Result<Vec<EntityId>, EngineError> {
    let gone = state.models.remove(&model);
    let gone = gone.ok_or(EngineError::Unknown { entity: model, what: "model" })?.model;
    Arc::make_mut(&mut state.owners).retain(|_, owner| *owner != model);
    let mut links = gone.bodies.iter().flat_map(|body| &body.links).map(|offset| offset.link);
    let links: Vec<EntityId> = links.by_ref().collect();
    let hangs = |bond: &Bond| {
        let ends = [bond.closure.parent.0, Some(bond.closure.child.0)];
        ends.into_iter().flatten().any(|link| links.contains(&link))
    };
    let bonds = state.bonds.iter().filter(|(_, bond)| hangs(bond));
    let hung: Vec<EntityId> = bonds.map(|(joint, _)| *joint).collect();
    hung.iter().for_each(|joint| {
        state.bonds.remove(joint);
    });
    let geoms = gone.bodies.iter().flat_map(|body| &body.geoms);
    let collisions: Vec<EntityId> = geoms.map(|geom| geom.collision).collect();
    state.contacts.retain(|touch| !touch.is_of(&collisions));
    Ok(hung)
}

/// Adds a joint between two models, or a model and the world.
pub(super) fn insert_bond(
    state: &mut State,
    spec: &JointSpec,
) -> Result<Vec<EngineNote>, EngineError> {
    check::joint(spec)?;
    if state.owners.contains_key(&spec.joint) || state.bonds.contains_key(&spec.joint) {
        return Err(EngineError::Duplicate { entity: spec.joint, what: "joint" });
    }
    let unsupported = |what: String| EngineError::Unsupported { entity: spec.joint, what };
    if !model::can_close(spec.kind) {
        return Err(unsupported(model::closure_refusal(spec.kind)));
    }
    let pose = |link: EntityId| {
        let simulated = state.owner(link, "link")?;
        let unknown = EngineError::Unknown { entity: link, what: "link" };
        let (body, offset) = Now::find(&simulated.model, link).ok_or(unknown)?;
        let place = (simulated.model.entity, body);
        Ok((simulated.now.bodies[body].link(&offset).world_from_link, place))
    };
    let (world_from_child, child) = pose(spec.child)?;
    let parent = spec.parent.map(pose).transpose()?;
    if parent.is_some_and(|(_, parent)| parent == child) {
        return Err(unsupported("the joint connects links that are fixed together".to_owned()));
    }
    let mut notes = Vec::new();
    let closure = model::closure(spec, world_from_child, parent.map(|(pose, _)| pose), &mut notes);
    let (axes, seen) = (spec.axes.len(), closure.position);
    state.bonds.insert(spec.joint, Bond { closure: Arc::new(closure), axes, seen });
    Ok(notes)
}

/// Moves a model so that `link` gets a pose, and returns the model.
pub(super) fn teleport(
    state: &mut State,
    link: EntityId,
    world_from_link: Pose,
    velocities: AfterTeleport,
) -> Result<EntityId, EngineError> {
    check::pose(link, "pose", &world_from_link)?;
    let Simulated { model, now } = state.owner_mut(link, "link")?;
    let unknown = EngineError::Unknown { entity: link, what: "link" };
    let (body, offset) = Now::find(model, link).ok_or(unknown)?;
    let world_from_body = world_from_link.normalized() * offset.body_from_link.inverse();
    let moved_by = world_from_body * now.bodies[body].pose.inverse();
    now.teleport(model, moved_by, velocities);
    Ok(model.entity)
}

/// Sets the velocity of a link that no joint holds.
pub(super) fn set_twist(
    state: &mut State,
    link: EntityId,
    twist: Twist,
) -> Result<(), EngineError> {
    check::twist(link, &twist)?;
    let Simulated { model, now } = state.owner_mut(link, "link")?;
    let unknown = EngineError::Unknown { entity: link, what: "link" };
    let (index, offset) = Now::find(model, link).ok_or(unknown)?;
    let body = &model.bodies[index];
    let pose = now.bodies[index].pose;
    let lever = -pose.transform_vector(offset.body_from_link.position);
    let linear = twist.linear + twist.angular.cross(lever);
    let twist = Twist { linear, angular: twist.angular };
    let free = body.coords.first().filter(|coord| coord.freedom == Freedom::Free);
    match free {
        Some(coord) => {
            let v = coord.at.1;
            write_twist(&mut now.velocities[v..v + 6], pose, twist);
            now.place(model);
        }
        None if body.motion == Motion::Kinematic => now.bodies[index].twist = twist,
        None => {
            let what = "a joint holds the link; set the joint's velocity instead".to_owned();
            return Err(EngineError::Unsupported { entity: link, what });
        }
    }
    Ok(())
}

/// Puts one axis somewhere, at rest.
pub(super) fn set_position(
    state: &mut State,
    joint: EntityId,
    axis: usize,
    position: f64,
) -> Result<(), EngineError> {
    check::joint_position(joint, position)?;
    let (simulated, found, _) = find_axis(state, joint, axis)?;
    let limits = found.axis.limits;
    if position < limits.lower || position > limits.upper {
        let (field, allowed) = ("position", "within the joint's limits");
        return Err(EngineError::OutOfRange { entity: joint, field, value: position, allowed });
    }
    let place = coordinate(joint, &found)?;
    let model = Arc::clone(&simulated.model);
    simulated.now.put(&model, place, position);
    Ok(())
}

/// Sets the velocity of one axis.
pub(super) fn set_velocity(
    state: &mut State,
    joint: EntityId,
    axis: usize,
    velocity: f64,
) -> Result<(), EngineError> {
    check::joint_velocity(joint, velocity)?;
    let (simulated, found, _) = find_axis(state, joint, axis)?;
    let (body, coord) = coordinate(joint, &found)?;
    let model = Arc::clone(&simulated.model);
    simulated.now.velocities[model.bodies[body].coords[coord].at.1] = velocity;
    simulated.now.place(&model);
    Ok(())
}

/// Sets what drives an axis.
pub(super) fn set_drive(
    state: &mut State,
    joint: EntityId,
    axis: usize,
    drive: JointDrive,
) -> Result<(), EngineError> {
    check::drive(joint, &drive)?;
    let (simulated, found, number) = find_axis(state, joint, axis)?;
    if drive != JointDrive::Free {
        coordinate(joint, &found)?;
    }
    let known = &mut simulated.now.drives[number];
    if known.drive != drive {
        known.drive = drive;
    }
    Ok(())
}

/// Pushes a link during the next step.
pub(super) fn apply_wrench(
    state: &mut State,
    link: EntityId,
    force_n: Vec3,
    torque_nm: Vec3,
) -> Result<(), EngineError> {
    check::vector(link, "force", force_n)?;
    check::vector(link, "torque", torque_nm)?;
    let Simulated { model, now } = state.owner_mut(link, "link")?;
    let unknown = EngineError::Unknown { entity: link, what: "link" };
    let (body, offset) = Now::find(model, link).ok_or(unknown)?;
    if model.bodies[body].motion != Motion::Dynamic {
        return Ok(());
    }
    let lever = now.bodies[body].pose.transform_vector(offset.body_com);
    let torque_nm = torque_nm + lever.cross(force_n);
    let known = now.pushes.iter().find(|push| push.0 == body);
    let (force, torque) = known.map_or((Vec3::ZERO, Vec3::ZERO), |push| (push.1, push.2));
    let (force, torque) = (force + force_n, torque + torque_nm);
    // Finite pushes can add up to more than a number holds.
    check::vector(link, "sum of the forces", force)?;
    check::vector(link, "sum of the torques", torque)?;
    now.pushes.retain(|push| push.0 != body);
    now.pushes.push((body, force, torque));
    Ok(())
}

/// Says that a model must be built anew.
pub(super) fn rebuild(entity: EntityId, what: &str) -> EngineError {
    EngineError::Unsupported { entity, what: format!("{what} cannot change in place in mujoco") }
}

/// Finds a joint of a model, and the number of its first drive.
pub(super) fn find_joint(model: &Model, joint: EntityId) -> Option<(&Joint, usize)> {
    let at = model.joints.binary_search_by_key(&joint, |known| known.entity).ok()?;
    let before = model.joints[..at].iter().map(|joint| joint.axes.len()).sum();
    Some((&model.joints[at], before))
}

fn find_axis(
    state: &mut State,
    joint: EntityId,
    axis: usize,
) -> Result<(&mut Simulated, Axis, usize), EngineError> {
    if state.bonds.contains_key(&joint) {
        return Err(closes(joint));
    }
    let simulated = state.owner_mut(joint, "joint")?;
    let unknown = EngineError::Unknown { entity: joint, what: "joint" };
    let (found, drive) = find_joint(&simulated.model, joint).ok_or(unknown)?;
    let count = found.axes.len();
    let missing = EngineError::NoSuchAxis { joint, axis, count };
    let found = found.axes.get(axis).ok_or(missing)?.clone();
    Ok((simulated, found, drive + axis))
}

fn coordinate(joint: EntityId, axis: &Axis) -> Result<Place, EngineError> {
    match axis.place {
        AxisPlace::Coord { body, coord } => Ok((body, coord)),
        AxisPlace::Closure { .. } => Err(closes(joint)),
        AxisPlace::Frozen { .. } => {
            let what = "the joint cannot move: its links are fixed together".to_owned();
            Err(EngineError::Unsupported { entity: joint, what })
        }
    }
}

fn closes(joint: EntityId) -> EngineError {
    let what = "the joint closes a loop or connects two models, and mujoco neither sets nor drives it; drive another joint of the loop";
    EngineError::Unsupported { entity: joint, what: what.to_owned() }
}
