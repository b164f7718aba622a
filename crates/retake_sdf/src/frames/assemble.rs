//! Drafts and graph to the description.

use retake_description::{Frame, Joint, JointAxis, Light, Link, Model, WORLD_LINK, World};
use retake_diag::Diagnostic;
use retake_math::{Pose, unit_pose, unit_vec};

use super::attach::Attached;
use super::connect::{looked_up, scope_name, suggestion};
use super::freedoms;
use super::graph::{Graph, NodeId, ScopeId, WORLD};
use crate::as_written::{AxisRecord, JointRecord};
use crate::sdf::{
    AxisDraft, Context, Drafted, FrameDraft, JointDraft, LinkDraft, ModelDraft, Named, Parts, Slot,
};

/// Puts a world together.
pub(super) fn world(
    cx: &mut Context<'_>,
    graph: &Graph,
    mut world: World,
    lights: Vec<Drafted<Light>>,
    parts: Parts,
) -> World {
    world.lights = lights.into_iter().map(|draft| light(cx, graph, draft)).collect();
    let built = built(cx, graph, WORLD, parts);
    world.joints = built.joints;
    world.frames = built.frames;
    world.models = built.models;
    world
}

fn light(cx: &mut Context<'_>, graph: &Graph, draft: Drafted<Light>) -> Light {
    let mut light = draft.thing;
    if let Some(frame) = looked_up(cx, graph, WORLD, draft.relative_to.as_ref()) {
        let world_from_frame = graph.nodes[frame].world_from_node;
        light.parent_from_light = unit_pose(world_from_frame * light.parent_from_light);
    }
    light
}

/// What a world and a model have in common.
struct Built {
    links: Vec<Link>,
    joints: Vec<Joint>,
    frames: Vec<Frame>,
    models: Vec<Model>,
}

fn built(cx: &mut Context<'_>, graph: &Graph, scope: ScopeId, parts: Parts) -> Built {
    let inside = &graph.scopes[scope];
    let links = (inside.first_link..).zip(parts.links);
    let joints = (inside.first_joint..).zip(parts.joints);
    let frames = (inside.first_frame..).zip(parts.frames);
    let models = inside.models.iter().zip(parts.models);
    Built {
        links: links.map(|(node, draft)| link(cx, graph, node, draft)).collect(),
        joints: joints.filter_map(|(node, draft)| joint(cx, graph, node, draft)).collect(),
        frames: frames.map(|(node, draft)| frame(cx, graph, node, draft)).collect(),
        models: models.map(|(&inner, draft)| model(cx, graph, inner, draft)).collect(),
    }
}

fn model(cx: &mut Context<'_>, graph: &Graph, scope: ScopeId, draft: ModelDraft) -> Model {
    let holder = graph.scopes[scope].holder;
    let outer = graph.scopes[graph.nodes[holder].scope].holder;
    let mut model = draft.model;
    model.parent_from_model = graph.pose_in(outer, holder);
    if let Some(frame) = &draft.placement_frame {
        let path = graph.path_from(WORLD, holder);
        cx.as_written.placements.insert(path, frame.name.clone());
    }
    // The one that would be it anyway is not named, so that naming it makes no other world.
    let canonical = graph.scopes[scope].canonical;
    let canonical = canonical.filter(|_| canonical != graph.default_canonical(scope));
    model.canonical_link = canonical.map(|link| graph.path_from(scope, link));
    if !model.is_static && draft.parts.links.is_empty() && draft.parts.models.is_empty() {
        let message = format!("model {:?} has no link", model.name);
        cx.error("sdf-model-without-link", draft.place.clone(), message);
    }
    let built = built(cx, graph, scope, draft.parts);
    model.links = built.links;
    model.joints = built.joints;
    model.frames = built.frames;
    model.models = built.models;
    if graph.nodes[holder].scope == WORLD {
        freedoms::check(cx, &model, draft.place);
    }
    model
}

fn link(cx: &mut Context<'_>, graph: &Graph, node: NodeId, draft: LinkDraft) -> Link {
    let scope = graph.nodes[node].scope;
    let mut link = draft.link;
    link.model_from_link = graph.pose_in(graph.scopes[scope].holder, node);
    for (slot, named) in &draft.inner {
        let Some(frame) = looked_up(cx, graph, scope, Some(named)) else { continue };
        if frame == node {
            continue;
        }
        let link_from_frame = graph.pose_in(node, frame);
        let pose = slot_pose(&mut link, *slot);
        *pose = unit_pose(link_from_frame * *pose);
    }
    link
}

fn slot_pose(link: &mut Link, slot: Slot) -> &mut Pose {
    match slot {
        Slot::Collision(index) => &mut link.collisions[index].link_from_collision,
        Slot::Visual(index) => &mut link.visuals[index].link_from_visual,
        Slot::Light(index) => &mut link.lights[index].parent_from_light,
        Slot::Sensor(index) => &mut link.sensors[index].link_from_sensor,
        Slot::Inertial => &mut link.inertial.link_from_com,
    }
}

