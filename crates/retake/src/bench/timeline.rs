//! What the timeline costs: time per step against none, memory, and how long an instant takes.

use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use anyhow::Context;
use retake_math::SimTime;
use retake_msgs::{PastRequest, TimelineInstant};
use retake_sim::{
    Request, Response, Runner, Server, ServerOptions, Simulation, SimulationOptions,
    TimelineLimits, inbox,
};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

use super::scenes::falling_boxes;
use crate::output::{Outcome, Printer};

const BODIES: [u32; 3] = [100, 1_000, 10_000];
/// Steps before anything is measured: the boxes have met by then.
const SETTLE: u32 = 200;
/// Steps that are made with and without a timeline in turn, so that both meet the same machine.
const BLOCK: u32 = 8;
/// Instants that are looked at, as long as that does not take too long.
const LOOKS: usize = 60;
/// Instants that are looked at however long it takes.
const LEAST_LOOKS: usize = 5;
/// Time for looking at one world. An instant between two states of ten thousand bodies takes many
/// seconds, and sixty of them a quarter of an hour.
const LOOK_BUDGET: Duration = Duration::from_secs(60);
/// Most that a timeline should cost, of a step.
const AIM_PERCENT: f64 = 3.0;
const MIB: f64 = 1024.0 * 1024.0;

/// Measures three worlds.
pub(super) fn run(steps: u32, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    for bodies in BODIES {
        // A step takes in proportion to the bodies; a state is kept once in a simulated second.
        let steps = (steps * 100 / bodies).max(1_200_u32.min(steps));
        Costs::measure(bodies, steps)?.print(printer)?;
    }
    Ok(Outcome::Done)
}

struct Costs {
    bodies: u32,
    steps: u32,
    /// CPU seconds of the stepping thread and of the whole process.
    kept: Cpu,
    plain: Cpu,
    bytes: u64,
    keyframes: u32,
    simulated_secs: f64,
    /// Seconds that an instant takes, sorted, and the steps made for them.
    looks: Vec<f64>,
    looked_steps: u64,
}

/// CPU time in seconds.
#[derive(Clone, Copy, Default)]
struct Cpu {
    thread: f64,
    process: f64,
}

impl Cpu {
    fn now() -> Self {
        let secs = |clock| {
            let time = clock_gettime(clock);
            time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9
        };
        Self { thread: secs(ClockId::ThreadCPUTime), process: secs(ClockId::ProcessCPUTime) }
    }

    fn add_since(&mut self, start: Self) {
        let now = Self::now();
        self.thread += now.thread - start.thread;
        self.process += now.process - start.process;
    }
}

impl Costs {
    fn measure(bodies: u32, steps: u32) -> anyhow::Result<Self> {
        let mut kept = server(bodies, TimelineLimits::default())?;
        let mut plain = server(bodies, TimelineLimits::OFF)?;
        kept.squeeze_on_thread();
        let (mut with, mut without) = (Cpu::default(), Cpu::default());
        for _ in 0..steps.div_ceil(BLOCK) {
            for (server, cpu) in [(&mut kept, &mut with), (&mut plain, &mut without)] {
                let start = Cpu::now();
                (0..BLOCK).for_each(|_| server.step());
                cpu.add_since(start);
            }
        }
        drop(plain);
        let simulated_secs = kept.simulation().clock().sim_time.as_secs_f64();
        let timeline = kept.timeline();
        let (bytes, keyframes) = (timeline.bytes, timeline.keyframes);
        let (looks, looked_steps) = look_back(kept, simulated_secs)?;
        let (kept, plain) = (with, without);
        Ok(Self {
            bodies,
            steps,
            kept,
            plain,
            bytes,
            keyframes,
            simulated_secs,
            looks,
            looked_steps,
        })
    }

