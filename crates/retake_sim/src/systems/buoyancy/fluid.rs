//! Fluids in layers.

use retake_math::{Pose, Vec3};

use super::displaced::Displaced;
use super::solids::Solid;
use crate::system::SystemError;
use crate::systems::Params;

/// A fluid everywhere, or layers with level surfaces.
pub(super) struct Fluid {
    /// Density below the first surface in kg/m³.
    lowest: f64,
    /// Heights of surfaces in metres, rising, each with the density above it.
    layers: Vec<(f64, f64)>,
}

/// Density of water in kg/m³, where a file says nothing.
const WATER: f64 = 1000.0;

impl Fluid {
    /// Reads `<uniform_fluid_density>` or `<graded_buoyancy>`.
    pub(super) fn read(params: &Params<'_>) -> Result<Self, SystemError> {
        let Some(graded) = params.elements("graded_buoyancy").next() else {
            let lowest = params.at_least_zero("uniform_fluid_density", WATER)?;
            return Ok(Self { lowest, layers: Vec::new() });
        };
        let graded = Params::of(graded);
        let mut layers = Vec::new();
        for change in graded.elements("density_change") {
            let change = Params::of(change);
            change.required("above_depth")?;
            let height = change.number_or("above_depth", 0.0)?;
            layers.push((height, change.at_least_zero("density", WATER)?));
        }
        layers.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        Ok(Self { lowest: graded.at_least_zero("default_density", WATER)?, layers })
    }

    /// Returns the mass of the fluid that a solid takes the place of, and its centre in the world.
    pub(super) fn displaced_by(&self, solid: &Solid, pose: &Pose) -> Option<(f64, Vec3)> {
        let whole = solid.below(pose, f64::INFINITY);
        let mut mass = Displaced::default();
        let mut below = Displaced::default();
        let mut density = self.lowest;
        for (height, above) in &self.layers {
            let up_to_here = solid.below(pose, *height);
            mass = mass + (up_to_here - below) * density;
            (below, density) = (up_to_here, *above);
        }
        mass = mass + (whole - below) * density;
        mass.centre().map(|centre| (mass.amount, centre))
    }
}
