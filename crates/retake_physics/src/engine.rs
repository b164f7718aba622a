//! The trait that every physics engine implements.

use std::any::Any;
use std::fmt;
use std::io::Write;
use std::sync::Arc;

use retake_description::Surface;
use retake_ecm::EntityId;
use retake_math::{Pose, Twist, Vec3};
use serde::{Deserialize, Serialize};

use crate::{
    Assembly, BodySpec, CapturedState, EngineError, EngineNote, EngineSettings, EngineState,
    JointSpec, PreparedShape, ShapeMaker, StepError,
};

/// Simulates rigid bodies and joints.
///
/// Every number is checked before it is taken: whatever returns an error changed nothing. The
/// order of all visits depends only on the state, so equal states are visited in equal order.
pub trait Engine: Send {
    /// Returns the short name of the engine.
    fn name(&self) -> &'static str;

    /// Returns the library and version that states of this engine belong to.
    fn version(&self) -> &'static str;

    /// Returns what makes shapes for this engine ahead of time, on any thread.
    fn shape_maker(&self) -> ShapeMaker;

    /// Starts to simulate a model.
    ///
    /// Returns what was not done as asked.
    ///
    /// # Errors
    /// A number, shape or joint that cannot be used, or an entity that is there already.
    fn insert_assembly(&mut self, assembly: &Assembly) -> Result<Vec<EngineNote>, EngineError>;

    /// Stops simulating a model, and returns the joints of other models that hung on it.
    ///
    /// # Errors
    /// [`EngineError::Unknown`] when there is no such model.
    fn remove_assembly(&mut self, model: EntityId) -> Result<Vec<EntityId>, EngineError>;

    /// Adds a joint between links of two models, or between a link and the world.
    ///
    /// # Errors
    /// A number, link or kind that cannot be used, or a joint that is there already.
    fn insert_joint(&mut self, joint: &JointSpec) -> Result<Vec<EngineNote>, EngineError>;

    /// Removes a joint that [`Engine::insert_joint`] added.
    ///
    /// # Errors
    /// [`EngineError::Unknown`] when there is none, [`EngineError::Unsupported`] when the joint is
    /// part of a model.
    fn remove_joint(&mut self, joint: EntityId) -> Result<(), EngineError>;

    /// Moves a whole model rigidly so that one of its links gets the given pose.
    ///
    /// Joint positions stay, and where the model is fixed to the world moves with it.
    ///
    /// # Errors
    /// An unknown link, or a number that is not finite.
    fn set_assembly_pose(
        &mut self,
        link: EntityId,
        world_from_link: Pose,
        velocities: AfterTeleport,
    ) -> Result<(), EngineError>;

    /// Sets the velocity of a free or kinematic link; the twist is that of the link's origin.
    ///
    /// # Errors
    /// An unknown link, a number that is not finite, or a link that is held by a joint.
    fn set_body_twist(&mut self, link: EntityId, twist: Twist) -> Result<(), EngineError>;

    /// Puts a joint axis at a position at once, at rest; the other joints keep their positions.
    ///
    /// # Errors
    /// An unknown joint or axis, a position that is not finite or outside of the limits, or a
    /// joint that closes a loop.
    fn set_joint_position(
        &mut self,
        joint: EntityId,
        axis: usize,
        position: f64,
    ) -> Result<(), EngineError>;

    /// Sets the velocity of a joint axis at once.
    ///
    /// # Errors
    /// As [`Engine::set_joint_position`].
    fn set_joint_velocity(
        &mut self,
        joint: EntityId,
        axis: usize,
        velocity: f64,
    ) -> Result<(), EngineError>;

    /// Sets what drives a joint axis from now on.
    ///
    /// # Errors
    /// An unknown joint or axis, or a number that is not finite or negative where it must not be.
    fn set_joint_drive(
        &mut self,
        joint: EntityId,
        axis: usize,
        drive: JointDrive,
    ) -> Result<(), EngineError>;

    /// Pushes a link during the next step: force and torque in the world frame, at its centre of
    /// mass. Several in one step add up.
    ///
    /// # Errors
    /// An unknown link or a number that is not finite.
    fn apply_wrench(
        &mut self,
        link: EntityId,
        force_n: Vec3,
        torque_nm: Vec3,
    ) -> Result<(), EngineError>;

