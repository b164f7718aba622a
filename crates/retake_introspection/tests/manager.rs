//! A manager and its clients on one bus.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use expect_test::expect;
use retake_introspection::{
    Any, IntrospectionClient, IntrospectionManager, Item, ItemType, Sampled, Watch,
};
use retake_math::{Pose, SimTime, Vec3};
use retake_msgs::ItemsRequest;
use retake_transport::{Bus, InProcessBus};

type Heard = Arc<Mutex<Vec<String>>>;

fn bus() -> Arc<dyn Bus> {
    Arc::new(InProcessBus::new())
}

fn watch(bus: &Arc<dyn Bus>, manager: &str) -> (Watch, Heard) {
    let heard = Heard::default();
    let sink = Arc::clone(&heard);
    let take = move |sampled: &Sampled<'_>| {
        let texts: Vec<&str> = sampled.sample.text.iter().map(|text| text.text.as_str()).collect();
        let stamp = sampled.sample.stamp.as_ref().map(|time| time.sec);
        let line = format!(
            "{} e{} {:?} {}",
            stamp.unwrap_or(-1),
            sampled.sample.epoch,
            sampled.sample.value,
            texts.join(",")
        );
        sink.lock().unwrap().push(line);
    };
    (IntrospectionClient::new(Arc::clone(bus)).watch(manager, take), heard)
}

fn taken(heard: &Heard) -> String {
    heard.lock().unwrap().drain(..).map(|line| line + "\n").collect()
}

fn secs(secs: i64) -> SimTime {
    SimTime::from_nanos(secs * 1_000_000_000)
}

fn names(items: &[&str]) -> Vec<String> {
    items.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn what_is_watched_arrives_at_each_update() {
    let bus = bus();
    let mut manager = IntrospectionManager::new(Arc::clone(&bus), "controller").unwrap();
    let count = Arc::new(AtomicI64::new(0));
    let counted = Arc::clone(&count);
    let value = move || Any::Int(counted.fetch_add(1, Ordering::Relaxed));
    manager.register(Item::new("count", ItemType::Int), value).unwrap();
    manager.register(Item::new("at", ItemType::Vector3).unit("m"), || Vec3::X.into()).unwrap();
    manager.register(Item::new("mode", ItemType::Text), || "walk".to_owned().into()).unwrap();
    manager.update(secs(0));
    assert_eq!(count.load(Ordering::Relaxed), 0, "nobody watches it yet");

    let (mut watch, heard) = watch(&bus, "controller");
    watch.want(names(&["at", "mode", "count"]), 0.0);
    watch.keep().unwrap();
    manager.update(secs(1));
    manager.update(secs(2));
    manager.update(secs(1));
    expect![[r#"
        1 e0 [1.0, 0.0, 0.0, 0.0] walk
        2 e0 [1.0, 0.0, 0.0, 1.0] walk
        1 e1 [1.0, 0.0, 0.0, 2.0] walk
    "#]]
    .assert_eq(&taken(&heard));

    drop(watch);
    manager.update(secs(2));
    assert_eq!(count.load(Ordering::Relaxed), 3, "nobody watches it any more");
}

#[test]
fn what_goes_is_a_gap_until_it_comes_back() {
    let bus = bus();
    let mut manager = IntrospectionManager::new(Arc::clone(&bus), "m").unwrap();
    let item = || Item::new("late", ItemType::Double);
    let (mut watch, heard) = watch(&bus, "m");
    watch.want(names(&["late"]), 0.0);
    watch.keep().unwrap();
    manager.update(secs(0));
    manager.register(item(), || 7.0.into()).unwrap();
    manager.update(secs(1));
    assert!(watch.is_behind(), "the numbers of the new version are not known yet");
    watch.keep().unwrap();
    manager.update(secs(2));
    manager.unregister("late").unwrap();
    manager.update(secs(3));
    watch.keep().unwrap();
    expect![[r#"
        0 e0 [] 
        1 e0 [7.0] 
        2 e0 [7.0] 
        3 e0 [NaN] 
    "#]]
    .assert_eq(&taken(&heard));
    let unknown = manager.unregister("late").unwrap_err();
    assert_eq!(unknown.to_string(), "No item called \"late\" is registered");
    manager.register(item(), || 7.0.into()).unwrap();
    let twice = manager.register(item(), || 8.0.into()).unwrap_err();
    assert_eq!(twice.to_string(), "There is an item called \"late\" already. Unregister it first");
}

#[test]
fn managers_are_found_and_have_names_of_their_own() {
    let bus = bus();
    let mut first = IntrospectionManager::new(Arc::clone(&bus), "first").unwrap();
    let _second = IntrospectionManager::new(Arc::clone(&bus), "se/cond").unwrap();
    let taken = IntrospectionManager::new(Arc::clone(&bus), "first").err().unwrap();
    assert_eq!(
        taken.to_string(),
        "There is a manager called \"first\" already. Choose another name"
    );
    let client = IntrospectionClient::new(Arc::clone(&bus));
    assert_eq!(client.managers().unwrap(), ["first", "se/cond"]);

    first
        .register(Item::new("b::Pose", ItemType::Pose).unit("m").frame("world"), || {
            Pose::IDENTITY.into()
        })
        .unwrap();
    first.register(Item::new("a", ItemType::Bool), || true.into()).unwrap();
    let request = ItemsRequest { search: "pOSE".into(), values: true, ..ItemsRequest::default() };
    let listed = client.items("first", &request).unwrap();
    let found: Vec<_> = listed.item.iter().map(|i| (i.name.as_str(), i.unit.as_str())).collect();
    assert_eq!((found.as_slice(), listed.total), ([("b::Pose", "m")].as_slice(), 1));
    assert_eq!(listed.value.len(), 1);
    let request = ItemsRequest { offset: 1, limit: 1, ..ItemsRequest::default() };
    let listed = client.items("first", &request).unwrap();
    assert_eq!((listed.item[0].name.as_str(), listed.total), ("b::Pose", 2));
}

#[test]
fn a_manager_that_begins_anew_gets_the_filter_again() {
    let bus = bus();
    let (mut watch, heard) = watch(&bus, "m");
    watch.want(names(&["x"]), 0.0);
    assert!(watch.keep().is_err(), "nobody is there");
    for value in [1.0, 2.0] {
        let mut manager = IntrospectionManager::new(Arc::clone(&bus), "m").unwrap();
        manager.register(Item::new("x", ItemType::Double), move || value.into()).unwrap();
        watch.keep().unwrap();
        manager.update(secs(5));
    }
    assert_eq!(taken(&heard), "5 e0 [1.0] \n5 e0 [2.0] \n");
}
