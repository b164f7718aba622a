//! What every bus does, run against each implementation and each way two programs can be wired.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

use prost::Name as _;
use prost_reflect::prost::Message as _;
use prost_reflect::prost_types::{DescriptorProto, FileDescriptorProto, FileDescriptorSet};
use retake_msgs::{Clock, Double, HashReply, HashRequest, TypeDescriptor, Vector3};
use retake_transport::typed::{self, Publisher, Reply};
use retake_transport::{
    Bus, BusError, CallError, Client, ClientChange, Delivery, InProcessBus, MAX_SUBSCRIPTIONS,
    Message, Name, Service, ServiceTypes, Topic, ZenohBus,
};

/// Longer than any healthy machine needs; only a failing test waits this long.
const PATIENCE: Duration = Duration::from_secs(30);

/// Two programs on one bus; `kept` is what they need to be connected.
struct Pair {
    a: Arc<dyn Bus>,
    b: Arc<dyn Bus>,
    _kept: Option<Arc<dyn Bus>>,
}

fn in_process_pair() -> Pair {
    let bus: Arc<dyn Bus> = Arc::new(InProcessBus::new());
    Pair { a: Arc::clone(&bus), b: bus, _kept: None }
}

fn client_of(server: &ZenohBus) -> Arc<dyn Bus> {
    Arc::new(ZenohBus::connect(server.address()).unwrap())
}

fn server_and_client() -> Pair {
    let server = ZenohBus::listen(0).unwrap();
    let b = client_of(&server);
    Pair { a: Arc::new(server), b, _kept: None }
}

fn client_and_server() -> Pair {
    let Pair { a, b, _kept } = server_and_client();
    Pair { a: b, b: a, _kept }
}

fn two_clients() -> Pair {
    let server = ZenohBus::listen(0).unwrap();
    let (a, b) = (client_of(&server), client_of(&server));
    Pair { a, b, _kept: Some(Arc::new(server)) }
}

