//! From the components of a model to what the engine is told.

use retake_components::{
    BodyTwist, Extras, Inertia, JointPosition, JointSpec as JointComponent, JointVelocity, Kind,
    LinkProperties, LocalPose, ModelProperties, Shape, ShapeSurface, find, path_of, world_pose,
};
use retake_description::{Geometry, JointKind};
use retake_ecm::{Ecm, EntityId, Parent};
use retake_math::Pose;

use crate::{
    Assembly, AxisSpec, BodySpec, ColliderSpec, EngineNote, GearboxSpec, JointSpec, ShapeLibrary,
};

/// Describes a top-level model with everything nested in it, as it stands now.
pub(super) fn assembly_of(
    ecm: &Ecm,
    model: EntityId,
    shapes: &ShapeLibrary,
    notes: &mut Vec<EngineNote>,
) -> Option<Assembly> {
    let properties = ecm.get::<ModelProperties>(model)?;
    let entities = ecm.with_descendants(model);
    let of_kind = |kind: Kind| {
        entities.iter().copied().filter(move |entity| ecm.get::<Kind>(*entity) == Some(&kind))
    };
    let nested_static = |at: EntityId| ecm.get::<ModelProperties>(at).is_some_and(|m| m.is_static);
    let bodies = of_kind(Kind::Link).filter_map(|link| body_of(ecm, link, shapes, notes)).collect();
    Some(Assembly {
        model,
        is_static: of_kind(Kind::Model).any(nested_static),
        self_collide: properties.self_collide,
        may_sleep: properties.allow_auto_disable,
        bodies,
        joints: of_kind(Kind::Joint).filter_map(|joint| joint_of(ecm, joint)).collect(),
    })
}

/// Describes a joint as it stands now.
pub(super) fn joint_of(ecm: &Ecm, joint: EntityId) -> Option<JointSpec> {
    let spec = ecm.get::<JointComponent>(joint)?;
    let positions = ecm.get::<JointPosition>(joint);
    let velocities = ecm.get::<JointVelocity>(joint);
    let axes = spec.axes.iter().enumerate().map(|(at, axis)| AxisSpec {
        axis: axis.clone(),
        position: positions.and_then(|all| all.0.get(at).copied()).unwrap_or(0.0),
        velocity: velocities.and_then(|all| all.0.get(at).copied()).unwrap_or(0.0),
        leader: axis.mimic.as_ref().and_then(|mimic| leader_of(ecm, joint, &mimic.joint)),
    });
    Some(JointSpec {
        joint,
        kind: spec.kind,
        parent: spec.parent,
        child: spec.child,
        child_from_joint: spec.child_from_joint,
        axes: axes.collect(),
        thread_pitch: spec.thread_pitch,
        gearbox: gearbox_of(ecm, joint, spec),
    })
}

fn body_of(
    ecm: &Ecm,
    link: EntityId,
    shapes: &ShapeLibrary,
    notes: &mut Vec<EngineNote>,
) -> Option<BodySpec> {
    let colliders = colliders_of(ecm, link, shapes, notes);
    Some(BodySpec { colliders, ..link_of(ecm, link)? })
}

/// Describes the shapes of a link that collide; the notes tell of those that cannot be had.
pub fn colliders_of(
    ecm: &Ecm,
    link: EntityId,
    shapes: &ShapeLibrary,
    notes: &mut Vec<EngineNote>,
) -> Vec<ColliderSpec> {
    let children = ecm.children(link).iter().copied();
    children.filter_map(|child| collider_of(ecm, child, shapes, notes)).collect()
}

/// Describes a link as it stands now, without its shapes.
pub(super) fn link_of(ecm: &Ecm, link: EntityId) -> Option<BodySpec> {
    let properties = ecm.get::<LinkProperties>(link)?;
    Some(BodySpec {
        link,
        world_from_link: world_pose(ecm, link),
        twist: ecm.get::<BodyTwist>(link).map(|twist| twist.0).unwrap_or_default(),
        inertial: ecm.get::<Inertia>(link)?.0,
        gravity: properties.gravity,
        kinematic: properties.kinematic,
        self_collide: properties.self_collide,
        velocity_decay: properties.velocity_decay,
        colliders: Vec::new(),
    })
}

fn collider_of(
    ecm: &Ecm,
    collision: EntityId,
    shapes: &ShapeLibrary,
    notes: &mut Vec<EngineNote>,
) -> Option<ColliderSpec> {
    // Visuals have a shape as well; only a surface makes it collide.
    let surface = ecm.get::<ShapeSurface>(collision)?.0;
    let geometry = ecm.get::<Shape>(collision)?.0.clone();
    let prepared = match &geometry {
        Geometry::Empty => return None,
        slow if ShapeLibrary::is_slow(slow) => match shapes.get(slow) {
            Ok(shape) => Some(shape),
            Err(message) => {
                notes.push(EngineNote { entity: collision, message });
                return None;
            }
        },
        _ => None,
    };
    let link_from_collision = ecm.get::<LocalPose>(collision).map_or(Pose::IDENTITY, |pose| pose.0);
    Some(ColliderSpec { collision, link_from_collision, geometry, prepared, surface })
}

/// A gearbox names the link that its angles count from in the model that holds it.
fn gearbox_of(ecm: &Ecm, joint: EntityId, spec: &JointComponent) -> Option<GearboxSpec> {
    let extras = ecm.get::<Extras>(joint).filter(|_| spec.kind == JointKind::Gearbox)?;
    let named = extras.0.iter().find(|element| element.name == "gearbox_reference_body")?;
    let model = ecm.get::<Parent>(joint)?.0;
    let reference = find(ecm, &format!("{}::{}", path_of(ecm, model), named.text.trim()))?;
    Some(GearboxSpec { reference, ratio: spec.gearbox_ratio })
}

/// A mimic names its leader from the model that holds the joint.
fn leader_of(ecm: &Ecm, joint: EntityId, leader: &str) -> Option<EntityId> {
    let model = ecm.get::<Parent>(joint)?.0;
    find(ecm, &format!("{}::{leader}", path_of(ecm, model)))
}
