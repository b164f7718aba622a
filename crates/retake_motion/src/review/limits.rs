//! Curves against limits.

use super::{Finding, FindingKind, curves};
use crate::Motion;
use crate::curve::{CurveSet, Extreme, Quantity};
use crate::motion::is_support;

/// Most findings of a motion: of more, the earliest are given.
pub const MAX_FINDINGS: usize = 256;
/// How far beyond a limit of its position a joint may be, in rad or m: what rounding leaves.
const POSITION_SLACK: f64 = 1e-6;
/// How much of a limit of velocity or acceleration may be added to it: what retiming leaves.
const RATE_SLACK: f64 = 2e-6;
/// How far a curve may swing beyond its waypoints, in rad or m, and as a part of the way.
const SWING: f64 = 1e-6;
const SWING_SHARE: f64 = 0.01;

/// What a joint can do; what is infinite is no limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLimits {
    /// Smallest position, in rad or m.
    pub lower: f64,
    /// Largest position, in rad or m.
    pub upper: f64,
    /// Largest velocity, in rad/s or m/s.
    pub max_velocity: f64,
    /// Largest acceleration, in rad/s² or m/s².
    pub max_acceleration: f64,
}

impl JointLimits {
    /// A joint that can do anything.
    pub const NONE: Self = Self {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        max_velocity: f64::INFINITY,
        max_acceleration: f64::INFINITY,
    };
}

impl Default for JointLimits {
    fn default() -> Self {
        Self::NONE
    }
}

/// Returns what is wrong with a motion, sorted by time: one finding for each stretch of segments in
/// which a joint breaks the same limit, and [`MAX_FINDINGS`] at most.
///
/// `limits` are in the order of the motion's joints; joints without any have none, and weights on
/// limbs are left out. Of a motion that makes no curves nothing is found: [`curves`] says why.
pub fn review(motion: &Motion, limits: &[JointLimits]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let made = curves(motion).ok().flatten();
    for (joint, name) in motion.joints.iter().enumerate() {
        let limits = limits.get(joint).copied().unwrap_or_default();
        match &made {
            _ if is_support(name) => {}
            Some(curves) => review_joint(curves, joint, limits, &mut findings),
            None => findings.extend(review_pose(motion, joint, limits)),
        }
    }
    let order = |a: &Finding, b: &Finding| {
        let by_time = a.time_secs.total_cmp(&b.time_secs);
        by_time.then(a.joint.cmp(&b.joint)).then(a.kind.cmp(&b.kind))
    };
    findings.sort_by(order);
    findings.truncate(MAX_FINDINGS);
    findings
}

/// Looks at the only waypoint that counts.
fn review_pose(motion: &Motion, joint: usize, limits: JointLimits) -> Option<Finding> {
    let mut enabled = motion.enabled();
    let only = enabled.next().filter(|_| enabled.next().is_none())?;
    let extreme = Extreme { time_secs: only.time_secs, value: *only.positions.get(joint)? };
    let worst = Allowed::position(limits).worst([extreme; 2])?;
    Some(worst.finding(FindingKind::Position, joint))
}

fn review_joint(curves: &CurveSet, joint: usize, limits: JointLimits, out: &mut Vec<Finding>) {
    let rates = |most: f64| Allowed { least: -most, most, slack: RATE_SLACK * most };
    let fixed = [
        (FindingKind::Position, Quantity::Position, Allowed::position(limits)),
        (FindingKind::Velocity, Quantity::Velocity, rates(limits.max_velocity)),
        (FindingKind::Acceleration, Quantity::Acceleration, rates(limits.max_acceleration)),
    ];
    for (kind, quantity, allowed) in fixed {
        let broken = |segment| allowed.worst(curves.extremes(joint, segment, quantity));
        out.extend(stretches(curves, broken).map(|worst| worst.finding(kind, joint)));
    }
    let swings = |segment: usize| {
        let [from, to] = [0, 1].map(|end| curves.knot(joint, segment + end));
        let slack = SWING + SWING_SHARE * (to - from).abs();
        let allowed = Allowed { least: from.min(to), most: from.max(to), slack };
        allowed.worst(curves.extremes(joint, segment, Quantity::Position))
    };
    let found = stretches(curves, swings);
    out.extend(found.map(|worst| worst.finding(FindingKind::Overshoot, joint)));
}

/// What a quantity may be, and how far beyond it is let pass.
#[derive(Clone, Copy)]
struct Allowed {
    least: f64,
    most: f64,
    slack: f64,
}

impl Allowed {
    fn position(limits: JointLimits) -> Self {
        Self { least: limits.lower, most: limits.upper, slack: POSITION_SLACK }
    }

    /// Returns the worse end of a range if it is beyond what is allowed; a limit that is no number
    /// is none.
    fn worst(&self, [low, high]: [Extreme; 2]) -> Option<Worst> {
        let below = Worst { at: low, limit: self.least, beyond: self.least - low.value };
        let above = Worst { at: high, limit: self.most, beyond: high.value - self.most };
        let worse =
            if above.beyond > below.beyond || below.beyond.is_nan() { above } else { below };
        (worse.beyond > self.slack).then_some(worse)
    }
}

/// Where a limit is broken most.
#[derive(Clone, Copy)]
struct Worst {
    at: Extreme,
    limit: f64,
    beyond: f64,
}

impl Worst {
    fn finding(self, kind: FindingKind, joint: usize) -> Finding {
        let Extreme { time_secs, value } = self.at;
        Finding { kind, joint, time_secs, value, limit: self.limit }
    }
}

/// Joins segments that follow one another and break the same limit; the worst of them stands for
/// all.
fn stretches(
    curves: &CurveSet,
    broken: impl Fn(usize) -> Option<Worst>,
) -> impl Iterator<Item = Worst> {
    let mut found: Vec<Worst> = Vec::new();
    let mut goes_on = false;
    for segment in 0..curves.segments() {
        let worst = broken(segment);
        goes_on &= worst.is_some();
        let Some(worst) = worst else { continue };
        match found.last_mut().filter(|last| goes_on && last.limit == worst.limit) {
            Some(last) if worst.beyond > last.beyond => *last = worst,
            Some(_) => {}
            None => found.push(worst),
        }
        goes_on = true;
    }
    found.into_iter()
}
