//! How costs grow with the world: nothing may grow faster than the number of bodies.
//!
//! What no longer fits into the processor's memory takes longer to reach, whatever is done with it.
//! How much of a growth that alone is, a plain copy of as many bytes tells in the same run.

use std::process::Command;

use anyhow::{Context, bail};
use prost::Message;
use retake_msgs::{ItemsRequest, SetFilter};
use retake_physics::EngineSettings;
use retake_sim::{
    Request, Response, Server, ServerOptions, Simulation, SimulationOptions, TimelineLimits,
};
use serde::{Deserialize, Serialize};

use super::scenes::falling_boxes;
use super::step::{bare_engine, cpu_micros, median};
use crate::output::{Outcome, Printer, write_table};

/// Steps before anything is measured: the boxes have met by then.
const SETTLE: u32 = 200;
/// Values that are watched of each body; one filter holds 65,536 of them.
const ITEMS_PER_BODY: usize = 5;
/// How often what is watched is looked for.
const FINDINGS: usize = 5;
/// A cost for each body that is at most so much greater than in a world of a tenth counts as linear:
/// memory that no longer fits into the processor's takes longer to reach.
const LINEAR: f64 = 1.5;
/// The smallest world whose costs are compared; in smaller ones what each step costs anyway counts
/// for more than the bodies.
const COMPARED_FROM: u32 = 100;

/// Costs of one world; times are CPU time in µs, medians.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Costs {
    bodies: u32,
    /// The library alone.
    bare_us: f64,
    step_us: f64,
    capture_us: f64,
    restore_us: f64,
    /// Telling replicas what one step moved.
    broadcast_us: f64,
    broadcast_bytes: f64,
    /// Sampling five values of each body.
    sampling_us: f64,
    /// Finding them by their names.
    finding_us: f64,
    /// What the process grew by.
    memory_kib: f64,
    keyframe_kib: f64,
    /// Copying as many bytes as a capture does, from one place to another that is there already.
    copy_us: f64,
}

