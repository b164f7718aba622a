//! A system that never returns is named where the step thread is not: while its world is loaded, and
//! where the past is simulated again.

use std::sync::mpsc::{Receiver, channel};
use std::thread;

use retake_math::SimTime;
use retake_msgs::notification::Level;
use retake_msgs::{Past, PastRequest, ResumeTimeline, TimelineInstant};
use retake_sim::{Keyframe, Response, SystemWatch};

use super::*;
use crate::moody::Mood;
use crate::never_returning::{PATIENCE, Stage};

/// The instant after so many steps.
fn after(steps: i64) -> Option<TimelineInstant> {
    let sim_time = Some(SimTime::from_nanos(steps * 1_000_000).into());
    Some(TimelineInstant { sim_time, ..TimelineInstant::default() })
}

fn look_at(steps: i64) -> Request {
    Request::Past(PastRequest { instant: after(steps), hash: true, ..PastRequest::default() })
}

fn look() -> Request {
    look_at(4)
}

fn watch() -> Request {
    let watch = vec!["box::l::position".to_owned()];
    Request::Past(PastRequest { instant: after(4), hash: true, watch, ..PastRequest::default() })
}

fn resume() -> Request {
    let stuck_systems = StuckSystems::GoOn.into();
    let resume = ResumeTimeline { instant: after(4), stuck_systems, ..ResumeTimeline::default() };
    command("resume", user_cmd::Command::ResumeTimeline(resume))
}

fn past(response: Response) -> Past {
    match response {
        Response::Past(Ok(answer)) => answer.header(),
        Response::Past(Err(refusal)) => *refusal,
        _ => panic!("no answer about the past"),
    }
}

/// A paused world with a few steps behind it.
fn stage(name: &str) -> Stage {
    let stage = Stage::start(name);
    (0..5).for_each(|_| stage.make_step());
    stage
}

/// Holds a thread up that simulates the past again; checks that whoever wants it is refused by name,
/// that the present goes on, and that the past is as it was when the system comes back.
fn check(name: &str, callback: &'static str, request: fn() -> Request) {
    let stage = stage(name);
    let seen = past(stage.ask(look_at(2)));
    assert!(seen.ok && seen.iterations == 2, "{seen:?}");

    moody::spoil(name, callback, Mood::Hangs);
    let answer = stage.send(request());
    let who = format!("system {name}::test::Moody has not come back from {callback}");
    let named = stage.told(Level::Error, &who);
    assert!(named.starts_with("Looking back is held up: "), "{named}");
    let refused = answer.recv_timeout(PATIENCE).unwrap().into_reply();
    assert!(!refused.ok && refused.message.contains(&who), "{}", refused.message);
    // Whoever comes now does not wait either.
    let refused = stage.reply(request());
    assert!(!refused.ok && refused.message.contains(&who), "{}", refused.message);
    assert!(stage.runner.held_up().is_none(), "the world itself is not held up");
    assert!(stage.reply(move_box("meanwhile")).ok);

    moody::calm(name);
    let back = stage.told(Level::Info, "came back");
    assert!(back.ends_with("looking back goes on"), "{back}");
    let again = past(stage.ask(look_at(2)));
    assert_eq!((again.ok, again.hash), (true, seen.hash));
    stage.end();
}

#[test]
fn a_system_that_never_returns_in_the_past_is_named_and_who_looks_is_refused() {
    check("past_pre", "pre_update", look);
    check("past_post", "post_update", look);
    // It is made anew when a state is put in place.
    check("past_made", "make", || look_at(1));
}

#[test]
fn a_system_that_never_returns_while_the_past_is_watched_is_named_and_who_watches_is_refused() {
    check("past_watched", "pre_update", watch);
}

#[test]
fn a_system_that_never_returns_on_the_way_back_is_named_and_the_resume_refused() {
    check("past_resumed", "pre_update", resume);
}

