//! Going on from a file, on every demo world.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::path::PathBuf;

use prost::Message;
use retake_components::{LocalPose, world_pose};
use retake_ecm::Ecm;
use retake_msgs::{
    EntityRef, MoveEntity, PhysicsParam, SerializedState, SetProfileParam, UserCmd, Vector3,
    user_cmd,
};
use retake_sim::{EngineState, Keyframe, Simulation, SimulationOptions};
use support::{load, run, worlds};

fn world_file(name: &str) -> PathBuf {
    worlds().into_iter().find(|world| world.ends_with(name)).unwrap()
}

/// The components of an instant, through the bytes of a file.
fn components(keyframe: &Keyframe) -> Ecm {
    let bytes = keyframe.ecm.encode_full().encode_to_vec();
    let mut ecm = Simulation::empty_ecm();
    ecm.apply(&SerializedState::decode(bytes.as_slice()).unwrap()).unwrap();
    ecm
}

fn resume(keyframe: &Keyframe, engine: Option<&EngineState>) -> (Simulation, Vec<String>) {
    Simulation::resume(components(keyframe), engine, &SimulationOptions::default()).unwrap()
}

fn move_vehicle(simulation: &mut Simulation, z: f64) {
    let command = user_cmd::Command::MoveEntity(MoveEntity {
        entity: Some(EntityRef::named("vehicle")),
        position: Some(Vector3 { x: 0.0, y: 0.0, z }),
        ..MoveEntity::default()
    });
    let reply = simulation.execute(&UserCmd { command: Some(command), ..UserCmd::default() });
    assert!(reply.ok, "{}", reply.message);
}

#[test]
fn a_world_from_a_file_goes_on_bit_by_bit() {
    for file in worlds() {
        let mut simulation = load(&file);
        for steps in [0, 1, 149, 350] {
            run(&mut simulation, steps);
            let keyframe = simulation.capture();
            let engine = keyframe.engine_bytes().unwrap();
            let (mut resumed, notes) = resume(&keyframe, Some(&engine));
            assert_eq!(notes, Vec::<String>::new(), "{}", file.display());
            assert_eq!(resumed.clock(), simulation.clock());
            let again = resumed.capture().engine_bytes().unwrap();
            assert!(again == engine, "{}: the bytes differ", file.display());
            let start = resumed.hash().unwrap();
            for stretch in [0, 1, 2, 40, 100] {
                let (on, as_before) = (run(&mut resumed, stretch), run(&mut simulation, stretch));
                assert_eq!(on, as_before, "{} after {stretch} steps", file.display());
            }
            resumed.reset();
            assert_eq!(resumed.hash().unwrap(), start, "a reset leads to where it was resumed");
        }
    }
}

#[test]
fn the_kinematic_engine_goes_on_from_a_file_too() {
    let mut simulation = load(&world_file("pendulums.sdf"));
    run(&mut simulation, 50);
    let param = vec![PhysicsParam { key: "type".to_owned(), value: "tpe".to_owned() }];
    let profile = String::new();
    let command = user_cmd::Command::SetProfileParam(SetProfileParam { profile, param });
    let reply = simulation.execute(&UserCmd { command: Some(command), ..UserCmd::default() });
    assert!(reply.ok, "{}", reply.message);
    run(&mut simulation, 50);
    let keyframe = simulation.capture();
    let engine = keyframe.engine_bytes().unwrap();
    assert_eq!(engine.engine, "tpe");
    let (mut resumed, notes) = resume(&keyframe, Some(&engine));
    assert_eq!(notes, Vec::<String>::new());
    for _ in 0..5 {
        assert_eq!(run(&mut resumed, 30), run(&mut simulation, 30));
    }
}

#[test]
fn edits_go_on_alike_after_a_resume() {
    let mut simulation = load(&world_file("cones.sdf"));
    run(&mut simulation, 200);
    let keyframe = simulation.capture();
    let (mut resumed, _) = resume(&keyframe, Some(&keyframe.engine_bytes().unwrap()));
    for z in [2.0, 3.0] {
        move_vehicle(&mut simulation, z);
        move_vehicle(&mut resumed, z);
        assert_eq!(run(&mut resumed, 150), run(&mut simulation, 150));
    }
}

