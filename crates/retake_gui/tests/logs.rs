//! What pages hear of logs, and what they ask of them.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::Arc;

use retake_gui::{LinkRequest, Shown};
use retake_math::Vec3;
use retake_msgs::host_message::Message as Body;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{
    LogStart, LogStatus, LogStop, PROTOCOL_VERSION, Playback, PlaybackControl, PlaybackFile,
    Request, SeekSimTime, UserCmdReply, playback_control, request,
};
use support::{Bench, Got, Page, Scene, bench, bench_with};

fn is_about_logs(got: &Got) -> bool {
    matches!(got, Got::Said(Body::Recording(_) | Body::PlaybackFile(_) | Body::Playback(_)))
}

/// Publishes a step that moves the car; returns what the page hears of logs until it sees that.
fn heard_until(bench: &mut Bench, page: &mut Page, place: f64) -> Vec<Got> {
    bench.scene.put(bench.scene.car, Vec3::new(place, 0.0, 0.0));
    bench.feed.publish(bench.scene.step());
    let moved = |got: &Got| matches!(got, Got::Poses { numbers, .. } if numbers[0] == place as f32);
    let (mut heard, mut seen) = (Vec::new(), false);
    // Statistics come after everything else of the same view.
    let mut mark = bench.scene.view();
    mark.stats.iterations = place as u64;
    mark.stats.paused = place as u64 % 2 == 1;
    bench.feed.publish(mark);
    let done = |got: &Got| matches!(got, Got::Said(Body::Stats(s)) if s.iterations == place as u64);
    loop {
        let got = bench.run(page.next());
        seen = seen || moved(&got);
        if is_about_logs(&got) {
            heard.push(got);
        } else if done(&got) {
            assert!(seen);
            return heard;
        }
    }
}

#[test]
fn a_recording_is_told_with_every_change_and_only_then() {
    let mut bench = bench();
    let mut page = bench.run(bench.page());
    let status = LogStatus { recording: true, bytes: 7, ..LogStatus::default() };
    bench.scene.recording = Arc::new(status.clone());
    let told = Got::Said(Body::Recording(status.clone()));
    assert_eq!(heard_until(&mut bench, &mut page, 1.0), [told]);
    // Another status that says the same is no news.
    bench.scene.recording = Arc::new(status);
    assert_eq!(heard_until(&mut bench, &mut page, 2.0), []);
}

fn shown(file: &Arc<PlaybackFile>, at_secs: f64) -> Option<Arc<Shown>> {
    let at = Playback { at_secs, passes: 1, ..Playback::default() };
    Some(Arc::new(Shown { file: Arc::clone(file), at }))
}

#[test]
fn a_log_that_is_shown_is_told_once_and_its_place_with_every_change() {
    let file = Arc::new(PlaybackFile { file: "a.mcap".into(), ..PlaybackFile::default() });
    let mut scene = Scene::new();
    scene.playback = shown(&file, 1.0);
    let mut bench = bench_with(Default::default(), scene);
    let mut page = bench.run(async {
        let mut page = bench.connect(None).await.unwrap();
        page.hello(PROTOCOL_VERSION).await;
        page
    });
    let is_file = |got: &Got| matches!(got, Got::Said(Body::PlaybackFile(_)));
    let told = bench.run(page.until(is_file));
    assert_eq!(told, Got::Said(Body::PlaybackFile((*file).clone())));
    let place =
        |at_secs| Got::Said(Body::Playback(Playback { at_secs, passes: 1, ..Playback::default() }));
    assert_eq!(bench.run(page.next()), place(1.0));

    bench.scene.playback = shown(&file, 2.0);
    assert_eq!(heard_until(&mut bench, &mut page, 1.0), [place(2.0)]);
    bench.scene.playback = shown(&file, 2.0);
    assert_eq!(heard_until(&mut bench, &mut page, 2.0), []);
    let grown = Arc::new(PlaybackFile { length_secs: 3.0, ..(*file).clone() });
    bench.scene.playback = shown(&grown, 2.0);
    let told = Got::Said(Body::PlaybackFile((*grown).clone()));
    assert_eq!(heard_until(&mut bench, &mut page, 3.0), [told, place(2.0)]);
}

#[test]
fn requests_about_logs_reach_the_server() {
    let bench = bench();
    let mut page = bench.run(bench.page());
    let start = LogStart { file: "a.mcap".into(), rate_hz: 60.0, topic: vec!["/a/*".into()] };
    let seek = playback_control::Seek::SimTime(SeekSimTime { secs: 3.0, pass: 1 });
    let control = PlaybackControl { seek: Some(seek), ..PlaybackControl::default() };
    let cases = [
        (request::Request::LogStart(start.clone()), LinkRequest::LogStart(start)),
        (request::Request::LogStop(LogStop {}), LinkRequest::LogStop(LogStop {})),
        (request::Request::Playback(control), LinkRequest::Playback(control)),
    ];
    for (request_id, (request, expected)) in (1..).zip(cases) {
        bench.run(page.say(Said::Request(Request { request_id, request: Some(request) })));
        let (asked, reply) = bench.requests.recv_timeout(support::PATIENCE).unwrap();
        assert_eq!(asked, expected);
        reply.send(UserCmdReply::refused("Not now"));
        let is_reply = |got: &Got| matches!(got, Got::Said(Body::Reply(_)));
        let Got::Said(Body::Reply(got)) = bench.run(page.until(is_reply)) else { panic!() };
        assert_eq!((got.request_id, got.ok, got.message.as_str()), (request_id, false, "Not now"));
    }
}
