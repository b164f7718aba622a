//! Worlds that explode, or would like to: what is not finite or too fast never stays in the state.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use prost::Message as _;
use retake_assets::ResourceRoots;
use retake_components::{BodyTwist, Kind, world_pose};
use retake_diag::Diagnostics;
use retake_msgs::notification::Level;
use retake_msgs::{
    EntityRef, EntityWrench, PhysicsParam, SetProfileParam, UserCmd, UserCmdReply, Vector3, Wrench,
    user_cmd,
};
use retake_sim::{Event, Request, Server, ServerOptions, Simulation, SimulationOptions};

fn server(models: &str) -> Server {
    let text = format!(
        "<sdf version='1.11'><world name='w'><model name='floor'><static>1</static>
         <link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>
         {models}</world></sdf>"
    );
    let (roots, mut found) = (ResourceRoots::new(), Diagnostics::new());
    let world = retake_sdf::parse_world(&text, "test.sdf", &roots, &mut found).unwrap();
    let simulation = Simulation::load(&world, &SimulationOptions::default()).unwrap();
    Server::new(simulation, &ServerOptions::default())
}

/// A box with a mass, at a height.
fn cube(name: &str, mass_kg: f64, z: f64) -> String {
    let inertia = mass_kg / 6.0;
    format!(
        "<model name='{name}'><pose>0 0 {z} 0 0 0</pose><link name='l'>
           <inertial><mass>{mass_kg}</mass><inertia><ixx>{inertia}</ixx><iyy>{inertia}</iyy>
             <izz>{inertia}</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>
           <collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>
         </link></model>"
    )
}

/// A rod on a hinge that a spring pulls.
fn spring(stiffness: f64) -> String {
    format!(
        "<model name='rod'><pose>0 0 3 0 0 0</pose><link name='base'/>
         <link name='rod'><pose>0.5 0 0 0 0 0</pose><inertial><mass>0.01</mass>
           <inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>1e-5</izz></inertia></inertial></link>
         <joint name='stand' type='fixed'><parent>world</parent><child>base</child></joint>
         <joint name='hinge' type='revolute'><parent>base</parent><child>rod</child>
           <axis><xyz>0 1 0</xyz><dynamics><spring_stiffness>{stiffness}</spring_stiffness>
             <spring_reference>1.5</spring_reference></dynamics></axis></joint></model>"
    )
}

fn set_step(server: &mut Server, step_secs: f64) -> UserCmdReply {
    let param =
        vec![PhysicsParam { key: "max_step_size".to_owned(), value: step_secs.to_string() }];
    let set = SetProfileParam { profile: String::new(), param };
    let command = Some(user_cmd::Command::SetProfileParam(set));
    let command = UserCmd { command, author: "ann".to_owned(), ..UserCmd::default() };
    server.handle(Request::Command(Box::new(command))).into_reply()
}

/// All that can be seen is finite and within reason.
fn assert_sane(server: &Server) {
    let ecm = server.simulation().ecm();
    for (link, _) in ecm.iter::<Kind>().filter(|(_, kind)| **kind == Kind::Link) {
        let pose = world_pose(ecm, link);
        let place = pose.position;
        let is_sane = |number: f64| number.is_finite() && number.abs() < 1e9;
        assert!([place.x, place.y, place.z].into_iter().all(is_sane), "{place:?}");
        if let Some(twist) = ecm.get::<BodyTwist>(link) {
            let text = format!("{twist:?}");
            assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        }
    }
}

