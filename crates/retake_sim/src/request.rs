//! What a server is asked, and what it answers.

use std::sync::Arc;

use prost::Message;
use retake_components::{Kind, WorldClock};
use retake_ecm::{EcmSnapshot, EntityId};
use retake_msgs::{
    Findings, GetFilter, GuiJoin, GuiJoined, GuiPending, HashReply, HashRequest,
    IntrospectionFilter, ItemsRequest, LockstepDone, LockstepJoin, LockstepReply, ModelLibrary,
    MotionCheckRequest, MotionChecked, MotionFile, MotionListRequest, MotionReadRequest,
    MotionSaveRequest, MotionSaved, Past, PastRequest, PendingActions, PhysicsProfilesRequest,
    PhysicsState, RemoveFilter, ServerInfo, ServerInfoRequest, SetFilter, StampedState,
    StateRequest, TakeOverRequest, Timeline, TimelineEdit, UndoRedo, UndoSettings, UserCmd,
    UserCmdReply, UserCmdStats, WorldContacts, WorldControl, WorldSource, WorldSourceRequest,
    WorldStatistics,
};

use crate::introspection::ItemsAnswer;
use crate::shelves::MotionsAnswer;
use crate::timeline::PastAnswer;

/// What a server is asked. Requests are carried out in the order they arrive; while a step or a
/// system takes long, those that ask for what every client is shown are answered from before it.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Play, pause, step, speed.
    Control(WorldControl),
    /// An edit by a user.
    Command(Box<UserCmd>),
    /// The state, whole or since a tick.
    State(StateRequest),
    /// The state of what can be seen.
    Scene,
    /// The hash of the state.
    Hash(HashRequest),
    /// Undo, redo, or a jump to any command.
    UndoRedo(UndoRedo),
    /// How much of the past is kept.
    UndoSettings(UndoSettings),
    /// What can be undone and redone.
    History,
    /// What is kept of the past.
    Timeline,
    /// Bookmarks, names and limits of the timeline.
    EditTimeline(Box<TimelineEdit>),
    /// How the world was.
    Past(PastRequest),
    /// A GUI with an Ecm of its own is there.
    JoinGui(GuiJoin),
    /// Such a GUI is gone.
    LeaveGui(u64),
    /// What such a GUI holds.
    GuiPending(Box<GuiPending>),
    /// What such a GUI holds is to be taken over now.
    TakeOver(TakeOverRequest),
    /// What all GUIs hold.
    Pending,
    /// Who the server is.
    Info(ServerInfoRequest),
    /// Where the world came from.
    Source(WorldSourceRequest),
    /// What was found in the world's file.
    Findings,
    /// The models that can be inserted.
    Library,
    /// The statistics.
    Stats,
    /// Where things touch.
    Contacts,
    /// The physics profiles and the values in force.
    Physics(PhysicsProfilesRequest),
    /// What robots can play.
    Motions(MotionListRequest),
    /// A stored motion, whole.
    ReadMotion(MotionReadRequest),
    /// A motion that is to be stored.
    SaveMotion(MotionSaveRequest),
    /// Whether a robot could follow a trajectory without getting in its own way.
    CheckMotion(Box<MotionCheckRequest>),
    /// What can be watched.
    Items(ItemsRequest),
    /// A filter of what is watched, made or changed.
    SetFilter(SetFilter),
    /// A filter as it is.
    GetFilter(GetFilter),
    /// A filter is not needed any more.
    RemoveFilter(RemoveFilter),
    /// A controller that steps wait for is there.
    LockstepJoin(LockstepJoin),
    /// What such a controller does before the next step.
    LockstepDone(LockstepDone),
    /// A message on a topic that systems listen to.
    Message {
        /// The topic.
        topic: String,
        /// The encoded message.
        bytes: Vec<u8>,
    },
}

