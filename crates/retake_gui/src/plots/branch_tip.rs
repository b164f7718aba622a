//! Where a branch of the timeline ends, in terms of the epochs that samples are kept by.

use retake_math::SimTime;
use retake_msgs::{Time, Timeline, TimelineBranch};

/// Returns the epoch that a branch ends in, and its last instant in nanoseconds.
///
/// # Errors
/// A sentence that says what is not there.
pub(super) fn of(timeline: &Timeline, name: &str) -> Result<(u64, i64), String> {
    let unknown = || format!("No branch named {name:?}. Known: {}", known(timeline));
    let mut branch = find(timeline, name).ok_or_else(unknown)?;
    if let Some(last) = branch.segment.last() {
        let open = branch.live;
        return Ok((last.epoch, if open { i64::MAX } else { nanos(last.to.as_ref()) }));
    }
    // A branch without a stretch of its own ends where it leaves another one.
    let mut until_ns = i64::MAX;
    for _ in &timeline.branch {
        until_ns = until_ns.min(nanos(branch.fork.as_ref()));
        branch = find(timeline, &branch.parent).ok_or_else(unknown)?;
        let before = branch.segment.iter().rfind(|part| nanos(part.from.as_ref()) <= until_ns);
        if let Some(part) = before {
            return Ok((part.epoch, until_ns));
        }
    }
    Err(unknown())
}

fn find<'a>(timeline: &'a Timeline, name: &str) -> Option<&'a TimelineBranch> {
    timeline.branch.iter().find(|branch| branch.name == name)
}

fn known(timeline: &Timeline) -> String {
    let names: Vec<&str> = timeline.branch.iter().map(|branch| branch.name.as_str()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn nanos(time: Option<&Time>) -> i64 {
    time.map(SimTime::from).unwrap_or_default().as_nanos()
}

#[cfg(test)]
mod tests {
    use retake_msgs::TimelineSegment;

    use super::*;

    fn time(secs: f64) -> Option<Time> {
        Some(SimTime::from_secs_f64(secs).into())
    }

    fn branch(name: &str, parent: &str, fork: f64, segments: &[(u64, f64, f64)]) -> TimelineBranch {
        let segment = segments.iter().map(|(epoch, from, to)| TimelineSegment {
            epoch: *epoch,
            from: time(*from),
            to: time(*to),
            keyframes: 1,
        });
        TimelineBranch {
            name: name.to_owned(),
            parent: parent.to_owned(),
            fork: time(fork),
            live: name == "main",
            segment: segment.collect(),
            ..TimelineBranch::default()
        }
    }

    fn timeline() -> Timeline {
        let branch = vec![
            branch("main", "", 0.0, &[(0, 0.0, 1.5), (2, 1.5, 2.5)]),
            branch("main-1", "main", 1.5, &[(0, 1.5, 5.7)]),
            branch("here", "main", 1.0, &[]),
            branch("there", "here", 0.5, &[]),
        ];
        Timeline { branch, ..Timeline::default() }
    }

    #[test]
    fn a_branch_ends_in_its_last_stretch_or_where_it_leaves_another() {
        assert_eq!(of(&timeline(), "main"), Ok((2, i64::MAX)));
        assert_eq!(of(&timeline(), "main-1"), Ok((0, 5_700_000_000)));
        assert_eq!(of(&timeline(), "here"), Ok((0, 1_000_000_000)));
        assert_eq!(of(&timeline(), "there"), Ok((0, 500_000_000)));
    }

    #[test]
    fn an_unknown_branch_is_refused_with_those_that_there_are() {
        let known = "No branch named \"gone\". Known: main, main-1, here, there";
        assert_eq!(of(&timeline(), "gone"), Err(known.to_owned()));
        let none = "No branch named \"gone\". Known: none";
        assert_eq!(of(&Timeline::default(), "gone"), Err(none.to_owned()));
    }
}
