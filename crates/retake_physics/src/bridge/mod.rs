//! Keeps an engine and the Ecm in step.
//!
//! Before a step the bridge brings every change in the Ecm to the engine, after it every movement
//! back. Whatever it remembers besides the engine is a cache over the Ecm: a time jump drops it.

mod assemble;
mod follow;
mod hand;
mod index;
mod live;
mod profile;
mod pull;
mod push;
mod readings;
mod room;

use std::io::Write;
use std::sync::Arc;

use retake_components::{Shape, world_pose};
use retake_ecm::{ComponentSet, Ecm, EntityId};

use crate::keys::{HAS_MUJOCO, MUJOCO, RAPIER, TPE};
use crate::library::ShapeRoom;
use crate::{
    Engine, EngineError, EngineNote, EngineSettings, EngineSnapshot, EngineState, LoadProgress,
    PreparedShape, RapierEngine, ShapeLibrary, StepError, TpeEngine, Visit,
};
pub use assemble::colliders_of;
use index::BodyIndex;
pub use profile::{ProfileError, gravity_of_profile, settings_of_profile};
use readings::Before;
pub use readings::{LinkReading, Readings, Touch, Watched, touching};

/// An engine together with its view of the Ecm.
pub struct Physics {
    engine: Box<dyn Engine>,
    shapes: Arc<ShapeLibrary>,
    index: Arc<BodyIndex>,
    /// Changes of the Ecm up to this tick are in the engine.
    seen: u64,
    /// What is looked at for changes; made at the first look.
    components: Option<ComponentSet>,
    bodies_read: pull::BodiesRead,
    joints_read: pull::JointsRead,
    /// What onlookers want to be measured, and what came of it.
    watched: Watched,
    readings: Readings,
    /// What the shapes in the engine take; none when it has to be looked for again.
    room: Option<ShapeRoom>,
}

/// The engine's half of a keyframe; cheap to clone and to keep.
#[derive(Clone)]
pub struct PhysicsSnapshot {
    engine: EngineSnapshot,
    /// Found again from the Ecm at any time, but kept because that would take as long as a step.
    index: Arc<BodyIndex>,
}

impl PhysicsSnapshot {
    /// Returns about how many bytes it keeps in memory.
    pub fn bytes(&self) -> usize {
        self.engine.bytes()
    }

    /// Says whether [`PhysicsSnapshot::encode`] can write it. Not when joints came or went since the
    /// last step, alone or with their models.
    pub fn is_settled(&self) -> bool {
        self.engine.is_settled()
    }

    /// Writes it as bytes, on any thread.
    ///
    /// # Errors
    /// [`EngineError::Unsettled`] when joints came or went since the last step.
    pub fn encode(&self) -> Result<EngineState, EngineError> {
        self.engine.encode()
    }

    /// Says whether both keep the same memory.
    pub fn shares(&self, other: &Self) -> bool {
        self.engine.shares(&other.engine)
    }
}

/// Makes an empty engine: `tpe` or `mujoco` when it is called that, Rapier for every other name that
/// the format knows, because it is what stands in for them.
fn engine_called(name: &str, settings: EngineSettings) -> Result<Box<dyn Engine>, EngineError> {
    Ok(match name {
        TPE => Box::new(TpeEngine::new(settings)?),
        #[cfg(feature = "mujoco")]
        MUJOCO => Box::new(crate::MujocoEngine::new(settings)?),
        _ => Box::new(RapierEngine::new(settings)?),
    })
}

/// Says whether a link is in the Ecm where the engine has it, but for rounding.
fn is_at(ecm: &Ecm, link: EntityId, state: &crate::BodyState) -> bool {
    let there = world_pose(ecm, link).position;
    let apart = (there - state.world_from_link.position).length();
    apart <= SAME_PLACE * (1.0 + there.length())
}

/// Most that a link may be apart in the Ecm and in the engine, in metres at the origin.
const SAME_PLACE: f64 = 1e-6;

/// What came of bringing changes to the engine.
#[derive(Debug, Default)]
pub struct Followed {
    /// What was done, but not as asked.
    pub remarks: Vec<EngineNote>,
    /// What the engine did not take; it is as before, unlike the Ecm.
    pub refusals: Vec<EngineNote>,
    /// Whether the engine was told anything.
    acted: bool,
}

