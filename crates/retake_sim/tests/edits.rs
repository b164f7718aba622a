//! Laws of editing component by component.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};

use retake_assets::ResourceRoots;
use retake_components::fields::{editable_components, fields_of};
use retake_components::{
    JointPosition, JointSpec, Kind, export_world, find, path_of, world_entity, world_pose,
};
use retake_diag::Diagnostics;
use retake_ecm::{Ecm, EntityId};
use retake_math::Pose;
use retake_msgs::field_value::Value;
use retake_msgs::{
    EntityRef, FieldChange, FieldValue, Numbers, SetComponent, SetJointPosition, UserCmd,
    UserCmdReply, user_cmd,
};
use retake_sim::{Simulation, SimulationOptions};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name)
}

fn load(file: &Path) -> Simulation {
    let mut roots = ResourceRoots::new();
    roots.add(file.parent().unwrap()).unwrap();
    let mut found = Diagnostics::new();
    let world = retake_sdf::load_world_file(file, &roots, &mut found).unwrap();
    assert!(!found.has_errors(), "{found}");
    Simulation::load(&world, &SimulationOptions { roots, ..SimulationOptions::default() }).unwrap()
}

fn execute(simulation: &mut Simulation, command: user_cmd::Command) -> UserCmdReply {
    simulation.execute(&UserCmd { command: Some(command), ..UserCmd::default() })
}

fn set(
    simulation: &mut Simulation,
    entity: EntityId,
    (component, field): (&str, &str),
    value: Value,
) -> UserCmdReply {
    let value = Some(FieldValue { value: Some(value) });
    let command = SetComponent {
        entity: Some(EntityRef::with_id(entity.raw())),
        component: component.to_owned(),
        change: vec![FieldChange { field: field.to_owned(), value }],
    };
    execute(simulation, user_cmd::Command::SetComponent(command))
}

/// Every field of every entity.
fn all_fields(ecm: &Ecm) -> Vec<(EntityId, &'static str, String, Value)> {
    let mut all = Vec::new();
    for (entity, kind) in ecm.iter::<Kind>() {
        for component in editable_components().iter().filter(|c| c.belongs_to(*kind)) {
            for field in fields_of(ecm, entity, component.name) {
                all.push((entity, component.name, field.path, field.value.value.unwrap()));
            }
        }
    }
    all
}

#[test]
fn a_field_that_is_set_to_what_it_is_changes_nothing() {
    let mut checked = 0;
    for world in
        ["worlds/arm.sdf", "worlds/shapes.sdf", "worlds/cones.sdf", "scenarios/worlds/edit.sdf"]
    {
        let mut simulation = load(&folder(world));
        for _ in 0..20 {
            simulation.step().unwrap();
        }
        let before = simulation.hash().unwrap();
        for (entity, component, field, value) in all_fields(simulation.ecm()) {
            // Whatever is put somewhere is at rest there, so that moving it is a change.
            if component == "pose" || component == "parent" {
                continue;
            }
            let reply = set(&mut simulation, entity, (component, &field), value);
            assert!(reply.ok, "{world} {component}.{field}: {}", reply.message);
            checked += 1;
        }
        assert_eq!(simulation.hash().unwrap(), before, "{world}");
    }
    assert!(checked > 2000, "{checked}");
}

/// Changes of the arm, by link or joint: component, field and value.
fn arm_edits() -> Vec<(&'static str, &'static str, &'static str, Value)> {
    let numbers = |number: &[f64]| Value::Numbers(Numbers { number: number.to_vec() });
    let turned = Pose::from_xyz_rpy([0.3, 0.1, 0.2].into(), [0.2, -0.4, 0.7].into());
    let pose = [turned.position.to_array().as_slice(), &turned.rotation.to_array()].concat();
    vec![
        ("arm::base", "pose", "", numbers(&pose)),
        ("arm::upper", "pose", "", numbers(&pose)),
        ("arm::lower", "pose", "", numbers(&pose)),
        ("arm::shoulder", "joint", "axes.0.xyz", numbers(&[1.0, 2.0, -1.0])),
        ("arm::elbow", "joint", "axes.0.xyz", numbers(&[0.0, 1.0, 1.0])),
        ("arm::shoulder", "joint", "child_from_joint", numbers(&pose)),
        ("arm::elbow", "joint", "kind", Value::Text("prismatic".to_owned())),
        ("arm::elbow", "joint", "kind", Value::Text("universal".to_owned())),
        ("arm::elbow", "joint", "kind", Value::Text("continuous".to_owned())),
        ("arm::elbow", "joint", "parent", Value::Entity(0)),
        ("arm::base", "inertial", "mass_kg", Value::Number(3.0)),
    ]
}

