//! What a URDF file says, checked: links and joints that form one tree.

use std::borrow::Cow;
use std::collections::BTreeMap;

use retake_diag::Diagnostic;
use retake_math::{Pose, Vec3};

use super::joint::joint;
use super::link::{Materials, link};
use super::mass::Mass;
use super::tree;
use crate::sdf::Context;
use crate::xml::{NewElement, Node};

/// Name of the link that stands for the world; the robot is held by it.
pub(super) const WORLD: &str = "world";
/// Longest name, in characters.
const MAX_NAME: usize = 256;
/// Versions of URDF whose elements are known here.
const VERSIONS: [&str; 3] = ["1.0", "1.1", "1.2"];

/// A robot whose links form one tree.
pub(super) struct Robot<'d> {
    pub(super) node: Node<'d>,
    pub(super) links: Vec<Link<'d>>,
    pub(super) joints: Vec<Joint<'d>>,
    /// Index of the link that hangs on no other.
    pub(super) root: usize,
}

/// A link; what is lumped into it is added here.
pub(super) struct Link<'d> {
    pub(super) node: Node<'d>,
    pub(super) name: &'d str,
    pub(super) mass: Option<Mass>,
    pub(super) visuals: Vec<Shape<'d>>,
    pub(super) collisions: Vec<Shape<'d>>,
    /// Index of the joint on which it hangs.
    pub(super) joint: Option<usize>,
    /// Indices of the links that hang on it, by the names of their joints.
    pub(super) children: Vec<usize>,
}

/// A visual or collision.
#[derive(Clone)]
pub(super) struct Shape<'d> {
    pub(super) offset: usize,
    /// Empty when the file gives none.
    pub(super) name: Cow<'d, str>,
    pub(super) link_from_shape: Pose,
    /// `<geometry>` as SDF writes it.
    pub(super) geometry: NewElement<'d>,
    pub(super) color: Option<[f32; 4]>,
}

/// A joint.
pub(super) struct Joint<'d> {
    pub(super) node: Node<'d>,
    pub(super) name: &'d str,
    pub(super) kind: JointKind,
    /// Names of the links as the file gives them.
    pub(super) ends: (&'d str, &'d str),
    /// Index of the link that holds it; known once there is a tree.
    pub(super) parent: usize,
    pub(super) parent_from_joint: Pose,
    pub(super) axis: Vec3,
    pub(super) limits: Option<Limits>,
    /// Damping and friction.
    pub(super) dynamics: Option<[f64; 2]>,
    pub(super) mimic: Option<Mimic<'d>>,
}

/// Kinds of joints that URDF knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointKind {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    Floating,
    Planar,
}

/// Limits of a joint.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) effort: f64,
    pub(super) velocity: f64,
}

/// Which joint another one follows, and how.
pub(super) struct Mimic<'d> {
    pub(super) offset_in_file: usize,
    pub(super) joint: &'d str,
    pub(super) multiplier: f64,
    pub(super) offset: f64,
}

/// Reads a robot; none when it is not one tree of links that can be read.
pub(super) fn robot<'d>(cx: &mut Context<'_>, node: Node<'d>) -> Option<Robot<'d>> {
    let mut sound = has_name_and_version(cx, node);
    let mut materials = Materials::default();
    for child in node.children().filter(|child| child.name() == "material") {
        sound &= materials.declare(cx, child);
    }
    let mut links = Vec::new();
    for child in node.children().filter(|child| child.name() == "link") {
        match name_of(cx, child) {
            Some(name) => links.push(link(cx, child, name, &mut materials)),
            None => sound = false,
        }
    }
    let mut joints = Vec::new();
    for child in node.children().filter(|child| child.name() == "joint") {
        let read = name_of(cx, child).and_then(|name| joint(cx, child, name));
        sound &= read.is_some();
        joints.extend(read);
    }
    sound &= are_unique(cx, links.iter().map(|link| (link.name, link.node)));
    sound &= are_unique(cx, joints.iter().map(|joint| (joint.name, joint.node)));
    if links.is_empty() && sound {
        cx.error("urdf-no-links", node.place(), "the robot has no <link>");
        return None;
    }
    if sound { tree::grown(cx, node, links, joints) } else { None }
}

fn has_name_and_version(cx: &mut Context<'_>, node: Node<'_>) -> bool {
    if node.attribute("name").is_none() {
        let error = Diagnostic::error("urdf-missing-name", "the robot has no name");
        cx.diagnostics.push(error.at(node.place()).help("Write <robot name=\"…\">"));
        return false;
    }
    let version = node.attribute("version").unwrap_or("1.0");
    if VERSIONS.contains(&version) {
        return true;
    }
    let message = format!("URDF has no version {version:?}. Known: {}", VERSIONS.join(", "));
    cx.error("urdf-version", node.attribute_place("version"), message);
    false
}

/// Returns the name of a link or joint; none when there is none that can be used.
fn name_of<'d>(cx: &mut Context<'_>, node: Node<'d>) -> Option<&'d str> {
    let Some(name) = node.attribute("name").filter(|name| !name.is_empty()) else {
        let message = format!("<{}> has no name", node.name());
        cx.error("urdf-missing-name", node.place(), message);
        return None;
    };
    if name.chars().nth(MAX_NAME).is_none() {
        return Some(name);
    }
    let message = format!("the name of <{}> has more than {MAX_NAME} characters", node.name());
    cx.error("urdf-bad-name", node.attribute_place("name"), message);
    None
}

fn are_unique<'d>(cx: &mut Context<'_>, named: impl Iterator<Item = (&'d str, Node<'d>)>) -> bool {
    let mut first_of = BTreeMap::new();
    let mut unique = true;
    for (name, node) in named {
        let first = *first_of.entry(name).or_insert(node);
        if first.offset() == node.offset() {
            continue;
        }
        let (kind, place) = (node.name(), first.place());
        let message = format!("there are two <{kind}> called {name:?}; the other is at {place}");
        cx.error("urdf-duplicate-name", node.place(), message);
        unique = false;
    }
    unique
}
