//! A page's session, from greeting to farewell.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::Arc;
use std::time::Duration;

use retake_components::{EntityName, JointPosition, Kind};
use retake_ecm::Ecm;
use retake_gui::{Connection, Event, HostOptions, LinkRequest, WorldTitle};
use retake_math::{Pose, Quat, Vec3};
use retake_msgs::host_message::Message as Body;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{
    HistoryEntry, Notification, PROTOCOL_VERSION, PlotView, PullLink, Request, TimeJumped,
    UndoRedo, UndoSettings, UserCmd, UserCmdReply, UserCmdStats, Vector3, WatchPlots, WorldControl,
    request, user_cmd,
};
use support::{Got, NO_CODE, Scene, bench, bench_with, components, connect};
use tokio::io::AsyncWriteExt;
use tokio_tungstenite::tungstenite::Message;

#[test]
fn a_page_is_greeted_and_brought_up_to_date() {
    let bench = bench();
    bench.run(async {
        let mut page =
            bench.connect(Some(&format!("http://{}", bench.host.address()))).await.unwrap();
        let Got::Said(Body::Welcome(welcome)) = page.next().await else { panic!("no welcome") };
        assert_eq!(welcome.protocol_version, PROTOCOL_VERSION);
        assert_eq!(
            (welcome.world.as_str(), welcome.world_file.as_str()),
            ("test", "worlds/test.sdf")
        );
        page.hello(PROTOCOL_VERSION).await;
        let Got::Said(Body::ServerLink(link)) = page.next().await else { panic!("no link") };
        assert!(link.connected);
        let Got::Said(Body::Fields(fields)) = page.next().await else { panic!("no fields") };
        assert!(
            fields.field.iter().any(|row| row.component == "surface" && row.field == "friction.mu")
        );
        let Got::Said(Body::State(state)) = page.next().await else { panic!("no state") };
        assert!(state.full);
        let mut replica = Ecm::new(retake_components::registry().build());
        replica.apply(&state).unwrap();
        assert_eq!(replica.get::<EntityName>(bench.scene.car).unwrap().0, "car");
        let Got::Said(Body::PoseSet(set)) = page.next().await else { panic!("no set") };
        assert_eq!(set.entity, [bench.scene.car.raw(), bench.scene.chassis.raw()]);
        let Got::Poses { set_id, numbers, .. } = page.next().await else { panic!("no poses") };
        assert_eq!((set_id, numbers.len()), (set.set_id, 14));
        let Got::Said(Body::History(_)) = page.next().await else { panic!("no history") };
        let Got::Said(Body::Timeline(_)) = page.next().await else { panic!("no timeline") };
        let Got::Said(Body::Pending(_)) = page.next().await else { panic!("no pending") };
        let Got::Said(Body::Recording(_)) = page.next().await else { panic!("no recording") };
        let Got::Said(Body::Stats(_)) = page.next().await else { panic!("no statistics") };
        let Got::Said(Body::Clients(clients)) = page.next().await else { panic!("no clients") };
        assert_eq!(clients.name, [format!("tester {}", welcome.client_id)]);
    });
}

#[test]
fn pose_frames_carry_world_poses() {
    let mut bench = bench();
    let mut page = bench.run(bench.page());
    let quarter_turn = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    let world_from_car = Pose::new(Vec3::new(1.0, 2.0, 3.0), quarter_turn);
    let scene = &mut bench.scene;
    scene.ecm.set(scene.car, retake_components::LocalPose(world_from_car)).unwrap();
    scene.put(scene.chassis, Vec3::new(0.5, 0.0, 0.0));
    bench.feed.publish(bench.scene.step());
    let (_, time_secs, numbers) = bench.run(page.poses());
    assert!((time_secs - 0.001).abs() < 1e-9);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let expected = [1., 2., 3., 0., 0., half, half, 1., 2.5, 3., 0., 0., half, half];
    for (got, expected) in numbers.iter().zip(expected) {
        // f32 has seven digits.
        assert!((got - expected).abs() < 1e-6, "{numbers:?}");
    }
}

