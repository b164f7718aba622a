//! The worlds with known answers, with the figures of this engine.
//!
//! The limits beside the cases are those of Rapier. Here each case must end, with errors that are
//! numbers, and the figures are printed. All but those that are known to be worse are held to the
//! limits of Rapier's quickest preset.

use retake_physics::MujocoEngine;
use retake_physics::accuracy::{CASES, Grade};

/// Cases in which MuJoCo is worse than Rapier's preset `fast`: what turns freely gains energy, a
/// gyroscope dips, what slides is 1 to 4 % off its way, and a closed loop opens by micrometres.
const WORSE: [&str; 4] = ["free rotor", "gyroscope", "slope, sliding", "four-bar"];

#[test]
fn every_case_ends_and_its_figures_are_printed() {
    let mut worse = Vec::new();
    for case in &CASES {
        for grade in Grade::ALL {
            let settings = MujocoEngine::preset(grade.name()).unwrap();
            let mut engine = MujocoEngine::new(settings).unwrap();
            let measured = match case.run(&mut engine) {
                Ok(measured) => measured,
                Err(error) => panic!("{} as {}: {error}", case.name, grade.name()),
            };
            for found in measured {
                let (name, quantity, unit) = (case.name, found.quantity, found.unit);
                let passes = found.passes(Grade::Fast);
                eprintln!(
                    "{name}, {}: {quantity} {:.2e} {unit} {passes}",
                    grade.name(),
                    found.error
                );
                if !found.error.is_finite() || (!WORSE.contains(&name) && !passes) {
                    worse.push(format!("{name} as {}: {found:?}", grade.name()));
                }
            }
        }
    }
    assert!(worse.is_empty(), "{worse:#?}");
}
