//! Ascending times of a chunk, two numbers while they are evenly spaced.

use std::sync::Arc;

/// The times of a chunk's samples; how many there are, the chunk knows.
#[derive(Clone, Debug)]
pub(crate) enum Times {
    /// Sample `i` is at `start_ns + i * step_ns`, exactly.
    Even { start_ns: i64, step_ns: i64 },
    /// Every time by itself, with more to come.
    Growing(Vec<i64>),
    /// Every time by itself, complete and shared between clones.
    Each(Arc<[i64]>),
}

impl Times {
    /// No times yet.
    pub(crate) const NONE: Self = Self::Even { start_ns: 0, step_ns: 0 };

    /// Appends a time that comes after the `len` others.
    pub(crate) fn push(&mut self, len: usize, time_ns: i64) {
        match self {
            Self::Growing(times) => times.push(time_ns),
            Self::Each(times) => {
                *self = Self::Growing(times.iter().copied().chain([time_ns]).collect());
            }
            Self::Even { start_ns, .. } if len == 0 => *start_ns = time_ns,
            Self::Even { start_ns, step_ns } => {
                // A step that is too long to be told in 64 bits is no step.
                let step = time_ns.checked_sub(even(*start_ns, *step_ns, len - 1));
                match step {
                    Some(step) if len == 1 => *step_ns = step,
                    Some(step) if step == *step_ns => {}
                    _ => self.push_uneven(len, time_ns),
                }
            }
        }
    }

    /// Returns the time of a sample that exists.
    pub(crate) fn get(&self, index: usize) -> i64 {
        match self {
            Self::Even { start_ns, step_ns } => even(*start_ns, *step_ns, index),
            Self::Growing(times) => times[index],
            Self::Each(times) => times[index],
        }
    }

    /// Counts those of the first `len` samples that are at or before a time.
    pub(crate) fn count_until(&self, len: usize, time_ns: i64) -> usize {
        match self {
            Self::Growing(times) => times[..len].partition_point(|time| *time <= time_ns),
            Self::Each(times) => times[..len].partition_point(|time| *time <= time_ns),
            Self::Even { start_ns, .. } if time_ns < *start_ns => 0,
            Self::Even { step_ns: 0, .. } => len,
            Self::Even { start_ns, step_ns } => {
                let steps = time_ns.wrapping_sub(*start_ns) as u64 / *step_ns as u64;
                usize::try_from(steps).map_or(len, |steps| steps.saturating_add(1).min(len))
            }
        }
    }

    /// Returns the memory behind the times.
    pub(crate) fn heap_bytes(&self) -> usize {
        match self {
            Self::Even { .. } => 0,
            Self::Growing(times) => times.capacity() * size_of::<i64>(),
            Self::Each(times) => size_of_val(times.as_ref()),
        }
    }

    /// Lets clones share the times, which are complete.
    pub(crate) fn seal(&mut self) {
        if let Self::Growing(times) = self {
            *self = Self::Each(times.as_slice().into());
        }
    }

    fn push_uneven(&mut self, len: usize, time_ns: i64) {
        let before = (0..len).map(|index| self.get(index));
        *self = Self::Growing(before.chain([time_ns]).collect());
    }
}

// Every time that exists fits; what is computed on the way to it may wrap and comes back.
fn even(start_ns: i64, step_ns: i64, index: usize) -> i64 {
    start_ns.wrapping_add(step_ns.wrapping_mul(index as i64))
}
