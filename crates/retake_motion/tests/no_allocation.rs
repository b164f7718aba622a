//! A cycle does not allocate.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(unsafe_code, reason = "counting allocations means being the allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use retake_motion::blend::{Blend, Blending};
use retake_motion::curve::{CurveSet, Knots, Sample};
use retake_motion::player::{Curves, Cycle, Goals, Joint, Order, Progress, Robot, Rules};
use retake_motion::{Goal, GoalPoint, Interpolation, TextCommand, TimedAction};

/// The system's allocator, which counts for each thread what it is asked for.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(of: impl FnOnce()) -> usize {
    let before = ALLOCATIONS.with(Cell::get);
    of();
    ALLOCATIONS.with(Cell::get) - before
}

fn curves(joints: usize) -> CurveSet {
    let times: Vec<f64> = (0..20).map(f64::from).collect();
    let positions: Vec<f64> = times.iter().map(|time| time.sin()).collect();
    let knots =
        Knots { positions: &positions, velocities: &[], accelerations: &[], stepwise: false };
    CurveSet::new(Interpolation::Monotone, &times, &vec![knots; joints]).unwrap()
}

#[test]
fn the_count_sees_an_allocation() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

#[test]
fn a_cycle_of_thirty_joints_allocates_nothing() {
    let curves = curves(30);
    let blends = [
        Blend::transient(2.0).unwrap(),
        Blend::low_pass(2.0).unwrap(),
        Blend::jerk_limited(1.0, 2.0, 10.0).unwrap(),
    ];
    let present = Sample { position: 2.0, velocity: 0.5, acceleration: 0.0 };
    let mut reference = [Sample::default(); 30];
    for blend in blends {
        let mut blendings: Vec<Blending> =
            reference.iter().map(|reference| blend.start(present, *reference)).collect();
        let cycles = || {
            for cycle in 0..2000 {
                curves.sample_all(f64::from(cycle) * 0.01, &mut reference);
                for (blending, reference) in blendings.iter_mut().zip(&reference) {
                    blend.cycle(blending, *reference, 0.01);
                }
            }
        };
        assert_eq!(allocations(cycles), 0, "{}", blend.word());
    }
}

/// A goal for some of the joints, of ten points in ten seconds, with an action at each.
fn order(joints: std::ops::Range<usize>, rules: Rules) -> Order {
    let points = (1..=10).map(|at| GoalPoint {
        time_secs: f64::from(at),
        positions: joints.clone().map(|joint| (f64::from(at) + joint as f64).sin()).collect(),
        ..GoalPoint::default()
    });
    let action =
        |at: i32| TimedAction { time_secs: f64::from(at), command: TextCommand::default() };
    let goal = Goal {
        joints: joints.clone().map(|joint| joint.to_string()).collect(),
        points: points.collect(),
        actions: (0..=10).map(action).collect(),
        ..Goal::default()
    };
    let goal_id = joints.start.to_string();
    Order { goal_id, player: 1, rules, goal, nested: Vec::new(), keep_alive_secs: 5.0 }
}

#[test]
fn players_of_thirty_joints_allocate_nothing_in_a_period() {
    let limits = (f64::NEG_INFINITY, f64::INFINITY);
    let joint =
        |at: usize| Joint { name: at.to_string(), continuous: at.is_multiple_of(2), limits };
    let robot = Robot::new((0..31).map(joint).collect(), Vec::new()).unwrap();
    let (mut goals, mut progress) = (Goals::default(), Progress::new(&robot));
    let (mut curves, mut outcomes) = (Curves::default(), Vec::new());
    let mut measured = vec![Sample::default(); 31];
    let jerk_limited = Blend::jerk_limited(5.0, 20.0, 200.0).unwrap();
    for period in 0..=1000 {
        let mut cycle = Cycle {
            robot: &robot,
            goals: &mut goals,
            progress: &mut progress,
            measured: &measured,
            now_nanos: period * 1_000_000,
            outcomes: &mut outcomes,
            goals_changed: false,
        };
        if period == 0 {
            cycle.start(&order(0..15, Rules::native())).unwrap();
            let rules = Rules { blend: jerk_limited, path_tolerance: 0.5, ..Rules::native() };
            cycle.start(&order(15..30, rules)).unwrap();
            let follower = Order { player: 2, ..order(30..31, Rules::native()) };
            cycle.follow(&follower, &[("30", 1.0)]).unwrap();
            // The first period builds the curves.
            cycle.advance(&mut curves, 1_000_000);
            continue;
        }
        let mut due = 0;
        let count = allocations(|| {
            cycle.advance(&mut curves, 1_000_000);
            let runs = cycle.goals.runs.iter().zip(&cycle.progress.runs);
            due = runs.map(|(run, progress)| run.due(progress).len()).sum();
        });
        assert_eq!(count, 0, "in period {period}");
        assert_eq!(due > 0, period == 999, "in period {period}");
        let told = progress.drives.iter().map(|drive| drive.reference);
        measured.iter_mut().zip(told).for_each(|(measured, told)| *measured = told);
    }
    assert_eq!(goals.runs.len(), 3);
}

#[test]
fn a_goal_that_repeats_allocates_only_where_it_begins_anew() {
    let limits = (f64::NEG_INFINITY, f64::INFINITY);
    let joint = |at: usize| Joint { name: at.to_string(), continuous: false, limits };
    let robot = Robot::new((0..30).map(joint).collect(), Vec::new()).unwrap();
    let (mut goals, mut progress) = (Goals::default(), Progress::new(&robot));
    let (mut curves, mut outcomes) = (Curves::default(), Vec::new());
    let measured = vec![Sample::default(); 30];
    let (mut wraps, mut quiet) = (0, 0);
    for period in 0..=250 {
        let mut cycle = Cycle {
            robot: &robot,
            goals: &mut goals,
            progress: &mut progress,
            measured: &measured,
            now_nanos: period * 100_000_000,
            outcomes: &mut outcomes,
            goals_changed: false,
        };
        if period == 0 {
            let mut order = order(0..30, Rules::native());
            (order.goal.repeat, order.keep_alive_secs) = (true, 0.0);
            cycle.start(&order).unwrap();
            cycle.advance(&mut curves, 100_000_000);
            continue;
        }
        cycle.goals_changed = false;
        let count = allocations(|| cycle.advance(&mut curves, 100_000_000));
        match cycle.goals_changed {
            true => wraps += 1,
            false => assert_eq!(count, 0, "in period {period}"),
        }
        quiet += usize::from(count == 0);
    }
    assert_eq!((wraps, quiet), (2, 248));
}
