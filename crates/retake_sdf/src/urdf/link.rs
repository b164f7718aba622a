//! `<link>` and `<material>` of a URDF file.
//!
//! As libsdformat does, a link whose parts cannot all be read keeps those before the first that
//! cannot: the inertial comes first, then the visuals, then the collisions.

use std::borrow::Cow;
use std::collections::BTreeMap;

use retake_diag::Diagnostic;
use retake_math::{Mat3, Vec3};

use super::mass::Mass;
use super::robot::{Link, Shape};
use super::value::{Fault, number, optional_vec3, origin, vec3_in, written, written_short};
use crate::sdf::Context;
use crate::xml::{NewElement, Node};

/// Longest name of a shape, in characters.
const MAX_NAME: usize = 256;

/// Colours by the names of their materials.
#[derive(Default)]
pub(super) struct Materials<'d> {
    colors: BTreeMap<&'d str, [f32; 4]>,
}

impl<'d> Materials<'d> {
    /// Notes a material of the robot; false when its name is taken.
    pub(super) fn declare(&mut self, cx: &mut Context<'_>, node: Node<'d>) -> bool {
        let name = node.attribute("name").unwrap_or_default();
        let color = look(cx, node).unwrap_or(BLACK);
        if self.colors.insert(name, color).is_none() {
            return true;
        }
        let message = format!("there are two materials called {name:?}");
        cx.error("urdf-duplicate-name", node.place(), message);
        false
    }

    /// Returns the colour of a visual's material; its first definition counts.
    fn color(&mut self, cx: &mut Context<'_>, node: Node<'d>, name: &'d str) -> Option<[f32; 4]> {
        let own = look(cx, node);
        if name.is_empty() {
            return own;
        }
        let color = self.colors.get(name).copied().or(own);
        match color {
            Some(color) => {
                self.colors.insert(name, color);
            }
            None => {
                let message = format!("there is no material {name:?}; the default is used");
                cx.warning("urdf-unknown-material", node.place(), message);
            }
        }
        color
    }
}

/// The colour of a material that gives none that can be read.
const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];

/// Reads colour and texture of a material; none when it has neither.
fn look(cx: &mut Context<'_>, node: Node<'_>) -> Option<[f32; 4]> {
    let texture = node.child("texture").filter(|child| child.attribute("filename").is_some());
    if let Some(texture) = texture
        && cx.first_time("urdf-texture".to_owned())
    {
        let message = "textures of URDF files are not used, as in libsdformat";
        let warning = Diagnostic::warning("urdf-texture", message).at(texture.place());
        cx.diagnostics.push(warning.help("Give the visual a <material> in a <gazebo> element"));
    }
    let rgba = node.child("color").and_then(|child| Some((child, child.attribute("rgba")?)));
    let color = rgba.and_then(|(child, text)| {
        let color = color_in(text);
        if color.is_none() {
            let message = format!("rgba={text:?} is not four numbers from 0 to 1");
            cx.warning("urdf-bad-color", child.place(), message);
        }
        color
    });
    color.or(texture.map(|_| BLACK))
}

fn color_in(text: &str) -> Option<[f32; 4]> {
    let words: Vec<f64> =
        text.split_whitespace().map(super::value::number_in).collect::<Option<_>>()?;
    if !words.iter().all(|word| (0.0..=1.0).contains(word)) {
        return None;
    }
    // Another count of numbers is black to libsdformat.
    let exact: Result<[f64; 4], _> = words.try_into();
    Some(exact.map_or(BLACK, |color| color.map(|channel| channel as f32)))
}

/// Reads a link.
pub(super) fn link<'d>(
    cx: &mut Context<'_>,
    node: Node<'d>,
    name: &'d str,
    materials: &mut Materials<'d>,
) -> Link<'d> {
    let mut link = Link {
        node,
        name,
        mass: None,
        visuals: Vec::new(),
        collisions: Vec::new(),
        joint: None,
        children: Vec::new(),
    };
    if let Err(fault) = parts(cx, &mut link, materials) {
        let message =
            format!("{}; it and what follows in link {name:?} is left out", fault.message);
        cx.warning("urdf-bad-link", fault.place, message);
    }
    link
}

