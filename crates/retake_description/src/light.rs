//! Lights.

use retake_math::{Pose, Vec3};
use serde::{Deserialize, Serialize};

use crate::{Color, Element};

/// A light of the world or of a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Light {
    /// Name, unique among its siblings.
    pub name: String,
    /// Pose in the frame of what holds it.
    pub parent_from_light: Pose,
    /// What shines.
    pub source: LightSource,
    /// What the file says beyond that.
    pub extras: Vec<Element>,
}

/// What a light emits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LightSource {
    /// Kind.
    pub kind: LightKind,
    /// Colour of the light.
    pub diffuse: Color,
    /// Colour of its highlights.
    pub specular: Color,
    /// Strength relative to the colour.
    pub intensity: f64,
    /// How it fades with distance.
    pub attenuation: Attenuation,
    /// Direction in the light's frame, for directional and spot lights.
    pub direction: Vec3,
    /// Opening of a spot light.
    pub spot: SpotCone,
    /// Whether it throws shadows.
    pub cast_shadows: bool,
}

/// Kind of a light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LightKind {
    /// Shines in all directions.
    #[default]
    Point,
    /// Parallel rays, as from the sun.
    Directional,
    /// A cone of light.
    Spot,
}

/// How a light fades with distance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attenuation {
    /// Reach in metres.
    pub range: f64,
    /// Constant term.
    pub constant: f64,
    /// Linear term in 1/m.
    pub linear: f64,
    /// Quadratic term in 1/m².
    pub quadratic: f64,
}

impl Default for Attenuation {
    fn default() -> Self {
        Self { range: 10.0, constant: 1.0, linear: 1.0, quadratic: 0.0 }
    }
}

/// Opening of a spot light, in radians.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SpotCone {
    /// Full brightness inside this angle.
    pub inner_angle: f64,
    /// Darkness outside this angle.
    pub outer_angle: f64,
    /// Shape of the fall between the two.
    pub falloff: f64,
}

impl Default for LightSource {
    fn default() -> Self {
        Self {
            kind: LightKind::Point,
            diffuse: Color::WHITE,
            specular: Color::grey(0.1),
            intensity: 1.0,
            attenuation: Attenuation::default(),
            direction: Vec3::NEG_Z,
            spot: SpotCone::default(),
            cast_shadows: false,
        }
    }
}