/// Runs each behaviour under each wiring.
macro_rules! behaviours {
    ($($behaviour:ident),* $(,)?) => {
        behaviours!(@wiring in_process_pair [$($behaviour)*]);
        behaviours!(@wiring server_and_client [$($behaviour)*]);
        behaviours!(@wiring client_and_server [$($behaviour)*]);
        behaviours!(@wiring two_clients [$($behaviour)*]);
    };
    (@wiring $wiring:ident [$($behaviour:ident)*]) => {
        mod $wiring {
            $(#[test] fn $behaviour() { super::$behaviour(super::$wiring()); })*
        }
    };
}

behaviours![
    messages_reach_subscribers_in_order,
    a_dropped_subscription_is_over,
    a_crowd_of_subscriptions_is_refused_past_the_limit_and_others_are_not_disturbed,
    a_request_with_a_number_that_nobody_can_mean_is_refused_by_its_path,
    wrong_types_are_refused_by_name,
    calls_are_answered,
    a_late_answer_arrives,
    a_dropped_responder_is_an_error,
    a_handler_that_panics_is_an_error,
    refusals_carry_the_reason,
    an_unknown_service_lists_the_known_ones,
    a_service_that_never_answers_times_out,
    a_request_of_the_wrong_type_is_refused,
    a_taken_service_is_refused,
    too_large_is_refused,
    the_largest_message_passes,
    topics_and_services_are_discovered,
    schemas_of_foreign_types_are_found,
    clients_come_and_go,
    a_call_inside_a_callback_is_refused,
];

/// Asks again until the answer is right; every question is a round trip, so no pause is needed.
fn eventually<T: std::fmt::Debug>(ask: impl Fn() -> T, right: impl Fn(&T) -> bool) -> T {
    let until = Instant::now() + PATIENCE;
    loop {
        let answer = ask();
        if right(&answer) {
            return answer;
        }
        assert!(Instant::now() < until, "never came right: {answer:?}");
        std::thread::yield_now();
    }
}

fn clock(sec: i64) -> Clock {
    Clock { sim: Some(retake_msgs::Time { sec, nsec: 0 }) }
}

fn collect(bus: &dyn Bus, topic: &str) -> (retake_transport::Guard, mpsc::Receiver<Clock>) {
    let (send, received) = mpsc::channel();
    let take = move |message: Clock| send.send(message).unwrap();
    (typed::subscribe(bus, topic, take).unwrap(), received)
}

fn call(bus: &dyn Bus, service: &str) -> Result<HashReply, CallError> {
    typed::call(bus, service, &HashRequest {}, PATIENCE)
}

/// Serves `/hash` on `bus`, and waits until `seen_by` knows.
fn serve_hash(
    bus: &dyn Bus,
    seen_by: &dyn Bus,
    handler: impl Fn(HashRequest, Reply<HashReply>) + Send + Sync + 'static,
) -> retake_transport::Guard {
    let guard = typed::serve(bus, "/hash", handler).unwrap();
    eventually(|| seen_by.services().unwrap(), |known| !known.is_empty());
    guard
}

fn messages_reach_subscribers_in_order(pair: Pair) {
    let publisher = Publisher::<Clock>::new(&*pair.a, "/clock", Delivery::All).unwrap();
    assert!(!publisher.wanted());
    let (_guard, received) = collect(&*pair.b, "/clock");
    eventually(|| publisher.wanted(), |wanted| *wanted);
    for sec in 0..100 {
        publisher.publish(&clock(sec)).unwrap();
    }
    for sec in 0..100 {
        assert_eq!(received.recv_timeout(PATIENCE).unwrap(), clock(sec));
    }
}

fn a_request_with_a_number_that_nobody_can_mean_is_refused_by_its_path(pair: Pair) {
    let echo = |asked: Vector3, reply: Reply<Vector3>| reply.answer(&asked);
    let _guard = typed::serve(&*pair.a, "/echo", echo).unwrap();
    eventually(|| pair.b.services().unwrap(), |known| !known.is_empty());
    let ask = |y: f64| -> Result<Vector3, CallError> {
        typed::call(&*pair.b, "/echo", &Vector3 { x: 1.0, y, z: 0.0 }, PATIENCE)
    };
    assert_eq!(ask(2.0).unwrap().y, 2.0);
    let told = ask(f64::NEG_INFINITY).unwrap_err().to_string();
    assert!(told.contains("y is -inf; write a finite number within ±1e100"), "{told}");
}

fn a_crowd_of_subscriptions_is_refused_past_the_limit_and_others_are_not_disturbed(pair: Pair) {
    let publisher = Publisher::<Clock>::new(&*pair.b, "/clock", Delivery::All).unwrap();
    let (_listens, received) = collect(&*pair.b, "/clock");
    let subscribe =
        |number: usize| typed::subscribe(&*pair.a, &format!("/crowd/{number}"), |_: Clock| {});
    let mut kept = Vec::new();
    let refusal = loop {
        match subscribe(kept.len()) {
            Ok(guard) => kept.push(guard),
            Err(refusal) => break refusal,
        }
        assert!(kept.len() <= MAX_SUBSCRIPTIONS, "no limit holds");
    };
    let told = format!("there are already {MAX_SUBSCRIPTIONS} subscriptions");
    assert_eq!(refusal.to_string(), told);
    // Those who are there go on, and hear what is theirs.
    publisher.publish(&clock(7)).unwrap();
    assert_eq!(received.recv_timeout(PATIENCE).unwrap(), clock(7));
    // Who lets go of some may have others.
    kept.truncate(kept.len() - 2);
    let _again = subscribe(0).unwrap();
}

fn a_dropped_subscription_is_over(pair: Pair) {
    let publisher = Publisher::<Clock>::new(&*pair.a, "/clock", Delivery::All).unwrap();
    let (guard, received) = collect(&*pair.b, "/clock");
    eventually(|| publisher.wanted(), |wanted| *wanted);
    drop(guard);
    eventually(|| publisher.wanted(), |wanted| !*wanted);
    publisher.publish(&clock(1)).unwrap();
    // The sender lives in the callback, which went with the subscription.
    assert!(received.recv_timeout(PATIENCE).is_err());
}

fn wrong_types_are_refused_by_name(pair: Pair) {
    let _clock = Publisher::<Clock>::new(&*pair.a, "/clock", Delivery::All).unwrap();
    eventually(|| pair.b.topics().unwrap(), |known| !known.is_empty());
    let text = "/clock carries retake.msgs.Clock, not retake.msgs.Double. \
                Use retake.msgs.Clock or another name";
    let publisher = Publisher::<Double>::new(&*pair.b, "/clock", Delivery::All);
    assert_eq!(publisher.err().unwrap().to_string(), text);
    let subscription = typed::subscribe::<Double>(&*pair.b, "/clock", |_| {});
    assert_eq!(subscription.unwrap_err().to_string(), text);
}

fn calls_are_answered(pair: Pair) {
    let _guard = serve_hash(&*pair.a, &*pair.b, |_, reply| {
        reply.answer(&HashReply { hash: "abc".into(), ..HashReply::default() });
    });
    assert_eq!(call(&*pair.b, "/hash").unwrap().hash, "abc");
    assert_eq!(call(&*pair.a, "/hash").unwrap().hash, "abc");
}

fn a_late_answer_arrives(pair: Pair) {
    let (send, waiting) = mpsc::channel::<Reply<HashReply>>();
    let _guard = serve_hash(&*pair.a, &*pair.b, move |_, reply| send.send(reply).unwrap());
    let other = std::thread::spawn(move || {
        let reply = waiting.recv_timeout(PATIENCE).unwrap();
        reply.answer(&HashReply { iterations: 7, ..HashReply::default() });
    });
    assert_eq!(call(&*pair.b, "/hash").unwrap().iterations, 7);
    other.join().unwrap();
}

fn a_dropped_responder_is_an_error(pair: Pair) {
    let _guard = serve_hash(&*pair.a, &*pair.b, |_, reply| drop(reply));
    let error = call(&*pair.b, "/hash").unwrap_err();
    assert_eq!(error.to_string(), "The service gave no answer");
}

fn a_handler_that_panics_is_an_error(pair: Pair) {
    let _guard = serve_hash(&*pair.a, &*pair.b, |_, _reply| panic!("meant to happen"));
    let error = call(&*pair.b, "/hash").unwrap_err();
    assert_eq!(error.to_string(), "The service gave no answer");
    let again = call(&*pair.b, "/hash").unwrap_err();
    assert!(matches!(again, CallError::Refused { .. }), "{again}");
}

fn refusals_carry_the_reason(pair: Pair) {
    let _guard = serve_hash(&*pair.a, &*pair.b, |_, reply| reply.refuse("Nothing to hash"));
    let error = call(&*pair.b, "/hash").unwrap_err();
    assert!(matches!(&error, CallError::Refused { message } if message == "Nothing to hash"));
}

fn an_unknown_service_lists_the_known_ones(pair: Pair) {
    let error = call(&*pair.b, "/hush").unwrap_err();
    assert_eq!(error.to_string(), "no service named \"/hush\". Known: none");
    let _guard = serve_hash(&*pair.a, &*pair.b, |_, reply| reply.refuse("no"));
    let error = call(&*pair.b, "/hush").unwrap_err();
    assert_eq!(error.to_string(), "no service named \"/hush\". Known: /hash");
}

fn a_service_that_never_answers_times_out(pair: Pair) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let keep = Arc::clone(&kept);
    let _guard = serve_hash(&*pair.a, &*pair.b, move |_, reply| keep.lock().unwrap().push(reply));
    let timeout = Duration::from_millis(100);
    let reply = typed::call::<_, HashReply>(&*pair.b, "/hash", &HashRequest {}, timeout);
    let expected = "service /hash did not answer within 0.1 s. It may still do what was asked: look \
                    before you ask again";
    assert_eq!(reply.unwrap_err().to_string(), expected);
}

