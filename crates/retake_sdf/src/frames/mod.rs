//! Frames: from names to poses.
//!
//! All links, joints, frames and models of a world become nodes of one graph. Each node has one
//! parent (what its pose is written relative to) and one attachment (what it moves with). Names
//! are looked up in the scope of the model or world that holds them, and down into nested models
//! by `a::b`. Nothing here recurses along the graph, so that neither a cycle nor a long chain can
//! exhaust the stack.

mod assemble;
mod attach;
mod connect;
mod freedoms;
mod graph;

pub(crate) use connect::pose_in_model;
use retake_description::{Light, Model, World};

use crate::sdf::{Context, Drafted, ModelDraft, Parts, WorldDraft};

/// Turns the draft of a world into its description.
pub(crate) fn resolve_world(cx: &mut Context<'_>, draft: WorldDraft) -> World {
    let WorldDraft { world, lights, parts } = draft;
    let graph = connect::connected(cx, &parts);
    assemble::world(cx, &graph, world, lights, parts)
}

/// Turns the draft of a model that no world holds into its description.
pub(crate) fn resolve_model(cx: &mut Context<'_>, draft: ModelDraft) -> Option<Model> {
    let parts = Parts { models: vec![draft], ..Parts::default() };
    let world = WorldDraft { world: World::default(), lights: Vec::new(), parts };
    resolve_world(cx, world).models.pop()
}

/// Turns the draft of a light that no world holds into its description.
pub(crate) fn resolve_light(cx: &mut Context<'_>, draft: Drafted<Light>) -> Option<Light> {
    let parts = Parts::default();
    let world = WorldDraft { world: World::default(), lights: vec![draft], parts };
    resolve_world(cx, world).lights.pop()
}
