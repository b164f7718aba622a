//! A simulation with control and requests around it; still without threads or a clock of its own.

mod contacts;
mod findings;
mod lockstep;
mod motions;
mod recording;
mod scripts;
mod take_over;
mod time_travel;
mod timeline;
mod watching;

use std::num::NonZeroU64;
use std::sync::Arc;

use retake_components::{CurrentProfile, EntityName, path_of};
use retake_ecm::{EcmSnapshot, EntityId};
use retake_msgs::notification::Level;
use retake_msgs::{
    FailedSystem, Findings, HashReply, LoggedMessage, PhysicsState, ServerInfo, StateRequest,
    UndoRedo, UserCmd, UserCmdReply, UserCmdStats, WorldControl, WorldSource, WorldSourceRequest,
    WorldStatistics, logged_input, names, user_cmd,
};

use crate::history::Keeper;
use crate::introspection::{ItemsAnswer, WorldIntrospection};
use crate::paused::{Guis, Writers};
use crate::preparation::{Prepared, Preparer};
use crate::presets::{self, PresetManager};
use crate::recent::RecentReplies;
use crate::recording::{Happening, Tape};
use crate::request::{StateAnswer, StatePart};
use crate::saved_files;
use crate::system::SystemFailure;
use crate::timeline::{Timeline, TimelineLimits};
use crate::user_commands::changes_profiles;
use crate::{
    Event, OutMessage, RealTimeFactor, Request, Response, Simulation, UndoLimits, model_library,
};
use lockstep::Lockstep;
pub use lockstep::{LockstepOptions, WhenLate};
use motions::is_for_robots;
pub use watching::SignalReadError;
use watching::Waiting;

/// How a server starts.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// Whether it starts paused.
    pub paused: bool,
    /// Simulated seconds to aim at for each real second; none takes the profile's, 0 is as fast as
    /// possible.
    pub real_time_factor: Option<RealTimeFactor>,
    /// The world file, for people to read.
    pub world_file: String,
    /// The world file, for saving; empty when there is none.
    pub source: WorldSource,
    /// What was found in the world's file when it was loaded.
    pub findings: Findings,
    /// How much of the past is kept for undo.
    pub undo: UndoLimits,
    /// How much of the past is kept for looking back.
    pub timeline: TimelineLimits,
    /// Steps after which the hash of the state is published each time; none never does.
    pub hash_every: Option<NonZeroU64>,
    /// Tells this run from others of the same world.
    pub run: String,
    /// Controllers that steps wait for.
    pub lockstep: LockstepOptions,
}

/// A simulation that can be asked things.
pub struct Server {
    simulation: Simulation,
    paused: bool,
    /// Steps to make although paused.
    steps_due: u64,
    target_rtf: RealTimeFactor,
    /// What the profile asked for when it was looked at last.
    ///
    /// The target follows it whenever it changes, be it by a command, a reset or a jump in time; a
    /// factor set by hand holds until then.
    profile_rtf: RealTimeFactor,
    /// Whether the last step failed, and the world paused because of it.
    failed: bool,
    world_file: String,
    /// What is on the disk is no state of the world, and no undo takes it back.
    source: WorldSource,
    findings: Arc<Findings>,
    world_name: String,
    history: Keeper,
    timeline: Timeline,
    hash_every: Option<NonZeroU64>,
    run: String,
    recent: RecentReplies,
    /// The undo or redo that was carried out last, for those who wanted the same.
    last_travel: Option<UndoRedo>,
    guis: Guis,
    writers: Writers,
    introspection: WorldIntrospection,
    samples: Waiting,
    /// Whether filters came or went since somebody looked.
    filters_changed: bool,
    /// What happens, while somebody records it.
    tape: Option<Tape>,
    lockstep: Lockstep,
}

/// Most steps that may wait to be made.
const MAX_STEPS: u64 = 1_000_000;
/// Longest id of a command, and longest name of its author.
const MAX_ID_BYTES: usize = 128;

