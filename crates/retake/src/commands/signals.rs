//! The end that a user or a scheduler asks for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns a flag that becomes true at Ctrl+C or when the process is told to end.
pub(super) fn end_requested() -> anyhow::Result<Arc<AtomicBool>> {
    let requested = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&requested);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            use tokio::signal::unix::{SignalKind, signal};
            // Without a handler the system's own one ends the process, which is right as well.
            let Ok(mut terminate) = signal(SignalKind::terminate()) else { return };
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
            flag.store(true, Ordering::Relaxed);
        });
    })?;
    Ok(requested)
}
