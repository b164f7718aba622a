//! `<inertial>` of a link, written or computed from its shapes.

use std::f64::consts::PI;

use retake_description::{Collision, Geometry, bounds};
use retake_math::{Inertial, Pose, Vec3};

use super::context::Context;
use super::draft::Named;
use super::surface_solid;
use crate::xml::Node;

/// Density of water, SDF's default, in kg/m³.
const DEFAULT_DENSITY: f64 = 1000.0;

/// A link's mass properties and the frame of their pose.
pub(super) struct InertialDraft {
    pub(super) inertial: Inertial,
    pub(super) relative_to: Option<Named>,
    /// Whether it was computed from the shapes, as their poses are written.
    pub(super) computed: bool,
}

/// Reads the mass properties of a link whose shapes, with the density of each, are `shapes`.
pub(super) fn inertial(
    cx: &mut Context<'_>,
    link: Node<'_>,
    shapes: &[(Collision, Option<f64>)],
) -> InertialDraft {
    let Some(node) = link.take("inertial") else {
        return InertialDraft { inertial: Inertial::default(), relative_to: None, computed: false };
    };
    let (link_from_com, relative_to) = cx.pose(node);
    if cx.flag_attribute(node, "auto", false) {
        let density = cx.number_in(node, "density", DEFAULT_DENSITY, &bounds::DENSITY);
        // The written mass and matrix give way to the computed ones.
        let _ = (cx.number(node, "mass", 1.0), node.take("inertia").map(|n| matrix(cx, n)));
        let inertial = computed(cx, node, shapes, density);
        return InertialDraft { inertial, relative_to: None, computed: true };
    }
    let mass_kg = cx.number_in(node, "mass", 1.0, &bounds::MASS_KG);
    let (moments, products) =
        node.take("inertia").map_or((Vec3::ONE, Vec3::ZERO), |n| matrix(cx, n));
    let inertial = Inertial { mass_kg, link_from_com, moments, products };
    let inertial = possible(cx, node, inertial);
    InertialDraft { inertial, relative_to, computed: false }
}

/// Says whether mass and moments are such that they can be simulated.
fn is_usable(inertial: &Inertial) -> bool {
    let moments = inertial.moments.to_array();
    bounds::MASS_KG.contains(inertial.mass_kg)
        && moments.iter().all(|&moment| bounds::MOMENT.contains(moment))
}

/// Reports moments that no body has; without products of inertia that nothing can turn with.
fn possible(cx: &mut Context<'_>, node: Node<'_>, inertial: Inertial) -> Inertial {
    if bounds::inertial_fault(&inertial).is_some() {
        let message = "no body has these products of inertia: the matrix is not positive definite; \
                       they are left out";
        cx.error("sdf-bad-inertia", node.place(), message);
        return Inertial { products: Vec3::ZERO, ..inertial };
    }
    // The largest moment is at most the sum of the other two.
    if !inertial.is_realizable() {
        let message = "no real body has these moments of inertia: one is more than the other two";
        cx.error("sdf-bad-inertia", node.place(), message);
    }
    inertial
}

fn matrix(cx: &mut Context<'_>, node: Node<'_>) -> (Vec3, Vec3) {
    let mut moment = |name| cx.number_in(node, name, 1.0, &bounds::MOMENT);
    let moments = Vec3::new(moment("ixx"), moment("iyy"), moment("izz"));
    let mut product = |name| cx.number_in(node, name, 0.0, &bounds::PRODUCT);
    (moments, Vec3::new(product("ixy"), product("ixz"), product("iyz")))
}

/// Sums up the mass properties of all shapes.
fn computed(
    cx: &mut Context<'_>,
    node: Node<'_>,
    shapes: &[(Collision, Option<f64>)],
    density: f64,
) -> Inertial {
    let mut total: Option<Inertial> = None;
    for (collision, own_density) in shapes {
        let unit = match of_unit_density(&collision.geometry) {
            Ok((unit, doubt)) => {
                if let Some(doubt) = doubt {
                    let message = format!("the mass of {:?} is a guess: {doubt}", collision.name);
                    cx.warning("sdf-auto-inertia", node.place(), message);
                }
                unit
            }
            Err(reason) => {
                let message = format!("the mass of {:?} is not computed: {reason}", collision.name);
                cx.warning("sdf-auto-inertia", node.place(), message);
                continue;
            }
        };
        let density = own_density.unwrap_or(density);
        let part = Inertial {
            mass_kg: unit.mass_kg * density,
            moments: unit.moments * density,
            products: unit.products * density,
            ..unit
        };
        let part = part.moved(collision.link_from_collision);
        total = Some(total.map_or(part, |sum| sum.combined(&part)));
    }
    let usable = total.filter(is_usable);
    usable.unwrap_or_else(|| {
        let message = "the shapes give the link no mass that can be used; it has one kilogram now";
        cx.warning("sdf-auto-inertia", node.place(), message);
        Inertial::default()
    })
}

