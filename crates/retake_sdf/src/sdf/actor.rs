//! `<actor>`: a person or an animal that Gazebo animates.
//!
//! Here it is a model that stands still where its first waypoint is, and that remembers its
//! element for writing back.

use retake_description::{Element, Geometry, Link, MeshUse, Model, Visual};
use retake_diag::Diagnostic;
use retake_math::{Pose, Vec3};

use super::context::Context;
use super::draft::{LinkDraft, ModelDraft, Parts};
use super::geometry::located;
use super::leftovers::element;
use super::link::link;
use super::names::Names;
use crate::xml::{Node, Use};

/// Name of the link and of the visual that show the skin.
const SKIN: &str = "skin";

/// Reads an actor; none when its name cannot be used.
pub(crate) fn actor(cx: &mut Context<'_>, node: Node<'_>) -> Option<ModelDraft> {
    let name = cx.name_of(node)?;
    let message =
        format!("actor {name:?} stands still: its animation and script are kept, not played");
    let warning = Diagnostic::warning("sdf-actor", message).at(node.place());
    cx.diagnostics.push(warning);
    let (parent_from_model, relative_to) = cx.pose(node);
    let mut parts = Parts::default();
    let mut names = Names::default();
    for child in node.take_things("link") {
        let name = cx.name_of(child).filter(|name| names.claim(cx, name, child));
        parts.links.extend(name.map(|name| link(cx, child, name)));
    }
    let skin = skin(cx, node);
    let uri = skin.as_ref().map(|(uri, _)| uri.as_str());
    let kept = kept(node, uri);
    if !names.contains(SKIN) {
        parts.links.extend(skin.map(|(_, link)| link));
    }
    let model =
        Model { name, parent_from_model, is_static: true, actor: Some(kept), ..Model::default() };
    node.mark(Use::Thing);
    Some(ModelDraft {
        model,
        relative_to,
        placement_frame: None,
        canonical_link: None,
        place: node.place(),
        parts,
    })
}

/// Copies the element without name and pose, which the model has, and with the address of the
/// skin as it holds outside of the file too.
fn kept(actor: Node<'_>, uri: Option<&str>) -> Element {
    let mut kept = element(actor);
    kept.attributes.retain(|(name, _)| name != "name");
    kept.children.retain(|child| child.name != "pose");
    let mut skins = kept.children.iter_mut().filter(|child| child.name == "skin");
    let inside = skins.next().map(|skin| &mut skin.children);
    let file = inside.and_then(|all| all.iter_mut().find(|child| child.name == "filename"));
    if let (Some(file), Some(uri)) = (file, uri) {
        uri.clone_into(&mut file.text);
    }
    kept
}

/// Makes a link that shows the skin; returns the address of the skin with it.
fn skin(cx: &mut Context<'_>, actor: Node<'_>) -> Option<(String, LinkDraft)> {
    let skin = actor.take("skin")?;
    let file = skin.take("filename")?;
    let (uri, path) = located(cx, file);
    let geometry = Geometry::Mesh {
        uri: uri.clone(),
        path,
        scale: Vec3::splat(cx.number(skin, "scale", 1.0)),
        submesh: None,
        center_submesh: false,
        collide_as: MeshUse::Triangles,
    };
    let visual = Visual {
        name: SKIN.to_owned(),
        link_from_visual: Pose::IDENTITY,
        geometry,
        material: None,
        transparency: 0.0,
        cast_shadows: true,
        extras: Vec::new(),
    };
    let link = Link {
        name: SKIN.to_owned(),
        model_from_link: first_waypoint(cx, actor),
        visuals: vec![visual],
        ..Link::default()
    };
    Some((uri, LinkDraft { link, relative_to: None, inner: Vec::new() }))
}

/// Returns where the script has the actor at its start.
fn first_waypoint(cx: &mut Context<'_>, actor: Node<'_>) -> Pose {
    let script = actor.children().find(|child| child.name() == "script");
    let trajectory = script.and_then(|node| node.children().find(|n| n.name() == "trajectory"));
    let waypoint = trajectory.and_then(|node| node.children().find(|n| n.name() == "waypoint"));
    waypoint.map_or(Pose::IDENTITY, |waypoint| cx.pose(waypoint).0)
}
