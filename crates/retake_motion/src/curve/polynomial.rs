//! One stretch of a curve: a polynomial of degree 5 at most, in the time since its start.

use super::Sample;

/// Coefficients of the powers of the time since the start of the segment, the constant first.
pub(super) type Polynomial = [f64; 6];

/// The values of a knot that a polynomial has to meet.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub(super) position: f64,
    pub(super) velocity: f64,
    pub(super) acceleration: f64,
}

/// Stands at a position.
pub(super) fn constant(position: f64) -> Polynomial {
    [position, 0.0, 0.0, 0.0, 0.0, 0.0]
}

/// Goes straight from one position to another in `span_secs`.
pub(super) fn line(from: f64, to: f64, span_secs: f64) -> Polynomial {
    [from, (to - from) / span_secs, 0.0, 0.0, 0.0, 0.0]
}

/// Meets position and velocity of both ends.
pub(super) fn cubic(from: End, to: End, span_secs: f64) -> Polynomial {
    let mean = (to.position - from.position) / span_secs;
    let square = (3.0 * mean - 2.0 * from.velocity - to.velocity) / span_secs;
    let cube = (from.velocity + to.velocity - 2.0 * mean) / span_secs / span_secs;
    [from.position, from.velocity, square, cube, 0.0, 0.0]
}

/// Meets position, velocity and acceleration of both ends.
pub(super) fn quintic(from: End, to: End, span_secs: f64) -> Polynomial {
    let h = span_secs;
    // All three are in units of position per span, so that none outweighs the others.
    let mean = (to.position - from.position) / h;
    let (slow, fast) = (from.velocity, to.velocity);
    let (first, last) = (from.acceleration * h, to.acceleration * h);
    let cube = (20.0 * mean - 12.0 * slow - 8.0 * fast - 3.0 * first + last) / 2.0;
    let fourth = (-30.0 * mean + 16.0 * slow + 14.0 * fast + 3.0 * first - 2.0 * last) / 2.0;
    let fifth = (12.0 * mean - 6.0 * slow - 6.0 * fast - first + last) / 2.0;
    [
        from.position,
        from.velocity,
        from.acceleration / 2.0,
        cube / h / h,
        fourth / h / h / h,
        fifth / h / h / h / h,
    ]
}

/// Evaluates it with both derivatives.
pub(super) fn at(c: &Polynomial, since_secs: f64) -> Sample {
    let s = since_secs;
    Sample {
        position: c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5])))),
        velocity: c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * (4.0 * c[4] + s * (5.0 * c[5])))),
        acceleration: 2.0 * c[2] + s * (6.0 * c[3] + s * (12.0 * c[4] + s * (20.0 * c[5]))),
    }
}

/// Returns the derivative.
pub(super) fn derivative(c: &Polynomial) -> Polynomial {
    [c[1], 2.0 * c[2], 3.0 * c[3], 4.0 * c[4], 5.0 * c[5], 0.0]
}

/// Returns where the value is smallest and largest between 0 and `span_secs`, both included: the
/// time since the start of the segment, and the value there.
pub(super) fn extremes(c: &Polynomial, span_secs: f64) -> [(f64, f64); 2] {
    // Within a span of 1 the coefficients say how much each power matters.
    let mut unit = *c;
    let mut power = 1.0;
    for coefficient in &mut unit {
        *coefficient *= power;
        power *= span_secs;
    }
    let (roots, count) = roots(&derivative(&unit));
    let candidates = roots.iter().copied().take(count).chain([1.0]);
    let mut found = [(0.0, unit[0]); 2];
    for (place, x) in candidates.map(|place| (place, value(&unit, place))) {
        if x < found[0].1 {
            found[0] = (place, x);
        }
        if x > found[1].1 {
            found[1] = (place, x);
        }
    }
    found.map(|(place, x)| (place * span_secs, x))
}

fn value(c: &Polynomial, x: f64) -> f64 {
    c.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
}

/// Finds where it changes its sign between 0 and 1.
///
/// Between two neighbouring sign changes of its derivative a polynomial is monotone, so that each of
/// these stretches has one root at most, and halving finds it. Starting with the highest derivative
/// this finds all of them. A root that only touches zero is no extreme of the integral and is left
/// out.
fn roots(c: &Polynomial) -> ([f64; 6], usize) {
    if c[3..] == [0.0; 3] {
        return square_roots(c[0], c[1], c[2]);
    }
    let mut derivatives = [*c; 5];
    for order in 1..derivatives.len() {
        derivatives[order] = derivative(&derivatives[order - 1]);
    }
    let (mut found, mut count) = ([0.0; 6], 0);
    for polynomial in derivatives.iter().rev() {
        let (mut next, mut next_count) = ([0.0; 6], 0);
        let mut left = 0.0;
        for right in found.iter().copied().take(count).chain([1.0]) {
            if let Some(root) = halve(polynomial, left, right) {
                next[next_count] = root;
                next_count += 1;
            }
            left = right;
        }
        (found, count) = (next, next_count);
    }
    (found, count)
}

/// Finds where `c + b x + a x²` is zero between 0 and 1, without the cancellation of the textbook.
fn square_roots(c: f64, b: f64, a: f64) -> ([f64; 6], usize) {
    let (mut found, mut count) = ([0.0; 6], 0);
    let discriminant = b * b - 4.0 * a * c;
    if discriminant < 0.0 {
        return (found, count);
    }
    let q = -0.5 * (b + discriminant.sqrt().copysign(b));
    // What is no number is within no interval.
    let candidates = [q / a, c / q];
    for root in candidates.into_iter().filter(|root| (0.0..=1.0).contains(root)) {
        found[count] = root;
        count += 1;
    }
    (found, count)
}

/// Finds the sign change of a polynomial that is monotone between `left` and `right`.
fn halve(c: &Polynomial, mut left: f64, mut right: f64) -> Option<f64> {
    let rising = value(c, left) < 0.0;
    if (value(c, right) < 0.0) == rising {
        return None;
    }
    // An interval of length 1 has no numbers in between after as many halvings as a double has bits.
    for _ in 0..64 {
        let middle = 0.5 * (left + right);
        if (value(c, middle) < 0.0) == rising {
            left = middle;
        } else {
            right = middle;
        }
    }
    Some(0.5 * (left + right))
}