fn frame(cx: &mut Context<'_>, graph: &Graph, node: NodeId, draft: FrameDraft) -> Frame {
    let scope = graph.nodes[node].scope;
    let holder = graph.scopes[scope].holder;
    let mut frame = draft.frame;
    let attached = match graph.attachments.moves_with_holder(graph, node) {
        true => Attached::World,
        false => graph.attachments.carrier(graph, node),
    };
    let carrier = match attached {
        Attached::Link(link) => {
            frame.attached_to = graph.path_from(scope, link);
            link
        }
        Attached::World => holder,
        Attached::Nothing => {
            let message = format!("frame {:?} is attached to nothing that has a link", frame.name);
            cx.error("sdf-frame-cycle", draft.place, message);
            holder
        }
    };
    frame.attached_from_frame = graph.pose_in(carrier, node);
    let written = draft.attached_to.map_or_else(String::new, |named| named.name);
    cx.as_written.frames.insert(graph.path_from(WORLD, node), written);
    frame
}

/// Puts a joint together; none when one of its ends is not a link.
fn joint(cx: &mut Context<'_>, graph: &Graph, node: NodeId, draft: JointDraft) -> Option<Joint> {
    let scope = graph.nodes[node].scope;
    let parent = end(cx, graph, (scope, &draft.joint.name), &draft.parent);
    let child = end(cx, graph, (scope, &draft.joint.name), &draft.child);
    let axes = draft.written_axes.each_ref().map(|axis| {
        let draft = axis.as_ref()?;
        Some(AxisRecord { written: draft.axis.xyz, axis: turned_axis(cx, graph, node, draft) })
    });
    note_joint(cx, graph, (node, &draft), (parent, child), axes.clone());
    let (parent, child) = (parent?, child?);
    let mut joint = draft.joint;
    let Attached::Link(child_link) = child else {
        let message = format!("the child of joint {:?} is the world; it is left out", joint.name);
        let error = Diagnostic::error("sdf-bad-joint", message).at(draft.child.place);
        cx.diagnostics.push(error.help("Exchange parent and child"));
        return None;
    };
    if parent == child {
        let message =
            format!("parent and child of joint {:?} are one link; it is left out", joint.name);
        cx.error("sdf-bad-joint", draft.child.place, message);
        return None;
    }
    joint.parent = path_of_end(graph, scope, parent);
    joint.child = path_of_end(graph, scope, child);
    joint.child_from_joint = graph.pose_in(child_link, node);
    for (axis, record) in joint.axes.iter_mut().zip(axes) {
        *axis = record.map_or_else(|| axis.clone(), |record| record.axis);
    }
    Some(joint)
}

fn path_of_end(graph: &Graph, scope: ScopeId, end: Attached) -> String {
    match end {
        Attached::Link(link) => graph.path_from(scope, link),
        Attached::World | Attached::Nothing => WORLD_LINK.to_owned(),
    }
}

/// Turns an axis into the frame of its joint.
fn turned_axis(cx: &mut Context<'_>, graph: &Graph, node: NodeId, draft: &AxisDraft) -> JointAxis {
    let scope = graph.nodes[node].scope;
    let mut axis = draft.axis.clone();
    let frame = looked_up(cx, graph, scope, draft.expressed_in.as_ref());
    if let Some(frame) = frame.filter(|&frame| frame != node) {
        let turned = graph.pose_in(node, frame).transform_vector(axis.xyz);
        axis.xyz = unit_vec(turned).unwrap_or(axis.xyz);
    }
    axis
}

/// Notes what the file says of a joint, also of one that is left out.
fn note_joint(
    cx: &mut Context<'_>,
    graph: &Graph,
    (node, draft): (NodeId, &JointDraft),
    (parent, child): (Option<Attached>, Option<Attached>),
    axes: [Option<AxisRecord>; 2],
) {
    let scope = graph.nodes[node].scope;
    let record = JointRecord {
        name: draft.joint.name.clone(),
        kind: draft.joint.kind,
        parent: draft.parent.name.clone(),
        child: draft.child.name.clone(),
        resolved_parent: parent.map(|end| path_of_end(graph, scope, end)),
        resolved_child: child.map(|end| path_of_end(graph, scope, end)),
        world_from_joint: child.map(|_| graph.nodes[node].world_from_node),
        axes,
    };
    let holder = match scope {
        WORLD => String::new(),
        _ => graph.path_from(WORLD, graph.scopes[scope].holder),
    };
    cx.as_written.joints.entry(holder).or_default().push(record);
}

/// Finds what an end of a joint is: a link or the world.
fn end(
    cx: &mut Context<'_>,
    graph: &Graph,
    (scope, joint): (ScopeId, &str),
    named: &Named,
) -> Option<Attached> {
    if named.name == WORLD_LINK {
        return Some(Attached::World);
    }
    let Some(node) = graph.find(scope, &named.name) else {
        let message = format!(
            "no link {:?} in {}; joint {joint:?} is left out",
            named.name,
            scope_name(graph, scope)
        );
        let error = Diagnostic::error("sdf-unknown-link", message).at(named.place.clone());
        cx.diagnostics.push(error.help(suggestion(graph, scope, &named.name)));
        return None;
    };
    match graph.attachments.carrier(graph, node) {
        Attached::Nothing => {
            let message = format!(
                "{:?} is attached to nothing that has a link; joint {joint:?} is left out",
                named.name
            );
            cx.error("sdf-unknown-link", named.place.clone(), message);
            None
        }
        found => Some(found),
    }
}
