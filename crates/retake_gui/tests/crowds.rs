//! Pages that come in crowds, never end or talk nonsense: they harm nobody but themselves.
#![allow(clippy::unwrap_used, reason = "tests")]

mod support;

use std::io::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use fastrand::Rng;
use prost::Message as _;
use retake_gui::HostOptions;
use retake_math::Vec3;
use retake_msgs::host_message::Message as Body;
use retake_msgs::page_message::Message as Said;
use retake_msgs::{PageMessage, Request, UserCmd, Watch, request};
use support::{Bench, Got, PATIENCE, Page, Scene, bench, bench_with};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::frame::Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};

/// Shows that a page is served as if it were alone.
fn is_served(bench: &mut Bench, page: &mut Page, x: f64) {
    bench.scene.put(bench.scene.car, Vec3::new(x, 0.0, 0.0));
    bench.feed.publish(bench.scene.step());
    let here = |got: &Got| matches!(got, Got::Poses { numbers, .. } if numbers[0] == x as f32);
    bench.run(page.until(here));
}

#[cfg(target_os = "linux")]
fn open_handles() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

#[cfg(target_os = "linux")]
#[test]
fn pages_that_come_and_go_leave_no_handle_behind() {
    let mut bench = bench();
    let mut good = bench.run(bench.page());
    let (before, memory) = (open_handles(), resident_mib());
    // As many as come in a minute at 500 a second, when somebody has the time.
    for round in 0..thinned(30_000, 500) {
        // Some leave before they greet, some after it, some without a farewell.
        match round % 3 {
            0 => drop(bench.run(bench.connect(None))),
            1 => drop(bench.run(bench.page())),
            _ => drop(std::net::TcpStream::connect(bench.host.address()).unwrap()),
        }
    }
    is_served(&mut bench, &mut good, 3.0);
    let deadline = Instant::now() + PATIENCE;
    while open_handles() > before {
        assert!(Instant::now() < deadline, "{} handles, {before} before", open_handles());
        std::thread::yield_now();
    }
    // The allocator keeps some of what it had; 30,000 pages would leave far more behind.
    let after = resident_mib();
    assert!(after < memory + 64, "{memory} MiB before, {after} MiB after");
}

fn until_handles(fits: impl Fn(usize) -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !fits(open_handles()) {
        assert!(Instant::now() < deadline, "{} handles", open_handles());
        std::thread::yield_now();
    }
}

#[test]
fn whoever_never_reads_an_answer_is_cut_off() {
    let options = HostOptions { write_timeout: Duration::from_millis(200), ..Default::default() };
    let bench = bench_with(options, Scene::new());
    let address = bench.host.address();
    let before = open_handles();
    let mut sleeper = std::net::TcpStream::connect(address).unwrap();
    // Some 17 MB of pictures, more than lines between two programs hold.
    let ask = format!("GET /guide/img/teach.png HTTP/1.1\r\nhost: {address}\r\n\r\n").repeat(100);
    sleeper.write_all(ask.as_bytes()).unwrap();
    // Both ends of the line are handles here; only the sleeper's own stays.
    until_handles(|handles| handles == before + 2);
    until_handles(|handles| handles == before + 1);
    drop(sleeper);
}

/// How many times, all of them when somebody has the time.
fn thinned(whole: u32, part: u32) -> u32 {
    if std::env::var_os("RETAKE_SOAK").is_some() { whole } else { part }
}

#[cfg(target_os = "linux")]
fn resident_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

fn bytes_of(said: Said) -> Vec<u8> {
    let mut bytes = 1_u32.to_le_bytes().to_vec();
    PageMessage { message: Some(said) }.encode(&mut bytes).unwrap();
    bytes
}

#[test]
fn a_page_that_wants_a_million_things_gets_some_and_others_are_not_disturbed() {
    let mut bench = bench();
    let mut good = bench.run(bench.page());
    let mut greedy = bench.run(bench.page());
    let all = Said::Watch(Watch { entity: (0..1_000_000).collect() });
    bench.run(greedy.try_send(Message::Binary(bytes_of(all).into()))).unwrap();
    let is_told = |got: &Got| matches!(got, Got::Said(Body::Notification(_)));
    let Got::Said(Body::Notification(told)) = bench.run(greedy.until(is_told)) else { panic!() };
    assert_eq!(told.text, "No more than 256 entities can be watched at once");
    is_served(&mut bench, &mut good, 6.0);
    // And again and again, each time for other things.
    for round in 0..thinned(1_000_000, 5_000) {
        let some = Said::Watch(Watch { entity: vec![u64::from(round)] });
        if bench.run(greedy.try_send(Message::Binary(bytes_of(some).into()))).is_err() {
            break;
        }
    }
    is_served(&mut bench, &mut good, 7.0);
}

#[test]
fn ten_thousand_connections_do_not_disturb_a_page() {
    let mut bench = bench();
    let mut good = bench.run(bench.page());
    let address = bench.host.address();
    let mut idle = std::collections::VecDeque::new();
    for number in 0..10_000_u32 {
        // As many as a process may have without asking for more; the oldest make room.
        if idle.len() >= 400 {
            idle.pop_front();
        }
        idle.push_back(std::net::TcpStream::connect(address).unwrap());
        if number % 2_500 == 0 {
            is_served(&mut bench, &mut good, 20.0 + f64::from(number));
        }
    }
    is_served(&mut bench, &mut good, 8.0);
    drop(idle);
    // Who comes after the crowd is let in, as soon as the host has noticed that it is gone.
    bench.run(async {
        loop {
            if bench.connect(None).await.is_ok() {
                break;
            }
        }
    });
}

