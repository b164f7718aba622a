//! A robot in elements of SDF.

mod joint;
mod shape;

use retake_diag::Diagnostic;

use self::joint::{held_pose, joint};
use self::shape::{ShapeKind, shape};
use super::extension::{Extension, Extensions};
use super::lump::Lumped;
use super::mass::Mass;
use super::robot::{Link, Robot, WORLD};
use super::setting::Target;
use super::value::{sdf_rpy, urdf_rpy, written, written_pose};
use crate::sdf::Context;
use crate::xml::{NewElement, Node};

/// Version of SDF that the elements are of: that of libsdformat's conversion.
const VERSION: &str = "1.7";

/// Writes the parts of one robot.
pub(super) struct Emitter<'r, 'd> {
    pub(super) robot: &'r Robot<'d>,
    pub(super) extensions: &'r Extensions<'d>,
    pub(super) lumped: &'r Lumped,
    /// How much more may be made: extensions are copied for each shape of a link.
    pub(super) work_left: usize,
}

impl<'d> Emitter<'_, 'd> {
    /// Writes `<sdf>`; none when there is too much of it.
    pub(super) fn sdf(&mut self, cx: &mut Context<'_>) -> Option<NewElement<'d>> {
        let node = self.robot.node;
        let name = node.attribute("name").unwrap_or_default();
        let mut model = NewElement::new("model", node.offset()).with("name", name);
        // Values come first in every element: they are put in place one by one, which takes the
        // longer the more is there.
        for extension in self.extensions.of_reference("") {
            model.set("static", "false", node.offset());
            put_settings(&mut model, extension, Target::Robot);
        }
        if let Some(child) = node.child("origin") {
            let pose = super::value::origin(node).unwrap_or_else(|fault| {
                cx.error("urdf-bad-number", fault.place, fault.message);
                retake_math::Pose::IDENTITY
            });
            let text = written_pose(pose.position, urdf_rpy(pose.rotation));
            model.set("pose", text, child.offset());
        }
        self.links_and_joints(cx, &mut model);
        self.put_rest(&mut model, "");
        if self.work_left == 0 {
            let message = "the <gazebo> elements make too much of the shapes they refer to";
            cx.error("urdf-too-large", node.place(), message);
            return None;
        }
        let mut root = NewElement::new("sdf", node.offset()).with("version", VERSION);
        root.children.push(model);
        Some(root)
    }

    fn links_and_joints(&mut self, cx: &mut Context<'_>, model: &mut NewElement<'d>) {
        let mut open = vec![self.robot.root];
        while let Some(index) = open.pop() {
            let link = &self.robot.links[index];
            let has_mass = link.mass.as_ref().is_some_and(Mass::is_enough);
            if link.name != WORLD && !has_mass {
                self.warn_massless(cx, index);
                continue;
            }
            if link.name != WORLD && !self.lumped[index] {
                model.children.extend(joint(cx, self, link));
                let told = self.link(link);
                model.children.push(told);
            }
            open.extend(link.children.iter().rev());
        }
    }

    /// Warns of a link that is left out, unless all of it is lumped into another.
    fn warn_massless(&self, cx: &mut Context<'_>, index: usize) {
        let link = &self.robot.links[index];
        let hanging = match link.children.len() {
            0 if self.lumped[index] => return,
            0 => "it is left out",
            _ if self.lumped[index] => "what hangs on it is left out",
            _ => "it is left out with all that hangs on it",
        };
        let message = format!("link {:?} has no mass; {hanging}", link.name);
        let warning = Diagnostic::warning("urdf-no-mass", message).at(link.node.place());
        cx.diagnostics.push(warning.help("Give it an <inertial> with a mass"));
    }

    fn link(&mut self, link: &Link<'d>) -> NewElement<'d> {
        let offset = link.node.offset();
        let mut told = NewElement::new("link", offset).with("name", link.name);
        told.children.extend(held_pose(self.robot, link));
        told.children.extend(link.mass.as_ref().map(inertial));
        for extension in self.extensions.of_reference(link.name) {
            put_settings(&mut told, extension, Target::Link);
        }
        for (kind, shapes) in
            [(ShapeKind::Collision, &link.collisions), (ShapeKind::Visual, &link.visuals)]
        {
            for (index, of_link) in shapes.iter().enumerate() {
                let made = shape(self, (link.name, kind), (index, of_link));
                told.children.push(made);
            }
        }
        self.put_rest(&mut told, link.name);
        told
    }

    /// Copies what extensions hold as it is.
    fn put_rest(&self, told: &mut NewElement<'d>, reference: &str) {
        let rest = self.extensions.of_reference(reference).flat_map(|extension| &extension.rest);
        told.children.extend(rest.map(|rest| rest.element.clone()));
    }

    /// Copies an element of the source, unless there is too much already.
    fn copied(&mut self, node: Node<'d>) -> Option<NewElement<'d>> {
        if !self.spend(1) {
            return None;
        }
        let copy = NewElement::copied(node);
        self.spend(copy.len()).then_some(copy)
    }

    /// Says whether there is work left, and takes it.
    fn spend(&mut self, work: usize) -> bool {
        self.work_left = self.work_left.saturating_sub(work);
        self.work_left > 0
    }
}

/// Puts the settings for a target into it.
fn put_settings<'d>(told: &mut NewElement<'d>, extension: &Extension<'d>, target: Target) {
    let settings = extension.settings.iter().filter(|setting| setting.target == target);
    settings.for_each(|setting| setting.apply(told));
}

fn inertial<'d>(mass: &Mass) -> NewElement<'d> {
    let offset = mass.offset;
    let mut told = NewElement::new("inertial", offset);
    let pose = written_pose(mass.origin.position, sdf_rpy(mass.origin.rotation));
    told.set("pose", pose, offset);
    told.set("mass", written([mass.kg]), offset);
    let [x, y, z] = [mass.inertia.x_axis, mass.inertia.y_axis, mass.inertia.z_axis];
    let matrix = told.child_or_new("inertia", offset);
    let entries =
        [("ixx", x.x), ("ixy", x.y), ("ixz", x.z), ("iyy", y.y), ("iyz", y.z), ("izz", z.z)];
    entries.into_iter().for_each(|(name, value)| matrix.set(name, written([value]), offset));
    told
}
