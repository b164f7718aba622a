//! A server and a GUI in two places, over the network of this machine: what taking paused actions
//! over costs against sending their bytes, and what a running world costs on the wire.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use prost::Message;
use retake_assets::ResourceRoots;
use retake_gui::{BusLink, LinkRequest, ServerLink};
use retake_msgs::{
    EntityRef, MoveEntity, PausedActionsRequest, SerializedStateV, UserCmd, Vector3, WorldControl,
    names, user_cmd,
};
use retake_sim::{
    BusFront, InboxSender, Runner, RunnerHandle, Server, ServerOptions, Simulation,
    SimulationOptions, TimelineLimits, inbox,
};
use retake_transport::{Bus, Name, ZenohBus, typed};
use serde::Serialize;

use super::scenes::falling_boxes;
use super::step::median;
use crate::output::{Outcome, Printer};

/// How long anything may take here.
const PATIENCE: Duration = Duration::from_secs(60);
/// How often the bytes of the actions are sent by themselves.
const TRANSFERS: usize = 9;
/// For how long a running world is listened to.
const LISTEN: Duration = Duration::from_secs(3);
/// A pose as seven numbers of four bytes, sixty times a second.
const BARE_BYTES_PER_BODY: f64 = 28.0 * 60.0;

/// Actions taken over in one resume.
#[derive(Serialize)]
struct TakeOver {
    bodies: u32,
    actions: usize,
    bytes: usize,
    full_state_bytes: usize,
    /// Getting the bytes of the actions from the GUI and nothing else, median.
    transfer_ms: f64,
    /// From the order to play until the world plays.
    resume_ms: f64,
    ratio: f64,
}

/// What a GUI is sent while everything moves.
#[derive(Serialize)]
struct Running {
    bodies: u32,
    messages_per_second: f64,
    bytes_per_second: f64,
    /// Against 28 bytes for each body, 60 times a second.
    ratio: f64,
}

/// Measures both.
pub(super) fn run(
    bodies: u32,
    actions: &[usize],
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let mut taken = Vec::new();
    for count in actions {
        taken.push(take_over(bodies, *count)?);
    }
    let running = listen(bodies)?;
    let value = serde_json::json!({ "take_over": taken, "running": running });
    printer.print(&value, |out| {
        writeln!(out, "Actions of one GUI on {bodies} bodies, taken over when the world goes on:")?;
        let head = ["actions", "bytes", "full state", "bytes alone", "resume", "ratio"];
        let [a, b, c, d, e, f] = head;
        writeln!(out, "{a:>8} {b:>10} {c:>11} {d:>12} {e:>11} {f:>6}")?;
        for row in &taken {
            writeln!(
                out,
                "{:>8} {:>10} {:>11} {:>9.2} ms {:>8.2} ms {:>6.2}",
                row.actions,
                row.bytes,
                row.full_state_bytes,
                row.transfer_ms,
                row.resume_ms,
                row.ratio
            )?;
        }
        writeln!(
            out,
            "Running: {:.1} messages/s, {:.2} MB/s, {:.2} × 28 bytes × {bodies} bodies × 60 Hz",
            running.messages_per_second,
            running.bytes_per_second / 1e6,
            running.ratio
        )
    })?;
    Ok(Outcome::Done)
}

/// A server on the network of this machine.
struct Site {
    runner: RunnerHandle,
    address: std::net::SocketAddrV4,
    world: String,
    _front: BusFront,
    _bus: Arc<dyn Bus>,
    _inbox: InboxSender,
}

impl Site {
    fn start(bodies: u32, paused: bool) -> anyhow::Result<Self> {
        let simulation = Simulation::load(&falling_boxes(bodies), &SimulationOptions::default())?;
        let timeline = TimelineLimits::OFF;
        let options = ServerOptions { paused, timeline, ..ServerOptions::default() };
        let server = Server::new(simulation, &options);
        let world = server.world_name().to_owned();
        let listening = ZenohBus::listen(0)?;
        let address = listening.address();
        let bus: Arc<dyn Bus> = Arc::new(listening);
        let (sender, inbox) = inbox();
        let (front, feed) = BusFront::open(&bus, &world, &sender)?;
        let runner = Runner::new(server, inbox, vec![feed]).guis(front.guis(PATIENCE)).spawn()?;
        Ok(Self { runner, address, world, _front: front, _bus: bus, _inbox: sender })
    }