/// Steps on; a failure must pause the world at once, say so, and leave a good state.
///
/// Returns how many steps failed.
fn go_on(server: &mut Server, steps: usize) -> usize {
    let mut failures = 0;
    for _ in 0..steps {
        let before = server.simulation().clock();
        server.step();
        assert_sane(server);
        let events = server.drain_events();
        if !server.failed() {
            assert_eq!(server.simulation().clock().iterations, before.iterations + 1);
            continue;
        }
        failures += 1;
        assert!(server.paused(), "a world that failed stands still");
        let told = events.iter().any(|event| match event {
            Event::Notified(told) => {
                told.level() == Level::Error && told.text.contains("The world is back at")
            }
            _ => false,
        });
        let jumped = events
            .iter()
            .any(|event| matches!(event, Event::TimeJumped(jump) if jump.cause == "failed step"));
        assert!(told && jumped, "{events:?}");
        assert!(server.simulation().clock().sim_time <= before.sim_time);
    }
    failures
}

#[test]
fn a_million_times_heavier_on_top_stays_within_reason() {
    let mut server = server(&(cube("light", 1.0, 0.5) + &cube("heavy", 1e6, 1.5)));
    go_on(&mut server, 3000);
    // And the other way round, let fall.
    let mut server = self::server(&(cube("heavy", 1e6, 0.5) + &cube("light", 1.0, 5.0)));
    go_on(&mut server, 3000);
}

#[test]
fn springs_without_reason_are_caught_or_hold() {
    for stiffness in [1e3, 1e6, 1e9, 1e12, 1e15] {
        let mut server = server(&spring(stiffness));
        go_on(&mut server, 1000);
    }
}

#[test]
fn steps_a_hundred_times_as_long_are_caught_or_hold() {
    let models = cube("a", 1.0, 0.5) + &cube("b", 1e6, 1.5) + &spring(1e6);
    let mut server = server(&models);
    assert_eq!(go_on(&mut server, 100), 0);
    let reply = set_step(&mut server, 0.1);
    assert!(reply.ok, "{}", reply.message);
    go_on(&mut server, 1000);
    // The world can be gone on with after that, in steps as before.
    let reply = set_step(&mut server, 0.001);
    assert!(reply.ok, "{}", reply.message);
    go_on(&mut server, 100);
}

#[test]
fn what_is_thrown_beyond_reason_is_caught_in_that_step_and_the_world_goes_back() {
    let wrench = "<plugin filename='x' name='gz::sim::systems::ApplyLinkWrench'><persistent>
        <entity_name>cube</entity_name><entity_type>model</entity_type>
        <force>1e25 0 0</force></persistent></plugin>";
    let mut server = server(&(cube("cube", 1.0, 0.5) + wrench));
    assert_eq!(go_on(&mut server, 3), 3, "each try is caught");
    assert_eq!(server.simulation().clock().iterations, 0);
}

#[test]
fn a_wild_push_over_a_topic_is_refused_and_leaves_no_trace() {
    let plugin = "<plugin filename='x' name='gz::sim::systems::ApplyLinkWrench'/>";
    let mut server = server(&(cube("cube", 1.0, 0.5) + plugin));
    go_on(&mut server, 3);
    let push = |place: usize, number: f64| {
        let mut parts = [Vector3::default(); 3];
        parts[place].y = number;
        let [force, torque, force_offset] = parts.map(Some);
        let wrench = Some(Wrench { force, torque, force_offset });
        EntityWrench { entity: Some(EntityRef::named("cube")), wrench }.encode_to_vec()
    };
    let before = server.simulation().hash().unwrap();
    let mut tried = 0;
    for topic in server.simulation().subscriptions() {
        for wild in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308] {
            for place in 0..3 {
                let request = Request::Message { topic: topic.clone(), bytes: push(place, wild) };
                server.handle(request);
                tried += 1;
                let after = server.simulation().hash().unwrap();
                assert_eq!(after, before, "{topic}: {wild} at {place}");
            }
        }
    }
    assert!(tried >= 24, "{tried} pushes were tried");
    assert_eq!(go_on(&mut server, 3), 0, "nothing pushes");
    // A push that can be is taken, so that it was the numbers that were refused.
    let topic = "/world/w/wrench".to_owned();
    let calm = server.simulation().hash().unwrap();
    server.handle(Request::Message { topic, bytes: push(0, 1.0) });
    assert_ne!(server.simulation().hash().unwrap(), calm);
}
