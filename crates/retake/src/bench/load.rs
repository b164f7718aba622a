//! Load time of worlds with ever more shapes, and of any file that is named.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, bail};
use retake_assets::ResourceRoots;
use retake_diag::Diagnostics;
use retake_sdf::{LoadOptions, load_file, parse_world};
use serde_json::json;

use super::step::cpu_micros;
use crate::output::{Outcome, Printer};
use crate::world_file;

/// How many shapes the worlds have.
const COUNTS: [usize; 3] = [1_000, 10_000, 100_000];
/// How often each world is loaded; the shortest time counts.
const ROUNDS: usize = 3;

/// Loads worlds of boxes, balls and cylinders; per shape, large ones should cost what small ones
/// do. A file that is named is loaded first.
pub(super) fn run(file: Option<&PathBuf>, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    if let Some(path) = file {
        let secs = timed(|| {
            let roots = world_file::roots(&[])?;
            let mut found = Diagnostics::new();
            let options = LoadOptions { keep_going: true, ..LoadOptions::default() };
            load_file(path, &roots, &options, &mut found).context("nothing could be loaded")?;
            Ok(())
        })?;
        let shown = path.display().to_string();
        let value = json!({ "file": shown, "seconds": secs });
        printer.print(&value, |out| writeln!(out, "{shown}  {secs:.3} s"))?;
    }
    let mut first = None;
    for count in COUNTS {
        let text = shapes(count)?;
        let secs = timed(|| {
            let mut found = Diagnostics::new();
            let world = parse_world(&text, "shapes", &ResourceRoots::new(), &mut found);
            match world.map(|world| world.models.len()) {
                Some(loaded) if loaded == count => Ok(()),
                _ => bail!("the world was not loaded whole: {found}"),
            }
        })?;
        let per_shape = secs * 1e6 / count as f64;
        let ratio = per_shape / *first.get_or_insert(per_shape);
        let value = json!({
            "shapes": count,
            "seconds": secs,
            "us_per_shape": per_shape,
            "ratio_to_first": ratio,
        });
        printer.print(&value, |out| {
            writeln!(
                out,
                "{count:7} shapes  {secs:7.3} s  {per_shape:6.2} µs each  ratio {ratio:5.2}"
            )
        })?;
    }
    Ok(Outcome::Done)
}

/// Writes a world of so many shapes, for other loaders.
pub(super) fn write_shapes(count: usize, printer: &mut Printer<'_>) -> anyhow::Result<Outcome> {
    std::io::Write::write_all(&mut printer.out, shapes(count)?.as_bytes())?;
    Ok(Outcome::Done)
}

/// Returns the shortest of a few times, in seconds of CPU time.
fn timed(mut work: impl FnMut() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let began = cpu_micros();
        work()?;
        best = best.min((cpu_micros() - began) * 1e-6);
    }
    Ok(best)
}

/// Writes a world of so many models, each with mass, collision, visual and material.
fn shapes(count: usize) -> anyhow::Result<String> {
    const SHAPES: [&str; 3] = [
        "<box><size>1 1 1</size></box>",
        "<sphere><radius>0.5</radius></sphere>",
        "<cylinder><radius>0.5</radius><length>1</length></cylinder>",
    ];
    let mut text = String::from("<sdf version=\"1.9\"><world name=\"shapes\">\n");
    for number in 0..count {
        let shape = SHAPES[number % SHAPES.len()];
        let (x, y) = (number % 1000 * 2, number / 1000 * 2);
        writeln!(
            text,
            "<model name=\"shape_{number}\"><pose>{x} {y} 0.5 0 0 0</pose><link name=\"link\">
  <inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz><ixy>0</ixy><ixz>0</ixz>
    <iyz>0</iyz></inertia></inertial>
  <collision name=\"collision\"><geometry>{shape}</geometry></collision>
  <visual name=\"visual\"><geometry>{shape}</geometry>
    <material><ambient>1 0 0 1</ambient><diffuse>1 0 0 1</diffuse><specular>1 0 0 1</specular>
    </material></visual></link></model>"
        )?;
    }
    text.push_str("</world></sdf>\n");
    Ok(text)
}
