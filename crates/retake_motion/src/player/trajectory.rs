//! The curves of a goal that has begun.

use super::run::GoalRun;
use super::{nanos, secs};
use crate::blend::Blend;
use crate::curve::{CurveError, CurveSet, Knots, Sample};
use crate::{GoalPoint, Interpolation, Refusal};

/// How much steeper than the way to a point a curve may pass it without leaving the range.
const STEEPEST: f64 = 3.0;

/// The curves of a goal: of the joints that it moves, then of the weights on limbs.
#[derive(Clone, Debug)]
pub struct Trajectory {
    /// One after the other; each begins where the one before ends.
    stretches: Vec<CurveSet>,
    moved: usize,
    /// Whether the last point has velocities.
    arrives_moving: bool,
}

impl Trajectory {
    /// Builds the curves of a goal that has begun.
    ///
    /// Points that were over when it began are left out. When the first that is left is still to
    /// come, the way there from where the joints were is part of the curve.
    ///
    /// With a blend, the first line is bent so that it begins gently: a blend that makes up for the
    /// velocity of a steep line swings far to the other side. Nor does the way to the first point
    /// begin with a velocity that would carry it beyond that point: the blend takes care of the rest.
    pub(super) fn new(run: &GoalRun, blend: Blend) -> Result<Self, Refusal> {
        let moved = run.moved.len();
        let path = Path::of(run, blend);
        if path.points.is_empty() {
            return Ok(Self { stretches: Vec::new(), moved, arrives_moving: false });
        }
        let arrives_moving = run.goal.interpolation == Interpolation::Hermite
            && path.points.last().is_some_and(|last| !last.velocities.is_empty());
        let stretches = path.stretches();
        let stretches = stretches.map_err(|error| super::check::invalid(error.to_string()))?;
        Ok(Self { stretches, moved, arrives_moving })
    }

    /// Returns where a moved joint, by its place in the goal's moved joints, is to be.
    pub fn joint(&self, at: usize, elapsed_nanos: i64) -> Option<Sample> {
        let time_secs = secs(elapsed_nanos);
        let mut sample = self.stretch(time_secs)?.sample(at, time_secs);
        self.come_to_rest(time_secs, std::slice::from_mut(&mut sample));
        Some(sample)
    }

    /// Returns where each moved joint is to be, into `out`; says how many there are.
    pub(super) fn joints(&self, elapsed_nanos: i64, out: &mut Vec<Sample>) -> usize {
        let time_secs = secs(elapsed_nanos);
        let Some(curves) = self.stretch(time_secs) else { return 0 };
        out.resize(curves.len(), Sample::default());
        curves.sample_all(time_secs, out);
        self.come_to_rest(time_secs, out);
        self.moved
    }

    /// Lets joints rest from the very end on, unless they are to arrive with a velocity: lines do by
    /// nature, and that is nothing to go on with.
    fn come_to_rest(&self, time_secs: f64, samples: &mut [Sample]) {
        let is_over = self.stretches.last().is_some_and(|last| time_secs >= last.end_secs());
        if is_over && !self.arrives_moving {
            for sample in samples {
                (sample.velocity, sample.acceleration) = (0.0, 0.0);
            }
        }
    }

    /// Returns the weight on a limb, by its place in the goal's supports.
    pub fn support(&self, at: usize, elapsed_nanos: i64) -> f64 {
        self.joint(self.moved + at, elapsed_nanos).map_or(0.0, |sample| sample.position)
    }

    fn stretch(&self, time_secs: f64) -> Option<&CurveSet> {
        let begun = self.stretches.partition_point(|curves| curves.start_secs() <= time_secs);
        self.stretches.get(begun.saturating_sub(1))
    }
}

/// What is left of the points of a goal, with where the joints were when it began.
struct Path<'a> {
    run: &'a GoalRun,
    /// When the way to the first point begins, if there is one.
    approach_secs: Option<f64>,
    points: &'a [GoalPoint],
    /// Whether it begins so that a blend has little to do.
    gentle: bool,
}

impl<'a> Path<'a> {
    fn of(run: &'a GoalRun, blend: Blend) -> Self {
        let began = run.begun_nanos.max(0);
        let over = run.goal.points.partition_point(|point| nanos(point.time_secs) < began);
        let points = &run.goal.points[over..];
        let is_ahead = points.first().is_some_and(|first| nanos(first.time_secs) > began);
        let approaches = is_ahead && run.anchor.len() == run.moved.len();
        let approach_secs = approaches.then(|| secs(began));
        Self { run, approach_secs, points, gentle: blend != Blend::None }
    }

    fn stretches(&self) -> Result<Vec<CurveSet>, CurveError> {
        let interpolation = self.run.goal.interpolation;
        let is_straight = match interpolation {
            Interpolation::Linear => true,
            Interpolation::Hermite => self.points[0].velocities.is_empty(),
            _ => false,
        };
        let mut made = Vec::new();
        let mut from = 0;
        let last = self.knots() - 1;
        if is_straight && self.gentle && last > 0 {
            made.push(self.bent_line()?);
            from = 1;
        }
        while from < last || made.is_empty() {
            let to = match interpolation {
                Interpolation::Hermite => self.same_degree(from),
                _ => last,
            };
            made.push(self.curves(from, to, interpolation)?);
            from = to;
        }
        Ok(made)
    }

    /// How many knots there are, that of the beginning included.
    fn knots(&self) -> usize {
        self.points.len() + usize::from(self.approach_secs.is_some())
    }

