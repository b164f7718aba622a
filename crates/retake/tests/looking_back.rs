//! Looking back through GUI hosts in other processes: a server, two hosts with a page each, the
//! command line.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use retake_math::SimTime;
use retake_msgs::host_message::Message as Told;
use retake_msgs::{
    AddBookmark, LookBack, Reply, ResumeTimeline, TimelineEdit, TimelineInstant, UserCmd, request,
    timeline_edit, user_cmd,
};
use serde_json::Value;
use support::page::Page;
use support::{Running, Sandbox};

/// A paused server with two seconds of the past, and two GUI hosts.
struct Place {
    sandbox: Sandbox,
    _server: Running,
    guis: [Running; 2],
}

impl Place {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let server = sandbox.start(&["server", "worlds/cones.sdf", "--bus-port", "0", "--paused"]);
        let guis = [(), ()].map(|()| sandbox.start(&["gui", "--port", "0"]));
        let place = Self { sandbox, _server: server, guis };
        place.cli(&["world", "step", "2000"]);
        place
    }

    async fn pages(&self) -> [Page; 2] {
        let [one, two] = &self.guis;
        let mut pages = [Page::open(&one.page()).await, Page::open(&two.page()).await];
        for page in &mut pages {
            page.until_seen(2.0).await;
        }
        pages
    }

    fn cli(&self, arguments: &[&str]) -> String {
        self.sandbox.retake(arguments).success()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        serde_json::from_str(&self.cli(&[arguments, &["--format", "json"]].concat())).unwrap()
    }

    /// Where the vehicle was, as the server tells the command line.
    fn vehicle_at(&self, when: &str) -> [f32; 3] {
        let told = self.json(&["timeline", "goto", when, "--entity", "vehicle"]);
        [0, 1, 2].map(|axis: usize| told["entities"][0]["pose"][axis].as_f64().unwrap() as f32)
    }

    fn vehicle(&self) -> u64 {
        self.json(&["entity", "show", "vehicle"])["id"].as_u64().unwrap()
    }

    fn branches(&self) -> Vec<String> {
        let told = self.json(&["timeline", "branches"]);
        told.as_array().unwrap().iter().map(|b| b["name"].as_str().unwrap().to_owned()).collect()
    }
}

fn at(secs: f64) -> TimelineInstant {
    let sim_time = Some(SimTime::from_secs_f64(secs).into());
    TimelineInstant { sim_time, ..TimelineInstant::default() }
}

async fn look(page: &mut Page, instant: Option<TimelineInstant>) -> Reply {
    page.call(request::Request::LookBack(LookBack { instant })).await
}

async fn resume(page: &mut Page, id: &str, instant: TimelineInstant, fork: &str) -> Reply {
    let (instant, fork) = (Some(instant), fork.to_owned());
    let resume = ResumeTimeline { instant, fork, ..ResumeTimeline::default() };
    let command = Some(user_cmd::Command::ResumeTimeline(resume));
    let command = UserCmd { id: id.to_owned(), command, ..UserCmd::default() };
    page.call(request::Request::Command(Box::new(command))).await
}

fn block_on(work: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work);
}

#[test]
fn one_page_sees_the_past_as_it_was_while_the_world_goes_on() {
    let place = Place::new();
    let (vehicle, half, whole) =
        (place.vehicle(), place.vehicle_at("0.5"), place.vehicle_at("end"));
    assert_ne!(half, whole, "the vehicle drives");
    block_on(async {
        let [mut one, mut two] = place.pages().await;
        assert_eq!(one.seen(vehicle), (2.0, whole));
        let reply = look(&mut one, Some(at(0.5))).await;
        assert!(reply.ok, "{}", reply.message);
        let past = reply.past.unwrap();
        assert_eq!((past.iterations, past.sim_time), (500, at(0.5).sim_time));
        // What is seen comes before the reply.
        assert_eq!(one.seen(vehicle), (0.5, half));
        // The world goes on, and only the other page sees that.
        place.cli(&["world", "step", "100"]);
        two.until_seen(2.1).await;
        one.until(|told| match told {
            Told::Stats(stats) if stats.iterations == 2100 => Some(()),
            _ => None,
        })
        .await;
        assert_eq!(one.seen(vehicle), (0.5, half), "it hears of the present and sees the past");
        assert!(look(&mut one, None).await.ok);
        one.until_seen(2.1).await;
        assert_eq!(one.seen(vehicle), two.seen(vehicle));
    });
}

