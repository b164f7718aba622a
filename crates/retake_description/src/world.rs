//! Worlds.

use retake_math::Vec3;
use serde::{Deserialize, Serialize};

use crate::{Color, Element, Frame, Joint, Light, Model, PhysicsProfile};

/// A whole world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct World {
    /// Name.
    pub name: String,
    /// Gravity in m/s².
    pub gravity: Vec3,
    /// Magnetic field in tesla.
    pub magnetic_field: Vec3,
    /// Wind velocity in m/s.
    pub wind: Vec3,
    /// Where on the globe the world is.
    pub spherical_coordinates: Option<SphericalCoordinates>,
    /// Physics profiles; at least one.
    pub profiles: Vec<PhysicsProfile>,
    /// Ambient light and sky.
    pub scene: Scene,
    /// Lights.
    pub lights: Vec<Light>,
    /// Models.
    pub models: Vec<Model>,
    /// Joints between models.
    pub joints: Vec<Joint>,
    /// Named frames.
    pub frames: Vec<Frame>,
    /// Plugins attached to the world.
    pub plugins: Vec<Plugin>,
    /// What the file says beyond that.
    pub extras: Vec<Element>,
}

impl Default for World {
    fn default() -> Self {
        Self {
            name: "default".to_owned(),
            gravity: Vec3::new(0.0, 0.0, -9.8),
            magnetic_field: Vec3::new(6e-6, 23e-6, -42e-6),
            wind: Vec3::ZERO,
            spherical_coordinates: None,
            profiles: vec![PhysicsProfile::default()],
            scene: Scene::default(),
            lights: Vec::new(),
            models: Vec::new(),
            joints: Vec::new(),
            frames: Vec::new(),
            plugins: Vec::new(),
            extras: Vec::new(),
        }
    }
}

impl World {
    /// Returns the profile the world starts with: the first one marked as default, else the first.
    pub fn default_profile(&self) -> Option<&PhysicsProfile> {
        self.profiles.iter().find(|profile| profile.is_default).or_else(|| self.profiles.first())
    }
}

/// Ambient light and sky.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    /// Colour of the light that is everywhere.
    pub ambient: Color,
    /// Colour behind everything.
    pub background: Color,
    /// Whether shadows are drawn.
    pub shadows: bool,
    /// Whether the ground grid is drawn.
    pub grid: bool,
    /// Whether there is a sky.
    pub sky: bool,
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            ambient: Color::grey(0.4),
            background: Color::grey(0.7),
            shadows: true,
            grid: true,
            sky: false,
        }
    }
}

/// Where on the globe a world's origin is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SphericalCoordinates {
    /// Name of the surface model.
    pub surface_model: String,
    /// Latitude in degrees.
    pub latitude_deg: f64,
    /// Longitude in degrees.
    pub longitude_deg: f64,
    /// Elevation in metres.
    pub elevation: f64,
    /// Heading in degrees.
    pub heading_deg: f64,
}

/// A plugin: which system, and what it is told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plugin {
    /// Name of the system.
    pub name: String,
    /// Library that Gazebo would load; a second way to find the system.
    pub filename: String,
    /// Parameters, as they stood.
    pub body: Vec<Element>,
}