type Column = (&'static str, fn(&Costs) -> f64);

const COLUMNS: [Column; 10] = [
    ("bare Rapier µs", |costs| costs.bare_us),
    ("step µs", |costs| costs.step_us),
    ("capture µs", |costs| costs.capture_us),
    ("restore µs", |costs| costs.restore_us),
    ("broadcast µs", |costs| costs.broadcast_us),
    ("broadcast B", |costs| costs.broadcast_bytes),
    ("sampling µs", |costs| costs.sampling_us),
    ("finding µs", |costs| costs.finding_us),
    ("memory KiB", |costs| costs.memory_kib),
    ("keyframe KiB", |costs| costs.keyframe_kib),
];
/// What the machine's memory alone does; no cost of ours.
const COPY: Column = ("plain copy µs", |costs| costs.copy_us);

/// How a cost of each body grew from one world to the next larger one.
#[derive(Serialize)]
struct Growth {
    what: &'static str,
    bodies: u32,
    per_body: f64,
    /// The same against what a plain copy grew by.
    against_copy: f64,
    linear: bool,
}

/// Measures worlds of so many bodies, each in a process of its own.
pub(super) fn run(bodies: &[u32], printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    if let [one] = bodies {
        let costs = measure((*one).max(1))?;
        printer.print(&costs, |out| table(out, std::slice::from_ref(&costs), &[]))?;
        return Ok(Outcome::Done);
    }
    let all =
        bodies.iter().map(|count| in_a_process(*count)).collect::<anyhow::Result<Vec<_>>>()?;
    let growths: Vec<Growth> = all.windows(2).flat_map(|pair| growth(&pair[0], &pair[1])).collect();
    let worst = |of: fn(&Growth) -> f64| growths.iter().map(of).fold(0.0, f64::max);
    let copies =
        all.windows(2).filter_map(|pair| Some(per_body(COPY, pair.first()?, pair.last()?)));
    let value = serde_json::json!({
        "costs": all, "growth": growths, "aim": LINEAR,
        "worst_growth_per_body": worst(|growth| growth.per_body),
        "worst_growth_against_copy": worst(|growth| growth.against_copy),
        "copy_growth_per_body": copies.fold(0.0, f64::max),
    });
    printer.print(&value, |out| table(out, &all, &growths))?;
    Ok(Outcome::Done)
}

fn table(out: &mut dyn std::io::Write, all: &[Costs], growths: &[Growth]) -> std::io::Result<()> {
    let columns = || COLUMNS.into_iter().chain([COPY]);
    let head = std::iter::once("bodies").chain(columns().map(|(name, _)| name));
    let mut rows = vec![head.map(str::to_owned).collect::<Vec<_>>()];
    for costs in all {
        let cells = columns().map(|(_, of)| format!("{:.1}", of(costs)));
        rows.push(std::iter::once(costs.bodies.to_string()).chain(cells).collect());
    }
    write_table(out, &rows)?;
    for growth in growths.iter().filter(|growth| !growth.linear) {
        let Growth { what, bodies, per_body, against_copy, .. } = growth;
        writeln!(
            out,
            "{what}: at {bodies} bodies each costs {per_body:.2} times what it does in a world of \
             fewer (aim: at most {LINEAR}), {against_copy:.2} times what a plain copy grew by"
        )?;
    }
    Ok(())
}

/// Memory can only be told apart in a process that has done nothing else.
fn in_a_process(bodies: u32) -> anyhow::Result<Costs> {
    let program = std::env::current_exe().context("this program has no file")?;
    let bodies = bodies.to_string();
    let done = Command::new(program)
        .args(["--format", "json", "bench", "scale", "--bodies", &bodies])
        .output()
        .context("this program cannot be started")?;
    if !done.status.success() {
        bail!("{bodies} bodies: {}", String::from_utf8_lossy(&done.stderr).trim());
    }
    serde_json::from_slice(&done.stdout).context("the costs cannot be read")
}

fn growth(small: &Costs, large: &Costs) -> Vec<Growth> {
    if small.bodies < COMPARED_FROM {
        return Vec::new();
    }
    // A copy that became cheaper excuses nothing, and accuses nobody.
    let copy = per_body(COPY, small, large).max(1.0);
    let one = |column: Column| {
        let per_body = per_body(column, small, large);
        let (against_copy, linear) = (per_body / copy, per_body <= LINEAR);
        Growth { what: column.0, bodies: large.bodies, per_body, against_copy, linear }
    };
    COLUMNS.map(one).into()
}

fn per_body((_, of): Column, small: &Costs, large: &Costs) -> f64 {
    of(large) / of(small) * f64::from(small.bodies) / f64::from(large.bodies)
}

fn measure(bodies: u32) -> anyhow::Result<Costs> {
    let empty_kib = resident_kib()?;
    let mut server = server(bodies)?;
    (0..SETTLE).for_each(|_| server.step());
    let memory_kib = resident_kib()? - empty_kib;
    let mut bare = bare_engine(&falling_boxes(bodies), EngineSettings::default())?;
    (0..SETTLE).for_each(|_| bare.step());
    let rounds = (100_000 / bodies).clamp(20, 200);
    let (mut bares, mut steps, mut broadcasts) = (Vec::new(), Vec::new(), Vec::new());
    let mut bytes = Vec::new();
    for _ in 0..rounds {
        bares.push(timed(|| bare.step()).0);
        let before = server.simulation().ecm().tick();
        steps.push(timed(|| server.step()).0);
        let ecm = server.simulation().ecm();
        let (cost, sent) = timed(|| ecm.encode_since(before).encode_to_vec().len());
        broadcasts.push(cost);
        bytes.push(sent as f64);
    }
    let keyframes = Keyframes::measure(bodies, rounds)?;
    let watching = Watching::measure(bodies, rounds)?;
    Ok(Costs {
        bodies,
        bare_us: median(bares),
        step_us: median(steps),
        capture_us: keyframes.capture_us,
        restore_us: keyframes.restore_us,
        broadcast_us: median(broadcasts),
        broadcast_bytes: median(bytes),
        sampling_us: watching.sampling_us,
        finding_us: watching.finding_us,
        memory_kib,
        keyframe_kib: keyframes.kib,
        copy_us: copying(keyframes.engine_bytes, rounds),
    })
}

struct Keyframes {
    capture_us: f64,
    restore_us: f64,
    kib: f64,
    /// Of these a capture makes a copy; entities it shares.
    engine_bytes: usize,
}

impl Keyframes {
    fn measure(bodies: u32, rounds: u32) -> anyhow::Result<Self> {
        let mut simulation = simulation(bodies)?;
        for _ in 0..SETTLE {
            simulation.step()?;
        }
        let keyframe = simulation.capture();
        let engine_bytes = keyframe.engine.bytes();
        let kib = (engine_bytes + keyframe.ecm.bytes()) as f64 / 1024.0;
        let (mut captures, mut restores) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            captures.push(timed(|| simulation.capture()).0);
            simulation.step()?;
            restores.push(timed(|| simulation.restore(&keyframe, "bench")).0);
        }
        Ok(Self { capture_us: median(captures), restore_us: median(restores), kib, engine_bytes })
    }
}