    fn print(&self, printer: &mut Printer<'_>) -> anyhow::Result<()> {
        let percent = |with: f64, without: f64| (with / without - 1.0) * 100.0;
        let thread = percent(self.kept.thread, self.plain.thread);
        let process = percent(self.kept.process, self.plain.process);
        let step = self.plain.thread / f64::from(self.steps);
        let at = |part: f64| self.looks[((self.looks.len() - 1) as f64 * part) as usize];
        let (p50, p99) = (at(0.5), at(0.99));
        let per_minute = self.bytes as f64 / self.simulated_secs * 60.0;
        let value = json!({
            "bodies": self.bodies, "steps": self.steps, "step_us": step * 1e6,
            "thread_percent": thread, "process_percent": process, "aim_percent": AIM_PERCENT,
            "bytes": self.bytes, "keyframes": self.keyframes,
            "simulated_secs": self.simulated_secs, "bytes_per_minute": per_minute,
            "looks": self.looks.len(), "look_p50_ms": p50 * 1e3, "look_p99_ms": p99 * 1e3,
            "look_p50_steps": p50 / step, "look_p99_steps": p99 / step,
        });
        printer.print(&value, |out| {
            writeln!(
                out,
                "{} bodies, {} steps of {:.0} µs CPU: the timeline costs the step thread {thread:+.1} % \
                 (aim: at most {AIM_PERCENT} %), all threads {process:+.1} %",
                self.bodies, self.steps, step * 1e6
            )?;
            writeln!(
                out,
                "  keeps {} states in {:.1} MiB of {:.1} simulated seconds: {:.1} MiB a minute, less \
                 as they are thinned, 256 MiB at most",
                self.keyframes,
                self.bytes as f64 / MIB,
                self.simulated_secs,
                per_minute / MIB
            )?;
            writeln!(
                out,
                "  an instant is shown in p50 {:.1} ms, p99 {:.1} ms; {:.0} steps are made again for it \
                 ({} instants)",
                p50 * 1e3,
                p99 * 1e3,
                self.looked_steps as f64 / self.looks.len() as f64,
                self.looks.len()
            )
        })
    }
}

fn server(bodies: u32, timeline: TimelineLimits) -> anyhow::Result<Server> {
    let simulation = Simulation::load(&falling_boxes(bodies), &SimulationOptions::default())?;
    let options = ServerOptions { paused: true, timeline, ..ServerOptions::default() };
    let mut server = Server::new(simulation, &options);
    (0..SETTLE).for_each(|_| server.step());
    Ok(server)
}

/// Looks at instants all over the past, through the threads that a page's look passes.
fn look_back(server: Server, simulated_secs: f64) -> anyhow::Result<(Vec<f64>, u64)> {
    let (sender, inbox) = inbox();
    let runner = Runner::new(server, inbox, Vec::new()).spawn()?;
    let mut rng = fastrand::Rng::with_seed(1);
    let (mut times, mut steps) = (Vec::new(), 0);
    let start = Instant::now();
    while times.len() < LEAST_LOOKS || (times.len() < LOOKS && start.elapsed() < LOOK_BUDGET) {
        let at = SimTime::from_secs_f64(rng.f64() * simulated_secs);
        let instant = TimelineInstant { sim_time: Some(at.into()), ..TimelineInstant::default() };
        let request = PastRequest { instant: Some(instant), ..PastRequest::default() };
        let (answer, answered) = channel();
        let began = Instant::now();
        // The bench waits for it, so that somebody is there to take it.
        sender.send(Request::Past(request), Box::new(move |past| drop(answer.send(past))));
        let answered = answered.recv().context("no answer came")?;
        times.push(began.elapsed().as_secs_f64());
        match answered {
            Response::Past(Ok(past)) => steps += past.header().steps,
            other => anyhow::bail!("{}", other.into_reply().message),
        }
    }
    drop(sender);
    runner.stop();
    runner.join().map_err(anyhow::Error::msg)?;
    times.sort_by(f64::total_cmp);
    Ok((times, steps))
}