#[test]
fn what_pose_frames_carry_is_not_in_deltas_unless_watched() {
    let mut bench = bench();
    let mut page = bench.run(bench.page());
    let (car, joint) = (bench.scene.car, bench.scene.joint);
    let change = |scene: &mut Scene, angle: f64, name: &str| {
        scene.put(car, Vec3::new(angle, 0.0, 0.0));
        scene.ecm.set(joint, JointPosition(vec![angle])).unwrap();
        scene.ecm.set(car, EntityName(name.into())).unwrap();
        scene.step()
    };
    bench.feed.publish(change(&mut bench.scene, 0.1, "car one"));
    let delta = bench.run(page.state());
    assert!(!delta.full);
    assert_eq!(components(&delta, car), Some(vec!["name"]));
    assert_eq!(components(&delta, joint), None);
    assert_eq!(components(&delta, bench.scene.world), None);

    bench.run(page.watch(&[joint]));
    let caught_up = bench.run(page.state());
    assert_eq!(
        components(&caught_up, joint),
        Some(vec!["joint_position", "kind", "name", "parent", "pose"])
    );
    bench.feed.publish(change(&mut bench.scene, 0.2, "car two"));
    let delta = bench.run(page.state());
    assert_eq!(components(&delta, joint), Some(vec!["joint_position"]));
    assert_eq!(components(&delta, car), Some(vec!["name"]));

    bench.run(page.watch(&[]));
    bench.feed.publish(change(&mut bench.scene, 0.3, "car three"));
    let delta = bench.run(page.state());
    assert_eq!(components(&delta, joint), None);
}

#[test]
fn entities_that_come_and_go_are_told_before_their_poses() {
    let mut bench = bench();
    let mut page = bench.run(bench.page());
    let cone = bench.scene.add_model("cone");
    bench.feed.publish(bench.scene.step());
    let delta = bench.run(page.state());
    // A new entity comes with its pose, which the page has never seen.
    let expected = vec!["kind", "model", "name", "parent", "pose"];
    assert_eq!(components(&delta, cone), Some(expected));
    let (set_id, entities) = bench.run(page.pose_set());
    assert_eq!(entities.last(), Some(&cone.raw()));
    let (frame_set, _, numbers) = bench.run(page.poses());
    assert_eq!((frame_set, numbers.len()), (set_id, 21));

    bench.scene.ecm.remove_entity(bench.scene.car);
    bench.feed.publish(bench.scene.step());
    let delta = bench.run(page.state());
    let removed: Vec<u64> = delta.entities.iter().filter(|e| e.removed).map(|e| e.id).collect();
    let scene = &bench.scene;
    assert_eq!(removed, [scene.car.raw(), scene.chassis.raw(), scene.joint.raw()]);
    let (next_set, entities) = bench.run(page.pose_set());
    assert_ne!(next_set, set_id);
    assert_eq!(entities, [cone.raw()]);
}

#[test]
fn a_page_that_misses_steps_ends_with_the_same_world() {
    let mut bench = bench();
    let mut page = bench.run(bench.page());
    for step in 0..200 {
        let model = bench.scene.add_model(&format!("model {step}"));
        bench.scene.add(model, Kind::Link, "link");
        if step % 3 == 0 {
            bench.scene.ecm.remove_entity(model);
        }
        bench.feed.publish(bench.scene.step());
    }
    let mut last = bench.scene.view();
    last.stats.iterations = 12345;
    bench.feed.publish(last);
    let mut replica = Ecm::new(retake_components::registry().build());
    let mut late = bench.run(async {
        let mut late = bench.connect(None).await.unwrap();
        late.hello(PROTOCOL_VERSION).await;
        late
    });
    replica.apply(&bench.run(late.state())).unwrap();
    assert_eq!(replica.entity_count(), bench.scene.ecm.entity_count());

    let mut follower = Scene::new().ecm;
    let done =
        |got: &Got| matches!(got, Got::Said(Body::Stats(stats)) if stats.iterations == 12345);
    loop {
        let got = bench.run(page.next());
        if let Got::Said(Body::State(delta)) = &got {
            follower.apply(delta).unwrap();
        }
        if done(&got) {
            break;
        }
    }
    let names = |ecm: &Ecm| -> Vec<_> {
        ecm.iter::<EntityName>().map(|(entity, name)| (entity, name.0.clone())).collect()
    };
    // Statistics may be due before the last changes are.
    while names(&follower) != names(&bench.scene.ecm) {
        follower.apply(&bench.run(page.state())).unwrap();
    }
}

