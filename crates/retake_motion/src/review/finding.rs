//! One thing that is wrong.

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// A joint goes beyond its limits.
    Position,
    /// A joint is too fast.
    Velocity,
    /// A joint speeds up or slows down too much.
    Acceleration,
    /// A joint swings beyond the two waypoints that it is between.
    Overshoot,
}

/// One thing that is wrong, where it is worst.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// What.
    pub kind: FindingKind,
    /// Place in the motion's joints.
    pub joint: usize,
    /// Where it is worst, in s of the motion.
    pub time_secs: f64,
    /// What the curve has there, with its sign, in rad or m, for each s or s².
    pub value: f64,
    /// What it would be allowed to have, with the same sign; of an overshoot, the waypoint that it
    /// swings beyond.
    pub limit: f64,
}

impl Finding {
    /// Says it to people; `unit` is that of the position: "rad" or "m".
    pub fn text(&self, joint: &str, unit: &str) -> String {
        let Self { time_secs, value, limit, .. } = self;
        let digits = digits(*value, *limit);
        let (does, unit, rule) = match self.kind {
            FindingKind::Position => ("goes to", unit.to_owned(), "its limit is"),
            FindingKind::Velocity => ("moves at", format!("{unit}/s"), "its limit is"),
            FindingKind::Acceleration => ("accelerates by", format!("{unit}/s²"), "its limit is"),
            FindingKind::Overshoot => ("swings to", unit.to_owned(), "beyond its waypoint at"),
        };
        format!(
            "{joint} {does} {value:.digits$} {unit} at {time_secs:.2} s, {rule} {limit:.digits$} \
             {unit}"
        )
    }
}

/// Returns how many digits tell two numbers apart: two as a rule, and nine at most.
fn digits(value: f64, limit: f64) -> usize {
    (2..9).find(|digits| format!("{value:.digits$}") != format!("{limit:.digits$}")).unwrap_or(9)
}
