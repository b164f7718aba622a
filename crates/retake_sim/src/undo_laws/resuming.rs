//! The law of files: a world that is read from bytes goes on as the one that was written.

use fastrand::Rng;
use prost::Message;
use retake_msgs::SerializedState;

use super::{Violation, run, scenes};
use crate::{Simulation, SimulationOptions};

/// Stretches that both worlds are run for after each moment.
const STRETCHES: u32 = 4;

/// Writes a generated world as bytes at `instants` moments, reads each into a fresh world, and lets
/// the same things happen to both.
///
/// # Errors
/// [`Violation::Differs`] when the two come apart.
pub fn resume_is_never_having_left(seed: u64, instants: u32, steps: u32) -> Result<(), Violation> {
    let mut rng = Rng::with_seed(seed);
    let mut simulation = scenes::load(seed, &mut rng)?;
    for instant in 0..instants {
        scenes::happen(&mut simulation, &mut rng);
        // Often none, so that what was just edited is written too.
        run(&mut simulation, rng.u32(0..4) * rng.u32(0..40))?;
        if !simulation.capture().is_exact() {
            run(&mut simulation, 1)?;
        }
        let mut resumed =
            through_bytes(&simulation).map_err(|reason| Violation::Scene { seed, reason })?;
        for stretch in 0..STRETCHES {
            let same = run(&mut resumed, 0)? == run(&mut simulation, 0)?;
            let place = format!("instant {instant}, {} steps later", stretch * steps);
            let what = "from that of the run that was written";
            same.then_some(()).ok_or(Violation::Differs { seed, place, what })?;
            if stretch > 0 {
                scenes::happen(&mut resumed, &mut rng.clone());
                scenes::happen(&mut simulation, &mut rng);
            }
            run(&mut resumed, steps)?;
            run(&mut simulation, steps)?;
        }
    }
    Ok(())
}

/// Writes a world as bytes and makes a fresh one of them.
fn through_bytes(simulation: &Simulation) -> Result<Simulation, String> {
    let keyframe = simulation.capture();
    let engine = keyframe.engine_bytes().map_err(|error| error.to_string())?;
    let bytes = keyframe.ecm.encode_full().encode_to_vec();
    let state = SerializedState::decode(bytes.as_slice()).map_err(|error| error.to_string())?;
    let mut ecm = Simulation::empty_ecm();
    ecm.apply(&state).map_err(|error| error.to_string())?;
    let resumed = Simulation::resume(ecm, Some(&engine), &SimulationOptions::default());
    let (resumed, notes) = resumed.map_err(|error| error.to_string())?;
    if !notes.is_empty() {
        return Err(notes.join("; "));
    }
    let again = resumed.capture().engine_bytes().map_err(|error| error.to_string())?;
    match again == engine {
        true => Ok(resumed),
        false => Err("what was read is written in other bytes".to_owned()),
    }
}