#[test]
fn an_edit_of_joints_is_exact_after_the_next_step() {
    let mut simulation = load(&world_file("cones.sdf"));
    assert!(simulation.capture().is_exact(), "nothing was stepped yet");
    run(&mut simulation, 1);
    let stepped = simulation.capture();
    assert!(stepped.is_exact());
    let entity = vec![EntityRef::named("vehicle")];
    let delete = user_cmd::Command::DeleteEntities(retake_msgs::DeleteEntities { entity });
    assert!(simulation.execute(&UserCmd { command: Some(delete), ..UserCmd::default() }).ok);
    let edited = simulation.capture();
    assert!(!edited.is_exact());
    assert_eq!(
        edited.engine_bytes().unwrap_err().to_string(),
        "joints came or went since the last step, and the engine's state can be written only after \
         the next one. Make a step first"
    );
    simulation.restore(&stepped, "test");
    assert!(simulation.capture().is_exact(), "it is again what followed the step");
    simulation.restore(&edited, "test");
    assert!(!simulation.capture().is_exact());
    run(&mut simulation, 1);
    assert!(simulation.capture().is_exact());
}

#[test]
fn without_the_engines_half_physics_starts_anew_and_says_so() {
    let mut simulation = load(&world_file("arm.sdf"));
    run(&mut simulation, 300);
    let keyframe = simulation.capture();
    let mut old = keyframe.engine_bytes().unwrap();
    old.version = "rapier3d-f64 0.1".to_owned();
    let mut damaged = keyframe.engine_bytes().unwrap();
    damaged.bytes.truncate(1000);
    let other = EngineState { engine: "bullet".to_owned(), ..damaged.clone() };
    for (engine, reason) in [
        (None, "the state of the engine was not kept"),
        (
            Some(&old),
            "the engine's state was written by rapier (rapier3d-f64 0.1), and this is rapier",
        ),
        (Some(&damaged), "the engine's state cannot be read: its digest does not match"),
        (Some(&other), "the engine's state was written by bullet"),
    ] {
        let (mut cold, notes) = resume(&keyframe, engine);
        let start = "Physics starts anew at this instant, with poses and velocities as they were: ";
        assert!(notes.len() == 1 && notes[0].starts_with(&format!("{start}{reason}")), "{notes:?}");
        assert_eq!(cold.clock(), simulation.clock());
        for (entity, _) in keyframe.ecm.iter::<LocalPose>() {
            let (was, is) = (world_pose(&keyframe.ecm, entity), world_pose(cold.ecm(), entity));
            // The engine keeps poses of bodies, and those of links are found from them.
            assert!((was.position - is.position).length() < 1e-9, "{entity}: {was:?} {is:?}");
        }
        run(&mut cold, 50);
    }
}

#[test]
fn an_engine_of_another_instant_is_refused() {
    let mut arm = load(&world_file("arm.sdf"));
    let mut dominoes = load(&world_file("domino.sdf"));
    run(&mut arm, 10);
    run(&mut dominoes, 10);
    let engine = dominoes.capture().engine_bytes().unwrap();
    let (mut resumed, notes) = resume(&arm.capture(), Some(&engine));
    assert!(notes[0].contains("the components have no link"), "{notes:?}");
    run(&mut resumed, 10);
    let earlier = arm.capture();
    run(&mut arm, 100);
    let (_, notes) = resume(&arm.capture(), Some(&earlier.engine_bytes().unwrap()));
    assert!(notes[0].contains("it is of another instant: link"), "{notes:?}");
}

#[test]
fn a_state_without_a_world_is_refused() {
    let empty = Simulation::empty_ecm();
    let refused = Simulation::resume(empty, None, &SimulationOptions::default()).err().unwrap();
    assert_eq!(
        refused.to_string(),
        "the state has no world entity, so that there is nothing to simulate"
    );
}
