//! Tries a target with one input after the other.

use std::any::Any;
use std::fmt;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use fastrand::Rng;
use rustix::time::{ClockId, clock_gettime};

use crate::targets::{Seen, Target};
use crate::{damage, memory, samples};

/// Memory that a reader may hold for one input. Inputs have at most a quarter of a megabyte.
const MOST_BYTES: usize = 512 << 20;
/// Time of the processor that one input may take; thousands of times what they do take.
const MOST_TIME: Duration = Duration::from_secs(20);
/// How often an input that broke something is tried with less.
const MAX_SHRINKING: usize = 2000;

/// Which inputs are tried.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What all of them come from.
    pub seed: u64,
    /// Number of the first.
    pub first: u64,
    /// How many.
    pub cases: u64,
    /// No more after this instant.
    pub until: Option<Instant>,
}

/// How often a target took what it was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Inputs that were read.
    pub taken: u64,
    /// Inputs that were refused.
    pub refused: u64,
    /// Most memory that one took, in bytes.
    pub most_bytes: usize,
    /// Longest that one took of the processor.
    pub longest: Duration,
}

impl Tally {
    /// Adds what another turn saw.
    pub fn add(&mut self, other: Self) {
        self.taken += other.taken;
        self.refused += other.refused;
        self.most_bytes = self.most_bytes.max(other.most_bytes);
        self.longest = self.longest.max(other.longest);
    }
}

/// An input that broke something.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The target.
    pub target: &'static str,
    /// Which input it was: a seed and a number, or one that is kept.
    pub case: String,
    /// What happened.
    pub reason: String,
    /// The input, as short as it could be made.
    pub input: Vec<u8>,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { target, case, reason, input } = self;
        let shown: String = String::from_utf8_lossy(input).chars().take(2000).collect();
        write!(f, "{target}, {case}: {reason}\ninput of {} bytes: {shown:?}", input.len())
    }
}

/// Tries a target with the inputs that once broke it, and then with those of the plan.
///
/// # Errors
/// [`Broken`] at the first input that breaks something.
pub fn drive(target: &Target, plan: &Plan) -> Result<Tally, Box<Broken>> {
    // What other threads of the process did would be taken for the work of this target.
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let samples = (target.samples)();
    let mut tally = Tally::default();
    for (number, input) in samples::kept(target.name).iter().enumerate() {
        attempt(target, input, &mut tally)
            .map_err(|reason| broken(target, format!("kept input {number}"), reason, input))?;
    }
    let note = note_of(target);
    for case in plan.first..plan.first + plan.cases {
        if plan.until.is_some_and(|until| Instant::now() >= until) {
            break;
        }
        let input = input_of(target, &samples, plan.seed, case);
        // A stack that overflows ends the process; then this file has what did it.
        std::fs::write(&note, &input).ok();
        attempt(target, &input, &mut tally).map_err(|reason| {
            broken(target, format!("seed {} case {case}", plan.seed), reason, &input)
        })?;
    }
    std::fs::remove_file(&note).ok();
    Ok(tally)
}

/// Returns one input of a plan.
pub fn one_case(target: &Target, seed: u64, case: u64) -> Vec<u8> {
    input_of(target, &(target.samples)(), seed, case)
}

fn input_of(target: &Target, samples: &[Vec<u8>], seed: u64, case: u64) -> Vec<u8> {
    let name = target.name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let mut rng = Rng::with_seed(name ^ seed.rotate_left(32) ^ case);
    match samples.is_empty() {
        // Such a target makes up what it needs itself.
        true => rng.u64(..).to_le_bytes().to_vec(),
        false => damage::damaged(samples, &mut rng),
    }
}

fn note_of(target: &Target) -> PathBuf {
    let file = format!("retake-fuzz-{}-{}.input", target.name, std::process::id());
    std::env::temp_dir().join(file)
}

fn broken(target: &Target, case: String, reason: String, input: &[u8]) -> Box<Broken> {
    let input = shrunk(target, input, &reason);
    Box::new(Broken { target: target.name, case, reason, input })
}

