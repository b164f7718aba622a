//! `retake server`: a world without a page; the part of `retake run` that simulates.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::Context;
use retake_msgs::WorldControl;
use retake_sim::{
    BusFront, InboxSender, RealTimeFactor, Request, Runner, RunnerHandle, Server, ServerOptions,
    UndoLimits, ViewSink, inbox,
};
use retake_transport::rendezvous::{Announcement, Rendezvous, ServerRecord};
use retake_transport::{Bus, ZenohBus};

use super::signals;
use crate::cli::ServerArgs;
use crate::output::{Outcome, remark};
use crate::world_file;

/// How often a waiting main thread looks whether it is to end.
const LOOK: Duration = Duration::from_millis(20);

pub(crate) fn run(args: &ServerArgs, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let started = start(args, |_, _, _| Ok((Vec::new(), None)))?;
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
    /// Held until the end: dropping them takes the server off the bus.
    _front: BusFront,
    _bus: Arc<dyn Bus>,
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

/// What else is fed by the runner, and the page that it is for.
pub(super) type Page = (Vec<Box<dyn ViewSink>>, Option<retake_gui::HostGuard>);

/// Loads a world and starts its server; `page` may add a page to it.
pub(super) fn start(
    args: &ServerArgs,
    page: impl FnOnce(&mut Server, &InboxSender, &Arc<dyn Bus>) -> anyhow::Result<Page>,
) -> anyhow::Result<Started> {
    let mut server = load(args)?;
    let listening = ZenohBus::listen(args.bus_port)?;
    let endpoint = listening.address();
    let bus: Arc<dyn Bus> = Arc::new(listening);
    let (sender, inbox) = inbox();
    let (mut sinks, page) = page(&mut server, &sender, &bus)?;
    let (front, feed) = BusFront::open(&bus, server.world_name(), &sender)?;
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
    let runner =
        Runner::new(server, inbox, sinks).guis(front.guis(timeout)).iterations(args.iterations);
    let runner = runner.spawn()?;
    Ok(Started { runner, record, announcement, _front: front, _bus: bus, inbox: sender, page })
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
    started.runner.stop();
    let server = started.runner.join().map_err(anyhow::Error::msg)?;
    drop(started.announcement);
    print_hash(&server, args, out)?;
    Ok(if args.iterations.is_some() && server.failed() { Outcome::Failed } else { Outcome::Done })
}

/// Makes the server that the arguments describe.
pub(super) fn load(args: &ServerArgs) -> anyhow::Result<Server> {
    let source = world_file::source(args.world.as_deref(), &args.load)?;
    let (world, name) = world_file::load(args.world.as_deref(), &args.load)?;
    let simulation = world_file::simulate(&world, args.world.as_deref(), &args.load)?;
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
    Ok(Server::new(simulation, &options))
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
