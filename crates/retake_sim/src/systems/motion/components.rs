//! What players remember, as components.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use retake_ecm::{Component, Ecm, EntityId, RegistryBuilder};
use retake_motion::TextCommand;
use retake_motion::curve::Sample;
use retake_motion::player::{Goals, Outcome, Owner, Progress, Robot, Rules, Run};
use serde::{Deserialize, Serialize};

pub(super) fn register(builder: RegistryBuilder) -> RegistryBuilder {
    let builder = builder.with::<MotionPlayer>().with::<SharedRobot>().with::<MotionGoals>();
    let builder = builder.with::<MotionProgress>().with::<MotionOutcomes>();
    let builder = builder.with::<FiredActions>();
    builder.with::<PlayerDriven>().with::<TorqueOff>().with::<Handover>()
}

/// What a player does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayerKind {
    /// Follows trajectories.
    Trajectory,
    /// Plays stored motions by name.
    Stored,
    /// Follows the joint states of others.
    Follow,
}

/// What the world file says of a player; on its plugin entity.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionPlayer {
    /// What it does.
    pub kind: PlayerKind,
    /// How it treats goals.
    pub rules: Rules,
    /// Folders of motions, as the file names them.
    pub folders: Vec<String>,
    /// Groups of joints that the file names: each with its joints.
    pub groups: Vec<(String, Vec<String>)>,
    /// Gains that the file gives to joints, instead of those of their controllers.
    pub gains: BTreeMap<String, Gains>,
    /// The robot's eyes.
    pub eyes: Eyes,
}

impl Component for MotionPlayer {
    const NAME: &'static str = "motion_player";
}

/// How strongly a joint is driven.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gains {
    /// In N m/rad or N/m.
    pub stiffness: f64,
    /// In N m s/rad or N s/m.
    pub damping: f64,
    /// In N m or N.
    pub max_effort: f64,
}

impl Default for Gains {
    fn default() -> Self {
        Self { stiffness: 1000.0, damping: 100.0, max_effort: f64::INFINITY }
    }
}

/// Visuals that show what a robot feels.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Eyes {
    /// Paths of the visuals below the model.
    pub visuals: Vec<String>,
    /// Colour of each emotion: red, green, blue, from 0 to 1.
    pub emotions: BTreeMap<String, [f32; 3]>,
}

/// The joints of a robot, and how they are driven; on a model that has players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionRobot {
    /// Joints and groups.
    pub robot: Robot,
    /// The joint of each place.
    pub joints: Vec<EntityId>,
    /// How strongly each is driven.
    pub gains: Vec<Gains>,
}

impl MotionRobot {
    /// Returns the robot that a model with players is.
    pub fn of(ecm: &Ecm, model: EntityId) -> Option<Arc<Self>> {
        ecm.get::<SharedRobot>(model).map(|shared| Arc::clone(&shared.0))
    }

    /// Says whether players can move a joint.
    pub(crate) fn moves(ecm: &Ecm, joint: EntityId) -> bool {
        place(ecm, joint).is_some()
    }

    /// Returns where players want a joint to be, while they have it.
    pub(crate) fn reference(ecm: &Ecm, joint: EntityId) -> Option<Sample> {
        let (model, place) = place(ecm, joint)?;
        let drive = ecm.get::<MotionProgress>(model)?.0.drives.get(place)?;
        (drive.owner != Owner::Released).then_some(drive.reference)
    }
}

/// Finds a joint among those that players move: the model and the place.
pub(super) fn place(ecm: &Ecm, joint: EntityId) -> Option<(EntityId, usize)> {
    let of = |model: EntityId| Some((model, ecm.get::<SharedRobot>(model)?));
    let (model, robot) = ecm.with_holders(joint).find_map(of)?;
    let place = robot.0.joints.iter().position(|known| *known == joint)?;
    Some((model, place))
}

/// Shared, so that every system and keyframe has the same one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SharedRobot(pub(super) Arc<MotionRobot>);

impl Component for SharedRobot {
    const NAME: &'static str = "motion_robot";
}

/// The goals that a robot follows; on the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MotionGoals(pub Goals);

impl Component for MotionGoals {
    const NAME: &'static str = "motion_goals";
}

/// How far they have come; on the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MotionProgress(pub Progress);

impl Component for MotionProgress {
    const NAME: &'static str = "motion_progress";
}

/// How the last goals of a robot ended, oldest first; on the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MotionOutcomes(pub VecDeque<Outcome>);

impl MotionOutcomes {
    /// How many are kept; beyond it the oldest are forgotten, but those of the present instant, which
    /// nobody has been told yet, only beyond the second number.
    const KEPT: usize = 32;
    const MOST: usize = 1024;

    pub(super) fn extend(&mut self, more: impl IntoIterator<Item = Outcome>) {
        self.0.extend(more);
        let now = self.0.back().map_or(0, |outcome| outcome.at_nanos);
        let old = self.0.iter().take_while(|outcome| outcome.at_nanos < now).count();
        let over = self.0.len().saturating_sub(Self::KEPT).min(old);
        let over = over.max(self.0.len().saturating_sub(Self::MOST));
        self.0.drain(..over);
    }
}

impl Component for MotionOutcomes {
    const NAME: &'static str = "motion_outcomes";
}

/// Text actions of motions whose time came in the last step that had any; on the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct FiredActions {
    /// When that step began, in nanoseconds of simulated time.
    pub(super) at_nanos: i64,
    /// Which, each with its run.
    pub(super) actions: Vec<(Arc<Run>, TextCommand)>,
}

impl Component for FiredActions {
    const NAME: &'static str = "fired_actions";
}

/// On a joint that players have: other systems leave it alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlayerDriven;

impl Component for PlayerDriven {
    const NAME: &'static str = "player_driven";
}

/// On a joint whose servo is switched off: it is limp, whoever commands it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TorqueOff;

impl Component for TorqueOff {
    const NAME: &'static str = "torque_off";
}

/// On a joint that was given back: where it was told to be last, so that whoever moves it next can
/// begin there.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Handover {
    /// Where it was told to be, and how fast.
    pub(crate) reference: Sample,
    /// When, in nanoseconds of simulated time: whoever comes much later begins anew.
    pub(crate) at_nanos: i64,
}

impl Component for Handover {
    const NAME: &'static str = "handover";
}
