//! Values of the past that nobody watched then are computed again as they were.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::collections::BTreeMap;

use retake_math::SimTime;
use retake_msgs::{
    EntityRef, IntrospectionSample, MoveEntity, PastRequest, PastSamples, ResumeTimeline,
    SetFilter, TimelineInstant, UndoRedo, UserCmd, Vector3, user_cmd,
};
use retake_sim::{Request, Response, Server, ServerOptions, TimelineLimits};
use support::{load, worlds};

const ITEMS: [&str; 4] =
    ["vehicle::pose", "cone_1::link::linear_acceleration", "vehicle::chassis::force", "sim_time"];

fn server(timeline: TimelineLimits) -> Server {
    let file = worlds().into_iter().find(|world| world.ends_with("cones.sdf")).unwrap();
    let options = ServerOptions { paused: true, timeline, ..ServerOptions::default() };
    Server::new(load(&file), &options)
}

fn command(server: &mut Server, id: &str, command: user_cmd::Command) {
    let command = Some(command);
    let command = UserCmd { id: id.to_owned(), command, ..UserCmd::default() };
    let reply = server.handle(Request::Command(Box::new(command))).into_reply();
    assert!(reply.ok, "{}", reply.message);
}

fn move_vehicle(server: &mut Server, id: &str, y: f64) {
    let moved = MoveEntity {
        entity: Some(EntityRef::named("vehicle")),
        position: Some(Vector3 { x: -1.0, y, z: 0.3 }),
        ..MoveEntity::default()
    };
    command(server, id, user_cmd::Command::MoveEntity(moved));
}

fn watch(server: &mut Server, branch: &str, items: &[&str]) -> Result<PastSamples, String> {
    let instant = TimelineInstant { branch: branch.to_owned(), ..TimelineInstant::default() };
    let watch = items.iter().map(|item| (*item).to_owned()).collect();
    let request = PastRequest { instant: Some(instant), watch, ..PastRequest::default() };
    match server.handle(Request::Past(request)) {
        Response::Past(Ok(mut answer)) => Ok(answer.take_samples().unwrap()),
        Response::Past(Err(refusal)) => Err(refusal.message),
        _ => panic!("a look back is answered with the past"),
    }
}

fn samples(past: &PastSamples) -> impl Iterator<Item = &IntrospectionSample> {
    past.part.iter().flat_map(|part| &part.sample)
}

/// Numbers to the bit, by stretch and step.
type Heard = BTreeMap<(u64, u64), Vec<u64>>;

fn bits(sample: &IntrospectionSample) -> ((u64, u64), Vec<u64>) {
    let values = sample.value.iter().map(|value| value.to_bits()).collect();
    ((sample.epoch, sample.update), values)
}

/// Runs with an edit that is undone, and on from the past; returns all that was heard meanwhile.
fn eventful(server: &mut Server) -> Heard {
    let item = ITEMS.iter().map(|item| (*item).to_owned()).collect();
    server.handle(Request::SetFilter(SetFilter { item, ..SetFilter::default() }));
    let step = |server: &mut Server, steps| (0..steps).for_each(|_| server.step());
    step(server, 400);
    move_vehicle(server, "a", 1.0);
    step(server, 300);
    let undo = UndoRedo { id: "a".to_owned(), undo: true, ..UndoRedo::default() };
    server.handle(Request::UndoRedo(undo));
    step(server, 200);
    move_vehicle(server, "b", -1.0);
    step(server, 300);
    let instant = TimelineInstant {
        sim_time: Some(SimTime::from_secs_f64(0.7).into()),
        ..TimelineInstant::default()
    };
    let resume = ResumeTimeline { instant: Some(instant), ..ResumeTimeline::default() };
    command(server, "c", user_cmd::Command::ResumeTimeline(resume));
    step(server, 150);
    let mut heard = Heard::new();
    for sample in server.drain_samples() {
        let (at, values) = bits(&sample.sample);
        // An edit is sampled at once too; what counts is how the world came to the instant.
        heard.entry(at).or_insert(values);
    }
    heard
}

#[test]
fn what_is_computed_of_every_branch_is_what_was_heard_of_it() {
    let mut server = server(TimelineLimits::default());
    let heard = eventful(&mut server);
    let Response::Timeline(timeline) = server.handle(Request::Timeline) else { panic!() };
    let names: Vec<String> = timeline.branch.iter().map(|branch| branch.name.clone()).collect();
    assert_eq!(names.len(), 3, "{names:?}");
    let mut compared = 0;
    for name in names {
        let past = watch(&mut server, &name, &ITEMS).unwrap();
        assert_eq!(past.every, 1);
        let mut iterations = 0;
        for sample in samples(&past) {
            iterations += 1;
            assert_eq!(sample.update, iterations, "no step of {name} is left out");
            let (at, values) = bits(sample);
            assert_eq!(heard.get(&at), Some(&values), "{name} at step {iterations}");
            compared += 1;
        }
    }
    // 700 of the move that was undone, 900 of the one that was left, 850 of what goes on.
    assert_eq!(compared, 700 + 900 + 850);
}

#[test]
fn what_is_kept_of_a_long_past_is_told_from_there_on() {
    let mut server = server(TimelineLimits {
        max_age: SimTime::from_secs_f64(1.0),
        ..TimelineLimits::default()
    });
    (0..3000).for_each(|_| server.step());
    let past = watch(&mut server, "", &["sim_time"]).unwrap();
    let (first, last) = (samples(&past).next().unwrap(), samples(&past).last().unwrap());
    assert!((1500..=2001).contains(&first.update), "from step {}", first.update);
    assert_eq!(last.update, 3000);
}

#[test]
fn what_would_be_too_much_is_told_more_sparsely() {
    let mut server = server(TimelineLimits::default());
    (0..9000).for_each(|_| server.step());
    let names: Vec<String> = (1..=3).map(|n| format!("cone_{n}::link")).collect();
    let motions = ["pose", "linear_velocity", "angular_velocity", "force", "torque"];
    let items = names.iter().flat_map(|link| motions.map(|motion| format!("{link}::{motion}")));
    let items: Vec<String> = items
        .chain(
            names
                .iter()
                .flat_map(|link| motions.map(|motion| format!("{link}::inertial::{motion}"))),
        )
        .collect();
    let items: Vec<&str> = items.iter().map(String::as_str).collect();
    let past = watch(&mut server, "", &items).unwrap();
    assert_eq!(past.every, 2);
    let updates: Vec<u64> = samples(&past).map(|sample| sample.update).collect();
    assert_eq!(updates, (1..=4500).map(|n| n * 2).collect::<Vec<u64>>());
}

#[test]
fn an_item_that_is_not_there_has_no_numbers_and_a_branch_is_named() {
    let mut server = server(TimelineLimits::default());
    (0..10).for_each(|_| server.step());
    let past = watch(&mut server, "", &["nobody::pose", "sim_time"]).unwrap();
    let filter = past.part[0].filter.as_ref().unwrap();
    assert!(filter.item[0].gone);
    let refused = watch(&mut server, "elsewhere", &["sim_time"]).unwrap_err();
    assert_eq!(refused, "No branch named \"elsewhere\". Known: main");
}