fn a_request_of_the_wrong_type_is_refused(pair: Pair) {
    let _guard = serve_hash(&*pair.a, &*pair.b, |_, reply| reply.answer(&HashReply::default()));
    let wrong = typed::call::<_, HashReply>(&*pair.b, "/hash", &clock(1), PATIENCE).unwrap_err();
    let text = "Service /hash wants retake.msgs.HashRequest, not retake.msgs.Clock";
    assert_eq!(wrong.to_string(), text);
    let wrong = typed::call::<_, Clock>(&*pair.b, "/hash", &HashRequest {}, PATIENCE).unwrap_err();
    let text = "service /hash answered with retake.msgs.HashReply, not retake.msgs.Clock";
    assert_eq!(wrong.to_string(), text);
    let garbage = Message { type_name: HashRequest::full_name(), bytes: vec![0xff; 7] };
    let refused = pair.b.call(&Name::new("/hash").unwrap(), &garbage, PATIENCE).unwrap_err();
    assert!(refused.to_string().starts_with("The request is not a retake.msgs.HashRequest"));
}

fn a_taken_service_is_refused(pair: Pair) {
    let _guard = serve_hash(&*pair.a, &*pair.b, |_, reply| reply.refuse("no"));
    let second = typed::serve::<HashRequest, HashReply>(&*pair.b, "/hash", |_, _| {});
    assert!(matches!(second, Err(BusError::ServiceTaken { .. })));
}

