//! What keyframes cost: against a plain copy of their bytes, and against one step.

use std::hint::black_box;
use std::time::Instant;

use retake_msgs::{EntityRef, MoveEntity, UndoRedo, UserCmd, Vector3, user_cmd};
use retake_sim::{Request, Server, ServerOptions, Simulation, SimulationOptions, TimelineLimits};
use serde_json::json;

use super::scenes::falling_boxes;
use crate::output::{Outcome, Printer};

const BODIES: [u32; 3] = [100, 1_000, 10_000];
/// Steps before the first measurement: the boxes have met by then.
const SETTLE: u32 = 200;
/// Bodies of the cycles of undo and redo.
const CYCLE_BODIES: u32 = 100;
/// Times of as many operations are compared, at the start and at the end.
const PART: usize = 500;

/// Measures keyframes of three worlds, then many cycles of undo and redo.
pub(super) fn run(cycles: u32, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    for bodies in BODIES {
        Costs::measure(bodies)?.print(printer)?;
    }
    print_cycles(cycles, printer)?;
    Ok(Outcome::Done)
}

/// Times in seconds and sizes in bytes.
struct Costs {
    bodies: u32,
    capture: Spread,
    restore: Spread,
    copy: Spread,
    step: Spread,
    bytes: usize,
    /// Bytes of entities beyond a keyframe after which 1 % of them moved.
    changed_bytes: usize,
    entity_bytes: usize,
}

struct Spread {
    p50: f64,
    p99: f64,
}

impl Costs {
    fn measure(bodies: u32) -> anyhow::Result<Self> {
        let mut simulation = load(bodies)?;
        for _ in 0..SETTLE {
            simulation.step()?;
        }
        let rounds = (200_000 / bodies).clamp(30, 300) as usize;
        let keyframe = simulation.capture();
        let entity_bytes = keyframe.ecm.bytes();
        let bytes = keyframe.engine.bytes() + entity_bytes;
        let capture = timed(rounds, || simulation.capture());
        let source = vec![1_u8; bytes];
        let copy = timed(rounds, || black_box(&source).clone());
        // Steps between, so that every restore has something to put back.
        let (mut restores, mut steps) = (Vec::new(), Vec::new());
        for _ in 0..rounds.min(60) {
            let began = Instant::now();
            simulation.step()?;
            steps.push(began.elapsed().as_secs_f64());
            let began = Instant::now();
            simulation.restore(&keyframe, "bench");
            restores.push(began.elapsed().as_secs_f64());
        }
        let changed_bytes = changed(&mut simulation, bodies)?;
        Ok(Self {
            bodies,
            capture,
            restore: Spread::of(restores),
            copy,
            step: Spread::of(steps),
            bytes,
            changed_bytes,
            entity_bytes,
        })
    }

    fn print(&self, printer: &mut Printer<'_>) -> anyhow::Result<()> {
        let us = |secs: f64| secs * 1e6;
        let value = json!({
            "bodies": self.bodies,
            "capture_p50_us": us(self.capture.p50), "capture_p99_us": us(self.capture.p99),
            "restore_p50_us": us(self.restore.p50), "restore_p99_us": us(self.restore.p99),
            "copy_p50_us": us(self.copy.p50), "step_p50_us": us(self.step.p50),
            "capture_steps": self.capture.p50 / self.step.p50,
            "restore_steps": self.restore.p50 / self.step.p50,
            "capture_copies": self.capture.p50 / self.copy.p50,
            "restore_copies": self.restore.p50 / self.copy.p50,
            "bytes": self.bytes, "entity_bytes": self.entity_bytes,
            "entity_bytes_after_1_percent": self.changed_bytes,
        });
        let row = |name: &str, spread: &Spread| {
            format!(
                "  {name:8} p50 {:9.1} µs  p99 {:9.1} µs  {:6.2} × a copy  {:5.2} × a step",
                us(spread.p50),
                us(spread.p99),
                spread.p50 / self.copy.p50,
                spread.p50 / self.step.p50,
            )
        };
        printer.print(&value, |out| {
            writeln!(
                out,
                "{} bodies: {} KiB, of which entities {} KiB, {} KiB of them after 1 % moved",
                self.bodies,
                self.bytes / 1024,
                self.entity_bytes / 1024,
                self.changed_bytes / 1024
            )?;
            writeln!(out, "{}", row("capture", &self.capture))?;
            writeln!(out, "{}", row("restore", &self.restore))?;
            writeln!(out, "{}", row("copy", &self.copy))?;
            writeln!(out, "{}", row("step", &self.step))
        })
    }
}

