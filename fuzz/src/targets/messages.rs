//! Requests of every service, with any values, to a server with a world.
//!
//! An input is a number; the messages are made up from it by their descriptors, so that new fields
//! and services are tried without a word here.

use std::sync::Arc;

use fastrand::Rng;
use prost::Message as _;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, MapKey, MessageDescriptor, Value};
use retake_assets::ResourceRoots;
use retake_components::{EntityName, LocalPose};
use retake_diag::Diagnostics;
use retake_msgs::descriptor_pool;
use retake_sim::{
    Request, Server, ServerOptions, ServiceEntry, Simulation, SimulationOptions, service_table,
};
use tempfile::TempDir;

use super::{Verdict, ensure, seen};
use crate::samples::root;
use crate::words::{INTEGERS, WORDS};

/// Requests of one input.
const REQUESTS: usize = 40;
/// Messages inside one another, at most.
const MAX_DEPTH: usize = 8;
/// Worlds that are asked, with the folders that they need beside them.
const WORLDS: &[(&str, &[&str])] = &[
    ("arm.sdf", &["motions/arm"]),
    ("cones.sdf", &["models"]),
    ("scripts.sdf", &["models", "scripts"]),
    ("mixed_profiles.sdf", &["models"]),
];
/// Words that mean something to the server, beside the names of entities.
const KNOWN: &[&str] = &[
    "id-1",
    "id-2",
    "id-3",
    "ann",
    "wave",
    "pick",
    "accurate",
    "fast",
    "default",
    "max_step_size",
    "friction.mu",
    "surface",
    "inertial",
    "mass_kg",
    "pose",
    "name",
    "live",
    "mark",
    "<model name='n'><link name='l'/></model>",
    "<physics name='p' type='rapier'/>",
];

pub(super) fn none() -> Vec<Vec<u8>> {
    Vec::new()
}

/// Makes up messages.
pub(super) struct Author<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) words: &'a [String],
}

impl Author<'_> {
    /// Makes a message up.
    pub(super) fn message(&mut self, kind: MessageDescriptor, depth: usize) -> DynamicMessage {
        let mut message = DynamicMessage::new(kind.clone());
        // One of a choice: setting a second one would take the first away.
        let chosen: Vec<FieldDescriptor> = kind
            .oneofs()
            .filter_map(|choice| {
                let fields: Vec<_> = choice.fields().collect();
                self.rng.choice(&fields).cloned()
            })
            .collect();
        for field in kind.fields() {
            let wanted = match field.containing_oneof() {
                Some(_) => chosen.contains(&field) && self.rng.u8(..10) > 0,
                None => self.rng.u8(..10) < 7,
            };
            if wanted && depth < MAX_DEPTH {
                let value = self.field(&field, depth);
                message.set_field(&field, value);
            }
        }
        message
    }

    fn field(&mut self, field: &FieldDescriptor, depth: usize) -> Value {
        let many = if self.rng.u8(..20) == 0 { 40 } else { 3 };
        if field.is_map() {
            let entry = match field.kind() {
                Kind::Message(entry) => entry,
                _ => return Value::Map(Default::default()),
            };
            let value = entry.map_entry_value_field();
            let key = |author: &mut Self| MapKey::String(author.word());
            let all =
                (0..self.rng.usize(..many)).map(|_| (key(self), self.field(&value, depth + 1)));
            return Value::Map(all.collect());
        }
        if field.is_list() {
            return Value::List(
                (0..self.rng.usize(..many)).map(|_| self.value(field, depth)).collect(),
            );
        }
        self.value(field, depth)
    }

    fn value(&mut self, field: &FieldDescriptor, depth: usize) -> Value {
        match field.kind() {
            Kind::Double => Value::F64(self.number()),
            Kind::Float => Value::F32(self.number() as f32),
            Kind::Bool => Value::Bool(self.rng.bool()),
            Kind::String => Value::String(self.word()),
            Kind::Bytes => {
                let many = self.rng.usize(..40);
                Value::Bytes((0..many).map(|_| self.rng.u8(..)).collect::<Vec<u8>>().into())
            }
            Kind::Int32 | Kind::Sint32 | Kind::Sfixed32 => Value::I32(self.integer() as i32),
            Kind::Int64 | Kind::Sint64 | Kind::Sfixed64 => Value::I64(self.integer() as i64),
            Kind::Uint32 | Kind::Fixed32 => Value::U32(self.integer() as u32),
            Kind::Uint64 | Kind::Fixed64 => Value::U64(self.integer()),
            Kind::Enum(_) => Value::EnumNumber(self.rng.i32(-1..8)),
            Kind::Message(kind) => Value::Message(self.message(kind, depth + 1)),
        }
    }

    /// Mostly one that a person would give.
    fn number(&mut self) -> f64 {
        match self.rng.u8(..20) {
            0 => *self.rng.choice(&[f64::NAN, f64::INFINITY, f64::NEG_INFINITY]).unwrap_or(&0.0),
            1 => *self.rng.choice(&[1e308, -1e308, 1e-320, 1e30, -1.0, 1e9]).unwrap_or(&0.0),
            2 | 3 => 0.0,
            4..8 => 1.0,
            _ => self.rng.f64() * 4.0 - 1.0,
        }
    }

    fn integer(&mut self) -> u64 {
        match self.rng.u8(..4) {
            0 => INTEGERS[self.rng.usize(..INTEGERS.len())],
            _ => self.rng.u64(..60),
        }
    }

    pub(super) fn word(&mut self) -> String {
        match self.rng.u8(..10) {
            0 => WORDS[self.rng.usize(..WORDS.len())].to_owned(),
            1 => "x".repeat(1 << self.rng.usize(..14)),
            2 | 3 => KNOWN[self.rng.usize(..KNOWN.len())].to_owned(),
            _ => self.rng.choice(self.words).cloned().unwrap_or_default(),
        }
    }
}

