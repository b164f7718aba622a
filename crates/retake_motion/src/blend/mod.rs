//! Going over from what a joint does to what a motion wants, without a jump.
//!
//! A [`Blend`] is how, chosen by parameter; a [`Blending`] is how far one joint is with it, a plain
//! value that belongs to the saved state of a world. The output has the position and the velocity
//! of the joint at the switch; with [`Blend::None`] alone it has those of the reference at once.

mod filter;
mod jerk_limited;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::curve::Sample;

use filter::{LowPassFilter, Poles, Residue};
use jerk_limited::Limits;

/// How a joint goes over to a new reference.
///
/// Variants can be written by hand with numbers that make no sense; [`Blend::check`] finds these,
/// constructors and deserialisation refuse them, and if they come through all the same, times are
/// taken as the nearest ones between 1 µs and 1,000,000 s and limits as 1e-6 at least.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", try_from = "Unchecked")]
pub enum Blend {
    /// Takes the reference at once, with whatever jump that is.
    #[default]
    None,
    /// Lets the initial error of position and velocity decay, added to the exact reference.
    Transient {
        /// Until 1 % of an error of position is left, in s.
        time_secs: f64,
    },
    /// Follows the reference through a second-order low-pass, which lags behind all the time.
    LowPass {
        /// 4.6 times the slower time constant, in s.
        time_secs: f64,
    },
    /// Catches up as quickly as limits permit, and is exact from then on.
    JerkLimited {
        /// In rad/s or m/s.
        max_velocity: f64,
        /// In rad/s² or m/s².
        max_acceleration: f64,
        /// In rad/s³ or m/s³.
        max_jerk: f64,
    },
}

/// Why a blend makes no sense.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{what} of a blend is {value}; write a finite number above 0")]
pub struct BlendError {
    /// The name of the number.
    pub what: &'static str,
    /// What stands there.
    pub value: f64,
}

/// How far one joint is with going over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Blending {
    /// What came out last.
    output: Sample,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    /// The output is the reference from here on.
    Over,
    Transient(Residue),
    LowPass(LowPassFilter),
    JerkLimited,
}

impl Blend {
    /// Makes a transient blend: 1 % of an error of position is left after `time_secs`.
    ///
    /// # Errors
    /// [`BlendError`] when the time is not finite or not above 0.
    pub fn transient(time_secs: f64) -> Result<Self, BlendError> {
        Self::Transient { time_secs }.check()
    }

    /// Makes a low-pass blend with a slower time constant of `time_secs` / 4.6.
    ///
    /// # Errors
    /// [`BlendError`] when the time is not finite or not above 0.
    pub fn low_pass(time_secs: f64) -> Result<Self, BlendError> {
        Self::LowPass { time_secs }.check()
    }

    /// Makes a jerk-limited blend; limits are in rad/s, rad/s² and rad/s³, or m.
    ///
    /// # Errors
    /// [`BlendError`] when a limit is not finite or not above 0.
    pub fn jerk_limited(
        max_velocity: f64,
        max_acceleration: f64,
        max_jerk: f64,
    ) -> Result<Self, BlendError> {
        Self::JerkLimited { max_velocity, max_acceleration, max_jerk }.check()
    }

    /// Returns it when its numbers make sense.
    ///
    /// # Errors
    /// [`BlendError`] with the first number that is not finite or not above 0.
    pub fn check(self) -> Result<Self, BlendError> {
        let numbers = match self {
            Self::None => Vec::new(),
            Self::Transient { time_secs } | Self::LowPass { time_secs } => {
                vec![("time_secs", time_secs)]
            }
            Self::JerkLimited { max_velocity, max_acceleration, max_jerk } => vec![
                ("max_velocity", max_velocity),
                ("max_acceleration", max_acceleration),
                ("max_jerk", max_jerk),
            ],
        };
        let wrong = numbers.into_iter().find(|(_, value)| !(value.is_finite() && *value > 0.0));
        wrong.map_or(Ok(self), |(what, value)| Err(BlendError { what, value }))
    }

