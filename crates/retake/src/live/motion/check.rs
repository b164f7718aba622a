//! `retake motion check --against ROBOT`

use std::path::PathBuf;

use anyhow::{Context, bail};
use retake_msgs::{MotionCheckRequest, MotionChecked, MotionCollision, names};
use serde_json::{Value, json};

use crate::link::Link;
use crate::output::{Outcome, Printer, printable};

/// Says of each file where links of the robot would be in one place.
pub(super) fn run(
    files: &[PathBuf],
    robot: &str,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let service = names::motion_check(&link.world());
    let mut all = Vec::new();
    for file in files {
        let shown = || file.display().to_string();
        let trajectory = Some(super::trajectory(file)?);
        let request = MotionCheckRequest { robot: robot.to_owned(), trajectory };
        let checked: MotionChecked = link.call(&service, &request).with_context(shown)?;
        if !checked.ok {
            bail!("{}: {}", shown(), checked.message);
        }
        all.push((shown(), checked));
    }
    let value: Vec<Value> = all.iter().map(|(file, checked)| facts(file, checked)).collect();
    printer.print(&value, |out| {
        for (file, checked) in &all {
            let MotionChecked { instants, collision, .. } = checked;
            writeln!(out, "{}: {} in {instants} instants", printable(file), counted(collision))?;
            for MotionCollision { first, second, from, to, depth, .. } in collision {
                let text = format!("{first} runs into {second} from {from:.2} s to {to:.2} s");
                writeln!(out, "  {}, {:.0} mm deep", printable(&text), depth * 1000.0)?;
            }
        }
        Ok(())
    })?;
    let clean = all.iter().all(|(_, checked)| checked.collision.is_empty());
    Ok(if clean { Outcome::Done } else { Outcome::Failed })
}

fn counted(collisions: &[MotionCollision]) -> String {
    match collisions.len() {
        0 => "no links collide".to_owned(),
        1 => "1 pair of links collides".to_owned(),
        count => format!("{count} pairs of links collide"),
    }
}

fn facts(file: &str, checked: &MotionChecked) -> Value {
    let collisions = checked.collision.iter().map(|hit| {
        json!({
            "first": hit.first,
            "second": hit.second,
            "from": hit.from,
            "to": hit.to,
            "deepest": hit.deepest,
            "depth": hit.depth,
        })
    });
    json!({
        "file": file,
        "instants": checked.instants,
        "collisions": collisions.collect::<Vec<_>>(),
    })
}
