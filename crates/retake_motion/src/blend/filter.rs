//! Second-order filters with two real poles, solved exactly, so that results do not depend on how
//! time is divided into cycles.

use serde::{Deserialize, Serialize};

use crate::curve::Sample;

/// Slower time constants until 1 % is left of an error of position without one of velocity:
/// the root of 6·exp(−x) − 5·exp(−1.2·x) = 0.01.
const TIME_CONSTANTS_TO_ONE_PERCENT: f64 = 6.115_545_849_553_78;

/// Slower time constants in the time of a low-pass: exp(−4.6) is 1 %.
const TIME_CONSTANTS_OF_LOW_PASS: f64 = 4.6;

/// How much quicker the second pole is. They differ so that the solution is a sum of exponentials.
const SECOND_POLE: f64 = 1.2;

/// Errors below this, in rad and rad/s, or m and m/s, are none.
const NO_ERROR: f64 = 1e-12;

/// The rates of decay, in 1/s.
#[derive(Clone, Copy)]
pub(super) struct Poles {
    pub(super) slow: f64,
    fast: f64,
}

/// What is left of an error.
///
/// It is kept as such and not in parts, so that another time from one cycle to the next changes
/// neither position nor velocity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Residue {
    position: f64,
    velocity: f64,
}

/// The parts of an error of position: one decays slowly, the other fast.
#[derive(Clone, Copy)]
struct Parts {
    slow: f64,
    fast: f64,
}

/// What a low-pass remembers beside its output.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct LowPassFilter {
    /// The position of the reference one cycle ago.
    reference: f64,
}

impl Poles {
    pub(super) fn transient(time_secs: f64) -> Self {
        Self::new(time_secs, TIME_CONSTANTS_TO_ONE_PERCENT)
    }

    pub(super) fn low_pass(time_secs: f64) -> Self {
        Self::new(time_secs, TIME_CONSTANTS_OF_LOW_PASS)
    }

    fn new(time_secs: f64, time_constants: f64) -> Self {
        // `max` turns what is no number into the shortest time.
        let long_enough = time_secs.max(1e-6);
        let slow = time_constants / long_enough.min(1e6);
        Self { slow, fast: SECOND_POLE * slow }
    }

    /// Begins with an error; none when it is too small to matter.
    pub(super) fn residue(self, position: f64, velocity: f64) -> Option<Residue> {
        let residue = Residue { position, velocity };
        self.matters(self.split(residue)).then_some(residue)
    }

    /// Lets time pass over an error and adds what is left to a reference; none when that is too
    /// small to matter.
    pub(super) fn decay(
        self,
        residue: Residue,
        reference: Sample,
        dt_secs: f64,
    ) -> Option<(Sample, Residue)> {
        let parts = self.decayed(self.split(residue), dt_secs);
        let left = self.join(parts);
        let residue = Residue { position: left.position, velocity: left.velocity };
        self.matters(parts).then(|| (added(reference, left), residue))
    }

    fn split(self, Residue { position, velocity }: Residue) -> Parts {
        let apart = self.fast - self.slow;
        Parts {
            slow: (self.fast * position + velocity) / apart,
            fast: -(self.slow * position + velocity) / apart,
        }
    }

    fn decayed(self, parts: Parts, dt_secs: f64) -> Parts {
        Parts {
            slow: parts.slow * (-self.slow * dt_secs).exp(),
            fast: parts.fast * (-self.fast * dt_secs).exp(),
        }
    }

    fn join(self, Parts { slow, fast }: Parts) -> Sample {
        let (slower, faster) = (self.slow * slow, self.fast * fast);
        Sample {
            position: slow + fast,
            velocity: -(slower + faster),
            acceleration: self.slow * slower + self.fast * faster,
        }
    }

    fn matters(self, parts: Parts) -> bool {
        // The parts may cancel now and not later, so each counts by itself.
        let (slow, fast) = (parts.slow.abs(), parts.fast.abs());
        slow + fast >= NO_ERROR || self.slow * slow + self.fast * fast >= NO_ERROR
    }
}

fn added(a: Sample, b: Sample) -> Sample {
    Sample {
        position: a.position + b.position,
        velocity: a.velocity + b.velocity,
        acceleration: a.acceleration + b.acceleration,
    }
}

impl LowPassFilter {
    /// Begins with a reference that is at a position now.
    pub(super) fn begin(reference: f64) -> Self {
        Self { reference }
    }

    /// Goes on while the reference goes straight from where it was to `reference`.
    ///
    /// Far from the start the output runs in parallel to such a reference, a constant distance
    /// behind; what it is off from that now decays by itself.
    pub(super) fn follow(
        self,
        poles: Poles,
        output: Sample,
        reference: f64,
        dt_secs: f64,
    ) -> (Sample, Self) {
        let velocity = (reference - self.reference) / dt_secs;
        let behind = velocity * (1.0 / poles.slow + 1.0 / poles.fast);
        let off = Residue {
            position: output.position - (self.reference - behind),
            velocity: output.velocity - velocity,
        };
        let left = poles.join(poles.decayed(poles.split(off), dt_secs));
        let parallel = Sample { position: reference - behind, velocity, acceleration: 0.0 };
        (added(parallel, left), Self { reference })
    }
}
