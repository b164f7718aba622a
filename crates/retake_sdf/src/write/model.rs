//! Models, joints and frames.

use retake_description::{Element, Frame, Joint, JointAxis, Mimic, Model};

use super::link::{link, plugin};
use super::tree::{Build, element, leaf};
use super::value::{flag_leaf, number_leaf, pose, vec3_leaf};

/// Writes `<model>`, or `<actor>` for what was one.
pub(super) fn model(model: &Model) -> Element {
    if let Some(kept) = &model.actor {
        return actor(model, kept);
    }
    let mut root = element("model").with("name", &model.name);
    if let Some(canonical) = &model.canonical_link {
        root = root.with("canonical_link", canonical);
    }
    let mut children = Vec::new();
    children.extend(pose(model.parent_from_model));
    children.push(flag_leaf("static", model.is_static));
    children.push(flag_leaf("self_collide", model.self_collide));
    children.push(flag_leaf("allow_auto_disable", model.allow_auto_disable));
    children.push(flag_leaf("enable_wind", model.enable_wind));
    children.extend(model.links.iter().map(link));
    children.extend(model.models.iter().map(self::model));
    children.extend(model.frames.iter().map(frame));
    children.extend(model.joints.iter().map(joint));
    children.extend(model.plugins.iter().map(plugin));
    root.holding(children).merged(&model.extras)
}

/// Writes `<actor>`: all but name and pose is as it was.
fn actor(model: &Model, kept: &Element) -> Element {
    let mut root = element("actor").with("name", &model.name);
    root.attributes.extend(kept.attributes.iter().cloned());
    root.text.clone_from(&kept.text);
    root.holding(pose(model.parent_from_model).into_iter().collect()).holding(kept.children.clone())
}

/// Writes `<frame>`.
pub(super) fn frame(frame: &Frame) -> Element {
    let mut root = element("frame").with("name", &frame.name);
    if !frame.attached_to.is_empty() {
        root = root.with("attached_to", &frame.attached_to);
    }
    root.holding(pose(frame.attached_from_frame).into_iter().collect()).merged(&frame.extras)
}

/// Writes `<joint>`.
pub(super) fn joint(joint: &Joint) -> Element {
    let mut children = Vec::new();
    children.extend(pose(joint.child_from_joint));
    children.push(leaf("parent", &joint.parent));
    children.push(leaf("child", &joint.child));
    let tags = ["axis", "axis2"].into_iter();
    children.extend(tags.zip(&joint.axes).map(|(tag, axis_of)| axis(tag, axis_of)));
    if joint.thread_pitch != 0.0 {
        // SDF counts the turns of a screw the other way round.
        children.push(number_leaf("thread_pitch", -joint.thread_pitch));
    }
    children.push(number_leaf("gearbox_ratio", joint.gearbox_ratio));
    let root = element("joint").with("name", &joint.name).with("type", joint.kind.name());
    let defaults = vec![number_leaf("thread_pitch", 0.0)];
    root.holding(children).by_default(&joint.extras, defaults).merged(&joint.extras)
}

fn axis(tag: &str, axis: &JointAxis) -> Element {
    let (limits, dynamics) = (&axis.limits, &axis.dynamics);
    let mut children = vec![
        vec3_leaf("xyz", axis.xyz),
        element("limit").holding(vec![
            number_leaf("lower", limits.lower),
            number_leaf("upper", limits.upper),
            number_leaf("effort", limits.effort),
            number_leaf("velocity", limits.velocity),
        ]),
        element("dynamics").holding(vec![
            number_leaf("damping", dynamics.damping),
            number_leaf("friction", dynamics.friction),
            number_leaf("spring_reference", dynamics.spring_reference),
            number_leaf("spring_stiffness", dynamics.spring_stiffness),
        ]),
    ];
    children.extend(axis.mimic.as_ref().map(mimic));
    element(tag).holding(children)
}

fn mimic(mimic: &Mimic) -> Element {
    element("mimic").with("joint", &mimic.joint).holding(vec![
        number_leaf("multiplier", mimic.multiplier),
        number_leaf("offset", mimic.offset),
        number_leaf("reference", mimic.reference),
    ])
}
