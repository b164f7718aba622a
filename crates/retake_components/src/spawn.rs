//! From a description to entities.

use std::collections::BTreeMap;

use retake_description::{
    Collision, Element, Frame, Joint, Light, Link, Model, Plugin, Sensor, Visual, WORLD_LINK, World,
};
use retake_ecm::{Component, Ecm, EntityId, NoSuchEntity, Parent};
use retake_math::SimTime;
use thiserror::Error;

use crate::{
    ActorText, AxisCommand, BodyTwist, CanonicalLink, CurrentProfile, EntityName, Extras,
    FrameScope, Gravity, Inertia, JointCommand, JointEffort, JointPosition, JointSpec,
    JointVelocity, Kind, LightEmission, LinkProperties, LocalPose, ModelProperties,
    PhysicsProfiles, PluginConfig, RestPose, Seed, SensorProperties, Shape, ShapeSurface,
    VisualMaterial, VisualProperties, WorldClock, WorldScene, WorldText, pose_within,
};

/// A description that cannot become entities.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum SpawnError {
    /// A joint names a link that is not there.
    #[error("joint {joint:?} names link {link:?}, which is not in the model")]
    UnknownLink {
        /// The joint.
        joint: String,
        /// The link it names.
        link: String,
    },
    /// The entity to hang things on is gone.
    #[error(transparent)]
    NoSuchEntity(#[from] NoSuchEntity),
}

/// Makes the entities of a world, with its clock at zero.
///
/// # Errors
/// [`SpawnError`] when the description is not consistent; the Ecm may hold a part of it then.
pub fn spawn_world(ecm: &mut Ecm, world: &World, seed: u64) -> Result<EntityId, SpawnError> {
    let entity = ecm.create();
    let mut on = Spawner { ecm, entity };
    on.set(Kind::World)?.set(EntityName(world.name.clone()))?;
    on.set(Gravity(world.gravity))?.set(WorldScene(world.scene.clone()))?;
    on.set(PhysicsProfiles(world.profiles.clone()))?.set(Seed(seed))?;
    let profile = world.default_profile().cloned().unwrap_or_default();
    on.set(WorldClock {
        step_size: SimTime::from_secs_f64(profile.max_step_size_secs),
        ..WorldClock::default()
    })?;
    on.set(CurrentProfile(profile.name))?;
    on.set(WorldText {
        magnetic_field: world.magnetic_field,
        wind: world.wind,
        spherical_coordinates: world.spherical_coordinates.clone(),
    })?;
    on.extras(&world.extras)?;
    for light in &world.lights {
        spawn_light(ecm, entity, light)?;
    }
    let mut links = Links::new();
    for model in &world.models {
        spawn_model_into(ecm, entity, model, &mut ScopedLinks::new(&mut links, &model.name))?;
    }
    spawn_joints(ecm, entity, &world.joints, &links)?;
    spawn_frames(ecm, entity, &world.frames, &links)?;
    spawn_plugins(ecm, entity, &world.plugins)?;
    Ok(entity)
}

/// Makes the entities of a model under `parent`.
///
/// # Errors
/// [`SpawnError`] when the description is not consistent; the Ecm may hold a part of it then.
pub fn spawn_model(ecm: &mut Ecm, parent: EntityId, model: &Model) -> Result<EntityId, SpawnError> {
    let mut links = Links::new();
    spawn_model_into(ecm, parent, model, &mut ScopedLinks::new(&mut links, &model.name))
}

/// Makes the entity of a light under `parent`.
///
/// # Errors
/// [`SpawnError::NoSuchEntity`] when `parent` is gone.
pub fn spawn_light(ecm: &mut Ecm, parent: EntityId, light: &Light) -> Result<EntityId, SpawnError> {
    let mut on = Spawner::child(ecm, parent, Kind::Light, &light.name)?;
    on.set(LocalPose(light.parent_from_light))?.set(LightEmission(light.source.clone()))?;
    on.extras(&light.extras)?;
    Ok(on.entity)
}

/// Links by their name scoped from where the search starts.
pub(crate) type Links = BTreeMap<String, EntityId>;

/// Writes links into the map of the enclosing scope as well as its own.
struct ScopedLinks<'a> {
    outer: &'a mut Links,
    scope: String,
    own: Links,
}

impl<'a> ScopedLinks<'a> {
    fn new(outer: &'a mut Links, scope: &str) -> Self {
        Self { outer, scope: scope.to_owned(), own: Links::new() }
    }

    fn insert(&mut self, name: &str, link: EntityId) {
        self.own.insert(name.to_owned(), link);
        self.outer.insert(format!("{}::{name}", self.scope), link);
    }

    fn absorb(&mut self, nested: Links) {
        nested.iter().for_each(|(name, link)| self.insert(name, *link));
    }
}