/// What a server answers.
pub enum Response {
    /// Whether a command was carried out.
    Done(UserCmdReply),
    /// A state.
    State(StateAnswer),
    /// A hash.
    Hash(HashReply),
    /// What can be undone and redone.
    History(Arc<UserCmdStats>),
    /// What is kept of the past.
    Timeline(Arc<Timeline>),
    /// How the world was, or why that is not known.
    Past(Result<Box<PastAnswer>, Box<Past>>),
    /// What a GUI needs to know.
    GuiJoined(GuiJoined),
    /// What all GUIs hold.
    Pending(Arc<PendingActions>),
    /// Who the server is.
    Info(ServerInfo),
    /// Where the world came from.
    Source(WorldSource),
    /// What was found in the world's file.
    Findings(Arc<Findings>),
    /// The models that can be inserted.
    Library(ModelLibrary),
    /// Statistics.
    Stats(Box<WorldStatistics>),
    /// Where things touch.
    Contacts(Box<WorldContacts>),
    /// Physics profiles and the values in force.
    Physics(Box<PhysicsState>),
    /// What robots can play.
    Motions(MotionsAnswer),
    /// A stored motion.
    MotionFile(MotionFile),
    /// Whether a motion was stored.
    MotionSaved(MotionSaved),
    /// Where a robot would get in its own way.
    MotionChecked(Box<MotionChecked>),
    /// What can be watched.
    Items(ItemsAnswer),
    /// A filter of what is watched.
    Filter(IntrospectionFilter),
    /// Whether a controller's turn was taken, and the turn that waits for it.
    Lockstep(Box<LockstepReply>),
    /// The request could not be answered.
    Failed(String),
}

impl Response {
    /// Returns the encoded message.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn encode(&self) -> Result<Vec<u8>, String> {
        match self {
            Self::Done(reply) => Ok(reply.encode_to_vec()),
            Self::State(answer) => Ok(answer.stamped().encode_to_vec()),
            Self::Hash(hash) => Ok(hash.encode_to_vec()),
            Self::History(stats) => Ok(stats.encode_to_vec()),
            Self::Timeline(timeline) => Ok(timeline.encode_to_vec()),
            Self::Past(Ok(answer)) => Ok(answer.past().encode_to_vec()),
            Self::Past(Err(refusal)) => Ok(refusal.encode_to_vec()),
            Self::GuiJoined(joined) => Ok(joined.encode_to_vec()),
            Self::Pending(pending) => Ok(pending.encode_to_vec()),
            Self::Info(info) => Ok(info.encode_to_vec()),
            Self::Source(source) => Ok(source.encode_to_vec()),
            Self::Findings(findings) => Ok(findings.encode_to_vec()),
            Self::Library(library) => Ok(library.encode_to_vec()),
            Self::Physics(physics) => Ok(physics.encode_to_vec()),
            Self::Stats(stats) => Ok(stats.encode_to_vec()),
            Self::Contacts(contacts) => Ok(contacts.encode_to_vec()),
            Self::Motions(answer) => Ok(answer.list().encode_to_vec()),
            Self::MotionFile(file) => Ok(file.encode_to_vec()),
            Self::MotionSaved(saved) => Ok(saved.encode_to_vec()),
            Self::MotionChecked(checked) => Ok(checked.encode_to_vec()),
            Self::Items(answer) => Ok(answer.list().encode_to_vec()),
            Self::Filter(filter) => Ok(filter.encode_to_vec()),
            Self::Lockstep(reply) => Ok(reply.encode_to_vec()),
            Self::Failed(reason) => Err(reason.clone()),
        }
    }

    /// Returns whether a command was carried out, whatever kind of answer this is.
    pub fn into_reply(self) -> UserCmdReply {
        match self {
            Self::Done(reply) => reply,
            Self::Physics(physics) => {
                UserCmdReply { physics: Some(physics), ..UserCmdReply::done("") }
            }
            Self::Failed(reason) => UserCmdReply::refused(reason),
            Self::Past(Err(refusal)) => UserCmdReply::refused(refusal.message),
            _ => UserCmdReply::done(""),
        }
    }
}

/// A state that is encoded by whoever sends it, so that the step thread need not.
pub struct StateAnswer {
    pub(crate) view: EcmSnapshot,
    pub(crate) clock: WorldClock,
    pub(crate) part: StatePart,
}

/// Which part of a state was asked for.
pub(crate) enum StatePart {
    Full,
    Since(u64),
    /// What can be seen.
    Scene,
}

impl StateAnswer {
    /// Encodes the part that was asked for.
    pub fn stamped(&self) -> StampedState {
        let state = match self.part {
            StatePart::Full => self.view.encode_full(),
            StatePart::Since(tick) => self.view.encode_since(tick),
            StatePart::Scene => self.view.encode_entities(seen(&self.view)),
        };
        StampedState {
            sim_time: Some(self.clock.sim_time.into()),
            iterations: self.clock.iterations,
            state: Some(state),
        }
    }
}

/// Lists what can be seen.
pub(crate) fn seen(view: &EcmSnapshot) -> Vec<EntityId> {
    let is_seen = |kind: &Kind| !matches!(kind, Kind::Plugin | Kind::Collision | Kind::Sensor);
    let kinds = view.iter::<Kind>().filter(|(_, kind)| is_seen(kind));
    kinds.map(|(entity, _)| entity).collect()
}
