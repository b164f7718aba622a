//! A PID controller with the parameters and limits of Gazebo's.

use serde::{Deserialize, Serialize};

use super::Params;
use crate::system::SystemError;

/// Gains and limits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pid {
    pub(super) p: f64,
    pub(super) i: f64,
    pub(super) d: f64,
    /// Bounds of what the integral adds.
    pub(super) integral: (f64, f64),
    /// Bounds of what comes out.
    pub(super) command: (f64, f64),
    pub(super) offset: f64,
}

/// What a controller remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PidState {
    /// Integral of the error.
    integral: f64,
    /// Error of the last step; none before the first.
    last_error: Option<f64>,
}

impl Pid {
    /// What Gazebo takes where a file says nothing.
    pub(super) const DEFAULT: Self = Self {
        p: 1.0,
        i: 0.0,
        d: 0.0,
        integral: (-1.0, 1.0),
        command: (-1000.0, 1000.0),
        offset: 0.0,
    };

    /// Reads `p_gain`, `i_max` and so on.
    pub(super) fn read(params: &Params<'_>, otherwise: &Self) -> Result<Self, SystemError> {
        let bounds = |low: &'static str, high: &'static str, (a, b): (f64, f64)| {
            let bounds = (params.number_or(low, a)?, params.number_or(high, b)?);
            match bounds.0 <= bounds.1 {
                true => Ok(bounds),
                false => Err(SystemError::BadParameter {
                    parameter: low.to_owned(),
                    text: bounds.0.to_string(),
                    expected: "a number not above the greatest",
                }),
            }
        };
        Ok(Self {
            p: params.number_or("p_gain", otherwise.p)?,
            i: params.number_or("i_gain", otherwise.i)?,
            d: params.number_or("d_gain", otherwise.d)?,
            integral: bounds("i_min", "i_max", otherwise.integral)?,
            command: bounds("cmd_min", "cmd_max", otherwise.command)?,
            offset: params.number_or("cmd_offset", otherwise.offset)?,
        })
    }

    /// Returns the effort against an error, which is what is wanted less what is.
    pub(super) fn effort(&self, state: &mut PidState, error: f64, dt_secs: f64) -> f64 {
        state.integral += error * dt_secs;
        let mut from_integral = self.i * state.integral;
        // The integral stops growing where it would not be used.
        let bounded = from_integral.clamp(self.integral.0, self.integral.1);
        if bounded != from_integral {
            state.integral = bounded / self.i;
            from_integral = bounded;
        }
        let change = state.last_error.map_or(0.0, |last| (error - last) / dt_secs);
        state.last_error = Some(error);
        let effort = self.p * error + from_integral + self.d * change + self.offset;
        effort.clamp(self.command.0, self.command.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_does_its_share() {
        let pid = Pid { p: 2.0, i: 10.0, d: 0.5, offset: 0.25, ..Pid::DEFAULT };
        let mut state = PidState::default();
        let first = pid.effort(&mut state, 0.5, 0.01);
        assert!((first - (1.0 + 0.05 + 0.25)).abs() < 1e-12, "{first}");
        let second = pid.effort(&mut state, 0.4, 0.01);
        assert!((second - (0.8 + 0.09 - 5.0 + 0.25)).abs() < 1e-12, "{second}");
    }

    #[test]
    fn bounds_hold_and_the_integral_does_not_wind_up() {
        let pid = Pid { i: 10.0, ..Pid::DEFAULT };
        let mut state = PidState::default();
        for _ in 0..1000 {
            pid.effort(&mut state, 1.0, 0.01);
        }
        assert_eq!(pid.effort(&mut state, 0.0, 0.01), 1.0);
        assert!(pid.effort(&mut state, -0.2, 0.01) < 0.8);
        assert_eq!(pid.effort(&mut state, 1e9, 0.01), 1000.0);
    }
}
