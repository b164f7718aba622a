//! A line between a client and the server: late, in order, and broken at times.

use std::collections::VecDeque;

use fastrand::Rng;
use retake_msgs::{PausedActionsTaken, SerializedStateV, StampedState, UserCmdReply, UserCmdStats};
use retake_sim::Request;
use std::sync::Arc;

/// What goes to the server.
#[derive(Clone)]
pub enum Up {
    /// Something that is answered; the number is the client's own.
    Call(u64, Request),
    /// What a GUI holds, in answer to a question.
    Offer(u64, SerializedStateV),
    /// A GUI wants what changed since a tick.
    Follow(Option<u64>),
}

/// What comes from the server.
#[derive(Clone)]
pub enum Down {
    Reply(u64, UserCmdReply),
    /// The question for what a GUI holds.
    WhatDoYouHold(u64),
    Taken(PausedActionsTaken),
    State(Box<StampedState>, Arc<UserCmdStats>, Paused),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Paused {
    Yes,
    No,
}

/// One direction.
pub struct Way<M> {
    /// Whether nothing is very late any more.
    calm: bool,
    under_way: VecDeque<(u64, M)>,
}

impl<M> Way<M> {
    fn new() -> Self {
        Self { calm: false, under_way: VecDeque::new() }
    }

    /// Sends something; it arrives after what was sent before.
    pub fn send(&mut self, now: u64, message: M, rng: &mut Rng) {
        // Mostly soon, at times so late that others give up.
        let delay = match rng.u8(..12) {
            0 if !self.calm => rng.u64(..120),
            _ => rng.u64(..6),
        };
        let after = self.under_way.back().map_or(0, |(at, _)| *at);
        self.under_way.push_back(((now + delay).max(after), message));
    }

    /// Returns what has arrived.
    pub fn receive(&mut self, now: u64) -> Option<M> {
        let arrived = self.under_way.front().is_some_and(|(at, _)| *at <= now);
        if arrived { self.under_way.pop_front().map(|(_, message)| message) } else { None }
    }

    pub fn is_empty(&self) -> bool {
        self.under_way.is_empty()
    }
}

/// Both directions.
pub struct Line {
    pub up: Way<Up>,
    pub down: Way<Down>,
}

impl Line {
    pub fn new() -> Self {
        Self { up: Way::new(), down: Way::new() }
    }

    /// Breaks with all that is on it, and is there again.
    pub fn reset(&mut self) {
        *self = Self::new();
    }

    pub fn calm_down(&mut self) {
        (self.up.calm, self.down.calm) = (true, true);
    }

    pub fn is_quiet(&self) -> bool {
        self.up.is_empty() && self.down.is_empty()
    }
}