    /// Changes how a collision behaves on contact; nothing else is touched.
    ///
    /// Returns what was not done as asked.
    ///
    /// # Errors
    /// An unknown collision or a number out of range.
    fn set_surface(
        &mut self,
        collision: EntityId,
        surface: &Surface,
    ) -> Result<Vec<EngineNote>, EngineError>;

    /// Changes mass, gravity and loss of velocity of a link; its pose, velocity and shapes stay.
    ///
    /// # Errors
    /// [`EngineError::Unsupported`] when the model must be built anew for it; a number out of range.
    fn set_link(&mut self, link: &BodySpec) -> Result<(), EngineError>;

    /// Changes limits and passive forces of a joint's axes; its position and velocity stay.
    ///
    /// # Errors
    /// As [`Engine::set_link`].
    fn set_joint_axes(&mut self, joint: &JointSpec) -> Result<(), EngineError>;

    /// Sets gravity in m/s²; everything wakes up when it differs.
    ///
    /// # Errors
    /// [`EngineError::BadSetting`] when it is not finite.
    fn set_gravity(&mut self, gravity: Vec3) -> Result<(), EngineError>;

    /// Returns gravity in force, in m/s²; zero in an engine that has none.
    fn gravity(&self) -> Vec3;

    /// Sets how steps are solved and returns the values in force.
    ///
    /// # Errors
    /// [`EngineError::BadSetting`] names the setting that is out of range.
    fn set_settings(&mut self, settings: &EngineSettings) -> Result<EngineSettings, EngineError>;

    /// Returns the settings in force.
    fn settings(&self) -> EngineSettings;

    /// Simulates `dt_secs` seconds.
    ///
    /// # Errors
    /// [`StepError`]; all but a bad step size ask for a restore.
    fn step(&mut self, dt_secs: f64) -> Result<(), StepError>;

    /// Visits links and their states.
    fn visit_bodies(&self, which: Visit, visitor: &mut dyn FnMut(EntityId, &BodyState));

    /// Visits every joint that has axes.
    fn visit_joints(&self, visitor: &mut dyn FnMut(EntityId, &[JointState]));

    /// Visits every pair of collisions that touched in the last step.
    fn visit_contacts(&self, visitor: &mut dyn FnMut(&ContactState<'_>));

    /// Returns the state of one link.
    fn body_state(&self, link: EntityId) -> Option<BodyState>;

    /// Returns the state of each axis of a joint.
    fn joint_states(&self, joint: EntityId) -> Option<Vec<JointState>>;

    /// Captures the complete state.
    fn snapshot(&self) -> EngineSnapshot;

    /// Returns to a captured state, after which [`Visit::All`] shows what is there.
    ///
    /// # Errors
    /// [`EngineError::ForeignSnapshot`] when another engine made it.
    fn restore(&mut self, snapshot: &EngineSnapshot) -> Result<(), EngineError>;

    /// Reads a state that [`EngineSnapshot::encode`] wrote; `shapes` finds those that are not in it.
    ///
    /// # Errors
    /// [`EngineError::ForeignState`] when another engine or version wrote it,
    /// [`EngineError::BadState`] when it is damaged or a shape is not as it was.
    fn decode(
        &self,
        state: &EngineState,
        shapes: FindShape<'_>,
    ) -> Result<EngineSnapshot, EngineError>;

    /// Writes the complete state, warm starts included, as bytes that are equal for equal states.
    ///
    /// # Errors
    /// [`EngineError::Encode`] when the writer refuses.
    fn hash_state(&self, sink: &mut dyn Write) -> Result<(), EngineError>;
}

/// Finds the shape of a collision that is not in the bytes of a state.
pub type FindShape<'a> = &'a dyn Fn(EntityId) -> Result<PreparedShape, String>;

/// What becomes of velocities when a model is put elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AfterTeleport {
    /// They stay as they are in the world frame.
    KeepVelocities,
    /// Everything is at rest.
    Rest,
}

/// Which links to visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// Those that may have moved in the last step or by a teleport since, and those that just fell
    /// asleep.
    Moved,
    /// All, those of static models too.
    All,
}