/// Removes whatever is not needed for the same to happen.
fn shrunk(target: &Target, input: &[u8], reason: &str) -> Vec<u8> {
    let kind = |reason: &str| reason.chars().take(40).collect::<String>();
    let still = |bytes: &[u8]| {
        let mut tally = Tally::default();
        attempt(target, bytes, &mut tally).is_err_and(|other| kind(&other) == kind(reason))
    };
    let mut best = input.to_vec();
    let mut tries = 0;
    let mut width = best.len() / 2;
    while width > 0 && tries < MAX_SHRINKING {
        let mut start = 0;
        while start < best.len() && tries < MAX_SHRINKING {
            let mut less = best.clone();
            less.drain(start..(start + width).min(best.len()));
            tries += 1;
            match still(&less) {
                true => best = less,
                false => start += width,
            }
        }
        width /= 2;
    }
    best
}

fn attempt(target: &Target, input: &[u8], tally: &mut Tally) -> Result<(), String> {
    listen_for_panics();
    heard().clear();
    let began = cpu_time();
    let work = || panic::catch_unwind(AssertUnwindSafe(|| (target.read)(input)));
    let (outcome, bytes) = memory::most_held(work);
    let took = cpu_time().saturating_sub(began);
    let seen = outcome.map_err(|payload| panicked(payload.as_ref()))??;
    let here = thread::current().id();
    if let Some((_, text)) = heard().iter().find(|(thread, _)| *thread != here) {
        return Err(format!("a thread panicked: {text}"));
    }
    if bytes > MOST_BYTES {
        return Err(format!("it held {} MiB for {} bytes", bytes >> 20, input.len()));
    }
    if took > MOST_TIME {
        return Err(format!("it took {took:?} for {} bytes", input.len()));
    }
    let (taken, refused) = if seen == Seen::Taken { (1, 0) } else { (0, 1) };
    tally.add(Tally { taken, refused, most_bytes: bytes, longest: took });
    Ok(())
}

fn panicked(payload: &(dyn Any + Send)) -> String {
    let said = retake_diag::panic_message(payload);
    let here = thread::current().id();
    let place = heard().iter().rev().find(|(thread, _)| *thread == here).map(|(_, at)| at.clone());
    format!("it panicked: {}", place.unwrap_or(said))
}

fn cpu_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

type Heard = Vec<(ThreadId, String)>;

/// Panics of all threads, also of those that somebody caught.
fn heard() -> MutexGuard<'static, Heard> {
    static HEARD: Mutex<Heard> = Mutex::new(Vec::new());
    HEARD.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listen_for_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        panic::set_hook(Box::new(|info| {
            heard().push((thread::current().id(), info.to_string()));
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::targets::Verdict;

    fn tried(read: fn(&[u8]) -> Verdict) -> Result<Tally, Box<Broken>> {
        let samples = || vec![b"one two three".to_vec()];
        let target = Target { name: "trial", tests: 1, samples, read };
        drive(&target, &Plan { seed: 1, first: 0, cases: 2000, until: None })
    }

    #[test]
    fn what_breaks_is_told_and_made_short() {
        let broken = tried(|input| {
            assert!(!input.windows(3).any(|three| three == b"nan"), "no number");
            Ok(Seen::Taken)
        });
        let broken = broken.unwrap_err();
        assert_eq!(broken.input, b"nan");
        assert!(broken.reason.contains("no number"), "{broken}");
    }

    #[test]
    fn too_much_memory_is_told() {
        let broken = tried(|_| {
            drop(std::hint::black_box(vec![0u8; MOST_BYTES + 1]));
            Ok(Seen::Taken)
        });
        assert!(broken.unwrap_err().reason.contains("it held 512 MiB"));
    }

    #[test]
    fn panics_of_other_threads_are_told() {
        let broken = tried(|_| {
            thread::spawn(|| panic!("over there")).join().ok();
            Ok(Seen::Taken)
        });
        assert!(broken.unwrap_err().reason.contains("over there"));
    }

    #[test]
    fn inputs_follow_from_the_seed_and_differ() {
        let target = Target {
            name: "trial",
            tests: 1,
            samples: || vec![b"one two three".to_vec()],
            read: |_| Ok(Seen::Taken),
        };
        assert_eq!(one_case(&target, 1, 5), one_case(&target, 1, 5));
        let different: std::collections::BTreeSet<_> =
            (0..100).map(|case| one_case(&target, 1, case)).collect();
        assert!(different.len() > 60, "{}", different.len());
    }
}