impl Physics {
    /// Makes a bridge that has seen nothing of any Ecm yet.
    pub fn new(engine: Box<dyn Engine>) -> Self {
        let shapes = Arc::new(ShapeLibrary::new(engine.shape_maker()));
        Self::sharing(engine, shapes)
    }

    /// Makes such a bridge that takes its shapes from the library of another one.
    pub fn sharing(engine: Box<dyn Engine>, shapes: Arc<ShapeLibrary>) -> Self {
        Self {
            engine,
            shapes,
            index: Arc::default(),
            seen: 0,
            components: None,
            bodies_read: pull::BodiesRead::default(),
            joints_read: pull::JointsRead::default(),
            watched: Watched::default(),
            readings: Readings::default(),
            room: None,
        }
    }

    /// Puts another engine in place, empty: the next look at the Ecm fills it.
    fn switch_engine(&mut self, name: &str) -> Result<(), EngineError> {
        self.engine = engine_called(name, self.engine.settings())?;
        self.index = Arc::default();
        self.room = None;
        Ok(())
    }

    /// Returns the engine, for reading.
    pub fn engine(&self) -> &dyn Engine {
        self.engine.as_ref()
    }

    /// Returns where the shapes of files come from; loaders fill it ahead of time.
    pub fn shapes(&self) -> &Arc<ShapeLibrary> {
        &self.shapes
    }

    /// Makes the shapes of everything that collides ready, on several threads.
    ///
    /// Without it they are made when the world is followed, one after the other. Holding what it
    /// returns until then keeps them from giving way to one another.
    pub fn prepare(&self, ecm: &Ecm, tell: &(dyn Fn(LoadProgress) + Sync)) -> Vec<PreparedShape> {
        let models = index::top_level_models(ecm).into_iter();
        let wanted: Vec<_> = models.map(|model| room::shapes_of(ecm, model)).collect();
        self.shapes.measure_all(&wanted.concat());
        // The engine takes no more than fits, in this order.
        let mut room = ShapeRoom::default();
        let mut fits = |shapes: &Vec<&_>| room.add(&self.shapes, shapes.iter().copied()).is_ok();
        let taken: Vec<_> = wanted.into_iter().filter(|shapes| fits(shapes)).collect();
        self.shapes.prepare_all(taken.concat(), tell)
    }

    /// Brings every change of the Ecm since the last call to the engine.
    ///
    /// What the engine itself moved by it, as the links behind a joint that was set, is written
    /// back at once.
    pub fn follow(&mut self, ecm: &mut Ecm) -> Followed {
        let followed = self.follow_news(ecm);
        if followed.acted {
            self.read_back(ecm);
        }
        self.seen = ecm.close_tick();
        followed
    }

    /// Brings changes to the engine as [`Physics::follow`] does, one of many: what the engine
    /// moved by them is written back once at the end, by [`Physics::read_back`].
    pub fn follow_one_of_many(&mut self, ecm: &mut Ecm) -> Followed {
        let followed = self.follow_news(ecm);
        self.seen = ecm.close_tick();
        followed
    }

    /// As in most steps, there may be none: then nobody looks for what they are.
    fn follow_news(&mut self, ecm: &Ecm) -> Followed {
        let known = self.components.take().filter(|components| components.is_of(ecm));
        let components = known.unwrap_or_else(|| follow::followed_components(ecm));
        let changed = ecm.any_changed_since(&components, self.seen);
        self.components = Some(components);
        let removed = || ecm.removed_since(self.seen).is_none_or(|removed| !removed.is_empty());
        match changed || removed() {
            true => follow::follow(self, ecm),
            false => Followed::default(),
        }
    }

    /// Writes what the engine moved by itself into the Ecm.
    pub fn read_back(&mut self, ecm: &mut Ecm) {
        self.bodies_read.pull(self.engine.as_ref(), &self.index, ecm);
        self.joints_read.pull(self.engine.as_ref(), ecm);
        self.seen = ecm.close_tick();
    }

