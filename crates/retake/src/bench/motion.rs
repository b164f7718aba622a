//! Motions: curves against bare polynomials, a long one, and the share of a period of players.

use std::hint::black_box;

use anyhow::anyhow;
use retake_motion::blend::Blend;
use retake_motion::curve::{CurveSet, Knots, Sample};
use retake_motion::player::{Curves, Cycle, Goals, Joint, Order, Progress, Robot, Rules};
use retake_motion::{Goal, GoalPoint, Interpolation};
use serde::Serialize;

use super::step::{cpu_micros, median};
use crate::output::{Outcome, Printer};

/// Joints of a robot whose players are measured, and of each of its two goals.
const JOINTS: usize = 30;
const JOINTS_OF_GOAL: usize = 15;
/// Joints and waypoints of a long motion.
const LONG: (usize, usize) = (100, 1000);
/// Length of a period, in nanoseconds.
const PERIOD_NANOS: i64 = 1_000_000;
/// How often each thing is timed.
const TIMES: usize = 25;
/// Evaluations that are timed together.
const EVALUATIONS: u32 = 2000;

/// What came of one way of interpolation; times are of one joint.
#[derive(Serialize)]
struct Curve {
    interpolation: &'static str,
    build_ns_per_waypoint: f64,
    evaluation_ns: f64,
    bare_evaluation_ns: f64,
    /// One evaluation against the bare polynomial with its derivatives.
    ratio: f64,
    /// Building one waypoint against one bare evaluation.
    build_ratio: f64,
}

/// What came of one way of blending.
#[derive(Serialize)]
struct Period {
    blend: &'static str,
    p50_us: f64,
    p99_us: f64,
    /// Of a period of 1 ms, in %.
    p50_share: f64,
    p99_share: f64,
    /// Periods until the first reference that differs; the aim is 1.
    first_reference_cycles: u32,
}

#[derive(Serialize)]
struct Report {
    curves: Vec<Curve>,
    long_build_ms: f64,
    long_start_ms: f64,
    periods: Vec<Period>,
}

/// Measures curves, and players for so many periods.
pub(super) fn run(cycles: u32, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let curves = Interpolation::ALL.into_iter().map(|(way, _)| measure_curve(way));
    let curves = curves.collect::<anyhow::Result<Vec<Curve>>>()?;
    let (long_build_ms, long_start_ms) = measure_long()?;
    let blends = [
        Blend::None,
        Blend::transient(0.5)?,
        Blend::low_pass(0.5)?,
        Blend::jerk_limited(3.0, 10.0, 100.0)?,
    ];
    let periods = blends.into_iter().map(|blend| measure_periods(blend, cycles.max(100)));
    let periods = periods.collect::<anyhow::Result<Vec<Period>>>()?;
    let report = Report { curves, long_build_ms, long_start_ms, periods };
    printer.print(&report, |out| {
        writeln!(out, "One joint: CPU time of a waypoint built, and of an evaluation, in ns")?;
        writeln!(
            out,
            "{:<10} {:>9} {:>9} {:>9} {:>7} {:>12}",
            "way", "build", "evaluate", "bare", "ratio", "build/bare"
        )?;
        for row in &report.curves {
            let Curve { interpolation, build_ns_per_waypoint: build, .. } = row;
            let (ours, bare) = (row.evaluation_ns, row.bare_evaluation_ns);
            let (ratio, builds) = (row.ratio, row.build_ratio);
            writeln!(
                out,
                "{interpolation:<10} {build:>9.1} {ours:>9.1} {bare:>9.1} {ratio:>7.2} {builds:>12.1}"
            )?;
        }
        let (joints, waypoints) = LONG;
        writeln!(
            out,
            "{joints} joints with {waypoints} waypoints: curves in {:.2} ms, goal to first \
             reference in {:.2} ms",
            report.long_build_ms, report.long_start_ms
        )?;
        writeln!(out, "{JOINTS} joints, two goals, {cycles} periods of 1 ms: CPU time of a period")?;
        writeln!(
            out,
            "{:<13} {:>8} {:>8} {:>8} {:>8} {:>16}",
            "blend", "p50 µs", "p99 µs", "p50 %", "p99 %", "first reference"
        )?;
        for row in &report.periods {
            let Period { blend, p50_us, p99_us, p50_share, p99_share, .. } = row;
            let first = row.first_reference_cycles;
            writeln!(
                out,
                "{blend:<13} {p50_us:>8.2} {p99_us:>8.2} {p50_share:>8.3} {p99_share:>8.3} \
                 {first:>9} (aim 1)"
            )?;
        }
        Ok(())
    })?;
    let late = report.periods.iter().any(|period| period.first_reference_cycles != 1);
    Ok(if late { Outcome::Failed } else { Outcome::Done })
}

