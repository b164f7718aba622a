//! A model as URDF, for programs that know no SDF.
//!
//! URDF has one tree of links, each with its frame where its joint is, so frames of links move;
//! [`Urdf::frames`] says where to. What URDF has no words for is told in notes, never left out in
//! silence.

mod shape;
mod tree;

use retake_description::{Element, Joint, JointKind, Link, Model};
use retake_math::{Inertial, Pose};

use self::shape::shapes;
use self::tree::{Holder, Tree};
use super::tree::{Build, element, rendered};
use super::value::{number, numbers};

/// Name of the link that stands for the world, when a robot hangs on it by more than one thing.
const WORLD: &str = "world";

/// A model as URDF.
#[derive(Clone, Debug, PartialEq)]
pub struct Urdf {
    /// The document.
    pub text: String,
    /// What it cannot say, for people.
    pub notes: Vec<String>,
    /// Links of the document, each after the one that it hangs on.
    pub frames: Vec<UrdfFrame>,
}

/// Where the frame is that URDF has for a link.
#[derive(Clone, Debug, PartialEq)]
pub struct UrdfFrame {
    /// Name in the document.
    pub name: String,
    /// Path of the link below the model, its parts separated by `::`.
    pub link: String,
    /// Frame that it hangs on; none is the world.
    pub parent: Option<String>,
    /// The document's frame in the link's own.
    pub link_from_frame: Pose,
}

/// Writes a model, with its joints at zero as the description has them, as URDF.
pub fn print_urdf(model: &Model) -> Urdf {
    let mut notes = Vec::new();
    let tree = Tree::of(model, &mut notes);
    let mut children = Vec::new();
    if tree.needs_world() {
        children.push(element("link").with("name", WORLD));
    }
    for part in &tree.parts {
        children.push(link(&part.name(), part.link, part.link_from_frame, &mut notes));
    }
    for (place, part) in tree.parts.iter().enumerate() {
        match part.holder {
            Holder::Joint(joint) => {
                children.extend(joint_element(&tree, place, joint, &mut notes));
            }
            Holder::Nothing if tree.needs_world() => children.push(floating(&tree, place)),
            Holder::Nothing => {}
        }
    }
    let root = element("robot").with("name", &model.name).holding(children);
    Urdf { text: rendered(&root), notes, frames: tree.frames() }
}

fn link(name: &str, link: &Link, link_from_frame: Pose, notes: &mut Vec<String>) -> Element {
    let frame_from_link = link_from_frame.inverse();
    let mut children = vec![inertial(&link.inertial, frame_from_link)];
    for visual in &link.visuals {
        let material = visual.material.as_ref().map(|material| {
            let color = element("color").with("rgba", &numbers(&material.diffuse.0.map(f64::from)));
            element("material")
                .with("name", &format!("{name}_{}", visual.name))
                .holding(vec![color])
        });
        let place = frame_from_link * visual.link_from_visual;
        let what = format!("visual {:?} of link {name:?}", visual.name);
        for (place, geometry) in shapes(&visual.geometry, place, &what, notes) {
            let made = element("visual").with("name", &visual.name);
            let content = [origin(place), geometry].into_iter().chain(material.clone());
            children.push(made.holding(content.collect()));
        }
    }
    for collision in &link.collisions {
        let place = frame_from_link * collision.link_from_collision;
        let what = format!("collision {:?} of link {name:?}", collision.name);
        for (place, geometry) in shapes(&collision.geometry, place, &what, notes) {
            let made = element("collision").with("name", &collision.name);
            children.push(made.holding(vec![origin(place), geometry]));
        }
    }
    element("link").with("name", name).holding(children)
}

fn inertial(inertial: &Inertial, frame_from_link: Pose) -> Element {
    let (m, p) = (inertial.moments, inertial.products);
    let matrix =
        [("ixx", m.x), ("ixy", p.x), ("ixz", p.y), ("iyy", m.y), ("iyz", p.z), ("izz", m.z)];
    let matrix = matrix
        .iter()
        .fold(element("inertia"), |made, (name, value)| made.with(name, &number(*value)));
    let mass = element("mass").with("value", &number(inertial.mass_kg));
    let place = origin(frame_from_link * inertial.link_from_com);
    element("inertial").holding(vec![place, mass, matrix])
}

