//! Comparing a world with what a scenario expects of it.

use anyhow::{Context, bail};
use retake_components::fields::{FieldAt, fields_of, text_of};
use retake_components::{
    BodyTwist, CanonicalLink, CurrentProfile, JointPosition, WorldClock, find, path_of, resolve,
    world_entity, world_pose,
};
use retake_ecm::{Ecm, EntityId};
use retake_math::{Pose, Vec3, quat_from_rpy};
use retake_msgs::PhysicsState;
use retake_sim::systems::motion::{MotionGoals, MotionOutcomes, MotionProgress};
use retake_sim::{OutMessage, SignalReadError};
use serde_json::Value as Json;

use super::expect::{Bound, Expectation, Value};

/// Checks an expectation about the state of the world.
pub(super) fn check(ecm: &Ecm, expectation: &Expectation) -> anyhow::Result<()> {
    let world = world_entity(ecm).context("there is no world")?;
    match expectation {
        Expectation::Time(bound) => {
            let clock = ecm.get::<WorldClock>(world).copied().unwrap_or_default();
            number("time", *bound, clock.sim_time.as_secs_f64())
        }
        Expectation::Pose { entity, position, rpy, tolerance } => {
            let actual = world_pose(ecm, resolve(ecm, entity)?);
            pose(entity, &actual, (*position, *rpy), *tolerance)
        }
        Expectation::Velocity { entity, bound } => {
            let speed = twist_of(ecm, resolve(ecm, entity)?)?.0.linear.length();
            number(&format!("velocity {entity}"), *bound, speed)
        }
        Expectation::Joint { joint, bound } => {
            let entity = resolve(ecm, joint)?;
            let position = ecm.get::<JointPosition>(entity).and_then(|all| all.0.first());
            let position = position.with_context(|| format!("{joint:?} has no position"))?;
            number(&format!("joint {joint}"), *bound, *position)
        }
        Expectation::Component { entity, path, value } => component(ecm, entity, path, value),
        Expectation::Tilt { entity, bound } => {
            let up = world_pose(ecm, resolve(ecm, entity)?).transform_vector(Vec3::Z);
            number(&format!("tilt {entity}"), *bound, up.angle_between(Vec3::Z))
        }
        Expectation::Exists { entity, exists } => match (find(ecm, entity).is_some(), exists) {
            (true, false) => bail!("expected no entity {entity}, but it is there"),
            (false, true) => Err(resolve(ecm, entity).err().map_or_else(
                || anyhow::anyhow!("expected entity {entity}"),
                |error| anyhow::anyhow!("expected entity {entity}: {error}"),
            )),
            _ => Ok(()),
        },
        Expectation::Profile(name) => {
            let current = ecm.get::<CurrentProfile>(world).map(|p| p.0.as_str());
            match current == Some(name) {
                true => Ok(()),
                false => bail!("expected profile {name}, got {}", current.unwrap_or("none")),
            }
        }
        other => bail!("{other:?} is not about the state of the world"),
    }
}

/// Checks a value that is in force.
pub(super) fn physics(state: &PhysicsState, key: &str, wanted: &Value) -> anyhow::Result<()> {
    let Some(found) = state.in_force.iter().find(|param| param.key == key) else {
        let known: Vec<&str> = state.in_force.iter().map(|param| param.key.as_str()).collect();
        bail!("{key:?} is not in force. In force: {}", known.join(", "));
    };
    match (wanted, found.value.parse::<f64>()) {
        (Value::Number(bound), Ok(actual)) => number(&format!("physics {key}"), *bound, actual),
        (Value::Text(text), _) if *text == found.value => Ok(()),
        _ => bail!("expected physics {key} {wanted}, got {}", found.value),
    }
}

/// Checks that the profile in force says something that has no effect.
pub(super) fn ignored(state: &PhysicsState, key: &str) -> anyhow::Result<()> {
    let ignored: Vec<&str> = state.not_used.iter().map(|unused| unused.key.as_str()).collect();
    match ignored.contains(&key) {
        true => Ok(()),
        false => bail!("expected ignored {key}, got [{}]", ignored.join(", ")),
    }
}

/// Checks a number that can be watched.
pub(super) fn item(
    item: &str,
    bound: Bound,
    actual: Result<f64, SignalReadError>,
) -> anyhow::Result<()> {
    number(&format!("item {item}"), bound, actual?)
}

fn number(what: &str, bound: Bound, actual: f64) -> anyhow::Result<()> {
    match bound.holds(actual) {
        true => Ok(()),
        false => bail!("expected {what} {bound}, got {actual}"),
    }
}

fn pose(
    entity: &str,
    actual: &Pose,
    (position, rpy): ([f64; 3], Option<[f64; 3]>),
    tolerance: f64,
) -> anyhow::Result<()> {
    let near = (actual.position - Vec3::from_array(position)).abs().max_element() <= tolerance;
    let turned = rpy.is_some_and(|rpy| {
        quat_from_rpy(Vec3::from_array(rpy)).angle_between(actual.rotation) > tolerance
    });
    if near && !turned {
        return Ok(());
    }
    let (p, r) = (actual.position, actual.rpy_rad());
    bail!(
        "expected pose {entity} {position:?} {} ±{tolerance}, got {:.4} {:.4} {:.4}  {:.4} {:.4} {:.4}",
        rpy.map(|rpy| format!("{rpy:?}")).unwrap_or_default(),
        p.x,
        p.y,
        p.z,
        r.x,
        r.y,
        r.z
    )
}

