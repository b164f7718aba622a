//! A real server and a GUI host in another process, ten clients for as long as it is told, and
//! whether anything grew.
//!
//! The clients are pages without a browser and programs on the bus. They edit, undo, redo, pause,
//! plot, record, look back, go on from the past, leave and come back. Most of the time something is
//! recorded, and every recording is read. Each minute it is printed how fast the world goes and what
//! the processes hold; at the end the step rate, the memory and the handles must be flat, every
//! request answered, every recording whole and both processes alive, or the exit code is 1.
//!
//! Deliberately not here: any look inside of the processes. What counts is what the system says.
#![allow(clippy::print_stdout, reason = "this is what it is for")]

mod bus_client;
mod deeds;
mod flatness;
mod page;
mod processes;
mod recordings;
mod tally;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bus_client::Observer;
use flatness::{Paces, Samples};
use processes::{Machine, Usage};
use recordings::Recordings;
use tally::Tally;

const USAGE: &str = "retake_soak RETAKE [MINUTES] [SEED]
  RETAKE   the program
  MINUTES  60 when not given
  SEED     where the clients' choices come from; 1 when not given";

/// How often the processes are looked at.
const LOOK: Duration = Duration::from_secs(10);
/// Pages of the server's own host, pages of the host in the other process, programs on the bus.
const CLIENTS: (usize, usize, usize) = (5, 2, 3);

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let Some(program) = words.next().filter(|word| !word.starts_with('-')) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut number = |usual: u64| words.next().map_or(Some(usual), |word| word.parse().ok());
    let (Some(minutes), Some(seed)) = (number(60), number(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match soak(&program, Duration::from_secs(60 * minutes), seed) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs everything; says whether all went well.
fn soak(program: &str, lasting: Duration, seed: u64) -> Result<bool, String> {
    let machine = Machine::start(program)?;
    println!("server {}, GUI host {}, seed {seed}", machine.server.id(), machine.gui.id());
    let tally = Arc::new(Tally::default());
    let ended = Arc::new(AtomicBool::new(false));
    let clients = clients(&machine, &tally, &ended, seed)?;
    let watched = watch(program, &machine, &tally, lasting);
    ended.store(true, Ordering::Relaxed);
    for client in clients {
        client.join().map_err(|_| "A client panicked".to_owned())?;
    }
    let Watched { server, gui, paces, recordings, observer } = watched?;
    let mut fine = server.judge("server");
    fine &= gui.judge("GUI host");
    fine &= paces.judge();
    fine &= tally.judge();
    fine &= recordings.judge(&observer);
    println!("{}", if fine { "All is well" } else { "Not flat, or something failed: see above" });
    Ok(fine)
}

fn clients(
    machine: &Machine,
    tally: &Arc<Tally>,
    ended: &Arc<AtomicBool>,
    seed: u64,
) -> Result<Vec<std::thread::JoinHandle<()>>, String> {
    let (own, other, programs) = CLIENTS;
    let mut started = Vec::new();
    let mut start = |name: String, work: Box<dyn FnOnce() + Send>| {
        let made = std::thread::Builder::new().name(name).spawn(work);
        made.map(|thread| started.push(thread)).map_err(|error| error.to_string())
    };
    for number in 0..own + other {
        let address = if number < own { &machine.page } else { &machine.gui_page };
        let (address, tally, ended) = (address.clone(), Arc::clone(tally), Arc::clone(ended));
        let rng = fastrand::Rng::with_seed(seed * 1000 + number as u64);
        let work = move || page::live(&address, number, rng, &tally, &ended);
        start(format!("page {number}"), Box::new(work))?;
    }
    for number in 0..programs {
        let (address, tally, ended) = (machine.bus, Arc::clone(tally), Arc::clone(ended));
        let rng = fastrand::Rng::with_seed(seed * 1000 + 500 + number as u64);
        let work = move || bus_client::live(address, number, rng, &tally, &ended);
        start(format!("program {number}"), Box::new(work))?;
    }
    Ok(started)
}

/// What was seen of the processes.
struct Watched {
    server: Samples,
    gui: Samples,
    paces: Paces,
    recordings: Recordings,
    observer: Observer,
}

/// Looks at the processes until the time is over, and has them recorded.
fn watch(
    program: &str,
    machine: &Machine,
    tally: &Tally,
    lasting: Duration,
) -> Result<Watched, String> {
    let observer = Observer::new(machine.bus)?;
    let mut recordings = Recordings::new(program, &machine.logs());
    let began = Instant::now();
    let (mut server, mut gui) = (Samples::default(), Samples::default());
    let mut paces = Paces::default();
    let (mut told_at, mut rates) = (began, Vec::new());
    println!(
        "minute steps/s | server MiB handles threads | GUI MiB handles threads | \
         undo MiB timeline MiB log MiB entities | requests refused connects"
    );
    while began.elapsed() < lasting {
        std::thread::sleep(LOOK.min(lasting.saturating_sub(began.elapsed())));
        let (of_server, of_gui) = (Usage::of(&machine.server)?, Usage::of(&machine.gui)?);
        server.push(began.elapsed(), &of_server);
        gui.push(began.elapsed(), &of_gui);
        if let Some(pace) = observer.pace() {
            rates.push(pace.steps_per_sec);
            paces.push(began.elapsed(), pace.kept);
        }
        recordings.look(&observer);
        if told_at.elapsed() < Duration::from_secs(60) && began.elapsed() < lasting {
            continue;
        }
        let rate = rates.iter().sum::<f64>() / rates.len().max(1) as f64;
        told_at = Instant::now();
        rates.clear();
        println!(
            "{:6} {rate:7.0} | {of_server} | {of_gui} | {} | {tally}",
            began.elapsed().as_secs() / 60,
            observer.kept()
        );
    }
    Ok(Watched { server, gui, paces, recordings, observer })
}
