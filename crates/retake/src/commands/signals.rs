//! The end that a user or a scheduler asks for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::signal::unix::{SignalKind, signal};

/// Returns a flag that becomes true at Ctrl+C or when the process is told to end.
pub(crate) fn end_requested() -> anyhow::Result<Arc<AtomicBool>> {
    let requested = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&requested);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let entered = runtime.enter();
    // Heard from here on, not from whenever the thread comes to it.
    let both = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    drop(entered);
    // Without a handler the system's own one ends the process, which is right as well.
    let (Ok(mut interrupt), Ok(mut terminate)) = both else { return Ok(requested) };
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            flag.store(true, Ordering::Relaxed);
        });
    })?;
    Ok(requested)
}
