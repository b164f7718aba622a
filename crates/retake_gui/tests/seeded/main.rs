//! Clients, GUIs, a server, a disk and what lies between them, all of it from one number.
//!
//! Time is simulated and there is one thread, so that a seed has one outcome. Messages are late,
//! lines break with all that is on them, GUIs die with what they hold, the server dies and starts
//! anew, and what it wrote to the disk is cut off somewhere after the last sync. After each thing
//! that the server does it is compared with a plain model; at the end everybody must have had one
//! answer to everything, and every copy of the world must be the world.
//!
//! `SEEDS=1000 cargo test -p retake_gui --test seeded` tries more; what fails goes into `seeds.txt`.
#![allow(clippy::unwrap_used, reason = "tests")]

mod client;
mod deeds;
mod disk;
mod line;
mod model;
mod play;

use play::Play;

/// Seeds that once failed, one on each line; what follows it says why.
const KEPT: &str = include_str!("seeds.txt");

/// How many seeds are tried in each run of the tests.
const USUAL: u64 = 12;

fn play(seed: u64) {
    let outcome = std::panic::catch_unwind(|| Play::new(seed).run());
    let reason = match outcome {
        Ok(Ok(())) => return,
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
    seeds.filter(|word| !word.starts_with('#')).for_each(|seed| play(seed.parse().unwrap()));
}

#[test]
fn everybody_ends_with_one_answer_and_one_world() {
    let first = wanted("SEED").unwrap_or(1);
    let soaking = wanted("RETAKE_SOAK").is_some_and(|soak| soak > 0);
    let count = wanted("SEEDS").unwrap_or(if soaking { 100 * USUAL } else { USUAL });
    (first..first + count).for_each(play);
}

#[test]
fn a_seed_has_one_outcome() {
    let told = |seed| {
        let mut play = Play::new(seed);
        play.run().unwrap();
        play.told()
    };
    assert_eq!(told(5), told(5));
    assert_ne!(told(5), told(6));
}
