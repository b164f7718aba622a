//! Joints.

use std::borrow::Cow;

use retake_diag::Diagnostic;

use super::super::robot::{Joint, JointKind, Link, Robot, WORLD};
use super::super::setting::Target;
use super::super::value::{sdf_rpy, written, written_pose};
use super::{Emitter, put_settings};
use crate::sdf::Context;
use crate::xml::NewElement;

/// Writes where a link is: at its joint, or in the link that holds it when SDF has no such joint.
pub(super) fn held_pose<'d>(robot: &Robot<'d>, link: &Link<'d>) -> Option<NewElement<'d>> {
    let joint = &robot.joints[link.joint?];
    if kind_name(joint.kind).is_some() {
        let pose = NewElement::new("pose", joint.node.offset());
        return Some(pose.with("relative_to", joint.name));
    }
    Some(pose(robot, joint))
}

/// Writes the joint of a link, if it has one that SDF knows.
pub(super) fn joint<'d>(
    cx: &mut Context<'_>,
    emitter: &Emitter<'_, 'd>,
    link: &Link<'d>,
) -> Option<NewElement<'d>> {
    let joint = &emitter.robot.joints[link.joint?];
    let Some(kind) = kind_name(joint.kind) else {
        let message = format!(
            "joint {:?} is of a type that SDF does not have; nothing holds link {:?}",
            joint.name, link.name
        );
        let error = Diagnostic::error("urdf-joint-type", message);
        let help = "Use a fixed, revolute, continuous or prismatic joint";
        cx.diagnostics.push(error.at(joint.node.attribute_place("type")).help(help));
        return None;
    };
    let stiff = kind == "fixed" && emitter.extensions.made_revolute.contains(joint.name);
    let kind = if stiff { "revolute" } else { kind };
    let offset = joint.node.offset();
    let mut told = NewElement::new("joint", offset).with("type", kind).with("name", joint.name);
    told.children.push(pose(emitter.robot, joint));
    told.set("parent", emitter.robot.links[joint.parent].name, offset);
    told.set("child", link.name, offset);
    if kind != "fixed" {
        told.children.push(if stiff { stiff_axis(offset) } else { axis(cx, joint) });
    }
    for extension in emitter.extensions.of_reference(joint.name) {
        put_settings(&mut told, extension, Target::Joint);
    }
    emitter.put_rest(&mut told, joint.name);
    Some(told)
}

fn kind_name(kind: JointKind) -> Option<&'static str> {
    match kind {
        JointKind::Fixed => Some("fixed"),
        JointKind::Revolute | JointKind::Continuous => Some("revolute"),
        JointKind::Prismatic => Some("prismatic"),
        JointKind::Floating | JointKind::Planar => None,
    }
}

/// Writes where a joint is in the link that holds it.
fn pose<'d>(robot: &Robot<'d>, joint: &Joint<'d>) -> NewElement<'d> {
    let holder = match robot.links[joint.parent].name {
        WORLD => "__model__",
        link => link,
    };
    let at = joint.parent_from_joint;
    let offset = joint.node.child("origin").unwrap_or(joint.node).offset();
    let pose = NewElement::new("pose", offset).with("relative_to", holder);
    pose.with_text(written_pose(at.position, sdf_rpy(at.rotation)))
}

fn axis<'d>(cx: &mut Context<'_>, joint: &Joint<'d>) -> NewElement<'d> {
    let offset_of = |tag: &str| joint.node.child(tag).unwrap_or(joint.node).offset();
    let mut told = NewElement::new("axis", offset_of("axis"));
    told.set("xyz", written(joint.axis.to_array()), offset_of("axis"));
    if let Some(limits) = &joint.limits {
        let offset = offset_of("limit");
        let limit = told.child_or_new("limit", offset);
        if joint.kind != JointKind::Continuous {
            if limits.lower > limits.upper {
                let message = format!(
                    "the lower limit of joint {:?} is above the upper; they change places",
                    joint.name
                );
                let place = joint.node.child("limit").unwrap_or(joint.node).place();
                cx.warning("urdf-limits", place, message);
            }
            limit.set("lower", written([limits.lower.min(limits.upper)]), offset);
            limit.set("upper", written([limits.lower.max(limits.upper)]), offset);
        }
        limit.set("effort", written([limits.effort]), offset);
        limit.set("velocity", written([limits.velocity]), offset);
    }
    if let Some([damping, friction]) = joint.dynamics {
        let offset = offset_of("dynamics");
        let dynamics = told.child_or_new("dynamics", offset);
        dynamics.set("damping", written([damping]), offset);
        dynamics.set("friction", written([friction]), offset);
    }
    told.children.extend(mimic(joint));
    told
}

fn mimic<'d>(joint: &Joint<'d>) -> Option<NewElement<'d>> {
    let mimic = joint.mimic.as_ref()?;
    let offset = mimic.offset_in_file;
    let mut told = NewElement::new("mimic", offset).with("joint", Cow::Borrowed(mimic.joint));
    told.set("multiplier", written([mimic.multiplier]), offset);
    told.set("offset", written([mimic.offset]), offset);
    Some(told)
}

/// An axis without play: how a fixed joint is told to engines that know none.
fn stiff_axis<'d>(offset: usize) -> NewElement<'d> {
    let mut told = NewElement::new("axis", offset);
    let limit = told.child_or_new("limit", offset);
    limit.set("lower", "0", offset);
    limit.set("upper", "0", offset);
    told
}
