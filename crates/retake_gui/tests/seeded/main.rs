//! Clients, GUIs, a server, a disk and what lies between them, all of it from one number.
//!
//! Time is simulated and there is one thread, so that a seed has one outcome. Messages are late,
//! lines break with all that is on them, GUIs die with what they hold, the server dies and starts
//! anew with the world as it was saved. The disk fills up, refuses everything for a while, and loses
//! what was not synced when the power goes, also inside of a save. After each thing that the server
//! does it is compared with a plain model; a recording has all that was synced, and is whole when
//! there was no room for more; the world's file is the old one or the new one. At the end everybody
//! must have had one answer to everything, and every copy of the world must be the world.
//!
//! `SEEDS=1000 cargo test -p retake_gui --test seeded` tries more; what fails goes into `seeds.txt`.
#![allow(clippy::unwrap_used, reason = "tests")]

mod client;
mod deeds;
mod line;
mod model;
mod play;
mod recording;
mod saves;
mod store;

use play::Play;

/// Seeds that once failed, one on each line; what follows it says why.
const KEPT: &str = include_str!("seeds.txt");

/// How many seeds are tried in each run of the tests.
const USUAL: u64 = 12;

/// Plays a seed to the end, and returns what happened.
fn play(seed: u64) -> String {
    let outcome = std::panic::catch_unwind(|| {
        let mut play = Play::new(seed);
        play.run().map(|()| play.told())
    });
    let reason = match outcome {
        Ok(Ok(told)) => return told,
        Ok(Err(reason)) => reason,
        Err(panic) => format!("a panic: {}", retake_diag::panic_message(panic.as_ref())),
    };
    panic!("seed {seed}: {reason}");
}

fn wanted(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn seeds_that_once_failed_hold() {
    let seeds = KEPT.lines().filter_map(|line| line.split_whitespace().next());
    let seeds = seeds.filter(|word| !word.starts_with('#'));
    seeds.for_each(|seed| drop(play(seed.parse().unwrap())));
}

#[test]
fn everybody_ends_with_one_answer_and_one_world() {
    let first = wanted("SEED").unwrap_or(1);
    let soaking = wanted("RETAKE_SOAK").is_some_and(|soak| soak > 0);
    let count = wanted("SEEDS").unwrap_or(if soaking { 100 * USUAL } else { USUAL });
    let told: String = (first..first + count).map(play).collect();
    // Without them the rest says nothing.
    let troubles = ["a line breaks", "a GUI dies", "the server dies", "the disk fills up"];
    let outcomes = ["the recording ends", " saved ", "not saved", "took "];
    for happened in troubles.into_iter().chain(outcomes).filter(|_| count >= USUAL) {
        assert!(told.contains(happened), "never in {count} plays: {happened}");
    }
}

#[test]
fn a_seed_has_one_outcome() {
    assert_eq!(play(5), play(5));
    assert_ne!(play(5), play(6));
}
