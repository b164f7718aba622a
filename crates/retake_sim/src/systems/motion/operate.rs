//! Asking the players of a robot something between two steps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use retake_components::{
    JointPosition, JointVelocity, LookupError, WorldClock, path_of, world_entity,
};
use retake_ecm::{Ecm, EntityId};
use retake_motion::blend::stop_pose;
use retake_motion::curve::Sample;
use retake_motion::player::{Cycle, Owner};
use thiserror::Error;

use super::components::{
    Handover, MotionGoals, MotionOutcomes, MotionPlayer, MotionProgress, MotionRobot, PlayerDriven,
    PlayerKind, SharedRobot, place,
};
use crate::systems::joint_drive::release_axis;
use crate::systems::joint_position_controller::JointPositionTarget;

/// How long a joint that is given back while it moves takes to come to rest, in s.
const STOP_SECS: f64 = 0.3;

/// Why nobody can be asked.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum NoPlayer {
    /// No entity has that name.
    #[error(transparent)]
    Lookup(#[from] LookupError),
    /// The model has no players.
    #[error(
        "{robot:?} has no such motion player. Give it one: <plugin name=\"retake::{plugin}\" \
         filename=\"retake\"/>. {}",
        robots_text(robots)
    )]
    None {
        /// What was named.
        robot: String,
        /// Which player is wanted.
        plugin: &'static str,
        /// Robots that have one.
        robots: Vec<String>,
    },
    /// No robot was named, and there is not exactly one.
    #[error("Say which robot. {}", robots_text(robots))]
    Unclear {
        /// Robots that have players.
        robots: Vec<String>,
    },
}

fn robots_text(robots: &[String]) -> String {
    match robots {
        [] => "No model of this world has one".to_owned(),
        robots => format!("Robots with players: {}", robots.join(", ")),
    }
}

/// Returns the models that have players, with their joints.
pub(crate) fn robots(ecm: &Ecm) -> Vec<(EntityId, Arc<MotionRobot>)> {
    ecm.iter::<SharedRobot>().map(|(robot, shared)| (robot, Arc::clone(&shared.0))).collect()
}

/// Finds a model with players by its name; an empty name means the only one.
pub(crate) fn find_robot(ecm: &Ecm, name: &str) -> Result<EntityId, NoPlayer> {
    let with_players: BTreeSet<EntityId> = ecm.iter::<SharedRobot>().map(|(e, _)| e).collect();
    let names = || with_players.iter().map(|robot| path_of(ecm, *robot)).collect();
    if name.is_empty() {
        let mut robots = with_players.iter().copied();
        return match (robots.next(), robots.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(NoPlayer::Unclear { robots: names() }),
        };
    }
    let robot = retake_components::resolve(ecm, name)?;
    match with_players.contains(&robot) {
        true => Ok(robot),
        false => {
            let plugin = PlayerKind::Stored.plugin();
            Err(NoPlayer::None { robot: name.to_owned(), plugin, robots: names() })
        }
    }
}

impl PlayerKind {
    fn plugin(self) -> &'static str {
        match self {
            Self::Trajectory => "AnimationJointTrajectory",
            Self::Stored => "AnimationStoredJointTrajectory",
            Self::Follow => "FollowJointState",
        }
    }
}

/// Finds the player of a robot that does something; trajectories are taken by the player of stored
/// motions too when there is no other.
pub(crate) fn find_player(
    ecm: &Ecm,
    robot: EntityId,
    kind: PlayerKind,
) -> Result<(EntityId, MotionPlayer), NoPlayer> {
    let all = players(ecm, robot);
    let find = |wanted: PlayerKind| {
        let spec = |plugin: &EntityId| Some((*plugin, ecm.get::<MotionPlayer>(*plugin)?.clone()));
        all.iter().filter_map(spec).find(|(_, player)| player.kind == wanted)
    };
    let second = match kind {
        PlayerKind::Trajectory => Some(PlayerKind::Stored),
        PlayerKind::Stored | PlayerKind::Follow => None,
    };
    let found = find(kind).or_else(|| second.and_then(find));
    found.ok_or_else(|| NoPlayer::None {
        robot: path_of(ecm, robot),
        plugin: kind.plugin(),
        robots: robots(ecm).iter().map(|(other, _)| path_of(ecm, *other)).collect(),
    })
}

/// Returns the player plugins of a model, sorted.
pub(super) fn players(ecm: &Ecm, model: EntityId) -> Vec<EntityId> {
    let plugins = ecm.children(model).iter().copied();
    let mut players: Vec<EntityId> =
        plugins.filter(|plugin| ecm.get::<MotionPlayer>(*plugin).is_some()).collect();
    players.sort_unstable();
    players
}

