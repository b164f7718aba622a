//! Looking for short spans.

use super::SHORTEST_SECS;
use super::spans::Spans;

/// How far beyond a limit the search goes: less than is told to be kept, more than windows and
/// rounding leave.
const ALLOWANCE: f64 = 1.0 + 4e-7;
/// How much shorter a span must get for it to be worth while, and how much at once when it can.
const STEP: f64 = 0.98;
const LEAP: f64 = 0.9;
/// Rounds of making all spans equally hard, and of shortening single ones.
const EVENING_ROUNDS: usize = 60;
const SHORTENING_ROUNDS: usize = 400;
/// How often that is begun anew when it has gone too far.
const SETTLING_ROUNDS: usize = 4;

/// Shortens spans until none can be made 2 % shorter alone; none when numbers are too large.
pub(super) fn shorten(spans: &mut Spans) -> Option<()> {
    let (mut best, mut loads) = (Vec::new(), Vec::new());
    let given: Vec<f64> = spans.secs().to_vec();
    let mut shortest = fitted(spans, given.clone(), &mut loads, &mut best)?;
    // Spans that are equally hard are a good place to begin from, as a rule.
    let mut trial = given;
    let mut kept = best.clone();
    for _ in 0..EVENING_ROUNDS {
        for (secs, load) in trial.iter_mut().zip(&loads) {
            *secs = (*secs * load.clamp(0.1, 10.0).sqrt()).max(SHORTEST_SECS);
        }
        match fitted(spans, trial.clone(), &mut loads, &mut best) {
            Some(total) if total < shortest => {
                shortest = total;
                kept.clone_from(&best);
            }
            Some(_) => {}
            None => break,
        }
    }
    spans.set(&kept);
    for _ in 0..SETTLING_ROUNDS {
        shorten_each(spans);
        if settle(spans, &mut loads)? {
            break;
        }
    }
    Some(())
}

/// Scales spans evenly until they fit; returns how long they are together.
fn fitted(
    spans: &mut Spans,
    trial: Vec<f64>,
    loads: &mut Vec<f64>,
    best: &mut Vec<f64>,
) -> Option<f64> {
    spans.set(&trial);
    spans.loads(loads);
    let hardest = loads.iter().copied().fold(0.0, f64::max);
    let least = trial.iter().copied().fold(f64::INFINITY, f64::min);
    let scale = hardest.max(SHORTEST_SECS / least);
    *best = trial;
    best.iter_mut().for_each(|secs| *secs *= scale);
    let total: f64 = best.iter().sum();
    (total.is_finite() && loads.iter().all(|load| load.is_finite())).then_some(total)
}

fn shorten_each(spans: &mut Spans) {
    let count = spans.secs().len();
    let mut open = vec![true; count];
    for _ in 0..SHORTENING_ROUNDS {
        let mut is_done = true;
        for segment in 0..count {
            if !open[segment] {
                continue;
            }
            open[segment] = shorten_one(spans, segment);
            if open[segment] {
                is_done = false;
                open[spans.near(segment)].fill(true);
            }
        }
        if is_done {
            return;
        }
    }
}

/// Shortens a span if it can be; says whether it could.
fn shorten_one(spans: &mut Spans, segment: usize) -> bool {
    let now = spans.secs()[segment];
    let shorter = |by: f64| (now * by).max(SHORTEST_SECS);
    if now <= SHORTEST_SECS || !spans.permits(segment, shorter(STEP), ALLOWANCE) {
        return false;
    }
    if !spans.permits(segment, shorter(LEAP), ALLOWANCE) {
        // Asked again, because a change is taken as it was asked about last.
        let permits = spans.permits(segment, shorter(STEP), ALLOWANCE);
        if permits {
            spans.take(segment, shorter(STEP));
        }
        return permits;
    }
    spans.take(segment, shorter(LEAP));
    true
}

/// Makes up for what windows leave out; says whether nothing was.
fn settle(spans: &mut Spans, loads: &mut Vec<f64>) -> Option<bool> {
    let secs = spans.secs().to_vec();
    spans.set(&secs);
    spans.loads(loads);
    let hardest = loads.iter().copied().fold(0.0, f64::max);
    if hardest > ALLOWANCE {
        let longer: Vec<f64> = secs.iter().map(|secs| secs * hardest).collect();
        spans.set(&longer);
    }
    hardest.is_finite().then_some(hardest <= ALLOWANCE)
}
