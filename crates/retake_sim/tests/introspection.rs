//! What others watch of a world.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use retake_assets::ResourceRoots;
use retake_components::{BodyTwist, Inertia, JointSpec, LocalPose, path_of};
use retake_diag::Diagnostics;
use retake_ecm::{Ecm, EntityId, Parent};
use retake_math::{Pose, Twist};
use retake_msgs::{
    DeleteEntities, EntityRef, GetFilter, IntrospectionFilter, ItemsRequest, SetFilter, UndoRedo,
    UserCmd, WorldContact, user_cmd,
};
use retake_sdf::{Contents, LoadOptions, load_file};
use retake_sim::{Request, Response, Server, ServerOptions, Simulation, SimulationOptions};

fn server(world: &str) -> Server {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(world);
    let (roots, options) = (ResourceRoots::new(), LoadOptions::default());
    let contents = load_file(&file, &roots, &options, &mut Diagnostics::new());
    let world = contents.map(Contents::into_world).unwrap();
    let simulation = Simulation::load(&world, &SimulationOptions::default()).unwrap();
    Server::new(simulation, &ServerOptions { paused: true, ..ServerOptions::default() })
}

fn filter(server: &mut Server, items: &[&str]) -> IntrospectionFilter {
    let item = items.iter().map(|name| (*name).to_owned()).collect();
    match server.handle(Request::SetFilter(SetFilter { item, ..SetFilter::default() })) {
        Response::Filter(filter) => filter,
        _ => panic!("no filter came"),
    }
}

fn command(server: &mut Server, command: user_cmd::Command) {
    let command = UserCmd { command: Some(command), ..UserCmd::default() };
    assert!(server.handle(Request::Command(Box::new(command))).into_reply().ok);
}

#[test]
fn a_watched_world_has_the_same_hash() {
    let (mut plain, mut watched) = (server("worlds/arm.sdf"), server("worlds/arm.sdf"));
    let request = Request::Items(ItemsRequest::default());
    let Response::Items(answer) = watched.handle(request) else { panic!("no items came") };
    let items: Vec<String> = answer.list().item.into_iter().map(|item| item.name).collect();
    assert!(items.len() > 100, "{}", items.len());
    let names: Vec<&str> = items.iter().map(String::as_str).collect();
    let found = filter(&mut watched, &names);
    assert_eq!(found.message, "", "every item that is listed is found");
    for _ in 0..200 {
        plain.step();
        watched.step();
    }
    assert_eq!(plain.simulation().hash().unwrap(), watched.simulation().hash().unwrap());
    let samples = watched.drain_samples();
    assert_eq!(samples.len(), 200, "one message with all items per step");
    let numbers: u32 = found.item.iter().map(|item| item.count).sum();
    assert_eq!(samples[199].sample.value.len(), numbers as usize);
    let gaps = samples[199].sample.value.iter().filter(|value| value.is_nan()).count();
    // What no player has is told to be nowhere.
    assert_eq!(gaps, items.iter().filter(|item| item.contains("::reference")).count());
}

#[test]
fn contacts_carry_what_rests_and_asking_leaves_no_trace() {
    let world = "scenarios/worlds/bounce.sdf";
    let (mut plain, mut asked) = (server(world), server(world));
    let contacts = |server: &mut Server| match server.handle(Request::Contacts) {
        Response::Contacts(contacts) => *contacts,
        _ => panic!("no contacts came"),
    };
    assert_eq!(contacts(&mut asked).contact, [], "nothing touches before the first step");
    for _ in 0..2000 {
        plain.step();
        asked.step();
        contacts(&mut asked);
    }
    assert_eq!(plain.simulation().hash().unwrap(), asked.simulation().hash().unwrap());
    let told = contacts(&mut asked);
    assert_eq!((told.sim_time.unwrap().sec, told.left_out), (2, 0));
    let ecm = asked.simulation().ecm();
    let called = |id: u64| path_of(ecm, EntityId::from_raw(id));
    let rests = told.contact.iter().find(|contact| called(contact.second).starts_with("dead"));
    let (rests, up) = match rests {
        Some(rests) => (rests, 1.0),
        None => {
            let first = |contact: &&WorldContact| called(contact.first).starts_with("dead");
            (told.contact.iter().find(first).expect("the dead ball lies on the plate"), -1.0)
        }
    };
    let (force, normal, at) =
        (rests.force.unwrap(), rests.normal.unwrap(), rests.position.unwrap());
    // Its weight of 1 kg; the solver leaves less than a hundredth of it.
    assert!((force.z * up - 9.81).abs() < 0.1 && force.x.hypot(force.y) < 0.1, "{force:?}");
    assert!((normal.z * up - 1.0).abs() < 1e-3, "{normal:?}");
    assert!((at.x + 1.0).abs() < 0.01 && (at.z - 0.1).abs() < 0.01, "{at:?}");
    assert!(rests.depth.abs() < 0.01, "{}", rests.depth);

    // What is gone touches nothing, also before the next step.
    let gone = DeleteEntities { entity: vec![EntityRef::named("dead")] };
    command(&mut asked, user_cmd::Command::DeleteEntities(gone));
    assert!(contacts(&mut asked).contact.len() < told.contact.len());
}