/// Waypoints of a joint that swings.
struct Taught {
    times: Vec<f64>,
    positions: Vec<f64>,
    velocities: Vec<f64>,
    accelerations: Vec<f64>,
}

impl Taught {
    fn new(waypoints: usize) -> Self {
        let times: Vec<f64> = (0..waypoints).map(|at| at as f64 * 0.1).collect();
        let of = |value: fn(f64) -> f64| times.iter().map(|time| value(*time)).collect();
        Self {
            positions: of(f64::sin),
            velocities: of(f64::cos),
            accelerations: of(|time| -time.sin()),
            times,
        }
    }

    fn knots(&self) -> Knots<'_> {
        Knots {
            positions: &self.positions,
            velocities: &self.velocities,
            accelerations: &self.accelerations,
            stepwise: false,
        }
    }
}

fn measure_curve(interpolation: Interpolation) -> anyhow::Result<Curve> {
    let taught = Taught::new(LONG.1);
    let knots = vec![taught.knots(); JOINTS];
    let curves = CurveSet::new(interpolation, &taught.times, &knots)?;
    let joints = JOINTS as f64;
    let built = || CurveSet::new(interpolation, &taught.times, &knots);
    let build_us = timed(|| drop(black_box(built())));
    let mut out = vec![Sample::default(); JOINTS];
    let mut bare = vec![[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]; JOINTS];
    let (mut ours_us, mut bare_us) = (Vec::new(), Vec::new());
    for _ in 0..TIMES {
        // In turn, so that what else the machine does falls on both.
        ours_us.push(once(|| {
            for cycle in 0..EVALUATIONS {
                curves.sample_all(f64::from(cycle) * 0.001, black_box(&mut out));
            }
        }));
        bare_us.push(once(|| {
            for cycle in 0..EVALUATIONS {
                let time_secs = f64::from(cycle) * 0.001;
                for (out, polynomial) in out.iter_mut().zip(black_box(&mut bare)) {
                    *out = horner(polynomial, time_secs);
                }
                black_box(&mut out);
            }
        }));
    }
    let ratio = median(ours_us.iter().zip(&bare_us).map(|(ours, bare)| ours / bare).collect());
    let each = |us: Vec<f64>| median(us) * 1e3 / f64::from(EVALUATIONS) / joints;
    let bare_evaluation_ns = each(bare_us);
    let build_ns_per_waypoint = build_us * 1e3 / joints / LONG.1 as f64;
    Ok(Curve {
        interpolation: interpolation.word(),
        build_ns_per_waypoint,
        evaluation_ns: each(ours_us),
        bare_evaluation_ns,
        ratio,
        build_ratio: build_ns_per_waypoint / bare_evaluation_ns,
    })
}

/// Evaluates a polynomial of degree five with two derivatives.
fn horner(of: &[f64; 6], at: f64) -> Sample {
    let [a, b, c, d, e, f] = *of;
    Sample {
        position: a + at * (b + at * (c + at * (d + at * (e + at * f)))),
        velocity: b + at * (2.0 * c + at * (3.0 * d + at * (4.0 * e + at * 5.0 * f))),
        acceleration: 2.0 * c + at * (6.0 * d + at * (12.0 * e + at * 20.0 * f)),
    }
}

/// Returns how long the curves of a long motion take, and how long it takes to its first reference.
fn measure_long() -> anyhow::Result<(f64, f64)> {
    let (joints, waypoints) = LONG;
    let taught = Taught::new(waypoints);
    let knots = vec![taught.knots(); joints];
    let built = || CurveSet::new(Interpolation::Monotone, &taught.times, &knots);
    let build_us = timed(|| drop(black_box(built())));
    let order = order(0..joints, &taught, Rules::native());
    let mut times = Vec::new();
    for _ in 0..TIMES {
        let mut players = Players::new(joints)?;
        let began = cpu_micros();
        players.start(&order)?;
        players.advance();
        times.push(cpu_micros() - began);
    }
    Ok((build_us / 1e3, median(times) / 1e3))
}

