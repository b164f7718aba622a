//! Every target with a bounded number of inputs, the same in each run.
//!
//! `FUZZ_SEED=7` tries others. What breaks is printed with the input, as short as it could be made.

#![allow(clippy::print_stdout, reason = "what breaks a reader is told")]

use retake_fuzz::{Plan, TARGETS, drive};

fn hold(name: &str) {
    let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
        panic!("no target {name}");
    };
    let seed = std::env::var("FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let plan = Plan { seed, first: 0, cases: target.tests, until: None };
    match drive(target, &plan) {
        Ok(tally) => println!("{name}: {tally:?}"),
        Err(broken) => {
            // Panics are listened to, and no longer printed by themselves.
            println!("{broken}");
            panic!("{name} is broken");
        }
    }
}

macro_rules! tests {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            hold(stringify!($name));
        })*
    };
}

retake_fuzz::for_each_target!(tests);
