//! The curves of all joints of a motion.

use std::borrow::Cow;

use crate::Interpolation;

use super::polynomial::{self, End, Polynomial};
use super::slopes::{self, Path};
use super::{CurveError, Extreme, Knots, Quantity, Sample};

/// The curves of all joints of a motion, over one list of times.
///
/// What leads from knot to knot:
/// - monotone, Akima, clamped: cubics, at rest at both ends, because joints are held before and
///   after a motion. Natural: cubics that do not accelerate at the ends, and so may start and stop
///   with a jerk. Linear: straight lines. Velocities and accelerations of the knots do not count.
/// - Hermite: quintics for a joint whose velocities and accelerations are given, cubics when only
///   velocities are, else straight lines; accelerations without velocities do not count.
/// - a stepwise joint holds each value until the next knot, whatever the interpolation.
///
/// A single knot is a curve of no duration.
#[derive(Clone, Debug, PartialEq)]
pub struct CurveSet {
    times: Vec<f64>,
    /// Of each joint, the position before the start and after the end.
    holds: Vec<(f64, f64)>,
    /// All joints of the first segment, then all of the second: a cycle reads one stretch of memory.
    polynomials: Vec<Polynomial>,
}

impl CurveSet {
    /// Builds the curves through `joints`, whose lists have one value for each of `times`, in s.
    ///
    /// # Errors
    /// [`CurveError`] when there are no times or they do not grow, when a list has the wrong size or
    /// a value is not finite, and when the curve would leave the range of numbers.
    pub fn new(
        interpolation: Interpolation,
        times: &[f64],
        joints: &[Knots<'_>],
    ) -> Result<Self, CurveError> {
        check_times(times)?;
        let segments = times.len() - 1;
        let mut polynomials = vec![polynomial::constant(0.0); segments * joints.len()];
        let mut holds = Vec::with_capacity(joints.len());
        for (joint, knots) in joints.iter().enumerate() {
            check_knots(joint, knots, times.len())?;
            holds.push((knots.positions[0], knots.positions[segments]));
            let way = Way::of(interpolation, times, knots);
            for segment in 0..segments {
                let span_secs = times[segment + 1] - times[segment];
                let made = way.between(segment, span_secs, knots.positions);
                if !is_computable(&made, span_secs) {
                    return Err(CurveError::Overflow { joint, knot: segment });
                }
                polynomials[segment * joints.len() + joint] = made;
            }
        }
        Ok(Self { times: times.to_vec(), holds, polynomials })
    }

    /// Returns how many joints it has.
    pub fn len(&self) -> usize {
        self.holds.len()
    }

    /// Says whether it has no joints.
    pub fn is_empty(&self) -> bool {
        self.holds.is_empty()
    }

    /// Returns the time of the first knot, in s.
    pub fn start_secs(&self) -> f64 {
        self.times[0]
    }

    /// Returns the time of the last knot, in s.
    pub fn end_secs(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// Returns the index of the segment at a time: the first one before the start, the last one after
    /// the end, and from a knot on the one that begins there.
    pub fn segment(&self, time_secs: f64) -> usize {
        let begun = self.times.partition_point(|time| *time <= time_secs);
        begun.saturating_sub(1).min(self.times.len().saturating_sub(2))
    }

    /// Returns where a joint is at a time.
    ///
    /// Before the start and after the end it stands at the first and at the last knot. At the very
    /// end velocity and acceleration are still those of the curve, so that one that does not stop is
    /// noticed.
    ///
    /// # Panics
    /// When there is no such joint.
    pub fn sample(&self, joint: usize, time_secs: f64) -> Sample {
        let hold = self.holds[joint];
        match self.place(time_secs) {
            Place::Before => standing(hold.0),
            Place::Within { segment, since_secs } => {
                polynomial::at(&self.of_segment(segment)[joint], since_secs)
            }
            Place::End { segment, since_secs } => {
                at_end(&self.of_segment(segment)[joint], since_secs, hold.1)
            }
            Place::After => standing(hold.1),
        }
    }

    /// Writes where all joints are at a time, as [`CurveSet::sample`] does for one.
    ///
    /// When `out` is shorter or longer than the joints, only what both have is written.
    pub fn sample_all(&self, time_secs: f64, out: &mut [Sample]) {
        let holds = self.holds.iter();
        match self.place(time_secs) {
            Place::Before => out.iter_mut().zip(holds).for_each(|(o, hold)| *o = standing(hold.0)),
            Place::Within { segment, since_secs } => {
                for (out, made) in out.iter_mut().zip(self.of_segment(segment)) {
                    *out = polynomial::at(made, since_secs);
                }
            }
            Place::End { segment, since_secs } => {
                let made = self.of_segment(segment).iter().zip(holds);
                for (out, (made, hold)) in out.iter_mut().zip(made) {
                    *out = at_end(made, since_secs, hold.1);
                }
            }
            Place::After => out.iter_mut().zip(holds).for_each(|(o, hold)| *o = standing(hold.1)),
        }
    }

    /// Returns the smallest and the largest position of a joint, from the roots of the velocity.
    ///
    /// # Panics
    /// When there is no such joint.
    pub fn range(&self, joint: usize) -> (f64, f64) {
        let (first, last) = self.holds[joint];
        let ends = (first.min(last), first.max(last));
        self.spans(joint).fold(ends, |(low, high), (made, span_secs)| {
            let [(_, least), (_, most)] = polynomial::extremes(made, span_secs);
            (low.min(least), high.max(most))
        })
    }

    /// Returns the largest magnitude of velocity and of acceleration of a joint between the first
    /// and the last knot.
    ///
    /// # Panics
    /// When there is no such joint.
    pub fn peak(&self, joint: usize) -> (f64, f64) {
        let largest = |of: &Polynomial, span_secs: f64| {
            let [(_, least), (_, most)] = polynomial::extremes(of, span_secs);
            least.abs().max(most.abs())
        };
        self.spans(joint).fold((0.0, 0.0), |(speed, change): (f64, f64), (made, span_secs)| {
            let velocity = polynomial::derivative(made);
            let acceleration = polynomial::derivative(&velocity);
            (
                speed.max(largest(&velocity, span_secs)),
                change.max(largest(&acceleration, span_secs)),
            )
        })
    }

    /// Returns the times of the knots, in s.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Returns how many segments lie between the knots.
    pub fn segments(&self) -> usize {
        self.times.len() - 1
    }

    /// Returns where a quantity of a joint is smallest and where it is largest in a segment, its
    /// ends included, from the roots of the derivative.
    ///
    /// # Panics
    /// When there is no such joint or segment.
    pub fn extremes(&self, joint: usize, segment: usize, of: Quantity) -> [Extreme; 2] {
        let made = &self.of_segment(segment)[joint];
        let (from_secs, to_secs) = (self.times[segment], self.times[segment + 1]);
        let looked_at = match of {
            Quantity::Position => *made,
            Quantity::Velocity => polynomial::derivative(made),
            Quantity::Acceleration => polynomial::derivative(&polynomial::derivative(made)),
        };
        // From the next knot on the next segment counts, and at the last knot nothing comes after.
        let is_last = segment + 2 == self.times.len();
        let latest_secs = if is_last { to_secs } else { to_secs.next_down() };
        polynomial::extremes(&looked_at, to_secs - from_secs).map(|(since_secs, value)| {
            let time_secs = (from_secs + since_secs).clamp(from_secs, latest_secs);
            Extreme { time_secs, value }
        })
    }

    /// Returns where a joint is at a knot.
    pub(crate) fn knot(&self, joint: usize, knot: usize) -> f64 {
        match knot < self.segments() {
            true => self.of_segment(knot)[joint][0],
            false => self.holds[joint].1,
        }
    }

    /// Goes on with curves of the same joints that begin at the last knot.
    pub(crate) fn append(&mut self, next: &Self) {
        self.times.extend(&next.times[1..]);
        self.polynomials.extend(&next.polynomials);
        for (hold, next) in self.holds.iter_mut().zip(&next.holds) {
            hold.1 = next.1;
        }
    }

    fn place(&self, time_secs: f64) -> Place {
        let end_secs = self.end_secs();
        if time_secs > end_secs || (self.times.len() == 1 && time_secs == end_secs) {
            return Place::After;
        }
        let segment = self.segment(time_secs);
        let since_secs = time_secs - self.times[segment];
        if time_secs == end_secs {
            Place::End { segment, since_secs }
        } else if since_secs >= 0.0 {
            Place::Within { segment, since_secs }
        } else {
            // Neither is a time that is no number within the curve.
            Place::Before
        }
    }

    fn of_segment(&self, segment: usize) -> &[Polynomial] {
        let joints = self.len();
        &self.polynomials[segment * joints..(segment + 1) * joints]
    }

    fn spans(&self, joint: usize) -> impl Iterator<Item = (&Polynomial, f64)> {
        let spans = self.times.windows(2).map(|pair| pair[1] - pair[0]);
        self.polynomials.iter().skip(joint).step_by(self.len()).zip(spans)
    }
}

/// Where a time is in relation to the knots.
enum Place {
    Before,
    Within { segment: usize, since_secs: f64 },
    End { segment: usize, since_secs: f64 },
    After,
}

fn standing(position: f64) -> Sample {
    Sample { position, ..Sample::default() }
}

/// The position is that of the knot, to the last bit, because it is held from here on; a stepwise
/// joint has it from here on only.
fn at_end(made: &Polynomial, since_secs: f64, position: f64) -> Sample {
    Sample { position, ..polynomial::at(made, since_secs) }
}

/// What leads a joint from knot to knot.
enum Way<'a> {
    Steps,
    Lines,
    Cubics { velocities: Cow<'a, [f64]> },
    Quintics { velocities: &'a [f64], accelerations: &'a [f64] },
}

impl<'a> Way<'a> {
    fn of(interpolation: Interpolation, times: &'a [f64], knots: &Knots<'a>) -> Self {
        let path = Path { times, positions: knots.positions };
        match interpolation {
            _ if knots.stepwise => Self::Steps,
            Interpolation::Hermite => Self::given(knots),
            _ => slopes::chosen(interpolation, path)
                .map_or(Self::Lines, |velocities| Self::Cubics { velocities: velocities.into() }),
        }
    }

    fn given(knots: &Knots<'a>) -> Self {
        let (velocities, accelerations) = (knots.velocities, knots.accelerations);
        match (velocities.is_empty(), accelerations.is_empty()) {
            (true, _) => Self::Lines,
            (false, true) => Self::Cubics { velocities: velocities.into() },
            (false, false) => Self::Quintics { velocities, accelerations },
        }
    }

    fn between(&self, segment: usize, span_secs: f64, positions: &[f64]) -> Polynomial {
        let (from, to) = (positions[segment], positions[segment + 1]);
        let end = |knot: usize, velocities: &[f64], accelerations: &[f64]| End {
            position: positions[knot],
            velocity: velocities[knot],
            acceleration: accelerations.get(knot).copied().unwrap_or(0.0),
        };
        let both = |velocities: &[f64], accelerations: &[f64]| {
            (end(segment, velocities, accelerations), end(segment + 1, velocities, accelerations))
        };
        match self {
            Self::Steps => polynomial::constant(from),
            Self::Lines => polynomial::line(from, to, span_secs),
            Self::Cubics { velocities } => {
                let (from, to) = both(velocities, &[]);
                polynomial::cubic(from, to, span_secs)
            }
            Self::Quintics { velocities, accelerations } => {
                let (from, to) = both(velocities, accelerations);
                polynomial::quintic(from, to, span_secs)
            }
        }
    }
}

fn check_times(times: &[f64]) -> Result<(), CurveError> {
    if times.is_empty() {
        return Err(CurveError::Empty);
    }
    if let Some(knot) = times.iter().position(|time| !time.is_finite()) {
        return Err(CurveError::Time { knot, time_secs: times[knot] });
    }
    match times.windows(2).position(|pair| pair[0] >= pair[1]) {
        Some(before) => Err(CurveError::NotIncreasing {
            knot: before + 1,
            time_secs: times[before + 1],
            before_secs: times[before],
        }),
        None => Ok(()),
    }
}

fn check_knots(joint: usize, knots: &Knots<'_>, count: usize) -> Result<(), CurveError> {
    let lists = [
        ("positions", knots.positions, false),
        ("velocities", knots.velocities, true),
        ("accelerations", knots.accelerations, true),
    ];
    for (what, list, optional) in lists {
        if list.len() != count && !(optional && list.is_empty()) {
            return Err(CurveError::Size { joint, what, count: list.len(), knots: count });
        }
        if let Some(knot) = list.iter().position(|value| !value.is_finite()) {
            return Err(CurveError::NotFinite { joint, what, knot, value: list[knot] });
        }
    }
    Ok(())
}

fn is_computable(made: &Polynomial, span_secs: f64) -> bool {
    let end = polynomial::at(made, span_secs);
    let values = [end.position, end.velocity, end.acceleration];
    made.iter().chain(&values).all(|value| value.is_finite())
}
