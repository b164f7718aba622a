//! Looking back and going on from the past.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use prost::Message as _;
use retake_math::SimTime;
use retake_msgs::{
    AddBookmark, EntityRef, HashReply, HashRequest, MoveEntity, Past, PastRequest, PhysicsParam,
    RenameInTimeline, ResumeTimeline, SetProfileParam, Timeline, TimelineEdit, TimelineInstant,
    TimelineSettings, UndoRedo, UserCmd, UserCmdReply, Vector3, WorldControl, timeline_edit::Edit,
    user_cmd,
};
use retake_sim::undo_laws::past_is_shown_as_it_was;
use retake_sim::{
    Event, InboxSender, OutMessage, RealTimeFactor, Request, Response, Runner, Server,
    ServerOptions, TimelineLimits, View, ViewSink, inbox,
};
use support::{load, worlds};

const MIB: u64 = 1024 * 1024;

fn world_file(name: &str) -> PathBuf {
    worlds().into_iter().find(|world| world.ends_with(name)).unwrap()
}

fn server_with(file: &str, timeline: TimelineLimits) -> Server {
    let options = ServerOptions { paused: true, timeline, ..ServerOptions::default() };
    Server::new(load(&world_file(file)), &options)
}

fn cones() -> Server {
    server_with("cones.sdf", TimelineLimits::default())
}

fn run(server: &mut Server, steps: u32) -> String {
    (0..steps).for_each(|_| server.step());
    server.simulation().hash().unwrap()
}

fn command(server: &mut Server, id: &str, command: user_cmd::Command) -> UserCmdReply {
    let author = "ann".to_owned();
    let command = Some(command);
    let command = UserCmd { id: id.to_owned(), author, command, ..UserCmd::default() };
    server.handle(Request::Command(Box::new(command))).into_reply()
}

fn move_cone(server: &mut Server, id: &str, x: f64) {
    let moved = user_cmd::Command::MoveEntity(MoveEntity {
        entity: Some(EntityRef::named("cone_1")),
        position: Some(Vector3 { x, y: 3.0, z: 0.5 }),
        ..MoveEntity::default()
    });
    let reply = command(server, id, moved);
    assert!(reply.ok, "{}", reply.message);
}

fn at(branch: &str, secs: f64) -> TimelineInstant {
    let sim_time = Some(SimTime::from_secs_f64(secs).into());
    TimelineInstant { branch: branch.to_owned(), sim_time, bookmark: String::new() }
}

fn end(branch: &str) -> TimelineInstant {
    TimelineInstant { branch: branch.to_owned(), ..TimelineInstant::default() }
}

fn marked(bookmark: &str) -> TimelineInstant {
    TimelineInstant { bookmark: bookmark.to_owned(), ..TimelineInstant::default() }
}

fn show(server: &mut Server, instant: TimelineInstant) -> Past {
    let request = PastRequest { instant: Some(instant), hash: true, ..PastRequest::default() };
    match server.handle(Request::Past(request)) {
        Response::Past(Ok(answer)) => answer.header(),
        Response::Past(Err(refusal)) => *refusal,
        _ => panic!("a look back is answered with the past"),
    }
}

fn resume(server: &mut Server, id: &str, instant: TimelineInstant, fork: &str) -> UserCmdReply {
    let resume = ResumeTimeline { instant: Some(instant), fork: fork.to_owned(), stuck_systems: 0 };
    command(server, id, user_cmd::Command::ResumeTimeline(resume))
}

fn edit(server: &mut Server, edit: Edit) -> UserCmdReply {
    let edit = TimelineEdit { author: "bob".to_owned(), edit: Some(edit) };
    server.handle(Request::EditTimeline(Box::new(edit))).into_reply()
}

fn timeline(server: &mut Server) -> Timeline {
    match server.handle(Request::Timeline) {
        Response::Timeline(timeline) => Timeline::clone(&timeline),
        _ => panic!("the timeline is asked for"),
    }
}

/// The lanes, as `name from-to`.
fn lanes(server: &mut Server) -> Vec<String> {
    let secs = |time: &Option<retake_msgs::Time>| {
        time.as_ref().map(SimTime::from).unwrap_or_default().as_secs_f64()
    };
    let lane = |branch: &retake_msgs::TimelineBranch| {
        let parts = branch.segment.iter().map(|s| format!("{}-{}", secs(&s.from), secs(&s.to)));
        format!("{} {}", branch.name, parts.collect::<Vec<_>>().join(" "))
    };
    timeline(server).branch.iter().map(lane).collect()
}

