//! The few doors to MuJoCo that its bindings call unsafe.
//!
//! Each is a plain call whose conditions are met by how this folder uses it; nothing else here needs
//! `unsafe`.
#![allow(unsafe_code, reason = "the bindings leave these conditions to the caller")]

use std::sync::Once;

use mujoco_rs::prelude::{MjData, MjLogMessage, MjModel, MjtLogLevel, set_log_handler};
use mujoco_rs::wrappers::mj_auxiliary::MjContact;

/// A model of MuJoCo together with its working memory.
pub(super) type Data = MjData<Box<MjModel>>;

/// Keeps MuJoCo from writing warnings into a file of its own and onto the console.
///
/// Warnings that matter are counted in its memory, and a step reads them there. An error ends the
/// process, which MuJoCo does not leave to anybody; it at least says why.
pub(super) fn quiet() {
    static ONCE: Once = Once::new();
    // SAFETY: every engine is made through here first, so that no other thread uses MuJoCo yet.
    ONCE.call_once(|| unsafe { set_log_handler(tell_errors) });
}

fn tell_errors(message: &MjLogMessage) {
    if matches!(message.level(), MjtLogLevel::mjLOG_ERROR) {
        eprintln!("MuJoCo cannot go on: {}", message.subject());
    }
}

/// Gives access to the numbers of a model.
pub(super) fn numbers(data: &mut Data) -> &mut MjModel {
    // SAFETY: callers write masses, places and limits; sizes, counts and addresses stay.
    unsafe { data.model_mut() }
}

/// Gives access to the contacts that were found.
pub(super) fn contacts(data: &mut Data) -> &mut [MjContact] {
    // SAFETY: callers write friction and stiffness; which geoms touch, and how many, stays.
    unsafe { data.contact_mut() }
}
