//! `<gazebo>` elements: what SDF knows and URDF does not.

use std::collections::{BTreeMap, BTreeSet};

use retake_math::Pose;

use super::robot::Robot;
use super::setting::{Setting, setting};
use crate::sdf::Context;
use crate::xml::{NewElement, Node};

/// All `<gazebo>` elements of a robot.
#[derive(Default)]
pub(super) struct Extensions<'d> {
    pub(super) all: Vec<Extension<'d>>,
    /// Indices of the extensions of a link, a joint or, under the empty name, the robot.
    pub(super) by_reference: BTreeMap<&'d str, Vec<usize>>,
    /// Fixed joints that stay fixed joints.
    pub(super) preserved: BTreeSet<&'d str>,
    /// Fixed joints that become revolute joints without play.
    pub(super) made_revolute: BTreeSet<&'d str>,
}

/// One `<gazebo>` element.
pub(super) struct Extension<'d> {
    /// What the file refers to, also after lumping.
    pub(super) reference: &'d str,
    /// Where the link that it refers to lies in the link that it was lumped into.
    pub(super) lumped_at: Pose,
    pub(super) settings: Vec<Setting<'d>>,
    /// Inside of `<collision>`, for every collision of the link.
    pub(super) collision: Vec<Node<'d>>,
    /// Inside of `<visual>`, for every visual of the link.
    pub(super) visual: Vec<Node<'d>>,
    /// Everything else, as it is.
    pub(super) rest: Vec<Rest<'d>>,
}

/// An element that is copied.
pub(super) struct Rest<'d> {
    pub(super) element: NewElement<'d>,
    /// Pose of a sensor or projector before any lumping.
    pub(super) written_pose: Option<Pose>,
}

impl<'d> Extensions<'d> {
    /// Reads the `<gazebo>` elements of a robot.
    pub(super) fn of(cx: &mut Context<'_>, robot: Node<'d>) -> Self {
        let mut extensions = Self::default();
        for node in robot.children().filter(|child| child.name() == "gazebo") {
            let reference = node.attribute("reference").unwrap_or_default();
            let extension = extensions.read(cx, node, reference);
            let index = extensions.all.len();
            extensions.all.push(extension);
            extensions.by_reference.entry(reference).or_default().push(index);
        }
        for name in &extensions.preserved {
            extensions.made_revolute.remove(name);
        }
        extensions
    }

    /// Returns what refers to a link, a joint or, by the empty name, the robot.
    pub(super) fn of_reference(&self, name: &str) -> impl Iterator<Item = &Extension<'d>> {
        let indices = self.by_reference.get(name).into_iter().flatten();
        indices.map(|&index| &self.all[index])
    }

    /// Warns of references to what the robot does not have.
    pub(super) fn warn_of_unknown(&self, cx: &mut Context<'_>, robot: &Robot<'d>) {
        let links = robot.links.iter().map(|link| link.name);
        let joints = robot.joints.iter().map(|joint| joint.name);
        let known: BTreeSet<&str> = links.chain(joints).chain([""]).collect();
        let elements = robot.node.children().filter(|child| child.name() == "gazebo");
        for node in elements {
            let reference = node.attribute("reference").unwrap_or_default();
            if !known.contains(reference) {
                let message = format!("there is no link or joint {reference:?}; it is left out");
                cx.warning("urdf-unknown-reference", node.attribute_place("reference"), message);
            }
        }
    }

    fn read(&mut self, cx: &mut Context<'_>, node: Node<'d>, reference: &'d str) -> Extension<'d> {
        let mut extension = Extension {
            reference,
            lumped_at: Pose::IDENTITY,
            settings: Vec::new(),
            collision: Vec::new(),
            visual: Vec::new(),
            rest: Vec::new(),
        };
        for child in node.children() {
            match child.name() {
                "collision" => extension.collision.extend(child.children()),
                "visual" => extension.visual.extend(child.children()),
                "canonicalBody" => {}
                "preserveFixedJoint" if is_yes(child) => {
                    self.preserved.insert(reference);
                }
                "disableFixedJointLumping" if is_yes(child) => {
                    self.made_revolute.insert(reference);
                }
                "preserveFixedJoint" | "disableFixedJointLumping" => {}
                _ => match setting(cx, child) {
                    Some(read) => extension.settings.extend(read),
                    None => {
                        let element = NewElement::copied(child);
                        extension.rest.push(Rest { element, written_pose: None });
                    }
                },
            }
        }
        extension
    }
}

/// Reads a value that is an attribute or the text.
pub(super) fn value_of(node: Node<'_>) -> &str {
    node.attribute("value").unwrap_or_else(|| node.text()).trim()
}

/// Says whether an element says yes.
pub(super) fn is_yes(node: Node<'_>) -> bool {
    matches!(value_of(node).to_ascii_lowercase().as_str(), "true" | "yes" | "1")
}
