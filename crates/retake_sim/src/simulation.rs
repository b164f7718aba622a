//! The deterministic core: a world that is loaded, edited and stepped.

mod beside;
mod jumps;
mod pulls;
mod replay;
mod resume;
mod take_over;
mod telling;

use std::collections::BTreeSet;
use std::sync::Arc;

use prost::Message;
use retake_assets::ResourceRoots;
use retake_components::{SpawnError, WorldClock, path_of, spawn_world};
use retake_description::World;
use retake_ecm::{Ecm, EcmSnapshot, EntityId, StateHash};
use retake_math::SimTime;
use retake_msgs::notification::Level;
use retake_msgs::{Name, UserCmd, UserCmdReply, user_cmd};
use retake_physics::{
    Engine, EngineNote, EngineSettings, Followed, LoadProgress, Physics, RapierEngine, Readings,
    StepError, Watched,
};
use thiserror::Error;

use crate::preparation::{Preparer, ReadyInsert};
use crate::presets::{KeptProfiles, PresetError, PresetManager};
use crate::schedule::Schedule;
use crate::system::StepInfo;
use crate::systems::script;
use crate::user_commands::{self, Applied, CommandError};
use crate::whereabouts::Whereabouts;
use crate::{Event, Keyframe, OutMessage, Outbox, SystemWatch};
pub use jumps::JumpCause;

/// How a world is loaded.
#[derive(Clone, Debug)]
pub struct SimulationOptions {
    /// Seed of everything random.
    pub seed: u64,
    /// Profile to start with instead of the file's default.
    pub profile: Option<String>,
    /// Threads of the physics engine; the results do not depend on it.
    pub worker_threads: u32,
    /// Folders that inserted entities may take files from.
    pub roots: ResourceRoots,
    /// Who says when a system does not come back while this world is loaded; nobody unless given.
    pub watch: Option<SystemWatch>,
}

impl Default for SimulationOptions {
    fn default() -> Self {
        Self { seed: 1, profile: None, worker_threads: 1, roots: ResourceRoots::new(), watch: None }
    }
}

impl SimulationOptions {
    /// Makes a schedule without systems, watched as these options say.
    fn schedule(&self) -> Schedule {
        let whereabouts = self.watch.as_ref().map(SystemWatch::whereabouts);
        Schedule::seen_at(whereabouts.unwrap_or_default())
    }
}

