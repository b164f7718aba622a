//! The functions that an expression can call.

use std::f64::consts::{PI, TAU};
use std::ops::RangeInclusive;

use super::memory::Recall;

/// A function by name.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) arguments: RangeInclusive<usize>,
    pub(super) body: Body,
}

/// What a function does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Body {
    /// Of one number.
    One(fn(f64) -> f64),
    /// Of two numbers.
    Two(fn(f64, f64) -> f64),
    /// Of several numbers.
    Many(fn(&[f64]) -> f64),
    /// Of the samples before.
    Recall(Recall),
    /// `if(condition, then, otherwise)`.
    If,
    /// `convert(x, "from", "to")`.
    Convert,
    /// `run("id", signal)`.
    Run,
}

/// Most arguments of a function that takes any number.
pub(super) const MAX_ARGUMENTS: usize = 16;

/// Returns the function of a name.
pub(super) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Returns the names of all functions.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    FUNCTIONS.iter().map(|function| function.name)
}

/// Returns the constant of a name.
pub(super) fn constant(name: &str) -> Option<f64> {
    Some(match name {
        "pi" => PI,
        "e" => std::f64::consts::E,
        "inf" => f64::INFINITY,
        "nan" => f64::NAN,
        "g" => 9.80665,
        _ => return None,
    })
}

const fn one(name: &'static str, body: fn(f64) -> f64) -> Function {
    Function { name, arguments: 1..=1, body: Body::One(body) }
}

const fn two(name: &'static str, body: fn(f64, f64) -> f64) -> Function {
    Function { name, arguments: 2..=2, body: Body::Two(body) }
}

const fn many(
    name: &'static str,
    arguments: RangeInclusive<usize>,
    body: fn(&[f64]) -> f64,
) -> Function {
    Function { name, arguments, body: Body::Many(body) }
}

const fn recall(name: &'static str, arguments: usize, body: Recall) -> Function {
    Function { name, arguments: arguments..=arguments, body: Body::Recall(body) }
}

const fn special(name: &'static str, arguments: usize, body: Body) -> Function {
    Function { name, arguments: arguments..=arguments, body }
}

static FUNCTIONS: [Function; 53] = [
    one("sqrt", f64::sqrt),
    one("cbrt", f64::cbrt),
    one("abs", f64::abs),
    one("sin", f64::sin),
    one("cos", f64::cos),
    one("tan", f64::tan),
    one("asin", f64::asin),
    one("acos", f64::acos),
    one("atan", f64::atan),
    one("sinh", f64::sinh),
    one("cosh", f64::cosh),
    one("tanh", f64::tanh),
    one("asinh", f64::asinh),
    one("acosh", f64::acosh),
    one("atanh", f64::atanh),
    one("exp", f64::exp),
    one("ln", f64::ln),
    one("log10", f64::log10),
    one("log2", f64::log2),
    one("floor", f64::floor),
    one("ceil", f64::ceil),
    one("round", f64::round),
    one("trunc", f64::trunc),
    one("sign", sign),
    one("wrap", wrap),
    one("deg", f64::to_degrees),
    one("rad", f64::to_radians),
    two("atan2", f64::atan2),
    two("hypot", f64::hypot),
    two("pow", power),
    two("mod", modulo),
    many("min", 1..=MAX_ARGUMENTS, |values| fold(values, f64::min)),
    many("max", 1..=MAX_ARGUMENTS, |values| fold(values, f64::max)),
    many("clamp", 3..=3, |values| fold(&[fold(&values[..2], f64::max), values[2]], f64::min)),
    many("norm", 1..=MAX_ARGUMENTS, |values| values.iter().map(|v| v * v).sum::<f64>().sqrt()),
    many("roll", 4..=4, |q| (2.0 * (q[3] * q[0] + q[1] * q[2])).atan2(upright(q, 2))),
    many("pitch", 4..=4, pitch),
    many("yaw", 4..=4, |q| (2.0 * (q[3] * q[2] + q[0] * q[1])).atan2(upright(q, 0))),
    recall("deriv", 1, Recall::Derivative),
    recall("integral", 1, Recall::Integral),
    recall("avg", 2, Recall::Average),
    recall("avg_time", 2, Recall::AverageOverTime),
    recall("rms", 2, Recall::RootMeanSquare),
    recall("lowpass", 2, Recall::LowPass),
    recall("delay", 2, Recall::Delay),
    recall("diff", 1, Recall::Difference),
    recall("prev", 1, Recall::Previous),
    recall("cum", 1, Recall::Sum),
    recall("cummax", 1, Recall::Largest),
    recall("cummin", 1, Recall::Smallest),
    special("if", 3, Body::If),
    special("convert", 3, Body::Convert),
    special("run", 2, Body::Run),
];

/// Quotient; nothing can be divided by zero.
pub(super) fn divide(a: f64, b: f64) -> f64 {
    if b == 0.0 { f64::NAN } else { a / b }
}

/// Power; a gap stays one, even if nothing is asked of it.
pub(super) fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 2.0 {
        // The most usual one, and many times faster this way.
        base * base
    } else if base.is_nan() || exponent.is_nan() {
        f64::NAN
    } else {
        base.powf(exponent)
    }
}

/// Remainder with the sign of the divisor, as clocks and angles want it.
fn modulo(a: f64, b: f64) -> f64 {
    if b == 0.0 { f64::NAN } else { a - b * (a / b).floor() }
}

fn sign(value: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value.signum() }
}

/// Angle to the half-open interval from -π to π, π included.
fn wrap(angle: f64) -> f64 {
    PI - (PI - angle).rem_euclid(TAU)
}

/// Smallest or largest; a gap among the values gives a gap.
fn fold(values: &[f64], pick: fn(f64, f64) -> f64) -> f64 {
    if values.iter().any(|value| value.is_nan()) {
        return f64::NAN;
    }
    values.iter().copied().reduce(pick).unwrap_or(f64::NAN)
}

/// How much the axis (0 for x, 2 for z) points where it did, times the squared length.
fn upright(q: &[f64], axis: usize) -> f64 {
    let others: f64 = (0..3).filter(|other| *other != axis).map(|other| q[other] * q[other]).sum();
    q[3] * q[3] + q[axis] * q[axis] - others
}

/// Pitch of a quaternion (x, y, z, w) of any length but zero.
fn pitch(q: &[f64]) -> f64 {
    let squared_length: f64 = q.iter().map(|part| part * part).sum();
    divide(2.0 * (q[3] * q[1] - q[2] * q[0]), squared_length).clamp(-1.0, 1.0).asin()
}
