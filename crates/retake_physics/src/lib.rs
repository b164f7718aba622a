//! Physics engines behind one trait, and their bridge to the Ecm.
//!
//! An [`Engine`] knows entities only by id: it is told what to simulate as plain [`Assembly`]
//! values, is stepped, and is read by visiting what moved. Its state is complete in an
//! [`EngineSnapshot`]: restoring one and stepping gives the same bits as never having left. As bytes
//! it is an [`EngineState`], which the same version of the engine reads, on this machine or another.
//! [`RapierEngine`] does everything; [`TpeEngine`] only moves things as they are told; with the
//! feature `mujoco` there is one more, quick with robots. No type of an engine's own library leaves
//! this crate.

pub mod accuracy;
mod bridge;
mod check;
mod engine;
mod error;
mod keys;
mod library;
#[cfg(feature = "mujoco")]
mod mujoco;
mod plan;
mod rapier;
mod saved;
mod settings;
mod shape;
mod spec;
mod tpe;
mod unsupported;

pub use bridge::{
    Followed, LinkReading, Physics, PhysicsSnapshot, ProfileError, Readings, Touch, Watched,
    colliders_of, gravity_of_profile, settings_of_profile, touching,
};
pub use engine::{
    AfterTeleport, BodyState, ContactPoint, ContactState, Engine, EngineSnapshot, FindShape,
    JointDrive, JointState, Visit,
};
pub use error::{EngineError, EngineNote, StepError};
pub use keys::{KeyKind, PROFILE_KEYS, ProfileKey, UnusedSetting, engine_for, unused_settings};
pub use library::{LoadProgress, ShapeLibrary};
#[cfg(feature = "mujoco")]
pub use mujoco::MujocoEngine;
pub use rapier::{BareRapier, Overlaps, RapierEngine};
pub use saved::{CapturedState, EngineState};
pub use settings::{EngineSettings, FrictionModel};
pub use shape::{PreparedShape, ShapeMaker, ShapeSource};
pub use spec::{Assembly, AxisSpec, BodySpec, ColliderSpec, GearboxSpec, JointSpec, MeshData};
pub use tpe::TpeEngine;
pub use unsupported::{Remark, unsupported};
