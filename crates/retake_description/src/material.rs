//! How a visual looks.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A colour with red, green, blue and alpha from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Color(pub [f32; 4]);

impl Color {
    /// Opaque black.
    pub const BLACK: Self = Self([0.0, 0.0, 0.0, 1.0]);
    /// Opaque white.
    pub const WHITE: Self = Self([1.0, 1.0, 1.0, 1.0]);

    /// Makes an opaque grey.
    pub const fn grey(level: f32) -> Self {
        Self([level, level, level, 1.0])
    }
}

/// Colours and texture of a visual.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Material {
    /// Colour under ambient light.
    pub ambient: Color,
    /// Colour under direct light.
    pub diffuse: Color,
    /// Colour of highlights.
    pub specular: Color,
    /// Colour it emits.
    pub emissive: Color,
    /// Physically based parameters, when the file gives them.
    pub pbr: Option<Pbr>,
    /// Name of a Gazebo material script, kept for writing back.
    pub script: Option<String>,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            ambient: Color::WHITE,
            diffuse: Color::WHITE,
            specular: Color::BLACK,
            emissive: Color::BLACK,
            pbr: None,
            script: None,
        }
    }
}

/// Metalness workflow of a physically based material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pbr {
    /// 0 is an insulator, 1 a metal.
    pub metalness: f32,
    /// 0 is a mirror, 1 is chalk.
    pub roughness: f32,
    /// Address of the colour texture as the file writes it.
    pub albedo_map: Option<String>,
    /// The file it was resolved to; none when it was not found.
    pub albedo_path: Option<PathBuf>,
}

impl Default for Pbr {
    fn default() -> Self {
        Self { metalness: 0.5, roughness: 0.5, albedo_map: None, albedo_path: None }
    }
}