impl Server {
    /// Puts a server around a simulation.
    pub fn new(simulation: Simulation, options: &ServerOptions) -> Self {
        let world_name = simulation.ecm().get::<EntityName>(simulation.world());
        let world_name = world_name.map(|name| name.0.clone()).unwrap_or_default();
        let profile_rtf = profile_rtf(&simulation);
        let target_rtf = options.real_time_factor.unwrap_or(profile_rtf);
        let findings = findings::with_remarks(&options.findings, &simulation);
        let mut server = Self {
            simulation,
            paused: options.paused,
            steps_due: 0,
            target_rtf,
            profile_rtf,
            failed: false,
            world_file: options.world_file.clone(),
            source: options.source.clone(),
            findings: Arc::new(findings),
            history: Keeper::new(options.undo),
            timeline: Timeline::new(options.timeline),
            hash_every: options.hash_every,
            run: options.run.clone(),
            recent: RecentReplies::default(),
            last_travel: None,
            guis: Guis::default(),
            writers: Writers::default(),
            introspection: WorldIntrospection::new(&world_name, &options.run),
            samples: Waiting::default(),
            filters_changed: false,
            tape: None,
            lockstep: Lockstep::new(&options.lockstep),
            world_name,
        };
        server.begin_timeline();
        server
    }

    /// Returns the name of the world.
    pub fn world_name(&self) -> &str {
        &self.world_name
    }

    /// Returns the simulation, for reading.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// Says whether the world stands still until told otherwise.
    pub fn paused(&self) -> bool {
        self.paused
    }

    /// Says whether a step is to be made now: it runs, or steps were asked for.
    pub fn wants_step(&self) -> bool {
        !self.paused || self.steps_due > 0
    }

    /// Returns the simulated seconds to aim at for each real second; 0 is as fast as possible.
    ///
    /// Steps that were asked for while paused are made at once.
    pub fn pace(&self) -> RealTimeFactor {
        if self.paused { RealTimeFactor::UNBOUNDED } else { self.target_rtf }
    }

    /// Makes one step; a failure pauses the world.
    pub fn step(&mut self) {
        self.steps_due = self.steps_due.saturating_sub(1);
        self.writers.forget();
        let before = self.simulation.clock().iterations;
        let (epoch, back_to) = (self.simulation.epoch(), self.simulation.epoch_of_last_good());
        self.failed = self.simulation.step().is_err();
        if self.failed {
            // The simulation has told every client what happened.
            self.paused = true;
            self.steps_due = 0;
        }
        self.note_step(before);
        self.keep_step(epoch, back_to);
        self.sample();
        let made = self.simulation.clock().iterations;
        if self.hash_every.is_some_and(|every| made.is_multiple_of(every.get())) {
            self.publish_hash();
        }
    }

    /// Says whether the last step failed.
    pub fn failed(&self) -> bool {
        self.failed
    }

    /// Carries a request out.
    pub fn handle(&mut self, request: Request) -> Response {
        let edits = matches!(request, Request::Command(_) | Request::UndoRedo(_));
        let response = self.answer(request);
        self.follow_profile_pace();
        if edits && !self.wants_step() {
            // While the world stands, this is all that its values change by.
            self.sample();
        }
        response
    }

