//! What is in force, as the engine and the clock report it.

use retake_components::WorldClock;
use retake_description::PhysicsProfile;
use retake_ecm::Ecm;
use retake_msgs::physics_key::Kind;
use retake_msgs::{
    PhysicsKey, PhysicsParam, PhysicsProfile as ProfileMessage, PhysicsState, PhysicsUnused,
    PhysicsValue, UserCmdReply,
};
use retake_physics::{Engine, KeyKind, PROFILE_KEYS, ProfileKey, unused_settings};

use super::{PresetManager, edit};
use crate::RealTimeFactor;

/// Says everything about profiles and the values in force.
pub(crate) fn physics_state(ecm: &Ecm, engine: &dyn Engine, pace: RealTimeFactor) -> PhysicsState {
    let Ok(presets) = PresetManager::new(ecm) else { return PhysicsState::default() };
    PhysicsState {
        current: presets.current_profile().to_owned(),
        profiles: presets.profiles().iter().map(profile).collect(),
        in_force: in_force(&presets, engine, pace),
        not_used: not_used(&presets),
        keys: PROFILE_KEYS.iter().map(key).collect(),
    }
}

/// Adds the values in force to the reply to a change of profiles.
pub(crate) fn tell(reply: &mut UserCmdReply, ecm: &Ecm, engine: &dyn Engine, pace: RealTimeFactor) {
    let Ok(presets) = PresetManager::new(ecm) else { return };
    reply.in_force = in_force(&presets, engine, pace);
    reply.not_used = not_used(&presets);
    let values: Vec<String> = reply.in_force.iter().map(with_unit).collect();
    reply.message = format!("{}. In force: {}", reply.message, values.join(", "));
    if !reply.not_used.is_empty() {
        let ignored = reply.not_used.iter().map(|unused| unused.key.as_str());
        let ignored: Vec<&str> = ignored.collect();
        reply.message = format!("{}. Not used: {}", reply.message, ignored.join(", "));
    }
}

fn with_unit(param: &PhysicsParam) -> String {
    let unit = ProfileKey::find(&param.key).map_or("", |key| key.unit);
    format!("{} {} {unit}", param.key, param.value).trim_end().to_owned()
}

/// Asks the engine, the clock and the pace; a value that the engine does not use is not in force.
fn in_force(
    presets: &PresetManager<&Ecm>,
    engine: &dyn Engine,
    pace: RealTimeFactor,
) -> Vec<PhysicsParam> {
    let settings = engine.settings();
    let clock = presets.ecm.get::<WorldClock>(presets.world).copied().unwrap_or_default();
    let used = PROFILE_KEYS.iter().filter(|key| key.engines.contains(&engine.name()));
    let value = |key: &ProfileKey| match key.key {
        "type" => Some(engine.name().to_owned()),
        "max_step_size" => Some(clock.step_size.as_secs_f64().to_string()),
        "real_time_factor" => Some(pace.value().to_string()),
        "gravity" => Some(engine.gravity().to_array().map(|x| x.to_string()).join(" ")),
        path => edit::setting(&settings, path),
    };
    used.filter_map(|key| Some(param(key.key, value(key)?))).collect()
}

fn param(key: &str, value: String) -> PhysicsParam {
    PhysicsParam { key: key.to_owned(), value }
}

fn not_used(presets: &PresetManager<&Ecm>) -> Vec<PhysicsUnused> {
    let current = presets.profile(presets.current_profile()).ok();
    current.map(unused).unwrap_or_default()
}

fn unused(profile: &PhysicsProfile) -> Vec<PhysicsUnused> {
    let settings = unused_settings(profile).into_iter();
    settings.map(|u| PhysicsUnused { key: u.key, value: u.value, reason: u.reason }).collect()
}

fn profile(profile: &PhysicsProfile) -> ProfileMessage {
    let shown = |key: &&ProfileKey| !key.engines.is_empty() || profile.extra(key.key).is_some();
    let value = |key: &ProfileKey| {
        // A profile that asks for the impossible has no values, and says so when it is chosen.
        let param = edit::param(profile, key).ok()?;
        Some(PhysicsValue { key: key.key.to_owned(), value: param.value, written: param.written })
    };
    ProfileMessage {
        name: profile.name.clone(),
        is_default: profile.is_default,
        values: PROFILE_KEYS.iter().filter(shown).filter_map(value).collect(),
        not_used: unused(profile),
        sdf: retake_sdf::print_profile(profile),
    }
}

fn key(key: &ProfileKey) -> PhysicsKey {
    let (kind, range, choices) = match key.kind {
        KeyKind::Number(least, most) | KeyKind::ZeroOrNumber(least, most) => {
            (Kind::Number, Some((least, most)), &[][..])
        }
        KeyKind::Count(least, most) => {
            (Kind::Count, Some((f64::from(least), f64::from(most))), &[][..])
        }
        KeyKind::Flag => (Kind::Flag, None, &[][..]),
        KeyKind::Choice(words) => (Kind::Choice, None, words),
        KeyKind::Vector(least, most) => (Kind::Vector, Some((least, most)), &[][..]),
    };
    PhysicsKey {
        key: key.key.to_owned(),
        kind: kind.into(),
        unit: key.unit.to_owned(),
        min: range.map(|(least, _)| least),
        max: range.map(|(_, most)| most),
        choices: choices.iter().map(|word| (*word).to_owned()).collect(),
        default_value: key.default.to_owned(),
        description: key.about.to_owned(),
        engines: key.engines.iter().map(|engine| (*engine).to_owned()).collect(),
        allowed: key.allowed(),
        or_zero: matches!(key.kind, KeyKind::ZeroOrNumber(..)),
    }
}