fn undo(server: &mut Server, id: &str, undo: bool) {
    let request = UndoRedo { id: id.to_owned(), undo, ..UndoRedo::default() };
    let reply = server.handle(Request::UndoRedo(request)).into_reply();
    assert!(reply.ok, "{}", reply.message);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_past_is_shown_as_it_was(seed in any::<u64>(), mib in 2_u64..40) {
        let limits = TimelineLimits { max_bytes: mib * MIB, ..TimelineLimits::default() };
        let shown = past_is_shown_as_it_was(seed, limits, (12, 1));
        prop_assert!(shown.is_ok(), "{}", shown.unwrap_err());
    }
}

/// Edits at the begin of a fork, and a look between the first two steps of it.
#[test]
fn a_past_that_was_once_shown_with_the_edits_of_its_instant() {
    let limits = TimelineLimits { max_bytes: 17 * MIB, ..TimelineLimits::default() };
    past_is_shown_as_it_was(8_365_317_014_696_613_748, limits, (12, 1)).unwrap();
}

#[test]
fn instants_of_every_demo_world_are_shown_as_they_were() {
    for file in worlds() {
        let options = ServerOptions { paused: true, ..ServerOptions::default() };
        let mut server = Server::new(load(&file), &options);
        let mut known = Vec::new();
        for steps in [0, 1, 127, 1, 200, 250, 21] {
            let hash = run(&mut server, steps);
            known.push((server.simulation().clock(), hash));
        }
        for (clock, hash) in known {
            let past = show(&mut server, at("", clock.sim_time.as_secs_f64()));
            let (file, steps) = (file.display(), clock.iterations);
            assert_eq!(past.iterations, steps, "{file}: {}", past.message);
            assert_eq!(past.hash, hash, "{file} after {steps} steps");
        }
    }
}

#[test]
fn a_kept_past_leaves_no_trace_in_the_state() {
    let (mut with, mut without) = (cones(), server_with("cones.sdf", TimelineLimits::OFF));
    for (number, steps) in [(1, 200), (2, 300), (3, 700)] {
        for server in [&mut with, &mut without] {
            move_cone(server, &format!("id-{number}"), f64::from(number));
        }
        show(&mut with, at("", 0.1));
        assert_eq!(run(&mut with, steps), run(&mut without, steps));
    }
    assert_eq!(
        timeline(&mut without),
        Timeline { enabled: false, max_age_secs: 1.0, ..Timeline::default() }
    );
    let refused = "The timeline is off. Switch it on with: retake timeline limit --memory 256";
    assert_eq!(show(&mut without, at("", 0.1)).message, refused);
    assert_eq!(resume(&mut without, "r", at("", 0.1), "").message, refused);
}

#[test]
fn a_resume_is_a_jump_that_can_be_undone() {
    let mut server = cones();
    run(&mut server, 1000);
    move_cone(&mut server, "moved", 4.0);
    let there = run(&mut server, 500);
    let shown = show(&mut server, at("", 0.4));
    server.drain_events();
    let reply = resume(&mut server, "r", at("", 0.4), "");
    assert_eq!((reply.ok, reply.message.as_str()), (true, "Resume from 0.400 s"));
    assert_eq!(server.simulation().hash().unwrap(), shown.hash);
    let jumps = server.drain_events();
    let jump = jumps.iter().find_map(|event| match event {
        Event::TimeJumped(jump) => {
            Some((jump.cause.as_str(), jump.author.as_str(), jump.parent_epoch))
        }
        _ => None,
    });
    assert_eq!(jump, Some(("resume", "ann", 0)));
    // Sent again it is answered alike and done once.
    let epoch = server.simulation().epoch();
    assert_eq!(resume(&mut server, "r", at("", 0.4), ""), reply);
    assert_eq!(server.simulation().epoch(), epoch);
    let later = run(&mut server, 300);
    assert_eq!(lanes(&mut server), ["main 0-0.4 0.4-0.7", "main-1 0.4-1.5"]);
    // The future that was is still there.
    assert_eq!(show(&mut server, end("main-1")).hash, there);
    let list: Vec<_> = server.history().undo.iter().map(|e| e.description.clone()).collect();
    assert_eq!(list, ["Move cone_1", "Resume from 0.400 s"]);
    undo(&mut server, "r", true);
    assert_eq!(server.simulation().hash().unwrap(), there);
    assert_eq!(lanes(&mut server), ["main 0-1.5 1.5-1.5", "main-2 0.4-0.7"]);
    undo(&mut server, "r", false);
    assert_eq!(server.simulation().hash().unwrap(), later);
    undo(&mut server, "r", true);
    undo(&mut server, "moved", true);
    assert_eq!(server.simulation().clock().sim_time, SimTime::from_secs_f64(1.0));
}