    fn answer(&mut self, request: Request) -> Response {
        match request {
            Request::Control(control) => {
                let reply = self.control(&control);
                self.note_input(|| logged_input::Input::Control(control), Some(&reply));
                Response::Done(reply)
            }
            Request::Command(command) => {
                Response::Done(self.carry_out(&command, Prepared::Nothing))
            }
            Request::UndoRedo(request) => Response::Done(self.undo_redo(&request)),
            Request::UndoSettings(settings) => Response::Done(self.set_undo(&settings)),
            Request::JoinGui(join) => Response::GuiJoined(self.join_gui(&join)),
            Request::LeaveGui(gui) => Response::Done(self.leave_gui(gui)),
            Request::GuiPending(pending) => Response::Done(self.note_pending(*pending)),
            // What was offered has been taken over by whoever collected it.
            Request::TakeOver(_) => Response::Done(UserCmdReply::done("")),
            Request::Pending => Response::Pending(Arc::clone(self.pending())),
            Request::History => Response::History(Arc::clone(self.history())),
            // As it is at this instant: the end of the live branch moves with each step.
            Request::Timeline => Response::Timeline(Arc::new(self.timeline.describe())),
            Request::EditTimeline(edit) => Response::Done(self.edit_timeline(&edit)),
            // Where no other thread has taken it.
            Request::Past(request) => self.show_past(&request),
            Request::State(StateRequest { since_tick: None }) => self.state(StatePart::Full),
            Request::State(StateRequest { since_tick: Some(tick) }) => {
                self.state(StatePart::Since(tick))
            }
            Request::Scene => self.state(StatePart::Scene),
            Request::Hash(_) => self.hash(),
            Request::Info(_) => Response::Info(self.info()),
            Request::Source(request) => Response::Source(self.source(request)),
            Request::Findings => Response::Findings(Arc::clone(&self.findings)),
            // Where no other thread has taken it.
            Request::Library => model_library::listing(self.preparer())(),
            Request::Physics(_) => Response::Physics(Box::new(self.physics_state())),
            Request::Stats => Response::Stats(Box::new(self.statistics())),
            Request::Contacts => Response::Contacts(Box::new(self.contacts())),
            request @ (Request::Motions(_)
            | Request::ReadMotion(_)
            | Request::SaveMotion(_)
            | Request::CheckMotion(_)) => match self.motion_work(&request) {
                // Where no other thread has taken it.
                Some(work) => work.done(),
                None => Response::Failed("Nothing is known of such motions".to_owned()),
            },
            Request::Items(request) => {
                Response::Items(ItemsAnswer { view: self.simulation.view(), request })
            }
            Request::SetFilter(request) => Response::Filter(self.set_filter(&request)),
            Request::GetFilter(request) => {
                Response::Filter(self.introspection.get(&request.filter_id))
            }
            Request::RemoveFilter(request) => Response::Filter(self.remove_filter(&request)),
            Request::LockstepJoin(join) => Response::Lockstep(Box::new(self.lockstep_join(join))),
            Request::LockstepDone(done) => Response::Lockstep(Box::new(self.lockstep_done(done))),
            Request::Message { topic, bytes } => {
                self.take_message(topic, bytes);
                Response::Done(UserCmdReply::done(""))
            }
        }
    }

    /// Hands a message from outside to the systems that listen to its topic.
    fn take_message(&mut self, topic: String, bytes: Vec<u8>) {
        self.simulation.deliver(&topic, &bytes);
        let message = || LoggedMessage { topic, data: bytes };
        self.note_input(|| logged_input::Input::Message(message()), None);
    }

    /// Returns the statistics; what needs a clock on the wall is zero.
    pub fn statistics(&self) -> WorldStatistics {
        let clock = self.simulation.clock();
        let ecm = self.simulation.ecm();
        let profile = ecm.get::<CurrentProfile>(self.simulation.world());
        WorldStatistics {
            sim_time: Some(clock.sim_time.into()),
            real_time: None,
            iterations: clock.iterations,
            paused: self.paused,
            real_time_factor: 0.0,
            target_real_time_factor: self.target_rtf.value(),
            step_size_secs: clock.step_size.as_secs_f64(),
            steps_due: self.steps_due,
            entity_count: ecm.entity_count() as u64,
            profile: profile.map(|profile| profile.0.clone()).unwrap_or_default(),
            failed_systems: ecm.iter::<SystemFailure>().map(|(e, f)| self.stopped(e, f)).collect(),
            waits_for: self.lockstep.late().into_iter().map(str::to_owned).collect(),
        }
    }

    /// Returns what can be undone and redone; the same `Arc` until it changes.
    pub fn history(&self) -> &Arc<UserCmdStats> {
        self.history.stats()
    }

    /// Returns the physics profiles and the values in force.
    pub fn physics_state(&self) -> PhysicsState {
        let simulation = &self.simulation;
        presets::physics_state(simulation.ecm(), simulation.engine(), self.target_rtf)
    }

    /// Returns a view of the present state that later steps do not touch.
    pub fn view(&mut self) -> EcmSnapshot {
        self.simulation.view()
    }