fn copying(bytes: usize, rounds: u32) -> f64 {
    let (source, mut target) = (vec![1_u8; bytes], vec![2_u8; bytes]);
    let copy = |_| timed(|| target.copy_from_slice(std::hint::black_box(&source))).0;
    median((0..rounds).map(copy).collect())
}

/// What watching five values of each body costs.
struct Watching {
    /// What it adds to a step.
    sampling_us: f64,
    /// When it begins, and when something comes or goes.
    finding_us: f64,
}

impl Watching {
    fn measure(bodies: u32, rounds: u32) -> anyhow::Result<Self> {
        let (mut plain, mut watched) = (server(bodies)?, server(bodies)?);
        let answer = watched.handle(Request::Items(ItemsRequest::default()));
        let Response::Items(answer) = answer else { bail!("no items came") };
        let measured = ["acceleration", "force", "torque"];
        let names = answer.list().item.into_iter().map(|item| item.name);
        let names = names.filter(|name| !measured.iter().any(|end| name.ends_with(end)));
        let item: Vec<String> = names.take(bodies as usize * ITEMS_PER_BODY).collect();
        let mut filter = SetFilter { item, ..SetFilter::default() };
        let (mut found, mut added) = (Vec::new(), Vec::new());
        for _ in 0..FINDINGS {
            let request = Request::SetFilter(filter.clone());
            let (cost, reply) = timed(|| watched.handle(request));
            let Response::Filter(reply) = reply else { bail!("no filter came") };
            anyhow::ensure!(reply.ok, "{}", reply.message);
            filter.filter_id = reply.filter_id;
            found.push(cost);
        }
        for _ in 0..rounds {
            let (without, ()) = timed(|| plain.step());
            let (with, _) = timed(|| {
                watched.step();
                watched.drain_samples()
            });
            added.push(with - without);
        }
        Ok(Self { sampling_us: median(added), finding_us: median(found) })
    }
}

fn simulation(bodies: u32) -> anyhow::Result<Simulation> {
    Ok(Simulation::load(&falling_boxes(bodies), &SimulationOptions::default())?)
}

fn server(bodies: u32) -> anyhow::Result<Server> {
    // The timeline has a bench of its own.
    let options = ServerOptions { timeline: TimelineLimits::OFF, ..ServerOptions::default() };
    Ok(Server::new(simulation(bodies)?, &options))
}

/// Returns what something cost in µs of CPU time, and what came of it.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = cpu_micros();
    let made = std::hint::black_box(work());
    (cpu_micros() - start, made)
}

fn resident_kib() -> anyhow::Result<f64> {
    super::keyframe::resident_kib()
        .map(|kib| kib as f64)
        .context("this system does not tell how much memory a process has")
}
