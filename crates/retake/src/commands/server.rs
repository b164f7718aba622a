//! `retake server`: a world without a page; the part of `retake run` that simulates.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use retake_components::path_of;
use retake_log::Log;
use retake_math::SimTime;
use retake_msgs::{Findings, WorldControl, WorldSource};
use retake_robots::RobotGateway;
use retake_ros::Bridges;
use retake_sdf::FileFormat;
use retake_sim::{
    BusFront, Event, InboxSender, RealTimeFactor, Recorder, Request, Runner, RunnerHandle, Server,
    ServerOptions, Simulation, SimulationOptions, SystemFailure, SystemWatch, View, ViewSink,
    WhenFull, inbox,
};
use retake_transport::rendezvous::{Announcement, Rendezvous, ServerRecord};
use retake_transport::{Bus, OpenBus, ZenohBus};

use super::reporter::Reporter;
use super::{bridges, record, robots, signals};
use crate::cli::ServerArgs;
use crate::logs::{Files, Instant, Resumed, resume};
use crate::output::{Outcome, remark, shown_number};
use crate::world_file::{self, WorldFile};

/// How often a waiting main thread looks whether it is to end.
const LOOK: Duration = Duration::from_millis(20);

pub(crate) fn run(args: &ServerArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let started = start(args, |_, _| Ok((Vec::new(), None)))?;
    let server = &started.record;
    writeln!(out, "Serving {} on {}", server.world, server.endpoint)?;
    started.tell_bridges(out)?;
    out.flush()?;
    finish(started, args, out)
}

/// A server that runs, with all that keeps it reachable.
pub(super) struct Started {
    pub(super) runner: RunnerHandle,
    pub(super) record: ServerRecord,
    pub(super) announcement: Announcement,
    robots: RobotGateway,
    bridges: Option<Bridges>,
    /// Held until the end: dropping them takes the server off the bus.
    _front: BusFront,
    _bus: Arc<dyn Bus>,
    recorder: Arc<Recorder>,
    /// Held until the end: the world may need them.
    _files: Option<Files>,
    /// The runner ends when nobody can send requests any more, so one sender stays here.
    inbox: InboxSender,
    page: Option<retake_gui::HostGuard>,
    /// What is to be told on the terminal while it runs.
    news: Receiver<String>,
    /// The step that a run of a given length ends with.
    last_step: Option<u64>,
    /// Becomes true when the user wants the end.
    end: Arc<AtomicBool>,
}

/// How long plots may take until they hear what they need.
const PLOTS: Duration = Duration::from_secs(5);

impl Started {
    /// Returns the host of the page, if there is one.
    pub(super) fn page(&self) -> Option<&retake_gui::HostGuard> {
        self.page.as_ref()
    }

    /// Waits until the page's plots hear all that there is to hear.
    pub(super) fn wait_for_plots(&self) {
        let heard = self.page.as_ref().is_none_or(|page| page.wait_for_plots(PLOTS));
        if !heard {
            remark("Some curves of the layout have no values yet");
        }
    }

    /// Tells what people at the terminal should know by now.
    fn tell_news(&self) {
        self.news.try_iter().for_each(remark);
    }