/// Poses of the arm's links, by name.
fn links(ecm: &Ecm) -> Vec<(String, Pose)> {
    let all = ecm.with_descendants(find(ecm, "arm").unwrap()).into_iter();
    let links = all.filter(|link| ecm.get::<Kind>(*link) == Some(&Kind::Link));
    links.map(|link| (path_of(ecm, link), world_pose(ecm, link))).collect()
}

fn joints_put(simulation: &mut Simulation, positions: &[(String, Vec<f64>)]) {
    for (name, position) in positions {
        for (axis, position) in position.iter().enumerate() {
            let command = SetJointPosition {
                joint: Some(EntityRef::named(name)),
                axis: axis as u32,
                position: *position,
            };
            let reply = execute(simulation, user_cmd::Command::SetJointPosition(command));
            assert!(reply.ok, "{}", reply.message);
        }
    }
}

fn positions(ecm: &Ecm) -> Vec<(String, Vec<f64>)> {
    let joints = ecm.iter::<JointPosition>().filter(|(_, all)| !all.0.is_empty());
    joints.map(|(joint, all)| (path_of(ecm, joint), all.0.clone())).collect()
}

/// What is described has every joint at zero: with the joints where they were, a world that is made
/// from it has its links where they were.
fn check_described(simulation: &Simulation, what: &str) {
    let ecm = simulation.ecm();
    let world = export_world(ecm, world_entity(ecm).unwrap()).unwrap();
    let mut again = Simulation::load(&world, &SimulationOptions::default()).unwrap();
    joints_put(&mut again, &positions(ecm));
    for ((name, pose), (_, expected)) in links(again.ecm()).into_iter().zip(links(ecm)) {
        let apart = (pose.position - expected.position).length();
        let turned = pose.rotation.angle_between(expected.rotation);
        // A dozen products of poses round by some 1e-15 each; angles lose half of the digits.
        assert!(apart < 1e-9 && turned < 1e-6, "{what}: {name} is at {pose:?}, not {expected:?}");
    }
}

#[test]
fn a_robot_that_was_edited_while_bent_is_described_as_it_is() {
    for (first, edit) in arm_edits().into_iter().enumerate() {
        let mut simulation = load(&folder("scenarios/worlds/edit.sdf"));
        let bent = [("arm::shoulder".to_owned(), vec![0.7]), ("arm::elbow".to_owned(), vec![-0.4])];
        joints_put(&mut simulation, &bent);
        check_described(&simulation, "bent");
        // Each edit alone, and after another one.
        for (name, component, field, value) in [edit.clone(), arm_edits()[(first + 3) % 11].clone()]
        {
            let entity = find(simulation.ecm(), name).unwrap();
            let value = match (value, find(simulation.ecm(), "arm::base")) {
                (Value::Entity(0), Some(base)) => Value::Entity(base.raw()),
                (value, _) => value,
            };
            let before = links(simulation.ecm());
            let reply = set(&mut simulation, entity, (component, field), value);
            assert!(reply.ok, "{name} {component}.{field}: {}", reply.message);
            let what = format!("{name} {component}.{field}");
            if component != "pose" {
                for ((link, now), (_, was)) in links(simulation.ecm()).into_iter().zip(before) {
                    let apart = (now.position - was.position).length();
                    assert!(apart < 1e-9, "{what} moved {link} by {apart}");
                }
            }
            check_described(&simulation, &what);
        }
    }
}

#[test]
fn a_new_kind_of_joint_has_as_many_of_everything() {
    let mut simulation = load(&folder("scenarios/worlds/edit.sdf"));
    let elbow = find(simulation.ecm(), "arm::elbow").unwrap();
    for kind in
        ["ball", "universal", "fixed", "gearbox", "screw", "revolute2", "continuous", "prismatic"]
    {
        let reply = set(&mut simulation, elbow, ("joint", "kind"), Value::Text(kind.to_owned()));
        // What the engine cannot do it says, and nothing has changed then.
        let spec = simulation.ecm().get::<JointSpec>(elbow).unwrap();
        assert_eq!(spec.kind.name() == kind, reply.ok, "{kind}: {}", reply.message);
        let count = simulation.ecm().get::<JointPosition>(elbow).unwrap().0.len();
        assert_eq!((spec.axes.len(), count), (spec.kind.axis_count(), spec.kind.axis_count()));
        simulation.step().unwrap();
    }
}
