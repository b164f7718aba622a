//! The stretch of an axis that is seen.

use crate::{CurveStyle, CurveTrace, Picture, Side};

/// Values beyond this are drawn as if they were this large.
const LARGEST: f64 = 1e300;
/// Narrower stretches are widened: the ticks could not be told apart.
const NARROWEST: f64 = 1e-280;
/// Narrower than this part of its bounds a stretch is widened, for the same reason.
const NARROWEST_PART: f64 = 1e-13;
/// Room left beside the data, in parts of their extent.
const MARGIN_X: f64 = 0.02;
const MARGIN_Y: f64 = 0.05;

/// A stretch of an axis: two finite bounds, the lower one first, that ticks can tell apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Span {
    low: f64,
    high: f64,
}

/// What the axes of a plot show.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spans {
    pub x: Span,
    /// `None` when curves belong to the other side only.
    pub left: Option<Span>,
    /// `None` when no curve belongs to this side.
    pub right: Option<Span>,
}

impl Span {
    /// Makes a stretch of two finite bounds in any order, widened where it is too narrow.
    pub(crate) fn between(first: f64, second: f64) -> Self {
        let bounded = |value: f64| value.clamp(-LARGEST, LARGEST);
        let (low, high) = (bounded(first.min(second)), bounded(first.max(second)));
        let size = low.abs().max(high.abs());
        if high - low > NARROWEST.max(size * NARROWEST_PART) {
            return Self { low, high };
        }
        let half = if size > NARROWEST { size * 0.1 } else { 1.0 };
        let middle = low.midpoint(high);
        Self { low: middle - half, high: middle + half }
    }

    pub(crate) fn low(self) -> f64 {
        self.low
    }

    pub(crate) fn high(self) -> f64 {
        self.high
    }

    pub(crate) fn width(self) -> f64 {
        self.high - self.low
    }

    pub(crate) fn contains(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns where `value` lies: 0 at the lower bound, 1 at the upper one.
    pub(crate) fn part(self, value: f64) -> f64 {
        (value.clamp(-LARGEST, LARGEST) - self.low) / self.width()
    }

    fn with_margin(self, part: f64) -> Self {
        let margin = self.width() * part;
        Self::between(self.low - margin, self.high + margin)
    }
}

impl Spans {
    /// Chooses what the axes of `picture` show: what is asked for, else what the data need.
    pub(crate) fn of(picture: &Picture) -> Self {
        let x = asked(picture.x.range).unwrap_or_else(|| {
            let seen = picture.curves.iter().flat_map(CurveTrace::samples).flatten();
            around(extent(seen.map(|(x, _)| x)), MARGIN_X)
        });
        let side = |side: Side| vertical(picture, side, x);
        Self { x, left: side(Side::Left), right: side(Side::Right) }
    }
}

fn asked(range: Option<(f64, f64)>) -> Option<Span> {
    let (first, last) = range?;
    (first.is_finite() && last.is_finite()).then(|| Span::between(first, last))
}

fn vertical(picture: &Picture, side: Side, x: Span) -> Option<Span> {
    let spec = match side {
        Side::Left => &picture.left,
        Side::Right => &picture.right,
    };
    let curves = || picture.curves.iter().filter(|curve| curve.side == side);
    // A plot without any curves still has its left axis.
    let bare = picture.curves.is_empty() && side == Side::Left;
    if curves().next().is_none() && !bare {
        return None;
    }
    let data = || {
        let seen = curves().filter_map(|curve| seen_extent(curve, x));
        around(extent(seen.flat_map(|(low, high)| [low, high])), MARGIN_Y)
    };
    Some(asked(spec.range).unwrap_or_else(data))
}

/// Returns the stretch for values of this extent.
fn around(extent: Option<(f64, f64)>, margin: f64) -> Span {
    match extent {
        None => Span { low: 0.0, high: 1.0 },
        // A value alone needs no margin: room is made around it anyway.
        Some((low, high)) if low == high => Span::between(low, high),
        Some((low, high)) => Span::between(low, high).with_margin(margin),
    }
}

/// Returns the least and the greatest of finite values.
fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |extent, value| {
        let (low, high) = extent.unwrap_or((value, value));
        Some((low.min(value), high.max(value)))
    })
}

/// Returns the extent of what can be seen of a curve: samples within `x`, and lines that cross it.
fn seen_extent(curve: &CurveTrace, x: Span) -> Option<(f64, f64)> {
    let mut previous = None;
    let values = curve.samples().flat_map(|sample| {
        let inside = sample.filter(|&(at, _)| x.contains(at)).map(|(_, value)| value);
        let from = previous.filter(|_| curve.style != CurveStyle::Points);
        let crossings = match (from, sample) {
            (Some(from), Some(to)) => [x.low, x.high].map(|edge| crossing(curve, from, to, edge)),
            _ => [None, None],
        };
        previous = sample;
        inside.into_iter().chain(crossings.into_iter().flatten())
    });
    extent(values)
}

/// Returns the value with which the line between two samples crosses `edge`.
fn crossing(curve: &CurveTrace, from: (f64, f64), to: (f64, f64), edge: f64) -> Option<f64> {
    if (from.0 < edge) == (to.0 < edge) {
        return None;
    }
    if curve.style == CurveStyle::Step {
        return Some(from.1);
    }
    let part = (edge - from.0) / (to.0 - from.0);
    let value = from.1 * (1.0 - part) + to.1 * part;
    value.is_finite().then_some(value)
}
