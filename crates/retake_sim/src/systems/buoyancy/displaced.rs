//! Amounts of something with a centre.

use std::ops::{Add, Mul, Sub};

use retake_math::Vec3;

/// An amount, as a volume or a mass, and its first moment about the origin of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Displaced {
    pub(super) amount: f64,
    pub(super) moment: Vec3,
}

impl Displaced {
    /// Makes an amount around a centre.
    pub(super) fn at(amount: f64, centre: Vec3) -> Self {
        Self { amount, moment: centre * amount }
    }

    /// Returns the centre, where there is anything.
    pub(super) fn centre(&self) -> Option<Vec3> {
        (self.amount > 0.0).then(|| self.moment / self.amount).filter(|centre| centre.is_finite())
    }
}

impl Add for Displaced {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { amount: self.amount + other.amount, moment: self.moment + other.moment }
    }
}

impl Sub for Displaced {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + other * -1.0
    }
}

impl Mul<f64> for Displaced {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self { amount: self.amount * factor, moment: self.moment * factor }
    }
}