    /// Returns the word that files and parameters use.
    pub fn word(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Transient { .. } => "transient",
            Self::LowPass { .. } => "low_pass",
            Self::JerkLimited { .. } => "jerk_limited",
        }
    }

    /// Begins to go over from `present`, the last reference or what is measured, to a reference that
    /// is `reference` at this instant.
    ///
    /// What of `present` is not finite is taken from the reference.
    pub fn start(&self, present: Sample, reference: Sample) -> Blending {
        let output = finite_or(present, reference);
        let stage = match *self {
            Self::None => Stage::Over,
            Self::Transient { time_secs } => {
                let residue = Poles::transient(time_secs).residue(
                    output.position - reference.position,
                    output.velocity - reference.velocity,
                );
                residue.map_or(Stage::Over, Stage::Transient)
            }
            Self::LowPass { .. } => Stage::LowPass(LowPassFilter::begin(reference.position)),
            Self::JerkLimited { .. } if output == reference => Stage::Over,
            Self::JerkLimited { .. } => Stage::JerkLimited,
        };
        Blending { output, stage }
    }

    /// Goes on by `dt_secs`, at the end of which the reference is `reference`, and returns what the
    /// joint is to do then.
    ///
    /// When no time passes, or the reference is not finite, that is what it was to do before. When
    /// the blending was started by a blend of another kind, it starts again from its output; other
    /// numbers of the same kind are in force from here on.
    pub fn cycle(&self, blending: &mut Blending, reference: Sample, dt_secs: f64) -> Sample {
        if !is_finite(reference) {
            return blending.output;
        }
        if blending.stage == Stage::Over {
            blending.output = reference;
            return reference;
        }
        if !(dt_secs > 0.0 && dt_secs.is_finite()) {
            return blending.output;
        }
        let (output, stage) = self.next(blending, reference, dt_secs);
        // Only numbers beyond 1e100 or so come here; whoever sends them gets no answer to them.
        if is_finite(output) {
            *blending = Blending { output, stage };
        }
        blending.output
    }

    /// Says whether the output is the reference from here on.
    ///
    /// Of a low-pass it never is: it lags behind whenever the reference moves.
    pub fn is_over(&self, blending: &Blending) -> bool {
        blending.stage == Stage::Over
    }

    fn next(&self, blending: &Blending, reference: Sample, dt_secs: f64) -> (Sample, Stage) {
        let before = blending.output;
        match (*self, blending.stage) {
            (Self::None, _) | (_, Stage::Over) => (reference, Stage::Over),
            (Self::Transient { time_secs }, Stage::Transient(residue)) => {
                let next = Poles::transient(time_secs).decay(residue, reference, dt_secs);
                next.map_or((reference, Stage::Over), |(output, left)| {
                    (output, Stage::Transient(left))
                })
            }
            (Self::LowPass { time_secs }, Stage::LowPass(filter)) => {
                let poles = Poles::low_pass(time_secs);
                let (output, filter) = filter.follow(poles, before, reference.position, dt_secs);
                (output, Stage::LowPass(filter))
            }
            (
                Self::JerkLimited { max_velocity, max_acceleration, max_jerk },
                Stage::JerkLimited,
            ) => {
                let limits = Limits::new(max_velocity, max_acceleration, max_jerk);
                match limits.chase(before, reference, dt_secs) {
                    Some(output) => (output, Stage::JerkLimited),
                    None => (reference, Stage::Over),
                }
            }
            _ => {
                let earlier = reference.position - reference.velocity * dt_secs;
                let again = self.start(before, Sample { position: earlier, ..reference });
                self.next(&again, reference, dt_secs)
            }
        }
    }
}

impl Blending {
    /// Returns what came out last, or what the joint did at the start.
    pub fn output(&self) -> Sample {
        self.output
    }
}

/// Returns the pose to hold so that a transient blend of `time_secs` from `present` to it comes to
/// rest without turning back.
///
/// It lies ahead by the way that the slower of the two decays takes to use up the velocity: then the
/// faster one has nothing to do, the velocity is a single exponential, and what rounding leaves to
/// the faster one dies away before it could turn the sign.
pub fn stop_pose(present: Sample, time_secs: f64) -> f64 {
    let ahead = present.velocity / Poles::transient(time_secs).slow;
    if ahead.is_finite() { present.position + ahead } else { present.position }
}

fn is_finite(sample: Sample) -> bool {
    sample.position.is_finite() && sample.velocity.is_finite() && sample.acceleration.is_finite()
}

fn finite_or(sample: Sample, other: Sample) -> Sample {
    let or = |value: f64, other: f64| if value.is_finite() { value } else { other };
    Sample {
        position: or(sample.position, other.position),
        velocity: or(sample.velocity, other.velocity),
        acceleration: or(sample.acceleration, other.acceleration),
    }
}

/// What is read before its numbers are looked at.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Unchecked {
    None,
    Transient { time_secs: f64 },
    LowPass { time_secs: f64 },
    JerkLimited { max_velocity: f64, max_acceleration: f64, max_jerk: f64 },
}

impl TryFrom<Unchecked> for Blend {
    type Error = BlendError;

    fn try_from(unchecked: Unchecked) -> Result<Self, BlendError> {
        match unchecked {
            Unchecked::None => Ok(Self::None),
            Unchecked::Transient { time_secs } => Self::transient(time_secs),
            Unchecked::LowPass { time_secs } => Self::low_pass(time_secs),
            Unchecked::JerkLimited { max_velocity, max_acceleration, max_jerk } => {
                Self::jerk_limited(max_velocity, max_acceleration, max_jerk)
            }
        }
    }
}