/// A server with a world in a folder of its own, where it may save what it likes.
pub(super) struct Stage {
    pub(super) server: Server,
    pub(super) words: Vec<String>,
    pub(super) folder: TempDir,
}

impl Stage {
    pub(super) fn new(rng: &mut Rng) -> Result<Self, String> {
        let (file, folders) = WORLDS[rng.usize(..WORLDS.len())];
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let from = root().join("worlds");
        copy(&from.join(file), &folder.path().join(file))?;
        for beside in folders {
            copy(&from.join(beside), &folder.path().join(beside))?;
        }
        let mut found = Diagnostics::new();
        let path = folder.path().join(file);
        let world = retake_sdf::load_world_file(&path, &ResourceRoots::new(), &mut found);
        let world = world.ok_or_else(|| format!("{file}: {found}"))?;
        let mut roots = ResourceRoots::new();
        roots.add(folder.path()).map_err(|error| error.to_string())?;
        let options = SimulationOptions { roots, ..SimulationOptions::default() };
        let simulation = Simulation::load(&world, &options).map_err(|error| error.to_string())?;
        let words = words_of(&simulation);
        let options = ServerOptions { paused: rng.bool(), ..ServerOptions::default() };
        Ok(Self { server: Server::new(simulation, &options), words, folder })
    }
}

