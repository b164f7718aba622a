//! Cost of watching: sampling items in each step, against copying the same bytes and against the
//! step itself.

use retake_msgs::{ItemsRequest, SetFilter};
use retake_sim::{
    Request, Response, Server, ServerOptions, Simulation, SimulationOptions, TimelineLimits,
};
use serde::Serialize;

use super::scenes;
use super::step::{cpu_micros, median};
use crate::output::{Outcome, Printer};

/// Greatest share of a step that sampling should take.
const AIM_SHARE: f64 = 0.05;
/// Steps that are timed together.
const BLOCK: u32 = 10;

/// What came of it.
#[derive(Serialize)]
struct Cost {
    bodies: u32,
    items: usize,
    numbers: usize,
    step_us: f64,
    sampling_us: f64,
    share_of_step: f64,
    aim_share: f64,
    copy_us: f64,
    sampling_to_copy: f64,
    ns_per_item: f64,
}

/// Measures a world of boxes with so many items watched.
pub(super) fn run(
    bodies: u32,
    items: usize,
    steps: u32,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let cost = measure(bodies, items, steps)?;
    printer.print(&cost, |out| {
        let Cost { step_us, sampling_us, copy_us, .. } = cost;
        writeln!(out, "{bodies} bodies, {} items, {} numbers", cost.items, cost.numbers)?;
        writeln!(out, "CPU time per step in µs, medians over {steps} steps of 1 ms")?;
        writeln!(out, "step without watching   {step_us:>10.1}")?;
        writeln!(out, "sampling                {sampling_us:>10.1}")?;
        writeln!(out, "copying the same bytes  {copy_us:>10.1}")?;
        writeln!(out, "share of a step         {:>10.4}  (aim: {AIM_SHARE})", cost.share_of_step)?;
        writeln!(out, "sampling / copying      {:>10.1}", cost.sampling_to_copy)?;
        writeln!(out, "ns for each item        {:>10.1}", cost.ns_per_item)
    })?;
    Ok(Outcome::Done)
}

fn measure(bodies: u32, items: usize, steps: u32) -> anyhow::Result<Cost> {
    let world = scenes::falling_boxes(bodies);
    let load = || -> anyhow::Result<Server> {
        let simulation = Simulation::load(&world, &SimulationOptions::default())?;
        // What is measured here is not the timeline.
        let timeline = TimelineLimits::OFF;
        let options = ServerOptions { timeline, ..ServerOptions::default() };
        Ok(Server::new(simulation, &options))
    };
    let (mut plain, mut watched) = (load()?, load()?);
    let names = names_of(&mut watched, items);
    let watched_items = names.len();
    watched.handle(Request::SetFilter(SetFilter { item: names, ..SetFilter::default() }));
    let mut blocks: Vec<(f64, f64)> = Vec::new();
    let mut sample = Vec::new();
    for _ in 0..steps.div_ceil(BLOCK).max(1) {
        let start = cpu_micros();
        (0..BLOCK).for_each(|_| plain.step());
        let middle = cpu_micros();
        for _ in 0..BLOCK {
            watched.step();
            sample = watched.drain_samples();
        }
        blocks.push((middle - start, cpu_micros() - middle));
    }
    let per_step = |values: Vec<f64>| median(values) / f64::from(BLOCK);
    let step_us = per_step(blocks.iter().map(|block| block.0).collect());
    // Both worlds are the same bit by bit, so that what differs in each block is the sampling.
    let sampling_us = per_step(blocks.iter().map(|(plain, both)| both - plain).collect());
    let numbers = sample.first().map(|sample| sample.sample.value.clone()).unwrap_or_default();
    let copy_us = copying(&numbers);
    Ok(Cost {
        bodies,
        items: watched_items,
        numbers: numbers.len(),
        step_us,
        sampling_us,
        share_of_step: sampling_us / step_us,
        aim_share: AIM_SHARE,
        copy_us,
        sampling_to_copy: sampling_us / copy_us,
        ns_per_item: sampling_us * 1000.0 / watched_items.max(1) as f64,
    })
}

/// Takes items in the order of their names, those that the engine must measure left out.
fn names_of(server: &mut Server, count: usize) -> Vec<String> {
    let Response::Items(answer) = server.handle(Request::Items(ItemsRequest::default())) else {
        return Vec::new();
    };
    let measured = ["acceleration", "force", "torque"];
    let names = answer.list().item.into_iter().map(|item| item.name);
    names.filter(|name| !measured.iter().any(|end| name.ends_with(end))).take(count).collect()
}

fn copying(numbers: &[f64]) -> f64 {
    const TIMES: u32 = 200;
    let mut copies = Vec::new();
    for _ in 0..TIMES {
        let start = cpu_micros();
        let copy = std::hint::black_box(numbers).to_vec();
        std::hint::black_box(&copy);
        copies.push(cpu_micros() - start);
    }
    median(copies)
}