    /// Returns the point of a knot; none is where the joints were.
    fn point(&self, knot: usize) -> Option<&'a GoalPoint> {
        let knot = knot.checked_sub(usize::from(self.approach_secs.is_some()))?;
        self.points.get(knot)
    }

    fn time_secs(&self, knot: usize) -> f64 {
        let began = self.approach_secs.unwrap_or_default();
        self.point(knot).map_or(began, |point| point.time_secs)
    }

    /// Returns how many derivatives lead from a knot to the next: those that both give.
    fn degree(&self, segment: usize) -> usize {
        let given = |knot: usize| match self.point(knot) {
            Some(point) if point.velocities.is_empty() => 0,
            Some(point) if point.accelerations.is_empty() => 1,
            // Where the joints were, all is known.
            _ => 2,
        };
        given(segment).min(given(segment + 1))
    }

    /// Returns the knot up to which all segments have the degree of the one after `from`.
    fn same_degree(&self, from: usize) -> usize {
        let last = self.knots() - 1;
        (from + 1..last).find(|knot| self.degree(*knot) != self.degree(from)).unwrap_or(last)
    }

    /// Builds the curves between two knots.
    fn curves(
        &self,
        from: usize,
        to: usize,
        interpolation: Interpolation,
    ) -> Result<CurveSet, CurveError> {
        let degree = if from < to { self.degree(from) } else { 0 };
        let times: Vec<f64> = (from..=to).map(|knot| self.time_secs(knot)).collect();
        let of_joint = |at: usize| {
            let samples = (from..=to).map(|knot| self.sample(knot, at));
            let mut column = Column::default();
            for Sample { position, velocity, acceleration } in samples {
                column.positions.push(position);
                column.velocities.extend((degree > 0).then_some(velocity));
                column.accelerations.extend((degree > 1).then_some(acceleration));
            }
            column
        };
        let joints = (0..self.run.moved.len()).map(of_joint);
        let columns: Vec<Column> = joints.chain(self.supports(from, to)).collect();
        build(interpolation, &times, &columns, self.run.moved.len())
    }

    /// Builds what stands for the first line: it leaves with the velocity that the joints have as
    /// far as that does not lead it beyond its end.
    fn bent_line(&self) -> Result<CurveSet, CurveError> {
        let of_joint = |at: usize| {
            let next = if self.knots() > 2 { self.slope(1, at) } else { 0.0 };
            let slope = self.slope(0, at);
            Column {
                positions: vec![self.position(0, at), self.position(1, at)],
                velocities: vec![self.leaving(at), passing(slope, next)],
                accelerations: Vec::new(),
            }
        };
        let joints = (0..self.run.moved.len()).map(of_joint);
        let columns: Vec<Column> = joints.chain(self.supports(0, 1)).collect();
        let times = [self.time_secs(0), self.time_secs(1)];
        build(Interpolation::Hermite, &times, &columns, self.run.moved.len())
    }

    /// Returns the velocity with which a joint leaves the first knot gently.
    fn leaving(&self, at: usize) -> f64 {
        let present = self.run.anchor.get(at).map_or(0.0, |anchor| anchor.velocity);
        passing(self.slope(0, at), present)
    }

    fn slope(&self, segment: usize, at: usize) -> f64 {
        let way = self.position(segment + 1, at) - self.position(segment, at);
        way / (self.time_secs(segment + 1) - self.time_secs(segment))
    }

    fn position(&self, knot: usize, at: usize) -> f64 {
        let moved = self.run.moved[at];
        self.point(knot).map_or_else(
            || self.run.anchor[at].position,
            |point| point.positions[moved.column] + moved.shift,
        )
    }

    /// Returns what is known of a moved joint at a knot.
    fn sample(&self, knot: usize, at: usize) -> Sample {
        let moved = self.run.moved[at];
        let of = |list: &[f64]| list.get(moved.column).copied().unwrap_or_default();
        let position = self.position(knot, at);
        match self.point(knot) {
            Some(point) => Sample {
                position,
                velocity: of(&point.velocities),
                acceleration: of(&point.accelerations),
            },
            None if self.gentle => {
                Sample { position, velocity: self.leaving(at), acceleration: 0.0 }
            }
            None => self.run.anchor[at],
        }
    }

    fn supports(&self, from: usize, to: usize) -> impl Iterator<Item = Column> {
        self.run.supports.iter().map(move |column| {
            // Before the first point, a limb carries what it does there.
            let point = |knot: usize| self.point(knot).unwrap_or(&self.points[0]);
            let positions = (from..=to).map(|knot| point(knot).positions[*column]).collect();
            Column { positions, ..Column::default() }
        })
    }
}

/// Returns the velocity with which to pass a point between two slopes.
fn passing(before: f64, after: f64) -> f64 {
    match before * after > 0.0 {
        true => after.abs().min(STEEPEST * before.abs()).copysign(after),
        false => 0.0,
    }
}

fn build(
    interpolation: Interpolation,
    times: &[f64],
    columns: &[Column],
    moved: usize,
) -> Result<CurveSet, CurveError> {
    let knots = columns.iter().enumerate();
    let knots: Vec<Knots<'_>> = knots.map(|(at, column)| column.knots(at >= moved)).collect();
    CurveSet::new(interpolation, times, &knots)
}

#[derive(Default)]
struct Column {
    positions: Vec<f64>,
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
}

impl Column {
    fn knots(&self, stepwise: bool) -> Knots<'_> {
        Knots {
            positions: &self.positions,
            velocities: &self.velocities,
            accelerations: &self.accelerations,
            stepwise,
        }
    }
}