#[test]
fn pausing_is_seen_at_once_and_a_lost_server_too() {
    let mut bench = bench();
    let mut page = bench.run(bench.page());
    for paused in [true, false, true, false] {
        let mut view = bench.scene.view();
        view.stats.paused = paused;
        bench.feed.publish(view);
        let seen = |got: &Got| matches!(got, Got::Said(Body::Stats(s)) if s.paused == paused);
        bench.run(page.until(seen));
    }
    let mut view = bench.scene.view();
    view.connection = Connection::Lost { reason: "It crashed".into() };
    bench.feed.publish(view);
    let lost = |got: &Got| matches!(got, Got::Said(Body::ServerLink(l)) if !l.connected && l.reason == "It crashed");
    bench.run(page.until(lost));
    bench.feed.publish(bench.scene.view());
    bench.run(page.until(|got| matches!(got, Got::Said(Body::ServerLink(l)) if l.connected)));
}

#[test]
fn another_world_ends_the_session() {
    let mut bench = bench();
    let mut page = bench.run(bench.page());
    let mut view = bench.scene.step();
    view.world = WorldTitle { name: "other".into(), file: String::new() }.into();
    bench.feed.publish(view);
    let (code, reason) = bench.run(page.closed());
    assert_eq!((code, reason.as_str()), (1012, "The server has another world now"));
}

#[test]
fn events_come_in_order_and_none_is_missing() {
    let bench = bench();
    let mut page = bench.run(bench.page());
    for number in 0..100 {
        let text = number.to_string();
        bench.feed.emit(Event::Notification(Notification { text, ..Notification::default() }));
    }
    let jump = TimeJumped { cause: "undo".into(), ..TimeJumped::default() };
    bench.feed.emit(Event::TimeJumped(jump.clone()));
    for number in 0..100 {
        let is_notification = |got: &Got| matches!(got, Got::Said(Body::Notification(_)));
        let Got::Said(Body::Notification(got)) = bench.run(page.until(is_notification)) else {
            panic!("not a notification")
        };
        assert_eq!(got.text, number.to_string());
    }
    let jumped = |got: &Got| *got == Got::Said(Body::TimeJumped(jump.clone()));
    bench.run(page.until(jumped));
}

fn ask(request_id: u64, request: request::Request) -> Said {
    Said::Request(Request { request_id, request: Some(request) })
}

#[test]
fn requests_reach_the_server_under_the_sessions_own_name() {
    let bench = bench();
    let mut page = bench.run(bench.page());
    let pause = WorldControl { pause: Some(true), ..WorldControl::default() };
    bench.run(page.say(ask(7, request::Request::Control(pause))));
    let (asked, reply) = bench.requests.recv_timeout(support::PATIENCE).unwrap();
    assert_eq!(asked, LinkRequest::Control(pause));
    reply.send(UserCmdReply { entities: vec![3], ..UserCmdReply::done("Paused") });
    let is_reply = |got: &Got| matches!(got, Got::Said(Body::Reply(_)));
    let Got::Said(Body::Reply(got)) = bench.run(page.until(is_reply)) else { panic!("no reply") };
    assert_eq!((got.request_id, got.ok, got.message.as_str()), (7, true, "Paused"));
    assert_eq!(got.entities, [3]);

    let command = UserCmd { id: "x".into(), author: "somebody else".into(), ..UserCmd::default() };
    bench.run(page.say(ask(8, request::Request::Command(Box::new(command)))));
    let (asked, reply) = bench.requests.recv_timeout(support::PATIENCE).unwrap();
    let LinkRequest::Command(command) = asked else { panic!("not a command") };
    assert!(command.author.starts_with("tester "), "{}", command.author);
    drop(reply);
    let Got::Said(Body::Reply(got)) = bench.run(page.until(is_reply)) else { panic!("no reply") };
    assert_eq!((got.request_id, got.ok), (8, false));
    assert_eq!(got.message, "The server gave no answer");
}

