//! The world.

use retake_description::bounds::{self, Bound};
use retake_ecm::Component;

use super::ANY;
use crate::fields::{EditableComponent, Field};
use crate::{Gravity, Kind, WorldScene, WorldText};

pub(super) const GRAVITY: EditableComponent = EditableComponent {
    name: Gravity::NAME,
    kinds: &[Kind::World],
    fields: &[Field::vector("", "Gravity", bounds::ACCELERATION)
        .unit("m/s²")
        .help("Unless the physics profile has its own")],
};

pub(super) const SCENE: EditableComponent = EditableComponent {
    name: WorldScene::NAME,
    kinds: &[Kind::World],
    fields: &[
        Field::color("ambient", "Ambient light").help("Colour of the light that is everywhere"),
        Field::color("background", "Background").help("Colour behind everything"),
        Field::flag("shadows", "Shadows").help("Whether shadows are drawn"),
        Field::flag("grid", "Grid").help("Whether the ground grid is drawn"),
        Field::flag("sky", "Sky").help("Whether there is a sky"),
    ],
};

const LATITUDE: Bound = Bound { least: -90.0, most: 90.0, words: "-90 to 90°" };
const TURN: Bound = Bound { least: -360.0, most: 360.0, words: "-360 to 360°" };

pub(super) const WORLD_TEXT: EditableComponent = EditableComponent {
    name: WorldText::NAME,
    kinds: &[Kind::World],
    fields: &[
        Field::vector("magnetic_field", "Magnetic field", ANY).unit("T").help("Magnetic field"),
        Field::vector("wind", "Wind", bounds::SPEED).unit("m/s").help("Velocity of the wind"),
        Field::part("spherical_coordinates", "On the globe")
            .help("Whether it is known where on the globe the world is"),
        Field::text("spherical_coordinates.surface_model", "Surface model")
            .help("Name of the surface model, as EARTH_WGS84"),
        Field::number("spherical_coordinates.latitude_deg", "Latitude", LATITUDE)
            .unit("°")
            .loose()
            .help("Latitude of the origin"),
        Field::number("spherical_coordinates.longitude_deg", "Longitude", TURN)
            .unit("°")
            .loose()
            .help("Longitude of the origin"),
        Field::number("spherical_coordinates.elevation", "Elevation", ANY)
            .unit("m")
            .help("Height of the origin"),
        Field::number("spherical_coordinates.heading_deg", "Heading", TURN)
            .unit("°")
            .loose()
            .help("How the world is turned against the compass"),
    ],
};
