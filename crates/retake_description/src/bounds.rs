//! Ranges of the numbers that a simulation can work with.
//!
//! Loaders and engines share them, so that what loads can also be stepped. They are far wider than
//! any real robot, and narrow enough that squares and products of what is inside stay finite and
//! keep digits to calculate with.

use retake_math::Inertial;

/// A range of numbers and how to say it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Smallest number inside.
    pub least: f64,
    /// Largest number inside.
    pub most: f64,
    /// The range in words, fitting after "it must be".
    pub words: &'static str,
}

impl Bound {
    /// Says whether a number is inside; what is not a number never is.
    pub fn contains(&self, value: f64) -> bool {
        (self.least..=self.most).contains(&value)
    }
}

/// Mass of a body: from a grain of dust to a mountain.
pub const MASS_KG: Bound = Bound { least: 1e-9, most: 1e12, words: "1e-9 to 1e12 kg" };

/// Moment of inertia: a grain of dust a few micrometres wide to a mass of 1e12 kg a kilometre wide.
pub const MOMENT: Bound = Bound { least: 1e-21, most: 1e18, words: "1e-21 to 1e18 kg m²" };

/// Product of inertia: no larger than the moments.
pub const PRODUCT: Bound = Bound { least: -1e18, most: 1e18, words: "-1e18 to 1e18 kg m²" };

/// Density: from below any gas to beyond any metal.
pub const DENSITY: Bound = Bound { least: 1e-6, most: 1e6, words: "1e-6 to 1e6 kg/m³" };

/// Length of a shape: from a micrometre to a thousand kilometres.
pub const SIZE_M: Bound = Bound { least: 1e-6, most: 1e6, words: "1e-6 to 1e6 m" };

/// Point of a shape, in its own frame.
pub const POINT_M: Bound = Bound { least: -1e6, most: 1e6, words: "-1e6 to 1e6 m" };

/// Scale of a mesh; negative ones mirror it.
pub const SCALE: Bound = Bound { least: -1e6, most: 1e6, words: "-1e6 to 1e6" };

/// Scale of a mesh without its sign: below it the largest mesh is smaller than any shape.
pub const UNSIGNED_SCALE: Bound =
    Bound { least: 1e-12, most: 1e6, words: "1e-12 to 1e6 along each axis, negative to mirror" };

/// Coordinate of a pose: beyond it, steps of a micrometre are lost to rounding.
pub const COORDINATE_M: Bound = Bound { least: -1e9, most: 1e9, words: "-1e9 to 1e9 m" };

/// Component of a velocity, in m/s or rad/s: a hundred times what leaves the solar system.
pub const SPEED: Bound = Bound { least: -1e7, most: 1e7, words: "-1e7 to 1e7 per second" };

/// Component of an acceleration: a thousand times that on any star but a dead one.
pub const ACCELERATION: Bound = Bound { least: -1e6, most: 1e6, words: "-1e6 to 1e6 m/s²" };

/// Position, target or offset of a joint, in metres or radians.
pub const JOINT_POSITION: Bound = Bound { least: -1e9, most: 1e9, words: "-1e9 to 1e9" };

/// Stiffness, damping and friction of a joint or its drive: stiffer than any steel.
pub const GAIN: Bound = Bound { least: 0.0, most: 1e12, words: "0 to 1e12" };

/// Effort of a joint in N or N m.
pub const EFFORT: Bound = Bound { least: -1e15, most: 1e15, words: "-1e15 to 1e15 N or N m" };

/// Ratio between two joints, or of a thread.
pub const RATIO: Bound = Bound { least: -1e9, most: 1e9, words: "-1e9 to 1e9" };

/// Radians that a screw turns for each metre, whichever way round: its inverse is within [`RATIO`].
pub const THREAD: Bound =
    Bound { least: 1e-9, most: 1e9, words: "1e-9 to 1e9 radians for each metre, either way round" };

/// Metres that a thread moves in a turn, so that its inverse is within [`RATIO`].
pub const THREAD_M: Bound =
    Bound { least: 1e-8, most: 1e9, words: "1e-8 m or more for each turn, either way round" };

/// Coefficient of friction; files write large ones for "does not slip".
pub const FRICTION: Bound = Bound { least: 0.0, most: 1e16, words: "0 to 1e16" };

/// Coefficient of restitution; files write large ones for "at most elastic".
pub const RESTITUTION: Bound = Bound { least: 0.0, most: 1e6, words: "0 to 1e6" };

/// Loss of velocity per second.
pub const DECAY: Bound = Bound { least: 0.0, most: 1e9, words: "0 to 1e9" };

/// Length of a step: shorter ones are lost in the clock's nanoseconds, longer ones miss contacts.
pub const STEP_SECS: Bound = Bound { least: 1e-9, most: 0.1, words: "1e-9 to 0.1 s" };

/// Simulated seconds for each real one, when it is not 0 for "as fast as possible".
pub const REAL_TIME_FACTOR: Bound =
    Bound { least: 1e-3, most: 1e3, words: "0, or from 0.001 to 1000" };

/// Most degrees of freedom that one tree of joints has, with the six of a root that is free.
///
/// Engines with forces keep dense matrices for a tree, about 128 bytes for each pair of freedoms:
/// 128 MiB for this many, and 16 times as much for four times as many.
pub const TREE_FREEDOMS: usize = 1024;

/// Most models inside one another.
pub const MODEL_DEPTH: usize = 60;

/// A number of a link's mass properties that no body has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InertialFault {
    /// Which.
    pub field: &'static str,
    /// What it is.
    pub value: f64,
    /// What it must be.
    pub allowed: &'static str,
}

/// Finds what keeps a body from moving with these mass properties.
///
/// Whether a real body has them is another question: [`Inertial::is_realizable`].
pub fn inertial_fault(inertial: &Inertial) -> Option<InertialFault> {
    let (m, p) = (inertial.moments, inertial.products);
    // A symmetric matrix is positive definite when its leading minors are positive.
    let minor = m.x * m.y - p.x * p.x;
    const POSITIVE: Bound =
        Bound { least: f64::MIN_POSITIVE, most: f64::MAX, words: "greater than 0" };
    let numbers = [
        ("inertial.mass", inertial.mass_kg, MASS_KG),
        ("inertial.ixx", m.x, MOMENT),
        ("inertial.iyy", m.y, MOMENT),
        ("inertial.izz", m.z, MOMENT),
        ("inertial, ixx * iyy - ixy²,", minor, POSITIVE),
        ("inertial, determinant of the inertia matrix,", inertial.matrix().determinant(), POSITIVE),
    ];
    let faulty = numbers.into_iter().find(|(_, value, bound)| !bound.contains(*value));
    faulty.map(|(field, value, bound)| InertialFault { field, value, allowed: bound.words })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_inside_and_nan_is_not() {
        assert!(MASS_KG.contains(1e-9) && MASS_KG.contains(1e12));
        assert!(!MASS_KG.contains(1.01e12) && !MASS_KG.contains(0.0));
        assert!(!MASS_KG.contains(f64::NAN) && !COORDINATE_M.contains(f64::NEG_INFINITY));
    }
}