#[test]
fn branches_are_switched_renamed_and_deleted() {
    let mut server = cones();
    run(&mut server, 800);
    let reply = resume(&mut server, "1", at("", 0.3), "trial");
    assert_eq!(reply.message, "Fork trial at 0.300 s");
    let trial = run(&mut server, 200);
    assert_eq!(lanes(&mut server), ["trial 0-0.3 0.3-0.5", "main 0.3-0.8"]);
    let main = show(&mut server, end("main")).hash;
    assert_eq!(resume(&mut server, "2", end("main"), "").message, "Switch to main at 0.800 s");
    assert_eq!(server.simulation().hash().unwrap(), main);
    run(&mut server, 100);
    assert_eq!(lanes(&mut server), ["main 0-0.8 0.8-0.9", "trial 0.3-0.5"]);
    assert_eq!(show(&mut server, end("trial")).hash, trial);
    // In the midst of another branch: what is left of it stays, too.
    resume(&mut server, "3", at("trial", 0.4), "");
    let known = ["trial 0-0.3 0.3-0.4 0.4-0.4", "trial-1 0.4-0.5", "main 0.3-0.8 0.8-0.9"];
    assert_eq!(lanes(&mut server), known);
    let rename = |name: &str, to: &str| {
        Edit::RenameBranch(RenameInTimeline { name: name.to_owned(), to: to.to_owned() })
    };
    assert!(edit(&mut server, rename("trial-1", "kept")).ok);
    let taken = edit(&mut server, rename("kept", "main")).message;
    assert_eq!(taken, "There is a branch named \"main\" already");
    let live = edit(&mut server, Edit::DeleteBranch("trial".to_owned())).message;
    assert!(live.starts_with("The world goes on with \"trial\""), "{live}");
    assert!(edit(&mut server, Edit::DeleteBranch("main".to_owned())).ok);
    assert!(edit(&mut server, Edit::DeleteBranch("kept".to_owned())).ok);
    assert_eq!(lanes(&mut server), ["trial 0-0.3 0.3-0.4 0.4-0.4"]);
    let gone = show(&mut server, end("main")).message;
    assert_eq!(gone, "No branch named \"main\". Known: trial");
    let beyond = show(&mut server, at("", 0.6)).message;
    assert_eq!(beyond, "Branch \"trial\" ends at 0.400 s; there is no 0.600 s on it");
}

#[test]
fn a_bookmark_is_the_very_state_after_the_edits_of_its_instant() {
    let mut server = cones();
    run(&mut server, 300);
    let arrived = server.simulation().hash().unwrap();
    move_cone(&mut server, "moved", 4.0);
    let edited = server.simulation().hash().unwrap();
    let add = |name: &str, instant: Option<TimelineInstant>| {
        Edit::AddBookmark(AddBookmark { name: name.to_owned(), instant })
    };
    assert!(edit(&mut server, add("edited", None)).ok);
    run(&mut server, 500);
    assert!(edit(&mut server, add("early", Some(at("", 0.2)))).ok);
    assert_eq!(show(&mut server, marked("edited")).hash, edited);
    // By its time alone the instant is as the world came to it.
    assert_eq!(show(&mut server, at("", 0.3)).hash, arrived);
    assert_eq!(show(&mut server, marked("early")).iterations, 200);
    let twice = edit(&mut server, add("early", None)).message;
    assert_eq!(twice, "There is a bookmark named \"early\" already");
    assert!(edit(&mut server, add("", None)).message.contains("is no name"));
    for instant in ["end", "1.5", "-2"] {
        let refused = edit(&mut server, add(instant, None)).message;
        assert!(refused.contains("means an instant by itself"), "{refused}");
    }
    resume(&mut server, "r", marked("edited"), "");
    assert_eq!(server.simulation().hash().unwrap(), edited);
    // What a bookmark is on stays, though no branch leads there.
    assert!(edit(&mut server, Edit::DeleteBranch("main-1".to_owned())).ok);
    assert_eq!(show(&mut server, marked("early")).iterations, 200);
    assert!(edit(&mut server, Edit::DeleteBookmark("early".to_owned())).ok);
    let gone = show(&mut server, marked("early")).message;
    assert_eq!(gone, "No bookmark named \"early\". Known: edited");
}

