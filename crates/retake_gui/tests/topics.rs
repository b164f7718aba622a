//! The bus as a page sees it through its host.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::sync::{Arc, Mutex};
use std::time::Instant;

use prost::Message as _;
use retake_gui::HostOptions;
use retake_msgs::host_message::Message as Body;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{
    CallService, Clock, DescribeType, Double, EncodedMessage, Name as _, PublishMessage, Reply,
    Request, Text, Time, TopicMessage, TopicRates, Twist, UserCmdReply, Vector3, WatchTopics,
    WorldControl, request, type_descriptor,
};
use retake_transport::typed::{self, Publisher};
use retake_transport::{Bus, Delivery, Guard, InProcessBus, MessageRef, Name};
use support::{Bench, Got, PATIENCE, Page, Scene, bench, bench_on};

fn on_bus() -> (Arc<dyn Bus>, Bench) {
    let bus: Arc<dyn Bus> = Arc::new(InProcessBus::new());
    let bench = bench_on(Some(Arc::clone(&bus)), HostOptions::default(), Scene::new());
    (bus, bench)
}

async fn look(page: &mut Page, rates: bool, topic: &str) {
    page.say(Said::WatchTopics(WatchTopics { rates, topic: topic.to_owned() })).await;
}

async fn rates(page: &mut Page) -> TopicRates {
    match page.until(|got| matches!(got, Got::Said(Body::TopicRates(_)))).await {
        Got::Said(Body::TopicRates(rates)) => rates,
        other => panic!("{other:?}"),
    }
}

async fn message(page: &mut Page) -> TopicMessage {
    match page.until(|got| matches!(got, Got::Said(Body::TopicMessage(_)))).await {
        Got::Said(Body::TopicMessage(message)) => *message,
        other => panic!("{other:?}"),
    }
}

async fn ask(page: &mut Page, request: request::Request) -> Reply {
    page.say(Said::Request(Request { request_id: 7, request: Some(request) })).await;
    match page.until(|got| matches!(got, Got::Said(Body::Reply(_)))).await {
        Got::Said(Body::Reply(reply)) => reply,
        other => panic!("{other:?}"),
    }
}

fn encoded<M: prost::Name>(message: &M) -> Option<EncodedMessage> {
    Some(EncodedMessage { type_name: M::full_name(), bytes: message.encode_to_vec() })
}

/// Waits for what another thread does.
fn until(what: &str, done: impl Fn() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::yield_now();
    }
}

fn serve_control(bus: &dyn Bus) -> Guard {
    let control = |asked: WorldControl, reply: typed::Reply<UserCmdReply>| match asked.pause {
        Some(pause) => reply.answer(&UserCmdReply::done(format!("pause {pause}"))),
        None => reply.refuse("neither play nor pause"),
    };
    typed::serve(bus, "/world/test/control", control).unwrap()
}

#[test]
fn topics_are_listed_with_their_rates_and_heard_only_while_a_page_looks() {
    let (bus, bench) = on_bus();
    let clock: Publisher<Clock> = Publisher::new(bus.as_ref(), "/clock", Delivery::Newest).unwrap();
    let _control = serve_control(bus.as_ref());
    let mut page = bench.run(bench.page());
    assert!(!clock.wanted(), "nobody looks yet");
    bench.run(async {
        look(&mut page, true, "").await;
        let first = rates(&mut page).await;
        assert_eq!((first.topic.len(), first.problem.as_str()), (1, ""));
        let [topic] = first.topic.as_slice() else { panic!("{first:?}") };
        assert_eq!((topic.name.as_str(), topic.publishers), ("/clock", 1));
        assert_eq!(topic.type_name, "retake.msgs.Clock");
        assert_eq!(topic.messages_per_sec, None, "there was no time to measure");
        let [service] = first.service.as_slice() else { panic!("{first:?}") };
        assert_eq!(service.name, "/world/test/control");
        assert_eq!(service.request_type, "retake.msgs.WorldControl");
        assert_eq!(service.reply_type, "retake.msgs.UserCmdReply");
        assert!(clock.wanted());
        for sec in 0..20 {
            clock.publish(&Clock { sim: Some(Time { sec, nsec: 0 }) }).unwrap();
        }
        let measured = rates(&mut page).await.topic.remove(0);
        assert!(measured.messages_per_sec.unwrap() > 0.0, "{measured:?}");
        assert!(measured.bytes_per_sec.unwrap() > 0.0, "{measured:?}");
        look(&mut page, false, "").await;
    });
    until("the host goes on listening", || !clock.wanted());
}