#[test]
fn samples_tell_where_time_jumped_and_items_go_and_come_back() {
    let mut server = server("scenarios/worlds/pendulum.sdf");
    let made = filter(&mut server, &["sim_time", "pendulum::pivot::angle"]);
    server.step();
    let delete = DeleteEntities { entity: vec![EntityRef::named("pendulum")] };
    command(&mut server, user_cmd::Command::DeleteEntities(delete));
    server.step();
    let id = server.history().undo.last().unwrap().id.clone();
    server.handle(Request::UndoRedo(UndoRedo { id, undo: true, ..UndoRedo::default() }));
    server.step();
    let told: Vec<String> = server
        .drain_samples()
        .iter()
        .map(|sampled| {
            let sample = &sampled.sample;
            let there = sample.value[1].is_finite();
            format!("{:.3} epoch {} angle {there}", sample.value[0], sample.epoch)
        })
        .collect();
    let expected = [
        "0.001 epoch 0 angle true",
        // After the command, while the world stands.
        "0.001 epoch 0 angle false",
        "0.002 epoch 0 angle false",
        "0.001 epoch 1 angle true",
        "0.002 epoch 1 angle true",
    ];
    assert_eq!(told, expected);
    let request = Request::GetFilter(GetFilter { filter_id: made.filter_id });
    let Response::Filter(now) = server.handle(request) else { panic!("no filter came") };
    assert_eq!((now.version, now.item[1].gone), (made.version + 2, false));
}

/// Where an entity is in the world, by one product for each that holds it and nothing else.
fn straightforward(ecm: &Ecm, entity: EntityId) -> Pose {
    let local = ecm.get::<LocalPose>(entity).map(|local| local.0);
    let Some(Parent(parent)) = ecm.get(entity) else { return local.unwrap_or(Pose::IDENTITY) };
    let world_from_parent = straightforward(ecm, *parent);
    local.map_or(world_from_parent, |local| world_from_parent * local)
}

/// The numbers of an item, computed for it alone; none for what this does not know.
fn numbers_of(ecm: &Ecm, name: &str) -> Option<Vec<f64>> {
    let (path, quantity) = name.rsplit_once("::")?;
    let (path, at_centre) = match path.strip_suffix("::inertial") {
        Some(path) => (path, true),
        None => (path, false),
    };
    let entity = retake_components::resolve(ecm, path).ok()?;
    let inertia = ecm.get::<Inertia>(entity).filter(|_| at_centre);
    let link_from_com = inertia.map_or(Pose::IDENTITY, |inertia| inertia.0.link_from_com);
    let here = straightforward(ecm, entity);
    let twist = ecm.get::<BodyTwist>(entity).map_or(Twist::ZERO, |twist| twist.0);
    let lever = here.transform_vector(link_from_com.position);
    let pose = match (ecm.get::<JointSpec>(entity), at_centre) {
        (Some(joint), _) => straightforward(ecm, joint.child) * joint.child_from_joint,
        (None, true) => here * link_from_com,
        (None, false) => here,
    };
    match (quantity, at_centre) {
        ("pose", _) => {
            Some([pose.position.to_array().as_slice(), &pose.rotation.to_array()].concat())
        }
        ("linear_velocity", true) => {
            Some((twist.linear + twist.angular.cross(lever)).to_array().to_vec())
        }
        ("linear_velocity", false) => Some(twist.linear.to_array().to_vec()),
        ("angular_velocity", _) => Some(twist.angular.to_array().to_vec()),
        _ => None,
    }
}

#[test]
fn samples_have_the_bits_of_the_straightforward_computation() {
    let mut compared = 0;
    for world in ["arm", "cones", "mixed_profiles", "quadruped", "shapes", "stacks"] {
        let mut server = server(&format!("worlds/{world}.sdf"));
        let request = Request::Items(ItemsRequest::default());
        let Response::Items(answer) = server.handle(request) else { panic!("no items came") };
        let items: Vec<String> = answer.list().item.into_iter().map(|item| item.name).collect();
        // To and fro as well: what is kept from one item must not be taken for another's.
        let there_and_back = items.iter().chain(items.iter().rev().step_by(7));
        let names: Vec<&str> = there_and_back.map(String::as_str).collect();
        let places = filter(&mut server, &names).item;
        for _ in 0..50 {
            server.step();
        }
        let sample = server.drain_samples().pop().unwrap().sample;
        for (name, place) in names.iter().zip(places) {
            let Some(expected) = numbers_of(server.simulation().ecm(), name) else { continue };
            let at = place.offset as usize;
            let told = &sample.value[at..at + place.count as usize];
            let bits = |numbers: &[f64]| numbers.iter().map(|n| n.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(told), bits(&expected), "{world}: {name}: {told:?}, {expected:?}");
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared}");
}
