//! `retake motion status`

use retake_components::path_of;
use retake_ecm::Ecm;
use retake_sim::systems::motion::{MotionGoals, MotionOutcomes, MotionProgress};
use serde_json::{Value, json};

use crate::link::Link;
use crate::output::{Outcome, Printer};
use crate::replica;

pub(super) fn show(
    robot: Option<&str>,
    link: &mut dyn Link,
    printer: &mut Printer<'_>,
) -> anyhow::Result<Outcome> {
    let (ecm, _) = replica::fetch(link)?;
    let all: Vec<Value> = ecm
        .iter::<MotionProgress>()
        .map(|(model, progress)| (path_of(&ecm, model), model, progress))
        .filter(|(name, ..)| robot.is_none_or(|robot| robot == name))
        .map(|(name, model, progress)| status(&ecm, &name, model, progress))
        .collect();
    printer.print(&all, |out| {
        if all.is_empty() {
            return writeln!(out, "No robot here has a motion player");
        }
        for robot in &all {
            writeln!(out, "{}", robot["robot"].as_str().unwrap_or_default())?;
            for run in robot["follows"].as_array().into_iter().flatten() {
                writeln!(
                    out,
                    "  follows {}, {:.2} s of {:.2} s (goal {})",
                    run["motion"], run["elapsed"], run["seconds"], run["goal"]
                )?;
            }
            for ended in robot["ended"].as_array().into_iter().flatten() {
                let (motion, end) = (&ended["motion"], ended["end"].as_str().unwrap_or_default());
                let text = ended["text"].as_str().unwrap_or_default();
                let text = if text.is_empty() { String::new() } else { format!(": {text}") };
                writeln!(out, "  {motion} {end}{text}")?;
            }
        }
        Ok(())
    })?;
    Ok(Outcome::Done)
}

fn status(ecm: &Ecm, name: &str, model: retake_ecm::EntityId, progress: &MotionProgress) -> Value {
    let goals = ecm.get::<MotionGoals>(model).map(|goals| goals.0.runs.clone()).unwrap_or_default();
    let follows = goals.iter().zip(&progress.0.runs).map(|(run, progress)| {
        json!({
            "goal": run.goal_id,
            "motion": run.name(),
            "elapsed": progress.elapsed_nanos as f64 / 1e9,
            "seconds": run.end_nanos().unwrap_or_default() as f64 / 1e9,
            "begun": progress.begun,
        })
    });
    let ended = ecm.get::<MotionOutcomes>(model).into_iter().flat_map(|all| &all.0);
    let ended = ended.map(|outcome| {
        json!({
            "goal": outcome.goal_id,
            "motion": outcome.motion,
            "at": outcome.at_nanos as f64 / 1e9,
            "end": outcome.end.word(),
            "error_code": outcome.code.number(),
            "text": outcome.text,
        })
    });
    json!({
        "robot": name,
        "speed": progress.0.speed,
        "follows": follows.collect::<Vec<_>>(),
        "ended": ended.collect::<Vec<_>>(),
    })
}