#[test]
fn a_page_that_leaves_listens_no_more() {
    let (bus, bench) = on_bus();
    let text: Publisher<Text> = Publisher::new(bus.as_ref(), "/said", Delivery::All).unwrap();
    let mut page = bench.run(bench.page());
    bench.run(async {
        look(&mut page, true, "/said").await;
        rates(&mut page).await;
    });
    until("the host does not listen", || text.wanted());
    drop(page);
    until("the host goes on listening", || !text.wanted());
}

#[test]
fn the_newest_message_is_shown_and_what_is_too_long_is_told() {
    let (bus, bench) = on_bus();
    let said: Publisher<Text> = Publisher::new(bus.as_ref(), "/said", Delivery::All).unwrap();
    let mut page = bench.run(bench.page());
    bench.run(async {
        look(&mut page, false, "/said").await;
        until("the host does not listen", || said.wanted());
        for text in ["one", "two", "three"] {
            said.publish(&Text { data: text.to_owned() }).unwrap();
        }
        let mut shown = message(&mut page).await;
        while shown.count < 3 {
            shown = message(&mut page).await;
        }
        let body = shown.message.unwrap();
        assert_eq!((shown.topic.as_str(), body.type_name.as_str()), ("/said", "retake.msgs.Text"));
        assert_eq!(Text::decode(body.bytes.as_slice()).unwrap().data, "three");
        assert_eq!(shown.size, body.bytes.len() as u64);

        said.publish(&Text { data: "x".repeat(1024 * 1024) }).unwrap();
        let long = message(&mut page).await;
        assert_eq!((long.count, long.message), (4, None));
        assert!(long.size > 1024 * 1024);
        assert_eq!(long.problem, "Messages of more than 1048576 bytes are not shown");

        look(&mut page, false, "no/slash").await;
        let bad = message(&mut page).await;
        assert!(bad.problem.contains("no/slash"), "{}", bad.problem);
    });
}

#[test]
fn a_message_is_published_once_and_faults_are_refused() {
    let (bus, bench) = on_bus();
    let heard: Arc<Mutex<Vec<Vec<u8>>>> = Arc::default();
    let theirs = Arc::clone(&heard);
    let keep = move |message: MessageRef<'_>| theirs.lock().unwrap().push(message.bytes.to_vec());
    let topic = "/model/car/cmd_vel";
    let _listening = bus.subscribe(&Name::new(topic).unwrap(), Arc::new(keep)).unwrap();
    let mut page = bench.run(bench.page());
    let twist = Twist { linear: Some(Vector3 { x: 0.5, ..Vector3::default() }), angular: None };
    let publish = |topic: &str, message| {
        request::Request::Publish(PublishMessage { topic: topic.to_owned(), message })
    };
    bench.run(async {
        for count in 1..=2 {
            let reply = ask(&mut page, publish(topic, encoded(&twist))).await;
            assert_eq!((reply.ok, reply.request_id), (true, 7));
            assert_eq!(reply.message, "Published on /model/car/cmd_vel");
            assert_eq!(*heard.lock().unwrap(), vec![twist.encode_to_vec(); count]);
        }
        let quiet = ask(&mut page, publish("/quiet", encoded(&Double { data: 1.0 }))).await;
        assert_eq!(
            (quiet.ok, quiet.message.as_str()),
            (true, "Published on /quiet, but nobody listens there")
        );

        let unknown = EncodedMessage { type_name: "no.such.Type".to_owned(), bytes: Vec::new() };
        let broken = EncodedMessage { type_name: Twist::full_name(), bytes: vec![0xff; 3] };
        let taken: Publisher<Text> = Publisher::new(bus.as_ref(), "/said", Delivery::All).unwrap();
        for (topic, message, part) in [
            (topic, None, "There is no message"),
            (topic, Some(unknown), "no.such.Type"),
            (topic, Some(broken), "This is no retake.msgs.Twist: "),
            ("no/slash", encoded(&twist), "no/slash"),
            ("/said", encoded(&twist), "retake.msgs.Text"),
        ] {
            let reply = ask(&mut page, publish(topic, message)).await;
            assert!(!reply.ok && reply.message.contains(part), "{part}: {}", reply.message);
        }
        drop(taken);
        assert_eq!(heard.lock().unwrap().len(), 2, "what was refused was not published");
    });
}

