//! Tries the targets without end, or as long as it is told.
#![allow(clippy::print_stdout, reason = "this is what it is for")]

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant, SystemTime};

use retake_fuzz::{Broken, Plan, TARGETS, Tally, Target, drive, one_case};

const USAGE: &str = "retake_fuzz [TARGET…] [--seed N] [--minutes M] [--case N] [--list]
  TARGET     only these; all otherwise
  --seed N   where inputs come from; by the clock otherwise
  --minutes  how long; until interrupted otherwise
  --case N   write one input of the seed to fuzz/found/ and stop";

/// Inputs before the next target has its turn.
const TURN: u64 = 500;

#[derive(Default)]
struct Wanted {
    names: Vec<String>,
    seed: Option<u64>,
    minutes: Option<u64>,
    case: Option<u64>,
    list: bool,
}

fn main() -> ExitCode {
    let Some(wanted) = wanted(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let targets: Vec<&Target> = TARGETS
        .iter()
        .filter(|target| wanted.names.is_empty() || wanted.names.iter().any(|n| n == target.name))
        .collect();
    if wanted.list || targets.is_empty() {
        TARGETS.iter().for_each(|target| println!("{}", target.name));
        return ExitCode::from(if wanted.list { 0 } else { 2 });
    }
    let seed = wanted.seed.unwrap_or_else(seed_by_the_clock);
    if let Some(case) = wanted.case {
        targets.iter().for_each(|target| save(target.name, &one_case(target, seed, case)));
        return ExitCode::SUCCESS;
    }
    println!("seed {seed}");
    let until = wanted.minutes.map(|minutes| Instant::now() + Duration::from_secs(60 * minutes));
    // On a thread: its stack is as large as those of the simulator, and the main one is larger.
    let tried = std::thread::scope(|scope| {
        scope.spawn(|| try_all(&targets, seed, until)).join().unwrap_or(false)
    });
    if tried { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn wanted(mut words: impl Iterator<Item = String>) -> Option<Wanted> {
    let mut wanted = Wanted::default();
    while let Some(word) = words.next() {
        let mut number = || words.next().and_then(|number| number.parse().ok());
        match word.as_str() {
            "--seed" => wanted.seed = Some(number()?),
            "--minutes" => wanted.minutes = Some(number()?),
            "--case" => wanted.case = Some(number()?),
            "--list" => wanted.list = true,
            name if name.starts_with('-') => return None,
            name => wanted.names.push(name.to_owned()),
        }
    }
    Some(wanted)
}

fn seed_by_the_clock() -> u64 {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(1, |since| since.as_secs())
}

/// Tries each in turn; says whether nothing broke.
fn try_all(targets: &[&Target], seed: u64, until: Option<Instant>) -> bool {
    let mut tallies = vec![Tally::default(); targets.len()];
    let mut known = BTreeSet::new();
    for round in 0.. {
        for (target, tally) in targets.iter().zip(&mut tallies) {
            if until.is_some_and(|until| Instant::now() >= until) {
                report(targets, &tallies);
                return known.is_empty();
            }
            let plan = Plan { seed, first: round * TURN, cases: TURN, until };
            match drive(target, &plan) {
                Ok(seen) => tally.add(seen),
                Err(broken) => tell(&broken, &mut known),
            }
        }
        println!("round {round}, {} found", known.len());
    }
    known.is_empty()
}

/// Tells what broke, once.
fn tell(broken: &Broken, known: &mut BTreeSet<(&'static str, String)>) {
    let kind: String = broken.reason.chars().take(80).collect();
    if known.insert((broken.target, kind)) {
        println!("BROKEN {broken}");
        save(broken.target, &broken.input);
    }
}

fn save(target: &str, input: &[u8]) {
    let folder = Path::new("fuzz/found").join(target);
    let sum = input.iter().fold(7u64, |sum, byte| sum.wrapping_mul(31) + u64::from(*byte));
    let file = folder.join(format!("{sum:016x}"));
    let saved = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input));
    match saved {
        Ok(()) => println!("input: {}", file.display()),
        Err(error) => eprintln!("The input could not be saved: {error}"),
    }
}

fn report(targets: &[&Target], tallies: &[Tally]) {
    for (target, tally) in targets.iter().zip(tallies) {
        println!(
            "{:20} {:>9} taken {:>9} refused, at most {:>4} MiB and {:?} for one",
            target.name,
            tally.taken,
            tally.refused,
            tally.most_bytes >> 20,
            tally.longest
        );
    }
}
