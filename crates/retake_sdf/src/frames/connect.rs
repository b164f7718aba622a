//! Building the graph, breaking its cycles, and walking it.

use std::path::PathBuf;

use retake_description::WORLD_LINK;
use retake_diag::{Diagnostic, Diagnostics, Place};
use retake_math::{Pose, unit_pose};

use super::attach::Attachments;
use super::graph::{Graph, Kind, NodeId, ScopeId, WORLD};
use crate::sdf::{Context, JointDraft, ModelDraft, Named, Parts, nearest};

/// Builds the graph of a world and finds the pose of every node.
pub(super) fn connected(cx: &mut Context<'_>, parts: &Parts) -> Graph {
    let mut graph = Graph::default();
    graph.nodes.reserve_exact(1 + node_count(parts));
    let world = graph.add("world", Kind::Holder(WORLD), WORLD, Pose::IDENTITY);
    graph.add_scope(world, 0);
    register(&mut graph, WORLD, parts);
    connect(cx, &mut graph, WORLD, parts);
    break_cycles(cx, &mut graph);
    place_models(cx, &mut graph, WORLD, parts);
    walk(&mut graph);
    graph.attachments = Attachments::new(&graph);
    graph
}

/// Finds the pose of a frame of a model that no world holds, in the model's own frame.
///
/// What is wrong with the model's other frames is not reported here: its parts are looked at again
/// where they end up.
pub(crate) fn pose_in_model(cx: &mut Context<'_>, draft: &ModelDraft, named: &Named) -> Pose {
    let mut unheard = Diagnostics::new();
    let mut aside = Context::new(&mut unheard, cx.roots, PathBuf::new());
    let mut graph = Graph::default();
    let world = graph.add("world", Kind::Holder(WORLD), WORLD, Pose::IDENTITY);
    graph.add_scope(world, 0);
    let inside = WORLD + 1;
    let holder = graph.add(&draft.model.name, Kind::Holder(inside), WORLD, Pose::IDENTITY);
    graph.add_scope(holder, 1);
    register(&mut graph, inside, &draft.parts);
    connect(&mut aside, &mut graph, inside, &draft.parts);
    break_cycles(&mut aside, &mut graph);
    place_models(&mut aside, &mut graph, inside, &draft.parts);
    let frame = looked_up(cx, &graph, inside, Some(named));
    frame.map_or(Pose::IDENTITY, |frame| climbed(&graph, holder, frame))
}

/// Returns how many nodes the parts will have, so that they are not moved about while they grow.
fn node_count(parts: &Parts) -> usize {
    let nested: usize = parts.models.iter().map(|draft| 1 + node_count(&draft.parts)).sum();
    nested + parts.links.len() + parts.joints.len() + parts.frames.len()
}

/// Gives every part a node.
fn register(graph: &mut Graph, scope: ScopeId, parts: &Parts) {
    graph.scopes[scope].first_link = graph.nodes.len();
    graph.scopes[scope].link_count = parts.links.len();
    for draft in &parts.links {
        graph.add(&draft.link.name, Kind::Link, scope, draft.link.model_from_link);
    }
    graph.scopes[scope].first_joint = graph.nodes.len();
    for draft in &parts.joints {
        graph.add(&draft.joint.name, Kind::Joint, scope, draft.joint.child_from_joint);
    }
    graph.scopes[scope].first_frame = graph.nodes.len();
    for draft in &parts.frames {
        graph.add(&draft.frame.name, Kind::Frame, scope, draft.frame.attached_from_frame);
    }
    for draft in &parts.models {
        let depth = graph.scopes[scope].depth + 1;
        let inside = graph.scopes.len();
        let pose = draft.model.parent_from_model;
        let holder = graph.add(&draft.model.name, Kind::Holder(inside), scope, pose);
        graph.add_scope(holder, depth);
        graph.scopes[scope].models.push(inside);
        register(graph, inside, &draft.parts);
    }
}