/// Returns the mass properties of a solid with a density of one, and what makes them doubtful; or
/// why it has none.
fn of_unit_density(geometry: &Geometry) -> Result<(Inertial, Option<String>), String> {
    let (mass_kg, moments) = match *geometry {
        Geometry::Box { size } => {
            let m = size.element_product();
            let s = size * size;
            (m, Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (m / 12.0))
        }
        Geometry::Sphere { radius } => ellipsoid(Vec3::splat(radius)),
        Geometry::Ellipsoid { radii } => ellipsoid(radii),
        Geometry::Cylinder { radius, length } => cylinder(radius, length),
        Geometry::Capsule { radius, length } => capsule(radius, length),
        Geometry::Cone { radius, length } => return Ok((cone(radius, length), None)),
        ref other => return surface_solid::of_unit_density(other),
    };
    Ok((Inertial { mass_kg, moments, ..Inertial::default() }, None))
}

fn ellipsoid(radii: Vec3) -> (f64, Vec3) {
    let m = 4.0 / 3.0 * PI * radii.element_product();
    let s = radii * radii;
    (m, Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y) * (m / 5.0))
}

fn cylinder(radius: f64, length: f64) -> (f64, Vec3) {
    let m = PI * radius * radius * length;
    let across = m * (3.0 * radius * radius + length * length) / 12.0;
    (m, Vec3::new(across, across, m * radius * radius / 2.0))
}

fn capsule(radius: f64, length: f64) -> (f64, Vec3) {
    let (tube_mass, tube) = cylinder(radius, length);
    let (ball_mass, ball) = ellipsoid(Vec3::splat(radius));
    // Each half ball has its centre of mass 3/8 of the radius beyond the end of the tube.
    let shift = length * length / 4.0 + 3.0 / 8.0 * length * radius;
    let across = tube.x + ball.x + ball_mass * shift;
    (tube_mass + ball_mass, Vec3::new(across, across, tube.z + ball.z))
}

/// The centre of mass of a cone is a quarter of its height above the base.
fn cone(radius: f64, length: f64) -> Inertial {
    let m = PI * radius * radius * length / 3.0;
    let across = m * (3.0 / 20.0 * radius * radius + 3.0 / 80.0 * length * length);
    Inertial {
        mass_kg: m,
        link_from_com: Pose::from_position(Vec3::new(0.0, 0.0, -length / 4.0)),
        moments: Vec3::new(across, across, 0.3 * m * radius * radius),
        products: Vec3::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() <= 1e-12 * b.abs().max(1.0)
    }

    #[test]
    fn solids_weigh_what_the_book_says() {
        let (cube, _) = of_unit_density(&Geometry::Box { size: Vec3::splat(2.0) }).unwrap();
        assert!(close(cube.mass_kg, 8.0) && close(cube.moments.x, 8.0 * 8.0 / 12.0));
        let (ball, _) = of_unit_density(&Geometry::Sphere { radius: 2.0 }).unwrap();
        assert!(close(ball.moments.z, 0.4 * ball.mass_kg * 4.0));
    }

    #[test]
    fn a_capsule_without_length_is_a_ball_and_a_long_one_like_two_halves() {
        let (mass, moments) = capsule(0.5, 0.0);
        let (ball_mass, ball) = ellipsoid(Vec3::splat(0.5));
        assert!(close(mass, ball_mass) && close(moments.x, ball.x));
        // Parallel-axis by hand: half balls at 3/8 r, each with 83/320 m r² about its own centre.
        let (r, l) = (0.3, 2.0);
        let (tube_mass, tube) = cylinder(r, l);
        let half = 2.0 / 3.0 * PI * r * r * r;
        let d = l / 2.0 + 3.0 / 8.0 * r;
        let expected = tube.x + 2.0 * half * (83.0 / 320.0 * r * r + d * d);
        let (mass, moments) = capsule(r, l);
        assert!(close(mass, tube_mass + 2.0 * half) && close(moments.x, expected));
    }
}
