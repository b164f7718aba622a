//! What only a bus between processes has: ports, connections, queues.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

use prost::Message as _;
use retake_msgs::{Clock, HashReply, HashRequest, Name as _};
use retake_transport::typed::{self, Publisher};
use retake_transport::{Bus, BusError, CallError, ClientChange, Delivery, Name, ZenohBus};

const PATIENCE: Duration = Duration::from_secs(30);

fn clock(sec: i64) -> Clock {
    Clock { sim: Some(retake_msgs::Time { sec, nsec: 0 }) }
}

/// A bus whose subscriber to `/clock` waits in each callback until told to go on.
struct Stalled {
    bus: ZenohBus,
    entered: mpsc::Receiver<i64>,
    go_on: mpsc::Sender<()>,
    _guard: retake_transport::Guard,
}

fn stalled() -> Stalled {
    let bus = ZenohBus::listen(0).unwrap();
    let (enter, entered) = mpsc::channel();
    let (go_on, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let guard = typed::subscribe(&bus, "/clock", move |clock: Clock| {
        enter.send(clock.sim.unwrap().sec).unwrap();
        // An error means that nobody stalls us any more.
        wait.lock().unwrap().recv().ok();
    });
    Stalled { bus, entered, go_on, _guard: guard.unwrap() }
}

#[test]
fn the_newest_state_replaces_those_that_wait() {
    let stalled = stalled();
    let publisher = Publisher::new(&stalled.bus, "/clock", Delivery::Newest).unwrap();
    publisher.publish(&clock(0)).unwrap();
    assert_eq!(stalled.entered.recv_timeout(PATIENCE).unwrap(), 0);
    for sec in 1..=10_000 {
        publisher.publish(&clock(sec)).unwrap();
    }
    drop(stalled.go_on);
    assert_eq!(stalled.entered.recv_timeout(PATIENCE).unwrap(), 10_000);
}

#[test]
fn events_wait_in_order_up_to_a_bound() {
    let stalled = stalled();
    let publisher = Publisher::new(&stalled.bus, "/clock", Delivery::All).unwrap();
    publisher.publish(&clock(0)).unwrap();
    assert_eq!(stalled.entered.recv_timeout(PATIENCE).unwrap(), 0);
    let mut taken = 0;
    let mut refusal = None;
    while refusal.is_none() && taken < 10_000 {
        match publisher.publish(&clock(taken + 1)) {
            Ok(()) => taken += 1,
            Err(refused) => refusal = Some(refused.to_string()),
        }
    }
    // Before anything is checked: a bus that closes waits for what is under way.
    drop(stalled.go_on);
    assert_eq!(taken, 1024);
    let text = "the queue of outgoing messages is full; the message for /clock was not sent";
    assert_eq!(refusal.as_deref(), Some(text));
    for sec in 1..=taken {
        assert_eq!(stalled.entered.recv_timeout(PATIENCE).unwrap(), sec);
    }
}

#[test]
fn whoever_has_patience_waits_for_room_and_nothing_is_lost() {
    let Stalled { bus, entered, go_on, _guard } = stalled();
    let name = Name::new("/clock").unwrap();
    let publisher = bus.advertise(&name, &Clock::full_name(), Delivery::All).unwrap();
    let (sent, count) = std::sync::mpsc::channel();
    let sender = std::thread::spawn(move || {
        for sec in 0..5000 {
            publisher.publish_patiently(clock(sec).encode_to_vec(), PATIENCE).unwrap();
            sent.send(sec).unwrap();
        }
    });
    assert_eq!(entered.recv_timeout(PATIENCE).unwrap(), 0);
    // As many as have room are taken while nobody reads, and then it waits.
    assert!((0..=1024).all(|sec| count.recv_timeout(PATIENCE).unwrap() == sec));
    assert!(count.try_recv().is_err());
    drop(go_on);
    for sec in 1..5000 {
        assert_eq!(entered.recv_timeout(PATIENCE).unwrap(), sec);
    }
    sender.join().unwrap();
}

#[test]
fn what_waits_is_sent_before_the_bus_closes() {
    let Stalled { bus, entered, go_on, _guard } = stalled();
    let publisher = Publisher::new(&bus, "/clock", Delivery::All).unwrap();
    for sec in 0..10 {
        publisher.publish(&clock(sec)).unwrap();
    }
    drop(go_on);
    drop(bus);
    assert_eq!(entered.try_iter().collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
    assert!(matches!(publisher.publish(&clock(10)), Err(BusError::Closed)));
}

#[test]
fn a_busy_port_is_named() {
    let other = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = other.local_addr().unwrap().port();
    let error = ZenohBus::listen(port).err().unwrap();
    let text = format!(
        "port {port} is taken. Stop the other program or choose another port with --bus-port"
    );
    assert_eq!(error.to_string(), text);
    let known = BusError::PortBusy { port: 8643, owner: Some(("cones".into(), 42)) };
    let text = "port 8643 is taken by the server of world \"cones\" (process 42). \
                Stop the other program or choose another port with --bus-port";
    assert_eq!(known.to_string(), text);
}

#[test]
fn an_address_without_a_server_is_an_error_at_once() {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let error = ZenohBus::connect(SocketAddrV4::new(Ipv4Addr::LOCALHOST, free)).err().unwrap();
    let text =
        format!("no Retake server answers at 127.0.0.1:{free}. Start one with: retake run WORLD");
    assert_eq!(error.to_string(), text);
}

#[test]
fn a_port_can_be_used_again_at_once() {
    let first = ZenohBus::listen(0).unwrap();
    let address = first.address();
    let client = ZenohBus::connect(address).unwrap();
    drop(first);
    let second = ZenohBus::listen(address.port()).unwrap();
    assert_eq!(second.address(), address);
    drop(client);
}

#[test]
fn a_lost_server_is_noticed_and_found_again() {
    let server = ZenohBus::listen(0).unwrap();
    let address = server.address();
    let joined = server.join("server").unwrap();
    let client = ZenohBus::connect(address).unwrap();
    let (send, changes) = mpsc::channel();
    let watch = move |change: &ClientChange| drop(send.send(change.clone()));
    let _watch = client.watch_clients(Arc::new(watch)).unwrap();
    assert!(matches!(changes.recv_timeout(PATIENCE).unwrap(), ClientChange::Came(_)));
    drop((joined, server));
    assert!(matches!(changes.recv_timeout(PATIENCE).unwrap(), ClientChange::Went(_)));
    let lost = typed::call::<_, HashReply>(&client, "/hash", &HashRequest {}, PATIENCE);
    assert!(matches!(lost, Err(CallError::Closed { .. } | CallError::NoSuchService { .. })));

    let server = ZenohBus::listen(address.port()).unwrap();
    let _joined = server.join("server").unwrap();
    assert!(matches!(changes.recv_timeout(PATIENCE).unwrap(), ClientChange::Came(_)));
    assert!(client.is_connected());
}
