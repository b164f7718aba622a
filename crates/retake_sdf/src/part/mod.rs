//! Parts: elements that are put into a world that is there.
//!
//! Reading one takes time and needs nothing of the world; finding the frames and links that it
//! names needs the world and is quick. So a part is read into a draft first, and placed later.
//! Whether a holder may hold it is not decided here.

mod around;
mod place;
mod read;

use retake_description::{
    Collision, Frame, Geometry, Joint, Light, Link, Model, Plugin, Sensor, Visual, World,
};

use crate::sdf::{Drafted, FrameDraft, JointDraft, LinkDraft, ModelDraft, Parts};
pub use read::{parse_part, with_included};

/// An element of a world, with every frame that it names resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A model.
    Model(Model),
    /// A light.
    Light(Light),
    /// A link.
    Link(Link),
    /// A joint.
    Joint(Joint),
    /// A frame.
    Frame(Frame),
    /// A collision.
    Collision(Collision),
    /// A visual.
    Visual(Visual),
    /// A sensor.
    Sensor(Sensor),
    /// A plugin.
    Plugin(Plugin),
}

/// What holds a part, with the names and poses of what is beside it.
#[derive(Clone, Copy, Debug)]
pub enum Surroundings<'a> {
    /// Something in which a part names nothing.
    Nothing,
    /// A world.
    World(&'a World),
    /// A model.
    Model(&'a Model),
    /// A link of a model.
    Link {
        /// The model.
        model: &'a Model,
        /// Name of the link in it.
        link: &'a str,
    },
}

/// An element as it was read, with the names of frames still in it.
#[derive(Debug)]
pub struct PartDraft(Draft);

#[derive(Debug)]
enum Draft {
    Model(Box<ModelDraft>),
    Light(Drafted<Light>),
    Link(Box<LinkDraft>),
    Joint(Box<JointDraft>),
    Frame(FrameDraft),
    Collision(Box<Drafted<Collision>>),
    Visual(Box<Drafted<Visual>>),
    Sensor(Drafted<Sensor>),
    Plugin(Plugin),
}

impl PartDraft {
    /// Returns the name of its element; `model` for an actor too.
    pub fn tag(&self) -> &'static str {
        match &self.0 {
            Draft::Model(_) => "model",
            Draft::Light(_) => "light",
            Draft::Link(_) => "link",
            Draft::Joint(_) => "joint",
            Draft::Frame(_) => "frame",
            Draft::Collision(_) => "collision",
            Draft::Visual(_) => "visual",
            Draft::Sensor(_) => "sensor",
            Draft::Plugin(_) => "plugin",
        }
    }

    /// Returns what it is called.
    pub fn name(&self) -> &str {
        match &self.0 {
            Draft::Model(draft) => &draft.model.name,
            Draft::Light(draft) => &draft.thing.name,
            Draft::Link(draft) => &draft.link.name,
            Draft::Joint(draft) => &draft.joint.name,
            Draft::Frame(draft) => &draft.frame.name,
            Draft::Collision(draft) => &draft.thing.name,
            Draft::Visual(draft) => &draft.thing.name,
            Draft::Sensor(draft) => &draft.thing.name,
            Draft::Plugin(plugin) => &plugin.name,
        }
    }

    /// Calls it something else.
    pub fn rename(&mut self, name: &str) {
        let own = match &mut self.0 {
            Draft::Model(draft) => &mut draft.model.name,
            Draft::Light(draft) => &mut draft.thing.name,
            Draft::Link(draft) => {
                // What hangs on the link may name the link.
                let old = draft.link.name.clone();
                let inner = draft.inner.iter_mut().filter(|(_, named)| named.name == old);
                inner.for_each(|(_, named)| named.name = name.to_owned());
                &mut draft.link.name
            }
            Draft::Joint(draft) => &mut draft.joint.name,
            Draft::Frame(draft) => &mut draft.frame.name,
            Draft::Collision(draft) => &mut draft.thing.name,
            Draft::Visual(draft) => &mut draft.thing.name,
            Draft::Sensor(draft) => &mut draft.thing.name,
            Draft::Plugin(plugin) => &mut plugin.name,
        };
        *own = name.to_owned();
    }

    /// Says whether it names anything outside of itself.
    pub fn names_others(&self) -> bool {
        match &self.0 {
            Draft::Model(draft) => draft.relative_to.is_some(),
            Draft::Light(draft) => draft.relative_to.is_some(),
            Draft::Link(draft) => draft.relative_to.is_some() || !draft.inner.is_empty(),
            Draft::Joint(_) | Draft::Frame(_) => true,
            Draft::Collision(draft) => draft.relative_to.is_some(),
            Draft::Visual(draft) => draft.relative_to.is_some(),
            Draft::Sensor(draft) => draft.relative_to.is_some(),
            Draft::Plugin(_) => false,
        }
    }

    /// Returns the shapes that collide.
    pub fn colliding_shapes(&self) -> Vec<&Geometry> {
        let mut shapes = Vec::new();
        match &self.0 {
            Draft::Model(draft) => collect(&draft.parts, &mut shapes),
            Draft::Link(draft) => shapes.extend(shapes_of(draft)),
            Draft::Collision(draft) => shapes.push(&draft.thing.geometry),
            _ => {}
        }
        shapes
    }
}

/// Collects the shapes of all collisions; the reader has bounded the nesting.
fn collect<'a>(parts: &'a Parts, into: &mut Vec<&'a Geometry>) {
    into.extend(parts.links.iter().flat_map(shapes_of));
    parts.models.iter().for_each(|nested| collect(&nested.parts, into));
}

fn shapes_of(draft: &LinkDraft) -> impl Iterator<Item = &Geometry> {
    draft.link.collisions.iter().map(|collision| &collision.geometry)
}