/// Gives every node its parent and its attachment.
fn connect(cx: &mut Context<'_>, graph: &mut Graph, scope: ScopeId, parts: &Parts) {
    let holder = graph.scopes[scope].holder;
    for (index, draft) in parts.links.iter().enumerate() {
        let parent = looked_up(cx, graph, scope, draft.relative_to.as_ref());
        let node = graph.scopes[scope].first_link + index;
        graph.nodes[node].parent = parent.or(Some(holder));
        graph.nodes[node].place = place_of(draft.relative_to.as_ref());
    }
    for (index, draft) in parts.frames.iter().enumerate() {
        let attached = looked_up(cx, graph, scope, draft.attached_to.as_ref());
        let relative = looked_up(cx, graph, scope, draft.relative_to.as_ref());
        let node = graph.scopes[scope].first_frame + index;
        graph.nodes[node].attached_to = attached.filter(|&attached| attached != holder);
        graph.nodes[node].parent = relative.or(attached).or(Some(holder));
        let named = draft.relative_to.as_ref().or(draft.attached_to.as_ref());
        graph.nodes[node].place = place_of(named);
    }
    for (index, draft) in parts.joints.iter().enumerate() {
        connect_joint(cx, graph, scope, (index, draft));
    }
    for (index, draft) in parts.models.iter().enumerate() {
        let inside = graph.scopes[scope].models[index];
        let parent = looked_up(cx, graph, scope, draft.relative_to.as_ref());
        let node = graph.scopes[inside].holder;
        graph.nodes[node].parent = parent.or(Some(holder));
        graph.nodes[node].place = place_of(draft.relative_to.as_ref());
        graph.scopes[inside].canonical = canonical(cx, graph, inside, draft);
        connect(cx, graph, inside, &draft.parts);
    }
}

fn place_of(named: Option<&Named>) -> Option<Place> {
    named.map(|named| named.place.clone())
}

fn connect_joint(
    cx: &mut Context<'_>,
    graph: &mut Graph,
    scope: ScopeId,
    (index, draft): (usize, &JointDraft),
) {
    let holder = graph.scopes[scope].holder;
    let child = match draft.child.name.as_str() {
        WORLD_LINK => None,
        // An unknown child is reported when the joint is put together.
        name => graph.find(scope, name),
    };
    let relative = looked_up(cx, graph, scope, draft.relative_to.as_ref());
    let node = graph.scopes[scope].first_joint + index;
    graph.nodes[node].attached_to = child;
    graph.nodes[node].parent = relative.or(child).or(Some(holder));
    graph.nodes[node].place = place_of(draft.relative_to.as_ref().or(Some(&draft.child)));
}

fn canonical(
    cx: &mut Context<'_>,
    graph: &Graph,
    inside: ScopeId,
    draft: &ModelDraft,
) -> Option<NodeId> {
    let named = draft.canonical_link.as_ref()?;
    let found = looked_up(cx, graph, inside, Some(named))?;
    if graph.nodes[found].kind == Kind::Link {
        return Some(found);
    }
    let message = format!("the canonical link {:?} is not a link", named.name);
    cx.error("sdf-bad-canonical-link", named.place.clone(), message);
    None
}

/// Finds a named node, and reports the name when there is none.
pub(super) fn looked_up(
    cx: &mut Context<'_>,
    graph: &Graph,
    scope: ScopeId,
    named: Option<&Named>,
) -> Option<NodeId> {
    let named = named?;
    let found = graph.find(scope, &named.name);
    if found.is_none() {
        let message = format!("no frame {:?} in {}", named.name, scope_name(graph, scope));
        let error = Diagnostic::error("sdf-unknown-frame", message).at(named.place.clone());
        cx.diagnostics.push(error.help(suggestion(graph, scope, &named.name)));
    }
    found
}

/// Names a scope for a message.
pub(super) fn scope_name(graph: &Graph, scope: ScopeId) -> String {
    match scope {
        WORLD => "the world".to_owned(),
        _ => format!("model {:?}", graph.nodes[graph.scopes[scope].holder].name),
    }
}

/// Says what could be written instead of an unknown name.
pub(super) fn suggestion(graph: &Graph, scope: ScopeId, name: &str) -> String {
    match nearest(name, graph.known_names(scope)) {
        Some(similar) => format!("Did you mean {similar:?}?"),
        None => "Name a link, joint, frame or model beside it".to_owned(),
    }
}

