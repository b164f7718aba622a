//! What can go wrong in an engine.

use retake_ecm::EntityId;
use thiserror::Error;

/// Why an engine refused a request; nothing was changed.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EngineError {
    /// A number is infinite or not a number.
    #[error("{field} of entity {entity} is not a finite number")]
    NotFinite {
        /// The entity it belongs to.
        entity: EntityId,
        /// The field, as in `inertial.mass`.
        field: &'static str,
    },
    /// A number is outside of what makes sense.
    #[error("{field} of entity {entity} is {value}; it must be {allowed}")]
    OutOfRange {
        /// The entity it belongs to.
        entity: EntityId,
        /// The field, as in `inertial.mass`.
        field: &'static str,
        /// What was given.
        value: f64,
        /// What would have been accepted.
        allowed: &'static str,
    },
    /// A setting is outside of what the engine takes.
    #[error("physics setting {field} is {value}; it must be {allowed}")]
    BadSetting {
        /// The setting.
        field: &'static str,
        /// What was given.
        value: f64,
        /// What would have been accepted.
        allowed: &'static str,
    },
    /// The worker threads could not be started.
    #[error("cannot start {threads} physics threads: {reason}. Ask for fewer")]
    NoThreads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        reason: String,
    },
    /// A shape cannot be made.
    #[error("collision {collision} has no usable shape: {reason}")]
    BadShape {
        /// The collision.
        collision: EntityId,
        /// What is wrong with it.
        reason: String,
    },
    /// The engine has no such model, link or joint.
    #[error("the engine has no {what} {entity}")]
    Unknown {
        /// What was looked for.
        entity: EntityId,
        /// Its kind.
        what: &'static str,
    },
    /// The entity is there already.
    #[error("the engine has {what} {entity} already; remove it first")]
    Duplicate {
        /// What was to be inserted.
        entity: EntityId,
        /// Its kind.
        what: &'static str,
    },
    /// The joint has fewer axes.
    #[error("joint {joint} has {count} axes, there is no axis {axis}")]
    NoSuchAxis {
        /// The joint.
        joint: EntityId,
        /// The axis asked for, from zero.
        axis: usize,
        /// How many there are.
        count: usize,
    },
    /// This engine cannot do that.
    #[error("entity {entity}: {what}")]
    Unsupported {
        /// What it was asked for.
        entity: EntityId,
        /// What is not possible, and what to do instead.
        what: String,
    },
    /// A tree of joints is too large for the memory of its matrices.
    #[error(
        "{count} degrees of freedom hang together in a tree of joints of model {model}, and at most {most} can be simulated: the memory that they take grows with their square. Make several models of it, or fix joints that need not move"
    )]
    TooManyFreedoms {
        /// The model.
        model: EntityId,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// The trees of all models are too large together for the memory of their matrices.
    #[error(
        "with the trees of joints of model {model} those of all models would take {mebibytes} MiB, and at most {most} can be simulated. Remove models with many joints first, or fix joints that need not move"
    )]
    TooManyTrees {
        /// The model that is one too many.
        model: EntityId,
        /// What all would take with it.
        mebibytes: usize,
        /// What all may take.
        most: usize,
    },
    /// The shapes of all models are too large together.
    #[error(
        "with the meshes and terrain of model {model} those of all models would take {mebibytes} MiB, and at most {most} can be simulated. Take smaller ones, use them at the same scale, or remove models first"
    )]
    TooManyShapes {
        /// The model that is one too many.
        model: EntityId,
        /// What all would take with it.
        mebibytes: usize,
        /// What all may take.
        most: usize,
    },
    /// The snapshot was made by another engine.
    #[error("a snapshot of {snapshot} cannot be restored into {engine}")]
    ForeignSnapshot {
        /// The engine that made it.
        snapshot: &'static str,
        /// The engine that was asked to restore it.
        engine: &'static str,
    },
    /// Joints came or went since the last step, so that bytes cannot hold the whole state.
    #[error(
        "joints came or went since the last step, and the engine's state can be written only after the next one. Make a step first"
    )]
    Unsettled,
    /// The bytes of a state are of another engine or version.
    #[error(
        "the engine's state was written by {written_by}, and this is {here}. Start from the components alone, or use the version that wrote it"
    )]
    ForeignState {
        /// The engine that wrote it, with its version.
        written_by: String,
        /// The engine that was asked to read it.
        here: String,
    },
    /// The bytes of a state cannot be read.
    #[error("the engine's state cannot be read: {reason}. Start from the components alone")]
    BadState {
        /// What is wrong with them.
        reason: String,
    },
    /// The state could not be written.
    #[error("cannot write the engine's state: {reason}")]
    Encode {
        /// What the encoder said.
        reason: String,
    },
}

