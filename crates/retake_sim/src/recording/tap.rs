//! The way from the step thread to the one that writes.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use retake_log::Stamp;
use retake_math::SimTime;
use retake_msgs::LogGap;

use super::tape::{Happened, Happening};

/// What may wait to be written; past it the step thread leaves out or waits, as it was told to.
const CAPACITY: usize = 1024;
/// What must not be left out may wait beside the queue, so many of it.
const MAX_HELD: usize = 4096;

/// What the step thread does when the disk cannot follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenFull {
    /// It goes on; states, samples and messages are left out and counted.
    LeaveOut,
    /// It waits: for runs that nobody watches.
    Wait,
}

/// What comes out of a tap.
pub(super) enum Poured {
    Happened(Happened),
    /// Something is missing from here on.
    Gap(Stamp, LogGap),
}

/// Carries what happens to the writing thread.
pub(crate) struct Tap {
    send: SyncSender<Poured>,
    when_full: WhenFull,
    /// What did not fit and must not be left out, in order, with what is missing in between.
    held: VecDeque<Poured>,
    shared: Arc<Shared>,
}

/// What both ends of a tap know.
#[derive(Default)]
pub(super) struct Shared {
    /// Records that were left out.
    pub(super) dropped: AtomicU64,
    /// Those among them that came through a side door and no gap tells of yet.
    dropped_aside: AtomicU64,
    /// Nanoseconds that were recorded.
    recorded_ns: AtomicI64,
    /// How much was sent and how much was found, so that both ends know how much waits.
    sent: AtomicU64,
    found: AtomicU64,
    /// Whether the step thread has let go.
    pub(super) closed: AtomicBool,
    /// What it still held then.
    rest: Mutex<Vec<Poured>>,
}

impl Shared {
    /// Returns the time that was recorded.
    pub(super) fn recorded(&self) -> SimTime {
        SimTime::from_nanos(self.recorded_ns.load(Ordering::Relaxed))
    }

    /// Returns how many messages were left out at the side doors since this was asked last.
    pub(super) fn take_dropped_aside(&self) -> u64 {
        self.dropped_aside.swap(0, Ordering::Relaxed)
    }

    /// Takes what did not fit at the end.
    pub(super) fn rest(&self) -> Vec<Poured> {
        std::mem::take(&mut *self.rest.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// How well the disk follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pressure {
    pub(crate) high: bool,
    /// Grows with all that is written.
    pub(crate) written: u64,
}

/// Whether anybody still writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flow {
    On,
    Over,
}

impl Tap {
    /// Makes a tap and its far end.
    pub(super) fn new(when_full: WhenFull) -> (Self, Source) {
        let (send, receive) = sync_channel(CAPACITY);
        let shared = Arc::new(Shared::default());
        let source = Source { receive, shared: Arc::clone(&shared) };
        (Self { send, when_full, held: VecDeque::new(), shared }, source)
    }

    /// Returns a way in for others than the step thread.
    pub(super) fn side_door(&self) -> SideDoor {
        SideDoor { send: self.send.clone(), shared: Arc::clone(&self.shared) }
    }

    /// Tells how much time was recorded: most of it passes without anything to hand over.
    pub(crate) fn tell(&self, recorded: SimTime) {
        self.shared.recorded_ns.store(recorded.as_nanos(), Ordering::Relaxed);
    }

    /// Says how much of what was handed over is written, and whether so much waits that more would
    /// soon be left out.
    pub(crate) fn pressure(&self) -> Pressure {
        let found = self.shared.found.load(Ordering::Relaxed);
        let waiting = self.shared.sent.load(Ordering::Relaxed).saturating_sub(found);
        let high = !self.held.is_empty() || waiting >= CAPACITY as u64 / 2;
        Pressure { high, written: found }
    }

    /// Hands over what happened; `left_out` never came as far as this.
    pub(crate) fn pour(&mut self, happened: Vec<Happened>, left_out: u64) -> Flow {
        if let (Some(first), true) = (happened.first(), left_out > 0) {
            self.count(first.stamp, left_out, 0);
        }
        for happened in happened {
            if self.pour_one(happened) == Flow::Over {
                return Flow::Over;
            }
        }
        Flow::On
    }