    /// Takes out what every client should hear of.
    pub fn drain_events(&mut self) -> Vec<Event> {
        if let Some(tape) = &mut self.tape {
            tape.note_events(self.simulation.clock().sim_time, self.simulation.events());
            tape.skip_events(0);
        }
        let events = self.simulation.drain_events();
        self.lockstep.note_jumps(&events);
        events
    }

    /// Takes out what systems published.
    pub fn drain_messages(&mut self) -> Vec<OutMessage> {
        let messages = self.simulation.drain_messages();
        self.lockstep.hear(&messages);
        for message in messages.iter().filter(|_| self.tape.is_some()).cloned().collect::<Vec<_>>()
        {
            self.note(Happening::Message(message));
        }
        messages
    }

    /// Returns the topics that systems listen to, when they may have changed since the last call.
    pub fn changed_subscriptions(&mut self) -> Option<Vec<String>> {
        self.simulation.changed_subscriptions()
    }

    /// Returns who the server is.
    pub fn info(&self) -> ServerInfo {
        ServerInfo {
            world: self.world_name.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            protocol_version: retake_msgs::PROTOCOL_VERSION,
            world_file: self.world_file.clone(),
        }
    }

    /// Returns what was found in the world's file.
    pub(crate) fn findings(&self) -> &Arc<Findings> {
        &self.findings
    }

    /// Returns where the world came from.
    pub fn world_source(&self) -> &WorldSource {
        &self.source
    }

    /// Returns where the world came from, after noting that a file was saved.
    fn source(&mut self, request: WorldSourceRequest) -> WorldSource {
        saved_files::note(&mut self.source, request);
        self.source.clone()
    }

    fn control(&mut self, control: &WorldControl) -> UserCmdReply {
        let factor = match control.real_time_factor.map(RealTimeFactor::new).transpose() {
            Ok(factor) => factor.unwrap_or(self.target_rtf),
            Err(error) => return UserCmdReply::refused(error.to_string()),
        };
        let steps = u64::from(control.multi_step.unwrap_or(0));
        if steps > MAX_STEPS {
            let text = format!("multi_step is {steps}; at most {MAX_STEPS} at once");
            return UserCmdReply::refused(text);
        }
        if let Some(pause) = control.pause {
            // Whoever pauses or plays wants no more of the steps that were asked for before.
            self.paused = pause;
            self.steps_due = 0;
        }
        if steps > 0 {
            self.paused = true;
            self.steps_due = (self.steps_due + steps).min(MAX_STEPS);
        }
        self.target_rtf = factor;
        UserCmdReply::done(if self.paused { "Paused" } else { "Running" })
    }

    /// Says whether a command should be prepared by another thread before it is carried out.
    ///
    /// One that will be refused, or was answered already, need not.
    pub(crate) fn needs_preparation(&self, command: &UserCmd) -> bool {
        let takes_time = matches!(command.command, Some(user_cmd::Command::InsertEntity(_)))
            || self.motion_folders(command).is_some()
            || self.resume_work(command).is_some()
            || self.script_file(command).is_some();
        takes_time
            && has_short_names(command)
            && self.recent.find(&command.author, &command.id).is_none()
    }

    /// Returns what prepares insertions, on any thread.
    pub(crate) fn preparer(&self) -> Preparer {
        self.simulation.preparer()
    }

    /// Tells every client something.
    pub(crate) fn notify(&mut self, level: Level, text: String) {
        self.simulation.notify(level, text);
    }

