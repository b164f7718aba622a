//! Runner, clock, inbox, schedule, systems and user commands.
//!
//! [`Simulation`] is the deterministic core: no clock on the wall, no network, and no threads but
//! those that load meshes before it goes on. [`Server`] puts requests and control around it, [`Runner`] a thread and the pace of
//! real time, [`BusFront`] the topics and services.

mod bus_front;
mod bus_guis;
mod bus_recorder;
mod desk;
mod echoes;
mod editor;
mod event;
mod gaps;
mod history;
mod inbox;
mod intake;
pub mod introspection;
mod keyframe;
pub mod kinematics;
mod loader;
mod model_library;
mod motion_desk;
mod outbox;
mod pace;
mod paused;
mod preparation;
mod presets;
mod publisher;
mod real_time_factor;
mod recent;
mod recording;
mod request;
mod runner;
mod saved_files;
mod schedule;
mod self_check;
mod server;
mod services;
mod shelves;
mod simulation;
mod stats;
mod system;
pub mod systems;
mod timeline;
pub mod undo_laws;
mod user_commands;
mod view;
mod watchdog;
mod whereabouts;

pub use bus_front::BusFront;
pub use editor::{Edited, Editor};
pub use event::Event;
pub use history::{UndoLimitError, UndoLimits};
pub use inbox::{Inbox, InboxSender, Reply, inbox};
pub use keyframe::Keyframe;
pub use outbox::{OutMessage, Outbox};
pub use paused::{GuiActions, NoAnswer, Offer, Taken};
pub use presets::{PresetError, PresetManager, ProfileParam};
pub use real_time_factor::{BadRealTimeFactor, RealTimeFactor};
pub use recording::{Happened, Happening, RESOURCES, Recorder, Recording, WhenFull};
pub use request::{Request, Response, StateAnswer};
pub use retake_physics::{EngineState, LoadProgress};
pub use runner::{Runner, RunnerHandle};
pub use server::{LockstepOptions, Server, ServerOptions, SignalReadError, WhenLate};
pub use services::{ServiceEntry, service_table};
pub use shelves::MotionsAnswer;
pub use simulation::{JumpCause, LoadError, Simulation, SimulationOptions, StepFailure};
pub use system::{Rewind, StepInfo, StuckSystems, System, SystemError, SystemFailure};
pub use systems::motion::{message_of_goal as trajectory_message, motion_result};
pub use timeline::{PastAnswer, TimelineError, TimelineLimits};
pub use user_commands::CommandError;
pub use view::{View, ViewSink};
pub use watchdog::SystemWatch;