/// The velocity of a link, or of the link that carries a model.
fn twist_of(ecm: &Ecm, entity: EntityId) -> anyhow::Result<&BodyTwist> {
    let carrier = ecm.get::<CanonicalLink>(entity).map_or(entity, |link| link.0);
    ecm.get(carrier).context("it has no velocity")
}

fn component(ecm: &Ecm, name: &str, path: &str, wanted: &Value) -> anyhow::Result<()> {
    let entity = resolve(ecm, name)?;
    let (component, field) = path.split_once('.').unwrap_or((path, ""));
    // What can be edited is compared as people write it; all else as it looks.
    let fields = fields_of(ecm, entity, component);
    match fields.iter().find(|found| found.path == field) {
        Some(found) => edited_field(ecm, &format!("component {name} {path}"), found, wanted),
        None => shown_component(ecm, (entity, name), path, wanted),
    }
}

fn edited_field(ecm: &Ecm, what: &str, found: &FieldAt, wanted: &Value) -> anyhow::Result<()> {
    let text = text_of(found.field, &found.value, &|entity| path_of(ecm, entity));
    let actual: Option<Vec<f64>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    let near = |wanted: &[f64], tolerance: f64| {
        let apart = |(a, b): (&f64, &f64)| a != b && (a - b).abs() > tolerance;
        let actual = actual.as_deref().unwrap_or_default();
        actual.len() == wanted.len() && !actual.iter().zip(wanted).any(apart)
    };
    let holds = match wanted {
        Value::Number(bound) => match actual.as_deref() {
            Some([actual]) => return number(what, *bound, *actual),
            _ => false,
        },
        Value::Numbers(wanted, tolerance) => near(wanted, *tolerance),
        Value::Text(wanted) => *wanted == text,
    };
    match holds {
        true => Ok(()),
        false => bail!("expected {what} {wanted}, got {text}"),
    }
}

fn shown_component(
    ecm: &Ecm,
    (entity, name): (EntityId, &str),
    path: &str,
    wanted: &Value,
) -> anyhow::Result<()> {
    let components = ecm.components_json(entity);
    let mut parts = path.split('.');
    let component = parts.next().unwrap_or_default();
    let Some((_, root)) = components.iter().find(|(known, _)| known == component) else {
        let known: Vec<&str> = components.iter().map(|(known, _)| known.as_str()).collect();
        bail!("{name} has no component {component:?}. Known: {}", known.join(", "));
    };
    let found = parts.try_fold(root, |value, part| match part.parse::<usize>() {
        Ok(index) => value.get(index),
        Err(_) => value.get(part),
    });
    let found = found.with_context(|| no_field(ecm, (entity, name), component, path))?;
    match (wanted, found) {
        (Value::Number(bound), Json::Number(actual)) => {
            number(&format!("component {name} {path}"), *bound, actual.as_f64().unwrap_or(f64::NAN))
        }
        (Value::Text(text), Json::String(actual)) if text == actual => Ok(()),
        (Value::Text(text), actual)
            if serde_json::from_str(text).is_ok_and(|v: Json| v == *actual) =>
        {
            Ok(())
        }
        (wanted, actual) => bail!("expected component {name} {path} {wanted}, got {actual}"),
    }
}

/// Says that an entity has no such field, and which ones of the component it has.
fn no_field(ecm: &Ecm, (entity, name): (EntityId, &str), component: &str, path: &str) -> String {
    let fields = fields_of(ecm, entity, component);
    let named = fields.iter().filter(|found| !found.path.is_empty());
    let known: Vec<String> = named.map(|found| format!("{component}.{}", found.path)).collect();
    match known.as_slice() {
        [] => format!("{name} has no {path}; {component} is written as a whole"),
        known => format!("{name} has no {path}. Known: {}", known.join(", ")),
    }
}

/// Checks how a motion goes, or how it ended last.
pub(super) fn motion(
    ecm: &Ecm,
    (robot, name): (&str, &str),
    expected: &str,
    text: Option<&str>,
) -> anyhow::Result<()> {
    let model = resolve(ecm, robot)?;
    let runs = ecm.get::<MotionGoals>(model).into_iter().flat_map(|goals| &goals.0.runs);
    let runs = runs.zip(ecm.get::<MotionProgress>(model).into_iter().flat_map(|p| &p.0.runs));
    let running = runs.into_iter().find(|(run, _)| run.name() == name);
    let outcomes = ecm.get::<MotionOutcomes>(model).into_iter().flat_map(|all| &all.0);
    let ended = outcomes.into_iter().rfind(|outcome| outcome.motion == name);
    let (state, told) = match (running, ended) {
        (Some((_, progress)), _) if !progress.begun => ("waiting", String::new()),
        (Some(_), _) => ("running", String::new()),
        (None, Some(outcome)) => (outcome.end.word(), outcome.text.clone()),
        (None, None) => ("unknown", String::new()),
    };
    match state == expected && text.is_none_or(|text| told.contains(text)) {
        true => Ok(()),
        false => bail!("expected motion {name} {expected}, got {state}: {told}"),
    }
}

/// Returns a message as text, with its fields named where its type is known.
pub(super) fn message_text(message: &OutMessage) -> String {
    let pool = retake_msgs::descriptor_pool();
    let decoded = pool.get_message_by_name(&message.type_name).and_then(|descriptor| {
        prost_reflect::DynamicMessage::decode(descriptor, message.bytes.as_slice()).ok()
    });
    decoded.map_or_else(String::new, |decoded| decoded.to_string())
}