    /// Tells where bridges can be reached.
    pub(super) fn tell_bridges(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let addresses = self.bridges.iter().flat_map(Bridges::addresses);
        addresses.into_iter().try_for_each(|address| writeln!(out, "{address}"))
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

/// Looks at a server that does not run yet.
pub(super) fn first_view(server: &mut Server, recorder: &Recorder) -> View {
    View {
        ecm: server.view(),
        stats: server.statistics(),
        history: Arc::clone(server.history()),
        timeline: server.timeline(),
        pending: Arc::clone(server.pending()),
        recording: recorder.status(),
    }
}

/// Loads a world and starts its server; `page` may add a page to it.
pub(super) fn start(
    args: &ServerArgs,
    page: impl FnOnce(&mut Server, &Surroundings<'_>) -> anyhow::Result<Page>,
) -> anyhow::Result<Started> {
    let (mut server, files) = load(args)?;
    let told = tell_what_was_remarked(&server);
    check_name(server.world_name())?;
    let open = args.bus_open.as_deref().map(OpenBus::read).transpose().context("--bus-open")?;
    let listening = ZenohBus::listen_opened(args.bus_port, open.as_ref())?;
    let endpoint = listening.address();
    let bus: Arc<dyn Bus> = Arc::new(listening);
    let (sender, inbox) = inbox();
    let recorder = record::recorder(&server, &args.record, WhenFull::LeaveOut, Some(&bus));
    let around = Surroundings { inbox: &sender, bus: &bus, recorder: &recorder };
    let (mut sinks, page) = page(&mut server, &around)?;
    let (mut front, feed) = BusFront::open(&bus, server.world_name(), &sender)?;
    front.record(server.world_name(), &recorder)?;
    let robots = robots::gateway(&server, &args.robots, &bus, &sender)?;
    sinks.push(feed);
    let (reporter, news) = Reporter::new(&args.lockstep.lockstep, args.iterations, told);
    sinks.push(Box::new(reporter));
    let first = || first_view(&mut server, &recorder);
    let bridges = bridges::start(&args.bridges, first, &sender)?.map(|(bridges, sink)| {
        sinks.push(sink);
        bridges
    });
    let record = ServerRecord {
        pid: std::process::id(),
        world: server.world_name().to_owned(),
        world_file: server.info().world_file,
        // What a log goes on from is no file that anybody saves into.
        world_path: Some(server.world_source().path.as_str())
            .filter(|path| !path.is_empty())
            .and_then(|path| fs::canonicalize(path).ok())
            // The record is text.
            .filter(|path| path.to_str().is_some()),
        endpoint,
        page: page.as_ref().map(retake_gui::HostGuard::url),
        started_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs()),
    };
    let announcement = announce(&record, args.also)?;
    // Heard before there is a log, which is to be ended whole.
    let end = signals::end_requested()?;
    record::begin(&recorder, &server, &args.record)?;
    let timeout = Duration::from_secs(args.gui_timeout.into());
    let made = server.simulation().clock().iterations;
    let last_step = args.iterations.map(|more| made.saturating_add(more));
    let runner = Runner::new(server, inbox, sinks)
        .guis(front.guis(timeout))
        .recorder(Arc::clone(&recorder))
        .lockstep_timeout(Duration::from_secs_f64(args.lockstep.lockstep_timeout))
        .iterations(args.iterations);
    let runner = runner.spawn()?;
    let (_front, _bus, _files, inbox) = (front, bus, files, sender);
    Ok(Started {
        runner,
        record,
        announcement,
        robots,
        bridges,
        _front,
        _bus,
        recorder,
        _files,
        inbox,
        page,
        news,
        last_step,
        end,
    })
}

/// Refuses a world whose name cannot be a part of its topics' names.
fn check_name(world: &str) -> anyhow::Result<()> {
    if world.contains(['*', '$', '?', '#']) {
        bail!(
            "The world is called {world:?}. None of * $ ? # can be in the name of a world that \
             others talk to: give it another one in its file"
        );
    }
    Ok(())
}

/// Tells on the terminal what the world remarked when it was loaded, and returns it.
fn tell_what_was_remarked(server: &Server) -> BTreeSet<String> {
    let mut told = BTreeSet::new();
    for event in server.simulation().events() {
        if let Event::Notified(notification) = event {
            remark(&notification.text);
            told.insert(notification.text.clone());
        }
    }
    told
}

/// Makes a server known, unless it would share a world file with another one by mistake.
fn announce(record: &ServerRecord, also: bool) -> anyhow::Result<Announcement> {
    let rendezvous = Rendezvous::open()?;
    let announcement = rendezvous.announce(record.clone())?;
    let elder = if also { None } else { rendezvous.elder_on_same_file(record)? };
    match elder {
        None => Ok(announcement),
        Some(elder) => bail!(
            "{} is served by process {} already. End that one, or start this one too with --also: \
             then whoever saves second is refused",
            record.world_file,
            elder.pid
        ),
    }
}

/// Waits for the end, and prints what was asked for.
pub(super) fn finish(
    started: Started,
    args: &ServerArgs,
    out: &mut dyn Write,
) -> anyhow::Result<Outcome> {
    let end = Arc::clone(&started.end);
    while !started.runner.is_finished() && !end.load(Ordering::Relaxed) {
        started.tell_news();
        std::thread::sleep(LOOK);
    }
    // Real robots first: they are to stop, whatever else takes time.
    drop(started.robots);
    drop(started.bridges);
    started.runner.stop();
    wait_for_end(&started.runner)?;
    let news = started.news;
    let server = started.runner.join().map_err(anyhow::Error::msg)?;
    news.try_iter().for_each(remark);
    let recorded = record::tell(&started.recorder);
    drop(started.announcement);
    print_hash(&server, args, out)?;
    let Some(last) = started.last_step else { return Ok(recorded) };
    let made = server.simulation().clock().iterations;
    if made < last && !server.failed() {
        bail!("Ended after step {made} of {last}, as was asked for");
    }
    Ok(outcome_of_run(&server, recorded))
}

/// Says how a run of a given length went, and names the systems that did not see its end.
pub(super) fn outcome_of_run(server: &Server, recorded: Outcome) -> Outcome {
    let ecm = server.simulation().ecm();
    // What waits for a part that is not there goes on as soon as that comes.
    let stopped = ecm.iter::<SystemFailure>().filter(|(_, failure)| !failure.waits);
    let stopped: Vec<String> = stopped.map(|(plugin, _)| path_of(ecm, plugin)).collect();
    if !stopped.is_empty() {
        remark(format!("The run failed: {} stopped before its end", stopped.join(", ")));
    }
    if server.failed() || !stopped.is_empty() { Outcome::Failed } else { recorded }
}

/// Waits until a runner that was told to stop has; one that a system holds up never would.
fn wait_for_end(runner: &RunnerHandle) -> anyhow::Result<()> {
    while !runner.is_finished() {
        if let Some(reason) = runner.held_up() {
            bail!("{reason}. Ended without it");
        }
        std::thread::sleep(LOOK);
    }
    Ok(())
}

/// Makes the server that the arguments describe, and keeps the files that it needs.
pub(super) fn load(args: &ServerArgs) -> anyhow::Result<(Server, Option<Files>)> {
    let Loaded { simulation, name, source, findings, files } = match &args.resume.resume {
        Some(log) => go_on(log, args)?,
        None => {
            let source = world_file::source(args.world.as_deref(), &args.load)?;
            let loaded = world_file::load(args.world.as_deref(), &args.load)?;
            let WorldFile { world, name, findings, format } = loaded;
            let source = WorldSource { other_format: format != FileFormat::Sdf, ..source };
            let simulation = world_file::simulate(&world, args.world.as_deref(), &args.load)?;
            Loaded { simulation, name, source, findings, files: None }
        }
    };
    // A run of a given length is meant to be over soon, unless a pace is asked for.
    let given = args.rtf.map(real_time_factor).transpose()?;
    let pace = given.or_else(|| args.iterations.map(|_| RealTimeFactor::UNBOUNDED));
    let options = ServerOptions {
        paused: args.paused,
        real_time_factor: pace,
        world_file: name,
        source,
        findings,
        undo: args.past.undo(),
        timeline: args.past.timeline(),
        hash_every: args.hash_every,
        run: uuid::Uuid::now_v7().to_string(),
        lockstep: args.lockstep.options(),
    };
    Ok((Server::new(simulation, &options), files))
}

fn real_time_factor(number: f64) -> anyhow::Result<RealTimeFactor> {
    RealTimeFactor::new(number).map_err(|_| {
        let shown = shown_number(number);
        anyhow::anyhow!(
            "--rtf is {shown}; write 0 for as fast as possible, or a number from 0.001 to 1000"
        )
    })
}

/// A world, and where it came from.
struct Loaded {
    simulation: Simulation,
    name: String,
    source: WorldSource,
    findings: Findings,
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
        roots: world_file::roots_around(None, &args.load)?,
        watch: Some(SystemWatch::start("Loading", remark)),
        ..SimulationOptions::default()
    };
    let resumed = resume(&log, at, &options);
    // Also where nothing can be gone on from: it may be the reason.
    log.damage().iter().for_each(remark);
    let Resumed { simulation, notes, files } = resumed?;
    notes.into_iter().for_each(remark);
    let clock = simulation.clock();
    remark(format!("Going on from {} at {}", file.display(), clock.sim_time));
    // There is no file that the world could be saved into.
    let (name, source) = (file.display().to_string(), world_file::source(None, &args.load)?);
    let findings = Findings::default();
    Ok(Loaded { simulation, name, source, findings, files: Some(files) })
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