/// Does something with the players of a robot, and writes back what changed.
pub(crate) fn operate<T>(
    ecm: &mut Ecm,
    model: EntityId,
    act: impl FnOnce(&mut Cycle<'_>) -> T,
) -> Option<T> {
    let robot = Arc::clone(&ecm.get::<SharedRobot>(model)?.0);
    let mut goals = ecm.get::<MotionGoals>(model)?.0.clone();
    let mut progress = ecm.get::<MotionProgress>(model)?.0.clone();
    if !progress.fits(&robot.robot, &goals) {
        return None;
    }
    let (mut measured, mut outcomes) = (Vec::new(), Vec::new());
    measure(ecm, &robot, &mut measured);
    let mut cycle = Cycle {
        robot: &robot.robot,
        goals: &mut goals,
        progress: &mut progress,
        measured: &measured,
        now_nanos: now_nanos(ecm),
        outcomes: &mut outcomes,
        goals_changed: false,
    };
    let result = act(&mut cycle);
    if cycle.goals_changed {
        ecm.set(model, MotionGoals(goals)).ok();
    }
    if ecm.get::<MotionProgress>(model).is_none_or(|before| before.0 != progress) {
        ecm.set(model, MotionProgress(progress)).ok();
    }
    keep_outcomes(ecm, model, &mut outcomes);
    mark_owned(ecm, model, &robot);
    Some(result)
}

pub(super) fn keep_outcomes(
    ecm: &mut Ecm,
    model: EntityId,
    outcomes: &mut Vec<retake_motion::player::Outcome>,
) {
    if outcomes.is_empty() {
        return;
    }
    let mut kept = ecm.get::<MotionOutcomes>(model).cloned().unwrap_or_default();
    kept.extend(outcomes.drain(..));
    ecm.set(model, kept).ok();
}

/// Reads where the joints of a robot are.
pub(super) fn measure(ecm: &Ecm, robot: &MotionRobot, into: &mut Vec<Sample>) {
    into.clear();
    into.extend(robot.joints.iter().map(|joint| {
        let position = ecm.get::<JointPosition>(*joint).and_then(|all| all.0.first().copied());
        let velocity = ecm.get::<JointVelocity>(*joint).and_then(|all| all.0.first().copied());
        Sample {
            position: position.unwrap_or_default(),
            velocity: velocity.unwrap_or_default(),
            acceleration: 0.0,
        }
    }));
}

/// Marks the joints that players have, and hands those over that they do not have any more.
pub(super) fn mark_owned(ecm: &mut Ecm, model: EntityId, robot: &MotionRobot) {
    for (place, joint) in robot.joints.iter().enumerate() {
        let drive = ecm.get::<MotionProgress>(model).and_then(|p| p.0.drives.get(place)).copied();
        let Some(drive) = drive else { return };
        let owned = drive.owner != Owner::Released;
        match (owned, ecm.get::<PlayerDriven>(*joint).is_some()) {
            (true, false) => drop(ecm.set(*joint, PlayerDriven)),
            (false, true) => {
                ecm.remove::<PlayerDriven>(*joint);
                hand_over(ecm, *joint, drive.reference);
                // Nobody holds it until somebody else does, in the next step.
                release_axis(ecm, *joint, 0);
            }
            _ => {}
        }
    }
}

/// Lets whoever moves a joint next begin where it is told to be now.
pub(crate) fn hand_over(ecm: &mut Ecm, joint: EntityId, reference: Sample) {
    let at_nanos = now_nanos(ecm);
    ecm.set(joint, Handover { reference, at_nanos }).ok();
    // One that moves comes to rest as it would have done otherwise.
    aim_controllers(ecm, joint, stop_pose(reference, STOP_SECS));
}

/// Lets the controllers of a joint hold it at a position.
pub(crate) fn aim_controllers(ecm: &mut Ecm, joint: EntityId, position: f64) {
    let holds = |target: &JointPositionTarget| {
        target.axis == 0 && target.joints.iter().any(|controlled| controlled.joint == joint)
    };
    let controllers = ecm.iter::<JointPositionTarget>().filter(|(_, target)| holds(target));
    for plugin in controllers.map(|(plugin, _)| plugin).collect::<Vec<_>>() {
        let Some(state) = ecm.get_mut::<JointPositionTarget>(plugin) else { continue };
        for controlled in state.joints.iter_mut().filter(|controlled| controlled.joint == joint) {
            (controlled.target, controlled.integral) = (position, 0.0);
            controlled.for_user = false;
        }
    }
}

/// Does something with the players of each robot that moves one of the joints.
pub(crate) fn with_joints(
    ecm: &mut Ecm,
    joints: &[EntityId],
    act: impl Fn(&mut Cycle<'_>, &[usize]),
) {
    let mut robots: BTreeMap<EntityId, Vec<usize>> = BTreeMap::new();
    for (model, place) in joints.iter().filter_map(|joint| place(ecm, *joint)) {
        robots.entry(model).or_default().push(place);
    }
    for (model, places) in robots {
        operate(ecm, model, |cycle| act(cycle, &places));
    }
}

/// Lets players go on with a joint that a user had in hand, from where it is.
pub(crate) fn rejoin(ecm: &mut Ecm, joint: EntityId) {
    with_joints(ecm, &[joint], |cycle, places| cycle.rejoin(places));
}

/// Ends the goals of a player that goes; with the last one the joints are let go of.
pub(super) fn leave(ecm: &mut Ecm, model: EntityId, plugin: EntityId) {
    ecm.remove::<MotionPlayer>(plugin);
    let is_last = players(ecm, model).is_empty();
    operate(ecm, model, |cycle| {
        let own = cycle.goals.runs.iter().filter(|run| run.player == plugin.raw());
        let ids: Vec<String> = own.map(|run| run.goal_id.clone()).collect();
        for id in &ids {
            cycle.cancel(id);
        }
        if is_last {
            cycle.release_all();
        }
    });
    if is_last {
        ecm.remove::<SharedRobot>(model);
    }
}

pub(super) fn now_nanos(ecm: &Ecm) -> i64 {
    let clock = world_entity(ecm).and_then(|world| ecm.get::<WorldClock>(world));
    clock.map_or(0, |clock| clock.sim_time.as_nanos())
}