#[test]
fn wild_numbers_of_a_page_are_refused_by_their_path() {
    let bench = bench();
    let mut page = bench.run(bench.page());
    let control = WorldControl { real_time_factor: Some(f64::NAN), ..WorldControl::default() };
    bench.run(page.say(ask(3, request::Request::Control(control))));
    let is_reply = |got: &Got| matches!(got, Got::Said(Body::Reply(_)));
    let Got::Said(Body::Reply(got)) = bench.run(page.until(is_reply)) else { panic!("no reply") };
    let told = "control.real_time_factor is NaN; write a finite number within ±1e100";
    assert_eq!((got.request_id, got.ok, got.message.as_str()), (3, false, told));

    // What has no reply is told of.
    let view = PlotView { from_secs: Some(1e308), ..PlotView::default() };
    bench.run(page.say(Said::WatchPlots(WatchPlots { view: vec![view] })));
    let is_told = |got: &Got| matches!(got, Got::Said(Body::Notification(_)));
    let got = bench.run(page.until(is_told));
    let Got::Said(Body::Notification(got)) = got else { panic!("no word") };
    assert!(got.text.starts_with("watch_plots.view[0].from_secs is 1e308;"), "{}", got.text);

    // A command goes to the server, which refuses it with its own words; nothing else does.
    let target = Some(Vector3 { x: f64::INFINITY, ..Vector3::default() });
    let pull = user_cmd::Command::PullLink(PullLink { target, ..PullLink::default() });
    let command = UserCmd { command: Some(pull), ..UserCmd::default() };
    bench.run(page.say(ask(4, request::Request::Command(Box::new(command)))));
    let (asked, _reply) = bench.requests.recv_timeout(support::PATIENCE).unwrap();
    assert!(matches!(asked, LinkRequest::Command(_)), "{asked:?}");
}

#[test]
fn undo_is_asked_under_the_sessions_own_name() {
    let bench = bench();
    let mut page = bench.run(bench.page());
    let undo =
        UndoRedo { id: "x".into(), undo: true, author: "else".into(), ..UndoRedo::default() };
    bench.run(page.say(ask(1, request::Request::UndoRedo(undo))));
    let (asked, _reply) = bench.requests.recv_timeout(support::PATIENCE).unwrap();
    let LinkRequest::UndoRedo(undo) = asked else { panic!("not an undo") };
    assert!(undo.undo && undo.id == "x" && undo.author.starts_with("tester "), "{undo:?}");
    let off = UndoSettings { enabled: Some(false), ..UndoSettings::default() };
    bench.run(page.say(ask(2, request::Request::UndoSettings(off))));
    let (asked, _reply) = bench.requests.recv_timeout(support::PATIENCE).unwrap();
    assert_eq!(asked, LinkRequest::UndoSettings(off));
}

#[test]
fn the_physics_profiles_come_when_they_are_asked_for() {
    let bench = bench();
    let mut page = bench.run(bench.page());
    let physics = retake_msgs::PhysicsProfilesRequest {};
    bench.run(page.say(ask(7, request::Request::Physics(physics))));
    let (asked, reply) = bench.requests.recv_timeout(support::PATIENCE).unwrap();
    assert_eq!(asked, LinkRequest::Physics(physics));
    let state = retake_msgs::PhysicsState { current: "moon".into(), ..Default::default() };
    let state = Box::new(state);
    reply.send(UserCmdReply { physics: Some(state.clone()), ..UserCmdReply::done("") });
    let got = bench.run(page.until(|got| matches!(got, Got::Said(Body::Reply(_)))));
    let Got::Said(Body::Reply(reply)) = got else { panic!("no reply") };
    assert_eq!((reply.request_id, reply.physics), (7, Some(state)));
}

#[test]
fn the_history_comes_with_every_change_and_only_then() {
    let mut bench = bench();
    let mut page = bench.run(bench.page());
    let is_history = |got: &Got| matches!(got, Got::Said(Body::History(_)));
    for id in ["a", "b"] {
        let entry = HistoryEntry { id: id.into(), ..HistoryEntry::default() };
        let history = UserCmdStats { undo: vec![entry], enabled: true, ..UserCmdStats::default() };
        bench.scene.history = Arc::new(history.clone());
        bench.feed.publish(bench.scene.step());
        let got = bench.run(page.until(is_history));
        assert_eq!(got, Got::Said(Body::History(history)));
        // The next step brings poses, and no history again.
        bench.scene.put(bench.scene.car, Vec3::new(f64::from(id.as_bytes()[0]), 0.0, 0.0));
        bench.feed.publish(bench.scene.step());
        let moved = |got: &Got| matches!(got, Got::Poses { numbers, .. } if numbers[0] > 90.0);
        let seen = bench.run(page.until(|got| is_history(got) || moved(got)));
        assert!(!is_history(&seen));
    }
}