fn parts<'d>(
    cx: &mut Context<'_>,
    link: &mut Link<'d>,
    materials: &mut Materials<'d>,
) -> Result<(), Fault> {
    if let Some(node) = link.node.child("inertial") {
        // What was read before a fault counts: with a mass, the link is there.
        let mass = link.mass.insert(Mass::none(node.offset()));
        read_mass(node, mass)?;
    }
    for node in link.node.children().filter(|child| child.name() == "visual") {
        let mut visual = shape(node)?;
        if let Some(material) = node.child("material") {
            let Some(name) = material.attribute("name") else {
                return Err(Fault::at(material, "<material> has no name"));
            };
            visual.color = materials.color(cx, material, name);
        }
        link.visuals.push(visual);
    }
    for node in link.node.children().filter(|child| child.name() == "collision") {
        link.collisions.push(shape(node)?);
    }
    Ok(())
}

fn read_mass(node: Node<'_>, mass: &mut Mass) -> Result<(), Fault> {
    let needed = |name: &str| {
        let child = node.child(name);
        child.ok_or_else(|| Fault::at(node, format!("<inertial> has no <{name}>")))
    };
    mass.origin = origin(node)?;
    mass.kg = number(needed("mass")?, "value")?;
    let matrix = needed("inertia")?;
    let [xx, xy, xz] = [number(matrix, "ixx")?, number(matrix, "ixy")?, number(matrix, "ixz")?];
    let [yy, yz, zz] = [number(matrix, "iyy")?, number(matrix, "iyz")?, number(matrix, "izz")?];
    let column = Vec3::new;
    mass.inertia = Mat3::from_cols(column(xx, xy, xz), column(xy, yy, yz), column(xz, yz, zz));
    Ok(())
}

fn shape(node: Node<'_>) -> Result<Shape<'_>, Fault> {
    let link_from_shape = origin(node)?;
    let Some(geometry) = node.child("geometry") else {
        return Err(Fault::at(node, format!("<{}> has no <geometry>", node.name())));
    };
    let Some(solid) = geometry.children().next() else {
        return Err(Fault::at(geometry, "<geometry> is empty"));
    };
    let name = node.attribute("name").unwrap_or_default();
    if name.chars().nth(MAX_NAME).is_some() {
        let message = format!("the name of <{}> has more than {MAX_NAME} characters", node.name());
        return Err(Fault::at(node, message));
    }
    let mut told = NewElement::new("geometry", geometry.offset());
    told.children.push(solid_as_sdf(solid)?);
    Ok(Shape {
        offset: node.offset(),
        name: Cow::Borrowed(name),
        link_from_shape,
        geometry: told,
        color: None,
    })
}

fn solid_as_sdf(node: Node<'_>) -> Result<NewElement<'_>, Fault> {
    let mut told = NewElement::new(node.name(), node.offset());
    let mut put = |name: &'static str, text: String| told.set(name, text, node.offset());
    match node.name() {
        "box" => {
            let size = optional_vec3(node, "size")?;
            let size = size.ok_or_else(|| Fault::at(node, "<box> has no size"))?;
            put("size", written(size.to_array()));
        }
        "sphere" => put("radius", written([number(node, "radius")?])),
        "cylinder" | "capsule" => {
            put("length", written([number(node, "length")?]));
            put("radius", written([number(node, "radius")?]));
        }
        "mesh" => {
            let Some(file) = node.attribute("filename") else {
                return Err(Fault::at(node, "<mesh> has no filename"));
            };
            let scale = match node.attribute("scale") {
                Some(text) => vec3_in(text)
                    .ok_or_else(|| Fault::at(node, "the scale of <mesh> is not three numbers"))?,
                None => Vec3::ONE,
            };
            put("scale", written_short(scale.to_array()));
            put("uri", file.replacen("package://", "model://", 1));
        }
        other => {
            let known = "box, sphere, cylinder, capsule, mesh";
            return Err(Fault::at(node, format!("URDF has no shape <{other}>. Known: {known}")));
        }
    }
    Ok(told)
}
