//! `retake server`: a world without a page; the part of `retake run` that simulates.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use retake_log::Log;
use retake_math::SimTime;
use retake_msgs::{WorldControl, WorldSource};
use retake_robots::RobotGateway;
use retake_sim::{
    BusFront, InboxSender, RealTimeFactor, Recorder, Request, Runner, RunnerHandle, Server,
    ServerOptions, Simulation, SimulationOptions, UndoLimits, ViewSink, WhenFull, inbox,
};
use retake_transport::rendezvous::{Announcement, Rendezvous, ServerRecord};
use retake_transport::{Bus, ZenohBus};

use super::{record, robots, signals};
use crate::cli::ServerArgs;
use crate::logs::{Files, Instant, Resumed, resume};
use crate::output::{Outcome, remark};
use crate::world_file;

/// How often a waiting main thread looks whether it is to end.
const LOOK: Duration = Duration::from_millis(20);

pub(crate) fn run(args: &ServerArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let started = start(args, |_, _| Ok((Vec::new(), None)))?;
    let server = &started.record;
    writeln!(out, "Serving {} on {}", server.world, server.endpoint)?;
    out.flush()?;
    finish(started, args, out)
}

/// A server that runs, with all that keeps it reachable.
pub(super) struct Started {
    pub(super) runner: RunnerHandle,
    pub(super) record: ServerRecord,
    pub(super) announcement: Announcement,
    robots: RobotGateway,
    /// Held until the end: dropping them takes the server off the bus.
    _front: BusFront,
    _bus: Arc<dyn Bus>,
    recorder: Arc<Recorder>,
    /// Held until the end: the world may need them.
    _files: Option<Files>,
    /// The runner ends when nobody can send requests any more, so one sender stays here.
    inbox: InboxSender,
    page: Option<retake_gui::HostGuard>,
}

/// How long plots may take until they hear what they need.
const PLOTS: Duration = Duration::from_secs(5);

impl Started {
    /// Waits until the page's plots hear all that there is to hear.
    pub(super) fn wait_for_plots(&self) {
        let heard = self.page.as_ref().is_none_or(|page| page.wait_for_plots(PLOTS));
        if !heard {
            remark("Some curves of the layout have no values yet");
        }
    }

    /// Lets time pass.
    pub(super) fn play(&self) {
        let play = WorldControl { pause: Some(false), ..WorldControl::default() };
        // The runner is there, and needs no reply to be waited for.
        self.inbox.send(Request::Control(play), Box::new(|_| {}));
    }
}

/// What there is around a server that is about to run.
pub(super) struct Surroundings<'a> {
    pub(super) inbox: &'a InboxSender,
    pub(super) bus: &'a Arc<dyn Bus>,
    pub(super) recorder: &'a Arc<Recorder>,
}

/// What else is fed by the runner, and the page that it is for.
pub(super) type Page = (Vec<Box<dyn ViewSink>>, Option<retake_gui::HostGuard>);

/// Loads a world and starts its server; `page` may add a page to it.
pub(super) fn start(
    args: &ServerArgs,
    page: impl FnOnce(&mut Server, &Surroundings<'_>) -> anyhow::Result<Page>,
) -> anyhow::Result<Started> {
    let (mut server, files) = load(args)?;
    let listening = ZenohBus::listen(args.bus_port)?;
    let endpoint = listening.address();
    let bus: Arc<dyn Bus> = Arc::new(listening);
    let (sender, inbox) = inbox();
    let recorder = record::recorder(&server, &args.record, WhenFull::LeaveOut, Some(&bus))?;
    let around = Surroundings { inbox: &sender, bus: &bus, recorder: &recorder };
    let (mut sinks, page) = page(&mut server, &around)?;
    let (mut front, feed) = BusFront::open(&bus, server.world_name(), &sender)?;
    front.record(server.world_name(), &recorder)?;
    let robots = robots::gateway(&server, &args.robots, &bus, &sender)?;
    sinks.push(feed);
    let record = ServerRecord {
        pid: std::process::id(),
        world: server.world_name().to_owned(),
        world_file: server.info().world_file,
        endpoint,
        page: page.as_ref().map(|page| format!("http://{}/", page.address())),
        started_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs()),
    };
    let announcement = Rendezvous::open()?.announce(record.clone())?;
    let timeout = Duration::from_secs(args.gui_timeout.into());
    let runner = Runner::new(server, inbox, sinks)
        .guis(front.guis(timeout))
        .recorder(Arc::clone(&recorder))
        .iterations(args.iterations);
    let runner = runner.spawn()?;
    let (_front, _bus, _files, inbox) = (front, bus, files, sender);
    Ok(Started {
        runner,
        record,
        announcement,
        robots,
        _front,
        _bus,
        recorder,
        _files,
        inbox,
        page,
    })
}