    /// Carries a command out; what is not `ready` is prepared now.
    pub(crate) fn carry_out(&mut self, command: &UserCmd, ready: Prepared) -> UserCmdReply {
        if !has_short_names(command) {
            return UserCmdReply::refused(too_long());
        }
        if let Some(reply) = self.recent.find(&command.author, &command.id) {
            return reply;
        }
        if let Some(folders) = self.motion_folders(command) {
            return self.look_up_and_carry_out(command.clone(), &folders);
        }
        if let Some(uri) = self.script_file(command) {
            return self.read_and_carry_out(command.clone(), &uri);
        }
        if let Some(user_cmd::Command::ResumeTimeline(resume)) = &command.command {
            return self.resume_timeline(command, resume, ready);
        }
        let (insert, written) = match ready {
            Prepared::Insert(insert) => (Some(*insert), None),
            Prepared::Nothing | Prepared::Instant(_) => {
                (None, self.preparer().written_out(command))
            }
        };
        let command = written.as_ref().unwrap_or(command);
        let (mut reply, before) = self.simulation.execute_ready(command, insert);
        if let Some(before) = before {
            if let Some(user_cmd::Command::ResetWorld(_)) = &command.command {
                self.keep_reset(command, &before);
            }
            if self.paused && !self.guis.ids().is_empty() {
                let edit = self.simulation.ecm().encode_edit(&before.ecm);
                let told = UserCmd { description: reply.message.clone(), ..command.clone() };
                let conflicts = self.note_writes(0, &told, &edit);
                self.tell_conflicts(conflicts);
            }
            if !command.by_program || !is_for_robots(command) {
                self.history.push(command, &reply.message, before);
            }
        }
        if reply.ok && matches!(command.command, Some(user_cmd::Command::ResetWorld(_))) {
            self.steps_due = 0;
            self.writers.forget();
        }
        self.follow_profile_pace();
        if reply.ok && command.command.as_ref().is_some_and(changes_profiles) {
            let (ecm, engine) = (self.simulation.ecm(), self.simulation.engine());
            presets::tell(&mut reply, ecm, engine, self.target_rtf);
        }
        self.recent.remember(&command.author, &command.id, &reply);
        self.note_edit(|| logged_input::Input::Command(command.clone()), Some(&reply));
        if !reply.ok {
            tracing::debug!(author = command.author, reason = reply.message, "command refused");
        }
        reply
    }

    /// Aims at the profile's factor when that has changed.
    fn follow_profile_pace(&mut self) {
        let wanted = profile_rtf(&self.simulation);
        if wanted != self.profile_rtf {
            (self.profile_rtf, self.target_rtf) = (wanted, wanted);
        }
    }

    fn state(&mut self, part: StatePart) -> Response {
        let clock = self.simulation.clock();
        Response::State(StateAnswer { view: self.simulation.view(), clock, part })
    }

    fn hash(&mut self) -> Response {
        match self.hashes() {
            Ok(hashes) => Response::Hash(hashes),
            Err(error) => {
                self.simulation.notify(Level::Error, format!("No state hash: {error}"));
                Response::Failed(error.to_string())
            }
        }
    }

    fn hashes(&self) -> std::io::Result<HashReply> {
        let clock = self.simulation.clock();
        Ok(HashReply {
            hash: self.simulation.hash()?,
            sim_time: Some(clock.sim_time.into()),
            iterations: clock.iterations,
            component_hash: self.simulation.component_hash()?,
        })
    }

    /// Lets whoever repeats this run compare it on the way.
    fn publish_hash(&mut self) {
        match self.hashes() {
            Ok(hashes) => self.simulation.publish(&names::state_hash(&self.world_name), &hashes),
            Err(error) => self.simulation.notify(Level::Error, format!("No state hash: {error}")),
        }
    }

    fn stopped(&self, plugin: EntityId, failure: &SystemFailure) -> FailedSystem {
        FailedSystem {
            name: path_of(self.simulation.ecm(), plugin),
            reason: failure.reason.clone(),
        }
    }
}

fn has_short_names(command: &UserCmd) -> bool {
    [&command.id, &command.author, &command.gesture].iter().all(|name| name.len() <= MAX_ID_BYTES)
}

fn too_long() -> String {
    format!("id, author and gesture may have {MAX_ID_BYTES} bytes each")
}

fn profile_rtf(simulation: &Simulation) -> RealTimeFactor {
    let factor = PresetManager::new(simulation.ecm()).ok().and_then(|presets| {
        let profile = presets.profile(presets.current_profile()).ok()?;
        // A profile that asks for the impossible was refused when it was chosen.
        RealTimeFactor::new(profile.real_time_factor).ok()
    });
    factor.unwrap_or(RealTimeFactor::ONE)
}
