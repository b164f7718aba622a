//! A program of your own whose variables others can watch and plot.
//!
//! Start a world, then this program, and look at it:
//!
//! ```text
//! retake run worlds/arm.sdf
//! cargo run -p retake_introspection --example controller
//! retake introspect watch --manager controller wave state.x --rate 10
//! ```
//!
//! In the page its values are under Plots, Programs, controller.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::sleep;
use std::time::{Duration, Instant};

use retake_introspection::{IntrospectionManager, Item, ItemType};
use retake_math::{SimTime, Vec3};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let state = Arc::new(Mutex::new(Vec3::ZERO));
    let cycles = Arc::new(AtomicU64::new(0));

    // This is all that it takes: a manager, an item for each variable, and an update per cycle.
    let mut manager = IntrospectionManager::connect("controller")?;
    let (read_state, read_wave) = (Arc::clone(&state), Arc::clone(&state));
    let read_cycles = Arc::clone(&cycles);
    manager.register(Item::new("state", ItemType::Vector3).unit("m"), move || {
        (*read_state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())).into()
    })?;
    manager.register(Item::new("wave", ItemType::Double), move || {
        read_wave.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).x.into()
    })?;
    manager.register(Item::new("cycles", ItemType::Int), move || {
        (read_cycles.load(Ordering::Relaxed) as i64).into()
    })?;

    let started = Instant::now();
    loop {
        let now_secs = started.elapsed().as_secs_f64();
        *state.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) =
            Vec3::new((2.0 * now_secs).sin(), (2.0 * now_secs).cos(), 0.1 * now_secs);
        cycles.fetch_add(1, Ordering::Relaxed);
        manager.update(SimTime::from_secs_f64(now_secs));
        sleep(Duration::from_millis(5));
    }
}
