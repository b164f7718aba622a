//! Visuals and collisions, and which extensions are theirs.

use super::super::extension::Extension;
use super::super::robot::Shape;
use super::super::setting::Target;
use super::super::value::{urdf_rpy, written, written_pose};
use super::{Emitter, put_settings};
use crate::xml::NewElement;

/// Stands in a shape's name between its link and the one that it was lumped from.
const LUMPED: &str = "_fixed_joint_lump__";
/// Where the materials lie that `<material>` of a `<gazebo>` element names.
const MATERIALS_URI: &str = "file://media/materials/scripts/gazebo.material";

/// Visual or collision.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ShapeKind {
    Visual,
    Collision,
}

impl ShapeKind {
    fn tag(self) -> &'static str {
        match self {
            Self::Visual => "visual",
            Self::Collision => "collision",
        }
    }
}

/// Writes the shape at `index` of a link.
pub(super) fn shape<'d>(
    emitter: &mut Emitter<'_, 'd>,
    (link, kind): (&'d str, ShapeKind),
    (index, shape): (usize, &Shape<'d>),
) -> NewElement<'d> {
    let name = name(link, kind, index, shape);
    let mut told = NewElement::new(kind.tag(), shape.offset);
    let pose = shape.link_from_shape;
    told.set("pose", written_pose(pose.position, urdf_rpy(pose.rotation)), shape.offset);
    told.children.push(shape.geometry.clone());
    let extensions = emitter.extensions;
    for extension in extensions.of_reference(link) {
        // Looking through what is there is work as well.
        if !emitter.spend(1 + name.len() / 64 + told.children.len()) {
            break;
        }
        if is_for(extension, link, kind, &name) {
            extend(emitter, &mut told, extension, kind);
        }
    }
    if let Some(color) = shape.color {
        paint(&mut told, color, shape.offset);
    }
    told.with("name", name)
}

/// Returns the name that SDF gives a shape.
fn name(link: &str, kind: ShapeKind, index: usize, shape: &Shape<'_>) -> String {
    let own = if shape.name.is_empty() { link } else { &shape.name };
    let number = if index == 0 { String::new() } else { format!("_{index}") };
    let name = format!("{own}_{}{number}", kind.tag());
    // Also a name that only starts like the link's counts as the link's own.
    if name.starts_with(link) { name } else { format!("{link}{LUMPED}{name}") }
}

/// Says whether an extension is for the shape called `name`: both of the link itself, or lumped
/// from the same one.
fn is_for(extension: &Extension<'_>, link: &str, kind: ShapeKind, name: &str) -> bool {
    if extension.reference == link {
        return !name.contains(LUMPED);
    }
    let lumped = format!("{LUMPED}{}_{}", extension.reference, kind.tag());
    name.contains(&lumped)
}

fn extend<'d>(
    emitter: &mut Emitter<'_, 'd>,
    told: &mut NewElement<'d>,
    extension: &Extension<'d>,
    kind: ShapeKind,
) {
    let (copies, whole, target) = match kind {
        ShapeKind::Collision => (&extension.collision, "surface", Target::Collision),
        ShapeKind::Visual => (&extension.visual, "material", Target::Visual),
    };
    for &node in copies {
        // Of what a shape has once, the last one counts.
        if node.name() == whole {
            told.remove(whole);
        }
        told.children.extend(emitter.copied(node));
    }
    put_settings(told, extension, target);
    let names_material = extension.settings.iter().any(|setting| setting.target == Target::Visual);
    if kind == ShapeKind::Visual && names_material {
        let offset = told.offset;
        let script = told.child_or_new("material", offset).child_or_new("script", offset);
        script.set("uri", MATERIALS_URI, offset);
    }
}

/// Gives a visual its colour, unless an extension did.
fn paint(told: &mut NewElement<'_>, color: [f32; 4], offset: usize) {
    let material = told.child_or_new("material", offset);
    if material.child("diffuse").is_some() || material.child("ambient").is_some() {
        return;
    }
    let [red, green, blue, alpha] = color.map(f64::from);
    let lit = |light: f64| {
        let channel = |value: f64| (value * light).clamp(0.0, 1.0);
        written([channel(red), channel(green), channel(blue), alpha])
    };
    // Gazebo's light is 0.8 of diffuse and 0.4 of ambient light, which counts half.
    material.set("diffuse", lit(1.0 / 0.8), offset);
    material.set("ambient", lit(0.5 / 0.4), offset);
}
