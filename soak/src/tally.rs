//! What the clients saw.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of all clients.
#[derive(Default)]
pub(crate) struct Tally {
    requests: AtomicU64,
    refused: AtomicU64,
    connects: AtomicU64,
    /// Requests on a connection that was whole, and no answer.
    unanswered: AtomicU64,
    /// Connections that ended although nobody wanted that.
    lost: AtomicU64,
}

impl Tally {
    pub(crate) fn connected(&self) {
        self.connects.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn answered(&self, ok: bool) {
        self.requests.fetch_add(1, Ordering::Relaxed);
        self.refused.fetch_add(u64::from(!ok), Ordering::Relaxed);
    }

    pub(crate) fn unanswered(&self, who: &str, count: usize) {
        if count > 0 {
            eprintln!("{who}: {count} requests have no answer");
            self.unanswered.fetch_add(count as u64, Ordering::Relaxed);
        }
    }

    pub(crate) fn lost(&self, who: &str, why: &str) {
        eprintln!("{who}: {why}");
        self.lost.fetch_add(1, Ordering::Relaxed);
    }

    /// Says what went wrong; returns whether nothing did.
    pub(crate) fn judge(&self) -> bool {
        let (unanswered, lost) =
            (self.unanswered.load(Ordering::Relaxed), self.lost.load(Ordering::Relaxed));
        println!("{unanswered} requests without an answer, {lost} connections lost");
        unanswered == 0 && lost == 0 && self.requests.load(Ordering::Relaxed) > 0
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let (requests, refused) = (read(&self.requests), read(&self.refused));
        write!(f, "{requests:8} {refused:7} {:7}", read(&self.connects))
    }
}
