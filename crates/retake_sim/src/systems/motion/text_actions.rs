//! What text actions do in the world: one handler for each kind.
//!
//! Every action is published as well; kinds that are not listed here are for others to hear.

use retake_components::{VisualMaterial, path_of};
use retake_description::Color;
use retake_ecm::{Ecm, EntityId};
use retake_motion::player::{End, Order, Outcome, Run, RunKind};
use retake_motion::{ErrorCode, TextCommand};
use retake_msgs::names;

use super::components::MotionPlayer;
use super::operate::operate;

/// Does what a text command of a motion says, to the model that plays it.
type Handler = fn(&mut Ecm, EntityId, &Run, &TextCommand);

/// Who does what is done in the world.
const HANDLERS: &[(&str, Handler)] =
    &[("eyes/emotion", show_emotion), (names::PLAYS_MOTION, play_motion)];

pub(super) fn act(ecm: &mut Ecm, model: EntityId, run: &Run, command: &TextCommand) {
    let handlers = HANDLERS.iter().filter(|(kind, _)| *kind == command.kind);
    handlers.for_each(|(_, handle)| handle(ecm, model, run, command));
}

/// Gives the robot's eyes the colour of an emotion; of one that the file does not name, none.
fn show_emotion(ecm: &mut Ecm, model: EntityId, _: &Run, command: &TextCommand) {
    let eyes = super::operate::players(ecm, model).into_iter();
    let mut eyes = eyes.filter_map(|player| Some(ecm.get::<MotionPlayer>(player)?.eyes.clone()));
    let Some(eyes) = eyes.find(|eyes| !eyes.visuals.is_empty()) else { return };
    let Some([red, green, blue]) = eyes.emotions.get(&command.command).copied() else { return };
    let scope = path_of(ecm, model);
    for visual in &eyes.visuals {
        let path = format!("{scope}::{visual}");
        let Some(visual) = retake_components::find(ecm, &path) else { continue };
        let colour = Color([red, green, blue, 1.0]);
        if let Some(material) = ecm.get_mut::<VisualMaterial>(visual) {
            (material.0.ambient, material.0.diffuse) = (colour, colour);
            material.0.emissive = colour;
        }
    }
}

/// Plays a motion that was looked up together with the one that names it.
fn play_motion(ecm: &mut Ecm, model: EntityId, run: &Run, command: &TextCommand) {
    let RunKind::Goal(parent) = &run.kind else { return };
    let goal = parent.nested.iter().find(|goal| goal.name == command.command).cloned();
    let order = goal.map(|goal| Order {
        goal_id: format!("{}/{}", run.goal_id, command.command),
        player: run.player,
        rules: run.rules.clone(),
        goal,
        nested: parent.nested.clone(),
        keep_alive_secs: 0.0,
    });
    operate(ecm, model, |cycle| {
        let started = match &order {
            Some(order) => cycle.start(order).map_err(|refusal| (refusal.code, refusal.text)),
            None => {
                let text = format!("there is no motion {:?} to play", command.command);
                Err((ErrorCode::InvalidGoal, text))
            }
        };
        let Err((code, text)) = started else { return };
        cycle.outcomes.push(Outcome {
            at_nanos: cycle.now_nanos,
            goal_id: format!("{}/{}", run.goal_id, command.command),
            motion: command.command.clone(),
            player: run.player,
            end: End::Aborted,
            code,
            text,
        });
    });
}