#[test]
fn too_many_requests_are_refused_and_the_rest_answered() {
    let bench = bench();
    let mut page = bench.run(bench.page());
    let step = WorldControl::default();
    for id in 0..65 {
        bench.run(page.say(ask(id, request::Request::Control(step))));
    }
    let is_reply = |got: &Got| matches!(got, Got::Said(Body::Reply(_)));
    let Got::Said(Body::Reply(got)) = bench.run(page.until(is_reply)) else { panic!("no reply") };
    assert_eq!((got.request_id, got.ok), (64, false));
    assert_eq!(got.message, "Too many requests are under way. Wait for their replies");
    for _ in 0..64 {
        let (_, reply) = bench.requests.recv_timeout(support::PATIENCE).unwrap();
        reply.send(UserCmdReply { ok: true, ..UserCmdReply::default() });
        let Got::Said(Body::Reply(got)) = bench.run(page.until(is_reply)) else { panic!() };
        assert!(got.ok);
    }
}

#[test]
fn requests_of_one_page_reach_the_server_in_order() {
    let bench = bench();
    let mut page = bench.run(bench.page());
    for number in 0..64 {
        let step = WorldControl { multi_step: Some(number), ..WorldControl::default() };
        bench.run(page.say(ask(number.into(), request::Request::Control(step))));
    }
    for number in 0..64 {
        let (asked, _reply) = bench.requests.recv_timeout(support::PATIENCE).unwrap();
        let step = WorldControl { multi_step: Some(number), ..WorldControl::default() };
        assert_eq!(asked, LinkRequest::Control(step));
    }
}

#[test]
fn other_versions_are_told_and_closed() {
    let bench = bench();
    bench.run(async {
        let mut page = bench.connect(None).await.unwrap();
        page.hello(PROTOCOL_VERSION + 1).await;
        let told = |got: &Got| matches!(got, Got::Said(Body::Notification(_)));
        let Got::Said(Body::Notification(told)) = page.until(told).await else { panic!() };
        let (theirs, ours) = (PROTOCOL_VERSION + 1, PROTOCOL_VERSION);
        let text = format!("The page speaks protocol {theirs}, the host {ours}. Reload it");
        assert_eq!(told.text, text);
        assert_eq!(page.closed().await, (1008, told.text));
    });
}

#[test]
fn misbehaving_pages_are_closed_and_others_are_not_disturbed() {
    let mut bench = bench();
    let mut good = bench.run(bench.page());
    let mut long_winded = bench.run(bench.page());
    let too_long = Message::Binary(vec![0; retake_msgs::MAX_MESSAGE_BYTES + 1].into());
    let sent = bench.run(long_winded.try_send(too_long));
    let (code, _) = bench.run(long_winded.closed());
    // With the rest of the message under way, a reset may overtake the farewell.
    assert!(code == 1009 || code == 0, "{code} {sent:?}");
    for (message, code) in [
        (Message::Binary(vec![1, 0].into()), 1002),
        (Message::Binary(vec![9, 0, 0, 0].into()), 1002),
        (Message::Binary(vec![1, 0, 0, 0, 0xff, 0xff, 0xff].into()), 1002),
        (Message::Text("hello".into()), 1003),
    ] {
        let mut bad = bench.run(bench.page());
        bench.run(bad.send(message));
        assert_eq!(bench.run(bad.closed()).0, code);
    }
    let mut rude = bench.run(bench.connect(None)).unwrap();
    bench.run(rude.watch(&[]));
    let farewell = (1002, "The greeting comes first".to_owned());
    assert_eq!(bench.run(rude.closed()), farewell);
    let many = vec![bench.scene.car; 257];
    bench.run(good.watch(&many));
    let is_warning = |got: &Got| matches!(got, Got::Said(Body::Notification(_)));
    let Got::Said(Body::Notification(got)) = bench.run(good.until(is_warning)) else { panic!() };
    assert_eq!(got.text, "No more than 256 entities can be watched at once");
    bench.scene.put(bench.scene.car, Vec3::X);
    bench.feed.publish(bench.scene.step());
    assert_eq!(bench.run(good.poses()).2[0], 1.0);
}

