//! `<link>` and what hangs on it.

use retake_description::{Collision, Link, Sensor, VelocityDecay, Visual, bounds};

use super::context::Context;
use super::draft::{Drafted, LinkDraft, Named, Slot};
use super::geometry::geometry;
use super::inertial::inertial;
use super::leftovers::leftovers;
use super::light::light;
use super::material::material;
use super::names::Names;
use super::plugin::plugins;
use super::surface::surface;
use crate::xml::Node;

/// Reads a link.
pub(crate) fn link(cx: &mut Context<'_>, node: Node<'_>, name: String) -> LinkDraft {
    let (model_from_link, relative_to) = cx.pose(node);
    let mut draft = LinkDraft { link: empty_link(name), relative_to, inner: Vec::new() };
    draft.link.model_from_link = model_from_link;
    collisions_and_inertial(cx, node, &mut draft);
    visuals(cx, node, &mut draft);
    lights(cx, node, &mut draft);
    sensors(cx, node, &mut draft);
    let link = &mut draft.link;
    link.gravity = cx.flag(node, "gravity", true);
    link.kinematic = cx.flag(node, "kinematic", false);
    link.self_collide = cx.flag(node, "self_collide", false);
    link.velocity_decay = velocity_decay(cx, node);
    link.plugins = plugins(cx, node);
    link.extras = leftovers(cx, node);
    draft
}

fn empty_link(name: String) -> Link {
    Link { name, ..Link::default() }
}

fn velocity_decay(cx: &mut Context<'_>, link: Node<'_>) -> VelocityDecay {
    let Some(node) = link.take("velocity_decay") else { return VelocityDecay::default() };
    VelocityDecay {
        linear: cx.number_in(node, "linear", 0.0, &bounds::DECAY),
        angular: cx.number_in(node, "angular", 0.0, &bounds::DECAY),
    }
}

fn collisions_and_inertial(cx: &mut Context<'_>, node: Node<'_>, draft: &mut LinkDraft) {
    let mut names = Names::default();
    let mut shapes: Vec<(Collision, Option<f64>)> = Vec::with_capacity(node.count("collision"));
    for child in node.take_things("collision") {
        let name = cx.name_of(child).filter(|name| names.claim(cx, name, child));
        let Some(name) = name else { continue };
        let read = collision(cx, child, name);
        draft.note(Slot::Collision(shapes.len()), read.relative_to);
        shapes.push((read.thing, own_density(child)));
    }
    let mass = inertial(cx, node, &shapes);
    if mass.computed && !draft.inner.is_empty() {
        let message = "the mass is computed as if no shape were relative to another frame";
        cx.warning("sdf-auto-inertia", node.place(), message);
    }
    draft.link.inertial = mass.inertial;
    draft.note(Slot::Inertial, mass.relative_to);
    draft.link.collisions = shapes.into_iter().map(|(collision, _)| collision).collect();
}

/// Reads a collision.
pub(crate) fn collision(cx: &mut Context<'_>, node: Node<'_>, name: String) -> Drafted<Collision> {
    let (link_from_collision, relative_to) = cx.pose(node);
    let collision = Collision {
        name,
        link_from_collision,
        geometry: geometry(cx, node),
        surface: surface(cx, node),
        extras: leftovers(cx, node),
    };
    Drafted { thing: collision, relative_to }
}

/// Reads the density without taking it: it stays with the collision for writing back.
fn own_density(collision: Node<'_>) -> Option<f64> {
    let node = collision.children().find(|child| child.name() == "density")?;
    node.text().parse().ok().filter(|&density| bounds::DENSITY.contains(density))
}

fn visuals(cx: &mut Context<'_>, node: Node<'_>, draft: &mut LinkDraft) {
    let mut names = Names::default();
    draft.link.visuals.reserve_exact(node.count("visual"));
    for child in node.take_things("visual") {
        let name = cx.name_of(child).filter(|name| names.claim(cx, name, child));
        let Some(name) = name else { continue };
        let read = visual(cx, child, name);
        draft.note(Slot::Visual(draft.link.visuals.len()), read.relative_to);
        draft.link.visuals.push(read.thing);
    }
}

/// Reads a visual.
pub(crate) fn visual(cx: &mut Context<'_>, node: Node<'_>, name: String) -> Drafted<Visual> {
    let (link_from_visual, relative_to) = cx.pose(node);
    let visual = Visual {
        name,
        link_from_visual,
        geometry: geometry(cx, node),
        material: material(cx, node),
        transparency: cx.number(node, "transparency", 0.0),
        cast_shadows: cx.flag(node, "cast_shadows", true),
        extras: leftovers(cx, node),
    };
    Drafted { thing: visual, relative_to }
}

fn lights(cx: &mut Context<'_>, node: Node<'_>, draft: &mut LinkDraft) {
    let mut names = Names::default();
    for child in node.take_things("light") {
        let Some(read) = light(cx, child) else { continue };
        if names.claim(cx, &read.thing.name, child) {
            draft.note(Slot::Light(draft.link.lights.len()), read.relative_to);
            draft.link.lights.push(read.thing);
        }
    }
}

fn sensors(cx: &mut Context<'_>, node: Node<'_>, draft: &mut LinkDraft) {
    let mut names = Names::default();
    for child in node.take_things("sensor") {
        let name = cx.name_of(child).filter(|name| names.claim(cx, name, child));
        let Some(name) = name else { continue };
        let read = sensor(cx, child, name);
        draft.note(Slot::Sensor(draft.link.sensors.len()), read.relative_to);
        draft.link.sensors.push(read.thing);
    }
}

/// Reads a sensor.
pub(crate) fn sensor(cx: &mut Context<'_>, node: Node<'_>, name: String) -> Drafted<Sensor> {
    let (link_from_sensor, relative_to) = cx.pose(node);
    let sensor = Sensor {
        name,
        kind: node.attribute("type").unwrap_or_default().to_owned(),
        link_from_sensor,
        update_rate_hz: cx.number(node, "update_rate", 0.0),
        plugins: plugins(cx, node),
        extras: leftovers(cx, node),
    };
    Drafted { thing: sensor, relative_to }
}

impl LinkDraft {
    /// Notes that the pose of a thing is relative to a named frame, if it is.
    pub(crate) fn note(&mut self, slot: Slot, relative_to: Option<Named>) {
        self.inner.extend(relative_to.map(|named| (slot, named)));
    }
}
