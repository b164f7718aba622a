//! What was computed again of the past, as a run.

use retake_msgs::{PastSamples, PlotLayout, TimeJumped};

use crate::run::Run;
use crate::{Board, BoardError};

impl Run {
    /// Makes a run of what a world did, with what the plots of a layout show of it.
    ///
    /// # Errors
    /// [`BoardError::Layout`] when the layout cannot be used.
    pub fn of_past(layout: &PlotLayout, samples: &PastSamples) -> Result<Self, BoardError> {
        let mut board = Board::of_log();
        board.replace_layout(layout.clone(), "")?;
        let mut before = None;
        for stretch in &samples.stretch {
            match before.replace(stretch.epoch) {
                None => board.begin(stretch.epoch),
                Some(parent_epoch) => board.jump(&TimeJumped {
                    epoch: stretch.epoch,
                    parent_epoch,
                    to: stretch.begin,
                    ..TimeJumped::default()
                }),
            }
        }
        let rates = board.wanted().items;
        let of_world = rates.keys().filter(|(manager, _)| manager.is_none());
        for (_, rate_mhz) in of_world {
            for part in &samples.part {
                let Some(filter) = &part.filter else { continue };
                for sample in &part.sample {
                    board.take((None, *rate_mhz), filter, sample);
                }
            }
        }
        Ok(board.into_run())
    }

    /// Takes from another run what this one lacks at the beginning or altogether.
    ///
    /// Both are about the same stretches of time.
    pub(crate) fn complete(&mut self, other: Self) {
        if !other.timeline.epochs().all(|epoch| self.timeline.knows(epoch)) {
            let timeline = &other.timeline;
            self.signals.values_mut().for_each(|(series, _)| {
                series.retain_epochs(|epoch| timeline.knows(epoch));
            });
            self.timeline = other.timeline;
        }
        for (signal, (theirs, unit)) in other.signals {
            let Some((from, _)) = theirs.first(&self.timeline) else { continue };
            let ours = self.signals.get(&signal);
            let ours_from = ours.and_then(|(ours, _)| ours.first(&self.timeline));
            if ours_from.is_none_or(|(ours_from, _)| from < ours_from) {
                self.signals.insert(signal, (theirs, unit));
            }
        }
    }
}
