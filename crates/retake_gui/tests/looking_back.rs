//! A page that is shown the world as it was, while others see the present.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use retake_gui::{PastView, ShowTo};
use retake_math::Vec3;
use retake_msgs::host_message::Message as Body;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{LookBack, Past, Reply, Request, TimelineInstant, request};
use support::{Bench, Got, PATIENCE, Page, Scene, bench};

async fn look(page: &mut Page, request_id: u64, instant: Option<TimelineInstant>) {
    let request = Some(request::Request::LookBack(LookBack { instant }));
    page.say(Said::Request(Request { request_id, request })).await;
}

fn instant(nanos: i64) -> Option<TimelineInstant> {
    let sim_time = Some(retake_math::SimTime::from_nanos(nanos).into());
    Some(TimelineInstant { sim_time, ..TimelineInstant::default() })
}

async fn reply(page: &mut Page) -> Reply {
    match page.until(|got| matches!(got, Got::Said(Body::Reply(_)))).await {
        Got::Said(Body::Reply(reply)) => reply,
        other => panic!("{other:?}"),
    }
}

fn asked(bench: &Bench) -> (Option<TimelineInstant>, ShowTo) {
    let (request, show) = bench.looks.recv_timeout(PATIENCE).unwrap();
    assert!(request.viewer.starts_with("tester "), "{}", request.viewer);
    (request.instant, show)
}

/// The world before: the car elsewhere, and a cone that is gone now.
fn past() -> PastView {
    let mut scene = Scene::new();
    scene.put(scene.car, Vec3::new(-7.0, 0.0, 0.0));
    scene.add_model("cone");
    let view = scene.step();
    PastView { ecm: view.ecm, at: Past { ok: true, epoch: 3, ..Past::default() } }
}

#[test]
fn one_page_sees_the_past_and_the_other_the_present() {
    let mut bench = bench();
    let (mut looking, mut other) = (bench.run(bench.page()), bench.run(bench.page()));
    bench.run(look(&mut looking, 1, instant(1_500_000_000)));
    let (wanted, show) = asked(&bench);
    assert_eq!(wanted, instant(1_500_000_000));
    show.send(Ok(past()));
    let state = bench.run(looking.state());
    assert!(state.entities.iter().any(|entity| !entity.removed), "the cone is there");
    let (set, moving) = bench.run(looking.pose_set());
    assert_eq!(moving.len(), 3);
    let (of, _, numbers) = bench.run(looking.poses());
    assert_eq!((of, numbers[0]), (set, -7.0));
    let told = bench.run(reply(&mut looking));
    assert_eq!((told.request_id, told.ok, told.past.unwrap().epoch), (1, true, 3));
    // The world goes on: the other page sees it, this one only hears of everything else.
    bench.scene.put(bench.scene.car, Vec3::new(2.0, 0.0, 0.0));
    bench.feed.publish(bench.scene.step());
    assert_eq!(bench.run(other.poses()).2[0], 2.0);
    bench.run(look(&mut looking, 2, None));
    let mut seen = Vec::new();
    let (_, _, numbers) = bench.run(async {
        loop {
            match looking.next().await {
                Got::Poses { set_id, time_secs, numbers } => break (set_id, time_secs, numbers),
                got => seen.push(got),
            }
        }
    });
    assert_eq!((numbers.len(), numbers[0]), (14, 2.0), "no pose of the present came before");
    let removed = seen.iter().any(|got| match got {
        Got::Said(Body::State(state)) => state.entities.iter().any(|entity| entity.removed),
        _ => false,
    });
    assert!(removed, "the cone is gone again: {seen:?}");
    // From now on it follows as before.
    bench.scene.put(bench.scene.car, Vec3::new(3.0, 0.0, 0.0));
    bench.feed.publish(bench.scene.step());
    assert_eq!(bench.run(looking.poses()).2[0], 3.0);
}

#[test]
fn a_newer_look_overtakes_the_older_and_a_refusal_changes_nothing() {
    let mut bench = bench();
    let mut page = bench.run(bench.page());
    bench.run(look(&mut page, 1, instant(1)));
    let _older = asked(&bench);
    bench.run(look(&mut page, 2, instant(2)));
    let overtaken = bench.run(reply(&mut page));
    assert_eq!((overtaken.request_id, overtaken.ok), (1, false));
    assert_eq!(overtaken.message, "A newer instant was asked for");
    asked(&bench).1.send(Err("2 s cannot be shown".to_owned()));
    let refused = bench.run(reply(&mut page));
    assert_eq!((refused.request_id, refused.message.as_str()), (2, "2 s cannot be shown"));
    bench.scene.put(bench.scene.car, Vec3::new(5.0, 0.0, 0.0));
    bench.feed.publish(bench.scene.step());
    assert_eq!(bench.run(page.poses()).2[0], 5.0);
}
