//! The end that a user or a scheduler asks for.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::bail;
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Exit code of a program that a second Ctrl+C ends, as shells know it.
const INTERRUPTED: i32 = 130;
/// Number of the signal for a file that is longer than the user's limit.
const SIGXFSZ: i32 = 25;
/// Files that are opened beside those that are open already, by what needs no bus.
const LEAST_FILES: usize = 12;
/// Files that also a bus gets along with.
const ENOUGH_FILES: u64 = 64;
/// Signals so close to the first are one request with it: a terminal that is closed hangs up and has
/// its shell do so too, `timeout` tells the process and then its whole group.
const ONE_REQUEST: Duration = Duration::from_secs(1);
/// The same where both are Ctrl+C, which no hand presses as fast as `timeout` tells it.
const ONE_INTERRUPT: Duration = Duration::from_millis(150);

/// Refuses to start where fewer files may be opened than hearing a signal and anything else takes.
///
/// The runtime panics where it gets none for its own sockets, so that it is tried before.
pub(crate) fn check_room() -> anyhow::Result<()> {
    let tried: std::io::Result<Vec<File>> =
        (0..LEAST_FILES).map(|_| File::open("/dev/null")).collect();
    match tried.err().and_then(|error| Errno::from_io_error(&error)) {
        Some(Errno::MFILE) => {
            let limit = getrlimit(Resource::Nofile).current.unwrap_or_default();
            bail!(
                "Only {limit} files may be open at once here, which is too few. Raise the limit: \
                 ulimit -n {ENOUGH_FILES}"
            )
        }
        // What else keeps it from being opened tells nothing of the limit.
        _ => Ok(()),
    }
}

/// Returns a flag that becomes true at Ctrl+C, when the process is told to end, or when its terminal
/// is closed. Whoever asks a second time does not want to wait: the process ends at once.
pub(crate) fn end_requested() -> anyhow::Result<Arc<AtomicBool>> {
    let requested = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&requested);
    let runtime = runtime()?;
    let entered = runtime.enter();
    // Heard from here on, not from whenever the thread comes to it.
    let ends = Ends::listen();
    drop(entered);
    // Without a handler the system's own one ends the process, which is right as well.
    let Ok(mut end) = ends else { return Ok(requested) };
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            let (first, at) = (end.next().await, Instant::now());
            flag.store(true, Ordering::Relaxed);
            loop {
                let again = end.next().await;
                let hand = [first, again] == [SignalKind::interrupt(); 2];
                if at.elapsed() > if hand { ONE_INTERRUPT } else { ONE_REQUEST } {
                    std::process::exit(INTERRUPTED);
                }
            }
        });
    })?;
    Ok(requested)
}

/// Lets a file that grows beyond the user's limit be an error of writing, as a full disk is.
///
/// The system would end the process, and with it a world because of its recording.
pub(crate) fn take_long_files_as_errors() {
    let Ok(runtime) = runtime() else { return };
    let _within = runtime.enter();
    // The handler stays when nobody listens any more; without one it is as it was.
    signal(SignalKind::from_raw(SIGXFSZ)).ok();
}

/// The signals that ask for the end.
struct Ends {
    interrupt: Signal,
    terminate: Signal,
    /// None when it is to be ignored, as `nohup` wants.
    hang_up: Option<Signal>,
}

impl Ends {
    fn listen() -> std::io::Result<Self> {
        let hang_up = match is_ignored(SignalKind::hangup()) {
            true => None,
            false => Some(signal(SignalKind::hangup())?),
        };
        let interrupt = signal(SignalKind::interrupt())?;
        Ok(Self { interrupt, terminate: signal(SignalKind::terminate())?, hang_up })
    }

    async fn next(&mut self) -> SignalKind {
        let hung_up = async {
            match &mut self.hang_up {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => SignalKind::interrupt(),
            _ = self.terminate.recv() => SignalKind::terminate(),
            _ = hung_up => SignalKind::hangup(),
        }
    }
}

/// Says whether whoever started this process wants a signal to be ignored.
fn is_ignored(kind: SignalKind) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    let bit = u32::try_from(kind.as_raw_value() - 1).unwrap_or(u32::MAX);
    mask.checked_shr(bit).is_some_and(|rest| rest & 1 == 1)
}

fn runtime() -> std::io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}
