//! Pulls a link by a spring, as by hand.

use std::collections::BTreeSet;

use retake_components::{
    JointSpec, Kind, LinkProperties, ModelProperties, Pull, WorldClock, path_of, resolve,
    world_entity,
};
use retake_description::JointKind;
use retake_ecm::{Ecm, EntityId};
use retake_math::SimTime;
use retake_msgs::{PullLink, Vector3};

use super::{Applied, CommandError, numbers};
use crate::systems::motion::TorqueOff;

/// A pull that is not renewed for so many seconds ends: whoever held on may be gone.
const LASTS_SECS: f64 = 1.0;
/// Longest that a pull may last, in s.
const MOST_SECS: f64 = 3600.0;

pub(super) fn apply(ecm: &mut Ecm, command: &PullLink) -> Result<Applied, CommandError> {
    if command.link.is_empty() {
        return Err(CommandError::Missing { field: "pull_link.link" });
    }
    let link = resolve(ecm, &command.link)?;
    check_link(ecm, link)?;
    match &command.target {
        Some(target) => pull(ecm, link, command, target),
        None => let_go(ecm, link),
    }
}

fn pull(
    ecm: &mut Ecm,
    link: EntityId,
    command: &PullLink,
    target: &Vector3,
) -> Result<Applied, CommandError> {
    let point = command.point.ok_or(CommandError::Missing { field: "pull_link.point" })?;
    let point_in_link = numbers::position("pull_link.point", &point)?;
    let target_in_world = numbers::position("pull_link.target", target)?;
    let lasts = duration(command.lasts_secs)?;
    let along = what_comes_along(ecm, link)?;
    let clock = world_entity(ecm).and_then(|world| ecm.get::<WorldClock>(world));
    let until = clock.map(|clock| clock.sim_time).unwrap_or_default() + lasts;
    ecm.set(link, Pull { point_in_link, target_in_world, along, until })?;
    let description = format!("Pull {}", path_of(ecm, link));
    Ok(Applied { description, entities: vec![link] })
}

fn let_go(ecm: &mut Ecm, link: EntityId) -> Result<Applied, CommandError> {
    let name = path_of(ecm, link);
    match ecm.remove::<Pull>(link) {
        true => Ok(Applied { description: format!("Let go of {name}"), entities: vec![link] }),
        false => Err(CommandError::NotPulled { name }),
    }
}

fn duration(secs: f64) -> Result<SimTime, CommandError> {
    match secs {
        0.0 => Ok(SimTime::from_secs_f64(LASTS_SECS)),
        secs if secs > 0.0 && secs <= MOST_SECS => Ok(SimTime::from_secs_f64(secs)),
        value => Err(CommandError::BadNumber {
            field: "pull_link.lasts_secs",
            value,
            expected: format!("write seconds above 0, up to {MOST_SECS}"),
        }),
    }
}

fn check_link(ecm: &Ecm, link: EntityId) -> Result<(), CommandError> {
    match ecm.get::<Kind>(link) {
        Some(Kind::Link) => Ok(()),
        kind => Err(CommandError::WrongKind {
            name: path_of(ecm, link),
            kind: kind.map(ToString::to_string).unwrap_or_default(),
            expected: "name a link of it",
        }),
    }
}

/// Finds the link and all that comes along when it is pulled: what joints connect with it, except
/// for what stands fast and what is beyond that. Limp joints bend in the hand, so that beyond them
/// only what hangs on further limp joints comes along: a limp leg does not take its robot with it.
fn what_comes_along(ecm: &Ecm, link: EntityId) -> Result<Vec<EntityId>, CommandError> {
    let immovable = |why| CommandError::Immovable { name: path_of(ecm, link), why };
    if is_static(ecm, link) {
        return Err(immovable("is static"));
    }
    if is_kinematic(ecm, link) {
        return Err(immovable("moves only by command"));
    }
    let fast = standing_fast(ecm);
    if fast.contains(&link) {
        return Err(immovable("is fixed to the world"));
    }
    let is_limp = |joint: EntityId| ecm.get::<TorqueOff>(joint).is_some();
    let mut along = BTreeSet::from([link]);
    spread(ecm, &fast, &mut along, &|joint| !is_limp(joint));
    spread(ecm, &fast, &mut along, &is_limp);
    Ok(along.into_iter().collect())
}

/// Adds all links that can be reached over joints of a kind.
fn spread(
    ecm: &Ecm,
    fast: &BTreeSet<EntityId>,
    along: &mut BTreeSet<EntityId>,
    leads_on: &dyn Fn(EntityId) -> bool,
) {
    let mut next: Vec<EntityId> = along.iter().copied().collect();
    while let Some(at) = next.pop() {
        for (entity, joint) in ecm.iter::<JointSpec>() {
            let other = match joint.parent {
                Some(parent) if joint.child == at => parent,
                Some(parent) if parent == at => joint.child,
                _ => continue,
            };
            let moves = !fast.contains(&other) && !is_static(ecm, other);
            if moves && !is_kinematic(ecm, other) && leads_on(entity) && along.insert(other) {
                next.push(other);
            }
        }
    }
}

fn is_static(ecm: &Ecm, link: EntityId) -> bool {
    let mut holders = ecm.with_holders(link);
    holders.any(|holder| ecm.get::<ModelProperties>(holder).is_some_and(|model| model.is_static))
}

fn is_kinematic(ecm: &Ecm, link: EntityId) -> bool {
    ecm.get::<LinkProperties>(link).is_some_and(|link| link.kinematic)
}

/// Links that fixed joints hold to the world or to static models, be it one after the other.
fn standing_fast(ecm: &Ecm) -> BTreeSet<EntityId> {
    let joints = ecm.iter::<JointSpec>().filter(|(_, joint)| joint.kind == JointKind::Fixed);
    let fixed: Vec<&JointSpec> = joints.map(|(_, joint)| joint).collect();
    let mut fast = BTreeSet::new();
    loop {
        let stands = |link: EntityId| fast.contains(&link) || is_static(ecm, link);
        let held = fixed.iter().filter_map(|joint| match joint.parent {
            None => Some(joint.child),
            Some(parent) if stands(parent) => Some(joint.child),
            Some(parent) if stands(joint.child) => Some(parent),
            Some(_) => None,
        });
        let more: Vec<EntityId> = held.filter(|link| !fast.contains(link)).collect();
        if more.is_empty() {
            return fast;
        }
        fast.extend(more);
    }
}