fn too_large_is_refused(pair: Pair) {
    let bytes = vec![0; retake_msgs::MAX_MESSAGE_BYTES + 1];
    let topic = Name::new("/blob").unwrap();
    for delivery in [Delivery::All, Delivery::Newest] {
        let publisher = pair.a.advertise(&topic, "x.Blob", delivery).unwrap();
        let error = publisher.publish(bytes.clone()).unwrap_err();
        let text = "a message of 16777217 bytes for /blob is over the limit of 16777216 bytes";
        assert_eq!(error.to_string(), text);
    }
    let request = Message { type_name: "x.Blob".into(), bytes: bytes.clone() };
    let error = pair.a.call(&topic, &request, PATIENCE).unwrap_err();
    assert!(matches!(error, CallError::TooLarge { bytes: 16_777_217, .. }), "{error}");
    let types = ServiceTypes { request: "x.Q".into(), reply: "x.Blob".into() };
    let handler = Arc::new(move |_, responder: retake_transport::Responder| {
        responder.answer(bytes.clone());
    });
    let _guard = pair.a.serve(&topic, types, handler).unwrap();
    eventually(|| pair.b.services().unwrap(), |known| !known.is_empty());
    let request = Message { type_name: "x.Q".into(), bytes: Vec::new() };
    let error = pair.b.call(&topic, &request, PATIENCE).unwrap_err();
    assert!(error.to_string().contains("over the limit"), "{error}");
}

fn the_largest_message_passes(pair: Pair) {
    let topic = Name::new("/blob").unwrap();
    let publisher = pair.a.advertise(&topic, "x.Blob", Delivery::All).unwrap();
    let (send, received) = mpsc::channel();
    let take = move |message: retake_transport::MessageRef<'_>| {
        let intact = message.bytes.iter().all(|byte| *byte == 7);
        send.send((message.type_name.to_owned(), message.bytes.len(), intact)).unwrap();
    };
    let _guard = pair.b.subscribe(&topic, Arc::new(take)).unwrap();
    eventually(|| publisher.wanted(), |wanted| *wanted);
    publisher.publish(vec![7; retake_msgs::MAX_MESSAGE_BYTES]).unwrap();
    let (type_name, size, intact) = received.recv_timeout(PATIENCE).unwrap();
    assert_eq!((type_name.as_str(), size, intact), ("x.Blob", 16_777_216, true));
}

