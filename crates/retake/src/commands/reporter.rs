//! What people at the terminal of a server should know while it runs: what went wrong in a run that
//! a program waits for, and whom a world waits for that stands still.
//!
//! The rest is for pages and clients, who can do something about it.

use std::collections::BTreeSet;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use retake_msgs::WorldStatistics;
use retake_msgs::notification::Level;
use retake_sim::{Event, View, ViewSink};

/// How long a world may wait for controllers before that is told.
const PATIENCE: Duration = Duration::from_secs(2);
/// Lines that may wait for the terminal; beyond it new ones are left out.
const WAITING: usize = 256;

/// Hears what a server tells, and passes on what is for the terminal.
pub(super) struct Reporter {
    news: SyncSender<String>,
    /// Controllers that steps wait for and that were not missed yet.
    controllers: BTreeSet<String>,
    /// Whether notifications are passed on.
    notifies: bool,
    /// What the terminal has heard already.
    told: BTreeSet<String>,
    waits_since: Option<Instant>,
    /// Steps that were made when it was looked last.
    iterations: u64,
}

impl Reporter {
    /// Makes one for a world with these controllers, and a length when its run has one; `told` was
    /// said while it was loaded.
    pub(super) fn new(
        controllers: &[String],
        iterations: Option<u64>,
        told: BTreeSet<String>,
    ) -> (Self, Receiver<String>) {
        let (news, heard) = sync_channel(WAITING);
        let controllers: BTreeSet<String> = controllers.iter().cloned().collect();
        let notifies = iterations.is_some() || !controllers.is_empty();
        (Self { news, controllers, notifies, told, waits_since: None, iterations: 0 }, heard)
    }

    fn tell(&self, line: String) {
        // A terminal that takes no more must not hold the world up.
        self.news.try_send(line).ok();
    }

    fn miss(&mut self, stats: &WorldStatistics, now: Instant) {
        // Whoever answers last is waited for in every step, and yet there.
        if std::mem::replace(&mut self.iterations, stats.iterations) != stats.iterations {
            self.waits_since = None;
        }
        let missed = |name: &&String| self.controllers.contains(*name);
        // A world that is paused waits for nobody but whoever paused it.
        let stands = stats.paused && stats.steps_due == 0;
        let waits_for = if stands { &[][..] } else { &stats.waits_for };
        let missed: Vec<String> = waits_for.iter().filter(missed).cloned().collect();
        if missed.is_empty() {
            self.waits_since = None;
            return;
        }
        if now - *self.waits_since.get_or_insert(now) < PATIENCE {
            return;
        }
        for name in missed {
            // Once each: who comes and goes would be told all the time.
            self.controllers.remove(&name);
            self.tell(format!("Waits for controller {name:?}. Start it, or leave out --lockstep"));
        }
    }
}

impl ViewSink for Reporter {
    fn view(&mut self, view: &View) {
        self.miss(&view.stats, Instant::now());
    }

    fn event(&mut self, event: &Event) {
        if let Event::Notified(told) = event
            && self.notifies
            && told.level() >= Level::Warning
            && !self.told.remove(&told.text)
        {
            self.tell(told.text.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missed(looks: impl IntoIterator<Item = (u64, WorldStatistics)>) -> Vec<String> {
        let names = ["slow".to_owned()];
        let (mut reporter, heard) = Reporter::new(&names, None, BTreeSet::new());
        let began = Instant::now();
        for (secs, stats) in looks {
            let stats = WorldStatistics { waits_for: names.to_vec(), ..stats };
            reporter.miss(&stats, began + Duration::from_secs(secs));
        }
        heard.try_iter().collect()
    }

    fn at(iterations: u64) -> WorldStatistics {
        WorldStatistics { iterations, ..WorldStatistics::default() }
    }

    #[test]
    fn whoever_answers_late_is_not_missed_and_whoever_does_not_answer_is() {
        assert_eq!(missed((0..10).map(|secs| (secs, at(secs)))), [""; 0]);
        let told = ["Waits for controller \"slow\". Start it, or leave out --lockstep"];
        assert_eq!(missed((0..10).map(|secs| (secs, at(9)))), told);
    }

    #[test]
    fn a_world_that_is_paused_waits_for_nobody() {
        let paused = WorldStatistics { paused: true, ..at(9) };
        assert_eq!(missed((0..10).map(|secs| (secs, paused.clone()))), [""; 0]);
        let stepping = WorldStatistics { steps_due: 1, ..paused };
        assert_eq!(missed((0..10).map(|secs| (secs, stepping.clone()))).len(), 1);
    }
}