/// What a page says without a library, and how it is answered.
///
/// Frames as RFC 6455 has them: kind, length with the mark of a mask, a mask of zeros, content.
const FRAMES: [(&str, &[u8], u16); 15] = [
    ("no mask", &[0x82, 0x01, 7], 1002),
    ("a reserved bit", &[0xc2, 0x80, 0, 0, 0, 0], 1002),
    ("no such message", &[0x83, 0x80, 0, 0, 0, 0], 1002),
    ("no such control", &[0x8f, 0x80, 0, 0, 0, 0], 1002),
    ("a ping in pieces", &[0x09, 0x80, 0, 0, 0, 0], 1002),
    ("the second piece first", &[0x80, 0x80, 0, 0, 0, 0], 1002),
    ("a farewell of one byte", &[0x88, 0x81, 0, 0, 0, 0, 3], 1002),
    ("a text of no text", &[0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe], 1007),
    ("no text in pieces", &[0x01, 0x81, 0, 0, 0, 0, 0xff, 0x80, 0x81, 0, 0, 0, 0, 0xff], 1007),
    ("a text", &[0x81, 0x81, 0, 0, 0, 0, b'a'], 1003),
    ("16 MiB and a byte", &[0x82, 0xff, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0], 1009),
    ("a farewell", &[0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8], 1000),
    ("a farewell with a reason", &[0x88, 0x84, 0, 0, 0, 0, 0x03, 0xe9, b'o', b'k'], 1001),
    ("a farewell that nobody may say", &[0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed], 1002),
    ("two farewells", &[0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe8, 0x88, 0x80, 0, 0, 0, 0], 1000),
];

#[test]
fn each_fault_of_a_page_has_its_code_and_a_farewell_is_answered() {
    let bench = bench();
    for (said, frame, expected) in FRAMES {
        for mut page in [bench.run(bench.page()), bench.run(bench.connect(None)).unwrap()] {
            let closed = bench.run(async {
                page.stream().write_all(frame).await.unwrap();
                page.closed().await
            });
            assert_eq!(closed.0, expected, "{said}: {}", closed.1);
        }
    }
    // One without a code has none in the answer either.
    let mut page = bench.run(bench.page());
    bench.run(page.send(Message::Close(None)));
    assert_eq!(bench.run(page.closed()).0, NO_CODE);
}

#[test]
fn a_page_that_says_nothing_is_closed() {
    let options =
        HostOptions { handshake_timeout: Duration::from_millis(50), ..HostOptions::default() };
    let bench = bench_with(options, Scene::new());
    let mut page = bench.run(bench.connect(None)).unwrap();
    assert_eq!(bench.run(page.closed()), (1008, "No greeting came".to_owned()));
}

#[test]
fn a_page_that_does_not_read_is_cut_off_and_others_go_on() {
    let options =
        HostOptions { write_timeout: Duration::from_millis(500), ..HostOptions::default() };
    let mut scene = Scene::new();
    for number in 0..5_000 {
        scene.add_model(&format!("box {number}"));
    }
    let mut bench = bench_with(options, scene);
    let mut reader = bench.run(bench.page());
    let lists_one = |got: &Got| matches!(got, Got::Said(Body::Clients(c)) if c.name.len() == 1);
    bench.run(reader.until(lists_one));
    let mut sleeper = bench.run(connect(bench.host.address(), None, Some(4096))).unwrap();
    bench.run(sleeper.hello(PROTOCOL_VERSION));
    // The list changes twice: the sleeper comes and is cut off. The reader may see only the end.
    let mut alone = false;
    for step in 1.. {
        bench.scene.put(bench.scene.car, Vec3::new(f64::from(step), 0.0, 0.0));
        bench.feed.publish(bench.scene.step());
        let moved =
            |got: &Got| matches!(got, Got::Poses { numbers, .. } if numbers[0] == step as f32);
        loop {
            let got = bench.run(reader.next());
            alone = alone || lists_one(&got);
            if moved(&got) {
                break;
            }
        }
        if alone {
            break;
        }
    }
}

#[test]
fn pages_are_told_when_the_host_stops() {
    let support::Bench { host, runtime, feed, requests, .. } = bench();
    let address = host.address();
    let mut page = runtime.block_on(async {
        let mut page = connect(address, None, None).await.unwrap();
        page.hello(PROTOCOL_VERSION).await;
        page.poses().await;
        page
    });
    drop(host);
    let farewell = runtime.block_on(page.closed());
    assert_eq!(farewell, (1001, "The host stops".to_owned()));
    drop((feed, requests));
}