fn topics_and_services_are_discovered(pair: Pair) {
    let one = Publisher::<Clock>::new(&*pair.a, "/clock", Delivery::Newest).unwrap();
    let two = Publisher::<Clock>::new(&*pair.b, "/clock", Delivery::Newest).unwrap();
    let _other = Publisher::<Double>::new(&*pair.a, "/a b/%", Delivery::All).unwrap();
    let topic = |name: &str, type_name: String, publishers| Topic {
        name: name.to_owned(),
        type_name,
        publishers,
    };
    let both =
        vec![topic("/a b/%", Double::full_name(), 1), topic("/clock", Clock::full_name(), 2)];
    for bus in [&pair.a, &pair.b] {
        eventually(|| bus.topics().unwrap(), |topics| *topics == both);
    }
    drop((one, two));
    for bus in [&pair.a, &pair.b] {
        eventually(|| bus.topics().unwrap(), |topics| *topics == both[..1]);
    }
    let guard = typed::serve::<HashRequest, HashReply>(&*pair.b, "/hash", |_, _| {}).unwrap();
    let types = ServiceTypes { request: HashRequest::full_name(), reply: HashReply::full_name() };
    let service = vec![Service { name: "/hash".into(), types }];
    eventually(|| pair.a.services().unwrap(), |services| *services == service);
    drop(guard);
    eventually(|| pair.a.services().unwrap(), Vec::is_empty);
}

fn schemas_of_foreign_types_are_found(pair: Pair) {
    let own = pair.b.descriptor(&Clock::full_name()).unwrap();
    assert_eq!(Some(own), retake_msgs::type_descriptor(&Clock::full_name()));
    let unknown = pair.b.descriptor("their.Thing").unwrap_err();
    assert_eq!(unknown.to_string(), "nobody on the bus knows the message type their.Thing");
    let file = FileDescriptorProto {
        name: Some("their.proto".into()),
        package: Some("their".into()),
        message_type: vec![DescriptorProto { name: Some("Thing".into()), ..Default::default() }],
        ..Default::default()
    };
    let theirs = TypeDescriptor {
        type_name: "their.Thing".into(),
        file_descriptor_set: FileDescriptorSet { file: vec![file] }.encode_to_vec(),
    };
    pair.a.offer_descriptor(theirs.clone()).unwrap();
    let found = eventually(|| pair.b.descriptor("their.Thing").ok(), Option::is_some);
    assert_eq!(found, Some(theirs));
}

fn clients_come_and_go(pair: Pair) {
    let early = pair.a.join("early").unwrap();
    let (send, changes) = mpsc::channel();
    let watch = move |change: &ClientChange| send.send(change.clone()).unwrap();
    let _watch = pair.b.watch_clients(Arc::new(watch)).unwrap();
    let next = || changes.recv_timeout(PATIENCE).unwrap();
    assert!(matches!(next(), ClientChange::Came(Client { name, .. }) if name == "early"));
    let late = pair.a.join("late/*").unwrap();
    assert!(matches!(next(), ClientChange::Came(Client { name, .. }) if name == "late/*"));
    let names = |bus: &dyn Bus| -> Vec<String> {
        bus.clients().unwrap().into_iter().map(|client| client.name).collect()
    };
    eventually(|| names(&*pair.b), |names| *names == ["early", "late/*"]);
    drop(early);
    assert!(matches!(next(), ClientChange::Went(Client { name, .. }) if name == "early"));
    drop(late);
    assert!(matches!(next(), ClientChange::Went(Client { name, .. }) if name == "late/*"));
    eventually(|| names(&*pair.a), Vec::is_empty);
}

fn a_call_inside_a_callback_is_refused(pair: Pair) {
    let publisher = Publisher::<Clock>::new(&*pair.a, "/clock", Delivery::All).unwrap();
    let (send, outcomes) = mpsc::channel();
    let bus = Arc::clone(&pair.b);
    let take = move |_: Clock| send.send(call(&*bus, "/hash").unwrap_err().to_string()).unwrap();
    let _guard = typed::subscribe(&*pair.b, "/clock", take).unwrap();
    eventually(|| publisher.wanted(), |wanted| *wanted);
    publisher.publish(&clock(1)).unwrap();
    let text = "service /hash was called inside a callback. Call it from another thread";
    assert_eq!(outcomes.recv_timeout(PATIENCE).unwrap(), text);
}