/// Waits for the end, and prints what was asked for.
pub(super) fn finish(
    started: Started,
    args: &ServerArgs,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let end = signals::end_requested()?;
    while !started.runner.is_finished() && !end.load(Ordering::Relaxed) {
        std::thread::sleep(LOOK);
    }
    // Real robots first: they are to stop, whatever else takes time.
    drop(started.robots);
    started.runner.stop();
    let server = started.runner.join().map_err(anyhow::Error::msg)?;
    let recorded = record::tell(&started.recorder);
    drop(started.announcement);
    print_hash(&server, args, out)?;
    Ok(if args.iterations.is_some() && server.failed() { Outcome::Failed } else { recorded })
}

/// Makes the server that the arguments describe, and keeps the files that it needs.
pub(super) fn load(args: &ServerArgs) -> anyhow::Result<(Server, Option<Files>)> {
    let Loaded { simulation, name, source, files } = match &args.resume.resume {
        Some(log) => go_on(log, args)?,
        None => {
            let source = world_file::source(args.world.as_deref(), &args.load)?;
            let (world, name) = world_file::load(args.world.as_deref(), &args.load)?;
            let simulation = world_file::simulate(&world, args.world.as_deref(), &args.load)?;
            Loaded { simulation, name, source, files: None }
        }
    };
    // A run of a given length is meant to be over soon, unless a pace is asked for.
    let given = args.rtf.map(RealTimeFactor::new).transpose().context("--rtf")?;
    let pace = given.or_else(|| args.iterations.map(|_| RealTimeFactor::UNBOUNDED));
    let undo = UndoLimits {
        enabled: !args.no_undo,
        max_steps: args.undo_steps,
        max_bytes: u64::from(args.undo_memory) * 1024 * 1024,
    };
    let options = ServerOptions {
        paused: args.paused,
        real_time_factor: pace,
        world_file: name,
        source,
        undo,
        hash_every: args.hash_every,
        run: uuid::Uuid::now_v7().to_string(),
    };
    Ok((Server::new(simulation, &options), files))
}

/// A world, and where it came from.
struct Loaded {
    simulation: Simulation,
    name: String,
    source: WorldSource,
    /// Unpacked from a log; kept for as long as the world is there.
    files: Option<Files>,
}

/// Goes on from an instant of a log.
fn go_on(file: &Path, args: &ServerArgs) -> anyhow::Result<Loaded> {
    let log = Arc::new(Log::open(file)?);
    let at = args.resume.at.map(|secs| Instant {
        sim_time: SimTime::from_secs_f64(secs),
        pass: args.resume.pass as usize - 1,
    });
    let options = SimulationOptions {
        worker_threads: args.load.threads,
        roots: world_file::roots(&args.load.resource_path)?,
        ..SimulationOptions::default()
    };
    let Resumed { simulation, notes, files } = resume(&log, at, &options)?;
    notes.into_iter().for_each(remark);
    let clock = simulation.clock();
    remark(format!("Going on from {} at {}", file.display(), clock.sim_time));
    // There is no file that the world could be saved into.
    let (name, source) = (file.display().to_string(), WorldSource::default());
    Ok(Loaded { simulation, name, source, files: Some(files) })
}

pub(super) fn print_hash(
    server: &Server,
    args: &ServerArgs,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    if args.hash {
        let hash = server.simulation().hash().context("No state hash")?;
        writeln!(out, "{hash}")?;
    }
    Ok(())
}