fn copy(from: &std::path::Path, to: &std::path::Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    if !from.is_dir() {
        return std::fs::copy(from, to).map(|_| ()).map_err(failed);
    }
    std::fs::create_dir_all(to).map_err(failed)?;
    for entry in std::fs::read_dir(from).map_err(failed)?.flatten() {
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// The names of all entities, alone and with those that they are part of.
fn words_of(simulation: &Simulation) -> Vec<String> {
    let ecm = simulation.ecm();
    let names = ecm.iter::<EntityName>();
    names
        .flat_map(|(entity, name)| [name.0.clone(), retake_components::path_of(ecm, entity)])
        .collect()
}

/// Chance, as the input has it.
pub(super) fn seeded(input: &[u8]) -> Rng {
    let mut seed = [0; 8];
    let known = input.len().min(8);
    seed[..known].copy_from_slice(&input[..known]);
    Rng::with_seed(u64::from_le_bytes(seed))
}

pub(super) fn ask_services(input: &[u8]) -> Verdict {
    let mut rng = seeded(input);
    let mut stage = Stage::new(&mut rng)?;
    let services = service_table("w");
    let mut taken = false;
    for _ in 0..REQUESTS {
        taken |= request(&mut stage, &services, &mut rng)?;
        for _ in 0..rng.usize(..3) {
            if stage.server.wants_step() {
                stage.server.step();
            }
        }
        stage.server.drain_events();
        stage.server.drain_messages();
    }
    finite(&stage.server)?;
    stage.server.simulation().hash().map_err(|error| format!("no hash: {error}"))?;
    Ok(seen(taken))
}

/// Asks for something; says whether it was done.
fn request(stage: &mut Stage, services: &[ServiceEntry], rng: &mut Rng) -> Result<bool, String> {
    let Stage { server, words, .. } = stage;
    if rng.u8(..6) == 0 {
        return Ok(speak(server, words, rng));
    }
    // Every other one is a command of a user: there are many kinds.
    let commands = |entry: &&ServiceEntry| entry.request_type.ends_with(".UserCmd");
    let service = match rng.bool() {
        true => services.iter().find(commands),
        false => rng.choice(services),
    };
    let Some(service) = service else { return Ok(false) };
    let kind = descriptor_pool().get_message_by_name(&service.request_type);
    let kind = kind.ok_or_else(|| format!("no type {}", service.request_type))?;
    let mut bytes = Author { rng, words }.message(kind, 0).encode_to_vec();
    if rng.u8(..20) == 0 && !bytes.is_empty() {
        let at = rng.usize(..bytes.len());
        bytes[at] ^= 1 << rng.u8(..8);
    }
    let Ok(request) = (service.decode)(&bytes) else { return Ok(false) };
    let edits = matches!(request, Request::Command(_));
    let before = edits.then(|| server.simulation().hash().ok()).flatten();
    let response = server.handle(request);
    response.encode().ok();
    let reply = response.into_reply();
    if let Some(before) = before.filter(|_| !reply.ok) {
        let after = server.simulation().hash().map_err(|error| error.to_string())?;
        ensure(after == before, || format!("refused, but changed: {}", reply.message))?;
    }
    Ok(reply.ok)
}

/// Sends a message to a topic that a system hears.
fn speak(server: &mut Server, words: &[String], rng: &mut Rng) -> bool {
    let Some(topics) = server.changed_subscriptions() else { return false };
    let Some(topic) = rng.choice(&topics).cloned() else { return false };
    let kinds: Vec<MessageDescriptor> = descriptor_pool().all_messages().collect();
    let Some(kind) = rng.choice(&kinds).cloned() else { return false };
    let bytes = Author { rng, words }.message(kind, 0).encode_to_vec();
    server.handle(Request::Message { topic, bytes });
    true
}

/// No number in the world is none, endless or beyond all reason.
fn finite(server: &Server) -> Result<(), String> {
    let ecm = server.simulation().ecm();
    let wild = ecm.iter::<LocalPose>().find(|(_, pose)| !pose.0.is_finite());
    match wild {
        Some((entity, pose)) => {
            Err(format!("{} is at {pose:?}", retake_components::path_of(ecm, entity)))
        }
        None => Ok(()),
    }
}

/// A state from another process: taken whole or refused whole, and what is taken goes out again.
pub(super) fn state_samples() -> Vec<Vec<u8>> {
    let mut rng = Rng::with_seed(1);
    let mut all = Vec::new();
    for _ in 0..WORLDS.len() {
        let Ok(mut stage) = Stage::new(&mut rng) else { continue };
        let first = stage.server.view();
        all.push(stage.server.simulation().ecm().encode_full().encode_to_vec());
        stage.server.step();
        all.push(stage.server.simulation().ecm().encode_edit(&first).encode_to_vec());
    }
    all
}

pub(super) fn apply_state(input: &[u8]) -> Verdict {
    let Ok(state) = retake_msgs::SerializedState::decode(input) else { return Ok(seen(false)) };
    let registry = retake_sim::systems::register(retake_components::registry()).build();
    let mut ecm = retake_ecm::Ecm::new(Arc::clone(&registry));
    let before = ecm.entity_count();
    if ecm.apply(&state).is_err() {
        ensure(ecm.entity_count() == before, || "refused, but changed".to_owned())?;
        return Ok(seen(false));
    }
    let mut copy = retake_ecm::Ecm::new(registry);
    copy.apply(&ecm.encode_full()).map_err(|error| format!("its own state is refused: {error}"))?;
    ensure(hash(&copy) == hash(&ecm), || "its copy differs".to_owned())?;
    Ok(seen(true))
}

fn hash(ecm: &retake_ecm::Ecm) -> Option<u128> {
    let mut hash = retake_ecm::StateHash::new();
    hash.add_ecm(ecm).ok()?;
    Some(hash.finish())
}
