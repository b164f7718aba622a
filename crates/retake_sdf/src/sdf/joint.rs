//! `<joint>`.

use std::f64::consts::TAU;

use retake_description::{Joint, JointAxis, JointDynamics, JointKind, JointLimits, Mimic, bounds};
use retake_diag::Diagnostic;
use retake_math::{Vec3, unit_vec};

use super::context::{Context, nearest};
use super::draft::{AxisDraft, JointDraft, Named};
use super::leftovers::leftovers;
use super::value::named_attribute;
use crate::xml::{Node, Use};

/// Reads a joint of a model or of a world; none when it lacks what makes it a joint.
pub(crate) fn joint(cx: &mut Context<'_>, node: Node<'_>, name: String) -> Option<JointDraft> {
    let kind = kind(cx, node)?;
    let parent = end(cx, node, "parent")?;
    let child = end(cx, node, "child")?;
    let (child_from_joint, relative_to) = cx.pose(node);
    let written_axes = ["axis", "axis2"].map(|tag| axis(cx, node, tag));
    let axes = axes_of(cx, node, kind, &written_axes);
    let joint = Joint {
        name,
        kind,
        parent: parent.name.clone(),
        child: child.name.clone(),
        child_from_joint,
        axes,
        thread_pitch: thread_pitch(cx, node, kind),
        gearbox_ratio: cx.number_in(node, "gearbox_ratio", 1.0, &bounds::RATIO),
        extras: leftovers(cx, node),
    };
    Some(JointDraft { joint, relative_to, parent, child, written_axes })
}

fn kind(cx: &mut Context<'_>, node: Node<'_>) -> Option<JointKind> {
    let written = node.attribute("type").unwrap_or_default();
    let found = JointKind::from_name(&written.to_ascii_lowercase());
    if found.is_none() {
        let message = format!("a joint of type {written:?} is not known; it is left out");
        let error =
            Diagnostic::error("sdf-unknown-joint-type", message).at(node.attribute_place("type"));
        let help = match nearest(written, JointKind::NAMES) {
            Some(similar) => format!("Did you mean {similar:?}?"),
            None => format!("Known: {}", JointKind::NAMES.join(", ")),
        };
        cx.diagnostics.push(error.help(help));
    }
    found
}

/// Reads `<parent>` or `<child>`.
fn end(cx: &mut Context<'_>, joint: Node<'_>, tag: &str) -> Option<Named> {
    let Some(node) = joint.take(tag).filter(|node| !node.text().is_empty()) else {
        let message = format!("the joint names no {tag}; it is left out");
        let error = Diagnostic::error("sdf-missing-link", message).at(joint.place());
        cx.diagnostics.push(error.help(format!("Add <{tag}>name of a link</{tag}>")));
        return None;
    };
    Some(Named { name: node.text().to_owned(), place: node.place() })
}

/// Radians turned for each metre moved; SDF's `thread_pitch` counts the other way round.
fn thread_pitch(cx: &mut Context<'_>, node: Node<'_>, kind: JointKind) -> f64 {
    let is_screw = kind == JointKind::Screw;
    let default = if is_screw { 1.0 } else { 0.0 };
    let turning = -cx.number_in(node, "thread_pitch", default, &bounds::RATIO);
    let metres_per_turn = cx.number(node, "screw_thread_pitch", 0.0);
    if metres_per_turn == 0.0 {
        return if is_screw { screw(cx, node, turning) } else { turning };
    }
    // A thread finer than the bound on its turns is as good as none.
    let turning_per_metre = TAU / metres_per_turn;
    if bounds::RATIO.contains(turning_per_metre) {
        return turning_per_metre;
    }
    cx.out_of_range(node, "screw_thread_pitch", &bounds::THREAD_M);
    turning
}

/// Gives a screw that no thread moves the usual one: it would only turn, or fly away.
fn screw(cx: &mut Context<'_>, node: Node<'_>, turning: f64) -> f64 {
    // Written as 0, or not at all.
    cx.replaced(node, "screw_thread_pitch", &bounds::THREAD_M, "not written");
    if bounds::THREAD.contains(turning.abs()) {
        return turning;
    }
    cx.replaced(node, "thread_pitch", &bounds::THREAD, "1");
    -1.0
}

