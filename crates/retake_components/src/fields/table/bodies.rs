//! Links and shapes.

use retake_description::Geometry;
use retake_description::bounds::{self, Bound};
use retake_ecm::Component;

use super::{ANY, NOT_NEGATIVE};
use crate::fields::{EditableComponent, Field, FieldShape};
use crate::{Inertia, Kind, LinkProperties, Shape, ShapeSurface};

pub(super) const LINK: EditableComponent = EditableComponent {
    name: LinkProperties::NAME,
    kinds: &[Kind::Link],
    fields: &[
        Field::flag("gravity", "Gravity").help("Whether gravity pulls it"),
        Field::flag("kinematic", "Kinematic").help("Whether it moves only by command"),
        Field::flag("self_collide", "Self-collide")
            .help("Whether it collides with other links of its model"),
        Field::number("velocity_decay.linear", "Linear velocity decay", bounds::DECAY)
            .unit("1/s")
            .help("Share of its linear velocity that it loses per second"),
        Field::number("velocity_decay.angular", "Angular velocity decay", bounds::DECAY)
            .unit("1/s")
            .help("Share of its angular velocity that it loses per second"),
    ],
};

pub(super) const INERTIAL: EditableComponent = EditableComponent {
    name: Inertia::NAME,
    kinds: &[Kind::Link],
    fields: &[
        Field::number("mass_kg", "Mass", bounds::MASS_KG).unit("kg").help("Mass"),
        Field::new("link_from_com", "Centre of mass", FieldShape::Pose)
            .unit("m")
            .help("Centre of mass in the link, and the axes of the moments"),
        Field::vector("moments", "Moments of inertia", bounds::MOMENT)
            .unit("kg m²")
            .help("ixx, iyy and izz about the centre of mass"),
        Field::vector("products", "Products of inertia", bounds::PRODUCT)
            .unit("kg m²")
            .help("ixy, ixz and iyz about the centre of mass"),
    ],
};

const SHAPES: &[&str] = &Geometry::KINDS;

const COUNT: Bound = Bound { least: 1.0, most: 1e9, words: "1 to 1e9" };

pub(super) const GEOMETRY: EditableComponent = EditableComponent {
    name: Shape::NAME,
    kinds: &[Kind::Collision, Kind::Visual],
    fields: &[
        Field::variant("", "Shape", SHAPES).help("Kind of shape; another one has a similar size"),
        Field::vector("box.size", "Size", bounds::SIZE_M)
            .unit("m")
            .help("Full lengths of the edges"),
        Field::number("sphere.radius", "Radius", bounds::SIZE_M).unit("m").help("Radius"),
        Field::number("cylinder.radius", "Radius", bounds::SIZE_M).unit("m").help("Radius"),
        Field::number("cylinder.length", "Length", bounds::SIZE_M).unit("m").help("Along z"),
        Field::number("capsule.radius", "Radius", bounds::SIZE_M).unit("m").help("Radius"),
        Field::number("capsule.length", "Length", bounds::SIZE_M)
            .unit("m")
            .help("Of the cylindrical part along z"),
        Field::vector("ellipsoid.radii", "Radii", bounds::SIZE_M).unit("m").help("Half axes"),
        Field::number("cone.radius", "Radius", bounds::SIZE_M).unit("m").help("Of the base"),
        Field::number("cone.length", "Height", bounds::SIZE_M).unit("m").help("Along z"),
        Field::direction("plane.normal", "Normal").help("The solid is behind it"),
        Field::pair("plane.size", "Size", bounds::COORDINATE_M)
            .unit("m")
            .help("Edges of the rectangle that is seen; what collides is infinite"),
        Field::new("mesh.uri", "File", FieldShape::File).help("File with triangles"),
        Field::vector("mesh.scale", "Scale", bounds::SCALE).help("Along each axis"),
        Field::text("mesh.submesh", "Part").optional().help("The only part of the file to use"),
        Field::flag("mesh.center_submesh", "Centre the part")
            .help("Whether the part is moved to its own centre"),
        Field::variant(
            "mesh.collide_as",
            "Collides as",
            &["triangles", "convex_hull", "convex_parts"],
        )
        .help("What of the mesh collides"),
        Field::integer("mesh.collide_as.convex_parts.most_parts", "Most parts", COUNT)
            .help("Most convex parts"),
        Field::integer("mesh.collide_as.convex_parts.voxels", "Grid cells", COUNT)
            .help("Cells of the grid that the mesh is cut on"),
        Field::new("heightmap.uri", "File", FieldShape::File).help("Grey image of the heights"),
        Field::vector("heightmap.size", "Size", bounds::POINT_M)
            .unit("m")
            .help("Extent along x, y and z"),
        Field::vector("heightmap.position", "Position", bounds::COORDINATE_M)
            .unit("m")
            .help("Where its centre is"),
        Field::number("polyline.height", "Height", bounds::SIZE_M).unit("m").help("Along z"),
        Field::pair("polyline.outlines.*.*", "Point", bounds::POINT_M)
            .unit("m")
            .optional()
            .help("Corner of an outline; inner outlines are holes"),
    ],
};

const MASK: Bound = Bound { least: 0.0, most: 4_294_967_295.0, words: "0 to 4294967295" };

pub(super) const SURFACE: EditableComponent = EditableComponent {
    name: ShapeSurface::NAME,
    kinds: &[Kind::Collision],
    fields: &[
        Field::number("friction.mu", "Friction", bounds::FRICTION)
            .help("Coefficient of friction along the first direction"),
        Field::number("friction.mu2", "Friction, second direction", bounds::FRICTION)
            .help("Coefficient of friction along the second direction"),
        Field::vector("friction.fdir1", "First friction direction", ANY)
            .help("In the collision's frame; zero when there is none"),
        Field::number("friction.slip1", "Slip", ANY)
            .unit("s/kg")
            .help("Force-dependent slip along the first direction"),
        Field::number("friction.slip2", "Slip, second direction", ANY)
            .unit("s/kg")
            .help("Force-dependent slip along the second direction"),
        Field::number("friction.torsional", "Torsional friction", NOT_NEGATIVE)
            .loose()
            .help("Coefficient of torsional friction"),
        Field::number("bounce.restitution", "Restitution", bounds::RESTITUTION)
            .help("Share of the approach speed that comes back; more than 1 is as 1"),
        Field::number("bounce.threshold", "Bounce threshold", NOT_NEGATIVE)
            .unit("m/s")
            .loose()
            .help("Approach speed below which nothing bounces"),
        Field::number("contact.kp", "Contact stiffness", NOT_NEGATIVE)
            .unit("N/m")
            .loose()
            .help("Stiffness of contacts"),
        Field::number("contact.kd", "Contact damping", NOT_NEGATIVE)
            .unit("N s/m")
            .loose()
            .help("Damping of contacts"),
        Field::integer("contact.collide_bitmask", "Collision mask", MASK)
            .help("Two collisions touch when their masks have a bit in common"),
    ],
};