/// What lets the host wait: for a request, the rest of one, its body, the next one, or until its
/// answers are read, which are more than lines between two programs hold.
fn ways_to_let_wait(address: SocketAddr) -> [String; 5] {
    let ask = |line: &str| format!("{line} HTTP/1.1\r\nhost: {address}\r\n");
    [
        String::new(),
        "GET / HTTP/1.1\r\nhost: 127.0".to_owned(),
        format!("{}content-length: 1000\r\n\r\nabc", ask("POST /visit")),
        format!("{}\r\n", ask("GET /healthz")),
        format!("{}\r\n", ask("GET /guide/img/teach.png")).repeat(100),
    ]
}

/// Connects, says something and takes next to nothing of the answers.
async fn let_wait(address: SocketAddr, said: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    // The host may have closed it already.
    stream.write_all(said.as_bytes()).await.ok();
    stream
}

#[test]
fn whoever_lets_the_host_wait_keeps_no_newcomer_out() {
    for way in 0..5 {
        // Nobody is closed for taking long.
        let (handshake_timeout, write_timeout) = (100 * PATIENCE, 100 * PATIENCE);
        let limits = HostOptions { max_clients: 2, handshake_timeout, ..HostOptions::default() };
        let mut bench = bench_with(HostOptions { write_timeout, ..limits }, Scene::new());
        let mut good = bench.run(bench.page());
        let address = bench.host.address();
        let said = &ways_to_let_wait(address)[way];
        let mut crowd = Vec::new();
        // At first more than there are places, 2 for pages and 192 for all else, and ever more.
        for more in [200, 10, 10, 10, 10, 10] {
            for _ in 0..more {
                crowd.push(bench.run(let_wait(address, said)));
            }
            let answer = bench.get("/healthz");
            assert!(answer.starts_with("HTTP/1.1 200 "), "{said:.80}: {answer}");
        }
        bench.run(bench.page());
        is_served(&mut bench, &mut good, 9.0);
    }
}

#[test]
fn a_message_that_never_ends_is_ended() {
    let mut bench = bench();
    let mut good = bench.run(bench.page());
    let mut endless = bench.run(bench.page());
    let piece = vec![0; 1024 * 1024];
    let mut sent = 0;
    bench.run(async {
        let first = Frame::message(piece.clone(), OpCode::Data(Data::Binary), false);
        let mut result = endless.try_send(Message::Frame(first)).await;
        while result.is_ok() && sent < 64 {
            let next = Frame::message(piece.clone(), OpCode::Data(Data::Continue), false);
            result = endless.try_send(Message::Frame(next)).await;
            sent += 1;
        }
    });
    assert!(sent < 64, "64 MiB in pieces were taken");
    bench.run(endless.closed());
    is_served(&mut bench, &mut good, 4.0);
}

#[test]
fn a_message_that_claims_a_gibibyte_is_refused_by_its_head() {
    let mut bench = bench();
    let mut good = bench.run(bench.page());
    let mut boaster = bench.run(bench.page());
    // Binary, final, masked, a length of 64 bits, a mask: and not a byte of content.
    let mut head = vec![0x82, 0xff];
    head.extend((1_u64 << 30).to_be_bytes());
    head.extend([1, 2, 3, 4]);
    bench.run(async {
        boaster.stream().write_all(&head).await.unwrap();
        assert_eq!(boaster.closed().await.0, 1009);
    });
    is_served(&mut bench, &mut good, 5.0);
}

/// Messages as pages send them, to be damaged.
fn examples() -> Vec<Vec<u8>> {
    let command = UserCmd { id: "id".into(), description: "Move".into(), ..UserCmd::default() };
    let asked = Some(request::Request::Command(Box::new(command)));
    let said = [
        Said::Request(Request { request_id: 7, request: asked }),
        Said::Watch(Watch { entity: vec![1, 2, 3] }),
    ];
    said.into_iter().map(bytes_of).collect()
}

fn damaged(rng: &mut Rng, examples: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = rng.choice(examples).unwrap().clone();
    match rng.u32(0..4) {
        0 => bytes.truncate(rng.usize(0..bytes.len())),
        1 => (0..rng.usize(1..4)).for_each(|_| {
            let at = rng.usize(0..bytes.len());
            bytes[at] ^= 1 << rng.u32(0..8);
        }),
        2 => bytes.extend((0..rng.usize(1..64)).map(|_| rng.u8(..)).collect::<Vec<_>>()),
        _ => bytes = (0..rng.usize(0..256)).map(|_| rng.u8(..)).collect(),
    }
    bytes
}

#[test]
fn nonsense_harms_only_who_says_it() {
    let (mut bench, mut rng) = (bench(), Rng::with_seed(9));
    let mut good = bench.run(bench.page());
    let examples = examples();
    for round in 0..60 {
        let mut bad = bench.run(bench.page());
        for _ in 0..40 {
            let message = Message::Binary(damaged(&mut rng, &examples).into());
            if bench.run(bad.try_send(message)).is_err() {
                break;
            }
        }
        // What could be read reached the server, which is not there: let go of it.
        bench.requests.try_iter().for_each(drop);
        drop(bad);
        if round % 20 == 0 {
            is_served(&mut bench, &mut good, 10.0 + f64::from(round));
        }
    }
    is_served(&mut bench, &mut good, 99.0);
}
