//! `<joint>` of a URDF file.

use retake_diag::Diagnostic;
use retake_math::Vec3;

use super::robot::{Joint, JointKind, Limits, Mimic};
use super::value::{Fault, number, optional_number, optional_vec3, origin};
use crate::sdf::{Context, nearest};
use crate::xml::Node;

/// Kinds of joints by name.
const KINDS: [(&str, JointKind); 6] = [
    ("fixed", JointKind::Fixed),
    ("revolute", JointKind::Revolute),
    ("continuous", JointKind::Continuous),
    ("prismatic", JointKind::Prismatic),
    ("floating", JointKind::Floating),
    ("planar", JointKind::Planar),
];

/// Reads a joint; none, with an error, when anything about it cannot be read.
pub(super) fn joint<'d>(cx: &mut Context<'_>, node: Node<'d>, name: &'d str) -> Option<Joint<'d>> {
    let kind = kind(cx, node, name)?;
    match parts(node, name, kind) {
        Ok(joint) => Some(joint),
        Err(fault) => {
            let message = format!("joint {name:?} cannot be read: {}", fault.message);
            cx.error("urdf-bad-joint", fault.place, message);
            None
        }
    }
}

fn kind(cx: &mut Context<'_>, node: Node<'_>, name: &str) -> Option<JointKind> {
    let written = node.attribute("type").unwrap_or_default();
    let found = KINDS.iter().find(|(known, _)| *known == written).map(|&(_, kind)| kind);
    if found.is_none() {
        let message = format!("URDF has no joint of type {written:?}, which {name:?} is");
        let error = Diagnostic::error("urdf-unknown-joint-type", message);
        let names = KINDS.map(|(known, _)| known);
        let help = match nearest(written, names) {
            Some(similar) => format!("Did you mean {similar:?}?"),
            None => format!("Known: {}", names.join(", ")),
        };
        cx.diagnostics.push(error.at(node.attribute_place("type")).help(help));
    }
    found
}

fn parts<'d>(node: Node<'d>, name: &'d str, kind: JointKind) -> Result<Joint<'d>, Fault> {
    let limits = limits(node)?;
    if limits.is_none() && matches!(kind, JointKind::Revolute | JointKind::Prismatic) {
        return Err(Fault::at(node, "a joint that slides or is revolute needs a <limit>"));
    }
    check_safety(node)?;
    Ok(Joint {
        node,
        name,
        kind,
        ends: (end(node, "parent")?, end(node, "child")?),
        parent: 0,
        parent_from_joint: origin(node)?,
        axis: axis(node, kind)?,
        limits,
        dynamics: dynamics(node)?,
        mimic: mimic(node)?,
    })
}

fn end<'d>(joint: Node<'d>, tag: &str) -> Result<&'d str, Fault> {
    let link = joint.child(tag).and_then(|child| child.attribute("link"));
    let named = link.filter(|name| !name.is_empty());
    named.ok_or_else(|| Fault::at(joint, format!("it has no <{tag} link=\"…\"/>")))
}

/// Reads the axis; x without an `<axis>`, and none of all directions without its numbers.
fn axis(joint: Node<'_>, kind: JointKind) -> Result<Vec3, Fault> {
    match joint.child("axis") {
        _ if matches!(kind, JointKind::Fixed | JointKind::Floating) => Ok(Vec3::ZERO),
        Some(node) => Ok(optional_vec3(node, "xyz")?.unwrap_or(Vec3::ZERO)),
        None => Ok(Vec3::X),
    }
}

fn limits(joint: Node<'_>) -> Result<Option<Limits>, Fault> {
    let Some(node) = joint.child("limit") else { return Ok(None) };
    Ok(Some(Limits {
        lower: optional_number(node, "lower")?.unwrap_or(0.0),
        upper: optional_number(node, "upper")?.unwrap_or(0.0),
        effort: number(node, "effort")?,
        velocity: number(node, "velocity")?,
    }))
}

fn dynamics(joint: Node<'_>) -> Result<Option<[f64; 2]>, Fault> {
    let Some(node) = joint.child("dynamics") else { return Ok(None) };
    let [damping, friction] =
        [optional_number(node, "damping")?, optional_number(node, "friction")?];
    if damping.is_none() && friction.is_none() {
        return Err(Fault::at(node, "<dynamics> has neither damping nor friction"));
    }
    Ok(Some([damping.unwrap_or(0.0), friction.unwrap_or(0.0)]))
}

/// Checks what only a controller on the robot uses: a file with it broken is not loaded.
fn check_safety(joint: Node<'_>) -> Result<(), Fault> {
    if let Some(node) = joint.child("safety_controller") {
        for name in ["soft_lower_limit", "soft_upper_limit", "k_position"] {
            optional_number(node, name)?;
        }
        number(node, "k_velocity")?;
    }
    if let Some(node) = joint.child("calibration") {
        optional_number(node, "rising")?;
        optional_number(node, "falling")?;
    }
    Ok(())
}

fn mimic(joint: Node<'_>) -> Result<Option<Mimic<'_>>, Fault> {
    let Some(node) = joint.child("mimic") else { return Ok(None) };
    let Some(followed) = node.attribute("joint") else {
        return Err(Fault::at(node, "<mimic> names no joint"));
    };
    Ok(Some(Mimic {
        offset_in_file: node.offset(),
        joint: followed,
        multiplier: optional_number(node, "multiplier")?.unwrap_or(1.0),
        offset: optional_number(node, "offset")?.unwrap_or(0.0),
    }))
}
