//! Services about the things in a world.

use regex_lite::Regex;
use retake_components::{
    BodyTwist, CanonicalLink, Kind, ModelProperties, find, path_of, world_pose,
};
use retake_ecm::{Ecm, EntityId};
use retake_math::{Pose, Quat, Twist, Vec3};
use retake_msgs::{DeleteEntities, EntityRef, InsertEntity, MoveEntity, user_cmd};
use serde_json::{Value, json};

use super::ServiceReply;
use super::simulation::{NOT_FOUND, UNSUPPORTED, only, outcome, outcome_of};
use super::worker::Worker;

/// Longest pattern that names are compared with.
const MAX_PATTERN: usize = 1000;

const ROBOT: u64 = 1;
const DYNAMIC: u64 = 4;
const STATIC: u64 = 5;

/// Result codes of `SpawnEntity`.
const NO_RESOURCE: u8 = 104;
const INVALID_POSE: u8 = 109;

pub(super) fn list(worker: &mut Worker, request: &Value, reply: ServiceReply) {
    let answer =
        |result: Value, entities: Vec<String>| Ok(json!({"result": result, "entities": entities}));
    let filters = &request["filters"];
    let has = |value: &Value| value.as_array().is_some_and(|list| !list.is_empty());
    if has(&filters["tags"]["tags"]) || has(&filters["bounds"]["points"]) {
        let text = "Entities are found by name and category, not by tags or bounds";
        return reply(answer(outcome(UNSUPPORTED, text), Vec::new()));
    }
    let pattern: String =
        filters["filter"].as_str().unwrap_or_default().chars().take(MAX_PATTERN).collect();
    let pattern = match Regex::new(&pattern) {
        Ok(pattern) => pattern,
        Err(error) => {
            let text = format!("filter is no regular expression: {error}");
            return reply(answer(outcome(4, &text), Vec::new()));
        }
    };
    let wanted: Vec<u64> = filters["categories"].as_array().map_or(Vec::new(), |list| {
        list.iter().filter_map(|one| one["category"].as_u64()).collect()
    });
    let Some(view) = &worker.view else { return reply(Err("no world yet".to_owned())) };
    let models = view.ecm.iter::<Kind>().filter(|(_, kind)| **kind == Kind::Model);
    let fits =
        |model: EntityId| wanted.is_empty() || wanted.contains(&category(worker, &view.ecm, model));
    let names =
        models.filter(|(model, _)| fits(*model)).map(|(model, _)| path_of(&view.ecm, model));
    let names = names.filter(|name| pattern.is_match(name)).collect();
    reply(answer(outcome(1, ""), names));
}

fn category(worker: &Worker, ecm: &Ecm, model: EntityId) -> u64 {
    let is_robot = worker.robots.iter().any(|robot| robot.model == model);
    let is_static = ecm.get::<ModelProperties>(model).is_some_and(|model| model.is_static);
    match (is_robot, is_static) {
        (true, _) => ROBOT,
        (false, true) => STATIC,
        (false, false) => DYNAMIC,
    }
}

pub(super) fn state(worker: &mut Worker, request: &Value, reply: ServiceReply) {
    let name = request["entity"].as_str().unwrap_or_default();
    let Some(view) = &worker.view else { return reply(Err("no world yet".to_owned())) };
    let Some(entity) = find(&view.ecm, name) else { return reply(not_found(name)) };
    let pose = world_pose(&view.ecm, entity);
    let body = view.ecm.get::<CanonicalLink>(entity).map_or(entity, |canonical| canonical.0);
    let twist = view.ecm.get::<BodyTwist>(body).map_or_else(Twist::default, |twist| twist.0);
    let (p, q) = (pose.position, pose.rotation);
    let vector = |v: Vec3| json!({"x": v.x, "y": v.y, "z": v.z});
    let header = json!({"stamp": worker.clock.told(now(view)).message(), "frame_id": "world"});
    reply(Ok(json!({
        "result": outcome(1, ""),
        "state": {
            "header": header,
            "pose": {
                "position": vector(p),
                "orientation": {"x": q.x, "y": q.y, "z": q.z, "w": q.w},
            },
            "twist": {"linear": vector(twist.linear), "angular": vector(twist.angular)},
        },
    })));
}

fn now(view: &retake_sim::View) -> retake_math::SimTime {
    let time = view.stats.sim_time.as_ref();
    time.map_or(retake_math::SimTime::ZERO, retake_math::SimTime::from)
}

