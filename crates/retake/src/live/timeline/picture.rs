//! The timeline drawn with letters: a lane for each branch, time from left to right.

use retake_math::SimTime;
use retake_msgs::{Time, Timeline, TimelineBranch};

use crate::output::printable;

/// Columns of a lane.
const WIDTH: usize = 60;
/// Longest name that is drawn whole.
const NAME: usize = 20;

/// Which times the columns stand for.
struct Scale {
    from: SimTime,
    to: SimTime,
}

impl Scale {
    fn of(timeline: &Timeline) -> Self {
        let segments = timeline.branch.iter().flat_map(|branch| &branch.segment);
        let times = segments.flat_map(|segment| [at(&segment.from), at(&segment.to)]);
        let all: Vec<SimTime> = times.collect();
        let from = all.iter().min().copied().unwrap_or_default();
        Self { from, to: all.iter().max().copied().unwrap_or_default() }
    }

    fn column(&self, time: SimTime) -> usize {
        let span = (self.to - self.from).as_nanos().max(1) as f64;
        let part = (time - self.from).as_nanos() as f64 / span;
        ((part * (WIDTH - 1) as f64).round() as usize).min(WIDTH - 1)
    }
}

/// Draws the lanes, below a line with the first time and the last.
pub(super) fn draw(timeline: &Timeline) -> Vec<String> {
    let scale = Scale::of(timeline);
    let (from, to) = (format!("{:.3} s", secs(scale.from)), format!("{:.3} s", secs(scale.to)));
    let names = timeline.branch.iter().map(|branch| printable(&branch.name).chars().count());
    let wide = names.max().unwrap_or(0).min(NAME);
    let room = WIDTH.saturating_sub(from.chars().count());
    let mut lines = vec![format!("  {:wide$} {from}{to:>room$}", "")];
    for branch in &timeline.branch {
        let mark = if branch.live { '*' } else { ' ' };
        let name: String = printable(&branch.name).chars().take(NAME).collect();
        lines.push(format!("{mark} {name:wide$} {}", lane(branch, timeline, &scale)));
    }
    lines
}

fn lane(branch: &TimelineBranch, timeline: &Timeline, scale: &Scale) -> String {
    let mut cells = vec![' '; WIDTH];
    let mut fill = |from: &Option<Time>, to: &Option<Time>, sign: char| {
        cells[scale.column(at(from))..=scale.column(at(to))].fill(sign);
    };
    branch.segment.iter().for_each(|segment| fill(&segment.from, &segment.to, '─'));
    // What begins right after a gap is kept.
    branch.gap.iter().for_each(|gap| fill(&gap.from, &gap.to, '·'));
    if branch.fork.is_some() {
        cells[scale.column(at(&branch.fork))] = '╰';
    }
    cells[scale.column(at(&branch.end))] = if branch.live { '▶' } else { '┤' };
    for bookmark in timeline.bookmark.iter().filter(|mark| mark.branch == branch.name) {
        cells[scale.column(at(&bookmark.sim_time))] = '●';
    }
    cells.into_iter().collect::<String>().trim_end().to_owned()
}

fn at(time: &Option<Time>) -> SimTime {
    time.as_ref().map(SimTime::from).unwrap_or_default()
}

fn secs(time: SimTime) -> f64 {
    time.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use retake_msgs::{TimelineBookmark, TimelineGap, TimelineSegment};

    use super::*;

    fn time(secs: f64) -> Option<Time> {
        Some(SimTime::from_secs_f64(secs).into())
    }

    fn branch(name: &str, from: f64, to: f64) -> TimelineBranch {
        let segment = TimelineSegment { epoch: 0, from: time(from), to: time(to), keyframes: 1 };
        TimelineBranch {
            name: name.to_owned(),
            segment: vec![segment],
            end: time(to),
            ..TimelineBranch::default()
        }
    }

    #[test]
    fn lanes_forks_gaps_and_bookmarks_are_drawn() {
        let gap = vec![TimelineGap { from: time(0.0), to: time(2.0) }];
        let main = TimelineBranch { live: true, gap, ..branch("main", 0.0, 8.0) };
        let (parent, fork) = ("main".to_owned(), time(5.0));
        let left = TimelineBranch { parent, fork, ..branch("main-1", 5.0, 12.0) };
        let bookmark = TimelineBookmark {
            name: "contact".to_owned(),
            branch: "main".to_owned(),
            sim_time: time(3.0),
            ..TimelineBookmark::default()
        };
        let timeline =
            Timeline { branch: vec![main, left], bookmark: vec![bookmark], ..Timeline::default() };
        expect![[r#"
                     0.000 s                                             12.000 s
            * main   ···········────●───────────────────────▶
              main-1                          ╰─────────────────────────────────┤"#]]
        .assert_eq(&draw(&timeline).join("\n"));
    }
}