/// How far a walk along the parents has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    OnPath,
    Done,
}

/// Reports each cycle of parents and breaks it at its outermost node.
fn break_cycles(cx: &mut Context<'_>, graph: &mut Graph) {
    let mut marks = vec![Mark::New; graph.nodes.len()];
    let mut path = Vec::new();
    for start in 0..graph.nodes.len() {
        let mut at = Some(start);
        while let Some(node) = at.filter(|&node| marks[node] == Mark::New) {
            marks[node] = Mark::OnPath;
            path.push(node);
            at = graph.nodes[node].parent;
        }
        if let Some(node) = at.filter(|&node| marks[node] == Mark::OnPath) {
            let from = path.iter().position(|&other| other == node).unwrap_or(0);
            break_cycle(cx, graph, &path[from..]);
        }
        for node in path.drain(..) {
            marks[node] = Mark::Done;
        }
    }
}

fn break_cycle(cx: &mut Context<'_>, graph: &mut Graph, cycle: &[NodeId]) {
    let depth = |node: NodeId| graph.scopes[graph.nodes[node].scope].depth;
    // The holder of the outermost scope lies outside of the cycle, so hanging the node there ends
    // it.
    let Some(&outermost) = cycle.iter().min_by_key(|&&node| depth(node)) else { return };
    let scope = graph.nodes[outermost].scope;
    let shown = cycle.iter().chain(cycle.first()).take(12);
    let names: Vec<String> = shown.map(|&node| graph.path_from(scope, node)).collect();
    let message = format!("poses go round in a circle: {}", names.join(" → "));
    let mut error = Diagnostic::error("sdf-frame-cycle", message);
    error.place = cycle.iter().find_map(|&node| graph.nodes[node].place.clone());
    cx.diagnostics.push(error.help("Make one of them relative to something else"));
    graph.nodes[outermost].parent = Some(graph.scopes[scope].holder);
}

/// Moves each model so that its placement frame, not its own, has the written pose.
///
/// Nested models come first, because the frame may lie in one of them.
fn place_models(cx: &mut Context<'_>, graph: &mut Graph, scope: ScopeId, parts: &Parts) {
    for (index, draft) in parts.models.iter().enumerate() {
        let inside = graph.scopes[scope].models[index];
        place_models(cx, graph, inside, &draft.parts);
        let named = draft.placement_frame.as_ref();
        let Some(frame) = looked_up(cx, graph, inside, named) else { continue };
        let holder = graph.scopes[inside].holder;
        let model_from_frame = climbed(graph, holder, frame);
        let parent_from_frame = graph.nodes[holder].parent_from_node;
        graph.nodes[holder].parent_from_node =
            unit_pose(parent_from_frame * model_from_frame.inverse());
    }
}

/// Multiplies poses from `node` up to `top`, which is above it.
fn climbed(graph: &Graph, top: NodeId, node: NodeId) -> Pose {
    let mut pose = Pose::IDENTITY;
    let mut at = node;
    while at != top {
        pose = graph.nodes[at].parent_from_node * pose;
        match graph.nodes[at].parent {
            Some(parent) => at = parent,
            None => break,
        }
    }
    pose
}

/// Finds the pose of every node in the world.
fn walk(graph: &mut Graph) {
    let mut known = vec![false; graph.nodes.len()];
    let mut path = Vec::new();
    for start in 0..graph.nodes.len() {
        let mut at = Some(start);
        while let Some(node) = at.filter(|&node| !known[node]) {
            path.push(node);
            at = graph.nodes[node].parent;
        }
        while let Some(node) = path.pop() {
            let outer = graph.nodes[node].parent;
            let world_from_parent =
                outer.map_or(Pose::IDENTITY, |outer| graph.nodes[outer].world_from_node);
            let node_pose = graph.nodes[node].parent_from_node;
            graph.nodes[node].world_from_node = world_from_parent * node_pose;
            known[node] = true;
        }
    }
}