fn set_step_size(server: &mut Server, id: &str, secs: &str) {
    let (key, value) = ("max_step_size".to_owned(), secs.to_owned());
    let param = vec![PhysicsParam { key, value }];
    let set = user_cmd::Command::SetProfileParam(SetProfileParam { param, ..Default::default() });
    let reply = command(server, id, set);
    assert!(reply.ok, "{}", reply.message);
}

#[test]
fn between_two_steps_the_world_is_as_it_came_to_the_first() {
    let mut server = cones();
    let first = run(&mut server, 300);
    move_cone(&mut server, "moved", 4.0);
    // Keeps a state of this instant that has the edit in it, so that no way may start there.
    let bookmark = AddBookmark { name: "edited".to_owned(), instant: None };
    assert!(edit(&mut server, Edit::AddBookmark(bookmark)).ok);
    let second = run(&mut server, 300);
    set_step_size(&mut server, "longer", "0.004");
    let third = run(&mut server, 1);
    set_step_size(&mut server, "shorter", "0.0005");
    let fourth = run(&mut server, 1);
    run(&mut server, 100);
    for (secs, hash) in [
        (0.3, &first),
        (0.3005, &first),
        (0.6, &second),
        // Longer than the steps up to there.
        (0.6030, &second),
        (0.6040, &third),
        (0.6044, &third),
        // Shorter than the steps up to there.
        (0.6045, &fourth),
        (0.6047, &fourth),
    ] {
        assert_eq!(&show(&mut server, at("", secs)).hash, hash, "at {secs} s");
    }
}

#[test]
fn what_takes_no_time_makes_no_branch_and_undo_in_a_pause_stays_small() {
    let mut server = cones();
    run(&mut server, 300);
    for round in 0..40 {
        move_cone(&mut server, &format!("id-{round}"), f64::from(round));
        undo(&mut server, &format!("id-{round}"), true);
        undo(&mut server, &format!("id-{round}"), false);
    }
    let told = timeline(&mut server);
    assert_eq!(told.branch.len(), 1, "{:?}", lanes(&mut server));
    assert!(told.keyframes < 12, "{}", told.keyframes);
}

#[test]
fn a_gap_is_told_and_the_rest_is_shown() {
    let max_age = SimTime::from_secs_f64(1.0);
    let mut server = server_with("cones.sdf", TimelineLimits { max_age, ..Default::default() });
    let mut hashes = Vec::new();
    for _ in 0..4000 {
        hashes.push(run(&mut server, 1));
    }
    let told = timeline(&mut server);
    let gap = &told.branch[0].gap;
    let until = SimTime::from(gap[0].to.as_ref().unwrap());
    assert!((2.0..=3.0).contains(&until.as_secs_f64()), "{until}");
    let gone = show(&mut server, at("", 1.0)).message;
    assert_eq!(gone, format!("Branch \"main\" is kept from {until} on; 1.000 s cannot be shown"));
    assert_eq!(show(&mut server, at("", 3.5)).hash, hashes[3499]);
    assert_eq!(
        show(&mut server, at("", until.as_secs_f64())).hash,
        hashes[(until.as_nanos() / 1_000_000) as usize - 1]
    );
}

#[test]
fn memory_stays_within_its_bound_and_the_past_reaches_far() {
    let timeline_of = |bytes| TimelineLimits { max_bytes: bytes, ..TimelineLimits::default() };
    let mut server = server_with("stacks.sdf", timeline_of(8 * MIB));
    for _ in 0..6 {
        let hash = run(&mut server, 1000);
        let told = timeline(&mut server);
        assert!(told.bytes <= 8 * MIB, "{}", told.bytes);
        assert_eq!(show(&mut server, end("")).hash, hash);
    }
    let told = timeline(&mut server);
    assert!(told.keyframes >= 4, "{}", told.keyframes);
    // Thinned and squeezed, not dropped: everything since the start can still be shown.
    assert!(told.branch[0].gap.is_empty(), "{:?}", told.branch[0].gap);
    assert!(show(&mut server, at("", 0.123)).ok);
}