/// Picks the axes that the kind has a use for; the others are kept as they stand.
fn axes_of(
    cx: &mut Context<'_>,
    joint: Node<'_>,
    kind: JointKind,
    written: &[Option<AxisDraft>; 2],
) -> Vec<JointAxis> {
    let mut axes = Vec::new();
    for (index, (tag, written)) in ["axis", "axis2"].into_iter().zip(written).enumerate() {
        if index < kind.axis_count() {
            if written.is_none() {
                let message = format!("the joint has no <{tag}>; it turns about z now");
                cx.warning("sdf-missing-axis", joint.place(), message);
            }
            axes.push(written.as_ref().map(|draft| draft.axis.clone()).unwrap_or_default());
        } else if let Some(node) = joint.take(tag) {
            node.mark(Use::Unused);
        }
    }
    axes
}

fn axis(cx: &mut Context<'_>, joint: Node<'_>, tag: &str) -> Option<AxisDraft> {
    let node = joint.take(tag)?;
    let written = cx.vec3(node, "xyz", Vec3::Z);
    let xyz = unit_vec(written).unwrap_or_else(|| {
        cx.error("sdf-bad-value", node.place(), "the axis has no direction; it points along z now");
        Vec3::Z
    });
    let frame = expressed_in(cx, node);
    let axis = JointAxis {
        xyz,
        limits: limits(cx, node),
        dynamics: dynamics(cx, node),
        mimic: mimic(cx, node),
    };
    Some(AxisDraft { axis, expressed_in: frame })
}

/// Finds the frame of an axis: named since SDF 1.7, a flag before, the model's up to 1.4.
fn expressed_in(cx: &mut Context<'_>, axis: Node<'_>) -> Option<Named> {
    let before_1_7 = cx.version < (1, 7);
    let in_model = cx.flag(axis, "use_parent_model_frame", cx.version < (1, 5)) && before_1_7;
    let named = axis.take("xyz").and_then(|xyz| named_attribute(xyz, "expressed_in"));
    let model = || Named { name: "__model__".to_owned(), place: axis.place() };
    named.or_else(|| in_model.then(model))
}

fn limits(cx: &mut Context<'_>, axis: Node<'_>) -> JointLimits {
    let default = JointLimits::default();
    let Some(node) = axis.take("limit") else { return default };
    // Old files write -1 for "no limit".
    let unsigned = |value: f64| if value < 0.0 { f64::INFINITY } else { value };
    let limits = JointLimits {
        lower: cx.limit(node, "lower", default.lower),
        upper: cx.limit(node, "upper", default.upper),
        effort: unsigned(cx.limit(node, "effort", default.effort)),
        velocity: unsigned(cx.limit(node, "velocity", default.velocity)),
    };
    if limits.lower <= limits.upper {
        return limits;
    }
    let message = format!(
        "the lower limit {} is above the upper limit {}; neither is used",
        limits.lower, limits.upper
    );
    cx.error("sdf-bad-limits", node.place(), message);
    JointLimits { lower: default.lower, upper: default.upper, ..limits }
}

fn dynamics(cx: &mut Context<'_>, axis: Node<'_>) -> JointDynamics {
    let Some(node) = axis.take("dynamics") else { return JointDynamics::default() };
    JointDynamics {
        damping: cx.number_in(node, "damping", 0.0, &bounds::GAIN),
        friction: cx.number_in(node, "friction", 0.0, &bounds::GAIN),
        spring_reference: cx.number_in(node, "spring_reference", 0.0, &bounds::JOINT_POSITION),
        spring_stiffness: cx.number_in(node, "spring_stiffness", 0.0, &bounds::GAIN),
    }
}

fn mimic(cx: &mut Context<'_>, axis: Node<'_>) -> Option<Mimic> {
    let node = axis.take("mimic")?;
    let Some(joint) = node.attribute("joint").filter(|name| !name.is_empty()) else {
        cx.error("sdf-missing-name", node.place(), "<mimic> names no joint; it is left out");
        return None;
    };
    if node.attribute("axis").is_some_and(|axis| axis != "axis") {
        let message = "<mimic> can follow only the first axis of a joint, and does so now";
        cx.warning("sdf-mimic-axis", node.attribute_place("axis"), message);
    }
    Some(Mimic {
        joint: joint.to_owned(),
        multiplier: cx.number_in(node, "multiplier", 1.0, &bounds::RATIO),
        offset: cx.number_in(node, "offset", 0.0, &bounds::JOINT_POSITION),
        reference: cx.number_in(node, "reference", 0.0, &bounds::JOINT_POSITION),
    })
}