    fn pour_one(&mut self, happened: Happened) -> Flow {
        if self.when_full == WhenFull::Wait {
            let sent = self.send.send(Poured::Happened(happened));
            self.shared.sent.fetch_add(1, Ordering::Relaxed);
            return if sent.is_ok() { Flow::On } else { Flow::Over };
        }
        if self.empty_held() == Flow::Over {
            return Flow::Over;
        }
        if !self.held.is_empty() {
            self.hold(happened);
            return Flow::On;
        }
        match self.send.try_send(Poured::Happened(happened)) {
            Ok(()) => drop(self.shared.sent.fetch_add(1, Ordering::Relaxed)),
            Err(TrySendError::Full(Poured::Happened(happened))) => self.hold(happened),
            Err(TrySendError::Full(Poured::Gap(..))) => {}
            Err(TrySendError::Disconnected(_)) => return Flow::Over,
        }
        Flow::On
    }

    /// Sends what waits, in order, as far as there is room.
    fn empty_held(&mut self) -> Flow {
        while let Some(first) = self.held.pop_front() {
            match self.send.try_send(first) {
                Ok(()) => drop(self.shared.sent.fetch_add(1, Ordering::Relaxed)),
                Err(TrySendError::Full(first)) => {
                    self.held.push_front(first);
                    break;
                }
                Err(TrySendError::Disconnected(_)) => return Flow::Over,
            }
        }
        Flow::On
    }

    /// Keeps what must not be lost, and counts the rest as missing.
    fn hold(&mut self, happened: Happened) {
        let kept = !happened.what.may_be_left_out() && self.held.len() < MAX_HELD;
        if kept {
            self.held.push_back(Poured::Happened(happened));
            return;
        }
        let is_state = matches!(happened.what, Happening::State { .. });
        self.count(happened.stamp, u64::from(is_state), u64::from(!is_state));
    }

    fn count(&mut self, stamp: Stamp, states: u64, others: u64) {
        self.shared.dropped.fetch_add(states + others, Ordering::Relaxed);
        let at = Some(stamp.sim_time.into());
        match self.held.back_mut() {
            Some(Poured::Gap(_, gap)) => {
                gap.to = at;
                gap.states += states;
                gap.others += others;
            }
            _ => {
                let gap = LogGap { from: at, to: at, states, others };
                self.held.push_back(Poured::Gap(stamp, gap));
            }
        }
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        let rest = self.held.drain(..).collect();
        *self.shared.rest.lock().unwrap_or_else(PoisonError::into_inner) = rest;
        self.shared.closed.store(true, Ordering::Release);
    }
}

/// The far end of a tap.
pub(super) struct Source {
    receive: Receiver<Poured>,
    pub(super) shared: Arc<Shared>,
}

/// What a writing thread finds when it looks.
pub(super) enum Found {
    Poured(Poured),
    /// Nothing for now.
    Nothing,
    /// Nothing any more.
    End,
}

impl Source {
    /// Waits for what comes next, at most this long.
    pub(super) fn next(&self, most: Duration) -> Found {
        // Looked at before the queue: what was poured before the end is found in it.
        let closed = self.shared.closed.load(Ordering::Acquire);
        let wait = if closed { Duration::ZERO } else { most };
        match self.receive.recv_timeout(wait) {
            Ok(poured) => {
                self.shared.found.fetch_add(1, Ordering::Relaxed);
                Found::Poured(poured)
            }
            Err(RecvTimeoutError::Timeout) if !closed => Found::Nothing,
            Err(_) => Found::End,
        }
    }
}

/// A way in for messages of others; past the bound they are left out and counted.
#[derive(Clone)]
pub(super) struct SideDoor {
    send: SyncSender<Poured>,
    shared: Arc<Shared>,
}

impl SideDoor {
    /// Says whether the recording is over.
    pub(super) fn is_closed(&self) -> bool {
        self.shared.closed.load(Ordering::Acquire)
    }

