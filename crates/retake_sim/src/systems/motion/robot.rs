//! The joints of a model, as players see them.

use std::sync::Arc;

use retake_components::{JointSpec, Kind, PluginConfig, path_of};
use retake_description::JointKind;
use retake_ecm::{Ecm, EntityId};
use retake_motion::ErrorCode;
use retake_motion::player::{End, Group, Joint, Outcome, Owner, Progress, Robot};

use super::components::{
    MotionGoals, MotionOutcomes, MotionPlayer, MotionProgress, MotionRobot, PlayerDriven,
    SharedRobot, TorqueOff,
};
use super::{chains, gains, operate};
use crate::system::SystemError;

/// Returns the robot that a model is, and makes what its players remember fit it.
pub(super) fn follow_model(
    ecm: &mut Ecm,
    model: EntityId,
) -> Result<Arc<MotionRobot>, SystemError> {
    let now = find(ecm, model)?;
    let before = ecm.get::<SharedRobot>(model).map(|shared| Arc::clone(&shared.0));
    if let Some(before) = before.as_ref().filter(|before| ***before == now) {
        return Ok(Arc::clone(before));
    }
    let now = Arc::new(now);
    let same_joints = before
        .as_ref()
        .is_some_and(|before| before.joints == now.joints && before.robot == now.robot);
    // The model exists: it holds the plugin that the system is made for.
    ecm.set(model, SharedRobot(Arc::clone(&now))).ok();
    if !same_joints {
        begin_anew(ecm, model, before.as_deref(), &now);
    }
    Ok(now)
}

/// Ends what players did with other joints; joints that are still there stay as they were told.
fn begin_anew(ecm: &mut Ecm, model: EntityId, before: Option<&MotionRobot>, now: &MotionRobot) {
    let goals = ecm.get::<MotionGoals>(model).cloned().unwrap_or_default();
    let mut progress = Progress::new(&now.robot);
    let old = ecm.get::<MotionProgress>(model).map(|progress| progress.0.clone());
    if let (Some(before), Some(old)) = (before, &old) {
        for (place, joint) in now.joints.iter().enumerate() {
            let known = before.joints.iter().position(|known| known == joint);
            let Some(drive) = known.and_then(|known| old.drives.get(known)) else { continue };
            progress.drives[place] = *drive;
            progress.drives[place].stop_following();
        }
    }
    let at_nanos = operate::now_nanos(ecm);
    let outcomes = goals.0.runs.iter().map(|run| Outcome {
        at_nanos,
        goal_id: run.goal_id.clone(),
        motion: run.name().to_owned(),
        player: run.player,
        end: End::Aborted,
        code: ErrorCode::InvalidJoints,
        text: "the joints of the robot are others now".to_owned(),
    });
    let mut kept = ecm.get::<MotionOutcomes>(model).cloned().unwrap_or_default();
    kept.extend(outcomes);
    let goals = retake_motion::player::Goals { runs: Vec::new(), taken: goals.0.taken };
    for (place, joint) in now.joints.iter().enumerate() {
        if ecm.get::<TorqueOff>(*joint).is_some() {
            progress.drives[place].owner = Owner::Limp;
        }
    }
    ecm.set(model, MotionGoals(goals)).ok();
    ecm.set(model, MotionProgress(progress)).ok();
    ecm.set(model, kept).ok();
    let gone = before.into_iter().flat_map(|before| &before.joints);
    for joint in gone.filter(|joint| !now.joints.contains(joint)) {
        ecm.remove::<PlayerDriven>(*joint);
    }
    operate::mark_owned(ecm, model, now);
}

