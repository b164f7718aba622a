//! Random histories of samples and jumps, and the same kept in the plainest way.

use proptest::prelude::*;
use retake_series::{Series, Stretch, Timeline};

/// Something that happens to a series.
#[derive(Clone, Debug)]
pub enum Event {
    /// A regularly sampled stretch: number of samples, nanoseconds between them.
    Even { count: usize, step_ns: i64 },
    /// A sample some nanoseconds after the last one.
    Sample { after_ns: i64, value: f64 },
    /// A jump to a part of the past, in percent of the present time; the epoch is one of those
    /// before, counted back.
    Jump { epochs_back: u64, percent: i64 },
}

/// A series with its timeline, and all samples by epoch in a plain list.
pub struct History {
    pub timeline: Timeline,
    pub series: Series,
    pub samples: Vec<(u64, i64, f64)>,
    time_ns: i64,
}

pub fn value() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -100.0..100.0_f64,
        2 => Just(0.0),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(1e12)],
    ]
}

pub fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        3 => (1_usize..5000, 1_i64..2000).prop_map(|(count, step_ns)| Event::Even { count, step_ns }),
        8 => (1_i64..3000, value()).prop_map(|(after_ns, value)| Event::Sample { after_ns, value }),
        2 => (0_u64..3, 0_i64..110)
            .prop_map(|(epochs_back, percent)| Event::Jump { epochs_back, percent }),
    ]
}

impl History {
    pub fn of(events: &[Event]) -> Self {
        let mut history = Self {
            timeline: Timeline::new(),
            series: Series::new(),
            samples: Vec::new(),
            time_ns: -1000,
        };
        events.iter().for_each(|event| history.happen(event));
        history
    }

    /// The live samples, found one by one.
    pub fn live(&self, from_ns: i64, until_ns: i64) -> Vec<(i64, f64)> {
        let is_live = |epoch, time| {
            let mut live = self.timeline.live().iter();
            live.any(|s| s.epoch == epoch && s.from_ns <= time && time <= s.until_ns)
        };
        let mut live: Vec<_> = self
            .samples
            .iter()
            .filter(|(epoch, time, _)| is_live(*epoch, *time))
            .map(|(_, time, value)| (*time, *value))
            .filter(|(time, _)| (from_ns..=until_ns).contains(time))
            .collect();
        live.sort_by_key(|(time, _)| *time);
        live
    }

    /// The samples of a discarded stretch, found one by one.
    pub fn discarded(&self, stretch: &Stretch) -> Vec<(i64, f64)> {
        let own = self.samples.iter().filter(|(epoch, time, _)| {
            *epoch == stretch.epoch && (stretch.from_ns..=stretch.until_ns).contains(time)
        });
        own.map(|(_, time, value)| (*time, *value)).collect()
    }

    /// A time inside what was recorded or a little outside, by percent.
    pub fn time(&self, percent: i64) -> i64 {
        let times = || self.samples.iter().map(|(_, time, _)| *time);
        let (first, last) = (times().min().unwrap_or(0), times().max().unwrap_or(0));
        first + (last - first) * percent / 100
    }

    fn happen(&mut self, event: &Event) {
        match *event {
            Event::Even { count, step_ns } => {
                for index in 0..count {
                    let wave = ((index * 7919 + count) % 1009) as f64 - 500.0;
                    self.sample(step_ns, if index % 1500 == 1499 { f64::NAN } else { wave });
                }
            }
            Event::Sample { after_ns, value } => self.sample(after_ns, value),
            Event::Jump { epochs_back, percent } => {
                let present = self.timeline.present();
                let at_ns = self.time_ns * percent / 100;
                let parent = present.saturating_sub(epochs_back);
                self.timeline.jump(present + 1, parent, at_ns);
                self.time_ns = at_ns;
            }
        }
    }

    fn sample(&mut self, after_ns: i64, value: f64) {
        self.time_ns += after_ns;
        let epoch = self.timeline.present();
        self.series.push(epoch, self.time_ns, value);
        self.samples.push((epoch, self.time_ns, value));
    }
}