/// Writes the joint that holds a link; none when it holds the only base to the world.
fn joint_element(
    tree: &Tree<'_>,
    place: usize,
    joint: &Joint,
    notes: &mut Vec<String>,
) -> Option<Element> {
    let part = &tree.parts[place];
    if part.parent.is_none() && !tree.needs_world() {
        return None;
    }
    let kind = match joint.kind {
        JointKind::Revolute | JointKind::Continuous => turning(joint),
        JointKind::Prismatic => "prismatic",
        JointKind::Fixed => "fixed",
        other => {
            let (name, other) = (&joint.name, other.name());
            notes.push(format!(
                "joint {name:?} is {other}, which URDF has not: written as floating"
            ));
            "floating"
        }
    };
    let name = format!("{}{}", part.scope.replace("::", "/"), joint.name);
    let mut children = vec![
        origin(tree.parent_from(place)),
        element("parent")
            .with("link", &part.parent.map_or(WORLD.to_owned(), |p| tree.parts[p].name())),
        element("child").with("link", &part.name()),
    ];
    if let ("revolute" | "continuous" | "prismatic", Some(axis)) = (kind, joint.axes.first()) {
        children.push(element("axis").with("xyz", &numbers(&axis.xyz.to_array())));
        children.push(limits(kind, axis));
        let dynamics = element("dynamics").with("damping", &number(axis.dynamics.damping));
        children.push(dynamics.with("friction", &number(axis.dynamics.friction)));
        if let Some(mimic) = &axis.mimic {
            let offset = mimic.offset - mimic.multiplier * mimic.reference;
            let made = element("mimic").with("joint", &mimic.joint);
            let made = made.with("multiplier", &number(mimic.multiplier));
            children.push(made.with("offset", &number(offset)));
        }
    }
    Some(element("joint").with("name", &name).with("type", kind).holding(children))
}

/// A revolute joint without limits turns without end.
fn turning(joint: &Joint) -> &'static str {
    let limits = joint.axes.first().map(|axis| axis.limits);
    let bounded = limits.is_some_and(|limits| limits.lower.is_finite() && limits.upper.is_finite());
    match joint.kind == JointKind::Revolute && bounded {
        true => "revolute",
        false => "continuous",
    }
}

fn limits(kind: &str, axis: &retake_description::JointAxis) -> Element {
    // URDF wants numbers where there is no limit.
    const MUCH: f64 = 1e9;
    let bounded = |value: f64| number(value.clamp(-MUCH, MUCH));
    let made = element("limit").with("effort", &bounded(axis.limits.effort));
    let made = made.with("velocity", &bounded(axis.limits.velocity));
    match kind {
        "continuous" => made,
        _ => made
            .with("lower", &bounded(axis.limits.lower))
            .with("upper", &bounded(axis.limits.upper)),
    }
}

/// A base that nothing holds, beside others.
fn floating(tree: &Tree<'_>, place: usize) -> Element {
    let name = tree.parts[place].name();
    let children = vec![
        origin(tree.parent_from(place)),
        element("parent").with("link", WORLD),
        element("child").with("link", &name),
    ];
    let made = element("joint").with("name", &format!("world_to_{name}"));
    made.with("type", "floating").holding(children)
}

/// Writes `<origin>`; small errors of the arithmetic of frames are rounded away.
pub(super) fn origin(pose: Pose) -> Element {
    let round = |value: f64| (value * 1e12).round() / 1e12 + 0.0;
    let xyz = pose.position.to_array().map(round);
    let rpy = pose.rpy_rad().to_array().map(round);
    element("origin").with("xyz", &numbers(&xyz)).with("rpy", &numbers(&rpy))
}