/// State of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Pose in the world.
    pub world_from_link: Pose,
    /// Velocity of the link's origin, in world axes.
    pub twist: Twist,
    /// Whether it sleeps; a sleeping link does not move until something wakes it.
    pub asleep: bool,
}

/// State of one axis of a joint, in rad, rad/s and N m, or m, m/s and N.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointState {
    /// Position; turns beyond a full one count.
    pub position: f64,
    /// Velocity.
    pub velocity: f64,
    /// Effort of the drive: the motor law evaluated at this state and cut at its limit, or the
    /// commanded effort. Limits, friction and springs of the joint are not in it.
    pub effort: f64,
}

/// What drives a joint axis.
///
/// Position and velocity drives are solved implicitly with the step: they are stable at any gain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum JointDrive {
    /// Nothing.
    #[default]
    Free,
    /// A spring and damper to a moving target.
    Position {
        /// Target position.
        target: f64,
        /// Velocity of the target; 0 for one that stands.
        velocity: f64,
        /// Stiffness in N m/rad or N/m.
        stiffness: f64,
        /// Damping in N m s/rad or N s/m.
        damping: f64,
        /// Greatest effort; the joint's own limit holds too.
        max_effort: f64,
    },
    /// A damper to a target velocity.
    Velocity {
        /// Target velocity, cut at the joint's velocity limit.
        target: f64,
        /// Damping in N m s/rad or N s/m: how hard it insists.
        damping: f64,
        /// Greatest effort; the joint's own limit holds too.
        max_effort: f64,
    },
    /// A constant effort in N m or N, cut at the joint's limit.
    Effort(f64),
}

/// Two collisions that touch.
#[derive(Clone, Copy, Debug)]
pub struct ContactState<'a> {
    /// First collision.
    pub first: EntityId,
    /// Second collision.
    pub second: EntityId,
    /// Contact points, at least one.
    pub points: &'a [ContactPoint],
}

/// A contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPoint {
    /// Position in the world, midway between the two surfaces.
    pub position: Vec3,
    /// Unit normal from the first collision to the second.
    pub normal: Vec3,
    /// How deep the surfaces overlap in metres; negative is a gap.
    pub depth: f64,
    /// Impulse that pushed the second away along the normal during the whole step, in N s.
    pub impulse: f64,
    /// Impulse of friction on the second during the whole step, in N s.
    pub friction: Vec3,
}

/// A complete state of an engine; cheap to clone and to keep.
#[derive(Clone)]
pub struct EngineSnapshot {
    engine: &'static str,
    version: &'static str,
    bytes: usize,
    state: Arc<dyn CapturedState>,
}

impl EngineSnapshot {
    /// Wraps the state of the engine called `engine`, which takes about `bytes` bytes.
    pub fn new<T: CapturedState>(
        engine: &'static str,
        version: &'static str,
        bytes: usize,
        state: T,
    ) -> Self {
        Self { engine, version, bytes, state: Arc::new(state) }
    }

    /// Returns the name of the engine that made it.
    pub fn engine(&self) -> &'static str {
        self.engine
    }

    /// Returns about how many bytes it keeps in memory.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Says whether [`EngineSnapshot::encode`] can write it. Not when joints came or went since the
    /// last step, alone or with their models.
    pub fn is_settled(&self) -> bool {
        self.state.is_settled()
    }

    /// Writes it as bytes, on any thread.
    ///
    /// # Errors
    /// [`EngineError::Unsettled`] when joints came or went since the last step.
    pub fn encode(&self) -> Result<EngineState, EngineError> {
        if !self.is_settled() {
            return Err(EngineError::Unsettled);
        }
        EngineState::seal(self.engine, self.version, self.state.as_ref())
    }

    /// Says whether both keep the same memory.
    pub fn shares(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.state, &other.state)
    }

    /// Returns the state when it is of type `T`.
    pub fn state<T: Any>(&self) -> Option<&T> {
        let state: &dyn Any = self.state.as_ref();
        state.downcast_ref()
    }
}

impl fmt::Debug for EngineSnapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EngineSnapshot({}, {} bytes)", self.engine, self.bytes)
    }
}