    /// Makes one step, and writes what moved into the Ecm.
    ///
    /// # Errors
    /// [`StepError`]: the Ecm is as before the step, the engine wants a restore.
    pub fn step(&mut self, ecm: &mut Ecm, dt_secs: f64) -> Result<(), StepError> {
        let before = Before::look(ecm, &self.watched);
        hand::pull_links(self.engine.as_mut(), ecm, dt_secs);
        push::push_links(self.engine.as_mut(), ecm);
        self.engine.step(dt_secs)?;
        push::let_go(ecm);
        self.bodies_read.pull(self.engine.as_ref(), &self.index, ecm);
        self.joints_read.pull(self.engine.as_ref(), ecm);
        self.readings = before.write(self.engine.as_ref(), ecm, dt_secs);
        self.seen = ecm.close_tick();
        Ok(())
    }

    /// Measures these from the next step on, besides what components ask for.
    pub fn watch(&mut self, watched: Watched) {
        self.watched = watched;
    }

    /// Returns what was measured for onlookers in the last step.
    pub fn readings(&self) -> &Readings {
        &self.readings
    }

    /// Captures the engine's half of a keyframe.
    pub fn snapshot(&self) -> PhysicsSnapshot {
        PhysicsSnapshot { engine: self.engine.snapshot(), index: Arc::clone(&self.index) }
    }

    /// Takes the engine back to a snapshot, changing to the engine that made it; `ecm` must be the
    /// Ecm of the same instant.
    ///
    /// # Errors
    /// [`EngineError::ForeignSnapshot`] when no engine here made it.
    pub fn restore(
        &mut self,
        snapshot: &PhysicsSnapshot,
        ecm: &mut Ecm,
    ) -> Result<(), EngineError> {
        let PhysicsSnapshot { engine, index } = snapshot;
        if engine.engine() != self.engine.name() {
            self.switch_engine(engine.engine())?;
        }
        self.engine.restore(engine)?;
        self.index = Arc::clone(index);
        self.room = None;
        // They were measured in a step that this instant does not follow.
        self.readings = Readings::default();
        self.seen = ecm.close_tick();
        Ok(())
    }

    /// Reads what [`PhysicsSnapshot::encode`] wrote; `ecm` must be the Ecm of the same instant. Shapes
    /// are made anew from what it says about them.
    ///
    /// # Errors
    /// [`EngineError::ForeignState`] when no engine here wrote it, [`EngineError::BadState`] when it is
    /// damaged, a shape is not as it was, or it does not belong to `ecm`.
    pub fn decode(&self, state: &EngineState, ecm: &Ecm) -> Result<PhysicsSnapshot, EngineError> {
        let shapes = |collision: EntityId| match ecm.get::<Shape>(collision) {
            Some(shape) => self.shapes.get(&shape.0),
            None => Err("the state has no such collision".to_owned()),
        };
        let mut reader = match state.engine.as_str() {
            name @ (TPE | RAPIER) => engine_called(name, EngineSettings::default())?,
            name @ MUJOCO if HAS_MUJOCO => engine_called(name, EngineSettings::default())?,
            MUJOCO => return Err(state.foreign(format!("{RAPIER} or {TPE}, without MuJoCo"))),
            _ => return Err(state.foreign(format!("{RAPIER} or {TPE}"))),
        };
        let engine = reader.decode(state, &shapes)?;
        reader.restore(&engine)?;
        let index = BodyIndex::of(ecm);
        let mut mismatch = None;
        reader.visit_bodies(Visit::All, &mut |link, state| {
            if index.owner(link).is_none() {
                mismatch = Some(format!("the components have no link {link}, which it moves"));
            } else if !is_at(ecm, link, state) {
                mismatch = Some(format!("it is of another instant: link {link} is elsewhere"));
            }
        });
        match mismatch {
            None => Ok(PhysicsSnapshot { engine, index: Arc::new(index) }),
            Some(reason) => Err(EngineError::BadState { reason }),
        }
    }

    /// Adds the engine's complete state to a hash.
    ///
    /// # Errors
    /// [`EngineError::Encode`] when the writer refuses.
    pub fn hash_state(&self, sink: &mut dyn Write) -> Result<(), EngineError> {
        self.engine.hash_state(sink)
    }
}