fn not_found(name: &str) -> Result<Value, String> {
    only(NOT_FOUND, &format!("No entity is called {name:?}"))
}

pub(super) fn set_state(worker: &mut Worker, request: &Value, reply: ServiceReply) {
    let name = request["entity"].as_str().unwrap_or_default();
    let flag = |name: &str| request[name].as_bool().unwrap_or(false);
    if flag("set_twist") || flag("set_acceleration") {
        return reply(only(UNSUPPORTED, "Only poses are set: set_pose alone may be true"));
    }
    let known = worker.view.as_ref().is_some_and(|view| find(&view.ecm, name).is_some());
    if !known {
        return reply(not_found(name));
    }
    if !flag("set_pose") {
        return reply(only(1, ""));
    }
    let Some(pose) = pose(&request["state"]["pose"]) else {
        return reply(only(101, "The pose has numbers that make no sense"));
    };
    let pose: retake_msgs::Pose = pose.into();
    let command = user_cmd::Command::MoveEntity(MoveEntity {
        entity: Some(EntityRef::named(name)),
        position: pose.position,
        orientation: pose.orientation,
        keep_velocity: false,
    });
    worker.command(command, |worker, said| worker.reply_when_seen(reply, &said));
}

pub(super) fn spawn(worker: &mut Worker, request: &Value, reply: ServiceReply) {
    let refused =
        |code: u8, text: &str| Ok(json!({"result": outcome(code, text), "entity_name": ""}));
    let text = request["entity_resource"]["resource_string"].as_str().unwrap_or_default();
    if text.is_empty() {
        let text = "entity_resource.resource_string is empty: write the SDF or URDF into it";
        return reply(refused(NO_RESOURCE, text));
    }
    let frame = request["initial_pose"]["header"]["frame_id"].as_str().unwrap_or_default();
    if !matches!(frame, "" | "world") {
        return reply(refused(
            INVALID_POSE,
            "The frame of initial_pose must be \"world\" or empty",
        ));
    }
    let Some(pose) = pose(&request["initial_pose"]["pose"]) else {
        return reply(refused(INVALID_POSE, "initial_pose has numbers that make no sense"));
    };
    let command = user_cmd::Command::InsertEntity(InsertEntity {
        sdf: text.to_owned(),
        name: request["name"].as_str().unwrap_or_default().to_owned(),
        pose: Some(pose.into()),
        allow_renaming: request["allow_renaming"].as_bool().unwrap_or(false),
        parent: None,
    });
    worker.command(command, move |worker, said| match said.entities.first() {
        // Its name may be another one than asked for; the next view has it.
        Some(made) if said.ok => worker.spawned.push((EntityId::from_raw(*made), reply)),
        _ => reply(Ok(json!({"result": outcome_of(&said), "entity_name": ""}))),
    });
}

impl Worker {
    /// Tells those who inserted something what it is called.
    pub(super) fn answer_spawners(&mut self) {
        let Some(view) = &self.view else { return };
        let waiting = std::mem::take(&mut self.spawned);
        for (entity, reply) in waiting {
            match view.ecm.exists(entity) {
                true => {
                    let name = path_of(&view.ecm, entity);
                    reply(Ok(json!({"result": outcome(1, ""), "entity_name": name})));
                }
                false => self.spawned.push((entity, reply)),
            }
        }
    }
}

pub(super) fn delete(worker: &mut Worker, request: &Value, reply: ServiceReply) {
    let name = request["entity"].as_str().unwrap_or_default();
    let known = worker.view.as_ref().is_some_and(|view| find(&view.ecm, name).is_some());
    if !known {
        return reply(not_found(name));
    }
    let entity = vec![EntityRef::named(name)];
    let command = user_cmd::Command::DeleteEntities(DeleteEntities { entity });
    worker.command(command, |worker, said| worker.reply_when_seen(reply, &said));
}

/// Reads a pose; a rotation of all zeros is none.
fn pose(message: &Value) -> Option<Pose> {
    let number = |part: &str, name: &str| message[part][name].as_f64().unwrap_or(f64::NAN);
    let position = ["x", "y", "z"].map(|name| number("position", name));
    let rotation = ["x", "y", "z", "w"].map(|name| number("orientation", name));
    let pose = Pose::new(Vec3::from_array(position), Quat::from_array(rotation));
    pose.is_finite().then(|| pose.normalized())
}
