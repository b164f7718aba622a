//! `<model>`, `<frame>` and what a model and a world share.

use retake_description::{Frame, Light, Model, Plugin};
use retake_diag::Diagnostic;

use super::actor::actor;
use super::context::Context;
use super::draft::{Drafted, FrameDraft, ModelDraft, Parts};
use super::include::{Included, include};
use super::joint::joint;
use super::leftovers::leftovers;
use super::link::link;
use super::names::Names;
use super::plugin::plugins;
use super::value::named_attribute;
use crate::xml::Node;

/// Most models inside one another, over all included files.
const MAX_MODEL_DEPTH: usize = retake_description::bounds::MODEL_DEPTH;

/// Reads a model; none when it is nested too deep or its name cannot be used.
pub(crate) fn model(cx: &mut Context<'_>, node: Node<'_>) -> Option<ModelDraft> {
    if cx.model_depth >= MAX_MODEL_DEPTH {
        let message = format!("models are nested deeper than {MAX_MODEL_DEPTH}");
        cx.error("sdf-too-deep", node.place(), message);
        return None;
    }
    cx.model_depth += 1;
    let draft = model_inside(cx, node);
    cx.model_depth -= 1;
    draft
}

fn model_inside(cx: &mut Context<'_>, node: Node<'_>) -> Option<ModelDraft> {
    let name = cx.name_of(node)?;
    let (parent_from_model, relative_to) = cx.pose(node);
    let mut names = Names::default();
    let mut parts = Parts::default();
    // Most models have one link; growing by doubling would make room for four.
    parts.links.reserve_exact(node.count("link"));
    for child in node.take_things("link") {
        let name = cx.name_of(child).filter(|name| names.claim(cx, name, child));
        parts.links.extend(name.map(|name| link(cx, child, name)));
    }
    let brought = scope(cx, node, &mut names, &mut parts);
    let canonical_link = named_attribute(node, "canonical_link");
    let model = Model {
        name,
        parent_from_model,
        is_static: cx.flag(node, "static", false),
        self_collide: cx.flag(node, "self_collide", false),
        allow_auto_disable: cx.flag(node, "allow_auto_disable", true),
        enable_wind: cx.flag(node, "enable_wind", false),
        canonical_link: canonical_link.as_ref().map(|named| named.name.clone()),
        plugins: plugins(cx, node).into_iter().chain(brought_plugins(brought)).collect(),
        extras: leftovers(cx, node),
        ..Model::default()
    };
    Some(ModelDraft {
        model,
        relative_to,
        placement_frame: named_attribute(node, "placement_frame"),
        canonical_link,
        place: node.place(),
        parts,
    })
}

/// What an include brings beside parts.
pub(super) enum Brought {
    Light(Box<Drafted<Light>>),
    Plugin(Plugin),
}

/// Reads what a model and a world share: nested models, includes, frames and joints.
///
/// Returns what includes brought beyond that.
pub(super) fn scope<'d>(
    cx: &mut Context<'_>,
    node: Node<'d>,
    names: &mut Names<'d>,
    parts: &mut Parts,
) -> Vec<Brought> {
    let mut others = Vec::new();
    parts.models.reserve_exact(node.count("model"));
    let is_thing = |child: &Node<'_>| match child.name() {
        "model" | "include" => true,
        "actor" => node.name() == "world",
        _ => false,
    };
    for child in node.children().filter(is_thing) {
        child.mark(crate::xml::Use::Thing);
        let read = match child.name() {
            "actor" => actor(cx, child).map(|draft| Included::Model(Box::new(draft))),
            "model" => model(cx, child).map(|draft| Included::Model(Box::new(draft))),
            _ => include(cx, child),
        };
        match read {
            Some(Included::Model(draft)) if names.claim(cx, &draft.model.name, child) => {
                parts.models.push(*draft);
            }
            Some(Included::Parts(merged, _)) if node.name() == "world" => {
                let message = format!(
                    "a model cannot be merged into a world; {} parts are left out",
                    merged.count()
                );
                cx.error("sdf-merge-include", child.place(), message);
            }
            Some(Included::Parts(merged, plugins)) => {
                parts.merge(cx, *merged, (names, child));
                others.extend(plugins.into_iter().map(Brought::Plugin));
            }
            Some(Included::Light(light)) => others.push(Brought::Light(light)),
            Some(Included::Model(_)) | None => {}
        }
    }
    for child in node.take_things("frame") {
        let Some(name) = cx.name_of(child) else { continue };
        let name = renamed_if_old(cx, names, child, name);
        if names.claim(cx, &name, child) {
            parts.frames.push(frame(cx, child, name));
        }
    }
    let mut joint_names = Names::default();
    for child in node.take_things("joint") {
        let name = cx.name_of(child).filter(|name| joint_names.claim(cx, name, child));
        let Some(name) = name else { continue };
        let name = renamed_if_old(cx, names, child, name);
        if names.claim(cx, &name, child) {
            parts.joints.extend(joint(cx, child, name));
        }
    }
    others
}

/// Picks the plugins of merged models.
fn brought_plugins(brought: Vec<Brought>) -> impl Iterator<Item = Plugin> {
    brought.into_iter().filter_map(|brought| match brought {
        Brought::Plugin(plugin) => Some(plugin),
        Brought::Light(_) => None,
    })
}

/// Before SDF 1.7 a joint or frame could share the name of a link; as libsdformat does, it gets
/// the name of its kind added.
fn renamed_if_old(cx: &mut Context<'_>, names: &Names<'_>, node: Node<'_>, name: String) -> String {
    if cx.version >= (1, 7) || !names.contains(&name) {
        return name;
    }
    let new = format!("{name}_{}", node.name());
    let message = format!("the name {name:?} is in use; the {} is now {new:?}", node.name());
    let warning = Diagnostic::warning("sdf-renamed", message).at(node.place());
    cx.diagnostics.push(warning);
    new
}

/// Reads a frame of a model or world.
pub(crate) fn frame(cx: &mut Context<'_>, node: Node<'_>, name: String) -> FrameDraft {
    let (attached_from_frame, relative_to) = cx.pose(node);
    let extras = leftovers(cx, node);
    FrameDraft {
        frame: Frame { name, attached_from_frame, extras, ..Frame::default() },
        relative_to,
        attached_to: named_attribute(node, "attached_to"),
        place: node.place(),
    }
}