    /// Hands a message over. When it came is known best by whoever writes.
    pub(super) fn pour(&self, what: Happening) {
        if self.is_closed() {
            return;
        }
        let stamp = Stamp { recorded: SimTime::ZERO, sim_time: SimTime::ZERO };
        if self.send.try_send(Poured::Happened(Happened { stamp, what })).is_ok() {
            self.shared.sent.fetch_add(1, Ordering::Relaxed);
        } else {
            self.shared.dropped.fetch_add(1, Ordering::Relaxed);
            self.shared.dropped_aside.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use retake_msgs::{LoggedInput, WorldStatistics};

    use super::*;

    fn at(number: i64, what: Happening) -> Happened {
        let time = SimTime::from_nanos(number);
        Happened { stamp: Stamp { recorded: time, sim_time: time }, what }
    }

    fn stats(number: i64) -> Happened {
        at(number, Happening::Stats(Box::<WorldStatistics>::default()))
    }

    fn input(number: i64) -> Happened {
        at(number, Happening::Input(Box::<LoggedInput>::default()))
    }

    /// What came through: how many records, which inputs, and how much the gaps say is missing.
    fn drain(source: &Source) -> (usize, Vec<i64>, u64) {
        let mut poured = Vec::new();
        while let Found::Poured(one) = source.next(Duration::ZERO) {
            poured.push(one);
        }
        poured.extend(source.shared.rest());
        let (mut inputs, mut missing) = (Vec::new(), 0);
        for one in &poured {
            match one {
                Poured::Happened(Happened { stamp, what: Happening::Input(_) }) => {
                    inputs.push(stamp.recorded.as_nanos());
                }
                Poured::Happened(_) => {}
                Poured::Gap(_, gap) => missing += gap.states + gap.others,
            }
        }
        (poured.len(), inputs, missing)
    }

    #[test]
    fn a_disk_that_stands_holds_nobody_up_and_loses_no_input() {
        let (mut tap, source) = Tap::new(WhenFull::LeaveOut);
        let most = CAPACITY as i64;
        for number in 0..3 * most {
            let happened = if number % 100 == 0 { input(number) } else { stats(number) };
            assert_eq!(tap.pour(vec![happened], 0), Flow::On);
        }
        let dropped = source.shared.dropped.load(Ordering::Relaxed);
        assert!(dropped > most as u64, "{dropped}");
        drop(tap);
        let (count, inputs, missing) = drain(&source);
        assert_eq!(inputs, (0..3 * most).step_by(100).collect::<Vec<_>>());
        assert_eq!(missing, dropped);
        // Each stretch that is missing is told once, where it is missing.
        let gaps = count as u64 + dropped - 3 * most as u64;
        assert!(gaps <= inputs.len() as u64 + 1, "{gaps}");
    }

    #[test]
    fn a_disk_that_follows_again_is_told_what_is_missing_first() {
        let (mut tap, source) = Tap::new(WhenFull::LeaveOut);
        let most = CAPACITY as i64;
        (0..most + 10).for_each(|number| assert_eq!(tap.pour(vec![stats(number)], 0), Flow::On));
        drain(&source);
        tap.pour(vec![input(most + 10)], 0);
        let Found::Poured(Poured::Gap(stamp, gap)) = source.next(Duration::ZERO) else {
            panic!("no gap")
        };
        assert_eq!((stamp.recorded.as_nanos(), gap.others), (most, 10));
        assert!(matches!(source.next(Duration::ZERO), Found::Poured(Poured::Happened(_))));
    }

    #[test]
    fn nobody_who_writes_any_more_is_noticed() {
        let (mut tap, source) = Tap::new(WhenFull::LeaveOut);
        drop(source);
        assert_eq!(tap.pour(vec![stats(0)], 0), Flow::Over);
        let (mut tap, source) = Tap::new(WhenFull::Wait);
        drop(source);
        assert_eq!(tap.pour(vec![stats(0)], 0), Flow::Over);
    }
}