#[test]
fn limits_are_checked_and_switch_it_off_and_on() {
    let mut server = cones();
    run(&mut server, 300);
    let settings =
        |max_bytes, max_age_secs| Edit::Settings(TimelineSettings { max_bytes, max_age_secs });
    let few = edit(&mut server, settings(Some(5), None)).message;
    assert_eq!(few, "max_bytes is 5; it must be 0 or at least 1048576");
    let short = edit(&mut server, settings(None, Some(0.0))).message;
    assert_eq!(short, "max_age_secs is 0; it must be 1 to 1e9");
    assert!(edit(&mut server, settings(Some(0), None)).ok);
    run(&mut server, 100);
    assert!(!timeline(&mut server).enabled);
    assert!(edit(&mut server, settings(Some(64 * MIB), None)).ok);
    let hash = run(&mut server, 200);
    assert_eq!(show(&mut server, end("")).hash, hash);
    let before = show(&mut server, at("", 0.2)).message;
    assert_eq!(before, "Branch \"main\" is kept from 0.400 s on; 0.200 s cannot be shown");
}

/// Collects the hashes that a running world publishes.
#[derive(Clone, Default)]
struct Hashes(Arc<Mutex<Vec<HashReply>>>);

impl ViewSink for Hashes {
    fn view(&mut self, _: &View) {}

    fn event(&mut self, _: &Event) {}

    fn messages(&mut self, messages: &[OutMessage]) {
        let hashes = messages.iter().filter(|message| message.topic.ends_with("/state_hash"));
        let hashes = hashes.map(|message| HashReply::decode(message.bytes.as_slice()).unwrap());
        self.0.lock().unwrap().extend(hashes);
    }
}

/// Sends a request to a running world and waits for its answer.
fn ask(sender: &InboxSender, request: Request) -> Response {
    let (answer, answered) = channel();
    sender.send(request, Box::new(move |response| drop(answer.send(response))));
    answered.recv().unwrap()
}

fn past_at(time: SimTime, viewer: &str) -> Request {
    let instant = TimelineInstant { sim_time: Some(time.into()), ..TimelineInstant::default() };
    let (instant, viewer) = (Some(instant), viewer.to_owned());
    Request::Past(PastRequest { instant, viewer, hash: true, ..PastRequest::default() })
}

#[test]
fn the_past_is_shown_while_the_world_runs_and_resumed_between_two_steps() {
    let options = ServerOptions {
        real_time_factor: Some(RealTimeFactor::UNBOUNDED),
        hash_every: NonZeroU64::new(50),
        ..ServerOptions::default()
    };
    let server = Server::new(load(&world_file("cones.sdf")), &options);
    let (sender, inbox) = inbox();
    let hashes = Hashes::default();
    let runner = Runner::new(server, inbox, vec![Box::new(hashes.clone())]).spawn().unwrap();
    let mut seen = 0;
    while seen < 12 {
        let known = hashes.0.lock().unwrap().get(seen * 3).cloned();
        let Some(known) = known else {
            std::thread::yield_now();
            continue;
        };
        let time = SimTime::from(known.sim_time.as_ref().unwrap());
        match ask(&sender, past_at(time, "")) {
            Response::Past(Ok(past)) => assert_eq!(past.header().hash, known.hash, "at {time}"),
            other => panic!("{}", other.into_reply().message),
        }
        seen += 1;
    }
    // Whoever asks again before the answer is there gets only the newer one.
    let (answer, answered) = channel();
    for number in 0..8 {
        let answer = answer.clone();
        let time = SimTime::from_nanos(1_000_000 * (900 - number));
        let shown = move |response: Response| {
            answer.send((number, matches!(response, Response::Past(Ok(_))))).unwrap();
        };
        sender.send(past_at(time, "page"), Box::new(shown));
    }
    let answers: Vec<(i64, bool)> = (0..8).map(|_| answered.recv().unwrap()).collect();
    assert!(answers.contains(&(7, true)), "{answers:?}");
    let known = hashes.0.lock().unwrap()[5].clone();
    let instant = TimelineInstant { sim_time: known.sim_time, ..TimelineInstant::default() };
    let resume = ResumeTimeline { instant: Some(instant), ..ResumeTimeline::default() };
    let pause = WorldControl { pause: Some(true), ..WorldControl::default() };
    ask(&sender, Request::Control(pause));
    let command = Some(user_cmd::Command::ResumeTimeline(resume));
    let command = UserCmd { id: "r".to_owned(), command, ..UserCmd::default() };
    let reply = ask(&sender, Request::Command(Box::new(command))).into_reply();
    assert!(reply.ok, "{}", reply.message);
    match ask(&sender, Request::Hash(HashRequest {})) {
        Response::Hash(now) => assert_eq!(now.hash, known.hash),
        other => panic!("{}", other.into_reply().message),
    }
    runner.stop();
    runner.join().unwrap();
}
