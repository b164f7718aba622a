//! The state as bytes, and back.
//!
//! What the library writes of its sets is all that counts, unless joints came or went since the last
//! step: what it notes about them until the next one is not written. Shapes of the library of shapes
//! are named by what they are made from, and made again when the state is read. Each collider then
//! has its own copy of its shape, because the library reads them one by one.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};
use std::io::Read;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;

use rapier3d_f64::prelude::{ColliderSet, SoftBodySet};
use retake_diag::panic_message;
use retake_ecm::EntityId;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::filter::Tag;
use super::gaps::{self, Spliced};
use super::shapes::Shape;
use super::state::{State, write};
use crate::saved::CapturedState;
use crate::{EngineError, EngineSettings, FindShape};

/// A shape that is not in the bytes.
#[derive(Serialize, Deserialize)]
struct LeftOut {
    /// Where in the bytes of the colliders it belongs, in place of one byte.
    offset: u64,
    collision: EntityId,
    /// What it is made from.
    source: u128,
}

impl CapturedState for State {
    fn is_settled(&self) -> bool {
        !self.joints_changed
    }

    fn encode(&self, sink: &mut Vec<u8>) -> Result<(), EngineError> {
        let mut colliders = Vec::new();
        let left_out = self.encode_colliders(&mut colliders)?;
        // Threads belong to the machine, not to the state.
        let settings = EngineSettings { worker_threads: 1, ..self.settings };
        write(sink, &settings)?;
        write(sink, &self.gravity)?;
        write(sink, &self.parameters)?;
        write(sink, &self.islands)?;
        write(sink, &self.broad_phase)?;
        write(sink, &self.narrow_phase)?;
        write(sink, &self.bodies)?;
        write(sink, &self.impulse_joints)?;
        write(sink, &self.multibody_joints)?;
        write(sink, self.tables.as_ref())?;
        write(sink, &self.joints)?;
        write(sink, &self.pushed)?;
        write(sink, &self.stepped)?;
        write(sink, &left_out)?;
        sink.extend_from_slice(&colliders);
        Ok(())
    }
}

impl State {
    fn encode_colliders(&self, bytes: &mut Vec<u8>) -> Result<Vec<LeftOut>, EngineError> {
        let sources = self.colliders.iter().map(|(_, collider)| {
            let collision = Tag::unpack(collider.user_data).collision;
            self.tables.shapes.get(&collision).map(|source| (collision, *source))
        });
        let sources: Vec<Option<(EntityId, u128)>> = sources.collect();
        let is_left_out: Vec<bool> = sources.iter().map(Option::is_some).collect();
        let offsets = gaps::write(&self.colliders, &is_left_out, bytes)?;
        let places = offsets.into_iter().zip(sources.into_iter().flatten());
        let place = |(offset, (collision, source))| LeftOut { offset, collision, source };
        Ok(places.map(place).collect())
    }
}

/// Reads a state; `shapes` finds those that are not in it.
pub(super) fn decode(bytes: &[u8], shapes: FindShape<'_>) -> Result<State, EngineError> {
    // The library trusts what it reads, and may panic over numbers that fit nowhere.
    let read = panic::catch_unwind(AssertUnwindSafe(|| read(bytes, shapes)));
    let read = read.unwrap_or_else(|panic| Err(panic_message(panic.as_ref())));
    read.map_err(|reason| EngineError::BadState { reason })
}

fn read(bytes: &[u8], shapes: FindShape<'_>) -> Result<State, String> {
    let rest = &mut Spliced(VecDeque::from([bytes]));
    let settings: EngineSettings = read_one(rest)?;
    settings.validate().map_err(|error| error.to_string())?;
    let mut state = State {
        settings,
        gravity: read_one(rest)?,
        parameters: read_one(rest)?,
        islands: read_one(rest)?,
        broad_phase: read_one(rest)?,
        narrow_phase: read_one(rest)?,
        bodies: read_one(rest)?,
        colliders: ColliderSet::new(),
        impulse_joints: read_one(rest)?,
        multibody_joints: read_one(rest)?,
        soft_bodies: SoftBodySet::new(),
        tables: Arc::new(read_one(rest)?),
        joints: read_one(rest)?,
        pushed: read_one(rest)?,
        stepped: read_one(rest)?,
        joints_changed: false,
    };
    let left_out: Vec<LeftOut> = read_one(rest)?;
    let colliders = rest.0.front().copied().unwrap_or_default();
    state.colliders = read_colliders(colliders, &left_out, shapes)?;
    match state.first_stray() {
        None => Ok(state),
        Some(stray) => Err(format!("its tables name a {stray} that is not there")),
    }
}

fn read_colliders(
    bytes: &[u8],
    left_out: &[LeftOut],
    shapes: FindShape<'_>,
) -> Result<ColliderSet, String> {
    let mut found: BTreeMap<u128, Vec<u8>> = BTreeMap::new();
    for gap in left_out {
        if let Entry::Vacant(place) = found.entry(gap.source) {
            place.insert(find(gap, shapes)?);
        }
    }
    let mut parts = VecDeque::new();
    let mut begin = 0;
    for gap in left_out {
        let end = usize::try_from(gap.offset).unwrap_or(usize::MAX);
        let before = bytes.get(begin..end).ok_or("a shape belongs to where nothing is")?;
        parts.extend([before, &found[&gap.source]]);
        begin = end.saturating_add(1);
    }
    parts.push_back(bytes.get(begin..).ok_or("a shape belongs to where nothing is")?);
    let mut spliced = Spliced(parts);
    let colliders = read_one(&mut spliced)?;
    match spliced.0.iter().all(|part| part.is_empty()) {
        true => Ok(colliders),
        false => Err("something follows behind the colliders".to_owned()),
    }
}

/// Reads the next value, which the library was asked for as one.
fn read_one<T: DeserializeOwned>(bytes: &mut dyn Read) -> Result<T, String> {
    T::deserialize(&mut rmp_serde::Deserializer::new(bytes)).map_err(|error| error.to_string())
}

/// Makes a shape that was left out, and returns its bytes.
fn find(gap: &LeftOut, shapes: FindShape<'_>) -> Result<Vec<u8>, String> {
    let collision = gap.collision;
    let shape = shapes(collision)
        .map_err(|reason| format!("the shape of collision {collision} is missing: {reason}"))?;
    if shape.source() != Some(gap.source) {
        return Err(format!(
            "the shape of collision {collision} is another now; put the file that it is made from back as it was"
        ));
    }
    let shape = shape.shape::<Shape>().ok_or("a shape was made for another engine")?;
    let mut bytes = Vec::new();
    write(&mut bytes, &shape.shape).map_err(|error| error.to_string())?;
    Ok(bytes)
}
