//! Cost of watching: sampling items in each step, against copying the same bytes and against the
//! step itself.

use retake_introspection::FilterSample;
use retake_msgs::{ItemsRequest, RemoveFilter, SetFilter};
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
    let mut worlds = [load()?, load()?];
    let names = names_of(&mut worlds[0], items);
    let watched_items = names.len();
    let (mut steps_us, mut added_us, mut sample) =
        (Vec::new(), [const { Vec::new() }; 4], Vec::new());
    for block in 0..steps.div_ceil(BLOCK).max(4) as usize {
        // Whoever comes second finds the processor's memory full of the other's.
        let plain_first = block % 4 < 2;
        let (plain_us, both_us) = times_of(&mut worlds, &names, plain_first, &mut sample);
        steps_us.push(plain_us);
        added_us[block % 4].push(both_us - plain_us);
        // Both are the same bit by bit, so that what differs is the sampling, and where each happens
        // to lie in memory. The latter goes out of the sum as each is watched in turn.
        worlds.swap(0, 1);
    }
    let per_step = |values: Vec<f64>| median(values) / f64::from(BLOCK);
    let step_us = per_step(steps_us);
    let sampling_us = added_us.map(per_step).iter().sum::<f64>() / 4.0;
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

/// Times a block of steps of a world, and one of another that is watched.
fn times_of(
    [plain, watched]: &mut [Server; 2],
    names: &[String],
    plain_first: bool,
    sample: &mut Vec<FilterSample>,
) -> (f64, f64) {
    let filter = SetFilter { item: names.to_vec(), ..SetFilter::default() };
    let made = watched.handle(Request::SetFilter(filter));
    let mut look = || {
        watched.step();
        *sample = watched.drain_samples();
    };
    // What it takes to begin counts for neither.
    look();
    plain.step();
    let (plain_us, watched_us) = match plain_first {
        true => (time_of(|| plain.step()), time_of(&mut look)),
        false => {
            let watched_us = time_of(&mut look);
            (time_of(|| plain.step()), watched_us)
        }
    };
    if let Response::Filter(filter) = made {
        watched.handle(Request::RemoveFilter(RemoveFilter { filter_id: filter.filter_id }));
    }
    (plain_us, watched_us)
}

/// Times a block of steps.
fn time_of(mut step: impl FnMut()) -> f64 {
    let start = cpu_micros();
    (0..BLOCK).for_each(|_| step());
    cpu_micros() - start
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