    fn end(self) -> anyhow::Result<()> {
        self.runner.stop();
        self.runner.join().map(drop).map_err(anyhow::Error::msg)
    }
}

fn take_over(bodies: u32, actions: usize) -> anyhow::Result<TakeOver> {
    let site = Site::start(bodies, true)?;
    let address = site.address;
    let connect = move || {
        let bus = ZenohBus::connect(address).map_err(|error| error.to_string())?;
        Ok(Arc::new(bus) as Arc<dyn Bus>)
    };
    let registry = retake_sim::systems::registry();
    let started = BusLink::start(registry, ResourceRoots::new(), connect);
    let (link, _guard) = started.map_err(anyhow::Error::msg)?;
    wait(|| link.views().borrow().stats.paused)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ask = |request| -> anyhow::Result<()> {
        let reply = runtime.block_on(link.request(request));
        if !reply.ok {
            bail!("{}", reply.message);
        }
        Ok(())
    };
    for number in 0..actions {
        ask(LinkRequest::Command(raise(number, bodies)))?;
    }
    let gui = link.gui().context("the server knows no GUI")?;
    let other = ZenohBus::connect(address)?;
    let (bytes, transfer_ms) = transfer(&other, gui)?;
    let full_state_bytes = link.views().borrow().ecm.encode_full().encoded_len();
    let play = WorldControl { pause: Some(false), ..WorldControl::default() };
    let start = Instant::now();
    ask(LinkRequest::Control(play))?;
    let resume_ms = start.elapsed().as_secs_f64() * 1e3;
    wait(|| link.views().borrow().stats.iterations > 0)?;
    drop(link);
    site.end()?;
    let ratio = resume_ms / transfer_ms;
    Ok(TakeOver { bodies, actions, bytes, full_state_bytes, transfer_ms, resume_ms, ratio })
}

/// Gets the actions of a GUI without doing anything with them.
fn transfer(bus: &ZenohBus, gui: u64) -> anyhow::Result<(usize, f64)> {
    let mut bytes = 0;
    let mut times = Vec::new();
    for _ in 0..TRANSFERS {
        let start = Instant::now();
        let all: SerializedStateV =
            typed::call(bus, &names::gui_actions(gui), &PausedActionsRequest {}, PATIENCE)?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        bytes = all.encoded_len();
    }
    Ok((bytes, median(times)))
}

fn raise(number: usize, bodies: u32) -> UserCmd {
    let entity = EntityRef::named(format!("box_{}", number % bodies as usize));
    let place = number as f64;
    UserCmd {
        id: format!("action-{number}"),
        author: "bench".to_owned(),
        command: Some(user_cmd::Command::MoveEntity(MoveEntity {
            entity: Some(entity),
            position: Some(Vector3 { x: place % 100.0, y: place / 100.0, z: 20.0 }),
            ..MoveEntity::default()
        })),
        ..UserCmd::default()
    }
}

fn listen(bodies: u32) -> anyhow::Result<Running> {
    let site = Site::start(bodies, false)?;
    let bus = ZenohBus::connect(site.address)?;
    let counted = Arc::new((AtomicU64::new(0), AtomicU64::new(0)));
    let theirs = Arc::clone(&counted);
    let _guard = bus.subscribe(
        &Name::new(&names::state_delta(&site.world))?,
        Arc::new(move |message| {
            theirs.0.fetch_add(1, Ordering::Relaxed);
            theirs.1.fetch_add(message.bytes.len() as u64, Ordering::Relaxed);
        }),
    )?;
    wait(|| counted.0.load(Ordering::Relaxed) > 0)?;
    let count =
        || (counted.0.load(Ordering::Relaxed) as f64, counted.1.load(Ordering::Relaxed) as f64);
    let (before, start) = (count(), Instant::now());
    std::thread::sleep(LISTEN);
    let (after, seconds) = (count(), start.elapsed().as_secs_f64());
    site.end()?;
    let bytes_per_second = (after.1 - before.1) / seconds;
    Ok(Running {
        bodies,
        messages_per_second: (after.0 - before.0) / seconds,
        bytes_per_second,
        ratio: bytes_per_second / (BARE_BYTES_PER_BODY * f64::from(bodies)),
    })
}

fn wait(done: impl Fn() -> bool) -> anyhow::Result<()> {
    let start = Instant::now();
    while !done() {
        if start.elapsed() > PATIENCE {
            bail!("nothing happened for {PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(())
}