/// Loads a world on another thread, watched.
fn load(name: &'static str) -> (thread::JoinHandle<String>, Receiver<String>) {
    let (tell, told) = channel();
    let watch = SystemWatch::start("Loading", move |text| drop(tell.send(text)));
    let loading = thread::spawn(move || {
        let options = SimulationOptions { watch: Some(watch), ..SimulationOptions::default() };
        Simulation::load(&world(name), &options).unwrap().hash().unwrap()
    });
    (loading, told)
}

#[test]
fn a_system_that_is_never_made_while_a_world_is_loaded_is_named() {
    let (calm, _told) = load("never_loads");
    let calm = calm.join().unwrap();

    moody::spoil("never_loads", "make", Mood::Hangs);
    let (loading, told) = load("never_loads");
    let named = told.recv_timeout(PATIENCE).unwrap();
    let who = "Loading is held up: system never_loads::test::Moody has not come back from make";
    assert!(named.starts_with(who), "{named}");
    moody::calm("never_loads");
    let back = told.recv_timeout(PATIENCE).unwrap();
    assert!(back.starts_with("System never_loads::test::Moody came back from make"), "{back}");
    assert_eq!(loading.join().unwrap(), calm, "being held up leaves no trace in the state");
}

/// Goes on from a state on another thread, watched, as logs are run again; returns the last hash.
fn run_again(keyframe: &Keyframe, steps: usize) -> (thread::JoinHandle<String>, Receiver<String>) {
    let (tell, told) = channel();
    let watch = SystemWatch::start("The run", move |text| drop(tell.send(text)));
    let mut ecm = Simulation::empty_ecm();
    ecm.apply(&keyframe.ecm.encode_full()).unwrap();
    let engine = keyframe.engine_bytes().unwrap();
    let running = thread::spawn(move || {
        let options = SimulationOptions { watch: Some(watch), ..SimulationOptions::default() };
        let (mut simulation, _) = Simulation::resume(ecm, Some(&engine), &options).unwrap();
        (0..steps).for_each(|_| simulation.step().unwrap());
        simulation.hash().unwrap()
    });
    (running, told)
}

#[test]
fn a_system_that_never_returns_while_a_log_is_run_again_is_named() {
    // Made anew when the state is put in place, and called in each step.
    for (name, callback) in [("rerun_made", "make"), ("rerun_steps", "pre_update")] {
        let first = Simulation::load(&world(name), &SimulationOptions::default()).unwrap();
        let keyframe = first.capture();
        let (calm, _told) = run_again(&keyframe, 3);
        let calm = calm.join().unwrap();

        moody::spoil(name, callback, Mood::Hangs);
        let (running, told) = run_again(&keyframe, 3);
        let named = told.recv_timeout(PATIENCE).unwrap();
        let who = format!("system {name}::test::Moody has not come back from {callback}");
        assert!(named.starts_with(&format!("The run is held up: {who}")), "{named}");
        moody::calm(name);
        let back = told.recv_timeout(PATIENCE).unwrap();
        assert!(back.ends_with("all goes on"), "{back}");
        assert_eq!(running.join().unwrap(), calm, "being held up leaves no trace in the state");
    }
}

#[test]
fn a_system_that_never_returns_in_a_run_that_nobody_serves_is_named() {
    let name = "never_steps_alone";
    let mut simulation = Simulation::load(&world(name), &SimulationOptions::default()).unwrap();
    moody::spoil(name, "pre_update", Mood::Hangs);
    let (tell, told) = channel();
    let watch = SystemWatch::of(&simulation, "The run", move |text| drop(tell.send(text)));
    let running = thread::spawn(move || simulation.step().unwrap());
    let named = told.recv_timeout(PATIENCE).unwrap();
    let who = format!("The run is held up: system {name}::test::Moody has not come back from");
    assert!(named.starts_with(&who), "{named}");
    moody::calm(name);
    running.join().unwrap();
    drop(watch);
}