/// Sets components of one entity, one after the other.
struct Spawner<'a> {
    ecm: &'a mut Ecm,
    entity: EntityId,
}

impl<'a> Spawner<'a> {
    fn child(
        ecm: &'a mut Ecm,
        parent: EntityId,
        kind: Kind,
        name: &str,
    ) -> Result<Self, NoSuchEntity> {
        let entity = ecm.create();
        let mut on = Self { ecm, entity };
        on.set(kind)?.set(EntityName(name.to_owned()))?.set(Parent(parent))?;
        Ok(on)
    }

    fn set<T: Component>(&mut self, value: T) -> Result<&mut Self, NoSuchEntity> {
        self.ecm.set(self.entity, value)?;
        Ok(self)
    }

    fn extras(&mut self, extras: &[Element]) -> Result<(), NoSuchEntity> {
        if !extras.is_empty() {
            self.set(Extras(extras.to_vec()))?;
        }
        Ok(())
    }
}

fn spawn_model_into(
    ecm: &mut Ecm,
    parent: EntityId,
    model: &Model,
    links: &mut ScopedLinks<'_>,
) -> Result<EntityId, SpawnError> {
    let mut on = Spawner::child(ecm, parent, Kind::Model, &model.name)?;
    on.set(LocalPose(model.parent_from_model))?.set(ModelProperties {
        is_static: model.is_static,
        self_collide: model.self_collide,
        allow_auto_disable: model.allow_auto_disable,
        enable_wind: model.enable_wind,
    })?;
    on.extras(&model.extras)?;
    if let Some(actor) = &model.actor {
        on.set(ActorText(actor.clone()))?;
    }
    let entity = on.entity;
    for link in &model.links {
        links.insert(&link.name, spawn_link(ecm, entity, link)?);
    }
    let mut canonical = model.links.first().and_then(|link| links.own.get(&link.name).copied());
    for nested in &model.models {
        let mut inner = Links::new();
        let mut scoped = ScopedLinks::new(&mut inner, &nested.name);
        let nested = spawn_model_into(ecm, entity, nested, &mut scoped)?;
        canonical = canonical.or_else(|| ecm.get::<CanonicalLink>(nested).map(|link| link.0));
        links.absorb(inner);
    }
    let named = model.canonical_link.as_ref().and_then(|name| links.own.get(name).copied());
    if let Some(link) = named.or(canonical) {
        ecm.set(entity, CanonicalLink(link))?;
    }
    spawn_joints(ecm, entity, &model.joints, &links.own)?;
    spawn_frames(ecm, entity, &model.frames, &links.own)?;
    spawn_plugins(ecm, entity, &model.plugins)?;
    Ok(entity)
}

/// Makes the entities of a link.
pub(crate) fn spawn_link(
    ecm: &mut Ecm,
    model: EntityId,
    link: &Link,
) -> Result<EntityId, SpawnError> {
    let mut on = Spawner::child(ecm, model, Kind::Link, &link.name)?;
    on.set(LocalPose(link.model_from_link))?.set(RestPose(link.model_from_link))?;
    on.set(BodyTwist::default())?;
    on.set(Inertia(link.inertial))?.set(LinkProperties {
        gravity: link.gravity,
        kinematic: link.kinematic,
        self_collide: link.self_collide,
        velocity_decay: link.velocity_decay,
    })?;
    on.extras(&link.extras)?;
    let entity = on.entity;
    for collision in &link.collisions {
        spawn_collision(ecm, entity, collision)?;
    }
    for visual in &link.visuals {
        spawn_visual(ecm, entity, visual)?;
    }
    for light in &link.lights {
        spawn_light(ecm, entity, light)?;
    }
    for sensor in &link.sensors {
        spawn_sensor(ecm, entity, sensor)?;
    }
    spawn_plugins(ecm, entity, &link.plugins)?;
    Ok(entity)
}

/// Makes the entities of a collision.
pub(crate) fn spawn_collision(
    ecm: &mut Ecm,
    link: EntityId,
    from: &Collision,
) -> Result<EntityId, SpawnError> {
    let mut on = Spawner::child(ecm, link, Kind::Collision, &from.name)?;
    on.set(LocalPose(from.link_from_collision))?.set(Shape(from.geometry.clone()))?;
    on.set(ShapeSurface(from.surface))?;
    on.extras(&from.extras)?;
    Ok(on.entity)
}