fn find(ecm: &Ecm, model: EntityId) -> Result<MotionRobot, SystemError> {
    let all: Vec<EntityId> = ecm.with_descendants(model);
    let all: Vec<EntityId> =
        all.into_iter().filter(|e| ecm.get::<Kind>(*e) == Some(&Kind::Joint)).collect();
    let scope = format!("{}::", path_of(ecm, model));
    let name_of = |joint: EntityId| {
        let path = path_of(ecm, joint);
        path.strip_prefix(&scope).unwrap_or(&path).to_owned()
    };
    let is_own = |joint: EntityId| {
        // A model inside that has players of its own is another robot.
        let mut holders = ecm.with_holders(joint).take_while(|holder| *holder != model);
        !holders.any(|holder| has_player(ecm, holder))
    };
    let movable = all.iter().copied().filter(|j| is_movable(ecm, *j) && is_own(*j));
    let movable: Vec<(EntityId, String)> = movable.map(|joint| (joint, name_of(joint))).collect();
    if movable.is_empty() {
        let reason = "the model has no joint that turns or slides. Insert one and the player goes \
                      on, or delete the plugin";
        return Err(SystemError::Unfit { reason: reason.to_owned() });
    }
    let joints = movable.iter().map(|(entity, name)| joint_of(ecm, *entity, name)).collect();
    let groups = groups(ecm, model, &all, &movable)?;
    let robot = Robot::new(joints, groups);
    let robot = robot.map_err(|error| SystemError::Unfit { reason: error.to_string() })?;
    let players = operate::players(ecm, model);
    let players: Vec<&MotionPlayer> = players.iter().filter_map(|p| ecm.get(*p)).collect();
    let of_controllers = gains::of_controllers(ecm, model);
    let gains = |(_, name): &(EntityId, String)| {
        let own = players.iter().find_map(|player| player.gains.get(name));
        own.or_else(|| of_controllers.get(name)).copied().unwrap_or_default()
    };
    let gains = movable.iter().map(gains).collect();
    Ok(MotionRobot { robot, joints: movable.into_iter().map(|(joint, _)| joint).collect(), gains })
}

fn joint_of(ecm: &Ecm, entity: EntityId, name: &str) -> Joint {
    let spec = ecm.get::<JointSpec>(entity);
    let axis = spec.and_then(|spec| spec.axes.first());
    let limits = axis
        .map_or((f64::NEG_INFINITY, f64::INFINITY), |axis| (axis.limits.lower, axis.limits.upper));
    let turns = spec.is_some_and(|spec| match spec.kind {
        JointKind::Continuous => true,
        JointKind::Revolute => limits.0 == f64::NEG_INFINITY && limits.1 == f64::INFINITY,
        _ => false,
    });
    Joint { name: name.to_owned(), continuous: turns, limits }
}

/// Says whether something holds the plugin of a player.
fn has_player(ecm: &Ecm, holder: EntityId) -> bool {
    let configs = ecm.children(holder).iter().filter_map(|child| ecm.get::<PluginConfig>(*child));
    let kinds = [super::TRAJECTORY, super::STORED, super::FOLLOW];
    let is_player =
        |config: &PluginConfig| kinds.iter().any(|k| k.names.contains(&config.0.name.as_str()));
    configs.into_iter().any(is_player)
}

/// Says whether players can move a joint: it has one axis and follows no other joint.
fn is_movable(ecm: &Ecm, joint: EntityId) -> bool {
    ecm.get::<JointSpec>(joint).is_some_and(|spec| {
        matches!(spec.kind, JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic)
            && spec.axes.first().is_some_and(|axis| axis.mimic.is_none())
    })
}

/// Returns the groups that the file names, and the chains of the joints that it does not.
fn groups(
    ecm: &Ecm,
    model: EntityId,
    all: &[EntityId],
    movable: &[(EntityId, String)],
) -> Result<Vec<Group>, SystemError> {
    let mut named: Vec<Group> = Vec::new();
    let players = operate::players(ecm, model);
    let of_players = players.iter().filter_map(|player| ecm.get::<MotionPlayer>(*player));
    for (name, joints) in of_players.flat_map(|player| &player.groups) {
        if named.iter().any(|group| group.name == *name) {
            continue;
        }
        let place = |joint: &String| {
            let place = movable.iter().position(|(_, known)| known == joint);
            place.ok_or_else(|| SystemError::MissingJoint {
                joint: joint.clone(),
                holder: path_of(ecm, model),
            })
        };
        let joints: Result<Vec<usize>, SystemError> = joints.iter().map(place).collect();
        named.push(Group { name: name.clone(), joints: joints? });
    }
    let taken: Vec<usize> = named.iter().flat_map(|group| group.joints.clone()).collect();
    for mut chain in chains::chains(ecm, all, movable) {
        chain.joints.retain(|joint| !taken.contains(joint));
        if !chain.joints.is_empty() {
            named.push(chain);
        }
    }
    Ok(named)
}
