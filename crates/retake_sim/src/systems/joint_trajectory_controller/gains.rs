//! Gains of the controllers: each parameter may be given once for each joint.

use super::super::Params;
use super::super::pid::Pid;
use crate::system::SystemError;

/// Reads the controllers of `count` joints, called `position` or `velocity`.
///
/// What is not given is 0, and bounds that exclude one another bind nothing, as in Gazebo.
pub(super) fn read(params: &Params<'_>, what: &str, count: usize) -> Result<Vec<Pid>, SystemError> {
    let all = |name: &str| numbers(params, &format!("{what}_{name}"));
    let (p, i, d) = (all("p_gain")?, all("i_gain")?, all("d_gain")?);
    let (i_min, i_max) = (all("i_min")?, all("i_max")?);
    let (cmd_min, cmd_max) = (all("cmd_min")?, all("cmd_max")?);
    let offset = all("cmd_offset")?;
    let at = |all: &[f64], index: usize, otherwise: f64| *all.get(index).unwrap_or(&otherwise);
    let bounds =
        |low: &[f64], high: &[f64], index| match (at(low, index, 0.0), at(high, index, -1.0)) {
            (low, high) if low <= high => (low, high),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
    let pid = |index| Pid {
        p: at(&p, index, 0.0),
        i: at(&i, index, 0.0),
        d: at(&d, index, 0.0),
        integral: bounds(&i_min, &i_max, index),
        command: bounds(&cmd_min, &cmd_max, index),
        offset: at(&offset, index, 0.0),
    };
    Ok((0..count).map(pid).collect())
}

/// Reads a parameter that is given once for each joint.
pub(super) fn numbers(params: &Params<'_>, name: &str) -> Result<Vec<f64>, SystemError> {
    Ok(params.rows::<1>(name, "a number")?.into_iter().map(|[number]| number).collect())
}