#[test]
fn values_that_nobody_watched_are_printed_as_they_were() {
    let place = Place::new();
    place.cli(&["timeline", "resume", "1.5"]);
    place.cli(&["world", "step", "100"]);
    let item = "vehicle::pose.position.x";
    let lines = |branch: &str| -> Vec<Value> {
        let asked = ["timeline", "values", item, "--branch", branch, "--from", "1.4"];
        let told = place.cli(&[&asked[..], &["--format", "json"]].concat());
        serde_json::Deserializer::from_str(&told).into_iter().map(Result::unwrap).collect()
    };
    let (live, left) = (lines("main"), lines("main-1"));
    let times = |lines: &[Value]| {
        let time = |line: Option<&Value>| line.map(|line| line["time"].as_f64().unwrap());
        (lines.len(), time(lines.first()), time(lines.last()))
    };
    assert_eq!(times(&live), (201, Some(1.4), Some(1.6)));
    assert_eq!(times(&left), (601, Some(1.4), Some(2.0)));
    assert_eq!(live[..101], left[..101], "before they part");
    for when in ["1.4", "1.5", "1.6"] {
        let at = |line: &&Value| line["time"].as_f64() == when.parse().ok();
        let printed = live.iter().find(at).unwrap()["values"][item].as_f64().unwrap() as f32;
        assert_eq!(printed, place.vehicle_at(when)[0], "at {when}");
    }
    let text = place.cli(&["timeline", "values", item, "--until", "0.002"]);
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn values_of_what_is_not_there_are_told() {
    let place = Place::new();
    let refused = |arguments: &[&str]| place.sandbox.retake(arguments).complaint();
    let told = refused(&["timeline", "values", "sim_time", "--until", "9"]);
    assert!(told.contains("Branch \"main\" ends at 2.000 s"), "{told}");
    let told = refused(&["timeline", "values", "/clock:sim.sec"]);
    assert!(told.contains("/clock is a topic"), "{told}");
}

#[test]
fn what_cannot_be_shown_is_refused_in_words() {
    let place = Place::new();
    block_on(async {
        let [mut one, _] = place.pages().await;
        let reply = look(&mut one, Some(at(9.0))).await;
        assert_eq!((reply.ok, reply.past), (false, None));
        assert_eq!(reply.message, "Branch \"main\" ends at 2.000 s; there is no 9.000 s on it");
        let nobody = TimelineInstant { branch: "nobody".to_owned(), ..TimelineInstant::default() };
        let reply = look(&mut one, Some(nobody)).await;
        assert_eq!(reply.message, "No branch named \"nobody\". Known: main");
        assert_eq!(one.seen(place.vehicle()).0, 2.0, "it still sees the present");
    });
}

#[test]
fn a_resume_and_a_bookmark_of_a_page_are_everybodys() {
    let place = Place::new();
    let (vehicle, half) = (place.vehicle(), place.vehicle_at("0.5"));
    block_on(async {
        let [mut one, mut two] = place.pages().await;
        let (name, instant) = ("half".to_owned(), Some(at(0.5)));
        let edit = Some(timeline_edit::Edit::AddBookmark(AddBookmark { name, instant }));
        let edit = TimelineEdit { edit, ..TimelineEdit::default() };
        assert!(one.call(request::Request::TimelineEdit(edit)).await.ok);
        let bookmark =
            TimelineInstant { bookmark: "half".to_owned(), ..TimelineInstant::default() };
        assert!(look(&mut one, Some(bookmark.clone())).await.ok);
        assert_eq!(one.seen(vehicle), (0.5, half));
        let reply = resume(&mut one, "resume-1", bookmark, "").await;
        assert_eq!((reply.ok, reply.message.as_str()), (true, "Resume from half, 0.500 s"));
        // Everybody is told who did it; the other page goes along.
        let (author, cause) = two
            .until(|told| match told {
                Told::TimeJumped(jump) => Some((jump.author.clone(), jump.cause.clone())),
                _ => None,
            })
            .await;
        assert_eq!((author.as_str(), cause.as_str()), ("test 1.1", "resume"));
        two.until_seen(0.5).await;
        assert_eq!(two.seen(vehicle), (0.5, half));
        two.until(|told| match told {
            Told::Timeline(told) => (told.branch.len() == 2).then_some(()),
            _ => None,
        })
        .await;
        assert_eq!(place.branches(), ["main", "main-1"]);
        // The past is looked at no longer than the page wants; then it sees the same as the others.
        assert!(look(&mut one, None).await.ok);
        one.until_seen(0.5).await;
        place.cli(&["undo"]);
        two.until_seen(2.0).await;
        one.until_seen(2.0).await;
        assert_eq!(one.seen(vehicle), two.seen(vehicle));
    });
}