impl Spread {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
        Self { p50: at(0.5), p99: at(0.99) }
    }
}

fn load(bodies: u32) -> anyhow::Result<Simulation> {
    Ok(Simulation::load(&falling_boxes(bodies), &SimulationOptions::default())?)
}

fn timed<T>(rounds: usize, mut work: impl FnMut() -> T) -> Spread {
    let mut times = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let began = Instant::now();
        let made = black_box(work());
        times.push(began.elapsed().as_secs_f64());
        // Letting go is not part of making.
        drop(made);
    }
    Spread::of(times)
}

/// Moves one body in a hundred and returns the bytes of entities that a new keyframe adds.
fn changed(simulation: &mut Simulation, bodies: u32) -> anyhow::Result<usize> {
    let before = simulation.capture();
    for index in 0..bodies / 100 {
        let reply = simulation.execute(&raise(index * 100, String::new(), 30.0));
        anyhow::ensure!(reply.ok, "{}", reply.message);
    }
    Ok(simulation.capture().ecm.bytes_beyond(&before.ecm))
}

fn raise(index: u32, id: String, z: f64) -> UserCmd {
    let command = user_cmd::Command::MoveEntity(MoveEntity {
        entity: Some(EntityRef::named(format!("box_{index}"))),
        position: Some(Vector3 { x: 0.0, y: 0.0, z }),
        ..MoveEntity::default()
    });
    UserCmd { id, command: Some(command), ..UserCmd::default() }
}

/// Undoes and redoes one command over and over: the last must cost what the first did.
fn print_cycles(cycles: u32, printer: &mut Printer<'_>) -> anyhow::Result<()> {
    // The history alone is measured; the timeline has a bench of its own.
    let timeline = TimelineLimits::OFF;
    let options = ServerOptions { timeline, ..ServerOptions::default() };
    let mut server = Server::new(load(CYCLE_BODIES)?, &options);
    for _ in 0..SETTLE {
        server.step();
    }
    let command = Request::Command(Box::new(raise(0, "moved".to_owned(), 9.0)));
    let reply = server.handle(command).into_reply();
    anyhow::ensure!(reply.ok, "{}", reply.message);
    let (mut times, mut memory) = (Vec::new(), None);
    for cycle in 0..cycles as usize {
        let began = Instant::now();
        for undo in [true, false] {
            let request = UndoRedo { id: "moved".to_owned(), undo, ..UndoRedo::default() };
            let reply = server.handle(Request::UndoRedo(request)).into_reply();
            anyhow::ensure!(reply.ok, "{}", reply.message);
            server.drain_events();
        }
        times.push(began.elapsed().as_secs_f64());
        if cycle == PART {
            memory = resident_kib();
        }
    }
    let part = PART.min(times.len());
    anyhow::ensure!(part > 0, "--cycles must be 1 or more");
    let first = Spread::of(times[..part].to_vec()).p50;
    let last = Spread::of(times[times.len() - part..].to_vec()).p50;
    let grown = resident_kib().zip(memory).map(|(now, then)| now as i64 - then as i64);
    let value = json!({
        "cycles": cycles, "first_us": first * 1e6, "last_us": last * 1e6,
        "ratio": last / first, "memory_grown_kib": grown,
    });
    printer.print(&value, |out| {
        let grown = grown.map_or("unknown".to_owned(), |grown| format!("{grown} KiB"));
        writeln!(
            out,
            "{cycles} cycles of undo and redo, {CYCLE_BODIES} bodies: first {:.1} µs, last {:.1} µs, \
             ratio {:.2}, memory grown {grown}",
            first * 1e6,
            last * 1e6,
            last / first
        )
    })
}

/// Memory of this process, where the system tells.
pub(super) fn resident_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
