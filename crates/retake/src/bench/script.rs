//! Cost of a script in each step: the driver of the cones world in Luau and in Rust, in one run.

use anyhow::Context;
use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_msgs::{EntityRef, ReloadScript, UserCmd, user_cmd};
use retake_sim::{Simulation, SimulationOptions};
use serde::Serialize;

use super::step::{cpu_micros, median};
use crate::output::{Outcome, Printer};

/// Steps that are timed together.
const BLOCK: u32 = 20;
const COURSE: &str = include_str!("../../../../worlds/scripts/course.luau");
/// Does nothing, so that only calling it costs.
const EMPTY: &str = "function step(state, api) end";

const PARAMETERS: &str = "<waypoint>1000 10</waypoint><waypoint>0 0</waypoint><speed>1</speed>
    <turn_gain>3</turn_gain><max_turn>2</max_turn><reach>0.3</reach><repeat>true</repeat>";

/// What came of it, for one plugin and one step.
#[derive(Serialize)]
struct Cost {
    plugins: u32,
    steps: u32,
    rust_us: f64,
    luau_us: f64,
    empty_luau_us: f64,
    luau_over_rust: f64,
    new_machine_us: f64,
}

/// Measures.
pub(super) fn run(plugins: u32, steps: u32, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    let mut bare = load(plugins, "", "")?;
    let native =
        format!("<plugin name='retake::CourseDriver' filename='retake'>{PARAMETERS}</plugin>");
    let mut native = load(plugins, &native, "")?;
    let script = format!(
        "<plugin name='course' filename='retake-script'><script>c.luau</script>{PARAMETERS}</plugin>"
    );
    let mut scripted = load(plugins, &script, COURSE)?;
    let mut empty = load(plugins, &script, EMPTY)?;
    let mut blocks: Vec<[f64; 4]> = Vec::new();
    for _ in 0..steps.div_ceil(BLOCK).max(1) {
        let mut block = [0.0; 4];
        // In turn, so that what else the machine does falls on all.
        for (time, simulation) in
            block.iter_mut().zip([&mut bare, &mut native, &mut scripted, &mut empty])
        {
            let start = cpu_micros();
            for _ in 0..BLOCK {
                simulation.step()?;
            }
            *time = (cpu_micros() - start) / f64::from(BLOCK * plugins);
        }
        blocks.push(block);
    }
    let over_bare = |at: usize| median(blocks.iter().map(|block| block[at] - block[0]).collect());
    let cost = Cost {
        plugins,
        steps,
        rust_us: over_bare(1),
        luau_us: over_bare(2),
        empty_luau_us: over_bare(3),
        luau_over_rust: over_bare(2) / over_bare(1),
        new_machine_us: new_machine(&mut scripted, plugins),
    };
    printer.print(&cost, |out| {
        writeln!(out, "CPU time for each plugin and step in µs, medians over {steps} steps of {plugins} drivers")?;
        writeln!(out, "in Rust             {:>8.2}", cost.rust_us)?;
        writeln!(out, "in Luau             {:>8.2}", cost.luau_us)?;
        writeln!(out, "empty step in Luau  {:>8.2}", cost.empty_luau_us)?;
        writeln!(out, "Luau over Rust      {:>8.1}", cost.luau_over_rust)?;
        writeln!(out, "made anew at a jump {:>8.1}", cost.new_machine_us)
    })?;
    Ok(Outcome::Done)
}

/// Jumps in time, which makes every virtual machine anew; returns µs for each.
fn new_machine(scripted: &mut Simulation, plugins: u32) -> f64 {
    let keyframe = scripted.capture();
    let times = (0..11).map(|_| {
        let start = cpu_micros();
        scripted.restore(&keyframe, "bench");
        (cpu_micros() - start) / f64::from(plugins)
    });
    median(times.collect())
}

fn load(count: u32, plugin: &str, text: &str) -> anyhow::Result<Simulation> {
    let model = |index| {
        format!("<model name='m{index}'><static>true</static><link name='l'/>{plugin}</model>")
    };
    let models: String = (0..count).map(model).collect();
    let sdf = format!("<sdf version='1.11'><world name='bench'>{models}</world></sdf>");
    let mut found = Diagnostics::new();
    let world = retake_sdf::parse_world(&sdf, "bench.sdf", &ResourceRoots::new(), &mut found);
    let world = world.context("the world of the bench cannot be read")?;
    let mut simulation = Simulation::load(&world, &SimulationOptions::default())?;
    for index in (0..count).filter(|_| !text.is_empty()) {
        let plugin = Some(EntityRef::named(format!("m{index}::course")));
        let reload = ReloadScript { plugin, text: Some(text.to_owned()), restart: false };
        let command = Some(user_cmd::Command::ReloadScript(reload));
        let reply = simulation.execute(&UserCmd { command, ..UserCmd::default() });
        anyhow::ensure!(reply.ok, "{}", reply.message);
    }
    Ok(simulation)
}