/// Why a world cannot be simulated.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The description is not consistent.
    #[error(transparent)]
    Spawn(#[from] SpawnError),
    /// The profile is not there, or asks for something impossible.
    #[error(transparent)]
    Profile(#[from] PresetError),
    /// The engine refuses its settings.
    #[error(transparent)]
    Engine(#[from] retake_physics::EngineError),
    /// A saved state holds no world.
    #[error("the state has no world entity, so that there is nothing to simulate")]
    NoWorld,
}

/// A step that failed; the world is back at the last good keyframe.
#[derive(Debug, Error)]
#[error("Step {iteration} failed: {cause}. The world is back at {back_at}")]
pub struct StepFailure {
    /// The step that failed.
    pub iteration: u64,
    /// Simulated time of the keyframe that the world went back to.
    pub back_at: SimTime,
    /// What the engine said.
    #[source]
    pub cause: StepError,
}

/// A world that is loaded, edited and stepped; same inputs, same bits.
pub struct Simulation {
    ecm: Ecm,
    world: EntityId,
    physics: Physics,
    schedule: Schedule,
    outbox: Outbox,
    events: Vec<Event>,
    preparer: Preparer,
    initial: Keyframe,
    /// Where a failed step goes back to; renewed once every simulated second, and before the first
    /// step after an edit, so that no edit is lost.
    last_good: Keyframe,
    /// Whether something was edited since the last step.
    edited: bool,
    /// What the engine remarked already: once is enough until time jumps.
    told: BTreeSet<(EntityId, String)>,
    /// The present stretch of time without a jump. No part of the state: going back in time begins
    /// another one.
    epoch: u64,
    /// How many stretches were begun, the first not counted.
    jumps: u64,
}

/// How often the keyframe for failed steps is renewed.
const LAST_GOOD_PERIOD: SimTime = SimTime::from_nanos(1_000_000_000);

impl Simulation {
    /// Spawns a world and builds its physics and systems.
    ///
    /// # Errors
    /// [`LoadError`] when the description or the profile cannot be used.
    pub fn load(world: &World, options: &SimulationOptions) -> Result<Self, LoadError> {
        Self::load_telling(world, options, &|_| {})
    }

    /// Loads as [`Simulation::load`] and tells how far its meshes have come, from any thread.
    ///
    /// # Errors
    /// [`LoadError`] when the description or the profile cannot be used.
    pub fn load_telling(
        world: &World,
        options: &SimulationOptions,
        tell: &(dyn Fn(LoadProgress) + Sync),
    ) -> Result<Self, LoadError> {
        let mut ecm = Self::empty_ecm();
        let entity = spawn_world(&mut ecm, world, options.seed)?;
        choose_profile(&mut ecm, options.profile.as_deref())?;
        let mut physics = new_physics(options)?;
        script::read_sources(&mut ecm, &options.roots);
        let mut schedule = options.schedule();
        let stopped = schedule.rebuild(&mut ecm);
        let _held = physics.prepare(&ecm, tell);
        let followed = physics.follow(&mut ecm);
        let preparer = Preparer::new(options.roots.clone(), Arc::clone(physics.shapes()));
        let mut simulation = Self::around(ecm, entity, physics, schedule, preparer);
        simulation.report_notes(followed.remarks);
        simulation.report_notes(followed.refusals);
        simulation.report_stopped(stopped);
        simulation.report_unknown_plugins();
        Ok(simulation)
    }

    /// Puts the parts together; the present state is the initial one.
    fn around(
        ecm: Ecm,
        world: EntityId,
        physics: Physics,
        schedule: Schedule,
        preparer: Preparer,
    ) -> Self {
        let (state, engine) = (ecm.snapshot(), physics.snapshot());
        let initial = Keyframe { ecm: state, engine, engine_ecm: None, epoch: 0 };
        Self {
            ecm,
            world,
            physics,
            schedule,
            outbox: Outbox::default(),
            events: Vec::new(),
            preparer,
            last_good: initial.clone(),
            edited: false,
            told: BTreeSet::new(),
            epoch: 0,
            jumps: 0,
            initial,
        }
    }

    /// Returns the state, for reading.
    pub fn ecm(&self) -> &Ecm {
        &self.ecm
    }

    /// Returns the world entity.
    pub fn world(&self) -> EntityId {
        self.world
    }

    /// Returns the engine, for reading.
    pub fn engine(&self) -> &dyn Engine {
        self.physics.engine()
    }

    /// Returns who acts at any moment, for whoever watches from another thread.
    pub(crate) fn whereabouts(&self) -> Whereabouts {
        self.schedule.whereabouts.clone()
    }

    /// Returns what the engine measured for onlookers in the last step.
    pub(crate) fn readings(&self) -> &Readings {
        self.physics.readings()
    }

    /// Lets the engine measure these from the next step on.
    pub(crate) fn watch(&mut self, watched: Watched) {
        self.physics.watch(watched);
    }

    /// Returns the clock.
    pub fn clock(&self) -> WorldClock {
        self.ecm.get::<WorldClock>(self.world).copied().unwrap_or_default()
    }

    /// Makes one step.
    ///
    /// # Errors
    /// [`StepFailure`]: the world is back at the last good keyframe.
    pub fn step(&mut self) -> Result<(), StepFailure> {
        let clock = self.clock();
        if std::mem::take(&mut self.edited) {
            self.last_good = self.capture();
        }
        let before = StepInfo {
            sim_time: clock.sim_time,
            step_size: clock.step_size,
            iterations: clock.iterations,
        };
        let stopped = self.schedule.pre_update(&before, &mut self.ecm);
        self.report_stopped(stopped);
        pulls::end_pulls(&mut self.ecm, clock.sim_time);
        let refusals = self.follow_edits();
        self.report_notes(refusals);
        self.schedule.whereabouts.enter_step();
        let made = self.physics.step(&mut self.ecm, before.dt_secs());
        self.schedule.whereabouts.leave();
        if let Err(cause) = made {
            return Err(self.go_back_to_last_good(clock.iterations + 1, cause));
        }
        let after = StepInfo {
            sim_time: clock.sim_time + clock.step_size,
            iterations: clock.iterations + 1,
            ..before
        };
        if let Some(clock) = self.ecm.get_mut::<WorldClock>(self.world) {
            (clock.sim_time, clock.iterations) = (after.sim_time, after.iterations);
        }
        self.outbox.begin_step();
        let stopped = self.schedule.post_update(&after, &mut self.ecm, &mut self.outbox);
        self.report_stopped(stopped);
        self.pass_on();
        if after.sim_time - self.last_good.sim_time() >= LAST_GOOD_PERIOD {
            self.last_good = self.capture();
        }
        Ok(())
    }

    /// Carries a user command out.
    pub fn execute(&mut self, command: &UserCmd) -> UserCmdReply {
        self.execute_ready(command, None).0
    }

    /// Returns what prepares insertions, on any thread.
    pub(crate) fn preparer(&self) -> Preparer {
        self.preparer.clone()
    }

    /// Carries a user command out; an insertion that is not `ready` is prepared now.
    ///
    /// Returns the state before it too, unless it was refused.
    pub(crate) fn execute_ready(
        &mut self,
        command: &UserCmd,
        ready: Option<ReadyInsert>,
    ) -> (UserCmdReply, Option<Keyframe>) {
        let before = self.capture();
        let outcome = match &command.command {
            None => Err(CommandError::Empty),
            Some(user_cmd::Command::ResetWorld(reset)) => {
                let author = command.author.clone();
                let kept = reset.keep_profiles.then(|| KeptProfiles::of(&self.ecm)).flatten();
                let cause = JumpCause { author, ..JumpCause::from("reset") };
                self.restore(&self.initial.clone(), cause);
                let done = self.put_profiles_back(kept);
                done.inspect_err(|_| self.restore(&before, "reset"))
            }
            Some(edit) => self.apply_edit(edit, ready, &before),
        };
        match outcome {
            Ok(applied) => {
                self.report_new_plugins(&before.ecm);
                let entities = applied.entities.iter().map(|entity| entity.raw()).collect();
                // Whoever names a command reads that name, here as in the history.
                let named = Some(&command.description).filter(|name| !name.is_empty());
                let done = UserCmdReply::done(named.unwrap_or(&applied.description).clone());
                (UserCmdReply { entities, ..done }, Some(before))
            }
            Err(error) => {
                let code = if is_motion(command) { error.code() } else { 0 };
                let refused = UserCmdReply::refused(error.to_string());
                (UserCmdReply { error_code: code, ..refused }, None)
            }
        }
    }

    /// Hands a message to the systems that listen to its topic.
    pub fn deliver(&mut self, topic: &str, bytes: &[u8]) {
        self.hand_over(topic, bytes);
        self.edited = true;
    }

    /// Hands what systems published in this step to the systems that listen to it.
    ///
    /// At the end of the same step, so that nothing is under way when the state is captured; it
    /// takes effect in the next one.
    fn pass_on(&mut self) {
        let schedule = &self.schedule;
        let heard = self.outbox.fresh_mut().filter(|message| schedule.hears(&message.topic));
        let heard: Vec<(String, Vec<u8>)> = heard
            .map(|message| {
                message.heard = true;
                (message.topic.clone(), message.bytes.clone())
            })
            .collect();
        for (topic, bytes) in heard {
            self.hand_over(&topic, &bytes);
        }
    }

    fn hand_over(&mut self, topic: &str, bytes: &[u8]) {
        let (complaints, stopped) = self.schedule.deliver(topic, bytes, &mut self.ecm);
        for complaint in complaints {
            self.notify(Level::Warning, complaint);
        }
        self.report_stopped(stopped);
        // At once, so that no keyframe has an Ecm that its engine has not seen.
        let refusals = self.follow_edits();
        self.report_notes(refusals);
    }

    /// Returns the hash of everything that varies.
    ///
    /// # Errors
    /// When a state cannot be encoded; the text names it.
    pub fn hash(&self) -> Result<String, std::io::Error> {
        let mut hash = StateHash::new();
        hash.add_ecm(&self.ecm)?;
        self.physics.hash_state(&mut hash).map_err(std::io::Error::other)?;
        Ok(hash.to_string())
    }

    /// Hashes entities and components alone, without what the engine remembers of the past.
    ///
    /// # Errors
    /// When a component cannot be encoded.
    pub fn component_hash(&self) -> Result<String, std::io::Error> {
        let mut hash = StateHash::new();
        hash.add_ecm(&self.ecm)?;
        Ok(hash.to_string())
    }

    /// Returns a view of the present state that later steps do not touch.
    ///
    /// Later changes have a higher tick than the view.
    pub fn view(&mut self) -> EcmSnapshot {
        let view = self.ecm.snapshot();
        self.ecm.close_tick();
        view
    }

    /// Returns the topics that systems listen to.
    pub fn subscriptions(&self) -> Vec<String> {
        self.schedule.subscriptions()
    }

    /// Returns the topics that systems listen to, when they may have changed since the last call.
    pub fn changed_subscriptions(&mut self) -> Option<Vec<String>> {
        let changed = std::mem::take(&mut self.schedule.topics_changed);
        changed.then(|| self.schedule.subscriptions())
    }

    /// Says whether a system listens to a topic.
    pub(crate) fn hears(&self, topic: &str) -> bool {
        self.schedule.hears(topic)
    }

    /// Names the systems that cannot follow the world to another time, with the reason.
    pub(crate) fn stuck_systems(&self) -> Vec<String> {
        let stuck = self.schedule.stuck();
        let told = |(plugin, reason)| format!("{} ({reason})", path_of(&self.ecm, plugin));
        stuck.into_iter().map(told).collect()
    }

    /// Publishes a message, after those of the systems.
    pub(crate) fn publish<M: Message + Name>(&mut self, topic: &str, message: &M) {
        self.outbox.publish(topic, message);
    }

    /// Takes out what systems published.
    pub fn drain_messages(&mut self) -> Vec<OutMessage> {
        self.outbox.drain()
    }

    /// Applies an edit whole or not at all, and lets physics and systems follow at once.
    fn apply_edit(
        &mut self,
        edit: &user_cmd::Command,
        ready: Option<ReadyInsert>,
        before: &Keyframe,
    ) -> Result<Applied, CommandError> {
        let applied = user_commands::apply(&mut self.ecm, edit, &self.preparer, ready)
            .inspect_err(|_| self.ecm.restore(&before.ecm))?;
        script::read_sources(&mut self.ecm, self.preparer.roots());
        let refusals = self.follow_edits();
        if refusals.is_empty() {
            self.edited = true;
            return Ok(applied);
        }
        Err(self.refuse(&refusals, before))
    }

    /// Takes back an edit that the engine refused, and says why.
    fn refuse(&mut self, refusals: &[EngineNote], before: &Keyframe) -> CommandError {
        let reason: Vec<String> = refusals.iter().map(|note| self.describe(note)).collect();
        self.put_back(before);
        let stopped = self.schedule.rebuild(&mut self.ecm);
        self.report_stopped(stopped);
        CommandError::Engine { reason: reason.join("; ") }
    }

    /// Lets systems and physics follow what changed in the Ecm; returns what the engine refused.
    fn follow_edits(&mut self) -> Vec<EngineNote> {
        self.follow_edits_by(Physics::follow)
    }

    fn follow_edits_by(
        &mut self,
        follow: fn(&mut Physics, &mut Ecm) -> Followed,
    ) -> Vec<EngineNote> {
        let stopped = self.schedule.follow(&mut self.ecm);
        self.report_stopped(stopped);
        let followed = follow(&mut self.physics, &mut self.ecm);
        self.report_notes(followed.remarks);
        followed.refusals
    }
}

/// Makes an empty engine and its bridge.
fn new_physics(options: &SimulationOptions) -> Result<Physics, LoadError> {
    let worker_threads = options.worker_threads;
    let settings = EngineSettings { worker_threads, ..EngineSettings::default() };
    Ok(Physics::new(Box::new(RapierEngine::new(settings)?)))
}

/// Says whether a command is for players, whose answers have codes.
fn is_motion(command: &UserCmd) -> bool {
    use user_cmd::Command;
    matches!(command.command, Some(Command::StartMotion(_) | Command::CancelMotion(_)))
}

/// Puts a profile in force: the one that is wanted, or the file's.
fn choose_profile(ecm: &mut Ecm, wanted: Option<&str>) -> Result<(), PresetError> {
    let mut presets = PresetManager::new(ecm)?;
    let name = wanted.unwrap_or(presets.current_profile()).to_owned();
    presets.set_current_profile(&name)
}