impl EngineError {
    /// Says it for people, who know entities by the names that `name` gives, where it is clear that
    /// `about` is spoken of.
    pub(crate) fn in_names(&self, about: EntityId, name: impl Fn(EntityId) -> String) -> String {
        let of = |entity: &EntityId| match *entity == about {
            true => String::new(),
            false => format!(" of {}", name(*entity)),
        };
        match self {
            Self::NotFinite { entity, field } => {
                format!("{field}{} is not a finite number", of(entity))
            }
            Self::OutOfRange { entity, field, value, allowed } => {
                format!("{field}{} is {value}; it must be {allowed}", of(entity))
            }
            Self::BadShape { collision, reason } => {
                format!("collision {} has no usable shape: {reason}", name(*collision))
            }
            Self::Unknown { entity, what } => {
                format!("{what} {} is not simulated", name(*entity))
            }
            Self::Duplicate { entity, what } => {
                format!("the engine has {what} {} already; remove it first", name(*entity))
            }
            Self::NoSuchAxis { joint, axis, count } => {
                format!("joint {} has {count} axes, there is no axis {axis}", name(*joint))
            }
            Self::Unsupported { entity, what } if *entity == about => what.clone(),
            Self::Unsupported { entity, what } => format!("{}: {what}", name(*entity)),
            Self::TooManyFreedoms { model, count, most } => format!(
                "{count} degrees of freedom hang together in a tree of joints{}, and at most {most} can be simulated: the memory that they take grows with their square. Make several models of it, or fix joints that need not move",
                of(model)
            ),
            Self::TooManyShapes { mebibytes, most, .. } => format!(
                "the meshes and terrain of all models would take {mebibytes} MiB with it, and at most {most} can be simulated. Take smaller ones, use them at the same scale, or remove models first"
            ),
            Self::TooManyTrees { mebibytes, most, .. } => format!(
                "with its trees of joints those of all models would take {mebibytes} MiB, and at most {most} can be simulated. Remove models with many joints first, or fix joints that need not move"
            ),
            // They are about no single entity.
            other => other.to_string(),
        }
    }
}

/// Something that was done, but not as asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineNote {
    /// The entity it is about.
    pub entity: EntityId,
    /// What was not done as asked, one sentence without a period.
    pub message: String,
}

/// Why a step did not happen.
///
/// After anything but [`StepError::BadStepSize`] the state inside is not to be used: restore a
/// snapshot.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum StepError {
    /// The step size is not a positive finite number.
    #[error("the step size is {secs} s; it must be between 1e-9 and 0.1")]
    BadStepSize {
        /// What was given, in seconds.
        secs: f64,
    },
    /// The engine's library panicked inside the step.
    #[error("the physics engine failed: {message}. Restore an earlier state")]
    Panicked {
        /// What it said.
        message: String,
    },
    /// Numbers became infinite or not a number.
    #[error(
        "{count} bodies left the finite numbers, entity {first} among them. Restore an earlier state, then take a smaller step or weaker forces"
    )]
    NotFinite {
        /// One of the links, or of the models when a helper body of a joint is concerned.
        first: EntityId,
        /// How many bodies.
        count: usize,
    },
    /// Something became faster than anything real: the world is exploding.
    #[error(
        "{count} bodies became faster than {most:e} m/s or rad/s, entity {first} among them. Restore an earlier state, then take a smaller step or weaker forces"
    )]
    TooFast {
        /// One of the links, or of the models when a helper body of a joint is concerned.
        first: EntityId,
        /// How many bodies.
        count: usize,
        /// The greatest speed that is let through.
        most: f64,
    },
    /// An earlier step failed and nothing was restored since.
    #[error("an earlier physics step failed; restore a state first")]
    NeedsRestore,
}