/// Makes the entities of a visual.
pub(crate) fn spawn_visual(
    ecm: &mut Ecm,
    link: EntityId,
    from: &Visual,
) -> Result<EntityId, SpawnError> {
    let mut on = Spawner::child(ecm, link, Kind::Visual, &from.name)?;
    on.set(LocalPose(from.link_from_visual))?.set(Shape(from.geometry.clone()))?;
    on.set(VisualProperties { transparency: from.transparency, cast_shadows: from.cast_shadows })?;
    if let Some(material) = &from.material {
        on.set(VisualMaterial(material.clone()))?;
    }
    on.extras(&from.extras)?;
    Ok(on.entity)
}

/// Makes the entities of a sensor.
pub(crate) fn spawn_sensor(
    ecm: &mut Ecm,
    link: EntityId,
    from: &Sensor,
) -> Result<EntityId, SpawnError> {
    let mut on = Spawner::child(ecm, link, Kind::Sensor, &from.name)?;
    on.set(LocalPose(from.link_from_sensor))?;
    on.set(SensorProperties { kind: from.kind.clone(), update_rate_hz: from.update_rate_hz })?;
    on.extras(&from.extras)?;
    let entity = on.entity;
    spawn_plugins(ecm, entity, &from.plugins)?;
    Ok(entity)
}

fn spawn_joints(
    ecm: &mut Ecm,
    holder: EntityId,
    joints: &[Joint],
    links: &Links,
) -> Result<(), SpawnError> {
    joints.iter().try_for_each(|joint| spawn_joint(ecm, holder, joint, links).map(|_| ()))
}

/// Makes a joint between two links of `links`, or one of them and the world.
pub(crate) fn spawn_joint(
    ecm: &mut Ecm,
    holder: EntityId,
    joint: &Joint,
    links: &Links,
) -> Result<EntityId, SpawnError> {
    let find = |name: &str| {
        let unknown = || (joint.name.clone(), name.to_owned());
        links.get(name).copied().ok_or_else(|| {
            let (joint, link) = unknown();
            SpawnError::UnknownLink { joint, link }
        })
    };
    let parent = match joint.parent.as_str() {
        WORLD_LINK => None,
        name => Some(find(name)?),
    };
    spawn_joint_between(ecm, holder, joint, (parent, find(&joint.child)?))
}

fn spawn_joint_between(
    ecm: &mut Ecm,
    holder: EntityId,
    joint: &Joint,
    (parent, child): (Option<EntityId>, EntityId),
) -> Result<EntityId, SpawnError> {
    let holder_from_child = pose_within(ecm, holder, child);
    let mut on = Spawner::child(ecm, holder, Kind::Joint, &joint.name)?;
    on.set(LocalPose(holder_from_child * joint.child_from_joint))?;
    on.set(JointSpec {
        kind: joint.kind,
        parent,
        child,
        child_from_joint: joint.child_from_joint,
        axes: joint.axes.clone(),
        thread_pitch: joint.thread_pitch,
        gearbox_ratio: joint.gearbox_ratio,
    })?;
    let zeros = vec![0.0; joint.kind.axis_count()];
    on.set(JointPosition(zeros.clone()))?.set(JointVelocity(zeros.clone()))?;
    on.set(JointCommand(vec![AxisCommand::Free; zeros.len()]))?.set(JointEffort(zeros))?;
    on.extras(&joint.extras)?;
    Ok(on.entity)
}

fn spawn_frames(
    ecm: &mut Ecm,
    scope: EntityId,
    frames: &[Frame],
    links: &Links,
) -> Result<(), NoSuchEntity> {
    frames.iter().try_for_each(|frame| {
        spawn_frame(ecm, scope, frame, links.get(&frame.attached_to).copied()).map(|_| ())
    })
}

/// Makes the frame of a model or of the world, on the link that it is attached to if there is one.
pub(crate) fn spawn_frame(
    ecm: &mut Ecm,
    scope: EntityId,
    frame: &Frame,
    link: Option<EntityId>,
) -> Result<EntityId, NoSuchEntity> {
    let mut on = Spawner::child(ecm, link.unwrap_or(scope), Kind::Frame, &frame.name)?;
    on.set(LocalPose(frame.attached_from_frame))?;
    if link.is_some() {
        on.set(FrameScope(scope))?;
    }
    on.extras(&frame.extras)?;
    Ok(on.entity)
}

fn spawn_plugins(ecm: &mut Ecm, holder: EntityId, plugins: &[Plugin]) -> Result<(), NoSuchEntity> {
    plugins.iter().try_for_each(|plugin| spawn_plugin(ecm, holder, plugin).map(|_| ()))
}

/// Makes the entity of a plugin.
pub(crate) fn spawn_plugin(
    ecm: &mut Ecm,
    holder: EntityId,
    plugin: &Plugin,
) -> Result<EntityId, NoSuchEntity> {
    let mut on = Spawner::child(ecm, holder, Kind::Plugin, &plugin.name)?;
    on.set(PluginConfig(plugin.clone()))?;
    Ok(on.entity)
}
