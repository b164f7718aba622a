//! Ascending times of a chunk, two numbers while they are evenly spaced.

/// The times of a chunk's samples.
#[derive(Clone, Debug)]
pub(crate) enum Times {
    /// Sample `i` is at `start_ns + i * step_ns`, exactly.
    Even { start_ns: i64, step_ns: i64, len: usize },
    /// Every time by itself.
    Each(Vec<i64>),
}

impl Times {
    pub(crate) fn new() -> Self {
        Self::Even { start_ns: 0, step_ns: 0, len: 0 }
    }

    /// Appends a time that comes after all others.
    pub(crate) fn push(&mut self, time_ns: i64) {
        match self {
            Self::Each(times) => times.push(time_ns),
            Self::Even { start_ns, len: len @ 0, .. } => {
                *start_ns = time_ns;
                *len = 1;
            }
            Self::Even { start_ns, step_ns, len } => {
                // The first step may be too long to be told in 64 bits; then there is no step.
                let step = time_ns.checked_sub(Self::even(*start_ns, *step_ns, *len - 1));
                match step {
                    Some(step) if *len == 1 || step == *step_ns => {
                        *step_ns = step;
                        *len += 1;
                    }
                    _ => self.push_uneven(time_ns),
                }
            }
        }
    }

    /// Returns the time of a sample that exists.
    pub(crate) fn get(&self, index: usize) -> i64 {
        match self {
            Self::Even { start_ns, step_ns, .. } => Self::even(*start_ns, *step_ns, index),
            Self::Each(times) => times[index],
        }
    }

    /// Counts the samples at or before a time.
    pub(crate) fn count_until(&self, time_ns: i64) -> usize {
        match self {
            Self::Each(times) => times.partition_point(|time| *time <= time_ns),
            Self::Even { start_ns, .. } if time_ns < *start_ns => 0,
            Self::Even { step_ns: 0, len, .. } => *len,
            Self::Even { start_ns, step_ns, len } => {
                let steps = time_ns.wrapping_sub(*start_ns) as u64 / *step_ns as u64;
                usize::try_from(steps).map_or(*len, |steps| steps.saturating_add(1).min(*len))
            }
        }
    }

    /// Returns the memory behind the times.
    pub(crate) fn heap_bytes(&self) -> usize {
        match self {
            Self::Even { .. } => 0,
            Self::Each(times) => times.capacity() * size_of::<i64>(),
        }
    }

    /// Gives back memory that was kept ready for more.
    pub(crate) fn shrink(&mut self) {
        if let Self::Each(times) = self {
            times.shrink_to_fit();
        }
    }

    fn push_uneven(&mut self, time_ns: i64) {
        if let Self::Even { start_ns, step_ns, len } = *self {
            let before = (0..len).map(|index| Self::even(start_ns, step_ns, index));
            *self = Self::Each(before.chain([time_ns]).collect());
        }
    }

    // Every time that exists fits; what is computed on the way to it may wrap and comes back.
    fn even(start_ns: i64, step_ns: i64, index: usize) -> i64 {
        start_ns.wrapping_add(step_ns.wrapping_mul(index as i64))
    }
}