#[test]
fn a_service_is_called_and_its_reply_comes_back() {
    let (bus, bench) = on_bus();
    let _control = serve_control(bus.as_ref());
    let mut page = bench.run(bench.page());
    let call = |service: &str, request| {
        request::Request::Call(CallService { service: service.to_owned(), request })
    };
    let pause = |pause| WorldControl { pause, ..WorldControl::default() };
    bench.run(async {
        let reply = ask(&mut page, call("/world/test/control", encoded(&pause(Some(true))))).await;
        assert!(reply.ok, "{}", reply.message);
        let called = reply.called.unwrap();
        assert_eq!(called.type_name, "retake.msgs.UserCmdReply");
        assert_eq!(UserCmdReply::decode(called.bytes.as_slice()).unwrap().message, "pause true");
        for (service, request, part) in [
            ("/world/test/control", encoded(&pause(None)), "neither play nor pause"),
            ("/nothing", encoded(&pause(None)), "/nothing"),
            ("/world/test/control", encoded(&Text::default()), "retake.msgs.WorldControl"),
            ("/world/test/control", None, "There is no message"),
        ] {
            let reply = ask(&mut page, call(service, request)).await;
            assert!(!reply.ok && reply.message.contains(part), "{part}: {}", reply.message);
            assert_eq!(reply.called, None);
        }
    });
}

#[test]
fn schemas_travel_and_without_a_bus_the_page_is_told() {
    let (_bus, bench) = on_bus();
    let mut page = bench.run(bench.page());
    let describe = |type_name: &str| {
        request::Request::DescribeType(DescribeType { type_name: type_name.to_owned() })
    };
    bench.run(async {
        let reply = ask(&mut page, describe("retake.msgs.Twist")).await;
        assert_eq!(reply.descriptor.map(|it| *it), type_descriptor("retake.msgs.Twist"));
        let reply = ask(&mut page, describe("no.such.Type")).await;
        assert!(!reply.ok && reply.message.contains("no.such.Type"), "{}", reply.message);
    });

    let alone = support::bench();
    let mut page = alone.run(alone.page());
    let gone = "The server is not there. Try again when it is back";
    alone.run(async {
        let reply = ask(&mut page, describe("retake.msgs.Twist")).await;
        assert_eq!((reply.ok, reply.message.as_str()), (false, gone));
        look(&mut page, false, "/clock").await;
        assert_eq!(message(&mut page).await.problem, gone);
        look(&mut page, true, "/clock").await;
        assert_eq!(rates(&mut page).await.problem, gone);
    });
}

#[test]
fn the_guide_is_served_page_by_page() {
    let bench = bench();
    let start = bench.get("/guide/").to_lowercase();
    assert!(
        start.starts_with("http/1.1 303") && start.contains("location: /guide/page.md"),
        "{start}"
    );
    let page = bench.get("/guide/page.md");
    assert!(page.to_lowercase().contains("content-type: text/html; charset=utf-8"));
    for part in [
        "<title>The page – Retake guide</title>",
        "<a href=\"page.md\" aria-current=\"page\">",
        "<a href=\"transport.md\">",
        "<h2 id=\"",
        "<img src=\"img/",
    ] {
        assert!(page.contains(part), "{part} is missing in {page}");
    }
    let picture = page.split("<img src=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let (head, bytes) = bench.get_bytes(&format!("/guide/{picture}"));
    assert!(head.contains("content-type: image/png"), "{head}");
    assert_eq!(&bytes[1..4], b"PNG");
    for bad in
        ["nothing.md", "page", "img/nothing.png", "..%2f..%2fCargo.toml", "%2e%2e/index.html"]
    {
        let answer = bench.get(&format!("/guide/{bad}"));
        assert!(answer.starts_with("HTTP/1.1 404"), "{bad}: {answer}");
    }
}