fn measure_periods(blend: Blend, cycles: u32) -> anyhow::Result<Period> {
    let mut players = Players::new(JOINTS)?;
    let rules = Rules { blend, check_start: false, ..Rules::native() };
    let taught = Taught::new(LONG.1);
    let begin = |players: &mut Players| -> anyhow::Result<()> {
        players.start(&order(0..JOINTS_OF_GOAL, &taught, rules.clone()))?;
        players.start(&order(JOINTS_OF_GOAL..JOINTS, &taught, rules.clone()))
    };
    begin(&mut players)?;
    let still = players.references();
    let mut first_reference_cycles = 0;
    while players.references() == still && first_reference_cycles < cycles {
        players.advance();
        first_reference_cycles += 1;
    }
    let mut times = Vec::with_capacity(cycles as usize);
    for _ in 0..cycles {
        if players.goals.runs.is_empty() {
            begin(&mut players)?;
            players.advance();
        }
        let began = cpu_micros();
        players.advance();
        times.push(cpu_micros() - began);
        players.obey();
    }
    times.sort_by(f64::total_cmp);
    let (p50_us, p99_us) = (times[times.len() / 2], times[times.len() * 99 / 100]);
    let share = |us: f64| us * 1e3 / PERIOD_NANOS as f64 * 100.0;
    Ok(Period {
        blend: blend.word(),
        p50_us,
        p99_us,
        p50_share: share(p50_us),
        p99_share: share(p99_us),
        first_reference_cycles,
    })
}

/// A robot with its players, whose joints are where they are told to be.
struct Players {
    robot: Robot,
    goals: Goals,
    progress: Progress,
    measured: Vec<Sample>,
    curves: Curves,
    now_nanos: i64,
}

impl Players {
    fn new(joints: usize) -> anyhow::Result<Self> {
        let limits = (f64::NEG_INFINITY, f64::INFINITY);
        let joint = |at: usize| Joint { name: at.to_string(), continuous: false, limits };
        let robot = Robot::new((0..joints).map(joint).collect(), Vec::new())?;
        Ok(Self {
            goals: Goals::default(),
            progress: Progress::new(&robot),
            measured: vec![Sample::default(); joints],
            curves: Curves::default(),
            now_nanos: 0,
            robot,
        })
    }

    fn start(&mut self, order: &Order) -> anyhow::Result<()> {
        let started = self.ask(|cycle, _| cycle.start(order));
        started.map(|_| ()).map_err(|refusal| anyhow!("{refusal}"))
    }

    fn advance(&mut self) {
        self.ask(|cycle, curves| cycle.advance(curves, PERIOD_NANOS));
        self.now_nanos += PERIOD_NANOS;
    }

    fn ask<T>(&mut self, what: impl FnOnce(&mut Cycle<'_>, &mut Curves) -> T) -> T {
        let mut cycle = Cycle {
            robot: &self.robot,
            goals: &mut self.goals,
            progress: &mut self.progress,
            measured: &self.measured,
            now_nanos: self.now_nanos,
            outcomes: &mut Vec::new(),
            goals_changed: false,
        };
        what(&mut cycle, &mut self.curves)
    }

    fn references(&self) -> Vec<Sample> {
        self.progress.drives.iter().map(|drive| drive.reference).collect()
    }

    fn obey(&mut self) {
        let told = self.progress.drives.iter().map(|drive| drive.reference);
        self.measured.iter_mut().zip(told).for_each(|(measured, told)| *measured = told);
    }
}

/// A goal by which some joints swing, beginning elsewhere than they are.
fn order(joints: std::ops::Range<usize>, taught: &Taught, rules: Rules) -> Order {
    let count = joints.len();
    let points = taught.times.iter().zip(&taught.positions).map(|(time, position)| GoalPoint {
        time_secs: *time,
        positions: vec![position + 0.5; count],
        ..GoalPoint::default()
    });
    let goal_id = joints.start.to_string();
    let goal = Goal {
        joints: joints.map(|joint| joint.to_string()).collect(),
        points: points.collect(),
        interpolation: Interpolation::Monotone,
        ..Goal::default()
    };
    Order { goal_id, player: 1, rules, goal, nested: Vec::new(), keep_alive_secs: 0.0 }
}

fn timed(mut what: impl FnMut()) -> f64 {
    median((0..TIMES).map(|_| once(&mut what)).collect())
}

fn once(what: impl FnOnce()) -> f64 {
    let began = cpu_micros();
    what();
    cpu_micros() - began
}
