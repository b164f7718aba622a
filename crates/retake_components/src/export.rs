//! From entities back to a description.

use std::collections::{BTreeMap, BTreeSet};

use retake_description::{
    Collision, Element, Frame, Joint, Light, Link, Model, Plugin, Sensor, Visual, WORLD_LINK, World,
};
use retake_ecm::{Component, Ecm, EntityId, Parent};
use retake_math::Pose;

use crate::canonical::default_canonical_link;
use crate::rest_pose::rest_poses;
use crate::{
    ActorText, CanonicalLink, EntityName, Extras, FrameScope, Gravity, Inertia, JointSpec, Kind,
    LightEmission, LinkProperties, LocalPose, ModelProperties, PhysicsProfiles, PluginConfig,
    SensorProperties, Shape, ShapeSurface, VisualMaterial, VisualProperties, WorldScene, WorldText,
};

/// Describes the whole world as it is now; none when the entity is not a world.
///
/// Joint positions, velocities and the clock are state, not description, and stay behind: links
/// are placed as they are with every joint at zero.
pub fn export_world(ecm: &Ecm, world: EntityId) -> Option<World> {
    let models = ecm.children(world).iter().filter(|c| ecm.get::<Kind>(**c) == Some(&Kind::Model));
    let rest = models.flat_map(|model| rest_poses(ecm, *model)).collect();
    let gathered = Gathered { rest, frames: frames_on_links(ecm) };
    Exporter { ecm, gathered: &gathered, entity: world }.world()
}

/// Describes the whole world with every link where it is now; none when the entity is not a world.
pub fn describe_world_now(ecm: &Ecm, world: EntityId) -> Option<World> {
    Exporter { ecm, gathered: &Gathered::now(ecm), entity: world }.world()
}

/// Describes a model with every link where it is now; none when the entity is not a model.
pub fn describe_model_now(ecm: &Ecm, model: EntityId) -> Option<Model> {
    Exporter { ecm, gathered: &Gathered::now(ecm), entity: model }.model()
}

/// Describes a model as it is now; none when the entity is not a model.
pub fn export_model(ecm: &Ecm, model: EntityId) -> Option<Model> {
    let gathered = Gathered { rest: rest_poses(ecm, model), frames: frames_on_links(ecm) };
    Exporter { ecm, gathered: &gathered, entity: model }.model()
}

/// Describes a light as it is now; none when the entity is not a light.
pub fn export_light(ecm: &Ecm, light: EntityId) -> Option<Light> {
    let gathered = Gathered { rest: BTreeMap::new(), frames: BTreeMap::new() };
    Exporter { ecm, gathered: &gathered, entity: light }.light()
}

/// What is found out for all models at once.
struct Gathered {
    /// Poses of links in their models with every joint at zero, of those that joints hold.
    rest: BTreeMap<EntityId, Pose>,
    /// Frames of each model that links hold.
    frames: BTreeMap<EntityId, Vec<EntityId>>,
}

impl Gathered {
    /// For a description that takes links where they are.
    fn now(ecm: &Ecm) -> Self {
        Self { rest: BTreeMap::new(), frames: frames_on_links(ecm) }
    }
}

fn frames_on_links(ecm: &Ecm) -> BTreeMap<EntityId, Vec<EntityId>> {
    let mut frames: BTreeMap<EntityId, Vec<EntityId>> = BTreeMap::new();
    for (frame, scope) in ecm.iter::<FrameScope>() {
        frames.entry(scope.0).or_default().push(frame);
    }
    frames
}

/// Reads the components of one entity.
#[derive(Clone, Copy)]
struct Exporter<'a> {
    ecm: &'a Ecm,
    gathered: &'a Gathered,
    entity: EntityId,
}

impl<'a> Exporter<'a> {
    fn at(&self, entity: EntityId) -> Self {
        Self { entity, ..*self }
    }

    fn get<T: Component>(&self) -> Option<&'a T> {
        self.ecm.get(self.entity)
    }

    fn name(&self) -> String {
        self.get::<EntityName>().map(|name| name.0.clone()).unwrap_or_default()
    }

    fn pose(&self) -> Pose {
        self.get::<LocalPose>().map_or(Pose::IDENTITY, |pose| pose.0)
    }

    /// Pose of a link in its model with every joint at zero.
    fn link_pose(&self) -> Pose {
        self.gathered.rest.get(&self.entity).copied().unwrap_or_else(|| self.pose())
    }

    fn extras(&self) -> Vec<Element> {
        self.get::<Extras>().map(|extras| extras.0.clone()).unwrap_or_default()
    }

    fn each<T>(&self, kind: Kind, export: impl Fn(&Self) -> Option<T>) -> Vec<T> {
        let of_kind = |child: &&EntityId| self.ecm.get::<Kind>(**child) == Some(&kind);
        let children = self.ecm.children(self.entity).iter().filter(of_kind);
        children.filter_map(|child| export(&self.at(*child))).collect()
    }

    fn plugins(&self) -> Vec<Plugin> {
        self.each(Kind::Plugin, |at| at.get::<PluginConfig>().map(|plugin| plugin.0.clone()))
    }

    fn world(&self) -> Option<World> {
        let text = self.get::<WorldText>()?;
        Some(World {
            name: self.name(),
            gravity: self.get::<Gravity>()?.0,
            magnetic_field: text.magnetic_field,
            wind: text.wind,
            spherical_coordinates: text.spherical_coordinates.clone(),
            profiles: self.get::<PhysicsProfiles>()?.0.clone(),
            scene: self.get::<WorldScene>()?.0.clone(),
            lights: self.each(Kind::Light, Exporter::light),
            models: self.each(Kind::Model, Exporter::model),
            joints: self.each(Kind::Joint, Exporter::joint),
            frames: self.frames(),
            plugins: self.plugins(),
            extras: self.extras(),
        })
    }

    fn model(&self) -> Option<Model> {
        let properties = self.get::<ModelProperties>()?;
        let canonical = self.get::<CanonicalLink>().map(|link| link.0);
        let canonical =
            canonical.filter(|_| canonical != default_canonical_link(self.ecm, self.entity));
        Some(Model {
            name: self.name(),
            parent_from_model: self.pose(),
            is_static: properties.is_static,
            self_collide: properties.self_collide,
            allow_auto_disable: properties.allow_auto_disable,
            enable_wind: properties.enable_wind,
            canonical_link: canonical.map(|link| self.scoped(link)),
            links: self.each(Kind::Link, Self::link),
            joints: self.each(Kind::Joint, Self::joint),
            models: self.each(Kind::Model, Self::model),
            frames: self.frames(),
            plugins: self.plugins(),
            actor: self.get::<ActorText>().map(|actor| actor.0.clone()),
            extras: self.extras(),
        })
    }

    fn link(&self) -> Option<Link> {
        let properties = self.get::<LinkProperties>()?;
        Some(Link {
            name: self.name(),
            model_from_link: self.link_pose(),
            inertial: self.get::<Inertia>()?.0,
            gravity: properties.gravity,
            kinematic: properties.kinematic,
            self_collide: properties.self_collide,
            velocity_decay: properties.velocity_decay,
            collisions: self.each(Kind::Collision, Self::collision),
            visuals: self.each(Kind::Visual, Self::visual),
            lights: self.each(Kind::Light, Self::light),
            sensors: self.each(Kind::Sensor, Self::sensor),
            plugins: self.plugins(),
            extras: self.extras(),
        })
    }

    fn collision(&self) -> Option<Collision> {
        Some(Collision {
            name: self.name(),
            link_from_collision: self.pose(),
            geometry: self.get::<Shape>()?.0.clone(),
            surface: self.get::<ShapeSurface>()?.0,
            extras: self.extras(),
        })
    }

    fn visual(&self) -> Option<Visual> {
        let properties = self.get::<VisualProperties>()?;
        Some(Visual {
            name: self.name(),
            link_from_visual: self.pose(),
            geometry: self.get::<Shape>()?.0.clone(),
            material: self.get::<VisualMaterial>().map(|material| material.0.clone()),
            transparency: properties.transparency,
            cast_shadows: properties.cast_shadows,
            extras: self.extras(),
        })
    }

    fn light(&self) -> Option<Light> {
        Some(Light {
            name: self.name(),
            parent_from_light: self.pose(),
            source: self.get::<LightEmission>()?.0.clone(),
            extras: self.extras(),
        })
    }

    fn sensor(&self) -> Option<Sensor> {
        let properties = self.get::<SensorProperties>()?;
        Some(Sensor {
            name: self.name(),
            kind: properties.kind.clone(),
            link_from_sensor: self.pose(),
            update_rate_hz: properties.update_rate_hz,
            plugins: self.plugins(),
            extras: self.extras(),
        })
    }

    fn joint(&self) -> Option<Joint> {
        let spec = self.get::<JointSpec>()?;
        let holder = self.at(self.get::<Parent>()?.0);
        let parent = spec.parent.map_or_else(|| WORLD_LINK.to_owned(), |link| holder.scoped(link));
        Some(Joint {
            name: self.name(),
            kind: spec.kind,
            parent,
            child: holder.scoped(spec.child),
            child_from_joint: spec.child_from_joint,
            axes: spec.axes.clone(),
            thread_pitch: spec.thread_pitch,
            gearbox_ratio: spec.gearbox_ratio,
            extras: self.extras(),
        })
    }

    /// Frames hang on what they are attached to: the model itself, or a link in it.
    fn frames(&self) -> Vec<Frame> {
        let own = |child: &&EntityId| self.ecm.get::<Kind>(**child) == Some(&Kind::Frame);
        let own = self.ecm.children(self.entity).iter().filter(own);
        let on_links = self.gathered.frames.get(&self.entity).into_iter().flatten();
        // Together in the order in which they were made.
        let all: BTreeSet<EntityId> = own.chain(on_links).copied().collect();
        all.into_iter().filter_map(|frame| self.frame_of(frame)).collect()
    }

    fn frame_of(&self, frame: EntityId) -> Option<Frame> {
        let holder = self.ecm.get::<Parent>(frame)?.0;
        let attached_to = if holder == self.entity { String::new() } else { self.scoped(holder) };
        Some(self.at(frame).frame(attached_to))
    }

    fn frame(&self, attached_to: String) -> Frame {
        let extras = self.extras();
        Frame { name: self.name(), attached_to, attached_from_frame: self.pose(), extras }
    }

    /// Name of `entity` scoped from here.
    fn scoped(&self, entity: EntityId) -> String {
        let mut parts = Vec::new();
        let mut at = entity;
        while at != self.entity {
            parts.push(self.at(at).name());
            match self.ecm.get::<Parent>(at) {
                Some(parent) => at = parent.0,
                None => break,
            }
        }
        parts.reverse();
        parts.join("::")
    }
}
